"""Published statements about Offline and Server, each with its verdict.

data/claims.json lists them in order, each of a kind with its parameters; a kind has one rule, stated with every
verdict. Numbers with decimals are texts there, so that the digits stated are known.
"""

from __future__ import annotations

from typing import Callable

from scenario_ratio import wording
from scenario_ratio.bundle import Bundle
from scenario_ratio.files import parse_json
from scenario_ratio.pinned import CLAIMS
from scenario_ratio.problems import Problem, raise_if_any, shown
from scenario_ratio.shape import Choice, Open, Perhaps, Text
from scenario_ratio.shape import problems as shape_problems
from scenario_ratio.study import verdicts
from scenario_ratio.study.differences import LOOKUP, LOOKUP_RULE, Data, Finding, Undecided
from scenario_ratio.study.verdicts import SETTINGS

FACTS = (*SETTINGS, "ttft_limit_ns", "ttft_p99_ns", "tpot_limit_ns", "tpot_p99_ns")  # of a log, read by the rules
DECIMAL = Text(r"-?[0-9]{1,15}(?:\.[0-9]{1,10})?", "a decimal number such as '-3.0'")
RATE = Text(r"(?=.*[1-9])[0-9]{1,15}(?:\.[0-9]{1,10})?", "a rate above zero such as '106517'")
WHERE = Open({field: Perhaps(type_) for field, (type_, _) in LOOKUP.items()})
DIFFERENCE = "A difference is (Server - Offline) / Offline of the summary's rates"
AS_STATED = f"{DIFFERENCE}, rounded half away from zero to the decimals stated."
EXACT = f"{DIFFERENCE}, not rounded."
OF_EVERY_LOG = "Confirmed if the Server log of every pair has {}; incomplete if those at hand do, and some are not."
SIDE = {"accelerator": str, "percent": DECIMAL}
SCALE = {"name": str, "where": WHERE, "percent": DECIMAL}
PART = {"name": str, "count": int, "low": DECIMAL, "high": DECIMAL}
# A kind of claims: the shape of its parameters, how a claim of it is tested, and its rule in words.
KINDS: dict[str, tuple[dict, Callable[..., Finding], str]] = {
    "pair": (
        {"where": WHERE, "offline": RATE, "server": RATE, "percent": DECIMAL},
        verdicts.one_pair,
        f"{LOOKUP_RULE} Confirmed if exactly one pair is found, each rate equals the summary's or the log's rate, "
        f"rounded to the decimals stated, and so does the difference. {AS_STATED}",
    ),
    "tally": (
        {"of": [str], "counted": int, "parts": [PART]},
        verdicts.tally,
        "Confirmed if as many of the listed pairs' differences lie in each range as stated, and the parts, the list and "
        f"the count are equally many; contradicted if not. {EXACT} A part that is one figure is compared at the "
        "decimals stated, and a difference of zero is in no part that ends at zero.",
    ),
    "both signs": (
        {"examples": [SCALE]},
        verdicts.both_signs,
        f"Confirmed if pairs of both signs exist, and each example has at least one pair of that difference. {AS_STATED}",
    ),
    "sign by scale": (
        {"first": SCALE, "second": SCALE},
        verdicts.sign_by_scale,
        "Contradicted if no pair at one of the scales has the difference stated there; confirmed if all pairs at each "
        "scale have the sign stated, and some pair at the one has a counterpart at the other, equal in model, "
        "accelerator and precision; else not supported: the sign differs at one scale, or nothing sets scale apart from "
        f"what else differs. {AS_STATED} Signs are not rounded.",
    ),
    "furthest": (
        {"where": WHERE},
        verdicts.furthest,
        f"{LOOKUP_RULE} Confirmed if exactly one pair is found, and no other has a difference further from zero, below "
        f"it or above. {EXACT}",
    ),
    "range": (
        {"where": WHERE, "low": DECIMAL, "high": DECIMAL},
        verdicts.within_range,
        f"Confirmed if the difference of every pair looked up lies in the range at the decimals stated. {AS_STATED} "
        "Counted are the differences that lie there without rounding, and beside them those that lie there at the "
        "decimals stated, where these are not as many.",
    ),
    "server faster": (
        {"where": WHERE},
        verdicts.server_faster,
        "Confirmed if at least one pair looked up has a higher Server than Offline rate in the summary.",
    ),
    "matched field": (
        {"field": Choice(LOOKUP), "beyond": str},
        verdicts.matched_field,
        "Incomplete where pairs state the field: they are matched by it, so its being equal is no finding, and the "
        "statement goes beyond it; not testable where none states it.",
    ),
    "not logged": (
        {"fields": [Choice(SETTINGS)], "asked": str},
        verdicts.not_logged,
        "Not testable: no log holds what the statement is about; told is what the settings of the Server logs say.",
    ),
    "log setting": (
        {"field": Choice(SETTINGS), "value": DECIMAL},
        verdicts.log_setting,
        OF_EVERY_LOG.format("this value"),
    ),
    "limits kept": ({}, verdicts.limits_kept, OF_EVERY_LOG.format("both 99th percentiles within their limits")),
    "two pairs": (
        {"where": WHERE, "first": SIDE, "second": SIDE},
        verdicts.two_pairs,
        f"{LOOKUP_RULE} Confirmed if exactly one pair is found for each, with the difference stated. {AS_STATED}",
    ),
}


