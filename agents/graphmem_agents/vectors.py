"""Vectors in the store: embeddings of Task, Subtask and Action nodes, of one embedder that the store names.

The settings of the store record the embedder and its dimension, because vectors of two models mean nothing to each other,
and Neo4j takes a vector of a wrong length in silence. Entities are masked in what is embedded, so that meaning decides.
TF-IDF vectors depend on what else is there and are never stored. ``embedding`` is no part of what a graph is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from graphmem.errors import StoreMismatch, UsageError
from graphmem.store.derived import set_settings, settings
from graphmem.store.protocol import Store, Transaction
from graphmem_agents.embed import Embedder
from graphmem_agents.known import Known
from graphmem_agents.words import masked
from graphmem_queries import load

LABELS = ("Task", "Subtask", "Action")
_BATCH = 500
_SETTING = "embedder"


def embed_store(store: Store, embedder: Embedder, *, again: bool = False) -> int:
    """Give every node of ``LABELS`` that has none its embedding; how many were written.

    StoreMismatch when the store's vectors are another embedder's, unless ``again``: then all are made anew. UsageError for an
    embedder whose vectors cannot be stored.
    """
    if embedder.dimension is None:
        raise UsageError(f"Vectors of {embedder.name} are never stored: they depend on what else is compared.")
    ours = {"name": embedder.name, "dimension": embedder.dimension}
    held = _held(store)
    if held not in (None, ours) and not again:
        assert held is not None
        raise _mismatch(held, ours)
    for label in LABELS:
        store.vectors(label, embedder.dimension)
    if held != ours:
        set_settings(store, {**settings(store), _SETTING: ours})
    return sum(_embed_label(store, embedder, label, again=held not in (None, ours)) for label in LABELS)


def stored_vectors(store: Store, embedder: Embedder, candidates: Sequence[Known]) -> dict[str, Sequence[float]]:
    """The embeddings that the store has of ``candidates``, by key; none where they are another embedder's."""
    if embedder.dimension is None:
        return {}
    if _held(store) != {"name": embedder.name, "dimension": embedder.dimension}:
        return {}
    found: dict[str, Sequence[float]] = {}
    for label in sorted({candidate.label for candidate in candidates}):
        keys = [candidate.key for candidate in candidates if candidate.label == label]
        rows = store.read(load(f"read/recall_vectors_{label.lower()}"), keys=keys)
        found |= {row["key"]: row["embedding"] for row in rows}
    return found


def _held(store: Store) -> Mapping[str, Any] | None:
    held: Mapping[str, Any] | None = settings(store).get(_SETTING)
    return held


def _mismatch(held: Mapping[str, Any], ours: Mapping[str, Any]) -> StoreMismatch:
    return StoreMismatch(
        f"The store's vectors are of {held['name']} ({held['dimension']}), not of {ours['name']} ({ours['dimension']}).",
        hint=f"Set GRAPHMEM_EMBEDDER={held['name']}, or embed the store again.",
    )


def _embed_label(store: Store, embedder: Embedder, label: str, *, again: bool) -> int:
    stem = label.lower()
    rows = store.read(load(f"read/recall_texts_{stem}"), all=again)
    for batch in _batches(rows):
        vectors = embedder.embed([masked(row["text"] or row["name"] or "") for row in batch])
        written = [
            {"key": row["key"], "embedding": [float(x) for x in vector]}
            for row, vector in zip(batch, vectors, strict=True)
        ]
        _write(store, stem, written)
        store.release()
    return len(rows)


def _write(store: Store, stem: str, rows: Sequence[Mapping[str, Any]]) -> None:
    def work(tx: Transaction) -> None:
        tx.run(load(f"write/embed_{stem}"), rows=list(rows))

    store.write(work)


def _batches(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(rows), _BATCH):
        yield rows[start : start + _BATCH]
