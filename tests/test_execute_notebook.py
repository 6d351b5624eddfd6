"""Running a notebook's cells, what is captured of them, and what a failing cell leaves behind."""

from __future__ import annotations

import json
import unittest

import build_notebook
import execute_notebook
from scenario_ratio.files import read_json
from scenario_ratio.notebook import document as notebook
from tests.support import ROOT, BundleCase, copied_bundle, run, temporary_folder

try:
    import nbclient
    import nbformat
except ImportError:
    nbclient = nbformat = None

PUBLISHED = {
    "verify-code": ["upstream files verified by digest: 295", "CSV/JSON rows cross-checked: 492"],
    "compare-code": [
        "source_rows: 492",
        "closed_rows: 476",
        "eligible_rows: 305",
        "complete_pairs: 152",
        "unmatched_row_ids: ['264']",
        "pairs_with_server_greater_than_offline: 11",
        "rows_with_measured_power: 0",
        "Matched fields: 27",
    ],
    "inspect-code": [
        "59,867.8 / 70,132.3 = 85.36%",
        "100,630.0 / 106,637.0 = 94.37%",
        "106,949.0 / 109,277.0 = 97.87%",
        "899,005.0 / 883,761.0 = 101.72%",
        "12.51",
    ],
    "limits-code": [
        *(f"{row} {model} {scenario}: VALID" for row, model, scenario in (
            (285, "deepseek-r1", "Offline"), (286, "deepseek-r1", "Server"),
            (287, "gpt-oss-120b", "Offline"), (288, "gpt-oss-120b", "Server"),
            (289, "llama2-70b-99.9", "Offline"), (290, "llama2-70b-99.9", "Server"),
            (300, "gpt-oss-120b", "Offline"), (301, "gpt-oss-120b", "Server"),
        )),
        "exact_match: target 80.544618", "TOKENS_PER_SAMPLE: target 3497.6046600000004", "exact_match: target 82.2987",
        "ROUGE1: target 44.3867688", "ROUGE2: target 22.0131648", "ROUGEL: target 28.5875838",
        "TOKENS_PER_SAMPLE: target 265.005",
        "TTFT limit 2000 ms", "TPOT limit 80 ms", "TTFT limit 3000 ms", "TPOT limit 200 ms",
    ],
    "never-paired-code": [
        "recomputed results equal the saved JSON: True", "regenerated SVG equals the saved figure: True",
    ],
}  # fmt: skip


def outputs_of(*sources: str) -> list[list[dict]]:
    """Run code cells with these sources in an empty folder; return the outputs of each."""
    document = notebook.document([notebook.code(f"c{number}", source) for number, source in enumerate(sources)])
    return [cell["outputs"] for cell in execute_notebook.execute(document, ROOT)["cells"]]


def stream(name: str, *lines: str) -> dict:
    return {"output_type": "stream", "name": name, "text": list(lines)}


def result(count: int, **data: list) -> dict:
    return {"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": data}


class Capturing(BundleCase):
    def test_streams_are_joined_while_they_stay_the_same(self):
        source = "import sys\nprint('a')\nprint('b', end='')\nprint('c', file=sys.stderr)\nprint('d')"
        expected = [stream("stdout", "a\n", "b"), stream("stderr", "c\n"), stream("stdout", "d\n")]
        self.assertEqual([expected], outputs_of(source))

    def test_the_last_expression_is_a_result_with_its_count(self):
        expected = [[], [result(2, **{"text/plain": ["'a\\nb'"]})]]
        self.assertEqual(expected, outputs_of("x = 'a\\nb'", "x"))

    def test_no_result(self):
        for source in ("None", "1;", "1; ", "x = 1", "", "# only a comment", "def f():\n    1"):
            with self.subTest(source):
                self.assertEqual([[]], outputs_of(source))

    def test_rich_forms_stand_beside_the_repr(self):
        source = "class F:\n def _repr_svg_(self): return '<svg/>\\n'\n def _repr_html_(self): return None\n def __repr__(self): return 'f'\nF()"
        expected = result(1, **{"image/svg+xml": ["<svg/>\n"], "text/plain": ["f"]})
        self.assertEqual([[expected]], outputs_of(source))

    def test_a_class_is_shown_by_its_repr_not_by_its_objects_forms(self):
        (outputs,) = outputs_of("class F:\n def _repr_svg_(self): return 'x'\nF")
        self.assertEqual({"text/plain": ["<class '__main__.F'>"]}, outputs[0]["data"])

    def test_one_namespace_in_order(self):
        self.assertEqual([[], [], [stream("stdout", "3\n")]], outputs_of("x = 1", "x += 2", "print(x)"))

    def test_the_working_directory_is_the_folder_and_is_put_back(self):
        import os

        folder, before = temporary_folder(self), os.getcwd()
        document = notebook.document([notebook.code("a", "from pathlib import Path\nprint(Path.cwd())")])
        (cell,) = execute_notebook.execute(document, folder)["cells"]
        self.assertEqual([f"{folder}\n"], cell["outputs"][0]["text"])
        self.assertEqual(before, os.getcwd())


