"""Whatever the bytes, each reader ends in bounded time with a result or with the one error, a line for each problem."""

from __future__ import annotations

import json
import time
import unittest
from pathlib import Path

from scenario_ratio import pinned
from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import Bundle
from scenario_ratio.files import parse_json
from scenario_ratio.notebook import document as notebook
from scenario_ratio.problems import BundleError
from scenario_ratio.proof import packing, reading
from scenario_ratio.show import terminal
from scenario_ratio.study import anomalies, checks, claims, rounds
from scenario_ratio.study import results as results_file
from scenario_ratio.upstream import constants as checker_constants
from scenario_ratio.upstream import loadgen, summary
from scenario_ratio.upstream import record as acquisition
from scenario_ratio.upstream.constants import Limits
from tests import varied
from tests.support import (
    CELLS,
    FIXTURES,
    ROOT,
    SERVER,
    BundleCase,
    copied_bundle,
    csv_bytes,
    given,
    json_bytes,
    needs_hypothesis,
    pair_rows,
    row,
    st,
    temporary_folder,
)

SECONDS = 20.0  # for one input of a megabyte, on a slow and busy machine; each takes well under one on a quiet one
CONSTANTS = (FIXTURES / "constants_current.py").read_bytes()
LIMITS = Limits(2_000_000_000, 200_000_000, {}, 600_000)
PAIRS = json.loads((ROOT / "results.json").read_bytes())


def read_log(raw: bytes) -> None:
    log = loadgen.parse(raw, "log")
    for cells in ({}, SERVER):
        checks.check_log(log, row(**cells), LIMITS)
    anomalies.find(log, {"target": 265.005, "upper_limit": 323.895, "reported": None})


def read_accuracy(raw: bytes) -> None:
    constants = checker_constants.parse(CONSTANTS, "c.py", "v9.0")
    checks.accuracy(row("7", Model=("m", ""), Accuracy=(raw.decode("utf-8", "replace"), "")), constants, "s.csv")


def read_constants(raw: bytes) -> None:
    constants = checker_constants.parse(raw, "c.py", "v9.0")
    for scenario in ("Offline", "Server"):
        checker_constants.metric_values(constants, "targets", "m", scenario)
        checker_constants.log_limits(constants, "m", scenario)


def read_claims(raw: bytes) -> None:
    listed = parse_json(raw, pinned.CLAIMS)
    claims.check(listed)
    claims.evaluate(listed, PAIRS["pairs"], PAIRS["logs"], lambda *ids: [])


