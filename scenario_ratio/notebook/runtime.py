"""The Python that runs in the browser: Pyodide, one pinned release of its npm package."""

from __future__ import annotations

PACKAGE, VERSION, PYTHON = "pyodide", "314.0.7", "3.14"
INSTALL = f"npm install --no-save {PACKAGE}@{VERSION}"
SERVE = "python3 serve.py"

# The files of the package that a browser loads, all of them once, when Python starts.
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
SIZE = 13_531_207  # bytes of these files together

FOLDER = "pyodide"  # where a site keeps them, beside the page
INSTALLED = f"node_modules/{PACKAGE}"  # where npm puts the package
