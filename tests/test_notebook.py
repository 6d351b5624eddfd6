"""The notebook before it is run: how it is written, what is refused when one is read, how it is built from its text."""

from __future__ import annotations

import ast
import copy
import functools
import json
import re
import unittest

from scenario_ratio.artifacts import ARTIFACTS
from scenario_ratio.bundle import Bundle
from scenario_ratio.files import decode
from scenario_ratio.notebook import document as notebook
from scenario_ratio.problems import BundleError
from scenario_ratio.study import results as results_file
from tests.support import ROOT, BundleCase, copied_bundle, run, temporary_folder

NAME, CELLS = "analysis.ipynb", "scenario_ratio/text/notebook.py"
ID = "1 to 64 letters, digits, '-' or '_'"
STREAM = {"output_type": "stream", "name": "stdout", "text": ["a\n"]}
RESULT = {"output_type": "execute_result", "data": {"text/plain": ["1"], "text/html": []}}


class Written(BundleCase):
    def test_texts_as_lines_that_keep_their_ends(self):
        for text, lines in (("", []), ("a", ["a"]), ("a\n", ["a\n"]), ("a\n\nb", ["a\n", "\n", "b"])):
            self.assertEqual(lines, notebook.lines(text))

    def test_only_line_feeds_end_a_line(self):
        self.assertEqual(["a\u2028b\x0cc\n", "d"], notebook.lines("a\u2028b\x0cc\nd"))

    def test_the_bytes_of_a_notebook(self):
        document = notebook.document([notebook.markdown("m-1", "# Zürich\ntext"), notebook.code("c", "1 + 1")])
        expected = """\
{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "m-1",
   "metadata": {},
   "source": [
    "# Zürich\\n",
    "text"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "c",
   "metadata": {},
   "outputs": [],
   "source": [
    "1 + 1"
   ]
  }
 ],
 "metadata": {
  "kernelspec": {
   "display_name": "Python 3",
   "language": "python",
   "name": "python3"
  },
  "language_info": {
   "name": "python"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
"""
        self.assertEqual(expected, notebook.to_bytes(document).decode("utf-8"))
        self.assertEqual(document, notebook.parse(notebook.to_bytes(document)))

    def test_a_number_that_json_lacks_is_not_written(self):
        with self.assertRaises(ValueError):
            notebook.to_bytes({"a": float("nan")})


