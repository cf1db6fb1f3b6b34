"""The hierarchy as a networkx graph, for those who walk, draw or export it.

Nodes are keys; a node has ``label`` and its properties, an edge ``type`` and its properties, JSON text parsed. The edge key is
the type; a second edge of one type between the same nodes (a subtask that calls an action twice) adds its index.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from graphmem.store.protocol import Row, Store
from graphmem_queries import load

if TYPE_CHECKING:
    import networkx as nx

#: Properties that hold JSON text.
JSON_TEXT = frozenset(
    {"parameters", "preconditions", "postconditions", "spec", "target", "bindings", "source", "extra", "settings"}
)

#: What a relationship says about up and down: from the start to the end, or the other way.
DOWN = frozenset({"HAS_WAY", "HAS_SUBTASK", "HAS_ACTION"})
UP = frozenset({"IN", "ON"})


def hierarchy(store: Store, root: str | None = None, *, evidence: bool = False) -> nx.MultiDiGraph:
    """Domain, Site, Task, Subtask and Action nodes and what relates them; with ``root`` (a key) only what lies under it.

    ``evidence`` adds the recordings, their steps, judgements and pages, and what ties them to the hierarchy.
    """
    import networkx as nx

    graph = nx.MultiDiGraph()
    for row in store.read(load("read/hierarchy_nodes")):
        graph.add_node(row["key"], label=row["label"], **parsed(row["properties"]))
    _link(graph, store.read(load("read/hierarchy_links")))
    if evidence:
        _add_evidence(graph, store)
    return graph if root is None else graph.subgraph(under(graph, root)).copy()


def parsed(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Properties with their JSON text read. Text that is no JSON stays text."""
    return {name: _value(name, value) for name, value in properties.items()}


def children(graph: nx.MultiDiGraph, key: str) -> list[tuple[str, Mapping[str, Any]]]:
    """What stands right under a node, with the relationship's attributes: calls by index, the rest by name."""
    down = [(end, data) for _, end, data in graph.out_edges(key, data=True) if data["type"] in DOWN]
    up = [(start, data) for start, _, data in graph.in_edges(key, data=True) if data["type"] in UP]
    here = graph.nodes[key]["label"]
    up = [(start, data) for start, data in up if _is_level_below(here, graph.nodes[start]["label"])]
    return sorted([*down, *up], key=lambda child: (child[1].get("index", 0), str(graph.nodes[child[0]].get("name"))))


def parents(graph: nx.MultiDiGraph, key: str) -> list[str]:
    """Who calls a node: the tasks and subtasks right above it."""
    return sorted({start for start, _, data in graph.in_edges(key, data=True) if data["type"] in DOWN})


def under(graph: nx.MultiDiGraph, root: str) -> set[str]:
    """``root`` and all that can be reached downwards from it."""
    seen, waiting = {root}, [root]
    while waiting:
        new = {child for child, _ in children(graph, waiting.pop())} - seen
        seen |= new
        waiting += new
    return seen


def _is_level_below(above: str, below: str) -> bool:
    # A site's own subtasks and actions hang below its tasks, not below the site itself: else the site would call them all.
    return (above, below) in {("Domain", "Site"), ("Site", "Task")}


def _add_evidence(graph: nx.MultiDiGraph, store: Store) -> None:
    for row in store.read(load("read/evidence_nodes")):
        graph.add_node(row["key"], label=row["label"], **parsed(row["properties"]))
    for row in store.read(load("read/evidence_steps")):
        graph.add_node(row["key"], label="Step", **{k: v for k, v in row.items() if k != "key"})
    _link(graph, store.read(load("read/evidence_links")))


def _link(graph: nx.MultiDiGraph, rows: list[Row]) -> None:
    for start, kind, end, properties in _ends(rows):
        if start in graph and end in graph:
            again = graph.has_edge(start, end, kind)
            graph.add_edge(
                start, end, f"{kind}:{_discriminator(properties)}" if again else kind, type=kind, **properties
            )


def _ends(rows: list[Row]) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    for row in rows:
        yield row["start_key"], row["type"], row["end_key"], parsed(row["properties"])


def _discriminator(properties: Mapping[str, Any]) -> str:
    return ":".join(str(properties[name]) for name in ("index", "first", "last") if name in properties)


def _value(name: str, value: Any) -> Any:
    if name not in JSON_TEXT or not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value
