"""ratio-distribution.svg: a mark for every pair, where the axis says it belongs, and nothing over anything."""

from __future__ import annotations

import copy
import itertools
import json
import re
import unittest

import make_distribution

from scenario_ratio.files import read_bytes
from scenario_ratio.study import distribution
from tests.figure_reading import Figure, scale
from tests.support import ROOT, copied_bundle, run


def results() -> dict:
    return json.loads((ROOT / "results.json").read_bytes())


def changed(**values: object) -> dict:
    """Return results whose first pair has other values, with the distribution that belongs to them."""
    found = results()
    found["pairs"][0].update(values)
    found["distribution"] = distribution.distribution(found["pairs"])
    return found


class Marks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.results = results()
        cls.figure = Figure(make_distribution.draw(cls.results))

    def test_one_for_every_pair_with_its_tooltip(self):
        expected = sorted(
            f"{pair['submitter']} · {pair['platform']} · rows {pair['offline_id']}/{pair['server_id']}: "
            f"{100 * pair['server_tokens_per_s'] / pair['offline_tokens_per_s']:.2f}%"
            for pair in self.results["pairs"]
        )
        self.assertEqual(152, len(expected))
        self.assertEqual(expected, sorted(mark.label for mark in self.figure.marks))

    def test_each_stands_where_the_axis_says(self):
        ticks = [(text.text, float(text.get("x"))) for text in self.figure.texts if re.fullmatch(r"[0-9]+%", text.text)]
        x_of = scale(ticks[: len(ticks) // 2])  # labelled above and below
        self.assertEqual(["30%", "110%"], [ticks[0][0], ticks[-1][0]])  # from 38.09% to 102.96%
        for mark in self.figure.marks:
            percent = float(re.search(r"([0-9.]+)%$", mark.label)[1])
            self.assertAlmostEqual(x_of(percent), mark.x, delta=0.06)  # two decimals of a percent, of a unit

    def test_the_heavier_line_of_each_row_is_at_100_percent(self):
        at_100 = next(text.get("x") for text in self.figure.texts if text.text == "100%")
        heavier = [line.get("x1") for line in self.figure.lines("fig-axis")]
        self.assertEqual([at_100] * len(self.results["distribution"]["by_model"]), heavier)

    def test_cpu_only_pairs_have_another_shape_and_colour(self):
        kinds: dict = {}
        for mark in self.figure.marks:
            kinds.setdefault((mark.shape, mark.class_), []).append(re.search(r"rows (\d+)/", mark.label)[1])
        cpu_only = [pair["offline_id"] for pair in self.results["pairs"] if pair["accelerators"] == 0]
        self.assertEqual(9, len(cpu_only))
        self.assertEqual({("circle", "fig-mark"), ("polygon", "fig-other")}, set(kinds))
        self.assertEqual(sorted(cpu_only), sorted(kinds["polygon", "fig-other"]))
        self.assertIn("CPU only", self.figure.words)
        self.assertIn("with accelerators", self.figure.words)

    def test_no_two_cover_each_other(self):
        for one, other in itertools.combinations(self.figure.marks, 2):
            distance = ((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5
            self.assertGreaterEqual(distance, 8.5, f"{one.label} and {other.label}")

    def test_rows_are_the_models_in_order_with_their_medians(self):
        headings = [words for words in self.figure.words if " · median " in words]
        # counts and medians in the order of the labels' alphabet
        self.assertEqual(
            [
                f"{model} · {spread['n']} pairs · median {100 * spread['median']:.2f}%"
                for model, spread in sorted(self.results["distribution"]["by_model"].items())
            ],
            headings,
        )
        medians = self.figure.lines("fig-median")
        self.assertEqual(1 + len(headings), len(medians))  # the legend's, and one for each row

    def test_ends_are_labelled(self):
        for label in ("354/355 38.09%", "434/435 91.56%", "228/229 58.85%", "332/333 98.14%", "363/364 102.96%"):
            self.assertIn(label, self.figure.words)


class Page(unittest.TestCase):
    def test_nothing_overlaps_and_nothing_leaves(self):
        self.assertEqual([], Figure(make_distribution.draw(results())).problems())

    def test_title_description_and_whose_results(self):
        figure = Figure(make_distribution.draw(results()))
        self.assertEqual("Server/Offline ratios of all 152 pairs, MLPerf® Inference v6.1", figure.title)
        # 152 pairs, 11 above 100%, from row 354's 38.09% to row 363's 102.96%
        self.assertIn("all pairs: 152, 38.09% to 102.96%, median 94.58%, 11 above 100%.", figure.description)
        self.assertIn("CPU-only pairs: 9, 38.09% to 60.04%, median 44.08%, 0 above 100%.", figure.description)
        self.assertTrue(" ".join(figure.words).endswith("Result not verified by MLCommons Association."))

    def test_the_order_of_the_pairs_does_not_matter(self):
        turned = results()
        turned["pairs"].reverse()
        marks = [
            sorted((mark.label, mark.x, mark.y) for mark in Figure(make_distribution.draw(found)).marks)
            for found in (results(), turned)
        ]
        self.assertEqual(*marks)

    def test_names_are_shown_not_obeyed(self):
        name = '"><script>alert(1)</script>&\u202e'
        figure = Figure(make_distribution.draw(changed(submitter=name)))
        self.assertEqual([], figure.problems())
        self.assertIn('"><script>alert(1)</script>&[U+202E]', [mark.label.split(" · ")[0] for mark in figure.marks])

    def test_the_axis_follows_the_data(self):
        for ratio, first in ((0.05, "0%"), (0.5, "30%")):
            words = Figure(make_distribution.draw(changed(ratio=ratio))).words
            self.assertEqual(first, next(word for word in words if re.fullmatch(r"[0-9]+%", word)))
        self.assertIn("180%", Figure(make_distribution.draw(changed(ratio=1.75))).words)


class Script(unittest.TestCase):
    def test_writes_the_figure_of_the_bundle(self):
        folder = copied_bundle(self, "make_distribution.py", "scenario_ratio", "results.json")
        done = run(folder / "make_distribution.py", cwd="/")
        self.assertEqual((0, "ratio-distribution.svg: changed\n", ""), (done.returncode, done.stdout, done.stderr))
        name = "ratio-distribution.svg"
        self.assertEqual(read_bytes(ROOT, name), read_bytes(folder, name))
        self.assertEqual("ratio-distribution.svg: unchanged\n", run(folder / "make_distribution.py").stdout)

    def test_results_are_not_changed(self):
        found = results()
        before = copy.deepcopy(found)
        make_distribution.draw(found)
        self.assertEqual(before, found)


if __name__ == "__main__":
    unittest.main()
