"""Changes to the code and its texts, and what the tests make of each; mutation.py tries them all.

The changes to code are mutmut's own: of strings, numbers, names, operators, keywords, assignments, arguments, decorators;
those to texts are of tests/rewording.py. What this adds is speed: each change is tried on the test files that reach its
lines, the module's own first, then the quickest, each in a fork of a process that has the libraries loaded. A change after
which the syntax tree without annotations and docstrings is the same is none.

``tried`` asks whether a test notices a change as it stands. ``meant`` makes the outputs again with it first, so that
nothing differs from what the code makes, and asks only whoever reads the outputs.
"""

from __future__ import annotations

import ast
import compileall
import contextlib
import functools
import importlib
import json
import os
import py_compile
import resource
import shutil
import signal
import sys
import tempfile
import time
import unittest
from math import ceil, inf
from pathlib import Path
from typing import Callable, NamedTuple

import coverage
import mutmut

from scenario_ratio.artifacts import ARTIFACTS
from tests import rewording

ROOT = Path(__file__).resolve().parent.parent
OF_SCRIPTS = ("test_cli", "test_commands")  # which read or run every script
SLOW_S = 5  # test classes that need more are run last, and only those of the module's own test file
MEMORY = 4 * 2**30  # bytes a test process may use: a change can make a loop endless
LIBRARIES = (
    "hypothesis.strategies",
    "pandas",
    "xml.etree.ElementTree",
    "http.server",
    "zipfile",
    "sqlite3",
    "html.parser",
)
SAYING = ("data", "figure", "page", "readme", "notebook")  # kinds of artifacts that say something of the data
OUTPUTS = [row.name for row in ARTIFACTS if row.kind in SAYING]
NOT_COPIED = shutil.ignore_patterns("__pycache__", ".hypothesis", ".ruff_cache", "node_modules", ".venv")


class Survivor(NamedTuple):
    """A change that no test noticed: the module, the function or class, the lines before and after, why it is harmless."""

    module: str
    place: str
    before: str
    after: str
    reason: str = ""


def copied(target: Path) -> Path:
    """Copy the repository to ``target``, compiled so that each file is checked against its source by digest."""
    shutil.copytree(ROOT, target, ignore=NOT_COPIED, symlinks=True)
    mode = py_compile.PycInvalidationMode.CHECKED_HASH
    for folder, levels in ((".", 0), ("scenario_ratio", 3), ("tests", 0)):
        compileall.compile_dir(target / folder, maxlevels=levels, quiet=2, invalidation_mode=mode)
    return target


