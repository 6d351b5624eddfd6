"""Which files make up the bundle: found without Git, the same in a checkout and in an unpacked archive."""

import os
import subprocess
import unittest
from pathlib import Path
from unittest import mock

from scenario_ratio import bundle
from tests.support import ROOT, BundleCase, copied_bundle, temporary_folder


def written(folder: Path, *names: str) -> Path:
    for name in names:
        folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(name).write_text(name, encoding="utf-8")
    return folder


class TrackedFiles(BundleCase):
    def test_names_are_sorted_by_code_point_over_the_whole_path(self):
        root = written(temporary_folder(self), "b/a", "b-a", "B", "a/z", ".hidden", "b/.ci/run")
        names = [".hidden", "B", "a/z", "b-a", "b/.ci/run", "b/a"]
        self.assertEqual(names, bundle.tracked_files(root))
        self.assertEqual((names, []), bundle.scan(root))

    def test_what_git_and_caches_leave_behind_does_not_count(self):
        left_out = (
            ".git/HEAD", "sub/.git", "__pycache__/a.pyc", "tests/__pycache__/b.pyc", ".venv/x", "node_modules/x/y",
            ".hypothesis/x", ".ruff_cache/x", ".coverage", "a/.ipynb_checkpoints/x", "acquired/repository/summary.csv",
            "data/.results.json.12.partial", "reproducibility.zip",
        )  # fmt: skip
        root = written(temporary_folder(self), "kept", "acquired.py", "git/HEAD", *left_out)
        self.assertEqual(["acquired.py", "git/HEAD", "kept"], bundle.tracked_files(root))

    def test_gitignore_says_the_same(self):
        self.assertEqual(list(bundle.IGNORED), (ROOT / ".gitignore").read_text(encoding="ascii").splitlines())

    def test_git_sees_the_same_files(self):
        root = copied_bundle(self, ".gitignore", "scenario_ratio", "data")
        written(root, "data/__pycache__/x", "acquired/x/y", "a.partial", "reproducibility.zip", ".coverage", "new")
        subprocess.run(["git", "init", "-q", root], check=True)
        listed = subprocess.run(
            ["git", "-C", root, "ls-files", "-z", "--others", "--exclude-standard"], check=True, capture_output=True
        )
        names = sorted(listed.stdout.decode("utf-8").rstrip("\0").split("\0"))
        self.assertIn("new", names)
        self.assertEqual(names, bundle.tracked_files(root))


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
            bundle.tracked_files,
            root,
        )
        self.assertEqual(["a", "sub/b"], bundle.scan(root)[0])

    def test_a_name_that_is_no_unicode_is_told_in_ascii(self):
        root = temporary_folder(self)
        try:
            open(os.path.join(os.fsencode(root), b"caf\xe9"), "wb").close()
        except OSError as error:
            self.skipTest(f"the file system refuses such names: {error}")
        expected = "found an unusual character; expected only letters, digits and . _ + @ = , - in names"
        self.assert_refused([f"caf\\udce9: {expected}"], bundle.tracked_files, root)

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
            [f"{root}: found No such file or directory; expected a readable folder"], bundle.tracked_files, root
        )
        self.assertEqual(2, error.exit_code)


class DerivedFiles(BundleCase):
    def test_derived_files_are_taken_from_the_output_folder_and_nothing_else_is(self):
        root = written(temporary_folder(self), "analyze.py", "results.json", "article.html")
        output = temporary_folder(self)
        for name in ("results.json", "provenance.json", "analyze.py", "private.txt"):
            (output / name).write_text("made", encoding="utf-8")
        self.assertEqual(
            {
                "analyze.py": b"analyze.py",
                "article.html": b"article.html",
                "provenance.json": b"made",
                "results.json": b"made",
            },
            bundle.contents(root, output),
        )

    def test_those_of_the_output_folder_are_listed_with_the_rest(self):
        root, output = (
            written(temporary_folder(self), "a", "z"),
            written(temporary_folder(self), "results.json", "private"),
        )
        self.assertEqual(["a", "results.json", "z"], bundle.tracked_files(root, output))

    def test_each_is_a_file_of_the_bundle(self):
        self.assertEqual([], sorted(set(bundle.DERIVED) - set(bundle.scan(ROOT)[0])))
        self.assertEqual(("ro-crate-metadata.json", "SHA256SUMS"), (bundle.CRATE, bundle.SUMS))
        self.assertEqual(("reproducibility.zip", "notebook.html"), bundle.LAST)

    def test_files_can_be_left_out(self):
        root = written(temporary_folder(self), "a", "SHA256SUMS")
        self.assertEqual({"a": b"a"}, bundle.contents(root, root, without=("SHA256SUMS",)))

    def test_a_folder_in_the_place_of_a_derived_file_is_an_error(self):
        root, output = written(temporary_folder(self), "a"), temporary_folder(self)
        (output / "results.json").mkdir()
        self.assert_refused(
            ["results.json: found a directory or device; expected a regular file"], bundle.contents, root, output
        )


if __name__ == "__main__":
    unittest.main()
