"""Validation: what passes, that one altered byte in any file does not, and that nothing stands beside the one list."""

from __future__ import annotations

import contextlib
import json
import sys
from pathlib import Path
from unittest import mock

import validate
from scenario_ratio import artifacts as the_list
from scenario_ratio import cli
from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import Artifact, Bundle
from scenario_ratio.problems import BundleError
from scenario_ratio.proof import packing, validation
from scenario_ratio.show.figures import highlighted
from tests.support import ROOT, BundleCase, copied_bundle, ended, opened, replaced, run, whole_copy

CHECKS = [
    "artifacts made again in memory are the bytes saved",
    "notebook cells run again give the outputs saved",
    "every number in the texts occurs in results.json, wherever it stands there",
    "pages and figures are well formed and load nothing",
    "links inside the bundle lead somewhere",
    "pages and figures carry the attribution and the trademark notice",
]
CLOSING = "every file of the bundle is listed in SHA256SUMS with its digest, and no other"
RECORD = "qa/offline-validation.json"
NO_ROW = "found a file on no list; expected a row in scenario_ratio/artifacts.py"
NO_SOURCE = "found a file on no list; expected only the files of sources/acquisition.json and the bundle's own"
KINDS = "data, figure, page, readme, manifest, notebook, browser page, citation, crate, sums, archive, record"  # of the checks, in their order, then of what closes the bundle


def altered(raw: bytes) -> bytes:
    """Return ``raw`` with one bit of its middle byte changed, or one byte more if it is empty."""
    middle = len(raw) // 2
    return raw[:middle] + bytes([raw[middle] ^ 1]) + raw[middle + 1 :] if raw else b"x"


def validated(root: Path, artifacts: tuple[Artifact, ...] = ARTIFACTS) -> tuple[int, list[str], list[str]]:
    """Return what validate.py does with a bundle: exit code, lines printed, problems told."""
    arguments = mock.patch.object(sys, "argv", ["validate.py", "--root", str(root)])
    with arguments, mock.patch.object(validate, "ARTIFACTS", artifacts):
        code, out, err = ended(cli.run, validate.main)
    return code, out.decode("ascii").splitlines(), err.decode("ascii").splitlines()


def refusals(bundle: Bundle) -> list[str]:
    """Return what keeps the record of a validation from being made."""
    try:
        validation.make_record(bundle)
    except BundleError as error:
        return [str(problem) for problem in error.problems]
    return []


def make_again(root: Path, artifacts: tuple[Artifact, ...], kinds: tuple[str, ...]) -> None:
    """Write the artifacts of some kinds, made from whatever the others hold."""
    bundle = Bundle(root, None, artifacts)
    for row in artifacts:
        if row.kind in kinds:
            bundle.write(row)


class Passing(BundleCase):
    def test_the_bundle_passes_and_every_check_says_so(self):
        root = copied_bundle(self)
        finished = run(root / "validate.py")
        lines = finished.stdout.splitlines()
        told = [f"ok    {name}" for name in CHECKS + [CLOSING]] + [f"{RECORD}: unchanged"]
        self.assertEqual(told, [line.split(" (")[0] for line in lines])
        self.assertEqual((0, ""), (finished.returncode, finished.stderr))
        self.assertEqual((ROOT / RECORD).read_bytes(), (root / RECORD).read_bytes())
        self.assertEqual((0, lines, []), validated(root))  # in this process too, as the tests below run it

    def test_the_record_holds_the_checks_and_no_machine(self):
        record = json.loads((ROOT / RECORD).read_text(encoding="utf-8"))
        self.assertEqual(["all_passed", "checks"], list(record))
        self.assertEqual(CHECKS, [check["check"] for check in record["checks"]])
        for check in record["checks"]:
            self.assertGreater(check["checked"], 0)

    def test_what_is_made_on_demand_may_be_absent_and_if_it_is_there_it_is_compared(self):
        root = copied_bundle(self)
        self.assert_problems([], validation.closing(opened(root)))
        for row in ARTIFACTS:
            if row.kind in ("archive", "browser page"):
                (root / row.name).write_bytes(row.make(opened(root)))
        self.assert_problems([], validation.closing(opened(root)))
        for name in ("reproducibility.zip", "notebook.html"):
            with self.subTest(name), replaced(root / name, altered((root / name).read_bytes())):
                self.assertEqual([name], [problem.file for problem in validation.closing(opened(root))])
        (root / "notebook.html").unlink()
        (root / "notebook.html").symlink_to("nowhere")
        line = "notebook.html: found a symbolic link; expected a regular file"
        self.assertIn(line, [str(problem) for problem in validation.closing(opened(root))])


