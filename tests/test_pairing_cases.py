"""The named cases of pairing: each comes out as its name says, and a wrong one is told."""

from __future__ import annotations

from decimal import Decimal
from unittest import mock

from scenario_ratio.study import pairing_cases
from scenario_ratio.study.pairing_cases import Case
from tests.support import BundleCase, pair_rows, row

ALONE = "0 pairs, 2 unmatched"
OUTCOMES = {
    "nothing changed": "1 pair, 0 unmatched",
    "another Server rate": "1 pair, 0 unmatched",
    "another Server accuracy": "1 pair, 0 unmatched",
    "another Server folder": "1 pair, 0 unmatched",
    "the same note on both": "1 pair, 0 unmatched",
    "division open": "turned away by 'division closed', 0 pairs, 1 unmatched",
    "availability preview": "turned away by 'availability available', 0 pairs, 1 unmatched",
    "availability with a capital": "turned away by 'availability available', 0 pairs, 1 unmatched",
    "system type edge": "turned away by 'system type datacenter', 0 pairs, 1 unmatched",
    "inferred from another row": "turned away by 'not inferred from another row', 0 pairs, 1 unmatched",
    "errors in the run": "turned away by 'no errors', 0 pairs, 1 unmatched",
    "measured power": "turned away by 'no measured power', 0 pairs, 1 unmatched",
    "design power": "turned away by 'no design power', 0 pairs, 1 unmatched",
    "units samples per second": "turned away by 'rate in tokens per second', 0 pairs, 1 unmatched",
    "scenario Interactive": "turned away by 'scenario Offline or Server', 0 pairs, 1 unmatched",
    "scenario in lower case": "turned away by 'scenario Offline or Server', 0 pairs, 1 unmatched",
    "target label": ALONE,
    "benchmark": ALONE,
    "submitter": ALONE,
    "system name": ALONE,
    "accelerator model": ALONE,
    "accelerator count": ALONE,
    "node count": ALONE,
    "framework": ALONE,
    "precision": ALONE,
    "power note": ALONE,
    "round": ALONE,
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
        found = {case.name: pairing_cases.outcome(pairing_cases.rows_of(case, PAIR)) for case in pairing_cases.CASES}
        self.assertEqual(OUTCOMES, found)
        self.assertEqual(list(OUTCOMES), [case.name for case in pairing_cases.CASES])

    def test_how_many_of_each_kind(self):
        self.assertEqual({"positive": 5, "rejection": 23, "duplicate": 4}, pairing_cases.run_cases(PAIR))

    def test_each_changes_one_field_of_the_pair(self):
        for case in pairing_cases.CASES:
            with self.subTest(case.name):
                self.assertLessEqual(len({*case.server, *case.offline}), 1)
                for field, (text, value) in [*case.server.items(), *case.offline.items()]:
                    if isinstance(value, str):
                        self.assertEqual(text, value)
                    elif value is None:
                        self.assertIn(text, ("", "N/A"))
                    else:
                        self.assertEqual(type(PAIR[0].value[field]) if value is not None else None,
                                         type(value) if field != "design_power_watts" else type(None))  # fmt: skip
                        self.assertEqual(Decimal(text) if text != "True" else True, value)


class Rows(BundleCase):
    def test_changes_leave_the_pair_as_it_was(self):
        case = Case("x", "positive", "", {"notes": ("a", "b")}, {"notes": ("c", None)})
        offline, server = pairing_cases.rows_of(case, PAIR)
        self.assertEqual(("4", "c", None), (offline.id, offline.text["notes"], offline.value["notes"]))
        self.assertEqual(("5", "a", "b"), (server.id, server.text["notes"], server.value["notes"]))
        self.assertEqual(pair_rows(4), PAIR)

    def test_a_repeated_row_is_the_unchanged_one_under_the_next_id(self):
        for pair, next_id in ((PAIR, "6"), (PAIR[::-1], "6"), ((row("99"), pair_rows(4)[1]), "100")):
            case = Case("x", "duplicate", "", {"notes": ("a", "b")}, repeated="Server")
            *_, repeated = pairing_cases.rows_of(case, pair)
            server = next(one for one in pair if one.text["Scenario"] == "Server")
            self.assertEqual(server._replace(id=next_id), repeated)

    def test_outcomes_in_words(self):
        offline, server = PAIR
        self.assertEqual("0 pairs, 0 unmatched", pairing_cases.outcome([]))
        self.assertEqual("0 pairs, 1 unmatched", pairing_cases.outcome([offline]))
        self.assertEqual("1 pair, 0 unmatched", pairing_cases.outcome([offline, server]))
        others = [row("6", Model=("x", "x")), server._replace(id="7", text={**server.text, "Model": "x"},
                                                              value={**server.value, "Model": "x"})]  # fmt: skip
        self.assertEqual("2 pairs, 0 unmatched", pairing_cases.outcome([offline, server, *others]))
        self.assertEqual(
            "turned away by 'division closed', turned away by 'no errors', 1 pair, 0 unmatched",
            pairing_cases.outcome([offline, server, row("8", Division=("open", "open")), row("9", errors=("1", 1))]),
        )
        self.assertEqual(
            "refused: two Offline rows of one configuration, refused: two Server rows of one configuration",
            pairing_cases.outcome([*PAIR, *pair_rows(6)]),
        )
        self.assertEqual(
            "refused: data/summary.csv: row '4', Result: found 0.0; expected a rate above zero",
            pairing_cases.outcome([row("4", Result=("0.0", Decimal("0.0")))]),
        )


class Refused(BundleCase):
    def refused(self, lines, *cases):
        with mock.patch.object(pairing_cases, "CASES", cases):
            self.assert_refused([f"pairing cases: {line}" for line in lines], pairing_cases.run_cases, PAIR)

    def test_every_case_that_comes_out_otherwise(self):
        good = Case("good", "positive", "1 pair, 0 unmatched")
        self.refused(
            [
                "one: found 1 pair, 0 unmatched; expected 0 pairs, 2 unmatched",
                "two: found 0 pairs, 2 unmatched; expected 1 pair, 0 unmatched",
            ],
            Case("one", "rejection", ALONE), good, Case("two", "positive", "1 pair, 0 unmatched", {"notes": ("", None)}),
        )  # fmt: skip

    def test_every_case_that_changes_nothing(self):
        note = {"notes": ("X100 TGP 700W", "X100 TGP 700W")}
        expected = "found 'X100 TGP 700W' already; expected a row that the case changes"
        self.refused(
            [f"one, notes: {expected}", f"two, notes: {expected}"],
            Case("one", "positive", "1 pair, 0 unmatched", note),
            Case("two", "positive", "1 pair, 0 unmatched", {}, note),
        )
