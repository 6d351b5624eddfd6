"""What each table must say: a rule for each, from the released data, and how a table is compared with its rule."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from math import isclose
from typing import Callable

from tests.again import columns as of
from tests.again import groups, logs, pages, released, rounds, statements, systems
from tests.again.spelled import count

UNVERIFIED = "Result not verified by MLCommons Association."


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


def reported() -> list:
    """Return (row id, metric) of the highlighted rows, in the order in which the summary reports them."""
    ids = [one for pair in released.highlighted() for one in (pair.offline_id, pair.server_id)]
    return [(one, name) for one in ids for name in released.metrics(one)]


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
WITHIN = "Within one system"
SPREADS = "Every pair, not four"
ABOVE = "What a ratio above 100% means"
LIMITS = "How near the Server runs came to their limits"
ODD = "What is odd in the logs that passed"
OTHERS = "Other rounds, side by side"
RULES = [
    Rule("Rates in tokens/s and their ratio", MATCHED, released.highlighted, of.HIGHLIGHTED),
    Rule("Other systems .*same models and accelerators: .*lowest.*highest", MATCHED, systems.others, of.APART),
    Rule("Accuracy reported against what the checker asks for", MATCHED, reported, of.ACCURACY, none),
    Rule("Server latencies from the logs: achieved 99th percentile against limit", MATCHED, with_log, of.LATENCY, none),
    Rule("The pairs with Server above Offline", ABOVE, lambda: groups.above(every_pair()), of.PAIR),
    Rule("On how many of the systems .*either has the lower ratio", WITHIN, systems.compared, of.COMPARED),
    Rule("Share of the variance .*between models, and between labels.*", WITHIN, systems.shares, of.SHARED),
    Rule("All pairs, and those with and without accelerators", SPREADS, grouped("overall"), of.spread("Group")),
    Rule("By model label", SPREADS, grouped("by_model"), of.spread("Model")),
    Rule("Median by model label and number of accelerators", SPREADS, grouped("by_model"), of.SCALES),
    Rule("By number of accelerators, models mixed", SPREADS, grouped("by_accelerators"), of.spread("Accelerators")),
    Rule("By accelerator family, .*alphabetical order", SPREADS, grouped("by_family"), of.spread("Family")),
    Rule("What the pairs with each label of one model were run on", SPREADS, systems.twins, of.LABELS),
    Rule("Latency headroom by model label", LIMITS, near_limits, of.HEADROOM, none),
    Rule("Statements and verdicts", "Claims put to the test", statements.findings, of.CLAIM),
    Rule("Anomalies in logs that passed", ODD, lambda: list(logs.oddities()), of.ODDITY, none),
    Rule("What each round holds", OTHERS, rounds.counts, rounds.COUNTS),
    Rule("Median ratio, range and number of pairs by model", OTHERS, rounds.models, rounds.MODELS),
    Rule(r"All (\d+) pairs, in the order .*released summary", "Every pair", every_pair, of.EVERY_PAIR, rounds.notice),
]
OF_README = Rule("Server/Offline ratios, recomputed from released results", "", released.highlighted, of.README, none)


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
    found = [] if shown == text else [f"{place}: {str(shown)!r}, not {text!r}"]
    if shown.value is not None and not isclose(float(shown.value), value, rel_tol=1e-15):
        found.append(f"{place}: sorted as {shown.value}, not {float(value)}")
    return found
