"""Text files: the part of Markdown that prose uses, places filled with values, claims held against them.

``render`` makes HTML of headings, paragraphs, lists, code, strong and links; everything else is text, and is escaped.
``compose`` makes it of a text whose numbers come from values. Blank lines part its blocks; under its words each block
says on what they rest:

    ## How near they came {#near}
    :: definition

    Of {counts.complete_pairs:count} pairs {counts.above:count} {counts.above:is/are} above.
    :: pairs_are_counted
    They are told below.
    :? some_pair_is_above
    :: definition

    {table above-pairs}
    The pairs above, in order.
    :: pairs_are_in_order

- ``{path:spelling}`` is a place: a path into the values (keys and numbers of list items, between dots) and how the
  value is spelled, by a function of wording.py. ``{path:is/are}`` is the first word for 1 and the second for any other
  number; ``{path}`` alone is for texts. What fills a place is text, whatever it looks like.
- ``:: name, name`` are relations that must hold, or nothing is composed; ``:: definition`` is under words that claim
  nothing of the values. Without such a line nothing is composed either.
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
from scenario_ratio.problems import Problem, raise_if_any, shown
from scenario_ratio.show.markup import Markup, bullets, element, escape, joined
from scenario_ratio.show.relations import Relation

DEFINITION = "definition"
REPEATED = "item"  # the name of the value that repeated words are about
NUMBER, WHOLE = (int, float), (int,)
# How a value may be spelled: what does it, and the types it is for.
SPELLINGS = {
    "": (str, (str,)),
    **{
        spelling.__name__: (spelling, NUMBER)
        for spelling in (wording.rate, wording.percent, wording.points, wording.metric, wording.fraction)
    },
    **{
        spelling.__name__: (spelling, WHOLE)
        for spelling in (wording.count, wording.milliseconds, wording.words, wording.capitalized, wording.ordinal)
    },
    **{spelling.__name__: (spelling, (list,)) for spelling in (wording.listed, wording.either, wording.together)},
}

_HEADING = re.compile(r"(#{1,6}) (.*)")
_WITH_ID = re.compile(r"(#{1,6}) (.*) \{#([a-z][a-z-]*)\}")
_SPAN = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)")
_SAFE_LINK = re.compile(r"https://|(?:\w[\w.-]*(?:/\w[\w.-]*)*)?(?:#[\w-]+)?$", re.ASCII)  # or a file here, or an id
_CALL = re.compile(r"\{([a-z]+) ([\w.-]+)\}", re.ASCII)
_MARK = re.compile(r"\s*(::|:\?|:!|:\*[,;]?)\s+(\S.*)")
_ITEM, _FENCE, _COMMENT = "- ", "```", "<!--"
_ABSENT = object()  # what an unknown path leads to


def render(text: str) -> Markup:
    """Return Markdown as HTML; blocks are separated by blank lines, '#' opens a heading of that level."""
    return joined(_block(block) for block in re.split(r"\n\s*\n", text.strip()))


def title(text: str) -> str:
    """Return the text of the first heading of ``text``, or the text's first line if it has none."""
    lines = text.strip().split("\n")
    heading = next((match[2] for match in map(_HEADING.fullmatch, lines) if match), lines[0])
    return _SPAN.sub(lambda span: span[1] or span[2] or span[3], heading)


def _block(block: str) -> Markup:
    heading = _HEADING.fullmatch(block)
    if heading:
        return element(f"h{len(heading[1])}", _spans(heading[2]))
    if block.startswith(_ITEM):
        items = [item.replace("\n  ", "\n") for item in re.split(r"^- |\n- ", block)[1:]]
        return bullets(map(_spans, items))
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
    """Words, line by line with each line's number in its file, and the marks under them: (line, sign, what follows)."""

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
        return [(line, name.strip()) for line, sign, names in self.marks if sign in signs for name in names.split(",")]

    def repeated(self) -> tuple[int, str, str] | None:
        """Return the mark by which the passage is repeated, if there is one."""
        return next((mark for mark in self.marks if mark[1].startswith(":*")), None)


def blocks(source: str) -> list[list[Passage]]:
    """Return the blocks of a text file, each a list of passages, without comments."""
    found: list[list[Passage]] = [[]]
    fenced = False
    for number, line in enumerate(source.split("\n"), 1):
        fenced ^= line.startswith(_FENCE)
        mark = None if fenced else _MARK.fullmatch(line)
        if not line.strip() and not fenced:
            found.append([])
        elif mark and found[-1]:
            found[-1][-1].marks.append((number, mark[1], mark[2]))
        else:
            opens = not fenced and line.startswith((_ITEM, "#"))
            if opens or not found[-1] or found[-1][-1].marks or found[-1][-1].is_call:
                found[-1].append(Passage([], []))
            found[-1][-1].lines.append((number, line))
    return [block for block in found if block and not block[0].text.startswith(_COMMENT)]


