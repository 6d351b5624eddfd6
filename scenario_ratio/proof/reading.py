"""What must hold of a text that people read: its numbers, its links, its form, and that it asks nothing of a server."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Iterator, NamedTuple, Sequence
from xml.etree import ElementTree

from scenario_ratio import pinned, wording
from scenario_ratio.files import decode
from scenario_ratio.problems import BundleError, Problem, shown

# Numbers that are words of the field or names, and no result.
FIXED = {
    "100%": "Offline is the reference by definition",
    "99th": "the percentile that the latency limits are defined on",
    "64-bit": "the width of a sum",
}
# Names with a number that could be a result elsewhere.
NAMED = ("SHA-256", "SHA-1", wording.CITED, wording.PAPER, wording.byline(pinned.VERSION, pinned.RELEASED))
FORMATTERS = (
    wording.rate, wording.percent, wording.points, wording.milliseconds, wording.count, wording.metric,
    wording.fraction, repr,
)  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.])[+\-\u2212]?(\d[\w.,]*(?:-bit)?%?)")
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
# Attributes by which an element loads something; a link that a reader follows loads nothing.
_LOADING = {"src", "srcset", "data", "poster", "action", "formaction", "background", "manifest", "ping", "xlink:href"}
_IN_STYLE = re.compile(r"url\(|@import|image-set|expression\(|src\(", re.IGNORECASE)


def spellings(results: object) -> tuple[set[str], list[str]]:
    """Return (every spelling that the formatters give a number of ``results``; every text in it, longest first)."""
    leaves = list(_leaves(results))
    numbers = {(type(one), one) for one in leaves if type(one) in (int, float)}  # 5 and 5.0 are spelled apart
    spelled = {form(one) for kind, one in numbers for form in FORMATTERS if form is not wording.count or kind is int}
    texts = {" ".join(one.split()) for one in leaves if isinstance(one, str) and re.search(r"\d", one)}
    return spelled | {text.lstrip("-") for text in spelled}, sorted(texts, key=len, reverse=True)


def _leaves(value: object) -> Iterator:
    """Yield every key, and every value that holds no others."""
    if isinstance(value, dict):
        yield from value
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        yield value
        return
    for member in value:
        yield from _leaves(member)


def unknown_numbers(text: str, name: str, known: tuple[set[str], list[str]]) -> list[Problem]:
    """Return each number of ``text`` that is neither a spelling nor part of a text of results.json, nor a fixed word."""
    spelled, texts = known
    text = " ".join(text.split())
    for phrase in (*NAMED, *texts):
        if len(phrase) > 3:
            text = text.replace(phrase, " ")
    commits = (phrase[:12] for phrase in texts if len(phrase) == 40)  # as one is cut for reading
    known_words = {*spelled, *FIXED, *commits, *(phrase for phrase in texts if len(phrase) <= 3)}
    found = dict.fromkeys(token.rstrip(".,") for token in _NUMBER.findall(text))
    return [
        Problem(name, "", "a number", shown(token), "a number of results.json, as the formatter spells it")
        for token in found
        if token not in known_words
    ]


class _Reader(HTMLParser):
    """Collects the text, the links, the ids and what is wrong with the form of an HTML page."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open: list[tuple[str, str]] = []  # tag, class
        self.text, self.links, self.ids = [], [], []
        self.wrong: list[tuple[int, str, str, str]] = []

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for key, value in values.items():
            loads = key in _LOADING or (key == "href" and tag != "a")
            inside = (value or "").startswith(("#", "data:image/"))
            if (loads and not inside) or key == "style" or key.startswith("on"):
                self.wrong.append((self.getpos()[0], f"{tag} {key}", shown(value), "nothing that loads or runs"))
        if "id" in values:
            self.ids.append(values["id"])
        if tag == "a":
            self.links.append(values.get("href") or "")
        if tag not in _VOID:
            self.open.append((tag, values.get("class") or ""))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in _VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if self.open and self.open[-1][0] == tag:
            self.open.pop()
        else:
            inner = self.open[-1][0] if self.open else "nothing"
            self.wrong.append((self.getpos()[0], f"</{tag}>", f"an end tag inside {inner}", f"</{inner}>"))

    def handle_data(self, data):
        tags = [tag for tag, _ in self.open]
        if "style" in tags and _IN_STYLE.search(data):
            self.wrong.append((self.getpos()[0], "style", "a reference to another file", "styles alone"))
        if not {"style", "script"} & set(tags) and not any("fig-tick" in class_ for _, class_ in self.open):
            self.text.append(data)


