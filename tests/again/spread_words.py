"""What article.html must say of the models of one system and of all pairs, worked out a second time."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from statistics import quantiles

from tests.again import groups, pages, released, systems
from tests.again.article_words import UNVERIFIED, ends
from tests.again.groups import ratios
from tests.again.released import known_as, matched, median, pairs
from tests.again.spelled import many, percent, together
from tests.again.words import Known, Read, in_words, joined, so


def within() -> list:
    """Return what is said of the models of one system."""
    rest = [name for name in matched() if name not in systems.OF_THE_MODEL]
    wider = all(int(one.both_wider) >= int(one.both) for one in systems.compared()) and "weight_data_types" in rest
    return [
        Read("h2", "Within one system {#within}"),
        Read("p", joined(
            "Where a system ran several models, their ratios can be compared with nothing else in the metadata changed. Pairs are "
            f"of one system if the {len(rest)} matched fields other than {together(list(systems.OF_THE_MODEL))} are equal, "
            "character for character. The table counts on how many systems the ratio of one model lies below that of another.",
            so(wider, "The columns of any precision count more widely: there the types of the weights may differ too "
               "(weight_data_types)."),
            "Models go by the checker’s names.",
        )),
        Read("table", f"On how many of the systems that ran both models either has the lower ratio. {UNVERIFIED}"),
        Read("p", in_one_order()),
        Read("p", so(shares_differ(), "How much of the spread goes with the model? The share of the variance of the ratios that "
                     "lies between models, between-group over total sum of squares (eta squared), depends on which pairs are "
                     "taken:")),
        Read("table", "Share of the variance of the ratios between models, and between labels. "
             f"{first_row()} {UNVERIFIED}"),
        Read("p", the_rest()),
    ]  # fmt: skip


def in_one_order() -> str:
    """Return which models lie in one order on every system that ran both, if more than one did."""
    found = []
    for one in systems.compared():
        sides = ((one.first, one.second, one.first_below), (one.second, one.first, one.second_below))
        found += [
            f"{low} below {high} on {below}" for low, high, below in sides if below == one.both and int(below) > 1
        ]
    owners = [{pair.offline["Organization"] for pair in some} for some in systems.systems() if len(some) > 1]
    several = len(owners) > len(set().union(*owners))
    return joined(
        f"On every system with the same metadata that ran both, these lie in one order: {'; '.join(found)}.",
        "Each ratio is of one run in each scenario, submitters chose which models to run,",
        so(several, "and several systems can be of one submitter; the counts describe these systems, and say neither why a ratio "
           "is lower nor that it would be elsewhere."),
    )  # fmt: skip


def shares_differ() -> bool:
    """Tell whether the share between models depends on the pairs that are taken."""
    return len({one.between_models for one in systems.shares()}) == len(systems.shares())


def first_row() -> str:
    """Return what the first row of the table of shares is of."""
    first = next(table for table in pages.page().tables if table.id == "variance").rows[0]
    alike = int(first[1]) == len(systems.on_the_same())
    return so(
        alike, "The first row is of all pairs on equally many of the same accelerators as the system told in full."
    )


@lru_cache(maxsize=None)
def twins() -> tuple:
    """Return the two labels of one model."""
    return tuple(dict.fromkeys(label for label, _, _ in systems.twins()))


def mostly_cpu(label: str) -> bool:
    """Tell whether more than half of the pairs with a label have no accelerators."""
    some = groups.by_model()[label]
    return 2 * sum(not pair.accelerators for pair in some) > len(some)


def the_rest() -> str:
    """Return what the share of the variance does not say."""
    (whole,) = [one for one in systems.shares() if one.name == "all pairs"]
    first, second = twins()
    larger = float(whole.between_labels) > float(whole.between_models)
    return joined(
        "The rest lies between pairs of one model. A share describes the pairs that were submitted and is no effect of the model: "
        "models were run on different systems, by different submitters.",
        so(larger and known_as(first) == known_as(second) and mostly_cpu(second), "Over all pairs the share between labels is "
           f"larger than that between models, where the labels {first} and {second} are one: most pairs with {second} are "
           "CPU-only, so it is a share of the hardware as well."),
    )  # fmt: skip


def every_pair_not_four() -> list:
    """Return what is said of all pairs."""
    return [
        Read("h2", f"Every pair, not {in_words(len(released.highlighted()))} {{#distribution}}"),
        Read("p", over_all()),
        Read("figcaption", Known("Each pair is one mark.", "293e6b83cbb8692d", "how the figure is read; its marks are counted by test_again_figures")),
        Read("table", f"All pairs, and those with and without accelerators. {UNVERIFIED}"),
        Read("table", f"By model label. {UNVERIFIED}"),
        Read("table", f"Median by model label and number of accelerators. {UNVERIFIED}"),
        Read("p", by_scale()),
        Read("table", f"By number of accelerators, models mixed. {UNVERIFIED}"),
        Read("table", f"By accelerator family, as the submitters name it, in alphabetical order. {UNVERIFIED}"),
        Read("p", spellings()),
        Read("p", labels()),
        Read("table", f"What the pairs with each label of one model were run on. {UNVERIFIED}"),
        Read("p", quartiles()),
    ]  # fmt: skip


def quartiles() -> str:
    """Return how quartiles are computed, which is the way that Python's own statistics call inclusive."""
    values = ratios(list(pairs()))
    same = quantiles(values, n=4, method="inclusive") == [released.quartile(values, which) for which in (1, 2, 3)]
    overlap = [sorted(ratios(some)) for some in groups.by_family().values() if len(some) > 1]
    apart = all(one[-1] < other[0] or other[-1] < one[0] for one, other in combinations(overlap, 2))
    return joined(
        so(same, "Quartiles are linear interpolations between order statistics: with n ratios in ascending order, numbered from 0, "
           "quartile k stands at position k * (n - 1) / 4."),
        so(not apart, "The groups overlap and differ in systems, software and submitters, so a difference between two groups is a "
           "description of what was submitted and not the effect of what the groups are named after."),
    )  # fmt: skip


