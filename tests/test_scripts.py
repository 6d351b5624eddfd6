"""Every script of the project: alone with Python, from anywhere, in every setting, with the same bytes."""

from __future__ import annotations

import ast
import functools
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import unittest
from pathlib import Path

from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import ON_DEMAND
from tests.support import ROOT, BundleCase, interpreters, run, temporary_folder, whole_copy

SCRIPTS = sorted(path.name for path in ROOT.glob("*.py"))

# The scripts that write what is committed, in the order in which reproduce.py does their work.
MAKERS = list(dict.fromkeys(row.script for row in ARTIFACTS))
LAST = [row.name for row in ARTIFACTS if row.kind in ON_DEMAND]

# The other scripts, and what their own tests run them on.
OTHERS = {
    "acquire.py": "fetches from the network, or from a clone",
    "audit.py": "reads clones of results repositories",
    "build_notebook.py": "writes the notebook before it is run, which execute_notebook.py writes over; below",
    "reproduce.py": "runs the makers; below",
    "serve.py": "serves until it is stopped",
}


def copied(folder: Path) -> Path:
    """Copy the pristine bundle, with what reproduce.py made of it but what is made on demand, to a new folder; return it."""
    shutil.copytree(PRISTINE.root, folder)
    for name, raw in PRISTINE.made.items():
        if name not in LAST:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(raw)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Return name -> bytes of every file below a folder; bytecode is none of the bundle's."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def told_by(stdout: str) -> list[tuple[str, str, str, dict[str, str]]]:
    """Return each step of what reproduce.py printed: number, of how many, script, file -> what became of it."""
    steps = re.findall(r"(?m)^(\d+)/(\d+)  +\d+\.\d\d s  ([^:]+): (.+)$", stdout)
    return [
        (number, total, script, dict(outcome.rsplit(" ", 1) for outcome in outcomes.split(", ")))
        for number, total, script, outcomes in steps
    ]


class _Pristine:
    """What reproduce.py made from one copy of the bundle that no test changes, for all tests."""

    @property
    def root(self) -> Path:
        return whole_copy()

    @functools.cached_property
    def steps(self) -> list[tuple]:
        found = run(self.root / "reproduce.py", "--output", self.root.parent / "output")
        if found.returncode or found.stderr:
            raise AssertionError(f"exit code {found.returncode}: {found.stderr}")
        return told_by(found.stdout)

    @functools.cached_property
    def made(self) -> dict[str, bytes]:
        assert self.steps
        return contents(self.root.parent / "output")


PRISTINE = _Pristine()


class TheScripts(BundleCase):
    """What holds for every Python file at the top of the project."""

    def test_each_is_run_by_reproduce_or_named_here(self):
        self.assertEqual([], [script for script in SCRIPTS if script not in MAKERS and script not in OTHERS])
        self.assertEqual([], [script for script in MAKERS if script not in SCRIPTS or script in OTHERS])

    def test_help(self):
        for script in SCRIPTS:
            with self.subTest(script):
                found = run(ROOT / script, "--help")
                self.assertEqual((0, ""), (found.returncode, found.stderr))
                self.assertTrue(found.stdout.startswith(f"usage: {script} [-h]"), found.stdout)
                doc = ast.get_docstring(ast.parse((ROOT / script).read_text(encoding="utf-8")))
                self.assertIn(" ".join(doc.split()), " ".join(found.stdout.split()))

    def test_a_bad_option_is_misuse(self):
        for script in SCRIPTS:
            with self.subTest(script):
                found = run(ROOT / script, "--no-such-option")
                self.assertEqual((2, ""), (found.returncode, found.stdout))
                self.assertRegex(found.stderr.splitlines()[-1], rf"^{script}: error: .+$")
                self.assertNotIn("Traceback", found.stderr)

    def test_an_abbreviated_option_is_misuse(self):
        for script in SCRIPTS:
            with self.subTest(script):
                self.assertEqual(2, run(ROOT / script, "--hel").returncode)

    @unittest.skipUnless(hasattr(sys, "stdlib_module_names"), "Python before 3.10 does not list its own modules")
    def test_nothing_is_imported_but_python_and_the_project(self):
        own = {Path(script).stem for script in SCRIPTS} | {"scenario_ratio"}
        for path in [*(ROOT / script for script in SCRIPTS), *sorted((ROOT / "scenario_ratio").rglob("*.py"))]:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = []
                if isinstance(node, ast.Import):
                    names = [alias.name for alias in node.names]
                elif isinstance(node, ast.ImportFrom):
                    self.assertEqual(0, node.level, f"{path.name}:{node.lineno}: a relative import")
                    names = [node.module]
                for name in names:
                    allowed = name.split(".")[0] in own | sys.stdlib_module_names
                    self.assertTrue(allowed, f"{path.name}:{node.lineno} imports {name}")

    def test_importing_one_does_nothing(self):
        for script in SCRIPTS:
            with self.subTest(script):
                code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import {Path(script).stem}"
                found = run("-c", code, cwd=temporary_folder(self))
                self.assertEqual((0, "", ""), (found.returncode, found.stdout, found.stderr))


