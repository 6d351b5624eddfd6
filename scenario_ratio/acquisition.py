"""The acquisition record: which upstream files the bundle holds, which it lacks, and whether they are whole."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from scenario_ratio.files import (
    BundleError,
    Problem,
    git_blob_sha1,
    parse_json,
    raise_if_any,
    read_bytes,
    sha256,
    shown,
)

RECORD = "sources/acquisition.json"
FILE_FIELDS = {
    "file": str, "repository": str, "commit": str, "path": str, "bytes": int, "sha256": str, "git_blob_sha1": str, "obtained": str,
}  # fmt: skip
PARTS = {
    "files": FILE_FIELDS,
    "not_available": {"row": str, "path": str},
    "referenced": {"repository": str, "commit": str, "path": str, "role": str},
}


class Record(NamedTuple):
    """The parsed record. ``files`` are redistributed, ``not_available`` are known to lack, ``referenced`` stay upstream."""

    acquired: str
    obtained: dict
    files: list
    not_available: list
    referenced: list


def load(root: Path) -> Record:
    """Return the acquisition record of a bundle; raises BundleError if it is missing or not of its form."""
    raw = parse_json(read_bytes(root, RECORD), RECORD)
    if not isinstance(raw, dict):
        raise BundleError(Problem(RECORD, found=shown(raw), expected="an object"))
    problems = [
        Problem(RECORD, field=key, found=shown(raw.get(key)), expected=kind.__name__)
        for key, kind in {"acquired": str, "obtained": dict, **dict.fromkeys(PARTS, list)}.items()
        if not isinstance(raw.get(key), kind)
    ]
    raise_if_any(problems)
    for part, fields in PARTS.items():
        for number, entry in enumerate(raw[part]):
            for field, kind in fields.items():
                value = entry.get(field) if isinstance(entry, dict) else None
                if type(value) is not kind:
                    problems.append(Problem(RECORD, f"{part}[{number}]", field, shown(value), kind.__name__))
    raise_if_any(problems)
    return Record(*(raw[field] for field in Record._fields))


def read_sources(root: Path, record: Record) -> dict[str, bytes]:
    """Return name -> bytes of every recorded file; raises BundleError with all that are missing or unreadable."""
    contents, problems = {}, []
    for entry in record.files:
        try:
            contents[entry["file"]] = read_bytes(root, entry["file"])
        except BundleError as error:
            problems += error.problems
    raise_if_any(problems)
    return contents


def digest_problems(record: Record, contents: dict[str, bytes]) -> list[Problem]:
    """Return how the bytes of each recorded file differ from the record: length, SHA-256, Git blob SHA-1."""
    problems = []
    for entry in record.files:
        raw = contents[entry["file"]]
        found = {"bytes": len(raw), "sha256": sha256(raw), "git_blob_sha1": git_blob_sha1(raw)}
        differing = [field for field in found if found[field] != entry[field]]
        if differing:
            field = differing[0]
            hint = "The file is not the one that was acquired; fetch the bundle again, or run acquire.py."
            problems.append(Problem(entry["file"], "", field, str(found[field]), f"{entry[field]} ({RECORD})", hint))
    return problems
