"""The acquisition record: its form, what it must hold, and the comparison of files with it."""

import json
import unittest

from scenario_ratio.bundle import Bundle
from scenario_ratio.pinned import CHECKER_ROLE, LICENCE, LICENCE_ROLE
from scenario_ratio.problems import BundleError
from scenario_ratio.upstream.record import (
    Record,
    digest_problems,
    load,
    raw_url,
    read_sources,
    referenced,
    results_repository,
)
from tests.support import (
    ABC,
    COMMIT,
    ROOT,
    BundleCase,
    given,
    held,
    needs_hypothesis,
    small_record,
    st,
    temporary_folder,
)


class RecordCase(BundleCase):
    def setUp(self):
        self.root = temporary_folder(self)
        self.record = small_record()

    def load(self) -> Record:
        """Write the record as it stands, and load it."""
        (self.root / "sources").mkdir(exist_ok=True)
        (self.root / "sources/acquisition.json").write_text(json.dumps(self.record), encoding="utf-8")
        return load(Bundle(self.root))

    def assert_record_refused(self, *lines: str) -> None:
        self.assert_refused([f"sources/acquisition.json: {line}" for line in lines], self.load)


class Loading(RecordCase):
    def test_the_record_of_the_bundle_is_read(self):
        record = load(Bundle(ROOT))
        # Counts as published with the data: two summaries and 293 logs held, 12 logs lacked, five files referred to.
        self.assertEqual((295, 12, 5), (len(record.files), len(record.not_available), len(record.referenced)))
        self.assertEqual(["sha256-published", "reserialized", "fork-copy"], list(record.obtained))

    def test_a_small_record_is_read(self):
        self.assertEqual(self.record, self.load()._asdict())

    def test_other_entries_may_stand_beside_those_that_are_needed(self):
        self.record["note"] = self.record["files"][0]["note"] = self.record["referenced"][0]["git_blob_sha1_at_b6"] = (
            "x"
        )
        self.record["referenced"][0]["sha256"] = ABC["sha256"]
        self.load()

    def test_no_record(self):
        error = self.assert_refused(
            ["sources/acquisition.json: found no such file; expected a regular file"], load, Bundle(self.root)
        )
        self.assertEqual(2, error.exit_code)

    def test_each_value_that_cannot_be(self):
        repository, digits = "https://github.com/OWNER/NAME", "40 hexadecimal digits"
        path, file = "a relative path without '..'", "a file below data/ or sources/"
        for place, value, expected in (
            ((), [], "an object"),
            (("acquired",), 20261130, "a date, YYYY-MM-DD"),
            (("acquired",), "30 November", "a date, YYYY-MM-DD"),
            (("acquired",), "2026-11-30\n", "a date, YYYY-MM-DD"),
            (("obtained",), [], "an object"),
            (("obtained", "copied"), None, "str"),
            (("files",), {}, "a list"),
            (("files", 0), "a", "an object"),
            (("files", 0, "repository"), "http://github.com/a/b", repository),
            (("files", 0, "repository"), "https://github.com/a/b/c", repository),
            (("files", 0, "repository"), "https://github.com/../b", repository),
            (("files", 0, "repository"), "https://github.com/a/..", repository),
            (("files", 0, "repository"), "https://github.com/a/.", repository),
            (("files", 0, "commit"), COMMIT[1:], digits),
            (("files", 0, "bytes"), 3.0, "int"),
            (("files", 0, "sha256"), "g" * 64, "64 hexadecimal digits"),
            (("files", 0, "sha256"), None, "64 hexadecimal digits"),
            (("files", 1, "git_blob_sha1"), COMMIT.upper(), digits),
            (("files", 1, "obtained"), "guessed", "copied"),
            (("files", 1, "obtained"), 7, "str"),
            (("not_available", 0), "row 7", "an object"),
            (("not_available", 0, "row"), 7, "str"),
            (("referenced", 1, "git_blob_sha1"), 7, digits),
            (("referenced", 0, "sha256"), None, "64 hexadecimal digits"),
            (("referenced", 0, "bytes"), "3", "int"),
            (("referenced", 0, "role"), [], "str"),
            *((("files", 1, "file"), name, file) for name in OUTSIDE + ("tests/x", "data", "data/", "data/a b")),
            *(
                (("not_available", 0, "path"), name, path)
                for name in OUTSIDE + ("", "a/", "a\n", "a\\b", "C:/a", "\u00e9")
            ),
        ):
            with self.subTest(place=place, value=value):
                self.record = changed(small_record(), place, value)
                told = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in place).lstrip(".")
                self.assert_record_refused(": ".join(filter(None, (told, f"found {value!a}; expected {expected}"))))

    def test_values_that_may_be(self):
        for place, value in (
            (("files", 1, "bytes"), 0),
            (("files", 0, "repository"), "https://github.com/a-1/.b..c_2"),
            *((("not_available", 0, "path"), path) for path in ("a", "a/b", "a..b/c", ".hidden", "...", "a b/(c)")),
        ):
            with self.subTest(place=place, value=value):
                self.record = changed(small_record(), place, value)
                self.load()

    def test_all_that_is_wrong_is_told_with_the_keys_that_are_missing(self):
        del self.record["files"][1]["sha256"], self.record["not_available"][0]["row"]
        self.record["acquired"] = None
        keys = "file, repository, commit, path, bytes, {}git_blob_sha1, obtained"
        self.assert_record_refused(
            "acquired: found None; expected a date, YYYY-MM-DD",
            f"files[1], keys: found '{keys.format('')}'; expected {keys.format('sha256, ')}",
            "not_available[0], keys: found 'path'; expected row, path",
        )
        self.record = {"acquired": "2026-11-30"}
        self.assert_record_refused(
            "keys: found 'acquired'; expected acquired, obtained, files, not_available, referenced"
        )

    def test_what_the_record_must_hold_once_is_told(self):
        extra = held("sources/log.txt", "log.txt")
        self.record["files"] = [self.record["files"][1], extra, extra]
        self.record["referenced"] = []
        self.assert_record_refused(
            "files, data/summary.csv: found 0 entries; expected one entry",
            "files, sources/log.txt: found 2 entries; expected one entry",
            "referenced, accuracy targets and latency limits: found 0 entries; expected one entry",
            "referenced, Apache License 2.0: found 0 entries; expected one entry",
        )

    def test_the_licence_needs_its_digest(self):
        del self.record["referenced"][1]["git_blob_sha1"], self.record["files"][0]
        keys = "repository, commit, path, role, bytes, sha256"
        self.assert_record_refused(
            "files, data/summary.csv: found 0 entries; expected one entry",
            f"Apache License 2.0, keys: found '{keys}'; expected bytes, git_blob_sha1",
        )

    @needs_hypothesis
    def test_any_value_anywhere_ends_with_a_record_or_with_problems(self):
        leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
        values = st.recursive(
            leaves, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
        )
        places = [(), *((key,) for key in small_record())]
        places += [(part, 0) for part in ("files", "not_available", "referenced")]
        places += [(*place, key) for place in places[-3:] for key in small_record()[place[0]][0]]

        @given(st.sampled_from(places), values)
        def check(place, value):
            self.record = changed(small_record(), place, value)
            try:
                record = self.load()
            except BundleError as error:
                self.assertTrue(all(len(str(problem).splitlines()) == 1 for problem in error.problems))
            else:
                digest_problems(record, {"data/summary.csv": b"abc", LICENCE: b"abc"})

        check()


