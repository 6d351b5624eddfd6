"""What each table must say: a rule for each, from the released data, and how a table is compared with its rule."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isclose
from typing import Callable

from tests.again import claims, groups, logs, pages, released, rounds
from tests.again.groups import ratios
from tests.again.released import completed, median, nearer, quartile, share
from tests.again.spelled import count, fraction, metric, milliseconds, percent, rate

UNVERIFIED = "Result not verified by MLCommons Association."
# A half, which here goes away from zero as the rule of the claims says, and on the page to the even digit.
HALVES = {"4,173.3": "4,173.2"}  # row 243, 4173.25 tokens/s


@dataclass(frozen=True, eq=False)
class Rule:
    """What a table must be: what its caption says (a pattern), the heading of its section, the entries that are its rows,
    in order, and its columns: heading -> what an entry has there, and how that is spelled. The first column is the row's
    label. ``notice`` is what must stand at the end of the caption, '' for a table that shows no result."""

    caption: str
    section: str
    entries: Callable[[], list]
    columns: dict
    notice: Callable[[], str] = lambda: UNVERIFIED


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
    told = [logs.status(one) for one in (pair.offline_id, pair.server_id)]
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


def shares(latency: str) -> Callable:
    """Return a function of pairs: the median of what share of its limit a latency took."""
    return lambda pairs: median([share(pair, latency) for pair in pairs])


def larger(pair: released.Pair) -> Fraction:
    """Return the larger of a pair's two shares of its limits."""
    return max(share(pair, "ttft"), share(pair, "tpot"))


HEADROOM = {
    "Pairs with a Server log": (len, count),
    "TTFT nearer its limit": ((lambda pairs: [nearer(pair) for pair in pairs].count("ttft")), count),
    "TPOT nearer its limit": ((lambda pairs: [nearer(pair) for pair in pairs].count("tpot")), count),
    "Median TTFT p99 / limit": (shares("ttft"), fraction),
    "Median TPOT p99 / limit": (shares("tpot"), fraction),
    "Median of the larger": ((lambda pairs: median([larger(pair) for pair in pairs])), fraction),
    "Median completed / scheduled samples/s": ((lambda pairs: median([completed(pair) for pair in pairs])), fraction),
}


def reported() -> list:
    """Return (row id, metric) of the highlighted rows, in the order in which the summary reports them."""
    ids = [one for pair in released.highlighted() for one in (pair.offline_id, pair.server_id)]
    return [(one, name) for one in ids for name in released.metrics(one)]


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
    "Log says": ((lambda pair: released.log_value(pair.server_id, "Result is")), str),
}


def plain(headings: dict) -> dict:
    """Return columns of texts: heading -> the name of an entry's attribute."""
    return {heading: ((lambda entry, name=name: getattr(entry, name)), str) for heading, name in headings.items()}


ODDITY = plain({"Row": "row", "Kind": "kind", "Printed line": "printed", "What follows": "follows"})
CLAIM = plain({"Statement": "statement", "Verdict": "verdict", "What decides it": "reason"})


def with_log() -> list:
    """Return the highlighted pairs whose Server log is there."""
    return [pair for pair in released.highlighted() if pair in released.with_server_log()]


def near_limits() -> list:
    """Return (model, pairs with a Server log)."""
    return list(groups.by(lambda pair: pair.offline["Model"], released.with_server_log()).items())


def every_pair() -> list:
    """Return all pairs."""
    return list(released.pairs())


def grouped(name: str) -> Callable:
    """Return a function that gives (group, pairs) of a grouping of ``groups``."""
    return lambda: list(getattr(groups, name)().items())


def none() -> str:
    """Return no notice."""
    return ""


