"""Claims: lookups and verdicts on hand-made pairs, and on the round against an independent reading of the CSV."""

from __future__ import annotations

import json
import re
import unittest
from decimal import Decimal
from pathlib import Path

from scenario_ratio.study import claims, verdicts
from tests.support import ROOT, BundleCase
from tests.test_ratios import csv_pairs


def pair(offline_id: str, offline: float = 1000.0, server: float = 900.0, **facts: object) -> dict:
    return {
        "offline_id": offline_id,
        "server_id": str(int(offline_id) + 1),
        "submitter": "Example",
        "platform": "X100x8",
        "model": "llama2-70b-99.9",
        "accelerator": "Maker X100",
        "accelerators": 8,
        "nodes": 1,
        "precision": "fp4",
        "offline_tokens_per_s": offline,
        "server_tokens_per_s": server,
        "ratio": server / offline,
        **facts,
    }


def logs_of(pairs: list[dict], **facts: object) -> list[dict]:
    """Return the logs of pairs: both passed, with the summary's rates, well within their limits."""
    logs = []
    for one in pairs:
        logs.append({"row": one["offline_id"], "status": "passed", "rate_tokens_per_s": one["offline_tokens_per_s"]})
        server = {"row": one["server_id"], "status": "passed", "rate_tokens_per_s": one["server_tokens_per_s"]}
        limits = {"ttft_p99_ns": 1, "ttft_limit_ns": 2, "tpot_p99_ns": 1, "tpot_limit_ns": 2, "target_qps": 0.5}
        logs.append({**server, **limits, **facts})
    return logs


def claim(kind: str, name: str = "c", **parameters: object) -> dict:
    return {"id": name, "statement": "A statement.", "kind": kind, "parameters": parameters}


def tested(listed: dict | list, pairs: list[dict], logs: list[dict] | None = None, differing=None) -> dict:
    """Return the last of the evaluated claims."""
    listed = listed if isinstance(listed, list) else [listed]
    return claims.evaluate(listed, pairs, logs_of(pairs) if logs is None else logs, differing)[-1]


class Lookup(unittest.TestCase):
    def found(self, pairs: list[dict], **where: object) -> list[str]:
        return [one["offline_id"] for one in verdicts.find(pairs, where)]

    def test_a_word_is_not_part_of_another(self):
        pairs = [
            pair("0", accelerator="NVIDIA GB300", platform="GB300-NVL72_GB300-288GB_aarch64x8_TRT"),
            pair("2", accelerator="NVIDIA B300-SXM-270GB", platform="B300-SXM-270GBx8_TRT"),
        ]
        self.assertEqual(["2"], self.found(pairs, accelerator="B300"))
        self.assertEqual(["0"], self.found(pairs, accelerator="gb300"))

    def test_a_name_may_be_all_that_is_known(self):
        pairs = [pair("0", accelerator="X200", platform=""), pair("2", accelerator=None, platform="Y")]
        self.assertEqual(["0"], self.found(pairs, accelerator="X200"))
        self.assertEqual(["2"], self.found(pairs, accelerator="y"))
        self.assertEqual([], self.found(pairs, accelerator="xxxx"))

    def test_words_of_the_accelerator_may_stand_in_the_platform(self):
        pairs = [pair("0", accelerator="NVIDIA GB300", platform="GB300-NVL72_GB300-288GB_aarch64x8_TRT"), pair("2")]
        self.assertEqual(["0"], self.found(pairs, accelerator="GB300-288GB"))
        self.assertEqual([], self.found(pairs, accelerator="GB300-300GB"))

    def test_the_submitter_is_exact(self):
        pairs = [pair("0", submitter="Dell"), pair("2", submitter="Dell_AMD"), pair("4", submitter="dell")]
        self.assertEqual(["0"], self.found(pairs, submitter="Dell"))

    def test_numbers_model_and_precision(self):
        pairs = [
            pair("0"),
            pair("2", accelerators=72),
            pair("4", nodes=2),
            pair("6", model="llama2-13b"),
            pair("8", precision="FP4"),
            pair("10", precision="mxfp4"),
            pair("12", accelerator=None, platform="Y"),
        ]
        self.assertEqual(["2"], self.found(pairs, accelerators=72))
        self.assertEqual(["4"], self.found(pairs, nodes=2))
        self.assertEqual(["6"], self.found(pairs, model="llama2-13"))
        self.assertEqual(
            ["0", "8"],
            self.found(pairs, precision="fp4", nodes=1, accelerators=8, accelerator="X100", model="llama2-70b"),
        )
        self.assertEqual([row["offline_id"] for row in pairs], self.found(pairs))


class Rounding(unittest.TestCase):
    def test_halves_go_away_from_zero(self):
        for server, percent in ((969.5, "-3.1"), (1030.5, "3.1"), (969.51, "-3.0"), (1030.4, "3.0")):
            # 969.5 of 1000 is -3.05%
            self.assertEqual(Decimal(percent), verdicts.difference(pair("0", 1000.0, server), "0.1"))

    def test_rates_of_any_size(self):
        self.assertEqual("99999999999999999999999999900.0", str(verdicts.difference(pair("0", 1e-12, 1e15), "0.1")))

    def test_as_many_decimals_as_stated(self):
        self.assertEqual("-14", str(verdicts.difference(pair("0", 1000.0, 855.1), "-7")))  # -14.49%
        self.assertEqual("-14.49", str(verdicts.difference(pair("0", 1000.0, 855.1), "-3.00")))


