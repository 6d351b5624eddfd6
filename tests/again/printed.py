"""What is printed line by line, worked out a second time: the notebook's cells, looked-up pairs, lists of the article."""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from functools import lru_cache
from typing import Callable

from tests.again import groups, logs, released, rounds, spelled
from tests.again.released import PROJECT, Pair, highlighted, rows
from tests.again.spelled import metric, milliseconds, percent, rate

# How many changes of a pair are tried: those that keep it a pair, those that part it (each of the matched fields, a
# missing note spelled in two ways, and each spelling that a rule refuses), and those that make two rows of one scenario.
KEPT, REFUSED_SPELLINGS, DOUBLED = 5, 11, 4


def verified() -> list:
    """Return the lines about files and rows."""
    record = rounds.acquired()["files"]
    right = sum(hashlib.sha256((PROJECT / one["file"]).read_bytes()).hexdigest() == one["sha256"] for one in record)
    twins = json.loads((released.DATA / "summary.json").read_text(encoding="utf-8"))
    same = sum(all(equal(text, twins[row_id][field]) for field, text in row.items()) for row_id, row in rows().items())
    return [f"upstream files verified by digest: {right}", f"CSV/JSON rows cross-checked: {same}"]


def equal(text: str, value: object) -> bool:
    """Tell whether a cell of the CSV and one of the JSON, whose numbers have up to ten decimals, say the same."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return abs(Fraction(text) - Fraction(str(value))) < Fraction(1, 10**9)
    return text in ("", "None", "N/A") if value is None else text == str(value)


def compared() -> list:
    """Return the lines about the rules, what they leave, and the pairs."""
    pairs = released.pairs()
    facts = {
        "source_rows": released.number("SELECT count(*) FROM summary"),
        "closed_rows": released.number("SELECT count(*) FROM summary WHERE Division = 'closed'"),
        "eligible_rows": len(released.eligible()),
        "complete_pairs": len(pairs),
        "unmatched_row_ids": released.unmatched(),
        "pairs_with_server_greater_than_offline": len(groups.above(pairs)),
        "rows_with_measured_power": released.number("SELECT count(*) FROM summary WHERE has_power != 'False'"),
        "Matched fields": len(released.matched()),
    }
    away = [f"turned away by {rule}: {number}" for rule, number in released.turned_away().items()]
    return away + [f"{name}: {value}" for name, value in facts.items()]


def inspected() -> list:
    """Return the lines about the highlighted pairs, and how far those of one system are apart."""
    lines = []
    for pair in highlighted():
        lines.append(f"{pair.offline['Platform']} {pair.offline['Model']} rows {pair.ids}")
        lines.append(f"    {rate(pair.server_rate)} / {rate(pair.offline_rate)} = {percent(pair.ratio)}")
    ratios = [pair.ratio for pair in highlighted() if pair.offline_id in released.ONE_SYSTEM]
    apart = spelled.rounded(100 * (max(ratios) - min(ratios)), 2)
    return [*lines, f"spread on {highlighted()[0].offline['Platform']}: {apart} percentage points"]


def checked() -> list:
    """Return the lines about accuracy and latencies of the highlighted rows."""
    return [line for pair in highlighted() for row_id in pair[:2] for line in of_row(row_id)]


def of_row(row_id: str) -> list:
    """Return the lines about one row."""
    row = rows()[row_id]
    targets, _ = released.bounds(row["Model"])
    lines = [f"{row_id} {row['Model']} {row['Scenario']}: {logs.says(row_id)}"]
    lines += [
        f"    {name}: target {metric(targets[name])}, reported {metric(Fraction(text))}"
        for name, text in released.metrics(row_id).items()
    ]
    for latency in ("ttft", "tpot") if row["Scenario"] == "Server" else ():
        limit, achieved = released.limit(row["Model"], latency), released.p99(row_id, latency)
        told = spelled.rounded(Fraction(achieved, 10**6), 2).replace(",", "")
        lines.append(f"    {latency.upper()} limit {limit // 10**6} ms, achieved p99 {told} ms")
    return lines


def never_paired() -> list:
    """Return the lines about changed pairs, and about the saved files."""
    parted = len(released.matched()) + 1 + REFUSED_SPELLINGS
    return [
        f"positive cases passed: {KEPT}",
        f"rejection cases passed: {parted}",
        f"duplicate cases passed: {DOUBLED}",
        "recomputed results equal the saved JSON: True",
        "regenerated SVG equals the saved figure: True",
    ]


def nothing() -> list:
    """Return no line."""
    return []


def figure_told() -> str:
    """Return the figure of the highlighted pairs in words."""
    told = [
        f"{pair.offline['Model']} on {pair.offline['Platform']} by {pair.offline['Organization']}: Server "
        f"{rate(pair.server_rate)} over Offline {rate(pair.offline_rate)} tokens/s is {percent(pair.ratio)}"
        for pair in highlighted()
    ]
    return f"Bar chart from zero, Offline as 100%. {'. '.join(told)}."


# Heading above a cell of the notebook -> the lines that the cell must print.
NOTEBOOK: dict[str, Callable[[], list]] = {
    "Verify the files and load the rows": verified,
    "Define the comparison before reading the ratio": compared,
    "Inspect the highlighted rows": inspected,
    "Accuracy targets, latency limits and logs": checked,
    "What must never be paired": never_paired,
    "The regenerated figure": nothing,
}


def shortened(text: str) -> str:
    """Return a text whose numbers with more than seven decimals are rounded to these, as a metric is spelled."""
    return re.sub(r"\d+\.\d{8,}", lambda found: metric(Fraction(found[0])), text)


def turned_away() -> list:
    """Return the article's list of rules: what each allows, and how many rows it turned away."""
    found = []
    for rule, number in released.turned_away().items():
        field, condition = released.RULES[rule]
        allowed = " or ".join(re.findall(r"'([^']*)'", condition))
        found.append(f"{rule}: {field} is {allowed} ({spelled.count(number)} turned away)")
    return found


