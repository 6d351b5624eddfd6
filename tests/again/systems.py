"""What pairs of one system, and pairs on the same accelerators, have in common, worked out a second time."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from tests.again import groups, released, spelled
from tests.again.groups import ratios
from tests.again.released import Pair, known_as, median

OF_THE_MODEL = ("Model", "MlperfModel")


class Apart(NamedTuple):
    """A system: who submitted it, its platform, the Offline rows of its pairs, and how far their ratios are apart."""

    submitter: str
    platform: str
    ids: str
    points: str


class Compared(NamedTuple):
    """Two models: on how many systems both were run, on how many of these the one or the other lies lower; the same for
    systems whose pairs may differ in precision."""

    first: str
    second: str
    both: str
    first_below: str
    second_below: str
    both_wider: str
    first_below_wider: str
    second_below_wider: str


class Shared(NamedTuple):
    """A set of pairs, and how much of the variance of their ratios lies between models and between labels."""

    name: str
    pairs: str
    models: str
    between_models: str
    labels: str
    between_labels: str


def systems(free: tuple = ()) -> list:
    """Return the pairs of each system: equal in all matched fields but those of the model and those that are ``free``."""
    fields = [field for field in released.matched() if field not in (*OF_THE_MODEL, *free)]
    found: dict = {}
    for pair in released.pairs():
        found.setdefault(tuple(pair.offline[field] for field in fields), []).append(pair)
    return list(found.values())


def equipment(pair: Pair) -> tuple:
    """Return what a pair ran on: its accelerator whatever its capitals, how many, and on how many nodes."""
    return pair.accelerator.lower(), pair.accelerators, pair.offline["number_of_nodes"]


def told_in_full() -> list:
    """Return the highlighted pairs of one system."""
    return [pair for pair in released.highlighted() if pair.offline_id in released.ONE_SYSTEM]


@lru_cache(maxsize=None)
def on_the_same() -> list:
    """Return all pairs on what the highlighted system has."""
    return [pair for pair in released.pairs() if equipment(pair) == equipment(told_in_full()[0])]


def others() -> list:
    """Return the other systems that ran the highlighted models on the same, and how far each one's ratios are apart."""
    own = told_in_full()
    labels = {pair.offline["Model"] for pair in own}
    found = []
    for system in systems():
        alike = [
            pair for pair in system if pair in on_the_same() and pair.offline["Model"] in labels and pair not in own
        ]
        if {pair.offline["Model"] for pair in alike} == labels:
            row, ids = alike[0].offline, ", ".join(pair.offline_id for pair in alike)
            apart = spelled.rounded(100 * (max(ratios(alike)) - min(ratios(alike))), 2)
            found.append(Apart(row["Organization"], row["Platform"], ids, apart))
    return found


def model(pair: Pair) -> str:
    """Return a pair's model by the checker's name."""
    return known_as(pair.offline["Model"])


def compared() -> list:
    """Return each two models that some system ran both of."""
    names = sorted({model(pair) for pair in released.pairs()})
    counts = {two: [*below(*two), *below(*two, "weight_data_types")] for two in combinations(names, 2)}
    return [Compared(*two, *map(spelled.count, found)) for two, found in counts.items() if any(found)]


def below(first: str, second: str, *free: str) -> list:
    """Return on how many systems both models were run, and on how many all ratios of either lie below the other's."""
    both = []
    for system in systems(free):
        sides = [[pair.ratio for pair in system if model(pair) == name] for name in (first, second)]
        both += [sides] if all(sides) else []
    lower = [(max(one) < min(other), max(other) < min(one)) for one, other in both]
    return [len(both), sum(one for one, _ in lower), sum(other for _, other in lower)]


def shares() -> list:
    """Return the shares of the variance of three sets of pairs."""
    sets = {
        "same accelerators": on_the_same(),
        **{name: groups.overall()[name] for name in ("pairs with accelerators", "all pairs")},
    }
    return [
        Shared(name, spelled.count(len(pairs)), *between(pairs, model), *between(pairs, label))
        for name, pairs in sets.items()
    ]


def label(pair: Pair) -> str:
    """Return a pair's label of its model."""
    return pair.offline["Model"]


def between(pairs: list, name) -> tuple:
    """Return how many groups pairs fall into by ``name``, and the share of the variance between these."""
    parts = groups.by(name, pairs)
    within = sum(spread(ratios(part)) for part in parts.values())
    return spelled.count(len(parts)), spelled.fraction(1 - within / spread(ratios(pairs)))


def spread(values: list) -> Fraction:
    """Return the sum of the squares of the distances from the mean."""
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values)


def by_scale(number: str):
    """Return a function of (label, pairs): the median of the pairs with a class of numbers of accelerators."""

    def told(entry: tuple) -> str:
        pairs = [pair for pair in entry[1] if groups.accelerators_told(pair.accelerators) == number]
        return f"{spelled.percent(median(ratios(pairs)))} ({spelled.many(len(pairs), 'pair')})" if pairs else "no pair"

    return told


def twins() -> list:
    """Return (label, family, pairs) of the labels that share a model with another: what each was run on."""
    labels = groups.by_model()
    shared = [name for name in labels if sum(known_as(other) == known_as(name) for other in labels) > 1]
    families = {
        name: groups.by(lambda pair: groups.family(pair.accelerator) or "none", labels[name]) for name in shared
    }
    return [(name, family, pairs) for name in shared for family, pairs in families[name].items()]
