#!/usr/bin/env python3
"""Compute every Server/Offline ratio from the pinned summary and check every source.

Reads data/ and sources/; writes results.json and data/selected_rows.json.
"""

from __future__ import annotations

from pathlib import Path

from scenario_ratio import (
    accuracy,
    acquisition,
    anomalies,
    checker_constants,
    cli,
    loadgen_log,
    matching,
    report,
    summary,
)
from scenario_ratio.files import BundleError, Problem, canonical_json, raise_if_any, read_bytes

ROUND = "v6.1"
CSV, JSON = "data/summary.csv", "data/summary.json"
CONSTANTS = "sources/checker_constants.py"
RESULTS, SELECTED = "results.json", "data/selected_rows.json"

# The pairs that the article tells in full, by Offline id: three models on one system, and one rack apart from them.
SAME_SYSTEM = ("285", "287", "289")
APART = ("300",)
MODEL_FIELDS = ["Model", "MlperfModel"]


def analyze(root: Path) -> dict:
    """Return the whole computation over the bundle at ``root``: what results.json holds.

    Rates are in tokens/s, latencies in ns, ratios Server over Offline. Raises BundleError with every problem of
    the first stage that fails: reading, cross-check, pairs, accuracy, logs, digests.
    """
    return compute(root)[0]


def compute(root: Path) -> tuple[dict, dict]:
    """Return (results, selected rows) of the bundle at ``root``; see analyze."""
    record = acquisition.load(root)
    contents = acquisition.read_sources(root, record)
    rows = summary.load(contents[CSV], contents[JSON])
    eligible, exclusions = matching.eligible(rows)
    pairs, unmatched = matching.match(eligible)
    constants = checker_constants.parse(read_bytes(root, CONSTANTS), CONSTANTS, ROUND)
    checked_accuracy = accuracy_of(eligible, constants)
    logs = logs_of(eligible, record, contents, constants)
    raise_if_any(acquisition.digest_problems(record, contents))
    results = {
        "round": ROUND,
        "sources": sources_of(record),
        "counts": counts_of(rows, eligible, pairs, unmatched, logs),
        "exclusions": exclusions,
        "matched_fields": list(matching.METADATA_FIELDS),
        "highlighted": highlighted_of(pairs),
        "pairs": [pair_facts(pair, logs) for pair in pairs],
        "unmatched": [row_facts(row) for row in unmatched],
        "accuracy": checked_accuracy,
        "logs": list(logs.values()),
    }
    return results, selected_rows(pairs)


def sources_of(record: acquisition.Record) -> dict:
    """Return where the facts come from: repositories, commits, retrieval date, how many files were verified."""
    summary_csv = next(entry for entry in record.files if entry["file"] == CSV)
    checker = next(entry for entry in record.referenced if entry["role"] == "accuracy targets and latency limits")
    obtained = [entry["obtained"] for entry in record.files]
    return {
        "results": {key: summary_csv[key] for key in ("repository", "commit")},
        "checker": {key: checker[key] for key in ("repository", "commit", "path")},
        "retrieved": record.acquired,
        "files_verified": len(record.files),
        "files_by_grade": {grade: obtained.count(grade) for grade in record.obtained},
    }


def counts_of(rows: list, eligible: list, pairs: list, unmatched: list, logs: dict) -> dict:
    """Return the counts that the article and the notebook quote."""
    divisions = [row.text["Division"] for row in rows]
    passed = {row_id for row_id, log in logs.items() if log["status"] == "passed"}
    return {
        "source_rows": len(rows),
        "source_fields": len(summary.FIELDS),
        "cells_compared": len(rows) * len(summary.FIELDS),
        "closed_rows": divisions.count("closed"),
        "open_rows": divisions.count("open"),
        "eligible_rows": len(eligible),
        "complete_pairs": len(pairs),
        "unmatched_row_ids": [row.id for row in unmatched],
        "pairs_with_server_greater_than_offline": sum(pair.ratio > 1 for pair in pairs),
        "rows_with_measured_power": sum(row.value["has_power"] is True for row in rows),
        "matched_fields": len(matching.METADATA_FIELDS),
        "logs_passed": len(passed),
        "logs_not_available": len(logs) - len(passed),
        "pairs_with_both_logs": sum({pair.offline.id, pair.server.id} <= passed for pair in pairs),
    }


def accuracy_of(eligible: list, constants: checker_constants.Constants) -> list[dict]:
    """Return each eligible row's metrics against target and upper limit; raises BundleError if any row fails."""
    checked, problems = [], []
    for row in eligible:
        text = row.text
        metrics, wrong = accuracy.check(constants, row.id, text["Model"], text["Scenario"], text["Accuracy"], CSV)
        problems += wrong
        checked.append(
            {"row": row.id, "model": text["Model"], "verdict": "within targets and limits", "metrics": metrics}
        )
    raise_if_any(problems)
    return checked


