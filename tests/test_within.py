"""What is compared inside one system, by hand on made-up pairs, and for the round against pandas' reading of the CSV."""

from __future__ import annotations

import itertools
import json
import unittest

from scenario_ratio.study import within
from scenario_ratio.study.pairing import METADATA_FIELDS, Pair
from scenario_ratio.upstream.summary import Row
from tests.support import ROOT, BundleCase

try:
    import pandas
except ImportError:  # where only the standard library is at hand
    pandas = None

MODELS = {"a-1": "a-1", "a_1": "a-1", "b": "b", "c": "c"}  # label -> model


def made(row_id: int, model: str, ratio: float, **texts: str) -> Pair:
    """Return a pair of a system that is the same for all but for ``texts``."""
    text = {**dict.fromkeys(METADATA_FIELDS, "x"), "Model": model, "MlperfModel": MODELS[model], **texts}
    sides = ((str(row_id), "1000.0"), (str(row_id + 1), str(1000 * ratio)))
    return Pair(*(Row(number, {**text, "Result": result}, {}) for number, result in sides))


def told(
    row_id: str, ratio: float, model: str = "m", accelerator: str | None = "A", accelerators: int = 8, nodes: int = 1
):
    names = ("offline_id", "ratio", "model", "accelerator", "accelerators", "nodes", "submitter", "platform")
    return dict(zip(names, (row_id, ratio, model, accelerator, accelerators, nodes, "S", f"P{row_id}")))


class Systems(unittest.TestCase):
    def test_a_difference_in_any_field_but_the_models_parts_two_systems(self):
        for field in METADATA_FIELDS:
            pairs = [made(0, "b", 0.5), made(2, "b", 0.5, **{field: "other"})]
            with self.subTest(field):
                self.assertEqual(1 if field in ("Model", "MlperfModel") else 2, len(within.systems(pairs)))

    def test_precision_may_differ_where_it_is_free(self):
        pairs = [made(0, "b", 0.5), made(2, "c", 0.5, weight_data_types="fp4"), made(4, "b", 0.5, notes="n")]
        wider = within.systems(pairs, within.MATCHINGS["any_precision"])
        self.assertEqual([["0", "2"], ["4"]], [[pair.offline.id for pair in system] for system in wider])
        self.assertEqual(3, len(within.systems(pairs)))


class Compared(unittest.TestCase):
    def test_two_models_on_several_systems(self):
        pairs = [
            made(0, "b", 0.5), made(2, "a-1", 0.75),  # a-1 above b
            made(4, "a_1", 0.25, notes="second"), made(6, "b", 0.5, notes="second"),  # another label of a-1, below b
            made(8, "a-1", 0.5, notes="third"), made(10, "b", 0.5, notes="third"),  # equal
            made(12, "a-1", 0.5, notes="fourth"), made(14, "b", 0.75, notes="fourth", weight_data_types="fp4"),  # wider
            made(16, "a-1", 0.5, notes="fifth"), made(18, "a_1", 0.8, notes="fifth"), made(20, "b", 0.7, notes="fifth"),
            made(22, "c", 0.1, notes="alone"),
        ]  # fmt: skip
        found = within.compared(pairs, MODELS)
        strict = {
            "systems": 4,
            "first_below": 1,
            "second_below": 1,
            "offline_ids": [["2", "0"], ["4", "6"], ["8", "10"], ["16", "18", "20"]],
        }
        wider = {
            "systems": 5,
            "first_below": 2,
            "second_below": 1,
            "offline_ids": [["2", "0"], ["4", "6"], ["8", "10"], ["12", "14"], ["16", "18", "20"]],
        }
        self.assertEqual(
            [{"first": "a-1", "second": "b", "same_metadata": strict, "any_precision": wider}], found["compared"]
        )
        self.assertEqual(
            {
                "rule": "Pairs are of one system if the 25 matched fields other than Model and MlperfModel are equal, "
                "character for character.",
                "equal_fields": 25,
                "differing_fields": ["Model", "MlperfModel"],
            },
            found["matching"]["same_metadata"],
        )
        self.assertEqual(24, found["matching"]["any_precision"]["equal_fields"])

    def test_several_pairs_of_both_models_on_one_system(self):
        pairs = [made(0, "a-1", 0.1), made(2, "a_1", 0.3), made(4, "b", 0.4), made(6, "c", 0.2)]
        found = {
            (one["first"], one["second"]): one["same_metadata"] for one in within.compared(pairs, MODELS)["compared"]
        }
        counts = {names: (one["systems"], one["first_below"], one["second_below"]) for names, one in found.items()}
        # c lies between the two pairs of a-1, so neither is below the other
        self.assertEqual({("a-1", "b"): (1, 1, 0), ("a-1", "c"): (1, 0, 0), ("b", "c"): (1, 0, 1)}, counts)

    def test_without_pairs(self):
        self.assertEqual([], within.compared([], {})["compared"])


