"""The acquisition record: its form, what it must hold, and the comparison of files with it."""

import json
import unittest

from scenario_ratio.upstream import record as acquisition
from tests.support import ROOT, BundleCase, temporary_folder

COMMIT = "0123456789abcdef0123456789abcdef01234567"
# SHA-256 and Git blob SHA-1 ('git hash-object') of 'abc'.
ABC = {
    "bytes": 3,
    "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "git_blob_sha1": "f2ba8f84ab5c1bce84a7b441cb1959cfc7093b7f",
}


def held(name: str, path: str) -> dict:
    return {
        "file": name, "repository": "https://github.com/example/results", "commit": COMMIT, "path": path, **ABC,
        "obtained": "copied",
    }  # fmt: skip


def small_record() -> dict:
    """Return the least that a record must hold, with files that all read 'abc'."""
    checker = {"repository": "https://github.com/example/checker", "commit": COMMIT[::-1]}
    return {
        "acquired": "2026-11-30",
        "obtained": {"copied": "Copied by hand."},
        "files": [held("data/summary.csv", "summary.csv"), held("data/summary.json", "summary.json")],
        "not_available": [{"row": "7", "path": "closed/log.txt"}],
        "referenced": [
            {**checker, "path": "tools/constants.py", "role": acquisition.CHECKER_ROLE},
            {**checker, "path": "LICENSE.md", "role": acquisition.LICENCE_ROLE, **ABC},
        ],
    }


class RecordCase(BundleCase):
    def setUp(self):
        self.root = temporary_folder(self)
        self.record = small_record()

    def write(self) -> None:
        (self.root / "sources").mkdir(exist_ok=True)
        (self.root / "sources/acquisition.json").write_text(json.dumps(self.record), encoding="utf-8")

    def assert_record_refused(self, *lines: str) -> None:
        self.write()
        wanted = [f"sources/acquisition.json: {line}" for line in lines]
        self.assert_refused(wanted, acquisition.load, self.root)


class Loading(RecordCase):
    def test_the_record_of_the_bundle_is_read(self):
        record = acquisition.load(ROOT)
        # Counts as published with the data: two summaries and 293 logs held, 12 logs lacked, five files referred to.
        self.assertEqual((295, 12, 5), (len(record.files), len(record.not_available), len(record.referenced)))
        self.assertEqual(["sha256-published", "reserialized", "fork-copy"], list(record.obtained))

    def test_a_small_record_is_read(self):
        self.write()
        record = acquisition.load(self.root)
        self.assertEqual(self.record, record._asdict())

    def test_other_types_are_all_told(self):
        self.record["acquired"], self.record["files"] = 20261130, {}
        self.assert_record_refused("acquired: found 20261130; expected str", "files: found {}; expected list")

    def test_no_object_is_told(self):
        self.record = []
        self.assert_record_refused("found []; expected an object")

    def test_entries_of_other_types_are_all_told(self):
        self.record["files"][0]["bytes"] = 3.0
        del self.record["files"][1]["sha256"]
        self.record["not_available"][0] = "row 7"
        self.record["obtained"]["copied"] = None
        self.assert_record_refused(
            "obtained, copied: found None; expected str",
            "files[0], bytes: found 3.0; expected int",
            "files[1], sha256: found None; expected str",
            "not_available[0], row: found None; expected str",
            "not_available[0], path: found None; expected str",
        )

    def test_an_empty_file_has_no_bytes(self):
        self.record["files"][1]["bytes"] = 0
        self.write()
        self.assertEqual(0, acquisition.load(self.root).files[1]["bytes"])

    def test_values_that_cannot_be_are_all_told(self):
        self.record["obtained"]["rebuilt"] = "From other files."
        self.record["acquired"] = "30 November"
        self.record["files"][0].update(repository="http://github.com/a/b", commit=COMMIT[1:], bytes=-1, sha256="g" * 64)
        self.record["files"][1].update(git_blob_sha1=COMMIT.upper(), file="tests/x", obtained="guessed")
        self.record["referenced"][1]["git_blob_sha1"] = 7
        self.assert_record_refused(
            "acquired: found '30 November'; expected a date, YYYY-MM-DD",
            "files[0], repository: found 'http://github.com/a/b'; expected https://github.com/OWNER/NAME",
            f"files[0], commit: found '{COMMIT[1:]}'; expected 40 hexadecimal digits",
            f"files[0], sha256: found '{'g' * 64}'; expected 64 hexadecimal digits",
            "files[0], bytes: found -1; expected a number of bytes",
            f"files[1], git_blob_sha1: found '{COMMIT.upper()}'; expected 40 hexadecimal digits",
            "files[1], file: found 'tests/x'; expected a file below data/ or sources/",
            "files[1], obtained: found 'guessed'; expected one of copied, rebuilt",
            "referenced[1], git_blob_sha1: found 7; expected 40 hexadecimal digits",
        )

    def test_no_path_may_leave_its_folder(self):
        good = ("a", "a/b", "a..b/c", ".hidden", "...", "a b/(c)")
        bad = (
            "",
            "/a",
            "../a",
            "a/../b",
            "a/..",
            "./a",
            "a//b",
            "a/",
            "a/./b",
            ".",
            "..",
            "a\n",
            "a\\b",
            "C:/a",
            "\u00e9",
        )
        for path in good + bad:
            self.record["not_available"][0]["path"] = path
            with self.subTest(path=path):
                if path in good:
                    self.write()
                    acquisition.load(self.root)
                else:
                    found = f"found {ascii(path)}; expected a relative path without '..'"
                    self.assert_record_refused(f"not_available[0], path: {found}")

    def test_a_file_may_not_leave_its_folder(self):
        for name in ("data/../analyze.py", "data/", "data", "data/a b", "sources/./a"):
            self.record["files"][1]["file"] = name
            with self.subTest(name=name):
                found = f"found {name!r}; expected a file below data/ or sources/"
                self.assert_record_refused(f"files[1], file: {found}")

    def test_what_the_record_must_hold_once_is_told(self):
        extra = held("sources/log.txt", "log.txt")
        self.record["files"] = [self.record["files"][1], extra, extra]
        self.record["referenced"] = []
        self.assert_record_refused(
            "files, data/summary.csv: found 0 entries; expected one entry",
            "referenced, accuracy targets and latency limits: found 0 entries; expected one entry",
            "referenced, Apache License 2.0: found 0 entries; expected one entry",
            "files, sources/log.txt: found 2 entries; expected one entry",
        )

    def test_the_licence_needs_its_digest(self):
        del self.record["referenced"][1]["git_blob_sha1"]
        missing = "Apache License 2.0, git_blob_sha1: found None; expected str"
        self.assert_record_refused(missing)
        del self.record["files"][0]
        self.assert_record_refused("files, data/summary.csv: found 0 entries; expected one entry", missing)


