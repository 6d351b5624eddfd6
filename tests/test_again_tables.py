"""Every table, list and printed line that shows results, cell by cell, against the second computation in tests/again.

The outputs read are those of the folder that the environment variable READ_BUNDLE names, else the project's own.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.again import columns, commands, pages, printed, released, rounds, tables
from tests.again.pages import Page, markdown_tables

ROOT = released.root()
ARTICLE = "article.html"
# Tables of the README that hold no figure from the data, by their first heading, and why.
NOT_OF_DATA = {
    "script": "what each script makes or does, in words; compared with the list of what is made by test_readme",
    "command": "what each command proves and what not, in words",
    "place": "what lives where, in words; compared with the folders by test_readme",
    "load, cross-check, filter, pair": "times measured on a stated machine, which no second computation can give",
    "whole process": "times measured on a stated machine, which no second computation can give",
}


def article() -> str:
    """Return the text of the article that is read."""
    return (ROOT / ARTICLE).read_text(encoding="utf-8")


def faults(page: Page) -> list:
    """Return what is wrong with the tables of an article: what each says, none too many, none missing."""
    found, seen = [], []
    for table in page.tables:
        rule = tables.rule_of(table)
        seen.append(rule)
        found += [f"{table.caption!r}: {fault}" for fault in (tables.faults(table, rule) if rule else ["has no rule"])]
    found += [f"{rule.caption!r}: {seen.count(rule)} tables" for rule in tables.RULES if seen.count(rule) != 1]
    return found


def items(page: Page, section: str) -> list:
    """Return the items of the lists of a section."""
    return [block.text for block in page.blocks if block.tag == "li" and block.section_id == section]


class Article(unittest.TestCase):
    """The tables and lists of article.html."""

    def test_every_cell_of_every_table_is_what_the_released_data_say(self):
        self.assertEqual(faults(pages.page()), [])

    def test_the_tables_stand_in_the_order_of_the_rules(self):
        captions = [rule.caption for rule in map(tables.rule_of, pages.page().tables) if rule]
        self.assertEqual(captions, [rule.caption for rule in tables.RULES])

    def test_the_rules_and_what_they_turned_away(self):
        self.assertEqual(items(pages.page(), "matching"), printed.turned_away())

    def test_the_rows_without_a_partner(self):
        self.assertEqual(items(pages.page(), "coverage"), printed.alone())

    def test_every_number_of_a_sortable_column_carries_its_value_or_none_does(self):
        for table in pages.page().tables:
            for heading in table.header:
                carried = {cell.value is not None for cell in table.column(heading)}
                self.assertEqual(len(carried), 1, (table.caption, heading))


class Readme(unittest.TestCase):
    """The tables of README.md."""

    def test_the_table_of_results(self):
        shown = [table for table in markdown_tables(pages.readme()) if table.header == list(columns.README)]
        self.assertEqual([tables.faults(table, tables.OF_README) for table in shown], [[]])

    def test_what_stands_below_the_table(self):
        part = re.search("<!-- results.*?-->(.*)<!-- end of results -->", pages.readme(), re.DOTALL)[1]
        lines = [line for line in part.splitlines() if line and not line.startswith("|")]
        self.assertEqual(lines, printed.below_the_table())

    def test_every_other_table_is_one_that_holds_no_figure_of_the_data(self):
        heads = {table.header[0] for table in markdown_tables(pages.readme()) if table.header != list(columns.README)}
        self.assertEqual(heads, set(NOT_OF_DATA))


class Notebook(unittest.TestCase):
    """What the cells of analysis.ipynb put out."""

    def test_every_line_that_is_printed(self):
        for cell in pages.notebook_cells():
            with self.subTest(cell.heading):
                lines = [printed.shortened(line) for line in cell.printed.splitlines()]
                self.assertEqual(lines, printed.NOTEBOOK[cell.heading]())

    def test_every_cell_is_read_once(self):
        self.assertEqual([cell.heading for cell in pages.notebook_cells()], list(printed.NOTEBOOK))

    def test_the_figure_and_its_words(self):
        *others, last = pages.notebook_cells()
        self.assertEqual([cell.data for cell in others], [{}] * len(others))
        self.assertEqual(set(last.data), {"image/svg+xml", "text/plain"})
        self.assertEqual(last.data["text/plain"], printed.figure_told())
        self.assertEqual(last.data["image/svg+xml"], (ROOT / "scenario-ratios.svg").read_text(encoding="utf-8"))


class Commands(unittest.TestCase):
    """What analyze.py prints."""

    def printed(self, *options: str) -> list:
        """Return the lines that analyze.py of the bundle, or else the project's, prints over the bundle."""
        script = next(folder / "analyze.py" for folder in (ROOT, released.PROJECT) if (folder / "analyze.py").is_file())
        call = [sys.executable, "-S", "-E", str(script), "--root", str(ROOT), *options]
        return subprocess.run(call, capture_output=True, check=True).stdout.decode("utf-8").splitlines()

    def test_what_a_run_found(self):
        with TemporaryDirectory() as folder:
            lines = self.printed("--output", folder)
        expected = commands.run()
        self.assertEqual(lines[-len(expected) :], expected)

    def test_every_pair_of_the_round(self):
        expected = commands.looked_up()
        self.assertEqual(self.printed("--pair", "a"), expected.splitlines())


class NotRead(unittest.TestCase):
    """What the second computation leaves unread, and why."""

    def test_every_round_is_computed_where_the_copies_are_at_hand(self):
        self.assertEqual(set(rounds.computed()) | set(rounds.read_from_file()), set(rounds.stated()))
        if rounds.CLONES.is_dir():
            self.assertEqual(rounds.read_from_file(), [])

    def test_what_is_stated_of_the_rounds_is_what_their_copies_hold(self):
        for name, one in rounds.computed().items():
            self.assertEqual(rounds.of_stated(rounds.stated()[name]), rounds.of_computed(one))


