"""The read-only console: what it shows, and everything that it must not let through."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cypher import PUT, cypher, rows
from support.neo4j_server import Server

from graphmem.errors import GraphmemError, ReadOnlyRefused, StoreError, UsageError
from graphmem.store import Store, open_store
from graphmem.store.console import check

SEED = cypher(
    """CREATE (:Task {key: 't', name: 'fly', uses: 2})-[:HAS_WAY {uses: 1}]->(s:Subtask {key: 's', name: 'search'})
    CREATE (s)-[:HAS_ACTION {index: 0, bindings: '{}'}]->(:Action {key: 'a', name: 'click'})"""
)
EVERYTHING = cypher("MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties ORDER BY n.key")
LINKS = cypher(
    "MATCH (a)-[r]->(b) RETURN a.key AS start, type(r) AS type, properties(r) AS properties, b.key AS end "
    "ORDER BY start, type, end"
)


@pytest.fixture
def seeded(store: Store) -> Store:
    store.write(lambda tx: tx.run(SEED))
    return store


@pytest.fixture
def listener() -> Iterator[tuple[int, list[str]]]:
    """A port, and a list that grows when somebody connects to it."""
    calls: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def serve() -> None:
            while True:
                try:
                    connection, peer = server.accept()
                except OSError:
                    return
                calls.append(str(peer))
                connection.close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield port, calls
        server.shutdown(socket.SHUT_RDWR)
        thread.join(5)


WRITES = [
    "CREATE (:Task {key: 'evil'})",
    "MATCH (n) SET n.name = 'evil'",
    "MATCH (n) SET n:Evil",
    "MATCH (n) REMOVE n.name",
    "MATCH (n) DETACH DELETE n",
    "MATCH ()-[r]->() DELETE r",
    "MERGE (:Task {key: 'evil'})",
    "MATCH (n) MERGE (m:Task {key: 'evil'}) RETURN m",
    "MATCH (n:Task) CALL { CREATE (m:Task {key: 'evil'}) RETURN m } RETURN m",
    "MATCH (n:Task) CALL (n) { SET n.name = 'evil' } RETURN n",
    "MATCH (n:Task) CALL (n) { SET n.name = 'evil' } IN TRANSACTIONS OF 1 ROW",
    "MATCH (n:Task) FOREACH (x IN [1] | SET n.name = 'evil')",
    "UNWIND [1] AS x CREATE (:Task {key: 'evil'})",
    "WITH 1 AS x CREATE (:Task {key: 'evil'}) RETURN x",
    "RETURN 1 AS x UNION CREATE (n:Task {key: 'evil'}) RETURN 1 AS x",
    "RETURN 1; CREATE (:Task {key: 'evil'})",
    "EXPLAIN CREATE (:Task {key: 'evil'})",
    "PROFILE CREATE (:Task {key: 'evil'})",
    "CYPHER runtime=slotted CREATE (:Task {key: 'evil'})",
    "CREATE INDEX evil FOR (n:Task) ON (n.name)",
    "CREATE CONSTRAINT evil FOR (n:Task) REQUIRE n.name IS UNIQUE",
    "DROP INDEX task_site",
    "DROP CONSTRAINT task_key",
    "CREATE DATABASE evil",
    "CREATE USER evil SET PASSWORD 'evil-evil'",
    "ALTER CURRENT USER SET PASSWORD FROM 'x' TO 'y'",
    "CALL db.createLabel('Evil')",
    "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()",
    "CALL db.create.setNodeVectorProperty(null, 'x', [1.0])",
    "MATCH (n:Task) CALL db.create.setNodeVectorProperty(n, 'x', [1.0]) RETURN n",
    "CALL merge.node(['Task'], {key: 'evil'}, {}, {}) YIELD node RETURN node",
    "CALL apoc.cypher.doIt('CREATE (:Task)', {})",
    "MATCH (n) SET n = {}",
    "MATCH (n:Task) WITH n, 1 AS x SET n.uses = x RETURN n",
]
READS_A_FILE = [
    "LOAD CSV FROM 'file://{file}' AS line RETURN line",
    "load csv from 'file://{file}' AS line RETURN line",
    "LOAD /* x */ CSV FROM 'file://{file}' AS line RETURN line",
    "LOAD // x\nCSV FROM 'file://{file}' AS line RETURN line",
    "LOAD // x\rCSV FROM 'file://{file}' AS line RETURN line",
    "LOAD\u00a0CSV FROM 'file://{file}' AS line RETURN line",
    "LOAD CSV WITH HEADERS FROM 'file://{file}' AS line RETURN line",
    "CALL {{ LOAD CSV FROM 'file://{file}' AS line RETURN line }} RETURN line",
    "MATCH (n:Task) CALL (n) {{ LOAD /**/ CSV FROM 'file://{file}' AS line RETURN line }} RETURN line",
    "RETURN 'it\\'s' AS x UNION LOAD CSV FROM 'file://{file}' AS x RETURN x",
    "RETURN \"\\\\\" AS x UNION LOAD CSV FROM 'file://{file}' AS x RETURN x",
    "LO\\u0041D CSV FROM 'file://{file}' AS line RETURN line",
    "RETURN '\\u0027 AS x UNION LOAD CSV FROM \\u0027file://{file}' AS x RETURN x",
    "LOAD CSV FROM 'http://127.0.0.1:{port}/x' AS line RETURN line",
    "UNWIND ['http://127.0.0.1:{port}/x'] AS url LOAD CSV FROM url AS line RETURN line",
    "/* MATCH */ LOAD CSV FROM 'http://127.0.0.1:{port}/x' AS line RETURN line",
    "RETURN file('{file}') AS x",
    "RETURN apoc.load.json('file://{file}') AS x",
    "CALL apoc.load.json('http://127.0.0.1:{port}/x')",
    "RETURN `apoc`.`load`.json('file://{file}') AS x",
    "RETURN `apoc.load.json`('file://{file}') AS x",
    "MATCH (n:Task) WHERE n.load CSV FROM 'file://{file}' AS line RETURN line",
]
TOUCHES_OTHERS = [
    "SHOW TRANSACTIONS",
    "SHOW TRANSACTIONS YIELD transactionId AS id TERMINATE TRANSACTIONS id",
    "show /* x */ transactions",
    "TERMINATE TRANSACTIONS '{id}'",
    "TERMINATE // x\n TRANSACTION '{id}'",
    "TERMINATE TRANSACTIONS '{id}' YIELD message RETURN message",
    "SHOW USERS",
    "SHOW SETTINGS",
    "SHOW INDEXES",
    "SHOW DATABASES",
    "USE system SHOW DATABASES",
    "USE neo4j MATCH (n) RETURN n",
    "MATCH (n) CALL {{ USE graph.byName('neo4j') MATCH (m) RETURN m }} RETURN m",
    "CALL dbms.listConfig()",
    "CALL dbms.listConfig",
    "CALL dbms.killConnection('x')",
    "CALL db.clearQueryCaches()",
    "CALL db.clearQueryCaches",
    "CALL `db`.clearQueryCaches()",
    "CALL `db.clearQueryCaches`()",
    "OPTIONAL CALL db.clearQueryCaches() YIELD value RETURN value",
    "CALL dbms.setConfigValue('x', 'y')",
    "CALL db.prepareForReplanning()",
    "CALL dbms.queryJmx('*:*')",
    "CALL tx.setMetaData({{a: 1}})",
    "CALL dbms.components()",
    "CALL db.stats.clear('QUERIES')",
    "CALL jdbc.load('x')",
]


def picture(store: Store) -> Any:
    """All that is in the store, to compare before and after."""
    return store.read(EVERYTHING), store.read(LINKS)


def let_through(store: Store, statements: list[str]) -> list[str]:
    """Those of the statements that the console ran."""
    ran = []
    for statement in statements:
        try:
            store.console(statement, {})
        except (ReadOnlyRefused, UsageError):
            continue
        ran.append(statement)
    return ran


def test_no_statement_that_writes_is_run_and_nothing_changes(seeded: Store) -> None:
    before = picture(seeded)
    assert let_through(seeded, WRITES) == []
    assert picture(seeded) == before


def test_no_statement_reads_a_file_or_calls_out(seeded: Store, tmp_path: Path, listener: tuple[int, list[str]]) -> None:
    port, calls = listener
    file = tmp_path / "canary.csv"
    file.write_text("canary-of-the-test", encoding="utf-8")
    assert let_through(seeded, [text.format(file=file, port=port) for text in READS_A_FILE]) == []
    assert calls == []


def test_no_statement_looks_at_or_ends_another_session(seeded: Store) -> None:
    assert let_through(seeded, [text.format(id="neo4j-transaction-1") for text in TOUCHES_OTHERS]) == []


@pytest.mark.parametrize("statement", [*READS_A_FILE, *TOUCHES_OTHERS])
def test_the_words_alone_refuse_what_a_read_would_let_through(statement: str) -> None:
    with pytest.raises(ReadOnlyRefused):
        check(statement.format(file="/f", port=1, id="x"), {})


@pytest.mark.neo4j
def test_another_session_on_neo4j_survives_every_attempt_to_end_it(neo4j_service: Server) -> None:
    store = open_store(neo4j_service.url, environ=neo4j_service.environ())
    store.write(lambda tx: tx.run(SEED))
    with neo4j_service.driver() as driver, driver.session() as session, session.begin_transaction() as other:
        other.run("MATCH (t:Task) SET t.name = 'held'").consume()
        for row in neo4j_service.run("SHOW TRANSACTIONS YIELD transactionId AS id RETURN id"):
            assert let_through(store, [text.format(id=row["id"]) for text in TOUCHES_OTHERS]) == []
        other.commit()
    assert store.read(cypher("MATCH (t:Task) RETURN t.name AS name")) == [{"name": "held"}]
    store.close()


def test_the_engine_itself_refuses_a_write_that_got_past_the_words(
    seeded: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = picture(seeded)
    _without_words(monkeypatch)
    for statement in WRITES:
        if statement.startswith(("MATCH", "UNWIND", "WITH", "CREATE (", "MERGE")):
            with pytest.raises(GraphmemError):
                seeded.console(statement, {})
    assert picture(seeded) == before


def test_the_embedded_engine_itself_reads_no_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, listener: tuple[int, list[str]]
) -> None:
    file = tmp_path / "canary.csv"
    file.write_text("canary-of-the-test", encoding="utf-8")
    _without_words(monkeypatch)
    store = open_store("memory:")
    for statement in READS_A_FILE:
        try:
            shown = str(store.console(statement.format(file=file, port=listener[0]), {}))
        except GraphmemError as error:
            shown = str(error)
        assert "canary-of-the-test" not in shown
    store.close()
    assert listener[1] == []


def _without_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every statement through to the engine."""
    from graphmem.store import console

    bare = lambda text, _: console.Statement(text, None, frozenset())  # noqa: E731
    monkeypatch.setattr(console, "check", bare)


