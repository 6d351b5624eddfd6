"""What closes the bundle: how to cite it, the crate, the sums, the archive."""

from __future__ import annotations

import functools
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path
from unittest import mock

from scenario_ratio import pinned
from scenario_ratio.bundle import Bundle
from scenario_ratio.proof import packing
from tests.support import ABC as THREE
from tests.support import (
    ROOT,
    BundleCase,
    copied_bundle,
    interpreters,
    opened,
    run,
    temporary_folder,
    whole_copy,
    written,
)

try:
    from rocrate.rocrate import ROCrate
except ImportError:
    ROCrate = None

# SHA-256 of 'abc' and of nothing: the examples of FIPS 180-4's test vectors.
ABC = THREE["sha256"]
NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
NOT_IN_THE_CRATE = ("ro-crate-metadata.json", "SHA256SUMS")


def bundle_of(test: BundleCase, files: dict[str, bytes]) -> Bundle:
    """Return the bundle of a new folder with these files, in which nothing is made."""
    folder = temporary_folder(test)
    for name, raw in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(raw)
    return Bundle(folder)


class Citation(BundleCase):
    @classmethod
    def setUpClass(cls):
        cls.text = packing.make_citation(Bundle(ROOT)).decode("utf-8")
        # The top level of this file is one 'key: value' a line; what is indented belongs to the key above.
        cls.top = dict(re.findall(r"^([a-z-]+):(?: (.*))?$", cls.text, re.MULTILINE))

    def test_it_has_what_version_1_2_0_demands(self):
        self.assertEqual("1.2.0", self.top["cff-version"])
        for key in ("message", "title", "authors"):
            self.assertIn(key, self.top)
        self.assertEqual("dataset", self.top["type"])

    def test_the_only_authors_of_the_bundle_are_a_group_and_no_person_is_named(self):
        own = self.text.partition("\nreferences:")[0]
        self.assertIn("\nauthors:\n  - name: Contributors to the Server/Offline ratio bundle\n", own)
        self.assertNotRegex(own, "family-names|given-names|orcid|email|alias")

    def test_the_paper_is_cited_that_the_benchmark_asks_to_cite(self):
        # As in the README of github.com/mlcommons/inference: reddi2019mlperf, eprint 1911.02549.
        self.assertIn(
            '\nreferences:\n  - type: article\n    title: "MLPerf Inference Benchmark"\n    authors:\n'
            "      - family-names: Reddi\n        given-names: Vijay Janapa\n      - name: et al.\n    year: 2019\n"
            '    url: "https://arxiv.org/abs/1911.02549"\n',
            self.text,
        )

    def test_it_says_the_round_the_date_and_the_commits_of_the_record(self):
        record = json.loads((ROOT / "sources/acquisition.json").read_bytes())
        self.assertEqual('"The Server/Offline ratio is workload-specific: MLPerf® Inference v6.1"', self.top["title"])
        self.assertIn("MLPerf® Inference: Datacenter v6.1,\n", self.text)
        self.assertEqual(f'"{record["acquired"]}"', self.top["date-released"])
        places = {(entry["repository"], entry["commit"]) for entry in record["files"] + record["referenced"]}
        found = re.findall(r'repository: "(.*)"\n    commit: (.*)', self.text)
        self.assertEqual(sorted(places), sorted(found))

    def test_it_is_the_newest_release_of_the_changelog(self):
        changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        heading = f"## {self.top['version']} ({self.top['date-released'].strip(chr(34))})"
        self.assertEqual(heading, re.search(r"^## \d.*$", changelog, re.MULTILINE)[0])

    def test_it_is_the_one_that_is_saved(self):
        self.assertEqual((ROOT / "CITATION.cff").read_text(encoding="utf-8"), self.text)

    def test_what_is_chosen_stands_quoted_and_wrapped(self):
        chosen = {
            "NAME": 'A "title": with marks', "SUBJECT": "Every ratio of it " * 12 + "checked", "ROUND": "v9.9",
            "CAUTION": "Not verified.",
        }  # fmt: skip
        with mock.patch.multiple(packing, **chosen), mock.patch.object(pinned, "VERSION", "2.0.1"):
            text = packing.make_citation(Bundle(ROOT)).decode("utf-8")
        self.assertIn('\ntitle: "A \\"title\\": with marks"\n', text)
        self.assertIn("\nversion: 2.0.1\n", text)
        self.assertIn('\n    title: "MLPerf® Inference v9.9 results"\n', text)
        abstract = text.partition(">-\n")[2].partition("\nversion")[0].split("\n")
        self.assertEqual("Every ratio of it " * 12 + "checked. Not verified.", " ".join(map(str.strip, abstract)))
        self.assertTrue(all(line.startswith("  ") and len(line) <= 120 for line in abstract), abstract)

    def test_the_title_is_typed_in_one_source_alone(self):
        made = {row.name for row in opened(ROOT).artifacts}
        sources = [name for name in opened(ROOT).listed() if name not in made and not name.startswith("tests/")]
        words = re.compile(r"\s+".join(map(re.escape, pinned.TITLE.split())), re.IGNORECASE)
        typed = [name for name in sources if words.search((ROOT / name).read_text(encoding="utf-8"))]
        self.assertEqual(["scenario_ratio/pinned.py"], typed)


