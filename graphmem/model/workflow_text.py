"""Workflows as a person reads them: one line a call, the bodies of control steps indented."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from graphmem.model.identity import canonical
from graphmem.model.target import target_from_json
from graphmem.model.workflow import Action, Binding, Constant, FromRead, FromSlot, Workflow


def workflow_text(workflow: Workflow) -> str:
    """The whole program: its signature, then its body. Called workflows are named, not unfolded."""
    signature = ", ".join(f"{p.name}: {p.type}" for p in workflow.parameters)
    return "\n".join([f"{workflow.name or workflow.kind}({signature})", *_lines(workflow, 1)])


def action_text(action: Action, bindings: Mapping[str, str]) -> str:
    """One line; ``bindings`` maps an open slot to what to show for it, ``{slot}`` where it has none."""

    def shown(slot: str, constant: str) -> str:
        quoted = f'"{constant}"' if constant else ""
        return bindings.get(slot, f"{{{slot}}}") if slot in action.slots else quoted

    words = [action.op]
    if action.target is not None:
        called = shown("name", action.name)
        compared = f"that {action.match} with" if action.match in ("starts", "ends") else ""
        compared = "that contains" if action.match == "contains" else compared
        words += [action.role or action.target.tag, compared if "name" in action.slots else "", called]
        near = action.target.near
        for place, constant in (("row", near.row), ("column", near.column), ("position", near.position)):
            text = shown(place, constant)
            words += [f"in {place} {text}"] if text else []
    line = " ".join(word for word in words if word)
    value = shown("value", action.value)
    if not value:
        return line
    return f"{line} {value}" if action.target is None else f"{line} = {value}"


def condition_text(condition: Mapping[str, Any]) -> str:
    """``button "Accept cookies" is present``."""
    if "url" in condition:
        return f"the page is {condition['url']}"
    for word in ("present", "absent"):
        if word in condition:
            target = target_from_json({k: v for k, v in condition[word].items() if k != "match"})
            return f'{target.role or target.tag or "element"} "{target.called()}" is {word}'
    return canonical(condition)


def _lines(workflow: Workflow, depth: int) -> Iterator[str]:
    pad = "  " * depth
    for child in workflow.children:
        shown = {slot: _shown(binding) for slot, binding in child.bindings}
        node = child.node
        if isinstance(node, Action):
            yield pad + action_text(node, shown)
        elif node.kind in ("sequence", "any_order"):
            arguments = ", ".join(f"{slot}={text}" for slot, text in shown.items())
            yield f"{pad}{node.name or node.kind}({arguments})"
        else:
            yield f"{pad}{_head(node, shown)}:"
            yield from _lines(node, depth + 1)


def _shown(binding: Binding) -> str:
    match binding:
        case Constant(value):
            return f'"{value}"'
        case FromRead(name):
            return f"{{what {name} read}}"
        case FromSlot(slot, transform):
            return f"{{{slot} as {transform}}}" if transform else f"{{{slot}}}"


def _head(workflow: Workflow, shown: Mapping[str, str]) -> str:
    spec = json.loads(workflow.spec)
    if workflow.kind == "each":
        return f"for each {spec['as']} of {shown.get(spec['over'], spec['over'])}"
    word, clause = ("optional", "when") if workflow.kind == "optional" else ("repeat", "until")
    return f"{word} {clause} {condition_text(spec[clause])}" if spec.get(clause) else word
