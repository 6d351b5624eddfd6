"""How a published statement about Offline and Server is put to the test: a rule for each kind, tried on all pairs."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Callable

from scenario_ratio import wording
from scenario_ratio.study.differences import (
    CONFIRMED,
    CONTRADICTED,
    INCOMPLETE,
    NOT_SUPPORTED,
    NOT_TESTABLE,
    Data,
    Finding,
    Undecided,
    difference,
    exact,
    find,
    has_difference,
    lies,
    lies_as_stated,
    look_up,
    off,
    percent_over,
    rounded,
    server_logs,
    signed,
)

# The settings of a run, printed in its log, that statements may be of; and what each is.
SETTINGS = {
    "target_qps": "the queries per second that are aimed at",
    "samples_per_query": "the samples in one query",
    "min_duration_ms": "the least duration in ms",
    "max_async_queries": "the most queries that may be outstanding, 0 for any number",
}


def one_pair(data: Data, where: dict, offline: str, server: str, percent: str) -> Finding:
    """Test a pair's two rates and their percent difference."""
    (pair,) = look_up(data.pairs, where, one=True)
    wrong, figures = [], {}
    for name, stated in (("offline", offline), ("server", server)):
        summary, log = pair[f"{name}_tokens_per_s"], data.logs[pair[f"{name}_id"]].get("rate_tokens_per_s")
        figures[f"{name}_tokens_per_s"], figures[f"{name}_log_tokens_per_s"] = summary, log
        if Decimal(stated) not in [rounded(rate, stated) for rate in (summary, log) if rate is not None]:
            wrong.append(f"the {name.capitalize()} rate is {wording.rate(summary)}, not {stated} tokens/s")
    value, of_stated = signed(difference(pair, percent)), signed(rounded(percent_over(offline, server), percent))
    figures.update(difference_percent=value, difference_of_stated_rates_percent=of_stated)
    figures["difference_over_server_percent"] = signed(difference(pair, percent, "server"))
    if not has_difference(pair, percent):
        wrong.append(off(pair, percent, f" (the stated rates give {of_stated}%)"))
    reason = wording.clauses(wrong) or f"both rates and the difference of {value}% agree"
    return Finding(CONTRADICTED if wrong else CONFIRMED, f"Rows {wording.rows(pair)}: {reason}.", [pair], figures)


def tally(data: Data, of: list, counted: int, parts: list) -> Finding:
    """Test how many of the pairs of other claims have differences in each of several ranges, and how many are listed.

    A range that is one figure is compared at the decimals stated, as a figure is.
    """
    absent = [claim for claim in of if "difference_percent" not in data.found[claim].figures]
    if absent:
        raise Undecided(NOT_TESTABLE, f"Without a difference: {wording.listed(absent)}.", [], {"listed": len(of)})
    pairs = [pair for claim in of for pair in data.found[claim].pairs]
    counts = [sum(_in_part(pair, part["low"], part["high"]) for pair in pairs) for part in parts]
    stated = [part["count"] for part in parts]
    told = wording.clauses(f"{count} of {part['count']} {part['name']}" for count, part in zip(counts, parts))
    reason = (
        f"Found among those listed: {told}. The parts add up to {sum(stated)}, the list has {len(of)}, and the "
        f"statement counts {counted}."
    )
    agrees = counts == stated and counted == sum(stated) == len(of)
    figures = {"listed": len(of), "counted": counted, "parts_total": sum(stated)}
    return Finding(CONFIRMED if agrees else CONTRADICTED, reason, pairs, figures)


def _in_part(pair: dict, low: str, high: str) -> bool:
    """Return whether a pair belongs to a part of a tally; a difference of zero to none that ends at zero."""
    ends = Decimal(low), Decimal(high)
    if ends[0] == ends[1]:
        return has_difference(pair, low)
    return lies(pair, low, high) and (exact(pair) != 0 or 0 not in ends)


