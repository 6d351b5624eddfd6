"""The published statements, each with what it comes to: a test for each that is about more than one pair, by its words."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from tests.again import groups, released, spelled
from tests.again.claims import (
    CONFIRMED,
    CONTRADICTED,
    INCOMPLETE,
    ONE_PAIR,
    change,
    found,
    one_pair,
    over_server,
    stated,
    to,
)
from tests.again.released import Pair, log_number, pairs

NOT_SUPPORTED, NOT_TESTABLE = "not supported", "not testable with these data"


class Finding(NamedTuple):
    """A statement, what it comes to, and why."""

    statement: str
    verdict: str
    reason: str


def findings() -> list:
    """Return the statements in the order of data/claims.json, each with its verdict and reason."""
    return [finding(statement) for statement in stated()]


def finding(statement: str) -> Finding:
    """Return what a statement comes to; raises KeyError if there is no test for it."""
    if match := ONE_PAIR.fullmatch(statement):
        return Finding(statement, *one_pair(*match.groups()))
    return Finding(statement, *TESTS[statement]())


def listed() -> list:
    """Return the changes, to one decimal in percent, of the pairs that single statements are about."""
    asked = [match.groups()[:4] for match in map(ONE_PAIR.fullmatch, stated()) if match]
    return [to(1, pair) for who, number, what, model in asked for pair in found(who, int(number), what, model)]


def nine_systems() -> tuple:
    """Test how many of those listed go which way."""
    told = listed()
    negative = sum(one[0] == "-" and one != "-16.8%" for one in told)
    positive = sum(one[0] == "+" and float(one[1:-1]) <= 3 for one in told)
    lone, parts = told.count("-16.8%"), [5, 2, 1]
    agrees = [negative, positive, lone] == parts and sum(parts) == len(told) == 9
    return CONFIRMED if agrees else CONTRADICTED, (
        f"Found among those listed: {negative} of 5 negative, apart from the -16.8%; {positive} of 2 positive, up to "
        f"+3.0%; {lone} of 1 at -16.8%. The parts add up to {sum(parts)}, the list has {len(told)}, and the statement "
        "counts 9."
    )


def sign_reverses() -> tuple:
    """Test that there are pairs of both signs, and each example."""
    above = len(groups.above(pairs()))
    below = sum(pair.ratio < 1 for pair in pairs())
    on_one_node = [pair for pair in found(number_of_nodes="1") if to(0, pair) == "-6%"]
    on_a_rack = [pair for pair in found(number=72) if to(1, pair) == "+1.9%"]
    parts = [
        f"{at}: rows {told(hits)}"
        for at, hits in (("-6% on one node", on_one_node), ("+1.9% with 72 accelerators", on_a_rack))
    ]
    reason = f"Server is above Offline in {above} of {len(pairs())} pairs and below it in {below}. {'; '.join(parts)}."
    return CONFIRMED if above and below and on_one_node and on_a_rack else CONTRADICTED, reason


def told(hits: list) -> str:
    """Return pairs by their rows, and their models."""
    models = sorted({pair.offline["Model"] for pair in hits})
    return f"{', '.join(pair.ids for pair in hits)} ({', '.join(models)})"


def within(hits: list, low: int, high: int) -> tuple:
    """Test that changes lie between two whole percents, as they are and once rounded to such."""
    counts = []
    for base in (change, over_server):
        exact = sum(low <= 100 * base(pair) <= high for pair in hits)
        whole = sum(low <= int(to(0, pair, base)[:-1]) <= high for pair in hits)
        counts.append((whole, f"{exact}" if exact == whole else f"{exact} ({whole} at the decimals stated)"))
    (whole, by_offline), (_, by_server) = counts
    ends = [spelled.signed(end(map(change, hits))) for end in (min, max)]
    first, *more = by_offline.split(" ", 1)
    return CONFIRMED if whole == len(hits) else CONTRADICTED, (
        f"{first} of {len(hits)} pairs lie from {low:+}% to {high:+}%{''.join(' ' + one for one in more)}, and {by_server} "
        f"if the difference is taken over the Server rate. They reach from {ends[0]} to {ends[1]}."
    )


def sign_by_scale() -> tuple:
    """Test that all pairs on one node have one sign, and all on a rack the other."""
    node, rack = found(number_of_nodes="1"), found(number=72)
    twos = [(one, other) for one, other in product(node, rack) if parts(one) == parts(other)]
    turning = sum(one.ratio < 1 < other.ratio for one, other in twos)
    as_stated = [[pair for pair in node if to(0, pair) == "-6%"], [pair for pair in rack if to(1, pair) == "+1.9%"]]
    both = sum(one in as_stated[0] and other in as_stated[1] for one, other in twos)
    lone = all(pair.ratio < 1 for pair in node) and all(pair.ratio > 1 for pair in rack)
    ids = [", ".join(pair.ids for pair in hits) for hits in as_stated]
    return CONFIRMED if lone else NOT_SUPPORTED if all(as_stated) else CONTRADICTED, (
        f"Server is above Offline on one node in {above_of(node)} and with 72 accelerators in {above_of(rack)}. One pair "
        f"from each scale, equal in model, accelerator and precision: {len(twos)} times, and in {turning} of them the sign "
        f"turns as stated. Of these {both} have the differences stated, as rows {ids[0]} and rows {ids[1]} do."
    )


def parts(pair: Pair) -> tuple:
    """Return a pair's model, accelerator and precision."""
    return tuple(pair.offline[field] for field in ("Model", "accelerator_model_name", "weight_data_types"))


