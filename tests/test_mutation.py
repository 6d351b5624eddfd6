"""The record of the mutation run: whole, with a reason beside each survivor; and how the run tells changes apart."""

from __future__ import annotations

import ast
import hashlib
import json
import unittest
from collections import Counter
from pathlib import Path

from tests.support import ROOT, BundleCase

try:
    from tests import mutants, mutation
except ImportError:
    mutants = mutation = None

RECORD = ROOT / "qa" / "mutation.json"


class Claim(BundleCase):
    def test_the_readme_speaks_of_a_record_only_if_there_is_one(self):
        readme = (ROOT / "README.md").read_text(encoding="utf-8")
        self.assertEqual(RECORD.is_file(), "qa/mutation.json" in readme)


class Record(BundleCase):
    @classmethod
    def setUpClass(cls):
        if not RECORD.is_file():
            raise unittest.SkipTest("qa/mutation.json has not been made")
        cls.record = json.loads(RECORD.read_bytes())

    def test_every_module_is_there(self):
        changed = {
            path.relative_to(ROOT).as_posix() for path in (*ROOT.glob("*.py"), *ROOT.rglob("scenario_ratio/**/*.py"))
        }
        self.assertEqual(changed, set(self.record["modules"]))

    def test_it_is_of_the_code_as_it_is(self):
        stale = [
            name
            for name, facts in self.record["modules"].items()
            if hashlib.sha256((ROOT / name).read_bytes()).hexdigest() != facts["sha256"]
        ]
        self.assertEqual([], stale, "changed since: run python3 -m tests.mutation with these names")

    def test_the_counts_add_up(self):
        for name, facts in self.record["modules"].items():
            self.assertEqual(facts["mutants"], facts["killed"] + facts["survived"], name)
        survivors = Counter(entry["module"] for entry in self.record["survivors"])
        self.assertEqual({name: facts["survived"] for name, facts in self.record["modules"].items()},
                         {name: survivors[name] for name in self.record["modules"]})  # fmt: skip
        for key in ("mutants", "killed", "survived"):
            self.assertEqual(sum(facts[key] for facts in self.record["modules"].values()), self.record["total"][key])

    def test_at_least_95_of_100_changes_are_noticed(self):
        total = self.record["total"]
        self.assertGreaterEqual(100 * total["killed"], 95 * total["mutants"])
        self.assertEqual(f"{100 * total['killed'] / total['mutants']:.2f}", total["killed_percent"])

    def test_each_survivor_has_a_reason(self):
        without = [
            (entry["module"], entry["before"]) for entry in self.record["survivors"] if len(entry["reason"]) < 10
        ]
        self.assertEqual([], without)


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
        record = mutation.record_of(old, {module: [(True, new), (False, kept._replace(reason="")), (False, new)]})
        self.assertEqual([kept._asdict(), new._asdict()], record["survivors"])
        self.assertEqual({"mutants": 3, "killed": 1, "survived": 2, "killed_percent": "33.33"}, record["total"])
        again = mutation.record_of(record, {"analyze.py": [(True, new._replace(module="analyze.py"))]})
        self.assertEqual(record["survivors"], again["survivors"])
        self.assertEqual((4, 2), (again["total"]["mutants"], again["total"]["killed"]))

    def test_what_is_changed_is_every_script_and_every_room(self):
        scripts = {path.name for path in ROOT.glob("*.py")}
        self.assertEqual(scripts, {name for name in mutation.modules() if "/" not in name})
        rooms = {path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("scenario_ratio/**/*.py")}
        self.assertIn("scenario_ratio/show/figures", rooms)
        self.assertEqual(rooms | {"."}, {Path(name).parent.as_posix() for name in mutation.modules()})
