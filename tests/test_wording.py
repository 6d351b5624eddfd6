"""How numbers and lists are spelled where people read them, and the words that must stand beside a result."""

from __future__ import annotations

from scenario_ratio import wording
from tests.support import BundleCase


class Spelling(BundleCase):
    def test_numbers_as_people_read_them(self):
        for function, number, expected in (
            (wording.rate, 70132.3, "70,132.3"),
            (wording.rate, 899005.0, "899,005.0"),
            (wording.rate, 325, "325.0"),
            (wording.percent, 59867.8 / 70132.3, "85.36%"),
            (wording.percent, 1.0, "100.00%"),
            (wording.percent, 899005 / 883761, "101.72%"),
            (wording.points, 12.5055, "12.51"),
            (wording.points, 0, "0.00"),
            (wording.milliseconds, 1_050_670_916, "1,050.67"),
            (wording.milliseconds, 2_000_000_000, "2,000"),
            (wording.milliseconds, 80_000_000, "80"),
            (wording.milliseconds, 1_000_000_000_000, "1,000,000"),
            (wording.milliseconds, 100_500_000, "100.50"),
            (wording.milliseconds, 1, "0"),
            (wording.milliseconds, 0, "0"),
            (wording.count, 15252, "15,252"),
            (wording.count, 0, "0"),
            (wording.metric, 3497.6046600000004, "3497.60466"),
            (wording.metric, 80.544618, "80.544618"),
            (wording.metric, 44.3867688, "44.3867688"),
            (wording.metric, 100.0, "100"),
            (wording.metric, 0.0, "0"),
            (wording.fraction, 0.98783, "0.988"),
            (wording.fraction, 1, "1.000"),
        ):
            with self.subTest(function=function.__name__, number=number):
                self.assertEqual(expected, function(number))

    def test_numbers_in_words(self):
        for function, number, expected in (
            (wording.words, 0, "no"), (wording.words, 3, "three"), (wording.words, 12, "twelve"), (wording.words, 1300, "1,300"),
            (wording.words, 13, "13"), (wording.words, -1, "-1"), (wording.capitalized, 3, "Three"), (wording.capitalized, 13, "13"),
            (wording.ordinal, 1, "first"), (wording.ordinal, 4, "fourth"), (wording.ordinal, 12, "twelfth"),
            (wording.ordinal, 13, "13th"), (wording.ordinal, 0, "0th"),
        ):  # fmt: skip
            self.assertEqual(expected, function(number))

    def test_words_that_go_with_a_number(self):
        for number, word, told in (
            (0, "rows", "0 rows"),
            (1, "row", "1 row"),
            (2, "rows", "2 rows"),
            (1200, "rows", "1,200 rows"),
        ):
            self.assertEqual(word, wording.agreeing(number, "row/rows"))
            self.assertEqual(told, wording.counted(number, "row/rows"))

    def test_what_stands_for_a_pair_a_spread_and_a_source(self):
        self.assertEqual("285/286", wording.rows({"offline_id": "285", "server_id": "286"}))
        self.assertEqual("38.09% to 102.96%", wording.ends({"minimum": 0.38094, "maximum": 1.02959}))
        source = {"repository": "https://github.com/example/results", "commit": "0123456789abcdef"}
        self.assertEqual("github.com/example/results at 0123456789ab", wording.source(source))

    def test_what_a_log_says(self):
        for errors, warnings, told in (
            (0, 0, "VALID"),
            (3, 0, "VALID, with 3 errors in the log"),
            (1, 0, "VALID, with 1 error in the log"),
            (0, 9, "VALID, with 9 warnings in the log"),
            (2, 1, "VALID, with 2 errors and 1 warning in the log"),
        ):
            log = {"status": "passed", "result": "VALID", "errors": errors, "warnings": warnings}
            self.assertEqual(told, wording.log_says(log))
        self.assertEqual("not available", wording.log_says({"status": "not available"}))

    def test_lists(self):
        for names, listed, either, together in (
            ([], "", "", ""),
            (["a"], "a", "a", "a"),
            (["a", "b"], "a, b", "a or b", "a and b"),
            (["a", "b", "c"], "a, b, c", "a or b or c", "a, b and c"),
        ):
            found = (wording.listed(names), wording.either(names), wording.together(names))
            self.assertEqual((listed, either, together), found)


class Messaging(BundleCase):
    """The words of the results messaging guidelines, here a second time, so that no one changes them unawares."""

    def test_attribution(self):
        source = {"repository": "https://github.com/example/results", "commit": "0123456789abcdef"}
        results = {"round": "v9.9", "sources": {"results": source, "retrieved": "2026-11-30"}}
        self.assertEqual(
            "MLPerf® Inference: Datacenter v9.9, closed division, Offline and Server scenarios. Results of "
            "github.com/example/results at 0123456789ab, copies retrieved 2026-11-30. Ratios are derived. Result not verified by "
            "MLCommons Association.",
            wording.attribution(results),
        )

    def test_trademark(self):
        self.assertEqual(
            "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association in the "
            "United States and other countries. All rights reserved. Unauthorized use strictly prohibited. See "
            "www.mlcommons.org for more information.",
            wording.TRADEMARK,
        )
