"""Every heading, paragraph, item, caption and link of article.html, README.md and the notebook, word for word, against the
second computation in tests/again. A sentence whose relation the released data do not bear out is one that no text may say.

The outputs read are those of the folder that the environment variable READ_BUNDLE names, else the project's own.
"""

from __future__ import annotations

import re
import unittest
from base64 import b64encode
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from html import unescape
from unittest import mock

from tests.again import (
    article_words,
    commands,
    coverage_words,
    groups,
    logs,
    pages,
    printed,
    readme_words,
    released,
    rounds,
    source_words,
    spread_words,
    systems,
    words,
)
from tests.again.pages import markdown_tables
from tests.again.words import Known, Measured, Read, faults
from tests.test_again_tables import swapped

ROOT = released.root()
# Blocks whose words are not compared, and why.
NOT_READ = {"": "the script of the page writes here how many rows are shown; test_article_browser reads it"}
# How far a figure that is rounded to so many decimals, as text, may be from what was measured.
HALF = {"s": Fraction(1, 2000), "MB": Fraction(1, 2)}


@lru_cache(maxsize=None)
def expected(name: str) -> tuple:
    """Return the blocks that an output must have."""
    rules = {"article": source_words.article, "readme": readme_words.readme, "notebook": readme_words.notebook}
    return tuple(rules[name]())


def article() -> str:
    """Return the text of the article that is read."""
    return (ROOT / "article.html").read_text(encoding="utf-8")


