"""How a published statement about Offline and Server is put to the test: a rule for each kind, tried on all pairs.

Systems are looked up by what the statement says of them, never by row ids. A percent difference is
(Server - Offline) / Offline of the summary's rates, rounded half away from zero to the decimals stated. A number with
decimals is a text, so that the digits stated are known.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Callable, NamedTuple

from scenario_ratio import wording

CONFIRMED, CONTRADICTED = "confirmed", "contradicted"
INCOMPLETE = "incomplete"  # what can be tested agrees, but the statement or the data leave a part open
NOT_TESTABLE = "not testable with these data"

_ENOUGH = Context(prec=100)  # digits for any difference of two rates


class Data(NamedTuple):
    """What claims are tested on: pairs as in results.json, logs by row id, the fields in which two pairs (by their
    Offline ids) differ, and the findings of earlier claims by claim id."""

    pairs: list
    logs: dict
    differing: Callable[[str, str], list]
    found: dict


class Finding(NamedTuple):
    """A verdict with its reason, the pairs that decide it, and the figures behind it."""

    verdict: str
    reason: str
    pairs: list
    figures: dict


class Undecided(Exception):
    """Raised, with the parts of the finding that says why, by a test that cannot come to its question."""


def words(text: str | None) -> set[str]:
    """Return the runs of letters and digits in a name, in lower case: 'GB300-NVL72' is {'gb300', 'nvl72'}."""
    return set(re.findall("[a-z0-9]+", (text or "").lower()))


# How a pair is looked up: by field of a claim's ``where``, the kind of value and what the pair must fulfil.
LOOKUP: dict[str, tuple[type, Callable[[dict, object], bool]]] = {
    "submitter": (str, lambda pair, name: pair["submitter"] == name),
    "accelerator": (str, lambda pair, name: words(name) <= words(pair["accelerator"]) | words(pair["platform"])),
    "accelerators": (int, lambda pair, number: pair["accelerators"] == number),
    "nodes": (int, lambda pair, number: pair["nodes"] == number),
    "model": (str, lambda pair, prefix: pair["model"].startswith(prefix)),
    "precision": (str, lambda pair, name: pair["precision"].lower() == name.lower()),
}
LOOKUP_RULE = (
    "Looked up by the submitter's exact name, every word of the accelerator text in the accelerator or platform name, "
    "the exact numbers of accelerators and nodes, the beginning of the model label, the precision in any capitals; "
    "whichever of these the statement gives."
)


def find(pairs: list[dict], where: dict) -> list[dict]:
    """Return the pairs that fulfil every condition of ``where``, in order."""
    return [pair for pair in pairs if all(LOOKUP[field][1](pair, value) for field, value in where.items())]


def look_up(pairs: list[dict], where: dict, one: bool = False) -> list[dict]:
    """Return the pairs that ``find`` finds; raises Undecided if there is none, or several where ``one`` is meant."""
    found = find(pairs, where)
    asked = ", ".join(f"{field} {value}" for field, value in where.items())
    if not found:
        raise Undecided(NOT_TESTABLE, f"No pair has {asked}.", [], {"candidates": 0})
    if one and len(found) > 1:
        rows = wording.listed(map(wording.rows, found))
        reason = f"{len(found)} pairs have {asked}: {rows}; the statement does not say which."
        raise Undecided(INCOMPLETE, reason, found, {"candidates": len(found)})
    return found


def rounded(number: float | str | Decimal, like: str) -> Decimal:
    """Return a number, by the digits it is written with, with as many decimals as ``like``, halves away from zero."""
    return Decimal(str(number)).quantize(Decimal(like), ROUND_HALF_UP, _ENOUGH)


def percent_over(base: float | str, other: float | str, like: str) -> Decimal:
    """Return by how many percent ``other`` lies above ``base``, negative if below, with the decimals of ``like``."""
    base, other = Decimal(str(base)), Decimal(str(other))
    return rounded(100 * (other - base) / base, like)


def difference(pair: dict, like: str) -> Decimal:
    """Return (Server - Offline) / Offline in percent, with the decimals of ``like``."""
    return percent_over(pair["offline_tokens_per_s"], pair["server_tokens_per_s"], like)


def signed(number: str | Decimal) -> str:
    """Return a number with its sign: '+1.9'."""
    return f"{Decimal(number):+f}"


def one_pair(data: Data, where: dict, offline: str, server: str, percent: str) -> Finding:
    """Test a pair's two rates and their percent difference."""
    (pair,) = look_up(data.pairs, where, one=True)
    wrong, figures = [], {}
    for name, stated in (("offline", offline), ("server", server)):
        summary, log = pair[f"{name}_tokens_per_s"], data.logs[pair[f"{name}_id"]].get("rate_tokens_per_s")
        figures[f"{name}_tokens_per_s"], figures[f"{name}_log_tokens_per_s"] = summary, log
        if Decimal(stated) not in [rounded(rate, stated) for rate in (summary, log) if rate is not None]:
            wrong.append(f"the {name.capitalize()} rate is {wording.rate(summary)}, not {stated} tokens/s")
    value, of_stated = difference(pair, percent), signed(percent_over(offline, server, percent))
    figures.update(difference_percent=signed(value), difference_of_stated_rates_percent=of_stated)
    if value != Decimal(percent):
        told = f"{signed(value)}%, not {signed(percent)}% (the stated rates give {of_stated}%)"
        wrong.append(f"the difference is {told}")
    reason = "; ".join(wrong) or f"both rates and the difference of {signed(value)}% agree"
    return Finding(CONTRADICTED if wrong else CONFIRMED, f"Rows {wording.rows(pair)}: {reason}.", [pair], figures)


