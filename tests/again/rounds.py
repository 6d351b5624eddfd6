"""Rounds side by side: this one from the released data, the others from copies of their results repositories if those are
at hand (ROUND_CLONES, or the folder shared/rounds beside the project's own), else as data/rounds.json states them.
"""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from tests.again import logs, released, spelled
from tests.again.released import PROJECT, median

CLONES = Path(os.environ.get("ROUND_CLONES") or PROJECT.parent / "shared" / "rounds")
# The columns of the summary that another round has, by the names that they have there.
OTHER_NAMES = {
    "Organization": "Submitter", "Availability": "Availability", "Division": "Category", "SystemType": "Suite",
    "SystemName": "System", "Platform": "Platform", "Model": "UsedModel", "MlperfModel": "Model",
    "Scenario": "Scenario", "Result": "Performance_Result", "number_of_nodes": "Nodes",
    "host_processor_model_name": "Processor", "host_processors_per_node": "host_processors_per_node",
    "host_processor_core_count": "host_processor_core_count", "accelerator_model_name": "Accelerator",
    "accelerators_per_node": "a#", "total_accelerators": "Total Accelerators", "Location": "Location",
    "framework": "Software", "operating_system": "operating_system", "notes": "Notes", "compliance": "compliance",
    "errors": "errors", "version": "version", "inferred": "inferred", "has_power": "has_power",
    "Units": "Performance_Units", "weight_data_types": "weight_data_types", "power_result": "Power_Result",
}  # fmt: skip
NOT_MATCHED = ("power_result", "Scenario", "Result", "Location")


class Round(NamedTuple):
    """A round: its name and counts, the model and ratio of each pair, what it was checked against and read from."""

    name: str
    rows: int
    eligible: int
    own_logs: int
    matched: int
    pairs: list
    checked_against: str
    source: str

    def of_model(self, model: str) -> list:
        """Return the ratios of a model's pairs."""
        return [ratio for name, ratio in self.pairs if name == model]


class Stated(NamedTuple):
    """What a row of the table of counts says."""

    round: str
    rows: str
    eligible: str
    pairs: str
    own_logs: str
    unmatched: str
    above: str
    matched: str
    checked_against: str
    source: str


COUNTS = {
    heading: ((lambda entry, name=name: getattr(entry, name)), str)
    for heading, name in {
        "Round": "round", "Rows": "rows", "Eligible": "eligible", "Pairs": "pairs",
        "Pairs with logs of their own": "own_logs", "Unmatched": "unmatched", "Above 100%": "above",
        "Fields matched": "matched", "Checked against": "checked_against", "Read from": "source",
    }.items()
}  # fmt: skip


@lru_cache(maxsize=None)
def stated() -> dict:
    """Return round -> what data/rounds.json states of it."""
    kept = json.loads((released.DATA / "rounds.json").read_text(encoding="utf-8"))
    return {one["round"]: one for one in kept["rounds"]}


def read_from_file() -> list:
    """Return the rounds of which no copy is at hand."""
    return [name for name in stated() if name != released.version() and not (CLONES / name).is_dir()]


def source(repository: str, commit: str) -> str:
    """Return where a round was read, as a reader sees it."""
    return f"{repository.replace('https://', '')} at {commit[:12]}"


def this_round() -> Round:
    """Return the round of the bundle, computed."""
    record = acquired()["files"][0]
    return Round(
        released.version(),
        released.number("SELECT count(*) FROM summary"),
        len(released.eligible()),
        independent([[logs.log_text(one) for one in pair[:2]] for pair in released.pairs()]),
        len(released.matched()),
        [(pair.offline["MlperfModel"], pair.ratio) for pair in released.pairs()],
        "sources/checker_constants.py",
        source(record["repository"], record["commit"]),
    )


def notice() -> str:
    """Return what goes with all results of this round: whose they are, of what, and when they were fetched."""
    return (
        f"MLPerf® Inference: Datacenter {released.version()}, closed division, Offline and Server scenarios. Results of "
        f"{this_round().source}, copies retrieved {acquired()['acquired']}. Ratios are derived. Result not verified by "
        "MLCommons Association."
    )


@lru_cache(maxsize=None)
def acquired() -> dict:
    """Return the record of what was acquired."""
    return json.loads((released.SOURCES / "acquisition.json").read_text(encoding="utf-8"))


def independent(of_pairs: list) -> int:
    """Return how many pairs have two logs (texts, None if absent) neither of which an earlier pair has."""
    seen: set = set()
    found = 0
    for texts in of_pairs:
        if None not in texts:
            found += seen.isdisjoint(texts)
            seen.update(texts)
    return found


def cell(value: object) -> str:
    """Return a value of another round as text, so that 8, 8.0 and '8 ' are one."""
    return "" if value is None else str(value).strip()


