#!/usr/bin/env python3
"""Time this bundle against pandas and against bare Python starts; print the Markdown table of the README.

Needs pandas in the Python that runs it. Every command is a fresh process; wall time, CPU time and peak memory are
those of that process alone, medians of several runs, the two sides taking turns. The peak cannot read lower than
this script's own size, about that of a bare Python.
"""

from __future__ import annotations

import argparse
import csv
import importlib.metadata
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
BUNDLE = HERE.parent
SIZES = (1, 10, 100)
# Settings of the BLAS library that pandas loads; where a machine sets them, its import takes another time than usual.
NOT_PASSED_ON = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")


class Cost(NamedTuple):
    """What one process took: seconds of wall and of CPU time, peak memory in MB (10**6 bytes)."""

    wall_s: float
    cpu_s: float
    peak_mb: float


def source_rows() -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of the bundle's CSV."""
    with open(BUNDLE / "data/summary.csv", encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream)
    return header, rows


def replicate(folder: Path, times: int) -> None:
    """Write summary.csv and summary.json with ``times`` as many rows; each copy has system names of its own.

    Piece by piece, so that this process stays small: a child's peak starts at its parent's size.
    """
    header, rows = source_rows()
    system = header.index("SystemName")
    folder.mkdir()
    with open(folder / "summary.csv", "w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerow(header)
        writer = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL)
        for copy in range(times):
            writer.writerows([*row[:system], f"{row[system]} {copy}", *row[system + 1 :]] for row in rows)
    body = (BUNDLE / "data/summary.json").read_text(encoding="utf-8").strip()[1:-1].strip("\n")
    with open(folder / "summary.json", "w", encoding="utf-8", newline="") as stream:
        for copy in range(times):
            stream.write(",\n" if copy else "{\n")
            stream.write(renamed(body, copy, copy * len(rows)))
        stream.write("\n}\n")


def renamed(body: str, copy: int, first_id: int) -> str:
    """Return the rows of the JSON, as text, with ids from ``first_id`` and the system names of a copy."""
    numbered = re.sub(r'(?m)^    "(\d+)":', lambda match: f'    "{int(match[1]) + first_id}":', body)
    return re.sub(r'(?m)^(        "SystemName":".*)",$', rf'\1 {copy}",', numbered)


def measured(command: list[str]) -> tuple[Cost, str]:
    """Return what a command took and printed; stops if it fails."""
    environment = {key: value for key, value in os.environ.items() if key not in NOT_PASSED_ON}
    with tempfile.TemporaryFile() as printed:
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=printed, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{' '.join(command)}: exit code {process.returncode}")
        printed.seek(0)
        unit = 1 if sys.platform == "darwin" else 1024  # ru_maxrss is in bytes on macOS, in KiB on Linux
        cost = Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e6)
        return cost, printed.read().decode("utf-8")


def medians(commands: dict[str, list[str]], runs: int) -> dict[str, Cost]:
    """Return the median cost of each named command; they take turns, after one round that is not counted."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for number in range(runs + 1):
        for name, command in commands.items():
            cost, _ = measured(command)
            if number:
                costs[name].append(cost)
    return {name: Cost(*map(statistics.median, zip(*found))) for name, found in costs.items()}


def against_pandas(folder: Path, times: int, runs: int) -> dict[str, Cost]:
    """Return the costs of both sides at ``times`` the rows; stops if they do not find the same."""
    data = folder / str(times)
    replicate(data, times)
    commands = {side: [sys.executable, str(HERE / f"{side}_script.py"), str(data)] for side in ("bundle", "pandas")}
    found = {measured(command)[1] for command in commands.values()}
    if len(found) != 1:
        sys.exit(f"the two sides differ at {times} times the rows: {' | '.join(sorted(found))}")
    return medians(commands, runs)


def whole_processes(folder: Path, runs: int) -> dict[str, Cost]:
    """Return the costs of the scripts as whole processes in a copy of the bundle, and of what they are compared with."""
    bundle = folder / "bundle"
    shutil.copytree(
        BUNDLE,
        bundle,
        ignore=shutil.ignore_patterns(".git", "__pycache__", ".*_cache", ".hypothesis", ".venv", "node_modules"),
    )
    return medians(
        {
            "python3 -c pass": [sys.executable, "-c", "pass"],
            "import pandas": [sys.executable, "-c", "import pandas"],
            "analyze.py": [sys.executable, str(bundle / "analyze.py")],
            "reproduce.py": [sys.executable, str(bundle / "reproduce.py")],
            "reproduce.py --check": [sys.executable, str(bundle / "reproduce.py"), "--check"],
        },
        runs,
    )


def cells(cost: Cost) -> str:
    """Return a cost as three cells of a table."""
    return f"{cost.wall_s:.3f} s | {cost.cpu_s:.3f} s | {cost.peak_mb:,.0f} MB"


def ratios(cost: Cost, reference: Cost) -> str:
    """Return the cost over that of a reference, as three cells of a table."""
    return " | ".join(f"{own / other:.2f}" for own, other in zip(cost, reference))


def machine() -> str:
    """Return what the times depend on: processor, cores, system, Python and pandas."""
    info = Path("/proc/cpuinfo")
    names = re.findall(r"model name\s*: (.*)", info.read_text(encoding="utf-8")) if info.exists() else []
    processor = names[0] if names else platform.processor() or platform.machine()
    return (
        f"{processor}, {os.cpu_count()} cores, {platform.system()}; Python {platform.python_version()}, "
        f"pandas {importlib.metadata.version('pandas')}"
    )


def report(sizes: dict[int, dict[str, Cost]], processes: dict[str, Cost], rows: int, runs: int) -> str:
    """Return the tables in Markdown."""
    lines = [
        f"Medians of {runs} runs on {machine()}. A ratio below 1 means that this bundle took less.",
        "",
        "| load, cross-check, filter, pair | wall | CPU | peak memory | wall ratio | CPU ratio | memory ratio |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for times, costs in sizes.items():
        label = f"{rows * times:,} rows"
        lines.append(f"| {label}, pandas | {cells(costs['pandas'])} | 1 | 1 | 1 |")
        lines.append(
            f"| {label}, this bundle | {cells(costs['bundle'])} | {ratios(costs['bundle'], costs['pandas'])} |"
        )
    lines += [
        "",
        "| whole process | wall | CPU | peak memory | wall / `import pandas` | CPU / `import pandas` | memory / `import pandas` |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    reference = processes["import pandas"]
    lines += [f"| `{name}` | {cells(cost)} | {ratios(cost, reference)} |" for name, cost in processes.items()]
    return "\n".join(lines)


def main() -> None:
    """Measure everything in one run and print the tables."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    arguments.add_argument("--runs", type=int, default=7, help="counted runs of each command (default: 7)")
    arguments.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="times the rows (default: 1 10 100)")
    options = arguments.parse_args()
    rows = len(source_rows()[1])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        processes = whole_processes(folder, options.runs)
        sizes = {times: against_pandas(folder, times, options.runs) for times in options.sizes}
    print(report(sizes, processes, rows, options.runs))


if __name__ == "__main__":
    main()
