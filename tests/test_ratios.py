"""Statistics of the pairs, by hand and for the round: the ratios against an independent reading of the CSV, the headroom
against the logs read here with a regular expression.
"""

from __future__ import annotations

import csv
import json
import re
import statistics
import unittest
from fractions import Fraction

from scenario_ratio.study import ratios
from tests.support import ROOT, BundleCase

# Every accelerator name of v6.1 and the family it belongs to, written out by hand.
FAMILY_OF = {
    "NVIDIA B300-SXM-270GB": "NVIDIA B300",
    "Nvidia B300-SXM-270GB": "NVIDIA B300",
    "NVIDIA B200-SXM-180GB": "NVIDIA B200",
    "NVIDIA GB300": "NVIDIA GB300",
    "NVIDIA GB200": "NVIDIA GB200",
    "NVIDIA RTX PRO 6000 Blackwell Server Edition": "NVIDIA RTX PRO 6000 Blackwell",
    "NVIDIA RTX PRO 6000 Blackwell": "NVIDIA RTX PRO 6000 Blackwell",
    "NVIDIA RTX PRO 4500 Blackwell": "NVIDIA RTX PRO 4500 Blackwell",
    "AMD Instinct MI355X 288GB HBM3e": "AMD Instinct MI355X",
    "AMD Instinct MI350X 288GB HBM3e": "AMD Instinct MI350X",
    "AMD Instinct MI300X 192GB HBM3": "AMD Instinct MI300X",
    "AMD Instinct MI350P": "AMD Instinct MI350P",
    "Intel(R) Arc(TM) Pro B70": "Intel(R) Arc(TM) Pro B70",
    "NVIDIA H200-SXM-141GB + AMD Instinct MI350X 288GB HBM3e": "NVIDIA H200-SXM-141GB + AMD Instinct MI350X 288GB HBM3e",
    "AMD Instinct MI300X 192GB HBM3 (x2x8) and AMD Instinct MI355X 288GB HBM3e (x2x8)": (
        "AMD Instinct MI300X 192GB HBM3 (x2x8) and AMD Instinct MI355X 288GB HBM3e (x2x8)"
    ),
}
# Every number of accelerators of v6.1 and its class, written out by hand.
CLASS_OF = {
    "0": "none", "1": "1 to 5", "4": "1 to 5", "5": "1 to 5", "8": "8", "16": "16 to 32", "32": "16 to 32", "72": "72",
    "288": "more", "512": "more",
}  # fmt: skip


def pair(
    row_id: str, ratio: float, accelerators: int | None = 8, model: str = "m", accelerator: str | None = "X"
) -> dict:
    return {
        "offline_id": row_id,
        "ratio": ratio,
        "accelerators": accelerators,
        "model": model,
        "accelerator": accelerator,
    }


def quantile(values: list, quarters: int) -> Fraction:
    """Return a quartile by the rule in exact arithmetic: interpolated at position quarters * (n - 1) / 4."""
    position = Fraction(quarters * (len(values) - 1), 4)
    below = int(position)
    above = min(below + 1, len(values) - 1)
    return Fraction(values[below]) + (position - below) * (Fraction(values[above]) - Fraction(values[below]))


def csv_pairs() -> list[tuple[dict, dict]]:
    """Return every pair as (Offline row, Server row) of the CSV, found without the package."""
    with open(ROOT / "data" / "summary.csv", encoding="utf-8", newline="") as stream:
        rows = [{**row, "id": str(number)} for number, row in enumerate(csv.DictReader(stream))]
    wanted = {
        "Division": "closed", "Availability": "available", "SystemType": "datacenter", "inferred": "0", "errors": "0",
        "has_power": "False", "design_power_watts": "None", "Units": "Tokens/s",
    }  # fmt: skip
    by_key: dict = {}
    for row in rows:
        if all(row[field] == value for field, value in wanted.items()) and row["Scenario"] in ("Offline", "Server"):
            key = tuple(
                value
                for field, value in row.items()
                if field not in ("Scenario", "Result", "Accuracy", "Location", "id")
            )
            by_key.setdefault(key, {})[row["Scenario"]] = row
    return [(both["Offline"], both["Server"]) for both in by_key.values() if len(both) == 2]


