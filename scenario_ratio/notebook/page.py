"""The executed notebook as a page whose cells can be edited and run in the reader's browser, and the Python that runs there.

The page holds the SHA-256 of reproducibility.zip, from which its Python gets the bundle's files. So the page is made
after the archive, and neither of the two is in the archive or in SHA256SUMS; both are made from everything else.
"""

from __future__ import annotations

import base64
import itertools
import json

from scenario_ratio import wording
from scenario_ratio.bundle import Bundle
from scenario_ratio.files import decode, sha256
from scenario_ratio.notebook import document as notebook
from scenario_ratio.pinned import ARCHIVE, FOLDER, NOTEBOOK
from scenario_ratio.problems import Problem, raise_if_any
from scenario_ratio.show import page, text
from scenario_ratio.show.markup import Markup, block, element, empty, escape, joined
from scenario_ratio.study import results as results_file

WORDS = "scenario_ratio/text/page.txt"  # markup, a blank line between: the line at the top, the buttons, the state, the foot

# The Python that runs there: one pinned release of an npm package, and what a reader types to have it.
PACKAGE, VERSION, PYTHON = "pyodide", "314.0.7", "3.14"
INSTALL = f"npm install --no-save {PACKAGE}@{VERSION}"
SERVE = "python3 serve.py"

# The files of the package that a browser loads, all of them once, when Python starts, each with its SHA-256.
FILES = {
    "pyodide.mjs": "6f1d60f7bf529beb300f0f47983c921d3982363640ba20af0e38efdddbc66109",
    "pyodide.asm.mjs": "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635",
    "pyodide.asm.wasm": "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6",
    "pyodide-lock.json": "5dc2fc119108bc148c7457dc86e7675b5c87e1cafd420b9c34c1eaef7b36c010",
    "python_stdlib.zip": "fa1957e5777068fc4f7437f96d860ae2fbe9c19732ba06c84e004ec16dd7dd7a",
}
FILES_BYTES = 13_531_207  # of these files together

RUNTIME = "pyodide"  # the folder beside the page in which a site has them
INSTALLED = f"node_modules/{PACKAGE}"  # the folder beside the project in which npm puts the package

# The worker is made from a text in this page, so that this policy holds in it too, whatever server sends the page. The
# runtime's scripts come from bytes that the worker has compared with the digests above, and none from the site.
SCRIPTS = ("outputs.js", "results.js", "keeping.js", "python.js", "notebook.js")  # each uses those before it
SOURCES = "blob: 'wasm-unsafe-eval'"
POLICY = "connect-src 'self'; worker-src blob:; img-src data:"

AS_TYPED = {"readonly": True, "spellcheck": "false", "autocomplete": "off", "autocapitalize": "off"}
BUTTONS = (("Run", "run"), ("Run to", "run-to"), ("Restore", "restore"))


def build(document: dict, results: dict, archive: bytes, asset: page.Asset) -> bytes:
    """Return the page: each cell of the executed notebook ``document`` with its saved outputs, and how to run it.

    ``asset`` returns a file of the code by its name. Raises BundleError if the notebook has no title, or a cell that has
    not been run, so that there is nothing to show.
    """
    raise_if_any(_gaps(document["cells"]))
    first, *others = document["cells"]
    title = text.title("".join(first["source"]))
    facts = {
        "data_archive": ARCHIVE,
        "data_sha256": sha256(archive),
        "data_folder": FOLDER,
        "data_runtime": f"{RUNTIME}/",
        "data_files": json.dumps(FILES),
        "data_notebook": NOTEBOOK,
        "data_install": f"{INSTALL} && {SERVE}",
    }
    sizes = {"runtime_size": _megabytes(FILES_BYTES), "archive_size": _megabytes(len(archive))}
    names = {"version": VERSION, "python": PYTHON, "notebook": NOTEBOOK, "archive": ARCHIVE}
    places = {**names, **sizes, "install": INSTALL, "serve": SERVE, "unverified": wording.UNVERIFIED}
    told = {name: escape(words) for name, words in places.items()}
    line, buttons, state, about = map(Markup, decode(asset(WORDS), WORDS).rstrip("\n").format(**told).split("\n\n"))
    heading, _, opening = "".join(first["source"]).strip().partition("\n\n")
    held = json.dumps(document, sort_keys=True).replace("<", "\\u003c")  # nothing in it ends an element
    numbers = itertools.count(1)  # of the code cells
    cells = [
        _code_cell(next(numbers), cell)
        if notebook.is_code(cell)
        else block("section", text.render("".join(cell["source"])), id=cell["id"])
        for cell in others
    ]
    body = [
        block("header", text.render(heading), line),
        block("main", _controls(buttons, state), *cells, id="main", **facts),
        block(
            "footer", about, text.render(opening), element("p", wording.attribution(results), class_="note"), id="about"
        ),
        element("script", page.inline(asset, "worker.js"), type="text/plain", id="worker"),
        element("script", Markup(held), type="application/json", id="notebook"),
    ]
    description = f"{title}: the notebook with its saved results, and Python in the browser to run it again."
    return page.document(title, description, joined(body), asset, SCRIPTS, POLICY, SOURCES)


