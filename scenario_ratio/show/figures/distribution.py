"""Draw ratio-distribution.svg from results.json: the ratio of every pair as a mark, by model."""

from __future__ import annotations

from scenario_ratio import wording
from scenario_ratio.show import svg

LEFT, RIGHT, TOP = 40, svg.WIDTH - 60, 112
RADIUS, SPACING = 4, 9  # of a mark, and between the centres of two that touch
HEADING, ENDS = 26, 28  # heights above the marks of a row, and below them for the labels of its ends
LABEL = 116  # width that the label of an end needs
TICKS = 16  # ticks that there is room for
NAME = 64  # characters of a model's name that there is room for
# The mark of a pair by whether it has accelerators: shape, radius, class, what the legend says and where.
KINDS = {
    True: (svg.circle, RADIUS, "fig-mark", "with accelerators", LEFT),
    False: (svg.diamond, RADIUS + 1, "fig-other", "CPU only", LEFT + 144),
}


def draw(results: dict) -> bytes:
    """Return the figure as SVG bytes: a row of marks for each model, its median as a line, its ends labelled."""
    pairs = results["pairs"]
    axis = svg.axis([pair["ratio"] for pair in pairs], LEFT, RIGHT, TICKS)
    rows, bottom = [], TOP
    for model, spread in results["distribution"]["by_model"].items():
        members = [pair for pair in pairs if pair["model"] == model]
        row, bottom = _row(model, spread, members, bottom, axis)
        rows += row
    footer = svg.footer(LEFT, bottom + 46, results)
    body = [
        svg.text(LEFT, 30, "Server rate as a percentage of the Offline rate: every pair, by model", "fig-strong"),
        svg.text(LEFT, 50, "Each mark is a pair; its height in a row has no meaning.", "fig-muted"),
        *_legend([pair["accelerators"] > 0 for pair in pairs]),
        *_labels(axis, TOP - 6),
        *rows,
        *_labels(axis, bottom + 10),
        *footer,
    ]
    what = f"Server/Offline ratios of all {wording.counted(len(pairs), 'pair/pairs')}"
    return svg.document(
        "ratio-distribution", svg.end(bottom + 46, footer), what, results["round"], describe(results), body
    )


def describe(results: dict) -> str:
    """Return the figure in words, for those who don't see it."""
    told = [
        f"{name}: {spread['n']}, {wording.ends(spread)}, median {wording.percent(spread['median'])}, "
        f"{spread['above_1']} above 100%"
        for group in ("overall", "by_model")
        for name, spread in results["distribution"][group].items()
    ]
    return wording.sentences(["Marks on an axis of Server as a percentage of Offline", *told])


def _legend(equipped: list[bool]) -> list:
    """Return what the line means, and each of the two marks if it occurs; ``equipped`` says which pairs have accelerators."""
    y, parts = 78, []
    for kind, (shape, radius, class_, words, left) in KINDS.items():
        if kind in equipped:
            parts += [shape(left + 6, y - 4, radius, class_), svg.text(left + 18, y, words, "fig-small")]
    median = svg.line(LEFT + 246, y - 12, LEFT + 246, y + 3, "fig-median")
    return [*parts, median, svg.text(LEFT + 256, y, "median of the model", "fig-small")]


def _labels(axis: svg.Axis, y: float) -> list:
    return [svg.text(tick.at, y, tick.label, "fig-small fig-tick", "middle") for tick in axis.ticks()]


def _row(model: str, spread: dict, pairs: list[dict], top: float, axis: svg.Axis) -> tuple[list, float]:
    """Return a model's row, and where it ends; its grid stands behind the marks only, so that it crosses no text."""
    ordered = sorted(pairs, key=lambda pair: (pair["ratio"], len(pair["offline_id"]), pair["offline_id"]))
    placed = stacked(ordered, axis)
    half = SPACING * max(abs(level) for _, _, level in placed) + RADIUS + 4
    upper, middle, lower = top + HEADING, top + HEADING + half, top + HEADING + 2 * half
    counted, median = wording.counted(spread["n"], "pair/pairs"), axis.at(spread["median"])
    heading = f"{svg.shortened(model, NAME)} · {counted} · median {wording.percent(spread['median'])}"
    parts = [svg.text(LEFT, top + 18, heading, "fig-strong")]
    parts += [svg.line(tick.at, upper, tick.at, lower, tick.class_) for tick in axis.ticks()]
    for pair, x, level in placed:
        shape, radius, class_, *_ = KINDS[pair["accelerators"] > 0]
        parts.append(shape(x, middle + level * SPACING, radius, class_, svg.label(pair)))
    parts.append(svg.line(median, upper, median, lower, "fig-median"))
    (least, left, _), (most, right, _) = placed[0], placed[-1]
    parts.append(_end(least, left, lower, "start" if left < LABEL else "end"))
    parts.append(_end(most, right, lower, "end" if right > svg.WIDTH - LABEL else "start"))
    return parts, lower + ENDS


def _end(pair: dict, x: float, lower: float, anchor: str) -> svg.Markup:
    return svg.text(x, lower + 13, f"{wording.rows(pair)} {wording.percent(pair['ratio'])}", "fig-small", anchor)


def stacked(pairs: list[dict], axis: svg.Axis) -> list[tuple[dict, float, int]]:
    """Return (pair, x, level) for pairs in ascending order of ratio, so that no two marks of a level overlap.

    A mark takes the level nearest to the middle that is free: 0, then -1, 1, -2, 2 and so on.
    """
    placed, reached = [], {}
    for pair in pairs:
        x, level = axis.at(pair["ratio"]), 0
        while level in reached and x - reached[level] < SPACING:
            level = -level if level < 0 else -level - 1
        reached[level] = x
        placed.append((pair, x, level))
    return placed
