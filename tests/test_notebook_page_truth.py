"""What the notebook's page says of its results is so, and what a reader writes there is not lost: in a real Chromium."""

from __future__ import annotations

import json
import unittest
from unittest import mock

import nbformat

import serve
from tests.browser import needs_axe, needs_pyodide
from tests.test_notebook_page_browser import ENDLESS, STALE, BrowserCase, NotebookVisit, saved_outputs

SAVED = "saved output"
SAME = "run here in s, the same as saved"
OTHER_CODE = "run here in s, code other than saved"
OTHER_OUTPUT = "run here in s, output other than saved"
FAILED = "run here in s, ended by an error"
EDITED = "; stale: its code has changed since"
BELOW = "run here in s; stale: cell {} above has changed since"
NO_STORAGE = (
    """Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });"""
)


class Cells(BrowserCase):
    def added(self, visit: NotebookVisit, cell: int, text: str) -> None:
        """Write a line below a cell's code."""
        visit.write(cell, visit.page.input_value(f"#code-{cell}") + "\n" + text)


class BeforeRunning(Cells):
    def test_an_edited_cell_and_those_below_are_stale_until_the_edit_is_taken_back(self):
        visit = self.visit()
        code = visit.page.input_value("#code-3")
        visit.write(3, code + " ")
        self.assertEqual([SAVED, SAVED, SAVED + EDITED] + [STALE.format(3)] * 3, visit.marks())
        stale = "cells => cells.map(cell => cell.classList.contains('stale'))"
        self.assertEqual([False] * 2 + [True] * 4, visit.page.eval_on_selector_all(".cell", stale))
        visit.write(3, code)
        self.assertEqual([SAVED] * 6, visit.marks())
        self.assertEqual([False] * 6, visit.page.eval_on_selector_all(".cell", stale))

    def test_the_first_screen_holds_title_run_and_the_first_cell_and_the_foot_is_one_link_away(self):
        # On a phone the first code may stand below the words that open it.
        for width, height, cell in ((1280, 800, "label[for='code-1']"), (390, 844, "main section h2")):
            visit = self.visit(viewport={"width": width, "height": height})
            for part in ("h1", "[data-action='run-all']", "#state", cell):
                box = visit.page.locator(part).first.bounding_box()
                self.assertLess(box["y"] + box["height"], height, (part, width))
            visit.page.click("header a")
            self.assertTrue(visit.page.locator("#about h2").is_visible())
            top = visit.page.evaluate("document.querySelector('#about h2').getBoundingClientRect().top")
            self.assertTrue(-1 < top < height, top)  # a browser scrolls to whole pixels

    @needs_axe
    def test_nothing_is_found_against_wcag_where_results_are_stale(self):
        for scheme in ("light", "dark"):
            visit = self.visit(color_scheme=scheme, viewport={"width": 390, "height": 844})
            self.added(visit, 1, "1")
            self.assertEqual([], visit.violations())
            self.assertEqual(0, visit.overflow())


