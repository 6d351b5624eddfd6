"""Which rows are compared, and with which: the eligibility rules, the 27 metadata fields, the pairs, and named cases.

A case says what happens to one good pair when one thing about it changes. It is run through the same ``eligible`` and
``match`` that compute the ratios. A rule brings its cases with it: the spellings that it refuses.
"""

from __future__ import annotations

from collections import Counter
from operator import itemgetter
from typing import NamedTuple

from scenario_ratio.pinned import CSV
from scenario_ratio.problems import BundleError, Problem, raise_if_any, shown
from scenario_ratio.upstream.layouts import Summary
from scenario_ratio.upstream.summary import FIELDS, Row

CHECK = "pairing"  # the id of what is found here
OFFLINE, SERVER = SCENARIOS = ("Offline", "Server")


class Rule(NamedTuple):
    """A row is eligible only if its CSV cell in ``field`` is one of ``allowed``, exactly so spelled.

    ``name`` is what results.json calls the rule, ``reason`` why it is there; ``refused`` are spellings it turns away.
    """

    name: str
    field: str
    allowed: tuple[str, ...]
    reason: str
    refused: tuple[str, ...]


RULES = (
    Rule("division closed", "Division", ("closed",),
         "only in the closed division do all run the same model to the same accuracy", ("open",)),
    Rule("availability available", "Availability", ("available",),
         "a system that can be had, neither a preview nor research", ("preview", "Available")),
    Rule("system type datacenter", "SystemType", ("datacenter",),
         "the suite that asks for both scenarios of the same system", ("edge",)),
    Rule("not inferred from another row", "inferred", ("0",),
         "a rate that was measured in its own scenario", ("1",)),
    Rule("no errors", "errors", ("0",),
         "a run with errors in its log did not do all that it was asked", ("3",)),
    Rule("no measured power", "has_power", ("False",),
         "a run that is measured with power may be held to another speed", ("True",)),
    Rule("no design power", "design_power_watts", ("None",),
         "a system that is held to a power may be held to another speed", ("10800.0",)),
    Rule("rate in tokens per second", "Units", ("Tokens/s",),
         "both rates of a ratio count the same thing", ("Samples/s",)),
    Rule("scenario Offline or Server", "Scenario", SCENARIOS,
         "the ratio is of these two", ("Interactive", "server")),
)  # fmt: skip

# In place of a rule on a field that a summary does not have.
INSTEAD = {
    "design_power_watts":
        Rule("no power result", "power_result", ("",),
             "a run that is measured with power may be held to another speed", ("10400",)),
}  # fmt: skip

# What may differ inside a pair: the scenario itself, its two measurements, and the folder they were kept in.
UNMATCHED_FIELDS = ("Scenario", "Result", "Accuracy", "Location")
METADATA_FIELDS = tuple(field for field in FIELDS if field not in UNMATCHED_FIELDS)
MODEL_FIELDS = ("Model", "MlperfModel")  # all that may differ between the pairs of one system


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


def rules_of(summary: Summary) -> tuple[Rule, ...]:
    """Return the rules for the rows of a summary: ``RULES``, each in the form that its fields allow."""
    return tuple(rule if rule.field in summary.fields else INSTEAD.get(rule.field, rule) for rule in RULES)


def matched_fields_of(summary: Summary) -> tuple[str, ...]:
    """Return the metadata fields that the rows of a summary have."""
    return tuple(field for field in METADATA_FIELDS if field in summary.fields)


def sound_rules(rows: list[Row], rules: tuple[Rule, ...]) -> tuple[tuple[Rule, ...], list[Problem]]:
    """Return the rules about a field that the rows have, and what is wrong with the others."""
    unknown = [rule for rule in rules if rows and rule.field not in rows[0].text]
    wrong = [(f"rule {rule.name!r}", "field", shown(rule.field), "a field of the summary") for rule in unknown]
    sound = tuple(rule for rule in rules if rule not in unknown)
    return sound, [Problem("scenario_ratio/study/pairing.py", *facts, check=CHECK) for facts in wrong]


def eligible(rows: list[Row], rules: tuple[Rule, ...] = RULES) -> tuple[list[Row], list[dict]]:
    """Return the rows that every rule lets through, and for each rule, in order, how many rows it turned away.

    A row is counted at the first rule that turns it away. Raises BundleError on a rule about no field of the rows.
    """
    raise_if_any(sound_rules(rows, rules)[1])
    exclusions = []
    for rule in rules:
        kept = [row for row in rows if row.text[rule.field] in rule.allowed]
        of_rule = {"rule": rule.name, "field": rule.field, "allowed": list(rule.allowed)}
        exclusions.append({**of_rule, "turned_away": len(rows) - len(kept)})
        rows = kept
    return rows, exclusions


def match(rows: list[Row], name: str = CSV, fields: tuple[str, ...] = METADATA_FIELDS) -> tuple[list[Pair], list[Row]]:
    """Return the pairs, by Offline id, and the rows without a partner; raises BundleError with what sort_out refuses."""
    pairs, alone, problems = sort_out(rows, name, fields)
    raise_if_any(problems)
    return pairs, alone


