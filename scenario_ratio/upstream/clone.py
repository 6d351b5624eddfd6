"""A results repository on disk: read from an unpacked folder, or from Git's object store at a commit.

From a folder only the files that are asked for are opened, each by its whole path; no folder is listed, so the number of
files in the repository does not matter. Nothing outside the folder is read, whatever a path says. From the object store
files are read as the commit has them, and nothing is checked out.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from scenario_ratio import wording
from scenario_ratio.files import read_bytes
from scenario_ratio.problems import BundleError, Problem, gather_all, raise_if_any, shown
from scenario_ratio.upstream.layouts import LAYOUTS, Layout

SUMMARY_LIMIT = 50_000_000  # bytes; the largest summary so far, of v5.1, has 2,221,336
LOG_LIMIT = 1_000_000  # bytes; a summary log has about 4,000
PATH_LIMIT = 1_000  # characters; the longest path so far has about 170


def read_summary(root: Path) -> tuple[Layout, dict[str, bytes]]:
    """Return the layout of the summary at the top of the folder ``root``, and name -> bytes of its files.

    Raises BundleError if ``root`` is no folder, if no layout's files are there, and with every file of the layout
    that cannot be read.
    """
    if not root.is_dir():
        expected = "a clone of a results repository"
        raise BundleError(Problem(".", found="no such folder", expected=expected, missing=True))
    # a file that will be refused when it is read, such as a link to nowhere, tells the layout too
    layout = next((one for one in LAYOUTS if any(os.path.lexists(root / name) for name in one.files)), None)
    if layout is None:
        expected = wording.alternatives(wording.together(one.files) for one in LAYOUTS)
        raise BundleError(Problem(".", found="no summary", expected=expected))
    return layout, gather_all(lambda name: read_bytes(root, name, SUMMARY_LIMIT), layout.files)


def read_log(root: Path, path: str) -> bytes:
    """Return the bytes of the log at ``path`` below ``root``; raises BundleError, by the rules of files.read_bytes."""
    if not path.isprintable() or len(path) > PATH_LIMIT:
        expected = f"at most {PATH_LIMIT} printable characters"
        raise BundleError(Problem(shown(path), found="no path of a log", expected=expected))
    return read_bytes(root, path, LOG_LIMIT)


class Clones:
    """Some local clones, and which of them holds which commit."""

    def __init__(self, folders: list[Path]):
        """Raises BundleError with every folder that Git does not know as a repository."""
        self._folders = folders
        self._holder: dict[str, Path | None] = {}
        problems = []
        for folder in folders:
            code, _, message = _git(folder, "rev-parse", "--git-dir")
            if code:
                problems.append(Problem(os.fspath(folder), found=message, expected="a clone", missing=True))
        raise_if_any(problems)

    def read(self, name: str, commit: str, path: str) -> bytes:
        """Return the bytes of ``path`` at ``commit``; raises BundleError, calling the file ``name``, if no clone has it."""
        if commit not in self._holder:
            held = (folder for folder in self._folders if not _git(folder, "cat-file", "-e", f"{commit}^{{commit}}")[0])
            self._holder[commit] = next(held, None)
        folder = self._holder[commit]
        if folder is None:
            found = f"no clone with the commit {commit}"
            hint = f"Run 'git fetch origin {commit}' in the clone of its repository."
            raise BundleError(Problem(name, found=found, expected="that commit in a clone", hint=hint))
        code, raw, message = _git(folder, "cat-file", "blob", f"{commit}:{path}")
        if code:
            raise BundleError(Problem(name, found=message, expected=f"the file in commit {commit}"))
        return raw


def _git(folder: Path, *arguments: str) -> tuple[int, bytes, str]:
    """Return (exit code, output, first line of what Git says went wrong) of a command in ``folder``."""
    surroundings = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    surroundings["LC_ALL"] = "C"
    # a replaced object would stand in for the one that the commit names
    command = ["git", "--no-replace-objects", "-C", os.fspath(folder), *arguments]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env=surroundings)
    except OSError:
        hint = "Install Git, or leave --clone out."
        raise BundleError(Problem("git", found="no such program", expected="Git", hint=hint, missing=True)) from None
    lines = done.stderr.decode("utf-8", "backslashreplace").splitlines() or [f"exit code {done.returncode}"]
    return done.returncode, done.stdout, lines[0].removeprefix("fatal: ")
