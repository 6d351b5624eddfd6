"""What README.md and the notebook's Markdown cells must say, worked out a second time: each block, in order."""

from __future__ import annotations

import json
import re

from tests.again import columns, pages, printed, released, rounds, systems, tables
from tests.again.article_words import UNVERIFIED, apart, differing, told
from tests.again.released import matched, number, root
from tests.again.source_words import COMMANDS, NOTICE, PAPER_LINK, results
from tests.again.spelled import count
from tests.again.words import Known, Measured, Read, in_words, joined, so

ON_A_MACHINE = "times and sizes measured on a stated machine, which no second computation can give"
SCRIPTS = "what each script makes or does; compared with the list of what is made by test_readme"
# The figures of a row of measured times: seconds and megabytes of one side, then ratios.
TIMED = r"[\d.]+ s \| [\d.]+ s \| \d+ MB \| [\d.]+ \| [\d.]+ \| [\d.]+"


def readme() -> list:
    """Return all blocks of the README, and where its links lead."""
    parts = (opening, in_a_browser, what_is_where, other_rounds, proofs, speed, licence)
    links = {
        "Reddi et al., 2019": PAPER_LINK, "What each command proves": "#what-each-command-proves",
        **{name: name for name in ("article.html", "analysis.ipynb", "sources/LICENSE-MLCommons.md", "provenance.json",
                                   "CITATION.cff")},
    }  # fmt: skip
    return [block for part in parts for block in part()] + [Read("link", f"{one} -> {to}") for one, to in links.items()]


def powered() -> int:
    """Return how many rows have measured power."""
    return number("SELECT count(*) FROM summary WHERE has_power != 'False' OR design_power_watts != 'None'")


def opening() -> list:
    """Return what stands above the first section."""
    commits = {one["commit"] for one in rounds.acquired()["files"]}
    return [
        Read("h1", "Server/Offline ratios, recomputed from released results"),
        Read("p", joined(
            "A result in the Offline scenario is one of batch processing; a result in Server is one of an online service, with "
            "random arrivals and limits on latency (Reddi et al., 2019). How much does the number drop, for which workload, and "
            "can a claim about it be trusted?",
            so(len(commits) == 1, "This bundle answers from the released results of one MLPerf® Inference round, pinned at one "
               "commit, and lets you make every digit again in a minute, offline, with nothing but Python 3.9 or later:"),
        )),
        Read("pre", COMMANDS),
        Read("p", Known("The first command is silent", "e435c6054068c10d", "what each command does")),
        Read("p", Known("What you will see:", "3753e8c35c9e11d9", "what a run prints, which test_again_tables reads line by line")),
        Read("table", table_of_results()),
        *(Read("p", line) for line in printed.below_the_table()),
        Read("p", joined(
            "What it does not claim. It ranks no vendors. A ratio describes two submitted results and is the cause of nothing. "
            "Equal metadata does not mean equal serving configuration. There is no variance, production latency, cost or energy "
            "in it:",
            so(not powered(), "no row has measured power, and a TGP note is not power."),
        )),
        Read("p", Known("Then open article.html", "d445ab4ed0afa5e4", "where to go on")),
        Read("pre", looking_up()),
    ]  # fmt: skip


def table_of_results() -> str:
    """Return the table of results as lines of cells."""
    heads = list(columns.README)
    lines = [[row[head][0] for head in heads] for row in tables.expected(tables.OF_README)]
    sides = ["---:" if head in ("Server/Offline", "Offline, tokens/s", "Server, tokens/s") else "---" for head in heads]
    return "\n".join(" | ".join(line) for line in [heads, sides, *lines])


def looking_up() -> str:
    """Return the examples of a look-up, each of which finds a pair."""
    system, model = "8xMI355X", "llama3.1"
    by_words = [
        pair for pair in released.pairs() if system in pair.offline["Platform"] and model in pair.offline["Model"]
    ]
    first = "python3 analyze.py --pair"
    return "\n".join([
        so("285" in released.by_offline(), f"{first} 285                 # by the id of either row"),
        so(by_words, f"{first} {system} {model}   # by words: submitter, system, platform, model, accelerator"),
        f"{first} 285 --json          # for programs",
    ])  # fmt: skip


def in_a_browser() -> list:
    """Return what is said of the notebook in a browser."""
    cells = in_words(len(pages.notebook_cells()))
    timed = (
        r"On the machine described under Speed, in Chromium: [\d.]+ s from the first Run to its result and [\d.]+ s more for all "
        rf"{cells} cells, medians of \d+; a browser loads \d+ kB of page, [\d.]+ MB of runtime and [\d.]+ MB of archive, from your "
        r"own computer\."
    )
    return [
        Read("h2", "Run the notebook in a browser, without Python"),
        Read(
            "pre", Known("npm install --no-save pyodide@", "5dc47e96b0b90e23", "how to install the runtime and start")
        ),
        Read("p", Known("Open the address that it prints;", "8ac7566bb6f204d6", "what the page does")),
        Read("p", Known("Chromium, Firefox and WebKit", "133c468aca6edeb6", "where the page runs, and how")),
        Read("p", Measured(timed, ON_A_MACHINE)),
    ]