class MakersCase(BundleCase):
    def assert_same(self, expected: dict[str, bytes], found: dict[str, bytes]) -> None:
        """Assert that two folders hold the same; name the files that differ, not their bytes."""
        self.assertEqual(sorted(expected), sorted(found))
        self.assertEqual([], [name for name in expected if expected[name] != found[name]])


class TheMakers(MakersCase):
    """Each script that writes, alone."""

    def test_they_make_what_is_committed(self):
        made = {name: raw for name, raw in PRISTINE.made.items() if name not in LAST}
        self.assert_same({name: (ROOT / name).read_bytes() for name in made}, made)

    def test_all_derived_files_are_made(self):
        found = {name for step in PRISTINE.steps for name in step[3]}
        fixed = {
            "results.json",
            "scenario-ratios.svg",
            "article.html",
            "analysis.ipynb",
            "provenance.json",
            "SHA256SUMS",
        }
        self.assertLessEqual(fixed, found)
        self.assertEqual([row.name for row in ARTIFACTS], [name for step in PRISTINE.steps for name in step[3]])
        self.assertEqual(found, set(PRISTINE.made))

    def test_every_installed_python(self):
        for version, python in interpreters().items():
            output = temporary_folder(self) / "output"
            shutil.copytree(PRISTINE.root.parent / "output", output)
            with self.subTest(version):
                for _, _, script, outcomes in PRISTINE.steps:
                    self.run_alone(python, output, script, list(outcomes))
                self.assert_same(PRISTINE.made, contents(output))

    def run_alone(self, python: Path, output: Path, script: str, names: list[str]) -> None:
        """Run a script; it must make its files again, and say so, from another working directory."""
        for name in names:
            if script != "validate.py":  # which refuses a bundle that lacks a file that SHA256SUMS lists
                (output / name).unlink()
        found = run(PRISTINE.root / script, "--output", output, python=python, cwd=output.parent)
        self.assertEqual((0, ""), (found.returncode, found.stderr), script)
        for name in names:
            self.assertEqual(PRISTINE.made[name], (output / name).read_bytes(), f"{script}: {name}")

    def test_the_notebook_before_it_is_run(self):
        output = temporary_folder(self) / "output"
        shutil.copytree(PRISTINE.root.parent / "output", output)
        found = run(PRISTINE.root / "build_notebook.py", "--output", output, cwd=output.parent)
        self.assertEqual((0, "analysis.ipynb: built, not run\n", ""), (found.returncode, found.stdout, found.stderr))
        new, ran = (
            json.loads(raw)["cells"]
            for raw in ((output / "analysis.ipynb").read_bytes(), PRISTINE.made["analysis.ipynb"])
        )
        self.assertEqual([cell["source"] for cell in ran], [cell["source"] for cell in new])
        self.assertEqual([], [cell for cell in new if cell.get("outputs")])

    def test_an_interrupted_write_leaves_the_old_file_whole(self):
        code = """
import os, runpy, sys
def interrupted(*_): raise KeyboardInterrupt
os.replace = interrupted
script, sys.argv = sys.argv[1], sys.argv[1:]
sys.path.insert(0, os.path.dirname(script))
runpy.run_path(script, run_name="__main__")
"""
        root = copied(temporary_folder(self) / "bundle")
        for _, _, script, outcomes in PRISTINE.steps:
            if script == "validate.py":
                continue  # it checks first what it would write over
            for name in outcomes:
                with self.subTest(script, name=name):
                    kept = (root / name).read_bytes() if (root / name).exists() else None
                    old = kept.replace(b"85.36%", b"85.35%") if name == "README.md" else b"an old file"
                    (root / name).write_bytes(old)
                    before = contents(root)
                    found = run("-c", code, root / script)
                    told = "interrupted; the files are as they were\n"
                    self.assertEqual((130, told), (found.returncode, found.stderr))
                    self.assert_same(before, contents(root))
                    if kept is None:
                        (root / name).unlink()
                    else:
                        (root / name).write_bytes(kept)