class Failing(BundleCase):
    def test_a_cell_that_raises_is_named(self):
        for source, found in (
            ("x = 1\n1 / 0", "ZeroDivisionError: division by zero"),
            ("raise SystemExit(3)", "SystemExit: 3"),
            ("x =", "SyntaxError: invalid syntax (cell 2 (c1), line 1)"),
            ("class F:\n def __repr__(self): raise ValueError('a\\nb')\nF()", "ValueError: a b"),
        ):
            with self.subTest(source):
                line = (
                    f"analysis.ipynb: cell 2 (c1): found {found}; expected a cell that runs. The notebook is as it was."
                )
                self.assert_refused([line], outputs_of, "y = 1", source, "print('never')")

    def test_an_interrupt_ends_the_run(self):
        with self.assertRaises(KeyboardInterrupt):
            outputs_of("raise KeyboardInterrupt")

    def test_the_file_stays_as_it_was(self):
        root = copied_bundle(self)
        document = notebook.document([notebook.code("a", "print(1)"), notebook.code("b", "nothing")])
        before = notebook.to_bytes(document)
        (root / "analysis.ipynb").write_bytes(before)
        finished = run(ROOT / "execute_notebook.py", "--root", root)
        self.assertEqual(1, finished.returncode)
        self.assertEqual(
            "analysis.ipynb: cell 2 (b): found NameError: name 'nothing' is not defined; expected a cell that runs. "
            "The notebook is as it was.\n",
            finished.stderr,
        )
        self.assertEqual(before, (root / "analysis.ipynb").read_bytes())


class Saved(BundleCase):
    def setUp(self):
        self.cells = {cell["id"]: cell for cell in notebook.load(ROOT)["cells"]}

    def text_of(self, cell_id: str) -> str:
        return "".join(line for output in self.cells[cell_id]["outputs"] for line in output.get("text", []))

    def test_the_published_facts_are_printed(self):
        for cell_id, facts in PUBLISHED.items():
            for fact in facts:
                with self.subTest(cell=cell_id, fact=fact):
                    self.assertIn(fact, self.text_of(cell_id))

    def test_thirteen_cases_or_more_passed(self):
        counts = dict(
            line.split(" cases passed: ") for line in self.text_of("never-paired-code").split("\n") if "cases" in line
        )
        self.assertEqual({"positive", "rejection", "duplicate"}, set(counts))
        self.assertGreaterEqual(sum(map(int, counts.values())), 13)

    def test_the_figure_is_shown_with_a_text(self):
        (output,) = self.cells["figure-code"]["outputs"]
        self.assertEqual({"image/svg+xml", "text/plain"}, set(output["data"]))
        self.assertEqual(
            (ROOT / "scenario-ratios.svg").read_text(encoding="utf-8"), "".join(output["data"]["image/svg+xml"])
        )
        self.assertIn("85.36%", "".join(output["data"]["text/plain"]))

    def test_the_six_cells_ran_in_order(self):
        counts = [cell["execution_count"] for cell in self.cells.values() if cell["cell_type"] == "code"]
        self.assertEqual([1, 2, 3, 4, 5, 6], counts)

    def test_running_again_gives_the_same_bytes(self):
        fresh = notebook.parse(build_notebook.build(read_json(ROOT, "results.json")))
        self.assertEqual((ROOT / "analysis.ipynb").read_bytes(), execute_notebook.run(fresh, ROOT, ROOT))

    def test_derived_files_in_another_folder(self):
        output = temporary_folder(self)
        for name in ("results.json", "scenario-ratios.svg", "analysis.ipynb"):
            (output / name).write_bytes((ROOT / name).read_bytes())
        made = execute_notebook.outputs(ROOT, output)["analysis.ipynb"]
        self.assertEqual((ROOT / "analysis.ipynb").read_bytes(), made)

    def test_a_changed_derived_file_is_noticed(self):
        output = temporary_folder(self)
        for name in ("scenario-ratios.svg", "analysis.ipynb"):
            (output / name).write_bytes((ROOT / name).read_bytes())
        (output / "results.json").write_bytes((ROOT / "results.json").read_bytes().replace(b"70132.3", b"70132.4"))
        line = (
            "analysis.ipynb: cell 11 (never-paired-code): found AssertionError: the saved files are not what this notebook "
            "computes; expected a cell that runs. The notebook is as it was."
        )
        self.assert_refused([line], execute_notebook.outputs, ROOT, output)


@unittest.skipIf(nbclient is None, "needs nbclient, nbformat and ipykernel (requirements-dev.txt)")
class Jupyter(BundleCase):
    def test_the_saved_notebook_is_valid(self):
        document = nbformat.read(ROOT / "analysis.ipynb", as_version=nbformat.NO_CONVERT)
        nbformat.validate(document)
        self.assertEqual((4, 5), (document.nbformat, document.nbformat_minor))

    def test_saving_it_in_jupyter_changes_no_byte(self):
        text = (ROOT / "analysis.ipynb").read_text(encoding="utf-8")
        self.assertEqual(text, nbformat.writes(nbformat.reads(text, as_version=4)) + "\n")

    def test_a_real_kernel_gives_the_same_outputs_cell_by_cell(self):
        fresh = nbformat.reads(build_notebook.build(read_json(ROOT, "results.json")).decode(), as_version=4)
        client = nbclient.NotebookClient(
            fresh, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}
        )
        client.execute()
        written = json.loads(nbformat.writes(fresh))
        saved = json.loads((ROOT / "analysis.ipynb").read_text(encoding="utf-8"))
        for ours, theirs in zip(saved["cells"], written["cells"]):
            with self.subTest(cell=ours["id"]):
                self.assertEqual(ours.get("outputs"), theirs.get("outputs"))
                self.assertEqual(ours.get("execution_count"), theirs.get("execution_count"))
        self.assertEqual(len(saved["cells"]), len(written["cells"]))
