"""The figures: what each says, where its marks and bars stand, and that it stays a picture whatever the data hold."""

from __future__ import annotations

import copy
import itertools
import json
import re
import unittest
import xml.etree.ElementTree as ElementTree

from scenario_ratio.show.figures import distribution, headroom, highlighted, rounds
from tests import varied
from tests.again.figures import SVG, Figure, scale
from tests.support import ROOT, BundleCase, copied_bundle, run
from tests.varied import RESULTS, results

# The four pairs as published: rows, model, Offline and Server rate in tokens/s, ratio.
PUBLISHED = (
    ("285/286", "deepseek-r1", "70,132.3", "59,867.8", "85.36%"),
    ("287/288", "gpt-oss-120b", "106,637.0", "100,630.0", "94.37%"),
    ("289/290", "llama2-70b-99.9", "109,277.0", "106,949.0", "97.87%"),
    ("300/301", "gpt-oss-120b", "883,761.0", "899,005.0", "101.72%"),
)
RATES = ((70132.3, 59867.8), (106637.0, 100630.0), (109277.0, 106949.0), (883761.0, 899005.0))


def with_pair(row_id: str = "285", **values: object) -> dict:
    """Return the bundle's results in which the pair of an Offline id has other values."""
    found = copy.deepcopy(RESULTS)
    next(pair for pair in found["pairs"] if pair["offline_id"] == row_id).update(values)
    return found


def with_ratio(ratio: float, row_id: str = "285") -> Figure:
    return Figure(highlighted.draw(with_pair(row_id, ratio=ratio)))


class Highlighted(BundleCase):
    """The figure that is committed."""

    @classmethod
    def setUpClass(cls):
        cls.figure = Figure((ROOT / "scenario-ratios.svg").read_bytes())

    def bars(self, class_: str) -> list[ElementTree.Element]:
        return [rect for rect in self.figure.root.iter(f"{SVG}rect") if rect.get("class") == class_]

    def test_it_is_drawn_from_the_results(self):
        self.assertEqual(self.figure.raw, highlighted.draw(RESULTS))

    def test_the_published_pairs_in_order(self):
        b300, gb200 = "B300-SXM-270GBx8_TRT", "GB200-NVL72_GB200-186GB_aarch64x72_TRT"
        expected = []
        for (rows, model, offline, server, ratio), platform in zip(PUBLISHED, (b300, b300, b300, gb200)):
            expected += [
                f"{model} · NVIDIA · {platform} · rows {rows}",
                f"Offline 100% · {offline} tokens/s",
                f"Server {ratio} · {server} tokens/s",
            ]
        found = [words for words in self.figure.words if " · " in words]
        self.assertEqual(expected, found)

    def test_bars_are_as_long_as_their_ratios_from_zero(self):
        offline, server = self.bars("fig-reference"), self.bars("fig-server") + self.bars("fig-apart")
        self.assertEqual((4, 4), (len(offline), len(server)))
        zero = next(float(text.get("x")) for text in self.figure.texts if text.text == "0%")
        for (offline_rate, server_rate), reference, bar in zip(RATES, offline, server):
            self.assertEqual((zero, zero), (float(reference.get("x")), float(bar.get("x"))))
            drawn = float(bar.get("width")) / float(reference.get("width"))
            self.assertAlmostEqual(server_rate / offline_rate, drawn, delta=2e-5)  # widths of 727 have two decimals

    def test_the_axis(self):
        ticks = {text.text: float(text.get("x")) for text in self.figure.texts if re.fullmatch(r"\d+%", text.text)}
        self.assertEqual(["0%", "25%", "50%", "75%", "100%"], list(ticks))
        width = float(self.bars("fig-reference")[0].get("width"))
        for label, x in ticks.items():
            self.assertAlmostEqual(ticks["0%"] + width * int(label[:-1]) / 100, x, delta=0.02)
        heavier = [float(line.get("x1")) for line in self.figure.lines("fig-axis")]
        self.assertEqual([ticks["0%"], ticks["100%"]], heavier)

    def test_the_fourth_is_set_apart_below_a_line(self):
        (apart,) = self.bars("fig-apart")
        last = self.bars("fig-server")[-1]
        dividing = [float(line.get("y1")) for line in self.figure.lines("fig-line") if line.get("y1") == line.get("y2")]
        self.assertEqual(1, len(dividing))
        self.assertLess(float(last.get("y")) + float(last.get("height")), dividing[0])
        self.assertLess(dividing[0], float(apart.get("y")))
        self.assertIn("Apart from these: another system", self.figure.words)

    def test_screen_readers_are_told_all_of_it(self):
        root = self.figure.root
        self.assertEqual("img", root.get("role"))
        ids = [root.find(f"{SVG}{tag}").get("id") for tag in ("title", "desc")]
        self.assertEqual(ids, root.get("aria-labelledby").split())
        self.assertEqual("Server/Offline ratios of highlighted pairs, MLPerf® Inference v6.1", self.figure.title)
        for _, model, offline, server, ratio in PUBLISHED:
            told = f"Server {server} over Offline {offline} tokens/s is {ratio}"
            self.assertRegex(self.figure.description, rf"{re.escape(model)} on \S+ by NVIDIA: {re.escape(told)}")

    def test_nothing_overlaps_moves_or_is_fetched(self):
        self.assertEqual([], self.figure.problems())
        # The one address is the name of the SVG language.
        self.assertEqual([b"http://www.w3.org/2000/svg"], re.findall(rb"https?:[^\"' ]+", self.figure.raw))

    def test_the_source_is_named(self):
        words = " ".join(self.figure.words)
        for part in ("MLPerf® Inference: Datacenter v6.1", "closed division", "4bb63cd28eb1", "2026-11-30"):
            self.assertIn(part, words)
        self.assertIn("Result not verified by MLCommons Association.", words)


