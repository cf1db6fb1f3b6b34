"""Pieces: the cheapest way to explain every clause of an instruction, in order, by tasks and subtasks that are known.

The instruction's clauses are the stations of a small graph. An edge from station i to j is a task or subtask that answers
clauses i to j, and costs what its score lacks, weighed by how much those clauses say; an edge may also leave one clause
unexplained, at the full price. A new piece and a change of site cost a little, so that one workflow that covers all is
taken before two, and a site is not left without a reason. The cheapest path from the first station to the last is the plan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx

from graphmem_agents.instruction import Clause
from graphmem_agents.score import Scored

#: At most this many clauses are answered by one piece.
SPAN = 4
#: Candidates kept for each span.
_KEPT = 5
_PIECE = 0.25
_OTHER_SITE = 0.15
#: A Subtask is part of some task: a Task that fits as well says more about what is wanted.
_SUBTASK = 0.1


@dataclass(frozen=True)
class Span:
    """Clauses ``first`` to ``last`` (exclusive) as one text."""

    first: int
    last: int
    text: str


@dataclass(frozen=True)
class Piece:
    """A part of the plan: the clauses it answers and what answers them; ``scored`` None leaves them unexplained."""

    span: Span
    scored: Scored | None


def spans(instruction: str, clauses: Sequence[Clause]) -> list[Span]:
    """Every run of up to ``SPAN`` clauses as one text: as it stands in the instruction where the clauses follow each other
    there, else joined in the order of doing."""
    found = []
    for first in range(len(clauses)):
        for last in range(first + 1, min(first + SPAN, len(clauses)) + 1):
            found.append(Span(first, last, _text(instruction, clauses[first:last])))
    if len(clauses) > SPAN:
        found.append(Span(0, len(clauses), _text(instruction, clauses)))
    return found


def _text(instruction: str, run: Sequence[Clause]) -> str:
    if all(a.end <= b.start for a, b in pairwise(run)):
        return instruction[run[0].start : run[-1].end]
    return ", ".join(clause.text for clause in run)


def cheapest(clauses: Sequence[Clause], ranked: Mapping[Span, Sequence[Scored]], threshold: float) -> tuple[Piece, ...]:
    """The pieces of the cheapest path, in order. Only candidates at or over ``threshold`` take part."""
    weights = [sum(token.weight for token in clause.tokens) for clause in clauses]
    graph = nx.DiGraph()
    start, goal = (0, ""), "goal"
    graph.add_node(start)
    sites = sorted({s.known.site for found in ranked.values() for s in found if s.score >= threshold})
    stations = [(i, site) for i in range(len(clauses)) for site in (["", *sites] if i else [""])]
    for i, site in stations:
        skipped = Span(i, i + 1, clauses[i].text)
        _edge(graph, (i, site), (i + 1, site), weights[i], Piece(skipped, None))
        for span, found in ranked.items():
            if span.first != i:
                continue
            for scored in [s for s in found if s.score >= threshold][:_KEPT]:
                cost = _cost(scored, sum(weights[span.first : span.last]))
                cost += _OTHER_SITE if site and scored.known.site and scored.known.site != site else 0.0
                _edge(graph, (i, site), (span.last, scored.known.site or site), cost, Piece(span, scored))
    for site in ["", *sites]:
        graph.add_edge((len(clauses), site), goal, cost=0.0, piece=None)
    path = nx.shortest_path(graph, start, goal, weight="cost")
    pieces = [graph.edges[a, b]["piece"] for a, b in pairwise(path)]
    return tuple(piece for piece in pieces if piece is not None)


def _cost(scored: Scored, weight: float) -> float:
    """What a piece costs: what its score lacks, and what it leaves over, at the same price as a clause left out."""
    lack = 1 - scored.score + (_SUBTASK if scored.known.label == "Subtask" else 0.0)
    return weight * (lack + 1 - scored.alignment.covered) + _PIECE


def _edge(graph: nx.DiGraph, a: object, b: object, cost: float, piece: Piece) -> None:
    if not graph.has_edge(a, b) or cost < graph.edges[a, b]["cost"]:
        graph.add_edge(a, b, cost=cost, piece=piece)
