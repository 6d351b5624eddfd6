#!/usr/bin/env python3
"""Pack the bundle into reproducibility.zip, byte for byte the same on every system: fixed order, times and modes."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from scenario_ratio import bundle, cli

FOLDER = "server-offline-ratio"  # the one folder that unpacking makes
UNIX = 3  # what zipfile says everywhere but on Windows
PLAIN, SCRIPT = 0o100644, 0o100755


def archive(files: dict[str, bytes]) -> bytes:
    """Return a zip of ``files``, sorted by name, in one folder.

    The files are stored, not deflated, because what zlib writes depends on its version. One that names its
    interpreter in its first line can be run.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        for name in sorted(files):
            member = zipfile.ZipInfo(f"{FOLDER}/{name}")  # dated 1980-01-01 and stored, unless told otherwise
            member.create_system = UNIX
            member.external_attr = (SCRIPT if files[name].startswith(b"#!") else PLAIN) << 16
            target.writestr(member, files[name])
    return packed.getvalue()


def outputs(root: Path, output: Path) -> dict[str, bytes]:
    """Return name -> bytes of what this script writes: the archive of all files of the bundle."""
    return {bundle.ARCHIVE: archive(bundle.contents(root, output))}


if __name__ == "__main__":
    cli.run(lambda: cli.produce(__doc__, outputs))
