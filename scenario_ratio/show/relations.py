"""The relations that a text may name under its words.

A relation says of results whether what is claimed is so; its name stands in a text file after '::', ':?' or ':!' (see
``text``). None raises over results of the right form, whatever group of them is empty.
"""

from __future__ import annotations

from typing import Callable, NamedTuple

from scenario_ratio.show.values import above, forks, highlighted, label_with_target, other_rounds, twin_labels, widest

EQUIPPED, CPU_ONLY = "pairs with accelerators", "CPU-only pairs"
PARTS = ("model", "accelerator", "accelerators", "nodes")
SYSTEM = ("submitter", "system", "platform", "accelerator", "accelerators", "nodes", "precision")
DIFFERING = {"Scenario", "Result", "Accuracy", "Location"}  # fields in which the rows of a pair may differ
LEAST_INTEGER = str(-(2**63))


def _passed(results: dict) -> list[dict]:
    return [log for log in results["logs"] if log["status"] == "passed"]


def _odd(results: dict, kind: str) -> list[dict]:
    return [entry for entry in results["anomalies"] if entry["kind"] == kind]


def _counts_are_of_what_is_listed(results: dict) -> bool:
    pairs, logs = results["pairs"], results["logs"]
    listed = {
        "complete_pairs": len(pairs),
        "unmatched_rows": len(results["unmatched"]),
        "eligible_rows": 2 * len(pairs) + len(results["unmatched"]),
        "pairs_with_server_greater_than_offline": len(above(results)),
        "matched_fields": len(set(results["matched_fields"])),
        "rows_with_an_unreported_limit": sum(
            bool(row["limits_without_a_reported_metric"]) for row in results["accuracy"]
        ),
        "logs_passed": len(_passed(results)),
        "logs_not_available": sum(log["status"] == "not available" for log in logs),
        "logs_with_errors": sum(log["errors"] > 0 for log in _passed(results)),
        "logs_with_anomalies": len({entry["row"] for entry in results["anomalies"]}),
        "pairs_with_both_logs": sum(pair["offline_log"] == pair["server_log"] == "passed" for pair in pairs),
        "server_logs_passed": len(results["headroom"]["pairs"]),
    }
    counts = results["counts"]
    return all(counts[key] == number for key, number in listed.items()) and counts["eligible_rows"] == len(logs)


def _rules_are_those_told(results: dict) -> bool:
    rules = {rule["field"]: rule["allowed"] for rule in results["exclusions"]}
    told = {"Units": ["Tokens/s"], "Scenario": ["Offline", "Server"], "inferred": ["0"], "has_power": ["False"]}
    return all(rules.get(field) == allowed for field, allowed in told.items())


def _no_row_is_in_two_pairs(results: dict) -> bool:
    ids = [pair[row] for pair in results["pairs"] for row in ("offline_id", "server_id")]
    ids += [row["id"] for row in results["unmatched"]]
    return len(ids) == len(set(ids))


def _pairs_are_in_order(results: dict) -> bool:
    ids = [pair["offline_id"] for pair in results["pairs"]]
    return all(map(str.isdecimal, ids)) and ids == sorted(ids, key=int)


def _spreads_are_of_these_pairs(results: dict) -> bool:
    pairs, overall = results["pairs"], results["distribution"]["overall"]
    groups = {
        "all pairs": pairs,
        EQUIPPED: [pair for pair in pairs if pair["accelerators"]],
        CPU_ONLY: [pair for pair in pairs if not pair["accelerators"]],
    }
    return all(_is_spread(overall.get(name), members) for name, members in groups.items())


def _is_spread(spread: dict | None, pairs: list[dict]) -> bool:
    """Return whether a spread is of some pairs; none is of none."""
    ratios = [pair["ratio"] for pair in pairs]
    if spread is None or not ratios:
        return spread is None and not ratios
    return (spread["n"], spread["minimum"], spread["maximum"]) == (len(ratios), min(ratios), max(ratios))


def _the_lowest_is_cpu_only(results: dict) -> bool:
    pairs = results["pairs"]
    return bool(pairs) and not min(pairs, key=lambda pair: (pair["ratio"], -pair["accelerators"]))["accelerators"]


def _the_second_label_is_mostly_cpu_only(results: dict) -> bool:
    second = [pair for pair in results["pairs"] if pair["model"] in twin_labels(results)[1:2]]
    return sum(pair["accelerators"] == 0 for pair in second) > len(second) / 2


def _rounds_join_the_labels(results: dict) -> bool:
    labels, by_model = twin_labels(results), results["distribution"]["by_model"]
    own = [model for one in results["rounds"] if one["round"] == results["round"] for model in one["models"]]
    joint = [model["n"] for model in own if model["model"] in labels]
    return joint == [sum(by_model[label]["n"] for label in labels)]


