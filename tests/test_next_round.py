"""The next round in one file: a made-up round through all of reproduce.py, each choice wrong, each group empty.

What is expected is computed here from data/summary.csv of the made-up round with the csv module alone, and from which
logs are there; no code of the project takes part. See tests/made_round.py for the round.
"""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
import tempfile
import unittest
import zipfile
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

from scenario_ratio.artifacts import ARTIFACTS
from tests import made_round
from tests.made_round import PINNED, Made
from tests.support import ROOT, BundleCase, run

NAMES = [row.name for row in ARTIFACTS]
TEXT = "scenario_ratio/text/article.md"

# Choices, and fields of the summary, by which the round that the project holds is known.
OLD_CHOICES = ("ROUND", "TITLE", "RESULTS_REPOSITORY", "RESULTS_COMMIT", "CHECKER_COMMIT", "FOLDER")
OLD_FIELDS = ("Organization", "SystemName", "Platform", "Model", "MlperfModel", "accelerator_model_name")

# What was true of the round that the project holds, of how its files were obtained, and is of no made-up round.
UNTRUE = (
    "made again from", "published independently", "copied from a fork", "newest version that could be read",
    "was read from a fork", "most pairs with the second are CPU-only",
)  # fmt: skip


class Reader(HTMLParser):
    """The headings, paragraphs and list items of a page as texts, and its tables by id as rows of cells."""

    def __init__(self, html: str):
        super().__init__(convert_charrefs=True)
        self.said, self.tables, self.parts = [], {}, []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        if tag == "table":
            self.tables[dict(attributes)["id"]] = self.rows = []
        elif tag == "tr":
            self.rows.append([])
        if tag in ("p", "li", "td", "th", "title", "text", "h1", "h2", "h3", "figcaption", "caption"):
            self.parts = []

    def handle_data(self, data):
        self.parts.append(data)

    def handle_endtag(self, tag):
        text = " ".join("".join(self.parts).split())
        if tag in ("td", "th"):
            self.rows[-1].append(text)
        elif tag in ("p", "li", "h1", "h2", "h3", "figcaption", "caption"):
            self.said.append(text)


def computed(root: Path) -> dict:
    """Return what data/summary.csv of a root says: rows, eligible rows, pairs in order, rows without a partner."""
    rows = list(csv.DictReader(io.StringIO((root / "data/summary.csv").read_bytes().decode("utf-8"), newline="")))
    eligible = [
        {**row, "id": str(number), "log": log_of(root, row), "says": said(root, row)}
        for number, row in enumerate(rows)
        if row["Division"] == "closed" and row["Availability"] == "available" and row["SystemType"] == "datacenter"
        and row["inferred"] == row["errors"] == "0" and row["has_power"] == "False"
        and row["design_power_watts"] == "None" and row["Units"] == "Tokens/s" and row["Scenario"] in ("Offline", "Server")
    ]  # fmt: skip
    apart = ("Scenario", "Result", "Accuracy", "Location", "id", "log", "says")
    groups: dict = {}
    for row in eligible:
        key = tuple(text for field, text in row.items() if field not in apart)
        groups.setdefault(key, {})[row["Scenario"]] = row
    pairs = [(group["Offline"], group["Server"]) for group in groups.values() if len(group) == 2]
    return {
        "rows": rows,
        "eligible": eligible,
        "pairs": sorted(pairs, key=lambda pair: int(pair[0]["id"])),
        "alone": [row for group in groups.values() if len(group) == 1 for row in group.values()],
    }


def log_of(root: Path, row: dict) -> str:
    """Return whether the log of a row is there, as results.json puts it."""
    path = root / "sources/results" / row["Location"] / "mlperf_log_summary.txt"
    return "passed" if path.exists() else "not available"


def said(root: Path, row: dict) -> str:
    """Return what the log of a row says, as the article puts it: some made-up logs count three errors."""
    path = root / "sources/results" / row["Location"] / "mlperf_log_summary.txt"
    if not path.exists():
        return "not available"
    return "VALID, with 3 errors in the log" if "\n3 ERRORS " in path.read_text(encoding="utf-8") else "VALID"


