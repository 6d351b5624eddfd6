"""acquire.py: obtains every file of the record, compares it, says what it found, and harms nothing on the way."""

import contextlib
import io
import json
import shutil
import unittest
from pathlib import Path
from unittest import mock

import acquire
from scenario_ratio.bundle import Bundle
from scenario_ratio.problems import BundleError, Problem
from scenario_ratio.upstream import fetching
from scenario_ratio.upstream.record import load
from tests.misbehaving_server import body, in_turn, start, status
from tests.support import ABC, COMMIT, ROOT, BundleCase, run, small_record, temporary_folder
from tests.test_clone import repository

CONSTANTS = (ROOT / "sources/checker_constants.py").read_bytes()
PLACES = (
    "acquired/example/results/summary.csv",
    "acquired/example/results/summary.json",
    "acquired/example/results/closed/log.txt",
    "acquired/example/checker/tools/constants.py",
    "acquired/example/checker/LICENSE.md",
)
NOTHING = "fetched, nothing to compare with"
WHOLE = [
    f"1/5 as recorded: {PLACES[0]}",
    f"2/5 as recorded: {PLACES[1]}",
    f"3/5 {NOTHING}: {PLACES[2]}",
    f"4/5 {NOTHING}: {PLACES[3]}",
    f"5/5 as recorded: {PLACES[4]}",
    f"every figure of sources/checker_constants.py is that of {PLACES[3]}",
    f"3 as recorded; 2 {NOTHING}; 0 differs; 0 not available",
]
ABD_SHA256 = "a52d159f262b2c6ddb724a61840befc36eb30c88877a4030b65cbe86298449c9"  # of 'abd', as sha256sum gives it


def files_below(folder: Path) -> dict:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class AcquireCase(BundleCase):
    def setUp(self):
        self.root, self.output = temporary_folder(self), temporary_folder(self)
        self.record = small_record()
        self.upstream = dict.fromkeys(PLACES, b"abc")
        self.upstream[PLACES[3]] = CONSTANTS

    def write_bundle(self) -> None:
        (self.root / "sources").mkdir(exist_ok=True)
        (self.root / "sources/acquisition.json").write_text(json.dumps(self.record), encoding="utf-8")
        (self.root / "sources/checker_constants.py").write_bytes(CONSTANTS)

    def read(self, name: str, entry: dict) -> bytes:
        """Stand in for the network: what is upstream, or an error."""
        self.asked.append(name)
        if name not in self.upstream:
            raise BundleError(Problem(name, found="HTTP status 404", expected="the file"))
        return self.upstream[name]

    def acquire(self, read=None) -> tuple:
        """Return (exit code, printed lines)."""
        self.write_bundle()
        self.asked = []
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            code = acquire.acquire(Bundle(self.root, self.output), read or self.read)
        return code, printed.getvalue().splitlines()


