"""What each figure shows: its rows, panels, bars and marks, with the percentages at which they stand by its own axes.

Every reader takes what it reads (``Figure.take``). Nothing is looked for by the name of its class: a row or a panel is
what lies below its heading, a line for 100% is one that is heavier than the thinnest, a kind is what its sample shows.
"""

from __future__ import annotations

from typing import Iterable, NamedTuple

from tests.again.figures import HALF_A_PIXEL, PERCENT, Figure, Misread, Scale, Shape, overlap, scale


class Bar(NamedTuple):
    """A bar: the words on it or right of it, how long it is by the axis, and its look."""

    words: str
    percent: float
    look: tuple


class Bars(NamedTuple):
    """The bars below a heading, from the top, and how far down they reach."""

    heading: str
    bars: list
    top: float
    bottom: float


class Grid(NamedTuple):
    """Parallel lines: at which percentages they stand, which of them are heavier, and from where to where they reach."""

    percents: list
    heavier: list
    start: float
    end: float


class Mark(NamedTuple):
    """A mark: its tooltip, its look, and where it stands across and up by the axes (None without an axis)."""

    label: str
    look: tuple
    across: float
    up: float | None


class Row(NamedTuple):
    """A row of marks: heading, grid, marks, medians, and the labels of its ends as (words, percentage)."""

    heading: str
    grid: Grid
    marks: list
    medians: list
    ends: list


class Panel(NamedTuple):
    """A panel: its headings, its two scales and grids, its marks, and the labels of the axis across and of the one up."""

    headings: list
    across: Scale
    up: Scale
    grid_across: Grid
    grid_up: Grid
    marks: list
    labels: tuple


class Span(NamedTuple):
    """A round of a model: its name, the words at the right, and least, median, greatest as percentages (or none)."""

    name: str
    words: str
    percents: tuple


def heads(figure: Figure, number: int) -> list[str]:
    """Take the uppermost texts that were not read yet, and return their words, from the top."""
    return [text.text for text in figure.take(sorted(figure.left_over("text"), key=lambda text: text.y)[:number])]


def within(shapes: Iterable[Shape], left: float, top: float, right: float, bottom: float) -> list[Shape]:
    """Return the shapes that lie in a box as a whole."""
    edge = HALF_A_PIXEL
    return [
        shape for shape in shapes
        if shape.left >= left - edge and shape.top >= top - edge and shape.right <= right + edge and shape.bottom <= bottom + edge
    ]  # fmt: skip


def drawn(figure: Figure, *kinds: str) -> list[Shape]:
    """Return the shapes of some kinds that were not read yet, without what the figure is painted on."""
    return [shape for kind in kinds for shape in figure.left_over(kind) if shape is not figure.background]


def across_scale(ticks: list[Shape]) -> Scale:
    """Return the scale of labels side by side, each at the place where it is anchored."""
    return scale(sorted(((tick.text, tick.x) for tick in ticks), key=lambda tick: tick[1]))


def grid(figure: Figure, lines: list[Shape], axis: Scale) -> Grid:
    """Take parallel lines, which reach equally far, and return the grid that they make on an axis."""
    if not lines:
        raise Misread("there is no grid")
    lines, upright = figure.take(lines), lines[0].is_upright
    reach = {(line.top, line.bottom) if line.is_upright else (line.left, line.right) for line in lines}
    if len(reach) > 1 or {line.is_upright for line in lines} != {upright}:
        raise Misread(f"lines that make no grid: {lines}")
    thinnest = min(line.weight for line in lines)
    places = [(axis.percent(line.x if upright else line.y), line.weight > thinnest) for line in lines]
    return Grid(sorted(at for at, _ in places), sorted(at for at, heavy in places if heavy), *reach.pop())


def read_bars(figure: Figure) -> tuple[Scale, Grid, list[Bars], list[float]]:
    """Read a bar chart with headings above its bars: its axis, its grid, the bars, and where lines part them."""
    ticks = figure.take(figure.ticks())
    axis = across_scale(ticks)
    bars = sorted(drawn(figure, "rect"), key=lambda bar: bar.top)
    upright = [line for line in drawn(figure, "line") if line.is_upright]
    parting = [line.y for line in figure.take(line for line in drawn(figure, "line") if not line.is_upright)]
    headings = figure.take(text for text in figure.left_over("text") if " · rows " in text.text)
    found = []
    for heading, below in zip(headings, [*headings[1:], None]):
        lowest = below.top if below else figure.height
        mine = [bar for bar in bars if heading.y < bar.top and bar.bottom < lowest]
        found.append(Bars(heading.text, [read_bar(figure, bar, axis) for bar in mine], heading.top, mine[-1].bottom))
        figure.take(mine)
    return axis, grid(figure, upright, axis), found, parting


def read_bar(figure: Figure, bar: Shape, axis: Scale) -> Bar:
    """Take the one text on a bar or right beside it; the bar has to begin at 0% and may cover no other."""
    texts = [t for t in figure.left_over("text") if bar.top < t.middle < bar.bottom and t.y < bar.bottom]
    beside = [t for t in texts if bar.left <= t.left and (t.right <= bar.right or 0 < t.left - bar.right < 12)]
    others = [other for other in drawn(figure, "rect") if other is not bar and overlap(other, bar)]
    if others or len(beside) != 1 or len(texts) != 1 or abs(axis.at(0) - bar.left) > HALF_A_PIXEL:
        raise Misread(f"{bar!r} has the labels {texts}, covers {others}, begins at {axis.percent(bar.left):.2f}%")
    return Bar(figure.take(beside)[0].text, axis.percent(bar.right), bar.look)


