"""The tables of the article: what each holds, today and in rounds in which a group is empty."""

from __future__ import annotations

import re

from scenario_ratio.show import tables
from scenario_ratio.show.markup import escape
from tests import varied
from tests.support import BundleCase


class Rows(BundleCase):
    """What each table of the article holds."""

    def rows(self, table_id: str, results: dict | None = None) -> list:
        """Return a table's rows as texts, after comparing them with the page's."""
        rows = tables.rows(results or varied.results(), table_id)
        page = tables.html(results or varied.results(), table_id, "").partition("<tbody>")[2]
        cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line) for line in page.split("\n") if "<tr>" in line]
        self.assertEqual([[escape(cell) for cell in row] for row in rows], cells)
        return rows

    def test_every_table_whatever_group_is_empty(self):
        for name, made in varied.CASES.items():
            results = made()
            for table_id in tables.TABLES:
                with self.subTest(name, table=table_id):
                    self.rows(table_id, results)
                    html = tables.html(results, table_id, "Words & words")
                    self.assertIn("<span>Words &amp; words</span>", html)
                    self.assertEqual(1, html.count(f' id="{table_id}"'))

    def test_rates(self):
        row = ["deepseek-r1", "NVIDIA", "B300-SXM-270GBx8_TRT", "285/286", "70,132.3", "59,867.8", "85.36%"]
        self.assertEqual(row, self.rows("rates")[0])  # as published
        self.assertEqual(["285/286", "287/288", "289/290", "300/301"], [row[3] for row in self.rows("rates")])

    def test_accuracy(self):
        # the checker asks deepseek-r1 for 99% of 81.3582, and for 90% to 110% of 3886.2274 tokens
        self.assertEqual(
            ["285", "deepseek-r1", "Offline", "exact_match", "80.7885141", "80.544618", "none"],
            self.rows("accuracy")[0],
        )
        row = ["285", "deepseek-r1", "Offline", "TOKENS_PER_SAMPLE", "3793.9359617", "3497.60466", "4274.85014"]
        self.assertEqual(row, self.rows("accuracy")[1])

    def test_latency(self):
        row = ["286", "deepseek-r1", "B300-SXM-270GBx8_TRT", "1,050.67", "2,000", "79.03", "80", "VALID"]
        self.assertEqual(row, self.rows("latency")[0])  # of the log, in ns: 1050670916 and 79026000 or so
        self.assertEqual([], self.rows("latency", varied.no_log_at_all()))
        results = varied.results()
        next(log for log in results["logs"] if log["row"] == "286").update(errors=3)
        self.assertEqual("VALID, with 3 errors in the log", self.rows("latency", results)[0][7])

    def test_pairs(self):
        self.assertEqual((152, 11), (len(self.rows("all-pairs")), len(self.rows("above-pairs"))))
        row = self.rows("above-pairs")[-1]
        self.assertEqual(7, len(row))
        first = ["6/7", "92.96%", "gpt-oss-120b", "AMD", "8xMI355X_2xEPYC_9575F", "121,818.0", "113,241.0"]
        self.assertEqual(first, self.rows("all-pairs")[0][:7])
        cpu_only = next(row for row in self.rows("all-pairs") if row[0] == "354/355")
        self.assertEqual(["none", "0"], cpu_only[7:9])
        logs = {row[0]: row[10] for row in self.rows("all-pairs")}
        self.assertEqual(("VALID", "not available"), (logs["285/286"], logs["464/465"]))
        # the last lines of the logs: of row 57 '2 ERRORS encountered.', of 265 and 266 '1 ERROR', of 9 '2 warnings'
        self.assertEqual("VALID / VALID, with 2 errors in the log", logs["56/57"])
        self.assertEqual("VALID, with 1 error in the log", logs["265/266"])
        self.assertEqual("VALID, with 2 warnings in the log / VALID", logs["9/10"])
        no_log = self.rows("all-pairs", varied.no_log_at_all())
        self.assertEqual({"not available"}, {row[10] for row in no_log})
        without = varied.results()
        without["logs"] = []
        self.assertEqual("passed", self.rows("all-pairs", without)[0][10])
        self.assertEqual([], self.rows("above-pairs", varied.no_pair_above()))

    def test_the_controls_stand_above_the_table_that_can_be_filtered(self):
        html = tables.html(varied.results(), "all-pairs", "c")
        self.assertTrue(
            html.startswith('<div class="filter wide" id="pair-filter" hidden><label for="pair-filter-input">')
        )
        self.assertIn('<table id="all-pairs" data-sortable="pair-filter">', html)
        self.assertNotIn("filter", tables.html(varied.results(), "rates", "c"))

    def test_spreads(self):
        row = ["CPU-only pairs", "9", "38.09%", "42.78%", "44.08%", "49.81%", "60.04%", "0", "354", "420"]
        self.assertEqual(row, self.rows("distribution-overall")[-1])
        families = [row[0] for row in self.rows("distribution-by-family")]
        self.assertEqual(sorted(families, key=str.casefold), families)
        self.assertEqual(152, sum(int(row[1]) for row in self.rows("distribution-by-accelerators")))
        self.assertEqual(5, len(self.rows("distribution-by-model")))

    def test_medians_by_model_and_accelerators(self):
        rows = {row[0]: row[1:] for row in self.rows("distribution-by-model-and-accelerators")}
        # classes: none, 1 to 5, 8, 16 to 32, 72, more; as computed with pandas
        expected = [
            "no pair",
            "89.10% (9 pairs)",
            "94.60% (33 pairs)",
            "88.81% (3 pairs)",
            "98.85% (7 pairs)",
            "93.80% (1 pair)",
        ]
        self.assertEqual(expected, rows["gpt-oss-120b"])
        self.assertEqual(["44.08% (9 pairs)", "90.46% (3 pairs)", *["no pair"] * 4], rows["llama3_1-8b"])

    def test_labels_of_one_model(self):
        rows = self.rows("labels")
        self.assertEqual([["llama3_1-8b", "Intel(R) Arc(TM) Pro B70", "3"], ["llama3_1-8b", "none", "9"]], rows[-2:])
        self.assertEqual({"llama3.1-8b": 18, "llama3_1-8b": 12},
                         {label: sum(int(n) for name, _, n in rows if name == label) for label, *_ in rows})  # fmt: skip
        self.assertEqual([], self.rows("labels", varied.no_label_twice()))

    def test_other_systems(self):
        rows = self.rows("other-systems")
        # rows 15/16 to 19/20: the highest of their ratios less the lowest, in decimal arithmetic
        self.assertEqual(["ASUSTeK", "XA_NB3I-E12_B300x8_TRT", "15, 17, 19", "22.41"], rows[0])
        self.assertEqual(
            ["22.41", "2.52", "1.93", "15.25", "13.88", "12.43", "7.88", "11.09", "2.80"], [row[3] for row in rows]
        )
        self.assertEqual([], self.rows("other-systems", varied.told(3, 1)()))

    def test_two_models_within_systems(self):
        rows = self.rows("within-systems")
        self.assertEqual(["deepseek-r1", "gpt-oss-120b", "20", "20", "0", "20", "20", "0"], rows[0])
        self.assertEqual(["gpt-oss-120b", "llama2-70b-99.9", "30", "22", "8", "33", "25", "8"], rows[3])

    def test_variance(self):
        expected = [
            ["same accelerators", "42", "4", "0.476", "4", "0.476"],
            ["pairs with accelerators", "143", "4", "0.208", "5", "0.226"],
            ["all pairs", "152", "4", "0.166", "5", "0.557"],
        ]
        self.assertEqual(expected, self.rows("variance"))
        self.assertEqual(("no variance", "0.000"), (tables.share(None), tables.share(0.0)))

    def test_headroom(self):
        self.assertEqual(["deepseek-r1", "28", "0", "28"], self.rows("headroom-by-model")[0][:4])
        self.assertEqual([], self.rows("headroom-by-model", varied.no_log_at_all()))

    def test_claims(self):
        self.assertEqual(20, len(self.rows("claim-table")))
        self.assertEqual("confirmed", self.rows("claim-table")[0][1])

    def test_rounds(self):
        found = self.rows("round-counts")
        self.assertEqual(["v5.1", "v6.0", "v6.1"], [row[0] for row in found])
        self.assertEqual("no targets", found[0][8])
        self.assertEqual("github.com/mlcommons/inference_results_v6.1 at 4bb63cd28eb1", found[2][9])
        models = {row[0]: row[1:] for row in self.rows("round-models")}
        self.assertEqual("no pair", models["gpt-oss-120b"][0])
        self.assertTrue(models["gpt-oss-120b"][2].endswith("(65.46% to 101.72%, 53 pairs)"))
        one = {"model": "m", "n": 1, "minimum": 0.5, "median": 0.5, "maximum": 0.5}
        self.assertEqual("50.00% (50.00% to 50.00%, 1 pair)", tables.released(one))

    def test_what_follows_from_an_anomaly(self):
        absent = dict.fromkeys(
            ("lower_bound_ns", "upper_bound_ns", "samples", "wraps", "unwrapped_mean_ns", "tokens_per_sample")
        )
        mean = {"kind": "mean outside its percentiles", **absent, "lower_bound_ns": 1000, "upper_bound_ns": 20000}
        bounds = "percentiles bound the mean between 1,000 and 20,000 ns"
        errors = {"kind": "errors encountered", **absent}
        unwrapped = {**mean, "samples": 5000, "unwrapped_mean_ns": 15000}
        for entry, told in (
            ({**errors, "summary_errors": 1234}, "summary says 1,234 errors"),
            ({**errors, "summary_errors": 1}, "summary says 1 error"),
            ({**errors, "kind": "warnings encountered", "summary_errors": 7}, ""),
            (mean, bounds),
            *(({**mean, end: None, "summary_errors": 0}, "") for end in ("lower_bound_ns", "upper_bound_ns")),
            *(
                ({**unwrapped, "wraps": 1, absent_one: None}, bounds)
                for absent_one in ("samples", "wraps", "unwrapped_mean_ns")
            ),
            (
                {**unwrapped, "wraps": 1},
                f"{bounds}; with 5,000 samples and 1 wrap of a 64-bit sum it is 15,000 ns, within a few millionths",
            ),
            (
                {**unwrapped, "wraps": 2},
                f"{bounds}; with 5,000 samples and 2 wraps of a 64-bit sum it is 15,000 ns, within a few millionths",
            ),
        ):
            self.assertEqual(told, tables.explained(entry))

    def test_what_follows_from_tokens_beyond_their_bounds(self):
        beyond = {
            "kind": "k",
            "tokens_per_sample": 256.2456,
            "target": 265.005,
            "upper_limit": 323.895,
            "reported": 271.0,
        }
        told = "256.25 tokens a sample; the accuracy run must have"
        for changed, more in (
            ({}, "at least 265.005 and at most 323.895, and has 271"),
            ({"target": None}, "at most 323.895, and has 271"),
            ({"upper_limit": None, "reported": None}, "at least 265.005"),
        ):
            self.assertEqual(f"{told} {more}", tables.explained({**beyond, **changed}))
