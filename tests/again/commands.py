"""What analyze.py prints, worked out a second time: what a run found, and the pairs that were looked up."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tests.again import groups, logs, printed, released, rounds, spelled
from tests.again.released import Pair, highlighted, rows
from tests.again.spelled import metric, milliseconds, percent, rate


def run() -> list:
    """Return the lines that a run ends with."""
    count = {name: released.number(f"SELECT count(*) FROM summary WHERE {rule}") for name, rule in DIVISIONS.items()}
    eligible, pairs = released.eligible(), released.pairs()
    status = [logs.status(one) for one in eligible]
    errors = sum(one == "passed" and released.encountered(row, "error")[0] > 0 for row, one in zip(eligible, status))
    number, fields = len(rows()), len(released.fields())
    source, acquired = rounds.this_round().source.split(" at ")[1], rounds.acquired()["acquired"]
    return [
        f"MLPerf® Inference: Datacenter {released.version()}, results at {source}, retrieved {acquired}",
        f"upstream files: {printed.files_told()}",
        f"rows: {number} of {fields} fields, {spelled.count(number * fields)} CSV cells equal to their JSON twins",
        f"closed {count['closed']}, open {count['open']}, eligible {len(eligible)}, with measured power {count['power']}",
        f"pairs: {len(pairs)} on {len(released.matched())} metadata fields, {len(groups.above(pairs))} of them with Server "
        f"above Offline; unmatched rows: {', '.join(released.unmatched())}",
        f"accuracy: every metric of {sum(map(accurate, eligible))} rows within its target and upper limit",
        f"logs: {status.count('passed')} passed every check ({errors} with errors in the log), "
        f"{status.count('not available')} not available",
        *(
            f"{pair.ids} {pair.offline['Organization']} {pair.offline['Platform']} {pair.offline['Model']}: "
            f"{rate(pair.server_rate)} / {rate(pair.offline_rate)} = {percent(pair.ratio)}"
            for pair in highlighted()
        ),
        f"{printed.inspected()[-1]}. Result not verified by MLCommons Association.",
    ]


DIVISIONS = {"closed": "Division = 'closed'", "open": "Division = 'open'", "power": "has_power != 'False'"}


def accurate(row_id: str) -> bool:
    """Tell whether a row reports every metric that has a target, and each one within its bounds."""
    targets, limits = released.bounds(rows()[row_id]["Model"])
    reported = {name: Fraction(text) for name, text in released.metrics(row_id).items()}
    return set(targets) <= set(reported) and all(
        targets.get(name, value) <= value <= limits.get(name, value) for name, value in reported.items()
    )


def looked_up() -> str:
    """Return what looking up every pair must print."""
    blocks = ["\n".join(block(pair)) for pair in released.pairs()]
    return "\n\n".join([*blocks, f"{spelled.many(len(blocks), 'pair')}. {rounds.notice()}"]) + "\n"


def block(pair: Pair) -> list:
    """Return the lines about one pair that was looked up."""
    row = pair.offline
    on = f"{pair.accelerators} x {pair.accelerator}" if pair.accelerators else "no accelerators"
    accuracy = [
        f"  accuracy  {rows()[one]['Scenario']}: {', '.join(metric_told(one, name) for name in released.metrics(one))}"
        for one in pair[:2]
    ]
    return [
        f"{pair.ids} {row['Organization']} · {row['Platform']} · {row['Model']}",
        f"  system    {row['SystemName']}, {on}, precision {row['weight_data_types']}",
        f"  rates     Server {rate(pair.server_rate)} / Offline {rate(pair.offline_rate)} tokens/s = {percent(pair.ratio)}",
        *(latency_told(pair, latency) for latency in ("ttft", "tpot")),
        *accuracy,
        f"  logs      Offline: {logs.says(pair.offline_id)}; Server: {logs.says(pair.server_id)}",
    ]


def latency_told(pair: Pair, latency: str) -> str:
    """Return the line about a latency of a pair's Server run."""
    if pair not in with_log():
        return f"  {latency.upper()} p99  not known: the Server log is not available"
    achieved, limit = released.p99(pair.server_id, latency), released.limit(pair.server["Model"], latency)
    return (
        f"  {latency.upper()} p99  {milliseconds(achieved)} of at most {milliseconds(limit)} ms, "
        f"{percent(released.share(pair, latency))} of its limit"
    )


@lru_cache(maxsize=None)
def with_log() -> tuple:
    """Return the pairs whose Server log is there."""
    return tuple(released.with_server_log())


def metric_told(row_id: str, name: str) -> str:
    """Return a metric of a row with its bounds."""
    sides = zip(("at least", "at most"), released.bounds(rows()[row_id]["Model"]))
    told = [f"{word} {metric(bounds[name])}" for word, bounds in sides if name in bounds]
    return f"{name} {metric(Fraction(released.metrics(row_id)[name]))} ({', '.join(told)})"
