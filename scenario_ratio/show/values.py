"""What a text may fill its places with: the results, what is looked up in them under names of its own, and how it is spelled."""

from __future__ import annotations

import re

from scenario_ratio import shape, wording
from scenario_ratio.problems import shown
from scenario_ratio.study.results import highlighted

PUBLISHER = "https://github.com/mlcommons/"  # whose results repositories are no forks
# How a value may be spelled: what does it, and the shape it is for.
SPELLINGS = {"": (str, str)}
for _shape, _spellings in (
    (shape.NUMBER, (wording.rate, wording.percent, wording.points, wording.metric, wording.fraction)),
    (int, (wording.count, wording.milliseconds, wording.words, wording.capitalized, wording.ordinal)),
    ([str], (wording.listed, wording.either, wording.together)),
):
    SPELLINGS.update((spelling.__name__, (spelling, _shape)) for spelling in _spellings)
_TARGET = re.compile(r".*[a-z]-\d\d(?:\.\d+)?", re.ASCII)  # a model label that ends in a share of a reference


def told(results: dict) -> list[dict]:
    """Return the highlighted pairs, those of one system first."""
    return highlighted(results, "same_system") + highlighted(results, "apart")


def above(results: dict) -> list[dict]:
    """Return the pairs whose Server rate is above their Offline rate."""
    return [pair for pair in results["pairs"] if pair["ratio"] > 1]


def values(results: dict) -> dict:
    """Return what texts may fill their places with: the results, and what is looked up in them."""
    same, apart = highlighted(results, "same_system"), highlighted(results, "apart")
    ratios = [pair["ratio"] for pair in same]
    labels = [pair["model"] for pair in same + apart + results["pairs"]]
    return {
        **results,
        "attribution": wording.attribution(results),
        "unverified": wording.UNVERIFIED,
        "same": same,
        "same_count": len(same),
        "same_least": min(ratios, default=None),
        "same_most": max(ratios, default=None),
        "apart_count": len(apart),
        "apart_place": len(same) + 1,
        "told_count": len(same) + len(apart),
        "same_parts": [{"model": model, **found} for model, found in results["highlighted"]["same_parts"].items()],
        "widest": widest(results),
        "models": sorted({row["model"] for row in results["accuracy"]}, key=lambda name: (name.casefold(), name)),
        "label_with_target": next(filter(_TARGET.fullmatch, labels), None),
        "twin_labels": twin_labels(results),
        "without_logs": without_logs(results),
        "other_rounds": [one["round"] for one in _other_rounds(results)],
        "fork_count": forks(results),
        "grades": [{"grade": grade, "n": n} for grade, n in results["sources"]["files_by_grade"].items()],
    }


def widest(results: dict) -> dict:
    """Return the spread, with its 'model', of the highlighted model whose pairs of the same parts lie widest apart."""
    spreads = [{"model": model, **found} for model, found in results["highlighted"]["same_parts"].items()]
    return max(spreads, key=lambda spread: spread["maximum"] - spread["minimum"], default={"n": 0})


def twin_labels(results: dict) -> list[str]:
    """Return the labels, in alphabetical order, that differ in nothing but signs, so are of one model."""
    spelled: dict[str, list[str]] = {}
    for label in results["distribution"]["by_model"]:
        spelled.setdefault(re.sub(r"\W|_", "", label), []).append(label)
    return next((labels for labels in spelled.values() if len(labels) > 1), [])


def without_logs(results: dict) -> list[str]:
    """Return the submitters of eligible rows whose log is not available, each once."""
    submitters = {pair[row]: pair["submitter"] for pair in results["pairs"] for row in ("offline_id", "server_id")}
    submitters.update((row["id"], row["submitter"]) for row in results["unmatched"])
    absent = [log["row"] for log in results["logs"] if log["status"] == "not available"]
    return list(dict.fromkeys(submitters.get(row_id, f"row {row_id}") for row_id in absent))


def _other_rounds(results: dict) -> list[dict]:
    return [one for one in results["rounds"] if one["round"] != results["round"]]


def forks(results: dict) -> int:
    """Return how many of the other rounds were read from a repository that is not the publisher's."""
    return sum(not one["source"]["repository"].startswith(PUBLISHER) for one in _other_rounds(results))


class Wrong(Exception):
    """Why a place cannot be filled: what is found there, and what is expected."""


def found(values: dict, path: str, form: object = None) -> object:
    """Return what a path leads to; raises Wrong, also if ``form`` is a shape that it does not have."""
    value: object = values
    for key in path.split("."):
        try:
            value = value[int(key) if isinstance(value, list) else key]
        except (KeyError, IndexError, TypeError, ValueError):
            known = f"one of {', '.join(value)}" if isinstance(value, dict) else "a path to a value"
            raise Wrong(f"no {shown(key)}", known) from None
    for problem in shape.problems(value, form, "") if form else []:
        raise Wrong(problem.found, problem.expected)
    return value


def spelled(values: dict, path: str, name: str) -> str:
    """Return what a path leads to in the spelling of that name, or the word of two that goes with it; raises Wrong."""
    if name.count("/") == 1:
        return wording.agreeing(found(values, path, int), name)
    if name not in SPELLINGS:
        known = ", ".join(filter(None, SPELLINGS))
        raise Wrong(f"no spelling {shown(name)}", f"one of {known}, or two words parted by /")
    spelling, form = SPELLINGS[name]
    return spelling(found(values, path, form))