def logs_of(
    eligible: list, record: acquisition.Record, contents: dict, constants: checker_constants.Constants
) -> dict[str, dict]:
    """Return row id -> what its log says, 'passed' or 'not available', for every eligible row.

    Raises BundleError if a log fails a check, is absent without being on the record's list of absent logs, or
    belongs to no eligible row.
    """
    absent = {(entry["row"], entry["path"]) for entry in record.not_available}
    upstream = {entry["path"]: entry["file"] for entry in record.files}
    logs, problems = {}, []
    for row in eligible:
        path = log_path(row)
        if path in upstream:
            facts, wrong = checked_log(row, upstream[path], contents[upstream[path]], constants)
            problems += wrong
            logs[row.id] = {"row": row.id, "path": path, "status": "passed", **facts}
        elif (row.id, path) in absent:
            logs[row.id] = {"row": row.id, "path": path, "status": "not available"}
        else:
            expected = f"a log in {acquisition.RECORD}, or the row in its list not_available"
            problems.append(Problem(f"sources/results/{path}", f"row {row.id!r}", "", "no log", expected, missing=True))
    known = {log["path"] for log in logs.values()}
    problems += [
        Problem(name, found="a log of no eligible row", expected="logs of eligible rows only")
        for path, name in upstream.items()
        if path.endswith("mlperf_log_summary.txt") and path not in known
    ]
    raise_if_any(problems)
    return logs


def log_path(row: summary.Row) -> str:
    """Return where the results repository keeps a row's performance log."""
    return row.text["Location"].removeprefix("./") + "/mlperf_log_summary.txt"


def checked_log(
    row: summary.Row, name: str, raw: bytes, constants: checker_constants.Constants
) -> tuple[dict, list[Problem]]:
    """Return (facts and anomalies, problems) of one log."""
    try:
        log = loadgen_log.parse(raw, name)
    except BundleError as error:
        return {}, list(error.problems)
    facts, problems = loadgen_log.check(log, row, checker_constants.log_limits(constants, row.text["Model"]))
    scenario, in_path = row.text["Scenario"], name.split("/")[-4]
    if in_path != scenario:
        problems.append(Problem(name, "", "the scenario in its path", in_path, scenario))
    return {**facts, "anomalies": anomalies.find(log)}, problems


def pair_facts(pair: matching.Pair, logs: dict[str, dict]) -> dict:
    """Return a pair as results.json holds it. The accelerator is null where the submission names none."""
    offline, server = pair
    return {
        "offline_id": offline.id,
        "server_id": server.id,
        **shared_facts(offline),
        "offline_tokens_per_s": matching.rate(offline),
        "server_tokens_per_s": matching.rate(server),
        "ratio": pair.ratio,
        "offline_log": logs[offline.id]["status"],
        "server_log": logs[server.id]["status"],
    }


def shared_facts(row: summary.Row) -> dict:
    """Return who submitted a row, for which model, on what."""
    return {
        "submitter": row.text["Organization"],
        "system": row.text["SystemName"],
        "platform": row.text["Platform"],
        "model": row.text["Model"],
        "accelerator": row.value["accelerator_model_name"],
        "accelerators": row.value["total_accelerators"],
    }


def row_facts(row: summary.Row) -> dict:
    """Return an unmatched row as results.json holds it."""
    return {"id": row.id, **shared_facts(row), "scenario": row.text["Scenario"], "tokens_per_s": matching.rate(row)}


def highlighted_of(pairs: list) -> dict:
    """Return which pairs are highlighted, by Offline id, and the spread of the ratios of one system's models.

    Raises BundleError if a highlighted pair is not there, or if the three of one system differ in more than the model.
    """
    by_id = {pair.offline.id: pair for pair in pairs}
    absent = [row_id for row_id in SAME_SYSTEM + APART if row_id not in by_id]
    raise_if_any([Problem(CSV, f"row {row_id!r}", found="no pair", expected="a highlighted pair") for row_id in absent])
    same = [by_id[row_id] for row_id in SAME_SYSTEM]
    differing = [field for field in matching.METADATA_FIELDS if len({pair.offline.text[field] for pair in same}) > 1]
    if differing != MODEL_FIELDS:
        place = f"rows {', '.join(SAME_SYSTEM)}"
        raise BundleError(Problem(CSV, place, found=f"differing {differing}", expected=f"differing {MODEL_FIELDS}"))
    ratios = [pair.ratio for pair in same]
    return {
        "same_system": {
            "offline_ids": list(SAME_SYSTEM),
            "platform": same[0].offline.text["Platform"],
            "differing_fields": differing,
            "spread_percentage_points": 100 * (max(ratios) - min(ratios)),
        },
        "apart": {"offline_ids": list(APART)},
    }


def selected_rows(pairs: list) -> dict:
    """Return the rows of the highlighted pairs, by id, with every CSV cell as text and every JSON value."""
    selected = {row.id: row for pair in pairs if pair.offline.id in SAME_SYSTEM + APART for row in pair}
    return {
        row_id: {"csv": row.text, "json": {**row.value, "Result": float(row.value["Result"])}}
        for row_id, row in selected.items()
    }


def outputs(root: Path, output: Path) -> dict[str, bytes]:
    """Return name -> bytes of the two files that this script writes, computed from ``root`` alone."""
    results, selected = compute(root)
    return {RESULTS: canonical_json(results), SELECTED: canonical_json(selected)}


def main() -> None:
    """Write results.json and data/selected_rows.json, and say what was found."""
    root, output = cli.folders(cli.parser(__doc__).parse_args())
    results, selected = compute(root)
    cli.write(output, {RESULTS: canonical_json(results), SELECTED: canonical_json(selected)})
    print(report.found(results))


if __name__ == "__main__":
    cli.run(main)
