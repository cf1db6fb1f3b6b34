"""Stage 7, carry over: what routines of different sites have in common, and the tasks that cross sites.

What is alike on two sites at least (``alike_routines``) becomes a general node without a site, and the sites' own nodes
SPECIALIZE it. A routine has to say something to be general: two of its steps have a constant name or a slot that is filled;
what says less, a control step with one click, is general only where a general routine calls it. Routines that are not alike
as a whole may have a run of steps in common (``general_runs``).

The layer is a function of the site graphs and of the recordings that cross sites, nothing else.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphmem.model.graph import Graph, Node, Relationship
from graphmem.model.target import Target
from graphmem.model.workflow import Action, Binding, Child, Constant, FromSlot, Parameter, Workflow
from graphmem.model.workflow_json import action_from_properties, bindings_from_json, parameters_from_json
from graphmem_induction.alike_routines import Signature, Sites
from graphmem_induction.crossing import crossing_tasks
from graphmem_induction.describe import common
from graphmem_induction.general_runs import LEAST, Flats, Place, Run, at, general_runs, named_slots
from graphmem_induction.naming import flow_name, unique_names
from graphmem_induction.protocol import Evidence
from graphmem_induction.site_graph import NAME_LIMIT, action_properties, calls_of, subtask_properties
from graphmem_induction.slot_names import unique


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


# -- general nodes -----------------------------------------------------------------------------------------------------


def _general(sites: Mapping[str, Graph]) -> Graph:
    all_sites = Sites(sites)
    alike: dict[Signature, _Alike] = {}
    for key in sorted(all_sites.nodes):
        signature = all_sites.signature(key)
        if signature is not None:
            alike.setdefault(signature, _Alike([])).nodes.append(all_sites.nodes[key])
    shared = {signature: group for signature, group in alike.items() if len(group.sites) > 1}
    built: dict[Signature, Action | Workflow] = {}
    for signature, group in shared.items():
        if signature[0] == "action" or _says(group.nodes[0].key, all_sites):
            _build(signature, shared, all_sites, built)
    found = {value.key: (value, shared[signature]) for signature, value in built.items()}
    for value, group in _of_runs(all_sites, shared, built):
        known = found[value.key][1].nodes if value.key in found else []
        together = {node.key: node for node in (*known, *group.nodes)}
        found[value.key] = value, _Alike([together[key] for key in sorted(together)])
    return _graph(found)


def _says(key: str, sites: Sites) -> bool:
    """Whether a routine is worth having alone: two steps that have a constant name or a slot that is filled."""
    steps = [step for step in sites.flat(key) if step is not None]
    return sum(bool(s.signature[3]) or bool(s.bindings) for s in steps) >= LEAST


def _graph(found: Mapping[str, tuple[Action | Workflow, _Alike]]) -> Graph:
    flows = {key: group for key, (value, group) in found.items() if isinstance(value, Workflow)}
    names = unique_names({key: _called(found[key][0], group) for key, group in flows.items()})
    nodes: list[Node] = []
    links: list[Relationship] = []
    for value, group in found.values():
        if isinstance(value, Action):
            node = Node("Action", value.key, action_properties(value) | _record(group))
        else:
            named = replace(value, name=names[value.key][:NAME_LIMIT])
            node = Node("Subtask", value.key, subtask_properties(named) | _record(group))
            links += calls_of(named)
        nodes.append(node)
        links += [Relationship((node.label, "SPECIALIZES", node.label), own.key, node.key) for own in group.nodes]
    return Graph(tuple(nodes), tuple(links))


def _called(value: Action | Workflow, group: _Alike) -> str:
    """A run is named by its steps, what is alike as a whole as most sites call it."""
    return value.name or _commonest(re.sub(r" \(\d+\)$", "", node.properties["name"]) for node in group.nodes)


def _build(
    signature: Signature, shared: Mapping[Signature, _Alike], sites: Sites, built: dict[Signature, Action | Workflow]
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
    role = _commonest(action.role for action in actions)
    target = replace(common(targets), role=role, name=name) if targets else None
    return Action(first.op, target, first.value, first.slots, first.match, pick=first.pick)


def _workflow(
    group: _Alike, shared: Mapping[Signature, _Alike], sites: Sites, built: dict[Signature, Action | Workflow]
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


# -- runs --------------------------------------------------------------------------------------------------------------


def _of_runs(
    sites: Sites, shared: Mapping[Signature, _Alike], built: Mapping[Signature, Action | Workflow]
) -> Iterator[tuple[Action | Workflow, _Alike]]:
    """The general routines of runs and the actions that only they have, with the nodes that are special cases."""
    taken = {node.key for signature in built if signature[0] == "subtask" for node in shared[signature].nodes}
    flats = sites.flats(sites.callers(taken))
    for run, places in sorted(general_runs(flats, sites).items(), key=repr):
        names = _distinct(named_slots(run, places, flats))
        children = []
        for n, (signature, bound) in enumerate(run):
            own = _Alike([sites.nodes[key] for key in sorted({at(flats, place, n).action for place in places})])
            action = _of_step(signature, own, sites, built)
            yield action, own
            literals = [at(flats, place, n).bindings for place in places]
            bindings = tuple((slot, _given(b, names, [one.get(slot, {}) for one in literals])) for slot, b in bound)
            children.append(Child(action, bindings))
        parameters = tuple(Parameter(name, _type(n, run, places, flats, sites)) for n, name in enumerate(names))
        flow = Workflow("sequence", tuple(children), parameters)
        yield replace(flow, name=flow_name(flow)), _Alike([sites.nodes[k] for k in sorted({p.routine for p in places})])


def _of_step(signature: Signature, own: _Alike, sites: Sites, built: Mapping[Signature, Action | Workflow]) -> Action:
    """The general action of a step of a run; a name that may differ is open, and so is what is typed."""
    called = {s[3] for node in own.nodes if (s := sites.signature(node.key)) is not None}
    known = built.get(signature)
    if isinstance(known, Action) and ("name" in signature[7] or called == {signature[3]}):
        return known
    action = known if isinstance(known, Action) else _action(own)
    if "name" in signature[7]:
        return replace(action, target=Target(role=action.role), value="", slots=signature[7])
    return replace(action, value=signature[6], slots=signature[7])


def _given(bound: tuple[str, ...], names: Sequence[str], own: Sequence[Mapping[str, str]]) -> Binding:
    if bound[0] == "slot":
        return FromSlot(names[int(bound[1])])
    return Constant(_commonest(binding.get("literal", "") for binding in own))


def _type(number: int, run: Run, places: Sequence[Place], flats: Flats, sites: Sites) -> str:
    """The type of a slot where every site that has the slot gives it the same."""
    types = set()
    for place in places:
        of = {p.name: p.type for p in _parameters(sites.nodes[place.routine])}
        for n, (_, bound) in enumerate(run):
            mine = at(flats, place, n).bindings
            types |= {of.get(mine.get(s, {}).get("slot", ""), "") for s, b in bound if b[:2] == ("slot", str(number))}
    types.discard("")
    return types.pop() if len(types) == 1 else "text"


# -- small things ------------------------------------------------------------------------------------------------------


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
