"""Which step comes next: the steps that a memory expects, ranked, as operation, role and name.

The lowest level of the graph are the recorded steps of each trajectory (HAS_STEP, INSTANCE_OF, NEXT between their actions);
above them stand subtasks, ways and tasks. Three readings vote:

- **before**: every place of the site where the same step was done last votes for the step that came there, the more of the
  last steps agree and the more its task's words are the instruction's. A name that an action leaves open counts as the
  same where both instructions say it. NEXT is this with one step and all tasks alike.
- **above**: what the ways and subtasks under way do next (``next_step``).
- **task**: steps that alike tasks do, wherever they stand, unless they are done.

What a vote leaves open is filled from the instruction: the words that stand in it where the other instruction had the name,
between the same neighbours. Where nothing is known of the step done last, shorter contexts decide, down to how usual a step
is. A site that is not known is read from all sites, those of its domain first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import fsum, log
from re import escape, search
from typing import NamedTuple

from graphmem.model.graph import Graph
from graphmem.model.trajectory import Step, Trajectory
from graphmem_agents.next_step import Habits, expected, habits, words
from graphmem_induction.describe import role_of, tidy

#: How many of the last steps are compared, and how much more a vote counts for each that agrees.
LOOK_BACK, EACH_STEP = 5, 4.0
#: A recording whose task shares no word counts this much beside one whose task shares all.
ANY_TASK = 0.02
#: Shares of the readings on a site that is known, and on one that is not.
BEFORE, ABOVE, TASK, SHAPE, USUAL = 1.0, 0.25, 0.15, 0.1, 0.02
ELSEWHERE = {"before": 0.5, "task": 0.1, "shape": 0.5, "usual": 0.5}
#: A recording on another site of the domain beside one on any other.
SAME_DOMAIN = 4.0


class Done(NamedTuple):
    """A step by what is done on what, case folded. ``said``: whether the instruction says the name."""

    op: str
    role: str
    name: str
    said: bool = False

    @property
    def open(self) -> tuple[str, str, str]:
        """The step with a name that was said left open."""
        return (self.op, self.role, "\0" if self.said else self.name)


@dataclass(frozen=True)
class Guess:
    """A step that may come: ``share`` is how sure the memory is of it, 0-1."""

    op: str
    role: str
    name: str
    share: float


@dataclass(frozen=True)
class Run:
    """A recording as it is remembered: its task and its steps."""

    task: str
    domain: str
    steps: tuple[Done, ...]

    @cached_property
    def words(self) -> frozenset[str]:
        return words(self.task)


_START = ("", "", "")
Weights = dict[tuple[str, str, str], float]


@dataclass(frozen=True)
class Memory:
    """The recordings of one site, or of all, prepared for questions."""

    runs: tuple[Run, ...]
    above: Habits | None = None

    @cached_property
    def places(self) -> Mapping[tuple[str, str, str], Sequence[tuple[int, int]]]:
        """For each step (names that were said left open) the places that come after it."""
        found: dict[tuple[str, str, str], list[tuple[int, int]]] = defaultdict(list)
        for n, run in enumerate(self.runs):
            for at in range(len(run.steps)):
                found[run.steps[at - 1].open if at else _START].append((n, at))
        return found

    @cached_property
    def usual(self) -> Mapping[tuple[str, str, str], float]:
        found: dict[tuple[str, str, str], float] = defaultdict(float)
        for run in self.runs:
            for step in run.steps:
                found[step[:3]] += 1.0
        return _normal(found)

    @cached_property
    def after_shape(self) -> Mapping[tuple[str, str], Weights]:
        """For each operation and role the steps that come after it, with their shares."""
        found: dict[tuple[str, str], Weights] = defaultdict(lambda: defaultdict(float))
        for run in self.runs:
            for at, step in enumerate(run.steps):
                found[run.steps[at - 1][:2] if at else _START[:2]][step[:3]] += 1.0
        return {shape: _normal(after) for shape, after in found.items()}

    @cached_property
    def rarity(self) -> Mapping[str, float]:
        counts: dict[str, int] = defaultdict(int)
        for run in self.runs:
            for word in run.words:
                counts[word] += 1
        return {word: log((len(self.runs) + 1) / count) for word, count in counts.items()}

    def likeness(self, said: frozenset[str]) -> list[float]:
        """For each recording how much its task is worded like this, squared, 0-1."""
        most = max(self.rarity.values(), default=1.0)
        found = []
        for run in self.runs:
            union = fsum(self.rarity.get(word, most) for word in said | run.words)
            both = fsum(self.rarity.get(word, most) for word in said & run.words)
            like = (both / union) ** 2 if union else 0.0
            found.append(like)
        return found


@dataclass(frozen=True)
class Foresight:
    """The memories of the sites, and of all sites together for those that are not known."""

    sites: Mapping[str, Memory]

    @cached_property
    def everywhere(self) -> Memory:
        return Memory(tuple(run for site in sorted(self.sites) for run in self.sites[site].runs))

    def next(self, site: str, domain: str, instruction: str, history: Sequence[Step]) -> list[Guess]:
        """The steps that may come after ``history`` (the steps taken so far, as recorded), surest first."""
        memory = self.sites.get(site)
        known = memory is not None
        memory = memory or self.everywhere
        taken = [done(step, instruction) for step in history]
        likeness = memory.likeness(words(instruction))
        near = [1.0 if known or run.domain == domain else 1 / SAME_DOMAIN for run in memory.runs]
        votes: Weights = defaultdict(float)
        before, evidence = _before(memory, instruction, taken, likeness, near)
        _add(votes, BEFORE if known else ELSEWHERE["before"] * evidence, before)
        if memory.above is not None:
            _add(votes, ABOVE, _above(memory.above, instruction, history))
        _add(votes, TASK if known else ELSEWHERE["task"], _task(memory, instruction, taken, likeness, near))
        shape = memory.after_shape.get(taken[-1][:2] if taken else _START[:2], {})
        _add(votes, SHAPE if known else ELSEWHERE["shape"], shape)
        _add(votes, USUAL if known else ELSEWHERE["usual"], memory.usual)
        total = sum(votes.values()) or 1.0
        return [Guess(*step, share / total) for step, share in sorted(votes.items(), key=lambda v: (-v[1], v[0]))]


def foresight(sites: Mapping[str, Graph], recordings: Iterable[Trajectory]) -> Foresight:
    """What the graphs of the sites and the recorded steps under them tell. ``recordings``: those that induce."""
    runs: dict[str, list[Run]] = defaultdict(list)
    for trajectory in sorted(recordings, key=lambda t: t.key):
        for site in trajectory.sites:
            steps = [step for step in trajectory.steps if trajectory.site_of(step) == site]
            runs[site].append(
                Run(trajectory.task, trajectory.domain, tuple(done(step, trajectory.task) for step in steps))
            )
    return Foresight({site: Memory(tuple(runs[site]), habits(graph)) for site, graph in sites.items()})


def done(step: Step, instruction: str) -> Done:
    target = step.target
    name = tidy(target.called()).casefold() if target else ""
    return Done(step.op, role_of(target) if target else "", name, bool(name) and _says(instruction.casefold(), name))


@lru_cache(maxsize=100_000)
def _says(instruction: str, name: str) -> bool:
    return search(rf"(?<!\w){escape(name)}(?!\w)", instruction) is not None


# -- the readings ------------------------------------------------------------------------------------------------------


def _before(
    memory: Memory, instruction: str, taken: Sequence[Done], likeness: Sequence[float], near: Sequence[float]
) -> tuple[Weights, float]:
    """The votes of the places after the step done last, and how much evidence they are (Witten and Bell: n / (n + kinds))."""
    found: Weights = defaultdict(float)
    places = memory.places.get(taken[-1].open if taken else _START, ())
    for n, at in places:
        run = memory.runs[n]
        weight = near[n] * (ANY_TASK + likeness[n]) * EACH_STEP ** _agreeing(run.steps[:at], taken)
        for step, share in _meant(run, run.steps[at], instruction):
            found[step] += weight * share
    return _normal(found), len(places) / (len(places) + len(found)) if places else 0.0


def _agreeing(before: Sequence[Done], taken: Sequence[Done]) -> int:
    """How many of the last steps are the same; the start is one too."""
    count = 0
    for one, other in zip(reversed(before[-LOOK_BACK:]), reversed(taken), strict=False):
        if one.open != other.open:
            return count
        count += 1
    return count + (len(before) == len(taken) < LOOK_BACK)


def _above(memory: Habits, instruction: str, history: Sequence[Step]) -> Weights:
    found: Weights = defaultdict(float)
    for n, share in expected(memory, instruction, history).shares.items():
        action = memory.actions[n]
        if "name" not in action.slots:
            found[action.op, action.role, action.name.casefold()] += share
    return found


def _task(
    memory: Memory, instruction: str, taken: Sequence[Done], likeness: Sequence[float], near: Sequence[float]
) -> Weights:
    found: Weights = defaultdict(float)
    already = {step.open for step in taken}
    for n in sorted(range(len(memory.runs)), key=lambda n: (-likeness[n], n))[:20]:
        run = memory.runs[n]
        for one in dict.fromkeys(step for step in run.steps if step.open not in already):
            for step, share in _meant(run, one, instruction):
                found[step] += near[n] * likeness[n] * share
    return _normal(found)


def _meant(run: Run, step: Done, instruction: str) -> Iterator[tuple[tuple[str, str, str], float]]:
    """The step as this instruction means it: a name that the other one says is what stands in its place here."""
    if step.said:
        here = moved(run.task.casefold(), step.name, instruction.casefold())
        if here and here != step.name:
            yield (step.op, step.role, here), 0.8
            yield (step.op, step.role, step.name), 0.2
            return
    yield step[:3], 1.0


@lru_cache(maxsize=100_000)
def moved(known: str, name: str, instruction: str) -> str:
    """What stands in ``instruction`` where ``name`` stands in the ``known`` one: between the same neighbouring words, ""
    where these are not there."""
    at = search(rf"(?<!\w){escape(name)}(?!\w)", known)
    if at is None:
        return ""
    left, right = known[: at.start()].split()[-2:], known[at.end() :].split()[:1]
    for before in (left, left[-1:]):
        if not before:
            continue
        start = rf"(?<!\S){escape(' '.join(before))}\s+"
        end = rf"\s*(?={escape(right[0])})" if right else r"[.?!]?$"
        match = search(rf"{start}(?P<here>\S.{{0,60}}?){end}", instruction)
        if match:
            return match["here"].strip(" \"'.,")
    return ""


def _normal(weights: Mapping[tuple[str, str, str], float]) -> Weights:
    total = sum(weights.values())
    return {step: weight / total for step, weight in weights.items()} if total else {}


def _add(votes: Weights, share: float, reading: Mapping[tuple[str, str, str], float]) -> None:
    for step, weight in reading.items():
        votes[step] += share * weight
