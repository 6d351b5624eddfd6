"""Changes to the texts in scenario_ratio/text/: another value in a place, another word, the next heading, a block less."""

from __future__ import annotations

import re
from typing import NamedTuple

# Words that compare, count or name a side, and what says something else; each is changed into the other.
OPPOSITES = (
    ("above", "below"), ("more", "fewer"), ("higher", "lower"), ("largest", "smallest"), ("most", "least"),
    ("before", "after"), ("Offline", "Server"), ("TTFT", "TPOT"), ("minimum", "maximum"), ("all", "some"),
    ("every", "no"), ("only", "also"), ("both", "neither"), ("closed", "open"), ("first", "last"), ("within", "beyond"),
    ("same", "other"), ("confirmed", "contradicted"), ("nearer", "farther"),
)  # fmt: skip
OTHER = {**dict(OPPOSITES), **{second: first for first, second in OPPOSITES}}
_WORD = re.compile(r"(?<![\w{.:`/-])(?:" + "|".join(OTHER) + r")(?![\w}:`/-]|\(|\.\w)")
_PLACE = re.compile(r"\{([\w.]+)(:[\w/ ]+)?\}")
_NUMBER = re.compile(r"(?<![\w{.:#/`-])\d+(?![\w}.:`/-])")
_TITLE = re.compile(r"(?:# #|##)#* (.*?)(?: \{#[a-z-]+\})?")
_MARK = re.compile(r"(?:# )?\s*(?:::|:\?|:!|:\*)")


class Change(NamedTuple):
    """Other words for those between two columns of a line, which counts from 0."""

    filename: str
    line: int
    start: int
    end: int
    words: str


def after(change: Change, source: str) -> str:
    """Return a text after a change."""
    lines = source.split("\n")
    line = lines[change.line]
    lines[change.line] = line[: change.start] + change.words + line[change.end :]
    return "\n".join(lines)


def prose(name: str, source: str) -> dict[int, str]:
    """Return number -> line of what is read: in a text all but marks and comments, in cells the prose alone."""
    bare = re.sub(r"<!--.*?-->|```.*?```", lambda found: "\n" * found[0].count("\n"), source, flags=re.DOTALL)
    cells = name.endswith(".py")
    return {
        number: line
        for number, line in enumerate(bare.split("\n"))
        if line and not _MARK.match(line) and (not cells or line.startswith("# ") and not line.startswith("# %%"))
    }


def changes(name: str, source: str) -> list[Change]:
    """Return the changes to a text: words to their opposites, numbers to the next, places and titles to the next of their kind."""
    found = []
    lines = prose(name, source)
    places = [(number, match) for number, line in lines.items() for match in _PLACE.finditer(line)]
    titles = [(number, match) for number, line in lines.items() if (match := _TITLE.fullmatch(line))]
    for number, line in lines.items():
        found += [Change(name, number, *match.span(), OTHER[match[0]]) for match in _WORD.finditer(line)]
        found += [Change(name, number, *match.span(), str(int(match[0]) + 1)) for match in _NUMBER.finditer(line)]
    for at, (number, match) in enumerate(places):
        others = [other[1] for _, other in places[at:] + places[:at] if other[2] == match[2] and other[1] != match[1]]
        found += [Change(name, number, *match.span(1), other) for other in others[:1]]
    following = zip(titles, titles[1:] + titles[:1]) if len(titles) > 1 else ()
    return found + [Change(name, number, *match.span(1), other[1]) for (number, match), (_, other) in following]


def section(lines: list[str], line: int) -> str:
    """Return the title above a line, '' if there is none."""
    return next((match[1] for text in lines[line::-1] if (match := _TITLE.fullmatch(text))), "")
