"""Read a figure back as one who looks at it: its texts, marks, lines and bars, what they look like, and its scales.

Nothing of the code that draws is used here. A place becomes a value only through the labels of an axis (``Scale``), a
kind of mark only through the legend. Whoever reads a shape takes it, so that ``Figure.unread`` tells what nobody read.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from typing import Iterable, NamedTuple

SVG = "{http://www.w3.org/2000/svg}"
HALF_A_PIXEL = 0.5
WIDTH_OF_A_LETTER = 0.56  # of the size of its font: a wide sans-serif's average
MIDDLE_OF_A_DIGIT = 0.35  # of the size of its font, above the line that it stands on
# What a shape may have. Whatever else it had (a transform, a colour of its own) would change what is seen.
ATTRIBUTES = {
    "text": {"x", "y", "class", "text-anchor"},
    "line": {"x1", "y1", "x2", "y2", "class"},
    "rect": {"x", "y", "width", "height", "class"},
    "circle": {"cx", "cy", "r", "class"},
    "polygon": {"points", "class"},
}
SIDES = {None: 0, "start": 0, "middle": 0.5, "end": 1}  # how much of a text is left of where it is anchored
PAINT = ("fill", "fill-opacity", "stroke", "stroke-width")
FORM, COLOURS = 0, (1, 3, 5, 7)  # where a look has its form, and its fill and stroke in the light and in the dark
PERCENT = re.compile(r"(-?[0-9]+)%")


class Misread(AssertionError):
    """What a figure does not show, or not once."""


class Shape:
    """A drawn element: its kind, box, centre, words or tooltip, and its look in the light and in the dark.

    A text's ``x`` is where it is anchored, and its ``y`` the line that its letters stand on.
    """

    def __init__(self, element: ElementTree.Element, styles: tuple[dict, dict]):
        self.get = element.get
        self.shape = element.tag.removeprefix(SVG)
        self.text = (element.text or "") if self.shape == "text" else ""
        self.label = element.findtext(f"{SVG}title")
        self.class_ = element.get("class", "")
        self.light, self.dark = (
            {k: v for c in rules if c in self.class_.split() for k, v in rules[c].items()} for rules in styles
        )
        self.left, self.top, self.right, self.bottom = self._box()
        self.x, self.y = (self.left + self.right) / 2, (self.top + self.bottom) / 2
        if self.shape == "text":
            self.x, self.y = self._numbers("x", "y")
        self.radius = (self.right - self.left) / 2
        self.unknown = sorted(set(element.keys()) - ATTRIBUTES.get(self.shape, set()))
        self.unknown += [child.tag for child in element if child.tag != f"{SVG}title" or child.attrib or len(child)]

    def _numbers(self, *names: str) -> list[float]:
        return [float(self.get(name)) for name in names]

    def _box(self) -> tuple[float, float, float, float]:
        if self.shape == "text":
            (x, y), width = self._numbers("x", "y"), WIDTH_OF_A_LETTER * self.size * len(self.text)
            left = x - SIDES[self.get("text-anchor")] * width
            return left, y - 0.75 * self.size, left + width, y + 0.2 * self.size
        if self.shape == "rect":
            x, y, width, height = self._numbers("x", "y", "width", "height")
            return x, y, x + width, y + height
        if self.shape == "circle":
            x, y, radius = self._numbers("cx", "cy", "r")
            return x - radius, y - radius, x + radius, y + radius
        if self.shape == "line":
            (x1, x2), (y1, y2) = sorted(self._numbers("x1", "x2")), sorted(self._numbers("y1", "y2"))
            return x1, y1, x2, y2
        if self.shape == "polygon":
            across, down = zip(*(map(float, corner.split(",")) for corner in self.get("points").split()))
            return min(across), min(down), max(across), max(down)
        raise Misread(f"<{self.shape}> is no shape that can be read")

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom; of a text about so."""
        return self.left, self.top, self.right, self.bottom

    @property
    def size(self) -> float:
        """The size of a text's font, in pixels."""
        return float(self.light["font-size"].removesuffix("px"))

    @property
    def middle(self) -> float:
        """How far down the digits of a text have their middle."""
        return self.y - MIDDLE_OF_A_DIGIT * self.size

    @property
    def look(self) -> tuple:
        """What tells a kind of mark from another: its form, and its colours in the light and in the dark."""
        form = len(self.get("points").split()) if self.shape == "polygon" else self.shape
        return form, *(style.get(part) for style in (self.light, self.dark) for part in PAINT)

    @property
    def weight(self) -> float:
        """How wide a line is drawn."""
        return float(self.light["stroke-width"])

    @property
    def is_upright(self) -> bool:
        """Whether it is a line from above to below."""
        return self.shape == "line" and self.left == self.right

    def __repr__(self) -> str:
        return self.text or self.label or f"{self.shape} of {self.class_} at {self.x:g}, {self.y:g}"