@needs_pyodide
class Results(Cells):
    """One Python in which all cells have run before each test."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.reader = NotebookVisit(cls.browser, cls.url)
        cls.addClassCleanup(cls.reader.context.close)

    def setUp(self):
        self.reader.press("restore-all")
        self.reader.press("run-all")
        self.reader.wait_for_state("Cell 6: run here")

    def test_the_comparison_goes_as_soon_as_the_code_is_edited(self):
        self.assertEqual([SAME] * 6, self.reader.marks())
        self.added(self.reader, 2, "# a remark")
        self.assertEqual([SAME, "run here in s" + EDITED] + [BELOW.format(2)] * 4, self.reader.marks())

    def test_what_ran_is_compared_code_and_output_and_cells_below_are_stale_until_they_run(self):
        self.added(self.reader, 2, "# a remark")
        self.reader.run(2)  # gives the same output
        self.assertEqual(saved_outputs(self.root)[1], self.reader.outputs()[1])
        self.assertEqual([SAME, OTHER_CODE] + [BELOW.format(2)] * 4, self.reader.marks())
        self.reader.run(3)
        self.assertEqual([SAME, OTHER_CODE, SAME] + [BELOW.format(2)] * 3, self.reader.marks())

    def test_saved_code_whose_output_is_another_is_told_so(self):
        self.added(self.reader, 2, "pairs = pairs[:]; wording.percent = str")
        self.reader.run(2)
        self.reader.run(3)
        self.assertEqual([SAME, OTHER_CODE, OTHER_OUTPUT], self.reader.marks()[:3])
        self.reader.press("restart")

    def test_an_edit_made_while_the_cell_runs_is_not_what_ran(self):
        self.reader.write(2, "import time\ntime.sleep(1)\nprint('ran')")
        self.reader.press("run", 2)
        self.reader.wait_for_state("Cell 2 is running")
        self.reader.write(2, "print('not yet')")
        self.reader.wait_for_state("Cell 2: run here")
        self.assertEqual([["stdout", "ran\n"]], self.reader.outputs()[1])
        self.assertEqual("run here in s" + EDITED, self.reader.marks()[1])

    def test_a_failed_cell_says_what_it_kept_from_running_and_does_not_keep_it_for_good(self):
        self.added(self.reader, 2, "1 / 0")
        self.reader.press("run-all")
        told = self.reader.wait_for_state("Cell 2: Zero")
        self.assertEqual("Cell 2: ZeroDivisionError: division by zero. Cells 3, 4, 5 and 6 were not run.", told)
        not_run = BELOW.format(2) + "; not run, since cell 2 failed"
        self.assertEqual([SAME, FAILED] + [not_run] * 4, self.reader.marks())
        self.reader.run(3)
        self.assertEqual([SAME, FAILED, SAME] + [BELOW.format(2)] * 3, self.reader.marks())
        self.assertEqual(["[7]", "[8]", "[9]", "[4]", "[5]", "[6]"], self.relative_counts())

    def relative_counts(self) -> list[str]:
        """Return the counts as if Python had started with this test: six cells ran before it."""
        counts = [int(count.strip("[]")) for count in self.reader.counts()]
        return [f"[{count - max(counts) + 9}]" for count in counts]

    def test_restart_and_run_all_counts_from_one_in_a_new_python(self):
        self.reader.run(2, "kept = 5")
        self.reader.press("restore", 2)
        self.reader.press("restart-all")
        self.reader.wait_for_state("Cell 6: run here")
        self.assertEqual([SAME] * 6, self.reader.marks())
        self.assertEqual([f"[{number}]" for number in range(1, 7)], self.reader.counts())
        self.assertEqual([["stdout", "False\n"]], self.reader.run(2, "print('kept' in globals())"))
        self.assertEqual("[7]", self.reader.counts()[1])

    def test_run_to_a_cell_runs_all_down_to_it_and_none_below(self):
        before = self.reader.counts()
        self.reader.press("run-to", 3)
        self.reader.page.wait_for_function(
            "([count]) => Number(document.querySelector('#cell-3 .count').textContent.slice(1, -1)) > count",
            arg=[int(before[5].strip("[]"))],
        )
        last = int(before[5].strip("[]"))
        self.assertEqual([f"[{last + number}]" for number in (1, 2, 3)] + before[3:], self.reader.counts())
        self.assertEqual([SAME] * 6, self.reader.marks())  # what ran again is as saved, so those below rest on it

    def test_a_cell_that_runs_shows_a_star_for_its_count(self):
        self.reader.write(2, "import time\ntime.sleep(1)")
        self.reader.press("run", 2)
        self.reader.wait_for_state("Cell 2 is running")
        self.assertEqual("[*]", self.reader.counts()[1])
        self.reader.wait_for_state("Cell 2: run here")

    def test_a_restored_cell_runs_before_those_below_since_python_holds_what_the_edit_made(self):
        self.added(self.reader, 2, "pairs = []")
        self.reader.run(2)
        self.reader.press("restore", 2)
        self.reader.run(3)
        self.assertEqual([SAME] * 3, self.reader.marks()[:3])
        self.assertEqual(saved_outputs(self.root)[2], self.reader.outputs()[2])

    def test_the_download_of_an_unedited_notebook_is_the_bundles_also_after_it_has_run(self):
        self.assertEqual((self.root / "analysis.ipynb").read_bytes(), self.reader.downloaded())
        self.assertEqual("Downloaded, with code and outputs as shown.", self.reader.state())

    def test_the_download_has_edits_and_outputs_and_is_a_valid_notebook(self):
        self.reader.run(2, "print('a')\n'é' * 2")
        self.reader.run(3, "1 / 0")
        self.reader.write(4, "# not run")
        raw = self.reader.downloaded()
        self.assertEqual("Downloaded, without outputs of cell 4, whose code has changed since.", self.reader.state())
        nbformat.validate(nbformat.reads(raw.decode("utf-8"), as_version=4))
        found = json.loads(raw)
        saved = json.loads((self.root / "analysis.ipynb").read_bytes())
        counts = [int(count.strip("[]")) for count in self.reader.counts()]
        edited, failed, unrun = (found["cells"][index] for index in (4, 6, 8))
        self.assertEqual(["print('a')\n", "'é' * 2"], edited["source"])
        self.assertEqual(
            [
                {"name": "stdout", "output_type": "stream", "text": ["a\n"]},
                {
                    "data": {"text/plain": ["'éé'"]},
                    "execution_count": counts[1],
                    "metadata": {},
                    "output_type": "execute_result",
                },
            ],
            edited["outputs"],
        )
        self.assertEqual(
            (counts[1], counts[2], None), tuple(cell["execution_count"] for cell in (edited, failed, unrun))
        )
        (error,) = failed["outputs"]
        self.assertEqual(("ZeroDivisionError", "division by zero"), (error["ename"], error["evalue"]))
        self.assertEqual("Traceback (most recent call last):", error["traceback"][0])
        self.assertEqual([["# not run"], []], [unrun["source"], unrun["outputs"]])
        same = (0, 1, 2, 3, 5, 7, 9, 10, 11, 12)
        self.assertEqual([saved["cells"][index] for index in same], [found["cells"][index] for index in same])
        written = json.dumps(found, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        self.assertEqual(written.encode("utf-8"), raw)  # in the form in which Jupyter saves

    @needs_axe
    def test_nothing_is_found_against_wcag_after_a_failure(self):
        self.added(self.reader, 2, "1 / 0")
        self.reader.press("run-all")
        self.reader.wait_for_state("Cell 2: Zero")
        self.assertEqual([], self.reader.violations())

    @needs_axe
    def test_nothing_is_found_against_wcag_while_a_cell_runs_and_others_wait(self):
        self.reader.write(2, ENDLESS)
        self.reader.press("run-all")
        self.reader.wait_for_state("Cell 2 is running")
        self.assertEqual(["[*]"], [count for count in self.reader.counts() if not count[1:-1].isdigit()])
        self.assertEqual([], self.reader.violations())
        self.reader.press("stop")
        self.reader.wait_for_state("Cell 2: KeyboardInterrupt")


class Kept(Cells):
    def test_an_edit_is_there_after_a_reload_until_it_is_restored(self):
        visit = self.visit()
        saved = visit.page.input_value("#code-2")
        visit.write(2, "print('mine')\n# and more")
        visit.page.reload()
        self.assertEqual("print('mine')\n# and more", visit.page.input_value("#code-2"))
        self.assertEqual("2", visit.page.get_attribute("#code-2", "rows"))
        self.assertEqual([SAVED, SAVED + EDITED] + [STALE.format(2)] * 4, visit.marks())
        start = "Your edits of cell 2 are back, as this browser kept them. Nothing has run yet."
        self.assertEqual(start, visit.state()[: len(start)])
        visit.press("restore", 2)
        visit.page.reload()
        self.assertEqual(saved, visit.page.input_value("#code-2"))
        self.assertTrue(visit.state().startswith("Nothing has run yet."), visit.state())
        self.assertEqual([], visit.asked)  # neither leaving nor restoring one cell is asked about

    def test_restoring_all_is_asked_about_where_edits_would_be_lost(self):
        visit = self.visit()
        visit.press("restore-all")
        self.assertEqual([], visit.asked)
        visit.write(2, "two")
        visit.write(5, "five")
        visit.page.remove_listener("dialog", visit.answer)
        visit.page.once("dialog", lambda dialog: dialog.dismiss())
        visit.press("restore-all")
        self.assertEqual("two", visit.page.input_value("#code-2"))
        visit.page.on("dialog", visit.answer)
        visit.press("restore-all")
        self.assertEqual(["Give up your edits of cells 2 and 5?"], visit.asked)
        self.assertEqual([SAVED] * 6, visit.marks())
        self.assertEqual(0, visit.page.evaluate("localStorage.length"))

    def test_another_edition_takes_up_nothing(self):
        visit = self.visit()
        visit.write(2, "mine")
        digest = visit.page.get_attribute("main", "data-sha256").encode()
        other = self.made.replace(digest, b"0" * 64)
        with mock.patch.object(serve.Site, "read", lambda site, name: other):
            visit.page.reload()
        self.assertNotEqual("mine", visit.page.input_value("#code-2"))
        visit.page.reload()
        self.assertEqual("mine", visit.page.input_value("#code-2"))

    def test_where_the_browser_keeps_nothing_the_page_says_so_and_warns_before_it_is_left(self):
        visit = self.visit()
        visit.context.add_init_script(NO_STORAGE)
        visit.page.reload()
        saved = visit.page.input_value("#code-2")
        visit.page.click("#code-2")
        visit.page.keyboard.type("x")
        told = "This browser does not keep your edits. Download the notebook before you leave the page."
        self.assertEqual(told, visit.state())
        visit.page.reload()
        self.assertEqual(["beforeunload"], visit.asked)
        visit.page.click("#code-2")
        visit.write(2, "y")
        visit.write(2, saved)
        visit.page.reload()
        self.assertEqual(["beforeunload"], visit.asked)  # with nothing to lose it is not asked

    def test_the_download_of_an_unedited_notebook_is_the_bundles(self):
        visit = self.visit()
        self.assertEqual((self.root / "analysis.ipynb").read_bytes(), visit.downloaded())


if __name__ == "__main__":
    unittest.main()
