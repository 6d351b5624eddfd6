"""What the figures have to say, computed from the released data a second time (``released``), spelled by ``spelled``."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import groupby

from tests.again import released, spelled
from tests.again.released import Pair, median

UNVERIFIED = "Result not verified by MLCommons Association."
UNENDORSED = "Not endorsed by MLCommons or any submitter."
# As MLCommons words it in its policy on the use of its results.
TRADEMARK = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association in the United States "
    "and other countries. All rights reserved. Unauthorized use strictly prohibited. See www.mlcommons.org for more "
    "information."
)


def title(what: str) -> str:
    """Return the title of a figure of the round."""
    return f"{what}, MLPerf® Inference {released.version()}"


def attribution() -> str:
    """Return what a figure has to say below it: whose results, of which suite, version, division and scenarios, from where."""
    record = json.loads((released.SOURCES / "acquisition.json").read_text(encoding="utf-8"))
    places = {(entry["repository"], entry["commit"]) for entry in record["files"] if entry["file"].startswith("data/")}
    ((repository, commit),) = places
    return (
        f"MLPerf® Inference: Datacenter {released.version()}, closed division, Offline and Server scenarios. Results of "
        f"{repository.split('//')[1]} at {commit[:12]}, copies retrieved {record['acquired']}. Ratios are derived. "
        f"{UNVERIFIED}"
    )


def by_model(pairs: list[Pair]) -> dict[str, list[Pair]]:
    """Return model label -> its pairs, in the order of the labels' alphabet, which ignores capitals."""

    def named(pair: Pair) -> str:
        return pair.offline["Model"]

    ordered = sorted(pairs, key=lambda pair: (named(pair).casefold(), named(pair)))
    return {model: list(members) for model, members in groupby(ordered, key=named)}


def ascending(pairs: list[Pair]) -> list[Pair]:
    """Return pairs by ratio, and equal ones by their row."""
    return sorted(pairs, key=lambda pair: (pair.ratio, int(pair.offline_id)))


def tooltip(pair: Pair) -> str:
    """Return what the mark of a pair says."""
    return (
        f"{pair.offline['Organization']} · {pair.offline['Platform']} · rows {pair.ids}: {spelled.percent(pair.ratio)}"
    )


def tooltip_with_limits(pair: Pair) -> str:
    """Return what the mark of a pair says where its latencies are told."""
    ttft, tpot = (spelled.percent(released.share(pair, latency)) for latency in ("ttft", "tpot"))
    return f"{tooltip(pair)}, TTFT {ttft} and TPOT {tpot} of their limits"


def larger(pair: Pair) -> Fraction:
    """Return the greater of the two fractions of the limits."""
    return max(released.share(pair, latency) for latency in ("ttft", "tpot"))


def bars_told(pair: Pair) -> tuple[str, str, str]:
    """Return the heading of a highlighted pair, and the words on its two bars."""
    offline, server = (f"{spelled.rate(rate)} tokens/s" for rate in (pair.offline_rate, pair.server_rate))
    named = " · ".join(pair.offline[field] for field in ("Model", "Organization", "Platform"))
    return f"{named} · rows {pair.ids}", f"Offline 100% · {offline}", f"Server {spelled.percent(pair.ratio)} · {server}"


def bars_described() -> str:
    """Return the figure of the highlighted pairs in words."""
    told = [
        f"{pair.offline['Model']} on {pair.offline['Platform']} by {pair.offline['Organization']}: Server "
        f"{spelled.rate(pair.server_rate)} over Offline {spelled.rate(pair.offline_rate)} tokens/s is {spelled.percent(pair.ratio)}"
        for pair in released.highlighted()
    ]
    return ". ".join(["Bar chart from zero, Offline as 100%", *told]) + "."


