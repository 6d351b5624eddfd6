"""The notebook's page wherever it may stand and be read: any static server, any folder, Chromium, Firefox and WebKit.

And what it says where a file of the runtime is not what it must be.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import tempfile
import threading
import unittest
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest import mock

import serve
from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import Bundle
from scenario_ratio.notebook import page as notebook_page
from tests import webdriver
from tests.browser import PYODIDE, needs_pyodide
from tests.test_notebook_page_browser import ENDLESS, BrowserCase, copied, saved_outputs, serving

GONE = "Stopped. Python has ended, and its variables are gone; the next Run starts it again."
SAME = "the same as saved"
PRESS = "document.querySelector(arguments[0]).click()"
WRITE = """const area = document.querySelector(arguments[0]);
area.value = arguments[1];
area.dispatchEvent(new Event("input", { bubbles: true }));"""
STARTS = "return document.getElementById('state').textContent.startsWith(arguments[0])"
TEXTS = "return Array.from(document.querySelectorAll(arguments[0]), (part) => part.textContent)"


class Plain(SimpleHTTPRequestHandler):
    """Python's own server of files, which sends no header that a page could lean on."""

    def log_message(self, *_):
        """Keep quiet."""


@contextlib.contextmanager
def plain_site(archive: bytes, page: bytes):
    """Serve the page, the archive and the runtime below a path; give the page's address."""
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top, "some", "where")
        folder.mkdir(parents=True)
        (folder / "notebook.html").write_bytes(page)
        (folder / "reproducibility.zip").write_bytes(archive)
        (folder / notebook_page.RUNTIME).symlink_to(PYODIDE.resolve())
        handler = functools.partial(Plain, directory=top)
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as listening:
            thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.05})
            thread.start()
            try:
                yield f"http://127.0.0.1:{listening.server_port}/some/where/notebook.html"
            finally:
                listening.shutdown()
                thread.join()


@needs_pyodide
class PlainServer(BrowserCase):
    def test_everything_runs_below_a_path_without_any_header_and_stop_ends_python(self):
        with plain_site(self.archive, self.made) as url:
            visit = self.visit(url)
            visit.press("run-all")
            visit.wait_for_state("Cell 6: run here")
            self.assertEqual([f"run here in s, {SAME}"] * 6, visit.marks())
            self.assertFalse(visit.page.evaluate("crossOriginIsolated"))
            visit.write(2, ENDLESS)
            visit.press("run", 2)
            visit.wait_for_state("Cell 2 is running")
            visit.press("stop")
            self.assertEqual(GONE, visit.state())
            visit.wait_for_no_python()
            self.assertEqual([["stdout", "492\n"]], visit.run(2, "print(len(rows))"))
        self.assertEqual([], visit.console)


