"""No altered byte passes: thousands of seeded alterations, and one at every place that decides a result."""

from __future__ import annotations

import ast
import re
import tempfile
import unittest
from decimal import Decimal
from pathlib import Path
from random import Random

from scenario_ratio import pinned
from scenario_ratio.bundle import Bundle
from scenario_ratio.study import checks, examine, pairing
from scenario_ratio.upstream import constants as checker_constants
from scenario_ratio.upstream import record as acquisition
from scenario_ratio.upstream import summary
from scenario_ratio.upstream.layouts import log_path
from tests import alterations, count_alterations
from tests.support import ROOT, BundleCase, run

CSV, JSON = pinned.CSV, pinned.JSON
CONSTANTS = "sources/checker_constants.py"
HIGHLIGHTED = ("285", "286", "287", "288", "289", "290", "300", "301")
RATES = ("70132.3", "59867.8", "106637.0", "100630.0", "109277.0", "106949.0", "883761.0", "899005.0")  # tokens/s
MODELS = {"llama3_1-8b": "llama3.1-8b"}  # labels that are not the checker's name of the model


class Anywhere(BundleCase):
    """Every class of file in every kind of alteration, at places drawn from a printed seed."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.copy = alterations.Copy(Path(cls.folder.name).resolve())

    def test_every_case_is_noticed_and_counted(self):
        sums, unnoticed = alterations.against_sums(self.copy)
        remaking, more = alterations.against_remaking(self.copy)
        self.assertEqual([], unnoticed + more, f"seed {alterations.SEED}")
        recorded = (ROOT / count_alterations.RECORD).read_bytes()
        self.assertEqual(recorded.decode(), count_alterations.record(sums, remaking).decode())

    def test_every_file_has_a_class_and_every_class_files(self):
        by_class = alterations.by_class(self.copy.contents)
        self.assertEqual(sorted(self.copy.contents), sorted(name for names in by_class.values() for name in names))
        self.assertEqual([], [one for one, names in by_class.items() if not names])
        self.assertEqual([pinned.SUMS], by_class[alterations.CHECKSUMS])

    def test_an_unnoticed_alteration_would_be_told(self):
        case = alterations.Case("emptied", "ruff.toml", b"")
        self.assertEqual(["emptied: ruff.toml: not named"], alterations._told("emptied", set(), {case.name}))
        self.assertEqual(["emptied: x: named"], alterations._told("emptied", {"x", case.name}, {case.name}))

    def test_the_commands_fail_in_lines_that_name_the_file(self):
        random = Random(f"{alterations.SEED} commands")
        by_class = alterations.by_class(self.copy.contents)
        recorded = [CSV, JSON, *random.sample(by_class["source"], 20)]
        recorded = [name for name in recorded if name != CONSTANTS]
        plan = [("validate.py", names, 4) for names in by_class.values()] + [("analyze.py", recorded, 10)]
        for script, names, count in plan:
            for kind in random.sample(alterations.KINDS, count):
                (case,) = next(self.copy.passes(names, kind, 1, random))
                with self.subTest(f"seed {alterations.SEED}", script=script, kind=kind, name=case.name):
                    with self.copy.altered([case]):
                        before = self.bytes_of(case.name)
                        finished = run(ROOT / script, "--root", self.copy.root)
                        self.assertEqual(before, self.bytes_of(case.name), "an altered file was written over")
                    self.assert_told(finished, case.name)
        self.assertEqual(self.copy.contents, self.copy.bundle().contents())
        self.assertEqual(0, run(ROOT / "analyze.py", "--root", self.copy.root).returncode)

    def bytes_of(self, name: str) -> bytes | None:
        path = self.copy.root / name
        return None if path.is_dir() else path.read_bytes()

    def assert_told(self, finished, name: str) -> None:
        """Assert that a command failed, in lines 'file: ...; expected ...', one at least with ``name`` in it."""
        lines = finished.stderr.splitlines()
        self.assertIn(finished.returncode, (1, 2), finished.stderr)
        self.assertEqual([], [line for line in lines if not re.match(r"[A-Za-z0-9_.+@=,/-]+: .*expected ", line)])
        self.assertTrue([line for line in lines if name in line], finished.stderr)

    def test_a_folder_replaced_by_a_link(self):
        data, elsewhere = self.copy.root / "data", self.copy.outside / "data"
        data.rename(elsewhere)
        self.addCleanup(elsewhere.rename, data)
        data.symlink_to(elsewhere)
        self.addCleanup(data.unlink)
        finished = run(ROOT / "validate.py", "--root", self.copy.root)
        self.assertIn("data: found a symbolic link; expected a regular file", finished.stderr.splitlines())
        self.assertNotIn("Traceback", finished.stderr)
        self.assertIn(finished.returncode, (1, 2))


class Deciding(BundleCase):
    """With the digests out of the way: each place that decides a result is checked by what is computed there."""

    @classmethod
    def setUpClass(cls):
        cls.record = acquisition.load(Bundle(ROOT))
        cls.contents = acquisition.read_sources(Bundle(ROOT), cls.record)
        cls.rows = summary.load(cls.contents[CSV], cls.contents[JSON])
        cls.eligible, _ = pairing.eligible(cls.rows)
        cls.pairs, _ = pairing.match(cls.eligible)
        cls.constants_raw = (ROOT / CONSTANTS).read_bytes()
        cls.constants = checker_constants.parse(cls.constants_raw, CONSTANTS, "v6.1")
        by_path = {entry["path"]: entry["file"] for entry in cls.record.files}
        paths = {row.id: by_path.get(log_path(row.text["Location"])) for row in cls.eligible}
        cls.logs = {row_id: (path, cls.contents[path]) for row_id, path in paths.items() if path}

    def cross_check(self, texts: summary.Row, values: summary.Row) -> list[tuple[str, str]]:
        """Return (place, field) of each difference between one row's texts and another's values."""
        found = summary.differences([texts.text], {"0": values.value}, CSV, JSON)
        return [(problem.place, problem.field) for problem in found]

    def log_problems(self, row: summary.Row, raw: bytes, constants=None) -> list:
        return examine.checked_log(row, self.logs[row.id][0], raw, constants or self.constants)[1]


class Fields(Deciding):
    def other(self, row: summary.Row, field: str) -> summary.Row:
        """Return a row with another text and the value that it stands for in one field."""
        text, value = row.text[field], row.value[field]
        if field == "design_power_watts":
            text, value = "700.5", Decimal("700.5")
        elif isinstance(value, bool):
            text, value = str(not value), not value
        elif isinstance(value, int):
            text, value = str(value + 1), value + 1
        else:
            text = value = f"{text}x"
        return summary.Row(row.id, {**row.text, field: text}, {**row.value, field: value})

    def test_each_of_the_27_fields_of_both_rows_of_every_pair(self):
        self.assertEqual((152, 27), (len(self.pairs), len(pairing.METADATA_FIELDS)))
        for pair in self.pairs:
            for which, row in enumerate(pair):
                self.assertEqual([], self.cross_check(row, row))
                for field in pairing.METADATA_FIELDS:
                    other = self.other(row, field)
                    told = [("row '0'", field)]
                    both = [*pair[:which], other, *pair[which + 1 :]]
                    matched, _ = pairing.match(pairing.eligible(both)[0])
                    found = self.cross_check(other, row), self.cross_check(row, other), self.cross_check(other, other)
                    self.assertEqual((told, told, [], []), (*found, matched), f"row {row.id}, {field}")


class Rates(Deciding):
    """Each digit of each highlighted rate, in either summary and in both."""

    def test_each_digit(self):
        rows = {row.id: row for row in self.rows}
        self.assertEqual(RATES, tuple(rows[row_id].text["Result"] for row_id in HIGHLIGHTED))
        count = 0
        for row_id in HIGHLIGHTED:
            row = rows[row_id]
            self.assertEqual([], self.log_problems(row, self.logs[row_id][1]))
            text = row.text["Result"]
            for place, digit in enumerate(text):
                if digit != ".":
                    other = text[:place] + str((int(digit) + 1) % 10) + text[place + 1 :]
                    count += 1
                    with self.subTest(row_id, other=other):
                        self.check_rate(row, text, other)
        self.assertEqual(54, count)  # two rates of six digits and six of seven

    def check_rate(self, row: summary.Row, text: str, other: str) -> None:
        in_text = summary.Row(row.id, {**row.text, "Result": other}, row.value)
        in_value = row._replace(value={**row.value, "Result": Decimal(other)})
        self.assertEqual([("row '0'", "Result")], self.cross_check(in_text, row))
        self.assertEqual([("row '0'", "Result")], self.cross_check(row, in_value))
        csv_raw = self.contents[CSV].replace(f'"{text}"'.encode(), f'"{other}"'.encode())
        json_raw = re.sub(
            rb'("Result":)%s(?=[,}\s])' % re.escape(text.encode()), b"\\g<1>" + other.encode(), self.contents[JSON]
        )
        self.assertNotEqual((csv_raw, json_raw), (self.contents[CSV], self.contents[JSON]))
        digests = acquisition.digest_problems(self.record, {CSV: csv_raw})
        self.assertEqual([CSV], [problem.file for problem in digests])
        if abs(Decimal(other) - Decimal(text)) > 1:  # a smaller difference can be rounding, and only a digest tells
            (problem,) = self.log_problems(in_text, self.logs[row.id][1])
            self.assertEqual(self.logs[row.id][0], problem.file)
            self.assertIn("okens per second", problem.field)


class Thresholds(Deciding):
    """Each figure of the constants: moved beyond what is reported, it must fail every row or log that it is for."""

    def entries(self) -> list[tuple[tuple, ast.expr]]:
        """Return (keys, expression) of each value of the two tables; a metric's name is the last key of its figure."""
        found = []

        def walk(node: ast.expr, keys: tuple) -> None:
            if isinstance(node, ast.Dict):
                for key, value in zip(node.keys, node.values):
                    walk(value, (*keys, key.value))
            elif isinstance(node, ast.Tuple):
                for name, value in zip(node.elts[::2], node.elts[1::2]):
                    found.append(((*keys, name.value), value))
            else:
                found.append((keys, node))

        for statement in ast.parse(self.constants_raw).body:
            if isinstance(statement, ast.Assign):
                walk(statement.value, (statement.targets[0].id,))
        return found

    def moved(self, node: ast.expr, change: str) -> checker_constants.Constants:
        """Return the constants with ``change`` written after one expression."""
        lines = self.constants_raw.decode().split("\n")
        line = lines[node.end_lineno - 1]
        lines[node.end_lineno - 1] = line[: node.end_col_offset] + change + line[node.end_col_offset :]
        return checker_constants.parse("\n".join(lines).encode(), CONSTANTS, "v6.1")

    def rows_of(self, model: str, scenario: str = "") -> list[summary.Row]:
        named = [row for row in self.eligible if MODELS.get(row.text["Model"], row.text["Model"]) == model]
        return [row for row in named if scenario in ("", row.text["Scenario"])]

    def test_each_target_and_upper_limit(self):
        figures = [
            (keys, node)
            for keys, node in self.entries()
            if keys[2:3] in [("accuracy-target",), ("accuracy-upper-limit",)]
        ]
        self.assertEqual(16, len(figures))  # 2 + 1 + 4 + 5 targets, and an upper limit for each of four models
        for (_, _, part, model, metric), node in figures:
            unreported = (model, metric) == ("gpt-oss-120b", "TOKENS_PER_SAMPLE")  # an upper limit of no row's metric
            constants = self.moved(node, " * 100" if part == "accuracy-target" else " / 100")
            rows = self.rows_of(model)
            self.assertGreater(len(rows), 1)
            for row in rows:
                text = row.text
                _, problems = checks.accuracy(row, constants, CSV)
                told = [(problem.file, problem.place, problem.field) for problem in problems]
                expected = [] if unreported else [(CSV, f"row {row.id!r}", f"Accuracy {metric}")]
                self.assertEqual(expected, told, (part, model, metric))
                self.assertEqual(unreported, f"{metric}: " not in text["Accuracy"])

    def test_each_latency_limit(self):
        limits = {keys[1:]: node for keys, node in self.entries() if keys[0] == "LLM_LATENCY_LIMITS"}
        self.assertEqual(16, len(limits))  # four models, two scenarios, TTFT and TPOT
        labels = {
            "ttft": ["ttft_latency (ns)", "99.00 percentile first token latency (ns)"],
            "tpot": ["tpot_latency (ns)", "99.00 percentile time to output token (ns)"],
        }
        for (model, scenario, short), node in limits.items():
            constants = self.moved(node, " * 0 + 1")  # 1 ns
            rows = [row for row in self.rows_of(model, "Server") if row.id in self.logs]
            self.assertGreater(len(rows), 1)
            for row in rows:
                name, raw = self.logs[row.id]
                told = [(problem.file, problem.field) for problem in self.log_problems(row, raw, constants)]
                expected = [(name, label) for label in labels[short]] if scenario == "Server" else []
                self.assertEqual(expected, told, (model, scenario, short))

    def test_each_seed_and_the_duration(self):
        labels = {"qsl_rng_seed", "sample_index_rng_seed", "schedule_rng_seed", "test_duration_ms"}
        figures = [(keys[-1], node) for keys, node in self.entries() if keys[-1] in labels]
        self.assertEqual(labels, {label for label, _ in figures})
        for label, node in figures:
            constants = self.moved(node, " * 1000 + 1")
            field = "min_duration (ms)" if label == "test_duration_ms" else label
            for row in self.eligible:
                if row.id in self.logs:
                    name, raw = self.logs[row.id]
                    problems = self.log_problems(row, raw, constants)
                    self.assertEqual([(name, field)], [(problem.file, problem.field) for problem in problems])


