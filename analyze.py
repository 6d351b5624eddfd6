#!/usr/bin/env python3
"""Compute every Server/Offline ratio from the pinned summary and check every source.

Reads data/ and sources/; writes results.json and data/selected_rows.json. With --pair it shows pairs of
results.json instead, and writes nothing.
"""

import sys

sys.pycache_prefix = __file__  # cached bytecode, which could have been planted, is not read
import scenario_ratio

scenario_ratio.from_source()

from pathlib import Path

from scenario_ratio import cli, wording
from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import Bundle
from scenario_ratio.files import json_bytes
from scenario_ratio.show import terminal
from scenario_ratio.study import results
from scenario_ratio.study.analysis import compute


def analyze(root: Path) -> dict:
    """Return the whole computation over the bundle at ``root``: what results.json holds.

    Raises BundleError with every problem found; see study/analysis.py.
    """
    return compute(Bundle(root))[0]


def main() -> None:
    """Write results.json and data/selected_rows.json, and say what was found; or, with --pair, look pairs up."""
    arguments = cli.parser(__doc__)
    told = "write nothing; show the pairs of results.json that all these words match: parts of a submitter, system, "
    told += "platform, model or accelerator, or an id"
    arguments.add_argument("--pair", nargs="+", metavar="TEXT", help=told)
    arguments.add_argument("--json", action="store_true", help="with --pair: as JSON, for programs")
    options = arguments.parse_args()
    bundle = cli.opened(options, ARTIFACTS)
    if options.pair is not None:
        words = " ".join(options.pair).split() or arguments.error("--pair needs a word")
        found = bundle.once(results.load)
        pairs = terminal.find(found, words)
        if options.json:
            print(json_bytes({"attribution": wording.attribution(found), "pairs": pairs}).decode("utf-8"), end="")
        else:
            print(terminal.pairs_told(found, pairs))
        return
    if options.json:
        arguments.error("--json goes with --pair")
    cli.write(bundle, __file__)
    print(terminal.run_told(bundle.once(compute)[0]))


if __name__ == "__main__":
    cli.run(main)
