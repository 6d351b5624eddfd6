"""Which rows are compared, and with which: the eligibility rules, the 27 metadata fields, the pairs."""

from __future__ import annotations

from operator import itemgetter
from typing import Callable, NamedTuple

from scenario_ratio.problems import Problem, raise_if_any
from scenario_ratio.upstream.summary import FIELDS, Row


class Rule(NamedTuple):
    """A row is eligible only if its CSV cell in ``field`` is one of ``allowed``, exactly so spelled."""

    name: str
    field: str
    allowed: tuple[str, ...]


RULES = (
    Rule("division closed", "Division", ("closed",)),
    Rule("availability available", "Availability", ("available",)),
    Rule("system type datacenter", "SystemType", ("datacenter",)),
    Rule("not inferred from another row", "inferred", ("0",)),
    Rule("no errors", "errors", ("0",)),
    Rule("no measured power", "has_power", ("False",)),
    Rule("no design power", "design_power_watts", ("None",)),
    Rule("rate in tokens per second", "Units", ("Tokens/s",)),
    Rule("scenario Offline or Server", "Scenario", ("Offline", "Server")),
)

# What may differ inside a pair: the scenario itself, its two measurements, and the folder they were kept in.
UNMATCHED_FIELDS = ("Scenario", "Result", "Accuracy", "Location")
METADATA_FIELDS = tuple(field for field in FIELDS if field not in UNMATCHED_FIELDS)


class Pair(NamedTuple):
    """An Offline row and the Server row that equals it in all metadata fields."""

    offline: Row
    server: Row

    @property
    def ratio(self) -> float:
        """Server rate over Offline rate, both in tokens/s, as the quotient of the two nearest doubles."""
        return rate(self.server) / rate(self.offline)


def rate(row: Row) -> float:
    """Return a row's result in tokens/s, as the double nearest to the CSV text."""
    return float(row.text["Result"])


def eligible(rows: list[Row], rules: tuple[Rule, ...] = RULES) -> tuple[list[Row], list[dict]]:
    """Return the rows that every rule lets through, and for each rule, in order, how many rows it turned away.

    A row is counted at the first rule that turns it away.
    """
    exclusions = []
    for rule in rules:
        kept = [row for row in rows if row.text[rule.field] in rule.allowed]
        exclusions.append(
            {
                "rule": rule.name,
                "field": rule.field,
                "allowed": list(rule.allowed),
                "turned_away": len(rows) - len(kept),
            }
        )
        rows = kept
    return rows, exclusions


def metadata_key(fields: tuple[str, ...] = METADATA_FIELDS) -> Callable[[Row], tuple]:
    """Return a function from a row to what two rows of a pair have in common: ``fields`` as CSV text and as JSON value."""
    cells = itemgetter(*fields)
    return lambda row: (cells(row.text), cells(row.value))


def match(
    rows: list[Row], name: str = "data/summary.csv", fields: tuple[str, ...] = METADATA_FIELDS
) -> tuple[list[Pair], list[Row]]:
    """Return the pairs, by Offline id, and the rows without a partner; raises BundleError with what sort_out refuses."""
    pairs, alone, problems = sort_out(rows, name, fields)
    raise_if_any(problems)
    return pairs, alone


def sort_out(rows: list[Row], name: str, fields: tuple[str, ...]) -> tuple[list[Pair], list[Row], list[Problem]]:
    """Return the pairs, by Offline id, the rows without a partner, and what is refused.

    ``rows`` are Offline and Server rows, ``fields`` the metadata fields that their summary has. Refused, with all
    rows of the same key, are two rows of one scenario that share a key, since choosing one of them would be a decision,
    not a match; and a rate that is not above zero, which has no ratio.
    """
    groups: dict[tuple, dict[str, Row]] = {}
    problems, refused, key_of = [], set(), metadata_key(fields)
    for row in rows:
        key, scenario = key_of(row), row.text["Scenario"]
        group = groups.setdefault(key, {})
        if not rate(row) > 0:
            refused.add(key)
            problems.append(Problem(name, f"row {row.id!r}", "Result", row.text["Result"], "a rate above zero"))
        if group.setdefault(scenario, row) is not row:
            refused.add(key)
            found = f"the same {len(fields)} metadata fields as row {group[scenario].id!r}"
            expected = f"one {scenario} row for each configuration"
            problems.append(Problem(name, f"row {row.id!r}", "Scenario", found, expected))
    sound = [group for key, group in groups.items() if key not in refused]
    pairs = [Pair(group["Offline"], group["Server"]) for group in sound if len(group) == 2]
    alone = [row for group in sound if len(group) == 1 for row in group.values()]
    return (
        sorted(pairs, key=lambda pair: int(pair.offline.id)),
        sorted(alone, key=lambda row: int(row.id)),
        problems,
    )
