"""The one formatter: how numbers are spelled where people read them."""

from __future__ import annotations

import unittest

from scenario_ratio import formatting


class Spelling(unittest.TestCase):
    def test_numbers_as_people_read_them(self):
        for function, number, expected in (
            (formatting.rate, 70132.3, "70,132.3"),
            (formatting.rate, 899005.0, "899,005.0"),
            (formatting.rate, 325, "325.0"),
            (formatting.percent, 59867.8 / 70132.3, "85.36%"),
            (formatting.percent, 1.0, "100.00%"),
            (formatting.percent, 899005 / 883761, "101.72%"),
            (formatting.points, 12.5055, "12.51"),
            (formatting.points, 0, "0.00"),
            (formatting.milliseconds, 1_050_670_916, "1,050.67"),
            (formatting.milliseconds, 2_000_000_000, "2,000"),
            (formatting.milliseconds, 80_000_000, "80"),
            (formatting.milliseconds, 1_000_000_000_000, "1,000,000"),
            (formatting.milliseconds, 100_500_000, "100.50"),
            (formatting.milliseconds, 1, "0"),
            (formatting.milliseconds, 0, "0"),
            (formatting.count, 15252, "15,252"),
            (formatting.count, 0, "0"),
            (formatting.metric, 3497.6046600000004, "3497.60466"),
            (formatting.metric, 80.544618, "80.544618"),
            (formatting.metric, 44.3867688, "44.3867688"),
            (formatting.metric, 100.0, "100"),
            (formatting.metric, 0.0, "0"),
            (formatting.fraction, 0.98783, "0.988"),
            (formatting.fraction, 1, "1.000"),
        ):
            with self.subTest(function=function.__name__, number=number):
                self.assertEqual(expected, function(number))


if __name__ == "__main__":
    unittest.main()
