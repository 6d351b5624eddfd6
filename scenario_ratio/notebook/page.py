"""The executed notebook as a page whose cells can be edited and run in the reader's browser, and the Python that runs there.

The page holds the SHA-256 of reproducibility.zip, from which its Python gets the bundle's files. So the page is made
after the archive, and neither of the two is in the archive or in SHA256SUMS; both are made from everything else.
"""

from __future__ import annotations

import base64

from scenario_ratio import wording
from scenario_ratio.bundle import Bundle
from scenario_ratio.files import sha256
from scenario_ratio.notebook import document as notebook
from scenario_ratio.pinned import ARCHIVE, FOLDER, NOTEBOOK
from scenario_ratio.problems import Problem, raise_if_any
from scenario_ratio.show import page, text
from scenario_ratio.show.markup import Markup, element, empty, joined
from scenario_ratio.study import results as results_file

# Pyodide, one pinned release of its npm package.
PACKAGE, VERSION, PYTHON = "pyodide", "314.0.7", "3.14"
INSTALL = f"npm install --no-save {PACKAGE}@{VERSION}"
SERVE = "python3 serve.py"

# The files of the package that a browser loads, all of them once, when Python starts.
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
SIZE = 13_531_207  # bytes of these files together

RUNTIME = "pyodide"  # where a site keeps them, beside the page
INSTALLED = f"node_modules/{PACKAGE}"  # where npm puts the package

# The worker is made from a text in this page, so that this policy holds in it too, whatever server sends the page.
SOURCES = "'self' 'wasm-unsafe-eval'"
POLICY = "connect-src 'self'; worker-src blob:; img-src data:"


def build(document: dict, results: dict, archive: bytes, asset: page.Asset) -> bytes:
    """Return the page: each cell of the executed notebook ``document`` with its saved outputs, and how to run it.

    ``asset`` returns a file of the code by its name.
    """
    first, *others = document["cells"]
    title = text.title("".join(first["source"]))
    header = [text.render("".join(first["source"])), *_about(results, len(archive))]
    facts = {
        "data_archive": ARCHIVE,
        "data_sha256": sha256(archive),
        "data_folder": FOLDER,
        "data_runtime": f"{RUNTIME}/",
        "data_version": VERSION,
        "data_install": f"{INSTALL} && {SERVE}",
    }
    body = [
        element("header", Markup("\n"), joined(header), Markup("\n")),
        element("main", Markup("\n"), joined([_controls(), *_cells(others)]), Markup("\n"), id="main", **facts),
        element("footer", Markup("\n"), element("p", wording.attribution(results), class_="note"), Markup("\n")),
        Markup('<script type="text/plain" id="worker">') + page.inline(asset, "worker.js") + Markup("</script>"),
    ]
    description = f"{title}: the notebook with its saved results, and Python in the browser to run it again."
    return page.document(title, description, joined(body), asset, ("notebook.js",), POLICY, SOURCES)


def _about(results: dict, archive_bytes: int) -> list[Markup]:
    """Return what the page says of itself: what is shown, what Run does, what can be taken along."""
    return [
        page.paragraph(
            "What stands under each cell was computed when the notebook was made, and is shown at once. You can change "
            "the code and run it: <strong>the code runs in this tab; the Python runtime and the files come from this "
            "site; Python starts when you choose Run.</strong> Nothing you write is sent anywhere. Starting loads "
            "{runtime} of runtime (Pyodide {version}, Python {python}) and {archive} of files, whose SHA-256 this page "
            "holds and compares.",
            runtime=_megabytes(SIZE),
            version=VERSION,
            python=PYTHON,
            archive=_megabytes(archive_bytes),
        ),
        page.paragraph(
            'Take it along: <a href="{notebook}" download>the notebook</a>, <a href="{archive}" download>the archive '
            'with everything</a>. Or read <a href="article.html">the article</a>.',
            notebook=NOTEBOOK,
            archive=ARCHIVE,
        ),
    ]