@needs_pyodide
class RuntimeFaults(BrowserCase):
    """The fault is named, whichever file has it, and what is shown stays."""

    def said(self, served: dict[str, bytes | None]) -> str:
        read = serve.Site.read
        with mock.patch.object(
            serve.Site, "read", lambda site, name: served[name] if name in served else read(site, name)
        ):
            visit = self.visit()
            visit.press("run-all")
            told = visit.wait_for_state("Python has ended: ").removeprefix("Python has ended: ")
        visit.wait_for_no_python()
        self.assertEqual(saved_outputs(self.root), visit.outputs())
        return told.replace(self.url.rpartition("/")[0], "SITE")

    def test_a_file_of_which_one_byte_is_changed_is_named_with_both_digests(self):
        for name, digest in notebook_page.FILES.items():
            with self.subTest(name=name):
                raw = bytearray((PYODIDE / name).read_bytes())
                raw[len(raw) // 2] ^= 1
                told = self.said({f"pyodide/{name}": bytes(raw)})
                found = hashlib.sha256(raw).hexdigest()
                self.assertEqual(
                    f"SITE/pyodide/{name} is refused: its SHA-256 is {found}, and this page was made for {digest}. "
                    "For the Python runtime, type in the project's folder: "
                    "npm install --no-save pyodide@314.0.7 && python3 serve.py",
                    told,
                )

    def test_a_missing_file_is_named_and_of_several_the_first(self):
        told = self.said({"pyodide/python_stdlib.zip": None, "pyodide/pyodide-lock.json": None})
        self.assertEqual("SITE/pyodide/pyodide-lock.json cannot be loaded (404).", told.partition(" For the")[0])

    def test_a_file_that_breaks_off_is_named(self):
        answer = serve.Handler._answer

        def cut(handler, status, raw, type_, **headers):
            if not handler.path.endswith(".wasm"):
                return answer(handler, status, raw, type_, **headers)
            handler.send_response(status)
            handler.send_header("Content-Length", str(len(raw)))
            handler.end_headers()
            handler.wfile.write(raw[:1000])
            handler.close_connection = True

        with mock.patch.object(serve.Handler, "_answer", cut):
            told = self.said({})
        self.assertEqual("SITE/pyodide/pyodide.asm.wasm cannot be loaded (broken off).", told.partition(" For the")[0])


class Reading:
    """What a reader does in any browser, told by the scripts that do it; see the classes below."""

    started = None  # the function of tests/webdriver.py that starts the browser

    @classmethod
    def setUpClass(cls):
        contexts = contextlib.ExitStack()
        cls.addClassCleanup(contexts.close)
        cls.root = copied(contexts.enter_context(tempfile.TemporaryDirectory()))
        cls.reader = contexts.enter_context(cls.started())
        bundle = Bundle(cls.root, artifacts=ARTIFACTS)
        cls.archive, cls.made = bundle.read("reproducibility.zip"), bundle.read("notebook.html")

    def check_running_and_stopping(self, url: str) -> None:
        reader = self.reader
        reader.go(url)
        reader.script(PRESS, "[data-action=run-all]")
        reader.wait(STARTS + " || arguments[0] === 'Cell 6: ' && /has ended/.test(state.textContent)", "Cell 6: ")
        said = reader.script(webdriver.STATE)
        self.assertTrue(said.startswith("Cell 6: run here"), said)
        marks = reader.script(TEXTS, ".mark")
        self.assertEqual([SAME] * 6, [mark.partition(", ")[2] for mark in marks])

        reader.script(WRITE, "#code-2", ENDLESS)
        reader.script(PRESS, "#cell-2 [data-action=run]")
        reader.wait(STARTS, "Cell 2 is running")
        reader.script(PRESS, "[data-action=stop]")
        reader.wait(STARTS + " || state.textContent.startsWith('Stopped')", "Cell 2: KeyboardInterrupt")
        shares = reader.script("return crossOriginIsolated && typeof SharedArrayBuffer === 'function'")
        said = reader.script(webdriver.STATE)
        self.assertEqual("Cell 2: KeyboardInterrupt" if shares else GONE, said)
        reader.script(WRITE, "#code-2", "print(len(rows))")
        reader.script(PRESS, "#cell-2 [data-action=run]")
        reader.wait(STARTS, "Cell 2: run here")
        self.assertEqual(["492\n"], reader.script(TEXTS, "#cell-2 .shown"))

    def test_from_the_bundles_own_server(self):
        with serving(self.root) as (url, _):
            self.check_running_and_stopping(url)

    def test_from_any_server_below_a_path(self):
        with plain_site(self.archive, self.made) as url:
            self.check_running_and_stopping(url)


@needs_pyodide
@webdriver.needs_firefox
class Firefox(Reading, unittest.TestCase):
    started = staticmethod(webdriver.firefox)


@needs_pyodide
@webdriver.needs_webkit
class WebKit(Reading, unittest.TestCase):
    started = staticmethod(webdriver.webkit)


if __name__ == "__main__":
    unittest.main()
