"""A made-up round in a folder of its own: the code of the project, other data and sources, one changed pinned.py.

No name of a real round occurs in it. Its names hold what text formats treat as marks of their own, one accelerator is
not named, one system is larger than any class that a table of v6.1 would need, and its counts are none of v6.1's. Every
figure is worked out here from the rows below, sharing no code with the project.
"""

from __future__ import annotations

import ast
import csv
import hashlib
import io
import json
import re
import shutil
import statistics
from pathlib import Path
from typing import Iterator, NamedTuple

from tests.support import ROOT

ROUND, EARLIER = "v9.3", "v9.2"
OWNER = "https://github.com/mlcommons"
REPOSITORY, CHECKER = f"{OWNER}/inference_results_{ROUND}", f"{OWNER}/inference"
COMMIT, CHECKER_COMMIT, EARLIER_COMMIT = "9a" * 20, "9b" * 20, "9c" * 20
ACQUIRED, RELEASED = "2031-04-05", "2031-05-06"
TITLE = "A made-up round"
FOLDER = "made-up-round"
CODE = ("scenario_ratio", "web", "README.md")  # and every script
PINNED = "scenario_ratio/pinned.py"

# What the checker asks for, by its own name of a model: metric -> (reference, target factor, upper factor), then the
# limits of TTFT and TPOT in ms. One model has an upper limit on a metric that its rows do not report.
MODELS = {
    "kite-70b": ({"PASS_AT_1": (80.0, 0.99, None), "TOKENS_OUT": (4000.0, 0.9, 1.1)}, 2500, 90),
    "ibis-moe": ({"PASS_AT_1": (75.0, 0.99, None), "WORDS_OUT": (999.0, None, 1.1)}, 3500, 70),
    "heron-405b-99.5": ({"BLEU": (44.0, 0.995, None)}, 6000, 175),
    "teal-2-9b": ({"BLEU": (30.0, 0.99, None), "TOKENS_OUT": (8000.0, 0.9, 1.1)}, 1500, 60),
    "crane-13b": ({"BLEU": (50.0, 0.99, None)}, 2000, 110),
}
NOT_REPORTED = "WORDS_OUT"
OTHER_LABELS = {"teal_2-9b": "teal-2-9b"}  # how some submitters spell a model, and its own name
SEEDS = {"qsl_rng_seed": 9301, "sample_index_rng_seed": 9302, "schedule_rng_seed": 18446744073709551557}
MIN_DURATION_MS = 120_000
GRADES = {
    "read-at-commit": "Read from the repository at its commit; the digest was computed from what was read.",
    "copied-by-hand": "Copied by hand, and compared with nothing but the summary.",
}


class System(NamedTuple):
    """Who submitted what: the fields that all of its rows share. ``folder`` is its part of a log's path."""

    submitter: str
    name: str
    folder: str
    accelerator: str | None
    per_node: int
    nodes: int = 1
    framework: str = "Perch 3.1"
    notes: str = "N/A"


MAIN = System("Tern & Sons", 'Heron_H2 *quiet* <air> "dual" {air}', "H2x8", "Heron H2 96GB", 8)
OTHERS_LIKE_MAIN = System(
    "Corvid Labs", "Roost [8](x)", "Roost_H2x8", "Heron H2 96GB", 8, framework="Perch 3.0", notes=""
)
RACK = System("Tern & Sons", "Heron rack", "H2x64", "Heron H2 96GB", 8, nodes=8)
UNKNOWN = System("Wader | Flock", "Stilt", "Stilt_S1x6", "Stilt S1 (16GB)", 6)
ALONE = System("Wader | Flock", "Stilt of last year", "Stilt_S1x4", "Stilt S1 (16GB)", 4)
UNNAMED = System("Corvid Labs", "Roost unnamed", "Roost_x2", None, 2)
CPU = System("Zürich Pelican", "Pelican without accelerators", "Pelican_P", None, 0)


class Made(NamedTuple):
    """What a made-up round has; each default is not what v6.1 has."""

    same_system: int = 3  # highlighted pairs of one system, at most five
    apart: int = 1  # pairs set apart, at most two
    apart_above: bool = True  # whether the first of them has the higher rate in Server; needs ``above``
    above: bool = True  # pairs with the higher rate in Server
    cpu_only: bool = True
    unmatched: int = 2
    absent_logs: str = "some"  # or "none", or "all"
    odd_logs: bool = True
    turned_away: bool = True  # rows that each rule turns away
    not_reported: bool = True  # rows whose model has an upper limit on a metric that they do not report
    other_labels: bool = True  # a model that is spelled in two ways
    others_like_main: bool = True  # other submissions of the highlighted models on the same accelerators
    claims: bool = True
    earlier_round: bool = True
    rates: float = 1.0  # all rates are multiplied by this


