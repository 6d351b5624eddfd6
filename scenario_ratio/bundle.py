"""The bundle: a row for each file that is made, what has been read and made in one run, and which files belong.

The files are found without Git, so that a checkout and an unpacked archive agree.
"""

from __future__ import annotations

import os
import re
import stat
from fnmatch import translate
from pathlib import Path
from typing import Callable, NamedTuple, TypeVar

from scenario_ratio.files import PROJECT, read_bytes, write_atomically
from scenario_ratio.problems import BundleError, Problem, gather, raise_if_any

Kept = TypeVar("Kept")

# Kinds that are made from all the rest, so are in no list and not in the archive, and are made on demand.
ON_DEMAND = ("archive", "browser page")

# What never belongs to the bundle, matched against each part of a path; one that ends in a slash names folders alone.
# .gitignore says the same, and what is made on demand besides; Git itself leaves its own files out.
IGNORED = (
    "__pycache__/", ".pytest_cache/", ".mypy_cache/", ".ruff_cache/", ".hypothesis/", ".ipynb_checkpoints/", ".coverage",
    ".venv/", "venv/", "env/", "node_modules/", "acquired/", "*.partial",
    ".idea/", ".vscode/", ".DS_Store", "._*", "__MACOSX/", "Thumbs.db", "desktop.ini", ".nfs*",
)  # fmt: skip

_IGNORED = re.compile("|".join(map(translate, (".git", *IGNORED))))
_NAME = re.compile(r"[A-Za-z0-9._+@=,-]+", re.ASCII)
_NAME_RULE = "only letters, digits and . _ + @ = , - in names"


class Artifact(NamedTuple):
    """A file that is made: its name, its kind (validation checks by kind), its script, and what returns its bytes."""

    name: str
    kind: str
    script: str
    make: Callable[[Bundle], bytes]


class Bundle:
    """The bundle in one run: every file is read once, what was just made is handed on, what was computed is kept.

    ``root`` holds what is read, ``output`` what is made; ``artifacts`` are the rows of what is made, ``rows`` by name.
    """

    def __init__(self, root: Path, output: Path | None = None, artifacts: tuple[Artifact, ...] = ()):
        apart = output is not None and os.path.realpath(output) != os.path.realpath(root)
        self.root, self.output, self.artifacts = root, output if apart else root, artifacts
        self.rows = {row.name: row for row in artifacts}
        self._read: dict[tuple[Path, str], bytes] = {}
        self._made: dict[str, bytes] = {}
        self._kept: dict[Callable, object] = {}

    def read(self, name: str) -> bytes:
        """Return a file as this run has it: just made, else saved in the output if it is an artifact, else of the root.

        What is made on demand is made. Raises BundleError as files.read_bytes does.
        """
        if name not in self.rows:
            return self.source(name)
        on_demand = self.rows[name].kind in ON_DEMAND
        return self.made(self.rows[name]) if on_demand or name in self._made else self.saved(name)

    def source(self, name: str) -> bytes:
        """Return a file as the root holds it; raises BundleError."""
        return self._read_once(self.root, name)

    def saved(self, name: str) -> bytes:
        """Return a file as the output holds it; raises BundleError."""
        return self._read_once(self.output, name)

    def asset(self, name: str) -> bytes:
        """Return a file that belongs to the code, such as 'web/style.css'; raises BundleError."""
        return self._read_once(self.root if self.root.resolve() == PROJECT else PROJECT, name)

    def _read_once(self, folder: Path, name: str) -> bytes:
        if (folder, name) not in self._read:
            self._read[folder, name] = read_bytes(folder, name)
        return self._read[folder, name]

    def once(self, load: Callable[[Bundle], Kept]) -> Kept:
        """Return ``load(self)``, computed the first time and kept; what it raises is not kept."""
        if load not in self._kept:
            self._kept[load] = load(self)
        return self._kept[load]

    def made(self, row: Artifact) -> bytes:
        """Return the bytes of an artifact, made the first time and handed on to whatever reads it later."""
        if row.name not in self._made:
            self._made[row.name] = row.make(self)
        return self._made[row.name]

    def outcome(self, row: Artifact) -> str:
        """Return whether the output's file is 'unchanged', 'changed' (or no file, such as a link) or 'new'."""
        raw = self.made(row)
        try:
            return "unchanged" if self.saved(row.name) == raw else "changed"
        except BundleError:
            return "changed" if self.holds(row.name) else "new"

    def write(self, row: Artifact) -> str:
        """Write an artifact to the output if it is not there already; return its outcome. Raises BundleError."""
        outcome = self.outcome(row)
        if outcome != "unchanged":
            write_atomically(self.output, row.name, self.made(row))
            self._read[self.output, row.name] = self.made(row)
        return outcome

    def holds(self, name: str) -> bool:
        """Return whether anything of this name is in the output, be it a link that leads nowhere."""
        return os.path.lexists(self.output / name)

    def listed(self) -> list[str]:
        """Return the sorted names of all files, saved artifacts included; raises BundleError with all that cannot belong."""
        names, problems = self.once(scanned)
        raise_if_any(problems)
        return sorted({*names, *self._held()})

    def contents(self, without: tuple[str, ...] = ()) -> dict[str, bytes]:
        """Return name -> bytes of all files of the bundle but ``without``, sorted by name.

        Artifacts are as this run has them. Raises BundleError with everything that cannot be read.
        """
        files, problems = self.readable(without, self.read)
        raise_if_any(problems)
        return files

    def readable(
        self, without: tuple[str, ...], read: Callable[[str], bytes]
    ) -> tuple[dict[str, bytes], list[Problem]]:
        """Return (what contents returns, as far as it can be read; everything that cannot be, or cannot belong).

        ``read`` returns an artifact's bytes: ``self.read`` as this run has them, ``self.saved`` as the output has them.
        """
        names, found = self.once(scanned)
        held = self._held()
        wanted = sorted({*names, *held}.difference(without))
        files, problems = gather(lambda name: read(name) if name in held else self.source(name), wanted)
        return files, list(dict.fromkeys([*found, *problems]))

    def _held(self) -> set[str]:
        """Return the names of the artifacts, but those on demand, that were made in this run or are in the output."""
        names = [row.name for row in self.artifacts if row.kind not in ON_DEMAND]
        return {name for name in names if name in self._made or self.holds(name)}


