"""Change the code in one place at a time, and see whether a test notices; setup.cfg says how to run this.

The outcome is kept in qa/mutation.json. A reason written there beside a survivor is kept as long as it survives.
"""

from __future__ import annotations

import argparse
import configparser
import functools
import hashlib
import json
import multiprocessing.pool
import os
import sys
import tempfile
from importlib.metadata import version

from tests.mutants import ROOT, Survivor, changes_of, prepare, reach, tried

RECORD = ROOT / "qa" / "mutation.json"
LEAST_PERCENT = 95


def settings() -> configparser.SectionProxy:
    """Return what setup.cfg says of the mutation run."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    return config["mutmut"]


def modules() -> list[str]:
    """Return the names of the files that are changed."""
    patterns = settings()["paths_to_mutate"].split(",")
    return sorted(path.relative_to(ROOT).as_posix() for pattern in patterns for path in ROOT.glob(pattern.strip()))


def test_files() -> list[str]:
    """Return the names of the test modules that are run."""
    left_out = settings()["tests_left_out"].split()
    return sorted(path.stem for path in ROOT.glob("tests/test_*.py") if path.stem not in left_out)


def read_record() -> dict:
    """Return qa/mutation.json, or an empty record."""
    if RECORD.is_file():
        return json.loads(RECORD.read_text(encoding="utf-8"))
    return {"modules": {}, "survivors": []}


def record_of(old: dict, found: dict[str, list]) -> dict:
    """Return the record ``old`` with the outcomes of the modules in ``found``, and the reasons that still apply."""
    reasons = {tuple(entry[key] for key in Survivor._fields[:4]): entry["reason"] for entry in old["survivors"]}
    counts = {name: facts for name, facts in old["modules"].items() if (ROOT / name).is_file()}
    kept = [
        Survivor(**entry) for entry in old["survivors"] if entry["module"] in counts and entry["module"] not in found
    ]
    for module, outcomes in found.items():
        survivors = [change for noticed, change in outcomes if not noticed]
        kept += [change._replace(reason=reasons.get(change[:4], "")) for change in survivors]
        killed = len(outcomes) - len(survivors)
        digest = hashlib.sha256((ROOT / module).read_bytes()).hexdigest()
        counts[module] = {"mutants": len(outcomes), "killed": killed, "survived": len(survivors), "sha256": digest}
    total = {key: sum(facts[key] for facts in counts.values()) for key in ("mutants", "killed", "survived")}
    return {
        "tool": f"mutmut {version('mutmut')}",
        "python": "%d.%d" % sys.version_info[:2],
        "total": {**total, "killed_percent": f"{100 * total['killed'] / total['mutants']:.2f}"},
        "modules": dict(sorted(counts.items())),
        "survivors": [change._asdict() for change in sorted(kept)],
    }


def workers(processes: int, folder: str) -> multiprocessing.pool.Pool:
    """Return processes that each have a copy of the repository below ``folder``."""
    return multiprocessing.get_context("fork").Pool(processes, prepare, (folder,))


def main() -> int:
    """Try every change of the modules that are named, or of all; write qa/mutation.json."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("modules", nargs="*", default=modules(), help="such as analyze.py (default: all)")
    arguments.add_argument("--processes", type=int, default=os.cpu_count())
    options = arguments.parse_args()
    record = read_record()
    with tempfile.TemporaryDirectory() as folder, workers(options.processes, folder) as pool:
        known = dict(pool.imap_unordered(reach, test_files()))
        failing = sorted(name for name, facts in known.items() if not facts["passed"])
        if failing:
            print(f"these fail without any change: {', '.join(failing)}", file=sys.stderr)
            return 1
        for module in options.modules:
            outcomes = pool.imap(functools.partial(tried, known=known), changes_of(module))
            record = record_of(record, {module: [outcome for outcome in outcomes if outcome is not None]})
            RECORD.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
            print("{}: {mutants} mutants, {survived} survived".format(module, **record["modules"][module]), flush=True)
    for entry in record["survivors"]:
        if not entry["reason"]:
            print("{module}, {place}: {before}\n    -> {after}".format(**entry))
    enough = float(record["total"]["killed_percent"]) >= LEAST_PERCENT
    return 0 if enough and all(entry["reason"] for entry in record["survivors"]) else 1


if __name__ == "__main__":
    sys.exit(main())
