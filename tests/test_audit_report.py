"""What audit.py tells of clones, whole, from findings written by hand."""

from __future__ import annotations

from scenario_ratio.show import audit_report
from tests.support import BundleCase

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


class Told(BundleCase):
    def test_a_block(self):
        self.assertEqual(BLOCK, audit_report.block(AUDITED))

    def test_a_block_with_nothing_to_tell(self):
        audited = {
            **AUDITED,
            "sources": {"results": None},
            "counts": {**AUDITED["counts"], "unmatched_row_ids": []},
            "other_units": {"rows": 0, "logs_read": 0, "in_tokens_per_s": []},
            "not_checked": [],
        }
        lines = audit_report.block(audited).split("\n")
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
            audit_report.table([AUDITED]),
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
            audit_report.table([AUDITED, other]),
        )

    def test_everything(self):
        self.assertEqual(
            f"{BLOCK}\n\n{BLOCK}\n\n{audit_report.table([AUDITED, AUDITED])}\n\nResult not verified by MLCommons "
            "Association. The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association "
            "in the United States and other countries. All rights reserved. Unauthorized use strictly prohibited. See "
            "www.mlcommons.org for more information.",
            audit_report.told([AUDITED, AUDITED]),
        )
