"""The relations about groups of pairs: spreads, labels of one model, numbers of accelerators, systems, variance.

Each recomputes from the pairs that results list what is told of a group. None raises over results of the right form.
"""

from __future__ import annotations

from typing import Callable

from scenario_ratio.show.values import one_sided, scaled, twin_labels, widest
from scenario_ratio.study.results import by_id, highlighted

SYSTEM = ("submitter", "system", "platform", "accelerator", "accelerators", "nodes", "precision")


def is_spread(spread: dict | None, pairs: list[dict]) -> bool:
    """Return whether a spread is of some pairs; none is of none."""
    ratios = [pair["ratio"] for pair in pairs]
    if spread is None or not ratios:
        return spread is None and not ratios
    return (spread["n"], spread["minimum"], spread["maximum"]) == (len(ratios), min(ratios), max(ratios))


def the_labels_are_of_these_pairs(results: dict) -> bool:
    """Every label's numbers of pairs by family are of the pairs with that label, those without accelerators apart."""
    return all(
        sum(told["by_family"].values()) == len(members)
        and told["by_family"].get("none", 0) == sum(pair["accelerators"] == 0 for pair in members)
        for label, told in results["labels"].items()
        for members in [[pair for pair in results["pairs"] if pair["model"] == label]]
    )


def the_labels_share_no_family(results: dict) -> bool:
    families = [set(results["labels"][label]["by_family"]) for label in twin_labels(results)]
    return len(families) > 1 and families[0].isdisjoint(*families[1:])


def classes_are_of_these_pairs(results: dict) -> bool:
    """The spreads by model and accelerators are of all pairs, and those of one number are of the pairs that have it."""
    by_model = results["distribution"]["by_model_and_accelerators"]
    return list(by_model) == list(results["distribution"]["by_model"]) and all(
        sum(spread["n"] for spread in classes.values()) == len(members)
        and all(
            is_spread(spread, [pair for pair in members if str(pair["accelerators"]) == name])
            for name, spread in classes.items()
            if name.isdecimal()
        )
        for model, classes in by_model.items()
        for members in [[pair for pair in results["pairs"] if pair["model"] == model]]
    )


def medians_part_by_scale(results: dict) -> bool:
    """From one scale to the other some model's median rises and another's falls."""
    steps = [one["other"]["median"] - one["one"]["median"] for one in scaled(results)]
    return min(steps, default=0) < 0 < max(steps, default=0)


def _parts(results: dict, pair: dict) -> tuple:
    spelled = {one["accelerator"]: one["grouped_as"] for one in results["distribution"]["accelerator_spellings"]}
    return spelled.get(pair["accelerator"], pair["accelerator"]), pair["accelerators"], pair["nodes"]


def same_parts_are_of_these_pairs(results: dict) -> bool:
    """The spreads over equally many of the same accelerators are of the other pairs that have them."""
    spreads, own = results["highlighted"]["same_parts"]["by_model"], highlighted(results, "same_system")
    others = [pair for pair in results["pairs"] if pair not in own]
    alike = {
        one["model"]: [
            pair for pair in others if pair["model"] == one["model"] and _parts(results, pair) == _parts(results, one)
        ]
        for one in own
    }
    return set(spreads) <= set(alike) and all(is_spread(spreads.get(model), alike[model]) for model in alike)


def other_systems_are_alike(results: dict) -> bool:
    """Each other system is one, has the same models and parts, and its points are of its ratios."""
    own = highlighted(results, "same_system")
    alike = {(pair["model"], _parts(results, pair)) for pair in own}
    listed = [
        (other, _pairs(results, other["offline_ids"])) for other in results["highlighted"]["same_parts"]["systems"]
    ]
    return all(
        {(pair["model"], _parts(results, pair)) for pair in members} == alike
        and len({tuple(pair[field] for field in SYSTEM) for pair in members}) == 1
        and not any(pair in own for pair in members)
        and other["spread_percentage_points"] == 100 * _distance(members)
        for other, members in listed
    )


def _distance(pairs: list[dict]) -> float:
    ratios = [pair["ratio"] for pair in pairs]
    return max(ratios) - min(ratios)


def _pairs(results: dict, offline_ids: list[str]) -> list[dict]:
    """Return the pairs of some Offline ids; none if one of them is no pair."""
    pairs = by_id(results)
    return [pairs[row_id] for row_id in offline_ids] if set(offline_ids) <= set(pairs) else []