def ratio(pair: tuple) -> float:
    return float(pair[1]["Result"]) / float(pair[0]["Result"])


def percent(share: float) -> str:
    return f"{100 * share:.2f}%"


def rate(row: dict) -> str:
    """Return the rate of a row in tenths, half of one counted up."""
    tenths = int(Decimal(row["Result"]) * 20 + 1) // 2
    return f"{tenths // 10:,}.{tenths % 10}"


def quantile(shares: list[float], quarter: int) -> float:
    """Return a quartile by linear interpolation between order statistics."""
    place = quarter * (len(shares) - 1) / 4
    low, high = sorted(shares)[int(place)], sorted(shares)[min(int(place) + 1, len(shares) - 1)]
    return low + (high - low) * (place - int(place))


def spread_cells(pairs: list[tuple]) -> list[str]:
    """Return the cells of a group of pairs in a table of the distribution."""
    shares = [ratio(pair) for pair in pairs]
    ends = [", ".join(pair[0]["id"] for pair in pairs if ratio(pair) == end) for end in (min(shares), max(shares))]
    above = sum(share > 1 for share in shares)
    return [str(len(pairs)), *(percent(quantile(shares, quarter)) for quarter in range(5)), str(above), *ends]


def grouped(pairs: list[tuple], field: str) -> dict[str, list]:
    """Return the pairs by a field of their Offline row, in alphabetical order."""
    names = sorted({pair[0][field] for pair in pairs}, key=str.casefold)
    return {name: [pair for pair in pairs if pair[0][field] == name] for name in names}


class Run(NamedTuple):
    """A finished run of reproduce.py: its exit code and what it printed, and the folder of what it wrote."""

    code: int
    out: str
    error: str
    output: Path

    def text(self, name: str) -> str:
        return (self.output / name).read_bytes().decode("utf-8")

    def article(self) -> Reader:
        return Reader(self.text("article.html"))

    def notebook(self) -> str:
        """Return the notebook's prose."""
        cells = json.loads(self.text("analysis.ipynb"))["cells"]
        return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")

    def quoted(self) -> list[list[str]]:
        """Return the rows of README's table as cells."""
        table = self.text("README.md").split("| ---", 1)[1].split("\n\n")[0]
        return [line.strip("| ").split(" | ") for line in table.split("\n")[1:]]


def reproduced(root: Path, output: Path, *arguments: str) -> Run:
    """Run reproduce.py of a root into an output."""
    finished = run(root / "reproduce.py", "--output", output, *arguments)
    return Run(finished.returncode, finished.stdout, finished.stderr, output)


NUMBERS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "ten": 10,
    "twelve": 12,
}
ORDINALS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6}


