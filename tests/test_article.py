"""What the article says, that it says nothing else, and that no sentence of it outlives what it rests on."""

from __future__ import annotations

import ast
import copy
import csv
import json
import re

from scenario_ratio import wording
from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import Bundle
from scenario_ratio.problems import BundleError
from scenario_ratio.proof import reading
from scenario_ratio.show import article, relations, text, values
from scenario_ratio.show.figures import distribution, headroom, highlighted
from tests import varied
from tests.support import ROOT, BundleCase, copied_bundle

NAMES = [row.name for row in ARTIFACTS if row.kind == "figure"]
FIGURES = {name: (ROOT / name).read_bytes() for name in NAMES}
HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(2)>\u202egnp\u200b&amp;"
PUBLISHED = [
    "85.36%", "94.37%", "97.87%", "101.72%", "12.51 percentage points", "152 pairs", "59,867.8", "70,132.3", "100,630.0",
    "106,637.0", "106,949.0", "109,277.0", "899,005.0", "883,761.0", "80.544618", "3497.60466", "82.2987", "44.3867688",
    "22.0131648", "28.5875838", "265.005", "Row 264", "11 have Server above Offline", "Not a number of this article",
]  # fmt: skip


SOURCE = (ROOT / article.TEXT).read_text(encoding="utf-8")


def asset(name: str) -> bytes:
    return (ROOT / name).read_bytes()


def built(results: dict, figures: dict = FIGURES) -> bytes:
    return article.build(results, figures, asset)


def drawn(results: dict) -> dict:
    """Return the figures of some results."""
    makers = dict(zip(NAMES, (highlighted, distribution, headroom)))
    return {name: figure.draw(results) for name, figure in makers.items()}


def text_of(html: bytes) -> str:
    return " ".join(reading.read_html(html, "article.html")[0].split())


def told(results: dict) -> str:
    return text_of(built(results))


