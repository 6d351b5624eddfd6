"""Draw latency-headroom.svg from results.json: each ratio against the latency that is nearer its limit, by model."""

from __future__ import annotations

import math
from typing import NamedTuple

from scenario_ratio import wording
from scenario_ratio.bundle import Bundle
from scenario_ratio.show import svg
from scenario_ratio.study import results as results_file

FIGURE = "latency-headroom.svg"
WIDTH, SIDE, TOP = 800, 24, 104
COLUMNS = 2
PANEL_WIDTH, PANEL_HEIGHT = 376, 300  # of one model's panel, with its heading and ticks
PLOT_LEFT, PLOT_TOP, PLOT_WIDTH, PLOT_HEIGHT = 44, 46, 312, 204  # where its marks are drawn
PER = 10  # ticks for a fraction or ratio of 1
RADIUS = 4
# What was nearer its limit: the mark, its class, and what the legend says.
KINDS = {
    "tpot": (svg.circle, "fig-mark", "TPOT is nearer its limit"),
    "ttft": (svg.diamond, "fig-other", "TTFT is nearer its limit"),
    "equal": (svg.circle, "fig-reference", "both are equally near"),
}


class Axis(NamedTuple):
    """The range of an axis in ticks."""

    low: int
    high: int

    def share(self, value: float) -> float:
        """Return where on the axis a value lies: 0 at its low end, 1 at its high end."""
        return (value * PER - self.low) / (self.high - self.low)


def axis(values: list[float]) -> Axis:
    """Return the axis that holds all values, and 1."""
    return Axis(math.floor(min([1, *values]) * PER), max(math.ceil(max([1, *values]) * PER), PER))


def draw(results: dict) -> bytes:
    """Return the figure as SVG bytes: a panel for each model, all with the same axes."""
    pairs, models = {pair["offline_id"]: pair for pair in results["pairs"]}, results["headroom"]["by_model"]
    facts = [(fact, pairs[fact["offline_id"]]) for fact in results["headroom"]["pairs"]]
    across = axis([fact["larger_fraction"] for fact, _ in facts])
    up = axis([pair["ratio"] for _, pair in facts])
    subtitle = "Across: p99 of TTFT or TPOT over its limit, whichever is nearer. Up: Server over Offline."
    body = [
        svg.text(SIDE, 30, "Ratio against latency headroom, by model", "fig-strong"),
        svg.text(SIDE, 50, subtitle, "fig-muted"),
        *_legend([fact["nearer"] for fact, _ in facts]),
    ]
    for position, (model, medians) in enumerate(models.items()):
        left = SIDE + position % COLUMNS * PANEL_WIDTH
        top = TOP + position // COLUMNS * PANEL_HEIGHT
        members = [item for item in facts if item[1]["model"] == model]
        body += [*_heading(model, medians, left, top), *_ticks(across, up, left, top)]
        body += [_mark(fact, pair, *_place(fact, pair, across, up, left, top)) for fact, pair in members]
    bottom = TOP + math.ceil(len(models) / COLUMNS) * PANEL_HEIGHT
    body += svg.paragraph(SIDE, bottom + 20, wording.attribution(results), 108, "fig-small fig-muted")
    return svg.document("latency-headroom", WIDTH, bottom + 84, _title(results), describe(results), body)


def _title(results: dict) -> str:
    number = len(results["headroom"]["pairs"])
    return f"Ratio against latency headroom of {number} pairs, {wording.BENCHMARK} Inference {results['round']}"


def describe(results: dict) -> str:
    """Return the figure in words, for those who don't see it."""
    told = [
        f"{model}: {medians['n']} pairs, median of the larger fraction {wording.percent(medians['median_larger_fraction'])}, "
        f"TPOT nearer its limit in {medians['tpot_nearer']}, TTFT in {medians['ttft_nearer']}"
        for model, medians in results["headroom"]["by_model"].items()
    ]
    return (
        "A panel for each model: Server over Offline against the larger of the achieved 99th percentiles of TTFT and "
        "TPOT over their limits. " + ". ".join(told) + "."
    )


def _legend(nearer: list[str]) -> list:
    """Return what each kind of mark that occurs means."""
    parts, left = [], SIDE
    for kind, (shape, class_, words) in KINDS.items():
        if kind in nearer:
            parts += [shape(left + 6, 74, RADIUS, class_), svg.text(left + 18, 78, words, "fig-small")]
            left += 180
    return parts


def _heading(model: str, medians: dict, left: float, top: float) -> list:
    counted = ", ".join(
        f"{short.upper()} in {medians[f'{short}_nearer']}" for short in ("tpot", "ttft") if medians[f"{short}_nearer"]
    )
    told = f"median {wording.percent(medians['median_larger_fraction'])}; nearer its limit: {counted}"
    return [
        svg.text(left, top + 16, f"{model} · {medians['n']} pairs", "fig-strong"),
        svg.text(left, top + 34, told, "fig-small fig-muted"),
    ]


def _ticks(across: Axis, up: Axis, left: float, top: float) -> list:
    """Return a panel's grid and labels, with heavier lines where a latency is at its limit and where the rates equal."""
    x0, y0 = left + PLOT_LEFT, top + PLOT_TOP
    parts = []
    for tick in range(across.low, across.high + 1):
        x = x0 + PLOT_WIDTH * across.share(tick / PER)
        parts.append(svg.line(x, y0, x, y0 + PLOT_HEIGHT, "fig-axis" if tick == PER else "fig-line"))
        if (PER - tick) % 2 == 0:
            parts.append(svg.text(x, y0 + PLOT_HEIGHT + 16, f"{tick / PER:.0%}", "fig-small fig-tick", "middle"))
    for tick in range(up.low, up.high + 1):
        y = y0 + PLOT_HEIGHT * (1 - up.share(tick / PER))
        parts.append(svg.line(x0, y, x0 + PLOT_WIDTH, y, "fig-axis" if tick == PER else "fig-line"))
        if (PER - tick) % 2 == 0:
            parts.append(svg.text(x0 - 6, y + 4, f"{tick / PER:.0%}", "fig-small fig-tick", "end"))
    return parts


def _place(fact: dict, pair: dict, across: Axis, up: Axis, left: float, top: float) -> tuple[float, float]:
    return (
        left + PLOT_LEFT + PLOT_WIDTH * across.share(fact["larger_fraction"]),
        top + PLOT_TOP + PLOT_HEIGHT * (1 - up.share(pair["ratio"])),
    )


def _mark(fact: dict, pair: dict, x: float, y: float) -> svg.Markup:
    shape, class_, _ = KINDS[fact["nearer"]]
    label = (
        f"{pair['submitter']} · {pair['platform']} · rows {pair['offline_id']}/{pair['server_id']}: "
        f"{wording.percent(pair['ratio'])}, TTFT {wording.percent(fact['ttft_fraction'])} and TPOT "
        f"{wording.percent(fact['tpot_fraction'])} of their limits"
    )
    return shape(x, y, RADIUS, class_, label)


def make(bundle: Bundle) -> bytes:
    """Return the figure of the bundle's results."""
    return draw(bundle.once(results_file.load))
