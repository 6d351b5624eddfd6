"""Literals read from Python source: what they are, and the exact bounds of what is read at all."""

from __future__ import annotations

import json
import sys
import unittest
from unittest import mock

from scenario_ratio.problems import BundleError
from scenario_ratio.upstream import literals
from tests.support import ROOT, BundleCase, given, interpreters, needs_hypothesis, run, st

DEEP = "found nesting too deep to read; expected the checker's flat tables"
LEVELS = "found more than 50 levels of nesting; expected the checker's flat tables"
ALLOWED = "expected a literal, a tuple, a list, a dict, or + - * / on numbers"


class LiteralsCase(BundleCase):
    def read(self, text, names=("x",)):
        return literals.assignments(text.encode("utf-8"), "f.py", names)

    def refused(self, lines, text, names=("x",)):
        self.assert_refused([f"f.py: {line}" for line in lines], self.read, text, names)


class Values(LiteralsCase):
    def test_each_kind(self):
        text = "x = {'a': (1, -2.5), 'b': [None, True, 'c' 'd'], 'e': {}, 'f': 1 + 2 * 3 - 8 / 4}\n"
        expected = {"a": (1, -2.5), "b": (None, True, "cd"), "e": {}, "f": 5.0}
        self.assertEqual({"x": expected}, self.read(text))

    def test_names_in_the_order_in_which_they_are_asked_for(self):
        self.assertEqual([("b", 2), ("a", 1)], list(self.read("a = 1\nother()\nb: int = 2\n", ("b", "a")).items()))

    def test_other_names_may_be_assigned_in_any_way(self):
        self.assertEqual({"x": 1}, self.read("y: int = f()\nz: int\n(a, b), c.d = g()\nx = 1\ny += 1\n"))

    def test_a_name_that_is_assigned_or_touched_again(self):
        for statement in ("x = 1", "x: int = 2"):
            self.refused(["line 2: found a second assignment of x; expected one assignment"], f"x = 1\n{statement}\n")
        for statement in (
            "y: x = 1", "x: int", "x += 1", "x |= {}", "x['a'] = {}", "x.update(y)", "y = x", "y[x] = 1", "del x",
            "y = x = 1", "(x, y) = 1, 2", "if y: x = 1", "for x in y: pass", "try: y\nexcept E as x: pass",
            "import a as x", "from a import x", "def x(): pass", "class x: pass",
        ):  # fmt: skip
            with self.subTest(statement):
                line = f"line {2 + statement.count(chr(10))}: found a use of x; expected one plain assignment"
                self.refused([line], f"x = 1\n{statement}\n")

    def test_all_refusals_are_told(self):
        self.refused(
            [
                f"line 1: found an expression of kind Call; {ALLOWED}",
                f"line 3: found an expression of kind Name; {ALLOWED}",
            ],
            "x = f()\n\ny = b\n",
            "xy",
        )

    def test_every_name_that_is_not_assigned(self):
        lines = [f"{name}: found no assignment; expected one assignment" for name in ("x", "z")]
        self.refused(lines, "y = 1\n", ("x", "y", "z"))

    def test_a_number_is_below_10_to_the_30(self):
        self.assertEqual({"x": (9.9e29, -9.9e29)}, self.read("x = 9.9e29, -9.9e29\n"))
        for text in (
            "1e30", "-1e30", "5e29 + 5e29", "-5e29 - 5e29", "1e999", "-1e29 * 100", "1e29 / 1e-300", "0x" + "f" * 4000,
        ):  # fmt: skip
            with self.subTest(text[:20]):
                self.refused(["line 1: found a number out of range; expected a number below 1e+30"], f"x = {text}\n")

    def test_each_refusal_of_a_value(self):
        key = "found a key that is not a string literal; expected a string literal"
        for text, line in (
            *((text, f"found {found}; {ALLOWED}") for text, found in NO_LITERALS),
            *((text, f"found {found}; expected a number") for text, found in NO_NUMBERS),
            *((text, key) for text in ("{1: 2}", "{b: 2}", "{**{}}")),
            ("{'a': 1, 'b': 2, 'a': 1}", "found the key 'a' twice; expected each key once"),
        ):
            with self.subTest(text):
                self.refused([f"line 2: {line}"], f"\nx = {text}\n")
                self.refused([f"line 4: {line}"], f"x = {{\n    'a': {{\n\n        'b': (1, {text}),\n    }},\n}}\n")