def swapped(text: str, one: str, other: str) -> str:
    """Return a text with two of its parts in each other's place, wherever they stand."""
    return text.replace(one, "\0").replace(other, one).replace("\0", other)


def rows_of(text: str) -> list:
    """Return the rows of a table as HTML, its header among them."""
    return re.findall(r"<tr>.*?</tr>", text)


class Damaged(unittest.TestCase):
    """Each kind of fault is put into a copy of the article, or of one table of it, and is seen."""

    def assertSeen(self, damaged: str, words: str = ""):
        """Fail unless the damaged article is another, and what is said of it holds the words."""
        self.assertNotEqual(damaged, article())
        told = faults(Page(damaged))
        self.assertTrue(any(words in fault for fault in told), told[:5])

    def each_table(self):
        """Yield each table of the article as HTML, and a function that says what is wrong with it once it is damaged."""
        for text in re.findall("<table.*?</table>", article(), re.DOTALL):
            (table,) = Page(text).tables
            rule = tables.rule_of(table)

            def told(damaged: str, rule: tables.Rule = rule) -> str:
                return "\n".join(tables.faults(Page(f"<h2>{rule.section}</h2>{damaged}").tables[0], rule))

            with self.subTest(table.caption):
                self.assertEqual(told(text), "")
                yield text, told

    def test_two_headings_of_a_table(self):
        for one, other in (("Offline, tokens/s", "Server, tokens/s"), ("Minimum", "Maximum"), ("Pairs", "Above 100%"),
                           ("Lower quartile", "Upper quartile"), ("TTFT p99, ms", "TPOT p99, ms"),
                           ("Target, at least", "Upper limit"), ("System", "Accelerator")):  # fmt: skip
            with self.subTest(one):
                self.assertSeen(swapped(article(), f">{one}</th>", f">{other}</th>"), ", not ")

    def test_two_captions(self):
        models, numbers = (re.search(f"<span>By {name}[^.]*", article())[0] for name in ("model", "number"))
        self.assertSeen(swapped(article(), models, numbers), "headings")

    def test_two_headings_of_sections(self):
        self.assertSeen(
            swapped(article(), ">Claims put to the test</h2>", ">Every pair, not four</h2>"), "it stands under"
        )

    def test_a_column_from_another_field(self):
        for pair in released.highlighted():
            platform, system = (f"<td>{pair.offline[field]}</td>" for field in ("Platform", "SystemName"))
            self.assertSeen(article().replace(platform, system, 1), "System: ")

    def test_every_verdict_confirmed(self):
        damaged = re.sub("<td>(contradicted|incomplete|not supported)</td>", "<td>confirmed</td>", article())
        self.assertSeen(damaged, "Verdict: 'confirmed', not 'contradicted'")

    def test_two_rows_in_each_others_place(self):
        for text, told in self.each_table():
            _, first, second, *_ = rows_of(text)
            self.assertIn(", not ", told(swapped(text, first, second)))

    def test_a_row_less_and_a_row_more(self):
        for text, told in self.each_table():
            _, *shown = rows_of(text)
            self.assertIn(f"{len(shown) - 1} rows", told(text.replace(shown[-1], "")))
            self.assertIn(f"{len(shown) + 1} rows", told(text.replace(shown[-1], shown[-1] * 2)))

    def test_a_cell_of_each_column(self):
        for text, told in self.each_table():
            _, *shown = rows_of(text)
            for at in range(len(re.findall("</t[dh]>", shown[-1]))):
                cells = re.split("(?=</t[dh]>)", shown[-1])
                self.assertIn(
                    ", not ", told(text.replace(shown[-1], "".join([*cells[: at + 1], "1", *cells[at + 1 :]])))
                )

    def test_a_value_for_sorting(self):
        self.assertSeen(article().replace('data-value="121818.0"', 'data-value="113241.0"'), "sorted as")

    def test_a_notice_left_out(self):
        self.assertSeen(
            article().replace("Statements and verdicts. Result not verified", "Statements and verdicts. Result")
        )

    def test_a_table_left_out_and_a_table_of_no_rule(self):
        table = re.search('<table id="latency".*?</table>', article(), re.DOTALL)[0]
        self.assertSeen(article().replace(table, ""), "0 tables")
        self.assertSeen(article().replace("<span>Latency headroom", "<span>Headroom"), "has no rule")


class NoSharedCode(unittest.TestCase):
    """The second computation has nothing of the first."""

    def test_it_imports_the_standard_library_and_itself_alone(self):
        folder = Path(pages.__file__).parent
        for path in sorted(folder.glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
                names += [node.module] if isinstance(node, ast.ImportFrom) else []
                for name in names:
                    self.assertTrue(name.startswith("tests.again") or is_standard(name), f"{path.name} imports {name}")

    def test_nothing_of_the_product_is_loaded_with_it(self):
        code = "import sys\nfrom tests.again import printed, readme_words, source_words, tables\nprint([m for m in sys.modules if 'scenario_ratio' in m])"
        run = subprocess.run([sys.executable, "-S", "-c", code], cwd=released.PROJECT, capture_output=True, check=True)
        self.assertEqual(run.stdout.decode().strip(), "[]")


def is_standard(name: str) -> bool:
    """Tell whether a module is the standard library's, whose names Python lists from 3.10 on."""
    top = name.partition(".")[0]
    own = any((released.PROJECT / name).exists() for name in (top, f"{top}.py"))
    return top in getattr(sys, "stdlib_module_names", {top}) and not own


if __name__ == "__main__":
    unittest.main()
