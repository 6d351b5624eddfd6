"""What the HTML pages have in common: the frame, the content security policy, paragraphs, tables.

A page holds its styles and scripts inline and asks nothing of any server. The policy names each style and script
by its SHA-256, so that nothing else can run or be loaded.
"""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Callable

from scenario_ratio.files import decode
from scenario_ratio.show.markup import Markup, element, escape, joined

_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


Asset = Callable[[str], bytes]  # returns a file of the code by its name, such as 'web/style.css'


def inline(asset: Asset, name: str) -> Markup:
    """Return a style sheet or script of the folder web/, to be placed in a page; raises BundleError."""
    return Markup(decode(asset(f"web/{name}"), f"web/{name}"))


def document(
    title: str,
    description: str,
    body: Markup,
    asset: Asset,
    scripts: tuple[str, ...] = (),
    policy: str = "",
    sources: str = "",
) -> bytes:
    """Return a whole HTML page in English.

    ``asset`` returns a file of the code by its name. ``scripts`` are names in web/, ``policy`` further directives,
    ``sources`` what scripts may come from besides. Raises BundleError if an asset cannot be read.
    """
    content = joined(
        [
            Markup('<body>\n<a class="skip" href="#main">Skip to the text</a>'),
            body,
            *(element("script", inline(asset, name)) for name in scripts),
            Markup("</body>\n</html>\n"),
        ]
    )
    style = element("style", inline(asset, "style.css"))
    head = joined(
        [
            Markup('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'),
            Markup(
                f'<meta http-equiv="Content-Security-Policy" content="{_policy(style + content, policy, sources)}">'
            ),
            Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            Markup(f'<meta name="description" content="{escape(description)}">'),
            element("title", title),
            style,
            Markup("</head>\n"),
        ]
    )
    return (head + content).encode("utf-8")


def _policy(html: str, further: str, sources: str) -> str:
    """Return the page's content security policy: nothing but the styles and scripts that stand in it."""
    styles = " ".join(sorted(set(map(_digest, _STYLE.findall(html))))) or "'none'"
    digests = sorted(set(map(_digest, _SCRIPT.findall(html))))
    scripts = " ".join(digests + ([sources] if sources else [])) or "'none'"
    directives = [
        "default-src 'none'",
        f"style-src {styles}",
        f"script-src {scripts}",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join(directives + ([further] if further else []))


def _digest(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii") + "'"


def fill(template: str, **values: object) -> Markup:
    """Return ``template``, which is markup, with each ``{name}`` replaced by a value, escaped unless it is markup."""
    return Markup(template.format(**{k: v if isinstance(v, Markup) else escape(v) for k, v in values.items()}))


def paragraph(template: str, **values: object) -> Markup:
    """Return a paragraph; see fill."""
    return Markup(f"<p>{fill(template, **values)}</p>")


def number(text: str, value: float | None = None) -> Markup:
    """Return a table cell with a number as it is shown and, for sorting, as it is."""
    return element("td", text, class_="number", data_value=None if value is None else repr(value))


def table(table_id: str, caption: str, columns: list[str], rows: list[list], filter_id: str | None = None) -> Markup:
    """Return a table that scrolls by itself where it is wider than the page.

    A row's first cell is its heading; a cell is text or a ``td`` made by ``number``. ``columns`` beginning with
    '#' head numbers. ``filter_id`` names the controls of a table that can be sorted and filtered.
    """
    headings = joined(
        [
            element("th", column.lstrip("#"), scope="col", class_="number" if column.startswith("#") else None)
            for column in columns
        ],
        "",
    )
    lines = joined([element("tr", joined(_cells(row), "")) for row in rows])
    content = joined(
        [
            element("caption", element("span", caption), id=f"{table_id}-caption"),
            element("thead", element("tr", headings)),
            Markup(f"<tbody>\n{lines}\n</tbody>"),
        ]
    )
    return element(
        "div",
        element("table", Markup("\n"), content, Markup("\n"), id=table_id, data_sortable=filter_id),
        class_="scroll wide",
        role="region",
        aria_labelledby=f"{table_id}-caption",
        tabindex="0",
    )


def _cells(row: list) -> list[Markup]:
    first, *others = row
    cells = [cell if isinstance(cell, Markup) and cell.startswith("<td") else element("td", cell) for cell in others]
    return [element("th", first, scope="row"), *cells]


def figure(svg: str, caption: str) -> Markup:
    """Return an SVG file as a figure with a caption."""
    drawing = Markup(svg.strip())
    frame = element("div", drawing, class_="scroll", role="region", aria_label=caption, tabindex="0")
    return element("figure", Markup("\n"), frame, Markup("\n"), element("figcaption", caption), class_="wide")
