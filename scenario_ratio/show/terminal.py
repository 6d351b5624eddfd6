"""What is printed: what a run found, the pairs that were looked up, what an audit found in clones.

A word matches a pair if it is part of its submitter, system, platform, model or accelerator, in any capitals; a word of
digits alone matches a row's id, or a whole word of these names. Several words must all match.
"""

from __future__ import annotations

import difflib
import re
from typing import Callable, Iterable

from scenario_ratio import wording
from scenario_ratio.problems import BundleError, Problem, shown
from scenario_ratio.show.values import log_says, told
from scenario_ratio.study.rounds import by_model

NAMES = ("submitter", "system", "platform", "model", "accelerator")
LATENCIES = tuple(f"{name}_{part}_ns" for name in ("ttft", "tpot") for part in ("limit", "p99"))
HEADS = ("n", "median", "range", "above 1")


def run_told(results: dict) -> str:
    """Return what was found, in a dozen lines."""
    counts, sources, same = results["counts"], results["sources"], results["highlighted"]["same_system"]
    points = wording.points(same["spread_percentage_points"])
    lines = [
        f"{wording.BENCHMARK} {wording.SUITE} {results['round']}, results at {sources['results']['commit'][:12]}, "
        f"retrieved {sources['retrieved']}",
        f"upstream files verified by digest: {wording.count(sources['files_verified'])}",
        f"rows: {counts['source_rows']} of {counts['source_fields']} fields, {wording.count(counts['cells_compared'])} CSV "
        "cells equal to their JSON twins",
        f"closed {counts['closed_rows']}, open {counts['open_rows']}, eligible {counts['eligible_rows']}, "
        f"with measured power {counts['rows_with_measured_power']}",
        _pairs_line(counts),
        f"accuracy: every metric of {counts['eligible_rows']} rows within its target and upper limit",
        f"logs: {counts['logs_passed']} passed every check ({counts['logs_with_errors']} with errors in the log), "
        f"{counts['logs_not_available']} not available",
        *(
            f"{wording.rows(pair)} {pair['submitter']} {pair['platform']} {pair['model']}: "
            f"{wording.rate(pair['server_tokens_per_s'])} / {wording.rate(pair['offline_tokens_per_s'])} = "
            f"{wording.percent(pair['ratio'])}"
            for pair in told(results)
        ),
        f"spread on {same['platform']}: {points} percentage points. {wording.UNVERIFIED}",
    ]
    return "\n".join(lines)


def _pairs_line(counts: dict) -> str:
    return (
        f"pairs: {counts['complete_pairs']} on {counts['matched_fields']} metadata fields, "
        f"{counts['pairs_with_server_greater_than_offline']} of them with Server above Offline; "
        f"unmatched rows: {', '.join(counts['unmatched_row_ids']) or 'none'}"
    )


def find(results: dict, words: list[str]) -> list[dict]:
    """Return what results.json says of the pairs that all of ``words`` match, in order, one flat dict each.

    Raises BundleError, naming near ones, if there is none.
    """
    pairs = [pair for pair in results["pairs"] if all(matches(pair, word) for word in words)]
    if not pairs:
        raise BundleError(_nothing(results, words))
    accuracy = {checked["row"]: checked["metrics"] for checked in results["accuracy"]}
    latencies = {fact["offline_id"]: {key: fact[key] for key in LATENCIES} for fact in results["headroom"]["pairs"]}
    said = log_says(results)
    return [
        pair
        | latencies.get(pair["offline_id"], dict.fromkeys(LATENCIES))
        | {f"{name}_accuracy": accuracy.get(pair[f"{name}_id"], []) for name in ("offline", "server")}
        | {f"{name}_log_says": said(pair, name) for name in ("offline", "server")}
        for pair in pairs
    ]


def matches(pair: dict, word: str) -> bool:
    """Return whether a word matches a pair."""
    names = [(pair[name] or "").lower() for name in NAMES]
    if word.isdecimal():
        ids = pair["offline_id"], pair["server_id"]
        return word in ids or any(word in re.findall("[a-z0-9]+", name) for name in names)
    return any(word.lower() in name for name in names)


def _nothing(results: dict, words: list[str]) -> Problem:
    pairs, alone = results["pairs"], [row["id"] for row in results["unmatched"] if row["id"] in words]
    asked = " and ".join(shown(word) for word in words)
    unknown = [word for word in words if not any(matches(pair, word) for pair in pairs)]
    if alone:
        hint = f"Row {alone[0]} is eligible and has no partner."
    elif unknown:
        near = dict.fromkeys(name for word in unknown if not word.isdecimal() for name in _near(pairs, word))
        hint = f"Near: {', '.join(near)}." if near else ""
    else:
        counts = [f"{shown(word)} {sum(matches(pair, word) for pair in pairs)}" for word in words]
        hint = f"Each word alone matches: {', '.join(counts)}."
    expected = "an id, or parts of a submitter, system, platform, model or accelerator"
    return Problem("results.json", "pairs", found=f"none that matches {asked}", expected=expected, hint=hint)


def _near(pairs: list[dict], word: str) -> list[str]:
    """Return the names, or words of names, that are nearest to ``word``, three at most."""
    spelled: dict[str, str] = {}
    for name in (pair[field] or "" for pair in pairs for field in NAMES):
        for part in [name, *re.split(r"[\s_]+", name)]:
            spelled.setdefault(part.lower(), part)
    return [spelled[near] for near in difflib.get_close_matches(word.lower(), spelled)]


