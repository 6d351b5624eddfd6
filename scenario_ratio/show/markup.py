"""Text into XML and HTML: escaping whatever the data holds, and building elements from values."""

from __future__ import annotations

import re

# Characters that would reorder, hide or end the text around them: C0 and C1 controls but tab and newline, soft
# hyphen, zero-width and bidirectional marks, line separators, surrogates, byte order mark, noncharacters.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})


def escape(text: object) -> str:
    """Return ``text`` for use in XML or HTML, as content or in a quoted attribute.

    A character that could reorder or hide its surroundings is shown as its code point: '[U+202E]'.
    """
    visible = _UNSAFE.sub(lambda match: f"[U+{ord(match[0]):04X}]", str(text))
    return visible.translate(_ENTITIES)


class Markup(str):
    """A string that is markup already and is not escaped again."""


def element(tag: str, *children: object, **attributes: object) -> Markup:
    """Return an element; children that are not Markup are escaped, and so is every attribute.

    An attribute's underscores become hyphens and a trailing one is dropped (class_), True gives it without a
    value, None and False leave it out.
    """
    content = "".join(child if isinstance(child, Markup) else escape(child) for child in children)
    return Markup(f"<{tag}{_attributes(attributes)}>{content}</{tag}>")


def empty(tag: str, **attributes: object) -> Markup:
    """Return an element without content, in the form that both XML and HTML read."""
    return Markup(f"<{tag}{_attributes(attributes)}/>")


def joined(parts: object, separator: str = "\n") -> Markup:
    """Return markup parts one after another."""
    return Markup(separator.join(parts))


def block(tag: str, *parts: Markup, **attributes: object) -> Markup:
    """Return an element whose parts stand on lines of their own."""
    return element(tag, Markup(f"\n{joined(parts)}\n"), **attributes)


def bullets(items: object) -> Markup:
    """Return a list of items, each of them text or markup."""
    return block("ul", *(element("li", item) for item in items))


def _attributes(attributes: dict) -> str:
    given = {key: value for key, value in attributes.items() if value is not None and value is not False}
    named = {key.rstrip("_").replace("_", "-"): value for key, value in given.items()}
    return "".join(f" {name}" if value is True else f' {name}="{escape(value)}"' for name, value in named.items())
