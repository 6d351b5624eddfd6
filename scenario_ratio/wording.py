"""How a number of results.json is spelled wherever people read it, and the words that must stand beside a result.

The article, the figures, the notebook and the README's tables draw their numbers through these functions, and
validate.py knows a number by them. The notices are those that MLCommons' results messaging rules ask for.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Iterable

BENCHMARK = "MLPerf®"
SUITE = "Inference: Datacenter"
UNVERIFIED = "Result not verified by MLCommons Association."
TRADEMARK = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association in the United "
    "States and other countries. All rights reserved. Unauthorized use strictly prohibited. See www.mlcommons.org "
    "for more information."
)
UNENDORSED = "Not endorsed by MLCommons or any submitter."
NOTICE = f"{UNENDORSED} {TRADEMARK}"  # on every page, and in every figure, since a figure is copied alone

# What the benchmark's repository asks to be cited.
CITED = "Reddi et al., 2019"
PAPER = "V. J. Reddi et al., “MLPerf Inference Benchmark”, 2019, arXiv:1911.02549"
PAPER_LINK = "https://arxiv.org/abs/1911.02549"


_EXACT = Context(prec=100, rounding=ROUND_HALF_UP)  # digits for any number that results.json may hold


def rounded(number: float | str | Decimal, like: str) -> Decimal:
    """Return a number, by the digits it is written with, with as many decimals as ``like``, halves away from zero."""
    return Decimal(str(number)).quantize(Decimal(like), context=_EXACT)


def rate(tokens_per_s: float) -> str:
    """Return a rate in tokens/s with one decimal and thousands separated: 70132.3 is '70,132.3'."""
    return f"{rounded(tokens_per_s, '0.1'):,}"


def percent(ratio: float) -> str:
    """Return a ratio as a percentage with two decimals: 0.853641 is '85.36%'."""
    return f"{rounded(ratio, '0.0001').scaleb(2)}%"


def points(percentage_points: float) -> str:
    """Return a difference of two percentages with two decimals: 12.5055 is '12.51'."""
    return str(rounded(percentage_points, "0.01"))


def milliseconds(ns: int) -> str:
    """Return a latency in ns as ms with two decimals, or none if it is whole: 1050670916 is '1,050.67', 2000000000 '2,000'."""
    text = f"{rounded(Decimal(ns).scaleb(-6), '0.01'):,}"
    return text[:-3] if text.endswith(".00") else text


def count(number: int) -> str:
    """Return an integer with thousands separated: 15252 is '15,252'."""
    return f"{number:,}"


def metric(value: float) -> str:
    """Return a metric, target or limit with up to seven decimals and no trailing zeros: 3497.60466 is '3497.60466'."""
    return f"{rounded(value, '0.0000001'):f}".rstrip("0").rstrip(".")


def fraction(value: float) -> str:
    """Return a fraction with three decimals: 0.98783 is '0.988'."""
    return str(rounded(value, "0.001"))


_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def words(number: int) -> str:
    """Return how many in words up to twelve: 3 is 'three', 0 'no', 13 '13'."""
    return _WORDS[number] if 0 <= number < len(_WORDS) else count(number)


def capitalized(number: int) -> str:
    """Return how many in words at the head of a sentence: 3 is 'Three'."""
    return words(number).capitalize()


def ordinal(number: int) -> str:
    """Return which one in words up to the twelfth: 4 is 'fourth', 13 '13th', 21 '21st'."""
    if 0 < number <= len(_ORDINALS):
        return _ORDINALS[number - 1]
    ending = "th" if number // 10 % 10 == 1 else _ENDINGS.get(number % 10, "th")  # 111th, not 111st
    return f"{count(number)}{ending}"


def agreeing(number: int, forms: str) -> str:
    """Return the word that goes with a number, of two parted by '/': 'row/rows' is 'row' for 1, else 'rows'."""
    one, more = forms.split("/")
    return one if number == 1 else more


def counted(number: int, forms: str) -> str:
    """Return how many of something: (1, 'pair/pairs') is '1 pair', (1200, 'pair/pairs') '1,200 pairs'."""
    return f"{count(number)} {agreeing(number, forms)}"


def numbered(number: int, forms: str) -> str:
    """Return as ``counted`` does, but with the number's bare digits, as problems have them: '1200 rows'."""
    return f"{number} {agreeing(number, forms)}"


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


def listed(names: Iterable[str]) -> str:
    """Return names with commas between them."""
    return ", ".join(names)


def either(names: Iterable[str]) -> str:
    """Return names of which one is meant: 'a', 'a or b', 'a or b or c'."""
    return " or ".join(names)


def alternatives(names: Iterable[str]) -> str:
    """Return names of which one is meant and that may hold an 'and' themselves: 'a and b, or c'."""
    return ", or ".join(names)


def one_of(names: Iterable[str]) -> str:
    """Return what something must be: 'one of a, b' of several names, 'a' of one, 'nothing' of none."""
    first, *others = list(names) or ["nothing"]
    return f"one of {listed([first, *others])}" if others else first


def together(names: Iterable[str]) -> str:
    """Return names of which all are meant: 'a', 'a and b', 'a, b and c'."""
    *others, last = list(names) or [""]
    return f"{listed(others)} and {last}" if others else last


def clauses(parts: Iterable[str]) -> str:
    """Return clauses of one sentence, those that say nothing left out: 'a; b'."""
    return "; ".join(filter(None, parts))


def sentences(parts: Iterable[str]) -> str:
    """Return sentences, each given without its full stop: 'A. B.'."""
    return " ".join(f"{part}." for part in parts)


def byline(version: str, released: str) -> str:
    """Return who says what a page says, and when: the bundle itself, its version and date."""
    return f"The Server/Offline ratio bundle, version {version}, {released}"


def compared(sources: dict) -> str:
    """Return what the digests of upstream files were compared with, and how many files were had in which way.

    ``sources`` are those of results.json: '3 as the acquisition record has them, ... (copied 2, fetched 1)'.
    """
    number = sources["files_compared"]
    ways = listed(f"{way} {count(files)}" for way, files in sources["files_by_grade"].items())
    has = agreeing(number, "it/them")
    return f"{count(number)} as the acquisition record has {has} in length, SHA-256 and Git blob SHA-1 ({ways})"


def attribution(results: dict) -> str:
    """Return the line that says whose results these are, of which suite, version and division, and when retrieved."""
    sources = results["sources"]
    return (
        f"{BENCHMARK} {SUITE} {results['round']}, closed division, Offline and Server scenarios. Results of "
        f"{source(sources['results'])}, copies retrieved {sources['retrieved']}. Ratios are derived. {UNVERIFIED}"
    )
