"""The notebook as data: its cells from their text, the one form in which it is written, reading one back.

The form is that of nbformat 4.5 (nbformat.readthedocs.io, "The Notebook file format"): keys sorted, one blank of
indent, and texts of several lines as lists of lines, as Jupyter itself saves them.

The cells stand in scenario_ratio/text/notebook.py, which is never imported: ``# %% ID`` opens a code cell,
``# %% [markdown] ID`` a cell of prose, whose lines begin with '#'. Prose has places and marks as show/text.py has them.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from scenario_ratio import shape, wording
from scenario_ratio.bundle import Bundle
from scenario_ratio.files import decode, parse_json
from scenario_ratio.pinned import NOTEBOOK
from scenario_ratio.problems import Problem, gather_all, raise_if_any, shown
from scenario_ratio.show.text import filled
from scenario_ratio.show.values import values
from scenario_ratio.study import results as results_file

CELLS = "scenario_ratio/text/notebook.py"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}

# What is demanded of a notebook that is read, and no more than is read of it: of every cell, of a code cell besides, of
# its outputs by their type.
CELL = shape.Open(
    cell_type=shape.Choice(("markdown", "code")),
    id=shape.Text("[A-Za-z0-9_-]{1,64}", "1 to 64 letters, digits, '-' or '_'"),
    source=[str],
)
SHAPE = shape.Open(nbformat=shape.Choice((4,)), nbformat_minor=shape.Choice((5,)), cells=[CELL])
OUTPUTS = {
    "stream": shape.Open(name=str, text=[str]),
    "execute_result": shape.Open(data=shape.Open({"text/plain": [str], "image/svg+xml": shape.Perhaps([str])})),
}
CODE_CELL = shape.Open(
    execution_count=shape.Optional((int,)), outputs=[shape.Open(output_type=shape.Choice(tuple(OUTPUTS)))]
)

_OPENING = re.compile(r"# %% (?P<prose>\[markdown\] )?(?P<id>[a-z]+(?:-[a-z]+)*)")
_MEANT_AS_OPENING = re.compile(r"\s*#\s*%%")


class Cell(NamedTuple):
    """A cell in the text: its id, the line that opens it, whether it is prose, the lines under it."""

    id: str
    line: int
    is_prose: bool
    lines: list[str]


def lines(text: str) -> list[str]:
    """Return a text as the list of lines that nbformat keeps, each but the last with its line end."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def document(cells: list[dict]) -> dict:
    """Return a notebook of nbformat 4.5 with these cells."""
    return {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}


def markdown(cell_id: str, text: str) -> dict:
    """Return a markdown cell."""
    return {"cell_type": "markdown", "id": cell_id, "metadata": {}, "source": lines(text)}


def code(cell_id: str, text: str) -> dict:
    """Return a code cell that has not been run."""
    return {**markdown(cell_id, text), "cell_type": "code", "execution_count": None, "outputs": []}


def build(text: str, results: dict) -> dict:
    """Return the notebook of the cells in ``text``, not yet run; what its prose names comes from ``results``.

    Raises BundleError with every line that is not of the form above, names what is not there, or is not so.
    """
    told = {**values(results), "benchmark": wording.BENCHMARK}
    cells = {cell.id: cell for cell in cells_of(text)}

    def built(cell_id: str) -> dict:
        cell = cells[cell_id]
        if not cell.is_prose:
            return code(cell_id, "\n".join(cell.lines).strip("\n"))
        above = [""] * cell.line  # so that problems name the lines of the file
        return markdown(cell_id, filled("\n".join([*above, *(line[2:] for line in cell.lines)]), CELLS, told))

    return document(list(gather_all(built, cells).values()))


def cells_of(text: str) -> list[Cell]:
    """Return the cells of a text; what stands above the first is none of them. Raises BundleError as build does."""
    cells, lines_of_ids, wrong = [], {}, []
    for number, line in enumerate(text.split("\n"), 1):
        if opening := _OPENING.fullmatch(line):
            cells.append(Cell(opening["id"], number, bool(opening["prose"]), []))
            first = lines_of_ids.setdefault(opening["id"], number)
            if first != number:
                wrong.append((number, opening["id"], f"the id of line {first}", "an id of its own"))
        elif _MEANT_AS_OPENING.match(line):
            wrong.append((number, "", shown(line), "# %% ID or # %% [markdown] ID"))
        elif cells:
            cells[-1].lines.append(line)
            if cells[-1].is_prose and line not in ("", "#") and not line.startswith("# "):
                wrong.append((number, cells[-1].id, shown(line), "prose after '# '"))
    if not cells:
        wrong.append((1, "", "no cell", "a line # %% ID or # %% [markdown] ID"))
    raise_if_any([Problem(CELLS, f"line {number}", *facts) for number, *facts in wrong])
    return cells


def new(bundle: Bundle) -> dict:
    """Return the notebook of the bundle, not yet run; raises BundleError as build does."""
    return build(decode(bundle.asset(CELLS), CELLS), bundle.once(results_file.load))


def to_bytes(notebook: dict) -> bytes:
    """Return a notebook as Jupyter saves it."""
    return (json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")


def load(bundle: Bundle) -> dict:
    """Return the notebook of the bundle; raises BundleError if it is missing or not of the form above."""
    return parse(bundle.read(NOTEBOOK))


def parse(raw: bytes) -> dict:
    """Return a notebook from its bytes; raises BundleError if it is not of the form above."""
    notebook = parse_json(raw, NOTEBOOK)
    raise_if_any(shape.problems(notebook, SHAPE, NOTEBOOK))
    problems = []
    for place, cell in ((f"cells[{number}]", cell) for number, cell in enumerate(notebook["cells"]) if is_code(cell)):
        wrong = shape.problems(cell, CODE_CELL, NOTEBOOK, place)
        problems += wrong
        for number, output in enumerate([] if wrong else cell["outputs"]):
            problems += shape.problems(output, OUTPUTS[output["output_type"]], NOTEBOOK, f"{place}.outputs[{number}]")
    raise_if_any(problems)
    return notebook


def is_code(cell: dict) -> bool:
    """Return whether a cell of a notebook is code, and not prose."""
    return cell["cell_type"] == "code"