class Words(unittest.TestCase):
    """What the three texts say."""

    maxDiff = None

    def test_every_block_of_the_article(self):
        self.assertEqual(faults(words.article(), expected("article")), [])

    def test_every_block_of_the_readme(self):
        self.assertEqual(faults(words.readme(), expected("readme")), [])

    def test_every_block_of_the_notebook(self):
        self.assertEqual(faults(words.notebook(), expected("notebook")), [])

    def test_each_name_that_is_heard_is_there(self):
        ids = re.findall(r' id="([^"]*)"', article())
        self.assertEqual(len(ids), len(set(ids)))
        for names in re.findall(r'aria-(?:labelledby|describedby)="([^"]*)"', article()):
            self.assertLessEqual(set(names.split()), set(ids))

    def test_the_page_may_use_its_own_styles_and_scripts_and_nothing_else(self):
        policy = unescape(re.search('http-equiv="Content-Security-Policy" content="([^"]*)"', article())[1])
        allowed = dict(rule.split(" ", 1) for rule in policy.split("; "))
        for tag in ("style", "script"):
            inside = re.findall(f"<{tag}>(.*?)</{tag}>", article(), re.DOTALL)
            digests = {b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii") for text in inside}
            self.assertEqual(set(allowed[f"{tag}-src"].split()), {f"'sha256-{one}'" for one in digests})
        self.assertEqual(allowed["default-src"], "'none'")

    def test_each_link_leads_somewhere_in_the_page_or_the_bundle(self):
        ids = re.findall(r' id="([^"]*)"', article())
        for target, _ in pages.page().links:
            if not target.startswith("https://"):
                self.assertTrue(target[1:] in ids if target.startswith("#") else (ROOT / target).is_file(), target)


class Times(unittest.TestCase):
    """The measured times of the README: what follows from them."""

    def test_each_ratio_is_that_of_the_figures_beside_it(self):
        first, second = [table.by_label() for table in markdown_tables(pages.readme()) if table.caption == "Speed"]
        for label, row in {**first, **second}.items():
            base = first[f"{label.split(' rows')[0]} rows, pandas"] if label in first else second["`import pandas`"]
            self.each_ratio(list(row.values())[1:], list(base.values())[1:])

    def each_ratio(self, row: list, base: list):
        """Test that each of three ratios lies where the rounded figures allow one."""
        for figure, of, ratio in zip(row[:3], base[:3], row[3:]):
            (value, unit), (whole, _) = figure.split(), of.split()
            half, cent = HALF[unit], Fraction(1, 200)
            least = (Fraction(value) - half) / (Fraction(whole) + half)
            most = (Fraction(value) + half) / (Fraction(whole) - half)
            self.assertTrue(least - cent <= Fraction(ratio) <= most + cent, (figure, of, ratio))


class NotRead(unittest.TestCase):
    """What no second computation reads, and why; and that what is known word for word is no more than that."""

    def blocks(self) -> list:
        """Return all blocks that are expected."""
        return [block for name in ("article", "readme", "notebook") for block in expected(name)]

    def test_what_is_not_read_has_a_reason(self):
        self.assertEqual([one.text for one in self.blocks() if one.text in ("",)], list(NOT_READ))
        measured = [one.text for one in self.blocks() if isinstance(one.text, Measured)]
        self.assertEqual([one for one in measured if readme_words.ON_A_MACHINE not in one.reason], [])
        self.assertEqual(len(measured), 4)

    def test_what_is_known_word_for_word_has_a_reason(self):
        known = [one.text for one in self.blocks() if isinstance(one.text, Known)]
        self.assertTrue(all(one.reason and one.beginning for one in known))

    def test_what_is_known_in_the_article_holds_no_figure_of_the_data(self):
        for shown, rule in zip(words.article(), expected("article")):
            if isinstance(rule.text, Known):
                self.assertEqual(re.findall(r"\d+", re.sub("2019", "", shown.text)), [], shown.text)


def changed(number: str) -> str:
    """Return another number of as many digits."""
    return number[:-1] + str((int(number[-1]) + 1) % 10)


class Damaged(unittest.TestCase):
    """Each kind of fault is put into a copy of what is read, and is seen."""

    def assertSeen(self, damaged: str, told: str = ""):
        """Fail unless the damaged article is another, and what is said of it holds the words."""
        self.assertNotEqual(damaged, article())
        found = faults(words.article(damaged), expected("article"))
        self.assertTrue(any(told in fault for fault in found), found[:5])

    def each_block(self):
        """Yield each block of words, and the one that must stand in its place."""
        shown = [("article", words.article()), ("readme", words.readme()), ("notebook", words.notebook())]
        for name, blocks in shown:
            for block, rule in zip(blocks, expected(name)):
                if block.text:
                    yield block, rule

    def test_each_number_of_each_block(self):
        for block, rule in self.each_block():
            for match in re.finditer(r"\d+", "" if isinstance(rule.text, Measured) else block.text):
                text = block.text[: match.start()] + changed(match[0]) + block.text[match.end() :]
                self.assertEqual(len(faults([Read(block.kind, text)], [rule])), 1, text)

    def test_each_word_of_each_block(self):
        for block, rule in self.each_block():
            for match in re.finditer("[^\\W\\d]+", block.text):
                text = block.text[: match.start()] + "other" * (match[0] != "other") + block.text[match.end() :]
                self.assertEqual(len(faults([Read(block.kind, text)], [rule])), 1, text)

    def test_two_headings(self):
        self.assertSeen(swapped(article(), ">Within one system<", ">Claims put to the test<"), "Claims put to the test")

    def test_two_paragraphs_and_two_captions(self):
        answer = re.findall("<p>.*?</p>", article(), re.DOTALL)
        self.assertSeen(swapped(article(), answer[1], answer[2]))
        self.assertSeen(swapped(article(), "Server as a percentage of", "Ratio of each pair against"))

    def test_a_block_left_out_and_a_block_more(self):
        item = re.search(r"<li>No row has measured power.*?</li>", article(), re.DOTALL)[0]
        self.assertSeen(article().replace(item, ""), "None")
        self.assertSeen(article().replace(item, item + "<li>All is well.</li>"), "All is well.")

    def test_a_text_outside_of_all_blocks(self):
        self.assertSeen("XX" + article(), "XX")
        self.assertSeen(article().replace("<main", "<div>All is well.</div><main"), "All is well.")

    def test_a_table_in_another_place(self):
        table = re.search('<table id="variance".*?</table>', article(), re.DOTALL)[0]
        self.assertSeen(article().replace(table, "").replace("</main>", table + "</main>"), "'table'")

    def test_a_link_that_leads_elsewhere(self):
        self.assertSeen(article().replace('href="#anomalies"', 'href="#claims"', 1), "-> #claims")

    def test_a_name_that_is_heard(self):
        self.assertSeen(article().replace('aria-label="Contents"', 'aria-label="Claims"'), "Contents")


def rate_of_another_row() -> logs.Oddity:
    """Return an oddity of a rate that no text names."""
    return logs.Oddity("285", "impossible latency", "Tokens per second: 1", "not used in any ratio")


def never(*_: object) -> bool:
    """Return False, whatever is asked."""
    return False


def one(*_: object) -> int:
    """Return 1, whatever is asked."""
    return 1


def without(key: str, value: object) -> list:
    """Return the rounds as data/rounds.json states them, but for one entry of each."""
    return lambda: {name: {**said, key: value} for name, said in STATED.items()}


STATED = rounds.stated()
ACQUIRED, ODDITIES, OVERALL = rounds.acquired(), logs.oddities(), groups.overall()
SHARES = [systems.shares()[0]._replace(name=one.name) for one in systems.shares()]
TWO_COMMITS = [ACQUIRED["files"][0], {**ACQUIRED["files"][1], "commit": "0" * 40}]
# What is told of data that are otherwise: the words, what tells them, and what is put in whose place.
OTHERWISE = [
    ("The Server/Offline ratio is", article_words.title, article_words, "told", lambda: systems.told_in_full()[:1]),
    ("while nothing else", article_words.on_one_system, article_words, "differing", lambda *_: ["Model", "framework"]),
    ("pairs of other systems", article_words.of_all_pairs, article_words, "differing", lambda *_: []),
    ("The limits belong", article_words.scenarios, released, "log_value", lambda row_id, _: row_id),
    ("All 15,252 cells", article_words.how_many_rows, printed, "verified", lambda: ["cross-checked: 491"]),
    ("A row is eligible", article_words.how_many_rows, released, "turned_away", lambda: {"no errors": 1}),
    ("other models report", article_words.what_is_left, article_words, "number", one),
    ("Two rows of one scenario", article_words.strictness, article_words, "number", one),
    ("A model label keeps", article_words.strictness, article_words, "matched", lambda: ["Platform"]),
    ("one rack", coverage_words.highlighted, coverage_words, "apart", lambda: released.highlighted()[0]),
    ("The fourth is another", coverage_words.one_and_another, coverage_words, "differing", lambda *_: []),
    (
        "What differs there",
        coverage_words.the_same_parts,
        coverage_words,
        "differing",
        lambda *_: ["weight_data_types"],
    ),
    ("A target is a share", coverage_words.targets, groups, "by_model", dict),
    ("The accuracy of all", coverage_words.covered, commands, "accurate", never),
    ("The other", coverage_words.covered, rounds, "acquired", lambda: {"not_available": []}),
    ("Offline is often called", coverage_words.above, groups, "above", lambda _: []),
    ("No row has measured", coverage_words.limits, coverage_words, "number", one),
    ("The columns of any precision", spread_words.within, spread_words, "matched", lambda: ["Platform"]),
    ("How much of the spread", spread_words.within, systems, "shares", lambda: list(SHARES)),
    ("Over all pairs", spread_words.the_rest, spread_words, "mostly_cpu", never),
    ("Most pairs with the second", spread_words.labels, spread_words, "mostly_cpu", never),
    ("two labels of one model", spread_words.labels, spread_words, "known_as", str),
    (
        "the lowest of all",
        spread_words.over_all,
        groups,
        "overall",
        lambda: dict.fromkeys(OVERALL, list(released.pairs())),
    ),
    ("The sign of the difference", spread_words.by_scale, spread_words, "median", one),
    ("For the 146 pairs", source_words.headroom, logs, "status", lambda _: "failed: late"),
    ("were copied from a fork", source_words.how_had, logs, "status", lambda _: "failed: late"),
    ("None of the other figures", source_words.odd, logs, "oddities", lambda: [*ODDITIES, rate_of_another_row()]),
    (
        "A sum of many",
        source_words.odd,
        logs,
        "oddities",
        lambda: [odd for odd in ODDITIES if "wrap" not in odd.follows],
    ),
    ("A latency can be", source_words.odd, logs, "oddities", lambda: [odd for odd in ODDITIES if odd.kind[0] != "i"]),
    (
        "A log can say VALID",
        source_words.odd,
        logs,
        "oddities",
        lambda: [odd for odd in ODDITIES if odd.kind[0] != "e"],
    ),
    ("and keeps.", source_words.odd, commands, "accurate", never),
    ("Where the table says", source_words.beside, rounds, "stated", without("checked_against", "a file")),
    ("Labels that name one model", source_words.beside, rounds, "models", lambda: ["llama3.1-8b", "llama3_1-8b"]),
    ("The released summary holds no", source_words.no_id, source_words, "number", one),
    ("pinned at one commit", readme_words.opening, rounds, "acquired", lambda: {**ACQUIRED, "files": TWO_COMMITS}),
    ("no row has measured", readme_words.opening, readme_words, "number", one),
    ("Its entry of", readme_words.other_rounds, rounds, "acquired", lambda: {**ACQUIRED, "not_available": []}),
    ("How far each upstream", readme_words.proofs, printed, "had", dict),
    ("look at a rate", readme_words.rules_and_rows, readme_words, "matched", lambda: ["Model", "Result"]),
    ("come first", readme_words.rules_and_rows, readme_words, "differing", lambda *_: ["framework"]),
]


class Relations(unittest.TestCase):
    """What a text tells is seen not to be so where the data are otherwise."""

    def test_each_relation_that_the_data_do_not_bear_out(self):
        for words_told, rule, place, name, other in OTHERWISE:
            with self.subTest(words_told):
                before = as_text(rule())
                with mock.patch.object(place, name, other):
                    after = as_text(rule())
                self.assertNotIn("<not so", before)
                self.assertRegex(after, f"<not so: [^>]*{re.escape(words_told)}")


def as_text(told: object) -> str:
    """Return what a rule tells, be it one text or blocks."""
    return told if isinstance(told, str) else "\n".join(str(block.text) for block in told)


if __name__ == "__main__":
    unittest.main()
