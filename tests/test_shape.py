"""Where a JSON value differs from the form it must have."""

from __future__ import annotations

from scenario_ratio.shape import NUMBER, AtLeast, Choice, Either, Open, Optional, Perhaps, Text, each, problems
from tests.support import BundleCase


class Shapes(BundleCase):
    def fits(self, value, shape):
        self.assert_problems([], problems(value, shape, "f"))

    def differs(self, lines, value, shape):
        self.assert_problems(lines, problems(value, shape, "f"))

    def test_one_kind(self):
        self.fits("a", str)
        self.fits(1, int)
        self.differs(["f: found 1; expected str"], 1, str)
        self.differs(["f: found True; expected int"], True, int)
        self.differs(["f: found None; expected str"], None, str)

    def test_several_kinds(self):
        self.fits(1, NUMBER)
        self.fits(1.5, NUMBER)
        self.differs(["f: found '1'; expected int or float"], "1", NUMBER)
        self.differs(["f: found None; expected int or float"], None, NUMBER)

    def test_a_kind_or_null(self):
        self.fits(None, Optional((int,)))
        self.fits(1, Optional((int,)))
        self.differs(["f: found 'a'; expected int or null"], "a", Optional((int,)))

    def test_a_number_is_below_10_to_the_30(self):
        for value in (10**30 - 1, 1 - 10**30, 9.9e29, -9.9e29):
            self.fits(value, NUMBER)
        for value, found in (
            (10**31, "1" + "0" * 31),
            (-(10**31), "-1" + "0" * 31),
            (1e30, "1e+30"),
            (-1e30, "-1e+30"),
        ):
            self.differs([f"f: found {found}; expected a number below 1e+30"], value, NUMBER)

    def test_a_list(self):
        self.fits([], [int])
        self.fits([1, 2], [int])
        self.differs(["f: found {}; expected a list"], {}, [int])
        self.differs(["f: [0]: found 'a'; expected int", "f: [2]: found None; expected int"], ["a", 1, None], [int])

    def test_an_object(self):
        shape = {"a": int, "b": {"c": [str]}}
        self.fits({"a": 1, "b": {"c": ["x"]}}, shape)
        self.differs(["f: found []; expected an object"], [], shape)
        self.differs(["f: a: found 'x'; expected int", "f: b.c[1]: found 2; expected str"],
                     {"a": "x", "b": {"c": ["x", 2]}}, shape)  # fmt: skip

    def test_keys_missing_unknown_or_out_of_order(self):
        shape = {"a": int, "b": int}
        for value, found in (
            ({"a": 1}, "a"),
            ({"b": 1, "a": 1}, "b, a"),
            ({"a": 1, "b": 1, "c": 1}, "a, b, c"),
            ({}, ""),
        ):
            self.differs([f"f: keys: found {found!r}; expected a, b"], value, shape)
        long = "k" * 300
        self.differs([f"f: keys: found '{'k' * 198}...; expected a, b"], {long: 1}, shape)

    def test_free_keys(self):
        self.fits({}, each(int))
        self.fits({"x": 1, "y": 2}, each(int))
        self.differs(["f: found 1; expected an object"], 1, each(int))
        self.differs(["f: p.x: found 'a'; expected int"], {"p": {"x": "a", "y": 2}}, {"p": each(int)})
        self.differs(["f: x: found 'a'; expected int"], {"x": "a", "y": 2}, each(int))
        self.differs(["f: x[1].y: found 1; expected str"], {"x": [{}, {"y": 1}]}, each([each(str)]))

    def test_a_text_that_matches_from_end_to_end(self):
        digits = Text("[0-9]+", "digits")
        self.fits("012", digits)
        for value, found in (
            ("12a", "'12a'"),
            ("a12", "'a12'"),
            ("12\n", r"'12\n'"),
            ("", "''"),
            (12, "12"),
            (None, "None"),
            (b"12", "b'12'"),
        ):
            self.differs([f"f: found {found}; expected digits"], value, digits)
        self.differs([r"f: found '\u0663'; expected a letter"], "٣", Text(r"\w", "a letter"))  # no digit of ASCII

    def test_one_of_several_values(self):
        self.fits("ttft", Choice(("ttft", "tpot")))
        self.fits(4, Choice((4, 5)))
        self.differs(["f: found 'tps'; expected one of ttft, tpot"], "tps", Choice(("ttft", "tpot")))
        for value in (4.0, "4", None, [4]):
            self.differs([f"f: found {value!r}; expected one of 4, 5"], value, Choice((4, 5)))
        self.differs(["f: found True; expected 1"], True, Choice((1,)))
        self.differs(["f: found 1; expected True"], 1, Choice((True,)))

    def test_at_least_these_keys_in_any_order(self):
        shape = Open({"a": int, "b": str})
        self.fits({"b": "x", "more": None, "a": 1}, shape)
        self.differs(["f: found []; expected an object"], [], shape)
        self.differs(["f: a: found 'x'; expected int"], {"more": 1, "b": "x", "a": "x"}, shape)
        self.differs(["f: keys: found 'c, b'; expected a, b"], {"c": 1, "b": "x"}, shape)
        self.differs(["f: p[0], keys: found ''; expected a, b"], {"p": [{}]}, {"p": [shape]})
        self.fits({"a": 1, "b": 2}, Open(a=int))

    def test_one_of_several_objects(self):
        shape = Either(({"a": int}, {"a": int, "b": int}))
        self.fits({"a": 1}, shape)
        self.fits({"a": 1, "b": 2}, shape)
        self.differs(["f: b: found 'x'; expected int"], {"a": 1, "b": "x"}, shape)
        self.differs(["f: keys: found 'c'; expected a"], {"c": 1}, shape)
        self.differs(["f: found 1; expected an object"], 1, shape)

    def test_an_integer_not_below_a_bound(self):
        self.fits(0, AtLeast(0))
        self.fits(10**20, AtLeast(0))
        for value in (-1, 0.0, True, "1", None):
            self.differs([f"f: found {value!r}; expected an integer of at least 0"], value, AtLeast(0))
        self.differs(["f: found 6; expected an integer of at least 7"], 6, AtLeast(7))

    def test_a_key_that_need_not_be_there(self):
        shape = Open({"a": int, "b": Perhaps(AtLeast(0)), "c": Perhaps({"d": str})})
        for value in ({"a": 1}, {"b": 1, "x": None, "a": 1}, {"a": 1, "b": 0, "c": {"d": ""}}):
            self.fits(value, shape)
        self.differs(["f: b: found -1; expected an integer of at least 0", "f: c.d: found 1; expected str"],
                     {"c": {"d": 1}, "a": 1, "b": -1}, shape)  # fmt: skip
        self.differs(["f: b: found None; expected an integer of at least 0"], {"a": 1, "b": None}, shape)
        self.differs(["f: keys: found 'b'; expected a, b"], {"b": 1}, shape)
