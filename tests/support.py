"""What several tests share: paths, copies of the bundle, rows, runs of scripts, whole messages."""

from __future__ import annotations

import contextlib
import csv
import functools
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from decimal import Decimal
from pathlib import Path
from typing import Iterator

from scenario_ratio import pinned
from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import ON_DEMAND, Bundle
from scenario_ratio.problems import BundleError
from scenario_ratio.upstream.summary import Row

try:
    from hypothesis import given, settings
    from hypothesis import strategies as st
except ImportError:
    given = st = None
else:  # the same examples in every run, five seconds at most for each, and no folder of examples in the repository
    settings.register_profile("bundle", deadline=5_000, derandomize=True, database=None)
    settings.load_profile("bundle")

# Set while coverage is measured: the configuration, and the data file, of coverage for scripts run as processes.
MEASURED = os.environ.get("MEASURE_SCRIPTS", "").split(os.pathsep)
needs_hypothesis = unittest.skipUnless(given, "hypothesis is not installed")
ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "tests" / "fixtures"
LAST = tuple(row.name for row in ARTIFACTS if row.kind in ON_DEMAND)  # in no list and in no archive

# One result, spelled as a CSV cell and as the JSON value beside it.
CELLS = {
    "Organization": ("Example", "Example"),
    "Availability": ("available", "available"),
    "Division": ("closed", "closed"),
    "SystemType": ("datacenter", "datacenter"),
    "SystemName": ("Example 8x X100, \"air\"", "Example 8x X100, \"air\""),
    "Platform": ("X100x8", "X100x8"),
    "Model": ("llama2-70b-99.9", "llama2-70b-99.9"),
    "MlperfModel": ("llama2-70b-99.9", "llama2-70b-99.9"),
    "Scenario": ("Offline", "Offline"),
    "Result": ("1000.5", Decimal("1000.5")),
    "Accuracy": ("ROUGE1: 44.5  ROUGE2: 22.1", "ROUGE1: 44.5  ROUGE2: 22.1"),
    "number_of_nodes": ("1", 1),
    "host_processor_model_name": ("Host 9000 (Zürich)", "Host 9000 (Zürich)"),
    "host_processors_per_node": ("2", 2),
    "host_processor_core_count": ("56", "56"),
    "accelerator_model_name": ("X100", "X100"),
    "accelerators_per_node": ("8", 8),
    "total_accelerators": ("8", 8),
    "Location": ("./closed/Example/results/X100x8/llama2-70b-99.9/Offline/performance/run_1",) * 2,
    "framework": ("Framework 1.2", "Framework 1.2"),
    "operating_system": ("Linux", "Linux"),
    "notes": ("X100 TGP 700W", "X100 TGP 700W"),
    "compliance": ("closed", "closed"),
    "errors": ("0", 0),
    "version": ("v6.1", "v6.1"),
    "inferred": ("0", 0),
    "has_power": ("False", False),
    "Units": ("Tokens/s", "Tokens/s"),
    "weight_data_types": ("fp8", "fp8"),
    "design_power_watts": ("None", None),
    "PrivateID": ("", None),
}  # fmt: skip
SERVER = {
    "Scenario": ("Server", "Server"),
    "Result": ("900.25", Decimal("900.25")),
    "Accuracy": ("ROUGE1: 44.6  ROUGE2: 22.2", "ROUGE1: 44.6  ROUGE2: 22.2"),
    "Location": ("./closed/Example/results/X100x8/llama2-70b-99.9/Server/performance/run_1",) * 2,
}


def row(row_id: str = "0", **cells: tuple) -> Row:
    """Return an Offline row in which each named field is replaced by (CSV text, JSON value)."""
    merged = {**CELLS, **cells}
    return Row(
        row_id,
        {field: text for field, (text, _) in merged.items()},
        {field: value for field, (_, value) in merged.items()},
    )


def pair_rows(first: int = 0) -> tuple[Row, Row]:
    """Return an Offline row and the Server row that belongs to it, with the ids ``first`` and the next."""
    return row(str(first)), row(str(first + 1), **SERVER)


def csv_bytes(*rows: Row) -> bytes:
    """Return rows as the CSV snapshot spells them: a header, every cell quoted, LF."""
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(CELLS)
    writer.writerows(row.text.values() for row in rows)
    return text.getvalue().encode("utf-8")


def json_bytes(*rows: Row) -> bytes:
    """Return rows as the JSON snapshot spells them: an object by id, four blanks of indent."""
    return json.dumps({row.id: row.value for row in rows}, indent=4, default=float).encode("utf-8")


# Digests of 'abc': SHA-256 of FIPS 180-2's example, and what 'git hash-object' gives.
ABC = {
    "bytes": 3,
    "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "git_blob_sha1": "f2ba8f84ab5c1bce84a7b441cb1959cfc7093b7f",
}
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def held(name: str, path: str) -> dict:
    """Return the entry of an acquired file that reads 'abc'."""
    place = {"repository": "https://github.com/example/results", "commit": COMMIT, "path": path}
    return {"file": name, **place, **ABC, "obtained": "copied"}


