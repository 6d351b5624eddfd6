"""What claims are tested on and how: the pairs, the lookup of a statement's systems, percent differences, findings.

Systems are looked up by what the statement says of them, never by row ids. A percent difference is
(Server - Offline) / Offline of the summary's rates, rounded half away from zero to the decimals stated.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Callable, NamedTuple

CONFIRMED, CONTRADICTED = "confirmed", "contradicted"
INCOMPLETE = "incomplete"  # what can be tested agrees, but the statement or the data leave a part open
NOT_TESTABLE = "not testable with these data"

_WORD = re.compile(r"[a-z0-9]+")


class Data(NamedTuple):
    """What claims are tested on: pairs as in results.json, logs by row id, the fields in which two pairs (by their
    Offline ids) differ, and the findings of earlier claims by claim id."""

    pairs: list
    logs: dict
    differing: Callable[[str, str], list]
    found: dict


class Finding(NamedTuple):
    """A verdict with its reason, the Offline ids of the pairs that decide it, and the figures behind it."""

    verdict: str
    reason: str
    pairs: list
    figures: dict


def words(text: str | None) -> set[str]:
    """Return the runs of letters and digits in a name, in lower case: 'GB300-NVL72' is {'gb300', 'nvl72'}."""
    return set(_WORD.findall((text or "").lower()))


# How a pair is looked up: by field of a claim's ``where``, the kind of value and what the pair must fulfil.
LOOKUP: dict[str, tuple[type, Callable[[dict, object], bool]]] = {
    "submitter": (str, lambda pair, name: pair["submitter"] == name),
    "accelerator": (str, lambda pair, name: words(name) <= words(pair["accelerator"]) | words(pair["platform"])),
    "accelerators": (int, lambda pair, number: pair["accelerators"] == number),
    "nodes": (int, lambda pair, number: pair["nodes"] == number),
    "model": (str, lambda pair, prefix: pair["model"].startswith(prefix)),
    "precision": (str, lambda pair, name: pair["precision"].lower() == name.lower()),
}
LOOKUP_RULE = (
    "Looked up by the submitter's exact name, every word of the accelerator text in the accelerator or platform name, "
    "the exact numbers of accelerators and nodes, the beginning of the model label, the precision in any capitals; "
    "whichever of these the statement gives."
)


def find(pairs: list[dict], where: dict) -> list[dict]:
    """Return the pairs that fulfil every condition of ``where``, in order."""
    return [pair for pair in pairs if all(LOOKUP[field][1](pair, value) for field, value in where.items())]


def rounded(value: Decimal, like: str) -> Decimal:
    """Return ``value`` with as many decimals as the number ``like`` has, halves away from zero."""
    return value.quantize(Decimal(like), ROUND_HALF_UP)


def difference(pair: dict, like: str) -> Decimal:
    """Return (Server - Offline) / Offline in percent, with the decimals of ``like``."""
    return rounded(percent_over(*(exact(pair[f"{name}_tokens_per_s"]) for name in ("offline", "server"))), like)


def exact(number: float) -> Decimal:
    """Return the decimal that a float is written as: the summary's or the log's own digits."""
    return Decimal(repr(number))


def percent_over(base: Decimal, other: Decimal) -> Decimal:
    """Return by how many percent ``other`` lies above ``base``, negative if below."""
    return 100 * (other - base) / base


def signed(percent: Decimal) -> str:
    """Return a percentage with its sign: '+1.9%'."""
    return f"{percent:+f}%"


def ids(pairs: list[dict]) -> list[str]:
    """Return the Offline ids of pairs."""
    return [pair["offline_id"] for pair in pairs]


def rows(pairs: list[dict]) -> str:
    """Return pairs by their row ids, as they are shown: '97/98, 103/104'."""
    return ", ".join(f"{pair['offline_id']}/{pair['server_id']}" for pair in pairs)


def undetermined(candidates: list[dict], where: dict) -> Finding | None:
    """Return the finding if a lookup that should find one pair finds none or several; None if it finds one."""
    asked = ", ".join(f"{field} {value}" for field, value in where.items())
    if not candidates:
        return Finding(NOT_TESTABLE, f"No pair has {asked}.", [], {"candidates": 0})
    if len(candidates) > 1:
        reason = f"{len(candidates)} pairs have {asked}: {rows(candidates)}; the statement does not say which."
        return Finding(INCOMPLETE, reason, ids(candidates), {"candidates": len(candidates)})
    return None
