"""What closes the bundle: the citation, the crate, the sums, the archive.

- CITATION.cff: how to cite the bundle, and what it goes back to (Citation File Format 1.2.0)
- ro-crate-metadata.json: the bundle as a research object, every file with its size, type and digest (RO-Crate 1.1)
- SHA256SUMS: the SHA-256 of every file, in the form that sha256sum -c reads
- reproducibility.zip: all of it, byte for byte the same on every system: fixed order, times and modes
"""

from __future__ import annotations

import io
import json
import re
import textwrap
import zipfile
from pathlib import PurePosixPath

from scenario_ratio import pinned, wording
from scenario_ratio.bundle import Bundle
from scenario_ratio.files import decode, json_bytes, sha256
from scenario_ratio.pinned import CHECKER_ROLE, CRATE, FOLDER, ROUND, SUMS
from scenario_ratio.problems import BundleError, Problem, raise_if_any, shown
from scenario_ratio.upstream import record as acquisition

SPECIFICATION = "https://w3id.org/ro/crate/1.1"
SHA256_TERM = "https://schema.org/sha256"  # newer than the context of RO-Crate 1.1
LICENCE = {
    "@id": "https://www.apache.org/licenses/LICENSE-2.0",
    "@type": "CreativeWork",
    "name": "Apache License 2.0",
    "identifier": "Apache-2.0",
}
NAME = f"{pinned.TITLE}: {wording.BENCHMARK} Inference {ROUND}"
SUBJECT = (
    f"Every ratio of a Server rate to the Offline rate of the same system and model in {wording.BENCHMARK} "
    f"{wording.SUITE} {ROUND}, recomputed from the released summary and compared with the logs at hand"
)
CAUTION = f"The ratios are derived. {wording.UNVERIFIED}"
DESCRIPTION = f"{SUBJECT}: the data, the scripts, what they write, and where each upstream file comes from. {CAUTION}"
CITED = "scenario_ratio/text/citation.cff"  # with a place for each thing that is chosen
MEDIA_TYPES = {
    ".csv": "text/csv", ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript",
    ".py": "text/x-python", ".md": "text/markdown", ".svg": "image/svg+xml", ".json": "application/json",
    ".ipynb": "application/x-ipynb+json", ".cff": "application/yaml", ".toml": "application/toml",
    ".wasm": "application/wasm", ".zip": "application/zip",
}  # fmt: skip

UNIX = 3  # what zipfile says everywhere but on Windows
PLAIN, SCRIPT = 0o100644, 0o100755

_LINE = re.compile(r"[0-9a-f]{64}  \S+", re.ASCII)


def make_citation(bundle: Bundle) -> bytes:
    """Return CITATION.cff, which follows from what is pinned alone."""
    quoted = {
        "title": NAME,
        "released": pinned.RELEASED,
        "results_title": f"{wording.BENCHMARK} Inference {ROUND} results",
        "results_repository": pinned.RESULTS_REPOSITORY,
        "checker_title": f"{wording.BENCHMARK} Inference reference implementations and submission checker",
        "checker_repository": pinned.CHECKER_REPOSITORY,
    }
    text = decode(bundle.asset(CITED), CITED).format(
        abstract=textwrap.indent(textwrap.fill(f"{SUBJECT}. {CAUTION}", 118, break_on_hyphens=False), "  "),
        version=pinned.VERSION,
        results_commit=pinned.RESULTS_COMMIT,
        checker_commit=pinned.CHECKER_COMMIT,
        **{key: json.dumps(value, ensure_ascii=False) for key, value in quoted.items()},  # as YAML quotes a text too
    )
    return text.encode("utf-8")


