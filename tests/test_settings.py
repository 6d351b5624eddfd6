"""What the machine can do to a run: its locale, its umask, a full disk, a read-only disk, a kill at any moment."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from scenario_ratio.artifacts import ARTIFACTS
from tests.alterations import Copy
from tests.support import BundleCase, run, temporary_folder

OLD = b"an old file\n"

# Runs reproduce.py after taking over the locale of the environment, as a program that embeds Python may do.
LOCALIZED = """
import locale, os, runpy, sys
locale.setlocale(locale.LC_ALL, "")
sys.stderr.write(locale.str(0.5))
script, sys.argv = sys.argv[1], sys.argv[1:]
sys.path.insert(0, os.path.dirname(script))
runpy.run_path(script, run_name="__main__")
"""

# Runs reproduce.py and kills it at one event of its writes: the n-th file half written, whole but not yet safe on
# the disk, safe but not yet in place, or in place.
KILLED = """
import builtins, os, runpy, signal, sys
event, wanted, script = sys.argv[1], int(sys.argv[2]), sys.argv[3]
sys.argv = sys.argv[3:]
sys.path.insert(0, os.path.dirname(script))
from scenario_ratio import files

counts = {}

def happened(name):
    counts[name] = counts.get(name, 0) + 1
    if (name, counts[name]) == (event, wanted):
        os.kill(os.getpid(), signal.SIGKILL)

