#!/usr/bin/env python3
"""Write article.html from results.json and the figures: what was computed, for a reader with five minutes."""

from __future__ import annotations

from pathlib import Path

from scenario_ratio import cli, wording
from scenario_ratio.files import decode, read_bytes
from scenario_ratio.pinned import TITLE
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


def outputs(root: Path, output: Path) -> dict[str, bytes]:
    """Return name -> bytes of what this script writes; reads results.json and the figures of ``output``."""
    figures = {name: read_bytes(output, name) for name in FIGURES}
    for name, raw in figures.items():
        decode(raw, name)  # for its checks alone
    return {ARTICLE: build(results_file.load(output), figures)}


if __name__ == "__main__":
    cli.run(lambda: cli.produce(__doc__, outputs))
