#!/usr/bin/env python3
"""Obtain every upstream file at its immutable commit and compare it with the acquisition record.

Fetches the files that the bundle holds, those it refers to and the logs it lacks, over HTTPS, or reads them from
local clones with --clone. Writes to acquired/ in the output folder only. Exits 0 if every file was obtained and
none differs, 1 if not, 2 for misuse.
"""

from __future__ import annotations

import sys

sys.pycache_prefix = __file__  # cached bytecode, which could have been planted, is not read
import scenario_ratio

scenario_ratio.from_source()

from functools import partial
from pathlib import Path
from typing import Callable

from scenario_ratio import cli, pinned, wording
from scenario_ratio.bundle import Bundle
from scenario_ratio.files import read_bytes, write_atomically
from scenario_ratio.problems import BundleError, gather, raise_if_any
from scenario_ratio.upstream import record as acquisition
from scenario_ratio.upstream.clone import Clones
from scenario_ratio.upstream.constants import compare

FOLDER = "acquired"
STATUSES = ("as recorded", "fetched, nothing to compare with", "differs", "not available")
RECORDED, UNRECORDED, DIFFERS, NOT_AVAILABLE = STATUSES


def wanted_files(record: acquisition.Record) -> list[tuple[str, dict]]:
    """Return (where it goes, entry) of every file of the record, in its order: held, lacked, referred to."""
    results = acquisition.results_repository(record)
    entries = [*record.files, *({**results, **entry} for entry in record.not_available), *record.referenced]
    return [(place(entry), entry) for entry in entries]


def place(entry: dict) -> str:
    """Return where an obtained file goes: acquired/OWNER/NAME/PATH, since a fork and its origin share a NAME."""
    return "/".join((FOLDER, *entry["repository"].split("/")[3:], entry["path"]))


def obtain(name: str, entry: dict, output: Path, read: Callable[[str, dict], bytes]) -> tuple[str, str]:
    """Return (status, reason) of one file, which stands in ``output`` afterwards unless it is not available.

    A file there that is as recorded is neither read again nor written. ``read`` returns the upstream bytes or raises
    BundleError. Raises BundleError if the file cannot be written.
    """
    recorded = not entry.keys().isdisjoint(acquisition.DIGESTS)
    found, problems = gather(partial(read_bytes, output), [name])
    raise_if_any([problem for problem in problems if not problem.missing])  # nothing may be written through a link
    there = found.get(name)
    if recorded and there is not None and acquisition.differing(entry, there) is None:
        return RECORDED, ""
    try:
        raw = read(name, entry)
    except BundleError as error:
        return NOT_AVAILABLE, str(error.problems[0]._replace(file=""))
    if raw != there:
        write_atomically(output, name, raw)
    if difference := acquisition.differing(entry, raw):
        field, found = difference
        return DIFFERS, f"{field}: found {found}; expected {entry[field]}"
    return (RECORDED if recorded else UNRECORDED), ""


def from_network(url_of: Callable[..., str] = acquisition.raw_url, **options: object) -> Callable[[str, dict], bytes]:
    """Return what fetches a wanted file from ``url_of(repository, commit, path)``; options are those of a Fetcher."""
    from scenario_ratio.upstream.fetching import Fetcher  # here, because reading from clones needs no network

    fetcher = Fetcher(tell=lambda line: print(line, file=sys.stderr, flush=True), **options)
    return lambda name, entry: fetcher.fetch(url_of(entry["repository"], entry["commit"], entry["path"]), name)


def acquire(bundle: Bundle, read: Callable[[str, dict], bytes]) -> int:
    """Obtain every file of the record; print a line for each, then the comparison of the figures, then the counts.

    Returns the exit code: 0 if all were obtained and nothing differs, else 1.
    """
    record = bundle.once(acquisition.load)
    wanted, outcomes = wanted_files(record), {}
    for number, (name, entry) in enumerate(wanted, 1):
        status, reason = outcomes[name] = obtain(name, entry, bundle.output, read)
        print(f"{number}/{len(wanted)} {': '.join(filter(None, (status, name, reason)))}", flush=True)
    theirs, differing = place(acquisition.referenced(record, pinned.CHECKER_ROLE)), []
    if outcomes[theirs][0] != NOT_AVAILABLE:
        ours = pinned.CONSTANTS
        differing = compare({ours: bundle.source(ours), theirs: bundle.saved(theirs)}, pinned.ROUND)
        told = [f"figure differs: {problem}" for problem in differing]
        print("\n".join(told or [f"every figure of {ours} is that of {theirs}"]))
    found = [status for status, _ in outcomes.values()]
    print(wording.clauses(f"{found.count(status)} {status}" for status in STATUSES))
    return 1 if differing or {DIFFERS, NOT_AVAILABLE}.intersection(found) else 0


def main() -> int:
    """Obtain the files from the network, or from the clones of --clone."""
    arguments = cli.parser(__doc__)
    told = "a local clone to read from; may be given for each repository"
    arguments.add_argument("--clone", type=Path, action="append", help=told)
    options = arguments.parse_args()
    bundle = cli.opened(options, ())
    if not options.clone:
        return acquire(bundle, from_network())
    clones = Clones(options.clone)
    return acquire(bundle, lambda name, entry: clones.read(name, entry["commit"], entry["path"]))


if __name__ == "__main__":
    cli.run(main)
