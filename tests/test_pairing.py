"""Eligibility, pairing and the ratio: the rules, every field, every refusal, the named cases."""

from __future__ import annotations

import unittest
from decimal import Decimal
from unittest import mock

from scenario_ratio.problems import BundleError
from scenario_ratio.study import pairing
from scenario_ratio.study.pairing import Case, Rule
from scenario_ratio.upstream.layouts import Summary
from scenario_ratio.upstream.summary import Row
from tests.support import CELLS, SERVER, BundleCase, pair_rows, row

CSV = "data/summary.csv"


def changed(row: Row, texts: dict) -> Row:
    """Return ``row`` with the CSV text of each field of ``texts`` replaced."""
    return row._replace(text={**row.text, **texts})


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


class Rules(BundleCase):
    def test_each_rule_turns_away_each_spelling_that_it_refuses(self):
        for rule in (*pairing.RULES, *pairing.INSTEAD.values()):
            self.assertTrue(rule.refused and rule.reason, rule.name)
            for text in rule.refused:
                with self.subTest(rule.name, text=text):
                    good = changed(row("0"), {rule.field: rule.allowed[0]})
                    kept, (exclusion,) = pairing.eligible([good, changed(good, {rule.field: text})], (rule,))
                    self.assertEqual(([good], 1), (kept, exclusion["turned_away"]))

    def test_the_names_are_different(self):
        names = [rule.name for rule in (*pairing.RULES, *pairing.INSTEAD.values())]
        self.assertEqual(sorted(set(names)), sorted(names))

    def test_a_field_that_rows_do_not_have(self):
        rules = (Rule("one", "Divison", ("closed",), "", ()), pairing.RULES[0], Rule("two", "", ("a",), "", ()))
        lines = [
            f"scenario_ratio/study/pairing.py: rule {name!r}, field: found {field!r}; expected a field of the summary"
            for name, field in (("one", "Divison"), ("two", ""))
        ]
        error = self.assert_refused(lines, pairing.eligible, [row("0")], rules)
        self.assertEqual({"pairing"}, {problem.check for problem in error.problems})
        self.assertEqual([], pairing.eligible([], rules)[0])

    def test_rules_and_fields_are_those_that_a_summary_has(self):
        whole = Summary("s", "v9.9", 0, [], tuple(CELLS))
        self.assertEqual(pairing.RULES, pairing.rules_of(whole))
        self.assertEqual(pairing.METADATA_FIELDS, pairing.matched_fields_of(whole))
        powered = whole._replace(fields=(*(field for field in CELLS if field != "design_power_watts"), "power_result"))
        rules = pairing.rules_of(powered)
        self.assertEqual(6, [rule.name for rule in rules].index("no power result"))
        self.assertEqual(
            [rule for rule in pairing.RULES if rule.field != "design_power_watts"],
            [rule for rule in rules if rule.field != "power_result"],
        )
        self.assertEqual(
            [field for field in pairing.METADATA_FIELDS if field != "design_power_watts"],
            list(pairing.matched_fields_of(powered)),
        )

    def test_without_the_rule_on_scenarios_a_third_one_is_refused(self):
        third = row("2", Scenario=("Interactive", "Interactive"))
        kept, _ = pairing.eligible([*pair_rows(), third], pairing.RULES[:-1])
        self.assert_refused(
            [f"{CSV}: row '2', Scenario: found 'Interactive'; expected Offline or Server"], pairing.match, kept
        )


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
                odd = changed(server, {field: "another text"})
                self.assertEqual(([], ["0", "1"]), self.outcome(offline, odd))

    def test_the_json_value_is_not_looked_at(self):
        offline, server = pair_rows()
        odd = server._replace(value=dict.fromkeys(server.value, "another value"))
        self.assertEqual(([("0", "1")], []), self.outcome(offline, odd))

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


