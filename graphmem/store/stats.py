"""Counts of what a store holds, by the names that ``graphmem stats --json`` promises."""

from __future__ import annotations

from typing import Any

from graphmem.model.graph import SCHEMA
from graphmem.store.protocol import Store
from graphmem_queries import load

#: The name in the document -> the label.
COUNTED = {
    "domains": "Domain",
    "sites": "Site",
    "tasks": "Task",
    "subtasks": "Subtask",
    "actions": "Action",
    "pages": "Page",
    "trajectories": "Trajectory",
    "steps": "Step",
    "judgements": "Judgement",
    "experiences": "Experience",
    "decisions": "Decision",
    "revisions": "Revision",
}


def stats(store: Store) -> dict[str, Any]:
    """``graphmem.stats/1``: nodes by label, and relationships by every type of the schema, zeros included."""
    nodes = {row["label"]: row["n"] for row in store.read(load("read/count_nodes"))}
    found = {row["type"]: row["n"] for row in store.read(load("read/count_relationships"))}
    types = sorted({kind[1] for kind in SCHEMA})
    return {
        "schema": "graphmem.stats/1",
        **{name: nodes.get(label, 0) for name, label in COUNTED.items()},
        "relationships": {type_: found.get(type_, 0) for type_ in types},
    }