class OnePair(unittest.TestCase):
    STATED = {
        "where": {"submitter": "Example", "accelerators": 8},
        "offline": "1000",
        "server": "900.04",
        "percent": "-10.0",
    }

    def verdict(self, pairs: list[dict], logs: list[dict] | None = None, **stated: object) -> tuple[str, str]:
        found = tested(claim("pair", **{**self.STATED, **stated}), pairs, logs)
        return found["verdict"], found["reason"]

    def test_a_rate_may_be_the_logs_where_the_summary_is_rounded(self):
        pairs = [pair("4")]
        logs = logs_of(pairs, rate_tokens_per_s=900.04)
        self.assertEqual(
            ("confirmed", "Rows 4/5: both rates and the difference of -10.0% agree."), self.verdict(pairs, logs)
        )
        without = [{"row": row_id, "status": "not available"} for row_id in ("4", "5")]
        self.assertEqual(
            ("contradicted", "Rows 4/5: the Server rate is 900.0, not 900.04 tokens/s."), self.verdict(pairs, without)
        )

    def test_everything_that_differs_is_said(self):
        self.assertEqual(
            (
                "contradicted",
                "Rows 4/5: the Offline rate is 1,000.0, not 1001 tokens/s; the Server rate is 900.0, not 901 tokens/s; "
                "the difference is -10.0%, not +9.9% (the stated rates give -10.0%).",
            ),
            self.verdict([pair("4")], offline="1001", server="901", percent="9.9"),
        )

    def test_the_base_over_which_it_would_be_right_is_said(self):
        # 900 of 1000 is -10.0% over 1000, and -11.1% over 900
        self.assertEqual(
            (
                "contradicted",
                "Rows 4/5: the difference is -10.0%, not -11.1% (the stated rates give -10.0%); -11.1% is the difference over "
                "the Server rate, (Server - Offline) / Server.",
            ),
            self.verdict([pair("4")], server="900", percent="-11.1"),
        )

    def test_no_such_system_is_not_testable(self):
        self.assertEqual(
            ("not testable with these data", "No pair has submitter Example, accelerators 8."),
            self.verdict([pair("4", accelerators=4)]),
        )
        found = tested(claim("pair", **self.STATED), [])
        self.assertEqual(([], {"candidates": 0}), (found["offline_ids"], found["figures"]))

    def test_several_systems_are_listed(self):
        found = tested(claim("pair", **self.STATED), [pair("4"), pair("6"), pair("8", submitter="Other")])
        reason = "2 pairs have submitter Example, accelerators 8: 4/5, 6/7; the statement does not say which."
        self.assertEqual(("incomplete", reason), (found["verdict"], found["reason"]))
        self.assertEqual((["4", "6"], {"candidates": 2}), (found["offline_ids"], found["figures"]))


class Tally(unittest.TestCase):
    def verdict(self, counted: int, *parts: tuple) -> tuple[str, str]:
        pairs = [pair("0", server=900.0), pair("2", server=950.0, nodes=2), pair("4", server=1020.0, nodes=3)]
        listed = [
            claim("pair", str(nodes), where={"nodes": nodes}, offline="1000", server="1", percent="0.0")
            for nodes in (1, 2, 3)
        ]
        ranges = [dict(zip(("name", "count", "low", "high"), part)) for part in parts]
        found = tested([*listed, claim("tally", of=["1", "2", "3"], counted=counted, parts=ranges)], pairs)
        return found["verdict"], found["reason"]

    def test_a_list_that_adds_up(self):
        self.assertEqual(
            (
                "confirmed",
                "Found among those listed: 2 of 2 negative; 1 of 1 positive. The parts add up to 3, the list has 3, and "
                "the statement counts 3.",
            ),
            self.verdict(3, ("negative", 2, "-10.0", "-0.1"), ("positive", 1, "0.1", "3.0")),
        )

    def test_a_count_that_the_list_does_not_reach_is_contradicted(self):
        verdict, reason = self.verdict(4, ("negative", 2, "-10.0", "-0.1"), ("positive", 1, "0.1", "3.0"))
        self.assertEqual("contradicted", verdict)
        self.assertTrue(reason.endswith("The parts add up to 3, the list has 3, and the statement counts 4."), reason)

    def test_a_part_that_differs_is_contradicted(self):
        self.assertEqual(
            "contradicted", self.verdict(3, ("negative", 2, "-9.9", "-0.1"), ("positive", 1, "0.1", "3.0"))[0]
        )

    def test_a_part_that_is_left_out_is_contradicted(self):
        verdict, reason = self.verdict(3, ("negative", 2, "-10.0", "-0.1"))
        self.assertEqual("contradicted", verdict)
        self.assertTrue(reason.endswith("The parts add up to 2, the list has 3, and the statement counts 3."), reason)

    def test_ranges_are_exact_and_a_figure_is_compared_at_its_decimals(self):
        # 900, 950 and 1020 of 1000: -10%, -5% and +2%; 1020 is +2% at any decimals, and not from 2.0000001 on
        figures = ("one", 1, "-10.0", "-10.0"), ("one", 1, "-5", "-5"), ("one", 1, "2.0", "2.0")
        self.assertEqual("confirmed", self.verdict(3, *figures)[0])
        found = self.verdict(3, ("all", 3, "-10", "1.9999"))
        self.assertTrue(found[1].startswith("Found among those listed: 2 of 3 all."), found)

    def test_the_sign_of_a_small_difference_is_not_rounded_away(self):
        pairs = [pair("0", server=999.9), pair("2", server=1000.0, nodes=2)]  # -0.01%, which is -0.0, and none
        listed = [
            claim("pair", str(nodes), where={"nodes": nodes}, offline="1000", server="1", percent="0.0")
            for nodes in (1, 2)
        ]
        below, above = ({"name": "n", "count": 1, "low": low, "high": high} for low, high in (("-1", "0"), ("0", "1")))
        for part, verdict, count in ((below, "contradicted", 1), (above, "contradicted", 0)):
            found = tested([*listed, claim("tally", of=["1", "2"], counted=2, parts=[part])], pairs)
            self.assertEqual(verdict, found["verdict"])
            self.assertIn(f"{count} of 1 n", found["reason"])
        both = {"name": "n", "count": 2, "low": "-1", "high": "1"}
        found = tested([*listed, claim("tally", of=["1", "2"], counted=2, parts=[both])], pairs)
        self.assertEqual("confirmed", found["verdict"])

    def test_without_a_difference_it_is_not_testable(self):
        listed = [claim("pair", name, where={"nodes": 7}, offline="1", server="1", percent="0.0") for name in "ab"]
        found = tested([*listed, claim("tally", of=["a", "b"], counted=1, parts=[])], [pair("0")])
        self.assertEqual(
            ("not testable with these data", "Without a difference: a, b.", [], {"listed": 2}),
            tuple(found[key] for key in ("verdict", "reason", "offline_ids", "figures")),
        )


