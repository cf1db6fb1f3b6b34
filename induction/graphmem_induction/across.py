"""Nodes of different sites that a person decided are one: what they have in common becomes a general node.

The layer above the sites compares what the sites' nodes say (``carry_over``). Where a person keeps two of them together the
second is given the words of the first for that comparison alone: the sites' own nodes stay as they are, and specialise the
general one that comes of it. The words are those of the node that is used more; of equals the first by its steps.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from graphmem.model.decision import Decision, Subject
from graphmem.model.graph import Graph, Node
from graphmem.model.identity import canonical
from graphmem_induction.standing import Standing
from graphmem_induction.together import groups

#: What of two actions may differ and yet be one; what must not: the operation and the open parts.
_WORDS = ("role", "name")
_OTHER_WORDS = ("label", "placeholder", "text")


def across(sites: Mapping[str, Graph], decisions: Sequence[Decision]) -> Mapping[str, Graph]:
    """The graphs of the sites, with actions that are kept together across sites in the same words."""
    wanted = groups(decisions)
    if not wanted:
        return sites
    standing = Standing(_union(sites.values()))
    said: dict[str, Node] = {}
    for group in wanted:
        subjects = [Subject.of("Action", [(step, step) for step in steps]) for steps in group]
        found = [key for key in map(standing.find, subjects) if key is not None]
        nodes = [said.get(key, standing.nodes[key]) for key in dict.fromkeys(found)]
        if len(nodes) > 1 and len({_fixed(node) for node in nodes}) == 1:
            first = max(nodes, key=lambda node: (node.properties["uses"], min(standing.spans(node.key))))
            said |= {node.key: _in_words_of(first, node) for node in nodes}
    return {
        site: replace(graph, nodes=tuple(said.get(node.key, node) for node in graph.nodes))
        for site, graph in sites.items()
    }


def _union(graphs: Iterable[Graph]) -> Graph:
    graphs = list(graphs)
    nodes = tuple(node for graph in graphs for node in graph.nodes)
    return Graph(nodes, tuple(link for graph in graphs for link in graph.relationships))


def _fixed(node: Node) -> tuple[object, ...]:
    return (node.properties["op"], tuple(sorted(node.properties["slots"])), node.properties["value"])


def _in_words_of(first: Node, node: Node) -> Node:
    """The node as if its element were called what the first one's is."""
    theirs, mine = (json.loads(n.properties["target"]) for n in (first, node))
    called = next((theirs[part] for part in ("name", *_OTHER_WORDS) if theirs.get(part)), "")
    kept = {part: value for part, value in mine.items() if part not in (*_WORDS, *_OTHER_WORDS, "near")}
    near = {part: text for part, text in theirs.get("near", {}).items() if part in ("row", "column")}
    target = {**kept, "role": theirs.get("role", ""), "name": called, "near": near}
    written = canonical({part: value for part, value in target.items() if value})
    return replace(node, properties={**node.properties, "role": first.properties["role"], "target": written})
