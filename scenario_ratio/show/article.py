"""Write article.html from results.json and the figures: what was computed, for a reader with five minutes."""

from __future__ import annotations

from scenario_ratio import wording
from scenario_ratio.bundle import Bundle
from scenario_ratio.files import decode
from scenario_ratio.pinned import README, TITLE
from scenario_ratio.problems import BundleError, Problem
from scenario_ratio.show import page
from scenario_ratio.show.markup import Markup, element, joined
from scenario_ratio.show.sections import analyses, coverage, evidence, opening
from scenario_ratio.study import results as results_file

ARTICLE = "article.html"

FIGURES = ("scenario-ratios.svg", "ratio-distribution.svg", "latency-headroom.svg")


def build(results: dict, figures: dict[str, bytes]) -> bytes:
    """Return the article as HTML bytes; every number in it is drawn from ``results``."""
    sections = [
        *opening.scenarios(),
        *opening.matching(results),
        *evidence.highlighted(results, figures["scenario-ratios.svg"]),
        *coverage.coverage(results),
        *coverage.above_one(results),
        *coverage.limits(),
        *analyses.distribution(results, figures["ratio-distribution.svg"]),
        *analyses.headroom(results, figures["latency-headroom.svg"]),
        *analyses.claims(results),
        *analyses.anomalies(results),
        *analyses.rounds(results),
        *coverage.all_pairs(results),
        *coverage.sources(results),
    ]
    body = joined(
        [
            element("header", Markup("\n"), joined(opening.header(TITLE, results)), Markup("\n")),
            opening.contents(sections),
            element("main", Markup("\n"), joined(sections), Markup("\n"), id="main"),
            element("footer", Markup("\n"), element("p", wording.TRADEMARK, class_="note"), Markup("\n")),
        ]
    )
    description = (
        f"Server rate over Offline rate for every matched pair of {wording.BENCHMARK} Inference {results['round']}."
    )
    return page.document(TITLE, description, body, scripts=("table.js",))


def make_article(bundle: Bundle) -> bytes:
    """Return article.html."""
    figures = {name: bundle.read(name) for name in FIGURES}
    for name, raw in figures.items():
        decode(raw, name)  # for its checks alone
    return build(bundle.once(results_file.load), figures)


START, END = "<!-- results: written by build_article.py -->", "<!-- end of results -->"
HEADINGS = "| model | submitter | platform | rows | Offline, tokens/s | Server, tokens/s | Server/Offline |"
RULE = "| --- | --- | --- | --- | ---: | ---: | ---: |"


def table(results: dict) -> str:
    """Return the highlighted pairs as a Markdown table, with the attribution under it."""
    groups, pairs = results["highlighted"], {pair["offline_id"]: pair for pair in results["pairs"]}
    lines = [HEADINGS, RULE]
    for row_id in groups["same_system"]["offline_ids"] + groups["apart"]["offline_ids"]:
        pair = pairs[row_id]
        cells = [
            pair["model"],
            pair["submitter"],
            pair["platform"],
            f"{row_id}/{pair['server_id']}",
            wording.rate(pair["offline_tokens_per_s"]),
            wording.rate(pair["server_tokens_per_s"]),
            wording.percent(pair["ratio"]),
        ]
        lines.append(f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |")
    return "\n".join([START, *lines, "", wording.attribution(results), END])


def quoted(readme: str) -> str:
    """Return the part of a README that quotes results, marks included; raises BundleError if the marks are not there."""
    start, end = readme.find(START), readme.find(END)
    if not 0 <= start < end:
        raise BundleError(Problem(README, found="no place for the results", expected=f"the lines {START} and {END}"))
    return readme[start : end + len(END)]


def make_readme(bundle: Bundle) -> bytes:
    """Return README.md of the root with its results table filled."""
    readme = decode(bundle.source(README), README)
    return readme.replace(quoted(readme), table(bundle.once(results_file.load))).encode("utf-8")
