"""Change the code in one place at a time, and see whether a test notices; setup.cfg says how to run this.

The outcome is kept in qa/mutation.json, under "tests"; with --meaning, which makes the outputs again with each change and
asks those tests alone that read them, under "meaning". A reason written there beside a survivor is kept as long as it
survives. A module is passed over if the record is of its code as it is, so that a run that was stopped goes on; name it
to try it again.
"""

from __future__ import annotations

import argparse
import configparser
import functools
import hashlib
import json
import multiprocessing.pool
import os
import random
import sys
import tempfile
from collections import Counter
from importlib.metadata import version
from math import inf
from pathlib import Path
from typing import Callable

from tests.mutants import ROOT, SLOW_S, Survivor, changes_of, meant, prepare, reach, tried, unchanged

RECORD = ROOT / "qa" / "mutation.json"
STATES = {"tests": ("killed", "survived"), "meaning": ("no effect", "stopped", "killed", "survived")}
LEAST_PERCENT = 95
SEED = 1
CHUNK = 4  # changes that a worker is handed at once, with what is known of the tests


def words(key: str) -> list[str]:
    """Return a list of setup.cfg."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    return config["mutmut"][key].replace(",", " ").split()


def listed(key: str, pattern: str = "{}") -> list[str]:
    """Return the names of the files that a list of patterns in setup.cfg means."""
    paths = {path for one in words(key) for path in ROOT.glob(pattern.format(one))}
    return sorted(path.relative_to(ROOT).as_posix() for path in paths)


def modules(mode: str = "tests") -> list[str]:
    """Return the names of the files that are changed."""
    return listed("paths_of_meaning" if mode == "meaning" else "paths_to_mutate")


def test_files() -> list[str]:
    """Return the names of the test modules that are run."""
    left_out = words("tests_left_out")
    return sorted(path.stem for path in ROOT.glob("tests/test_*.py") if path.stem not in left_out)


def reading_tests() -> list[str]:
    """Return the names of the test modules that read outputs by other means than the product's."""
    return [Path(name).stem for name in listed("tests_of_meaning", "tests/{}.py")]


def read_record() -> dict:
    """Return qa/mutation.json, or a record without outcomes."""
    empty = {mode: {"modules": {}, "survivors": []} for mode in STATES}
    return {**empty, **(json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.is_file() else {})}


def write_record(mode: str, record: dict) -> None:
    """Write the record of a run to qa/mutation.json; that of the other, which may be under way, stays."""
    whole = json.dumps({**read_record(), mode: record}, indent=2, ensure_ascii=False)
    RECORD.write_text(whole + "\n", encoding="utf-8", newline="\n")


def digest(module: str) -> str:
    """Return the SHA-256 of a file that is changed."""
    return hashlib.sha256((ROOT / module).read_bytes()).hexdigest()


def counted(outcomes: list[tuple[str, Survivor]], states: tuple[str, ...]) -> dict[str, int]:
    """Return how many changes there are, and how many of each outcome."""
    number = Counter(state for state, _ in outcomes)
    return {"mutants": len(outcomes), **{state: number[state] for state in states}}


def percent(counts: dict[str, int]) -> str:
    """Return how many of 100 changes that have an effect are noticed; those that let nothing be made are."""
    effective = counts["mutants"] - counts.get("no effect", 0)
    return f"{100 * (effective - counts['survived']) / max(effective, 1):.2f}"


def record_of(old: dict, found: dict[str, list], mode: str = "tests") -> dict:
    """Return the record ``old`` of a run with the outcomes of the modules in ``found``, and the reasons that still apply."""
    reasons = {tuple(entry[key] for key in Survivor._fields[:4]): entry["reason"] for entry in old["survivors"]}
    counts = {name: facts for name, facts in old["modules"].items() if (ROOT / name).is_file()}
    kept = [
        Survivor(**entry) for entry in old["survivors"] if entry["module"] in counts and entry["module"] not in found
    ]
    for module, outcomes in found.items():
        survivors = [change for state, change in outcomes if state == "survived"]
        kept += [change._replace(reason=reasons.get(change[:4], "")) for change in survivors]
        counts[module] = {**counted(outcomes, STATES[mode]), "sha256": digest(module)}
    total = {key: sum(facts[key] for facts in counts.values()) for key in ("mutants", *STATES[mode])}
    return {
        "tool": f"mutmut {version('mutmut')}",
        "python": "%d.%d" % sys.version_info[:2],
        "total": {**total, "killed_percent": percent(total)},
        "modules": dict(sorted(counts.items())),
        "survivors": [change._asdict() for change in sorted(kept)],
    }


