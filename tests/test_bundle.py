"""The bundle: which files belong to it, what a run reads and hands on, and the one list of what is made."""

from __future__ import annotations

import json
import os
import subprocess
import unittest
from pathlib import Path
from unittest import mock

from scenario_ratio import bundle, files
from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import Artifact, Bundle
from tests.support import (
    LAST,
    ROOT,
    BundleCase,
    copied_bundle,
    opened,
    run,
    temporary_folder,
    whole_copy,
    written,
)

# What caches, editors, desktops and disks leave behind, as files and in folders.
LITTER = (
    ".pytest_cache/v", ".mypy_cache/3.9/x.json", "tests/__pycache__/b.pyc", "scenario_ratio/._x", "._x", ".DS_Store",
    "data/Thumbs.db", "qa/desktop.ini", "web/.nfs0001", "__MACOSX/a b", "__MACOSX/._results.json", ".hypothesis/x",
    ".ruff_cache/x", ".coverage", "data/.ipynb_checkpoints/x", "data/.results.json.12.partial", ".idea/x", ".vscode/x",
    ".venv/x", "venv/x", "env/x", "node_modules/x/y", "acquired/repository/summary.csv",
)  # fmt: skip


class WhatBelongs(BundleCase):
    def test_names_are_sorted_by_code_point_over_the_whole_path(self):
        root = written(temporary_folder(self), "b/a", "b-a", "B", "a/z", ".hidden", "b/.ci/run")
        names = [".hidden", "B", "a/z", "b-a", "b/.ci/run", "b/a"]
        self.assertEqual(names, Bundle(root).listed())
        self.assertEqual((names, []), bundle.scan(root))

    def test_what_git_caches_and_desktops_leave_behind_does_not_count(self):
        root = written(temporary_folder(self), "kept", "acquired.py", "git/HEAD", ".git/HEAD", "sub/.git", *LITTER)
        written(root, "__pycache__/\u00e4 name no list can carry", "a.partial/x", *LAST)
        self.assertEqual(["acquired.py", "git/HEAD", "kept"], opened(root).listed())

    def test_a_name_that_only_looks_like_litter_counts(self):
        names = [".DS_Store.txt", ".coveragerc", "Thumbs.db.txt", "env", "partial", "x._y", "xenv/a"]
        self.assertEqual(names, Bundle(written(temporary_folder(self), *names)).listed())

    def test_gitignore_says_the_same(self):
        lines = (ROOT / ".gitignore").read_text(encoding="ascii").splitlines()
        self.assertEqual(sorted([*bundle.IGNORED, *LAST]), sorted(lines))

    def test_git_sees_the_same_files(self):
        root = copied_bundle(self, ".gitignore", "scenario_ratio", "data")
        written(root, "new", "a.partial/x", "sub/.coverage/x", *LAST, *LITTER)
        subprocess.run(["git", "init", "-q", root], check=True)
        listed = subprocess.run(
            ["git", "-C", root, "ls-files", "-z", "--others", "--exclude-standard"], check=True, capture_output=True
        )
        names = sorted(listed.stdout.decode("utf-8").rstrip("\0").split("\0"))
        self.assertIn("new", names)
        self.assertEqual(names, opened(root).listed())

    def test_litter_is_no_error_and_is_not_packed(self):
        root = copied_bundle(self)
        rows = {row.name: row for row in ARTIFACTS}
        before = opened(root).made(rows["reproducibility.zip"])
        written(root, *LITTER)
        finished = run(root / "reproduce.py", "--check")
        self.assertEqual((0, ""), (finished.returncode, finished.stderr))
        finished = run(root / "validate.py")
        self.assertEqual((0, ""), (finished.returncode, finished.stderr))
        self.assertEqual(before, opened(root).made(rows["reproducibility.zip"]))


