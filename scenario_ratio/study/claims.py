"""Published statements about Offline and Server, put to the test on all pairs.

data/claims.json lists them in order, each of a kind with its parameters; a kind has one rule, stated with every
verdict. Numbers with decimals are texts there, so that the digits stated are known. Systems are looked up by what the
statement says of them, never by row ids. A percent difference is (Server - Offline) / Offline of the summary's rates,
rounded half away from zero to the decimals stated.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Callable, NamedTuple

from scenario_ratio import wording
from scenario_ratio.bundle import Bundle
from scenario_ratio.files import parse_json
from scenario_ratio.pinned import CLAIMS
from scenario_ratio.problems import Problem, raise_if_any, shown
from scenario_ratio.shape import Choice, Open, Text
from scenario_ratio.shape import problems as shape_problems

CONFIRMED, CONTRADICTED = "confirmed", "contradicted"
INCOMPLETE = "incomplete"  # what can be tested agrees, but the statement or the data leave a part open
NOT_TESTABLE = "not testable with these data"

SETTINGS = ("target_qps", "samples_per_query", "min_duration_ms")  # of a log, of which a statement may be
FACTS = (*SETTINGS, "ttft_limit_ns", "ttft_p99_ns", "tpot_limit_ns", "tpot_p99_ns")  # of a log, read here
DECIMAL = Text(r"-?[0-9]{1,15}(?:\.[0-9]{1,10})?", "a decimal number such as '-3.0'")
RATE = Text(r"(?=.*[1-9])[0-9]{1,15}(?:\.[0-9]{1,10})?", "a rate above zero such as '106517'")
WHERE = Open({})  # its members are those of LOOKUP that the statement gives
DIFFERENCE = "A difference is (Server - Offline) / Offline of the summary's rates, rounded half away from zero."
_ENOUGH = Context(prec=100)  # digits for any difference of two rates
_WORD = re.compile(r"[a-z0-9]+")


class Data(NamedTuple):
    """What claims are tested on: pairs as in results.json, logs by row id, the fields in which two pairs (by their
    Offline ids) differ, and the findings of earlier claims by claim id."""

    pairs: list
    logs: dict
    differing: Callable[[str, str], list]
    found: dict


class Finding(NamedTuple):
    """A verdict with its reason, the Offline ids of the pairs that decide it, and the figures behind it."""

    verdict: str
    reason: str
    pairs: list
    figures: dict


def words(text: str | None) -> set[str]:
    """Return the runs of letters and digits in a name, in lower case: 'GB300-NVL72' is {'gb300', 'nvl72'}."""
    return set(_WORD.findall((text or "").lower()))


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


def rounded(value: Decimal, like: str) -> Decimal:
    """Return ``value`` with as many decimals as the number ``like`` has, halves away from zero."""
    return value.quantize(Decimal(like), ROUND_HALF_UP, _ENOUGH)


def difference(pair: dict, like: str) -> Decimal:
    """Return (Server - Offline) / Offline in percent, with the decimals of ``like``."""
    return rounded(percent_over(*(exact(pair[f"{name}_tokens_per_s"]) for name in ("offline", "server"))), like)


def exact(number: float) -> Decimal:
    """Return the decimal that a float is written as: the summary's or the log's own digits."""
    return Decimal(repr(number))


def percent_over(base: Decimal, other: Decimal) -> Decimal:
    """Return by how many percent ``other`` lies above ``base``, negative if below."""
    return 100 * (other - base) / base


def signed(percent: Decimal) -> str:
    """Return a percentage with its sign: '+1.9%'."""
    return f"{percent:+f}%"


def ids(pairs: list[dict]) -> list[str]:
    """Return the Offline ids of pairs."""
    return [pair["offline_id"] for pair in pairs]


def rows(pairs: list[dict]) -> str:
    """Return pairs by their row ids, as they are shown: '97/98, 103/104'."""
    return ", ".join(f"{pair['offline_id']}/{pair['server_id']}" for pair in pairs)


def undetermined(candidates: list[dict], where: dict) -> Finding | None:
    """Return the finding if a lookup that should find one pair finds none or several; None if it finds one."""
    asked = ", ".join(f"{field} {value}" for field, value in where.items())
    if not candidates:
        return Finding(NOT_TESTABLE, f"No pair has {asked}.", [], {"candidates": 0})
    if len(candidates) > 1:
        reason = f"{len(candidates)} pairs have {asked}: {rows(candidates)}; the statement does not say which."
        return Finding(INCOMPLETE, reason, ids(candidates), {"candidates": len(candidates)})
    return None


class Kind(NamedTuple):
    """A kind of claims: the shape of its parameters, its rule in words, and how a claim of it is tested."""

    shape: dict
    rule: str
    test: Callable[..., Finding]


KINDS: dict[str, Kind] = {}


def kind(name: str, shape: dict, rule: str) -> Callable:
    """Return a decorator that makes a function the test of a kind; its arguments are the data and the parameters."""

    def add(test: Callable[..., Finding]) -> Callable[..., Finding]:
        KINDS[name] = Kind(shape, rule, test)
        return test

    return add


@kind(
    "pair",
    {"where": WHERE, "offline": RATE, "server": RATE, "percent": DECIMAL},
    f"{LOOKUP_RULE} Confirmed if exactly one pair is found, each rate equals the summary's or the log's rate, "
    f"rounded to the decimals stated, and so does the difference. {DIFFERENCE}",
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


@kind(
    "tally",
    {"of": [str], "counted": int, "parts": [{"name": str, "count": int, "low": DECIMAL, "high": DECIMAL}]},
    "Confirmed if as many of the listed pairs' differences lie in each range as stated, and the parts, the list and "
    "the count agree; incomplete if only these do not.",
)
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


@kind(
    "both signs",
    {"examples": [{"name": str, "where": WHERE, "percent": DECIMAL}]},
    f"Confirmed if pairs of both signs exist, and each example has at least one pair of that difference. {DIFFERENCE}",
)
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


@kind(
    "range",
    {"where": WHERE, "low": DECIMAL, "high": DECIMAL},
    f"Confirmed if the difference of every pair looked up lies in the range, at the decimals stated. {DIFFERENCE}",
)
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


@kind(
    "server faster",
    {"where": WHERE},
    "Confirmed if at least one pair looked up has a higher Server than Offline rate in the summary.",
)
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


@kind(
    "log setting",
    {"field": Choice(SETTINGS), "value": DECIMAL},
    "Confirmed if the Server log of every pair has this value; incomplete if those at hand do, and some are not.",
)
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


@kind(
    "limits kept",
    {},
    "Confirmed if the Server log of every pair has both 99th percentiles within their limits; incomplete if those at "
    "hand do, and some are not.",
)
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


@kind(
    "two pairs",
    {
        "where": WHERE,
        "first": {"accelerator": str, "percent": DECIMAL},
        "second": {"accelerator": str, "percent": DECIMAL},
    },
    f"{LOOKUP_RULE} Confirmed if exactly one pair is found for each, with the difference stated. {DIFFERENCE}",
)
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


def load(bundle: Bundle) -> list[dict]:
    """Return the claims of data/claims.json; raises BundleError with everything there that no kind can be tested with."""
    claims = parse_json(bundle.read(CLAIMS), CLAIMS)
    check(claims)
    return claims


def check(claims: object) -> None:
    """Raise BundleError if parsed claims are not of their form; see load."""
    form = {"id": str, "statement": str, "kind": Choice(KINDS), "parameters": Open({})}
    problems = shape_problems(claims, [form], CLAIMS)
    if not problems:
        seen: list[str] = []
        for number, claim in enumerate(claims):
            problems += _claim_problems(claim, f"[{number}]", seen)
            seen.append(claim["id"])
    raise_if_any(problems)


def _claim_problems(claim: dict, place: str, earlier: list[str]) -> list[Problem]:
    """Return what is wrong with one claim: its id, its parameters, what it looks up."""
    if claim["id"] in earlier:
        return [Problem(CLAIMS, place, "id", shown(claim["id"]), "an id of its own")]
    parameters, place = claim["parameters"], f"{place}.parameters"
    problems = shape_problems(parameters, KINDS[claim["kind"]].shape, CLAIMS, place)
    if problems:
        return problems
    unknown = [name for name in parameters.get("of", []) if name not in earlier]
    problems = [Problem(CLAIMS, place, "of", shown(name), "the id of an earlier claim") for name in unknown]
    lookups = [one["where"] for one in (parameters, *parameters.get("examples", [])) if "where" in one]
    return problems + [problem for where in lookups for problem in _where_problems(where, f"{place}.where")]


def _where_problems(where: dict, place: str) -> list[Problem]:
    """Return which lookups are by something else than a pair's fields."""
    known = ", ".join(f"{field} ({kind.__name__})" for field, (kind, _) in LOOKUP.items())
    return [
        Problem(CLAIMS, place, shown(field), shown(value), f"one of {known}")
        for field, value in where.items()
        if field not in LOOKUP or type(value) is not LOOKUP[field][0]
    ]


def evaluate(claims: list[dict], pairs: list[dict], logs: list[dict], differing: Callable) -> list[dict]:
    """Return each claim with its rule, verdict, reason, the Offline ids that decide it and the figures behind it.

    ``claims`` are of their form, ``pairs`` and ``logs`` those of results.json, ``differing(a, b)`` the metadata fields in
    which the pairs of two Offline ids differ.
    """
    data = Data(pairs, {log["row"]: log for log in logs}, differing, {})
    evaluated = []
    for claim in claims:
        of_kind = KINDS[claim["kind"]]
        finding = data.found[claim["id"]] = of_kind.test(data, **claim["parameters"])
        evaluated.append(
            {
                "id": claim["id"],
                "statement": claim["statement"],
                "rule": of_kind.rule,
                "verdict": finding.verdict,
                "reason": finding.reason,
                "offline_ids": finding.pairs,
                "figures": finding.figures,
            }
        )
    return evaluated
