"""The figure of several rounds side by side: for each model, the range and the median of its ratios in each round."""

from __future__ import annotations

import math

from scenario_ratio import wording
from scenario_ratio.show import svg
from scenario_ratio.study.rounds import by_model

WIDTH, LEFT, RIGHT, TOP = 800, 230, 190, 100
ROW, GROUP = 24, 16  # heights of a round's row, and of the space between two models
TICKS = 8  # ticks that there is room for
ENDS = ("minimum", "maximum")
LINE = 108  # characters in a line of the footer


def draw(rounds: list[dict]) -> bytes:
    """Return the figure as SVG bytes; ``rounds`` need the keys ``round`` and ``models`` of data/rounds.json.

    Every row is named, so that no reader depends on a colour; the scale holds every ratio and 100%.
    """
    figures = by_model(rounds)
    names = [one["round"] for one in rounds]
    scale = _Scale([model[end] for of_model in figures.values() for model in of_model if model for end in ENDS])
    rows, y = [], TOP
    for name, of_model in figures.items():
        rows += _group(name, list(zip(names, of_model)), y, scale)
        y += ROW * len(names) + GROUP
    footer = _footer(rounds)
    body = [
        svg.text(20, 30, "Server rate as a percentage of the Offline rate, by model and round", "fig-strong"),
        svg.text(20, 50, "Range (bar) and median (line) of the pairs released in each round.", "fig-muted"),
        svg.text(20, 68, "Rounds differ in models, hardware and rules.", "fig-muted"),
        *scale.axis(TOP - 8, y),
        *rows,
        *(svg.text(20, y + 50 + 17 * number, line, "fig-small fig-muted") for number, line in enumerate(footer)),
    ]
    title = f"Server/Offline ratios by model, {wording.BENCHMARK} Inference {', '.join(names)}"
    return svg.document("rounds", WIDTH, y + 50 + 17 * len(footer), title, describe(rounds), body)


def describe(rounds: list[dict]) -> str:
    """Return the figure in words, for those who don't see it."""
    told = [
        f"{name} in {one['round']}: {_pairs(model)} from {wording.percent(model['minimum'])} to "
        f"{wording.percent(model['maximum'])}, median {wording.percent(model['median'])}"
        for name, of_model in by_model(rounds).items()
        for one, model in zip(rounds, of_model)
        if model
    ]
    return ". ".join(["Range and median of the Server/Offline ratio of each model in each round", *told]) + "."


class _Scale:
    """Ratios as places across the figure, between two ticks that hold every ratio and 100%."""

    def __init__(self, ratios: list[float]):
        least, most = min([1.0, *ratios]), max([1.0, *ratios])
        self.step = _step((most - least) / TICKS)
        self.low, self.high = math.floor(least / self.step), math.ceil(most / self.step)
        self.high += self.low == self.high

    def x(self, ratio: float) -> float:
        """Return where a ratio stands."""
        return LEFT + (ratio / self.step - self.low) / (self.high - self.low) * (WIDTH - LEFT - RIGHT)

    def axis(self, top: float, bottom: float) -> list:
        """Return the ticks with their names, and a heavier line at 100%."""
        parts = []
        for tick in range(self.low, self.high + 1):
            x = self.x(tick * self.step)
            parts.append(svg.line(x, top, x, bottom, "fig-line"))
            parts.append(svg.text(x, bottom + 18, f"{tick * self.step:.0%}", "fig-small", "middle"))
        return [*parts, svg.line(self.x(1), top, self.x(1), bottom, "fig-axis")]


def _step(least: float) -> float:
    """Return the first of 0.1, 0.2, 0.5, 1, 2, 5, 10 and so on that is at least ``least``."""
    power = 0.1
    while True:
        for factor in (1, 2, 5):
            if power * factor >= least:
                return power * factor
        power *= 10


def _group(name: str, of_rounds: list, y: float, scale: _Scale) -> list:
    """Return a model's name and a row for each round."""
    parts = [svg.text(20, y + 16, svg.shortened(name, 20), "fig-strong")]
    for position, (round_name, model) in enumerate(of_rounds):
        parts += _row(round_name, model, y + ROW * position, scale)
    return parts


def _row(round_name: str, model: dict | None, y: float, scale: _Scale) -> list:
    parts = [svg.text(LEFT - 12, y + 16, round_name, "fig-small fig-muted", "end")]
    end = WIDTH - RIGHT + 12
    if model is None:
        return [*parts, svg.text(end, y + 16, "no pair", "fig-small fig-muted")]
    left, middle, right = (scale.x(model[key]) for key in ("minimum", "median", "maximum"))
    return [
        *parts,
        svg.rect(left, y + 5, max(right - left, 2), 14, "fig-mark"),
        svg.line(middle, y + 2, middle, y + 22, "fig-median"),
        svg.text(end, y + 16, f"{_pairs(model)}, median {wording.percent(model['median'])}", "fig-small"),
    ]


def _pairs(model: dict) -> str:
    return "1 pair" if model["n"] == 1 else f"{wording.count(model['n'])} pairs"


def _footer(rounds: list[dict]) -> list[str]:
    """Return whose results these are, and where each round was taken from if that is known, in lines of bounded length."""
    sources = [one.get("source") for one in rounds]
    taken = [
        f"{source['repository'].removeprefix('https://')} at {source['commit'][:12]}" for source in sources if source
    ]
    words = (
        f"{wording.BENCHMARK} {wording.SUITE} {', '.join(one['round'] for one in rounds)}, closed division, Offline "
        f"and Server scenarios. {'Retrieved from ' + ', '.join(taken) + '. ' if taken else ''}Ratios are derived. "
        f"{wording.UNVERIFIED} {wording.TRADEMARK}"
    ).split(" ")
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) > LINE:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
