"""Reading results.json back: the form that analyze.py gives it, checked before anything is drawn from it.

What is checked is what a maker needs to make anything at all. Whether the numbers are the data's, validate.py finds out
by computing them again.
"""

from __future__ import annotations

from scenario_ratio.bundle import Bundle
from scenario_ratio.files import parse_json
from scenario_ratio.pinned import RESULTS
from scenario_ratio.problems import BundleError, Problem, raise_if_any, shown
from scenario_ratio.shape import NUMBER, SOURCE, AtLeast, Choice, Either, Optional, each, problems
from scenario_ratio.study import anomalies, checks, ratios, rounds, within
from scenario_ratio.study.pairing import OFFLINE, SERVER

HINT = "Run analyze.py to write it again."
FEWEST = {"same_system": 2, "apart": 1}  # highlighted pairs

SHARED = {
    "submitter": str, "system": str, "platform": str, "model": str,
    "accelerator": Optional((str,)), "accelerators": int, "nodes": int, "precision": str,
}  # fmt: skip
SPREAD = {
    "n": int, "minimum": NUMBER, "q1": NUMBER, "median": NUMBER, "q3": NUMBER, "maximum": NUMBER, "above_1": int,
    "minimum_ids": [str], "maximum_ids": [str],
}  # fmt: skip
IN_SYSTEMS = {"systems": int, "first_below": int, "second_below": int, "offline_ids": [[str]]}
WITHIN = {
    "matching": dict.fromkeys(within.MATCHINGS, {"rule": str, "equal_fields": int, "differing_fields": [str]}),
    "compared": [{"first": str, "second": str, **dict.fromkeys(within.MATCHINGS, IN_SYSTEMS)}],
}
SHARES = {
    "n": int, "models": int, "share_between_models": Optional(NUMBER),
    "labels": int, "share_between_labels": Optional(NUMBER),
}  # fmt: skip
PRINTED = {"kind": str, "line": int, "printed": str}
FOLLOWS = Optional((int,))  # a fact that follows from others, where these are known
MEAN = {
    **PRINTED, "lower_bound_ns": int, "upper_bound_ns": int,
    "samples": FOLLOWS, "wraps": FOLLOWS, "unwrapped_mean_ns": FOLLOWS,
}  # fmt: skip
LOG = {"row": str, "path": str, "status": Choice(("passed",))}
ABSENT_LOG = {**LOG, "status": Choice(("not available",))}
TOKENS = {
    **PRINTED, "tokens_per_sample": NUMBER,
    "target": Optional(NUMBER), "upper_limit": Optional(NUMBER), "reported": Optional(NUMBER),
}  # fmt: skip
ANOMALIES = {"anomalies": [Either((PRINTED, {**PRINTED, "count": int}, MEAN, TOKENS))]}
OFFLINE_LOG, SERVER_LOG = ({**LOG, **checks.facts_of(scenario), **ANOMALIES} for scenario in (OFFLINE, SERVER))
METRIC = {"metric": str, "reported": NUMBER, "target": Optional(NUMBER), "upper_limit": Optional(NUMBER)}
FIGURE = Optional((int, float, str))  # a count, a rate in tokens/s, or a percent in the digits that were compared
PAIR = {
    "offline_id": str, "server_id": str, **SHARED,
    "offline_tokens_per_s": NUMBER, "server_tokens_per_s": NUMBER, "ratio": NUMBER, "offline_log": str, "server_log": str,
}  # fmt: skip
ACCURACY = {
    "row": str, "model": str, "verdict": str, "metrics": [METRIC], "limits_without_a_reported_metric": [str],
}  # fmt: skip
HEADROOM = {
    "offline_id": str, "server_id": str, "model": str,
    **{name: AtLeast(1) if "limit" in name else int for name in ratios.LATENCIES},  # divided by
    "ttft_fraction": NUMBER, "tpot_fraction": NUMBER, "nearer": Choice(("ttft", "tpot", "equal")), "larger_fraction": NUMBER,
    "scheduled_samples_per_s": NUMBER, "completed_samples_per_s": NUMBER, "completed_over_scheduled": NUMBER,
}  # fmt: skip
MEDIANS = {
    "n": int, **{f"median_{name}": NUMBER for name in ratios.MEDIANS},
    "ttft_nearer": int, "tpot_nearer": int, "equal": int,
}  # fmt: skip
ANOMALY = {
    "row": str, **PRINTED, "summary_errors": int,
    **dict.fromkeys(anomalies.MEAN_FACTS, FOLLOWS), **dict.fromkeys(anomalies.TOKENS_FACTS, Optional(NUMBER)),
    "consequence": str,
}  # fmt: skip
CLAIM = {
    "id": str, "statement": str, "rule": str, "verdict": str, "reason": str,
    "offline_ids": [str], "figures": each(FIGURE),
}  # fmt: skip
SOURCES = {
    "results": SOURCE, "checker": {**SOURCE, "path": str}, "retrieved": str,
    "files_verified": int, "files_by_grade": each(int),
}  # fmt: skip
COUNTS = (
    "source_rows", "source_fields", "cells_compared", "closed_rows", "open_rows", "eligible_rows", "complete_pairs",
    "unmatched_rows", "unmatched_row_ids", "pairs_with_server_greater_than_offline", "rows_with_measured_power",
    "matched_fields", "logs_passed", "logs_not_available", "pairs_with_both_logs", "logs_with_anomalies",
    "logs_with_errors", "server_logs_passed", "rows_with_an_unreported_limit",
)  # fmt: skip
HIGHLIGHTED = {
    "same_system": {
        "offline_ids": [str], "platform": str, "differing_fields": [str], "spread_percentage_points": NUMBER,
    },
    "apart": {"offline_ids": [str]},
    "scales": [str],
    "same_parts": {
        "by_model": each(SPREAD),
        "systems": [{"submitter": str, "platform": str, "offline_ids": [str], "spread_percentage_points": NUMBER}],
    },
}  # fmt: skip
DISTRIBUTION = {
    "quantile_rule": str, "accelerator_spellings": [{"accelerator": str, "grouped_as": str}],
    "overall": each(SPREAD), "by_model": each(SPREAD), "by_accelerators": each(SPREAD),
    "by_model_and_accelerators": each(each(SPREAD)), "by_family": each(SPREAD),
}  # fmt: skip
SHAPE = {
    "round": str,
    "sources": SOURCES,
    "counts": {**dict.fromkeys(COUNTS, int), "unmatched_row_ids": [str]},
    "exclusions": [{"rule": str, "field": str, "allowed": [str], "turned_away": int}],
    "matched_fields": [str],
    "highlighted": HIGHLIGHTED,
    "pairs": [PAIR],
    "unmatched": [{"id": str, **SHARED, "scenario": str, "tokens_per_s": NUMBER}],
    "accuracy": [ACCURACY],
    "logs": [Either((SERVER_LOG, OFFLINE_LOG, ABSENT_LOG))],
    "labels": each({"model": str, "by_family": each(int)}),
    "within_systems": WITHIN,
    "variance_between_models": each(SHARES),
    "distribution": DISTRIBUTION,
    "headroom": {"pairs": [HEADROOM], "by_model": each(MEDIANS)},
    "anomalies": [ANOMALY],
    "claims": [CLAIM],
    "rounds": rounds.SHAPE,
}


