"""The two snapshots of the summary: reading each strictly, and every cell of one against its twin."""

from __future__ import annotations

import json
import unittest
from decimal import Decimal

from scenario_ratio.pinned import CSV, JSON
from scenario_ratio.problems import BundleError
from scenario_ratio.upstream import summary
from tests.support import CELLS, SERVER, BundleCase, csv_bytes, given, json_bytes, needs_hypothesis, pair_rows, row, st

HEADER, FIRST, SECOND = csv_bytes(*pair_rows()).decode().splitlines(keepends=True)


class CsvRows(BundleCase):
    def test_rows_as_text_in_order(self):
        offline, server = pair_rows()
        rows = summary.parse_csv(csv_bytes(offline, server))
        self.assertEqual([offline.text, server.text], rows)
        self.assertEqual(31, len(summary.FIELDS))
        self.assertEqual([summary.FIELDS] * 2, [tuple(cells) for cells in rows])

    def test_a_quoted_cell_may_hold_commas_quotes_and_line_ends(self):
        odd = row(notes=('a, "b"\nc', "x"))
        self.assertEqual('a, "b"\nc', summary.parse_csv(csv_bytes(odd))[0]["notes"])

    def test_a_header_alone_has_no_rows(self):
        self.assertEqual([], summary.parse_csv(HEADER.encode()))


class CsvErrors(BundleCase):
    def refused(self, lines, text):
        raw = text if isinstance(text, bytes) else text.encode()
        self.assert_refused([f"{CSV}: {line}" for line in lines], summary.parse_csv, raw)

    def test_an_unknown_column(self):
        self.refused(
            ["line 1, field 19: found 'Site'; expected 'Location'"], HEADER.replace("Location", "Site") + FIRST
        )

    def test_a_column_too_many(self):
        text = HEADER.replace("\n", ',"Extra"\n') + FIRST.replace("\n", ',"x"\n')
        self.refused(["line 1, field 32: found 'Extra'; expected no field"], text)

    def test_a_missing_column(self):
        self.refused(["line 1, field 24: found 'version'; expected 'errors'"], HEADER.replace('"errors",', ""))
        self.refused(["line 1, field 31: found no field; expected 'PrivateID'"], HEADER.replace(',"PrivateID"', ""))

    def test_a_repeated_column(self):
        text = HEADER.replace('"notes"', '"errors"') + FIRST
        self.refused(["line 1, field 22: found 'errors'; expected 'notes'"], text)

    def test_reordered_columns(self):
        text = HEADER.replace('"Scenario","Result"', '"Result","Scenario"') + FIRST
        self.refused(["line 1, field 9: found 'Result'; expected 'Scenario'"], text)

    def test_an_empty_file_has_no_column(self):
        self.refused(["line 1, field 1: found no field; expected 'Organization'"], "")

    def test_short_long_and_blank_rows_are_all_reported(self):
        short, long = FIRST.replace('"0","v6.1",', '"0",'), SECOND.replace("\n", ',""\n')
        self.refused(
            ["row '1' (line 3): found 30 cells; expected 31 cells",
             "row '2' (line 4): found 0 cells; expected 31 cells",
             "row '3' (line 5): found 32 cells; expected 31 cells"],
            HEADER + FIRST + short + "\n" + long,
        )  # fmt: skip

    def test_a_truncated_file(self):
        self.refused(
            ["line 3: found unexpected end of data; expected quoted cells, commas between"],
            HEADER + FIRST + SECOND[:-5],
        )
        self.refused(["row '1' (line 3): found 1 cell; expected 31 cells"], HEADER + FIRST + '"Exam"')

    def test_broken_quoting(self):
        text = HEADER + FIRST.replace('"closed"', '"clo"sed', 1)
        self.refused(["line 2: found ',' expected after '\"'; expected quoted cells, commas between"], text)

    def test_a_cell_beyond_the_reader_limit(self):
        text = HEADER + FIRST.replace("X100 TGP 700W", "x" * 140_000)
        self.refused(
            ["line 2: found field larger than field limit (131072); expected quoted cells, commas between"], text
        )

    def test_bytes_that_are_not_plain_utf8(self):
        self.refused(["byte 0: found a byte order mark; expected UTF-8 without one"], b"\xef\xbb\xbf" + HEADER.encode())
        self.refused(["line 2: found byte 0xfc; expected valid UTF-8"], (HEADER + FIRST).encode("latin-1"))
        self.refused(["line 1: found a carriage return; expected LF line endings"], HEADER.replace("\n", "\r\n"))
        self.refused(["line 2: found a NUL character; expected text"], HEADER + FIRST.replace("X100", "X\0", 1))


