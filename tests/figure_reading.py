"""Reading a figure back, for the tests of the scripts that draw: its texts, marks and tooltips, and an axis by its ticks."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"


class Mark:
    """A mark with a tooltip: its shape, class, centre and half its width."""

    def __init__(self, shape: ElementTree.Element):
        self.shape = shape.tag.removeprefix(SVG)
        self.class_ = shape.get("class")
        self.label = shape.find(f"{SVG}title").text
        if self.shape == "circle":
            self.x, self.y, self.radius = (float(shape.get(name)) for name in ("cx", "cy", "r"))
        else:
            corners = [tuple(map(float, corner.split(","))) for corner in shape.get("points").split(" ")]
            self.x, self.y = (sum(values) / len(corners) for values in zip(*corners))
            self.radius = max(x for x, _ in corners) - self.x


class Figure:
    """A parsed figure."""

    def __init__(self, raw: bytes):
        self.raw = raw
        self.root = ElementTree.fromstring(raw)
        self.width, self.height = (float(self.root.get(name)) for name in ("width", "height"))
        self.title = self.root.findtext(f"{SVG}title")
        self.description = self.root.findtext(f"{SVG}desc")
        self.texts = list(self.root.iter(f"{SVG}text"))
        self.words = [text.text for text in self.texts]
        self.marks = [
            Mark(shape)
            for shape in self.root.iter()
            if shape.tag in (f"{SVG}circle", f"{SVG}polygon") and shape.find(f"{SVG}title") is not None
        ]

    def lines(self, class_: str) -> list[ElementTree.Element]:
        """Return the lines of a class."""
        return [line for line in self.root.iter(f"{SVG}line") if line.get("class") == class_]

    def box(self, text: ElementTree.Element) -> tuple[float, float, float, float]:
        """Return (left, top, right, bottom) of a text, at 0.56 of its size a letter: a wide sans-serif's average."""
        size = 12 if "fig-small" in text.get("class") else 14
        width = 0.56 * size * len(text.text)
        left = float(text.get("x")) - {"middle": width / 2, "end": width}.get(text.get("text-anchor"), 0)
        bottom = float(text.get("y"))
        return left, bottom - 0.75 * size, left + width, bottom + 0.2 * size

    def problems(self) -> list[str]:
        """Return which texts overlap each other or a mark, or leave the figure, and what is not a picture at rest."""
        boxes = [(text.text, self.box(text)) for text in self.texts]
        found = [
            f"{name} leaves the figure"
            for name, (left, top, right, bottom) in boxes
            if left < 0 or top < 0 or right > self.width or bottom > self.height
        ]
        boxes += [
            (mark.label, (mark.x - mark.radius, mark.y - mark.radius, mark.x + mark.radius, mark.y + mark.radius))
            for mark in self.marks
        ]
        texts = len(self.texts)
        for first in range(texts):
            for second in range(first + 1, len(boxes)):
                if _overlap(boxes[first][1], boxes[second][1]):
                    found.append(f"{boxes[first][0]} over {boxes[second][0]}")
        tags = {element.tag.removeprefix(SVG) for element in self.root.iter()}
        found += sorted(tags - {"svg", "title", "desc", "style", "rect", "line", "circle", "polygon", "text"})
        if re.search(rb"href|url\(|@import|<script|\bon[a-z]+=", self.raw):
            found.append("a reference or a script")
        return found


def _overlap(one: tuple, other: tuple) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def scale(ticks: list[tuple[str, float]]):
    """Return the function from a percentage to a coordinate that ticks (label such as '40%', coordinate) make."""
    (first, start), (last, end) = ticks[0], ticks[-1]
    low, high = float(first.rstrip("%")), float(last.rstrip("%"))
    return lambda percent: start + (percent - low) / (high - low) * (end - start)
