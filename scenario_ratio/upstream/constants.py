"""Accuracy targets, upper limits, seeds and latency limits, read from checker constants as a syntax tree.

The file is never run or imported. Its form is that of tools/submission/submission_checker/constants.py in
mlcommons/inference at 3fbc329939999c13d0a7b5e67fb2092287e06047: ``MODEL_CONFIG[round]["accuracy-target"][model]``
is ``(metric, reference * factor, ...)``, possibly a dict of such tuples by scenario, and
``LLM_LATENCY_LIMITS[model][scenario]`` is ``{"ttft": ns, "tpot": ns}``.
"""

from __future__ import annotations

from typing import NamedTuple

from scenario_ratio.problems import BundleError, Problem, raise_if_any, shown
from scenario_ratio.upstream import literals
from scenario_ratio.upstream.loadgen import Limits

NAMES = ("MODEL_CONFIG", "LLM_LATENCY_LIMITS")
OLDER_NAMES = {"Server": "conversational"}  # what constants of earlier rounds call the limits of a scenario


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
    parts = {key: found.get(key, {}) for key in ("accuracy-target", "accuracy-upper-limit", "model_mapping")}
    seeds, min_duration_ms = found.get("seeds"), found.get("test_duration_ms")
    place = f"{NAMES[0]}[{round_name!r}]"
    problems = [
        Problem(name, place, key, type(part).__name__, "a dict by model")
        for key, part in [*parts.items(), (NAMES[1], limits)]
        if not isinstance(part, dict)
    ]
    raise_if_any(problems)
    for key, part, kind in (("model_mapping", parts["model_mapping"], str), ("seeds", seeds or {}, int)):
        if not isinstance(part, dict) or any(type(value) is not kind for value in part.values()):
            problems.append(Problem(name, place, key, shown(part), f"a dict of {kind.__name__} by name"))
    if min_duration_ms is not None and type(min_duration_ms) is not int:
        found_text = shown(min_duration_ms)
        problems.append(Problem(name, place, "test_duration_ms", found_text, "an integer of milliseconds"))
    raise_if_any(problems)
    return Constants(name, round_name, *parts.values(), seeds, min_duration_ms, limits)


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
