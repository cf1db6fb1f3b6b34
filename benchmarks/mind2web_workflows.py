"""Workflows of a memory as steps to be measured, and the recordings that they are measured on.

Recordings are read here from the raw records, by rules of this file alone: what the product drops as noise, or describes in
another way, is missed by its workflows.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.workflow_measures import SUPPORT, Open, Pattern, Read, Recording, Steps, contains, is_workflow
from graphmem.model.workflow import Action, Workflow
from graphmem.store import derived
from graphmem.store.protocol import Store
from graphmem.store.workflows import programs

_OPERATIONS = {"CLICK": "click", "TYPE": "type", "SELECT": "select", "HOVER": "hover", "ENTER": "press"}
_GLYPHS = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff\ufe0f\u200b-\u200f\u2060\ufeff]")
#: What an element without a label is called by, first come; an id only where it does not look made up.
_CALLED = ("label", "placeholder", "aria_label", "title", "alt", "name")
_MADE_UP = re.compile(r"\d{3,}|[0-9a-f]{8,}|^(:r|ui-id-|ember|react-|mui-|radix-|headlessui-|__)", re.IGNORECASE)
_NAME_LENGTH = 120
#: Kinds of subtask that are routines; the others are control steps inside one.
_ROUTINES = frozenset({"sequence", "any_order"})


def recording(record: Mapping[str, Any]) -> Recording:
    """A raw record as a recording to measure on."""
    return Recording(
        record["id"], record["website"], _folded(record["task"]), tuple(_read(step) for step in record["steps"])
    )


def _read(step: Mapping[str, Any]) -> Read:
    operation = _OPERATIONS[step.get("original_op") or step["op"]]
    return Read(operation, step["role"].casefold(), _folded(_name(step))[:_NAME_LENGTH].rstrip())


def _name(step: Mapping[str, Any]) -> str:
    element = step.get("target") or {}
    identifier = element.get("id", "")
    said = [
        step["label"],
        *(element.get(name, "") for name in _CALLED),
        "" if _MADE_UP.search(identifier) else identifier,
    ]
    return next((text for text in said if _folded(text)), "")


def _folded(text: str) -> str:
    return " ".join(_GLYPHS.sub(" ", text).split()).casefold()


def workflows(store: Store, site: str, training: Sequence[Recording]) -> list[Steps]:
    """The workflows of a site that count, by their steps, sorted. ``training``: the recordings of the site."""
    graph = derived.read_parts(store, site, ["Subtask"], ["USES"])
    behind: dict[str, set[str]] = defaultdict(set)
    for link in graph.relationships:
        behind[link.end].add(link.start)
    routines = [node.key for node in graph.nodes if node.properties["kind"] in _ROUTINES]
    found = programs(store, subtasks=routines).workflows
    keep = {steps for key in routines if _counts(steps := patterns(found[key]), behind[key], training)}
    return sorted(keep, key=repr)


def general_workflows(store: Store) -> list[Steps]:
    """The general subtasks of a store that are routines, by their steps, sorted."""
    layer = derived.read_general(store)
    routines = [
        node.key
        for node in layer.nodes
        if node.label == "Subtask" and node.properties["general"] and node.properties["kind"] in _ROUTINES
    ]
    found = programs(store, subtasks=routines).workflows
    return sorted({patterns(found[key]) for key in routines}, key=repr)


def _counts(steps: Steps, behind: set[str], training: Sequence[Recording]) -> bool:
    """By the recordings that the graph names, or by those that contain the steps whole (of which the graph may have kept
    only one)."""
    if not is_workflow(steps):
        return False
    return len(behind) >= SUPPORT or sum(contains(steps, recording) for recording in training) >= SUPPORT


def patterns(workflow: Workflow) -> Steps:
    """The steps of a workflow, called workflows unfolded and control steps once through."""
    return tuple(_patterns(workflow))


def _patterns(workflow: Workflow) -> Iterator[Pattern]:
    for child in workflow.children:
        if isinstance(child.node, Action):
            yield pattern(child.node)
        else:
            yield from _patterns(child.node)


def pattern(action: Action) -> Pattern:
    name = _folded(action.target.name if action.target else "") if "name" not in action.slots else ""
    return Pattern(action.op, action.role.casefold(), name, _open(action.slots))


def _open(slots: Iterable[str]) -> Open:
    named = set(slots) - {"value"}
    if not named:
        return ""
    return "name" if named == {"name"} else "place"
