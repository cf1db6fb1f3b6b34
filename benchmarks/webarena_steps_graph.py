"""The product in ``benchmarks.webarena_steps``: what it learned of one task, as the steps to take for an instruction.

A plan says what is meant; a recording also holds what doing it takes: the click that puts the cursor into a field, the scroll
that brings a button into view, the keys that empty a box. Cleaning sets those apart, and whoever carries the plan out does
them again. ``as_recorded`` tells each action with those of them that at least half of its recordings had there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from statistics import median_low

from graphmem.model.trajectory import Step, Trajectory
from graphmem.model.workflow import Value
from graphmem_induction.program import Call, Proto, Routine, resolve
from graphmem_induction.protocol import Evidence
from graphmem_induction.site import FoundTask, FoundWay, induce_site
from graphmem_induction.trace import Trace

#: How a step that was done for an instruction reads, with what that instruction put as the asked one says it.
Reader = Callable[[Step, str], tuple[str, str]]


@dataclass(frozen=True)
class _Done:
    """An action as one run did it: the step that stands for it, and all that was recorded since the action before."""

    run: str
    task: str
    step: Step
    recorded: tuple[Step, ...]


def steps(
    template: int, others: Sequence[Trajectory], wanted: str, reader: Reader, as_recorded: bool = False
) -> list[tuple[Step, str]]:
    """The steps of the way with the most runs, of equals of the one that was gone for the likest instruction; each with the
    instruction that it was done for."""
    found = learned(template, tuple(others))
    ways = [way for task in found for way in task.ways]
    if not ways:
        return []

    def likest(way: FoundWay) -> tuple[float, str, Trace]:
        runs = [(_likeness(run.evidence.trajectory.task, wanted), run.key, trace) for run, trace in way.runs]
        return max(runs, key=lambda run: run[:2])

    way = max(ways, key=lambda way: (len(way.runs), likest(way)[:2]))
    near = likest(way)[2]
    values = dict(near.occurrences[-1].bindings) if near.occurrences else {}
    done = _times_done(way)
    said: list[tuple[Step, str]] = []
    times: Counter[Proto] = Counter()
    for proto in _plan(way, way.routine, values):
        # The second time that a plan does something is told as it was done the second time.
        here = done.get((proto, times[proto])) or done.get((proto, 0), [])
        times[proto] += 1
        if here:
            said += _spoken(here, wanted, reader, as_recorded)
    return said


@lru_cache(maxsize=8)
def learned(template: int, others: tuple[Trajectory, ...]) -> tuple[FoundTask, ...]:
    """The induction of these runs alone, told that they are of one task."""
    return induce_site(
        others[0].site, [Evidence(replace(run, template=f"template {template}"), "success") for run in others]
    )


def _plan(way: FoundWay, routine: Routine, values: Mapping[str, Value]) -> Iterator[Proto]:
    """The actions that the plain reading of a routine does."""
    if routine.kind == "optional" and not _usual(way, routine):
        return
    items = values.get(routine.over, ()) if routine.kind == "each" else ("",) * _times(way, routine)
    for item in (items,) if isinstance(items, str) else items:
        bound = {**values, routine.as_: item} if routine.kind == "each" else values
        for call in routine.children:
            yield from _called(way, call, bound)


def _called(way: FoundWay, call: Call, values: Mapping[str, Value]) -> Iterator[Proto]:
    if isinstance(call.node, Proto):
        yield call.node
    else:
        yield from _plan(way, call.node, resolve(call.args, values))


def _usual(way: FoundWay, routine: Routine) -> bool:
    did = sum(any(found.routine == routine for found in trace.occurrences) for _, trace in way.runs)
    return 2 * did >= len(way.runs)


def _times(way: FoundWay, routine: Routine) -> int:
    """How often an ``until`` goes round: as often as in the middle one of the runs that did it."""
    first = routine.children[0].node
    if routine.kind != "until" or not isinstance(first, Proto):
        return 1
    rounds = []
    for _, trace in way.runs:
        for found in trace.occurrences:
            if found.routine == routine:
                within = range(found.first.indexes[0], found.last.indexes[-1] + 1)
                rounds.append(sum(proto == first and seen.indexes[-1] in within for seen, proto in trace.actions))
    return max(median_low(rounds), 1) if rounds else 1


def _times_done(way: FoundWay) -> dict[tuple[Proto, int], list[_Done]]:
    """Each action, the first time and the second and so on, as every run of the way did it."""
    done: dict[tuple[Proto, int], list[_Done]] = {}
    for stretch, trace in way.runs:
        whole, times, begin = stretch.evidence.trajectory, Counter[Proto](), 0
        for seen, proto in sorted(trace.actions, key=lambda pair: pair[0].indexes[-1]):
            end = seen.indexes[-1] + 1
            here = _Done(stretch.key, whole.task, seen.step, whole.steps[begin:end])
            done.setdefault((proto, times[proto]), []).append(here)
            times[proto] += 1
            begin = end
    return done


def _spoken(done: Sequence[_Done], wanted: str, reader: Reader, as_recorded: bool) -> list[tuple[Step, str]]:
    """The action as it was most often described; of equals the plainest, then that of the likest instruction."""
    counts = Counter(reader(each.step, each.task) for each in done)

    def rank(each: _Done) -> tuple[int, int, float, str]:
        symbol = reader(each.step, each.task)
        return -counts[symbol], len(symbol[1].split()), -_likeness(each.task, wanted), each.run

    told = min(done, key=rank)
    if not as_recorded:
        return [(told.step, told.task)]
    return _around(done, told, reader)


def _around(done: Sequence[_Done], told: _Done, reader: Reader) -> list[tuple[Step, str]]:
    """What was recorded around an action, in the run that is most like the others there, as far as half of them have it;
    the action itself always, as it is ``told``."""
    own = reader(told.step, told.task)

    def symbols(each: _Done) -> list[tuple[str, str]]:
        return [own if _is_own(each, step) else reader(step, each.task) for step in each.recorded]

    read = [symbols(each) for each in done]
    counts = [Counter(each) for each in read]

    def central(n: int) -> float:
        return sum(SequenceMatcher(None, read[n], other, autojunk=False).ratio() for other in read)

    middle = min(range(len(done)), key=lambda n: (-round(central(n), 9), done[n].run))
    said, times = [], Counter[tuple[str, str]]()
    for step, symbol in zip(done[middle].recorded, read[middle], strict=True):
        times[symbol] += 1
        if _is_own(done[middle], step):
            said.append((told.step, told.task))
        elif 2 * sum(c[symbol] >= times[symbol] for c in counts) >= len(done):
            said.append((step, done[middle].task))
    return said


def _is_own(done: _Done, step: Step) -> bool:
    """Whether a recorded step is the action itself, which cleaning may have joined of several."""
    return step is done.step or (done.step not in done.recorded and step is done.recorded[-1])


@lru_cache(maxsize=4096)
def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.split(), other.split(), autojunk=False).ratio()
