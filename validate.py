#!/usr/bin/env python3
"""Check the whole bundle: make every artifact again in memory and compare bytes, then check what the texts say.

Prints one line for each check and every failure in full; writes qa/offline-validation.json if all pass.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import MappingProxyType
from typing import Callable, NamedTuple

import analyze
import build_article
import build_crate
import build_notebook_page
import build_provenance
import build_readme
import build_sums
import execute_notebook
import make_distribution
import make_headroom
import make_plot
from scenario_ratio import bundle, cli, wording
from scenario_ratio.files import canonical_json, decode, read_bytes, sha256
from scenario_ratio.notebook import document as notebook
from scenario_ratio.problems import BundleError, Problem, raise_if_any
from scenario_ratio.proof import reading
from scenario_ratio.study import results as results_file

RECORD = "qa/offline-validation.json"
STALE = "Run reproduce.py to write it again, or fetch the bundle again if you changed nothing."

MADE = (analyze, make_plot, make_distribution, make_headroom, build_article, build_readme, build_provenance)
FIGURES = ("scenario-ratios.svg", "ratio-distribution.svg", "latency-headroom.svg")
PAGES = ("article.html",)


class Check(NamedTuple):
    """A check: what it says when it passes, and the function that returns (how many things it checked, problems)."""

    name: str
    run: Callable[[Path, Path, dict], tuple[int, list[Problem]]]


def remade(root: Path, output: Path, made: dict) -> tuple[int, list[Problem]]:
    """Make every artifact but the notebook again and compare its bytes; one that is in ``made`` was just made."""
    files = {name: made[name] for name in made if name != notebook.NOTEBOOK}
    if not files:
        files = {name: raw for script in MADE for name, raw in script.outputs(root, output).items()}
    return len(files), _differences(files, output)


def executed(root: Path, output: Path, made: dict) -> tuple[int, list[Problem]]:
    """Build the notebook, run it, and compare it with the saved one, outputs included, unless it was just made."""
    cells = notebook.load(output)["cells"]
    files = {name: made[name] for name in made if name == notebook.NOTEBOOK} or execute_notebook.rebuilt(root, output)
    problems = _differences(files, output)
    return sum(cell["cell_type"] == "code" for cell in cells), problems


def _differences(files: dict[str, bytes], output: Path) -> list[Problem]:
    """Return which files of ``output`` are missing or have other bytes than those given."""
    problems = []
    for name, raw in files.items():
        try:
            found = read_bytes(output, name)
        except BundleError as error:
            problems += error.problems
            continue
        if found != raw:
            place = f"line {_first_difference(found, raw)}"
            problems.append(Problem(name, place, "", f"SHA-256 {sha256(found)}", sha256(raw), STALE))
    return problems


def _first_difference(found: bytes, expected: bytes) -> int:
    """Return the number of the first line in which two files differ."""
    pairs = zip(found.split(b"\n"), expected.split(b"\n"))
    return next((line for line, (a, b) in enumerate(pairs, 1) if a != b), found.count(b"\n") + 1)


def numbers(root: Path, output: Path, made: dict) -> tuple[int, list[Problem]]:
    """Check that every number people read is in results.json: article, figures, notebook prose, README table."""
    known = reading.spellings(results_file.load(output))
    texts = {name: reading.read_html(read_bytes(output, name), name)[0] for name in PAGES + FIGURES}
    prose = ["".join(cell["source"]) for cell in notebook.load(output)["cells"] if cell["cell_type"] == "markdown"]
    texts[notebook.NOTEBOOK] = "\n".join(prose)
    texts[build_readme.README] = build_readme.quoted(_readme(output))
    return len(texts), [
        problem for name, text in texts.items() for problem in reading.unknown_numbers(text, name, known)
    ]


def _readme(output: Path) -> str:
    return decode(read_bytes(output, build_readme.README), build_readme.README)


def _pages(output: Path) -> dict[str, bytes]:
    """Return the article, and the page of the notebook, which is made on demand, as it would be for an empty archive."""
    page = build_notebook_page.build(notebook.load(output), results_file.load(output), b"")
    return {**{name: read_bytes(output, name) for name in PAGES}, bundle.PAGE: page}


def form(root: Path, output: Path, made: dict) -> tuple[int, list[Problem]]:
    """Check that pages and figures are well formed and ask nothing of any server but, to run cells, their own."""
    problems = [problem for name in FIGURES for problem in reading.svg_problems(read_bytes(output, name), name)]
    pages = _pages(output)
    for name, raw in pages.items():
        problems += reading.read_html(raw, name)[3]
    return len(FIGURES) + len(pages), problems


def links(root: Path, output: Path, made: dict) -> tuple[int, list[Problem]]:
    """Check that every link of the pages and the README leads to an id, a file of the bundle, or https."""
    names = set(bundle.tracked_files(root, output)) | {RECORD, build_crate.CRATE, build_sums.SUMS, *bundle.LAST}
    problems, count = [], 0
    for name, raw in _pages(output).items():
        _, found, ids, _ = reading.read_html(raw, name)
        problems += reading.link_problems(found, ids, names, name)
        count += len(found)
    readme = _readme(output)
    found = re.findall(r"\]\(([^)\s]+)\)", readme)
    ids = [
        re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in readme.split("\n")
        if line.startswith("#")
    ]
    return count + len(found), problems + reading.link_problems(found, ids, names, build_readme.README)


def messages(root: Path, output: Path, made: dict) -> tuple[int, list[Problem]]:
    """Check that each page and figure carries the attribution, and each page the trademark notice."""
    line = wording.attribution(results_file.load(output))
    pages, problems = _pages(output), []
    shown = {**pages, **{name: read_bytes(output, name) for name in FIGURES}}
    for name, raw in shown.items():
        text = " ".join(reading.read_html(raw, name)[0].split())
        wanted = [line] + [wording.TRADEMARK] * (name in pages)
        problems += [
            Problem(name, found="no such words", expected=repr(words)) for words in wanted if words not in text
        ]
    return len(shown), problems


CHECKS = (
    Check("artifacts made again in memory are the bytes saved", remade),
    Check("notebook cells run again give the outputs saved", executed),
    Check("texts hold no number that results.json does not", numbers),
    Check("pages and figures are well formed and load nothing", form),
    Check("links inside the bundle lead somewhere", links),
    Check("results are shown with the words that the rules ask for", messages),
)


def validate(root: Path, output: Path, made: dict) -> list[dict]:
    """Run every check, print a line for each; return them with how many things each checked.

    ``made`` holds the artifacts, name -> bytes, if they were all made a moment ago, as reproduce.py does.

    Raises BundleError with the failures of all of them.
    """
    passed, problems = [], []
    for check in CHECKS:
        try:
            count, found = check.run(root, output, made)
        except BundleError as error:
            count, found = 0, list(error.problems)
        problems += found
        passed.append({"check": check.name, "checked": count})
        print(f"{'FAIL' if found else 'ok':4}  {check.name} ({count})")
    raise_if_any(list(dict.fromkeys(problems)))
    return passed


def outputs(root: Path, output: Path, made: dict = MappingProxyType({})) -> dict[str, bytes]:
    """Return name -> bytes of the record of a validation in which every check passed; raises BundleError otherwise."""
    return {RECORD: canonical_json({"all_passed": True, "checks": validate(root, output, made)})}


def closing(root: Path, output: Path) -> list[Problem]:
    """Return what is wrong with the files that close the bundle: SHA256SUMS over everything, and the crate."""
    problems = build_sums.problems(root, output)
    try:
        files = {**build_crate.outputs(root, output), **build_sums.outputs(root, output)}
        if (output / bundle.PAGE).exists():  # it is made on demand, and on no list
            files.update(build_notebook_page.outputs(root, output))
    except BundleError as error:  # a broken record must not hide what the digests say of other files
        return problems + list(error.problems)
    return problems + _differences(files, output)


def main() -> None:
    """Validate the bundle, closing files included, and write the record."""
    root, output = cli.folders(cli.parser(__doc__).parse_args())
    problems: list[Problem] = []
    record: dict[str, bytes] = {}
    try:
        record = outputs(root, output)
    except BundleError as error:
        problems += error.problems
    found = closing(root, output)
    print(
        f"{'FAIL' if found else 'ok':4}  every file of the bundle is listed in SHA256SUMS with its digest, and no other"
    )
    raise_if_any(list(dict.fromkeys(problems + found)))
    cli.write(output, record)


if __name__ == "__main__":
    cli.run(main)
