"""One examination of a summary: every part of it on hand-made rows, nothing raised for a single row or figure."""

from __future__ import annotations

import hashlib
from unittest import mock

from scenario_ratio.problems import BundleError, Problem
from scenario_ratio.study import checks, examine, pairing
from scenario_ratio.study.pairing import Pair, Rule
from scenario_ratio.upstream.constants import Constants
from scenario_ratio.upstream.layouts import Summary, log_path
from scenario_ratio.upstream.summary import FIELDS
from tests.support import FIXTURES, SERVER, BundleCase, pair_rows, row

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
GOOD = {"Accuracy": ("ROUGE1: 45.0  ROUGE2: 23.0", "")}
SHARED = {
    "submitter": "Example",
    "system": 'Example 8x X100, "air"',
    "platform": "X100x8",
    "model": "llama2-70b-99.9",
    "accelerator": "X100",
    "accelerators": 8,
    "nodes": 1,
    "precision": "fp8",
}
CONFIG = 'MODEL_CONFIG = {{"{}": {{"accuracy-target": {{"m": ("ROUGE1", {})}}}}}}\nLLM_LATENCY_LIMITS = {{}}\n'


def summary_of(rows: list) -> Summary:
    return Summary(NAME, "v9.9", len(rows), rows, FIELDS)


def reader(logs: dict, lacking: tuple = ()):
    """Return a function that reads the log of a row from ``logs``, by its path; None for a row of ``lacking``."""

    def read_log(of_row):
        path = log_path(of_row.text["Location"])
        if of_row.id in lacking:
            return None
        if path not in logs:
            raise BundleError(Problem(path, found="no such file", expected="a regular file"))
        return logs[path]

    return read_log


def examined(rows: list, logs: dict = LOGS, constants: Constants = CONSTANTS, **options: object) -> tuple:
    return examine.examine(summary_of(rows), reader(logs, **options), constants)


class Figures(BundleCase):
    def test_the_first_file_that_has_the_round(self):
        files = {
            "a.py": CONFIG.format("v1", 1).encode(),
            "b.py": CONFIG.format("v2", 2).encode(),
            "c.py": CONFIG.format("v2", 3).encode(),
        }
        found = examine.constants_of("v2", files)
        self.assertEqual(("b.py", "v2", {"m": ("ROUGE1", 2)}), found[:3])

    def test_none(self):
        for files in ({}, {"a.py": CONFIG.format("v1", 1).encode()}):
            found = examine.constants_of("v2", files)
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
        rows = [one._replace(text={**one.text, "Platform": one.id}) for one in rows]  # each its own configuration
        found, problems = examined(rows)
        checked = found.accuracy

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
    def test_each_status(self):
        offline, server = pair_rows()
        slower = row("2", **{**SERVER, "Result": ("900.3", 0), "Platform": ("B", "")})
        absent = row("3", Location=("./closed/none", ""), Platform=("C", ""))
        lacking = row("4", Platform=("D", ""))
        found, problems = examined([offline, server, slower, absent, lacking], lacking=("4",))
        logs = found.logs
        self.assertEqual(
            ["passed", "passed", "failed", "not available", "not available"], [log["status"] for log in logs.values()]
        )
        self.assertEqual(["0", "1", "2", "3", "4"], list(logs))
        self.assertEqual(["row", "path", "status", "sha256", "result"], list(logs["0"])[:5])
        self.assertEqual(("0", OFFLINE), (logs["0"]["row"], logs["0"]["path"]))
        self.assertEqual(hashlib.sha256(LOGS[OFFLINE]).hexdigest(), logs["0"]["sha256"])
        self.assertEqual(1000.5, logs["0"]["rate_tokens_per_s"])
        path = "closed/none/performance/run_1/mlperf_log_summary.txt"
        self.assertEqual({"row": "3", "path": path, "status": "not available"}, logs["3"])
        self.assertEqual({"row": "4", "path": OFFLINE, "status": "not available"}, logs["4"])
        self.assert_problems(
            [
                f"{SERVER_LOG}: line 8, Completed tokens per second: found 900.25; expected 900.3 as in the summary, "
                "within 0.0055",
                f"{path}: row '3': found no such file; expected a regular file",
            ],
            problems,
        )
        self.assertEqual(["log-rate", "log"], [problem.check for problem in problems])

    def test_what_is_no_log(self):
        found, problems = examined([row("0")], {OFFLINE: b"\xff"})
        self.assert_problems([f"{OFFLINE}: line 1: found byte 0xff; expected valid UTF-8"], problems)
        self.assertEqual(("failed", "log-form"), (found.logs["0"]["status"], problems[0].check))

    def test_the_scenario_in_the_path(self):
        _, server = pair_rows()
        for folder, lines in (
            ("server", []),
            ("Offline", ["a/Offline/performance/run_1/log: the scenario in its path: found Offline; expected Server"]),
        ):
            path = f"a/{folder}/performance/run_1/log"
            _, problems = examine.checked_log(server, path, LOGS[SERVER_LOG], CONSTANTS)
            self.assert_problems(lines, problems)

    def test_anomalies_are_kept(self):
        raw = LOGS[SERVER_LOG].replace(b"No errors encountered", b"3 ERRORS encountered")
        found, problems = examined(list(pair_rows()), {**LOGS, SERVER_LOG: raw})
        self.assert_problems([], problems)
        odd = found.logs["1"]["anomalies"]
        self.assertEqual([("errors encountered", 3)], [(one["kind"], one["count"]) for one in odd])
        self.assertEqual([], found.logs["0"]["anomalies"])

    def test_progress_is_told_every_hundred_logs(self):
        rows = [row(str(n), Platform=(str(n), "")) for n in range(201)]
        for count, expected in ((99, []), (100, ["100 of 100 logs"]), (201, ["100 of 201 logs", "200 of 201 logs"])):
            told = []
            examine.examine(summary_of(rows[:count]), reader({}), CONSTANTS, told.append)
            self.assertEqual(expected, told)