READS = [
    ("MATCH (t:Task) RETURN t.name", ("t.name",), [["fly"]]),
    ("MATCH (t:Task) RETURN t.name AS name, count(t) AS n;", ("name", "n"), [["fly", 1]]),
    ("// LOAD CSV is not meant here\nMATCH (t:Task) /* nor SHOW */ RETURN t.name AS n", ("n",), [["fly"]]),
    ("RETURN 'LOAD CSV FROM' AS a, \"SHOW // x\" AS b, 'it\\'s' AS c", ("a", "b", "c"),
     [["LOAD CSV FROM", "SHOW // x", "it's"]]),
    ("MATCH (t:Task) WITH t AS `load` RETURN `load`.name AS `use`", ("use",), [["fly"]]),
    ("MATCH (t:Task) RETURN t.show AS x, t{.name, .use} AS m", ("x", "m"), [[None, {"name": "fly", "use": None}]]),
    ("MATCH (t:Task) WHERE t.name IN ($names) RETURN t.uses AS n", ("n",), [[2]]),
    ("UNWIND [3, 1, 2] AS x RETURN x ORDER BY x DESC LIMIT 2", ("x",), [[3], [2]]),
    ("CALL { MATCH (t:Task) RETURN t.key AS k UNION MATCH (s:Subtask) RETURN s.key AS k } RETURN k ORDER BY k", ("k",),
     [["s"], ["t"]]),
    ("MATCH (t:Task) CALL (t) { MATCH (t)-->(s) RETURN s.key AS k } RETURN k", ("k",), [["s"]]),
    ("MATCH (n) WHERE EXISTS { (n)-[:HAS_ACTION]->() } RETURN n.key AS k", ("k",), [["s"]]),
    ("MATCH (n:Task) WHERE (n.uses > 1 AND (n.uses < 9)) OR NOT (n.uses = 1) RETURN n.key AS k", ("k",), [["t"]]),
    ("MATCH (t:Task) RETURN CASE WHEN (t.uses) > 1 THEN ('many') ELSE ('few') END AS x", ("x",), [["many"]]),
    ("RETURN toUpper(left('graph', 2)) AS x, size([1, 2]) AS y, coalesce(null, 1) AS z", ("x", "y", "z"), [["GR", 2, 1]]),
    ("RETURN [x IN range(1, 3) WHERE x > 1 | x * 2] AS xs, any(x IN [1] WHERE x = 1) AS y", ("xs", "y"), [[[4, 6], True]]),
    ("MATCH (t:Task) ((a)-[:HAS_WAY]->(b)){1,2} RETURN t.key AS k", ("k",), [["t"]]),
    ("MATCH p = (:Task)-[:HAS_WAY|HAS_ACTION*1..3]->(:Action) RETURN length(p) AS n", ("n",), [[2]]),
    ("OPTIONAL MATCH (n:Decision) RETURN n, n.name AS name", ("n", "name"), [[None, None]]),
    ("MATCH (t:Task) RETURN DISTINCT t.key AS k SKIP 0 LIMIT 1", ("k",), [["t"]]),
    ("RETURN date('2026-11-30') AS d, duration('P1D') AS p", ("d", "p"), [["2026-11-30", "P1D"]]),
    ("RETURN 1.0 / 0 AS x", ("x",), [["inf"]]),
    ("RETURN point({x: 1, y: 2}).x AS x", ("x",), [[1.0]]),
    ("CALL db.labels() YIELD label WITH label WHERE label = 'Task' RETURN label", ("label",), [["Task"]]),
]  # fmt: skip


