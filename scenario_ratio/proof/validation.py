"""The checks of what was made, by kind: every artifact is made again; numbers, links, form and notices of texts are checked.

That the code which makes them is right follows from none of this: what it gets wrong it gets wrong again.

An artifact of a kind without checks, a kind of which there is no artifact, and a file that looks like an artifact and
is on no list are problems too, so that nothing stands beside the checks.
"""

from __future__ import annotations

import html
import re
from typing import Callable, NamedTuple

from scenario_ratio import wording
from scenario_ratio.bundle import ON_DEMAND, Artifact, Bundle, scanned
from scenario_ratio.files import decode, json_bytes, sha256
from scenario_ratio.notebook import document, page
from scenario_ratio.problems import BundleError, Problem, gather, gather_all, raise_if_any
from scenario_ratio.proof import packing, reading
from scenario_ratio.proof.reading import Reading
from scenario_ratio.show import article
from scenario_ratio.study import results

STALE = "Run reproduce.py to write it again, or fetch the bundle again if you changed nothing."
SHOWN = ("figure", "page", "browser page")  # kinds that show results
QA = ("qa/alterations.json", "qa/mutation.json")  # evidence about the tests, written when they are measured
# A figure, a page, a notebook or an archive anywhere but in the tests, data at the top, evidence.
LOOKS_MADE = re.compile(r"(?!tests/).+\.(?:svg|html|ipynb|zip)|[^/]+\.(?:json|csv)|qa/.+", re.IGNORECASE)


class Check(NamedTuple):
    """What a check says when it passes, the kinds it looks at, what returns (how many things it checked, problems) of one."""

    name: str
    kinds: tuple[str, ...]
    run: Callable[[Bundle, Artifact], tuple[int, list[Problem]]]


class Outcome(NamedTuple):
    """A check's name, how many things it checked, and what is wrong."""

    check: str
    checked: int
    problems: list[Problem]


def remade(bundle: Bundle, row: Artifact) -> tuple[int, list[Problem]]:
    """Make an artifact again and compare its bytes with those saved; one that was made in this run is not made twice."""
    return 1, differences(bundle, [row])


def executed(bundle: Bundle, row: Artifact) -> tuple[int, list[Problem]]:
    """Build the notebook, run it, and compare it with the saved one, outputs included."""
    return sum(map(document.is_code, document.parse(bundle.saved(row.name))["cells"])), differences(bundle, [row])


def differences(bundle: Bundle, rows: list[Artifact]) -> list[Problem]:
    """Return which artifacts are missing in the output, or have other bytes there than those made."""
    files, problems = gather(lambda row: (bundle.made(row), bundle.saved(row.name)), rows)
    for row, (made, found) in files.items():
        if found != made:
            pairs = enumerate(zip(found.split(b"\n"), made.split(b"\n")), 1)
            line = next((number for number, (there, here) in pairs if there != here), found.count(b"\n") + 1)
            problems.append(Problem(row.name, f"line {line}", "", f"SHA-256 {sha256(found)}", sha256(made), STALE))
    return problems


READ = ("figure", "page", "browser page", "notebook", "readme")  # kinds that people read


def _reading(bundle: Bundle, row: Artifact) -> Reading:
    """Return what a reader finds in an artifact; in the browser page, made on demand, as it would be for no archive."""
    if row.kind == "browser page":
        raw = page.build(bundle.once(document.load), bundle.once(results.load), b"", bundle.asset)
        return reading.read_html(raw, row.name)
    raw = bundle.saved(row.name)
    if row.kind == "notebook":
        prose = [cell["source"] for cell in document.parse(raw)["cells"] if not document.is_code(cell)]
        return Reading("\n".join(map("".join, prose)))
    if row.kind == "readme":
        text = decode(raw, row.name)
        return Reading(html.unescape(article.quoted(text)), *reading.markdown_links(text))
    found = reading.read_html(raw, row.name)
    return found._replace(problems=reading.svg_problems(raw, row.name)) if row.kind == "figure" else found


def _readings(bundle: Bundle) -> dict[Artifact, Reading]:
    """Return what a reader finds in each artifact that is read; raises BundleError with all that cannot be."""
    rows = [row for row in bundle.artifacts if row.kind in READ]
    return gather_all(lambda row: _reading(bundle, row), rows)


def _known(bundle: Bundle) -> tuple[set[str], list[str]]:
    return reading.spellings(bundle.once(results.load))


