"""What article.html must say from its title to how rows were matched, worked out a second time: each block, in the order of the page."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from tests.again import groups, printed, released, rounds, spelled, systems
from tests.again.released import Pair, matched, number, pairs, rows
from tests.again.spelled import count, percent, together
from tests.again.words import Known, Read, joined, so

UNVERIFIED = "Result not verified by MLCommons Association."
PAPER = "V. J. Reddi et al., “MLPerf Inference Benchmark”, 2019, arXiv:1911.02549"
# What the article calls the fields in which a pair's rows may differ.
MAY_DIFFER = {
    "Scenario": "the scenario", "Result": "its result", "Accuracy": "its accuracy", "Location": "the folder it is kept in",
}  # fmt: skip


def told() -> list:
    """Return the pairs of the one system that is told in full."""
    return systems.told_in_full()


def apart() -> Pair:
    """Return the one pair that is set apart from them."""
    (pair,) = [pair for pair in released.highlighted() if pair not in told()]
    return pair


def differing(some: list, fields: tuple = released.MAY_DIFFER) -> list:
    """Return the fields, but for those given, that are not equal in all rows of pairs."""
    sides = [side for pair in some for side in (pair.offline, pair.server)]
    return [name for name in released.fields() if name not in fields and len({row[name] for row in sides}) > 1]


def spread(some: list) -> Fraction:
    """Return how far the ratios of pairs are apart."""
    return max(groups.ratios(some)) - min(groups.ratios(some))


def points(some: list) -> str:
    """Return how far the ratios of pairs are apart, in percentage points."""
    return spelled.rounded(100 * spread(some), 2)


def ends(some: list) -> str:
    """Return the lowest and the highest ratio of pairs."""
    return f"from {percent(min(groups.ratios(some)))} to {percent(max(groups.ratios(some)))}"


@lru_cache(maxsize=None)
def elsewhere() -> dict:
    """Return model label -> the pairs of other systems with it, on equally many of the same accelerators."""
    return {
        pair.offline["Model"]: [
            other
            for other in systems.on_the_same()
            if other.offline["Model"] == pair.offline["Model"] and other not in told()
        ]
        for pair in told()
    }


def headings(read: list) -> list:
    """Return (text, id) of the second-rank headings among blocks."""
    return [re.fullmatch(r"(.*) \{#(.*)\}", one.text).groups() for one in read if one.kind == "h2"]


def title() -> str:
    """Return the article's title, which rests on one system's models lying apart."""
    return so(spread(told()), "The Server/Offline ratio is workload-specific")


def opening() -> list:
    """Return what stands above the list of contents."""
    described = f"Server rate over Offline rate for every matched pair of MLPerf® Inference {released.version()}."
    byline = re.search(r"^## (\S+) \((\S+)\)$", (released.PROJECT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    version, date = byline.groups()
    return [
        Read("title", title()),
        Read("description", described),
        Read("text", "Skip to the text"),
        Read("h1", title()),
        Read(
            "p",
            f"The Server/Offline ratio bundle, version {version}, {so(date >= rounds.acquired()['acquired'], date)}",
        ),
        Read("p", rounds.notice()),
        Read("p", Known("A result in Offline is of", "88ffc801f989f3bb", "what the scenarios are, and the question")),
        Read("p", on_one_system()),
        Read("p", of_all_pairs()),
    ]


def on_one_system() -> str:
    """Return the answer's first half."""
    row = told()[0].offline
    each = [
        f"{percent(pair.ratio)}{' of the Offline rate' * (pair is told()[0])} for {pair.offline['Model']}"
        for pair in told()
    ]
    alone = so(
        set(differing(told())) <= set(systems.OF_THE_MODEL),
        "while nothing else in the metadata of these pairs differs.",
    )
    return (
        f"On one system, {row['Organization']}’s {row['Platform']}, the Server rate is {together(each)}: "
        f"{points(told())} percentage points between the models, {alone}"
    )


def of_all_pairs() -> str:
    """Return the answer's second half."""
    model, some = max(elsewhere().items(), key=lambda item: spread(item[1]))
    above = len(groups.above(pairs()))
    other = all(differing([told()[0], pair], (*released.MAY_DIFFER, *systems.OF_THE_MODEL)) for pair in some)
    return joined(
        f"Of all {count(len(pairs()))} pairs that match, {above} {'has' if above == 1 else 'have'} Server above Offline.",
        f"And {model} on equally many of the same accelerators, in {so(other, f'{len(some)} pairs of other systems')}, runs {ends(some)}.",
        so(spread(told()) and spread(some), "A ratio read off one workload cannot be carried over to another, nor from one "
           "submission to the next."),
    )  # fmt: skip


