"""What every script's command line has in common: the options, the exit codes, one line per problem."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Callable

from scenario_ratio.bundle import Artifact, Bundle
from scenario_ratio.files import PROJECT
from scenario_ratio.problems import BundleError, Problem


def parser(description: str, output: bool = True) -> argparse.ArgumentParser:
    """Return an argument parser with ``--root`` and, for a script that writes, ``--output``."""
    arguments = argparse.ArgumentParser(description=description, allow_abbrev=False)
    told = "the bundle to read (default: the one beside the scripts)"
    arguments.add_argument("--root", type=Path, default=PROJECT, help=told)
    if output:
        told = "the folder of derived files, read and written there (default: the root)"
        arguments.add_argument("--output", type=Path, help=told)
    return arguments


def opened(options: argparse.Namespace, artifacts: tuple[Artifact, ...]) -> Bundle:
    """Return the bundle of parsed options; raises BundleError if the root is not there."""
    if not options.root.is_dir():
        raise BundleError(Problem(str(options.root), found="no such folder", expected="a bundle", missing=True))
    return Bundle(options.root, options.output, artifacts)


def produce(description: str, artifacts: tuple[Artifact, ...], script: str) -> None:
    """Be the main function of a script that only makes its artifacts; ``script`` is its path."""
    write(opened(parser(description).parse_args(), artifacts), script)


def write(bundle: Bundle, script: str) -> None:
    """Make all artifacts of a script, then write them, and say what became of each."""
    rows = [row for row in bundle.artifacts if row.script == os.path.basename(script)]
    for row in rows:
        bundle.made(row)
    for row in rows:
        print(f"{row.name}: {bundle.write(row)}")


def run(main: Callable[[], object]) -> None:
    """Run ``main`` and exit: 0, or its own number; 1 when a check fails; 2 for misuse or a missing file.

    Problems go to standard error, a line each. A closed pipe and an interrupt end quietly. What is written outside the
    bundle and cannot be, such as standard output on a full disk, is a problem too.
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
        _drop_the_rest()
        code = 1
    except OSError as error:
        _drop_the_rest()
        found, expected = error.strerror or "an error", "a place to write"
        print(Problem("standard output or a temporary file", found=found, expected=expected), file=sys.stderr)
        code = 2
    except KeyboardInterrupt:
        print("interrupted; the files are as they were", file=sys.stderr)
        code = 130
    sys.exit(code)


def _drop_the_rest() -> None:
    """Lead standard output nowhere, so that what is left in it fails no second time when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
