"""Looking around: the list of workflows, one node in full, and the hierarchy as a tree.

A subtask that several workflows call is one node. A tree can only print it in each place, so its calls are unfolded at
the first and marked ``shared`` at the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from graphmem.memory.finding import Found
from graphmem.memory.hierarchy import children, hierarchy, parents, parsed
from graphmem.store import recordings
from graphmem.store.protocol import Store
from graphmem_queries import load

if TYPE_CHECKING:
    import networkx as nx

#: Recordings that ``show`` names.
MOST = 20

#: Kinds of subtask that are a part of the one around them rather than a workflow to call.
CONTROL = frozenset({"each", "until", "optional", "any_order", "choose"})

Node = dict[str, Any]


def workflows(store: Store, site: str | None = None) -> list[Node]:
    """Tasks, and subtasks that are sequences, with label and properties; most used first."""
    rows = store.read(load("read/hierarchy_nodes"))
    nodes = [
        {"label": row["label"], **parsed(row["properties"])} for row in rows if row["label"] in ("Task", "Subtask")
    ]
    kept = [n for n in nodes if n.get("kind") not in CONTROL and (site is None or site in sites_of(n))]
    return sorted(kept, key=lambda n: (n["label"] != "Task", -(n.get("uses") or 0), n["key"]))


def sites_of(node: Mapping[str, Any]) -> list[str]:
    """The sites of a Task, Subtask or Action; none where it is general."""
    return list(node.get("sites") or ([node["site"]] if node.get("site") else []))


def show(store: Store, found: Found) -> Node:
    """Everything about one node, JSON-able."""
    if found.label == "Trajectory":
        return _recording(store, found)
    if found.label == "Page":
        return {"key": found.key, "label": found.label, "name": found.name}
    graph = hierarchy(store)
    used_by = [_named(graph, key) for key in parents(graph, found.key)]
    behind = store.read(load("read/recordings_behind"), key=found.key, limit=MOST)
    made_of = [_named(graph, key) for key, _ in children(graph, found.key)]
    return {"key": found.key, **graph.nodes[found.key], "made_of": made_of, "used_by": used_by, "recordings": behind}


def tree(graph: nx.MultiDiGraph, root: str | None = None, *, depth: int | None = None) -> list[Node]:
    """Nested ``{"key", "label", "name", "text", "children"}`` from ``root``, or from everything that hangs below nothing."""
    unfolded: set[str] = set()
    return [_branch(graph, key, {}, depth, unfolded) for key in ([root] if root else _tops(graph))]


def _tops(graph: nx.MultiDiGraph) -> list[str]:
    below = {child for key in graph for child, _ in children(graph, key)}
    levels = {"Domain": 0, "Site": 1, "Task": 2, "Subtask": 3}
    tops = [key for key, data in graph.nodes(data=True) if key not in below and data["label"] in levels]
    return sorted(tops, key=lambda key: (levels[graph.nodes[key]["label"]], str(graph.nodes[key].get("name")), key))


def _branch(graph: nx.MultiDiGraph, key: str, call: Mapping[str, Any], depth: int | None, unfolded: set[str]) -> Node:
    node = graph.nodes[key]
    label, name = node["label"], str(node.get("name") or "")
    branch: Node = {"key": key, "label": label, "name": name, "text": _text(node, call.get("bindings") or {})}
    below = children(graph, key)
    if label == "Subtask" and key in unfolded and below:
        return branch | {"shared": True, "children": []}
    unfolded.add(key)
    if depth == 0:
        return branch | ({"more": len(below)} if below else {}) | {"children": []}
    left = None if depth is None else depth - 1
    return branch | {"children": [_branch(graph, child, data, left, unfolded) for child, data in below]}


def _text(node: Mapping[str, Any], bindings: Mapping[str, Any]) -> str:
    """One line: an action with what its open parts are bound to here, a subtask with what it is called with."""
    shown = {slot: _shown(binding) for slot, binding in bindings.items()}
    if node["label"] == "Action":
        text = str(node.get("text") or node.get("name") or "")
        for slot, value in shown.items():
            text = text.replace(f"{{{slot}}}", value)
        return text
    name = str(node.get("name") or node.get("kind") or "")
    control = f"{node['kind']}: " if node.get("kind") in CONTROL else ""
    # A slot that is handed on under its own name needs no words.
    arguments = ", ".join(f"{slot}={value}" for slot, value in sorted(shown.items()) if value != f"{{{slot}}}")
    return f"{control}{name}" + (f" ({arguments})" if arguments else "")


def _shown(binding: Mapping[str, str]) -> str:
    if "literal" in binding:
        return f'"{binding["literal"]}"'
    if "from" in binding:
        return f"{{what {binding['from']} read}}"
    transform = binding.get("transform")
    return f"{{{binding.get('slot', '?')} as {transform}}}" if transform else f"{{{binding.get('slot', '?')}}}"


def _named(graph: nx.MultiDiGraph, key: str) -> Node:
    node = graph.nodes[key]
    return {"key": key, "label": node["label"], "name": node.get("name", "")}


def _recording(store: Store, found: Found) -> Node:
    from graphmem.model.trajectory import trajectory_to_json

    kept = recordings.get(store, found.key)
    document = trajectory_to_json(kept.trajectory)
    text = "\n".join(_steps(kept))
    return {"key": found.key, "label": "Trajectory", "name": found.name, "judged": kept.judged, "text": text} | document


def _steps(kept: recordings.Recording) -> Iterator[str]:
    for number, step in enumerate(kept.trajectory.steps, 1):
        called = step.target.called() if step.target else ""
        role = step.target.role or step.target.tag if step.target else ""
        value = f'= "{step.value}"' if step.value else ""
        yield " ".join(part for part in (f"{number}.", step.op, role, f'"{called}"' if called else "", value) if part)
