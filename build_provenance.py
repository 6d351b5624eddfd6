#!/usr/bin/env python3
"""Write provenance.json: every upstream file with its origin, its digests, and how far its identity is verified.

Reads the files and the acquisition record, fetches nothing. Says which files are missing, changed or on no list.
"""

from __future__ import annotations

from pathlib import Path

from scenario_ratio import bundle, cli, pinned
from scenario_ratio.files import canonical_json, git_blob_sha1, read_bytes, sha256
from scenario_ratio.problems import BundleError, Problem, raise_if_any
from scenario_ratio.upstream import record as acquisition

PROVENANCE = "provenance.json"

# The bundle's own sources: name -> (how it came about, role of the referenced file that it goes back to).
OWN_SOURCES = {
    acquisition.RECORD: ("The record of the acquisition, from which this manifest is made.", None),
    pinned.CONSTANTS: (
        "Written for this bundle from the figures that the note of the referenced file calls checker_figures.json. "
        "The note says where they were read.",
        acquisition.CHECKER_ROLE,
    ),
    acquisition.LICENCE: (
        "The licence of the redistributed files. Its Git blob SHA-1 is the one of the referenced file.",
        acquisition.LICENCE_ROLE,
    ),
}
# Files below data/ that are computed, or written for this bundle; each may be absent here.
OWN_DATA = ("data/selected_rows.json", "data/claims.json", "data/rounds.json")


def provenance(root: Path) -> dict:
    """Return the manifest of the upstream files of the bundle at ``root``: what provenance.json holds.

    Sizes in bytes; every digest is computed from the file as it is. Raises BundleError with every file that is
    missing, changed, not a regular file or on no list.
    """
    record = acquisition.load(root)
    contents = checked_contents(root, record)
    results = acquisition.results_repository(record)
    return {
        "acquired": record.acquired,
        "grades": grades_of(record),
        "files": [
            {"file": entry["file"], **origin(entry), **digests(contents[entry["file"]]), "obtained": entry["obtained"]}
            for entry in record.files
        ],
        "not_available": [{"row": entry["row"], **origin({**results, **entry})} for entry in record.not_available],
        "referenced": [{**origin(entry), **entry} for entry in record.referenced],
        "own_sources": [
            {"file": name, "how": how, **digests(contents[name]), **own_origin(record, role)}
            for name, (how, role) in OWN_SOURCES.items()
        ],
    }


def own_origin(record: acquisition.Record, role: str | None) -> dict:
    """Return which referenced file a source of the bundle's own goes back to, if it does."""
    return {"upstream": origin(acquisition.referenced(record, role))} if role else {}


def origin(entry: dict) -> dict:
    """Return where a file of the record comes from: repository, commit, path, and the URL of its bytes."""
    place = {key: entry[key] for key in ("repository", "commit", "path")}
    return {**place, "url": acquisition.raw_url(**place)}


def digests(raw: bytes) -> dict:
    """Return the size in bytes, the Git blob SHA-1 and the SHA-256 of ``raw``."""
    return {"bytes": len(raw), "git_blob_sha1": git_blob_sha1(raw), "sha256": sha256(raw)}


def grades_of(record: acquisition.Record) -> list[dict]:
    """Return for each way in which files were obtained: how many, and how far that verifies their identity."""
    obtained = [entry["obtained"] for entry in record.files]
    return [
        {"obtained": grade, "files": obtained.count(grade), "verified": explanation}
        for grade, explanation in record.obtained.items()
    ]


def checked_contents(root: Path, record: acquisition.Record) -> dict[str, bytes]:
    """Return name -> bytes of each file of the record and of the bundle's own sources.

    Raises BundleError with every one that is missing or changed, and with every file that is on no list.
    """
    names = [*(entry["file"] for entry in record.files), *OWN_SOURCES]
    contents, problems = {}, []
    for name in names:
        try:
            contents[name] = read_bytes(root, name)
        except BundleError as error:
            problems += error.problems
    problems += acquisition.digest_problems(record, contents)
    raise_if_any(problems + extra_problems(root, names))
    return contents


def extra_problems(root: Path, read: list[str]) -> list[Problem]:
    """Return what lies below data/ and sources/, beside the files already ``read``, and does not belong there."""
    names, problems = bundle.scan(root)
    expected = f"only the files of {acquisition.RECORD} and the bundle's own"
    problems += [Problem(name, found="a file on no list", expected=expected) for name in names if name not in OWN_DATA]
    known = set(read)
    return [
        problem for problem in problems if problem.file.startswith(("data/", "sources/")) and problem.file not in known
    ]


def outputs(root: Path, output: Path) -> dict[str, bytes]:
    """Return name -> bytes of what this script writes, from ``root`` alone."""
    return {PROVENANCE: canonical_json(provenance(root))}


if __name__ == "__main__":
    cli.run(lambda: cli.produce(__doc__, outputs))