def from_folder(load, name: str):
    """Return a reader of bytes from a loader of the file ``name`` of a folder."""

    def read(raw: bytes, folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(raw)
        load(Bundle(folder))

    return read


def without_folder(function):
    return lambda raw, folder: function(raw)


# What is read -> (the reader, bytes that it reads well).
READERS = {
    "CSV": (without_folder(summary.parse_csv), csv_bytes(*pair_rows())),
    "JSON": (without_folder(summary.parse_snapshot), json_bytes(*pair_rows())),
    "log": (without_folder(read_log), (FIXTURES / "server_summary.txt").read_bytes()),
    "constants": (without_folder(read_constants), CONSTANTS),
    "accuracy": (without_folder(read_accuracy), CELLS["Accuracy"][0].encode()),
    "notebook": (without_folder(notebook.parse), (ROOT / "analysis.ipynb").read_bytes()),
    "digests": (without_folder(packing.parse_sums), b"".join(b"%064x  file-%02d\n" % (n, n) for n in range(20))),
    "claims": (without_folder(read_claims), (ROOT / "data/claims.json").read_bytes()),
    "rounds": (from_folder(rounds.load, pinned.ROUNDS), (ROOT / "data/rounds.json").read_bytes()),
    "acquisition": (
        from_folder(acquisition.load, pinned.RECORD),
        (ROOT / "sources/acquisition.json").read_bytes(),
    ),
    "HTML": (without_folder(lambda raw: reading.read_html(raw, "page")), b"<!doctype html>\n<p id='a'>x &lt;</p>"),
    "SVG": (
        without_folder(lambda raw: reading.svg_problems(raw, "figure")),
        (ROOT / "scenario-ratios.svg").read_bytes(),
    ),
}
JSON_READERS = ("JSON", "notebook", "claims", "rounds", "acquisition")

# Megabytes that have made readers of such files slow, deep or large.
N = 500_000
LARGE = {
    "brackets": b"[" * N,
    "objects": b'{"a":' * N,
    "closed brackets": b"[" * N + b"]" * N,
    "parentheses": b"(" * N + b")" * N,
    "a long line": b"x" * N,
    "a long number": b"1" * N,
    "many lines": b"x : y\n" * N,
    "empty lines": b"\n" * N,
    "blanks": b" " * N,
    "quotes": b'"' * N,
    "an open quote": b'"' + b"x," * N,
    "commas": b"," * N,
    "colons": b":" * N,
    "pluses": b"1+" * N + b"1",
    "minuses": b"-" * N,
    "backslashes": b'"' + b"\\" * N + b'"',
    "other letters": "é".encode() * N,
    "metrics": b"A: 1  " * N,
    "digest lines": b"".join(b"%064x  file-%06d\n" % (n, n) for n in range(N // 100)),
}
QUADRATIC = {"HTML", "SVG"}  # the standard readers of these are not bounded; they read what was just made here


class ReaderCase(BundleCase):
    def result_or_error(self, read, raw: bytes, folder: Path) -> bool:
        """Return whether ``raw`` was read; fails unless it was, or was refused by the one error, in lines."""
        try:
            read(raw, folder)
        except BundleError as error:
            self.assertTrue(error.problems)
            for line in map(str, error.problems):
                self.assertNotRegex(line, r"[\n\r\0]")
                self.assertLess(len(line), 2_000)
            return False
        return True


class Large(ReaderCase):
    def test_each_example_is_read(self):
        for name, (read, raw) in READERS.items():
            with self.subTest(name):
                read(raw, temporary_folder(self))

    def test_megabytes_of_the_same(self):
        folder = temporary_folder(self)
        for name, (read, example) in READERS.items():
            for shape, raw in {} if name in QUADRATIC else LARGE.items():
                for text in (raw, example[: len(example) // 2] + raw):
                    with self.subTest(name, shape=shape):
                        started = time.perf_counter()
                        self.result_or_error(read, text, folder)
                        self.assertLess(time.perf_counter() - started, SECONDS)


@needs_hypothesis
class Altered(ReaderCase):
    """Examples with a few places replaced, by bytes that mean something to a reader or by any."""

    def test_any_pieces(self):
        folder = temporary_folder(self)
        tokens = st.sampled_from(
            [b"", b"\0", b"\r", b"\n", b'"', b",", b"{", b"}", b"[", b"]", b":", b"null", b"-1", b"1e999", b"NaN", b"\\ud800",
             b"\xef\xbb\xbf", b"\xff", "é".encode(), "\u2028".encode(), b"9" * 30, b"<", b">", b"&#0;", b"<![x[", b"'", b"#",
             b"* Run successful.", b"5 errors encountered", b"Result is : VALID\n", b"  ", b"lambda:", b"**"]
        )  # fmt: skip
        pieces = st.lists(
            st.tuples(st.floats(0, 1), st.integers(0, 40), tokens | st.binary(max_size=6)), min_size=1, max_size=4
        )
        for name in READERS:
            with self.subTest(name):
                self.check(*READERS[name], pieces, folder)

    def check(self, read, example: bytes, pieces, folder: Path) -> None:
        @given(pieces)
        def check(replaced):
            raw = example
            for share, length, token in replaced:
                place = int(share * len(raw))
                raw = raw[:place] + token + raw[place + length :]
            self.result_or_error(read, raw, folder)

        check()


def values():
    """Return a strategy of JSON values, of the strings and numbers among them that have a meaning somewhere."""
    leaves = (
        st.none()
        | st.booleans()
        | st.integers(-(10**30), 10**30)
        | st.sampled_from(
            [0, 1, -1, 10**400, 1e-320, 1e300, 0.5, 100.0, "", "0", "285", "v6.1", "ttft", "m", "x\ny\r\0"]
        )
        | st.text(max_size=6)
    )
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    )


def paths(value: object, path: tuple = ()) -> list[tuple]:
    """Return the path of every member of a JSON value."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(inner for key, member in members for inner in paths(member, (*path, key)))]


def changed(value: object, path: tuple, new: object) -> object:
    """Return a JSON value with the member at ``path`` replaced."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(copy[path[0]], path[1:], new)
    return copy


def member(value: object, path: tuple) -> object:
    """Return the member of a JSON value at ``path``."""
    return member(value[path[0]], path[1:]) if path else value


@needs_hypothesis
class OtherMembers(ReaderCase):
    """JSON of the right form but for a member or two, which have any value, or that of another member."""

    def test_each_reader_of_json(self):
        for name in JSON_READERS:
            read, example = READERS[name]
            self.check(json.loads(example), read, temporary_folder(self))

    def check(self, value: object, read, folder: Path) -> None:
        by_part: dict = {}
        for path in paths(value):
            by_part.setdefault(path[:1], []).append(path)
        places = st.sampled_from(list(by_part.values())).flatmap(st.sampled_from)  # no part is too small to be met

        @given(st.lists(st.tuples(places, values() | st.just([]) | st.just({}) | places), min_size=1, max_size=2))
        def check(replaced):
            other = value
            for path, new in sorted(replaced, key=lambda pair: -len(pair[0])):
                other = changed(other, path, member(value, new) if isinstance(new, tuple) else new)
            self.result_or_error(read, json.dumps(other).encode(), folder)

        check()

    def test_what_is_drawn_from_results(self):
        """Results that pass as such can be drawn and told; those that do not are refused before anything is made."""
        results = varied.kept(lambda pair: pair["offline_id"] in ("285", "287", "289", "300"))
        folder = copied_bundle(self, "README.md")
        makers = [row for row in ARTIFACTS if row.kind in ("figure", "page", "readme")]

        def read(raw: bytes, folder: Path) -> None:
            (folder / "results.json").write_bytes(raw)
            bundle = Bundle(folder, artifacts=ARTIFACTS)
            loaded = bundle.once(results_file.load)
            for maker in makers:
                bundle.made(maker)
            notebook.new(bundle)
            for pair in terminal.find(loaded, ["285"]):
                terminal.pairs_told(loaded, [pair])

        self.assertTrue(self.result_or_error(read, json.dumps(results).encode(), folder))
        self.check(results, read, folder)


if __name__ == "__main__":
    unittest.main()
