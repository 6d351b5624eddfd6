"""A loopback web server that misbehaves as it is told: one behaviour for each path."""

import contextlib
import http.server
import os
import threading
import time
import unittest
from unittest import mock


class Server(http.server.ThreadingHTTPServer):
    """Answers each path with the behaviour in ``behaviours``: a function of the request handler; 404 for the rest.

    ``asked`` lists the paths asked for, in order.
    """

    daemon_threads = True

    def __init__(self, behaviours: dict):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.behaviours, self.asked = behaviours, []
        self.url = f"http://127.0.0.1:{self.server_port}"


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        with contextlib.suppress(ConnectionError):  # a client may hang up as soon as it has seen enough
            self.server.behaviours.get(self.path, status(404))(self)

    def log_message(self, *arguments):
        pass


def body(raw: bytes, announced: object = ...):
    """Answer with ``raw``, announcing its length, another one, or with None none."""

    def answer(handler):
        handler.send_response(200)
        if announced is not None:
            handler.send_header("Content-Length", str(len(raw) if announced is ... else announced))
        handler.end_headers()
        handler.wfile.write(raw)

    return answer


def status(code: int, **headers: str):
    """Answer with a status, headers and no body."""

    def answer(handler):
        handler.send_response(code)
        for name, value in {**headers, "Content-Length": "0"}.items():
            handler.send_header(name, value)
        handler.end_headers()

    return answer


def dripping(handler):
    """Answer with a byte every hundredth of a second, for five seconds."""
    handler.send_response(200)
    handler.end_headers()
    for _ in range(500):
        handler.wfile.write(b".")
        time.sleep(0.01)


def silent(handler):
    """Take the request and say nothing for a second."""
    time.sleep(1)


def hanging_up(handler):
    """Close the connection without an answer."""


def in_turn(*behaviours):
    """Answer the first request with the first behaviour, and so on."""
    left = iter(behaviours)
    return lambda handler: next(left)(handler)


def start(test: unittest.TestCase, behaviours: dict) -> Server:
    """Return a server that runs until the test ends, reached without any proxy of the surroundings."""
    server = Server(behaviours)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    patched = mock.patch.dict(os.environ, {"no_proxy": "*", "NO_PROXY": "*"})
    patched.start()
    test.addCleanup(patched.stop)
    test.addCleanup(server.server_close)
    test.addCleanup(thread.join)
    test.addCleanup(server.shutdown)
    return server
