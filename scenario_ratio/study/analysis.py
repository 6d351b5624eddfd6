"""The whole computation: from the pinned sources to what results.json and data/selected_rows.json hold.

It reads (record, sources, constants, claims, rounds), examines the summary with its logs, compares what is chosen with
what the data say, and tells the rest. Whatever is wrong, in all of these, ends it, and comes together.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Callable, NamedTuple, TypeVar

from scenario_ratio import pinned
from scenario_ratio.bundle import Bundle
from scenario_ratio.files import json_bytes
from scenario_ratio.pinned import CHECKER_ROLE, CONSTANTS, CSV, JSON, LOGS, RECORD
from scenario_ratio.problems import BundleError, Problem, raise_if_any
from scenario_ratio.study import anomalies, checks, choices, claims, ratios, rounds
from scenario_ratio.study import results as results_file
from scenario_ratio.study.examine import NOT_AVAILABLE, Findings, examine
from scenario_ratio.study.pairing import CHECK as PAIRING
from scenario_ratio.study.pairing import SERVER
from scenario_ratio.upstream import constants as checker_constants
from scenario_ratio.upstream import record as record_file
from scenario_ratio.upstream import summary
from scenario_ratio.upstream.constants import Constants
from scenario_ratio.upstream.layouts import LOG, Summary, log_path
from scenario_ratio.upstream.record import Record
from scenario_ratio.upstream.summary import Row

Found = TypeVar("Found")


class Read(NamedTuple):
    """What was read: the record, name -> bytes of its sources, the rows, the checker's figures, the claims, the rounds."""

    record: Record
    contents: dict[str, bytes]
    rows: list[Row]
    constants: Constants
    claims: list[dict]
    rounds: list[dict]


class Steps:
    """Takes steps that may fail, keeps all their problems, and raises them together."""

    def __init__(self):
        self.problems: list[Problem] = []

    def take(self, step: Callable[..., Found], *arguments: object) -> Found | None:
        """Return what ``step`` returns; None, with its problems kept, if it raises BundleError."""
        try:
            return step(*arguments)
        except BundleError as error:
            self.problems += error.problems
            return None


def compute(bundle: Bundle) -> tuple[dict, dict]:
    """Return (results, selected rows) of the bundle: what results.json and data/selected_rows.json hold.

    Rates are in tokens/s, latencies in ns, ratios Server over Offline. Raises BundleError with everything that is wrong:
    with the sources, the rows, their accuracy, their logs, what is chosen, the claims, the other rounds; last with sources
    that are not as they were acquired. A choice that is none by its form ends it before anything is read.
    """
    raise_if_any(choices.form())
    steps = Steps()
    record = bundle.once(record_file.load)
    contents = steps.take(record_file.read_sources, bundle, record)
    read = _read(steps, bundle, record, contents or {})
    changed = record_file.digest_problems(record, contents or {})
    told = _told(steps, read) if read else None
    raise_if_any(list(dict.fromkeys(steps.problems + changed)))
    return told


def _read(steps: Steps, bundle: Bundle, record: Record, contents: dict[str, bytes]) -> Read | None:
    """Return everything that is read, None if some of it cannot be or is not of the round."""
    rows = steps.take(lambda: summary.load(contents[CSV], contents[JSON])) if contents else None
    known = steps.take(lambda: checker_constants.rounds(bundle.read(CONSTANTS), CONSTANTS))
    listed = steps.take(bundle.once, claims.load)
    kept = steps.take(bundle.once, rounds.load)
    if None in (rows, known, listed, kept):
        return None
    steps.problems += choices.of_record(record) + choices.of_round(rows, known, kept)
    if pinned.ROUND not in known:
        return None
    constants = steps.take(checker_constants.parse, bundle.read(CONSTANTS), CONSTANTS, pinned.ROUND)
    return None if constants is None else Read(record, contents, rows, constants, listed, kept)


def _told(steps: Steps, read: Read) -> tuple[dict, dict] | None:
    """Return (results, selected rows), None if the parts that they are made of are not all there."""
    named = Summary(CSV, pinned.ROUND, len(read.rows), read.rows, summary.FIELDS)
    findings, wrong = examine(named, _log_reader(read), read.constants)
    file_of = {entry["path"]: entry["file"] for entry in read.record.files}
    wrong = [problem._replace(file=file_of.get(problem.file, problem.file)) for problem in wrong]
    wrong += _not_checked(findings) + _logs_of_no_row(read.record, findings)
    lacking_facts = _facts_lacking()
    steps.problems += wrong + lacking_facts
    if lacking_facts or any(problem.check == PAIRING for problem in wrong):
        return None  # what the rest would read is not there, or is not what it will be
    chosen = choices.of_pairs(findings.pairs, _known_to_lack(findings, wrong))
    steps.problems += chosen
    if chosen:
        return None
    told, logs = findings.told(), [_without_digest(log) for log in findings.logs.values()]
    models, differing = rounds.models_of(findings.pairs), choices.differing_in(findings.pairs)
    if not wrong:  # else the counts are not those of the round
        steps.problems += rounds.disagreements(read.rounds, pinned.ROUND, findings.counts, models)
    results = {
        "round": pinned.ROUND,
        "sources": _sources(read.record),
        "counts": {key: findings.counts[key] for key in results_file.SHAPE["counts"]},
        "exclusions": findings.exclusions,
        "matched_fields": list(findings.matched_fields),
        "highlighted": {**_highlighted(findings), "same_parts": ratios.same_parts(told, pinned.SAME_SYSTEM)},
        "pairs": told,
        "unmatched": findings.unmatched(),
        "accuracy": findings.accuracy,
        "logs": logs,
        "distribution": ratios.distribution(told),
        "headroom": steps.take(ratios.headroom, told, logs),
        "anomalies": anomalies.table(logs),
        "claims": claims.evaluate(read.claims, told, logs, differing),
        "rounds": read.rounds,
    }
    return results, _selected_rows(findings)