class Counts(BundleCase):
    def test_by_hand(self):
        closed, opened = pair_rows(0)
        equal = [closed, opened._replace(text={**opened.text, "Result": "1000.5"})]  # a ratio of 1
        other = {"Platform": ("B", ""), "Location": ("./closed/none", "")}
        slow, fast = (
            row("2", **other, Result=("900.25", 0)),
            row(
                "3",
                **{**SERVER, **other},
            ),
        )
        fast = fast._replace(text={**fast.text, "Result": "1000.5"})  # a ratio above 1
        alone = row("4", **{**other, "Platform": ("C", "")})
        powered = row("5", Division=("open", "open"), has_power=("True", True))
        text = LOGS[SERVER_LOG].replace(b"900.25", b"1000.50").replace(b"No errors", b"7 ERRORS")
        limits = CONSTANTS._replace(upper_limits={"llama2-70b-99.9": ("GEN_LEN", 9.0)})
        found, _ = examined(
            [*equal, slow, fast, alone, powered], {**LOGS, SERVER_LOG: text}, limits, lacking=("2", "3", "4")
        )
        self.assertEqual(
            {
                "source_rows": 6, "unreadable_rows": 0, "source_fields": 31, "cells_compared": 186, "closed_rows": 5,
                "open_rows": 1, "eligible_rows": 5, "complete_pairs": 2, "unmatched_rows": 1, "unmatched_row_ids": ["4"],
                "pairs_with_server_greater_than_offline": 1, "rows_with_measured_power": 1, "matched_fields": 27,
                "logs_passed": 2, "logs_failed": 0, "logs_not_available": 3, "pairs_with_both_logs": 1,
                "pairs_with_distinct_logs": 1, "logs_with_anomalies": 1, "logs_with_errors": 1, "server_logs_passed": 1,
                "rows_with_an_unreported_limit": 5, "rows_with_an_id": 0,
            },
            found.counts,
        )  # fmt: skip

    def test_no_rows(self):
        found, problems = examined([])
        self.assertEqual(([], [], 0), (problems, found.pairs, found.counts["eligible_rows"]))