class Quartiles(unittest.TestCase):
    def test_four_values_interpolate(self):
        # positions 0.75, 1.5 and 2.25 of 1, 2, 3, 4
        self.assertEqual([1.75, 2.5, 3.25], ratios.quartiles([1.0, 2.0, 3.0, 4.0]))

    def test_five_values_are_their_own_quartiles(self):
        self.assertEqual([2.0, 3.0, 4.0], ratios.quartiles([1.0, 2.0, 3.0, 4.0, 5.0]))

    def test_two_values(self):
        self.assertEqual([0.25, 0.5, 0.75], ratios.quartiles([0.0, 1.0]))

    def test_one_value_is_every_quartile(self):
        self.assertEqual([0.5, 0.5, 0.5], ratios.quartiles([0.5]))

    def test_the_rule_is_stated(self):
        self.assertEqual(
            "Quartiles are linear interpolations between order statistics: with n ratios in ascending order, numbered "
            "from 0, quartile k stands at position k * (n - 1) / 4.",
            ratios.distribution([pair("1", 1.0)])["quantile_rule"],
        )


class Spread(unittest.TestCase):
    def test_ends_and_counts(self):
        pairs = [pair("9", 1.5), pair("1", 0.5), pair("3", 1.0), pair("5", 0.5)]
        # in order 0.5, 0.5, 1.0, 1.5: quartiles at 0.75, 1.5, 2.25
        self.assertEqual(
            {
                "n": 4,
                "minimum": 0.5,
                "q1": 0.5,
                "median": 0.75,
                "q3": 1.125,
                "maximum": 1.5,
                "above_1": 1,
                "minimum_ids": ["1", "5"],
                "maximum_ids": ["9"],
            },
            ratios.spread(pairs),
        )