class Digests(RecordCase):
    def test_equal_bytes_have_no_problem(self):
        self.write()
        record = acquisition.load(self.root)
        contents = {"data/summary.csv": b"abc", "data/summary.json": b"abc", acquisition.LICENCE: b"abc"}
        self.assert_problems([], acquisition.digest_problems(record, contents))

    def test_each_field_that_differs_is_told(self):
        self.record["files"][1]["git_blob_sha1"] = COMMIT
        self.write()
        record = acquisition.load(self.root)
        contents = {"data/summary.csv": b"abd", "data/summary.json": b"abc", acquisition.LICENCE: b"abcd"}
        hint = "(sources/acquisition.json). The file is not the one that was acquired; fetch the bundle again, or run acquire.py."
        # SHA-256 of 'abd' as sha256sum gives it.
        abd = "a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9"
        self.assert_problems(
            [
                f"data/summary.csv: sha256: found {abd}; expected {ABC['sha256']} {hint}",
                f"data/summary.json: git_blob_sha1: found {ABC['git_blob_sha1']}; expected {COMMIT} {hint}",
                f"sources/LICENSE-MLCommons.md: bytes: found 4; expected 3 {hint}",
            ],
            acquisition.digest_problems(record, contents),
        )

    def test_a_file_that_was_not_read_is_not_compared(self):
        self.write()
        self.assert_problems([], acquisition.digest_problems(acquisition.load(self.root), {}))

    def test_all_missing_sources_are_told(self):
        self.write()
        record = acquisition.load(self.root)
        self.assert_refused(
            [f"data/summary.{kind}: found no such file; expected a regular file" for kind in ("csv", "json")],
            acquisition.read_sources,
            self.root,
            record,
        )


class Places(RecordCase):
    def test_a_url_names_the_commit_and_escapes_the_path(self):
        self.assertEqual(
            f"https://raw.githubusercontent.com/example/results_v1/{COMMIT}/a%20b/%28c%29/d%2Be.txt",
            acquisition.raw_url("https://github.com/example/results_v1", COMMIT, "a b/(c)/d+e.txt"),
        )

    def test_the_results_repository_is_that_of_the_summary(self):
        other = {"repository": "https://github.com/example/other", "commit": COMMIT[::-1]}
        self.record["files"][1].update(other)
        self.record["files"].insert(0, {**held("sources/log.txt", "log.txt"), **other})
        self.write()
        record = acquisition.load(self.root)
        self.assertEqual(
            {"repository": "https://github.com/example/results", "commit": COMMIT},
            acquisition.results_repository(record),
        )


if __name__ == "__main__":
    unittest.main()
