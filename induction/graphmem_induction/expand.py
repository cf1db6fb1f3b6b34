"""The expander against a recording: a way with its bindings and residual gives the cleaned recording back.

The interpreter runs in a world that answers from what USES says: an optional part was done where the recording used it, a
loop went on while the recording was in it. This is the law that nothing is lost, and how a recording is shown as a program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphmem.model.workflow import Action, BoundStep, Value, Workflow, interpret
from graphmem_induction.alike import is_called
from graphmem_induction.describe import Seen
from graphmem_induction.slots import occurs

Uses = Mapping[str, Sequence[tuple[int, int]]]


@dataclass
class Recorded:
    """The world of one recording. ``uses``: the key of a subtask to the (first, last) recorded steps of its uses;
    ``positions``: the recorded indexes of the steps to come, the next one first."""

    uses: Uses
    positions: list[tuple[int, ...]]
    at: int = 0

    def holds(self, workflow: Workflow, path: tuple[str, ...]) -> bool:
        return self._inside(workflow.key)

    def goes_on(self, workflow: Workflow, path: tuple[str, ...], done: int) -> bool:
        return self._inside(workflow.key)

    def _inside(self, key: str) -> bool:
        if self.at >= len(self.positions):
            return False
        step = self.positions[self.at]
        return any(first <= step[0] and step[-1] <= last for first, last in self.uses.get(key, ()))


def expand(
    workflow: Workflow, values: Mapping[str, Value], uses: Uses, seen: Sequence[Seen], residual: Sequence[int] = ()
) -> Iterator[tuple[BoundStep | None, Seen]]:
    """The steps that the workflow would do, beside those of the recording: (step, recorded), None for a residual one.

    ValueError where the workflow does more or fewer steps than the recording has.
    """
    left_out = set(residual)
    explained = [item for item in seen if item.indexes[-1] not in left_out]
    world = Recorded(uses, [item.indexes for item in explained])
    steps: dict[int, BoundStep] = {}
    for step in interpret(workflow, values, world):
        if world.at >= len(explained):
            raise ValueError(f"{workflow.name or workflow.key} does more steps than the recording has")
        steps[explained[world.at].indexes[-1]] = step
        world.at += 1
    if world.at < len(explained):
        raise ValueError(f"{workflow.name or workflow.key} does {world.at} of the {len(explained)} steps")
    for item in seen:
        yield steps.get(item.indexes[-1]), item


def is_step(step: BoundStep, seen: Seen) -> bool:
    """Whether a bound step is the recorded one: by operation, described target and value. A control that was only told of
    may be called by another of its wordings."""
    what, action, target = seen.what, step.action, step.target
    name, row = (target.called(), target.near.row) if target else ("", "")
    return (
        (action.op, step.value) == (what.op, what.value)
        and ((action.role == what.role and _same_name(action, name, what.name)) or is_called(action.role, name, seen))
        and (occurs(row, what.row) if "row" in action.slots else row == what.row)
    )


def _same_name(action: Action, name: str, seen: str) -> bool:
    if "name" not in action.slots:
        return name == seen
    wanted, said = name.casefold(), seen.casefold()
    return said.startswith(wanted) if action.match == "starts" else said == wanted
