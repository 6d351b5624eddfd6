"""Reading results.json back: the form that analyze.py gives it, checked before anything is drawn from it."""

from __future__ import annotations

from scenario_ratio.bundle import Bundle
from scenario_ratio.files import parse_json
from scenario_ratio.pinned import RESULTS
from scenario_ratio.problems import BundleError, Problem, raise_if_any, shown
from scenario_ratio.shape import NUMBER, SOURCE, Either, Optional, each, problems
from scenario_ratio.study import rounds

HINT = "Run analyze.py to write it again."
RATIO_LIMIT = 100  # far above any ratio, so that an axis can be drawn


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
ABSENT_LOG = {"row": str, "path": str, "status": str}
CHECKED = {
    **ABSENT_LOG,
    **dict.fromkeys(("result", "scenario", "mode"), str),
    "satisfied": each(str),
    "min_duration_ms": int,
    **dict.fromkeys(("rate_tokens_per_s", "samples_per_s"), NUMBER),
}
SETTINGS = {"target_qps": NUMBER, "samples_per_query": int}
ODD = {
    **dict.fromkeys(("warnings", "errors", "summary_errors"), int),
    "anomalies": [Either((PRINTED, {**PRINTED, "count": int}, MEAN))],
}
LATENCIES = dict.fromkeys(("ttft_limit_ns", "ttft_p99_ns", "tpot_limit_ns", "tpot_p99_ns"), int)
OFFLINE_LOG = {**CHECKED, **SETTINGS, **ODD}
SERVER_LOG = {**CHECKED, "scheduled_samples_per_s": NUMBER, **SETTINGS, **LATENCIES, **ODD}
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
                **dict.fromkeys(("ttft_limit_ns", "ttft_p99_ns", "tpot_limit_ns", "tpot_p99_ns"), int),
                **dict.fromkeys(("ttft_fraction", "tpot_fraction"), NUMBER),
                "nearer": str,
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
    **rounds.SHAPE,
}


def stray_names(results: dict) -> list[Problem]:
    """Return where results of the right form name what is not there: a pair, a model without pairs, a third latency."""
    pairs, headroom = results["pairs"], results["headroom"]
    ids = {
        **{f"highlighted.{group}": results["highlighted"][group]["offline_ids"] for group in ("same_system", "apart")},
        "headroom.pairs": [fact["offline_id"] for fact in headroom["pairs"]],
        **{f"claims[{number}]": claim["offline_ids"] for number, claim in enumerate(results["claims"])},
    }
    known = {pair["offline_id"] for pair in pairs}
    found = [
        Problem(RESULTS, place, "offline_id", "none", "the Offline id of a pair")
        for place, named in ids.items()
        if place.startswith("highlighted") and not named
    ]
    found += [
        Problem(RESULTS, place, "offline_id", shown(row_id), "the Offline id of a pair")
        for place, named in ids.items()
        for row_id in named
        if row_id not in known
    ]
    found += [
        Problem(RESULTS, f"headroom.pairs[{number}]", "nearer", shown(fact["nearer"]), "ttft, tpot or equal")
        for number, fact in enumerate(headroom["pairs"])
        if fact["nearer"] not in ("ttft", "tpot", "equal")
    ]
    for part, members in (("distribution", pairs), ("headroom", headroom["pairs"])):
        models = sorted({member["model"] for member in members})
        if sorted(results[part]["by_model"]) != models:
            keys = ", ".join(results[part]["by_model"])
            found.append(Problem(RESULTS, f"{part}.by_model", "keys", shown(keys, 200), ", ".join(models)))
    return found


def gaps(results: dict) -> list[Problem]:
    """Return what is told of the highlighted pairs and is not there: accuracy, Server logs, pairs of the same parts."""
    groups, same = results["highlighted"], results["highlighted"]["same_system"]["offline_ids"]
    told = [pair for pair in results["pairs"] if pair["offline_id"] in same + groups["apart"]["offline_ids"]]
    with_accuracy = {checked["row"] for checked in results["accuracy"]}
    with_latencies = {log["row"] for log in results["logs"] if "ttft_p99_ns" in log}
    wanted = [
        *(("accuracy", pair[row], with_accuracy) for pair in told for row in ("offline_id", "server_id")),
        *(("logs", pair["server_id"], with_latencies) for pair in told),
        *(
            ("highlighted.same_parts", pair["model"], groups["same_parts"])
            for pair in told
            if pair["offline_id"] in same
        ),
    ]
    found = [
        Problem(RESULTS, part, shown(key), "no such entry", "what is told of a highlighted pair")
        for part, key, there in wanted
        if key not in there
    ]
    few = [Problem(RESULTS, "highlighted.same_system", "offline_ids", str(len(same)), "three pairs")]
    return found + few * (0 < len(same) < 3)


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
        found = problems(results, SHAPE, RESULTS) or strange_ratios(results) + stray_names(results) + gaps(results)
        raise_if_any(found[:20])
        return results
    except BundleError as error:
        raise BundleError(*(problem._replace(hint=HINT) for problem in error.problems)) from None
