"""LoadGen summary logs: reading one, its checks against its row, and the traps that real logs hold."""

from __future__ import annotations

import unittest
from decimal import Decimal

from scenario_ratio import shape as shapes
from scenario_ratio.problems import BundleError
from scenario_ratio.study import checks
from scenario_ratio.study.checks import Fields
from scenario_ratio.upstream import loadgen
from scenario_ratio.upstream.constants import Limits
from scenario_ratio.upstream.loadgen import Log
from scenario_ratio.upstream.summary import Row
from tests.support import FIXTURES, SERVER, BundleCase, given, needs_hypothesis, row, st

OFFLINE = (FIXTURES / "offline_summary.txt").read_text(encoding="utf-8")
SERVER_LOG = (FIXTURES / "server_summary.txt").read_text(encoding="utf-8")
SEEDS = {"qsl_rng_seed": 101, "sample_index_rng_seed": 102, "schedule_rng_seed": 18446744073709551615}
LIMITS = Limits(2_000_000_000, 200_000_000, SEEDS, 600_000)


def parsed(text: str) -> loadgen.Log:
    return loadgen.parse(text.encode("utf-8"), "log")


def checked(text: str, of_row: Row, limits: Limits) -> tuple[dict, list]:
    """Return what the checks make of a log, but for that of its folder, since these have none."""
    facts, problems = checks.check_log(parsed(text), of_row, limits)
    return facts, [problem for problem in problems if problem.check != "log-path"]


def encountered(log: Log) -> list[tuple]:
    """Return the value and the line of the warnings and of the errors that a log counts."""
    return [(log.values[label], log.lines[label]) for label in ("warnings encountered", "errors encountered")]


def replaced(text: str, old: str, new: str) -> str:
    """Return ``text`` with its first ``old`` replaced; the fixture must hold it."""
    assert old in text, old
    return text.replace(old, new, 1)