class OtherKinds(unittest.TestCase):
    def test_both_signs(self):
        examples = [{"name": "on one node", "where": {"nodes": 1}, "percent": "-10"}]
        for server, verdict in ((1000.1, "confirmed"), (1000.0, "contradicted")):
            found = tested(claim("both signs", examples=examples), [pair("0"), pair("2", server=server)])
            self.assertEqual(verdict, found["verdict"])
        self.assertEqual(
            "Server is above Offline in 0 of 2 pairs and below it in 1. -10% on one node: rows 0/1 (llama2-70b-99.9).",
            found["reason"],
        )
        examples[0]["percent"] = "-11"
        found = tested(claim("both signs", examples=examples), [pair("0"), pair("2", server=1001.0)])
        self.assertEqual("contradicted", found["verdict"])
        self.assertTrue(found["reason"].endswith("-11% on one node: no pair."), found["reason"])

    def test_range_and_its_base(self):
        # -3.49% over Offline rounds to -3%; over Server it is -3.62%, which rounds to -4%
        pairs = [pair("0", server=965.1), pair("2", server=980.0)]
        found = tested(claim("range", where={}, low="-3", high="-2"), pairs)
        # 980 is -2% over 1000, and -2.04% over 980
        self.assertEqual(
            (
                "confirmed",
                "1 of 2 pairs lie from -3% to -2% (2 at the decimals stated), and 1 if the difference is taken over the "
                "Server rate. They reach from -3.5% to -2.0%. The verdict rests on the decimals stated.",
            ),
            (found["verdict"], found["reason"]),
        )
        self.assertEqual(
            {
                "pairs": 2,
                "within": 1,
                "within_at_the_decimals_stated": 2,
                "within_if_over_server": 1,
                "within_if_over_server_at_the_decimals_stated": 1,
                "lowest_percent": "-3.5",
                "highest_percent": "-2.0",
            },
            found["figures"],
        )
        found = tested(claim("range", where={}, low="-3", high="-2"), [*pairs, pair("4", server=964.9)])  # -3.51%
        self.assertEqual(("contradicted", ["4"]), (found["verdict"], found["offline_ids"]))
        self.assertNotIn("rests on", found["reason"])
        found = tested(claim("range", where={"nodes": 9}, low="-3", high="-2"), pairs)
        self.assertEqual("not testable with these data", found["verdict"])

    def test_range_without_rounding(self):
        # -2% and -3% of 1000 are 980 and 970: both ends belong to the range; over Server -2.04% and -3.09%, or -2 and -3
        found = tested(
            claim("range", where={}, low="-3", high="-2"), [pair("0", server=970.0), pair("2", server=980.0)]
        )
        self.assertEqual(
            (
                "confirmed",
                "2 of 2 pairs lie from -3% to -2%, and 1 (2 at the decimals stated) if the difference is taken over the "
                "Server rate. They reach from -3.0% to -2.0%.",
            ),
            (found["verdict"], found["reason"]),
        )

    SCALES = {
        "first": {"name": "on one node", "where": {"nodes": 1}, "percent": "-10"},
        "second": {"name": "on nine", "where": {"nodes": 9}, "percent": "2"},
    }

    def by_scale(self, *pairs: dict) -> dict:
        return tested(claim("sign by scale", **self.SCALES), list(pairs))

    def test_sign_by_scale_with_one_sign_at_each(self):
        small, large = pair("0"), pair("2", server=1020.0, nodes=9)
        found = self.by_scale(small, large)
        self.assertEqual(
            (
                "confirmed",
                "Server is above Offline on one node in 0 of 1 pairs (llama2-70b-99.9 0 of 1) and on nine in 1 of 1 pairs "
                "(llama2-70b-99.9 1 of 1). One pair from each scale, equal in model, accelerator and precision: 1 time, and "
                "in 1 of them the sign turns as stated. Of these 1 have the differences stated, as rows 0/1 and rows 2/3 do.",
            ),
            (found["verdict"], found["reason"]),
        )
        self.assertEqual({"alike": 1, "alike_turning": 1, "alike_with_the_stated_differences": 1}, found["figures"])
        self.assertEqual(["0", "2"], found["offline_ids"])

    def test_sign_by_scale_that_another_thing_may_explain(self):
        for field in ("model", "accelerator", "precision"):
            found = self.by_scale(pair("0"), pair("2", server=1020.0, nodes=9, **{field: "other"}))
            self.assertEqual("not supported", found["verdict"], field)
            self.assertEqual(0, found["figures"]["alike"])

    def test_sign_by_scale_where_a_scale_has_both_signs(self):
        small, large = pair("0"), pair("2", server=1020.0, nodes=9)
        for more in (pair("4", server=1001.0), pair("4", server=999.0, nodes=9), pair("4", server=1000.0)):
            found = self.by_scale(small, large, more)
            self.assertEqual("not supported", found["verdict"], more)
            self.assertEqual((2, 1), (found["figures"]["alike"], found["figures"]["alike_turning"]))
        self.assertEqual("confirmed", self.by_scale(small, large, pair("4", server=1100.0, nodes=5))["verdict"])

    def test_sign_by_scale_of_a_difference_that_no_pair_has(self):
        found = self.by_scale(pair("0"), pair("2", server=1030.0, nodes=9))
        self.assertEqual("contradicted", found["verdict"])
        self.assertTrue(found["reason"].endswith("as rows 0/1 and no pair do."), found["reason"])
        self.assertEqual("contradicted", self.by_scale()["verdict"])

    def test_furthest(self):
        far = pair("0", server=800.0, nodes=9)
        others = [pair("2", server=800.0), pair("4", server=1200.0), pair("6", server=900.0)]
        found = tested(claim("furthest", where={"nodes": 9}), [far, *others])
        self.assertEqual(
            (
                "confirmed",
                "Rows 0/1: -20.0%. Of the other 3 pairs, 0 have Server further below Offline than that and 0 that far "
                "above it, 0 of these with accelerators.",
                ["0"],
            ),
            (found["verdict"], found["reason"], found["offline_ids"]),
        )
        # a hundredth of a percent further, which one decimal does not show
        further = [pair("8", server=799.9, accelerators=0, accelerator=None), pair("10", server=1200.1)]
        found = tested(claim("furthest", where={"nodes": 9}), [far, *others, *further])
        self.assertEqual(
            (
                "contradicted",
                "Rows 0/1: -20.0%. Of the other 5 pairs, 1 have Server further below Offline than that and 1 that far "
                "above it, 1 of these with accelerators: 8/9 -20.0%, 10/11 +20.0%.",
                ["8", "10"],
            ),
            (found["verdict"], found["reason"], found["offline_ids"]),
        )
        expected = {"pairs": 6, "further_below": 1, "further_above": 1, "further_with_accelerators": 1}
        self.assertEqual(expected, found["figures"])
        self.assertEqual("incomplete", tested(claim("furthest", where={"nodes": 1}), [far, *others])["verdict"])

    def test_matched_field(self):
        asked = claim("matched field", field="precision", beyond="the rest")
        found = tested(asked, [pair("0"), pair("2", precision="fp8"), pair("4")])
        self.assertEqual(
            (
                "incomplete",
                "The precision is a field by which pairs are matched, so it is equal in both results of each of the 3 pairs "
                "because of the matching: fp4 in 2, fp8 in 1. The data have no field for the rest.",
                ["0", "2", "4"],
                {"pairs": 3, "values": 2},
            ),
            tuple(found[key] for key in ("verdict", "reason", "offline_ids", "figures")),
        )
        found = tested(asked, [pair("0", precision="")])
        self.assertEqual(
            ("not testable with these data", "No pair states its precision.", [], {"pairs": 1}),
            tuple(found[key] for key in ("verdict", "reason", "offline_ids", "figures")),
        )

    def test_not_logged(self):
        pairs = [pair("0"), pair("2"), pair("4")]
        logs = logs_of(pairs, samples_per_query=1)
        logs[1]["target_qps"] = 84.5
        logs[5] = {"row": "5", "status": "not available"}
        asked = claim("not logged", fields=["target_qps", "samples_per_query"], asked="why")
        found = tested(asked, pairs, logs)
        self.assertEqual(
            (
                "not testable with these data",
                "The logs do not say why. What they set, in 2 Server logs: target_qps (the queries per second that are aimed "
                "at) 0.5 to 84.5; samples_per_query (the samples in one query) 1.",
                ["0", "2"],
            ),
            (found["verdict"], found["reason"], found["offline_ids"]),
        )
        self.assertEqual(
            {
                "logs": 2,
                "target_qps_lowest": 0.5,
                "target_qps_highest": 84.5,
                "samples_per_query_lowest": 1.0,
                "samples_per_query_highest": 1.0,
            },
            found["figures"],
        )
        none = [{"row": log["row"], "status": "not available"} for log in logs]
        self.assertEqual("No Server log is at hand.", tested(asked, pairs, none)["reason"])

    def test_server_faster(self):
        pairs = [pair("0"), pair("2", server=1000.0), pair("4", server=1017.0)]
        found = tested(claim("server faster", where={}), pairs)
        self.assertEqual(
            ("confirmed", "1 of 3 pairs have the higher rate in Server: rows 4/5, llama2-70b-99.9, +1.7%.", ["4"]),
            (found["verdict"], found["reason"], found["offline_ids"]),
        )
        self.assertEqual({"pairs": 3, "server_faster": 1}, found["figures"])
        found = tested(claim("server faster", where={"nodes": 9}), pairs)
        self.assertEqual(("not testable with these data", "No pair has nodes 9."), (found["verdict"], found["reason"]))
        found = tested(claim("server faster", where={}), pairs[:2])
        self.assertEqual(
            ("contradicted", "0 of 2 pairs have the higher rate in Server."), (found["verdict"], found["reason"])
        )

    def test_log_setting(self):
        pairs = [pair("0"), pair("2")]
        asked = claim("log setting", field="target_qps", value="0.5")
        logs = logs_of(pairs)
        self.assertEqual("confirmed", tested(asked, pairs, logs)["verdict"])
        absent = [{"row": log["row"], "status": "not available"} if log["row"] == "3" else log for log in logs]
        found = tested(asked, pairs, absent)
        self.assertEqual(
            (
                "incomplete",
                "target_qps is 0.5 in 1 of 1 Server log; it reaches from 0.5 to 0.5. 1 are not available: 3.",
            ),
            (found["verdict"], found["reason"]),
        )
        other = [{**log, "target_qps": 84.0} if log["row"] == "3" else log for log in logs]
        found = tested(asked, pairs, other)
        self.assertEqual(("contradicted", ["2"]), (found["verdict"], found["offline_ids"]))
        self.assertEqual("target_qps is 0.5 in 1 of 2 Server logs; it reaches from 0.5 to 84.", found["reason"])
        none = [{"row": log["row"], "status": "not available"} for log in logs]
        found = tested(asked, pairs, none)
        self.assertEqual(
            ("not testable with these data", "No Server log is at hand.", [], {"logs": 0}),
            tuple(found[key] for key in ("verdict", "reason", "offline_ids", "figures")),
        )

    def test_limits_kept(self):
        pairs, asked = [pair("0"), pair("2")], claim("limits kept")
        self.assertEqual("confirmed", tested(asked, pairs, logs_of(pairs, ttft_p99_ns=2))["verdict"])
        for field in ("ttft_p99_ns", "tpot_p99_ns"):
            found = tested(asked, pairs, logs_of(pairs[:1]) + logs_of(pairs[1:], **{field: 3}))
            self.assertEqual(("contradicted", ["2"]), (found["verdict"], found["offline_ids"]))
        self.assertEqual(
            "The 99th percentiles of TTFT and TPOT are within their limits in 1 of 2 Server logs.", found["reason"]
        )
        found = tested(asked, pairs, [{"row": log["row"], "status": "not available"} for log in logs_of(pairs)])
        self.assertEqual(
            ("not testable with these data", "No Server log is at hand.", [], {"logs": 0}),
            tuple(found[key] for key in ("verdict", "reason", "offline_ids", "figures")),
        )

    def test_two_pairs(self):
        pairs = [pair("0", accelerator="X200", server=1019.0), pair("2", server=832.0)]
        sides = {
            "first": {"accelerator": "X200", "percent": "1.9"},
            "second": {"accelerator": "X100", "percent": "-16.8"},
        }
        asked = claim("two pairs", where={"submitter": "Example"}, **sides)
        pairs[0]["platform"] = "X200x8"
        found = tested(asked, pairs, differing=lambda *ids: [f"field of {' and '.join(ids)}"])
        self.assertEqual(
            (
                "confirmed",
                "Rows 0/1: +1.9%; rows 2/3: -16.8%. Of the matched metadata fields, the two differ in field of 0 and 2; "
                "the data do not say what is adjacent.",
            ),
            (found["verdict"], found["reason"]),
        )
        pairs[1].update(server_tokens_per_s=833.0)
        found = tested(asked, pairs, differing=lambda *ids: [])
        self.assertEqual("contradicted", found["verdict"])
        self.assertIn("rows 2/3: -16.7%; the difference is -16.7%, not -16.8%. Of the", found["reason"])
        self.assertEqual("incomplete", tested(asked, [*pairs, pair("4")], differing=lambda *ids: [])["verdict"])


