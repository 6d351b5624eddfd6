"""A row's reported accuracy: reading the cell, and each metric against its target and upper limit."""

from __future__ import annotations

import unittest

from scenario_ratio.problems import BundleError
from scenario_ratio.study import checks
from scenario_ratio.upstream.constants import Constants
from scenario_ratio.upstream.summary import Row
from tests.support import BundleCase, given, needs_hypothesis, row, st

FORM = "expected 'METRIC: number', two blanks between"


def constants(targets: dict, upper_limits: dict) -> Constants:
    return Constants("c.py", "v9.0", targets, upper_limits, {"old-m": "m"}, None, None, {})


M = constants({"m": ("ROUGE1", 44.0, "LEN", 90.0)}, {"m": ("LEN", 110.0)})


def one_row(cell: str, label: str = "m") -> Row:
    return row("7", Model=(label, label), Scenario=("Server", "Server"), Accuracy=(cell, cell))


def accuracy(cell: str, label: str = "m", table: Constants = M) -> tuple[dict, list]:
    """Return what the accuracy check makes of a Server row '7' of the summary s.csv."""
    return checks.accuracy(one_row(cell, label), table, "s.csv")


class Cell(unittest.TestCase):
    def test_metrics_with_their_printed_numbers(self):
        self.assertEqual(
            {"ROUGE1": "44.80", "TOKENS_PER_SAMPLE": "267"}, checks.reported("ROUGE1: 44.80  TOKENS_PER_SAMPLE: 267")
        )

    def test_any_other_form(self):
        for cell, message in (
            ("", "''"),
            ("ROUGE1", "'ROUGE1'"),
            ("ROUGE1: 44.8 ROUGE2: 22.1", "'ROUGE1: 44.8 ROUGE2: 22.1'"),
            ("ROUGE1: 44.8  ", "''"),
            (" ROUGE1: 44.8", "' ROUGE1: 44.8'"),
            ("ROUGE1: 44.8   ROUGE2: 1", "' ROUGE2: 1'"),
            ("ROUGE1:44.8", "'ROUGE1:44.8'"),
            ("ROUGE1: -1", "'ROUGE1: -1'"),
            ("ROUGE1: nan", "'ROUGE1: nan'"),
            ("ROUGE1: inf", "'ROUGE1: inf'"),
            ("ROUGE1: 1e5", "'ROUGE1: 1e5'"),
            ("ROUGE1: 4.", "'ROUGE1: 4.'"),
            ("ROUGE1: ٤", "'ROUGE1: \\u0664'"),
            ("ROUGE1: 44.8\n", "'ROUGE1: 44.8\\n'"),
            ("1ROUGE: 44.8", "'1ROUGE: 44.8'"),
            ("ROUGE1: 44.8  ROUGE1: 44.8", "the metric ROUGE1 twice"),
        ):
            with self.subTest(cell=cell), self.assertRaises(ValueError) as caught:
                checks.reported(cell)
            self.assertEqual(message, str(caught.exception))


