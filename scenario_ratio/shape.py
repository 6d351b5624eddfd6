"""The form that a JSON value must have, written as an example of types, and where a value differs from it.

A shape is a type or a tuple of types; a list of one shape for every item; a dict of shapes for exactly these keys in
this order; or one of the classes below.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scenario_ratio import wording
from scenario_ratio.problems import Problem, shown

NUMBER = (int, float)
SOURCE = {"repository": str, "commit": str}  # a repository at a commit
NUMBER_LIMIT = 1e30  # whatever is shown has a double near it; the largest, in ns, have twenty digits


class Optional(tuple):
    """One kind of value, or null: Optional((int,))."""


class Either(tuple):
    """One of several objects, told apart by their keys: Either((shape, shape))."""


class Open(dict):
    """An object with at least these keys, in any order: Open({"file": str})."""


class Perhaps(NamedTuple):
    """The shape of a key that an open object need not have: Open({"bytes": Perhaps(int)})."""

    shape: object


class Text:
    """A text that matches a pattern from end to end, and what that is in words: Text("[0-9]+", "digits")."""

    def __init__(self, pattern: str, words: str):
        self.pattern, self.words = re.compile(pattern, re.ASCII), words


class Choice(tuple):
    """One of several values: Choice(("ttft", "tpot"))."""


class AtLeast(NamedTuple):
    """An integer that is not below a bound: AtLeast(0)."""

    bound: int


def each(shape: object) -> dict:
    """Return the shape of a dict whose keys are free and whose values all have ``shape``."""
    return {"*": shape}


def problems(value: object, shape: object, name: str, place: str = "") -> list[Problem]:
    """Return where ``value``, from the file ``name``, differs from ``shape``: a type, a key missing, unknown or out of order."""
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [Problem(name, place, found=shown(value), expected="a list")]
        places = {f"{place}[{number}]": item for number, item in enumerate(value)}
        return [one for inner, item in places.items() for one in problems(item, shape[0], name, inner)]
    if isinstance(shape, dict):
        return _dict_problems(value, shape, name, place)
    if isinstance(shape, Perhaps):
        return problems(value, shape.shape, name, place)
    if isinstance(shape, Either):
        keys = list(value) if isinstance(value, dict) else None
        return problems(value, next((one for one in shape if list(one) == keys), shape[0]), name, place)
    if type(value) in NUMBER and not -NUMBER_LIMIT < value < NUMBER_LIMIT:
        return [Problem(name, place, found=shown(value), expected=f"a number below {NUMBER_LIMIT:g}")]
    fits, expected = _leaf(value, shape)
    return [] if fits else [Problem(name, place, found=shown(value), expected=expected)]


def _leaf(value: object, shape: object) -> tuple[bool, str]:
    """Return whether a value that holds no others has a shape, and the shape in words."""
    if isinstance(shape, Text):
        return isinstance(value, str) and bool(shape.pattern.fullmatch(value)), shape.words
    if isinstance(shape, Choice):
        return any(type(value) is type(one) and value == one for one in shape), wording.one_of(map(str, shape))
    if isinstance(shape, AtLeast):
        return type(value) is int and value >= shape.bound, f"an integer of at least {shape.bound}"
    kinds = shape if isinstance(shape, tuple) else (shape,)
    null = isinstance(shape, Optional)
    words = wording.either([kind.__name__ for kind in kinds] + ["null"] * null)
    return type(value) in kinds or (value is None and null), words


def _dict_problems(value: object, shape: dict, name: str, place: str) -> list[Problem]:
    if not isinstance(value, dict):
        return [Problem(name, place, found=shown(value), expected="an object")]
    if "*" in shape:
        shape = dict.fromkeys(value, shape["*"])
    there = list(value)
    if isinstance(shape, Open):
        shape = {key: one for key, one in shape.items() if key in value or not isinstance(one, Perhaps)}
        there = [key for key in shape if key in value]
    if there != list(shape):
        found, expected = (wording.listed(map(str, keys)) for keys in (value, shape))
        return [Problem(name, place, "keys", shown(found, 200), expected)]
    return [one for key in shape for one in problems(value[key], shape[key], name, f"{place}.{key}".lstrip("."))]
