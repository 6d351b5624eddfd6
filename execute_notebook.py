#!/usr/bin/env python3
"""Run the code cells of analysis.ipynb in order, in one namespace, and save their genuine outputs in place.

The first cell that fails ends the run and leaves the notebook as it was.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path

import build_notebook
from scenario_ratio import bundle, cli
from scenario_ratio.notebook import document as notebook
from scenario_ratio.notebook import running
from scenario_ratio.problems import BundleError, Problem


def execute(document: dict, folder: Path) -> dict:
    """Return a notebook with each code cell's outputs, run in ``folder`` (the bundle) as a kernel would.

    Raises BundleError, naming the cell, on the first cell that raises anything.
    """
    session, run_cells = running.Session(), []
    with _working_in(folder):
        for number, cell in enumerate(document["cells"], 1):
            if cell["cell_type"] == "code":
                outputs = _run_cell(session, "".join(cell["source"]), f"cell {number} ({cell['id']})")
                cell = {**cell, "execution_count": session.count, "outputs": outputs}
            run_cells.append(cell)
    return {**document, "cells": run_cells}


@contextlib.contextmanager
def _working_in(folder: Path):
    """Make ``folder`` the working directory, and importable as a kernel makes it; undo both afterwards."""
    before, path = os.getcwd(), list(sys.path)
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        os.chdir(before)
        sys.path[:] = path


def _run_cell(session: running.Session, source: str, place: str) -> list[dict]:
    """Return the outputs of one cell; raises BundleError if it raises anything but an interrupt."""
    outputs, error = session.run(source, place)
    if isinstance(error, (Exception, SystemExit)):
        found = " ".join(f"{type(error).__name__}: {error}".split())
        hint = "The notebook is as it was."
        raise BundleError(Problem(notebook.NOTEBOOK, place, found=found, expected="a cell that runs", hint=hint))
    if error is not None:
        raise error
    return outputs


def run(document: dict, root: Path, output: Path) -> bytes:
    """Return a notebook's bytes after running it on the bundle at ``root`` with the derived files of ``output``.

    A notebook finds everything beside it, so where the two folders differ it runs in a temporary copy of both.
    """
    if root.resolve() == output.resolve():
        return notebook.to_bytes(execute(document, root.resolve()))
    with tempfile.TemporaryDirectory() as folder:
        for name, raw in bundle.contents(root, output).items():
            target = Path(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(raw)
        return notebook.to_bytes(execute(document, Path(folder)))


def rebuilt(root: Path, output: Path) -> dict[str, bytes]:
    """Return name -> bytes of the notebook built anew from results.json of ``output`` and run; reads no notebook."""
    document = notebook.parse(build_notebook.outputs(root, output)[notebook.NOTEBOOK])
    return {notebook.NOTEBOOK: run(document, root, output)}


def outputs(root: Path, output: Path) -> dict[str, bytes]:
    """Return name -> bytes of the executed notebook; runs the one in ``output``."""
    return {notebook.NOTEBOOK: run(notebook.load(output), root, output)}


if __name__ == "__main__":
    cli.run(lambda: cli.produce(__doc__, outputs))
