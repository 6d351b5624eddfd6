"""Reading a results repository from a folder: a Git work tree or an unpacked archive.

Only the summary and the logs that are asked for are opened, each by its whole path; no folder is listed, so the
number of files in the repository does not matter. Nothing outside the folder is read, whatever a path says.
"""

from __future__ import annotations

from pathlib import Path

from scenario_ratio.files import read_bytes
from scenario_ratio.problems import BundleError, Problem, raise_if_any, shown
from scenario_ratio.upstream.layouts import LAYOUTS, Layout

SUMMARY_LIMIT = 50_000_000  # bytes; the largest summary so far, of v5.1, has 2,221,336
LOG_LIMIT = 1_000_000  # bytes; a summary log has about 4,000
PATH_LIMIT = 1_000  # characters; the longest path so far has about 170


def read_summary(root: Path) -> tuple[Layout, dict[str, bytes]]:
    """Return the layout of the summary at the top of ``root``, and name -> bytes of its files.

    Raises BundleError if ``root`` is no folder, if no layout's files are there, and with every file of the layout
    that cannot be read.
    """
    if not root.is_dir():
        raise BundleError(
            Problem(".", found="no such folder", expected="a clone of a results repository", missing=True)
        )
    layout = next((layout for layout in LAYOUTS if any(_is_there(root, name) for name in layout.files)), None)
    if layout is None:
        expected = ", or ".join(" and ".join(layout.files) for layout in LAYOUTS)
        raise BundleError(Problem(".", found="no summary", expected=expected))
    contents, problems = {}, []
    for name in layout.files:
        try:
            contents[name] = read_bytes(root, name, SUMMARY_LIMIT)
        except BundleError as error:
            problems += error.problems
    raise_if_any(problems)
    return layout, contents


def _is_there(root: Path, name: str) -> bool:
    """Return whether the top of ``root`` has an entry of this name, even one that will be refused when it is read."""
    path = root / name
    return path.exists() or path.is_symlink()


def read_log(root: Path, path: str) -> bytes:
    """Return the bytes of the log at ``path`` below ``root``; raises BundleError, by the rules of files.read_bytes."""
    if not path.isprintable() or len(path) > PATH_LIMIT:
        expected = f"at most {PATH_LIMIT} printable characters"
        raise BundleError(Problem(shown(path), found="no path of a log", expected=expected))
    return read_bytes(root, path, LOG_LIMIT)