class Pair(NamedTuple):
    """An Offline row and its Server row, in tokens/s; ``logs`` says whether the two logs are at hand."""

    system: System
    model: str
    offline: float
    server: float
    highlighted: str = ""
    logs: bool = True
    odd: bool = False


def pairs_of(made: Made) -> list[Pair]:
    """Return the pairs of a made-up round, in the order of its summary."""
    models = [model for model in (*MODELS, *OTHER_LABELS) if made.other_labels or model not in OTHER_LABELS]
    models = [model for model in models if made.not_reported or NOT_REPORTED not in MODELS[official(model)][0]]
    servers = (8123.4, 9377.5, 6210.9, 8800.1, 7001.3)
    same = [Pair(MAIN, model, 10000.5, server, "same") for model, server in zip(models, servers)][: made.same_system]
    above = made.above and made.apart_above
    apart = [Pair(RACK, models[0], 70000.2, 73500.6 if above else 52500.3, "apart")]
    apart += [Pair(RACK, models[1], 60000.7, 41000.9, "apart")]
    pairs = [*same[:2], Pair(UNKNOWN, models[0], 4000.1, 3000.4, odd=made.odd_logs), *same[2:], *apart[: made.apart]]
    if made.others_like_main:
        pairs += [Pair(OTHERS_LIKE_MAIN, pair.model, 9500.3, server) for pair, server in zip(same, servers[1:])]
    if made.above:
        pairs += [Pair(UNNAMED, models[-1], 1500.2, 1550.7)]
    if made.cpu_only:  # neither the lowest nor the highest ratio of all
        pairs += [Pair(CPU, models[0], 120.5, 88.25), Pair(CPU, models[-1], 240.5, 170.75)]
    pairs += [Pair(UNNAMED, models[0], 1600.4, 1212.6, logs=made.absent_logs == "none")]
    return [pair._replace(logs=False) for pair in pairs] if made.absent_logs == "all" else pairs


def official(model: str) -> str:
    """Return the checker's name of a model label."""
    return OTHER_LABELS.get(model, model)


def row(system: System, model: str, scenario: str, rate: float, **changed: str) -> dict[str, str]:
    """Return a row of the summary as CSV cells in the order of its fields, some of them changed."""
    location = f"./closed/{re.sub('[^A-Za-z]+', '_', system.submitter)}/results/{system.folder}/{model}/{scenario}"
    reported = [
        f"{metric}: {reference:.4f}" for metric, (reference, *_) in MODELS[official(model)][0].items() if metric != NOT_REPORTED
    ]  # fmt: skip
    return {
        "Organization": system.submitter,
        "Availability": "available",
        "Division": "closed",
        "SystemType": "datacenter",
        "SystemName": system.name,
        "Platform": system.folder,
        "Model": model,
        "MlperfModel": official(model),
        "Scenario": scenario,
        "Result": repr(float(f"{rate:.6g}")),  # six significant digits, as in a summary
        "Accuracy": "  ".join(reported),
        "number_of_nodes": str(system.nodes),
        "host_processor_model_name": "Host 9 (Zürich)",
        "host_processors_per_node": "2",
        "host_processor_core_count": "48",
        "accelerator_model_name": system.accelerator or "N/A",
        "accelerators_per_node": str(system.per_node),
        "total_accelerators": str(system.per_node * system.nodes),
        "Location": f"{location}/performance/run_1",
        "framework": system.framework,
        "operating_system": "Nest OS 12",
        "notes": system.notes,
        "compliance": "closed",
        "errors": "0",
        "version": ROUND,
        "inferred": "0",
        "has_power": "False",
        "Units": "Tokens/s",
        "weight_data_types": "fp6",
        "design_power_watts": "None",
        "PrivateID": "",
        **changed,
    }


# One row for each rule of eligibility, which turns it away.
TURNED_AWAY = (
    {"Division": "open"},
    {"Division": "open", "Model": "kite-99b"},
    {"Availability": "preview"},
    {"SystemType": "edge"},
    {"inferred": "1"},
    {"errors": "4"},
    {"has_power": "True"},
    {"design_power_watts": "7200.5"},
    {"Units": "Samples/s"},
    {"Units": "Queries/s"},
    {"Scenario": "Interactive"},
)