def what_is_where() -> list:
    """Return what is said of scripts and folders."""
    return [
        Read("h2", "What is where"),
        Read("p", Known("data/ and sources/ hold pinned", "becc0c3362cfe44f", "what is upstream's and what is made")),
        Read("table", Known("script | what it makes", "f0ac5847ff76c589", SCRIPTS)),
        Read("p", Known("reproduce.py makes all of it", "9b2e3a403682a64f", "what belongs to a run")),
        Read("table", Known("script | what it does", "06f58a13fe75aa83", SCRIPTS)),
        Read("p", Known("Each script has --help;", "a0f1b0dd1ac820ee", "options and exit codes, which test_cli tries")),
        Read(
            "table",
            Known(
                "place | what lives there",
                "663f027e5561720d",
                "what lives where; compared with the folders by test_readme",
            ),
        ),
    ]


def other_rounds() -> list:
    """Return what is said of other rounds."""
    lacking = len(rounds.acquired()["not_available"])
    own = rounds.stated()[released.version()]["counts"]
    same = (own["logs_not_available"], own["logs_passed"]) == (lacking, len(released.eligible()) - lacking)
    return [
        Read("h2", "Other rounds"),
        Read("p", joined(
            "python3 audit.py CLONE CLONE CLONE puts rounds side by side, from clones of their results repositories; --json and "
            "--svg FILE give the same as data and as a figure. A clone has no checker constants: give the checker's own file with "
            "--checker-constants FILE, or the audit says which targets and limits it could not check. data/rounds.json was "
            "written by audit.py --rounds from the clones it names.",
            so(same, "Its entry of this bundle's own round was made from this bundle, so it has the same logs and lacks the same "
               "ones."),
        )),
        Read("h2", "Tests"),
        Read("pre", "python3 -m unittest"),
        Read("p", Known("On a machine with nothing but Python", "2f54e955b2775776", "what the tests need")),
    ]  # fmt: skip


def proofs() -> list:
    """Return what is said of what each command proves."""
    altered = json.loads((root() / "qa" / "alterations.json").read_text("utf-8"))
    return [
        Read("h2", "What each command proves"),
        Read("p", Known("The digests prove the copy,", "7ca969aadbf3838e", "what proves what")),
        Read("table", Known("command | what it proves", "58b22a0f11376f3a", "what each command proves and what not")),
        Read("p", so(set(printed.had()) == {"sha256-published", "reserialized", "fork-copy"},
            "How far each upstream file is known to be the published one, sources/acquisition.json says by the way in which it was "
            "obtained: one whose digest was published independently, one made again from such a file and compared in part, or one "
            "copied from a fork, of which only the length and the rate could be compared. How many there are of each is told "
            "under the results above; their digests are of the copies that are here.",
        )),
        Read("p", "Further evidence about the copy and the code:"),
        Read("li",
            f"qa/alterations.json: {count(altered['cases'])} seeded alterations of the bundle (a bit, a digit, a line, a file, its "
            f"ends, its kind), in every class of file; {altered['unnoticed']} went unnoticed by validate.py or analyze.py. "
            "python3 -m tests.count_alterations counts them again."),
        Read("li", Known("fuzz/readers.py feeds every reader", "6d4033e7fda60e80", "what the fuzzer does")),
        Read("li", Known("Every output is the same on each Python", "9a885286c8c13ffc", "what test_settings tries")),
    ]  # fmt: skip


def speed() -> list:
    """Return what is said of speed."""
    who = [
        f"{count(len(released.rows()) * times)} rows, {what}"
        for times in (1, 10, 100)
        for what in ("pandas", "this bundle")
    ]
    whole = ["python3 -c pass", "import pandas", "analyze.py", "reproduce.py", "reproduce.py --check"]
    where = (
        r"Measured with python3 benchmarks/bench\.py, which needs pandas: medians of \d+ runs in one go, on a machine with an AMD "
        r"EPYC processor, \d+ cores, Linux, Python [\d.]+ and pandas [\d.]+\. A ratio below 1 means that this bundle took less\. "
        r"The rows are multiplied by replicating them with changed keys\."
    )
    heads = ["wall", "CPU", "peak memory"]
    return [
        Read("h2", "Speed"),
        Read("p", Measured(where, ON_A_MACHINE)),
        Read(
            "table", timed("load, cross-check, filter, pair", [*heads, "wall ratio", "CPU ratio", "memory ratio"], who)
        ),
        Read(
            "table",
            timed("whole process", [*heads, *(f"{one} / import pandas" for one in ("wall", "CPU", "memory"))], whole),
        ),
    ]


def timed(corner: str, heads: list, labels: list) -> Measured:
    """Return a table of measured times by its headings and the labels of its rows."""
    fixed = [" | ".join([corner, *heads]), " | ".join(["---", *["---:"] * len(heads)])]
    rows = [rf"{re.escape(label)} \| {TIMED}" for label in labels]
    return Measured("\n".join([*map(re.escape, fixed), *rows]), f"{ON_A_MACHINE}; the ratios are computed from them")


