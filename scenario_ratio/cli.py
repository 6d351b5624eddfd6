"""What every script's command line has in common: the options, the exit codes, one line per problem."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Callable

from scenario_ratio.files import write_atomically
from scenario_ratio.problems import BundleError, Problem

BUNDLE = Path(__file__).resolve().parent.parent


def parser(description: str, output: bool = True) -> argparse.ArgumentParser:
    """Return an argument parser with ``--root`` and, for a script that writes, ``--output``."""
    arguments = argparse.ArgumentParser(description=description, allow_abbrev=False)
    arguments.add_argument(
        "--root", type=Path, default=BUNDLE, help="the bundle to read (default: the one beside the scripts)"
    )
    if output:
        arguments.add_argument(
            "--output", type=Path, help="the folder of derived files, read and written there (default: the root)"
        )
    return arguments


def folders(options: argparse.Namespace) -> tuple[Path, Path]:
    """Return (root, output) of parsed options; raises BundleError if the root is not there."""
    if not options.root.is_dir():
        raise BundleError(Problem(str(options.root), found="no such folder", expected="a bundle", missing=True))
    return options.root, options.output or options.root


def write(output: Path, files: dict[str, bytes]) -> dict[str, str]:
    """Write each file atomically; return name -> 'changed' or 'unchanged'."""
    return {name: write_atomically(output, name, raw) for name, raw in files.items()}


def produce(description: str, outputs: Callable[[Path, Path], dict[str, bytes]]) -> None:
    """Be the main function of a script that only writes files: make ``outputs(root, output)``, write, say what changed."""
    root, output = folders(parser(description).parse_args())
    for name, outcome in write(output, outputs(root, output)).items():
        print(f"{name}: {outcome}")


def run(main: Callable[[], object]) -> None:
    """Run ``main`` and exit: 0, or its own number; 1 when a check fails; 2 for misuse or a missing file.

    Problems go to standard error, a line each. A closed pipe and an interrupt end quietly.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace", newline="\n")
    try:
        code = main() or 0
        sys.stdout.flush()
    except BundleError as error:
        print(error, file=sys.stderr)
        code = error.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    except KeyboardInterrupt:
        print("interrupted; the files are as they were", file=sys.stderr)
        code = 130
    sys.exit(code)
