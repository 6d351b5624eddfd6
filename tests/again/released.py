"""The released data read a second time, by other means than the product's and with none of its code.

The summary's CSV goes into a database as text, SQL sorts out the eligible rows and joins the pairs, logs are read with
regular expressions, and arithmetic is exact. Rates are Fractions in tokens/s, latencies integers in ns, ids text as in
'285': the number of the row in the summary, counted from 0.
"""

from __future__ import annotations

import ast
import atexit
import csv
import os
import re
import sqlite3
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).resolve().parents[2]
DATA = PROJECT / "data"
SOURCES = PROJECT / "sources"

# What makes a row eligible, in the order in which the article tells it: the words there, and the same in SQL.
RULES = {
    "division closed": ("Division", "Division = 'closed'"),
    "availability available": ("Availability", "Availability = 'available'"),
    "system type datacenter": ("SystemType", "SystemType = 'datacenter'"),
    "not inferred from another row": ("inferred", "inferred = '0'"),
    "no errors": ("errors", "errors = '0'"),
    "no measured power": ("has_power", "has_power = 'False'"),
    "no design power": ("design_power_watts", "design_power_watts = 'None'"),
    "rate in tokens per second": ("Units", "Units = 'Tokens/s'"),
    "scenario Offline or Server": ("Scenario", "Scenario IN ('Offline', 'Server')"),
}
MAY_DIFFER = ("Scenario", "Result", "Accuracy", "Location")
# The pairs that the README highlights, by their Offline rows: three of one system, and one of another.
ONE_SYSTEM, OTHER_SYSTEM = ("285", "287", "289"), "300"
UNNAMED = ("N/A", "")  # an accelerator's name that names none


def root() -> Path:
    """Return the folder whose outputs are read: READ_BUNDLE of the environment, or the project's own."""
    return Path(os.environ.get("READ_BUNDLE") or PROJECT)


class Pair(NamedTuple):
    """Two rows as text by field, their ids, and their rates in tokens/s."""

    offline_id: str
    server_id: str
    offline: dict
    server: dict
    offline_rate: Fraction
    server_rate: Fraction

    @property
    def ratio(self) -> Fraction:
        """The Server rate over the Offline rate."""
        return self.server_rate / self.offline_rate

    @property
    def ids(self) -> str:
        """The ids as a reader sees them: '285/286'."""
        return f"{self.offline_id}/{self.server_id}"

    @property
    def accelerator(self) -> str:
        """The name of the accelerator, '' if the submission names none."""
        name = self.offline["accelerator_model_name"]
        return "" if name in UNNAMED else name

    @property
    def accelerators(self) -> int:
        """How many there are in all."""
        return int(self.offline["total_accelerators"])


@lru_cache(maxsize=None)
def fields() -> tuple:
    """Return the names of the summary's columns."""
    with open(DATA / "summary.csv", newline="", encoding="utf-8") as file:
        return tuple(next(csv.reader(file)))


def matched() -> list:
    """Return the fields in which the rows of a pair are equal."""
    return [field for field in fields() if field not in MAY_DIFFER]


@lru_cache(maxsize=None)
def database() -> sqlite3.Connection:
    """Return the summary as the table ``summary`` (all text, and its ``id``), and the view ``eligible`` of it."""
    made = sqlite3.connect(":memory:", check_same_thread=False)
    atexit.register(made.close)
    made.row_factory = sqlite3.Row
    made.execute(f"CREATE TABLE summary (id INTEGER PRIMARY KEY, {', '.join(f'{_q(name)} TEXT' for name in fields())})")
    with open(DATA / "summary.csv", newline="", encoding="utf-8") as file:
        cells = list(csv.reader(file))[1:]
    places = ", ".join("?" * (len(fields()) + 1))
    made.executemany(f"INSERT INTO summary VALUES ({places})", [[number, *row] for number, row in enumerate(cells)])
    made.execute(
        f"CREATE VIEW eligible AS SELECT * FROM summary WHERE {' AND '.join(rule for _, rule in RULES.values())}"
    )
    return made


