"""What is printed: a run, pairs that were looked up, audits; and analyze.py --pair as people and programs run it."""

from __future__ import annotations

import json
import unittest

from scenario_ratio.show import terminal
from tests.support import ROOT, BundleCase, copied_bundle, run

RUN_SOURCES = {
    "results": {"repository": "https://github.com/example/results", "commit": "0123456789abcdef"},
    "retrieved": "2026-11-30",
    "files_compared": 1234,
    "files_by_grade": {"fetched": 1, "copied": 1233},
}
RUN_COUNTS = {
    "source_rows": 11, "source_fields": 31, "cells_compared": 4321, "closed_rows": 8, "open_rows": 3, "eligible_rows": 7,
    "complete_pairs": 3, "unmatched_row_ids": ["5", "6"], "pairs_with_server_greater_than_offline": 1,
    "rows_with_measured_power": 2, "matched_fields": 27, "logs_passed": 9, "logs_not_available": 4,
    "logs_with_errors": 2,
}  # fmt: skip


def rated(offline_id: str, server_id: str, server_rate: float, offline_rate: float) -> dict:
    return {
        "offline_id": offline_id, "server_id": server_id, "submitter": "S", "platform": "P", "model": f"m{offline_id}",
        "server_tokens_per_s": server_rate, "offline_tokens_per_s": offline_rate, "ratio": server_rate / offline_rate,
    }  # fmt: skip


RUN = {
    "round": "v9.9",
    "sources": RUN_SOURCES,
    "counts": RUN_COUNTS,
    "pairs": [rated("1", "2", 1500.25, 2000.5), rated("3", "4", 10.0, 8.0), rated("7", "8", 1.0, 1.0)],
    "highlighted": {
        "same_system": {"offline_ids": ["1", "3"], "platform": "P", "spread_percentage_points": 50.00625},
        "apart": {"offline_ids": ["7"]},
    },
}


class Run(BundleCase):
    def test_every_line(self):
        # 1500.25 / 2000.5 = 0.74994; 10 / 8 = 1.25
        expected = """\
MLPerf® Inference: Datacenter v9.9, results at 0123456789ab, retrieved 2026-11-30
upstream files: 1,234 as the acquisition record has them in length, SHA-256 and Git blob SHA-1 (fetched 1, copied 1,233)
rows: 11 of 31 fields, 4,321 CSV cells equal to their JSON twins
closed 8, open 3, eligible 7, with measured power 2
pairs: 3 on 27 metadata fields, 1 of them with Server above Offline; unmatched rows: 5, 6
accuracy: every metric of 7 rows within its target and upper limit
logs: 9 passed every check (2 with errors in the log), 4 not available
1/2 S P m1: 1,500.3 / 2,000.5 = 74.99%
3/4 S P m3: 10.0 / 8.0 = 125.00%
7/8 S P m7: 1.0 / 1.0 = 100.00%
spread on P: 50.01 percentage points. Result not verified by MLCommons Association."""
        self.assertEqual(expected, terminal.run_told(RUN))

    def test_one_of_each(self):
        one = dict.fromkeys(("source_fields", "cells_compared", "eligible_rows", "matched_fields"), 1)
        told = terminal.run_told({**RUN, "counts": {**RUN_COUNTS, **one}})
        self.assertIn("rows: 11 of 1 field, 1 CSV cell equal to its JSON twin\n", told)
        self.assertIn("pairs: 3 on 1 metadata field, ", told)
        self.assertIn("accuracy: every metric of 1 row within its target and upper limit\n", told)

    def test_no_row_without_a_partner(self):
        counts = {**RUN_COUNTS, "unmatched_row_ids": []}
        self.assertIn("; unmatched rows: none\n", terminal.run_told({**RUN, "counts": counts}))


# Rates are the published ones; 59867.8 / 70132.3 = 0.85364; p99 and limits are those of the log in ns, over 10**6.
PAIR_285 = """\
285/286 NVIDIA · B300-SXM-270GBx8_TRT · deepseek-r1
  system    NVIDIA DGX B300 (8x B300-SXM-270GB, TensorRT), 8 x NVIDIA B300-SXM-270GB, precision fp4
  rates     Server 59,867.8 / Offline 70,132.3 tokens/s = 85.36%
  TTFT p99  1,050.67 of at most 2,000 ms, 52.53% of its limit
  TPOT p99  79.03 of at most 80 ms, 98.78% of its limit
  accuracy  Offline: exact_match 80.7885141 (at least 80.544618), TOKENS_PER_SAMPLE 3793.9359617 (at least 3497.60466, at most 4274.85014)
  accuracy  Server: exact_match 81.1759344 (at least 80.544618), TOKENS_PER_SAMPLE 3818.7203737 (at least 3497.60466, at most 4274.85014)
  logs      Offline: VALID; Server: VALID

"""
EXPECTED = "expected an id, or parts of a submitter, system, platform, model or accelerator"


