"""Published statements about Offline and Server, put to the test on all pairs: reading them, and their verdicts.

data/claims.json lists them in order, each of a kind with its parameters; a kind has one rule, stated with every
verdict. Numbers with decimals are texts there, so that the digits stated are known.
"""

from __future__ import annotations

import re
from typing import Callable

from scenario_ratio.pinned import CLAIMS
from scenario_ratio.problems import Problem, raise_if_any, shown
from scenario_ratio.shape import problems as shape_problems
from scenario_ratio.study import claim_kinds as kinds
from scenario_ratio.study.claim_data import LOOKUP, LOOKUP_RULE, Data

CLAIM = {"id": str, "statement": str, "kind": str, "parameters": dict}
NUMBER_FIELDS = ("offline", "server", "percent", "low", "high", "value")
LOG_FIELDS = ("target_qps", "samples_per_query", "min_duration_ms")
LOOKUPS = [f"{field} ({kind.__name__})" for field, (kind, _) in LOOKUP.items()]
_DECIMAL = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,10})?", re.ASCII)
_DIFFERENCE = "A difference is (Server - Offline) / Offline of the summary's rates, rounded half away from zero."

# Kind -> the shape of its parameters, the function that tests it, its rule in words.
KINDS: dict[str, tuple[dict, Callable, str]] = {
    "pair": (
        {"where": dict, "offline": str, "server": str, "percent": str},
        kinds.one_pair,
        f"{LOOKUP_RULE} Confirmed if exactly one pair is found, each rate equals the summary's or the log's rate, "
        "rounded to the decimals stated, and so does the difference. " + _DIFFERENCE,
    ),
    "tally": (
        {"of": [str], "counted": int, "parts": [{"name": str, "count": int, "low": str, "high": str}]},
        kinds.tally,
        "Confirmed if as many of the listed pairs' differences lie in each range as stated, and the parts, the list and "
        "the count agree; incomplete if only these do not.",
    ),
    "both signs": (
        {"examples": [{"name": str, "where": dict, "percent": str}]},
        kinds.both_signs,
        "Confirmed if pairs of both signs exist, and each example has at least one pair of that difference. "
        + _DIFFERENCE,
    ),
    "range": (
        {"where": dict, "low": str, "high": str},
        kinds.within_range,
        "Confirmed if the difference of every pair looked up lies in the range, at the decimals stated. " + _DIFFERENCE,
    ),
    "server faster": (
        {"where": dict},
        kinds.server_faster,
        "Confirmed if at least one pair looked up has a higher Server than Offline rate in the summary.",
    ),
    "log setting": (
        {"field": str, "value": str},
        kinds.log_setting,
        "Confirmed if the Server log of every pair has this value; incomplete if those at hand do, and some are not.",
    ),
    "limits kept": (
        {},
        kinds.limits_kept,
        "Confirmed if the Server log of every pair has both 99th percentiles within their limits; incomplete if those at "
        "hand do, and some are not.",
    ),
    "two pairs": (
        {"where": dict, "first": {"accelerator": str, "percent": str}, "second": {"accelerator": str, "percent": str}},
        kinds.two_pairs,
        f"{LOOKUP_RULE} Confirmed if exactly one pair is found for each, with the difference stated. " + _DIFFERENCE,
    ),
}


def check(claims: object) -> None:
    """Raise BundleError with everything in the parsed data/claims.json that no kind can be tested with."""
    problems = shape_problems(claims, [CLAIM], CLAIMS)
    if not problems:
        seen: list[str] = []
        for number, claim in enumerate(claims):
            problems += _claim_problems(claim, f"[{number}]", seen)
            seen.append(claim["id"])
    raise_if_any(problems)


def _claim_problems(claim: dict, place: str, earlier: list[str]) -> list[Problem]:
    """Return what is wrong with one claim: its id, its kind, its parameters."""
    if claim["id"] in earlier:
        return [Problem(CLAIMS, place, "id", shown(claim["id"]), "an id of its own")]
    if claim["kind"] not in KINDS:
        return [Problem(CLAIMS, place, "kind", shown(claim["kind"]), f"one of {', '.join(KINDS)}")]
    parameters, place = claim["parameters"], f"{place}.parameters"
    problems = shape_problems(parameters, KINDS[claim["kind"]][0], CLAIMS, place)
    if problems:
        return problems
    unknown = [name for name in parameters.get("of", []) if name not in earlier]
    problems = [Problem(CLAIMS, place, "of", shown(name), "the id of an earlier claim") for name in unknown]
    if claim["kind"] == "log setting" and parameters["field"] not in LOG_FIELDS:
        problems.append(Problem(CLAIMS, place, "field", shown(parameters["field"]), f"one of {', '.join(LOG_FIELDS)}"))
    return problems + _value_problems(parameters, place)


def _value_problems(value: object, place: str) -> list[Problem]:
    """Return the numbers that are not written as decimals and the lookups by something else than a pair's fields."""
    if isinstance(value, list):
        return [problem for item in value for problem in _value_problems(item, place)]
    if not isinstance(value, dict):
        return []
    problems = []
    for field, member in value.items():
        if field == "where":
            problems += _where_problems(member, f"{place}.where")
        elif field in NUMBER_FIELDS and not _DECIMAL.fullmatch(member):
            problems.append(Problem(CLAIMS, place, field, shown(member), "a decimal number such as '-3.0'"))
        else:
            problems += _value_problems(member, f"{place}.{field}")
    return problems


def _where_problems(where: dict, place: str) -> list[Problem]:
    return [
        Problem(CLAIMS, place, shown(field), shown(value), "one of " + ", ".join(LOOKUPS))
        for field, value in where.items()
        if field not in LOOKUP or type(value) is not LOOKUP[field][0]
    ]


def evaluate(claims: list[dict], pairs: list[dict], logs: list[dict], differing: Callable) -> list[dict]:
    """Return each claim with its rule, verdict, reason, the Offline ids that decide it and the figures behind it.

    ``pairs`` and ``logs`` are those of results.json, ``differing(a, b)`` the metadata fields in which the pairs of
    two Offline ids differ. Raises BundleError if the claims are not of their form.
    """
    check(claims)
    data = Data(pairs, {log["row"]: log for log in logs}, differing, {})
    evaluated = []
    for claim in claims:
        _, test, rule = KINDS[claim["kind"]]
        finding = data.found[claim["id"]] = test(data, **claim["parameters"])
        evaluated.append(
            {
                "id": claim["id"],
                "statement": claim["statement"],
                "rule": rule,
                "verdict": finding.verdict,
                "reason": finding.reason,
                "offline_ids": finding.pairs,
                "figures": finding.figures,
            }
        )
    return evaluated
