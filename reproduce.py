#!/usr/bin/env python3
"""Make the whole bundle again, in order, from data/ and sources/; say what each script made and whether it changed.

With --check nothing is written: all is made from the files that are there and compared with them; exits 1 if
anything would change.
"""

import sys

sys.pycache_prefix = __file__  # cached bytecode, which could have been planted, is not read
import scenario_ratio

scenario_ratio.from_source()

import itertools
import time

from scenario_ratio import cli, wording
from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import ON_DEMAND, Bundle
from scenario_ratio.problems import BundleError, Problem, raise_if_any
from scenario_ratio.proof import packing
from scenario_ratio.show import terminal
from scenario_ratio.study import results

WOULD_CHANGE = {"new": "no such file", "changed": "other bytes"}
HINT = "Run reproduce.py to write it again."


def reproduce(bundle: Bundle, check: bool) -> list[Problem]:
    """Make every artifact, script by script, and write it.

    Prints a line for each script: its number, the seconds it took, and what became of each file. Stops at the first
    that fails with its BundleError. With ``check`` writes nothing and returns what would change; what is made on demand may be absent.
    """
    steps = [(script, list(rows)) for script, rows in itertools.groupby(bundle.artifacts, lambda row: row.script)]
    problems: list[Problem] = []
    for number, (script, rows) in enumerate(steps, 1):
        started = time.perf_counter()
        try:
            for row in rows:  # all of a script's files are made before one of them is written
                bundle.made(row)
            outcomes = {row: bundle.outcome(row) if check else bundle.write(row) for row in rows}
        except BundleError as error:
            raise BundleError(*problems, *error.problems) from None
        problems += [
            Problem(row.name, found=WOULD_CHANGE[outcome], expected="the bytes just made", hint=HINT)
            for row, outcome in outcomes.items()
            if check and outcome in WOULD_CHANGE and not (outcome == "new" and row.kind in ON_DEMAND)
        ]
        told = wording.listed(f"{row.name} {outcome}" for row, outcome in outcomes.items())
        print(f"{number}/{len(steps)}  {time.perf_counter() - started:5.2f} s  {script}: {told}", flush=True)
    return problems


def main() -> None:
    """Reproduce the bundle, or with --check compare it, and say what was found."""
    arguments = cli.parser(__doc__)
    arguments.add_argument("--check", action="store_true", help="write nothing; exit 1 if anything would change")
    options = arguments.parse_args()
    bundle = cli.opened(options, ARTIFACTS)
    problems = reproduce(bundle, options.check)
    if problems:  # what changed them may be a file that the sums know, or one too many
        problems += packing.sums_problems(bundle)
    raise_if_any(problems)
    print(terminal.run_told(bundle.once(results.load)))
    if options.check:
        print("nothing would change")


if __name__ == "__main__":
    cli.run(main)
