"""The tables that the article's text may ask for, by id: of each its columns, and the entries of results that are its rows.

A column is a heading, '#' before that of numbers, what finds its value in an entry, and how the value is spelled.
"""

from __future__ import annotations

from functools import partial
from operator import itemgetter
from typing import Callable

from scenario_ratio import wording
from scenario_ratio.show.markup import Markup, element, joined
from scenario_ratio.show.page import number, table
from scenario_ratio.show.values import above, log_says, told, twin_labels
from scenario_ratio.study.rounds import by_model

Column = "tuple[str, Callable[[dict], object], Callable[[object], str]]"
Table = "tuple[list[Column], list[dict]]"  # the columns, and an entry for each row
# What an anomaly of a mean comes with, the second three where undoing a wrap explains it; each may be null.
BOUNDS, UNWRAPPED = ("lower_bound_ns", "upper_bound_ns"), ("samples", "wraps", "unwrapped_mean_ns")


def _columns(headings: dict[str, str], spelling: Callable = str) -> list[Column]:
    """Return columns that are spelled alike: heading -> key of an entry."""
    return [(heading, itemgetter(key), spelling) for heading, key in headings.items()]


def explained(entry: dict) -> str:
    """Return the figures that an anomaly comes with, in words."""
    if entry["tokens_per_sample"] is not None:
        return _tokens(entry)
    bounds, unwrapped = ([entry[key] for key in keys] for keys in (BOUNDS, UNWRAPPED))
    if None in bounds:
        errors = wording.counted(entry["summary_errors"], "error/errors")
        return f"summary says {errors}" if "error" in entry["kind"] else ""
    text = f"percentiles bound the mean between {' and '.join(map(wording.count, bounds))} ns"
    if None in unwrapped:
        return text
    samples, wraps, mean = unwrapped
    return (
        f"{text}; with {wording.count(samples)} samples and {wording.counted(wraps, 'wrap/wraps')} of a 64-bit sum it is "
        f"{wording.count(mean)} ns, within a few millionths"
    )


def _tokens(entry: dict) -> str:
    """Return the tokens a sample of a performance run, and what its accuracy run must have and has."""
    bounds = (("at least", entry["target"]), ("at most", entry["upper_limit"]))
    asked = wording.together([f"{word} {wording.metric(bound)}" for word, bound in bounds if bound is not None])
    has = "" if entry["reported"] is None else f", and has {wording.metric(entry['reported'])}"
    return f"{wording.points(entry['tokens_per_sample'])} tokens a sample; the accuracy run must have {asked}{has}"


def released(model: dict | None) -> str:
    """Return the figures of a model in a round, or that it has no pair there."""
    if model is None:
        return "no pair"
    return f"{wording.percent(model['median'])} ({wording.ends(model)}, {wording.counted(model['n'], 'pair/pairs')})"


def median(spread: dict | None) -> str:
    """Return the median of a spread and of how many pairs it is, or that there is none."""
    if spread is None:
        return "no pair"
    return f"{wording.percent(spread['median'])} ({wording.counted(spread['n'], 'pair/pairs')})"


def share(value: float | None) -> str:
    """Return a share of the variance, or that there is no variance."""
    return "no variance" if value is None else wording.fraction(value)


