"""The relations that a text may name under its words.

A relation says of results whether what its name claims is so; the name stands in a text file after '::', ':?' or ':!'
(see ``text``). None raises over results of the right form, whatever group of them is empty.
"""

from __future__ import annotations

from typing import Callable

from scenario_ratio.show.groups import GROUPS, SYSTEM, is_spread
from scenario_ratio.show.values import above, beyond_tokens, forks, twin_labels
from scenario_ratio.study.results import highlighted

TOLD_RULES = {"Units": ["Tokens/s"], "Scenario": ["Offline", "Server"], "inferred": ["0"], "has_power": ["False"]}
DIFFERING = {"Scenario", "Result", "Accuracy", "Location"}  # fields in which the rows of a pair may differ
LEAST_INTEGER = str(-(2**63))


def _passed(results: dict) -> list[dict]:
    return [log for log in results["logs"] if log["status"] == "passed"]


def _odd(results: dict, kind: str) -> list[dict]:
    return [entry for entry in results["anomalies"] if entry["kind"] == kind]


def _own_round(results: dict) -> list[dict]:
    return [one for one in results["rounds"] if one["round"] == results["round"]]


def counts_are_of_what_is_listed(results: dict) -> bool:
    """Every count of pairs, rows, logs and fields is the number of those that are listed."""
    pairs, logs, passed = results["pairs"], results["logs"], _passed(results)
    unreported = [row for row in results["accuracy"] if row["limits_without_a_reported_metric"]]
    listed = {
        "complete_pairs": len(pairs),
        "unmatched_rows": len(results["unmatched"]),
        "eligible_rows": 2 * len(pairs) + len(results["unmatched"]),
        "pairs_with_server_greater_than_offline": len(above(results)),
        "matched_fields": len(set(results["matched_fields"])),
        "rows_with_an_unreported_limit": len(unreported),
        "logs_passed": len(passed),
        "logs_not_available": sum(log["status"] == "not available" for log in logs),
        "logs_with_errors": sum(log["errors"] > 0 for log in passed),
        "logs_with_anomalies": len({entry["row"] for entry in results["anomalies"]}),
        "pairs_with_both_logs": sum(pair["offline_log"] == pair["server_log"] == "passed" for pair in pairs),
        "server_logs_passed": len(results["headroom"]["pairs"]),
    }
    counts = results["counts"]
    return all(counts[key] == number for key, number in listed.items()) and counts["eligible_rows"] == len(logs)


def no_row_is_in_two_pairs(results: dict) -> bool:
    ids = [pair[row] for pair in results["pairs"] for row in ("offline_id", "server_id")]
    ids += [row["id"] for row in results["unmatched"]]
    return len(ids) == len(set(ids))


def pairs_are_in_order(results: dict) -> bool:
    """The pairs stand in the order of the summary's rows."""
    ids = [pair["offline_id"] for pair in results["pairs"]]
    return all(map(str.isdecimal, ids)) and ids == sorted(ids, key=int)


def spreads_are_of_these_pairs(results: dict) -> bool:
    pairs, overall = results["pairs"], results["distribution"]["overall"]
    groups = {
        "all pairs": pairs,
        "pairs with accelerators": [pair for pair in pairs if pair["accelerators"]],
        "CPU-only pairs": [pair for pair in pairs if not pair["accelerators"]],
    }
    return all(is_spread(overall.get(name), members) for name, members in groups.items())


def the_lowest_is_cpu_only(results: dict) -> bool:
    """The lowest ratio is that of a pair without accelerators, and of none that has some."""
    pairs = results["pairs"]
    return bool(pairs) and not min(pairs, key=lambda pair: (pair["ratio"], -pair["accelerators"]))["accelerators"]


def the_second_label_is_mostly_cpu_only(results: dict) -> bool:
    second = [pair for pair in results["pairs"] if pair["model"] in twin_labels(results)[1:2]]
    return sum(pair["accelerators"] == 0 for pair in second) > len(second) / 2


def rounds_join_the_labels(results: dict) -> bool:
    """With the rounds side by side, the two labels of one model are one model, with the pairs of both."""
    labels = twin_labels(results)
    joint = [model["n"] for one in _own_round(results) for model in one["models"] if model["model"] in labels]
    return joint == [sum(pair["model"] in labels for pair in results["pairs"])]


