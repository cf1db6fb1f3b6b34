"""What the routines of different sites are compared by: the same for two that do alike things in the same places of the flow.

An action's signature is its operation, its role, and the words of the name that a person reads: case, signs, articles,
possessives and a plural s say nothing. A routine's is what it calls, in order, with slots bound alike, whatever they are
called. Addresses, rows and raw ids are in none: what has only those is its site's own, and so is whatever calls it.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from graphmem.model.graph import Graph, Node, Relationship
from graphmem.model.workflow_json import action_from_properties

Signature: TypeAlias = tuple[Any, ...]
#: A binding as JSON: {"slot": name, "transform": text}, {"const": text} and the like.
Binding: TypeAlias = Mapping[str, str]

#: Kinds of routine that are one step after the other, once through.
_PLAIN = frozenset({"sequence", "any_order", "each", "until"})

_LITTLE = frozenset({"a", "an", "the", "your", "my"})


@lru_cache(maxsize=65536)
def words(name: str) -> tuple[str, ...]:
    """The words of a name that it is compared by; the name itself when it has none (a sign, a glyph)."""
    found = re.findall(r"[^\W_]+", name.casefold())
    kept = [word for word in found if word not in _LITTLE] or found or [name.casefold()] * bool(name)
    return tuple(word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word for word in kept)


#: Roles that sites give to what a person takes for the same kind of control.
_PRESSED = frozenset({"a", "button", "div", "i", "img", "label", "li", "link", "menuitem", "p", "span", "svg", "tab"})
_TYPED = frozenset({"combobox", "input", "searchbox", "textarea", "textbox"})


def role_class(role: str) -> str:
    """What kind of control a role is: one to press, one to type in, or the role itself."""
    return "pressed" if role in _PRESSED else "typed" if role in _TYPED else role


@dataclass(frozen=True)
class Flat:
    """A step of a routine with everything called unfolded. ``bindings`` are in terms of the outermost routine."""

    action: str
    signature: Signature
    bindings: Mapping[str, Binding]


class Sites:
    """All actions and subtasks of all sites, with what each subtask calls, in order."""

    def __init__(self, sites: Mapping[str, Graph]) -> None:
        self.nodes = {n.key: n for g in sites.values() for n in g.nodes if n.label in ("Action", "Subtask")}
        self.calls: dict[str, list[Relationship]] = defaultdict(list)
        for graph in sites.values():
            for link in graph.relationships:
                if link.kind[1] in ("HAS_ACTION", "HAS_SUBTASK"):
                    self.calls[link.start].append(link)
        for calls in self.calls.values():
            calls.sort(key=lambda link: link.properties["index"])
        self._signatures: dict[str, Signature | None] = {}
        self._slots: dict[str, list[str]] = {}

    def signature(self, key: str) -> Signature | None:
        """What a node is compared by; None for what can only be its site's own."""
        if key not in self._signatures:
            node = self.nodes[key]
            self._signatures[key] = of_action(node) if node.label == "Action" else self._of_subtask(node)
        return self._signatures[key]

    def _of_subtask(self, node: Node) -> Signature | None:
        order = {name: n for n, name in enumerate(self.slots(node))}
        calls = []
        for link in self.calls[node.key]:
            child = self.signature(link.end)
            if child is None:
                return None
            inner = {name: n for n, name in enumerate(self.slots(self.nodes[link.end]))}
            bound = _parsed(link.properties["bindings"])
            calls.append((child, tuple(sorted((inner.get(s, s), _bound(b, order)) for s, b in bound.items()))))
        spec = _parsed(node.properties["spec"])
        shape = (spec.get("as"), _folded(spec.get("when")), _folded(spec.get("until")), _folded(spec.get("rows")))
        return ("subtask", node.properties["kind"], shape, tuple(calls)) if calls else None

    def site(self, key: str) -> str:
        site: str = self.nodes[key].properties["site"]
        return site

    def flats(self, without: Container[str]) -> dict[str, list[Flat | None]]:
        """The steps of every sequence but some, by its key."""
        chosen = (k for k, n in sorted(self.nodes.items()) if n.label == "Subtask" and k not in without)
        return {key: list(self.flat(key)) for key in chosen if self.nodes[key].properties["kind"] == "sequence"}

    def callers(self, called: Iterable[str]) -> set[str]:
        """Some nodes and whatever calls them, through others too."""
        above: dict[str, list[str]] = defaultdict(list)
        for key, calls in self.calls.items():
            for link in calls:
                above[link.end].append(key)
        found = set(called)
        waiting = sorted(found)
        while waiting:
            new = set(above[waiting.pop()]) - found
            found |= new
            waiting += new
        return found

    def flat(self, key: str, bound: Mapping[str, Binding] | None = None) -> Iterator[Flat | None]:
        """The steps of a routine, what it calls unfolded; None where nothing is comparable: a step of its site's own,
        what need not be done, one of several."""
        for link in self.calls[key]:
            called = self.nodes[link.end]
            inner = {slot: _through(b, bound) for slot, b in _parsed(link.properties["bindings"]).items()}
            if called.label == "Action":
                signature = self.signature(link.end)
                if signature is not None and called.properties["op"] in ("type", "select"):
                    signature, inner = _open(signature), {"value": {"literal": signature[6]}, **inner}
                yield Flat(link.end, signature, inner) if signature is not None and None not in inner.values() else None  # type: ignore[arg-type]
            elif called.properties["kind"] in _PLAIN:
                spec = _parsed(called.properties["spec"])
                # An item of a list is a slot of its own, which no caller of the loop knows.
                own = {spec["as"]: {"slot": spec["as"]}} if "as" in spec else {}
                yield from self.flat(link.end, {**{s: b for s, b in inner.items() if b is not None}, **own})
            else:
                yield None

    def slots(self, node: Node) -> list[str]:
        """The slots of a node in the order of their first use, so that names do not matter."""
        if node.key not in self._slots:
            self._slots[node.key] = self._in_order(node)
        return self._slots[node.key]

    def _in_order(self, node: Node) -> list[str]:
        if node.label == "Action":
            return list(node.properties["slots"])
        spec = _parsed(node.properties["spec"])
        used: dict[str, None] = {spec["over"]: None} if "over" in spec else {}
        for link in self.calls[node.key]:
            bindings = _parsed(link.properties["bindings"])
            # In the order of the callee's own slots: sorted by their names, names would matter.
            for slot in [s for s in self.slots(self.nodes[link.end]) if s in bindings]:
                if "slot" in bindings[slot] and bindings[slot]["slot"] != spec.get("as"):
                    used[bindings[slot]["slot"]] = None
        return list(used)


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Mapping[str, Any]:
    """JSON of bindings and specs, of which the same few stand everywhere. Not to be changed."""
    found: dict[str, Any] = json.loads(text)
    return found