# A log's label -> a value that must not pass there; of a rate, of a limit and of a duration the nearest wrong one.
WRONG = {
    "Result is": "INVALID",
    "Mode": "AccuracyOnly",
    "Min duration satisfied": "NO",
    "Min queries satisfied": "NO",
    "Early stopping satisfied": "NO",
    "qsl_rng_seed": "1",
    "sample_index_rng_seed": "1",
    "schedule_rng_seed": "1",
    "min_duration (ms)": "599999",
    "target_qps": "many",
    "samples_per_query": "1.5",
    "max_async_queries": "few",
}
WRONG_IN = {
    "Offline": {**WRONG, "Scenario": "Server", "Tokens per second": "1", "Samples per second": "nan"},
    "Server": {
        **WRONG,
        "Scenario": "Offline",
        "Performance constraints satisfied": "NO",
        "Completed tokens per second": "1",
        "Completed samples per second": "nan",
        "Scheduled samples per second": "inf",
        "ttft_latency (ns)": "1",
        "tpot_latency (ns)": "1",
        "99.00 percentile first token latency (ns)": "3000000001",  # above every model's limit for Server
        "99.00 percentile time to output token (ns)": "200000001",
    },
}
HEADED = ("TTFT Early Stopping Result", "TPOT Early Stopping Result")  # what they say is the line below