def sort_out(rows: list[Row], name: str, fields: tuple[str, ...]) -> tuple[list[Pair], list[Row], list[Problem]]:
    """Return the pairs, by Offline id, the rows without a partner, and what is refused.

    Rows with the same text in all ``fields``, those of the summary, belong together. All of them are refused if one is of
    a third scenario, if two are of one (choosing would be a decision, not a match), or if a rate is not above zero.
    """
    configurations: dict[tuple, dict[str, Row]] = {}
    problems, refused, configuration_of = [], set(), itemgetter(*fields)
    for row in rows:
        key, scenario = configuration_of(row.text), row.text["Scenario"]
        first = configurations.setdefault(key, {}).setdefault(scenario, row)
        for field, found, expected in _refusals(row, first, fields):
            refused.add(key)
            problems.append(Problem(name, f"row {row.id!r}", field, found, expected, check=CHECK))
    sound = [rows_of for key, rows_of in configurations.items() if key not in refused]
    pairs = [Pair(rows_of[OFFLINE], rows_of[SERVER]) for rows_of in sound if len(rows_of) == 2]
    alone = [row for rows_of in sound if len(rows_of) == 1 for row in rows_of.values()]
    return sorted(pairs, key=lambda pair: int(pair.offline.id)), sorted(alone, key=lambda row: int(row.id)), problems


def _refusals(row: Row, first: Row, fields: tuple[str, ...]) -> list[tuple[str, str, str]]:
    """Return (field, found, expected) of what is wrong with a row; ``first`` is the first of its configuration and scenario."""
    scenario = row.text["Scenario"]
    if scenario not in SCENARIOS:
        return [("Scenario", shown(scenario), " or ".join(SCENARIOS))]
    wrong = [] if rate(row) > 0 else [("Result", row.text["Result"], "a rate above zero")]
    if row is not first:
        found = f"the same {len(fields)} metadata fields as row {first.id!r}"
        wrong.append(("Scenario", found, f"one {scenario} row for each configuration"))
    return wrong


PAIRED = "1 pair, 0 unmatched"
ALONE, ONE_ALONE = "0 pairs, 2 unmatched", "0 pairs, 1 unmatched"
REFUSED = "refused: two {} rows of one configuration"
TURNED_AWAY = "turned away by '{}'"


class Case(NamedTuple):
    """A pair with changes, and what the rules and the matching must make of it.

    ``server`` and ``offline`` map a field to its new CSV text; ``repeated`` names a scenario whose row is listed a
    second time, under a new id; ``kind`` is 'positive', 'rejection' or 'duplicate'.
    """

    name: str
    kind: str
    expected: str
    server: dict = {}
    offline: dict = {}
    repeated: str = ""
    rules: tuple[Rule, ...] = RULES


CASES = (
    Case("nothing changed", "positive", PAIRED),
    Case("another Server rate", "positive", PAIRED, {"Result": "123456.0"}),
    Case("another Server accuracy", "positive", PAIRED, {"Accuracy": "exact_match: 99.0"}),
    Case("another Server folder", "positive", PAIRED, {"Location": "./closed/elsewhere"}),
    Case("the same note on both", "positive", PAIRED, {"notes": "a note on both"}, {"notes": "a note on both"}),
    *(
        Case(f"{rule.field} {text!r}", "rejection", f"{TURNED_AWAY.format(rule.name)}, {ONE_ALONE}", {rule.field: text})
        for rule in RULES
        for text in rule.refused
    ),
    # Without the rules, some of which would turn the row away before it is matched.
    *(Case(f"another {name}", "rejection", ALONE, {name: f"another {name}"}, rules=()) for name in METADATA_FIELDS),
    Case("two spellings of a missing note", "rejection", ALONE, {"notes": ""}, {"notes": "N/A"}),
    Case("the Server row twice", "duplicate", REFUSED.format(SERVER), repeated=SERVER),
    Case("the Offline row twice", "duplicate", REFUSED.format(OFFLINE), repeated=OFFLINE),
    Case("the Server row called Offline", "duplicate", REFUSED.format(OFFLINE), {"Scenario": OFFLINE}),
    Case("a second rate for Server", "duplicate", REFUSED.format(SERVER), {"Result": "1.5"}, repeated=SERVER),
)


def rows_of(case: Case, pair_rows: tuple[Row, Row]) -> list[Row]:
    """Return the rows of a case: the two with its changes, and the repeated one, unchanged under the next id, if any.

    Only the CSV texts are changed: rules and matching read nothing else.
    """
    sides = zip(pair_rows, (case.offline, case.server))
    rows = [row._replace(text={**row.text, **texts}) for row, texts in sides]
    next_id = str(max(int(row.id) for row in pair_rows) + 1)
    return rows + [row._replace(id=next_id) for row in pair_rows if row.text["Scenario"] == case.repeated]


def outcome(rows: list[Row], rules: tuple[Rule, ...] = RULES) -> str:
    """Return in words what eligibility and matching make of ``rows``."""
    kept, exclusions = eligible(rows, rules)
    words = [TURNED_AWAY.format(rule["rule"]) for rule in exclusions for _ in range(rule["turned_away"])]
    try:
        pairs, alone = match(kept)
    except BundleError as error:
        scenarios = {problem.expected.split()[1] for problem in error.problems if problem.field == "Scenario"}
        return ", ".join([*words, *map(REFUSED.format, sorted(scenarios))]) or f"refused: {error}"
    return ", ".join([*words, f"{len(pairs)} pair{'s' * (len(pairs) != 1)}", f"{len(alone)} unmatched"])


def run_cases(pair_rows: tuple[Row, Row]) -> dict[str, int]:
    """Run every case on an Offline and a Server row that pair; return how many of each kind came out as expected.

    Raises BundleError naming each case that came out otherwise, and each that changes nothing about the rows.
    """
    wrong = []
    for case in CASES:
        found = outcome(rows_of(case, pair_rows), case.rules)
        if found != case.expected:
            wrong.append((case.name, found, case.expected))
        sides = zip(pair_rows, (case.offline, case.server))
        changes = [row.text[field] != text for row, texts in sides for field, text in texts.items()]
        if changes and not any(changes):
            wrong.append((case.name, "no change", "a row that the case changes"))
    raise_if_any([Problem("pairing cases", name, "", *facts) for name, *facts in wrong])
    return dict(Counter(case.kind for case in CASES))
