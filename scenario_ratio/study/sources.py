"""What stands behind each row: where the facts come from, its accuracy against the targets, its log."""

from __future__ import annotations

from scenario_ratio.pinned import CHECKER_ROLE, CSV
from scenario_ratio.problems import BundleError, Problem, raise_if_any
from scenario_ratio.study import accuracy, anomalies
from scenario_ratio.upstream import constants as checker_constants
from scenario_ratio.upstream import loadgen, summary
from scenario_ratio.upstream import record as acquisition


def upstream(record: acquisition.Record) -> dict:
    """Return where the facts come from: repositories, commits, retrieval date, how many files were verified."""
    summary_csv = next(entry for entry in record.files if entry["file"] == CSV)
    checker = next(entry for entry in record.referenced if entry["role"] == CHECKER_ROLE)
    obtained = [entry["obtained"] for entry in record.files]
    return {
        "results": {key: summary_csv[key] for key in ("repository", "commit")},
        "checker": {key: checker[key] for key in ("repository", "commit", "path")},
        "retrieved": record.acquired,
        "files_verified": len(record.files),
        "files_by_grade": {grade: obtained.count(grade) for grade in record.obtained},
    }


def accuracy_of(eligible: list, constants: checker_constants.Constants) -> list[dict]:
    """Return each eligible row's metrics against target and upper limit; raises BundleError if any row fails."""
    checked, problems = [], []
    for row in eligible:
        text = row.text
        metrics, wrong = accuracy.check(constants, row.id, text["Model"], text["Scenario"], text["Accuracy"], CSV)
        problems += wrong
        not_reported = accuracy.not_reported(constants, text["Model"], text["Scenario"], metrics)
        checked.append(accuracy.entry(row, "within targets and limits", metrics, not_reported))
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
        log = loadgen.parse(raw, name)
    except BundleError as error:
        return {}, list(error.problems)
    facts, problems = loadgen.check(log, row, checker_constants.log_limits(constants, row.text["Model"]))
    scenario, in_path = row.text["Scenario"], name.split("/")[-4]
    if in_path.lower() != scenario.lower():  # some submissions spell the folder in lower case
        problems.append(Problem(name, "", "the scenario in its path", in_path, scenario))
    return {**facts, "anomalies": anomalies.find(log)}, problems
