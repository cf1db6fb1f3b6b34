"""A workflow run step by step against pages: the acts that are acceptable now, and what is left after each.

A small-step reading of the language, without a world that decides: conditions are asked of the page, and where the order is
free (``any_order``, ``each``, any of several elements) every act that may come next is offered. What is left to do is a
stack of frames, so a run can be kept, copied and gone on with. An act that the page does not offer is not acceptable: a
plain step waits for its element, an ``optional`` without one is passed, an ``until`` with {} ends.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

from graphmem.model.selection import Scene, element_of, elements_of, holds, identity_of, remembered
from graphmem.model.workflow import Action, BoundStep, Child, FromSlot, Value, Workflow, bind, handed_on

Values: TypeAlias = Mapping[str, Value]
Path: TypeAlias = tuple[str, ...]
Known: TypeAlias = tuple[object, ...]


@dataclass(frozen=True)
class _Rest:
    """Children still to be done in their order."""

    children: tuple[Child, ...]
    values: Values
    path: Path
    once: bool = False


@dataclass(frozen=True)
class _Free:
    """Calls still to be done in whatever order: children of an ``any_order``, or the body of an ``each`` for each item.
    ``rows``: for an ``each`` over elements of the page, what each is known by, and the slot for where it stands."""

    calls: tuple[tuple[tuple[Child, ...], Values], ...]
    path: Path
    once: bool = False
    slot: str = ""
    element: str = ""
    rows: tuple[Known, ...] = ()


@dataclass(frozen=True)
class _Again:
    """An ``until`` to be asked again."""

    workflow: Workflow
    values: Values
    path: Path
    once: bool = False


_Frame: TypeAlias = _Rest | _Free | _Again
Stack: TypeAlias = tuple[_Frame, ...]


@dataclass(frozen=True)
class Offer:
    """An act that may come next: the bound step, the element by its index in the page's sketch (-1: none), and what is
    left to do after it."""

    step: BoundStep
    index: int
    after: Stack


class Run:
    """A workflow under way. ``offers`` says what may be done on the page now, none where it is done or stuck."""

    def __init__(self, workflow: Workflow, values: Values) -> None:
        self.stack: Stack = (_Rest((Child(workflow),), dict(values), ()),)
        self.values = dict(values)
        self.acted: frozenset[tuple[str, Known]] = frozenset()
        self.workflow = workflow

    def offers(self, scene: Scene) -> tuple[Offer, ...]:
        found = _Asking(scene, self.acted, self.values).run(self.stack)
        return tuple(found or ())

    def is_done(self, scene: Scene) -> bool:
        """Whether nothing is left to do; a step that waits for its element is left to do."""
        return _Asking(scene, self.acted, self.values).run(self.stack) is None

    def did(self, offer: Offer, scene: Scene) -> None:
        self.stack = offer.after
        known = identity_of(scene, offer.index) if offer.index >= 0 else ()
        self.acted |= {remembered(offer.step.action.op, known, offer.step.value)}


@lru_cache(maxsize=4096)
def spec_of(spec: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(spec)
    return found


@lru_cache(maxsize=4096)
def _element_of(action: Action) -> dict[str, Any]:
    return element_of(action)


class _Asking:
    """One page asked. Every method gives the offers, [] where a step must wait, None where there is nothing to do."""

    def __init__(self, scene: Scene, acted: frozenset[tuple[str, Known]], outer: Values) -> None:
        self.scene, self.acted, self.outer = scene, acted, outer

    def run(self, stack: Stack) -> list[Offer] | None:
        while stack:
            frame, rest = stack[0], stack[1:]
            found = self.frame(frame)
            if found is not None:
                return [replace(offer, after=(*offer.after, *rest)) for offer in found]
            stack = rest
        return None

    def frame(self, frame: _Frame) -> list[Offer] | None:
        match frame:
            case _Rest():
                return self.rest(frame)
            case _Free():
                return self.free(frame)
            case _Again(workflow, values, path, once):
                return self.until(workflow, values, path, once)

    def rest(self, frame: _Rest) -> list[Offer] | None:
        children = frame.children
        while children:
            after = replace(frame, children=children[1:])
            found = self.call(children[0], frame.values, frame.path, frame.once)
            if found is not None:
                left = (after,) if after.children else ()
                return [replace(offer, after=(*offer.after, *left)) for offer in found]
            children = children[1:]
        return None

    def call(self, child: Child, values: Values, path: Path, once: bool) -> list[Offer] | None:
        open_ = {slot for slot, b in child.bindings if isinstance(b, FromSlot) and b.slot not in values}
        bound = {slot: value for slot, value in handed_on(child, values).items() if slot not in open_}
        if isinstance(child.node, Action):
            return self.act(child.node, bound, path, once)
        passed = {p.name: values[p.name] for p in child.node.parameters if p.name not in bound and p.name in values}
        return self.workflow(child.node, {**passed, **bound}, path, once)

    def workflow(self, workflow: Workflow, values: Values, path: Path, once: bool) -> list[Offer] | None:
        here, spec = (*path, workflow.key), spec_of(workflow.spec)
        match workflow.kind:
            case "sequence":
                return self.rest(_Rest(workflow.children, values, here, once))
            case "any_order":
                return self.free(_Free(tuple(((child,), values) for child in workflow.children), here, once))
            case "optional":
                if not holds(self.scene, spec.get("when") or {}, values):
                    return None
                return self.rest(_Rest(workflow.children, values, here, once and not spec.get("again"))) or None
            case "choose":
                found = (self.call(child, values, here, True) for child in workflow.children)
                return next((offers for offers in found if offers), None)
            case "until":
                return self.until(workflow, values, here, once)
            case "each":
                return self.free(self.each(workflow, spec, values, here, once))

    def until(self, workflow: Workflow, values: Values, here: Path, once: bool) -> list[Offer] | None:
        condition = spec_of(workflow.spec).get("until")
        if condition and holds(self.scene, condition, values):
            return None
        found = self.rest(_Rest(workflow.children, values, here, once))
        if not found:
            return [] if condition else None
        again = _Again(workflow, values, here, once)
        return [replace(offer, after=(*offer.after, again)) for offer in found]

    # -- where the order is free --------------------------------------------------------------------------------------

    def each(self, workflow: Workflow, spec: Mapping[str, Any], values: Values, here: Path, once: bool) -> _Free:
        slot = spec["as"]
        if "rows" in spec:
            fitting = elements_of(self.scene, spec["rows"], values)
            rows = tuple(identity_of(self.scene, n) for n in fitting)
            calls = tuple((workflow.children, values) for _ in rows)
            return _Free(calls, here, once, slot, json.dumps(spec["rows"]), rows)
        items = values.get(spec["over"], ())
        each = (items,) if isinstance(items, str) else items
        return _Free(tuple((workflow.children, {**values, slot: item}) for item in each), here, once)

    def free(self, frame: _Free) -> list[Offer] | None:
        found: list[Offer] = []
        waits = False
        for n, (children, values) in enumerate(frame.calls):
            bound = self.placed(frame, n, values)
            offers = None if bound is None else self.rest(_Rest(children, bound, frame.path, frame.once))
            waits |= offers == [] or bound is None
            left = self.without(frame, n)
            found += [replace(offer, after=(*offer.after, *left)) for offer in offers or ()]
        return found or ([] if waits and not frame.rows else None)

    def placed(self, frame: _Free, n: int, values: Values) -> Values | None:
        """The values with where the row stands now; None where it is no longer on the page."""
        if not frame.rows:
            return values
        fitting = elements_of(self.scene, spec_of(frame.element), values)
        known = [identity_of(self.scene, m) for m in fitting]
        return {**values, frame.slot: str(known.index(frame.rows[n]) + 1)} if frame.rows[n] in known else None

    def without(self, frame: _Free, n: int) -> Stack:
        calls = frame.calls[:n] + frame.calls[n + 1 :]
        return (replace(frame, calls=calls, rows=frame.rows[:n] + frame.rows[n + 1 :]),) if calls else ()

    # -- acts ---------------------------------------------------------------------------------------------------------

    def act(self, action: Action, bound: Values, path: Path, once: bool) -> list[Offer] | None:
        chosen = bound.get("value")
        if isinstance(chosen, tuple):
            each = [self.act(action, {**bound, "value": item}, path, once) or [] for item in chosen]
            return [offer for offers in each for offer in offers]
        step = bind(action, bound, path)
        if "value" in action.slots and "value" not in bound:
            return []
        if action.target is None:
            return [] if once and (action.op, ()) in self.acted else [Offer(step, -1, ())]
        found = elements_of(self.scene, _element_of(action), bound)
        if once:
            done = self.acted
            found = tuple(n for n in found if remembered(action.op, identity_of(self.scene, n), step.value) not in done)
        if '"any"' not in action.pick:
            found = found[:1]
        return [Offer(step, n, ()) for n in found]


def offered(offers: Sequence[Offer], op: str, index: int, value: str) -> Offer | None:
    """The offer that an act is: operation, element, and value but for case."""
    same = (o for o in offers if (o.step.action.op, o.index) == (op, index))
    return next((o for o in same if o.step.value.casefold() == value.casefold()), None)
