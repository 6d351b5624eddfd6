"""Literals read from Python source: what they are, and the exact bounds of what is read at all."""

from __future__ import annotations

import sys
from unittest import mock

from scenario_ratio.problems import BundleError
from scenario_ratio.upstream import literals
from tests.support import BundleCase

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

    def test_other_names_may_be_assigned_in_any_way_that_does_not_touch_those(self):
        self.assertEqual({"x": 1}, self.read("y: int = f()\nz: int\n(a, b), c.d = g()\nx = 1\ny += 1\n"))
        for statement in (
            "y: x = 1",
            "x: int",
            "x += 1",
            "del x",
            "(x, y) = 1, 2",
            "y = x",
            "y[x] = 1",
            "import a as x",
        ):
            line = "line 2: found a use of x; expected one plain assignment"
            self.refused([line], f"x = 1\n{statement}\n")

    def test_every_name_that_is_not_assigned(self):
        lines = [f"{name}: found no assignment; expected one assignment" for name in ("x", "z")]
        self.refused(lines, "y = 1\n", ("x", "y", "z"))

    def test_a_number_is_below_10_to_the_30(self):
        self.assertEqual({"x": (9.9e29, -9.9e29)}, self.read("x = 9.9e29, -9.9e29\n"))
        for text in ("1e30", "-1e30", "5e29 + 5e29", "-5e29 - 5e29"):
            self.refused(["line 1: found a number out of range; expected a number below 1e+30"], f"x = {text}\n")

    def test_each_refusal_of_a_value(self):
        for text, line in (
            ("f()", f"found a call; {ALLOWED}"),
            ("b", f"found the name b; {ALLOWED}"),
            ("b.c", f"found an attribute; {ALLOWED}"),
            ("2 ** 3", f"found the operator Pow; {ALLOWED}"),
            ("+1", f"found the operator UAdd; {ALLOWED}"),
            ("{1}", f"found an expression of kind Set; {ALLOWED}"),
            ("b'c'", f"found a bytes literal; {ALLOWED}"),
            ("1j", f"found a complex literal; {ALLOWED}"),
            ("1 / 0", "found a division by zero; expected a number"),
            ("-True", "found True; expected a number"),
            ("'a' + 1", "found 'a'; expected a number"),
            ("{1: 2}", "found a key that is not a string literal; expected a string literal"),
            ("{b: 2}", "found a key that is not a string literal; expected a string literal"),
            ("{'a': 1, 'a': 2}", "found the key 'a' twice; expected each key once"),
        ):
            with self.subTest(text):
                self.refused([f"line 2: {line}"], f"\nx = {text}\n")


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

    def test_a_number_of_many_digits(self):
        with self.assertRaises(BundleError) as caught:  # all but the earliest patches of each version refuse to read it
            self.read("x = " + "9" * 4990 + "\n")
        self.assertRegex(
            str(caught.exception),
            "^f.py: (line 1: )?found (no Python syntax|a number out of range); ",
        )
