"""Runs of one task that did not all do the same: which of them are one way, and what that way is.

Around the run that is most like the others, the nearest first, every run is laid beside what the ones before have in common
(progressive alignment, as partial-order alignment of sequences does: Lee, Grasso & Sharlow 2002). A place that all runs have
is a step of the way; one that some have is worth an ``optional`` where its name, told once, and a yes or no for each run are
shorter than telling it in every run that has it; whatever else a run did is its own (residual).

Nodes are compared by content; runs are taken by likeness, then content, never by arrival.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import TypeAlias

from graphmem_induction.program import Proto, Routine

Node: TypeAlias = "Proto | Routine"
Shape: TypeAlias = "tuple[Node, ...]"

#: Runs are one way where they have this share of their steps in common (F1).
LIKENESS = 0.4
#: What it takes to name a step, in bits: one of some hundred that a site knows.
NAME_BITS = 8.0
#: Of more shapes than this the commonest are looked at for the middle one.
_SHAPES = 48


@dataclass(frozen=True)
class Column:
    """One place of an alignment: the node there, and which beat of each shape that has it."""

    node: Node
    at: Mapping[Shape, int]


def order(shape: Shape) -> tuple[str, ...]:
    return tuple(node.order for node in shape)


def likeness(one: Sequence[int], other: Sequence[int]) -> float:
    """F1 of two sequences by their longest common subsequence."""
    return 2 * common(one, other) / max(len(one) + len(other), 1)


def common(one: Sequence[int], other: Sequence[int]) -> int:
    """The length of the longest common subsequence, all of ``one`` at a time in the bits of a number (Hyyro 2004)."""
    places: dict[int, int] = {}
    for n, symbol in enumerate(one):
        places[symbol] = places.get(symbol, 0) | 1 << n
    every = (1 << len(one)) - 1
    unmatched = every
    for symbol in other:
        found = unmatched & places.get(symbol, 0)
        unmatched = ((unmatched + found) | (unmatched - found)) & every
    return len(one) - unmatched.bit_count()


def numbered(shapes: Sequence[Sequence[Node]]) -> list[tuple[int, ...]]:
    """The shapes with a number for each node, since nodes are slow to compare."""
    numbers: dict[Node, int] = {}
    return [tuple(numbers.setdefault(node, len(numbers)) for node in shape) for shape in shapes]


def matched(first: Sequence[Node], second: Sequence[Node]) -> list[tuple[int, int]]:
    """Positions of a longest common subsequence in both; of equals the leftmost in ``first``."""
    one, other = numbered([first, second])
    rest = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for a in range(len(one) - 1, -1, -1):
        for b in range(len(other) - 1, -1, -1):
            same = one[a] == other[b]
            rest[a][b] = rest[a + 1][b + 1] + 1 if same else max(rest[a + 1][b], rest[a][b + 1])
    pairs, a, b = [], 0, 0
    while a < len(one) and b < len(other):
        if one[a] == other[b]:
            pairs.append((a, b))
            a, b = a + 1, b + 1
        elif rest[a + 1][b] > rest[a][b + 1]:
            a += 1
        else:
            b += 1
    return pairs


def clusters(counts: Mapping[Shape, int]) -> list[list[Shape]]:
    """Shapes that are one way, each group with its middle first and the rest by likeness to it."""
    left = sorted(counts, key=lambda shape: (-counts[shape], order(shape)))
    numbers = dict(zip(left, numbered(left), strict=True))
    orders = {shape: n for n, shape in enumerate(left)}
    found = []
    while left:
        middle = _middle(left[:_SHAPES], counts, numbers)
        near = {shape: likeness(numbers[middle], numbers[shape]) for shape in left}
        group = [shape for shape in left if shape == middle or near[shape] >= LIKENESS]
        found.append(sorted(group, key=lambda shape: (shape != middle, -near[shape], orders[shape])))
        gone = set(group)
        left = [shape for shape in left if shape not in gone]
    return found


def _middle(shapes: Sequence[Shape], counts: Mapping[Shape, int], numbers: Mapping[Shape, tuple[int, ...]]) -> Shape:
    """The shape most like the others; of equals the first."""
    own = [(numbers[shape], counts[shape]) for shape in shapes]
    central = [round(sum(count * likeness(one, other) for other, count in own), 9) for one, _ in own]
    return shapes[central.index(max(central))]


def columns(group: Sequence[Shape]) -> list[Column]:
    """All that the shapes did, in one order: each laid beside the ones before it."""
    found = [Column(node, {group[0]: n}) for n, node in enumerate(group[0])]
    for shape in group[1:]:
        pairs = matched([column.node for column in found], shape)
        found = _joined(found, shape, pairs)
    return found


def _joined(before: Sequence[Column], shape: Shape, pairs: Sequence[tuple[int, int]]) -> list[Column]:
    done: list[Column] = []
    a = b = 0
    for at, n in [*pairs, (len(before), len(shape))]:
        done += before[a:at]
        done += [Column(shape[k], {shape: k}) for k in range(b, n)]
        if at < len(before):
            done.append(Column(before[at].node, {**before[at].at, shape: n}))
        a, b = at + 1, n + 1
    return done


def kept(found: Sequence[Column], counts: Mapping[Shape, int], bits: float = NAME_BITS) -> list[Column]:
    """The columns that pay for themselves as a part of the way."""
    runs = sum(counts[shape] for shape in {shape for column in found for shape in column.at})
    return [column for column in found if _pays(sum(counts[shape] for shape in column.at), runs, bits)]


def _pays(have: int, runs: int, bits: float) -> bool:
    """Whether one name and a yes or no a run are shorter than the name in every run that has the step."""
    if have == runs:
        return True
    share = have / runs
    flags = -runs * (share * log2(share) + (1 - share) * log2(1 - share))
    return bits + flags < have * bits
