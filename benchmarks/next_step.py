"""Which step comes next: on held-out recordings, from what a memory learned of the others, the steps so far given.

    python -m benchmarks.next_step                       # every split and system
    python -m benchmarks.next_step --seeds 2-4           # other recordings of WebArena held out

A step is (operation, role, name), case folded, as fixed readers of this folder give it (``mind2web_workflows`` and ``prose``);
what is typed or chosen is no part of it. A system is told the site, its domain, the instruction and the true steps before
(teacher forcing) and answers with a ranked list. ``hit_at_1``, ``hit_at_5``: share of the steps that stand first, and among
the first five, of that list; a step that a system cannot name, or drops as noise, is missed. Held out are ``cross_task`` and
``cross_website`` of Mind2Web, and in ``webarena`` a quarter of the runs that passed, drawn by the seed; memories learn from
the other runs that passed. Systems:

- ``automaton``: the automaton whose state is the last step (Automata from Agent Traces, arXiv 2608.23670), one for each site
  and, where the site is not known, one for all; transitions by count, first seen least last. In a state that it does not know
  it has no answer.
- ``bigram``: the same counts with back-off: what followed the step on the site, what is usual on the site, then both of all
  sites.
- ``graph``: the product's graph of each site, general layer included, through ``graphmem_agents.foresee``.

``known``: the share of steps that stand at all somewhere in the train side, on the site (``cross_task``, ``webarena``) or on
any (``cross_website``): no system that only repeats what was seen can have more.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from benchmarks import mind2web_data, mind2web_workflows, webarena_data
from benchmarks.frame import Options, Report, run
from benchmarks.next_step_graph import Graphs
from benchmarks.workflow_measures import Read
from graphmem.model.trajectory import Step, Trajectory

DEPTHS = (1, 5)
#: Share of the passing WebArena runs that is held out.
HELD_OUT = 0.25
_START = Read("", "", "")


@dataclass(frozen=True)
class Recorded:
    """A recording: as the product may learn it, and its steps as the fixed reader gives them, one for one."""

    trajectory: Trajectory
    steps: tuple[Read, ...]


@dataclass(frozen=True)
class Asked:
    """What a system knows when it is asked for the next step: ``history`` as recorded, ``before`` the same as read."""

    site: str
    domain: str
    instruction: str
    history: tuple[Step, ...]
    before: tuple[Read, ...]


#: The ranked steps that a system expects.
System: TypeAlias = "Callable[[Asked], Sequence[Read]]"
Learn: TypeAlias = "Callable[[Sequence[Recorded]], System]"


@dataclass(frozen=True)
class Split:
    name: str
    training: Sequence[Recorded]
    tests: Sequence[Recorded]
    #: Whether the sites of the tests are those of the training.
    known_sites: bool = True


# -- the fixed readers -------------------------------------------------------------------------------------------------


def mind2web(options: Options) -> list[Split]:
    """Both splits of Mind2Web."""
    records = {record["id"]: record for record in mind2web_data.records(options.data)}
    read = {
        name: Recorded(mind2web_data.trajectory(record, pages=False), mind2web_workflows.recording(record).steps)
        for name, record in records.items()
    }
    listed = mind2web_data.splits(options.data)
    found = []
    for name in ("cross_task", "cross_website"):
        held = held_ids(listed[name], records)
        tests = [read[key] for key in sorted(held & read.keys())][: options.limit]
        found.append(Split(name, [r for key, r in read.items() if key not in held], tests, name == "cross_task"))
    return found


def held_ids(listed: Mapping[str, object], records: Mapping[str, Mapping[str, object]]) -> set[str]:
    ids = listed["ids"]
    assert isinstance(ids, list)
    return set(ids) & set(records)


def webarena(options: Options, seed: int) -> Split:
    """The runs of WebArena that passed, a quarter of them held out."""
    runs = sorted(webarena_data.load(options.data, passing=True), key=lambda each: each.trajectory.key)
    read = [Recorded(each.trajectory, tuple(map(read_step, each.trajectory.steps))) for each in runs]
    random.Random(seed).shuffle(read)
    cut = round(len(read) * HELD_OUT)
    return Split("webarena", read[cut:], read[:cut][: options.limit])


def read_step(step: Step) -> Read:
    """A step whose target a fixed reader made out of prose."""
    target = step.target
    name = " ".join(target.name.split()).casefold() if target else ""
    return Read(step.op, target.role.casefold() if target else "", name)


# -- asking and scoring ------------------------------------------------------------------------------------------------


def asked(recorded: Recorded) -> Iterable[tuple[Asked, Read]]:
    """Each step of a recording as a question with its answer."""
    trajectory = recorded.trajectory
    for n, answer in enumerate(recorded.steps):
        history, before = trajectory.steps[:n], recorded.steps[:n]
        yield Asked(trajectory.site, trajectory.domain, trajectory.task, history, before), answer


def hits(system: System, tests: Sequence[Recorded]) -> list[list[int]]:
    """For each test recording, for each of its steps, the place in the system's list (from 1; 0: not in it)."""
    return [[place(system(question), answer) for question, answer in asked(test)] for test in tests if test.steps]


