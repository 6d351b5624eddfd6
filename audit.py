#!/usr/bin/env python3
"""Audit rounds from clones of their results repositories: the bundle's rules, pairs and checks, every log.

A clone is a Git work tree or an unpacked archive that holds, at its top, summary.csv and summary.json, or
summary_results.json. Whatever is wrong is told in a line each and the rest goes on; exits 1 then.
"""

from __future__ import annotations

import sys

sys.pycache_prefix = __file__  # cached bytecode, which could have been planted, is not read
import scenario_ratio

scenario_ratio.from_source()

import argparse
import os
import re
from functools import partial
from pathlib import Path

from scenario_ratio import cli, pinned
from scenario_ratio.files import json_bytes, read_bytes, write_atomically
from scenario_ratio.problems import BundleError, Problem, raise_if_any
from scenario_ratio.show import terminal
from scenario_ratio.show.figures import rounds as rounds_figure
from scenario_ratio.study import rounds

SOURCE = re.compile(r"(https://[!-?A-~]+)@([0-9a-f]{40})", re.ASCII)


def audit_all(options: argparse.Namespace) -> tuple[list[dict], list[Problem]]:
    """Return what was found in each clone that has a readable summary, and everything that is wrong, clone by clone."""
    checkers, audits, problems = {pinned.CONSTANTS: read_bytes(options.root, pinned.CONSTANTS)}, [], []
    if given := options.checker_constants:  # before the bundle's own
        checkers = {given.name: read_bytes(given.parent, given.name), **checkers}
    for clone, source in zip(options.clones, stated_sources(options)):
        label = os.fspath(clone)
        tell = partial(print, f"{label}:", file=sys.stderr, flush=True)
        try:
            audited, wrong = rounds.audit(clone, checkers, source, tell)
            audits.append(audited)
        except BundleError as error:
            wrong = error.problems
        for problem in wrong:
            if problem.file == ".":
                problem = problem._replace(file=label)
            elif problem.file not in checkers:
                # What a clone lacks is what was to be found out, so it ends the script with 1, not 2.
                problem = problem._replace(file=f"{label}/{problem.file}", missing=False)
            problems.append(problem)
    return audits, problems


def stated_sources(options: argparse.Namespace) -> list[dict | None]:
    """Return each clone's repository and commit as stated with --source, or None for each; raises BundleError."""
    stated = options.source or []
    if not stated and not options.rounds:
        return [None] * len(options.clones)
    form = "REPOSITORY@COMMIT with https:// and 40 digits"
    wrong = [(repr(text), form) for text in stated if not SOURCE.fullmatch(text)]
    if len(stated) != len(options.clones):
        wrong.append((f"{len(stated)} sources", f"one for each of {len(options.clones)} clones, in their order"))
    raise_if_any([Problem("--source", found=found, expected=expected, missing=True) for found, expected in wrong])
    return [dict(zip(("repository", "commit"), SOURCE.fullmatch(text).groups())) for text in stated]


def write(options: argparse.Namespace, audits: list[dict]) -> list[Problem]:
    """Write the files that were asked for, or return why not: with a clone missing, they would not be what was asked for."""
    kept = [rounds.entry(audited) for audited in audits]
    wanted = ((options.svg, lambda: rounds_figure.draw(kept)), (options.rounds, lambda: json_bytes({"rounds": kept})))
    asked = [(path, content) for path, content in wanted if path]
    if len(audits) < len(options.clones):
        return [Problem(os.fspath(path), found="not written", expected="a summary in every clone") for path, _ in asked]
    for path, content in asked:
        write_atomically(path.parent, path.name, content())
    return []


def parsed(arguments: list[str] | None = None) -> argparse.Namespace:
    """Return the parsed command line."""
    parser = cli.parser(__doc__, output=False)
    parser.add_argument("clones", metavar="CLONE", nargs="+", type=Path, help="the folder of a results repository")
    file = {"metavar": "FILE", "type": Path}
    told = f"the submission checker's constants for the rounds of the clones (default: the bundle's, of {pinned.ROUND})"
    parser.add_argument("--checker-constants", **file, help=told)
    told = "what a clone is of, once for each clone, in their order"
    parser.add_argument("--source", metavar="REPOSITORY@COMMIT", action="append", help=told)
    told = "print the findings as JSON: an array, in the order of the clones"
    parser.add_argument("--json", action="store_true", help=told)
    parser.add_argument("--svg", **file, help="draw the models' ranges of ratios, rounds side by side")
    parser.add_argument("--rounds", **file, help="write counts and figures by model, as data/rounds.json")
    return parser.parse_args(arguments)


def main() -> None:
    """Audit the clones, print what was found, write what was asked for, and then tell what is wrong."""
    options = parsed()
    audits, problems = audit_all(options)
    if options.json and audits:
        sys.stdout.buffer.write(json_bytes(audits))
    elif audits:
        print(terminal.audits_told(audits))
    problems += write(options, audits)
    raise_if_any(problems)


if __name__ == "__main__":
    cli.run(main)
