"""Finding pairs in results.json by what a person types, and showing all that is known of them.

A word matches a pair if it is part of its submitter, system, platform, model or accelerator, in any capitals; a
word of digits alone matches a row's id, or a whole word of these names. Several words must all match.
"""

from __future__ import annotations

import difflib
import re

from scenario_ratio import wording
from scenario_ratio.problems import BundleError, Problem, shown
from scenario_ratio.study.headroom import LATENCIES

NAMES = ("submitter", "system", "platform", "model", "accelerator")
NEAR = 3  # how many near names are offered for a word
_WORD = re.compile(r"[a-z0-9]+")


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


def told(results: dict, found: list[dict]) -> str:
    """Return the pairs that were found as lines for people, a block each, how many, and whose results they are."""
    count = f"{wording.count(len(found))} pair{'s' * (len(found) != 1)}"
    return "\n\n".join([*map(_block, found), f"{count}. {wording.attribution(results)}"])


def _block(pair: dict) -> str:
    rates = (wording.rate(pair[f"{name}_tokens_per_s"]) for name in ("server", "offline"))
    accelerators = f"{pair['accelerators']} x {pair['accelerator']}" if pair["accelerators"] else "no accelerators"
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
