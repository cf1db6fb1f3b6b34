"""What the page holds of a graph: plain JSON with places instead of keys, in one order whatever order the graph had.

The hierarchy (Domain, Site, Task, Subtask, Action) goes in whole. Of what it was learnt from the page needs less:
trajectories become ``recordings`` with one short line a step, pages their pattern and title, and the relationships
between these become ``evidence``; of a node with very many, so many as a person would read. Everything else in the graph is
only counted. A plan, if there is one, is laid over it (overlay.py).
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import networkx as nx

from graphmem.model.plan import Plan
from graphmem.view.overlay import overlay

SCHEMA = "graphmem.view/1"

#: The labels that are drawn, from the top of the hierarchy to its bottom.
LEVELS = ("Domain", "Site", "Task", "Subtask", "Action")

#: Properties that the stores hold as JSON text.
JSON_PROPERTIES = frozenset(
    {"parameters", "preconditions", "postconditions", "spec", "target", "bindings", "source", "extra"}
)

#: Recordings of one task or subtask that the page holds.
RECORDINGS = 50

Payload = dict[str, Any]

#: (type, start, end, properties) of a relationship.
Edge = tuple[str, str, str, dict[str, Any]]


def payload(graph: nx.MultiDiGraph, title: str, *, plan: Plan | None = None, recordings: int = RECORDINGS) -> Payload:
    """The page's data: JSON-able, and equal for equal graphs. ``recordings``: at most so many of each task and subtask."""
    by_label: dict[str, list[str]] = defaultdict(list)
    for key, attributes in graph.nodes(data=True):
        by_label[str(attributes.get("label", ""))].append(str(key))
    drawn = _places(key for label in LEVELS for key in sorted(by_label[label]))
    pages = _places(sorted(by_label["Page"]))
    edges = sorted(_edges(graph), key=lambda edge: (edge[1:3], edge[0], _text(edge[3])))
    shown = [edge for edge in edges if edge[1] in drawn and edge[2] in drawn]
    behind = _behind(graph, edges, drawn)
    bounded = (behind[key] for key in (*by_label["Task"], *by_label["Subtask"]))
    kept = _places(sorted({key for keys in bounded for key in sorted(keys)[:recordings]}))
    return {
        "schema": SCHEMA,
        "title": title,
        "counts": {label or "?": len(keys) for label, keys in sorted(by_label.items()) if keys},
        "relationships": dict(sorted(Counter(edge[0] for edge in edges).items())),
        "nodes": [_node(graph, key) | {"recordings": len(behind[key])} for key in drawn],
        "edges": [
            {"type": kind, "source": drawn[start], "target": drawn[end], "properties": properties}
            for kind, start, end, properties in shown
        ],
        "pages": [_page(graph.nodes[key]) for key in pages],
        "plan": overlay(plan, drawn, shown, _kinds(graph, drawn)) if plan else None,
        **_evidence(graph, edges, drawn, kept, pages),
    }


def _behind(graph: nx.MultiDiGraph, edges: list[Edge], drawn: Mapping[str, int]) -> dict[str, set[str]]:
    """The recordings behind each node: those that are or use it, those with a step that is it, and those on a site or on a
    domain's sites."""
    label = dict(graph.nodes(data="label"))
    site_of = {graph.nodes[key].get("name"): key for key in drawn if label[key] == "Site"}
    of_step = {end: start for kind, start, end, _ in edges if kind == "HAS_STEP"}
    behind: dict[str, set[str]] = defaultdict(set)
    for kind, start, end, _ in edges:
        recording = start if label[start] == "Trajectory" else of_step.get(start)
        if end in drawn and recording is not None and kind in ("INSTANCE_OF", "USES"):
            behind[end].add(recording)
    for key in (key for key in label if label[key] == "Trajectory"):
        known = graph.nodes[key]
        for site in {*(known.get("sites") or ()), known.get("site")} & site_of.keys():
            behind[site_of[site]].add(str(key))
    for kind, site, domain, _ in edges:
        if kind == "IN":
            behind[domain] |= behind[site]
    return behind


def _kinds(graph: nx.MultiDiGraph, drawn: Mapping[str, int]) -> dict[str, str]:
    return {key: str(kind) for key in drawn if (kind := graph.nodes[key].get("kind"))}


def _places(keys: Any) -> dict[str, int]:
    return {key: place for place, key in enumerate(keys)}


