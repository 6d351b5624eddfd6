"""Reading results.json back: every part that is not as analyze.py writes it is named."""

from __future__ import annotations

import json
import unittest

from scenario_ratio import results as results_file
from tests.support import ROOT, BundleCase, temporary_folder

HINT = "Run analyze.py to write it again."


class Load(BundleCase):
    def setUp(self):
        self.folder = temporary_folder(self)
        self.results = json.loads((ROOT / "results.json").read_bytes())

    def refused(self, *lines: str) -> None:
        (self.folder / "results.json").write_text(json.dumps(self.results), encoding="utf-8")
        self.assert_refused([f"results.json: {line}. {HINT}" for line in lines], results_file.load, self.folder)

    def test_what_analyze_writes(self):
        self.assertEqual(self.results, results_file.load(ROOT))

    def test_a_value_of_another_kind(self):
        self.results["pairs"][3]["ratio"] = "0.9"
        self.results["headroom"]["pairs"][2]["ttft_p99_ns"] = None
        self.refused(
            "pairs[3].ratio: found '0.9'; expected int or float",
            "headroom.pairs[2].ttft_p99_ns: found None; expected int",
        )

    def test_truth_is_no_number(self):
        self.results["counts"]["source_rows"] = True
        self.refused("counts.source_rows: found True; expected int")

    def test_a_key_missing_unknown_or_out_of_order(self):
        del self.results["highlighted"]["apart"]["offline_ids"]
        self.refused("highlighted.apart, keys: found ''; expected offline_ids")
        self.results["highlighted"]["apart"] = {"offline_ids": [], "more": 1}
        self.refused("highlighted.apart, keys: found 'offline_ids, more'; expected offline_ids")
        self.results["highlighted"] = {key: self.results["highlighted"][key] for key in ("apart", "same_system")}
        self.refused("highlighted, keys: found 'apart, same_system'; expected same_system, apart")

    def test_not_an_object(self):
        self.results = []
        self.refused("found []; expected an object")
        self.results = None
        self.refused("found None; expected an object")

    def test_pairs_that_are_named_and_not_there(self):
        # 103 is a pair of the claims, with a Server log
        self.results["pairs"] = [pair for pair in self.results["pairs"] if pair["offline_id"] != "103"]
        claims = [number for number, claim in enumerate(self.results["claims"]) if "103" in claim["offline_ids"]]
        self.refused(
            "headroom.pairs, offline_id: found '103'; expected the Offline id of a pair",
            *(f"claims[{number}], offline_id: found '103'; expected the Offline id of a pair" for number in claims),
        )

    def test_a_highlighted_pair_that_is_not_there(self):
        self.results["highlighted"]["apart"]["offline_ids"] = ["0"]
        self.refused("highlighted.apart, offline_id: found '0'; expected the Offline id of a pair")

    def test_a_model_without_pairs_and_one_left_out(self):
        for part in ("distribution", "headroom"):
            by_model = self.results[part]["by_model"]
            by_model["other"] = by_model.pop("llama3.1-8b")
        found = "'deepseek-r1, gpt-oss-120b, llama2-70b-99.9, llama3_1-8b, other'"
        expected = "deepseek-r1, gpt-oss-120b, llama2-70b-99.9, llama3.1-8b, llama3_1-8b"
        self.refused(
            f"distribution.by_model, keys: found {found}; expected {expected}",
            f"headroom.by_model, keys: found {found}; expected {expected}",
        )

    def test_a_latency_that_does_not_exist(self):
        self.results["headroom"]["pairs"][1]["nearer"] = "e2e"
        self.refused("headroom.pairs[1], nearer: found 'e2e'; expected ttft, tpot or equal")


if __name__ == "__main__":
    unittest.main()