class Content(BundleCase):
    @classmethod
    def setUpClass(cls):
        cls.results = json.loads((ROOT / "results.json").read_bytes())
        cls.html = built(cls.results)
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

    def test_other_systems_without_the_highlighted_one(self):
        # counted and measured with pandas, over the pairs on eight B300 in any spelling
        for words in (
            "deepseek-r1 on equally many of the same accelerators, in 12 pairs of other systems, runs from 78.13% to 97.85%.",
            "gpt-oss-120b: 13 pairs from 91.52% to 100.53%; llama2-70b-99.9: 12 pairs from 92.48% to 100.40%.",
            "further than here on three, less far on six.",
            "Nvidia B300-SXM-270GB as NVIDIA B300-SXM-270GB.",
        ):
            self.assertIn(words, self.text)

    def test_models_within_one_system_and_at_two_scales(self):
        for words in (
            "deepseek-r1 below gpt-oss-120b on 20; deepseek-r1 below llama2-70b-99.9 on 15; deepseek-r1 below llama3.1-8b on 2.",
            "Medians with 8 and with 72 accelerators: deepseek-r1 89.01% (17 pairs) and 83.30% (8 pairs); gpt-oss-120b "
            "94.60% (33 pairs) and 98.85% (7 pairs); llama2-70b-99.9 98.39% (30 pairs) and 92.51% (2 pairs).",
            "The sign of the difference is not the same for all models",
            "two labels of one model, by the checker’s own mapping llama3.1-8b.",
        ):
            self.assertIn(words, self.text)

    def test_a_model_that_comes_second_can_be_the_lower_one(self):
        counts = {"systems": 3, "first_below": 0, "second_below": 3}
        compared = [{"first": "a", "second": "b", "same_metadata": counts}]
        compared += [{"first": "a", "second": "c", "same_metadata": {**counts, "systems": 4}}]
        compared += [{"first": "a", "second": "d", "same_metadata": {**counts, "systems": 1, "second_below": 1}}]
        found = values.one_sided({"within_systems": {"compared": compared}})
        self.assertEqual([{"lower": "b", "higher": "a", "systems": 3}], found)

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
            "Not endorsed by MLCommons or any submitter.",
            wording.TRADEMARK,
        ):
            self.assertIn(words, self.text)

    def test_who_speaks_and_when_stands_under_the_title(self):
        citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
        version, released = (
            re.search(rf'^{key}: "?([\d.-]+)"?$', citation, re.M)[1] for key in ("version", "date-released")
        )
        line = f'</h1>\n<p class="note">The Server/Offline ratio bundle, version {version}, {released}</p>'
        self.assertIn(line, self.html.decode())

    def test_what_the_scenarios_are_has_its_source_and_nothing_of_it_is_loaded(self):
        html = self.html.decode()
        link = '<a href="https://arxiv.org/abs/1911.02549">'
        opening, scenarios = html.split('<h2 id="scenarios">')[0], html.split('<h2 id="scenarios">')[1].split("<h2")[0]
        self.assertIn(f"{link}Reddi et al., 2019</a>", opening)
        paper = f"{link}V. J. Reddi et al., “MLPerf Inference Benchmark”, 2019, arXiv:1911.02549</a>"
        self.assertIn(paper, scenarios)
        self.assertIn(paper, html.split('<h2 id="sources">')[1])

    def test_the_summary_has_no_public_id_of_a_result_and_the_article_says_so(self):
        with open(ROOT / "data/summary.csv", encoding="utf-8", newline="") as stream:
            ids = [row["PrivateID"] for row in csv.DictReader(stream)]
        self.assertEqual([""] * 492, ids)
        self.assertNotRegex(
            (ROOT / "data/summary.csv").read_text(encoding="utf-8"), r"6\.1-\d{4}"
        )  # as 6.0-0001 of v6.0
        plain = " ".join(re.sub(r"<[^>]*>", "", self.html.decode()).split())
        self.assertIn("holds no such number: its one field for an id, PrivateID, is empty in all 492 rows.", plain)
        for number, words in ((1, "1 row has an entry in"), (40, "40 rows have an entry in")):
            results = varied.results()
            results["counts"]["rows_with_an_id"] = number
            plain = " ".join(re.sub(r"<[^>]*>", "", built(results).decode()).split())
            self.assertIn(f"{words} the summary’s one field for an id, PrivateID.", plain)
            self.assertNotIn("holds no such number", plain)

    def test_the_name_always_carries_its_sign(self):
        prose = re.sub(
            r"https?://\S+|\S*mlperf_log\S*|MlperfModel|The MLPerf name and logo|“MLPerf Inference Benchmark”",
            "",
            self.text,
        )
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

    def test_no_number_is_typed_into_its_text(self):
        words = re.sub(
            r"\{[^}]*\}|`[^`]*`|\]\([^)]*\)|SHA-256", "", re.sub(r"<!--.*?-->|```.*?```", "", SOURCE, flags=re.DOTALL)
        )
        words = "\n".join(line for line in words.split("\n") if not line.strip().startswith(":"))
        self.assertEqual(
            {"100%", "64-bit", "99th", "2.0"}, set(re.findall(r"(?<![\w{#.-])\d[\w.,%-]*\w%?|\d+%", words))
        )

    def test_no_number_is_typed_into_its_code(self):
        for name in ("article.py", "tables.py"):
            tree = ast.parse((ROOT / "scenario_ratio/show" / name).read_text(encoding="utf-8"))
            typed = [
                token
                for node in ast.walk(tree)
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.col_offset
                for token in re.findall(r"(?<![\w{#.-])\d[\w.,%-]*", re.sub(r"<[^>]*>", "", node.value))
            ]
            with self.subTest(name):
                self.assertEqual(set(), set(typed) - {"100%", "64-bit", "99th"})


class Changed(BundleCase):
    """The article follows the results: what is changed in them changes in it."""

    def setUp(self):
        self.results = copy.deepcopy(json.loads((ROOT / "results.json").read_bytes()))

    def test_a_rate(self):
        self.results["pairs"][0]["offline_tokens_per_s"] = 987654.25
        self.assertIn(" 987,654.3 ", text_of(built(self.results)))

    def test_a_count_that_is_not_that_of_what_is_listed_stops_it(self):
        self.results["counts"]["pairs_with_server_greater_than_offline"] = 777
        with self.assertRaises(BundleError) as caught:
            built(self.results)
        line = SOURCE.split("\n").index(":: counts_are_of_what_is_listed") + 1
        self.assertEqual(
            f"scenario_ratio/text/article.md: line {line}, counts_are_of_what_is_listed: found not so in the results; "
            "expected that counts are of what is listed",
            str(caught.exception.problems[0]),
        )
        self.assertEqual({"text"}, {problem.check for problem in caught.exception.problems})

    def test_hostile_texts_come_out_as_text(self):
        def poisoned(value: object, key: str = "") -> object:
            if isinstance(value, dict):
                return {name: poisoned(item, name) for name, item in value.items()}
            if isinstance(value, list):
                return [poisoned(item, key) for item in value]
            names = ("submitter", "system", "platform", "accelerator", "printed", "statement", "reason", "rule")
            names += ("grouped_as",)
            return f"{HOSTILE}{value}" if key in names and isinstance(value, str) else value

        html = built(poisoned(self.results))
        text, _, _, problems = reading.read_html(html, "article.html")
        self.assert_problems([], problems)
        self.assertIn("\"'><script>alert(1)</script><img src=x onerror=alert(2)>[U+202E]gnp[U+200B]&amp;", text)
        self.assertNotIn("\u202e", html.decode())
        self.assertEqual(1, html.decode().count("<script>"))
        self.assertNotIn("<img", html.decode())


