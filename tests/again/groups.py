"""Which pairs belong together, and how far apart the ratios of a group are: worked out a second time."""

from __future__ import annotations

import re
from typing import Callable

from tests.again import released
from tests.again.released import Pair

# A form factor, an edition and a memory at the end of an accelerator's name, which its family goes without.
TRIMMINGS = re.compile(r"-SXM-\d+GB$| Server Edition$| \d+GB HBM3e?$", re.IGNORECASE)


def overall() -> dict:
    """Return all pairs, and those with and without accelerators."""
    pairs = list(released.pairs())
    with_them = [pair for pair in pairs if pair.accelerators]
    without = [pair for pair in pairs if not pair.accelerators]
    return {"all pairs": pairs, "pairs with accelerators": with_them, "CPU-only pairs": without}


def by(name: Callable, pairs: list | None = None) -> dict:
    """Return group -> pairs, the groups in alphabetical order whatever their capitals."""
    found: dict = {}
    for pair in released.pairs() if pairs is None else pairs:
        found.setdefault(name(pair), []).append(pair)
    return {group: found[group] for group in sorted(found, key=str.lower)}


def by_model() -> dict:
    """Return label of a model -> pairs."""
    return by(lambda pair: pair.offline["Model"])


def by_accelerators() -> dict:
    """Return class of a number of accelerators -> pairs, from none to many."""
    found = by(lambda pair: accelerators_told(pair.accelerators))
    return dict(sorted(found.items(), key=lambda item: min(pair.accelerators for pair in item[1])))


def accelerators_told(number: int) -> str:
    """Return the class of a number of accelerators."""
    exact, ranges = {0: "none", 8: "8", 72: "72"}, [(1, 5), (6, 7), (9, 15), (16, 32), (33, 71)]
    ranged = [f"{low} to {high}" for low, high in ranges if low <= number <= high]
    return exact.get(number) or (ranged[0] if ranged else "more")


def by_family() -> dict:
    """Return family of accelerators -> pairs that have some."""
    return by(lambda pair: family(pair.accelerator), overall()["pairs with accelerators"])


def family(accelerator: str) -> str:
    """Return the family of an accelerator by its name: 'Nvidia B300-SXM-270GB' is 'NVIDIA B300'; a name of two kinds is one."""
    if " + " in accelerator or " and " in accelerator:
        return accelerator
    return re.sub("^nvidia", "NVIDIA", TRIMMINGS.sub("", accelerator), flags=re.IGNORECASE)


def ratios(pairs: list[Pair]) -> list:
    """Return the ratios of pairs."""
    return [pair.ratio for pair in pairs]


def above(pairs: list[Pair]) -> list:
    """Return the pairs whose Server rate is the higher one."""
    return [pair for pair in pairs if pair.server_rate > pair.offline_rate]


def at(end: Callable, pairs: list[Pair]) -> list:
    """Return the Offline ids of the pairs whose ratio is the least (``min``) or the greatest (``max``)."""
    bound = end(ratios(pairs))
    return [pair.offline_id for pair in pairs if pair.ratio == bound]