def distribution_described() -> str:
    """Return the figure of all ratios in words."""
    pairs = list(released.pairs())
    groups = {
        "all pairs": pairs,
        "pairs with accelerators": [pair for pair in pairs if pair.accelerators],
        "CPU-only pairs": [pair for pair in pairs if not pair.accelerators],
        **by_model(pairs),
    }
    told = ["Marks on an axis of Server as a percentage of Offline"]
    for name, members in groups.items():
        ratios = sorted(pair.ratio for pair in members)
        least, middle, most = (spelled.percent(ratio) for ratio in (ratios[0], median(ratios), ratios[-1]))
        above = sum(ratio > 1 for ratio in ratios)
        told.append(
            f"{name}: {spelled.count(len(ratios))}, {least} to {most}, median {middle}, {spelled.count(above)} above 100%"
        )
    return ". ".join(told) + "."


def panel_told(model: str, pairs: list[Pair]) -> list[str]:
    """Return the two lines above a model's panel."""
    nearer = [released.nearer(pair) for pair in pairs]
    names = {"tpot": "TPOT", "ttft": "TTFT", "equal": "both"}
    counts = [f"{name} in {spelled.count(nearer.count(key))}" for key, name in names.items() if key in nearer]
    middle = spelled.percent(median([larger(pair) for pair in pairs]))
    return [f"{model} · {spelled.many(len(pairs), 'pair')}", f"median {middle}; nearer its limit: {', '.join(counts)}"]


def headroom_described() -> str:
    """Return the figure of latencies in words."""
    told = [
        "A panel for each model: Server over Offline against the larger of the achieved 99th percentiles of TTFT and TPOT "
        "over their limits"
    ]
    for model, pairs in by_model(released.with_server_log()).items():
        nearer = [released.nearer(pair) for pair in pairs]
        told.append(
            f"{model}: {spelled.many(len(pairs), 'pair')}, median of the larger fraction "
            f"{spelled.percent(median([larger(pair) for pair in pairs]))}, TPOT nearer its limit in "
            f"{nearer.count('tpot')}, TTFT in {nearer.count('ttft')}"
        )
    return ". ".join(told) + "."


def kept_rounds() -> list[dict]:
    """Return the rounds that data/rounds.json keeps; a model's figures in it are Fractions."""
    text = (released.DATA / "rounds.json").read_text(encoding="utf-8")
    return json.loads(text, parse_float=Fraction)["rounds"]


def spans(rounds: list[dict]) -> dict[str, list]:
    """Return model -> for each round its name and its entry, or None; models in the order of their alphabet."""
    names = {model["model"] for one in rounds for model in one["models"]}
    return {
        name: [(one["round"], next((m for m in one["models"] if m["model"] == name), None)) for one in rounds]
        for name in sorted(names, key=str.casefold)
    }


def span_told(model: dict) -> tuple[str, str, str]:
    """Return how many pairs a model has in a round, from where to where they reach, and their median."""
    least, middle, most = (spelled.percent(Fraction(model[key])) for key in ("minimum", "median", "maximum"))
    return spelled.many(model["n"], "pair"), f"{least} to {most}", f"median {middle}"


def rounds_described(rounds: list[dict]) -> str:
    """Return the figure of the rounds in words."""
    told = ["Range and median of the Server/Offline ratio of each model in each round"]
    for name, of_model in spans(rounds).items():
        for round_name, model in of_model:
            if model:
                pairs, ends, middle = span_told(model)
                told.append(f"{name} in {round_name}: {pairs} from {ends}, {middle}")
    return ". ".join(told) + "."


def rounds_attribution(rounds: list[dict]) -> str:
    """Return what the figure of the rounds has to say below it."""
    places = [f"{one['source']['repository'].split('//')[1]} at {one['source']['commit'][:12]}" for one in rounds]
    return (
        f"MLPerf® Inference: Datacenter {', '.join(one['round'] for one in rounds)}, closed division, Offline and Server "
        f"scenarios. Retrieved from {', '.join(places)}. Ratios are derived. {UNVERIFIED}"
    )
