#!/usr/bin/env python3
"""Run the code cells of analysis.ipynb in order, in one namespace, and save their genuine outputs in place.

The first cell that fails ends the run and leaves the notebook as it was.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import sys
import tempfile
from pathlib import Path

from scenario_ratio import bundle, cli, notebook
from scenario_ratio.files import BundleError, Problem

# How an object offers itself for display, besides its repr: the method a kernel asks, and the type of what it returns.
RICH = (
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_latex_", "text/latex"),
)


class _Stream(io.TextIOBase):
    """A standard stream that appends what is written to a cell's outputs, joined to what came before it."""

    def __init__(self, name: str, outputs: list):
        self.name, self.outputs = name, outputs

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        last = self.outputs[-1] if self.outputs else {}
        if last.get("output_type") == "stream" and last["name"] == self.name:
            last["text"] += text
        elif text:
            self.outputs.append({"output_type": "stream", "name": self.name, "text": text})
        return len(text)


def execute(document: dict, folder: Path) -> dict:
    """Return a notebook with each code cell's outputs, run in ``folder`` (the bundle) as a kernel would.

    Raises BundleError, naming the cell, on the first cell that raises anything.
    """
    namespace: dict = {"__name__": "__main__", "__builtins__": __builtins__}
    cells, count = [], 0
    with _working_in(folder):
        for number, cell in enumerate(document["cells"], 1):
            if cell["cell_type"] == "code":
                count += 1
                outputs = _run_cell("".join(cell["source"]), namespace, count, f"cell {number} ({cell['id']})")
                cell = {**cell, "execution_count": count, "outputs": outputs}
            cells.append(cell)
    return {**document, "cells": cells}


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


def _run_cell(source: str, namespace: dict, count: int, place: str) -> list[dict]:
    """Return the outputs of one cell: its streams, then the value of its last expression."""
    outputs: list[dict] = []
    try:
        with (
            contextlib.redirect_stdout(_Stream("stdout", outputs)),
            contextlib.redirect_stderr(_Stream("stderr", outputs)),
        ):
            value = _run(source, namespace, place)
            result = None if value is None else _display(value)
    except (Exception, SystemExit) as error:
        found = " ".join(f"{type(error).__name__}: {error}".split())
        hint = "The notebook is as it was."
        raise BundleError(
            Problem(notebook.NOTEBOOK, place, found=found, expected="a cell that runs", hint=hint)
        ) from None
    if result is not None:
        outputs.append({"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": result})
    return [_as_saved(output) for output in outputs]


def _run(source: str, namespace: dict, place: str) -> object:
    """Run ``source`` and return the value of its last statement if that is an expression without a semicolon."""
    tree = ast.parse(source, place)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, place, "exec"), namespace)
    return None if last is None else eval(compile(last, place, "eval"), namespace)


def _display(value: object) -> dict[str, str]:
    """Return a value in every form it offers, by type; text/plain is its repr."""
    forms = {mime: getattr(value, method)() for method, mime in RICH if hasattr(type(value), method)}
    return {**{mime: form for mime, form in forms.items() if form is not None}, "text/plain": repr(value)}


def _as_saved(output: dict) -> dict:
    """Return an output with its texts as lists of lines."""
    if output["output_type"] == "stream":
        return {**output, "text": notebook.lines(output["text"])}
    return {**output, "data": {mime: notebook.lines(text) for mime, text in output["data"].items()}}


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


def outputs(root: Path, output: Path) -> dict[str, bytes]:
    """Return name -> bytes of the executed notebook; runs the one in ``output``."""
    return {notebook.NOTEBOOK: run(notebook.load(output), root, output)}


if __name__ == "__main__":
    cli.run(lambda: cli.produce(__doc__, outputs))
