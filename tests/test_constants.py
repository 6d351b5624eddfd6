"""Checker constants read as a syntax tree: what is read, what is refused, with its line; two copies compared."""

from __future__ import annotations

import unittest

from scenario_ratio import pinned
from scenario_ratio.problems import BundleError
from scenario_ratio.upstream.constants import (
    NAMES,
    Constants,
    Limits,
    compare,
    log_limits,
    metric_values,
    official_model,
    parse,
    rounds,
)
from tests.support import FIXTURES, ROOT, BundleCase, given, needs_hypothesis, st

LIMITS = "LLM_LATENCY_LIMITS = {}\n"


def current() -> Constants:
    return parse((FIXTURES / "constants_current.py").read_bytes(), "c.py", "v9.0")


class Figures(BundleCase):
    def test_a_factor_before_or_after_the_reference(self):
        # 44 * 0.5 = 22 and 0.5 * 22 = 11
        expected = {"ROUGE1": 22.0, "ROUGE2": 11.0}
        self.assertEqual(expected, metric_values(current(), "targets", "llama2-70b-99.9", "Server"))

    def test_an_entry_by_scenario(self):
        for scenario, expected in (("Offline", {"WER": 24.0}), ("Server", {"WER": 72.0}), ("Interactive", None)):
            with self.subTest(scenario=scenario):  # 96 / 4 and 3/4 of 96; a scenario without an entry has no target
                self.assertEqual(expected, metric_values(current(), "targets", "asr", scenario))

    def test_arithmetic(self):
        # -1.5 / 3 + 2 = 1.5, by the precedence that arithmetic has
        self.assertEqual({"acc": 1.5}, metric_values(current(), "targets", "plain", "Offline"))

    def test_upper_limits_and_models_without_one(self):
        self.assertEqual({"ROUGE1": 55.0}, metric_values(current(), "upper_limits", "llama2-70b-99.9", "Server"))
        self.assertIsNone(metric_values(current(), "upper_limits", "plain", "Server"))

    def test_a_label_goes_through_the_model_mapping(self):
        self.assertEqual("asr", official_model(current(), "asr_v1"))
        self.assertEqual("plain", official_model(current(), "plain"))
        self.assertEqual({"WER": 24.0}, metric_values(current(), "targets", "asr_v1", "Offline"))

    def test_limits_of_a_log(self):
        seeds = {"qsl_rng_seed": 101, "sample_index_rng_seed": 102, "schedule_rng_seed": 18446744073709551615}
        self.assertEqual(Limits(2_000_000_000, 200_000_000, seeds, 600_000), log_limits(current(), "llama2-70b-99.9"))
        expected = Limits(450_000_000, 40_000_000, seeds, 600_000)
        self.assertEqual(expected, log_limits(current(), "llama2-70b-99.9", "Interactive"))
        self.assertEqual(Limits(None, None, seeds, 600_000), log_limits(current(), "plain"))

    def test_a_program_around_the_tables_is_neither_run_nor_looked_into(self):
        constants = parse((FIXTURES / "constants_older.py").read_bytes(), "c.py", "v8.0")
        self.assertEqual({"acc": 35.0}, metric_values(constants, "targets", "plain", "Server"))
        self.assertEqual(({}, {}, None, None), constants[3:7])
        self.assertEqual(Limits(3_000_000, None, None, None), log_limits(constants, "plain"))

    def test_the_rounds(self):
        raw = (FIXTURES / "constants_current.py").read_bytes()
        self.assertEqual(("v9.0",), rounds(raw, "c.py"))

    def test_the_figures_of_the_bundle_are_those_published(self):
        raw = (ROOT / pinned.CONSTANTS).read_bytes()
        constants = parse(raw, "c.py", pinned.ROUND)
        for label, expected in (
            ("deepseek-r1", {"exact_match": 80.544618, "TOKENS_PER_SAMPLE": 3497.6046600000004}),
            ("gpt-oss-120b", {"exact_match": 82.2987}),
            (
                "llama2-70b-99.9",
                {"ROUGE1": 44.3867688, "ROUGE2": 22.0131648, "ROUGEL": 28.5875838, "TOKENS_PER_SAMPLE": 265.005},
            ),
        ):
            with self.subTest(label=label):
                self.assertEqual(expected, metric_values(constants, "targets", label, "Server"))
        self.assertEqual("llama3.1-8b", official_model(constants, "llama3_1-8b"))