class Reading(BundleCase):
    def test_labels_values_and_lines(self):
        log = parsed(OFFLINE)
        self.assertEqual("1000.5", log.values["Tokens per second"])
        self.assertEqual((8, "Tokens per second: 1000.5"), log.lines["Tokens per second"])
        self.assertEqual("18446744073709551615", log.values["schedule_rng_seed"])
        self.assertEqual(
            [("0", (48, "No warnings encountered during test.")), ("0", (50, "No errors encountered during test."))],
            encountered(log),
        )

    def test_a_system_name_may_hold_colons(self):
        self.assertEqual("Example : X100 : eight", parsed(OFFLINE).values["SUT name"])

    def test_a_heading_has_its_first_point_as_value(self):
        log = parsed(SERVER_LOG)
        self.assertEqual("* Run successful.", log.values["TTFT Early Stopping Result"])
        self.assertEqual((15, "* Run successful."), log.lines["TTFT Early Stopping Result"])
        points = "Early Stopping Result:\n * Processed at least 64 queries (1024).\n * Would discard 22 queries.\n"
        log = parsed("Scenario : Single Stream\nResult is : VALID\n" + points)
        self.assertEqual("* Processed at least 64 queries (1024).", log.values["Early Stopping Result"])
        self.assertEqual(
            {
                "Scenario": "Single Stream",
                "Result is": "VALID",
                "Early Stopping Result": "* Processed at least 64 queries (1024).",
            },
            log.values,
        )

    def test_a_point_under_no_heading_is_passed_over(self):
        log = parsed("* a\nResult is : VALID\n* b\n  Recommendations:\n * c: d\n * e\n")
        self.assertEqual({"Result is": "VALID", "Recommendations": ""}, log.values)

    def test_a_warning_is_no_field(self):
        self.assertNotIn("WARNING", parsed(OFFLINE).values)

    def test_errors_and_warnings_are_counted(self):
        text = replaced(OFFLINE, "No errors encountered during test.", "12 ERRORS encountered. See detailed log.")
        text = replaced(text, "No warnings encountered during test.", "1 warning encountered. See detailed log.")
        self.assertEqual(
            [
                ("1", (48, "1 warning encountered. See detailed log.")),
                ("12", (50, "12 ERRORS encountered. See detailed log.")),
            ],
            encountered(parsed(text)),
        )

    def test_a_field_may_repeat_with_the_same_value(self):
        log = parsed(SERVER_LOG)
        self.assertEqual(2, SERVER_LOG.count("Completed tokens per second"))
        self.assertEqual((8, "Completed tokens per second: 900.25"), log.lines["Completed tokens per second"])

    def test_a_field_that_repeats_with_another_value(self):
        text = SERVER_LOG.replace(
            "Completed tokens per second                 : 900.25", "Completed tokens per second : 900.26"
        )
        text = replaced(
            text, "TPOT Early Stopping Result:\n * Run successful.", "TTFT Early Stopping Result:\n * Run unsuccessful."
        )
        self.assert_refused(
            ["log: line 17, TTFT Early Stopping Result: found '* Run unsuccessful.'; expected '* Run successful.', as the same field says earlier",
             "log: line 33, Completed tokens per second: found '900.26'; expected '900.25', as the same field says earlier"],
            parsed, text,
        )  # fmt: skip

    def test_a_count_that_repeats_with_another_value(self):
        line = "log: line 51, errors encountered: found '3'; expected '0', as the same field says earlier"
        self.assert_refused([line], parsed, OFFLINE + "3 ERRORS encountered\n")

    def test_a_count_may_be_a_field_like_any_other(self):
        text = replaced(OFFLINE, "No errors encountered during test.", "errors encountered : -3")
        expected = ["log: line 50, errors encountered: found -3; expected at least 0"]
        self.assert_problems(expected, checked(text, row(), LIMITS)[1])

    def test_what_is_no_summary_log(self):
        expected = ["log: Result is: found no such line; expected a LoadGen summary log"]
        for text in ("", "hello\n", OFFLINE[:150]):
            self.assert_refused(expected, parsed, text)
        self.assert_refused(
            ["log: found more than 10000 lines; expected a LoadGen summary log"], parsed, OFFLINE + "\n" * 10_000
        )
        self.assertEqual({"Result is": "VALID"}, parsed("Result is : VALID" + "\n" * 10_000).values)
        self.assert_refused(["log: line 1: found byte 0xff; expected valid UTF-8"], loadgen.parse, b"\xff", "log")
        self.assert_refused(
            ["log: line 1: found a carriage return; expected LF line endings"], parsed, OFFLINE.replace("\n", "\r\n")
        )


