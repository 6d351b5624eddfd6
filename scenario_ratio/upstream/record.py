"""The acquisition record: which upstream files the bundle holds, which it lacks, and whether they are whole."""

from __future__ import annotations

import re
from typing import NamedTuple

from scenario_ratio.bundle import Bundle
from scenario_ratio.files import git_blob_sha1, parse_json, sha256
from scenario_ratio.pinned import CHECKER_ROLE, CSV, JSON, LICENCE, LICENCE_ROLE, RECORD
from scenario_ratio.problems import BundleError, Problem, raise_if_any, shown

SUMMARIES = (CSV, JSON)

FILE_FIELDS = {
    "file": str, "repository": str, "commit": str, "path": str, "bytes": int, "sha256": str, "git_blob_sha1": str, "obtained": str,
}  # fmt: skip
PARTS = {
    "files": FILE_FIELDS,
    "not_available": {"row": str, "path": str},
    "referenced": {"repository": str, "commit": str, "path": str, "role": str},
}
_INSIDE = r"(?!\.{0,2}/)(?!.*/\.{0,2}(?:/|$))(?!\.{1,2}$)"  # no part of a path is empty, '.' or '..'
FORMS = {
    "acquired": (r"[0-9]{4}-[01][0-9]-[0-3][0-9]", "a date, YYYY-MM-DD"),
    "repository": (r"https://github\.com/[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+", "https://github.com/OWNER/NAME"),
    "commit": (r"[0-9a-f]{40}", "40 hexadecimal digits"),
    "git_blob_sha1": (r"[0-9a-f]{40}", "40 hexadecimal digits"),
    "sha256": (r"[0-9a-f]{64}", "64 hexadecimal digits"),
    "file": (rf"{_INSIDE}(?:data|sources)/[A-Za-z0-9._+@=,/-]+", "a file below data/ or sources/"),
    "path": (rf"{_INSIDE}[A-Za-z0-9._+@=,/ ()-]+", "a relative path without '..'"),
}  # what the strings look like wherever they stand; fullmatch


class Record(NamedTuple):
    """The parsed record. ``files`` are redistributed, ``not_available`` are known to lack, ``referenced`` stay upstream."""

    acquired: str
    obtained: dict
    files: list
    not_available: list
    referenced: list


def load(bundle: Bundle) -> Record:
    """Return the acquisition record of a bundle; raises BundleError if it is missing or not of its form."""
    raw = parse_json(bundle.read(RECORD), RECORD)
    if not isinstance(raw, dict):
        raise BundleError(Problem(RECORD, found=shown(raw), expected="an object"))
    raise_if_any(
        [
            Problem(RECORD, field=key, found=shown(raw.get(key)), expected=kind.__name__)
            for key, kind in {"acquired": str, "obtained": dict, **dict.fromkeys(PARTS, list)}.items()
            if not isinstance(raw.get(key), kind)
        ]
    )
    problems = _form_problems("", {"acquired": raw["acquired"]}, ())
    problems += _type_problems("obtained", raw["obtained"], dict.fromkeys(raw["obtained"], str))
    for part, fields in PARTS.items():
        for number, entry in enumerate(raw[part]):
            place = f"{part}[{number}]"
            wrong = _type_problems(place, entry, fields)
            problems += wrong or _form_problems(place, entry, raw["obtained"])
    raise_if_any(problems)
    record = Record(*(raw[field] for field in Record._fields))
    raise_if_any(_entry_problems(record))
    return record


def _type_problems(place: str, entry: object, fields: dict) -> list[Problem]:
    """Return which of its fields an entry of the record lacks, or holds with another type."""
    values = entry if isinstance(entry, dict) else {}
    return [
        Problem(RECORD, place, field, shown(values.get(field)), kind.__name__)
        for field, kind in fields.items()
        if type(values.get(field)) is not kind
    ]