def load(bundle: Bundle) -> list[dict]:
    """Return the claims of data/claims.json; raises BundleError with everything there that no kind can be tested with."""
    return check(parse_json(bundle.read(CLAIMS), CLAIMS))


def check(claims: object) -> list[dict]:
    """Return parsed claims; raises BundleError if they are not of their form, see load."""
    form = {"id": str, "statement": str, "kind": Choice(KINDS), "parameters": Open({})}
    raise_if_any(shape_problems(claims, [form], CLAIMS))
    problems, earlier = [], set()
    for number, claim in enumerate(claims):
        place, (shape, _, _) = f"[{number}].parameters", KINDS[claim["kind"]]
        problems += shape_problems(claim["parameters"], shape, CLAIMS, place) or _unknown(claim, place, earlier)
        if claim["id"] in earlier:
            problems.append(Problem(CLAIMS, f"[{number}]", "id", shown(claim["id"]), "an id of its own"))
        earlier.add(claim["id"])
    raise_if_any(problems)
    return claims


def _unknown(claim: dict, place: str, earlier: set[str]) -> list[Problem]:
    """Return the claims and the fields of pairs that the parameters of a claim name and that are not there."""
    parameters = claim["parameters"]
    within = [parameters[side] for side in ("first", "second") if side in parameters]
    lookups = [one["where"] for one in (parameters, *within, *parameters.get("examples", [])) if "where" in one]
    unknown = [name for name in parameters.get("of", []) if name not in earlier]
    fields = [field for where in lookups for field in where if field not in LOOKUP]
    wrong = [(place, "of", shown(name), "the id of an earlier claim") for name in unknown]
    wrong += [(f"{place}.where", "", shown(field), wording.one_of(LOOKUP)) for field in fields]
    return [Problem(CLAIMS, *facts) for facts in wrong]


def evaluate(claims: list[dict], pairs: list[dict], logs: list[dict], differing: Callable) -> list[dict]:
    """Return each claim with its rule, verdict, reason, the Offline ids that decide it and the figures behind it.

    ``claims`` are of their form, ``pairs`` and ``logs`` those of results.json, ``differing(a, b)`` the metadata fields in
    which the pairs of two Offline ids differ.
    """
    data, told = Data(pairs, {log["row"]: log for log in logs}, differing, {}), []
    for claim in claims:
        _, test, rule = KINDS[claim["kind"]]
        try:
            finding = test(data, **claim["parameters"])
        except Undecided as undecided:
            finding = Finding(*undecided.args)
        data.found[claim["id"]] = finding
        verdict, reason, deciding, figures = finding
        one = {"id": claim["id"], "statement": claim["statement"], "rule": rule, "verdict": verdict, "reason": reason}
        told.append({**one, "offline_ids": [pair["offline_id"] for pair in deciding], "figures": figures})
    return told