def pair(offline_id: str, **names: object) -> dict:
    known = {
        "submitter": "Maker",
        "system": "Box 9",
        "platform": "BOXx8",
        "model": "m-8b",
        "accelerator": "Maker GX300",
    }
    logs = {"offline_log": "passed", "server_log": "not available"}
    return {"offline_id": offline_id, "server_id": str(int(offline_id) + 1), **known, **logs, **names}


class Matching(BundleCase):
    def test_part_of_any_name_in_any_capitals(self):
        for word in ("MAK", "ox 9", "boxX8", "-8b", "gx3"):
            self.assertTrue(terminal.matches(pair("4"), word), word)
        self.assertFalse(terminal.matches(pair("4"), "makers"))

    def test_digits_are_an_id_or_a_whole_word(self):
        self.assertTrue(terminal.matches(pair("300"), "300"))
        self.assertTrue(terminal.matches(pair("299"), "300"))
        self.assertTrue(terminal.matches(pair("4"), "9"))  # of 'Box 9'
        self.assertFalse(terminal.matches(pair("4"), "300"))  # not of 'GX300'
        self.assertFalse(terminal.matches(pair("30"), "3"))

    def test_a_pair_without_accelerator(self):
        self.assertFalse(terminal.matches(pair("4", accelerator=None), "none"))


class Finding(BundleCase):
    RESULTS = {
        "pairs": [pair("0"), pair("2", model="n"), pair("4", submitter="Cisco")],
        "unmatched": [{"id": "6"}],
        "accuracy": [{"row": str(number), "metrics": [number]} for number in range(6)],
        "logs": [{"row": "2", "status": "passed", "result": "VALID", "errors": 1, "warnings": 0}],
        "headroom": {
            "pairs": [
                {
                    "offline_id": "2",
                    "ttft_limit_ns": 1,
                    "ttft_p99_ns": 2,
                    "tpot_limit_ns": 3,
                    "tpot_p99_ns": 4,
                    "nearer": "ttft",
                }
            ]
        },
    }

    def test_several_words_narrow(self):
        for words, ids in (
            (["maker"], ["0", "2", "4"]),
            (["maker", "m-8b"], ["0", "4"]),
            (["maker", "m-8b", "cisco"], ["4"]),
        ):
            self.assertEqual(ids, [found["offline_id"] for found in terminal.find(self.RESULTS, words)])

    def test_what_is_known_is_joined(self):
        found = terminal.find(self.RESULTS, ["2"])
        latencies = {"ttft_limit_ns": 1, "ttft_p99_ns": 2, "tpot_limit_ns": 3, "tpot_p99_ns": 4}
        accuracy = {"offline_accuracy": [2], "server_accuracy": [3]}
        says = {"offline_log_says": "VALID, with 1 error in the log", "server_log_says": "not available"}
        self.assertEqual([{**pair("2", model="n"), **latencies, **accuracy, **says}], found)

    def test_without_a_log_the_latencies_are_null(self):
        found = terminal.find(self.RESULTS, ["0"])[0]
        self.assertEqual(
            [None] * 4, [found[key] for key in ("ttft_limit_ns", "ttft_p99_ns", "tpot_limit_ns", "tpot_p99_ns")]
        )

    def test_near_names_are_offered(self):
        self.assert_refused(
            [f"results.json: pairs: found none that matches 'cisko' and 'm-8b'; {EXPECTED}. Near: Cisco."],
            terminal.find,
            self.RESULTS,
            ["cisko", "m-8b"],
        )

    def test_at_most_three_near_names_for_each_word(self):
        pairs = [pair(str(2 * n), platform=f"plate_forma{n} boards") for n in range(5)]
        results = {**self.RESULTS, "pairs": pairs}
        self.assert_refused(
            [
                f"results.json: pairs: found none that matches 'formax' and 'bords'; {EXPECTED}. "
                "Near: forma4, forma3, forma2, boards."
            ],
            terminal.find, results, ["formax", "bords"],
        )  # fmt: skip

    def test_no_name_is_near_to_nothing(self):
        results = {**self.RESULTS, "pairs": [pair("0", accelerator=None)]}
        self.assert_refused(
            [f"results.json: pairs: found none that matches 'xxxx'; {EXPECTED}"], terminal.find, results, ["xxxx"]
        )

    def test_nothing_near(self):
        self.assert_refused(
            [f"results.json: pairs: found none that matches 'qqqqqq'; {EXPECTED}"],
            terminal.find,
            self.RESULTS,
            ["qqqqqq"],
        )

    def test_an_id_is_no_name_that_another_is_near_to(self):
        self.assert_refused(
            [f"results.json: pairs: found none that matches '41'; {EXPECTED}"], terminal.find, self.RESULTS, ["41"]
        )

    def test_a_row_without_a_partner_is_told(self):
        self.assert_refused(
            [
                f"results.json: pairs: found none that matches '6' and 'cisko'; {EXPECTED}. "
                "Row 6 is eligible and has no partner."
            ],
            terminal.find, self.RESULTS, ["6", "cisko"],
        )  # fmt: skip

    def test_words_that_match_only_apart(self):
        self.assert_refused(
            [
                f"results.json: pairs: found none that matches 'cisco' and 'n'; {EXPECTED}. "
                "Each word alone matches: 'cisco' 1, 'n' 1."
            ],
            terminal.find,
            {**self.RESULTS, "pairs": [pair("2", model="n"), pair("4", submitter="Cisco")]},
            ["cisco", "n"],
        )