NO_LITERALS = (
    ("dict(a=1)", "an expression of kind Call"), ("open('x').read()", "an expression of kind Call"), ("other", "an expression of kind Name"), ("os.environ", "an expression of kind Attribute"),
    ("2 ** 10", "an expression of kind Pow"), ("7 // 2", "an expression of kind FloorDiv"), ("7 % 2", "an expression of kind Mod"),
    ("1 << 3", "an expression of kind LShift"), ("1 | 2", "an expression of kind BitOr"), ("~1", "an expression of kind Invert"),
    ("+1", "an expression of kind UAdd"), ("not 1", "an expression of kind Not"), ("1 and 2", "an expression of kind And"),
    ("1 < 2", "an expression of kind Compare"), ("1 if 1 else 2", "an expression of kind IfExp"),
    ("[i for i in (1, 2)]", "an expression of kind ListComp"), ("{i: 1 for i in 'ab'}", "an expression of kind DictComp"),
    ("(i for i in 'ab')", "an expression of kind GeneratorExp"), ("(lambda: 1)", "an expression of kind Lambda"),
    ("{1, 2}", "an expression of kind Set"), ("f'{1}'", "an expression of kind JoinedStr"),
    ("(1, *'ab')", "an expression of kind Starred"), ("{'a': 1}['a']", "an expression of kind Subscript"),
    ("(a := 1)", "an expression of kind NamedExpr"), ("1j", "a complex literal"), ("b'x'", "a bytes literal"),
    ("...", "a ellipsis literal"),
)  # fmt: skip
NO_NUMBERS = (
    ("'a' * 3", "'a'"), ("3 * 'a'", "'a'"), ("'a' + 1", "'a'"), ("-'a'", "'a'"), ("-True", "True"), ("True + 1", "True"),
    ("None * 2", "None"), ("(1, 2) + (3,)", "(1, 2)"), ("-{}", "{}"), ("1 / 0", "a division by zero"),
    ("1 / 0.0", "a division by zero"),
)  # fmt: skip


class Depth(LiteralsCase):
    def test_brackets(self):
        for opening, closing in ("()", "[]"):
            self.read("x = " + opening * 49 + "1," + closing * 49 + "\n")
            self.refused([f"line 1: {DEEP}"], "x = " + opening * 50 + "1," + closing * 50 + "\n")
        self.read("x = " + "{'':" * 49 + "1" + "}" * 49 + "\n")
        self.refused([f"line 1: {DEEP}"], "x = " + "{'':" * 50 + "1" + "}" * 50 + "\n")

    def test_brackets_that_close_again(self):
        self.read("x = [" + "(1, 2), [3], {'': 4}," * 200 + "]\n")

    def test_a_bracket_that_closes_takes_its_own_level_away_and_no_other(self):
        for closed in ("[1],", "[1],[1],", "[[1]],"):
            self.read("x = " + "[" * 40 + closed + "[" * 9 + "]" * 49 + "\n")
            self.refused([f"line 1: {DEEP}"], "x = " + "[" * 40 + closed + "[" * 10 + "]" * 50 + "\n")

    def test_levels_without_brackets(self):
        self.assertEqual({"x": 1}, self.read("x = " + "-" * 50 + "1\n"))
        self.refused([f"line 1: {LEVELS}"], "x = " + "-" * 51 + "1\n")
        self.assertEqual({"x": 51}, self.read("x = 1" + "+1" * 50 + "\n"))
        self.refused([f"line 1: {LEVELS}"], "x = 1" + "+1" * 51 + "\n")

    def test_levels_of_both_kinds_are_counted_together(self):
        for opening, closing in (("[", "]"), ("{'':", "}")):
            self.read("x = " + opening * 20 + "-" * 30 + "1" + closing * 20 + "\n")
            self.refused([f"line 1: {LEVELS}"], "x = " + opening * 20 + "-" * 31 + "1" + closing * 20 + "\n")


