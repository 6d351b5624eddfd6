"""Text into XML and HTML: nothing that the data holds is markup, and nothing in it can hide."""

from __future__ import annotations

import unittest
from html.parser import HTMLParser
from xml.etree import ElementTree

from scenario_ratio.show import markup
from tests.support import given, needs_hypothesis, st


class Escaping(unittest.TestCase):
    def test_the_five_characters_of_markup(self):
        self.assertEqual("&lt;a b=&quot;c&quot; d=&#x27;e&#x27;&gt;&amp;amp;", markup.escape("<a b=\"c\" d='e'>&amp;"))

    def test_characters_that_hide_or_reorder_are_shown(self):
        for character, expected in (
            ("\u202e", "[U+202E]"), ("\u200b", "[U+200B]"), ("\ufeff", "[U+FEFF]"), ("\0", "[U+0000]"), ("\x1b", "[U+001B]"),
            ("\r", "[U+000D]"), ("\x85", "[U+0085]"), ("\xad", "[U+00AD]"), ("\u2066", "[U+2066]"), ("\u2028", "[U+2028]"),
            ("\ud800", "[U+D800]"), ("\uffff", "[U+FFFF]"), ("\u061c", "[U+061C]"), ("\x7f", "[U+007F]"),
        ):  # fmt: skip
            with self.subTest(expected=expected):
                self.assertEqual(f"a{expected}b", markup.escape(f"a{character}b"))

    def test_other_text_stays(self):
        self.assertEqual("Zürich ✓ 日本\t\n😀", markup.escape("Zürich ✓ 日本\t\n😀"))
        self.assertEqual("12.5", markup.escape(12.5))


class Elements(unittest.TestCase):
    def test_children_and_attributes(self):
        inner = markup.element("b", "<", 1)
        self.assertEqual("<b>&lt;1</b>", inner)
        self.assertEqual(
            '<p class="x&quot;" data-id="3"><b>&lt;1</b>&amp;</p>',
            markup.element("p", inner, "&", class_='x"', data_id=3),
        )

    def test_attributes_without_a_value_and_left_out(self):
        self.assertEqual("<details open></details>", markup.element("details", open=True, id=None, hidden=False))
        self.assertEqual('<rect x="0" y=""/>', markup.empty("rect", x=0, y=""))

    def test_lists(self):
        self.assertEqual(
            "<ul>\n<li>a &lt;</li>\n<li><b>c</b></li>\n</ul>", markup.bullets(["a <", markup.Markup("<b>c</b>")])
        )

    def test_what_is_markup_is_not_escaped_again(self):
        self.assertEqual("<a>&lt;</a>\n<br/>", markup.joined([markup.element("a", "<"), markup.empty("br")]))
        self.assertIsInstance(markup.joined([]), markup.Markup)
        self.assertEqual("<p>&lt;a&gt;</p>", markup.element("p", "<a>"))

    @needs_hypothesis
    def test_independent_parsers_find_the_text_again(self):
        texts = st.text("<>&\"'/=-!]ab \n\u202e\0é", max_size=20) | st.text(max_size=20)

        class Collector(HTMLParser):
            def __init__(self):
                super().__init__()
                self.tags, self.text = [], ""

            def handle_starttag(self, tag, attributes):
                self.tags.append((tag, dict(attributes)))

            def handle_data(self, data):
                self.text += data

        @given(texts, texts)
        def check(content, value):
            source = markup.element("p", content, title=value)
            shown = [
                "".join(f"[U+{ord(c):04X}]" if markup.escape(c).startswith("[U+") else c for c in text)
                for text in (content, value)
            ]
            parsed = ElementTree.fromstring(source)
            self.assertEqual((shown[0], []), (parsed.text or "", list(parsed)))
            self.assertEqual(["title"], list(parsed.attrib))
            collector = Collector()
            collector.feed(source)
            collector.close()
            self.assertEqual(([("p", {"title": shown[1]})], shown[0]), (collector.tags, collector.text))

        check()


if __name__ == "__main__":
    unittest.main()
