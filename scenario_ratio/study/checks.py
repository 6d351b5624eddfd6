"""What a row's log and its accuracy must keep to: a table of checks of the log, and the metrics against their limits.

Nothing is raised for a row: each check gives its facts and what is wrong, so that the rest goes on.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Callable, NamedTuple

from scenario_ratio.problems import BundleError, Problem, shown
from scenario_ratio.shape import NUMBER as ANY_NUMBER
from scenario_ratio.shape import each
from scenario_ratio.study.pairing import OFFLINE, SCENARIOS, SERVER
from scenario_ratio.upstream.constants import Constants, Limits, log_limits, metric_values
from scenario_ratio.upstream.loadgen import INTEGER, NUMBER, Log
from scenario_ratio.upstream.summary import Row

RATE_LABEL = {OFFLINE: "Tokens per second", SERVER: "Completed tokens per second"}
SAMPLES_LABEL = {OFFLINE: "Samples per second", SERVER: "Completed samples per second"}
SATISFIED = {
    OFFLINE: ("Min duration satisfied", "Min queries satisfied", "Early stopping satisfied"),
    SERVER: (
        "Performance constraints satisfied", "Min duration satisfied", "Min queries satisfied", "Early stopping satisfied",
    ),
}  # fmt: skip


def half_unit(text: str, significant: int | None = None) -> Decimal:
    """Return half a unit of the last digit that a printed number carries.

    With ``significant`` the number was printed with that many significant digits and trailing zeros dropped, so
    its last digit may lie further right than the text shows (and never further left than the text shows).
    """
    exponent = Decimal(text).as_tuple().exponent
    if significant is not None:
        number = Decimal(text).normalize()
        exponent = min(number.as_tuple().exponent, number.adjusted() - significant + 1)
    return Decimal(5).scaleb(exponent - 1)


class Fields:
    """Reads one parsed log's fields as numbers or expected texts and collects what is wrong."""

    def __init__(self, log: Log):
        self.log = log
        self.problems: list[Problem] = []

    def wrong(self, label: str, found: str, expected: str) -> None:
        """Add a problem at the line of ``label``, or at none if the log has no such line."""
        place = f"line {self.log.lines[label][0]}" if label in self.log.lines else ""
        self.problems.append(Problem(self.log.name, place, label, found, expected))

    def exactly(self, label: str, expected: str) -> str | None:
        """Return the text of a field, which must be ``expected``."""
        value = self.log.values.get(label)
        if value is None:
            self.wrong(label, "no such line", shown(expected))
        elif value != expected:
            self.wrong(label, shown(value), shown(expected))
        return value

    def _text(self, label: str, pattern: re.Pattern, expected: str) -> str | None:
        value = self.log.values.get(label)
        if value is not None and pattern.fullmatch(value):
            return value
        self.wrong(label, "no such line" if value is None else shown(value), expected)
        return None

    def integer(self, label: str) -> int | None:
        """Return a field that must be an integer."""
        text = self._text(label, INTEGER, "an integer")
        return None if text is None else int(text)

    def number(self, label: str) -> float | None:
        """Return a field that must be a number that is not negative."""
        text = self._text(label, NUMBER, "a number")
        return None if text is None else float(text)

    def setting(self, label: str, expected: int | None) -> int | None:
        """Return an integer that must be ``expected``, or any if that is None."""
        value = self.integer(label)
        if None not in (value, expected) and value != expected:
            self.wrong(label, str(value), str(expected))
        return value

    def at_least(self, label: str, limit: int | None) -> int | None:
        """Return an integer that must not be below ``limit``, if there is one."""
        value = self.integer(label)
        if None not in (value, limit) and value < limit:
            self.wrong(label, str(value), f"at least {limit}")
        return value

    def within(self, label: str, limit: int | None) -> int | None:
        """Return an integer that must not be negative, nor above ``limit``, if there is one."""
        value = self.integer(label)
        if value is not None and (value < 0 or (limit is not None and value > limit)):
            self.wrong(label, str(value), f"at most {limit}" if value >= 0 else "a time that is not negative")
        return value

    def encountered(self, kind: str) -> int | None:
        """Return how many warnings or errors the log says were encountered; it must say so."""
        if kind in self.log.encountered:
            return self.log.encountered[kind][0]
        self.wrong(f"{kind}s encountered", "no such line", "a count, or 'No'")
        return None

    def satisfied(self, scenario: str) -> dict[str, str | None]:
        """Return the satisfied-lines of a scenario, then any other that is there; each must be Yes."""
        required = SATISFIED[scenario]
        others = [label for label in self.log.values if label.endswith(" satisfied") and label not in required]
        return {label: self.exactly(label, "Yes") for label in (*required, *others)}

    def rate(self, scenario: str, summary_rate: str) -> float | None:
        """Return the log's rate in tokens/s, which must agree with the summary's.

        The two half-units together bound the difference: the summary has six significant digits, and so has the
        Offline log; the Server log has two decimals.
        """
        label = RATE_LABEL[scenario]
        if label not in self.log.values and f"{label} (inferred)" in self.log.values:
            label = f"{label} (inferred)"
        text = self._text(label, NUMBER, "a number of tokens per second")
        if text is None:
            return None
        allowed = half_unit(summary_rate, 6) + half_unit(text, 6 if scenario == OFFLINE else None)
        if abs(Decimal(text) - Decimal(summary_rate)) > allowed:
            self.wrong(label, text, f"{summary_rate} as in the summary, within {allowed.normalize():f}")
        return float(text)