def test_what_reads_gives_the_same_table_on_both(seeded: Store) -> None:
    for statement, columns, values in READS:
        table = seeded.console(statement, {"names": ["fly"]})
        assert (statement, table.columns) == (statement, columns)
        assert (statement, [list(row.values()) for row in table.rows]) == (statement, values)
        assert not table.truncated
        json.dumps(table.rows, allow_nan=False)


NO_ROWS = {
    "MATCH (d:Decision) RETURN d.key AS k, d.name": ("k", "d.name"),
    "MATCH (d:Decision) RETURN DISTINCT d.key AS `a key`, {a: 1, b: [1, 2]} AS m ORDER BY d.key LIMIT 3": (
        "a key",
        "m",
    ),
    "MATCH (d:Decision) RETURN count( d.key ) AS n, 1 + 2 // sum\n LIMIT 0": ("n", "1 + 2"),
    "MATCH (d:Decision) CALL (d) { RETURN 1 AS inner } RETURN d AS outer": ("outer",),
}


def test_columns_are_named_where_there_are_no_rows(seeded: Store) -> None:
    for statement, columns in NO_ROWS.items():
        table = seeded.console(statement, {})
        assert (table.columns, table.rows) == (columns, ())


def test_nodes_relationships_and_paths_are_shown_alike(seeded: Store) -> None:
    statement = "MATCH p = (t:Task)-[r:HAS_WAY]->(s:Subtask) RETURN t, r, p, [t] AS list, {r: r} AS map, nodes(p) AS ns"
    (row,) = seeded.console(statement, {}).rows
    task = {"labels": ["Task"], "properties": {"key": "t", "name": "fly", "uses": 2}}
    subtask = {"labels": ["Subtask"], "properties": {"key": "s", "name": "search"}}
    way = {"type": "HAS_WAY", "properties": {"uses": 1}}
    assert row == {
        "t": task, "r": way, "p": {"nodes": [task, subtask], "relationships": [way]}, "list": [task], "map": {"r": way},
        "ns": [task, subtask],
    }  # fmt: skip


