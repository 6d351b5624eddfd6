"""Reading results.json back: the form that analyze.py gives it, checked before anything is drawn from it."""

from __future__ import annotations

from collections import Counter

from scenario_ratio.bundle import Bundle
from scenario_ratio.files import parse_json
from scenario_ratio.pinned import RESULTS
from scenario_ratio.problems import BundleError, Problem, raise_if_any, shown
from scenario_ratio.shape import NUMBER, SOURCE, Choice, Either, Optional, each, problems
from scenario_ratio.study import checks, ratios, rounds
from scenario_ratio.study.pairing import OFFLINE, SERVER

HINT = "Run analyze.py to write it again."
RATIO_LIMIT = 100  # far above any ratio, so that an axis can be drawn
FEWEST = {"same_system": 2, "apart": 1}  # highlighted pairs

SHARED = {
    "submitter": str,
    "system": str,
    "platform": str,
    "model": str,
    "accelerator": Optional((str,)),
    "accelerators": int,
    "nodes": int,
    "precision": str,
}
SPREAD = {
    "n": int,
    **dict.fromkeys(("minimum", "q1", "median", "q3", "maximum"), NUMBER),
    "above_1": int,
    "minimum_ids": [str],
    "maximum_ids": [str],
}
PRINTED = {"kind": str, "line": int, "printed": str}
MEAN = {
    **PRINTED,
    **dict.fromkeys(("lower_bound_ns", "upper_bound_ns"), int),
    **dict.fromkeys(("samples", "wraps", "unwrapped_mean_ns"), Optional((int,))),
}
LATENCIES = ratios.LATENCIES
ABSENT_LOG = {"row": str, "path": str, "status": str}
ANOMALIES = {"anomalies": [Either((PRINTED, {**PRINTED, "count": int}, MEAN))]}
OFFLINE_LOG, SERVER_LOG = ({**ABSENT_LOG, **checks.facts_of(scenario), **ANOMALIES} for scenario in (OFFLINE, SERVER))
FIGURE = Optional((int, float, str))  # a count, a rate in tokens/s, or a percent in the digits that were compared
SHAPE = {
    "round": str,
    "sources": {
        "results": SOURCE,
        "checker": {**SOURCE, "path": str},
        "retrieved": str,
        "files_verified": int,
        "files_by_grade": each(int),
    },
    "counts": {
        **dict.fromkeys(
            ("source_rows", "source_fields", "cells_compared", "closed_rows", "open_rows", "eligible_rows"), int
        ),
        "complete_pairs": int,
        "unmatched_rows": int,
        "unmatched_row_ids": [str],
        **dict.fromkeys(("pairs_with_server_greater_than_offline", "rows_with_measured_power", "matched_fields"), int),
        **dict.fromkeys(("logs_passed", "logs_not_available", "pairs_with_both_logs"), int),
        **dict.fromkeys(("logs_with_anomalies", "logs_with_errors", "server_logs_passed"), int),
        "rows_with_an_unreported_limit": int,
    },
    "exclusions": [{"rule": str, "field": str, "allowed": [str], "turned_away": int}],
    "matched_fields": [str],
    "highlighted": {
        "same_system": {
            "offline_ids": [str],
            "platform": str,
            "differing_fields": [str],
            "spread_percentage_points": NUMBER,
        },
        "apart": {"offline_ids": [str]},
        "same_parts": each(SPREAD),
    },
    "pairs": [
        {
            "offline_id": str,
            "server_id": str,
            **SHARED,
            "offline_tokens_per_s": NUMBER,
            "server_tokens_per_s": NUMBER,
            "ratio": NUMBER,
            "offline_log": str,
            "server_log": str,
        }
    ],
    "unmatched": [{"id": str, **SHARED, "scenario": str, "tokens_per_s": NUMBER}],
    "accuracy": [
        {
            "row": str,
            "model": str,
            "verdict": str,
            "metrics": [
                {"metric": str, "reported": NUMBER, "target": Optional(NUMBER), "upper_limit": Optional(NUMBER)}
            ],
            "limits_without_a_reported_metric": [str],
        }
    ],
    "logs": [Either((SERVER_LOG, OFFLINE_LOG, ABSENT_LOG))],
    "distribution": {
        "quantile_rule": str,
        **dict.fromkeys(("overall", "by_model", "by_accelerators", "by_family"), each(SPREAD)),
    },
    "headroom": {
        "pairs": [
            {
                **dict.fromkeys(("offline_id", "server_id", "model"), str),
                **dict.fromkeys(LATENCIES, int),
                **dict.fromkeys(("ttft_fraction", "tpot_fraction"), NUMBER),
                "nearer": Choice(("ttft", "tpot", "equal")),
                "larger_fraction": NUMBER,
                **dict.fromkeys(
                    ("scheduled_samples_per_s", "completed_samples_per_s", "completed_over_scheduled"), NUMBER
                ),
            }
        ],
        "by_model": each(
            {
                "n": int,
                **dict.fromkeys(("median_ttft_fraction", "median_tpot_fraction", "median_larger_fraction"), NUMBER),
                "median_completed_over_scheduled": NUMBER,
                **dict.fromkeys(("ttft_nearer", "tpot_nearer", "equal"), int),
            }
        ),
    },
    "anomalies": [
        {
            "row": str,
            "kind": str,
            "line": int,
            "printed": str,
            "summary_errors": int,
            **dict.fromkeys(
                ("lower_bound_ns", "upper_bound_ns", "samples", "wraps", "unwrapped_mean_ns"), Optional((int,))
            ),
            "consequence": str,
        }
    ],
    "claims": [
        {
            **dict.fromkeys(("id", "statement", "rule", "verdict", "reason"), str),
            "offline_ids": [str],
            "figures": each(FIGURE),
        }
    ],
    "rounds": rounds.SHAPE,
}


