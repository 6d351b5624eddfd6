"""Every pair read at once: the distribution, the latency headroom, what is odd in the logs, and claims put to the test."""

from __future__ import annotations

from scenario_ratio import wording
from scenario_ratio.show.markup import Markup
from scenario_ratio.show.page import figure, number, paragraph, section, table
from scenario_ratio.study.rounds import by_model

GROUPS = (
    ("overall", "All pairs, and those with and without accelerators", "Group"),
    ("by_model", "By model label", "Model"),
    ("by_accelerators", "By number of accelerators", "Accelerators"),
    ("by_family", "By accelerator family, as the submitters name it, in alphabetical order", "Family"),
)


def distribution(results: dict, drawing: bytes) -> list[Markup]:
    """Return how the ratios of all pairs are distributed, by model, accelerator count and accelerator family."""
    found = results["distribution"]
    everything, equipped, cpu_only = found["overall"].values()
    tables = [_distribution_table(key, caption, heading, found[key]) for key, caption, heading in GROUPS]
    return section(
        "distribution",
        "Every pair, not four",
        paragraph(
            "Over all {n} pairs the median ratio is {median}; half of the pairs lie between {q1} and {q3}. The {cpu} CPU-only "
            "pairs run from {cpu_low}, the lowest of all, to {cpu_high}; the tables count them apart as well. The {with_n} pairs "
            "with accelerators run from {low} to {high}.",
            n=wording.count(everything["n"]),
            **{key: wording.percent(everything[key]) for key in ("median", "q1", "q3")},
            cpu=wording.count(cpu_only["n"]),
            cpu_low=wording.percent(cpu_only["minimum"]),
            cpu_high=wording.percent(cpu_only["maximum"]),
            with_n=wording.count(equipped["n"]),
            low=wording.percent(equipped["minimum"]),
            high=wording.percent(equipped["maximum"]),
        ),
        figure(drawing, "Each pair is one mark. A ratio can be traced to its rows in the table of every pair below."),
        *tables,
        paragraph(
            "Two labels of one model are kept apart here as the submitters wrote them, llama3.1-8b and llama3_1-8b; most pairs "
            "with the second are CPU-only. {rule} The groups overlap and differ in systems, software and submitters, so a difference between two "
            "groups is a description of what was submitted and not the effect of what the groups are named after.",
            rule=found["quantile_rule"],
        ),
    )


def _distribution_table(key: str, caption: str, heading: str, groups: dict) -> Markup:
    lines = []
    for name, group in groups.items():
        quantiles = [wording.percent(group[part]) for part in ("minimum", "q1", "median", "q3", "maximum")]
        ends = (", ".join(group[part]) for part in ("minimum_ids", "maximum_ids"))
        counts = (number(wording.count(group[part])) for part in ("n", "above_1"))
        n, above = counts
        lines.append([name, n, *map(number, quantiles), above, *ends])
    columns = [
        heading,
        "#Pairs",
        "#Minimum",
        "#Lower quartile",
        "#Median",
        "#Upper quartile",
        "#Maximum",
        "#Above 100%",
    ]
    ends = ["Offline row at the minimum", "Offline row at the maximum"]
    return table(f"distribution-{key.replace('_', '-')}", f"{caption}. {wording.UNVERIFIED}", columns + ends, lines)


def headroom(results: dict, drawing: bytes) -> list[Markup]:
    """Return how near the Server runs came to their latency limits, by model."""
    found = results["headroom"]
    lines = []
    for model, group in found["by_model"].items():
        fractions = (
            "median_ttft_fraction",
            "median_tpot_fraction",
            "median_larger_fraction",
            "median_completed_over_scheduled",
        )
        counts = [number(wording.count(group[key])) for key in ("n", "ttft_nearer", "tpot_nearer")]
        lines.append([model, *counts, *(number(wording.fraction(group[key])) for key in fractions)])
    columns = [
        "Model", "#Pairs with a Server log", "#TTFT nearer its limit", "#TPOT nearer its limit", "#Median TTFT p99 / limit",
        "#Median TPOT p99 / limit", "#Median of the larger", "#Median completed / scheduled samples/s",
    ]  # fmt: skip
    return section(
        "headroom",
        "How near the Server runs came to their limits",
        paragraph(
            "For the {n} pairs whose Server log is at hand, the achieved 99th percentiles of TTFT and TPOT are taken as "
            "fractions of their limits. The larger of the two is the one nearer its limit. A submitter chooses the arrival rate, "
            "so a fraction below one is room that was left, for whatever reason. Completed over scheduled says how much of "
            "that arrival rate was finished in the time of the run.",
            n=wording.count(results["counts"]["server_logs_passed"]),
        ),
        figure(drawing, "Ratio of each pair against the larger of its two fractions, by model."),
        table("headroom-by-model", "Latency headroom by model label", columns, lines),
        paragraph(
            "The two quantities stand side by side here. Which limit a run was nearer to says nothing by itself about why "
            "its Server rate is what it is."
        ),
    )