def tally(data: Data, of: list, counted: int, parts: list) -> Finding:
    """Test how many of the pairs of other claims have differences in each of several ranges."""
    differences = {claim: data.found[claim].figures.get("difference_percent") for claim in of}
    absent = [claim for claim in of if differences[claim] is None]
    if absent:
        raise Undecided(NOT_TESTABLE, f"Without a difference: {', '.join(absent)}.", [], {"listed": len(of)})
    values = [Decimal(differences[claim]) for claim in of]
    counts = [sum(Decimal(part["low"]) <= value <= Decimal(part["high"]) for value in values) for part in parts]
    stated = [part["count"] for part in parts]
    told = "; ".join(f"{count} of {part['count']} {part['name']}" for count, part in zip(counts, parts))
    reason = (
        f"Found among those listed: {told}. The parts add up to {sum(stated)}, the list has {len(of)}, and the "
        f"statement counts {counted}."
    )
    adds_up = counted == sum(stated) == len(of)
    verdict = CONTRADICTED if counts != stated else CONFIRMED if adds_up else INCOMPLETE
    pairs = [pair for claim in of for pair in data.found[claim].pairs]
    return Finding(verdict, reason, pairs, {"listed": len(of), "counted": counted, "parts_total": sum(stated)})


def both_signs(data: Data, examples: list) -> Finding:
    """Test that differences of both signs occur, and that each example has a pair."""
    above = sum(pair["ratio"] > 1 for pair in data.pairs)
    below = sum(pair["ratio"] < 1 for pair in data.pairs)
    told, deciding = [], []
    for example in examples:
        percent = example["percent"]
        hits = [pair for pair in find(data.pairs, example["where"]) if difference(pair, percent) == Decimal(percent)]
        models = wording.listed(sorted({pair["model"] for pair in hits}))
        found = f"rows {wording.listed(map(wording.rows, hits))} ({models})" if hits else "no pair"
        told.append(f"{signed(percent)}% {example['name']}: {found}")
        deciding.append(hits)
    reason = (
        f"Server is above Offline in {above} of {len(data.pairs)} pairs and below it in {below}. {'; '.join(told)}."
    )
    verdict = CONFIRMED if above and below and all(deciding) else CONTRADICTED
    return Finding(verdict, reason, sum(deciding, []), {"pairs": len(data.pairs), "above": above, "below": below})


def within_range(data: Data, where: dict, low: str, high: str) -> Finding:
    """Test that every pair looked up has a difference from ``low`` to ``high`` percent."""
    pairs = look_up(data.pairs, where)
    outside = [pair for pair in pairs if difference(pair, low) < Decimal(low) or difference(pair, high) > Decimal(high)]
    over_server = [-percent_over(pair["server_tokens_per_s"], pair["offline_tokens_per_s"], low) for pair in pairs]
    differences = [difference(pair, "0.1") for pair in pairs]
    figures = {
        "pairs": len(pairs),
        "within": len(pairs) - len(outside),
        "within_if_over_server": sum(Decimal(low) <= value <= Decimal(high) for value in over_server),
        "lowest_percent": signed(min(differences)),
        "highest_percent": signed(max(differences)),
    }
    reason = (
        f"{figures['within']} of {len(pairs)} pairs lie from {signed(low)}% to {signed(high)}% "
        f"({figures['within_if_over_server']} if the difference is taken over the Server rate); "
        f"they reach from {figures['lowest_percent']}% to {figures['highest_percent']}%."
    )
    return Finding(CONTRADICTED if outside else CONFIRMED, reason, outside or pairs, figures)


