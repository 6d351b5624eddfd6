"""One examination of a summary, whoever asks: its rules, pairs, accuracy, logs and counts.

Nothing is raised over a row or over a figure of the checker's constants: what is wrong is collected, and the rest goes on.
"""

from __future__ import annotations

from typing import Callable, NamedTuple

from scenario_ratio.files import sha256
from scenario_ratio.problems import BundleError, Problem
from scenario_ratio.study import anomalies, checks, pairing
from scenario_ratio.study.pairing import Pair
from scenario_ratio.upstream import constants as checker_constants
from scenario_ratio.upstream import loadgen
from scenario_ratio.upstream.constants import Constants
from scenario_ratio.upstream.layouts import Summary, log_path
from scenario_ratio.upstream.summary import FIELDS, Row

# What a row is held against where no checker constants are at hand: nothing but itself.
NO_CONSTANTS = Constants("no checker constants", "", {}, {}, {}, None, None, {})
PASSED, FAILED, NOT_AVAILABLE = "passed", "failed", "not available"
PROGRESS = 100  # logs between two lines of progress
# What is told of a row, by the field of its text.
SHARED = {"submitter": "Organization", "system": "SystemName", "platform": "Platform", "model": "Model"}
OTHER_UNITS = {"model": "MlperfModel", "scenario": "Scenario", "units": "Units"}

ReadLog = Callable[[Row], "bytes | None"]


class Findings(NamedTuple):
    """What was found in a summary: rows and pairs as they are, and the parts that results.json and an audit tell."""

    exclusions: list[dict]
    matched_fields: tuple[str, ...]
    pairs: list[Pair]
    accuracy: list[dict]
    logs: dict[str, dict]
    counts: dict
    not_checked: list[dict]
    told: list[dict]  # the pairs, and the rows without a partner, as results.json holds them
    unmatched: list[dict]


def examine(
    summary: Summary, read_log: ReadLog, constants: Constants, tell: Callable[[str], None] = lambda line: None
) -> tuple[Findings, list[Problem]]:
    """Return what was found in a summary, and everything that is wrong with it.

    ``read_log(row)`` returns the bytes of the row's log, None if it is known to be lacking, or raises BundleError, which
    is a problem of that row; a log is called by its upstream path. ``tell`` hears of progress.
    """
    rules, problems = pairing.sound_rules(summary.rows, pairing.rules_of(summary))
    rows, exclusions = pairing.eligible(summary.rows, rules)
    fields = pairing.matched_fields_of(summary)
    pairs, alone, refused = pairing.sort_out(rows, summary.name, fields)
    checked = [checks.accuracy(row, constants, summary.name) for row in rows]
    read = []
    for number, row in enumerate(rows, 1):
        read.append(_log(row, read_log, constants))
        if number % PROGRESS == 0:
            tell(f"{number} of {len(rows)} logs")
    problems += refused + [problem for _, wrong in (*checked, *read) for problem in wrong]
    accuracy, logs = [entry for entry, _ in checked], {log["row"]: log for log, _ in read}
    counts = _counts(summary, rows, pairs, alone, accuracy, logs)
    told = [pair_facts(pair, logs) for pair in pairs], [row_facts(row) for row in alone]
    findings = Findings(exclusions, fields, pairs, accuracy, logs, counts, figures_lacking(rows, constants), *told)
    # A figure of a wrong form is told once, not for each row that needs it.
    return findings, list(dict.fromkeys(problems))


def _log(row: Row, read_log: ReadLog, constants: Constants) -> tuple[dict, list[Problem]]:
    """Return what the log of a row says, with its status and the digest that shows which rows share one, and what is wrong."""
    entry = {"row": row.id, "path": log_path(row.text["Location"]), "status": NOT_AVAILABLE}
    try:
        raw = read_log(row)
    except BundleError as error:
        return entry, [problem._replace(place=f"row {row.id!r}", check="log") for problem in error.problems]
    if raw is None:
        return entry, []
    facts, problems = checked_log(row, entry["path"], raw, constants)
    return {**entry, "status": FAILED if problems else PASSED, "sha256": sha256(raw), **facts}, problems


def checked_log(row: Row, path: str, raw: bytes, constants: Constants) -> tuple[dict, list[Problem]]:
    """Return (facts and anomalies, problems) of one log; no facts of one that cannot be read."""
    try:
        log = loadgen.parse(raw, path)
    except BundleError as error:
        return {}, [problem._replace(check="log-form") for problem in error.problems]
    facts, problems = checks.check_log(log, row, checker_constants.log_limits(constants, row.text["Model"]))
    bounds = checks.bounds_of(row, constants, anomalies.TOKENS)
    return {**facts, "anomalies": anomalies.find(log, bounds)}, problems