class Read(BundleCase):
    def refused(self, lines: list[str], document: object) -> None:
        self.assert_refused([f"{NAME}: {line}" for line in lines], notebook.parse, json.dumps(document).encode())

    def with_prose(self, **changes: object) -> dict:
        return notebook.document([notebook.code("c", "1"), {**notebook.markdown("m", "x"), **changes}])

    def with_code(self, **changes: object) -> dict:
        return notebook.document([{**notebook.code("c", "1"), **changes}])

    def test_no_json(self):
        line = "analysis.ipynb: line 1: found Expecting value at column 1; expected strict JSON"
        self.assert_refused([line], notebook.parse, b"")

    def test_no_notebook(self):
        keys = "expected nbformat, nbformat_minor, cells"
        for document, line in (
            ([], "found []; expected an object"),
            ("x", "found 'x'; expected an object"),
            ({}, f"keys: found ''; {keys}"),
            ({"cells": [], "nbformat": 4}, f"keys: found 'cells, nbformat'; {keys}"),
            ({**notebook.document([]), "cells": {}}, "cells: found {}; expected a list"),
        ):
            self.refused([line], document)

    def test_another_version(self):
        document = notebook.document([])
        for major, minor, lines in (
            (3, 5, ["nbformat: found 3; expected 4"]),
            (4, 4, ["nbformat_minor: found 4; expected 5"]),
            (4, 6, ["nbformat_minor: found 6; expected 5"]),
            (True, 5.0, ["nbformat: found True; expected 4", "nbformat_minor: found 5.0; expected 5"]),
            (None, None, ["nbformat: found None; expected 4", "nbformat_minor: found None; expected 5"]),
        ):
            self.refused(lines, {**document, "nbformat": major, "nbformat_minor": minor})

    def test_wrong_cells_are_all_told(self):
        document = notebook.document([1, {}, notebook.code("c", "1"), {**notebook.code("", "1"), "cell_type": "raw"}])
        self.refused(
            [
                "nbformat_minor: found 4; expected 5",
                "cells[0]: found 1; expected an object",
                "cells[1], keys: found ''; expected cell_type, id, source",
                "cells[3].cell_type: found 'raw'; expected one of markdown, code",
                f"cells[3].id: found ''; expected {ID}",
            ],
            {**document, "nbformat_minor": 4},
        )

    def test_ids(self):
        for cell_id in ("a", "Z-9_", "x" * 64):
            notebook.parse(json.dumps(self.with_prose(id=cell_id)).encode())
        for cell_id in ("", "a b", "ü", "x" * 65, "a\n", 7):
            self.refused([f"cells[1].id: found {ascii(cell_id)}; expected {ID}"], self.with_prose(id=cell_id))

    def test_a_source_is_a_list_of_lines(self):
        for source, line in (
            ("x", "cells[1].source: found 'x'; expected a list"),
            ({}, "cells[1].source: found {}; expected a list"),
            ([1], "cells[1].source[0]: found 1; expected str"),
            (["a", None], "cells[1].source[1]: found None; expected str"),
        ):
            self.refused([line], self.with_prose(source=source))

    def test_the_count_of_a_code_cell(self):
        for count in (None, 3):
            notebook.parse(json.dumps(self.with_code(execution_count=count)).encode())
        self.refused(["cells[0].execution_count: found '3'; expected int or null"], self.with_code(execution_count="3"))
        document = self.with_code()
        del document["cells"][0]["execution_count"]
        self.refused(
            [
                "cells[0], keys: found 'cell_type, id, metadata, source, outputs'; expected execution_count, outputs",
            ],
            document,
        )

    def test_outputs(self):
        notebook.parse(json.dumps(self.with_code(outputs=[STREAM, RESULT])).encode())
        type_ = "outputs[1].output_type: found {}; expected one of stream, execute_result"
        for output, line in (
            (7, "outputs[1]: found 7; expected an object"),
            ({}, "outputs[1], keys: found ''; expected output_type"),
            ({**RESULT, "output_type": "display_data"}, type_.format("'display_data'")),
            ({"output_type": "error", "ename": "E", "evalue": "", "traceback": []}, type_.format("'error'")),
            ({**RESULT, "output_type": []}, type_.format("[]")),
            ({**STREAM, "name": 1}, "outputs[1].name: found 1; expected str"),
            ({**STREAM, "text": "a"}, "outputs[1].text: found 'a'; expected a list"),
            ({**STREAM, "text": [1]}, "outputs[1].text[0]: found 1; expected str"),
            ({"output_type": "stream", "text": []}, "outputs[1], keys: found 'output_type, text'; expected name, text"),
            (
                {**STREAM, "output_type": "execute_result"},
                "outputs[1], keys: found 'output_type, name, text'; expected data",
            ),
            ({**RESULT, "data": []}, "outputs[1].data: found []; expected an object"),
            ({**RESULT, "data": {"text/plain": "1"}}, "outputs[1].data.text/plain: found '1'; expected a list"),
            ({**RESULT, "data": {"text/plain": [1]}}, "outputs[1].data.text/plain[0]: found 1; expected str"),
            (
                {**RESULT, "data": {"text/plain": ["1"], "image/svg+xml": "1"}},
                "outputs[1].data.image/svg+xml: found '1'; expected a list",
            ),
            (
                {**RESULT, "data": {"text/html": ["1"]}},  # which no reader without HTML could be shown
                "outputs[1].data, keys: found 'text/html'; expected text/plain",
            ),
        ):
            with self.subTest(line):
                self.refused([f"cells[0].{line}"], self.with_code(outputs=[RESULT, output, STREAM]))
        for outputs in (None, {}):
            self.refused([f"cells[0].outputs: found {outputs}; expected a list"], self.with_code(outputs=outputs))

    def test_from_a_folder(self):
        folder = temporary_folder(self)
        line = f"{NAME}: found no such file; expected a regular file"
        self.assert_refused([line], notebook.load, Bundle(folder, artifacts=ARTIFACTS))
        document = notebook.document([notebook.code("c", "1")])
        (folder / NAME).write_bytes(notebook.to_bytes(document))
        self.assertEqual(document, notebook.load(Bundle(folder, artifacts=ARTIFACTS)))