class Obtaining(AcquireCase):
    def test_everything_is_obtained_and_compared(self):
        self.assertEqual((0, WHOLE), self.acquire())
        self.assertEqual(self.upstream, files_below(self.output))
        self.assertEqual({"sources/acquisition.json", "sources/checker_constants.py"}, set(files_below(self.root)))

    def test_a_file_that_is_as_recorded_is_neither_fetched_nor_written_again(self):
        self.acquire()
        before = {name: (self.output / name).stat().st_mtime_ns for name in PLACES}
        inodes = {name: (self.output / name).stat().st_ino for name in PLACES}
        self.assertEqual((0, WHOLE), self.acquire())
        self.assertEqual([PLACES[2], PLACES[3]], self.asked)
        self.assertEqual(before, {name: (self.output / name).stat().st_mtime_ns for name in PLACES})
        self.assertEqual(inodes, {name: (self.output / name).stat().st_ino for name in PLACES})

    def test_a_file_there_that_is_not_as_recorded_is_fetched_again(self):
        self.acquire()
        (self.output / PLACES[0]).write_bytes(b"half")
        self.assertEqual((0, WHOLE), self.acquire())
        self.assertEqual(self.upstream, files_below(self.output))

    def test_bytes_that_differ_are_told_and_kept_for_a_look(self):
        self.upstream[PLACES[0]], self.upstream[PLACES[4]] = b"abd", b"abcd"
        code, lines = self.acquire()
        self.assertEqual(1, code)
        self.assertEqual(
            [
                f"1/5 differs: {PLACES[0]}: sha256: found {ABD_SHA256}; expected {ABC['sha256']}",
                *WHOLE[1:4],
                f"5/5 differs: {PLACES[4]}: bytes: found 4; expected 3",
                WHOLE[5],
                f"1 as recorded; 2 {NOTHING}; 2 differs; 0 not available",
            ],
            lines,
        )
        self.assertEqual(self.upstream, files_below(self.output))

    def test_a_file_that_cannot_be_had_leaves_nothing_and_the_rest_goes_on(self):
        for name in (PLACES[1], PLACES[3]):
            del self.upstream[name]
        code, lines = self.acquire()
        self.assertEqual(1, code)
        self.assertEqual(
            [
                WHOLE[0],
                f"2/5 not available: {PLACES[1]}: found HTTP status 404; expected the file",
                WHOLE[2],
                f"4/5 not available: {PLACES[3]}: found HTTP status 404; expected the file",
                WHOLE[4],
                f"2 as recorded; 1 {NOTHING}; 0 differs; 2 not available",
            ],
            lines,
        )
        self.assertEqual(self.upstream, files_below(self.output))

    def test_a_figure_that_differs_is_told(self):
        self.upstream[PLACES[3]] = CONSTANTS.replace(b'2000 * 1000000, "tpot": 200', b'2000 * 1000000, "tpot": 201')
        code, lines = self.acquire()
        self.assertEqual(1, code)
        self.assertEqual(
            "figure differs: sources/checker_constants.py: latency_limits, llama2-70b-99.9 Server tpot: "
            f"found 200000000; expected 201000000 ({PLACES[3]})",
            lines[5],
        )
        self.assertEqual(WHOLE[:5] + WHOLE[6:], lines[:5] + lines[6:])

    def test_nothing_is_written_through_a_link(self):
        for target, link, line in (
            (self.root, "acquired", f"{PLACES[0]}: found a symbolic link: acquired; expected a folder of its own"),
            (
                self.root,
                Path(PLACES[2]).parent,
                f"{PLACES[2]}: found a symbolic link: closed; expected a folder of its own",
            ),
            (self.root / "a", PLACES[0], f"{PLACES[0]}: found a symbolic link; expected a regular file"),
        ):
            with self.subTest(link=link):
                self.output = temporary_folder(self)
                (self.output / link).parent.mkdir(parents=True, exist_ok=True)
                (self.output / link).symlink_to(target)
                self.assert_refused([line], self.acquire)
                self.assertEqual(
                    {"sources/acquisition.json", "sources/checker_constants.py"}, set(files_below(self.root))
                )

    def test_a_folder_that_cannot_be_written_is_misuse(self):
        (self.output / "acquired").write_bytes(b"in the way")
        with self.assertRaises(BundleError) as caught:
            self.acquire()
        self.assertEqual(2, caught.exception.exit_code)
        self.assertEqual({"acquired": b"in the way"}, files_below(self.output))

    def test_a_fork_and_its_origin_have_places_of_their_own(self):
        fork, origin = (
            {"repository": f"https://github.com/{owner}/results", "path": "a/b"} for owner in ("one", "two")
        )
        self.assertEqual("acquired/one/results/a/b", acquire.place(fork))
        self.assertEqual("acquired/two/results/a/b", acquire.place(origin))

    def test_every_file_of_the_bundles_record_is_wanted(self):
        record = load(Bundle(ROOT))
        names = [name for name, _ in acquire.wanted_files(record)]
        self.assertEqual(295 + 12 + 5, len(set(names)))
        self.assertIn(
            "acquired/mlcommons/inference_results_v6.1/closed/VibeHPC/results/B300-SXM-270GBx8_TRT/deepseek-r1/Server/"
            "performance/run_1/mlperf_log_summary.txt",
            names,
        )
        self.assertIn("acquired/mlcommons/inference/tools/submission/submission_checker/constants.py", names)


