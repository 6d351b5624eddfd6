"""What article.html must say from the pairs that are told in full to its limits, worked out a second time."""

from __future__ import annotations

import re
from fractions import Fraction

from tests.again import commands, groups, logs, printed, released, rounds, systems
from tests.again.article_words import UNVERIFIED, apart, differing, elsewhere, ends, spread, told
from tests.again.released import number, pairs, rows
from tests.again.spelled import many, together
from tests.again.words import ORDINALS, Known, Read, in_words, joined, so

# What the article calls the fields that tell one system from another.
OF_A_SYSTEM = {
    "the submitter": {"Organization"},
    "the host": {"SystemName", "Platform", "host_processor_model_name", "host_processor_core_count"},
    "the software": {"framework", "operating_system"},
    "the settings": {"notes"},
}


def highlighted() -> list:
    """Return what is said of the pairs that are told in full."""
    models = len({pair.offline["Model"] for pair in told()})
    rack = apart().accelerators == 72 and "NVL72" in apart().offline["Platform"]
    return [
        Read("h2", f"{in_words(models).capitalize()} models on one system, and {so(rack, 'one rack')} {{#highlighted}}"),
        Read("figcaption", "Server as a percentage of Offline for the highlighted pairs."),
        Read("table", f"Rates in tokens/s and their ratio. {UNVERIFIED}"),
        Read("p", one_and_another()),
        Read("p", the_same_parts()),
        Read("p", further_or_less()),
        Read("table", "Other systems with the same models and accelerators: distance from the lowest ratio to the highest. "
             f"{UNVERIFIED}"),
        Read("table", "Accuracy reported against what the checker asks for"),
        Read("p", targets()),
        Read("table", "Server latencies from the logs: achieved 99th percentile against limit"),
    ]  # fmt: skip


def one_and_another() -> str:
    """Return in what the pairs of the one system differ, and what the other is."""
    first = released.highlighted()[: len(told())] == told()
    place = ORDINALS[released.highlighted().index(apart()) + 1]
    another = all(differing([pair, apart()], (*released.MAY_DIFFER, *systems.OF_THE_MODEL)) for pair in told())
    scale = apart().accelerators not in {pair.accelerators for pair in told()}
    return joined(
        so(first and set(differing(told())) <= set(systems.OF_THE_MODEL), f"The first {in_words(len(told()))} pairs are one system: their metadata differ in "
           f"{together(differing(told()))} and in nothing else."),
        so(another and scale, f"The {place} is another system at another scale and is set apart;"),
        so(apart().server_rate > apart().offline_rate, "it is here because its Server rate is above its Offline rate."),
    )  # fmt: skip


def the_same_parts() -> str:
    """Return how far the same models reach on the same accelerators elsewhere."""
    each = [f"{model}: {many(len(some), 'pair')} {ends(some)}" for model, some in elsewhere().items()]
    parts = {
        "accelerator_model_name",
        *systems.OF_THE_MODEL,
    }  # the name in other capitals, and what sets the models apart
    some = [told()[0], *(pair for found in elsewhere().values() for pair in found)]
    there = set(differing(some)) - parts
    named = [word for word, fields in OF_A_SYSTEM.items() if fields & there]
    known = there <= set().union(*OF_A_SYSTEM.values())
    return joined(
        f"The same models on equally many of the same accelerators, in the pairs of other systems alone: {'; '.join(each)}.",
        so(
            known,
            f"What differs there is {together(named).replace(' and ', ' or ')}, and the summary does not tell which.",
        ),
    )


def further_or_less() -> str:
    """Return on how many systems the same models lie further apart, and on how many less far."""
    there = [spread([released.by_offline()[one] for one in other.ids.split(", ")]) for other in systems.others()]
    further, less = sum(one > spread(told()) for one in there), sum(one < spread(told()) for one in there)
    return (
        "Where another system with equally many of the same accelerators ran all of these models, the table says how far apart "
        f"their ratios lie there: further than here on {in_words(further)}, less far on {in_words(less)}."
    )


def targets() -> str:
    """Return what the figure in a label means, by the checker's own products."""
    label, figures = "llama2-70b-99.9", (released.SOURCES / "checker_constants.py").read_text("utf-8")
    products = re.search(rf'"{label}": \(\n\s*"ROUGE1", [\d.]+ \* ([\d.]+),', figures)
    share = label in groups.by_model() and Fraction(products[1]) * 100 == Fraction(label.rpartition("-")[2])
    return so(share, f"A target is a share of a reference metric, so the figure in a label such as {label} names how close to the "
              "reference a result must come, not how many answers are right.")  # fmt: skip


