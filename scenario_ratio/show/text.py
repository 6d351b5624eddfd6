"""Text files: the part of Markdown that prose uses, places filled with values, claims held against them.

``render`` makes HTML of headings, paragraphs, lists, code, strong and links; everything else is text, and is escaped.
``compose`` makes it of a text whose numbers come from values. Blank lines part its blocks; under its words each block
says on what they rest:

    ## How near they came {#near}
    :: definition

    Of {counts.complete_pairs:count} pairs {counts.above:count} {counts.above:is/are} above.
    :: pairs_are_counted
    They are told below.
    :? counts.above
    :: definition

    {table above-pairs}
    The pairs above, in order.
    :: pairs_are_in_order

- ``{path:spelling}`` is a place: a path into the values (keys and numbers of list items, between dots) and how the
  value is spelled, by a function of wording.py. ``{path:is/are}`` is the first word for 1 and the second for any other
  number; ``{path}`` alone is for texts. What fills a place is text, whatever it looks like.
- ``:: name, name`` are relations that must hold, or nothing is composed; ``:: definition`` is under words that claim
  nothing of the values. Without such a line nothing is composed either. A path is a relation too: it holds if what it
  leads to is not zero and not empty.
- ``:? name, name`` leaves the words above it out unless all these relations hold, ``:! name, name`` if one holds. A heading
  left out takes its section along, a table its caption. So words for one case stand beside those for another.
- ``:* path`` repeats the words above it for each value of a list, which is ``item`` in their places. In a sentence
  ``:*, path`` and ``:*; path`` put that sign between the repetitions and a full stop after the last.
- ``{table NAME}`` on a line of its own, or another such kind, is what the caller has by that name; its caption follows.
- Lines between two lines of ``` are code and stand as they are. A block that opens with ``<!--`` is left out.
"""

from __future__ import annotations

import re
import string
from functools import partial
from typing import Callable, Iterator, NamedTuple

from scenario_ratio import wording
from scenario_ratio.problems import Problem, raise_if_any
from scenario_ratio.show.markup import Markup, bullets, element, escape, joined
from scenario_ratio.show.relations import RELATIONS
from scenario_ratio.show.values import Wrong, found, spelled

DEFINITION = "definition"
REPEATED = "item"  # the name of the value that repeated words are about
REPEATS = {":*": "", ":*,": ",", ":*;": ";"}  # marks of repeated words, and the sign between two in a sentence

_HEADING = re.compile(r"(#{1,6}) (.*)")
_WITH_ID = re.compile(r"(#{1,6}) (.*) \{#([a-z][a-z-]*)\}")
_SPAN = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)")
_SAFE_LINK = re.compile(r"https://|(?:\w[\w.-]*(?:/\w[\w.-]*)*)?(?:#[\w-]+)?$", re.ASCII)  # or a file here, or an id
_CALL = re.compile(r"\{([a-z]+) ([\w.-]+)\}", re.ASCII)
_MARK = re.compile(r"\s*(::|:\?|:!|:\*[,;]?)\s+(\S.*)")
_ITEM, _FENCE, _COMMENT = "- ", "```", "<!--"


def render(text: str) -> Markup:
    """Return Markdown as HTML; blocks are separated by blank lines, '#' opens a heading of that level."""
    return joined(_block(block) for block in re.split(r"\n\s*\n", text.strip()))


def title(text: str) -> str:
    """Return the text of the first heading of ``text``, or the text's first line if it has none."""
    lines = text.strip().split("\n")
    heading = next((match[2] for match in map(_HEADING.fullmatch, lines) if match), lines[0])
    return _SPAN.sub(lambda span: span[1] or span[2] or span[3], heading)


def _block(block: str) -> Markup:
    if heading := _HEADING.fullmatch(block):
        return element(f"h{len(heading[1])}", _spans(heading[2]))
    if block.startswith(_ITEM):
        return bullets(_spans(item.replace("\n  ", "\n")) for item in re.split(r"^- |\n- ", block)[1:])
    return element("p", _spans(block))


def _spans(text: str, fill: Callable[[str], str] = str) -> Markup:
    """Return a line of Markdown as HTML; ``fill`` makes text of each part of it, after its marks have been found."""
    parts, end = [], 0
    for span in _SPAN.finditer(text):
        parts += [escape(fill(text[end : span.start()])), _span(span, fill)]
        end = span.end()
    return joined([*parts, escape(fill(text[end:]))], "")


