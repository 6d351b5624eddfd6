"""Changes to the code, and what the tests make of each; mutation.py tries them all.

The changes are mutmut's own: of strings, numbers, names, operators, keywords, assignments, arguments, decorators. What
this adds is speed: each change is tried on the test files that reach its lines, the module's own first, then the
quickest, each in a fork of a process that has the libraries loaded. A change after which the syntax tree without
annotations and docstrings is the same is none.
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
from pathlib import Path
from typing import Callable, NamedTuple

import coverage
import mutmut

ROOT = Path(__file__).resolve().parent.parent
SLOW_S = 5  # test classes that need more are run last, and only those of the module's own test file
MEMORY = 4 * 2**30  # bytes a test process may use: a change can make a loop endless
LIBRARIES = ("hypothesis.strategies", "pandas", "xml.etree.ElementTree", "http.server", "zipfile")
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


def forked(work: Callable[[], bool], limit_s: float) -> bool:
    """Return whether ``work`` returns true in a process group of its own, within the time and memory it may use."""
    child = os.fork()
    if not child:
        passed = False
        with contextlib.suppress(BaseException):
            os.setpgid(0, 0)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            sink = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(sink, stream)
            passed = work()
        os._exit(0 if passed else 1)
    end, ended, status = time.monotonic() + limit_s, 0, 1
    while not ended and time.monotonic() < end:
        time.sleep(0.005)
        ended, status = os.waitpid(child, os.WNOHANG)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if not ended:
        os.waitpid(child, 0)
    return bool(ended) and status == 0


def passes(copy: Path, name: str, seconds: dict[str, float], slow: bool | None = None) -> bool:
    """Return whether the tests of a file pass in this process, the quickest class first.

    ``seconds`` is how long each class takes, and is filled in. With ``slow`` only the slow classes run, or the others.
    """
    os.chdir(copy)
    sys.path.insert(0, os.fspath(copy))
    for loaded in [module for module in sys.modules if module.partition(".")[0] == "tests"]:
        del sys.modules[loaded]  # these are not the copy's
    sys.dont_write_bytecode = True
    result = unittest.TestResult()
    result.failfast = True
    classes: dict[str, list] = {}
    for suite in unittest.defaultTestLoader.loadTestsFromName(f"tests.{name}"):
        for test in suite if isinstance(suite, unittest.TestSuite) else [suite]:
            classes.setdefault(type(test).__name__, []).append(test)
    for class_name in sorted(classes, key=lambda class_name: seconds.get(class_name, 0)):
        if not result.shouldStop and slow in (None, seconds.get(class_name, 0) > SLOW_S):
            start = time.monotonic()
            unittest.TestSuite(classes[class_name]).run(result)
            seconds.setdefault(class_name, time.monotonic() - start)
    return result.wasSuccessful()


def prepare(folder: str) -> None:
    """Give this worker a copy of the repository, and load the libraries that its forks will use."""
    global COPY
    COPY = copied(Path(tempfile.mkdtemp(dir=folder)) / "bundle")
    for name in LIBRARIES:
        importlib.import_module(name)


def reach(name: str) -> tuple[str, dict]:
    """Return a test file's name, and what is known of it: whether it passes, each class's seconds, the lines reached."""
    target = COPY.parent / f"{name}.json"

    def watched() -> bool:
        watch = coverage.Coverage(data_file=None, include=[f"{COPY}/*"], omit=[f"{COPY}/tests/*"], config_file=False)
        seconds: dict[str, float] = {}
        with watch.collect():
            passed = passes(COPY, name, seconds)
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
def original(module: str) -> tuple[str, str]:
    """Return a module's source, and its syntax tree."""
    source = (ROOT / module).read_text(encoding="utf-8")
    return source, bare(source)


def changes_of(module: str) -> list[mutmut.RelativeMutationID]:
    """Return the changes that mutmut makes to a module, each by its line and its number on it."""
    return mutmut.list_mutations(mutmut.Context(source=original(module)[0], filename=module))


def changed(change: mutmut.RelativeMutationID) -> str | None:
    """Return a module's source after a change; None if that does nothing, or is no Python."""
    source, tree = original(change.filename)
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


def tried(change: mutmut.RelativeMutationID, known: dict[str, dict]) -> tuple[bool, Survivor] | None:
    """Return whether a test noticed a change, and the change; None if it is none."""
    after = changed(change)
    if after is None:
        return None
    module, before = change.filename, original(change.filename)[0]
    old, new = before.split("\n"), after.split("\n")
    first = next(number for number, (one, other) in enumerate(zip(old, new)) if one != other)
    last = next(number for number, (one, other) in enumerate(zip(old[::-1], new[::-1])) if one != other)
    place, lines = place_of(ast.parse(before), first + 1)
    lines |= set(range(first + 1, len(old) - last + 1))
    own = f"test_{Path(module).stem}"  # which may reach the lines in a process that it starts
    names = [name for name in known if name == own or not lines.isdisjoint(known[name]["lines"].get(module, ()))]
    names.sort(key=lambda name: (name != own, sum(known[name]["seconds"].values())))
    told = [" ".join(map(str.strip, text[first : len(text) - last])) for text in (old, new)]
    (COPY / module).write_text(after, encoding="utf-8")
    runs = [(name, False) for name in names] + [(own, True)] * (own in known)
    noticed = not all(unnoticed(name, known[name]["seconds"], slow) for name, slow in runs)
    (COPY / module).write_text(before, encoding="utf-8")
    return noticed, Survivor(module, place, *told)


def unnoticed(name: str, seconds: dict[str, float], slow: bool) -> bool:
    """Return whether the slow, or the other, classes of a test file pass in time."""
    if slow not in {needed > SLOW_S for needed in seconds.values()}:
        return True
    return forked(lambda: passes(COPY, name, seconds, slow), 10 + 5 * sum(seconds.values()))
