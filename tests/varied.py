"""Results of other rounds than this one, for tests: what is left when a group is empty, with everything that follows from it.

What is derived is computed here a second time, in the plainest way, and with no code of the package.
"""

from __future__ import annotations

import json
import statistics

from tests.support import ROOT

RAW = (ROOT / "results.json").read_bytes()
RESULTS = json.loads(RAW)


def results() -> dict:
    """Return the bundle's results, to be changed."""
    return json.loads(RAW)


def spread(pairs: list) -> dict:
    ratios = [pair["ratio"] for pair in pairs]
    q1, median, q3 = statistics.quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else ratios * 3
    least, most = min(ratios), max(ratios)
    return {
        "n": len(ratios), "minimum": least, "q1": q1, "median": median, "q3": q3, "maximum": most,
        "above_1": sum(ratio > 1 for ratio in ratios),
        "minimum_ids": [pair["offline_id"] for pair in pairs if pair["ratio"] == least],
        "maximum_ids": [pair["offline_id"] for pair in pairs if pair["ratio"] == most],
    }  # fmt: skip


def grouped(pairs: list, name_of) -> dict:
    names = sorted({name_of(pair) for pair in pairs}, key=str.casefold)
    return {name: spread([pair for pair in pairs if name_of(pair) == name]) for name in names}


def official(label: str) -> str:
    """Return the model that a label is of; the checker's mapping has one label in it."""
    return label.replace("_", ".")


def labels(pairs: list) -> dict:
    found: dict = {}
    for pair in sorted(pairs, key=lambda pair: (pair["model"].casefold(), (pair["accelerator"] or "").casefold())):
        told = found.setdefault(pair["model"], {"model": official(pair["model"]), "by_family": {}})["by_family"]
        name = "none" if pair["accelerators"] == 0 else pair["accelerator"] or "not named"
        told[name] = told.get(name, 0) + 1
    return found


def systems(pairs: list, *fields: str) -> list:
    keys = dict.fromkeys(tuple(pair[field] for field in fields) for pair in pairs)
    return [[pair for pair in pairs if tuple(pair[field] for field in fields) == key] for key in keys]


def ordered(found: list, first: str, second: str) -> dict:
    both = []
    for system in found:
        sides = [[pair for pair in system if official(pair["model"]) == model] for model in (first, second)]
        both += [sides] if all(sides) else []
    told = [[[pair["ratio"] for pair in side] for side in sides] for sides in both]
    return {
        "systems": len(both),
        "first_below": sum(all(one < other for one in ones for other in others) for ones, others in told),
        "second_below": sum(all(one > other for one in ones for other in others) for ones, others in told),
        "offline_ids": [[pair["offline_id"] for side in sides for pair in side] for sides in both],
    }


SYSTEM = ("submitter", "system", "platform", "accelerator", "accelerators", "nodes")


def within(pairs: list) -> list:
    strict, wider = systems(pairs, *SYSTEM, "precision"), systems(pairs, *SYSTEM)
    models, found = sorted({official(pair["model"]) for pair in pairs}), []
    for number, first in enumerate(models):
        for second in models[number + 1 :]:
            told = {"same_metadata": ordered(strict, first, second), "any_precision": ordered(wider, first, second)}
            found += [{"first": first, "second": second, **told}] if told["any_precision"]["systems"] else []
    return found


def share(pairs: list, name_of) -> float | None:
    """Return the share of the variance between groups: one less what is left within them."""
    everything = [pair["ratio"] for pair in pairs]
    total = statistics.pvariance(everything) * len(everything)
    inside = 0
    for name in {name_of(pair) for pair in pairs}:
        ratios = [pair["ratio"] for pair in pairs if name_of(pair) == name]
        inside += statistics.pvariance(ratios) * len(ratios)
    return 1 - inside / total if total else None


def shares(pairs: list) -> dict:
    models, labels_of = (lambda pair: official(pair["model"])), (lambda pair: pair["model"])
    return {
        "n": len(pairs),
        "models": len({models(pair) for pair in pairs}), "share_between_models": share(pairs, models),
        "labels": len({labels_of(pair) for pair in pairs}), "share_between_labels": share(pairs, labels_of),
    }  # fmt: skip


