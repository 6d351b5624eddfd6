"""Running cells one at a time, as the page in the browser does."""

from __future__ import annotations

import json
import unittest

from scenario_ratio import cells


def run(*sources: str) -> list[list[dict]]:
    """Run cells in one session; return the outputs of each, as the page gets them."""
    session = cells.Session()
    return [json.loads(session.run_to_json(source, f"cell {n}")) for n, source in enumerate(sources, 1)]


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
        outputs, error = cells.Session().run("print('a')\nraise KeyboardInterrupt", "cell 1")
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
