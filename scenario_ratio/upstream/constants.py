"""Accuracy targets, upper limits, seeds and latency limits, read from checker constants as a syntax tree.

The file is never run or imported. Its form is that of tools/submission/submission_checker/constants.py in the checker's
repository: ``MODEL_CONFIG[round]["accuracy-target"][model]`` is ``(metric, reference * factor, ...)``, possibly a dict of
such tuples by scenario, and ``LLM_LATENCY_LIMITS[model][scenario]`` is ``{"ttft": ns, "tpot": ns}``. The bundle's copy
holds the models that it compares; ``compare`` tells where it differs from another copy.
"""

from __future__ import annotations

from typing import NamedTuple

from scenario_ratio import shape
from scenario_ratio.problems import BundleError, Problem, gather, raise_if_any, shown
from scenario_ratio.shape import Open, Perhaps, each
from scenario_ratio.upstream import literals

NAMES = ("MODEL_CONFIG", "LLM_LATENCY_LIMITS")
OLDER_NAMES = {"Server": "conversational"}  # what constants of earlier rounds call the limits of a scenario
# What the figures of a round consist of: the shape of each part, and what stands for it where a round has none.
PARTS = {
    "accuracy-target": (dict, {}),
    "accuracy-upper-limit": (dict, {}),
    "model_mapping": (each(str), {}),
    "seeds": (each(int), None),
    "test_duration_ms": (int, None),
}
ROUND = Open({key: Perhaps(part) for key, (part, _) in PARTS.items()})
LIMITS = each(each(Open(ttft=Perhaps(int), tpot=Perhaps(int))))  # of a model, by scenario, in ns
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

    Raises BundleError as literals.assignments does; if the round is not there; and if it or the limits are not of
    their form.
    """
    found = literals.assignments(raw, name, NAMES)
    form = {"MODEL_CONFIG": Open({round_name: ROUND}), "LLM_LATENCY_LIMITS": LIMITS}
    raise_if_any(shape.problems(found, form, name))
    parts = [found["MODEL_CONFIG"][round_name].get(key, default) for key, (_, default) in PARTS.items()]
    return Constants(name, round_name, *parts, found["LLM_LATENCY_LIMITS"])


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
    by_scenario = constants.latency_limits.get(official_model(constants, label), {})
    limits = by_scenario.get(scenario, by_scenario.get(OLDER_NAMES.get(scenario), {}))
    return Limits(limits.get("ttft"), limits.get("tpot"), constants.seeds, constants.min_duration_ms)


def compare(files: dict[str, bytes], round_name: str) -> list[Problem]:
    """Return where the figures of the first of two files, the bundle's, are not those of the second.

    ``files`` holds name -> bytes. Constants that cannot be read are a problem like any other. Models and seeds that the
    second alone names are left out, since the bundle holds the models that it compares.
    """
    constants, problems = gather(lambda name: parse(files[name], name, round_name), files)
    if problems:
        return problems
    (ours, theirs), none = constants.values(), "no figure"
    for table in COMPARED:
        left, known = (getattr(one, table) or {} for one in (ours, theirs))
        held, real = _figures(left), _figures({key: known[key] for key in left if key in known})
        problems += [
            Problem(ours.name, table, " ".join(key), str(held.get(key, none)), f"{real.get(key, none)} ({theirs.name})")
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