class OfflineCheck(BundleCase):
    def check(self, text, lines, limits=LIMITS, **cells):
        facts, problems = checked(text, row(**cells), limits)
        self.assert_problems([f"log: {line}" for line in lines], problems)
        return facts

    def test_a_log_that_passes(self):
        self.assertEqual(
            {
                "result": "VALID", "scenario": "Offline", "mode": "PerformanceOnly",
                "satisfied": {"Min duration satisfied": "Yes", "Min queries satisfied": "Yes", "Early stopping satisfied": "Yes"},
                "min_duration_ms": 600_000, "rate_tokens_per_s": 1000.5, "samples_per_s": 4.0, "target_qps": 3.9,
                "samples_per_query": 16_000, "max_async_queries": 1, "warnings": 0, "errors": 0, "summary_errors": 0,
            },
            self.check(OFFLINE, []),
        )  # fmt: skip

    def test_what_a_log_must_say(self):
        for old, new, message in (
            ("Result is : VALID", "Result is : INVALID", "line 9, Result is: found 'INVALID'; expected 'VALID'"),
            ("Scenario : Offline", "Scenario : Server", "line 5, Scenario: found 'Server'; expected 'Offline'"),
            ("Scenario : Offline", "Scenario : offline", "line 5, Scenario: found 'offline'; expected 'Offline'"),
            ("Scenario : Offline", "Scenario : Single Stream", "line 5, Scenario: found 'Single Stream'; expected 'Offline'"),
            ("PerformanceOnly", "AccuracyOnly", "line 6, Mode: found 'AccuracyOnly'; expected 'PerformanceOnly'"),
            ("Min duration satisfied : Yes", "Min duration satisfied : NO", "line 10, Min duration satisfied: found 'NO'; expected 'Yes'"),
            ("Min queries satisfied : Yes", "Min queries satisfied : Skipped", "line 11, Min queries satisfied: found 'Skipped'; expected 'Yes'"),
            ("  Early stopping satisfied: Yes\n", "", "Early stopping satisfied: found no such line; expected 'Yes'"),
            ("  Min queries", "  Extra satisfied : No\n  Min queries", "line 11, Extra satisfied: found 'No'; expected 'Yes'"),
            ("qsl_rng_seed : 101", "qsl_rng_seed : 0", "line 40, qsl_rng_seed: found 0; expected 101"),
            ("sample_index_rng_seed : 102\n", "", "sample_index_rng_seed: found no such line; expected an integer"),
            ("_seed : 18446744073709551615", "_seed : 18446744073709551614", "line 42, schedule_rng_seed: found 18446744073709551614; expected 18446744073709551615"),
            ("min_duration (ms): 600000", "min_duration (ms): 599999", "line 36, min_duration (ms): found 599999; expected at least 600000"),
            ("min_duration (ms): 600000", "min_duration (ms): 10 min", "line 36, min_duration (ms): found '10 min'; expected an integer"),
            ("target_qps : 3.9", "target_qps : nan", "line 32, target_qps: found 'nan'; expected a number"),
            ("Tokens per second: 1000.5\n", "", "Tokens per second: found no such line; expected a number of tokens per second"),
            ("Tokens per second: 1000.5", "Tokens per second: inf", "line 8, Tokens per second: found 'inf'; expected a number of tokens per second"),
            ("No errors encountered during test.\n", "", "errors encountered: found no such line; expected an integer"),
        ):  # fmt: skip
            with self.subTest(new=new or old):
                self.check(replaced(OFFLINE, old, new), [message])

    def test_an_invalid_log_with_recommendations_is_reported_as_invalid(self):
        text = replaced(OFFLINE, "Result is : VALID", "Result is : INVALID")
        text = replaced(
            text,
            "Early stopping satisfied: Yes\n",
            "Early stopping satisfied: NO\nRecommendations:\n * Run longer.\n * Try again.\n",
        )
        self.check(
            text,
            ["line 9, Result is: found 'INVALID'; expected 'VALID'",
             "line 12, Early stopping satisfied: found 'NO'; expected 'Yes'"],
        )  # fmt: skip

    def test_errors_with_valid_are_recorded_and_do_not_fail(self):
        text = replaced(OFFLINE, "No errors encountered during test.", "1009 ERRORS encountered. See detailed log.")
        facts = self.check(text, [], errors=("7", 7))
        self.assertEqual((1009, 7), (facts["errors"], facts["summary_errors"]))

    def test_a_rate_of_zero_with_valid_disagrees_with_the_summary(self):
        text = replaced(OFFLINE, "Tokens per second: 1000.5", "Tokens per second: 0")
        self.check(text, ["line 8, Tokens per second: found 0; expected 1000.5 as in the summary, within 0.005005"])

    def test_an_exponent(self):
        text = replaced(OFFLINE, "Tokens per second: 1000.5", "Tokens per second: 2.70513e+06")
        self.assertEqual(2_705_130.0, self.check(text, [], Result=("2705130.0", None))["rate_tokens_per_s"])
        # half of the sixth digit is 5 on either side: 10 is within, 10.1 is not
        self.check(text, [], Result=("2705140.0", None))
        line = "line 8, Tokens per second: found 2.70513e+06; expected 2705140.5 as in the summary, within 5.05"
        self.check(text, [line], Result=("2705140.5", None))

    def test_an_inferred_rate(self):
        text = replaced(OFFLINE, "Tokens per second: 1000.5", "Tokens per second (inferred): 1000.5")
        self.assertEqual(1000.5, self.check(text, [])["rate_tokens_per_s"])
        text = replaced(text, "1000.5", "999.5")
        self.check(
            text,
            ["line 8, Tokens per second (inferred): found 999.5; expected 1000.5 as in the summary, within 0.0055"],
        )

    def test_what_the_constants_do_not_say_is_not_asked(self):
        text = replaced(OFFLINE, "qsl_rng_seed : 101\n", "")
        self.check(
            replaced(text, "min_duration (ms): 600000", "min_duration (ms): 1"),
            [],
            limits=Limits(None, None, None, None),
        )

    def test_an_errors_cell_that_is_no_number(self):
        self.assertIsNone(self.check(OFFLINE, [], errors=("x", None))["summary_errors"])