def alone() -> list:
    """Return the article's list of rows without a partner."""
    found = []
    for row_id in released.unmatched():
        row = rows()[row_id]
        named = ", ".join(row[field] for field in ("Organization", "Platform", "Model", "Scenario"))
        found.append(
            f"Row {row_id}: {named}, {rate(Fraction(row['Result']))} tokens/s. No row of the other scenario is equal to it "
            f"in all {len(released.matched())} fields, so it enters no ratio."
        )
    return found


def looked_up() -> str:
    """Return what looking up every pair must print."""
    blocks = ["\n".join(block(pair)) for pair in released.pairs()]
    return "\n\n".join([*blocks, f"{spelled.many(len(blocks), 'pair')}. {rounds.notice()}"]) + "\n"


def block(pair: Pair) -> list:
    """Return the lines about one pair that was looked up."""
    row = pair.offline
    on = f"{pair.accelerators} x {pair.accelerator}" if pair.accelerators else "no accelerators"
    accuracy = [
        f"  accuracy  {rows()[one]['Scenario']}: {', '.join(metric_told(one, name) for name in released.metrics(one))}"
        for one in pair[:2]
    ]
    return [
        f"{pair.ids} {row['Organization']} · {row['Platform']} · {row['Model']}",
        f"  system    {row['SystemName']}, {on}, precision {row['weight_data_types']}",
        f"  rates     Server {rate(pair.server_rate)} / Offline {rate(pair.offline_rate)} tokens/s = {percent(pair.ratio)}",
        *(latency_told(pair, latency) for latency in ("ttft", "tpot")),
        *accuracy,
        f"  logs      Offline: {logs.says(pair.offline_id)}; Server: {logs.says(pair.server_id)}",
    ]


def latency_told(pair: Pair, latency: str) -> str:
    """Return the line about a latency of a pair's Server run."""
    if pair not in with_log():
        return f"  {latency.upper()} p99  not known: the Server log is not available"
    achieved, limit = released.p99(pair.server_id, latency), released.limit(pair.server["Model"], latency)
    return (
        f"  {latency.upper()} p99  {milliseconds(achieved)} of at most {milliseconds(limit)} ms, "
        f"{percent(released.share(pair, latency))} of its limit"
    )


@lru_cache(maxsize=None)
def with_log() -> tuple:
    """Return the pairs whose Server log is there."""
    return tuple(released.with_server_log())


def metric_told(row_id: str, name: str) -> str:
    """Return a metric of a row with its bounds."""
    sides = zip(("at least", "at most"), released.bounds(rows()[row_id]["Model"]))
    told = [f"{word} {metric(bounds[name])}" for word, bounds in sides if name in bounds]
    return f"{name} {metric(Fraction(released.metrics(row_id)[name]))} ({', '.join(told)})"
