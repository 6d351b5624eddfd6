"""The server: what it gives to whom, with which headers, and what it says when something is missing."""

from __future__ import annotations

import hashlib
import http.client
import io
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import unittest
import zipfile
from pathlib import Path

import serve
from scenario_ratio.notebook import page
from tests.support import (
    LAST,
    ROOT,
    BundleCase,
    command_of,
    copied_bundle,
    opened,
    run,
    temporary_folder,
    whole_copy,
)

RUNTIME_FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")


def fake_runtime(folder: Path, version: str = "314.0.7", without: str = "") -> Path:
    """Write a package with the names of the real one's files into ``folder``; return it."""
    folder.mkdir(parents=True)
    for name in RUNTIME_FILES:
        if name != without:
            (folder / name).write_text(name)
    (folder / "package.json").write_text(json.dumps({"name": "pyodide", "version": version}))
    (folder / "other.js").write_text("not asked for")
    return folder


class ServedCase(BundleCase):
    def serve(self, root: Path, runtime_folder: Path | None = None) -> int:
        """Serve a bundle until the test ends; return the port."""
        listening = serve.server(serve.Site(root, runtime_folder), 0)
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        self.addCleanup(listening.server_close)
        self.addCleanup(thread.join)
        self.addCleanup(listening.shutdown)
        return listening.server_port

    def ask(self, port: int, path: str, method: str = "GET", **headers: str) -> tuple[int, dict, bytes]:
        """Return (status, headers, body) of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.addCleanup(connection.close)
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.headers), answer.read()


class Files(ServedCase):
    def setUp(self):
        folder = temporary_folder(self)
        self.root = folder / "bundle"
        for name in ("a.html", "b.svg", "c.json", "d.ipynb", "e.py", "web/f.js", "SHA256SUMS", ".git/config"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(name)
        (self.root / "link.txt").symlink_to(self.root / "a.html")
        self.port = self.serve(self.root, fake_runtime(folder / "runtime"))

    def test_each_file_has_its_type_and_the_headers(self):
        expected = {
            "a.html": "text/html; charset=utf-8",
            "b.svg": "image/svg+xml",
            "c.json": "application/json",
            "d.ipynb": "application/x-ipynb+json",
            "e.py": "text/plain; charset=utf-8",
            "web/f.js": "text/javascript; charset=utf-8",
            "SHA256SUMS": "text/plain; charset=utf-8",
            "pyodide/pyodide.mjs": "text/javascript; charset=utf-8",
            "pyodide/pyodide.asm.wasm": "application/wasm",
            "pyodide/pyodide-lock.json": "application/json",
            "pyodide/python_stdlib.zip": "application/zip",
        }
        for name, type_ in expected.items():
            with self.subTest(name=name):
                status, headers, body = self.ask(self.port, f"/{name}?v=1")
                self.assertEqual((200, type_), (status, headers["Content-Type"]))
                self.assertEqual(name.replace("pyodide/", "", 1), body.decode())
                self.assertEqual(str(len(body)), headers["Content-Length"])
                self.assertEqual("same-origin", headers["Cross-Origin-Opener-Policy"])
                self.assertEqual("require-corp", headers["Cross-Origin-Embedder-Policy"])
                self.assertEqual("no-store", headers["Cache-Control"])
                self.assertEqual("nosniff", headers["X-Content-Type-Options"])

    def test_what_is_no_file_of_the_bundle_is_not_there(self):
        paths = (
            "/none", "/web", "/web/", "/link.txt", "/.git/config", "/../runtime/other.js", "/%2e%2e/runtime/other.js",
            "/web/../a.html", "//etc/passwd", "/pyodide/other.js", "/pyodide/../a.html", "/pyodide/package.json", "/a%00",
        )  # fmt: skip
        for path in paths:
            with self.subTest(path=path):
                status, _, body = self.ask(self.port, path)
                self.assertEqual((404, b"There is no such file here.\n"), (status, body))

    def test_head_gives_the_headers_alone(self):
        status, headers, body = self.ask(self.port, "/a.html", "HEAD")
        self.assertEqual((200, "6", b""), (status, headers["Content-Length"], body))

    def test_nothing_but_reading_is_answered(self):
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            self.assertEqual(501, self.ask(self.port, "/a.html", method)[0])

    def test_the_root_leads_to_the_notebook(self):
        status, headers, _ = self.ask(self.port, "/")
        self.assertEqual((302, "/notebook.html"), (status, headers["Location"]))

    def test_a_name_that_another_site_has_given_this_address_is_refused(self):
        for host, status in (
            ("127.0.0.1", 200),
            ("localhost", 200),
            ("rebound.example", 421),
            ("127.0.0.1.example", 421),
        ):
            with self.subTest(host=host):
                self.assertEqual(status, self.ask(self.port, "/a.html", Host=f"{host}:{self.port}")[0])

    def test_without_the_runtime_its_files_are_not_there(self):
        self.assertEqual(404, self.ask(self.serve(self.root), "/pyodide/pyodide.mjs")[0])

    def test_what_cannot_be_made_is_answered_with_the_reason(self):
        status, headers, body = self.ask(self.port, "/reproducibility.zip")
        self.assertEqual((500, "text/plain; charset=utf-8"), (status, headers["Content-Type"]))
        self.assertEqual(b"link.txt: found a symbolic link; expected a regular file\n", body)

    def test_it_listens_on_the_loopback_address_alone(self):
        with serve.server(serve.Site(self.root, None), 0) as listening:
            self.assertEqual("127.0.0.1", listening.socket.getsockname()[0])


class MadeOnDemand(ServedCase):
    def test_the_page_holds_the_digest_of_the_archive_that_is_served(self):
        root = whole_copy()
        port = self.serve(root)
        _, headers, packed = self.ask(port, "/reproducibility.zip")
        page = self.ask(port, "/notebook.html")[2].decode("utf-8")
        self.assertEqual("application/zip", headers["Content-Type"])
        self.assertIn(f'data-sha256="{hashlib.sha256(packed).hexdigest()}"', page)
        names = zipfile.ZipFile(io.BytesIO(packed)).namelist()
        self.assertIn("server-offline-ratio/analyze.py", names)
        self.assertNotIn("server-offline-ratio/notebook.html", names)
        self.assertEqual([], [name for name in LAST if (root / name).exists()])

    def test_files_that_are_there_are_served_as_they_are(self):
        root = copied_bundle(self)
        (root / "reproducibility.zip").write_bytes(b"an archive")
        (root / "notebook.html").write_bytes(b"a page")
        port = self.serve(root)
        self.assertEqual(b"an archive", self.ask(port, "/reproducibility.zip")[2])
        self.assertEqual(b"a page", self.ask(port, "/notebook.html")[2])

    def test_a_file_that_changes_while_this_serves_is_served_as_it_is_now(self):
        root = copied_bundle(self)
        port = self.serve(root)
        before = self.ask(port, "/notebook.html")[2]
        (root / "CHANGELOG.md").write_bytes(b"one more line")
        self.assertEqual(b"one more line", self.ask(port, "/CHANGELOG.md")[2])
        packed, after = self.ask(port, "/reproducibility.zip")[2], self.ask(port, "/notebook.html")[2]
        self.assertIn(hashlib.sha256(packed).hexdigest().encode("ascii"), after)
        self.assertNotEqual(before, after)


class Runtime(BundleCase):
    def test_the_package_beside_the_project_is_found(self):
        root = temporary_folder(self)
        installed = fake_runtime(root / "node_modules" / "pyodide")
        self.assertEqual(installed, serve.find_runtime(root, None))

    def test_a_folder_that_is_given_goes_first(self):
        root = temporary_folder(self)
        fake_runtime(root / "node_modules" / "pyodide", version="1.0.0")
        given = fake_runtime(root / "given")
        self.assertEqual(given, serve.find_runtime(root, given))

    def test_without_a_package_there_is_none(self):
        self.assertIsNone(serve.find_runtime(temporary_folder(self), None))

    def test_another_release_is_refused(self):
        folder = fake_runtime(temporary_folder(self) / "p", version="0.27.0")
        line = "the Python runtime: found version '0.27.0'; expected pyodide 314.0.7. Type: npm install --no-save pyodide@314.0.7"
        error = self.assert_refused([line], serve.find_runtime, ROOT, folder)
        self.assertEqual(2, error.exit_code)

    def test_each_missing_file_is_named(self):
        for name in RUNTIME_FILES:
            with self.subTest(name=name):
                folder = fake_runtime(temporary_folder(self) / "p", without=name)
                line = f"the Python runtime: found without {name}; expected pyodide 314.0.7. Type: npm install --no-save pyodide@314.0.7"
                self.assert_refused([line], serve.find_runtime, ROOT, folder)

    def test_a_package_that_says_nothing_of_its_version_is_refused(self):
        line = "the Python runtime: found version None; expected pyodide 314.0.7. Type: npm install --no-save pyodide@314.0.7"
        for text in ("{}", "[]", "no json", '{"version": null}'):
            with self.subTest(text=text):
                folder = fake_runtime(temporary_folder(self) / "p")
                (folder / "package.json").write_text(text)
                self.assert_refused([line], serve.find_runtime, ROOT, folder)


class Announcement(BundleCase):
    def announced(self, page: bytes, runtime_folder: bool = True) -> str:
        folder = temporary_folder(self)
        (folder / "reproducibility.zip").write_bytes(b"abc")
        (folder / "notebook.html").write_bytes(page)
        site = serve.Site(folder, fake_runtime(folder / "runtime") if runtime_folder else None)
        told, opening = serve.announcement(site, "http://host/").split("\n")
        self.assertEqual("Open http://host/notebook.html (to stop: Ctrl-C)", opening)
        return told

    def test_whether_cells_can_run(self):
        digest = b"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"  # SHA-256 of 'abc'
        self.assertEqual("Python runtime: pyodide 314.0.7", self.announced(b"<p>" + digest + b"</p>"))
        self.assertEqual(
            "notebook.html was made for another reproducibility.zip. To run cells, type: python3 reproduce.py",
            self.announced(b"<p>" + digest[:-1] + b"0</p>"),
        )
        self.assertEqual(
            "The Python runtime is missing. To run cells, stop this, type npm install --no-save pyodide@314.0.7, and start it again.",
            self.announced(digest, runtime_folder=False),
        )


class CommandLine(BundleCase):
    def started(self, root: Path, *arguments: object) -> subprocess.Popen:
        """Start the script without site packages; it is ended with the test."""
        command = command_of(root / "serve.py", "--port", "0", *arguments)
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            preexec_fn=lambda: signal.signal(
                signal.SIGINT, signal.SIG_DFL
            ),  # as at a prompt, however the tests were started
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def test_it_says_what_to_type_and_where_to_look_and_stops_on_ctrl_c(self):
        process = self.started(whole_copy())
        first, second = process.stdout.readline(), process.stdout.readline()
        self.assertEqual(
            "The Python runtime is missing. To run cells, stop this, type npm install --no-save pyodide@314.0.7, and start it again.\n",
            first,
        )
        self.assertRegex(second, r"\AOpen http://127\.0\.0\.1:\d+/notebook\.html \(to stop: Ctrl-C\)\n\Z")
        port = int(second.split(":")[2].split("/")[0])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", "/notebook.html")
        answer = connection.getresponse()
        self.assertEqual(200, answer.status)
        self.assertIn(b"<title>", answer.read())
        connection.close()
        process.send_signal(signal.SIGINT)
        self.assertEqual(("stopped\n", "", 0), (*process.communicate(timeout=30), process.returncode))

    def test_with_the_runtime_it_says_which(self):
        root = copied_bundle(self)
        fake_runtime(root / "node_modules" / "pyodide")
        self.assertEqual("Python runtime: pyodide 314.0.7\n", self.started(root).stdout.readline())

    def test_a_page_made_for_another_archive_is_told(self):
        root = copied_bundle(self)
        (root / "notebook.html").write_bytes(page.make_page(opened(root)))
        (root / "README.md").write_bytes(b"changed\n")
        given = fake_runtime(temporary_folder(self) / "p")
        expected = "notebook.html was made for another reproducibility.zip. To run cells, type: python3 reproduce.py\n"
        self.assertEqual(expected, self.started(root, "--pyodide", given).stdout.readline())

    def test_misuse_and_what_is_missing_end_it_with_one_line(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            root, empty = whole_copy(), temporary_folder(self)
            reason = os.strerror(98) if sys.platform == "linux" else "Address already in use"
            cases = {
                (
                    "--port",
                    str(port),
                ): f"port {port}: found {reason}; expected a free port. Choose another with --port.",
                ("--pyodide", str(empty)): (
                    f"the Python runtime: found without {', '.join(RUNTIME_FILES)}; expected pyodide 314.0.7. "
                    "Type: npm install --no-save pyodide@314.0.7"
                ),
                ("--root", str(empty)): "analysis.ipynb: found no such file; expected a regular file",
            }
            for arguments, line in cases.items():
                with self.subTest(arguments=arguments):
                    finished = run(root / "serve.py", *arguments)
                    self.assertEqual(("", f"{line}\n", 2), (finished.stdout, finished.stderr, finished.returncode))

    def test_what_is_no_port_is_refused(self):
        for text in ("65536", "-1", "x", "٣"):
            with self.subTest(text=text):
                finished = run(ROOT / "serve.py", f"--port={text}")
                self.assertEqual(2, finished.returncode)
                line = finished.stderr.splitlines()[-1]
                self.assertEqual(f"serve.py: error: argument --port: {ascii(text)} is no port: 0 to 65535", line)


class Pin(unittest.TestCase):
    def test_the_release_that_the_tests_use_is_the_one_that_the_page_asks_for(self):
        lines = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8").splitlines()
        pinned = [line.split()[2] for line in lines if line.startswith("# npm: pyodide==")]
        self.assertEqual([f"pyodide=={page.VERSION}"], pinned)


if __name__ == "__main__":
    unittest.main()
