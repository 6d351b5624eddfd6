"""article.html, the words of scenario_ratio/text/article.md filled from results.json, and the README's results table."""

from __future__ import annotations

import re
from functools import partial
from itertools import takewhile
from typing import Callable

from scenario_ratio import wording
from scenario_ratio.bundle import Bundle
from scenario_ratio.files import decode
from scenario_ratio.pinned import README, RELEASED, TITLE, VERSION
from scenario_ratio.problems import BundleError, Problem
from scenario_ratio.show import page, tables
from scenario_ratio.show.markup import Markup, block, bullets, element, joined
from scenario_ratio.show.text import compose
from scenario_ratio.show.values import values
from scenario_ratio.study import results as results_file

TEXT = "scenario_ratio/text/article.md"
_HEADING = re.compile(r'<h2 id="([a-z-]+)">(.*)</h2>')


def build(results: dict, figures: dict[str, bytes], asset: Callable[[str], bytes]) -> bytes:
    """Return the article as HTML bytes, every number in it drawn from ``results``.

    ``figures`` are name -> SVG, ``asset`` returns a file of the code by its name. Raises BundleError with everything that
    the text says and that the results do not hold.
    """
    calls = {
        **{f"{{table {table_id}}}": partial(tables.html, results, table_id) for table_id in tables.TABLES},
        **{f"{{figure {name}}}": partial(page.figure, decode(raw, name)) for name, raw in figures.items()},
    }
    source = decode(asset(TEXT), TEXT)
    parts = compose(source, TEXT, values(results), calls)
    opening = list(takewhile(lambda part: not _HEADING.match(part), parts))
    sections = parts[len(opening) :]
    headings = filter(None, map(_HEADING.fullmatch, sections))
    round_told = element("p", wording.attribution(results), class_="round")
    byline = element("p", wording.byline(VERSION, RELEASED), class_="note")
    question, answer = opening[:1], element("div", *opening[1:], class_="answer")
    contents = bullets(element("a", Markup(one[2]), href=f"#{one[1]}") for one in headings)
    body = [
        block("header", element("h1", TITLE), byline, round_told, *question, answer),
        element("nav", contents, aria_label="Contents"),
        block("main", *sections, id="main"),
        block("footer", element("p", wording.NOTICE, class_="note")),
    ]
    version = f"{wording.BENCHMARK} Inference {results['round']}"
    description = f"Server rate over Offline rate for every matched pair of {version}."
    return page.document(TITLE, description, joined(body), asset, scripts=("table.js",))


def make_article(bundle: Bundle) -> bytes:
    """Return article.html."""
    figures = {row.name: bundle.read(row.name) for row in bundle.artifacts if row.kind == "figure"}
    return build(bundle.once(results_file.load), figures, bundle.asset)


START, END = "<!-- results: written by build_article.py -->", "<!-- end of results -->"
HEADINGS = "| model | submitter | platform | rows | Offline, tokens/s | Server, tokens/s | Server/Offline |"
RULE = "| --- | --- | --- | --- | ---: | ---: | ---: |"


def table(results: dict) -> str:
    """Return the highlighted pairs as a Markdown table, with the attribution and the grades of the sources under it."""
    rows = [[cell.replace("|", "&#124;") for cell in row] for row in tables.rows(results, "rates")]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([START, HEADINGS, RULE, *lines, "", wording.attribution(results), "", _grades(results), END])


def _grades(results: dict) -> str:
    return f"Upstream files: {wording.compared(results['sources'])}."


def quoted(readme: str) -> str:
    """Return the part of a README that quotes results, marks included; raises BundleError if the marks are not there."""
    start, end = readme.find(START), readme.find(END)
    if not 0 <= start < end:
        raise BundleError(Problem(README, found="no place for the results", expected=f"the lines {START} and {END}"))
    return readme[start : end + len(END)]


def make_readme(bundle: Bundle) -> bytes:
    """Return README.md of the root with its results table filled."""
    readme = decode(bundle.source(README), README)
    return readme.replace(quoted(readme), table(bundle.once(results_file.load))).encode("utf-8")