class ServerCheck(BundleCase):
    def check(self, text, lines, limits=LIMITS, **cells):
        facts, problems = checked(text, row("1", **{**SERVER, **cells}), limits)
        self.assert_problems([f"log: {line}" for line in lines], problems)
        return facts

    def test_a_log_that_passes(self):
        facts = self.check(SERVER_LOG, [])
        self.assertEqual(
            {
                "rate_tokens_per_s": 900.25, "samples_per_s": 3.58, "scheduled_samples_per_s": 3.61,
                "ttft_limit_ns": 2_000_000_000, "ttft_p99_ns": 2_000_000_000, "tpot_limit_ns": 200_000_000, "tpot_p99_ns": 199_999_999,
            },
            {key: facts[key] for key in facts if key.endswith(("_s", "_ns"))},
        )  # fmt: skip
        self.assertEqual("Yes", facts["satisfied"]["Performance constraints satisfied"])

    def test_what_a_log_must_say(self):
        for old, new, message in (
            ("constraints satisfied : Yes", "constraints satisfied : NO", "line 10, Performance constraints satisfied: found 'NO'; expected 'Yes'"),
            ("TTFT Early Stopping Result:\n * Run successful.", "TTFT Early Stopping Result:\n * Run unsuccessful.\n * Why.", "line 15, TTFT Early Stopping Result: found '* Run unsuccessful.'; expected '* Run successful.'"),
            ("TPOT Early Stopping Result:\n * Run successful.\n", "", "TPOT Early Stopping Result: found no such line; expected '* Run successful.'"),
            ("ttft_latency (ns): 2000000000", "ttft_latency (ns): 2000000001", "line 59, ttft_latency (ns): found 2000000001; expected 2000000000"),
            ("ttft_latency (ns): 2000000000", "ttft_latency (ns): 1999999999", "line 59, ttft_latency (ns): found 1999999999; expected 2000000000"),
            ("tpot_latency (ns): 200000000\n", "", "tpot_latency (ns): found no such line; expected an integer"),
            ("first token latency (ns)   : 2000000000", "first token latency (ns)   : 2000000001", "line 41, 99.00 percentile first token latency (ns): found 2000000001; expected at most 2000000000"),
            ("output token (ns)   : 199999999", "output token (ns)   : 200000001", "line 51, 99.00 percentile time to output token (ns): found 200000001; expected at most 200000000"),
            ("output token (ns)   : 199999999", "output token (ns)   : -1", "line 51, 99.00 percentile time to output token (ns): found -1; expected at least 0"),
            ("Scheduled samples per second : 3.61\n", "", "Scheduled samples per second: found no such line; expected a number"),
        ):  # fmt: skip
            with self.subTest(new=new or old):
                self.check(replaced(SERVER_LOG, old, new), [message])

    def test_the_half_units_of_both_numbers_bound_the_difference(self):
        def log(rate):
            return SERVER_LOG.replace("900.25", rate)

        # the summary's sixth digit is the third decimal, the log has two: 0.0005 + 0.005
        self.check(log("325.00"), [], Result=("324.995", None))
        self.check(log("325.00"), [], Result=("325.005", None))
        line = "line 8, Completed tokens per second: found 325.01; expected 324.995 as in the summary, within 0.0055"
        self.check(log("325.01"), [line], Result=("324.995", None))
        line = "line 8, Completed tokens per second: found 325.00; expected 325.006 as in the summary, within 0.0055"
        self.check(log("325.00"), [line], Result=("325.006", None))

    def test_a_model_without_limits_has_its_percentiles_recorded(self):
        text = SERVER_LOG.replace("2000000000", "9000000000")
        self.assertEqual(9_000_000_000, self.check(text, [], limits=LIMITS._replace(ttft_ns=None))["ttft_p99_ns"])

    def test_every_problem_is_reported(self):
        text = replaced(SERVER_LOG, "Result is : VALID", "Result is : INVALID").replace("900.25", "1.00")
        self.check(
            text,
            ["line 9, Result is: found 'INVALID'; expected 'VALID'",
             "line 8, Completed tokens per second: found 1.00; expected 900.25 as in the summary, within 0.0055"],
        )  # fmt: skip