class Crate(BundleCase):
    @classmethod
    def setUpClass(cls):
        cls.crate = json.loads(packing.make_crate(opened(ROOT)))
        cls.entities = {entity["@id"]: entity for entity in cls.crate["@graph"]}

    def test_the_descriptor_is_that_of_ro_crate_1_1(self):
        # https://www.researchobject.org/ro-crate/specification/1.1/root-data-entity.html
        self.assertEqual("https://w3id.org/ro/crate/1.1/context", self.crate["@context"][0])
        self.assertEqual(
            {
                "@id": "ro-crate-metadata.json",
                "@type": "CreativeWork",
                "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
                "about": {"@id": "./"},
            },
            self.crate["@graph"][0],
        )

    def test_the_root_has_what_the_specification_demands(self):
        root = self.entities["./"]
        self.assertEqual("Dataset", root["@type"])
        self.assertEqual("2026-11-30", root["datePublished"])
        self.assertEqual("The Server/Offline ratio is workload-specific: MLPerf® Inference v6.1", root["name"])
        self.assertIn("Result not verified by MLCommons Association.", root["description"])
        self.assertEqual("Apache License 2.0", self.entities[root["license"]["@id"]]["name"])
        self.assertEqual(
            [
                "https://github.com/mlcommons/inference_results_v6.1/tree/4bb63cd28eb136be221bc801a9e38c66c8a7553f",
                "https://github.com/mlcommons/inference/tree/3fbc329939999c13d0a7b5e67fb2092287e06047",
            ],
            [source["@id"] for source in root["isBasedOn"]],
        )

    def test_every_file_is_a_part_with_size_and_digest(self):
        names = [name for name in opened(ROOT).listed() if name not in NOT_IN_THE_CRATE]
        self.assertEqual(names, [part["@id"] for part in self.entities["./"]["hasPart"]])
        self.assertEqual(names, [entity["@id"] for entity in self.crate["@graph"] if entity["@type"] == "File"])
        for name in names:
            raw = (ROOT / name).read_bytes()
            facts = self.entities[name]
            self.assertEqual(
                (str(len(raw)), hashlib.sha256(raw).hexdigest()), (facts["contentSize"], facts["sha256"]), name
            )

    def test_every_reference_leads_to_an_entity_and_no_entity_comes_twice(self):
        self.assertEqual(len(self.entities), len(self.crate["@graph"]))
        root = self.entities["./"]
        for reference in (*root["hasPart"], *root["isBasedOn"], root["license"]):
            self.assertIn(reference["@id"], self.entities)

    def test_types_are_those_of_the_files(self):
        files = {
            "a.csv": b"", "b.ipynb": b"", "c.svg": b"", "d": b"text", "e": b"\0", ".f": b"", "g.py": b"", "LICENSE": b""
        }  # fmt: skip
        self.assertEqual(
            {
                "a.csv": "text/csv", "b.ipynb": "application/x-ipynb+json", "c.svg": "image/svg+xml", "d": "text/plain",
                "e": "application/octet-stream", ".f": "text/plain", "g.py": "text/x-python", "LICENSE": "text/plain",
            },
            {name: packing.media_type(name, raw) for name, raw in files.items()},
        )  # fmt: skip

    def test_the_crate_does_not_depend_on_itself_or_on_the_sums(self):
        root = copied_bundle(self, "data", "sources")
        before = packing.make_crate(opened(root))
        (root / "ro-crate-metadata.json").write_bytes(b"x")
        (root / "SHA256SUMS").write_bytes(b"x")
        self.assertEqual(before, packing.make_crate(opened(root)))
        (root / "data/claims.json").write_bytes(b"x")
        self.assertNotEqual(before, packing.make_crate(opened(root)))


