"""The table of anomalies in results.json: flat rows by hand, and every log of the round read here again."""

from __future__ import annotations

import json
import re
import unittest

from scenario_ratio.study import anomalies
from tests.support import ROOT


class Table(unittest.TestCase):
    def test_a_flat_row_for_each_anomaly_of_a_log_that_passed(self):
        mean = {"lower_bound_ns": 5, "upper_bound_ns": 9, "samples": 3, "wraps": 1, "unwrapped_mean_ns": 7}
        logs = [
            {
                "row": "4",
                "status": "passed",
                "summary_errors": 0,
                "anomalies": [
                    {"kind": "mean outside its percentiles", "line": 9, "printed": "Mean latency (ns) : 1", **mean},
                    {"kind": "errors encountered", "line": 12, "printed": "1 ERROR encountered.", "count": 1},
                ],
            },
            {"row": "6", "status": "not available"},
            {"row": "8", "status": "passed", "summary_errors": 0, "anomalies": []},
        ]
        shared = {"summary_errors": 0, "consequence": "not used in any ratio"}
        self.assertEqual(
            [
                {"row": "4", "kind": "mean outside its percentiles", "line": 9, "printed": "Mean latency (ns) : 1", **mean, **shared},
                {"row": "4", "kind": "errors encountered", "line": 12, "printed": "1 ERROR encountered.", **dict.fromkeys(mean), **shared},
            ],
            anomalies.table(logs),
        )  # fmt: skip


class OfTheRound(unittest.TestCase):
    """The table against the 293 logs, each line read here."""

    # Shares of the samples between neighbours of: minimum, 50th, 90th, 95th, 97th, 99th, 99.9th percentile, maximum.
    SHARES = (0.5, 0.4, 0.05, 0.02, 0.02, 0.009, 0.001)

    @classmethod
    def setUpClass(cls):
        results = json.loads((ROOT / "results.json").read_bytes())
        cls.table = results["anomalies"]
        cls.texts = {
            log["row"]: (ROOT / "sources" / "results" / log["path"]).read_text(encoding="utf-8").split("\n")
            for log in results["logs"]
            if log["status"] == "passed"
        }

    def kinds(self, *kinds: str) -> set:
        return {(row["row"], row["line"], row["printed"]) for row in self.table if row["kind"] in kinds}

    def lines(self, chosen) -> set:
        return {
            (row_id, number, line.strip())
            for row_id, lines in self.texts.items()
            for number, line in enumerate(lines, 1)
            if chosen(line)
        }

    def test_every_passed_log_was_read(self):
        self.assertEqual(293, len(self.texts))

    def test_warnings_and_errors(self):
        def counted(word: str):
            return lambda line: re.match(rf"[1-9]\d* {word}s? encountered", line.strip(), re.IGNORECASE)

        self.assertEqual(self.lines(counted("warning")), self.kinds("warnings encountered"))
        self.assertEqual(self.lines(counted("error")), self.kinds("errors encountered"))
        self.assertEqual({"57", "265", "266", "386"}, {row for row, _, _ in self.kinds("errors encountered")})
        self.assertEqual({0}, {row["summary_errors"] for row in self.table})

    def test_impossible_latencies(self):
        negative = self.lines(lambda line: re.search(r"\(ns\)\s*:\s*-\d", line))
        self.assertEqual(negative, self.kinds("impossible latency"))
        self.assertEqual({"57"}, {row for row, _, _ in negative})

    def bounds(self, row_id: str) -> dict:
        """Return printed mean line -> (least, greatest possible mean, mean, longest) of each distribution of a log."""
        values: dict = {}
        for line in self.texts[row_id]:
            label, colon, value = line.partition(":")
            if colon and re.fullmatch(r"-?\d+", value.strip()):
                values[label.strip()] = (int(value), line.strip())
        found = {}
        for label in (
            "latency (ns)",
            "First Token latency (ns)",
            "Time to Output Token (ns)",
            "Time per Output Token (ns)",
        ):
            for middle in (
                label,
                label[0].lower() + label[1:].replace("Token", "token").replace("Output", "output"),
                "time to output token (ns)",
            ):
                names = [f"{p} percentile {middle}" for p in ("50.00", "90.00", "95.00", "97.00", "99.00", "99.90")]
                ladder = [f"Min {label}", *names, f"Max {label}"]
                if f"Mean {label}" in values and all(name in values for name in ladder):
                    steps = [values[name][0] for name in ladder]
                    low, high = (
                        sum(share * step for share, step in zip(self.SHARES, side)) for side in (steps, steps[1:])
                    )
                    mean, printed = values[f"Mean {label}"]
                    found[printed] = (low, high, mean, steps[-1])
                    break
        return found

    def test_means_that_their_percentiles_exclude(self):
        excluded, checked = set(), 0
        for row_id in self.texts:
            for printed, (low, high, mean, _) in self.bounds(row_id).items():
                checked += 1
                if not low * (1 - 1e-9) <= mean <= high * (1 + 1e-9):
                    excluded.add((row_id, printed))
        self.assertEqual(147 + 3 * 146, checked)  # one of each Offline log; latency, TTFT and TPOT of each Server log
        self.assertEqual(excluded, {(row, printed) for row, _, printed in self.kinds("mean outside its percentiles")})
        self.assertEqual({"23", "107"}, {row for row, _ in excluded})

    def test_one_wrap_explains_both(self):
        means = {row["row"]: row for row in self.table if row["kind"] == "mean outside its percentiles"}
        # of row 107 it is published that: 5818245323597 after one wrap, within a few millionths
        self.assertLess(abs(means["107"]["unwrapped_mean_ns"] / 5818245323597 - 1), 5e-6)
        for row_id, found in means.items():
            (low, high, mean, longest) = self.bounds(row_id)[found["printed"]]
            text = "\n".join(self.texts[row_id])
            samples = float(re.search(r"^Samples per second: (\S+)$", text, re.MULTILINE)[1]) * longest / 1e9
            unwrapped = mean + 2**64 / samples
            self.assertEqual(1, found["wraps"])
            self.assertTrue(low <= unwrapped <= high)
            self.assertLess(abs(found["unwrapped_mean_ns"] / unwrapped - 1), 5e-6)
            self.assertLess(abs(found["samples"] - samples), 1)
            # the bounds are whole ns, rounded outwards
            self.assertLess(abs(found["lower_bound_ns"] - low), 1)
            self.assertLess(abs(found["upper_bound_ns"] - high), 1)


if __name__ == "__main__":
    unittest.main()