def forked(work: Callable[[], bool], limit_s: int) -> bool:
    """Return whether ``work`` returns true in a process group of its own, within the time and memory it may use."""
    child = os.fork()
    if not child:
        passed = False
        with contextlib.suppress(BaseException):
            os.setpgid(0, 0)
            signal.alarm(limit_s)  # which ends this process, whatever it is at
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            sink = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(sink, stream)
            passed = work()
        os._exit(0 if passed else 1)
    _, status = os.waitpid(child, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return status == 0


def enter(copy: Path) -> None:
    """Have this process import the code and the tests of a copy."""
    os.chdir(copy)
    sys.path.insert(0, os.fspath(copy))
    for loaded in [module for module in sys.modules if module.partition(".")[0] in ("tests", "scenario_ratio")]:
        del sys.modules[loaded]  # these are not the copy's
    sys.dont_write_bytecode = True


class Timed(unittest.TestSuite):
    """The tests of a class; notes in ``seconds`` how long they take. A file's classes share what the file makes once."""

    def __init__(self, seconds: dict[str, float], tests: list[unittest.TestCase]):
        super().__init__(tests)
        self.name, self.seconds = type(tests[0]).__name__, seconds

    def run(self, result: unittest.TestResult, debug: bool = False) -> unittest.TestResult:
        start = time.monotonic()
        super().run(result, debug)
        self.seconds.setdefault(self.name, time.monotonic() - start)
        return result


def passes(copy: Path, known: dict[str, dict[str, float]], slow: bool | None = None) -> bool:
    """Return whether tests pass in this process, file by file, each file's quickest class first, until one fails.

    ``known`` is file -> class -> how many seconds it takes, and is filled in. With ``slow`` only the slow classes run, or
    the others. Ends the process if a file takes much longer than is known of it.
    """
    enter(copy)
    result = unittest.TestResult()
    result.failfast = True
    for name, seconds in known.items():
        if seconds:
            signal.alarm(10 + ceil(5 * sum(needed for needed in seconds.values() if needed != inf)))
        classes: dict[str, list] = {}
        for suite in unittest.defaultTestLoader.loadTestsFromName(f"tests.{name}"):
            for test in suite if isinstance(suite, unittest.TestSuite) else [suite]:
                classes.setdefault(type(test).__name__, []).append(test)
        chosen = [name for name in classes if slow in (None, seconds.get(name, 0) > SLOW_S)]
        chosen.sort(key=lambda name: seconds.get(name, 0))
        unittest.TestSuite([Timed(seconds, classes[name]) for name in chosen]).run(result)
        if result.shouldStop:
            break
    return result.wasSuccessful()


def prepare(folder: str) -> None:
    """Give this worker a copy of the repository, and load the libraries that its forks will use."""
    global COPY
    COPY = copied(Path(tempfile.mkdtemp(dir=folder)) / "bundle")
    os.environ["READ_BUNDLE"] = os.fspath(COPY)  # whose outputs the second computation reads
    for name in LIBRARIES:
        importlib.import_module(name)
    unchanged()


def reach(name: str) -> tuple[str, dict]:
    """Return a test file's name, and what is known of it: whether it passes, each class's seconds, the lines reached."""
    target = COPY.parent / f"{name}.json"

    def watched() -> bool:
        watch = coverage.Coverage(data_file=None, include=[f"{COPY}/*"], omit=[f"{COPY}/tests/*"], config_file=False)
        seconds: dict[str, float] = {}
        with watch.collect():
            passed = passes(COPY, {name: seconds})
        data = watch.get_data()
        lines = {os.path.relpath(path, COPY): data.lines(path) for path in data.measured_files()}
        target.write_text(json.dumps({"passed": passed, "seconds": seconds, "lines": lines}), encoding="utf-8")
        return passed

    forked(watched, 900)
    return name, json.loads(target.read_text(encoding="utf-8")) if target.exists() else {"passed": False}


def bare(source: str) -> str:
    """Return the syntax tree of a source without annotations and docstrings, as text."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, (ast.arg, ast.AnnAssign)):
            node.annotation = ast.Constant(None)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module)) and ast.get_docstring(node) is not None:
            del node.body[0]
    return ast.dump(tree)


@functools.lru_cache(maxsize=1)
def original(name: str) -> tuple[str, str]:
    """Return a file's source, and its syntax tree if it is Python."""
    source = (ROOT / name).read_text(encoding="utf-8")
    return source, bare(source) if name.endswith(".py") else ""


def changes_of(name: str) -> list[mutmut.RelativeMutationID | rewording.Change]:
    """Return the changes to a file: those that mutmut makes to code, and those to texts."""
    source, found = original(name)[0], []
    if name.endswith(".py"):
        found += mutmut.list_mutations(mutmut.Context(source=source, filename=name))
    return found + (rewording.changes(name, source) if "/text/" in name else [])


def changed(change: mutmut.RelativeMutationID | rewording.Change) -> str | None:
    """Return a file's source after a change; None if that does nothing, or is no Python."""
    source, tree = original(change.filename)
    if isinstance(change, rewording.Change):
        return rewording.after(change, source)
    try:
        after, count = mutmut.mutate(mutmut.Context(source=source, filename=change.filename, mutation_id=change))
        return after if count and bare(after) != tree else None
    except (RuntimeError, SyntaxError):  # mutmut raises the first if the source is as it was
        return None


def place_of(tree: ast.Module, line: int) -> tuple[str, set[int]]:
    """Return the function or class that holds a line, '' for none, and the lines of the statement that does."""
    names, held = [], {line}
    body: list = tree.body
    while body:
        node = next((node for node in body if node.lineno <= line <= node.end_lineno), None)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.append(node.name)
        if node is not None:
            held = set(range(node.lineno, node.end_lineno + 1))
        body = [inner for inner in ast.iter_child_nodes(node) if isinstance(inner, ast.stmt)] if node else []
    return ".".join(names), held


def told(name: str, before: str, after: str) -> tuple[Survivor, set[int]]:
    """Return a change as it is recorded, and the lines that it touches, with those of the statement around them."""
    old, new = before.split("\n"), after.split("\n")
    first = next(number for number, (one, other) in enumerate(zip(old, new)) if one != other)
    last = next(number for number, (one, other) in enumerate(zip(old[::-1], new[::-1])) if one != other)
    python = name.endswith(".py")
    place, lines = place_of(ast.parse(before), first + 1) if python else (rewording.section(old, first), set())
    parts = [" ".join(map(str.strip, text[first : len(text) - last])) for text in (old, new)]
    return Survivor(name, place, *parts), lines | set(range(first + 1, len(old) - last + 1))


def tried(change: mutmut.RelativeMutationID | rewording.Change, known: dict[str, dict]) -> tuple[str, Survivor] | None:
    """Return 'killed' if a test noticed a change, else 'survived', and the change; None if it is none."""
    after = changed(change)
    if after is None:
        return None
    module, before = change.filename, original(change.filename)[0]
    survivor, lines = told(module, before, after)
    # A module's own tests may reach its lines in a process that they start, or read it as a text.
    own = {f"test_{Path(module).stem}", *(() if "/" in module else OF_SCRIPTS)} & known.keys()
    names = [name for name in known if name in own or not lines.isdisjoint(known[name]["lines"].get(module, ()))]
    names.sort(key=lambda name: (name not in own, sum(known[name]["seconds"].values())))
    (COPY / module).write_text(after, encoding="utf-8")
    quick, slow = ({name: known[name]["seconds"] for name in some} for some in (names, own))
    noticed = not (forked(lambda: passes(COPY, quick, False), 60) and forked(lambda: passes(COPY, slow, True), 60))
    (COPY / module).write_text(before, encoding="utf-8")
    return "killed" if noticed else "survived", survivor


def meant(
    change: mutmut.RelativeMutationID | rewording.Change, known: dict[str, dict[str, float]]
) -> tuple[str, Survivor] | None:
    """Return what becomes of a change after which the outputs are made again, and the change; None if it is none.

    It is 'stopped' if they cannot be made, has 'no effect' if they are as they were; otherwise it is 'killed' if the
    validation, or a test of those ``known``, finds fault with what was made, else 'survived'.
    """
    after = changed(change)
    if after is None:
        return None
    before = original(change.filename)[0]
    (COPY / change.filename).write_text(after, encoding="utf-8")
    outcome = COPY.parent / "outcome"
    outcome.write_text("stopped", encoding="utf-8")
    forked(lambda: bool(outcome.write_text(made_again(COPY), encoding="utf-8")), 60)
    found = outcome.read_text(encoding="utf-8")
    if found == "survived" and not forked(lambda: passes(COPY, known, False), 60):
        found = "killed"
    for name in (change.filename, *OUTPUTS):
        shutil.copyfile(ROOT / name, COPY / name)
    return found, told(change.filename, before, after)[0]


def unchanged() -> bool:
    """Return whether the outputs, made again without any change, are as they are."""
    return forked(lambda: made_again(COPY) == "no effect", 60)


def made_again(copy: Path) -> str:
    """Make the outputs of a copy with the code that stands there; return what ``meant`` says before any test.

    The checks of the validation are all but the two that compare bytes, which agree. What the scripts print of the results
    is an output too; it is kept beside the copy the first time, when nothing is changed.
    """
    enter(copy)
    artifacts, bundle, results, terminal, validation = (
        importlib.import_module(f"scenario_ratio.{name}")
        for name in ("artifacts", "bundle", "study.results", "show.terminal", "proof.validation")
    )
    made = bundle.Bundle(copy, None, artifacts.ARTIFACTS)
    rows = [row for row in made.artifacts if row.kind in SAYING]
    outcomes = {made.write(row) for row in rows}
    found, printed = made.once(results.load), copy.parent / "printed"
    told_by_scripts = terminal.run_told(found) + terminal.pairs_told(found, terminal.find(found, []))
    if not printed.exists():
        printed.write_text(told_by_scripts, encoding="utf-8")
    if outcomes == {"unchanged"} and printed.read_text(encoding="utf-8") == told_by_scripts:
        return "no effect"
    comparing = (validation.remade, validation.executed)
    wrong = [
        check.run(made, row)[1]
        for check in validation.CHECKS
        if check.run not in comparing
        for row in rows
        if row.kind in check.kinds
    ]
    return "killed" if any(wrong) else "survived"
