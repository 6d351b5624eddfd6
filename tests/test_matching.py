"""Eligibility, pairing and the ratio: the named cases, every field, every refusal."""

from __future__ import annotations

import unittest
from decimal import Decimal
from unittest import mock

from scenario_ratio.problems import BundleError
from scenario_ratio.study import pairing, pairing_cases
from scenario_ratio.study.pairing_cases import Case
from tests.support import CELLS, SERVER, BundleCase, pair_rows, row

CSV = "data/summary.csv"


class Eligibility(BundleCase):
    def test_rows_are_counted_at_the_first_rule_that_turns_them_away(self):
        rows = [
            row("0"),
            row("1", Division=("open", "open"), Availability=("preview", "preview")),
            row("2", Availability=("preview", "preview")),
            row("3", Units=("Samples/s", "Samples/s"), Scenario=("Interactive", "Interactive")),
            row("4", Scenario=("Interactive", "Interactive")),
            row("5", has_power=("True", True), errors=("2", 2)),
            row("6", **SERVER),
        ]
        kept, exclusions = pairing.eligible(rows)
        self.assertEqual(["0", "6"], [kept_row.id for kept_row in kept])
        self.assertEqual(
            [
                ("division closed", "Division", ["closed"], 1),
                ("availability available", "Availability", ["available"], 1),
                ("system type datacenter", "SystemType", ["datacenter"], 0),
                ("not inferred from another row", "inferred", ["0"], 0),
                ("no errors", "errors", ["0"], 1),
                ("no measured power", "has_power", ["False"], 0),
                ("no design power", "design_power_watts", ["None"], 0),
                ("rate in tokens per second", "Units", ["Tokens/s"], 1),
                ("scenario Offline or Server", "Scenario", ["Offline", "Server"], 1),
            ],
            [tuple(exclusion.values()) for exclusion in exclusions],
        )
        self.assertEqual(["rule", "field", "allowed", "turned_away"], list(exclusions[0]))

    def test_a_spelling_is_exact(self):
        for field, text in (
            ("Division", "Closed"), ("Availability", "available "), ("SystemType", "datacenter,edge"), ("inferred", ""),
            ("errors", "00"), ("has_power", "false"), ("design_power_watts", ""), ("Units", "tokens/s"), ("Scenario", "offline"),
        ):  # fmt: skip
            with self.subTest(field=field):
                kept, exclusions = pairing.eligible([row(**{field: (text, None)})])
                self.assertEqual([], kept)
                self.assertEqual([field], [rule["field"] for rule in exclusions if rule["turned_away"]])

    def test_no_rows(self):
        self.assertEqual([], pairing.eligible([])[0])


class NamedCases(BundleCase):
    def test_every_case_comes_out_as_expected(self):
        # counted by hand in the table: 5 positive, 23 rejections, 4 duplicates
        self.assertEqual({"positive": 5, "rejection": 23, "duplicate": 4}, pairing_cases.run_cases(pair_rows()))

    def test_the_names_are_different(self):
        names = [case.name for case in pairing_cases.CASES]
        self.assertEqual(sorted(set(names)), sorted(names))

    def test_what_must_be_covered_is(self):
        fields = {field for case in pairing_cases.CASES if case.kind == "rejection" for field in case.server}
        wanted = {
            "Division", "Availability", "Units", "inferred", "has_power", "Scenario", "Model", "total_accelerators",
            "framework", "weight_data_types", "notes",
        }  # fmt: skip
        self.assertEqual(set(), wanted - fields)

    def test_a_case_that_comes_out_otherwise_is_named(self):
        cases = (
            Case("a", "positive", pairing_cases.ALONE),
            Case("b", "duplicate", pairing_cases.PAIRED, repeated="Server"),
        )
        with mock.patch.object(pairing_cases, "CASES", cases):
            self.assert_refused(
                ["pairing cases: a: found 1 pair, 0 unmatched; expected 0 pairs, 2 unmatched",
                 "pairing cases: b: found refused: two Server rows of one configuration; expected 1 pair, 0 unmatched"],
                pairing_cases.run_cases, pair_rows(),
            )  # fmt: skip

    def test_a_case_that_changes_nothing_is_named(self):
        cases = (Case("same", "positive", pairing_cases.PAIRED, {"framework": CELLS["framework"]}),)
        with mock.patch.object(pairing_cases, "CASES", cases):
            self.assert_refused(
                ["pairing cases: same, framework: found 'Framework 1.2' already; expected a row that the case changes"],
                pairing_cases.run_cases, pair_rows(),
            )  # fmt: skip

    def test_rows_that_do_not_pair_fail_the_positive_cases(self):
        offline, server = pair_rows()
        odd = pairing_cases.changed(server, {"operating_system": ("Other", "Other")})
        with self.assertRaises(BundleError) as caught:
            pairing_cases.run_cases((offline, odd))
        line = "pairing cases: nothing changed: found 0 pairs, 2 unmatched; expected 1 pair, 0 unmatched"
        self.assertEqual(line, str(caught.exception).split("\n")[0])


