"""How a number of results.json is spelled wherever people read it, and the words that must stand beside a result.

The article, the figures, the notebook and the README's tables draw their numbers through these functions, and
validate.py knows a number by them. The notices are those that MLCommons' results messaging rules ask for.
"""

from __future__ import annotations

BENCHMARK = "MLPerf®"
SUITE = "Inference: Datacenter"
UNVERIFIED = "Result not verified by MLCommons Association."
TRADEMARK = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association in the United "
    "States and other countries. All rights reserved. Unauthorized use strictly prohibited. See www.mlcommons.org "
    "for more information."
)


def rate(tokens_per_s: float) -> str:
    """Return a rate in tokens/s with one decimal and thousands separated: 70132.3 is '70,132.3'."""
    return f"{tokens_per_s:,.1f}"


def percent(ratio: float) -> str:
    """Return a ratio as a percentage with two decimals: 0.853641 is '85.36%'."""
    return f"{100 * ratio:.2f}%"


def points(percentage_points: float) -> str:
    """Return a difference of two percentages with two decimals: 12.5055 is '12.51'."""
    return f"{percentage_points:.2f}"


def milliseconds(ns: int) -> str:
    """Return a latency in ns as ms with two decimals, or none if it is whole: 1050670916 is '1,050.67', 2000000000 '2,000'."""
    text = f"{ns / 1_000_000:,.2f}"
    return text[:-3] if text.endswith(".00") else text


def count(number: int) -> str:
    """Return an integer with thousands separated: 15252 is '15,252'."""
    return f"{number:,}"


def metric(value: float) -> str:
    """Return a metric, target or limit with up to seven decimals and no trailing zeros: 3497.60466 is '3497.60466'."""
    return f"{value:.7f}".rstrip("0").rstrip(".")


def fraction(value: float) -> str:
    """Return a fraction with three decimals: 0.98783 is '0.988'."""
    return f"{value:.3f}"


_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip


def words(number: int) -> str:
    """Return how many in words up to twelve: 3 is 'three', 0 'no', 13 '13'."""
    return _WORDS[number] if 0 <= number < len(_WORDS) else count(number)


def capitalized(number: int) -> str:
    """Return how many in words at the head of a sentence: 3 is 'Three'."""
    return words(number).capitalize()


def ordinal(number: int) -> str:
    """Return which one in words up to the twelfth: 4 is 'fourth', 13 '13th'."""
    return _ORDINALS[number - 1] if 0 < number <= len(_ORDINALS) else f"{count(number)}th"


def agreeing(number: int, forms: str) -> str:
    """Return the word that goes with a number, of two parted by '/': 'row/rows' is 'row' for 1, else 'rows'."""
    one, more = forms.split("/")
    return one if number == 1 else more


def counted(number: int, forms: str) -> str:
    """Return how many of something: (1, 'pair/pairs') is '1 pair', (1200, 'pair/pairs') '1,200 pairs'."""
    return f"{count(number)} {agreeing(number, forms)}"


def ends(spread: dict) -> str:
    """Return the least and the greatest ratio of a spread: '38.09% to 102.96%'."""
    return f"{percent(spread['minimum'])} to {percent(spread['maximum'])}"


def rows(pair: dict) -> str:
    """Return the rows of a pair by their ids, Offline first: '285/286'."""
    return f"{pair['offline_id']}/{pair['server_id']}"


def log_says(log: dict) -> str:
    """Return what a log says of its run, with the errors and warnings that it counts; its status if it has not passed.

    'VALID' and 'VALID, with 2 errors and 1 warning in the log', or 'not available'.
    """
    if log["status"] != "passed":
        return log["status"]
    counts = [counted(log[f"{kind}s"], f"{kind}/{kind}s") for kind in ("error", "warning") if log[f"{kind}s"]]
    return f"{log['result']}, with {together(counts)} in the log" if counts else log["result"]


def source(commit: dict) -> str:
    """Return a repository at a commit: 'github.com/mlcommons/inference_results_v6.1 at 4bb63cd28eb1'."""
    return f"{commit['repository'].removeprefix('https://')} at {commit['commit'][:12]}"


def listed(names: list[str]) -> str:
    """Return names with commas between them."""
    return ", ".join(names)


def either(names: list[str]) -> str:
    """Return names of which one is meant: 'a', 'a or b', 'a or b or c'."""
    return " or ".join(names)


def together(names: list[str]) -> str:
    """Return names of which all are meant: 'a', 'a and b', 'a, b and c'."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def attribution(results: dict) -> str:
    """Return the line that says whose results these are, of which suite, version and division, and when retrieved."""
    sources = results["sources"]
    return (
        f"{BENCHMARK} {SUITE} {results['round']}, closed division, Offline and Server scenarios. Results of "
        f"{source(sources['results'])}, copies retrieved {sources['retrieved']}. Ratios are derived. {UNVERIFIED}"
    )
