"""The rooms of the package, and what may lean on what, read off the imports themselves."""

from __future__ import annotations

import ast
import unittest
from pathlib import Path

from tests.support import ROOT, BundleCase, temporary_folder

PACKAGE = "scenario_ratio"

# A module imports only modules that stand before it here.
ORDER = (
    "problems", "wording", "pinned", "files", "shape", "bundle", "cli",
    "upstream.summary", "upstream.layouts", "upstream.loadgen", "upstream.literals", "upstream.constants",
    "upstream.record", "upstream.clone", "upstream.fetching",
    "study.pairing", "study.checks", "study.anomalies", "study.ratios", "study.within", "study.examine", "study.differences",
    "study.verdicts", "study.claims",
    "study.rounds", "study.results", "study.choices", "study.analysis",
    "show.markup", "show.values", "show.groups", "show.relations", "show.text", "show.page", "show.svg",
    "show.figures.highlighted", "show.figures.distribution", "show.figures.headroom", "show.figures.rounds",
    "show.tables", "show.article", "show.terminal",
    "notebook.document", "notebook.running", "notebook.page",
    "proof.reading", "proof.provenance", "proof.packing", "proof.validation",
    "artifacts",
)  # fmt: skip
# What a room may see of another: whoever draws and writes reads results.json, and nothing that made it.
SEEN = {
    ("show", "study"): {"study.results", "study.rounds"},
    ("show", "upstream"): set(),
    ("notebook", "study"): {"study.results"},
    ("notebook", "upstream"): set(),
}
CELLS = "text/notebook.py"  # the cells of the notebook: text, which no module imports


def modules(root: Path) -> dict[str, Path]:
    """Return name -> file of every module of the package below ``root``, but empty ones that make a folder a package."""
    found = {}
    for path in sorted((root / PACKAGE).rglob("*.py")):
        name = path.relative_to(root / PACKAGE).as_posix()
        if path.name != "__init__.py" and name != CELLS:
            found[name.removesuffix(".py").replace("/", ".")] = path
    return found


def imports(path: Path, known: dict[str, Path]) -> list[tuple[int, str]]:
    """Return (line, name) of every import in a file, in functions too; a module of the package by its name in ``known``."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            below = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [name if name.removeprefix(f"{PACKAGE}.") in known else node.module for name in below]
        else:
            continue
        found += [(node.lineno, name.removeprefix(f"{PACKAGE}.")) for name in dict.fromkeys(names)]
    return found


def faults(root: Path) -> list[str]:
    """Return a line for each module that has no place in the order, and each import that runs against it."""
    known = modules(root)
    scripts = {path.stem for path in root.glob("*.py")}
    found = [f"{name}: no place in the order" for name in known if name not in ORDER]
    for name, path in known.items():
        for line, other in imports(path, known):
            place = f"{name}:{line}: imports {other}"
            seen = SEEN.get((name.partition(".")[0], other.partition(".")[0]))
            if other.partition(".")[0] in scripts:
                found.append(f"{place}, a script")
            elif other in ORDER and name in ORDER and ORDER.index(other) >= ORDER.index(name):
                found.append(f"{place}, which stands later")
            elif seen is not None and other not in seen:
                found.append(f"{place}, which its room does not see")
    return found


def users(root: Path, name: str) -> set[str]:
    """Return the modules of the package and the scripts in which ``name`` stands as a name, an attribute or an import."""
    paths = {**modules(root), **{path.name: path for path in root.glob("*.py")}}
    found = set()
    for module, path in paths.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if name in (getattr(node, "id", None), getattr(node, "attr", None)) or (
                isinstance(node, ast.ImportFrom) and name in [alias.name for alias in node.names]
            ):
                found.add(module)
    return found


class OneComputation(BundleCase):
    """Whoever asks about a summary, one function holds its rows against the rules and its logs against the checks."""

    def test_rules_pairs_and_logs_are_judged_in_one_module(self):
        for name, own in (
            ("sort_out", "pairing"),
            ("rules_of", "pairing"),
            ("check_log", "checks"),
        ):
            found = users(ROOT, name) - {f"study.{own}"}
            self.assertLessEqual(found, {"study.examine"}, name)
        self.assertIn("study.examine", users(ROOT, "check_log") & users(ROOT, "sort_out") & users(ROOT, "rules_of"))

    def test_the_analysis_and_the_audit_ask_it(self):
        self.assertEqual({"study.analysis", "study.rounds"}, users(ROOT, "examine") - {"study.examine"})


class Layers(BundleCase):
    def test_every_module_has_its_place_and_imports_only_earlier_ones(self):
        self.assertEqual([], faults(ROOT))

    def test_the_order_names_no_module_that_is_not_there(self):
        self.assertEqual([], [name for name in ORDER if name not in modules(ROOT)])

    def test_a_room_has_nothing_at_its_door(self):
        for path in (ROOT / PACKAGE).glob("*/**/__init__.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            self.assertEqual([], [node for node in tree.body if not isinstance(node, ast.Expr)], path)

    def test_the_house_opens_with_python_alone(self):
        """What a script runs before anything else imports nothing that could be found beside the script."""
        tree = ast.parse((ROOT / PACKAGE / "__init__.py").read_text(encoding="utf-8"))
        asked = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
        self.assertEqual(
            ["import sys", "from importlib.machinery import FileFinder, SourceFileLoader"], [*map(ast.unparse, asked)]
        )

    def test_what_would_be_told(self):
        """Four modules that each break one rule, in a package of their own."""
        root = temporary_folder(self)
        for name, text in {
            "problems.py": "def f():\n    from scenario_ratio.files import read_bytes\n",
            "files.py": "import analyze\n",
            "show/svg.py": "from scenario_ratio.upstream import summary\n",
            "upstream/summary.py": "from scenario_ratio import files, problems\n",
            "study/odd.py": "",
            "text/notebook.py": "import analyze\n",
        }.items():
            (root / PACKAGE / name).parent.mkdir(parents=True, exist_ok=True)
            (root / PACKAGE / name).write_text(text, encoding="utf-8")
        (root / "analyze.py").write_text("", encoding="utf-8")
        self.assertEqual(
            [
                "study.odd: no place in the order",
                "files:1: imports analyze, a script",
                "problems:2: imports files, which stands later",
                "show.svg:1: imports upstream.summary, which its room does not see",
            ],
            faults(root),
        )


if __name__ == "__main__":
    unittest.main()