MATCHED = "Three models on one system, and one rack"
SPREADS = "Every pair, not four"
ABOVE = "What a ratio above 100% means"
LIMITS = "How near the Server runs came to their limits"
ODD = "What is odd in the logs that passed"
OTHERS = "Other rounds, side by side"
RULES = [
    Rule("Rates in tokens/s and their ratio", MATCHED, released.highlighted, HIGHLIGHTED),
    Rule("Accuracy reported against what the checker asks for", MATCHED, reported, ACCURACY, none),
    Rule("Server latencies from the logs: achieved 99th percentile against limit", MATCHED, with_log, LATENCY, none),
    Rule("The pairs with Server above Offline", ABOVE, lambda: groups.above(every_pair()), PAIR),
    Rule("All pairs, and those with and without accelerators", SPREADS, grouped("overall"), group("Group", SPREAD)),
    Rule("By model label", SPREADS, grouped("by_model"), group("Model", SPREAD)),
    Rule("By number of accelerators", SPREADS, grouped("by_accelerators"), group("Accelerators", SPREAD)),
    Rule("By accelerator family, .*alphabetical order", SPREADS, grouped("by_family"), group("Family", SPREAD)),
    Rule("Latency headroom by model label", LIMITS, near_limits, group("Model", HEADROOM), none),
    Rule("Statements and verdicts", "Claims put to the test", claims.findings, CLAIM),
    Rule("Anomalies in logs that passed", ODD, lambda: list(logs.oddities()), ODDITY, none),
    Rule("What each round holds", OTHERS, rounds.counts, rounds.COUNTS),
    Rule("Median ratio, range and number of pairs by model", OTHERS, rounds.models, rounds.MODELS),
    Rule(r"All (\d+) pairs, in the order of the released summary", "Every pair", every_pair, EVERY_PAIR, rounds.notice),
]
OF_README = Rule("Server/Offline ratios, recomputed from released results", "", released.highlighted, README, none)


def rule_of(table: pages.Table, rules: list = RULES) -> Rule | None:
    """Return the rule whose caption a table has, its notice included, None if there is none."""
    return next((rule for rule in rules if re.fullmatch(rule.caption + tail(rule), table.caption)), None)


def tail(rule: Rule) -> str:
    """Return what follows the words of a caption, as a pattern."""
    return f"\\. {re.escape(rule.notice())}" if rule.notice() else ""


def faults(table: pages.Table, rule: Rule) -> list:
    """Return in words, a line each, where a table says something else than its rule: section, headings, rows, cells."""
    found = [] if rule.section in ("", table.section) else [f"it stands under {table.section!r}, not {rule.section!r}"]
    if sorted(table.header) != sorted(rule.columns) or table.header[0] != next(iter(rule.columns)):
        return [*found, f"headings {table.header}, not {list(rule.columns)}"]
    rows = expected(rule)
    told = re.fullmatch(rule.caption + tail(rule), table.caption)
    if len(table.rows) != len(rows) or (told.groups() and told[1] != count(len(rows))):
        found.append(f"{len(table.rows)} rows under {table.caption!r}, not {len(rows)}")
    for row, said in zip(rows, table.rows):
        for heading, shown in zip(table.header, said):
            found += cell_faults(shown, *row[heading], f"row {said[0]!r}, {heading}")
    return found


@lru_cache(maxsize=None)
def expected(rule: Rule) -> list:
    """Return the rows that a rule asks for: heading -> what a cell must say, and the value behind it."""
    return [{heading: cell(entry, *column) for heading, column in rule.columns.items()} for entry in rule.entries()]


def cell(entry: object, value: Callable, spell: Callable) -> tuple:
    """Return what a cell must say of an entry, and the value behind it."""
    found = value(entry)
    return spell(found), found


def cell_faults(shown: pages.Cell, text: str, value: object, place: str) -> list:
    """Return what is wrong with a cell: what it says, and the number that it carries for sorting."""
    text = HALVES.get(text, text)
    found = [] if shown == text else [f"{place}: {str(shown)!r}, not {text!r}"]
    if shown.value is not None and not isclose(float(shown.value), value, rel_tol=1e-15):
        found.append(f"{place}: sorted as {shown.value}, not {float(value)}")
    return found
