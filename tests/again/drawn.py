"""What holds for every figure, whatever it shows: tests that the tests of each figure inherit."""

from __future__ import annotations

import subprocess
import sys
import unittest

from tests.again import charts, expected, released
from tests.again.figures import COLOURS, FORM, HALF_A_PIXEL, Figure, Scale, Shape, contrast, mixed, overlap
from tests.again.released import root

EMPTY = 50  # so many pixels without anything, from above to below, look like a part that was forgotten
UNSEEN = "fig-tick"  # the class of an axis' labels, which looks like nothing: it tells checks of numbers what they are
READABLE, VISIBLE = 4.5, 3  # the contrast that WCAG 2 asks for, of text and of what is to be seen


def made(*lines: str) -> bytes:
    """Return what the product in the bundle that is read makes, in a process of its own, of what is in no file there."""
    code = ["import json, pathlib, sys", "put = sys.stdout.buffer.write", *lines]
    where = root() if (root() / "scenario_ratio").is_dir() else released.PROJECT
    return subprocess.run(
        [sys.executable, "-B", "-c", "\n".join(code)], cwd=where, stdout=subprocess.PIPE, check=True
    ).stdout


class Drawn(unittest.TestCase):
    """What holds for every figure; ``figure`` is read by a test file once, ``name`` is what it is called."""

    name = ""
    number_of_heads = 2

    @classmethod
    def setUpClass(cls):
        cls.figure = cls.drawn()
        cls.heads = charts.heads(cls.figure, cls.number_of_heads)
        cls.footer = cls.figure.footer()
        cls.legend = cls.figure.legend()
        cls.read()

    @classmethod
    def drawn(cls) -> Figure:
        return Figure((root() / f"{cls.name}.svg").read_bytes())

    def assert_at(self, percent: object, place: float, scale: Scale, of: str) -> None:
        """Compare where something stands with where it has to, in pixels; both are told as percentages."""
        off = abs(scale.at(float(percent)) - scale.at(place))
        self.assertLessEqual(off, HALF_A_PIXEL, f"{of}: {place:.2f}% is drawn, {float(percent):.2f}% is right")

    def test_the_frame(self):
        svg = self.figure.root
        size = (0, 0, self.figure.width, self.figure.height)
        self.assertEqual(size, tuple(map(float, svg.get("viewBox").split())))
        self.assertEqual(("rect", size), (self.figure.background.shape, self.figure.background.box))
        self.assertEqual({"viewBox", "width", "height", "role", "aria-labelledby"}, set(svg.keys()))
        self.assertEqual([], self.figure.problems())
        for shape in self.figure.shapes:
            self.assertEqual([shape], charts.within([shape], *size), f"{shape!r} leaves the figure")

    def test_every_class_means_something(self):
        light, dark = (set(rules) for rules in self.figure.styles)
        self.assertEqual(light, dark)
        for shape in self.figure.shapes:
            self.assertEqual(set(), set(shape.class_.split()) - light - {UNSEEN}, repr(shape))

    def test_a_text_lies_in_a_bar_or_beside_it(self):
        bars = [shape for shape in self.figure.shapes if shape.shape == "rect"]
        for text in self.figure.texts:
            partly = [bar for bar in bars if overlap(text, bar) and not charts.within([text], *bar.box)]
            self.assertEqual([], partly, repr(text))

    def test_its_name_and_description_are_its_accessible_ones(self):
        ids = [self.figure.root[place].get("id") for place in (0, 1)]
        self.assertEqual([f"{self.name}-title", f"{self.name}-description"], ids)
        self.assertEqual(("img", ids), (self.figure.root.get("role"), self.figure.root.get("aria-labelledby").split()))

    def test_nothing_readable_is_left_unread(self):
        self.assertEqual([], self.figure.unread())

    def test_it_can_be_seen_in_the_light_and_in_the_dark(self):
        thin = min(shape.weight for shape in self.figure.shapes if shape.shape == "line")
        for place, shape in enumerate(self.figure.shapes[1:], 1):
            if shape.shape == "line" and shape.weight == thin:
                continue  # the grid is only a help
            for look in ("light", "dark"):
                ground = painted(self.figure.shapes[:place], shape, look)
                inks = [getattr(shape, look).get(part) for part in ("fill", "stroke")]
                found = max(contrast(ink, ground) for ink in inks if ink)
                self.assertGreaterEqual(found, READABLE if shape.shape == "text" else VISIBLE, f"{shape!r}, {look}")

    def test_nothing_is_painted_over_a_text_or_a_mark(self):
        for place, shape in enumerate(self.figure.shapes):
            if shape.shape in ("text", "circle", "polygon"):
                over = [one for one in self.figure.shapes[place + 1 :] if one.shape == "rect" and covers(one, shape)]
                self.assertEqual([], over, repr(shape))

    def test_samples_of_a_legend_differ_in_form_and_in_every_colour(self):
        looks = [sample.look for sample in self.legend.values()]
        for part in (FORM, *COLOURS):
            told = [look[part] for look in looks if look[part]]
            self.assertEqual(len(set(told)), len(told), looks)

    def test_whose_results_they_are_and_whose_name(self):
        self.assertEqual(f"{self.attribution()} {expected.UNENDORSED} {expected.TRADEMARK}", self.footer)

    def test_no_part_of_it_is_empty(self):
        lowest = 0
        for shape in sorted(self.figure.shapes[1:], key=lambda shape: shape.top):
            self.assertLess(shape.top - lowest, EMPTY, f"above {shape!r}")
            lowest = max(lowest, shape.bottom)
        self.assertLess(self.figure.height - lowest, EMPTY)

    @staticmethod
    def attribution() -> str:
        return expected.attribution()


def covers(under: Shape, shape: Shape) -> bool:
    """Return whether a rectangle lies under the middle of another shape."""
    across, down = (shape.left + shape.right) / 2, (shape.top + shape.bottom) / 2
    return under.left <= across <= under.right and under.top <= down <= under.bottom


def painted(shapes: list[Shape], shape: Shape, look: str) -> str:
    """Return the colour that is below the middle of a shape, from what was drawn before it."""
    ground = "#ffffff"
    for under in shapes:
        if under.shape == "rect" and covers(under, shape):
            style = getattr(under, look)
            ground = mixed(style["fill"], ground, float(style.get("fill-opacity", 1)))
    return ground
