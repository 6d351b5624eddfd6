"""What a reader reads from top to bottom, and how it is compared with what must be said, block by block.

A block is a heading, a paragraph, an item of a list, a caption, a table (by its caption) or the like, without markup. What
must be said is a list of blocks in the order of the page. One that holds a fact is rebuilt word for word from the
second computation; one that holds none is Known.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from html import unescape
from itertools import zip_longest
from typing import NamedTuple

from tests.again.pages import HEADINGS, TEXTS, UNSEEN, Page
from tests.again.released import root

NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
ORDINALS = ["zeroth", "first", "second", "third", "fourth", "fifth", "sixth"]


class Read(NamedTuple):
    """A block as it is read: what kind it is (an HTML tag, or 'table', 'text', 'link', 'cell'), and its words."""

    kind: str
    text: str


class Known(NamedTuple):
    """A text that says nothing that the data could contradict: how it begins, the start of its SHA-256, and what it is."""

    beginning: str
    digest: str
    reason: str

    def __eq__(self, text: object) -> bool:
        return text.startswith(self.beginning) and digest(text) == self.digest

    def __ne__(self, text: object) -> bool:
        return not self == text


class Measured(NamedTuple):
    """A text with figures that were measured once on a machine: a pattern of it that leaves these open, and why."""

    pattern: str
    reason: str

    def __eq__(self, text: object) -> bool:
        return bool(re.fullmatch(self.pattern, text))

    def __ne__(self, text: object) -> bool:
        return not self == text


def digest(text: str) -> str:
    """Return what a Known text is recognised by."""
    return sha256(text.encode("utf-8")).hexdigest()[:16]


def so(holds: object, words: str) -> str:
    """Return words if what they say holds in the data; else what no text says."""
    return words if holds else f"<not so: {words}>"


def joined(*sentences: str) -> str:
    """Return sentences as one paragraph."""
    return " ".join(filter(None, sentences))


def in_words(number: int) -> str:
    """Return a small count as a word, a larger one in digits."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


class Ordered(Page):
    """A page whose blocks and tables are also in one list, ``read``, in the order of the page, with any text outside these."""

    def __init__(self, text: str):
        self.read: list = []
        super().__init__(text)

    def handle_data(self, data):
        super().handle_data(data)
        if data.strip() and not self.inside(*TEXTS, *HEADINGS, *UNSEEN, "table", "svg"):
            self.read.append(Read("text", data.strip()))

    def closed(self, tag, attributes, text, as_it_is):
        blocks, tables = len(self.blocks), len(self.tables)
        super().closed(tag, attributes, text, as_it_is)
        self.read += [block_read(block) for block in self.blocks[blocks:]]
        self.read += [Read("table", table.caption) for table in self.tables[tables:]]


def block_read(block) -> Read:
    """Return a block of a page; a heading with the id of its section, by which links lead there."""
    named = block.tag in HEADINGS and block.section_id
    return Read(block.tag, f"{block.text} {{#{block.section_id}}}" if named else block.text)


def article(text: str | None = None) -> list:
    """Return the blocks of the article that is read, or of a text in its place: its title, its description, the blocks, where
    its links lead, and what those are told who hear the page."""
    text = (root() / "article.html").read_text(encoding="utf-8") if text is None else text
    page = Ordered(text)
    described = re.findall('<meta name="description" content="([^"]*)">', text)
    links = [Read("link", f"{words} -> {target}") for target, words in page.links]
    heard = [Read("heard", unescape(one)) for one in re.findall(r'aria-label="([^"]*)"', text)]
    return [
        Read("title", page.title),
        *(Read("description", unescape(one)) for one in described),
        *page.read,
        *links,
        *heard,
    ]


# What begins a line of Markdown and what that line then is.
LINES = (
    ("h", re.compile(r"(#+) +(.*)")),
    ("li", re.compile(r"(-) +(.*)")),
    ("table", re.compile(r"(\|) ?(.*?) *\|?$")),
    ("p", re.compile(r"()(.*)")),
)
LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")


def markdown(text: str) -> list:
    """Return the blocks of a Markdown text, a table as one with a line for each row, and where its links lead, at the end."""
    found, fence = [], None
    for line in re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL).split("\n"):
        if line.startswith("```"):
            found += [] if fence is None else [Read("pre", "\n".join(fence))]
            fence = [] if fence is None else None
        elif fence is not None:
            fence.append(line)
        else:
            take_in(line, found)
    blocks = [Read(one.kind, plain(one.text)) for one in found if one.text]
    links = [Read("link", f"{words} -> {target}") for words, target in LINK.findall(text)]
    return blocks + links


def take_in(line: str, found: list) -> None:
    """Take in a line of Markdown outside of code: a block of its own, or more of the paragraph or item above."""
    kind, match = next((kind, match) for kind, rule in LINES if (match := rule.fullmatch(line)))
    above = found[-1] if found and found[-1].text else Read("", "")
    if kind == "p" and line and above.kind in ("p", "li"):
        found[-1] = Read(above.kind, f"{above.text} {line.strip()}")
    elif kind == above.kind == "table":
        found[-1] = Read(above.kind, f"{above.text}\n{match[2]}")
    else:
        found.append(Read(f"h{len(match[1])}" if kind == "h" else kind, match[2]))


def plain(text: str) -> str:
    """Return a line of Markdown without its markup; the bars of a table's row stay."""
    return re.sub(r"\*\*|`", "", LINK.sub(r"\1", text))


def readme(text: str | None = None) -> list:
    """Return the blocks of the README that is read, or of a text in its place."""
    return markdown((root() / "README.md").read_text(encoding="utf-8") if text is None else text)


def notebook(text: str | None = None) -> list:
    """Return the blocks of the notebook's Markdown cells; a cell of code is one, by its number among these."""
    text = (root() / "analysis.ipynb").read_text(encoding="utf-8") if text is None else text
    found: list = []
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        of_code = [Read("cell", f"{sum(one.kind == 'cell' for one in found) + 1}")]
        found += markdown(source) if cell["cell_type"] == "markdown" else of_code
    return found


def faults(shown: list, expected: list) -> list:
    """Return in words, a line each, where blocks are not those expected, in this order."""
    found = []
    for number, (one, other) in enumerate(zip_longest(shown, expected)):
        if one is None or other is None or one.kind != other.kind or other.text != one.text:
            found.append(f"block {number}: {one and tuple(one)!r}, not {other and tuple(other)!r}{hint(one, other)}")
    return found


def hint(one: Read | None, other: Read | None) -> str:
    """Return by what a text would be Known that has changed on purpose, '' if there is no such text."""
    return f" (now {digest(one.text)})" if one and other and isinstance(other.text, Known) else ""
