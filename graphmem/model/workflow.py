"""Workflow: a routine as a small program, AWM's w = (description, steps) (Agent Workflow Memory, section 2.1) made precise.

The language is closed. A program is a ``Workflow`` of one of six kinds; its children are ``Action`` templates or other
workflows, each called with bindings for the slots that it leaves open:

    sequence    do the children in order
    each        do the children once for every item of a list            spec {"over": slot, "as": slot}
                or for every element of the page that fits, none too     spec {"rows": element, "as": slot}
    until       do the children again and again                          spec {"until": condition}, or {}: while one can be done
    optional    do the children where the page asks for it               spec {"when": condition}
    any_order   do the children in whatever order
    choose      do the first child that can be done; all are optional    of a child also spec {"again": true}

A condition is JSON: {"present": element}, {"absent": element}, {"url": pattern}, {"said": slot}, {"less": {...}},
{"more": {...}}, {"all": [...]} (``graphmem.model.selection`` evaluates it on a page). Under ``choose`` an element that was
acted on is not acted on so again, but where the child says ``again``. There is one interpreter (``interpret``); the expander
is the same interpreter in a world that answers from a recording, and ``graphmem.model.frontier`` asks a page instead.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias

from graphmem.model.identity import key_of
from graphmem.model.target import Target, target_to_json
from graphmem.model.transforms import transformed

Kind: TypeAlias = Literal["sequence", "each", "until", "optional", "any_order", "choose"]
KINDS: tuple[Kind, ...] = ("sequence", "each", "until", "optional", "any_order", "choose")

#: What an action's description may leave open, to be bound by whoever calls it. ``position``: which of those that fit;
#: ``count``: how many of them, from the first.
ACTION_SLOTS = ("name", "value", "row", "column", "position", "count")

Value: TypeAlias = str | tuple[str, ...]

#: Before the name of a read among values: what was read is known to every routine, not only where it is passed.
READ = "read:"


@dataclass(frozen=True)
class Parameter:
    """A slot that the caller fills. ``type`` is text, number, date, time, list, secret or url."""

    name: str
    type: str = "text"


@dataclass(frozen=True)
class FromSlot:
    """The value of the caller's slot, through a transform of ``graphmem.model.transforms`` ("" copies it)."""

    slot: str
    transform: str = ""


@dataclass(frozen=True)
class Constant:
    """Always the same value."""

    value: str


@dataclass(frozen=True)
class FromRead:
    """What an earlier ``extract`` step read, by its name."""

    name: str


Binding: TypeAlias = FromSlot | Constant | FromRead
Bindings: TypeAlias = tuple[tuple[str, Binding], ...]


@dataclass(frozen=True)
class Action:
    """What is done to one kind of element of one site ("" is general). Parts named in ``slots`` are open and empty in the
    description; ``match`` says how an open name is compared: exact, starts, ends or contains. ``pick``: which of several
    that fit, as canonical JSON ({"nth": N}, {"least": reading}, {"most": reading}, {"any": true}); the first without it."""

    op: str
    target: Target | None = None
    value: str = ""
    slots: tuple[str, ...] = ()
    match: str = "exact"
    site: str = ""
    pick: str = ""

    @property
    def role(self) -> str:
        return self.target.role if self.target else ""

    @property
    def name(self) -> str:
        return self.target.called() if self.target else ""

    @cached_property
    def key(self) -> str:
        return action_key(self.site, self.op, self.description, self.value, self.slots)

    @property
    def description(self) -> dict[str, Any]:
        """The described target as JSON, with ``match`` where a name is not compared exactly and ``pick`` where there is one."""
        described = slim(self.target) if self.target else {}
        described |= {"match": self.match} if self.match != "exact" else {}
        return described | ({"pick": json.loads(self.pick)} if self.pick else {})


@dataclass(frozen=True)
class Child:
    """One call: an action or a workflow, and what its open slots are bound to (sorted by slot)."""

    node: Action | Workflow
    bindings: Bindings = ()


