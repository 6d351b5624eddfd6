"""The elements and classes of article.html: a browser knows each, and each looks as a rule of the style sheet says."""

from __future__ import annotations

import re
import unittest
from html.parser import HTMLParser

from tests.again.drawn import UNSEEN
from tests.again.released import root

# Elements of HTML and SVG as their standards name them, of those that a text with tables and drawings may need.
NAMES = """
    a article aside b blockquote body br button caption circle code col colgroup dd desc details dfn div dl dt em figcaption
    figure footer g h1 h2 h3 h4 h5 h6 head header hr html i img input kbd label li line link main meta nav ol option p path
    polygon polyline pre rect samp script section select small span strong style sub summary sup svg table tbody td text
    tfoot th thead time title tr tspan ul use var
"""
ELEMENTS = frozenset(NAMES.split())


class Form(HTMLParser):
    """What a page is made of: its elements, their classes, and the classes that its style sheet has rules for."""

    def __init__(self, text: str):
        super().__init__()
        self.elements, self.classes, self.styled, self.within = set(), set(), set(), ""
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list) -> None:
        self.elements.add(tag)
        self.within = tag
        self.classes.update((dict(attributes).get("class") or "").split())

    def handle_data(self, data: str) -> None:
        if self.within == "style":
            self.styled.update(re.findall(r"\.([A-Za-z_][\w-]*)", data))


def form() -> Form:
    """Return the form of the article."""
    return Form((root() / "article.html").read_text(encoding="utf-8"))


class TheArticle(unittest.TestCase):
    def test_a_browser_knows_every_element(self):
        self.assertEqual(form().elements - ELEMENTS, set())
        self.assertGreater(len(form().elements), 30)

    def test_every_class_has_a_rule(self):
        found = form()
        self.assertEqual(found.classes - found.styled, {UNSEEN})

    def test_what_would_be_found(self):
        page = Form("<style>.a{}</style><p class='a b'></p><XXdiv>")
        self.assertEqual((page.elements - ELEMENTS, page.classes - page.styled), ({"xxdiv"}, {"b"}))


if __name__ == "__main__":
    unittest.main()
