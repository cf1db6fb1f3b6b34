"""How two nodes, or two versions of one, differ: steps and slots that came, went or changed, as values and as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from graphmem.model.workflow_text import condition_text

Content = Mapping[str, Any]
Parts = Mapping[str, str]


@dataclass(frozen=True)
class Changes:
    """What came, what went, and what is another than before: [before, after]."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    def to_json(self) -> dict[str, Any]:
        return {"added": list(self.added), "removed": list(self.removed), "changed": [list(p) for p in self.changed]}


@dataclass(frozen=True)
class Comparison:
    """``parts``: steps, slots, conditions, and properties that are one text each."""

    a: Mapping[str, str]
    b: Mapping[str, str]
    parts: Mapping[str, Changes] = field(default_factory=dict)

    @property
    def equal(self) -> bool:
        return not any(self.parts.values())

    def to_json(self) -> dict[str, Any]:
        """``graphmem.diff/1``."""
        parts = {name: changes.to_json() for name, changes in self.parts.items()}
        return {"schema": "graphmem.diff/1", "a": dict(self.a), "b": dict(self.b), "equal": self.equal, **parts}

    def text(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"- {self.a['key']}  {self.a['name']}"
        yield f"+ {self.b['key']}  {self.b['name']}"
        if self.equal:
            yield "They say the same."
        for name, changes in self.parts.items():
            if changes:
                yield f"{name}:"
                yield from (f"  - {line}" for line in changes.removed)
                yield from (f"  + {line}" for line in changes.added)
                for before, after in changes.changed:
                    yield f"  - {before}"
                    yield f"  + {after}"


def compare(a: str, one: Content, b: str, other: Content) -> Comparison:
    """``a`` and ``b`` are the keys of the two contents."""
    p, q = one["properties"], other["properties"]
    words = {name: _changes({name: _word(p, name)}, {name: _word(q, name)}) for name in ("name", "status")}
    parts = {
        "steps": _lines_changed(_steps(one), _steps(other)),
        "slots": _changes(slots(p), slots(q)),
        "conditions": _lines_changed(_conditions(p), _conditions(q)),
        "ways": _lines_changed(sorted(w[0] for w in one["ways"]), sorted(w[0] for w in other["ways"])),
        **words,
    }
    return Comparison(_head(a, one), _head(b, other), parts)


def _head(key: str, content: Content) -> dict[str, str]:
    return {"key": key, "label": content["label"], "name": content["properties"]["name"]}


def _word(properties: Mapping[str, Any], name: str) -> str:
    return str(properties.get(name) or "")


def _steps(content: Content) -> list[str]:
    """The lines of a program without its signature; an action or a task is one line."""
    lines = str(content["properties"].get("text") or "").splitlines()
    return [line.removeprefix("  ") for line in lines[1:]] if content["label"] == "Subtask" else lines


def slots(properties: Mapping[str, Any]) -> dict[str, str]:
    """Slot -> the slot with its type; an action's open parts have none."""
    if "slots" in properties:
        return {slot: slot for slot in properties["slots"]}
    return {p["name"]: f"{p['name']}: {p['type']}" for p in json.loads(properties.get("parameters") or "[]")}


def _conditions(properties: Mapping[str, Any]) -> list[str]:
    before = [f"before: {condition_text(c)}" for c in json.loads(properties.get("preconditions") or "[]")]
    return before + [f"after: {condition_text(c)}" for c in json.loads(properties.get("postconditions") or "[]")]


def _changes(one: Parts, other: Parts) -> Changes:
    return Changes(
        tuple(text for name, text in other.items() if name not in one),
        tuple(text for name, text in one.items() if name not in other),
        tuple((text, other[name]) for name, text in one.items() if name in other and other[name] != text),
    )


def _lines_changed(one: Sequence[str], other: Sequence[str]) -> Changes:
    """Lines that take the place of as many others have changed."""
    added: list[str] = []
    removed: list[str] = []
    changed: list[tuple[str, str]] = []
    for tag, i, j, m, n in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        both = min(j - i, n - m)
        changed += zip(one[i : i + both], other[m : m + both], strict=True)
        removed += one[i + both : j]
        added += other[m + both : n]
    return Changes(tuple(added), tuple(removed), tuple(changed))