class Saved(BundleCase):
    def test_the_saved_article_is_the_one_that_is_built(self):
        results = json.loads((ROOT / "results.json").read_text(encoding="utf-8"))
        self.assertEqual((ROOT / "article.html").read_bytes(), built(results))


class Made(BundleCase):
    def setUp(self):
        self.root = copied_bundle(self, "results.json", *NAMES)

    def make(self) -> bytes:
        return article.make_article(Bundle(self.root, None, ARTIFACTS))

    def test_from_the_files_of_a_bundle(self):
        self.assertEqual((ROOT / "article.html").read_bytes(), self.make())

    def test_a_figure_that_is_not_utf8(self):
        (self.root / "latency-headroom.svg").write_bytes(b"<svg>\n\xb7</svg>\n")
        self.assert_refused(["latency-headroom.svg: line 2: found byte 0xb7; expected valid UTF-8"], self.make)

    def test_a_figure_that_is_missing(self):
        (self.root / "latency-headroom.svg").unlink()
        self.assert_refused(["latency-headroom.svg: found no such file; expected a regular file"], self.make)


class Text(BundleCase):
    """What is wrong in the text itself is named with its line."""

    def refused(self, old: str, new: str) -> list[str]:
        """Return what is told once the first ``old`` of the text is ``new``."""
        self.assertIn(old, SOURCE)
        changed = SOURCE.replace(old, new, 1).encode("utf-8")
        with self.assertRaises(BundleError) as caught:
            article.build(varied.results(), FIGURES, lambda name: changed if name == article.TEXT else asset(name))
        return str(caught.exception).split("\n")

    def line(self, words: str) -> int:
        return SOURCE[: SOURCE.index(words)].count("\n") + 1

    def test_mistakes(self):
        for old, new, place, found in (
            ("{counts.open_rows:count}", "{counts.open_row:count}", "{counts.open_row:count}", "no 'open_row'"),
            ("{counts.open_rows:count}", "{counts.open_rows:cuont}", "{counts.open_rows:cuont}", "no spelling 'cuont'"),
            ("{counts.open_rows:count}", "{counts.open_rows}", "{counts.open_rows}", "16"),
            ("{counts.open_rows:count}", "{exclusions:count}", "{exclusions:count}", "[{'rule': 'division closed'"),
            ("divisions_add_up", "division_adds_up", "division_adds_up", "no such relation"),
            ("{table rates}", "{table rate}", "{table rate}", "no such line"),
            ("{figure scenario-ratios.svg}", "{figure ratios.svg}", "{figure ratios.svg}", "no such line"),
        ):
            with self.subTest(new):
                told = self.refused(old, new)
                where = f"{article.TEXT}: line {self.line(old)}, {place}: found {found}"
                self.assertEqual([where], [line[: len(where)] for line in told])

    def test_a_paragraph_without_marks(self):
        words = "Each row is one run."
        told = self.refused("\n  :: each_row_is_a_run, no_row_is_in_two_pairs", "")
        expected = "found words that rest on nothing; expected a line ':: relation' or ':: definition' under them"
        self.assertEqual([f"{article.TEXT}: line {self.line(words)}: {expected}"], told)

    def test_every_table_is_asked_for_and_every_relation_named(self):
        self.assertEqual(sorted(article.tables.TABLES), sorted(re.findall(r"^\{table (.*)\}$", SOURCE, re.MULTILINE)))
        self.assertEqual(sorted(NAMES), sorted(re.findall(r"^\{figure (.*)\}$", SOURCE, re.MULTILINE)))
        passages = [passage for block in text.blocks(SOURCE) for passage in block]
        named = {name for passage in passages for _, name in passage.named("::", ":?", ":!")}
        self.assertLessEqual(set(relations.RELATIONS), named)  # what else is named are paths, or the text is refused


