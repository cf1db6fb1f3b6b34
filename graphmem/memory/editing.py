"""Edits by hand: other words for what an action is done to, another name or type for a slot."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graphmem.errors import NotFound, UsageError
from graphmem.memory.deciding import Decided, carried_out, decide
from graphmem.memory.finding import Found, find
from graphmem.memory.versions import contents
from graphmem.model.trajectory import OPERATIONS
from graphmem.store.protocol import Store
from graphmem_queries import load

#: What of an action can be edited.
PARTS = ("op", "role", "name", "value", "row", "column")
#: Types of a slot, as docs/graph.md says them.
TYPES = ("text", "number", "date", "time", "list", "secret", "url")

_SLOT = re.compile(r"[A-Za-z_][\w-]*")


@dataclass(frozen=True)
class Edit:
    """Either ``action`` (part -> text), of the node itself or of its ``step``; or ``slot`` with a new name or type."""

    step: int | None = None
    action: Mapping[str, str] = field(default_factory=dict)
    slot: str = ""
    name: str = ""
    type: str = ""


def edit(store: Store, found: Found, what: Edit, *, by: str, note: str = "") -> Decided:
    """Lay an edit down and induce. UsageError says what cannot be edited so."""
    if bool(what.action) == bool(what.slot):
        raise UsageError(
            "Say what to change.", hint="A part of an action (--name TEXT ...), or a slot (--slot OLD=NEW)."
        )
    about, says = _action(store, found, what) if what.action else _slot(store, found, what)
    return carried_out(store, decide(store, "edit", [about], says, by=by, note=note))


def _action(store: Store, found: Found, what: Edit) -> tuple[Found, dict[str, Any]]:
    if unknown := sorted(set(what.action) - set(PARTS)):
        raise UsageError(f"An action has no {unknown[0]!r}.", hint=f"It has {', '.join(PARTS)}.")
    if what.action.get("op", OPERATIONS[0]) not in OPERATIONS:
        raise UsageError(f"{what.action['op']!r} is no operation.", hint=f"It is one of {', '.join(OPERATIONS)}.")
    action = _step(store, found, what.step) if what.step is not None else found
    if action.label != "Action":
        raise UsageError(
            f"{found.name!r} is a {found.label.lower()}.", hint="Say which of its steps is meant: --step 2, for one."
        )
    return action, {"action": dict(what.action)}


def _step(store: Store, found: Found, number: int) -> Found:
    """The action that is a step of a task or subtask, counted from 1 as it is done once through."""
    actions = list(_actions(store, _way(store, found)))
    if not 1 <= number <= len(actions):
        raise UsageError(f"{found.name!r} has {len(actions)} steps, and no step {number}.")
    return find(store, actions[number - 1], labels=("Action",))


def _way(store: Store, found: Found) -> str:
    if found.label != "Task":
        return found.key
    ways = store.read(load("read/plan_ways"), keys=[found.key])
    if not ways:
        raise NotFound(found.key, hint="The task has no way.")
    return str(max(ways, key=lambda row: (row["uses"], row["subtask"]))["subtask"])


def _actions(store: Store, root: str) -> list[str]:
    if root.startswith("action:"):
        return [root]
    nodes = store.read(load("read/plan_subtasks"), keys=[root])
    calls: dict[str, list[str]] = {}
    for row in store.read(load("read/plan_calls"), keys=[row["key"] for row in nodes]):
        calls.setdefault(row["start_key"], []).append(row["key"])

    def below(key: str) -> list[str]:
        return [key] if key not in calls else [action for child in calls[key] for action in below(child)]

    return below(root)


def _slot(store: Store, found: Found, what: Edit) -> tuple[Found, dict[str, Any]]:
    from graphmem.memory.comparing import slots

    if found.label == "Action":
        raise UsageError(
            "The open parts of an action have fixed names.", hint="Name the task or subtask that has the slot."
        )
    known = slots(contents(store, found.site, [found.key])[found.key]["properties"])
    if what.slot not in known:
        raise UsageError(f"{found.name!r} has no slot {what.slot!r}.", hint=f"It has {', '.join(known) or 'none'}.")
    if what.name and (not _SLOT.fullmatch(what.name) or (what.name != what.slot and what.name in known)):
        raise UsageError(f"A slot cannot be called {what.name!r}.", hint="A word that no other slot of it has.")
    if what.type and what.type not in TYPES:
        raise UsageError(f"{what.type!r} is no type.", hint=f"It is one of {', '.join(TYPES)}.")
    if not (what.name or what.type):
        raise UsageError("Say what the slot becomes.", hint="Another name (--slot OLD=NEW), or a type (--type date).")
    says = {"slot": what.slot} | ({"name": what.name} if what.name else {}) | ({"type": what.type} if what.type else {})
    return found, says