def _early_stopping(log: Fields, row: Row, limits: Limits) -> None:
    for name in ("TTFT", "TPOT"):
        log.exactly(f"{name} Early Stopping Result", "* Run successful.")


def _seeds(log: Fields, row: Row, limits: Limits) -> None:
    for label, seed in (limits.seeds or {}).items():
        log.setting(label, seed)


def _ttft(log: Fields, row: Row, limits: Limits) -> tuple:
    p99 = "99.00 percentile first token latency (ns)"
    return log.setting("ttft_latency (ns)", limits.ttft_ns), log.within(p99, limits.ttft_ns)


def _tpot(log: Fields, row: Row, limits: Limits) -> tuple:
    p99 = "99.00 percentile time to output token (ns)"
    return log.setting("tpot_latency (ns)", limits.tpot_ns), log.within(p99, limits.tpot_ns)


def _counts(log: Fields, row: Row, limits: Limits) -> tuple:
    in_summary = int(row.text["errors"]) if row.text["errors"].isdecimal() else None
    return log.encountered("warning"), log.encountered("error"), in_summary


def _folder(log: Fields, row: Row, limits: Limits) -> None:
    """The folder above that of the run is named after the scenario; some submissions spell it in lower case."""
    scenario, folder = row.text["Scenario"], log.log.name.split("/")[-4:][0]
    if folder.lower() != scenario.lower():
        log.wrong("the scenario in its path", folder, scenario)


class Check(NamedTuple):
    """One check of a log of some ``scenarios``: its id, what it holds in words, and why (``reason``).

    ``test(fields, row, limits)`` returns the values of ``facts`` (name -> shape), in their order, and adds to
    ``fields`` what is wrong. ``upstream`` names the method of mlcommons/inference's submission checker that looks at the
    same (in tools/submission/submission_checker/checks/performance_check.py), '' if none is known. ``refused`` is a text
    of a good log, or of its path, and what stands in its place when this check refuses the log.
    """

    id: str
    scenarios: tuple[str, ...]
    label: str
    facts: dict
    test: Callable[[Fields, Row, Limits], tuple | None]
    reason: str
    upstream: str
    refused: tuple[str, str]


