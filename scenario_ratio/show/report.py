"""What a run found, in a dozen lines for the terminal."""

from __future__ import annotations

from scenario_ratio import wording


def found(results: dict) -> str:
    """Return what was found, in a dozen lines."""
    counts, sources, highlighted = results["counts"], results["sources"], results["highlighted"]
    count, pairs = wording.count, {pair["offline_id"]: pair for pair in results["pairs"]}
    above = counts["pairs_with_server_greater_than_offline"]
    lines = [
        f"{wording.BENCHMARK} {wording.SUITE} {results['round']}, results at {sources['results']['commit'][:12]}, "
        f"retrieved {sources['retrieved']}",
        f"upstream files verified by digest: {count(sources['files_verified'])}",
        f"rows: {counts['source_rows']} of {counts['source_fields']} fields, {count(counts['cells_compared'])} CSV cells "
        "equal to their JSON twins",
        f"closed {counts['closed_rows']}, open {counts['open_rows']}, eligible {counts['eligible_rows']}, "
        f"with measured power {counts['rows_with_measured_power']}",
        f"pairs: {counts['complete_pairs']} on {counts['matched_fields']} metadata fields, {above} of them with Server above "
        f"Offline; unmatched rows: {', '.join(counts['unmatched_row_ids']) or 'none'}",
        f"accuracy: every metric of {counts['eligible_rows']} rows within its target and upper limit",
        f"logs: {counts['logs_passed']} passed every check, {counts['logs_not_available']} not available",
    ]
    for row_id in highlighted["same_system"]["offline_ids"] + highlighted["apart"]["offline_ids"]:
        pair = pairs[row_id]
        lines.append(
            f"{row_id}/{pair['server_id']} {pair['submitter']} {pair['platform']} {pair['model']}: "
            f"{wording.rate(pair['server_tokens_per_s'])} / {wording.rate(pair['offline_tokens_per_s'])} = "
            f"{wording.percent(pair['ratio'])}"
        )
    spread = wording.points(highlighted["same_system"]["spread_percentage_points"])
    lines.append(
        f"spread on {highlighted['same_system']['platform']}: {spread} percentage points. {wording.UNVERIFIED}"
    )
    return "\n".join(lines)