class Stream:
    def __init__(self, path):
        self.stream = builtins.open(path, "xb", buffering=0)
    def __enter__(self):
        return self
    def __exit__(self, *_):
        self.stream.close()
    def write(self, raw):
        self.stream.write(raw[: len(raw) // 2])
        happened("half written")
        self.stream.write(raw[len(raw) // 2 :])
    def flush(self):
        pass
    def fileno(self):
        return self.stream.fileno()

def opened(path, mode):
    return Stream(path) if mode == "xb" else builtins.open(path, mode)

def synced(number, fsync=os.fsync):
    happened("written")
    fsync(number)
    happened("safe")

def replaced(old, new, replace=os.replace):
    replace(old, new)
    happened("in place")

files.open, os.fsync, os.replace = opened, synced, replaced
runpy.run_path(script, run_name="__main__")
"""
LATER = ("written", "safe", "in place")


def contents(folder: Path) -> dict[str, bytes]:
    """Return name -> bytes of every file below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def setUpModule():
    """Make one copy of the bundle that no test changes, and from it everything that reproduce.py makes."""
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    SettingsCase.root = Copy(Path(folder.name).resolve()).root
    output = SettingsCase.root.parent / "made"
    finished = run(SettingsCase.root / "reproduce.py", "--output", output)
    if finished.returncode or finished.stderr:
        raise AssertionError(finished.stderr)
    SettingsCase.made = contents(output)


class SettingsCase(BundleCase):
    """What the tests have in common; ``root`` is the copy, ``made`` what was made of it."""

    root: Path
    made: dict[str, bytes]

    def assert_made(self, output: Path) -> None:
        found = contents(output)
        self.assertEqual(sorted(self.made), sorted(found))
        self.assertEqual([], [name for name in found if found[name] != self.made[name]])

    def old_output(self, folder: Path) -> Path:
        """Return a new folder inside ``folder`` in which every derived file is there and old."""
        output = folder / "output"
        for name in self.made:
            (output / name).parent.mkdir(parents=True, exist_ok=True)
            (output / name).write_bytes(OLD)
        return output

    def assert_old_or_made(self, output: Path) -> dict[str, bytes]:
        """Assert that every derived file is wholly old or wholly new; return the files that are neither."""
        found = contents(output)
        self.assertEqual([], [name for name in self.made if found.get(name) not in (OLD, self.made[name])])
        return {name: raw for name, raw in found.items() if name not in self.made}


class Settings(SettingsCase):
    def test_made_is_what_is_derived(self):
        self.assertEqual(sorted(row.name for row in ARTIFACTS), sorted(self.made))

    @unittest.skipUnless(
        shutil.which("localedef") and Path("/usr/share/i18n/locales/de_DE").exists(),
        "the sources of a locale with a decimal comma are not there (Debian's package locales)",
    )
    def test_a_decimal_comma(self):
        folder = temporary_folder(self)
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", folder / "de_DE.UTF-8"], check=True)
        environment = {**os.environ, "LOCPATH": str(folder), "LC_ALL": "de_DE.UTF-8"}
        command = ["-S", "-B", "-c", LOCALIZED, self.root / "reproduce.py", "--output", folder / "output"]
        finished = subprocess.run([sys.executable, *command], capture_output=True, env=environment, timeout=300)
        self.assertEqual((0, b"0,5"), (finished.returncode, finished.stderr))
        self.assert_made(folder / "output")

    @unittest.skipUnless(os.name == "posix", "no umask")
    def test_an_umask_that_keeps_others_out(self):
        output = temporary_folder(self) / "output"
        shell = ["sh", "-c", 'umask 077 && exec "$@"', "sh", sys.executable, "-S", "-E", "-B"]
        command = [*shell, self.root / "reproduce.py", "--output", output]
        finished = subprocess.run(command, capture_output=True, timeout=300)
        self.assertEqual((0, b""), (finished.returncode, finished.stderr))
        self.assert_made(output)
        self.assertEqual({0o600}, {(output / name).stat().st_mode & 0o777 for name in self.made})


@unittest.skipUnless(hasattr(os, "geteuid") and os.geteuid() == 0, "only the superuser can mount a small disk")
class Disks(SettingsCase):
    def mounted(self, size: str) -> Path:
        """Return the folder of a new disk in memory, of a size such as '64k'; skip the test where none can be had."""
        folder = temporary_folder(self)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True)
        if done.returncode:
            self.skipTest(f"no disk can be mounted here: {done.stderr.decode(errors='replace').strip()}")
        self.addCleanup(subprocess.run, ["umount", folder], check=True)
        return folder

    def test_a_full_disk(self):
        failed = set()
        for size in ("80k", "700k", "1200k", "1500k", "2m", "5m"):
            with self.subTest(size):
                output = self.old_output(self.mounted(size))
                finished = run(self.root / "reproduce.py", "--output", output)
                name = finished.stderr.partition(":")[0]
                line = f"{name}: found No space left on device; expected a file that can be written. "
                hint = "Choose a folder that can be written with --output.\n"
                self.assertEqual((2, line + hint), (finished.returncode, finished.stderr))
                self.assertEqual({}, self.assert_old_or_made(output))
                self.assertEqual(OLD, (output / name).read_bytes())
                failed.add(name)
        self.assertGreater(len(failed), 2)
        self.assertLess(failed, set(self.made))

    def test_a_disk_that_is_large_enough(self):
        output = self.old_output(self.mounted("64m"))
        self.assertEqual(0, run(self.root / "reproduce.py", "--output", output).returncode)
        self.assert_made(output)

    def test_a_read_only_disk(self):
        folder = self.mounted("64m")
        shutil.copytree(self.root, folder / "bundle")
        stale = folder / "stale"
        shutil.copytree(self.root, stale)
        (stale / "article.html").write_bytes(OLD)
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        finished = run(folder / "bundle" / "reproduce.py", "--check")
        self.assertEqual((0, ""), (finished.returncode, finished.stderr))
        self.assertEqual(0, run(folder / "bundle" / "validate.py").returncode)
        finished = run(stale / "build_article.py")
        line = "article.html: found Read-only file system; expected a file that can be written. "
        hint = "Choose a folder that can be written with --output.\n"
        self.assertEqual((2, line + hint), (finished.returncode, finished.stderr))


@unittest.skipUnless(hasattr(signal, "SIGKILL"), "no signal that cannot be caught")
class Killed(SettingsCase):
    def test_at_each_write(self):
        numbers = range(1, len(self.made) + 1)
        moments = [("half written", number) for number in numbers]
        moments += [(LATER[number % len(LATER)], number) for number in numbers]  # each later event at some of them
        folder = temporary_folder(self)
        with ThreadPoolExecutor(2) as pool:
            outputs = list(pool.map(lambda moment: self.killed(folder, *moment), moments))
        for (event, number), output in zip(moments, outputs):
            with self.subTest(event, number=number):
                partial = self.assert_old_or_made(output)
                replaced = [name for name in self.made if (output / name).read_bytes() == self.made[name]]
                self.assertEqual(number - (event != "in place"), len(replaced))
                self.assertEqual(event != "in place", len(partial) == 1)
                self.assertEqual([], [name for name in partial if not name.endswith(".partial")])
        self.repaired(outputs[1 : len(self.made) : 5])

    def killed(self, folder: Path, event: str, number: int) -> Path:
        """Return an old output after a run that was killed at an event of its n-th write."""
        output = self.old_output(folder / f"{event} {number}")
        command = ["-c", KILLED, event, number, self.root / "reproduce.py", "--output", output]
        finished = run(*command)
        self.assertEqual((-signal.SIGKILL, ""), (finished.returncode, finished.stderr), f"{event} {number}")
        return output

    def repaired(self, outputs: list[Path]) -> None:
        """Assert that the next run makes everything, whatever the killed one left behind."""
        self.assertGreater(len(outputs), 2)
        for output in outputs:
            left = [name for name in contents(output) if name not in self.made]
            self.assertEqual(1, len(left))
            finished = run(self.root / "reproduce.py", "--output", output)
            self.assertEqual((0, ""), (finished.returncode, finished.stderr))
            (output / left[0]).unlink()
            self.assert_made(output)


if __name__ == "__main__":
    unittest.main()
