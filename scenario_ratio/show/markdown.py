"""The part of Markdown that the notebook's prose uses, as HTML: headings, paragraphs, lists, code, strong, links.

Everything else is text, and is escaped.
"""

from __future__ import annotations

import re

from scenario_ratio.show.markup import Markup, element, escape, joined

_HEADING = re.compile(r"(#{1,6}) (.*)")
_SPAN = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)")
_SAFE_LINK = re.compile(r"https://|(?:\w[\w.-]*(?:/\w[\w.-]*)*)?(?:#[\w-]+)?$", re.ASCII)  # or a file here, or an id


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
    if block.startswith("- "):
        items = [item.replace("\n  ", "\n") for item in re.split(r"^- |\n- ", block)[1:]]
        return element("ul", Markup("\n"), joined(element("li", _spans(item)) for item in items), Markup("\n"))
    return element("p", _spans(block))


def _spans(text: str) -> Markup:
    parts, end = [], 0
    for span in _SPAN.finditer(text):
        parts += [escape(text[end : span.start()]), _span(span)]
        end = span.end()
    return joined([*parts, escape(text[end:])], "")


def _span(span: re.Match) -> Markup:
    code, strong, label, target = span.groups()
    if code:
        return element("code", code)
    if strong:
        return element("strong", strong)
    return element("a", label, href=target) if _SAFE_LINK.match(target) else Markup(escape(span[0]))
