"""Running cells one at a time, as the page in the browser does."""

from __future__ import annotations

import json
import unittest

from scenario_ratio.notebook import running


def run(*sources: str) -> list[list[dict]]:
    """Run cells in one session; return the outputs of each, as the page gets them."""
    session = running.Session()
    return [json.loads(session.run_to_json(source, f"cell {n}")) for n, source in enumerate(sources, 1)]


class Outputs(unittest.TestCase):
    maxDiff = None

    def test_streams_are_joined_while_they_stay_the_same(self):
        source = "import sys\nprint('a')\nprint('b')\nprint('c', file=sys.stderr)\nprint('d', end='')\nx = sys.stdout.write('ef')\nx"
        expected = [
            {"output_type": "stream", "name": "stdout", "text": ["a\n", "b\n"]},
            {"output_type": "stream", "name": "stderr", "text": ["c\n"]},
            {"output_type": "stream", "name": "stdout", "text": ["def"]},
            {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": ["2"]}},
        ]
        self.assertEqual([expected], run(source))

    def test_only_the_value_of_a_last_expression_is_shown(self):
        for source in ("None", "1;", "1; ", "x = 1", "", "# only a comment", "def f():\n    1", "1\nx = 2"):
            with self.subTest(source):
                self.assertEqual([[]], run(source))
        ((output,),) = run("1\n2")
        self.assertEqual({"text/plain": ["2"]}, output["data"])

    def test_every_form_in_which_a_value_offers_itself(self):
        source = """class Rich:
    def _repr_html_(self): return '<p>\\n</p>'
    def _repr_markdown_(self): return '*m*'
    def _repr_svg_(self): return '<svg/>'
    def _repr_latex_(self): return '$l$'
    def __repr__(self): return 'r'
Rich()"""
        forms = {
            "text/html": ["<p>\n", "</p>"],
            "text/markdown": ["*m*"],
            "image/svg+xml": ["<svg/>"],
            "text/latex": ["$l$"],
            "text/plain": ["r"],
        }
        ((output,),) = run(source)
        self.assertEqual(forms, output["data"])
        ((output,),) = run(source.replace("'*m*'", "None"))
        self.assertEqual({mime: text for mime, text in forms.items() if mime != "text/markdown"}, output["data"])
        ((output,),) = run(source.replace("Rich()", "Rich"))
        self.assertEqual({"text/plain": ["<class '__main__.Rich'>"]}, output["data"])

    def test_cells_share_one_namespace_that_is_the_main_one(self):
        outputs = run("x = 1", "x += 2", "x, __name__, __builtins__ is not None")
        self.assertEqual([[], [], {"text/plain": ["(3, '__main__', True)"]}], [*outputs[:2], outputs[2][0]["data"]])

    def test_a_cell_that_is_no_python(self):
        error = {"output_type": "error", "ename": "IndentationError"}
        ((output,),) = run(" x")
        self.assertEqual(error, {key: output[key] for key in error})
        self.assertEqual("unexpected indent (cell 1, line 1)", output["evalue"])


class Errors(unittest.TestCase):
    def test_the_traceback_begins_in_the_cell_and_shows_its_lines(self):
        (outputs,) = run("def f():\n    raise KeyError('k')\nprint('before')\nf()")
        printed, error = outputs
        self.assertEqual({"output_type": "stream", "name": "stdout", "text": ["before\n"]}, printed)
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
        ((error,),) = run("x = 1\ny = = 2")
        self.assertEqual("SyntaxError", error["ename"])
        self.assertEqual('  File "cell 1", line 2\n', error["traceback"][0])

    def test_exits_and_interrupts_are_errors_of_the_cell(self):
        names = [outputs[-1]["ename"] for outputs in run("raise SystemExit(1)", "raise KeyboardInterrupt", "exit()")]
        self.assertEqual(["SystemExit", "KeyboardInterrupt", "SystemExit"], names)

    def test_a_display_that_fails_is_an_error_of_the_cell(self):
        ((error,),) = run("class A:\n    def __repr__(self):\n        return 1 / 0\nA()")
        self.assertEqual("ZeroDivisionError", error["ename"])

    def test_what_was_defined_before_the_error_stays(self):
        outputs = run("kept = 3\n1 / 0", "kept")
        self.assertEqual({"text/plain": ["3"]}, outputs[1][0]["data"])

    def test_cells_count_whether_they_fail_or_not(self):
        outputs = run("1 / 0", "'x'")
        self.assertEqual(2, outputs[1][0]["execution_count"])

    def test_the_error_is_handed_over_with_what_was_printed_before(self):
        outputs, error = running.Session().run("print('a')\nraise KeyboardInterrupt", "cell 1")
        self.assertEqual(["a\n"], outputs[0]["text"])
        self.assertIsInstance(error, KeyboardInterrupt)

    def test_what_a_stream_may_be_asked(self):
        ((output,),) = run(
            "import sys\nprint('', end='')\nsys.stdout.writable(), sys.stderr.writable(), sys.stdout.readable()"
        )
        self.assertEqual({"text/plain": ["(True, True, False)"]}, output["data"])

    def test_text_that_no_utf_8_holds_reaches_the_page(self):
        ((output,),) = run("print('\\ud800')")
        self.assertEqual(["\ud800\n"], output["text"])


if __name__ == "__main__":
    unittest.main()
