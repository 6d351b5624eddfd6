"""Statistics of the pairs: how their ratios are spread, and how near to their limits their Server runs came.

Groups stand in a fixed order (models and families in alphabetical order, numbers ascending), never by ratio. The
headroom, achieved 99th percentiles of TTFT and TPOT over their limits, is descriptive only: a fraction near 1 says that a
latency was near its limit, not why a rate is what it is.
"""

from __future__ import annotations

import math
import re
import statistics
from operator import itemgetter
from typing import Callable

from scenario_ratio.pinned import LOGS
from scenario_ratio.problems import Problem, raise_if_any

QUANTILE_RULE = (
    "Quartiles are linear interpolations between order statistics: with n ratios in ascending order, numbered from 0, "
    "quartile k stands at position k * (n - 1) / 4."
)

# Name of a class of accelerator counts, and its greatest count. A class without pairs is not told.
ACCELERATOR_CLASSES = {
    "none": 0, "1 to 5": 5, "6 to 7": 7, "8": 8, "9 to 15": 15, "16 to 32": 32, "33 to 71": 71, "72": 72,
    "more": math.inf,
}  # fmt: skip
NOT_STATED = "not stated"  # the number of accelerators, in a round that gives no total

# Words of accelerator names that submitters spell with other capitals, as they are grouped: 'Nvidia' is 'NVIDIA'.
CAPITALS = {word.casefold(): word for word in ("NVIDIA", "AMD", "HBM3e")}
# What a whole accelerator name may look like, and the family it then belongs to: the submitters' words without form
# factor, edition and memory. A name that none of these fits is a family by itself.
FAMILIES = (
    (re.compile(r"NVIDIA ([BH][0-9]{3})-SXM-[0-9]+GB", re.ASCII), "NVIDIA {}"),
    (re.compile(r"NVIDIA (RTX PRO [0-9]{4} Blackwell)(?: Server Edition)?", re.ASCII), "NVIDIA {}"),
    (re.compile(r"AMD (Instinct MI[0-9]{3}[AXP])(?: [0-9]+GB HBM3e?)?", re.ASCII), "AMD {}"),
)
UNNAMED, NO_ACCELERATOR = "not named", "none"

DIVISORS = ("ttft_limit_ns", "tpot_limit_ns", "scheduled_samples_per_s")
LATENCIES = ("ttft_limit_ns", "ttft_p99_ns", "tpot_limit_ns", "tpot_p99_ns")
FACTS = (*LATENCIES, "samples_per_s", "scheduled_samples_per_s")  # of a Server log, read here
MEDIANS = ("ttft_fraction", "tpot_fraction", "larger_fraction", "completed_over_scheduled")


def distribution(pairs: list[dict]) -> dict:
    """Return the quantile rule, the spellings and the statistics of every group of pairs, as results.json holds them.

    A group without pairs is left out. Where the number of accelerators is not stated, it is not known whether a pair has
    any, so the pair is in neither of these two groups.
    """
    with_accelerators, cpu_only = parted(pairs)
    of_a_family = [pair for pair in pairs if pair["accelerators"] != 0]
    overall = {"all pairs": pairs, "pairs with accelerators": with_accelerators, "CPU-only pairs": cpu_only}
    return {
        "quantile_rule": QUANTILE_RULE,
        "accelerator_spellings": spellings(pairs),
        "overall": {name: spread(members) for name, members in overall.items() if members},
        "by_model": grouped(pairs, itemgetter("model")),
        "by_accelerators": by_accelerators(pairs),
        "by_model_and_accelerators": grouped(pairs, itemgetter("model"), by_accelerators),
        "by_family": grouped(of_a_family, lambda pair: family(pair["accelerator"])),
    }


def by_accelerators(pairs: list[dict]) -> dict[str, dict]:
    """Return class of accelerator counts -> spread of its pairs."""
    classes = [*ACCELERATOR_CLASSES, NOT_STATED]
    return grouped(pairs, lambda pair: accelerator_class(pair["accelerators"]), order=classes)


def parted(pairs: list[dict]) -> tuple[list[dict], list[dict]]:
    """Return the pairs with accelerators, and those on processors alone."""
    return [pair for pair in pairs if pair["accelerators"]], [pair for pair in pairs if pair["accelerators"] == 0]


def spread(pairs: list[dict]) -> dict:
    """Return n, the five quartiles of the ratios, how many are above 1, and the Offline ids at both ends."""
    ratios = sorted(pair["ratio"] for pair in pairs)
    q1, median, q3 = quartiles(ratios)
    return {
        "n": len(ratios),
        "minimum": ratios[0],
        "q1": q1,
        "median": median,
        "q3": q3,
        "maximum": ratios[-1],
        "above_1": sum(ratio > 1 for ratio in ratios),
        "minimum_ids": [pair["offline_id"] for pair in pairs if pair["ratio"] == ratios[0]],
        "maximum_ids": [pair["offline_id"] for pair in pairs if pair["ratio"] == ratios[-1]],
    }


