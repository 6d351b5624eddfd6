"""The results summary: reading the CSV and the JSON snapshot and checking one against the other, cell by cell.

The CSV text is what rows are matched on later; the JSON shows which spellings mean 'missing'. Where both come from is
chosen in ``pinned``.
"""

from __future__ import annotations

import csv
import functools
import io
import itertools
import json
import re
from decimal import ROUND_HALF_EVEN, Decimal
from typing import NamedTuple

from scenario_ratio import pinned, wording
from scenario_ratio.files import decode, parse_json
from scenario_ratio.problems import BundleError, Problem, gather_all, raise_if_any, shown

FIELDS = (
    "Organization", "Availability", "Division", "SystemType", "SystemName", "Platform", "Model", "MlperfModel",
    "Scenario", "Result", "Accuracy", "number_of_nodes", "host_processor_model_name", "host_processors_per_node",
    "host_processor_core_count", "accelerator_model_name", "accelerators_per_node", "total_accelerators",
    "Location", "framework", "operating_system", "notes", "compliance", "errors", "version", "inferred",
    "has_power", "Units", "weight_data_types", "design_power_watts", "PrivateID",
)  # fmt: skip

# Spellings in the CSV that are null in the JSON. They stay different facts: rows match on the spelling.
MISSING = {"accelerator_model_name": {"N/A"}, "notes": {"", "N/A"}, "design_power_watts": {"None"}, "PrivateID": {""}}

JSON_DECIMALS = Decimal("1e-10")  # the JSON keeps ten decimals of a rate
_INTEGER = re.compile(r"0|[1-9][0-9]{0,17}", re.ASCII)
_DECIMAL = re.compile(r"(?:0|[1-9][0-9]{0,14})\.[0-9]{1,20}", re.ASCII)


class Row(NamedTuple):
    """One result: its id in the JSON, its CSV cells as text, and its JSON values."""

    id: str
    text: dict
    value: dict


def _integer(text: str) -> int | None:
    return int(text) if _INTEGER.fullmatch(text) else None


def _decimal(text: str) -> Decimal | None:
    if not _DECIMAL.fullmatch(text):
        return None
    value = Decimal(text)
    return value if value.as_tuple().exponent >= -10 else value.quantize(JSON_DECIMALS, ROUND_HALF_EVEN)


COUNTS = (
    "number_of_nodes", "host_processors_per_node", "accelerators_per_node", "total_accelerators", "errors", "inferred",
)  # fmt: skip

# Fields that are not text: how the CSV cell is read as the JSON value it must equal, and what it must spell.
KINDS = {
    **dict.fromkeys(COUNTS, (_integer, "an integer without sign or leading zero")),
    "has_power": ({"True": True, "False": False}.get, "True or False"),
    "Result": (_decimal, "a decimal number such as 70132.3"),
    "design_power_watts": (_decimal, "None, or a decimal number of watts"),
}


def parse_csv(raw: bytes, name: str = pinned.CSV) -> list[dict]:
    """Return the rows of the CSV as dicts of text in the order of ``FIELDS``; row n has the id str(n).

    Raises BundleError on anything but a header of exactly ``FIELDS`` and rows of exactly as many cells.
    """
    decode(raw, name)  # refuses what is no text; to read it from there would take 80 MB more for 49,200 rows
    reader = csv.reader(io.TextIOWrapper(io.BytesIO(raw), "utf-8", newline=""), strict=True)
    problems: list[Problem] = []
    rows = []
    known: dict[str, str] = {}  # one object for each text: without, 49,200 rows take 2.1 s for 1.7, and 90 MB more
    try:
        raise_if_any(_column_problems(next(reader, []), name, "line 1"))
        for number, cells in enumerate(reader):
            if len(cells) != len(FIELDS):
                place = f"row {str(number)!r} (line {reader.line_num})"
                problems.append(
                    Problem(
                        name, place, found=wording.numbered(len(cells), "cell/cells"), expected=f"{len(FIELDS)} cells"
                    )
                )
            rows.append(dict(zip(FIELDS, map(known.setdefault, cells, cells))))
    except csv.Error as error:
        problems.append(Problem(name, f"line {reader.line_num}", "", str(error), "quoted cells, commas between"))
    raise_if_any(problems)
    return rows


