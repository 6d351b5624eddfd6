"""Alterations of a copy of the bundle: their kinds, the classes of files, seeded cases, and what notices them.

A pass alters every file of a class once, all in one way, each at a random place; then the check must name exactly the
files altered. Passes are repeated until each class has had as many cases of each kind as ``CASES`` says, so the number
of cases does not depend on how many files the bundle has.
"""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path
from random import Random
from typing import Callable, Iterable, Iterator, NamedTuple

from scenario_ratio import pinned
from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import ON_DEMAND, Bundle
from scenario_ratio.problems import BundleError, Problem
from scenario_ratio.proof import packing, validation
from tests.support import ROOT, run

SEED = 20261130


def _byte_flipped(raw: bytes, random: Random) -> bytes:
    place = random.randrange(len(raw))
    return raw[:place] + bytes([raw[place] ^ 1 << random.randrange(8)]) + raw[place + 1 :]


def _digit_changed(raw: bytes, random: Random) -> bytes:
    """Change the digit next to a random place into another; return ``raw`` itself if it holds none."""
    start = random.randrange(len(raw))
    for place in itertools.chain(range(start, len(raw)), range(start)):
        if 0x30 <= raw[place] <= 0x39:
            other = random.choice(b"0123456789".replace(raw[place : place + 1], b""))
            return raw[:place] + bytes([other]) + raw[place + 1 :]
    return raw


def _line_removed(raw: bytes, random: Random) -> bytes:
    lines = raw.splitlines(keepends=True)
    del lines[random.randrange(len(lines))]
    return b"".join(lines)


def _line_doubled(raw: bytes, random: Random) -> bytes:
    lines = raw.splitlines(keepends=True)
    place = random.randrange(len(lines))
    return b"".join([*lines[: place + 1], *lines[place:]])


def _lines_swapped(raw: bytes, random: Random) -> bytes:
    """Swap two neighbouring lines; return ``raw`` itself if the two at the random place are equal."""
    lines = raw.splitlines(keepends=True)
    place = random.randrange(max(len(lines) - 1, 1))
    lines[place : place + 2] = reversed(lines[place : place + 2])
    return b"".join(lines)


# Kind -> the function from (bytes, random) to other bytes; a file to which it does nothing is passed over.
BYTES: dict[str, Callable[[bytes, Random], bytes]] = {
    "one bit flipped": _byte_flipped,
    "one digit changed": _digit_changed,
    "one line removed": _line_removed,
    "one line doubled": _line_doubled,
    "two lines swapped": _lines_swapped,
    "truncated": lambda raw, random: raw[: random.randrange(len(raw))],
    "emptied": lambda raw, random: b"",
    "line ends converted to CRLF": lambda raw, random: raw.replace(b"\n", b"\r\n"),
    "byte order mark added": lambda raw, random: b"\xef\xbb\xbf" + raw,
}


# What a file can be replaced by; the link leads to a file of the same bytes outside the bundle.
DIRECTORY, LINK = "replaced by a directory", "replaced by a symbolic link"
KINDS = (*BYTES, DIRECTORY, LINK)

# Class of files -> how many cases of each kind it has while SHA256SUMS stands as it was. That list is altered
# alone, since the other files cannot be told without it.
CHECKSUMS = "checksum list"
CASES = {"data": 60, "source": 300, "output": 60, "manifest": 60, "program or text": 300, CHECKSUMS: 6}
DATA = (pinned.CSV, pinned.JSON, pinned.CLAIMS, pinned.ROUNDS)
MANIFESTS = (pinned.RECORD, "provenance.json", pinned.CRATE)
DERIVED = {row.name: row for row in ARTIFACTS if row.kind not in ON_DEMAND}

# The classes whose alterations are noticed even after SHA256SUMS and the crate were made again over the altered copy,
# and how many cases of each kind they have then.
SUMMARY, LOG, OUTPUT = "summary", "log", "output"
CASES_RESUMMED = {SUMMARY: 12, LOG: 12, OUTPUT: 12}
SUMMARIES = (pinned.CSV, pinned.JSON)
REMADE = tuple(
    sorted(name for name, row in DERIVED.items() if row.kind in ("data", "figure", "page", "notebook", "manifest"))
)  # README.md is written by hand around its table, and the record says only what validate.py found


def file_class(name: str) -> str:
    """Return the class of a file of the bundle."""
    if name == pinned.SUMS:
        return CHECKSUMS
    if name in MANIFESTS:
        return "manifest"
    if name in DATA:
        return "data"
    if name in DERIVED:
        return "output"
    return "source" if name.startswith("sources/") else "program or text"


class Case(NamedTuple):
    """One altered file: how, and its new bytes; None where something else stands in its place."""

    kind: str
    name: str
    raw: bytes | None


