"""The outputs as a reader sees them: headings, paragraphs, tables and figures of a page, tables of a Markdown text, and
what a notebook's cells put out. Read with the standard library alone, with no code of the product.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from html.parser import HTMLParser
from typing import NamedTuple

from tests.again.released import root

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
HEADINGS = ("h1", "h2", "h3", "h4")
TEXTS = ("p", "li", "figcaption", "pre", "label")
UNSEEN = ("style", "script", "title", "head")


class Cell(str):
    """What a cell of a table says; ``value`` is the number that it carries for sorting, as text, or None."""

    value = None


class Table(NamedTuple):
    """A table: its caption, its headings, its rows of Cells, and the heading (text and id) of the section it stands in."""

    id: str
    caption: str
    header: list
    rows: list
    section: str
    section_id: str

    def column(self, heading: str) -> list:
        """Return the cells below a heading, from the top."""
        at = self.header.index(heading)
        return [row[at] for row in self.rows]

    def by_label(self) -> dict:
        """Return row label -> heading -> cell, for a table whose first column names each row once."""
        return {row[0]: dict(zip(self.header, row)) for row in self.rows}


class Block(NamedTuple):
    """A heading, a paragraph, an item of a list or the like: its tag, text, section's heading and its id, in page order."""

    tag: str
    text: str
    section: str
    section_id: str


class Figure(NamedTuple):
    """A figure: its caption, its SVG as text, and the section it stands in."""

    caption: str
    svg: str
    section: str
    section_id: str


class Page(HTMLParser):
    """A page that was fed its HTML: ``title``, ``blocks``, ``tables``, ``figures``, ``links`` in the order of the page."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.title, self.blocks, self.tables, self.figures, self.links = "", [], [], [], []
        self.source, self.lines = text, text.split("\n")
        self.open: list = []  # of (tag, attributes, pieces of text)
        self.section = ("", "")
        self.svg_from, self.svgs = 0, []
        self.table: dict = {}
        self.feed(text)
        self.close()

    def at(self) -> int:
        """Return where in the text the parser stands."""
        line, column = self.getpos()
        return sum(len(one) + 1 for one in self.lines[: line - 1]) + column

    def inside(self, *tags: str) -> bool:
        """Tell whether one of these tags is open."""
        return any(tag in tags for tag, _, _ in self.open)

    def handle_starttag(self, tag, attributes):
        if tag == "svg" and not self.inside("svg"):
            self.svg_from = self.at()
        if tag not in VOID:
            self.open.append((tag, dict(attributes), []))
        if tag == "table":
            self.table = {"id": dict(attributes).get("id", ""), "caption": "", "header": [], "rows": []}
        if tag == "tr":
            self.table["rows"].append([])

    def handle_data(self, data):
        if self.inside("svg"):
            return
        for _, _, pieces in self.open:
            pieces.append(data)

    def handle_endtag(self, tag):
        while self.open:
            name, attributes, pieces = self.open.pop()
            self.closed(name, attributes, re.sub(r"[ \n]+", " ", "".join(pieces)).strip(" "), "".join(pieces))
            if name == tag:
                return

    def closed(self, tag: str, attributes: dict, text: str, as_it_is: str) -> None:
        """Take in an element that ended, with its text."""
        if tag in HEADINGS:
            self.section = (text, attributes.get("id", ""))
        if tag == "title" and not self.inside("svg"):
            self.title = text
        if tag == "a" and "href" in attributes:
            self.links.append((attributes["href"], text))
        if tag == "svg" and not self.inside("svg"):
            self.svgs.append(self.source[self.svg_from : self.at()] + "</svg>")
        if tag == "caption":
            self.table["caption"] = text
        elif tag in ("td", "th") and self.table:
            self.cell(text, attributes.get("data-value"))
        elif tag == "table":
            self.end_of_table()
        elif tag == "figure":
            self.figures.append(Figure(self.blocks[-1].text, self.svgs[-1], *self.section))
        elif (tag in TEXTS or tag in HEADINGS) and not self.inside("table", "svg", *UNSEEN):
            self.blocks.append(Block(tag, as_it_is.strip("\n") if tag == "pre" else text, *self.section))

    def cell(self, text: str, value: str | None) -> None:
        """Take in a cell of the table that is open."""
        cell = Cell(text)
        cell.value = value
        self.table["rows"][-1].append(cell)

    def end_of_table(self) -> None:
        """Take in the table that is open; its first row is its header."""
        header, *rows = self.table.pop("rows")
        self.tables.append(Table(**{**self.table, "header": list(header), "rows": rows}, section=self.section[0],
                                 section_id=self.section[1]))  # fmt: skip
        self.table = {}


@lru_cache(maxsize=None)
def page(name: str = "article.html") -> Page:
    """Return a page of the bundle that is read."""
    return Page((root() / name).read_text(encoding="utf-8"))


def markdown_tables(text: str) -> list:
    """Return the tables of a Markdown text; a table's caption is the last heading above it."""
    found, heading, lines = [], "", []
    for line in [*text.split("\n"), ""]:
        if line.startswith("|"):
            lines.append([Cell(cell.strip()) for cell in line.strip("|").split("|")])
            continue
        if lines:
            found.append(Table("", heading, list(lines[0]), lines[2:], heading, ""))
            lines = []
        if re.match(r"#+ ", line):
            heading = line.lstrip("# ")
    return found


@lru_cache(maxsize=None)
def readme() -> str:
    """Return the README of the bundle that is read."""
    return (root() / "README.md").read_text(encoding="utf-8")


class CellOfNotebook(NamedTuple):
    """A cell of code: the heading above it, its source, the text that it printed, and the data of what it returned."""

    heading: str
    source: str
    printed: str
    data: dict


@lru_cache(maxsize=None)
def notebook_cells() -> tuple:
    """Return the cells of code of analysis.ipynb, in order."""
    found, heading = [], ""
    for cell in json.loads((root() / "analysis.ipynb").read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            heading = next(iter(re.findall(r"^#+ (.*)$", source, re.MULTILINE)), heading)
            continue
        outputs = cell["outputs"]
        printed = "".join("".join(one.get("text", "")) for one in outputs)
        data = {kind: "".join(text) for one in outputs for kind, text in one.get("data", {}).items()}
        found.append(CellOfNotebook(heading, source, printed, data))
    return tuple(found)
