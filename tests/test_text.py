"""Text files: Markdown as HTML, places filled from values, relations held, and every mistake named with its line."""

from __future__ import annotations

from scenario_ratio.problems import BundleError
from scenario_ratio.show import text
from scenario_ratio.show.markup import Markup, element
from tests.support import BundleCase


class MarkdownBlocks(BundleCase):
    def test_headings_paragraphs_and_lists(self):
        source = "# One\n\nA line\nand its next.\n\n### Three\n\n- first\n- second\n  goes on\n"
        expected = (
            "<h1>One</h1>\n<p>A line\nand its next.</p>\n<h3>Three</h3>\n"
            "<ul>\n<li>first</li>\n<li>second\ngoes on</li>\n</ul>"
        )
        self.assertEqual(expected, text.render(source))

    def test_a_sign_in_the_text_opens_nothing(self):
        self.assertEqual("<p>#5 - no heading</p>", text.render("#5 - no heading"))


class MarkdownSpans(BundleCase):
    def test_code_strong_and_links(self):
        source = "Run `a < b`, **now**, see [the page](article.html#top) or [it](https://example.com/x?a=1&b=2)."
        expected = (
            '<p>Run <code>a &lt; b</code>, <strong>now</strong>, see <a href="article.html#top">the page</a> or '
            '<a href="https://example.com/x?a=1&amp;b=2">it</a>.</p>'
        )
        self.assertEqual(expected, text.render(source))

    def test_marks_inside_code_stay_as_they_are(self):
        self.assertEqual("<p><code>**a** [b](c)</code></p>", text.render("`**a** [b](c)`"))

    def test_what_is_no_mark_is_text(self):
        self.assertEqual("<p>&lt;b&gt; 2 * 3 ** 4 ` [U+202E]</p>", text.render("<b> 2 * 3 ** 4 ` \u202e"))

    def test_a_link_that_would_run_or_leave_is_text(self):
        for target in ("javascript:alert(1)", "data:text/html,x", "//example.com", "http://example.com", "../x"):
            with self.subTest(target=target):
                self.assertEqual(f"<p>[a]({target})</p>", text.render(f"[a]({target})"))


class MarkdownTitle(BundleCase):
    def test_it_is_the_first_heading_without_its_marks(self):
        self.assertEqual("A b c d", text.title("text\n\n## A `b` **c** [d](e)\n\n# Later\n"))

    def test_without_a_heading_it_is_the_first_line(self):
        self.assertEqual("First", text.title("First\nsecond"))


VALUES = {
    "rate": 70132.3, "ratio": 0.85364, "limit_ns": 2_000_000_000, "n": 1, "many": 1200, "none": None, "flag": True, "empty": [],
    "name": "<b>**x** [y](z) `c` {n}", "names": ["a", "b", "c"], "mixed": ["a", 1],
    "group": {"first": {"n": 3}, "a group of two": {"n": 2}}, "rows": [{"id": "7", "n": 1}, {"id": "9", "n": 2}],
    "link": "https://example.com", "trap": "javascript:alert(1)",
}  # fmt: skip
RELATIONS = {
    "so": lambda values: True,
    "not_so": lambda values: False,
    "one": lambda values: values["n"] == 1,
}
CALLS = {
    "{table t-1}": lambda caption: element("table", caption),
    "{figure f.svg}": lambda caption: element("figure", caption),
}


class Composing(BundleCase):
    def composed(self, source: str, **options: object) -> str:
        return "\n".join(text.compose(source, "a.md", VALUES, CALLS, RELATIONS, **options))

    def said(self, words: str) -> str:
        """Return what becomes of a sentence, without its paragraph."""
        return self.composed(f"{words}\n:: definition").removeprefix("<p>").removesuffix("</p>")

    def assert_wrong(self, source: str, *lines: str) -> None:
        found = [f"a.md: {line}" for line in lines]
        self.assert_refused(found, text.compose, source, "a.md", VALUES, CALLS, RELATIONS)


