"""Draw scenario-ratios.svg from results.json: the highlighted pairs, Server as a percentage of Offline."""

from __future__ import annotations

from scenario_ratio import wording
from scenario_ratio.show import svg
from scenario_ratio.show.values import told
from scenario_ratio.study.results import highlighted

LEFT, RIGHT, TOP = 20, svg.WIDTH - 40, 92
BAR, GAP, PAIR = 22, 4, 92  # heights of a bar, of the gap between two, and of a whole pair
APART = 48  # extra space above the pair that is set apart
LABEL = 300  # width that a label needs inside its bar
STEP, TICKS = 0.25, 16  # ratio between two ticks, and how many there is room for before it is doubled


def draw(results: dict) -> bytes:
    """Return the figure as SVG bytes: a bar for Offline as 100% and one for Server, for each highlighted pair."""
    same, apart = highlighted(results, "same_system"), highlighted(results, "apart")
    top_ratio = max(1.0, *(pair["ratio"] for pair in same + apart))
    scale = (RIGHT - LEFT) / top_ratio
    bottom = TOP + len(same) * PAIR + (APART + len(apart) * PAIR if apart else 0) - 24
    body = [
        svg.text(LEFT, 30, "Server rate as a percentage of the Offline rate", "fig-strong"),
        svg.text(LEFT, 50, "Offline is 100%. Rates in tokens/s. Pairs match in all metadata fields.", "fig-muted"),
        *_axis(scale, top_ratio, bottom),
    ]
    for position, pair in enumerate(same):
        body += _pair(pair, TOP + position * PAIR, scale, "fig-server")
    if apart:
        dividing, others = TOP + len(same) * PAIR - 20, wording.agreeing(len(apart), "another system/other systems")
        body += [svg.line(LEFT, dividing, RIGHT, dividing, "fig-line")]
        body += [svg.text(LEFT + 8, dividing + 22, f"Apart from these: {others}", "fig-small fig-muted")]
    for position, pair in enumerate(apart):
        body += _pair(pair, TOP + len(same) * PAIR + APART + position * PAIR, scale, "fig-apart")
    footer = svg.footer(LEFT, bottom + 52, results)
    what = "Server/Offline ratios of highlighted pairs"
    return svg.document(
        "scenario-ratios", svg.end(bottom + 52, footer), what, results["round"], describe(results), body + footer
    )


def describe(results: dict) -> str:
    """Return the figure in words, for those who don't see it."""
    pairs = [
        f"{pair['model']} on {pair['platform']} by {pair['submitter']}: Server {wording.rate(pair['server_tokens_per_s'])} "
        f"over Offline {wording.rate(pair['offline_tokens_per_s'])} tokens/s is {wording.percent(pair['ratio'])}"
        for pair in told(results)
    ]
    return wording.sentences(["Bar chart from zero, Offline as 100%", *pairs])


def _axis(scale: float, top_ratio: float, bottom: float) -> list:
    step, parts = STEP, []
    while top_ratio / step > TICKS:
        step *= 2
    for number in range(int(top_ratio / step) + 1):
        share = number * step
        x = LEFT + share * scale
        parts.append(svg.line(x, TOP - 22, x, bottom, "fig-axis" if share in (0, 1) else "fig-line"))
        parts.append(svg.text(x, bottom + 18, f"{share:.0%}", "fig-small fig-tick", "middle" if number else "start"))
    return parts


def _pair(pair: dict, y: float, scale: float, class_: str) -> list:
    heading = f"{pair['model']} · {pair['submitter']} · {pair['platform']} · rows {wording.rows(pair)}"
    offline, server = wording.rate(pair["offline_tokens_per_s"]), wording.rate(pair["server_tokens_per_s"])
    label = f"Server {wording.percent(pair['ratio'])} · {server} tokens/s"
    lower, length = y + BAR + GAP, pair["ratio"] * scale
    label_x, label_class = (LEFT + 8, "fig-on") if length > LABEL else (LEFT + length + 8, "")
    return [
        svg.text(LEFT + 8, y - 7, svg.shortened(heading, 94), "fig-strong"),
        svg.rect(LEFT, y, scale, BAR, "fig-reference"),
        svg.text(LEFT + 8, y + 16, f"Offline 100% · {offline} tokens/s"),
        svg.rect(LEFT, lower, length, BAR, class_),
        svg.text(label_x, lower + 16, label, f"fig-strong {label_class}"),
    ]