class Form(BundleCase):
    """What data/claims.json must look like."""

    def refused(self, line: str, *listed: object) -> None:
        self.assert_refused([f"data/claims.json: {line}"], claims.check, list(listed))

    def test_not_a_list_of_claims(self):
        self.assert_refused(["data/claims.json: found {}; expected a list"], claims.check, {})
        self.refused('[0], keys: found "id"; expected id, statement, kind, parameters'.replace('"', "'"), {"id": "a"})

    def test_an_id_twice(self):
        self.refused("[1], id: found 'c'; expected an id of its own", claim("limits kept"), claim("limits kept"))

    def test_a_kind_that_does_not_exist(self):
        kinds = "pair, tally, both signs, sign by scale, furthest, range, server faster, matched field, not logged, log setting, limits kept, two pairs"
        self.refused(f"[0].kind: found 'guess'; expected one of {kinds}", claim("guess"))

    def test_every_claim_is_looked_at(self):
        kinds = "pair, tally, both signs, sign by scale, furthest, range, server faster, matched field, not logged, log setting, limits kept, two pairs"
        self.assert_refused(
            [
                f"data/claims.json: [0].kind: found 'guess'; expected one of {kinds}",
                f"data/claims.json: [2].kind: found 'hunch'; expected one of {kinds}",
            ],
            claims.check, [claim("guess", "a"), claim("limits kept", "b"), claim("hunch", "c")],
        )  # fmt: skip

    def test_parameters_of_another_kind(self):
        self.refused("[0].parameters, keys: found 'where'; expected where, low, high", claim("range", where={}))

    def test_a_number_that_is_not_a_decimal(self):
        for text in ("1e3", "", "NaN", "3.", "+3.0", "٣"):
            with self.subTest(text=text):
                self.refused(
                    f"[0].parameters.low: found {ascii(text)}; expected a decimal number such as '-3.0'",
                    claim("range", where={}, low=text, high="1"),
                )

    def test_every_number_is_a_decimal(self):
        sides = {"first": {"accelerator": "a", "percent": "1"}, "second": {"accelerator": "b", "percent": "2"}}
        for place, asked in (
            ("parameters.offline", claim("pair", where={}, offline="x", server="1", percent="1")),
            ("parameters.server", claim("pair", where={}, offline="1", server="x", percent="1")),
            ("parameters.percent", claim("pair", where={}, offline="1", server="1", percent="x")),
            ("parameters.high", claim("range", where={}, low="1", high="x")),
            ("parameters.value", claim("log setting", field="target_qps", value="x")),
            (
                "parameters.examples[0].percent",
                claim("both signs", examples=[{"name": "n", "where": {}, "percent": "x"}]),
            ),
            (
                "parameters.parts[0].low",
                claim("tally", of=[], counted=1, parts=[{"name": "low", "count": 1, "low": "x", "high": "1"}]),
            ),
            (
                "parameters.second.percent",
                claim("two pairs", where={}, **{**sides, "second": {"accelerator": "b", "percent": "x"}}),
            ),
        ):
            with self.subTest(place):
                rate = place.endswith(("offline", "server"))
                words = "a rate above zero such as '106517'" if rate else "a decimal number such as '-3.0'"
                self.refused(f"[0].{place}: found 'x'; expected {words}", asked)

    def test_a_rate_that_nothing_is_a_percentage_of(self):
        for text in ("0", "0.00", "-1", "1e3"):
            for field in ("offline", "server"):
                self.refused(
                    f"[0].parameters.{field}: found {text!r}; expected a rate above zero such as '106517'",
                    claim("pair", **{"where": {}, "offline": "0.5", "server": "1", "percent": "1", field: text}),
                )

    def test_a_lookup_by_something_else(self):
        fields = "submitter, accelerator, accelerators, nodes, model, precision"
        place = "[0].parameters.where"
        self.refused(f"{place}: found 'row'; expected one of {fields}", claim("server faster", where={"row": "97"}))
        self.refused(f"{place}.nodes: found '1'; expected int", claim("server faster", where={"nodes": "1"}))
        side = {"name": "n", "where": {"row": "97"}, "percent": "1"}
        other = {**side, "where": {"nodes": 1}}
        for sides in ({"first": side, "second": other}, {"first": other, "second": side}):
            self.refused(f"{place}: found 'row'; expected one of {fields}", claim("sign by scale", **sides))
        examples = [side]
        self.refused(f"{place}: found 'row'; expected one of {fields}", claim("both signs", examples=examples))

    def test_a_tally_of_what_is_not_listed_before_it(self):
        self.refused(
            "[0].parameters, of: found 'later'; expected the id of an earlier claim",
            claim("tally", of=["later"], counted=1, parts=[]),
        )

    def test_a_field_that_logs_do_not_have(self):
        self.refused(
            "[0].parameters.field: found 'qps'; expected one of target_qps, samples_per_query, min_duration_ms, "
            "max_async_queries",
            claim("log setting", field="qps", value="1"),
        )
        for field in ("target_qps", "samples_per_query", "min_duration_ms", "max_async_queries"):
            claims.check([claim("log setting", field=field, value="1")])