class Refused(BundleCase):
    def refused(self, lines, text, round_name="v9.0"):
        raw = text if isinstance(text, bytes) else text.encode()
        self.assert_refused([f"c.py: {line}" for line in lines], parse, raw, "c.py", round_name)

    def test_a_name_that_is_not_assigned(self):
        for text, missing in (("", NAMES), (LIMITS, NAMES[:1]), ("MODEL_CONFIG = {}\n", NAMES[1:])):
            self.refused([f"{name}: found no assignment; expected one assignment" for name in missing], text)

    def test_what_is_no_literal_is_told_with_its_line(self):
        allowed = "a literal, a tuple, a list, a dict, or + - * / on numbers"
        self.refused(
            [
                f"line 1: found an expression of kind Call; expected {allowed}",
                f"line 3: found an expression of kind Name; expected {allowed}",
            ],
            "MODEL_CONFIG = f()\n\nLLM_LATENCY_LIMITS = b\n",
        )

    def test_another_round(self):
        text = "MODEL_CONFIG = {'v5.0': {}, 'v5.1': {}}\n" + LIMITS
        self.refused(["MODEL_CONFIG, keys: found 'v5.0, v5.1'; expected v9.0"], text)
        self.refused(["MODEL_CONFIG: found 1; expected an object"], "MODEL_CONFIG = 1\n" + LIMITS)

    def test_parts_of_another_type(self):
        for part, value, line in (
            ("accuracy-target", "()", ": found (); expected dict"),
            ("accuracy-target", "None", ": found None; expected dict"),
            ("accuracy-upper-limit", "1", ": found 1; expected dict"),
            ("model_mapping", "()", ": found (); expected an object"),
            ("model_mapping", "{'a': {}}", ".a: found {}; expected str"),
            ("seeds", "()", ": found (); expected an object"),
            ("seeds", "None", ": found None; expected an object"),
            ("seeds", "{'a': '1'}", ".a: found '1'; expected int"),
            ("seeds", "{'a': True}", ".a: found True; expected int"),
            ("test_duration_ms", "1.5", ": found 1.5; expected int"),
            ("test_duration_ms", "False", ": found False; expected int"),
        ):
            with self.subTest(part=part, value=value):
                text = f"MODEL_CONFIG = {{'v9.0': {{{part!r}: {value}}}}}\n{LIMITS}"
                self.refused([f"MODEL_CONFIG.v9.0.{part}{line}"], text)

    def test_all_parts_of_another_type_are_told(self):
        self.refused(
            ["MODEL_CONFIG.v9.0.accuracy-target: found (); expected dict",
             "MODEL_CONFIG.v9.0.seeds: found 5; expected an object",
             "LLM_LATENCY_LIMITS: found 1; expected an object"],
            "MODEL_CONFIG = {'v9.0': {'seeds': 5, 'accuracy-target': ()}}\nLLM_LATENCY_LIMITS = 1\n",
        )  # fmt: skip

    def test_a_round_without_parts(self):
        constants = parse(f"MODEL_CONFIG = {{'v9.0': {{}}}}\n{LIMITS}".encode(), "c.py", "v9.0")
        self.assertEqual(Constants("c.py", "v9.0", {}, {}, {}, None, None, {}), constants)

    def test_an_entry_of_another_form(self):
        for entry in (
            "5",
            "'acc'",
            "('acc',)",
            "('acc', 'x')",
            "('acc', True)",
            "('a', 1, 'a', 2)",
            "({}, 1)",
            "(1, 2)",
        ):
            with self.subTest(entry=entry):
                text = f"MODEL_CONFIG = {{'v9.0': {{'accuracy-target': {{'m': {entry}}}}}}}\n{LIMITS}"
                constants = parse(text.encode(), "c.py", "v9.0")
                self.assert_refused(
                    [f"c.py: targets, m: found {entry}; expected (metric, number, metric, number, ...)"],
                    metric_values, constants, "targets", "m", "Server",
                )  # fmt: skip

    def test_latency_limits_that_are_no_integers(self):
        limits = "{'m': {'Server': {'ttft': 2.5, 'tpot': 'x'}}, 'n': {'Server': 1}, 'o': ()}"
        self.refused(
            ["LLM_LATENCY_LIMITS.m.Server.ttft: found 2.5; expected int",
             "LLM_LATENCY_LIMITS.m.Server.tpot: found 'x'; expected int",
             "LLM_LATENCY_LIMITS.n.Server: found 1; expected an object",
             "LLM_LATENCY_LIMITS.o: found (); expected an object"],
            f"MODEL_CONFIG = {{'v9.0': {{}}}}\nLLM_LATENCY_LIMITS = {limits}\n",
        )  # fmt: skip


