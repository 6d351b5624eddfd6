"""What a row's log and its accuracy must keep to: a table of checks of the log, and the metrics against their limits.

Nothing is raised for a row: each check gives its facts and what is wrong, so that the rest goes on.
"""

from __future__ import annotations

import operator
import re
from decimal import Decimal
from typing import Callable, Iterable, NamedTuple

from scenario_ratio.problems import Problem, gather, shown
from scenario_ratio.shape import NUMBER as ANY_NUMBER
from scenario_ratio.shape import each
from scenario_ratio.study.pairing import OFFLINE, SCENARIOS, SERVER
from scenario_ratio.upstream.constants import Constants, Limits, metric_values
from scenario_ratio.upstream.loadgen import INTEGER, NUMBER, Log
from scenario_ratio.upstream.summary import Row

RATE_LABEL = {OFFLINE: "Tokens per second", SERVER: "Completed tokens per second"}
SAMPLES_LABEL = {OFFLINE: "Samples per second", SERVER: "Completed samples per second"}
OF_BOTH = ("Min duration satisfied", "Min queries satisfied", "Early stopping satisfied")
SATISFIED = {OFFLINE: OF_BOTH, SERVER: ("Performance constraints satisfied", *OF_BOTH)}
# How a number keeps to a bound, and what stands before the bound in words.
BOUNDS = {"exactly": (operator.eq, ""), "at_least": (operator.ge, "at least "), "at_most": (operator.le, "at most ")}


def half_unit(text: str, significant: int | None = None) -> Decimal:
    """Return half a unit of the last digit that a printed number carries.

    With ``significant`` it was printed with that many digits and trailing zeros dropped, so its last may lie further right.
    """
    exponent = Decimal(text).as_tuple().exponent
    if significant is not None:
        number = Decimal(text).normalize()
        exponent = min(number.as_tuple().exponent, number.adjusted() - significant + 1)
    return Decimal(5).scaleb(exponent - 1)


def beyond(number: float, **bounds: float | None) -> list[str]:
    """Return, in words, which of ``bounds`` (by the names of ``BOUNDS``; None is no bound) a number does not keep."""
    kept = [(bound, *BOUNDS[name]) for name, bound in bounds.items() if bound is not None]
    return [f"{words}{bound!r}" for bound, keeps, words in kept if not keeps(number, bound)]


def rate_label(log: Log, scenario: str) -> str:
    """Return the label of a log's rate in tokens/s, which some logs call inferred."""
    label = RATE_LABEL[scenario]
    inferred = f"{label} (inferred)"
    return inferred if label not in log.values and inferred in log.values else label