class Places(Composing):
    def test_spellings(self):
        for place, expected in (
            ("rate:rate", "70,132.3"), ("ratio:percent", "85.36%"), ("rate:points", "70132.30"), ("many:count", "1,200"),
            ("limit_ns:milliseconds", "2,000"), ("rate:metric", "70132.3"), ("ratio:fraction", "0.854"), ("n:percent", "100.00%"),
            ("n:words", "one"), ("n:capitalized", "One"), ("n:ordinal", "first"), ("n:is/are", "is"), ("many:is/are", "are"),
            ("names:listed", "a, b, c"), ("names:either", "a or b or c"), ("names:together", "a, b and c"), ("empty:listed", ""),
            ("link", "https://example.com"), ("names.1", "b"), ("group.a group of two.n:count", "2"), ("rows.1.id", "9"),
        ):  # fmt: skip
            with self.subTest(place):
                self.assertEqual(expected, self.said(f"{{{place}}}"))

    def test_lines_are_joined_and_braces_are_doubled(self):
        self.assertEqual("a {b} c 1,200 d", self.said("a {{b}} c\n  {many:count} d"))

    def test_what_fills_a_place_is_text_whatever_it_looks_like(self):
        value = "&lt;b&gt;**x** [y](z) `c` {n}"
        self.assertEqual(value, self.said("{name}"))
        self.assertEqual(f"<code>{value}</code>, <strong>{value}</strong>", self.said("`{name}`, **{name}**"))

    def test_a_place_may_be_filled_with_nothing(self):
        self.assertEqual("<code></code><strong></strong>", self.said("`{empty:listed}`**{empty:listed}**"))
        self.assertEqual('<a href="x"></a><a href="">a</a>', self.said("[{empty:listed}](x)[a]({empty:listed})"))

    def test_links_are_filled_before_they_are_judged(self):
        self.assertEqual(
            '<a href="https://example.com/tree/7">7</a>', self.said("[{rows.0.id}]({link}/tree/{rows.0.id})")
        )
        self.assertEqual("[7](javascript:alert(1))", self.said("[{rows.0.id}]({trap})"))

    def test_an_unknown_path_spelling_or_type_is_named_with_its_line(self):
        top = ", ".join(VALUES)
        spellings = "rate, percent, points, metric, fraction, count, milliseconds, words, capitalized, ordinal, listed, either, together"
        for place, found in (
            ("rates:rate", f"{{rates:rate}}: found no 'rates'; expected one of {top}"),
            (
                "group.second.n:count",
                "{group.second.n:count}: found no 'second'; expected one of first, a group of two",
            ),
            ("names.3", "{names.3}: found no '3'; expected a path to a value"),
            ("names.b", "{names.b}: found no 'b'; expected a path to a value"),
            ("rate.x", "{rate.x}: found no 'x'; expected a path to a value"),
            ("name.x", "{name.x}: found no 'x'; expected a path to a value"),
            (
                "rate:rat",
                f"{{rate:rat}}: found no spelling 'rat'; expected one of {spellings}, or two words parted by /",
            ),
            (
                "n:a/b/c",
                f"{{n:a/b/c}}: found no spelling 'a/b/c'; expected one of {spellings}, or two words parted by /",
            ),
            ("rate", "{rate}: found 70132.3; expected str"),
            ("rate:count", "{rate:count}: found 70132.3; expected int"),
            ("ratio:row/rows", "{ratio:row/rows}: found 0.85364; expected int"),
            ("flag:count", "{flag:count}: found True; expected int"),
            ("none:percent", "{none:percent}: found None; expected int or float"),
            ("none", "{none}: found None; expected str"),
            ("names:count", "{names:count}: found ['a', 'b', 'c']; expected int"),
            ("name:listed", "{name:listed}: found '<b>**x** [y](z) `c` {n}'; expected a list"),
            ("mixed:listed", "{mixed:listed}: found 1; expected str"),
        ):
            with self.subTest(place):
                self.assert_wrong(f"First line,\nthen {{{place}}}.\n:: definition", f"line 2, {found}")

    def test_a_place_without_a_path(self):
        self.assert_wrong("{}\n:: so", f"line 1, {{}}: found no ''; expected one of {', '.join(VALUES)}")

    def test_a_conversion_is_no_spelling(self):
        with self.assertRaises(BundleError) as caught:
            self.said("{n!r}")
        self.assertIn("a.md: line 1, {n:!r}: found no spelling '!r'; expected one of rate, ", str(caught.exception))

    def test_a_template_that_is_none(self):
        expected = "expected places such as {counts.complete_pairs:count}, {{ for a brace"
        for words in ("a { b", "a } b", "{n!}", "{n:{", "{n"):
            with self.subTest(words), self.assertRaises(BundleError) as caught:
                self.said(words)
            self.assertIn(f"a.md: line 1: found a brace that makes no place; {expected}", str(caught.exception))

    def test_all_mistakes_are_told_together(self):
        self.assert_wrong(
            "{n:count} {x} {y}\n:: so\n\n{n:percents} {rate}\n:: not_so, nothing",
            f"line 1, {{x}}: found no 'x'; expected one of {', '.join(VALUES)}",
            f"line 1, {{y}}: found no 'y'; expected one of {', '.join(VALUES)}",
            "line 4, {n:percents}: found no spelling 'percents'; expected one of rate, percent, points, metric, fraction, count, "
            "milliseconds, words, capitalized, ordinal, listed, either, together, or two words parted by /",
            "line 4, {rate}: found 70132.3; expected str",
            "line 5, nothing: found no such relation; expected definition, a relation of show/relations.py, or a path to a value",
            "line 5, not_so: found not so in the results; expected that not so",
        )


