"""The schema: numbered migrations, what they make, and who is refused."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from support.cypher import COUNT, PUT, cypher, rows
from support.neo4j_server import Server

from graphmem.errors import StoreError, StoreMismatch
from graphmem.store import Store, migrations, open_store
from graphmem_queries import load

Opener = Callable[..., Store]
VERSION = load("schema/version")


def put(store: Store) -> None:
    store.write(lambda tx: tx.run(PUT, rows=rows(1)))


def put_task(store: Store, key: str, **properties: Any) -> None:
    statement = cypher("UNWIND $rows AS row MERGE (t:Task {key: row.key}) SET t += row.properties")
    store.write(lambda tx: tx.run(statement, rows=[{"key": key, "properties": properties}]))


def test_the_first_write_records_the_newest_migration(opener: Opener) -> None:
    put(opener())
    assert opener().read(VERSION) == [{"schema": migrations.LATEST, "dimension": None}]


def test_migrations_are_numbered_from_one_without_a_gap() -> None:
    assert [migration.number for migration in migrations.MIGRATIONS] == list(range(1, migrations.LATEST + 1))


def test_a_store_that_is_only_read_is_empty_and_fine(opener: Opener) -> None:
    store = opener()
    assert store.read(COUNT) == []
    assert store.read(cypher("MATCH (n) RETURN count(n) AS n")) == [{"n": 0}]
    assert store.console("MATCH (n) RETURN count(n) AS n", {}).rows == ({"n": 0},)
    assert opener().read(VERSION) == []


def test_reading_makes_no_folder(embedded_url: str) -> None:
    store = open_store(embedded_url)
    store.read(COUNT)
    store.close()
    assert not Path(embedded_url).exists()


@pytest.mark.neo4j
def test_reading_makes_no_schema_on_neo4j(neo4j_service: Server) -> None:
    neo4j_service.wipe(schema=True)
    store = open_store(neo4j_service.url, environ=neo4j_service.environ())
    store.read(COUNT)
    store.close()
    assert neo4j_service.run("SHOW CONSTRAINTS YIELD name") == []
    assert neo4j_service.run("MATCH (n) RETURN n") == []


def test_a_store_that_is_behind_catches_up_and_code_that_is_behind_is_refused(
    opener: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = opener()
    put(first)
    first.close()
    following = migrations.Migration(migrations.LATEST + 1, "of tomorrow", ("schema/name_site", "schema/wait"))
    with monkeypatch.context() as tomorrow:
        tomorrow.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, following))
        tomorrow.setattr(migrations, "LATEST", following.number)
        newer = opener()
        assert newer.read(COUNT) == [{"key": "site:00000"}]
        put(newer)
        assert newer.read(VERSION)[0]["schema"] == following.number
        newer.close()
    today = opener()
    for attempt in (lambda: today.read(COUNT), lambda: put(today)):
        with pytest.raises(StoreMismatch, match="newer graphmem"):
            attempt()


def test_a_migration_that_was_cut_off_runs_again(opener: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    store = opener()
    with monkeypatch.context() as broken:
        broken.setattr(migrations, "_record", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            put(store)
    put(store)
    assert store.read(VERSION)[0]["schema"] == migrations.LATEST


def test_many_first_writers_at_once_all_succeed(opener: Opener, request: pytest.FixtureRequest) -> None:
    if "neo4j" in request.node.name:
        request.getfixturevalue("neo4j_service").wipe(schema=True)
    stores = [opener() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(put, stores))
    assert stores[0].read(COUNT) == [{"key": "site:00000"}]


@pytest.mark.neo4j
def test_a_database_with_foreign_nodes_is_refused_and_left_alone(neo4j_service: Server) -> None:
    neo4j_service.wipe(schema=True)
    neo4j_service.run("CREATE (:Person {name: 'Ada'})-[:KNOWS]->(:Task {name: 'not ours'})")
    store = open_store(neo4j_service.url, environ=neo4j_service.environ())
    for attempt in (lambda: store.read(COUNT), lambda: put(store), lambda: store.console("MATCH (n) RETURN n", {})):
        with pytest.raises(StoreMismatch, match="did not make"):
            attempt()
    store.close()
    assert neo4j_service.run("SHOW CONSTRAINTS YIELD name") == []
    assert neo4j_service.run("MATCH (n) RETURN count(n) AS n") == [{"n": 2}]


def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("do not touch", encoding="utf-8")
    store = open_store(str(tmp_path))
    with pytest.raises(StoreMismatch, match="not a graphmem store"):
        put(store)
    store.close()
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_file_is_no_store(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreMismatch, match="is a file"):
        open_store(str(tmp_path / "file"))


@pytest.mark.neo4j
def test_the_schema_of_neo4j_is_what_the_migrations_say(neo4j_service: Server) -> None:
    neo4j_service.wipe(schema=True)
    store = open_store(neo4j_service.url, environ=neo4j_service.environ())
    put(store)
    store.close()
    found = neo4j_service.run("SHOW INDEXES YIELD name, type, state WHERE type <> 'LOOKUP' RETURN name, type, state")
    assert {row["state"] for row in found} == {"ONLINE"}
    made = {
        statement.removeprefix("schema/") for migration in migrations.MIGRATIONS for statement in migration.statements
    }
    expected = {"_".join(reversed(name.split("_"))) for name in made - {"wait"}}
    assert {row["name"] for row in found} == expected
    assert {row["name"] for row in found if row["type"] == "FULLTEXT"} == {"task_text", "subtask_text", "action_text"}


@pytest.mark.parametrize("label", ["Task", "Subtask", "Action"])
def test_names_and_texts_are_found_by_their_words(store: Store, label: str) -> None:
    put_all = cypher(f"UNWIND $rows AS row MERGE (t:{label} {{key: row.key}}) SET t += row.properties")
    given = [
        {"key": "a", "properties": {"name": "Find a flight", "text": "from Oslo to Rome"}},
        {"key": "b", "properties": {"name": "Water the plants", "text": "twice a week"}},
    ]
    store.write(lambda tx: tx.run(put_all, rows=given))
    ask = cypher(
        f"CALL db.index.fulltext.queryNodes('{label.lower()}_text', $words) YIELD node, score "
        "RETURN node.key AS key, score > 0 AS scored ORDER BY node.key"
    )
    for words, keys in {"flight": ["a"], "oslo": ["a"], "plants OR rome": ["a", "b"], "zebra": []}.items():
        assert [row["key"] for row in store.read(ask, words=words)] == keys
    shown = store.console(ask.text(""), {"words": "week"})
    assert shown.rows == ({"key": "b", "scored": True},)


def test_instructions_that_are_no_search_syntax_are_found_when_escaped(store: Store) -> None:
    put_task(store, "a", name='Find "a flight" (one-way): Oslo/Rome?', text="")
    ask = cypher(
        "CALL db.index.fulltext.queryNodes('task_text', $words) YIELD node RETURN node.key AS key ORDER BY key"
    )
    with pytest.raises(StoreError):
        store.read(ask, words='flight "oslo (')
    escaped = r"flight \"oslo \("
    assert store.read(ask, words=escaped) == [{"key": "a"}]


@pytest.mark.parametrize("label", ["Task", "Subtask", "Action"])
def test_vectors_are_found_by_their_neighbours(store: Store, label: str) -> None:
    for _ in range(2):
        store.vectors(label, 3)
    put_all = cypher(f"UNWIND $rows AS row MERGE (t:{label} {{key: row.key}}) SET t += row.properties")
    vectors = {"x": [1.0, 0.0, 0.0], "y": [0.0, 1.0, 0.0], "xy": [0.7, 0.7, 0.0]}
    given = [{"key": key, "properties": {"embedding": vector}} for key, vector in vectors.items()]
    store.write(lambda tx: tx.run(put_all, rows=given))
    store.write(lambda tx: tx.run(load("schema/wait")))
    ask = cypher(
        f"CALL db.index.vector.queryNodes('{label.lower()}_embedding', 2, $vector) YIELD node, score "
        "RETURN node.key AS key ORDER BY score DESC, node.key"
    )
    assert [row["key"] for row in store.read(ask, vector=[0.9, 0.1, 0.0])] == ["x", "xy"]


def test_a_vector_of_another_dimension_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="wants none yet"):
        put_task(store, "early", embedding=[0.1, 0.2])
    store.vectors("Task", 2)
    put_task(store, "right", embedding=[0.1, 0.2])
    with pytest.raises(StoreError, match="has 3 numbers, where this store wants 2"):
        put_task(store, "wrong", embedding=[0.1, 0.2, 0.3])
    with pytest.raises(StoreMismatch, match="vectors of 2 numbers, not 3"):
        store.vectors("Subtask", 3)
    assert store.read(cypher("MATCH (t:Task) RETURN t.key AS key")) == [{"key": "right"}]


def test_another_handle_learns_the_dimension_when_it_needs_it(opener: Opener) -> None:
    one, two = opener(), opener()
    put(two)
    one.vectors("Task", 2)
    put_task(two, "t", embedding=[0.1, 0.2])
    assert len(one.read(cypher("MATCH (t:Task) RETURN t.key AS key"))) == 1
