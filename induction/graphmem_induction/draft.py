"""A derived graph taken apart so that its nodes can be changed, and put together again with the keys that follow.

A change to what an action is changes the key of everything that calls it. So nodes keep the key that they came with as a
handle while they are changed, and ``graph`` works out the keys that result from below to above. Nodes that have become
equal are then one: their records add up, and their relationships are merged.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from graphmem.model.graph import Graph, Node, Relationship
from graphmem.model.identity import canonical
from graphmem.model.workflow import READ, Action, Child, Workflow, action_key, subtask_key, task_key
from graphmem.model.workflow_json import action_from_properties, bindings_from_json, parameters_from_json
from graphmem.model.workflow_text import action_text, workflow_text

#: The better known of two statuses stands for both.
_STATUSES = ("quarantined", "active", "stale", "draft")
_ADDED = ("uses", "successes", "failures", "count")
CALLS = ("HAS_ACTION", "HAS_SUBTASK")
#: What a node says of its place, which stays where another node takes that place.
_OF_ITSELF = ("NEXT", "SPECIALIZES")
NAME_LIMIT = 200
Bound = dict[str, dict[str, str]]


class Draft:
    """The nodes and relationships of a graph by handle. Used once."""

    def __init__(self, graph: Graph) -> None:
        self.nodes: dict[str, dict[str, Any]] = {node.key: dict(node.properties) for node in graph.nodes}
        self.labels = {node.key: node.label for node in graph.nodes}
        self.links = list(graph.relationships)
        self.changed: set[str] = set()
        self.copies: set[str] = set()
        self._keys: dict[str, str] = {}

    # -- changing ------------------------------------------------------------------------------------------------------

    def put(self, handle: str, **properties: Any) -> None:
        """Change properties of a node."""
        self.nodes[handle].update(properties)
        self.changed.add(handle)

    def relink(self, change: Callable[[Relationship], Relationship | None]) -> None:
        """Change every relationship, or leave out those that become None."""
        self.links = [link for link in map(change, self.links) if link is not None]

    def rebind(self, handle: str, change: Callable[[Bound], Bound], *, into: bool) -> None:
        """Change the bindings of every call that a node makes, or, with ``into``, of every call and way that leads to it."""

        def rebound(link: Relationship) -> Relationship:
            here = link.end if into else link.start
            if here != handle or link.kind[1] not in (*CALLS, "HAS_WAY", *(["USES"] if into else [])):
                return link
            bindings = change(json.loads(link.properties["bindings"]))
            return replace(link, properties={**link.properties, "bindings": canonical(bindings)})

        self.relink(rebound)
        self.changed.add(handle)

    def calls(self, handle: str) -> list[Relationship]:
        """What a subtask calls, in order."""
        found = [link for link in self.links if link.start == handle and link.kind[1] in CALLS]
        return sorted(found, key=lambda link: link.properties["index"])

    def instead(self, old: str, new: str, slots: Mapping[str, str]) -> None:
        """Let everything that led to ``old`` lead to ``new``; ``old`` goes. ``slots``: which slot of the new one takes what
        a slot of the old one was bound to; what is in neither is bound no more."""

        def led(link: Relationship) -> Relationship | None:
            if link.start == old:
                return replace(link, start=new) if link.kind[1] in _OF_ITSELF else None
            if link.end != old:
                return link
            if "bindings" not in link.properties:
                return replace(link, end=new)
            bound = json.loads(link.properties["bindings"])
            moved = {slots.get(s, s): b for s, b in bound.items() if s in slots or s.startswith(READ)}
            return replace(link, end=new, properties={**link.properties, "bindings": canonical(moved)})

        callers = {link.start for link in self.links if link.end == old and link.kind[1] in CALLS}
        below = self.below(old)
        self.relink(led)
        self.drop([old])
        self.changed |= callers
        self.drop_uncalled(below)

    def below(self, handle: str) -> set[str]:
        """The subtasks that a node comes down to."""
        seen: set[str] = set()
        waiting = [handle]
        while waiting:
            at = waiting.pop()
            new = {link.end for link in self.links if link.start == at and link.kind[1] == "HAS_SUBTASK"} - seen
            seen |= new
            waiting += new
        return seen

    def slots(self, handle: str) -> list[str]:
        """The open slots of an action, the parameters of a task or subtask, in their order."""
        p = self.nodes[handle]
        return list(p["slots"]) if self.labels[handle] == "Action" else [q["name"] for q in json.loads(p["parameters"])]

    def drop(self, handles: Iterable[str]) -> None:
        """Nodes go with their relationships."""
        gone = set(handles)
        self.links = [link for link in self.links if link.start not in gone and link.end not in gone]
        for handle in gone:
            del self.nodes[handle], self.labels[handle]
        self.changed -= gone

    def drop_uncalled(self, handles: Iterable[str]) -> None:
        """Of some subtasks those that nothing calls any more go, with what only they called."""
        left = {handle for handle in handles if handle in self.nodes}
        while left:
            called = {link.end for link in self.links if link.kind[1] in ("HAS_WAY", "HAS_SUBTASK")}
            lone = left - called
            if not lone:
                return
            self.drop(lone)
            left -= lone

    # -- putting together ----------------------------------------------------------------------------------------------

    def graph(self) -> Graph:
        """The graph that results, sorted."""
        self._spread()
        by_start: dict[str, list[Relationship]] = defaultdict(list)
        for link in self.links:
            by_start[link.start].append(link)
        self._keys = {}
        for handle in self.nodes:
            self._key(handle, by_start)
        self._word(by_start)
        nodes: dict[str, Node] = {}
        copied: set[str] = set()
        for handle in sorted(self.nodes):
            node = Node(self.labels[handle], self._keys[handle], self.nodes[handle])
            known = nodes.get(node.key)
            if known is None or node.key in copied:
                nodes[node.key] = node
                (copied.add if handle in self.copies else copied.discard)(node.key)
            elif handle not in self.copies:
                nodes[node.key] = _merged_node(known, node)
        links: dict[tuple[Any, ...], Relationship] = {}
        for link in self.links:
            moved = replace(link, start=self._now(link.start), end=self._now(link.end))
            links[moved.identity] = _merged_link(links[moved.identity], moved) if moved.identity in links else moved
        return Graph(tuple(nodes[key] for key in sorted(nodes)), tuple(links[i] for i in sorted(links)))

    def key(self, handle: str) -> str:
        """The key that a node has in the graph that was put together."""
        return self._keys.get(handle, handle)

    def _now(self, handle: str) -> str:
        return self._keys.get(handle, handle)

    def copy(self, handle: str, label: str, properties: Mapping[str, Any]) -> None:
        """A node that is set beside those that are there. Where it turns out to be one of them its record is theirs."""
        self.nodes[handle], self.labels[handle] = dict(properties), label
        self.copies.add(handle)
        self.changed.add(handle)

    def touched(self) -> set[str]:
        """What is not as it came: what changed, and whoever calls it."""
        self._spread()
        return set(self.changed)

    def _spread(self) -> None:
        """Whoever calls what changed has changed."""
        callers: dict[str, list[str]] = defaultdict(list)
        for link in self.links:
            if link.kind[1] in CALLS:
                callers[link.end].append(link.start)
        waiting = sorted(self.changed)
        while waiting:
            new = [caller for caller in callers[waiting.pop()] if caller not in self.changed]
            self.changed |= set(new)
            waiting += new

    def _key(self, handle: str, by_start: Mapping[str, list[Relationship]]) -> str:
        if handle not in self.nodes or handle not in self.changed:
            self._keys.setdefault(handle, handle)
        if handle not in self._keys:
            p = self.nodes[handle]
            match self.labels[handle]:
                case "Action":
                    key = action_key(p["site"], p["op"], json.loads(p["target"]), p["value"], p["slots"])
                case "Subtask":
                    calls = [link for link in by_start[handle] if link.kind[1] in CALLS]
                    bound = [
                        (self._key(link.end, by_start), json.loads(link.properties["bindings"]))
                        for link in sorted(calls, key=lambda link: link.properties["index"])
                    ]
                    parameters = parameters_from_json(json.loads(p["parameters"]))
                    conditions = p["preconditions"], p["postconditions"]
                    key = subtask_key(p["site"], p["kind"], p["spec"], parameters, bound, *conditions)
                case "Task":
                    key = task_key(p["sites"], p["text"], parameters_from_json(json.loads(p["parameters"])))
                case _:
                    key = handle
            self._keys[handle] = key
        return self._keys[handle]

    def _word(self, by_start: Mapping[str, list[Relationship]]) -> None:
        """The texts of the nodes that changed, as whoever built them words them."""
        flows: dict[str, Workflow | None] = {}
        for handle in self.changed:
            p = self.nodes[handle]
            if self.labels[handle] == "Action":
                own_name = p["name"] == p["text"][:NAME_LIMIT]
                p["text"] = action_text(action_from_properties(p), {})
                p["name"] = p["text"][:NAME_LIMIT] if own_name else p["name"]
            elif self.labels[handle] == "Subtask":
                flow = self._flow(handle, by_start, flows)
                p["text"] = workflow_text(flow) if flow else p["text"]

    def _flow(
        self, handle: str, by_start: Mapping[str, list[Relationship]], flows: dict[str, Workflow | None]
    ) -> Workflow | None:
        """The program of a subtask; None where it calls what is not in this graph."""
        if handle not in flows:
            children: list[Child] = []
            for link in sorted(
                (link for link in by_start.get(handle, ()) if link.kind[1] in CALLS),
                key=lambda link: link.properties["index"],
            ):
                node: Action | Workflow | None = None
                if link.end in self.nodes and link.kind[1] == "HAS_ACTION":
                    node = action_from_properties(self.nodes[link.end])
                elif link.end in self.nodes:
                    node = self._flow(link.end, by_start, flows)
                if node is None:
                    flows[handle] = None
                    return None
                children.append(Child(node, bindings_from_json(json.loads(link.properties["bindings"]))))
            p = self.nodes[handle]
            flows[handle] = Workflow(
                p["kind"], tuple(children), parameters_from_json(json.loads(p["parameters"])), p["spec"],
                p["preconditions"], p["postconditions"], p["site"], p["name"],
            )  # fmt: skip
        return flows[handle]


def _merged_node(one: Node, other: Node) -> Node:
    """Two nodes that have become equal: their records together."""
    sums = {name: one.properties[name] + other.properties[name] for name in _ADDED if name in one.properties}
    if "status" in one.properties:
        sums["status"] = min(one.properties["status"], other.properties["status"], key=_STATUSES.index)
    return replace(one, properties={**one.properties, **sums})


def _merged_link(one: Relationship, other: Relationship) -> Relationship:
    sums = {name: one.properties[name] + other.properties[name] for name in _ADDED if name in one.properties}
    return replace(one, properties={**one.properties, **sums})