class WhatCannotBelong(BundleCase):
    def test_everything_that_cannot_belong_is_told_at_once(self):
        root = written(temporary_folder(self), "a", "with blank", "sub/line\nend", "sub/b")
        (root / "link").symlink_to("a")
        (root / "sub/folder-link").symlink_to("..")
        (root / "sub/dangling").symlink_to("nowhere")
        os.mkfifo(root / "pipe")
        rule = "expected only letters, digits and . _ + @ = , - in names"
        self.assert_refused(
            [
                "link: found a symbolic link; expected a regular file",
                "pipe: found a device or socket; expected a regular file",
                "sub/dangling: found a symbolic link; expected a regular file",
                "sub/folder-link: found a symbolic link; expected a regular file",
                f"sub/line\\nend: found an unusual character; {rule}",
                f"with blank: found an unusual character; {rule}",
            ],
            Bundle(root).listed,
        )
        self.assertEqual(["a", "sub/b"], bundle.scan(root)[0])

    def test_a_name_that_is_no_unicode_is_told_in_ascii(self):
        root = temporary_folder(self)
        try:
            open(os.path.join(os.fsencode(root), b"caf\xe9"), "wb").close()
        except OSError as error:
            self.skipTest(f"the file system refuses such names: {error}")
        expected = "found an unusual character; expected only letters, digits and . _ + @ = , - in names"
        self.assert_refused([f"caf\\udce9: {expected}"], Bundle(root).listed)

    def test_folders_that_cannot_be_read_are_told_and_the_others_are_read(self):
        root = written(temporary_folder(self), "AX/a", "BX/b", "CX/c", "d")
        scandir = os.scandir

        def refusing(folder):
            if Path(folder).name in ("AX", "CX"):
                raise PermissionError(13, "Permission denied")
            return scandir(folder)

        with mock.patch.object(bundle.os, "scandir", refusing):
            names, problems = bundle.scan(root)
        self.assertEqual(["BX/b", "d"], names)
        expected = "found Permission denied; expected a readable folder"
        self.assert_problems([f"AX: {expected}", f"CX: {expected}"], problems)
        self.assertTrue(all(problem.missing for problem in problems))

    def test_a_root_that_is_not_there_is_misuse(self):
        root = temporary_folder(self) / "none"
        error = self.assert_refused(
            [f"{root}: found No such file or directory; expected a readable folder"], Bundle(root).listed
        )
        self.assertEqual(2, error.exit_code)


class Reading(BundleCase):
    """One run: what is read, from where, and how often."""

    def setUp(self):
        folder = temporary_folder(self)
        self.root = written(folder / "root", "input", "result", "late")
        self.output = written(folder / "output", "result", "private")
        (self.output / "result").write_bytes(b"saved")
        self.rows = (
            Artifact("result", "data", "a.py", lambda bundle: b"made from " + bundle.read("input")),
            Artifact("late", "data", "a.py", lambda bundle: b"late, " + bundle.read("result")),
            Artifact("page", "browser page", "b.py", lambda bundle: b"page of " + bundle.read("result")),
        )
        self.bundle = Bundle(self.root, self.output, self.rows)

    def test_what_is_made_is_read_where_it_is_written_and_all_else_in_the_root(self):
        self.assertEqual(b"input", self.bundle.read("input"))
        self.assertEqual(b"saved", self.bundle.read("result"))
        self.assertEqual((b"result", b"saved"), (self.bundle.source("result"), self.bundle.saved("result")))
        for name in ("late", "private"):
            with self.subTest(name):
                line = f"{name}: found no such file; expected a regular file"
                self.assertEqual(2, self.assert_refused([line], self.bundle.read, name).exit_code)

    def test_what_was_just_made_is_handed_on(self):
        self.bundle.made(self.rows[0])
        self.assertEqual(b"made from input", self.bundle.read("result"))
        self.assertEqual(b"late, made from input", self.bundle.made(self.rows[1]))
        self.assertEqual(b"saved", self.bundle.saved("result"))

    def test_what_is_made_on_demand_is_made_when_it_is_read(self):
        self.assertEqual(b"page of saved", self.bundle.read("page"))
        self.assertEqual(b"page of saved", self.bundle.read("page"))
        self.assertNotIn("page", self.bundle.listed())

    def test_each_file_is_read_once_and_each_artifact_made_once(self):
        counted = mock.Mock(side_effect=files.read_bytes)
        make = mock.Mock(side_effect=self.rows[0].make)
        row = self.rows[0]._replace(make=make)
        with mock.patch.multiple(bundle, read_bytes=counted):
            one = Bundle(self.root, None, (row,))
            for _ in range(2):
                one.read("input"), one.source("input"), one.saved("result"), one.outcome(row), one.contents()
                one.readable((), one.saved)
        names = [call.args[1] for call in counted.call_args_list]
        self.assertEqual(["input", "late", "result"], sorted(names))
        self.assertEqual(1, make.call_count)

    def test_what_is_computed_is_kept_and_what_fails_is_not(self):
        load = mock.Mock(return_value=[])
        self.assertIs(self.bundle.once(load), self.bundle.once(load))
        load.assert_called_once_with(self.bundle)
        failing = mock.Mock(side_effect=[ValueError, 7])
        self.assertRaises(ValueError, self.bundle.once, failing)
        self.assertEqual(7, self.bundle.once(failing))

    def test_a_file_of_the_code_is_that_of_the_code_whatever_the_root_is(self):
        written(self.root, "web/style.css")
        self.assertEqual((ROOT / "web/style.css").read_bytes(), self.bundle.asset("web/style.css"))
        self.assertEqual((ROOT / "web/style.css").read_bytes(), Bundle(ROOT).asset("web/style.css"))

    def test_an_output_that_is_the_root_by_another_name_is_the_root(self):
        link = self.root.parent / "link"
        link.symlink_to(self.root)
        for output in (None, self.root, self.root / "..", link):
            with self.subTest(output=output):
                apart = output == self.root / ".."
                self.assertEqual(output if apart else self.root, Bundle(self.root, output).output)

    def test_an_output_that_leads_in_a_circle(self):
        loop = self.root.parent / "loop"
        loop.symlink_to(loop)
        with self.assertRaises(files.BundleError) as caught:
            Bundle(self.root, loop, self.rows).write(self.rows[0])
        self.assertRegex(
            str(caught.exception), r"\Aresult: found .+; expected a file that can be written\. Choose .+\Z"
        )