class Fields:
    """Reads the fields of the parsed log of a row, which has limits to keep to, and collects what is wrong."""

    def __init__(self, log: Log, row: Row, limits: Limits):
        self.log, self.row, self.limits, self.scenario = log, row, limits, row.text["Scenario"]
        self.problems: list[Problem] = []

    def wrong(self, label: str, found: str, expected: str) -> None:
        """Add a problem at the line of ``label``, or at none if the log has no such line."""
        place = f"line {self.log.lines[label][0]}" if label in self.log.lines else ""
        self.problems.append(Problem(self.log.name, place, label, found, expected))

    def text(self, label: str, pattern: str | re.Pattern, expected: str) -> str | None:
        """Return a field that must match ``pattern``, which is ``expected`` in words; None if it does not."""
        value = self.log.values.get(label)
        if value is not None and re.fullmatch(pattern, value):
            return value
        self.wrong(label, "no such line" if value is None else shown(value), expected)
        return None

    def exactly(self, label: str, expected: str) -> str | None:
        """Return the text of a field, which must be ``expected``."""
        self.text(label, re.escape(expected), shown(expected))
        return self.log.values.get(label)

    def integer(self, label: str, **bounds: int | None) -> int | None:
        """Return a field that must be an integer and keep to ``bounds``, those of ``beyond``."""
        text = self.text(label, INTEGER, "an integer")
        number = None if text is None else int(text)
        for expected in [] if number is None else beyond(number, **bounds):
            self.wrong(label, str(number), expected)
        return number

    def number(self, label: str) -> float | None:
        """Return a field that must be a number that is not negative."""
        text = self.text(label, NUMBER, "a number")
        return None if text is None else float(text)

    def satisfied(self) -> dict[str, str | None]:
        """Return the satisfied-lines of the scenario, then any other that is there; each must be Yes."""
        required = SATISFIED[self.scenario]
        others = [label for label in self.log.values if label.endswith(" satisfied") and label not in required]
        return {label: self.exactly(label, "Yes") for label in (*required, *others)}

    def rate(self) -> float | None:
        """Return the log's rate in tokens/s, which must agree with the summary's.

        The two half-units together bound the difference: the summary has six significant digits, and so has the
        Offline log; the Server log has two decimals.
        """
        label, in_summary = rate_label(self.log, self.scenario), self.row.text["Result"]
        text = self.text(label, NUMBER, "a number of tokens per second")
        if text is None:
            return None
        allowed = half_unit(in_summary, 6) + half_unit(text, 6 if self.scenario == OFFLINE else None)
        if abs(Decimal(text) - Decimal(in_summary)) > allowed:
            self.wrong(label, text, f"{in_summary} as in the summary, within {allowed.normalize():f}")
        return float(text)

    def latency(self, name: str, printed: str) -> tuple[int | None, int | None]:
        """Return a latency's limit in the run, which must be the model's, and its achieved 99th percentile; both in ns."""
        limit = getattr(self.limits, f"{name}_ns")
        p99 = f"99.00 percentile {printed} (ns)"
        return self.integer(f"{name}_latency (ns)", exactly=limit), self.integer(p99, at_least=0, at_most=limit)

    def counts(self) -> list[int | None]:
        """Return the warnings and errors that the log counts, and the errors of the summary, None if no number."""
        in_log = [self.integer(f"{kind} encountered", at_least=0) for kind in ("warnings", "errors")]
        in_summary = self.row.text["errors"]
        return [*in_log, int(in_summary) if in_summary.isdecimal() else None]

    def folder(self) -> None:
        """The folder above that of the run is named after the scenario; some submissions spell it in lower case."""
        folder = self.log.name.split("/")[-4:][0]
        if folder.lower() != self.scenario.lower():
            self.wrong("the scenario in its path", folder, self.scenario)


class Check(NamedTuple):
    """One check of a log of some ``scenarios``: its id, and why it is made (``reason``).

    ``test(fields)`` returns the values of ``facts`` (name -> shape), in their order, and adds to ``fields`` what is
    wrong. ``upstream`` names the method of mlcommons/inference's submission checker that looks at the same (in
    tools/submission/submission_checker/checks/performance_check.py), '' if none is known. ``refused`` is a text of a
    good log, or of its path, and what stands in its place when this check refuses the log.
    """

    id: str
    scenarios: tuple[str, ...]
    reason: str
    facts: dict
    test: Callable[[Fields], Iterable]
    upstream: str
    refused: tuple[str, str]


