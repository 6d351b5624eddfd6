"""The audit of clones: hand-made clones of every form, the bundle as a clone, every bad clone, the real rounds."""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from scenario_ratio import shape as shapes
from scenario_ratio.bundle import Bundle
from scenario_ratio.show.figures import rounds as rounds_figure
from scenario_ratio.study import results, rounds
from scenario_ratio.upstream.clone import LOG_LIMIT, SUMMARY_LIMIT
from tests.support import FIXTURES, ROOT, BundleCase, interpreters, run, temporary_folder
from tests.test_layouts import CLONES

FIXTURE = FIXTURES / "rounds"
CONSTANTS = FIXTURE / "constants.py"
SUMMARY = "summary_results.json"
RESULTS = "closed/Example/results"
RUN = "performance/run_1/mlperf_log_summary.txt"
SVG = "{http://www.w3.org/2000/svg}"
SOURCES = {
    "v5.1": "https://example.org/v5.1@" + "1" * 40,
    "v6.0": "https://example.org/v6.0@" + "2" * 40,
    "v6.1": "https://example.org/v6.1@" + "3" * 40,
}


class AuditCase(BundleCase):
    def clone(self, round_name: str = "v5.1") -> Path:
        """Return a copy of a hand-made clone, to be spoilt."""
        target = temporary_folder(self) / "clone"
        shutil.copytree(FIXTURE / round_name, target)
        return target

    def change(self, clone: Path, row: int, **fields: object) -> None:
        """Change fields of one row of a clone's array."""
        rows = json.loads((clone / SUMMARY).read_text(encoding="utf-8"))
        rows[row].update(fields)
        (clone / SUMMARY).write_text(json.dumps(rows), encoding="utf-8")

    def audited(self, clone: Path, lines: tuple = (), constants: Path | None = None) -> dict:
        """Return what the audit of a clone finds, after comparing what it says is wrong with ``lines``."""
        checkers = {constants.name: constants.read_bytes()} if constants else {}
        found, problems = rounds.audit(clone, checkers)
        self.assert_problems(list(lines), problems)
        return found


class Findings(AuditCase):
    def test_counts_of_the_hand_made_round(self):
        counts = self.audited(FIXTURE / "v5.1")["counts"]
        self.assertEqual(
            {
                "source_rows": 20,
                "unreadable_rows": 0,
                "closed_rows": 19,
                "open_rows": 1,
                "eligible_rows": 10,
                "complete_pairs": 4,
                "unmatched_rows": 2,
                "unmatched_row_ids": ["8", "9"],
                "pairs_with_server_greater_than_offline": 1,
                "rows_with_measured_power": 1,
                "matched_fields": 24,
                "logs_passed": 10,
                "logs_failed": 0,
                "logs_not_available": 0,
                "pairs_with_both_logs": 4,
                "pairs_with_distinct_logs": 3,
            },
            counts,
        )

    def test_pairs_and_figures_by_model(self):
        found = self.audited(FIXTURE / "v5.1")
        # Rates are in the fixture: 900.04/1000 twice, 2100/2000 and 300/400.
        self.assertEqual(
            [("0", "1", 0.90004), ("2", "3", 0.90004), ("4", "5", 1.05), ("6", "7", 0.75)],
            [(pair["offline_id"], pair["server_id"], round(pair["ratio"], 12)) for pair in found["pairs"]],
        )
        # 'llama3_1-8b' and 'llama3.1-8b' are one model: its median is the mean of 0.75 and 1.05.
        self.assertEqual(
            [
                {"model": "llama2-70b-99", "n": 1, "minimum": 0.90004, "median": 0.90004, "maximum": 0.90004, "above_1": 0},
                {"model": "llama2-70b-99.9", "n": 1, "minimum": 0.90004, "median": 0.90004, "maximum": 0.90004, "above_1": 0},
                {"model": "llama3.1-8b", "n": 2, "minimum": 0.75, "median": 0.9, "maximum": 1.05, "above_1": 1},
            ],
            [{key: value if isinstance(value, (str, int)) else round(value, 12) for key, value in model.items()} for model in found["models"]],
        )  # fmt: skip

    def test_the_parts_have_the_shape_of_results_json(self):
        for round_name in ("v5.1", "v6.0", "v6.1"):
            found = rounds.audit(FIXTURE / round_name, {})[0]
            # v5.1 states no total of accelerators.
            shared = {**results.SHARED, "accelerators": shapes.Optional((int,))}
            shape = {
                "round": str,
                "exclusions": results.SHAPE["exclusions"],
                "matched_fields": [str],
                "pairs": [{**results.SHAPE["pairs"][0], **shared}],
                "unmatched": [{**results.SHAPE["unmatched"][0], **shared}],
                "accuracy": results.SHAPE["accuracy"],
                "logs": [dict],
            }
            self.assert_problems([], shapes.problems({key: found[key] for key in shape}, shape, "the audit"))
            self.assertLess(set(shape) | {"sources", "counts"}, set(found))

    def test_the_bundle_as_a_clone_gives_what_results_json_says(self):
        clone = temporary_folder(self)
        for name in ("summary.csv", "summary.json"):
            shutil.copy(ROOT / "data" / name, clone / name)
        shutil.copytree(ROOT / "sources" / "results" / "closed", clone / "closed")
        done = run(ROOT / "audit.py", clone, "--json")
        (found,), said = json.loads(done.stdout), json.loads((ROOT / "results.json").read_text(encoding="utf-8"))
        self.assertEqual(1, done.returncode)
        for part in ("round", "exclusions", "matched_fields", "pairs", "unmatched", "accuracy"):
            self.assertEqual(said[part], found[part], part)
        self.assertEqual(said["logs"], [{key: log[key] for key in log if key != "sha256"} for log in found["logs"]])
        shared = set(said["counts"]) & set(found["counts"])
        self.assertGreater(len(shared), 10)
        self.assertEqual({key: said["counts"][key] for key in shared}, {key: found["counts"][key] for key in shared})
        # The 12 logs that the bundle could not have are 12 lines, after one line of progress for each 100 of 305 logs.
        absent = [log for log in said["logs"] if log["status"] == "not available"]
        self.assertEqual(
            [f"{clone}: {number} of 305 logs" for number in (100, 200, 300)]
            + [
                f"{clone}/{log['path']}: row {log['row']!r}: found no such file; expected a regular file"
                for log in absent
            ],
            done.stderr.splitlines(),
        )


