#!/usr/bin/env python3
"""Coverage-guided fuzzing of every reader with atheris: a finding is any exception but the one error type.

Needs atheris, which runs on Linux and not with every Python; the tests do not need it. In an environment of its own:

    python3 -m venv env && env/bin/pip install atheris==3.0.0
    env/bin/python -m fuzz.readers -max_total_time=180 -timeout=20 -rss_limit_mb=2048

The first byte of an input chooses the reader, the rest is what it reads. Without a folder of inputs named on the
command line it starts from the examples of tests/test_fuzz.py, in a temporary folder that goes away with the run.
A finding becomes a test beside the reader's others, and a fix.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["scenario_ratio", "csv", "json", "tokenize", "html"]):
    from scenario_ratio.problems import BundleError
    from tests.test_fuzz import READERS

NAMES = sorted(set(READERS) - {"SVG"})  # whose reader is in C, so that there is nothing to guide by


def main() -> None:
    """Fuzz until libFuzzer's options end it."""
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as corpus:

        def read_one(raw: bytes) -> None:
            if not raw:
                return
            read, _ = READERS[NAMES[raw[0] % len(NAMES)]]
            try:
                read(raw[1:], Path(scratch))
            except BundleError as error:
                if any(len(str(problem).splitlines()) != 1 for problem in error.problems):
                    raise AssertionError("a problem of other than one line") from error

        for number, name in enumerate(NAMES):
            Path(corpus, name).write_bytes(bytes([number]) + READERS[name][1])
        folders = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
        atheris.Setup([*sys.argv, *([] if folders else [corpus])], read_one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
