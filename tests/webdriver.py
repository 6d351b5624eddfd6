"""Firefox and WebKit for the tests, each spoken to in its own form of WebDriver: go somewhere, run a script there."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path
from typing import Callable, Iterator

FIREFOX = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
WEBKIT = shutil.which("WebKitWebDriver")
MINIBROWSER = next(iter(sorted(glob.glob("/usr/lib/*/webkit2gtk-4*/MiniBrowser"))), None)
XVFB = shutil.which("Xvfb")

needs_firefox = unittest.skipUnless(FIREFOX, "needs Firefox (Debian: firefox-esr)")
needs_webkit = unittest.skipUnless(WEBKIT and MINIBROWSER and XVFB, "needs WebKit (Debian: webkit2gtk-driver, xvfb)")

PATIENCE_S = 60  # for a browser to start on a slow machine
# A port of its own choice, and no way to other computers: a proxy where nobody listens.
PREFERENCES = {
    "marionette.port": 0,
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.no_proxies_on": "127.0.0.1",
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
}


class Browser:
    """A browser's one window; ``command`` sends a WebDriver command by its name and parameters and gives its value."""

    def __init__(self, command: Callable[[str, dict], object]):
        self.command = command

    def go(self, url: str) -> None:
        """Open an address."""
        self.command("Navigate", {"url": url})

    def script(self, source: str, *arguments: object) -> object:
        """Run JavaScript in the page: what it returns."""
        return self.command("ExecuteScript", {"script": source, "args": list(arguments)})

    def wait(self, source: str, *arguments: object, seconds: float = 120) -> object:
        """Run JavaScript until it returns something true, and return that; fails after ``seconds``."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            value = self.script(source, *arguments)
            if value:
                return value
            time.sleep(0.1)
        raise AssertionError(f"{source} {arguments} stayed untrue; state: {self.script(STATE)}")


STATE = "return document.getElementById('state')?.textContent"


def _until(found: Callable[[], object]) -> object:
    """Return what ``found`` returns once that is something; OSError is nothing yet."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            value = found()
            if value:
                return value
        time.sleep(0.1)
    raise AssertionError("the browser did not start")


@contextlib.contextmanager
def _process(*command: str, **environment: str) -> Iterator[subprocess.Popen]:
    """Run a program in the background for as long as it is needed, with an empty home."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        settings = {**os.environ, "HOME": home, "NO_AT_BRIDGE": "1", **environment}
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command, env=settings, **streams)
        try:
            yield process
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            process.wait()
            process.stdout.close()


@contextlib.contextmanager
def firefox() -> Iterator[Browser]:
    """Start a Firefox and speak Marionette to it: '[0, number, name, parameters]' with its length before it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()]
        Path(profile, "user.js").write_text("".join(lines), encoding="utf-8")
        active = Path(profile, "MarionetteActivePort")
        with _process(FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", profile):
            port = int(_until(active.read_text))
            with socket.create_connection(("127.0.0.1", port), 180) as connection, connection.makefile("rb") as stream:

                def received() -> list | dict:
                    length = b""
                    while not length.endswith(b":"):
                        length += stream.read(1)
                    return json.loads(stream.read(int(length[:-1])))

                def command(name: str, parameters: dict) -> object:
                    message = json.dumps([0, 1, f"WebDriver:{name}", parameters]).encode()
                    connection.sendall(b"%d:%s" % (len(message), message))
                    _, _, error, value = received()
                    assert error is None, error
                    return (value or {}).get("value")

                received()  # its greeting
                command("NewSession", {})
                yield Browser(command)


@contextlib.contextmanager
def webkit() -> Iterator[Browser]:
    """Start a WebKitGTK on a screen that nobody sees, and speak WebDriver over HTTP to it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with _process(XVFB, "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp") as screen:
        display = f":{int(screen.stdout.readline())}"
        with _process(WEBKIT, f"--port={port}", DISPLAY=display):
            yield from _webkit_session(f"http://127.0.0.1:{port}/session")


def _webkit_session(address: str) -> Iterator[Browser]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def ask(path: str, body: dict, method: str = "POST") -> object:
        data = json.dumps(body).encode() if method == "POST" else None
        request = urllib.request.Request(address + path, data, {"Content-Type": "application/json"}, method=method)
        with opener.open(request, timeout=180) as answer:
            return json.loads(answer.read())["value"]

    options = {"binary": MINIBROWSER, "args": ["--automation"]}
    wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
    session = _until(lambda: ask("", wanted))["sessionId"]
    paths = {"Navigate": "/url", "ExecuteScript": "/execute/sync"}
    try:
        yield Browser(lambda name, parameters: ask(f"/{session}{paths[name]}", parameters))
    finally:
        ask(f"/{session}", {}, "DELETE")
