"""What a performance log must say for its row to count, and what is odd in a log that does: worked out a second time."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import NamedTuple

from tests.again import released, spelled
from tests.again.released import log_number, log_text, log_value

RATE = {"Offline": "Tokens per second", "Server": "Completed tokens per second"}
SAMPLES = {"Offline": "Samples per second", "Server": "Completed samples per second"}
YES = {"Offline": [], "Server": ["Performance constraints satisfied"]}
YES_OF_ALL = ["Min duration satisfied", "Min queries satisfied", "Early stopping satisfied"]
# What lies between the minimum, the six percentiles and the maximum of a distribution, as shares of the samples.
PERCENTILES = ["50.00", "90.00", "95.00", "97.00", "99.00", "99.90"]
CUTS = [Fraction(0), *(Fraction(one) / 100 for one in PERCENTILES), Fraction(1)]
# The least, greatest and mean of a distribution are called one thing in a log, its percentiles another.
DISTRIBUTIONS = {
    "latency (ns)": "latency (ns)",
    "First Token latency (ns)": "first token latency (ns)",
    "Time per Output Token (ns)": "time to output token (ns)",
}
COUNTER = 2**64


class Oddity(NamedTuple):
    """Something odd in a log: its row, kind, printed line, and what follows from it."""

    row: str
    kind: str
    printed: str
    follows: str


def wrong(row_id: str) -> list:
    """Return in words what a row's log, which is there, does not keep to."""
    row, config = released.rows()[row_id], released.checker()["MODEL_CONFIG"][released.version()]
    scenario = row["Scenario"]
    stated = {"Result is": "VALID", "Scenario": scenario, "Mode": "PerformanceOnly"}
    stated.update(dict.fromkeys(YES[scenario] + YES_OF_ALL, "Yes"))
    stated.update({name: str(seed) for name, seed in config["seeds"].items()})
    found = [f"{label} is not {value}" for label, value in stated.items() if log_value(row_id, label) != value]
    if log_number(row_id, "min_duration (ms)") < config["test_duration_ms"]:
        found.append("short")
    if not agrees(
        row["Result"], log_value(row_id, RATE[scenario]) or log_value(row_id, f"{RATE[scenario]} (inferred)")
    ):
        found.append("another rate")
    return found + (late(row_id, row["Model"]) if scenario == "Server" else [])


def late(row_id: str, model: str) -> list:
    """Return which latencies of a Server log are beyond the model's limits, or were held to others."""
    found = []
    for latency in ("ttft", "tpot"):
        most = released.limit(model, latency)
        kept = log_number(row_id, f"{latency}_latency (ns)") == most and released.p99(row_id, latency) <= most
        found += [] if kept else [latency]
    return found + ["stopped early"] * (len(re.findall(r"\* Run successful\.", log_text(row_id))) != 2)


def agrees(in_summary: str, in_log: str) -> bool:
    """Tell whether two rates are one, the first given with six significant digits, the second with these or two decimals."""
    number = Fraction(in_log)
    digits = len(str(int(number)))
    unit = Fraction(10) ** (digits - 6)
    return abs(Fraction(in_summary) - number) <= (unit + max(unit, Fraction(1, 100))) / 2


@lru_cache(maxsize=None)
def status(row_id: str) -> str:
    """Return what a reader is told of a row's log."""
    if log_text(row_id) is None:
        return "not available"
    return f"failed: {wrong(row_id)}" if wrong(row_id) else "passed"


def says(row_id: str) -> str:
    """Return what a row's log says of its run, with the errors and warnings that it counts."""
    if status(row_id) != "passed":
        return status(row_id)
    counts = {kind: released.encountered(row_id, kind)[0] for kind in ("error", "warning")}
    told = [spelled.many(number, kind) for kind, number in counts.items() if number]
    return log_value(row_id, "Result is") + (f", with {spelled.together(told)} in the log" if told else "")


@lru_cache(maxsize=None)
def oddities() -> tuple:
    """Return what is odd in the logs that passed, by row and then by line."""
    found = []
    for row_id in released.eligible():
        if status(row_id) == "passed":
            of_row = [*encountered(row_id), *of_tokens(row_id), *of_latencies(row_id)]
            found += sorted(of_row, key=lambda odd: lines(row_id).index(odd.printed))
    return tuple(found)