def both_signs(data: Data, examples: list) -> Finding:
    """Test that differences of both signs occur, and that each example has a pair."""
    above = sum(pair["ratio"] > 1 for pair in data.pairs)
    below = sum(pair["ratio"] < 1 for pair in data.pairs)
    told, deciding = [], []
    for example in examples:
        percent = example["percent"]
        hits = [pair for pair in find(data.pairs, example["where"]) if has_difference(pair, percent)]
        models = wording.listed(sorted({pair["model"] for pair in hits}))
        found = f"rows {wording.listed(map(wording.rows, hits))} ({models})" if hits else "no pair"
        told.append(f"{signed(percent)}% {example['name']}: {found}")
        deciding.append(hits)
    pairs = wording.numbered(len(data.pairs), "pair/pairs")
    reason = f"Server is above Offline in {above} of {pairs} and below it in {below}. {wording.clauses(told)}."
    verdict = CONFIRMED if above and below and all(deciding) else CONTRADICTED
    return Finding(verdict, reason, sum(deciding, []), {"pairs": len(data.pairs), "above": above, "below": below})


def within_range(data: Data, where: dict, low: str, high: str) -> Finding:
    """Test that every pair looked up has a difference from ``low`` to ``high`` percent, at the decimals stated.

    Counted is what lies there by the rates as they are, and beside it what lies there at the decimals stated.
    """
    pairs = look_up(data.pairs, where)
    within, as_stated, within_over_server, over_server_as_stated = (
        sum(test(pair, low, high, base) for pair in pairs)
        for base in ("offline", "server") for test in (lies, lies_as_stated)
    )  # fmt: skip
    outside = [pair for pair in pairs if not lies_as_stated(pair, low, high)]
    differences = [difference(pair, "0.1") for pair in pairs]
    figures = {
        "pairs": len(pairs),
        "within": within,
        "within_at_the_decimals_stated": as_stated,
        "within_if_over_server": within_over_server,
        "within_if_over_server_at_the_decimals_stated": over_server_as_stated,
        "lowest_percent": signed(min(differences)),
        "highest_percent": signed(max(differences)),
    }
    of_offline, of_server = _at_decimals(within, as_stated), _at_decimals(within_over_server, over_server_as_stated)
    reason = (
        f"{within} of {wording.numbered(len(pairs), 'pair lies/pairs lie')} from {signed(low)}% to {signed(high)}%{of_offline}, "
        f"and {within_over_server}{of_server} if the difference is taken over the Server rate. They reach from "
        f"{figures['lowest_percent']}% to {figures['highest_percent']}%."
    )
    if not outside and within < len(pairs):
        reason += " The verdict rests on the decimals stated."
    return Finding(CONTRADICTED if outside else CONFIRMED, reason, outside or pairs, figures)


def _at_decimals(exactly: int, as_stated: int) -> str:
    """Return in words how many it is at the decimals stated; '' if that is as many as there are without rounding."""
    return "" if exactly == as_stated else f" ({as_stated} at the decimals stated)"


def server_faster(data: Data, where: dict) -> Finding:
    """Test that at least one pair looked up has the higher rate in Server."""
    pairs = look_up(data.pairs, where)
    faster = [pair for pair in pairs if pair["ratio"] > 1]
    told = [f"rows {wording.rows(pair)}, {pair['model']}, {signed(difference(pair, '0.1'))}%" for pair in faster]
    of_pairs = wording.numbered(len(pairs), "pair has/pairs have")
    reason = f"{len(faster)} of {of_pairs} the higher rate in Server{': ' * bool(told)}{wording.clauses(told)}."
    figures = {"pairs": len(pairs), "server_faster": len(faster)}
    return Finding(CONFIRMED if faster else CONTRADICTED, reason, faster or pairs, figures)


