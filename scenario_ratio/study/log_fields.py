"""The fields of a LoadGen log as numbers and expected texts, and what is wrong with them."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from scenario_ratio.problems import Problem, shown

if TYPE_CHECKING:
    from scenario_ratio.upstream.loadgen import Log

RATE_LABEL = {"Offline": "Tokens per second", "Server": "Completed tokens per second"}
INTEGER = re.compile(r"-?[0-9]{1,20}", re.ASCII)
NUMBER = re.compile(r"[0-9]{1,20}(?:\.[0-9]{1,20})?(?:e[+-]?[0-9]{1,2})?", re.ASCII)


def half_unit(text: str, significant: int | None = None) -> Decimal:
    """Return half a unit of the last digit that a printed number carries.

    With ``significant`` the number was printed with that many significant digits and trailing zeros dropped, so
    its last digit may lie further right than the text shows (and never further left than the text shows).
    """
    exponent = Decimal(text).as_tuple().exponent
    if significant is not None:
        number = Decimal(text).normalize()
        exponent = min(number.as_tuple().exponent, number.adjusted() - significant + 1)
    return Decimal(5).scaleb(exponent - 1)


class Fields:
    """Reads one parsed log's fields as numbers or expected texts and collects what is wrong."""

    def __init__(self, log: Log):
        self.log = log
        self.problems: list[Problem] = []

    def wrong(self, label: str, found: str, expected: str) -> None:
        """Add a problem at the line of ``label``, or at none if the log has no such line."""
        place = f"line {self.log.lines[label][0]}" if label in self.log.lines else ""
        self.problems.append(Problem(self.log.name, place, label, found, expected))

    def exactly(self, label: str, expected: str) -> str | None:
        """Return the text of a field, which must be ``expected``."""
        value = self.log.values.get(label)
        if value is None:
            self.wrong(label, "no such line", shown(expected))
        elif value != expected:
            self.wrong(label, shown(value), shown(expected))
        return value

    def _text(self, label: str, pattern: re.Pattern, expected: str) -> str | None:
        value = self.log.values.get(label)
        if value is not None and pattern.fullmatch(value):
            return value
        self.wrong(label, "no such line" if value is None else shown(value), expected)
        return None

    def integer(self, label: str) -> int | None:
        """Return a field that must be an integer."""
        text = self._text(label, INTEGER, "an integer")
        return None if text is None else int(text)

    def number(self, label: str) -> float | None:
        """Return a field that must be a number that is not negative."""
        text = self._text(label, NUMBER, "a number")
        return None if text is None else float(text)

    def seeds(self, seeds: dict | None) -> None:
        """Compare each seed of ``seeds`` with the field of its name."""
        for label, seed in (seeds or {}).items():
            self.setting(label, seed)

    def setting(self, label: str, expected: int | None) -> int | None:
        """Return an integer that must be ``expected``, or any if that is None."""
        value = self.integer(label)
        if None not in (value, expected) and value != expected:
            self.wrong(label, str(value), str(expected))
        return value

    def at_least(self, label: str, limit: int | None) -> int | None:
        """Return an integer that must not be below ``limit``, if there is one."""
        value = self.integer(label)
        if None not in (value, limit) and value < limit:
            self.wrong(label, str(value), f"at least {limit}")
        return value

    def within(self, label: str, limit: int | None) -> int | None:
        """Return an integer that must not be negative, nor above ``limit``, if there is one."""
        value = self.integer(label)
        if value is not None and (value < 0 or (limit is not None and value > limit)):
            self.wrong(label, str(value), f"at most {limit}" if value >= 0 else "a time that is not negative")
        return value

    def encountered(self, kind: str) -> int | None:
        """Return how many warnings or errors the log says were encountered; it must say so."""
        if kind in self.log.encountered:
            return self.log.encountered[kind][0]
        self.wrong(f"{kind}s encountered", "no such line", "a count, or 'No'")
        return None

    def rate(self, scenario: str, summary_rate: str) -> float | None:
        """Return the log's rate in tokens/s, which must agree with the summary's.

        The two half-units together bound the difference: the summary has six significant digits, and so has the
        Offline log; the Server log has two decimals."""
        label = RATE_LABEL[scenario]
        if label not in self.log.values and f"{label} (inferred)" in self.log.values:
            label = f"{label} (inferred)"
        text = self._text(label, NUMBER, "a number of tokens per second")
        if text is None:
            return None
        allowed = half_unit(summary_rate, 6) + half_unit(text, 6 if scenario == "Offline" else None)
        if abs(Decimal(text) - Decimal(summary_rate)) > allowed:
            self.wrong(label, text, f"{summary_rate} as in the summary, within {allowed.normalize():f}")
        return float(text)