class JsonErrors(BundleCase):
    def refused(self, lines, raw):
        self.assert_refused([f"{JSON}: {line}" for line in lines], summary.parse_snapshot, raw)

    def changed(self, change):
        snapshot = json.loads(json_bytes(*pair_rows()))
        change(snapshot)
        return json.dumps(snapshot).encode()

    def test_rows_by_id_with_exact_rates(self):
        offline, server = pair_rows()
        snapshot = summary.parse_snapshot(json_bytes(offline, server))
        self.assertEqual({"0": offline.value, "1": server.value}, snapshot)
        self.assertIs(Decimal, type(snapshot["1"]["Result"]))

    def test_a_duplicate_id(self):
        raw = json_bytes(*pair_rows()).replace(b'"1": {', b'"0": {')
        self.refused(["found the key '0' twice in one object; expected strict JSON"], raw)

    def test_a_duplicate_field(self):
        raw = json_bytes(*pair_rows()).replace(b'"Units"', b'"notes"', 1)
        self.refused(["found the key 'notes' twice in one object; expected strict JSON"], raw)

    def test_ids_that_are_not_counted_from_0(self):
        offline, server = pair_rows()
        self.refused(
            ["row 0: found the id '1'; expected the id '0'", "row 1: found the id '0'; expected the id '1'"],
            json_bytes(server, offline),
        )
        self.refused(["row 1: found the id '01'; expected the id '1'"], json_bytes(offline, server._replace(id="01")))

    def test_unknown_and_missing_fields_of_all_rows(self):
        def change(snapshot):
            snapshot["0"]["Extra"] = 1
            del snapshot["1"]["errors"]

        self.refused(
            ["row '0', field 32: found 'Extra'; expected no field",
             "row '1', field 24: found 'version'; expected 'errors'"],
            self.changed(change),
        )  # fmt: skip

    def test_reordered_fields(self):
        def change(snapshot):
            snapshot["1"]["PrivateID"] = snapshot["1"].pop("PrivateID")
            snapshot["1"]["design_power_watts"] = snapshot["1"].pop("design_power_watts")

        self.refused(["row '1', field 30: found 'PrivateID'; expected 'design_power_watts'"], self.changed(change))

    def test_rows_that_are_not_objects(self):
        self.refused(
            [
                "row '0': found [1, 2]; expected an object of 31 fields",
                "row '1': found None; expected an object of 31 fields",
            ],
            b'{"0": [1, 2], "1": null}',
        )

    def test_a_file_that_is_no_object(self):
        self.refused(["found list; expected an object of rows by id"], b"[]")
        self.refused(["line 1: found Expecting value at column 1; expected strict JSON"], b"")

    def test_nan_infinity_and_a_byte_order_mark(self):
        raw = json_bytes(*pair_rows())
        for found in ("NaN", "Infinity", "-Infinity"):
            self.refused([f"found the constant {found}; expected strict JSON"], raw.replace(b"1000.5", found.encode()))
        self.refused(["byte 0: found a byte order mark; expected UTF-8 without one"], b"\xef\xbb\xbf" + raw)
        self.refused(
            ["line 2: found byte 0xff; expected valid UTF-8"],
            raw.replace(b"Example", b"\xff", 1).replace(b'{\n        "O', b'{ "O', 1),
        )