class OfTheRound(unittest.TestCase):
    """The verdicts on v6.1, worked out from the published figures and from the CSV and logs read here."""

    @classmethod
    def setUpClass(cls):
        cls.listed = json.loads((ROOT / "data" / "claims.json").read_bytes())
        cls.results = json.loads((ROOT / "results.json").read_bytes())
        cls.found = {one["id"]: one for one in cls.results["claims"]}
        cls.pairs = csv_pairs()

    def percent(self, offline: dict, server: dict) -> Decimal:
        base = Decimal(offline["Result"])
        return 100 * (Decimal(server["Result"]) - base) / base

    def test_verdicts(self):
        self.assertEqual(
            {
                "amd-8xmi355x-llama2-70b": ("confirmed", ["9"]),
                "dell-8xmi355x-llama3.1-8b": ("confirmed", ["147"]),
                "hpe-8xmi355x-llama3.1-8b": ("confirmed", ["224"]),
                # (106949.36 - 109277) / 109277 = -2.1300%: -2.1, stated as -2.2
                "nvidia-8xb300-llama2-70b": ("contradicted", ["289"]),
                "nvidia-8xgb300-llama2-70b": ("confirmed", ["321"]),
                "oracle-8xmi355x-llama3.1-8b": ("confirmed", ["363"]),
                "coreweave-72xgb200-llama2-70b": ("confirmed", ["97"]),
                "coreweave-72xgb300-llama2-70b": ("confirmed", ["103"]),
                # five, two and one are the eight listed; nine are counted
                "nine-systems": ("contradicted", ["9", "147", "224", "289", "321", "363", "97", "103"]),
                "coreweave-racks": ("confirmed", ["97", "103"]),
            },
            {
                name: (one["verdict"], one["offline_ids"])
                for name, one in self.found.items()
                if len(one["offline_ids"]) == 1 or name in ("nine-systems", "coreweave-racks")
            },
        )

    def test_differences_of_the_listed_systems(self):
        # (Server - Offline) / Offline by the rates of the statements: e.g. (103274.69 - 106517) / 106517 = -3.04%
        expected = ["-3.0", "-6.2", "-6.1", "-2.1", "-2.7", "+3.0", "+1.9", "-16.8"]
        figures = [one["figures"] for one in list(self.found.values())[:8]]
        self.assertEqual(expected, [one["difference_percent"] for one in figures])
        self.assertEqual(expected, [one["difference_of_stated_rates_percent"] for one in figures])

    def test_statements_have_the_figures_that_are_tested(self):
        for one in self.listed[:8]:
            parameters = one["parameters"]
            where = parameters["where"]
            numbers = re.findall(r"[-+]?\d+(?:\.\d+)?(?=%| tokens/s| in Server)", one["statement"])
            self.assertEqual([parameters["offline"], parameters["server"]], numbers[:2])
            self.assertEqual(Decimal(parameters["percent"]), Decimal(numbers[2]))
            self.assertIn(
                f"{where['submitter']}, {where['accelerators']} x {where['accelerator']}, {where['model']}:",
                one["statement"],
            )

    def test_no_claim_is_looked_up_by_a_row_id(self):
        fields = set(re.findall(r'"(\w+)":', (ROOT / "data" / "claims.json").read_text(encoding="utf-8")))
        self.assertEqual(set(), {field for field in fields if "row" in field or field.endswith("_id")})

    def test_sign_reverses(self):
        one = self.found["sign-reverses"]
        above = sum(self.percent(*both) > 0 for both in self.pairs)
        below = sum(self.percent(*both) < 0 for both in self.pairs)
        self.assertEqual((above, below), (11, 141))  # 11 is the round's published count, of 152
        self.assertEqual(
            ("confirmed", {"pairs": 152, "above": above, "below": below}), (one["verdict"], one["figures"])
        )
        on_a_node = [
            offline["id"]
            for offline, server in self.pairs
            if offline["number_of_nodes"] == "1" and Decimal("-6.5") < self.percent(offline, server) < Decimal("-5.5")
        ]
        self.assertEqual([*on_a_node, "97"], one["offline_ids"])

    def test_minus_2_2_percent_is_right_over_the_server_rate_alone(self):
        one = self.found["nvidia-8xb300-llama2-70b"]
        # (106949 - 109277) / 109277 = -2.1304%, and over 106949 it is -2.1767%
        self.assertEqual(
            ("-2.1", "-2.2"), tuple(one["figures"][f"difference_{key}"] for key in ("percent", "over_server_percent"))
        )
        self.assertEqual(
            "Rows 289/290: the difference is -2.1%, not -2.2% (the stated rates give -2.1%); -2.2% is the difference over the "
            "Server rate, (Server - Offline) / Server.",
            one["reason"],
        )  # fmt: skip

    def test_sign_by_scale(self):
        one = self.found["sign-reverses-by-scale"]
        small = [both for both in self.pairs if both[0]["number_of_nodes"] == "1"]
        large = [both for both in self.pairs if both[0]["total_accelerators"] == "72"]
        fields = ("Model", "accelerator_model_name", "weight_data_types")
        alike = [(a, b) for a in small for b in large if all(a[0][field] == b[0][field] for field in fields)]
        turning = [1 for a, b in alike if self.percent(*a) < 0 < self.percent(*b)]
        above = [sum(self.percent(*both) > 0 for both in some) for some in (small, large)]
        self.assertEqual([(9, 116), (2, 17)], list(zip(above, map(len, (small, large)))))  # both signs at either scale
        self.assertEqual("not supported", one["verdict"])
        expected = {"alike": len(alike), "alike_turning": len(turning), "alike_with_the_stated_differences": 0}
        self.assertEqual(expected, one["figures"])
        self.assertIn(f"on one node in {above[0]} of {len(small)} pairs (deepseek-r1 0 of 15, ", one["reason"])
        self.assertIn(
            "in 2 of 17 pairs (deepseek-r1 0 of 8, gpt-oss-120b 1 of 7, llama2-70b-99.9 1 of 2)", one["reason"]
        )
        self.assertEqual(self.found["sign-reverses"]["offline_ids"], one["offline_ids"])

    def test_the_rack_is_not_the_outlier(self):
        one = self.found["coreweave-gb300-outlier"]
        # (944902 - 1136100) / 1136100 = -16.83%
        further = [both for both in self.pairs if self.percent(*both) < 100 * Decimal(944902 - 1136100) / 1136100]
        self.assertEqual(
            ("contradicted", [offline["id"] for offline, _ in further]), (one["verdict"], one["offline_ids"])
        )
        self.assertLess({"228", "54", "133", "304"}, set(one["offline_ids"]))  # as published
        with_accelerators = sum(offline["total_accelerators"] != "0" for offline, _ in further)
        self.assertEqual(
            {
                "pairs": 152,
                "further_below": len(further),
                "further_above": 0,  # the furthest above is +2.96%
                "further_with_accelerators": with_accelerators,
            },
            one["figures"],
        )

    def test_quantization(self):
        one, counts = self.found["identical-quantization"], {}
        for offline, server in self.pairs:
            self.assertEqual(offline["weight_data_types"], server["weight_data_types"])
            counts[offline["weight_data_types"]] = counts.get(offline["weight_data_types"], 0) + 1
        self.assertEqual("incomplete", one["verdict"])
        told = ", ".join(f"{name} in {counts[name]}" for name in sorted(counts))
        self.assertIn(f"because of the matching: {told}. The data have no field for ", one["reason"])

    def test_closed_loop(self):
        one, logs = self.found["closed-loop-queue"], self.server_logs()
        self.assertEqual(("not testable with these data", list(logs)), (one["verdict"], one["offline_ids"]))
        expected = {"logs": len(logs)}
        for field in ("target_qps", "samples_per_query", "max_async_queries"):
            values = [float(re.search(rf"^{field} : (\S+)$", text, re.MULTILINE)[1]) for text in logs.values()]
            expected.update({f"{field}_lowest": min(values), f"{field}_highest": max(values)})
        self.assertEqual(expected, one["figures"])
        self.assertEqual((0, 0), (expected["max_async_queries_lowest"], expected["max_async_queries_highest"]))

    def counts(self, members: list, low: str, high: str) -> list[int]:
        """Return how many differences lie within the bounds: exactly and by whole percents, over Offline, then Server."""
        over_offline = [self.percent(*both) for both in members]
        over_server = [-self.percent(*reversed(both)) for both in members]
        half = Decimal("0.5")
        return [
            sum(Decimal(low) - slack <= value <= Decimal(high) + slack for value in values)
            for values in (over_offline, over_server)
            for slack in (0, half)
        ]

    WITHIN = [f"within{base}{how}" for base in ("", "_if_over_server") for how in ("", "_at_the_decimals_stated")]

    def test_between_minus_7_and_plus_3(self):
        one = self.found["between-minus-7-and-plus-3"]
        outside = [
            offline["id"]
            for offline, server in self.pairs
            if not Decimal("-7.5") < self.percent(offline, server) < Decimal("3.5")
        ]
        self.assertEqual(("contradicted", outside), (one["verdict"], one["offline_ids"]))
        self.assertIn("103", outside)  # the -16.8% of the same text
        counts = self.counts(self.pairs, "-7", "3")
        self.assertEqual([93, 97], counts[:2])  # as published: 97 by whole percents, and exactly 93
        self.assertEqual(counts, [one["figures"][key] for key in self.WITHIN])
        self.assertTrue(one["reason"].startswith("93 of 152 pairs lie from -7% to +3% (97 at the decimals stated), "))

    def test_llama2_70b_fp4(self):
        one = self.found["llama2-70b-fp4-8-accelerators"]
        members = [
            both
            for both in self.pairs
            if (both[0]["total_accelerators"], both[0]["Model"], both[0]["weight_data_types"])
            == ("8", "llama2-70b-99.9", "fp4")
        ]
        counts = self.counts(members, "-3", "-2")
        self.assertEqual([6, 10], counts[:2])  # as published: 10 by whole percents, and exactly 6
        self.assertEqual(
            ("contradicted", len(members), *counts),
            (one["verdict"], *(one["figures"][key] for key in ("pairs", *self.WITHIN))),
        )

    def test_72_accelerators(self):
        one = self.found["72-accelerators-server-faster"]
        members = [both for both in self.pairs if both[0]["total_accelerators"] == "72"]
        faster = [offline["id"] for offline, server in members if self.percent(offline, server) > 0]
        self.assertEqual(("confirmed", faster), (one["verdict"], one["offline_ids"]))
        self.assertEqual({"pairs": len(members), "server_faster": len(faster)}, one["figures"])

    def test_the_two_racks_differ_in_more_than_the_accelerator(self):
        one, other = (next(offline for offline, _ in self.pairs if offline["id"] == row_id) for row_id in ("97", "103"))
        fields = [
            field
            for field in one
            if one[field] != other[field] and field not in ("id", "Scenario", "Result", "Accuracy", "Location")
        ]
        found = self.found["coreweave-racks"]
        self.assertIn(f"the two differ in {', '.join(fields)};", found["reason"])
        self.assertIn("framework", fields)
        expected = {"first_percent": "+1.9", "second_percent": "-16.8", "differing_fields": len(fields)}
        self.assertEqual(expected, found["figures"])

    def server_logs(self) -> dict[str, str]:
        """Return Offline id -> text of the Server log, read from its row's location."""
        paths = {
            offline["id"]: Path(ROOT, "sources/results", server["Location"][2:], "mlperf_log_summary.txt")
            for offline, server in self.pairs
        }
        return {row_id: path.read_text(encoding="utf-8") for row_id, path in paths.items() if path.exists()}

    def test_target_qps(self):
        one = self.found["target-qps"]
        values = [
            float(re.search(r"^target_qps : (\S+)$", text, re.MULTILINE)[1]) for text in self.server_logs().values()
        ]
        self.assertEqual((146, 0), (len(values), values.count(0.5)))
        self.assertEqual("contradicted", one["verdict"])
        expected = {
            "logs": 146,
            "with_value": 0,
            "lowest": min(values),
            "highest": max(values),
            "logs_not_available": 6,
        }
        self.assertEqual(expected, one["figures"])

    def test_latency_limits(self):
        one = self.found["latency-limits-kept"]
        logs = self.server_logs()
        kept = [row_id for row_id, text in logs.items() if "Performance constraints satisfied : Yes" in text]
        self.assertEqual((146, kept), (len(logs), one["offline_ids"]))
        self.assertEqual(
            ("incomplete", {"logs": 146, "within": 146, "logs_not_available": 6}), (one["verdict"], one["figures"])
        )


if __name__ == "__main__":
    unittest.main()