class _Places(string.Formatter):
    """Fills the places of a template; tells of each that cannot be filled: (place, found, expected)."""

    def __init__(self, values: dict, tell: Callable[[str, str, str], None]):
        self.values, self.tell, self.place = values, tell, ""

    def fill(self, template: str) -> str:
        try:
            return self.vformat(template, (), {})
        except ValueError:  # of the form of the template itself
            self.tell("", "a brace that makes no place", "places such as {counts.complete_pairs:count}, {{ for a brace")
            return ""

    def get_field(self, field_name: str, args: object, kwargs: object) -> tuple[object, str]:
        self.place, value = f"{{{field_name}", self.values
        for key in field_name.split("."):
            try:
                value = value[int(key) if isinstance(value, list) else key]
            except (KeyError, IndexError, TypeError, ValueError):
                known = ", ".join(value) if isinstance(value, dict) else ""
                self.tell(self.place, f"no {shown(key)}", f"one of {known}" if known else "a path to a value")
                return _ABSENT, field_name
        return value, field_name

    def format_field(self, value: object, format_spec: str) -> str:
        if value is _ABSENT:
            return ""
        spelling, types = SPELLINGS.get(format_spec, (None, ()))
        if format_spec.count("/") == 1:
            spelling, types = partial(wording.agreeing, forms=format_spec), WHOLE
        place = f"{self.place}:{format_spec}".rstrip(":")
        if spelling is None:
            known = ", ".join(filter(None, SPELLINGS))
            self.tell(place, f"no spelling {shown(format_spec)}", f"one of {known}, or two words parted by /")
        elif type(value) not in types or type(value) is list and not all(type(item) is str for item in value):
            self.tell(
                place, shown(value), " or ".join(kind.__name__ for kind in types).replace("list", "list of texts")
            )
        else:
            return spelling(value)
        return ""


