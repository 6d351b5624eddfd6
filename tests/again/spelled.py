"""How an exact number is spelled for a reader: written here again, by whole numbers alone, for the second computation."""

from __future__ import annotations

from fractions import Fraction


def rounded(number: Fraction, decimals: int) -> str:
    """Return a number with so many decimals and thousands parted by commas; a half goes away from zero."""
    whole, rest = divmod(abs(number) * 10**decimals, 1)
    digits = str(int(whole) + (2 * rest >= 1)).rjust(decimals + 1, "0")
    before, after = digits[: len(digits) - decimals], digits[len(digits) - decimals :]
    sign = "-" if number < 0 and digits.strip("0") else ""
    return sign + thousands(before) + ("." + after if decimals else "")


def thousands(digits: str) -> str:
    """Return digits in groups of three: '15252' is '15,252'."""
    head = len(digits) % 3 or 3
    return ",".join([digits[:head], *(digits[at : at + 3] for at in range(head, len(digits), 3))])


def count(number: int) -> str:
    """Return an integer: 15252 is '15,252'."""
    return rounded(Fraction(number), 0)


def rate(tokens_per_s: Fraction) -> str:
    """Return a rate in tokens/s: 703/10 is '70.3'."""
    return rounded(tokens_per_s, 1)


def percent(ratio: Fraction) -> str:
    """Return a ratio as a percentage: 1/3 is '33.33%'."""
    return rounded(100 * ratio, 2) + "%"


def signed(ratio: Fraction, decimals: int = 1) -> str:
    """Return a difference as a percentage with its sign: -3/100 is '-3.0%'."""
    text = rounded(100 * ratio, decimals)
    return ("" if text.startswith("-") else "+") + text + "%"


def fraction(share: Fraction) -> str:
    """Return a share with three decimals: 1/2 is '0.500'."""
    return rounded(share, 3)


def milliseconds(ns: int) -> str:
    """Return ns as ms with two decimals, or with none if they are zero: 2000000000 is '2,000'."""
    text = rounded(Fraction(ns, 10**6), 2)
    return text[:-3] if text.endswith(".00") else text


def metric(value: Fraction) -> str:
    """Return a metric or its bound with up to seven decimals, no zeros at the end, no thousands parted: 297/4 is '74.25'."""
    return rounded(value, 7).replace(",", "").rstrip("0").rstrip(".")


def together(names: list) -> str:
    """Return names with 'and' before the last: 'a', 'a and b', 'a, b and c'."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def many(number: int, one: str, more: str = "") -> str:
    """Return how many of something: (1, 'pair') is '1 pair', (2, 'pair') '2 pairs'."""
    return f"{count(number)} {one if number == 1 else more or one + 's'}"
