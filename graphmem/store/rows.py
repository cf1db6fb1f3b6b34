"""Nodes and relationships as rows: one statement for each label and each kind of relationship, in batches.

Cypher takes no label as a parameter, so ``write/`` has one file for each. Rows go sorted by key: two writers that merge
keys in opposite order deadlock on Neo4j. Relationships are merged rather than created, which costs nothing where the
start has few of them, as in every row of ``SCHEMA``, and stays right when the same work is done twice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from graphmem.errors import StoreError
from graphmem.model.graph import Node, Relationship
from graphmem.store.migrations import now
from graphmem.store.protocol import Row, Transaction
from graphmem_queries import load

#: Rows a statement. Both stores are as quick with 2,000 as with 5,000, and hold less in memory.
BATCH = 2000

#: Longest ``name``: it is indexed for text, and Neo4j fails an index over long values.
NAME = 200

#: Set by the writer and no part of what a graph is.
UNLAWFUL = frozenset({"created", "updated", "learned", "embedding"})


def put(tx: Transaction, nodes: Iterable[Node]) -> None:
    """Make or update nodes; their ends must be there before relationships are linked."""
    for label, rows in _grouped((n.label, {"key": n.key, "properties": dict(n.properties)}) for n in nodes):
        for batch in batches(sorted(rows, key=lambda row: str(row["key"]))):
            tx.run(load(f"write/put_{label.lower()}"), rows=batch, now=now())


def remove(tx: Transaction, nodes: Iterable[Node]) -> None:
    """Remove nodes with all their relationships."""
    for label, rows in _grouped((n.label, {"key": n.key}) for n in nodes):
        for batch in batches(sorted(rows, key=lambda row: str(row["key"]))):
            tx.run(load(f"write/remove_{label.lower()}"), rows=batch)


def link(tx: Transaction, relationships: Iterable[Relationship]) -> None:
    """Make or update relationships. StoreError when a start or end is not there: Cypher would pass over it in silence."""
    for kind, batch in _relations(relationships):
        linked = tx.run(load(f"write/link_{stem(kind)}"), rows=batch)[0]["linked"]
        if linked != len(batch):
            raise StoreError(
                f"{len(batch) - linked} of {len(batch)} {kind[1]} relationships have no {kind[0]} or no {kind[2]} to join.",
                hint="Nothing was written. Run graphmem verify.",
            )


def unlink(tx: Transaction, relationships: Iterable[Relationship]) -> None:
    """Remove relationships, found by their ends and discriminators."""
    for kind, batch in _relations(relationships):
        tx.run(load(f"write/unlink_{stem(kind)}"), rows=batch)


def stem(kind: tuple[str, str, str]) -> str:
    """The end of the file name for a row of ``SCHEMA``: ``trajectory_has_step_step``."""
    return "_".join(kind).lower()


def batches(rows: Sequence[Any], size: int = BATCH) -> Iterator[Sequence[Any]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


def short(name: str) -> str:
    """A ``name`` as it is stored: one line of at most ``NAME`` characters."""
    line = " ".join(name.split())
    return line if len(line) <= NAME else line[: NAME - 1] + "…"


def lawful(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The properties that a graph is compared by: no times, no nulls, tuples as lists, ``name`` as stored."""
    kept: dict[str, Any] = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in properties.items()
        if value is not None and name != "key" and name not in UNLAWFUL
    }
    return kept | {"name": short(kept["name"])} if "name" in kept else kept


def _relations(relationships: Iterable[Relationship]) -> Iterator[tuple[tuple[str, str, str], Sequence[Row]]]:
    """Batches of rows by kind, sorted."""
    for kind, group in _grouped((r.kind, r) for r in relationships):
        found = [
            {"start": r.start, "end": r.end, "properties": dict(r.properties)}
            for r in sorted(group, key=lambda r: tuple(str(part) for part in r.identity[1:]))
        ]
        for batch in batches(found):
            yield kind, batch


def _grouped(pairs: Iterable[tuple[Any, Any]]) -> list[tuple[Any, list[Any]]]:
    """Values by group, groups sorted, so that every writer takes its locks in one order."""
    groups: dict[Any, list[Any]] = defaultdict(list)
    for group, value in pairs:
        groups[group].append(value)
    return sorted(groups.items(), key=lambda item: item[0])
