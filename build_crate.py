#!/usr/bin/env python3
"""Write ro-crate-metadata.json: the bundle as a research object, every file with its size, type and digest (RO-Crate 1.1)."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from scenario_ratio import bundle, cli, pinned, wording
from scenario_ratio.bundle import CRATE, SUMS
from scenario_ratio.files import canonical_json, sha256
from scenario_ratio.upstream import record as acquisition

SPECIFICATION = "https://w3id.org/ro/crate/1.1"
SHA256_TERM = "https://schema.org/sha256"  # newer than the context of RO-Crate 1.1
LICENCE = {
    "@id": "https://www.apache.org/licenses/LICENSE-2.0",
    "@type": "CreativeWork",
    "name": "Apache License 2.0",
    "identifier": "Apache-2.0",
}
NAME = f"{pinned.TITLE}: {wording.BENCHMARK} Inference {pinned.ROUND}"
DESCRIPTION = (
    f"Every ratio of a Server rate to the Offline rate of the same system and model in {wording.BENCHMARK} "
    f"{wording.SUITE} {pinned.ROUND}, recomputed from the released summary and checked against the released logs: "
    f"the data, the scripts, what they write, and where each upstream file comes from. The ratios are derived. "
    f"{wording.UNVERIFIED}"
)
MEDIA_TYPES = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".ipynb": "application/x-ipynb+json",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".css": "text/css",
    ".js": "text/javascript",
    ".py": "text/x-python",
    ".md": "text/markdown",
    ".cff": "application/yaml",
    ".toml": "application/toml",
}  # any other file is plain text, or bytes if it holds a NUL


def crate(files: dict[str, bytes], record: acquisition.Record) -> dict:
    """Return the metadata of ``files`` as RO-Crate 1.1 lays it out.

    The crate is dated by the acquisition of its data, not by the day on which it was made.
    """
    upstream = _upstream(record)
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": NAME,
        "description": DESCRIPTION,
        "datePublished": record.acquired,
        "license": {"@id": LICENCE["@id"]},
        "isBasedOn": [{"@id": entity["@id"]} for entity in upstream],
        "hasPart": [{"@id": name} for name in sorted(files)],
    }
    descriptor = {
        "@id": CRATE,
        "@type": "CreativeWork",
        "conformsTo": {"@id": SPECIFICATION},
        "about": {"@id": root["@id"]},
    }
    return {
        "@context": [f"{SPECIFICATION}/context", {"sha256": SHA256_TERM}],
        "@graph": [descriptor, root, *(_file(name, files[name]) for name in sorted(files)), LICENCE, *upstream],
    }


def _file(name: str, raw: bytes) -> dict:
    """Return a file of the bundle as a data entity; its size is text in bytes, as schema.org has it."""
    plain = "application/octet-stream" if b"\0" in raw else "text/plain"
    return {
        "@id": name,
        "@type": "File",
        "contentSize": str(len(raw)),
        "encodingFormat": MEDIA_TYPES.get(PurePosixPath(name).suffix, plain),
        "sha256": sha256(raw),
    }


def _upstream(record: acquisition.Record) -> list[dict]:
    """Return the two repositories, each at its commit, that the bundle goes back to."""
    sources = (acquisition.results_repository(record), acquisition.referenced(record, acquisition.CHECKER_ROLE))
    return [
        {
            "@id": f"{source['repository']}/tree/{source['commit']}",
            "@type": "CreativeWork",
            "name": source["repository"].split("/", 3)[3],
            "version": source["commit"],
        }
        for source in sources
    ]


def outputs(root: Path, output: Path) -> dict[str, bytes]:
    """Return name -> bytes of what this script writes: the crate of all files but itself, the sums and the archive."""
    files = bundle.contents(root, output, without=(CRATE, SUMS))
    return {CRATE: canonical_json(crate(files, acquisition.load(root)))}


if __name__ == "__main__":
    cli.run(lambda: cli.produce(__doc__, outputs))
