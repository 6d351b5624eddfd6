#!/usr/bin/env python3
"""Fill the results table of README.md from results.json; the rest of the README stays as it is written."""

from __future__ import annotations

from pathlib import Path

from scenario_ratio import cli, wording
from scenario_ratio.files import decode, read_bytes
from scenario_ratio.pinned import README
from scenario_ratio.problems import BundleError, Problem
from scenario_ratio.study import results as results_file

START, END = "<!-- results: written by build_readme.py -->", "<!-- end of results -->"
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


def outputs(root: Path, output: Path) -> dict[str, bytes]:
    """Return name -> bytes of what this script writes; reads README.md of ``root`` and results.json of ``output``."""
    readme = decode(read_bytes(root, README), README)
    return {README: readme.replace(quoted(readme), table(results_file.load(output))).encode("utf-8")}


if __name__ == "__main__":
    cli.run(lambda: cli.produce(__doc__, outputs))
