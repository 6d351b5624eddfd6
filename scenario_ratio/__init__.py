"""What the scripts of the bundle share: one room per step of the way from data to artifacts, standard library only."""

import sys
from importlib.machinery import FileFinder, SourceFileLoader


class _FromSource(SourceFileLoader):
    """A loader that neither reads nor writes cached bytecode: without a source's time and size there is no cache."""

    def path_stats(self, path):
        raise OSError


def from_source() -> None:
    """Have every module of this package loaded from its source, whatever bytecode lies beside it.

    A script calls this first of all. It imports this very module under a ``sys.pycache_prefix`` that holds nothing;
    Python's own modules have their cached bytecode back afterwards, which makes every start faster.
    """
    find = FileFinder.path_hook((_FromSource, [".py"]))

    def hook(folder: str) -> FileFinder:
        if not folder.startswith(tuple(__path__)):
            raise ImportError("a folder for the usual finder", path=folder)
        return find(folder)

    sys.path_hooks.insert(0, hook)
    sys.pycache_prefix = None
