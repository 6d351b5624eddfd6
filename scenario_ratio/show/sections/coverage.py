"""All pairs, what was covered and what was not, what must not be read into the ratios, and how to check them."""

from __future__ import annotations

from scenario_ratio import wording
from scenario_ratio.show.markup import Markup, element
from scenario_ratio.show.page import bullets, fill, number, paragraph, section, table

PAIR_COLUMNS = ["Rows", "#Server/Offline", "Model", "Submitter", "Platform", "#Offline, tokens/s", "#Server, tokens/s"]


def all_pairs(results: dict) -> list[Markup]:
    """Return every pair as a table that can be sorted and filtered."""
    controls = element(
        "div",
        element("label", "Filter by any words: submitter, system, model, accelerator, row", for_="pair-filter-input"),
        Markup('<input type="search" id="pair-filter-input" autocomplete="off" spellcheck="false">'),
        element("p", role="status", class_="note"),
        class_="filter wide",
        id="pair-filter",
        hidden=True,
    )
    columns = [*PAIR_COLUMNS, "Accelerator", "#Accelerators", "System", "Logs"]
    caption = (
        f"All {wording.count(results['counts']['complete_pairs'])} pairs, in the order of the released summary. "
        f"{wording.attribution(results)}"
    )
    return section(
        "pairs",
        "Every pair",
        controls,
        table(
            "all-pairs",
            caption,
            columns,
            [_pair(pair) + _equipment(pair) for pair in results["pairs"]],
            filter_id="pair-filter",
        ),
    )


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
        pair["accelerator"] or "none",
        number(wording.count(pair["accelerators"]), pair["accelerators"]),
        pair["system"],
        " / ".join(dict.fromkeys((pair["offline_log"], pair["server_log"]))),
    ]


def coverage(results: dict) -> list[Markup]:
    """Return what was covered: rows, pairs, logs, and the rows that found no partner."""
    counts = results["counts"]
    alone = [
        fill(
            "Row {id}: {submitter}, {platform}, {model}, {scenario}, {rate} tokens/s. No row of the other scenario is equal "
            "to it in all {matched} fields, so it enters no ratio.",
            **{key: row[key] for key in ("id", "submitter", "platform", "model", "scenario")},
            rate=wording.rate(row["tokens_per_s"]),
            matched=wording.count(counts["matched_fields"]),
        )
        for row in results["unmatched"]
    ]
    return section(
        "coverage",
        "Coverage, and the row without a partner",
        paragraph(
            "{eligible} rows make {pairs} pairs and leave {alone} alone. The accuracy of all {eligible} was compared with its "
            "targets and upper limits, and every metric that is reported is within them; for {unreported} rows the checker has an upper "
            "limit on a metric that the summary does not report, and that limit could not be checked. Of their performance logs, {passed} are at hand and pass "
            "every check: valid, in performance mode, with the standard seeds and the minimum duration, in agreement with the "
            "summary’s rate, and for Server within both latency limits. A count of errors that a log prints is not one of these "
            'checks: {odd} of them print one, told under <a href="#anomalies">what is odd in the logs</a>. The other {absent} '
            "({whose}) could not be had; they are reported as not available, never as passed. Both logs are there for "
            "{both} pairs.",
            eligible=wording.count(counts["eligible_rows"]),
            pairs=wording.count(counts["complete_pairs"]),
            alone=wording.count(counts["unmatched_rows"]),
            passed=wording.count(counts["logs_passed"]),
            absent=wording.count(counts["logs_not_available"]),
            both=wording.count(counts["pairs_with_both_logs"]),
            odd=wording.count(counts["logs_with_errors"]),
            unreported=wording.count(counts["rows_with_an_unreported_limit"]),
            whose=", ".join(_submitters_without_logs(results)),
        ),
        bullets(alone) if alone else paragraph("Every eligible row has a partner."),
    )


def _submitters_without_logs(results: dict) -> list[str]:
    """Return whose rows have no log at hand, each submitter once."""
    absent = [pair for pair in results["pairs"] if "not available" in (pair["offline_log"], pair["server_log"])]
    return list(dict.fromkeys(pair["submitter"] for pair in absent))


