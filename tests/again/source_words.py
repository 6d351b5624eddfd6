"""What article.html must say of logs, statements, rounds and sources, worked out a second time; and all blocks of it."""

from __future__ import annotations

from collections import defaultdict

from tests.again import (
    article_words,
    commands,
    coverage_words,
    logs,
    pages,
    printed,
    released,
    rounds,
    spread_words,
    statements,
)
from tests.again.article_words import PAPER, UNVERIFIED, headings, with_log
from tests.again.released import number, pairs, rows
from tests.again.spelled import together
from tests.again.spread_words import twins
from tests.again.words import Known, Read, in_words, joined, so

PAPER_LINK = "https://arxiv.org/abs/1911.02549"
LEAST_INTEGER = "-9223372036854775808"
COMMANDS = "sha256sum -c --quiet SHA256SUMS\npython3 reproduce.py --check"
NOTICE = Known(
    "Not endorsed by MLCommons or any submitter.", "d34b208d0731e33b", "the notice on endorsement and trademarks"
)


def headroom() -> list:
    """Return what is said of the latencies."""
    valid = all(logs.status(pair.server_id) == "passed" for pair in with_log())
    return [
        Read("h2", "How near the Server runs came to their limits {#headroom}"),
        Read("p", joined(
            so(valid, f"For the {len(with_log())} pairs whose Server log is at hand, the achieved 99th percentiles of TTFT and "
               "TPOT are taken as fractions of their limits."),
            "The larger of the two is the one nearer its limit. A submitter chooses the arrival rate, so a fraction below one is "
            "room that was left, for whatever reason. Completed over scheduled says how much of that arrival rate was finished "
            "in the time of the run.",
        )),
        Read("figcaption", "Ratio of each pair against the larger of its two fractions, by model."),
        Read("table", "Latency headroom by model label"),
        Read("p", Known("The two quantities stand side by side here.", "390d4212438ad07b", "what nearness to a limit does not say")),
    ]  # fmt: skip


def claims() -> list:
    """Return what is said of the claims."""
    every = all(one.reason for one in statements.findings())
    return [
        Read("h2", "Claims put to the test {#claims}"),
        Read("p", Known("Statements that were published about", "ca50c21a05fe8f32", "what the statements are, and the words of the verdicts")),
        Read("table", f"Statements and verdicts. {UNVERIFIED}"),
        Read("p", so(every, "The rule of each look-up and every figure behind a verdict are in results.json, the statements in "
                     "data/claims.json.")),
    ]  # fmt: skip


def anomalies() -> list:
    """Return what is said of oddities in logs."""
    return [
        Read("h2", "What is odd in the logs that passed {#anomalies}"),
        Read("p", odd()),
        Read("table", "Anomalies in logs that passed"),
    ]


def odd() -> str:
    """Return the kinds of oddities, and which rows have the one that touches a ratio."""
    found, passed = logs.oddities(), [one for one in released.eligible() if logs.status(one) == "passed"]
    kinds = defaultdict(list)
    for one in found:
        kinds[one.kind].append(one)
    errors = [one.row for one in kinds["errors encountered"]]
    silent = all(rows()[one]["errors"] == "0" and released.log_value(one, "Result is") == "VALID" for one in errors)
    impossible = any(LEAST_INTEGER in one.printed for one in kinds["impossible latency"])
    wraps = [one for one in found if "of a 64-bit sum" in one.follows]
    beyond = [one.row for one in kinds["tokens per sample beyond the accuracy bounds"]]
    used = {one for pair in pairs() for one in (pair.offline_id, pair.server_id)}
    others = [one for one in found if one.row not in beyond or not one.printed.startswith(tuple(logs.RATE.values()))]
    unused = not any(one.printed.startswith(tuple(logs.RATE.values())) for one in others)
    return joined(
        f"{len({one.row for one in found})} of the {len(passed)} logs that passed hold something odd.",
        so(errors and silent, "A log can say VALID and count errors, while the summary’s errors column says none."),
        so(impossible, "A latency can be impossible, such as the least 64-bit integer."),
        so(kinds["mean outside its percentiles"], "A mean can lie where its own percentiles do not allow one: half of the samples "
           "lie between the minimum and the median, and so on up to the maximum, so the printed values bound the mean."),
        so(wraps, "A sum of many long latencies in nanoseconds can pass the end of a 64-bit counter and start again from zero "
           "(it wraps). Where undoing that brings the mean back between its bounds, the table gives the value."),
        so(all(map(commands.accurate, beyond)), f"The performance logs of rows {together(beyond)} give, as tokens/s over "
           "samples/s, tokens a sample outside the bounds that the accuracy of the same rows must keep, and keeps."),
        so(set(beyond) <= set(passed) & used, "Performance and accuracy are different runs, so no check fails, and the rates are "
           "used in their ratios."),
        "Only where the checker bounds TOKENS_PER_SAMPLE can this be seen.",
        so(unused, "None of the other figures is used in any ratio."),
    )  # fmt: skip