class OtherRounds(BundleCase):
    """Rounds in which a group is empty or has another number: other words, and no sentence that is not so."""

    def test_it_can_be_built_and_is_well_formed(self):
        for name, made in varied.CASES.items():
            with self.subTest(name):
                results = made()
                html = built(results, drawn(results))
                found = reading.read_html(html, "article.html")
                self.assert_problems([], found.problems)
                self.assert_problems([], reading.link_problems(found.links, found.ids, set(LINKED), "article.html"))
                known = reading.spellings(results)
                self.assert_problems([], reading.unknown_numbers(found.text, "article.html", known))
                body = html.decode("utf-8").split("<body>")[1]
                prose = re.sub(r"<tbody>.*?</tbody>|<svg.*?</svg>|<script>.*", "", body, flags=re.DOTALL)
                self.assertNotRegex(prose, r"\(\)|[ :]\.|\b1 (pairs|rows|logs)\b|<p></p>|<ul>\n\n|<td></td>")

    def test_words_for_what_is_not_there(self):
        for name, words, not_words in (
            ("no pair CPU-only", "No pair is CPU-only.", "lowest of all"),
            ("no pair with accelerators", "The 152 CPU-only pairs run from 38.09%", "pairs with accelerators run"),
            ("no unmatched row", "Every eligible row has a partner.", "without a partner"),
            ("one unmatched row", "Coverage, and the row without a partner", "Every eligible row"),
            ("two unmatched rows", "Coverage, and the rows without a partner", "Every eligible row"),
            ("no log lacking", "Both logs are there for 146 pairs.", "could not be had"),
            ("no log at hand", "None of their performance logs is at hand.", "How near the Server runs came"),
            ("nothing odd", "No log that passed holds anything odd.", "it wraps"),
            ("no limit unreported", "every metric is within them.", "could not be checked"),
            ("no claim", "What is odd in the logs that passed", "Claims put to the test"),
            ("no other round", "Every pair", "Other rounds"),
            ("other rounds without forks", "The table counts the pairs with both logs", "a fork of its results"),
            (
                "other grades",
                "294 by the way that it calls clone; 1 by the way that it calls mirror.",
                "published independently",
            ),
            (
                "a row with measured power",
                "1 row has measured power; what has is turned away.",
                "No row has measured power",
            ),
            ("no model with two labels", "Quartiles are", "Two labels"),
            ("two models told, one apart", "The first two pairs are one system", "The fourth"),
            ("four models told, one apart", "The fifth is another system", "Three models"),
            ("five models told, two apart", "The other two are of other systems", "it is here because"),
            ("three models told, none apart", "The pairs that are told in full", "is set apart"),
        ):
            with self.subTest(name):
                found = told(varied.CASES[name]())
                self.assertIn(words, found)
                self.assertNotIn(not_words, found)

    def test_a_pair_apart_that_is_not_above_needs_other_words(self):
        results = varied.results()
        results["highlighted"]["apart"]["offline_ids"] = ["304"]  # 74.97%
        self.assertIn("The fourth is another system at another scale and is set apart.", told(results))
        for made in (results, varied.no_pair_above()):
            self.assertNotIn("because its Server rate is above", told(made))

    def test_several_rounds_from_forks(self):
        found = told(put("rounds.0.source.repository", "https://github.com/x/y")())
        self.assertIn("Two of the rounds were read from forks of their results repositories.", found)
        self.assertNotIn("One of the rounds was read from a fork", found)

    def test_no_label_names_a_target(self):
        found = json.loads(json.dumps(varied.RESULTS).replace("llama2-70b-99.9", "llama2-70b"))
        self.assertIn("the figure in a label such as llama2-70b-99.9", told(varied.results()))
        self.assertNotIn("the figure in a label", told(found))
        self.assertNotIn("The figure at the end of a model label", told(found))


LINKED = ("results.json", "analysis.ipynb", "data/claims.json")