class Table(BundleCase):
    """The rows of CHECKS: each refuses its own line, and gives the facts that it says it gives."""

    LOGS = {"Offline": (OFFLINE, row()), "Server": (SERVER_LOG, row("1", **SERVER))}

    def check(self, scenario: str, text: str, path: str) -> tuple:
        return checks.check_log(loadgen.parse(text.encode("utf-8"), path), self.LOGS[scenario][1], LIMITS)

    def path(self, scenario: str) -> str:
        return f"closed/a/results/b/c/{scenario}/performance/run_1/mlperf_log_summary.txt"

    def test_a_good_log_is_refused_by_none(self):
        for scenario, (text, _) in self.LOGS.items():
            facts, problems = self.check(scenario, text, self.path(scenario))
            self.assert_problems([], problems)
            shape = checks.facts_of(scenario)
            self.assert_problems([], shapes.problems(facts, shape, "the log"))

    def test_each_refuses_its_own_line_and_no_other_check_does(self):
        for check in checks.CHECKS:
            self.assertTrue(check.reason, check.id)
            old, new = check.refused
            fit = [one for one in check.scenarios if old in self.LOGS[one][0] or old in self.path(one)]
            self.assertTrue(fit, f"{check.id}: no good log holds {old!r}")
            for scenario in fit:
                with self.subTest(check.id, scenario=scenario):
                    text, path = (whole.replace(old, new) for whole in (self.LOGS[scenario][0], self.path(scenario)))
                    _, problems = self.check(scenario, text, path)
                    self.assertEqual({check.id}, {problem.check for problem in problems})

    def test_the_ids_are_different_and_each_scenario_is_known(self):
        ids = [check.id for check in checks.CHECKS]
        self.assertEqual(sorted(set(ids)), sorted(ids))
        self.assertLessEqual({one for check in checks.CHECKS for one in check.scenarios}, set(self.LOGS))

    def test_names_of_the_submission_checker(self):
        # The methods that performance_check.py of mlcommons/inference puts into its list of checks.
        known = {
            "missing_check", "scenarios_check", "loadgen_errors_check", "equal_issue_check", "performance_sample_count_check",
            "seeds_check", "latency_check", "min_query_count_check", "min_duration_check", "network_check", "llm_check",
            "inferred_check", "get_performance_metric_check", "",
        }  # fmt: skip
        self.assertLessEqual({check.upstream for check in checks.CHECKS}, known)

    def test_facts_of_both_scenarios_have_the_same_order(self):
        server = list(checks.facts_of("Server"))
        self.assertEqual(
            [fact for fact in server if fact in checks.facts_of("Offline")], list(checks.facts_of("Offline"))
        )
        self.assertEqual({}, checks.facts_of("Interactive"))