class Altered(BundleCase):
    def setUp(self):
        self.root = copied_bundle(self)

    def closing(self) -> set[str]:
        return {problem.file for problem in validation.closing(opened(self.root))}

    def test_one_bit_in_every_file_is_named(self):
        names = [name for name in opened(self.root).listed() if name != "SHA256SUMS"]
        self.assertGreater(len(names), 350)
        before = {name: (self.root / name).read_bytes() for name in names}
        for name in names:
            (self.root / name).write_bytes(altered(before[name]))
        files = self.closing()
        self.assertEqual([], [name for name in names if name not in files])
        for name in names:
            (self.root / name).write_bytes(before[name])
        self.assertEqual(set(), self.closing())

    def test_a_page_or_figure_that_lost_a_notice_is_named(self):
        for name in ("scenario-ratios.svg", "latency-headroom.svg", "article.html"):
            for words in (b"Not endorsed by MLCommons", b"All rights reserved.", b"Result not verified by"):
                path = self.root / name
                with self.subTest(name=name, words=words), replaced(path, path.read_bytes().replace(words, b"")):
                    bundle = opened(self.root)
                    count, problems = validation.messages(bundle, bundle.rows[name])
                    self.assertEqual((1, [name]), (count, [problem.file for problem in problems]))

    def test_a_file_too_many_and_one_too_few(self):
        (self.root / "notes.txt").write_text("x")
        (self.root / "web" / "table.js").unlink()
        self.assertLessEqual({"notes.txt", "web/table.js"}, self.closing())

    def test_sums_in_another_order_or_twice_or_without_an_end(self):
        lines = (self.root / "SHA256SUMS").read_bytes().splitlines(keepends=True)
        for other in ([*lines[1:], lines[0]], [lines[0], *lines], [*lines[:-1], lines[-1].rstrip()]):
            with replaced(self.root / "SHA256SUMS", b"".join(other)):
                self.assertEqual({"SHA256SUMS"}, self.closing())

    def test_a_broken_record_hides_no_other_file(self):
        (self.root / "sources/acquisition.json").write_bytes(b"{")
        (self.root / "ruff.toml").write_bytes(b"")
        self.assertEqual({"sources/acquisition.json", "ruff.toml", "SHA256SUMS"}, self.closing())

    def test_the_whole_command_fails_and_names_what_is_altered(self):
        made = [row.name for row in ARTIFACTS if row.kind not in ("sums", "archive", "browser page")]
        sources = ("data/summary.csv", "data/summary.json", "sources/checker_constants.py", "sources/acquisition.json")
        for names in (made, ["SHA256SUMS"], *([name] for name in sources)):
            with self.subTest(names), contextlib.ExitStack() as stack:
                for name in names:
                    path = self.root / name
                    stack.enter_context(replaced(path, altered(path.read_bytes())))
                code, _, problems = validated(self.root)
                self.assertIn(code, (1, 2))
                for name in names:
                    self.assertTrue([line for line in problems if line.startswith(f"{name}:")], (name, problems))
        self.assertEqual(0, validated(self.root)[0])

    def test_a_missing_artifact_is_named_once(self):
        for name in ("results.json", "analysis.ipynb", "CITATION.cff"):
            with self.subTest(name), replaced(self.root / name, None):
                code, _, problems = validated(self.root)
                missing = f"{name}: found no such file; expected a regular file"
                self.assertEqual((2, 1), (code, problems.count(missing)), problems)

    def test_each_check_can_fail(self):
        article = (self.root / "article.html").read_text(encoding="utf-8")
        notebook = (self.root / "analysis.ipynb").read_text(encoding="utf-8")
        for check, name, text in (
            ("remade", "article.html", article + "\n"),
            ("executed", "analysis.ipynb", notebook.replace("85.36%", "85.37%", 1)),
            ("numbers", "article.html", article.replace("85.36%", "185.36%")),
            ("form", "article.html", article.replace("</main>", '<img src="https://example.org/x.png"></main>')),
            ("links", "article.html", article.replace('href="results.json"', 'href="no.json"')),
            ("messages", "article.html", article.replace("derived.", "")),  # in its figures too
        ):
            with self.subTest(check), replaced(self.root / name, text.encode("utf-8")):
                self.assertEqual({name}, {problem.file for problem in self.problems_of(check)})
            with self.subTest(check, repaired=True):
                self.assert_problems([], self.problems_of(check))

    def problems_of(self, function: str) -> list:
        """Return what the check that is made by a function finds in the bundle."""
        check = next(check for check in validation.CHECKS if check.run is getattr(validation, function))
        bundle = opened(self.root)
        return [problem for row in ARTIFACTS if row.kind in check.kinds for problem in check.run(bundle, row)[1]]

    def test_a_readme_without_its_table(self):
        text = (self.root / "README.md").read_text(encoding="utf-8")
        with replaced(self.root / "README.md", text.replace("<!-- end of results -->", "").encode("utf-8")):
            code, _, problems = validated(self.root)
        marks = "<!-- results: written by build_article.py --> and <!-- end of results -->"
        line = f"README.md: found no place for the results; expected the lines {marks}"
        self.assertEqual((1, 1), (code, problems.count(line)), problems)


