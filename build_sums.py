#!/usr/bin/env python3
"""Write SHA256SUMS: the SHA-256 of every file of the bundle, in the form that sha256sum -c reads."""

from __future__ import annotations

from pathlib import Path

from scenario_ratio import bundle, cli
from scenario_ratio.files import sha256


def sums(files: dict[str, bytes]) -> bytes:
    """Return a line for each file, sorted by name: digest, two blanks, name."""
    return "".join(f"{sha256(files[name])}  {name}\n" for name in sorted(files)).encode("ascii")


def outputs(root: Path, output: Path) -> dict[str, bytes]:
    """Return name -> bytes of what this script writes: the sums of all files but this list and the archive."""
    return {bundle.SUMS: sums(bundle.contents(root, output, without=(bundle.SUMS,)))}


if __name__ == "__main__":
    cli.run(lambda: cli.produce(__doc__, outputs))
