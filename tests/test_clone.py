"""A results repository on disk: which files of a folder are read, and files of a commit that is not checked out."""

import os
import shutil
import subprocess
import unittest
from pathlib import Path
from unittest import mock

from scenario_ratio.upstream import clone
from scenario_ratio.upstream.layouts import LAYOUTS
from tests.support import BundleCase, temporary_folder

LIMIT, LOG_LIMIT = 50_000_000, 1_000_000  # bytes of a file of the summary, and of a log


class SummaryOfAFolder(BundleCase):
    def setUp(self):
        self.root = temporary_folder(self)

    def refused(self, lines, root=None):
        return self.assert_refused(lines, clone.read_summary, root or self.root)

    def test_each_layout_is_known_by_its_files(self):
        for layout in LAYOUTS:
            root = temporary_folder(self)
            for name in layout.files:
                (root / name).write_bytes(name.encode())
            with self.subTest(layout.files):
                self.assertEqual((layout, {name: name.encode() for name in layout.files}), clone.read_summary(root))

    def test_no_folder(self):
        error = self.refused(
            [".: found no such folder; expected a clone of a results repository"], self.root / "absent"
        )
        self.assertEqual(2, error.exit_code)

    def test_no_summary(self):
        files = ", or ".join(" and ".join(layout.files) for layout in LAYOUTS)
        error = self.refused([f".: found no summary; expected {files}"])
        self.assertEqual(1, error.exit_code)

    def test_every_file_that_cannot_be_read_is_named(self):
        layout = next(layout for layout in LAYOUTS if len(layout.files) == 2)
        first, second = layout.files
        (self.root / first).symlink_to("nowhere")
        error = self.refused(
            [
                f"{first}: found a symbolic link; expected a regular file",
                f"{second}: found no such file; expected a regular file",
            ]
        )
        self.assertEqual(2, error.exit_code)

    def test_a_file_beyond_the_limit(self):
        layout = LAYOUTS[0]
        for name in layout.files:
            (self.root / name).write_bytes(b"")
        name = layout.files[0]
        with (self.root / name).open("r+b") as file:
            file.truncate(LIMIT)
        self.assertEqual(LIMIT, len(clone.read_summary(self.root)[1][name]))
        with (self.root / name).open("r+b") as file:
            file.truncate(LIMIT + 1)
        self.refused([f"{name}: found {LIMIT + 1} bytes; expected at most {LIMIT} bytes"])


class LogOfAFolder(BundleCase):
    def setUp(self):
        self.root = temporary_folder(self)

    def test_bytes(self):
        Path(self.root, "a").mkdir()
        Path(self.root, "a", "log é.txt").write_bytes(b"\xff\n")
        self.assertEqual(b"\xff\n", clone.read_log(self.root, "a/log é.txt"))

    def test_a_path_that_no_log_has(self):
        rule = "expected at most 1000 printable characters"
        self.assert_refused([f"'a\\nb': found no path of a log; {rule}"], clone.read_log, self.root, "a\nb")
        self.assert_refused([f"'{'a' * 78}...: found no path of a log; {rule}"], clone.read_log, self.root, "a" * 1001)
        # a thousand characters are a path; that this one has parts too long for a file is another matter
        path = "/".join(["a" * 99] * 10)
        self.assertEqual(999, len(path))
        self.assert_refused(
            [f"{path}b: found no such file; expected a regular file"], clone.read_log, self.root, path + "b"
        )

    def test_a_log_beyond_the_limit(self):
        path = self.root / "log"
        path.write_bytes(b"")
        with path.open("r+b") as file:
            file.truncate(LOG_LIMIT)
        self.assertEqual(LOG_LIMIT, len(clone.read_log(self.root, "log")))
        with path.open("r+b") as file:
            file.truncate(LOG_LIMIT + 1)
        self.assert_refused(
            [f"log: found {LOG_LIMIT + 1} bytes; expected at most {LOG_LIMIT} bytes"],
            clone.read_log, self.root, "log",
        )  # fmt: skip


def git(folder: Path, *arguments: str) -> str:
    """Run Git in a folder as nobody in particular; return what it prints."""
    surroundings = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    surroundings.update(GIT_CONFIG_NOSYSTEM="1", HOME=os.fspath(folder), LC_ALL="C")
    identity = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
    command = ["git", "-C", os.fspath(folder), *identity, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=surroundings).stdout.strip()


def repository(folder: Path, files: dict) -> str:
    """Make a Git repository with ``files`` committed; return the commit."""
    for name, raw in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(raw)
    git(folder, "init", "-q")
    git(folder, "add", "--all")
    git(folder, "commit", "-q", "-m", "test")
    return git(folder, "rev-parse", "HEAD")


