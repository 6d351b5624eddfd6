"""The tables that the article's text may ask for, by id: each makes HTML of results and of the caption that stands in the text.

A column heading that begins with '#' heads numbers.
"""

from __future__ import annotations

from functools import partial
from typing import Callable

from scenario_ratio import wording
from scenario_ratio.show.markup import Markup, element, joined
from scenario_ratio.show.page import number, table
from scenario_ratio.show.values import above, highlighted
from scenario_ratio.study.rounds import by_model

Rows = "tuple[list[str], list[list]]"  # the column headings, and each row's cells
PAIR_COLUMNS = ["Rows", "#Server/Offline", "Model", "Submitter", "Platform", "#Offline, tokens/s", "#Server, tokens/s"]
SPREAD_COLUMNS = [
    "#Pairs", "#Minimum", "#Lower quartile", "#Median", "#Upper quartile", "#Maximum", "#Above 100%",
    "Offline row at the minimum", "Offline row at the maximum",
]  # fmt: skip


def rates(results: dict) -> Rows:
    """Return the rates of the highlighted pairs and their ratio."""
    lines = [
        [
            pair["model"],
            pair["submitter"],
            pair["platform"],
            f"{pair['offline_id']}/{pair['server_id']}",
            number(wording.rate(pair["offline_tokens_per_s"])),
            number(wording.rate(pair["server_tokens_per_s"])),
            number(wording.percent(pair["ratio"])),
        ]
        for pair in highlighted(results, "same_system", "apart")
    ]
    return ["Model", "Submitter", "System", "Rows", "#Offline", "#Server", "#Server/Offline"], lines


def accuracy(results: dict) -> Rows:
    """Return every reported metric of the highlighted rows against its target and upper limit."""
    rows = {row["row"]: row for row in results["accuracy"]}
    lines = []
    for pair in highlighted(results, "same_system", "apart"):
        for scenario in ("offline", "server"):
            row = rows[pair[f"{scenario}_id"]]
            for metric in row["metrics"]:
                bounds = (metric["target"], metric["upper_limit"])
                numbers = ["none" if value is None else wording.metric(value) for value in bounds]
                cells = [number(text) for text in (wording.metric(metric["reported"]), *numbers)]
                lines.append([row["row"], row["model"], scenario.capitalize(), metric["metric"], *cells])
    return ["Row", "Model", "Scenario", "Metric", "#Reported", "#Target, at least", "#Upper limit"], lines


def latency(results: dict) -> Rows:
    """Return the achieved 99th percentiles of the highlighted Server rows, as far as their logs are at hand, against their limits."""
    logs = {log["row"]: log for log in results["logs"]}
    times = [f"{name}_{key}_ns" for name in ("ttft", "tpot") for key in ("p99", "limit")]
    lines = []
    for pair in highlighted(results, "same_system", "apart"):
        log = logs[pair["server_id"]]
        if log["status"] == "passed":
            cells = [number(wording.milliseconds(log[time])) for time in times]
            lines.append([log["row"], pair["model"], pair["platform"], *cells, log["result"]])
    columns = ["#TTFT p99, ms", "#TTFT limit, ms", "#TPOT p99, ms", "#TPOT limit, ms"]
    return ["Row", "Model", "System", *columns, "Log says"], lines


def above_pairs(results: dict) -> Rows:
    """Return the pairs whose Server rate is above their Offline rate."""
    return PAIR_COLUMNS, [_pair(pair) for pair in above(results)]


def all_pairs(results: dict) -> Rows:
    """Return every pair."""
    lines = [_pair(pair) + _equipment(pair) for pair in results["pairs"]]
    return [*PAIR_COLUMNS, "Accelerator", "#Accelerators", "System", "Logs"], lines


def _pair(pair: dict) -> list:
    """Return the cells of PAIR_COLUMNS."""
    return [
        f"{pair['offline_id']}/{pair['server_id']}",
        number(wording.percent(pair["ratio"]), pair["ratio"]),
        pair["model"],
        pair["submitter"],
        pair["platform"],
        number(wording.rate(pair["offline_tokens_per_s"]), pair["offline_tokens_per_s"]),
        number(wording.rate(pair["server_tokens_per_s"]), pair["server_tokens_per_s"]),
    ]


def _equipment(pair: dict) -> list:
    return [
        pair["accelerator"] or ("not named" if pair["accelerators"] else "none"),
        number(wording.count(pair["accelerators"]), pair["accelerators"]),
        pair["system"],
        " / ".join(dict.fromkeys((pair["offline_log"], pair["server_log"]))),
    ]


def spreads(results: dict, grouping: str, heading: str) -> Rows:
    """Return the spread of the ratios in each group of a grouping of results['distribution']."""
    lines = []
    for name, group in results["distribution"][grouping].items():
        quantiles = [wording.percent(group[part]) for part in ("minimum", "q1", "median", "q3", "maximum")]
        cells = [wording.count(group["n"]), *quantiles, wording.count(group["above_1"])]
        ends = [wording.listed(group[end]) for end in ("minimum_ids", "maximum_ids")]
        lines.append([name, *map(number, cells), *ends])
    return [heading, *SPREAD_COLUMNS], lines


