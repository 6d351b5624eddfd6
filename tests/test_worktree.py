"""Reading a results repository from a folder: which files, and nothing else."""

from __future__ import annotations

from pathlib import Path

from scenario_ratio.upstream import worktree
from scenario_ratio.upstream.layouts import LAYOUTS
from tests.support import BundleCase, temporary_folder

LIMIT = 50_000_000  # bytes
LOG_LIMIT = 1_000_000


class Summaries(BundleCase):
    def setUp(self):
        self.root = temporary_folder(self)

    def refused(self, lines, root=None):
        return self.assert_refused(lines, worktree.read_summary, root or self.root)

    def test_each_layout_is_known_by_its_files(self):
        for layout in LAYOUTS:
            root = temporary_folder(self)
            for name in layout.files:
                (root / name).write_bytes(name.encode())
            with self.subTest(layout.files):
                self.assertEqual((layout, {name: name.encode() for name in layout.files}), worktree.read_summary(root))

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
        self.assertEqual(LIMIT, len(worktree.read_summary(self.root)[1][name]))
        with (self.root / name).open("r+b") as file:
            file.truncate(LIMIT + 1)
        self.refused([f"{name}: found {LIMIT + 1} bytes; expected at most {LIMIT} bytes"])


class Logs(BundleCase):
    def setUp(self):
        self.root = temporary_folder(self)

    def test_bytes(self):
        Path(self.root, "a").mkdir()
        Path(self.root, "a", "log é.txt").write_bytes(b"\xff\n")
        self.assertEqual(b"\xff\n", worktree.read_log(self.root, "a/log é.txt"))

    def test_a_path_that_no_log_has(self):
        rule = "expected at most 1000 printable characters"
        self.assert_refused([f"'a\\nb': found no path of a log; {rule}"], worktree.read_log, self.root, "a\nb")
        self.assert_refused(
            [f"'{'a' * 78}...: found no path of a log; {rule}"], worktree.read_log, self.root, "a" * 1001
        )
        # a thousand characters are a path; that this one has parts too long for a file is another matter
        path = "/".join(["a" * 99] * 10)
        self.assertEqual(999, len(path))
        self.assert_refused(
            [f"{path}b: found no such file; expected a regular file"], worktree.read_log, self.root, path + "b"
        )

    def test_a_log_beyond_the_limit(self):
        path = self.root / "log"
        path.write_bytes(b"")
        with path.open("r+b") as file:
            file.truncate(LOG_LIMIT)
        self.assertEqual(LOG_LIMIT, len(worktree.read_log(self.root, "log")))
        with path.open("r+b") as file:
            file.truncate(LOG_LIMIT + 1)
        self.assert_refused(
            [f"log: found {LOG_LIMIT + 1} bytes; expected at most {LOG_LIMIT} bytes"],
            worktree.read_log, self.root, "log",
        )  # fmt: skip
