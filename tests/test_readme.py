"""The README: every script and place has its line, every command is one that works, its table follows the results."""

from __future__ import annotations

import copy
import re
import subprocess

import build_readme

from scenario_ratio import bundle
from scenario_ratio.files import read_json
from tests.support import ROOT, BundleCase

README = (ROOT / "README.md").read_text(encoding="utf-8")


class Complete(BundleCase):
    def test_every_script_has_one_line(self):
        scripts = sorted(path.name for path in ROOT.glob("*.py"))
        places = README.split("## What is where")[1].split("\n## ")[0]
        lines = re.findall(r"^\| `(\w+\.py)` \| .{20,}\|$", places, re.MULTILINE)
        self.assertEqual(scripts, sorted(lines))

    def test_the_scripts_stand_in_the_order_in_which_they_run(self):
        import reproduce

        run = [name for names, _ in reproduce.STEPS for name in names.split(", ")]
        table = re.findall(r"^\| `(\w+\.py)` \|", README.split("## What is where")[1], re.MULTILINE)
        self.assertEqual(run, table[: len(run)])

    def test_every_file_and_folder_at_the_top_is_named(self):
        tops = {name.split("/")[0] + ("/" if "/" in name else "") for name in bundle.tracked_files(ROOT)}
        hidden = {name for name in tops if name.startswith(".")}
        self.assertEqual(
            [],
            sorted(
                name
                for name in tops - hidden - {"README.md"}
                if f"`{name}`" not in README and f"({name})" not in README
            ),
        )

    def test_every_name_in_backticks_exists(self):
        names = re.findall(r"`([\w./-]+\.(?:py|json|csv|svg|html|ipynb|md|txt|cff|toml))`", README)
        made = {"notebook.html"}
        folders = ("", "data/", "sources/", "qa/", "benchmarks/", "fuzz/")
        absent = [
            name
            for name in names
            if name not in made and not any((ROOT / folder / name).is_file() for folder in folders)
        ]
        self.assertEqual([], absent)


class Evidence(BundleCase):
    def test_the_alterations_are_those_of_the_record(self):
        record = read_json(ROOT, "qa/alterations.json")
        words = f"`qa/alterations.json`: {record['cases']:,} seeded alterations of the bundle"
        self.assertIn(words, README)
        self.assertIn(f"; {record['unnoticed']} went unnoticed", README.replace("\n  ", " "))


class Commands(BundleCase):
    def test_the_sums_verify_with_the_tool_people_have(self):
        command = ["sha256sum", "-c", "--quiet", "SHA256SUMS"]
        finished = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
        self.assertEqual((0, "", ""), (finished.returncode, finished.stdout, finished.stderr))

    def test_the_lookup_that_is_shown_finds_the_pair(self):
        from tests.support import run

        for words in re.findall(r"analyze\.py --pair ([^#\n]*?)\s*#", README):
            finished = run(ROOT / "analyze.py", "--pair", *words.split())
            with self.subTest(words):
                self.assertEqual((0, ""), (finished.returncode, finished.stderr))
                self.assertIn({"285": "59,867.8", "285 --json": "59867.8"}.get(words, "8xMI355X"), finished.stdout)

    def test_the_runtime_is_installed_as_the_server_says(self):
        from scenario_ratio.notebook import runtime

        self.assertIn(f"\n{runtime.INSTALL}\n{runtime.SERVE}\n", README)


class Table(BundleCase):
    def setUp(self):
        self.results = copy.deepcopy(read_json(ROOT, "results.json"))

    def test_the_published_ratios_are_in_it(self):
        table = build_readme.quoted(README)
        for cells in (
            "| deepseek-r1 | NVIDIA | B300-SXM-270GBx8_TRT | 285/286 | 70,132.3 | 59,867.8 | 85.36% |",
            "| gpt-oss-120b | NVIDIA | B300-SXM-270GBx8_TRT | 287/288 | 106,637.0 | 100,630.0 | 94.37% |",
            "| llama2-70b-99.9 | NVIDIA | B300-SXM-270GBx8_TRT | 289/290 | 109,277.0 | 106,949.0 | 97.87% |",
            "| gpt-oss-120b | NVIDIA | GB200-NVL72_GB200-186GB_aarch64x72_TRT | 300/301 | 883,761.0 | 899,005.0 | 101.72% |",
        ):
            self.assertIn(cells, table)
        self.assertIn("Result not verified by MLCommons Association.", table)

    def test_it_follows_the_results(self):
        for pair in self.results["pairs"]:
            if pair["offline_id"] == "285":
                pair.update(offline_tokens_per_s=1234.5, submitter="A|B")
        self.assertIn(
            "| deepseek-r1 | A&#124;B | B300-SXM-270GBx8_TRT | 285/286 | 1,234.5 |", build_readme.table(self.results)
        )

    def test_a_readme_without_the_marks(self):
        line = (
            "README.md: found no place for the results; expected the lines <!-- results: written by build_readme.py --> "
            "and <!-- end of results -->"
        )
        self.assert_refused([line], build_readme.quoted, "# nothing")
