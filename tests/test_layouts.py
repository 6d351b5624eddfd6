"""The forms of a summary: every spelling that rounds have used, every refusal, the rows that remain."""

from __future__ import annotations

import collections
import json
import os
import unittest
from decimal import Decimal
from pathlib import Path

from scenario_ratio.study import pairing
from scenario_ratio.upstream import layouts
from scenario_ratio.upstream.summary import FIELDS
from tests.support import (
    FIXTURES,
    ROOT,
    SERVER,
    BundleCase,
    csv_bytes,
    given,
    json_bytes,
    needs_hypothesis,
    pair_rows,
    row,
    st,
)

# Real clones of earlier rounds; the bundle does not redistribute them.
CLONES = Path(os.environ.get("ROUND_CLONES", "not stated"))
NAME = "summary_results.json"
RANGE = "expected 0, or a number from 1/1000000000000000 to 1000000000000000"


def array(round_name: str = "v5.1") -> list[dict]:
    """Return the rows of a hand-made array."""
    return json.loads((FIXTURES / "rounds" / round_name / NAME).read_text(encoding="utf-8"))


def one() -> dict:
    """Return a row of a hand-made array as the reader gets it, numbers with a point exact."""
    return json.loads(json.dumps(array()[0]), parse_float=Decimal)


def read(rows: object) -> tuple:
    """Return (summary, problems) of a JSON value as the summary of a clone."""
    return layouts.read_array({NAME: json.dumps(rows).encode("utf-8")})


def matched(summary: layouts.Summary) -> tuple[list, list]:
    """Return the pairs and the rows left alone, as ids."""
    eligible, _ = pairing.eligible(summary.rows, pairing.rules_of(summary))
    pairs, alone = pairing.match(eligible, summary.name, pairing.matched_fields_of(summary))
    return [(pair.offline.id, pair.server.id) for pair in pairs], [left.id for left in alone]


class TheTableOfTheArray(BundleCase):
    def test_each_field_of_the_array_stands_for_the_field_that_v6_1_has(self):
        renamed = {
            "Submitter": "Organization", "Category": "Division", "Suite": "SystemType", "System": "SystemName",
            "UsedModel": "Model", "Model": "MlperfModel", "Performance_Result": "Result", "Performance_Units": "Units",
            "Nodes": "number_of_nodes", "Processor": "host_processor_model_name", "Accelerator": "accelerator_model_name",
            "a#": "accelerators_per_node", "Software": "framework", "Notes": "notes",
            "Total Accelerators": "total_accelerators", "Power_Result": "power_result",
        }  # fmt: skip
        table = {field.name: name for name, field in layouts.ARRAY_FIELDS.items()}
        self.assertEqual(renamed, {name: field for name, field in table.items() if name != field})

    def test_the_key_of_a_pair_holds_neither_measurements_nor_derived_fields(self):
        summary, _ = read(array())
        self.assertEqual(
            [
                "Organization", "Availability", "Division", "SystemType", "SystemName", "Platform", "Model",
                "MlperfModel", "number_of_nodes", "host_processor_model_name", "host_processors_per_node",
                "host_processor_core_count", "accelerator_model_name", "accelerators_per_node", "framework",
                "operating_system", "notes", "compliance", "errors", "version", "inferred", "has_power", "Units",
                "weight_data_types",
            ],
            list(pairing.matched_fields_of(summary)),
        )  # fmt: skip

    def test_v6_0_also_matches_on_the_total_of_accelerators(self):
        summary, problems = read(array("v6.0"))
        self.assertEqual([], problems)
        self.assertEqual(25, len(pairing.matched_fields_of(summary)))
        self.assertIn("total_accelerators", pairing.matched_fields_of(summary))
        self.assertEqual(([("0", "1")], []), matched(summary))
        rows = array("v6.0")
        rows[1]["Total Accelerators"] = 16
        self.assertEqual(([], ["0", "1"]), matched(read(rows)[0]))

    def test_the_fields_are_those_that_the_round_states(self):
        newer, older = (read(array(name))[0].fields for name in ("v6.0", "v5.1"))
        self.assertEqual({"design_power_watts", "PrivateID"}, set(FIELDS) - set(newer))
        self.assertEqual({"design_power_watts", "PrivateID", "total_accelerators"}, set(FIELDS) - set(older))
        self.assertEqual(((), ("power_result",)), tuple(tuple(set(one) - set(FIELDS)) for one in (newer, older)))
        self.assertEqual(sorted(newer, key=FIELDS.index), list(newer))

    def test_each_matched_field_keeps_rows_apart(self):
        own = [
            field.name for name, field in layouts.ARRAY_FIELDS.items()
            if name in pairing.METADATA_FIELDS and field.name not in ("version", "Total Accelerators")
        ]  # fmt: skip
        ruled = {"Availability", "Category", "Suite", "Performance_Units", "errors", "inferred", "has_power"}
        self.assertEqual(23, len(own))
        for field in own:
            with self.subTest(field=field):
                offline, server = array()[2:4]
                server[field] = {str: "another", int: 99, bool: True}[type(server[field])]
                # A field that a rule looks at takes the row out of the comparison; any other one unpairs both rows.
                self.assertEqual(([], ["0"] if field in ruled else ["0", "1"]), matched(read([offline, server])[0]))

    def test_what_is_not_matched_on_may_differ(self):
        for field in ("Accuracy", "Location", *layouts.DERIVED):
            offline, server = array()[2:4]
            offline[field], server[field] = "one", "another"
            self.assertEqual(([("0", "1")], []), matched(read([offline, server])[0]), field)


