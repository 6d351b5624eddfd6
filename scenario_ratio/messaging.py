"""The words that MLCommons' results messaging rules ask for wherever a result is shown."""

from __future__ import annotations

BENCHMARK = "MLPerf®"
SUITE = "Inference: Datacenter"
UNVERIFIED = "Result not verified by MLCommons Association."
TRADEMARK = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association in the United "
    "States and other countries. All rights reserved. Unauthorized use strictly prohibited. See www.mlcommons.org "
    "for more information."
)


def attribution(results: dict) -> str:
    """Return the line that says whose results these are, of which suite, version and division, and when retrieved."""
    source = results["sources"]["results"]
    repository = source["repository"].removeprefix("https://")
    return (
        f"{BENCHMARK} {SUITE} {results['round']}, closed division, Offline and Server scenarios. Results of "
        f"{repository} at {source['commit'][:12]}, copies retrieved {results['sources']['retrieved']}. Ratios are derived. "
        f"{UNVERIFIED}"
    )
