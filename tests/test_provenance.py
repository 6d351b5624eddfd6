"""provenance.json: every upstream file with its origin and digests; every file that is not as recorded is named."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import unittest
from collections import Counter
from typing import Iterator

from scenario_ratio.proof import provenance
from tests.support import ABC, ROOT, BundleCase, held, opened, run, small_record, temporary_folder

RESULTS = "https://github.com/mlcommons/inference_results_v6.1"
PINNED = "4bb63cd28eb136be221bc801a9e38c66c8a7553f"
LOG = "sources/results/closed/log.txt"
CONSTANTS, LICENCE = "sources/checker_constants.py", "sources/LICENSE-MLCommons.md"
HINT = (
    "(sources/acquisition.json). The file is not the one that was acquired; fetch the bundle again, or run acquire.py."
)


UPSTREAM = ("repository", "path", "url")  # keys whose values name what lies elsewhere


def local_names(value: object, key: str = "") -> Iterator[str]:
    """Yield each name of a file that a record or manifest gives, in a note too, but for those of upstream files."""
    if isinstance(value, str) and key not in UPSTREAM:
        yield from [value] if key == "file" else re.findall(r"[\w./-]+\.(?:json|py|csv|md|txt)\b", value)
    elif isinstance(value, (dict, list)):
        members = value.items() if isinstance(value, dict) else ((key, member) for member in value)
        for inner, member in members:
            yield from local_names(member, inner)


class Manifest(BundleCase):
    @classmethod
    def setUpClass(cls):
        cls.manifest = json.loads(provenance.make_manifest(opened(ROOT)))
        cls.record = json.loads((ROOT / "sources/acquisition.json").read_bytes())

    def test_every_upstream_file_is_there_with_the_digests_of_its_bytes(self):
        self.assertEqual(295, len(self.manifest["files"]))
        for entry in self.manifest["files"] + self.manifest["own_sources"]:
            raw = (ROOT / entry["file"]).read_bytes()
            self.assertEqual(len(raw), entry["bytes"])
            self.assertEqual(hashlib.sha256(raw).hexdigest(), entry["sha256"])

    @unittest.skipUnless(shutil.which("git"), "needs Git")
    def test_blob_digests_are_those_that_git_gives(self):
        entries = self.manifest["files"] + self.manifest["own_sources"]
        names = "".join(f"{entry['file']}\n" for entry in entries)
        command = ["git", "hash-object", "--no-filters", "--stdin-paths"]
        done = subprocess.run(command, cwd=ROOT, input=names, capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.split(), [entry["git_blob_sha1"] for entry in entries])

    def test_every_url_names_the_immutable_commit(self):
        summary = self.manifest["files"][0]
        self.assertEqual((RESULTS, PINNED, "summary.csv"), tuple(summary[k] for k in ("repository", "commit", "path")))
        self.assertEqual(
            f"https://raw.githubusercontent.com/mlcommons/inference_results_v6.1/{PINNED}/summary.csv", summary["url"]
        )
        for part in ("files", "not_available", "referenced"):
            for entry in self.manifest[part]:
                place = entry["repository"].replace("https://github.com", "https://raw.githubusercontent.com")
                self.assertEqual(f"{place}/{entry['commit']}/{entry['path']}", entry["url"])

    def test_the_three_grades_stay_apart_and_are_explained_as_recorded(self):
        self.assertEqual(
            {"sha256-published": 1, "reserialized": 1, "fork-copy": 293},
            Counter(entry["obtained"] for entry in self.manifest["files"]),
        )
        self.assertEqual(
            [("sha256-published", 1), ("reserialized", 1), ("fork-copy", 293)],
            [(grade["obtained"], grade["files"]) for grade in self.manifest["grades"]],
        )
        self.assertEqual(
            self.record["obtained"], {grade["obtained"]: grade["verified"] for grade in self.manifest["grades"]}
        )

    def test_what_is_not_here_is_listed(self):
        self.assertEqual(
            [(entry["row"], entry["path"], PINNED) for entry in self.record["not_available"]],
            [(entry["row"], entry["path"], entry["commit"]) for entry in self.manifest["not_available"]],
        )
        self.assertEqual(12, len(self.manifest["not_available"]))
        self.assertEqual(
            ["constants.py", "test_settings.h", "README.md", "README.md", "LICENSE.md"],
            [entry["path"].rsplit("/")[-1] for entry in self.manifest["referenced"]],
        )
        for entry, recorded in zip(self.manifest["referenced"], self.record["referenced"]):
            self.assertEqual(recorded, {key: value for key, value in entry.items() if key != "url"})

    def test_the_sources_written_here_say_what_they_go_back_to(self):
        upstream = {entry["file"]: entry.get("upstream", {}).get("path") for entry in self.manifest["own_sources"]}
        self.assertEqual(
            {
                "sources/acquisition.json": None,
                "sources/checker_constants.py": "tools/submission/submission_checker/constants.py",
                "sources/LICENSE-MLCommons.md": "LICENSE.md",
            },
            upstream,
        )
        licence = self.manifest["own_sources"][-1]
        self.assertEqual(
            (10174, "f433b1a53f5b830a205fd2df78e2b34974656c7b"), (licence["bytes"], licence["git_blob_sha1"])
        )

    def test_every_file_that_is_named_as_one_of_the_bundle_is_there(self):
        for name, told in (("sources/acquisition.json", self.record), ("provenance.json", self.manifest)):
            named = set(local_names(told))
            self.assertEqual([], sorted(one for one in named if not (ROOT / one).is_file()), name)
            self.assertTrue({"data/summary.csv", "sources/checker_constants.py"} <= named, name)

    def test_the_script_runs_on_python_alone(self):
        output = temporary_folder(self)
        done = run(ROOT / "build_provenance.py", "--output", output, cwd=output)
        self.assertEqual(("provenance.json: new\n", "", 0), (done.stdout, done.stderr, done.returncode))
        self.assertEqual(self.manifest, json.loads((output / "provenance.json").read_bytes()))


class Faults(BundleCase):
    """A bundle of a few files that all read 'abc', broken in every way."""

    def setUp(self):
        self.root = temporary_folder(self)
        self.record = small_record()
        self.record["files"].append(held(LOG, LOG[len("sources/results/") :]))
        names = [*(entry["file"] for entry in self.record["files"]), LICENCE, CONSTANTS, "data/selected_rows.json"]
        for name in names:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_bytes(b"abc")
        self.write_record()

    def write_record(self) -> None:
        (self.root / "sources/acquisition.json").write_text(json.dumps(self.record), encoding="utf-8")

    def assert_faults(self, *lines: str) -> int:
        return self.assert_refused(list(lines), provenance.make_manifest, opened(self.root)).exit_code

    def test_it_is_whole_to_begin_with(self):
        manifest = json.loads(provenance.make_manifest(opened(self.root)))
        self.assertEqual([ABC] * 3, [{key: entry[key] for key in ABC} for entry in manifest["files"]])

    def test_derived_files_may_be_elsewhere(self):
        (self.root / "data/selected_rows.json").unlink()
        provenance.make_manifest(opened(self.root))

    def test_a_changed_byte_is_told(self):
        (self.root / LOG).write_bytes(b"abd")
        # SHA-256 of 'abd' as sha256sum gives it.
        found = "a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9"
        self.assertEqual(1, self.assert_faults(f"{LOG}: sha256: found {found}; expected {ABC['sha256']} {HINT}"))

    def test_a_file_of_another_size_is_told(self):
        (self.root / "data/summary.csv").write_bytes(b"abc\n")
        self.assert_faults(f"data/summary.csv: bytes: found 4; expected 3 {HINT}")

    def test_a_changed_licence_is_told_by_its_git_blob(self):
        del self.record["referenced"][1]["sha256"]  # the record of the bundle has none of the licence
        self.write_record()
        (self.root / LICENCE).write_bytes(b"ABC")
        found = hashlib.sha1(b"blob 3\0ABC").hexdigest()
        self.assert_faults(f"{LICENCE}: git_blob_sha1: found {found}; expected {ABC['git_blob_sha1']} {HINT}")

    def test_everything_wrong_is_told_at_once(self):
        (self.root / "data/summary.json").unlink()
        (self.root / "data/summary.csv").write_bytes(b"")
        (self.root / "data/notes.txt").write_bytes(b"")
        (self.root / LOG).unlink()
        (self.root / LOG).mkdir()
        (self.root / CONSTANTS).unlink()
        (self.root / CONSTANTS).symlink_to("acquisition.json")
        (self.root / "sources/results/latest").symlink_to("closed")
        (self.root / "data/rounds.json").symlink_to("summary.csv")
        only = "found a file on no list; expected only the files of sources/acquisition.json and the bundle's own"
        link = "found a symbolic link; expected a regular file"
        code = self.assert_faults(
            "data/summary.json: found no such file; expected a regular file",
            f"{LOG}: found a directory or device; expected a regular file",
            f"{CONSTANTS}: {link}",
            f"data/summary.csv: bytes: found 0; expected 3 {HINT}",
            f"data/rounds.json: {link}",
            f"sources/results/latest: {link}",
            f"data/notes.txt: {only}",
        )
        self.assertEqual(2, code)

    def test_what_is_made_may_be_missing_and_nothing_else_of_its_name_stands_below_data(self):
        (self.root / "data/selected_rows.json").unlink()
        (self.root / "data/selected_rows.csv").write_bytes(b"")
        only = "found a file on no list; expected only the files of sources/acquisition.json and the bundle's own"
        self.assertEqual(1, self.assert_faults(f"data/selected_rows.csv: {only}"))

    def test_a_folder_that_is_a_link(self):
        (self.root / "data").rename(self.root / "elsewhere")
        (self.root / "data").symlink_to("elsewhere")
        found = "found a symbolic link: data; expected a folder of its own"
        self.assertEqual(1, self.assert_faults(f"data/summary.csv: {found}", f"data/summary.json: {found}"))

    def test_files_elsewhere_do_not_matter(self):
        (self.root / "notes").mkdir()
        (self.root / "notes/a b").symlink_to("nowhere")
        provenance.make_manifest(opened(self.root))

    def test_nothing_is_written_when_something_is_wrong(self):
        (self.root / "data/summary.csv").unlink()
        output = temporary_folder(self)
        done = run(ROOT / "build_provenance.py", "--root", self.root, "--output", output)
        expected = "data/summary.csv: found no such file; expected a regular file\n"
        self.assertEqual((2, "", expected), (done.returncode, done.stdout, done.stderr))
        self.assertEqual([], list(output.iterdir()))


if __name__ == "__main__":
    unittest.main()
