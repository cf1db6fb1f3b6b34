"""The neutral DOM node that the element model reads, and the tree that answers questions about where a node stands.

A recorded state, a parsed fragment and a live page all become this one value first. Text that is mixed with elements
stands in children with the tag ``#text``; whitespace in it is the page's own, since inline elements join without any.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from graphmem.model.target import Pairs

TEXT = "#text"


@dataclass(frozen=True)
class Box:
    """Where a node is drawn, in CSS pixels from the page's left and top."""

    left: float
    top: float
    width: float
    height: float

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x <= self.left + self.width and self.top <= y <= self.top + self.height


@dataclass(frozen=True, eq=False)
class Node:
    """One node; two nodes are equal only when they are the same one, since a page may hold many that look alike.

    ``tag`` is lower case, ``attributes`` are sorted pairs, ``text`` comes before the children. ``value`` is what stands in
    a field now (not its attribute), None for what is no field. ``state`` holds words out of checked, focused, disabled,
    selected, expanded, hidden. ``cursor`` is the computed CSS cursor. ``ref`` is whatever the source calls the node.
    """

    tag: str
    attributes: Pairs = ()
    text: str = ""
    children: tuple[Node, ...] = ()
    box: Box | None = None
    value: str | None = None
    state: frozenset[str] = frozenset()
    cursor: str = ""
    ref: str = ""

    def get(self, name: str) -> str:
        return self._given.get(name, "")

    def has(self, name: str) -> bool:
        return name in self._given

    @property
    def is_text(self) -> bool:
        return self.tag == TEXT

    @cached_property
    def _given(self) -> dict[str, str]:
        return dict(self.attributes)

    @cached_property
    def classes(self) -> tuple[str, ...]:
        return tuple(self.get("class").split())


@dataclass
class Tree:
    """A page: its nodes in document order, who holds whom, and which are hidden.

    ``memo`` keeps what was worked out about nodes, by kind of question: a page is asked about every one of its elements.
    """

    root: Node
    nodes: tuple[Node, ...] = field(init=False)
    hidden: frozenset[Node] = field(init=False)
    memo: dict[tuple[str, Node], Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self._parents: dict[Node, Node] = {}
        self._order: dict[Node, int] = {}
        self._ends: dict[Node, int] = {}
        self.hidden = frozenset(self._walk())
        self.nodes = tuple(self._order)

    def _walk(self) -> Iterator[Node]:
        """Number the nodes; yields the hidden ones. Without recursion: a page may be nested deeper than Python's stack."""
        open_nodes: list[tuple[Node, Iterator[Node], bool]] = []
        pending: Node | None = self.root
        while pending is not None or open_nodes:
            if pending is not None:
                is_hidden = (bool(open_nodes) and open_nodes[-1][2]) or _hides(pending)
                if open_nodes:
                    self._parents[pending] = open_nodes[-1][0]
                self._order[pending] = len(self._order)
                if is_hidden:
                    yield pending
                open_nodes.append((pending, iter(pending.children), is_hidden))
            pending = next(open_nodes[-1][1], None)
            if pending is None:
                self._ends[open_nodes.pop()[0]] = len(self._order)

    def parent(self, node: Node) -> Node | None:
        return self._parents.get(node)

    def ancestors(self, node: Node) -> Iterator[Node]:
        """What holds ``node``, the nearest first."""
        while (outer := self._parents.get(node)) is not None:
            yield outer
            node = outer

    def inside(self, node: Node) -> tuple[Node, ...]:
        """What ``node`` holds, however deep, in document order."""
        return self.nodes[self._order[node] + 1 : self._ends[node]]

    def index(self, node: Node) -> int:
        return self._order[node]

    def holds(self, outer: Node, inner: Node) -> bool:
        return self._order[outer] <= self._order[inner] < self._ends[outer]

    def siblings(self, node: Node) -> tuple[Node, ...]:
        """The children of its parent, itself among them."""
        parent = self._parents.get(node)
        return parent.children if parent else (node,)

    def before(self, node: Node) -> Iterator[Node]:
        """The siblings before ``node``, the nearest first."""
        siblings = self.siblings(node)
        yield from reversed(siblings[: siblings.index(node)])

    def after(self, node: Node) -> Iterator[Node]:
        siblings = self.siblings(node)
        yield from siblings[siblings.index(node) + 1 :]

    @cached_property
    def by_id(self) -> dict[str, Node]:
        """The first node of each id."""
        return {node.get("id"): node for node in reversed(self.nodes) if node.get("id")}

    @cached_property
    def label_for(self) -> dict[str, list[Node]]:
        """The ``label`` elements that name a field by its id."""
        found: dict[str, list[Node]] = {}
        for node in self.nodes:
            if node.tag == "label" and node.get("for"):
                found.setdefault(node.get("for"), []).append(node)
        return found


def _hides(node: Node) -> bool:
    if "hidden" in node.state or node.tag in ("script", "style", "template", "head", "noscript"):
        return True
    if node.get("aria-hidden") == "true" or (node.tag == "input" and node.get("type") == "hidden"):
        return True
    return node.has("hidden") and node.get("hidden") != "until-found"