def _log_reader(read: Read) -> Callable[[Row], "bytes | None"]:
    """Return a function from a row to its log, None if the record lists it as lacking; it raises BundleError on any other."""
    file_of = {entry["path"]: entry["file"] for entry in read.record.files}
    lacking = {(entry["row"], entry["path"]) for entry in read.record.not_available}

    def read_log(row: Row) -> bytes | None:
        path = log_path(row.text["Location"])
        if path in file_of:
            return read.contents[file_of[path]]
        if (row.id, path) in lacking:
            return None
        expected = f"a log in {RECORD}, or the row in its list not_available"
        raise BundleError(Problem(f"{LOGS}/{path}", found="no log", expected=expected, missing=True))

    return read_log


def _known_to_lack(findings: Findings, problems: list[Problem]) -> set[str]:
    """Return the ids of rows without a log, but for those whose log is missed among ``problems``."""
    missed = {problem.place for problem in problems}
    lacking = [row_id for row_id, log in findings.logs.items() if log["status"] == NOT_AVAILABLE]
    return {row_id for row_id in lacking if f"row {row_id!r}" not in missed}


def _not_checked(findings: Findings) -> list[Problem]:
    return [
        Problem(CONSTANTS, entry["figure"], ", ".join(entry["models"]), "none", "one for each model", check="constants")
        for entry in findings.not_checked
    ]


def _logs_of_no_row(record: Record, findings: Findings) -> list[Problem]:
    known, expected = {log["path"] for log in findings.logs.values()}, "logs of eligible rows only"
    return [
        Problem(entry["file"], found="a log of no eligible row", expected=expected, check="log")
        for entry in record.files
        if entry["path"].endswith(LOG) and entry["path"] not in known
    ]


def _facts_lacking() -> list[Problem]:
    """Return the facts of logs that are read below and that no check gives."""
    given, readers = checks.facts_of(SERVER), {"the headroom": ratios, "the claims": claims, "the anomalies": anomalies}
    return [
        Problem(
            "scenario_ratio/study/checks.py",
            "CHECKS",
            fact,
            "no check that gives it",
            f"one, for {name}",
            check="checks",
        )
        for name, reader in readers.items()
        for fact in reader.FACTS
        if fact not in given
    ]


def _without_digest(log: dict) -> dict:
    """Return a log as results.json holds it: its digest stands in the record."""
    return {key: value for key, value in log.items() if key != "sha256"}


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


def _highlighted(findings: Findings) -> dict:
    """Return which pairs are highlighted, by Offline id, and the spread of the ratios of one system's models."""
    same = [pair for pair in findings.pairs if pair.offline.id in pinned.SAME_SYSTEM]
    pair_ratios = [pair.ratio for pair in same]
    return {
        "same_system": {
            "offline_ids": list(pinned.SAME_SYSTEM),
            "platform": same[0].offline.text["Platform"],
            "differing_fields": choices.differing_in(same)(*pinned.SAME_SYSTEM),
            "spread_percentage_points": 100 * (max(pair_ratios) - min(pair_ratios)),
        },
        "apart": {"offline_ids": list(pinned.APART)},
    }


def _selected_rows(findings: Findings) -> dict:
    """Return the rows of the highlighted pairs, by id, with every CSV cell as text and every JSON value."""
    chosen = {*pinned.SAME_SYSTEM, *pinned.APART}
    return {
        row.id: {"csv": row.text, "json": {field: _json_value(value) for field, value in row.value.items()}}
        for pair in findings.pairs
        if pair.offline.id in chosen
        for row in pair
    }


def _json_value(value: object) -> object:
    return float(value) if isinstance(value, Decimal) else value


def make_results(bundle: Bundle) -> bytes:
    """Return results.json."""
    return json_bytes(bundle.once(compute)[0])


def make_selected(bundle: Bundle) -> bytes:
    """Return data/selected_rows.json."""
    return json_bytes(bundle.once(compute)[1])