def _counts(summary: Summary, rows: list, pairs: list, alone: list, accuracy: list, logs: dict) -> dict:
    divisions = [row.text["Division"] for row in summary.rows]
    statuses = [log["status"] for log in logs.values()]
    both, independent = distinct(pairs, logs)
    return {
        "source_rows": summary.source_rows,
        "unreadable_rows": summary.source_rows - len(summary.rows),
        "source_fields": len(FIELDS),
        "cells_compared": summary.source_rows * len(FIELDS),
        "closed_rows": divisions.count("closed"),
        "open_rows": divisions.count("open"),
        "eligible_rows": len(rows),
        "complete_pairs": len(pairs),
        "unmatched_rows": len(alone),
        "unmatched_row_ids": [row.id for row in alone],
        "pairs_with_server_greater_than_offline": sum(pair.ratio > 1 for pair in pairs),
        "rows_with_measured_power": sum(row.text["has_power"] == "True" for row in summary.rows),
        "matched_fields": len(pairing.matched_fields_of(summary)),
        "logs_passed": statuses.count(PASSED),
        "logs_failed": statuses.count(FAILED),
        "logs_not_available": statuses.count(NOT_AVAILABLE),
        "pairs_with_both_logs": both,
        "pairs_with_distinct_logs": independent,
        "logs_with_anomalies": sum(bool(log.get("anomalies")) for log in logs.values()),
        "logs_with_errors": sum(bool(log.get("errors")) for log in logs.values()),
        "server_logs_passed": sum(logs[pair.server.id]["status"] == PASSED for pair in pairs),
        "rows_with_an_unreported_limit": sum(bool(entry["limits_without_a_reported_metric"]) for entry in accuracy),
    }


def distinct(pairs: list[Pair], logs: dict[str, dict]) -> tuple[int, int]:
    """Return how many pairs have two logs that passed, and how many of these share neither log with an earlier pair.

    Submissions for 99 and for 99.9 per cent of the reference accuracy may hand in the same run twice.
    """
    complete, independent, seen = 0, 0, set()
    for pair in pairs:
        of_pair = [logs[row.id] for row in pair]
        if all(log["status"] == PASSED for log in of_pair):
            digests = {log["sha256"] for log in of_pair}
            complete += 1
            independent += digests.isdisjoint(seen)
            seen |= digests
    return complete, independent


def figures_lacking(rows: list[Row], constants: Constants) -> list[dict]:
    """Return which of the checker's figures the constants lack for some row: each with the models that lack it."""
    lacking: dict[str, set] = {}
    for row in rows:
        targets = checks.tables_of(constants, row)[0]
        limits = checker_constants.log_limits(constants, row.text["Model"])
        in_server = row.text["Scenario"] == pairing.SERVER
        for name, is_lacking in (
            ("accuracy targets and upper limits", targets is None),
            ("TTFT limit", in_server and limits.ttft_ns is None),
            ("TPOT limit", in_server and limits.tpot_ns is None),
            ("random seeds", limits.seeds is None),
            ("minimum duration", limits.min_duration_ms is None),
        ):
            lacking.setdefault(name, set()).update([row.text["MlperfModel"]] * is_lacking)
    return [{"figure": name, "models": sorted(models)} for name, models in lacking.items() if models]


def constants_of(round_name: str, checkers: dict[str, bytes]) -> Constants:
    """Return the figures for a round from the first of ``checkers`` (name -> bytes) that has it, or NO_CONSTANTS.

    Raises BundleError if a file cannot be read.
    """
    for name, raw in checkers.items():
        if round_name in checker_constants.rounds(raw, name):
            return checker_constants.parse(raw, name, round_name)
    return NO_CONSTANTS


def other_units(summary: Summary, read_log: ReadLog) -> dict:
    """Return how many rows only their unit keeps out, how many of their logs are there, and which logs say tokens/s.

    A log says so if its tokens/s are the row's result within rounding and its samples/s are not. Such a row stays
    out, since the summary is what rows are chosen by; a log that is absent or cannot be read proves nothing.
    """
    rules, _ = pairing.sound_rules(summary.rows, pairing.rules_of(summary))
    others = tuple(rule for rule in rules if rule.field != "Units")
    rows = [row for row in pairing.eligible(summary.rows, others)[0] if row.text["Units"] != "Tokens/s"]
    checked = [(row, *_log(row, read_log, NO_CONSTANTS)) for row in rows]
    read = [one for one in checked if "anomalies" in one[1]]
    return {
        "rows": len(rows),
        "logs_read": len(read),
        "in_tokens_per_s": [
            {"row": row.id, **{key: row.text[field] for key, field in OTHER_UNITS.items()}, "path": log["path"]}
            for row, log, wrong in read
            if all(problem.check != "log-rate" for problem in wrong) and log.get("samples_per_s") != pairing.rate(row)
        ],
    }


def pair_facts(pair: Pair, logs: dict[str, dict]) -> dict:
    """Return a pair as results.json holds it. The accelerator is null where the submission names none."""
    offline, server = pair
    return {
        "offline_id": offline.id,
        "server_id": server.id,
        **shared_facts(offline),
        "offline_tokens_per_s": pairing.rate(offline),
        "server_tokens_per_s": pairing.rate(server),
        "ratio": pair.ratio,
        "offline_log": logs[offline.id]["status"],
        "server_log": logs[server.id]["status"],
    }


def shared_facts(row: Row) -> dict:
    """Return who submitted a row, for which model, on what."""
    return {
        **{key: row.text[field] for key, field in SHARED.items()},
        "accelerator": row.value["accelerator_model_name"],
        "accelerators": row.value["total_accelerators"],
        "nodes": row.value["number_of_nodes"],
        "precision": row.text["weight_data_types"],
    }


def row_facts(row: Row) -> dict:
    """Return an unmatched row as results.json holds it."""
    return {"id": row.id, **shared_facts(row), "scenario": row.text["Scenario"], "tokens_per_s": pairing.rate(row)}
