"""What a text may fill its places with: the results, what is looked up in them under names of its own, and how it is spelled."""

from __future__ import annotations

import re
from typing import Callable

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


def log_says(results: dict) -> Callable[[dict, str], str]:
    """Return what tells of a pair what its log of a scenario, 'offline' or 'server', says."""
    said = {log["row"]: wording.log_says(log) for log in results["logs"]}
    return lambda pair, scenario: said.get(pair[f"{scenario}_id"], pair[f"{scenario}_log"])


def beyond_tokens(results: dict) -> list[dict]:
    """Return the anomalies of performance runs whose tokens a sample are beyond what their rows' accuracy must keep."""
    return [entry for entry in results["anomalies"] if entry["tokens_per_sample"] is not None]


def above(results: dict) -> list[dict]:
    """Return the pairs whose Server rate is above their Offline rate."""
    return [pair for pair in results["pairs"] if pair["ratio"] > 1]


def values(results: dict) -> dict:
    """Return what texts may fill their places with: the results, and what is looked up in them."""
    same, apart = highlighted(results, "same_system"), highlighted(results, "apart")
    ratios = [pair["ratio"] for pair in same]
    labels = [pair["model"] for pair in same + apart + results["pairs"]]
    beyond = [entry["row"] for entry in beyond_tokens(results)]
    return {
        **results,
        "attribution": wording.attribution(results),
        "unverified": wording.UNVERIFIED,
        "notice": wording.NOTICE,
        "cited": wording.CITED,
        "paper": wording.PAPER,
        "paper_link": wording.PAPER_LINK,
        "same": same,
        "same_count": len(same),
        "same_least": min(ratios, default=None),
        "same_most": max(ratios, default=None),
        "apart_count": len(apart),
        "apart_place": len(same) + 1,
        "told_count": len(same) + len(apart),
        "same_parts": same_parts(results),
        "others_further": others_apart(results, lambda points, own: points > own),
        "others_less": others_apart(results, lambda points, own: points < own),
        "widest": widest(results),
        "models": sorted({row["model"] for row in results["accuracy"]}, key=lambda name: (name.casefold(), name)),
        "label_with_target": next(filter(_TARGET.fullmatch, labels), None),
        "twin_labels": twin_labels(results),
        "twin_model": next((results["labels"][label]["model"] for label in twin_labels(results)), None),
        "scaled": scaled(results),
        "one_sided": one_sided(results),
        "without_logs": without_logs(results),
        "beyond_tokens": beyond,
        "beyond_tokens_count": len(beyond),
        "other_rounds": [one["round"] for one in _other_rounds(results)],
        "fork_count": forks(results),
        "grades": [{"grade": grade, "n": n} for grade, n in results["sources"]["files_by_grade"].items()],
    }


def widest(results: dict) -> dict:
    """Return the spread of ``same_parts`` that reaches over most percentage points."""
    return max(same_parts(results), key=lambda spread: spread["maximum"] - spread["minimum"], default={"n": 0})


def same_parts(results: dict) -> list[dict]:
    """Return the spread, with its 'model', of each highlighted model's pairs on the same parts of other systems."""
    return [{"model": model, **found} for model, found in results["highlighted"]["same_parts"]["by_model"].items()]


def others_apart(results: dict, is_so: Callable[[float, float], bool]) -> int:
    """Return on how many other systems with the same parts and models the ratios lie as far apart as ``is_so`` asks."""
    told, key = results["highlighted"], "spread_percentage_points"
    return sum(is_so(other[key], told["same_system"][key]) for other in told["same_parts"]["systems"])


def scaled(results: dict) -> list[dict]:
    """Return each model that has pairs at the first two scales of the highlighted pairs, with its spread at either."""
    scales, by_model = results["highlighted"]["scales"][:2], results["distribution"]["by_model_and_accelerators"]
    if len(scales) < 2:
        return []
    return [
        {"model": model, "one": classes[scales[0]], "other": classes[scales[1]]}
        for model, classes in by_model.items()
        if set(scales) <= set(classes)
    ]


def one_sided(results: dict) -> list[dict]:
    """Return each two models of which one lies below the other on every system that ran both, if two or more did."""
    found = []
    for entry in results["within_systems"]["compared"]:
        told = entry["same_metadata"]
        for lower, higher in (("first", "second"), ("second", "first")):
            if told["systems"] == told[f"{lower}_below"] > 1:
                found.append({"lower": entry[lower], "higher": entry[higher], "systems": told["systems"]})
    return found


def twin_labels(results: dict) -> list[str]:
    """Return the labels, in alphabetical order, that the checker takes for one model; of the first such model."""
    of_model: dict[str, list[str]] = {}
    for label, told in results["labels"].items():
        of_model.setdefault(told["model"], []).append(label)
    return next((labels for labels in of_model.values() if len(labels) > 1), [])


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
            known = wording.one_of(value) if isinstance(value, dict) else "a path to a value"
            raise Wrong(f"no {shown(key)}", known) from None
    for problem in shape.problems(value, form, "") if form else []:
        raise Wrong(problem.found, problem.expected)
    return value


def spelled(values: dict, path: str, name: str) -> str:
    """Return what a path leads to in the spelling of that name, or the word of two that goes with it; raises Wrong."""
    if name.count("/") == 1:
        return wording.agreeing(found(values, path, int), name)
    if name not in SPELLINGS:
        known = wording.one_of(filter(None, SPELLINGS))
        raise Wrong(f"no spelling {shown(name)}", f"{known}, or two words parted by /")
    spelling, form = SPELLINGS[name]
    return spelling(found(values, path, form))
