"""Several rounds side by side: what a clone of each one holds, the figures of each model in each, and data/rounds.json.

Rounds differ in models, hardware and rules. What stands here was released in a round; it is no measure of a change
from one round to the next.

data/rounds.json keeps them. It is an object with one key, ``rounds``: a list, in the order in which audit.py was given the clones, of
- ``round``: 'v5.1'
- ``source``: the repository and the commit of the clone, as they were stated to audit.py
- ``summary``: the files of the summary that was read: path, bytes, SHA-256 and the name Git gives to its content, so
  that the stated commit can be checked
- ``checked_against``: the file of checker constants that the round's rows and logs were held against, or null
- ``counts``: as in results.json, as far as another round has the parts. ``pairs_with_distinct_logs`` leaves out of the
  pairs with both logs every pair that shares a log with an earlier one: such pairs are not independent
- ``matched_fields``: how many fields the two rows of a pair have in common
- ``models``: for each model of a pair, in alphabetical order: ``model``, ``n`` pairs, ``minimum``, ``median`` and
  ``maximum`` of their ratios (Server over Offline), and how many are ``above_1``
"""

from __future__ import annotations

from pathlib import Path
from typing import Callable

from scenario_ratio import shape
from scenario_ratio.bundle import Bundle
from scenario_ratio.files import digests, parse_json
from scenario_ratio.pinned import ROUNDS
from scenario_ratio.problems import Problem, raise_if_any, shown
from scenario_ratio.shape import NUMBER, Optional
from scenario_ratio.study import ratios
from scenario_ratio.study.examine import constants_of, examine, other_units
from scenario_ratio.study.pairing import Pair
from scenario_ratio.upstream import clone
from scenario_ratio.upstream.layouts import log_path
from scenario_ratio.upstream.summary import Row

# What an audit counts, and what of it data/rounds.json keeps.
AUDITED = (
    "source_rows", "unreadable_rows", "closed_rows", "open_rows", "eligible_rows", "complete_pairs", "unmatched_rows",
    "unmatched_row_ids", "pairs_with_server_greater_than_offline", "rows_with_measured_power", "matched_fields",
    "logs_passed", "logs_failed", "logs_not_available", "pairs_with_both_logs", "pairs_with_distinct_logs",
)  # fmt: skip
COUNTS = [name for name in AUDITED if name not in ("unmatched_row_ids", "rows_with_measured_power", "matched_fields")]
FIGURES = ("n", "minimum", "median", "maximum", "above_1")  # of a model
SHAPE = [
    {
        "round": str,
        "source": {"repository": str, "commit": shape.Text("[0-9a-f]{40}", "40 hexadecimal digits")},
        "summary": [{"path": str, "bytes": int, "sha256": str, "git_blob_sha1": str}],
        "checked_against": Optional((str,)),
        "counts": dict.fromkeys(COUNTS, int),
        "matched_fields": int,
        "models": [{"model": str, "n": int, "minimum": NUMBER, "median": NUMBER, "maximum": NUMBER, "above_1": int}],
    }
]


def audit(
    root: Path, checkers: dict[str, bytes], source: dict | None = None, tell: Callable[[str], None] = lambda line: None
) -> tuple[dict, list[Problem]]:
    """Return what the clone at ``root`` holds, in the shape of results.json where it has the parts, and what is wrong.

    ``checkers`` and ``tell`` are as in study/examine.py; ``source`` is the repository and commit of the clone, where
    stated. Raises BundleError if there is no summary to read.
    """
    layout, contents = clone.read_summary(root)
    summary, problems = layout.read(contents)
    constants = constants_of(summary.round, checkers)

    def read_log(row: Row) -> bytes:
        return clone.read_log(root, log_path(row.text["Location"]))

    found, wrong = examine(summary, read_log, constants, tell)
    audited = {
        "round": summary.round,
        "sources": {
            "results": source,
            "summary": [{"path": name, **digests(raw)} for name, raw in contents.items()],
            "checker": {"file": constants.name, **digests(checkers[constants.name])} if constants.round else None,
        },
        "counts": {key: found.counts[key] for key in AUDITED},
        "exclusions": found.exclusions,
        "matched_fields": list(found.matched_fields),
        "models": models_of(found.pairs),
        "pairs": found.told,
        "unmatched": found.unmatched,
        "accuracy": found.accuracy,
        "logs": list(found.logs.values()),
        "other_units": other_units(summary, read_log),
        "not_checked": found.not_checked,
    }
    return audited, [problem._replace(check="summary") for problem in problems] + wrong