def over_all() -> str:
    """Return the median and the ends of all pairs, and of those with and without accelerators."""
    sets = groups.overall()
    cpu, whole, others = sets["CPU-only pairs"], sets["all pairs"], sets["pairs with accelerators"]
    quarters = [percent(released.quartile(ratios(whole), which)) for which in (1, 3)]
    lowest = min(ratios(cpu)) == min(ratios(whole)) < min(ratios(others))
    apart = [
        group for table in pages.page().tables if table.id == "distribution-overall" for group in table.column("Group")
    ]
    return joined(
        f"Over all {len(whole)} pairs the median ratio is {percent(median(ratios(whole)))}; half of the pairs lie between "
        f"{quarters[0]} and {quarters[1]}.",
        f"The {len(cpu)} CPU-only pairs run from {percent(min(ratios(cpu)))}, {so(lowest, 'the lowest of all,')} to "
        f"{percent(max(ratios(cpu)))};",
        so("CPU-only pairs" in apart, "the tables count them apart as well."),
        f"The {len(others)} pairs with accelerators run {ends(others)}.",
    )  # fmt: skip


def by_scale() -> str:
    """Return the medians with one node's and one rack's number of accelerators, and whether they part the same way."""
    scales = [str(released.highlighted()[at].accelerators) for at in (0, -1)]
    told, signs = [], set()
    for label, some in groups.by_model().items():
        of_scale = [[pair for pair in some if groups.accelerators_told(pair.accelerators) == one] for one in scales]
        if all(of_scale):
            middles = [median(ratios(found)) for found in of_scale]
            signs.add(middles[0] < middles[1])
            parts = [f"{percent(middle)} ({many(len(found), 'pair')})" for middle, found in zip(middles, of_scale)]
            told.append(f"{label} {parts[0]} and {parts[1]}")
    return joined(
        f"Medians with {scales[0]} and with {scales[1]} accelerators: {'; '.join(told)}.",
        so(len(signs) > 1, "The sign of the difference is not the same for all models, so the next table, in which models are "
           "mixed, says of a number of accelerators only what was submitted with it."),
    )  # fmt: skip


def spellings() -> str:
    """Return the accelerators that are spelled in two ways."""
    names = list(dict.fromkeys(pair.accelerator for pair in pairs() if pair.accelerator))
    usual = {name.lower(): name for name in sorted(names, key=[pair.accelerator for pair in pairs()].count)}
    each = [f"{name} as {usual[name.lower()]}" for name in names if usual[name.lower()] != name]
    submitted = {row[0] for row in released.ask("SELECT DISTINCT accelerator_model_name FROM eligible")}
    shown = next(table for table in pages.page().tables if table.id == "all-pairs").column("Accelerator")
    return joined(
        f"Accelerators whose names differ in capitals alone are grouped as one: {'; '.join(each)}.",
        so(set(names) <= set(shown) & submitted, "The table of every pair shows what was submitted."),
    )


def labels() -> str:
    """Return what is said of the two labels of one model."""
    first, second = twins()
    families = [
        {family for label, family, _ in systems.twins() if label == name} - {"none"} for name in (first, second)
    ]
    apart = {first, second} <= set(groups.by_model())
    return joined(
        so(known_as(first) == known_as(second), f"{first} and {second} are two labels of one model, by the checker’s own mapping "
           f"{known_as(second)}."),
        so(apart, "They are kept apart in these tables, as the submitters wrote them."),
        so(mostly_cpu(second), "Most pairs with the second are CPU-only."),
        so(not families[0] & families[1], "No accelerator family has pairs with both labels, so a difference between the labels "
           "is one between different hardware too."),
    )  # fmt: skip