class Spelling(BundleCase):
    def test_a_value_is_spelled_as_a_cell(self):
        for value, text in (
            (8, "8"), (Decimal("8.0"), "8"), ("8", "8"), (" 8 ", "8"), ("", ""), (None, ""), (True, "True"),
            (False, "False"), (Decimal("13603.3"), "13603.3"), (Decimal("1E+6"), "1000000"), ("N/A. N/A", "N/A. N/A"),
            ("\tUNSET\n", "UNSET"), (Decimal("1E+999999"), "1E+999999"), (Decimal("-0.0"), "0"),
        ):  # fmt: skip
            self.assertEqual(text, layouts.spelled(value), value)

    def test_a_whole_number_beyond_any_rate_is_left_as_it_is(self):
        self.assertEqual("9" * 15, layouts.spelled(Decimal("9" * 15 + ".0")))
        self.assertEqual("1E+15", layouts.spelled(Decimal("1E+15")))

    def test_what_names_nothing_is_none_in_every_spelling(self):
        item = one()
        for text in ("", "N/A", "N/A. N/A", "UNSET"):
            item["Notes"] = text
            made = layouts.array_row("0", item)
            self.assertEqual((text, None), (made.text["notes"], made.value["notes"]))

    def test_what_the_round_does_not_state_is_blank_and_a_rate_stays_text(self):
        made = layouts.array_row("0", {**one(), "Performance_Result": Decimal("1234.5")})
        self.assertEqual(("", ""), (made.text["design_power_watts"], made.text["PrivateID"]))
        self.assertEqual(("1234.5", "1234.5"), (made.text["Result"], made.value["Result"]))

    def test_a_result_at_the_bounds(self):
        largest, smallest = Decimal(10**15), Decimal(1).scaleb(-15)
        for result in (largest, -largest, smallest, -smallest, Decimal(0), 10**15, 0):
            layouts.array_row("0", {**one(), "Performance_Result": result})
        for result in (10**15 + 1, Decimal("9E-16"), Decimal("-1.1E15")):
            line = f"{NAME}: row '0', Performance_Result: found {result}; {RANGE}"
            self.assert_refused([line], layouts.array_row, "0", {**one(), "Performance_Result": result})

    def test_the_same_count_in_three_types_and_a_blank_at_the_end_make_a_pair(self):
        rows = array()
        self.assertEqual(
            (8.0, 64, "Example 8x X100 "), tuple(rows[0][key] for key in ("a#", "host_processor_core_count", "System"))
        )
        self.assertEqual(
            (8, "64", "Example 8x X100"), tuple(rows[1][key] for key in ("a#", "host_processor_core_count", "System"))
        )
        pairs, _ = matched(read(rows)[0])
        self.assertIn(("0", "1"), pairs)

    def test_no_accelerator_and_no_core_count_make_a_pair_and_name_nothing(self):
        summary, _ = read(array())
        self.assertIn(("6", "7"), matched(summary)[0])
        cpu = summary.rows[6]
        self.assertEqual(
            ("", "", None),
            (
                cpu.text["accelerators_per_node"],
                cpu.text["host_processor_core_count"],
                cpu.value["accelerator_model_name"],
            ),
        )
        self.assertEqual(("N/A. N/A", "UNSET"), (cpu.text["notes"], cpu.text["weight_data_types"]))

    def test_two_spellings_of_nothing_stay_different_facts(self):
        rows = array()
        self.assertEqual(("N/A. N/A", ""), (rows[8]["Notes"], rows[9]["Notes"]))
        self.assertEqual(["8", "9"], matched(read(rows)[0])[1])

    def test_compliance_as_a_number_and_as_a_word(self):
        self.assertEqual("1", read(array())[0].rows[0].text["compliance"])
        self.assertEqual("closed", read(array("v6.0"))[0].rows[0].text["compliance"])

    def test_counts_that_facts_need_are_integers(self):
        newer, older = read(array("v6.0"))[0].rows[0].value, read(array())[0].rows[0].value
        self.assertEqual((1, 8), (newer["number_of_nodes"], newer["total_accelerators"]))
        self.assertEqual((1, None), (older["number_of_nodes"], older["total_accelerators"]))