class Pairs(BundleCase):
    RESULTS = {
        "round": "v9.9",
        "sources": {
            "results": {"repository": "https://github.com/example/results", "commit": "0123456789abcdef"},
            "retrieved": "2026-11-30",
        },
    }

    def test_every_line(self):
        target = {"metric": "M", "reported": 1.5, "target": 1.25, "upper_limit": None}
        bounded = {"metric": "N", "reported": 7.0, "target": 6.0, "upper_limit": 8.5}
        known = {
            **pair("4"), "accelerators": 8, "precision": "fp4", "server_tokens_per_s": 750.0, "offline_tokens_per_s": 1000.0,
            "ratio": 0.75, "offline_log_says": "VALID, with 3 errors in the log", "server_log_says": "not available",
            "ttft_p99_ns": 500_000_000, "ttft_limit_ns": 2_000_000_000, "tpot_p99_ns": 60_500_000, "tpot_limit_ns": 100_000_000,
            "offline_accuracy": [target, bounded], "server_accuracy": [{**bounded, "target": None}],
        }  # fmt: skip
        bare = {
            **known,
            "offline_id": "6",
            "server_id": "7",
            "accelerators": 0,
            "ttft_p99_ns": None,
            "tpot_p99_ns": None,
        }
        expected = """\
4/5 Maker · BOXx8 · m-8b
  system    Box 9, 8 x Maker GX300, precision fp4
  rates     Server 750.0 / Offline 1,000.0 tokens/s = 75.00%
  TTFT p99  500 of at most 2,000 ms, 25.00% of its limit
  TPOT p99  60.50 of at most 100 ms, 60.50% of its limit
  accuracy  Offline: M 1.5 (at least 1.25), N 7 (at least 6, at most 8.5)
  accuracy  Server: N 7 (at most 8.5)
  logs      Offline: VALID, with 3 errors in the log; Server: not available

6/7 Maker · BOXx8 · m-8b
  system    Box 9, no accelerators, precision fp4
  rates     Server 750.0 / Offline 1,000.0 tokens/s = 75.00%
  TTFT p99  not known: the Server log is not available
  TPOT p99  not known: the Server log is not available
  accuracy  Offline: M 1.5 (at least 1.25), N 7 (at least 6, at most 8.5)
  accuracy  Server: N 7 (at most 8.5)
  logs      Offline: VALID, with 3 errors in the log; Server: not available

2 pairs. MLPerf® Inference: Datacenter v9.9, closed division, Offline and Server scenarios. Results of \
github.com/example/results at 0123456789ab, copies retrieved 2026-11-30. Ratios are derived. Result not verified by MLCommons \
Association."""
        self.assertEqual(expected, terminal.pairs_told(self.RESULTS, [known, bare]))


