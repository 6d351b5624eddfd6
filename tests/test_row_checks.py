"""What a clone says about its rows, checked one by one, nothing raised for a single row."""

from __future__ import annotations

import hashlib
from types import SimpleNamespace

from scenario_ratio.study import row_checks
from scenario_ratio.study.pairing import RULES, Pair
from scenario_ratio.upstream.constants import Constants
from tests.support import FIXTURES, SERVER, BundleCase, pair_rows, row, temporary_folder

NAME = "summary_results.json"
FOLDER = "closed/Example/results/X100x8/llama2-70b-99.9"
OFFLINE, SERVER_LOG = (
    f"{FOLDER}/{scenario}/performance/run_1/mlperf_log_summary.txt" for scenario in ("Offline", "Server")
)
LOGS = {
    OFFLINE: (FIXTURES / "offline_summary.txt").read_bytes(),
    SERVER_LOG: (FIXTURES / "server_summary.txt").read_bytes(),
}
TARGETS = {"llama2-70b-99.9": ("ROUGE1", 44.5, "ROUGE2", 22.0)}
LIMITS = {"llama2-70b-99.9": {"Server": {"ttft": 2_000_000_000, "tpot": 200_000_000}}}
CONSTANTS = Constants("constants.py", "v9.9", TARGETS, {}, {}, {}, 600_000, LIMITS)
CONFIG = 'MODEL_CONFIG = {{"{}": {{"accuracy-target": {{"m": ("ROUGE1", {})}}}}}}\nLLM_LATENCY_LIMITS = {{}}\n'


class Figures(BundleCase):
    def test_the_first_file_that_has_the_round(self):
        files = {
            "a.py": CONFIG.format("v1", 1).encode(),
            "b.py": CONFIG.format("v2", 2).encode(),
            "c.py": CONFIG.format("v2", 3).encode(),
        }
        found = row_checks.constants_of("v2", files)
        self.assertEqual(("b.py", "v2", {"m": ("ROUGE1", 2)}), found[:3])

    def test_none(self):
        for files in ({}, {"a.py": CONFIG.format("v1", 1).encode()}):
            found = row_checks.constants_of("v2", files)
            self.assertEqual(Constants("no checker constants", "", {}, {}, {}, None, None, {}), found)


class Accuracy(BundleCase):
    def test_each_verdict(self):
        rows = [
            row("3"),
            row("4", Accuracy=("ROUGE1: 44.0  ROUGE2: 22.5", "")),
            row("5", Model=("another", "another")),
            row("6", Model=("another", "another"), Accuracy=("ROUGE1 44", "")),
            row("7", Accuracy=("ROUGE1: 45.0  ROUGE2: 23.0", "")),
        ]
        checked, problems = row_checks.accuracy_of(rows, CONSTANTS, NAME)

        def metrics(first, second, *targets):
            names, targets = ("ROUGE1", "ROUGE2"), targets or (44.5, 22.0)
            return [
                {"metric": name, "reported": value, "target": target, "upper_limit": None}
                for name, value, target in zip(names, (first, second), targets)
            ]

        label, good = "llama2-70b-99.9", "within targets and limits"
        self.assertEqual(
            [
                {"row": "3", "model": label, "verdict": good, "metrics": metrics(44.5, 22.1)},
                {"row": "4", "model": label, "verdict": "failed", "metrics": metrics(44.0, 22.5)},
                {"row": "5", "model": "another", "verdict": "not checked", "metrics": metrics(44.5, 22.1, None, None)},
                {"row": "6", "model": "another", "verdict": "failed", "metrics": []},
                {"row": "7", "model": label, "verdict": good, "metrics": metrics(45.0, 23.0)},
            ],
            [{key: entry[key] for key in entry if key != "limits_without_a_reported_metric"} for entry in checked],
        )
        self.assertEqual([[]] * 5, [entry["limits_without_a_reported_metric"] for entry in checked])
        self.assert_problems(
            [
                f"{NAME}: row '4', Accuracy ROUGE1: found 44.0; expected at least 44.5",
                f"{NAME}: row '6', Accuracy: found 'ROUGE1 44'; expected 'METRIC: number', two blanks between",
            ],
            problems,
        )


