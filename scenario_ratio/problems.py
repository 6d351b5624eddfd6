"""What is wrong, as data: the one error of the bundle and the line that a user reads."""

from __future__ import annotations

from typing import Callable, Iterable, NamedTuple


class Problem(NamedTuple):
    """One thing that is wrong, with the facts a user needs to find it.

    ``place`` is a row, a line or a key inside ``file``; ``hint`` is the next step, where there is one;
    ``missing`` marks a missing or unreadable file, which ends a script with 2 instead of 1; ``check`` is the id of
    the check that found it, for programs, and stands in no line.
    """

    file: str
    place: str = ""
    field: str = ""
    found: str = ""
    expected: str = ""
    hint: str = ""
    missing: bool = False
    check: str = ""

    def __str__(self) -> str:
        where = ", ".join(part for part in (self.place, self.field) if part)
        told = (("found", self.found), ("expected", self.expected))
        facts = "; ".join(f"{word} {text}" for word, text in told if text)
        line = ": ".join(part for part in (self.file, where, facts) if part) + (f". {self.hint}" if self.hint else "")
        return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in line)  # a key or name from a file


class BundleError(Exception):
    """The one exception of the bundle: all the problems that one stage found, in order."""

    def __init__(self, *problems: Problem):
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems

    @property
    def exit_code(self) -> int:
        """2 if a file is missing or the call was wrong, else 1: a check failed."""
        return 2 if any(problem.missing for problem in self.problems) else 1


def raise_if_any(problems: list[Problem]) -> None:
    """Raise BundleError with every problem of a stage; return if there is none."""
    if problems:
        raise BundleError(*problems)


def gather(read: Callable, names: Iterable) -> tuple[dict, list[Problem]]:
    """Return ({name: read(name)} of all names that ``read`` raises no BundleError for, the problems of the others)."""
    found, problems = {}, []
    for name in names:
        try:
            found[name] = read(name)
        except BundleError as error:
            problems += error.problems
    return found, problems


def gather_all(read: Callable, names: Iterable) -> dict:
    """Return {name: read(name)} of all names; raises BundleError with the problems of all that ``read`` refuses."""
    found, problems = gather(read, names)
    raise_if_any(problems)
    return found


def shown(value: object, limit: int = 80) -> str:
    """Return ``value`` as it is shown in a message: quoted, escaped, and cut after ``limit`` characters."""
    text = ascii(value[: limit + 1] if isinstance(value, (str, bytes)) else value)
    return text if len(text) <= limit + 2 else text[: limit - 1] + "..."
