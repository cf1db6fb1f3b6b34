"""The two engines as they are, without graphmem: an empty store at will, and the plain call that writes a batch.

This is what ``benchmarks.ingest`` holds the product's writes against, so nothing of the product's store layer is used here.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol

from tests.support.neo4j_server import Missing, Server, start

#: Rows a statement of the raw bulk write.
BATCH = 5000

Write = Callable[[str, list[dict[str, Any]]], None]


class Place(Protocol):
    """One store to measure on."""

    name: str

    def empty(self) -> AbstractContextManager[str]:
        """The URL of a store with nothing in it, for as long as the block lasts."""
        ...

    def environ(self) -> Mapping[str, str]:
        """What ``open_store`` needs in its environment to open that URL."""
        ...

    def engine(self) -> AbstractContextManager[Write]:
        """The engine's own write call on that store: one statement and its rows, in one transaction."""
        ...


class Embedded:
    """A folder, made and removed for each measurement."""

    name = "embedded"

    def __init__(self, folder: Path) -> None:
        if folder.exists() and any(folder.iterdir()):
            raise SystemExit(f"{folder} is not empty: name a folder that is, or a new one.")
        self._folder = folder

    @contextmanager
    def empty(self) -> Iterator[str]:
        try:
            yield str(self._folder)
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)

    def environ(self) -> Mapping[str, str]:
        return {}

    @contextmanager
    def engine(self) -> Iterator[Write]:
        import arcadedb

        database = arcadedb.open_database(str(self._folder / "graph"))
        # As durable as the product's own writes, so that the two do the same work.
        database.set_wal_flush("yes_nometadata")

        def write(statement: str, rows: list[dict[str, Any]]) -> None:
            database.begin()
            database.command("opencypher", statement, {"rows": rows})
            database.commit()

        try:
            yield write
        finally:
            database.close()


class Neo4j:
    """A database that was empty when we came, emptied again after each measurement."""

    name = "neo4j"

    def __init__(self, server: Server) -> None:
        self._server = server
        if server.run("MATCH (n) RETURN n.key AS key LIMIT 1"):
            raise SystemExit(f"The database at {server.url} is not empty: name one that is.")

    @contextmanager
    def empty(self) -> Iterator[str]:
        try:
            yield self._server.url
        finally:
            self._server.wipe()

    def environ(self) -> Mapping[str, str]:
        return self._server.environ()

    @contextmanager
    def engine(self) -> Iterator[Write]:
        with self._server.driver() as driver, driver.session() as session:

            def write(statement: str, rows: list[dict[str, Any]]) -> None:
                session.execute_write(lambda tx: tx.run(statement, rows=rows).consume())

            yield write


def places(store: str | None, folder: Path, stack: ExitStack, say: Callable[[str], None]) -> list[Place]:
    """The store that is named; else both, with a Neo4j started for as long as ``stack`` is open."""
    if store and "://" not in store:
        return [Embedded(Path(store))]
    if store:
        return [Neo4j(Server(store, _login(os.environ)))]
    found: list[Place] = [Embedded(folder / "store")]
    try:
        server = start({})
    except Missing as missing:
        say(f"NOT MEASURED ON NEO4J: {missing}")
        return found
    stack.callback(server.stop)
    return [*found, Neo4j(server)]


def _login(environ: Mapping[str, str]) -> tuple[str, str] | None:
    password = environ.get("NEO4J_PASSWORD")
    return (environ.get("NEO4J_USER", "neo4j"), password) if password else None
