"""Task templates and slots on the 812 WebArena runs: which runs are of one task, and what of their instructions varies.

    python -m benchmarks.webarena_slots                      # all sites, every system
    python -m benchmarks.webarena_slots --seeds 1-5          # the same groups in five orders?

A system sees the trajectories of one site, shuffled and without answers (``benchmarks.webarena_data``), and says for each its
group and the spans of its instruction that are slots. What a system fits (its threshold) is fitted on the other sites and
used on the one that is scored, site after site, for every system alike: the value with the best pairwise F1 against
template ids on the others, the smallest of equals. Runs on two sites count on their first. Grouping is scored over all
runs and over those that passed, slots over those that passed, in groups of those that passed.

The labels contradict each other in places, so that grouping by template string, which no system can beat but by luck,
scores 0.935 (all) and 0.947 (passing) against ids: the row ``strings`` says it again on the data at hand.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from benchmarks import slot_measures as measures
from benchmarks import slot_systems as systems
from benchmarks.frame import Options, Report, run
from benchmarks.slot_systems import Found, System
from benchmarks.webarena_data import Run, load

_SOURCE = "issue 5: the prototype's figures less 0.02 are floors, these are goals"
#: Each run with what a system said of it.
Said: TypeAlias = "list[tuple[Run, Found]]"


def by_site(runs: Sequence[Run]) -> dict[str, list[Run]]:
    found: dict[str, list[Run]] = defaultdict(list)
    for each in runs:
        found[each.trajectory.site].append(each)
    return dict(sorted(found.items()))


@dataclass(frozen=True)
class Fitted:
    """What a system said of every site with each of its settings, so that leaving a site out costs nothing."""

    said: Mapping[float, Mapping[str, Said]]

    def held_out(self, site: str) -> float:
        """The setting that is best on all sites but ``site``."""
        return max(self.said, key=lambda value: (self._others(value, site), -value))

    def _others(self, value: float, site: str) -> float:
        return grouping([pair for other, said in self.said[value].items() if other != site for pair in said], _id).f1

    def result(self) -> Said:
        sites = next(iter(self.said.values()))
        return [pair for site in sites for pair in self.said[self.held_out(site)][site]]

    def thresholds(self) -> dict[str, float]:
        return {site: self.held_out(site) for site in next(iter(self.said.values()))}


def fitted(system: System, runs: Sequence[Run]) -> Fitted:
    sites = by_site(runs)
    return Fitted(
        {value: {site: asked(system, own, value) for site, own in sites.items()} for value in system.settings}
    )


def asked(system: System, runs: Sequence[Run], value: float) -> Said:
    """What the system says of the runs of one site. It is given trajectories, never answers."""
    return list(zip(runs, system.find([each.trajectory for each in runs], value), strict=True))


def grouping(said: Said, wanted: Callable[[Run], object]) -> measures.Counts:
    groups = [(each.trajectory.site, found.group) for each, found in said]
    return measures.pairs(groups, [wanted(each) for each, _ in said])


def _id(each: Run) -> int:
    return each.answers.template_id


def _string(each: Run) -> str:
    return each.answers.template


def gold(each: Run) -> tuple[measures.Span, ...] | None:
    values = json.loads(each.answers.instantiation)
    return measures.gold_spans(each.answers.template, each.trajectory.task, values)


def add_grouping(report: Report, system: str, on: str, said: Said) -> None:
    for labels, wanted in (("ids", _id), ("strings", _string)):
        counts = grouping(said, wanted)
        for measure, value in (("f1", counts.f1), ("precision", counts.precision), ("recall", counts.recall)):
            report.add_value(system, f"grouping_{measure}", f"{on}, {labels}", value, n=len(said))


def add_slots(report: Report, system: str, said: Said) -> None:
    scored = [(each.trajectory.task, found.spans, spans) for each, found in said if (spans := gold(each)) is not None]
    for measure, count in (
        ("slot", measures.word_counts),
        ("slot_exact", measures.exact_counts),
        ("slot_exact_words", measures.exact_word_counts),
    ):
        total = sum((count(found, wanted, task) for task, found, wanted in scored), measures.Counts())
        report.add_value(system, f"{measure}_f1", "passing", total.f1, n=len(scored))
        report.add_value(system, f"{measure}_precision", "passing", total.precision, n=total.found)
        report.add_value(system, f"{measure}_recall", "passing", total.recall, n=total.wanted)
    right = [float(measures.all_right(found, wanted, task)) for task, found, wanted in scored]
    report.add(system, "slots_all_right", "passing", right)


def same_in_any_order(system: System, runs: Sequence[Run], thresholds: Mapping[str, float], seed: int) -> bool:
    """Whether shuffling the runs leaves every run in the same group, with the same slots."""

    def partition(order: Sequence[Run]) -> dict[int, tuple[frozenset[int], tuple[measures.Span, ...]]]:
        said = [
            pair for site, own in by_site(order).items() for pair in asked(system, own, thresholds[site])
        ]  # fmt: skip
        members: dict[object, set[int]] = defaultdict(set)
        for each, found in said:
            members[each.trajectory.site, found.group].add(each.answers.line)
        return {
            each.answers.line: (frozenset(members[each.trajectory.site, found.group]), found.spans)
            for each, found in said
        }

    shuffled = list(runs)
    random.Random(1000 + seed).shuffle(shuffled)
    return partition(runs) == partition(shuffled)


def measure(options: Options, report: Report) -> None:
    report.settings |= {"fitted": "on the sites other than the one scored, per site", "thresholds": {}}
    runs = load(options.data, seed=options.seeds[0], limit=options.limit)
    passing = [each for each in runs if each.trajectory.outcome == "success"]
    for on, own in (("all", runs), ("passing", passing)):
        counts = measures.pairs([_string(each) for each in own], [_id(each) for each in own])
        report.add_value("strings", "grouping_f1", f"{on}, ids", counts.f1, n=len(own))
        for system in systems.SYSTEMS:
            found = fitted(system, own)
            report.settings["thresholds"][f"{system.name}, {on}"] = found.thresholds()
            if system.groups:
                add_grouping(report, system.name, on, found.result())
            if on == "passing" and system.slots:
                add_slots(report, system.name, found.result())
            if on == "all" and system.groups:
                same = [float(same_in_any_order(system, own, found.thresholds(), seed)) for seed in options.seeds]
                report.add(system.name, "same_in_any_order", on, same)
    _goals(report)


def _goals(report: Report) -> None:
    for measure, on, value in (
        ("grouping_f1", "all, ids", 0.91), ("grouping_f1", "passing, ids", 0.93), ("slot_f1", "passing", 0.92),
        ("slot_exact_f1", "passing", 0.80), ("slots_all_right", "passing", 0.75), ("same_in_any_order", "all", 1.0),
    ):  # fmt: skip
        report.goal(measure, on, value, _SOURCE)


if __name__ == "__main__":
    run("webarena_slots", measure, about=__doc__, development="1-3")