class _Composer:
    """Makes HTML of a text's blocks, and keeps every problem that it finds on the way."""

    def __init__(self, name: str, values: dict, relations: dict, known_false: frozenset, calls: dict):
        self.name, self.values, self.relations = name, values, relations
        self.known_false, self.calls = known_false, calls
        self.problems: list[tuple[int, Problem]] = []  # each with its line
        self.held: dict[str, bool] = {}

    def tell(self, line: int, field: str, found: str, expected: str) -> None:
        self.problems.append((line, Problem(self.name, f"line {line}", field, found, expected, check="text")))

    def raise_problems(self) -> None:
        """Raise BundleError with every problem, in the order of the lines; return if there is none."""
        in_order = sorted(dict.fromkeys(self.problems), key=lambda problem: problem[0])
        raise_if_any([problem for _, problem in in_order])

    def compose(self, source: str) -> list[Markup]:
        parts, heading_shown = [], True
        for block in blocks(source):
            for passage in block:
                self.check_form(passage)
            kept = list(filter(self.is_shown, block))
            if _HEADING.match(block[0].text):
                heading_shown = bool(kept)
            if kept and heading_shown and (kept[0] is block[0] or not block[0].is_call):
                for passage in kept:
                    self.check_relations(passage)
                parts.append(self.html(block[0].text, kept))
        return [part for part in parts if part]

    def filled(self, source: str) -> str:
        """Return the words that compose would make HTML of, line by line as they stand."""
        found = []
        for block in blocks(source):
            for passage in block:
                self.check_form(passage)
            kept = list(filter(self.is_shown, block))
            for passage in kept:
                self.check_relations(passage)
            lines = [fill(words) for passage in kept for fill in self.fills(passage) for _, words in passage.lines]
            found.append("\n".join(lines))
        return "\n\n".join(filter(None, found))

    def check_form(self, passage: Passage) -> None:
        """Tell of a passage that rests on nothing, and of the names of no relation, also if it is not shown."""
        if not passage.named("::") and not passage.is_call:
            found = "words that rest on nothing"
            self.tell(passage.lines[0][0], "", found, f"a line ':: relation' or ':: {DEFINITION}' under them")
        for line, name in passage.named("::", ":?", ":!"):
            if name not in self.relations and name != DEFINITION:
                self.tell(line, name, "no such relation", f"{DEFINITION}, or a relation of show/relations.py")

    def holds(self, name: str) -> bool:
        """Return whether a relation holds; one that is unknown has been told of, and is not told of again."""
        if name not in self.held:
            self.held[name] = name not in self.relations or self.relations[name].holds(self.values)
        return self.held[name]

    def is_shown(self, passage: Passage) -> bool:
        wanted = all(self.holds(name) for _, name in passage.named(":?"))
        return wanted and not any(self.holds(name) for _, name in passage.named(":!"))

    def check_relations(self, passage: Passage) -> None:
        for line, name in passage.named("::"):
            if not self.holds(name) and name not in self.known_false:
                self.tell(line, name, "not so in the results", self.relations[name].words)

    def html(self, start: str, passages: list[Passage]) -> Markup:
        """Return the passages of a block that are shown as HTML; ``start`` are its first words, shown or not."""
        if _HEADING.match(start):
            return self.heading(passages)
        if passages[0].is_call:
            return self.called(passages)
        if start.startswith(_ITEM):
            items = self.items(passages)
            return bullets(items) if items else Markup("")
        if start.startswith(_FENCE):
            code = "\n".join(words for _, words in passages[0].lines[1:-1])
            return element("pre", element("code", code), tabindex="0")
        sentences = joined(self.sentences(passages), " ")
        return element("p", sentences) if sentences else sentences

    def heading(self, passages: list[Passage]) -> Markup:
        parts = _WITH_ID.fullmatch(passages[0].text)
        if len(passages) > 1 or not parts:
            found = "two headings" if parts else "a heading without an id"
            self.tell(passages[0].lines[0][0], "", found, "one, with its {#id}")
            return Markup("")
        fill = next(self.fills(passages[0]), str)
        return element(f"h{len(parts[1])}", _spans(parts[2], fill), id=parts[3])

    def called(self, passages: list[Passage]) -> Markup:
        kind, name = _CALL.fullmatch(passages[0].text).groups()
        caption = " ".join(fill(passage.text) for passage in passages[1:] for fill in self.fills(passage))
        known = self.calls.get(kind, {})
        if name in known:
            return known[name](caption)
        expected = f"one of {', '.join(known)}" if known else f"one of the kinds {', '.join(self.calls)}"
        self.tell(passages[0].lines[0][0], passages[0].text, f"no such {kind}", expected)
        return Markup("")

    def items(self, passages: list[Passage]) -> list[Markup]:
        """Return the items of a list; a passage that opens none goes on with the item before it."""
        found: list[Markup] = []
        for passage in passages:
            words = [_spans(passage.text.removeprefix(_ITEM), fill) for fill in self.fills(passage)]
            if passage.text.startswith(_ITEM) or not found:
                found += words
            else:
                found[-1] = joined([found[-1], *words], " ")
        return found

    def sentences(self, passages: list[Passage]) -> Iterator[Markup]:
        """Yield the passages of a paragraph, repeated ones as an enumeration."""
        for passage in passages:
            words = [_spans(passage.text, fill) for fill in self.fills(passage)]
            _, sign, _ = passage.repeated() or (0, "", "")
            if words:
                yield joined([joined(words, f"{sign[2:]} "), "." if sign[2:] else ""], "")

    def fills(self, passage: Passage) -> Iterator[Callable[[str], str]]:
        """Yield what fills the places of a passage: once, or once for each value of the list it is repeated for."""

        def tell(place: str, found: str, expected: str) -> None:
            line = next((number for number, words in passage.lines if place and place in words), passage.lines[0][0])
            self.tell(line, place and f"{place}}}", found, expected)

        repeated = passage.repeated()
        if repeated is None:
            yield _Places(self.values, tell).fill
            return
        line, _, path = repeated
        values, _ = _Places(self.values, lambda _, *told: self.tell(line, path, *told)).get_field(path, (), {})
        for value in values if isinstance(values, list) else []:
            yield _Places({**self.values, REPEATED: value}, tell).fill
        if not isinstance(values, list) and values is not _ABSENT:
            self.tell(line, path, shown(values), "a list")


def compose(
    source: str,
    name: str,
    values: dict,
    relations: dict[str, Relation],
    calls: dict[str, dict[str, Callable[[str], Markup]]],
    known_false: frozenset[str] = frozenset(),
) -> list[Markup]:
    """Return the blocks of a text as HTML, in order; see the head of this module.

    ``name`` is the file's, for problems. ``relations`` say of ``values`` whether a claim holds; those ``known_false`` stop
    nothing. ``calls`` hold for each kind, such as 'table', what makes one of its caption, by name. Raises BundleError
    with everything that is wrong: words that rest on nothing, what does not hold, places that cannot be filled.
    """
    composer = _Composer(name, values, relations, known_false, calls)
    parts = composer.compose(source)
    composer.raise_problems()
    return parts


def filled(
    source: str, name: str, values: dict, relations: dict[str, Relation], known_false: frozenset[str] = frozenset()
) -> str:
    """Return the words of a text, still Markdown, with their places filled and without the marks under them.

    Takes and raises what compose does, but there are no tables to call, and a heading needs no id.
    """
    composer = _Composer(name, values, relations, known_false, {})
    words = composer.filled(source)
    composer.raise_problems()
    return words