def stopped(results: dict) -> list[str]:
    """Return the relations, each once, by which the article of some results is stopped; none if it is built."""
    try:
        built(results)
    except BundleError as error:
        false = [problem for problem in error.problems if problem.found == "not so in the results"]
        for problem in false:
            line = SOURCE.split("\n")[int(problem.place.removeprefix("line ")) - 1]
            assert problem.file == article.TEXT and problem.field in line, problem
        return list(dict.fromkeys(problem.field for problem in false))
    return []


def put(path: str, value: object):
    """Return what returns results in which a path leads to another value; a pair is found by its Offline id."""

    def made() -> dict:
        results = varied.results()
        *keys, last = path.split(".")
        place = results
        if keys[0] == "pair":
            place, keys = next(pair for pair in results["pairs"] if pair["offline_id"] == keys[1]), []
        elif keys[0] == "rule":
            place, keys = next(rule for rule in results["exclusions"] if rule["field"] == keys[1]), []
        elif keys[0] == "log":
            place, keys = next(log for log in results["logs"] if log["row"] == keys[1]), []
        for key in keys:
            place = place[int(key) if isinstance(place, list) else key]
        place[int(last) if isinstance(place, list) else last] = value
        return results

    return made


def each(part: str, key: str, value: object):
    """Return what returns results in which every entry of a list has another value."""
    return lambda: {**varied.results(), part: [{**entry, key: value} for entry in varied.results()[part]]}


def without(path: str):
    """Return what returns results without what a path leads to."""

    def made() -> dict:
        results = varied.results()
        *keys, last = path.split(".")
        place = results
        for key in keys:
            place = place[key]
        del place[int(last) if isinstance(place, list) else last]
        return results

    return made


def turned_round() -> dict:
    results = varied.results()
    return {**results, "pairs": results["pairs"][::-1]}


WITHOUT_MODEL = [field for field in varied.RESULTS["matched_fields"] if field != "Model"]
TOKENS = next(n for n, entry in enumerate(varied.RESULTS["anomalies"]) if entry["tokens_per_sample"])
MEAN = next(n for n, entry in enumerate(varied.RESULTS["anomalies"]) if entry["wraps"])


def one_other_pair() -> dict:
    """Return results in which no other pair than 46 has the parts of the highlighted system."""
    own = ("285", "287", "289", "46")
    return varied.kept(lambda pair: pair["offline_id"] in own or "B300-SXM" not in (pair["accelerator"] or ""))


def no_model_below_on_every_system() -> dict:
    """Return results in which deepseek-r1 has the higher ratio on one system that ran it beside each other model."""
    changed = varied.results()
    for pair in changed["pairs"]:
        if pair["offline_id"] in ("15", "46"):
            pair["server_tokens_per_s"] = 3 * pair["offline_tokens_per_s"]
    return varied.followed(changed)


def own_system_among_the_others() -> dict:
    changed = varied.results()
    told = changed["highlighted"]["same_system"]
    keys = ("offline_ids", "spread_percentage_points")
    changed["highlighted"]["same_parts"]["systems"][0].update({key: told[key] for key in keys})
    return changed


def shared_family() -> dict:
    changed = varied.results()
    changed["labels"]["llama3.1-8b"]["by_family"]["none"] = 1
    return changed


