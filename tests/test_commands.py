"""The scripts as their users call them: what each prints and writes, its exit code, what it says when something is wrong.

Run in this process, so that what they reach is known; test_scripts.py runs them as processes of their own.
"""

from __future__ import annotations

import contextlib
import io
import re
import runpy
import shutil
import sys
import unittest
from unittest import mock

from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import ON_DEMAND
from tests.support import ROOT, BundleCase, temporary_folder, whole_copy

FOUND = """\
MLPerf® Inference: Datacenter v6.1, results at 4bb63cd28eb1, retrieved 2026-11-30
upstream files verified by digest: 295
rows: 492 of 31 fields, 15,252 CSV cells equal to their JSON twins
closed 476, open 16, eligible 305, with measured power 0
pairs: 152 on 27 metadata fields, 11 of them with Server above Offline; unmatched rows: 264
accuracy: every metric of 305 rows within its target and upper limit
logs: 293 passed every check (4 with errors in the log), 12 not available
285/286 NVIDIA B300-SXM-270GBx8_TRT deepseek-r1: 59,867.8 / 70,132.3 = 85.36%
287/288 NVIDIA B300-SXM-270GBx8_TRT gpt-oss-120b: 100,630.0 / 106,637.0 = 94.37%
289/290 NVIDIA B300-SXM-270GBx8_TRT llama2-70b-99.9: 106,949.0 / 109,277.0 = 97.87%
300/301 NVIDIA GB200-NVL72_GB200-186GB_aarch64x72_TRT gpt-oss-120b: 899,005.0 / 883,761.0 = 101.72%
spread on B300-SXM-270GBx8_TRT: 12.51 percentage points. Result not verified by MLCommons Association.
"""  # the published counts, rates and ratios of the round, and the names in its summary
CHECKS = """\
ok    artifacts made again in memory are the bytes saved (8)
ok    notebook cells run again give the outputs saved (6)
ok    texts hold no number that results.json does not (6)
ok    pages and figures are well formed and load nothing (5)
ok    links inside the bundle lead somewhere ({links})
ok    results are shown with the words that the rules ask for (5)
ok    every file of the bundle is listed in SHA256SUMS with its digest, and no other
"""
LISTED = [row.name for row in ARTIFACTS if row.kind not in ON_DEMAND]