def only_the_model_differs(results: dict) -> bool:
    """The highlighted pairs of one system differ in Model and MlperfModel and in nothing else."""
    same, told = highlighted(results, "same_system"), results["highlighted"]["same_system"]
    return (
        told["differing_fields"] == ["Model", "MlperfModel"]
        and len({tuple(pair[field] for field in SYSTEM) for pair in same}) == 1
        and len({pair["model"] for pair in same}) == len(same)
        and {pair["platform"] for pair in same} == {told["platform"]}
    )


def the_spread_is_of_these_models(results: dict) -> bool:
    """The percentage points are the distance from the lowest to the highest of these ratios, and not zero."""
    ratios = [pair["ratio"] for pair in highlighted(results, "same_system")]
    spread = results["highlighted"]["same_system"]["spread_percentage_points"]
    return bool(ratios) and spread == 100 * (max(ratios) - min(ratios)) > 0


def apart_is_another_system(results: dict) -> bool:
    """What is set apart is another system, with another number of accelerators or nodes."""
    return not any(
        all(one[field] == other[field] for field in fields)
        for fields in (("submitter", "system"), ("accelerators", "nodes"))
        for one in highlighted(results, "apart")
        for other in highlighted(results, "same_system")
    )


def accuracy_is_within_bounds(results: dict) -> bool:
    """Every metric of every eligible row is within its target and upper limit."""
    metrics = [metric for row in results["accuracy"] for metric in row["metrics"]]
    return (
        len(results["accuracy"]) == results["counts"]["eligible_rows"]
        and all(row["verdict"] == "within targets and limits" for row in results["accuracy"])
        and all(one["target"] is None or one["reported"] >= one["target"] for one in metrics)
        and all(one["upper_limit"] is None or one["reported"] <= one["upper_limit"] for one in metrics)
    )


def a_valid_log_counts_errors(results: dict) -> bool:
    """A log says VALID and counts errors, and the summary counts none in any such row."""
    valid = {log["row"] for log in _passed(results) if log["result"] == "VALID"}
    errors = _odd(results, "errors encountered")
    return any(entry["row"] in valid for entry in errors) and not any(entry["summary_errors"] for entry in errors)


def a_sum_wraps(results: dict) -> bool:
    """Undoing a wrap brings a mean between its bounds, wherever it is undone."""
    means = [entry for entry in _odd(results, "mean outside its percentiles") if entry["wraps"]]
    between = [[entry[key] for key in ("lower_bound_ns", "unwrapped_mean_ns", "upper_bound_ns")] for entry in means]
    return bool(between) and all(None not in figures and figures == sorted(figures) for figures in between)


def tokens_are_beyond_their_bounds(results: dict) -> bool:
    """Some performance runs have tokens a sample outside the bounds that their rows' accuracy must keep, and keeps."""

    def outside(entry: dict, key: str) -> bool:
        least, most = entry["target"], entry["upper_limit"]
        return (least is not None and entry[key] < least) or (most is not None and entry[key] > most)

    entries = beyond_tokens(results)
    return bool(entries) and all(
        outside(entry, "tokens_per_sample") and entry["reported"] is not None and not outside(entry, "reported")
        for entry in entries
    )


