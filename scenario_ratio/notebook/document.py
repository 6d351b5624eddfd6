"""The notebook as data: its cells from their text, the one form in which it is written, reading one back.

The form is that of nbformat 4.5 (nbformat.readthedocs.io, "The Notebook file format"): keys sorted, one blank of
indent, and texts of several lines as lists of lines, as Jupyter itself saves them.

The cells stand in scenario_ratio/text/notebook.py, which is never imported: ``# %% ID`` opens a code cell,
``# %% [markdown] ID`` a cell of prose, whose lines begin with '#'; ``{place}`` in prose is filled from the results.
"""

from __future__ import annotations

import json
import re

from scenario_ratio import shape, wording
from scenario_ratio.bundle import Bundle
from scenario_ratio.files import decode, parse_json
from scenario_ratio.pinned import NOTEBOOK
from scenario_ratio.problems import Problem, raise_if_any, shown
from scenario_ratio.study import results as results_file

CELLS = "scenario_ratio/text/notebook.py"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL = shape.Open(
    cell_type=shape.Choice(("markdown", "code")),
    id=shape.Text("[A-Za-z0-9_-]{1,64}", "1 to 64 letters, digits, '-' or '_'"),
    source=[str],
)
SHAPE = shape.Open(nbformat=shape.Choice((4,)), nbformat_minor=shape.Choice((5,)), cells=[CELL])
OUTPUTS = {
    "stream": shape.Open(name=str, text=[str]),
    "execute_result": shape.Open(data=shape.each([str])),
}
_OPENING = re.compile(r"# %% (\[markdown\] )?([a-z-]+)\n")


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
    empty = {"execution_count": None, "outputs": []}
    return {"cell_type": "code", "id": cell_id, "metadata": {}, "source": lines(text), **empty}


def build(text: str, results: dict) -> dict:
    """Return the notebook of the cells in ``text``, not yet run; what its prose names comes from ``results``."""
    facts = {
        "benchmark": wording.BENCHMARK,
        "round": results["round"],
        "commit": results["sources"]["results"]["commit"],
        "retrieved": results["sources"]["retrieved"],
        "unverified": wording.UNVERIFIED,
        "trademark": wording.TRADEMARK,
    }
    _, *parts = _OPENING.split(text)
    return document(
        [
            markdown(cell_id, _prose(source).format(**facts)) if prose else code(cell_id, source.strip("\n"))
            for prose, cell_id, source in zip(parts[::3], parts[1::3], parts[2::3])
        ]
    )


def _prose(source: str) -> str:
    """Return the Markdown that stands in comments."""
    return re.sub(r"(?m)^# ?", "", source.strip("\n"))


def new(bundle: Bundle) -> dict:
    """Return the notebook of the bundle, not yet run."""
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
    code_cells = [(number, cell) for number, cell in enumerate(notebook["cells"]) if cell["cell_type"] == "code"]
    raise_if_any([problem for number, cell in code_cells for problem in _output_problems(cell, f"cells[{number}]")])
    return notebook


def _output_problems(cell: dict, place: str) -> list[Problem]:
    """Return what is wrong with a code cell's outputs: each is a stream with its text or a result with its forms by type."""
    outputs = cell.get("outputs")
    if not isinstance(outputs, list):
        return [Problem(NOTEBOOK, f"{place}.outputs", found=shown(outputs), expected="a list of outputs")]
    problems = []
    for number, output in enumerate(outputs):
        kind = output.get("output_type") if isinstance(output, dict) else output
        where = f"{place}.outputs[{number}]"
        if isinstance(kind, str) and kind in OUTPUTS:
            problems += shape.problems(output, OUTPUTS[kind], NOTEBOOK, where)
        else:
            problems.append(Problem(NOTEBOOK, where, "output_type", shown(kind), f"one of {', '.join(OUTPUTS)}"))
    return problems
