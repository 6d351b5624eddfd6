"""The manifest: every upstream file with its origin, its digests, and how far its identity is verified.

Made from the files and the acquisition record; nothing is fetched.
"""

from __future__ import annotations

from scenario_ratio import pinned
from scenario_ratio.bundle import Bundle, scanned
from scenario_ratio.files import digests, json_bytes
from scenario_ratio.problems import Problem, gather, raise_if_any
from scenario_ratio.upstream.record import Record, digest_problems, load, raw_url, referenced, results_repository

# The bundle's own sources: name -> (how it came about, role of the referenced file that it goes back to).
OWN_SOURCES = {
    pinned.RECORD: ("The record of the acquisition, from which this manifest is made.", None),
    pinned.CONSTANTS: (
        "Written for this bundle from figures of the referenced file. The note says where they were read.",
        pinned.CHECKER_ROLE,
    ),
    pinned.LICENCE: (
        "The licence of the redistributed files. Its Git blob SHA-1 is the one of the referenced file.",
        pinned.LICENCE_ROLE,
    ),
}
OWN_DATA = (pinned.CLAIMS, pinned.ROUNDS)  # below data/, written for this bundle


def make_manifest(bundle: Bundle) -> bytes:
    """Return provenance.json, the manifest of the upstream files.

    Sizes in bytes; every digest is computed from the file as it is. Raises BundleError with every file that is
    missing, changed, not a regular file or on no list.
    """
    record = bundle.once(load)
    contents = checked_contents(bundle, record)
    results = results_repository(record)
    obtained = [entry["obtained"] for entry in record.files]
    grades = [
        {"obtained": grade, "files": obtained.count(grade), "verified": explanation}
        for grade, explanation in record.obtained.items()
    ]
    own = []
    for name, (how, role) in OWN_SOURCES.items():
        upstream = {"upstream": origin(referenced(record, role))} if role else {}
        own.append({"file": name, "how": how, **_digests(contents[name]), **upstream})
    manifest = {
        "acquired": record.acquired,
        "grades": grades,
        "files": [
            {"file": entry["file"], **origin(entry), **_digests(contents[entry["file"]]), "obtained": entry["obtained"]}
            for entry in record.files
        ],
        "not_available": [{"row": entry["row"], **origin({**results, **entry})} for entry in record.not_available],
        "referenced": [{**origin(entry), **entry} for entry in record.referenced],
        "own_sources": own,
    }
    return json_bytes(manifest)


def _digests(raw: bytes) -> dict:
    return dict(sorted(digests(raw).items()))


def origin(entry: dict) -> dict:
    """Return where a file of the record comes from: repository, commit, path, and the URL of its bytes."""
    place = {key: entry[key] for key in ("repository", "commit", "path")}
    return {**place, "url": raw_url(**place)}


def checked_contents(bundle: Bundle, record: Record) -> dict[str, bytes]:
    """Return name -> bytes of each file of the record and of the bundle's own sources.

    Raises BundleError with every one that is missing or changed, and with all below data/ and sources/ that does not
    belong there.
    """
    names = [*(entry["file"] for entry in record.files), *OWN_SOURCES]
    contents, problems = gather(bundle.read, names)
    found, wrong = bundle.once(scanned)
    own = {*names, *OWN_DATA, *bundle.rows}
    expected = f"only the files of {pinned.RECORD} and the bundle's own"
    extra = [problem for problem in wrong if problem.file not in names]
    extra += [Problem(name, found="a file on no list", expected=expected) for name in found if name not in own]
    problems += digest_problems(record, contents)
    raise_if_any(problems + [problem for problem in extra if problem.file.startswith(("data/", "sources/"))])
    return contents
