"""The cells of the notebook; see scenario_ratio/notebook/document.py. This file is read as text and never imported."""

# %% [markdown] title
# # The Server/Offline ratio, recomputed
# :: definition
#
# {benchmark} Inference {round}, results repository at `{sources.results.commit}`, retrieved {sources.retrieved}.
# :: definition
#
# Every cell runs on the files beside this notebook, with nothing but Python. Run them in order: what they
# print is computed here, from the released data, and compared with what the bundle has saved.
# :: definition
#
# {unverified} {notice}
# :: definition

# %% [markdown] verify
# ## Verify the files and load the rows
# :: definition
#
# Every upstream file is compared with the length and the digests in the acquisition record. That proves the copy: the
# files are those that were acquired. How far these are known to be the published ones depends on how each was obtained,
# which the record tells; the cell counts them by it.
# :: definition
# Then each cell of the summary's CSV is compared with its twin in the JSON, which finds damage to either file.
# :: every_cell_was_compared
# The JSON was made again from the CSV.
# :? the_json_was_made_again
# :: definition

# %% verify-code
from pathlib import Path

from scenario_ratio import files, pinned, problems, wording
from scenario_ratio.bundle import Bundle
from scenario_ratio.show.figures import highlighted as figure
from scenario_ratio.study import analysis, pairing
from scenario_ratio.upstream import record as acquisition
from scenario_ratio.upstream import summary

bundle = Bundle(Path.cwd())
record = bundle.once(acquisition.load)
contents = acquisition.read_sources(bundle, record)
problems.raise_if_any(acquisition.digest_problems(record, contents))
rows = summary.load(contents[pinned.CSV], contents[pinned.JSON])

print("upstream files with the length and the digests that the record has:", len(contents))
for way in record.obtained:
    print(f"    obtained as {way}:", sum(entry["obtained"] == way for entry in record.files))
print("CSV/JSON rows cross-checked:", len(rows))

# %% [markdown] compare
# ## Define the comparison before reading the ratio
# :: definition
#
# Which rows are eligible, and which Offline row belongs to which Server row, is settled by rules that never look at
# a rate. A pair is equal in every metadata field; the model label with its accuracy target is one of them.
# :: the_label_is_matched

# %% compare-code
eligible, exclusions = pairing.eligible(rows)
pairs, unmatched = pairing.match(eligible)
for exclusion in exclusions:
    print(f"turned away by {exclusion['rule']}: {exclusion['turned_away']}")

facts = {
    "source_rows": len(rows),
    "closed_rows": sum(row.text["Division"] == "closed" for row in rows),
    "eligible_rows": len(eligible),
    "complete_pairs": len(pairs),
    "unmatched_row_ids": [row.id for row in unmatched],
    "pairs_with_server_greater_than_offline": sum(pair.ratio > 1 for pair in pairs),
    "rows_with_measured_power": sum(row.value["has_power"] is True for row in rows),
}
for name, value in facts.items():
    print(f"{name}: {value}")
print("Matched fields:", len(pairing.METADATA_FIELDS))

# %% [markdown] inspect
# ## Inspect the highlighted rows
# :: definition
#
# The ratio is the Server rate over the Offline rate, both in tokens per second. The pairs of one system come first:
# their metadata differ in the model alone. What is set apart from them, as another system, comes after.
# :: only_the_model_differs, apart_is_another_system

# %% inspect-code
by_id = {pair.offline.id: pair for pair in pairs}
highlighted = [by_id[row_id] for row_id in pinned.SAME_SYSTEM + pinned.APART]
for offline, server in highlighted:
    rates = f"{wording.rate(pairing.rate(server))} / {wording.rate(pairing.rate(offline))}"
    ratio = wording.percent(pairing.Pair(offline, server).ratio)
    print(offline.text["Platform"], offline.text["Model"], f"rows {offline.id}/{server.id}")
    print(f"    {rates} = {ratio}")

ratios = [by_id[row_id].ratio for row_id in pinned.SAME_SYSTEM]
spread = wording.points(100 * (max(ratios) - min(ratios)))
print(f"spread on {by_id[pinned.SAME_SYSTEM[0]].offline.text['Platform']}: {spread} percentage points")

# %% [markdown] limits
# ## Accuracy targets, latency limits and logs
# :: definition
#
# A rate counts only if the run was accurate enough and, in the Server scenario, kept two latency limits at the 99th
# percentile. The checker's targets and limits, written down beside the sources, are read as a syntax tree; the logs say
# what was achieved.
# :: definition

# %% limits-code
results, _ = bundle.once(analysis.compute)
logs = {log["row"]: log for log in results["logs"]}
metrics = {checked["row"]: checked["metrics"] for checked in results["accuracy"]}
for row in [row for pair in highlighted for row in pair]:
    log = logs[row.id]
    print(f"{row.id} {row.text['Model']} {row.text['Scenario']}: {wording.log_says(log)}")
    for metric in metrics[row.id]:
        print(f"    {metric['metric']}: target {metric['target']}, reported {metric['reported']}")
    for name in ("ttft", "tpot"):
        if f"{name}_p99_ns" in log:
            limit_ms, p99_ms = (log[f"{name}_{key}_ns"] / 1_000_000 for key in ("limit", "p99"))
            print(f"    {name.upper()} limit {limit_ms:g} ms, achieved p99 {p99_ms:.2f} ms")

# %% [markdown] never-paired
# ## What must never be paired
# :: definition
#
# Two rows that differ in any one metadata field are not a pair, and two rows of one scenario that differ in none are
# an error, not a choice. Each case below alters a real pair and puts the rules to work on it. Then everything is
# computed again and compared with the saved files, byte for byte.
# :: definition

# %% never-paired-code
outcome = pairing.run_cases(highlighted[0])
for kind, passed in outcome.items():
    print(f"{kind} cases passed: {passed}")

saved_results = bundle.read(pinned.RESULTS)
saved_figure = bundle.read("scenario-ratios.svg")
equal = {
    "recomputed results equal the saved JSON": files.json_bytes(results) == saved_results,
    "regenerated SVG equals the saved figure": figure.draw(results) == saved_figure,
}
for name, value in equal.items():
    print(f"{name}: {value}")
assert all(equal.values()), "the saved files are not what this notebook computes"

# %% [markdown] figure
# ## The regenerated figure
# :: definition
#
# Drawn again from the results computed above. {unverified}
# :: definition


# %% figure-code
class Figure:
    """A figure as a notebook shows it, with a text for those who cannot see it."""

    def __init__(self, svg, text):
        self.svg, self.text = svg, text

    def _repr_svg_(self):
        return self.svg

    def __repr__(self):
        return self.text


Figure(figure.draw(results).decode("utf-8"), figure.describe(results))

# %% [markdown] boundary
# ## What a ratio does not say
# :: definition
#
# - A ratio is one submitted Server rate over one submitted Offline rate. It isolates no effect of the scenario and is the
#   cause of nothing.
#   :: definition
# - Equal metadata does not mean equal serving configuration. Batch sizes, parallelism, scheduling and software settings of
#   the two runs may differ, and the summary does not hold them.
#   :: definition
# - Each row is one run. There is no variance, and small differences between ratios have no known significance.
#   :: each_row_is_a_run, no_row_is_in_two_pairs
# - It is no production latency, no cost and no energy. A TGP note is not power.
#   :: definition
# - No row has measured power.
#   :? no_row_has_measured_power
#   :: no_row_has_measured_power
# - It ranks no vendors: systems differ in size, parts, software and purpose.
#   :: definition
# - Nothing here proves the released results; what is shown is what follows from them.
#   :: definition
