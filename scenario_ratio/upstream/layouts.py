"""The forms that a results repository has given its summary, as one table each, read into the rows of v6.1's fields.

v6.1 keeps summary.csv and summary.json, two snapshots of the same cells. v5.1 and v6.0 keep summary_results.json, an
array of objects with other names for the same fields. Once read, a row of any round meets the same rules, the same
pairing and the same check of its log.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Callable, NamedTuple

from scenario_ratio import wording
from scenario_ratio.files import parse_json
from scenario_ratio.problems import BundleError, Problem, gather, raise_if_any, shown
from scenario_ratio.upstream import summary
from scenario_ratio.upstream.summary import FIELDS, Row

CSV, JSON, ARRAY = "summary.csv", "summary.json", "summary_results.json"
RUN, LOG = "/performance/run_1", "/mlperf_log_summary.txt"  # where each row's performance log lies, below its folder
RESULT_LIMIT = 10**15  # no rate is as large, or as small as its reciprocal; so the ratio of two is always a number
RESULT_LEAST = Decimal(1) / RESULT_LIMIT
RESULT_RANGE = f"0, or a number from 1/{RESULT_LIMIT} to {RESULT_LIMIT}"
_ROUND = re.compile(r"v[0-9]{1,2}\.[0-9]{1,2}", re.ASCII)


class Summary(NamedTuple):
    """A summary as it was read: its round, how many rows the file holds, the readable rows, the fields its round states.

    ``fields`` are in the order of the table; every row also has the rest of ``summary.FIELDS``, blank.
    """

    name: str
    round: str
    source_rows: int
    rows: list
    fields: tuple


class Field(NamedTuple):
    """A field of the array layout: its name there, the kind of its JSON values, and whether every row has it."""

    name: str
    kind: tuple
    required: bool = True


# Kinds: in words, and the types of their values.
TEXT, FLAG, NUMBER = ("text", str), ("true or false", bool), ("a number", int, Decimal)
LOOSE = ("a number or text", int, Decimal, str)  # rounds write the same count as 8, 8.0, "8" or ""
POWER = ("a number or null", int, Decimal, type(None))

# Field of a row -> field of the array. Submitter to Performance_Units are in both rounds, Total Accelerators came
# with v6.0, and v5.1 adds Power_Result to the rows that were measured with power.
ARRAY_FIELDS = {
    "Organization": Field("Submitter", TEXT),
    "Availability": Field("Availability", TEXT),
    "Division": Field("Category", TEXT),
    "SystemType": Field("Suite", TEXT),
    "SystemName": Field("System", TEXT),
    "Platform": Field("Platform", TEXT),
    "Model": Field("UsedModel", TEXT),
    "MlperfModel": Field("Model", TEXT),
    "Scenario": Field("Scenario", TEXT),
    "Result": Field("Performance_Result", NUMBER),
    "Accuracy": Field("Accuracy", TEXT),
    "number_of_nodes": Field("Nodes", NUMBER),
    "host_processor_model_name": Field("Processor", TEXT),
    "host_processors_per_node": Field("host_processors_per_node", NUMBER),
    "host_processor_core_count": Field("host_processor_core_count", LOOSE),
    "accelerator_model_name": Field("Accelerator", TEXT),
    "accelerators_per_node": Field("a#", LOOSE),
    "total_accelerators": Field("Total Accelerators", NUMBER, required=False),
    "Location": Field("Location", TEXT),
    "framework": Field("Software", TEXT),
    "operating_system": Field("operating_system", TEXT),
    "notes": Field("Notes", TEXT),
    "compliance": Field("compliance", LOOSE),  # 1 in v5.1, the name of the division in v6.0
    "errors": Field("errors", NUMBER),
    "version": Field("version", TEXT),
    "inferred": Field("inferred", NUMBER),
    "has_power": Field("has_power", FLAG),
    "Units": Field("Performance_Units", TEXT),
    "weight_data_types": Field("weight_data_types", TEXT),
    "power_result": Field("Power_Result", POWER, required=False),
}

# Fields of the array that are in no row, each because it says nothing of its own: numbers and links of the
# submission, a colour, host_processors_per_node a second time, and the unit of the power result.
DERIVED = ("ID", "Unique ID (e.g. for Audit)", "Details", "Code", "ColorKey", "p#", "Power_Units")

# Spellings that name nothing. As in v6.1 they stay different facts for pairing: rows match on the spelling.
UNNAMED = {"", "N/A", "N/A. N/A", "UNSET"}


def read_snapshots(contents: dict[str, bytes]) -> tuple[Summary, list[Problem]]:
    """Return the summary of v6.1's CSV and JSON and what is wrong with single rows; such rows are left out.

    ``contents`` holds name -> bytes of the two, in this order, by whatever names. Raises BundleError if one of them is
    not of its form, or if they differ in the number of rows.
    """
    (csv_name, csv_raw), (json_name, json_raw) = contents.items()
    found, problems = summary.read(csv_raw, json_raw, csv_name, json_name)
    wrong = {problem.place for problem in problems}
    rows = [row for row in found if f"row {row.id!r}" not in wrong]
    return Summary(csv_name, round_of(rows, csv_name, problems), len(found), rows, FIELDS), problems


def read_array(contents: dict[str, bytes]) -> tuple[Summary, list[Problem]]:
    """Return the summary of an array of objects and what is wrong with single rows; such rows are left out.

    A row's id is its position, as text. Raises BundleError if the file is not an array in strict JSON.
    """
    array = parse_json(contents[ARRAY], ARRAY, exact=True)
    if not isinstance(array, list):
        raise BundleError(Problem(ARRAY, found=type(array).__name__, expected="an array of objects"))
    found, problems = gather(lambda number: array_row(str(number), array[number]), range(len(array)))
    rows, present = list(found.values()), dict.fromkeys(name for number in found for name in array[number])
    known = {field.name for field in ARRAY_FIELDS.values()}.union(DERIVED)
    unknown = [shown(name) for name in present if name not in known]
    problems += [Problem(ARRAY, "", name, "a field of no known round", "a field of v5.1 or v6.0") for name in unknown]
    fields = tuple(name for name, field in ARRAY_FIELDS.items() if field.name in present)
    return Summary(ARRAY, round_of(rows, ARRAY, problems), len(array), rows, fields), problems


def array_row(row_id: str, item: object) -> Row:
    """Return one object of the array as a row with every field of v6.1, blank where the round has none.

    Raises BundleError with every field that is not of its kind.
    """
    place = f"row {row_id!r}"
    if not isinstance(item, dict):
        raise BundleError(Problem(ARRAY, place, found=shown(item), expected="an object"))
    wrong = []
    for field in ARRAY_FIELDS.values():
        kind, *types = field.kind
        if field.name not in item:
            wrong += [(field.name, "no such field", kind)] * field.required
        elif type(item[field.name]) not in types:
            wrong.append((field.name, summary.json_text(item[field.name]), kind))
    result = item.get("Performance_Result")  # abs() fails on a Decimal too large for arithmetic
    if not wrong and result and not RESULT_LEAST <= Decimal(result).copy_abs() <= RESULT_LIMIT:
        wrong.append(("Performance_Result", summary.json_text(result), RESULT_RANGE))
    raise_if_any([Problem(ARRAY, place, *facts) for facts in wrong])
    text = dict.fromkeys(FIELDS, "")
    text.update({name: spelled(item.get(field.name)) for name, field in ARRAY_FIELDS.items()})
    return Row(row_id, text, {name: _value(name, cell) for name, cell in text.items()})


def spelled(value: object) -> str:
    """Return a JSON value as a cell of v6.1's CSV would spell it, so that 8, 8.0 and ' 8 ' are the same fact.

    Blanks around a text are dropped, a whole number has no point, null is blank, true and false are capitalised.
    """
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, Decimal) and -RESULT_LIMIT < value < RESULT_LIMIT and value == value.to_integral_value():
        return str(int(value))
    return "" if value is None else str(value)


def _value(field: str, text: str) -> object:
    """Return a cell's value where a rule or a message needs one: counts as integers, flags as such, unnamed as None."""
    if field in summary.KINDS and field != "Result":
        return summary.KINDS[field][0](text)
    return None if text in UNNAMED else text


def round_of(rows: list[Row], name: str, problems: list[Problem]) -> str:
    """Return the one round that all rows say they are of; raises BundleError, after ``problems``, if there is none."""
    found = sorted({row.text["version"] for row in rows})
    if len(found) != 1 or not _ROUND.fullmatch(found[0]):
        said = wording.listed(map(shown, found[:5])) or "no readable row"
        expected = "one round for all rows, such as 'v6.0'"
        raise BundleError(*problems, Problem(name, field="version", found=said, expected=expected))
    return found[0]


def log_path(location: str) -> str:
    """Return where the log of a row lies, given its Location, which is the scenario's folder in v5.1, later the run's."""
    path = location.removeprefix("./")
    return (path if path.endswith(RUN) else path + RUN) + LOG


class Layout(NamedTuple):
    """The files of a form of summary, all at the top of the clone, and the function that reads their bytes."""

    files: tuple[str, ...]
    read: Callable[[dict[str, bytes]], tuple[Summary, list[Problem]]]


LAYOUTS = (Layout((CSV, JSON), read_snapshots), Layout((ARRAY,), read_array))
