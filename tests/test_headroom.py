"""Latency headroom: fractions by hand, and against the logs read here with a regular expression."""

from __future__ import annotations

import json
import re
import statistics
import unittest

from scenario_ratio.study import headroom
from tests.support import ROOT, BundleCase


def log(row_id: str, ttft_p99: int = 1_000_000_000, tpot_p99: int = 60_000_000, **facts: object) -> dict:
    return {
        "row": row_id,
        "path": f"closed/x/{row_id}/mlperf_log_summary.txt",
        "status": "passed",
        "ttft_limit_ns": 2_000_000_000,
        "ttft_p99_ns": ttft_p99,
        "tpot_limit_ns": 80_000_000,
        "tpot_p99_ns": tpot_p99,
        "scheduled_samples_per_s": 8.0,
        "samples_per_s": 7.0,
        **facts,
    }


def pair(offline_id: str, model: str = "m") -> dict:
    return {"offline_id": offline_id, "server_id": str(int(offline_id) + 1), "model": model}


class OnePair(unittest.TestCase):
    def test_fractions_and_samples(self):
        # 1 s of 2 s; 60 ms of 80 ms; 7 of 8 samples/s
        self.assertEqual(
            {
                "offline_id": "4",
                "server_id": "5",
                "model": "m",
                "ttft_limit_ns": 2_000_000_000,
                "ttft_p99_ns": 1_000_000_000,
                "tpot_limit_ns": 80_000_000,
                "tpot_p99_ns": 60_000_000,
                "ttft_fraction": 0.5,
                "tpot_fraction": 0.75,
                "nearer": "tpot",
                "larger_fraction": 0.75,
                "scheduled_samples_per_s": 8.0,
                "completed_samples_per_s": 7.0,
                "completed_over_scheduled": 0.875,
            },
            headroom.pair_headroom(pair("4"), log("5")),
        )

    def test_which_is_nearer_its_limit(self):
        for ttft, tpot, nearer, larger in (
            (1_600_000_000, 60_000_000, "ttft", 0.8),
            (1_500_000_000, 60_000_000, "equal", 0.75),
            (1_499_999_999, 60_000_000, "tpot", 0.75),
        ):
            with self.subTest(nearer=nearer):
                found = headroom.pair_headroom(pair("4"), log("5", ttft, tpot))
                self.assertEqual((nearer, larger), (found["nearer"], found["larger_fraction"]))


class AllPairs(BundleCase):
    def test_only_pairs_whose_server_log_passed(self):
        logs = [log("0"), log("1"), {"row": "3", "path": "p", "status": "not available"}, log("2"), log("5")]
        found = headroom.headroom([pair("0"), pair("2"), pair("4")], logs)
        self.assertEqual(["0", "4"], [fact["offline_id"] for fact in found["pairs"]])

    def test_medians_by_model_in_alphabetical_order(self):
        pairs = [pair("0", "z"), pair("2", "b"), pair("4", "b"), pair("6", "b")]
        logs = [
            log("1"),
            log("3", 400_000_000, 8_000_000),  # 0.2 and 0.1
            log("5", 800_000_000, 40_000_000, samples_per_s=4.0),  # 0.4 and 0.5; half completed
            log("7", 1_800_000_000, 72_000_000, samples_per_s=2.0),  # 0.9 and 0.9; a quarter completed
        ]
        by_model = headroom.headroom(pairs, logs)["by_model"]
        self.assertEqual(["b", "z"], list(by_model))
        self.assertEqual(
            {
                "n": 3,
                "median_ttft_fraction": 0.4,
                "median_tpot_fraction": 0.5,
                "median_larger_fraction": 0.5,
                "median_completed_over_scheduled": 0.5,
                "ttft_nearer": 1,
                "tpot_nearer": 1,
                "equal": 1,
            },
            by_model["b"],
        )

    def test_nothing_is_a_fraction_of_zero(self):
        logs = [log("1", ttft_limit_ns=0), log("3", tpot_limit_ns=0, scheduled_samples_per_s=0.0)]
        where = "sources/results/closed/x"
        self.assert_refused(
            [
                f"{where}/1/mlperf_log_summary.txt: ttft_limit_ns: found 0; expected a number above zero",
                f"{where}/3/mlperf_log_summary.txt: tpot_limit_ns: found 0; expected a number above zero",
                f"{where}/3/mlperf_log_summary.txt: scheduled_samples_per_s: found 0.0; expected a number above zero",
            ],
            headroom.headroom,
            [pair("0"), pair("2")],
            logs,
        )


class OfTheRound(unittest.TestCase):
    """results.json against what the Server logs themselves say, read here line by line."""

    @classmethod
    def setUpClass(cls):
        cls.results = json.loads((ROOT / "results.json").read_bytes())
        cls.paths = {entry["row"]: ROOT / "sources" / "results" / entry["path"] for entry in cls.results["logs"]}
        cls.expected = {
            pair["offline_id"]: cls.read(cls.paths[pair["server_id"]])
            for pair in cls.results["pairs"]
            if cls.paths[pair["server_id"]].exists()
        }

    @staticmethod
    def read(path) -> dict:
        text = path.read_text(encoding="utf-8")

        def printed(label: str) -> float:
            return float(re.search(rf"^{label}\s*:\s*(\S+)$", text, re.MULTILINE)[1])

        return {
            "ttft_fraction": printed(r"99\.00 percentile first token latency \(ns\)") / printed(r"ttft_latency \(ns\)"),
            "tpot_fraction": printed(r"99\.00 percentile time to output token \(ns\)")
            / printed(r"tpot_latency \(ns\)"),
            "scheduled_samples_per_s": printed("Scheduled samples per second"),
            "completed_samples_per_s": printed("Completed samples per second"),
        }

    def test_every_server_log_at_hand(self):
        found = self.results["headroom"]["pairs"]
        self.assertEqual(146, len(found))  # 152 pairs, the logs of 6 of which could not be had
        self.assertEqual(list(self.expected), [fact["offline_id"] for fact in found])
        for fact in found:
            with self.subTest(pair=fact["offline_id"]):
                expected = self.expected[fact["offline_id"]]
                self.assertEqual(expected, {key: fact[key] for key in expected})
                ttft, tpot = expected["ttft_fraction"], expected["tpot_fraction"]
                self.assertEqual(max(ttft, tpot), fact["larger_fraction"])
                self.assertLessEqual(fact["larger_fraction"], 1)
                self.assertEqual({True: "tpot", False: "ttft"}[tpot > ttft], fact["nearer"])

    def test_medians_by_model(self):
        models = {pair["offline_id"]: pair["model"] for pair in self.results["pairs"]}
        for model, medians in self.results["headroom"]["by_model"].items():
            members = [fact for row_id, fact in self.expected.items() if models[row_id] == model]
            with self.subTest(model=model):
                self.assertEqual(len(members), medians["n"])
                for field in ("ttft_fraction", "tpot_fraction"):
                    self.assertEqual(statistics.median(fact[field] for fact in members), medians[f"median_{field}"])
                nearer = sum(fact["tpot_fraction"] > fact["ttft_fraction"] for fact in members)
                self.assertEqual(
                    (nearer, len(members) - nearer, 0),
                    (medians["tpot_nearer"], medians["ttft_nearer"], medians["equal"]),
                )
                shares = [fact["completed_samples_per_s"] / fact["scheduled_samples_per_s"] for fact in members]
                self.assertEqual(statistics.median(shares), medians["median_completed_over_scheduled"])


if __name__ == "__main__":
    unittest.main()
