"""Accuracy targets, upper limits, seeds and latency limits, read from checker constants as a syntax tree.

The file is never run or imported. Its form is that of tools/submission/submission_checker/constants.py in the checker's
repository: ``MODEL_CONFIG[round]["accuracy-target"][model]`` is ``(metric, reference * factor, ...)``, possibly a dict of
such tuples by scenario, and ``LLM_LATENCY_LIMITS[model][scenario]`` is ``{"ttft": ns, "tpot": ns}``. The bundle's copy
holds the models that it compares; ``compare`` tells where it differs from another copy.
"""

from __future__ import annotations

from typing import Callable, NamedTuple

from scenario_ratio.problems import BundleError, Problem, raise_if_any, shown
from scenario_ratio.upstream import literals

NAMES = ("MODEL_CONFIG", "LLM_LATENCY_LIMITS")
OLDER_NAMES = {"Server": "conversational"}  # what constants of earlier rounds call the limits of a scenario
COMPARED = ("targets", "upper_limits", "model_mapping", "seeds", "latency_limits")


class Constants(NamedTuple):
    """The checker's figures for one round. Targets and limits are (metric, value) tuples, or dicts of them by scenario."""

    name: str
    round: str
    targets: dict
    upper_limits: dict
    model_mapping: dict
    seeds: dict | None
    min_duration_ms: int | None
    latency_limits: dict


class Limits(NamedTuple):
    """What the checker constants say a log of one model must keep to; None where they say nothing."""

    ttft_ns: int | None
    tpot_ns: int | None
    seeds: dict | None
    min_duration_ms: int | None


def parse(raw: bytes, name: str, round_name: str) -> Constants:
    """Return the figures for ``round_name`` in the constants ``raw``.

    Raises BundleError, with the line, on anything in the two assignments but literals, tuples, lists, dicts,
    + - * / and unary minus on numbers; if either name is assigned other than once; if the round is not there; and
    on a file of a megabyte or nesting too deep.
    """
    config, limits = literals.assignments(raw, name, NAMES).values()
    found = config.get(round_name) if isinstance(config, dict) else None
    if not isinstance(found, dict):
        rounds = ", ".join(map(str, config)) if isinstance(config, dict) else "no rounds"
        raise BundleError(Problem(name, NAMES[0], found=rounds, expected=f"the round {round_name}"))
    parts = [found.get(key, default) for key, (default, _, _) in PARTS.items()]
    place = f"{NAMES[0]}[{round_name!r}]"
    problems = [
        Problem(name, place, key, shown(part), words)
        for part, (key, (default, fits, words)) in zip(parts, PARTS.items())
        if not (part is default or fits(part))
    ]
    if not isinstance(limits, dict):
        problems.append(Problem(name, field=NAMES[1], found=shown(limits), expected="a dict by model"))
    raise_if_any(problems)
    return Constants(name, round_name, *parts, limits)


def _dict_of(kind: type) -> Callable[[object], bool]:
    return lambda part: isinstance(part, dict) and all(type(value) is kind for value in part.values())


# The parts of a round, in the order of Constants: what stands for one that is not there, its test, and that in words.
PARTS = {
    "accuracy-target": ({}, lambda part: isinstance(part, dict), "a dict by model"),
    "accuracy-upper-limit": ({}, lambda part: isinstance(part, dict), "a dict by model"),
    "model_mapping": ({}, _dict_of(str), "a dict of str by name"),
    "seeds": (None, _dict_of(int), "a dict of int by name"),
    "test_duration_ms": (None, lambda part: type(part) is int, "an integer of milliseconds"),
}


def rounds(raw: bytes, name: str) -> tuple[str, ...]:
    """Return the rounds that the constants ``raw`` have figures for; raises BundleError as parse does."""
    config = literals.assignments(raw, name, NAMES)[NAMES[0]]
    return tuple(config) if isinstance(config, dict) else ()


def official_model(constants: Constants, label: str) -> str:
    """Return the checker's name of a model label: llama3_1-8b is llama3.1-8b; most labels are their own name."""
    return constants.model_mapping.get(label, label)


def metric_values(constants: Constants, table: str, label: str, scenario: str) -> dict[str, float] | None:
    """Return metric -> value of ``table`` ('targets' or 'upper_limits') for a model label, None if it has no entry.

    Raises BundleError if the entry is not (metric, number, metric, number, ...), or a dict of that by scenario.
    """
    model = official_model(constants, label)
    entry = getattr(constants, table).get(model)
    if isinstance(entry, dict):
        entry = entry.get(scenario)
    if entry is None:
        return None
    metrics, values = (entry[::2], entry[1::2]) if isinstance(entry, tuple) else ((), (entry,))
    typed = all(isinstance(metric, str) for metric in metrics) and all(type(value) in (int, float) for value in values)
    if not typed or len(metrics) != len(values) or len(set(metrics)) != len(metrics):
        raise BundleError(Problem(constants.name, table, model, shown(entry), "(metric, number, metric, number, ...)"))
    return dict(zip(metrics, values))


def log_limits(constants: Constants, label: str, scenario: str = "Server") -> Limits:
    """Return what a log of a model label must keep to; TTFT and TPOT limits are in ns, None if the model has none."""
    limits = constants.latency_limits.get(official_model(constants, label), {})
    limits = limits if isinstance(limits, dict) else {}
    limits = limits.get(scenario, limits.get(OLDER_NAMES.get(scenario), {}))
    limits = limits if isinstance(limits, dict) else {}
    problems = [
        Problem(constants.name, NAMES[1], f"{label} {scenario} {key}", shown(value), "an integer of nanoseconds")
        for key, value in limits.items()
        if type(value) is not int
    ]
    raise_if_any(problems)
    return Limits(limits.get("ttft"), limits.get("tpot"), constants.seeds, constants.min_duration_ms)


def compare(files: dict[str, bytes], round_name: str) -> list[Problem]:
    """Return where the figures of the first of two files, the bundle's, are not those of the second.

    ``files`` holds name -> bytes. Constants that cannot be read are a problem like any other.
    """
    try:
        return differences(*(parse(raw, name, round_name) for name, raw in files.items()))
    except BundleError as error:
        return list(error.problems)


def differences(ours: Constants, theirs: Constants) -> list[Problem]:
    """Return where two constants differ in a figure: another value, or on one side only.

    Models and seeds that ``theirs`` alone names are left out, since the bundle holds the models that it compares.
    """
    problems = []
    for table in COMPARED:
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
