"""Fetching over HTTP from a server that misbehaves: what is tried again, what is refused, and what is said."""

import errno
import os
import socket
import time
import unittest

from scenario_ratio.upstream import fetching
from scenario_ratio.upstream import record as acquisition
from tests.misbehaving_server import body, dripping, hanging_up, in_turn, silent, start, status
from tests.support import BundleCase

LOOPBACK = fetching.Bounds(scheme="http", size=1000, timeout_s=0.3, total_s=0.6)


class FetchCase(BundleCase):
    def setUp(self):
        self.slept, self.told = [], []
        self.fetcher = fetching.Fetcher(LOOPBACK, self.slept.append, self.told.append)

    def serve(self, *behaviours) -> str:
        """Start a server with the behaviours in turn; return the URL to fetch."""
        self.server = start(self, {"/file": in_turn(*behaviours)})
        return f"{self.server.url}/file"

    def assert_failed(self, line: str, url: str, attempts: int) -> None:
        self.assert_refused([f"name: {line}"], self.fetcher.fetch, url, "name")
        self.assertEqual(attempts, len(self.server.asked))
        self.assertEqual([1, 2, 4][: attempts - 1], self.slept)


def stalling(handler) -> None:
    """Answer with two of three bytes, and then say nothing."""
    handler.send_response(200)
    handler.send_header("Content-Length", "3")
    handler.end_headers()
    handler.wfile.write(b"ab")
    handler.wfile.flush()
    silent(handler)


class Bounds(FetchCase):
    def test_the_bounds_of_the_network(self):
        # scheme, bytes, seconds for the connection, seconds for the whole
        self.assertEqual(("https", 4_000_000, 30.0, 120.0), tuple(fetching.HTTPS))
        self.assertEqual(fetching.HTTPS, fetching.Bounds())

    def test_a_body_of_many_blocks(self):
        raw = bytes(range(256)) * 2_000  # 512,000 bytes
        fetcher = fetching.Fetcher(LOOPBACK._replace(size=len(raw), timeout_s=5, total_s=10))
        for announced in (..., None):
            self.assertEqual(raw, fetcher.fetch(self.serve(body(raw, announced)), "name"))

    def test_which_statuses_may_pass(self):
        for code in (408, 425, 429, 500, 502, 503, 504):
            self.assertEqual(fetching.PASSING, self.ending(status(code)), code)
        for code in (400, 401, 403, 404, 407, 409, 410, 424, 426, 428, 430, 431, 501, 505, 511):
            self.assertEqual(fetching.FINAL, self.ending(status(code)), code)

    def ending(self, behaviour) -> str:
        with self.assertRaises(fetching._Failed) as caught:
            fetching._attempt(self.serve(behaviour), LOOPBACK)
        return caught.exception.args[2]


