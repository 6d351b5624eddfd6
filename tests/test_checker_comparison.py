"""The bundle's figures against checker constants of the upstream form: every figure that differs is told."""

import unittest

from scenario_ratio.upstream import comparison as checker_comparison
from tests.support import ROOT, BundleCase

OURS = """
MODEL_CONFIG = {"v6.1": {
    "accuracy-target": {"m": ("ROUGE1", 44.0 * 0.999, "ROUGE2", 22)},
    "accuracy-upper-limit": {"m": ("LEN", 10 * 1.1)},
    "model_mapping": {"m_1": "m"},
    "seeds": {"a_seed": 1, "b_seed": 2},
}}
LLM_LATENCY_LIMITS = {"m": {"Server": {"ttft": 2000 * 1000000, "tpot": 80}}}
"""
# The same figures as upstream writes them: factors first, other rounds and models beside them, a dict by scenario.
THEIRS = """
import os
TIMEOUT = os.environ
MODEL_CONFIG = {"v6.0": {"accuracy-target": {"m": ("ROUGE1", 1)}}, "v6.1": {
    "models": ["m", "n"],
    "accuracy-target": {
        "m": ("ROUGE1", 0.999 * 44.0, "ROUGE2", 22),
        "n": {"Offline": ("acc", 1), "Server": ("acc", 2)},
    },
    "accuracy-upper-limit": {"m": ("LEN", 1.1 * 10)},
    "model_mapping": {"m_1": "m", "n-99": "n"},
    "seeds": {"a_seed": 1, "b_seed": 2, "c_seed": 3},
}}
LLM_LATENCY_LIMITS = {"n": {}, "m": {"Server": {"tpot": 80, "ttft": 2000000000}}}
"""


class Comparison(BundleCase):
    def assert_differences(self, *changes: tuple, lines: list) -> None:
        theirs = THEIRS
        for old, new in changes:
            self.assertIn(old, theirs)
            theirs = theirs.replace(old, new)
        files = {"ours.py": OURS.encode("ascii"), "theirs.py": theirs.encode("ascii")}
        self.assert_problems(lines, checker_comparison.compare(files, "v6.1"))

    def test_the_same_figures_written_otherwise_agree(self):
        self.assert_differences(lines=[])

    def test_the_figures_of_the_bundle_agree_with_themselves(self):
        raw = (ROOT / "sources/checker_constants.py").read_bytes()
        self.assert_problems([], checker_comparison.compare({"a": raw, "b": raw}, "v6.1"))

    def test_every_kind_of_figure_is_compared(self):
        self.assert_differences(
            ('"ROUGE2", 22', '"ROUGE2", 23'),
            ("1.1 * 10", "1.2 * 10"),
            ('"m_1": "m"', '"m_1": "n"'),
            ('"b_seed": 2', '"b_seed": 4'),
            ('"tpot": 80', '"tpot": 90'),
            lines=[
                "ours.py: targets, m ROUGE2: found 22; expected 23 (theirs.py)",
                "ours.py: upper_limits, m LEN: found 11.0; expected 12.0 (theirs.py)",
                "ours.py: model_mapping, m_1: found m; expected n (theirs.py)",
                "ours.py: seeds, b_seed: found 2; expected 4 (theirs.py)",
                "ours.py: latency_limits, m Server tpot: found 80; expected 90 (theirs.py)",
            ],
        )

    def test_a_figure_on_one_side_only_differs(self):
        self.assert_differences(
            ('"ROUGE2", 22', '"ROUGEL", 28'),
            ('"m_1": "m", ', ""),
            ('"seeds": {', '"old_seeds": {'),
            ('"m": {"Server": {', '"m": {"Interactive": {"ttft": 1}, "Server": {'),
            lines=[
                "ours.py: targets, m ROUGE2: found 22; expected no figure (theirs.py)",
                "ours.py: targets, m ROUGEL: found no figure; expected 28 (theirs.py)",
                "ours.py: model_mapping, m_1: found m; expected no figure (theirs.py)",
                "ours.py: seeds, a_seed: found 1; expected no figure (theirs.py)",
                "ours.py: seeds, b_seed: found 2; expected no figure (theirs.py)",
                "ours.py: latency_limits, m Interactive ttft: found no figure; expected 1 (theirs.py)",
            ],
        )

    def test_a_model_that_is_gone_differs_in_all_its_figures(self):
        self.assert_differences(
            ('"m": ("ROUGE1", 0.999', '"k": ("ROUGE1", 0.999'),
            lines=[
                "ours.py: targets, m ROUGE1: found 43.956; expected no figure (theirs.py)",
                "ours.py: targets, m ROUGE2: found 22; expected no figure (theirs.py)",
            ],
        )

    def test_constants_that_cannot_be_read_are_told(self):
        self.assert_differences(
            ('"seeds": {"a_seed": 1, "b_seed": 2, "c_seed": 3}', '"seeds": 5'),
            lines=["theirs.py: MODEL_CONFIG['v6.1'], seeds: found 5; expected a dict of int by name"],
        )
        self.assert_differences(
            ('"v6.1"', '"v7.0"'), lines=["theirs.py: MODEL_CONFIG: found v6.0, v7.0; expected the round v6.1"]
        )


if __name__ == "__main__":
    unittest.main()