def lines(row_id: str) -> list:
    """Return the lines of a row's log as a page shows them, each run of blanks as one."""
    return [" ".join(line.split()) for line in log_text(row_id).split("\n")]


def encountered(row_id: str) -> list:
    """Return the warnings and errors that a log counts."""
    told = {"warning": "", "error": f"summary says {spelled.many(int(released.rows()[row_id]['errors']), 'error')}; "}
    counts = {kind: released.encountered(row_id, kind) for kind in told}
    return [
        Oddity(row_id, f"{kind}s encountered", line, told[kind] + "not used in any ratio")
        for kind, (count, line) in counts.items()
        if count
    ]


def of_tokens(row_id: str) -> list:
    """Return the tokens of a sample if they are outside what the accuracy of the row must keep to, else nothing."""
    row, metric = released.rows()[row_id], "TOKENS_PER_SAMPLE"
    least, most = (bounds.get(metric) for bounds in released.bounds(row["Model"]))
    label = RATE[row["Scenario"]]
    tokens = Fraction(log_value(row_id, label) or log_value(row_id, f"{label} (inferred)"))
    a_sample = tokens / log_number(row_id, SAMPLES[row["Scenario"]])
    if (least is None or a_sample >= least) and (most is None or a_sample <= most):
        return []
    asked = [f"{word} {spelled.metric(bound)}" for word, bound in (("at least", least), ("at most", most)) if bound]
    reported = released.metrics(row_id).get(metric)
    has = f", and has {spelled.metric(Fraction(reported))}" if reported else ""
    told = (
        f"{spelled.rounded(a_sample, 2)} tokens a sample; the accuracy run must have {spelled.together(asked)}{has}; "
        "performance and accuracy are different runs, so the rate is used in its ratio"
    )
    line = next(line for line in lines(row_id) if line.startswith(label))
    return [Oddity(row_id, "tokens per sample beyond the accuracy bounds", line, told)]


def of_latencies(row_id: str) -> list:
    """Return the latencies that cannot be, and the means that lie where their own percentiles allow none."""
    found = []
    for name, percentile in DISTRIBUTIONS.items():
        labels = [f"Min {name}", *(f"{one} percentile {percentile}" for one in PERCENTILES), f"Max {name}"]
        if log_value(row_id, labels[0]) is None:
            continue
        steps = [int(log_value(row_id, label)) for label in labels]
        for label, step, least in zip(labels, steps, [0, *steps]):
            if step < max(0, least):
                found.append(Oddity(row_id, "impossible latency", line_of(row_id, label), "not used in any ratio"))
        found += of_mean(row_id, f"Mean {name}", steps)
    return found


def line_of(row_id: str, label: str) -> str:
    """Return the line of a log that starts with a label."""
    return next(line for line in lines(row_id) if line.startswith(f"{label} :"))


def of_mean(row_id: str, label: str, steps: list) -> list:
    """Return a mean that lies outside what the steps of its distribution allow, as a list of one, or nothing."""
    mean = int(log_value(row_id, label))
    shares = [high - low for low, high in zip(CUTS, CUTS[1:])]
    least = floor(sum(share * step for share, step in zip(shares, steps)))
    most = ceil(sum(share * step for share, step in zip(shares, steps[1:])))
    if least <= mean <= most:
        return []
    told = f"percentiles bound the mean between {spelled.count(least)} and {spelled.count(most)} ns"
    if label == "Mean latency (ns)" and log_value(row_id, "Scenario") == "Offline":
        told += unwrapped(mean, round(log_number(row_id, "Samples per second") * steps[-1] / 10**9), least, most)
    return [Oddity(row_id, "mean outside its percentiles", line_of(row_id, label), f"{told}; not used in any ratio")]


def unwrapped(mean: int, samples: int, least: int, most: int) -> str:
    """Return in words what a mean was before the sum of its samples passed the end of the counter, '' if that is not it."""
    for wraps in (1, 2, 3, 4):
        value = mean + wraps * COUNTER // samples
        if least <= value <= most:
            return (
                f"; with {spelled.count(samples)} samples and {spelled.many(wraps, 'wrap')} of a 64-bit sum it is "
                f"{spelled.count(value)} ns, within a few millionths"
            )
    return ""
