"""The figure of several rounds side by side, read back and compared with the figures by model that are kept of each."""

from __future__ import annotations

import unittest

from tests.again import charts, drawn, expected, released
from tests.again.drawn import made
from tests.again.figures import Figure


class Rounds(drawn.Drawn):
    """The figure that audit.py draws of rounds, here of those that data/rounds.json keeps."""

    name = "rounds"
    number_of_heads = 3

    @classmethod
    def drawn(cls) -> Figure:
        return Figure(made("from scenario_ratio.show.figures import rounds",
                           "put(rounds.draw(json.load(open('data/rounds.json', encoding='utf-8'))['rounds']))"))  # fmt: skip

    @classmethod
    def read(cls):
        cls.rounds = expected.kept_rounds()
        cls.scale, cls.grid, cls.found = charts.read_spans(cls.figure)

    @classmethod
    def attribution(cls) -> str:
        return expected.rounds_attribution(cls.rounds)

    def test_what_stands_above_and_what_it_is_called(self):
        above = [
            "Server rate as a percentage of the Offline rate, by model and round",
            "Range (bar) and median (line) of the pairs released in each round.",
            "Rounds differ in models, hardware and rules.",
        ]
        self.assertEqual(above, self.heads)
        names = ", ".join(one["round"] for one in self.rounds)
        self.assertEqual(f"Server/Offline ratios by model, MLPerf® Inference {names}", self.figure.title)
        self.assertEqual(expected.rounds_described(self.rounds), self.figure.description)
        self.assertEqual({}, self.legend)

    def test_what_is_kept_of_this_round_is_what_the_released_data_give(self):
        (kept,) = [one for one in self.rounds if one["round"] == released.version()]
        models = [
            (one["model"], one["n"], *(one[key] for key in ("minimum", "median", "maximum")), one["above_1"])
            for one in kept["models"]
        ]
        # There the labels of a model are one, by the name that the checker knows it by.
        known: dict = {}
        for pair in released.pairs():
            known.setdefault(released.known_as(pair.offline["Model"]), []).append(pair.ratio)
        for (model, n, *ends, above), (name, ratios) in zip(models, sorted(known.items())):
            self.assertEqual((name, len(ratios), sum(ratio > 1 for ratio in ratios)), (model, n, above))
            for found, right in zip(ends, (min(ratios), released.median(ratios), max(ratios))):
                self.assertAlmostEqual(float(right), float(found), delta=1e-15)
        self.assertEqual(len(known), len(models))

    def test_models_and_their_rounds_in_order_with_their_numbers(self):
        told = expected.spans(self.rounds)
        self.assertEqual(list(told), list(self.found))
        for name, of_model in told.items():
            words = [", ".join(expected.span_told(model)[::2]) if model else "no pair" for _, model in of_model]
            self.assertEqual(
                [(one, text) for (one, _), text in zip(of_model, words)], [span[:2] for span in self.found[name]]
            )

    def test_bars_and_medians_stand_where_they_belong(self):
        for name, of_model in expected.spans(self.rounds).items():
            for (_, model), span in zip(of_model, self.found[name]):
                edges, medians = span.percents
                of = f"{name} in {span.name}"
                if model is None:
                    self.assertEqual(([], []), (edges, medians), of)
                    continue
                self.assertEqual((2, 1), (len(edges), len(medians)), of)
                for key, place in zip(("minimum", "median", "maximum"), (edges[0], *medians, edges[1])):
                    self.assert_at(100 * model[key], place, self.scale, f"{of}, {key}")

    def test_the_axis_holds_every_bar_and_100_percent_is_heavier(self):
        lines = [round(percent, 1) for percent in self.grid.percents]
        self.assertEqual(1, len({upper - lower for lower, upper in zip(lines, lines[1:])}))
        self.assertEqual([100], [round(percent, 1) for percent in self.grid.heavier])
        self.assertEqual((self.scale.least, self.scale.most), (lines[0], lines[-1]))
        bars = [shape for shape in self.figure.shapes[1:] if shape.shape == "rect"]
        self.assertTrue(self.grid.start < bars[0].top and bars[-1].bottom < self.grid.end)
        for spans in self.found.values():
            for span in spans:
                self.assertTrue(all(lines[0] <= edge <= lines[-1] for edge in span.percents[0]), span)


if __name__ == "__main__":
    unittest.main()
