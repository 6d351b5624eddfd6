"""The figures behind the verdicts in results.json, which the article does not print, against the second computation."""

from __future__ import annotations

import json
import unittest
from fractions import Fraction
from typing import Iterable

from tests.again import claims, spelled
from tests.again.released import log_number, matched, pairs, root, rows, with_server_log

LOW, HIGH = Fraction(-7, 100), Fraction(3, 100)
SETTINGS = ("target_qps", "samples_per_query", "max_async_queries")  # of a log, by the labels there


def stored() -> dict:
    """Return the claims of results.json by their ids."""
    found = json.loads((root() / "results.json").read_text(encoding="utf-8"))["claims"]
    return {claim["id"]: claim for claim in found}


def percent(share: Fraction, decimals: int = 1) -> str:
    """Return a difference as the figures have it: '-3.0'."""
    return spelled.signed(share, decimals)[:-1]


def of_rates(statement: str) -> dict:
    """Return the figures behind a statement on one pair's rates and their difference."""
    submitter, number, accelerator, model, offline, server, _ = claims.ONE_PAIR.fullmatch(statement).groups()
    (pair,) = claims.found(submitter, int(number), accelerator, model)
    return {
        "offline_tokens_per_s": Fraction(rows()[pair.offline_id]["Result"]),
        "offline_log_tokens_per_s": log_number(pair.offline_id, "Tokens per second"),
        "server_tokens_per_s": Fraction(rows()[pair.server_id]["Result"]),
        "server_log_tokens_per_s": log_number(pair.server_id, "Completed tokens per second"),
        "difference_percent": percent(claims.change(pair)),
        "difference_of_stated_rates_percent": percent(Fraction(server) / Fraction(offline) - 1),
        "difference_over_server_percent": percent(claims.over_server(pair)),
    }


def of_range(found: list, low: Fraction, high: Fraction, decimals: int) -> dict:
    """Return the figures behind a statement that all pairs found differ by a share from ``low`` to ``high``."""

    def within(base, places: int | None = None) -> int:
        shares = [base(pair) for pair in found]
        if places is not None:
            shares = [Fraction(percent(share, places)) / 100 for share in shares]
        return sum(low <= share <= high for share in shares)

    changes = sorted(map(claims.change, found))
    return {
        "pairs": len(found),
        "within": within(claims.change),
        "within_at_the_decimals_stated": within(claims.change, decimals),
        "within_if_over_server": within(claims.over_server),
        "within_if_over_server_at_the_decimals_stated": within(claims.over_server, decimals),
        "lowest_percent": percent(changes[0]),
        "highest_percent": percent(changes[-1]),
    }


def _ends(values: Iterable[Fraction]) -> tuple:
    values = list(values)
    return min(values), max(values)


def expected() -> dict:
    """Return the figures of every claim by its id, but those of one pair and those on scale."""
    everything, racks = pairs(), [pair for pair in pairs() if pair.accelerators == 72]
    ratios = [pair.ratio for pair in everything]
    at_hand = [pair.server_id for pair in with_server_log()]
    absent = len(everything) - len(at_hand)
    ends = {name: _ends(log_number(row_id, name) for row_id in at_hand) for name in SETTINGS}
    of_coreweave = [
        pair for pair in racks if pair.offline["Organization"] == "CoreWeave" and "llama2" in pair.offline["Model"]
    ]
    lowest = claims.change(of_coreweave[1])  # that of the GB300
    further = [pair for pair in everything if claims.change(pair) < lowest]
    llama2 = claims.found(number=8, model="llama2-70b", weight_data_types="fp4")
    return {
        "nine-systems": {"listed": 8, "counted": 9, "parts_total": 8},
        "sign-reverses": {
            "pairs": len(ratios), "above": sum(one > 1 for one in ratios), "below": sum(one < 1 for one in ratios),
        },
        "between-minus-7-and-plus-3": of_range(everything, LOW, HIGH, 0),
        "llama2-70b-fp4-8-accelerators": of_range(llama2, Fraction(-3, 100), Fraction(-2, 100), 0),
        "72-accelerators-server-faster": {"pairs": len(racks), "server_faster": sum(pair.ratio > 1 for pair in racks)},
        "latency-limits-kept": {"logs": len(at_hand), "within": len(at_hand), "logs_not_available": absent},
        "coreweave-gb300-outlier": {
            "pairs": len(everything), "further_below": len(further),
            "further_above": sum(claims.change(pair) > -lowest for pair in everything),
            "further_with_accelerators": sum(pair.accelerators > 0 for pair in further),
        },
        "target-qps": {
            "logs": len(at_hand), "with_value": sum(log_number(row_id, "target_qps") == Fraction("0.5") for row_id in at_hand),
            "lowest": ends["target_qps"][0], "highest": ends["target_qps"][1], "logs_not_available": absent,
        },
        "coreweave-racks": {
            "first_percent": percent(claims.change(of_coreweave[0])), "second_percent": percent(claims.change(of_coreweave[1])),
            "differing_fields": sum(of_coreweave[0].offline[field] != of_coreweave[1].offline[field] for field in matched()),
        },
        "closed-loop-queue": {
            "logs": len(at_hand),
            **{f"{name}_{end}": value for name in SETTINGS for end, value in zip(("lowest", "highest"), ends[name])},
        },
        "identical-quantization": {
            "pairs": len(everything), "values": len({pair.offline["weight_data_types"] for pair in everything}),
        },
    }  # fmt: skip


class Figures(unittest.TestCase):
    """On scale, the figures of pairs that are alike but for it are in the reason, which test_again_tables reads."""

    maxDiff = None

    def test_behind_each_pair(self):
        told = [claim for claim in stored().values() if claims.ONE_PAIR.fullmatch(claim["statement"])]
        self.assertEqual(len(told), 8)
        for claim in told:
            self.assertEqual(exact(claim["figures"]), of_rates(claim["statement"]), claim["id"])

    def test_behind_each_other_statement(self):
        found, figures = stored(), expected()
        for name, behind in figures.items():
            self.assertEqual(exact(found[name]["figures"]), behind, name)
        rest = [
            name for name in found if name not in figures and not claims.ONE_PAIR.fullmatch(found[name]["statement"])
        ]
        self.assertEqual(rest, ["sign-reverses-by-scale"])


def exact(figures: dict) -> dict:
    """Return figures with each number that has decimals as a fraction, by its digits."""
    return {key: Fraction(str(value)) if isinstance(value, float) else value for key, value in figures.items()}


if __name__ == "__main__":
    unittest.main()