def workers(processes: int, folder: str) -> multiprocessing.pool.Pool:
    """Return processes that each have a copy of the repository below ``folder``."""
    return multiprocessing.get_context("fork").Pool(processes, prepare, (folder,))


def trial(pool: multiprocessing.pool.Pool, mode: str) -> Callable:
    """Return what tries one change; exits with the names of the tests that fail without any."""
    names = reading_tests() if mode == "meaning" else test_files()
    known = dict(pool.imap_unordered(reach, names))
    failing = sorted(name for name, facts in known.items() if not facts["passed"])
    if failing:
        sys.exit(f"these fail without any change: {', '.join(failing)}")
    if mode == "tests":
        return functools.partial(tried, known=known)
    if not pool.apply(unchanged):
        sys.exit("the outputs are not those that are made: run reproduce.py first")
    left_out = words("classes_of_meaning_left_out")
    seconds = {
        name: {test: inf if test in left_out else min(needed, SLOW_S) for test, needed in facts["seconds"].items()}
        for name, facts in sorted(known.items(), key=lambda item: sum(item[1]["seconds"].values()))
    }  # what is left out is slower than any slow class
    return functools.partial(meant, known=seconds)


def sampled(names: list[str], number: int) -> list:
    """Return some of the changes to files, always the same, in the order of the files."""
    changes = [change for name in names for change in changes_of(name)]
    picked = sorted(random.Random(SEED).sample(range(len(changes)), min(number, len(changes))))
    return [changes[at] for at in picked]


def show_sample(outcomes: list[tuple[str, Survivor]], mode: str) -> None:
    """Print the survivors of a sample, and how many there are of each outcome."""
    for state, change in outcomes:
        if state == "survived":
            print("{}, {}: {}\n    -> {}".format(*change))
    counts = counted(outcomes, STATES[mode])
    print(", ".join(f"{number} {state}" for state, number in counts.items()), f"{percent(counts)}% noticed", sep="; ")


def judged(record: dict) -> int:
    """Print the survivors without a reason; return 0 if there are none and enough changes are noticed, else 1."""
    without = [entry for entry in record["survivors"] if not entry["reason"]]
    for entry in without:
        print("{module}, {place}: {before}\n    -> {after}".format(**entry))
    return int(bool(without) or float(record["total"]["killed_percent"]) < LEAST_PERCENT)


def main() -> int:
    """Try every change of the modules that are named, or of all that are not in the record as they are; record it."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("modules", nargs="*", help="such as analyze.py (default: all that the record lacks)")
    arguments.add_argument("--processes", type=int, default=os.cpu_count())
    arguments.add_argument("--meaning", action="store_true", help="make the outputs again with each change first")
    arguments.add_argument("--sample", type=int, help="try only so many changes, always the same; record nothing")
    options = arguments.parse_args()
    mode = "meaning" if options.meaning else "tests"
    record = read_record()[mode]
    done = {name: facts["sha256"] for name, facts in record["modules"].items()}
    names = options.modules or [name for name in modules(mode) if options.sample or done.get(name) != digest(name)]
    with tempfile.TemporaryDirectory() as folder, workers(options.processes, folder) as pool:
        attempt = trial(pool, mode) if names else None
        if options.sample:
            outcomes = pool.imap(attempt, sampled(names, options.sample), CHUNK)
            show_sample([outcome for outcome in outcomes if outcome is not None], mode)
            return 0
        for module in names:
            outcomes = pool.imap(attempt, changes_of(module), CHUNK)
            record = record_of(record, {module: [outcome for outcome in outcomes if outcome is not None]}, mode)
            write_record(mode, record)
            print("{}: {mutants} mutants, {survived} survived".format(module, **record["modules"][module]), flush=True)
    return judged(record)


if __name__ == "__main__":
    sys.exit(main())
