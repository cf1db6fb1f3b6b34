"""Tasks that cross sites: above the sites, a way that only calls one routine of a site for each stretch.

What a stretch did is known from its site's graph: the outermost USES of the recording there. A value that two stretches
use is one slot of the task, so what is said once reaches both sites.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphmem.model.graph import Graph, Node, Relationship
from graphmem.model.identity import canonical, key_of
from graphmem.model.workflow import (
    Binding,
    Constant,
    FromSlot,
    Parameter,
    bindings_to_json,
    parameters_to_json,
    subtask_key,
    task_key,
)
from graphmem_induction.protocol import Evidence
from graphmem_induction.slot_names import type_of, unique
from graphmem_induction.slots import Span, occurrences


@dataclass(frozen=True)
class _Visit:
    """One stretch: the routine that it was on its site, and what its slots were bound to."""

    subtask: Node
    first: int
    last: int
    bindings: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _Run:
    """``values``: what the instruction says and a stretch used, in the order of the instruction; ``spans``: where, with
    the number of the value."""

    evidence: Evidence
    visits: tuple[_Visit, ...]
    values: tuple[str, ...]
    spans: tuple[tuple[Span, int], ...]

    @property
    def template(self) -> str:
        return " ".join(self.wording([str(n) for n in range(len(self.values))]).casefold().split()).rstrip(".!? ")

    def wording(self, names: Sequence[str]) -> str:
        task, parts, at = self.evidence.trajectory.task, [], 0
        for span, n in self.spans:
            parts += [task[at : span.start], f"{{{names[n]}}}"]
            at = span.end
        return "".join([*parts, task[at:]])

    @property
    def key(self) -> str:
        return self.evidence.trajectory.key


def crossing_tasks(sites: Mapping[str, Graph], crossing: Sequence[Evidence]) -> Graph:
    """The tasks of recordings that touch two sites or more, with their ways."""
    visits = _visits(sites)
    groups: dict[str, list[_Run]] = defaultdict(list)
    for evidence in sorted(crossing, key=lambda e: e.trajectory.key):
        found = visits.get(evidence.trajectory.key, ())
        if evidence.verdict != "failure" and len({v.subtask.properties["site"] for v in found}) > 1:
            run = _Run(evidence, tuple(found), *_said(evidence.trajectory.task, found))
            groups[run.template].append(run)
    nodes: dict[str, Node] = {}
    links: list[Relationship] = []
    for _, runs in sorted(groups.items()):
        _Task(runs).put(nodes, links)
    return Graph(tuple(nodes.values()), tuple(links))


def _visits(sites: Mapping[str, Graph]) -> dict[str, list[_Visit]]:
    """For each recording its stretches in order: the widest use of a routine, and of equals the one that calls most."""
    uses: dict[str, list[_Visit]] = defaultdict(list)
    for graph in sites.values():
        subtasks = {node.key: node for node in graph.nodes if node.label == "Subtask"}
        for link in graph.relationships:
            if link.kind[1] == "USES":
                p = link.properties
                bound = tuple(sorted((k, v) for k, v in json.loads(p["bindings"]).items() if isinstance(v, str)))
                uses[link.start].append(_Visit(subtasks[link.end], p["first"], p["last"], bound))
    return {recording: _outermost(found) for recording, found in uses.items()}


def _outermost(uses: Sequence[_Visit]) -> list[_Visit]:
    kept: list[_Visit] = []
    for use in sorted(uses, key=lambda u: (u.first, -u.last, -len(u.subtask.properties["text"]), u.subtask.key)):
        if not kept or use.first > kept[-1].last:
            kept.append(use)
    return kept


def _said(task: str, visits: Sequence[_Visit]) -> tuple[tuple[str, ...], tuple[tuple[Span, int], ...]]:
    """The values that the instruction says and the stretches used, and every place where it says them."""
    spans: dict[Span, str] = {}
    for value in sorted({v for visit in visits for _, v in visit.bindings}, key=lambda v: (-len(v), v)):
        for span in occurrences(value, task):
            if all(span.end <= other.start or other.end <= span.start for other in spans):
                spans[span] = value
    values = tuple(dict.fromkeys(value for _, value in sorted(spans.items())))
    return values, tuple((span, values.index(value)) for span, value in sorted(spans.items()))


class _Task:
    """The runs of one template as a task; those that visit the same routines go the same way."""

    def __init__(self, runs: Sequence[_Run]) -> None:
        self.runs = runs
        self.names: list[str] = []
        for n in range(len(runs[0].values)):
            self.names.append(unique(self._name(n), self.names))
        values = [[run.values[n] for run in runs] for n in range(len(self.names))]
        self.parameters = tuple(Parameter(name, type_of(v)) for name, v in zip(self.names, values, strict=True))
        self.sites = sorted({site for run in runs for site in run.evidence.trajectory.sites})
        self.text = min(run.wording(self.names) for run in runs)
        self.key = task_key(self.sites, self.text, self.parameters)

    def _name(self, n: int) -> str:
        """What the stretches call the n-th value of the instruction, most often."""
        votes = Counter(
            slot
            for run in self.runs
            for visit in run.visits
            for slot, value in visit.bindings
            if value == run.values[n]
        )
        return min(votes, key=lambda slot: (-votes[slot], slot))

    def put(self, nodes: dict[str, Node], links: list[Relationship]) -> None:
        record = _record([run.evidence for run in self.runs])
        own = {
            "name": self.text[:200],
            "site": "",
            "sites": self.sites,
            "text": self.text,
            "parameters": canonical(parameters_to_json(self.parameters)),
        }
        nodes[self.key] = Node("Task", self.key, own | record)
        links += [_on("Task", self.key, site) for site in self.sites]
        links += [Relationship(("Trajectory", "INSTANCE_OF", "Task"), run.key, self.key) for run in self.runs]
        ways: dict[tuple[str, ...], list[_Run]] = defaultdict(list)
        for run in self.runs:
            ways[tuple(visit.subtask.key for visit in run.visits)].append(run)
        for number, (_, runs) in enumerate(sorted(ways.items()), start=1):
            self._put_way(runs, number, nodes, links)

    def _put_way(self, runs: Sequence[_Run], number: int, nodes: dict[str, Node], links: list[Relationship]) -> None:
        bound = [self._bindings(runs, n) for n in range(len(runs[0].visits))]
        used = {b.slot for bindings in bound for _, b in bindings if isinstance(b, FromSlot)}
        parameters = tuple(p for p in self.parameters if p.name in used)
        visits = runs[0].visits
        calls = [(v.subtask.key, bindings_to_json(b)) for v, b in zip(visits, bound, strict=True)]
        key = subtask_key("", "sequence", "{}", parameters, calls, "[]", "[]")
        name = self.text[:190] + (f" ({number})" if number > 1 else "")
        text = "\n".join([name, *(f"  {v.subtask.properties['name']}" for v in visits)])
        own = {
            "name": name,
            "site": "",
            "kind": "sequence",
            "spec": "{}",
            "parameters": canonical(parameters_to_json(parameters)),
            "preconditions": "[]",
            "postconditions": "[]",
            "text": text,
        }
        record = _record([run.evidence for run in runs])
        nodes[key] = Node("Subtask", key, own | record)
        links += [_on("Subtask", key, site) for site in self.sites]
        for index, (called, bindings) in enumerate(calls):
            properties = {"index": index, "bindings": canonical(bindings)}
            links.append(Relationship(("Subtask", "HAS_SUBTASK", "Subtask"), key, called, properties))
        passed = canonical({p.name: {"slot": p.name} for p in parameters})
        counts = {name: record[name] for name in ("uses", "successes", "failures")}
        links.append(Relationship(("Task", "HAS_WAY", "Subtask"), self.key, key, {"bindings": passed} | counts))
        links += [self._use(run, key) for run in runs]

    def _bindings(self, runs: Sequence[_Run], n: int) -> tuple[tuple[str, Binding], ...]:
        """What the n-th call is bound to: the instruction where every run took the value from it, else its own value
        where that is always the same, else nothing: the slot stays open."""
        bindings: list[tuple[str, Binding]] = []
        for slot, value in runs[0].visits[n].bindings:
            values = [dict(run.visits[n].bindings)[slot] for run in runs]
            said = set.intersection(*(self._said(run, value) for run, value in zip(runs, values, strict=True)))
            if said:
                bindings.append((slot, FromSlot(min(said))))
            elif len(set(values)) == 1:
                bindings.append((slot, Constant(value)))
        return tuple(sorted(bindings, key=lambda pair: pair[0]))

    def _said(self, run: _Run, value: str) -> set[str]:
        """The slots of the task whose value in this run is ``value``."""
        return {name for name, said in zip(self.names, run.values, strict=True) if said == value}

    def _use(self, run: _Run, way: str) -> Relationship:
        bound = dict(zip(self.names, run.values, strict=True))
        properties = {
            "first": run.visits[0].first,
            "last": run.visits[-1].last,
            "bindings": canonical(bound),
            "residual": [],
        }
        return Relationship(("Trajectory", "USES", "Subtask"), run.key, way, properties)


def _record(evidence: Sequence[Evidence]) -> dict[str, Any]:
    successes = sum(e.verdict == "success" for e in evidence)
    return {
        "uses": len(evidence),
        "successes": successes,
        "failures": 0,
        "status": "active" if successes or len(evidence) > 1 else "draft",
        "general": False,
    }


def _on(label: str, key: str, site: str) -> Relationship:
    return Relationship((label, "ON", "Site"), key, key_of("site", site))
