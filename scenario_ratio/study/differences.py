"""What a published statement is held against: pairs as it names them, their logs, and by how many percent their rates differ.

Systems are looked up by what the statement says of them, never by row ids. A percent difference is
(Server - Offline) / Offline of the summary's rates, by their digits; as a stated figure it is rounded half away from zero
to the decimals stated, and in a count it is not rounded. A number with decimals is a text, so that the digits stated are
known.
"""

from __future__ import annotations

import functools
import re
from decimal import Context, Decimal
from fractions import Fraction
from typing import Callable, NamedTuple

from scenario_ratio import wording

CONFIRMED, CONTRADICTED = "confirmed", "contradicted"
INCOMPLETE = "incomplete"  # what can be tested agrees, but the statement or the data leave a part open
NOT_SUPPORTED = "not supported"  # the figures are in the data, and do not show what the statement makes of them
NOT_TESTABLE = "not testable with these data"

_ENOUGH = Context(prec=100)  # digits for any difference of two rates


class Data(NamedTuple):
    """What claims are tested on: pairs as in results.json, logs by row id, the fields in which two pairs (by their
    Offline ids) differ, and the findings of earlier claims by claim id."""

    pairs: list
    logs: dict
    differing: Callable[[str, str], list]
    found: dict


class Finding(NamedTuple):
    """A verdict with its reason, the pairs that decide it, and the figures behind it."""

    verdict: str
    reason: str
    pairs: list
    figures: dict


class Undecided(Exception):
    """Raised, with the parts of the finding that says why, by a test that cannot come to its question."""


def words(text: str | None) -> set[str]:
    """Return the runs of letters and digits in a name, in lower case: 'GB300-NVL72' is {'gb300', 'nvl72'}."""
    return set(re.findall("[a-z0-9]+", (text or "").lower()))


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


def look_up(pairs: list[dict], where: dict, one: bool = False) -> list[dict]:
    """Return the pairs that ``find`` finds; raises Undecided if there is none, or several where ``one`` is meant."""
    found = find(pairs, where)
    asked = wording.listed(f"{field} {value}" for field, value in where.items())
    if not found:
        raise Undecided(NOT_TESTABLE, f"No pair has {asked}.", [], {"candidates": 0})
    if one and len(found) > 1:
        rows = wording.listed(map(wording.rows, found))
        reason = f"{len(found)} pairs have {asked}: {rows}; the statement does not say which."
        raise Undecided(INCOMPLETE, reason, found, {"candidates": len(found)})
    return found


def server_logs(data: Data) -> tuple[list[tuple[dict, dict]], list[str]]:
    """Return (pair, log) of each Server log that passed, and the rows of those that did not; raises Undecided if none did."""
    logs = [(pair, data.logs[pair["server_id"]]) for pair in data.pairs]
    passed = [(pair, log) for pair, log in logs if log["status"] == "passed"]
    if not passed:
        raise Undecided(NOT_TESTABLE, "No Server log is at hand.", [], {"logs": 0})
    return passed, [log["row"] for _, log in logs if log["status"] != "passed"]


def rounded(number: float | str | Fraction, like: str) -> Decimal:
    """Return a number with as many decimals as ``like``, halves away from zero; see wording.rounded."""
    if isinstance(number, Fraction):
        number = _ENOUGH.divide(Decimal(number.numerator), Decimal(number.denominator))
    return wording.rounded(number, like)


@functools.lru_cache(maxsize=None)  # the claims ask for the same pairs again and again
def percent_over(base: float | str, other: float | str) -> Fraction:
    """Return by how many percent ``other`` lies above ``base``, negative if below, not rounded."""
    base, other = Fraction(str(base)), Fraction(str(other))
    return 100 * (other - base) / base


def exact(pair: dict, base: str = "offline") -> Fraction:
    """Return Server - Offline in percent of the rate of ``base``, 'offline' or 'server', not rounded."""
    offline, server = pair["offline_tokens_per_s"], pair["server_tokens_per_s"]
    return percent_over(offline, server) if base == "offline" else -percent_over(server, offline)


def difference(pair: dict, like: str, base: str = "offline") -> Decimal:
    """Return what ``exact`` returns with the decimals of ``like``."""
    return rounded(exact(pair, base), like)


def has_difference(pair: dict, percent: str) -> bool:
    """Return whether the difference of a pair is the one stated, at the decimals stated."""
    return difference(pair, percent) == Decimal(percent)


def lies(pair: dict, low: str, high: str, base: str = "offline") -> bool:
    """Return whether the difference of a pair, not rounded, lies from ``low`` to ``high`` percent."""
    return Decimal(low) <= exact(pair, base) <= Decimal(high)


def lies_as_stated(pair: dict, low: str, high: str, base: str = "offline") -> bool:
    """Return whether the difference of a pair lies from ``low`` to ``high`` percent, at the decimals of each."""
    return Decimal(low) <= difference(pair, low, base) and difference(pair, high, base) <= Decimal(high)


def off(pair: dict, percent: str, more: str = "") -> str:
    """Return in words that a pair's difference is not the one stated, and over which base it would be."""
    told = f"the difference is {signed(difference(pair, percent))}%, not {signed(percent)}%{more}"
    if difference(pair, percent, "server") == Decimal(percent):
        return f"{told}; {signed(percent)}% is the difference over the Server rate, (Server - Offline) / Server"
    return told


def signed(number: str | Decimal) -> str:
    """Return a number with its sign: '+1.9'."""
    return f"{Decimal(number):+f}"