class Copy:
    """A copy of the bundle below ``folder``, made whole again after each pass; ``contents`` holds its bytes by name."""

    def __init__(self, folder: Path):
        self.root, self.outside = folder / "bundle", folder / "outside"
        self.outside.mkdir()
        for name in Bundle(ROOT, artifacts=ARTIFACTS).listed():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, self.root / name)
        finished = run(self.root / "reproduce.py")
        if finished.returncode:
            raise AssertionError(f"the bundle cannot be altered before it is right: {finished.stderr}")
        for row in ARTIFACTS:
            if row.kind in ON_DEMAND:
                (self.root / row.name).unlink(missing_ok=True)
        self.contents = self.bundle().contents()

    def bundle(self) -> Bundle:
        """Return the copy as a bundle that has read nothing yet."""
        return Bundle(self.root, artifacts=ARTIFACTS)

    def altered(self, cases: list[Case]) -> _Altered:
        """Return a context within which the files of ``cases`` are altered."""
        return _Altered(self, cases)

    def passes(self, names: list[str], kind: str, count: int, random: Random) -> Iterator[list[Case]]:
        """Yield lists of ``count`` cases in all, each list with every file that the kind does something to at most once.

        Raises ValueError if there is no such file.
        """
        while count:
            cases = [self._case(kind, name, random) for name in random.sample(names, len(names))]
            cases = [case for case in cases if case.raw != self.contents[case.name]][:count]
            if not cases:
                raise ValueError(f"{kind}: does nothing to {', '.join(names)}")
            yield cases
            count -= len(cases)

    def _case(self, kind: str, name: str, random: Random) -> Case:
        raw = self.contents[name]
        return Case(kind, name, None if kind not in BYTES else BYTES[kind](raw, random) if raw else raw)


class _Altered:
    def __init__(self, copy: Copy, cases: list[Case]):
        self.copy, self.cases = copy, cases

    def __enter__(self) -> None:
        for number, case in enumerate(self.cases):
            path = self.copy.root / case.name
            if case.raw is not None:
                path.write_bytes(case.raw)
                continue
            path.unlink()
            if case.kind == DIRECTORY:
                path.mkdir()
            else:
                target = self.copy.outside / str(number)
                target.write_bytes(self.copy.contents[case.name])
                path.symlink_to(target)

    def __exit__(self, *_: object) -> None:
        for case in self.cases:
            path = self.copy.root / case.name
            if case.kind == DIRECTORY:
                path.rmdir()
            elif case.kind == LINK:
                path.unlink()
            path.write_bytes(self.copy.contents[case.name])


def by_class(names: Iterable[str]) -> dict[str, list[str]]:
    """Return class -> its files of ``names``, in the order of ``CASES``."""
    return {one: [name for name in names if file_class(name) == one] for one in CASES}


def against_sums(copy: Copy, seed: int = SEED) -> tuple[dict, list[str]]:
    """Alter files of every class and ask what the list of digests says.

    Returns ({class: {kind: cases}}, a line for each pass in which other files were named than those altered).
    """
    counts = {one: dict.fromkeys(KINDS, 0) for one in CASES}
    unnoticed = []
    for kind in KINDS:
        passes = {
            one: list(copy.passes(names, kind, CASES[one], Random(f"{seed} {kind} {one}")))
            for one, names in by_class(copy.contents).items()
        }
        alone = passes.pop(CHECKSUMS)
        for together in itertools.zip_longest(*passes.values(), fillvalue=[]):
            cases = [case for cases in together for case in cases]
            with copy.altered(cases):
                named = {problem.file for problem in packing.sums_problems(copy.bundle())}
            unnoticed += _told(kind, named, {case.name for case in cases})
            _count(counts, cases)
        for cases in alone:
            with copy.altered(cases):
                named = {problem.file for problem in validation.closing(copy.bundle())}
            unnoticed += _told(kind, named & {pinned.SUMS}, {pinned.SUMS})
            _count(counts, cases)
    return counts, unnoticed


def _told(kind: str, named: set[str], altered: set[str]) -> list[str]:
    return [f"{kind}: {name}: {'not ' * (name in altered)}named" for name in sorted(named ^ altered)]


def _count(counts: dict, cases: list[Case]) -> None:
    for case in cases:
        counts[file_class(case.name)][case.kind] += 1


def against_remaking(copy: Copy, seed: int = SEED) -> tuple[dict, list[str]]:
    """Alter one file at a time and make everything again from what is there, as if SHA256SUMS had been made again too.

    Nothing of what is asked here reads that list. An output must be named itself; an altered input must be refused.
    Returns ({class: {kind: cases}}, a line for each case that went unnoticed).
    """
    logs = [name for name in copy.contents if name.startswith("sources/results/")]
    names = {SUMMARY: list(SUMMARIES), LOG: logs, OUTPUT: list(REMADE)}
    counts = {one: dict.fromkeys(BYTES, 0) for one in CASES_RESUMMED}
    unnoticed = []
    for kind, one in itertools.product(BYTES, CASES_RESUMMED):
        for cases in copy.passes(names[one], kind, CASES_RESUMMED[one], Random(f"{seed} {kind} {one} again")):
            for case in cases:
                with copy.altered([case]):
                    problems = _remaking(copy.bundle(), case.name)
                noticed = case.name in {problem.file for problem in problems} if one == OUTPUT else problems
                unnoticed += [] if noticed else [f"{kind}: {case.name}: not noticed"]
                counts[one][kind] += 1
    return counts, unnoticed


def _remaking(bundle: Bundle, name: str) -> list[Problem]:
    """Return what validate.py finds when it makes again what the file ``name`` bears on."""
    kinds = [DERIVED[name].kind] if name in DERIVED else ["data", "figure", "page", "readme", "manifest"]
    try:
        return validation.differences(bundle, [row for row in ARTIFACTS if row.kind in kinds])
    except BundleError as error:
        return list(error.problems)