class CopiedAlone(BundleCase):
    """A figure leaves its page: what must stand beside a result stands in it, where people see it."""

    NOTICES = (
        "Result not verified by MLCommons Association. Not endorsed by MLCommons or any submitter. The MLPerf name and "
        "logo are registered and unregistered trademarks of MLCommons Association in the United States and other "
        "countries. All rights reserved. Unauthorized use strictly prohibited. See www.mlcommons.org for more information."
    )

    def test_the_notices_end_every_figure_inside_it(self):
        for name in ("scenario-ratios.svg", "ratio-distribution.svg", "latency-headroom.svg"):
            figure = Figure((ROOT / name).read_bytes())
            with self.subTest(name):
                self.assertEqual([], figure.problems())
                start = next(number for number, words in enumerate(figure.words) if words.startswith("MLPerf®"))
                told = " ".join(figure.words[start:])
                self.assertTrue(told.startswith("MLPerf® Inference: Datacenter v6.1, closed division"), told)
                self.assertTrue(told.endswith(self.NOTICES), told)
                last = float(figure.texts[-1].get("y"))
                self.assertTrue(20 <= figure.height - last <= 40, (last, figure.height))


class HighlightedLabels(BundleCase):
    """Whatever a submission calls itself comes out as text, inside the figure."""

    def test_tags_and_quotes_are_text(self):
        hostile = "<script>alert(1)</script>'\"&amp;]]>"
        for field in ("model", "submitter", "platform"):
            with self.subTest(field):
                figure = Figure(highlighted.draw(with_pair(**{field: hostile})))
                (heading,) = (words for words in figure.words if words.endswith("rows 285/286"))
                self.assertIn(hostile, heading)
                self.assertIn(hostile, figure.description)
                elements = {element.tag.removeprefix(SVG) for element in figure.root.iter()}
                self.assertEqual({"svg", "title", "desc", "style", "rect", "line", "text"}, elements)
                names = {name for element in figure.root.iter() for name in element.attrib}
                self.assertEqual(set(), {name for name in names if name.startswith("on") or "href" in name})

    def test_marks_that_reorder_or_hide_are_shown(self):
        figure = Figure(highlighted.draw(with_pair(platform="a\u202eb\u2066c\u200bd\x07e\ud800f\ufeffg")))
        shown = "a[U+202E]b[U+2066]c[U+200B]d[U+0007]e[U+D800]f[U+FEFF]g"
        self.assertTrue(any(shown in words for words in figure.words))
        self.assertIn(shown, figure.description)
        self.assertNotRegex(figure.raw.decode("utf-8"), "[\u202a-\u202e\u2066-\u2069\u200b\x07\ufeff]")

    def test_a_very_long_label_is_cut_at_the_edge(self):
        figure = Figure(highlighted.draw(with_pair(platform="a rather long name " * 500)))
        (heading,) = (words for words in figure.words if words.startswith("deepseek-r1 ·"))
        self.assertEqual((94, "…"), (len(heading), heading[-1]))
        self.assertIn("a rather long name " * 500, figure.description)
        self.assertEqual([], figure.problems())

    def test_a_template_is_text(self):
        figure = Figure(highlighted.draw(with_pair(model="{0} %s ${x} \\1")))
        self.assertTrue(any(words.startswith("{0} %s ${x} \\1 · NVIDIA") for words in figure.words))


