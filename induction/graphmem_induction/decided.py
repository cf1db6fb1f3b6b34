"""What people decided, laid over what was derived: names, statuses, edits, merged tasks, earlier versions.

The last stage of induction. A function of the derived graph and of the set of decisions: each is led to its node by the
recorded steps that it names (``standing``), in the order in which they were made, so that a later one holds where two
contradict each other. One whose steps are gone, or whose change no longer makes sense, is passed over.

Which actions are one is decided before anything is derived (``together``), because what follows depends on it; here two
tasks become one with the ways of both, and a subtask that is still not the other takes its place.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from graphmem.model.decision import Decision, in_order, spans_digest
from graphmem.model.graph import Graph, Relationship
from graphmem.model.identity import canonical, key_of
from graphmem_induction.draft import NAME_LIMIT, Draft
from graphmem_induction.standing import Standing
from graphmem_induction.together import standing as still_standing

#: Parts of an action that can be edited, and where they stand in its target.
ELEMENT, PLACE = ("role", "name"), ("row", "column")
#: Other words for the same element, which are left out once its name was edited.
_WORDS = ("label", "placeholder", "text")

#: Decisions of which only the last about a node holds, whatever they say.
_PINS = ("rollback", "promote")

_Lay: TypeAlias = "Callable[[_Laying, Sequence[str], Decision], None]"


def decided(graph: Graph, decisions: Sequence[Decision], evidence: Iterable[Graph] = ()) -> Graph:
    """``graph`` with what was decided about it. ``evidence``: the graphs of the sites, for the layer above them."""
    held = {d.key for d in still_standing(decisions)}
    todo = [d for d in in_order(decisions) if d.kind in _LAID and (d.kind != "keep_together" or d.key in held)]
    if not todo:
        return graph
    laying = _Laying(Draft(graph), Standing(graph, evidence))
    about = {d.key: [laying.standing.find(subject) for subject in d.subjects] for d in todo}
    pins = {found: d.key for d in todo if d.kind in _PINS for found in about[d.key]}
    for decision in todo:
        if decision.kind in _PINS and decision.key not in pins.values():
            continue  # a later one goes to another version
        found = dict.fromkeys(map(laying.now, about[decision.key]))
        handles = [key for key in found if key is not None and key in laying.draft.nodes]
        if handles:
            _LAID[decision.kind](laying, handles, decision)
    return laying.draft.graph()


class _Laying:
    """A graph on which decisions are laid one after the other. ``moved``: what took the place of a node."""

    def __init__(self, draft: Draft, standing: Standing) -> None:
        self.draft = draft
        self.standing = standing
        self.moved: dict[str, str] = {}

    def now(self, handle: str | None) -> str | None:
        while handle in self.moved:
            handle = self.moved[handle]
        return handle

    def instead(self, old: str, new: str, slots: Mapping[str, str]) -> None:
        self.draft.instead(old, new, slots)
        self.moved[old] = new


# -- names, statuses ---------------------------------------------------------------------------------------------------


def _rename(laying: _Laying, handles: Sequence[str], decision: Decision) -> None:
    for handle in handles:
        laying.draft.put(handle, name=decision.says["name"][:NAME_LIMIT])


def _quarantine(laying: _Laying, handles: Sequence[str], decision: Decision) -> None:
    for handle in handles:
        laying.draft.nodes[handle]["status"] = decision.says["status"]


# -- edits -------------------------------------------------------------------------------------------------------------


def _edit(laying: _Laying, handles: Sequence[str], decision: Decision) -> None:
    for handle in handles:
        if laying.draft.labels[handle] == "Action":
            _edit_action(laying.draft, handle, decision.says.get("action", {}))
        else:
            _edit_slot(laying.draft, handle, **decision.says)


def _edit_action(draft: Draft, handle: str, parts: Mapping[str, str]) -> None:
    """Other words for an action; a part that was open is open no more."""
    p = draft.nodes[handle]
    target: dict[str, Any] = json.loads(p["target"])
    closed = {part for part in parts if part in p["slots"]}
    for part, text in parts.items():
        if part in ELEMENT:
            target = _set(target, part, text)
        elif part in PLACE:
            target = _set(target, "near", _set(target.get("near", {}), part, text))
    if "name" in parts:
        target = {k: v for k, v in target.items() if k not in (*_WORDS, *(["match"] if "name" in closed else []))}
    draft.put(
        handle,
        op=parts.get("op", p["op"]),
        value=parts.get("value", p["value"]),
        role=parts.get("role", p["role"]),
        target=canonical(target),
        slots=[slot for slot in p["slots"] if slot not in closed],
    )
    if closed:
        draft.rebind(handle, lambda bound: {s: b for s, b in bound.items() if s not in closed}, into=True)


def _set(data: Mapping[str, Any], name: str, value: Any) -> dict[str, Any]:
    """With a part set, or left out where it is empty, as descriptions are written."""
    return {k: v for k, v in {**data, name: value}.items() if v}


def _edit_slot(draft: Draft, handle: str, slot: str = "", name: str = "", type: str = "") -> None:
    """Another name or type for a slot of a task or subtask; nothing where it has no such slot, or has the new one."""
    p = draft.nodes[handle]
    slots = json.loads(p["parameters"])
    known = [q["name"] for q in slots]
    if slot not in known or (name and name != slot and name in known):
        return
    new = name or slot
    changed = [{"name": new, "type": type or q["type"]} if q["name"] == slot else q for q in slots]
    texts = ("name",) if draft.labels[handle] == "Subtask" else ("name", "text")
    said = {text: p[text].replace(f"{{{slot}}}", f"{{{new}}}") for text in texts}
    specs = [s for s in ("spec", "preconditions", "postconditions") if s in p]
    inside = {spec: canonical(_respelt(json.loads(p[spec]), slot, new)) for spec in specs}
    draft.put(handle, parameters=canonical(changed), **said, **inside)
    draft.rebind(handle, lambda bound: _respelt(bound, slot, new), into=False)
    draft.rebind(handle, lambda bound: {new if s == slot else s: b for s, b in bound.items()}, into=True)


def _respelt(data: Any, old: str, new: str) -> Any:
    """A spec or bindings with a slot of the node under another name, wherever one is meant."""
    match data:
        case dict():
            meant = ("slot", "over", "said")
            return {k: new if k in meant and v == old else _respelt(v, old, new) for k, v in data.items()}
        case list():
            return [_respelt(item, old, new) for item in data]
        case _:
            return data


# -- one of several ----------------------------------------------------------------------------------------------------


def _keep(laying: _Laying, handles: Sequence[str], decision: Decision) -> None:
    """What is still apart: the most used one stays. Actions that are still apart have too little in common to be one."""
    draft = laying.draft
    first, *others = sorted(handles, key=lambda h: (-draft.nodes[h]["uses"], h))
    for other in others:
        if draft.labels[first] != draft.labels[other] or draft.labels[first] == "Action":
            continue
        if draft.labels[first] == "Task":
            _one_task(laying, first, other)
        elif draft.nodes[first]["kind"] == draft.nodes[other]["kind"] and not _nested(draft, first, other):
            _add_record(draft, first, other)
            laying.instead(other, first, fitting(_parameters(draft, other), _parameters(draft, first)))


def _nested(draft: Draft, one: str, other: str) -> bool:
    return other in draft.below(one) or one in draft.below(other)


def _one_task(laying: _Laying, first: str, other: str) -> None:
    """The ways of both, over the slots of the first; what the other needs beyond them is added."""
    draft = laying.draft
    mine, theirs = _parameters(draft, first), _parameters(draft, other)
    slots = fitting(theirs, mine)
    added = [dict(q) for q in theirs if q["name"] not in slots]
    taken = {q["name"] for q in mine}
    for q in added:
        new = next(n for n in (q["name"], *(f"{q['name']}_{i}" for i in range(2, 99))) if n not in taken)
        slots = {**slots, q["name"]: new}
        taken.add(new)
        q["name"] = new

    def moved(link: Relationship) -> Relationship | None:
        if link.start == other and link.kind[1] == "HAS_WAY":
            bound = json.loads(link.properties["bindings"])
            ours = {s: {**b, "slot": slots[b["slot"]]} if "slot" in b else b for s, b in bound.items()}
            return replace(link, start=first, properties={**link.properties, "bindings": canonical(ours)})
        return None if link.start == other else replace(link, end=first) if link.end == other else link

    _add_record(draft, first, other)
    draft.relink(moved)
    draft.put(first, parameters=canonical([*mine, *added]))
    draft.drop([other])
    laying.moved[other] = first


def _add_record(draft: Draft, first: str, other: str) -> None:
    for name in ("uses", "successes", "failures"):
        draft.nodes[first][name] += draft.nodes[other][name]
    if "active" in (draft.nodes[first]["status"], draft.nodes[other]["status"]):
        draft.nodes[first]["status"] = "active"


def fitting(theirs: Sequence[Mapping[str, str]], mine: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Slot of the one -> slot of the other: by name, then what is left in its order, where the types agree."""
    named = {q["name"] for q in mine} & {q["name"] for q in theirs}
    left = [q for q in mine if q["name"] not in named]
    found = {name: name for name in named}
    for q in theirs:
        fits = next((r for r in left if r["type"] == q["type"]), None)
        if q["name"] not in named and fits is not None:
            found[q["name"]] = fits["name"]
            left.remove(fits)
    return found


