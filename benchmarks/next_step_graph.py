"""The product as a system of ``benchmarks.next_step``: graphs learned from the train side, what they expect as read steps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.workflow_measures import Read
from graphmem.model.trajectory import Step, Trajectory
from graphmem_agents.foresee import Foresight, foresight
from graphmem_induction.learn import inducer_named
from graphmem_induction.protocol import Evidence


@dataclass(frozen=True)
class Graphs:
    """What the product learned."""

    memory: Foresight

    @classmethod
    def learned(cls, trajectories: Sequence[Trajectory], inducer: str = "graph") -> Graphs:
        """The graphs that a store would hold, with the recorded steps under them."""
        evidence: dict[str, list[Evidence]] = defaultdict(list)
        for trajectory in trajectories:
            evidence[trajectory.site].append(Evidence(trajectory, trajectory.verdict))
        chosen = inducer_named(inducer)
        sites = {site: chosen.induce(site, each) for site, each in sorted(evidence.items())}
        return cls(foresight(sites, trajectories))

    def expected(self, site: str, domain: str, instruction: str, history: Sequence[Step]) -> list[Read]:
        """The steps that the product expects, surest first, with names folded as the fixed readers fold them."""
        told = self.memory.next(site, domain, instruction, history)
        return [Read(g.op, g.role.casefold(), " ".join(g.name.split()).casefold()) for g in told]
