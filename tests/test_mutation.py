"""The records of the mutation runs: whole, with a reason beside each survivor; and how the runs tell changes apart."""

from __future__ import annotations

import ast
import hashlib
import json
import subprocess
import sys
import unittest
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support import ROOT, BundleCase

try:
    from tests import mutants, mutation
except ImportError:
    mutants = mutation = None

from tests import rewording

RECORD = ROOT / "qa" / "mutation.json"


class Claim(BundleCase):
    def test_the_readme_speaks_of_a_record_only_if_there_is_one(self):
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        self.assertEqual(RECORD.is_file(), "qa/mutation.json" in readme)


class Record(BundleCase):
    """What the tests notice of the code as it stands."""

    mode = "tests"
    states = ("killed", "survived")

    @classmethod
    def setUpClass(cls):
        if not RECORD.is_file():
            raise unittest.SkipTest("qa/mutation.json has not been made")
        cls.record = json.loads(RECORD.read_bytes())[cls.mode]

    def changed(self) -> set[str]:
        return {
            path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.py"), *ROOT.rglob("scenario_ratio/**/*.py"))
        }

    def test_every_module_is_there(self):
        self.assertEqual(self.changed(), set(self.record["modules"]))

    def test_it_is_of_the_code_as_it_is(self):
        stale = [
            name
            for name, facts in self.record["modules"].items()
            if hashlib.sha256((ROOT / name).read_bytes()).hexdigest() != facts["sha256"]
        ]
        self.assertEqual([], stale, "changed since: run python3 -m tests.mutation with these names")

    def test_the_counts_add_up(self):
        for name, facts in self.record["modules"].items():
            self.assertEqual(facts["mutants"], sum(facts[state] for state in self.states), name)
        survivors = Counter(entry["module"] for entry in self.record["survivors"])
        self.assertEqual({name: facts["survived"] for name, facts in self.record["modules"].items()},
                         {name: survivors[name] for name in self.record["modules"]})  # fmt: skip
        for key in ("mutants", *self.states):
            self.assertEqual(sum(facts[key] for facts in self.record["modules"].values()), self.record["total"][key])

    def test_at_least_95_of_100_changes_are_noticed(self):
        total = self.record["total"]
        noticed = sum(total.get(state, 0) for state in ("stopped", "killed"))
        with_effect = noticed + total["survived"]
        self.assertGreaterEqual(100 * noticed, 95 * with_effect)
        self.assertEqual(f"{100 * noticed / with_effect:.2f}", total["killed_percent"])

    def test_each_survivor_has_a_reason(self):
        without = [
            (entry["module"], entry["before"]) for entry in self.record["survivors"] if len(entry["reason"]) < 10
        ]
        self.assertEqual([], without)


class Meaning(Record):
    """What whoever reads the outputs notices, once they are made again with the change."""

    mode = "meaning"
    states = ("no effect", "stopped", "killed", "survived")

    def changed(self) -> set[str]:
        rooms = ("show/**/*.py", "text/article.md", "text/notebook.py", "wording.py", "notebook/document.py")
        made = [path for room in rooms for path in (ROOT / "scenario_ratio").glob(room)]
        study = [ROOT / f"scenario_ratio/study/{name}.py" for name in
                 ("ratios", "claims", "verdicts", "anomalies", "analysis", "differences", "within")]  # fmt: skip
        return {path.relative_to(ROOT).as_posix() for path in (*made, *study) if path.is_file()}


