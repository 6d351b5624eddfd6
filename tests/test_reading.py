"""What is demanded of a text that people read: numbers, form, links."""

from __future__ import annotations

from scenario_ratio.problems import BundleError
from scenario_ratio.proof import reading
from tests.support import BundleCase

RESULTS = {
    "pairs": [{"offline_tokens_per_s": 70132.3, "ratio": 0.8536409044049603, "platform": "B300-SXM-270GBx8_TRT"}],
    "ttft_p99_ns": 1050670916,
    "target": 3497.6046600000004,
    "rows": 15252,
    "offline_id": "285",
}


class Numbers(BundleCase):
    def problems(self, text: str) -> list:
        return reading.unknown_numbers(text, "page", reading.spellings(RESULTS))

    def test_every_spelling_of_the_formatter_is_known(self):
        text = "70,132.3 and 85.36%, 1,050.67 ms; 3497.60466. (15,252) 0.854 285/285 -85.36%"
        self.assert_problems([], self.problems(text))

    def test_digits_inside_a_text_of_the_results_are_known(self):
        self.assert_problems([], self.problems("on B300-SXM-270GBx8_TRT, p99 and 99th percentile, 100%"))

    def test_each_other_number_is_named_once(self):
        expected = "expected a number of results.json, as the formatter spells it"
        self.assert_problems(
            [f"page: a number: found '85.37%'; {expected}", f"page: a number: found '70,132.4'; {expected}"],
            self.problems("85.37% and 70,132.4 and 85.37%."),
        )

    def test_a_result_in_another_spelling_is_not_known(self):
        self.assertEqual(2, len(self.problems("it is 85.3641% or 70.1323k")))


class Spellings(BundleCase):
    def test_a_number_that_is_there_whole_and_with_a_point_is_spelled_as_both(self):
        for results in ([5000, 5000.0], [5000.0, 5000]):
            with self.subTest(results):
                text = "5,000 5,000.0 5000 5000.0 500000.00% 5000.000 5000.00"
                self.assert_problems([], reading.unknown_numbers(text, "page", reading.spellings(results)))

    def test_true_is_no_number(self):
        line = "page: a number: found '1'; expected a number of results.json, as the formatter spells it"
        self.assert_problems([line], reading.unknown_numbers("1", "page", reading.spellings({"a": True})))


class Known(BundleCase):
    """What may stand in a text besides the spellings, to the digit."""

    def unknown(self, text: str, results: object) -> list[str]:
        expected = "a number of results.json, as the formatter spells it"
        problems = reading.unknown_numbers(text, "page", reading.spellings(results))
        self.assertEqual([("page", "", "a number", expected)] * len(problems), [(*p[:3], p.expected) for p in problems])
        return [problem.found for problem in problems]

    def test_a_negative_number_with_and_without_its_sign(self):
        self.assertEqual([], self.unknown("-12.50, \u221212.50 and 12.50", {"a": -12.5}))
        self.assertEqual(["'12.60'"], self.unknown("-12.60", {"a": -12.5}))

    def test_a_text_of_four_characters_is_known_within_a_word_and_one_of_three_is_not(self):
        self.assertEqual([], self.unknown("1.25%", {"a": "1.25"}))
        self.assertEqual(["'1.2%'"], self.unknown("1.2% and 1.2", {"a": "1.2"}))

    def test_what_is_left_of_a_word_is_looked_at(self):
        self.assertEqual(["'77'"], self.unknown("1.2577", {"a": "1.25"}))

    def test_a_commit_may_be_cut_to_twelve_digits(self):
        results = {"commit": "123456789012" + "a" * 28, "other": "345678901234"}
        self.assertEqual([], self.unknown("at 123456789012", results))
        self.assertEqual(["'234567890123'", "'12345'"], self.unknown("at 234567890123 and 12345", results))
        self.assertEqual(["'123456789012'"], self.unknown("at 123456789012", {"commit": "123456789012" + "a" * 27}))


