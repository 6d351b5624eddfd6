"""Draw latency-headroom.svg from results.json: each ratio against the latency that is nearer its limit, by model."""

from __future__ import annotations

import math

from scenario_ratio import wording
from scenario_ratio.show import svg
from scenario_ratio.study.results import by_id

SIDE, TOP = 24, 104
COLUMNS = 2
PANEL_WIDTH, PANEL_HEIGHT = 376, 300  # of one model's panel, with its heading and ticks
PLOT_LEFT, PLOT_TOP, PLOT_WIDTH, PLOT_HEIGHT = 44, 46, 312, 204  # where its marks are drawn
TICKS = 16  # ticks that there is room for, if every second has a label
NAME = 36  # characters of a model's name that there is room for
RADIUS = 4
# What was nearer its limit: the mark, its class, and what the legend says.
KINDS = {
    "tpot": (svg.circle, "fig-mark", "TPOT is nearer its limit"),
    "ttft": (svg.diamond, "fig-other", "TTFT is nearer its limit"),
    "equal": (svg.circle, "fig-reference", "both are equally near"),
}


def draw(results: dict) -> bytes:
    """Return the figure as SVG bytes: a panel for each model, all with the same axes."""
    pairs, models = by_id(results), results["headroom"]["by_model"]
    facts = [(fact, pairs[fact["offline_id"]]) for fact in results["headroom"]["pairs"]]
    fractions, ratios = [fact["larger_fraction"] for fact, _ in facts], [pair["ratio"] for _, pair in facts]
    subtitle = "Across: p99 of TTFT or TPOT over its limit, whichever is nearer. Up: Server over Offline."
    body = [
        svg.text(SIDE, 30, "Ratio against latency headroom, by model", "fig-strong"),
        svg.text(SIDE, 50, subtitle, "fig-muted"),
        *_legend([fact["nearer"] for fact, _ in facts]),
    ]
    for position, (model, medians) in enumerate(models.items()):
        left = SIDE + position % COLUMNS * PANEL_WIDTH
        top = TOP + position // COLUMNS * PANEL_HEIGHT
        left_end, upper_end = left + PLOT_LEFT, top + PLOT_TOP
        across = svg.axis(fractions, left_end, left_end + PLOT_WIDTH, TICKS)
        up = svg.axis(ratios, upper_end + PLOT_HEIGHT, upper_end, TICKS)
        body += [*_heading(model, medians, left, top), *_ticks(across, up)]
        body += [_mark(fact, pair, across, up) for fact, pair in facts if pair["model"] == model]
    bottom = TOP + math.ceil(len(models) / COLUMNS) * PANEL_HEIGHT
    footer = svg.footer(SIDE, bottom + 20, results)
    what = f"Ratio against latency headroom of {wording.counted(len(facts), 'pair/pairs')}"
    return svg.document(
        "latency-headroom", svg.end(bottom + 20, footer), what, results["round"], describe(results), body + footer
    )


def describe(results: dict) -> str:
    """Return the figure in words, for those who don't see it."""
    told = [
        f"{model}: {wording.counted(medians['n'], 'pair/pairs')}, median of the larger fraction {wording.percent(medians['median_larger_fraction'])}, "
        f"TPOT nearer its limit in {medians['tpot_nearer']}, TTFT in {medians['ttft_nearer']}"
        for model, medians in results["headroom"]["by_model"].items()
    ]
    panels = (
        "A panel for each model: Server over Offline against the larger of the achieved 99th percentiles of TTFT and "
        "TPOT over their limits"
    )
    return wording.sentences([panels, *told])


def _legend(nearer: list[str]) -> list:
    parts, left = [], SIDE
    for kind, (shape, class_, words) in KINDS.items():
        if kind in nearer:
            parts += [shape(left + 6, 74, RADIUS, class_), svg.text(left + 18, 78, words, "fig-small")]
            left += 180
    return parts


def _heading(model: str, medians: dict, left: float, top: float) -> list:
    counts = {"TPOT": medians["tpot_nearer"], "TTFT": medians["ttft_nearer"], "both": medians["equal"]}
    counted = wording.listed(f"{name} in {wording.count(number)}" for name, number in counts.items() if number)
    told = f"median {wording.percent(medians['median_larger_fraction'])}; nearer its limit: {counted}"
    heading = f"{svg.shortened(model, NAME)} · {wording.counted(medians['n'], 'pair/pairs')}"
    return [svg.text(left, top + 16, heading, "fig-strong"), svg.text(left, top + 34, told, "fig-small fig-muted")]


def _ticks(across: svg.Axis, up: svg.Axis) -> list:
    """Return a panel's grid, heavier where a latency is at its limit and where the rates equal, and its labels."""
    parts = []
    for tick in across.ticks():
        parts.append(svg.line(tick.at, up.end, tick.at, up.start, tick.class_))
        if tick.is_second:
            parts.append(svg.text(tick.at, up.start + 16, tick.label, "fig-small fig-tick", "middle"))
    for tick in up.ticks():
        parts.append(svg.line(across.start, tick.at, across.end, tick.at, tick.class_))
        if tick.is_second:
            parts.append(svg.text(across.start - 6, tick.at + 4, tick.label, "fig-small fig-tick", "end"))
    return parts


def _mark(fact: dict, pair: dict, across: svg.Axis, up: svg.Axis) -> svg.Markup:
    shape, class_, _ = KINDS[fact["nearer"]]
    ttft, tpot = wording.percent(fact["ttft_fraction"]), wording.percent(fact["tpot_fraction"])
    label = f"{svg.label(pair)}, TTFT {ttft} and TPOT {tpot} of their limits"
    return shape(across.at(fact["larger_fraction"]), up.at(pair["ratio"]), RADIUS, class_, label)