class CommandLine(unittest.TestCase):
    """analyze.py --pair in a folder that holds only results.json: it reads nothing else and writes nothing."""

    def setUp(self):
        self.folder = copied_bundle(self, "analyze.py", "scenario_ratio", "results.json")

    def analyze(self, *arguments: str) -> tuple[int, str, str]:
        before = {path: path.stat().st_mtime_ns for path in self.folder.rglob("*")}
        done = run(self.folder / "analyze.py", *arguments)
        self.assertEqual(before, {path: path.stat().st_mtime_ns for path in self.folder.rglob("*")})
        return done.returncode, done.stdout, done.stderr

    def test_by_id_for_people(self):
        code, out, error = self.analyze("--pair", "285")
        self.assertEqual((0, ""), (code, error))
        self.assertTrue(out.startswith(PAIR_285), out)
        self.assertEqual(1, out[len(PAIR_285) :].count("\n"))
        self.assertTrue(out.endswith("Ratios are derived. Result not verified by MLCommons Association.\n"), out)
        self.assertEqual((0, out, ""), self.analyze("--pair", "286"))

    def test_without_logs_and_without_accelerators(self):
        code, out, _ = self.analyze("--pair", "vibehpc", "llama3.1-8b", "x1")
        self.assertEqual(0, code)
        lines = out.split("\n")
        self.assertEqual("464/465 VibeHPC · B300-SXM-270GBx1_TRT · llama3.1-8b", lines[0])
        self.assertIn("  TTFT p99  not known: the Server log is not available", lines)
        self.assertIn("  TPOT p99  not known: the Server log is not available", lines)
        self.assertIn("  logs      Offline: not available; Server: not available", lines)
        self.assertIn(", no accelerators, precision INT8\n", self.analyze("--pair", "354")[1])

    def test_errors_and_warnings_of_a_log_are_not_hidden(self):
        # the last lines of the logs: of row 57 '2 ERRORS encountered.', of 265 and 266 '1 ERROR', of 396 '9 warnings'
        for row_id, told in (
            ("57", "Offline: VALID; Server: VALID, with 2 errors in the log"),
            ("265", "Offline: VALID, with 1 error in the log; Server: VALID, with 1 error in the log"),
            ("396", "Offline: VALID; Server: VALID, with 9 warnings in the log"),
        ):
            self.assertIn(f"  logs      {told}\n", self.analyze("--pair", row_id)[1])

    def test_one_text_may_hold_several_words(self):
        self.assertEqual(
            self.analyze("--pair", "Oracle", "B300", "llama2"), self.analyze("--pair", "oracle b300 LLAMA2")
        )

    def test_json_for_programs(self):
        code, out, error = self.analyze("--pair", "Cisco", "B300", "llama3.1", "--json")
        self.assertEqual((0, ""), (code, error))
        found = json.loads(out)
        self.assertEqual(["attribution", "pairs"], list(found))
        results = json.loads((ROOT / "results.json").read_bytes())
        pair_49 = next(one for one in results["pairs"] if one["offline_id"] == "49")
        server = next(one for one in results["logs"] if one["row"] == "50")
        accuracy = {one["row"]: one["metrics"] for one in results["accuracy"]}
        fields = ("ttft_limit_ns", "ttft_p99_ns", "tpot_limit_ns", "tpot_p99_ns")
        self.assertEqual(
            [
                {
                    **pair_49,
                    **{field: server[field] for field in fields},
                    "offline_accuracy": accuracy["49"],
                    "server_accuracy": accuracy["50"],
                    "offline_log_says": "VALID",
                    "server_log_says": "VALID",
                }
            ],
            found["pairs"],
        )

    def test_no_match(self):
        error = f"results.json: pairs: found none that matches 'cisko'; {EXPECTED}. Near: Cisco.\n"
        for more in ((), ("--json",)):
            self.assertEqual((1, "", error), self.analyze("--pair", "cisko", *more))

    def test_misuse(self):
        for arguments, told in (
            (("--pair", " "), "--pair needs a word"),
            (("--json",), "--json goes with --pair"),
            (("--pair",), "argument --pair: expected at least one argument"),
        ):
            code, out, error = self.analyze(*arguments)
            self.assertEqual((2, "", f"analyze.py: error: {told}"), (code, out, error.rstrip("\n").split("\n")[-1]))

    def test_no_results_yet(self):
        (self.folder / "results.json").unlink()
        self.assertEqual(
            (2, "", "results.json: found no such file; expected a regular file. Run analyze.py to write it again.\n"),
            self.analyze("--pair", "285"),
        )


