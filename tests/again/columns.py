"""What each column of a table must say of an entry: heading -> what the entry has there, and how that is spelled."""

from __future__ import annotations

from fractions import Fraction
from typing import Callable

from tests.again import groups, logs, released, systems
from tests.again.groups import ratios
from tests.again.released import completed, median, nearer, quartile, share
from tests.again.spelled import count, fraction, metric, milliseconds, percent, rate


def offline(field: str) -> tuple:
    """Return a column of a field of a pair's Offline row, as it stands there."""
    return (lambda pair: pair.offline[field]), str


ROWS = (lambda pair: pair.ids), str
RATES = {
    "Offline": ((lambda pair: pair.offline_rate), rate),
    "Server": ((lambda pair: pair.server_rate), rate),
}
RATIO = (lambda pair: pair.ratio), percent
HIGHLIGHTED = {
    "Model": offline("Model"),
    "Submitter": offline("Organization"),
    "System": offline("Platform"),
    "Rows": ROWS,
    **RATES,
    "Server/Offline": RATIO,
}
PAIR = {
    "Rows": ROWS,
    "Server/Offline": RATIO,
    "Model": offline("Model"),
    "Submitter": offline("Organization"),
    "Platform": offline("Platform"),
    **{f"{scenario}, tokens/s": column for scenario, column in RATES.items()},
}
EVERY_PAIR = {
    **PAIR,
    "Accelerator": ((lambda pair: pair.accelerator or ("not named" if pair.accelerators else "none")), str),
    "Accelerators": ((lambda pair: pair.accelerators), count),
    "System": offline("SystemName"),
    "Logs": ((lambda pair: logs_told(pair)), str),
}
README = {
    "model": offline("Model"),
    "submitter": offline("Organization"),
    "platform": offline("Platform"),
    "rows": ROWS,
    **{f"{scenario}, tokens/s": column for scenario, column in RATES.items()},
    "Server/Offline": RATIO,
}


def logs_told(pair: released.Pair) -> str:
    """Return what is told of a pair's two logs: once if it is the same of both."""
    told = [logs.says(one) for one in (pair.offline_id, pair.server_id)]
    return told[0] if told[0] == told[1] else " / ".join(told)


def group(heading: str, columns: dict) -> dict:
    """Return the columns of a table of groups: an entry is (name, pairs)."""
    of_pairs = {name: (lambda entry, value=value: value(entry[1]), spell) for name, (value, spell) in columns.items()}
    return {heading: ((lambda entry: entry[0]), str), **of_pairs}


SPREAD = {
    "Pairs": (len, count),
    "Minimum": ((lambda pairs: min(ratios(pairs))), percent),
    "Lower quartile": ((lambda pairs: quartile(ratios(pairs), 1)), percent),
    "Median": ((lambda pairs: median(ratios(pairs))), percent),
    "Upper quartile": ((lambda pairs: quartile(ratios(pairs), 3)), percent),
    "Maximum": ((lambda pairs: max(ratios(pairs))), percent),
    "Above 100%": ((lambda pairs: len(groups.above(pairs))), count),
    "Offline row at the minimum": ((lambda pairs: groups.at(min, pairs)), ", ".join),
    "Offline row at the maximum": ((lambda pairs: groups.at(max, pairs)), ", ".join),
}


def spread(heading: str) -> dict:
    """Return the columns of a table of groups that says how far apart their ratios are."""
    return group(heading, SPREAD)


def shares(latency: str) -> Callable:
    """Return a function of pairs: the median of what share of its limit a latency took."""
    return lambda pairs: median([share(pair, latency) for pair in pairs])


def larger(pair: released.Pair) -> Fraction:
    """Return the larger of a pair's two shares of its limits."""
    return max(share(pair, "ttft"), share(pair, "tpot"))


HEADROOM = group(
    "Model",
    {
        "Pairs with a Server log": (len, count),
        "TTFT nearer its limit": ((lambda pairs: [nearer(pair) for pair in pairs].count("ttft")), count),
        "TPOT nearer its limit": ((lambda pairs: [nearer(pair) for pair in pairs].count("tpot")), count),
        "Median TTFT p99 / limit": (shares("ttft"), fraction),
        "Median TPOT p99 / limit": (shares("tpot"), fraction),
        "Median of the larger": ((lambda pairs: median([larger(pair) for pair in pairs])), fraction),
        "Median completed / scheduled samples/s": (
            (lambda pairs: median([completed(pair) for pair in pairs])),
            fraction,
        ),
    },
)


def bound(side: int) -> Callable:
    """Return a function of (row id, metric): its target (side 0) or upper limit (1), None if it has none."""
    return lambda entry: released.bounds(released.rows()[entry[0]]["Model"])[side].get(entry[1])


def bound_told(value: Fraction | None) -> str:
    """Return a bound as it is spelled: 'none' for none."""
    return "none" if value is None else metric(value)


ACCURACY = {
    "Row": ((lambda entry: entry[0]), str),
    "Model": ((lambda entry: released.rows()[entry[0]]["Model"]), str),
    "Scenario": ((lambda entry: released.rows()[entry[0]]["Scenario"]), str),
    "Metric": ((lambda entry: entry[1]), str),
    "Reported": ((lambda entry: Fraction(released.metrics(entry[0])[entry[1]])), metric),
    "Target, at least": (bound(0), bound_told),
    "Upper limit": (bound(1), bound_told),
}
LATENCY = {
    "Row": ((lambda pair: pair.server_id), str),
    "Model": offline("Model"),
    "System": offline("Platform"),
    "TTFT p99, ms": ((lambda pair: released.p99(pair.server_id, "ttft")), milliseconds),
    "TTFT limit, ms": ((lambda pair: released.limit(pair.server["Model"], "ttft")), milliseconds),
    "TPOT p99, ms": ((lambda pair: released.p99(pair.server_id, "tpot")), milliseconds),
    "TPOT limit, ms": ((lambda pair: released.limit(pair.server["Model"], "tpot")), milliseconds),
    "Log says": ((lambda pair: logs.says(pair.server_id)), str),
}


def plain(headings: dict) -> dict:
    """Return columns of texts: heading -> the name of an entry's attribute."""
    return {heading: ((lambda entry, name=name: getattr(entry, name)), str) for heading, name in headings.items()}


ODDITY = plain({"Row": "row", "Kind": "kind", "Printed line": "printed", "What follows": "follows"})
CLAIM = plain({"Statement": "statement", "Verdict": "verdict", "What decides it": "reason"})


APART = plain(
    {"Submitter": "submitter", "System": "platform", "Offline rows": "ids", "Percentage points apart": "points"}
)
COMPARED = plain(
    {"First model": "first", "Second model": "second", "Systems with both": "both", "First below": "first_below",
     "Second below": "second_below", "Systems with both, any precision": "both_wider",
     "First below, any precision": "first_below_wider", "Second below, any precision": "second_below_wider"}
)  # fmt: skip
SHARED = plain(
    {"Pairs": "name", "Number": "pairs", "Models": "models", "Share between models": "between_models",
     "Labels": "labels", "Share between labels": "between_labels"}
)  # fmt: skip
SCALES = {
    "Model": ((lambda entry: entry[0]), str),
    **{number: (systems.by_scale(number), str) for number in groups.by_accelerators()},
}
LABELS = {
    "Label": ((lambda entry: entry[0]), str),
    "Accelerator family": ((lambda entry: entry[1]), str),
    "Pairs": ((lambda entry: len(entry[2])), count),
}