class Groups(BundleCase):
    def test_order_is_fixed_and_not_by_ratio(self):
        pairs = [
            pair("1", 0.9, 100, "z", "Zeta"),
            pair("2", 0.1, 72, "a", "beta"),
            pair("3", 0.5, 0, "m", None),
            pair("4", 0.7, 5, "a", "Alpha"),
        ]
        found = ratios.distribution(pairs)
        self.assertEqual(["all pairs", "pairs with accelerators", "CPU-only pairs"], list(found["overall"]))
        self.assertEqual(["a", "m", "z"], list(found["by_model"]))
        self.assertEqual(["none", "1 to 5", "72", "more"], list(found["by_accelerators"]))
        self.assertEqual(["Alpha", "beta", "Zeta"], list(found["by_family"]))
        self.assertEqual(found, ratios.distribution(pairs[:1] + pairs[:0:-1]))

    def test_without_cpu_only_pairs_there_is_no_such_group(self):
        found = ratios.distribution([pair("1", 0.9)])
        self.assertEqual(["all pairs", "pairs with accelerators"], list(found["overall"]))

    def test_a_number_that_is_not_stated_is_of_its_own_class_and_says_nothing_of_processors(self):
        found = ratios.distribution([pair("1", 0.9, None), pair("2", 0.5, 600, accelerator="Y"), pair("3", 0.1, 0)])
        self.assertEqual(["none", "more", "not stated"], list(found["by_accelerators"]))
        self.assertEqual({"all pairs": 3, "pairs with accelerators": 1, "CPU-only pairs": 1},
                         {name: spread["n"] for name, spread in found["overall"].items()})  # fmt: skip
        self.assertEqual(["X", "Y"], list(found["by_family"]))

    def test_without_pairs_there_is_no_group(self):
        found = ratios.distribution([])
        groups = ("overall", "by_model", "by_accelerators", "by_model_and_accelerators", "by_family")
        self.assertEqual([{}] * 5, [found[key] for key in groups])
        self.assertEqual([], found["accelerator_spellings"])

    def test_classes_of_each_model(self):
        pairs = [pair("1", 0.9, 72, "z"), pair("2", 0.1, 8, "a"), pair("3", 0.3, 8, "a"), pair("4", 0.7, 0, "z")]
        found = ratios.distribution(pairs)["by_model_and_accelerators"]
        told = [
            (model, name, one["n"], one["median"]) for model, classes in found.items() for name, one in classes.items()
        ]
        self.assertEqual([("a", "8", 2, 0.2), ("z", "none", 1, 0.7), ("z", "72", 1, 0.9)], told)

    def test_one_spelling_of_an_accelerator(self):
        names = ("Nvidia B300-SXM-270GB", "NVIDIA B300-SXM-270GB", None, "Perch", "nvidia B300-SXM-270GB")
        pairs = [pair(str(number), 0.5, accelerator=name) for number, name in enumerate(names)]
        found = ratios.distribution(pairs)
        self.assertEqual(
            [
                {"accelerator": "Nvidia B300-SXM-270GB", "grouped_as": "NVIDIA B300-SXM-270GB"},
                {"accelerator": "nvidia B300-SXM-270GB", "grouped_as": "NVIDIA B300-SXM-270GB"},
            ],
            found["accelerator_spellings"],
        )
        self.assertEqual({"not named": 1, "NVIDIA B300": 3, "Perch": 1},
                         {name: one["n"] for name, one in found["by_family"].items()})  # fmt: skip

    def test_labels_with_their_models_and_families(self):
        pairs = [
            pair("1", 0.9, 8, "z_1", "Nvidia B300-SXM-270GB"), pair("2", 0.9, 16, "z_1", "NVIDIA B300-SXM-270GB"),
            pair("3", 0.9, 0, "z_1", None), pair("4", 0.9, 2, "a", None), pair("5", 0.9, None, "a", "Perch"),
        ]  # fmt: skip
        found = ratios.labels(pairs, lambda label: label.replace("_", "."))
        self.assertEqual(
            {
                "a": {"model": "a", "by_family": {"not named": 1, "Perch": 1}},
                "z_1": {"model": "z.1", "by_family": {"none": 1, "NVIDIA B300": 2}},
            },
            found,
        )
        self.assertEqual(["a", "z_1"], list(found))

    def test_every_class_holds_both_its_ends_and_no_more(self):
        # counts beside every border, with the class that its name says
        borders = {
            0: "none", 1: "1 to 5", 5: "1 to 5", 6: "6 to 7", 7: "6 to 7", 8: "8", 9: "9 to 15", 15: "9 to 15",
            16: "16 to 32", 32: "16 to 32", 33: "33 to 71", 64: "33 to 71", 71: "33 to 71", 72: "72", 73: "more",
            10_000: "more", None: "not stated",
        }  # fmt: skip
        self.assertEqual(borders, {number: ratios.accelerator_class(number) for number in borders})


class Families(unittest.TestCase):
    def test_every_name_of_the_round(self):
        self.assertEqual(FAMILY_OF, {name: ratios.family(name) for name in FAMILY_OF})

    def test_capitals_do_not_matter(self):
        for name, expected in (
            ("Nvidia B300-SXM-270GB", "NVIDIA B300"),
            ("Nvidia RTX PRO 6000 Blackwell", "NVIDIA RTX PRO 6000 Blackwell"),
            ("AMD Instinct MI355X 288GB HBM3E", "AMD Instinct MI355X"),
        ):
            self.assertEqual(expected, ratios.family(name))

    def test_a_name_the_table_does_not_know_is_its_own(self):
        for name in ("NVIDIA B300-SXM-270GB x 8", "X100", "", "AMD Instinct MI355X 288GB HBM4"):
            self.assertEqual(name, ratios.family(name))

    def test_one_spelling_for_every_name_of_the_round(self):
        # each name is its own spelling, but the one in which the maker is spelled otherwise
        others = {"Nvidia B300-SXM-270GB": "NVIDIA B300-SXM-270GB"}
        self.assertEqual({name: others.get(name, name) for name in FAMILY_OF},
                         {name: ratios.canonical(name) for name in FAMILY_OF})  # fmt: skip

    def test_no_name(self):
        self.assertEqual("not named", ratios.family(None))


