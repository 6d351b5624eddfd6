"""The figures read back as one who looks at them, and compared with a second computation from the released data.

Positions become percentages through the labels of the axes alone, and may be half a pixel off.
"""

from __future__ import annotations

import base64
import itertools
import math
import re
import unittest

from tests.again import charts, drawn, expected, pages, released, spelled
from tests.again.drawn import made
from tests.again.figures import COLOURS, HALF_A_PIXEL
from tests.again.released import root

BARS, DISTRIBUTION, HEADROOM = "scenario-ratios", "ratio-distribution", "latency-headroom"


class Bars(drawn.Drawn):
    name = BARS

    @classmethod
    def read(cls):
        cls.apart = cls.figure.said("Apart from these: .*")
        cls.scale, cls.grid, cls.found, cls.parting = charts.read_bars(cls.figure)

    def test_what_stands_above_and_what_it_is_called(self):
        above = [
            "Server rate as a percentage of the Offline rate",
            "Offline is 100%. Rates in tokens/s. Pairs match in all metadata fields.",
        ]
        self.assertEqual(above, self.heads)
        self.assertEqual(expected.title("Server/Offline ratios of highlighted pairs"), self.figure.title)
        self.assertEqual(expected.bars_described(), self.figure.description)
        self.assertEqual({}, self.legend)

    def test_pairs_in_order_and_words_on_their_bars(self):
        told = [expected.bars_told(pair) for pair in released.highlighted()]
        self.assertEqual(told, [(one.heading, *(bar.words for bar in one.bars)) for one in self.found])

    def test_bars_are_as_long_as_their_percentages(self):
        for pair, one in zip(released.highlighted(), self.found):
            for bar, percent in zip(one.bars, (100, 100 * pair.ratio)):
                self.assert_at(percent, bar.percent, self.scale, f"{one.heading}, {bar.words}")

    def test_the_axis_begins_at_zero_and_has_a_line_for_each_label(self):
        self.assertEqual((0, 100), (self.scale.least, self.scale.most))
        self.assertEqual([0, 25, 50, 75, 100], [round(percent, 1) for percent in self.grid.percents])
        self.assertEqual([0, 100], [round(percent, 1) for percent in self.grid.heavier])
        self.assertLess(self.grid.start, self.found[0].top)
        self.assertGreater(self.grid.end, self.found[-1].bottom)

    def test_the_other_system_is_apart_below_a_line_and_in_another_colour(self):
        *same, apart = self.found
        self.assertEqual("Apart from these: another system", self.apart.text)
        (line,) = self.parting
        self.assertTrue(same[-1].bottom < line < self.apart.top < self.apart.bottom < apart.top)
        servers, references = ([one.bars[which].look for one in self.found] for which in (1, 0))
        self.assertEqual((1, 1), (len(set(references)), len(set(servers[:-1]))))
        self.assertEqual(3, len({references[0], servers[0], servers[-1]}))
        for place in COLOURS[::2]:  # the fills
            self.assertEqual(3, len({look[place] for look in (references[0], servers[0], servers[-1])}))