class FromTheNetwork(AcquireCase):
    def served(self, **changed: object) -> tuple:
        """Acquire from a loopback server, where the files named in ``changed`` are answered otherwise."""
        names = dict(zip(("csv", "json", "log", "constants", "licence"), PLACES))
        behaviours = {f"/{name}": body(raw) for name, raw in self.upstream.items()}
        behaviours.update({f"/{names[key]}": behaviour for key, behaviour in changed.items()})
        server = start(self, behaviours)
        slept = []
        read = acquire.from_network(
            lambda repository, commit, path: f"{server.url}/acquired/{repository.split('/', 3)[3]}/{path}",
            bounds=fetching.Bounds(scheme="http", size=100_000, timeout_s=2, total_s=5),
            sleep=slept.append,
        )
        return (*self.acquire(read), slept)

    def test_a_server_that_behaves(self):
        self.assertEqual((0, WHOLE, []), self.served())
        self.assertEqual(self.upstream, files_below(self.output))

    def test_a_server_that_misbehaves(self):
        code, lines, slept = self.served(
            csv=in_turn(status(503), body(b"ab", 3), body(b"abc")),
            json=body(b"abd"),
            log=status(404),
            licence=body(b"", 200_000),
        )
        self.assertEqual((1, [1, 2]), (code, slept))
        self.assertEqual(
            [
                f"{PLACES[0]}: found HTTP status 503; next attempt in 1 s",
                f"{PLACES[0]}: found 2 bytes; next attempt in 2 s",
                WHOLE[0],
                f"2/5 differs: {PLACES[1]}: sha256: found {ABD_SHA256}; expected {ABC['sha256']}",
                f"3/5 not available: {PLACES[2]}: found HTTP status 404; expected the file",
                WHOLE[3],
                f"5/5 not available: {PLACES[4]}: found at least 200000 bytes; expected at most 100000 bytes",
                WHOLE[5],
                f"1 as recorded; 1 {NOTHING}; 1 differs; 2 not available",
            ],
            lines,
        )
        kept = {PLACES[0]: b"abc", PLACES[1]: b"abd", PLACES[3]: CONSTANTS}
        self.assertEqual(kept, files_below(self.output))

    def test_a_redirect_to_another_host_is_not_available(self):
        other = start(self, {})
        code, lines, slept = self.served(csv=status(302, Location=f"{other.url}/summary.csv"))
        self.assertEqual((1, []), (code, slept))
        self.assertRegex(
            lines[0],
            f"^1/5 not available: {PLACES[0]}: found a redirect to {other.url}; expected an answer of 127.0.0.1:[0-9]+$",
        )

    def test_the_urls_asked_are_those_of_the_record(self):
        asked = []

        class Recording(fetching.Fetcher):
            def fetch(self, url, name):
                asked.append(url)
                raise BundleError(Problem(name, found="no network", expected="one"))

        with mock.patch.object(fetching, "Fetcher", Recording):
            self.acquire(acquire.from_network())
        place = f"https://raw.githubusercontent.com/example/results/{COMMIT}/"
        self.assertEqual([place + "summary.csv", place + "summary.json", place + "closed/log.txt"], asked[:3])
        self.assertEqual(5, len(asked))


@unittest.skipUnless(shutil.which("git"), "needs Git")
class FromClones(AcquireCase):
    def setUp(self):
        super().setUp()
        self.results, self.checker = temporary_folder(self), temporary_folder(self)
        results = repository(self.results, dict.fromkeys(("summary.csv", "summary.json", "closed/log.txt"), b"abc"))
        checker = repository(self.checker, {"tools/constants.py": CONSTANTS, "LICENSE.md": b"abc"})
        for entry in self.record["files"]:
            entry["commit"] = results
        for entry in self.record["referenced"]:
            entry["commit"] = checker
        self.commits = results, checker

    def script(self, *clones: object) -> tuple:
        """Run the script itself; return (exit code, printed lines, what it says to standard error)."""
        self.write_bundle()
        options = [text for clone in clones for text in ("--clone", clone)]
        done = run(ROOT / "acquire.py", "--root", self.root, "--output", self.output, *options)
        return done.returncode, done.stdout.splitlines(), done.stderr

    def test_two_clones_give_everything(self):
        self.assertEqual((0, WHOLE, ""), self.script(self.results, self.checker))
        self.assertEqual(self.upstream, files_below(self.output))

    def test_without_the_commit_the_files_are_not_available(self):
        code, lines, errors = self.script(self.checker)
        self.assertEqual((1, ""), (code, errors))
        commit = self.commits[0]
        self.assertEqual(
            f"1/5 not available: {PLACES[0]}: found no clone with the commit {commit}; expected that commit in a "
            f"clone. Run 'git fetch origin {commit}' in the clone of its repository.",
            lines[0],
        )
        self.assertEqual(f"1 as recorded; 1 {NOTHING}; 0 differs; 3 not available", lines[-1])

    def test_no_network_module_is_loaded(self):
        self.write_bundle()
        program = (
            "import sys, acquire\n"
            f"sys.argv[1:] = ['--root', {str(self.root)!r}, '--output', {str(self.output)!r},"
            f" '--clone', {str(self.results)!r}, '--clone', {str(self.checker)!r}]\n"
            "assert acquire.main() == 0\n"
            "assert 'socket' not in sys.modules and 'urllib.request' not in sys.modules\n"
        )
        done = run("-c", program, cwd=ROOT)
        self.assertEqual(("", 0), (done.stderr, done.returncode))

    def test_misuse_ends_with_2(self):
        missing = self.output / "none"
        code, lines, errors = self.script(missing)
        expected = f"{missing}: found cannot change to '{missing}': No such file or directory; expected a clone\n"
        self.assertEqual((2, [], expected), (code, lines, errors))
        done = run(ROOT / "acquire.py", "--base-url", "http://example.org")
        self.assertEqual(2, done.returncode)
        self.assertIn("unrecognized arguments: --base-url", done.stderr)


if __name__ == "__main__":
    unittest.main()
