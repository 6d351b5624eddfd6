"""Comparing the figures of the bundle with those of the checker constants that they were written from."""

from __future__ import annotations

from scenario_ratio.problems import BundleError, Problem
from scenario_ratio.upstream import constants as checker_constants

TABLES = ("targets", "upper_limits", "model_mapping", "seeds", "latency_limits")


def compare(files: dict[str, bytes], round_name: str) -> list[Problem]:
    """Return where the figures of the first of two files, the bundle's, are not those of the second.

    ``files`` holds name -> bytes. Constants that cannot be read are a problem like any other.
    """
    try:
        return differences(*(checker_constants.parse(raw, name, round_name) for name, raw in files.items()))
    except BundleError as error:
        return list(error.problems)


def differences(ours: checker_constants.Constants, theirs: checker_constants.Constants) -> list[Problem]:
    """Return where two constants differ in a figure: another value, or on one side only.

    Models and seeds that ``theirs`` alone names are left out, since the bundle holds the models that it compares.
    """
    problems = []
    for table in TABLES:
        left, known = (getattr(constants, table) or {} for constants in (ours, theirs))
        shared = {key: known[key] for key in left if key in known}
        held, real = _figures(left), _figures(shared)
        problems += [
            Problem(ours.name, table, " ".join(key), _spelled(held, key), f"{_spelled(real, key)} ({theirs.name})")
            for key in sorted({*held, *real})
            if held.get(key) != real.get(key)
        ]
    return problems


def _figures(value: object, key: tuple = ()) -> dict[tuple, object]:
    """Return every figure in nested dicts and (metric, number, ...) tuples, by the names on the way to it."""
    if isinstance(value, tuple):
        value = dict(zip(map(str, value[::2]), value[1::2]))
    if not isinstance(value, dict):
        return {key: value}
    return {place: figure for name, member in value.items() for place, figure in _figures(member, (*key, name)).items()}


def _spelled(figures: dict, key: tuple) -> str:
    return str(figures[key]) if key in figures else "no figure"