def entry(audited: dict) -> dict:
    """Return what data/rounds.json keeps of a round, from what audit.py found in its clone."""
    checker = audited["sources"]["checker"]
    return {
        "round": audited["round"],
        "source": audited["sources"]["results"],
        "summary": audited["sources"]["summary"],
        "checked_against": checker and checker["file"],
        "counts": {key: audited["counts"][key] for key in COUNTS},
        "matched_fields": len(audited["matched_fields"]),
        "models": audited["models"],
    }


def models_of(pairs: list[Pair]) -> list[dict]:
    """Return each model's number of pairs and the spread of their ratios, by the benchmark's own name of the model.

    Submissions label the same model in several ways ('llama3_1-8b', 'llama3.1-8b'); the official name stands beside.
    """
    told = [{"offline_id": pair.offline.id, "ratio": pair.ratio, "row": pair.offline} for pair in pairs]
    spreads = ratios.grouped(told, lambda pair: pair["row"].text["MlperfModel"])
    return [{"model": name, **{key: spread[key] for key in FIGURES}} for name, spread in spreads.items()]


def load(bundle: Bundle) -> list[dict]:
    """Return the rounds of data/rounds.json.

    Raises BundleError if it cannot be read, names a round twice, or if a round's models do not add up to the round.
    """
    kept = parse_json(bundle.read(ROUNDS), ROUNDS)
    raise_if_any(shape.problems(kept, {"rounds": SHAPE}, ROUNDS)[:20])
    names = [one["round"] for one in kept["rounds"]]
    repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    wrong = [(name, "", "the round twice", "each round once") for name in repeated]
    for name, one in zip(names, kept["rounds"]):
        for key, count in (("n", "complete_pairs"), ("above_1", "pairs_with_server_greater_than_offline")):
            total, expected = sum(model[key] for model in one["models"]), one["counts"][count]
            if total != expected:
                wrong.append((name, count, f"{total} over all models", str(expected)))
    raise_if_any([Problem(ROUNDS, f"round {shown(name)}", *facts) for name, *facts in wrong])
    return kept["rounds"]


def disagreements(rounds: list[dict], own_round: str, counts: dict, models: list[dict]) -> list[Problem]:
    """Return where ``rounds`` say something else of the bundle's own round than its ``counts`` and ``models``.

    Compared is each count that both have, and the figures by model; a round that is not there says nothing.
    """
    own = {one["round"]: one for one in rounds}.get(own_round, {"counts": {}, "models": models})
    differing = {key: kept for key, kept in own["counts"].items() if kept != counts.get(key, kept)}
    wrong = [(key, str(kept), f"{counts[key]}, as computed here") for key, kept in differing.items()]
    if own["models"] != models:
        wrong.append(("models", "other figures", "those computed here"))
    hint = "Run audit.py to write it again."
    return [Problem(ROUNDS, f"round {shown(own_round)}", *facts, hint, check="rounds") for facts in wrong]


def by_model(rounds: list[dict]) -> dict[str, list]:
    """Return model -> its figures in each of some rounds, None where a round has no pair of it; models in alphabetical order."""
    figures = [{model["model"]: model for model in one["models"]} for one in rounds]
    names = dict.fromkeys(name for of_round in figures for name in of_round)  # no set: its order may change
    return {name: [of_round.get(name) for of_round in figures] for name in sorted(names, key=str.casefold)}
