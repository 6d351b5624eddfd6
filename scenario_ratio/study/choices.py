"""What is chosen in pinned.py against what the data say: every choice that they contradict is a problem."""

from __future__ import annotations

from typing import Callable, Iterable, Iterator

from scenario_ratio import pinned, shape
from scenario_ratio.pinned import CHECKER_ROLE, CONSTANTS, CSV, JSON, RECORD, ROUNDS
from scenario_ratio.problems import Problem, shown
from scenario_ratio.study import results
from scenario_ratio.study.pairing import METADATA_FIELDS, MODEL_FIELDS, Pair
from scenario_ratio.upstream import record as record_file
from scenario_ratio.upstream.record import Record
from scenario_ratio.upstream.summary import Row

PINNED = "scenario_ratio/pinned.py"
FEWEST = {group.upper(): fewest for group, fewest in results.FEWEST.items()}
NAME = r"(?!\.{1,2}(?:/|$))[A-Za-z0-9._+@=,-]+"  # of a file or a folder
PATH = shape.Text(rf"{NAME}(?:/{NAME})*", "the name of a file or folder below the root")
FORMS = {  # of the choices that are no PATH
    "ROUND": shape.Text(r"v[0-9]{1,2}\.[0-9]{1,2}", "a round such as 'v6.1'"),
    **dict.fromkeys(("TITLE", "VERSION", "CHECKER_ROLE", "LICENCE_ROLE"), shape.Text(r"\S(?:.*\S)?", "a line of text")),
    "RELEASED": shape.Text(r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])", "a date, YYYY-MM-DD"),
    **dict.fromkeys(("RESULTS_REPOSITORY", "RESULTS_COMMIT", "CHECKER_REPOSITORY", "CHECKER_COMMIT"), str),
    **dict.fromkeys(FEWEST, [str]),
    "FOLDER": shape.Text(NAME, "the name of a folder"),
}


def _problem(choice: str, found: object, expected: str, field: str = "") -> Problem:
    return Problem(PINNED, choice, field, str(found), expected, check="pinned")


def form() -> list[Problem]:
    """Return which choices are not of their form; the groups of highlighted pairs are tuples of ids."""
    chosen = {name: value for name, value in vars(pinned).items() if name.isupper()}
    listed = {name: list(value) if isinstance(value, tuple) else value for name, value in chosen.items()}
    forms = {name: FORMS.get(name, PATH) for name in chosen}
    return [problem._replace(check="pinned") for problem in shape.problems(listed, forms, PINNED)]


def of_round(record: Record, rows: list[Row], in_constants: Iterable[str], in_rounds: list[dict]) -> list[Problem]:
    """Return where what is chosen of the round and its sources is not what the record, the rows and other files say.

    ``in_constants`` are the rounds of the checker's constants, ``in_rounds`` those of data/rounds.json with their sources.
    """
    said = _said(record, {row.text["version"] for row in rows}, list(in_constants), in_rounds)
    wrong = [(name, expected) for name, known, expected in said if getattr(pinned, name) not in known]
    return [_problem(name, shown(getattr(pinned, name)), expected) for name, expected in dict.fromkeys(wrong)]


def _said(record: Record, versions: set, in_constants: list, in_rounds: list) -> Iterator[tuple[str, list, str]]:
    """Yield (choice, what it must be one of, in words) for repositories and commits, the folder of the logs, the round."""
    sources = [("RESULTS", source, RECORD) for source in record.files]
    sources += [("CHECKER", record_file.referenced(record, CHECKER_ROLE), RECORD)]
    sources += [("RESULTS", one["source"], ROUNDS) for one in in_rounds if one["round"] == pinned.ROUND]
    for name, source, place in sources:
        for key in ("repository", "commit"):
            yield f"{name}_{key.upper()}", [source[key]], f"{source[key]}, as in {place}"
    logs = [source for source in record.files if source["file"] not in (CSV, JSON)]
    stray = [log["file"] for log in logs if log["file"] != f"{pinned.LOGS}/{log['path']}"]
    if stray:
        yield "LOGS", [], f"the folder in which {RECORD} has {stray[0]}"
    repository = record_file.results_repository(record)["repository"]
    yield "ROUND", [repository.rpartition("_")[2]], f"the round that {repository} is of"
    for version in sorted(versions):
        yield "ROUND", [version], f"{version}, the version of rows in {CSV}"
    for name, known in ((CONSTANTS, in_constants), (ROUNDS, [one["round"] for one in in_rounds])):
        yield "ROUND", known, f"one of {', '.join(map(str, known))}, the rounds of {name}"


def of_pairs(pairs: list[Pair], lacking: set[str]) -> list[Problem]:
    """Return what keeps the highlighted pairs from being told: too few, no pair, one twice, no Server log, another system.

    ``lacking`` are the ids of the rows whose log could not be had.
    """
    by_id = {pair.offline.id: pair for pair in pairs}
    without_log = {row_id for row_id, pair in by_id.items() if pair.server.id in lacking}
    groups = [(name, getattr(pinned, name), fewest) for name, fewest in FEWEST.items()]
    wrong = [(name, len(ids), f"{fewest} or more", "ids") for name, ids, fewest in groups if len(ids) < fewest]
    chosen = [(name, row_id) for name, ids, _ in groups for row_id in ids]
    earlier = [row_id for _, row_id in chosen]
    for position, (name, row_id) in enumerate(chosen):
        for is_wrong, found, expected in (
            (row_id not in by_id, "no pair", "the Offline id of a pair"),
            (row_id in earlier[:position], "this id twice", "each id once"),
            (row_id in without_log, "no Server log", "a pair whose Server log is at hand"),
        ):
            wrong += [(name, found, expected, f"row {row_id!r}")] * is_wrong
    return [_problem(*one) for one in wrong] or _systems(pairs)


def _systems(pairs: list[Pair]) -> list[Problem]:
    """Return where SAME_SYSTEM is not one system with several models, or APART is on that system too."""
    differing = differing_in(pairs)
    fields = differing(*pinned.SAME_SYSTEM)
    if fields != list(MODEL_FIELDS):
        expected = f"pairs that differ in {' and '.join(MODEL_FIELDS)} alone"
        return [_problem("SAME_SYSTEM", f"pairs that differ in {', '.join(fields)}", expected)]
    return [
        _problem("APART", "the system of SAME_SYSTEM", "a pair of another system", f"row {row_id!r}")
        for row_id in pinned.APART
        if set(differing(pinned.SAME_SYSTEM[0], row_id)) <= set(MODEL_FIELDS)
    ]


def differing_in(pairs: Iterable[Pair]) -> Callable[..., list[str]]:
    """Return a function from Offline ids to the metadata fields in which those of ``pairs`` differ."""
    texts = {pair.offline.id: pair.offline.text for pair in pairs}
    return lambda *ids: [field for field in METADATA_FIELDS if len({texts[one][field] for one in ids}) > 1]