def numbers(bundle: Bundle, row: Artifact) -> tuple[int, list[Problem]]:
    """Check that every number people read occurs in results.json; what it is said to be, no check here can tell."""
    return 1, reading.unknown_numbers(bundle.once(_readings)[row].text, row.name, bundle.once(_known))


def form(bundle: Bundle, row: Artifact) -> tuple[int, list[Problem]]:
    """Check that a page or figure is well formed and asks nothing of any server but, to run cells, its own."""
    return 1, bundle.once(_readings)[row].problems


def links(bundle: Bundle, row: Artifact) -> tuple[int, list[Problem]]:
    """Check that every link leads to an id, a file of the bundle, or https."""
    found, names = bundle.once(_readings)[row], {*bundle.listed(), *bundle.rows}
    return len(found.links), reading.link_problems(found.links, found.ids, names, row.name)


def messages(bundle: Bundle, row: Artifact) -> tuple[int, list[Problem]]:
    """Check that a page or figure carries the attribution and the notices."""
    text = " ".join(bundle.once(_readings)[row].text.split())
    wanted = (wording.attribution(bundle.once(results.load)), wording.NOTICE)
    return 1, [Problem(row.name, found="no such words", expected=repr(words)) for words in wanted if words not in text]


REMADE = ("data", "figure", "page", "readme", "manifest")  # kinds that are made again and compared at once
CHECKS = (
    Check("artifacts made again in memory are the bytes saved", REMADE, remade),
    Check("notebook cells run again give the outputs saved", ("notebook",), executed),
    Check(
        "every number in the texts occurs in results.json, wherever it stands there",
        ("page", "figure", "notebook", "readme"),
        numbers,
    ),
    Check("pages and figures are well formed and load nothing", SHOWN, form),
    Check("links inside the bundle lead somewhere", ("page", "browser page", "readme"), links),
    Check("pages and figures carry the attribution and the trademark notice", SHOWN, messages),
)
CLOSING = ("citation", "crate", "sums", *ON_DEMAND)  # kinds that close the bundle, so are compared by closing
RECORD = "record"  # the kind that is made of these checks' outcomes


def checked(bundle: Bundle) -> list[Outcome]:
    """Run every check over the artifacts of its kinds."""
    outcomes = []
    for check in CHECKS:
        rows = [row for row in bundle.artifacts if row.kind in check.kinds]
        try:
            found = [check.run(bundle, row) for row in rows]
            problems = [problem for _, wrong in found for problem in wrong]
            outcomes.append(Outcome(check.name, sum(count for count, _ in found), problems))
        except BundleError as error:
            outcomes.append(Outcome(check.name, 0, list(error.problems)))
    return outcomes


def unlisted(bundle: Bundle) -> list[Problem]:
    """Return the artifacts that no check looks at, the kinds that nothing is of, the files that look made and are on no list."""
    kinds = dict.fromkeys([*(kind for check in CHECKS for kind in check.kinds), *CLOSING, RECORD])
    known, there = {*bundle.rows, *QA}, {row.kind for row in bundle.artifacts}
    made = [name for name in bundle.once(scanned)[0] if LOOKS_MADE.fullmatch(name)]
    listing, one_of = "scenario_ratio/artifacts.py", wording.one_of(kinds)
    wrong = [(row.name, f"the kind {row.kind}", one_of) for row in bundle.artifacts if row.kind not in kinds]
    missing = [kind for kind in kinds if kind not in there]
    wrong += [(listing, f"no artifact of the kind {kind}", "one that is checked") for kind in missing]
    wrong += [(name, "a file on no list", f"a row in {listing}") for name in made if name not in known]
    return [Problem(name, found=found, expected=expected) for name, found, expected in wrong]


def make_record(bundle: Bundle) -> bytes:
    """Return the record of a validation in which every check passed; raises BundleError with all failures otherwise."""
    outcomes = bundle.once(checked)
    problems = [problem for outcome in outcomes for problem in outcome.problems] + unlisted(bundle)
    raise_if_any(list(dict.fromkeys(problems)))
    checks = [{"check": outcome.check, "checked": outcome.checked} for outcome in outcomes]
    return json_bytes({"all_passed": True, "checks": checks})


def closing(bundle: Bundle) -> list[Problem]:
    """Return what is wrong with the files that close the bundle; what is made on demand may be absent."""
    rows = [row for row in bundle.artifacts if row.kind in CLOSING]
    there = [row for row in rows if row.kind not in ON_DEMAND or bundle.holds(row.name)]
    return packing.sums_problems(bundle) + differences(bundle, there)