class Claims(Composing):
    def test_words_rest_on_relations_or_define(self):
        for marks in (":: definition", ":: so", ":: so, one", "  :: so", ":: definition, so"):
            self.assertEqual("<p>Words.</p>", self.composed(f"Words.\n{marks}"))

    def test_words_that_rest_on_nothing(self):
        expected = "found words that rest on nothing; expected a line ':: relation' or ':: definition' under them"
        for source, line in (
            ("Words.", 1), ("\n\nWords.\n:? so", 3), ("Words.\n::", 1), ("# Head {#h}", 1), ("- a\n  :: so\n- b", 3), ("- a\n- b\n  :: so", 1), ("# A {#a}\n# B {#b}\n:: so\n:! so", 1),
            ("{table t-1}\nCaption.", 2), ("One.\n:: so\nTwo.", 3), ("One.\n:! so\n:: so\nTwo.\n:? not_so", 4), (":: so", 1),
        ):  # fmt: skip
            with self.subTest(source):
                self.assert_wrong(source, f"line {line}: {expected}")

    def test_a_relation_that_does_not_hold(self):
        line = "line 3, not_so: found not so in the results; expected that not so"
        self.assert_wrong("Words,\nand words.\n:: so, not_so", line)

    def test_an_unknown_relation_is_told_of_whether_its_words_are_shown_or_not(self):
        told = "nothing: found no such relation; expected definition, a relation of show/relations.py, or a path to a value"
        self.assert_wrong("W\n:: nothing", f"line 2, {told}")
        self.assert_wrong("W\n:? nothing\n:: so", f"line 2, {told}")
        self.assert_wrong("W\n:: so\n:! nothing", f"line 3, {told}")
        self.assert_wrong("W\n:? not_so\n:: nothing", f"line 3, {told}")

    def test_a_path_holds_if_it_leads_to_something(self):
        for path, holds in (("n", True), ("names", True), ("empty", False), ("none", False), ("group.first.n", True)):
            self.assertEqual("<p>W</p>" * holds, self.composed(f"W\n:? {path}\n:: so"), path)
            self.assertEqual("<p>W</p>" * (not holds), self.composed(f"W\n:! {path}\n:: so"), path)
        self.assertEqual("<p>W</p>", self.composed("W\n:: names"))
        self.assert_wrong("W\n:: empty", "line 2, empty: found not so in the results; expected that empty")


class LeftOut(Composing):
    def test_sentences(self):
        source = "A.\n:: so\nB.\n:? {0}\n:: so\nC.\n:! {0}\n:: so"
        self.assertEqual("<p>A. B.</p>", self.composed(source.format("so")))
        self.assertEqual("<p>A. C.</p>", self.composed(source.format("not_so")))
        self.assertEqual(
            "<p>A. C.</p>", self.composed(source.format("so, not_so").replace(":! so, not_so", ":! not_so"))
        )

    def test_all_of_what_is_wanted_and_none_of_what_is_not(self):
        for marks, shown in (
            (":? so, one", True), (":? so, not_so", False), (":? so\n:? not_so", False),
            (":! not_so", True), (":! not_so, so", False), (":? so\n:! not_so", True), (":? so\n:! one", False),
        ):  # fmt: skip
            self.assertEqual("<p>W</p>" * shown, self.composed(f"W\n{marks}\n:: so"), marks)

    def test_what_is_left_out_need_not_hold_and_is_not_filled(self):
        self.assertEqual("", self.composed("{nothing:here}\n:? not_so\n:: not_so"))

    def test_a_heading_takes_its_section_along(self):
        source = "# A {#a}\n:? {}\n:: so\n\nOne.\n:: so\n\n- two\n  :: so\n\n# B {#b}\n:: so\n\nThree.\n:: so"
        self.assertEqual('<h1 id="b">B</h1>\n<p>Three.</p>', self.composed(source.replace("{}", "not_so")))
        whole = '<h1 id="a">A</h1>\n<p>One.</p>\n<ul>\n<li>two</li>\n</ul>\n<h1 id="b">B</h1>\n<p>Three.</p>'
        self.assertEqual(whole, self.composed(source.replace("{}", "so")))

    def test_one_heading_or_another(self):
        source = "## A {#h}\n:? {0}\n:: so\n## B {#h}\n:! {0}\n:: so\n\nW\n:: so"
        self.assertEqual('<h2 id="h">A</h2>\n<p>W</p>', self.composed(source.replace("{0}", "so")))
        self.assertEqual('<h2 id="h">B</h2>\n<p>W</p>', self.composed(source.replace("{0}", "not_so")))
        self.assert_wrong(
            "## A {#h}\n:: so\n## B {#h}\n:: so", "line 1: found two headings; expected one, with its {#id}"
        )

    def test_a_call_takes_its_caption_along(self):
        source = "{table t-1}\n:? {}\nCaption {n:count}.\n:: so"
        self.assertEqual("", self.composed(source.replace("{}", "not_so")))
        self.assertEqual("<table>Caption 1.</table>", self.composed(source.replace("{}", "so")))

    def test_items_and_what_goes_on_with_them(self):
        source = "- a\n  :: so\n- b\n  :? not_so\n  :: so\n- c\n  :: so\n  and more\n  :: so\n  and none\n  :? not_so\n  :: so"
        self.assertEqual("<ul>\n<li>a</li>\n<li>c and more</li>\n</ul>", self.composed(source))
        self.assertEqual("", self.composed("- a\n  :? not_so\n  :: so"))