def scenarios() -> list:
    """Return what is said of the two scenarios."""
    eligible = [rows()[one] for one in released.eligible()]
    one_kind = {(row["SystemType"], row["Units"]) for row in eligible} == {("datacenter", "Tokens/s")}
    labels = ("ttft_latency (ns)", "tpot_latency (ns)")
    held = {
        (pair.offline["Model"], *(released.log_value(pair.server_id, one) for one in labels)) for pair in with_log()
    }
    two = released.has_two_limits()
    return [
        Read("h2", "What Offline and Server are {#scenarios}"),
        Read("p", joined(
            so(one_kind, "Both scenarios send the same kind of requests to the same kind of system and count finished output "
               "tokens per second."),
            "They differ in how the requests arrive and in what is asked of each.",
        )),
        Read("li", Known("Offline. All requests are there", "e14e3735bcb07acb", "what Offline means")),
        Read("li", joined(
            "Server. Requests arrive one by one at random moments, at a rate that the submitter chooses.",
            so(two, "The run is valid only if the 99th percentiles of two latencies are within limits: time to first token "
               "(TTFT) and time per output token after it (TPOT)."),
            so(len(held) == len({model for model, *_ in held}), "The limits belong to the model."),
        )),
        Read("p", joined(
            f"The two scenarios are those of {PAPER}. The two latencies of tokens came after it; their limits stand in the "
            "checker’s file, which is named under sources,",
            so(two and all(None not in one for one in held), "and in each Server log."),
        )),
        Read("p", Known("The ratio in this article is one pair’s Server rate divided", "75e6618315e56f1e", "what a ratio is")),
    ]  # fmt: skip


@lru_cache(maxsize=None)
def with_log() -> tuple:
    """Return the pairs whose Server log is there."""
    return tuple(released.with_server_log())


def how_many_rows() -> str:
    """Return the paragraph above the rules."""
    divisions = [number(f"SELECT count(*) FROM summary WHERE Division = '{one}'") for one in ("closed", "open")]
    compared = int(printed.verified()[-1].rpartition(" ")[2])
    (ways,) = [one["obtained"] for one in rounds.acquired()["files"] if one["file"] == "data/summary.json"]
    left = len(rows()) - sum(released.turned_away().values())
    return joined(
        f"The released summary has {count(len(rows()))} rows of {len(released.fields())} fields:",
        so(sum(divisions) == len(rows()), f"{divisions[0]} in the closed division, {divisions[1]} in the open one."),
        so(compared == len(rows()), f"All {count(len(rows()) * len(released.fields()))} cells of its CSV form were compared "
           "with its JSON form."),
        so(ways == "reserialized", "The JSON here was made again from the CSV, so this finds damage to either file and no error "
           "made upstream."),
        so(left == len(released.eligible()), "A row is eligible if it passes these rules, in this order, and is counted at the "
           "first that turns it away:"),
    )  # fmt: skip


def what_is_left() -> str:
    """Return the paragraph below the rules."""
    eligible = [rows()[one] for one in released.eligible()]
    models = sorted({row["Model"] for row in eligible}, key=str.lower)
    rules = [rule for name, (_, rule) in released.RULES.items() if not name.startswith("scenario")]
    places = ", ".join("?" * len(models))
    others = number(f"SELECT count(*) FROM summary WHERE Model NOT IN ({places}) AND {' AND '.join(rules)}", *models)
    interactive = any(row["Scenario"] == "Interactive" for row in eligible)
    parting = [name for name in released.fields() if name not in matched()]
    same = all(pair.offline[name] == pair.server[name] for pair in pairs() for name in matched())
    same = same and all(
        (pair.offline["Scenario"], pair.server["Scenario"]) == ("Offline", "Server") for pair in pairs()
    )
    return joined(
        f"That leaves {count(len(eligible))} rows, of the models {', '.join(models)};",
        so(not others, "other models report no tokens per second or were turned away before,"),
        so(not interactive, "and the Interactive scenario is not compared."),
        "An inferred row is one that the summary derives from another.",
        so(same, f"Two eligible rows are a pair if one is Offline, the other is Server, and all {len(matched())} metadata fields "
           f"are equal, character for character: {', '.join(matched())}."),
        f"What may differ is {together([MAY_DIFFER[name] for name in parting])}.",
    )  # fmt: skip


def strictness() -> str:
    """Return the paragraph on why rows are matched so strictly."""
    same = ", ".join(f'"{name}"' for name in (*matched(), "Scenario"))
    doubled = number(f"SELECT count(*) FROM (SELECT 1 FROM eligible GROUP BY {same} HAVING count(*) > 1)")
    return joined(
        "Strict matching loses pairs that a reader might accept by eye, and that is its use: no judgement enters, so anyone "
        "gets the same pairs. Two spellings of a missing value do not match each other.",
        so("Model" in matched(), "A model label keeps its accuracy target, because a result at another target is another result."),
        so(not doubled, "Two rows of one scenario with equal metadata would stop the computation; there are none."),
    )  # fmt: skip


def matching() -> list:
    """Return what is said of how rows were matched."""
    return [
        Read("h2", "How rows were matched, and why so strictly {#matching}"),
        Read("p", how_many_rows()),
        *(Read("li", rule) for rule in printed.turned_away()),
        Read("p", what_is_left()),
        Read("p", strictness()),
    ]