# Relation -> what returns results that do not hold it.
FALSE = {
    "counts_are_of_what_is_listed": [
        *(
            put(f"counts.{key}", varied.RESULTS["counts"][key] + 1)
            for key in (
                "complete_pairs",
                "unmatched_rows",
                "eligible_rows",
                "pairs_with_server_greater_than_offline",
                "matched_fields",
                "rows_with_an_unreported_limit",
                "logs_passed",
                "logs_not_available",
                "logs_with_errors",
                "logs_with_anomalies",
                "pairs_with_both_logs",
                "server_logs_passed",
            )
        ),
        without("logs.0"),
    ],
    "some_pair_is_cpu_only": [varied.no_cpu_only_pair],
    "divisions_add_up": [put("counts.open_rows", 17)],
    "every_cell_was_compared": [put("counts.cells_compared", 15251)],
    "every_row_is_counted_once": [put("exclusions.0.turned_away", 17)],
    "rules_are_those_told": [
        put("rule.Units.allowed", ["Samples/s"]),
        put("rule.Scenario.allowed", ["Offline", "Interactive"]),
        put("rule.inferred.allowed", ["0", "1"]),
        put("rule.has_power.allowed", ["True"]),
        without("exclusions.3"),
    ],
    "the_rest_may_differ": [put("matched_fields.0", "Result"), put("counts.source_fields", 32)],
    "the_label_is_matched": [lambda: {**varied.results(), "matched_fields": WITHOUT_MODEL}],
    "no_row_is_in_two_pairs": [put("pair.9.server_id", "7"), put("unmatched.0.id", "6")],
    "no_row_has_measured_power": [varied.measured_power],
    "pairs_are_in_order": [turned_round, put("pair.9.offline_id", "x")],
    "spreads_are_of_these_pairs": [
        put("distribution.overall.all pairs.n", 151),
        put("distribution.overall.CPU-only pairs.minimum", 0.1),
        put("distribution.overall.pairs with accelerators.maximum", 2.0),
        without("distribution.overall.CPU-only pairs"),
    ],
    "the_lowest_is_cpu_only": [
        varied.no_cpu_only_pair,
        put("pair.228.ratio", 0.3),
        put("pair.228.ratio", 0.38093982230349066),
    ],
    "some_model_has_two_labels": [varied.no_label_twice],
    "the_second_label_is_mostly_cpu_only": [varied.no_cpu_only_pair, varied.no_label_twice],
    "three_models_are_told": [varied.told(2, 1), varied.told(4, 1), put("pair.287.model", "deepseek-r1")],
    "only_the_model_differs": [
        put("highlighted.same_system.differing_fields", ["Model"]),
        put("highlighted.same_system.platform", "X"),
        put("pair.287.precision", "fp8"),
        put("pair.287.submitter", "X"),
        put("pair.287.model", "deepseek-r1"),
    ],
    "the_spread_is_of_these_models": [put("highlighted.same_system.spread_percentage_points", 12.5), varied.told(1, 1)],
    "one_pair_is_apart": [varied.told(3, 0), varied.told(3, 2)],
    "apart_is_one_rack": [varied.told(3, 0), put("pair.300.platform", "X"), put("pair.300.accelerators", 36)],
    "apart_is_another_system": [
        put("highlighted.apart.offline_ids", ["285"]),
        lambda: scaled(8, 1),
    ],
    "apart_has_server_above_offline": [put("highlighted.apart.offline_ids", ["304"])],
    "same_parts_are_of_these_pairs": [
        put("highlighted.same_parts.by_model.deepseek-r1.n", 13),  # with the system's own
        put("highlighted.same_parts.by_model.gpt-oss-120b.maximum", 1.0),
        without("highlighted.same_parts.by_model.gpt-oss-120b"),
        put("pair.139.accelerator", "NVIDIA B300"),
    ],
    "others_have_the_same_parts": [varied.told(3, 1)],
    "others_lie_apart": [varied.told(3, 1), one_other_pair],
    "other_systems_are_alike": [
        put("highlighted.same_parts.systems.0.spread_percentage_points", 22.4),
        put("highlighted.same_parts.systems.0.offline_ids", ["15", "17"]),
        put("highlighted.same_parts.systems.0.offline_ids", ["15", "17", "188"]),
        own_system_among_the_others,
        put("pair.15.precision", "fp8"),
        put("pair.15.accelerators", 16),
    ],
    "systems_are_of_these_pairs": [
        put("within_systems.compared.0.same_metadata.systems", 19),
        put("within_systems.compared.0.same_metadata.first_below", 19),
        put("within_systems.compared.0.any_precision.second_below", 1),
        put("within_systems.compared.0.first", "gpt-oss-120b"),
        put("within_systems.compared.0.same_metadata.offline_ids.0", ["9"]),
        put("within_systems.compared.0.same_metadata.offline_ids.0", ["15", "46"]),
        put("within_systems.compared.0.same_metadata.offline_ids.1", ["15", "17"]),
        put("pair.285.precision", "fp8"),
        put("pair.285.platform", "X"),
        put("pair.285.ratio", 0.99),
    ],
    "one_model_is_below_on_every_system": [no_model_below_on_every_system],
    "shares_are_of_these_pairs": [
        put("variance_between_models.all pairs.n", 151),
        put("variance_between_models.all pairs.models", 5),
        put("variance_between_models.all pairs.labels", 4),
        put("variance_between_models.all pairs.share_between_models", 0.166),
        put("variance_between_models.same accelerators.share_between_labels", None),
        put("pair.139.accelerator", "NVIDIA B300"),
        without("variance_between_models.all pairs"),
    ],
    "labels_part_more_than_models": [varied.no_label_twice, without("variance_between_models.all pairs")],
    "spellings_differ_in_capitals": [
        put("distribution.accelerator_spellings.0.grouped_as", "NVIDIA GB300"),
    ],
    "the_labels_are_of_these_pairs": [
        put("labels.llama3_1-8b.by_family.none", 8),
        put("labels.llama3_1-8b.by_family", {"none": 10, "X": 2}),
        put("pair.6.model", "deepseek-r1"),
    ],
    "the_labels_share_no_family": [varied.no_label_twice, shared_family],
    "classes_are_of_these_pairs": [
        put("distribution.by_model_and_accelerators.gpt-oss-120b.8.n", 34),
        put("distribution.by_model_and_accelerators.gpt-oss-120b.72.maximum", 1.0),
        put("distribution.by_model_and_accelerators.deepseek-r1", {}),
        without("distribution.by_model_and_accelerators.deepseek-r1"),
    ],
    "medians_part_by_scale": [
        put("distribution.by_model_and_accelerators.gpt-oss-120b.72.median", 0.9),
        put("highlighted.scales", ["8"]),
    ],
    "accuracy_is_within_bounds": [
        put("accuracy.0.verdict", "not checked"),
        put("accuracy.0.metrics.0.reported", 82.2),  # below its target of 82.2987
        put("accuracy.0.metrics.0.upper_limit", 83.7),  # below what is reported
        without("accuracy.0"),
    ],
    "passed_logs_are_valid": [
        put("log.286.result", "INVALID"),
        put("log.286.mode", "AccuracyOnly"),
        put("log.286.tpot_p99_ns", 80_000_001),
    ],
    "each_row_is_a_run": [put("logs.1.path", varied.RESULTS["logs"][0]["path"]), without("logs.0")],
    "the_larger_is_nearer_its_limit": [
        put("headroom.pairs.0.larger_fraction", 0.5),
        put("headroom.pairs.0.nearer", "ttft"),
    ],
    "limits_belong_to_the_model": [put("headroom.pairs.0.ttft_limit_ns", 1), put("headroom.pairs.0.tpot_limit_ns", 1)],
    "a_valid_log_counts_errors": [varied.nothing_odd, each("anomalies", "summary_errors", 1)],
    "a_latency_is_the_least_integer": [varied.nothing_odd, each("anomalies", "printed", "-1")],
    "a_mean_is_outside_its_percentiles": [varied.nothing_odd],
    "a_sum_wraps": [
        varied.nothing_odd,
        put(f"anomalies.{MEAN}.unwrapped_mean_ns", 1),
        each("anomalies", "wraps", None),
        *(put(f"anomalies.{MEAN}.{key}", None) for key in ("lower_bound_ns", "upper_bound_ns", "unwrapped_mean_ns")),
    ],
    "odd_figures_enter_no_ratio": [put("anomalies.0.consequence", "used")],
    "tokens_are_beyond_their_bounds": [
        varied.nothing_odd,
        put(f"anomalies.{TOKENS}.tokens_per_sample", 265.1),  # above the target, below the upper limit of 323.895
        put(f"anomalies.{TOKENS}.reported", 264.9),
        put(f"anomalies.{TOKENS}.reported", 324.0),
        put(f"anomalies.{TOKENS}.reported", None),
        put(f"anomalies.{TOKENS}.target", None),
    ],
    "every_claim_states_its_rule": [put("claims.0.rule", ""), put("claims.0.reason", "")],
    "this_round_is_among_them": [put("rounds.2.counts.complete_pairs", 151), without("rounds.2")],
    "a_round_was_held_against_no_targets": [varied.no_shared_logs_and_no_fork],
    "one_round_is_from_a_fork": [
        varied.no_shared_logs_and_no_fork,
        put("rounds.0.source.repository", "https://github.com/x/y"),
    ],
    "rounds_join_the_labels": [put("rounds.2.models.3.n", 29), put("rounds.2.models.3.model", "llama3_1-8b-x")],
    "some_logs_are_shared": [varied.no_shared_logs_and_no_fork],
    "the_json_was_made_again": [varied.other_grades],
    "files_are_had_in_three_ways": [varied.other_grades],
    "files_add_up": [put("sources.files_compared", 296), put("sources.files_by_grade.fork-copy", 292)],
}
# Relations that do not hold today -> what returns results that hold them.
TRUE = {}


