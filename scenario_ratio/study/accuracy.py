"""A row's reported accuracy against the checker's targets and upper limits."""

from __future__ import annotations

import re

from scenario_ratio.problems import Problem, shown
from scenario_ratio.upstream.constants import Constants, metric_values
from scenario_ratio.upstream.summary import Row

_METRIC = re.compile(r"([A-Za-z][A-Za-z0-9_]{0,60}): ([0-9]{1,15}(?:\.[0-9]{1,30})?)", re.ASCII)


def parse(text: str) -> dict[str, str]:
    """Return metric -> printed number of a summary Accuracy cell such as 'ROUGE1: 44.4  ROUGE2: 22.1'.

    Raises ValueError, with what is wrong, if the cell has any other form or a metric twice.
    """
    reported: dict[str, str] = {}
    for part in text.split("  "):
        match = _METRIC.fullmatch(part)
        if not match:
            raise ValueError(shown(part))
        if match[1] in reported:
            raise ValueError(f"the metric {match[1]} twice")
        reported[match[1]] = match[2]
    return reported


def check(
    constants: Constants, row_id: str, label: str, scenario: str, cell: str, name: str
) -> tuple[list, list[Problem]]:
    """Return each metric of a row's Accuracy cell against its target and upper limit, and what is wrong.

    A metric is (metric, reported, target, upper limit), numbers in the metric's own unit, None where the checker
    sets none. Wrong are: a metric below its target or above its upper limit, one that has a target and is not
    reported, one that the checker does not know, a cell of another form.
    """
    targets = metric_values(constants, "targets", label, scenario)
    upper_limits = metric_values(constants, "upper_limits", label, scenario) or {}
    place = f"row {row_id!r}"
    if targets is None:
        return [], [Problem(name, place, "Model", shown(label), f"a model with an accuracy target in {constants.name}")]
    try:
        reported = parse(cell)
    except ValueError as error:
        return [], [Problem(name, place, "Accuracy", str(error), "'METRIC: number', two blanks between")]
    problems = [
        Problem(name, place, f"Accuracy {metric}", "no such metric", f"at least {target!r}")
        for metric, target in targets.items()
        if metric not in reported
    ]
    metrics = []
    for metric, text in reported.items():
        value, target, upper_limit = float(text), targets.get(metric), upper_limits.get(metric)
        metrics.append({"metric": metric, "reported": value, "target": target, "upper_limit": upper_limit})
        if target is None and upper_limit is None:
            expected = f"one of {', '.join({**targets, **upper_limits})}"
            problems.append(Problem(name, place, f"Accuracy {metric}", "a metric without a target", expected))
        if target is not None and not value >= target:
            problems.append(Problem(name, place, f"Accuracy {metric}", text, f"at least {target!r}"))
        if upper_limit is not None and not value <= upper_limit:
            problems.append(Problem(name, place, f"Accuracy {metric}", text, f"at most {upper_limit!r}"))
    return metrics, problems


def not_reported(constants: Constants, label: str, scenario: str, metrics: list[dict]) -> list[str]:
    """Return the metrics that have an upper limit and are not among those that a row reports: that limit is not checked."""
    limits = metric_values(constants, "upper_limits", label, scenario) or {}
    reported = {metric["metric"] for metric in metrics}
    return [metric for metric in limits if metric not in reported]


def entry(row: Row, verdict: str, metrics: list[dict], limits_not_reported: list[str]) -> dict:
    """Return a row's accuracy as results.json holds it."""
    return {
        "row": row.id,
        "model": row.text["Model"],
        "verdict": verdict,
        "metrics": metrics,
        "limits_without_a_reported_metric": limits_not_reported,
    }
