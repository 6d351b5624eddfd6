"""What is chosen: the round, where its facts come from, what the article tells in full, what the files are called.

The next round starts here. Whatever the data say too is compared with them: ``study/analysis.py`` ends with a problem
for each choice that they contradict.
"""

from __future__ import annotations

ROUND = "v6.1"
TITLE = "The Server/Offline ratio is workload-specific"
VERSION, RELEASED = "1.0.0", "2026-11-30"  # of this bundle

RESULTS_REPOSITORY = "https://github.com/mlcommons/inference_results_v6.1"
RESULTS_COMMIT = "4bb63cd28eb136be221bc801a9e38c66c8a7553f"
CHECKER_REPOSITORY = "https://github.com/mlcommons/inference"
CHECKER_COMMIT = "3fbc329939999c13d0a7b5e67fb2092287e06047"

# The pairs that the article tells in full, by Offline id: several models on one system, and others set apart from them.
SAME_SYSTEM = ("285", "287", "289")
APART = ("300",)

# What goes in ...
CSV, JSON = "data/summary.csv", "data/summary.json"
CLAIMS, ROUNDS = "data/claims.json", "data/rounds.json"
RECORD = "sources/acquisition.json"
CONSTANTS = "sources/checker_constants.py"
LICENCE = "sources/LICENSE-MLCommons.md"
LOGS = "sources/results"  # below it each log at its upstream path

# ... and what comes out and is read again.
RESULTS, SELECTED = "results.json", "data/selected_rows.json"
NOTEBOOK, README = "analysis.ipynb", "README.md"
CITATION, CRATE, SUMS = "CITATION.cff", "ro-crate-metadata.json", "SHA256SUMS"
ARCHIVE, PAGE = "reproducibility.zip", "notebook.html"
FOLDER = "server-offline-ratio"  # the one folder that unpacking the archive makes

# What the record calls the two upstream files that are referenced and not redistributed.
CHECKER_ROLE = "accuracy targets and latency limits"
LICENCE_ROLE = "Apache License 2.0"