@unittest.skipIf(ROCrate is None, "needs rocrate")
class InItsOwnLibrary(BundleCase):
    def test_rocrate_reads_it(self):
        root = whole_copy()
        crate = ROCrate(root)
        self.assertEqual("1.1", crate.version)
        self.assertEqual("The Server/Offline ratio is workload-specific: MLPerf® Inference v6.1", crate.name)
        self.assertEqual("2026-11-30", crate.root_dataset["datePublished"])
        summary = crate.get("data/summary.csv")
        self.assertEqual("File", summary.type)
        # The digest published for the pinned commit.
        self.assertEqual("87980a2dfba85139ca806b63634305bcbc4ad6803bf2d520351e022ba905065a", summary["sha256"])
        self.assertEqual(
            [name for name in opened(root).listed() if name not in NOT_IN_THE_CRATE],
            sorted(part.id for part in crate.data_entities),
        )

    def test_rocrate_writes_every_file_again(self):
        root = copied_bundle(self, "data", "scenario_ratio", "sources")
        (root / "ro-crate-metadata.json").write_bytes(packing.make_crate(opened(root)))
        target = temporary_folder(self) / "written"
        ROCrate(root).write(target)
        self.assertEqual(
            [name for name in opened(root).listed() if name != "ro-crate-metadata.json"],
            [name for name in opened(target).listed() if name != "ro-crate-metadata.json"],
        )


class Sums(BundleCase):
    def test_a_line_is_digest_two_blanks_name(self):
        bundle = bundle_of(self, {"a/b.txt": b"abc", "B": b""})
        self.assertEqual(f"{NOTHING}  B\n{ABC}  a/b.txt\n".encode("ascii"), packing.make_sums(bundle))

    def test_every_file_but_the_list_and_the_archive_is_listed(self):
        root = copied_bundle(self, "data", "scenario_ratio")
        for name in ("SHA256SUMS", "reproducibility.zip", "z"):
            (root / name).write_bytes(b"")
        listed = packing.parse_sums(packing.make_sums(opened(root)))
        self.assertEqual([name for name in opened(root).listed() if name != "SHA256SUMS"], list(listed))
        self.assertEqual(NOTHING, listed["z"])

    @unittest.skipUnless(shutil.which("sha256sum"), "needs sha256sum")
    def test_sha256sum_accepts_the_list_of_the_whole_bundle(self):
        root = copied_bundle(self)
        checked = subprocess.run(
            ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=root, capture_output=True, text=True
        )
        self.assertEqual((0, "", ""), (checked.returncode, checked.stdout, checked.stderr))
        (root / "analyze.py").write_bytes(b"abc")
        checked = subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=root, capture_output=True)
        self.assertEqual(b"analyze.py: FAILED\n", checked.stdout)

    def test_a_name_that_needs_escaping_is_refused(self):
        root = temporary_folder(self)
        (root / "back\\slash").write_bytes(b"")
        self.assert_refused(
            ["back\\\\slash: found an unusual character; expected only letters, digits and . _ + @ = , - in names"],
            packing.make_sums,
            opened(root),
        )


class SumsRead(BundleCase):
    def test_every_line_of_another_form_is_told(self):
        lines = [
            f"{ABC}  a",
            f"{ABC} b",
            f"{ABC[:-1]}  c",
            f"{ABC.upper()}  d",
            f"{ABC} *e",
            "",
            f"{ABC}  f  g",
            f"{ABC}  h",
        ]
        form = "expected a SHA-256, two blanks and a name"
        self.assert_refused(
            [
                f"SHA256SUMS: line 2: found '{ABC} b'; {form}",
                f"SHA256SUMS: line 3: found '{ABC[:-1]}  c'; {form}",
                f"SHA256SUMS: line 4: found '{ABC.upper()}  d'; {form}",
                f"SHA256SUMS: line 5: found '{ABC} *e'; {form}",
                f"SHA256SUMS: line 6: found ''; {form}",
                f"SHA256SUMS: line 7: found '{ABC}  f  g'; {form}",
                f"SHA256SUMS: line 9: found 'x'; {form}",
            ],
            packing.parse_sums,
            ("\n".join(lines) + "\nx").encode("ascii"),
        )

    def test_other_line_ends_are_refused(self):
        self.assert_refused(
            ["SHA256SUMS: line 1: found a carriage return; expected LF line endings"],
            packing.parse_sums,
            f"{ABC}  a\r\n".encode("ascii"),
        )


