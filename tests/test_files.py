"""Files at the edge: what is wrong as one line, reading, strict JSON, digests, atomic writing."""

from __future__ import annotations

import json
import os
import unittest
from decimal import Decimal
from unittest import mock

from scenario_ratio import files, problems
from scenario_ratio.problems import BundleError, Problem
from tests.support import ABC, ROOT, BundleCase, given, needs_hypothesis, st, temporary_folder


class Messages(BundleCase):
    def test_all_facts_in_one_line(self):
        problem = Problem("a.csv", "row '7'", "errors", "'x'", "an integer", "Fetch it again.")
        self.assertEqual("a.csv: row '7', errors: found 'x'; expected an integer. Fetch it again.", str(problem))

    def test_facts_that_are_empty_leave_no_trace(self):
        for problem, expected in (
            (Problem("a.csv"), "a.csv"),
            (Problem("a.csv", found="x"), "a.csv: found x"),
            (Problem("a.csv", expected="y"), "a.csv: expected y"),
            (Problem("a.csv", field="Model", expected="y"), "a.csv: Model: expected y"),
            (Problem("a.csv", hint="Look."), "a.csv. Look."),
            (Problem("a.csv", check="pairing", missing=True), "a.csv"),  # these two are for programs
        ):
            with self.subTest(expected=expected):
                self.assertEqual(expected, str(problem))

    def test_what_is_not_given_is_empty_so_that_problems_can_be_sorted(self):
        self.assertEqual(("a", "", "", "", "", "", False, ""), tuple(Problem("a")))

    def test_whatever_a_file_names_stays_in_one_line(self):
        problem = Problem("x", "a\n.b\r", "c\0", "\u202ed\u2028", "Zürich", "e\x1b[1m")
        self.assertEqual(r"x: a\n.b\r, c\x00: found \u202ed\u2028; expected Zürich. e\x1b[1m", str(problem))

    def test_an_error_has_one_line_per_problem_in_order(self):
        error = BundleError(Problem("b", found="1"), Problem("a", found="2"))
        self.assertEqual("b: found 1\na: found 2", str(error))

    def test_a_missing_file_ends_with_2_and_a_failed_check_with_1(self):
        self.assertEqual(1, BundleError(Problem("a"), Problem("b")).exit_code)
        self.assertEqual(2, BundleError(Problem("a"), Problem("b", missing=True)).exit_code)

    def test_no_problem_raises_nothing(self):
        self.assertIsNone(problems.raise_if_any([]))
        self.assert_refused(["a: found 1"], problems.raise_if_any, [Problem("a", found="1")])

    def test_a_shown_value_is_quoted_escaped_and_cut(self):
        for value, expected in (
            ("a\nb", r"'a\nb'"),
            ("\u202eabc", r"'\u202eabc'"),
            (b"\xff", r"b'\xff'"),
            (None, "None"),
            ("x" * 80, "'" + "x" * 80 + "'"),
            ("x" * 81, "'" + "x" * 78 + "..."),
        ):
            with self.subTest(value=value):
                self.assertEqual(expected, problems.shown(value))


