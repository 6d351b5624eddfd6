"""scenario-ratios.svg: what it says, how long its bars are, and that it stays a picture whatever the data hold."""

from __future__ import annotations

import copy
import json
import re
import unittest
import xml.etree.ElementTree as ElementTree

import make_plot
from tests.figure_reading import SVG, Figure
from tests.support import ROOT, BundleCase, copied_bundle, run

RESULTS = json.loads((ROOT / "results.json").read_bytes())

# The four pairs as published: rows, model, Offline and Server rate in tokens/s, ratio.
PUBLISHED = (
    ("285/286", "deepseek-r1", "70,132.3", "59,867.8", "85.36%"),
    ("287/288", "gpt-oss-120b", "106,637.0", "100,630.0", "94.37%"),
    ("289/290", "llama2-70b-99.9", "109,277.0", "106,949.0", "97.87%"),
    ("300/301", "gpt-oss-120b", "883,761.0", "899,005.0", "101.72%"),
)
RATES = ((70132.3, 59867.8), (106637.0, 100630.0), (109277.0, 106949.0), (883761.0, 899005.0))


def changed(row_id: str = "285", **values: object) -> dict:
    """Return the bundle's results in which the pair of an Offline id has other values."""
    found = copy.deepcopy(RESULTS)
    next(pair for pair in found["pairs"] if pair["offline_id"] == row_id).update(values)
    return found


def with_ratio(ratio: float, row_id: str = "285") -> Figure:
    return Figure(make_plot.draw(changed(row_id, ratio=ratio)))


class Picture(BundleCase):
    """The figure that is committed."""

    @classmethod
    def setUpClass(cls):
        cls.figure = Figure((ROOT / "scenario-ratios.svg").read_bytes())

    def bars(self, class_: str) -> list[ElementTree.Element]:
        return [rect for rect in self.figure.root.iter(f"{SVG}rect") if rect.get("class") == class_]

    def test_it_is_drawn_from_the_results(self):
        self.assertEqual(self.figure.raw, make_plot.draw(RESULTS))
        self.assertEqual({"scenario-ratios.svg": self.figure.raw}, make_plot.outputs(ROOT / "never read", ROOT))

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


class Labels(BundleCase):
    """Whatever a submission calls itself comes out as text, inside the figure."""

    def test_tags_and_quotes_are_text(self):
        hostile = "<script>alert(1)</script>'\"&amp;]]>"
        for field in ("model", "submitter", "platform"):
            with self.subTest(field):
                figure = Figure(make_plot.draw(changed(**{field: hostile})))
                (heading,) = (words for words in figure.words if words.endswith("rows 285/286"))
                self.assertIn(hostile, heading)
                self.assertIn(hostile, figure.description)
                elements = {element.tag.removeprefix(SVG) for element in figure.root.iter()}
                self.assertEqual({"svg", "title", "desc", "style", "rect", "line", "text"}, elements)
                names = {name for element in figure.root.iter() for name in element.attrib}
                self.assertEqual(set(), {name for name in names if name.startswith("on") or "href" in name})

    def test_marks_that_reorder_or_hide_are_shown(self):
        figure = Figure(make_plot.draw(changed(platform="a\u202eb\u2066c\u200bd\x07e\ud800f\ufeffg")))
        shown = "a[U+202E]b[U+2066]c[U+200B]d[U+0007]e[U+D800]f[U+FEFF]g"
        self.assertTrue(any(shown in words for words in figure.words))
        self.assertIn(shown, figure.description)
        self.assertNotRegex(figure.raw.decode("utf-8"), "[\u202a-\u202e\u2066-\u2069\u200b\x07\ufeff]")

    def test_a_very_long_label_is_cut_at_the_edge(self):
        figure = Figure(make_plot.draw(changed(platform="a rather long name " * 500)))
        (heading,) = (words for words in figure.words if words.startswith("deepseek-r1 ·"))
        self.assertEqual((94, "…"), (len(heading), heading[-1]))
        self.assertIn("a rather long name " * 500, figure.description)
        self.assertEqual([], figure.problems())

    def test_a_template_is_text(self):
        figure = Figure(make_plot.draw(changed(model="{0} %s ${x} \\1")))
        self.assertTrue(any(words.startswith("{0} %s ${x} \\1 · NVIDIA") for words in figure.words))


class Lengths(BundleCase):
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
        figure = Figure(make_plot.draw(found))
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
        self.assertFalse((root / "scenario-ratios.svg").exists())
        (root / "results.json").write_bytes((ROOT / "results.json").read_bytes())
        found = run(ROOT / "make_plot.py", "--root", root)
        self.assertEqual(("", "scenario-ratios.svg: changed\n", 0), (found.stderr, found.stdout, found.returncode))
        self.assertEqual((ROOT / "scenario-ratios.svg").read_bytes(), (root / "scenario-ratios.svg").read_bytes())

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


if __name__ == "__main__":
    unittest.main()