class Reproduce(MakersCase):
    """reproduce.py as a whole: the same bytes in every setting, and --check."""

    def made(self, root: Path, flags: tuple = (), **environment: str) -> dict[str, bytes]:
        """Return what reproduce.py wrote to a new folder, run with these flags and variables."""
        output = temporary_folder(self) / "output"
        command = [sys.executable, *flags, "-S", "-B", os.fspath(root / "reproduce.py"), "--output", os.fspath(output)]
        found = subprocess.run(
            command, capture_output=True, cwd=output.parent, env={**os.environ, **environment}, timeout=300
        )
        self.assertEqual((0, b""), (found.returncode, found.stderr))
        return contents(output)

    def test_settings(self):
        for environment in (
            {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "TZ": "Asia/Kathmandu"},
            {"LC_ALL": "C.UTF-8", "TZ": "America/St_Johns", "PYTHONHASHSEED": "0", "COLUMNS": "20"},
            {"LC_ALL": "de_DE.UTF-8", "PYTHONHASHSEED": "12345", "PYTHONIOENCODING": "ascii", "NO_COLOR": "1"},
        ):
            with self.subTest(**environment):
                self.assert_same(PRISTINE.made, self.made(PRISTINE.root, **environment))

    def test_warnings_are_errors(self):
        self.assert_same(PRISTINE.made, self.made(PRISTINE.root, ("-bb", "-X", "dev", "-W", "error")))

    def test_a_path_with_blanks_and_other_letters(self):
        root = copied(temporary_folder(self) / 'two  blanks, Zürich 東京 \'n "q"' / "bundle")
        self.assert_same(PRISTINE.made, self.made(root, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"))

    def test_a_read_only_copy(self):
        root = copied(temporary_folder(self) / "bundle")
        before = contents(root)
        paths = [root, *root.rglob("*")]
        for path in paths:
            path.chmod(0o555 if path.is_dir() else 0o444)
        self.addCleanup(lambda: [path.chmod(path.stat().st_mode | stat.S_IWUSR) for path in paths])
        self.assert_same(PRISTINE.made, self.made(root))
        # The superuser is not held back by permissions, so the files are compared too.
        self.assert_same(before, contents(root))
        self.assertEqual(sorted(paths), sorted([root, *root.rglob("*")]))

    def test_a_root_elsewhere(self):
        output = temporary_folder(self) / "output"
        found = run(ROOT / "reproduce.py", "--root", PRISTINE.root, "--output", output, cwd=output.parent)
        self.assertEqual((0, ""), (found.returncode, found.stderr))
        self.assert_same(PRISTINE.made, contents(output))

    def test_what_it_says(self):
        root = copied(temporary_folder(self) / "bundle")
        before = contents(root)
        found = run(root / "reproduce.py", cwd=root.parent)
        self.assertEqual((0, ""), (found.returncode, found.stderr))
        steps = told_by(found.stdout)
        count = len(MAKERS)
        self.assertEqual([(str(n), str(count)) for n in range(1, count + 1)], [step[:2] for step in steps])
        self.assertEqual(MAKERS, [script for _, _, script, _ in steps])
        told = {name: outcome for *_, outcomes in steps for name, outcome in outcomes.items()}
        self.assertEqual(dict.fromkeys(PRISTINE.made, "unchanged"), {**told, **dict.fromkeys(LAST, "unchanged")})
        self.assertEqual(["new", "new"], [told[name] for name in LAST])
        self.assertIn("59,867.8 / 70,132.3 = 85.36%", found.stdout)
        after = contents(root)
        for name in LAST:
            self.assertEqual(PRISTINE.made[name], after.pop(name))
        self.assert_same(before, after)

    def check(self, root: Path) -> subprocess.CompletedProcess:
        """Run --check; assert that it changed nothing."""
        before = contents(root)
        found = run(root / "reproduce.py", "--check", cwd=root.parent)
        self.assert_same(before, contents(root))
        return found

    def test_check_of_a_whole_bundle(self):
        found = self.check(copied(temporary_folder(self) / "bundle"))
        self.assertEqual(
            (0, "", "nothing would change"), (found.returncode, found.stderr, found.stdout.splitlines()[-1])
        )

    def test_check_names_each_file_that_would_change(self):
        root = copied(temporary_folder(self) / "bundle")
        hint = "expected the bytes just made. Run reproduce.py to write it again."
        for name in ("scenario-ratios.svg", "data/selected_rows.json", "SHA256SUMS"):
            kept = (root / name).read_bytes()
            with self.subTest(name):
                (root / name).write_bytes(kept.replace(b"8", b"9", 1))
                found = self.check(root)
                self.assertEqual(1, found.returncode)
                self.assertIn(f"{name}: found other bytes; {hint}", found.stderr.splitlines())
                (root / name).unlink()
                found = self.check(root)
                self.assertIn(found.returncode, (1, 2))
                self.assertIn(f"{name}: found no such file; {hint}", found.stderr.splitlines())
            (root / name).write_bytes(kept)
        self.assertEqual(0, self.check(root).returncode)

    def test_a_failed_step_ends_it(self):
        root = copied(temporary_folder(self) / "bundle")
        (root / "data/summary.json").unlink()
        before = contents(root)
        found = run(root / "reproduce.py")
        line = "data/summary.json: found no such file; expected a regular file\n"
        self.assertEqual((2, "", line), (found.returncode, found.stdout, found.stderr))
        self.assert_same(before, contents(root))


if __name__ == "__main__":
    unittest.main()
