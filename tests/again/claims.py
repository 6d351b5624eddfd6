"""How a published statement is looked up and tested a second time: what it says is read from its own words."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Callable

from tests.again import spelled
from tests.again.released import Pair, log_number, pairs, root, rows

CONFIRMED, CONTRADICTED, INCOMPLETE = "confirmed", "contradicted", "incomplete"
ONE_PAIR = re.compile(
    r"(.+), (\d+) x (.+), (.+): ([\d.]+) tokens/s in Offline and ([\d.]+) in Server, a difference of ([+-][\d.]+)%\."
)


def stated() -> list:
    """Return the statements, which the bundle that is read chose."""
    return [one["statement"] for one in json.loads((root() / "data" / "claims.json").read_text(encoding="utf-8"))]


def words(text: str) -> set:
    """Return the words of a name, without capitals and signs."""
    return set(re.split(r"[^a-z0-9]+", text.lower())) - {""}


def found(submitter: str = "", number: int | None = None, accelerator: str = "", model: str = "", **cells: str) -> list:
    """Return the pairs of a submitter, a number of accelerators, all words of an accelerator or platform, a model's label
    by its beginning, and cells of the Offline row whatever their capitals."""
    return [
        pair
        for pair in pairs()
        if submitter in ("", pair.offline["Organization"])
        and number in (None, pair.accelerators)
        and words(accelerator) <= words(pair.accelerator) | words(pair.offline["Platform"])
        and pair.offline["Model"].startswith(model)
        and all(pair.offline[field].lower() == text for field, text in cells.items())
    ]


def change(pair: Pair) -> Fraction:
    """Return by what share of the Offline rate the Server rate is higher."""
    return pair.ratio - 1


def over_server(pair: Pair) -> Fraction:
    """Return the change of a pair as a share of its Server rate instead."""
    return 1 - 1 / pair.ratio


def to(decimals: int, pair: Pair, base: Callable = change) -> str:
    """Return the change of a pair as a percentage with so many decimals: '-3.0%'."""
    return spelled.signed(base(pair), decimals)


def decimals(text: str) -> int:
    """Return how many decimals a number is written with."""
    return len(text.partition(".")[2])


def one_pair(
    submitter: str, number: str, accelerator: str, model: str, offline: str, server: str, percent: str
) -> tuple:
    """Test two rates and their difference."""
    (pair,) = found(submitter, int(number), accelerator, model)
    for stated, row_id, label in (
        (offline, pair.offline_id, "Tokens per second"), (server, pair.server_id, "Completed tokens per second"),
    ):  # fmt: skip
        rates = Fraction(rows()[row_id]["Result"]), log_number(row_id, label)
        if stated not in [spelled.rounded(rate, decimals(stated)).replace(",", "") for rate in rates]:
            return CONTRADICTED, f"Rows {pair.ids}: the rate {stated} is not there."
    told = to(decimals(percent), pair)
    if told == f"{percent}%":
        return CONFIRMED, f"Rows {pair.ids}: both rates and the difference of {told} agree."
    of_stated = spelled.signed(Fraction(server) / Fraction(offline) - 1, decimals(percent))
    reason = f"Rows {pair.ids}: the difference is {told}, not {percent}% (the stated rates give {of_stated})"
    if to(decimals(percent), pair, over_server) == f"{percent}%":
        reason += f"; {percent}% is the difference over the Server rate, (Server - Offline) / Server"
    return CONTRADICTED, f"{reason}."