class SumsCompared(BundleCase):
    def setUp(self):
        self.root = temporary_folder(self)
        for name in ("a", "b", "c"):
            (self.root / name).write_bytes(b"abc")
        self.lines = [f"{ABC}  a\n", f"{ABC}  b\n", f"{ABC}  c\n"]
        self.write()

    def write(self):
        (self.root / "SHA256SUMS").write_bytes("".join(self.lines).encode("ascii"))

    def test_a_whole_bundle_has_no_problem(self):
        self.assert_problems([], packing.sums_problems(opened(self.root)))

    def test_changed_missing_and_extra_files_are_all_told(self):
        (self.root / "a").write_bytes(b"")
        (self.root / "b").unlink()
        (self.root / "d").write_bytes(b"abc")
        self.assert_problems(
            [
                f"a: sha256: found {NOTHING}; expected {ABC} (SHA256SUMS). Fetch the bundle again, or run reproduce.py.",
                "b: found no such file; expected the file that SHA256SUMS lists",
                "d: found a file on no list; expected only the files that SHA256SUMS lists",
            ],
            packing.sums_problems(opened(self.root)),
        )

    def test_a_list_that_is_missing_or_broken_is_told(self):
        self.lines[1] = "b\n"
        self.write()
        self.assert_problems(
            ["SHA256SUMS: line 2: found 'b'; expected a SHA-256, two blanks and a name"],
            packing.sums_problems(opened(self.root)),
        )
        (self.root / "SHA256SUMS").unlink()
        self.assert_problems(
            ["SHA256SUMS: found no such file; expected a regular file"], packing.sums_problems(opened(self.root))
        )

    def test_a_link_in_place_of_a_file_is_told(self):
        (self.root / "a").unlink()
        (self.root / "a").symlink_to("b")
        self.assert_problems(
            ["a: found a symbolic link; expected a regular file"], packing.sums_problems(opened(self.root))
        )

    def test_what_cannot_be_read_hides_nothing_else(self):
        self.lines.append(f"{ABC}  results.json\n")
        self.write()
        (self.root / "results.json").mkdir()  # a derived file, which is looked for by name
        (self.root / "a").unlink()
        (self.root / "a").symlink_to("b")
        (self.root / "c").write_bytes(b"")
        self.assert_problems(
            [
                "a: found a symbolic link; expected a regular file",
                "results.json: found a directory or device; expected a regular file",
                f"c: sha256: found {NOTHING}; expected {ABC} (SHA256SUMS). Fetch the bundle again, or run reproduce.py.",
            ],
            packing.sums_problems(opened(self.root)),
        )

    def test_what_is_compared_is_what_is_saved_and_not_what_was_just_made(self):
        row = next(row for row in opened(self.root).artifacts if row.name == "results.json")
        one = Bundle(self.root, None, (row._replace(make=lambda bundle: b"abc"),))
        one.made(one.artifacts[0])
        self.lines.append(f"{ABC}  results.json\n")
        self.write()
        self.assert_problems(["results.json: found no such file; expected a regular file"], packing.sums_problems(one))


