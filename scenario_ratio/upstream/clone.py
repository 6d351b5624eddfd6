"""Reading files out of local clones at a commit, from Git's object store; nothing is checked out."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from scenario_ratio.problems import BundleError, Problem, raise_if_any

# A replaced object would stand in for the one that the commit names.
_GIT = ("git", "--no-replace-objects")


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
    command = [*_GIT, "-C", os.fspath(folder), *arguments]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, env={**surroundings, "LC_ALL": "C"}
        )
    except OSError:
        hint = "Install Git, or leave --clone out."
        raise BundleError(Problem("git", found="no such program", expected="Git", hint=hint, missing=True)) from None
    lines = done.stderr.decode("utf-8", "backslashreplace").splitlines() or [f"exit code {done.returncode}"]
    return done.returncode, done.stdout, lines[0].removeprefix("fatal: ")