class Distribution(drawn.Drawn):
    name = DISTRIBUTION
    kinds = {True: "with accelerators", False: "CPU only"}

    @classmethod
    def read(cls):
        cls.axes, cls.rows = charts.read_rows(cls.figure, cls.legend["median of the model"].look)
        cls.scale, cls.models = cls.axes[0], expected.by_model(list(released.pairs()))

    def test_what_stands_above_and_what_it_is_called(self):
        above = [
            "Server rate as a percentage of the Offline rate: every pair, by model",
            "Each mark is a pair; its height in a row has no meaning.",
        ]
        self.assertEqual(above, self.heads)
        pairs = spelled.many(len(released.pairs()), "pair")
        self.assertEqual(expected.title(f"Server/Offline ratios of all {pairs}"), self.figure.title)
        self.assertEqual(expected.distribution_described(), self.figure.description)
        self.assertEqual([*self.kinds.values(), "median of the model"], list(self.legend))

    def test_rows_in_order_with_their_headings(self):
        told = [
            f"{model} · {spelled.many(len(pairs), 'pair')} · median "
            f"{spelled.percent(released.median([pair.ratio for pair in pairs]))}"
            for model, pairs in self.models.items()
        ]
        self.assertEqual(told, [row.heading for row in self.rows])

    def test_every_pair_is_a_mark_at_its_ratio_of_its_kind(self):
        self.assertEqual(len(self.models), len(self.rows))
        for pairs, row in zip(self.models.values(), self.rows):
            told = {expected.tooltip(pair): pair for pair in pairs}
            self.assertEqual(sorted(told), sorted(mark.label for mark in row.marks))
            for mark in row.marks:
                pair = told[mark.label]
                self.assert_at(100 * pair.ratio, mark.across, self.scale, mark.label)
                self.assertEqual(self.legend[self.kinds[pair.accelerators > 0]].look, mark.look, mark.label)

    def test_no_mark_covers_another(self):
        for one, other in itertools.combinations(self.figure.marks, 2):
            apart = math.hypot(one.x - other.x, one.y - other.y)
            self.assertGreaterEqual(apart, 2 * min(one.radius, other.radius) - HALF_A_PIXEL, f"{one} and {other}")

    def test_a_line_at_each_median(self):
        for pairs, row in zip(self.models.values(), self.rows):
            (found,) = row.medians
            self.assert_at(100 * released.median([pair.ratio for pair in pairs]), found, self.scale, row.heading)

    def test_the_ends_of_each_row_are_labelled_where_they_are(self):
        for pairs, row in zip(self.models.values(), self.rows):
            least, *_, most = expected.ascending(pairs)
            told = [(f"{pair.ids} {spelled.percent(pair.ratio)}", pair) for pair in (least, most)]
            self.assertEqual([words for words, _ in told], [words for words, _ in row.ends])
            for (words, pair), (_, place) in zip(told, row.ends):
                self.assert_at(100 * pair.ratio, place, self.scale, words)

    def test_the_axis_is_labelled_above_and_below_and_holds_every_mark(self):
        self.assertEqual(2, len(self.axes))
        self.assertEqual(*self.axes)
        tens = list(range(int(self.scale.least), int(self.scale.most) + 1, 10))
        for row in self.rows:
            self.assertEqual(tens, [round(percent, 1) for percent in row.grid.percents], row.heading)
            self.assertEqual([100], [round(percent, 1) for percent in row.grid.heavier], row.heading)
        ratios = [100 * pair.ratio for pair in released.pairs()]
        self.assertTrue(min(ratios) - 10 < self.scale.least <= min(ratios))
        self.assertTrue(max(ratios) <= self.scale.most < max(ratios) + 10)


class Headroom(drawn.Drawn):
    name = HEADROOM
    kinds = {"tpot": "TPOT is nearer its limit", "ttft": "TTFT is nearer its limit", "equal": "both are equally near"}

    @classmethod
    def read(cls):
        cls.panels = charts.read_panels(cls.figure)
        cls.models = expected.by_model(released.with_server_log())

    def test_what_stands_above_and_what_it_is_called(self):
        above = [
            "Ratio against latency headroom, by model",
            "Across: p99 of TTFT or TPOT over its limit, whichever is nearer. Up: Server over Offline.",
        ]
        self.assertEqual(above, self.heads)
        pairs = spelled.many(len(released.with_server_log()), "pair")
        self.assertEqual(expected.title(f"Ratio against latency headroom of {pairs}"), self.figure.title)
        self.assertEqual(expected.headroom_described(), self.figure.description)
        occurring = {released.nearer(pair) for pair in released.with_server_log()}
        self.assertEqual([words for kind, words in self.kinds.items() if kind in occurring], list(self.legend))

    def test_panels_in_order_with_their_headings(self):
        told = [expected.panel_told(model, pairs) for model, pairs in self.models.items()]
        self.assertEqual(told, [panel.headings for panel in self.panels])

    def test_every_pair_with_a_log_is_a_mark_where_it_belongs_of_its_kind(self):
        self.assertEqual(len(self.models), len(self.panels))
        for pairs, panel in zip(self.models.values(), self.panels):
            told = {expected.tooltip_with_limits(pair): pair for pair in pairs}
            self.assertEqual(sorted(told), sorted(mark.label for mark in panel.marks))
            for mark in panel.marks:
                pair = told[mark.label]
                self.assert_at(100 * expected.larger(pair), mark.across, panel.across, mark.label)
                self.assert_at(100 * pair.ratio, mark.up, panel.up, mark.label)
                self.assertEqual(self.legend[self.kinds[released.nearer(pair)]].look, mark.look, mark.label)

    def test_all_panels_have_the_same_axes_which_hold_every_mark(self):
        values = {
            "across": [100 * expected.larger(pair) for pair in released.with_server_log()],
            "up": [100 * pair.ratio for pair in released.with_server_log()],
        }
        for axis, numbers in values.items():
            for panel in self.panels:
                grid = getattr(panel, f"grid_{axis}")
                lines = [round(percent) for percent in grid.percents]
                self.assertEqual(list(range(lines[0], lines[-1] + 1, 10)), lines)
                for line, percent in zip(lines, grid.percents):
                    self.assert_at(line, percent, getattr(panel, axis), f"{panel.headings[0]}, {axis}")
                self.assertEqual([100], [round(percent) for percent in grid.heavier])
                self.assertTrue(lines[0] <= min(100, *numbers) < lines[0] + 10, axis)
                self.assertTrue(lines[-1] - 10 < max(100, *numbers) <= lines[-1], axis)
        self.assertEqual(
            1, len({(panel.across.least, panel.across.most, panel.up.least, panel.up.most) for panel in self.panels})
        )

    def test_100_percent_and_at_least_two_more_are_labelled_on_each_axis_where_a_line_is(self):
        for panel in self.panels:
            for labels, grid in zip(panel.labels, (panel.grid_across, panel.grid_up)):
                self.assertLess(2, len(labels))
                self.assertIn("100%", labels)
                self.assertEqual(set(), {int(label[:-1]) for label in labels} - {round(at) for at in grid.percents})

    def test_the_lines_of_a_panel_end_at_each_other(self):
        for panel in self.panels:
            for grid, other, scale in (
                (panel.grid_across, panel.grid_up, panel.across), (panel.grid_up, panel.grid_across, panel.up),
            ):  # fmt: skip
                ends = sorted(scale.at(percent) for percent in (grid.percents[0], grid.percents[-1]))
                self.assertAlmostEqual(ends[0], other.start, delta=HALF_A_PIXEL)
                self.assertAlmostEqual(ends[1], other.end, delta=HALF_A_PIXEL)