def _edges(graph: nx.MultiDiGraph) -> Iterator[Edge]:
    """(type, start, end, properties) of every relationship."""
    for start, end, key, attributes in graph.edges(keys=True, data=True):
        kind = str(attributes.get("type") or _type_in(key))
        properties = {k: v for k, v in _properties(attributes).items() if k != "type"}
        yield kind, str(start), str(end), properties


def _type_in(key: Any) -> str:
    """The type in an edge key: the key itself, the first of a tuple, or what stands before a colon (``HAS_ACTION:3``),
    since two relationships of one type between the same nodes need keys that differ."""
    first = key[0] if isinstance(key, tuple) and key else key
    return str(first).split(":", 1)[0]


def _node(graph: nx.MultiDiGraph, key: str) -> dict[str, Any]:
    properties = _properties(graph.nodes[key])
    label, name = str(properties.pop("label", "")), str(properties.pop("name", "") or key)
    properties.pop("key", None)
    return {"key": key, "label": label, "name": name, "properties": properties}


def _page(attributes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: str(attributes.get(name) or "") for name in ("site", "pattern", "title")}


def _evidence(
    graph: nx.MultiDiGraph,
    edges: list[Edge],
    drawn: Mapping[str, int],
    recordings: Mapping[str, int],
    pages: Mapping[str, int],
) -> Payload:
    """The recordings with their steps, and which of them bears on which node.

    ``evidence``: [recording, node, {first, last, bindings, residual}] for what is an instance of a task or uses a subtask.
    """
    targets: dict[tuple[str, str], str] = {(start, kind): end for kind, start, end, _ in edges}
    steps: dict[str, list[dict[str, Any]]] = defaultdict(list)
    judgements: dict[str, list[dict[str, Any]]] = defaultdict(list)
    evidence = []
    for kind, start, end, properties in edges:
        if kind == "HAS_STEP" and start in recordings:
            steps[start].append(_step(graph.nodes[end], properties, end, targets, drawn, pages))
        elif kind == "OF" and end in recordings:
            judged = _properties(graph.nodes[start])
            judgements[end].append({name: judged.get(name, "") for name in ("by", "verdict", "at")})
        elif kind in ("INSTANCE_OF", "USES") and start in recordings and end in drawn:
            evidence.append([recordings[start], drawn[end], properties])
    return {
        "recordings": [_recording(key, graph.nodes[key], steps[key], judgements[key]) for key in recordings],
        "evidence": evidence,
    }


def _recording(
    key: str, attributes: Mapping[str, Any], steps: list[dict[str, Any]], judgements: list[dict[str, Any]]
) -> dict[str, Any]:
    known = _properties(attributes)
    chosen = ("site", "sites", "outcome", "judged", "reward", "run_id", "recorded_at", "source", "answer", "length")
    return {
        "key": key,
        "name": str(known.get("task") or known.get("name") or key),
        "properties": {name: known[name] for name in chosen if name in known},
        "judgements": sorted(judgements, key=_text),
        "steps": sorted(steps, key=lambda step: (step["index"], _text(step))),
    }


def _step(
    attributes: Mapping[str, Any],
    relationship: Mapping[str, Any],
    key: str,
    targets: Mapping[tuple[str, str], str],
    drawn: Mapping[str, int],
    pages: Mapping[str, int],
) -> dict[str, Any]:
    index = relationship.get("index", attributes.get("index"))
    step: dict[str, Any] = {"index": index if isinstance(index, int) else 0}
    step |= {name: str(attributes[name]) for name in ("op", "role", "name", "value") if attributes.get(name)}
    action, page = targets.get((key, "INSTANCE_OF"), ""), targets.get((key, "AT"), "")
    return (
        step | ({"action": drawn[action]} if action in drawn else {}) | ({"page": pages[page]} if page in pages else {})
    )


# -- values ------------------------------------------------------------------------------------------------------------


def _properties(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Properties as JSON values, maps parsed, without what is empty."""
    parsed = {str(name): _value(str(name), value) for name, value in attributes.items()}
    return {name: value for name, value in sorted(parsed.items()) if value not in (None, "", [], {})}


def _value(name: str, value: Any) -> Any:
    if name in JSON_PROPERTIES and isinstance(value, str) and value[:1] in ("{", "["):
        try:
            value = json.loads(value)
        except ValueError:
            return value
    return _plain(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = [_plain(v) for v in value]
        return sorted(items, key=_text) if isinstance(value, set | frozenset) else items
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