def test_more_rows_than_the_limit_are_cut_off_and_it_says_so(store: Store) -> None:
    store.write(lambda tx: tx.run(PUT, rows=rows(20)))
    ask = "MATCH (n:Site) RETURN n.key AS key ORDER BY key"
    for limit, kept, truncated in [(5, 5, True), (20, 20, False), (21, 20, False), (0, 20, False), (1000, 20, False)]:
        table = store.console(ask, {}, limit=limit)
        assert [row["key"] for row in table.rows] == [f"site:{i:05}" for i in range(kept)]
        assert table.truncated is truncated


def test_a_statement_that_takes_too_long_is_ended_and_the_store_lives_on(store: Store) -> None:
    store.write(lambda tx: tx.run(PUT, rows=rows(2_000)))
    forever = "MATCH (a:Site), (b:Site), (c:Site), (d:Site) WHERE a.name + b.name + c.name = d.key RETURN count(*) AS n"
    with pytest.raises(StoreError, match=r"longer than 0\.5 seconds"):
        store.console(forever, {}, seconds=0.5)
    assert store.console("MATCH (n:Site) RETURN count(n) AS n", {}, seconds=0).rows == ({"n": 2_000},)
    store.write(lambda tx: tx.run(PUT, rows=rows(10)))


def test_a_statement_that_makes_no_sense_is_the_users_mistake(seeded: Store) -> None:
    for statement in ("MATCH (n RETURN n", "RETURN", "RETURN x", "MATCH (n) RETURN foo bar baz", "RETURN 1 / 0"):
        with pytest.raises(UsageError):
            seeded.console(statement, {})