class WhereALogLies(BundleCase):
    def test_with_and_without_the_folder_of_the_run(self):
        log = "closed/a/results/b/c/Server/performance/run_1/mlperf_log_summary.txt"
        self.assertEqual(log, layouts.log_path("./closed/a/results/b/c/Server"))
        self.assertEqual(log, layouts.log_path("./closed/a/results/b/c/Server/performance/run_1"))
        self.assertEqual(log, layouts.log_path("closed/a/results/b/c/Server/performance/run_1"))


class Rules(BundleCase):
    def test_the_rules_are_those_of_v6_1_with_the_power_result_for_design_power(self):
        summary, _ = read(array())
        self.assertEqual(
            [rule for rule in pairing.RULES if rule.field != "design_power_watts"],
            [rule for rule in pairing.rules_of(summary) if rule.field != "power_result"],
        )
        self.assertEqual("no power result", pairing.rules_of(summary)[6].name)

    def test_each_row_of_the_fixture_meets_its_rule(self):
        # Rows 10 to 19 of the fixture: open, preview, edge, inferred, with power, with a power result beside its
        # rate though not marked so, three in other units, Interactive.
        summary, _ = read(array())
        kept, exclusions = pairing.eligible(summary.rows, pairing.rules_of(summary))
        self.assertEqual([str(number) for number in range(10)], [left.id for left in kept])
        self.assertEqual([1, 1, 1, 1, 0, 1, 1, 3, 1], [rule["turned_away"] for rule in exclusions])

    def test_a_power_result_of_null_is_none(self):
        rows = [{**one, "Power_Result": None, "Power_Units": None} for one in array()[2:4]]
        self.assertEqual(([("0", "1")], []), matched(read(rows)[0]))


class MatchedFields(BundleCase):
    def test_a_field_that_is_not_among_them_may_differ(self):
        rows = [row("0"), row("1", **SERVER, PrivateID=("7", "7"))]
        self.assertEqual((0, 2), tuple(map(len, pairing.match(rows))))
        fields = tuple(field for field in pairing.METADATA_FIELDS if field != "PrivateID")
        self.assertEqual((1, 0), tuple(map(len, pairing.match(rows, "a.csv", fields))))


