#!/usr/bin/env python3
"""Make the whole bundle again, in order, from data/ and sources/; say what each step made and whether it changed.

With --check nothing is written: each step is made from the files that are there and compared with them; exits 1 if
anything would change.
"""

from __future__ import annotations

import time
from pathlib import Path

import analyze
import build_archive
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
import validate
from scenario_ratio import bundle, cli
from scenario_ratio.files import read_bytes
from scenario_ratio.problems import BundleError, Problem, raise_if_any
from scenario_ratio.show import report
from scenario_ratio.study import results as results_file

# What a step is called, and the function of (root, output) that returns the bytes of its files.
STEPS = (
    ("analyze.py", analyze.outputs),
    ("make_plot.py", make_plot.outputs),
    ("make_distribution.py", make_distribution.outputs),
    ("make_headroom.py", make_headroom.outputs),
    ("build_article.py", build_article.outputs),
    ("build_readme.py", build_readme.outputs),
    ("build_notebook.py, execute_notebook.py", execute_notebook.rebuilt),
    ("build_provenance.py", build_provenance.outputs),
    ("validate.py", validate.outputs),
    ("build_crate.py", build_crate.outputs),
    ("build_sums.py", build_sums.outputs),
    ("build_archive.py", build_archive.outputs),
    ("build_notebook_page.py", build_notebook_page.outputs),
)


def reproduce(root: Path, output: Path, check: bool) -> list[Problem]:
    """Run every step on the inputs of ``root`` and the derived files of ``output``, and write what it made there.

    Prints a line for each step: its number, its scripts, the seconds it took, and what became of each file. Stops
    at the first failure with its BundleError. With ``check`` writes nothing and returns what would change.
    """
    problems: list[Problem] = []
    made: dict[str, bytes] = {}
    for number, (scripts, outputs) in enumerate(STEPS, 1):
        started = time.perf_counter()
        try:
            # what was just made is compared, and not made a second time
            files = outputs(root, output, made) if outputs is validate.outputs else outputs(root, output)
        except BundleError as error:
            raise BundleError(*problems, *error.problems) from None
        made.update(files)
        outcomes = {name: _outcome(output, name, raw) for name, raw in files.items()}
        if check:
            problems += _would_change(outcomes)
        else:
            cli.write(output, files)
        told = ", ".join(f"{name} {outcome}" for name, outcome in outcomes.items())
        print(f"{number:2}/{len(STEPS)}  {time.perf_counter() - started:5.2f} s  {scripts}: {told}", flush=True)
    return problems


def _outcome(output: Path, name: str, raw: bytes) -> str:
    """Return whether a file of ``output`` is 'unchanged', 'changed' or 'new' against the bytes just made."""
    try:
        return "unchanged" if read_bytes(output, name) == raw else "changed"
    except BundleError:
        return "new"


def _would_change(outcomes: dict[str, str]) -> list[Problem]:
    """Return a problem for each file that would change; what is made on demand may be absent."""
    found = {"new": "no such file", "changed": "other bytes"}
    hint = "Run reproduce.py to write it again."
    return [
        Problem(name, found=found[outcome], expected="the bytes just made", hint=hint)
        for name, outcome in outcomes.items()
        if outcome in found and not (outcome == "new" and name in bundle.LAST)
    ]


def main() -> None:
    """Reproduce the bundle, or with --check compare it, and say what was found."""
    arguments = cli.parser(__doc__)
    arguments.add_argument("--check", action="store_true", help="write nothing; exit 1 if anything would change")
    options = arguments.parse_args()
    root, output = cli.folders(options)
    problems = reproduce(root, output, options.check)
    if problems:  # what changed them may be a file that the sums know, or one too many
        problems += build_sums.problems(root, output)
    raise_if_any(problems)
    print(report.found(results_file.load(output)))
    if options.check:
        print("nothing would change")


if __name__ == "__main__":
    cli.run(main)
