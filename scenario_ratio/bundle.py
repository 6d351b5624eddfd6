"""Which files make up the bundle, found without Git, so that a checkout and an unpacked archive agree."""

from __future__ import annotations

import os
import re
import stat
from fnmatch import fnmatchcase
from pathlib import Path

from scenario_ratio.files import read_bytes, read_regular
from scenario_ratio.pinned import ARCHIVE, CRATE, PAGE, SUMS
from scenario_ratio.problems import BundleError, Problem, raise_if_any

# Made last, from all the rest, so in no list and not in the archive: the archive, and the page that holds its digest.
LAST = (ARCHIVE, PAGE)

# What never belongs to the bundle, matched against each part of a path; a folder ends in a slash.
# .gitignore says the same, but for what Git itself leaves out.
IGNORED = (
    "__pycache__/", ".venv/", "node_modules/", ".hypothesis/", ".ruff_cache/", ".coverage", ".ipynb_checkpoints/",
    "acquired/", "*.partial", ".DS_Store", ".idea/", ".vscode/", "venv/", "env/", *LAST,
)  # fmt: skip
GIT = (".git", ".git/")  # a file in a linked work tree

# What the scripts write, so what may stand in another folder than the rest.
DERIVED = (
    "README.md", "results.json", "data/selected_rows.json", "scenario-ratios.svg", "ratio-distribution.svg", "latency-headroom.svg",
    "article.html", "analysis.ipynb", "provenance.json", "qa/offline-validation.json", CRATE, SUMS,
)  # fmt: skip

_NAME = re.compile(r"[A-Za-z0-9._+@=,-]+", re.ASCII)
_NAME_RULE = "only letters, digits and . _ + @ = , - in names"


def scan(root: Path) -> tuple[list[str], list[Problem]]:
    """Return (names of the bundle's files, sorted by code point; what is there and cannot belong to a bundle).

    A name is relative to ``root``, with '/'. A symbolic link, a device and a name that a checksum list or an
    archive cannot carry everywhere are problems, not names.
    """
    names, problems, folders = [], [], [""]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(root / folder) as entries:
                modes = {entry.name: entry.stat(follow_symlinks=False).st_mode for entry in entries}
        except OSError as error:
            where, reason = folder.rstrip("/") or os.fspath(root), error.strerror
            problems.append(Problem(where, found=reason, expected="a readable folder", missing=True))
            continue
        for name, mode in modes.items():
            if _ignored(name, mode):
                continue
            problem = _problem(folder + name, name, mode)
            if problem:
                problems.append(problem)
            elif stat.S_ISDIR(mode):
                folders.append(f"{folder}{name}/")
            else:
                names.append(folder + name)
    return sorted(names), sorted(problems)


def _ignored(name: str, mode: int) -> bool:
    own = name + "/" * stat.S_ISDIR(mode)
    return any(fnmatchcase(own, pattern) for pattern in IGNORED + GIT)


def _problem(path: str, name: str, mode: int) -> Problem | None:
    """Return why an entry of a folder cannot belong to a bundle, None if it can."""
    if not _NAME.fullmatch(name):
        return Problem(ascii(path)[1:-1], found="an unusual character", expected=_NAME_RULE)
    if stat.S_ISDIR(mode) or stat.S_ISREG(mode):
        return None
    kind = "a symbolic link" if stat.S_ISLNK(mode) else "a device or socket"
    return Problem(path, found=kind, expected="a regular file")


def tracked_files(root: Path, output: Path | None = None) -> list[str]:
    """Return the names of all files of the bundle at ``root``, sorted, with the derived files that ``output`` holds.

    Raises BundleError with everything there that cannot belong to a bundle; see scan.
    """
    names, problems = scan(root)
    raise_if_any(problems)
    made = [name for name in DERIVED if output is not None and os.path.lexists(output / name)]
    return sorted({*names, *made})


def contents(root: Path, output: Path, without: tuple = ()) -> dict[str, bytes]:
    """Return name -> bytes of all files of the bundle but ``without``, sorted by name.

    A derived file is read from ``output`` if it is there, else from ``root``. Raises BundleError with everything
    that cannot be read.
    """
    files, problems = readable(root, output, without)
    raise_if_any(problems)
    return files


def readable(root: Path, output: Path, without: tuple = ()) -> tuple[dict[str, bytes], list[Problem]]:
    """Return (what contents returns, as far as it can be read; everything that cannot be, or cannot belong to a bundle)."""
    names, problems = scan(root)
    made = {name for name in DERIVED if os.path.lexists(output / name)}
    files = {}
    for name in sorted({*names, *made}.difference(without)):
        try:  # the scan found no link in the folders of root
            files[name] = read_bytes(output, name) if name in made else read_regular(os.path.join(root, name), name)
        except BundleError as error:
            problems += error.problems
    return files, list(dict.fromkeys(problems))
