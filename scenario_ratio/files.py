"""Files at the edge: reading, strict decoding, digests, JSON, atomic writing.

Everything that a script reads passes through ``read_bytes`` and everything that it writes through
``write_atomically``, so the rules about missing files, links and partial output stand in one place.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import stat
from decimal import Decimal
from pathlib import Path

from scenario_ratio.problems import BundleError, Problem, shown

PROJECT = Path(__file__).resolve().parent.parent  # where the code is
SIZE_LIMIT = 256_000_000  # bytes; far above the summary of any round, so that a wrong file cannot fill memory


def read_bytes(root: Path, name: str, limit: int = SIZE_LIMIT) -> bytes:
    """Return the bytes of the regular file ``name`` (relative, with '/') below ``root``.

    Raises BundleError if the name leaves ``root``, if any part of it is a symbolic link, if it is missing,
    unreadable or not a regular file, or if it is larger than ``limit`` bytes.
    """
    path = inside(root, name)
    try:
        facts = os.lstat(path)
        if stat.S_ISLNK(facts.st_mode):
            raise BundleError(Problem(name, found="a symbolic link", expected="a regular file"))
        if not stat.S_ISREG(facts.st_mode):
            raise BundleError(Problem(name, found="a directory or device", expected="a regular file", missing=True))
        if facts.st_size > limit:
            raise BundleError(Problem(name, found=f"{facts.st_size} bytes", expected=f"at most {limit} bytes"))
        return Path(path).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise BundleError(Problem(name, found="no such file", expected="a regular file", missing=True)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "a name no file can have"
        raise BundleError(Problem(name, found=reason, expected="a readable file", missing=True)) from None


def inside(root: Path, name: str) -> str:
    """Return the path of ``name`` below ``root``; raises BundleError if it leaves ``root`` or a folder on the way is a link."""
    parts = name.split("/")
    if "\\" in name or ":" in parts[0] or not {"", ".", ".."}.isdisjoint(parts):
        expected = "a relative path without '..'"
        raise BundleError(Problem(name, found="a path that may leave the folder", expected=expected))
    path = os.fspath(root)
    for part in parts[:-1]:
        path = os.path.join(path, part)
        if os.path.islink(path):
            raise BundleError(Problem(name, found=f"a symbolic link: {part}", expected="a folder of its own"))
    return os.path.join(path, parts[-1])


def decode(raw: bytes, name: str) -> str:
    """Return UTF-8 bytes as text; raises BundleError on a byte order mark, invalid UTF-8, a NUL or a carriage return."""
    refused = ((b"\0", "a NUL character", "text"), (b"\r", "a carriage return", "LF line endings"))
    for byte, found, expected in refused:
        if byte in raw:
            line = raw.count(b"\n", 0, raw.index(byte)) + 1
            raise BundleError(Problem(name, f"line {line}", found=found, expected=expected))
    if raw.startswith(b"\xef\xbb\xbf"):
        raise BundleError(Problem(name, "byte 0", found="a byte order mark", expected="UTF-8 without one"))
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line, found = raw.count(b"\n", 0, error.start) + 1, f"byte 0x{raw[error.start]:02x}"
        raise BundleError(Problem(name, f"line {line}", found=found, expected="valid UTF-8")) from None


class _BadJson(ValueError):
    """Something that the JSON syntax lets through and this bundle does not."""


_SURROGATE = re.compile(r"\\u[dD]")  # as JSON escapes one; a search of this form takes a quarter of the time of 'in'


def _unique_keys(items: list, known: dict[str, str]) -> dict:
    """Return an object of unique keys; ``known`` holds each text met so far, so that equal texts share one object.

    Measured over 49,200 rows of a summary: 288 MB, and 369 MB without the sharing.
    """
    value = {key: known.setdefault(member, member) if type(member) is str else member for key, member in items}
    if len(value) != len(items):
        seen = set()
        repeated = next(key for key, _ in items if key in seen or seen.add(key))
        raise _BadJson(f"the key {shown(repeated)} twice in one object")
    return value


def _no_constant(text: str) -> None:
    raise _BadJson(f"the constant {text}")


def parse_json(raw: bytes, name: str, exact: bool = False) -> object:
    """Return the value of JSON bytes; with ``exact`` every number with a point or exponent is a Decimal.

    Raises BundleError on anything but strict JSON in UTF-8: repeated keys, NaN, Infinity, a number that no
    float holds, nesting deeper than the interpreter follows.
    """
    text = decode(raw, name)
    try:
        value = json.loads(
            text,
            parse_float=Decimal if exact else _finite_float,
            parse_constant=_no_constant,
            object_pairs_hook=functools.partial(_unique_keys, known={}),
        )
        if _SURROGATE.search(text):  # half a surrogate pair can be escaped in JSON, but never be written again
            json.dumps(value, ensure_ascii=False, default=str).encode("utf-8")
        return value
    except UnicodeEncodeError:
        place, found = "", "half of a surrogate pair"
    except json.JSONDecodeError as error:
        place, found = f"line {error.lineno}", f"{error.msg} at column {error.colno}"
    except _BadJson as error:
        place, found = "", str(error)
    except RecursionError:
        place, found = "", "nesting too deep to read"
    except (ValueError, ArithmeticError):  # more digits, or a larger exponent, than the interpreter converts
        place, found = "", "a number too long to read"
    raise BundleError(Problem(name, place, found=found, expected="strict JSON"))


def _finite_float(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise _BadJson(f"the number {shown(text)}, which no float holds")
    return value


def json_bytes(value: object) -> bytes:
    """Return ``value`` as JSON: UTF-8, LF, two blanks of indent, keys in the order given, one final newline."""
    return (json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")


def sha256(raw: bytes) -> str:
    """Return the SHA-256 of ``raw`` in lower-case hexadecimal."""
    return hashlib.sha256(raw).hexdigest()


def digests(raw: bytes) -> dict:
    """Return what tells one file's bytes from another's: size in bytes, SHA-256, Git blob SHA-1."""
    blob = b"blob %d\0" % len(raw) + raw  # what Git names a file by
    return {"bytes": len(raw), "sha256": sha256(raw), "git_blob_sha1": hashlib.sha1(blob).hexdigest()}


def write_atomically(root: Path, name: str, raw: bytes) -> None:
    """Write ``raw`` to ``name`` below ``root`` by way of a temporary file beside it.

    An interrupted write leaves the old file whole. Nothing is written through a symbolic link: one that has the
    file's own name is replaced, one on the way is refused. Raises BundleError if the file cannot be written.
    """
    path = Path(inside(root, name))
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)
        try:
            with open(partial, "xb") as stream:
                stream.write(raw)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        found, hint = error.strerror or "an error", "Choose a folder that can be written with --output."
        problem = Problem(name, found=found, expected="a file that can be written", hint=hint, missing=True)
        raise BundleError(problem) from None