ROWS = ("Rows", wording.rows, str)
RATES = [
    *_columns({"Model": "model", "Submitter": "submitter", "System": "platform"}),
    ROWS,
    *_columns({"#Offline": "offline_tokens_per_s", "#Server": "server_tokens_per_s"}, wording.rate),
    *_columns({"#Server/Offline": "ratio"}, wording.percent),
]
PAIR = [
    ROWS,
    *_columns({"#Server/Offline": "ratio"}, wording.percent),
    *_columns({"Model": "model", "Submitter": "submitter", "Platform": "platform"}),
    *_columns({"#Offline, tokens/s": "offline_tokens_per_s", "#Server, tokens/s": "server_tokens_per_s"}, wording.rate),
]
EQUIPMENT = [
    ("Accelerator", lambda pair: pair["accelerator"] or ("not named" if pair["accelerators"] else "none"), str),
    *_columns({"#Accelerators": "accelerators"}, wording.count),
    *_columns({"System": "system"}),
    ("Logs", lambda pair: " / ".join(dict.fromkeys(pair["logs_say"])), str),
]
ACCURACY = [
    *_columns({"Row": "row", "Model": "model", "Scenario": "scenario", "Metric": "metric"}),
    *_columns({"#Reported": "reported"}, wording.metric),
    *_columns(
        {"#Target, at least": "target", "#Upper limit": "upper_limit"},
        lambda bound: "none" if bound is None else wording.metric(bound),
    ),
]
LATENCY = [
    *_columns({"Row": "row", "Model": "model", "System": "platform"}),
    *_columns({"#TTFT p99, ms": "ttft_p99_ns", "#TTFT limit, ms": "ttft_limit_ns"}, wording.milliseconds),
    *_columns({"#TPOT p99, ms": "tpot_p99_ns", "#TPOT limit, ms": "tpot_limit_ns"}, wording.milliseconds),
    ("Log says", wording.log_says, str),
]
SPREAD = [
    *_columns({"#Pairs": "n"}, wording.count),
    *_columns({"#Minimum": "minimum", "#Lower quartile": "q1", "#Median": "median"}, wording.percent),
    *_columns({"#Upper quartile": "q3", "#Maximum": "maximum"}, wording.percent),
    *_columns({"#Above 100%": "above_1"}, wording.count),
    *_columns({f"Offline row at the {end}": f"{end}_ids" for end in ("minimum", "maximum")}, wording.listed),
]
HEADROOM = [
    *_columns({"#Pairs with a Server log": "n"}, wording.count),
    *_columns({"#TTFT nearer its limit": "ttft_nearer", "#TPOT nearer its limit": "tpot_nearer"}, wording.count),
    *_columns({"#Median TTFT p99 / limit": "median_ttft_fraction"}, wording.fraction),
    *_columns({"#Median TPOT p99 / limit": "median_tpot_fraction"}, wording.fraction),
    *_columns({"#Median of the larger": "median_larger_fraction"}, wording.fraction),
    *_columns({"#Median completed / scheduled samples/s": "median_completed_over_scheduled"}, wording.fraction),
]
LABEL = [*_columns({"Label": "label", "Accelerator family": "family"}), *_columns({"#Pairs": "n"}, wording.count)]
OTHER_SYSTEM = [
    *_columns({"Submitter": "submitter", "System": "platform"}),
    *_columns({"Offline rows": "offline_ids"}, wording.listed),
    *_columns({"#Percentage points apart": "spread_percentage_points"}, wording.points),
]
COMPARED = [
    *_columns({"First model": "first", "Second model": "second"}),
    *(
        (f"#{heading}{words}", lambda entry, name=name, key=key: entry[name][key], wording.count)
        for name, words in (("same_metadata", ""), ("any_precision", ", any precision"))
        for heading, key in (
            ("Systems with both", "systems"),
            ("First below", "first_below"),
            ("Second below", "second_below"),
        )
    ),
]
SHARE = [
    *_columns({"Pairs": "name"}),
    *_columns({"#Number": "n", "#Models": "models"}, wording.count),
    *_columns({"#Share between models": "share_between_models"}, share),
    *_columns({"#Labels": "labels"}, wording.count),
    *_columns({"#Share between labels": "share_between_labels"}, share),
]
CLAIM = _columns({"Statement": "statement", "Verdict": "verdict", "What decides it": "reason"})
ANOMALY = [
    *_columns({"Row": "row", "Kind": "kind", "Printed line": "printed"}),
    ("What follows", lambda entry: "; ".join(filter(None, [explained(entry), entry["consequence"]])), str),
]
ROUND = [
    *_columns({"Round": "round"}),
    *_columns({"#Rows": "source_rows", "#Eligible": "eligible_rows", "#Pairs": "complete_pairs"}, wording.count),
    *_columns({"#Pairs with logs of their own": "pairs_with_distinct_logs"}, wording.count),
    *_columns({"#Unmatched": "unmatched_rows"}, wording.count),
    *_columns({"#Above 100%": "pairs_with_server_greater_than_offline"}, wording.count),
    *_columns({"#Fields matched": "matched_fields"}, wording.count),
    *_columns({"Checked against": "checked_against"}, lambda name: name or "no targets"),
    *_columns({"Read from": "source"}, wording.source),
]


def accuracy(results: dict) -> Table:
    """Return every reported metric of the highlighted rows against its target and upper limit."""
    rows = {row["row"]: row for row in results["accuracy"]}
    entries = [
        {**rows[pair[f"{scenario}_id"]], **metric, "scenario": scenario.capitalize()}
        for pair in told(results)
        for scenario in ("offline", "server")
        for metric in rows[pair[f"{scenario}_id"]]["metrics"]
    ]
    return ACCURACY, entries


def latency(results: dict) -> Table:
    """Return the achieved 99th percentiles of the highlighted Server rows whose logs are at hand against their limits."""
    logs = {log["row"]: log for log in results["logs"]}
    entries = [{**pair, **logs[pair["server_id"]]} for pair in told(results)]
    return LATENCY, [entry for entry in entries if entry["status"] == "passed"]


def all_pairs(results: dict) -> Table:
    """Return every pair, with what its Offline log and its Server log say."""
    said = log_says(results)
    return PAIR + EQUIPMENT, [
        {**pair, "logs_say": [said(pair, scenario) for scenario in ("offline", "server")]} for pair in results["pairs"]
    ]