@dataclass(frozen=True)
class Workflow:
    """A routine of one site ("" is general or across sites). ``spec``, ``preconditions`` and ``postconditions`` are
    canonical JSON text. The name is no part of what it is."""

    kind: Kind
    children: tuple[Child, ...]
    parameters: tuple[Parameter, ...] = ()
    spec: str = "{}"
    preconditions: str = "[]"
    postconditions: str = "[]"
    site: str = ""
    name: str = field(default="", compare=False)

    @cached_property
    def key(self) -> str:
        calls = [(child.node.key, bindings_to_json(child.bindings)) for child in self.children]
        return subtask_key(
            self.site, self.kind, self.spec, self.parameters, calls, self.preconditions, self.postconditions
        )

    @property
    def steps(self) -> int:
        """Actions in it, each control step counted once through."""
        return sum(1 if isinstance(child.node, Action) else child.node.steps for child in self.children)


# -- identity, also for who has only a node's properties ---------------------------------------------------------------


def action_key(site: str, op: str, target: Mapping[str, Any], value: str, slots: Sequence[str]) -> str:
    return key_of("action", [site, op, dict(target), value, sorted(slots)])


def subtask_key(
    site: str,
    kind: str,
    spec: str,
    parameters: Sequence[Parameter],
    calls: Sequence[tuple[str, Mapping[str, Any]]],
    preconditions: str,
    postconditions: str,
) -> str:
    """``calls``: the key of each child in order, and its bindings as JSON."""
    return key_of(
        "subtask",
        {
            "site": site,
            "kind": kind,
            "spec": json.loads(spec),
            "parameters": parameters_to_json(parameters),
            "calls": [[key, dict(bindings)] for key, bindings in calls],
            "before": json.loads(preconditions),
            "after": json.loads(postconditions),
        },
    )


def task_key(sites: Sequence[str], text: str, parameters: Sequence[Parameter]) -> str:
    """A task is a goal template with slots on its sites, whatever ways lead to it."""
    return key_of("task", [sorted(sites), text.casefold(), parameters_to_json(parameters)])


# -- the interpreter ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BoundStep:
    """An action with its open parts filled. ``path``: keys from the outermost workflow to the action. ``missing``:
    slots that have no value; they stand in braces where the value would be."""

    action: Action
    target: Target | None
    value: str
    path: tuple[str, ...]
    missing: tuple[str, ...] = ()


class World(Protocol):
    """What the interpreter asks about the page, before it goes on. ``path``: keys from the outermost workflow."""

    def holds(self, workflow: Workflow, path: tuple[str, ...]) -> bool:
        """Whether an ``optional`` is to be done now."""
        ...

    def goes_on(self, workflow: Workflow, path: tuple[str, ...], done: int) -> bool:
        """Whether an ``until`` that was done ``done`` times is to be done again."""
        ...


class Always:
    """The world that takes every optional part, and every loop once: the plain reading of a workflow."""

    def holds(self, workflow: Workflow, path: tuple[str, ...]) -> bool:
        return True

    def goes_on(self, workflow: Workflow, path: tuple[str, ...], done: int) -> bool:
        return done < 1


def interpret(
    workflow: Workflow, values: Mapping[str, Value], world: World, path: tuple[str, ...] = ()
) -> Iterator[BoundStep]:
    """Run ``workflow`` with ``values`` for its parameters, yielding one bound step after the other.

    Lazy: the world is asked about a control step only after the steps before it have been taken.
    """
    here = (*path, workflow.key)
    match workflow.kind:
        case "sequence" | "any_order":
            yield from _children(workflow, values, world, here)
        case "optional":
            if world.holds(workflow, here):
                yield from _children(workflow, values, world, here)
        case "choose":
            chosen = [
                c
                for c in workflow.children
                if isinstance(c.node, Workflow) and world.holds(c.node, (*here, c.node.key))
            ]
            for child in chosen[:1]:
                bound = handed_on(child, values)
                yield from _children(child.node, bound, world, (*here, child.node.key))  # type: ignore[arg-type]
        case "until":
            done = 0
            while world.goes_on(workflow, here, done):
                yield from _children(workflow, values, world, here)
                done += 1
        case "each":
            spec = json.loads(workflow.spec)
            # The rows of a page are no list that a caller gives: only who sees the page knows them.
            over = spec.get("over", spec["as"])
            items = values.get(over, f"{{{over}}}")
            for item in (items,) if isinstance(items, str) else items:
                yield from _children(workflow, {**values, spec["as"]: item}, world, here)


