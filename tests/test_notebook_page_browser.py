"""The notebook's page in a real Chromium, with real Python in it."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
import json
import re
import shutil
import tempfile
import threading
import time
import unittest
import zipfile
from pathlib import Path
from unittest import mock

import serve
from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import Bundle
from scenario_ratio.notebook import page as notebook_page
from tests.browser import PYODIDE, Visit, chromium, needs_axe, needs_chromium, needs_pyodide
from tests.support import ROOT, temporary_folder

STALE = "saved output; stale: cell {} above has changed since"
START_MS = 120_000  # for Python to start and a cell to run, on a slow machine
ENDLESS = "print('begun')\nwhile True:\n    pass"
LOSING = "try:\n    while True:\n        pass\nexcept KeyboardInterrupt:\n    print('lost one')\nwhile True:\n    pass"
# Raises where the session has caught what the cell raised, and tells of it: there an interrupt can arrive, too.
LATE = """from scenario_ratio.notebook import running
def interrupted(*_):
    running.json.dumps = kept
    raise KeyboardInterrupt
kept, running.json.dumps = running.json.dumps, interrupted"""
STUBBORN = "while True:\n    try:\n        while True:\n            pass\n    except KeyboardInterrupt:\n        pass"
OUTPUTS = """cells => cells.map(cell => Array.from(cell.querySelector(".shown").children, part =>
  part.tagName === "IMG" ? [part.alt, part.src] : [part.className, part.textContent]))"""
KEEP_STATES = """window.states = [];
new MutationObserver(() => states.push(document.getElementById("state").textContent))
  .observe(document.getElementById("state"), { childList: true });"""


def saved_outputs(root) -> list[list[list[str]]]:
    """Return what the page must show under each code cell, from the notebook file: [class, text] or [text, address]."""
    document = json.loads((root / "analysis.ipynb").read_text(encoding="utf-8"))
    return [[shown(output) for output in cell["outputs"]] for cell in document["cells"] if cell["cell_type"] == "code"]


def shown(output: dict) -> list[str]:
    if output["output_type"] == "stream":
        return [output["name"], "".join(output["text"])]
    svg = "".join(output["data"]["image/svg+xml"]).encode("utf-8")
    address = "data:image/svg+xml;base64," + base64.standard_b64encode(svg).decode("ascii")
    return ["".join(output["data"]["text/plain"]), address]


@contextlib.contextmanager
def serving(root, runtime_folder=PYODIDE):
    """Serve a bundle; give (the page's address, the server)."""
    with serve.server(serve.Site(root, runtime_folder), 0) as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.server_port}/notebook.html", listening
        finally:
            listening.shutdown()
            thread.join()


def copied(folder: str) -> Path:
    """Return a copy of the bundle in ``folder``, without what is made last, as in an unpacked archive."""
    root, made_last = Path(folder).resolve() / "bundle", ("notebook.html", "reproducibility.zip")
    shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(".*", "__pycache__", "node_modules", *made_last))
    return root


class NotebookVisit(Visit):
    """A visit to the notebook's page, with the things a reader does there; ``asked`` are the questions said yes to."""

    def __init__(self, browser, url: str, **options):
        super().__init__(browser, url, **options)
        self.asked: list[str] = []
        self.page.on("dialog", self.answer)

    def answer(self, dialog) -> None:
        self.asked.append(dialog.message or dialog.type)
        dialog.accept()

    def press(self, action: str, cell: int | None = None) -> None:
        within = f"#cell-{cell} " if cell else ""
        self.page.click(f'{within}[data-action="{action}"]')

    def write(self, cell: int, source: str) -> None:
        self.page.fill(f"#code-{cell}", source)

    def outputs(self) -> list:
        return self.page.eval_on_selector_all(".cell", OUTPUTS)

    def marks(self) -> list[str]:
        """Return each output's mark without the seconds in it."""
        texts = self.page.eval_on_selector_all(".mark", "marks => marks.map(mark => mark.textContent)")
        return [re.sub(r"in [0-9.]+ s\b", "in s", text) for text in texts]

    def counts(self) -> list[str]:
        return self.page.eval_on_selector_all(".count", "counts => counts.map(count => count.textContent)")

    def downloaded(self) -> bytes:
        with self.page.expect_download() as download:
            self.press("download")
        assert download.value.suggested_filename == "analysis.ipynb", download.value.suggested_filename
        return Path(download.value.path()).read_bytes()

    def state(self) -> str:
        return self.page.text_content("#state")

    def wait_for_state(self, start: str) -> str:
        condition = "start => document.getElementById('state').textContent.startsWith(start)"
        self.page.wait_for_function(condition, arg=start, timeout=START_MS)
        return self.state()

    def wait_for_no_python(self) -> None:
        """Wait until no worker is left; fails if one stays."""
        deadline = time.monotonic() + START_MS / 1000
        while self.page.workers and time.monotonic() < deadline:
            self.page.wait_for_timeout(20)
        assert not self.page.workers, self.page.workers

    def run(self, cell: int, source: str | None = None) -> list:
        """Run a cell, with ``source`` in it; return its outputs once it has ended."""
        if source is not None:
            self.write(cell, source)
        self.press("run", cell)
        self.wait_for_state(f"Cell {cell}: ")  # what is said from the press until then begins otherwise
        return self.outputs()[cell - 1]


