"""Reading results.json back: every part that is not as analyze.py writes it is named."""

from __future__ import annotations

import json
import unittest

from scenario_ratio import shape
from scenario_ratio.bundle import Bundle
from scenario_ratio.study import results as results_file
from tests.support import ROOT, BundleCase, temporary_folder

HINT = "Run analyze.py to write it again."
KEYS = (
    "round", "sources", "counts", "exclusions", "matched_fields", "highlighted", "pairs", "unmatched", "accuracy", "logs",
    "distribution", "headroom", "anomalies", "claims",
    "rounds",
)  # fmt: skip


class Load(BundleCase):
    def setUp(self):
        self.folder = temporary_folder(self)
        self.results = json.loads((ROOT / "results.json").read_bytes())

    def refused(self, *lines: str) -> None:
        (self.folder / "results.json").write_text(json.dumps(self.results), encoding="utf-8")
        self.assert_refused([f"results.json: {line}. {HINT}" for line in lines], results_file.load, Bundle(self.folder))

    def test_what_analyze_writes(self):
        self.assertEqual(self.results, results_file.load(Bundle(ROOT)))

    def test_a_value_of_another_kind(self):
        self.results["pairs"][3]["ratio"] = "0.9"
        self.results["headroom"]["pairs"][2]["ttft_p99_ns"] = None
        self.refused(
            "pairs[3].ratio: found '0.9'; expected int or float",
            "headroom.pairs[2].ttft_p99_ns: found None; expected int",
        )

    def test_truth_is_no_number(self):
        self.results["counts"]["source_rows"] = True
        self.refused("counts.source_rows: found True; expected int")

    def test_a_key_missing_unknown_or_out_of_order(self):
        del self.results["highlighted"]["apart"]["offline_ids"]
        self.refused("highlighted.apart, keys: found ''; expected offline_ids")
        self.results["highlighted"]["apart"] = {"offline_ids": [], "more": 1}
        self.refused("highlighted.apart, keys: found 'offline_ids, more'; expected offline_ids")
        self.results["highlighted"] = {
            key: self.results["highlighted"][key] for key in ("apart", "same_system", "same_parts")
        }
        self.refused(
            "highlighted, keys: found 'apart, same_system, same_parts'; expected same_system, apart, same_parts"
        )

    def test_not_an_object(self):
        self.results = []
        self.refused("found []; expected an object")
        self.results = None
        self.refused("found None; expected an object")

    def test_pairs_that_are_named_and_not_there(self):
        # 103 is a pair of the claims, with a Server log
        self.results["pairs"] = [pair for pair in self.results["pairs"] if pair["offline_id"] != "103"]
        claims = [number for number, claim in enumerate(self.results["claims"]) if "103" in claim["offline_ids"]]
        self.refused(
            "headroom.pairs, offline_id: found '103'; expected the Offline id of a pair",
            *(f"claims[{number}], offline_id: found '103'; expected the Offline id of a pair" for number in claims),
        )

    def test_a_highlighted_pair_that_is_not_there(self):
        self.results["highlighted"]["apart"]["offline_ids"] = ["0"]
        self.refused("highlighted.apart, offline_id: found '0'; expected the Offline id of a pair")

    def test_a_model_without_pairs_and_one_left_out(self):
        for part in ("distribution", "headroom"):
            by_model = self.results[part]["by_model"]
            by_model["other"] = by_model.pop("llama3.1-8b")
        found = "'deepseek-r1, gpt-oss-120b, llama2-70b-99.9, llama3_1-8b, other'"
        expected = "deepseek-r1, gpt-oss-120b, llama2-70b-99.9, llama3.1-8b, llama3_1-8b"
        self.refused(
            f"distribution.by_model, keys: found {found}; expected {expected}",
            f"headroom.by_model, keys: found {found}; expected {expected}",
        )

    def test_a_latency_that_does_not_exist(self):
        self.results["headroom"]["pairs"][1]["nearer"] = "e2e"
        self.refused("headroom.pairs[1].nearer: found 'e2e'; expected one of ttft, tpot, equal")

    def accepted(self) -> dict:
        (self.folder / "results.json").write_text(json.dumps(self.results), encoding="utf-8")
        return results_file.load(Bundle(self.folder))

    def test_two_latencies_equally_near(self):
        self.results["headroom"]["pairs"][1]["nearer"] = "equal"
        self.assertEqual("equal", self.accepted()["headroom"]["pairs"][1]["nearer"])

    def test_rates_below_one_have_a_ratio_and_none_has_not(self):
        self.results["pairs"][0].update(offline_tokens_per_s=0.5, server_tokens_per_s=0.25, ratio=0.5)
        self.assertEqual(0.5, self.accepted()["pairs"][0]["ratio"])
        self.results["pairs"][0].update(server_tokens_per_s=0.0, ratio=0.0)
        self.refused("pairs[0], ratio: found 0.0; expected the Server rate over the Offline rate")

    def test_nothing_highlighted(self):
        self.results["highlighted"]["same_system"]["offline_ids"] = []
        self.results["highlighted"]["apart"]["offline_ids"] = []
        self.refused(
            "highlighted.same_system, offline_ids: found 0; expected 2 or more",
            "highlighted.apart, offline_ids: found 0; expected 1 or more",
        )

    def test_a_highlighted_pair_of_which_nothing_is_told(self):
        results = self.results
        results["accuracy"] = [checked for checked in results["accuracy"] if checked["row"] not in ("285", "290")]
        (log,) = [log for log in results["logs"] if log["row"] == "286"]
        for key in list(log)[3:]:
            del log[key]  # row, path and status: the form of a log that is not at hand
        del results["highlighted"]["same_parts"]["gpt-oss-120b"], results["highlighted"]["same_parts"]["deepseek-r1"]
        expected = "found no such entry; expected what is told of a pair"
        self.refused(
            f"accuracy, '285': {expected}",
            f"accuracy, '290': {expected}",
            f"logs, '286': {expected}",
            f"highlighted.same_parts, 'deepseek-r1': {expected}",
            f"highlighted.same_parts, 'gpt-oss-120b': {expected}",
        )

    def test_too_few_highlighted_pairs(self):
        del self.results["highlighted"]["same_system"]["offline_ids"][0]
        self.assertEqual(["287", "289"], self.accepted()["highlighted"]["same_system"]["offline_ids"])
        del self.results["highlighted"]["same_system"]["offline_ids"][0]
        self.refused("highlighted.same_system, offline_ids: found 1; expected 2 or more")

    def test_what_is_named_twice(self):
        results = self.results
        results["pairs"].append(results["pairs"][0])
        results["highlighted"]["apart"]["offline_ids"] = ["300", "285"]
        results["headroom"]["pairs"].append(results["headroom"]["pairs"][1])
        results["rounds"].append(results["rounds"][0])
        row_id = results["headroom"]["pairs"][1]["offline_id"]
        self.refused(
            f"pairs: found {results['pairs'][0]['offline_id']!r} twice; expected each once",
            "highlighted: found '285' twice; expected each once",
            f"headroom.pairs: found {row_id!r} twice; expected each once",
            f"rounds: found {results['rounds'][0]['round']!r} twice; expected each once",
        )

    def test_the_round_is_one_of_the_rounds(self):
        self.results["round"] = "v9.9"
        self.refused("rounds, round: found no such round; expected v9.9")

    def test_groups_that_the_pairs_do_not_make(self):
        overall = self.results["distribution"]["overall"]
        overall["other"] = overall.pop("CPU-only pairs")
        names = "all pairs, pairs with accelerators, {}"
        self.refused(
            f"distribution.overall, keys: found '{names.format('other')}'; expected {names.format('CPU-only pairs')}"
        )
        del overall["other"]
        self.refused(
            "distribution.overall, keys: found 'all pairs, pairs with accelerators'; "
            f"expected {names.format('CPU-only pairs')}"
        )

    def test_an_end_of_a_group_that_is_no_pair(self):
        self.results["distribution"]["by_accelerators"]["72"]["maximum_ids"] = ["0"]
        self.refused("distribution.by_accelerators.72, offline_id: found '0'; expected the Offline id of a pair")

    def test_a_pair_without_logs(self):
        (pair,) = [pair for pair in self.results["pairs"] if pair["offline_id"] == "97"]
        self.results["logs"] = [log for log in self.results["logs"] if log["row"] not in ("97", "98")]
        self.assertEqual("98", pair["server_id"])
        expected = "found no such entry; expected what is told of a pair"
        self.refused(f"logs, '97': {expected}", f"logs, '98': {expected}")

    def test_a_missing_part(self):
        del self.results["counts"]
        left = ", ".join(key for key in KEYS if key != "counts")
        self.assertLess(len(left), 200)
        self.refused(f"keys: found '{left}'; expected {', '.join(KEYS)}")

    def test_null_where_it_may_be(self):
        self.results["pairs"][3]["accelerator"] = None
        (self.folder / "results.json").write_text(json.dumps(self.results), encoding="utf-8")
        self.assertIsNone(results_file.load(Bundle(self.folder))["pairs"][3]["accelerator"])
        self.results["pairs"][3]["accelerator"] = 7
        self.refused("pairs[3].accelerator: found 7; expected str or null")

    def test_numbers_that_no_double_is_near(self):
        for value, found in ((10**400, "1" + "0" * 78 + "..."), (-1e300, "-1e+300")):
            self.results["unmatched"][0]["tokens_per_s"] = value
            self.refused(f"unmatched[0].tokens_per_s: found {found}; expected a number below 1e+30")

    def test_a_ratio_that_is_not_of_its_rates(self):
        for value in (0.5, 0, -1.0, 1e9):
            self.results["pairs"][0]["ratio"] = value
            self.refused(f"pairs[0], ratio: found {value}; expected the Server rate over the Offline rate")

    def test_rates_without_a_ratio(self):
        pair = self.results["pairs"][0]
        for value in (0, 0.0, -5.0):
            pair["offline_tokens_per_s"] = value
            self.refused(f"pairs[0], ratio: found {pair['ratio']}; expected the Server rate over the Offline rate")

    def test_a_ratio_too_large_to_draw(self):
        self.results["pairs"][0].update(offline_tokens_per_s=1.0, server_tokens_per_s=100.0, ratio=100.0)
        self.refused("pairs[0], ratio: found 100.0; expected the Server rate over the Offline rate")

    def test_at_most_twenty_lines(self):
        self.results["matched_fields"] = [0] * 50
        self.refused(*(f"matched_fields[{number}]: found 0; expected str" for number in range(20)))

    def test_a_hostile_text_is_cut_and_escaped(self):
        self.results["counts"]["source_rows"] = "x" * 5000
        self.refused(f"counts.source_rows: found '{'x' * 78}...; expected int")
        self.results["counts"]["source_rows"] = "\x1b[2J\u202e\n"
        self.refused(r"counts.source_rows: found '\x1b[2J\u202e\n'; expected int")