def _q(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def ask(sql: str, *values: object) -> list:
    """Return the rows that a query of ``database()`` gives."""
    return database().execute(sql, values).fetchall()


def number(sql: str, *values: object) -> int:
    """Return the one number that a query gives."""
    return ask(sql, *values)[0][0]


@lru_cache(maxsize=None)
def rows() -> dict:
    """Return id -> a row of the summary, text by field."""
    return {
        str(row["id"]): {field: row[field] for field in fields()} for row in ask("SELECT * FROM summary ORDER BY id")
    }


def turned_away() -> dict:
    """Return rule -> how many rows it turns away that none before it did."""
    found, before = {}, ["1"]
    for name, (_, rule) in RULES.items():
        found[name] = number(f"SELECT count(*) FROM summary WHERE {' AND '.join(before)} AND NOT ({rule})")
        before.append(f"({rule})")
    return found


def eligible() -> list:
    """Return the ids of the eligible rows."""
    return [str(row["id"]) for row in ask("SELECT id FROM eligible ORDER BY id")]


@lru_cache(maxsize=None)
def pairs() -> tuple:
    """Return the pairs in the order of their Offline rows, joined on all the matched fields."""
    wanted = ", ".join(map(_q, matched()))
    side = f"(SELECT id AS {{0}}_id, {wanted} FROM eligible WHERE Scenario = '{{0}}')"
    sql = f"SELECT Offline_id, Server_id FROM {side.format('Offline')} NATURAL JOIN {side.format('Server')} ORDER BY 1"
    return tuple(_pair(str(row[0]), str(row[1])) for row in ask(sql))


def _pair(offline: str, server: str) -> Pair:
    texts = [rows()[one] for one in (offline, server)]
    return Pair(offline, server, *texts, *(Fraction(text["Result"]) for text in texts))


def by_offline() -> dict:
    """Return Offline id -> pair."""
    return {pair.offline_id: pair for pair in pairs()}


def highlighted() -> list:
    """Return the pairs that the README highlights: those of one system, then the other."""
    return [by_offline()[one] for one in (*ONE_SYSTEM, OTHER_SYSTEM)]


def unmatched() -> list:
    """Return the ids of the eligible rows that no pair has."""
    paired = {one for pair in pairs() for one in (pair.offline_id, pair.server_id)}
    return [one for one in eligible() if one not in paired]


@lru_cache(maxsize=None)
def log_text(row_id: str) -> str | None:
    """Return the text of a row's performance log, None if the bundle does not have it."""
    path = SOURCES / "results" / rows()[row_id]["Location"][2:] / "mlperf_log_summary.txt"
    return path.read_text(encoding="utf-8") if path.is_file() else None


def log_value(row_id: str, label: str) -> str | None:
    """Return what a row's log prints after a label and its colon, None if it does not or is not there."""
    found = re.search(rf"^\s*{re.escape(label)}\s*:\s*(.*?)\s*$", log_text(row_id) or "", re.MULTILINE)
    return found and found[1]


def log_number(row_id: str, label: str) -> Fraction:
    """Return what a row's log prints after a label, as a number."""
    return Fraction(log_value(row_id, label))


def encountered(row_id: str, kind: str) -> tuple:
    """Return how many 'warning's or 'error's a row's log counts, and the line that says so."""
    line = re.search(rf"^.*\b{kind}s? encountered.*$", log_text(row_id), re.MULTILINE | re.IGNORECASE)[0].strip()
    return int(re.match(r"\d*", line)[0] or 0), line


def p99(row_id: str, latency: str) -> int:
    """Return the 99th percentile, in ns, of 'ttft' or 'tpot' in a Server row's log."""
    label = {"ttft": "first token latency", "tpot": "time to output token"}[latency]
    return int(log_value(row_id, f"99.00 percentile {label} (ns)"))


@lru_cache(maxsize=None)
def checker() -> dict:
    """Return name -> value of the assignments in sources/checker_constants.py, whose products are exact Fractions."""
    tree = ast.parse((SOURCES / "checker_constants.py").read_text(encoding="utf-8"))
    return {node.targets[0].id: _value(node.value) for node in tree.body if isinstance(node, ast.Assign)}


def _value(node: ast.expr) -> object:
    if isinstance(node, ast.Dict):
        return {_value(key): _value(value) for key, value in zip(node.keys, node.values)}
    if isinstance(node, ast.Tuple):
        return tuple(map(_value, node.elts))
    if isinstance(node, ast.BinOp):
        return _value(node.left) * _value(node.right)
    value = ast.literal_eval(node)
    return value if isinstance(value, str) else Fraction(repr(value))


def version() -> str:
    """Return the round that all rows say they are of: 'v6.1'."""
    return ask("SELECT DISTINCT version FROM summary")[0][0]


def known_as(model: str) -> str:
    """Return the name by which the checker knows a model's label."""
    return checker()["MODEL_CONFIG"][version()]["model_mapping"].get(model, model)


def bounds(model: str) -> tuple:
    """Return metric -> target, and metric -> upper limit, of a model's label."""
    config = checker()["MODEL_CONFIG"][version()]
    flat = [config[part].get(known_as(model), ()) for part in ("accuracy-target", "accuracy-upper-limit")]
    return tuple(dict(zip(one[::2], one[1::2])) for one in flat)


def limit(model: str, latency: str, scenario: str = "Server") -> int:
    """Return a model's limit, in ns, of 'ttft' or 'tpot'."""
    return int(checker()["LLM_LATENCY_LIMITS"][known_as(model)][scenario][latency])


def has_two_limits() -> bool:
    """Tell whether the checker sets a limit on both latencies, and on nothing else, of every model in Server."""
    return all(set(limits["Server"]) == {"ttft", "tpot"} for limits in checker()["LLM_LATENCY_LIMITS"].values())


def metrics(row_id: str) -> dict:
    """Return metric -> what the summary reports of it, as text, for a row."""
    return dict(re.findall(r"(\w+): (\S+)", rows()[row_id]["Accuracy"]))


def with_server_log() -> list:
    """Return the pairs whose Server log is in the bundle."""
    return [pair for pair in pairs() if log_text(pair.server_id) is not None]


def share(pair: Pair, latency: str) -> Fraction:
    """Return how much of its limit a pair's 99th percentile of 'ttft' or 'tpot' took."""
    return Fraction(p99(pair.server_id, latency), limit(pair.server["Model"], latency))


def nearer(pair: Pair) -> str:
    """Return which latency took more of its limit: 'ttft', 'tpot', or 'equal'."""
    ttft, tpot = share(pair, "ttft"), share(pair, "tpot")
    return "equal" if ttft == tpot else "ttft" if ttft > tpot else "tpot"


def completed(pair: Pair) -> Fraction:
    """Return the samples/s that a pair's Server run completed, over those that were scheduled."""
    labels = ("Completed samples per second", "Scheduled samples per second")
    done, planned = (log_number(pair.server_id, label) for label in labels)
    return done / planned


def quartile(values: list, which: int) -> Fraction:
    """Return quartile 0 to 4 of values: interpolated at position which * (n - 1) / 4 of the ascending values."""
    ordered = sorted(values)
    place = Fraction(which * (len(ordered) - 1), 4)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def median(values: list) -> Fraction:
    """Return the middle of values, or the middle between the two middle ones."""
    return quartile(values, 2)