class CheckerConstants(AuditCase):
    def test_without_constants_it_says_what_was_not_checked(self):
        found = self.audited(FIXTURE / "v6.0")
        names = ["accuracy targets and upper limits", "TTFT limit", "TPOT limit", "random seeds", "minimum duration"]
        self.assertEqual([{"figure": name, "models": ["gpt-oss-120b"]} for name in names], found["not_checked"])
        self.assertIsNone(found["sources"]["checker"])
        self.assertEqual(
            {"row": "0", "model": "gpt-oss-120b", "verdict": "not checked",
             "metrics": [{"metric": "exact_match", "reported": 83.1, "target": None, "upper_limit": None}],
             "limits_without_a_reported_metric": []},
            found["accuracy"][0],
        )  # fmt: skip

    def test_with_constants_only_what_they_lack_is_not_checked(self):
        found = self.audited(FIXTURE / "v5.1", constants=CONSTANTS)
        self.assertEqual(
            [
                {"figure": "TTFT limit", "models": ["llama3.1-8b"]},
                {"figure": "TPOT limit", "models": ["llama3.1-8b"]},
                {"figure": "minimum duration", "models": ["llama2-70b-99", "llama2-70b-99.9", "llama3.1-8b"]},
            ],
            found["not_checked"],
        )
        self.assertEqual("constants.py", found["sources"]["checker"]["file"])
        self.assertEqual({"within targets and limits"}, {row["verdict"] for row in found["accuracy"]})

    def test_a_model_without_a_server_row_needs_no_latency_limit(self):
        clone = self.clone("v6.0")
        self.change(clone, 1, Category="open")
        names = ["accuracy targets and upper limits", "random seeds", "minimum duration"]
        self.assertEqual(names, [entry["figure"] for entry in self.audited(clone)["not_checked"]])

    def test_the_bundles_own_are_for_v6_1_and_a_file_without_the_round_is_passed_over(self):
        for clone, constants, expected in (
            ("v6.1", (), "sources/checker_constants.py"),
            ("v6.1", ("--checker-constants", CONSTANTS), "sources/checker_constants.py"),
            ("v5.1", ("--checker-constants", CONSTANTS), "constants.py"),
            ("v6.0", ("--checker-constants", CONSTANTS), None),
        ):
            done = run(ROOT / "audit.py", FIXTURE / clone, *constants, "--json")
            self.assertEqual((0, ""), (done.returncode, done.stderr))
            checker = json.loads(done.stdout)[0]["sources"]["checker"]
            self.assertEqual(expected, checker and checker["file"])

    def test_targets_limits_and_seeds_are_those_of_the_file(self):
        changed = temporary_folder(self) / "constants.py"
        text = CONSTANTS.read_text(encoding="utf-8")
        for old, new, lines in (
            ('"llama2-70b-99": ("ROUGE1", 44.4 * 0.99,', '"llama2-70b-99": ("ROUGE1", 50.0 * 0.9,',
             [f"{SUMMARY}: row '{number}', Accuracy ROUGE1: found {value}; expected at least 45.0" for number, value in ((0, 44.5), (1, 44.6))]),
            ('{"conversational": {"ttft": 2000', '{"conversational": {"ttft": 1000',
             [f"{RESULTS}/X100x8/llama2-70b-99/Server/{RUN}: line 32, ttft_latency (ns): found 2000000000; expected 1000000000",
              f"{RESULTS}/X100x8/llama2-70b-99/Server/{RUN}: line 24, 99.00 percentile first token latency (ns): found 1500000000; "
              "expected at most 1000000000"]),
            ('"v5.1": {', '"v5.1": {"test_duration_ms": 600001,',
             [f"{RESULTS}/{place}/{RUN}: line {line}, min_duration (ms): found 600000; expected at least 600001" for place, line in (
                 ("X100x8/llama2-70b-99/offline", 20), ("X100x8/llama2-70b-99/Server", 35), ("X100x8/llama2-70b-99.9/Offline", 20),
                 ("X100x8/llama2-70b-99.9/server", 35), ("X100x8/llama3_1-8b/Offline", 20), ("X100x8/llama3_1-8b/Server", 35),
                 ("CPU/llama3.1-8b/Offline", 20), ("CPU/llama3.1-8b/Server", 35), ("CPU2/llama3.1-8b/Offline", 20), ("CPU2/llama3.1-8b/Server", 35))]),
        ):  # fmt: skip
            with self.subTest(new=new):
                self.assertEqual(1, text.count(old))
                changed.write_text(text.replace(old, new), encoding="utf-8")
                self.audited(FIXTURE / "v5.1", lines, changed)

    def test_a_bad_file_of_constants(self):
        bad = temporary_folder(self) / "constants.py"
        bad.write_text("MODEL_CONFIG = open('x')\nLLM_LATENCY_LIMITS = {}\n", encoding="utf-8")
        done = run(ROOT / "audit.py", FIXTURE / "v5.1", "--checker-constants", bad)
        expected = "expected a literal, a tuple, a list, a dict, or + - * / on numbers"
        self.assertEqual(
            (1, "", f"constants.py: line 1: found an expression of kind Call; {expected}\n"),
            (done.returncode, done.stdout, done.stderr),
        )
        done = run(ROOT / "audit.py", FIXTURE / "v5.1", "--checker-constants", bad.with_name("absent.py"))
        message = "absent.py: found no such file; expected a regular file\n"
        self.assertEqual((2, "", message), (done.returncode, done.stdout, done.stderr))


