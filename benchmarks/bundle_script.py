"""The bundle's side of the benchmark: load, cross-check, filter and pair the two summaries of a folder."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scenario_ratio.study import pairing
from scenario_ratio.upstream import summary


def main(folder: Path) -> None:
    """Print the counts that both sides of the benchmark must agree on."""
    rows = summary.load((folder / "summary.csv").read_bytes(), (folder / "summary.json").read_bytes())
    eligible, _ = pairing.eligible(rows)
    pairs, unmatched = pairing.match(eligible)
    above = sum(pair.ratio > 1 for pair in pairs)
    print(f"rows {len(rows)} eligible {len(eligible)} pairs {len(pairs)} unmatched {len(unmatched)} above {above}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
