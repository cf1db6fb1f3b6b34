"""Workflows out of the store: the part of the graph under some tasks or subtasks, put together as programs again.

Three statements whatever the depth: the ways of the tasks, the subtasks below, and what these call. A subtask that several
others call is one value, as it is one node.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphmem.errors import StoreError
from graphmem.model.workflow import Bindings, Child, Workflow
from graphmem.model.workflow_json import action_from_properties, bindings_from_json, parameters_from_json
from graphmem.store.protocol import Row, Store
from graphmem_queries import load


@dataclass(frozen=True)
class Way:
    """One way of doing a task: ``bindings`` give the workflow's parameters from the task's, with the way's record."""

    task: str
    workflow: Workflow
    bindings: Bindings = ()
    uses: int = 0
    successes: int = 0
    failures: int = 0


@dataclass(frozen=True)
class Record:
    """How often a subtask was used, and how it went."""

    uses: int = 0
    successes: int = 0
    failures: int = 0


@dataclass(frozen=True)
class Programs:
    """What was fetched: workflows and records by the subtask's key, ways by the task's key (best record first)."""

    workflows: Mapping[str, Workflow]
    records: Mapping[str, Record]
    ways: Mapping[str, Sequence[Way]]


def programs(store: Store, *, tasks: Iterable[str] = (), subtasks: Iterable[str] = ()) -> Programs:
    """The programs under the tasks and subtasks with these keys. Keys that are not there are left out, and so are ways
    through anything that is quarantined."""
    wanted = sorted(set(tasks))
    ways = store.read(load("read/plan_ways"), keys=wanted) if wanted else []
    roots = sorted({*subtasks, *(row["subtask"] for row in ways)})
    nodes = store.read(load("read/plan_subtasks"), keys=roots) if roots else []
    calls = store.read(load("read/plan_calls"), keys=[row["key"] for row in nodes]) if nodes else []
    built = _built(nodes, calls)
    shut = _shut(nodes, calls)
    records = {row["key"]: Record(*_counts(row)) for row in nodes}
    found: dict[str, list[Way]] = defaultdict(list)
    for row in ways:
        if row["subtask"] in shut:
            continue
        found[row["task"]].append(
            Way(row["task"], built[row["subtask"]], bindings_from_json(_json(row["bindings"], {})), *_counts(row))
        )
    return Programs(built, records, {task: sorted(group, key=_standing) for task, group in found.items()})


def _standing(way: Way) -> tuple[float, int, str]:
    """Best first: by the rate of success (one of each added, so that a single run decides little), then by use."""
    rate = (way.successes + 1) / (way.successes + way.failures + 2)
    return (-rate, -way.uses, way.workflow.key)


def _shut(nodes: Sequence[Row], calls: Sequence[Row]) -> set[str]:
    """The keys of what is quarantined, and of whatever calls it."""
    shut = {row["key"] for row in (*nodes, *calls) if row["status"] == "quarantined"}
    callers: dict[str, set[str]] = defaultdict(set)
    for call in calls:
        callers[call["key"]].add(call["start_key"])
    waiting = sorted(shut)
    while waiting:
        new = callers[waiting.pop()] - shut
        shut |= new
        waiting += new
    return shut


def _counts(row: Row) -> tuple[int, int, int]:
    return (row["uses"] or 0, row["successes"] or 0, row["failures"] or 0)


def _built(nodes: Sequence[Row], calls: Sequence[Row]) -> dict[str, Workflow]:
    rows = {row["key"]: row for row in nodes}
    by_start: dict[str, list[Row]] = defaultdict(list)
    for call in calls:
        by_start[call["start_key"]].append(call)
    built: dict[str, Workflow] = {}

    def build(key: str, above: frozenset[str]) -> Workflow:
        if key in above:
            raise StoreError(f"Subtask {key} calls itself.", hint="Run: graphmem verify, then graphmem induce.")
        if key not in built:
            row = rows[key]
            built[key] = Workflow(
                kind=row["kind"],
                children=tuple(child(call, above | {key}) for call in by_start[key]),
                parameters=parameters_from_json(_json(row["parameters"], [])),
                spec=row["spec"] or "{}",
                preconditions=row["preconditions"] or "[]",
                postconditions=row["postconditions"] or "[]",
                site=row["site"] or "",
                name=row["name"] or "",
            )
        return built[key]

    def child(call: Row, above: frozenset[str]) -> Child:
        bindings = bindings_from_json(_json(call["bindings"], {}))
        if call["type"] == "HAS_ACTION":
            return Child(action_from_properties(call), bindings)
        return Child(build(call["key"], above), bindings)

    return {key: build(key, frozenset()) for key in sorted(rows)}


def _json(text: str | None, default: Any) -> Any:
    return default if text is None else json.loads(text)
