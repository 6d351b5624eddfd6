"""The figure of rounds side by side: every element, at places worked by hand."""

from __future__ import annotations

from scenario_ratio.show.figures import rounds as rounds_figure
from tests.support import BundleCase


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
    "not verified by MLCommons Association. The MLPerf name and logo are registered and unregistered trademarks of "
    "MLCommons Association in the United States and other countries. All rights reserved. Unauthorized use strictly "
    "prohibited. See www.mlcommons.org for more information."
)
TAKEN = WORDS.format("Retrieved from github.com/example/results at 0123456789ab. ")
DESCRIPTION = (
    "Range and median of the Server/Offline ratio of each model in each round. a in v1: 1 pair from 50.00% to 100.00%, "
    "median 75.00%. a in v2: 1,000 pairs from 90.00% to 130.00%, median 110.00%. " + "b" * 21 + " in v2: 2 pairs from "
    "20.00% to 20.00%, median 20.00%."
)


class Figure(BundleCase):
    def test_every_element(self):
        drawn = rounds_figure.draw(ROUNDS).decode("utf-8")
        lines = rounds_figure._footer(ROUNDS)
        footer = "\n".join(
            f'<text x="20" y="{278 + 17 * number}" class="fig-text fig-small fig-muted">{line}</text>'
            for number, line in enumerate(lines)
        )
        back = f'<rect x="0" y="0" width="800" height="{278 + 17 * len(lines)}" class="fig-back"/>'
        body = drawn.split("</style>\n")[1]
        self.assertEqual("\n".join([back, TITLES, AXIS, HUNDRED, ROWS, footer, "</svg>\n"]), body)
        self.assertIn(
            '<title id="rounds-title">Server/Offline ratios by model, MLPerf® Inference v1, v2</title>', drawn
        )
        self.assertIn(f'<desc id="rounds-description">{DESCRIPTION}</desc>', drawn)

    def test_no_round(self):
        self.assertIn("of each model in each round.</desc>", rounds_figure.draw([]).decode("utf-8"))


class Footer(BundleCase):
    def test_the_words(self):
        self.assertEqual(TAKEN, " ".join(rounds_figure._footer(ROUNDS)))
        without = [{"round": "v1", "models": []}, {"round": "v2", "models": []}]
        self.assertEqual(WORDS.format(""), " ".join(rounds_figure._footer(without)))
        twice = [ROUNDS[0], {**ROUNDS[0], "round": "v2"}]
        place = "github.com/example/results at 0123456789ab"
        self.assertEqual(WORDS.format(f"Retrieved from {place}, {place}. "), " ".join(rounds_figure._footer(twice)))

    def test_a_line_holds_as_many_words_as_there_is_room_for(self):
        lengths = set()
        for size in range(1, 60):
            lines = rounds_figure._footer([{"round": "v" * size, "models": []}])
            for line, following in zip(lines, lines[1:]):
                self.assertGreater(len(line) + len(following.split(" ")[0]), 108)
            lengths.update(map(len, lines))
        self.assertEqual(109, max(lengths))  # 108 and a blank


class Scale(BundleCase):
    def test_steps(self):
        for least, step in ((0, 0.1), (0.1, 0.1), (0.11, 0.2), (0.2, 0.2), (0.3, 0.5), (0.5, 0.5), (0.51, 1), (1, 1),
                            (1.5, 2), (5, 5), (5.1, 10), (12.25, 20), (30, 50)):  # fmt: skip
            self.assertAlmostEqual(step, rounds_figure._step(least), msg=str(least))

    def test_every_ratio_and_one_are_between_the_ends(self):
        for ratios, step, low, high in (
            ([], 0.1, 10, 11),
            ([1.0], 0.1, 10, 11),
            ([0.05], 0.2, 0, 5),
            ([0.95, 0.99], 0.1, 9, 10),
            ([1.05], 0.1, 10, 11),
            ([1.9], 0.2, 5, 10),
            ([99.0], 20, 0, 5),
        ):
            scale = rounds_figure._Scale(ratios)
            self.assertEqual((step, low, high), (scale.step, scale.low, scale.high), ratios)
            for ratio in (*ratios, 1.0):
                self.assertTrue(230 <= scale.x(ratio) <= 610, ratio)
