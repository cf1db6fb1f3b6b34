"""The product in ``benchmarks.webarena_steps``: what it learned of one task, as the steps to take for an instruction."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import lru_cache

from graphmem.model.trajectory import Step, Trajectory
from graphmem.model.workflow import Value
from graphmem_induction.program import Call, Proto, Routine, resolve
from graphmem_induction.protocol import Evidence
from graphmem_induction.site import FoundTask, FoundWay, induce_site

Reader = Callable[[Step], tuple[str, str]]


def steps(
    template: int, others: Sequence[Trajectory], wanted: str, reader: Reader, folded: bool = False
) -> list[tuple[Step, str]]:
    """The steps of the way with the most runs, each with the instruction that it was done for; ``folded``: with the
    recorded steps that each stands for (the click that puts the cursor into a field, before what is typed there)."""
    found = learned(template, tuple(others))
    ways = [way for task in found for way in task.ways]
    if not ways:
        return []
    way = max(ways, key=lambda way: len(way.runs))
    near = max(way.runs, key=lambda run: (_likeness(run[0].evidence.trajectory.task, wanted), run[0].key))
    values = dict(near[1].occurrences[-1].bindings) if near[1].occurrences else {}
    return [said for proto in _done(way, way.routine, values) for said in _spoken(way, proto, wanted, reader, folded)]


@lru_cache(maxsize=8)
def learned(template: int, others: tuple[Trajectory, ...]) -> tuple[FoundTask, ...]:
    """The induction of these runs alone, told that they are of one task."""
    return induce_site(
        others[0].site, [Evidence(replace(run, template=f"template {template}"), "success") for run in others]
    )


def _done(way: FoundWay, routine: Routine, values: Mapping[str, Value]) -> Iterator[Proto]:
    """The actions that the plain reading of a routine does."""
    if routine.kind == "optional" and not _usual(way, routine):
        return
    items = values.get(routine.over, ()) if routine.kind == "each" else ("",)
    for item in (items,) if isinstance(items, str) else items:
        bound = {**values, routine.as_: item} if routine.kind == "each" else values
        for call in routine.children:
            yield from _called(way, call, bound)


def _called(way: FoundWay, call: Call, values: Mapping[str, Value]) -> Iterator[Proto]:
    if isinstance(call.node, Proto):
        yield call.node
    else:
        yield from _done(way, call.node, resolve(call.args, values))


def _usual(way: FoundWay, routine: Routine) -> bool:
    did = sum(any(found.routine == routine for found in trace.occurrences) for _, trace in way.runs)
    return 2 * did > len(way.runs)


def _spoken(way: FoundWay, proto: Proto, wanted: str, reader: Reader, folded: bool) -> list[tuple[Step, str]]:
    """The step of a run that did the action, as it was most often described; of equals that of the likest instruction."""
    done: dict[tuple[str, str], list[tuple[float, str, tuple[Step, ...], str]]] = defaultdict(list)
    counts: Counter[tuple[str, str]] = Counter()
    for stretch, trace in way.runs:
        task, recorded = stretch.evidence.trajectory.task, stretch.evidence.trajectory.steps
        for seen, action in trace.actions:
            if action == proto:
                stands_for = tuple(recorded[n] for n in seen.indexes) if folded else (seen.step,)
                done[reader(seen.step)].append((_likeness(task, wanted), stretch.key, stands_for, task))
                counts[reader(seen.step)] += 1
    if not counts:
        return []
    symbol = min(counts, key=lambda symbol: (-counts[symbol], -max(d[0] for d in done[symbol]), symbol))
    _, _, stands_for, task = max(done[symbol], key=lambda d: d[:2])
    return [(step, task) for step in stands_for]


@lru_cache(maxsize=4096)
def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.split(), other.split(), autojunk=False).ratio()