def single_rows(made: Made, pairs: list[Pair]) -> list[dict[str, str]]:
    """Return the eligible rows that have no partner: one differs from a partner in its notes alone."""
    model = pairs[0].model
    offline, server = row(ALONE, model, "Offline", 3900.5), row(ALONE, model, "Server", 2900.5, notes="Stilt at 200 W")
    return [offline, server][: made.unmatched]


def value(field: str, text: str) -> object:
    """Return the JSON value of a CSV cell."""
    if field in ("Result", "design_power_watts") and text != "None":
        return float(text)
    if field in (
        "number_of_nodes",
        "host_processors_per_node",
        "accelerators_per_node",
        "total_accelerators",
        "errors",
        "inferred",
    ):
        return int(text)
    if field == "has_power":
        return text == "True"
    missing = {
        "accelerator_model_name": ("N/A",),
        "notes": ("", "N/A"),
        "design_power_watts": ("None",),
        "PrivateID": ("",),
    }
    return None if text in missing.get(field, ()) else text  # fmt: skip


def log(cells: dict[str, str], odd: bool = False) -> bytes:
    """Return the LoadGen summary log of a row, in the form of tests/fixtures and sources/results."""
    _, ttft_ms, tpot_ms = MODELS[official(cells["Model"])]
    rate, server = float(cells["Result"]), cells["Scenario"] == "Server"
    samples_per_s = f"{rate / 400:.6g}"
    head = [
        "=" * 48,
        "MLPerf Results Summary",
        "=" * 48,
        "SUT name : PySUT : made up",
        f"Scenario : {cells['Scenario']}",
    ]
    head += ["Mode     : PerformanceOnly"]
    satisfied = ["  Min duration satisfied : Yes", "  Min queries satisfied : Yes", "  Early stopping satisfied: Yes"]
    if server:
        head += [f"Completed samples per second    : {samples_per_s}", f"Completed tokens per second: {rate:.2f}"]
        head += ["Result is : VALID", "  Performance constraints satisfied : Yes", *satisfied]
        head += [f"{short} Early Stopping Result:\n * Run successful." for short in ("TTFT", "TPOT")]
    else:
        head += [
            f"Samples per second: {samples_per_s}",
            f"Tokens per second: {rate:.6g}",
            "Result is : VALID",
            *satisfied,
        ]
    stats = ["", "=" * 48, "Additional Stats", "=" * 48]
    if server:
        stats += [f"Scheduled samples per second : {rate / 390:.6g}"]
    stats += _latencies("latency (ns)", "latency (ns)", 150_000_000_000)
    if server:
        share = 0.4 + 0.05 * (round(rate) % 11)  # of its limit: another one for every rate
        stats += ["", f"Completed tokens per second                 : {rate:.2f}"]
        stats += _latencies("First Token latency (ns)", "first token latency (ns)", int(ttft_ms * 1_000_000 * share))
        stats += ["", *_latencies("Time per Output Token (ns)", "time to output token (ns)", int(tpot_ms * 930_000))]
    settings = [
        "", "=" * 48, "Test Parameters Used", "=" * 48,
        "samples_per_query : 1", f"target_qps : {rate / 380:.6g}",
        f"ttft_latency (ns): {ttft_ms * 1_000_000}", f"tpot_latency (ns): {tpot_ms * 1_000_000}",
        "max_async_queries : 0", f"min_duration (ms): {MIN_DURATION_MS}", "max_duration (ms): 0", "min_query_count : 100",
        *(f"{name} : {seed}" for name, seed in SEEDS.items()),
        "accuracy_log_rng_seed : 0", "performance_sample_count : 6396",
        "WARNING: sample_concatenate_permutation was set to true. ",
        "Generated samples per query might be different as the one in the setting.",
        "", "No warnings encountered during test.", "", "3 ERRORS encountered. See detailed log." if odd else "No errors encountered during test.",
    ]  # fmt: skip
    return ("\n".join([*head, *stats, *settings]) + "\n").encode("utf-8")


