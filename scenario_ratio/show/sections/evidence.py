"""The figure and the highlighted pairs: rates, accuracy against target, latencies against limit."""

from __future__ import annotations

from scenario_ratio import wording
from scenario_ratio.show.markup import Markup
from scenario_ratio.show.page import figure, number, paragraph, section, table


def highlighted(results: dict, drawing: bytes) -> list[Markup]:
    """Return the figure and three tables of the highlighted pairs."""
    groups = results["highlighted"]
    by_id = {pair["offline_id"]: pair for pair in results["pairs"]}
    pairs = [by_id[row_id] for row_id in groups["same_system"]["offline_ids"] + groups["apart"]["offline_ids"]]
    return section(
        "highlighted",
        "Three models on one system, and one rack",
        figure(drawing, "Server as a percentage of Offline for the highlighted pairs."),
        table(
            "rates",
            f"Rates in tokens/s and their ratio. {wording.UNVERIFIED}",
            ["Model", "Submitter", "System", "Rows", "#Offline", "#Server", "#Server/Offline"],
            [_rates(pair) for pair in pairs],
        ),
        paragraph(
            "The first three pairs are one system: their metadata differ in {fields} and in nothing else. The fourth "
            "is another system at another scale and is set apart; it is here because its Server rate is above its Offline rate.",
            fields=" and ".join(groups["same_system"]["differing_fields"]),
        ),
        _same_parts(groups),
        _accuracy(results, pairs),
        paragraph(
            "A target is a share of a reference metric, so the figure in a label such as {label} names how close to the "
            "reference a result must come, not how many answers are right.",
            label=pairs[2]["model"],
        ),
        _latency(results, pairs),
    )


def _same_parts(groups: dict) -> Markup:
    """Return how far other submissions of the same models on the same accelerators lie apart."""
    told = [
        f"{model}: {wording.count(group['n'])} pairs from {wording.percent(group['minimum'])} to "
        f"{wording.percent(group['maximum'])}"
        for model, group in groups["same_parts"].items()
    ]
    return paragraph(
        "Other submissions of these models on equally many of the same accelerators lie as far apart, or further: {told}. "
        "What differs there is the submitter, the host, the software or the settings, and the summary does not tell which.",
        told="; ".join(told),
    )


def _rates(pair: dict) -> list:
    return [
        pair["model"],
        pair["submitter"],
        pair["platform"],
        f"{pair['offline_id']}/{pair['server_id']}",
        number(wording.rate(pair["offline_tokens_per_s"])),
        number(wording.rate(pair["server_tokens_per_s"])),
        number(wording.percent(pair["ratio"])),
    ]


def _accuracy(results: dict, pairs: list[dict]) -> Markup:
    """Return every reported metric of the highlighted rows against its target and upper limit."""
    rows = {row["row"]: row for row in results["accuracy"]}
    lines = []
    for pair in pairs:
        for scenario in ("offline", "server"):
            row = rows[pair[f"{scenario}_id"]]
            for metric in row["metrics"]:
                limit = "none" if metric["upper_limit"] is None else wording.metric(metric["upper_limit"])
                target = "none" if metric["target"] is None else wording.metric(metric["target"])
                lines.append(
                    [
                        row["row"],
                        row["model"],
                        scenario.capitalize(),
                        metric["metric"],
                        number(wording.metric(metric["reported"])),
                        number(target),
                        number(limit),
                    ]
                )
    columns = ["Row", "Model", "Scenario", "Metric", "#Reported", "#Target, at least", "#Upper limit"]
    return table("accuracy", "Accuracy reported against what the checker asks for", columns, lines)


def _latency(results: dict, pairs: list[dict]) -> Markup:
    """Return the achieved 99th percentiles of the highlighted Server rows against their limits."""
    logs = {log["row"]: log for log in results["logs"]}
    lines = []
    for pair in pairs:
        log = logs[pair["server_id"]]
        times = [f"{name}_{key}_ns" for name in ("ttft", "tpot") for key in ("p99", "limit")]
        cells = [number(wording.milliseconds(log[time])) for time in times]
        lines.append([log["row"], pair["model"], pair["platform"], *cells, log["result"]])
    columns = [
        "Row",
        "Model",
        "System",
        "#TTFT p99, ms",
        "#TTFT limit, ms",
        "#TPOT p99, ms",
        "#TPOT limit, ms",
        "Log says",
    ]
    return table("latency", "Server latencies from the logs: achieved 99th percentile against limit", columns, lines)