def _parameters(draft: Draft, handle: str) -> list[dict[str, str]]:
    parameters: list[dict[str, str]] = json.loads(draft.nodes[handle]["parameters"])
    return parameters


# -- earlier versions --------------------------------------------------------------------------------------------------


def _pin(laying: _Laying, handles: Sequence[str], decision: Decision) -> None:
    """The earlier version in place of this one, as long as nothing more is known of it than when that was decided."""
    draft, handle, what = laying.draft, handles[0], decision.says
    root, nodes = what["root"], what["nodes"]
    if handle not in laying.standing.nodes or spans_digest(laying.standing.spans(handle)) != what["steps"]:
        return
    if nodes[root]["label"] != draft.labels[handle]:
        return
    touched = draft.touched()
    handles_of = {key: key if key in draft.nodes and key not in touched else f"{key}#{decision.key}" for key in nodes}
    if handles_of[root] == handle or not {call[1] for node in nodes.values() for call in node["calls"]} <= nodes.keys():
        return
    for key, node in sorted(nodes.items()):
        if handles_of[key] != key:
            _add(draft, handles_of[key], node, handles_of)
    record = {name: draft.nodes[handle][name] for name in ("uses", "successes", "failures", "status")}
    draft.nodes[handles_of[root]].update(record)
    draft.copies.discard(handles_of[root])
    open_ = set(draft.slots(handles_of[root]))
    laying.instead(handle, handles_of[root], {slot: slot for slot in draft.slots(handle) if slot in open_})


def _add(draft: Draft, handle: str, node: Mapping[str, Any], handles_of: Mapping[str, str]) -> None:
    """A node of an earlier version, with what it calls."""
    draft.copy(handle, node["label"], node["properties"])
    if node["properties"]["site"]:
        site = key_of("site", node["properties"]["site"])
        draft.links.append(Relationship((node["label"], "ON", "Site"), handle, site))
    for type_, end, index, bindings in node["calls"]:
        kind = ("Subtask", type_, type_.removeprefix("HAS_").capitalize())
        bound = {"index": index, "bindings": canonical(bindings)}
        draft.links.append(Relationship(kind, handle, handles_of[end], bound))


#: What is done for each kind of decision about a derived graph.
_LAID: Mapping[str, _Lay] = {
    "rename": _rename,
    "quarantine": _quarantine,
    "edit": _edit,
    "keep_together": _keep,
    "rollback": _pin,
    "promote": _pin,
}