def _latencies(extremes: str, percentile: str, p99: int) -> list[str]:
    """Return the lines of a distribution of latencies in ns whose 99th percentile is given."""
    lines = [f"Min {extremes} : {p99 // 100}", f"Max {extremes} : {p99 + p99 // 50}", f"Mean {extremes} : {p99 // 2}"]
    shares = {"50.00": 50, "90.00": 90, "95.00": 95, "97.00": 97, "99.00": 99}
    lines += [f"{name} percentile {percentile} : {p99 * share // 99}" for name, share in shares.items()]
    return [*lines, f"99.90 percentile {percentile} : {p99 + p99 // 100}"]


def constants() -> str:
    """Return the checker's figures as Python literals, for this round and the earlier one."""
    targets, upper = {}, {}
    for model, (metrics, _, _) in MODELS.items():
        for part, position in ((targets, 1), (upper, 2)):
            figures = [
                (metric, f"{facts[0]!r} * {facts[position]!r}") for metric, facts in metrics.items() if facts[position]
            ]
            if figures:
                part[model] = "(" + "".join(f"{metric!r}, {figure}, " for metric, figure in figures) + ")"
    config = {
        "accuracy-target": _dict(targets),
        "accuracy-upper-limit": _dict(upper),
        "model_mapping": repr(OTHER_LABELS),
        "seeds": repr(SEEDS),
        "test_duration_ms": repr(MIN_DURATION_MS),
    }
    limits = {
        model: f'{{"Server": {{"ttft": {ttft} * 1000000, "tpot": {tpot} * 1000000}}}}' for model, (_, ttft, tpot) in MODELS.items()
    }  # fmt: skip
    config_text = _dict({ROUND: _dict(config)})
    return (
        f'"""Figures of a made-up checker."""\n\nMODEL_CONFIG = {config_text}\n\nLLM_LATENCY_LIMITS = {_dict(limits)}\n'
    )


def _dict(members: dict[str, str]) -> str:
    return "{" + "".join(f"{name!r}: {text}, " for name, text in members.items()) + "}"


def claims(pairs: list[Pair]) -> list[dict]:
    """Return statements of several kinds: one that holds, one that does not, and ones that depend on the round."""
    of_main = [pair for pair in pairs if pair.highlighted == "same"]
    first = of_main[0] if of_main else pairs[0]
    where = {
        "submitter": first.system.submitter,
        "accelerators": first.system.per_node * first.system.nodes,
        "model": first.model,
    }
    percent = f"{100 * (first.server / first.offline - 1):.1f}"
    stated = {"offline": f"{first.offline:.6g}", "server": f"{first.server:.6g}", "percent": percent}
    named = {"submitter": UNKNOWN.submitter, "accelerator": "Stilt S1", "precision": "FP6"}
    return [
        _claim("first-pair", f"The first pair differs by {percent}%.", "pair", {"where": where, **stated}),
        _claim("wrong-pair", "The first pair gains half.", "pair", {"where": where, **stated, "percent": "50.0"}),
        _claim("nobody", "Nobody has a pair.", "pair", {"where": {"submitter": "Nobody"}, **stated}),
        _claim("stilt", "Stilt is within a third.", "range", {"where": named, "low": "-33.3", "high": "0.0"}),
        _claim("faster", "Some pair is faster in Server.", "server faster", {"where": {}}),
        _claim("queries", "One sample in a query.", "log setting", {"field": "samples_per_query", "value": "1"}),
        _claim("limits", "Every run kept its limits.", "limits kept", {}),
    ]


def _claim(name: str, statement: str, kind: str, parameters: dict) -> dict:
    return {"id": name, "statement": statement, "kind": kind, "parameters": parameters}