class Shown(unittest.TestCase):
    """Wherever else a figure is shown, it is the one that is read above."""

    def assert_same(self, name: str, svg: str) -> None:
        saved = (root() / f"{name}.svg").read_text(encoding="utf-8")
        self.assertEqual(saved.strip(), svg.strip(), f"{name}.svg is shown otherwise")

    def test_in_the_article_each_once_with_its_caption_in_its_section(self):
        found = pages.page().figures
        self.assertEqual(
            [
                (BARS, "Server as a percentage of Offline for the highlighted pairs.", "highlighted"),
                (DISTRIBUTION, "Each pair is one mark. A ratio can be traced to its rows in the table of every pair below.",
                 "distribution"),
                (HEADROOM, "Ratio of each pair against the larger of its two fractions, by model.", "headroom"),
            ],
            [(re.search('<title id="(.*?)-title">', one.svg)[1], one.caption, one.section_id) for one in found],
        )  # fmt: skip
        for name, one in zip((BARS, DISTRIBUTION, HEADROOM), found):
            self.assert_same(name, one.svg)
            self.assertIn(f'aria-label="{one.caption}"', pages.page().source)
        self.assertEqual(3, len(pages.page().svgs))
        self.assertNotIn(".fig-", re.sub("<svg.*?</svg>", "", pages.page().source, flags=re.DOTALL))

    def test_in_the_notebook_with_its_words_for_those_who_do_not_see_it(self):
        (data,) = [cell.data for cell in pages.notebook_cells() if any(kind.startswith("image") for kind in cell.data)]
        self.assertEqual({"image/svg+xml", "text/plain"}, set(data))
        self.assert_same(BARS, data["image/svg+xml"])
        self.assertEqual(expected.bars_described(), data["text/plain"])

    def test_on_the_page_of_the_notebook(self):
        page = made("from scenario_ratio.bundle import Bundle", "from scenario_ratio.artifacts import ARTIFACTS",
                    "put(Bundle(pathlib.Path(), None, ARTIFACTS).read('notebook.html'))").decode("utf-8")  # fmt: skip
        ((alt, encoded),) = re.findall(r'<img alt="([^"]*)" src="data:image/svg\+xml;base64,([^"]*)"', page)
        self.assertEqual(expected.bars_described(), alt)
        self.assert_same(BARS, base64.b64decode(encoded).decode("utf-8"))
        self.assertEqual(1, len(re.findall("<(?:img|svg|picture|object)[ >]", page)))


if __name__ == "__main__":
    unittest.main()
