"""latency-headroom.svg: a mark for every pair with a Server log, where its panel's axes say it belongs."""

from __future__ import annotations

import json
import re
import unittest

import make_headroom

from scenario_ratio.files import read_bytes
from tests.figure_reading import Figure, scale
from tests.support import ROOT, copied_bundle, run


def results() -> dict:
    return json.loads((ROOT / "results.json").read_bytes())


class Marks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.results = results()
        cls.figure = Figure(make_headroom.draw(cls.results))
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
                    key=lambda tick: tick[1],
                )
            )
            ratio, ttft, tpot = map(float, re.findall(r"([0-9.]+)%", mark.label))
            self.assertAlmostEqual(across(max(ttft, tpot)), mark.x, delta=0.06, msg=mark.label)
            self.assertAlmostEqual(up(ratio), mark.y, delta=0.06, msg=mark.label)

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
        figure = Figure(make_headroom.draw(found))
        self.assertEqual(1, sum(mark.class_ == "fig-reference" for mark in figure.marks))
        self.assertIn("both are equally near", figure.words)


class Page(unittest.TestCase):
    def test_texts_do_not_overlap_and_nothing_leaves(self):
        figure = Figure(make_headroom.draw(results()))
        self.assertEqual([], figure.problems())

    def test_title_description_and_whose_results(self):
        figure = Figure(make_headroom.draw(results()))
        self.assertEqual("Ratio against latency headroom of 146 pairs, MLPerf® Inference v6.1", figure.title)
        self.assertIn(
            "deepseek-r1: 28 pairs, median of the larger fraction 90.23%, TPOT nearer its limit in 28, TTFT in 0.",
            figure.description,
        )
        self.assertTrue(" ".join(figure.words).endswith("Result not verified by MLCommons Association."))

    def test_no_word_of_causes(self):
        words = make_headroom.draw(results()).decode("utf-8").lower()
        for word in ("cause", "because", "bound by", "bottleneck", "due to", "explain"):
            self.assertNotIn(word, words)


class Script(unittest.TestCase):
    def test_writes_the_figure_of_the_bundle(self):
        folder = copied_bundle(self, "make_headroom.py", "scenario_ratio", "results.json")
        done = run(folder / "make_headroom.py", cwd="/")
        self.assertEqual((0, "latency-headroom.svg: changed\n", ""), (done.returncode, done.stdout, done.stderr))
        name = "latency-headroom.svg"
        self.assertEqual(read_bytes(ROOT, name), read_bytes(folder, name))


if __name__ == "__main__":
    unittest.main()
