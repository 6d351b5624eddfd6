"""The notebook as data: reading one, and the one form in which it is written.

The form is that of nbformat 4.5 (nbformat.readthedocs.io, "The Notebook file format"): keys sorted, one blank of
indent, and texts of several lines as lists of lines, as Jupyter itself saves them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from scenario_ratio.files import parse_json, read_bytes
from scenario_ratio.pinned import NOTEBOOK
from scenario_ratio.problems import BundleError, Problem, raise_if_any, shown

_CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


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


def to_bytes(notebook: dict) -> bytes:
    """Return a notebook as Jupyter saves it."""
    return (json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")


def load(root: Path) -> dict:
    """Return the notebook of a folder; raises BundleError if it is missing or not of the form above."""
    return parse(read_bytes(root, NOTEBOOK))


def parse(raw: bytes) -> dict:
    """Return a notebook from its bytes; raises BundleError if it is not of the form above."""
    notebook = parse_json(raw, NOTEBOOK)
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise BundleError(Problem(NOTEBOOK, found=shown(notebook), expected="a notebook with a list of cells"))
    version = (notebook.get("nbformat"), notebook.get("nbformat_minor"))
    problems = [] if version == (4, 5) else [Problem(NOTEBOOK, "", "nbformat", shown(version), "(4, 5)")]
    for number, cell in enumerate(notebook["cells"], 1):
        problems += _cell_problems(number, cell)
    raise_if_any(problems)
    return notebook


def _cell_problems(number: int, cell: object) -> list[Problem]:
    place = f"cell {number}"
    if not isinstance(cell, dict):
        return [Problem(NOTEBOOK, place, found=shown(cell), expected="an object")]
    wrong = []
    if cell.get("cell_type") not in ("markdown", "code"):
        wrong.append(Problem(NOTEBOOK, place, "cell_type", shown(cell.get("cell_type")), "markdown or code"))
    if not (isinstance(cell.get("id"), str) and _CELL_ID.fullmatch(cell["id"])):
        wrong.append(Problem(NOTEBOOK, place, "id", shown(cell.get("id")), "1 to 64 letters, digits, '-' or '_'"))
    source = cell.get("source")
    if not _is_lines(source):
        wrong.append(Problem(NOTEBOOK, place, "source", shown(source), "a list of lines"))
    if cell.get("cell_type") == "code":
        wrong += _output_problems(place, cell.get("outputs"))
    return wrong


def _is_lines(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(line, str) for line in value)


def _output_problems(place: str, outputs: object) -> list[Problem]:
    """Return what is wrong with a cell's outputs: each is a stream with its text or a result with its forms by type."""
    if not isinstance(outputs, list):
        return [Problem(NOTEBOOK, place, "outputs", shown(outputs), "a list of outputs")]
    problems = []
    for number, output in enumerate(outputs, 1):
        kind, forms = (output.get("output_type"), output.get("data")) if isinstance(output, dict) else (None, None)
        stream = kind == "stream" and isinstance(output.get("name"), str) and _is_lines(output.get("text"))
        result = kind == "execute_result" and isinstance(forms, dict) and all(map(_is_lines, forms.values()))
        if not (stream or result):
            found = shown(kind) if kind else shown(output)
            expected = "a stream or an execute_result, its texts as lists of lines"
            problems.append(Problem(NOTEBOOK, place, f"output {number}", found, expected))
    return problems