def _megabytes(size: int) -> str:
    return f"{wording.metric(round(size / 1_000_000, 1))} MB"


def _controls() -> Markup:
    """Return the line that says what is going on and the buttons, which a script shows where they can work."""
    buttons = [
        _button("Run all", "run-all"),
        _button("Stop", "stop"),
        _button("Restart Python", "restart"),
        _button("Restore all", "restore-all"),
    ]
    state = page.fill(
        "The saved results are shown. To run cells, this page needs JavaScript and a server: in the project's folder "
        "type <code>{install}</code>, then <code>{serve}</code>, and open the address it prints.",
        install=INSTALL,
        serve=SERVE,
    )
    return element(
        "div",
        Markup("\n"),
        element("p", joined(buttons, " "), class_="buttons", hidden=True),
        Markup("\n"),
        element("p", state, id="state", role="status"),
        Markup("\n"),
        class_="controls wide",
        role="region",
        aria_label="Running the notebook",
    )


def _button(label: str, action: str) -> Markup:
    return element("button", label, type="button", data_action=action)


def _cells(cells: list[dict]) -> list[Markup]:
    """Return the cells as markup; code cells are numbered from 1."""
    parts, number = [], 0
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(element("section", Markup("\n"), text.render(source), Markup("\n"), id=cell["id"]))
        else:
            number += 1
            parts.append(_code_cell(number, source, cell["outputs"]))
    return parts


def _code_cell(number: int, source: str, outputs: list[dict]) -> Markup:
    """Return a code cell: its text, its buttons, its saved outputs."""
    buttons = [_button(f"Run cell {number}", "run"), _button(f"Restore cell {number}", "restore")]
    editor = element(
        "textarea",
        Markup("\n"),  # which the parser drops, as it would the first line end of the text
        source,
        id=f"code-{number}",
        rows=source.count("\n") + 1,
        spellcheck="false",
        autocomplete="off",
        autocapitalize="off",
    )
    shown = [
        element("p", "saved output", class_="mark"),
        element("div", joined([_output(output) for output in outputs], ""), class_="shown"),
    ]
    label = {"role": "group", "aria_label": f"Output of cell {number}"}
    parts = [
        element("label", f"Cell {number}, Python code", for_=f"code-{number}"),
        editor,
        element("p", joined(buttons, " "), class_="buttons", hidden=True),
        element("div", joined(shown), class_="output", **label),
    ]
    return element("div", Markup("\n"), joined(parts), Markup("\n"), class_="cell wide", id=f"cell-{number}")


def _output(output: dict) -> Markup:
    """Return a saved output as markup; web/notebook.js makes the same of one that was run in the page."""
    if output["output_type"] == "stream":
        return element("pre", "".join(output["text"]), class_=output["name"], tabindex="0")
    text = "".join(output["data"]["text/plain"])
    drawing = output["data"].get("image/svg+xml")
    if drawing is None:
        return element("pre", text, class_="result", tabindex="0")
    encoded = base64.b64encode("".join(drawing).encode("utf-8")).decode("ascii")
    return empty("img", alt=text, src=f"data:image/svg+xml;base64,{encoded}")


def make_page(bundle: Bundle) -> bytes:
    """Return notebook.html; raises BundleError if the notebook has not been run."""
    document = bundle.once(notebook.load)
    raise_if_any(_not_run(document))
    return build(document, bundle.once(results_file.load), bundle.read(ARCHIVE), bundle.asset)


def _not_run(document: dict) -> list[Problem]:
    """Return a problem for each code cell that has not been run, so that there is nothing of it to show."""
    return [
        Problem(
            NOTEBOOK,
            f"cell {number}",
            found="no saved output",
            expected="a notebook that has run",
            hint="Run execute_notebook.py.",
        )
        for number, cell in enumerate(document["cells"], 1)
        if cell["cell_type"] == "code" and cell.get("execution_count") is None
    ]
