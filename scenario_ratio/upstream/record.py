"""The acquisition record: which upstream files the bundle holds, which it lacks, and whether they are whole."""

from __future__ import annotations

from typing import NamedTuple

from scenario_ratio import shape, wording
from scenario_ratio.bundle import Bundle
from scenario_ratio.files import digests, parse_json
from scenario_ratio.pinned import CHECKER_ROLE, CSV, JSON, LICENCE, LICENCE_ROLE, RECORD
from scenario_ratio.problems import Problem, gather_all, raise_if_any, shown
from scenario_ratio.shape import Open, Perhaps, Text, each

INSIDE = r"(?!\.{0,2}/)(?!.*/\.{0,2}(?:/|$))(?!\.{1,2}$)"  # no part of a path is empty, '.' or '..'
REPOSITORY = r"https://github\.com/[A-Za-z0-9_-]+/(?!\.{1,2}$)[A-Za-z0-9_.-]+"
PLACE = {
    "repository": Text(REPOSITORY, "https://github.com/OWNER/NAME"),
    "commit": Text(r"[0-9a-f]{40}", "40 hexadecimal digits"),
    "path": Text(rf"{INSIDE}[A-Za-z0-9._+@=,/ ()-]+", "a relative path without '..'"),
}
DIGESTS = {
    "bytes": int,
    "sha256": Text(r"[0-9a-f]{64}", "64 hexadecimal digits"),
    "git_blob_sha1": Text(r"[0-9a-f]{40}", "40 hexadecimal digits"),
}
HELD = Text(rf"{INSIDE}(?:data|sources)/[A-Za-z0-9._+@=,/-]+", "a file below data/ or sources/")
SHAPE = Open(
    acquired=Text(r"[0-9]{4}-[01][0-9]-[0-3][0-9]", "a date, YYYY-MM-DD"),
    obtained=each(str),
    files=[Open(file=HELD, **PLACE, **DIGESTS, obtained=str)],
    not_available=[Open(row=str, path=PLACE["path"])],
    referenced=[Open(**PLACE, role=str, **{key: Perhaps(form) for key, form in DIGESTS.items()})],
)
OF_THE_LICENCE = Open({key: DIGESTS[key] for key in ("bytes", "git_blob_sha1")})


class Record(NamedTuple):
    """The parsed record. ``files`` are redistributed, ``not_available`` are known to lack, ``referenced`` stay upstream.

    ``obtained`` explains, for each way in which files were obtained, how far that verifies them.
    """

    acquired: str
    obtained: dict
    files: list
    not_available: list
    referenced: list


def load(bundle: Bundle) -> Record:
    """Return the acquisition record of a bundle; raises BundleError if it is missing or not of its form."""
    raw = parse_json(bundle.read(RECORD), RECORD)
    raise_if_any(shape.problems(raw, SHAPE, RECORD))
    record = Record(*(raw[field] for field in Record._fields))
    raise_if_any(_problems(record))
    return record


def _problems(record: Record) -> list[Problem]:
    """Return what the record as a whole must hold and does not: known grades, each file once, the summary, two references."""
    grades = wording.one_of(record.obtained)
    problems = [
        Problem(RECORD, f"files[{number}].obtained", found=shown(entry["obtained"]), expected=grades)
        for number, entry in enumerate(record.files)
        if entry["obtained"] not in record.obtained
    ]
    names = [entry["file"] for entry in record.files]
    roles = [entry["role"] for entry in record.referenced]
    wanted = [("files", name, names) for name in dict.fromkeys((CSV, JSON, *sorted(names)))]
    wanted += [("referenced", role, roles) for role in (CHECKER_ROLE, LICENCE_ROLE)]
    problems += [
        Problem(RECORD, part, name, f"{entries.count(name)} entries", "one entry")
        for part, name, entries in wanted
        if entries.count(name) != 1
    ]
    for entry in record.referenced:
        if entry["role"] == LICENCE_ROLE:
            problems += shape.problems(entry, OF_THE_LICENCE, RECORD, LICENCE_ROLE)
    return problems


def referenced(record: Record, role: str) -> dict:
    """Return the one referenced file of a role, which is CHECKER_ROLE or LICENCE_ROLE."""
    return next(entry for entry in record.referenced if entry["role"] == role)


def results_repository(record: Record) -> dict:
    """Return the repository and the commit that the summary, and so every log, belongs to."""
    summary = next(entry for entry in record.files if entry["file"] == CSV)
    return {key: summary[key] for key in ("repository", "commit")}


def raw_url(repository: str, commit: str, path: str) -> str:
    """Return where GitHub serves the bytes of a file at a commit, percent-encoded."""
    from urllib.parse import quote  # here, because only the manifest and acquire.py need it

    owner_and_name = repository.split("/", 3)[3]
    return f"https://raw.githubusercontent.com/{owner_and_name}/{commit}/{quote(path)}"


def read_sources(bundle: Bundle, record: Record) -> dict[str, bytes]:
    """Return name -> bytes of every recorded file; raises BundleError with all that are missing or unreadable."""
    return gather_all(bundle.read, (entry["file"] for entry in record.files))


def differing(entry: dict, raw: bytes) -> tuple[str, str] | None:
    """Return (field, found) of the first digest that an entry records and ``raw`` does not have, None if all agree."""
    for field, found in digests(raw).items():
        if field in entry and entry[field] != found:
            return field, str(found)
    return None


def digest_problems(record: Record, contents: dict[str, bytes]) -> list[Problem]:
    """Return how the recorded files, and the licence, that are in ``contents`` differ from the record."""
    problems = []
    hint = "The file is not the one that was acquired; fetch the bundle again, or run acquire.py."
    for entry in (*record.files, {**referenced(record, LICENCE_ROLE), "file": LICENCE}):
        name = entry["file"]
        if name in contents and (difference := differing(entry, contents[name])):
            field, found = difference
            problems.append(Problem(name, "", field, found, f"{entry[field]} ({RECORD})", hint))
    return problems