def _open(signature: Signature) -> Signature:
    """A field that is open to any value: what one site always types there is an example."""
    return (*signature[:6], "", tuple(sorted({*signature[7], "value"})), signature[8])


def _through(binding: Binding, bound: Mapping[str, Binding] | None) -> Binding | None:
    """A binding in terms of the caller's; None where nothing is known. How a site writes a value is its own."""
    if "slot" in binding and bound is not None:
        return bound.get(binding["slot"])
    return {k: v for k, v in binding.items() if k != "transform"} if {"slot", "literal"} & set(binding) else None


def of_action(node: Node) -> Signature | None:
    p = node.properties
    return _described(p["op"], p["role"], p["target"], p["value"], tuple(p["slots"]))


@lru_cache(maxsize=65536)
def _described(op: str, role: str, target: str, value: str, slots: tuple[str, ...]) -> Signature | None:
    """By content alone, so that one more recording does not have the actions of all other sites read anew."""
    if op in ("navigate", "answer") or json.loads(target).get("near", {}).get("row") or not role:
        return None
    action = action_from_properties({"op": op, "target": target, "value": value, "slots": slots})
    name = () if "name" in slots else words(action.name)
    if not name and "name" not in slots:
        return None
    column = words(action.target.near.column) if action.target else ()
    return ("action", op, role_class(role), name, action.match, column, value, tuple(sorted(slots)), action.pick)


def _bound(binding: Mapping[str, str], order: Mapping[str, int]) -> tuple[Any, ...]:
    if "slot" in binding:
        return ("slot", str(order.get(binding["slot"], binding["slot"])), binding.get("transform", ""))
    return tuple(sorted(binding.items()))


def _folded(condition: Any) -> str:
    return json.dumps(condition, sort_keys=True).casefold() if condition else ""