def _form_problems(place: str, entry: dict, grades: object) -> list[Problem]:
    """Return which values of an entry have the right type and cannot be what their field says."""
    problems = [
        Problem(RECORD, place, field, shown(entry[field]), expected)
        for field, (form, expected) in FORMS.items()
        if field in entry and not (isinstance(entry[field], str) and re.fullmatch(form, entry[field], re.ASCII))
    ]
    if "bytes" in entry and not (type(entry["bytes"]) is int and entry["bytes"] >= 0):
        problems.append(Problem(RECORD, place, "bytes", shown(entry["bytes"]), "a number of bytes"))
    if "obtained" in entry and entry["obtained"] not in grades:
        expected = f"one of {', '.join(grades)}"
        problems.append(Problem(RECORD, place, "obtained", shown(entry["obtained"]), expected))
    return problems


def _entry_problems(record: Record) -> list[Problem]:
    """Return what the record as a whole must hold and does not: each file once, the summaries, two references."""
    names = [entry["file"] for entry in record.files]
    roles = [entry["role"] for entry in record.referenced]
    wanted = [("files", name, names) for name in SUMMARIES]
    wanted += [("referenced", role, roles) for role in (CHECKER_ROLE, LICENCE_ROLE)]
    wanted += [("files", name, names) for name in sorted(set(names) - set(SUMMARIES))]
    problems = [
        Problem(RECORD, part, name, f"{entries.count(name)} entries", "one entry")
        for part, name, entries in wanted
        if entries.count(name) != 1
    ]
    licence = [entry for entry in record.referenced if entry["role"] == LICENCE_ROLE]
    if len(licence) == 1:
        problems += _type_problems(LICENCE_ROLE, licence[0], {"bytes": int, "git_blob_sha1": str})
    return problems


def referenced(record: Record, role: str) -> dict:
    """Return the one referenced file of a role."""
    return next(entry for entry in record.referenced if entry["role"] == role)


def results_repository(record: Record) -> dict:
    """Return the repository and the commit that the summary, and so every log, belongs to."""
    summary = next(entry for entry in record.files if entry["file"] == SUMMARIES[0])
    return {key: summary[key] for key in ("repository", "commit")}


def raw_url(repository: str, commit: str, path: str) -> str:
    """Return where GitHub serves the bytes of a file at a commit, percent-encoded."""
    from urllib.parse import quote  # here, because only the manifest and acquire.py need it

    owner_and_name = repository.split("/", 3)[3]
    return f"https://raw.githubusercontent.com/{owner_and_name}/{commit}/{quote(path)}"


def read_sources(bundle: Bundle, record: Record) -> dict[str, bytes]:
    """Return name -> bytes of every recorded file; raises BundleError with all that are missing or unreadable."""
    contents, problems = {}, []
    for entry in record.files:
        try:
            contents[entry["file"]] = bundle.read(entry["file"])
        except BundleError as error:
            problems += error.problems
    raise_if_any(problems)
    return contents


def differing(entry: dict, raw: bytes) -> tuple[str, str] | None:
    """Return (field, found) of the first digest that an entry records and ``raw`` does not have, None if all agree.

    The fields are length in bytes, SHA-256 and Git blob SHA-1; an entry may record fewer.
    """
    for field, digest in (("bytes", len), ("sha256", sha256), ("git_blob_sha1", git_blob_sha1)):
        if field in entry and digest(raw) != entry[field]:
            return field, str(digest(raw))
    return None


def digest_problems(record: Record, contents: dict[str, bytes]) -> list[Problem]:
    """Return how the recorded files, and the licence, that are in ``contents`` differ from the record."""
    problems = []
    hint = "The file is not the one that was acquired; fetch the bundle again, or run acquire.py."
    for entry in (*record.files, {**referenced(record, LICENCE_ROLE), "file": LICENCE}):
        raw = contents.get(entry["file"])
        difference = None if raw is None else differing(entry, raw)
        if difference:
            field, found = difference
            problems.append(Problem(entry["file"], "", field, found, f"{entry[field]} ({RECORD})", hint))
    return problems
