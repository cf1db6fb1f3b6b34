"""Numbered migrations: what the schema is, and how a store that is behind catches up.

A migration is a list of statements of ``queries/schema``, each of which may run again (``IF NOT EXISTS``), because
neither engine can put a change of schema and a change of data into one transaction: the number is recorded, on the node
``(:Meta {key: "store"})``, once all have run. Only writing migrates. Reading asks for the number alone, so a store that
is empty can be read and stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol, TypeVar

from graphmem.errors import StoreError, StoreMismatch
from graphmem.model.graph import LABELS
from graphmem.store.protocol import Row, Transaction
from graphmem_queries import Query, load

T = TypeVar("T")


@dataclass(frozen=True)
class Migration:
    """Step ``number`` of the schema: the names of its statements, in the order in which they run."""

    number: int
    purpose: str
    statements: tuple[str, ...]


_SEARCHED = ("task", "subtask", "action")
_OF_A_SITE = ("task", "subtask", "action", "page", "trajectory", "step")

MIGRATIONS = (
    Migration(
        1,
        "unique keys, look-up by site, full-text search",
        (
            *(f"schema/key_{label.lower()}" for label in (*LABELS, "Meta")),
            *(f"schema/site_{label}" for label in _OF_A_SITE),
            "schema/name_site",
            *(f"schema/text_{label}" for label in _SEARCHED),
            "schema/wait",
        ),
    ),
)
LATEST = MIGRATIONS[-1].number


@dataclass(frozen=True)
class Version:
    """What a store says of itself: ``schema`` 0 is one that has nothing yet; ``dimension`` that of its vectors."""

    schema: int
    dimension: int | None = None


class Backend(Protocol):
    """What a migration needs of a store, below the checks that the store itself makes."""

    def read(self, query: Query, /, **parameters: Any) -> list[Row]: ...

    def define(self, query: Query, /, **parameters: Any) -> None:
        """Run one statement that changes the schema."""
        ...

    def write(self, work: Callable[[Transaction], T], /) -> T: ...


def version(backend: Backend, name: str) -> Version:
    """What the store called ``name`` says of itself. StoreMismatch when it is newer than this code, or not ours."""
    known = _recorded(backend)
    if known is None:
        foreign = backend.read(load("schema/foreign"))
        # Another process may have made the store between the two looks.
        known = _recorded(backend)
        if known is None and foreign:
            raise _not_ours(name, foreign[0]["labels"])
    known = known or Version(0)
    if known.schema > LATEST:
        raise StoreMismatch(
            f"{name} was written by a newer graphmem (schema {known.schema}; this one knows {LATEST}).",
            hint="Upgrade: pip install -U graphmem",
        )
    return known


def migrate(backend: Backend, name: str) -> Version:
    """Bring the store up to date and say what it is now. StoreMismatch as for ``version``."""
    known = version(backend, name)
    for migration in MIGRATIONS:
        if migration.number > known.schema:
            for statement in migration.statements:
                backend.define(load(statement))
            _record(backend, migration.number)
            known = Version(migration.number, known.dimension)
    return known


def now() -> str:
    """The time for ``created`` and ``updated``: ISO 8601, UTC, whole seconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _recorded(backend: Backend) -> Version | None:
    rows = backend.read(load("schema/version"))
    return Version(rows[0]["schema"] or 0, rows[0]["dimension"]) if rows else None


def _record(backend: Backend, number: int) -> None:
    def work(tx: Transaction) -> None:
        tx.run(load("schema/record"), schema=number, now=now())

    backend.write(work)


def _not_ours(name: str, labels: list[str]) -> StoreMismatch:
    seen = ":".join(labels) or "without a label"
    return StoreMismatch(
        f"{name} holds nodes that graphmem did not make (for one, {seen}).",
        hint="Give graphmem a database of its own (NEO4J_DATABASE), or an empty one.",
    )


def vectors(backend: Backend, label: str, dimension: int) -> Version:
    """Make the vector index of ``label``. All vectors of a store have one dimension: StoreMismatch for another."""
    known = _recorded(backend) or Version(LATEST)
    if known.dimension not in (None, dimension):
        raise StoreMismatch(
            f"This store keeps vectors of {known.dimension} numbers, not {dimension}.",
            hint="Use the embedder that it was made with.",
        )

    def work(tx: Transaction) -> None:
        tx.run(load("schema/dimension"), dimension=dimension, now=now())

    backend.define(load(f"schema/vector_{label.lower()}"), dimension=dimension)
    backend.define(load("schema/wait"))
    backend.write(work)
    return Version(known.schema, dimension)


def check_dimension(backend: Backend, known: Version | None, length: int) -> None:
    """Refuse a vector of ``length`` numbers where the store has another: Neo4j would keep it, and never find it."""
    if known is None or known.dimension != length:
        known = _recorded(backend)
    wanted = known.dimension if known else None
    if wanted != length:
        raise StoreError(
            f"A vector has {length} numbers, where this store wants {wanted or 'none yet'}.",
            hint="Choose the embedder first, and use that one.",
        )
