"""Workflows as JSON (``graphmem.workflow/1``), and from the properties of a store's nodes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from graphmem.model.identity import canonical
from graphmem.model.target import Near, target_from_json
from graphmem.model.workflow import (
    Action,
    Binding,
    Bindings,
    Child,
    Constant,
    FromRead,
    FromSlot,
    Parameter,
    Workflow,
    bindings_to_json,
    parameters_to_json,
)


def parameters_from_json(data: Sequence[Mapping[str, str]]) -> tuple[Parameter, ...]:
    return tuple(Parameter(p["name"], p.get("type", "text")) for p in data)


def binding_from_json(data: Mapping[str, str]) -> Binding:
    if "literal" in data:
        return Constant(data["literal"])
    if "from" in data:
        return FromRead(data["from"])
    return FromSlot(data["slot"], data.get("transform", ""))


def bindings_from_json(data: Mapping[str, Mapping[str, str]]) -> Bindings:
    return tuple(sorted((slot, binding_from_json(binding)) for slot, binding in data.items()))


def action_from_properties(properties: Mapping[str, Any]) -> Action:
    """The action of a node's properties, as both stores give them (maps are JSON text)."""
    described = json.loads(properties["target"])
    match_ = described.pop("match", "exact")
    pick = described.pop("pick", None)
    described["near"] = vars(Near(**described.get("near", {})))
    return Action(
        op=properties["op"],
        target=target_from_json(described) if set(described) - {"near"} or properties["op"] in _NEEDS_TARGET else None,
        value=properties.get("value") or "",
        slots=tuple(properties.get("slots") or ()),
        match=match_,
        pick=canonical(pick) if pick else "",
        site=properties.get("site") or "",
    )


_NEEDS_TARGET = frozenset({"click", "dblclick", "type", "select", "hover", "drag", "upload"})


def workflow_to_json(workflow: Workflow) -> dict[str, Any]:
    """``{"root": key, "actions": {key: ...}, "workflows": {key: ...}}``: each node once, calls by key."""
    actions: dict[str, Any] = {}
    workflows: dict[str, Any] = {}
    _collect(workflow, actions, workflows)
    return {"schema": "graphmem.workflow/1", "root": workflow.key, "actions": actions, "workflows": workflows}


def _collect(workflow: Workflow, actions: dict[str, Any], workflows: dict[str, Any]) -> None:
    if workflow.key in workflows:
        return
    workflows[workflow.key] = {
        "name": workflow.name,
        "site": workflow.site,
        "kind": workflow.kind,
        "spec": json.loads(workflow.spec),
        "parameters": parameters_to_json(workflow.parameters),
        "preconditions": json.loads(workflow.preconditions),
        "postconditions": json.loads(workflow.postconditions),
        "children": [{"key": c.node.key, "bindings": bindings_to_json(c.bindings)} for c in workflow.children],
    }
    for child in workflow.children:
        if isinstance(child.node, Workflow):
            _collect(child.node, actions, workflows)
        else:
            action = child.node
            actions[action.key] = {
                "site": action.site,
                "op": action.op,
                "target": canonical(action.description),
                "value": action.value,
                "slots": list(action.slots),
            }


def workflow_from_json(data: Mapping[str, Any]) -> Workflow:
    """The inverse of ``workflow_to_json``. KeyError for a call of a node that is not there, ValueError for a cycle."""
    actions = {key: action_from_properties(action) for key, action in data["actions"].items()}
    built: dict[str, Workflow] = {}

    def build(key: str, above: frozenset[str]) -> Workflow:
        if key in above:
            raise ValueError(f"workflow {key} calls itself")
        if key not in built:
            entry = data["workflows"][key]
            children = tuple(
                Child(
                    actions[c["key"]] if c["key"] in actions else build(c["key"], above | {key}),
                    bindings_from_json(c["bindings"]),
                )
                for c in entry["children"]
            )
            built[key] = Workflow(
                kind=entry["kind"],
                children=children,
                parameters=parameters_from_json(entry["parameters"]),
                spec=canonical(entry["spec"]),
                preconditions=canonical(entry["preconditions"]),
                postconditions=canonical(entry["postconditions"]),
                site=entry["site"],
                name=entry["name"],
            )
        return built[key]

    return build(data["root"], frozenset())
