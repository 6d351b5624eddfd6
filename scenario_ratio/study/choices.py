"""What is chosen in pinned.py against what the data say: every choice that they contradict is a problem."""

from __future__ import annotations

from typing import Callable, Iterable

from scenario_ratio import pinned, shape
from scenario_ratio.pinned import CHECKER_ROLE, CONSTANTS, CSV, JSON, RECORD, ROUNDS
from scenario_ratio.problems import Problem, shown
from scenario_ratio.study import results
from scenario_ratio.study.pairing import METADATA_FIELDS, Pair
from scenario_ratio.upstream import record as record_file
from scenario_ratio.upstream.record import Record
from scenario_ratio.upstream.summary import Row

PINNED = "scenario_ratio/pinned.py"
MODEL_FIELDS = ["Model", "MlperfModel"]  # all that may differ in SAME_SYSTEM
FEWEST = {group.upper(): fewest for group, fewest in results.FEWEST.items()}
NAME = r"(?!\.{1,2}(?:/|$))[A-Za-z0-9._+@=,-]+"  # of a file or a folder
FORMS = {
    "ROUND": shape.Text(r"v[0-9]{1,2}\.[0-9]{1,2}", "a round such as 'v6.1'"),
    **dict.fromkeys(("TITLE", "VERSION", "CHECKER_ROLE", "LICENCE_ROLE"), shape.Text(r"\S(?:.*\S)?", "a line of text")),
    "RELEASED": shape.Text(r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])", "a date, YYYY-MM-DD"),
    **dict.fromkeys(("RESULTS_REPOSITORY", "RESULTS_COMMIT", "CHECKER_REPOSITORY", "CHECKER_COMMIT"), str),
    **dict.fromkeys(FEWEST, [str]),
    **dict.fromkeys(
        (
            "CSV", "JSON", "CLAIMS", "ROUNDS", "RECORD", "CONSTANTS", "LICENCE", "LOGS", "RESULTS", "SELECTED", "NOTEBOOK",
            "README", "CITATION", "CRATE", "SUMS", "ARCHIVE", "PAGE",
        ),
        shape.Text(rf"{NAME}(?:/{NAME})*", "the name of a file or folder below the root"),
    ),
    "FOLDER": shape.Text(NAME, "the name of a folder"),
}  # fmt: skip


def form() -> list[Problem]:
    """Return which choices are not of their form; the groups of highlighted pairs are tuples of ids."""
    problems = []
    for name, form_of in FORMS.items():
        value = getattr(pinned, name)
        problems += shape.problems(list(value) if isinstance(value, tuple) else value, form_of, PINNED, name)
    return [problem._replace(check="pinned") for problem in problems]


def _contradicted(name: str, expected: str, found: object = None, field: str = "") -> Problem:
    told = shown(getattr(pinned, name)) if found is None else str(found)
    return Problem(PINNED, name, field, told, expected, check="pinned")


def of_record(record: Record) -> list[Problem]:
    """Return which of the chosen repositories, commits and folder of logs are not those of the acquisition record."""
    recorded = {
        "RESULTS": [record_file.results_repository(record), *record.files],
        "CHECKER": [record_file.referenced(record, CHECKER_ROLE)],
    }
    others = {
        (f"{name}_{key.upper()}", entry[key]): None
        for name, entries in recorded.items()
        for key in ("repository", "commit")
        for entry in entries
        if entry[key] != getattr(pinned, f"{name}_{key.upper()}")
    }
    problems = [_contradicted(name, f"{value}, as in {RECORD}") for name, value in others]
    logs = [(entry["file"], entry["path"]) for entry in record.files if entry["file"] not in (CSV, JSON)]
    stray = next((name for name, path in logs if name != f"{pinned.LOGS}/{path}"), None)
    if stray:
        problems.append(_contradicted("LOGS", f"the folder in which {RECORD} has {stray}"))
    repository = recorded["RESULTS"][0]["repository"]
    if not repository.endswith(f"_{pinned.ROUND}"):
        problems.append(_contradicted("ROUND", f"the round that {repository} is of"))
    return problems


def of_round(rows: list[Row], in_constants: Iterable[str], in_rounds: list[dict]) -> list[Problem]:
    """Return where the chosen round is not that of every row, or is none of the constants' or of the kept rounds.

    ``in_rounds`` are the rounds of data/rounds.json, which names each one's repository and commit too.
    """
    versions = sorted({row.text["version"] for row in rows} - {pinned.ROUND})
    problems = [_contradicted("ROUND", f"{version}, the version of rows in {CSV}") for version in versions]
    kept = {one["round"]: one["source"] for one in in_rounds}
    for name, known in ((CONSTANTS, list(in_constants)), (ROUNDS, list(kept))):
        if pinned.ROUND not in known:
            problems.append(_contradicted("ROUND", f"one of {', '.join(map(str, known))}, the rounds of {name}"))
    source = kept.get(pinned.ROUND, {})
    problems += [
        _contradicted(f"RESULTS_{key.upper()}", f"{value}, as in {ROUNDS}")
        for key, value in source.items()
        if value != getattr(pinned, f"RESULTS_{key.upper()}")
    ]
    return problems


def of_pairs(pairs: list[Pair], lacking: set[str]) -> list[Problem]:
    """Return what keeps the highlighted pairs from being told: too few, no pair, one twice, no Server log, another system.

    ``lacking`` are the ids of the rows whose log is not at hand.
    """
    by_id = {pair.offline.id: pair for pair in pairs}
    problems, seen = [], set()
    for name, fewest in FEWEST.items():
        chosen = getattr(pinned, name)
        if len(chosen) < fewest:
            problems.append(_contradicted(name, f"{fewest} or more", found=len(chosen), field="ids"))
        for row_id in chosen:
            found, expected = _not_told(by_id.get(row_id), lacking, row_id in seen)
            if found:
                problems.append(_contradicted(name, expected, found, f"row {row_id!r}"))
            seen.add(row_id)
    return problems or _systems(by_id)


def _not_told(pair: Pair | None, lacking: set[str], again: bool) -> tuple[str, str]:
    """Return (found, expected) of what is wrong with one highlighted pair, ('', '') if nothing is."""
    if pair is None:
        return "no pair", "the Offline id of a pair"
    if again:
        return "this id twice", "each id once"
    if pair.server.id in lacking:
        return "no Server log", "a pair whose Server log is at hand"
    return "", ""


def _systems(by_id: dict[str, Pair]) -> list[Problem]:
    """Return where SAME_SYSTEM is not one system with several models, or APART is on that system too."""
    differing = differing_in(by_id.values())
    fields = differing(*pinned.SAME_SYSTEM)
    if fields != MODEL_FIELDS:
        expected = f"pairs that differ in {' and '.join(MODEL_FIELDS)} alone"
        return [_contradicted("SAME_SYSTEM", expected, f"pairs that differ in {', '.join(fields)}")]
    return [
        _contradicted("APART", "a pair of another system", "the system of SAME_SYSTEM", f"row {row_id!r}")
        for row_id in pinned.APART
        if set(differing(pinned.SAME_SYSTEM[0], row_id)) <= set(MODEL_FIELDS)
    ]


def differing_in(pairs: Iterable[Pair]) -> Callable[..., list[str]]:
    """Return a function from Offline ids to the metadata fields in which those of ``pairs`` differ."""
    texts = {pair.offline.id: pair.offline.text for pair in pairs}

    def differing(*offline_ids: str) -> list[str]:
        return [field for field in METADATA_FIELDS if len({texts[row_id][field] for row_id in offline_ids}) > 1]

    return differing