def other_rounds() -> list:
    """Return what is said of other rounds."""
    return [
        Read("h2", "Other rounds, side by side {#rounds}"),
        Read("p", beside()),
        Read("table", f"What each round holds. {UNVERIFIED}"),
        Read("table", f"Median ratio, range and number of pairs by model. {UNVERIFIED}"),
    ]


def beside() -> str:
    """Return how the other rounds were read."""
    stated, (first, second) = rounds.stated(), twins()
    others = [name for name in stated if name != released.version()]
    unchecked = [name for name, one in stated.items() if one["checked_against"] is None]
    owners = [one["source"]["repository"].split("/")[3] for one in stated.values()]
    counts = [one["counts"] for one in stated.values()]
    shared = any(one["pairs_with_distinct_logs"] < one["pairs_with_both_logs"] for one in counts)
    joined_labels = first in rounds.models() and second not in rounds.models()
    return joined(
        so(released.version() in stated, f"The same rules were run over {together(others)} too, and the same checks of logs as far "
           "as a round allows."),
        so(unchecked, "Where the table says that a round was checked against no targets, neither its accuracy nor its latency "
           "limits were."),
        f"{in_words(sum(one != 'mlcommons' for one in owners)).capitalize()} of the rounds was read from a fork of its results "
        "repository. Rounds differ in models, hardware, software and rules, and in who submits, so the columns stand beside each "
        "other and are no steps from one to the next.",
        so(joined_labels, f"Labels that name one model, such as {second} and {first}, are one model here."),
        so(shared, "In some rounds one log serves two rows with different accuracy targets; such pairs are not independent, and "
           "the table counts the pairs with both logs at hand that share none with an earlier one."),
    )  # fmt: skip


def every_pair() -> list:
    """Return what is said around the table of every pair."""
    ordered = [int(pair.offline_id) for pair in pairs()]
    filtered = ["submitter", "system", "model", "accelerator", "row"]
    header = " ".join(next(table for table in pages.page().tables if table.id == "all-pairs").header).lower()
    columns = all(word in header for word in filtered)
    return [
        Read("h2", "Every pair {#pairs}"),
        Read("label", so(columns, f"Filter by any words: {', '.join(filtered)}")),
        Read("p", ""),  # where the script says how many rows are shown
        Read("table", so(ordered == sorted(ordered), f"All {len(pairs())} pairs, in the order of the released summary. ")
             + rounds.notice()),
    ]  # fmt: skip


def referenced() -> dict:
    """Return the entry of the record for the checker's file."""
    return next(one for one in rounds.acquired()["referenced"] if one["role"] == "accuracy targets and latency limits")


def results() -> dict:
    """Return the entry of the record for the released summary."""
    return next(one for one in rounds.acquired()["files"] if one["path"] == "summary.csv")


def sources() -> list:
    """Return what is said of sources, licence and checks."""
    return [
        Read("h2", "Sources, licence, and how to check {#sources}"),
        Read("p", where_from()),
        Read("p", no_id()),
        Read("p", how_had()),
        Read(
            "p", Known("To make every digit again, offline,", "2c00470f228b1358", "what the commands below it are for")
        ),
        Read("pre", COMMANDS),
        Read(
            "p",
            Known(
                "The first proves that the files are those",
                "0e79232c4fbb5269",
                "what each command proves, and what it cannot",
            ),
        ),
        Read(
            "p",
            Known("The same computation, step by step", "84d9c51115e0ab49", "where the notebook and the figures are"),
        ),
        Read("p", NOTICE),
    ]