class Figure:
    """A parsed figure, and which of its shapes were read."""

    def __init__(self, raw: bytes):
        self.raw = raw
        self.root = ElementTree.fromstring(raw)
        self.width, self.height = (float(self.root.get(name)) for name in ("width", "height"))
        self.title, self.description = (self.root.findtext(f"{SVG}{tag}") for tag in ("title", "desc"))
        told = {f"{SVG}{tag}" for tag in ("title", "desc", "style")}
        self.styles = styles(self.root.findtext(f"{SVG}style") or "")
        self.shapes = [Shape(element, self.styles) for element in self.root if element.tag not in told]
        self.background, self.taken = self.shapes[0], set()
        self.texts = [shape for shape in self.shapes if shape.shape == "text"]
        self.words = [text.text for text in self.texts]
        self.marks = [shape for shape in self.shapes if shape.label is not None]

    def lines(self, class_: str) -> list[Shape]:
        """Return the lines of a class."""
        return [shape for shape in self.shapes if shape.shape == "line" and shape.class_ == class_]

    def take(self, shapes: Iterable[Shape]) -> list[Shape]:
        """Return shapes, which count as read from now on; none may be read twice."""
        found = list(shapes)
        again = [shape for shape in found if id(shape) in self.taken]
        if again:
            raise Misread(f"read twice: {again}")
        self.taken.update(map(id, found))
        return found

    def left_over(self, shape: str) -> list[Shape]:
        """Return what was not read yet of a kind of shape, in the order of drawing."""
        return [one for one in self.shapes if one.shape == shape and id(one) not in self.taken]

    def said(self, pattern: str) -> Shape:
        """Take the one text that fits a pattern as a whole, and return it."""
        found = [text for text in self.left_over("text") if re.fullmatch(pattern, text.text)]
        if len(found) != 1:
            raise Misread(f"{pattern!r} stands {len(found)} times")
        return self.take(found)[0]

    def ticks(self, inside: Iterable[Shape] | None = None) -> list[Shape]:
        """Return the labels of axes that were not read yet, of the whole figure or of some texts."""
        texts = self.left_over("text") if inside is None else inside
        return [text for text in texts if PERCENT.fullmatch(text.text)]

    def legend(self) -> dict[str, Shape]:
        """Take each sample of a legend with the words right of it: a mark without a tooltip, or a short line."""
        found = {}
        for shape in self.shapes:
            is_sample = shape.shape in ("circle", "polygon") and shape.label is None
            if not is_sample and not (shape.is_upright and shape.bottom - shape.top < 20):
                continue
            beside = [
                t for t in self.left_over("text") if 0 < t.left - shape.right < 16 and abs(t.middle - shape.y) < 4
            ]
            if len(beside) == 1 and shape not in self.take([shape, *beside])[1:]:
                found[beside[0].text] = shape
        return found

    def footer(self) -> str:
        """Take the lowest lines, from the one that begins with the registered name, and return them as one text."""
        first = next((text for text in self.texts if text.text.startswith("MLPerf®")), None)
        if first is None:
            raise Misread("the name with its sign begins no line")
        lines = self.take(text for text in self.left_over("text") if text.y >= first.y)
        apart = {round(lower.y - upper.y, 2) for upper, lower in zip(lines, lines[1:])}
        if len(apart) > 1 or {line.x for line in lines} != {first.x} or min(apart, default=99) < first.size:
            raise Misread(f"lines of the footer are not below each other: {lines}")
        return " ".join(line.text for line in lines)

    def unread(self) -> list[str]:
        """Return what nobody took, and what no reader of this kind would see."""
        told = ["title", "desc", "style"]
        heads = [element.tag.removeprefix(SVG) for element in self.root[:3]]
        found = [] if heads == told else [f"begins with {heads}"]
        found += [f"style: {rule}" for rule in unread_rules(self.root.findtext(f"{SVG}style") or "")]
        found += [f"{shape!r} has {shape.unknown}" for shape in self.shapes if shape.unknown]
        return found + [repr(shape) for shape in self.shapes[1:] if id(shape) not in self.taken]

    def problems(self) -> list[str]:
        """Return which texts overlap each other or a mark, or leave the figure, and what is not a picture at rest."""
        inside = [text for text in self.texts if text.left >= 0 and text.top >= 0]
        inside = [text for text in inside if text.right <= self.width and text.bottom <= self.height]
        found = [f"{text.text} leaves the figure" for text in self.texts if text not in inside]
        solid = self.texts + self.marks
        for position, text in enumerate(self.texts):
            found += [f"{text!r} over {other!r}" for other in solid[position + 1 :] if overlap(text, other)]
        tags = {element.tag.removeprefix(SVG) for element in self.root.iter()}
        found += sorted(tags - {"svg", "title", "desc", "style", *ATTRIBUTES})
        if re.search(rb"href|url\(|@import|<script|\bon[a-z]+=", self.raw):
            found.append("a reference or a script")
        return found


