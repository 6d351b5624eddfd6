"""How near to their limits the Server runs came: achieved 99th percentiles of TTFT and TPOT over their limits.

Descriptive only: a fraction near 1 says that a latency was near its limit, not why a rate is what it is.
"""

from __future__ import annotations

import statistics

from scenario_ratio.problems import Problem, raise_if_any

DIVISORS = ("ttft_limit_ns", "tpot_limit_ns", "scheduled_samples_per_s")
LATENCIES = ("ttft_limit_ns", "ttft_p99_ns", "tpot_limit_ns", "tpot_p99_ns")
MEDIANS = ("ttft_fraction", "tpot_fraction", "larger_fraction", "completed_over_scheduled")


def headroom(pairs: list[dict], logs: list[dict]) -> dict:
    """Return the headroom of every pair whose Server log passed, in the order of ``pairs``, and each model's medians.

    Raises BundleError if a log's limit or scheduled rate is not above zero, since nothing is a fraction of that.
    """
    passed = {log["row"]: log for log in logs if log["status"] == "passed"}
    at_hand = [(pair, passed[pair["server_id"]]) for pair in pairs if pair["server_id"] in passed]
    raise_if_any(
        [
            Problem(f"sources/results/{log['path']}", "", field, str(log[field]), "a number above zero")
            for _, log in at_hand
            for field in DIVISORS
            if not log[field] > 0
        ]
    )
    facts = [pair_headroom(pair, log) for pair, log in at_hand]
    models = sorted(dict.fromkeys(fact["model"] for fact in facts), key=str.casefold)
    return {
        "pairs": facts,
        "by_model": {model: medians([fact for fact in facts if fact["model"] == model]) for model in models},
    }


def pair_headroom(pair: dict, log: dict) -> dict:
    """Return one pair's limits and 99th percentiles in ns, their fractions, which of the two is nearer its limit, and its samples/s.

    ``log`` holds the facts of the pair's Server log.
    """
    ttft, tpot = (log[f"{short}_p99_ns"] / log[f"{short}_limit_ns"] for short in ("ttft", "tpot"))
    scheduled, completed = log["scheduled_samples_per_s"], log["samples_per_s"]
    return {
        "offline_id": pair["offline_id"],
        "server_id": pair["server_id"],
        "model": pair["model"],
        **{field: log[field] for field in LATENCIES},
        "ttft_fraction": ttft,
        "tpot_fraction": tpot,
        "nearer": "equal" if ttft == tpot else "ttft" if ttft > tpot else "tpot",
        "larger_fraction": max(ttft, tpot),
        "scheduled_samples_per_s": scheduled,
        "completed_samples_per_s": completed,
        "completed_over_scheduled": completed / scheduled,
    }


def medians(facts: list[dict]) -> dict:
    """Return n, the medians of a model's fractions, and how often each latency is the nearer one to its limit."""
    nearer = [fact["nearer"] for fact in facts]
    return {
        "n": len(facts),
        **{f"median_{field}": statistics.median(fact[field] for fact in facts) for field in MEDIANS},
        "ttft_nearer": nearer.count("ttft"),
        "tpot_nearer": nearer.count("tpot"),
        "equal": nearer.count("equal"),
    }
