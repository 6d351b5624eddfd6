"""Fetching one file over HTTPS: the named host only, bounded in size and time, tried again where that can help."""

from __future__ import annotations

import http.client
import socket
import time
import urllib.error
import urllib.request
from typing import Callable, NamedTuple
from urllib.parse import urlsplit

from scenario_ratio import wording
from scenario_ratio.problems import BundleError, Problem

WAITS_S = (1, 2, 4)  # before the second, third and fourth attempt, which is the last
PASSING_STATUSES = {408, 425, 429, 500, 502, 503, 504}  # HTTP statuses that may be gone a moment later
_BLOCK = 65_536


class Bounds(NamedTuple):
    """What a fetch may cost and which scheme it must keep to."""

    scheme: str = "https"
    size: int = 4_000_000  # bytes; the largest file on the record's lists has 670,139
    timeout_s: float = 30.0  # for the connection, and for each wait on it
    total_s: float = 120.0  # for one attempt from start to end, however slowly the bytes come


HTTPS = Bounds()


class _Failed(Exception):
    """(what was found, what was expected, how it ended: FINAL, PASSING or SILENT)."""


FINAL, PASSING, SILENT = "another attempt cannot help", "another attempt can help", "nothing answered at all"


class _OneHost(urllib.request.HTTPRedirectHandler):
    """Follows a redirect within the same scheme, host and port, and refuses every other."""

    def redirect_request(self, request, stream, code, message, headers, url):
        here, there = urlsplit(request.full_url), urlsplit(url)
        if (here.scheme, here.netloc) != (there.scheme, there.netloc):
            raise _Failed(f"a redirect to {there.scheme}://{there.netloc}", f"an answer of {here.netloc}", FINAL)
        return super().redirect_request(request, stream, code, message, headers, url)


class Fetcher:
    """Fetches files, and asks a host that gave no answer at all to one of them for no other."""

    def __init__(self, bounds: Bounds = HTTPS, sleep: Callable = time.sleep, tell: Callable = lambda line: None):
        """``sleep`` takes the seconds between attempts; ``tell`` hears a line about each new one."""
        self._bounds, self._sleep, self._tell = bounds, sleep, tell
        self._silent: set[str] = set()

    def fetch(self, url: str, name: str) -> bytes:
        """Return the bytes at ``url``; ``name`` is what messages call the file.

        Raises BundleError when the answer cannot be had: another scheme or host, an HTTP error, more than the
        bounded bytes, a cut body, or no end within the bounded seconds, after four attempts where one more may help.
        """
        host = urlsplit(url).netloc
        if host in self._silent:
            raise BundleError(Problem(name, found=f"no answer of {host} to an earlier file", expected="an answer"))
        for wait_s in (*WAITS_S, None):
            try:
                return _attempt(url, self._bounds)
            except _Failed as failure:
                found, expected, ending = failure.args
            if ending is FINAL or wait_s is None:
                break
            self._tell(f"{name}: found {found}; next attempt in {wait_s} s")
            self._sleep(wait_s)
        if ending is SILENT:
            self._silent.add(host)
        raise BundleError(Problem(name, found=found, expected=expected))


def _attempt(url: str, bounds: Bounds) -> bytes:
    """Return the bytes at ``url``, or raise _Failed."""
    scheme = urlsplit(url).scheme
    if scheme != bounds.scheme:
        raise _Failed(f"the scheme {scheme}", bounds.scheme, FINAL)
    end, answered = time.monotonic() + bounds.total_s, False
    try:
        with urllib.request.build_opener(_OneHost).open(url, timeout=bounds.timeout_s) as answer:
            answered = True
            return _body(answer, bounds.size, end)
    except urllib.error.HTTPError as error:
        error.close()
        ending = PASSING if error.code in PASSING_STATUSES else FINAL
        raise _Failed(f"HTTP status {error.code}", "the file", ending) from None
    except (OSError, http.client.HTTPException) as error:
        reason = _reason(getattr(error, "reason", error))
        raise _Failed(reason, f"an answer within {bounds.timeout_s:g} s", PASSING if answered else SILENT) from None


def _reason(cause: object) -> str:
    """Return what the network said, in a line: the reason it gives, else the kind of its error."""
    if isinstance(cause, socket.timeout):
        return "no answer in time"
    text = str(getattr(cause, "strerror", None) or cause).splitlines()
    return (text[0] if text else "") or type(cause).__name__


def _body(answer: http.client.HTTPResponse, size_limit: int, end: float) -> bytes:
    """Return the body of an answer, read until its end and never beyond the bounds."""
    announced = answer.headers.get("Content-Length", "")
    announced = int(announced) if announced.isascii() and announced.isdigit() else None
    body = bytearray()
    while (announced or 0) <= size_limit and len(body) <= size_limit:
        if time.monotonic() > end:
            raise _Failed("an answer without end", "the whole file in time", PASSING)
        block = answer.read1(_BLOCK)
        if not block:
            break
        body += block
    size = max(announced or 0, len(body))
    if size > size_limit:
        raise _Failed(f"at least {size} bytes", f"at most {size_limit} bytes", FINAL)
    if announced is not None and len(body) != announced:
        found, expected = (wording.numbered(number, "byte/bytes") for number in (len(body), announced))
        raise _Failed(found, f"the {expected} announced", PASSING)
    return bytes(body)