def by_id(results: dict) -> dict[str, dict]:
    """Return Offline id -> pair."""
    return {pair["offline_id"]: pair for pair in results["pairs"]}


def highlighted(results: dict, group: str) -> list[dict]:
    """Return the highlighted pairs of a group, 'same_system' or 'apart', in the order in which they are chosen."""
    pairs = by_id(results)
    return [pairs[row_id] for row_id in results["highlighted"][group]["offline_ids"]]


def wrong_names(results: dict) -> list[Problem]:
    """Return where results of the right form name a pair that is not there, or one twice, or too few of a group."""
    groups = {group: results["highlighted"][group]["offline_ids"] for group in FEWEST}
    chosen = [row_id for named in groups.values() for row_id in named]
    found = [
        _problem(f"highlighted.{group}", "offline_ids", str(len(named)), f"{FEWEST[group]} or more")
        for group, named in groups.items()
        if len(named) < FEWEST[group]
    ]
    for place, ids in (
        ("pairs", [pair["offline_id"] for pair in results["pairs"]]),
        ("highlighted", chosen),
        ("headroom.pairs", [fact["offline_id"] for fact in results["headroom"]["pairs"]]),
        ("rounds", [one["round"] for one in results["rounds"]]),
    ):
        twice = [one for one, count in Counter(ids).items() if count > 1]
        found += [_problem(place, "", f"{shown(one)} twice", "each once") for one in twice]
    known = by_id(results)
    found += [
        _problem(place, "offline_id", shown(row_id), "the Offline id of a pair")
        for place, ids in _named(results).items()
        for row_id in ids
        if row_id not in known
    ]
    if results["round"] not in [one["round"] for one in results["rounds"]]:
        found.append(_problem("rounds", "round", "no such round", results["round"]))
    return found


