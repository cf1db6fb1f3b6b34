"""The Neo4j store: the official driver, one database, version 5.26 or later.

Transactions are the driver's ``execute_read`` and ``execute_write``, which run the work again after a transient error (a
deadlock, a leader that moved). Connecting is tried once, on first use, so that an unreachable server is known at once
and not after the retries. User and password come from the environment or the URL, go to the driver, and nowhere else.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit, urlunsplit

import neo4j
from neo4j import exceptions as failures

from graphmem.errors import ReadOnlyRefused, StoreConflict, StoreError, StoreUnavailable, UsageError
from graphmem.store import console, migrations
from graphmem.store.parameters import check
from graphmem.store.protocol import Row, Table, Transaction
from graphmem_queries import Query

T = TypeVar("T")

_DIALECT = "neo4j"


def open_neo4j(url: str, *, wait: float = 30.0, environ: Mapping[str, str] = os.environ) -> Neo4jStore:
    """The store at ``url`` (``neo4j://``, ``bolt://``, with ``+s`` or ``+ssc``), with NEO4J_USER, NEO4J_PASSWORD and
    NEO4J_DATABASE. Nothing is reached before first use; ``wait`` bounds the retries."""
    address, user, password = _split(url)
    user = user or environ.get("NEO4J_USER") or environ.get("NEO4J_USERNAME") or ""
    password = password or environ.get("NEO4J_PASSWORD") or ""
    # Without any handler, Python prints the driver's "will be retried" on the terminal.
    logging.getLogger("neo4j").addHandler(logging.NullHandler())
    auth = (user or "neo4j", password) if user or password else None
    try:
        driver = neo4j.GraphDatabase.driver(
            address,
            auth=auth,
            notifications_min_severity="OFF",
            max_transaction_retry_time=wait,
            initial_retry_delay=0.05,  # a deadlock is over at once; the driver's own second is for a leader that moves
            connection_acquisition_timeout=max(wait, 1.0),
            user_agent="graphmem",
        )
    except (ValueError, failures.ConfigurationError) as error:
        raise UsageError(f"{address} is no address of a Neo4j server: {error}") from None
    return Neo4jStore(address, driver, environ.get("NEO4J_DATABASE") or None)


class Neo4jStore:
    """A ``Store`` on one database of a server. Threads may share it."""

    def __init__(self, url: str, driver: neo4j.Driver, database: str | None) -> None:
        self._url = url
        self._driver = driver
        self._database = database
        self._guard = threading.RLock()
        self._busy = threading.local()
        self._closed = False
        self._version: migrations.Version | None = None

    @property
    def url(self) -> str:
        return self._url

    def read(self, query: Query, /, **values: Any) -> list[Row]:
        check(values, writing=False)
        self._prepare(writing=False)
        return self._backend().read(query, **values)

    def write(self, work: Callable[[Transaction], T], /) -> T:
        if getattr(self._busy, "writing", False):  # two transactions of one thread would wait for each other's locks
            raise UsageError("A write was begun inside another write.")
        self._prepare(writing=True)
        self._busy.writing = True
        try:
            return self._backend().write(work)
        finally:
            self._busy.writing = False

    def console(
        self, statement: str, parameters: Mapping[str, Any], /, *, limit: int = 1000, seconds: float = 30.0
    ) -> Table:
        checked = console.check(statement, parameters)
        check(parameters, writing=False)
        self._prepare(writing=False)
        return self._backend().console(checked, parameters, limit, seconds)

    def vectors(self, label: str, dimension: int, /) -> None:
        self._prepare(writing=True)
        self._version = migrations.vectors(self._backend(), label, dimension)

    def release(self) -> None:
        """A server has room for everybody."""

    def close(self) -> None:
        self._closed = True
        self._driver.close()

    def _backend(self) -> _Backend:
        return _Backend(self._driver, self._database, self._url, lambda: self._version)

    def _prepare(self, *, writing: bool) -> None:
        """Reach the server and look at the schema once, and bring it up to date before the first write."""
        if self._closed:
            raise UsageError(f"The store {self._url} has been closed.")
        if self._version and (self._version.schema == migrations.LATEST or not writing):
            return
        with self._guard:
            if self._version is None:
                with translated(self._url):
                    self._driver.verify_connectivity()
                self._version = migrations.version(self._backend(), self._url)
            if writing and self._version.schema < migrations.LATEST:
                self._version = migrations.migrate(self._backend(), self._url)


class _Backend:
    """Transactions on the database, below the checks of the schema."""

    def __init__(
        self, driver: neo4j.Driver, database: str | None, url: str, known: Callable[[], migrations.Version | None]
    ) -> None:
        self._driver = driver
        self._database = database
        self._url = url
        self._known = known

    def read(self, query: Query, /, **values: Any) -> list[Row]:
        text = query.text(_DIALECT)
        with translated(self._url), self._session(neo4j.READ_ACCESS) as session:
            return session.execute_read(lambda tx: _fetch(tx, text, values))

    def define(self, query: Query, /, **values: Any) -> None:
        text = query.text(_DIALECT)
        with translated(self._url), self._session(neo4j.WRITE_ACCESS) as session:
            try:
                session.execute_write(lambda tx: _fetch(tx, text, values))
            except failures.ClientError as error:  # IF NOT EXISTS does not cover one that is just being made
                if not str(error.code).endswith("AlreadyExists"):
                    raise

    def write(self, work: Callable[[Transaction], T], /) -> T:
        def unit(tx: neo4j.ManagedTransaction) -> T:
            return work(_Transaction(tx, self))

        with translated(self._url), self._session(neo4j.WRITE_ACCESS) as session:
            return session.execute_write(unit)

    def console(self, statement: console.Statement, values: Mapping[str, Any], limit: int, seconds: float) -> Table:
        timeout = seconds if seconds > 0 else None
        with (
            translated(self._url, seconds),
            self._session(neo4j.READ_ACCESS) as session,
            session.begin_transaction(timeout=timeout) as tx,
        ):
            return statement.table(tx.run(statement.text, dict(values)), limit, _shown)

    def check_dimension(self, length: int) -> None:
        migrations.check_dimension(self, self._known(), length)

    def _session(self, mode: str) -> neo4j.Session:
        return self._driver.session(database=self._database, default_access_mode=mode)


class _Transaction:
    def __init__(self, tx: neo4j.ManagedTransaction, backend: _Backend) -> None:
        self._tx = tx
        self._backend = backend

    def run(self, query: Query, /, **values: Any) -> list[Row]:
        length = check(values, writing=True)
        if length is not None:
            self._backend.check_dimension(length)
        return _fetch(self._tx, query.text(_DIALECT), values)


def _fetch(tx: neo4j.ManagedTransaction, text: str, values: Mapping[str, Any]) -> list[Row]:
    found = tx.run(text, dict(values))
    return [
        {name: _plain(value) for name, value in zip(record.keys(), record.values(), strict=True)} for record in found
    ]


def _plain(value: Any) -> Any:
    """A node or relationship becomes the map of its properties."""
    if isinstance(value, (neo4j.graph.Node, neo4j.graph.Relationship)):
        return dict(value)
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


def _shown(value: Any) -> Any:
    """Nodes, relationships and paths as the console shows them; other values as they are."""
    if isinstance(value, neo4j.graph.Node):
        return console.node(value.labels, dict(value))
    if isinstance(value, neo4j.graph.Relationship):
        return console.relationship(value.type, dict(value))
    if isinstance(value, neo4j.graph.Path):
        return console.path(map(_shown, value.nodes), map(_shown, value.relationships))
    return value


def _split(url: str) -> tuple[str, str, str]:
    """The URL without user and password, the user, the password."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        if not parts.hostname or parts.port == 0:
            raise ValueError
    except ValueError:
        raise UsageError("The URL of the Neo4j server cannot be read.", hint="Write neo4j://HOST:7687") from None
    return urlunsplit((parts.scheme, host, parts.path, parts.query, parts.fragment)), user, password


@contextmanager
def translated(url: str, seconds: float | None = None) -> Iterator[None]:
    """The driver's errors in our words; ``seconds`` is the limit of a user's statement."""
    try:
        yield
    except (failures.Neo4jError, failures.DriverError) as error:
        raise _translate(error, url, seconds) from error


def _translate(error: Exception, url: str, seconds: float | None) -> StoreError | UsageError:
    said = str((isinstance(error, failures.Neo4jError) and error.message) or error)
    code = str(getattr(error, "code", None) or "")
    match error:
        case failures.AuthError():
            return StoreUnavailable(f"{url} lets nobody in: {said}", hint="Set NEO4J_USER and NEO4J_PASSWORD.")
        case failures.ServiceUnavailable() | failures.SessionExpired() | failures.DatabaseUnavailable():
            return StoreUnavailable(f"{url} cannot be reached: {said}", hint="Is Neo4j running there?")
        case _ if seconds is not None and "TransactionTimedOut" in code:
            return StoreError(f"The statement took longer than {seconds:g} seconds.", hint="Ask for less of the graph.")
        case failures.TransientError():
            return StoreConflict(f"Other writers were first, again and again: {said}", hint="Try again.")
        case failures.ConstraintError():
            return StoreError(f"A node with this key is already there: {said}")
        case _ if "access mode" in said.lower() or code.endswith("Statement.AccessMode"):
            return ReadOnlyRefused("The console only reads.", hint="The other commands of graphmem change the graph.")
        case _ if seconds is not None and ".Statement." in code:
            return UsageError(f"The statement cannot be run: {said}")
    return StoreError(f"Neo4j refused: {said}")