def of_logs(data: Data, name: str, told: str, keeps: Callable[[dict], bool], field: str = "") -> Finding:
    """Return the finding on what every Server log must keep to, ``told`` in words; ``name`` is that of the figure.

    With a ``field``, it is also told how far its values reach. Raises Undecided if no Server log passed.
    """
    passed, absent = server_logs(data)
    against = [pair for pair, log in passed if not keeps(log)]
    figures = {"logs": len(passed), name: len(passed) - len(against)}
    reason = f"{told} in {figures[name]} of {wording.numbered(len(passed), 'Server log/Server logs')}"
    if field:
        values = [float(log[field]) for _, log in passed]
        figures.update(lowest=min(values), highest=max(values))
        reason += f"; it reaches from {wording.metric(min(values))} to {wording.metric(max(values))}"
    figures["logs_not_available"] = len(absent)
    reason += f". {len(absent)} are not available: {wording.listed(absent)}." if absent else "."
    verdict = CONTRADICTED if against else INCOMPLETE if absent else CONFIRMED
    return Finding(verdict, reason, against or [pair for pair, _ in passed], figures)


def log_setting(data: Data, field: str, value: str) -> Finding:
    """Test that every Server log at hand has ``value`` in ``field``."""
    stated = Decimal(value)
    return of_logs(data, "with_value", f"{field} is {value}", lambda log: Decimal(str(log[field])) == stated, field)


def limits_kept(data: Data) -> Finding:
    """Test that every Server log at hand has both achieved 99th percentiles within their limits."""
    told, both = "The 99th percentiles of TTFT and TPOT are within their limits", ("ttft", "tpot")
    return of_logs(
        data, "within", told, lambda log: all(log[f"{one}_p99_ns"] <= log[f"{one}_limit_ns"] for one in both)
    )


def two_pairs(data: Data, where: dict, first: dict, second: dict) -> Finding:
    """Test the percent differences of two pairs; says in which metadata fields the two differ."""
    stated = [side["percent"] for side in (first, second)]
    asked = [{**where, "accelerator": side["accelerator"]} for side in (first, second)]
    pairs = [pair for where in asked for pair in look_up(data.pairs, where, one=True)]
    values = [signed(difference(pair, percent)) for pair, percent in zip(pairs, stated)]
    wrong = [off(pair, percent) for pair, percent in zip(pairs, stated) if not has_difference(pair, percent)]
    fields = data.differing(*(pair["offline_id"] for pair in pairs))
    told = "; rows ".join(f"{wording.rows(pair)}: {value}%" for pair, value in zip(pairs, values))
    reason = (
        f"Rows {wording.clauses([told, *wrong])}. Of the matched metadata fields, the two differ in {wording.listed(fields)}; "
        "the data do not say what is adjacent."
    )
    figures = dict(zip(("first_percent", "second_percent"), values), differing_fields=len(fields))
    return Finding(CONTRADICTED if wrong else CONFIRMED, reason, pairs, figures)


PARTS = ("model", "accelerator", "precision")  # what must be equal for two pairs to differ in scale alone


def sign_by_scale(data: Data, first: dict, second: dict) -> Finding:
    """Test that the sign of the difference is that of the scale: the stated one in all pairs of each of two scales.

    Each of the two has a name, a ``where`` that is its scale, and the percent stated for it.
    """
    sides = (first, second)
    scales = [find(data.pairs, side["where"]) for side in sides]
    stated = [[one for one in pairs if has_difference(one, side["percent"])] for side, pairs in zip(sides, scales)]
    alike, alike_stated = ([both for both in product(*of) if _alike(*both)] for of in (scales, stated))
    turning = sum(all(map(_has_sign, both, sides)) for both in alike)
    one_sign = all(_has_sign(one, side) for side, pairs in zip(sides, scales) for one in pairs)
    reason = (
        f"Server is above Offline {wording.together(map(_above_by_model, sides, scales))}. One pair from each scale, equal in "
        f"{wording.together(PARTS)}: {wording.counted(len(alike), 'time/times')}, and in {turning} of them the sign turns as stated. Of these "
        f"{len(alike_stated)} have the differences stated, as {_rows(stated[0])} and {_rows(stated[1])} do."
    )
    shown = CONFIRMED if one_sign and alike else NOT_SUPPORTED
    figures = {"alike": len(alike), "alike_turning": turning, "alike_with_the_stated_differences": len(alike_stated)}
    return Finding(shown if all(stated) else CONTRADICTED, reason, sum(stated, []), figures)


