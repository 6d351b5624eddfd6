"""Shapes and texts of the figures, each compared with the whole element written by hand."""

from __future__ import annotations

from scenario_ratio.show import svg
from scenario_ratio.show.markup import Markup
from tests.support import BundleCase


class Document(BundleCase):
    def test_the_frame(self):
        expected = (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20" width="30" height="20" role="img" '
            'aria-labelledby="n-title n-description">\n<title id="n-title">A &amp; B</title>\n'
            '<desc id="n-description">x &lt; y</desc>\n<style>' + svg.STYLE + "</style>\n"
            '<rect x="0" y="0" width="30" height="20" class="fig-back"/>\n<g/>\n</svg>\n'
        )
        found = svg.document("n", 30, 20, "A & B", "x < y", [Markup("<g/>")])
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
            ['<text x="1" y="2" class="fig-text m">a</text>', '<text x="1" y="5.5" class="fig-text m">b</text>'],
            svg.paragraph(1, 2, "a b", 1, "m", 3.5),
        )

    def test_a_long_text_is_cut_to_its_length(self):
        self.assertEqual("abcde", svg.shortened("abcde", 5))
        self.assertEqual("abcd…", svg.shortened("abcdef", 5))