def _span(span: re.Match, fill: Callable[[str], str]) -> Markup:
    code, strong, label, target = span.groups()
    if code or strong:
        return element("code" if code else "strong", fill(code or strong))
    address = fill(target)
    return element("a", fill(label), href=address) if _SAFE_LINK.match(address) else Markup(escape(fill(span[0])))


class Passage(NamedTuple):
    """Words, line by line with each line's number in its file, and the marks under them: (line, sign, name)."""

    lines: list[tuple[int, str]]
    marks: list[tuple[int, str, str]]

    @property
    def text(self) -> str:
        """The words in one line."""
        return " ".join(words.strip() for _, words in self.lines)

    @property
    def is_call(self) -> bool:
        """Whether the passage is the line '{table NAME}', or one like it."""
        return _CALL.fullmatch(self.text) is not None

    def named(self, *signs: str) -> list[tuple[int, str]]:
        """Return (line, name) of all names in the marks of some signs."""
        return [(line, name) for line, sign, name in self.marks if sign in signs]


def blocks(source: str) -> list[list[Passage]]:
    """Return the blocks of a text file, each a list of passages, without comments."""
    parts: list[list[Passage]] = [[]]
    fenced = False
    for number, line in enumerate(source.split("\n"), 1):
        fenced ^= line.startswith(_FENCE)
        mark = None if fenced else _MARK.fullmatch(line)
        if not line.strip() and not fenced:
            parts.append([])
        elif mark and parts[-1]:
            parts[-1][-1].marks.extend((number, mark[1], name.strip()) for name in mark[2].split(","))
        else:
            opens = not fenced and line.startswith((_ITEM, "#"))
            if opens or not parts[-1] or parts[-1][-1].marks or parts[-1][-1].is_call:
                parts[-1].append(Passage([], []))
            parts[-1][-1].lines.append((number, line))
    return [block for block in parts if block and not block[0].text.startswith(_COMMENT)]


