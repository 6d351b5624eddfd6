"""What is printed: what a run found, the pairs that were looked up, what an audit found in clones.

A word matches a pair if it is part of its submitter, system, platform, model or accelerator, in any capitals; a word of
digits alone matches a row's id, or a whole word of these names. Several words must all match.
"""

from __future__ import annotations

import difflib
import re

from scenario_ratio import wording
from scenario_ratio.problems import BundleError, Problem, shown
from scenario_ratio.show.values import highlighted
from scenario_ratio.study.rounds import by_model

NAMES = ("submitter", "system", "platform", "model", "accelerator")
LATENCIES = tuple(f"{name}_{part}_ns" for name in ("ttft", "tpot") for part in ("limit", "p99"))
NEAR = 3  # how many near names are offered for a word
HEADS = ("n", "median", "range", "above 1")
_WORD = re.compile(r"[a-z0-9]+")


def run_told(results: dict) -> str:
    """Return what was found, in a dozen lines."""
    counts, sources, same = results["counts"], results["sources"], results["highlighted"]["same_system"]
    count, points = wording.count, wording.points(same["spread_percentage_points"])
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
    lines += [
        f"{pair['offline_id']}/{pair['server_id']} {pair['submitter']} {pair['platform']} {pair['model']}: "
        f"{wording.rate(pair['server_tokens_per_s'])} / {wording.rate(pair['offline_tokens_per_s'])} = "
        f"{wording.percent(pair['ratio'])}"
        for pair in highlighted(results, "same_system", "apart")
    ]
    lines.append(f"spread on {same['platform']}: {points} percentage points. {wording.UNVERIFIED}")
    return "\n".join(lines)


def find(results: dict, words: list[str]) -> list[dict]:
    """Return what results.json says of the pairs that all of ``words`` match, in order, one flat dict each.

    Raises BundleError, naming near ones, if there is none.
    """
    pairs = [pair for pair in results["pairs"] if all(matches(pair, word) for word in words)]
    if not pairs:
        raise BundleError(_nothing(results, words))
    accuracy = {checked["row"]: checked["metrics"] for checked in results["accuracy"]}
    headroom = {fact["offline_id"]: fact for fact in results["headroom"]["pairs"]}
    return [
        {
            **pair,
            **{field: headroom.get(pair["offline_id"], {}).get(field) for field in LATENCIES},
            "offline_accuracy": accuracy.get(pair["offline_id"], []),
            "server_accuracy": accuracy.get(pair["server_id"], []),
        }
        for pair in pairs
    ]


def matches(pair: dict, word: str) -> bool:
    """Return whether a word matches a pair."""
    names = [(pair[name] or "").lower() for name in NAMES]
    if word.isdecimal():
        return word in (pair["offline_id"], pair["server_id"]) or any(word in _WORD.findall(name) for name in names)
    return any(word.lower() in name for name in names)


def _nothing(results: dict, words: list[str]) -> Problem:
    """Return the problem that no pair matches, with the names nearest to the words that match nothing."""
    pairs, alone = results["pairs"], [row["id"] for row in results["unmatched"] if row["id"] in words]
    asked = " and ".join(shown(word) for word in words)
    unknown = [word for word in words if not any(matches(pair, word) for pair in pairs)]
    if alone:
        hint = f"Row {alone[0]} is eligible and has no partner."
    elif unknown:
        near = dict.fromkeys(name for word in unknown if not word.isdecimal() for name in _near(pairs, word))
        hint = f"Near: {', '.join(near)}." if near else ""
    else:
        hint = "Each word alone matches: "
        hint += ", ".join(f"{shown(word)} {sum(matches(pair, word) for pair in pairs)}" for word in words) + "."
    expected = "an id, or parts of a submitter, system, platform, model or accelerator"
    return Problem("results.json", "pairs", found=f"none that matches {asked}", expected=expected, hint=hint)


def _near(pairs: list[dict], word: str) -> list[str]:
    """Return the names, or words of names, that are nearest to ``word``."""
    spelled: dict[str, str] = {}
    for pair in pairs:
        for name in NAMES:
            for part in [pair[name] or "", *re.split(r"[\s_]+", pair[name] or "")]:
                spelled.setdefault(part.lower(), part)
    return [spelled[near] for near in difflib.get_close_matches(word.lower(), spelled, NEAR)]


def pairs_told(results: dict, found: list[dict]) -> str:
    """Return the pairs that were found as lines for people, a block each, how many, and whose results they are."""
    count = wording.counted(len(found), "pair/pairs")
    return "\n\n".join([*map(_pair_block, found), f"{count}. {wording.attribution(results)}"])


def _pair_block(pair: dict) -> str:
    rates = (wording.rate(pair[f"{name}_tokens_per_s"]) for name in ("server", "offline"))
    named = pair["accelerator"] or "an accelerator that is not named"
    accelerators = f"{pair['accelerators']} x {named}" if pair["accelerators"] else "no accelerators"
    return "\n".join(
        [
            f"{pair['offline_id']}/{pair['server_id']} {pair['submitter']} · {pair['platform']} · {pair['model']}",
            f"  system    {pair['system']}, {accelerators}, precision {pair['precision']}",
            f"  rates     Server {next(rates)} / Offline {next(rates)} tokens/s = {wording.percent(pair['ratio'])}",
            *(_latency(pair, short) for short in ("ttft", "tpot")),
            *(
                f"  accuracy  {name.capitalize()}: {', '.join(map(_metric, pair[f'{name}_accuracy']))}"
                for name in ("offline", "server")
            ),
            f"  logs      Offline {pair['offline_log']}, Server {pair['server_log']}",
        ]
    )


def _latency(pair: dict, short: str) -> str:
    p99, limit = (pair[f"{short}_{field}_ns"] for field in ("p99", "limit"))
    if p99 is None:
        return f"  {short.upper()} p99  not known: the Server log is not available"
    return (
        f"  {short.upper()} p99  {wording.milliseconds(p99)} of at most {wording.milliseconds(limit)} ms, "
        f"{wording.percent(p99 / limit)} of its limit"
    )


def _metric(metric: dict) -> str:
    bounds = [
        f"{word} {wording.metric(metric[field])}"
        for word, field in (("at least", "target"), ("at most", "upper_limit"))
        if metric[field] is not None
    ]
    return f"{metric['metric']} {wording.metric(metric['reported'])} ({', '.join(bounds)})"


def audits_told(audits: list[dict]) -> str:
    """Return everything that was found in some clones, ending with the words that go with every result."""
    return "\n\n".join([*map(_audit_block, audits), _round_table(audits), f"{wording.UNVERIFIED} {wording.TRADEMARK}"])


def _audit_block(audited: dict) -> str:
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


def _round_table(rounds: list[dict]) -> str:
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