@unittest.skipUnless(shutil.which("git"), "needs Git")
class FilesOfACommit(BundleCase):
    def setUp(self):
        self.folder = temporary_folder(self)
        self.commit = repository(self.folder, {"a b/(c).txt": b"\0one\r\n", "other": b"x"})

    def test_bytes_come_from_the_commit_and_not_from_the_work_tree(self):
        (self.folder / "a b/(c).txt").write_bytes(b"two")
        git(self.folder, "commit", "-qam", "later")
        (self.folder / "a b/(c).txt").write_bytes(b"three")
        before = git(self.folder, "status", "--porcelain")
        self.assertEqual(b"\0one\r\n", clone.Clones([self.folder]).read("name", self.commit, "a b/(c).txt"))
        self.assertEqual(before, git(self.folder, "status", "--porcelain"))

    def test_a_bare_clone_will_do(self):
        bare = temporary_folder(self) / "bare.git"
        git(self.folder, "clone", "-q", "--bare", os.fspath(self.folder), os.fspath(bare))
        self.assertEqual(b"x", clone.Clones([bare]).read("name", self.commit, "other"))

    def test_what_git_says_in_other_bytes_or_not_at_all(self):
        for said, told in ((b"fatal: caf\xe9\nmore", "caf\\xe9"), (b"", "exit code 3")):
            done = subprocess.CompletedProcess([], 3, b"", said)
            with mock.patch.object(clone.subprocess, "run", return_value=done) as ran:
                error = self.assert_refused([f"folder: found {told}; expected a clone"], clone.Clones, [Path("folder")])
            self.assertEqual(2, error.exit_code)
            self.assertEqual("C", ran.call_args.kwargs["env"]["LC_ALL"])

    def test_the_clone_that_holds_the_commit_is_found(self):
        second = temporary_folder(self)
        commit = repository(second, {"other": b"y"})
        clones = clone.Clones([self.folder, second])
        self.assertEqual((b"x", b"y"), (clones.read("n", self.commit, "other"), clones.read("n", commit, "other")))

    def test_a_replaced_object_is_not_taken_for_the_real_one(self):
        (self.folder / "other").write_bytes(b"fake")
        fake = git(self.folder, "hash-object", "-w", "other")
        git(self.folder, "replace", git(self.folder, "rev-parse", f"{self.commit}:other"), fake)
        self.assertEqual("fake", git(self.folder, "cat-file", "blob", f"{self.commit}:other"))
        self.assertEqual(b"x", clone.Clones([self.folder]).read("name", self.commit, "other"))

    def test_the_surroundings_cannot_point_git_elsewhere(self):
        with mock.patch.dict(os.environ, {"GIT_DIR": "/nowhere", "GIT_OBJECT_DIRECTORY": "/nowhere"}):
            self.assertEqual(b"x", clone.Clones([self.folder]).read("name", self.commit, "other"))

    def test_a_commit_in_no_clone_is_told_with_the_next_step(self):
        commit = "4bb63cd28eb136be221bc801a9e38c66c8a7553f"
        self.assert_refused(
            [
                f"name: found no clone with the commit {commit}; expected that commit in a clone. "
                f"Run 'git fetch origin {commit}' in the clone of its repository."
            ],
            clone.Clones([self.folder]).read,
            "name",
            commit,
            "other",
        )

    def test_a_path_that_the_commit_lacks_is_told(self):
        (self.folder / "new").write_bytes(b"")
        for path, found in (
            ("none", f"path 'none' does not exist in '{self.commit}'"),
            ("new", f"path 'new' exists on disk, but not in '{self.commit}'"),
        ):
            self.assert_refused(
                [f"name: found {found}; expected the file in commit {self.commit}"],
                clone.Clones([self.folder]).read,
                "name",
                self.commit,
                path,
            )

    def test_a_folder_of_the_commit_is_no_file(self):
        self.assert_refused(
            [f"name: found git cat-file {self.commit}:a b: bad file; expected the file in commit {self.commit}"],
            clone.Clones([self.folder]).read,
            "name",
            self.commit,
            "a b",
        )

    def test_every_folder_that_is_no_clone_is_misuse(self):
        empty = temporary_folder(self)
        missing = empty / "none"
        with mock.patch.dict(os.environ, {"LC_ALL": "de_DE.UTF-8"}):
            error = self.assert_refused(
                [
                    f"{empty}: found not a git repository (or any of the parent directories): .git; expected a clone",
                    f"{missing}: found cannot change to '{missing}': No such file or directory; expected a clone",
                ],
                clone.Clones,
                [self.folder, empty, missing],
            )
        self.assertEqual(2, error.exit_code)


class WithoutGit(BundleCase):
    def test_it_says_that_git_is_not_there(self):
        with mock.patch.dict(os.environ, {"PATH": "/nowhere"}):
            error = self.assert_refused(
                ["git: found no such program; expected Git. Install Git, or leave --clone out."],
                clone.Clones,
                [Path(".")],
            )
        self.assertEqual(2, error.exit_code)


if __name__ == "__main__":
    unittest.main()