# Names that leave their folder, or that two spellings share.
OUTSIDE = ("/a", "../a", "a/../b", "a/..", "./a", "a//b", "a/./b", ".", "..", "data/../analyze.py", "sources/./a")


def changed(record: object, place: tuple, value: object) -> object:
    """Return a record in which what stands at ``place``, a path of keys, is ``value``."""
    if not place:
        return value
    at = record
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = value
    return record


class Digests(RecordCase):
    def test_equal_bytes_have_no_problem(self):
        record = self.load()
        contents = {"data/summary.csv": b"abc", "data/summary.json": b"abc", LICENCE: b"abc"}
        self.assert_problems([], digest_problems(record, contents))

    def test_each_field_that_differs_is_told(self):
        self.record["files"][1]["git_blob_sha1"] = COMMIT
        record = self.load()
        contents = {"data/summary.csv": b"abd", "data/summary.json": b"abc", LICENCE: b"abcd"}
        hint = "(sources/acquisition.json). The file is not the one that was acquired; fetch the bundle again, or run acquire.py."
        # SHA-256 of 'abd' as sha256sum gives it.
        abd = "a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9"
        self.assert_problems(
            [
                f"data/summary.csv: sha256: found {abd}; expected {ABC['sha256']} {hint}",
                f"data/summary.json: git_blob_sha1: found {ABC['git_blob_sha1']}; expected {COMMIT} {hint}",
                f"sources/LICENSE-MLCommons.md: bytes: found 4; expected 3 {hint}",
            ],
            digest_problems(record, contents),
        )

    def test_a_file_that_was_not_read_is_not_compared(self):
        self.assert_problems([], digest_problems(self.load(), {}))

    def test_all_missing_sources_are_told(self):
        record = self.load()
        self.assert_refused(
            [f"data/summary.{kind}: found no such file; expected a regular file" for kind in ("csv", "json")],
            read_sources,
            Bundle(self.root),
            record,
        )


class Places(RecordCase):
    def test_a_url_names_the_commit_and_escapes_the_path(self):
        self.assertEqual(
            f"https://raw.githubusercontent.com/example/results_v1/{COMMIT}/a%20b/%28c%29/d%2Be.txt",
            raw_url("https://github.com/example/results_v1", COMMIT, "a b/(c)/d+e.txt"),
        )

    def test_a_file_is_referred_to_by_its_role(self):
        record = self.load()
        self.assertEqual("tools/constants.py", referenced(record, CHECKER_ROLE)["path"])
        self.assertEqual("LICENSE.md", referenced(record, LICENCE_ROLE)["path"])

    def test_the_results_repository_is_that_of_the_summary(self):
        other = {"repository": "https://github.com/example/other", "commit": COMMIT[::-1]}
        self.record["files"][1].update(other)
        self.record["files"].insert(0, {**held("sources/log.txt", "log.txt"), **other})
        record = self.load()
        self.assertEqual(
            {"repository": "https://github.com/example/results", "commit": COMMIT},
            results_repository(record),
        )


if __name__ == "__main__":
    unittest.main()
