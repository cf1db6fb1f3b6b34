"""The derived graph of each owner kept in short: two texts on its bookkeeping node beside the nodes and relationships.

To write only what differs, the graph as it was has to be known, and the general layer is a function of the routines of all
sites. Read row by row that is most of what one more recording costs: on a site of 1,000 recordings some 25,000 rows. A text
is a hundredth of it. ``calls`` holds Subtask and Action nodes and the calls between them (what the general layer is made
of), ``rest`` all else: compressed JSON in which a relationship names its ends by their place in a list of keys.

The texts are written with the graph, in the same transaction, and are no part of it. What removes nodes from under a graph
says so: forgetting a recording drops the texts of its sites, and a site's node that goes is noted (``gone``) for the general
layer, whose relationships went with it. Where there is no text (after a backup was loaded) the graph itself is read.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from graphmem.model.graph import LABELS, SCHEMA, Graph, Node, Relationship
from graphmem.store import rows
from graphmem.store.protocol import Row, Store
from graphmem_queries import load as query

CALLING = ("Subtask", "Action")
CALLS = (("Subtask", "HAS_ACTION", "Action"), ("Subtask", "HAS_SUBTASK", "Subtask"))
_KINDS = tuple(SCHEMA)
#: Of zlib, 0 to 9: the quicker ones, as most of what is to be packed are hashes.
_LEVEL = 3


def short_rows(graphs: Mapping[str, Graph]) -> list[Row]:
    """Rows of ``write/set_short`` for whole graphs, by the key of the owner's bookkeeping."""
    return [
        {"key": key, "calls": _packed(*_calls(graph)), "rest": _packed(*_rest(graph))} for key, graph in graphs.items()
    ]


def read_short(read: Callable[..., list[Row]], keys: Sequence[str]) -> dict[str, Graph]:
    """The whole graphs of those owners (keys of bookkeeping) that are kept in short."""
    found = read(query("read/short"), keys=sorted(keys)) if keys else []
    graphs = {}
    for row in found:
        if row["calls"] and row["rest"]:
            (nodes, links), (more, others) = _unpacked(row["calls"]), _unpacked(row["rest"])
            graphs[row["key"]] = _without(Graph((*nodes, *more), (*links, *others)), set(row["gone"] or ()))
    return graphs


def read_calls(store: Store, keys: Sequence[str]) -> dict[str, Graph]:
    """Only Subtask and Action nodes and the calls between them, of those owners that are kept in short."""
    found = store.read(query("read/short_calls"), keys=sorted(keys)) if keys else []
    return {row["key"]: Graph(*_unpacked(row["calls"])) for row in found if row["calls"]}


def _calls(graph: Graph) -> tuple[list[Node], list[Relationship]]:
    return [n for n in graph.nodes if n.label in CALLING], [r for r in graph.relationships if r.kind in CALLS]


def _rest(graph: Graph) -> tuple[list[Node], list[Relationship]]:
    return [n for n in graph.nodes if n.label not in CALLING], [r for r in graph.relationships if r.kind not in CALLS]


def _without(graph: Graph, gone: Collection[str]) -> Graph:
    if not gone:
        return graph
    return Graph(graph.nodes, tuple(r for r in graph.relationships if r.start not in gone and r.end not in gone))


# -- as text -----------------------------------------------------------------------------------------------------------


def _packed(nodes: Iterable[Node], links: Iterable[Relationship]) -> str:
    places: dict[str, int] = {}
    listed = [[LABELS.index(n.label), _place(n.key, places), rows.lawful(n.properties)] for n in nodes]
    joined: dict[int, list[list[Any]]] = {}
    for link in links:
        row: list[Any] = [_place(link.start, places), _place(link.end, places)]
        told = rows.lawful(link.properties)
        joined.setdefault(_KINDS.index(link.kind), []).append([*row, told] if told else row)
    text = json.dumps([list(places), listed, list(joined.items())], separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(zlib.compress(text.encode("utf-8", "surrogatepass"), _LEVEL)).decode("ascii")


def _place(key: str, places: dict[str, int]) -> int:
    return places.setdefault(key, len(places))


def _unpacked(text: str) -> tuple[tuple[Node, ...], tuple[Relationship, ...]]:
    keys, listed, joined = json.loads(zlib.decompress(base64.b64decode(text)).decode("utf-8", "surrogatepass"))
    nodes = tuple(Node(LABELS[label], keys[at], properties) for label, at, properties in listed)
    links = tuple(
        Relationship(_KINDS[kind], keys[row[0]], keys[row[1]], row[2] if len(row) > 2 else {})
        for kind, group in joined
        for row in group
    )
    return nodes, links
