"""The other side of the benchmark: the same work as a user of pandas would write it, column by column.

It reads both summaries of a folder, compares every cell with its twin, keeps the eligible rows and pairs them on
the 27 metadata fields. It shares no code with the bundle.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pandas as pd

INTEGERS = [
    "number_of_nodes", "host_processors_per_node", "accelerators_per_node", "total_accelerators", "errors", "inferred",
]  # fmt: skip
MISSING = {"accelerator_model_name": ["N/A"], "notes": ["", "N/A"], "design_power_watts": ["None"], "PrivateID": [""]}
NOT_MATCHED = ["Scenario", "Result", "Accuracy", "Location"]


def cross_check(csv: pd.DataFrame, snapshot: pd.DataFrame) -> None:
    """Stop if the columns, the number of rows or any cell of the two tables differ."""
    if list(csv.columns) != list(snapshot.columns) or list(snapshot.index) != [str(n) for n in range(len(csv))]:
        sys.exit("the columns or the ids differ")
    for field in csv.columns:
        text, value = csv[field], snapshot[field].reset_index(drop=True)
        missing = text.isin(MISSING.get(field, []))
        if field in INTEGERS:
            same = text.astype("int64") == value
        elif field == "has_power":
            same = text.map({"True": True, "False": False}) == value
        elif field == "Result":
            same = text.astype("float64").round(10) == value
        else:
            same = text == value
        wrong = ~same.where(~missing, value.isna()).astype(bool)
        if wrong.any():
            sys.exit(f"row {wrong.idxmax()}: {field} differs")


def main(folder: Path) -> None:
    """Print the counts that both sides of the benchmark must agree on."""
    csv = pd.read_csv(folder / "summary.csv", dtype=str, keep_default_na=False)
    with open(folder / "summary.json", encoding="utf-8") as stream:
        rows = json.load(stream)
    snapshot = pd.DataFrame(list(rows.values()), index=list(rows))  # read_json(orient="index") takes longer and more
    del rows
    cross_check(csv, snapshot)
    eligible = csv[
        (csv["Division"] == "closed")
        & (csv["Availability"] == "available")
        & (csv["SystemType"] == "datacenter")
        & (csv["inferred"] == "0")
        & (csv["errors"] == "0")
        & (csv["has_power"] == "False")
        & (csv["design_power_watts"] == "None")
        & (csv["Units"] == "Tokens/s")
        & csv["Scenario"].isin(["Offline", "Server"])
    ]
    key = [field for field in csv.columns if field not in NOT_MATCHED]
    if eligible.duplicated([*key, "Scenario"]).any():
        sys.exit("two rows of one scenario share a key")
    offline, server = (eligible[eligible["Scenario"] == scenario] for scenario in ("Offline", "Server"))
    pairs = offline.merge(server, on=key, suffixes=("_offline", "_server"))
    ratio = pairs["Result_server"].astype("float64") / pairs["Result_offline"].astype("float64")
    unmatched = len(eligible) - 2 * len(pairs)
    above = int((ratio > 1).sum())
    print(f"rows {len(csv)} eligible {len(eligible)} pairs {len(pairs)} unmatched {unmatched} above {above}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