def scanned(bundle: Bundle) -> tuple[list[str], list[Problem]]:
    """Return what scan finds in the root, without what is made on demand and without an output inside the root."""
    root, output = (Path(os.path.realpath(folder)) for folder in (bundle.root, bundle.output))
    apart = (f"{output.relative_to(root).as_posix()}/",) if root in output.parents else ()
    on_demand = {row.name for row in bundle.artifacts if row.kind in ON_DEMAND}
    names, problems = scan(bundle.root)
    names = [name for name in names if name not in on_demand and not name.startswith(apart)]
    return names, [problem for problem in problems if not problem.file.startswith(apart)]


def scan(root: Path) -> tuple[list[str], list[Problem]]:
    """Return (names of the files below ``root``, sorted by code point; what is there and cannot belong to a bundle).

    A name is relative to ``root``, with '/'. What is in ``IGNORED`` is passed over. A symbolic link, a device and a name
    that a checksum list or an archive cannot carry everywhere are problems, not names.
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
            is_folder = stat.S_ISDIR(mode)
            if _IGNORED.match(name) or (is_folder and _IGNORED.match(f"{name}/")):
                continue
            if problem := _problem(folder + name, name, mode):
                problems.append(problem)
            elif is_folder:
                folders.append(f"{folder}{name}/")
            else:
                names.append(folder + name)
    return sorted(names), sorted(problems)


def _problem(path: str, name: str, mode: int) -> Problem | None:
    """Return why an entry of a folder cannot belong to a bundle, None if it can."""
    if not _NAME.fullmatch(name):
        return Problem(ascii(path)[1:-1], found="an unusual character", expected=_NAME_RULE)
    if stat.S_ISDIR(mode) or stat.S_ISREG(mode):
        return None
    kind = "a symbolic link" if stat.S_ISLNK(mode) else "a device or socket"
    return Problem(path, found=kind, expected="a regular file")