class WrongRows(BundleCase):
    """A row that is not of its form is told and left out; the others stay."""

    def test_wrong_types(self):
        for field, value, found, expected in (
            ("Performance_Result", "1000.0", "'1000.0'", "a number"),
            ("Performance_Result", None, "null", "a number"),
            ("Performance_Result", False, "false", "a number"),
            ("Performance_Result", True, "true", "a number"),
            ("Performance_Result", 10**15 + 1, "1000000000000001", RANGE[9:]),
            ("Performance_Result", 1e-300, "1E-300", RANGE[9:]),
            ("Scenario", 5, "5", "text"),
            ("Scenario", None, "null", "text"),
            ("Location", ["closed"], "an array", "text"),
            ("has_power", "False", "'False'", "true or false"),
            ("has_power", 0, "0", "true or false"),
            ("errors", "0", "'0'", "a number"),
            ("a#", None, "null", "a number or text"),
            ("compliance", {}, "an object", "a number or text"),
            ("Power_Result", "10400", "'10400'", "a number or null"),
        ):  # fmt: skip
            with self.subTest(field=field, value=value):
                rows = array()[:4]
                rows[3][field] = value
                summary, problems = read(rows)
                self.assert_problems([f"{NAME}: row '3', {field}: found {found}; expected {expected}"], problems)
                self.assertEqual(4, summary.source_rows)
                self.assertEqual(([("0", "1")], ["2"]), matched(summary))

    def test_missing_fields_and_rows_that_are_none(self):
        rows = array()[:5]
        del rows[2]["Scenario"], rows[2]["Notes"]
        rows[3], rows[4] = None, "row"
        summary, problems = read(rows)
        self.assert_problems(
            [
                f"{NAME}: row '2', Scenario: found no such field; expected text",
                f"{NAME}: row '2', Notes: found no such field; expected text",
                f"{NAME}: row '3': found None; expected an object",
                f"{NAME}: row '4': found 'row'; expected an object",
            ],
            problems,
        )
        self.assertEqual(([("0", "1")], []), matched(summary))

    def test_an_unknown_field_is_told_once(self):
        summary, problems = read([{**one, "Temperature": 20} for one in array()[:4]])
        self.assert_problems(
            [f"{NAME}: 'Temperature': found a field of no known round; expected a field of v5.1 or v6.0"], problems
        )
        self.assertEqual(4, len(summary.rows))

    def test_numbers_beyond_all_arithmetic(self):
        for number, shown in (("1e9999999", "1E+9999999"), ("-1e9999999", "-1E+9999999"), ("1e-9999999", "1E-9999999")):
            for field, lines in (
                ("Nodes", []),
                ("Performance_Result", [f"{NAME}: row '1', Performance_Result: found {shown}; {RANGE}"]),
            ):
                with self.subTest(number=number, field=field):
                    rows = array()[:2]
                    rows[1][field] = "NUMBER"
                    raw = json.dumps(rows).replace('"NUMBER"', number).encode()
                    summary, problems = layouts.read_array({NAME: raw})
                    self.assert_problems(lines, problems)
                    self.assertEqual(2 - len(lines), len(summary.rows))


@needs_hypothesis
class AnyValues(BundleCase):
    def test_any_value_in_any_field(self):
        leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(
            st.characters(exclude_categories=["Cs"]), max_size=4
        )  # fmt: skip
        values = leaves.map(json.dumps) | st.sampled_from(["[]", "{}", "1e99999999", "-0.0", "9" * 200, "1e-99999999"])

        @given(st.sampled_from([field.name for field in layouts.ARRAY_FIELDS.values()]), values)
        def check(field, value):
            raw = json.dumps([array()[0], {**array()[1], field: "VALUE"}]).replace('"VALUE"', value).encode()
            try:
                summary, problems = layouts.read_array({NAME: raw})
            except layouts.BundleError as error:  # another round, or a number that Python does not read
                self.assertIn(error.problems[-1].expected.split()[0], ("one", "strict"))
            else:
                self.assertEqual((2, 2), (summary.source_rows, len(summary.rows) + bool(problems)))

        check()


