"""How the ratios are spread: over all pairs, and by model, by number of accelerators, by accelerator family.

Groups stand in a fixed order (models and families in alphabetical order, numbers ascending), never by ratio.
"""

from __future__ import annotations

import re
import statistics

from scenario_ratio.problems import Problem, raise_if_any

QUANTILE_RULE = (
    "Quartiles are linear interpolations between order statistics: with n ratios in ascending order, numbered from 0, "
    "quartile k stands at position k * (n - 1) / 4."
)

# Name of a class of accelerator counts, its least and its greatest count; None is without end.
ACCELERATOR_CLASSES = (
    ("none", 0, 0),
    ("1 to 5", 1, 5),
    ("8", 8, 8),
    ("16 to 32", 16, 32),
    ("72", 72, 72),
    ("more", 73, None),
)

# What a whole accelerator name may look like, whatever its capitals, and the family it then belongs to: the
# submitters' words without form factor, edition and memory. A name that none of these fits is a family by itself.
FAMILIES = (
    (re.compile(r"NVIDIA ([BH][0-9]{3})-SXM-[0-9]+GB", re.ASCII | re.IGNORECASE), "NVIDIA {}"),
    (re.compile(r"NVIDIA (RTX PRO [0-9]{4} Blackwell)(?: Server Edition)?", re.ASCII | re.IGNORECASE), "NVIDIA {}"),
    (re.compile(r"AMD (Instinct MI[0-9]{3}[AXP])(?: [0-9]+GB HBM3e?)?", re.ASCII | re.IGNORECASE), "AMD {}"),
)
PARTS = ("model", "accelerator", "accelerators", "nodes")  # what is equal in same_parts
UNNAMED = "not named"


def distribution(pairs: list[dict]) -> dict:
    """Return the quantile rule and the statistics of every group of pairs, as results.json holds both.

    A group without pairs is left out. Raises BundleError if a number of accelerators is in no class.
    """
    with_accelerators = [pair for pair in pairs if pair["accelerators"]]
    cpu_only = [pair for pair in pairs if not pair["accelerators"]]
    overall = {"all pairs": pairs, "pairs with accelerators": with_accelerators, "CPU-only pairs": cpu_only}
    return {
        "quantile_rule": QUANTILE_RULE,
        "overall": {name: spread(members) for name, members in overall.items() if members},
        "by_model": grouped({pair["offline_id"]: pair["model"] for pair in pairs}, pairs),
        "by_accelerators": grouped(accelerator_classes(pairs), pairs, [name for name, _, _ in ACCELERATOR_CLASSES]),
        "by_family": grouped(
            {pair["offline_id"]: family(pair["accelerator"]) for pair in with_accelerators}, with_accelerators
        ),
    }


def grouped(names: dict[str, str], pairs: list[dict], order: list[str] | None = None) -> dict[str, dict]:
    """Return group name -> statistics, given each pair's group by Offline id; in ``order``, or alphabetically."""
    members: dict[str, list] = {}
    for pair in pairs:
        members.setdefault(names[pair["offline_id"]], []).append(pair)
    return {name: spread(members[name]) for name in order or sorted(members, key=str.casefold) if name in members}


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


def same_parts(pairs: list[dict], offline_ids: tuple[str, ...]) -> dict[str, dict]:
    """Return model -> spread of all pairs equal to one of ``offline_ids`` in model, accelerator, their number and nodes.

    The spread over submitters, hosts and software that is left when these are equal.
    """
    chosen = [pair for pair in pairs if pair["offline_id"] in offline_ids]
    return {
        pair["model"]: spread([other for other in pairs if all(other[part] == pair[part] for part in PARTS)])
        for pair in chosen
    }


def quartiles(values: list[float]) -> list[float]:
    """Return the first quartile, the median and the third quartile of at least one value, by ``QUANTILE_RULE``."""
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3


def accelerator_classes(pairs: list[dict]) -> dict[str, str]:
    """Return Offline id -> class of its number of accelerators; raises BundleError on a number in no class."""
    classes, problems = {}, []
    for pair in pairs:
        number = pair["accelerators"]
        names = [
            name for name, least, most in ACCELERATOR_CLASSES if least <= number and (most is None or number <= most)
        ]
        if len(names) != 1:
            expected = "a number in exactly one of the classes " + ", ".join(name for name, _, _ in ACCELERATOR_CLASSES)
            place = f"row {pair['offline_id']!r}"
            problems.append(Problem("data/summary.csv", place, "total_accelerators", str(number), expected))
        classes[pair["offline_id"]] = "".join(names)
    raise_if_any(problems)
    return classes


def family(accelerator: str | None) -> str:
    """Return the family of an accelerator's name, by the table ``FAMILIES``; a name it does not know is its own."""
    if accelerator is None:
        return UNNAMED
    for pattern, name in FAMILIES:
        if match := pattern.fullmatch(accelerator):
            return name.format(match[1])
    return accelerator