# One row is one check. The facts of a log in results.json have this order, and these shapes.
CHECKS = (
    Check("log-valid", SCENARIOS, "LoadGen's own verdict on the run",
          {"result": str}, lambda log: [log.exactly("Result is", "VALID")],
          "get_performance_metric_check", ("Result is : VALID", "Result is : INVALID")),
    Check("log-scenario", SCENARIOS, "a rate of another scenario is no rate of this row",
          {"scenario": str}, lambda log: [log.exactly("Scenario", log.scenario)],
          "inferred_check", ("Scenario : Offline", "Scenario : Server")),
    Check("log-mode", SCENARIOS, "a run for accuracy is not timed by the same rules",
          {"mode": str}, lambda log: [log.exactly("Mode", "PerformanceOnly")],
          "", ("PerformanceOnly", "AccuracyOnly")),
    Check("log-satisfied", SCENARIOS, "what a valid run must have kept, line by line",
          {"satisfied": each(str)}, lambda log: [log.satisfied()],
          "latency_check", ("Min queries satisfied : Yes", "Min queries satisfied : NO")),
    Check("log-early-stopping", (SERVER,), "the run had queries enough for its 99th percentiles to be trusted",
          {}, lambda log: [log.exactly(f"{one} Early Stopping Result", "* Run successful.") for one in ("TTFT", "TPOT")],
          "latency_check", ("TPOT Early Stopping Result:\n * Run s", "TPOT Early Stopping Result:\n * Run uns")),
    Check("log-seeds", SCENARIOS, "every submission runs the same samples in the same order",
          {}, lambda log: [log.integer(label, exactly=seed) for label, seed in (log.limits.seeds or {}).items()],
          "seeds_check", ("schedule_rng_seed : 1", "schedule_rng_seed : 2")),
    Check("log-duration", SCENARIOS, "a short run gives no steady rate",
          {"min_duration_ms": int}, lambda log: [log.integer("min_duration (ms)", at_least=log.limits.min_duration_ms)],
          "min_duration_check", ("min_duration (ms): 6", "min_duration (ms): 5")),
    Check("log-rate", SCENARIOS, "the summary's figure must come from this log",
          {"rate_tokens_per_s": ANY_NUMBER}, lambda log: [log.rate()],
          "get_performance_metric_check", ("Tokens per second: ", "Tokens per second: 9")),
    Check("log-samples", SCENARIOS, "the headroom needs the samples completed",
          {"samples_per_s": ANY_NUMBER}, lambda log: [log.number(SAMPLES_LABEL[log.scenario])],
          "", ("Samples per second: ", "Samples per second: -")),
    Check("log-scheduled", (SERVER,), "the headroom needs the samples scheduled",
          {"scheduled_samples_per_s": ANY_NUMBER}, lambda log: [log.number("Scheduled samples per second")],
          "", ("Scheduled samples per second : ", "Scheduled samples per second : -")),
    Check("log-settings", SCENARIOS, "published statements are about the target and the size of a query",
          {"target_qps": ANY_NUMBER, "samples_per_query": int, "max_async_queries": int},
          lambda log: [log.number("target_qps"), *map(log.integer, ("samples_per_query", "max_async_queries"))],
          "min_query_count_check", ("samples_per_query : ", "samples_per_query : about ")),
    Check("log-ttft", (SERVER,), "a Server rate counts only at the latency that its model allows",
          {"ttft_limit_ns": int, "ttft_p99_ns": int}, lambda log: log.latency("ttft", "first token latency"),
          "llm_check", ("ttft_latency (ns): 2", "ttft_latency (ns): 3")),
    Check("log-tpot", (SERVER,), "a Server rate counts only at the latency that its model allows",
          {"tpot_limit_ns": int, "tpot_p99_ns": int}, lambda log: log.latency("tpot", "time to output token"),
          "llm_check", ("time to output token (ns)   : 199999999", "time to output token (ns)   : 200000001")),
    Check("log-counts", SCENARIOS, "a log may be VALID with errors, which are then shown",
          {"warnings": int, "errors": int, "summary_errors": int}, lambda log: log.counts(),
          "loadgen_errors_check", ("No errors encountered", "Few errors encountered")),
    Check("log-path", SCENARIOS, "a log in the folder of another scenario may be of that one",
          {}, lambda log: [log.folder()],
          "", ("/Offline/performance/", "/Interactive/performance/")),
)  # fmt: skip


def facts_of(scenario: str) -> dict:
    """Return the shape of what a log of a scenario says when it has passed, in the order of results.json."""
    return {name: shape for check in CHECKS if scenario in check.scenarios for name, shape in check.facts.items()}


def check_log(log: Log, row: Row, limits: Limits) -> tuple[dict, list[Problem]]:
    """Return what was found in the log of ``row``, and what is wrong with it, by the ``CHECKS`` of the row's scenario.

    Numbers of the facts are those printed: tokens/s, ns, ms; None where the log has none.
    """
    facts, problems = {}, []
    for check in CHECKS:
        if row.text["Scenario"] in check.scenarios:
            fields = Fields(log, row, limits)
            facts.update(zip(check.facts, check.test(fields)))
            problems += [problem._replace(check=check.id) for problem in fields.problems]
    return facts, problems


