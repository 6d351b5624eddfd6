"""The checks of what was made, by kind: every artifact is made again, and what its text says is checked.

An artifact of a kind without checks, a kind of which there is no artifact, and a file that looks like an artifact and
is on no list are problems too, so that nothing stands beside the checks.
"""

from __future__ import annotations

import html
import re
from typing import Callable, NamedTuple

from scenario_ratio import wording
from scenario_ratio.bundle import ON_DEMAND, Artifact, Bundle
from scenario_ratio.files import decode, json_bytes, sha256
from scenario_ratio.notebook import document, page
from scenario_ratio.problems import BundleError, Problem, raise_if_any
from scenario_ratio.proof import packing, reading
from scenario_ratio.show import article
from scenario_ratio.study import results

STALE = "Run reproduce.py to write it again, or fetch the bundle again if you changed nothing."
SHOWN = ("figure", "page", "browser page")  # kinds that show results
QA = ("qa/alterations.json", "qa/mutation.json")  # evidence about the tests, written when they are measured
# A figure, a page, a notebook or an archive anywhere but in the tests, data at the top, evidence.
LOOKS_MADE = re.compile(r"(?!tests/).+\.(?:svg|html|ipynb|zip)|[^/]+\.(?:json|csv)|qa/.+", re.IGNORECASE)


class Check(NamedTuple):
    """What a check says when it passes, the kinds it looks at, and what returns (how many things it checked, problems)."""

    name: str
    kinds: tuple[str, ...]
    run: Callable[[Bundle, list[Artifact]], tuple[int, list[Problem]]]


class Outcome(NamedTuple):
    """A check's name, how many things it checked, and what is wrong."""

    check: str
    checked: int
    problems: list[Problem]


def remade(bundle: Bundle, rows: list[Artifact]) -> tuple[int, list[Problem]]:
    """Make every artifact again and compare its bytes with those saved; one that was made in this run is not made twice."""
    return len(rows), differences(bundle, rows)


def executed(bundle: Bundle, rows: list[Artifact]) -> tuple[int, list[Problem]]:
    """Build the notebook, run it, and compare it with the saved one, outputs included."""
    cells = [cell for row in rows for cell in document.parse(bundle.saved(row.name))["cells"]]
    return sum(cell["cell_type"] == "code" for cell in cells), differences(bundle, rows)


def differences(bundle: Bundle, rows: list[Artifact]) -> list[Problem]:
    """Return which artifacts are missing in the output, or have other bytes there than those made."""
    problems = []
    for row in rows:
        try:
            made, found = bundle.made(row), bundle.saved(row.name)
        except BundleError as error:
            problems += error.problems
            continue
        if found != made:
            place = f"line {_first_difference(found, made)}"
            problems.append(Problem(row.name, place, "", f"SHA-256 {sha256(found)}", sha256(made), STALE))
    return problems


def _first_difference(found: bytes, expected: bytes) -> int:
    """Return the number of the first line in which two files differ."""
    pairs = zip(found.split(b"\n"), expected.split(b"\n"))
    return next((line for line, (a, b) in enumerate(pairs, 1) if a != b), found.count(b"\n") + 1)


def numbers(bundle: Bundle, rows: list[Artifact]) -> tuple[int, list[Problem]]:
    """Check that every number people read is in results.json."""
    known = reading.spellings(bundle.once(results.load))
    return len(rows), [
        problem for row in rows for problem in reading.unknown_numbers(TEXTS[row.kind](bundle, row), row.name, known)
    ]


def _shown(bundle: Bundle, row: Artifact) -> bytes:
    """Return a page or figure as it is saved; the page of the notebook, made on demand, as it would be for no archive."""
    if row.kind == "browser page":
        return page.build(bundle.once(document.load), bundle.once(results.load), b"", bundle.asset)
    return bundle.saved(row.name)


def _readings(bundle: Bundle) -> dict[str, reading.Reading]:
    """Return name -> what a reader finds in each page and figure."""
    rows = [row for row in bundle.artifacts if row.kind in SHOWN]
    return {row.name: reading.read_html(_shown(bundle, row), row.name) for row in rows}


def _seen(bundle: Bundle, row: Artifact) -> str:
    return bundle.once(_readings)[row.name].text


def _prose(bundle: Bundle, row: Artifact) -> str:
    cells = document.parse(bundle.saved(row.name))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def _quoted(bundle: Bundle, row: Artifact) -> str:
    return html.unescape(article.quoted(decode(bundle.saved(row.name), row.name)))


# What people read of an artifact, by kind.
TEXTS = {"page": _seen, "figure": _seen, "notebook": _prose, "readme": _quoted}