class NothingIsRaised(BundleCase):
    def test_a_rule_about_no_field_is_told_and_the_others_hold(self):
        rules = (Rule("typed wrong", "Divison", ("closed",), "", ()), *pairing.RULES[1:])
        with mock.patch.object(pairing, "RULES", rules):
            found, problems = examined([*pair_rows(), row("2", Units=("Samples/s", ""))])
        line = "scenario_ratio/study/pairing.py: rule 'typed wrong', field: found 'Divison'; expected a field of the summary"
        self.assert_problems([line], problems)
        self.assertEqual((1, 8), (len(found.pairs), len(found.exclusions)))

    def test_each_rule_dropped(self):
        rows = [*pair_rows(), row("2", Scenario=("Interactive", ""), Platform=("B", ""))]
        for dropped in pairing.RULES:
            with self.subTest(dropped.name):
                rules = tuple(rule for rule in pairing.RULES if rule is not dropped)
                with mock.patch.object(pairing, "RULES", rules):
                    found, problems = examined(rows)
                self.assertEqual(1, len(found.pairs))
                third = f"{NAME}: row '2', Scenario: found 'Interactive'; expected Offline or Server"
                self.assertEqual(dropped.field == "Scenario", third in map(str, problems))

    def test_each_check_dropped(self):
        for dropped in checks.CHECKS:
            with self.subTest(dropped.id):
                kept = tuple(check for check in checks.CHECKS if check is not dropped)
                with mock.patch.object(checks, "CHECKS", kept):
                    found, problems = examined(list(pair_rows()))
                self.assert_problems([], problems)
                self.assertTrue(set(dropped.facts).isdisjoint(found.logs["1"]))
                examine.other_units(summary_of([row("0", Units=("Samples/s", ""))]), reader(LOGS))

    def test_constants_of_a_wrong_form_are_told_once(self):
        wrong = CONSTANTS._replace(
            targets={"llama2-70b-99.9": 7}
        )  # limits of a wrong form are refused when they are read
        found, problems = examined(list(pair_rows()), constants=wrong)
        self.assert_problems(
            [
                "constants.py: targets, llama2-70b-99.9: found 7; expected (metric, number, metric, number, ...)",
            ],
            problems,
        )
        self.assertEqual(["not checked"] * 2, [entry["verdict"] for entry in found.accuracy])
        self.assertEqual(["passed"] * 2, [log["status"] for log in found.logs.values()])


class Distinct(BundleCase):
    def test_pairs_that_share_a_log_with_an_earlier_one(self):
        pairs = [Pair(*pair_rows(first)) for first in (0, 2, 4, 6, 8)]
        digests = ["a", "b", "c", "d", "a", "e", "e", "f", "g", "h"]  # 4/5 shares with 0/1, and 6/7 with 4/5
        logs = {str(n): {"status": "passed", "sha256": digest} for n, digest in enumerate(digests)}
        logs["9"] = {"status": "failed", "sha256": "h"}
        # complete: all but 8/9; of these 0/1 and 2/3 share with none before
        self.assertEqual((4, 2), examine.distinct(pairs, logs))


class OtherUnits(BundleCase):
    def found(self, rows, logs):
        return examine.other_units(summary_of(rows), reader(logs))

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
        self.assertEqual([], examine.figures_lacking([*pair_rows()], CONSTANTS))

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
            examine.figures_lacking(rows, examine.NO_CONSTANTS),
        )
        self.assertEqual(
            [
                {"figure": "accuracy targets and upper limits", "models": ["a", "b"]},
                {"figure": "TTFT limit", "models": ["b"]},
                {"figure": "TPOT limit", "models": ["b"]},
            ],
            examine.figures_lacking(rows, CONSTANTS),
        )


class Facts(BundleCase):
    def test_a_pair(self):
        expected = {
            "offline_id": "4",
            "server_id": "5",
            **SHARED,
            "offline_tokens_per_s": 1000.5,
            "server_tokens_per_s": 900.25,
            "ratio": 900.25 / 1000.5,
            "offline_log": "passed",
            "server_log": "not available",
        }
        logs = {"4": {"status": "passed"}, "5": {"status": "not available"}}
        found = examine.pair_facts(Pair(*pair_rows(4)), logs)
        self.assertEqual(expected, found)
        self.assertEqual(list(expected), list(found))

    def test_a_row_alone_on_a_processor(self):
        cells = {"accelerator_model_name": ("N/A", None), "total_accelerators": ("0", 0), "number_of_nodes": ("2", 2)}
        expected = {"id": "9", **SHARED, "accelerator": None, "accelerators": 0, "nodes": 2}
        expected.update(scenario="Offline", tokens_per_s=1000.5)
        self.assertEqual(expected, examine.row_facts(row("9", **cells)))
