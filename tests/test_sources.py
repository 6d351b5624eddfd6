"""What stands behind each row: the upstream commits, its accuracy, its log or the record that there is none."""

from __future__ import annotations

from scenario_ratio.study import sources
from scenario_ratio.upstream.constants import Constants
from scenario_ratio.upstream.record import Record
from tests.support import FIXTURES, SERVER, BundleCase, pair_rows, row

FOLDER = "closed/Example/results/X100x8/llama2-70b-99.9"
OFFLINE, SERVER_LOG = (
    f"{FOLDER}/{scenario}/performance/run_1/mlperf_log_summary.txt" for scenario in ("Offline", "Server")
)
LOGS = {
    f"sources/results/{OFFLINE}": (FIXTURES / "offline_summary.txt").read_bytes(),
    f"sources/results/{SERVER_LOG}": (FIXTURES / "server_summary.txt").read_bytes(),
}
TARGETS = {"llama2-70b-99.9": ("ROUGE1", 44.5, "ROUGE2", 22.0)}
LIMITS = {"llama2-70b-99.9": {"Server": {"ttft": 2_000_000_000, "tpot": 200_000_000}}}
CONSTANTS = Constants("constants.py", "v9.9", TARGETS, {}, {}, None, None, LIMITS)
SUMMARY = {"file": "data/summary.csv", "path": "summary.csv", "repository": "r", "commit": "c", "obtained": "exact"}


def record(logs: tuple = (OFFLINE, SERVER_LOG), absent: tuple = ()) -> Record:
    files = [{"file": f"sources/results/{path}", "path": path, "obtained": "rebuilt"} for path in logs]
    checker = {"role": "accuracy targets and latency limits", "repository": "q", "commit": "d", "path": "p"}
    grades = {"exact": "", "rebuilt": "", "none": ""}
    lacking = [{"row": row_id, "path": path} for row_id, path in absent]
    return Record("2026-11-30", grades, [SUMMARY, *files], lacking, [{"role": "other"}, checker])


class Upstream(BundleCase):
    def test_where_the_facts_come_from(self):
        self.assertEqual(
            {
                "results": {"repository": "r", "commit": "c"},
                "checker": {"repository": "q", "commit": "d", "path": "p"},
                "retrieved": "2026-11-30",
                "files_verified": 3,
                "files_by_grade": {"exact": 1, "rebuilt": 2, "none": 0},
            },
            sources.upstream(record()),
        )


class Accuracy(BundleCase):
    def test_rows_within_their_targets(self):
        first = {"metric": "ROUGE1", "reported": 44.5, "target": 44.5, "upper_limit": None}
        second = {"metric": "ROUGE2", "reported": 22.1, "target": 22.0, "upper_limit": None}
        verdict = "within targets and limits"
        self.assertEqual(
            [
                {
                    "row": "7",
                    "model": "llama2-70b-99.9",
                    "verdict": verdict,
                    "metrics": [first, second],
                    "limits_without_a_reported_metric": [],
                }
            ],
            sources.accuracy_of([row("7")], CONSTANTS),
        )

    def test_a_limit_on_what_is_not_reported_is_named(self):
        limits = {"llama2-70b-99.9": ("ROUGE1", 50.0, "GEN_LEN", 9.0)}
        (checked,) = sources.accuracy_of([row("7")], CONSTANTS._replace(upper_limits=limits))
        self.assertEqual(["GEN_LEN"], checked["limits_without_a_reported_metric"])

    def test_every_row_below_is_named(self):
        low = ("ROUGE1: 44.4  ROUGE2: 22.0",) * 2
        line = "data/summary.csv: row '{}', Accuracy ROUGE1: found 44.4; expected at least 44.5"
        self.assert_refused(
            [line.format("7"), line.format("9")],
            sources.accuracy_of, [row("7", Accuracy=low), row("8"), row("9", Accuracy=low)], CONSTANTS,
        )  # fmt: skip


class Logs(BundleCase):
    def test_logs_that_pass(self):
        found = sources.logs_of(list(pair_rows()), record(), LOGS, CONSTANTS)
        self.assertEqual(["0", "1"], list(found))
        for row_id, path, scenario in (("0", OFFLINE, "Offline"), ("1", SERVER_LOG, "Server")):
            log = found[row_id]
            self.assertEqual(["row", "path", "status", "result"], list(log)[:4])
            self.assertEqual(
                (row_id, path, "passed", scenario), tuple(log[k] for k in ("row", "path", "status", "scenario"))
            )
            self.assertEqual([], log["anomalies"])
        self.assertEqual((1000.5, 900.25), tuple(found[row_id]["rate_tokens_per_s"] for row_id in "01"))

    def test_a_log_that_is_known_to_be_absent(self):
        found = sources.logs_of(list(pair_rows()), record((OFFLINE,), (("1", SERVER_LOG),)), LOGS, CONSTANTS)
        self.assertEqual({"row": "1", "path": SERVER_LOG, "status": "not available"}, found["1"])

    def test_a_log_that_is_absent_and_not_on_the_list(self):
        expected = "expected a log in sources/acquisition.json, or the row in its list not_available"
        for absent in ((), (("0", SERVER_LOG),), (("1", OFFLINE),)):
            error = self.assert_refused(
                [f"sources/results/{SERVER_LOG}: row '1': found no log; {expected}"],
                sources.logs_of, list(pair_rows()), record((OFFLINE,), absent), LOGS, CONSTANTS,
            )  # fmt: skip
            self.assertEqual(2, error.exit_code)

    def test_a_log_of_no_row(self):
        self.assert_refused(
            [f"sources/results/{SERVER_LOG}: found a log of no eligible row; expected logs of eligible rows only"],
            sources.logs_of, [row("0")], record(), LOGS, CONSTANTS,
        )  # fmt: skip

    def test_every_wrong_log_is_named(self):
        broken = {**LOGS, f"sources/results/{OFFLINE}": b"\xff"}
        slower = row("1", **{**SERVER, "Result": ("900.3", 0)})
        self.assert_refused(
            [
                f"sources/results/{OFFLINE}: line 1: found byte 0xff; expected valid UTF-8",
                f"sources/results/{SERVER_LOG}: line 8, Completed tokens per second: found 900.25; expected 900.3 as in the "
                "summary, within 0.0055",
            ],
            sources.logs_of, [row("0"), slower], record(), broken, CONSTANTS,
        )  # fmt: skip

    def test_the_scenario_in_the_path(self):
        _, server = pair_rows()
        raw = LOGS[f"sources/results/{SERVER_LOG}"]
        for folder, lines in (
            ("server", []),
            ("Offline", ["a/Offline/performance/run_1/log: the scenario in its path: found Offline; expected Server"]),
        ):
            _, problems = sources.checked_log(server, f"a/{folder}/performance/run_1/log", raw, CONSTANTS)
            self.assert_problems(lines, problems)

    def test_anomalies_are_kept(self):
        raw = LOGS[f"sources/results/{SERVER_LOG}"].replace(b"No errors encountered", b"3 ERRORS encountered")
        found, problems = sources.checked_log(pair_rows()[1], SERVER_LOG, raw, CONSTANTS)
        self.assert_problems([], problems)
        self.assertEqual([("errors encountered", 3)], [(odd["kind"], odd["count"]) for odd in found["anomalies"]])
