"""Several writers at once: one node for each key, nobody overwrites another unseen, and what is transient is retried."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from support.cypher import COUNT, PUT, cypher, rows
from support.neo4j_server import Server

from graphmem.errors import StoreConflict, StoreError
from graphmem.store import Store, Transaction, embedded, open_store

Opener = Callable[..., Store]

#: The lock is taken before the version is looked at; the other way round both writers win on Neo4j.
SWAP = cypher(
    """MATCH (m:Meta {key: $key}) SET m.lock = true WITH m WHERE m.version = $expected
    SET m.version = $expected + 1, m.winner = $me RETURN m.version AS version"""
)
MAKE = cypher("UNWIND $rows AS row MERGE (m:Meta {key: row.key}) SET m.version = 0")


def test_of_two_writers_that_expect_one_version_never_both_win(opener: Opener) -> None:
    first, second = opener(), opener()
    races = [f"race:{i:02}" for i in range(60)]
    first.write(lambda tx: tx.run(MAKE, rows=[{"key": key} for key in races]))
    start = threading.Barrier(2)

    def run(store: Store, me: str) -> list[str]:
        won = []
        for key in races:
            start.wait(60)
            if store.write(lambda tx, key=key: tx.run(SWAP, key=key, expected=0, me=me)):
                won.append(key)
        return won

    with ThreadPoolExecutor(2) as pool:
        one, two = pool.map(run, (first, second), ("one", "two"))
    assert sorted(one + two) == races  # each race has a winner, and one only
    found = first.read(
        cypher("MATCH (m:Meta) WHERE m.version IS NOT NULL RETURN m.version AS v, m.winner AS w, m.key AS k")
    )
    assert {row["k"]: row["w"] for row in found} == {**dict.fromkeys(one, "one"), **dict.fromkeys(two, "two")}
    assert {row["v"] for row in found} == {1}


def test_many_writers_of_the_same_keys_leave_one_node_for_each(opener: Opener) -> None:
    stores = [opener() for _ in range(4)]
    stores[0].write(lambda tx: tx.run(PUT, rows=rows(1)))

    def run(store: Store) -> None:
        for begin in range(0, 200, 50):
            store.write(lambda tx, begin=begin: tx.run(PUT, rows=rows(200)[begin : begin + 50]))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(run, stores))
    assert [row["key"] for row in stores[0].read(COUNT)] == [f"site:{i:05}" for i in range(200)]


def test_writers_that_take_keys_in_opposite_order_both_come_through(opener: Opener) -> None:
    """They deadlock on Neo4j, which ends one of them; its work runs again."""
    stores = [opener(), opener()]
    stores[0].write(lambda tx: tx.run(PUT, rows=rows(2)))
    meet = threading.Barrier(2)
    runs: list[str] = []

    def run(store: Store, order: tuple[int, int]) -> None:
        def work(tx: Transaction) -> None:
            runs.append("run")
            tx.run(PUT, rows=[rows(2)[order[0]]])
            if len(runs) <= 2:
                _meet(meet)
            tx.run(PUT, rows=[rows(2)[order[1]]])

        store.write(work)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(run, stores, [(0, 1), (1, 0)]))
    assert len(stores[0].read(COUNT)) == 2
    assert len(runs) >= 2


def _meet(barrier: threading.Barrier) -> None:
    """Wait for the other writer, where the store lets two work at once."""
    with suppress(threading.BrokenBarrierError):
        barrier.wait(1)


def test_work_that_the_embedded_engine_could_not_commit_runs_again(embedded_url: str) -> None:
    store = open_store(embedded_url)
    store.write(lambda tx: tx.run(MAKE, rows=[{"key": "contended"}]))
    tries: list[int] = []

    def work(tx: Transaction) -> list[dict[str, Any]]:
        tries.append(1)
        found = tx.run(cypher("MATCH (m:Meta {key: 'contended'}) SET m.version = m.version + 1 RETURN m.version AS v"))
        if len(tries) == 1:
            _overtake(embedded_url)
        return found

    assert store.write(work) == [{"v": 11}]
    assert len(tries) == 2
    store.close()


def test_work_that_never_goes_through_ends_in_a_conflict(embedded_url: str) -> None:
    store = open_store(embedded_url)
    store.write(lambda tx: tx.run(MAKE, rows=[{"key": "contended"}]))

    def work(tx: Transaction) -> None:
        tx.run(cypher("MATCH (m:Meta {key: 'contended'}) SET m.version = m.version + 1"))
        _overtake(embedded_url)

    with pytest.raises(StoreConflict) as refused:
        store.write(work)
    assert refused.value.retryable
    store.close()


def _overtake(url: str) -> None:
    """Another thread changes the same node, past the lock that keeps units of work of one process apart."""

    def change() -> None:
        database = embedded._Folder.shared(embedded.Path(url).resolve())._handle._database  # type: ignore[union-attr]
        with database.transaction():
            database.command("opencypher", "MATCH (m:Meta {key: 'contended'}) SET m.version = m.version + 10")

    thread = threading.Thread(target=change)
    thread.start()
    thread.join()


@pytest.mark.neo4j
def test_a_transient_error_of_neo4j_that_stays_is_a_conflict_and_a_missing_database_is_not(
    neo4j_service: Server,
) -> None:
    import neo4j

    store = open_store(neo4j_service.url, environ=neo4j_service.environ(), wait=0.2)
    store.write(lambda tx: tx.run(PUT, rows=rows(1)))

    def fail(code: str) -> Callable[[Transaction], None]:
        def work(_: Transaction) -> None:
            raise neo4j.exceptions.Neo4jError._hydrate_neo4j(code=code, message="made by a test")

        return work

    with pytest.raises(StoreConflict) as refused:
        store.write(fail("Neo.TransientError.Transaction.DeadlockDetected"))
    assert refused.value.retryable
    with pytest.raises(StoreError) as down:
        store.write(fail("Neo.TransientError.General.DatabaseUnavailable"))
    assert type(down.value).__name__ == "StoreUnavailable"
    assert len(store.read(COUNT)) == 1
    store.close()
