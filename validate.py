#!/usr/bin/env python3
"""Check the whole bundle: make every artifact again in memory and compare bytes, then check what the texts say.

Prints one line for each check and every failure in full; writes qa/offline-validation.json if all pass.
"""

import sys

sys.pycache_prefix = __file__  # cached bytecode, which could have been planted, is neither read nor written

from scenario_ratio import cli
from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.problems import BundleError, raise_if_any
from scenario_ratio.proof import validation


def main() -> None:
    """Validate the bundle, closing files included, and write the record."""
    bundle = cli.opened(cli.parser(__doc__).parse_args(), ARTIFACTS)
    for outcome in bundle.once(validation.checked):
        print(f"{'FAIL' if outcome.problems else 'ok':4}  {outcome.check} ({outcome.checked})")
    problems = []
    try:
        validation.make_record(bundle)
    except BundleError as error:
        problems += error.problems
    found = validation.closing(bundle)
    print(
        f"{'FAIL' if found else 'ok':4}  every file of the bundle is listed in SHA256SUMS with its digest, and no other"
    )
    raise_if_any(list(dict.fromkeys(problems + found)))
    cli.write(bundle, __file__)


if __name__ == "__main__":
    cli.run(main)
