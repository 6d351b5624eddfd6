"""The whole computation: from the pinned sources to what results.json and data/selected_rows.json hold."""

from __future__ import annotations

from typing import Callable

from scenario_ratio.bundle import Bundle
from scenario_ratio.files import json_bytes
from scenario_ratio.pinned import APART, CONSTANTS, CSV, JSON, ROUND, SAME_SYSTEM
from scenario_ratio.problems import BundleError, Problem, raise_if_any
from scenario_ratio.study import anomalies, claims, facts, pairing, ratios, rounds, sources
from scenario_ratio.upstream import constants as checker_constants
from scenario_ratio.upstream import record as acquisition
from scenario_ratio.upstream import summary

MODEL_FIELDS = ["Model", "MlperfModel"]


def compute(bundle: Bundle) -> tuple[dict, dict]:
    """Return (results, selected rows) of the bundle: what results.json and data/selected_rows.json hold.

    Rates are in tokens/s, latencies in ns, ratios Server over Offline.

    Whatever fails, the sources that are not as they were acquired are named too.
    """
    record = bundle.once(acquisition.load)
    contents = acquisition.read_sources(bundle, record)
    changed = acquisition.digest_problems(record, contents)
    try:
        computed = compute_from(bundle, record, contents)
    except BundleError as error:
        raise BundleError(*error.problems, *changed) from None
    raise_if_any(changed)
    return computed


def compute_from(bundle: Bundle, record: acquisition.Record, contents: dict[str, bytes]) -> tuple[dict, dict]:
    """Return (results, selected rows) from the contents of the recorded sources; see compute."""
    rows = summary.load(contents[CSV], contents[JSON])
    eligible, exclusions = pairing.eligible(rows)
    pairs, unmatched = pairing.match(eligible)
    constants = checker_constants.parse(bundle.read(CONSTANTS), CONSTANTS, ROUND)
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
        "highlighted": {**highlighted_of(pairs), "same_parts": ratios.same_parts(told, SAME_SYSTEM)},
        "pairs": told,
        "unmatched": [facts.row_facts(row) for row in unmatched],
        "accuracy": checked_accuracy,
        "logs": log_list,
        "distribution": ratios.distribution(told),
        "headroom": ratios.headroom(told, log_list),
        "anomalies": anomalies.table(log_list),
        "claims": claims.evaluate(bundle.once(claims.load), told, log_list, differing_in(pairs)),
        "rounds": rounds.beside(bundle.once(rounds.load), ROUND, counts, rounds.models_of(pairs)),
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


def make_results(bundle: Bundle) -> bytes:
    """Return results.json."""
    return json_bytes(bundle.once(compute)[0])


def make_selected(bundle: Bundle) -> bytes:
    """Return data/selected_rows.json."""
    return json_bytes(bundle.once(compute)[1])