class HighlightedLengths(BundleCase):
    def test_the_longest_bar_ends_where_the_figure_does(self):
        for ratio in (0.001, 0.3, 1.0, 1.9, 3.75):
            with self.subTest(ratio=ratio):
                figure = with_ratio(ratio)
                rects = [rect for rect in figure.root.iter(f"{SVG}rect") if rect.get("class") != "fig-back"]
                longest = max(float(rect.get("x")) + float(rect.get("width")) for rect in rects)
                self.assertAlmostEqual(760, longest, delta=0.02)  # 800 less the margin of 40

    def test_a_short_bar_has_its_label_beside_it(self):
        figure = with_ratio(0.1)
        bar = next(rect for rect in figure.root.iter(f"{SVG}rect") if rect.get("class") == "fig-server")
        label = next(text for text in figure.texts if text.text.startswith("Server 10.00%"))
        self.assertGreater(float(label.get("x")), float(bar.get("x")) + float(bar.get("width")))
        self.assertNotIn("fig-on", label.get("class"))
        self.assertEqual([], figure.problems())

    def test_no_pair_apart(self):
        found = copy.deepcopy(RESULTS)
        found["highlighted"]["apart"]["offline_ids"] = []
        figure = Figure(highlighted.draw(found))
        self.assertNotIn("Apart from these: another system", figure.words)
        self.assertEqual(3, len([words for words in figure.words if words.startswith("Server ") and "·" in words]))


class BrokenResults(BundleCase):
    """results.json removed, cut, with an unknown key, a wrong type: a line and an exit code, and no figure."""

    def check(self, raw: bytes, code: int, line: str) -> None:
        root = copied_bundle(self, "results.json")
        if raw is None:
            (root / "results.json").unlink()
        else:
            (root / "results.json").write_bytes(raw)
        found = run(ROOT / "make_plot.py", "--root", root)
        self.assertEqual((f"{line}\n", "", code), (found.stderr, found.stdout, found.returncode))
        self.assertEqual([], list(root.glob("*.svg")))
        (root / "results.json").write_bytes((ROOT / "results.json").read_bytes())
        found = run(ROOT / "make_plot.py", "--root", root, cwd="/")
        names = ("scenario-ratios.svg", "ratio-distribution.svg", "latency-headroom.svg")
        self.assertEqual(("", 0), (found.stderr, found.returncode))
        self.assertEqual([f"{name}: new" for name in names], found.stdout.splitlines())
        for name in names:
            self.assertEqual((ROOT / name).read_bytes(), (root / name).read_bytes())

    def altered(self, **values: object) -> bytes:
        return json.dumps({**RESULTS, **values}).encode("utf-8")

    def test_removed(self):
        self.check(
            None, 2, "results.json: found no such file; expected a regular file. Run analyze.py to write it again."
        )

    def test_truncated(self):
        raw = (ROOT / "results.json").read_bytes()
        line = "results.json: line 2: found Unterminated string starting at at column 12; expected strict JSON. Run analyze.py to write it again."
        self.check(raw[: raw.index(b"6.1")], 1, line)

    def test_wrong_type(self):
        line = "results.json: round: found 6.1; expected str. Run analyze.py to write it again."
        self.check(self.altered(round=6.1), 1, line)

    def test_unknown_key(self):
        highlighted = {**RESULTS["highlighted"], "apart": {"offline_ids": ["300"], "colour": "red"}}
        line = "highlighted.apart, keys: found 'offline_ids, colour'; expected offline_ids"
        self.check(self.altered(highlighted=highlighted), 1, f"results.json: {line}. Run analyze.py to write it again.")

    def test_missing_key(self):
        highlighted = {**RESULTS["highlighted"], "apart": {}}
        line = "highlighted.apart, keys: found ''; expected offline_ids"
        self.check(self.altered(highlighted=highlighted), 1, f"results.json: {line}. Run analyze.py to write it again.")