def other_round(name: str) -> Round:
    """Return another round, computed from its copy."""
    text = (CLONES / name / "summary_results.json").read_text(encoding="utf-8")
    rows = json.loads(text, parse_float=Fraction)
    there = {field: other for field, other in OTHER_NAMES.items() if any(other in row for row in rows)}
    matched = [field for field in there if field not in NOT_MATCHED]
    with closing(sqlite3.connect(":memory:")) as database:
        fill(database, there, rows)
        eligible = database.execute("SELECT count(*) FROM eligible").fetchone()[0]
        joined = database.execute(
            "SELECT MlperfModel, Offline_rate, Server_rate, Offline_at, Server_at FROM "
            f"{side('Offline', matched)} NATURAL JOIN {side('Server', matched)} ORDER BY Offline"
        ).fetchall()
    own_logs = independent([[log_of(name, at) for at in row[3:]] for row in joined])
    pairs = [(row[0], Fraction(row[2]) / Fraction(row[1])) for row in joined]
    said = stated()[name]
    where = said["checked_against"] or "no targets", source(**said["source"])
    return Round(name, len(rows), eligible, own_logs, len(matched), pairs, *where)


def fill(database: sqlite3.Connection, there: dict, rows: list) -> None:
    """Put the rows of a round into the table ``summary``, as text under our names of fields, and make ``eligible`` of it."""
    database.execute(f"CREATE TABLE summary (id INTEGER, {', '.join(f'{field} TEXT' for field in there)})")
    for number, row in enumerate(rows):
        cells = [cell(row.get(other)) for other in there.values()]
        database.execute(f"INSERT INTO summary VALUES ({', '.join('?' * (len(cells) + 1))})", [number, *cells])
    rules = [rule for field, rule in released.RULES.values() if field in there]
    rules += ["power_result = ''"] * ("power_result" in there)
    database.execute(f"CREATE VIEW eligible AS SELECT * FROM summary WHERE {' AND '.join(rules)}")


def side(scenario: str, matched: list) -> str:
    """Return the eligible rows of a scenario as SQL: number, rate and location under its name, and the matched fields."""
    own = f"id AS {scenario}, Result AS {scenario}_rate, Location AS {scenario}_at"
    return f"(SELECT {own}, {', '.join(matched)} FROM eligible WHERE Scenario = '{scenario}')"


def log_of(name: str, location: str) -> str | None:
    """Return the log of a row of another round, whose location is the run's folder or that of its scenario."""
    folder = CLONES / name / location
    found = sorted(folder.glob("mlperf_log_summary.txt")) or sorted(
        folder.glob("performance/run_1/mlperf_log_summary.txt")
    )
    return found[0].read_text(encoding="utf-8") if found else None


@lru_cache(maxsize=None)
def computed() -> dict:
    """Return round -> what was computed of it, for those that can be."""
    others = [name for name in stated() if name != released.version() and name not in read_from_file()]
    return {released.version(): this_round(), **{name: other_round(name) for name in others}}


def counts() -> list:
    """Return what the table of counts must say of each round, in the order of data/rounds.json."""
    return [of_computed(computed()[name]) if name in computed() else of_stated(said) for name, said in stated().items()]


def of_computed(one: Round) -> Stated:
    """Return the row of a round that was computed."""
    above = sum(ratio > 1 for _, ratio in one.pairs)
    numbers = (
        one.rows,
        one.eligible,
        len(one.pairs),
        one.own_logs,
        one.eligible - 2 * len(one.pairs),
        above,
        one.matched,
    )
    return Stated(one.name, *map(spelled.count, numbers), one.checked_against, one.source)


def of_stated(said: dict) -> Stated:
    """Return the row of a round that data/rounds.json states."""
    names = ("source_rows", "eligible_rows", "complete_pairs", "pairs_with_distinct_logs", "unmatched_rows")
    numbers = [*(said["counts"][name] for name in names), said["counts"]["pairs_with_server_greater_than_offline"]]
    where = (said["checked_against"] or "no targets", source(**said["source"]))
    return Stated(said["round"], *map(spelled.count, [*numbers, said["matched_fields"]]), *where)


def models() -> list:
    """Return the models that any round has a pair of, in alphabetical order."""
    names = {model for one in computed().values() for model, _ in one.pairs}
    names.update(model["model"] for name in read_from_file() for model in stated()[name]["models"])
    return sorted(names, key=str.lower)


def figures(model: str, name: str) -> str:
    """Return what a round's column says of a model."""
    if name in computed():
        ratios = computed()[name].of_model(model)
        return told(median(ratios), min(ratios), max(ratios), len(ratios)) if ratios else "no pair"
    said = next((one for one in stated()[name]["models"] if one["model"] == model), None)
    if said is None:
        return "no pair"
    return told(*(Fraction(repr(said[key])) for key in ("median", "minimum", "maximum")), said["n"])


def told(middle: Fraction, least: Fraction, most: Fraction, pairs: int) -> str:
    """Return a model's figures as a reader sees them."""
    ends = f"{spelled.percent(least)} to {spelled.percent(most)}"
    return f"{spelled.percent(middle)} ({ends}, {spelled.many(pairs, 'pair')})"


def columns() -> dict:
    """Return the columns of the table of models: one for each round."""
    of_rounds = {f"Released in {name}": ((lambda model, name=name: figures(model, name)), str) for name in stated()}
    return {"Model": (str, str), **of_rounds}


MODELS = columns()
