"""The default inducer: alignment, anti-unification and compression, without a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphmem.model.graph import Graph
from graphmem_induction.carry_over import carry_over
from graphmem_induction.protocol import Evidence
from graphmem_induction.site import induce_site
from graphmem_induction.site_graph import SiteGraph


class GraphInducer:
    """The stages lie in the files of this package, one each."""

    name = "graph"
    version = 1

    def induce(self, site: str, recordings: Sequence[Evidence]) -> Graph:
        return SiteGraph(site, induce_site(site, recordings), recordings).build()

    def carry_over(self, sites: Mapping[str, Graph], crossing: Sequence[Evidence]) -> Graph:
        return carry_over(sites, crossing)