class HalfUnits(unittest.TestCase):
    def test_of_the_last_digit(self):
        for text, significant, expected in (
            ("325.00", None, "0.005"), ("0", None, "0.5"), ("2.70513e+06", None, "5"), ("324.995", 6, "0.0005"),
            ("106637.0", 6, "0.5"), ("70132.3", 6, "0.05"), ("1000", 6, "0.005"), ("1e+06", 6, "5"), ("1.2345678", 6, "0.00000005"),
        ):  # fmt: skip
            with self.subTest(text=text):
                self.assertEqual(Decimal(expected), checks.half_unit(text, significant))


LABEL = "a label"


def fields(value=None) -> Fields:
    """Return the fields of a log that holds ``value`` in line 7, or nothing."""
    values = {} if value is None else {LABEL: value}
    lines = {label: (7, f"{label} : {text}") for label, text in values.items()}
    return Fields(Log("log", values, lines), row(), LIMITS)


class FieldsCase(BundleCase):
    def reads(self, expected, method, value, *arguments, **bounds):
        reader = fields(value)
        found = getattr(reader, method)(LABEL, *arguments, **bounds)
        self.assertEqual((type(expected), expected), (type(found), found))
        self.assert_problems([], reader.problems)

    def complains(self, told, found, method, value, *arguments, **bounds):
        reader = fields(value)
        self.assertEqual(found, getattr(reader, method)(LABEL, *arguments, **bounds))
        self.assert_problems([told], reader.problems)


class Numbers(FieldsCase):
    def test_an_integer(self):
        for text, expected in (("0", 0), ("-5", -5), ("007", 7), ("9" * 20, 10**20 - 1)):
            self.reads(expected, "integer", text)
        for text in ("", "+5", "5.0", "٥", "1_0", "9" * 21, "5 ", "0x5"):
            self.complains(f"log: line 7, {LABEL}: found {ascii(text)}; expected an integer", None, "integer", text)
        self.complains(f"log: {LABEL}: found no such line; expected an integer", None, "integer", None)

    def test_a_number(self):
        for text, expected in (
            ("0", 0.0),
            ("5", 5.0),
            ("1.25", 1.25),
            ("1e+06", 1e6),
            ("2.5e-3", 0.0025),
            ("1e5", 1e5),
        ):
            self.reads(expected, "number", text)
        for text in ("", "-5", "5.", ".5", "1E5", "1e", "1e123", "nan", "inf", "٥", "1,5"):
            self.complains(f"log: line 7, {LABEL}: found {ascii(text)}; expected a number", None, "number", text)


class Bounds(FieldsCase):
    def keeps(self, value, **bounds):
        self.reads(int(value), "integer", value, **bounds)

    def breaks(self, expected, value, **bounds):
        told = f"log: line 7, {LABEL}: found {value}; expected {expected}"
        self.complains(told, int(value), "integer", value, **bounds)

    def test_at_least(self):
        for value, limit in (("5", 5), ("6", 5), ("-1", None), ("0", 0)):
            self.keeps(value, at_least=limit)
        self.breaks("at least 5", "4", at_least=5)
        self.breaks("at least 0", "-1", at_least=0)

    def test_at_most(self):
        for value, limit in (("0", 5), ("5", 5), ("0", 0), ("0", None), ("99", None)):
            self.keeps(value, at_least=0, at_most=limit)
        self.breaks("at most 5", "6", at_most=5)
        self.breaks("at most 0", "1", at_most=0)
        self.breaks("at most -1", "0", at_least=0, at_most=-1)
        for limit in (5, None):
            self.breaks("at least 0", "-1", at_least=0, at_most=limit)

    def test_a_setting(self):
        for value, expected in (("5", 5), ("0", 0), ("5", None)):
            self.keeps(value, exactly=expected)
        self.breaks("0", "5", exactly=0)

    def test_an_exact_text(self):
        self.reads("a b", "exactly", "a b", "a b")
        self.complains(f"log: line 7, {LABEL}: found 'A'; expected 'a'", "A", "exactly", "A", "a")
        self.complains(f"log: {LABEL}: found no such line; expected 'a'", None, "exactly", None, "a")


