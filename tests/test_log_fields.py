"""The fields of a log as numbers and texts, one by one."""

from __future__ import annotations

from scenario_ratio.study.log_fields import Fields
from scenario_ratio.upstream.loadgen import Log
from tests.support import BundleCase

LABEL = "a label"


def fields(value=None) -> Fields:
    """Return the fields of a log that holds ``value`` in line 7, or nothing."""
    values = {} if value is None else {LABEL: value}
    return Fields(Log("log", values, {label: (7, f"{label} : {text}") for label, text in values.items()}, {}))


class FieldsCase(BundleCase):
    def reads(self, expected, method, value, *arguments):
        reader = fields(value)
        found = getattr(reader, method)(LABEL, *arguments)
        self.assertEqual((type(expected), expected), (type(found), found))
        self.assert_problems([], reader.problems)

    def complains(self, told, found, method, value, *arguments):
        reader = fields(value)
        self.assertEqual(found, getattr(reader, method)(LABEL, *arguments))
        self.assert_problems([told], reader.problems)


class Numbers(FieldsCase):
    def test_an_integer(self):
        for text, expected in (("0", 0), ("-5", -5), ("007", 7), ("9" * 20, 10**20 - 1)):
            self.reads(expected, "integer", text)
        for text in ("", "+5", "5.0", "٥", "1_0", "9" * 21, "5 ", "0x5"):
            self.complains(f"log: line 7, {LABEL}: found {ascii(text)}; expected an integer", None, "integer", text)
        self.complains(f"log: {LABEL}: found no such line; expected an integer", None, "integer", None)

    def test_a_number(self):
        for text, expected in (
            ("0", 0.0),
            ("5", 5.0),
            ("1.25", 1.25),
            ("1e+06", 1e6),
            ("2.5e-3", 0.0025),
            ("1e5", 1e5),
        ):
            self.reads(expected, "number", text)
        for text in ("", "-5", "5.", ".5", "1E5", "1e", "1e123", "nan", "inf", "٥", "1,5"):
            self.complains(f"log: line 7, {LABEL}: found {ascii(text)}; expected a number", None, "number", text)


class Bounds(FieldsCase):
    def test_at_least(self):
        for value, limit in (("5", 5), ("6", 5), ("-1", None), ("0", 0)):
            self.reads(int(value), "at_least", value, limit)
        self.complains(f"log: line 7, {LABEL}: found 4; expected at least 5", 4, "at_least", "4", 5)
        self.complains(f"log: line 7, {LABEL}: found -1; expected at least 0", -1, "at_least", "-1", 0)

    def test_within(self):
        for value, limit in (("0", 5), ("5", 5), ("0", 0), ("0", None), ("99", None)):
            self.reads(int(value), "within", value, limit)
        self.complains(f"log: line 7, {LABEL}: found 6; expected at most 5", 6, "within", "6", 5)
        self.complains(f"log: line 7, {LABEL}: found 1; expected at most 0", 1, "within", "1", 0)
        self.complains(f"log: line 7, {LABEL}: found 0; expected at most -1", 0, "within", "0", -1)
        for limit in (5, None):
            told = f"log: line 7, {LABEL}: found -1; expected a time that is not negative"
            self.complains(told, -1, "within", "-1", limit)

    def test_a_setting(self):
        for value, expected in (("5", 5), ("0", 0), ("5", None)):
            self.reads(int(value), "setting", value, expected)
        self.complains(f"log: line 7, {LABEL}: found 5; expected 0", 5, "setting", "5", 0)

    def test_an_exact_text(self):
        self.reads("a b", "exactly", "a b", "a b")
        self.complains(f"log: line 7, {LABEL}: found 'A'; expected 'a'", "A", "exactly", "A", "a")
        self.complains(f"log: {LABEL}: found no such line; expected 'a'", None, "exactly", None, "a")
