"""data/rounds.json: what is kept of a round, and everything that can be wrong with it."""

from __future__ import annotations

import copy

from scenario_ratio.bundle import Bundle
from scenario_ratio.files import json_bytes
from scenario_ratio.study import rounds
from scenario_ratio.study.pairing import Pair
from tests.support import SERVER, BundleCase, row, temporary_folder

COUNTS = {
    "source_rows": 20, "unreadable_rows": 1, "closed_rows": 12, "open_rows": 8, "eligible_rows": 6, "complete_pairs": 3,
    "unmatched_rows": 0, "pairs_with_server_greater_than_offline": 1, "logs_passed": 4, "logs_failed": 2,
    "logs_not_available": 9, "pairs_with_both_logs": 2, "pairs_with_distinct_logs": 1,
}  # fmt: skip
MODELS = [
    {"model": "a", "n": 2, "minimum": 0.5, "median": 0.75, "maximum": 1.25, "above_1": 1},
    {"model": "b", "n": 1, "minimum": 0.9, "median": 0.9, "maximum": 0.9, "above_1": 0},
]
COMMIT = "0123456789abcdef0123456789abcdef01234567"
ROUND = {
    "round": "v9.9",
    "source": {"repository": "https://github.com/example/results", "commit": COMMIT},
    "summary": [{"path": "summary.csv", "bytes": 7, "sha256": "1", "git_blob_sha1": "2"}],
    "checked_against": "constants.py",
    "counts": COUNTS,
    "matched_fields": 27,
    "models": MODELS,
}


def pair(first: int, model: str, server_rate: str) -> Pair:
    offline = row(str(first), Model=("a label", "a label"), MlperfModel=(model, model), Result=("1000.0", 1000))
    cells = {**SERVER, "Result": (server_rate, 0), "MlperfModel": ("not looked at", "")}
    return Pair(offline, row(str(first + 1), **cells))


class Kept(BundleCase):
    def test_an_entry_is_part_of_what_the_audit_found(self):
        audited = {
            "round": "v9.9",
            "sources": {"checker": {"file": "constants.py"}, "results": ROUND["source"], "summary": ROUND["summary"]},
            "counts": {"unmatched_row_ids": [], **COUNTS},
            "matched_fields": ["x"] * 27,
            "models": MODELS,
            "pairs": [],
        }
        self.assertEqual(ROUND, rounds.entry(audited))
        self.assertEqual(list(ROUND), list(rounds.entry(audited)))
        audited["sources"]["checker"] = None
        self.assertEqual({**ROUND, "checked_against": None}, rounds.entry(audited))

    def test_models_by_their_official_names(self):
        # ratios of b: 0.5, 0.7 and 1.2; of a: 0.9
        pairs = [pair(0, "b", "1200.0"), pair(2, "a", "900.0"), pair(4, "b", "500.0"), pair(6, "b", "700.0")]
        self.assertEqual(
            [
                {"model": "a", "n": 1, "minimum": 0.9, "median": 0.9, "maximum": 0.9, "above_1": 0},
                {"model": "b", "n": 3, "minimum": 0.5, "median": 0.7, "maximum": 1.2, "above_1": 1},
            ],
            rounds.models_of(pairs),
        )


