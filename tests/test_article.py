"""What the article says, and that it says nothing else."""

from __future__ import annotations

import ast
import copy
import json
import re

import build_article
from scenario_ratio import wording
from scenario_ratio.files import read_json
from scenario_ratio.proof import reading
from scenario_ratio.show.sections import analyses
from tests.support import ROOT, BundleCase, copied_bundle

FIGURES = {name: (ROOT / name).read_bytes() for name in build_article.FIGURES}
HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>\u202egnp\u200b&amp;"
PUBLISHED = [
    "85.36%", "94.37%", "97.87%", "101.72%", "12.51 percentage points", "152 pairs", "59,867.8", "70,132.3", "100,630.0",
    "106,637.0", "106,949.0", "109,277.0", "899,005.0", "883,761.0", "80.544618", "3497.60466", "82.2987", "44.3867688",
    "22.0131648", "28.5875838", "265.005", "Row 264", "11 have Server above Offline", "Not a number of this article",
]  # fmt: skip


def text_of(html: bytes) -> str:
    return " ".join(reading.read_html(html, "article.html")[0].split())


class Content(BundleCase):
    @classmethod
    def setUpClass(cls):
        cls.results = read_json(ROOT, "results.json")
        cls.html = build_article.build(cls.results, FIGURES)
        cls.text = text_of(cls.html)

    def test_the_published_figures_are_there(self):
        self.assertEqual(["Not a number of this article"], [fact for fact in PUBLISHED if fact not in self.text])

    def test_the_question_and_the_answer_come_first(self):
        opening = self.text.split("What Offline and Server are")[0]
        for phrase in (
            "How much does the number drop",
            "85.36% of the Offline rate for deepseek-r1",
            "12.51 percentage points",
        ):
            self.assertIn(phrase, opening)
        self.assertLess(len(opening.split()), 200)

    def test_every_pair_is_a_row(self):
        table = self.html.decode().split('<table id="all-pairs"')[1].split("</table>")[0]
        rows = re.findall(r'<th scope="row">([0-9/]+)</th>', table)
        self.assertEqual([f"{pair['offline_id']}/{pair['server_id']}" for pair in self.results["pairs"]], rows)
        self.assertEqual(152, len(rows))

    def test_eleven_pairs_above_are_told(self):
        table = self.html.decode().split('<table id="above-pairs"')[1].split("</table>")[0]
        self.assertEqual(11, table.count('<th scope="row">'))

    def test_the_words_of_the_messaging_rules(self):
        for words in (
            "MLPerf® Inference: Datacenter v6.1, closed division, Offline and Server scenarios",
            "Result not verified by MLCommons Association.",
            "Results of github.com/mlcommons/inference_results_v6.1 at 4bb63cd28eb1, copies retrieved 2026-11-30",
            wording.TRADEMARK,
        ):
            self.assertIn(words, self.text)

    def test_the_name_always_carries_its_sign(self):
        prose = re.sub(r"https?://\S+|\S*mlperf_log\S*|MlperfModel|The MLPerf name and logo", "", self.text)
        self.assertEqual([], re.findall(r".{20}MLPerf(?!®).{10}", prose))

    def test_words_that_the_article_must_not_use(self):
        for word in (
            "fastest",
            "winner",
            "outperform",
            "because of the scenario",
            "wall power is",
            "improved by",
            "best",
        ):
            self.assertNotIn(word, self.text.lower())

    def test_nothing_unknown_is_counted_and_nothing_is_loaded(self):
        self.assert_problems([], reading.unknown_numbers(self.text, "article.html", reading.spellings(self.results)))
        self.assert_problems([], reading.read_html(self.html, "article.html")[3])

    def test_no_number_is_typed_into_its_sources(self):
        sources = [ROOT / "build_article.py", *sorted((ROOT / "scenario_ratio/show/sections").glob("*.py"))]
        allowed = {"100%", "64-bit", "99th", "2.0", "0"}  # the fixed words of documents.FIXED, and tabindex="0"
        for path in sources:
            typed = [
                token
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.col_offset
                for token in re.findall(r"(?<![\w{#.-])\d[\w.,%-]*", re.sub(r"<[^>]*>|SHA-256", "", node.value))
            ]
            with self.subTest(path.name):
                self.assertEqual(set(), set(typed) - allowed)


class Changed(BundleCase):
    """The article follows the results: what is changed in them changes in it."""

    def setUp(self):
        self.results = copy.deepcopy(read_json(ROOT, "results.json"))

    def test_a_rate(self):
        self.results["pairs"][0]["offline_tokens_per_s"] = 987654.25
        self.assertIn("987,654.2", text_of(build_article.build(self.results, FIGURES)))

    def test_a_count(self):
        self.results["counts"]["pairs_with_server_greater_than_offline"] = 777
        self.assertIn("777 have Server above Offline", text_of(build_article.build(self.results, FIGURES)))

    def test_hostile_texts_come_out_as_text(self):
        def poisoned(value: object, key: str = "") -> object:
            if isinstance(value, dict):
                return {name: poisoned(item, name) for name, item in value.items()}
            if isinstance(value, list):
                return [poisoned(item, key) for item in value]
            names = ("submitter", "system", "platform", "accelerator", "printed", "statement", "reason", "allowed")
            return HOSTILE if key in names and isinstance(value, str) else value

        html = build_article.build(poisoned(self.results), FIGURES)
        text, _, _, problems = reading.read_html(html, "article.html")
        self.assert_problems([], problems)
        self.assertIn("\"'><script>alert(1)</script><img src=x onerror=alert(2)>[U+202E]gnp[U+200B]&amp;", text)
        self.assertNotIn("\u202e", html.decode())
        self.assertEqual(1, html.decode().count("<script>"))
        self.assertNotIn("<img", html.decode())

    def test_no_accelerator_and_no_unmatched_row(self):
        self.results["unmatched"] = []
        self.assertIn("Every eligible row has a partner.", text_of(build_article.build(self.results, FIGURES)))


class Saved(BundleCase):
    def test_the_saved_article_is_the_one_that_is_built(self):
        results = json.loads((ROOT / "results.json").read_text(encoding="utf-8"))
        self.assertEqual((ROOT / "article.html").read_bytes(), build_article.build(results, FIGURES))


class Figures(BundleCase):
    def test_a_figure_that_is_not_utf8(self):
        root = copied_bundle(self, "results.json", *build_article.FIGURES)
        (root / "latency-headroom.svg").write_bytes(b"<svg>\n\xb7</svg>\n")
        line = ["latency-headroom.svg: line 2: found byte 0xb7; expected valid UTF-8"]
        self.assert_refused(line, build_article.outputs, root, root)


class Anomalies(BundleCase):
    """The words beside an anomaly, for each kind and each outcome."""

    def test_what_follows(self):
        mean = {"kind": "mean outside its percentiles", "lower_bound_ns": 1000, "upper_bound_ns": 20000}
        bounds = "percentiles bound the mean between 1,000 and 20,000 ns"
        for entry, told in (
            (
                {"kind": "errors encountered", "lower_bound_ns": None, "summary_errors": 1234},
                "summary says 1,234 errors",
            ),
            ({"kind": "warnings encountered", "lower_bound_ns": None, "summary_errors": 7}, ""),
            ({**mean, "wraps": None}, bounds),
            (
                {**mean, "wraps": 1, "samples": 5000, "unwrapped_mean_ns": 15000},
                f"{bounds}; with 5,000 samples and 1 wrap of a 64-bit sum it is 15,000 ns, within a few millionths",
            ),
        ):
            self.assertEqual(told, analyses._explained(entry))
