#!/usr/bin/env python3
"""Alter copies of the bundle some thousand times and write qa/alterations.json: how many cases, and that all were noticed.

Run it from the repository root: python3 -m tests.count_alterations. The tests do the same and compare the counts.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from scenario_ratio.files import json_bytes, write_atomically
from tests import alterations
from tests.support import ROOT

RECORD = "qa/alterations.json"


def record(against_sums: dict, against_remaking: dict) -> bytes:
    """Return the bytes of the record of a run in which every case was noticed; counts are class -> kind -> cases."""
    parts = {"with_the_digests_as_they_were": against_sums, "with_the_digests_made_again": against_remaking}
    totals = {part: sum(sum(kinds.values()) for kinds in counts.values()) for part, counts in parts.items()}
    return json_bytes(
        {
            "seed": alterations.SEED,
            "cases": sum(totals.values()),
            "unnoticed": 0,
            **{part: {"cases": totals[part], "by_class_and_kind": counts} for part, counts in parts.items()},
        }
    )


def main() -> int:
    """Count, and write the record if nothing went unnoticed; else print each case that did."""
    with tempfile.TemporaryDirectory() as folder:
        copy = alterations.Copy(Path(folder).resolve())
        (sums, unnoticed), (remaking, more) = alterations.against_sums(copy), alterations.against_remaking(copy)
    for line in unnoticed + more:
        print(line, file=sys.stderr)
    if not unnoticed + more:
        write_atomically(ROOT, RECORD, record(sums, remaking))
    return 1 if unnoticed + more else 0


if __name__ == "__main__":
    sys.exit(main())
