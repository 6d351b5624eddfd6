"""The command line: options, exit codes, one line per problem, where is written, and that only sources are run."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import py_compile
import sys
import unittest
from pathlib import Path
from unittest import mock

from scenario_ratio import cli
from scenario_ratio.bundle import Artifact, Bundle
from scenario_ratio.problems import BundleError, Problem
from tests.support import ROOT, BundleCase, copied_bundle, ended, run, temporary_folder, whole_copy, written


class Options(BundleCase):
    def opened(self, *arguments: object) -> Bundle:
        return cli.opened(cli.parser("about").parse_args(list(map(str, arguments))), ())

    def test_the_bundle_is_the_folder_of_the_scripts(self):
        found = self.opened()
        self.assertEqual((ROOT, ROOT), (found.root, found.output))

    def test_the_output_is_the_root_unless_it_is_named(self):
        root = temporary_folder(self)
        found = self.opened("--root", root)
        self.assertEqual((root, root), (found.root, found.output))
        found = self.opened("--root", root, "--output", "b")
        self.assertEqual((root, Path("b")), (found.root, found.output))

    def test_a_root_that_is_not_there_is_misuse(self):
        line = "no/such: found no such folder; expected a bundle"
        self.assertEqual(2, self.assert_refused([line], self.opened, "--root", "no/such").exit_code)

    def test_the_rows_are_those_that_are_given(self):
        row = Artifact("a", "data", "a.py", lambda bundle: b"")
        self.assertEqual((row,), cli.opened(cli.parser("about").parse_args([]), (row,)).artifacts)

    def test_help(self):
        expected = """\
        usage: x [-h] [--root ROOT] [--output OUTPUT]
        about
        options:
        -h, --help show this help message and exit
        --root ROOT the bundle to read (default: the one beside the scripts)
        --output OUTPUT the folder of derived files, read and written there (default: the root)"""
        arguments = cli.parser("about")
        arguments.prog = "x"
        told = arguments.format_help().replace("optional arguments:", "options:")  # Python 3.9
        self.assertEqual(expected.split(), told.split())

    def test_a_script_that_writes_nothing_has_no_output(self):
        self.assertEqual((2, b""), ended(cli.parser("about", output=False).parse_args, ["--output", "b"])[:2])
        self.assertEqual({"root": ROOT}, vars(cli.parser("about", output=False).parse_args([])))

    def test_an_abbreviation_is_misuse(self):
        self.assertEqual((2, b""), ended(cli.parser("about").parse_args, ["--roo", "a"])[:2])


class Producing(BundleCase):
    """A script that only makes its rows."""

    def setUp(self):
        self.root, self.output = temporary_folder(self), written(temporary_folder(self), "same.txt")
        self.rows = (
            Artifact("same.txt", "data", "x.py", lambda bundle: b"same.txt"),
            Artifact("other.txt", "data", "other.py", lambda bundle: b"of another script"),
            Artifact("new.txt", "data", "x.py", lambda bundle: b"after " + bundle.read("same.txt")),
        )

    def produced(self) -> tuple:
        arguments = ["x", "--root", str(self.root), "--output", str(self.output)]
        with mock.patch.object(sys, "argv", arguments):
            return ended(cli.produce, "about", self.rows, "/some/where/x.py")

    def contents(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.output.iterdir()}

    def test_each_file_is_written_and_told(self):
        self.assertEqual((None, b"same.txt: unchanged\r\nnew.txt: new\r\n", b""), self.produced())
        self.assertEqual({"same.txt": b"same.txt", "new.txt": b"after same.txt"}, self.contents())
        (self.output / "new.txt").write_bytes(b"old")
        self.assertEqual((None, b"same.txt: unchanged\r\nnew.txt: changed\r\n", b""), self.produced())

    def test_nothing_is_written_before_all_is_made(self):
        def failing(bundle: Bundle) -> bytes:
            raise BundleError(Problem("new.txt", found="1", expected="2"))

        self.rows = (self.rows[0]._replace(make=lambda bundle: b"changed"), self.rows[2]._replace(make=failing))
        self.assert_refused(["new.txt: found 1; expected 2"], self.produced)
        self.assertEqual({"same.txt": b"same.txt"}, self.contents())


class Running(BundleCase):
    def test_success(self):
        self.assertEqual((0, b"Z\\xfcrich\n", b""), ended(cli.run, lambda: print("Zürich")))

    def test_a_number_of_its_own(self):
        self.assertEqual((3, b"", b""), ended(cli.run, lambda: 3))

    def test_a_failed_check(self):
        def main():
            print("before")
            raise BundleError(Problem("a.txt", "line 1", "x", "1", "2"), Problem("b–.txt", found="no", expected="yes"))

        told = b"a.txt: line 1, x: found 1; expected 2\nb\\u2013.txt: found no; expected yes\n"
        self.assertEqual((1, b"before\n", told), ended(cli.run, main))

    def test_a_missing_file(self):
        def main():
            raise BundleError(Problem("a.txt", found="no such file", expected="a file", missing=True))

        self.assertEqual((2, b"", b"a.txt: found no such file; expected a file\n"), ended(cli.run, main))

    def test_an_interrupt(self):
        def main():
            raise KeyboardInterrupt

        self.assertEqual((130, b"", b"interrupted; the files are as they were\n"), ended(cli.run, main))

    def test_a_closed_pipe(self):
        reading, writing = os.pipe()
        os.close(reading)
        errors = io.TextIOWrapper(io.BytesIO())
        with open(writing, "w") as pipe, contextlib.redirect_stdout(pipe), contextlib.redirect_stderr(errors):
            with self.assertRaises(SystemExit) as caught:
                cli.run(lambda: print("x"))
            print("what is left in the stream goes nowhere", flush=True)
        self.assertEqual((1, b""), (caught.exception.code, errors.buffer.getvalue()))

    @unittest.skipUnless(Path("/dev/full").exists(), "no full device")
    def test_standard_output_on_a_full_disk(self):
        for words in ("print('x')", "print('x' * 100_000)"):
            code = f"from scenario_ratio import cli; cli.run(lambda: {words})"
            with self.subTest(words), open("/dev/full", "w") as full:
                finished = run("-c", code, cwd=ROOT, stdout=full)
                line = "standard output or a temporary file: found No space left on device; expected a place to write\n"
                self.assertEqual((2, line), (finished.returncode, finished.stderr))


class WhereIsWritten(BundleCase):
    def test_no_link_is_followed_to_a_folder(self):
        folder = temporary_folder(self)
        output, elsewhere = folder / "output", folder / "elsewhere"
        output.mkdir(), elsewhere.mkdir()
        (output / "data").symlink_to(elsewhere)
        finished = run(ROOT / "analyze.py", "--root", whole_copy(), "--output", output)
        line = "data/selected_rows.json: found a symbolic link: data; expected a folder of its own\n"
        self.assertEqual((1, line), (finished.returncode, finished.stderr))
        self.assertEqual([], list(elsewhere.iterdir()))

    def test_a_link_in_a_files_place_is_replaced(self):
        output = temporary_folder(self)
        (output / "target").write_bytes(b"kept")
        (output / "results.json").symlink_to("target")
        self.assertEqual(0, run(ROOT / "analyze.py", "--root", whole_copy(), "--output", output).returncode)
        self.assertEqual(b"kept", (output / "target").read_bytes())
        self.assertEqual((whole_copy() / "results.json").read_bytes(), (output / "results.json").read_bytes())


class PlantedBytecode(BundleCase):
    """What Python would run in place of a source, since nobody compares it with the source, is not run."""

    COMMANDS = (("reproduce.py", "--check"), ("validate.py",), ("analyze.py", "--pair", "285"), ("reproduce.py",))

    def test_each_documented_command_runs_the_source(self):
        root = copied_bundle(self)
        expected = [run(root / script, *options) for script, *options in self.COMMANDS[:3]]
        self.plant(root / "scenario_ratio/wording.py", 'def percent(ratio):\n    return "99.99%"\n')
        self.plant(root / "scenario_ratio/show/svg.py", 'DAMAGE = SystemExit("the bytecode of svg.py")\nraise DAMAGE\n')
        self.plant(root / "scenario_ratio/__init__.py", "def from_source():\n    pass\n")
        said = "from scenario_ratio import wording; print(wording.percent(0.5))"
        self.assertEqual("99.99%\n", run("-c", said, cwd=root).stdout)  # so it would be run, were it not passed over
        for (script, *options), whole in zip(self.COMMANDS, expected):
            with self.subTest(script, options=options):
                finished = run(root / script, *options)
                self.assertEqual((whole.returncode, ""), (finished.returncode, finished.stderr))
                self.assertEqual(self.told(whole.stdout), self.told(finished.stdout))
                self.assertNotIn("99.99%", finished.stdout)
        finished = run(root / "reproduce.py")
        self.assertEqual((0, ""), (finished.returncode, finished.stderr))
        for name in ("article.html", "README.md", "scenario-ratios.svg", "analysis.ipynb"):
            self.assertEqual((whole_copy() / name).read_bytes(), (root / name).read_bytes(), name)

    def plant(self, source: Path, more: str) -> None:
        """Put beside a module the bytecode of one with ``more`` at its end, never to be compared with its source."""
        text = source.read_text(encoding="utf-8")
        other = source.with_name("other.py")
        other.write_text(f"{text}\n\n{more}", encoding="utf-8")
        cached = source.parent / "__pycache__" / f"{source.stem}.{sys.implementation.cache_tag}.pyc"
        cached.parent.mkdir(exist_ok=True)
        mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(str(other), str(cached), doraise=True, invalidation_mode=mode)
        other.unlink()

    def told(self, stdout: str) -> list[str]:
        """Return what a command printed, but the seconds that each step took."""
        return [line.partition(" s  ")[2] or line for line in stdout.splitlines()]

    def test_every_script_says_so_before_it_imports_the_package(self):
        opening = [
            "import sys",
            "sys.pycache_prefix = __file__",
            "import scenario_ratio",
            "scenario_ratio.from_source()",
        ]
        for path in sorted(ROOT.glob("*.py")):
            _, *told = map(ast.unparse, ast.parse(path.read_text(encoding="utf-8")).body)
            with self.subTest(path.name):
                self.assertEqual(opening, [one for one in told if one != "from __future__ import annotations"][:4])