def licence() -> list:
    """Return the last section."""
    return [
        Read("h2", "Licence"),
        Read(
            "p",
            Known(
                "The upstream data and logs are (c) MLCommons",
                "72cd08773a3bf8f2",
                "whose the data are, and where that is said",
            ),
        ),
        Read("p", NOTICE),
    ]


def notebook() -> list:
    """Return all blocks of the notebook's Markdown cells, and the number of each cell of code between them."""
    return [*first_cells(), *rules_and_rows(), *last_cells()]


def first_cells() -> list:
    """Return the title and what is said of files and rows."""
    (made,) = [one["obtained"] for one in rounds.acquired()["files"] if one["file"] == "data/summary.json"]
    alike = printed.verified()[-1].endswith(f" {len(released.rows())}")
    return [
        Read("h1", "The Server/Offline ratio, recomputed"),
        Read("p", f"MLPerf® Inference {released.version()}, results repository at {results()['commit']}, retrieved "
             f"{rounds.acquired()['acquired']}."),
        Read("p", Known("Every cell runs on the files", "ca4924785cb193da", "how to run the cells")),
        Read("p", Known(UNVERIFIED, "5b8976b3d947302b", "the notices")),
        Read("h2", "Verify the files and load the rows"),
        Read("p", joined(
            so(sum(printed.had().values()) == len(rounds.acquired()["files"]), "Every upstream file is compared with the length "
               "and the digests in the acquisition record. That proves the copy: the files are those that were acquired."),
            "How far these are known to be the published ones depends on how each was obtained, which the record tells; the cell "
            "counts them by it.",
            so(alike, "Then each cell of the summary's CSV is compared with its twin in the JSON, which finds damage to either "
               "file."),
            so(made == "reserialized", "The JSON was made again from the CSV."),
        )),
        Read("cell", "1"),
    ]  # fmt: skip


def rules_and_rows() -> list:
    """Return what is said of the rules, the highlighted rows and the limits."""
    blind = (
        not any(field in ("Result", "Accuracy") for field, _ in released.RULES.values()) and "Result" not in matched()
    )
    first = released.highlighted()[: len(told())] == told() and set(differing(told())) == set(systems.OF_THE_MODEL)
    another = set(differing([told()[0], apart()])) > set(systems.OF_THE_MODEL)
    two = released.has_two_limits()
    return [
        Read("h2", "Define the comparison before reading the ratio"),
        Read("p", joined(
            so(blind, "Which rows are eligible, and which Offline row belongs to which Server row, is settled by rules that never "
               "look at a rate."),
            so("Model" in matched(), "A pair is equal in every metadata field; the model label with its accuracy target is one of "
               "them."),
        )),
        Read("cell", "2"),
        Read("h2", "Inspect the highlighted rows"),
        Read("p", joined(
            "The ratio is the Server rate over the Offline rate, both in tokens per second.",
            so(first, "The pairs of one system come first: their metadata differ in the model alone."),
            so(another, "What is set apart from them, as another system, comes after."),
        )),
        Read("cell", "3"),
        Read("h2", "Accuracy targets, latency limits and logs"),
        Read("p", joined(
            so(two, "A rate counts only if the run was accurate enough and, in the Server scenario, kept two latency limits at the "
               "99th percentile."),
            "The checker's targets and limits, written down beside the sources, are read as a syntax tree; the logs say what was "
            "achieved.",
        )),
        Read("cell", "4"),
    ]  # fmt: skip


def last_cells() -> list:
    """Return what is said of what is never paired, the figure, and what a ratio does not say."""
    return [
        Read("h2", "What must never be paired"),
        Read(
            "p",
            Known(
                "Two rows that differ in any one metadata field",
                "d4f4d5ec51953377",
                "what the cell does, whose lines are read",
            ),
        ),
        Read("cell", "5"),
        Read("h2", "The regenerated figure"),
        Read("p", f"Drawn again from the results computed above. {UNVERIFIED}"),
        Read("cell", "6"),
        Read("h2", "What a ratio does not say"),
        Read("li", Known("A ratio is one submitted Server rate over", "bdc0b4d68b840b03", "what a ratio is")),
        Read(
            "li",
            Known("Equal metadata does not mean equal serving", "4da6f24c0b06f7dd", "what the summary does not hold"),
        ),
        Read(
            "li",
            Known(
                "Each row is one run. There is no variance,",
                "e75dab051d2d63b2",
                "what one run does not tell; the article's limits count",
            ),
        ),
        Read("li", Known("It is no production latency, no cost", "b7b1ae5b52af7554", "what a ratio is not")),
        Read("li", so(not powered(), "No row has measured power.")),
        Read("li", Known("It ranks no vendors:", "cc336767fd4c4a00", "what a ratio is not")),
        Read(
            "li",
            Known("Nothing here proves the released results;", "322701dff6182482", "what the notebook does not prove"),
        ),
    ]