RELATIONS: dict[str, Callable[[dict], bool]] = {
    **{relation.__name__: relation for relation in (
        counts_are_of_what_is_listed, no_row_is_in_two_pairs, pairs_are_in_order, spreads_are_of_these_pairs,
        the_lowest_is_cpu_only, the_second_label_is_mostly_cpu_only, rounds_join_the_labels, only_the_model_differs,
        the_spread_is_of_these_models, apart_is_another_system,
        accuracy_is_within_bounds, a_valid_log_counts_errors, a_sum_wraps,
        tokens_are_beyond_their_bounds,
    )},
    **GROUPS,
    # Rows and rules.
    "divisions_add_up": lambda r:
        r["counts"]["closed_rows"] + r["counts"]["open_rows"] == r["counts"]["source_rows"],
    "every_cell_was_compared": lambda r:
        r["counts"]["cells_compared"] == r["counts"]["source_rows"] * r["counts"]["source_fields"],
    "every_row_is_counted_once": lambda r:
        sum(rule["turned_away"] for rule in r["exclusions"]) == r["counts"]["source_rows"] - r["counts"]["eligible_rows"],
    "rules_are_those_told": lambda r:
        TOLD_RULES.items() <= {rule["field"]: rule["allowed"] for rule in r["exclusions"]}.items(),
    "the_rest_may_differ": lambda r:
        r["counts"]["source_fields"] - len(r["matched_fields"]) == len(DIFFERING) and DIFFERING.isdisjoint(r["matched_fields"]),
    "the_label_is_matched": lambda r: "Model" in r["matched_fields"],
    "no_row_has_measured_power": lambda r: r["counts"]["rows_with_measured_power"] == 0,
    # Pairs.
    "some_pair_is_cpu_only": lambda r: any(not pair["accelerators"] for pair in r["pairs"]),
    "some_model_has_two_labels": lambda r: len(twin_labels(r)) == 2,
    "three_models_are_told": lambda r:
        len(highlighted(r, "same_system")) == len({pair["model"] for pair in highlighted(r, "same_system")}) == 3,
    "one_pair_is_apart": lambda r: len(highlighted(r, "apart")) == 1,
    "apart_is_one_rack": lambda r:  # a platform named after a rack of 72 accelerators has all of them
        [("NVL72" in pair["platform"], pair["accelerators"]) for pair in highlighted(r, "apart")] == [(True, 72)],
    "apart_has_server_above_offline": lambda r: all(pair["ratio"] > 1 for pair in highlighted(r, "apart")),
    # Logs and claims.
    "each_row_is_a_run": lambda r:  # has a log of its own
        len({log["path"] for log in r["logs"]}) == len(r["logs"]) == r["counts"]["eligible_rows"],
    "passed_logs_are_valid": lambda r: all(
        (log["result"], log["mode"]) == ("VALID", "PerformanceOnly")
        and all(log.get(f"{name}_p99_ns", 0) <= log.get(f"{name}_limit_ns", 0) for name in ("ttft", "tpot"))
        for log in _passed(r)),
    "the_larger_is_nearer_its_limit": lambda r: all(
        fact["larger_fraction"] == max(fact["ttft_fraction"], fact["tpot_fraction"])
        and fact["nearer"] in ("equal", "ttft" if fact["ttft_fraction"] > fact["tpot_fraction"] else "tpot")
        for fact in r["headroom"]["pairs"]),
    "limits_belong_to_the_model": lambda r:
        len({fact["model"] for fact in r["headroom"]["pairs"]})
        == len({(fact["model"], fact["ttft_limit_ns"], fact["tpot_limit_ns"]) for fact in r["headroom"]["pairs"]}),
    "a_latency_is_the_least_integer": lambda r:
        any(entry["printed"].endswith(LEAST_INTEGER) for entry in _odd(r, "impossible latency")),
    "a_mean_is_outside_its_percentiles": lambda r: bool(_odd(r, "mean outside its percentiles")),
    "odd_figures_enter_no_ratio": lambda r: all(
        entry["consequence"] == "not used in any ratio"
        for entry in r["anomalies"] if entry not in beyond_tokens(r)),
    "every_claim_states_its_rule": lambda r: all(claim["rule"] and claim["reason"] for claim in r["claims"]),
    # Other rounds, and sources.
    "this_round_is_among_them": lambda r:
        [one["counts"]["complete_pairs"] for one in _own_round(r)] == [len(r["pairs"])],
    "a_round_was_held_against_no_targets": lambda r: any(one["checked_against"] is None for one in r["rounds"]),
    "one_round_is_from_a_fork": lambda r: forks(r) == 1,
    "some_logs_are_shared": lambda r: any(
        one["counts"]["pairs_with_distinct_logs"] < one["counts"]["pairs_with_both_logs"] for one in r["rounds"]),
    "the_json_was_made_again": lambda r: r["sources"]["files_by_grade"].get("reserialized") == 1,
    "files_are_had_in_three_ways": lambda r:
        sorted(r["sources"]["files_by_grade"]) == ["fork-copy", "reserialized", "sha256-published"],
    "files_add_up": lambda r: sum(r["sources"]["files_by_grade"].values()) == r["sources"]["files_verified"],
}  # fmt: skip