class SameParts(unittest.TestCase):
    def test_pairs_of_other_systems_with_the_same_models_and_accelerators(self):
        pairs = [
            told("0", 0.5, "m", "NVIDIA A"), told("2", 0.75, "n", "NVIDIA A"),  # the chosen
            told("4", 0.25, "m", "Nvidia A"), told("6", 0.5, "n", "NVIDIA A"),  # both models
            told("8", 1.0, "m", "NVIDIA A"),  # one
            told("10", 0.1, "m", "NVIDIA A", 16), told("12", 0.1, "m", "NVIDIA A", 8, 2), told("14", 0.1, "m", "B"),
            told("16", 0.1, "o", "NVIDIA A"),
        ]  # fmt: skip
        systems = [["0", "2"], ["4", "6", "16"], ["8"], ["10", "12", "14"]]
        rows = [[Pair(Row(row_id, {}, {}), Row("", {}, {})) for row_id in ids] for ids in systems]
        found = within.same_parts(pairs, rows, ("0", "2"))
        ends = {model: (one["n"], one["minimum"], one["maximum"]) for model, one in found["by_model"].items()}
        self.assertEqual({"m": (2, 0.25, 1.0), "n": (1, 0.5, 0.5)}, ends)
        told_of = {"submitter": "S", "platform": "P4", "offline_ids": ["4", "6"], "spread_percentage_points": 25.0}
        self.assertEqual([told_of], found["systems"])

    def test_no_other_pair(self):
        pairs = [told("0", 0.5), told("2", 0.75, "n")]
        self.assertEqual({"by_model": {}, "systems": []}, within.same_parts(pairs, [], ("0", "2")))


class Variance(unittest.TestCase):
    def test_a_share_by_hand(self):
        # mean 4; squares 9 + 1 + 1 + 9 = 20; the means 2 and 6 of the groups are 2 away, 4 times: 16
        self.assertEqual(0.8, within.eta_squared([("a", 1.0), ("a", 3.0), ("b", 5.0), ("b", 7.0)]))
        # mean 2; squares 4 + 0 + 0 + 4 = 8; of b alone (0 - 2)^2, of the three of a, whose mean is 8/3, 3 (8/3 - 2)^2
        share = within.eta_squared([("b", 0.0), ("a", 2.0), ("a", 2.0), ("a", 4.0)])
        self.assertAlmostEqual((4 + 3 * (8 / 3 - 2) ** 2) / 8, share, delta=1e-15)

    def test_its_ends(self):
        self.assertEqual(0.0, within.eta_squared([("a", 1.0), ("a", 3.0), ("b", 1.0), ("b", 3.0)]))
        self.assertEqual(1.0, within.eta_squared([("a", 1.0), ("a", 1.0), ("b", 3.0)]))
        self.assertIsNone(within.eta_squared([("a", 1.0), ("b", 1.0)]))

    def test_the_three_sets(self):
        pairs = [
            told("0", 0.25, "a-1", "NVIDIA A"), told("2", 0.75, "b", "Nvidia A"), told("4", 0.5, "b", "NVIDIA A", 8, 2),
            told("6", 0.5, "a_1", None, 0),
        ]  # fmt: skip
        found = within.variance(pairs, MODELS, ("0",))
        self.assertEqual(
            {"same accelerators": 2, "pairs with accelerators": 3, "all pairs": 4},
            {name: one["n"] for name, one in found.items()},
        )
        self.assertEqual(
            # around the mean 0.5: a-1 0.375 twice and b 0.625 twice, of 0.125; by label 0.25, 0.625 twice, 0.5
            {"n": 4, "models": 2, "share_between_models": 0.5, "labels": 3, "share_between_labels": 0.75},
            found["all pairs"],
        )
        self.assertNotIn("pairs with accelerators", within.variance(pairs[3:], MODELS, ()))