class Distributions(unittest.TestCase):
    def test_each_is_a_ladder_from_minimum_to_maximum_and_a_mean(self):
        first, second, third = loadgen.distributions(parsed(SERVER_LOG))
        self.assertEqual(
            [
                100_000_000,
                400_000_000,
                700_000_000,
                800_000_000,
                900_000_000,
                2_000_000_000,
                4_000_000_000,
                5_000_000_000,
                500_000_000,
            ],
            list(second.values()),
        )
        self.assertEqual(
            ["Min latency (ns)", "Min First Token latency (ns)", "Min Time per Output Token (ns)"],
            [next(iter(found)) for found in (first, second, third)],
        )

    def test_the_spelling_of_another_round(self):
        text = SERVER_LOG.replace("Time per Output Token", "Time to Output Token")
        self.assertEqual("Min Time to Output Token (ns)", next(iter(loadgen.distributions(parsed(text))[2])))

    def test_a_distribution_with_a_line_missing_or_unreadable_is_left_out(self):
        text = replaced(SERVER_LOG, "Mean latency (ns)               : 25000000000\n", "")
        self.assertEqual(2, len(loadgen.distributions(parsed(text))))
        self.assertEqual(2, len(loadgen.distributions(parsed(replaced(SERVER_LOG, ": 6000000000", ": 6e9")))))

    def test_a_negative_minimum_is_a_number(self):
        text = replaced(OFFLINE, ": 1000000000", ": -9223372036854775808")
        self.assertEqual(-(2**63), loadgen.distributions(parsed(text))[0]["Min latency (ns)"])


@needs_hypothesis
class AnyInput(BundleCase):
    def result_or_error(self, raw):
        try:
            log = loadgen.parse(raw, "log")
        except BundleError as error:
            self.assertTrue(error.problems)
            return
        for cells in ({}, SERVER):
            _, problems = checks.check_log(log, row(**cells), LIMITS)
            for line in map(str, problems):
                self.assertNotIn("\n", line)
        loadgen.distributions(log)

    def test_any_bytes_and_any_lines(self):
        lines = sorted(set((OFFLINE + SERVER_LOG).split("\n"))) + [
            " * Point.",
            "Result is :",
            ": x",
            "Recommendations:",
            "3 ERRORS encountered",
        ]

        @given(st.binary(max_size=100), st.lists(st.sampled_from(lines) | st.text(max_size=12), max_size=30))
        def check(raw, chosen):
            self.result_or_error(raw)
            self.result_or_error("\n".join(["Result is : VALID", *chosen]).encode("utf-8"))

        check()

    def test_a_log_with_one_value_replaced(self):
        places = [(text, line) for text in (OFFLINE, SERVER_LOG) for line in text.split("\n") if ":" in line]
        values = st.sampled_from(
            ["", "0", "-1", "1e99", "9" * 20, "9" * 21, "nan", "Yes", "٣", "1.5.2", ": :"]
        ) | st.text(max_size=8)

        @given(st.sampled_from(places), values)
        def check(place, value):
            text, line = place
            self.result_or_error(text.replace(line, line.partition(":")[0] + ": " + value).encode("utf-8"))

        check()

    def test_a_number_and_its_rounding_agree(self):
        @given(st.integers(1, 10**9), st.integers(0, 6))
        def check(digits, decimals):
            exact = Decimal(digits).scaleb(-decimals)
            offline, summary_rate = "%g" % exact, str(float("%.6g" % exact))
            if "e" in summary_rate:
                return
            text = replaced(OFFLINE, "Tokens per second: 1000.5", f"Tokens per second: {offline}")
            self.assertEqual([], checked(text, row(Result=(summary_rate, None)), LIMITS)[1])
            server = SERVER_LOG.replace("900.25", f"{exact:.2f}")
            self.assertEqual([], checked(server, row(**{**SERVER, "Result": (summary_rate, None)}), LIMITS)[1])

        check()


if __name__ == "__main__":
    unittest.main()