def form(bundle: Bundle, rows: list[Artifact]) -> tuple[int, list[Problem]]:
    """Check that pages and figures are well formed and ask nothing of any server but, to run cells, their own."""
    problems = []
    for row in rows:
        if row.kind == "figure":
            problems += reading.svg_problems(_shown(bundle, row), row.name)
        else:
            problems += bundle.once(_readings)[row.name].problems
    return len(rows), problems


def links(bundle: Bundle, rows: list[Artifact]) -> tuple[int, list[Problem]]:
    """Check that every link leads to an id, a file of the bundle, or https."""
    names = {*bundle.listed(), *bundle.names_made()}
    problems, count = [], 0
    for row in rows:
        found, ids = LINKS[row.kind](bundle, row)
        problems += reading.link_problems(found, ids, names, row.name)
        count += len(found)
    return count, problems


def _page_links(bundle: Bundle, row: Artifact) -> tuple[list[str], list[str]]:
    found = bundle.once(_readings)[row.name]
    return found.links, found.ids


def _readme_links(bundle: Bundle, row: Artifact) -> tuple[list[str], list[str]]:
    return reading.markdown_links(decode(bundle.saved(row.name), row.name))


# The links and the ids of an artifact, by kind.
LINKS = {"page": _page_links, "browser page": _page_links, "readme": _readme_links}


def messages(bundle: Bundle, rows: list[Artifact]) -> tuple[int, list[Problem]]:
    """Check that each page and figure carries the attribution, and each page the trademark notice."""
    line = wording.attribution(bundle.once(results.load))
    problems = []
    for row in rows:
        text = " ".join(_seen(bundle, row).split())
        wanted = [line] + [wording.TRADEMARK] * (row.kind != "figure")
        problems += [
            Problem(row.name, found="no such words", expected=repr(words)) for words in wanted if words not in text
        ]
    return len(rows), problems


CHECKS = (
    Check(
        "artifacts made again in memory are the bytes saved", ("data", "figure", "page", "readme", "manifest"), remade
    ),
    Check("notebook cells run again give the outputs saved", ("notebook",), executed),
    Check("texts hold no number that results.json does not", tuple(TEXTS), numbers),
    Check("pages and figures are well formed and load nothing", SHOWN, form),
    Check("links inside the bundle lead somewhere", tuple(LINKS), links),
    Check("results are shown with the words that the rules ask for", SHOWN, messages),
)
CLOSING = ("citation", "crate", "sums", *ON_DEMAND)  # kinds that close the bundle, so are compared by closing
RECORD = "record"  # the kind that is made of these checks' outcomes


def checked(bundle: Bundle) -> list[Outcome]:
    """Run every check over the artifacts of its kinds."""
    outcomes = []
    for check in CHECKS:
        rows = [row for row in bundle.artifacts if row.kind in check.kinds]
        try:
            count, problems = check.run(bundle, rows)
        except BundleError as error:
            count, problems = 0, list(error.problems)
        outcomes.append(Outcome(check.name, count, problems))
    return outcomes


def unlisted(bundle: Bundle) -> list[Problem]:
    """Return the artifacts that no check looks at, the kinds that nothing is of, the files that look made and are on no list."""
    kinds = dict.fromkeys([*(kind for check in CHECKS for kind in check.kinds), *CLOSING, RECORD])
    rows = bundle.artifacts
    names = {*bundle.names_made(), *QA}
    return [
        *(Problem(row.name, found=f"the kind {row.kind}", expected=f"one of {', '.join(kinds)}")
          for row in rows if row.kind not in kinds),
        *(Problem("scenario_ratio/artifacts.py", found=f"no artifact of the kind {kind}", expected="one that is checked")
          for kind in kinds if kind not in {row.kind for row in rows}),
        *(Problem(name, found="a file on no list", expected="a row in scenario_ratio/artifacts.py")
          for name in bundle.scanned()[0] if LOOKS_MADE.fullmatch(name) and name not in names),
    ]  # fmt: skip


def make_record(bundle: Bundle) -> bytes:
    """Return the record of a validation in which every check passed; raises BundleError with all failures otherwise."""
    outcomes = bundle.once(checked)
    problems = [problem for outcome in outcomes for problem in outcome.problems] + unlisted(bundle)
    raise_if_any(list(dict.fromkeys(problems)))
    checks = [{"check": outcome.check, "checked": outcome.checked} for outcome in outcomes]
    return json_bytes({"all_passed": True, "checks": checks})


def closing(bundle: Bundle) -> list[Problem]:
    """Return what is wrong with the files that close the bundle, and with what SHA256SUMS says of all the others.

    What is made on demand may be absent.
    """
    rows = [row for row in bundle.artifacts if row.kind in CLOSING]
    there = [row for row in rows if row.kind not in ON_DEMAND or bundle.holds(row.name)]
    return packing.sums_problems(bundle) + differences(bundle, there)
