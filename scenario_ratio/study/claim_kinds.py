"""The kinds of claims, a function each: how a statement of that kind is tested on the pairs and their logs."""

from __future__ import annotations

from decimal import Decimal

from scenario_ratio import wording
from scenario_ratio.study.claim_data import (
    CONFIRMED,
    CONTRADICTED,
    INCOMPLETE,
    NOT_TESTABLE,
    Data,
    Finding,
    difference,
    exact,
    find,
    ids,
    percent_over,
    rounded,
    rows,
    signed,
    undetermined,
)


def one_pair(data: Data, where: dict, offline: str, server: str, percent: str) -> Finding:
    """Test a pair's two rates and their percent difference."""
    candidates = find(data.pairs, where)
    if finding := undetermined(candidates, where):
        return finding
    pair = candidates[0]
    wrong, figures = [], {}
    for name, stated in (("offline", offline), ("server", server)):
        summary = pair[f"{name}_tokens_per_s"]
        log = data.logs[pair[f"{name}_id"]].get("rate_tokens_per_s")
        known = [summary] if log is None else [summary, log]
        figures[f"{name}_tokens_per_s"], figures[f"{name}_log_tokens_per_s"] = summary, log
        if Decimal(stated) not in [rounded(exact(rate), stated) for rate in known]:
            wrong.append(f"the {name.capitalize()} rate is {wording.rate(summary)}, not {stated} tokens/s")
    value = difference(pair, percent)
    from_stated = rounded(percent_over(Decimal(offline), Decimal(server)), percent)
    figures.update(difference_percent=f"{value:+f}", difference_of_stated_rates_percent=f"{from_stated:+f}")
    if value != Decimal(percent):
        stated_rates = f"the stated rates give {signed(from_stated)}"
        wrong.append(f"the difference is {signed(value)}, not {signed(Decimal(percent))} ({stated_rates})")
    agreed = f"both rates and the difference of {signed(value)} agree"
    reason = f"Rows {rows(candidates)}: {'; '.join(wrong) or agreed}."
    return Finding(CONTRADICTED if wrong else CONFIRMED, reason, ids(candidates), figures)


def tally(data: Data, of: list, counted: int, parts: list) -> Finding:
    """Test how many of the pairs of other claims have differences in each of several ranges."""
    absent = [claim for claim in of if "difference_percent" not in data.found[claim].figures]
    if absent:
        return Finding(NOT_TESTABLE, f"Without a difference: {', '.join(absent)}.", [], {"listed": len(of)})
    values = [Decimal(data.found[claim].figures["difference_percent"]) for claim in of]
    told, disagrees = [], False
    for part in parts:
        number = sum(Decimal(part["low"]) <= value <= Decimal(part["high"]) for value in values)
        disagrees |= number != part["count"]
        told.append(f"{number} of {part['count']} {part['name']}")
    total = sum(part["count"] for part in parts)
    whole = counted == total == len(of)
    reason = (
        f"Found among those listed: {'; '.join(told)}. The parts add up to {total}, the list has {len(of)}, and the "
        f"statement counts {counted}."
    )
    verdict = CONTRADICTED if disagrees else CONFIRMED if whole else INCOMPLETE
    pairs = [row_id for claim in of for row_id in data.found[claim].pairs]
    return Finding(verdict, reason, pairs, {"listed": len(of), "counted": counted, "parts_total": total})


def both_signs(data: Data, examples: list) -> Finding:
    """Test that differences of both signs occur, and that each example has a pair."""
    above = sum(pair["ratio"] > 1 for pair in data.pairs)
    below = sum(pair["ratio"] < 1 for pair in data.pairs)
    told, deciding = [], []
    for example in examples:
        percent = example["percent"]
        hits = [pair for pair in find(data.pairs, example["where"]) if difference(pair, percent) == Decimal(percent)]
        models = ", ".join(sorted({pair["model"] for pair in hits}))
        told.append(
            f"{signed(Decimal(percent))} {example['name']}: {f'rows {rows(hits)} ({models})' if hits else 'no pair'}"
        )
        deciding.append(hits)
    reason = (
        f"Server is above Offline in {above} of {len(data.pairs)} pairs and below it in {below}. {'; '.join(told)}."
    )
    verdict = CONFIRMED if above and below and all(deciding) else CONTRADICTED
    return Finding(verdict, reason, ids(sum(deciding, [])), {"pairs": len(data.pairs), "above": above, "below": below})