def headroom(results: dict) -> Rows:
    """Return how near the Server runs came to their latency limits, by model."""
    fractions = ("ttft_fraction", "tpot_fraction", "larger_fraction", "completed_over_scheduled")
    lines = []
    for model, group in results["headroom"]["by_model"].items():
        counts = [number(wording.count(group[key])) for key in ("n", "ttft_nearer", "tpot_nearer")]
        lines.append([model, *counts, *(number(wording.fraction(group[f"median_{key}"])) for key in fractions)])
    columns = [
        "Model", "#Pairs with a Server log", "#TTFT nearer its limit", "#TPOT nearer its limit", "#Median TTFT p99 / limit",
        "#Median TPOT p99 / limit", "#Median of the larger", "#Median completed / scheduled samples/s",
    ]  # fmt: skip
    return columns, lines


def claims(results: dict) -> Rows:
    """Return published statements about Offline and Server with what the data say of each."""
    lines = [[claim["statement"], claim["verdict"], claim["reason"]] for claim in results["claims"]]
    return ["Statement", "Verdict", "What decides it"], lines


def anomalies(results: dict) -> Rows:
    """Return everything odd in the logs that passed."""
    lines = [
        [entry["row"], entry["kind"], entry["printed"], "; ".join(filter(None, [explained(entry), entry["consequence"]]))]
        for entry in results["anomalies"]
    ]  # fmt: skip
    return ["Row", "Kind", "Printed line", "What follows"], lines


def explained(entry: dict) -> str:
    """Return the figures that an anomaly comes with, in words."""
    if entry["lower_bound_ns"] is None:
        errors = entry["summary_errors"]
        words = f"summary says {wording.count(errors)} {wording.agreeing(errors, 'error/errors')}"
        return words if "error" in entry["kind"] else ""
    low, high = (wording.count(entry[f"{end}_bound_ns"]) for end in ("lower", "upper"))
    text = f"percentiles bound the mean between {low} and {high} ns"
    if entry["wraps"] is None:
        return text
    wraps = f"{wording.count(entry['wraps'])} {wording.agreeing(entry['wraps'], 'wrap/wraps')}"
    return (
        f"{text}; with {wording.count(entry['samples'])} samples and {wraps} of a 64-bit sum "
        f"it is {wording.count(entry['unwrapped_mean_ns'])} ns, within a few millionths"
    )


def round_counts(results: dict) -> Rows:
    """Return what was released in each of several rounds."""
    counts = ("source_rows", "eligible_rows", "complete_pairs", "pairs_with_distinct_logs", "unmatched_rows")
    keys = (*counts, "pairs_with_server_greater_than_offline")
    lines = [
        [
            one["round"],
            *(number(wording.count(one["counts"][key])) for key in keys),
            number(wording.count(one["matched_fields"])),
            one["checked_against"] or "no targets",
            f"{one['source']['repository'].removeprefix('https://')} at {one['source']['commit'][:12]}",
        ]
        for one in results["rounds"]
    ]
    columns = [
        "Round", "#Rows", "#Eligible", "#Pairs", "#Pairs with logs of their own", "#Unmatched", "#Above 100%", "#Fields matched",
        "Checked against", "Read from",
    ]  # fmt: skip
    return columns, lines


def round_models(results: dict) -> Rows:
    """Return each model's figures in each of several rounds, or that it has no pair there."""
    found = results["rounds"]
    lines = [[name, *map(_released, released)] for name, released in by_model(found).items()]
    return ["Model", *(f"Released in {one['round']}" for one in found)], lines


def _released(model: dict | None) -> str:
    if model is None:
        return "no pair"
    median, least, most = (wording.percent(model[key]) for key in ("median", "minimum", "maximum"))
    return f"{median} ({least} to {most}, {wording.count(model['n'])} {wording.agreeing(model['n'], 'pair/pairs')})"


# Id -> its columns and rows.
TABLES: dict[str, Callable[[dict], Rows]] = {
    "rates": rates,
    "accuracy": accuracy,
    "latency": latency,
    "above-pairs": above_pairs,
    "distribution-overall": partial(spreads, grouping="overall", heading="Group"),
    "distribution-by-model": partial(spreads, grouping="by_model", heading="Model"),
    "distribution-by-accelerators": partial(spreads, grouping="by_accelerators", heading="Accelerators"),
    "distribution-by-family": partial(spreads, grouping="by_family", heading="Family"),
    "headroom-by-model": headroom,
    "claim-table": claims,
    "anomaly-table": anomalies,
    "round-counts": round_counts,
    "round-models": round_models,
    "all-pairs": all_pairs,
}
FILTERED = {"all-pairs": "pair-filter"}  # tables that can be sorted and filtered, and the id of their controls


def html(results: dict, table_id: str, caption: str) -> Markup:
    """Return a table of TABLES with its caption, below its controls if it has any."""
    columns, rows = TABLES[table_id](results)
    filter_id = FILTERED.get(table_id)
    made = table(table_id, caption, columns, rows, filter_id)
    return joined([_controls(filter_id), made]) if filter_id else made


def _controls(filter_id: str) -> Markup:
    """Return what a reader types into, hidden until a script makes it work."""
    words = "Filter by any words: submitter, system, model, accelerator, row"
    return element(
        "div",
        element("label", words, for_=f"{filter_id}-input"),
        Markup(f'<input type="search" id="{filter_id}-input" autocomplete="off" spellcheck="false">'),
        element("p", role="status", class_="note"),
        class_="filter wide",
        id=filter_id,
        hidden=True,
    )
