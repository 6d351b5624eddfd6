#!/usr/bin/env python3
"""Write article.html and the results table of README.md from results.json and the figures."""

import sys

sys.pycache_prefix = __file__  # cached bytecode, which could have been planted, is not read
import scenario_ratio

scenario_ratio.from_source()

from scenario_ratio import cli
from scenario_ratio.artifacts import ARTIFACTS

if __name__ == "__main__":
    cli.run(lambda: cli.produce(__doc__, ARTIFACTS, __file__))
