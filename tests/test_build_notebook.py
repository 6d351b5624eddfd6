"""The notebook before it is run, and what is demanded of one that is read."""

from __future__ import annotations

import ast
import json
import re

import build_notebook
from scenario_ratio.files import read_json
from scenario_ratio.notebook import document as notebook
from tests.support import ROOT, BundleCase


class Built(BundleCase):
    def setUp(self):
        self.results = read_json(ROOT, "results.json")
        self.document = json.loads(build_notebook.build(self.results))

    def test_six_sections_each_with_a_paragraph_and_a_cell(self):
        kinds = [cell["cell_type"] for cell in self.document["cells"]]
        self.assertEqual(["markdown"] + ["markdown", "code"] * 6, kinds)
        self.assertEqual(13, len({cell["id"] for cell in self.document["cells"]}))

    def test_nothing_has_run(self):
        for cell in self.document["cells"]:
            if cell["cell_type"] == "code":
                self.assertEqual((None, []), (cell["execution_count"], cell["outputs"]))

    def test_prose_names_the_round_and_the_commit_of_the_results(self):
        results = {**self.results, "round": "v0.1"}
        title = "".join(json.loads(build_notebook.build(results))["cells"][0]["source"])
        self.assertIn("MLPerf® Inference v0.1, results repository at `4bb63cd28eb136be221bc801a9e38c66c8a7553f`", title)
        self.assertIn("Result not verified by MLCommons Association.", title)

    def test_no_digit_is_typed_in_the_prose(self):
        texts = [build_notebook.TITLE] + [text for _, text, _ in build_notebook.SECTIONS]
        self.assertEqual([], [text for text in texts if re.search(r"\d", text.replace("99th", ""))])

    def test_cells_parse_and_hold_no_result(self):
        for cell_id, _, source in build_notebook.SECTIONS:
            numbers = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
            typed = {value for value in numbers if isinstance(value, (int, float)) and not isinstance(value, bool)}
            with self.subTest(cell=cell_id):
                self.assertLessEqual(typed, {0, 1, 100, 1_000_000})


class Read(BundleCase):
    def parse(self, **changes: object) -> dict:
        cell = {**notebook.code("a", "x = 1"), **changes.pop("cell", {})}
        return notebook.parse(json.dumps({**notebook.document([cell]), **changes}).encode())

    def test_what_was_written_is_read(self):
        self.assertEqual(["x = 1"], self.parse()["cells"][0]["source"])

    def test_what_is_not_a_notebook_of_this_form(self):
        for changes, line in (
            ({"nbformat_minor": 4}, "analysis.ipynb: nbformat: found (4, 4); expected (4, 5)"),
            ({"cells": [1]}, "analysis.ipynb: cell 1: found 1; expected an object"),
            (
                {"cell": {"cell_type": "raw"}},
                "analysis.ipynb: cell 1, cell_type: found 'raw'; expected markdown or code",
            ),
            (
                {"cell": {"id": "a b"}},
                "analysis.ipynb: cell 1, id: found 'a b'; expected 1 to 64 letters, digits, '-' or '_'",
            ),
            ({"cell": {"source": "x"}}, "analysis.ipynb: cell 1, source: found 'x'; expected a list of lines"),
        ):
            with self.subTest(line):
                self.assert_refused([line], self.parse, **changes)

    def test_outputs_of_another_form(self):
        expected = "expected a stream or an execute_result, its texts as lists of lines"
        error = {"output_type": "error", "ename": "E", "evalue": "", "traceback": []}
        for outputs, line in (
            (None, "outputs: found None; expected a list of outputs"),
            ([1], f"output 1: found 1; {expected}"),
            (
                [{"output_type": "stream", "name": "stdout", "text": ["a"]}, error],
                f"output 2: found 'error'; {expected}",
            ),
            ([{"output_type": "stream", "text": ["a"]}], f"output 1: found 'stream'; {expected}"),
            ([{"output_type": "stream", "name": "stdout", "text": "a"}], f"output 1: found 'stream'; {expected}"),
            ([{"output_type": "execute_result"}], f"output 1: found 'execute_result'; {expected}"),
            (
                [{"output_type": "execute_result", "data": {"text/plain": [1]}}],
                f"output 1: found 'execute_result'; {expected}",
            ),
        ):
            with self.subTest(line):
                self.assert_refused([f"analysis.ipynb: cell 1, {line}"], self.parse, cell={"outputs": outputs})

    def test_no_object_and_no_json(self):
        self.assert_refused(
            ["analysis.ipynb: found []; expected a notebook with a list of cells"], notebook.parse, b"[]"
        )
        self.assert_refused(
            ["analysis.ipynb: line 1: found Expecting value at column 1; expected strict JSON"], notebook.parse, b""
        )


class Lines(BundleCase):
    def test_lines_keep_their_ends(self):
        for text, expected in (("", []), ("a", ["a"]), ("a\n", ["a\n"]), ("a\n\nb", ["a\n", "\n", "b"])):
            self.assertEqual(expected, notebook.lines(text))

    def test_only_line_feeds_end_a_line(self):
        self.assertEqual(["a\u2028b\x0cc\n", "d"], notebook.lines("a\u2028b\x0cc\nd"))
