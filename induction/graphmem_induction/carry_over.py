"""Stage 7, carry over: what routines of different sites have in common, and the tasks that cross sites.

Two actions are alike when operation, role and the name that a person reads are (case folded); two routines when they call
alike things in the same places of the flow with slots bound alike, whatever the slots are called. What is alike on two
sites at least becomes a general node without a site, and the sites' own nodes SPECIALIZE it. Addresses and raw ids are
never compared: a routine that goes to an address is its site's own.

The layer is a function of the site graphs and of the recordings that cross sites, nothing else.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from graphmem.model.graph import Graph, Node, Relationship
from graphmem.model.workflow import Action, Binding, Child, FromSlot, Parameter, Workflow
from graphmem.model.workflow_json import action_from_properties, bindings_from_json, parameters_from_json
from graphmem_induction.crossing import crossing_tasks
from graphmem_induction.describe import common
from graphmem_induction.naming import unique_names
from graphmem_induction.protocol import Evidence
from graphmem_induction.site_graph import NAME_LIMIT, action_properties, calls_of, subtask_properties
from graphmem_induction.slot_names import unique

Signature = tuple[Any, ...]


def carry_over(sites: Mapping[str, Graph], crossing: Sequence[Evidence]) -> Graph:
    """The general layer over the graphs of all sites."""
    general = _general(sites)
    above = crossing_tasks(sites, crossing)
    nodes = {node.key: node for node in (*general.nodes, *above.nodes)}
    links = {link.identity: link for link in (*general.relationships, *above.relationships)}
    return Graph(tuple(nodes[key] for key in sorted(nodes)), tuple(links[identity] for identity in sorted(links)))


@dataclass
class _Alike:
    """The nodes of all sites with one signature."""

    nodes: list[Node]

    @property
    def sites(self) -> set[str]:
        return {node.properties["site"] for node in self.nodes}


class _Sites:
    """All actions and subtasks of all sites, with what each subtask calls, in order."""

    def __init__(self, sites: Mapping[str, Graph]) -> None:
        self.nodes = {n.key: n for g in sites.values() for n in g.nodes if n.label in ("Action", "Subtask")}
        self.calls: dict[str, list[Relationship]] = defaultdict(list)
        for graph in sites.values():
            for link in graph.relationships:
                if link.kind[1] in ("HAS_ACTION", "HAS_SUBTASK"):
                    self.calls[link.start].append(link)
        for calls in self.calls.values():
            calls.sort(key=lambda link: link.properties["index"])
        self._signatures: dict[str, Signature | None] = {}
        self._slots: dict[str, list[str]] = {}

    def signature(self, key: str) -> Signature | None:
        """What a node is compared by; None for what can only be its site's own."""
        if key not in self._signatures:
            node = self.nodes[key]
            self._signatures[key] = _of_action(node) if node.label == "Action" else self._of_subtask(node)
        return self._signatures[key]

    def _of_subtask(self, node: Node) -> Signature | None:
        order = {name: n for n, name in enumerate(self.slots(node))}
        calls = []
        for link in self.calls[node.key]:
            child = self.signature(link.end)
            if child is None:
                return None
            inner = {name: n for n, name in enumerate(self.slots(self.nodes[link.end]))}
            bound = _parsed(link.properties["bindings"])
            calls.append((child, tuple(sorted((inner.get(s, s), _bound(b, order)) for s, b in bound.items()))))
        spec = _parsed(node.properties["spec"])
        shape = (spec.get("as"), _folded(spec.get("when")), _folded(spec.get("until")), _folded(spec.get("rows")))
        return ("subtask", node.properties["kind"], shape, tuple(calls)) if calls else None

    def slots(self, node: Node) -> list[str]:
        """The slots of a node in the order of their first use, so that names do not matter."""
        if node.key not in self._slots:
            self._slots[node.key] = self._in_order(node)
        return self._slots[node.key]

    def _in_order(self, node: Node) -> list[str]:
        if node.label == "Action":
            return list(node.properties["slots"])
        spec = _parsed(node.properties["spec"])
        used: dict[str, None] = {spec["over"]: None} if "over" in spec else {}
        for link in self.calls[node.key]:
            bindings = _parsed(link.properties["bindings"])
            # In the order of the callee's own slots: sorted by their names, names would matter.
            for slot in [s for s in self.slots(self.nodes[link.end]) if s in bindings]:
                if "slot" in bindings[slot] and bindings[slot]["slot"] != spec.get("as"):
                    used[bindings[slot]["slot"]] = None
        return list(used)


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Mapping[str, Any]:
    """JSON of bindings and specs, of which the same few stand everywhere. Not to be changed."""
    found: dict[str, Any] = json.loads(text)
    return found


def _of_action(node: Node) -> Signature | None:
    properties = node.properties
    target = json.loads(properties["target"])
    if properties["op"] in ("navigate", "answer") or target.get("near", {}).get("row") or not properties["role"]:
        return None
    action = action_from_properties(properties)
    name = "" if "name" in action.slots else action.name.casefold()
    if not name and "name" not in action.slots:
        return None
    column = action.target.near.column.casefold() if action.target else ""
    return ("action", action.op, action.role, name, action.match, column, action.value, tuple(sorted(action.slots)))