def parts(pair: dict) -> tuple:
    return (pair["accelerator"] or "").replace("Nvidia", "NVIDIA"), pair["accelerators"], pair["nodes"]


def same_parts(pairs: list, same: list) -> dict:
    others = [pair for pair in pairs if pair not in same]
    alike = {
        one["model"]: [pair for pair in others if (pair["model"], parts(pair)) == (one["model"], parts(one))]
        for one in same
    }
    known = [pair for members in alike.values() for pair in members]
    told = []
    for system in systems(others, *SYSTEM, "precision"):
        members = [pair for pair in system if pair in known]
        if {pair["model"] for pair in members} == set(alike):
            ratios = [pair["ratio"] for pair in members]
            told.append({
                "submitter": members[0]["submitter"], "platform": members[0]["platform"],
                "offline_ids": [pair["offline_id"] for pair in members],
                "spread_percentage_points": 100 * (max(ratios) - min(ratios)),
            })  # fmt: skip
    return {"by_model": {model: spread(members) for model, members in alike.items() if members}, "systems": told}


def medians(facts: list) -> dict:
    fields = ("ttft_fraction", "tpot_fraction", "larger_fraction", "completed_over_scheduled")
    nearer = [fact["nearer"] for fact in facts]
    return {
        "n": len(facts),
        **{f"median_{field}": statistics.median(fact[field] for fact in facts) for field in fields},
        **{f"{name}_nearer": nearer.count(name) for name in ("ttft", "tpot")},
        "equal": nearer.count("equal"),
    }