class Pairing(BundleCase):
    def outcome(self, *rows):
        pairs, alone = pairing.match(list(rows))
        return [(pair.offline.id, pair.server.id) for pair in pairs], [row.id for row in alone]

    def test_the_27_fields(self):
        self.assertEqual(27, len(pairing.METADATA_FIELDS))
        self.assertEqual({"Scenario", "Result", "Accuracy", "Location"}, set(CELLS) - set(pairing.METADATA_FIELDS))

    def test_one_other_text_in_any_of_the_27_fields_parts_a_pair(self):
        offline, server = pair_rows()
        for field in pairing.METADATA_FIELDS:
            with self.subTest(field=field):
                odd = pairing_cases.changed(server, {field: ("another text", server.value[field])})
                self.assertEqual(([], ["0", "1"]), self.outcome(offline, odd))

    def test_one_other_json_value_in_any_of_the_27_fields_parts_a_pair(self):
        offline, server = pair_rows()
        for field in pairing.METADATA_FIELDS:
            with self.subTest(field=field):
                odd = pairing_cases.changed(server, {field: (server.text[field], "another value")})
                self.assertEqual(([], ["0", "1"]), self.outcome(offline, odd))

    def test_the_order_of_the_rows_does_not_matter(self):
        offline, server = pair_rows()
        self.assertEqual(([("0", "1")], []), self.outcome(server, offline))

    def test_pairs_and_unmatched_rows_are_sorted_by_id_as_a_number(self):
        other = {"Model": ("m", "m")}
        rows = [
            row("10"), row("9", **SERVER), row("2", **other), row("100", **SERVER, **other),
            row("11", Model=("x", "x")), row("3", Model=("y", "y")),
        ]  # fmt: skip
        self.assertEqual(([("2", "100"), ("10", "9")], ["3", "11"]), self.outcome(*rows))

    def test_a_repeated_row_is_refused_even_if_all_its_cells_are_equal(self):
        offline, server = pair_rows()
        self.assert_refused(
            [f"{CSV}: row '2', Scenario: found the same 27 metadata fields as row '1'; expected one Server row for each configuration",
             f"{CSV}: row '3', Scenario: found the same 27 metadata fields as row '0'; expected one Offline row for each configuration"],
            pairing.match, [offline, server, server._replace(id="2"), offline._replace(id="3")],
        )  # fmt: skip

    def test_a_repeated_row_without_a_partner_is_refused(self):
        self.assert_refused(
            [f"{CSV}: row '1', Scenario: found the same 27 metadata fields as row '0'; expected one Offline row for each configuration"],
            pairing.match, [row("0"), row("1")],
        )  # fmt: skip

    def test_a_rate_of_zero_has_no_ratio(self):
        self.assert_refused(
            [f"{CSV}: row '0', Result: found 0.0; expected a rate above zero"],
            pairing.match, [row("0", Result=("0.0", Decimal("0.0"))), row("1", **SERVER)],
        )  # fmt: skip

    def test_sorting_out_leaves_a_whole_configuration_out_and_goes_on(self):
        sound, doubled, idle = pair_rows(), pair_rows(2), pair_rows(5)
        doubled = [row._replace(text={**row.text, "Platform": "B"}) for row in doubled]
        again = doubled[0]._replace(id="4")
        idle = [row._replace(text={**row.text, "Platform": "C"}) for row in idle]
        idle[1] = idle[1]._replace(text={**idle[1].text, "Result": "0.0"})
        rows = [*sound, *doubled, again, *idle]
        pairs, alone, problems = pairing.sort_out(rows, "the summary", pairing.METADATA_FIELDS)
        self.assertEqual([("0", "1")], [(pair.offline.id, pair.server.id) for pair in pairs])
        self.assertEqual([], alone)
        self.assert_problems(
            [
                "the summary: row '4', Scenario: found the same 27 metadata fields as row '2'; "
                "expected one Offline row for each configuration",
                "the summary: row '6', Result: found 0.0; expected a rate above zero",
            ],
            problems,
        )


class Ratio(unittest.TestCase):
    def test_server_over_offline(self):
        offline, server = row(Result=("80.0", None)), row(Result=("100.0", None))
        self.assertEqual(1.25, pairing.Pair(offline, server).ratio)  # 100 / 80

    def test_a_rate_below_one_has_a_ratio(self):
        slow = row(Result=("0.5", Decimal("0.5")))
        self.assertEqual(([], [slow]), pairing.match([slow]))

    def test_a_rate_is_the_nearest_double(self):
        self.assertEqual(70132.3, pairing.rate(row(Result=("70132.3", Decimal("70132.3")))))


if __name__ == "__main__":
    unittest.main()