class Loading(BundleCase):
    def loaded(self, change=None):
        found = {"rounds": [copy.deepcopy(ROUND), {**copy.deepcopy(ROUND), "round": "v10.0", "checked_against": None}]}
        if change:
            change(found)
        folder = temporary_folder(self)
        (folder / "data").mkdir()
        (folder / rounds.ROUNDS).write_bytes(json_bytes(found))
        return rounds.load(Bundle(folder))

    def refused(self, lines, change):
        self.assert_refused([f"data/rounds.json: {line}" for line in lines], self.loaded, change)

    def test_a_good_file(self):
        self.assertEqual(["v9.9", "v10.0"], [one["round"] for one in self.loaded()])
        self.assertEqual(ROUND, self.loaded()[0])

    def test_a_missing_file(self):
        self.assert_refused(
            ["data/rounds.json: found no such file; expected a regular file"],
            rounds.load,
            Bundle(temporary_folder(self)),
        )

    def test_every_field_has_its_type(self):
        for *parts, field, value, line in (
            ("round", 1, "rounds[0].round: found 1; expected str"),
            ("source", "commit", 1, "rounds[0].source.commit: found 1; expected 40 hexadecimal digits"),
            (
                "source",
                "commit",
                COMMIT.upper(),
                f"rounds[0].source.commit: found {COMMIT.upper()!r}; expected 40 hexadecimal digits",
            ),
            (
                "source",
                "commit",
                COMMIT + "0",
                f"rounds[0].source.commit: found {COMMIT + '0'!r}; expected 40 hexadecimal digits",
            ),
            ("summary", 0, "bytes", "7", "rounds[0].summary[0].bytes: found '7'; expected int"),
            ("summary", 0, "sha256", 7, "rounds[0].summary[0].sha256: found 7; expected str"),
            ("checked_against", 7, "rounds[0].checked_against: found 7; expected str or null"),
            ("matched_fields", "7", "rounds[0].matched_fields: found '7'; expected int"),
            ("models", 0, "model", 7, "rounds[0].models[0].model: found 7; expected str"),
            ("models", 0, "median", "7", "rounds[0].models[0].median: found '7'; expected int or float"),
            *(("counts", key, 1.5, f"rounds[0].counts.{key}: found 1.5; expected int") for key in COUNTS),
        ):

            def change(found, parts=parts, field=field, value=value):
                place = found["rounds"][0]
                for part in parts:
                    place = place[part]
                place[field] = value

            with self.subTest(line):
                self.refused([line], change)

    def test_at_most_twenty_problems_of_form(self):
        self.refused(
            [f"rounds[{n}]: found {n}; expected an object" for n in range(20)],
            lambda found: found.update(rounds=list(range(22))),
        )

    def test_a_round_twice_and_sums_that_do_not_add_up(self):
        def change(found):
            first, second = found["rounds"]
            second["round"] = "v9.9"
            first["models"][0]["n"] = 3
            second["models"][1]["above_1"] = 1

        self.refused(
            [
                "round 'v9.9': found the round twice; expected each round once",
                "round 'v9.9', complete_pairs: found 4 over all models; expected 3",
                "round 'v9.9', pairs_with_server_greater_than_offline: found 2 over all models; expected 1",
            ],
            change,
        )


class Disagreements(BundleCase):
    KEPT = [{**ROUND, "round": "v1.0", "counts": {}}, ROUND]

    def check(self, lines: list[str], own_round: str, counts: dict, models: list) -> None:
        hint = "Run audit.py to write it again."
        found = rounds.disagreements(self.KEPT, own_round, counts, models)
        self.assert_problems([f"data/rounds.json: {line}, as computed here. {hint}" for line in lines], found)

    def test_a_file_that_agrees(self):
        self.check([], "v9.9", {"complete_pairs": 3, "closed_rows": 12, "cells_compared": 5}, copy.deepcopy(MODELS))

    def test_no_such_round(self):
        self.check([], "v8.8", {}, MODELS)

    def test_each_count_that_differs(self):
        self.check(
            ["round 'v9.9', closed_rows: found 12; expected 13", "round 'v9.9', complete_pairs: found 3; expected 4"],
            "v9.9",
            {"complete_pairs": 4, "closed_rows": 13, "open_rows": 8},
            MODELS,
        )

    def test_the_models(self):
        (problem,) = rounds.disagreements(self.KEPT, "v9.9", {}, MODELS[:1])
        line = "data/rounds.json: round 'v9.9', models: found other figures; expected those computed here."
        self.assertEqual(f"{line} Run audit.py to write it again.", str(problem))


class ByModel(BundleCase):
    def test_a_model_that_a_round_lacks(self):
        upper = {**MODELS[0], "model": "B"}
        found = [{"models": [MODELS[1]]}, {"models": [{**MODELS[0], "model": "c"}, MODELS[0]]}, {"models": [upper]}]
        self.assertEqual(["a", "b", "B", "c"], list(rounds.by_model(found)))  # of b and B, the one that comes first
        figures = rounds.by_model(found)
        self.assertEqual([None, MODELS[0], None], figures["a"])
        self.assertEqual([MODELS[1], None, None], figures["b"])
        self.assertEqual([None, None, upper], figures["B"])