def above_of(hits: list) -> str:
    """Return in words in how many pairs Server is above Offline, and in how many of each model."""
    models = groups.by(lambda pair: pair.offline["Model"], hits)
    each = [f"{model} {len(groups.above(some))} of {len(some)}" for model, some in models.items()]
    return f"{len(groups.above(hits))} of {len(hits)} pairs ({', '.join(each)})"


def outlier() -> tuple:
    """Test that no pair's rates lie further apart than those of one rack."""
    (rack,) = found("CoreWeave", 72, "GB300", "llama2-70b")
    further = [pair for pair in pairs() if abs(change(pair)) > abs(change(rack))]
    below = [pair for pair in further if pair.ratio < 1]
    above = [pair for pair in further if pair.ratio > 1]
    each = ", ".join(f"{pair.ids} {to(1, pair)}" for pair in below + above)
    return CONTRADICTED if further else CONFIRMED, (
        f"Rows {rack.ids}: {to(1, rack)}. Of the other {len(pairs()) - 1} pairs, {len(below)} have Server further below "
        f"Offline than that and {len(above)} that far above it, {sum(pair.accelerators > 0 for pair in further)} of these "
        f"with accelerators: {each}."
    )


def quantization() -> tuple:
    """Tell what is known of the precision of both results."""
    found_in = released.ask(
        "SELECT weight_data_types, count(*) FROM eligible WHERE Scenario = 'Offline' AND id != ? GROUP BY 1 ORDER BY 1",
        *map(int, released.unmatched()),
    )
    each = ", ".join(f"{name} in {number}" for name, number in found_in)
    return INCOMPLETE, (
        f"The precision is a field by which pairs are matched, so it is equal in both results of each of the {len(pairs())} "
        f"pairs because of the matching: {each}. The data have no field for the data types of activations and of the "
        "key-value cache, or for how values are scaled; some notes name them, in words of their own."
    )


def closed_loop() -> tuple:
    """Tell what the logs say of how requests were sent."""
    settings = {
        "target_qps": "the queries per second that are aimed at",
        "samples_per_query": "the samples in one query",
        "max_async_queries": "the most queries that may be outstanding, 0 for any number",
    }
    logs, told = released.with_server_log(), []
    for name, meaning in settings.items():
        values = [log_number(pair.server_id, name) for pair in logs]
        ends = [spelled.metric(end(values)) or "0" for end in (min, max)]
        told.append(f"{name} ({meaning}) {' to '.join(ends if ends[0] != ends[1] else ends[:1])}")
    return NOT_TESTABLE, (
        "The logs do not say when each request was sent, so not whether it waited for an answer. What they set, in "
        f"{len(logs)} Server logs: {'; '.join(told)}."
    )


