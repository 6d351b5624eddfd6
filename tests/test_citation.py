"""CITATION.cff and the changelog agree with the bundle and with each other, and name nobody who is not there."""

import json
import re
import unittest

import analyze
from tests.support import ROOT, BundleCase


class Citation(BundleCase):
    @classmethod
    def setUpClass(cls):
        cls.text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
        # The top level of this file is one 'key: value' a line; what is indented belongs to the key above.
        cls.top = dict(re.findall(r"^([a-z-]+):(?: (.*))?$", cls.text, re.MULTILINE))

    def test_it_has_what_version_1_2_0_demands(self):
        self.assertEqual("1.2.0", self.top["cff-version"])
        for key in ("message", "title", "authors"):
            self.assertIn(key, self.top)
        self.assertEqual("dataset", self.top["type"])

    def test_the_only_authors_are_groups_and_no_person_is_named(self):
        self.assertNotRegex(self.text, "family-names|given-names|orcid|email|alias")

    def test_it_says_the_round_the_date_and_the_commits_of_the_record(self):
        record = json.loads((ROOT / "sources/acquisition.json").read_bytes())
        self.assertIn(f"Inference {analyze.ROUND}", self.top["title"])
        self.assertEqual(f'"{record["acquired"]}"', self.top["date-released"])
        places = {
            (entry["repository"], entry["commit"])
            for entry in record["files"] + record["referenced"]
        }  # fmt: skip
        found = re.findall(r'repository: "(.*)"\n    commit: (.*)', self.text)
        self.assertEqual(sorted(places), sorted(found))

    def test_the_changelog_begins_with_this_version(self):
        changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        heading = f"## {self.top['version']} ({self.top['date-released'].strip(chr(34))})"
        self.assertEqual(heading, re.search(r"^## .*$", changelog, re.MULTILINE)[0])


if __name__ == "__main__":
    unittest.main()
