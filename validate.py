#!/usr/bin/env python3
"""Check the whole bundle: make every artifact again in memory and compare bytes, then check the numbers, links, form and notices of the texts.

Prints one line for each check and every failure in full; writes qa/offline-validation.json if all pass.
"""

import sys

sys.pycache_prefix = __file__  # cached bytecode, which could have been planted, is not read
import scenario_ratio

scenario_ratio.from_source()

from scenario_ratio import cli
from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.problems import gather, raise_if_any
from scenario_ratio.proof import validation


def main() -> None:
    """Validate the bundle, closing files included, and write the record."""
    bundle = cli.opened(cli.parser(__doc__).parse_args(), ARTIFACTS)
    told = [(f"{outcome.check} ({outcome.checked})", outcome.problems) for outcome in bundle.once(validation.checked)]
    closing = validation.closing(bundle)
    told.append(("every file of the bundle is listed in SHA256SUMS with its digest, and no other", closing))
    for line, found in told:
        print(f"{'FAIL' if found else 'ok':4}  {line}")
    _, problems = gather(validation.make_record, [bundle])
    raise_if_any(list(dict.fromkeys([*problems, *closing])))
    cli.write(bundle, __file__)


if __name__ == "__main__":
    cli.run(main)