# One row is one check. The facts of a log in results.json have this order, and these shapes.
CHECKS = (
    Check(
        "log-valid", SCENARIOS, "the result is VALID", {"result": str},
        lambda log, row, limits: (log.exactly("Result is", "VALID"),),
        "LoadGen's own verdict on the run",
        "get_performance_metric_check", ("Result is : VALID", "Result is : INVALID"),
    ),
    Check(
        "log-scenario", SCENARIOS, "the scenario is the row's", {"scenario": str},
        lambda log, row, limits: (log.exactly("Scenario", row.text["Scenario"]),),
        "a rate of another scenario is no rate of this row",
        "inferred_check", ("Scenario : Offline", "Scenario : Server"),
    ),
    Check(
        "log-mode", SCENARIOS, "the run is one for performance", {"mode": str},
        lambda log, row, limits: (log.exactly("Mode", "PerformanceOnly"),),
        "a run for accuracy is not timed by the same rules",
        "", ("PerformanceOnly", "AccuracyOnly"),
    ),
    Check(
        "log-satisfied", SCENARIOS, "every condition of the run is satisfied", {"satisfied": each(str)},
        lambda log, row, limits: (log.satisfied(row.text["Scenario"]),),
        "what a valid run must have kept, line by line",
        "latency_check", ("Min queries satisfied : Yes", "Min queries satisfied : NO"),
    ),
    Check(
        "log-early-stopping", (SERVER,), "both latencies pass the test of early stopping", {},
        _early_stopping,
        "the run had queries enough for its 99th percentiles to be trusted",
        "latency_check", ("TPOT Early Stopping Result:\n * Run s", "TPOT Early Stopping Result:\n * Run uns"),
    ),
    Check(
        "log-seeds", SCENARIOS, "the random seeds are those of the round", {},
        _seeds,
        "every submission runs the same samples in the same order",
        "seeds_check", ("schedule_rng_seed : 1", "schedule_rng_seed : 2"),
    ),
    Check(
        "log-duration", SCENARIOS, "the run had to last as long as the round asks", {"min_duration_ms": int},
        lambda log, row, limits: (log.at_least("min_duration (ms)", limits.min_duration_ms),),
        "a short run gives no steady rate",
        "min_duration_check", ("min_duration (ms): 6", "min_duration (ms): 5"),
    ),
    Check(
        "log-rate", SCENARIOS, "the rate is the summary's", {"rate_tokens_per_s": ANY_NUMBER},
        lambda log, row, limits: (log.rate(row.text["Scenario"], row.text["Result"]),),
        "the summary's figure must come from this log",
        "get_performance_metric_check", ("Tokens per second: ", "Tokens per second: 9"),
    ),
    Check(
        "log-samples", SCENARIOS, "the samples per second are a number", {"samples_per_s": ANY_NUMBER},
        lambda log, row, limits: (log.number(SAMPLES_LABEL[row.text["Scenario"]]),),
        "the headroom needs those completed",
        "", ("Samples per second: ", "Samples per second: -"),
    ),
    Check(
        "log-scheduled", (SERVER,), "the samples scheduled per second are a number", {"scheduled_samples_per_s": ANY_NUMBER},
        lambda log, row, limits: (log.number("Scheduled samples per second"),),
        "the headroom needs those scheduled",
        "", ("Scheduled samples per second : ", "Scheduled samples per second : -"),
    ),
    Check(
        "log-settings", SCENARIOS, "the target and the size of a query are numbers",
        {"target_qps": ANY_NUMBER, "samples_per_query": int},
        lambda log, row, limits: (log.number("target_qps"), log.integer("samples_per_query")),
        "published statements are about them",
        "min_query_count_check", ("samples_per_query : ", "samples_per_query : about "),
    ),
    Check(
        "log-ttft", (SERVER,), "the 99th percentile of TTFT is within the model's limit",
        {"ttft_limit_ns": int, "ttft_p99_ns": int},
        _ttft,
        "a Server rate counts only at the latency that its model allows",
        "llm_check", ("ttft_latency (ns): 2", "ttft_latency (ns): 3"),
    ),
    Check(
        "log-tpot", (SERVER,), "the 99th percentile of TPOT is within the model's limit",
        {"tpot_limit_ns": int, "tpot_p99_ns": int},
        _tpot,
        "a Server rate counts only at the latency that its model allows",
        "llm_check", ("time to output token (ns)   : 199999999", "time to output token (ns)   : 200000001"),
    ),
    Check(
        "log-counts", SCENARIOS, "warnings and errors are counted",
        {"warnings": int, "errors": int, "summary_errors": int},
        _counts,
        "a log may be VALID with errors, which are then shown",
        "loadgen_errors_check", ("No errors encountered", "Few errors encountered"),
    ),
    Check(
        "log-path", SCENARIOS, "the folder is the scenario's", {},
        _folder,
        "a log in the folder of another scenario may be of that one",
        "", ("/Offline/performance/", "/Interactive/performance/"),
    ),
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
            fields = Fields(log)
            facts.update(zip(check.facts, check.test(fields, row, limits) or ()))
            problems += [problem._replace(check=check.id) for problem in fields.problems]
    return facts, problems


class Figures(NamedTuple):
    """What the checker's constants say of one row: of its metrics and of its log; None where they say nothing."""

    targets: dict | None
    upper_limits: dict | None
    limits: Limits


NO_LIMITS = Limits(None, None, None, None)


def figures_of(constants: Constants, row: Row) -> tuple[Figures, list[Problem]]:
    """Return the checker's figures for a row, and which of them are of a wrong form; those then say nothing."""
    label, scenario = row.text["Model"], row.text["Scenario"]
    wanted = (
        (None, lambda: metric_values(constants, "targets", label, scenario)),
        (None, lambda: metric_values(constants, "upper_limits", label, scenario)),
        (NO_LIMITS, lambda: log_limits(constants, label)),
    )
    figures, problems = [], []
    for nothing, read in wanted:
        try:
            figures.append(read())
        except BundleError as error:
            figures.append(nothing)
            problems += [problem._replace(check="constants") for problem in error.problems]
    return Figures(*figures), problems


_METRIC = re.compile(r"([A-Za-z][A-Za-z0-9_]{0,60}): ([0-9]{1,15}(?:\.[0-9]{1,30})?)", re.ASCII)
WITHIN, FAILED, NOT_CHECKED = "within targets and limits", "failed", "not checked"


def reported(cell: str) -> dict[str, str]:
    """Return metric -> printed number of a summary Accuracy cell such as 'ROUGE1: 44.4  ROUGE2: 22.1'.

    Raises ValueError, with what is wrong, if the cell has any other form or a metric twice.
    """
    metrics: dict[str, str] = {}
    for part in cell.split("  "):
        match = _METRIC.fullmatch(part)
        if not match:
            raise ValueError(shown(part))
        if match[1] in metrics:
            raise ValueError(f"the metric {match[1]} twice")
        metrics[match[1]] = match[2]
    return metrics


def accuracy(row: Row, constants: Constants, name: str) -> tuple[dict, list[Problem]]:
    """Return a row's metrics with their targets and upper limits, and a verdict, as results.json holds them; and what is wrong.

    Numbers are in the metric's own unit, None where the checker sets none; ``name`` is the summary's file. Wrong are: a
    metric below its target or above its upper limit, one that has a target and is not reported, one that the checker
    does not know, a cell of another form. A row whose model has no targets is not checked, and its metrics are given as
    they are reported.
    """
    figures, problems = figures_of(constants, row)
    limits = figures.upper_limits or {}
    held_against = ({}, {}) if figures.targets is None else (figures.targets, limits)
    try:
        metrics = reported(row.text["Accuracy"])
    except ValueError as error:
        metrics, wrong = {}, [("Accuracy", str(error), "'METRIC: number', two blanks between")]
    else:
        wrong = [] if figures.targets is None else _against(metrics, *held_against)
    targets, upper_limits = held_against
    entry = {
        "row": row.id,
        "model": row.text["Model"],
        "verdict": FAILED if wrong else NOT_CHECKED if figures.targets is None else WITHIN,
        "metrics": [
            {"metric": metric, "reported": float(text), "target": targets.get(metric), "upper_limit": upper_limits.get(metric)}
            for metric, text in metrics.items()
        ],
        "limits_without_a_reported_metric": [metric for metric in limits if metric not in metrics],
    }  # fmt: skip
    return entry, problems + [Problem(name, f"row {row.id!r}", *facts, check="accuracy") for facts in wrong]


def _against(metrics: dict[str, str], targets: dict, upper_limits: dict) -> list[tuple[str, str, str]]:
    """Return (field, found, expected) of each metric that is absent, unknown, or beyond its target or upper limit."""
    wrong = [
        (f"Accuracy {metric}", "no such metric", f"at least {target!r}")
        for metric, target in targets.items()
        if metric not in metrics
    ]
    for metric, text in metrics.items():
        target, upper_limit = targets.get(metric), upper_limits.get(metric)
        if target is None and upper_limit is None:
            known = ", ".join({**targets, **upper_limits})
            wrong.append((f"Accuracy {metric}", "a metric without a target", f"one of {known}"))
        if target is not None and not float(text) >= target:
            wrong.append((f"Accuracy {metric}", text, f"at least {target!r}"))
        if upper_limit is not None and not float(text) <= upper_limit:
            wrong.append((f"Accuracy {metric}", text, f"at most {upper_limit!r}"))
    return wrong
