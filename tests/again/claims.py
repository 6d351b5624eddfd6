"""The published statements tested a second time: what each says is read from its own words, and tried on the released data."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import NamedTuple

from tests.again import groups, released, spelled
from tests.again.released import Pair, log_number, pairs, rows

CONFIRMED, CONTRADICTED, INCOMPLETE = "confirmed", "contradicted", "incomplete"
ONE_PAIR = re.compile(
    r"(.+), (\d+) x (.+), (.+): ([\d.]+) tokens/s in Offline and ([\d.]+) in Server, a difference of ([+-][\d.]+)%\."
)


class Finding(NamedTuple):
    """A statement, what it comes to, and why."""

    statement: str
    verdict: str
    reason: str


def findings() -> list:
    """Return the statements in the order of data/claims.json, each with its verdict and reason."""
    kept = json.loads((released.DATA / "claims.json").read_text(encoding="utf-8"))
    return [finding(one["statement"]) for one in kept]


def finding(statement: str) -> Finding:
    """Return what a statement comes to; raises KeyError if there is no test for it."""
    if match := ONE_PAIR.fullmatch(statement):
        return Finding(statement, *one_pair(*match.groups()))
    return Finding(statement, *TESTS[statement]())


def words(text: str) -> set:
    """Return the words of a name, without capitals and signs."""
    return set(re.split(r"[^a-z0-9]+", text.lower())) - {""}


def found(submitter: str = "", number: int | None = None, accelerator: str = "", model: str = "", **cells: str) -> list:
    """Return the pairs of a submitter, a number of accelerators, all words of an accelerator or platform, a model's label
    by its beginning, and cells of the Offline row whatever their capitals."""
    return [
        pair
        for pair in pairs()
        if submitter in ("", pair.offline["Organization"])
        and number in (None, pair.accelerators)
        and words(accelerator) <= words(pair.accelerator) | words(pair.offline["Platform"])
        and pair.offline["Model"].startswith(model)
        and all(pair.offline[field].lower() == text for field, text in cells.items())
    ]


def change(pair: Pair) -> Fraction:
    """Return by what share of the Offline rate the Server rate is higher."""
    return pair.ratio - 1


def to(decimals: int, pair: Pair) -> str:
    """Return the change of a pair as a percentage with so many decimals: '-3.0%'."""
    return spelled.signed(change(pair), decimals)


def decimals(text: str) -> int:
    """Return how many decimals a number is written with."""
    return len(text.partition(".")[2])


def one_pair(
    submitter: str, number: str, accelerator: str, model: str, offline: str, server: str, percent: str
) -> tuple:
    """Test two rates and their difference."""
    (pair,) = found(submitter, int(number), accelerator, model)
    for stated, row_id, label in (
        (offline, pair.offline_id, "Tokens per second"), (server, pair.server_id, "Completed tokens per second"),
    ):  # fmt: skip
        rates = Fraction(rows()[row_id]["Result"]), log_number(row_id, label)
        if stated not in [spelled.rounded(rate, decimals(stated)).replace(",", "") for rate in rates]:
            return CONTRADICTED, f"Rows {pair.ids}: the rate {stated} is not there."
    told = to(decimals(percent), pair)
    if told == f"{percent}%":
        return CONFIRMED, f"Rows {pair.ids}: both rates and the difference of {told} agree."
    of_stated = spelled.signed(Fraction(server) / Fraction(offline) - 1, decimals(percent))
    return (
        CONTRADICTED,
        f"Rows {pair.ids}: the difference is {told}, not {percent}% (the stated rates give {of_stated}).",
    )


def listed() -> list:
    """Return the changes, to one decimal in percent, of the pairs that single statements are about."""
    kept = json.loads((released.DATA / "claims.json").read_text(encoding="utf-8"))
    asked = [match.groups()[:4] for one in kept if (match := ONE_PAIR.fullmatch(one["statement"]))]
    return [to(1, pair) for who, number, what, model in asked for pair in found(who, int(number), what, model)]


def nine_systems() -> tuple:
    """Test how many of those listed go which way."""
    told = listed()
    negative = sum(one[0] == "-" and one != "-16.8%" for one in told)
    positive = sum(one[0] == "+" and Fraction(one[1:-1]) <= 3 for one in told)
    lone, stated = told.count("-16.8%"), [5, 2, 1]
    assert [negative, positive, lone] == stated
    return INCOMPLETE, (
        f"Found among those listed: {negative} of 5 negative, apart from the -16.8%; {positive} of 2 positive, up to "
        f"+3.0%; {lone} of 1 at -16.8%. The parts add up to {sum(stated)}, the list has {len(told)}, and the statement "
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
    """Test that changes lie between two whole percents, once rounded to such."""
    by_offline = [int(to(0, pair)[:-1]) for pair in hits]
    by_server = [int(spelled.signed(1 - 1 / pair.ratio, 0)[:-1]) for pair in hits]
    inside, other = (sum(low <= one <= high for one in ones) for ones in (by_offline, by_server))
    ends = [spelled.signed(end(map(change, hits))) for end in (min, max)]
    return CONFIRMED if inside == len(hits) else CONTRADICTED, (
        f"{inside} of {len(hits)} pairs lie from {low:+}% to {high:+}% ({other} if the difference is taken over the "
        f"Server rate); they reach from {ends[0]} to {ends[1]}."
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
    half, ends = values.count(Fraction(1, 2)), [spelled.metric(end(values)) for end in (min, max)]
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
    "Offline is not reliably the faster scenario: the sign of the difference reverses, from -6% on one node to +1.9% on "
    "a rack of 72 accelerators.":
        sign_reverses,
    "On a given system the difference lies between -7% and +3%.": lambda: within(list(pairs()), -7, 3),
    "With 8 accelerators, Llama 2 70B at FP4 runs 2 to 3% faster in Offline.":
        lambda: within(found(number=8, model="llama2-70b", weight_data_types="fp4"), -3, -2),
    "With 72 accelerators, Server can be the faster scenario.": server_faster,
    "Server runs use a target_qps of 0.5.": target_qps,
    "Server results are published with their latency limits satisfied.": limits_kept,
    "CoreWeave's two rack results, on adjacent hardware, go from +1.9% to -16.8%.": two_racks,
}  # fmt: skip
