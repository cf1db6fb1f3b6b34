"""What a store is: six methods. Everything that graphmem keeps goes through them, in Cypher from ``graphmem_queries``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from graphmem_queries import Query

Row = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class Table:
    """Rows of a console query: ``truncated`` says that the limit cut them off."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    truncated: bool = False


class Transaction(Protocol):
    """One unit of work: all of it is written, or nothing."""

    def run(self, query: Query, /, **parameters: Any) -> list[Row]:
        """Run a statement and fetch all its rows."""
        ...


class Store(Protocol):
    """A property graph that speaks Cypher. Opening one brings its schema up to date; reading never does."""

    @property
    def url(self) -> str:
        """How it was asked for, without any password."""
        ...

    def read(self, query: Query, /, **parameters: Any) -> list[Row]:
        """Run one of our own statements in a read transaction."""
        ...

    def write(self, work: Callable[[Transaction], T], /) -> T:
        """Run ``work`` in one transaction and commit it. ``work`` may run again after a transient error, so it must have
        no other effect. StoreConflict when it still does not go through."""
        ...

    def console(
        self, statement: str, parameters: Mapping[str, Any], /, *, limit: int = 1000, seconds: float = 30.0
    ) -> Table:
        """Run a user's statement, read-only as the engine enforces it. ``limit`` 0 is all rows. ReadOnlyRefused."""
        ...

    def vectors(self, label: str, dimension: int, /) -> None:
        """Make the vector index ``{label}_embedding`` over ``embedding`` of nodes of ``label`` (cosine), if absent."""
        ...

    def release(self) -> None:
        """Let other processes have their turn now: a hint, between two units of work of a long job."""
        ...

    def close(self) -> None: ...
