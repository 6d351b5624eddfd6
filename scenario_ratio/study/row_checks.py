"""What a clone says about its rows: each row's accuracy, each row's log, and what could not be checked.

Nothing is raised for a single row: each check returns its facts and what is wrong, so that the rest goes on.
"""

from __future__ import annotations

from pathlib import Path
from typing import Callable

from scenario_ratio.files import sha256
from scenario_ratio.problems import BundleError, Problem
from scenario_ratio.study import accuracy, pairing, sources
from scenario_ratio.study.log_fields import RATE_LABEL
from scenario_ratio.upstream import clone, layouts, loadgen
from scenario_ratio.upstream import constants as checker_constants
from scenario_ratio.upstream.constants import Constants
from scenario_ratio.upstream.layouts import Summary
from scenario_ratio.upstream.loadgen import Limits
from scenario_ratio.upstream.summary import Row

# What a row is held against where no checker constants are at hand: nothing but itself.
NO_CONSTANTS = Constants("no checker constants", "", {}, {}, {}, None, None, {})
PROGRESS = 100  # logs between two lines of progress


def constants_of(round_name: str, checkers: dict[str, bytes]) -> Constants:
    """Return the figures for a round from the first of ``checkers`` (name -> bytes) that has it, or NO_CONSTANTS."""
    for name, raw in checkers.items():
        if round_name in checker_constants.rounds(raw, name):
            return checker_constants.parse(raw, name, round_name)
    return NO_CONSTANTS


def accuracy_of(rows: list[Row], constants: Constants, name: str) -> tuple[list[dict], list[Problem]]:
    """Return each row's metrics with the verdict 'within targets and limits', 'failed' or 'not checked', and what is wrong.

    A row is not checked if the constants have no target for its model; its metrics are then given as reported.
    """
    checked, problems = [], []
    for row in rows:
        label, scenario, cell = (row.text[field] for field in ("Model", "Scenario", "Accuracy"))
        if checker_constants.metric_values(constants, "targets", label, scenario) is None:
            metrics, wrong = _reported(row, name)
            verdict = "not checked"
        else:
            metrics, wrong = accuracy.check(constants, row.id, label, scenario, cell, name)
            verdict = "within targets and limits"
        problems += wrong
        not_reported = accuracy.not_reported(constants, label, scenario, metrics)
        checked.append(accuracy.entry(row, "failed" if wrong else verdict, metrics, not_reported))
    return checked, problems


def _reported(row: Row, name: str) -> tuple[list[dict], list[Problem]]:
    try:
        reported = accuracy.parse(row.text["Accuracy"])
    except ValueError as error:
        expected = "'METRIC: number', two blanks between"
        return [], [Problem(name, f"row {row.id!r}", "Accuracy", str(error), expected)]
    empty = {"target": None, "upper_limit": None}
    return [{"metric": metric, "reported": float(text), **empty} for metric, text in reported.items()], []


def logs_of(
    root: Path, rows: list[Row], constants: Constants, tell: Callable[[str], None]
) -> tuple[dict[str, dict], list[Problem]]:
    """Return row id -> what its log says, with the status 'passed', 'failed' or 'not available', and what is wrong.

    ``tell`` hears how many logs have been read, now and then. The digest of a log shows which rows share one.
    """
    logs, problems = {}, []
    for number, row in enumerate(rows, 1):
        path = layouts.log_path(row.text["Location"])
        facts, status = {}, "not available"
        try:
            raw = clone.read_log(root, path)
        except BundleError as error:
            wrong = [problem._replace(place=f"row {row.id!r}") for problem in error.problems]
        else:
            facts, wrong = sources.checked_log(row, path, raw, constants)
            facts, status = {"sha256": sha256(raw), **facts}, "failed" if wrong else "passed"
        problems += wrong
        logs[row.id] = {"row": row.id, "path": path, "status": status, **facts}
        if number % PROGRESS == 0:
            tell(f"{number} of {len(rows)} logs")
    return logs, problems


def distinct(pairs: list[pairing.Pair], logs: dict[str, dict]) -> tuple[int, int]:
    """Return how many pairs have two logs that passed, and how many of these share neither log with an earlier pair.

    Submissions for 99 and for 99.9 per cent of the reference accuracy may hand in the same run twice.
    """
    complete, independent, seen = 0, 0, set()
    for pair in pairs:
        of_pair = [logs[row.id] for row in pair]
        if all(log["status"] == "passed" for log in of_pair):
            digests = {log["sha256"] for log in of_pair}
            complete += 1
            independent += digests.isdisjoint(seen)
            seen |= digests
    return complete, independent


def other_units(root: Path, summary: Summary) -> dict:
    """Return how many rows only their unit keeps out, how many of their logs are there, and which logs say tokens/s.

    A log says so if its tokens/s are the row's result within rounding and its samples/s are not. Such a row stays
    out, since the summary is what rows are chosen by; a log that is absent or cannot be read proves nothing.
    """
    rules = [rule for rule in pairing.rules_of(summary) if rule.field != "Units"]
    rows = [row for row in pairing.eligible(summary.rows, tuple(rules))[0] if row.text["Units"] != "Tokens/s"]
    read, in_tokens = 0, []
    for row in rows:
        path = layouts.log_path(row.text["Location"])
        try:
            log = loadgen.parse(clone.read_log(root, path), path)
        except BundleError:
            continue
        read += 1
        facts, wrong = loadgen.check(log, row, Limits(None, None, None, None))
        rate_is_wrong = any(problem.field.startswith(RATE_LABEL[row.text["Scenario"]]) for problem in wrong)
        if not rate_is_wrong and facts["samples_per_s"] != pairing.rate(row):
            shown = {"row": row.id, "model": row.text["MlperfModel"], "scenario": row.text["Scenario"]}
            in_tokens.append({**shown, "units": row.text["Units"], "path": path})
    return {"rows": len(rows), "logs_read": read, "in_tokens_per_s": in_tokens}


def not_checked(rows: list[Row], constants: Constants) -> list[dict]:
    """Return which of the checker's figures the constants lack for some row: each with the models that lack it."""
    lacking: dict[str, set] = {}
    for row in rows:
        label, scenario = row.text["Model"], row.text["Scenario"]
        limits = checker_constants.log_limits(constants, label)
        figures = {
            "accuracy targets and upper limits": checker_constants.metric_values(constants, "targets", label, scenario),
            "TTFT limit": limits.ttft_ns if scenario == "Server" else 0,
            "TPOT limit": limits.tpot_ns if scenario == "Server" else 0,
            "random seeds": limits.seeds,
            "minimum duration": limits.min_duration_ms,
        }
        for name, figure in figures.items():
            lacking.setdefault(name, set()).update([row.text["MlperfModel"]] if figure is None else [])
    return [{"figure": name, "models": sorted(models)} for name, models in lacking.items() if models]