class Reasons(FetchCase):
    def test_a_cause_in_a_line(self):
        for cause, line in (
            (socket.timeout("timed out"), "no answer in time"),
            (OSError(5, "Input/output error"), "Input/output error"),
            (OSError("first\nsecond"), "first"),
            ("a text", "a text"),
            (ValueError(), "ValueError"),
            (ValueError("\nsecond"), "ValueError"),
        ):
            self.assertEqual(line, fetching._reason(cause))

    def test_a_port_where_nothing_listens(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{taken.getsockname()[1]}/file"
            line = f"name: found {os.strerror(errno.ECONNREFUSED)}; expected an answer within 0.3 s"
            self.assert_refused([line], self.fetcher.fetch, url, "name")


class Answers(FetchCase):
    def test_a_whole_body_is_returned(self):
        for announced in (..., None):
            with self.subTest(announced=announced):
                url = self.serve(body(b"\0\xff\r\n" * 250, announced))
                self.assertEqual(b"\0\xff\r\n" * 250, self.fetcher.fetch(url, "name"))
        self.assertEqual(([], []), (self.slept, self.told))

    def test_an_empty_body_is_a_body(self):
        self.assertEqual(b"", self.fetcher.fetch(self.serve(body(b"")), "name"))

    def test_a_redirect_within_the_host_is_followed(self):
        url = self.serve(status(302, Location="/moved"))
        self.server.behaviours["/moved"] = body(b"abc")
        self.assertEqual(b"abc", self.fetcher.fetch(url, "name"))


class TriedAgain(FetchCase):
    def test_what_may_pass_is_tried_again_after_growing_waits(self):
        url = self.serve(status(503), body(b"ab", 3), status(429), body(b"abc"))
        self.assertEqual(b"abc", self.fetcher.fetch(url, "name"))
        self.assertEqual([1, 2, 4], self.slept)
        self.assertEqual(
            [
                "name: found HTTP status 503; next attempt in 1 s",
                "name: found 2 bytes; next attempt in 2 s",
                "name: found HTTP status 429; next attempt in 4 s",
            ],
            self.told,
        )

    def test_four_attempts_are_the_most(self):
        url = self.serve(*[status(500)] * 3, status(502), body(b"late"))
        self.assert_failed("found HTTP status 502; expected the file", url, attempts=4)

    def test_a_cut_body(self):
        self.assert_failed("found 2 bytes; expected the 3 bytes announced", self.serve(*[body(b"ab", 3)] * 4), 4)

    def test_a_body_without_end(self):
        url = self.serve(*[dripping] * 4)
        self.assert_failed("found an answer without end; expected the whole file in time", url, attempts=4)

    def test_no_answer_in_time_and_then_the_host_is_asked_no_more(self):
        url = self.serve(*[silent] * 4, body(b"late"))
        self.assert_failed("found no answer in time; expected an answer within 0.3 s", url, attempts=4)
        host = url.split("/")[2]
        again = f"found no answer of {host} to an earlier file; expected an answer"
        self.assert_failed(again, url, attempts=4)

    def test_a_host_that_begins_to_answer_is_asked_again(self):
        url = self.serve(*[stalling] * 4, body(b"abc"))
        self.assert_failed("found no answer in time; expected an answer within 0.3 s", url, attempts=4)
        self.assertEqual(b"abc", self.fetcher.fetch(url, "name"))

    def test_a_connection_closed_without_an_answer(self):
        found = "Remote end closed connection without response"
        url = self.serve(*[hanging_up] * 4)
        self.assert_failed(f"found {found}; expected an answer within 0.3 s", url, attempts=4)

    def test_a_host_that_answers_badly_is_asked_again(self):
        url = self.serve(*[status(503)] * 4, body(b"abc"))
        self.assert_failed("found HTTP status 503; expected the file", url, attempts=4)
        self.assertEqual(b"abc", self.fetcher.fetch(url, "name"))


class Refused(FetchCase):
    def test_not_found_is_final(self):
        self.assert_failed("found HTTP status 404; expected the file", self.serve(status(404)), attempts=1)

    def test_a_redirect_to_another_host_is_not_followed(self):
        other = start(self, {"/file": body(b"abc")})
        url = self.serve(status(302, Location=f"{other.url}/file"))
        here, there = url.split("/")[2], other.url
        self.assert_failed(f"found a redirect to {there}; expected an answer of {here}", url, attempts=1)
        self.assertEqual([], other.asked)

    def test_a_redirect_to_another_scheme_is_not_followed(self):
        for location, shown in (("https://{}/file", "https://{}"), ("file:///etc/hostname", "file://")):
            url = self.serve(None)
            host = url.split("/")[2]
            self.server.behaviours["/file"] = status(301, Location=location.format(host))
            with self.subTest(location=location):
                # urllib itself refuses file: before it asks the handler, and reports the status.
                found = f"a redirect to {shown.format(host)}" if location[0] == "h" else "HTTP status 301"
                expected = f"an answer of {host}" if location[0] == "h" else "the file"
                self.assert_failed(f"found {found}; expected {expected}", url, attempts=1)

    def test_a_redirect_in_a_circle_ends(self):
        url = self.serve(*[status(302, Location="/file")] * 20)
        self.assert_refused(["name: found HTTP status 302; expected the file"], self.fetcher.fetch, url, "name")
        self.assertLess(len(self.server.asked), 20)

    def test_too_many_announced_bytes_are_not_read(self):
        def announcing(handler):
            body(b"", 1001)(handler)
            silent(handler)  # a client that waits for the body runs out of time

        url = self.serve(announcing)
        self.assert_failed("found at least 1001 bytes; expected at most 1000 bytes", url, attempts=1)

    def test_as_many_bytes_as_allowed_are_read(self):
        self.assertEqual(b"." * 1000, self.fetcher.fetch(self.serve(body(b"." * 1000)), "name"))

    def test_too_many_bytes_are_read_no_further(self):
        url = self.serve(body(b"." * 1_000_000, None))
        with self.assertRaises(fetching.BundleError) as caught:
            self.fetcher.fetch(url, "name")
        self.assertRegex(str(caught.exception), r"^name: found at least [0-9]{4,6} bytes; expected at most 1000 bytes$")

    def test_a_byte_that_comes_after_as_many_as_allowed(self):
        def more(handler):
            body(b"." * 1000, None)(handler)
            handler.wfile.flush()
            time.sleep(0.1)
            handler.wfile.write(b".")

        self.assert_failed("found at least 1001 bytes; expected at most 1000 bytes", self.serve(more), attempts=1)

    def test_only_https_is_spoken_unless_a_test_says_otherwise(self):
        url = self.serve(body(b"abc"))
        fetcher = fetching.Fetcher(sleep=self.slept.append)
        self.assert_refused(["name: found the scheme http; expected https"], fetcher.fetch, url, "name")
        self.assert_refused(
            ["name: found the scheme file; expected https"], fetcher.fetch, "file:///etc/hostname", "name"
        )
        self.assertEqual([], self.server.asked)

    def test_the_addresses_of_the_record_are_https(self):
        url = acquisition.raw_url("https://github.com/a/b", "0" * 40, "c")
        self.assertTrue(url.startswith("https://raw.githubusercontent.com/"))


if __name__ == "__main__":
    unittest.main()
