"""The notebook's prose as HTML."""

from __future__ import annotations

import unittest

from scenario_ratio.show import markdown


class Blocks(unittest.TestCase):
    def test_headings_paragraphs_and_lists(self):
        text = "# One\n\nA line\nand its next.\n\n### Three\n\n- first\n- second\n  goes on\n"
        expected = (
            "<h1>One</h1>\n<p>A line\nand its next.</p>\n<h3>Three</h3>\n"
            "<ul>\n<li>first</li>\n<li>second\ngoes on</li>\n</ul>"
        )
        self.assertEqual(expected, markdown.render(text))

    def test_a_sign_in_the_text_opens_nothing(self):
        self.assertEqual("<p>#5 - no heading</p>", markdown.render("#5 - no heading"))


class Spans(unittest.TestCase):
    def test_code_strong_and_links(self):
        text = "Run `a < b`, **now**, see [the page](article.html#top) or [it](https://example.com/x?a=1&b=2)."
        expected = (
            '<p>Run <code>a &lt; b</code>, <strong>now</strong>, see <a href="article.html#top">the page</a> or '
            '<a href="https://example.com/x?a=1&amp;b=2">it</a>.</p>'
        )
        self.assertEqual(expected, markdown.render(text))

    def test_marks_inside_code_stay_as_they_are(self):
        self.assertEqual("<p><code>**a** [b](c)</code></p>", markdown.render("`**a** [b](c)`"))

    def test_what_is_no_mark_is_text(self):
        self.assertEqual("<p>&lt;b&gt; 2 * 3 ** 4 ` [U+202E]</p>", markdown.render("<b> 2 * 3 ** 4 ` \u202e"))

    def test_a_link_that_would_run_or_leave_is_text(self):
        for target in ("javascript:alert(1)", "data:text/html,x", "//example.com", "http://example.com", "../x"):
            with self.subTest(target=target):
                self.assertEqual(f"<p>[a]({target})</p>", markdown.render(f"[a]({target})"))


class Title(unittest.TestCase):
    def test_it_is_the_first_heading_without_its_marks(self):
        self.assertEqual("A b c d", markdown.title("text\n\n## A `b` **c** [d](e)\n\n# Later\n"))

    def test_without_a_heading_it_is_the_first_line(self):
        self.assertEqual("First", markdown.title("First\nsecond"))


if __name__ == "__main__":
    unittest.main()