def _gaps(cells: list[dict]) -> list[Problem]:
    """Return what the page would show and is not there: the title, and the outputs of cells that have not been run."""
    if not cells or notebook.is_code(cells[0]):
        return [Problem(NOTEBOOK, "cell 1", found="no title", expected="a markdown cell that opens the notebook")]
    expected, hint = "a notebook that has run", "Run execute_notebook.py."
    return [
        Problem(NOTEBOOK, f"cell {number}", found="no saved output", expected=expected, hint=hint)
        for number, cell in enumerate(cells, 1)
        if notebook.is_code(cell) and cell["execution_count"] is None
    ]


def _megabytes(size: int) -> str:
    return f"{wording.metric(round(size / 1_000_000, 1))} MB"


def _controls(buttons: Markup, state: Markup) -> Markup:
    """Return the buttons, which a script shows where they can work, and the line that says what is going on."""
    told = element("p", state, id="state", role="status")
    attributes = {"class_": "controls wide", "role": "region", "aria_label": "Running the notebook"}
    return block("div", element("p", buttons, class_="buttons", hidden=True), told, **attributes)


def _code_cell(number: int, cell: dict) -> Markup:
    """Return a code cell: its text, its buttons, its saved outputs."""
    source = "".join(cell["source"])
    buttons = [element("button", f"{do} cell {number}", type="button", data_action=action) for do, action in BUTTONS]
    count = element("span", f"[{cell['execution_count']}]", class_="count")
    mark = element("p", "saved output", class_="mark")
    outputs = element("div", joined(map(_output, cell["outputs"]), ""), class_="shown")
    return block(
        "div",
        element("label", f"Cell {number}, Python code ", count, for_=f"code-{number}"),
        # The parser of HTML drops the first line end, be it the text's own.
        element("textarea", Markup("\n"), source, id=f"code-{number}", rows=source.count("\n") + 1, **AS_TYPED),
        element("p", joined(buttons, " "), class_="buttons", hidden=True),
        element("div", joined([mark, outputs]), class_="output", role="group", aria_label=f"Output of cell {number}"),
        class_="cell wide",
        id=f"cell-{number}",
    )


def _output(output: dict) -> Markup:
    """Return a saved output as markup; web/notebook.js makes the same of one that was run in the page."""
    if output["output_type"] == "stream":
        return element("pre", "".join(output["text"]), class_=output["name"], tabindex="0")
    plain = "".join(output["data"]["text/plain"])
    drawing = output["data"].get("image/svg+xml")
    if drawing is None:
        return element("pre", plain, class_="result", tabindex="0")
    encoded = base64.b64encode("".join(drawing).encode("utf-8")).decode("ascii")
    return empty("img", alt=plain, src=f"data:image/svg+xml;base64,{encoded}")


def make_page(bundle: Bundle) -> bytes:
    """Return notebook.html; raises BundleError as build does."""
    return build(bundle.once(notebook.load), bundle.once(results_file.load), bundle.read(ARCHIVE), bundle.asset)
