"""A plan as the page lays it over the graph: its steps numbered, each with the nodes and relationships that it came by.

A plan's path names nodes. Where a subtask calls the same routine twice, the nodes alone do not say which call is meant, so
the calls are told apart by the order of the steps: a step continues from the one before it, at the deepest place where the
routine still has a later call that leads to it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Any

from graphmem.model.plan import ControlStep, Plan, PlanStep, Step, step_text

#: (type, start, end, properties) of a relationship; its place in the page's list is its name there.
Edge = tuple[str, str, str, Mapping[str, Any]]
_DOWN = frozenset({"HAS_WAY", "HAS_SUBTASK", "HAS_ACTION"})


def overlay(plan: Plan, drawn: Mapping[str, int], edges: Sequence[Edge], kinds: Mapping[str, str]) -> dict[str, Any]:
    """JSON-able. ``drawn``: key -> place of a node; ``edges``: in the page's order; ``kinds``: key -> kind of a subtask."""
    walk = _Walk(edges)
    return {
        "task": plan.task,
        "site": plan.site,
        "fits": plan.fits,
        "confidence": round(plan.confidence, 3),
        "reason": plan.reason,
        "missing": list(plan.missing),
        "unexplained": list(plan.unexplained),
        "values": [[slot, value if isinstance(value, str) else list(value)] for slot, value in plan.values],
        "steps": _Numbered(plan.missing, drawn, kinds, walk).steps(plan.steps, "", 0),
    }


class _Walk:
    """Goes from step to step through the calls."""

    def __init__(self, edges: Sequence[Edge]) -> None:
        self._calls: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        for place, (kind, start, end, properties) in enumerate(edges):
            if kind in _DOWN:
                self._calls[start, end].append((int(properties.get("index") or 0), place))
        for calls in self._calls.values():
            calls.sort()
        self._path: tuple[str, ...] = ()
        self._taken: list[tuple[int, int] | None] = []

    def follow(self, path: tuple[str, ...]) -> list[int]:
        """Places of the relationships along ``path``."""
        level, call = self._turn(path)
        self._taken = [*self._taken[:level], call] if path else []
        for start, end in list(pairwise(path))[level + 1 :]:
            self._taken.append(next(iter(self._calls[start, end]), None))
        self._path = path
        return [taken[1] for taken in self._taken if taken]

    def _turn(self, path: tuple[str, ...]) -> tuple[int, tuple[int, int] | None]:
        """Where the path leaves the one before, and by which call."""
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(path, self._path, strict=False)))
        for level in range(min(shared, len(path) - 1, len(self._taken)) - 1, -1, -1):
            before = self._taken[level]
            later = (call for call in self._calls[path[level], path[level + 1]] if before and call[0] > before[0])
            if (call := next(later, None)) is not None:
                return level, call
        # Nothing comes later: the innermost routine is gone through once more, for the next of a list.
        level = max(0, min(shared, len(path) - 1) - 1)
        return level, next(iter(self._calls[path[level], path[level + 1]]), None) if len(path) > 1 else None


@dataclass(frozen=True)
class _Numbered:
    """Steps as one list, those inside a control step behind it."""

    missing: Sequence[str]
    drawn: Mapping[str, int]
    kinds: Mapping[str, str]
    walk: _Walk

    def steps(self, steps: Sequence[Step], outer: str, inside: int) -> list[dict[str, Any]]:
        """``inside``: how much of the path belongs to the control steps around."""
        made: list[dict[str, Any]] = []
        for number, step in enumerate(steps, 1):
            label = f"{outer}{number}"
            if isinstance(step, PlanStep):
                made.append({"number": label} | self._act(step))
                continue
            path = self._of_control(step, inside)
            said = {"number": label, "control": step.op, "spec": json.loads(step.spec)}
            made.append(said | {"path": self._places(path), "calls": []})
            made += self.steps(step.steps, f"{label}.", len(path) or inside)
        return made

    def _of_control(self, step: ControlStep, inside: int) -> tuple[str, ...]:
        """Down to the control subtask itself, which only the paths of the steps in it name."""
        first = next(Plan("", steps=step.steps).acts(), None)
        path = first.path if first else ()
        found = (i for i, key in enumerate(path) if i >= inside and self.kinds.get(key) == step.op)
        return path[: next(found, -1) + 1]

    def _act(self, step: PlanStep) -> dict[str, Any]:
        text = step_text(step)
        said: dict[str, Any] = {
            "text": text,
            "site": step.site,
            "because": step.because,
            "missing": [slot for slot in self.missing if f"{{{slot}}}" in text],
            "path": self._places(step.path),
            "calls": self.walk.follow(step.path),
        }
        return said if step.undoable else said | {"final": True}

    def _places(self, path: Sequence[str]) -> list[int]:
        return [self.drawn[key] for key in path if key in self.drawn]