def _children(
    workflow: Workflow, values: Mapping[str, Value], world: World, path: tuple[str, ...]
) -> Iterator[BoundStep]:
    for child in workflow.children:
        bound = handed_on(child, values)
        if isinstance(child.node, Action):
            yield bind(child.node, bound, path)
        else:
            yield from interpret(child.node, bound, world, path)


def handed_on(child: Child, values: Mapping[str, Value]) -> dict[str, Value]:
    """What the slots of a called child come to. What was read from a page is known in every routine, unasked."""
    read = {name: value for name, value in values.items() if name.startswith(READ)}
    return read | {slot: value_of(binding, values) for slot, binding in child.bindings}


def value_of(binding: Binding, values: Mapping[str, Value]) -> Value:
    """What a binding comes to, given the caller's values; ``{slot}`` where there is none."""
    match binding:
        case Constant(value):
            return value
        case FromRead(name):
            return values.get(READ + name, f"{{{name}}}")
        case FromSlot(slot, transform):
            found = values.get(slot, f"{{{slot}}}")
            if isinstance(found, tuple):
                return item_of(found, transform)
            return found if is_open(found) else transformed(transform, found)


def item_of(items: tuple[str, ...], transform: str) -> Value:
    """One item of a list by ``item:N`` (from 1; -1 is the last), each item through any other transform."""
    kind, _, number = transform.partition(":")
    if kind != "item":
        return tuple(transformed(transform, item) for item in items)
    at = int(number) - 1 if int(number) > 0 else int(number)
    return items[at] if -len(items) <= at < len(items) else f"{{{transform}}}"


def is_open(value: str) -> bool:
    """Whether it is a slot's name in braces, standing for a value that is not known."""
    return value.startswith("{") and value.endswith("}")


def bind(action: Action, values: Mapping[str, Value], path: tuple[str, ...] = ()) -> BoundStep:
    """The action with its open parts filled from ``values`` (by action slot); what is absent stands as ``{slot}``."""
    flat = {slot: _flat(values.get(slot, f"{{{slot}}}")) for slot in action.slots}
    missing = tuple(v[1:-1] for v in flat.values() if is_open(v))
    target = action.target
    if target is not None:
        near = target.near
        places = {k: flat[k] for k in ("row", "column", "position") if k in flat}
        target = replace(target, name=flat.get("name", target.name), near=replace(near, **places) if places else near)
    return BoundStep(action, target, flat.get("value", action.value), (*path, action.key), missing)


def _flat(value: Value) -> str:
    return value if isinstance(value, str) else ", ".join(value)


# -- the parts of identity as JSON ------------------------------------------------------------------------------------


def slim(target: Target) -> dict[str, Any]:
    """A target as JSON without its empty fields."""
    data = target_to_json(target)
    near = {k: v for k, v in data["near"].items() if v}
    return {k: v for k, v in (data | {"near": near}).items() if v}


def parameters_to_json(parameters: Sequence[Parameter]) -> list[dict[str, str]]:
    return [{"name": p.name, "type": p.type} for p in parameters]


def binding_to_json(binding: Binding) -> dict[str, str]:
    match binding:
        case Constant(value):
            return {"literal": value}
        case FromRead(name):
            return {"from": name}
        case FromSlot(slot, transform):
            return {"slot": slot} | ({"transform": transform} if transform else {})


def bindings_to_json(bindings: Bindings) -> dict[str, dict[str, str]]:
    return {slot: binding_to_json(binding) for slot, binding in bindings}
