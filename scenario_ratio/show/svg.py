"""What the figures have in common: the frame, the styles for light and dark, text and shapes.

A figure paints its own background, so that it can be read on any page; it holds no script and no reference to
anything outside itself. Coordinates are in user units (pixels at 100%).
"""

from __future__ import annotations

import itertools
import math
import textwrap
from typing import NamedTuple

from scenario_ratio import wording
from scenario_ratio.show.markup import Markup, block, element, empty

WIDTH = 800  # of every figure
LEADING = 17  # from line to line of a paragraph
MARGIN = 13  # below the last line of a figure, besides its leading
# Blue and orange differ for every kind of colour vision, and in lightness; grey carries the reference.
STYLE = """
.fig-back{fill:#ffffff}
.fig-text{fill:#1b1f24;font-family:system-ui,-apple-system,"Segoe UI",sans-serif;font-size:14px}
.fig-strong{font-weight:600}
.fig-small{font-size:12px}
.fig-on{fill:#ffffff}
.fig-muted{fill:#4f5862}
.fig-line{stroke:#c4cad1;stroke-width:1}
.fig-axis{stroke:#1b1f24;stroke-width:1.5}
.fig-reference{fill:#d3d8de;stroke:#7b858f;stroke-width:1}
.fig-server{fill:#0067a3}
.fig-apart{fill:#b34700}
.fig-mark{fill:#0067a3;fill-opacity:.55;stroke:#0067a3;stroke-width:1}
.fig-other{fill:#b34700;fill-opacity:.55;stroke:#b34700;stroke-width:1}
.fig-median{stroke:#1b1f24;stroke-width:2}
@media (prefers-color-scheme:dark){
.fig-back{fill:#14181d}
.fig-text{fill:#eceff2}
.fig-muted{fill:#aeb7c0}
.fig-on{fill:#10141a}
.fig-line{stroke:#3a424b}
.fig-axis{stroke:#eceff2}
.fig-reference{fill:#3a424b;stroke:#8d97a1}
.fig-server{fill:#4fb0ec}
.fig-apart{fill:#ff9a4d}
.fig-mark{fill:#4fb0ec;stroke:#4fb0ec}
.fig-other{fill:#ff9a4d;stroke:#ff9a4d}
.fig-median{stroke:#eceff2}
}
"""


def document(name: str, height: int, what: str, rounds: str, description: str, body: list[Markup]) -> bytes:
    """Return a whole SVG file that shows ``what`` of ``rounds``; ``name`` makes its ids unique on a shared page."""
    root = block(
        "svg",
        element("title", f"{what}, {wording.BENCHMARK} Inference {rounds}", id=f"{name}-title"),
        element("desc", description, id=f"{name}-description"),
        element("style", Markup(STYLE)),
        rect(0, 0, WIDTH, height, "fig-back"),
        *body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {height}",
        width=WIDTH,
        height=height,
        role="img",
        aria_labelledby=f"{name}-title {name}-description",
    )
    return (root + "\n").encode("utf-8")


def number(value: float) -> str:
    """Return a coordinate with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def text(x: float, y: float, content: object, classes: str = "", anchor: str | None = None) -> Markup:
    """Return one line of text that starts at (x, y), or is anchored there by its 'middle' or 'end'."""
    return element("text", content, x=number(x), y=number(y), class_=f"fig-text {classes}".strip(), text_anchor=anchor)


def rect(x: float, y: float, width: float, height: float, class_: str) -> Markup:
    """Return a rectangle."""
    return empty("rect", x=number(x), y=number(y), width=number(width), height=number(height), class_=class_)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """Return a straight line."""
    return empty("line", x1=number(x1), y1=number(y1), x2=number(x2), y2=number(y2), class_=class_)


def circle(x: float, y: float, radius: float, class_: str, label: str | None = None) -> Markup:
    """Return a round mark, with ``label`` as its tooltip and name."""
    return _mark("circle", label, cx=number(x), cy=number(y), r=number(radius), class_=class_)


def diamond(x: float, y: float, radius: float, class_: str, label: str | None = None) -> Markup:
    """Return a mark with four corners, as high and wide as a circle of that radius, with ``label`` as its tooltip."""
    corners = ((x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y))
    points = " ".join(f"{number(across)},{number(down)}" for across, down in corners)
    return _mark("polygon", label, points=points, class_=class_)


def _mark(tag: str, label: str | None, **attributes: str) -> Markup:
    return element(tag, element("title", label), **attributes) if label else empty(tag, **attributes)


class Tick(NamedTuple):
    """A tick: its coordinate, its label, its line's class (heavier at 100%), whether it is that or every second from it."""

    at: float
    label: str
    class_: str
    is_second: bool


class Axis(NamedTuple):
    """Ratios as places along a line, between two ticks: their numbers from zero, what a tick is worth, where both lie."""

    low: int
    high: int
    step: float
    start: float
    end: float

    def at(self, ratio: float) -> float:
        """Return the coordinate of a ratio."""
        return self.start + (ratio / self.step - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[Tick]:
        """Return every tick, in ascending order of ratios."""
        whole = round(1 / self.step)  # the number of the tick at 100%, if there is one
        ticks = []
        for number in range(self.low, self.high + 1):
            share = number * self.step
            class_ = "fig-axis" if math.isclose(share, 1) else "fig-line"
            ticks.append(Tick(self.at(share), f"{share:.0%}", class_, (number - whole) % 2 == 0))
        return ticks


def axis(ratios: list[float], start: float, end: float, room: int) -> Axis:
    """Return the axis from ``start`` to ``end`` that holds all ratios and 1, with about ``room`` ticks or fewer.

    A tick is worth 0.1, 0.2, 0.5, 1, 2, 5, 10 and so on.
    """
    least, most = min([1.0, *ratios]), max([1.0, *ratios])
    steps = (factor * 10.0**power for power in itertools.count(-1) for factor in (1, 2, 5))
    step = next(step for step in steps if step >= (most - least) / room)
    low, high = math.floor(least / step), math.ceil(most / step)
    return Axis(low, high + (low == high), step, start, end)


def paragraph(x: float, y: float, content: str, characters: int, classes: str = "") -> list[Markup]:
    """Return ``content`` as lines of text of at most so many characters, LEADING units apart, broken at blanks."""
    lines = textwrap.wrap(content, characters, break_long_words=False, break_on_hyphens=False)
    return [text(x, y + LEADING * position, line, classes) for position, line in enumerate(lines)]


def footer(x: float, y: float, results: dict) -> list[Markup]:
    """Return the last paragraph of a figure: whose results it shows, and the notices, since a figure is copied alone."""
    return paragraph(x, y, f"{wording.attribution(results)} {wording.NOTICE}", 108, "fig-small fig-muted")


def end(y: float, lines: list[Markup]) -> int:
    """Return the height of a figure whose footer's first line is at ``y``."""
    return int(y + LEADING * len(lines) + MARGIN)


def label(pair: dict) -> str:
    """Return what the mark of a pair is called."""
    return f"{pair['submitter']} · {pair['platform']} · rows {wording.rows(pair)}: {wording.percent(pair['ratio'])}"


def shortened(content: str, characters: int) -> str:
    """Return ``content`` cut to a number of characters, with an ellipsis where it was cut."""
    return content if len(content) <= characters else content[: characters - 1] + "…"