def called(script: str, *arguments: object) -> tuple[int, str, str]:
    """Return (exit code, standard output, standard error) of a script called with some arguments."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8"), io.TextIOWrapper(io.BytesIO(), "utf-8")]
    patched = mock.patch.object(sys, "argv", [script, *map(str, arguments)])
    prefix, hooks = sys.pycache_prefix, list(sys.path_hooks)
    try:
        with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]), patched:
            runpy.run_path(str(ROOT / script), run_name="__main__")
        code = -1
    except SystemExit as ended:
        code = ended.code
    finally:
        sys.pycache_prefix, sys.path_hooks[:] = prefix, hooks
    told = []
    for stream in streams:
        stream.flush()
        told.append(stream.buffer.getvalue().decode("utf-8"))
    return code, *told


class CommandCase(BundleCase):
    """A test case with a copy of the bundle, ``root``, that no test changes, and a folder of its own to write to."""

    @classmethod
    def setUpClass(cls):
        cls.root = whole_copy()
        code, _, told = called("reproduce.py", "--root", cls.root)  # which adds what is made on demand
        if code:
            raise AssertionError(told)

    def setUp(self):
        self.output = temporary_folder(self) / "output"

    def of_root(self, *names: str) -> dict[str, bytes]:
        return {name: (self.root / name).read_bytes() for name in names}

    def written(self) -> dict[str, bytes]:
        return {
            path.relative_to(self.output).as_posix(): path.read_bytes()
            for path in self.output.rglob("*")
            if path.is_file()
        }

    def copied_output(self) -> None:
        """Fill the output with everything that is made."""
        for row in ARTIFACTS:
            (self.output / row.name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.root / row.name, self.output / row.name)


class Makers(CommandCase):
    def test_each_writes_its_artifacts_and_says_so(self):
        for script in ("make_plot.py", "build_article.py", "execute_notebook.py", "build_provenance.py", "pack.py"):
            with self.subTest(script):
                self.setUp()
                self.copied_output()
                names = [row.name for row in ARTIFACTS if row.script == script]
                for name in names:
                    (self.output / name).unlink()
                told = "".join(f"{name}: new\n" for name in names)
                self.assertEqual((0, told, ""), called(script, "--root", self.root, "--output", self.output))
                told = told.replace("new", "unchanged")
                self.assertEqual((0, told, ""), called(script, "--root", self.root, "--output", self.output))
                self.assertEqual(self.of_root(*names), {name: self.written()[name] for name in names})

    def test_results_first(self):
        line = "results.json: found no such file; expected a regular file. Run analyze.py to write it again.\n"
        self.output.mkdir()
        for script in ("make_plot.py", "execute_notebook.py", "build_notebook.py"):
            self.assertEqual((2, "", line), called(script, "--root", self.root, "--output", self.output), script)
        self.assertEqual({}, self.written())

    def test_a_changed_file_is_written_anew(self):
        self.copied_output()
        (self.output / "latency-headroom.svg").write_bytes(b"<svg/>\n")
        told = "scenario-ratios.svg: unchanged\nratio-distribution.svg: unchanged\nlatency-headroom.svg: changed\n"
        self.assertEqual((0, told, ""), called("make_plot.py", "--root", self.root, "--output", self.output))
        self.assertEqual(self.of_root(*self.written()), self.written())

    def test_no_such_root(self):
        missing = self.output / "absent"
        for script in {row.script for row in ARTIFACTS} | {"build_notebook.py", "reproduce.py"}:
            line = f"{missing}: found no such folder; expected a bundle\n"
            self.assertEqual((2, "", line), called(script, "--root", missing), script)


class Analyze(CommandCase):
    def test_it_writes_both_files_and_says_what_was_found(self):
        told = "results.json: new\ndata/selected_rows.json: new\n" + FOUND
        self.assertEqual((0, told, ""), called("analyze.py", "--root", self.root, "--output", self.output))
        self.assertEqual(self.of_root("results.json", "data/selected_rows.json"), self.written())

    def test_a_pair_is_shown_and_nothing_written(self):
        code, told, wrong = called("analyze.py", "--root", self.root, "--pair", "285")
        self.assertEqual((0, ""), (code, wrong))
        self.assertTrue(told.startswith("285/286 NVIDIA · B300-SXM-270GBx8_TRT · deepseek-r1\n"), told)
        self.assertIn("  rates     Server 59,867.8 / Offline 70,132.3 tokens/s = 85.36%\n", told)
        code, told, wrong = called("analyze.py", "--root", self.root, "--json", "--pair", "285")
        self.assertEqual((0, ""), (code, wrong))
        self.assertIn('      "offline_id": "285",\n', told)
        self.assertTrue(
            told.startswith('{\n  "attribution": "MLPerf® Inference: Datacenter v6.1, closed division, '), told
        )

    def test_misuse(self):
        for arguments, told in (
            (["--json"], "analyze.py: error: --json goes with --pair"),
            (["--pair", " "], "analyze.py: error: --pair needs a word"),
        ):
            code, out, wrong = called("analyze.py", "--root", self.root, *arguments)
            self.assertEqual((2, "", told), (code, out, wrong.splitlines()[-1]))

    def test_no_such_pair(self):
        code, out, wrong = called("analyze.py", "--root", self.root, "--pair", "nobody")
        expected = "expected an id, or parts of a submitter, system, platform, model or accelerator"
        self.assertEqual((1, "", True), (code, out, wrong.startswith("results.json: pairs: found none that matches 'nobody'; " + expected)), wrong)  # fmt: skip


class Validate(CommandCase):
    def checks(self) -> str:
        """Return what validate.py prints when all is well; the number of links is counted here with other means."""
        text = (self.root / "article.html").read_text(encoding="utf-8")
        page = (self.root / "notebook.html").read_text(encoding="utf-8")
        readme = re.findall(r"\]\([^)\s]+\)", (self.root / "README.md").read_text(encoding="utf-8"))
        return CHECKS.format(links=len(re.findall("<a ", text)) + len(re.findall("<a ", page)) + len(readme))

    def test_it_says_what_was_checked_and_writes_the_record(self):
        told = self.checks() + "qa/offline-validation.json: unchanged\n"
        self.assertEqual((0, told, ""), called("validate.py", "--root", self.root))

    def test_every_failure_is_told_and_nothing_written(self):
        self.copied_output()
        for name in ("scenario-ratios.svg", "article.html"):
            raw = (self.output / name).read_bytes()
            (self.output / name).write_bytes(raw.replace(b"85.36%", b"31.41%"))
        (self.output / "provenance.json").unlink()
        (self.output / "notebook.html").write_bytes(b"<p>\n")
        before = self.written()
        code, told, wrong = called("validate.py", "--root", self.root, "--output", self.output)
        self.assertEqual(2, code)  # a file is missing
        self.assertEqual(before, self.written())
        states = [line.split()[0] for line in told.splitlines()]
        self.assertEqual(["FAIL", "ok", "FAIL", "ok", "ok", "ok", "FAIL"], states, told)
        files = [line.partition(":")[0] for line in wrong.splitlines()]
        self.assertEqual(len(files), len(set(wrong.splitlines())), "a failure told twice")
        self.assertEqual(
            {"scenario-ratios.svg": 3, "article.html": 3, "provenance.json": 1, "notebook.html": 1},
            {name: files.count(name) for name in dict.fromkeys(files) if name in before or name == "provenance.json"},
            wrong,
        )


class Reproduce(CommandCase):
    STEPS = [
        "analyze.py",
        "make_plot.py",
        "build_article.py",
        "execute_notebook.py",
        "build_provenance.py",
        "validate.py",
        "pack.py",
    ]

    def steps(self, told: str) -> tuple[list[tuple[str, str]], str]:
        """Return ([(script, what became of its files)] of the lines that count the steps, the rest)."""
        lines = told.splitlines(keepends=True)
        found = [re.fullmatch(r"(\d)/7  +\d+\.\d\d s  (\w+\.py): (.+)\n", line) for line in lines[:7]]
        self.assertEqual(list("1234567"), [match[1] for match in found])
        return [(match[2], match[3]) for match in found], "".join(lines[7:])

    def test_everything_is_made_and_told(self):
        code, told, wrong = called("reproduce.py", "--root", self.root, "--output", self.output)
        self.assertEqual((0, ""), (code, wrong))
        steps, rest = self.steps(told)
        self.assertEqual((self.STEPS, FOUND), ([script for script, _ in steps], rest))
        for script, outcomes in steps:
            self.assertEqual(", ".join(f"{row.name} new" for row in ARTIFACTS if row.script == script), outcomes)
        self.assertEqual(self.of_root(*(row.name for row in ARTIFACTS)), self.written())

    def test_check_says_that_nothing_would_change(self):
        code, told, wrong = called("reproduce.py", "--check", "--root", self.root)
        self.assertEqual((0, ""), (code, wrong))
        steps, rest = self.steps(told)
        self.assertEqual(FOUND + "nothing would change\n", rest)
        self.assertEqual({"unchanged"}, {one.split()[-1] for _, outcomes in steps for one in outcomes.split(", ")})

    def test_check_names_what_would_change_and_writes_nothing(self):
        self.copied_output()
        for row in ARTIFACTS:
            if row.kind in ON_DEMAND:
                (self.output / row.name).unlink()
        (self.output / "ratio-distribution.svg").write_bytes(b"<svg/>\n")
        (self.output / "SHA256SUMS").unlink()
        before = self.written()
        code, told, wrong = called("reproduce.py", "--check", "--root", self.root, "--output", self.output)
        self.assertEqual(before, self.written())
        self.assertEqual(1, code)
        hint = "expected the bytes just made. Run reproduce.py to write it again."
        self.assertIn(f"ratio-distribution.svg: found other bytes; {hint}", wrong.splitlines())
        self.assertNotIn("reproducibility.zip", wrong)
        self.assertNotIn("nothing would change", told)


if __name__ == "__main__":
    unittest.main()