class Html(BundleCase):
    def problems(self, html: str) -> list:
        return reading.read_html(html.encode(), "page").problems

    def test_text_links_and_ids(self):
        html = '<p id="a">x &lt;b&gt; <a href="#a">y</a></p><script>no</script><style>p{color:red}</style><br>'
        text, links, ids, problems = reading.read_html(html.encode(), "page")
        self.assertEqual("x <b>  y", " ".join(text.split("\n")))
        self.assertEqual((["#a"], ["a"], []), (links, ids, problems))

    def test_elements_without_an_end(self):
        # the void elements of the HTML standard
        for tag in (
            "area",
            "base",
            "br",
            "col",
            "embed",
            "hr",
            "img",
            "input",
            "link",
            "meta",
            "source",
            "track",
            "wbr",
        ):
            with self.subTest(tag):
                self.assert_problems([], self.problems(f"<p><{tag}></p>"))

    def test_every_attribute_that_loads(self):
        names = (
            "src",
            "srcset",
            "data",
            "poster",
            "action",
            "formaction",
            "background",
            "manifest",
            "ping",
            "xlink:href",
        )
        for name in names:
            with self.subTest(name):
                line = f"page: line 1, a {name}: found 'x'; expected nothing that loads or runs"
                self.assert_problems([line], self.problems(f'<a {name}="x"></a>'))
                self.assert_problems([], self.problems(f'<a {name}="#x"></a>'))

    def test_ticks_of_an_axis_are_no_text(self):
        html = '<svg><text class="fig-text fig-tick">25%</text><text class="fig-text">85%</text></svg>'
        self.assertEqual("85%", reading.read_html(html.encode(), "page").text)

    def test_tags_that_do_not_match(self):
        self.assert_problems(
            [
                "page: line 1, </b>: found an end tag inside i; expected </i>",
                "page: b: found no end tag; expected </b>",
            ],
            self.problems("<b><i></b></i>"),
        )
        self.assert_problems(
            ["page: line 1, </b>: found an end tag inside u; expected </u>"], self.problems("<b><i><u></b></u></i></b>")
        )
        self.assert_problems(
            ["page: line 2, </b>: found an end tag inside nothing; expected </nothing>"], self.problems("x\n</b>")
        )

    def test_a_link_to_nowhere(self):
        self.assertEqual(["", "#b"], reading.read_html(b"<a>a</a><a href='#b'>b</a>", "page").links)

    def test_an_id_twice(self):
        self.assert_problems(
            ["page: id: found 'a' twice; expected each id once"], self.problems('<p id="a"></p><p id="a"></p>')
        )

    def test_whatever_loads_or_runs(self):
        for html, field in (
            ('<img src="https://example.org/x.png">', "img src"),
            ('<img src="x.png"/>', "img src"),
            ('<link rel="stylesheet" href="x.css">', "link href"),
            ('<p onclick="x()"></p>', "p onclick"),
            ('<p style="color:red"></p>', "p style"),
            ('<form action="/x"></form>', "form action"),
            ('<a ping="https://example.org"></a>', "a ping"),
        ):
            with self.subTest(html):
                (problem,) = self.problems(html)
                self.assertEqual(("line 1", field), (problem.place, problem.field))
                self.assertEqual("nothing that loads or runs", problem.expected)

    def test_an_image_that_stands_in_the_page_loads_nothing(self):
        self.assert_problems([], self.problems('<img src="data:image/svg+xml;base64,AA" alt="x">'))
        (problem,) = self.problems('<img src="data:text/html,x">')
        self.assertEqual("img src", problem.field)

    def test_a_style_that_loads(self):
        for style in ("@import 'x'", "p{background:url(x)}", "p{background:URL( x )}", "@font-face{src:url(x)}"):
            with self.subTest(style):
                self.assertEqual(
                    ["page: line 1, style: found a reference to another file; expected styles alone"],
                    [str(problem) for problem in self.problems(f"<style>{style}</style>")],
                )

    def test_what_no_reader_follows(self):
        for html in ("x\n<![x[", "x\n&#" + "9" * 5000 + ";", "x\n<a href='&#" + "9" * 5000 + ";'>"):
            with self.subTest(html[:8]):
                error = self.assert_one_line(self.problems, html)
                self.assertRegex(error, r"^page: line [12]: found markup that cannot be read; expected HTML$")

    def assert_one_line(self, function, *arguments) -> str:
        with self.assertRaises(BundleError) as caught:
            function(*arguments)
        self.assertEqual(1, len(str(caught.exception).split("\n")))
        return str(caught.exception)

    def test_bytes_that_are_not_utf8(self):
        line = ["page: line 2: found byte 0xb7; expected valid UTF-8"]
        self.assert_refused(line, reading.read_html, b"<p>\n\xb7</p>", "page")