def _named(results: dict) -> dict[str, list[str]]:
    """Return place -> the Offline ids that results name there."""
    spreads = {
        f"distribution.{part}.{name}": spread
        for part, groups in _groups(results).items()
        for name, spread in groups.items()
    }
    return {
        **{f"highlighted.{group}": results["highlighted"][group]["offline_ids"] for group in FEWEST},
        "headroom.pairs": [fact["offline_id"] for fact in results["headroom"]["pairs"]],
        **{f"claims[{number}]": claim["offline_ids"] for number, claim in enumerate(results["claims"])},
        **{place: spread["minimum_ids"] + spread["maximum_ids"] for place, spread in spreads.items()},
    }


def _groups(results: dict) -> dict[str, dict]:
    return {part: groups for part, groups in results["distribution"].items() if part != "quantile_rule"}


def wrong_groups(results: dict) -> list[Problem]:
    """Return which statistics are of groups that the pairs do not make: more than these, or fewer."""
    pairs, near = results["pairs"], results["headroom"]["pairs"]
    overall = {"all pairs": pairs, **dict(zip(("pairs with accelerators", "CPU-only pairs"), ratios.parted(pairs)))}
    wanted = {
        ("distribution", "overall"): [name for name, members in overall.items() if members],
        ("distribution", "by_model"): sorted({pair["model"] for pair in pairs}),
        ("headroom", "by_model"): sorted({fact["model"] for fact in near}),
    }
    return [
        _problem(f"{part}.{group}", "keys", shown(", ".join(results[part][group]), 200), ", ".join(names))
        for (part, group), names in wanted.items()
        if sorted(results[part][group]) != sorted(names)
    ]


def gaps(results: dict) -> list[Problem]:
    """Return what is told of pairs and is not there: logs of all; of the highlighted accuracy, Server logs, the same parts."""
    same, apart = (highlighted(results, group) for group in FEWEST)
    with_accuracy = {checked["row"] for checked in results["accuracy"]}
    logs = {log["row"]: log for log in results["logs"]}
    passed = {row_id for row_id, log in logs.items() if set(LATENCIES) <= set(log)}
    wanted = [
        *(("logs", pair[row], logs) for pair in results["pairs"] for row in ("offline_id", "server_id")),
        *(("accuracy", pair[row], with_accuracy) for pair in same + apart for row in ("offline_id", "server_id")),
        *(("logs", pair["server_id"], passed) for pair in same + apart),
        *(("highlighted.same_parts", pair["model"], results["highlighted"]["same_parts"]) for pair in same),
    ]
    return [
        _problem(part, shown(key), "no such entry", "what is told of a pair")
        for part, key, there in wanted
        if key not in there
    ]


def strange_ratios(results: dict) -> list[Problem]:
    """Return which pairs' ratios are not their Server rate over their Offline rate, between 0 and ``RATIO_LIMIT``."""
    return [
        Problem(RESULTS, f"pairs[{number}]", "ratio", shown(pair["ratio"]), "the Server rate over the Offline rate")
        for number, pair in enumerate(results["pairs"])
        if not 0 < pair["ratio"] < RATIO_LIMIT
        or pair["offline_tokens_per_s"] <= 0
        or pair["server_tokens_per_s"] / pair["offline_tokens_per_s"] != pair["ratio"]
    ]


def load(bundle: Bundle) -> dict:
    """Return results.json of the bundle, to be read and not changed.

    Raises BundleError if it is not of the form that analyze.py writes.
    """
    try:
        results = parse_json(bundle.read(RESULTS), RESULTS)
        raise_if_any(form_problems(results)[:20])
    except BundleError as error:
        raise BundleError(*(problem._replace(hint=HINT) for problem in error.problems)) from None
    return results


def form_problems(results: object) -> list[Problem]:
    """Return why ``results`` are not what analyze.py writes: first their shape, then the names and groups in them, then gaps."""
    return (
        problems(results, SHAPE, RESULTS)
        or strange_ratios(results) + wrong_names(results) + wrong_groups(results)
        or gaps(results)
    )


def _problem(place: str, field: str, found: str, expected: str) -> Problem:
    return Problem(RESULTS, place, field, found, expected)