def test_a_column_that_the_embedded_engine_would_lose_is_an_error_on_both(seeded: Store) -> None:
    with pytest.raises(UsageError):
        seeded.console("MATCH (t:Task)-->(s) RETURN t{.name, ways: count(s)} AS m", {})


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("", "empty"),
        ("  // nothing\n", "empty"),
        ("RETURN 'open", "left open"),
        ('RETURN "open', "left open"),
        ("RETURN `open", "left open"),
        ("RETURN 1 /* open", "left open"),
        ("RETURN $who", r"\$who has no value"),
        ("RETURN $`wh o`", r"\$wh o has no value"),
    ],
)
def test_what_cannot_be_read_as_cypher_is_said_plainly(statement: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        check(statement, {})


@pytest.mark.parametrize("word", ["LOAD CSV", "ＬＯＡＤ CSV", "LOAD C\u017fV", "\u212aILL", "SHOW", "ſhow"])
def test_letters_that_only_look_like_others_do_not_help(word: str) -> None:
    with pytest.raises(ReadOnlyRefused):
        check(f"CALL {{ {word} FROM 'x' AS y RETURN y }} RETURN y".replace("\u212aILL", "SHOW"), {})


PIECES = ["LOAD", "CSV", " ", "/*", "*/", "//", "\n", "'", '"', "`", "\\", "x", "RETURN 1 ", "."]


@given(st.lists(st.sampled_from(PIECES), max_size=14))
def test_no_arrangement_of_quotes_and_comments_hides_load_csv(parts: list[str]) -> None:
    """Whatever is let through has LOAD CSV nowhere but inside quotes, judged by a second, slower reading."""
    text = "RETURN 1 AS x " + "".join(parts)
    try:
        checked = check(text, {})
    except GraphmemError:
        return
    assert not re.search(r"\bLOAD\s*CSV\b", _outside_quotes(checked.text))


def _outside_quotes(text: str) -> str:
    outside, quote, index = [], "", 0
    while index < len(text):
        letter = text[index]
        if quote:
            if letter == "\\" and quote != "`":
                index += 1
            elif letter == quote:
                quote = ""
        elif letter in "'\"`":
            quote = letter
            outside.append(" x ")
        else:
            outside.append(letter)
        index += 1
    return "".join(outside)
