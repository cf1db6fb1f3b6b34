"""Helpers of the induction tests: a graph as a comparable value, and its programs put together again."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from graphmem.model.graph import Graph
from graphmem.model.workflow import Child, Value, Workflow
from graphmem.model.workflow_json import action_from_properties, bindings_from_json, parameters_from_json


def comparable(graph: Graph) -> tuple[Any, ...]:
    """Everything in a graph, so that two equal ones are ``==``."""
    nodes = sorted((n.label, n.key, json.dumps(dict(n.properties), sort_keys=True)) for n in graph.nodes)
    links = sorted((str(r.identity), json.dumps(dict(r.properties), sort_keys=True)) for r in graph.relationships)
    return nodes, links


def named(graph: Graph, label: str, text: str) -> dict[str, Any]:
    """The properties of the one node of ``label`` whose name or text starts with ``text``."""
    found = [
        dict(n.properties) | {"key": n.key}
        for n in graph.nodes
        if n.label == label and (n.properties["name"].startswith(text) or n.properties["text"].startswith(text))
    ]
    assert len(found) == 1, [n.properties["name"] for n in graph.nodes if n.label == label]
    return found[0]


def texts(graph: Graph, label: str) -> set[str]:
    return {n.properties["text"] for n in graph.nodes if n.label == label}


def workflow(graph: Graph, key: str) -> Workflow:
    """The program of a Subtask node, from the graph's edges."""
    nodes = {n.key: n for n in graph.nodes}
    calls: dict[str, list[Any]] = defaultdict(list)
    for link in graph.relationships:
        if link.kind[1] in ("HAS_ACTION", "HAS_SUBTASK"):
            calls[link.start].append(link)

    def build(key: str) -> Workflow:
        p = nodes[key].properties
        children = tuple(
            Child(
                build(link.end) if link.kind[2] == "Subtask" else action_from_properties(nodes[link.end].properties),
                bindings_from_json(json.loads(link.properties["bindings"])),
            )
            for link in sorted(calls[key], key=lambda link: link.properties["index"])
        )
        return Workflow(
            p["kind"], children, parameters_from_json(json.loads(p["parameters"])), p["spec"], p["preconditions"],
            p["postconditions"], p["site"], p["name"],
        )  # fmt: skip

    return build(key)


def uses_of(graph: Graph, recording: str) -> dict[str, list[tuple[int, int]]]:
    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for link in graph.relationships:
        if link.kind[1] == "USES" and link.start == recording:
            found[link.end].append((link.properties["first"], link.properties["last"]))
    return found


def outermost(graph: Graph, recording: str) -> tuple[str, dict[str, Value], list[int]]:
    """Key, bindings and residual of the widest use; of equals the way of a task."""
    ways = {link.end for link in graph.relationships if link.kind[1] == "HAS_WAY"}
    uses = [link for link in graph.relationships if link.kind[1] == "USES" and link.start == recording]
    use = min(uses, key=lambda u: (u.properties["first"] - u.properties["last"], u.end not in ways, u.end))
    bound = json.loads(use.properties["bindings"])
    values = {k: tuple(v) if isinstance(v, list) else v for k, v in bound.items()}
    return use.end, values, list(use.properties["residual"])