def read_rows(figure: Figure, median: tuple) -> tuple[list[Scale], list[Row]]:
    """Read rows of marks below their headings: the scales above and below, and the rows; ``median`` is a line's look."""
    ticks, axes = figure.take(figure.ticks()), []
    for height in sorted({tick.y for tick in ticks}):
        axes.append(across_scale([tick for tick in ticks if tick.y == height]))
    headings = figure.take(text for text in figure.left_over("text") if " · median " in text.text)
    rows = []
    for heading, below in zip(headings, [*headings[1:], None]):
        box = (0, heading.y, figure.width, below.top if below else figure.height)
        lines = within(drawn(figure, "line"), *box)
        medians = figure.take(line for line in lines if line.look == median)
        ruled = grid(figure, [line for line in lines if line.look != median], axes[0])
        marks = figure.take(within(drawn(figure, "circle", "polygon"), 0, ruled.start, figure.width, ruled.end))
        if {(line.top, line.bottom) for line in medians} != {(ruled.start, ruled.end)}:
            raise Misread(f"the median of {heading.text} is not as high as the grid")
        ends = figure.take(text for text in within(figure.left_over("text"), *box) if text.top - ruled.end < 16)
        rows.append(Row(
            heading.text, ruled, [Mark(mark.label, mark.look, axes[0].percent(mark.x), None) for mark in marks],
            [axes[0].percent(line.x) for line in medians], [(end.text, axes[0].percent(end.x)) for end in ends],
        ))  # fmt: skip
    return axes, rows


def read_panels(figure: Figure) -> list[Panel]:
    """Read panels side by side and below each other, each with a heading, a line below that, and axes of its own."""
    headings = [text for text in figure.left_over("text") if " · " in text.text]
    panels = []
    for heading in sorted(headings, key=lambda heading: (heading.y, heading.left)):
        right = min(
            [other.left for other in headings if other.y == heading.y and other.left > heading.left],
            default=figure.width,
        )
        lowest = min([other.top for other in headings if other.y > heading.y], default=figure.height)
        panels.append(read_panel(figure, (heading.left, heading.top, right, lowest)))
    return panels


def read_panel(figure: Figure, box: tuple) -> Panel:
    """Read a panel that lies in a box: labels left of its grid are of the axis up, labels below it of the axis across."""
    lines, texts = within(drawn(figure, "line"), *box), within(figure.left_over("text"), *box)
    left, lowest = (pick(getattr(line, side) for line in lines) for pick, side in ((min, "left"), (max, "bottom")))
    ticks = [text for text in texts if PERCENT.fullmatch(text.text)]
    below = figure.take(tick for tick in ticks if 0 < tick.top - lowest < 12)
    beside = figure.take(tick for tick in ticks if 0 < left - tick.right < 12)
    across = across_scale(below)
    up = scale(sorted(((tick.text, tick.middle) for tick in beside), key=lambda tick: -tick[1]))
    upright = [line for line in lines if line.is_upright]
    grids = grid(figure, upright, across), grid(figure, [line for line in lines if line not in upright], up)
    plot = (grids[1].start, grids[0].start, grids[1].end, grids[0].end)
    marks = figure.take(shape for shape in drawn(figure, "circle", "polygon") if centred(shape, plot))
    found = [Mark(mark.label, mark.look, across.percent(mark.x), up.percent(mark.y)) for mark in marks]
    words = [text.text for text in figure.take(text for text in texts if text not in ticks and text.bottom < plot[1])]
    return Panel(words, across, up, *grids, found, tuple([tick.text for tick in ticks] for ticks in (below, beside)))


def centred(shape: Shape, plot: tuple) -> bool:
    """Return whether the middle of a shape lies in a plot, or on its edge."""
    return plot[0] <= shape.x <= plot[2] and plot[1] <= shape.y <= plot[3]


def read_spans(figure: Figure) -> tuple[Scale, Grid, dict[str, list[Span]]]:
    """Read bars that span from a least to a greatest value, grouped below the names at the far left, with a median line."""
    axis = across_scale(figure.take(figure.ticks()))
    bars, lines = drawn(figure, "rect"), drawn(figure, "line")
    tallest = max(line.bottom - line.top for line in lines)
    ruled = grid(figure, one_each(figure, [line for line in lines if line.bottom - line.top == tallest]), axis)
    names = [text for text in figure.left_over("text") if text.get("text-anchor") == "end"]
    groups: dict[str, list[Span]] = {}
    for name in figure.take(sorted(names, key=lambda name: name.y)):
        level = [text for text in figure.left_over("text") if text.y == name.y]
        for heading in figure.take(text for text in level if text.right < name.left):
            groups[heading.text] = []
        (words,) = figure.take(text for text in level if text.left > name.right)
        if not name.right < axis.start < axis.end < words.left:
            raise Misread(f"{name!r} and {words!r} do not stand left and right of the axis")
        mine = figure.take(bar for bar in bars if bar.top < name.middle < bar.bottom)
        medians = figure.take(line for line in drawn(figure, "line") if line.top < name.middle < line.bottom)
        edges = [axis.percent(place) for bar in mine for place in (bar.left, bar.right)]
        groups[list(groups)[-1]].append(
            Span(name.text, words.text, (edges, [axis.percent(line.x) for line in medians]))
        )
    return axis, ruled, groups


def one_each(figure: Figure, lines: list[Shape]) -> list[Shape]:
    """Return upright lines without those that a heavier one covers, which count as read."""
    covered = [line for line in lines if any(other.x == line.x and other.weight > line.weight for other in lines)]
    figure.take(covered)
    return [line for line in lines if line not in covered]