class DistributionOfTheRound(unittest.TestCase):
    """results.json against quartiles in exact arithmetic over pairs that are found here, from the CSV alone."""

    @classmethod
    def setUpClass(cls):
        cls.found = json.loads((ROOT / "results.json").read_bytes())["distribution"]
        cls.pairs = csv_pairs()

    def expected(self, members: list) -> dict:
        ratios = {offline["id"]: float(server["Result"]) / float(offline["Result"]) for offline, server in members}
        ordered = sorted(ratios.values())
        return {
            "n": len(ordered),
            **{
                name: float(quantile(ordered, k)) for k, name in enumerate(("minimum", "q1", "median", "q3", "maximum"))
            },
            "above_1": sum(float(server["Result"]) > float(offline["Result"]) for offline, server in members),
            "minimum_ids": [row_id for row_id, ratio in ratios.items() if ratio == ordered[0]],
            "maximum_ids": [row_id for row_id, ratio in ratios.items() if ratio == ordered[-1]],
        }

    def assert_groups(self, groups: dict, of) -> None:
        names = {of(offline) for offline, _ in self.pairs} - {None}
        self.assertEqual(names, set(groups))
        for name, spread in groups.items():
            expected = self.expected([both for both in self.pairs if of(both[0]) == name])
            for key, value in expected.items():
                with self.subTest(group=name, key=key):
                    if isinstance(value, float):
                        self.assertAlmostEqual(value, spread[key], delta=1e-15)
                    else:
                        self.assertEqual(value, spread[key])
            self.assertEqual(list(expected), list(spread))

    def test_by_model(self):
        self.assert_groups(self.found["by_model"], lambda row: row["Model"])

    def test_by_number_of_accelerators(self):
        self.assert_groups(self.found["by_accelerators"], lambda row: CLASS_OF[row["total_accelerators"]])
        self.assertEqual(["none", "1 to 5", "8", "16 to 32", "72", "more"], list(self.found["by_accelerators"]))

    def test_by_model_and_number_of_accelerators(self):
        found = self.found["by_model_and_accelerators"]
        self.assertEqual(sorted({offline["Model"] for offline, _ in self.pairs}), list(found))
        everything = self.pairs
        self.addCleanup(setattr, self, "pairs", everything)
        for model, classes in found.items():
            self.pairs = [both for both in everything if both[0]["Model"] == model]
            self.assert_groups(classes, lambda row: CLASS_OF[row["total_accelerators"]])
        # as computed with pandas: by 8 and by 72 accelerators, the sign of the difference is not one for all models
        told = [(model, name, one["n"], f"{one['median']:.2%}")
                for model, classes in found.items() for name, one in classes.items() if name in ("8", "72")]  # fmt: skip
        self.assertEqual(
            [
                ("deepseek-r1", "8", 17, "89.01%"), ("deepseek-r1", "72", 8, "83.30%"),
                ("gpt-oss-120b", "8", 33, "94.60%"), ("gpt-oss-120b", "72", 7, "98.85%"),
                ("llama2-70b-99.9", "8", 30, "98.39%"), ("llama2-70b-99.9", "72", 2, "92.51%"),
                ("llama3.1-8b", "8", 12, "96.85%"),
            ],
            told,
        )  # fmt: skip

    def test_labels(self):
        found = json.loads((ROOT / "results.json").read_bytes())["labels"]
        self.assertEqual({label: sum(one["by_family"].values()) for label, one in found.items()},
                         {label: one["n"] for label, one in self.found["by_model"].items()})  # fmt: skip
        for label, told in found.items():
            rows = [offline for offline, _ in self.pairs if offline["Model"] == label]
            self.assertEqual({row["MlperfModel"] for row in rows}, {told["model"]})
            families = [
                "none" if row["total_accelerators"] == "0" else FAMILY_OF[row["accelerator_model_name"]] for row in rows
            ]
            self.assertEqual({name: families.count(name) for name in families}, told["by_family"])
        # counted by hand in the table of every pair: this label is on processors, and on one card
        self.assertEqual({"model": "llama3.1-8b", "by_family": {"Intel(R) Arc(TM) Pro B70": 3, "none": 9}},
                         found["llama3_1-8b"])  # fmt: skip

    def test_by_family(self):
        def family(row: dict) -> str | None:
            return None if row["total_accelerators"] == "0" else FAMILY_OF[row["accelerator_model_name"]]

        self.assert_groups(self.found["by_family"], family)

    def test_overall(self):
        names = {True: "pairs with accelerators", False: "CPU-only pairs"}
        apart = {name: spread for name, spread in self.found["overall"].items() if name != "all pairs"}
        self.assert_groups(apart, lambda row: names[row["total_accelerators"] != "0"])
        self.assert_groups({"all pairs": self.found["overall"]["all pairs"]}, lambda row: "all pairs")
        self.assertEqual(list(self.found["overall"])[0], "all pairs")

    def test_published_counts(self):
        # 152 pairs, 11 of them above 1, as the round is described; nine systems name no accelerator
        whole = self.found["overall"]
        self.assertEqual((152, 11), (whole["all pairs"]["n"], whole["all pairs"]["above_1"]))
        self.assertEqual((9, 0), (whole["CPU-only pairs"]["n"], whole["CPU-only pairs"]["above_1"]))


