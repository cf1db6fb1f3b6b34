"""What the nodes of a graph stand for: the recorded steps behind each, and the node that a decision's steps lead to.

The general layer has no steps of its own; its nodes stand for those of their special cases, which come with ``evidence``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property

from graphmem.model.decision import Span, Subject
from graphmem.model.graph import Graph
from graphmem.model.trajectory import step_key

#: A recording's steps from one index to another.
_Range = tuple[str, int, int]
_WANTS = ("HAS_WAY", "HAS_SUBTASK")


class Standing:
    """Looks nodes up by steps. ``evidence``: the graphs of the sites, for the layer above them."""

    def __init__(self, graph: Graph, evidence: Iterable[Graph] = ()) -> None:
        self.nodes = {node.key: node for node in graph.nodes if node.label in ("Task", "Subtask", "Action")}
        self.graphs = (graph, *evidence)
        self._general: dict[str, str] = {}
        self._steps: dict[str, set[str]] = defaultdict(set)
        self._runs: dict[str, set[str]] = defaultdict(set)
        self._ranges: dict[str, set[_Range]] = defaultdict(set)
        self._called: dict[str, set[str]] = defaultdict(set)
        for link in graph.relationships:
            if link.kind[1] == "SPECIALIZES":
                self._general[link.start] = link.end
            elif link.kind[1] == "HAS_SUBTASK":
                self._called[link.start].add(link.end)
        self._wanted = {link.end for part in self.graphs for link in part.relationships if link.kind[1] in _WANTS}
        for part in self.graphs:
            self._read(part)

    def _read(self, graph: Graph) -> None:
        for link in graph.relationships:
            key = self._general.get(link.end, link.end)
            if key not in self.nodes:
                continue
            if link.kind == ("Step", "INSTANCE_OF", "Action"):
                self._steps[key].add(link.start)
            elif link.kind == ("Trajectory", "INSTANCE_OF", "Task"):
                self._runs[key].add(link.start)
            elif link.kind[1] == "USES":
                self._ranges[key].add((link.start, link.properties["first"], link.properties["last"]))

    def spans(self, key: str) -> list[Span]:
        """The steps that a node stands for, sorted."""
        found: Iterable[Span]
        match self.nodes[key].label:
            case "Action":
                found = ((step, step) for step in self._steps[key])
            case "Task":
                found = ((step_key(run, 0), step_key(run, 0)) for run in self._runs[key])
            case _:
                found = ((step_key(run, first), step_key(run, last)) for run, first, last in self._ranges[key])
        return sorted(found)

    def subject(self, key: str) -> Subject:
        """The node as a decision names it."""
        node = self.nodes[key]
        kind = self._kind(key)
        alike = [key for key in self._of(node.label, kind) if self._ranges[key] == self._ranges[node.key]]
        inner = self._outermost_first(alike).index(key) if node.label == "Subtask" else 0
        return Subject.of(node.label, self.spans(key), kind, inner)

    def find(self, subject: Subject) -> str | None:
        """The node that most of the subject's steps belong to now; None where that is no node, or no step is left."""
        votes: Counter[str] = Counter()
        living = 0.0
        for share in map(Counter, self._votes(subject)):
            living += 1
            votes += share
        if not votes:
            return None
        best = max(votes.values())
        tied = [key for key, count in votes.items() if count >= best - 1e-9]
        if best * 2 <= living:
            return None
        closest = min(self._distance(subject, key) for key in tied)
        alike = self._outermost_first([key for key in tied if self._distance(subject, key) == closest])
        return alike[min(subject.inner, len(alike) - 1)]

    def _votes(self, subject: Subject) -> Iterator[dict[str, float]]:
        """For each span that is still there: how much of it belongs to which node."""
        for first, last in subject.spans:
            if subject.label == "Subtask":
                start, end = self._places.get(first), self._places.get(last)
                if start is not None and end is not None and start[0] == end[0]:
                    yield self._overlaps(subject, start[0], start[1], end[1])
            elif first in self._owners[subject.label]:
                yield dict.fromkeys(self._owners[subject.label][first], 1.0)

    def _overlaps(self, subject: Subject, run: str, first: int, last: int) -> dict[str, float]:
        """Steps in both ranges over steps in either, for the best use of each node in one recording."""
        found: dict[str, float] = {}
        for key, start, end in self._uses[run]:
            if self._kind(key) == subject.kind:
                both = min(last, end) - max(first, start) + 1
                share = max(both, 0) / (max(last, end) - min(first, start) + 1)
                found[key] = max(share, found.get(key, 0.0))
        return found

    def _distance(self, subject: Subject, key: str) -> int:
        """How many more spans a node has than the subject: of two nodes that hold all its steps the smaller is meant."""
        return abs(len(self.spans(key)) - len(subject.spans))

    def _outermost_first(self, keys: list[str]) -> list[str]:
        within = {key: sum(key in self._below(other) for other in keys if other != key) for key in keys}
        return sorted(keys, key=lambda key: (within[key], key))

    def _below(self, key: str) -> set[str]:
        seen: set[str] = set()
        waiting = [key]
        while waiting:
            new = self._called[waiting.pop()] - seen
            seen |= new
            waiting += new
        return seen

    def _of(self, label: str, kind: str) -> list[str]:
        return [n.key for n in self.nodes.values() if n.label == label and self._kind(n.key) == kind]

    def _kind(self, key: str) -> str:
        """A subtask's kind. A site's subtask that no task comes down to is a draft, and never meant where another is."""
        node = self.nodes[key]
        kind = str(node.properties.get("kind") or "")
        lone = node.label == "Subtask" and node.properties["site"] and key not in self._wanted
        return f"draft {kind}" if lone else kind

    @cached_property
    def _owners(self) -> dict[str, dict[str, list[str]]]:
        """Step -> nodes, for actions and for tasks."""
        found: dict[str, dict[str, list[str]]] = {"Action": defaultdict(list), "Task": defaultdict(list)}
        for label, owners in found.items():
            for key in [node.key for node in self.nodes.values() if node.label == label]:
                for first, _ in self.spans(key):
                    owners[first].append(key)
        return found

    @cached_property
    def _uses(self) -> dict[str, list[tuple[str, int, int]]]:
        found: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
        for key, ranges in self._ranges.items():
            for run, first, last in ranges:
                found[run].append((key, first, last))
        return found

    @cached_property
    def _places(self) -> dict[str, tuple[str, int]]:
        """Step key -> recording and index, of every recording that something uses."""
        return {
            step_key(run, index): (run, index)
            for run, uses in self._uses.items()
            for index in range(max(last for _, _, last in uses) + 1)
        }
