"""The figure of several rounds side by side: for each model, the range and the median of its ratios in each round."""

from __future__ import annotations

from scenario_ratio import wording
from scenario_ratio.show import svg
from scenario_ratio.study.rounds import by_model

LEFT, RIGHT, TOP = 230, svg.WIDTH - 190, 100
ROW, GROUP = 24, 16  # heights of a round's row, and of the space between two models
TICKS = 8  # ticks that there is room for
ENDS = ("minimum", "maximum")
LINE = 109  # characters in a line of the footer


def draw(rounds: list[dict]) -> bytes:
    """Return the figure as SVG bytes; ``rounds`` need the keys ``round`` and ``models`` of data/rounds.json.

    Every row is named, so that no reader depends on a colour; the scale holds every ratio and 100%.
    """
    figures = by_model(rounds)
    names = [one["round"] for one in rounds]
    ratios = [model[end] for of_model in figures.values() for model in of_model if model for end in ENDS]
    axis = svg.axis(ratios, LEFT, RIGHT, TICKS)
    rows, y = [], TOP
    for name, of_model in figures.items():
        rows.append(svg.text(20, y + 16, svg.shortened(name, 20), "fig-strong"))
        for round_name, model in zip(names, of_model):
            rows += _row(round_name, model, y, axis)
            y += ROW
        y += GROUP
    footer = svg.paragraph(20, y + 50, _footer(rounds), LINE, "fig-small fig-muted")
    body = [
        svg.text(20, 30, "Server rate as a percentage of the Offline rate, by model and round", "fig-strong"),
        svg.text(20, 50, "Range (bar) and median (line) of the pairs released in each round.", "fig-muted"),
        svg.text(20, 68, "Rounds differ in models, hardware and rules.", "fig-muted"),
        *_axis(axis, TOP - 8, y),
        *rows,
        *footer,
    ]
    height, what = y + 50 + svg.LEADING * len(footer), "Server/Offline ratios by model"
    return svg.document("rounds", height, what, wording.listed(names), describe(rounds), body)


def describe(rounds: list[dict]) -> str:
    """Return the figure in words, for those who don't see it."""
    told = [
        f"{name} in {one['round']}: {_pairs(model)} from {wording.ends(model)}, median {wording.percent(model['median'])}"
        for name, of_model in by_model(rounds).items()
        for one, model in zip(rounds, of_model)
        if model
    ]
    return wording.sentences(["Range and median of the Server/Offline ratio of each model in each round", *told])


def _axis(axis: svg.Axis, top: float, bottom: float) -> list:
    parts = []
    for tick in axis.ticks():
        parts.append(svg.line(tick.at, top, tick.at, bottom, "fig-line"))
        parts.append(svg.text(tick.at, bottom + 18, tick.label, "fig-small", "middle"))
    return [*parts, svg.line(axis.at(1), top, axis.at(1), bottom, "fig-axis")]


def _row(round_name: str, model: dict | None, y: float, axis: svg.Axis) -> list:
    parts = [svg.text(LEFT - 12, y + 16, round_name, "fig-small fig-muted", "end")]
    end = RIGHT + 12
    if model is None:
        return [*parts, svg.text(end, y + 16, "no pair", "fig-small fig-muted")]
    left, middle, right = (axis.at(model[key]) for key in ("minimum", "median", "maximum"))
    bar = svg.rect(left, y + 5, max(right - left, 2), 14, "fig-mark")
    median = svg.line(middle, y + 2, middle, y + 22, "fig-median")
    told = f"{_pairs(model)}, median {wording.percent(model['median'])}"
    return [*parts, bar, median, svg.text(end, y + 16, told, "fig-small")]


def _pairs(model: dict) -> str:
    return wording.counted(model["n"], "pair/pairs")


def _footer(rounds: list[dict]) -> str:
    """Return whose results these are, and where each round was taken from if that is known."""
    taken = [wording.source(one["source"]) for one in rounds if one.get("source")]
    return (
        f"{wording.BENCHMARK} {wording.SUITE} {wording.listed(one['round'] for one in rounds)}, closed division, Offline "
        f"and Server scenarios. {f'Retrieved from {wording.listed(taken)}. ' if taken else ''}Ratios are derived. "
        f"{wording.UNVERIFIED} {wording.NOTICE}"
    )