def grouped(
    members: list[dict], group: Callable[[dict], str], told: Callable = spread, order: list[str] | None = None
) -> dict:
    """Return group name -> what is ``told`` of those that ``group`` puts there; in ``order``, or alphabetically."""
    groups: dict[str, list] = {}
    for member in members:
        groups.setdefault(group(member), []).append(member)
    return {name: told(groups[name]) for name in order or sorted(groups, key=str.casefold) if name in groups}


def labels(pairs: list[dict], official: Callable[[str], str]) -> dict[str, dict]:
    """Return model label -> the ``official`` name of its model, and how many of its pairs are of each accelerator family.

    Pairs without accelerators are counted under 'none'.
    """

    def told(members: list[dict]) -> dict:
        families = grouped(
            members, lambda pair: family(pair["accelerator"]) if pair["accelerators"] != 0 else NO_ACCELERATOR, len
        )
        return {"model": official(members[0]["model"]), "by_family": families}

    return grouped(pairs, itemgetter("model"), told)


def quartiles(values: list[float]) -> list[float]:
    """Return the first quartile, the median and the third quartile of at least one value, by ``QUANTILE_RULE``."""
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3


def accelerator_class(number: int | None) -> str:
    """Return the class of a number of accelerators, by the table ``ACCELERATOR_CLASSES``; None is not stated."""
    if number is None:
        return NOT_STATED
    return next(name for name, most in ACCELERATOR_CLASSES.items() if number <= most)


def canonical(accelerator: str | None) -> str:
    """Return the one spelling under which an accelerator's name is grouped, by the table ``CAPITALS``."""
    if accelerator is None:
        return UNNAMED
    return " ".join(CAPITALS.get(word.casefold(), word) for word in accelerator.split(" "))


def spellings(pairs: list[dict]) -> list[dict]:
    """Return each accelerator's name that is grouped under another spelling, with that, in alphabetical order."""
    named = sorted({pair["accelerator"] for pair in pairs if pair["accelerator"] is not None})
    return [{"accelerator": name, "grouped_as": canonical(name)} for name in named if name != canonical(name)]


def family(accelerator: str | None) -> str:
    """Return the family of an accelerator's name, by the table ``FAMILIES``; a name it does not know is its own."""
    name = canonical(accelerator)
    matches = ((pattern.fullmatch(name), spelled) for pattern, spelled in FAMILIES)
    return next((spelled.format(match[1]) for match, spelled in matches if match), name)


def headroom(pairs: list[dict], logs: list[dict]) -> dict:
    """Return the headroom of every pair whose Server log passed, in the order of ``pairs``, and each model's medians.

    Raises BundleError if a log's limit or scheduled rate is not above zero, since nothing is a fraction of that.
    """
    passed = {log["row"]: log for log in logs if log["status"] == "passed"}
    at_hand = [(pair, passed[pair["server_id"]]) for pair in pairs if pair["server_id"] in passed]
    zeros = [(log, field) for _, log in at_hand for field in DIVISORS if not log[field] > 0]
    wrong = [(f"{LOGS}/{log['path']}", "", field, str(log[field]), "a number above zero") for log, field in zeros]
    raise_if_any([Problem(*facts, check="headroom") for facts in wrong])
    facts = [pair_headroom(pair, log) for pair, log in at_hand]
    return {"pairs": facts, "by_model": grouped(facts, itemgetter("model"), medians)}


def pair_headroom(pair: dict, log: dict) -> dict:
    """Return one pair's limits and 99th percentiles in ns, their fractions, which is nearer 1, and its samples/s."""
    ttft, tpot = (log[f"{short}_p99_ns"] / log[f"{short}_limit_ns"] for short in ("ttft", "tpot"))
    scheduled, completed = log["scheduled_samples_per_s"], log["samples_per_s"]
    return {
        **{field: pair[field] for field in ("offline_id", "server_id", "model")},
        **{field: log[field] for field in LATENCIES},
        "ttft_fraction": ttft,
        "tpot_fraction": tpot,
        "nearer": "equal" if ttft == tpot else "ttft" if ttft > tpot else "tpot",
        "larger_fraction": max(ttft, tpot),
        "scheduled_samples_per_s": scheduled,
        "completed_samples_per_s": completed,
        "completed_over_scheduled": completed / scheduled,
    }


def medians(facts: list[dict]) -> dict:
    """Return n, the medians of a model's fractions, and how often each latency is the nearer one to its limit."""
    nearer = [fact["nearer"] for fact in facts]
    return {
        "n": len(facts),
        **{f"median_{field}": statistics.median(fact[field] for fact in facts) for field in MEDIANS},
        "ttft_nearer": nearer.count("ttft"),
        "tpot_nearer": nearer.count("tpot"),
        "equal": nearer.count("equal"),
    }