class CrossCheck(BundleCase):
    def loaded(self, *rows):
        return summary.load(csv_bytes(*rows), json_bytes(*rows))

    def test_equal_snapshots(self):
        offline, server = pair_rows()
        self.assertEqual([offline, server], self.loaded(offline, server))

    def agrees(self, field, text, value):
        with self.subTest(field=field, text=text, value=value):
            self.assertEqual(text, self.loaded(row(**{field: (text, value)}))[0].text[field])

    def differs(self, field, text, value, message):
        with self.subTest(field=field, text=text, value=value):
            rows = [row(), row("1", **{field: (text, value)})]
            self.assert_refused([f"{message.format(csv=CSV, json=JSON)}"], self.loaded, *rows)

    def test_every_field_is_compared(self):
        offline, server = pair_rows()
        odd = {
            field: ("an odd text" if isinstance(value, (str, type(None))) else 77)
            for field, value in server.value.items()
        }
        with self.assertRaises(BundleError) as caught:
            summary.load(csv_bytes(offline, server), json_bytes(offline, server._replace(value=odd)))
        self.assertEqual(
            [(JSON, "row '1'", field) for field in CELLS], [problem[:3] for problem in caught.exception.problems]
        )

    def test_problems_come_by_row_and_then_by_field(self):
        rows = [
            row("0", Units=("Tokens/s", "tokens")),
            row("1", Model=("a", "b"), errors=("0", 1)),
            row("2", notes=("", "x")),
        ]
        self.assert_refused(
            [f"{JSON}: row '0', Units: found 'tokens'; expected 'Tokens/s', as in {CSV}",
             f"{JSON}: row '1', Model: found 'b'; expected 'a', as in {CSV}",
             f"{JSON}: row '1', errors: found 1; expected 0, as in {CSV}",
             f"{JSON}: row '2', notes: found 'x'; expected null, as '' in {CSV}"],
            self.loaded, *rows,
        )  # fmt: skip

    def test_a_rate_is_the_json_number_after_ten_decimals(self):
        # CSV text, and the same number with the digits after the tenth decimal rounded by hand
        self.agrees("Result", "59.1234567891", Decimal("59.1234567891"))
        self.agrees("Result", "59.12345678914", Decimal("59.1234567891"))
        self.agrees("Result", "59.12345678916", Decimal("59.1234567892"))
        self.agrees("Result", "59.99999999999", Decimal("60.0"))
        self.agrees("Result", "106637.0", Decimal("106637.0"))

    def test_a_rate_that_differs_in_the_tenth_decimal(self):
        self.differs(
            "Result", "59.12345678914", Decimal("59.1234567892"),
            "{json}: row '1', Result: found 59.1234567892; expected 59.1234567891, as in {csv}",
        )  # fmt: skip
        self.differs(
            "Result", "0.1", Decimal("0.1000000001"),
            "{json}: row '1', Result: found 0.1000000001; expected 0.1, as in {csv}",
        )  # fmt: skip

    def test_a_rate_that_is_not_a_decimal_number(self):
        for text in (
            "nan", "NaN", "inf", "-Infinity", "1e5", "-5.0", "+5.0", "5", "5.", ".5", "05.0", "5.0 ", "1_0.0", "٥.0", "",
        ):  # fmt: skip
            self.differs(
                "Result", text, Decimal("5.5"),
                f"{{csv}}: row '1', Result: found {ascii(text)}; expected a decimal number such as 70132.3",
            )  # fmt: skip

    def test_a_rate_of_another_type_in_the_json(self):
        for value, found in (
            (5, "5"), ("5.0", "'5.0'"), (None, "null"), (True, "true"), ([5.0], "an array"), ({"a": 5.0}, "an object"),
        ):  # fmt: skip
            self.differs(
                "Result", "5.0", value, f"{{json}}: row '1', Result: found {found}; expected 5.0, as in {{csv}}"
            )

    def test_an_integer_is_spelled_without_sign_zero_or_point(self):
        self.agrees("total_accelerators", "16", 16)
        for text in ("8.0", "+8", "-8", "08", " 8", "8e0", "٨", "1٨", "", "None", "9" * 19):
            self.differs(
                "total_accelerators", text, 8,
                f"{{csv}}: row '1', total_accelerators: found {ascii(text)}; expected an integer without sign or leading zero",
            )  # fmt: skip

    def test_an_integer_of_another_type_in_the_json(self):
        for value, found in ((1.0, "1.0"), ("1", "'1'"), (True, "true"), (None, "null"), (2, "2")):
            self.differs(
                "inferred", "1", value, f"{{json}}: row '1', inferred: found {found}; expected 1, as in {{csv}}"
            )

    def test_a_long_number_is_cut_to_80_digits(self):
        self.differs(
            "inferred", "1", int("7" * 100), f"{{json}}: row '1', inferred: found {'7' * 80}; expected 1, as in {{csv}}"
        )

    def test_true_and_false(self):
        self.agrees("has_power", "True", True)
        self.differs("has_power", "True", False, "{json}: row '1', has_power: found false; expected true, as in {csv}")
        self.differs("has_power", "False", 0, "{json}: row '1', has_power: found 0; expected false, as in {csv}")
        self.differs("has_power", "false", False, "{csv}: row '1', has_power: found 'false'; expected True or False")
        self.differs("has_power", "0", False, "{csv}: row '1', has_power: found '0'; expected True or False")

    def test_each_field_has_its_own_spellings_of_missing(self):
        self.agrees("notes", "", None)
        self.agrees("notes", "N/A", None)
        self.agrees("accelerator_model_name", "N/A", None)
        self.agrees("design_power_watts", "10800.0", Decimal("10800.0"))
        self.agrees("notes", "None", "None")
        self.agrees("framework", "", "")

    def test_a_spelling_of_missing_in_another_field_is_text(self):
        self.differs("framework", "N/A", None, "{json}: row '1', framework: found null; expected 'N/A', as in {csv}")
        self.differs("notes", "None", None, "{json}: row '1', notes: found null; expected 'None', as in {csv}")
        self.differs("PrivateID", "N/A", None, "{json}: row '1', PrivateID: found null; expected 'N/A', as in {csv}")
        self.differs(
            "design_power_watts", "", None,
            "{csv}: row '1', design_power_watts: found ''; expected None, or a decimal number of watts",
        )  # fmt: skip

    def test_a_missing_cell_is_null_and_not_its_spelling(self):
        self.differs("notes", "N/A", "N/A", "{json}: row '1', notes: found 'N/A'; expected null, as 'N/A' in {csv}")
        self.differs("notes", "", "", "{json}: row '1', notes: found ''; expected null, as '' in {csv}")
        self.differs(
            "design_power_watts", "None", 0.5,
            "{json}: row '1', design_power_watts: found 0.5; expected null, as 'None' in {csv}",
        )  # fmt: skip

    def test_text_is_not_trimmed_or_folded(self):
        self.differs(
            "Model", "llama ", "llama", "{json}: row '1', Model: found 'llama'; expected 'llama ', as in {csv}"
        )
        self.differs("Model", "Llama", "llama", "{json}: row '1', Model: found 'llama'; expected 'Llama', as in {csv}")
        self.differs(
            "Model", "e\u0301", "\u00e9", "{json}: row '1', Model: found '\\xe9'; expected 'e\\u0301', as in {csv}"
        )
        self.differs(
            "host_processor_core_count",
            "56",
            56,
            "{json}: row '1', host_processor_core_count: found 56; expected '56', as in {csv}",
        )

    def test_another_number_of_rows(self):
        offline, server = pair_rows()
        self.assert_refused(
            [f"{JSON}: found 1 row; expected 2 rows, as in {CSV}"],
            summary.load, csv_bytes(offline, server), json_bytes(offline),
        )  # fmt: skip

    def test_rows_and_differences_under_other_names(self):
        offline, server = pair_rows()
        wrong = row("1", **{**SERVER, "errors": ("0", 1)})
        rows, problems = summary.read(csv_bytes(offline, wrong), json_bytes(offline, wrong), "a.csv", "b.json")
        self.assertEqual([offline, wrong], rows)
        self.assert_problems(["b.json: row '1', errors: found 1; expected 0, as in a.csv"], problems)
        self.assert_refused(
            ["b.json: found 0 rows; expected 1 row, as in a.csv"],
            summary.read,
            csv_bytes(offline),
            b"{}",
            "a.csv",
            "b.json",
        )

    def test_problems_of_both_files_are_reported_together(self):
        self.assert_refused(
            [f"{CSV}: line 1, field 24: found 'version'; expected 'errors'",
             f"{JSON}: found list; expected an object of rows by id"],
            summary.load, HEADER.replace('"errors",', "").encode(), b"[]",
        )  # fmt: skip