ALONE = "0 pairs, 2 unmatched"
OUTCOMES = {
    "nothing changed": "1 pair, 0 unmatched",
    "another Server rate": "1 pair, 0 unmatched",
    "another Server accuracy": "1 pair, 0 unmatched",
    "another Server folder": "1 pair, 0 unmatched",
    "the same note on both": "1 pair, 0 unmatched",
    "Division 'open'": "turned away by 'division closed', 0 pairs, 1 unmatched",
    "Availability 'preview'": "turned away by 'availability available', 0 pairs, 1 unmatched",
    "Availability 'Available'": "turned away by 'availability available', 0 pairs, 1 unmatched",
    "SystemType 'edge'": "turned away by 'system type datacenter', 0 pairs, 1 unmatched",
    "inferred '1'": "turned away by 'not inferred from another row', 0 pairs, 1 unmatched",
    "errors '3'": "turned away by 'no errors', 0 pairs, 1 unmatched",
    "has_power 'True'": "turned away by 'no measured power', 0 pairs, 1 unmatched",
    "design_power_watts '10800.0'": "turned away by 'no design power', 0 pairs, 1 unmatched",
    "Units 'Samples/s'": "turned away by 'rate in tokens per second', 0 pairs, 1 unmatched",
    "Scenario 'Interactive'": "turned away by 'scenario Offline or Server', 0 pairs, 1 unmatched",
    "Scenario 'server'": "turned away by 'scenario Offline or Server', 0 pairs, 1 unmatched",
    "another Organization": ALONE,
    "another Availability": ALONE,
    "another Division": ALONE,
    "another SystemType": ALONE,
    "another SystemName": ALONE,
    "another Platform": ALONE,
    "another Model": ALONE,
    "another MlperfModel": ALONE,
    "another number_of_nodes": ALONE,
    "another host_processor_model_name": ALONE,
    "another host_processors_per_node": ALONE,
    "another host_processor_core_count": ALONE,
    "another accelerator_model_name": ALONE,
    "another accelerators_per_node": ALONE,
    "another total_accelerators": ALONE,
    "another framework": ALONE,
    "another operating_system": ALONE,
    "another notes": ALONE,
    "another compliance": ALONE,
    "another errors": ALONE,
    "another version": ALONE,
    "another inferred": ALONE,
    "another has_power": ALONE,
    "another Units": ALONE,
    "another weight_data_types": ALONE,
    "another design_power_watts": ALONE,
    "another PrivateID": ALONE,
    "two spellings of a missing note": ALONE,
    "the Server row twice": "refused: two Server rows of one configuration",
    "the Offline row twice": "refused: two Offline rows of one configuration",
    "the Server row called Offline": "refused: two Offline rows of one configuration",
    "a second rate for Server": "refused: two Server rows of one configuration",
}
# A pair in which every case changes something: a label with a lower target, and so on.
PAIR = pair_rows(4)


class Cases(BundleCase):
    def test_each_comes_out_as_expected(self):
        found = {case.name: pairing.outcome(pairing.rows_of(case, PAIR), case.rules) for case in pairing.CASES}
        self.assertEqual(OUTCOMES, found)
        self.assertEqual(list(OUTCOMES), [case.name for case in pairing.CASES])

    def test_how_many_of_each_kind(self):
        self.assertEqual({"positive": 5, "rejection": 39, "duplicate": 4}, pairing.run_cases(PAIR))

    def test_each_changes_one_field_of_the_pair(self):
        for case in pairing.CASES:
            with self.subTest(case.name):
                self.assertLessEqual(len({*case.server, *case.offline}), 1)

    def test_the_names_are_different(self):
        names = [case.name for case in pairing.CASES]
        self.assertEqual(sorted(set(names)), sorted(names))

    def test_what_must_be_covered_is(self):
        fields = {field for case in pairing.CASES if case.kind == "rejection" for field in case.server}
        wanted = {
            "Division", "Availability", "Units", "inferred", "has_power", "Scenario", "Model", "total_accelerators",
            "framework", "weight_data_types", "notes",
        }  # fmt: skip
        self.assertEqual(set(), wanted - fields)