class Files:
    """The rows of a made-up round and the files it is made of: name -> bytes below data/ and sources/."""

    def __init__(self, made: Made):
        self.pairs = pairs_of(made)
        self.rows, self.ids, self.logs, self.absent = [], {}, {}, []
        alone = single_rows(made, self.pairs)
        away = [row(UNNAMED, self.pairs[0].model, "Offline", 900.5, **changed) for changed in TURNED_AWAY]
        self._add_rows(made, away if made.turned_away else [], alone)
        self.contents = dict(self._summaries())
        self.contents.update({f"sources/results/{path}": raw for path, raw in self.logs.items()})
        self.contents["sources/acquisition.json"] = _json(self._record())
        self.contents["sources/checker_constants.py"] = constants().encode("utf-8")
        self.contents["sources/LICENSE-MLCommons.md"] = LICENCE
        self.contents["data/claims.json"] = _json(claims(self.pairs) if made.claims else [])
        self.contents["data/rounds.json"] = _json({"rounds": list(self._rounds(made))})

    def _add_rows(self, made: Made, away: list[dict], alone: list[dict]) -> None:
        """Add all rows, those turned away first and in between, so that no id is one of v6.1's highlighted ones."""
        self.rows += away[:4]
        for number, pair in enumerate(self.pairs):
            offline, server = (
                row(pair.system, pair.model, scenario, rate * made.rates)
                for scenario, rate in (("Offline", pair.offline), ("Server", pair.server))
            )
            self.ids[number] = str(len(self.rows))
            for cells in (offline, server):
                self._add(cells, pair.logs, pair.odd and cells is offline)
            if number == 1:
                for cells in alone[:1]:
                    self._add(cells, made.absent_logs != "all")
                self.rows += away[4:8]
        for cells in alone[1:]:
            self._add(cells, made.absent_logs != "all")
        self.rows += away[8:]

    def _add(self, cells: dict[str, str], at_hand: bool = True, odd: bool = False) -> None:
        path = cells["Location"][2:] + "/mlperf_log_summary.txt"
        if at_hand:
            self.logs[path] = log(cells, odd)
        else:
            self.absent.append({"row": str(len(self.rows)), "path": path})
        self.rows.append(cells)

    def highlighted(self, group: str) -> tuple[str, ...]:
        """Return the Offline ids of the pairs highlighted as 'same' or 'apart'."""
        return tuple(self.ids[number] for number, pair in enumerate(self.pairs) if pair.highlighted == group)

    def _summaries(self) -> Iterator[tuple[str, bytes]]:
        text = io.StringIO()
        writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(self.rows[0])
        writer.writerows(cells.values() for cells in self.rows)
        yield "data/summary.csv", text.getvalue().encode("utf-8")
        snapshot = {
            str(number): {field: value(field, cell) for field, cell in cells.items()}
            for number, cells in enumerate(self.rows)
        }
        yield "data/summary.json", json.dumps(snapshot, indent=4).encode("utf-8")

    def _record(self) -> dict:
        source = {"repository": REPOSITORY, "commit": COMMIT}
        entries = [
            {
                "file": name,
                **source,
                "path": name.replace("sources/results/", "").replace("data/", ""),
                **digests(raw),
                "obtained": "read-at-commit" if number % 3 else "copied-by-hand",
            }
            for number, (name, raw) in enumerate(self.contents.items())
        ]
        checker = {"repository": CHECKER, "commit": CHECKER_COMMIT}
        licence = digests(LICENCE)
        return {
            "acquired": ACQUIRED,
            "obtained": GRADES,
            "files": entries,
            "not_available": self.absent,
            "referenced": [
                {**checker, "path": "tools/checker/figures.py", "role": "accuracy targets and latency limits", "note": "Made up."},
                {
                    **checker, "path": "LICENSE.md", "role": "Apache License 2.0",
                    "bytes": licence["bytes"], "git_blob_sha1": licence["git_blob_sha1"],
                },
            ],
        }  # fmt: skip

    def _rounds(self, made: Made) -> Iterator[dict]:
        ratios: dict[str, list[float]] = {}
        for number, pair in enumerate(self.pairs):
            offline, server = (float(self.rows[int(self.ids[number]) + step]["Result"]) for step in (0, 1))
            ratios.setdefault(official(pair.model), []).append(server / offline)
        divisions = [cells["Division"] for cells in self.rows]
        eligible = 2 * len(self.pairs) + made.unmatched
        lacking = sum(not pair.logs for pair in self.pairs)
        counts = {
            "source_rows": len(self.rows),
            "unreadable_rows": 0,
            "closed_rows": divisions.count("closed"),
            "open_rows": divisions.count("open"),
            "eligible_rows": eligible,
            "complete_pairs": len(self.pairs),
            "unmatched_rows": made.unmatched,
            "pairs_with_server_greater_than_offline": sum(
                ratio > 1 for of_model in ratios.values() for ratio in of_model
            ),
            "logs_passed": len(self.logs),
            "logs_failed": 0,
            "logs_not_available": len(self.absent),
            "pairs_with_both_logs": len(self.pairs) - lacking,
            "pairs_with_distinct_logs": len(self.pairs) - lacking,
        }
        summary = [
            {"path": name[5:], **digests(self.contents[name])} for name in ("data/summary.csv", "data/summary.json")
        ]
        models = [_model(name, ratios[name]) for name in sorted(ratios, key=str.casefold)]
        source = {"repository": REPOSITORY, "commit": COMMIT}
        own = {
            "round": ROUND, "source": source, "summary": summary, "checked_against": "checker_constants.py",
            "counts": counts, "matched_fields": 27, "models": models,
        }  # fmt: skip
        if made.earlier_round:
            few = {
                **dict.fromkeys(counts, 0),
                "source_rows": 7,
                "closed_rows": 7,
                "eligible_rows": 6,
                "complete_pairs": 3,
            }
            yield {
                **own,
                "round": EARLIER,
                "source": {"repository": REPOSITORY.replace(ROUND, EARLIER), "commit": EARLIER_COMMIT},
                "checked_against": None,
                "counts": {**few, "logs_passed": 6, "pairs_with_both_logs": 3, "pairs_with_distinct_logs": 2},
                "matched_fields": 24,
                "models": [_model("ibis-moe", [0.5, 0.75]), _model("plover-3b", [0.625])],
            }
        yield own