class Svg(BundleCase):
    def problems(self, inner: str, attributes: str = "") -> list:
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {attributes}>{inner}</svg>'
        return reading.svg_problems(svg.encode(), "figure")

    def test_shapes_and_text_are_fine(self):
        self.assert_problems([], self.problems("<style>.a{fill:red}</style><rect class='a'/><text>x</text>"))

    def test_no_xml(self):
        self.assert_problems(
            ["figure: line 1: found no well-formed XML; expected SVG"],
            reading.svg_problems(b"<svg><p></svg>", "figure"),
        )

    def test_bytes_that_are_not_utf8(self):
        for raw in (b"<svg>\n\xb7</svg>", b'<?xml version="1.0" encoding="latin-1"?><svg>\n\xb7</svg>'):
            line = ["figure: line 2: found byte 0xb7; expected valid UTF-8"]
            self.assert_refused(line, reading.svg_problems, raw, "figure")

    def test_an_encoding_that_does_not_exist(self):
        raw = b'<?xml version="1.0" encoding="no-such"?><svg xmlns="http://www.w3.org/2000/svg"/>'
        self.assert_problems([], reading.svg_problems(raw, "figure"))

    def test_whatever_loads_or_runs(self):
        for tag in ("script", "foreignObject", "image", "a", "use"):
            line = f"figure: {tag}: found an element that loads or runs; expected shapes and text"
            self.assert_problems([line], self.problems(f"<{tag}/>"))
        for attribute, key, value in (
            ("onload='x()'", "onload", "x()"),
            ("fill='url(https://example.org/x)'", "fill", "url(https://example.org/x)"),
            ("xlink:href='x'", "href", "x"),
            ("src='x'", "src", "x"),
            ("style='fill:red'", "style", "fill:red"),
        ):
            line = f"figure: rect, {key}: found {value!r}; expected no reference and no handler"
            self.assert_problems([line], self.problems(f"<rect {attribute}/>"))
        self.assert_problems(
            ["figure: style: found a reference to another file; expected styles alone"],
            self.problems("<style>@import 'x'</style><style/>"),
        )


class Links(BundleCase):
    def test_links_that_lead_somewhere(self):
        links = ["#a", "results.json", "https://example.org/x#y", "results.json#x"]
        self.assert_problems([], reading.link_problems(links, ["a"], {"results.json"}, "page"))

    def test_links_and_headings_of_a_readme(self):
        text = "# A title: with `code`\n[a](b.md), [c](#d-e)\n## Run it\n![x](https://example.org/y.svg)\n"
        links, ids = reading.markdown_links(text)
        self.assertEqual(["b.md", "#d-e", "https://example.org/y.svg"], links)
        self.assertEqual(["a-title-with-code", "run-it"], ids)

    def test_links_that_lead_nowhere(self):
        expected = "expected an id of this page, a file of the bundle, or https://"
        self.assert_problems(
            [f"page: link: found {link!r}; {expected}" for link in ("#b", "no.json", "http://example.org", "")],
            reading.link_problems(["#b", "no.json", "http://example.org", ""], ["a"], {"results.json"}, "page"),
        )