def place(said: Sequence[Read], answer: Read) -> int:
    """Where the answer stands in a list of which each step counts once."""
    return next((n for n, each in enumerate(dict.fromkeys(said), 1) if each == answer), 0)


def measure_split(split: Split, systems: Mapping[str, Learn], report: Report) -> None:
    for name, learn in systems.items():
        report.say(f"{split.name}: {name} learns from {len(split.training)} recordings")
        places = hits(learn(split.training), split.tests)
        for depth in DEPTHS:
            report.add(name, f"hit_at_{depth}", split.name, [[float(0 < p <= depth) for p in each] for each in places])
    report.add("all", "known", split.name, known(split))


def known(split: Split) -> list[list[float]]:
    seen = {
        (recorded.trajectory.site if split.known_sites else "", step)
        for recorded in split.training
        for step in recorded.steps
    }
    return [
        [float((test.trajectory.site if split.known_sites else "", step) in seen) for step in test.steps]
        for test in split.tests
        if test.steps
    ]


# -- the baselines -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counts:
    """What followed each step, and how often each step was done. Of equal counts the first by content leads."""

    following: Mapping[Read, Counter[Read]]
    done: Counter[Read]

    @classmethod
    def of(cls, recordings: Iterable[Recorded]) -> Counts:
        following: dict[Read, Counter[Read]] = defaultdict(Counter)
        done: Counter[Read] = Counter()
        for recorded in recordings:
            before = _START
            for step in recorded.steps:
                following[before][step] += 1
                done[step] += 1
                before = step
        return cls(dict(following), done)

    def after(self, before: Sequence[Read]) -> list[Read]:
        return ranked(self.following.get(before[-1] if before else _START, Counter()))

    @cached_property
    def usual(self) -> list[Read]:
        return ranked(self.done)[: 2 * max(DEPTHS)]


def ranked(counts: Counter[Read]) -> list[Read]:
    return sorted(counts, key=lambda step: (-counts[step], repr(step)))


def _counted(training: Sequence[Recorded]) -> tuple[dict[str, Counts], Counts]:
    by_site: dict[str, list[Recorded]] = defaultdict(list)
    for recorded in training:
        by_site[recorded.trajectory.site].append(recorded)
    return {site: Counts.of(group) for site, group in by_site.items()}, Counts.of(training)


def automaton(training: Sequence[Recorded]) -> System:
    """State = last step; the automaton of the site, of all sites where it is not known."""
    sites, every = _counted(training)
    return lambda question: sites.get(question.site, every).after(question.before)


def bigram(training: Sequence[Recorded]) -> System:
    """The automaton that is never without an answer."""
    sites, every = _counted(training)
    nothing = Counts({}, Counter())

    def system(question: Asked) -> list[Read]:
        own = sites.get(question.site, nothing)
        before = question.before
        return [*own.after(before), *own.usual, *every.after(before), *every.usual]

    return system


def graph(training: Sequence[Recorded]) -> System:
    """The product."""
    graphs = Graphs.learned([recorded.trajectory for recorded in training])
    return lambda question: graphs.expected(question.site, question.domain, question.instruction, question.history)


SYSTEMS: dict[str, Learn] = {"automaton": automaton, "bigram": bigram, "graph": graph}


def measure(options: Options, report: Report) -> None:
    splits = [*mind2web(options), *(webarena(options, seed) for seed in options.seeds)]
    for split in splits:
        measure_split(split, SYSTEMS, report)
    report.settings |= {"held_out_of_webarena": HELD_OUT}
    for split_name in dict.fromkeys(split.name for split in splits):
        for depth in DEPTHS:
            best = max(
                row.value
                for row in report.rows
                if row.on == split_name and row.measure == f"hit_at_{depth}" and row.system in ("automaton", "bigram")
            )
            report.goal(f"hit_at_{depth}", split_name, best, "issue 5: above both baselines of this run")


if __name__ == "__main__":
    run("next_step", measure, about=__doc__, development="1")