@unittest.skipIf(pandas is None, "pandas is not installed")
class OfTheRound(BundleCase):
    """results.json against pandas, which reads the CSV alone."""

    @classmethod
    def setUpClass(cls):
        cls.results = json.loads((ROOT / "results.json").read_bytes())
        rows = pandas.read_csv(ROOT / "data" / "summary.csv", dtype=str, keep_default_na=False)
        rows["id"] = rows.index.astype(str)
        kept = rows.query(
            "Division == 'closed' and Availability == 'available' and SystemType == 'datacenter' and inferred == '0' and "
            "errors == '0' and has_power == 'False' and design_power_watts == 'None' and Units == 'Tokens/s'"
        )
        cls.fields = [name for name in rows.columns if name not in ("Scenario", "Result", "Accuracy", "Location", "id")]
        sides = [kept[kept.Scenario == scenario] for scenario in ("Offline", "Server")]
        pairs = sides[0].merge(sides[1], on=cls.fields, suffixes=("", "_server"))
        pairs["ratio"] = pairs.Result_server.astype(float) / pairs.Result.astype(float)
        pairs["accelerator"] = pairs.accelerator_model_name.str.upper()
        cls.pairs = pairs

    def alike(self):
        """Return the pairs on eight B300 in one node, in any spelling."""
        pairs = self.pairs
        return pairs[
            (pairs.accelerator == "NVIDIA B300-SXM-270GB")
            & (pairs.total_accelerators == "8")
            & (pairs.number_of_nodes == "1")
        ]

    def counted(self, free: list[str], first: str, second: str) -> tuple[int, int, int, set]:
        found = []
        for _, system in self.pairs.groupby([name for name in self.fields if name not in free]):
            sides = [system[system.MlperfModel == model] for model in (first, second)]
            if all(map(len, sides)):
                found.append((sides[0].ratio, sides[1].ratio, frozenset(pandas.concat(sides).id)))
        below = sum(one.max() < other.min() for one, other, _ in found)
        return len(found), below, sum(one.min() > other.max() for one, other, _ in found), {ids for *_, ids in found}

    def test_within_systems(self):
        free = {"same_metadata": ["Model", "MlperfModel"]}
        free["any_precision"] = [*free["same_metadata"], "weight_data_types"]
        listed = {(entry["first"], entry["second"]): entry for entry in self.results["within_systems"]["compared"]}
        for first, second in itertools.combinations(sorted(set(self.pairs.MlperfModel)), 2):
            for name, fields in free.items():
                with self.subTest(name, first=first, second=second):
                    told = listed[first, second][name]
                    ids = set(map(frozenset, told["offline_ids"]))
                    self.assertEqual(
                        self.counted(fields, first, second),
                        (told["systems"], told["first_below"], told["second_below"], ids),
                    )

    def test_the_counts_that_the_article_leans_on(self):
        counts = {
            (entry["first"], entry["second"]): [
                (entry[name]["first_below"], entry[name]["systems"]) for name in ("same_metadata", "any_precision")
            ]
            for entry in self.results["within_systems"]["compared"]
        }
        self.assertEqual([(20, 20)] * 2, counts["deepseek-r1", "gpt-oss-120b"])
        self.assertEqual([(15, 15)] * 2, counts["deepseek-r1", "llama2-70b-99.9"])
        # 33 only where weights may be of any type: on three systems the two models differ in that
        self.assertEqual([(22, 30), (25, 33)], counts["gpt-oss-120b", "llama2-70b-99.9"])

    def test_same_parts(self):
        own = ("285", "287", "289")
        others = self.alike()[~self.alike().id.isin(own)]
        found = self.results["highlighted"]["same_parts"]
        self.assertEqual(["deepseek-r1", "gpt-oss-120b", "llama2-70b-99.9"], list(found["by_model"]))
        for model, told_of in found["by_model"].items():
            ratios = others[others.Model == model].ratio
            self.assertEqual((len(ratios), ratios.min(), ratios.max()),
                             (told_of["n"], told_of["minimum"], told_of["maximum"]))  # fmt: skip
        # 12 pairs and the system's own are the 13 that begin at 92.48%
        llama = found["by_model"]["llama2-70b-99.9"]
        self.assertEqual((12, "92.48%"), (llama["n"], f"{llama['minimum']:.2%}"))

    def test_other_systems(self):
        others, expected = self.alike()[~self.alike().id.isin(("285", "287", "289"))], {}
        fields = [name for name in self.fields if name not in ("Model", "MlperfModel")]
        models = set(self.results["highlighted"]["same_parts"]["by_model"])
        for _, system in others[others.Model.isin(models)].groupby(fields):
            if set(system.Model) == models:
                expected[frozenset(system.id)] = (
                    system.Platform.iloc[0],
                    100 * (system.ratio.max() - system.ratio.min()),
                )
        found = {
            frozenset(one["offline_ids"]): (one["platform"], one["spread_percentage_points"])
            for one in self.results["highlighted"]["same_parts"]["systems"]
        }
        self.assertEqual(expected, found)
        self.assertEqual(9, len(found))

    def test_variance(self):
        sets = {
            "same accelerators": self.alike(),
            "pairs with accelerators": self.pairs[self.pairs.total_accelerators != "0"],
            "all pairs": self.pairs,
        }
        self.assertEqual(list(sets), list(self.results["variance_between_models"]))
        for name, pairs in sets.items():
            told_of = self.results["variance_between_models"][name]
            self.assertEqual(len(pairs), told_of["n"])
            for key, column in (("models", "MlperfModel"), ("labels", "Model")):
                means = pairs.groupby(column).ratio.transform("mean")
                self.assertAlmostEqual(
                    means.var(ddof=0) / pairs.ratio.var(ddof=0), told_of[f"share_between_{key}"], places=12
                )
                self.assertEqual(pairs[column].nunique(), told_of[key])
        shares = {
            name: (one["n"], round(one["share_between_labels"], 2), round(one["share_between_models"], 2))
            for name, one in self.results["variance_between_models"].items()
        }
        # by label 0.23 and 0.56; with the two labels of one model as one, less
        self.assertEqual((143, 0.23, 0.21), shares["pairs with accelerators"])
        self.assertEqual((152, 0.56, 0.17), shares["all pairs"])
        self.assertEqual((42, 0.48, 0.48), shares["same accelerators"])


if __name__ == "__main__":
    unittest.main()