class Check(BundleCase):
    def check(self, cell, lines, label="m", table=M):
        found, problems = accuracy(cell, label, table)
        self.assert_problems([f"s.csv: row '7', {line}" for line in lines], problems)
        self.assertEqual({"accuracy"} if lines else set(), {problem.check for problem in problems})
        self.assertEqual("failed" if lines else "within targets and limits", found["verdict"])
        return [tuple(metric.values()) for metric in found["metrics"]]

    def test_within_target_and_upper_limit(self):
        expected = [("ROUGE1", 44.5, 44.0, None), ("LEN", 100.0, 90.0, 110.0)]
        self.assertEqual(expected, self.check("ROUGE1: 44.5  LEN: 100", []))
        found, _ = accuracy("ROUGE1: 44.5  LEN: 100")
        self.assertEqual(["metric", "reported", "target", "upper_limit"], list(found["metrics"][0]))
        self.assertEqual(["row", "model", "verdict", "metrics", "limits_without_a_reported_metric"], list(found))
        self.assertEqual(("7", "m"), (found["row"], found["model"]))

    def test_equal_to_a_target_or_a_limit_is_within(self):
        self.check("ROUGE1: 44.0  LEN: 90", [])
        self.check("ROUGE1: 44.0  LEN: 110.000", [])

    def test_below_the_target(self):
        self.check("ROUGE1: 43.99  LEN: 100", ["Accuracy ROUGE1: found 43.99; expected at least 44.0"])

    def test_above_the_upper_limit(self):
        self.check("ROUGE1: 44  LEN: 110.01", ["Accuracy LEN: found 110.01; expected at most 110.0"])

    def test_every_metric_that_is_wrong(self):
        self.check(
            "ROUGE1: 1  LEN: 200",
            ["Accuracy ROUGE1: found 1; expected at least 44.0", "Accuracy LEN: found 200; expected at most 110.0"],
        )

    def test_a_metric_that_is_missing(self):
        self.check("ROUGE1: 45", ["Accuracy LEN: found no such metric; expected at least 90.0"])

    def test_a_metric_that_is_unknown(self):
        expected = ["Accuracy BLEU: found a metric without a target; expected one of ROUGE1, LEN"]
        self.check("ROUGE1: 45  LEN: 100  BLEU: 3", expected)

    def test_a_metric_with_an_upper_limit_alone(self):
        table = constants({"m": ("acc", 1.0)}, {"m": ("LEN", 5.0)})
        self.assertEqual(
            [("acc", 1.0, 1.0, None), ("LEN", 5.0, None, 5.0)], self.check("acc: 1  LEN: 5", [], table=table)
        )
        self.check("acc: 1  LEN: 6", ["Accuracy LEN: found 6; expected at most 5.0"], table=table)
        self.assertEqual([("acc", 1.0, 1.0, None)], self.check("acc: 1", [], table=table))

    def test_a_model_without_a_target_is_not_checked(self):
        found, problems = accuracy("acc: 1  LEN: 500", "other")
        self.assert_problems([], problems)
        self.assertEqual("not checked", found["verdict"])
        self.assertEqual(
            [("acc", 1.0, None, None), ("LEN", 500.0, None, None)],
            [tuple(metric.values()) for metric in found["metrics"]],
        )
        found, problems = accuracy("acc=1", "other")
        self.assert_problems([f"s.csv: row '7', Accuracy: found 'acc=1'; {FORM}"], problems)
        self.assertEqual(("failed", []), (found["verdict"], found["metrics"]))

    def test_a_limit_on_what_is_not_reported_is_named(self):
        table = constants({"m": ("acc", 1.0)}, {"m": ("acc", 2.0, "LEN", 5.0)})
        self.assertEqual(["LEN"], accuracy("acc: 1", table=table)[0]["limits_without_a_reported_metric"])
        self.assertEqual([], accuracy("acc: 1  LEN: 5", table=table)[0]["limits_without_a_reported_metric"])

    def test_figures_of_a_wrong_form_are_problems_of_the_constants(self):
        table = constants({"m": ("acc", "one")}, {"m": ("acc",)})
        found, problems = accuracy("acc: 1", table=table)
        form = "expected (metric, number, metric, number, ...)"
        self.assert_problems(
            [
                f"c.py: targets, m: found ('acc', 'one'); {form}",
                f"c.py: upper_limits, m: found ('acc',); {form}",
            ],
            problems,
        )
        self.assertEqual({"constants"}, {problem.check for problem in problems})
        self.assertEqual("not checked", found["verdict"])
        self.assertEqual((None, None), checks.tables_of(table, one_row("acc: 1"))[:2])

    def test_a_label_that_the_mapping_renames(self):
        self.check("ROUGE1: 44.5  LEN: 100", [], label="old-m")

    def test_an_entry_by_scenario(self):
        table = constants({"m": {"Offline": ("acc", 9.0), "Server": ("acc", 5.0)}}, {})
        self.assertEqual([("acc", 6.0, 5.0, None)], self.check("acc: 6", [], table=table))

    def test_a_cell_of_another_form(self):
        self.check("ROUGE1=44", [f"Accuracy: found 'ROUGE1=44'; {FORM}"])
        self.check("LEN: 100  LEN: 100", [f"Accuracy: found the metric LEN twice; {FORM}"])


@needs_hypothesis
class AnyInput(BundleCase):
    def test_any_cell_gives_metrics_or_problems(self):
        texts = st.text(max_size=40) | st.lists(
            st.sampled_from(["ROUGE1", "LEN", "X", ": ", "  ", " ", "44.5", "100", "-", "."]), max_size=9
        ).map("".join)

        @given(texts, st.sampled_from(["m", "old-m", "other"]))
        def check(cell, label):
            found, problems = accuracy(cell, label)
            metrics = found["metrics"]
            BundleError(*problems)
            self.assertTrue(problems or [metric["metric"] for metric in metrics][:2])
            for line in map(str, problems):
                self.assertNotIn("\n", line)

        check()

    def test_a_printed_number_is_judged_as_the_number_it_prints(self):
        @given(st.integers(0, 99_999), st.integers(0, 99_999))
        def check(rouge, length):
            cell = f"ROUGE1: {rouge / 1000:.3f}  LEN: {length / 100:.2f}"
            _, problems = accuracy(cell)
            wrong = [rouge < 44_000, length < 9_000, length > 11_000]  # in thousandths, hundredths
            self.assertEqual(sum(wrong), len(problems))

        check()


if __name__ == "__main__":
    unittest.main()