class Chains(LiteralsCase):
    """Tokens of one expression, up to 500, in statements that are not looked into otherwise."""

    def read_beside(self, statement):
        self.assertEqual({"x": 1}, self.read(f"x = 1\n{statement}\n"))

    def refused_beside(self, statement):
        self.refused([f"line 2: {DEEP}"], f"x = 1\n{statement}\n")

    def test_names_numbers_texts_and_operators(self):
        # two tokens for 'y =', one for the first operand, two for each further one
        for first in ("1", "a", "''"):
            self.read_beside(f"y = {first}" + f"+{first}" * 248)  # 499
            self.refused_beside(f"y = {first}" + f"+{first}" * 249)  # 501
            self.read_beside(f"y = -{first}" + f"+{first}" * 248)  # 500

    def test_the_first_statement_and_what_brackets_hold_are_counted_alike(self):
        self.assertEqual({"x": 1}, self.read("y = -1" + "+1" * 248 + "\nx = 1\n"))
        self.refused([f"line 1: {DEEP}"], "y = 1" + "+1" * 249 + "\nx = 1\n")
        self.assertEqual({"x": 1}, self.read("y = " + "lambda: " * 50 + "1\nx = 1\n"))
        self.read_beside("f(-1" + "+1" * 249 + ")")  # 500 in the brackets
        self.refused_beside("f(1" + "+1" * 250 + ")")

    def test_a_bracket_is_one_token_whatever_it_holds(self):
        self.read_beside("y = a" + "(b+c)" * 497)  # 500
        self.refused_beside("y = a" + "(b+c)" * 498)

    def test_a_bracket_in_brackets_is_one_token_too(self):
        self.read_beside("f(a" + "(b+c)" * 499 + ")")
        self.refused_beside("f(a" + "(b+c)" * 500 + ")")

    def test_a_comma_a_semicolon_and_a_new_statement_begin_anew(self):
        chain = "1" + "+1" * 240
        for between in (",", ";", "\n"):
            self.read_beside(between.join([chain] * 3))
        self.read_beside(f"f({chain}, {chain})")
        self.refused_beside(f"{chain} + {chain} + {chain}")

    def test_lambdas_count_across_commas_within_a_statement(self):
        self.read_beside("y = " + "lambda a, b: " * 50 + "1")
        self.refused_beside("y = " + "lambda a, b: " * 51 + "1")
        self.read_beside("\n".join(["y = " + "lambda: " * 40 + "1"] * 2))

    def test_a_formatted_text(self):
        for prefix in ("f", "rf", "F", "Rf", "fr"):
            self.read_beside(f"y = {prefix}'" + "a" * (498 - len(prefix)) + "'")
        self.read_beside("y = '" + "a" * 1000 + "'")
        self.read_beside("y = b'" + "a" * 1000 + "'")
        for prefix in ("f", "rf", "F"):
            text = f"y = {prefix}'" + "a" * (499 - len(prefix)) + "'"
            if sys.version_info < (3, 12):  # before, one token with a tree inside; since, a token for each part of it
                self.refused_beside(text)
            else:
                self.read_beside(text)

    def test_comments_and_line_breaks_are_no_tokens(self):
        self.read_beside("y = (1\n" + "# a\n\n" * 600 + ")")

    def test_a_line(self):
        self.read_beside("#" * 5000)
        self.refused(
            ["line 2: found a line of 5001 characters; expected at most 5000 characters"], "x = 1\n" + "#" * 5001
        )

    def test_a_closing_bracket_too_many(self):
        with self.assertRaises(BundleError) as caught:
            self.read("x = 1)))\n")
        told = str(caught.exception)
        expected = "expected Python literals and arithmetic"
        self.assertIn(
            told,  # the tokenizers of Python differ in what they make of it
            (
                f"f.py: line 1: found no Python syntax; {expected}",
                f"f.py: line 2: found an unfinished statement; {expected}",
            ),
        )


class WhatPythonRefuses(LiteralsCase):
    """Python's own parser differs between versions in what it raises on sources that pass all bounds above."""

    def test_each_way(self):
        literal = "expected Python literals and arithmetic"
        for error, line in (
            (RecursionError(), f"found nesting too deep to read; {literal}"),
            (MemoryError(), f"found nesting too deep to read; {literal}"),
            (SyntaxError("without a place"), f"line 0: found no Python syntax; {literal}"),
            (SyntaxError("with one", ("f.py", 7, 1, "")), f"line 7: found no Python syntax; {literal}"),
        ):
            with self.subTest(repr(error)), mock.patch("ast.parse", side_effect=error):
                self.refused([line], "x = 1\n")

    def test_what_is_no_python(self):
        literal = "expected Python literals and arithmetic"
        for raw, line in (
            (b"\nx = = 1\n", f"line 2: found no Python syntax; {literal}"),
            (b"if a:\n    b\n  c\n", f"line 3: found no Python syntax; {literal}"),
            (b"\xef\xbb\xbfx = 1\n", "byte 0: found a byte order mark; expected UTF-8 without one"),
            (b"x = 1\n'\xff'\n", "line 2: found byte 0xff; expected valid UTF-8"),
            (b"x\0\n", "line 1: found a NUL character; expected text"),
        ):
            with self.subTest(raw):
                self.assert_refused([f"f.py: {line}"], literals.assignments, raw, "f.py", ("x",))

    def test_a_megabyte(self):
        text = "#" * 99 + "\n"
        self.refused(["found 1000000 bytes; expected less than 1000000 bytes"], text * 10_000)
        self.assertEqual({"x": 1}, self.read((text * 10_000)[:-7] + "\nx = 1"))

    def test_a_number_of_many_digits(self):
        with self.assertRaises(BundleError) as caught:  # all but the earliest patches of each version refuse to read it
            self.read("x = " + "9" * 4990 + "\n")
        self.assertRegex(
            str(caught.exception),
            "^f.py: (line 1: )?found (no Python syntax|a number out of range); ",
        )


