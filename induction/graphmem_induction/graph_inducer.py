"""The default inducer: alignment, anti-unification and compression, without a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphmem.model.decision import Decision
from graphmem.model.graph import Graph
from graphmem_induction.across import across
from graphmem_induction.candidates import candidates
from graphmem_induction.carry_over import carry_over
from graphmem_induction.decided import decided
from graphmem_induction.protocol import Evidence
from graphmem_induction.site import induce_site
from graphmem_induction.site_graph import SiteGraph


class GraphInducer:
    """The stages lie in the files of this package, one each."""

    name = "graph"
    version = 2

    def induce(self, site: str, recordings: Sequence[Evidence], decisions: Sequence[Decision] = ()) -> Graph:
        tasks = induce_site(site, recordings, decisions)
        return decided(SiteGraph(site, tasks, recordings, candidates(tasks)).build(), decisions)

    def carry_over(
        self, sites: Mapping[str, Graph], crossing: Sequence[Evidence], decisions: Sequence[Decision] = ()
    ) -> Graph:
        return decided(carry_over(across(sites, decisions), crossing), decisions, sites.values())