def server_log(row_id: str, ttft_p99: int = 1_000_000_000, tpot_p99: int = 60_000_000, **facts: object) -> dict:
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


def of_model(offline_id: str, model: str = "m") -> dict:
    return {"offline_id": offline_id, "server_id": str(int(offline_id) + 1), "model": model}


class HeadroomOfAPair(unittest.TestCase):
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
            ratios.pair_headroom(of_model("4"), server_log("5")),
        )

    def test_which_is_nearer_its_limit(self):
        for ttft, tpot, nearer, larger in (
            (1_600_000_000, 60_000_000, "ttft", 0.8),
            (1_500_000_000, 60_000_000, "equal", 0.75),
            (1_499_999_999, 60_000_000, "tpot", 0.75),
        ):
            with self.subTest(nearer=nearer):
                found = ratios.pair_headroom(of_model("4"), server_log("5", ttft, tpot))
                self.assertEqual((nearer, larger), (found["nearer"], found["larger_fraction"]))


class HeadroomOfAllPairs(BundleCase):
    def test_only_pairs_whose_server_log_passed(self):
        logs = [
            server_log("0"),
            server_log("1"),
            {"row": "3", "path": "p", "status": "not available"},
            server_log("2"),
            server_log("5"),
        ]
        found = ratios.headroom([of_model("0"), of_model("2"), of_model("4")], logs)
        self.assertEqual(["0", "4"], [fact["offline_id"] for fact in found["pairs"]])

    def test_medians_by_model_in_alphabetical_order(self):
        pairs = [of_model("0", "z"), of_model("2", "b"), of_model("4", "b"), of_model("6", "b")]
        logs = [
            server_log("1"),
            server_log("3", 400_000_000, 8_000_000),  # 0.2 and 0.1
            server_log("5", 800_000_000, 40_000_000, samples_per_s=4.0),  # 0.4 and 0.5; half completed
            server_log("7", 1_800_000_000, 72_000_000, samples_per_s=2.0),  # 0.9 and 0.9; a quarter completed
        ]
        by_model = ratios.headroom(pairs, logs)["by_model"]
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
        logs = [server_log("1", ttft_limit_ns=0), server_log("3", tpot_limit_ns=0, scheduled_samples_per_s=0.0)]
        where = "sources/results/closed/x"
        self.assert_refused(
            [
                f"{where}/1/mlperf_log_summary.txt: ttft_limit_ns: found 0; expected a number above zero",
                f"{where}/3/mlperf_log_summary.txt: tpot_limit_ns: found 0; expected a number above zero",
                f"{where}/3/mlperf_log_summary.txt: scheduled_samples_per_s: found 0.0; expected a number above zero",
            ],
            ratios.headroom,
            [of_model("0"), of_model("2")],
            logs,
        )


class HeadroomOfTheRound(unittest.TestCase):
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
