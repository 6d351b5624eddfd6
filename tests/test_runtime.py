"""The Python that runs in the browser: one release, named alike wherever it is named."""

from __future__ import annotations

from scenario_ratio.notebook import runtime
from tests.support import ROOT, BundleCase


class Release(BundleCase):
    def test_it_is_the_one_that_is_tested(self):
        lines = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8").splitlines()
        pinned = [line.split()[2] for line in lines if line.startswith("# npm: pyodide")]
        self.assertEqual([f"{runtime.PACKAGE}=={runtime.VERSION}"], pinned)
        self.assertEqual(runtime.PYTHON.replace(".", ""), runtime.VERSION.split(".")[0])  # 314 is Python 3.14

    def test_what_a_reader_is_told_to_type(self):
        self.assertEqual(f"npm install --no-save pyodide@{runtime.VERSION}", runtime.INSTALL)
        self.assertEqual("python3 serve.py", runtime.SERVE)
        self.assertTrue((ROOT / "serve.py").is_file())

    def test_where_it_is_kept(self):
        self.assertEqual(("pyodide", "node_modules/pyodide"), (runtime.FOLDER, runtime.INSTALLED))

    def test_what_is_loaded(self):
        files = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")
        self.assertEqual(files, runtime.FILES)
        self.assertEqual(
            13_531_207, runtime.SIZE
        )  # of these files in the package 314.0.7; compared where it is at hand
