"""The one formatter: how numbers are spelled where people read them."""

from __future__ import annotations

import unittest

from scenario_ratio import wording


class Spelling(unittest.TestCase):
    def test_numbers_as_people_read_them(self):
        for function, number, expected in (
            (wording.rate, 70132.3, "70,132.3"),
            (wording.rate, 899005.0, "899,005.0"),
            (wording.rate, 325, "325.0"),
            (wording.percent, 59867.8 / 70132.3, "85.36%"),
            (wording.percent, 1.0, "100.00%"),
            (wording.percent, 899005 / 883761, "101.72%"),
            (wording.points, 12.5055, "12.51"),
            (wording.points, 0, "0.00"),
            (wording.milliseconds, 1_050_670_916, "1,050.67"),
            (wording.milliseconds, 2_000_000_000, "2,000"),
            (wording.milliseconds, 80_000_000, "80"),
            (wording.milliseconds, 1_000_000_000_000, "1,000,000"),
            (wording.milliseconds, 100_500_000, "100.50"),
            (wording.milliseconds, 1, "0"),
            (wording.milliseconds, 0, "0"),
            (wording.count, 15252, "15,252"),
            (wording.count, 0, "0"),
            (wording.metric, 3497.6046600000004, "3497.60466"),
            (wording.metric, 80.544618, "80.544618"),
            (wording.metric, 44.3867688, "44.3867688"),
            (wording.metric, 100.0, "100"),
            (wording.metric, 0.0, "0"),
            (wording.fraction, 0.98783, "0.988"),
            (wording.fraction, 1, "1.000"),
        ):
            with self.subTest(function=function.__name__, number=number):
                self.assertEqual(expected, function(number))


if __name__ == "__main__":
    unittest.main()