class Repeated(Composing):
    def test_items(self):
        source = "- {item.id}: {item.n:count} of {many:count}\n  :* rows\n  :: so"
        self.assertEqual("<ul>\n<li>7: 1 of 1,200</li>\n<li>9: 2 of 1,200</li>\n</ul>", self.composed(source))
        self.assertEqual("", self.composed("- {item}\n  :* empty\n  :: so"))

    def test_enumerations_in_a_sentence(self):
        self.assertEqual(
            "<p>These: <code>a</code>, <code>b</code>, <code>c</code>. So.</p>",
            self.composed("These:\n:: so\n`{item}`\n:*, names\n:: so\nSo.\n:: so"),
        )
        self.assertEqual("<p>7 once; 9 twice.</p>", self.composed("{item.id} {item.n:once/twice}\n:*; rows\n:: so"))
        self.assertEqual("<p>7. 9.</p>", self.composed("{item.id}.\n:* rows\n:: so"))
        self.assertEqual("<p>A. B.</p>", self.composed("A.\n:: so\n{item}\n:*, empty\n:: so\nB.\n:: so"))

    def test_what_is_no_list(self):
        self.assert_wrong("{item}\n:* n\n:: so", "line 2, n: found 1; expected list")
        self.assert_wrong("{item}\n:* row\n:: so", f"line 2, row: found no 'row'; expected one of {', '.join(VALUES)}")


class Blocks(Composing):
    def test_headings_have_an_id(self):
        self.assertEqual('<h2 id="a-b">One &lt; 1</h2>', self.composed("## {n:capitalized} < {n:count} {#a-b}\n:: so"))
        for source in ("## A\n:: so", "## A {#A b}\n:: so"):
            with self.subTest(source):
                self.assert_wrong(source, "line 1: found a heading without an id; expected one, with its {#id}")

    def test_what_the_caller_has(self):
        source = "{table t-1}\nA {name}.\n:: so\nMore.\n:: so\n\n{figure f.svg}\nB\n:: so"
        table = "<table>A &lt;b&gt;**x** [y](z) `c` {n}. More.</table>"
        self.assertEqual(f"{table}\n<figure>B</figure>", self.composed(source))
        self.assert_wrong(
            "\n{table t-2}\nA\n:: so",
            "line 2, {table t-2}: found no such line; expected one of {table t-1}, {figure f.svg}",
        )
        self.assert_wrong(
            "{tabel t-1}\nA\n:: so",
            "line 1, {tabel t-1}: found no such line; expected one of {table t-1}, {figure f.svg}",
        )

    def test_code_stands_as_it_is(self):
        source = "```\na {n} <\n\n:: so\n  b\n```\n:: definition\n\nW\n:: so"
        self.assertEqual(
            '<pre tabindex="0"><code>a {n} &lt;\n\n:: so\n  b</code></pre>\n<p>W</p>', self.composed(source)
        )

    def test_comments_are_left_out(self):
        self.assertEqual("<p>W</p>", self.composed("<!-- a {n:\n:: nothing -->\n\nW\n:: so"))

    def test_nothing(self):
        self.assertEqual("", self.composed(""))

    def test_parts_are_markup(self):
        self.assertIsInstance(text.compose("W\n:: so", "a.md", VALUES, CALLS, RELATIONS)[0], Markup)