class Contents(BundleCase):
    """All files of the bundle, as one run has them."""

    def setUp(self):
        self.root = written(temporary_folder(self), "analyze.py", "results.json", "article.html")
        self.output = temporary_folder(self)

    def test_what_is_made_is_taken_from_the_output_folder_and_nothing_else_is(self):
        for name in ("results.json", "provenance.json", "analyze.py", "private.txt"):
            (self.output / name).write_bytes(b"made")
        expected = {
            "analyze.py": b"analyze.py", "article.html": b"article.html", "provenance.json": b"made", "results.json": b"made",
        }  # fmt: skip
        self.assertEqual(expected, opened(self.root, self.output).contents())
        self.assertEqual(list(expected), opened(self.root, self.output).listed())

    def test_what_was_made_in_this_run_goes_before_what_is_saved(self):
        row = Artifact("results.json", "data", "analyze.py", lambda bundle: b"now")
        one = Bundle(self.root, self.output, (row,))
        one.made(row)
        self.assertEqual(b"now", one.contents()["results.json"])
        line = ["results.json: found no such file; expected a regular file"]
        self.assert_problems(line, one.readable((), one.saved)[1])

    def test_an_output_inside_the_root_is_no_part_of_it(self):
        written(self.root, "out/results.json", "out/deep/new.svg", "outer/x")
        (self.root / "out/link").symlink_to("nowhere")
        found = opened(self.root, self.root / "out").contents()
        self.assertEqual(["analyze.py", "article.html", "outer/x", "results.json"], list(found))
        self.assertEqual(b"out/results.json", found["results.json"])
        (self.root / "out/link").unlink()
        self.assertIn("out/results.json", opened(self.root).listed())
        self.assertIn("out/results.json", opened(self.root, self.output).listed())

    def test_files_can_be_left_out(self):
        self.assertEqual(["analyze.py"], list(opened(self.root).contents(without=("results.json", "article.html"))))

    def test_a_folder_in_the_place_of_what_is_made_is_an_error(self):
        (self.output / "results.json").mkdir()
        line = "results.json: found a directory or device; expected a regular file"
        self.assert_refused([line], opened(self.root, self.output).contents)

    def test_everything_unreadable_is_told_and_the_rest_is_read(self):
        (self.root / "link").symlink_to("analyze.py")
        (self.output / "article.html").symlink_to("nowhere")
        link = "found a symbolic link; expected a regular file"
        one = opened(self.root, self.output)
        found, problems = one.readable((), one.read)
        self.assertEqual(["analyze.py", "results.json"], list(found))
        self.assert_problems([f"link: {link}", f"article.html: {link}"], problems)


class Writing(BundleCase):
    def setUp(self):
        self.root = written(temporary_folder(self), "input")
        self.row = Artifact("data/result", "data", "a.py", lambda bundle: b"1")

    def written(self) -> tuple[str, bytes]:
        one = Bundle(self.root, None, (self.row,))
        outcome = one.write(self.row)
        self.assertEqual(b"1", one.saved("data/result"))
        return outcome, (self.root / "data/result").read_bytes()

    def test_what_became_of_it(self):
        self.assertEqual(("new", b"1"), self.written())
        self.assertEqual(("unchanged", b"1"), self.written())
        (self.root / "data/result").write_bytes(b"2")
        self.assertEqual(("changed", b"1"), self.written())

    def test_the_same_bytes_are_not_written_again(self):
        self.written()
        path = self.root / "data/result"
        os.utime(path, ns=(1, 1))
        number = path.stat().st_ino
        self.written()
        self.assertEqual((number, 1), (path.stat().st_ino, path.stat().st_mtime_ns))

    def test_a_link_in_its_place_is_a_change_and_is_replaced(self):
        self.written()
        for target in ("same", "nowhere"):
            (self.root / "data/same").write_bytes(b"1")
            (self.root / "data/result").unlink()
            (self.root / "data/result").symlink_to(target)
            with self.subTest(target):
                self.assertEqual("changed", Bundle(self.root, None, (self.row,)).outcome(self.row))
                self.assertEqual(("changed", b"1"), self.written())
                self.assertFalse((self.root / "data/result").is_symlink())