def with_first(**values: object) -> dict:
    """Return results whose first pair has other values, with the distribution that belongs to them."""
    found = results()
    found["pairs"][0].update(values)
    for model, spread in found["distribution"]["by_model"].items():
        spread.update(varied.spread([pair for pair in found["pairs"] if pair["model"] == model]))
    return found


class Distribution(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.results = results()
        cls.figure = Figure(distribution.draw(cls.results))

    def test_one_for_every_pair_with_its_tooltip(self):
        expected = sorted(
            f"{pair['submitter']} · {pair['platform']} · rows {pair['offline_id']}/{pair['server_id']}: "
            f"{100 * pair['server_tokens_per_s'] / pair['offline_tokens_per_s']:.2f}%"
            for pair in self.results["pairs"]
        )
        self.assertEqual(152, len(expected))
        self.assertEqual(expected, sorted(mark.label for mark in self.figure.marks))

    def test_each_stands_where_the_axis_says(self):
        ticks = [(text.text, float(text.get("x"))) for text in self.figure.texts if re.fullmatch(r"[0-9]+%", text.text)]
        axis = scale(ticks[: len(ticks) // 2])  # labelled above and below
        self.assertEqual(["30%", "110%"], [ticks[0][0], ticks[-1][0]])  # from 38.09% to 102.96%
        for mark in self.figure.marks:
            percent = float(re.search(r"([0-9.]+)%$", mark.label)[1])
            self.assertAlmostEqual(axis.at(percent), mark.x, delta=0.06)  # two decimals of a percent, of a unit

    def test_the_heavier_line_of_each_row_is_at_100_percent(self):
        at_100 = next(text.get("x") for text in self.figure.texts if text.text == "100%")
        heavier = [line.get("x1") for line in self.figure.lines("fig-axis")]
        self.assertEqual([at_100] * len(self.results["distribution"]["by_model"]), heavier)

    def test_cpu_only_pairs_have_another_shape_and_colour(self):
        kinds: dict = {}
        for mark in self.figure.marks:
            kinds.setdefault((mark.shape, mark.class_), []).append(re.search(r"rows (\d+)/", mark.label)[1])
        cpu_only = [pair["offline_id"] for pair in self.results["pairs"] if pair["accelerators"] == 0]
        self.assertEqual(9, len(cpu_only))
        self.assertEqual({("circle", "fig-mark"), ("polygon", "fig-other")}, set(kinds))
        self.assertEqual(sorted(cpu_only), sorted(kinds["polygon", "fig-other"]))
        self.assertIn("CPU only", self.figure.words)
        self.assertIn("with accelerators", self.figure.words)

    def test_no_two_cover_each_other(self):
        for one, other in itertools.combinations(self.figure.marks, 2):
            distance = ((one.x - other.x) ** 2 + (one.y - other.y) ** 2) ** 0.5
            self.assertGreaterEqual(distance, 8.5, f"{one.label} and {other.label}")

    def test_rows_are_the_models_in_order_with_their_medians(self):
        headings = [words for words in self.figure.words if " · median " in words]
        # counts and medians in the order of the labels' alphabet
        self.assertEqual(
            [
                f"{model} · {spread['n']} pairs · median {100 * spread['median']:.2f}%"
                for model, spread in sorted(self.results["distribution"]["by_model"].items())
            ],
            headings,
        )
        medians = self.figure.lines("fig-median")
        self.assertEqual(1 + len(headings), len(medians))  # the legend's, and one for each row

    def test_ends_are_labelled(self):
        for label in ("354/355 38.09%", "434/435 91.56%", "228/229 58.85%", "332/333 98.14%", "363/364 102.96%"):
            self.assertIn(label, self.figure.words)


class DistributionPage(unittest.TestCase):
    def test_nothing_overlaps_and_nothing_leaves(self):
        self.assertEqual([], Figure(distribution.draw(results())).problems())

    def test_title_description_and_whose_results(self):
        figure = Figure(distribution.draw(results()))
        self.assertEqual("Server/Offline ratios of all 152 pairs, MLPerf® Inference v6.1", figure.title)
        # 152 pairs, 11 above 100%, from row 354's 38.09% to row 363's 102.96%
        self.assertIn("all pairs: 152, 38.09% to 102.96%, median 94.58%, 11 above 100%.", figure.description)
        self.assertIn("CPU-only pairs: 9, 38.09% to 60.04%, median 44.08%, 0 above 100%.", figure.description)
        self.assertIn("Result not verified by MLCommons Association.", " ".join(figure.words))

    def test_the_order_of_the_pairs_does_not_matter(self):
        turned = results()
        turned["pairs"].reverse()
        marks = [
            sorted((mark.label, mark.x, mark.y) for mark in Figure(distribution.draw(found)).marks)
            for found in (results(), turned)
        ]
        self.assertEqual(*marks)

    def test_names_are_shown_not_obeyed(self):
        name = '"><script>alert(1)</script>&\u202e'
        figure = Figure(distribution.draw(with_first(submitter=name)))
        self.assertEqual([], figure.problems())
        self.assertIn('"><script>alert(1)</script>&[U+202E]', [mark.label.split(" · ")[0] for mark in figure.marks])

    def test_the_axis_follows_the_data(self):
        for ratio, first in ((0.05, "0%"), (0.5, "30%")):
            words = Figure(distribution.draw(with_first(ratio=ratio))).words
            self.assertEqual(first, next(word for word in words if re.fullmatch(r"[0-9]+%", word)))
        self.assertIn("180%", Figure(distribution.draw(with_first(ratio=1.75))).words)


class Headroom(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.results = results()
        cls.figure = Figure(headroom.draw(cls.results))
        cls.pairs = {pair["offline_id"]: pair for pair in cls.results["pairs"]}
        cls.facts = {fact["offline_id"]: fact for fact in cls.results["headroom"]["pairs"]}

    def test_one_for_every_pair_with_a_log_and_its_tooltip(self):
        expected = []
        for row_id, fact in self.facts.items():
            pair = self.pairs[row_id]
            ttft, tpot = (100 * fact[f"{short}_p99_ns"] / fact[f"{short}_limit_ns"] for short in ("ttft", "tpot"))
            ratio = 100 * pair["server_tokens_per_s"] / pair["offline_tokens_per_s"]
            expected.append(
                f"{pair['submitter']} · {pair['platform']} · rows {row_id}/{pair['server_id']}: {ratio:.2f}%, "
                f"TTFT {ttft:.2f}% and TPOT {tpot:.2f}% of their limits"
            )
        self.assertEqual(146, len(expected))
        self.assertEqual(sorted(expected), sorted(mark.label for mark in self.figure.marks))

    def test_each_stands_in_its_panel_where_the_axes_say(self):
        headings = [text for text in self.figure.texts if re.search(r" · \d+ pairs$", text.text)]
        corners = {text.text.split(" · ")[0]: (float(text.get("x")), float(text.get("y"))) for text in headings}
        self.assertEqual(sorted({self.pairs[row_id]["model"] for row_id in self.facts}), list(corners))
        ticks = [text for text in self.figure.texts if re.fullmatch(r"\d+%", text.text)]
        for mark in self.figure.marks:
            row_id = re.search(r"rows (\d+)/", mark.label)[1]
            left, top = corners[self.pairs[row_id]["model"]]
            near = [
                text
                for text in ticks
                if 0 <= float(text.get("x")) - left < 370 and 0 < float(text.get("y")) - top < 290
            ]
            across = scale(
                sorted(
                    ((t.text, float(t.get("x"))) for t in near if t.get("text-anchor") == "middle"),
                    key=lambda tick: tick[1],
                )
            )
            # the label of a tick stands four units below its line
            up = scale(
                sorted(
                    ((t.text, float(t.get("y")) - 4) for t in near if t.get("text-anchor") == "end"),
                    key=lambda tick: -tick[1],
                )
            )
            ratio, ttft, tpot = map(float, re.findall(r"([0-9.]+)%", mark.label))
            self.assertAlmostEqual(across.at(max(ttft, tpot)), mark.x, delta=0.06, msg=mark.label)
            self.assertAlmostEqual(up.at(ratio), mark.y, delta=0.06, msg=mark.label)

    def test_the_heavier_lines_are_at_100_percent(self):
        at_100 = [text for text in self.figure.texts if text.text == "100%"]
        across = {float(text.get("x")) for text in at_100 if text.get("text-anchor") == "middle"}
        up = {float(text.get("y")) - 4 for text in at_100 if text.get("text-anchor") == "end"}
        heavier = self.figure.lines("fig-axis")
        self.assertEqual(across, {float(line.get("x1")) for line in heavier if line.get("x1") == line.get("x2")})
        self.assertEqual(up, {float(line.get("y1")) for line in heavier if line.get("y1") == line.get("y2")})

    def test_shape_and_colour_say_which_is_nearer(self):
        for mark in self.figure.marks:
            _, ttft, tpot = map(float, re.findall(r"([0-9.]+)%", mark.label))
            expected = ("circle", "fig-mark") if tpot > ttft else ("polygon", "fig-other")
            self.assertEqual(expected, (mark.shape, mark.class_), mark.label)
        legend = [words for words in self.figure.words if words.endswith("its limit")]
        self.assertEqual(["TPOT is nearer its limit", "TTFT is nearer its limit"], legend)

    def test_both_equally_near_is_drawn_apart(self):
        found = results()
        found["headroom"]["pairs"][0]["nearer"] = "equal"
        figure = Figure(headroom.draw(found))
        self.assertEqual(1, sum(mark.class_ == "fig-reference" for mark in figure.marks))
        self.assertIn("both are equally near", figure.words)


class HeadroomPage(unittest.TestCase):
    def test_texts_do_not_overlap_and_nothing_leaves(self):
        figure = Figure(headroom.draw(results()))
        self.assertEqual([], figure.problems())

    def test_title_description_and_whose_results(self):
        figure = Figure(headroom.draw(results()))
        self.assertEqual("Ratio against latency headroom of 146 pairs, MLPerf® Inference v6.1", figure.title)
        self.assertIn(
            "deepseek-r1: 28 pairs, median of the larger fraction 90.23%, TPOT nearer its limit in 28, TTFT in 0.",
            figure.description,
        )
        self.assertIn("Result not verified by MLCommons Association.", " ".join(figure.words))

    def test_no_word_of_causes(self):
        words = headroom.draw(results()).decode("utf-8").lower()
        for word in ("cause", "because", "bound by", "bottleneck", "due to", "explain"):
            self.assertNotIn(word, words)


def model(name: str, n: int, *ratios: float) -> dict:
    return {"model": name, "n": n, **dict(zip(("minimum", "median", "maximum"), ratios)), "above_1": 0}


ROUNDS = [
    {
        "round": "v1",
        "source": {"repository": "https://github.com/example/results", "commit": "0123456789abcdef"},
        "models": [model("a", 1, 0.5, 0.75, 1.0)],
    },
    {"round": "v2", "source": None, "models": [model("a", 1000, 0.9, 1.1, 1.3), model("b" * 21, 2, 0.2, 0.2, 0.2)]},
]
# The scale: from 0.2 to 1.3 there are 1.1; an eighth is 0.1375, so ticks at each 0.2, from 0.2 to 1.4. They lie between
# 230 and 800 - 190 = 610, so 0.2 is 380 / 6 = 63.333 wide. Rows are 24 high, groups 16 apart, the first at 100.
TITLES = """\
<text x="20" y="30" class="fig-text fig-strong">Server rate as a percentage of the Offline rate, by model and round</text>
<text x="20" y="50" class="fig-text fig-muted">Range (bar) and median (line) of the pairs released in each round.</text>
<text x="20" y="68" class="fig-text fig-muted">Rounds differ in models, hardware and rules.</text>"""
AXIS = "\n".join(
    f'<line x1="{x}" y1="92" x2="{x}" y2="228" class="fig-line"/>\n'
    f'<text x="{x}" y="246" class="fig-text fig-small" text-anchor="middle">{label}</text>'
    for x, label in (
        ("230", "20%"), ("293.33", "40%"), ("356.67", "60%"), ("420", "80%"), ("483.33", "100%"), ("546.67", "120%"),
        ("610", "140%"),
    )
)  # fmt: skip
HUNDRED = '<line x1="483.33" y1="92" x2="483.33" y2="228" class="fig-axis"/>'
ROWS = """\
<text x="20" y="116" class="fig-text fig-strong">a</text>
<text x="218" y="116" class="fig-text fig-small fig-muted" text-anchor="end">v1</text>
<rect x="325" y="105" width="158.33" height="14" class="fig-mark"/>
<line x1="404.17" y1="102" x2="404.17" y2="122" class="fig-median"/>
<text x="622" y="116" class="fig-text fig-small">1 pair, median 75.00%</text>
<text x="218" y="140" class="fig-text fig-small fig-muted" text-anchor="end">v2</text>
<rect x="451.67" y="129" width="126.67" height="14" class="fig-mark"/>
<line x1="515" y1="126" x2="515" y2="146" class="fig-median"/>
<text x="622" y="140" class="fig-text fig-small">1,000 pairs, median 110.00%</text>
<text x="20" y="180" class="fig-text fig-strong">bbbbbbbbbbbbbbbbbbb…</text>
<text x="218" y="180" class="fig-text fig-small fig-muted" text-anchor="end">v1</text>
<text x="622" y="180" class="fig-text fig-small fig-muted">no pair</text>
<text x="218" y="204" class="fig-text fig-small fig-muted" text-anchor="end">v2</text>
<rect x="230" y="193" width="2" height="14" class="fig-mark"/>
<line x1="230" y1="190" x2="230" y2="210" class="fig-median"/>
<text x="622" y="204" class="fig-text fig-small">2 pairs, median 20.00%</text>"""
WORDS = (
    "MLPerf® Inference: Datacenter v1, v2, closed division, Offline and Server scenarios. {}Ratios are derived. Result "
    "not verified by MLCommons Association. Not endorsed by MLCommons or any submitter. The MLPerf name and logo are registered and unregistered trademarks of "
    "MLCommons Association in the United States and other countries. All rights reserved. Unauthorized use strictly "
    "prohibited. See www.mlcommons.org for more information."
)
TAKEN = WORDS.format("Retrieved from github.com/example/results at 0123456789ab. ")
DESCRIPTION = (
    "Range and median of the Server/Offline ratio of each model in each round. a in v1: 1 pair from 50.00% to 100.00%, "
    "median 75.00%. a in v2: 1,000 pairs from 90.00% to 130.00%, median 110.00%. " + "b" * 21 + " in v2: 2 pairs from "
    "20.00% to 20.00%, median 20.00%."
)


def footer(found: list) -> list[str]:
    """Return the lines of a figure's last paragraph."""
    words = Figure(rounds.draw(found)).words
    return words[next(number for number, text in enumerate(words) if text.startswith("MLPerf®")) :]


class Rounds(BundleCase):
    def test_every_element(self):
        drawn = rounds.draw(ROUNDS).decode("utf-8")
        lines = footer(ROUNDS)
        last = "\n".join(
            f'<text x="20" y="{278 + 17 * number}" class="fig-text fig-small fig-muted">{line}</text>'
            for number, line in enumerate(lines)
        )
        back = f'<rect x="0" y="0" width="800" height="{278 + 17 * len(lines)}" class="fig-back"/>'
        body = drawn.split("</style>\n")[1]
        self.assertEqual("\n".join([back, TITLES, AXIS, HUNDRED, ROWS, last, "</svg>\n"]), body)
        self.assertIn(
            '<title id="rounds-title">Server/Offline ratios by model, MLPerf® Inference v1, v2</title>', drawn
        )
        self.assertIn(f'<desc id="rounds-description">{DESCRIPTION}</desc>', drawn)

    def test_no_round(self):
        self.assertIn("of each model in each round.</desc>", rounds.draw([]).decode("utf-8"))


class RoundsFooter(BundleCase):
    def test_the_words(self):
        self.assertEqual(TAKEN, " ".join(footer(ROUNDS)))
        without = [{"round": "v1", "models": []}, {"round": "v2", "models": []}]
        self.assertEqual(WORDS.format(""), " ".join(footer(without)))
        twice = [ROUNDS[0], {**ROUNDS[0], "round": "v2"}]
        place = "github.com/example/results at 0123456789ab"
        self.assertEqual(WORDS.format(f"Retrieved from {place}, {place}. "), " ".join(footer(twice)))

    def test_a_line_holds_as_many_words_as_there_is_room_for(self):
        lengths = set()
        for size in range(1, 60):
            lines = footer([{"round": "v" * size, "models": []}])
            for line, following in zip(lines, lines[1:]):
                self.assertGreater(len(line) + len(following.split(" ")[0]), 108)
            lengths.update(map(len, lines))
        self.assertEqual(109, max(lengths))  # 108 and a blank


class OtherRounds(BundleCase):
    """Figures of results in which a group is empty, or a name or a number another than today."""

    FIGURES = (highlighted, distribution, headroom)

    def test_results_are_not_changed(self):
        found = results()
        for figure in self.FIGURES:
            figure.draw(found)
        self.assertEqual(RESULTS, found)

    def test_whatever_group_is_empty_the_figures_are_pictures(self):
        for name, made in varied.CASES.items():
            found = made()
            for figure in self.FIGURES:
                with self.subTest(name, figure=figure.__name__):
                    drawn = Figure(figure.draw(found))
                    self.assertEqual([], drawn.problems())
                    self.assertIn(figure.describe(found), drawn.description)
                    self.assertNotRegex(drawn.description + " ".join(drawn.words), r"\b1 pairs|\. \.|: *$")

    def test_the_legend_names_what_occurs(self):
        for made, words in ((varied.no_cpu_only_pair, "CPU only"), (varied.no_accelerators, "with accelerators")):
            self.assertNotIn(words, Figure(distribution.draw(made())).words)

    def test_a_model_with_one_pair(self):
        found = varied.highlighted(3, 1)
        self.assertIn("model-1 · 1 pair · median 92.96%", Figure(distribution.draw(found)).words)  # row 6's ratio
        self.assertIn("model-1 · 1 pair", Figure(headroom.draw(found)).words)

    def test_several_systems_apart(self):
        self.assertIn("Apart from these: other systems", Figure(highlighted.draw(varied.highlighted(3, 2))).words)

    def test_a_model_with_a_long_name(self):
        found = varied.results()
        for pair in found["pairs"] + found["headroom"]["pairs"]:
            pair["model"] = "m" * 500 if pair["model"] == "deepseek-r1" else pair["model"]
        for part in ("distribution", "headroom"):
            by_model = found[part]["by_model"]
            by_model["m" * 500] = by_model.pop("deepseek-r1")
        for figure in (distribution, headroom):
            self.assertEqual([], Figure(figure.draw(found)).problems())

    def test_ratios_far_apart_have_few_ticks(self):
        found = varied.results()
        found["pairs"][0]["ratio"] = next(p for p in found["pairs"] if p["offline_id"] == "285")["ratio"] = 42.0
        for figure in self.FIGURES:
            labels = [words for words in Figure(figure.draw(found)).words if re.fullmatch(r"[0-9]+%", words)]
            self.assertLess(len(set(labels)), 40, figure.__name__)
        self.assertEqual([], Figure(highlighted.draw(found)).problems())

    def test_a_row_whose_id_is_no_number(self):
        found = varied.results()
        found["pairs"][0]["offline_id"] = "x"
        self.assertIn("rows x/7", distribution.draw(found).decode("utf-8"))
