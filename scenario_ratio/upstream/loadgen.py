"""A LoadGen summary log, parsed: its labels with their values and lines, and its latency distributions.

The form of the log is that of loadgen in mlcommons/inference, which defines the scenarios in loadgen/test_settings.h.
Latencies are in nanoseconds.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scenario_ratio.files import decode
from scenario_ratio.problems import BundleError, Problem, raise_if_any, shown

LINE_LIMIT = 10_000  # lines; a summary log has about a hundred
HEADING = "Early Stopping Result"  # ends a label whose value is the first starred line below
PERCENTILES = ("50.00", "90.00", "95.00", "97.00", "99.00", "99.90")

# The distributions a log can print: what follows Min, Max and Mean in a label, and what follows 'percentile'.
# TPOT has two spellings; v5.1 writes the second.
DISTRIBUTIONS = (
    ("latency (ns)", "latency (ns)"),
    ("First Token latency (ns)", "first token latency (ns)"),
    ("Time per Output Token (ns)", "time to output token (ns)"),
    ("Time to Output Token (ns)", "time to output token (ns)"),
)

# A printed number that is a count or a latency in ns, and one that may have a fraction and an exponent, as a rate may.
INTEGER = re.compile(r"-?[0-9]{1,20}", re.ASCII)
NUMBER = re.compile(r"[0-9]{1,20}(?:\.[0-9]{1,20})?(?:e[+-]?[0-9]{1,2})?", re.ASCII)
_ENCOUNTERED = re.compile(r"(No|[0-9]{1,9}) (warning|error)s? encountered\b", re.ASCII | re.IGNORECASE)


class Log(NamedTuple):
    """A parsed summary log: each label's value, and its first line as (number, printed line).

    'warnings encountered' and 'errors encountered' are labels too; their value is the count, in digits.
    """

    name: str
    values: dict
    lines: dict


def parse(raw: bytes, name: str) -> Log:
    """Return the log of ``raw``.

    A label ends at the first colon, so that a SUT name may hold colons. A label may repeat with the same value;
    raises BundleError if it repeats with another, since it would be a choice which one to believe, and on
    anything that is not a summary log.
    """
    text = decode(raw, name)
    if text.count("\n") > LINE_LIMIT:
        raise BundleError(Problem(name, found=f"more than {LINE_LIMIT} lines", expected="a LoadGen summary log"))
    values: dict[str, str] = {}
    lines: dict[str, tuple] = {}
    problems, heading = [], ""
    for number, line in enumerate(map(str.strip, text.split("\n")), 1):
        label, value, heading = _field(line, heading)
        if not label:
            continue
        lines.setdefault(label, (number, line))
        if (earlier := values.setdefault(label, value)) != value:
            expected = f"{shown(earlier)}, as the same field says earlier"
            problems.append(Problem(name, f"line {number}", label, shown(value), expected))
    if "Result is" not in values and not problems:
        problems.append(Problem(name, field="Result is", found="no such line", expected="a LoadGen summary log"))
    raise_if_any(problems)
    return Log(name, values, lines)


def _field(line: str, heading: str) -> tuple[str, str, str]:
    """Return a line's label, '' if it is no field, its value, and the heading under which the next line stands."""
    if count := _ENCOUNTERED.match(line):
        return f"{count[2].lower()}s encountered", str(int(count[1])) if count[1].isdigit() else "0", heading
    if line.startswith("* "):
        return heading, line, ""  # what follows the first point of a heading explains it
    label, colon, value = line.partition(":")
    label, value = label.rstrip(), value.lstrip()
    heading = label if label.endswith(HEADING) else ""
    is_field = colon and label != "WARNING" and (value or not heading)
    return label if is_field else "", value, heading


def distributions(log: Log) -> list[dict[str, int]]:
    """Return each latency distribution that the log prints in full, as label -> ns: minimum, percentiles, maximum, mean."""
    found = []
    for extremes, percentile in DISTRIBUTIONS:
        percentiles = [f"{p} percentile {percentile}" for p in PERCENTILES]
        labels = [f"Min {extremes}", *percentiles, f"Max {extremes}", f"Mean {extremes}"]
        if all(INTEGER.fullmatch(log.values.get(label, "")) for label in labels):
            found.append({label: int(log.values[label]) for label in labels})
    return found