class TheOneList(BundleCase):
    """What holds for every row of scenario_ratio/artifacts.py; proof/validation refuses what stands beside it."""

    def test_each_name_is_there_once_and_each_script_is_a_file(self):
        names = [row.name for row in ARTIFACTS]
        self.assertEqual(sorted(set(names)), sorted(names))
        self.assertEqual([], [row.script for row in ARTIFACTS if not (ROOT / row.script).is_file()])
        self.assertEqual([], [name for name in names if name not in LAST and not (ROOT / name).is_file()])
        self.assertEqual(("reproducibility.zip", "notebook.html"), LAST)

    def test_each_script_has_its_rows_together(self):
        scripts = [row.script for row in ARTIFACTS]
        changes = [script for before, script in zip([None, *scripts], scripts) if script != before]
        self.assertEqual(sorted(set(scripts)), sorted(changes))

    def test_no_maker_reads_what_a_later_row_makes(self):
        root, names = whole_copy(), [row.name for row in ARTIFACTS]
        for number, row in enumerate(ARTIFACTS):
            one = Recording(root, None, ARTIFACTS)
            row.make(one)
            early = [name for name in one.asked if name in names[number:]]
            with self.subTest(row.name):
                self.assertEqual(["README.md"] if row.name == "README.md" else [], early)  # it fills its own source

    def test_each_is_made_of_what_earlier_rows_made_whatever_is_saved(self):
        root, output = whole_copy(), temporary_folder(self)
        one = opened(root, output)  # where nothing is saved, so that what is not made yet is missing
        for row in ARTIFACTS:
            if row.kind not in ("record", "crate", "sums", "archive", "browser page"):
                with self.subTest(row.name):
                    self.assertEqual((root / row.name).read_bytes(), one.made(row))


class Recording(Bundle):
    """A bundle that writes down which names it was asked for."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.asked = {}

    def _read_once(self, folder: Path, name: str) -> bytes:
        self.asked[name] = folder
        return super()._read_once(folder, name)

    def made(self, row: Artifact) -> bytes:
        self.asked[row.name] = self.root
        return super().made(row)


# Runs a script as python3 would, and counts how often it opens each file of the bundle; prints them as JSON at the end.
COUNTING = """
import collections, json, os, sys
script = os.path.realpath(sys.argv[1])
root, sys.argv = os.path.dirname(script), sys.argv[1:]
code = compile(open(script, encoding="utf-8").read(), script, "exec")
sys.path.insert(0, root)
opens, real = collections.Counter({script: 1}), {}

def count(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        opens[os.path.join(os.getcwd(), os.fsdecode(arguments[0]))] += 1

sys.addaudithook(count)
try:
    exec(code, {"__name__": "__main__", "__file__": script})
except SystemExit as ending:
    exit = ending.code
counts = {os.path.relpath(path, root): times for path, times in opens.items() if path.startswith(root + os.sep)}
print(json.dumps([exit, counts]), file=sys.stderr)
"""


class OpenedTwiceAtMost(BundleCase):
    """No run opens a file of the bundle more than twice, once for itself and once for the notebook."""

    def counted(self, script: str, *options: str) -> dict[str, int]:
        finished = run("-c", COUNTING, whole_copy() / script, *options)
        code, counts = json.loads(finished.stderr.splitlines()[-1])
        self.assertEqual(0, code, finished.stderr)
        return counts

    def assert_few(self, counts: dict[str, int], files_at_least: int) -> None:
        self.assertEqual({}, {name: times for name, times in counts.items() if times > 2})
        self.assertGreater(len(counts), files_at_least)

    def test_check(self):
        counts = self.counted("reproduce.py", "--check")
        self.assert_few(counts, 480)
        self.assertEqual(2, counts["data/summary.csv"])  # so that it would be seen: the notebook's own reading counts

    def test_reproduce(self):
        root = copied_bundle(self)
        (root / "article.html").write_bytes(b"old")
        finished = run("-c", COUNTING, root / "reproduce.py")
        code, counts = json.loads(finished.stderr.splitlines()[-1])
        self.assertEqual(0, code, finished.stderr)
        self.assert_few(counts, 480)
        self.assertEqual((whole_copy() / "article.html").read_bytes(), (root / "article.html").read_bytes())

    def test_validate(self):
        self.assert_few(self.counted("validate.py"), 480)


if __name__ == "__main__":
    unittest.main()