class TheOneList(BundleCase):
    """Nothing that is made stands beside scenario_ratio/artifacts.py, and nothing in it beside the checks."""

    def test_a_whole_list_has_no_problem(self):
        self.assertEqual([], refusals(opened(whole_copy())))

    def test_a_kind_that_no_check_looks_at(self):
        row = Artifact("results.json", "picture", "make_plot.py", the_list.drawn(highlighted.draw))
        line = f"results.json: found the kind picture; expected one of {KINDS}"
        self.assert_problems([line], validation.unlisted(Bundle(whole_copy(), None, (*ARTIFACTS, row))))
        self.assertIn(line, refusals(Bundle(whole_copy(), None, (*ARTIFACTS, row))))

    def test_every_kind_is_compared_with_what_is_made(self):
        compared = {kind for check in validation.CHECKS[:2] for kind in check.kinds} | set(validation.CLOSING)
        self.assertEqual({row.kind for row in ARTIFACTS} - {"record"}, compared)

    def test_no_row_can_be_dropped_unnoticed(self):
        kinds = [row.kind for row in ARTIFACTS]
        for row in ARTIFACTS:
            without = tuple(other for other in ARTIFACTS if other is not row)
            if kinds.count(row.kind) == 1:
                line = f"scenario_ratio/artifacts.py: found no artifact of the kind {row.kind}; expected one that is checked"
            else:
                line = f"{row.name}: {NO_SOURCE if row.name.startswith('data/') else NO_ROW}"
            with self.subTest(row.name):
                self.assertIn(line, refusals(Bundle(whole_copy(), None, without)))

    def test_a_file_of_an_artifacts_kind_that_no_row_makes(self):
        root = copied_bundle(self)
        rows = ("FIFTH.SVG", "extra.html", "fourth.svg", "more.json", "old.zip", "other.ipynb", "qa/more.json", "qa/notes.txt",
                "table.csv", "web/figure.svg")  # fmt: skip
        sources = ("data/more.csv", "data/notes.txt", "sources/more.txt")
        for name in (*rows, *sources, "notes.txt", "web/more.css", "tests/more.svg"):
            (root / name).write_bytes(b"99.99%")
        lines = [f"{name}: {NO_SOURCE}" for name in sources] + [f"{name}: {NO_ROW}" for name in rows]
        self.assertEqual(lines, refusals(opened(root)))
        make_again(root, ARTIFACTS, ("crate", "sums"))  # which know all of them now
        self.assertEqual((1, lines), validated(root)[::2])

    def test_a_fourth_figure_in_the_list_is_checked_like_the_others(self):
        root = copied_bundle(self)
        row = Artifact("fourth.svg", "figure", "make_plot.py", the_list.drawn(highlighted.draw))
        artifacts = (*ARTIFACTS[:5], row, *ARTIFACTS[5:])
        make_again(root, artifacts, ("figure", "record", "crate", "sums"))
        self.assertEqual((0, []), validated(root, artifacts)[::2])
        drawn = (root / "fourth.svg").read_bytes()
        self.assertIn(b"85.36%", drawn)
        number = "expected a number of results.json, as the formatter spells it"
        # 99.99% is how one of the ratios is spelled, so that only its place is wrong; 999.99% is no number of the results.
        for digits, told in (("99.99%", []), ("999.99%", [f"fourth.svg: a number: found '999.99%'; {number}"])):
            (root / "fourth.svg").write_bytes(drawn.replace(b"85.36%", digits.encode("ascii")))
            make_again(root, artifacts, ("crate", "sums"))
            with self.subTest(digits):
                self.assert_problems([], packing.sums_problems(Bundle(root, None, artifacts)))
                code, _, (first, *others) = validated(root, artifacts)
                self.assertEqual(1, code)
                self.assertRegex(
                    first, r"\Afourth\.svg: line \d+: found SHA-256 [0-9a-f]{64}; expected [0-9a-f]{64}\. Run"
                )
                self.assertEqual(told, others[:-2])
                self.assertEqual(
                    ["ro-crate-metadata.json", "SHA256SUMS"], [line.partition(":")[0] for line in others[-2:]]
                )
