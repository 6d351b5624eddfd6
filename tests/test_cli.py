"""What every script's command line has in common: options, exit codes, one line per problem."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from pathlib import Path

from scenario_ratio import cli
from scenario_ratio.problems import BundleError, Problem
from tests.support import ROOT, BundleCase, temporary_folder


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


class Options(BundleCase):
    def test_the_bundle_is_the_folder_of_the_scripts(self):
        self.assertEqual(ROOT, cli.BUNDLE)
        self.assertEqual((ROOT, ROOT), cli.folders(cli.parser("about").parse_args([])))

    def test_the_output_is_the_root_unless_it_is_named(self):
        root = temporary_folder(self)
        self.assertEqual((root, root), cli.folders(cli.parser("about").parse_args(["--root", str(root)])))
        both = cli.parser("about").parse_args(["--root", str(root), "--output", "b"])
        self.assertEqual((root, Path("b")), cli.folders(both))

    def test_a_root_that_is_not_there_is_misuse(self):
        options = cli.parser("about").parse_args(["--root", "no/such"])
        error = self.assert_refused(["no/such: found no such folder; expected a bundle"], cli.folders, options)
        self.assertEqual(2, error.exit_code)

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
    def test_each_file_is_written_and_told(self):
        root, output = temporary_folder(self), temporary_folder(self)
        (output / "same.txt").write_bytes(b"1")
        seen = []

        def outputs(*folders):
            seen.append(folders)
            return {"same.txt": b"1", "new.txt": b"2"}

        kept, sys.argv = sys.argv, ["x", "--root", str(root), "--output", str(output)]
        self.addCleanup(setattr, sys, "argv", kept)
        told = ended(cli.produce, "about", outputs)
        self.assertEqual((None, b"same.txt: unchanged\r\nnew.txt: changed\r\n", b""), told)
        self.assertEqual([(root, output)], seen)
        self.assertEqual({"same.txt": b"1", "new.txt": b"2"}, {p.name: p.read_bytes() for p in output.iterdir()})


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