def where_from() -> str:
    """Return where the results and the limits come from."""
    checker, licence = referenced(), "sources/LICENSE-MLCommons.md"
    text = (released.PROJECT / licence).read_text("utf-8")
    return joined(
        f"Results: {results()['repository']} at commit {results()['commit']}, retrieved {rounds.acquired()['acquired']}.",
        f"Accuracy targets and latency limits: figures of {checker['path']} in {checker['repository']}, referenced at "
        f"{checker['commit']}, written down for this bundle; the acquisition record says from which version, and how far that is "
        "known to agree with the referenced one.",
        so("Apache License" in text and "Version 2.0" in text, "The upstream data and logs are (c) MLCommons and the submitters, "
           f"Apache License, Version 2.0; the licence is in {licence}."),
        f"The benchmark’s repository asks to cite {PAPER}.",
    )  # fmt: skip


def no_id() -> str:
    """Return how results are named."""
    (field,) = [name for name in released.fields() if name.lower().endswith("id")]
    empty = not number(f"SELECT count(*) FROM summary WHERE {field} NOT IN ('', 'None')")
    return joined(
        "MLCommons numbers the results that it publishes.",
        so(empty, f"The released summary holds no such number: its one field for an id, {field}, is empty in all {len(rows())} "
           "rows."),
        "So a result is named here by its row in the summary, counted from zero, with its submitter, platform, model and "
        "scenario.",
    )  # fmt: skip


def how_had() -> str:
    """Return how many upstream files were had in which way."""
    ways = printed.had()
    rates = not any(logs.status(one).startswith("failed") for one in released.eligible())
    return joined(
        f"Of {sum(ways.values())} upstream files in the bundle, {ways['sha256-published']} has a SHA-256 that was published "
        f"independently, {ways['reserialized']} was made again from it and compared in part, and",
        so(rates, f"{ways['fork-copy']} were copied from a fork and agree with the summary in their rates; their digests are "
           "those of the copies."),
        "provenance.json says which is which, and acquire.py compares all of them with the commit, given network access or a "
        "clone.",
    )  # fmt: skip


def links(below: list) -> list:
    """Return where the words lead that are links, in the order of the page, by the headings among its blocks."""
    tree, checker = f"{results()['repository']}/tree/{results()['commit']}", referenced()
    targets = [
        ("#main", "Skip to the text"), (PAPER_LINK, "Reddi et al., 2019"),
        *((f"#{name}", text) for text, name in headings(below)),
        (PAPER_LINK, PAPER), ("#sources", "sources"), ("#anomalies", "what is odd in the logs"),
        ("results.json", "results.json"), ("data/claims.json", "data/claims.json"), (tree, results()["repository"]),
        (f"{checker['repository']}/tree/{checker['commit']}", checker["repository"]), (PAPER_LINK, PAPER),
        ("analysis.ipynb", "analysis.ipynb"), ("results.json", "results.json"),
    ]  # fmt: skip
    return [Read("link", f"{text} -> {target}") for target, text in targets]


def article() -> list:
    """Return all blocks of the article: what stands above the contents, these, the sections, and the links."""
    parts = (
        article_words.scenarios, article_words.matching, coverage_words.highlighted, coverage_words.coverage,
        coverage_words.above, coverage_words.limits, spread_words.within, spread_words.every_pair_not_four, headroom, claims, anomalies, other_rounds,
        every_pair, sources,
    )  # fmt: skip
    below = [block for part in parts for block in part()]
    contents = [Read("li", text) for text, _ in headings(below)]
    heard = [Read("heard", "Contents"), *(Read("heard", one.text) for one in below if one.kind == "figcaption")]
    return [*article_words.opening(), *contents, *below, *links(below), *heard]
