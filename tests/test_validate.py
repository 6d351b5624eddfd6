"""Validation: what passes, and that one altered byte in any file does not."""

from __future__ import annotations

import json
import shutil
import unittest
from pathlib import Path

import validate
from scenario_ratio import bundle
from tests.support import ROOT, BundleCase, run, temporary_folder

CHECKS = [
    "artifacts made again in memory are the bytes saved",
    "notebook cells run again give the outputs saved",
    "texts hold no number that results.json does not",
    "pages and figures are well formed and load nothing",
    "links inside the bundle lead somewhere",
    "results are shown with the words that the rules ask for",
]
CLOSING = "every file of the bundle is listed in SHA256SUMS with its digest, and no other"


def whole_copy(test: unittest.TestCase) -> Path:
    """Return a temporary copy of exactly the bundle's files."""
    target = temporary_folder(test) / "bundle"
    for name in bundle.tracked_files(ROOT):
        target.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target / name)
    return target


def altered(raw: bytes) -> bytes:
    """Return ``raw`` with one bit of its middle byte changed, or one byte more if it is empty."""
    middle = len(raw) // 2
    return raw[:middle] + bytes([raw[middle] ^ 1]) + raw[middle + 1 :] if raw else b"x"


class Passing(BundleCase):
    def test_the_bundle_passes_and_every_check_says_so(self):
        root = whole_copy(self)
        finished = run(root / "validate.py")
        self.assertEqual("", finished.stderr)
        lines = finished.stdout.splitlines()
        self.assertEqual([f"ok    {name}" for name in CHECKS + [CLOSING]], [line.split(" (")[0] for line in lines])
        self.assertEqual(0, finished.returncode)
        self.assertEqual((ROOT / validate.RECORD).read_bytes(), (root / validate.RECORD).read_bytes())

    def test_the_record_holds_the_checks_and_no_machine(self):
        record = json.loads((ROOT / validate.RECORD).read_text(encoding="utf-8"))
        self.assertEqual(["all_passed", "checks"], list(record))
        self.assertEqual(CHECKS, [check["check"] for check in record["checks"]])
        for check in record["checks"]:
            self.assertGreater(check["checked"], 0)


class Altered(BundleCase):
    def setUp(self):
        self.root = whole_copy(self)

    def test_one_bit_in_every_file_is_named(self):
        names = [name for name in bundle.tracked_files(self.root) if name != bundle.SUMS]
        self.assertGreater(len(names), 350)
        before = {name: (self.root / name).read_bytes() for name in names}
        for name in names:
            (self.root / name).write_bytes(altered(before[name]))
        files = {problem.file for problem in validate.closing(self.root, self.root)}
        self.assertEqual([], [name for name in names if name not in files])
        for name in names:
            (self.root / name).write_bytes(before[name])
        self.assert_problems([], validate.closing(self.root, self.root))

    def test_a_file_too_many_and_one_too_few(self):
        (self.root / "notes.txt").write_text("x")
        (self.root / "web" / "table.js").unlink()
        files = {problem.file for problem in validate.closing(self.root, self.root)}
        self.assertLessEqual({"notes.txt", "web/table.js"}, files)

    def test_a_broken_record_hides_no_other_file(self):
        (self.root / "sources/acquisition.json").write_bytes(b"{")
        (self.root / "ruff.toml").write_bytes(b"")
        files = {problem.file for problem in validate.closing(self.root, self.root)}
        self.assertEqual({"sources/acquisition.json", "ruff.toml"}, files)

    def test_the_whole_command_fails_and_names_the_artifact(self):
        for name in (
            "results.json", "data/selected_rows.json", "scenario-ratios.svg", "article.html", "analysis.ipynb",
            "provenance.json", "README.md", "data/summary.csv", "data/summary.json", "sources/checker_constants.py",
            "sources/acquisition.json", "SHA256SUMS", "ro-crate-metadata.json", validate.RECORD,
        ):  # fmt: skip
            path = self.root / name
            before = path.read_bytes()
            path.write_bytes(altered(before))
            with self.subTest(name):
                finished = run(ROOT / "validate.py", "--root", self.root)
                self.assertIn(finished.returncode, (1, 2))
                self.assertTrue(
                    [line for line in finished.stderr.splitlines() if line.startswith(f"{name}:")], finished.stderr
                )
                self.assertNotIn("Traceback", finished.stderr)
            path.write_bytes(before)
        self.assertEqual(0, run(ROOT / "validate.py", "--root", self.root).returncode)

    def test_each_check_can_fail(self):
        article = (self.root / "article.html").read_text(encoding="utf-8")
        notebook = (self.root / "analysis.ipynb").read_text(encoding="utf-8")
        for check, name, text in (
            ("remade", "article.html", article + "\n"),
            ("executed", "analysis.ipynb", notebook.replace("85.36%", "85.37%", 1)),
            ("numbers", "article.html", article.replace("85.36%", "185.36%")),
            ("form", "article.html", article.replace("</main>", '<img src="https://example.org/x.png"></main>')),
            ("links", "article.html", article.replace('href="results.json"', 'href="no.json"')),
            ("messages", "article.html", article.replace("derived.", "")),  # in its figures too
        ):
            path = self.root / name
            before = path.read_bytes()
            path.write_text(text, encoding="utf-8")
            with self.subTest(check):
                _, problems = getattr(validate, check)(self.root, self.root, {})
                self.assertEqual({name}, {problem.file for problem in problems})
            path.write_bytes(before)
            with self.subTest(check, repaired=True):
                self.assert_problems([], getattr(validate, check)(self.root, self.root, {})[1])

    def test_a_readme_without_its_table(self):
        path = self.root / "README.md"
        path.write_text(path.read_text(encoding="utf-8").replace("<!-- end of results -->", ""), encoding="utf-8")
        finished = run(ROOT / "validate.py", "--root", self.root)
        self.assertIn("README.md: found no place for the results; expected the lines", finished.stderr)
        self.assertEqual(1, finished.returncode)