class RoundCase(BundleCase):
    """What the tests have in common."""

    def assert_problems_named(self, finished: Run, *words: str) -> None:
        """Assert that a run stopped with problems, a line each, one of which names a file and holds one of ``words``."""
        self.assertNotIn("Traceback", finished.error)
        self.assertIn(finished.code, (1, 2), finished.out + finished.error)
        lines = finished.error.splitlines()
        self.assertEqual([], [line for line in lines if not re.match(r"[\w./-]+: |scenario_ratio/[\w./]+:", line)])
        told = [line for line in lines if any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", line) for word in words)]
        self.assertTrue(told or not words, f"none of {words} in: {finished.error}")

    def assert_true_of(self, finished: Run, root: Path, same: tuple, apart: tuple) -> None:
        """Assert that what was written says nothing false of the round and of these highlighted pairs."""
        found = computed(root)
        pairs = {pair[0]["id"]: pair for pair in found["pairs"]}
        article, results = finished.article(), json.loads(finished.text("results.json"))
        told = [f"{row_id}/{pairs[row_id][1]['id']}" for row_id in (*same, *apart)]
        self.assertEqual(told, [cells[3] for cells in article.tables["rates"][1:]])
        self.assertEqual(told, [cells[3] for cells in finished.quoted()])
        shares = [ratio(pairs[row_id]) for row_id in same]
        found_spread = results["highlighted"]["same_system"]["spread_percentage_points"]
        self.assertAlmostEqual(100 * (max(shares) - min(shares)), found_spread)
        self.assertEqual(len(pairs), len(article.tables["all-pairs"]) - 1)
        said = "\n".join([*article.said, finished.notebook(), *texts_of(finished.text("scenario-ratios.svg"))])
        untrue = [words for words in untruths(found, pairs, same, apart) if words in said]
        self.assertEqual([], [*miscounted(said, same, apart), *unsound(said), *untrue])


def texts_of(svg: str) -> list[str]:
    """Return the texts of a figure."""
    return re.findall(r"<(?:text|title|desc)[^>]*>([^<]+)<", svg)


def miscounted(said: str, same: tuple, apart: tuple) -> list[str]:
    """Return the numbers in words of models, pairs and rows that are not those of the highlighted ones."""
    number, several = "|".join(NUMBERS), len((*same, *apart))
    nouns = {"models": len(same), "pairs": len(same), "rows": 2 * several}
    patterns = [(rf"\b({number}) {noun} (?:on|are|share)\b", count) for noun, count in nouns.items()]
    patterns += [(rf"Inspect the ({number})\b", 2 * several)]
    wrong = []
    for pattern, count in patterns:
        found = re.finditer(pattern, said, re.IGNORECASE)
        wrong += [match[0] for match in found if NUMBERS[match[1].lower()] != count]
    fits = [word for word, place in ORDINALS.items() if (place, 1) == (len(same) + 1, len(apart))]
    ordinals = re.finditer(rf"\bthe ({'|'.join(ORDINALS)}) is\b", said, re.IGNORECASE)
    return wrong + [match[0] for match in ordinals if match[1] not in fits]


def unsound(said: str) -> list[str]:
    """Return where a place was left open, or a count stands before a noun of another number."""
    nouns = "pairs|rows|logs|models|files|submissions|copies|wraps|errors"
    wrong = (
        r"\(\s*\)", r"(?<!\{)\{[a-z_.]+(?::[a-z]+)\}", r" [,;]", r"\bover too\b", r"(?<! is )\bNone\b(?! of)",
        rf"(?<![\d,./-])\b1 (?:of them )?(?:{nouns})\b(?! fields)",
    )  # fmt: skip
    return [match[0] for pattern in wrong for match in re.finditer(rf".{{0,40}}(?:{pattern}).{{0,20}}", said)]


def parts_of(pair: tuple) -> list[str]:
    """Return the model of a pair, and of which and how many accelerators and nodes it ran."""
    return [pair[0][field] for field in ("Model", "accelerator_model_name", "total_accelerators", "number_of_nodes")]


def extent(pairs: list[tuple]) -> float:
    """Return how far the ratios of pairs lie apart, 0 for none."""
    shares = [ratio(pair) for pair in pairs]
    return max(shares, default=0) - min(shares, default=0)


def untruths(found: dict, pairs: dict, same: tuple, apart: tuple) -> list[str]:
    """Return the words that a round contradicts."""
    cpu = [ratio(pair) for pair in pairs.values() if pair[0]["total_accelerators"] == "0"]
    wrong = list(UNTRUE)
    wrong += ["lowest of all"] * (not cpu or min(cpu) > min(map(ratio, pairs.values())))
    wrong += ["CPU-only pairs run", "CPU-only pair runs"] * (not cpu)
    wrong += ["bound on submitted results it does not hold", "In 0 pairs", "In no pairs"] * all(
        ratio(pair) <= 1 for pair in pairs.values()
    )
    if not apart or any(ratio(pairs[row_id]) <= 1 for row_id in apart):
        wrong += ["because its Server rate is above its Offline rate"]
    wrong += ["the row without a partner"] * (len(found["alone"]) != 1)
    wrong += ["rows without a partner", "it enters no ratio"] * (not found["alone"])
    wrong += ["could not be had"] * all(row["log"] == "passed" for row in found["eligible"])
    wrong += ["No row has measured power"] * any(row["has_power"] == "True" for row in found["rows"])
    return wrong


class NextRound(RoundCase):
    """The made-up round in all its parts; nothing here changes it."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = Path(folder.name).resolve() / "round"
        cls.files = made_round.build(cls.root)
        cls.made = reproduced(cls.root, cls.root)
        if cls.made.code or cls.made.error:
            raise AssertionError(cls.made.error)
        cls.found = computed(cls.root)
        cls.article = cls.made.article()
        cls.results = json.loads(cls.made.text("results.json"))

    def test_one_file_of_the_code_differs(self):
        scripts = [path.name for path in ROOT.glob("*.py")]
        packages = [path.relative_to(ROOT).as_posix() for path in ROOT.glob("scenario_ratio/**/*") if path.is_file()]
        names = [name for name in (*scripts, *packages) if "__pycache__" not in name]
        changed = [name for name in names if (ROOT / name).read_bytes() != (self.root / name).read_bytes()]
        self.assertEqual([PINNED], changed)

    def test_checks_and_sums_hold(self):
        for script in (("reproduce.py", "--check"), ("validate.py",)):
            finished = run(self.root / script[0], *script[1:])
            self.assertEqual((0, ""), (finished.returncode, finished.stderr), script)
            self.assertNotIn("FAIL", finished.stdout)
        done = subprocess.run(
            ["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd=self.root, capture_output=True, text=True
        )
        self.assertEqual((0, "", ""), (done.returncode, done.stdout, done.stderr))

    def test_a_reader_can_look_a_pair_up(self):
        shown = run(self.root / "analyze.py", "--pair", "stilt")
        self.assertEqual((0, ""), (shown.returncode, shown.stderr))
        self.assertIn("13/14 Wader | Flock · Stilt_S1x6 · kite-70b", shown.stdout)
        self.assert_no_old_name("analyze.py --pair", shown.stdout)
        unnamed = run(self.root / "analyze.py", "--pair", "unnamed").stdout
        self.assertIn("  system    Roost unnamed, 2 x an accelerator that is not named, precision fp6\n", unnamed)

    def assert_no_old_name(self, where: str, text: str) -> None:
        self.assertEqual([], [name for name in old_names() if name.search(text)], where)

    def test_no_output_names_the_old_round(self):
        self.assert_no_old_name("what is printed", self.made.out)
        for name in NAMES:
            with self.subTest(name):
                self.assert_no_old_name(name, self.generated(name))

    def generated(self, name: str) -> str:
        """Return the text that was made of an artifact; of the README and the archive, what is not the project's own."""
        if name == "reproducibility.zip":
            with zipfile.ZipFile(self.root / name) as packed:
                self.assertEqual({made_round.FOLDER}, {member.split("/")[0] for member in packed.namelist()})
                return "\n".join(packed.namelist())
        text = self.made.text(name)
        return text.split("<!-- results")[1].split("<!-- end")[0] if name == "README.md" else text

    def test_the_archive_holds_what_was_made(self):
        with zipfile.ZipFile(self.root / "reproducibility.zip") as packed:
            packed_bytes = {member.split("/", 1)[1]: packed.read(member) for member in packed.namelist()}
        kept = [name for name in NAMES if name not in ("reproducibility.zip", "notebook.html")]
        self.assertEqual([], [name for name in kept if packed_bytes[name] != (self.root / name).read_bytes()])

    def test_the_new_round_is_named(self):
        for name in ("article.html", "analysis.ipynb", "results.json", "ro-crate-metadata.json", "scenario-ratios.svg"):
            for word in (made_round.ROUND, made_round.COMMIT[:12], made_round.ACQUIRED):
                with self.subTest(name, word=word):
                    if (name, word) != ("ro-crate-metadata.json", made_round.ACQUIRED[:4]):
                        self.assertIn(word, self.made.text(name))
        for name in ("article.html", "ro-crate-metadata.json"):
            self.assertIn(made_round.TITLE, self.made.text(name))

    def test_counts(self):
        rows, eligible, pairs, alone = (self.found[key] for key in ("rows", "eligible", "pairs", "alone"))
        passed = {row["id"] for row in eligible if row["log"] == "passed"}
        expected = {
            "source_rows": len(rows),
            "source_fields": len(rows[0]),
            "cells_compared": len(rows) * len(rows[0]),
            "closed_rows": sum(row["Division"] == "closed" for row in rows),
            "open_rows": sum(row["Division"] == "open" for row in rows),
            "eligible_rows": len(eligible),
            "complete_pairs": len(pairs),
            "unmatched_rows": len(alone),
            "unmatched_row_ids": [row["id"] for row in alone],
            "pairs_with_server_greater_than_offline": sum(ratio(pair) > 1 for pair in pairs),
            "rows_with_measured_power": sum(row["has_power"] == "True" for row in rows),
            "rows_with_an_id": sum(row["PrivateID"] != "" for row in rows),
            "matched_fields": len(rows[0]) - 4,
            "logs_passed": len(passed),
            "logs_not_available": len(eligible) - len(passed),
            "pairs_with_both_logs": sum({offline["id"], server["id"]} <= passed for offline, server in pairs),
            "server_logs_passed": sum(server["id"] in passed for _, server in pairs),
        }
        counts = self.results["counts"]
        self.assertEqual(expected, {name: counts[name] for name in expected})
        self.assertEqual([1, 2, 2], [counts[name] for name in ("logs_with_anomalies", "unmatched_rows", "open_rows")])
        self.assertNotIn(0, [rule["turned_away"] for rule in self.results["exclusions"]])
        self.assertEqual(len(rows) - len(eligible), sum(rule["turned_away"] for rule in self.results["exclusions"]))

    def test_ratios(self):
        expected = [(offline["id"], server["id"], ratio((offline, server))) for offline, server in self.found["pairs"]]
        found = [tuple(pair[key] for key in ("offline_id", "server_id", "ratio")) for pair in self.results["pairs"]]
        self.assertEqual(expected, found)

    def test_every_pair_is_a_row_of_the_table(self):
        expected = []
        for offline, server in self.found["pairs"]:
            logs = " / ".join(dict.fromkeys((offline["says"], server["says"])))
            cells = [f"{offline['id']}/{server['id']}", percent(ratio((offline, server))), offline["Model"]]
            cells += [offline["Organization"], offline["Platform"], rate(offline), rate(server)]
            parts = {"N/A": "none" if offline["total_accelerators"] == "0" else "not named"}
            accelerator = parts.get(offline["accelerator_model_name"], offline["accelerator_model_name"])
            system = " ".join(offline["SystemName"].split())
            expected.append([*cells, accelerator, offline["total_accelerators"], system, logs])
        found = self.article.tables["all-pairs"][1:]
        self.assertEqual([cells[:7] for cells in expected], [cells[:7] for cells in found])
        self.assertEqual([cells[7:] for cells in expected], [cells[7:] for cells in found])
        above = [cells[:7] for cells, pair in zip(expected, self.found["pairs"]) if ratio(pair) > 1]
        self.assertEqual(above, self.article.tables["above-pairs"][1:])

    def test_groups(self):
        pairs = self.found["pairs"]
        cpu = [pair for pair in pairs if pair[0]["total_accelerators"] == "0"]
        equipped = [pair for pair in pairs if pair not in cpu]
        overall = {"all pairs": pairs, "pairs with accelerators": equipped, "CPU-only pairs": cpu}
        families = {"N/A": "not named"}
        tables = {
            "distribution-overall": overall,
            "distribution-by-model": grouped(pairs, "Model"),
            "distribution-by-family": grouped(equipped, "accelerator_model_name"),
        }
        for name, groups in tables.items():
            with self.subTest(name):
                expected = [[families.get(group, group), *spread_cells(members)] for group, members in groups.items()]
                self.assertEqual(sorted(expected), sorted(self.article.tables[name][1:]))
        classes = self.article.tables["distribution-by-accelerators"][1:]
        self.assertEqual(len(pairs), sum(int(cells[1]) for cells in classes))

    def test_highlighted(self):
        same, apart = self.files.highlighted("same"), self.files.highlighted("apart")
        self.assert_true_of(self.made, self.root, same, apart)
        by_id = {pair[0]["id"]: pair for pair in self.found["pairs"]}
        expected = [
            [offline["Model"], offline["Organization"], offline["Platform"], f"{offline['id']}/{server['id']}"]
            + [rate(offline), rate(server), percent(ratio((offline, server)))]
            for offline, server in (by_id[row_id] for row_id in (*same, *apart))
        ]
        self.assertEqual(expected, self.article.tables["rates"][1:])
        self.assertEqual(expected, self.made.quoted())
        self.assertEqual(
            sorted(row["id"] for row_id in (*same, *apart) for row in by_id[row_id]),
            sorted(json.loads(self.made.text("data/selected_rows.json"))),
        )

    def test_names_are_text_and_no_markup(self):
        for name in (made_round.MAIN.name, made_round.OTHERS_LIKE_MAIN.name):
            self.assertIn(name, [cells[9] for cells in self.article.tables["all-pairs"]])
        first = [
            said for said in self.article.said if f"{made_round.MAIN.submitter}’s {made_round.MAIN.folder}" in said
        ]
        self.assertEqual(1, len(first))

    def test_rows_without_a_partner_are_told(self):
        for row in self.found["alone"]:
            told = [said for said in self.article.said if said.startswith(f"Row {row['id']}: ")]
            self.assertEqual(1, len(told))
            for words in (row["Organization"], row["Platform"], row["Model"], row["Scenario"], rate(row)):
                self.assertIn(words, told[0])

    def test_grades_are_those_of_the_record(self):
        grades = {
            entry["obtained"]: entry["verified"] for entry in json.loads(self.made.text("provenance.json"))["grades"]
        }
        self.assertEqual(made_round.GRADES, grades)

    def test_other_rounds_are_those_of_the_file(self):
        rows = self.article.tables["round-counts"][1:]
        self.assertEqual([made_round.EARLIER, made_round.ROUND], [cells[0] for cells in rows])
        models = {cells[0]: cells[1:] for cells in self.article.tables["round-models"][1:]}
        self.assertEqual(["62.50% (50.00% to 75.00%, 2 pairs)"], models["ibis-moe"][:1])
        self.assertEqual(["62.50% (62.50% to 62.50%, 1 pair)", "no pair"], models["plover-3b"])

    def test_claims_are_those_of_the_file(self):
        verdicts = [cells[1] for cells in self.article.tables["claim-table"][1:]]
        untestable = "not testable with these data"
        confirmed, incomplete = "confirmed", "incomplete"
        self.assertEqual(
            [confirmed, "contradicted", untestable, confirmed, confirmed, incomplete, incomplete], verdicts
        )


def old_names() -> list[re.Pattern]:
    """Return a pattern for each name of the round that the project holds, by what it has pinned, acquired and read."""
    pinned = made_round.choices_in((ROOT / PINNED).read_text("utf-8"))
    record, rounds = (json.loads((ROOT / pinned[name]).read_text("utf-8")) for name in ("RECORD", "ROUNDS"))
    facts = [pinned[name] for name in OLD_CHOICES] + [record["acquired"]]
    facts += [fact for one in rounds["rounds"] for fact in (one["round"], one["source"]["commit"])]
    with (ROOT / pinned["CSV"]).open(encoding="utf-8", newline="") as stream:
        named = {row[field] for row in csv.DictReader(stream) for field in OLD_FIELDS} - {"N/A", ""}
    shortened = [fact[:12] if re.fullmatch("[0-9a-f]{40}", fact) else fact for fact in facts]  # as commits are shown
    whole_words = [rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(named)]
    return [re.compile(pattern) for pattern in (*map(re.escape, dict.fromkeys(shortened)), *whole_words)]


# Choices that name what is read, each with a name that nothing has; and those that name what is made.
NOWHERE = {
    **dict.fromkeys(("CSV", "JSON", "CLAIMS", "ROUNDS"), "data/none.csv"),
    **dict.fromkeys(("RECORD", "CONSTANTS", "LICENCE", "LOGS"), "sources/none.json"),
    "README": "NONE.md",
    "CHECKER_ROLE": "no role of the record",
    "LICENCE_ROLE": "no role of the record",
}
MADE = ("RESULTS", "SELECTED", "NOTEBOOK", "CITATION", "CRATE", "SUMS", "ARCHIVE", "PAGE")

# Choice -> values that nothing of the made-up round bears out, each with the words one of which a problem must hold.
WRONG: dict[str, list] = {
    "ROUND": ["v9.2", "v9.4", "v6.1", "", 9.3],
    "TITLE": ["", " ", None],
    "RESULTS_REPOSITORY": [
        "https://github.com/mlcommons/inference_results_v9.2",
        "https://github.com/example/inference_results_v9.3",
        "",
    ],
    "RESULTS_COMMIT": ["9a" * 19 + "9b", "9a9a9a9a9a9a", ""],
    "CHECKER_REPOSITORY": ["https://github.com/example/inference", ""],
    "CHECKER_COMMIT": ["9b" * 19 + "9a", ""],
    "SAME_SYSTEM": [
        ("4", "6", "9999"),
        ("4", "6", "5"),
        ("4", "6", "17"),
        ("4", "6", "0"),
        "4",
        (4, 6, 15),
        ("4", "6", "4"),
    ],
    "APART": [("9999",), ("5",), ("4",), ("17", "17"), "17", ("17", "nobody")],
    "FOLDER": ["", "../elsewhere", "/tmp/elsewhere"],
    "VERSION": ["", None],
    "RELEASED": ["", "soon", "2031-13-45"],
    **{name: [path, ""] for name, path in NOWHERE.items()},
    **{name: [""] for name in MADE},
}
# Values that may be a choice: what comes out must be true, or a problem must name the choice.
POSSIBLE: dict[str, list] = {
    "SAME_SYSTEM": [("4", "6"), ("15", "6", "4"), ("4",), (), ("4", "6", "15", "17", "19")],
    "APART": [(), ("13",), ("17", "13"), ("13", "17", "27")],
    "FOLDER": ["another_folder-1.0"],
    **{name: ["another.json"] for name in MADE},
}


class Choices(RoundCase):
    """Each choice of pinned.py, changed alone; one copy of the made-up round serves all."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name).resolve()
        cls.root = cls.folder / "round"
        cls.files = made_round.build(cls.root)
        cls.pinned = (cls.root / PINNED).read_text("utf-8")
        cls.choices = made_round.choices_in(cls.pinned)

    def reproduced_with(self, **choices: object) -> Run:
        """Return a run of the round with other choices, written to a folder of its own; the choices are put back."""
        output = Path(tempfile.mkdtemp(dir=self.folder))
        self.addCleanup(shutil.rmtree, output)
        (self.root / PINNED).write_text(made_round.chosen(self.pinned, **choices), "utf-8")
        try:
            return reproduced(self.root, output)
        finally:
            (self.root / PINNED).write_text(self.pinned, "utf-8")

    def test_every_choice_is_varied(self):
        self.assertEqual(sorted(self.choices), sorted(WRONG))
        self.assertEqual(("4", "6", "15"), self.choices["SAME_SYSTEM"])

    def test_a_wrong_choice_is_a_named_problem(self):
        for choice in self.choices:
            for wrong in WRONG[choice]:
                with self.subTest(choice, value=wrong):
                    finished = self.reproduced_with(**{choice: wrong})
                    self.assert_problems_named(finished, *words_of(choice, wrong, self.choices[choice]))

    def test_another_choice_is_told_as_it_is(self):
        for choice in self.choices:
            for value in POSSIBLE.get(choice, ()):
                with self.subTest(choice, value=value):
                    finished = self.reproduced_with(**{choice: value})
                    if finished.code:  # or what rests on the old choice is named: a sentence, a link
                        usual = self.choices[choice]
                        self.assert_problems_named(finished, TEXT, str(usual), *words_of(choice, value, usual))
                        continue
                    self.assertEqual("", finished.error)
                    chosen = {**self.choices, choice: value}
                    names = {**{name: name for name in NAMES}, self.choices[choice]: value} if choice in MADE else {}
                    self.assertEqual([], [name for name in names.values() if not (finished.output / name).exists()])
                    if choice not in MADE:
                        self.assert_true_of(finished, self.root, chosen["SAME_SYSTEM"], chosen["APART"])

    def test_a_round_that_the_rows_alone_deny(self):
        files = {name: self.root / name for name in ("sources/checker_constants.py", "data/rounds.json")}
        kept = {path: path.read_bytes() for path in files.values()}
        try:
            for path, raw in kept.items():
                path.write_bytes(raw.replace(b"v9.3", b"v9.4"))
            finished = self.reproduced_with(
                ROUND="v9.4", RESULTS_REPOSITORY=made_round.REPOSITORY.replace("v9.3", "v9.4")
            )
        finally:
            for path, raw in kept.items():
                path.write_bytes(raw)
        self.assert_problems_named(finished, "v9.4")


def words_of(choice: str, value: object, usual: object) -> tuple[str, ...]:
    """Return words one of which a problem with a choice must hold: the choice, or what is new in it, if that says anything."""
    if isinstance(value, tuple):
        return (choice, *(str(one) for one in value if one not in usual or value.count(one) > 1))
    return (choice, *([str(value)] if value and str(value).strip() else []))


NOTHING = Made(
    cpu_only=False, above=False, unmatched=0, absent_logs="none", odd_logs=False, turned_away=False, not_reported=False,
    other_labels=False, others_like_main=False, claims=False, earlier_round=False,
)  # fmt: skip

# What a round may lack, or have otherwise, and how the made-up round is built so.
ROUNDS = {
    "no CPU-only pair": Made(cpu_only=False),
    "no pair above 1": Made(above=False),
    "no pair above 1 among those set apart": Made(apart_above=False),
    "no row without a partner": Made(unmatched=0),
    "one row without a partner": Made(unmatched=1),
    "no log lacking": Made(absent_logs="none"),
    "all logs lacking": Made(absent_logs="all"),
    "none of the four": Made(cpu_only=False, above=False, unmatched=0, absent_logs="none"),
    "no row turned away": Made(turned_away=False),
    "nothing odd in the logs": Made(odd_logs=False),
    "every limit on a metric that is reported": Made(not_reported=False),
    "no model spelled in two ways": Made(other_labels=False),
    "no other submission of the highlighted models": Made(others_like_main=False),
    "no claim": Made(claims=False),
    "no other round": Made(earlier_round=False),
    "two pairs of one system": Made(same_system=2),
    "five pairs of one system": Made(same_system=5),
    "none set apart": Made(apart=0),
    "two set apart": Made(apart=2),
    "large rates": Made(rates=1000.0),
    "small rates": Made(rates=0.001),
    "nothing but the highlighted": NOTHING,
}


class Groups(RoundCase):
    """Each group that the article speaks of, empty, alone and with all the others."""

    def test_every_group(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder).resolve() / "round"
            made_round.copy_code(root)
            for name, made in ROUNDS.items():
                with self.subTest(name):
                    files = made_round.Files(made)
                    made_round.write(root, files)
                    finished = reproduced(root, root.parent / name.replace(" ", "-"))
                    if finished.code:
                        self.assert_problems_named(finished)
                        continue
                    self.assertEqual("", finished.error)
                    self.assert_true_of(finished, root, files.highlighted("same"), files.highlighted("apart"))


if __name__ == "__main__":
    unittest.main()