class _Composer:
    """Says a text of values, and keeps every problem that it finds on the way, with its line."""

    def __init__(self, name: str, values: dict, relations: dict):
        self.name, self.values, self.relations = name, values, relations
        self.problems: dict[Problem, int] = {}  # each once, with its line
        self.held: dict[str, bool] = {}  # of each relation that was asked for

    def tell(self, line: int, field: str, found: str, expected: str) -> None:
        self.problems[Problem(self.name, f"line {line}", field, found, expected, check="text")] = line

    def shown(self, source: str) -> Iterator[tuple[str, list[Passage]]]:
        """Yield the first words of each block, shown or not, and its shown passages; at the end raise all problems."""
        section_shown = True
        for block in blocks(source):
            start, kept = block[0].text, list(filter(self.is_shown, block))
            if _HEADING.match(start):
                section_shown = bool(kept)
            if kept and section_shown and (kept[0] is block[0] or not block[0].is_call):
                for line, name in (named for passage in kept for named in passage.named("::")):
                    if not self.holds(line, name):
                        self.tell(line, name, "not so in the results", f"that {name.replace('_', ' ')}")
                yield start, kept
        raise_if_any(sorted(self.problems, key=self.problems.get))

    def is_shown(self, passage: Passage) -> bool:
        """Return whether a passage is shown; tell of words that rest on nothing, and of what is no relation."""
        if not passage.named("::") and not passage.is_call:
            wanted = f"a line ':: relation' or ':: {DEFINITION}' under them"
            self.tell(passage.lines[0][0], "", "words that rest on nothing", wanted)
        held = {sign: [self.holds(*one) for one in passage.named(sign)] for sign in ("::", ":?", ":!")}
        return all(held[":?"]) and not any(held[":!"])

    def holds(self, line: int, name: str) -> bool:
        """Return whether a relation holds; what is none is told of, and stops nothing else."""
        if name in self.relations:
            if name not in self.held:
                self.held[name] = self.relations[name](self.values)
            return self.held[name]
        try:
            return name == DEFINITION or bool(found(self.values, name))
        except Wrong:
            expected = f"{DEFINITION}, a relation of show/relations.py, or a path to a value"
            self.tell(line, name, "no such relation", expected)
            return True

    def said(self, passage: Passage, make: Callable = _spans) -> list:
        """Return ``make(words, fill)`` of a passage: once, or once for each value of the list it is repeated for."""
        told = [self.values]
        for line, path in passage.named(*REPEATS):
            try:
                told = [{**self.values, REPEATED: value} for value in found(self.values, path, list)]
            except Wrong as wrong:
                self.tell(line, path, *wrong.args)
                return []
        return [make(passage.text, partial(self.fill, passage, values)) for values in told]

    def fill(self, passage: Passage, values: dict, template: str) -> str:
        parts = []
        try:
            for words, path, spelling, conversion in string.Formatter().parse(template):
                spelling = f"!{conversion}" if conversion else spelling
                parts += [words, "" if path is None else self.filled(passage, values, path, spelling)]
        except ValueError:
            wanted = "places such as {counts.complete_pairs:count}, {{ for a brace"
            self.tell(passage.lines[0][0], "", "a brace that makes no place", wanted)
        return "".join(parts)

    def filled(self, passage: Passage, values: dict, path: str, spelling: str) -> str:
        """Return what fills a place, nothing if there is nothing."""
        try:
            return spelled(values, path, spelling)
        except Wrong as wrong:
            place = "{" + f"{path}:{spelling}".rstrip(":") + "}"
            line = next((number for number, words in passage.lines if place in words), passage.lines[0][0])
            self.tell(line, place, *wrong.args)
            return ""

    def html(self, calls: dict, start: str, passages: list[Passage]) -> Markup:
        """Return a block as HTML; ``start`` are its first words, shown or not."""
        if _HEADING.match(start):
            return self.heading(*passages)
        if passages[0].is_call:
            return self.called(calls, *passages)
        if start.startswith(_ITEM):
            items = self.items(passages)
            return bullets(items) if items else Markup("")
        if start.startswith(_FENCE):
            code = "\n".join(words for _, words in passages[0].lines[1:-1])
            return element("pre", element("code", code), tabindex="0")
        sentences = joined(filter(None, map(self.sentence, passages)), " ")
        return element("p", sentences) if sentences else sentences

    def heading(self, passage: Passage, *others: Passage) -> Markup:
        parts = _WITH_ID.fullmatch(passage.text)
        if others or not parts:
            what = "two headings" if parts else "a heading without an id"
            self.tell(passage.lines[0][0], "", what, "one, with its {#id}")
            return Markup("")
        level, words, its_id = parts.groups()
        return element(f"h{len(level)}", *self.said(passage, lambda _, fill: _spans(words, fill)), id=its_id)

    def called(self, calls: dict, passage: Passage, *captions: Passage) -> Markup:
        caption = " ".join(words for one in captions for words in self.said(one, lambda words, fill: fill(words)))
        if passage.text in calls:
            return calls[passage.text](caption)
        self.tell(passage.lines[0][0], passage.text, "no such line", wording.one_of(calls))
        return Markup("")

    def items(self, passages: list[Passage]) -> list[Markup]:
        """Return the items of a list; a passage that opens none goes on with the item before it."""
        items: list[Markup] = []
        for passage in passages:
            words = self.said(passage, lambda words, fill: _spans(words.removeprefix(_ITEM), fill))
            if items and not passage.text.startswith(_ITEM):
                words = [joined([items.pop(), *words], " ")]
            items += words
        return items

    def sentence(self, passage: Passage) -> Markup:
        """Return a passage of a paragraph, a repeated one as an enumeration."""
        words = self.said(passage)
        sign = next((REPEATS[sign] for _, sign, _ in passage.marks if sign in REPEATS), "")
        return Markup(f"{joined(words, f'{sign} ')}{'.' if sign and words else ''}")


def compose(
    source: str, name: str, values: dict, calls: dict[str, Callable], relations: dict[str, Callable] = RELATIONS
) -> list[Markup]:
    """Return the blocks of a text as HTML, in order; see the head of this module.

    ``name`` is the file's, for problems. ``calls`` hold what makes HTML of a caption, by the line that asks for it, such
    as '{table rates}'. ``relations`` say of ``values`` whether a claim holds. Raises BundleError with everything wrong.
    """
    composer = _Composer(name, values, relations)
    return list(filter(None, [composer.html(calls, *block) for block in composer.shown(source)]))


def filled(source: str, name: str, values: dict) -> str:
    """Return the words of a text, still Markdown, with their places filled and without the marks under them.

    Takes and raises what compose does, but there are no tables to call, and a heading needs no id.
    """
    composer = _Composer(name, values, RELATIONS)

    def lines(passage: Passage) -> list[str]:
        return composer.said(passage, lambda _, fill: "\n".join(fill(words) for _, words in passage.lines))

    return "\n\n".join("\n".join(sum(map(lines, kept), [])) for _, kept in composer.shown(source))
