"""The notebook as data: the one form in which it is written, and everything that is refused when one is read."""

from __future__ import annotations

import json

from scenario_ratio.notebook import document as notebook
from tests.support import BundleCase, temporary_folder

NAME = "analysis.ipynb"


class Written(BundleCase):
    def test_texts_as_lines(self):
        for text, lines in (("", []), ("a", ["a"]), ("a\n", ["a\n"]), ("a\n\nb", ["a\n", "\n", "b"])):
            self.assertEqual(lines, notebook.lines(text))

    def test_the_bytes_of_a_notebook(self):
        document = notebook.document([notebook.markdown("m-1", "# Zürich\ntext"), notebook.code("c", "1 + 1")])
        expected = """\
{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "m-1",
   "metadata": {},
   "source": [
    "# Zürich\\n",
    "text"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "c",
   "metadata": {},
   "outputs": [],
   "source": [
    "1 + 1"
   ]
  }
 ],
 "metadata": {
  "kernelspec": {
   "display_name": "Python 3",
   "language": "python",
   "name": "python3"
  },
  "language_info": {
   "name": "python"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
"""
        self.assertEqual(expected, notebook.to_bytes(document).decode("utf-8"))
        self.assertEqual(document, notebook.parse(notebook.to_bytes(document)))

    def test_a_number_that_json_lacks_is_not_written(self):
        with self.assertRaises(ValueError):
            notebook.to_bytes({"a": float("nan")})


class Refused(BundleCase):
    def refused(self, lines: list[str], document: object) -> None:
        self.assert_refused([f"{NAME}: {line}" for line in lines], notebook.parse, json.dumps(document).encode())

    def with_cell(self, **changes: object) -> dict:
        return notebook.document([notebook.code("c", "1"), {**notebook.markdown("m", "x"), **changes}])

    def test_no_notebook(self):
        for document, found in (([], "[]"), ({}, "{}"), ({"cells": {}}, "{'cells': {}}"), ("x", "'x'")):
            self.refused([f"found {found}; expected a notebook with a list of cells"], document)

    def test_another_version(self):
        for major, minor in ((3, 5), (4, 4), (4, 6), (None, None)):
            document = {**notebook.document([]), "nbformat": major, "nbformat_minor": minor}
            self.refused([f"nbformat: found ({major}, {minor}); expected (4, 5)"], document)

    def test_wrong_cells_are_all_told(self):
        document = notebook.document([1, {}, notebook.code("c", "1"), {**notebook.code("", "1"), "cell_type": "raw"}])
        document["nbformat_minor"] = 4
        self.refused(
            [
                "nbformat: found (4, 4); expected (4, 5)",
                "cell 1: found 1; expected an object",
                "cell 2, cell_type: found None; expected markdown or code",
                "cell 2, id: found None; expected 1 to 64 letters, digits, '-' or '_'",
                "cell 2, source: found None; expected a list of lines",
                "cell 4, cell_type: found 'raw'; expected markdown or code",
                "cell 4, id: found ''; expected 1 to 64 letters, digits, '-' or '_'",
            ],
            document,
        )

    def test_outputs(self):
        stream = {"output_type": "stream", "name": "stdout", "text": ["a\n"]}
        result = {"output_type": "execute_result", "data": {"text/plain": ["1"], "text/html": []}}
        notebook.parse(
            json.dumps(notebook.document([{**notebook.code("c", "1"), "outputs": [stream, result]}])).encode()
        )
        expected = "expected a stream or an execute_result, its texts as lists of lines"
        for output, found in (
            ({**stream, "name": 1}, "'stream'"),
            ({**stream, "text": "a"}, "'stream'"),
            ({**result, "data": []}, "'execute_result'"),
            ({**result, "data": {"text/plain": ["1"], "text/html": "1"}}, "'execute_result'"),
            ({**result, "output_type": "display_data"}, "'display_data'"),
            ({**stream, "output_type": "execute_result"}, "'execute_result'"),
            ({}, "{}"),
            (7, "7"),
        ):
            document = notebook.document([{**notebook.code("c", "1"), "outputs": [result, output, stream]}])
            self.refused([f"cell 1, output 2: found {found}; {expected}"], document)
        for outputs, found in ((None, "None"), ({}, "{}")):
            document = notebook.document([{**notebook.code("c", "1"), "outputs": outputs}])
            self.refused([f"cell 1, outputs: found {found}; expected a list of outputs"], document)

    def test_ids(self):
        for cell_id in ("a", "Z-9_", "x" * 64):
            notebook.parse(json.dumps(self.with_cell(id=cell_id)).encode())
        for cell_id in ("", "a b", "ü", "x" * 65, "a\n", 7):
            found = ascii(cell_id) if cell_id != "x" * 65 else repr(cell_id)
            self.refused(
                [f"cell 2, id: found {found}; expected 1 to 64 letters, digits, '-' or '_'"],
                self.with_cell(id=cell_id),
            )

    def test_a_source_is_a_list_of_lines(self):
        for source, found in (("x", "'x'"), ([1], "[1]"), (["a", None], "['a', None]"), ({}, "{}")):
            self.refused([f"cell 2, source: found {found}; expected a list of lines"], self.with_cell(source=source))

    def test_from_a_folder(self):
        folder = temporary_folder(self)
        self.assert_refused([f"{NAME}: found no such file; expected a regular file"], notebook.load, folder)
        document = notebook.document([notebook.code("c", "1")])
        (folder / NAME).write_bytes(notebook.to_bytes(document))
        self.assertEqual(document, notebook.load(folder))