def _column_problems(columns: list, name: str, place: str) -> list[Problem]:
    """Return where ``columns`` first differ from the names of a row's fields."""
    for number, (column, field) in enumerate(itertools.zip_longest(columns, FIELDS), 1):
        if column != field:
            found, expected = ("no field" if one is None else shown(one) for one in (column, field))
            return [Problem(name, place, f"field {number}", found, expected)]
    return []


def parse_snapshot(raw: bytes, name: str = pinned.JSON) -> dict[str, dict]:
    """Return the JSON snapshot: ids '0', '1', ... in order, each with an object of exactly ``FIELDS``.

    Numbers with a point are Decimals. Raises BundleError on any other form, all rows' problems together.
    """
    snapshot = parse_json(raw, name, exact=True)
    if not isinstance(snapshot, dict):
        raise BundleError(Problem(name, found=type(snapshot).__name__, expected="an object of rows by id"))
    problems = []
    for number, (key, row) in enumerate(snapshot.items()):
        if key != str(number):
            problems.append(Problem(name, f"row {number}", "", f"the id {shown(key)}", f"the id {str(number)!r}"))
        if not isinstance(row, dict):
            problems.append(Problem(name, f"row {shown(key)}", "", shown(row), f"an object of {len(FIELDS)} fields"))
        elif tuple(row) != FIELDS:
            problems += _column_problems(list(row), name, f"row {shown(key)}")
    raise_if_any(problems)
    return snapshot


def differences(csv_rows: list[dict], snapshot: dict[str, dict], csv_name: str, json_name: str) -> list[Problem]:
    """Return every cell of the CSV that differs from its twin in the JSON; the place of each names its row.

    Text equals text, integers integers, True/False true/false, a missing-value spelling of that field null,
    and a rate the JSON's number after rounding to ten decimals. Raises BundleError if the rows are not as many.
    """
    if len(csv_rows) != len(snapshot):
        expected = f"{wording.numbered(len(csv_rows), 'row/rows')}, as in {csv_name}"
        raise BundleError(Problem(json_name, found=wording.numbered(len(snapshot), "row/rows"), expected=expected))
    problems = []
    twin_of = functools.lru_cache(maxsize=None)(_twin)  # without, 49,200 rows take 2.1 s for 1.7
    for texts, (key, values) in zip(csv_rows, snapshot.items()):
        for field, twin, value in zip(FIELDS, map(twin_of, FIELDS, texts.values()), values.values()):
            if type(twin) is type(value) and twin == value:
                continue
            file, found, expected = json_name, json_text(value), f"{json_text(twin)}, as in {csv_name}"
            if twin is _NO_VALUE:
                file, found, expected = csv_name, shown(texts[field]), KINDS[field][1]
            elif twin is None:
                expected = f"null, as {shown(texts[field])} in {csv_name}"
            problems.append(Problem(file, f"row {key!r}", field, found, expected))
    return problems


_NO_VALUE = object()  # the twin of a cell that spells no value of its field: equal to nothing


def _twin(field: str, text: str) -> object:
    """Return the JSON value that stands for a CSV text in one field."""
    if text in MISSING.get(field, ()):
        return None
    value = KINDS[field][0](text) if field in KINDS else text
    return _NO_VALUE if value is None else value


def json_text(value: object) -> str:
    """Return a JSON value as a message tells it: as JSON spells it, cut to a line, or only its kind if it holds others."""
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "an array"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return shown(value) if isinstance(value, str) else str(value)[:80]


def load(csv_raw: bytes, json_raw: bytes) -> list[Row]:
    """Return the cross-checked rows of both snapshots; raises BundleError with every cell that differs, and as read does."""
    rows, problems = read(csv_raw, json_raw)
    raise_if_any(problems)
    return rows


def read(
    csv_raw: bytes, json_raw: bytes, csv_name: str = pinned.CSV, json_name: str = pinned.JSON
) -> tuple[list[Row], list[Problem]]:
    """Return the rows of both snapshots, and where their cells differ; see differences.

    Raises BundleError with the problems of both if one is not of its form, or if the rows are not as many.
    """
    sources = {csv_name: (parse_csv, csv_raw), json_name: (parse_snapshot, json_raw)}
    parsed = gather_all(lambda name: sources[name][0](sources[name][1], name), sources)
    csv_rows, snapshot = parsed.values()
    differing = differences(csv_rows, snapshot, csv_name, json_name)
    return [Row(key, text, value) for text, (key, value) in zip(csv_rows, snapshot.items())], differing
