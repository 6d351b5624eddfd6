"""What is told line by line, worked out a second time: by the notebook's cells, by lists of the article, below a table."""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from typing import Callable

from tests.again import groups, logs, released, rounds, spelled
from tests.again.released import PROJECT, highlighted, rows
from tests.again.spelled import metric, percent, rate

# How many changes of a pair are tried: those that keep it a pair, those that part it (each of the matched fields, a
# missing note spelled in two ways, and each spelling that a rule refuses), and those that make two rows of one scenario.
KEPT, REFUSED_SPELLINGS, DOUBLED = 5, 11, 4


def verified() -> list:
    """Return the lines about files and rows."""
    ways = had()
    twins = json.loads((released.DATA / "summary.json").read_text(encoding="utf-8"))
    alike = sum(all(equal(text, twins[row_id][field]) for field, text in row.items()) for row_id, row in rows().items())
    return [
        f"upstream files with the length and the digests that the record has: {sum(ways.values())}",
        *(f"    obtained as {way}: {number}" for way, number in ways.items()),
        f"CSV/JSON rows cross-checked: {alike}",
    ]


def had() -> dict:
    """Return way -> how many upstream files were had so and are as the record of what was acquired has them."""
    right = [one for one in rounds.acquired()["files"] if same_bytes(one, (PROJECT / one["file"]).read_bytes())]
    return {way: sum(one["obtained"] == way for one in right) for way in rounds.acquired()["obtained"]}


def files_told() -> str:
    """Return in words how many upstream files are as the record has them, and how many of these were had in which way."""
    ways = ", ".join(f"{way} {number}" for way, number in had().items())
    return f"{sum(had().values())} as the acquisition record has them in length, SHA-256 and Git blob SHA-1 ({ways})"


def below_the_table() -> list:
    """Return what the README says below its table of results."""
    return [rounds.notice(), f"Upstream files: {files_told()}."]


def same_bytes(entry: dict, raw: bytes) -> bool:
    """Tell whether bytes have the length and the two digests of an entry of the record."""
    blob = hashlib.sha1(b"blob %d\0" % len(raw) + raw).hexdigest()
    found = len(raw), hashlib.sha256(raw).hexdigest(), blob
    return found == (entry["bytes"], entry["sha256"], entry["git_blob_sha1"])


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