class Built(BundleCase):
    @classmethod
    def setUpClass(cls):
        bundle = Bundle(ROOT, artifacts=ARTIFACTS)
        cls.text, cls.results = decode(bundle.asset(CELLS), CELLS), bundle.once(results_file.load)
        cls.document = notebook.new(bundle)

    def test_a_title_six_sections_of_a_paragraph_and_a_cell_and_a_boundary(self):
        kinds = [cell["cell_type"] for cell in self.document["cells"]]
        self.assertEqual(["markdown"] + ["markdown", "code"] * 6 + ["markdown"], kinds)
        self.assertEqual(14, len({cell["id"] for cell in self.document["cells"]}))
        _, *ids, _ = [cell["id"] for cell in self.document["cells"]]
        self.assertEqual([f"{cell_id}-code" for cell_id in ids[::2]], ids[1::2])

    def test_nothing_has_run(self):
        for cell in self.document["cells"]:
            if cell["cell_type"] == "code":
                self.assertEqual((None, []), (cell["execution_count"], cell["outputs"]))

    def test_prose_names_the_round_the_commit_and_the_day_of_the_results(self):
        results = copy.deepcopy(self.results)
        results["round"], results["sources"]["retrieved"] = "v0.1", "1999-12-31"
        results["sources"]["results"]["commit"] = "f" * 40
        title = "".join(notebook.build(self.text, results)["cells"][0]["source"])
        self.assertIn(f"MLPerf® Inference v0.1, results repository at `{'f' * 40}`, retrieved 1999-12-31.\n", title)
        self.assertIn("Result not verified by MLCommons Association.", title)
        self.assertIn("The MLPerf name and logo are registered and unregistered trademarks of MLCommons", title)

    def test_it_ends_with_what_a_ratio_does_not_say(self):
        last = notebook.build(self.text, self.results)["cells"][-1]
        prose = " ".join("".join(last["source"]).split())
        self.assertEqual(("markdown", "boundary"), (last["cell_type"], last["id"]))
        for words in ("cause of nothing", "equal serving configuration", "no variance", "no cost and no energy",
                      "No row has measured power.", "A TGP note is not power.", "ranks no vendors"):  # fmt: skip
            self.assertIn(words, prose)
        measured = copy.deepcopy(self.results)
        measured["counts"]["rows_with_measured_power"] = 1
        self.assertNotIn("measured power", "".join(notebook.build(self.text, measured)["cells"][-1]["source"]))

    def test_no_number_is_typed_in_the_prose(self):
        prose = ["\n".join(cell.lines).lower() for cell in notebook.cells_of(self.text) if cell.is_prose]
        number = r"\d|\b(?:three|four|five|six|seven|eight|nine|ten|eleven|twelve|third|fourth|fifth|sixth)\b"
        self.assertEqual([], [text for text in prose if re.search(number, text.replace("99th", ""))])

    def altered(self, **changes: object) -> dict:
        """Return the results with other parts; 'a.b' spelled a__b."""
        results = copy.deepcopy(self.results)
        for path, value in changes.items():
            *folders, name = path.split("__")
            functools.reduce(dict.__getitem__, folders, results)[name] = value
        return results

    def test_prose_that_is_not_so_is_refused(self):
        fields = [field for field in self.results["matched_fields"] if field != "Model"]
        same = self.results["highlighted"]["same_system"]["offline_ids"]
        differing = ["Model", "MlperfModel", "nodes"]
        for changes, relation, words in (
            ({"counts__cells_compared": 1}, "every_cell_was_compared", "that every cell was compared"),
            ({"matched_fields": fields}, "the_label_is_matched", "that the label is matched"),
            (
                {"highlighted__same_system__differing_fields": differing},
                "only_the_model_differs",
                "that only the model differs",
            ),
            ({"highlighted__apart__offline_ids": same[:1]}, "apart_is_another_system", "that apart is another system"),
        ):
            with self.subTest(relation):
                line = next(n for n, text in enumerate(self.text.split("\n"), 1) if f" {relation}" in text)
                message = f"{CELLS}: line {line}, {relation}: found not so in the results; expected {words}"
                self.assert_refused([message], notebook.build, self.text, self.altered(**changes))

    def test_a_sentence_that_does_not_fit_the_results_is_left_out(self):
        told = "\nThe JSON was made again from the CSV."
        for grades, there in (({"reserialized": 1}, True), ({"sha256-published": 2}, False), ({}, False)):
            built = notebook.build(self.text, self.altered(sources__files_by_grade=grades))
            self.assertEqual(there, told in "".join(built["cells"][1]["source"]))

    def test_prose_holds_whatever_is_highlighted(self):
        ids = self.results["highlighted"]["same_system"]["offline_ids"]
        for changes in ({"highlighted__apart__offline_ids": []}, {"highlighted__same_system__offline_ids": ids[:2]}):
            built = notebook.build(self.text, self.altered(**changes))
            self.assertEqual(self.document["cells"], built["cells"])

    def test_cells_parse_and_hold_no_result(self):
        for cell in self.document["cells"]:
            tree = ast.parse("".join(cell["source"]) if cell["cell_type"] == "code" else "")
            numbers = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
            typed = {value for value in numbers if isinstance(value, (int, float)) and not isinstance(value, bool)}
            with self.subTest(cell=cell["id"]):
                self.assertLessEqual(typed, {0, 1, 100, 1_000_000})

    def test_the_script_writes_it_without_outputs(self):
        output = temporary_folder(self)
        (output / "results.json").write_bytes((ROOT / "results.json").read_bytes())
        finished = run(ROOT / "build_notebook.py", "--output", output)
        told = (finished.stdout, finished.stderr, finished.returncode)
        self.assertEqual(("analysis.ipynb: built, not run\n", "", 0), told)
        self.assertEqual(self.document, notebook.parse((output / NAME).read_bytes()))


