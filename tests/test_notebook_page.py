"""The notebook's page as a file: what it shows without running, what it knows, what its policy lets through.

And the Python that runs in it: one release, named alike wherever it is named.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import unittest
from pathlib import Path

from scenario_ratio import wording
from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import Bundle
from scenario_ratio.notebook import document as notebook
from scenario_ratio.notebook import page as notebook_page
from scenario_ratio.proof import reading
from scenario_ratio.study import results as results_file
from tests.browser import PYODIDE, needs_pyodide
from tests.support import ROOT, BundleCase, copied_bundle, run, temporary_folder

BUNDLE = Bundle(ROOT, artifacts=ARTIFACTS)
RESULTS = BUNDLE.once(results_file.load)
HOSTILE = '</textarea></pre><script>alert(1)</script>&amp;"\u202e'


def page_of(*cells: dict, archive: bytes = b"PK") -> str:
    """Return the page of a notebook with a title and these cells."""
    document = notebook.document([notebook.markdown("title", "# A title\n\nAnd more."), *cells])
    return notebook_page.build(document, RESULTS, archive, BUNDLE.asset).decode("utf-8")


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
        self.assertEqual(len(notebook_page.SCRIPTS), len(re.findall(r"<script>", page)))
        self.assertNotIn("alert(1)</script>", page)
        self.assertNotIn("\u202e", page)
        self.assertEqual([], reading.read_html(page.encode(), "p").problems)

    def test_code_that_begins_with_an_empty_line_keeps_it(self):
        self.assertRegex(page_of(ran("\nx")), r"<textarea [^>]*>\n\nx</textarea>")  # a parser drops the first line end

    def test_the_buttons_are_hidden_until_a_script_shows_them(self):
        page = page_of(ran("x"), ran("y"))
        groups = re.findall(r'<p class="buttons"( hidden)?>(.*?)</p>', page, re.DOTALL)
        self.assertEqual([" hidden"] * 3, [hidden for hidden, _ in groups])
        labels = [
            re.sub(r"<[^>]+>", "", label) for _, group in groups for label in re.findall(r"<button.*?</button>", group)
        ]
        expected = ["Run all", "Stop", "Restore all", "Restart Python", "Restart and run all", "Download notebook"]
        each = [f"{label} cell {number}" for number in (1, 2) for label in ("Run", "Run to", "Restore")]
        self.assertEqual([*expected, *each], labels)

    def test_the_work_comes_first_and_what_else_is_told_stands_at_the_foot_and_is_linked(self):
        page = page_of(ran("x"))
        header, main, footer = (
            reading.read_html(re.search(rf"<{tag}[ >].*?</{tag}>", page, re.DOTALL)[0].encode(), "p").text
            for tag in ("header", "main", "footer")
        )
        line = "The saved results, and Python in this tab to run the code again. " + wording.UNVERIFIED
        self.assertEqual(f"A title {line} Notices, sizes and files .", " ".join(header.split()))
        self.assertTrue(" ".join(main.split()).startswith("Run all"), main)
        for words in ("And more.", "Nothing you write is sent anywhere", wording.attribution(RESULTS)):
            self.assertIn(words, " ".join(footer.split()))
        self.assertIn('<a href="#about">', page[: page.index("<main")])
        self.assertIn('<footer id="about">', page)

    def test_the_page_says_what_runs_where_and_what_to_type(self):
        text = " ".join(reading.read_html(page_of(ran("x"), archive=b"PK" * 1_550_000).encode(), "p").text.split())
        for words in (
            "the code runs in this tab; the Python runtime and the files come from this site; Python starts when you choose Run.",
            "Nothing you write is sent anywhere; edits are kept in this browser.",
            "13.5 MB of runtime (Pyodide 314.0.7, Python 3.14) and 3.1 MB of files",
            "npm install --no-save pyodide@314.0.7 , then python3 serve.py , and open the address it prints.",
            wording.attribution(RESULTS),
        ):
            self.assertIn(words, text)


class Known(unittest.TestCase):
    def test_the_page_holds_the_digest_and_the_folder_of_the_archive(self):
        page = page_of(ran("x"), archive=b"some bytes")
        self.assertIn(f'data-sha256="{hashlib.sha256(b"some bytes").hexdigest()}"', page)
        self.assertIn('data-archive="reproducibility.zip"', page)
        self.assertIn('data-folder="server-offline-ratio"', page)
        self.assertIn('data-runtime="pyodide/"', page)
        files = html.unescape(re.search(r'data-files="([^"]+)"', page)[1])
        self.assertEqual(notebook_page.FILES, json.loads(files))

    def test_the_policy_lets_through_this_page_its_worker_and_its_site(self):
        page = page_of(ran("x"))
        policy = html.unescape(re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)[1])
        digests = {
            tag: " ".join(
                sorted(
                    f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
                    for text in re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
                )
            )
            for tag in ("style", "script")
        }
        self.assertEqual(
            [
                "default-src 'none'",
                f"style-src {digests['style']}",
                f"script-src {digests['script']} blob: 'wasm-unsafe-eval'",
                "base-uri 'none'",
                "form-action 'none'",
                "connect-src 'self'",
                "worker-src blob:",
                "img-src data:",
            ],
            policy.split("; "),
        )

    def test_the_notebook_stands_in_the_page_as_data_that_ends_no_element(self):
        page = page_of(ran(HOSTILE, stream(HOSTILE)))
        held = re.search(r'<script type="application/json" id="notebook">(.*?)</script>', page, re.DOTALL)[1]
        self.assertNotIn("<", held)
        self.assertEqual([HOSTILE], json.loads(held)["cells"][1]["source"])
        self.assertEqual([HOSTILE], json.loads(held)["cells"][1]["outputs"][0]["text"])

    def test_a_cell_says_as_the_how_many_th_it_ran(self):
        label = '<label for="code-1">Cell 1, Python code <span class="count">[1]</span></label>'
        self.assertIn(label, page_of(ran("x")))

    def test_the_worker_stands_in_the_page_as_it_is_in_its_file(self):
        worker = (ROOT / "web" / "worker.js").read_text(encoding="utf-8")
        self.assertIn(f'<script type="text/plain" id="worker">{worker}</script>', page_of(ran("x")))
        self.assertNotIn("</script", worker)


class Made(BundleCase):
    """The page as a file that is made last, on demand, from everything else."""

    def made(self, root: Path, output: Path | None = None) -> bytes:
        return Bundle(root, output, ARTIFACTS).read("notebook.html")

    def test_the_page_is_made_from_the_archive_and_is_in_no_list_of_it(self):
        root, output = copied_bundle(self), temporary_folder(self)
        for name in ("results.json", "analysis.ipynb"):
            (output / name).write_bytes((root / name).read_bytes())
        made = self.made(root, output)
        archive = Bundle(root, output, ARTIFACTS).read("reproducibility.zip")
        self.assertIn(f'data-sha256="{hashlib.sha256(archive).hexdigest()}"'.encode(), made)
        (root / "notebook.html").write_bytes(b"another page")  # which changes nothing, as it is not in the archive
        (root / "reproducibility.zip").write_bytes(b"another archive")
        self.assertEqual(made, self.made(root, output))
        (root / "LICENSE-notes.txt").write_bytes(b"one more file")
        self.assertNotEqual(made, self.made(root, output))

    def test_the_script_writes_it(self):
        root, output = copied_bundle(self), temporary_folder(self)
        for name in ("results.json", "analysis.ipynb"):
            (output / name).write_bytes((root / name).read_bytes())
        finished = run(root / "pack.py", "--root", root, "--output", output)
        told = (finished.stdout.splitlines()[-1], finished.stderr, finished.returncode)
        self.assertEqual(("notebook.html: new", "", 0), told)
        self.assertEqual(self.made(root, output), (output / "notebook.html").read_bytes())

    def test_without_the_notebook_it_says_so(self):
        root = copied_bundle(self)
        (root / "analysis.ipynb").unlink()
        line = "analysis.ipynb: found no such file; expected a regular file"
        self.assert_refused([line], self.made, root)

    def test_a_notebook_that_has_not_run_has_no_saved_outputs_to_show(self):
        root = copied_bundle(self, "results.json", "analysis.ipynb")
        document = notebook.load(Bundle(root, artifacts=ARTIFACTS))
        for number in (3, 7):
            document["cells"][number - 1].update(outputs=[], execution_count=None)
        (root / "analysis.ipynb").write_bytes(notebook.to_bytes(document))
        told = "found no saved output; expected a notebook that has run. Run execute_notebook.py."
        self.assert_refused([f"analysis.ipynb: cell {number}: {told}" for number in (3, 7)], self.made, root)

    def test_a_notebook_without_title_has_nothing_to_name_the_page_by(self):
        line = "analysis.ipynb: cell 1: found no title; expected a markdown cell that opens the notebook"
        for cells in ([], [ran("x")], [ran("x"), notebook.markdown("a", "# A")]):
            document = notebook.document(cells)
            self.assert_refused([line], notebook_page.build, document, RESULTS, b"PK", BUNDLE.asset)


class Runtime(BundleCase):
    def test_it_is_the_release_that_is_tested(self):
        lines = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8").splitlines()
        pinned = [line.split()[2] for line in lines if line.startswith("# npm: pyodide")]
        self.assertEqual([f"{notebook_page.PACKAGE}=={notebook_page.VERSION}"], pinned)
        python = notebook_page.VERSION.split(".")[0]  # 314 is Python 3.14
        self.assertEqual(notebook_page.PYTHON.replace(".", ""), python)

    def test_what_a_reader_is_told_to_type(self):
        self.assertEqual(f"npm install --no-save pyodide@{notebook_page.VERSION}", notebook_page.INSTALL)
        self.assertEqual("python3 serve.py", notebook_page.SERVE)
        self.assertTrue((ROOT / "serve.py").is_file())

    def test_where_it_is_kept(self):
        self.assertEqual(("pyodide", "node_modules/pyodide"), (notebook_page.RUNTIME, notebook_page.INSTALLED))

    def test_what_is_loaded(self):
        files = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
        self.assertEqual(files, tuple(notebook_page.FILES))
        self.assertEqual(13_531_207, notebook_page.FILES_BYTES)  # of these in the package 314.0.7; compared below

    @needs_pyodide
    def test_size_and_digests_are_those_of_the_files(self):
        contents = {name: (PYODIDE / name).read_bytes() for name in notebook_page.FILES}
        self.assertEqual(notebook_page.FILES_BYTES, sum(map(len, contents.values())))
        digests = {name: hashlib.sha256(raw).hexdigest() for name, raw in contents.items()}
        self.assertEqual(digests, notebook_page.FILES)
        self.assertEqual(notebook_page.VERSION, json.loads((PYODIDE / "package.json").read_bytes())["version"])


if __name__ == "__main__":
    unittest.main()
