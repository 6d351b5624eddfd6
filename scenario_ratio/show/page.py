"""What the HTML pages have in common: the frame, the content security policy, tables.

A page holds its styles and scripts inline and asks nothing of any server. The policy names each style and script
by its SHA-256, so that nothing else can run or be loaded.
"""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Callable

from scenario_ratio.files import decode
from scenario_ratio.show.markup import Markup, block, element, escape, joined

NONE = "'none'"
Asset = Callable[[str], bytes]  # returns a file of the code by its name, such as 'web/style.css'


def inline(asset: Asset, name: str) -> Markup:
    """Return a style sheet or script of the folder web/, to be placed in a page; raises BundleError."""
    return Markup(decode(asset(f"web/{name}"), f"web/{name}"))


def document(
    title: str, description: str, body: Markup, asset: Asset, scripts: tuple = (), policy: str = "", sources: str = ""
) -> bytes:
    """Return a whole HTML page in English.

    ``asset`` returns a file of the code by its name. ``scripts`` are names in web/, ``policy`` further directives,
    ``sources`` what scripts may come from besides. Raises BundleError if an asset cannot be read.
    """
    style = element("style", inline(asset, "style.css"))
    code = [element("script", inline(asset, name)) for name in scripts]
    allowed = _policy(joined([style, body, *code]), policy, sources)
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{allowed}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta name="description" content="{escape(description)}">',
        element("title", title),
        style,
        '</head>\n<body>\n<a class="skip" href="#main">Skip to the text</a>',
        body,
        *code,
        "</body>\n</html>\n",
    ]
    return joined(parts).encode("utf-8")


def _policy(html: str, further: str, sources: str) -> str:
    """Return the page's content security policy: nothing but the styles and scripts that stand in it."""
    found = (re.findall(f"<{tag}>(.*?)</{tag}>", html, re.DOTALL) for tag in ("style", "script"))
    styles, scripts = (sorted(set(map(_digest, texts))) for texts in found)
    directives = [
        "default-src 'none'",
        f"style-src {' '.join(styles) or NONE}",
        f"script-src {' '.join(filter(None, [*scripts, sources])) or NONE}",
        "base-uri 'none'; form-action 'none'",
        further,
    ]
    return "; ".join(filter(None, directives))


def _digest(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii") + "'"


def number(text: str, value: float | None = None) -> Markup:
    """Return a table cell with a number as it is shown and, for sorting, as it is."""
    return element("td", text, class_="number", data_value=None if value is None else repr(value))


def table(table_id: str, caption: str, columns: list[str], rows: list[list], filter_id: str | None = None) -> Markup:
    """Return a table that scrolls by itself where it is wider than the page.

    A row's first cell is its heading; a cell is text or a ``td`` made by ``number``. ``columns`` beginning with
    '#' head numbers. ``filter_id`` names the controls of a table that can be sorted and filtered.
    """
    caption_id = f"{table_id}-caption"
    headings = [
        element("th", column.lstrip("#"), scope="col", class_="number" if column.startswith("#") else None)
        for column in columns
    ]
    lines = []
    for first, *others in rows:
        cells = [cell if isinstance(cell, Markup) else element("td", cell) for cell in others]
        lines.append(element("tr", element("th", first, scope="row"), *cells))
    content = [
        element("caption", element("span", caption), id=caption_id),
        element("thead", element("tr", *headings)),
        block("tbody", *lines),
    ]
    made = block("table", *content, id=table_id, data_sortable=filter_id)
    return element("div", made, class_="scroll wide", role="region", aria_labelledby=caption_id, tabindex="0")


def figure(svg: str, caption: str) -> Markup:
    """Return an SVG file as a figure with a caption."""
    frame = element("div", Markup(svg.strip()), class_="scroll", role="region", aria_label=caption, tabindex="0")
    return element("figure", Markup("\n"), frame, Markup("\n"), element("figcaption", caption), class_="wide")