class Reading(NamedTuple):
    """What a reader finds in a page: its text, the targets of its links, its ids, what is wrong with its form."""

    text: str
    links: Sequence[str] = ()
    ids: Sequence[str] = ()
    problems: Sequence[Problem] = ()


def read_html(raw: bytes, name: str) -> Reading:
    """Return what a reader finds in an HTML page; ticks of a figure's axis are no text of results.

    Raises BundleError if it is no UTF-8, or if the standard reader of HTML gives up on its markup.
    """
    reader = _Reader()
    try:
        reader.feed(decode(raw, name))
        reader.close()
    except (AssertionError, NotImplementedError, ValueError):  # an unknown "<![section[", a number of 5,000 digits
        line = f"line {reader.getpos()[0]}"
        raise BundleError(Problem(name, line, found="markup that cannot be read", expected="HTML")) from None
    problems = [Problem(name, f"line {line}", *facts) for line, *facts in reader.wrong]
    problems += [Problem(name, "", tag, "no end tag", f"</{tag}>") for tag, _ in reader.open]
    repeated = sorted({value for value in reader.ids if reader.ids.count(value) > 1})
    problems += [Problem(name, "", "id", f"{shown(value)} twice", "each id once") for value in repeated]
    return Reading("\n".join(reader.text), reader.links, reader.ids, problems)


def svg_problems(raw: bytes, name: str) -> list[Problem]:
    """Return what is wrong with an SVG file: its XML, a script, a handler, a reference to anything outside.

    Raises BundleError if it is no UTF-8, whatever its XML declaration says.
    """
    text = decode(raw, name)
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        return [Problem(name, f"line {error.position[0]}", "", "no well-formed XML", "SVG")]
    problems = []
    for node in root.iter():
        tag = node.tag.rpartition("}")[2]
        if tag in ("script", "foreignObject", "image", "a", "use"):
            problems.append(Problem(name, "", tag, "an element that loads or runs", "shapes and text"))
        if tag == "style" and _IN_STYLE.search(node.text or ""):
            problems.append(Problem(name, "", tag, "a reference to another file", "styles alone"))
        problems += [
            Problem(name, tag, key.rpartition("}")[2], shown(value), "no reference and no handler")
            for key, value in node.attrib.items()
            if key.rpartition("}")[2] in ("href", "src", "style") or key.startswith("on") or "url(" in value
        ]
    return problems


def link_problems(links: Sequence[str], ids: Sequence[str], names: set[str], name: str) -> list[Problem]:
    """Return each link of ``name`` inside the bundle that leads to no id and no file."""
    expected, problems = "an id of this page, a file of the bundle, or https://", []
    for link in links:
        target, _, fragment = link.partition("#")
        if not (target in names or target.startswith("https://") if target else fragment in ids):
            problems.append(Problem(name, "", "link", shown(link), expected))
    return problems


def markdown_links(text: str) -> tuple[list[str], list[str]]:
    """Return (links, ids of headings) of a Markdown text as GitHub shows it."""
    headings = [line.lstrip("# ").lower() for line in text.split("\n") if line.startswith("#")]
    ids = [re.sub(r"[^\w -]", "", heading).replace(" ", "-") for heading in headings]
    return re.findall(r"\]\(([^)\s]+)\)", text), ids