@needs_hypothesis
class AnyInput(BundleCase):
    """Whatever the bytes, the readers end with rows or with the one error."""

    def result_or_error(self, function, *arguments):
        try:
            return function(*arguments)
        except BundleError as error:
            self.assertTrue(error.problems)
            for line in map(str, error.problems):
                self.assertNotIn("\n", line)
            return None

    def test_any_csv(self):
        @given(st.binary(max_size=300), st.text('",\n\r\0aé', max_size=60))
        def check(raw, tail):
            self.result_or_error(summary.parse_csv, raw)
            rows = self.result_or_error(summary.parse_csv, (HEADER + FIRST + tail).encode())
            self.assertIn(len(rows or []), range(62))

        check()

    def test_any_json(self):
        leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
        values = st.recursive(
            leaves,
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["0", "1", "Model"]), inner),
        )

        @given(st.binary(max_size=200), values)
        def check(raw, value):
            self.result_or_error(summary.parse_snapshot, raw)
            rows = self.result_or_error(summary.parse_snapshot, json.dumps(value).encode())
            self.assertIn(rows, (None, {}))  # no value made here has 31 fields

        check()

    def test_any_cells(self):
        texts = st.sampled_from([text for text, _ in CELLS.values()] + ["N/A", "8.5", "1e5"]) | st.text(
            st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), max_size=8
        )
        values = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts

        @given(st.sampled_from(list(CELLS)), texts, values)
        def check(field, text, value):
            changed = row(**{field: (text, value)})
            rows = self.result_or_error(summary.load, csv_bytes(changed), json_bytes(changed))
            if rows is not None and isinstance(value, str):
                self.assertEqual(text, value)

        check()


if __name__ == "__main__":
    unittest.main()
