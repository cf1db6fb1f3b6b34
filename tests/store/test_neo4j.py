"""What only Neo4j has: a server that may be away, and a password that must not be seen."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from support import neo4j_server
from support.cypher import COUNT, PUT, rows

from graphmem.errors import StoreError, StoreUnavailable, UsageError
from graphmem.store import open_store

pytestmark = pytest.mark.neo4j
WORD = "s3cret/of:the@test"


@pytest.fixture(scope="module")
def guarded() -> Iterator[neo4j_server.Server]:
    """A server that asks for a password."""
    try:
        server = neo4j_server.start(password=WORD)
    except neo4j_server.Missing as lack:
        from conftest import missing

        missing(str(lack))
        raise
    yield server
    server.stop()


def test_user_and_password_come_from_the_environment(guarded: neo4j_server.Server) -> None:
    environ = {"NEO4J_URI": guarded.url, "NEO4J_USER": "neo4j", "NEO4J_PASSWORD": WORD, "NEO4J_DATABASE": "neo4j"}
    store = open_store(environ=environ)
    store.write(lambda tx: tx.run(PUT, rows=rows(1)))
    assert store.read(COUNT) == [{"key": "site:00000"}]
    store.close()


def test_user_and_password_may_stand_in_the_url_and_are_seen_nowhere(
    guarded: neo4j_server.Server, caplog: pytest.LogCaptureFixture
) -> None:
    host = urlsplit(guarded.url).netloc
    with caplog.at_level(logging.DEBUG):
        store = open_store(f"bolt://neo4j:s3cret%2Fof%3Athe%40test@{host}", environ={})
        assert store.read(COUNT) is not None
        assert store.url == f"bolt://{host}"
        assert "s3cret" not in repr(store) + repr(vars(store))
        store.close()
    assert "s3cret" not in caplog.text


@pytest.mark.parametrize("password", ["", "wrong-word-of-the-test"])
def test_a_wrong_password_is_said_without_saying_it(
    guarded: neo4j_server.Server, password: str, caplog: pytest.LogCaptureFixture
) -> None:
    environ = {"NEO4J_USER": "neo4j", "NEO4J_PASSWORD": password}
    with caplog.at_level(logging.DEBUG):
        store = open_store(guarded.url, environ=environ)
        with pytest.raises(StoreUnavailable, match="NEO4J_PASSWORD") as refused:
            store.read(COUNT)
        store.close()
    shown = _everything(refused.value) + caplog.text
    assert "wrong-word-of-the-test" not in shown


def test_a_database_that_is_not_there_is_said_plainly(guarded: neo4j_server.Server) -> None:
    store = open_store(guarded.url, environ={**guarded.environ(), "NEO4J_DATABASE": "nowhere"}, wait=0.5)
    with pytest.raises(StoreError, match="nowhere"):
        store.read(COUNT)
    store.close()


def test_a_server_that_is_away_is_known_at_once() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    store = open_store(f"bolt://someone:{'hidden-word'}@127.0.0.1:{port}", environ={}, wait=30)
    began = time.monotonic()
    with pytest.raises(StoreUnavailable, match=r"cannot be reached") as refused:
        store.write(lambda tx: tx.run(PUT, rows=rows(1)))
    assert time.monotonic() - began < 10
    assert "hidden-word" not in _everything(refused.value)
    store.close()


def test_an_address_that_is_none_is_a_mistake_of_the_user() -> None:
    for url in ("bolt://", "neo4j://host:notaport", "bolt+nonsense://host", "bolt://[::1"):
        with pytest.raises(UsageError) as refused:
            open_store(url, environ={"NEO4J_PASSWORD": "hidden-word"})
        assert "hidden-word" not in _everything(refused.value)


def test_a_server_with_nodes_in_it_is_not_taken_for_tests(neo4j_service: neo4j_server.Server) -> None:
    neo4j_service.run("CREATE (:Precious)")
    named: dict[str, Any] = {neo4j_server.URI: neo4j_service.url}
    with pytest.raises(RuntimeError, match="must be empty"):
        neo4j_server.start(named)
    neo4j_service.wipe()
    assert neo4j_server.start(named).process is None


def _everything(error: BaseException | None) -> str:
    """All that a traceback or a log of the error could show."""
    shown = ""
    while error is not None:
        shown += f"{error!s} {error!r} {vars(error)!r}"
        error = error.__cause__ or error.__context__
    return shown