class Reading(BundleCase):
    def setUp(self):
        self.root = temporary_folder(self)
        (self.root / "folder").mkdir()
        (self.root / "folder" / "file").write_bytes(b"whole")

    def test_the_bytes_of_a_file(self):
        self.assertEqual(b"whole", files.read_bytes(self.root, "folder/file", limit=5))

    def test_a_name_that_may_leave_the_folder(self):
        for name in ("../x", "folder/../../x", "/etc/hostname", "folder//file", "./x", "", "a\\b", "C:x", "folder/"):
            with self.subTest(name=name):
                found = "found a path that may leave the folder; expected a relative path without '..'"
                error = self.assert_refused([f"{name}: {found}" if name else found], files.read_bytes, self.root, name)
                self.assertEqual(1, error.exit_code)

    def test_a_missing_file_and_a_file_used_as_a_folder(self):
        for name in ("absent", "absent/file", "folder/file/deeper"):
            with self.subTest(name=name):
                expected = [f"{name}: found no such file; expected a regular file"]
                self.assertEqual(2, self.assert_refused(expected, files.read_bytes, self.root, name).exit_code)

    def test_a_folder_or_a_pipe_is_not_a_file(self):
        os.mkfifo(self.root / "pipe")
        for name in ("folder", "pipe"):
            with self.subTest(name=name):
                expected = [f"{name}: found a directory or device; expected a regular file"]
                self.assertEqual(2, self.assert_refused(expected, files.read_bytes, self.root, name).exit_code)

    def test_links_are_not_followed(self):
        (self.root / "link").symlink_to(self.root / "folder" / "file")
        (self.root / "linked").symlink_to(self.root / "folder")
        (self.root / "dangling").symlink_to(self.root / "absent")
        a_file, folder = (
            "a symbolic link; expected a regular file",
            "a symbolic link: linked; expected a folder of its own",
        )
        for name, found in (
            ("link", a_file),
            ("dangling", a_file),
            ("linked/file", folder),
            ("linked/no/file", folder),
        ):
            with self.subTest(name=name):
                expected = [f"{name}: found {found}"]
                self.assertEqual(1, self.assert_refused(expected, files.read_bytes, self.root, name).exit_code)

    def test_a_file_larger_than_the_limit(self):
        expected = ["folder/file: found 5 bytes; expected at most 4 bytes"]
        self.assert_refused(expected, files.read_bytes, self.root, "folder/file", limit=4)

    def test_a_file_larger_than_any_is(self):
        with (self.root / "large").open("wb") as file:
            file.truncate(256_000_001)
        expected = ["large: found 256000001 bytes; expected at most 256000000 bytes"]
        self.assert_refused(expected, files.read_bytes, self.root, "large")

    def test_a_name_that_no_file_can_have(self):
        name = "x" * 300
        expected = [f"{name}: found File name too long; expected a readable file"]
        self.assertEqual(2, self.assert_refused(expected, files.read_bytes, self.root, name).exit_code)
        expected = ["a\\x00b: found a name no file can have; expected a readable file"]
        self.assertEqual(2, self.assert_refused(expected, files.read_bytes, self.root, "a\0b").exit_code)


class TheProject(BundleCase):
    def test_it_is_the_folder_of_the_scripts(self):
        self.assertEqual(ROOT, files.PROJECT)


class Decoding(BundleCase):
    def test_utf8(self):
        self.assertEqual("Zürich ✓\n", files.decode("Zürich ✓\n".encode(), "x"))

    def test_what_is_not_plain_text(self):
        for raw, message in (
            (b"\xef\xbb\xbfa", "x: byte 0: found a byte order mark; expected UTF-8 without one"),
            (b"a\nb\xffc", "x: line 2: found byte 0xff; expected valid UTF-8"),
            (b"\n\xff", "x: line 2: found byte 0xff; expected valid UTF-8"),
            (b"\n\0", "x: line 2: found a NUL character; expected text"),
            (b"a\n\n\xed\xa0\x80", "x: line 3: found byte 0xed; expected valid UTF-8"),
            (b"\xc3", "x: line 1: found byte 0xc3; expected valid UTF-8"),
            (b"a\n\0", "x: line 2: found a NUL character; expected text"),
            (b"a\r\n", "x: line 1: found a carriage return; expected LF line endings"),
        ):
            with self.subTest(raw=raw):
                self.assert_refused([message], files.decode, raw, "x")