def groups(results: dict, part: str, grouping: str, heading: str, columns: list[Column]) -> Table:
    """Return the figures of each group of a grouping in a part of results, such as 'distribution'."""
    entries = [{"name": name, **group} for name, group in results[part][grouping].items()]
    return [*_columns({heading: "name"}), *columns], entries


spreads = partial(groups, part="distribution", columns=SPREAD)


def labels(results: dict) -> Table:
    """Return how many pairs each label of one model has of each accelerator family."""
    told = {label: results["labels"][label]["by_family"] for label in twin_labels(results)}
    return LABEL, [{"label": label, "family": name, "n": n} for label in told for name, n in told[label].items()]


def model_classes(results: dict) -> Table:
    """Return each model's median and number of pairs for each class of accelerator counts."""
    by_model, classes = (results["distribution"][key] for key in ("by_model_and_accelerators", "by_accelerators"))
    columns = [(name, lambda entry, name=name: entry.get(name), median) for name in classes]
    return [*_columns({"Model": "model"}), *columns], [{**found, "model": name} for name, found in by_model.items()]


def round_models(results: dict) -> Table:
    """Return each model's figures in each of several rounds."""
    rounds = [one["round"] for one in results["rounds"]]
    entries = [{"model": name, **dict(zip(rounds, found))} for name, found in by_model(results["rounds"]).items()]
    columns = _columns({f"Released in {name}": name for name in rounds}, released)
    return [*_columns({"Model": "model"}), *columns], entries


# Id -> its columns and entries.
TABLES: dict[str, Callable[[dict], Table]] = {
    "rates": lambda results: (RATES, told(results)),
    "accuracy": accuracy,
    "latency": latency,
    "above-pairs": lambda results: (PAIR, above(results)),
    "distribution-overall": partial(spreads, grouping="overall", heading="Group"),
    "distribution-by-model": partial(spreads, grouping="by_model", heading="Model"),
    "distribution-by-model-and-accelerators": model_classes,
    "distribution-by-accelerators": partial(spreads, grouping="by_accelerators", heading="Accelerators"),
    "distribution-by-family": partial(spreads, grouping="by_family", heading="Family"),
    "labels": labels,
    "other-systems": lambda results: (OTHER_SYSTEM, results["highlighted"]["same_parts"]["systems"]),
    "within-systems": lambda results: (COMPARED, results["within_systems"]["compared"]),
    "variance": lambda results: (
        SHARE,
        [{"name": name, **one} for name, one in results["variance_between_models"].items()],
    ),
    "headroom-by-model": partial(groups, part="headroom", grouping="by_model", heading="Model", columns=HEADROOM),
    "claim-table": lambda results: (CLAIM, results["claims"]),
    "anomaly-table": lambda results: (ANOMALY, results["anomalies"]),
    "round-counts": lambda results: (ROUND, [{**one["counts"], **one} for one in results["rounds"]]),
    "round-models": round_models,
    "all-pairs": all_pairs,
}
WITH_VALUES = ("above-pairs", "all-pairs")  # tables whose numbers carry their values, for whoever sorts them
FILTERED = {"all-pairs": "pair-filter"}  # tables that can be sorted and filtered, and the id of their controls


def rows(results: dict, table_id: str) -> list[list[str]]:
    """Return the rows of a table of TABLES as texts."""
    columns, entries = TABLES[table_id](results)
    return [[spelling(value(entry)) for _, value, spelling in columns] for entry in entries]


def html(results: dict, table_id: str, caption: str) -> Markup:
    """Return a table of TABLES with its caption, below its controls if it has any."""
    columns, entries = TABLES[table_id](results)
    cells = [[_cell(column, entry, table_id in WITH_VALUES) for column in columns] for entry in entries]
    filter_id = FILTERED.get(table_id)
    made = table(table_id, caption, [heading for heading, _, _ in columns], cells, filter_id)
    return joined([_controls(filter_id), made]) if filter_id else made


def _cell(column: Column, entry: dict, with_value: bool) -> str:
    heading, value, spelling = column
    text = spelling(value(entry))
    return number(text, value(entry) if with_value else None) if heading.startswith("#") else text


def _controls(filter_id: str) -> Markup:
    """Return what a reader types into, hidden until a script makes it work."""
    return element(
        "div",
        element("label", "Filter by any words: submitter, system, model, accelerator, row", for_=f"{filter_id}-input"),
        Markup(f'<input type="search" id="{filter_id}-input" autocomplete="off" spellcheck="false">'),
        element("p", role="status", class_="note"),
        class_="filter wide",
        id=filter_id,
        hidden=True,
    )