def followed(changed: dict) -> dict:
    """Return ``changed`` with everything anew that follows from its pairs, unmatched rows, logs, anomalies and highlighted ids."""
    pairs, counts = changed["pairs"], changed["counts"]
    ids = {pair[row] for pair in pairs for row in ("offline_id", "server_id")} | {
        row["id"] for row in changed["unmatched"]
    }
    for part in ("accuracy", "logs", "anomalies"):
        changed[part] = [entry for entry in changed[part] if entry["row"] in ids]
    passed = {log["row"]: log for log in changed["logs"] if log["status"] == "passed"}
    changed["anomalies"] = [entry for entry in changed["anomalies"] if entry["row"] in passed]
    for pair in pairs:
        pair["ratio"] = pair["server_tokens_per_s"] / pair["offline_tokens_per_s"]
        for scenario in ("offline", "server"):
            pair[f"{scenario}_log"] = "passed" if pair[f"{scenario}_id"] in passed else "not available"
    equipped, cpu_only = ([pair for pair in pairs if bool(pair["accelerators"]) is has] for has in (True, False))
    overall = {"all pairs": pairs, "pairs with accelerators": equipped, "CPU-only pairs": cpu_only}
    changed["distribution"].update(
        overall={name: spread(members) for name, members in overall.items() if members},
        by_model=grouped(pairs, lambda pair: pair["model"]),
        by_accelerators=grouped(pairs, lambda pair: str(pair["accelerators"])),
        by_model_and_accelerators={
            model: grouped(
                [pair for pair in pairs if pair["model"] == model],
                lambda pair: str(pair["accelerators"]),
            )
            for model in sorted({pair["model"] for pair in pairs}, key=str.casefold)
        },
        by_family=grouped(equipped, lambda pair: pair["accelerator"] or "not named"),
    )
    facts = [fact for fact in changed["headroom"]["pairs"] if fact["server_id"] in passed and fact["server_id"] in ids]
    models = sorted({fact["model"] for fact in facts}, key=str.casefold)
    by_model = {model: medians([fact for fact in facts if fact["model"] == model]) for model in models}
    changed["headroom"] = {"pairs": facts, "by_model": by_model}
    by_id = {pair["offline_id"]: pair for pair in pairs}
    told = changed["highlighted"]
    same = [by_id[row_id] for row_id in told["same_system"]["offline_ids"]]
    ratios = [pair["ratio"] for pair in same]
    told["same_system"]["spread_percentage_points"] = 100 * (max(ratios) - min(ratios))
    apart = [by_id[row_id] for row_id in told["apart"]["offline_ids"]]
    told["scales"] = list(dict.fromkeys(str(pair["accelerators"]) for pair in same + apart))
    told["same_parts"] = same_parts(pairs, same)
    names = sorted({pair["accelerator"] for pair in pairs if "Nvidia" in (pair["accelerator"] or "")})
    changed["distribution"]["accelerator_spellings"] = [
        {"accelerator": name, "grouped_as": name.replace("Nvidia", "NVIDIA")} for name in names
    ]
    changed["labels"] = labels(pairs)
    changed["within_systems"]["compared"] = within(pairs)
    sets = {
        "same accelerators": [pair for pair in pairs if parts(pair) in map(parts, same)],
        "pairs with accelerators": equipped,
        "all pairs": pairs,
    }
    changed["variance_between_models"] = {name: shares(members) for name, members in sets.items() if members}
    alone, eligible = len(changed["unmatched"]), 2 * len(pairs) + len(changed["unmatched"])
    rows = counts["source_rows"] + eligible - counts["eligible_rows"]
    counts.update(
        source_rows=rows, closed_rows=rows - counts["open_rows"], cells_compared=rows * counts["source_fields"],
        eligible_rows=eligible, complete_pairs=len(pairs), unmatched_rows=alone,
        unmatched_row_ids=[row["id"] for row in changed["unmatched"]],
        pairs_with_server_greater_than_offline=sum(pair["ratio"] > 1 for pair in pairs),
        logs_passed=len(passed), logs_not_available=len(changed["logs"]) - len(passed),
        pairs_with_both_logs=sum({pair["offline_id"], pair["server_id"]} <= set(passed) for pair in pairs),
        server_logs_passed=len(facts),
        logs_with_anomalies=len({entry["row"] for entry in changed["anomalies"]}),
        logs_with_errors=sum(log["errors"] > 0 for log in passed.values()),
        rows_with_an_unreported_limit=sum(bool(row["limits_without_a_reported_metric"]) for row in changed["accuracy"]),
    )  # fmt: skip
    own = next(one for one in changed["rounds"] if one["round"] == changed["round"])
    known = {pair["offline_id"] for pair in pairs}
    for claim in changed["claims"]:
        claim["offline_ids"] = [row_id for row_id in claim["offline_ids"] if row_id in known]
    own["counts"]["complete_pairs"] = len(pairs)
    for model in own["models"]:  # the two labels of one model are one model there
        model["n"] = sum(pair["model"].replace("_", ".") == model["model"] for pair in pairs)
    return changed


def kept(wanted) -> dict:
    """Return results of the pairs that are wanted alone."""
    changed = results()
    changed["pairs"] = [pair for pair in changed["pairs"] if wanted(pair)]
    return followed(changed)


def no_cpu_only_pair() -> dict:
    return kept(lambda pair: pair["accelerators"] > 0)


def no_accelerators() -> dict:
    changed = results()
    for pair in changed["pairs"]:
        pair.update(accelerator=None, accelerators=0)
    return followed(changed)


def no_pair_above() -> dict:
    changed = results()
    for pair in changed["pairs"]:
        pair["server_tokens_per_s"] = min(pair["server_tokens_per_s"], pair["offline_tokens_per_s"])
    return followed(changed)


def with_unmatched(number: int) -> dict:
    """Return results with so many rows without a partner: none, or rows of pairs that are taken apart."""
    changed = results()
    changed["unmatched"] = []
    for pair in changed["pairs"][:number]:
        shared = {key: pair[key] for key in RESULTS["unmatched"][0] if key in pair}
        changed["unmatched"].append(
            {"id": pair["offline_id"], **shared, "scenario": "Offline", "tokens_per_s": pair["offline_tokens_per_s"]}
        )
    del changed["pairs"][:number]
    return followed(changed)


def logs_available(available) -> dict:
    """Return results in which the logs that are wanted are at hand, and no others."""
    changed = results()
    for log in changed["logs"]:
        if not available(log):
            kept_keys = {key: log[key] for key in ("row", "path")}
            log.clear()
            log.update(kept_keys, status="not available")
    return followed(changed)