def scaled(accelerators: int, nodes: int) -> dict:
    results = varied.results()
    next(pair for pair in results["pairs"] if pair["offline_id"] == "300").update(
        accelerators=accelerators, nodes=nodes
    )
    return results


class Relations(BundleCase):
    """Each relation is false of some results, and words that rest on it are then stopped, with their line."""

    def holds(self, name: str, results: dict) -> bool:
        return relations.RELATIONS[name](results)

    def test_today(self):
        for name in relations.RELATIONS:
            self.assertEqual(name not in TRUE, self.holds(name, varied.results()), name)

    def test_each_can_be_false_and_each_can_be_true(self):
        self.assertEqual(sorted(relations.RELATIONS), sorted([*FALSE, *TRUE]))
        for name, cases in FALSE.items():
            for number, made in enumerate(cases):
                self.assertFalse(self.holds(name, made()), f"{name} {number}")
        for name, made in TRUE.items():
            self.assertTrue(self.holds(name, made()), name)

    def test_words_that_rest_on_one_that_is_false_are_stopped(self):
        for name, cases in FALSE.items():
            for made in cases:
                line = f"a.md: line 2, {name}: found not so in the results; expected that {name.replace('_', ' ')}"
                source = f"Words.\n:: {name}"
                self.assert_refused([line], text.compose, source, "a.md", made(), {})

    def test_the_article_says_other_words_or_is_stopped_there(self):
        passages = [passage for block in text.blocks(SOURCE) for passage in block]
        claimed = {name for passage in passages for _, name in passage.named("::")}
        guards = {name for passage in passages for _, name in passage.named(":?", ":!")}
        for name, cases in FALSE.items():
            for number, made in enumerate(cases):
                with self.subTest(name, case=number):
                    found = stopped(made())
                    if name in claimed - guards:
                        self.assertIn(name, found)

    def test_none_raises_whatever_group_is_empty(self):
        for case, made in varied.CASES.items():
            results = made()
            for name, relation in relations.RELATIONS.items():
                self.assertIsInstance(relation(results), bool, f"{case}: {name}")