class WrongSummaries(BundleCase):
    def assert_unread(self, line: str, raw: bytes) -> None:
        self.assert_refused([f"{NAME}: {line}"], layouts.read_array, {NAME: raw})

    def test_cut_in_half(self):
        raw = json.dumps(array(), indent=1).encode("utf-8")
        half = raw[: len(raw) // 2]
        line = half.count(b"\n") + 1
        with self.assertRaises(layouts.BundleError) as caught:
            layouts.read_array({NAME: half})
        self.assertRegex(
            str(caught.exception), rf"\A{NAME}: line ({line}|{line - 1}): found [^\n]*; expected strict JSON\Z"
        )

    def test_not_an_array(self):
        self.assert_unread("found dict; expected an array of objects", b"{}")
        self.assert_unread("found int; expected an array of objects", b"7")

    def test_no_row_and_no_readable_row(self):
        line = f"{NAME}: version: found no readable row; expected one round for all rows, such as 'v6.0'"
        self.assert_refused([line], layouts.read_array, {NAME: b"[]"})
        rows = [f"{NAME}: row '{n}': found {value}; expected an object" for n, value in enumerate(("1", "None"))]
        self.assert_refused([*rows, line], layouts.read_array, {NAME: b"[1, null]"})

    def test_several_rounds_and_no_round(self):
        for versions, found in (
            (("v5.1", "v6.0"), "'v5.1', 'v6.0'"),
            (("latest",) * 2, "'latest'"),
            (("",) * 2, "''"),
            ("123456", "'1', '2', '3', '4', '5'"),
        ):
            rows = [{**made, "version": version} for made, version in zip(array(), versions)]
            self.assert_unread(
                f"version: found {found}; expected one round for all rows, such as 'v6.0'", json.dumps(rows).encode()
            )


class TwoSnapshots(BundleCase):
    def test_the_rows_are_those_of_the_bundle(self):
        contents = {name: (ROOT / name).read_bytes() for name in ("data/summary.csv", "data/summary.json")}
        summary, problems = layouts.read_snapshots(contents)
        self.assertEqual([], problems)
        self.assertEqual(("data/summary.csv", FIELDS), (summary.name, summary.fields))
        self.assertEqual(
            ("v6.1", 492, 492, 27),
            (summary.round, summary.source_rows, len(summary.rows), len(pairing.matched_fields_of(summary))),
        )
        pairs, alone = matched(summary)
        self.assertEqual((152, ["264"]), (len(pairs), alone))

    def test_a_row_that_the_snapshots_tell_differently_is_left_out(self):
        offline, server = pair_rows()
        third, fourth = row("2", Platform=("other", "other")), row("3", **SERVER, Platform=("other", "other"))
        wrong = row("1", **{**SERVER, "errors": ("0", "0")})
        contents = {
            "summary.csv": csv_bytes(offline, server, third, fourth),
            "summary.json": json_bytes(offline, wrong, third, fourth),
        }
        summary, problems = layouts.read_snapshots(contents)
        self.assert_problems(["summary.json: row '1', errors: found '0'; expected 0, as in summary.csv"], problems)
        self.assertEqual(4, summary.source_rows)
        self.assertEqual(([("2", "3")], ["0"]), matched(summary))

    def test_both_files_cut_are_told_together(self):
        contents = {"summary.csv": csv_bytes(*pair_rows())[:900], "summary.json": json_bytes(*pair_rows())[:900]}
        with self.assertRaises(layouts.BundleError) as caught:
            layouts.read_snapshots(contents)
        files = [problem.file for problem in caught.exception.problems]
        self.assertEqual(["summary.csv", "summary.json"], files)


@unittest.skipUnless((CLONES / "v5.1" / NAME).is_file(), "clones of earlier rounds are not at hand")
class RealRounds(BundleCase):
    """Published counts; the pairs once more, by a computation that shares nothing with the package."""

    EXPECTED = {"v5.1": (1448, 306, 151, 4), "v6.0": (520, 310, 155, 0)}
    APART = {
        "Scenario", "Accuracy", "Location", "Performance_Result", "Power_Result", "Power_Units", "ID", "Details",
        "Code", "ColorKey", "Unique ID (e.g. for Audit)",
    }  # fmt: skip

    def test_counts_and_pairs(self):
        for round_name, (source_rows, eligible_rows, pair_count, alone_count) in self.EXPECTED.items():
            with self.subTest(round=round_name):
                raw = (CLONES / round_name / NAME).read_bytes()
                summary, problems = layouts.read_array({NAME: raw})
                pairs, alone = matched(summary)
                self.assertEqual([], problems)
                self.assertEqual((round_name, source_rows), (summary.round, summary.source_rows))
                self.assertEqual(eligible_rows, len(pairing.eligible(summary.rows, pairing.rules_of(summary))[0]))
                self.assertEqual((pair_count, alone_count), (len(pairs), len(alone)))
                self.assertEqual(self.independent(json.loads(raw)), sorted(pairs))

    def independent(self, rows: list[dict]) -> list[tuple[str, str]]:
        groups = collections.defaultdict(dict)
        for number, one in enumerate(rows):
            if (
                one["Category"] == "closed" and one["Availability"] == "available" and one["Suite"] == "datacenter"
                and not one["inferred"] and not one["errors"] and not one["has_power"]
                and one["Performance_Units"] == "Tokens/s" and one["Scenario"] in ("Offline", "Server")
            ):  # fmt: skip
                key = json.dumps({name: value for name, value in one.items() if name not in self.APART}, sort_keys=True)
                groups[key][one["Scenario"]] = str(number)
        return sorted((group["Offline"], group["Server"]) for group in groups.values() if len(group) == 2)


if __name__ == "__main__":
    unittest.main()