@needs_chromium
class BrowserCase(unittest.TestCase):
    """A copy of the bundle that is served, and a browser, for a class of tests."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.root = copied(cls.entered(tempfile.TemporaryDirectory()))
        bundle = Bundle(cls.root, artifacts=ARTIFACTS)
        cls.archive, cls.made = bundle.read("reproducibility.zip"), bundle.read("notebook.html")
        cls.url, cls.server = cls.entered(serving(cls.root))
        cls.browser = cls.entered(chromium())

    @classmethod
    def entered(cls, manager):
        value = manager.__enter__()
        cls.addClassCleanup(manager.__exit__, None, None, None)
        return value

    def visit(self, url: str | None = None, **options) -> NotebookVisit:
        visit = NotebookVisit(self.browser, url or self.url, **options)
        self.addClassCleanup(visit.context.close)
        return visit


class BeforeRunning(BrowserCase):
    def test_everything_saved_is_shown_and_only_the_page_is_asked_for(self):
        visit = self.visit()
        self.assertEqual(saved_outputs(self.root), visit.outputs())
        self.assertEqual(["saved output"] * 6, visit.marks())
        self.assertEqual([self.url], visit.requests)
        self.assertEqual([], visit.console)
        self.assertEqual([], visit.page.workers)
        self.assertIn("Nothing has run yet.", visit.state())
        self.assertTrue(visit.page.is_visible("#cell-6 img"))
        self.assertGreater(visit.page.evaluate("document.querySelector('#cell-6 img').naturalWidth"), 0)

    def test_without_javascript_everything_saved_is_shown_with_what_to_type(self):
        self.check_cannot_run(self.visit(java_script_enabled=False))

    def test_opened_as_a_file_everything_saved_is_shown_with_what_to_type(self):
        page = temporary_folder(self) / "notebook.html"
        page.write_bytes(self.made)
        visit = self.visit(page.as_uri())
        self.check_cannot_run(visit)
        self.assertEqual([], visit.console)

    def check_cannot_run(self, visit: NotebookVisit) -> None:
        texts = [[text for _, text in outputs] for outputs in saved_outputs(self.root)[:5]]
        found = [
            [part.text_content() for part in cell.query_selector_all("pre")]
            for cell in visit.page.query_selector_all(".cell")
        ]
        self.assertEqual([*texts, []], found)
        self.assertTrue(visit.page.is_visible("#cell-6 img"))
        self.assertEqual([], visit.page.query_selector_all("textarea:not([readonly])"))
        self.assertEqual([], [button for button in visit.page.query_selector_all("button") if button.is_visible()])
        self.assertEqual(
            "The saved results are shown. To run cells, this page needs JavaScript and a server: in the project's "
            "folder type npm install --no-save pyodide@314.0.7, then python3 serve.py, and open the address it prints.",
            visit.state(),
        )

    def test_a_narrow_window_needs_no_sideways_scrolling(self):
        self.assertEqual(0, self.visit(viewport={"width": 320, "height": 640}).overflow())


@needs_pyodide
class Running(BrowserCase):
    """One Python, started once, in which all cells have run; the tests put back what they change."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.reader = NotebookVisit(cls.browser, cls.url)
        cls.addClassCleanup(cls.reader.context.close)
        cls.reader.page.evaluate(KEEP_STATES)
        cls.reader.press("run-all")
        cls.reader.wait_for_state("Cell 6: run here")
        cls.first_outputs, cls.first_marks = cls.reader.outputs(), cls.reader.marks()
        cls.states = cls.reader.page.evaluate("states")
        cls.first_requests, cls.first_console = list(cls.reader.requests), list(cls.reader.console)

    def setUp(self):
        self.reader.press("restore-all")

    def test_every_output_equals_the_saved_one_byte_for_byte(self):
        self.assertEqual(saved_outputs(self.root), self.first_outputs)
        self.assertEqual(["run here in s, the same as saved"] * 6, self.first_marks)

    def test_the_cells_ran_in_order_and_the_state_was_told(self):
        running = [f"Cell {number} is running…" for number in range(1, 7)]
        self.assertEqual(running, [state for state in self.states if state.endswith("is running…")])
        self.assertEqual("Loading the files and the Python runtime…", self.states[0])
        self.assertEqual(
            "The archive and the runtime have the SHA-256 that this page holds. Starting Python…", self.states[1]
        )

    def test_what_was_asked_for_is_the_page_the_archive_and_the_runtime_each_once(self):
        origin = self.url.rpartition("/")[0]
        asked = sorted(url for url in self.first_requests if not url.startswith("blob:"))
        names = ["notebook.html", "reproducibility.zip", *(f"pyodide/{name}" for name in notebook_page.FILES)]
        self.assertEqual(sorted(f"{origin}/{name}" for name in names), asked)
        self.assertEqual([], self.first_console)

    def test_an_edited_cell_shows_its_new_result_until_it_is_restored(self):
        self.assertEqual([["stdout", "42 492\n"]], self.reader.run(3, "print(6 * 7, len(rows))"))
        self.assertEqual("run here in s, code other than saved", self.reader.marks()[2])
        self.reader.press("restore", 3)
        self.assertEqual(saved_outputs(self.root)[2], self.reader.outputs()[2])
        self.assertEqual("saved output", self.reader.marks()[2])
        self.assertIn("by_id[row_id]", self.reader.page.input_value("#code-3"))

    def test_analyze_and_draw_give_the_saved_files_byte_for_byte(self):
        source = (
            "import sys\nimport analyze\nfound = analyze.analyze(Path.cwd())\n"
            "print(files.sha256(files.json_bytes(found)), files.sha256(figure.draw(found)))\n"
            "print(sys.platform, '%d.%d' % sys.version_info[:2])"
        )
        digests = [
            hashlib.sha256((self.root / name).read_bytes()).hexdigest()
            for name in ("results.json", "scenario-ratios.svg")
        ]
        expected = [["stdout", f"{digests[0]} {digests[1]}\nemscripten {notebook_page.PYTHON}\n"]]
        self.assertEqual(expected, self.reader.run(2, source))

    def test_every_file_of_the_archive_is_there(self):
        source = "print(sum(path.is_file() for path in Path.cwd().rglob('*') if '__pycache__' not in path.parts))"
        ((_, text),) = self.reader.run(2, source)
        self.assertEqual(len(zipfile.ZipFile(io.BytesIO(self.archive)).namelist()), int(text))

    def test_an_error_is_shown_as_a_traceback_with_what_was_printed_before(self):
        traceback = (
            'Traceback (most recent call last):\n  File "cell 2", line 2, in <module>\n    1 / 0\n    ~~^~~\n'
            "ZeroDivisionError: division by zero\n"
        )
        self.assertEqual([["stdout", "a\n"], ["error", traceback]], self.reader.run(2, "print('a')\n1 / 0"))
        self.assertEqual("Cell 2: ZeroDivisionError: division by zero", self.reader.state())
        self.assertEqual("run here in s, ended by an error", self.reader.marks()[1])

    def test_text_that_cannot_be_parsed_is_an_error_that_names_its_line(self):
        ((kind, text),) = self.reader.run(2, "x = 1\ny = = 2")
        self.assertEqual(
            ["error", '  File "cell 2", line 2\n    y = = 2\n        ^\nSyntaxError: invalid syntax\n'], [kind, text]
        )

    def test_a_cell_that_exits_does_not_end_python(self):
        ((kind, text),) = self.reader.run(2, "raise SystemExit(3)")
        self.assertTrue(text.endswith("SystemExit: 3\n"), text)
        self.assertEqual([["stdout", "492\n"]], self.reader.run(2, "print(len(rows))"))

    def test_cells_after_an_error_do_not_run(self):
        self.reader.write(2, "oops")
        self.reader.press("run-all")
        self.assertEqual(
            "Cell 2: NameError: name 'oops' is not defined. Cells 3, 4, 5 and 6 were not run.",
            self.reader.wait_for_state("Cell 2: NameError"),
        )
        not_run = "stale: cell 2 above has changed since; not run, since cell 2 failed"
        self.assertEqual([not_run] * 4, [mark.partition("; ")[2] for mark in self.reader.marks()[2:]])

    def test_the_last_value_and_both_streams_are_shown_as_text(self):
        source = "import sys\nprint('<b>', file=sys.stderr)\n'<script>alert(1)</script>'"
        expected = [["stderr", "<b>\n"], ["result", "'<script>alert(1)</script>'"]]
        self.assertEqual(expected, self.reader.run(2, source))

    def test_an_output_longer_than_a_page_can_hold_is_cut_and_says_so(self):
        ((_, text),) = self.reader.run(2, "print('x' * 300_000, end='')")
        self.assertEqual("x" * 200_000 + "\n[300000 characters; the rest is not shown]", text)

    def test_stop_ends_an_endless_loop_and_keeps_the_variables(self):
        self.reader.write(2, ENDLESS)
        self.reader.press("run", 2)
        self.reader.wait_for_state("Cell 2 is running")
        self.assertEqual("running…", self.reader.marks()[1])
        self.assertEqual([], self.reader.outputs()[1])
        self.reader.press("stop")
        self.reader.wait_for_state("Cell 2: KeyboardInterrupt")
        printed, (kind, traceback) = self.reader.outputs()[1]
        self.assertEqual(["stdout", "begun\n"], printed)
        self.assertEqual("error", kind)
        self.assertTrue(traceback.endswith("KeyboardInterrupt\n"), traceback)
        self.assertEqual([["stdout", "492\n"]], self.reader.run(2, "print(len(rows))"))

    def test_an_interrupt_that_is_lost_is_asked_for_again(self):
        self.reader.write(2, LOSING)
        self.reader.press("run", 2)
        self.reader.wait_for_state("Cell 2 is running")
        self.reader.page.wait_for_timeout(500)  # until the loop runs
        self.reader.press("stop")
        self.reader.wait_for_state("Cell 2: KeyboardInterrupt")
        self.assertEqual(["stdout", "lost one\n"], self.reader.outputs()[1][0])
        self.assertEqual([["stdout", "492\n"]], self.reader.run(2, "print(len(rows))"))

    def test_an_interrupt_that_arrives_after_the_last_line_ends_the_cell_and_not_python(self):
        self.assertEqual([["error", "KeyboardInterrupt\n"]], self.reader.run(2, LATE))
        self.assertEqual("Cell 2: KeyboardInterrupt", self.reader.state())
        self.assertEqual([["stdout", "492\n"]], self.reader.run(2, "print(len(rows))"))

    def test_stop_at_once_always_ends_the_cell_and_never_python(self):
        for delay in (0, 1, 2, 5, 10, 20):
            with self.subTest(milliseconds=delay):
                self.reader.write(2, "while True:\n    pass")
                self.reader.press("run", 2)
                self.reader.wait_for_state("Cell 2 is running")
                self.reader.page.wait_for_timeout(delay)
                self.reader.press("stop")
                self.reader.wait_for_state("Cell 2: KeyboardInterrupt")
        self.assertEqual([["stdout", "492\n"]], self.reader.run(2, "print(len(rows))"))

    def test_stop_drops_the_cells_that_wait(self):
        self.reader.write(1, ENDLESS)
        self.reader.press("run-all")
        self.reader.wait_for_state("Cell 1 is running")
        stale = "stale: cell 1 above has changed since"
        busy, *waiting = self.reader.marks()
        self.assertEqual("running…", busy)
        self.assertEqual([f"{stale}, waiting to run"] * 5, [mark.partition("; ")[2] for mark in waiting])
        self.reader.press("stop")
        self.reader.wait_for_state("Cell 1: KeyboardInterrupt")
        ended, *others = self.reader.marks()
        self.assertEqual("run here in s, ended by an error", ended)
        self.assertEqual([stale] * 5, [mark.partition("; ")[2] for mark in others])

    def test_stop_when_nothing_runs_says_so(self):
        self.reader.press("stop")
        self.assertEqual("Nothing is running.", self.reader.state())

    def test_shift_enter_in_a_cell_runs_it_and_tab_leaves_it(self):
        self.reader.write(2, "print('by key')")
        self.reader.page.focus("#code-2")
        self.reader.page.keyboard.press("Shift+Enter")
        self.reader.wait_for_state("Cell 2: run here")
        self.assertEqual([["stdout", "by key\n"]], self.reader.outputs()[1])
        self.reader.page.keyboard.press("Tab")
        self.assertEqual("Run cell 2", self.reader.page.evaluate("document.activeElement.textContent"))
        self.reader.write(2, "print('by button')")
        self.reader.page.focus('#cell-2 [data-action="run"]')
        self.reader.page.keyboard.press("Enter")
        self.reader.page.wait_for_function(
            "() => document.querySelector('#cell-2 .shown').textContent === 'by button\\n'"
        )

    def test_python_cannot_reach_another_origin(self):
        asked = []
        with (
            serving(self.root) as (other, _),
            mock.patch.object(serve.Site, "read", lambda site, name: asked.append(name)),
        ):
            source = (
                "import js\nrequest = js.XMLHttpRequest.new()\n"
                f"request.open('GET', '{other}', False)\nrequest.send()\nprint(request.status)"
            )
            outputs = self.reader.run(2, source)
        self.assertEqual("error", outputs[-1][0])
        self.assertIn("NetworkError", outputs[-1][1])
        self.assertEqual([], asked)  # though the other site listens, and would have been asked

    @needs_axe
    def test_nothing_is_found_against_wcag_after_running(self):
        self.reader.run(2, "1 / 0")
        self.assertEqual([], self.reader.violations())


