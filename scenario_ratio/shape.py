"""The form that a JSON value must have, written as an example of types, and where a value differs from it."""

from __future__ import annotations

from scenario_ratio.problems import Problem, shown

NUMBER = (int, float)
SOURCE = {"repository": str, "commit": str}  # a repository at a commit
NUMBER_LIMIT = 1e30  # whatever is shown has a double near it; the largest, in ns, have twenty digits


class Optional(tuple):
    """One kind of value, or null: Optional((int,))."""


def each(shape: object) -> dict:
    """Return the shape of a dict whose keys are free and whose values all have ``shape``."""
    return {"*": shape}


class Either(tuple):
    """One of several objects, told apart by their keys: Either((shape, shape))."""


def problems(value: object, shape: object, name: str, place: str = "") -> list[Problem]:
    """Return where ``value``, from the file ``name``, differs from ``shape``: a type, a key missing, unknown or out of order."""
    if isinstance(shape, list):
        return _list_problems(value, shape[0], name, place)
    if isinstance(shape, dict):
        return _dict_problems(value, shape, name, place)
    if isinstance(shape, Either):
        keys = list(value) if isinstance(value, dict) else None
        return problems(value, next((one for one in shape if list(one) == keys), shape[0]), name, place)
    kinds = shape if isinstance(shape, tuple) else (shape,)
    if type(value) in NUMBER and not -NUMBER_LIMIT < value < NUMBER_LIMIT:
        return [Problem(name, place, found=shown(value), expected=f"a number below {NUMBER_LIMIT:g}")]
    if type(value) in kinds or (value is None and isinstance(shape, Optional)):
        return []
    names = [kind.__name__ for kind in kinds] + ["null"] * isinstance(shape, Optional)
    return [Problem(name, place, found=shown(value), expected=" or ".join(names))]


def _list_problems(value: object, shape: object, name: str, place: str) -> list[Problem]:
    if not isinstance(value, list):
        return [Problem(name, place, found=shown(value), expected="a list")]
    return [
        problem for number, item in enumerate(value) for problem in problems(item, shape, name, f"{place}[{number}]")
    ]


def _dict_problems(value: object, shape: dict, name: str, place: str) -> list[Problem]:
    if not isinstance(value, dict):
        return [Problem(name, place, found=shown(value), expected="an object")]
    if "*" in shape:
        return [problem for key in value for problem in problems(value[key], shape["*"], name, f"{place}.{key}")]
    if list(value) != list(shape):
        found, expected = (", ".join(map(str, keys)) for keys in (value, shape))
        return [Problem(name, place, "keys", shown(found, 200), expected)]
    return [
        problem for key in shape for problem in problems(value[key], shape[key], name, f"{place}.{key}".lstrip("."))
    ]