def load(bundle: Bundle) -> dict:
    """Return results.json, to be read and not changed; raises BundleError if it is not as analyze.py writes it."""
    try:
        results = parse_json(bundle.read(RESULTS), RESULTS)
        raise_if_any(form_problems(results)[:20])
    except BundleError as error:
        raise BundleError(*(problem._replace(hint=HINT) for problem in error.problems)) from None
    return results


def form_problems(results: object) -> list[Problem]:
    """Return why ``results`` are not what analyze.py writes: first their shape, then what must agree in them."""
    return problems(results, SHAPE, RESULTS) or _at_odds(results)


def _at_odds(results: dict) -> list[Problem]:
    """Return what results of the right shape name and do not tell, and which parts of them are incomplete."""
    pairs = by_id(results)
    models = {pair["model"] for pair in results["pairs"]}
    chosen = {group: results["highlighted"][group]["offline_ids"] for group in FEWEST}
    told = [pairs[row_id] for ids in chosen.values() for row_id in ids if row_id in pairs]
    ids = [pair[row] for pair in told for row in ("offline_id", "server_id")]
    headroom, accuracy = results["headroom"], {checked["row"] for checked in results["accuracy"]}
    server_logs = {log["row"] for log in results["logs"] if set(ratios.LATENCIES) <= set(log)}
    named = (  # where, the names there, what they must be among, and what that is
        *((f"highlighted.{group}.offline_ids", chosen[group], pairs, "the Offline id of a pair") for group in FEWEST),
        ("headroom.pairs", [fact["offline_id"] for fact in headroom["pairs"]], pairs, "the Offline id of a pair"),
        ("distribution.by_model", results["distribution"]["by_model"], models, "the model of a pair"),
        ("pairs", sorted(models), results["labels"], "a model of labels"),
        ("labels", results["labels"], models, "the model of a pair"),
        ("highlighted", ids, accuracy, "a row of accuracy"),
        ("highlighted", [pair["server_id"] for pair in told], server_logs, "the row of a Server log that passed"),
    )
    compared = [entry[name] for entry in results["within_systems"]["compared"] for name in within.MATCHINGS]
    in_systems = (
        (
            "highlighted.same_parts.systems",
            [one["offline_ids"] for one in results["highlighted"]["same_parts"]["systems"]],
        ),
        ("within_systems.compared", [ids for matching in compared for ids in matching["offline_ids"]]),
    )
    named += tuple((place, sum(ids, []), pairs, "the Offline id of a pair") for place, ids in in_systems)
    wrong = []
    for number, entry in enumerate(results["anomalies"]):
        if [entry[key] is not None for key in anomalies.MEAN_FACTS] not in anomalies.GIVEN:
            found = "some facts of a mean without those they follow from"
            wrong.append((f"anomalies[{number}]", found, "all, or null"))
    for group, fewest in FEWEST.items():
        if len(chosen[group]) < fewest:
            wrong.append((f"highlighted.{group}.offline_ids", str(len(chosen[group])), f"{fewest} or more"))
    for place, names, known, expected in named:
        wrong += [(place, shown(name), expected) for name in names if name not in known]
    return [Problem(RESULTS, place, "", *facts) for place, *facts in wrong]


def by_id(results: dict) -> dict[str, dict]:
    """Return Offline id -> pair."""
    return {pair["offline_id"]: pair for pair in results["pairs"]}


def highlighted(results: dict, group: str) -> list[dict]:
    """Return the highlighted pairs of a group, 'same_system' or 'apart', in the order in which they are chosen."""
    pairs = by_id(results)
    return [pairs[row_id] for row_id in results["highlighted"][group]["offline_ids"]]