MODEL = {"model": "m", "n": 1000, "minimum": 0.5, "median": 0.75, "maximum": 1.25, "above_1": 12}
AUDITED = {
    "round": "v9.9",
    "sources": {"results": {"repository": "github.com/example/results", "commit": "abc"}},
    "counts": {
        "source_rows": 1234, "unreadable_rows": 2, "eligible_rows": 20, "complete_pairs": 7, "matched_fields": 27,
        "pairs_with_server_greater_than_offline": 3, "unmatched_row_ids": ["8", "9"], "logs_passed": 10, "logs_failed": 1,
        "logs_not_available": 4, "pairs_with_both_logs": 6, "pairs_with_distinct_logs": 5,
    },
    "exclusions": [{"rule": "division closed", "turned_away": 5}, {"rule": "no errors", "turned_away": 0}],
    "accuracy": [{"verdict": verdict} for verdict in
                 ["within targets and limits"] * 3 + ["failed"] * 2 + ["not checked"]],
    "other_units": {
        "rows": 30,
        "logs_read": 29,
        "in_tokens_per_s": [
            {"model": "b", "scenario": "Server", "units": "Samples/s"},
            {"model": "a", "scenario": "Offline", "units": "Queries/s"},
            {"model": "b", "scenario": "Server", "units": "Samples/s"},
        ],
    },
    "not_checked": [
        {"figure": "TTFT limit", "models": ["a", "b"]},
        {"figure": "minimum duration", "models": ["c"]},
        {"figure": "TPOT limit", "models": ["a", "b"]},
    ],
    "models": [MODEL],
}  # fmt: skip
BLOCK = """\
MLPerf® Inference: Datacenter v9.9, github.com/example/results at abc
rows: 1,234, of them 2 unreadable, 20 eligible
turned away by each rule in turn: division closed 5, no errors 0
pairs: 7 on 27 metadata fields, 3 of them with Server above Offline; unmatched rows: 8, 9
logs: 10 passed every check, 1 failed, 4 not available; pairs with both logs: 6, of them 5 that share no log with an \
earlier pair
accuracy: 3 rows within targets and limits, 2 failed, 1 not checked
rows that only their unit keeps out: 30, logs read 29, of them 3 in tokens/s: a Offline, which the summary gives in \
Queries/s; b Server, which the summary gives in Samples/s
not checked: TTFT limit, TPOT limit of a, b; minimum duration of c"""


class Audits(BundleCase):
    def test_a_block(self):
        self.assertEqual(BLOCK, terminal._audit_block(AUDITED))

    def test_a_block_with_nothing_to_tell(self):
        audited = {
            **AUDITED,
            "sources": {"results": None},
            "counts": {**AUDITED["counts"], "unmatched_row_ids": []},
            "other_units": {"rows": 0, "logs_read": 0, "in_tokens_per_s": []},
            "not_checked": [],
        }
        lines = terminal._audit_block(audited).split("\n")
        self.assertEqual("MLPerf® Inference: Datacenter v9.9, repository and commit not stated", lines[0])
        self.assertTrue(lines[3].endswith("; unmatched rows: none"))
        self.assertEqual("rows that only their unit keeps out: 0, logs read 0, of them 0 in tokens/s", lines[6])
        self.assertEqual("not checked: nothing, all figures are in the checker constants", lines[7])

    def test_the_table(self):
        self.assertEqual(
            "\n".join(
                [
                    "                                            v9.9",
                    "model      n  median              range  above 1",
                    "m      1,000  75.00%  50.00% to 125.00%       12",
                ]
            ),
            terminal._round_table([AUDITED]),
        )

    def test_rounds_side_by_side(self):
        other = {"round": "v10", "models": [{**MODEL, "model": "longer", "n": 1, "above_1": 0}]}
        self.assertEqual(
            "\n".join(
                [
                    "                                             v9.9                                    v10",
                    "model       n  median              range  above 1  n  median              range  above 1",
                    "longer      -       -                  -        -  1  75.00%  50.00% to 125.00%        0",
                    "m       1,000  75.00%  50.00% to 125.00%       12  -       -                  -        -",
                ]
            ),
            terminal._round_table([AUDITED, other]),
        )

    def test_everything(self):
        self.assertEqual(
            f"{BLOCK}\n\n{BLOCK}\n\n{terminal._round_table([AUDITED, AUDITED])}\n\nResult not verified by MLCommons "
            "Association. The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association "
            "in the United States and other countries. All rights reserved. Unauthorized use strictly prohibited. See "
            "www.mlcommons.org for more information.",
            terminal.audits_told([AUDITED, AUDITED]),
        )