class LogLines(Deciding):
    """Each checked line of a log of each model, scenario and submitter, altered and removed."""

    def kinds(self) -> dict[tuple, summary.Row]:
        return {
            tuple(row.text[field] for field in ("Organization", "Model", "Scenario")): row
            for row in self.eligible
            if row.id in self.logs
        }

    def test_each_checked_line(self):
        kinds = self.kinds()
        self.assertGreater(len(kinds), 60)
        for row in kinds.values():
            name, raw = self.logs[row.id]
            self.assertEqual([], self.log_problems(row, raw))
            lines = raw.decode().split("\n")
            for label, wrong in WRONG_IN[row.text["Scenario"]].items():
                label, numbers = self.found(lines, label)
                altered = [f"{label} : {wrong}" if number in numbers else line for number, line in enumerate(lines)]
                self.check(row, label, numbers, altered, lines)
            for label in HEADED if row.text["Scenario"] == "Server" else ():
                _, (number,) = self.found(lines, label)
                altered = [*lines[: number + 1], " * Run unsuccessful.", *lines[number + 2 :]]
                self.check(row, label, [number + 1], altered, lines)
            for kind in ("warning", "error"):
                (number,) = [n for n, line in enumerate(lines) if re.match(rf"\S+ {kind}s? encountered", line, re.I)]
                altered = [*lines[:number], f"Some {kind}s encountered during test.", *lines[number + 1 :]]
                problems = self.log_problems(row, "\n".join(altered).encode())
                self.assertEqual([(name, f"{kind}s encountered")], [(p.file, p.field) for p in problems])
                self.check_removed(row, f"{kind}s encountered", [number], lines)

    def found(self, lines: list[str], label: str) -> tuple[str, list[int]]:
        """Return a label as the log has it, '(inferred)' or not, and the places of its lines."""
        for spelled in (label, f"{label} (inferred)"):
            numbers = [number for number, line in enumerate(lines) if line.partition(":")[0].strip() == spelled]
            if numbers:
                return spelled, numbers
        raise AssertionError(f"no line {label!r}")

    def check(self, row: summary.Row, label: str, numbers: list[int], altered: list[str], lines: list[str]) -> None:
        problems = self.log_problems(row, "\n".join(altered).encode())
        told = [(problem.file, problem.place, problem.field) for problem in problems]
        self.assertEqual([(self.logs[row.id][0], f"line {numbers[0] + 1}", label)], told)
        self.check_removed(row, label, numbers, lines)

    def check_removed(self, row: summary.Row, label: str, numbers: list[int], lines: list[str]) -> None:
        kept = [line for number, line in enumerate(lines) if number not in numbers]
        problems = self.log_problems(row, "\n".join(kept).encode())
        told = [(problem.file, problem.field, problem.found) for problem in problems]
        self.assertEqual([(self.logs[row.id][0], label.removesuffix(" (inferred)"), "no such line")], told)


if __name__ == "__main__":
    unittest.main()
