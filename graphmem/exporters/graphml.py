"""The hierarchy as GraphML, for Gephi, yEd, Cytoscape, igraph and networkx.

Nodes are Domain, Site, Task, Subtask and Action by their key, with ``label`` and their properties; edges have ``type`` and
theirs. GraphML keeps text, numbers and booleans: a list becomes JSON text, JSON text stays as it is, what is absent is left
out, and characters that XML has no way to write become U+FFFD. ``networkx.read_graphml(FILE, force_multigraph=True)`` gives
the same nodes and edges again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from graphmem.store.protocol import Row, Store
from graphmem_queries import load

#: What XML 1.0 has no way to write.
_UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LEFT_OUT = ("key", "embedding")


class GraphmlExporter:
    name = "graphml"

    def export(self, store: Store, /, *, site: str | None = None) -> Iterator[str]:
        """One line a part. With ``site``: what is on it, and what that is a special case of."""
        import networkx as nx

        graph = nx.MultiDiGraph()
        links = store.read(load("read/hierarchy_links"))
        nodes = store.read(load("read/hierarchy_nodes"))
        kept = {row["key"] for row in nodes} if site is None else _of_site(site, nodes, links)
        for row in nodes:
            if row["key"] in kept:
                graph.add_node(row["key"], label=row["label"], **_flat(row["properties"]))
        for number, row in enumerate(links):
            if row["start_key"] in kept and row["end_key"] in kept:
                edge = row["start_key"], row["end_key"], f"e{number}"
                graph.add_edge(*edge, type=row["type"], **_flat(row["properties"]))
        yield '<?xml version="1.0" encoding="UTF-8"?>\n'
        for line in nx.generate_graphml(graph, named_key_ids=True):
            yield line + "\n"


def _of_site(site: str, nodes: list[Row], links: list[Row]) -> set[str]:
    """The site, what is on it and the tasks across it, with all that these lead to."""
    here = {row["key"] for row in nodes if row["label"] == "Site" and row["properties"]["name"] == site}
    kept = here | {row["start_key"] for row in links if row["end_key"] in here}
    ends: dict[str, list[str]] = {}
    for row in links:
        # From a task across sites down to its other site's part, but not from there to that site.
        if row["type"] != "ON":
            ends.setdefault(row["start_key"], []).append(row["end_key"])
    waiting = list(kept)
    while waiting:
        new = set(ends.get(waiting.pop(), ())) - kept
        kept |= new
        waiting += new
    return kept


def _flat(properties: Mapping[str, Any]) -> dict[str, str | int | float | bool]:
    told = {name: value for name, value in properties.items() if name not in _LEFT_OUT and value is not None}
    return {name: _plain(value) for name, value in sorted(told.items())}


def _plain(value: Any) -> str | int | float | bool:
    if isinstance(value, list):
        value = json.dumps(value, ensure_ascii=False)
    plain: str | int | float | bool = _UNWRITABLE.sub("\ufffd", value) if isinstance(value, str) else value
    return plain