def tables_of(constants: Constants, row: Row) -> tuple[dict | None, dict | None, list[Problem]]:
    """Return the targets and the upper limits of a row's metrics, None where there are none, and what is wrong with them."""
    tables, text = ("targets", "upper_limits"), row.text
    found, problems = gather(lambda table: metric_values(constants, table, text["Model"], text["Scenario"]), tables)
    return *map(found.get, tables), [problem._replace(check="constants") for problem in problems]


_METRIC = re.compile(r"([A-Za-z][A-Za-z0-9_]{0,60}): ([0-9]{1,15}(?:\.[0-9]{1,30})?)", re.ASCII)
WITHIN, FAILED, NOT_CHECKED = "within targets and limits", "failed", "not checked"


def reported(cell: str) -> dict[str, str]:
    """Return metric -> printed number of a summary Accuracy cell such as 'ROUGE1: 44.4  ROUGE2: 22.1'.

    Raises ValueError, with what is wrong, if the cell has any other form or a metric twice.
    """
    metrics: dict[str, str] = {}
    for part in cell.split("  "):
        if not (match := _METRIC.fullmatch(part)):
            raise ValueError(shown(part))
        if match[1] in metrics:
            raise ValueError(f"the metric {match[1]} twice")
        metrics[match[1]] = match[2]
    return metrics


def accuracy(row: Row, constants: Constants, name: str) -> tuple[dict, list[Problem]]:
    """Return a row's metrics with their targets, upper limits and verdict, as results.json holds them; and what is wrong.

    Numbers are in the metric's own unit, None where the checker sets none; ``name`` is the summary's file. The metrics of
    a row whose model has no targets are not checked, and given as they are reported.
    """
    known, limits, problems = tables_of(constants, row)
    checked, limits = known is not None, limits or {}
    targets, upper_limits = (known, limits) if checked else ({}, {})
    try:
        metrics = reported(row.text["Accuracy"])
        wrong = _against(metrics, targets, upper_limits) if checked else []
    except ValueError as error:
        metrics, wrong = {}, [("Accuracy", str(error), "'METRIC: number', two blanks between")]
    entry = {
        "row": row.id,
        "model": row.text["Model"],
        "verdict": FAILED if wrong else WITHIN if checked else NOT_CHECKED,
        "metrics": [
            {"metric": metric, "reported": float(text), "target": targets.get(metric), "upper_limit": upper_limits.get(metric)}
            for metric, text in metrics.items()
        ],
        "limits_without_a_reported_metric": [metric for metric in limits if metric not in metrics],
    }  # fmt: skip
    return entry, problems + [Problem(name, f"row {row.id!r}", *facts, check="accuracy") for facts in wrong]


def bounds_of(row: Row, constants: Constants, metric: str) -> dict[str, float | None]:
    """Return the target and the upper limit of a metric of a row and what the row reports, None where there is none."""
    targets, upper_limits, _ = tables_of(constants, row)
    try:
        found = reported(row.text["Accuracy"]).get(metric)
    except ValueError:  # which ``accuracy`` tells
        found = None
    return {
        "target": (targets or {}).get(metric),
        "upper_limit": (upper_limits or {}).get(metric),
        "reported": None if found is None else float(found),
    }


def _against(metrics: dict[str, str], targets: dict, upper_limits: dict) -> list[tuple[str, str, str]]:
    """Return (field, found, expected) of each metric that is absent, unknown, or beyond its target or upper limit."""
    known, absent = {**targets, **upper_limits}, [name for name in targets if name not in metrics]
    wrong = [(name, "no such metric", f"at least {targets[name]!r}") for name in absent]
    for metric, text in metrics.items():
        if metric not in known:
            wrong.append((metric, "a metric without a target", f"one of {', '.join(known)}"))
        bounds = beyond(float(text), at_least=targets.get(metric), at_most=upper_limits.get(metric))
        wrong += [(metric, text, expected) for expected in bounds]
    return [(f"Accuracy {metric}", found, expected) for metric, found, expected in wrong]
