"""ro-crate-metadata.json: RO-Crate 1.1, and every file of the bundle in it with its digest."""

import hashlib
import json
import unittest

import build_crate

from scenario_ratio import bundle
from tests.support import ROOT, BundleCase, copied_bundle, run, temporary_folder

try:
    from rocrate.rocrate import ROCrate
except ImportError:
    ROCrate = None


class Crate(BundleCase):
    @classmethod
    def setUpClass(cls):
        cls.crate = json.loads(build_crate.outputs(ROOT, ROOT)["ro-crate-metadata.json"])
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
        names = [name for name in bundle.tracked_files(ROOT) if name not in ("ro-crate-metadata.json", "SHA256SUMS")]
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
        record = build_crate.acquisition.load(ROOT)
        files = {
            "a.csv": b"", "b.ipynb": b"", "c.svg": b"", "d": b"text", "e": b"\0", ".f": b"", "g.py": b"", "LICENSE": b""
        }  # fmt: skip
        graph = build_crate.crate(files, record)["@graph"]
        self.assertEqual(
            {
                "a.csv": "text/csv", "b.ipynb": "application/x-ipynb+json", "c.svg": "image/svg+xml", "d": "text/plain",
                "e": "application/octet-stream", ".f": "text/plain", "g.py": "text/x-python", "LICENSE": "text/plain",
            },
            {entity["@id"]: entity["encodingFormat"] for entity in graph if entity["@type"] == "File"},
        )  # fmt: skip

    def test_the_crate_does_not_depend_on_itself_or_on_the_sums(self):
        root = copied_bundle(self, "data", "sources")
        before = build_crate.outputs(root, root)
        (root / "ro-crate-metadata.json").write_bytes(b"x")
        (root / "SHA256SUMS").write_bytes(b"x")
        self.assertEqual(before, build_crate.outputs(root, root))
        (root / "data/claims.json").write_bytes(b"x")
        self.assertNotEqual(before, build_crate.outputs(root, root))


@unittest.skipIf(ROCrate is None, "needs rocrate")
class InItsOwnLibrary(BundleCase):
    def test_rocrate_reads_it(self):
        root = copied_bundle(self)
        done = run(ROOT / "build_crate.py", "--root", root)
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        crate = ROCrate(root)
        self.assertEqual("1.1", crate.version)
        self.assertEqual("The Server/Offline ratio is workload-specific: MLPerf® Inference v6.1", crate.name)
        self.assertEqual("2026-11-30", crate.root_dataset["datePublished"])
        summary = crate.get("data/summary.csv")
        self.assertEqual("File", summary.type)
        # The digest published for the pinned commit.
        self.assertEqual("87980a2dfba85139ca806b63634305bcbc4ad6803bf2d520351e022ba905065a", summary["sha256"])
        self.assertEqual(
            [n for n in bundle.tracked_files(root) if n not in ("ro-crate-metadata.json", "SHA256SUMS")],
            sorted(part.id for part in crate.data_entities),
        )

    def test_rocrate_writes_every_file_again(self):
        root = copied_bundle(self, "data", "scenario_ratio", "sources")
        self.assertEqual(0, run(ROOT / "build_crate.py", "--root", root).returncode)
        target = temporary_folder(self) / "written"
        ROCrate(root).write(target)
        self.assertEqual(
            [name for name in bundle.tracked_files(root) if name != "ro-crate-metadata.json"],
            [name for name in bundle.tracked_files(target) if name != "ro-crate-metadata.json"],
        )


if __name__ == "__main__":
    unittest.main()