class ReadmeTable(BundleCase):
    """The README's table follows the results."""

    def test_the_published_ratios_are_in_it(self):
        table = article.quoted((ROOT / "README.md").read_text(encoding="utf-8"))
        for cells in (
            "| deepseek-r1 | NVIDIA | B300-SXM-270GBx8_TRT | 285/286 | 70,132.3 | 59,867.8 | 85.36% |",
            "| gpt-oss-120b | NVIDIA | B300-SXM-270GBx8_TRT | 287/288 | 106,637.0 | 100,630.0 | 94.37% |",
            "| llama2-70b-99.9 | NVIDIA | B300-SXM-270GBx8_TRT | 289/290 | 109,277.0 | 106,949.0 | 97.87% |",
            "| gpt-oss-120b | NVIDIA | GB200-NVL72_GB200-186GB_aarch64x72_TRT | 300/301 | 883,761.0 | 899,005.0 | 101.72% |",
        ):
            self.assertIn(cells, table)
        self.assertIn("Result not verified by MLCommons Association.", table)

    def test_it_follows_the_results(self):
        results = varied.results()
        next(pair for pair in results["pairs"] if pair["offline_id"] == "285").update(
            offline_tokens_per_s=1234.5, submitter="A|B"
        )
        self.assertIn("| deepseek-r1 | A&#124;B | B300-SXM-270GBx8_TRT | 285/286 | 1,234.5 |", article.table(results))
        self.assertEqual(2, article.table(varied.highlighted(2, 0)).count("% |"))

    def test_a_readme_without_the_marks(self):
        line = (
            "README.md: found no place for the results; expected the lines <!-- results: written by build_article.py --> "
            "and <!-- end of results -->"
        )
        self.assert_refused([line], article.quoted, "# nothing")

    def test_the_rest_of_the_readme_stays_as_it_is(self):
        root = copied_bundle(self, "README.md", "results.json")
        whole = (root / "README.md").read_text(encoding="utf-8")
        (root / "README.md").write_text(whole.replace("| 85.36% |", "| 99.99% |"), encoding="utf-8")
        self.assertEqual(whole.encode("utf-8"), article.make_readme(Bundle(root, None, ARTIFACTS)))
