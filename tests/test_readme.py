"""The README: every script, artifact and place has its line, every command works, its table follows the results."""

from __future__ import annotations

import json
import re
import subprocess

from scenario_ratio import pinned
from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.notebook import page
from scenario_ratio.show import article
from tests.support import LAST, ROOT, BundleCase, opened, run, whole_copy

README = (ROOT / "README.md").read_text(encoding="utf-8")
PLACES = README.split("## What is where")[1].split("\n## ")[0]
SCRIPTS = re.findall(r"^\| `(\w+\.py)` \| (.+) \|$", PLACES, re.MULTILINE)  # (script, what it does)


class Complete(BundleCase):
    def test_every_script_has_one_line(self):
        scripts = sorted(path.name for path in ROOT.glob("*.py"))
        self.assertEqual(scripts, sorted(script for script, _ in SCRIPTS))
        self.assertEqual([], [script for script, words in SCRIPTS if len(words) < 20])

    def test_the_scripts_that_make_stand_in_the_order_of_the_list_each_with_what_it_makes(self):
        made = {}
        for row in ARTIFACTS:
            made.setdefault(row.script, []).append(row.name)
        names = {row.name for row in ARTIFACTS}
        told = [
            (script, [name for name in re.findall(r"`([^`]+)`", words) if name in names])
            for script, words in SCRIPTS[: len(made)]
        ]
        self.assertEqual(list(made.items()), told)

    def test_every_room_of_the_package_is_named_and_no_other(self):
        line = next(line for line in PLACES.split("\n") if line.startswith("| `scenario_ratio/` |"))
        rooms = {path.name for path in (ROOT / "scenario_ratio").iterdir() if path.is_dir()} - {"__pycache__"}
        self.assertEqual(sorted(f"{room}/" for room in rooms), sorted(re.findall(r"`(\w+/)`", line)[1:]))
        for name in re.findall(r"`(\w+\.py)`", line):
            self.assertTrue((ROOT / "scenario_ratio" / name).is_file(), name)

    def test_every_file_and_folder_at_the_top_is_named(self):
        tops = {name.split("/")[0] + ("/" if "/" in name else "") for name in opened(ROOT).listed()}
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
        folders = ("", "data/", "sources/", "qa/", "benchmarks/", "fuzz/", "scenario_ratio/")
        absent = [
            name
            for name in names
            if name not in LAST and not any((ROOT / folder / name).is_file() for folder in folders)
        ]
        self.assertEqual([], absent)


class TheRound(BundleCase):
    def test_only_the_results_name_it_so_that_the_next_needs_no_edit_of_prose(self):
        prose = README.replace(article.quoted(README), "")
        self.assertNotEqual(README, prose)
        self.assertIn(pinned.ROUND, article.quoted(README))
        for words in (pinned.ROUND, pinned.RESULTS_COMMIT[:12], pinned.RESULTS_REPOSITORY.partition("://")[2]):
            self.assertNotIn(words, prose)
        self.assertEqual([], re.findall(r"\bv\d+\.\d+", prose))


# Stronger than anything that is proved here: a digest proves a copy, and code that is wrong agrees with itself.
TOO_STRONG = re.compile(r"cannot pass|check(s|ed)? every digit|verified by digest|every error|guarantee", re.IGNORECASE)


class Promises(BundleCase):
    SECTION = README.split("## What each command proves\n")[1].split("\n## ")[0]

    def test_each_command_says_what_it_proves_and_what_it_does_not(self):
        rows = [
            [cell.strip() for cell in line.split("|")[1:-1]] for line in re.findall(r"^\|.*\|$", self.SECTION, re.M)
        ]
        self.assertEqual(["command", "what it proves", "what it does not"], rows[0])
        commands = [cells[0].strip("`") for cells in rows[2:]]
        self.assertEqual(
            ["sha256sum -c --quiet SHA256SUMS", "python3 reproduce.py --check", "python3 validate.py",
             "python3 -m unittest", "python3 acquire.py"],
            commands,
        )  # fmt: skip
        self.assertEqual([], [cells for cells in rows[2:] if len(cells) != 3 or len(min(cells[1:], key=len)) < 20])
        for script in re.findall(r"(\w+\.py)", " ".join(commands)):
            self.assertTrue((ROOT / script).is_file(), script)

    def test_the_ways_in_which_files_were_obtained_are_counted_as_the_record_has_them(self):
        record = json.loads((ROOT / "sources/acquisition.json").read_bytes())
        ways = [entry["obtained"] for entry in record["files"]]
        told = ", ".join(f"{way} {ways.count(way)}" for way in record["obtained"])
        self.assertIn(f"\nUpstream files: {len(ways)} as the acquisition record has them in length, SHA-256", README)
        self.assertIn(f"({told}).\n", README)

    def test_nothing_promises_more_than_is_proved(self):
        texts = ("README.md", "article.html", "analysis.ipynb", "CITATION.cff", "qa/offline-validation.json")
        code = [name for name in opened(ROOT).listed() if re.fullmatch(r"(scenario_ratio/.*|\w+)\.(py|md|txt)", name)]
        found = [(name, TOO_STRONG.search((ROOT / name).read_text(encoding="utf-8"))) for name in {*texts, *code}]
        self.assertEqual([("CHANGELOG.md", "cannot pass")], [(name, words[0]) for name, words in found if words])


class Evidence(BundleCase):
    def test_the_alterations_are_those_of_the_record(self):
        record = json.loads((ROOT / "qa/alterations.json").read_bytes())
        words = f"`qa/alterations.json`: {record['cases']:,} seeded alterations of the bundle"
        self.assertIn(words, README)
        self.assertIn(f"; {record['unnoticed']} went unnoticed", README.replace("\n  ", " "))


class Commands(BundleCase):
    def test_the_sums_verify_with_the_tool_people_have(self):
        command = ["sha256sum", "-c", "--quiet", "SHA256SUMS"]
        finished = subprocess.run(command, cwd=whole_copy(), capture_output=True, encoding="utf-8")
        self.assertEqual((0, "", ""), (finished.returncode, finished.stdout, finished.stderr))

    def test_the_lookup_that_is_shown_finds_the_pair(self):
        for words in re.findall(r"analyze\.py --pair ([^#\n]*?)\s*#", README):
            finished = run(ROOT / "analyze.py", "--pair", *words.split())
            with self.subTest(words):
                self.assertEqual((0, ""), (finished.returncode, finished.stderr))
                self.assertIn({"285": "59,867.8", "285 --json": "59867.8"}.get(words, "8xMI355X"), finished.stdout)

    def test_the_runtime_is_installed_as_the_server_says(self):
        self.assertIn(f"\n{page.INSTALL}\n{page.SERVE}\n", README)


class Filling(BundleCase):
    """How the table is filled; test_article.py holds what is in it."""

    def test_marks_in_the_wrong_order(self):
        line = (
            "README.md: found no place for the results; expected the lines <!-- results: written by build_article.py --> "
            "and <!-- end of results -->"
        )
        self.assert_refused([line], article.quoted, f"{article.END}\n{article.START}\n")
