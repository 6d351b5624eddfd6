"""Running code cells as a kernel would: one namespace, captured streams, the value of a cell's last expression.

The same code runs cells here and in the browser, so that the outputs saved and the outputs shown there agree. A whole
notebook is run in the bundle's folder; the first cell that fails ends the run.
"""

from __future__ import annotations

import ast
import io
import json
import linecache
import os
import sys
import tempfile
import traceback
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from scenario_ratio.bundle import Bundle
from scenario_ratio.notebook import document as notebook
from scenario_ratio.pinned import NOTEBOOK
from scenario_ratio.problems import BundleError, Problem

# How an object offers itself for display, besides its repr: by a method _repr_FORM_, and the type of what it returns.
RICH = {"html": "text/html", "markdown": "text/markdown", "svg": "image/svg+xml", "latex": "text/latex"}


class _Stream(io.TextIOBase):
    """A standard stream that appends what is written to a cell's outputs, joined to what came before it."""

    def __init__(self, name: str, outputs: list):
        self.name, self.outputs = name, outputs

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        last = self.outputs[-1] if self.outputs else {}
        if last.get("output_type") == "stream" and last["name"] == self.name:
            last["text"].append(text)
        elif text:
            self.outputs.append({"output_type": "stream", "name": self.name, "text": [text]})
        return len(text)


class Session:
    """A namespace in which cells run one after another, and how many have run."""

    def __init__(self):
        self.namespace: dict = {"__name__": "__main__", "__builtins__": __builtins__}
        self.count = 0

    def run(self, source: str, place: str) -> tuple[list[dict], BaseException | None]:
        """Run a cell; return (its outputs as nbformat keeps them, what ended it early, if anything).

        ``place`` names the cell in tracebacks. The outputs are its streams, then the value of its last expression.
        """
        self.count += 1
        outputs, error = [], None
        try:
            with redirect_stdout(_Stream("stdout", outputs)), redirect_stderr(_Stream("stderr", outputs)):
                value = _value(source, self.namespace, place)
                if value is not None:
                    result = {"output_type": "execute_result", "execution_count": self.count, "metadata": {}}
                    outputs.append({**result, "data": _display(value)})
        except BaseException as raised:
            error = raised
        for output in outputs:
            if "text" in output:
                output["text"] = notebook.lines("".join(output["text"]))
        return outputs, error

    def run_to_json(self, source: str, place: str) -> str:
        """Run a cell; return its outputs as JSON, the last of them an error output if the cell was ended by one."""
        outputs, error = self.run(source, place)
        return json.dumps(outputs if error is None else [*outputs, _error(error, source, place)])


def _value(source: str, namespace: dict, place: str) -> object:
    """Run ``source`` and return the value of its last statement if that is an expression without a semicolon."""
    tree = ast.parse(source, place)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, place, "exec"), namespace)
    return None if last is None else eval(compile(last, place, "eval"), namespace)


def _display(value: object) -> dict[str, list[str]]:
    """Return a value in every form it offers, by type, each as a list of lines; text/plain is its repr."""
    methods = {mime: f"_repr_{form}_" for form, mime in RICH.items() if hasattr(type(value), f"_repr_{form}_")}
    forms = {**{mime: getattr(value, method)() for mime, method in methods.items()}, "text/plain": repr(value)}
    return {mime: notebook.lines(form) for mime, form in forms.items() if form is not None}


def _error(error: BaseException, source: str, place: str) -> dict:
    """Return an error output: the traceback from the cell's own frame on, with the cell's source in it."""
    linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
    frame = error.__traceback__
    while frame is not None and frame.tb_frame.f_code.co_filename != place:
        frame = frame.tb_next
    told = notebook.lines("".join(traceback.format_exception(type(error), error, frame)))
    return {"output_type": "error", "ename": type(error).__name__, "evalue": str(error), "traceback": told}


def make_notebook(bundle: Bundle) -> bytes:
    """Return the notebook built anew from results.json and run, reading no notebook; raises BundleError as execute does.

    A notebook finds everything beside it, so where root and output differ it runs in a temporary copy of both.
    """
    document = notebook.new(bundle)
    if bundle.root == bundle.output:
        return notebook.to_bytes(execute(document, bundle.root.resolve()))
    with tempfile.TemporaryDirectory() as folder:
        for name, raw in bundle.contents().items():
            target = Path(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(raw)
        return notebook.to_bytes(execute(document, Path(folder)))


def execute(document: dict, folder: Path) -> dict:
    """Return a notebook with each code cell's outputs, run in ``folder`` (the bundle) as a kernel would.

    Raises BundleError, naming the cell, on the first that raises anything but an interrupt.
    """
    session, before, path = Session(), os.getcwd(), list(sys.path)
    os.chdir(folder)
    sys.path.insert(0, str(folder))  # importable, as a kernel makes it
    try:
        return {**document, "cells": [_ran(session, number, cell) for number, cell in enumerate(document["cells"], 1)]}
    finally:
        os.chdir(before)
        sys.path[:] = path


def _ran(session: Session, number: int, cell: dict) -> dict:
    """Return a cell, the ``number``-th of its notebook, with its outputs if it is code; see execute."""
    if not notebook.is_code(cell):
        return cell
    place = f"cell {number} ({cell['id']})"
    outputs, error = session.run("".join(cell["source"]), place)
    if isinstance(error, (Exception, SystemExit)):
        found, hint = " ".join(f"{type(error).__name__}: {error}".split()), "The notebook is as it was."
        raise BundleError(Problem(NOTEBOOK, place, found=found, expected="a cell that runs", hint=hint))
    if error is not None:
        raise error
    return {**cell, "execution_count": session.count, "outputs": outputs}
