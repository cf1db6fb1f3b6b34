"""Workflows as a person reads them: one line a call, the bodies of control steps indented."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from graphmem.model.identity import canonical
from graphmem.model.target import target_from_json
from graphmem.model.workflow import Action, Binding, Child, Constant, FromRead, FromSlot, Workflow


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
        compared = _compared(action.match) if "name" in action.slots else ""
        pick = json.loads(action.pick) if action.pick else {}
        words += [
            f"the first {shown('count', '')}" if "count" in action.slots else pick_text(pick),
            action.role or action.target.tag,
            compared,
            called,
            f"and ends with {shown('ends', '')}" if "ends" in action.slots else "",
        ]
        near = action.target.near
        for place, constant in (("row", near.row), ("column", near.column), ("position", near.position)):
            text = shown(place, constant)
            words += [f"in {place} {text}"] if text else []
    line = " ".join(word for word in words if word)
    value = shown("value", action.value)
    if not value:
        return line
    return f"{line} {value}" if action.target is None else f"{line} = {value}"


def pick_text(pick: Mapping[str, Any]) -> str:
    """``last``, ``2nd``, ``any``, ``the one with the least money``; "" where the first that fits is meant."""
    for word in ("least", "most"):
        if word in pick:
            return f"the one with the {word} {pick[word]},"
    if pick.get("any"):
        return "any"
    return _ordinal(int(pick["nth"])) if pick.get("nth") else ""


def _ordinal(n: int) -> str:
    if n == -1:
        return "last"
    if n < 0:
        return f"{_ordinal(-n)} last"
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return "first" if n == 1 else f"{n}{ending}"


def _compared(match: str) -> str:
    return {"starts": "that starts with", "ends": "that ends with", "contains": "that contains"}.get(match, "")


def element_text(element: Mapping[str, Any]) -> str:
    """An ELEMENT of a condition or loop: ``button "Next"``, ``link {city} in the row of {name}``."""
    if "near" in element or "text" in element or "label" in element:
        described = {k: v for k, v in element.items() if k not in ("match", "pick")}
        target = target_from_json(described)
        element = {"role": target.role or target.tag, "name": target.called()}
    role, icon = element.get("role") or element.get("tag") or "element", element.get("icon", "")
    name = form_text(element["name"]) if element.get("name") else ""
    words = [pick_text(element.get("pick") or {}), f"{icon} {role}" if icon else role]
    words += [_compared(element.get("match", "exact")) if name else "", name]
    words += [f"and ends with {form_text(element['ends'])}"] if element.get("ends") else []
    words += [f"in the row of {form_text(element['row'])}"] if element.get("row") else []
    words += [f"number {form_text(element['position'])}"] if element.get("position") else []
    words += [f"the first {form_text(element['count'])} of them"] if element.get("count") else []
    words += [f"showing {form_text(element['value'])}"] if element.get("value") else []
    words += [("" if on else "not ") + state for state, on in (element.get("state") or {}).items()]
    return " ".join(word for word in words if word)


def form_text(form: str | Mapping[str, str]) -> str:
    if isinstance(form, str):
        return f'"{form}"'
    return _slot_text(form["slot"], form.get("transform", ""))


def _slot_text(slot: str, transform: str) -> str:
    kind, _, number = transform.partition(":")
    if kind == "item":
        return f"{{{_ordinal(int(number))} of {slot}}}"
    return f"{{{slot} as {transform}}}" if transform else f"{{{slot}}}"


def condition_text(condition: Mapping[str, Any]) -> str:
    """``button "Accept cookies" is present``; parts that must all hold are joined with "and"."""
    parts = [_part_text(word, what) for word, what in sorted(condition.items())]
    return " and ".join(parts) if all(parts) else canonical(condition)


def _part_text(word: str, what: Any) -> str:
    match word:
        case "url":
            return f"the page is {what}"
        case "present" | "absent":
            return f"{element_text(what)} is {word}"
        case "said":
            return f"{{{what}}} is said"
        case "unsaid":
            return f"{{{what}}} is not said"
        case "less" | "more":
            return f"{element_text(what['shown'])} shows {word} than {form_text(what['than'])}"
        case "all":
            return " and ".join(condition_text(part) for part in what)
        case _:
            return ""


def _lines(workflow: Workflow, depth: int) -> Iterator[str]:
    pad = "  " * depth
    for child in workflow.children:
        shown = {slot: _shown(binding) for slot, binding in child.bindings}
        node = child.node
        only = node.children[0] if isinstance(node, Workflow) and len(node.children) == 1 else None
        if isinstance(node, Action):
            yield pad + action_text(node, shown)
        elif node.kind == "any_order" and not node.name:
            yield f"{pad}in any order:"
            yield from _lines(node, depth + 1)
        elif node.kind in ("sequence", "any_order"):
            arguments = ", ".join(f"{slot}={text}" for slot, text in shown.items())
            yield f"{pad}{node.name or node.kind}({arguments})"
        elif workflow.kind == "choose" and only is not None and isinstance(only.node, Action):
            yield f"{pad}{_choice(node, only)}"
        elif only is not None and isinstance(only.node, Workflow) and only.node.kind == "choose":
            yield f"{pad}{_head(node, shown)}, the first that applies:"
            yield from _lines(only.node, depth + 1)
        else:
            yield f"{pad}{_head(node, shown)}:"
            yield from _lines(node, depth + 1)


def _choice(optional: Workflow, only: Child) -> str:
    """A way of a choice that is one act: ``when X is there: click Y``, with "again" where it may be done more than once."""
    spec = json.loads(optional.spec)
    shown = {slot: _shown(binding) for slot, binding in only.bindings}
    line = action_text(only.node, shown) if isinstance(only.node, Action) else ""
    line += " again" if spec.get("again") else ""
    return f"when {condition_text(spec['when'])}: {line}" if spec.get("when") else line


def _shown(binding: Binding) -> str:
    match binding:
        case Constant(value):
            return f'"{value}"'
        case FromRead(name):
            return f"{{what {name} read}}"
        case FromSlot(slot, transform):
            return _slot_text(slot, transform)


def _head(workflow: Workflow, shown: Mapping[str, str]) -> str:
    spec = json.loads(workflow.spec)
    match workflow.kind:
        case "each":
            over = element_text(spec["rows"]) if "rows" in spec else shown.get(spec["over"], spec["over"])
            return f"for each {spec['as']} of {over}"
        case "optional":
            return f"optional when {condition_text(spec['when'])}" if spec.get("when") else "optional"
        case "choose":
            return "the first that applies"
        case _:
            return f"repeat until {condition_text(spec['until'])}" if spec.get("until") else "repeat until done"
