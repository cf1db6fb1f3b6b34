"""What varies in induction: one small Protocol, and what an inducer is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from graphmem.model.decision import Decision
from graphmem.model.graph import Graph
from graphmem.model.trajectory import Trajectory


@dataclass(frozen=True)
class Evidence:
    """One recording that touches a site, and its effective verdict: success, failure or unknown."""

    trajectory: Trajectory
    verdict: str


class Inducer(Protocol):
    """From the recordings of one site to its graph. ``name`` and ``version`` are stored: a graph of another version is
    induced again. A pure function of the sets of recordings and decisions: no clock, no order, no installed model."""

    name: str
    version: int

    def induce(self, site: str, recordings: Sequence[Evidence], decisions: Sequence[Decision] = ()) -> Graph:
        """The derived nodes and relationships that the site owns, as people decided (``decided.decided``)."""
        ...

    def carry_over(
        self, sites: Mapping[str, Graph], crossing: Sequence[Evidence], decisions: Sequence[Decision] = ()
    ) -> Graph:
        """The general layer: from the site graphs, and the recordings that touch more than one site."""
        ...