def pairs_told(results: dict, found: list[dict]) -> str:
    """Return the pairs that were found as lines for people, a block each, how many, and whose results they are."""
    count = wording.counted(len(found), "pair/pairs")
    return "\n\n".join([*map(_pair_block, found), f"{count}. {wording.attribution(results)}"])


def _pair_block(pair: dict) -> str:
    rates = (wording.rate(pair[f"{name}_tokens_per_s"]) for name in ("server", "offline"))
    named = pair["accelerator"] or "an accelerator that is not named"
    accelerators = f"{pair['accelerators']} x {named}" if pair["accelerators"] else "no accelerators"
    lines = [
        f"{wording.rows(pair)} {pair['submitter']} · {pair['platform']} · {pair['model']}",
        f"  system    {pair['system']}, {accelerators}, precision {pair['precision']}",
        f"  rates     Server {next(rates)} / Offline {next(rates)} tokens/s = {wording.percent(pair['ratio'])}",
        *(_latency(pair, short) for short in ("ttft", "tpot")),
        f"  accuracy  Offline: {', '.join(map(_metric, pair['offline_accuracy']))}",
        f"  accuracy  Server: {', '.join(map(_metric, pair['server_accuracy']))}",
        f"  logs      Offline: {pair['offline_log_says']}; Server: {pair['server_log_says']}",
    ]
    return "\n".join(lines)


def _latency(pair: dict, short: str) -> str:
    p99, limit = (pair[f"{short}_{field}_ns"] for field in ("p99", "limit"))
    if p99 is None:
        return f"  {short.upper()} p99  not known: the Server log is not available"
    return (
        f"  {short.upper()} p99  {wording.milliseconds(p99)} of at most {wording.milliseconds(limit)} ms, "
        f"{wording.percent(p99 / limit)} of its limit"
    )


def _metric(metric: dict) -> str:
    bounds = (("at least", metric["target"]), ("at most", metric["upper_limit"]))
    told = [f"{word} {wording.metric(bound)}" for word, bound in bounds if bound is not None]
    return f"{metric['metric']} {wording.metric(metric['reported'])} ({', '.join(told)})"


def audits_told(audits: list[dict]) -> str:
    """Return everything that was found in some clones, ending with the words that go with every result."""
    return "\n\n".join([*map(_audit_block, audits), _round_table(audits), f"{wording.UNVERIFIED} {wording.TRADEMARK}"])


def _audit_block(audited: dict) -> str:
    counts, units, source = audited["counts"], audited["other_units"], audited["sources"]["results"]
    stated = f"{source['repository']} at {source['commit']}" if source else "repository and commit not stated"
    turned_away = [f"{rule['rule']} {rule['turned_away']}" for rule in audited["exclusions"]]
    verdicts = [row["verdict"] for row in audited["accuracy"]]
    found = units["in_tokens_per_s"]
    models = sorted({f"{row['model']} {row['scenario']}, which the summary gives in {row['units']}" for row in found})
    lines = [
        f"{wording.BENCHMARK} {wording.SUITE} {audited['round']}, {stated}",
        f"rows: {wording.count(counts['source_rows'])}, of them {counts['unreadable_rows']} unreadable, "
        f"{counts['eligible_rows']} eligible",
        f"turned away by each rule in turn: {', '.join(turned_away)}",
        _pairs_line(counts),
        f"logs: {counts['logs_passed']} passed every check, {counts['logs_failed']} failed, "
        f"{counts['logs_not_available']} not available; pairs with both logs: {counts['pairs_with_both_logs']}, "
        f"of them {counts['pairs_with_distinct_logs']} that share no log with an earlier pair",
        f"accuracy: {verdicts.count('within targets and limits')} rows within targets and limits, "
        f"{verdicts.count('failed')} failed, {verdicts.count('not checked')} not checked",
        f"rows that only their unit keeps out: {units['rows']}, logs read {units['logs_read']}, of them "
        f"{len(found)} in tokens/s{': ' if models else ''}{'; '.join(models)}",
        f"not checked: {_lacking(audited['not_checked'])}",
    ]
    return "\n".join(lines)


def _lacking(not_checked: list[dict]) -> str:
    """Return what could not be checked, the figures together that the same models lack."""
    by_models: dict[tuple, list] = {}
    for entry in not_checked:
        by_models.setdefault(tuple(entry["models"]), []).append(entry["figure"])
    parts = [f"{', '.join(figures)} of {', '.join(models)}" for models, figures in by_models.items()]
    return "; ".join(parts) or "nothing, all figures are in the checker constants"


def _round_table(rounds: list[dict]) -> str:
    """Return each model's figures, the rounds side by side; ``rounds`` need the keys ``round`` and ``models``."""
    figures = by_model(rounds)
    columns = [_aligned(["", "model", *figures], str.ljust)]
    for number, one in enumerate(rounds):
        cells = map(_aligned, zip(HEADS, *(_cells(models[number]) for models in figures.values())))
        columns.append(_aligned([one["round"], *map("  ".join, zip(*cells))]))
    return "\n".join(map("  ".join, zip(*columns)))


def _aligned(cells: Iterable[str], to: Callable[[str, int], str] = str.rjust) -> list[str]:
    width = max(map(len, cells))
    return [to(cell, width) for cell in cells]


def _cells(model: dict | None) -> list[str]:
    if model is None:
        return ["-"] * len(HEADS)
    median = wording.percent(model["median"])
    return [wording.count(model["n"]), median, wording.ends(model), wording.count(model["above_1"])]
