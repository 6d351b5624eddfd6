"""Shapes and texts of the figures, each compared with the whole element written by hand."""

from __future__ import annotations

from scenario_ratio.show import svg
from scenario_ratio.show.markup import Markup
from tests.support import BundleCase


class Document(BundleCase):
    def test_the_frame(self):
        expected = (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 20" width="800" height="20" role="img" '
            'aria-labelledby="n-title n-description">\n<title id="n-title">A &amp; B, MLPerf® Inference v0.1</title>\n'
            '<desc id="n-description">x &lt; y</desc>\n<style>' + svg.STYLE + "</style>\n"
            '<rect x="0" y="0" width="800" height="20" class="fig-back"/>\n<g/>\n</svg>\n'
        )
        found = svg.document("n", 20, "A & B", "v0.1", "x < y", [Markup("<g/>")])
        self.assertEqual(expected, found.decode("utf-8"))


class Shapes(BundleCase):
    def test_a_coordinate_has_at_most_two_decimals(self):
        for value, expected in ((0, "0"), (10, "10"), (100.0, "100"), (1.5, "1.5"), (1.25, "1.25"), (2 / 3, "0.67")):
            self.assertEqual(expected, svg.number(value))

    def test_text(self):
        self.assertEqual('<text x="1" y="2" class="fig-text">&lt;3</text>', svg.text(1, 2, "<3"))
        self.assertEqual(
            '<text x="1.5" y="2.5" class="fig-text fig-small" text-anchor="end">a</text>',
            svg.text(1.5, 2.5, "a", "fig-small", "end"),
        )

    def test_rectangle_and_line(self):
        self.assertEqual(
            '<rect x="1.5" y="2.5" width="3.5" height="4.5" class="c"/>', svg.rect(1.5, 2.5, 3.5, 4.5, "c")
        )
        self.assertEqual('<line x1="1.5" y1="2.5" x2="3.5" y2="4.5" class="c"/>', svg.line(1.5, 2.5, 3.5, 4.5, "c"))

    def test_marks(self):
        self.assertEqual('<circle cx="1.5" cy="2.5" r="3.5" class="c"/>', svg.circle(1.5, 2.5, 3.5, "c"))
        self.assertEqual(
            '<circle cx="1.5" cy="2.5" r="3.5" class="c"><title>a &amp; b</title></circle>',
            svg.circle(1.5, 2.5, 3.5, "c", "a & b"),
        )
        points = "10,15 15,20 10,25 5,20"  # up, right, down, left of (10, 20) by 5
        self.assertEqual(f'<polygon points="{points}" class="c"/>', svg.diamond(10, 20, 5, "c"))
        self.assertEqual(
            f'<polygon points="{points}" class="c"><title>a</title></polygon>', svg.diamond(10, 20, 5, "c", "a")
        )


class Words(BundleCase):
    def test_a_paragraph_breaks_at_blanks_only(self):
        self.assertEqual(
            [
                '<text x="1" y="2" class="fig-text">one two</text>',
                '<text x="1" y="19" class="fig-text">three-four-five</text>',
                '<text x="1" y="36" class="fig-text">six</text>',
            ],
            svg.paragraph(1, 2, "one two three-four-five six", 8),
        )
        self.assertEqual(
            ['<text x="1" y="2" class="fig-text m">a</text>', '<text x="1" y="19" class="fig-text m">b</text>'],
            svg.paragraph(1, 2, "a b", 1, "m"),
        )

    def test_a_long_text_is_cut_to_its_length(self):
        self.assertEqual("abcde", svg.shortened("abcde", 5))
        self.assertEqual("abcd…", svg.shortened("abcdef", 5))


class Axis(BundleCase):
    def test_steps(self):
        # a step of 0.1, 0.2, 0.5, 1, 2 and so on, by what the range is worth in as many ticks as there is room for
        for least, step in ((0, 0.1), (0.1, 0.1), (0.11, 0.2), (0.2, 0.2), (0.3, 0.5), (0.5, 0.5), (0.51, 1), (1, 1),
                            (1.5, 2), (5, 5), (5.1, 10), (12.25, 20), (30, 50)):  # fmt: skip
            self.assertAlmostEqual(step, svg.axis([1 + 8 * least], 0, 1, 8).step, msg=str(least))

    def test_every_ratio_and_one_are_between_the_ends(self):
        for ratios, step, low, high in (
            ([], 0.1, 10, 11),
            ([1.0], 0.1, 10, 11),
            ([0.05], 0.2, 0, 5),
            ([0.95, 0.99], 0.1, 9, 10),
            ([1.05], 0.1, 10, 11),
            ([1.9], 0.2, 5, 10),
            ([99.0], 20, 0, 5),
        ):
            axis = svg.axis(ratios, 230, 610, 8)
            self.assertEqual((step, low, high), (axis.step, axis.low, axis.high), ratios)
            for ratio in (*ratios, 1.0):
                self.assertTrue(230 <= axis.at(ratio) <= 610, ratio)

    def test_an_axis_may_run_upwards(self):
        axis = svg.axis([0.5], 100, 0, 8)  # five steps of 0.1
        self.assertEqual([100, 50, 0], [round(axis.at(ratio), 9) for ratio in (0.5, 0.75, 1)])

    def test_ticks(self):
        ticks = svg.axis([0.5, 1.2], 0, 70, 8).ticks()
        self.assertEqual([0, 10, 20, 30, 40, 50, 60, 70], [round(tick.at, 9) for tick in ticks])
        self.assertEqual(["50%", "60%", "70%", "80%", "90%", "100%", "110%", "120%"], [tick.label for tick in ticks])
        self.assertEqual(["100%"], [tick.label for tick in ticks if tick.class_ == "fig-axis"])
        self.assertEqual(["60%", "80%", "100%", "120%"], [tick.label for tick in ticks if tick.is_second])

    def test_ticks_far_apart(self):
        ticks = svg.axis([30.0], 0, 1, 8).ticks()  # a step of 5
        self.assertEqual(["0%", "500%", "1000%", "1500%", "2000%", "2500%", "3000%"], [tick.label for tick in ticks])
        self.assertEqual([], [tick for tick in ticks if tick.class_ != "fig-line"])
        self.assertEqual(["0%", "1000%", "2000%", "3000%"], [tick.label for tick in ticks if tick.is_second])