class StrictJson(BundleCase):
    def test_values(self):
        self.assertEqual(
            {"a": [1, 2.5, None, True, "é"]}, files.parse_json('{"a": [1, 2.5, null, true, "é"]}'.encode(), "x")
        )

    def test_exact_numbers_are_decimals_and_integers_stay_integers(self):
        value = files.parse_json(b"[0.10, 1e2, 3]", "x", exact=True)
        self.assertEqual([Decimal("0.10"), Decimal("1e2"), 3], value)
        self.assertEqual([Decimal, Decimal, int], [type(number) for number in value])

    def test_a_pair_of_surrogates_is_one_character(self):
        self.assertEqual("\U0001f600", files.parse_json(b'"\\ud83d\\ude00"', "x"))

    def test_what_is_not_strict_json(self):
        for raw, found in (
            (b'{"a": 1, "b": 2, "a": 1}', "found the key 'a' twice in one object"),
            (b'[[{"a": {"k": 1, "k": 2}}]]', "found the key 'k' twice in one object"),
            (b"[NaN]", "found the constant NaN"),
            (b"[Infinity]", "found the constant Infinity"),
            (b"[-Infinity]", "found the constant -Infinity"),
            (b"[1e999]", "found the number '1e999', which no float holds"),
            (b"[-1e999]", "found the number '-1e999', which no float holds"),
            (b"[" * 200_000, "found nesting too deep to read"),
            (b'{"a":' * 200_000, "found nesting too deep to read"),
            (b'["\\ud800"]', "found half of a surrogate pair"),
            (b'{"\\uDFFF": 1}', "found half of a surrogate pair"),
            (b"", "line 1: found Expecting value at column 1"),
            (b"[1]\n]", "line 2: found Extra data at column 1"),
            (b"[01]", "line 1: found Expecting ',' delimiter at column 3"),
            (b'{"a": 1,\n"b"}', "line 2: found Expecting ':' delimiter at column 4"),
        ):
            with self.subTest(raw=raw[:40]):
                self.assert_refused([f"x: {found}; expected strict JSON"], files.parse_json, raw, "x")

    def test_an_exponent_that_no_decimal_holds(self):
        expected = ["x: found a number too long to read; expected strict JSON"]
        self.assert_refused(expected, files.parse_json, b"[1e9999999999999999999999]", "x", exact=True)

    def test_a_very_long_integer_is_a_value_or_a_refusal(self):
        try:  # the limit on digits came in a security release of each Python version
            self.assertEqual(10**5000, files.parse_json(b"1" + b"0" * 5000, "x"))
        except BundleError as error:
            self.assertEqual("x: found a number too long to read; expected strict JSON", str(error))

    @needs_hypothesis
    def test_any_bytes_give_a_value_or_the_one_error(self):
        @given(
            st.one_of(
                st.binary(max_size=200),
                st.text(alphabet='[]{}",:\\udfUD0189eE.+-NaIty \n', max_size=60).map(str.encode),
            ),
            st.booleans(),
        )
        def check(raw, exact):
            try:
                value = files.parse_json(raw, "x", exact=exact)
            except BundleError as error:
                self.assertEqual(1, len(error.problems))
            else:
                self.assertEqual(repr(json.loads(raw, parse_float=Decimal if exact else None)), repr(value))

        check()


class Json(BundleCase):
    def test_bytes(self):
        value = {"b": [1, 2.5], "a": {}, "é": [{"x": None}, []], "t": "1, 2\n\u2028"}
        expected = (
            '{\n  "b": [\n    1,\n    2.5\n  ],\n  "a": {},\n  "é": [\n    {\n      "x": null\n    },\n    []\n  ],\n'
            '  "t": "1, 2\\n\u2028"\n}\n'
        )
        self.assertEqual(expected.encode("utf-8"), files.json_bytes(value))

    def test_a_float_is_the_shortest_text_that_reads_back(self):
        self.assertEqual(
            b"[\n  0.1,\n  1e+16,\n  3497.6046600000004\n]\n", files.json_bytes([0.1, 1e16, 3497.6046600000004])
        )

    def test_a_number_that_json_lacks_is_refused(self):
        for value in (float("nan"), [float("inf")], {"a": [-float("inf"), {}]}):
            with self.subTest(value=value), self.assertRaises(ValueError):
                files.json_bytes(value)

    @needs_hypothesis
    def test_equal_to_the_standard_encoder(self):
        scalars = (
            st.none()
            | st.booleans()
            | st.integers()
            | st.floats(allow_nan=False, allow_infinity=False)
            | st.text(st.characters(exclude_categories=["Cs"]))
        )
        values = st.recursive(
            scalars,
            lambda inner: (
                st.lists(inner, max_size=4)
                | st.tuples(inner, inner)
                | st.dictionaries(st.text('ab,: "\\é\u2028'), inner, max_size=4)
            ),
        )

        @given(values)
        def check(value):
            expected = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
            self.assertEqual(expected.encode("utf-8"), files.json_bytes(value))

        check()


class Digests(unittest.TestCase):
    def test_published_vectors(self):
        # FIPS 180-2, appendix B.1; and the two blob names that every Git repository gives to these bytes
        self.assertEqual("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", files.sha256(b"abc"))
        self.assertEqual("e69de29bb2d1d6434b8b29ae775ad8c2e48c5391", files.digests(b"")["git_blob_sha1"])
        self.assertEqual("ce013625030ba8dba906f756967f9e9ca394464a", files.digests(b"hello\n")["git_blob_sha1"])
        self.assertEqual(ABC, files.digests(b"abc"))


