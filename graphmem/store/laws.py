"""What must hold of a derived graph: keys that follow from content, and the structure that DESIGN's graph promises.

Pure functions over the whole derived graph, so that they can be tried on a graph that no store would hand out. A fault
is the key of a node and what is wrong with it. The laws:

    key            every Task, Subtask, Action and Page re-derives its key from its properties and calls
    order          the calls of a Subtask have the indexes 0..n-1, and there is at least one
    bindings       JSON; they bind slots that the child has, from slots that the caller has
    place          a node of a site is ON that site and no other; a task and a way across sites are ON each of theirs
    general        a general node has no site, and special cases on at least two sites
    evidence       USES lies within its recording; pages belong to the site of the step
    record         status is one of four, counts are whole numbers and successes + failures <= uses
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphmem.model.graph import Graph, Node, Relationship
from graphmem.model.identity import key_of
from graphmem.model.trajectory import OPERATIONS
from graphmem.model.workflow import ACTION_SLOTS, KINDS, READ, action_key, subtask_key, task_key
from graphmem.model.workflow_json import parameters_from_json
from graphmem.store.recordings import site_key
from graphmem.store.rows import NAME

STATUSES = ("draft", "active", "stale", "quarantined")

#: What the JSON of ``spec`` names for each kind of Subtask. A condition that no page told is left out.
_SPEC = {"each": {"over", "as"}, "until": {"until"}, "optional": {"when", "again"}}
#: An ``each`` over the elements of a page.
_ROWS = {"rows", "as"}
_CONDITIONS = {"until", "when", "again"}
#: Named only where it is so.
_MAY = {"again"}


@dataclass(frozen=True)
class Fault:
    key: str
    what: str


class _Bad(Exception):
    """What is wrong with the node at hand."""


class Whole:
    """The derived graphs of all owners, looked up by node."""

    def __init__(self, graphs: Iterable[Graph]) -> None:
        self.nodes: dict[str, Node] = {}
        self.out: dict[tuple[str, str], list[Relationship]] = defaultdict(list)
        self.into: dict[tuple[str, str], list[Relationship]] = defaultdict(list)
        for graph in graphs:
            self.nodes.update({node.key: node for node in graph.nodes})
            for relationship in graph.relationships:
                self.out[relationship.start, relationship.kind[1]].append(relationship)
                self.into[relationship.end, relationship.kind[1]].append(relationship)

    def calls(self, key: str) -> list[Relationship]:
        """The HAS_SUBTASK and HAS_ACTION of a Subtask, by index."""
        found = self.out[key, "HAS_SUBTASK"] + self.out[key, "HAS_ACTION"]
        return sorted(found, key=lambda call: (call.properties["index"], call.end))


def faults(whole: Whole, nodes: Iterable[Node], lengths: Mapping[str, int]) -> Iterator[Fault]:
    """What is wrong with ``nodes``; ``lengths`` tells how many steps each recording has."""
    laws = {"Task": _task, "Subtask": _subtask, "Action": _action, "Page": _page}
    for node in nodes:
        for law in (_named, _record, laws[node.label], _placed, _general):
            try:
                law(whole, node)
            except _Bad as bad:
                yield Fault(node.key, str(bad))
            except (KeyError, TypeError, AttributeError) as error:
                yield Fault(node.key, f"a property is missing or of the wrong kind: {error}")
        for use in whole.into[node.key, "USES"]:
            yield from _use(use, node, lengths)


# -- nodes -------------------------------------------------------------------------------------------------------------


def _named(_: Whole, node: Node) -> None:
    if len(node.properties["name"]) > NAME:
        raise _Bad(f"its name is longer than {NAME} characters")


def _record(_: Whole, node: Node) -> None:
    if node.label == "Page":
        return
    properties = node.properties
    if properties["status"] not in STATUSES:
        raise _Bad(f"its status is {properties['status']!r}, none of {', '.join(STATUSES)}")
    counts = [properties[name] for name in ("uses", "successes", "failures")]
    if not all(isinstance(count, int) and count >= 0 for count in counts):
        raise _Bad(f"uses, successes and failures are {counts}, not whole numbers")
    if counts[1] + counts[2] > counts[0]:
        raise _Bad(f"{counts[1]} successes and {counts[2]} failures are more than {counts[0]} uses")


def _task(whole: Whole, node: Node) -> None:
    properties = node.properties
    mine = _parameters(node)
    _same_key(node, task_key(properties["sites"], properties["text"], parameters_from_json(mine)))
    ways = whole.out[node.key, "HAS_WAY"]
    if not ways:
        raise _Bad("it has no way of being done")
    for way in ways:
        _bindings(way, whole.nodes.get(way.end), {p["name"] for p in mine})


def _subtask(whole: Whole, node: Node) -> None:
    properties = node.properties
    kind = properties["kind"]
    if kind not in KINDS:
        raise _Bad(f"its kind is {kind!r}, none of {', '.join(KINDS)}")
    spec = _json(properties["spec"], dict, "spec")
    named = _ROWS if kind == "each" and "rows" in spec else _SPEC.get(kind, set())
    if set(spec) - named or named - _CONDITIONS - set(spec):
        raise _Bad(
            f"its kind is {kind}, but its spec names {sorted(spec) or 'nothing'}, not {sorted(named - _MAY) or 'nothing'}"
        )
    for name in ("preconditions", "postconditions"):
        _json(properties[name], list, name)
    calls = whole.calls(node.key)
    indexes = [call.properties["index"] for call in calls]
    if not calls or indexes != list(range(len(calls))):
        raise _Bad(f"its calls have the indexes {indexes}, not 0 and on without gaps")
    mine = _parameters(node)
    slots = {p["name"] for p in mine} | {spec[name] for name in ("as",) if name in spec}
    bound = [(call.end, _bindings(call, whole.nodes.get(call.end), slots)) for call in calls]
    conditions = properties["preconditions"], properties["postconditions"]
    key = subtask_key(properties["site"], kind, properties["spec"], parameters_from_json(mine), bound, *conditions)
    _same_key(node, key)


def _action(whole: Whole, node: Node) -> None:
    properties = node.properties
    target = _json(properties["target"], dict, "target")
    slots = properties["slots"]
    if unknown := [slot for slot in slots if slot not in ACTION_SLOTS]:
        raise _Bad(f"it leaves open {unknown}, which an action cannot")
    if properties["op"] not in OPERATIONS:
        raise _Bad(f"its operation is {properties['op']!r}, which is none")
    described = {"name": target.get("name"), "value": properties["value"], **target.get("near", {})}
    if filled := [slot for slot in slots if described.get(slot)]:
        raise _Bad(f"it leaves open {filled}, and yet says what they are")
    _same_key(node, action_key(properties["site"], properties["op"], target, properties["value"], slots))
    for following in whole.out[node.key, "NEXT"]:
        if following.properties["count"] < 1:
            raise _Bad(f"it is followed {following.properties['count']} times by {following.end}")


def _page(whole: Whole, node: Node) -> None:
    properties = node.properties
    _same_key(node, key_of("page", [properties["site"], properties["pattern"], properties["structure"]]))


def _placed(whole: Whole, node: Node) -> None:
    """Where the node says that it is, and where its relationships say so; a way across sites says it by these alone."""
    properties = node.properties
    on = sorted(r.end for r in whole.out[node.key, "ON"])
    said = properties["sites"] if node.label == "Task" else [properties["site"]] if properties["site"] else []
    across = node.label == "Subtask" and not said and not properties["general"]
    if across and not on:
        raise _Bad("it is not general, and yet ON no site")
    if not across and on != sorted(site_key(site) for site in said):
        raise _Bad(f"it belongs to {said or 'no site'}, but is ON {len(on)} sites that are not just these")
    if node.label == "Task" and properties["site"] != (said[0] if len(said) == 1 else ""):
        raise _Bad(f"it is ON {said}, but its site is {properties['site']!r}")


def _general(whole: Whole, node: Node) -> None:
    if node.label not in ("Subtask", "Action"):
        return
    properties = node.properties
    special = {
        whole.nodes[r.start].properties["site"] for r in whole.into[node.key, "SPECIALIZES"] if r.start in whole.nodes
    }
    if properties["general"] and (properties["site"] or len(special - {""}) < 2):
        raise _Bad(f"it is general, but has special cases on {sorted(special) or 'no site'} only, where two are needed")
    if special and not properties["general"]:
        raise _Bad("others are special cases of it, but it is not general")


# -- relationships -----------------------------------------------------------------------------------------------------


def _bindings(call: Relationship, child: Node | None, slots: set[str]) -> dict[str, Any]:
    """The bindings of a call, which may bind the child's slots only, to the caller's slots only."""
    if child is None:
        raise _Bad(f"it calls {call.end}, which is not there")
    bindings: dict[str, Any] = _json(call.properties["bindings"], dict, f"bindings to {call.end}")
    open_ = set(child.properties["slots"]) if child.label == "Action" else {p["name"] for p in _parameters(child)}
    if unknown := sorted(set(bindings) - open_):
        raise _Bad(f"it binds {unknown} of {call.end}, which has no such slot")
    for slot, binding in bindings.items():
        if not isinstance(binding, dict) or len(binding.keys() & {"slot", "literal", "from"}) != 1:
            raise _Bad(f"it binds {slot!r} of {call.end} to neither a slot nor a literal nor what was read")
        if "slot" in binding and binding["slot"] not in slots:
            raise _Bad(f"it binds {slot!r} of {call.end} to {binding['slot']!r}, which is no slot of its own")
    return bindings


def _use(use: Relationship, node: Node, lengths: Mapping[str, int]) -> Iterator[Fault]:
    first, last, length = use.properties["first"], use.properties["last"], lengths.get(use.start, 0)
    if not 0 <= first <= last < length:
        yield Fault(use.start, f"it uses {node.key} in its steps {first} to {last}, but has {length}")
    elif outside := [index for index in use.properties.get("residual", ()) if not first <= index <= last]:
        yield Fault(use.start, f"it leaves {outside} out of steps {first} to {last} of {node.key}")
    try:
        bound = _json(use.properties["bindings"], dict, "bindings")
        # What a recording read from its pages is bound beside the slots, as ``read:NAME``.
        said = {slot for slot in bound if not slot.startswith(READ)}
        if unknown := sorted(said - {p["name"] for p in _parameters(node)}):
            yield Fault(use.start, f"it binds {unknown} of {node.key}, which has no such slot")
    except _Bad as bad:
        yield Fault(use.start, f"using {node.key}, {bad}")


def misplaced(graph: Graph) -> Iterator[Fault]:
    """Steps that are joined to an action or page of another site, or to more than one action."""
    keys = {node.key for node in graph.nodes}
    instances: set[str] = set()
    for relationship in graph.relationships:
        if relationship.kind[0] != "Step":
            continue
        if relationship.end not in keys:
            yield Fault(relationship.start, f"it is {relationship.kind[1]} {relationship.end} of another site")
        if relationship.kind[1] == "INSTANCE_OF":
            if relationship.start in instances:
                yield Fault(relationship.start, "it is an instance of more than one action")
            instances.add(relationship.start)


# -- JSON text ---------------------------------------------------------------------------------------------------------


def _parameters(node: Node) -> list[dict[str, str]]:
    parameters: list[dict[str, str]] = _json(node.properties["parameters"], list, f"parameters of {node.key}")
    names = [p["name"] for p in parameters]
    if len(set(names)) != len(names):
        raise _Bad(f"the parameters of {node.key} have one name twice: {names}")
    return parameters


def _json(text: str, kind: type, what: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        raise _Bad(f"its {what} is no JSON: {text[:80]}") from None
    if not isinstance(value, kind):
        raise _Bad(f"its {what} is no JSON {'object' if kind is dict else 'list'}: {text[:80]}")
    return value


def _same_key(node: Node, key: str) -> None:
    if node.key != key:
        raise _Bad(f"its content has the key {key}")