def overlap(one: Shape, other: Shape) -> bool:
    """Return whether two boxes have a place in common."""
    return one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom


class Scale(NamedTuple):
    """Percentages as places along a line, as the labels of an axis have it."""

    least: float
    start: float
    most: float
    end: float

    def at(self, percent: float) -> float:
        """Return the coordinate of a percentage."""
        return self.start + (percent - self.least) / (self.most - self.least) * (self.end - self.start)

    def percent(self, place: float) -> float:
        """Return the percentage at a coordinate."""
        return self.least + (place - self.start) / (self.end - self.start) * (self.most - self.least)


def scale(ticks: list[tuple[str, float]]) -> Scale:
    """Return the scale that ticks make (label such as '40%', coordinate); raises Misread unless all lie on one line."""
    values = [(float(PERCENT.fullmatch(label)[1]), place) for label, place in ticks]
    found = Scale(*values[0], *values[-1])
    off = [label for (label, place), (value, _) in zip(ticks, values) if abs(found.at(value) - place) > HALF_A_PIXEL]
    if off or sorted(set(values)) != values:
        raise Misread(f"labels that make no even axis: {ticks}")
    return found


RULE = re.compile(r"\.([a-z-]+)\{([^{}]*)\}")
DARK = "@media (prefers-color-scheme:dark){"


def styles(sheet: str) -> tuple[dict, dict]:
    """Return class -> property -> value, in the light and in the dark."""
    light, _, dark = sheet.partition(DARK)
    of_light, of_dark = (
        {c: dict(p.split(":", 1) for p in body.split(";")) for c, body in RULE.findall(part)} for part in (light, dark)
    )
    return of_light, {name: {**of_light.get(name, {}), **of_dark.get(name, {})} for name in {**of_light, **of_dark}}


def unread_rules(sheet: str) -> list[str]:
    """Return what is left of a style sheet without the rules that ``styles`` understands."""
    return [part for part in RULE.sub("", sheet.replace(DARK, "", 1)).split() if part != "}"]


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours such as '#1b1f24', 1 to 21, as WCAG 2 defines it."""
    darker, lighter = sorted(map(luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, 0 to 1, as WCAG 2 defines it."""
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def mixed(colour: str, ground: str, opacity: float) -> str:
    """Return the colour that comes of painting a ground with another colour of an opacity, 0 to 1."""
    shares = [(int(colour[at : at + 2], 16), int(ground[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(opacity * over + (1 - opacity) * under):02x}" for over, under in shares)
