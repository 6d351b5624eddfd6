"""What a run tells at the terminal, whole, from results written by hand."""

from __future__ import annotations

from scenario_ratio import wording
from scenario_ratio.show import report
from tests.support import BundleCase

SOURCES = {
    "results": {"repository": "https://github.com/example/results", "commit": "0123456789abcdef"},
    "retrieved": "2026-11-30",
    "files_verified": 1234,
}
COUNTS = {
    "source_rows": 11, "source_fields": 31, "cells_compared": 4321, "closed_rows": 8, "open_rows": 3, "eligible_rows": 7,
    "complete_pairs": 3, "unmatched_row_ids": ["5", "6"], "pairs_with_server_greater_than_offline": 1,
    "rows_with_measured_power": 2, "matched_fields": 27, "logs_passed": 9, "logs_not_available": 4,
}  # fmt: skip


def pair(offline_id: str, server_id: str, server_rate: float, offline_rate: float) -> dict:
    return {
        "offline_id": offline_id, "server_id": server_id, "submitter": "S", "platform": "P", "model": f"m{offline_id}",
        "server_tokens_per_s": server_rate, "offline_tokens_per_s": offline_rate, "ratio": server_rate / offline_rate,
    }  # fmt: skip


RESULTS = {
    "round": "v9.9",
    "sources": SOURCES,
    "counts": COUNTS,
    "pairs": [pair("1", "2", 1500.25, 2000.5), pair("3", "4", 10.0, 8.0), pair("7", "8", 1.0, 1.0)],
    "highlighted": {
        "same_system": {"offline_ids": ["1", "3"], "platform": "P", "spread_percentage_points": 50.00625},
        "apart": {"offline_ids": ["7"]},
    },
}


class Found(BundleCase):
    def test_every_line(self):
        # 1500.25 / 2000.5 = 0.74994; 10 / 8 = 1.25
        expected = """\
MLPerf® Inference: Datacenter v9.9, results at 0123456789ab, retrieved 2026-11-30
upstream files verified by digest: 1,234
rows: 11 of 31 fields, 4,321 CSV cells equal to their JSON twins
closed 8, open 3, eligible 7, with measured power 2
pairs: 3 on 27 metadata fields, 1 of them with Server above Offline; unmatched rows: 5, 6
accuracy: every metric of 7 rows within its target and upper limit
logs: 9 passed every check, 4 not available
1/2 S P m1: 1,500.2 / 2,000.5 = 74.99%
3/4 S P m3: 10.0 / 8.0 = 125.00%
7/8 S P m7: 1.0 / 1.0 = 100.00%
spread on P: 50.01 percentage points. Result not verified by MLCommons Association."""
        self.assertEqual(expected, report.found(RESULTS))

    def test_no_row_without_a_partner(self):
        counts = {**COUNTS, "unmatched_row_ids": []}
        self.assertIn("; unmatched rows: none\n", report.found({**RESULTS, "counts": counts}))


class Messaging(BundleCase):
    """The words of the results messaging guidelines, here a second time, so that no one changes them unawares."""

    def test_attribution(self):
        self.assertEqual(
            "MLPerf® Inference: Datacenter v9.9, closed division, Offline and Server scenarios. Results of "
            "github.com/example/results at 0123456789ab, copies retrieved 2026-11-30. Ratios are derived. Result not verified by "
            "MLCommons Association.",
            wording.attribution(RESULTS),
        )

    def test_trademark(self):
        self.assertEqual(
            "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association in the "
            "United States and other countries. All rights reserved. Unauthorized use strictly prohibited. See "
            "www.mlcommons.org for more information.",
            wording.TRADEMARK,
        )