class Files(BundleCase):
    """What is no JSON, or no file."""

    def test_none(self):
        line = "results.json: found no such file; expected a regular file. Run analyze.py to write it again."
        self.assertEqual(2, self.assert_refused([line], results_file.load, Bundle(temporary_folder(self))).exit_code)

    def test_no_json(self):
        folder = temporary_folder(self)
        for raw, line in (
            (b"", "line 1: found Expecting value at column 1"),
            (b'{"round": NaN}', "found the constant NaN"),
            (b'{"round": 1, "round": 2}', "found the key 'round' twice in one object"),
        ):
            (folder / "results.json").write_bytes(raw)
            self.assert_refused(
                [f"results.json: {line}; expected strict JSON. {HINT}"], results_file.load, Bundle(folder)
            )


class Form(BundleCase):
    """Every place of the form: another kind of value there is one problem that names the place."""

    def places(self, value: object, shape: object, place: tuple = ()):
        """Yield the path of each leaf of the form that the results hold."""
        if isinstance(shape, list):
            if value:
                yield from self.places(value[0], shape[0], (*place, 0))
        elif isinstance(shape, dict) and "*" in shape:
            key = next(iter(value))
            yield from self.places(value[key], shape["*"], (*place, key))
        elif isinstance(shape, dict):
            for key in shape:
                yield from self.places(value[key], shape[key], (*place, key))
        else:
            yield place

    def test_each_leaf(self):
        results = json.loads((ROOT / "results.json").read_bytes())
        self.assertEqual(list(KEYS), list(results))
        paths = list(self.places(results, results_file.SHAPE))
        self.assertLessEqual(set(KEYS), {path[0] for path in paths})
        for path in paths:
            holder = results
            for key in path[:-1]:
                holder = holder[key]
            kept, holder[path[-1]] = holder[path[-1]], ["no such value"]
            spelled = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path).lstrip(".")
            problems = shape.problems(results, results_file.SHAPE, "results.json")
            self.assertEqual([(spelled, "['no such value']")], [(problem.place, problem.found) for problem in problems])
            holder[path[-1]] = kept
        self.assert_problems([], shape.problems(results, results_file.SHAPE, "results.json"))


class Lookup(BundleCase):
    def test_pairs_by_id_and_the_highlighted(self):
        results = json.loads((ROOT / "results.json").read_bytes())
        self.assertEqual(results["pairs"], list(results_file.by_id(results).values()))
        self.assertEqual("286", results_file.by_id(results)["285"]["server_id"])
        for group, ids in (("same_system", ["285", "287", "289"]), ("apart", ["300"])):
            self.assertEqual(ids, [pair["offline_id"] for pair in results_file.highlighted(results, group)])


if __name__ == "__main__":
    unittest.main()