def anomalies(results: dict) -> list[Markup]:
    """Return everything odd in the logs that passed."""
    found = results["anomalies"]
    lines = [
        [
            entry["row"],
            entry["kind"],
            entry["printed"],
            "; ".join(filter(None, [_explained(entry), entry["consequence"]])),
        ]
        for entry in found
    ]
    return section(
        "anomalies",
        "What is odd in the logs that passed",
        paragraph(
            "{rows} of the {logs} logs that passed hold something odd. A log can say VALID and count errors, while the "
            "summary’s errors column says none. A latency can be impossible, such as the least 64-bit integer. A mean can lie where its own percentiles do not "
            "allow one: half of the samples lie between the minimum and the median, and so on up to the maximum, so the printed values "
            "bound the mean. A sum of many long latencies in nanoseconds can pass the end of a 64-bit counter and start again "
            "from zero (it wraps). Where undoing that brings the mean back between its bounds, the table gives the value. None of "
            "these figures is used in any ratio.",
            rows=wording.count(results["counts"]["logs_with_anomalies"]),
            logs=wording.count(results["counts"]["logs_passed"]),
        ),
        table(
            "anomaly-table",
            "Anomalies in logs that passed",
            ["Row", "Kind", "Printed line", "What follows"],
            lines,
        ),
    )


def _explained(entry: dict) -> str:
    """Return the figures that an anomaly comes with, in words."""
    if entry["lower_bound_ns"] is None:
        return f"summary says {wording.count(entry['summary_errors'])} errors" if "error" in entry["kind"] else ""
    low, high = (wording.count(entry[f"{end}_bound_ns"]) for end in ("lower", "upper"))
    text = f"percentiles bound the mean between {low} and {high} ns"
    if entry["wraps"] is None:
        return text
    return (
        f"{text}; with {wording.count(entry['samples'])} samples and {wording.count(entry['wraps'])} wrap{'s' * (entry['wraps'] != 1)} of a 64-bit sum "
        f"it is {wording.count(entry['unwrapped_mean_ns'])} ns, within a few millionths"
    )


def claims(results: dict) -> list[Markup]:
    """Return published statements about Offline and Server with what the data say of each."""
    lines = [[claim["statement"], claim["verdict"], claim["reason"]] for claim in results["claims"]]
    return section(
        "claims",
        "Claims put to the test",
        paragraph(
            "Statements that were published about Offline and Server in this round, in the bundle’s words and without their "
            "authors, each looked up in the data by stated rules. A difference is Server minus Offline over Offline, compared at the decimals that were stated. "
            "A confirmed figure is one that the data hold; it is no explanation."
        ),
        table(
            "claim-table",
            f"Statements and verdicts. {wording.UNVERIFIED}",
            ["Statement", "Verdict", "What decides it"],
            lines,
        ),
        paragraph(
            'The rule of each look-up and every figure behind a verdict are in <a href="results.json">results.json</a>, '
            'the statements in <a href="data/claims.json">data/claims.json</a>.'
        ),
    )


def rounds(results: dict) -> list[Markup]:
    """Return several rounds side by side: what was released in each, by model."""
    found = results["rounds"]
    counts = ("source_rows", "eligible_rows", "complete_pairs", "pairs_with_distinct_logs", "unmatched_rows")
    above = "pairs_with_server_greater_than_offline"
    lines = [
        [
            one["round"],
            *(number(wording.count(one["counts"][key])) for key in (*counts, above)),
            number(wording.count(one["matched_fields"])),
            one["checked_against"] or "no targets",
            f"{one['source']['repository'].removeprefix('https://')} at {one['source']['commit'][:12]}",
        ]
        for one in found
    ]
    columns = [
        "Round", "#Rows", "#Eligible", "#Pairs", "#Pairs with logs of their own", "#Unmatched", "#Above 100%", "#Fields matched", "Checked against", "Read from",
    ]  # fmt: skip
    models = [_model_line(name, released) for name, released in by_model(found).items()]
    headings = ["Model", *(f"Released in {one['round']}" for one in found)]
    return section(
        "rounds",
        "Other rounds, side by side",
        paragraph(
            "The same rules were run over {others} too, and the same checks of logs as far as a round allows. Where the table says "
            "that a round was checked against no targets, neither its accuracy nor its latency limits were. One of the rounds "
            "was read from a fork of its results repository. Rounds differ in models, hardware, software and rules, and in who "
            "submits, so the columns stand beside each other and are no steps from one to the next. Labels that name one "
            "model, such as llama3_1-8b and llama3.1-8b, are one model here. In some rounds one log serves two rows with "
            "different accuracy targets; such pairs are not independent, and the table counts the pairs with both logs at hand that share none with "
            "an earlier one.",
            others=" and ".join(one["round"] for one in found if one["round"] != results["round"]),
        ),
        table("round-counts", f"What each round holds. {wording.UNVERIFIED}", columns, lines),
        table(
            "round-models",
            f"Median ratio, range and number of pairs by model. {wording.UNVERIFIED}",
            headings,
            models,
        ),
    )


def _model_line(name: str, released: list) -> list:
    """Return a model's figures in each round, or that it has no pair there."""
    cells = [
        "no pair"
        if model is None
        else f"{wording.percent(model['median'])} ({wording.percent(model['minimum'])} to "
        f"{wording.percent(model['maximum'])}, {wording.count(model['n'])} pairs)"
        for model in released
    ]
    return [name, *cells]