def _three_models_are_told(results: dict) -> bool:
    models = [pair["model"] for pair in highlighted(results, "same_system")]
    return len(models) == len(set(models)) == 3


def _only_the_model_differs(results: dict) -> bool:
    same, told = highlighted(results, "same_system"), results["highlighted"]["same_system"]
    systems, models = {tuple(pair[field] for field in SYSTEM) for pair in same}, {pair["model"] for pair in same}
    platforms = {pair["platform"] for pair in same}
    return (
        told["differing_fields"] == ["Model", "MlperfModel"]
        and len(systems) == 1
        and len(models) == len(same)
        and platforms == {told["platform"]}
    )


def _the_spread_is_of_these_models(results: dict) -> bool:
    ratios = [pair["ratio"] for pair in highlighted(results, "same_system")]
    spread = results["highlighted"]["same_system"]["spread_percentage_points"]
    return bool(ratios) and spread == 100 * (max(ratios) - min(ratios)) > 0


def _apart_is_another_system(results: dict) -> bool:
    same, apart = highlighted(results, "same_system"), highlighted(results, "apart")
    return not any(
        (one["submitter"], one["system"]) == (other["submitter"], other["system"])
        or (one["accelerators"], one["nodes"]) == (other["accelerators"], other["nodes"])
        for one in apart
        for other in same
    )


def _apart_is_one_rack(results: dict) -> bool:
    apart = highlighted(results, "apart")
    return len(apart) == 1 and "NVL72" in apart[0]["platform"] and apart[0]["accelerators"] == 72


def _same_parts_are_of_these_pairs(results: dict) -> bool:
    spreads, pairs = results["highlighted"]["same_parts"], results["pairs"]
    alike = {
        one["model"]: [other for other in pairs if all(other[part] == one[part] for part in PARTS)]
        for one in highlighted(results, "same_system")
    }
    return list(spreads) == list(alike) and all(_is_spread(spreads[model], alike[model]) for model in alike)


def _other_submissions_lie_as_far_apart(results: dict) -> bool:
    told = results["highlighted"]
    spans = [100 * (spread["maximum"] - spread["minimum"]) for spread in told["same_parts"].values()]
    return all(span >= told["same_system"]["spread_percentage_points"] for span in spans)


def _accuracy_is_within_bounds(results: dict) -> bool:
    metrics = [metric for row in results["accuracy"] for metric in row["metrics"]]
    return (
        len(results["accuracy"]) == results["counts"]["eligible_rows"]
        and all(row["verdict"] == "within targets and limits" for row in results["accuracy"])
        and all(one["target"] is None or one["reported"] >= one["target"] for one in metrics)
        and all(one["upper_limit"] is None or one["reported"] <= one["upper_limit"] for one in metrics)
    )


def _passed_logs_are_valid(results: dict) -> bool:
    return all(
        (log["result"], log["mode"]) == ("VALID", "PerformanceOnly")
        and all(log.get(f"{name}_p99_ns", 0) <= log.get(f"{name}_limit_ns", 0) for name in ("ttft", "tpot"))
        for log in _passed(results)
    )


def _each_row_is_a_run(results: dict) -> bool:
    paths = [log["path"] for log in results["logs"]]
    return len(paths) == len(set(paths)) == results["counts"]["eligible_rows"]


def _the_larger_is_nearer_its_limit(results: dict) -> bool:
    return all(
        fact["larger_fraction"] == max(fact["ttft_fraction"], fact["tpot_fraction"])
        and fact["nearer"] in ("equal", "ttft" if fact["ttft_fraction"] > fact["tpot_fraction"] else "tpot")
        for fact in results["headroom"]["pairs"]
    )


def _limits_belong_to_the_model(results: dict) -> bool:
    limits: dict[str, set] = {}
    for fact in results["headroom"]["pairs"]:
        limits.setdefault(fact["model"], set()).add((fact["ttft_limit_ns"], fact["tpot_limit_ns"]))
    return all(len(found) == 1 for found in limits.values())


def _a_valid_log_counts_errors(results: dict) -> bool:
    valid = {log["row"] for log in _passed(results) if log["result"] == "VALID"}
    errors = _odd(results, "errors encountered")
    return any(entry["row"] in valid for entry in errors) and not any(entry["summary_errors"] for entry in errors)


def _a_sum_wraps(results: dict) -> bool:
    means = [entry for entry in _odd(results, "mean outside its percentiles") if entry["wraps"]]
    return bool(means) and all(
        entry["lower_bound_ns"] <= entry["unwrapped_mean_ns"] <= entry["upper_bound_ns"] for entry in means
    )


class Relation(NamedTuple):
    """What is claimed, in words, and whether results hold it."""

    words: str
    holds: Callable[[dict], bool]