OURS = """
MODEL_CONFIG = {"v6.1": {
    "accuracy-target": {"m": ("ROUGE1", 44.0 * 0.999, "ROUGE2", 22)},
    "accuracy-upper-limit": {"m": ("LEN", 10 * 1.1)},
    "model_mapping": {"m_1": "m"},
    "seeds": {"a_seed": 1, "b_seed": 2},
}}
LLM_LATENCY_LIMITS = {"m": {"Server": {"ttft": 2000 * 1000000, "tpot": 80}}}
"""
# The same figures as upstream writes them: factors first, other rounds and models beside them, a dict by scenario.
THEIRS = """
import os
TIMEOUT = os.environ
MODEL_CONFIG = {"v6.0": {"accuracy-target": {"m": ("ROUGE1", 1)}}, "v6.1": {
    "models": ["m", "n"],
    "accuracy-target": {
        "m": ("ROUGE1", 0.999 * 44.0, "ROUGE2", 22),
        "n": {"Offline": ("acc", 1), "Server": ("acc", 2)},
    },
    "accuracy-upper-limit": {"m": ("LEN", 1.1 * 10)},
    "model_mapping": {"m_1": "m", "n-99": "n"},
    "seeds": {"a_seed": 1, "b_seed": 2, "c_seed": 3},
}}
LLM_LATENCY_LIMITS = {"n": {}, "m": {"Server": {"tpot": 80, "ttft": 2000000000}}}
"""