class Logs(BundleCase):
    def folder(self, logs):
        root = temporary_folder(self)
        for path, raw in logs.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(raw)
        return root

    def test_each_status(self):
        offline, server = pair_rows()
        slower = row("2", **{**SERVER, "Result": ("900.3", 0)})
        absent = row("3", Location=("./closed/none", ""))
        told = []
        logs, problems = row_checks.logs_of(
            self.folder(LOGS), [offline, server, slower, absent], CONSTANTS, told.append
        )
        self.assertEqual(["passed", "passed", "failed", "not available"], [log["status"] for log in logs.values()])
        self.assertEqual({"0", "1", "2", "3"}, set(logs))
        self.assertEqual(["row", "path", "status", "sha256", "result"], list(logs["0"])[:5])
        self.assertEqual(("0", OFFLINE), (logs["0"]["row"], logs["0"]["path"]))
        self.assertEqual(hashlib.sha256(LOGS[OFFLINE]).hexdigest(), logs["0"]["sha256"])
        self.assertEqual(1000.5, logs["0"]["rate_tokens_per_s"])
        path = "closed/none/performance/run_1/mlperf_log_summary.txt"
        self.assertEqual({"row": "3", "path": path, "status": "not available"}, logs["3"])
        self.assert_problems(
            [
                f"{SERVER_LOG}: line 8, Completed tokens per second: found 900.25; expected 900.3 as in the summary, "
                "within 0.0055",
                f"{path}: row '3': found no such file; expected a regular file",
            ],
            problems,
        )
        self.assertEqual([], told)

    def test_progress_is_told_every_hundred_logs(self):
        rows = [row(str(n)) for n in range(201)]
        for count, expected in ((99, []), (100, ["100 of 100 logs"]), (201, ["100 of 201 logs", "200 of 201 logs"])):
            told = []
            row_checks.logs_of(temporary_folder(self), rows[:count], CONSTANTS, told.append)
            self.assertEqual(expected, told)


class Distinct(BundleCase):
    def test_pairs_that_share_a_log_with_an_earlier_one(self):
        pairs = [Pair(*pair_rows(first)) for first in (0, 2, 4, 6, 8)]
        digests = ["a", "b", "c", "d", "a", "e", "e", "f", "g", "h"]  # 4/5 shares with 0/1, and 6/7 with 4/5
        logs = {str(n): {"status": "passed", "sha256": digest} for n, digest in enumerate(digests)}
        logs["9"] = {"status": "failed", "sha256": "h"}
        # complete: all but 8/9; of these 0/1 and 2/3 share with none before
        self.assertEqual((4, 2), row_checks.distinct(pairs, logs))


class OtherUnits(Logs):
    def found(self, rows, logs):
        summary = SimpleNamespace(rules=RULES, rows=rows)
        return row_checks.other_units(self.folder(logs), summary)

    def test_a_log_in_tokens_beside_a_summary_in_samples(self):
        in_samples = {"Units": ("Samples/s", "Samples/s"), "MlperfModel": ("official", "official")}
        counted = row("0", **in_samples)  # 1000.5 are the tokens/s of its log, which has 4 samples/s
        others = [
            row("1", **in_samples, Result=("4.0", 4)),  # the samples/s
            row("2", **in_samples, Location=("./closed/none", "")),  # no log
            row("3", **in_samples, Division=("open", "open")),  # not eligible for another reason
            row("4"),  # in tokens/s
        ]
        self.assertEqual(
            {
                "rows": 3,
                "logs_read": 2,
                "in_tokens_per_s": [
                    {"row": "0", "model": "official", "scenario": "Offline", "units": "Samples/s", "path": OFFLINE}
                ],
            },
            self.found([counted, *others], LOGS),
        )

    def test_a_log_whose_two_rates_are_equal_proves_nothing(self):
        same = {OFFLINE: LOGS[OFFLINE].replace(b"Samples per second: 4\n", b"Samples per second: 1000.5\n")}
        self.assertNotEqual(same, {OFFLINE: LOGS[OFFLINE]})
        found = self.found([row("0", Units=("Samples/s", ""))], same)
        self.assertEqual((1, 1, []), tuple(found.values()))

    def test_a_log_that_cannot_be_read_is_passed_over(self):
        rows = [row("0", Units=("Samples/s", "")), row("1", **{**SERVER, "Units": ("Samples/s", "")})]
        found = self.found(rows, {OFFLINE: b"\xff", SERVER_LOG: LOGS[SERVER_LOG]})
        self.assertEqual(
            (2, 1, ["1"]), (*list(found.values())[:2], [entry["row"] for entry in found["in_tokens_per_s"]])
        )


class NotChecked(BundleCase):
    def test_nothing(self):
        self.assertEqual([], row_checks.not_checked([*pair_rows()], CONSTANTS))

    def test_each_figure_with_its_models(self):
        cells = {"Model": ("x", "x"), "MlperfModel": ("b", "b")}
        rows = [row("0", **cells), row("1", **{**SERVER, **cells}), row("2", Model=("y", "y"), MlperfModel=("a", "a"))]
        self.assertEqual(
            [
                {"figure": "accuracy targets and upper limits", "models": ["a", "b"]},
                {"figure": "TTFT limit", "models": ["b"]},
                {"figure": "TPOT limit", "models": ["b"]},
                {"figure": "random seeds", "models": ["a", "b"]},
                {"figure": "minimum duration", "models": ["a", "b"]},
            ],
            row_checks.not_checked(rows, row_checks.NO_CONSTANTS),
        )
        self.assertEqual(
            [
                {"figure": "accuracy targets and upper limits", "models": ["a", "b"]},
                {"figure": "TTFT limit", "models": ["b"]},
                {"figure": "TPOT limit", "models": ["b"]},
            ],
            row_checks.not_checked(rows, CONSTANTS),
        )
