#!/usr/bin/env python3
"""Write SHA256SUMS: the SHA-256 of every file of the bundle, in the form that sha256sum -c reads."""

from __future__ import annotations

import re
from pathlib import Path

from scenario_ratio import bundle, cli
from scenario_ratio.bundle import SUMS
from scenario_ratio.files import decode, read_bytes, sha256
from scenario_ratio.problems import BundleError, Problem, raise_if_any, shown

_LINE = re.compile(r"([0-9a-f]{64})  (\S+)", re.ASCII)


def sums(files: dict[str, bytes]) -> bytes:
    """Return a line for each file, sorted by name: digest, two blanks, name."""
    return "".join(f"{sha256(files[name])}  {name}\n" for name in sorted(files)).encode("ascii")


def parse(raw: bytes) -> dict[str, str]:
    """Return name -> SHA-256 of the lines of SHA256SUMS; raises BundleError with every line not as ``sums`` has it."""
    lines = decode(raw, SUMS).split("\n")
    problems, digests, previous = [], {}, ""
    for number, line in enumerate(lines[:-1], 1):
        match = _LINE.fullmatch(line)
        if not match:
            expected = "a SHA-256, two blanks and a name"
            problems.append(Problem(SUMS, f"line {number}", found=shown(line), expected=expected))
        elif match[2] <= previous:
            problems.append(
                Problem(SUMS, f"line {number}", found=shown(match[2]), expected="names in order, each once")
            )
        else:
            previous = match[2]
            digests[previous] = match[1]
    if lines[-1]:
        problems.append(
            Problem(SUMS, f"line {len(lines)}", found="no line end", expected="one at the end of each line")
        )
    raise_if_any(problems)
    return digests


def problems(root: Path, output: Path) -> list[Problem]:
    """Return where the files of the bundle are not those that SHA256SUMS lists: unreadable, changed, missing, on no list."""
    try:
        listed = parse(read_bytes(output, SUMS))
    except BundleError as error:
        return list(error.problems)
    files, unreadable = bundle.readable(root, output, without=(SUMS,))
    told = {problem.file for problem in unreadable}
    changed = [(name, digest, sha256(files[name])) for name, digest in listed.items() if name in files]
    return [
        *unreadable,
        *(
            Problem(name, "", "sha256", found, f"{digest} ({SUMS})", "Fetch the bundle again, or run reproduce.py.")
            for name, digest, found in changed
            if found != digest
        ),
        *(
            Problem(name, found="no such file", expected=f"the file that {SUMS} lists", missing=True)
            for name in listed
            if name not in files and name not in told
        ),
        *(
            Problem(name, found="a file on no list", expected=f"only the files that {SUMS} lists")
            for name in files
            if name not in listed
        ),
    ]


def outputs(root: Path, output: Path) -> dict[str, bytes]:
    """Return name -> bytes of what this script writes: the sums of all files but this list and the archive."""
    return {SUMS: sums(bundle.contents(root, output, without=(SUMS,)))}


if __name__ == "__main__":
    cli.run(lambda: cli.produce(__doc__, outputs))
