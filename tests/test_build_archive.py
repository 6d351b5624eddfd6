"""reproducibility.zip: the same bytes everywhere, and a whole bundle once unpacked."""

import hashlib
import io
import os
import subprocess
import sys
import unittest
import zipfile
from unittest import mock

import build_archive

from scenario_ratio import bundle
from tests.support import ROOT, BundleCase, copied_bundle, interpreters, run, temporary_folder


def unpacked(test: unittest.TestCase) -> "os.PathLike":
    """Return the folder that unpacking the archive of the bundle makes."""
    folder = temporary_folder(test)
    raw = build_archive.outputs(ROOT, ROOT)["reproducibility.zip"]
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        test.assertIsNone(archive.testzip())
        archive.extractall(folder)
    test.assertEqual(["server-offline-ratio"], os.listdir(folder))
    return folder / "server-offline-ratio"


class Form(BundleCase):
    def test_order_times_modes_and_method_are_fixed(self):
        raw = build_archive.archive({"b.py": b"#!/usr/bin/env python3\n", "a/c.txt": b"c" * 1000})
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
        files = {"a": b"abc", "b.py": b"#!"}
        here = build_archive.archive(files)
        with mock.patch.object(sys, "platform", "win32"):
            self.assertEqual(0, zipfile.ZipInfo("a").create_system)
            self.assertEqual(here, build_archive.archive(files))

    def test_the_bytes_are_those_written_down_here(self):
        # A zip of one stored file 'a' with the content 'abc', put together by hand from APPNOTE.TXT 4.3:
        # CRC-32 of 'abc' is 352441c2; the time 1980-01-01 00:00 is 0021 0000.
        name = b"server-offline-ratio/a"
        head = bytes.fromhex("1400 0000 0000 0000 2100 c2412435 03000000 03000000") + bytes([len(name), 0, 0, 0])
        local = b"PK\x03\x04" + head + name + b"abc"
        central = b"PK\x01\x02\x14\x03" + head + bytes(6) + bytes.fromhex("0000a481") + bytes(4) + name
        end = b"PK\x05\x06" + bytes(4) + bytes([1, 0, 1, 0, len(central), 0, 0, 0, len(local), 0, 0, 0, 0, 0])
        self.assertEqual(local + central + end, build_archive.archive({"a": b"abc"}))

    def test_every_python_makes_the_same_bytes_wherever_it_runs(self):
        root = copied_bundle(self)
        digests = {}
        for number, (version, python) in enumerate(interpreters().items()):
            output = temporary_folder(self)
            surroundings = {**os.environ, "TZ": ("Asia/Tokyo", "UTC")[number % 2], "LC_ALL": "C"}
            done = run(
                ROOT / "build_archive.py", "--root", root, "--output", output, python=python, env=surroundings,
                cwd=output,
            )  # fmt: skip
            self.assertEqual((0, ""), (done.returncode, done.stderr), version)
            digests[version] = hashlib.sha256((output / "reproducibility.zip").read_bytes()).hexdigest()
        self.assertEqual(1, len(set(digests.values())), digests)


class Unpacked(BundleCase):
    def test_it_holds_every_file_of_the_bundle_with_its_bytes(self):
        folder = unpacked(self)
        names = bundle.tracked_files(ROOT)
        self.assertEqual(names, bundle.tracked_files(folder))
        for name in names:
            self.assertEqual((ROOT / name).read_bytes(), (folder / name).read_bytes(), name)

    def test_reproduce_works_in_it_and_changes_nothing(self):
        folder = unpacked(self)
        before = {name: (folder / name).read_bytes() for name in bundle.tracked_files(folder)}
        done = run("reproduce.py", cwd=folder)
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        after = {name: (folder / name).read_bytes() for name in bundle.tracked_files(folder)}
        self.assertEqual([], [name for name in after if before.get(name) != after[name]])
        self.assertEqual(list(before), list(after))

    def test_unittest_finds_the_same_tests_in_it_and_runs_them(self):
        folder = unpacked(self)
        listing = (
            "import unittest\n"
            "def names(suite):\n"
            "    for test in suite:\n"
            "        yield from names(test) if isinstance(test, unittest.TestSuite) else [test.id()]\n"
            "print(*sorted(names(unittest.defaultTestLoader.discover('.'))), sep='\\n')"
        )
        lists = [
            subprocess.run([sys.executable, "-B", "-c", listing], cwd=place, capture_output=True, text=True)
            for place in (ROOT, folder)
        ]
        self.assertIn(self.id(), lists[0].stdout.split("\n"))
        self.assertEqual(lists[0].stdout, lists[1].stdout)
        # All of them run in the project itself; here those of two modules, so that this test does not run itself.
        command = [sys.executable, "-B", "-m", "unittest", "tests.test_build_sums", "tests.test_bundle"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        self.assertEqual(0, done.returncode, done.stderr)


if __name__ == "__main__":
    unittest.main()