@needs_pyodide
class Starting(BrowserCase):
    def test_run_on_one_cell_first_runs_those_above_it_and_no_other(self):
        visit = self.visit()
        visit.write(3, "print(len(pairs))")
        visit.press("run", 3)
        self.assertEqual("saved output, waiting to run", visit.marks()[0])
        visit.wait_for_state("Cell 3: run here")
        self.assertEqual([["stdout", "152\n"]], visit.outputs()[2])
        same = "run here in s, the same as saved"
        self.assertEqual([same, same, "run here in s, code other than saved"] + [STALE.format(3)] * 3, visit.marks())

        visit.run(1, "kept = 5\nprint('kept' in globals())")
        visit.press("restart")
        ended = "run here, in a Python that has ended"
        stale = "; stale: cell 1 above has changed since"
        self.assertEqual(
            [f"{ended}, code other than saved", ended + stale, ended + stale] + [STALE.format(1)] * 3, visit.marks()
        )
        self.assertEqual("Python has ended, and its variables are gone; the next Run starts it again.", visit.state())
        visit.wait_for_no_python()
        self.assertEqual([["stdout", "False\n"]], visit.run(1, "print('kept' in globals())"))

    def test_stop_ends_python_where_the_page_shares_no_memory_with_it(self):
        plain = {name: value for name, value in serve.HEADERS.items() if not name.startswith("Cross-Origin")}
        with mock.patch.object(serve, "HEADERS", plain):
            visit = self.visit()
            visit.write(1, ENDLESS)
            visit.press("run", 1)
            visit.wait_for_state("Cell 1 is running")
            self.assertFalse(visit.page.evaluate("crossOriginIsolated"))
            visit.press("stop")
        self.assertEqual(
            "Stopped. Python has ended, and its variables are gone; the next Run starts it again.", visit.state()
        )
        self.assertEqual("stopped before its output was complete", visit.marks()[0])
        visit.wait_for_no_python()

    def test_a_cell_that_ignores_the_interrupt_is_ended_with_python_as_restart_ends_any(self):
        visit = self.visit()
        visit.write(1, STUBBORN)
        visit.press("run", 1)
        visit.wait_for_state("Cell 1 is running")
        visit.press("stop")
        visit.wait_for_state("Stopped. Python has ended")
        visit.wait_for_no_python()
        self.assertEqual([["stdout", "again\n"]], visit.run(1, "print('again')"))
        visit.write(1, ENDLESS)
        visit.press("run", 1)
        visit.wait_for_state("Cell 1 is running")
        visit.press("restart")
        self.assertEqual("stopped before its output was complete", visit.marks()[0])
        visit.wait_for_no_python()

    def test_stop_while_python_starts_ends_it(self):
        visit = self.visit()
        visit.press("run-all")
        visit.press("stop")
        self.assertEqual(
            "Stopped. Python has ended, and its variables are gone; the next Run starts it again.", visit.state()
        )
        self.assertEqual(["saved output"] * 6, visit.marks())

    def test_everything_works_once_python_has_started_and_the_site_is_gone(self):
        with serving(self.root) as (url, _):
            visit = self.visit(url)
            visit.run(1)
        visit.context.set_offline(True)
        asked = len(visit.requests)
        visit.press("run-all")
        visit.wait_for_state("Cell 6: run here")
        self.assertEqual(saved_outputs(self.root), visit.outputs())
        self.assertEqual(asked, len(visit.requests))

    def test_an_archive_with_one_byte_changed_is_refused(self):
        raw = self.archive
        spoilt = raw[:1000] + bytes([raw[1000] ^ 1]) + raw[1001:]
        served = {"notebook.html": self.made, "reproducibility.zip": spoilt}
        read = serve.Site.read
        with mock.patch.object(serve.Site, "read", lambda site, name: served.get(name) or read(site, name)):
            visit = self.visit()
            visit.press("run", 1)
            message = visit.wait_for_state("Python has ended")
        found, expected = (hashlib.sha256(data).hexdigest() for data in (spoilt, raw))
        self.assertEqual(
            f"Python has ended: {self.url.rpartition('/')[0]}/reproducibility.zip is refused: its SHA-256 is {found}, and this page was made for {expected}.",
            message,
        )
        self.assertEqual(saved_outputs(self.root), visit.outputs())
        visit.wait_for_no_python()