LICENCE = b"Apache License\nVersion 2.0, as a made-up text.\n"


def _model(name: str, ratios: list[float]) -> dict:
    return {
        "model": name, "n": len(ratios), "minimum": min(ratios), "median": statistics.median(ratios), "maximum": max(ratios),
        "above_1": sum(ratio > 1 for ratio in ratios),
    }  # fmt: skip


def digests(raw: bytes) -> dict:
    """Return size, SHA-256 and Git blob SHA-1 of bytes."""
    blob = hashlib.sha1(b"blob %d\0" % len(raw) + raw).hexdigest()
    return {"bytes": len(raw), "sha256": hashlib.sha256(raw).hexdigest(), "git_blob_sha1": blob}


def _json(found: object) -> bytes:
    return (json.dumps(found, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def build(folder: Path) -> Files:
    """Build the made-up round in ``folder``, which must not be there yet; return its files."""
    files = Files(Made())
    copy_code(folder)
    write(folder, files)
    return files


def copy_code(folder: Path) -> None:
    """Copy the project's code and README to a new folder."""
    folder.mkdir()
    for name in (*CODE, *(path.name for path in ROOT.glob("*.py"))):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)


def write(folder: Path, files: Files) -> None:
    """Write a made-up round over the data, the sources and the choices of a copy of the code."""
    for name in ("data", "sources"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for name, raw in files.contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(raw)
    choices = {
        "ROUND": ROUND,
        "TITLE": TITLE,
        "RESULTS_REPOSITORY": REPOSITORY,
        "RESULTS_COMMIT": COMMIT,
        "CHECKER_REPOSITORY": CHECKER,
        "CHECKER_COMMIT": CHECKER_COMMIT,
        "SAME_SYSTEM": files.highlighted("same"),
        "APART": files.highlighted("apart"),
        "FOLDER": FOLDER,
        "VERSION": "9.3.1",
        "RELEASED": RELEASED,
    }
    (folder / PINNED).write_text(chosen((ROOT / PINNED).read_text("utf-8"), **choices), "utf-8")


def choices_in(pinned: str) -> dict[str, object]:
    """Return name -> value of everything that the text of pinned.py assigns, in its order."""
    found: dict[str, object] = {}
    for names, node in _assigned(pinned):
        values = ast.literal_eval(node)
        found.update(zip(names, values) if len(names) > 1 else {names[0]: values})
    return found


def chosen(pinned: str, **choices: object) -> str:
    """Return the text of pinned.py with other values; all else is as it was."""
    lines = pinned.splitlines(keepends=True)
    for names, node in _assigned(pinned):
        nodes = node.elts if len(names) > 1 else [node]
        for name, one in reversed(list(zip(names, nodes))):
            if name in choices:
                assert one.lineno == one.end_lineno, f"{name} stands on several lines"
                line = lines[one.lineno - 1].encode("utf-8")
                new = line[: one.col_offset] + repr(choices.pop(name)).encode("utf-8") + line[one.end_col_offset :]
                lines[one.lineno - 1] = new.decode("utf-8")
    assert not choices, f"no such choices: {', '.join(choices)}"
    return "".join(lines)


def _assigned(pinned: str) -> Iterator[tuple[list[str], ast.expr]]:
    """Return the names that each assignment of pinned.py binds, and its value."""
    for statement in ast.parse(pinned).body:
        if isinstance(statement, ast.Assign):
            target = statement.targets[0]
            names = [one.id for one in target.elts] if isinstance(target, ast.Tuple) else [target.id]
            yield names, statement.value