class Surprises(AuditCase):
    def test_the_same_log_in_two_pairs(self):
        found = self.audited(FIXTURE / "v5.1")
        digests = {log["row"]: log["sha256"] for log in found["logs"]}
        self.assertEqual((digests["0"], digests["1"]), (digests["2"], digests["3"]))
        clone = self.clone()
        with open(clone / RESULTS / "X100x8/llama2-70b-99.9/Offline" / RUN, "a", encoding="utf-8") as log:
            log.write("\n")
        # One log in common is enough for two pairs not to be independent.
        self.assertEqual(3, self.audited(clone)["counts"]["pairs_with_distinct_logs"])
        with open(clone / RESULTS / "X100x8/llama2-70b-99.9/server" / RUN, "a", encoding="utf-8") as log:
            log.write("\n")
        self.assertEqual(4, self.audited(clone)["counts"]["pairs_with_distinct_logs"])

    def test_a_scenario_folder_in_lower_case_and_one_of_another_scenario(self):
        clone = self.clone()
        self.change(clone, 1, Location=f"{RESULTS}/X100x8/llama2-70b-99.9/server")
        self.audited(clone)
        folder = clone / RESULTS / "X100x8/llama2-70b-99"
        shutil.move(folder / "Interactive", folder / "spare")
        shutil.move(folder / "Server", folder / "Interactive")
        self.change(clone, 1, Location=f"{RESULTS}/X100x8/llama2-70b-99/Interactive")
        name = f"{RESULTS}/X100x8/llama2-70b-99/Interactive/{RUN}"
        self.audited(clone, [f"{name}: the scenario in its path: found Interactive; expected Server"])

    def test_an_interactive_row_whose_log_says_server_stays_out(self):
        log = FIXTURE / "v6.0" / RESULTS / "X100x8/gpt-oss-120b/Interactive" / RUN
        self.assertIn("Scenario : Server\n", log.read_text(encoding="utf-8"))
        found = self.audited(FIXTURE / "v6.0")
        self.assertEqual(1, found["exclusions"][-1]["turned_away"])
        self.assertEqual(["0", "1"], [log["row"] for log in found["logs"]])

    def test_units_that_say_samples_where_the_log_says_tokens(self):
        found = self.audited(FIXTURE / "v5.1")["other_units"]
        # rgat's log has its figure in samples, and that of dlrm is no summary log.
        row = {"row": "16", "model": "whisper", "scenario": "Offline", "units": "Samples/s"}
        path = f"{RESULTS}/X100x8/whisper/Offline/{RUN}"
        self.assertEqual({"rows": 3, "logs_read": 2, "in_tokens_per_s": [{**row, "path": path}]}, found)
        clone = self.clone()
        log = clone / path
        # A log with other figures than its row proves nothing about the row's unit.
        text = log.read_text(encoding="utf-8")
        log.write_text(text.replace("second: 4369.86", "second: 4369.96"), encoding="utf-8")
        self.assertEqual([], self.audited(clone)["other_units"]["in_tokens_per_s"])
        log.write_text(text, encoding="utf-8")
        self.assertEqual(1, len(self.audited(clone)["other_units"]["in_tokens_per_s"]))
        # Both rates of a log may be the same figure; then the unit may be right.
        log.write_text(log.read_text(encoding="utf-8").replace("second: 36.2", "second: 4369.86"), encoding="utf-8")
        self.assertEqual([], self.audited(clone)["other_units"]["in_tokens_per_s"])

    def test_a_log_of_warnings_only_and_one_without_the_line_on_errors(self):
        clone = self.clone()
        folder = clone / RESULTS / "CPU/llama3.1-8b"
        (folder / "Offline" / RUN).write_text("1 warning encountered. See detailed log.\n", encoding="utf-8")
        server = folder / "Server" / RUN
        server.write_text(
            server.read_text(encoding="utf-8").replace("No errors encountered during test.\n", ""), encoding="utf-8"
        )
        name = f"{RESULTS}/CPU/llama3.1-8b"
        found = self.audited(
            clone,
            [
                f"{name}/Offline/{RUN}: Result is: found no such line; expected a LoadGen summary log",
                f"{name}/Server/{RUN}: errors encountered: found no such line; expected an integer",
            ],
        )
        self.assertEqual(
            (8, 2, 0, 3),
            tuple(
                found["counts"][key]
                for key in ("logs_passed", "logs_failed", "logs_not_available", "pairs_with_both_logs")
            ),
        )
        self.assertEqual("failed", found["pairs"][3]["offline_log"])

    def test_a_rate_and_a_power_result_in_one_row(self):
        clone = self.clone()
        self.change(clone, 0, Power_Result=10400.9988793425, Power_Units="Watts")
        found = self.audited(clone)
        self.assertEqual(
            (3, ["1", "8", "9"]), (found["counts"]["complete_pairs"], found["counts"]["unmatched_row_ids"])
        )


