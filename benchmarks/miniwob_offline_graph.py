"""The product in ``miniwob_offline``: a workflow learned from trajectories, run on recorded pages by the interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.miniwob_offline_systems import Expected
from graphmem.model.frontier import Run, offered
from graphmem.model.selection import Scene
from graphmem.model.trajectory import Page, Trajectory
from graphmem.model.workflow import Workflow
from graphmem_induction.programs.examples import Demonstration
from graphmem_induction.programs.learn import learn
from graphmem_induction.programs.lower import lower
from graphmem_induction.programs.reading import demonstration_of
from graphmem_induction.programs.wording import Slot, values_of


class Programs:
    name = "graph"

    def learn(self, demonstrations: Sequence[Trajectory]) -> _Learned:
        shown: list[Demonstration] = [d for t in demonstrations if (d := demonstration_of(t)).acts]
        program = learn(shown)
        slots = dict(program.slots)
        types = {name: "list" if slot.items else "text" for name, slot in slots.items()}
        return _Learned(slots, lower(program.rules, shown, [values_of(slots, d.text) for d in shown], types))


@dataclass
class _Learned:
    slots: dict[str, Slot]
    workflow: Workflow

    def start(self, instruction: str) -> _Under:
        return _Under(Run(self.workflow, values_of(self.slots, instruction)))


@dataclass
class _Under:
    """A run under way. A page is looked at once, however often it is asked about."""

    run: Run
    page: Page | None = None
    scene: Scene | None = None

    def next(self, page: Page) -> Sequence[Expected]:
        if self.page is not page:
            self.page, self.scene = page, Scene(page.sketch)
        assert self.scene is not None
        return [Expected(o.step.action.op, o.index, o.step.value) for o in self.run.offers(self.scene)]

    def done(self, act: Expected, page: Page) -> None:
        assert self.scene is not None
        found = offered(self.run.offers(self.scene), act.op, act.element, act.value)
        if found is not None:
            self.run.did(found, self.scene)