def small_record() -> dict:
    """Return the least that an acquisition record must hold, with files that all read 'abc'."""
    checker = {"repository": "https://github.com/example/checker", "commit": COMMIT[::-1]}
    return {
        "acquired": "2026-11-30",
        "obtained": {"copied": "Copied by hand."},
        "files": [held("data/summary.csv", "summary.csv"), held("data/summary.json", "summary.json")],
        "not_available": [{"row": "7", "path": "closed/log.txt"}],
        "referenced": [
            {**checker, "path": "tools/constants.py", "role": pinned.CHECKER_ROLE},
            {**checker, "path": "LICENSE.md", "role": pinned.LICENCE_ROLE, **ABC},
        ],
    }


def temporary_folder(test: unittest.TestCase) -> Path:
    """Return a new folder that goes away with the test."""
    folder = tempfile.TemporaryDirectory()
    test.addCleanup(folder.cleanup)
    return Path(folder.name).resolve()


def written(folder: Path, *names: str) -> Path:
    """Write files of these names, each holding its name, into ``folder``; return it."""
    for name in names:
        folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(name).write_text(name, encoding="utf-8")
    return folder


def opened(root: Path, output: Path | None = None) -> Bundle:
    """Return the bundle of a folder, with everything that is made, before anything has been read."""
    return Bundle(root, output, ARTIFACTS)


@functools.lru_cache(None)
def whole_copy() -> Path:
    """Return a copy of the bundle in which everything has just been made, without what is made on demand.

    It is made once for all tests of a file, so no test may change it; see copied_bundle.
    """
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    unittest.addModuleCleanup(whole_copy.cache_clear)
    root = Path(folder.name).resolve() / "bundle"
    _copy(ROOT, root, opened(ROOT).listed())
    bundle = opened(root)
    for row in ARTIFACTS:
        if row.kind not in ON_DEMAND:
            bundle.write(row)
    return root


def copied_bundle(test: unittest.TestCase, *names: str) -> Path:
    """Return a copy of whole_copy that goes away with the test, or of the named files and folders as they are."""
    source, target = ROOT if names else whole_copy(), temporary_folder(test) / "bundle"
    listed = opened(source).listed()
    inside = tuple(f"{name}/" for name in names)
    _copy(source, target, [name for name in listed if not names or name in names or name.startswith(inside)])
    return target


def _copy(source: Path, target: Path, names: list[str]) -> None:
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, target / name)


def command_of(*arguments: object, python: object = sys.executable) -> list[str]:
    """Return the command that runs Python without site packages and environment.

    While coverage is measured, a script runs under coverage instead, which is a site package.
    """
    alone = ["-S", "-E", "-B"]
    if len(MEASURED) == 2 and os.fspath(python) == sys.executable and str(arguments[0]).endswith(".py"):
        settings, data = MEASURED
        alone = ["-B", "-m", "coverage", "run", "-p", f"--rcfile={settings}", f"--data-file={data}"]
    return [os.fspath(python), *alone, *map(str, arguments)]


def run(*arguments: object, python: object = sys.executable, **options: object) -> subprocess.CompletedProcess:
    """Run Python without site packages and environment; return the finished process, its output as text."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.run(command_of(*arguments, python=python), encoding="utf-8", timeout=300, **streams)


def interpreters() -> dict[str, Path]:
    """Return version -> path of the Python 3.9 or later that runs the tests and of each one pyenv holds."""
    found = {"%d.%d" % sys.version_info[:2]: Path(sys.executable)}
    for path in sorted(Path(os.path.expanduser("~/.pyenv/versions")).glob("3.*/bin/python")):
        version = ".".join(path.parent.parent.name.split(".")[:2])
        if int(version.split(".")[1]) >= 9:
            found.setdefault(version, path)
    return found


def ended(function, *arguments) -> tuple:
    """Return (exit code, standard output, standard error) of a call, as the bytes would be in UTF-8."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="ascii", newline="\r\n") for _ in range(2)]
    code = None
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
        try:
            function(*arguments)
        except SystemExit as ending:
            code = ending.code
        for stream in streams:
            stream.flush()
    return (code, *(stream.buffer.getvalue() for stream in streams))


@contextlib.contextmanager
def replaced(path: Path, raw: bytes | None) -> Iterator[None]:
    """Let a file hold other bytes, or be missing if there are none, for a while; then it is as it was."""
    before = path.read_bytes() if path.exists() else None
    try:
        _hold(path, raw)
        yield
    finally:
        _hold(path, before)


def _hold(path: Path, raw: bytes | None) -> None:
    if raw is None:
        path.unlink()
    else:
        path.write_bytes(raw)


class BundleCase(unittest.TestCase):
    """A test case that compares whole messages."""

    maxDiff = None

    def assert_refused(self, lines: list[str], function, *arguments, **options) -> BundleError:
        """Assert that a call raises BundleError with exactly ``lines``, one per problem; return the error."""
        with self.assertRaises(BundleError) as caught:
            function(*arguments, **options)
        self.assertEqual(lines, str(caught.exception).split("\n"))
        return caught.exception

    def assert_problems(self, lines: list[str], problems: list) -> None:
        """Assert that a list of problems is spelled as exactly ``lines``."""
        self.assertEqual(lines, [str(problem) for problem in problems])