class WithoutRuntime(BrowserCase):
    def test_run_says_what_is_missing_and_what_to_type_and_leaves_what_is_shown(self):
        with serving(self.root, None) as (url, _):
            visit = self.visit(url)
            visit.press("run-all")
            message = visit.wait_for_state("Python has ended")
        self.assertEqual(
            f"Python has ended: {url.rpartition('/')[0]}/pyodide/pyodide.mjs cannot be loaded (404). For the Python "
            "runtime, type in the project's folder: npm install --no-save pyodide@314.0.7 && python3 serve.py",
            message,
        )
        self.assertEqual(saved_outputs(self.root), visit.outputs())
        self.assertEqual(["saved output"] * 6, visit.marks())


@needs_axe
class Accessibility(BrowserCase):
    def test_nothing_is_found_against_wcag_in_light_and_dark_wide_and_narrow(self):
        for scheme in ("light", "dark"):
            for width in (320, 1100):
                with self.subTest(scheme=scheme, width=width):
                    visit = self.visit(color_scheme=scheme, viewport={"width": width, "height": 800})
                    self.assertEqual([], visit.violations())

    def test_every_control_is_reached_by_the_keyboard_in_the_order_of_the_page(self):
        visit = self.visit()
        reached = []
        for _ in range(12):
            visit.page.keyboard.press("Tab")
            reached.append(
                visit.page.evaluate("document.activeElement.id || document.activeElement.textContent.slice(0, 16)")
            )
        expected = [
            "Skip to the text", "Notices, sizes a", "Run all", "Stop", "Restore all", "Restart Python", "Restart and run ", "Download noteboo",
            "code-1", "Run cell 1", "Run to cell 1", "Restore cell 1",
        ]  # fmt: skip
        self.assertEqual(expected, reached)


if __name__ == "__main__":
    unittest.main()
