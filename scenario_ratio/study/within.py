"""What can be compared inside one system, and how much of the spread of ratios lies between models.

A system is told by its metadata: pairs are of one system if they are equal in all matched fields but those of the model.
Nothing here says why a ratio is what it is, and nothing is in the order of a ratio.
"""

from __future__ import annotations

import math
import statistics
from itertools import combinations
from operator import itemgetter

from scenario_ratio import wording
from scenario_ratio.study.pairing import METADATA_FIELDS, MODEL_FIELDS, Pair
from scenario_ratio.study.ratios import canonical, parted, spread

# Name of a matching -> the fields in which pairs of one system may differ. The first is the one of the highlighted pairs.
MATCHINGS = {"same_metadata": MODEL_FIELDS, "any_precision": (*MODEL_FIELDS, "weight_data_types")}


def systems(pairs: list[Pair], free: tuple[str, ...] = MODEL_FIELDS) -> list[list[Pair]]:
    """Return the pairs of each system, in the order of its first pair; only in the ``free`` fields may they differ."""
    system_of = itemgetter(*(field for field in METADATA_FIELDS if field not in free))
    found: dict[tuple, list] = {}
    for pair in pairs:
        found.setdefault(system_of(pair.offline.text), []).append(pair)
    return list(found.values())


def compared(pairs: list[Pair], models: dict[str, str]) -> dict:
    """Return how systems are told, and for each two models what ``two_models`` finds in the systems that ran both.

    ``models`` is label -> the model that it is of. Models stand in alphabetical order; two that no system ran are left out.
    """
    found = {name: systems(pairs, free) for name, free in MATCHINGS.items()}
    names = sorted(set(models.values()), key=lambda name: (name.casefold(), name))
    entries = [
        {"first": first, "second": second, **{name: two_models(found[name], models, first, second) for name in found}}
        for first, second in combinations(names, 2)
    ]
    return {
        "matching": {name: matching(free) for name, free in MATCHINGS.items()},
        "compared": [entry for entry in entries if any(entry[name]["systems"] for name in found)],
    }


def matching(free: tuple[str, ...]) -> dict:
    """Return in words when pairs are of one system, with the fields that must be equal and those that may differ."""
    equal = [field for field in METADATA_FIELDS if field not in free]
    rule = (
        f"Pairs are of one system if the {len(equal)} matched fields other than {wording.together(free)} are equal, "
        "character for character."
    )
    return {"rule": rule, "equal_fields": len(equal), "differing_fields": list(free)}


def two_models(found: list[list[Pair]], models: dict[str, str], first: str, second: str) -> dict:
    """Return how many systems ran both models, in how many one's ratios lie below the other's, and their Offline ids.

    A system with several pairs of a model counts as below only if all of them are.
    """
    both = []
    for system in found:
        sides = [[pair for pair in system if models[pair.offline.text["Model"]] == model] for model in (first, second)]
        if all(sides):
            both.append(sides)
    ratios = [[[pair.ratio for pair in side] for side in sides] for sides in both]
    return {
        "systems": len(both),
        "first_below": sum(max(one) < min(other) for one, other in ratios),
        "second_below": sum(max(other) < min(one) for one, other in ratios),
        "offline_ids": [[pair.offline.id for side in sides for pair in side] for sides in both],
    }


def points(pairs: list[dict]) -> float:
    """Return how far apart the ratios of some pairs lie, in percentage points."""
    ratios = [pair["ratio"] for pair in pairs]
    return 100 * (max(ratios) - min(ratios))


def accelerators(pair: dict) -> tuple:
    """Return what is equal where pairs have equally many of the same accelerators on as many nodes."""
    return canonical(pair["accelerator"]), pair["accelerators"], pair["nodes"]


def same_parts(pairs: list[dict], found: list[list[Pair]], chosen: tuple[str, ...]) -> dict:
    """Return what pairs of other systems have, with the models and the accelerators of the ``chosen`` Offline ids.

    That is model -> the spread of those pairs, and each other system that ran all of the models, with its Offline ids and
    how far apart the ratios of these models lie. ``found`` are the systems.
    """
    own = [pair for pair in pairs if pair["offline_id"] in chosen]
    models = {pair["model"] for pair in own}
    parts = {(pair["model"], accelerators(pair)) for pair in own}
    alike = {
        pair["offline_id"]: pair
        for pair in pairs
        if pair["offline_id"] not in chosen and (pair["model"], accelerators(pair)) in parts
    }
    by_model = {one["model"]: [pair for pair in alike.values() if pair["model"] == one["model"]] for one in own}
    of_systems = [[alike[pair.offline.id] for pair in system if pair.offline.id in alike] for system in found]
    return {
        "by_model": {model: spread(members) for model, members in by_model.items() if members},
        "systems": [
            {
                **{key: members[0][key] for key in ("submitter", "platform")},
                "offline_ids": [pair["offline_id"] for pair in members],
                "spread_percentage_points": points(members),
            }
            for members in of_systems
            if {pair["model"] for pair in members} == models
        ],
    }


def variance(pairs: list[dict], models: dict[str, str], chosen: tuple[str, ...]) -> dict[str, dict]:
    """Return how much of the variance of the ratios lies between models, and between labels, in each of three sets of pairs.

    The first set has the accelerators of the ``chosen`` Offline ids; ``models`` is label -> the model that it is of.
    """
    parts = {accelerators(pair) for pair in pairs if pair["offline_id"] in chosen}
    sets = {
        "same accelerators": [pair for pair in pairs if accelerators(pair) in parts],
        "pairs with accelerators": parted(pairs)[0],
        "all pairs": pairs,
    }
    return {name: shares(members, models) for name, members in sets.items() if members}


def shares(pairs: list[dict], models: dict[str, str]) -> dict:
    """Return n, how many models and labels there are, and the share of the variance between either."""
    by_label = [(pair["model"], pair["ratio"]) for pair in pairs]
    by_model = [(models[label], ratio) for label, ratio in by_label]
    return {
        "n": len(pairs),
        "models": len(dict(by_model)),
        "share_between_models": eta_squared(by_model),
        "labels": len(dict(by_label)),
        "share_between_labels": eta_squared(by_label),
    }


def eta_squared(members: list[tuple[str, float]]) -> float | None:
    """Return the sum of squares between groups over the total, of (group, value); None if all values are equal.

    Every sum is rounded once, so the order of the members does not matter.
    """
    groups: dict[str, list] = {}
    for group, value in members:
        groups.setdefault(group, []).append(value)
    mean = statistics.fmean(value for _, value in members)
    total = math.fsum((value - mean) ** 2 for _, value in members)
    between = math.fsum(len(values) * (statistics.fmean(values) - mean) ** 2 for values in groups.values())
    return between / total if total else None
