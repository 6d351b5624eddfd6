"""A real Chromium for the tests: only this computer can be reached from it, and what pages ask for and say is kept."""

from __future__ import annotations

import contextlib
import os
import shutil
import unittest
from pathlib import Path
from typing import Iterator

from scenario_ratio.notebook import page as notebook_page
from tests.support import ROOT

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sync_playwright = None

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
AXE = Path(os.environ.get("AXE") or ROOT / "node_modules/axe-core/axe.min.js")
PYODIDE = Path(os.environ.get("PYODIDE") or ROOT / notebook_page.INSTALLED)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
UNREACHABLE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"

needs_chromium = unittest.skipUnless(sync_playwright and CHROMIUM, "needs playwright and a Chromium (or CHROMIUM=path)")
needs_axe = unittest.skipUnless(AXE.is_file(), "needs axe-core beside the project (or AXE=path of axe.min.js)")
needs_pyodide = unittest.skipUnless(PYODIDE.is_dir(), "needs pyodide beside the project (or PYODIDE=folder)")

# What axe-core checks: every rule of WCAG 2.0, 2.1 and 2.2 at levels A and AA.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
RUN_AXE = """async (tags) => {
  const { violations } = await axe.run(document, { runOnly: { type: "tag", values: tags } });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}"""


@contextlib.contextmanager
def chromium() -> Iterator:
    """Start a Chromium from which no other computer can be reached; give the browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, UNREACHABLE])
        try:
            yield browser
        finally:
            browser.close()


class Visit:
    """A page in a context of its own; ``requests`` are the URLs it asked for, ``console`` what it or its worker said."""

    def __init__(self, browser, url: str, **options):
        self.requests: list[str] = []
        self.console: list[str] = []
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.context.on("request", lambda request: self.requests.append(request.url))
        self.context.on("console", lambda message: self.console.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.console.append(f"error: {error}"))
        self.page.goto(url)

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *_) -> None:
        self.context.close()

    def violations(self) -> list[str]:
        """Return what axe-core finds against WCAG 2.2 AA in the page as it is now: rule and element."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        return self.page.evaluate(RUN_AXE, RULES)

    def overflow(self) -> int:
        """Return by how many pixels the page is wider than its window."""
        return self.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
