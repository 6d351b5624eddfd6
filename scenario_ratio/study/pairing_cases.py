"""Named cases of pairing: what happens to one good pair when one thing about it changes.

The cases are run against the same ``eligible`` and ``match`` that compute the ratios. Each changes an Offline and
a Server row that pair, and says in words what the two functions must make of them.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import NamedTuple

from scenario_ratio.problems import BundleError, Problem, raise_if_any, shown
from scenario_ratio.study.pairing import eligible, match
from scenario_ratio.upstream.summary import Row

PAIRED = "1 pair, 0 unmatched"
ALONE = "0 pairs, 2 unmatched"
REFUSED = "refused: two {} rows of one configuration"


class Case(NamedTuple):
    """A pair with changes, and what matching must make of it.

    ``server`` and ``offline`` map a field to its new (CSV text, JSON value); ``repeated`` names a scenario whose
    row is listed a second time, under a new id; ``kind`` is 'positive', 'rejection' or 'duplicate'.
    """

    name: str
    kind: str
    expected: str
    server: dict = {}
    offline: dict = {}
    repeated: str = ""


def turned_away(rule: str) -> str:
    """Return the outcome of a pair whose Server row the named rule turns away."""
    return f"turned away by '{rule}', 0 pairs, 1 unmatched"


def _rule(name: str, rule: str, field: str, text: str, value: object) -> Case:
    return Case(name, "rejection", turned_away(rule), {field: (text, value)})


def _other(name: str, field: str, text: str, value: object) -> Case:
    return Case(name, "rejection", ALONE, {field: (text, value)})


CASES = (
    Case("nothing changed", "positive", PAIRED),
    Case("another Server rate", "positive", PAIRED, {"Result": ("123456.0", Decimal("123456"))}),
    Case("another Server accuracy", "positive", PAIRED, {"Accuracy": ("exact_match: 99.0", "exact_match: 99.0")}),
    Case("another Server folder", "positive", PAIRED, {"Location": ("./closed/elsewhere", "./closed/elsewhere")}),
    Case("the same note on both", "positive", PAIRED, {"notes": ("N/A", None)}, {"notes": ("N/A", None)}),
    _rule("division open", "division closed", "Division", "open", "open"),
    _rule("availability preview", "availability available", "Availability", "preview", "preview"),
    _rule("availability with a capital", "availability available", "Availability", "Available", "Available"),
    _rule("system type edge", "system type datacenter", "SystemType", "edge", "edge"),
    _rule("inferred from another row", "not inferred from another row", "inferred", "1", 1),
    _rule("errors in the run", "no errors", "errors", "3", 3),
    _rule("measured power", "no measured power", "has_power", "True", True),
    _rule("design power", "no design power", "design_power_watts", "10800.0", Decimal("10800")),
    _rule("units samples per second", "rate in tokens per second", "Units", "Samples/s", "Samples/s"),
    _rule("scenario Interactive", "scenario Offline or Server", "Scenario", "Interactive", "Interactive"),
    _rule("scenario in lower case", "scenario Offline or Server", "Scenario", "server", "server"),
    _other("target label", "Model", "llama2-70b-99", "llama2-70b-99"),
    _other("benchmark", "MlperfModel", "mixtral-8x7b", "mixtral-8x7b"),
    _other("submitter", "Organization", "Another Organization", "Another Organization"),
    _other("system name", "SystemName", "Another System", "Another System"),
    _other("accelerator model", "accelerator_model_name", "Another Accelerator", "Another Accelerator"),
    _other("accelerator count", "total_accelerators", "16", 16),
    _other("node count", "number_of_nodes", "9", 9),
    _other("framework", "framework", "Another Framework 1.0", "Another Framework 1.0"),
    _other("precision", "weight_data_types", "int3", "int3"),
    _other("power note", "notes", "B300 TGP 1000W", "B300 TGP 1000W"),
    _other("round", "version", "v0.1", "v0.1"),
    Case(
        "two spellings of a missing note", "rejection", ALONE, server={"notes": ("", None)}, offline={"notes": ("N/A", None)}
    ),
    Case("the Server row twice", "duplicate", REFUSED.format("Server"), repeated="Server"),
    Case("the Offline row twice", "duplicate", REFUSED.format("Offline"), repeated="Offline"),
    Case("the Server row called Offline", "duplicate", REFUSED.format("Offline"), {"Scenario": ("Offline", "Offline")}),
    Case("a second rate for Server", "duplicate", REFUSED.format("Server"), {"Result": ("1.5", Decimal("1.5"))}, repeated="Server"),
)  # fmt: skip


def changed(row: Row, changes: dict) -> Row:
    """Return ``row`` with each field of ``changes`` replaced by its (CSV text, JSON value)."""
    text = {field: new_text for field, (new_text, _) in changes.items()}
    value = {field: new_value for field, (_, new_value) in changes.items()}
    return Row(row.id, {**row.text, **text}, {**row.value, **value})


def rows_of(case: Case, pair_rows: tuple[Row, Row]) -> list[Row]:
    """Return the rows of a case: the Offline and the Server row with its changes, and the repeated one, if any.

    A repeated row is the unchanged one, under the id after the larger of the two.
    """
    offline, server = pair_rows
    rows = [changed(offline, case.offline), changed(server, case.server)]
    next_id = str(max(int(row.id) for row in pair_rows) + 1)
    return rows + [row._replace(id=next_id) for row in pair_rows if row.text["Scenario"] == case.repeated]


def outcome(rows: list[Row]) -> str:
    """Return in words what eligibility and matching make of ``rows``."""
    kept, exclusions = eligible(rows)
    words = [f"turned away by '{rule['rule']}'" for rule in exclusions for _ in range(rule["turned_away"])]
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
    problems = []
    for case in CASES:
        found = outcome(rows_of(case, pair_rows))
        if found != case.expected:
            problems.append(Problem("pairing cases", case.name, found=found, expected=case.expected))
        for row, changes in zip(pair_rows, (case.offline, case.server)):
            problems += [
                Problem("pairing cases", case.name, field, f"{shown(text)} already", "a row that the case changes")
                for field, (text, _) in changes.items()
                if row.text[field] == text
            ]
    raise_if_any(problems)
    return dict(Counter(case.kind for case in CASES))