RELATIONS = {
    # What there is.
    "counts_are_of_what_is_listed": Relation("every count of pairs, rows, logs and fields is the number of those that are listed",
        _counts_are_of_what_is_listed),
    "some_pair_is_above": Relation("a pair has its Server rate above its Offline rate", lambda r: bool(above(r))),
    "some_pair_has_accelerators": Relation("a pair has accelerators",
        lambda r: any(pair["accelerators"] for pair in r["pairs"])),
    "some_pair_is_cpu_only": Relation("a pair has no accelerators",
        lambda r: any(not pair["accelerators"] for pair in r["pairs"])),
    "some_row_is_unmatched": Relation("an eligible row has no partner", lambda r: bool(r["unmatched"])),
    "some_limit_is_unreported": Relation("the checker limits a metric that the summary does not report for a row",
        lambda r: r["counts"]["rows_with_an_unreported_limit"] > 0),
    "some_log_passed": Relation("a log is at hand and passed", lambda r: bool(_passed(r))),
    "some_log_prints_errors": Relation("a log that passed prints a count of errors",
        lambda r: r["counts"]["logs_with_errors"] > 0),
    "some_log_is_lacking": Relation("a log could not be had", lambda r: r["counts"]["logs_not_available"] > 0),
    "some_log_is_odd": Relation("a log that passed holds something odd", lambda r: bool(r["anomalies"])),
    "some_server_log_is_at_hand": Relation("the Server log of a pair is at hand", lambda r: bool(r["headroom"]["pairs"])),
    "some_claim_was_tested": Relation("a statement was put to the test", lambda r: bool(r["claims"])),
    # Rows and rules.
    "divisions_add_up": Relation("the closed and the open rows are all rows",
        lambda r: r["counts"]["closed_rows"] + r["counts"]["open_rows"] == r["counts"]["source_rows"]),
    "every_cell_was_compared": Relation("as many cells were compared as there are fields in all rows",
        lambda r: r["counts"]["cells_compared"] == r["counts"]["source_rows"] * r["counts"]["source_fields"]),
    "every_row_is_counted_once": Relation("the rows that each rule turned away and the eligible rows are all rows",
        lambda r: (sum(rule["turned_away"] for rule in r["exclusions"])
        == r["counts"]["source_rows"] - r["counts"]["eligible_rows"])),
    "rules_are_those_told": Relation("rules turn away what is not in tokens per second, not Offline or Server, inferred, or with measured power",
        _rules_are_those_told),
    "the_rest_may_differ": Relation("the fields that are not matched are the scenario, its result, its accuracy and its folder",
        lambda r: (r["counts"]["source_fields"] - len(r["matched_fields"]) == len(DIFFERING)
        and DIFFERING.isdisjoint(r["matched_fields"]))),
    "the_label_is_matched": Relation("the model label is a matched field", lambda r: "Model" in r["matched_fields"]),
    "no_row_is_in_two_pairs": Relation("each row is in one pair or in none", _no_row_is_in_two_pairs),
    "no_row_has_measured_power": Relation("no row has measured power",
        lambda r: r["counts"]["rows_with_measured_power"] == 0),
    # All pairs.
    "pairs_are_in_order": Relation("the pairs stand in the order of the summary's rows", _pairs_are_in_order),
    "spreads_are_of_these_pairs": Relation("the spreads over all pairs, over those with accelerators and over those without are of these pairs",
        _spreads_are_of_these_pairs),
    "the_lowest_is_cpu_only": Relation("the lowest ratio is that of a pair without accelerators and of no other",
        _the_lowest_is_cpu_only),
    "some_model_has_two_labels": Relation("two labels of one model differ in nothing but a sign",
        lambda r: len(twin_labels(r)) == 2),
    "the_second_label_is_mostly_cpu_only": Relation("most pairs with the second label of one model have no accelerators",
        _the_second_label_is_mostly_cpu_only),
    "some_label_names_a_target": Relation("a model label ends in a figure, as llama2-70b-99.9 does",
        lambda r: label_with_target(r) is not None),
    # The highlighted pairs.
    "three_models_are_told": Relation("three pairs of one system are highlighted, each of another model",
        _three_models_are_told),
    "only_the_model_differs": Relation("the highlighted pairs of one system differ in Model and MlperfModel and in nothing else",
        _only_the_model_differs),
    "the_spread_is_of_these_models": Relation("the percentage points are the distance from the lowest to the highest of these ratios, and not zero",
        _the_spread_is_of_these_models),
    "one_pair_is_apart": Relation("one pair is set apart", lambda r: len(highlighted(r, "apart")) == 1),
    "several_pairs_are_apart": Relation("more than one pair is set apart", lambda r: len(highlighted(r, "apart")) > 1),
    "apart_is_one_rack": Relation("the one pair apart is of a platform named after a rack of 72 accelerators, and has all of them",
        _apart_is_one_rack),
    "apart_is_another_system": Relation("what is set apart is another system, with another number of accelerators or nodes",
        _apart_is_another_system),
    "apart_has_server_above_offline": Relation("what is set apart has its Server rate above its Offline rate",
        lambda r: all(pair["ratio"] > 1 for pair in highlighted(r, "apart"))),
    "same_parts_are_of_these_pairs": Relation("the spreads over equally many of the same accelerators are of the pairs that have them",
        _same_parts_are_of_these_pairs),
    "others_have_the_same_parts": Relation("another pair of a highlighted model has equally many of the same accelerators, and another ratio",
        lambda r: widest(r)["n"] > 1 and widest(r)["minimum"] < widest(r)["maximum"]),
    "other_submissions_lie_as_far_apart": Relation("the pairs of each highlighted model with the same parts span as much as the models on one system, or more",
        _other_submissions_lie_as_far_apart),
    # Accuracy and logs.
    "accuracy_is_within_bounds": Relation("every metric of every eligible row is within its target and upper limit",
        _accuracy_is_within_bounds),
    "passed_logs_are_valid": Relation("every log that passed is valid, in performance mode and within both limits",
        _passed_logs_are_valid),
    "each_row_is_a_run": Relation("each eligible row has a log of its own", _each_row_is_a_run),
    "the_larger_is_nearer_its_limit": Relation("of each pair's two fractions the larger is told, and which it is",
        _the_larger_is_nearer_its_limit),
    "limits_belong_to_the_model": Relation("all Server runs of one model have the same two limits",
        _limits_belong_to_the_model),
    "a_valid_log_counts_errors": Relation("a log says VALID and counts errors, and the summary counts none in any such row",
        _a_valid_log_counts_errors),
    "a_latency_is_the_least_integer": Relation("a latency is the least 64-bit integer",
        lambda r: any(entry["printed"].endswith(LEAST_INTEGER) for entry in _odd(r, "impossible latency"))),
    "a_mean_is_outside_its_percentiles": Relation("a mean lies where its percentiles do not allow one",
        lambda r: bool(_odd(r, "mean outside its percentiles"))),
    "a_sum_wraps": Relation("undoing a wrap brings a mean between its bounds, wherever it is undone", _a_sum_wraps),
    "odd_figures_enter_no_ratio": Relation("of everything odd it is told that no ratio uses it",
        lambda r: all(entry["consequence"] == "not used in any ratio" for entry in r["anomalies"])),
    "every_claim_states_its_rule": Relation("with each verdict stand its rule and its reason",
        lambda r: all(claim["rule"] and claim["reason"] for claim in r["claims"])),
    # Other rounds, and sources.
    "another_round_is_beside": Relation("another round stands beside this one", lambda r: bool(other_rounds(r))),
    "this_round_is_among_them": Relation("this round stands among the others, with as many pairs as it has here",
        lambda r: ([one["counts"]["complete_pairs"] for one in r["rounds"] if one["round"] == r["round"]]
        == [len(r["pairs"])])),
    "a_round_was_held_against_no_targets": Relation("a round was checked against no targets",
        lambda r: any(one["checked_against"] is None for one in r["rounds"])),
    "one_round_is_from_a_fork": Relation("one of the other rounds was read from a repository that is not the publisher's",
        lambda r: forks(r) == 1),
    "several_rounds_are_from_forks": Relation("several of the other rounds were read from repositories that are not the publisher's",
        lambda r: forks(r) > 1),
    "rounds_join_the_labels": Relation("with the rounds side by side, the two labels are one model, with the pairs of both",
        _rounds_join_the_labels),
    "some_logs_are_shared": Relation("in a round fewer pairs have logs of their own than have both logs",
        lambda r: any(one["counts"]["pairs_with_distinct_logs"] < one["counts"]["pairs_with_both_logs"]
        for one in r["rounds"])),
    "the_json_was_made_again": Relation("one file was made again from another",
        lambda r: r["sources"]["files_by_grade"].get("reserialized") == 1),
    "files_are_had_in_three_ways": Relation("files are published, made again, or copied from a fork, and had in no other way",
        lambda r: sorted(r["sources"]["files_by_grade"]) == ["fork-copy", "reserialized", "sha256-published"]),
    "files_add_up": Relation("the files of every grade are all that were verified",
        lambda r: sum(r["sources"]["files_by_grade"].values()) == r["sources"]["files_verified"]),
}  # fmt: skip

# What the text rests on and what does not hold today, so that it stops nothing. Meant to be empty.
KNOWN_FALSE = frozenset({"other_submissions_lie_as_far_apart"})
