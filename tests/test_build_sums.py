"""SHA256SUMS: what sha256sum accepts, and what is found when the files are not those it lists."""

import shutil
import subprocess
import unittest

import build_sums

from scenario_ratio import bundle
from tests.support import ROOT, BundleCase, copied_bundle, run, temporary_folder

# SHA-256 of 'abc' and of nothing: the examples of FIPS 180-4's test vectors.
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


class Writing(BundleCase):
    def test_a_line_is_digest_two_blanks_name(self):
        self.assertEqual(
            f"{NOTHING}  B\n{ABC}  a/b.txt\n".encode("ascii"), build_sums.sums({"a/b.txt": b"abc", "B": b""})
        )

    def test_every_file_but_the_list_and_the_archive_is_listed(self):
        root = copied_bundle(self, "data", "scenario_ratio")
        for name in ("SHA256SUMS", "reproducibility.zip", "z"):
            (root / name).write_bytes(b"")
        listed = build_sums.parse(build_sums.outputs(root, root)["SHA256SUMS"])
        self.assertEqual([*(n for n in bundle.tracked_files(root) if n != "SHA256SUMS")], list(listed))
        self.assertEqual(NOTHING, listed["z"])

    @unittest.skipUnless(shutil.which("sha256sum"), "needs sha256sum")
    def test_sha256sum_accepts_the_list_of_the_whole_bundle(self):
        root = copied_bundle(self)
        done = run(ROOT / "build_sums.py", "--root", root)
        self.assertEqual((0, ""), (done.returncode, done.stderr))
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
            build_sums.outputs,
            root,
            root,
        )


class Reading(BundleCase):
    def test_every_line_of_another_form_is_told(self):
        lines = [
            f"{ABC}  a",
            f"{ABC} b",
            f"{ABC[:-1]}  c",
            f"{ABC.upper()}  d",
            f"{ABC}  a",
            f"{ABC} *e",
            "",
            f"{ABC}  f",
            f"{ABC}  a",
        ]
        form = "expected a SHA-256, two blanks and a name"
        self.assert_refused(
            [
                f"SHA256SUMS: line 2: found '{ABC} b'; {form}",
                f"SHA256SUMS: line 3: found '{ABC[:-1]}  c'; {form}",
                f"SHA256SUMS: line 4: found '{ABC.upper()}  d'; {form}",
                "SHA256SUMS: line 5: found 'a'; expected names in order, each once",
                f"SHA256SUMS: line 6: found '{ABC} *e'; {form}",
                f"SHA256SUMS: line 7: found ''; {form}",
                "SHA256SUMS: line 9: found 'a'; expected names in order, each once",
                "SHA256SUMS: line 10: found no line end; expected one at the end of each line",
            ],
            build_sums.parse,
            ("\n".join(lines) + "\nx").encode("ascii"),
        )

    def test_other_line_ends_are_refused(self):
        self.assert_refused(
            ["SHA256SUMS: line 1: found a carriage return; expected LF line endings"],
            build_sums.parse,
            f"{ABC}  a\r\n".encode("ascii"),
        )


class Checking(BundleCase):
    def setUp(self):
        self.root = temporary_folder(self)
        for name in ("a", "b", "c"):
            (self.root / name).write_bytes(b"abc")
        self.lines = [f"{ABC}  a\n", f"{ABC}  b\n", f"{ABC}  c\n"]
        self.write()

    def write(self):
        (self.root / "SHA256SUMS").write_bytes("".join(self.lines).encode("ascii"))

    def test_a_whole_bundle_has_no_problem(self):
        self.assert_problems([], build_sums.problems(self.root, self.root))

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
            build_sums.problems(self.root, self.root),
        )

    def test_a_list_that_is_missing_or_broken_is_told(self):
        self.lines[1] = "b\n"
        self.write()
        self.assert_problems(
            ["SHA256SUMS: line 2: found 'b'; expected a SHA-256, two blanks and a name"],
            build_sums.problems(self.root, self.root),
        )
        (self.root / "SHA256SUMS").unlink()
        self.assert_problems(
            ["SHA256SUMS: found no such file; expected a regular file"], build_sums.problems(self.root, self.root)
        )

    def test_a_link_in_place_of_a_file_is_told(self):
        (self.root / "a").unlink()
        (self.root / "a").symlink_to("b")
        self.assert_problems(
            ["a: found a symbolic link; expected a regular file"], build_sums.problems(self.root, self.root)
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
            build_sums.problems(self.root, self.root),
        )


if __name__ == "__main__":
    unittest.main()