def server_faster(data: Data, where: dict) -> Finding:
    """Test that at least one pair looked up has the higher rate in Server."""
    pairs = look_up(data.pairs, where)
    faster = [pair for pair in pairs if pair["ratio"] > 1]
    told = [f"rows {wording.rows(pair)}, {pair['model']}, {signed(difference(pair, '0.1'))}%" for pair in faster]
    reason = f"{len(faster)} of {len(pairs)} pairs have the higher rate in Server{': ' * bool(told)}{'; '.join(told)}."
    figures = {"pairs": len(pairs), "server_faster": len(faster)}
    return Finding(CONFIRMED if faster else CONTRADICTED, reason, faster or pairs, figures)


def of_logs(data: Data, name: str, told: str, keeps: Callable[[dict], bool], field: str = "") -> Finding:
    """Return the finding on what every Server log must keep to, ``told`` in words; ``name`` is that of the figure.

    With a ``field``, it is also told how far its values reach. Raises Undecided if no Server log passed.
    """
    logs = [(pair, data.logs[pair["server_id"]]) for pair in data.pairs]
    passed = [(pair, log) for pair, log in logs if log["status"] == "passed"]
    absent = [log["row"] for _, log in logs if log["status"] != "passed"]
    if not passed:
        raise Undecided(NOT_TESTABLE, "No Server log is at hand.", [], {"logs": 0})
    against = [pair for pair, log in passed if not keeps(log)]
    figures = {"logs": len(passed), name: len(passed) - len(against)}
    reason = f"{told} in {figures[name]} of {len(passed)} Server logs"
    if field:
        values = [float(log[field]) for _, log in passed]
        figures.update(lowest=min(values), highest=max(values))
        reason += f"; it reaches from {wording.metric(min(values))} to {wording.metric(max(values))}"
    figures["logs_not_available"] = len(absent)
    reason += f". {len(absent)} are not available: {', '.join(absent)}." if absent else "."
    verdict = CONTRADICTED if against else INCOMPLETE if absent else CONFIRMED
    return Finding(verdict, reason, against or [pair for pair, _ in passed], figures)


def log_setting(data: Data, field: str, value: str) -> Finding:
    """Test that every Server log at hand has ``value`` in ``field``."""
    stated = Decimal(value)
    return of_logs(data, "with_value", f"{field} is {value}", lambda log: Decimal(str(log[field])) == stated, field)


def limits_kept(data: Data) -> Finding:
    """Test that every Server log at hand has both achieved 99th percentiles within their limits."""

    def keeps(log: dict) -> bool:
        return log["ttft_p99_ns"] <= log["ttft_limit_ns"] and log["tpot_p99_ns"] <= log["tpot_limit_ns"]

    return of_logs(data, "within", "The 99th percentiles of TTFT and TPOT are within their limits", keeps)


def two_pairs(data: Data, where: dict, first: dict, second: dict) -> Finding:
    """Test the percent differences of two pairs; says in which metadata fields the two differ."""
    stated = [side["percent"] for side in (first, second)]
    asked = [{**where, "accelerator": side["accelerator"]} for side in (first, second)]
    pairs = [pair for where in asked for pair in look_up(data.pairs, where, one=True)]
    values = list(map(difference, pairs, stated))
    fields = data.differing(*(pair["offline_id"] for pair in pairs))
    told = "; rows ".join(f"{wording.rows(pair)}: {signed(value)}%" for pair, value in zip(pairs, values))
    reason = (
        f"Rows {told}. Of the matched metadata fields, the two differ in {', '.join(fields)}; the data do not say what "
        "is adjacent."
    )
    figures = dict(zip(("first_percent", "second_percent"), map(signed, values)), differing_fields=len(fields))
    return Finding(CONFIRMED if values == list(map(Decimal, stated)) else CONTRADICTED, reason, pairs, figures)
