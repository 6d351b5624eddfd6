#!/usr/bin/env python3
"""Make the whole bundle again, in order, from data/ and sources/; say what each step wrote and whether it changed.

With --check nothing in the bundle is written: it is made in a temporary folder and compared; exits 1 if anything differs.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import analyze
import make_plot
from scenario_ratio import cli, report
from scenario_ratio import results as results_file
from scenario_ratio.files import BundleError, Problem, raise_if_any, read_bytes

STEPS = (analyze, make_plot)


def reproduce(root: Path, output: Path) -> list[str]:
    """Run every step on the inputs of ``root``, writing to ``output``; return the names of the files made, in order.

    Prints a line for each step: its number, its script, the seconds it took, what it wrote. Stops at the first
    failure with its BundleError.
    """
    made = []
    for number, script in enumerate(STEPS, 1):
        started = time.perf_counter()
        outcomes = cli.write(output, script.outputs(root, output))
        seconds = time.perf_counter() - started
        wrote = ", ".join(f"{name} {outcome}" for name, outcome in outcomes.items())
        print(f"{number}/{len(STEPS)} {script.__name__}.py  {seconds:.2f} s  {wrote}", flush=True)
        made += outcomes
    return made


def differences(root: Path, output: Path, names: list[str]) -> list[Problem]:
    """Return which of the files of ``root`` are not the bytes just made in ``output``."""
    problems = []
    hint = "Run reproduce.py to write it again."
    for name in names:
        try:
            same = read_bytes(root, name) == read_bytes(output, name)
        except BundleError as error:
            problems += error.problems
            continue
        if not same:
            problems.append(Problem(name, found="other bytes", expected="the bytes just made", hint=hint))
    return problems


def main() -> None:
    """Reproduce the bundle, or with --check compare it, and say what was found."""
    arguments = cli.parser(__doc__)
    arguments.add_argument(
        "--check", action="store_true", help="write nothing to the bundle; exit 1 if anything would change"
    )
    options = arguments.parse_args()
    root, output = cli.folders(options)
    if not options.check:
        reproduce(root, output)
        print(report.found(results_file.load(output)))
        return
    with tempfile.TemporaryDirectory() as folder:
        raise_if_any(differences(output, Path(folder), reproduce(root, Path(folder))))
    print("nothing would change")


if __name__ == "__main__":
    cli.run(main)