def no_log_lacking() -> dict:
    rows = {log["row"] for log in RESULTS["logs"] if log["status"] == "passed"}
    changed = results()
    changed["unmatched"] = []
    changed["pairs"] = [pair for pair in changed["pairs"] if {pair["offline_id"], pair["server_id"]} <= rows]
    return followed(changed)


def no_log_at_all() -> dict:
    return logs_available(lambda log: False)


def nothing_odd() -> dict:
    changed = results()
    changed["anomalies"] = []
    for log in changed["logs"]:
        log.update({"errors": 0, "warnings": 0, "anomalies": []} if "errors" in log else {})
    return followed(changed)


def no_limit_unreported() -> dict:
    changed = results()
    for row in changed["accuracy"]:
        row["limits_without_a_reported_metric"] = []
    return followed(changed)


def no_claim() -> dict:
    return {**results(), "claims": []}


def one_round() -> dict:
    changed = results()
    changed["rounds"] = [one for one in changed["rounds"] if one["round"] == changed["round"]]
    return changed


def no_shared_logs_and_no_fork() -> dict:
    changed = results()
    for one in changed["rounds"]:
        one["counts"]["pairs_with_distinct_logs"] = one["counts"]["pairs_with_both_logs"]
        one["source"]["repository"] = f"https://github.com/mlcommons/inference_results_{one['round']}"
        one["checked_against"] = "constants.py"
    return changed


def other_grades() -> dict:
    changed = results()
    changed["sources"]["files_by_grade"] = {"clone": 294, "mirror": 1}
    return changed


def measured_power() -> dict:
    changed = results()
    changed["counts"]["rows_with_measured_power"] = 1
    return changed


def highlighted(same: int, apart: int) -> dict:
    """Return results with so many pairs of one system, with models of their own names, and so many apart from it."""
    changed = results()
    told = changed["highlighted"]
    first = next(pair for pair in changed["pairs"] if pair["offline_id"] == "285")
    chosen = [first, *(pair for pair in changed["pairs"] if pair["ratio"] < 1 and pair is not first)][:same]
    for number, pair in enumerate(chosen):
        system = ("submitter", "system", "platform", "accelerator", "accelerators", "nodes", "precision")
        pair.update({key: first[key] for key in system}, model=f"model-{number}")
        for row in changed["accuracy"]:
            if row["row"] in (pair["offline_id"], pair["server_id"]):
                row["model"] = pair["model"]
        for fact in changed["headroom"]["pairs"]:
            if fact["offline_id"] == pair["offline_id"]:
                fact["model"] = pair["model"]
    told["same_system"]["offline_ids"] = [pair["offline_id"] for pair in chosen]
    others = [pair["offline_id"] for pair in changed["pairs"] if pair["ratio"] > 1 and pair["accelerators"] != 8]
    told["apart"]["offline_ids"] = others[:apart]
    return followed(changed)


def no_label_twice() -> dict:
    return kept(lambda pair: pair["model"] != "llama3_1-8b")


def unmatched(number: int):
    return lambda: with_unmatched(number)


def told(same: int, apart: int):
    return lambda: highlighted(same, apart)


# Name of a case -> what returns its results. In each of them the article can be built.
CASES = {
    "today": results,
    "no pair CPU-only": no_cpu_only_pair,
    "no pair with accelerators": no_accelerators,
    "no unmatched row": unmatched(0),
    "one unmatched row": unmatched(1),
    "two unmatched rows": unmatched(2),
    "no log lacking": no_log_lacking,
    "no log at hand": no_log_at_all,
    "nothing odd": nothing_odd,
    "no limit unreported": no_limit_unreported,
    "no claim": no_claim,
    "no other round": one_round,
    "other rounds without forks": no_shared_logs_and_no_fork,
    "other grades": other_grades,
    "a row with measured power": measured_power,
    "no model with two labels": no_label_twice,
    "two models told, one apart": told(2, 1),
    "four models told, one apart": told(4, 1),
    "five models told, two apart": told(5, 2),
    "three models told, none apart": told(3, 0),
}
