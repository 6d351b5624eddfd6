"""The whole computation: from the pinned sources to what results.json and data/selected_rows.json hold.

Four stages: read everything, examine the summary with its logs, compare what is chosen with what the data say, tell the
rest. Whatever is wrong in a stage comes together and ends it; after it comes which sources are not as they were acquired.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Callable, NamedTuple

from scenario_ratio import pinned
from scenario_ratio.bundle import Bundle
from scenario_ratio.files import json_bytes
from scenario_ratio.pinned import CHECKER_ROLE, CONSTANTS, CSV, JSON, LOGS, RECORD
from scenario_ratio.problems import BundleError, Problem, raise_if_any
from scenario_ratio.study import anomalies, checks, choices, claims, ratios, rounds, within
from scenario_ratio.study import results as results_file
from scenario_ratio.study.examine import Findings, examine
from scenario_ratio.study.pairing import SERVER
from scenario_ratio.upstream import constants as checker_constants
from scenario_ratio.upstream import record as record_file
from scenario_ratio.upstream import summary
from scenario_ratio.upstream.constants import Constants
from scenario_ratio.upstream.layouts import LOG, Summary, log_path
from scenario_ratio.upstream.record import Record
from scenario_ratio.upstream.summary import Row


class Read(NamedTuple):
    """What was read: the record, name -> bytes of its sources, the rows, the checker's figures, the claims, the rounds."""

    record: Record
    contents: dict[str, bytes]
    rows: list[Row]
    constants: Constants
    claims: list[dict]
    rounds: list[dict]

    def log(self, row: Row) -> bytes | None:
        """Return a row's log, None if the record lists it as lacking; raises BundleError if it is nowhere."""
        path = log_path(row.text["Location"])
        raw, lacking = self.contents.get(f"{LOGS}/{path}"), self.record.not_available
        if raw is None and (row.id, path) not in [(entry["row"], entry["path"]) for entry in lacking]:
            expected = f"a log in {RECORD}, or the row in its list not_available"
            raise BundleError(Problem(path, found="no log", expected=expected, missing=True))
        return raw


def compute(bundle: Bundle) -> tuple[dict, dict]:
    """Return (results, selected rows) of the bundle: what results.json and data/selected_rows.json hold.

    Rates are in tokens/s, latencies in ns, ratios Server over Offline. Raises BundleError with everything that is wrong in
    the first stage in which anything is, and with the sources that are not as they were acquired.
    """
    raise_if_any(choices.form())
    problems: list[Problem] = []
    record = bundle.once(record_file.load)
    contents = _attempt(problems, record_file.read_sources, bundle, record) or {}
    read = _attempt(problems, _read, bundle, record, contents)
    told = None if problems else _attempt(problems, _told, read)
    raise_if_any(list(dict.fromkeys(problems + record_file.digest_problems(record, contents))))
    return told


def _attempt(problems: list[Problem], step: Callable, *arguments: object) -> object:
    """Return what ``step`` returns; None, with ``problems`` the longer, if it raises BundleError."""
    try:
        return step(*arguments)
    except BundleError as error:
        problems += error.problems
        return None


def _read(bundle: Bundle, record: Record, contents: dict[str, bytes]) -> Read:
    """Return everything that is read; raises BundleError if some of it cannot be, or if it is of another round."""
    problems: list[Problem] = []
    rows = _attempt(problems, lambda: summary.load(contents[CSV], contents[JSON])) if contents else []
    known = _attempt(problems, lambda: checker_constants.rounds(bundle.read(CONSTANTS), CONSTANTS))
    listed, kept = (_attempt(problems, bundle.once, load) for load in (claims.load, rounds.load))
    raise_if_any(problems or choices.of_round(record, rows, known, kept))
    constants = checker_constants.parse(bundle.read(CONSTANTS), CONSTANTS, pinned.ROUND)
    return Read(record, contents, rows, constants, listed, kept)