class Writing(BundleCase):
    def setUp(self):
        self.root = temporary_folder(self)

    def names(self):
        return sorted(path.relative_to(self.root).as_posix() for path in self.root.rglob("*"))

    def test_a_new_file_in_a_new_folder(self):
        files.write_atomically(self.root, "data/new/file", b"1")
        self.assertEqual(["data", "data/new", "data/new/file"], self.names())
        self.assertEqual(b"1", (self.root / "data/new/file").read_bytes())

    def test_other_bytes_replace_the_old(self):
        (self.root / "file").write_bytes(b"1")
        files.write_atomically(self.root, "file", b"2")
        self.assertEqual((["file"], b"2"), (self.names(), (self.root / "file").read_bytes()))

    def test_a_link_is_replaced_and_what_it_points_to_is_left_alone(self):
        (self.root / "target").write_bytes(b"1")
        (self.root / "link").symlink_to("target")
        files.write_atomically(self.root, "link", b"2")
        self.assertFalse((self.root / "link").is_symlink())
        self.assertEqual((b"2", b"1"), ((self.root / "link").read_bytes(), (self.root / "target").read_bytes()))

    def test_a_link_on_the_way_is_refused_and_nothing_is_written(self):
        (self.root / "elsewhere").mkdir()
        (self.root / "data").symlink_to("elsewhere")
        (self.root / "nowhere").symlink_to("absent")
        before = self.names()
        for name, part in (("data/file", "data"), ("data/new/file", "data"), ("nowhere/file", "nowhere")):
            with self.subTest(name=name):
                line = f"{name}: found a symbolic link: {part}; expected a folder of its own"
                error = self.assert_refused([line], files.write_atomically, self.root, name, b"1")
                self.assertEqual((1, before), (error.exit_code, self.names()))

    def test_a_name_that_may_leave_the_folder(self):
        root = self.root / "root"
        root.mkdir()
        for name in ("../file", "/tmp/file", "a/../../file", "a//file", "./file", ""):
            with self.subTest(name=name):
                found = "found a path that may leave the folder; expected a relative path without '..'"
                line = f"{name}: {found}" if name else found
                self.assert_refused([line], files.write_atomically, root, name, b"1")
        self.assertEqual(["root"], self.names())

    def test_what_an_interrupted_run_of_the_same_number_left_is_replaced(self):
        partial = self.root / f".file.{os.getpid()}.partial"
        partial.write_bytes(b"half")
        files.write_atomically(self.root, "file", b"1")
        self.assertEqual((["file"], b"1"), (self.names(), (self.root / "file").read_bytes()))
        (self.root / "other").write_bytes(b"other")
        partial.symlink_to("other")
        files.write_atomically(self.root, "file", b"2")
        self.assertEqual(["file", "other"], self.names())
        self.assertEqual((b"2", b"other"), ((self.root / "file").read_bytes(), (self.root / "other").read_bytes()))

    def test_an_interrupted_write_leaves_the_old_file_whole(self):
        (self.root / "file").write_bytes(b"old")
        for step in ("fsync", "replace"):
            interrupted = mock.patch.object(files.os, step, side_effect=KeyboardInterrupt)
            with self.subTest(step=step), interrupted, self.assertRaises(KeyboardInterrupt):
                files.write_atomically(self.root, "file", b"new")
            self.assertEqual((["file"], b"old"), (self.names(), (self.root / "file").read_bytes()))

    def test_the_name_of_an_unfinished_file_is_hidden_and_ignored(self):
        with mock.patch.object(files.os, "replace", side_effect=OSError("no reason")) as replace:
            hint = "Choose a folder that can be written with --output."
            self.assert_refused(
                [f"folder/file: found an error; expected a file that can be written. {hint}"],
                files.write_atomically, self.root, "folder/file", b"1",
            )  # fmt: skip
        folder = self.root / "folder"
        partial = folder / f".file.{os.getpid()}.partial"  # as .gitignore and bundle.IGNORED have it
        self.assertEqual([mock.call(partial, folder / "file")], replace.call_args_list)

    def test_a_file_that_cannot_be_written(self):
        (self.root / "folder").mkdir()
        (self.root / "file").write_bytes(b"old")
        hint = "expected a file that can be written. Choose a folder that can be written with --output."
        for name, found in (("folder", "Is a directory"), ("file/inside", "File exists")):
            with self.subTest(name=name):
                error = self.assert_refused(
                    [f"{name}: found {found}; {hint}"], files.write_atomically, self.root, name, b"1"
                )
                self.assertEqual(2, error.exit_code)
        with mock.patch.object(files.os, "fsync", side_effect=OSError(28, "No space left on device")):
            self.assert_refused(
                [f"file: found No space left on device; {hint}"], files.write_atomically, self.root, "file", b"1"
            )
        self.assertEqual((["file", "folder"], b"old"), (self.names(), (self.root / "file").read_bytes()))


if __name__ == "__main__":
    unittest.main()
