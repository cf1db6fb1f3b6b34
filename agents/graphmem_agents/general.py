"""General ways: a plan for a site that has none of its own, from what two or more other sites have in common.

The task that fits best elsewhere says what is wanted and lends its order; of its way only the subtasks that have a general
form are kept, called with the same bindings. What belongs to the lending site alone (its addresses, its buttons) is left
out, and the plan says so. Field names are the lender's: a hint for whoever finds the element on the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from graphmem.model.workflow import Action, Value, Workflow, value_of
from graphmem.store.protocol import Store
from graphmem.store.workflows import Way, programs
from graphmem_agents.unfold import Setting, Unfolded, unfold
from graphmem_queries import load


@dataclass(frozen=True)
class Lifted:
    """What is left of a way when only general subtasks are kept: ``kept`` of ``of`` actions."""

    unfolded: Unfolded
    kept: int
    of: int


def lifted(store: Store, way: Way, values: Mapping[str, Value], site: str) -> Lifted:
    """The general part of ``way`` for ``site``; ``values`` are those of the way's workflow."""
    calls = list(_calls(way.workflow, values))
    parents = _parents(store, [workflow.key for workflow, _ in calls])
    found = programs(store, subtasks=parents.values())
    setting = Setting(found, site)
    parts: list[Unfolded] = []
    kept = 0
    for own, bound in _outermost(way.workflow, values, parents):
        general = found.workflows[parents[own.key]]
        parts.append(unfold(general, _renamed(own, general, bound), (), setting))
        # A general form may be a part of what it stands for.
        kept += min(own.steps, general.steps)
    steps = tuple(step for part in parts for step in part.steps)
    missing = tuple(dict.fromkeys(slot for part in parts for slot in part.missing))
    return Lifted(Unfolded(steps, missing), kept, way.workflow.steps)


def _parents(store: Store, keys: list[str]) -> dict[str, str]:
    """Each subtask's general form; the smallest key where there are several."""
    found: dict[str, str] = {}
    for row in store.read(load("read/plan_general"), keys=sorted(set(keys))):
        found.setdefault(row["key"], row["general"])
    return found


def _calls(workflow: Workflow, values: Mapping[str, Value]) -> Iterator[tuple[Workflow, Mapping[str, Value]]]:
    """The workflow and every one below it, each with the values of its parameters."""
    yield workflow, values
    for child in workflow.children:
        if not isinstance(child.node, Action):
            yield from _calls(child.node, {slot: value_of(binding, values) for slot, binding in child.bindings})


def _outermost(
    workflow: Workflow, values: Mapping[str, Value], parents: Mapping[str, str]
) -> Iterator[tuple[Workflow, Mapping[str, Value]]]:
    """The calls that have a general form, without those inside one that has."""
    if workflow.key in parents:
        yield workflow, values
        return
    for child in workflow.children:
        if not isinstance(child.node, Action):
            bound = {slot: value_of(binding, values) for slot, binding in child.bindings}
            yield from _outermost(child.node, bound, parents)


def _renamed(own: Workflow, general: Workflow, bound: Mapping[str, Value]) -> dict[str, Value]:
    """Values by the general form's own slots: by name, else by place in the signature."""
    named = dict(bound)
    if {p.name for p in general.parameters} <= set(named):
        return named
    for mine, theirs in zip(own.parameters, general.parameters, strict=False):
        if mine.name in bound and theirs.name not in named:
            named[theirs.name] = bound[mine.name]
    return named
