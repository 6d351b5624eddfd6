"""What is odd in a log that passed its checks: recorded and shown.

The tokens of a sample are held against the bounds that the accuracy of the row must keep. Performance and accuracy are
different runs, so a performance run beyond these bounds breaks no rule, and its rate is used.

A mean that its own percentiles exclude is tested for a wrapped 64-bit sum: LoadGen adds latencies in ns, and a
long Offline run of many samples passes 2**64 ns.
"""

from __future__ import annotations

from decimal import Decimal

from scenario_ratio.study.checks import RATE_LABEL, SAMPLES_LABEL, half_unit, rate_label
from scenario_ratio.study.pairing import OFFLINE
from scenario_ratio.upstream.loadgen import INTEGER, NUMBER, Log, distributions

WRAP = 2**64
MAX_WRAPS = 4
TOKENS = "TOKENS_PER_SAMPLE"  # the metric of the accuracy that a performance run can be held against
BEYOND = "tokens per sample beyond the accuracy bounds"
CONSEQUENCE = "not used in any ratio"
# Of kinds that have another consequence.
CONSEQUENCES = {BEYOND: "performance and accuracy are different runs, so the rate is used in its ratio"}
FACTS = ("summary_errors",)  # of a log, read here beside what is printed
MEAN_FACTS = ("lower_bound_ns", "upper_bound_ns", "samples", "wraps", "unwrapped_mean_ns")
TOKENS_FACTS = ("tokens_per_sample", "target", "upper_limit", "reported")
# Which of the facts of a mean are not null: none, the bounds, the samples too, or all.
GIVEN = [[number < most for number in range(len(MEAN_FACTS))] for most in (0, 2, 3, 5)]
# Shares of the samples, in thousandths, between the neighbours of: minimum, p50, p90, p95, p97, p99, p99.9, maximum.
SLICES = (500, 400, 50, 20, 20, 9, 1)


def mean_bounds(ladder: list[int]) -> tuple[int, int]:
    """Return the least and greatest mean, in ns, that a minimum, six percentiles and a maximum allow.

    Each slice of the distribution lies between its two neighbours in ``ladder``, so the mean lies between the
    sums of the lower and of the upper neighbours, weighted by the slices. The bounds are rounded outwards.
    """
    low = sum(share * value for share, value in zip(SLICES, ladder))
    high = sum(share * value for share, value in zip(SLICES, ladder[1:]))
    return low // 1000, -(-high // 1000)


def sample_count(log: Log) -> int | None:
    """Return how many samples an Offline log covers: samples/s times the longest latency; None for other logs.

    All Offline samples are issued at once, so the longest latency is the run. The rate has six significant
    digits, so the count is good to a few millionths.
    """
    samples_per_s = log.values.get("Samples per second", "")
    if log.values.get("Scenario") != "Offline" or not NUMBER.fullmatch(samples_per_s):
        return None
    return round(Decimal(samples_per_s) * int(log.values["Max latency (ns)"]) / 10**9)


def unwrapped_mean(mean: int, samples: int, low: int, high: int) -> tuple[int, int] | None:
    """Return (k, mean + k * 2**64 / samples) for the smallest k that brings a mean within its bounds, or None.

    ``mean``, ``low`` and ``high`` are in ns; the value is cut to whole ns, as LoadGen cuts a mean.
    """
    values = ((wraps, mean + wraps * WRAP // samples) for wraps in range(1, MAX_WRAPS + 1))
    return next(((wraps, value) for wraps, value in values if low <= value <= high), None)


def tokens_per_sample(log: Log) -> tuple[float, Decimal, Decimal] | None:
    """Return tokens/s over samples/s of a log, the least and the most that it can be for rounding; None without them."""
    scenario = log.values.get("Scenario", "")
    if scenario not in RATE_LABEL:
        return None
    texts = [log.values.get(label, "") for label in (rate_label(log, scenario), SAMPLES_LABEL[scenario])]
    if not all(map(NUMBER.fullmatch, texts)):
        return None
    tokens, samples = map(Decimal, texts)
    about, around = (half_unit(text, 6 if scenario == OFFLINE else None) for text in texts)
    if not samples:
        return None
    return float(tokens / samples), (tokens - about) / (samples + around), (tokens + about) / (samples - around)


def find(log: Log, bounds: dict[str, float | None]) -> list[dict]:
    """Return the anomalies of a log: each with its kind, line number and printed line; a mean with its bounds in ns.

    ``bounds`` are what checks.bounds_of gives for TOKENS: the tokens a sample that the row's accuracy must have and has.
    """
    found = []
    for label in ("warnings encountered", "errors encountered"):
        count = log.values.get(label, "")
        if INTEGER.fullmatch(count) and int(count):
            found.append((label, label, {"count": int(count)}))
    found += _of_tokens(log, bounds)
    for distribution in distributions(log):
        found += _of_latencies(log, distribution)
    told = [{"kind": kind, **dict(zip(("line", "printed"), log.lines[label])), **facts} for label, kind, facts in found]
    return sorted(told, key=lambda anomaly: anomaly["line"])


def table(logs: list[dict]) -> list[dict]:
    """Return the anomalies of all logs that passed, a flat row each, in the order of ``logs``.

    The facts of a mean and of tokens are null for the other kinds; the consequence is that for ratios.
    """
    return [
        {
            "row": log["row"],
            **{key: anomaly[key] for key in ("kind", "line", "printed")},
            "summary_errors": log["summary_errors"],
            **{key: anomaly.get(key) for key in (*MEAN_FACTS, *TOKENS_FACTS)},
            "consequence": CONSEQUENCES.get(anomaly["kind"], CONSEQUENCE),
        }
        for log in logs
        if log["status"] == "passed"
        for anomaly in log["anomalies"]
    ]


def _of_tokens(log: Log, bounds: dict[str, float | None]) -> list[tuple[str, str, dict]]:
    """Return (label, kind, facts) of tokens per sample that are beyond a bound, however they were rounded."""
    found, (target, upper_limit) = tokens_per_sample(log), (bounds[key] for key in ("target", "upper_limit"))
    if found is None:
        return []
    value, least, most = found
    kept = (target is None or most >= target) and (upper_limit is None or least <= upper_limit)
    label = rate_label(log, log.values["Scenario"])
    return [] if kept else [(label, BEYOND, {"tokens_per_sample": value, **bounds})]


def _of_latencies(log: Log, distribution: dict[str, int]) -> list[tuple[str, str, dict]]:
    """Return (label, kind, facts) of what is odd in the latencies of a distribution."""
    *ladder_labels, mean_label = distribution
    ladder = [distribution[label] for label in ladder_labels]
    found = [
        (label, "impossible latency", {})
        for label, latency, before in zip(ladder_labels, ladder, [0, *ladder])
        if latency < max(before, 0)
    ]
    mean, (low, high) = distribution[mean_label], mean_bounds(ladder)
    if not low <= mean <= high:
        samples = sample_count(log) if mean_label == "Mean latency (ns)" else None
        wraps, unwrapped = (samples and unwrapped_mean(mean, samples, low, high)) or (None, None)
        facts = dict(zip(MEAN_FACTS, (low, high, samples, wraps, unwrapped)))
        found.append((mean_label, "mean outside its percentiles", facts))
    return found
