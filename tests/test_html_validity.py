"""The pages under the W3C's own validator."""

from __future__ import annotations

import os
import shutil
import subprocess
import unittest
from pathlib import Path

from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import Bundle
from tests.support import ROOT, temporary_folder

VNU = Path(os.environ.get("VNU") or ROOT / "node_modules/vnu-jar/build/dist/vnu.jar")


@unittest.skipUnless(shutil.which("java") and VNU.is_file(), "needs Java, and vnu-jar beside the project (or VNU=path)")
class Valid(unittest.TestCase):
    def errors(self, *pages: Path) -> str:
        command = ["java", "-jar", str(VNU), "--errors-only", "--stdout", *map(str, pages)]
        return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120).stdout

    def test_the_pages_have_no_error(self):
        page = temporary_folder(self) / "notebook.html"
        page.write_bytes(Bundle(ROOT, artifacts=ARTIFACTS).read("notebook.html"))
        self.assertEqual("", self.errors(ROOT / "article.html", page))

    def test_the_validator_finds_an_error(self):
        page = temporary_folder(self) / "bad.html"
        page.write_bytes((ROOT / "article.html").read_bytes().replace(b"<caption", b"<center></center><caption", 1))
        self.assertIn("error:", self.errors(page))