def make_crate(bundle: Bundle) -> bytes:
    """Return ro-crate-metadata.json: the crate of all files but itself, the sums and what is made on demand."""
    record = bundle.once(acquisition.load)
    upstream = []
    for source in (acquisition.results_repository(record), acquisition.referenced(record, CHECKER_ROLE)):
        repository, commit = source["repository"], source["commit"]
        name = repository.split("/", 3)[3]
        work = {"@id": f"{repository}/tree/{commit}", "@type": "CreativeWork", "name": name, "version": commit}
        upstream.append(work)
    parts = [
        {
            "@id": name,
            "@type": "File",
            "contentSize": str(len(raw)),  # in bytes, and text, as schema.org has it
            "encodingFormat": media_type(name, raw),
            "sha256": sha256(raw),
        }
        for name, raw in bundle.contents(without=(CRATE, SUMS)).items()
    ]
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": NAME,
        "description": DESCRIPTION,
        "datePublished": record.acquired,  # not the day on which the crate was made
        "license": {"@id": LICENCE["@id"]},
        "isBasedOn": [{"@id": entity["@id"]} for entity in upstream],
        "hasPart": [{"@id": part["@id"]} for part in parts],
    }
    form, about = {"@id": SPECIFICATION}, {"@id": root["@id"]}
    descriptor = {"@id": CRATE, "@type": "CreativeWork", "conformsTo": form, "about": about}
    context = [f"{SPECIFICATION}/context", {"sha256": SHA256_TERM}]
    return json_bytes({"@context": context, "@graph": [descriptor, root, *parts, LICENCE, *upstream]})


def media_type(name: str, raw: bytes) -> str:
    """Return the media type of a file by its name; of any other plain text, or bytes if it holds a NUL."""
    return MEDIA_TYPES.get(PurePosixPath(name).suffix, "application/octet-stream" if b"\0" in raw else "text/plain")


def make_sums(bundle: Bundle) -> bytes:
    """Return SHA256SUMS: digest, two blanks, name of every file but this list and what is made on demand, in order of names."""
    files = bundle.contents(without=(SUMS,))
    return "".join(f"{sha256(raw)}  {name}\n" for name, raw in files.items()).encode("ascii")


def parse_sums(raw: bytes) -> dict[str, str]:
    """Return name -> SHA-256 of the lines of SHA256SUMS; raises BundleError with every line that is none.

    That the names are in order, each once, is found where the list is made again and its bytes compared.
    """
    lines = decode(raw, SUMS).removesuffix("\n").split("\n")
    expected = "a SHA-256, two blanks and a name"
    wrong = [(number, line) for number, line in enumerate(lines, 1) if not _LINE.fullmatch(line)]
    raise_if_any([Problem(SUMS, f"line {number}", "", shown(line), expected) for number, line in wrong])
    return {name: digest for digest, name in (line.split("  ") for line in lines)}


def sums_problems(bundle: Bundle) -> list[Problem]:
    """Return where the files of the bundle are not those that SHA256SUMS lists: unreadable, changed, missing, on no list."""
    try:
        listed = parse_sums(bundle.saved(SUMS))
    except BundleError as error:
        return list(error.problems)
    files, problems = bundle.readable((SUMS,), bundle.saved)
    for name in sorted({*files, *listed}.difference(problem.file for problem in problems)):
        if name not in files:
            problems.append(Problem(name, "", "", "no such file", f"the file that {SUMS} lists", missing=True))
        elif name not in listed:
            problems.append(Problem(name, found="a file on no list", expected=f"only the files that {SUMS} lists"))
        elif sha256(files[name]) != listed[name]:
            expected, hint = f"{listed[name]} ({SUMS})", "Fetch the bundle again, or run reproduce.py."
            problems.append(Problem(name, "", "sha256", sha256(files[name]), expected, hint))
    return problems


def make_archive(bundle: Bundle) -> bytes:
    """Return reproducibility.zip: all files of the bundle, sorted by name, in one folder.

    The files are stored, not deflated, because what zlib writes depends on its version. One that names its
    interpreter in its first line can be run.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        for name, raw in bundle.contents().items():
            member = zipfile.ZipInfo(f"{FOLDER}/{name}")  # dated 1980-01-01 and stored, unless told otherwise
            member.create_system = UNIX
            member.external_attr = (SCRIPT if raw.startswith(b"#!") else PLAIN) << 16
            target.writestr(member, raw)
    return packed.getvalue()
