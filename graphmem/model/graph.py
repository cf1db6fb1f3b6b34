"""The graph as values: nodes, relationships, and the closed schema that both stores keep.

A relationship is one of the rows of ``SCHEMA``; ``discriminators`` are the properties that tell two relationships of one
type between the same two nodes apart (a subtask may call the same action twice, at two indexes).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LABELS = (
    "Domain", "Site", "Page", "Task", "Subtask", "Action", "Trajectory", "Step", "Judgement", "Experience", "Decision",
    "Revision",
)  # fmt: skip

#: (start label, type, end label) -> discriminators.
SCHEMA: Mapping[tuple[str, str, str], tuple[str, ...]] = {
    ("Site", "IN", "Domain"): (),
    ("Task", "ON", "Site"): (),
    ("Subtask", "ON", "Site"): (),
    ("Action", "ON", "Site"): (),
    ("Page", "ON", "Site"): (),
    ("Trajectory", "ON", "Site"): (),
    ("Task", "HAS_WAY", "Subtask"): (),
    ("Subtask", "HAS_SUBTASK", "Subtask"): ("index",),
    ("Subtask", "HAS_ACTION", "Action"): ("index",),
    ("Action", "NEXT", "Action"): (),
    ("Subtask", "SPECIALIZES", "Subtask"): (),
    ("Action", "SPECIALIZES", "Action"): (),
    ("Trajectory", "INSTANCE_OF", "Task"): (),
    ("Trajectory", "HAS_STEP", "Step"): ("index",),
    ("Step", "INSTANCE_OF", "Action"): (),
    ("Trajectory", "USES", "Subtask"): ("first", "last"),
    ("Judgement", "OF", "Trajectory"): (),
    ("Step", "AT", "Page"): (),
    ("Step", "LED_TO", "Page"): (),
    ("Experience", "BEFORE", "Page"): (),
    ("Experience", "OF", "Action"): (),
    ("Experience", "AFTER", "Page"): (),
}


@dataclass(frozen=True)
class Node:
    """A node. ``properties`` hold only what both stores can: text, numbers, booleans, flat lists of one of these."""

    label: str
    key: str
    properties: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Relationship:
    """A relationship from ``start`` to ``end`` (keys); ``kind`` is a row of ``SCHEMA``."""

    kind: tuple[str, str, str]
    start: str
    end: str
    properties: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def identity(self) -> tuple[Any, ...]:
        return (self.kind, self.start, self.end, *(self.properties[name] for name in SCHEMA[self.kind]))


@dataclass(frozen=True)
class Graph:
    """A set of nodes and relationships: what one site derives, or the general layer."""

    nodes: tuple[Node, ...] = ()
    relationships: tuple[Relationship, ...] = ()
