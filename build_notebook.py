#!/usr/bin/env python3
"""Write analysis.ipynb, the notebook before it is run, from the cells in scenario_ratio/text/notebook.py.

execute_notebook.py does the same, and runs it.
"""

import sys

sys.pycache_prefix = __file__  # cached bytecode, which could have been planted, is not read
import scenario_ratio

scenario_ratio.from_source()

from scenario_ratio import cli
from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.files import write_atomically
from scenario_ratio.notebook import document
from scenario_ratio.pinned import NOTEBOOK


def main() -> None:
    """Write the notebook without outputs, and say what became of it."""
    bundle = cli.opened(cli.parser(__doc__).parse_args(), ARTIFACTS)
    write_atomically(bundle.output, NOTEBOOK, document.to_bytes(document.new(bundle)))
    print(f"{NOTEBOOK}: built, not run")


if __name__ == "__main__":
    cli.run(main)