def above_one(results: dict) -> list[Markup]:
    """Return what the pairs above 100% mean."""
    above = [pair for pair in results["pairs"] if pair["ratio"] > 1]
    return section(
        "above",
        "What a ratio above 100% means",
        paragraph(
            "In {above} pairs the submitted Server rate is higher than the submitted Offline rate. Each is a pair of two "
            "separate runs, each tuned and chosen by its submitter. It does not mean that deadlines make a system faster; "
            "it means that these two submitted runs stand in this order. Offline is often called an upper bound, and as a bound "
            "on submitted results it does not hold.",
            above=wording.count(results["counts"]["pairs_with_server_greater_than_offline"]),
        ),
        table(
            "above-pairs",
            f"The pairs with Server above Offline. {wording.UNVERIFIED}",
            PAIR_COLUMNS,
            [_pair(pair) for pair in above],
        ),
    )


def limits() -> list[Markup]:
    """Return what the ratios are not."""
    return section(
        "limits",
        "How far the numbers carry",
        bullets(
            [
                "These are results that submitters chose to submit, not an experiment in which one thing was changed. "
                "The ratio describes a pair; it does not isolate an effect of the scenario.",
                "Equal metadata does not mean equal serving configuration. Batch sizes, parallelism, scheduling and software "
                "settings may differ between the two runs of a pair, and the summary does not hold them.",
                "Each row is one run. The data hold no repeated runs, so there is no variance, and small differences between "
                "ratios have no known significance.",
                "The ratio is not a production latency, a cost or an energy. The latency limits are those of the benchmark, "
                "and the arrival process is its own.",
                "No row has measured power. Notes that name a TGP (total graphics power) state a configured limit of a part; they are not wall "
                "power, and nothing here is derived from them.",
                "The figure at the end of a model label names an accuracy target relative to a reference metric. "
                "It is not an accuracy.",
                "The tables list submitters as the data do. They are not a ranking: systems differ in size, parts, software "
                "and purpose.",
            ]
        ),
    )


def sources(results: dict) -> list[Markup]:
    """Return where everything comes from, under which licence, and how to check it."""
    source, checker = results["sources"]["results"], results["sources"]["checker"]
    grades = results["sources"]["files_by_grade"]
    return section(
        "sources",
        "Sources, licence, and how to check",
        paragraph(
            'Results: <a href="{repository}/tree/{commit}">{repository}</a> at commit <code>{commit}</code>, retrieved '
            "{retrieved}. Accuracy targets and latency limits: figures of <code>{path}</code> in "
            '<a href="{checker}/tree/{checker_commit}">{checker}</a>, referenced at <code>{checker_commit}</code>, written down '
            "for this bundle from the newest version that could be read; the acquisition record says which, and for which models "
            "they are known to agree with the referenced one. The upstream data and logs "
            "are (c) MLCommons and the submitters, Apache License, Version 2.0; the licence is in "
            "<code>sources/LICENSE-MLCommons.md</code>.",
            repository=source["repository"],
            commit=source["commit"],
            retrieved=results["sources"]["retrieved"],
            path=checker["path"],
            checker=checker["repository"],
            checker_commit=checker["commit"],
        ),
        paragraph(
            "Of {files} upstream files in the bundle, {published} has a SHA-256 that was published independently, {made} was "
            "made again from it and compared in part, and {copied} were copied from a fork and agree with the summary in "
            "their rates; their digests are those of the copies. <code>provenance.json</code> says which is which, and "
            "<code>acquire.py</code> compares all of them with the commit, given network access or a clone.",
            files=wording.count(results["sources"]["files_verified"]),
            published=wording.count(grades["sha256-published"]),
            made=wording.count(grades["reserialized"]),
            copied=wording.count(grades["fork-copy"]),
        ),
        paragraph(
            "To check every digit, offline, with nothing but Python, run these two commands in the bundle’s folder; the "
            "second changes nothing and fails if one byte would come out otherwise:"
        ),
        element("pre", element("code", "sha256sum -c --quiet SHA256SUMS\npython3 reproduce.py --check"), tabindex="0"),
        paragraph(
            'The same computation, step by step and with its outputs, is in <a href="analysis.ipynb">analysis.ipynb</a>; '
            'all figures are in <a href="results.json">results.json</a>.'
        ),
    )