class Rows(BundleCase):
    def test_changes_leave_the_pair_as_it_was(self):
        case = Case("x", "positive", "", {"notes": "a"}, {"notes": "c"})
        offline, server = pairing.rows_of(case, PAIR)
        self.assertEqual(("4", "c"), (offline.id, offline.text["notes"]))
        self.assertEqual(("5", "a"), (server.id, server.text["notes"]))
        self.assertEqual(pair_rows(4), PAIR)

    def test_a_repeated_row_is_the_unchanged_one_under_the_next_id(self):
        for pair, next_id in ((PAIR, "6"), (PAIR[::-1], "6"), ((row("99"), pair_rows(4)[1]), "100")):
            case = Case("x", "duplicate", "", {"notes": "a"}, repeated="Server")
            *_, repeated = pairing.rows_of(case, pair)
            server = next(one for one in pair if one.text["Scenario"] == "Server")
            self.assertEqual(server._replace(id=next_id), repeated)

    def test_outcomes_in_words(self):
        offline, server = PAIR
        self.assertEqual("0 pairs, 0 unmatched", pairing.outcome([]))
        self.assertEqual("0 pairs, 1 unmatched", pairing.outcome([offline]))
        self.assertEqual("1 pair, 0 unmatched", pairing.outcome([offline, server]))
        others = [changed(one, {"Model": "x"})._replace(id=row_id) for one, row_id in zip(PAIR, "67")]
        self.assertEqual("2 pairs, 0 unmatched", pairing.outcome([offline, server, *others]))
        self.assertEqual(
            "turned away by 'division closed', turned away by 'no errors', 1 pair, 0 unmatched",
            pairing.outcome([offline, server, row("8", Division=("open", "open")), row("9", errors=("1", 1))]),
        )
        self.assertEqual(
            "refused: two Offline rows of one configuration, refused: two Server rows of one configuration",
            pairing.outcome([*PAIR, *pair_rows(6)]),
        )
        self.assertEqual(
            "refused: data/summary.csv: row '4', Result: found 0.0; expected a rate above zero",
            pairing.outcome([row("4", Result=("0.0", Decimal("0.0")))]),
        )


class Refused(BundleCase):
    def refused(self, lines, *cases):
        with mock.patch.object(pairing, "CASES", cases):
            self.assert_refused([f"pairing cases: {line}" for line in lines], pairing.run_cases, PAIR)

    def test_every_case_that_comes_out_otherwise(self):
        good = Case("good", "positive", "1 pair, 0 unmatched")
        self.refused(
            [
                "one: found 1 pair, 0 unmatched; expected 0 pairs, 2 unmatched",
                "two: found 0 pairs, 2 unmatched; expected 1 pair, 0 unmatched",
            ],
            Case("one", "rejection", ALONE), good, Case("two", "positive", "1 pair, 0 unmatched", {"notes": ""}),
        )  # fmt: skip

    def test_every_case_that_changes_nothing(self):
        note = {"notes": "X100 TGP 700W"}
        expected = "found no change; expected a row that the case changes"
        self.refused(
            [f"one: {expected}", f"two: {expected}"],
            Case("one", "positive", "1 pair, 0 unmatched", note),
            Case("two", "positive", "1 pair, 0 unmatched", {}, note),
        )

    def test_rows_that_do_not_pair_fail_the_positive_cases(self):
        offline, server = PAIR
        odd = changed(server, {"operating_system": "Other"})
        with self.assertRaises(BundleError) as caught:
            pairing.run_cases((offline, odd))
        line = "pairing cases: nothing changed: found 0 pairs, 2 unmatched; expected 1 pair, 0 unmatched"
        self.assertEqual(line, str(caught.exception).split("\n")[0])


if __name__ == "__main__":
    unittest.main()
