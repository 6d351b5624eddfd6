"""The one list of what is made, in the order in which it is made; no maker reads what a later row makes."""

from __future__ import annotations

from typing import Callable

from scenario_ratio.bundle import Artifact, Bundle
from scenario_ratio.notebook.page import make_page
from scenario_ratio.notebook.running import make_notebook
from scenario_ratio.pinned import ARCHIVE, CITATION, CRATE, NOTEBOOK, PAGE, README, RESULTS, SELECTED, SUMS
from scenario_ratio.proof.packing import make_archive, make_citation, make_crate, make_sums
from scenario_ratio.proof.provenance import make_manifest
from scenario_ratio.proof.validation import make_record
from scenario_ratio.show.article import make_article, make_readme
from scenario_ratio.show.figures import distribution, headroom, highlighted
from scenario_ratio.study import results
from scenario_ratio.study.analysis import make_results, make_selected


def drawn(draw: Callable[[dict], bytes]) -> Callable[[Bundle], bytes]:
    """Return what makes a figure of the bundle's results."""
    return lambda bundle: draw(bundle.once(results.load))


# A row: name, kind (validation checks by kind), script, and what returns the bytes.
ARTIFACTS = (
    Artifact(RESULTS, "data", "analyze.py", make_results),
    Artifact(SELECTED, "data", "analyze.py", make_selected),
    Artifact("scenario-ratios.svg", "figure", "make_plot.py", drawn(highlighted.draw)),
    Artifact("ratio-distribution.svg", "figure", "make_plot.py", drawn(distribution.draw)),
    Artifact("latency-headroom.svg", "figure", "make_plot.py", drawn(headroom.draw)),
    Artifact("article.html", "page", "build_article.py", make_article),
    Artifact(README, "readme", "build_article.py", make_readme),
    Artifact(NOTEBOOK, "notebook", "execute_notebook.py", make_notebook),
    Artifact("provenance.json", "manifest", "build_provenance.py", make_manifest),
    Artifact("qa/offline-validation.json", "record", "validate.py", make_record),
    Artifact(CITATION, "citation", "pack.py", make_citation),
    Artifact(CRATE, "crate", "pack.py", make_crate),
    Artifact(SUMS, "sums", "pack.py", make_sums),
    Artifact(ARCHIVE, "archive", "pack.py", make_archive),
    Artifact(PAGE, "browser page", "pack.py", make_page),
)
