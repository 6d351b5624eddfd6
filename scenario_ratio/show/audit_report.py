"""What audit.py found, for the terminal: a block for each clone, then the models with the rounds side by side."""

from __future__ import annotations

from scenario_ratio import wording
from scenario_ratio.study.rounds import by_model

HEADS = ("n", "median", "range", "above 1")


def told(audits: list[dict]) -> str:
    """Return everything that was found in some clones, ending with the words that go with every result."""
    return "\n\n".join([*map(block, audits), table(audits), f"{wording.UNVERIFIED} {wording.TRADEMARK}"])


def block(audited: dict) -> str:
    """Return what was found in one clone, in eight lines."""
    counts, units, source = audited["counts"], audited["other_units"], audited["sources"]["results"]
    stated = f"{source['repository']} at {source['commit']}" if source else "repository and commit not stated"
    turned_away = [f"{rule['rule']} {rule['turned_away']}" for rule in audited["exclusions"]]
    verdicts = [row["verdict"] for row in audited["accuracy"]]
    lines = [
        f"{wording.BENCHMARK} {wording.SUITE} {audited['round']}, {stated}",
        f"rows: {wording.count(counts['source_rows'])}, of them {counts['unreadable_rows']} unreadable, "
        f"{counts['eligible_rows']} eligible",
        f"turned away by each rule in turn: {', '.join(turned_away)}",
        f"pairs: {counts['complete_pairs']} on {counts['matched_fields']} metadata fields, "
        f"{counts['pairs_with_server_greater_than_offline']} of them with Server above Offline; "
        f"unmatched rows: {', '.join(counts['unmatched_row_ids']) or 'none'}",
        f"logs: {counts['logs_passed']} passed every check, {counts['logs_failed']} failed, "
        f"{counts['logs_not_available']} not available; pairs with both logs: {counts['pairs_with_both_logs']}, "
        f"of them {counts['pairs_with_distinct_logs']} that share no log with an earlier pair",
        f"accuracy: {verdicts.count('within targets and limits')} rows within targets and limits, "
        f"{verdicts.count('failed')} failed, {verdicts.count('not checked')} not checked",
        f"rows that only their unit keeps out: {units['rows']}, logs read {units['logs_read']}, of them "
        f"{len(units['in_tokens_per_s'])} in tokens/s{_models_in(units['in_tokens_per_s'])}",
        f"not checked: {_lacking(audited['not_checked'])}",
    ]
    return "\n".join(lines)


def _models_in(rows: list[dict]) -> str:
    names = sorted({f"{row['model']} {row['scenario']}, which the summary gives in {row['units']}" for row in rows})
    return f": {'; '.join(names)}" if names else ""


def _lacking(not_checked: list[dict]) -> str:
    """Return what could not be checked, the figures together that the same models lack."""
    by_models: dict[tuple, list] = {}
    for entry in not_checked:
        by_models.setdefault(tuple(entry["models"]), []).append(entry["figure"])
    parts = [f"{', '.join(figures)} of {', '.join(models)}" for models, figures in by_models.items()]
    return "; ".join(parts) or "nothing, all figures are in the checker constants"


def table(rounds: list[dict]) -> str:
    """Return each model's figures, the rounds side by side; ``rounds`` need the keys ``round`` and ``models``."""
    lines = [["model", *(head for _ in rounds for head in HEADS)]]
    for name, figures in by_model(rounds).items():
        lines.append([name, *(cell for model in figures for cell in _cells(model))])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    texts = [
        "  ".join([line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:]))])
        for line in lines
    ]
    return "\n".join([_round_line([one["round"] for one in rounds], widths), *texts])


def _round_line(names: list[str], widths: list[int]) -> str:
    """Return the line above the heads: each round's name over the last of its columns."""
    size = len(HEADS)
    spans = [sum(widths[1 + size * n : 1 + size * (n + 1)]) + 2 * (size - 1) for n in range(len(names))]
    return "  ".join([" " * widths[0], *(name.rjust(span) for name, span in zip(names, spans))])


def _cells(model: dict | None) -> list[str]:
    if model is None:
        return ["-"] * len(HEADS)
    least, median, most = (wording.percent(model[key]) for key in ("minimum", "median", "maximum"))
    return [wording.count(model["n"]), median, f"{least} to {most}", wording.count(model["above_1"])]