def coverage() -> list:
    """Return what is said of what is there and what is not."""
    return [
        Read("h2", f"Coverage, and {so(len(released.unmatched()) == 1, 'the row')} without a partner {{#coverage}}"),
        Read("p", covered()),
        *(Read("li", one) for one in printed.alone()),
    ]


def covered() -> str:
    """Return how many rows, accuracies and logs there are."""
    eligible = released.eligible()
    status = {one: logs.status(one) for one in eligible}
    passed = [one for one in eligible if status[one] == "passed"]
    lacking = [one for one in eligible if status[one] == "not available"]
    unreported = [one for one in eligible if set(released.bounds(rows()[one]["Model"])[1]) - set(released.metrics(one))]
    errors = sum(released.encountered(one, "error")[0] > 0 for one in passed)
    recorded = {one["row"] for one in rounds.acquired()["not_available"]}
    without = sorted({rows()[one]["Organization"] for one in lacking})
    both = sum(status[pair.offline_id] == status[pair.server_id] == "passed" for pair in pairs())
    return joined(
        f"{len(eligible)} rows make {len(pairs())} pairs and leave {len(released.unmatched())} alone.",
        so(all(map(commands.accurate, eligible)), f"The accuracy of all {len(eligible)} was compared with its targets and upper "
           "limits, and every metric that is reported is within them;"),
        f"for {len(unreported)} rows the checker has an upper limit on a metric that the summary does not report, and that limit "
        f"could not be checked. Of their performance logs, {len(passed)} are at hand and pass every check: valid, in performance "
        "mode, with the standard seeds and the minimum duration, in agreement with the summary’s rate, and for Server within "
        f"both latency limits. A count of errors that a log prints is not one of these checks: {errors} of them print one, told "
        "under what is odd in the logs.",
        so(len(passed) + len(lacking) == len(eligible) and set(lacking) == recorded, f"The other {len(lacking)} "
           f"({', '.join(without)}) could not be had; they are reported as not available, never as passed."),
        f"Both logs are there for {both} pairs.",
    )  # fmt: skip


def above() -> list:
    """Return what is said of a ratio above 100%."""
    higher = groups.above(pairs())
    separate = all(rows()[pair.offline_id]["Location"] != rows()[pair.server_id]["Location"] for pair in higher)
    return [
        Read("h2", "What a ratio above 100% means {#above}"),
        Read("p", joined(
            f"In {len(higher)} pairs the submitted Server rate is higher than the submitted Offline rate.",
            so(separate, "Each is a pair of two separate runs, each tuned and chosen by its submitter."),
            "It does not mean that deadlines make a system faster; it means that these two submitted runs stand in this order.",
            so(higher, "Offline is often called an upper bound, and as a bound on submitted results it does not hold."),
        )),
        Read("table", f"The pairs with Server above Offline. {UNVERIFIED}"),
    ]  # fmt: skip


def limits() -> list:
    """Return how far the numbers carry."""
    folders = [rows()[one]["Location"] for one in released.eligible()]
    power = number("SELECT count(*) FROM summary WHERE has_power != 'False' OR design_power_watts != 'None'")
    named = number("SELECT count(*) FROM summary WHERE notes LIKE '%TGP%'")
    return [
        Read("h2", "How far the numbers carry {#limits}"),
        Read("li", Known("These are results that submitters chose", "75e36ed92e031b4e", "what a submitted result is not")),
        Read("li", Known("Equal metadata does not mean equal serving", "ca9e1ce8901906c5", "what the summary does not hold")),
        Read("li", joined(
            so(len(set(folders)) == len(folders), "Each row is one run. The data hold no repeated runs,"),
            "so there is no variance, and small differences between ratios have no known significance.",
        )),
        Read("li", Known("The ratio is not a production latency", "b1ffadfdf659aa0f", "what a ratio is not")),
        Read("li", joined(
            so(not power, "No row has measured power."),
            so(named, "Notes that name a TGP (total graphics power) state a configured limit of a part; they are not wall power, "
               "and nothing here is derived from them."),
        )),
        Read("li", Known("The figure at the end of a model label names", "cefba283d83ea855", "what the figure in a label means")),
        Read("li", Known("The tables list submitters as the data do.", "bc5277e0b1995419", "what the tables are not")),
    ]  # fmt: skip
