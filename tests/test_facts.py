"""A pair, and a row without a partner, as results.json holds them."""

from __future__ import annotations

from scenario_ratio.study import facts
from scenario_ratio.study.pairing import Pair
from tests.support import BundleCase, pair_rows, row

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
        found = facts.pair_facts(Pair(*pair_rows(4)), logs)
        self.assertEqual(expected, found)
        self.assertEqual(list(expected), list(found))

    def test_a_row_alone_on_a_processor(self):
        cells = {"accelerator_model_name": ("N/A", None), "total_accelerators": ("0", 0), "number_of_nodes": ("2", 2)}
        expected = {"id": "9", **SHARED, "accelerator": None, "accelerators": 0, "nodes": 2}
        expected.update(scenario="Offline", tokens_per_s=1000.5)
        self.assertEqual(expected, facts.row_facts(row("9", **cells)))
