#!/usr/bin/env python3
"""Compute every Server/Offline ratio from the pinned summary and check every source.

Reads data/ and sources/; writes results.json and data/selected_rows.json. With --pair it shows pairs of
results.json instead, and writes nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Callable

from scenario_ratio import cli, wording
from scenario_ratio.files import canonical_json, read_bytes, read_json
from scenario_ratio.pinned import APART, CONSTANTS, CSV, JSON, RESULTS, ROUND, SAME_SYSTEM, SELECTED
from scenario_ratio.problems import BundleError, Problem, raise_if_any
from scenario_ratio.show import lookup, report
from scenario_ratio.study import anomalies, claims, distribution, facts, headroom, pairing, rounds, sources
from scenario_ratio.study import results as results_file
from scenario_ratio.upstream import constants as checker_constants
from scenario_ratio.upstream import record as acquisition
from scenario_ratio.upstream import summary

MODEL_FIELDS = ["Model", "MlperfModel"]


def analyze(root: Path) -> dict:
    """Return the whole computation over the bundle at ``root``: what results.json holds.

    Rates are in tokens/s, latencies in ns, ratios Server over Offline. Raises BundleError with every problem of
    the first stage that fails: reading, cross-check, pairs, accuracy, logs, accelerator classes, headroom, claims,
    other rounds; then digests.
    """
    return compute(root)[0]


def compute(root: Path) -> tuple[dict, dict]:
    """Return (results, selected rows) of the bundle at ``root``; see analyze.

    Whatever fails, the sources that are not as they were acquired are named too.
    """
    record = acquisition.load(root)
    contents = acquisition.read_sources(root, record)
    changed = acquisition.digest_problems(record, contents)
    try:
        computed = compute_from(root, record, contents)
    except BundleError as error:
        raise BundleError(*error.problems, *changed) from None
    raise_if_any(changed)
    return computed


def compute_from(root: Path, record: acquisition.Record, contents: dict[str, bytes]) -> tuple[dict, dict]:
    """Return (results, selected rows) from the contents of the recorded sources; see analyze."""
    rows = summary.load(contents[CSV], contents[JSON])
    eligible, exclusions = pairing.eligible(rows)
    pairs, unmatched = pairing.match(eligible)
    constants = checker_constants.parse(read_bytes(root, CONSTANTS), CONSTANTS, ROUND)
    checked_accuracy = sources.accuracy_of(eligible, constants)
    logs = sources.logs_of(eligible, record, contents, constants)
    told, log_list = [facts.pair_facts(pair, logs) for pair in pairs], list(logs.values())
    counts = counts_of(rows, eligible, pairs, unmatched, logs, checked_accuracy)
    results = {
        "round": ROUND,
        "sources": sources.upstream(record),
        "counts": counts,
        "exclusions": exclusions,
        "matched_fields": list(pairing.METADATA_FIELDS),
        "highlighted": {**highlighted_of(pairs), "same_parts": distribution.same_parts(told, SAME_SYSTEM)},
        "pairs": told,
        "unmatched": [facts.row_facts(row) for row in unmatched],
        "accuracy": checked_accuracy,
        "logs": log_list,
        "distribution": distribution.distribution(told),
        "headroom": headroom.headroom(told, log_list),
        "anomalies": anomalies.table(log_list),
        "claims": claims.evaluate(read_json(root, claims.CLAIMS), told, log_list, differing_in(pairs)),
        "rounds": rounds.beside(rounds.load(root), ROUND, counts, rounds.models_of(pairs)),
    }
    return results, selected_rows(pairs)


def counts_of(rows: list, eligible: list, pairs: list, unmatched: list, logs: dict, accuracy: list) -> dict:
    """Return the counts that the article and the notebook quote."""
    divisions = [row.text["Division"] for row in rows]
    passed = {row_id for row_id, log in logs.items() if log["status"] == "passed"}
    return {
        "source_rows": len(rows),
        "source_fields": len(summary.FIELDS),
        "cells_compared": len(rows) * len(summary.FIELDS),
        "closed_rows": divisions.count("closed"),
        "open_rows": divisions.count("open"),
        "eligible_rows": len(eligible),
        "complete_pairs": len(pairs),
        "unmatched_rows": len(unmatched),
        "unmatched_row_ids": [row.id for row in unmatched],
        "pairs_with_server_greater_than_offline": sum(pair.ratio > 1 for pair in pairs),
        "rows_with_measured_power": sum(row.value["has_power"] is True for row in rows),
        "matched_fields": len(pairing.METADATA_FIELDS),
        "logs_passed": len(passed),
        "logs_not_available": len(logs) - len(passed),
        "pairs_with_both_logs": sum({pair.offline.id, pair.server.id} <= passed for pair in pairs),
        "logs_with_anomalies": sum(bool(log.get("anomalies")) for log in logs.values()),
        "logs_with_errors": sum(bool(log.get("errors")) for log in logs.values()),
        "server_logs_passed": sum(pair.server.id in passed for pair in pairs),
        "rows_with_an_unreported_limit": sum(bool(row["limits_without_a_reported_metric"]) for row in accuracy),
    }


def highlighted_of(pairs: list) -> dict:
    """Return which pairs are highlighted, by Offline id, and the spread of the ratios of one system's models.

    Raises BundleError if a highlighted pair is not there, or if the three of one system differ in more than the model.
    """
    by_id = {pair.offline.id: pair for pair in pairs}
    absent = [row_id for row_id in SAME_SYSTEM + APART if row_id not in by_id]
    raise_if_any([Problem(CSV, f"row {row_id!r}", found="no pair", expected="a highlighted pair") for row_id in absent])
    same = [by_id[row_id] for row_id in SAME_SYSTEM]
    differing = differing_in(pairs)(*SAME_SYSTEM)
    if differing != MODEL_FIELDS:
        place = f"rows {', '.join(SAME_SYSTEM)}"
        raise BundleError(Problem(CSV, place, found=f"differing {differing}", expected=f"differing {MODEL_FIELDS}"))
    ratios = [pair.ratio for pair in same]
    return {
        "same_system": {
            "offline_ids": list(SAME_SYSTEM),
            "platform": same[0].offline.text["Platform"],
            "differing_fields": differing,
            "spread_percentage_points": 100 * (max(ratios) - min(ratios)),
        },
        "apart": {"offline_ids": list(APART)},
    }


def differing_in(pairs: list) -> Callable[..., list[str]]:
    """Return a function from Offline ids to the metadata fields in which those of ``pairs`` differ."""
    texts = {pair.offline.id: pair.offline.text for pair in pairs}

    def differing(*offline_ids: str) -> list[str]:
        return [field for field in pairing.METADATA_FIELDS if len({texts[row_id][field] for row_id in offline_ids}) > 1]

    return differing


def selected_rows(pairs: list) -> dict:
    """Return the rows of the highlighted pairs, by id, with every CSV cell as text and every JSON value."""
    selected = {row.id: row for pair in pairs if pair.offline.id in SAME_SYSTEM + APART for row in pair}
    return {
        row_id: {"csv": row.text, "json": {**row.value, "Result": float(row.value["Result"])}}
        for row_id, row in selected.items()
    }


def outputs(root: Path, output: Path) -> dict[str, bytes]:
    """Return name -> bytes of the two files that this script writes, computed from ``root`` alone."""
    results, selected = compute(root)
    return {RESULTS: canonical_json(results), SELECTED: canonical_json(selected)}


def main() -> None:
    """Write results.json and data/selected_rows.json, and say what was found; or, with --pair, look pairs up."""
    arguments = cli.parser(__doc__)
    arguments.add_argument(
        "--pair",
        nargs="+",
        metavar="TEXT",
        help="write nothing; show the pairs of results.json that all these words match: parts of a submitter, system, "
        "platform, model or accelerator, or an id",
    )
    arguments.add_argument("--json", action="store_true", help="with --pair: as JSON, for programs")
    options = arguments.parse_args()
    root, output = cli.folders(options)
    if options.pair is not None:
        words = " ".join(options.pair).split() or arguments.error("--pair needs a word")
        show_pairs(results_file.load(output), words, options.json)
        return
    if options.json:
        arguments.error("--json goes with --pair")
    results, selected = compute(root)
    cli.write(output, {RESULTS: canonical_json(results), SELECTED: canonical_json(selected)})
    print(report.found(results))


def show_pairs(results: dict, words: list[str], as_json: bool) -> None:
    """Print the pairs that all words match; raises BundleError if there is none."""
    found = lookup.find(results, words)
    if as_json:
        print(canonical_json({"attribution": wording.attribution(results), "pairs": found}).decode("utf-8"), end="")
    else:
        print(lookup.told(results, found))


if __name__ == "__main__":
    cli.run(main)