def server_faster() -> tuple:
    """Test that a rack's Server rate can be the higher one."""
    rack = found(number=72)
    faster = groups.above(rack)
    each = [f"rows {pair.ids}, {pair.offline['Model']}, {to(1, pair)}" for pair in faster]
    reason = f"{len(faster)} of {len(rack)} pairs have the higher rate in Server: {'; '.join(each)}."
    return CONFIRMED if faster else CONTRADICTED, reason


def absent() -> str:
    """Return in words which Server logs are not there."""
    lacking = [pair.server_id for pair in pairs() if pair not in released.with_server_log()]
    return f"{len(lacking)} are not available: {', '.join(lacking)}."


def target_qps() -> tuple:
    """Test what the Server logs say they aimed at."""
    values = [log_number(pair.server_id, "target_qps") for pair in released.with_server_log()]
    half, ends = sum(value == 0.5 for value in values), [spelled.metric(end(values)) for end in (min, max)]
    reason = (
        f"target_qps is 0.5 in {half} of {len(values)} Server logs; it reaches from {ends[0]} to {ends[1]}. {absent()}"
    )
    return CONFIRMED if half == len(pairs()) else CONTRADICTED, reason


def limits_kept() -> tuple:
    """Test that the latencies of Server logs are within their limits."""
    logs = released.with_server_log()
    kept = sum(released.share(pair, one) <= 1 for pair in logs for one in ("ttft", "tpot")) == 2 * len(logs)
    number = sum(all(released.share(pair, one) <= 1 for one in ("ttft", "tpot")) for pair in logs)
    verdict = (CONFIRMED if len(logs) == len(pairs()) else INCOMPLETE) if kept else CONTRADICTED
    reason = f"The 99th percentiles of TTFT and TPOT are within their limits in {number} of {len(logs)} Server logs."
    return verdict, f"{reason} {absent()}"


def two_racks() -> tuple:
    """Test the changes of two racks, and in what they differ."""
    ((one,), (other,)) = (found("CoreWeave", 72, part, "llama2-70b") for part in ("GB200", "GB300"))
    fields = [field for field in released.matched() if one.offline[field] != other.offline[field]]
    agrees = (to(1, one), to(1, other)) == ("+1.9%", "-16.8%")
    return CONFIRMED if agrees else CONTRADICTED, (
        f"Rows {one.ids}: {to(1, one)}; rows {other.ids}: {to(1, other)}. Of the matched metadata fields, the two differ "
        f"in {', '.join(fields)}; the data do not say what is adjacent."
    )


TESTS = {
    "Of nine systems, five have a negative difference, two a positive one of up to +3.0%, and one has -16.8%.":
        nine_systems,
    "Offline is not reliably the faster scenario: the sign of the difference reverses, with -6% on one node and +1.9% "
    "on a rack of 72 accelerators.":
        sign_reverses,
    "On a given system the difference lies between -7% and +3%.": lambda: within(list(pairs()), -7, 3),
    "With 8 accelerators, Llama 2 70B at FP4 runs 2 to 3% faster in Offline.":
        lambda: within(found(number=8, model="llama2-70b", weight_data_types="fp4"), -3, -2),
    "With 72 accelerators, Server can be the faster scenario.": server_faster,
    "Server runs use a target_qps of 0.5.": target_qps,
    "Server results are published with their latency limits satisfied.": limits_kept,
    "CoreWeave's two rack results, on adjacent hardware, go from +1.9% to -16.8%.": two_racks,
    "The sign of the difference reverses with scale: Server is the slower on one node, at -6%, and the faster on a rack of "
    "72 accelerators, at +1.9%.":
        sign_by_scale,
    "CoreWeave's rack of 72 x GB300 is the outlier in both directions: no other system's two rates lie as far apart, "
    "whichever of them is the higher.":
        outlier,
    "The Offline and the Server result of a system use identical quantization.": quantization,
    "Server requests come from a closed-loop queue: a new one is sent when an earlier one is answered.": closed_loop,
}  # fmt: skip
