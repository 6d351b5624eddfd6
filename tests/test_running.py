"""Running cells as a kernel would, one at a time as the page does, and the whole notebook with its saved outputs."""

from __future__ import annotations

import json
import os
import sys
import unittest

from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import Bundle
from scenario_ratio.notebook import document as notebook
from scenario_ratio.notebook import running
from scenario_ratio.problems import BundleError
from tests.support import ROOT, BundleCase, copied_bundle, run, temporary_folder

try:
    import nbclient
    import nbformat
except ImportError:
    nbclient = nbformat = None

NAME, CELLS = "analysis.ipynb", "scenario_ratio/text/notebook.py"

# What the saved notebook must print, by cell: the figures of the published analysis.
PUBLISHED = {
    "verify-code": [
        "upstream files with the length and the digests that the record has: 295",
        "    obtained as sha256-published: 1", "    obtained as reserialized: 1", "    obtained as fork-copy: 293",
        "CSV/JSON rows cross-checked: 492",
    ],
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


def run_cells(*sources: str) -> list[list[dict]]:
    """Run cells in one session; return the outputs of each, as the page gets them."""
    session = running.Session()
    return [json.loads(session.run_to_json(source, f"cell {n}")) for n, source in enumerate(sources, 1)]


def executed(*sources: str) -> list[dict]:
    """Run a notebook of code cells with these sources in the project's folder; return its cells."""
    document = notebook.document([notebook.code(f"c{number}", source) for number, source in enumerate(sources)])
    return running.execute(document, ROOT)["cells"]


def stream(name: str, *lines: str) -> dict:
    return {"output_type": "stream", "name": name, "text": list(lines)}


def result(count: int, **data: list) -> dict:
    return {"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": data}


class Outputs(BundleCase):
    def test_streams_are_joined_while_they_stay_the_same(self):
        source = (
            "import sys\nprint('a')\nprint('b')\nprint('c', file=sys.stderr)\nprint('d', end='')\n"
            "x = sys.stdout.write('ef')\nx"
        )
        expected = [
            stream("stdout", "a\n", "b\n"),
            stream("stderr", "c\n"),
            stream("stdout", "def"),
            result(1, **{"text/plain": ["2"]}),
        ]
        self.assertEqual([expected], run_cells(source))

    def test_only_the_value_of_a_last_expression_is_shown(self):
        for source in ("None", "1;", "1; ", "x = 1", "", "# only a comment", "def f():\n    1", "1\nx = 2"):
            with self.subTest(source):
                self.assertEqual([[]], run_cells(source))
        self.assertEqual([[result(1, **{"text/plain": ["2"]})]], run_cells("1\n2"))
        self.assertEqual([[], [result(2, **{"text/plain": ["'a\\nb'"]})]], run_cells("x = 'a\\nb'", "x"))

    def test_every_form_in_which_a_value_offers_itself(self):
        source = """class Rich:
    def _repr_html_(self): return '<p>\\n</p>'
    def _repr_markdown_(self): return '*m*'
    def _repr_svg_(self): return '<svg/>\\n'
    def _repr_latex_(self): return '$l$'
    def __repr__(self): return 'r'
Rich()"""
        forms = {
            "text/html": ["<p>\n", "</p>"],
            "text/markdown": ["*m*"],
            "image/svg+xml": ["<svg/>\n"],
            "text/latex": ["$l$"],
            "text/plain": ["r"],
        }
        self.assertEqual([[result(1, **forms)]], run_cells(source))
        ((output,),) = run_cells(source.replace("'*m*'", "None"))
        self.assertEqual({mime: text for mime, text in forms.items() if mime != "text/markdown"}, output["data"])

    def test_a_class_is_shown_by_its_repr_not_by_its_objects_forms(self):
        ((output,),) = run_cells("class F:\n def _repr_svg_(self): return 'x'\nF")
        self.assertEqual({"text/plain": ["<class '__main__.F'>"]}, output["data"])

    def test_cells_share_one_namespace_that_is_the_main_one(self):
        outputs = run_cells("x = 1", "x += 2", "x, __name__, __builtins__ is not None")
        self.assertEqual([[], [], [result(3, **{"text/plain": ["(3, '__main__', True)"]})]], outputs)

    def test_what_a_stream_may_be_asked(self):
        ((output,),) = run_cells(
            "import sys\nprint('', end='')\nsys.stdout.writable(), sys.stderr.writable(), sys.stdout.readable()"
        )
        self.assertEqual({"text/plain": ["(True, True, False)"]}, output["data"])

    def test_text_that_no_utf_8_holds_reaches_the_page(self):
        self.assertEqual([[stream("stdout", "\ud800\n")]], run_cells("print('\\ud800')"))


class Errors(BundleCase):
    def test_the_traceback_begins_in_the_cell_and_shows_its_lines(self):
        (outputs,) = run_cells("def f():\n    raise KeyError('k')\nprint('before')\nf()")
        printed, error = outputs
        self.assertEqual(stream("stdout", "before\n"), printed)
        self.assertEqual(("error", "KeyError", "'k'"), (error["output_type"], error["ename"], error["evalue"]))
        marked = [line for line in error["traceback"] if set(line.strip()) - set("~^")]  # Python 3.11 marks the place
        self.assertEqual(
            [
                "Traceback (most recent call last):\n",
                '  File "cell 1", line 4, in <module>\n',
                "    f()\n",
                '  File "cell 1", line 2, in f\n',
                "    raise KeyError('k')\n",
                "KeyError: 'k'\n",
            ],
            marked,
        )

    def test_a_cell_that_cannot_be_parsed_names_its_line(self):
        ((error,),) = run_cells("x = 1\ny = = 2")
        self.assertEqual("SyntaxError", error["ename"])
        self.assertEqual('  File "cell 1", line 2\n', error["traceback"][0])
        ((error,),) = run_cells(" x")
        self.assertEqual(
            ("error", "IndentationError", "unexpected indent (cell 1, line 1)"),
            (error["output_type"], error["ename"], error["evalue"]),
        )

    def test_exits_and_interrupts_are_errors_of_the_cell(self):
        names = [
            outputs[-1]["ename"] for outputs in run_cells("raise SystemExit(1)", "raise KeyboardInterrupt", "exit()")
        ]
        self.assertEqual(["SystemExit", "KeyboardInterrupt", "SystemExit"], names)

    def test_a_display_that_fails_is_an_error_of_the_cell(self):
        for method, name in (
            ("__repr__(self): return 1 / 0", "ZeroDivisionError"),
            ("_repr_html_(self): return 1 / 0", "ZeroDivisionError"),
            ("_repr_html_(self): return 7", "TypeError"),  # a form that is no text
        ):
            with self.subTest(method):
                printed, error = run_cells(f"class A:\n    def {method}\nprint('a')\nA()")[0]
                self.assertEqual((stream("stdout", "a\n"), name), (printed, error["ename"]))

    def test_what_was_defined_before_the_error_stays(self):
        outputs = run_cells("kept = 3\n1 / 0", "kept")
        self.assertEqual([result(2, **{"text/plain": ["3"]})], outputs[1])

    def test_cells_count_whether_they_fail_or_not(self):
        self.assertEqual([result(2, **{"text/plain": ["'x'"]})], run_cells("1 / 0", "'x'")[1])

    def test_the_error_is_handed_over_with_what_was_printed_before(self):
        outputs, error = running.Session().run("print('a')\nraise KeyboardInterrupt", "cell 1")
        self.assertEqual([stream("stdout", "a\n")], outputs)
        self.assertIsInstance(error, KeyboardInterrupt)


class Executing(BundleCase):
    def test_code_cells_are_counted_and_keep_their_outputs_and_prose_stays(self):
        prose = notebook.markdown("m", "1 / 0")
        document = notebook.document([prose, notebook.code("a", "x = 1\nprint(x)"), prose, notebook.code("b", "x + 1")])
        expected = [
            prose,
            {**document["cells"][1], "execution_count": 1, "outputs": [stream("stdout", "1\n")]},
            prose,
            {**document["cells"][3], "execution_count": 2, "outputs": [result(2, **{"text/plain": ["2"]})]},
        ]
        before = json.dumps(document)
        self.assertEqual({**document, "cells": expected}, running.execute(document, ROOT))
        self.assertEqual(before, json.dumps(document))

    def test_the_working_directory_is_the_folder_and_is_put_back(self):
        folder, before, path = temporary_folder(self), os.getcwd(), list(sys.path)
        (folder / "beside_it.py").write_text("x = 'imported'\n")
        source = "import beside_it\nfrom pathlib import Path\nprint(Path.cwd(), beside_it.x)"
        for failing in ("", "\n1 / 0"):
            document = notebook.document([notebook.code("a", source + failing)])
            if failing:
                self.assertRaises(BundleError, running.execute, document, folder)
            else:
                (cell,) = running.execute(document, folder)["cells"]
                self.assertEqual([stream("stdout", f"{folder} imported\n")], cell["outputs"])
            self.assertEqual((before, path), (os.getcwd(), sys.path))

    def test_a_cell_that_raises_is_named(self):
        for source, found in (
            ("x = 1\n1 / 0", "ZeroDivisionError: division by zero"),
            ("raise SystemExit(3)", "SystemExit: 3"),
            ("x =", "SyntaxError: invalid syntax (cell 2 (c1), line 1)"),
            ("class F:\n def __repr__(self): raise ValueError('a\\nb')\nF()", "ValueError: a b"),
        ):
            with self.subTest(source):
                line = f"{NAME}: cell 2 (c1): found {found}; expected a cell that runs. The notebook is as it was."
                self.assert_refused([line], executed, "y = 1", source, "print('never')")

    def test_an_interrupt_ends_the_run(self):
        with self.assertRaises(KeyboardInterrupt):
            executed("raise KeyboardInterrupt")

    def test_the_script_leaves_the_file_as_it_was_if_a_cell_fails(self):
        root = copied_bundle(self)
        text = (root / CELLS).read_text(encoding="utf-8")
        (root / CELLS).write_text(
            text.replace('print("Matched fields:"', 'nothing\nprint("Matched fields:"'), encoding="utf-8"
        )
        before = (root / NAME).read_bytes()
        finished = run(root / "execute_notebook.py")
        self.assertEqual((1, ""), (finished.returncode, finished.stdout))
        self.assertEqual(
            f"{NAME}: cell 5 (compare-code): found NameError: name 'nothing' is not defined; expected a cell that runs. "
            "The notebook is as it was.\n",
            finished.stderr,
        )
        self.assertEqual(before, (root / NAME).read_bytes())


class Saved(BundleCase):
    """The notebook of the project with its saved outputs."""

    @classmethod
    def setUpClass(cls):
        cls.raw = (ROOT / NAME).read_bytes()
        cls.cells = {cell["id"]: cell for cell in notebook.parse(cls.raw)["cells"]}

    def text_of(self, cell_id: str) -> str:
        return "".join(line for output in self.cells[cell_id]["outputs"] for line in output.get("text", []))

    def output_folder(self, **contents: bytes) -> Bundle:
        """Return the bundle with derived files in a folder of their own, the named ones with other contents."""
        output = temporary_folder(self)
        for name in ("results.json", "scenario-ratios.svg", NAME):
            (output / name).write_bytes(contents.get(name, (ROOT / name).read_bytes()))
        return Bundle(ROOT, output, ARTIFACTS)

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
        self.assertEqual(self.raw, running.make_notebook(Bundle(ROOT, artifacts=ARTIFACTS)))

    def test_derived_files_in_another_folder(self):
        self.assertEqual(self.raw, running.make_notebook(self.output_folder()))

    def test_a_changed_derived_file_is_noticed(self):
        line = (
            f"{NAME}: cell 11 (never-paired-code): found AssertionError: the saved files are not what this notebook "
            "computes; expected a cell that runs. The notebook is as it was."
        )
        for name, before, after in (
            ("results.json", b'"retrieved": "2026-', b'"retrieved": "2025-'),
            ("scenario-ratios.svg", b"85.36%", b"85.37%"),
        ):
            with self.subTest(name):
                raw = (ROOT / name).read_bytes()
                self.assertIn(before, raw)
                bundle = self.output_folder(**{name: raw.replace(before, after)})
                self.assert_refused([line], running.make_notebook, bundle)


@unittest.skipIf(nbclient is None, "needs nbclient, nbformat and ipykernel (requirements-dev.txt)")
class Jupyter(BundleCase):
    def test_the_saved_notebook_is_valid(self):
        document = nbformat.read(ROOT / NAME, as_version=nbformat.NO_CONVERT)
        nbformat.validate(document)
        self.assertEqual((4, 5), (document.nbformat, document.nbformat_minor))

    def test_saving_it_in_jupyter_changes_no_byte(self):
        text = (ROOT / NAME).read_text(encoding="utf-8")
        self.assertEqual(text, nbformat.writes(nbformat.reads(text, as_version=4)) + "\n")

    def test_a_real_kernel_gives_the_same_outputs_cell_by_cell(self):
        built = notebook.to_bytes(notebook.new(Bundle(ROOT, artifacts=ARTIFACTS)))
        fresh = nbformat.reads(built.decode("utf-8"), as_version=4)
        options = {"timeout": 120, "kernel_name": "python3", "resources": {"metadata": {"path": str(ROOT)}}}
        # A kernel sends what is printed five times a second; joined, it is one output again, as Jupyter saves it.
        client = nbclient.NotebookClient(fresh, coalesce_streams=True, **options)
        client.execute()
        written = json.loads(nbformat.writes(fresh))
        saved = json.loads((ROOT / NAME).read_text(encoding="utf-8"))
        for ours, theirs in zip(saved["cells"], written["cells"]):
            with self.subTest(cell=ours["id"]):
                self.assertEqual(ours.get("outputs"), theirs.get("outputs"))
                self.assertEqual(ours.get("execution_count"), theirs.get("execution_count"))
        self.assertEqual(len(saved["cells"]), len(written["cells"]))


if __name__ == "__main__":
    unittest.main()