# Each a way to make a syntax tree a thousand deep; the first line that is too deep is line 2 for all.
DEEP_SHAPES = {
    "parentheses": "(" * 1000 + ")" * 1000, "lists": "[" * 1000 + "]" * 1000, "dicts": "{'':" * 900 + "1" + "}" * 900,
    "signs": "-" * 1000 + "1", "sum": "1+" * 1000 + "1", "power": "1**" * 1000 + "1", "attributes": "a" + ".a" * 1000,
    "calls": "a" + "()" * 1000, "subscripts": "a" + "[0]" * 1000, "conditions": "1 if 1 else " * 400 + "1",
    "lambdas": "lambda a,b:" * 400 + "1", "comparison": "1<" * 1000 + "1", "negations": "not " * 1000 + "1",
    "in a formatted string": "f'{" + "1+" * 1000 + "1}'", "closed lists": "([" * 500 + "])" * 500,
}  # fmt: skip

# Larger than any limit on depth, and read or refused all the same.
LARGE_SHAPES = {
    "elif": "if 1:\n pass\n" + "elif 1:\n pass\n" * 20_000, "blocks": "".join(" " * i + "if 1:\n" for i in range(1000)),
    "formatted sum": "a = f'{" + "1+" * 200_000 + "1}'\n", "lambdas": "a = " + "lambda x,y:" * 80_000 + "1\n",
    "unclosed": "(" + "1,\n" * 50_000, "one line": "a = (" + "1," * 200_000 + ")\n", "semicolons": "a;" * 2_000 + "\n",
    "digits": "a = " + "9" * 4_990 + "\n", "empty lines": "\n" * 200_000, "text": "'''" + "x\n" * 100_000,
}  # fmt: skip

# Run by every installed Python: reads name -> text from standard input, prints name -> message.
READ_ALL = """
import json, sys
sys.path.insert(0, {root!r})
from scenario_ratio.problems import BundleError
from scenario_ratio.upstream import literals
found = {{}}
for key, text in json.load(sys.stdin).items():
    try:
        found[key] = literals.assignments(text.encode(), "f.py", ("x",))
    except BundleError as error:
        found[key] = str(error)
print(json.dumps(found))
"""


class EveryPython(BundleCase):
    def read(self, python, shapes):
        finished = run("-c", READ_ALL.format(root=str(ROOT)), python=python, input=json.dumps(shapes))
        self.assertEqual((0, ""), (finished.returncode, finished.stderr))
        return json.loads(finished.stdout)

    def test_nesting_a_thousand_deep_is_refused_with_its_line(self):
        shapes = {key: f"# deep\nx = {text}\n" for key, text in DEEP_SHAPES.items()}
        for version, python in interpreters().items():
            with self.subTest(version=version):
                self.assertEqual(dict.fromkeys(shapes, f"f.py: line 2: {DEEP}"), self.read(python, shapes))

    def test_large_files_end_in_bounded_time(self):
        for version, python in interpreters().items():
            with self.subTest(version=version):
                found = self.read(python, LARGE_SHAPES)  # fails after five minutes; takes seconds
                self.assertEqual(set(), {key for key, message in found.items() if not message.startswith("f.py: ")})

    def test_what_is_read_is_read_alike(self):
        shapes = {"a": "x = {'a': (1, -2.5), 'b': [None, True, 'c' 'd'], 'f': 1 + 2 * 3 - 8 / 4}\n"}
        for version, python in interpreters().items():
            with self.subTest(version=version):
                self.assertEqual(
                    {"a": {"x": {"a": [1, -2.5], "b": [None, True, "cd"], "f": 5.0}}}, self.read(python, shapes)
                )


@needs_hypothesis
class AnyInput(LiteralsCase):
    def test_any_bytes_and_any_tokens(self):
        tokens = [
            "x", "y", "=", "{", "}", "(", ")", "[", "]", ":", ",", "'m'", "1", "2.5", "+", "-", "*", "/", "**", ".", "\n",
            "\\", "#", "if", "lambda", "f'{'", ";", "\t", "é",
        ]  # fmt: skip

        @given(st.binary(max_size=120), st.lists(st.sampled_from(tokens), max_size=40))
        def check(raw, words):
            for text in (raw, " ".join(words).encode(), f"x = {' '.join(words)}".encode()):
                try:
                    literals.assignments(text, "f.py", ("x", "y"))
                except BundleError as error:
                    self.assertTrue(error.problems)

        check()


if __name__ == "__main__":
    unittest.main()
