"""The article's first screen, what the two scenarios are, and how rows were matched."""

from __future__ import annotations

import re

from scenario_ratio import wording
from scenario_ratio.show.markup import Markup, element, escape, joined
from scenario_ratio.show.page import bullets, fill, paragraph, section


def header(title: str, results: dict) -> list[Markup]:
    """Return the question and the answer."""
    counts, same = results["counts"], results["highlighted"]["same_system"]
    pairs = {pair["offline_id"]: pair for pair in results["pairs"]}
    told = [pairs[row_id] for row_id in same["offline_ids"]]
    ratios = [
        f"{wording.percent(pair['ratio'])}{'' if position else ' of the Offline rate'} for {pair['model']}"
        for position, pair in enumerate(told)
    ]
    widest = results["highlighted"]["same_parts"][told[0]["model"]]
    return [
        element("h1", title),
        element("p", wording.attribution(results), class_="round"),
        paragraph(
            "Vendors quote the Offline number; production looks more like Server. How much does the number drop, for which workload, "
            "and can the claim be trusted?"
        ),
        element(
            "div",
            paragraph(
                "On one system, {submitter}’s {platform}, the Server rate is {ratios}: {spread} "
                "percentage points between the models, while nothing else in the metadata of these pairs differs.",
                submitter=told[0]["submitter"],
                platform=same["platform"],
                ratios=f"{', '.join(ratios[:-1])} and {ratios[-1]}",
                spread=wording.points(same["spread_percentage_points"]),
            ),
            paragraph(
                "Of all {pairs} pairs that match, {above} have Server above Offline. And {model} on the same accelerators, "
                "in {n} pairs, runs from {low} to {high}. A ratio read off one workload cannot be carried over to "
                "another, nor from one submission to the next.",
                pairs=wording.count(counts["complete_pairs"]),
                above=wording.count(counts["pairs_with_server_greater_than_offline"]),
                model=told[0]["model"],
                n=wording.count(widest["n"]),
                low=wording.percent(widest["minimum"]),
                high=wording.percent(widest["maximum"]),
            ),
            class_="answer",
        ),
    ]


def contents(sections: list[Markup]) -> Markup:
    """Return links to every section that has a heading."""
    headings = [re.fullmatch(r'<h2 id="([a-z-]+)">(.*)</h2>', part) for part in sections]
    links = [Markup(f'<a href="#{found[1]}">{found[2]}</a>') for found in headings if found]
    return element("nav", bullets(links), aria_label="Contents")


def scenarios() -> list[Markup]:
    """Return what Offline and Server are."""
    return section(
        "scenarios",
        "What Offline and Server are",
        paragraph(
            "Both scenarios send the same kind of requests to the same kind of system and count finished output tokens "
            "per second. They differ in how the requests arrive and in what is asked of each."
        ),
        bullets(
            [
                fill(
                    "<strong>Offline.</strong> All requests are there at the start, and the system may take them in any "
                    "order and in batches of any size. No single request has a deadline; only the total counts."
                ),
                fill(
                    "<strong>Server.</strong> Requests arrive one by one at random moments, at a rate that the submitter "
                    "chooses. The run is valid only if the 99th percentiles of two latencies are within limits: time to first "
                    "token (TTFT) and time per output token after it (TPOT). The limits belong to the model."
                ),
            ]
        ),
        paragraph(
            "The ratio in this article is one pair’s Server rate divided by its Offline rate. It says what the submitted "
            "Server result was in terms of the submitted Offline result, and no more."
        ),
    )


def matching(results: dict) -> list[Markup]:
    """Return how rows were made eligible and matched, and why so strictly."""
    counts = results["counts"]
    fields = joined([Markup(f"<code>{escape(field)}</code>") for field in results["matched_fields"]], ", ")
    return section(
        "matching",
        "How rows were matched, and why so strictly",
        paragraph(
            "The released summary has {rows} rows of {fields} fields: {closed} in the closed division, {open} in the open "
            "one. All {cells} cells of its CSV form were compared with its JSON form. The JSON here was made again from the "
            "CSV, so this finds damage to either file and no error made upstream. A row is eligible if it passes these "
            "rules, in this order, and is counted at the first that turns it away:",
            rows=wording.count(counts["source_rows"]),
            fields=wording.count(counts["source_fields"]),
            closed=wording.count(counts["closed_rows"]),
            open=wording.count(counts["open_rows"]),
            cells=wording.count(counts["cells_compared"]),
        ),
        bullets(_rules(results)),
        paragraph(
            "That leaves {eligible} rows, of the models {models}; other models report no tokens per second or were turned away "
            "before, and the Interactive scenario is not compared. An inferred row is one that the summary derives from "
            "another. Two eligible rows are a pair if one is Offline, the other is Server, and all "
            "{matched} metadata fields are equal, character for character: {names}. What may differ is the scenario, "
            "its result, its accuracy and the folder it is kept in.",
            eligible=wording.count(counts["eligible_rows"]),
            matched=wording.count(counts["matched_fields"]),
            names=fields,
            models=", ".join(results["distribution"]["by_model"]),
        ),
        paragraph(
            "Strict matching loses pairs that a reader might accept by eye, and that is its use: no judgement enters, "
            "so anyone gets the same pairs. Two spellings of a missing value do not match each other. A model label "
            "keeps its accuracy target, because a result at another target is another result. Two rows of one scenario "
            "with equal metadata would stop the computation; there are none."
        ),
    )


def _rules(results: dict) -> list[Markup]:
    """Return each eligibility rule with how many rows it turned away."""
    return [
        fill(
            "{rule}: <code>{field}</code> is {allowed} ({turned_away} turned away)",
            rule=exclusion["rule"],
            field=exclusion["field"],
            allowed=" or ".join(exclusion["allowed"]),
            turned_away=wording.count(exclusion["turned_away"]),
        )
        for exclusion in results["exclusions"]
    ]
