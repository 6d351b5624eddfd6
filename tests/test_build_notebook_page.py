"""The notebook's page as a file: what it shows without running, what it knows, what its policy lets through."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import unittest

import build_notebook_page

from scenario_ratio import wording
from scenario_ratio.notebook import document as notebook
from scenario_ratio.notebook import runtime
from scenario_ratio.proof import reading
from scenario_ratio.study import results as results_file
from tests.browser import PYODIDE, needs_pyodide
from tests.support import ROOT, BundleCase, copied_bundle, run, temporary_folder

HOSTILE = '</textarea></pre><script>alert(1)</script>&amp;"\u202e'


def page_of(*cells: dict, archive: bytes = b"PK") -> str:
    """Return the page of a notebook with a title and these cells."""
    document = notebook.document([notebook.markdown("title", "# A title\n\nAnd more."), *cells])
    return build_notebook_page.build(document, results_file.load(ROOT), archive).decode("utf-8")


def ran(source: str, *outputs: dict) -> dict:
    return {**notebook.code("c", source), "execution_count": 1, "outputs": list(outputs)}


def stream(text: str, name: str = "stdout") -> dict:
    return {"output_type": "stream", "name": name, "text": notebook.lines(text)}


def result(**data: str) -> dict:
    lines = {mime: notebook.lines(text) for mime, text in data.items()}
    return {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": lines}


class Saved(unittest.TestCase):
    def test_each_code_cell_is_shown_with_its_text_and_its_outputs(self):
        page = page_of(
            notebook.markdown("first", "## First"),
            ran("print('a < b')\nx", stream("a < b\n"), stream("careful\n", "stderr"), result(**{"text/plain": "'x'"})),
        )
        self.assertIn('<section id="first">\n<h2>First</h2>\n</section>', page)
        self.assertRegex(page, r'<textarea id="code-1" rows="2"[^>]*>\nprint\(&#x27;a &lt; b&#x27;\)\nx</textarea>')
        self.assertIn(
            '<p class="mark">saved output</p>\n<div class="shown"><pre class="stdout" tabindex="0">a &lt; b\n</pre>'
            '<pre class="stderr" tabindex="0">careful\n</pre><pre class="result" tabindex="0">&#x27;x&#x27;</pre></div>',
            page,
        )

    def test_a_drawing_is_an_image_with_its_text_as_the_alternative(self):
        page = page_of(ran("f", result(**{"image/svg+xml": "<svg>é</svg>\n", "text/plain": "A bar."})))
        address = "data:image/svg+xml;base64," + base64.standard_b64encode("<svg>é</svg>\n".encode()).decode()
        self.assertIn(f'<div class="shown"><img alt="A bar." src="{address}"/></div>', page)

    def test_code_and_outputs_can_end_nothing(self):
        page = page_of(
            ran(HOSTILE, stream(HOSTILE), result(**{"text/plain": HOSTILE})), notebook.markdown("m", HOSTILE)
        )
        self.assertEqual(1, len(re.findall(r"<script>", page)))
        self.assertNotIn("alert(1)</script>", page)
        self.assertNotIn("\u202e", page)
        self.assertEqual([], reading.read_html(page.encode(), "p")[3])

    def test_code_that_begins_with_an_empty_line_keeps_it(self):
        self.assertRegex(page_of(ran("\nx")), r"<textarea [^>]*>\n\nx</textarea>")  # a parser drops the first line end

    def test_the_buttons_are_hidden_until_a_script_shows_them(self):
        page = page_of(ran("x"), ran("y"))
        groups = re.findall(r'<p class="buttons"( hidden)?>(.*?)</p>', page)
        self.assertEqual([" hidden"] * 3, [hidden for hidden, _ in groups])
        labels = [
            re.sub(r"<[^>]+>", "", label) for _, group in groups for label in re.findall(r"<button.*?</button>", group)
        ]
        expected = ["Run all", "Stop", "Restart Python", "Restore all"]
        self.assertEqual([*expected, "Run cell 1", "Restore cell 1", "Run cell 2", "Restore cell 2"], labels)

    def test_the_page_says_what_runs_where_and_what_to_type(self):
        text = " ".join(reading.read_html(page_of(ran("x"), archive=b"PK" * 1_550_000).encode(), "p")[0].split())
        for words in (
            "the code runs in this tab; the Python runtime and the files come from this site; Python starts when you choose Run.",
            "Nothing you write is sent anywhere.",
            "13.5 MB of runtime (Pyodide 314.0.7, Python 3.14) and 3.1 MB of files",
            "npm install --no-save pyodide@314.0.7 , then python3 serve.py , and open the address it prints.",
            wording.attribution(results_file.load(ROOT)),
        ):
            self.assertIn(words, text)


class Known(unittest.TestCase):
    def test_the_page_holds_the_digest_and_the_folder_of_the_archive(self):
        page = page_of(ran("x"), archive=b"some bytes")
        self.assertIn(f'data-sha256="{hashlib.sha256(b"some bytes").hexdigest()}"', page)
        self.assertIn('data-archive="reproducibility.zip"', page)
        self.assertIn('data-folder="server-offline-ratio"', page)
        self.assertIn('data-runtime="pyodide/"', page)
        self.assertIn('data-version="314.0.7"', page)

    def test_the_policy_lets_through_this_page_its_worker_and_its_site(self):
        page = page_of(ran("x"))
        policy = html.unescape(re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)[1])
        digests = {
            tag: base64.b64encode(
                hashlib.sha256(re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[1].encode()).digest()
            ).decode()
            for tag in ("style", "script")
        }
        self.assertEqual(
            [
                "default-src 'none'",
                f"style-src 'sha256-{digests['style']}'",
                f"script-src 'sha256-{digests['script']}' 'self' 'wasm-unsafe-eval'",
                "base-uri 'none'",
                "form-action 'none'",
                "connect-src 'self'",
                "worker-src blob:",
                "img-src data:",
            ],
            policy.split("; "),
        )

    def test_the_worker_stands_in_the_page_as_it_is_in_its_file(self):
        worker = (ROOT / "web" / "worker.js").read_text(encoding="utf-8")
        self.assertIn(f'<script type="text/plain" id="worker">{worker}</script>', page_of(ran("x")))
        self.assertNotIn("</script", worker)

    @needs_pyodide
    def test_the_size_of_the_runtime_is_that_of_its_files(self):
        self.assertEqual(runtime.SIZE, sum((PYODIDE / name).stat().st_size for name in runtime.FILES))
        self.assertEqual(runtime.VERSION, json.loads((PYODIDE / "package.json").read_bytes())["version"])


class Script(BundleCase):
    def test_the_page_is_made_from_the_archive_and_is_in_no_list_of_it(self):
        root, output = copied_bundle(self), temporary_folder(self)
        for name in ("results.json", "analysis.ipynb"):
            (output / name).write_bytes((root / name).read_bytes())
        finished = run(root / "build_notebook_page.py", "--root", root, "--output", output)
        self.assertEqual(("notebook.html: changed\n", "", 0), (finished.stdout, finished.stderr, finished.returncode))
        made = (output / "notebook.html").read_bytes()
        (root / "notebook.html").write_bytes(b"another page")  # which changes nothing, as it is not in the archive
        (root / "reproducibility.zip").write_bytes(b"another archive")
        self.assertEqual({"notebook.html": made}, build_notebook_page.outputs(root, output))
        (root / "LICENSE-notes.txt").write_bytes(b"one more file")
        self.assertNotEqual({"notebook.html": made}, build_notebook_page.outputs(root, output))

    def test_without_the_notebook_it_says_so(self):
        root = copied_bundle(self)
        (root / "analysis.ipynb").unlink()
        line = "analysis.ipynb: found no such file; expected a regular file"
        self.assert_refused([line], build_notebook_page.outputs, root, root)

    def test_a_notebook_that_has_not_run_has_no_saved_outputs_to_show(self):
        root = copied_bundle(self)
        document = notebook.load(root)
        document["cells"][2]["outputs"] = []
        document["cells"][2]["execution_count"] = None
        (root / "analysis.ipynb").write_bytes(notebook.to_bytes(document))
        line = (
            "analysis.ipynb: cell 3: found no saved output; expected a notebook that has run. Run execute_notebook.py."
        )
        self.assert_refused([line], build_notebook_page.outputs, root, root)


if __name__ == "__main__":
    unittest.main()