def _bound(binding: Mapping[str, str], order: Mapping[str, int]) -> tuple[Any, ...]:
    if "slot" in binding:
        return ("slot", str(order.get(binding["slot"], binding["slot"])), binding.get("transform", ""))
    return tuple(sorted(binding.items()))


def _folded(condition: Any) -> str:
    return json.dumps(condition, sort_keys=True).casefold() if condition else ""


# -- general nodes -----------------------------------------------------------------------------------------------------


def _general(sites: Mapping[str, Graph]) -> Graph:
    all_sites = _Sites(sites)
    alike: dict[Signature, _Alike] = {}
    for key in sorted(all_sites.nodes):
        signature = all_sites.signature(key)
        if signature is not None:
            alike.setdefault(signature, _Alike([])).nodes.append(all_sites.nodes[key])
    shared = {signature: group for signature, group in alike.items() if len(group.sites) > 1}
    built: dict[Signature, Action | Workflow] = {}
    for signature in shared:
        _build(signature, shared, all_sites, built)
    names = unique_names({b.key: _commonest(n.properties["name"] for n in shared[s].nodes) for s, b in built.items()})
    nodes: list[Node] = []
    links: list[Relationship] = []
    for signature, value in built.items():
        group = shared[signature]
        if isinstance(value, Action):
            node = Node("Action", value.key, action_properties(value) | _record(group))
        else:
            named = replace(value, name=names[value.key][:NAME_LIMIT])
            node = Node("Subtask", value.key, subtask_properties(named) | _record(group))
            links += calls_of(named)
        nodes.append(node)
        kind = (node.label, "SPECIALIZES", node.label)
        links += [Relationship(kind, own.key, node.key) for own in group.nodes]
    return Graph(tuple(nodes), tuple(links))


def _build(
    signature: Signature, shared: Mapping[Signature, _Alike], sites: _Sites, built: dict[Signature, Action | Workflow]
) -> Action | Workflow:
    """The general node of a signature. What a shared routine calls is on the same sites, so it is shared too."""
    if signature not in built:
        group = shared[signature]
        if signature[0] == "action":
            built[signature] = _action(group)
        else:
            built[signature] = _workflow(group, shared, sites, built)
    return built[signature]


def _action(group: _Alike) -> Action:
    actions = [action_from_properties(node.properties) for node in group.nodes]
    targets = [action.target for action in actions if action.target is not None]
    name = _commonest(target.name for target in targets)
    first = actions[0]
    target = replace(common(targets), role=first.role, name=name) if targets else None
    return Action(first.op, target, first.value, first.slots, first.match)


def _workflow(
    group: _Alike, shared: Mapping[Signature, _Alike], sites: _Sites, built: dict[Signature, Action | Workflow]
) -> Workflow:
    """Slots are called what most sites call them; a type is kept where all agree."""
    slots = [sites.slots(node) for node in group.nodes]
    names = _distinct([_commonest(column) for column in zip(*slots, strict=True)])
    types = [{p.name: p.type for p in _parameters(node)} for node in group.nodes]
    kinds = [{t.get(s[n], "text") for s, t in zip(slots, types, strict=True)} for n in range(len(names))]
    parameters = tuple(
        Parameter(name, k.pop() if len(k) == 1 else "text") for name, k in zip(names, kinds, strict=True)
    )
    first = group.nodes[0]
    outer = dict(zip(slots[0], names, strict=True))
    children = []
    for link in sites.calls[first.key]:
        signature = sites.signature(link.end)
        assert signature is not None
        called = _build(signature, shared, sites, built)
        own = sites.slots(sites.nodes[link.end])
        general = own if isinstance(called, Action) else [p.name for p in called.parameters]
        inner = dict(zip(own, general, strict=True))
        bindings = bindings_from_json(json.loads(link.properties["bindings"]))
        children.append(Child(called, tuple(sorted((inner.get(s, s), _outer(b, outer)) for s, b in bindings))))
    spec = json.loads(first.properties["spec"])
    if "over" in spec:
        spec["over"] = outer.get(spec["over"], spec["over"])
    text = json.dumps(spec, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return Workflow(first.properties["kind"], tuple(children), parameters, text)


def _outer(binding: Binding, names: Mapping[str, str]) -> Binding:
    return (
        FromSlot(names.get(binding.slot, binding.slot), binding.transform) if isinstance(binding, FromSlot) else binding
    )


def _parameters(node: Node) -> tuple[Parameter, ...]:
    return parameters_from_json(json.loads(node.properties["parameters"]))


def _distinct(names: Iterable[str]) -> list[str]:
    done: list[str] = []
    for name in names:
        done.append(unique(name, done))
    return done


def _commonest(texts: Iterable[str]) -> str:
    counts = Counter(texts)
    return min(counts, key=lambda text: (-counts[text], text)) if counts else ""


def _record(group: _Alike) -> dict[str, Any]:
    """The record of a general node is that of all its children together."""

    def total(name: str) -> int:
        return sum(int(node.properties[name]) for node in group.nodes)

    active = any(node.properties["status"] == "active" for node in group.nodes)
    return {
        "uses": total("uses"),
        "successes": total("successes"),
        "failures": total("failures"),
        "status": "active" if active else "draft",
        "general": True,
    }