class TwoCopies(BundleCase):
    def assert_differences(self, *changes: tuple, lines: list) -> None:
        theirs = THEIRS
        for old, new in changes:
            self.assertIn(old, theirs)
            theirs = theirs.replace(old, new)
        files = {"ours.py": OURS.encode("ascii"), "theirs.py": theirs.encode("ascii")}
        self.assert_problems(lines, compare(files, "v6.1"))

    def test_the_same_figures_written_otherwise_agree(self):
        self.assert_differences(lines=[])

    def test_the_figures_of_the_bundle_agree_with_themselves(self):
        raw = (ROOT / pinned.CONSTANTS).read_bytes()
        self.assert_problems([], compare({"a": raw, "b": raw}, pinned.ROUND))

    def test_every_kind_of_figure_is_compared(self):
        self.assert_differences(
            ('"ROUGE2", 22', '"ROUGE2", 23'),
            ("1.1 * 10", "1.2 * 10"),
            ('"m_1": "m"', '"m_1": "n"'),
            ('"b_seed": 2', '"b_seed": 4'),
            ('"tpot": 80', '"tpot": 90'),
            lines=[
                "ours.py: targets, m ROUGE2: found 22; expected 23 (theirs.py)",
                "ours.py: upper_limits, m LEN: found 11.0; expected 12.0 (theirs.py)",
                "ours.py: model_mapping, m_1: found m; expected n (theirs.py)",
                "ours.py: seeds, b_seed: found 2; expected 4 (theirs.py)",
                "ours.py: latency_limits, m Server tpot: found 80; expected 90 (theirs.py)",
            ],
        )

    def test_a_figure_on_one_side_only_differs(self):
        self.assert_differences(
            ('"ROUGE2", 22', '"ROUGEL", 28'),
            ('"m_1": "m", ', ""),
            ('"seeds": {', '"old_seeds": {'),
            ('"m": {"Server": {', '"m": {"Interactive": {"ttft": 1}, "Server": {'),
            lines=[
                "ours.py: targets, m ROUGE2: found 22; expected no figure (theirs.py)",
                "ours.py: targets, m ROUGEL: found no figure; expected 28 (theirs.py)",
                "ours.py: model_mapping, m_1: found m; expected no figure (theirs.py)",
                "ours.py: seeds, a_seed: found 1; expected no figure (theirs.py)",
                "ours.py: seeds, b_seed: found 2; expected no figure (theirs.py)",
                "ours.py: latency_limits, m Interactive ttft: found no figure; expected 1 (theirs.py)",
            ],
        )

    def test_a_model_that_is_gone_differs_in_all_its_figures(self):
        self.assert_differences(
            ('"m": ("ROUGE1", 0.999', '"k": ("ROUGE1", 0.999'),
            lines=[
                "ours.py: targets, m ROUGE1: found 43.956; expected no figure (theirs.py)",
                "ours.py: targets, m ROUGE2: found 22; expected no figure (theirs.py)",
            ],
        )

    def test_constants_that_cannot_be_read_are_told(self):
        self.assert_differences(
            ('"seeds": {"a_seed": 1, "b_seed": 2, "c_seed": 3}', '"seeds": 5'),
            lines=["theirs.py: MODEL_CONFIG.v6.1.seeds: found 5; expected an object"],
        )
        self.assert_differences(
            ('"v6.1"', '"v7.0"'), lines=["theirs.py: MODEL_CONFIG, keys: found 'v6.0, v7.0'; expected v6.1"]
        )


@needs_hypothesis
class AnyInput(BundleCase):
    def result_or_error(self, raw):
        try:
            constants = parse(raw, "c.py", "v9.0")
            for label in ("m", "asr"):
                metric_values(constants, "targets", label, "Server")
                log_limits(constants, label)
        except BundleError as error:
            self.assertTrue(error.problems)

    def test_any_literals_in_the_place_of_a_part(self):
        leaves = (
            st.none()
            | st.booleans()
            | st.integers()
            | st.floats(allow_nan=False, allow_infinity=False)
            | st.sampled_from(["m", "acc", "Server"])
        )
        values = st.recursive(
            leaves,
            lambda inner: (
                st.lists(inner, max_size=4).map(tuple)
                | st.dictionaries(st.sampled_from(["m", "Server", "ttft"]), inner, max_size=3)
            ),
            max_leaves=12,
        )
        parts = st.sampled_from(
            ["accuracy-target", "accuracy-upper-limit", "model_mapping", "seeds", "test_duration_ms"]
        )

        @given(st.dictionaries(parts, values, max_size=3), values)
        def check(config, limits):
            self.result_or_error(f"MODEL_CONFIG = {{'v9.0': {config!r}}}\nLLM_LATENCY_LIMITS = {limits!r}\n".encode())

        check()

    def test_sums_and_products_as_the_interpreter_computes_them(self):
        numbers = st.integers(-1000, 1000) | st.floats(-1000, 1000).filter(
            lambda value: value == 0 or abs(value) > 1e-3
        )

        @given(st.lists(st.tuples(st.sampled_from("+-*/"), numbers), min_size=1, max_size=6), numbers)
        def check(steps, first):
            expression = repr(first) + "".join(f" {operator} {number!r}" for operator, number in steps)
            try:
                expected = float(eval(expression))  # the independent computation: numbers and four operators only
            except ZeroDivisionError:
                return
            text = f"MODEL_CONFIG = {{'v9.0': {{'accuracy-target': {{'m': ('a', {expression})}}}}}}\n{LIMITS}"
            constants = parse(text.encode(), "c.py", "v9.0")
            self.assertEqual({"a": expected}, metric_values(constants, "targets", "m", "Server"))

        check()


if __name__ == "__main__":
    unittest.main()