def systems_are_of_these_pairs(results: dict) -> bool:
    """What is counted over systems is of the pairs that are listed, each list of one system and of both models."""
    return all(
        _is_counted(results, entry, entry[name], "weight_data_types" in told["differing_fields"])
        for entry in results["within_systems"]["compared"]
        for name, told in results["within_systems"]["matching"].items()
    )


def _is_counted(results: dict, entry: dict, counts: dict, any_precision: bool) -> bool:
    below = above = 0
    same = [field for field in SYSTEM if field != "precision" or not any_precision]
    for ids in counts["offline_ids"]:
        members = _pairs(results, ids)
        one, other = (
            [pair["ratio"] for pair in members if _model(results, pair) == entry[side]] for side in ("first", "second")
        )
        if len({tuple(pair[field] for field in same) for pair in members}) != 1 or not one or not other:
            return False
        below += max(one) < min(other)
        above += max(other) < min(one)
    listed = len({tuple(ids) for ids in counts["offline_ids"]})
    return (counts["systems"], counts["first_below"], counts["second_below"]) == (listed, below, above)


def _model(results: dict, pair: dict) -> str:
    return results["labels"].get(pair["model"], {}).get("model", "")


def _sets(results: dict) -> dict[str, list[dict]]:
    """Return the sets of pairs whose variance is told."""
    own = {_parts(results, pair) for pair in highlighted(results, "same_system")}
    return {
        "same accelerators": [pair for pair in results["pairs"] if _parts(results, pair) in own],
        "pairs with accelerators": [pair for pair in results["pairs"] if pair["accelerators"]],
        "all pairs": results["pairs"],
    }


def _share(pairs: list[dict], group: Callable[[dict], str]) -> float | None:
    """Return one less the share of the variance that is left inside the groups; None if there is no variance."""
    ratios = [pair["ratio"] for pair in pairs]
    groups = [[pair["ratio"] for pair in pairs if group(pair) == name] for name in {group(pair) for pair in pairs}]
    total, inside = _squares(ratios), sum(map(_squares, groups))
    return 1 - inside / total if total else None


def _squares(values: list[float]) -> float:
    """Return the sum of the squared distances from the mean."""
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values)


def shares_are_of_these_pairs(results: dict) -> bool:
    """Each share of variance is what the ratios of its pairs give, to nine decimals."""
    shares = results["variance_between_models"]
    return all(
        _is_share(results, shares[name], pairs) if pairs and name in shares else not pairs and name not in shares
        for name, pairs in _sets(results).items()
    )


def _is_share(results: dict, told: dict, pairs: list[dict]) -> bool:
    groupings = {"models": lambda pair: _model(results, pair), "labels": lambda pair: pair["model"]}
    found = {key: _share(pairs, group) for key, group in groupings.items()}
    return told["n"] == len(pairs) and all(
        told[key] == len({group(pair) for pair in pairs}) and _near(told[f"share_between_{key}"], found[key])
        for key, group in groupings.items()
    )


def _near(one: float | None, other: float | None) -> bool:
    return one is other if None in (one, other) else abs(one - other) < 1e-9


def labels_part_more_than_models(results: dict) -> bool:
    """Over all pairs the share between labels is larger than that between models."""
    shares = results["variance_between_models"].get("all pairs", {})
    return (shares.get("share_between_labels") or 0) > (shares.get("share_between_models") or 0)


GROUPS: dict[str, Callable[[dict], bool]] = {
    **{relation.__name__: relation for relation in (
        the_labels_are_of_these_pairs, the_labels_share_no_family, classes_are_of_these_pairs, medians_part_by_scale,
        same_parts_are_of_these_pairs, other_systems_are_alike, systems_are_of_these_pairs, shares_are_of_these_pairs,
        labels_part_more_than_models,
    )},
    "others_have_the_same_parts": lambda r: widest(r)["n"] > 0,
    "others_lie_apart": lambda r: widest(r)["n"] > 1 and widest(r)["minimum"] < widest(r)["maximum"],
    "one_model_is_below_on_every_system": lambda r: bool(one_sided(r)),
    "spellings_differ_in_capitals": lambda r:
        all(one["accelerator"].casefold() == one["grouped_as"].casefold() for one in r["distribution"]["accelerator_spellings"]),
}  # fmt: skip