def _alike(one: dict, other: dict) -> bool:
    return all(one[part] == other[part] for part in PARTS)


def _has_sign(pair: dict, side: dict) -> bool:
    """Return whether the difference of a pair has the sign of the percent that a side states."""
    return exact(pair) * Fraction(side["percent"]) > 0


def _above_by_model(side: dict, pairs: list[dict]) -> str:
    """Return in words in how many pairs of a scale Server is above Offline, and in how many of each model."""

    def told(some: list[dict]) -> str:
        return f"{sum(pair['ratio'] > 1 for pair in some)} of {len(some)}"

    models = sorted({pair["model"] for pair in pairs})
    by_model = [f"{model} {told([pair for pair in pairs if pair['model'] == model])}" for model in models]
    return f"{side['name']} in {told(pairs)} pairs ({wording.listed(by_model)})"


def _rows(pairs: list[dict]) -> str:
    return f"rows {wording.listed(map(wording.rows, pairs))}" if pairs else "no pair"


def furthest(data: Data, where: dict) -> Finding:
    """Test that no other pair's rates lie further apart than those of the one looked up, whichever is the higher."""
    (pair,) = look_up(data.pairs, where, one=True)
    own = abs(exact(pair))
    below = [other for other in data.pairs if exact(other) < -own]
    above = [other for other in data.pairs if exact(other) > own]
    with_accelerators = sum(bool(other["accelerators"]) for other in below + above)
    told = [f"{wording.rows(other)} {signed(difference(other, '0.1'))}%" for other in below + above]
    reason = (
        f"Rows {wording.rows(pair)}: {signed(difference(pair, '0.1'))}%. Of the other {len(data.pairs) - 1} pairs, "
        f"{len(below)} have Server further below Offline than that and {len(above)} that far above it, "
        f"{with_accelerators} of these with accelerators{': ' * bool(told)}{wording.listed(told)}."
    )
    figures = {"pairs": len(data.pairs), "further_below": len(below), "further_above": len(above)}
    figures["further_with_accelerators"] = with_accelerators
    return Finding(CONTRADICTED if told else CONFIRMED, reason, below + above or [pair], figures)


def matched_field(data: Data, field: str, beyond: str) -> Finding:
    """Tell what a field by which pairs are matched says of a statement that goes ``beyond`` it."""
    values = [pair[field] for pair in data.pairs]
    if not any(values):
        raise Undecided(NOT_TESTABLE, f"No pair states its {field}.", [], {"pairs": len(values)})
    told = [f"{value} in {values.count(value)}" for value in sorted(set(values), key=str)]
    reason = (
        f"The {field} is a field by which pairs are matched, so it is equal in both results of each of the {len(values)} "
        f"pairs because of the matching: {wording.listed(told)}. The data have no field for {beyond}."
    )
    return Finding(INCOMPLETE, reason, data.pairs, {"pairs": len(values), "values": len(told)})


def not_logged(data: Data, fields: list, asked: str) -> Finding:
    """Tell what the settings in ``fields`` of the Server logs say of a statement about ``asked``, which no log holds."""
    passed, _ = server_logs(data)
    figures, told = {"logs": len(passed)}, []
    for field in fields:
        ends = [pick(float(log[field]) for _, log in passed) for pick in (min, max)]
        figures.update({f"{field}_lowest": ends[0], f"{field}_highest": ends[1]})
        told.append(f"{field} ({SETTINGS[field]}) {' to '.join(dict.fromkeys(map(wording.metric, ends)))}")
    logs = wording.numbered(len(passed), "Server log/Server logs")
    reason = f"The logs do not say {asked}. What they set, in {logs}: {wording.clauses(told)}."
    return Finding(NOT_TESTABLE, reason, [pair for pair, _ in passed], figures)
