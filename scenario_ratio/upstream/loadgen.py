"""LoadGen summary logs: reading one, and checking it against its row of the summary.

The form of the log is that of loadgen in mlcommons/inference; definitions of the scenarios:
loadgen/test_settings.h at 3fbc329939999c13d0a7b5e67fb2092287e06047. Latencies are in nanoseconds.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scenario_ratio.files import decode
from scenario_ratio.problems import BundleError, Problem, raise_if_any, shown
from scenario_ratio.study.log_fields import INTEGER, Fields
from scenario_ratio.upstream.summary import Row

LINE_LIMIT = 10_000  # lines; a summary log has about a hundred
SAMPLES_LABELS = {
    "Offline": {"samples_per_s": "Samples per second"},
    "Server": {
        "samples_per_s": "Completed samples per second",
        "scheduled_samples_per_s": "Scheduled samples per second",
    },
}
SATISFIED = {
    "Offline": ("Min duration satisfied", "Min queries satisfied", "Early stopping satisfied"),
    "Server": (
        "Performance constraints satisfied", "Min duration satisfied", "Min queries satisfied", "Early stopping satisfied",
    ),
}  # fmt: skip
EARLY_STOPPING = {"Offline": (), "Server": ("TTFT Early Stopping Result", "TPOT Early Stopping Result")}
SUCCESS = "* Run successful."
HEADING = "Early Stopping Result"  # ends a label whose value is the first starred line below
P99_LABEL = {"ttft": "99.00 percentile first token latency (ns)", "tpot": "99.00 percentile time to output token (ns)"}
PERCENTILES = ("50.00", "90.00", "95.00", "97.00", "99.00", "99.90")

# The distributions a log can print: what follows Min, Max and Mean in a label, and what follows 'percentile'.
# TPOT has two spellings; v5.1 writes the second.
DISTRIBUTIONS = (
    ("latency (ns)", "latency (ns)"),
    ("First Token latency (ns)", "first token latency (ns)"),
    ("Time per Output Token (ns)", "time to output token (ns)"),
    ("Time to Output Token (ns)", "time to output token (ns)"),
)

_ENCOUNTERED = re.compile(r"(No|[0-9]{1,9}) (warning|error)s? encountered\b", re.ASCII | re.IGNORECASE)


class Log(NamedTuple):
    """A parsed summary log: each label's value, its first line as (number, printed line), and the counts of
    warnings and errors.

    ``encountered`` maps 'warning' and 'error' to (count, line number, printed line); a kind the log does not
    mention is absent from it.
    """

    name: str
    values: dict
    lines: dict
    encountered: dict


def parse(raw: bytes, name: str) -> Log:
    """Return the log of ``raw``.

    A label ends at the first colon, so that a SUT name may hold colons. A label may repeat with the same value;
    raises BundleError if it repeats with another, since it would be a choice which one to believe, and on
    anything that is not a summary log.
    """
    text = decode(raw, name)
    if text.count("\n") > LINE_LIMIT:
        raise BundleError(Problem(name, found=f"more than {LINE_LIMIT} lines", expected="a LoadGen summary log"))
    values: dict[str, str] = {}
    lines: dict[str, tuple] = {}
    encountered: dict[str, tuple] = {}
    problems = []
    heading = ""
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if count := _ENCOUNTERED.match(stripped):
            label, value = count[2].lower(), stripped
            if encountered.setdefault(label, (_count(count[1]), number, value))[2] != value:
                problems.append(_repeat(name, number, f"{label}s encountered", value, encountered[label][2]))
            continue
        if stripped.startswith("* "):
            if not heading:
                continue
            label, value, heading = heading, stripped, ""  # what follows the first point of a heading explains it
        else:
            label, colon, value = stripped.partition(":")
            label, value = label.rstrip(), value.strip()
            heading = label if label.endswith(HEADING) else ""
            if not colon or label == "WARNING" or (heading and not value):
                continue
        if values.setdefault(label, value) != value:
            problems.append(_repeat(name, number, label, value, values[label]))
        lines.setdefault(label, (number, stripped))
    if "Result is" not in values and not problems:
        problems.append(Problem(name, field="Result is", found="no such line", expected="a LoadGen summary log"))
    raise_if_any(problems)
    return Log(name, values, lines, encountered)


def _count(text: str) -> int:
    return 0 if text.lower() == "no" else int(text)


def _repeat(name: str, line: int, label: str, value: str, earlier: str) -> Problem:
    return Problem(name, f"line {line}", label, shown(value), f"{shown(earlier)}, as the same field says earlier")


class Limits(NamedTuple):
    """What the checker constants say a log of one model must keep to; None where they say nothing."""

    ttft_ns: int | None
    tpot_ns: int | None
    seeds: dict | None
    min_duration_ms: int | None


def check(log: Log, row: Row, limits: Limits) -> tuple[dict, list[Problem]]:
    """Return what was found in the log of ``row`` (an Offline or Server row), and what is wrong with it.

    Checked: VALID; the row's scenario; PerformanceOnly; every satisfied-line Yes; the standard seeds; the minimum
    duration; the rate against the summary's; for Server also both latency settings and both achieved 99th
    percentiles against the limits. Numbers of the facts are those printed: tokens/s, ns, ms.
    """
    scenario = row.text["Scenario"]
    reader = Fields(log)
    facts: dict = {
        "result": reader.exactly("Result is", "VALID"),
        "scenario": reader.exactly("Scenario", scenario),
        "mode": reader.exactly("Mode", "PerformanceOnly"),
        "satisfied": {label: reader.exactly(label, "Yes") for label in _satisfied_labels(log, scenario)},
    }
    for label in EARLY_STOPPING[scenario]:
        reader.exactly(label, SUCCESS)
    reader.seeds(limits.seeds)
    facts["min_duration_ms"] = reader.at_least("min_duration (ms)", limits.min_duration_ms)
    facts["rate_tokens_per_s"] = reader.rate(scenario, row.text["Result"])
    facts.update({key: reader.number(label) for key, label in SAMPLES_LABELS[scenario].items()})
    facts["target_qps"] = reader.number("target_qps")
    facts["samples_per_query"] = reader.integer("samples_per_query")
    if scenario == "Server":
        for short, limit in (("ttft", limits.ttft_ns), ("tpot", limits.tpot_ns)):
            facts[f"{short}_limit_ns"] = reader.setting(f"{short}_latency (ns)", limit)
            facts[f"{short}_p99_ns"] = reader.within(P99_LABEL[short], limit)
    facts["warnings"] = reader.encountered("warning")
    facts["errors"] = reader.encountered("error")
    facts["summary_errors"] = int(row.text["errors"]) if row.text["errors"].isdigit() else None
    return facts, reader.problems


def _satisfied_labels(log: Log, scenario: str) -> list[str]:
    """Return the satisfied-lines that must be there, then any other that is."""
    required = SATISFIED[scenario]
    return [*required, *(label for label in log.values if label.endswith(" satisfied") and label not in required)]


def distributions(log: Log) -> list[dict[str, int]]:
    """Return each latency distribution that the log prints in full, as label -> ns: minimum, percentiles, maximum, mean."""
    found = []
    for extremes, percentile in DISTRIBUTIONS:
        labels = [
            f"Min {extremes}",
            *(f"{p} percentile {percentile}" for p in PERCENTILES),
            f"Max {extremes}",
            f"Mean {extremes}",
        ]
        if all(INTEGER.fullmatch(log.values.get(label, "")) for label in labels):
            found.append({label: int(log.values[label]) for label in labels})
    return found