@unittest.skipIf(mutation is None, "mutmut and coverage are not installed: requirements-dev.txt")
class Changes(BundleCase):
    SOURCE = (
        '"""A module."""\n\n\nclass A:\n    """A class."""\n\n    def f(self, a: int | None = 1) -> int | str:\n'
        '        """A method."""\n        b: int | str = a + 2\n        return b\n'
    )

    def test_annotations_and_docstrings_do_nothing(self):
        tree = mutants.bare(self.SOURCE)
        for old, new in (
            ("int | None", "int & None"),
            ("int | str", "str"),
            ("A method", "Another"),
            ("A module", "x"),
        ):
            self.assertEqual(tree, mutants.bare(self.SOURCE.replace(old, new)), old)
        for old, new in (("= 1", "= 2"), ("a + 2", "a - 2"), ("return b", "return 1")):
            self.assertNotEqual(tree, mutants.bare(self.SOURCE.replace(old, new)), old)

    def test_where_a_line_stands(self):
        tree = ast.parse(self.SOURCE)
        self.assertEqual(("A.f", {9}), mutants.place_of(tree, 9))
        self.assertEqual("A", mutants.place_of(tree, 5)[0])
        self.assertEqual(("", {2}), mutants.place_of(tree, 2))

    def test_a_reason_stays_as_long_as_the_change_survives(self):
        module = "scenario_ratio/show/svg.py"
        kept = mutants.Survivor(module, "number", "a", "b", "It does nothing.")
        new = mutants.Survivor(module, "number", "a", "c")
        old = {"modules": {}, "survivors": [kept._asdict(), kept._replace(after="d", reason="Gone.")._asdict()]}
        outcomes = [("killed", new), ("survived", kept._replace(reason="")), ("survived", new)]
        record = mutation.record_of(old, {module: outcomes})
        self.assertEqual([kept._asdict(), new._asdict()], record["survivors"])
        self.assertEqual({"mutants": 3, "killed": 1, "survived": 2, "killed_percent": "33.33"}, record["total"])
        again = mutation.record_of(record, {"analyze.py": [("killed", new._replace(module="analyze.py"))]})
        self.assertEqual(record["survivors"], again["survivors"])
        self.assertEqual((4, 2), (again["total"]["mutants"], again["total"]["killed"]))

    def test_what_is_changed_is_every_script_and_every_room(self):
        scripts = {path.name for path in ROOT.glob("*.py")}
        self.assertEqual(scripts, {name for name in mutation.modules() if "/" not in name})
        rooms = {path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("scenario_ratio/**/*.py")}
        self.assertIn("scenario_ratio/show/figures", rooms)
        self.assertEqual(rooms | {"."}, {Path(name).parent.as_posix() for name in mutation.modules()})

    def test_what_has_no_effect_is_not_counted_and_what_stops_is_noticed(self):
        change = mutants.Survivor("analyze.py", "", "a", "b")
        outcomes = [(state, change) for state in ("no effect", "no effect", "stopped", "killed", "killed", "survived")]
        found = mutation.record_of({"modules": {}, "survivors": []}, {"analyze.py": outcomes}, "meaning")
        expected = {"mutants": 6, "no effect": 2, "stopped": 1, "killed": 2, "survived": 1, "killed_percent": "75.00"}
        self.assertEqual(expected, found["total"])

    def test_another_word_stops_nothing_and_is_left_to_those_who_read(self):
        with TemporaryDirectory() as folder:
            copy = mutants.copied(Path(folder) / "bundle")
            text = copy / "scenario_ratio" / "text" / "article.md"
            words = text.read_text(encoding="utf-8")
            text.write_text(
                words.replace("It does not mean that deadlines", "It means that deadlines"), encoding="utf-8"
            )
            code = "from pathlib import Path\nfrom tests import mutants\nprint(mutants.made_again(Path.cwd()))"
            run = subprocess.run([sys.executable, "-c", code], cwd=copy, capture_output=True, encoding="utf-8")
        self.assertEqual(("survived\n", ""), (run.stdout, run.stderr))

    def test_what_has_a_meaning_is_what_makes_outputs_and_the_texts(self):
        self.assertEqual(Meaning().changed(), set(mutation.modules("meaning")))
        self.assertEqual([], [name for name in mutation.reading_tests() if not name.startswith("test_again_")])


class OtherWords(BundleCase):
    TEXT = (
        "<!-- all of it -->\n\n## Above all {#a}\n:: definition\n\nAll 3 {x.y:count} are {z.w:count}, more than `all`.\n:? all_are\n\n"
        "## Below\n\n{x.y:percent}\n"
    )

    def test_each_change_is_of_what_is_read(self):
        changes = rewording.changes("scenario_ratio/text/article.md", self.TEXT)
        lines = self.TEXT.split("\n")
        told = [(lines[line][start:end], words) for _, line, start, end, words in changes]
        expected = [
            ("all", "some"), ("more", "fewer"), ("3", "4"), ("x.y", "z.w"), ("z.w", "x.y"), ("Above all", "Below"),
            ("Below", "Above all"),
        ]  # fmt: skip
        self.assertEqual(expected, told)
        self.assertIn("All 4 {x.y:count} are", rewording.after(changes[2], self.TEXT))
        self.assertIn("## Below {#a}\n", rewording.after(changes[5], self.TEXT))

    def test_of_cells_the_prose_alone(self):
        text = '"""All."""\n\n# %% [markdown] all\n# # All\n#\n# This is not all.\n# :: all\n\n# %% b\nx = all\n'
        changes = rewording.changes("scenario_ratio/text/notebook.py", text)
        self.assertEqual([(5, "some")], [(change.line, change.words) for change in changes])

    def test_where_a_line_stands(self):
        lines = self.TEXT.split("\n")
        self.assertEqual(["", "Above all", "Below"], [rewording.section(lines, line) for line in (0, 5, 10)])