class Archive(BundleCase):
    def test_order_times_modes_and_method_are_fixed(self):
        raw = packing.make_archive(bundle_of(self, {"b.py": b"#!/usr/bin/env python3\n", "a/c.txt": b"c" * 1000}))
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            found = [
                (m.filename, m.date_time, oct(m.external_attr >> 16), m.create_system, m.compress_type, m.extra)
                for m in archive.infolist()
            ]
        fixed = (1980, 1, 1, 0, 0, 0)
        self.assertEqual(
            [
                ("server-offline-ratio/a/c.txt", fixed, "0o100644", 3, zipfile.ZIP_STORED, b""),
                ("server-offline-ratio/b.py", fixed, "0o100755", 3, zipfile.ZIP_STORED, b""),
            ],
            found,
        )

    def test_windows_makes_the_same_bytes(self):
        bundle = bundle_of(self, {"a": b"abc", "b.py": b"#!"})
        here = packing.make_archive(bundle)
        with mock.patch.object(sys, "platform", "win32"):
            self.assertEqual(0, zipfile.ZipInfo("a").create_system)
            self.assertEqual(here, packing.make_archive(bundle))

    def test_the_bytes_are_those_written_down_here(self):
        # A zip of one stored file 'a' with the content 'abc', put together by hand from APPNOTE.TXT 4.3:
        # CRC-32 of 'abc' is 352441c2; the time 1980-01-01 00:00 is 0021 0000.
        name = b"server-offline-ratio/a"
        head = bytes.fromhex("1400 0000 0000 0000 2100 c2412435 03000000 03000000") + bytes([len(name), 0, 0, 0])
        local = b"PK\x03\x04" + head + name + b"abc"
        central = b"PK\x01\x02\x14\x03" + head + bytes(6) + bytes.fromhex("0000a481") + bytes(4) + name
        end = b"PK\x05\x06" + bytes(4) + bytes([1, 0, 1, 0, len(central), 0, 0, 0, len(local), 0, 0, 0, 0, 0])
        self.assertEqual(local + central + end, packing.make_archive(bundle_of(self, {"a": b"abc"})))

    def test_every_python_makes_the_same_bytes_wherever_it_runs(self):
        root, digests = whole_copy(), {}
        names = ("CITATION.cff", "ro-crate-metadata.json", "SHA256SUMS", "reproducibility.zip", "notebook.html")
        for number, (version, python) in enumerate(interpreters().items()):
            output = temporary_folder(self)
            for name in ("results.json", "analysis.ipynb"):  # which the page beside the archive is made of
                shutil.copyfile(root / name, output / name)
            surroundings = {**os.environ, "TZ": ("Asia/Tokyo", "UTC")[number % 2], "LC_ALL": "C"}
            done = run(
                ROOT / "pack.py", "--root", root, "--output", output, python=python, env=surroundings, cwd=output
            )
            self.assertEqual((0, ""), (done.returncode, done.stderr), version)
            self.assertEqual("".join(f"{name}: new\n" for name in names), done.stdout)
            digests[version] = [hashlib.sha256((output / name).read_bytes()).hexdigest() for name in names]
        self.assertEqual(1, len(set(map(tuple, digests.values()))), digests)


@functools.lru_cache(None)
def packed() -> bytes:
    """Return the archive of the whole bundle."""
    return packing.make_archive(opened(whole_copy()))


class Unpacked(BundleCase):
    def unpacked(self) -> Path:
        """Return the folder that unpacking the archive of the bundle makes."""
        folder = temporary_folder(self)
        with zipfile.ZipFile(io.BytesIO(packed())) as archive:
            self.assertIsNone(archive.testzip())
            archive.extractall(folder)
        self.assertEqual(["server-offline-ratio"], os.listdir(folder))
        return folder / "server-offline-ratio"

    def test_it_holds_every_file_of_the_bundle_with_its_bytes(self):
        folder = self.unpacked()
        names = opened(whole_copy()).listed()
        self.assertEqual(names, opened(folder).listed())
        for name in names:
            self.assertEqual((whole_copy() / name).read_bytes(), (folder / name).read_bytes(), name)

    def test_reproduce_works_in_it_and_changes_nothing(self):
        folder = self.unpacked()
        before = {name: (folder / name).read_bytes() for name in opened(folder).listed()}
        done = run("reproduce.py", cwd=folder)
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        after = {name: (folder / name).read_bytes() for name in opened(folder).listed()}
        self.assertEqual([], [name for name in after if before.get(name) != after[name]])
        self.assertEqual(list(before), list(after))

    def test_unittest_finds_the_same_tests_in_it_and_runs_them(self):
        folder = self.unpacked()
        listing = (
            "import unittest\n"
            "def names(suite):\n"
            "    for test in suite:\n"
            "        yield from names(test) if isinstance(test, unittest.TestSuite) else [test.id()]\n"
            "print(*sorted(names(unittest.defaultTestLoader.discover('.'))), sep='\\n')"
        )
        lists = [
            subprocess.run([sys.executable, "-B", "-c", listing], cwd=place, capture_output=True, text=True)
            for place in (whole_copy(), folder)
        ]
        self.assertIn(self.id(), lists[0].stdout.split("\n"))
        self.assertEqual(lists[0].stdout, lists[1].stdout)
        # All of them run in the project itself; here those of two modules, so that this test does not run itself.
        command = [sys.executable, "-B", "-m", "unittest", "tests.test_wording", "tests.test_shape"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        self.assertEqual(0, done.returncode, done.stderr)

    def test_an_output_elsewhere_is_packed_in_place_of_what_is_saved(self):
        output = written(temporary_folder(self), "results.json", "notes.txt")
        with zipfile.ZipFile(io.BytesIO(packing.make_archive(opened(whole_copy(), output)))) as archive:
            self.assertEqual(b"results.json", archive.read("server-offline-ratio/results.json"))
            self.assertNotIn("server-offline-ratio/notes.txt", archive.namelist())


if __name__ == "__main__":
    unittest.main()
