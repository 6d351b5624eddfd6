"""Reading results.json back: every part that is not as analyze.py writes it is named."""

from __future__ import annotations

import contextlib
import itertools
import json
import unittest

from scenario_ratio import shape
from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import Bundle
from scenario_ratio.problems import BundleError
from scenario_ratio.show import relations, tables, terminal
from scenario_ratio.study import anomalies
from scenario_ratio.study import results as results_file
from tests.support import ROOT, BundleCase, copied_bundle, temporary_folder

HINT = "Run analyze.py to write it again."
KEYS = (
    "round", "sources", "counts", "exclusions", "matched_fields", "highlighted", "pairs", "unmatched", "accuracy", "logs",
    "labels", "within_systems", "variance_between_models", "distribution", "headroom", "anomalies", "claims",
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
            key: self.results["highlighted"][key] for key in ("apart", "same_system", "scales", "same_parts")
        }
        self.refused(
            "highlighted, keys: found 'apart, same_system, scales, same_parts'; expected same_system, apart, scales, same_parts"
        )

    def test_not_an_object(self):
        self.results = []
        self.refused("found []; expected an object")
        self.results = None
        self.refused("found None; expected an object")

    def test_pairs_that_are_named_and_not_there(self):
        self.results["pairs"] = [pair for pair in self.results["pairs"] if pair["offline_id"] != "103"]
        self.refused(
            "headroom.pairs: found '103'; expected the Offline id of a pair",
            # the system of 103 ran one other model, and is listed by both matchings
            *["within_systems.compared: found '103'; expected the Offline id of a pair"] * 2,
        )

    def test_a_pair_of_another_system_that_is_not_there(self):
        self.results["highlighted"]["same_parts"]["systems"][0]["offline_ids"][0] = "0"
        self.refused("highlighted.same_parts.systems: found '0'; expected the Offline id of a pair")

    def test_labels_that_are_not_those_of_the_pairs(self):
        self.results["labels"]["other"] = self.results["labels"].pop("llama3_1-8b")
        self.refused(
            "pairs: found 'llama3_1-8b'; expected a model of labels",
            "labels: found 'other'; expected the model of a pair",
        )

    def test_a_highlighted_pair_that_is_not_there(self):
        self.results["highlighted"]["apart"]["offline_ids"] = ["0"]
        self.refused("highlighted.apart.offline_ids: found '0'; expected the Offline id of a pair")

    def test_a_highlighted_pair_of_which_nothing_is_told(self):
        results = self.results
        results["accuracy"] = [checked for checked in results["accuracy"] if checked["row"] not in ("285", "290")]
        (log,) = [log for log in results["logs"] if log["row"] == "286"]
        for key in list(log)[3:]:
            del log[key]  # row, path and status: the form of a log that is not at hand
        number = results["logs"].index(log)
        self.refused(f"logs[{number}].status: found 'passed'; expected one of not available")
        log["status"] = "not available"
        self.refused(
            "highlighted: found '285'; expected a row of accuracy",
            "highlighted: found '290'; expected a row of accuracy",
            "highlighted: found '286'; expected the row of a Server log that passed",
        )

    def test_a_model_without_pairs(self):
        by_model = self.results["distribution"]["by_model"]
        by_model["other"] = by_model.pop("llama3.1-8b")
        self.refused("distribution.by_model: found 'other'; expected the model of a pair")

    def test_a_limit_that_nothing_is_a_fraction_of(self):
        self.results["headroom"]["pairs"][0].update(ttft_limit_ns=0, tpot_limit_ns=-1)
        self.refused(
            "headroom.pairs[0].ttft_limit_ns: found 0; expected an integer of at least 1",
            "headroom.pairs[0].tpot_limit_ns: found -1; expected an integer of at least 1",
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

    def test_nothing_highlighted(self):
        self.results["highlighted"]["same_system"]["offline_ids"] = []
        self.results["highlighted"]["apart"]["offline_ids"] = []
        self.refused(
            "highlighted.same_system.offline_ids: found 0; expected 2 or more",
            "highlighted.apart.offline_ids: found 0; expected 1 or more",
        )

    def test_too_few_highlighted_pairs(self):
        del self.results["highlighted"]["same_system"]["offline_ids"][0]
        self.assertEqual(["287", "289"], self.accepted()["highlighted"]["same_system"]["offline_ids"])
        del self.results["highlighted"]["same_system"]["offline_ids"][0]
        self.refused("highlighted.same_system.offline_ids: found 1; expected 2 or more")

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


class Makers(BundleCase):
    """Results that are read back can be drawn and told, whatever their numbers; validate.py finds the wrong ones."""

    def setUp(self):
        self.folder = copied_bundle(self, "README.md", "results.json")

    def made(self, change) -> None:
        """Make every figure, page and table of changed results; a problem is an answer, a traceback is not."""
        results = json.loads((ROOT / "results.json").read_bytes())
        change(results)
        (self.folder / "results.json").write_text(json.dumps(results), encoding="utf-8")
        bundle = Bundle(self.folder, artifacts=ARTIFACTS)
        self.assertEqual(results, bundle.once(results_file.load))
        for row in ARTIFACTS:
            if row.kind in ("figure", "page", "readme"):
                with contextlib.suppress(BundleError):
                    self.assertTrue(bundle.made(row))
        self.assertTrue(terminal.run_told(results))
        self.assertTrue(terminal.pairs_told(results, terminal.find(results, ["285"])))

    def test_ratios_and_rates_of_any_size(self):
        for number in (0, -1.0, 1e29):
            for key in ("ratio", "offline_tokens_per_s", "server_tokens_per_s"):
                with self.subTest(key, number=number):
                    self.made(lambda results, key=key, number=number: results["pairs"][0].update({key: number}))

    def test_groups_and_logs_that_are_not_there(self):
        for change in (
            lambda results: results["distribution"]["overall"].clear(),
            lambda results: results["distribution"]["by_model"].clear(),
            lambda results: results["headroom"].update(pairs=[], by_model={}),
            lambda results: results["highlighted"]["same_parts"].update(by_model={}, systems=[]),
            lambda results: results["highlighted"]["scales"].clear(),
            lambda results: results["within_systems"].update(compared=[]),
            lambda results: results["variance_between_models"].clear(),
            lambda results: results["distribution"]["by_model_and_accelerators"].clear(),
            lambda results: results.update(logs=[log for log in results["logs"] if 285 <= int(log["row"]) <= 301]),
            lambda results: results.update(rounds=[], claims=[], anomalies=[], unmatched=[]),
        ):
            self.made(change)

    def test_null_facts_of_a_mean(self):
        results = json.loads((ROOT / "results.json").read_bytes())
        number = next(number for number, entry in enumerate(results["anomalies"]) if entry["wraps"])
        entry, given = results["anomalies"][number], set()
        full = {key: entry[key] for key in anomalies.MEAN_FACTS}
        for nulls in itertools.product((False, True), repeat=len(full)):
            entry.update({key: None if null else full[key] for (key, null) in zip(full, nulls)})
            problems = results_file.form_problems(results)
            if problems:
                self.assertEqual([f"anomalies[{number}]"], [problem.place for problem in problems])
            else:
                given.add(sum(nulls))
                self.assertIsInstance(tables.explained(entry), str)
                self.assertIsInstance(relations.RELATIONS["a_sum_wraps"](results), bool)
        self.assertEqual({0, 2, 3, 5}, given)

    def test_what_is_told_twice(self):
        def change(results):
            results["pairs"].append(results["pairs"][0])
            results["highlighted"]["apart"]["offline_ids"] = ["300", "285"]
            results["headroom"]["pairs"].append(results["headroom"]["pairs"][1])
            results["rounds"].append(results["rounds"][0])

        self.made(change)


if __name__ == "__main__":
    unittest.main()
