"""The frame of a page, its policy, its tables."""

from __future__ import annotations

import base64
import hashlib
import re
import unittest

from scenario_ratio.problems import BundleError
from scenario_ratio.show import page
from scenario_ratio.show.markup import Markup
from tests.support import ROOT


def asset(name: str) -> bytes:
    return (ROOT / name).read_bytes()


def digest(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


class Document(unittest.TestCase):
    def setUp(self):
        self.html = page.document(
            "A <b>", 'x" y', Markup("<main>é</main><svg><style>.a{}</style></svg>"), asset, ("table.js",)
        ).decode()
        self.policy = re.search(r'Content-Security-Policy" content="([^"]*)"', self.html)[1]

    def test_title_and_description_are_escaped(self):
        self.assertIn("<title>A &lt;b&gt;</title>", self.html)
        self.assertIn('name="description" content="x&quot; y"', self.html)

    def test_the_policy_names_every_style_and_script_and_nothing_else(self):
        directives = dict(directive.split(" ", 1) for directive in self.policy.split("; "))
        styles = {digest(text) for text in re.findall(r"<style>(.*?)</style>", self.html, re.DOTALL)}
        scripts = {digest(text) for text in re.findall(r"<script>(.*?)</script>", self.html, re.DOTALL)}
        self.assertEqual((2, 1), (len(styles), len(scripts)))
        self.assertEqual(styles, set(directives["style-src"].split(" ")))
        self.assertEqual(scripts, set(directives["script-src"].split(" ")))
        self.assertEqual("'none'", directives["default-src"])
        self.assertEqual("'none'", directives["base-uri"])
        self.assertEqual("'none'", directives["form-action"])

    def test_a_page_without_scripts_allows_none(self):
        self.assertIn("script-src 'none';", page.document("t", "d", Markup(""), asset).decode())

    def test_further_directives_are_added(self):
        self.assertIn(
            "; worker-src 'self'\">", page.document("t", "d", Markup(""), asset, (), "worker-src 'self'").decode()
        )


class Policy(unittest.TestCase):
    def test_every_directive(self):
        closed = "base-uri 'none'; form-action 'none'"
        self.assertEqual(
            f"default-src 'none'; style-src 'none'; script-src 'none'; {closed}", page._policy("<p></p>", "", "")
        )
        html = "<style>a</style><script>b</script><style>c\n</style><script>d\n</script><style>a</style>"
        styles, scripts = (" ".join(sorted(map(digest, texts))) for texts in (("a", "c\n"), ("b", "d\n")))
        self.assertEqual(
            f"default-src 'none'; style-src {styles}; script-src {scripts} 'self'; {closed}; worker-src blob:",
            page._policy(html, "worker-src blob:", "'self'"),
        )

    def test_an_asset_that_is_no_text_is_named(self):
        with self.assertRaises(BundleError) as caught:
            page.inline(lambda name: b"\xff", "x.css")
        self.assertEqual("web/x.css: line 1: found byte 0xff; expected valid UTF-8", str(caught.exception))


class Parts(unittest.TestCase):
    def test_a_table_has_a_caption_headings_and_escaped_cells(self):
        table = page.table("t", "C & D", ["Name", "#Count"], [["<x>", page.number("1,000", 1000)]], filter_id="f")
        expected = (
            '<div class="scroll wide" role="region" aria-labelledby="t-caption" tabindex="0"><table id="t" data-sortable="f">\n'
            '<caption id="t-caption"><span>C &amp; D</span></caption>\n<thead><tr><th scope="col">Name</th><th scope="col" class="number">'
            'Count</th></tr></thead>\n<tbody>\n<tr><th scope="row">&lt;x&gt;</th><td class="number" data-value="1000">1,000</td>'
            "</tr>\n</tbody>\n</table></div>"
        )
        self.assertEqual(expected, table)

    def test_a_cell_that_only_looks_like_one_is_escaped(self):
        self.assertIn("<td>&lt;td&gt;</td>", page.table("t", "c", ["a", "b"], [["x", "<td>"]]))

    def test_a_figure(self):
        self.assertEqual(
            '<figure class="wide">\n<div class="scroll" role="region" aria-label="C &amp; D" tabindex="0"><svg/></div>\n'
            "<figcaption>C &amp; D</figcaption></figure>",
            page.figure("<svg/>\n", "C & D"),
        )