def within_range(data: Data, where: dict, low: str, high: str) -> Finding:
    """Test that every pair looked up has a difference from ``low`` to ``high`` percent."""
    pairs = find(data.pairs, where)
    if not pairs:
        return undetermined(pairs, where)
    outside = [pair for pair in pairs if difference(pair, low) < Decimal(low) or difference(pair, high) > Decimal(high)]
    over_server = [
        -rounded(percent_over(exact(pair["server_tokens_per_s"]), exact(pair["offline_tokens_per_s"])), low)
        for pair in pairs
    ]
    differences = [difference(pair, "0.1") for pair in pairs]
    figures = {
        "pairs": len(pairs),
        "within": len(pairs) - len(outside),
        "within_if_over_server": sum(Decimal(low) <= value <= Decimal(high) for value in over_server),
        "lowest_percent": f"{min(differences):+f}",
        "highest_percent": f"{max(differences):+f}",
    }
    reason = (
        f"{figures['within']} of {len(pairs)} pairs lie from {signed(Decimal(low))} to {signed(Decimal(high))} "
        f"({figures['within_if_over_server']} if the difference is taken over the Server rate); "
        f"they reach from {signed(min(differences))} to {signed(max(differences))}."
    )
    return Finding(CONTRADICTED if outside else CONFIRMED, reason, ids(outside or pairs), figures)


def server_faster(data: Data, where: dict) -> Finding:
    """Test that at least one pair looked up has the higher rate in Server."""
    pairs = find(data.pairs, where)
    if not pairs:
        return undetermined(pairs, where)
    faster = [pair for pair in pairs if pair["ratio"] > 1]
    told = "; ".join(f"rows {rows([pair])}, {pair['model']}, {signed(difference(pair, '0.1'))}" for pair in faster)
    reason = f"{len(faster)} of {len(pairs)} pairs have the higher rate in Server" + (f": {told}." if faster else ".")
    figures = {"pairs": len(pairs), "server_faster": len(faster)}
    return Finding(CONFIRMED if faster else CONTRADICTED, reason, ids(faster or pairs), figures)


def log_setting(data: Data, field: str, value: str) -> Finding:
    """Test that every Server log at hand has ``value`` in ``field``."""
    passed, absent = _server_logs(data)
    if not passed:
        return Finding(NOT_TESTABLE, "No Server log is at hand.", [], {"logs": 0})
    settings = [exact(log[field]) for _, log in passed]
    others = [pair for (pair, _), setting in zip(passed, settings) if setting != Decimal(value)]
    figures = {
        "logs": len(passed),
        "with_value": len(passed) - len(others),
        "lowest": float(min(settings)),
        "highest": float(max(settings)),
        "logs_not_available": len(absent),
    }
    reason = (
        f"{field} is {value} in {figures['with_value']} of {len(passed)} Server logs; it reaches from "
        f"{wording.metric(figures['lowest'])} to {wording.metric(figures['highest'])}.{_not_at_hand(absent)}"
    )
    return Finding(_of_logs(others, absent), reason, ids(others or [pair for pair, _ in passed]), figures)


def limits_kept(data: Data) -> Finding:
    """Test that every Server log at hand has both achieved 99th percentiles within their limits."""
    passed, absent = _server_logs(data)
    if not passed:
        return Finding(NOT_TESTABLE, "No Server log is at hand.", [], {"logs": 0})
    beyond = [
        pair
        for pair, log in passed
        if any(log[f"{short}_p99_ns"] > log[f"{short}_limit_ns"] for short in ("ttft", "tpot"))
    ]
    figures = {"logs": len(passed), "within": len(passed) - len(beyond), "logs_not_available": len(absent)}
    reason = (
        f"The 99th percentiles of TTFT and TPOT are within their limits in {figures['within']} of {len(passed)} "
        f"Server logs.{_not_at_hand(absent)}"
    )
    return Finding(_of_logs(beyond, absent), reason, ids(beyond or [pair for pair, _ in passed]), figures)


def _server_logs(data: Data) -> tuple[list[tuple], list[dict]]:
    """Return (pair, Server log) of the pairs whose Server log passed, and the other pairs."""
    logs = [(pair, data.logs[pair["server_id"]]) for pair in data.pairs]
    return (
        [(pair, log) for pair, log in logs if log["status"] == "passed"],
        [pair for pair, log in logs if log["status"] != "passed"],
    )


def _not_at_hand(absent: list[dict]) -> str:
    return f" {len(absent)} are not available: {', '.join(pair['server_id'] for pair in absent)}." if absent else ""


def _of_logs(against: list, absent: list) -> str:
    return CONTRADICTED if against else INCOMPLETE if absent else CONFIRMED


def two_pairs(data: Data, where: dict, first: dict, second: dict) -> Finding:
    """Test the percent differences of two pairs; says in which metadata fields the two differ."""
    found = []
    for side in (first, second):
        asked = {**where, "accelerator": side["accelerator"]}
        candidates = find(data.pairs, asked)
        if finding := undetermined(candidates, asked):
            return finding
        found += candidates
    values = [difference(pair, side["percent"]) for pair, side in zip(found, (first, second))]
    stated = [Decimal(side["percent"]) for side in (first, second)]
    fields = data.differing(*ids(found))
    reason = (
        f"Rows {rows(found[:1])}: {signed(values[0])}; rows {rows(found[1:])}: {signed(values[1])}. Of the matched "
        f"metadata fields, the two differ in {', '.join(fields)}; the data do not say what is adjacent."
    )
    figures = {"first_percent": f"{values[0]:+f}", "second_percent": f"{values[1]:+f}", "differing_fields": len(fields)}
    return Finding(CONFIRMED if values == stated else CONTRADICTED, reason, ids(found), figures)
