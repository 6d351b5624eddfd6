#!/usr/bin/env python3
"""Serve the bundle to the browsers of this computer alone, with the Python runtime that notebook.html runs cells in.

The runtime is the npm package that `npm install` put beside the project, or the folder given with --pyodide. Without
it the pages show everything saved. The archive and the page are made on demand if they are not there.
"""

from __future__ import annotations

import sys

sys.pycache_prefix = __file__  # cached bytecode, which could have been planted, is not read
import scenario_ratio

scenario_ratio.from_source()

import argparse
import contextlib
import functools
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from scenario_ratio import cli, wording
from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import ON_DEMAND, Bundle, scanned
from scenario_ratio.files import read_bytes, sha256
from scenario_ratio.notebook import page as runtime
from scenario_ratio.pinned import ARCHIVE, PAGE
from scenario_ratio.problems import BundleError, Problem, shown
from scenario_ratio.proof.packing import media_type

HOST, PORT = "127.0.0.1", 8000
LOCAL_NAMES = ("127.0.0.1", "localhost")

# Types of text that a browser would save; it is told that they are plain text, which it shows.
READ = ("text/csv", "text/markdown", "text/x-python", "application/toml", "application/yaml")
TEXT = "text/plain; charset=utf-8"
# The first two let the page share memory with its worker, by which a running cell can be interrupted.
HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def find_runtime(root: Path, given: Path | None) -> Path | None:
    """Return the folder of the runtime: ``given``, or the npm package beside the project, None if there is none.

    Raises BundleError if a file of the package is missing, or if it is another release than the pinned one.
    """
    folder = given or root / runtime.INSTALLED
    if given is None and not folder.exists():
        return None
    missing = [name for name in runtime.FILES if not (folder / name).is_file()]
    try:
        version = json.loads((folder / "package.json").read_bytes()).get("version")
    except (OSError, ValueError, AttributeError):
        version = None
    if version == runtime.VERSION and not missing:
        return folder
    found = f"without {wording.listed(missing)}" if missing else f"version {shown(version)}"
    expected, hint = f"{runtime.PACKAGE} {runtime.VERSION}", f"Type: {runtime.INSTALL}"
    raise BundleError(Problem("the Python runtime", found=found, expected=expected, hint=hint, missing=True))


class Site:
    """What is served: the files of a bundle, the archive and the page made from them, the runtime's files."""

    def __init__(self, root: Path, runtime_folder: Path | None):
        self.root, self.runtime_folder = root, runtime_folder

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a file by its path on the site, None if there is none; raises BundleError."""
        folder, _, file = name.rpartition("/")
        if folder == runtime.RUNTIME:
            there = self.runtime_folder is not None and file in runtime.FILES
            return read_bytes(self.runtime_folder.resolve(), file) if there else None
        bundle = Bundle(self.root, artifacts=ARTIFACTS)  # anew, since files may change while this serves
        made = bundle.rows.get(name)
        if made and made.kind in ON_DEMAND:
            return bundle.saved(name) if (self.root / name).is_file() else bundle.made(made)
        return bundle.source(name) if name in bundle.once(scanned)[0] else None


class Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD with the files of ``site``."""

    protocol_version = "HTTP/1.1"

    def __init__(self, site: Site, *arguments):
        self.site = site
        super().__init__(*arguments)

    def handle(self):
        """Answer requests until the browser hangs up, which it may do at any time."""
        with contextlib.suppress(ConnectionError):
            super().handle()

    def do_GET(self):
        """Answer with a file; '/' leads to the notebook. A page of another site gets nothing, whatever name it uses."""
        name = unquote(urlsplit(self.path).path).lstrip("/")
        if self.headers.get("Host", "").rpartition(":")[0] not in LOCAL_NAMES:
            return self._answer(421, b"This server answers to this computer's own names alone.\n", TEXT)
        if not name:
            return self._answer(302, b"", TEXT, Location=f"/{PAGE}")
        try:
            raw = self.site.read(name)
        except BundleError as error:
            return self._answer(500, f"{error}\n".encode(), TEXT)
        if raw is None:
            return self._answer(404, b"There is no such file here.\n", TEXT)
        kind = media_type(name, raw)
        charset = "; charset=utf-8" if kind.startswith("text/") else ""
        return self._answer(200, raw, TEXT if kind in READ else kind + charset)

    do_HEAD = do_GET

    def _answer(self, status: int, raw: bytes, type_: str, **headers: str) -> None:
        self.send_response(status)
        for name, value in {**HEADERS, **headers, "Content-Type": type_, "Content-Length": str(len(raw))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(raw)

    def log_message(self, *_):
        """Keep quiet: what is asked for is no news."""


def server(site: Site, port: int) -> ThreadingHTTPServer:
    """Return a server of ``site`` on the loopback address at ``port``, 0 for any; raises BundleError if it is not to be had."""
    try:
        return ThreadingHTTPServer((HOST, port), functools.partial(Handler, site))
    except OSError as error:
        found, hint = error.strerror or "an error", "Choose another with --port."
        problem = Problem(f"port {port}", found=found, expected="a free port", hint=hint, missing=True)
        raise BundleError(problem) from None


def announcement(site: Site, address: str) -> str:
    """Return what is printed once the server listens: whether cells can run, and the address to open."""
    if site.runtime_folder is None:
        python = f"The Python runtime is missing. To run cells, stop this, type {runtime.INSTALL}, and start it again."
    elif sha256(site.read(ARCHIVE)).encode("ascii") not in site.read(PAGE):
        python = f"{PAGE} was made for another {ARCHIVE}. To run cells, type: python3 reproduce.py"
    else:
        python = f"Python runtime: {runtime.PACKAGE} {runtime.VERSION}"
    return f"{python}\nOpen {address}{PAGE} (to stop: Ctrl-C)"


def main() -> None:
    """Serve until interrupted."""
    arguments = cli.parser(__doc__, output=False)
    arguments.add_argument("--pyodide", type=Path, metavar="DIR", help="the folder of the Python runtime")
    arguments.add_argument("--port", type=_port, default=PORT, help=f"the port (default: {PORT}; 0: any free one)")
    options = arguments.parse_args()
    site = Site(options.root, find_runtime(options.root, options.pyodide))
    site.read(PAGE)  # fails now rather than in the browser, if it fails
    with server(site, options.port) as listening:
        print(announcement(site, f"http://{HOST}:{listening.server_port}/"), flush=True)
        try:
            listening.serve_forever()
        except KeyboardInterrupt:
            print("stopped")


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) < 65536):
        raise argparse.ArgumentTypeError(f"{shown(text)} is no port: 0 to 65535")
    return int(text)


if __name__ == "__main__":
    cli.run(main)