def _told(read: Read) -> tuple[dict, dict]:
    """Return (results, selected rows)."""
    findings = _examined(read)
    raise_if_any(choices.of_pairs(findings.pairs, {entry["row"] for entry in read.record.not_available}))
    models, differing = rounds.models_of(findings.pairs), choices.differing_in(findings.pairs)
    raise_if_any(rounds.disagreements(read.rounds, pinned.ROUND, findings.counts, models))
    told, chosen = findings.told, pinned.SAME_SYSTEM
    labels = ratios.labels(told, lambda label: checker_constants.official_model(read.constants, label))
    models_by_label = {label: entry["model"] for label, entry in labels.items()}
    # The digest of a log stands in the record.
    logs = [{key: value for key, value in log.items() if key != "sha256"} for log in findings.logs.values()]
    results = {
        "round": pinned.ROUND,
        "sources": _sources(read.record),
        "counts": {key: findings.counts[key] for key in results_file.COUNTS},
        "exclusions": findings.exclusions,
        "matched_fields": list(findings.matched_fields),
        "highlighted": _highlighted(findings, differing),
        "pairs": told,
        "unmatched": findings.unmatched,
        "accuracy": findings.accuracy,
        "logs": logs,
        "labels": labels,
        "within_systems": within.compared(findings.pairs, models_by_label),
        "variance_between_models": within.variance(told, models_by_label, chosen),
        "distribution": ratios.distribution(told),
        "headroom": ratios.headroom(told, logs),
        "anomalies": anomalies.table(logs),
        "claims": claims.evaluate(read.claims, told, logs, differing),
        "rounds": read.rounds,
    }
    return results, _selected_rows(findings)


def _examined(read: Read) -> Findings:
    """Return what was found in the summary and its logs; raises BundleError with all that keeps it from being told."""
    named = Summary(CSV, pinned.ROUND, len(read.rows), read.rows, summary.FIELDS)
    findings, wrong = examine(named, read.log, read.constants)
    problems = [one._replace(file=f"{LOGS}/{one.file}") if one.file.endswith(LOG) else one for one in wrong]
    for entry in findings.not_checked:
        found = (entry["figure"], ", ".join(entry["models"]), "none", "one for each model")
        problems.append(Problem(CONSTANTS, *found, check="constants"))
    problems += _logs_of_no_row(read.record, findings)
    told, given = dict.fromkeys((*ratios.FACTS, *claims.FACTS, *anomalies.FACTS)), checks.facts_of(SERVER)
    wrong = [("CHECKS", fact, "no check that gives it", "one") for fact in told if fact not in given]
    problems += [Problem("scenario_ratio/study/checks.py", *facts, check="checks") for facts in wrong]
    raise_if_any(problems)
    return findings


def _logs_of_no_row(record: Record, findings: Findings) -> list[Problem]:
    known, expected = {log["path"] for log in findings.logs.values()}, "logs of eligible rows only"
    stray = [entry for entry in record.files if entry["path"].endswith(LOG) and entry["path"] not in known]
    return [Problem(one["file"], found="a log of no eligible row", expected=expected, check="log") for one in stray]


def _sources(record: Record) -> dict:
    """Return where the facts come from: repositories, commits, retrieval date, how many files were verified."""
    checker = record_file.referenced(record, CHECKER_ROLE)
    obtained = [entry["obtained"] for entry in record.files]
    return {
        "results": record_file.results_repository(record),
        "checker": {key: checker[key] for key in ("repository", "commit", "path")},
        "retrieved": record.acquired,
        "files_verified": len(record.files),
        "files_by_grade": {grade: obtained.count(grade) for grade in record.obtained},
    }


def _highlighted(findings: Findings, differing: Callable[..., list[str]]) -> dict:
    """Return which pairs are highlighted, by Offline id, how far apart one system's ratios lie, and those of others like it."""
    chosen, told = pinned.SAME_SYSTEM, findings.told
    same, apart = ([pair for pair in told if pair["offline_id"] in ids] for ids in (chosen, pinned.APART))
    return {
        "same_system": {
            "offline_ids": list(chosen),
            "platform": same[0]["platform"],
            "differing_fields": differing(*chosen),
            "spread_percentage_points": within.points(same),
        },
        "apart": {"offline_ids": list(pinned.APART)},
        "scales": list(dict.fromkeys(ratios.accelerator_class(pair["accelerators"]) for pair in same + apart)),
        "same_parts": within.same_parts(told, within.systems(findings.pairs), chosen),
    }


def _selected_rows(findings: Findings) -> dict:
    """Return the rows of the highlighted pairs, by id, with every CSV cell as text and every JSON value."""
    chosen = {*pinned.SAME_SYSTEM, *pinned.APART}
    selected = {}
    for row in (row for pair in findings.pairs if pair.offline.id in chosen for row in pair):
        values = {field: float(cell) if isinstance(cell, Decimal) else cell for field, cell in row.value.items()}
        selected[row.id] = {"csv": row.text, "json": values}
    return selected


def make_results(bundle: Bundle) -> bytes:
    """Return results.json."""
    return json_bytes(bundle.once(compute)[0])


def make_selected(bundle: Bundle) -> bytes:
    """Return data/selected_rows.json."""
    return json_bytes(bundle.once(compute)[1])
