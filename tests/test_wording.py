"""How numbers and lists are spelled where people read them, and the words that must stand beside a result."""

from __future__ import annotations

import re

from scenario_ratio import wording
from tests.support import ROOT, BundleCase, opened


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

    def test_halves_go_away_from_zero_by_the_digits_written(self):
        """Of doubles, 4173.25 is a half, 1030.45 a little more than one and 2.675 a little less."""
        for function, number, expected in (
            (wording.rate, 4173.25, "4,173.3"), (wording.rate, 1030.45, "1,030.5"), (wording.points, 2.675, "2.68"),
            (wording.percent, 0.00125, "0.13%"), (wording.percent, 0.87765, "87.77%"), (wording.fraction, 0.0625, "0.063"),
            (wording.milliseconds, 5_005_000, "5.01"), (wording.metric, 0.00000005, "0.0000001"), (wording.points, -0.125, "-0.13"),
        ):  # fmt: skip
            self.assertEqual(expected, function(number))

    def test_numbers_in_words(self):
        for function, number, expected in (
            (wording.words, 0, "no"), (wording.words, 3, "three"), (wording.words, 12, "twelve"), (wording.words, 1300, "1,300"),
            (wording.words, 13, "13"), (wording.words, -1, "-1"), (wording.capitalized, 3, "Three"), (wording.capitalized, 13, "13"),
            (wording.ordinal, 1, "first"), (wording.ordinal, 4, "fourth"), (wording.ordinal, 12, "twelfth"),
            (wording.ordinal, 13, "13th"), (wording.ordinal, 0, "0th"),
            (wording.ordinal, 21, "21st"), (wording.ordinal, 22, "22nd"), (wording.ordinal, 23, "23rd"), (wording.ordinal, 24, "24th"),
            (wording.ordinal, 101, "101st"), (wording.ordinal, 111, "111th"), (wording.ordinal, 1012, "1,012th"),
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
            self.assertEqual(told.replace(",", ""), wording.numbered(number, "row/rows"))

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

    def test_what_digests_were_compared_with(self):
        for number, ways, told in (
            (1200, {"copied": 1199, "sha256-published": 1},
             "1,200 as the acquisition record has them in length, SHA-256 and Git blob SHA-1 (copied 1,199, sha256-published 1)"),
            (1, {"copied": 1}, "1 as the acquisition record has it in length, SHA-256 and Git blob SHA-1 (copied 1)"),
        ):  # fmt: skip
            self.assertEqual(told, wording.compared({"files_compared": number, "files_by_grade": ways}))

    def test_lists(self):
        for names, listed, either, together in (
            ([], "", "", ""),
            (["a"], "a", "a", "a"),
            (["a", "b"], "a, b", "a or b", "a and b"),
            (["a", "b", "c"], "a, b, c", "a or b or c", "a, b and c"),
        ):
            for function, expected in (
                (wording.listed, listed),
                (wording.either, either),
                (wording.together, together),
            ):
                self.assertEqual((expected, expected), (function(names), function(iter(names))))

    def test_lists_of_what_may_be(self):
        for names, one_of, alternatives in (
            ([], "nothing", ""),
            (["a"], "a", "a"),
            (["a and b", "c"], "one of a and b, c", "a and b, or c"),
            (["a", "b", "c"], "one of a, b, c", "a, or b, or c"),
        ):
            self.assertEqual((one_of, alternatives), (wording.one_of(iter(names)), wording.alternatives(iter(names))))

    def test_clauses_and_sentences(self):
        for parts, clauses, sentences in (
            ([], "", ""),
            (["a"], "a", "a."),
            (["a", "b: c"], "a; b: c", "a. b: c."),
        ):
            self.assertEqual((clauses, sentences), (wording.clauses(iter(parts)), wording.sentences(iter(parts))))
        self.assertEqual("a; b", wording.clauses(["", "a", "", "b"]))


# Where a sign between names is no English, or cannot come from wording.py; what stands there is a form of its own.
FORMS = {
    "scenario_ratio/wording.py": "the functions themselves",
    "scenario_ratio/problems.py": "the form of a problem's line, below wording.py",
    "scenario_ratio/show/page.py": "the directives of a content security policy",
}
BY_HAND = re.compile(
    r"""["'](?:, |; |\. |,? (?:and|or) )["']\.join"""  # a list
    r"""|["']e?s["'] (?:if|\*)|\* ["']s["']"""  # a plural
    r"""|(?:is|are|was|were|has|have)["'] if .*== 1"""  # a verb
)


class OneFunctionEach(BundleCase):
    def test_no_list_plural_or_verb_is_made_by_hand(self):
        found = []
        for name in opened(ROOT).listed():
            if name.endswith(".py") and not name.startswith(("tests/", "fuzz/", "benchmarks/")):
                lines = enumerate((ROOT / name).read_text(encoding="utf-8").split("\n"), 1)
                found += [(name, number, line.strip()) for number, line in lines if BY_HAND.search(line)]
        self.assertEqual([], [one for one in found if one[0] not in FORMS])
        self.assertEqual(set(FORMS), {name for name, *_ in found})

    def test_what_is_made_by_hand_would_be_found(self):
        for line in (
            "', '.join(names)", '" and ".join(names)', '", or ".join(names)', '"; ".join(names)', '". ".join(told)',
            "pair{'s' * (len(pairs) != 1)}", "'s' if n != 1 else ''", "(n != 1) * 's'", "'is' if n == 1 else 'are'",
        ):  # fmt: skip
            self.assertRegex(line, BY_HAND)
        self.assertNotRegex('" ".join(lines)', BY_HAND)


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