class TheirText(BundleCase):
    """The file of the cells: its form, and everything in it that is refused."""

    @classmethod
    def setUpClass(cls):
        results = Bundle(ROOT, artifacts=ARTIFACTS).once(results_file.load)
        cls.results = {**results, "round": "v0.1", "sources": {**results["sources"], "retrieved": "today"}}

    def cells(self, text: str) -> list[tuple[str, str, str]]:
        """Return the cells of a text: (type, id, source)."""
        cells = notebook.build(text, self.results)["cells"]
        return [(cell["cell_type"], cell["id"], "".join(cell["source"])) for cell in cells]

    def refused(self, text: str, *lines: str) -> None:
        self.assert_refused([f"{CELLS}: {line}" for line in lines], notebook.build, text, self.results)

    def test_cells_of_both_kinds(self):
        text = (
            '"""Not shown."""\n\n# %% [markdown] a-title\n# # T, {round}\n# :: definition\n#\n# of\n#   {sources.retrieved}\n'
            "# :: definition\n\n# %% a\nx = {1}\n# a comment {2}\n# :: x\n\n\ny = '# %% b'\n"
        )
        source = "x = {1}\n# a comment {2}\n# :: x\n\n\ny = '# %% b'"
        self.assertEqual([("markdown", "a-title", "# T, v0.1\n\nof\n  today"), ("code", "a", source)], self.cells(text))

    def test_the_words_that_the_rules_ask_for(self):
        ((_, _, prose),) = self.cells("# %% [markdown] a\n# {benchmark} {unverified}\n# {notice}\n# :: definition")
        start = "MLPerf® Result not verified by MLCommons Association.\nNot endorsed by MLCommons or any submitter. The MLPerf name and logo"
        self.assertTrue(prose.startswith(start), prose)

    def test_no_cell(self):
        opening = "found no cell; expected a line # %% ID or # %% [markdown] ID"
        for text in ("", '"""The cells."""\n\nprint(1)\n', "# a %% b\n"):
            self.refused(text, f"line 1: {opening}")

    def test_a_line_that_opens_no_cell_though_it_is_meant_to(self):
        for line in (
            "#%% a", "# %%", "# %% ", "# %% A", "# %% a b", "# %% a-", "# %% a1", "# %% [markdown]", "# %% [markdow] a",
            " # %% a", "# %%% a", "# %% a ",
        ):  # fmt: skip
            with self.subTest(line):
                message = f"line 3: found {line!r}; expected # %% ID or # %% [markdown] ID"
                self.refused(f"# %% first\nx = 1\n{line}\ny = 2\n", message)

    def test_a_repeated_id(self):
        text = "# %% [markdown] a\n# A\n# %% b\n1\n# %% a\n2\n# %% a\n3\n"
        told = "found the id of line 1; expected an id of its own"
        self.refused(text, f"line 5, a: {told}", f"line 7, a: {told}")

    def test_prose_that_is_no_comment(self):
        text = "# %% [markdown] a\n# A\n\nx = 1\n#no blank\n#\n# %% b\nx = 1\n"
        expected = "expected prose after '# '"
        self.refused(text, f"line 4, a: found 'x = 1'; {expected}", f"line 5, a: found '#no blank'; {expected}")

    def test_places_that_cannot_be_filled_are_all_told(self):
        text = (
            "# %% [markdown] a\n# {round} and\n# {sources.checker.commits} are\n# :: definition\n# %% b\nx\n"
            "# %% [markdown] c\n#\n# {round:count} {round.first}\n# :: definition\n"
        )
        self.refused(
            text,
            "line 3, {sources.checker.commits}: found no 'commits'; expected one of repository, commit, path",
            "line 9, {round:count}: found 'v0.1'; expected int",
            "line 9, {round.first}: found no 'first'; expected a path to a value",
        )

    def test_a_place_of_no_form(self):
        for place in ("{round", "round}"):
            text = f"# %% b\nx\n# %% [markdown] a\n#\n# {place}\n# :: definition\n"
            with self.assertRaises(BundleError) as caught:
                notebook.build(text, self.results)
            self.assertTrue(str(caught.exception).startswith(f"{CELLS}: line 5: found "), caught.exception)

    def test_prose_that_rests_on_nothing_or_on_no_relation(self):
        text = "# %% [markdown] a\n# # A\n#\n# B\n# :: nothing, definition\n"
        under = "expected a line ':: relation' or ':: definition' under them"
        self.refused(
            text,
            f"line 2: found words that rest on nothing; {under}",
            "line 5, nothing: found no such relation; expected definition, a relation of show/relations.py, or a path to a value",
        )

    def test_the_scripts_name_the_line_and_leave_the_notebook_as_it_was(self):
        root = copied_bundle(self)
        before = (root / NAME).read_bytes()
        text = (root / CELLS).read_text(encoding="utf-8").replace("{sources.retrieved}", "{sources.results.day}", 1)
        (root / CELLS).write_text(text, encoding="utf-8")
        line = text[: text.index("{sources.results.day}")].count("\n") + 1
        for script in ("build_notebook.py", "execute_notebook.py"):
            finished = run(root / script, "--root", root)
            self.assertEqual((1, ""), (finished.returncode, finished.stdout))
            self.assertEqual(
                f"{CELLS}: line {line}, {{sources.results.day}}: found no 'day'; expected one of repository, commit\n",
                finished.stderr,
            )
            self.assertEqual(before, (root / NAME).read_bytes())


if __name__ == "__main__":
    unittest.main()