class BadClones(AuditCase):
    def assert_told(self, lines: list[str], *arguments: object, code: int = 1) -> str:
        done = run(ROOT / "audit.py", *arguments)
        self.assertEqual(lines, done.stderr.splitlines())
        self.assertEqual(code, done.returncode)
        return done.stdout

    def test_no_folder_and_no_summary(self):
        folder = temporary_folder(self)
        absent = folder / "absent"
        line = f"{absent}: found no such folder; expected a clone of a results repository"
        self.assertEqual("", self.assert_told([line], absent, code=2))
        line = f"{folder}: found no summary; expected summary.csv and summary.json, or summary_results.json"
        self.assertEqual("", self.assert_told([line], folder))

    def test_half_of_two_files(self):
        clone = self.clone("v6.1")
        (clone / "summary.json").unlink()
        self.assert_told([f"{clone}/summary.json: found no such file; expected a regular file"], clone)

    def test_the_rest_goes_on_and_no_file_is_written(self):
        clone, output = self.clone(), temporary_folder(self)
        text = (clone / SUMMARY).read_text(encoding="utf-8")
        half = text[: text.index("Linux", len(text) // 2) + 2]
        (clone / SUMMARY).write_text(half, encoding="utf-8")
        line, column = half.count("\n") + 1, len(half.split("\n")[-1]) - len('"Li') + 1
        svg, kept = output / "figure.svg", output / "rounds.json"
        sources = [word for name in ("v5.1", "v6.0") for word in ("--source", SOURCES[name])]
        found = self.assert_told(
            [
                f"{clone}/{SUMMARY}: line {line}: found Unterminated string starting at at column {column}; expected strict JSON",
                f"{svg}: found not written; expected a summary in every clone",
                f"{kept}: found not written; expected a summary in every clone",
            ],
            clone, FIXTURE / "v6.0", "--json", "--svg", svg, "--rounds", kept, *sources,
        )  # fmt: skip
        self.assertEqual(["v6.0"], [one["round"] for one in json.loads(found)])
        self.assertEqual([], list(output.iterdir()))

    def test_a_wrong_type_takes_out_one_row(self):
        clone = self.clone()
        self.change(clone, 4, Performance_Result="2000")
        found = self.assert_told(
            [f"{clone}/{SUMMARY}: row '4', Performance_Result: found '2000'; expected a number"], clone, "--json"
        )
        counts = json.loads(found)[0]["counts"]
        self.assertEqual(
            (20, 1, 9, 3, ["5", "8", "9"]),
            tuple(
                counts[key]
                for key in ("source_rows", "unreadable_rows", "eligible_rows", "complete_pairs", "unmatched_row_ids")
            ),
        )

    def test_logs_that_are_missing_unreadable_huge_or_no_file(self):
        clone = self.clone()
        first, second, third, fourth = (clone / RESULTS / place / RUN for place in (
            "X100x8/llama3_1-8b/Offline", "X100x8/llama3_1-8b/Server", "CPU/llama3.1-8b/Offline", "CPU/llama3.1-8b/Server",
        ))  # fmt: skip
        first.unlink()
        second.write_bytes(b"\xff\xfe")
        os.truncate(third, LOG_LIMIT + 1)
        fourth.unlink()
        os.mkfifo(fourth)
        found = self.assert_told(
            [
                f"{first}: row '4': found no such file; expected a regular file",
                f"{second}: line 1: found byte 0xff; expected valid UTF-8",
                f"{third}: row '6': found 1000001 bytes; expected at most 1000000 bytes",
                f"{fourth}: row '7': found a directory or device; expected a regular file",
            ],
            clone, "--json",
        )  # fmt: skip
        statuses = {log["row"]: log["status"] for log in json.loads(found)[0]["logs"]}
        self.assertEqual(
            ["not available", "failed", "not available", "not available"], [statuses[row] for row in "4567"]
        )
        self.assertEqual(4, json.loads(found)[0]["counts"]["complete_pairs"])

    def test_a_rate_that_the_log_does_not_have(self):
        clone = self.clone()
        # Half a unit of the sixth digit of 900.041 and of the log's second decimal: 0.0005 and 0.005.
        self.change(clone, 1, Performance_Result=900.045)
        self.audited(clone)
        self.change(clone, 1, Performance_Result=900.047)
        name = f"{RESULTS}/X100x8/llama2-70b-99/Server/{RUN}"
        self.audited(
            clone,
            [
                f"{name}: line 8, Completed tokens per second: found 900.04; expected 900.047 as in the summary, within 0.0055"
            ],
        )

    def test_a_huge_summary(self):
        clone = self.clone()
        os.truncate(clone / SUMMARY, SUMMARY_LIMIT + 1)
        self.assert_told([f"{clone}/{SUMMARY}: found 50000001 bytes; expected at most 50000000 bytes"], clone)

    def test_paths_that_leave_the_clone(self):
        clone = self.clone()
        outside = clone.parent / "outside"
        shutil.copytree(clone / RESULTS / "X100x8/llama2-70b-99/Server", outside)
        for location in (
            "../outside",
            f"{RESULTS}/../../../../outside",
            str(outside),
            "closed//Example",
            "C:/outside",
            "closed\\..\\outside",
        ):
            with self.subTest(location=location):
                self.change(clone, 1, Location=location)
                path = f"{location}/{RUN}"
                self.audited(
                    clone,
                    [f"{path}: row '1': found a path that may leave the folder; expected a relative path without '..'"],
                )

    def test_links_are_not_followed(self):
        for place in ("X100x8/llama2-70b-99/Server/" + RUN, "X100x8/llama2-70b-99/Server", "X100x8/llama2-70b-99"):
            clone = self.clone()
            linked = clone / RESULTS / place
            linked.rename(clone.parent / "outside")
            linked.symlink_to(clone.parent / "outside")
            if place.endswith(RUN):
                told = "found a symbolic link; expected a regular file"
            else:
                told = f"found a symbolic link: {place.rsplit('/', 1)[1]}; expected a folder of its own"
            lines = [
                f"{RESULTS}/X100x8/llama2-70b-99/{scenario}/{RUN}: row '{row}': {told}"
                for row, scenario in enumerate(("offline", "Server"))
                if f"X100x8/llama2-70b-99/{scenario}/{RUN}".startswith(place)
            ]
            self.audited(clone, lines)
        clone = self.clone()
        (clone / SUMMARY).rename(clone.parent / "outside.json")
        (clone / SUMMARY).symlink_to(clone.parent / "outside.json")
        self.assert_told([f"{clone}/{SUMMARY}: found a symbolic link; expected a regular file"], clone)
        (clone.parent / "outside.json").unlink()
        self.assert_told([f"{clone}/{SUMMARY}: found a symbolic link; expected a regular file"], clone)

    def test_a_path_cannot_break_a_message(self):
        clone = self.clone()
        for location, shown in (
            ("closed/a\nb", f"'closed/a\\nb/{RUN}'"),
            ("closed/\x1b[2J", f"'closed/\\x1b[2J/{RUN}'"),
            ("a" * 2000, "'" + "a" * 78 + "..."),
        ):
            self.change(clone, 1, Location=location)
            self.audited(
                clone, [f"{shown}: row '1': found no path of a log; expected at most 1000 printable characters"]
            )

    def test_rows_that_only_a_choice_would_pair(self):
        clone = self.clone()
        self.change(clone, 2, UsedModel="llama2-70b-99", Model="llama2-70b-99")
        told = self.assert_told(
            [f"{clone}/{SUMMARY}: row '2', Scenario: found the same 24 metadata fields as row '0'; expected one Offline row for each configuration"], clone
        )  # fmt: skip
        # Rows 0 to 3 are left out; of the four pairs of the round, those of 4/5 and 6/7 remain.
        self.assertIn("pairs: 2 on 24 metadata fields", told)

    def test_a_rate_that_has_no_ratio(self):
        clone = self.clone()
        self.change(clone, 0, Performance_Result=0)
        told = self.assert_told(
            [
                f"{clone}/{SUMMARY}: row '0', Result: found 0; expected a rate above zero",
                f"{clone}/closed/Example/results/X100x8/llama2-70b-99/offline/{RUN}: line 8, Tokens per second: found 1000; "
                # Half a unit of the sixth digit each: 0.005 of 1000.00, 0.000005 of 0.00000.
                "expected 0 as in the summary, within 0.005005",
            ],
            clone,
        )
        self.assertIn("pairs: 3 on 24 metadata fields", told)


class TheCommandLine(AuditCase):
    def test_misuse_of_source(self):
        for sources, message in (
            (("v5.1",), "--source: found 'v5.1'; expected REPOSITORY@COMMIT with https:// and 40 digits"),
            (
                (SOURCES["v5.1"], SOURCES["v6.0"]),
                "--source: found 2 sources; expected one for each of 1 clones, in their order",
            ),
        ):
            words = [word for source in sources for word in ("--source", source)]
            done = run(ROOT / "audit.py", FIXTURE / "v5.1", *words)
            self.assertEqual((2, "", message), (done.returncode, done.stdout, done.stderr.strip()))
        done = run(ROOT / "audit.py", FIXTURE / "v5.1", "--rounds", temporary_folder(self) / "rounds.json")
        message = "--source: found 0 sources; expected one for each of 1 clones, in their order"
        self.assertEqual((2, "", message), (done.returncode, done.stdout, done.stderr.strip()))
        self.assertEqual(2, run(ROOT / "audit.py").returncode)

    def test_the_table_has_the_rounds_side_by_side(self):
        done = run(ROOT / "audit.py", *(FIXTURE / name for name in SOURCES))
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.assertIn(
            "\n"
            "                                                  v5.1                                     v6.0                                  v6.1\n"
            "model            n  median              range  above 1  n   median               range  above 1  n  median             range  above 1\n"
            "gpt-oss-120b     -       -                  -        -  1  101.72%  101.72% to 101.72%        1  -       -                 -        -\n"
            "llama2-70b-99    1  90.00%   90.00% to 90.00%        0  -        -                   -        -  -       -                 -        -\n"
            "llama2-70b-99.9  1  90.00%   90.00% to 90.00%        0  -        -                   -        -  1  89.98%  89.98% to 89.98%        0\n"
            "llama3.1-8b      2  90.00%  75.00% to 105.00%        1  -        -                   -        -  -       -                 -        -\n"
            "\n",
            done.stdout,
        )  # fmt: skip

    def test_the_block_of_a_clone(self):
        done = run(ROOT / "audit.py", FIXTURE / "v5.1", "--checker-constants", CONSTANTS, "--source", SOURCES["v5.1"])
        self.assertEqual(
            [
                "MLPerf® Inference: Datacenter v5.1, https://example.org/v5.1 at " + "1" * 40,
                "rows: 20, of them 0 unreadable, 10 eligible",
                "turned away by each rule in turn: division closed 1, availability available 1, system type datacenter 1, "
                "not inferred from another row 1, no errors 0, no measured power 1, no power result 1, "
                "rate in tokens per second 3, scenario Offline or Server 1",
                "pairs: 4 on 24 metadata fields, 1 of them with Server above Offline; unmatched rows: 8, 9",
                "logs: 10 passed every check, 0 failed, 0 not available; pairs with both logs: 4, of them 3 that share no "
                "log with an earlier pair",
                "accuracy: 10 rows within targets and limits, 0 failed, 0 not checked",
                "rows that only their unit keeps out: 3, logs read 2, of them 1 in tokens/s: whisper Offline, which the "
                "summary gives in Samples/s",
                "not checked: TTFT limit, TPOT limit of llama3.1-8b; minimum duration of llama2-70b-99, llama2-70b-99.9, "
                "llama3.1-8b",
                "",
            ],
            done.stdout.split("\n")[:9],
        )

    def test_every_python_in_any_place_writes_the_same_bytes(self):
        seen = set()
        for version, python in interpreters().items():
            output = temporary_folder(self)
            sources = [word for name in SOURCES for word in ("--source", SOURCES[name])]
            done = run(
                ROOT / "audit.py", *(FIXTURE / name for name in SOURCES), "--json", "--svg", output / "figure.svg",
                "--rounds", output / "rounds.json", *sources, python=python, cwd=output,
                env={"LC_ALL": "C", "TZ": f"UTC{len(seen)}", "PATH": os.environ["PATH"]},
            )  # fmt: skip
            self.assertEqual((0, ""), (done.returncode, done.stderr), version)
            seen.add((done.stdout, *((output / name).read_bytes() for name in ("figure.svg", "rounds.json"))))
        self.assertEqual(1, len(seen))
        told = " ".join(map(str, seen.pop()))
        self.assertNotIn(str(ROOT), told)
        self.assertNotRegex(told.lower(), "improve|better|faster|winner")

    def test_only_what_is_needed_is_opened_and_no_folder_is_listed(self):
        clone = self.clone()
        for number in range(300):
            folder = clone / "closed" / f"Other{number % 40}" / "results" / str(number)
            folder.mkdir(parents=True)
            (folder / "mlperf_log_detail.txt").write_text("x", encoding="utf-8")
        watched = temporary_folder(self) / "watch.py"
        watched.write_text(
            "import sys\n"
            "def watch(event, arguments):\n"
            "    if event in ('open', 'os.listdir', 'os.scandir') and str(arguments[0]).startswith(sys.argv[2]):\n"
            "        print(event, arguments[0][len(sys.argv[2]) + 1:], file=sys.stderr)\n"
            "sys.path.insert(0, sys.argv[1])\n"
            "from scenario_ratio.study import rounds\n"
            "from pathlib import Path\n"
            "sys.addaudithook(watch)\n"
            "rounds.audit(Path(sys.argv[2]), {})\n",
            encoding="utf-8",
        )
        done = run(watched, ROOT, clone)
        logs = [log["path"] for log in self.audited(clone)["logs"]]
        others = [
            f"{RESULTS}/X100x8/{place}/{RUN}" for place in ("whisper/Offline", "rgat/Offline", "dlrm-v2-99/Server")
        ]
        self.assertEqual([f"open {name}" for name in (SUMMARY, *logs, *others)], done.stderr.splitlines())


class TheFigure(AuditCase):
    def draw(self, *names: str) -> ElementTree.Element:
        return ElementTree.fromstring(rounds_figure.draw([rounds.audit(FIXTURE / name, {})[0] for name in names]))

    def test_a_range_is_drawn_to_scale(self):
        # Ratios from 0.75 to 1.05 stand between the ticks 70% and 110%, 380 units apart, 95 units for a tenth.
        root = self.draw("v5.1")
        bars = [
            tuple(float(bar.get(key)) for key in ("x", "width"))
            for bar in root.iter(SVG + "rect")
            if bar.get("class") == "fig-mark"
        ]
        middle = 230 + 95 * 2.0004
        self.assertEqual([(round(middle, 2), 2.0), (round(middle, 2), 2.0), (277.5, 285.0)], bars)
        medians = [float(line.get("x1")) for line in root.iter(SVG + "line") if line.get("class") == "fig-median"]
        self.assertEqual([round(middle, 2), round(middle, 2), 230 + 95 * 2], medians)
        whole = [line.get("x1") for line in root.iter(SVG + "line") if line.get("class") == "fig-axis"]
        self.assertEqual(["515"], whole)

    def test_every_round_of_every_model_has_a_row_in_words_too(self):
        root = self.draw(*SOURCES)
        texts = [text.text for text in root.iter(SVG + "text")]
        self.assertEqual(4 * 3, sum(text in SOURCES for text in texts))
        self.assertEqual(5, sum(bool(re.fullmatch(r"\d+ pairs?, median [0-9.]+%", text)) for text in texts))
        self.assertEqual(7, texts.count("no pair"))
        described = root.find(SVG + "desc").text
        self.assertIn("llama3.1-8b in v5.1: 2 pairs from 75.00% to 105.00%, median 90.00%", described)
        self.assertIn("gpt-oss-120b in v6.0: 1 pair from 101.72% to 101.72%, median 101.72%", described)
        footer = " ".join(texts[-6:])
        for words in ("Result not verified by MLCommons Association.", "Unauthorized use strictly prohibited."):
            self.assertIn(words, footer)

    def test_ratios_far_apart_and_none_at_all(self):
        model = {"model": "m", "n": 2, "minimum": 1e-9, "median": 1.0, "maximum": 1e9, "above_1": 1}
        root = ElementTree.fromstring(rounds_figure.draw([{"round": "v9.9", "models": [model]}]))
        ticks = [text for text in root.iter(SVG + "text") if text.get("text-anchor") == "middle"]
        self.assertLess(len(ticks), 12)
        for element in root.iter(SVG + "rect"):
            self.assertLessEqual(float(element.get("x")) + float(element.get("width")), 800)
        ElementTree.fromstring(rounds_figure.draw([{"round": "v9.9", "models": []}]))


class RoundsFile(AuditCase):
    def written(self) -> Path:
        """Return a folder with the data/rounds.json that the hand-made clones give."""
        folder = temporary_folder(self)
        sources = [word for name in SOURCES for word in ("--source", SOURCES[name])]
        done = run(
            ROOT / "audit.py", *(FIXTURE / name for name in SOURCES), "--rounds", folder / rounds.ROUNDS, *sources
        )
        self.assertEqual(0, done.returncode)
        return folder

    def test_what_audit_writes_can_be_loaded(self):
        loaded = rounds.load(Bundle(self.written()))
        self.assertEqual(list(SOURCES), [one["round"] for one in loaded])
        self.assertEqual({"repository": "https://example.org/v6.0", "commit": "2" * 40}, loaded[1]["source"])
        self.assertEqual([24, 25, 27], [one["matched_fields"] for one in loaded])
        self.assertEqual([4, 1, 1], [one["counts"]["complete_pairs"] for one in loaded])
        self.assertEqual([None, None, "sources/checker_constants.py"], [one["checked_against"] for one in loaded])

    def test_what_is_not_of_its_form_is_refused(self):
        name, folder = rounds.ROUNDS, self.written()
        raw = (folder / name).read_text(encoding="utf-8")
        for old, new, line in (
            ('"n": 2', '"n": "2"', f"{name}: rounds[0].models[2].n: found '2'; expected int"),
            ('"n": 2', '"n": 3', f"{name}: round 'v5.1', complete_pairs: found 5 over all models; expected 4"),
            ('"above_1": 1', '"above_1": 0',
             f"{name}: round 'v5.1', pairs_with_server_greater_than_offline: found 0 over all models; expected 1"),
            ('"round": "v6.0"', '"round": "v5.1"', f"{name}: round 'v5.1': found the round twice; expected each round once"),
            ("2" * 40, "2" * 39, f"{name}: rounds[1].source.commit: found '{'2' * 39}'; expected 40 hexadecimal digits"),
        ):  # fmt: skip
            with self.subTest(new=new):
                self.assertIn(old, raw)
                (folder / name).write_text(raw.replace(old, new, 1), encoding="utf-8")
                self.assert_refused([line], rounds.load, Bundle(folder))
        (folder / name).unlink()
        self.assert_refused([f"{name}: found no such file; expected a regular file"], rounds.load, Bundle(folder))

    def test_the_bundles_file_says_of_v6_1_what_results_json_says(self):
        loaded = rounds.load(Bundle(ROOT))
        said = json.loads((ROOT / "results.json").read_text(encoding="utf-8"))
        own = loaded[-1]
        self.assertEqual(said["sources"]["results"], own["source"])
        record = json.loads((ROOT / "sources" / "acquisition.json").read_text(encoding="utf-8"))
        for entry, recorded in zip(own["summary"], record["files"]):
            self.assertEqual({key: recorded[key] for key in entry}, entry)
        for key in ("source_rows", "eligible_rows", "complete_pairs", "logs_passed", "logs_not_available"):
            self.assertEqual(said["counts"][key], own["counts"][key], key)
        for model in own["models"]:
            labels = {model["model"], model["model"].replace("llama3.1", "llama3_1")}
            ratios = [pair["ratio"] for pair in said["pairs"] if pair["model"] in labels]
            self.assertEqual(
                [len(ratios), min(ratios), statistics.median(ratios), max(ratios), sum(ratio > 1 for ratio in ratios)],
                [model[key] for key in ("n", "minimum", "median", "maximum", "above_1")],
            )

    def test_the_bundles_file_names_the_clones_of_the_issue_and_their_counts(self):
        found = [
            (one["round"], one["source"]["repository"], one["source"]["commit"],
             *(one["counts"][key] for key in ("source_rows", "eligible_rows", "complete_pairs", "unmatched_rows")))
            for one in rounds.load(Bundle(ROOT))
        ]  # fmt: skip
        github = "https://github.com/"
        self.assertEqual(
            [
                ("v5.1", github + "mlcommons/inference_results_v5.1", "965182b03376a00fcae415c54e560e1c83937932", 1448, 306, 151, 4),
                ("v6.0", github + "gbeezybez/inference_results_v6.0", "232fbf90fceb1d55b633030556fb02deddb4517b", 520, 310, 155, 0),
                ("v6.1", github + "mlcommons/inference_results_v6.1", "4bb63cd28eb136be221bc801a9e38c66c8a7553f", 492, 305, 152, 1),
            ],
            found,
        )  # fmt: skip


@unittest.skipUnless((CLONES / "v5.1" / SUMMARY).is_file(), "clones of earlier rounds are not at hand")
class RealRounds(AuditCase):
    def test_every_log_of_an_eligible_row_agrees_and_the_file_of_the_bundle_is_the_same(self):
        kept = {one["round"]: one for one in rounds.load(Bundle(ROOT))}
        for name, logs in (("v5.1", 306), ("v6.0", 310)):
            found = self.audited(CLONES / name)
            counts = found["counts"]
            self.assertEqual(
                (logs, 0, 0), tuple(counts[key] for key in ("logs_passed", "logs_failed", "logs_not_available"))
            )
            self.assertEqual(
                rounds.entry({**found, "sources": {**found["sources"], "results": kept[name]["source"]}}), kept[name]
            )
            self.assertEqual(self.shared(name), counts["complete_pairs"] - counts["pairs_with_distinct_logs"])

    def shared(self, name: str) -> int:
        """Return how many pairs for 99.9 hand in both logs of the pair for 99, compared byte by byte."""
        logs = sorted((CLONES / name).glob("closed/*/results/*/llama2-70b-99.9/Offline/" + RUN))
        same = 0
        for offline in logs:
            server = Path(str(offline).replace("/Offline/", "/Server/"))
            others = [Path(str(path).replace("llama2-70b-99.9", "llama2-70b-99")) for path in (offline, server)]
            if server.exists() and all(other.exists() for other in others):
                same += all(one.read_bytes() == other.read_bytes() for one, other in zip((offline, server), others))
        return same


if __name__ == "__main__":
    unittest.main()
