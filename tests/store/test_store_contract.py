"""What every store does, run word for word on each: units of work, keys, values, order, and the shapes of Cypher that
the product leans on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.cypher import ALL, COUNT, PUT, cypher, rows

from graphmem.errors import StoreError, UsageError
from graphmem.model.graph import LABELS
from graphmem.store import Store, Transaction

Opener = Callable[..., Store]


def put(store: Store, given: list[dict[str, Any]]) -> None:
    store.write(lambda tx: tx.run(PUT, rows=given))


def keys(store: Store) -> list[str]:
    return [row["key"] for row in store.read(COUNT)]


def test_writing_the_same_rows_twice_leaves_one_node_for_each(store: Store) -> None:
    for _ in range(2):
        put(store, rows(5))
    assert store.read(ALL) == [{"key": f"site:{i:05}", "name": f"site {i}"} for i in range(5)]


def test_a_write_gives_back_what_its_work_returns(store: Store) -> None:
    statement = cypher("MERGE (n:Site {key: 's'}) RETURN n.key AS key")
    assert store.write(lambda tx: tx.run(statement)[0]["key"]) == "s"


def test_a_unit_of_work_sees_its_own_writes(store: Store) -> None:
    def work(tx: Transaction) -> list[dict[str, Any]]:
        tx.run(PUT, rows=rows(3))
        return tx.run(COUNT)

    assert len(store.write(work)) == 3


def test_an_error_of_the_caller_leaves_nothing_behind(store: Store) -> None:
    def work(tx: Transaction) -> None:
        tx.run(PUT, rows=rows(3))
        raise LookupError("on purpose")

    with pytest.raises(LookupError):
        store.write(work)
    assert keys(store) == []


@pytest.mark.parametrize(
    "fault", ["RETURN nonsense(", "UNWIND [1, 0] AS i CREATE (n:Site {key: toString(i), x: 1 / i})"]
)
def test_a_statement_that_fails_leaves_nothing_of_its_unit_behind(store: Store, fault: str) -> None:
    put(store, rows(1, "before"))

    def work(tx: Transaction) -> None:
        tx.run(PUT, rows=rows(3))
        tx.run(cypher(fault))

    with pytest.raises(StoreError):
        store.write(work)
    assert keys(store) == ["before:00000"]


def test_a_key_is_unique_under_every_label(store: Store) -> None:
    for label in (*LABELS, "Meta"):
        create = cypher(f"CREATE (n:{label} {{key: 'twice', name: $name}})")
        store.write(lambda tx, create=create: tx.run(create, name="first"))
        with pytest.raises(StoreError, match="already there"):
            store.write(lambda tx, create=create: tx.run(create, name="second"))
        found = store.read(cypher(f"MATCH (n:{label} {{key: 'twice'}}) RETURN n.name AS name"))
        assert (label, found) == (label, [{"name": "first"}])


def test_what_was_written_is_there_when_it_is_opened_again(opener: Opener) -> None:
    first = opener()
    put(first, rows(4))
    first.close()
    assert len(keys(opener())) == 4


def test_two_handles_on_one_store_see_each_others_writes(opener: Opener) -> None:
    one, two = opener(), opener()
    put(one, rows(2, "one"))
    put(two, rows(2, "two"))
    assert keys(one) == keys(two) == ["one:00000", "one:00001", "two:00000", "two:00001"]
    one.close()
    assert len(keys(two)) == 4


def test_a_closed_store_says_so(opener: Opener) -> None:
    closed = opener()
    closed.close()
    with pytest.raises(UsageError, match="closed"):
        closed.read(COUNT)


def test_order_is_that_of_the_letters_codes(store: Store) -> None:
    names = ["b", "a", "B", "ä", "Z", "z", "10", "9", "", " ", "日本", "a b", "a-b", "é", "é"]
    put(store, [{"key": f"k{i}", "properties": {"name": name}} for i, name in enumerate(names)])
    found = store.read(cypher("MATCH (n:Site) RETURN n.name AS name ORDER BY n.name, n.key"))
    assert [row["name"] for row in found] == sorted(names)


def test_nulls_come_last_in_order(store: Store) -> None:
    put(store, [{"key": "a", "properties": {}}, {"key": "b", "properties": {"name": "x"}}])
    found = store.read(cypher("MATCH (n:Site) RETURN n.key AS key ORDER BY n.name, n.key"))
    assert [row["key"] for row in found] == ["b", "a"]


TEXTS = [
    "naïve café", "日本語テキスト", "🛫✈️👩‍👩‍👧", "مرحبا", "e\u0301", "line\nbreak\ttab",
    "'quotes\" and `ticks`", "back\\slash \\n",
    "\u200b\u202e", "\U0010ffff", "", " ", "{curly} $dollar // comment /* x */", "\ufeffbom", "\x01\x7f", "nul\x00l",
]  # fmt: skip


def test_text_comes_back_letter_for_letter(store: Store) -> None:
    put(store, [{"key": f"k{text}", "properties": {"name": text, "list": [text, text]}} for text in TEXTS])
    one = cypher("MATCH (n:Site {key: $key}) RETURN n.name AS name, n.list AS list")
    for text in TEXTS:
        assert store.read(one, key=f"k{text}") == [{"name": text, "list": [text, text]}]


VALUES = [0, -1, 2**63 - 1, -(2**63), 0.1, -1e300, 1.0, True, False, [], [1, 2], [0.5, 1.5], ["a", ""], [True, False]]


def test_values_come_back_as_they_were(store: Store) -> None:
    put(store, [{"key": repr(value), "properties": {"value": value}} for value in VALUES])
    found = store.read(cypher("MATCH (n:Site) RETURN n.key AS key, n.value AS value"))
    assert {row["key"]: (type(row["value"]), row["value"]) for row in found} == {
        repr(value): (type(value), value) for value in VALUES
    }


def test_a_null_property_is_no_property(store: Store) -> None:
    put(store, [{"key": "k", "properties": {"name": "x"}}])
    put(store, [{"key": "k", "properties": {"name": None}}])
    assert store.read(cypher("MATCH (n:Site) RETURN n.name AS name, keys(n) AS keys")) == [
        {"name": None, "keys": ["key"]}
    ]


def test_a_node_and_a_relationship_come_back_as_their_properties(store: Store) -> None:
    store.write(lambda tx: tx.run(cypher("CREATE (:Site {key: 'a'})-[:IN {index: 1}]->(:Domain {key: 'b'})")))
    found = store.read(cypher("MATCH (s:Site)-[r]->(d) RETURN s, r, [s, d] AS both, {d: d} AS map"))
    assert found == [
        {"s": {"key": "a"}, "r": {"index": 1}, "both": [{"key": "a"}, {"key": "b"}], "map": {"d": {"key": "b"}}}
    ]


def test_ten_thousand_rows_go_in_one_batch(store: Store) -> None:
    put(store, rows(10_000))
    assert len(keys(store)) == 10_000


def test_two_thousand_rows_of_eight_nested_rows_go_in_one_batch(store: Store) -> None:
    nested = [
        {"key": f"t{i:04}", "steps": [{"key": f"t{i:04}.{j}", "properties": {"index": j}} for j in range(8)]}
        for i in range(2_000)
    ]
    statement = cypher(
        """UNWIND $rows AS row MERGE (t:Trajectory {key: row.key}) WITH t, row
        UNWIND row.steps AS step MERGE (s:Step {key: step.key}) SET s += step.properties
        MERGE (t)-[r:HAS_STEP {index: step.properties.index}]->(s)"""
    )
    store.write(lambda tx: tx.run(statement, rows=nested))
    found = store.read(
        cypher("MATCH (t:Trajectory)-[r:HAS_STEP]->(s:Step) WHERE s.index = r.index RETURN t.key AS key, r.index AS i")
    )
    assert len({(row["key"], row["i"]) for row in found}) == 16_000


def test_a_text_of_three_megabytes_is_kept(store: Store) -> None:
    text = "graph " * 500_000
    put(store, [{"key": "long", "properties": {"data": text}}])
    assert store.read(cypher("MATCH (n:Site) RETURN n.data AS data"))[0]["data"] == text


def test_a_long_text_on_a_searched_node_leaves_the_indexes_alive(store: Store) -> None:
    long = cypher("MERGE (t:Task {key: $key}) SET t.text = $text, t.name = 'short', t.site = 'air.test'")
    store.write(lambda tx: tx.run(long, key="a", text="word " * 8_000))
    store.vectors("Task", 3)  # which waits for every index of the database
    store.write(lambda tx: tx.run(long, key="b", text="x"))
    assert len(store.read(cypher("MATCH (t:Task {site: 'air.test'}) RETURN t.key AS key"))) == 2


def test_json_text_is_kept_in_a_relationship(store: Store) -> None:
    text = '{"field": {"literal": "From"}, "place": {"slot": "origin", "transform": "date:dd.mm.yyyy"}}'
    put(store, rows(2))
    link = cypher(
        """UNWIND $rows AS row MATCH (a:Site {key: row.start}), (b:Site {key: row.end})
        MERGE (a)-[r:HAS_SUBTASK {index: row.index}]->(b) SET r += row.properties"""
    )
    given = [{"start": "site:00000", "end": "site:00001", "index": i, "properties": {"bindings": text}} for i in (0, 1)]
    for _ in range(2):
        store.write(lambda tx: tx.run(link, rows=given))
    found = store.read(cypher("MATCH ()-[r:HAS_SUBTASK]->() RETURN r.index AS i, r.bindings AS b ORDER BY r.index"))
    assert found == [{"i": 0, "b": text}, {"i": 1, "b": text}]  # the same child twice, told apart by index


def chain(store: Store) -> None:
    """t -HAS_WAY-> s0 -HAS_SUBTASK-> s1 -HAS_SUBTASK-> s2 -HAS_ACTION-> a"""
    store.write(
        lambda tx: tx.run(
            cypher(
                """CREATE (:Task {key: 't'})-[:HAS_WAY]->(:Subtask {key: 's0'})-[:HAS_SUBTASK {index: 0}]->
                (:Subtask {key: 's1'})-[:HAS_SUBTASK {index: 0}]->(:Subtask {key: 's2'})-[:HAS_ACTION {index: 0}]->
                (:Action {key: 'a'})"""
            )
        )
    )


WALKS = {
    "(:Task)-[:HAS_WAY|HAS_SUBTASK|HAS_ACTION*1..8]->(n)": ["a", "s0", "s1", "s2"],
    "(:Task)-[:HAS_WAY]->()-[:HAS_SUBTASK*0..8]->(n)": ["s0", "s1", "s2"],
    "(:Task)-[:HAS_WAY]->() (()-[:HAS_SUBTASK]->()){1,8} (n)": ["s1", "s2"],
    "(n:Subtask) WHERE EXISTS { (n)-[:HAS_ACTION]->(:Action) }": ["s2"],
    "(n:Subtask) WHERE COUNT { (n)<-[:HAS_SUBTASK]-() } = 0": ["s0"],
    "(s:Subtask) CALL (s) { MATCH (s)-[:HAS_SUBTASK]->(n) RETURN n }": ["s1", "s2"],
}


def test_walks_run_on_both(store: Store) -> None:
    chain(store)
    for pattern, expected in WALKS.items():
        found = store.read(cypher(f"MATCH {pattern} WITH DISTINCT n RETURN n.key AS key ORDER BY n.key"))
        assert (pattern, [row["key"] for row in found]) == (pattern, expected)


def test_a_pattern_in_a_list_gives_the_neighbours(store: Store) -> None:
    chain(store)
    found = store.read(cypher("MATCH (t:Task) RETURN [(t)-[:HAS_WAY]->(s) | s.key] AS ways, t{.key} AS map"))
    assert found == [{"ways": ["s0"], "map": {"key": "t"}}]


def test_a_null_embedding_is_no_embedding(store: Store) -> None:
    store.vectors("Task", 3)
    put_task = cypher("UNWIND $rows AS row MERGE (t:Task {key: row.key}) SET t += row.properties")
    for vector in ([0.1, 0.2, 0.3], None):
        given = [{"key": "t", "properties": {"name": "x", "embedding": vector}}]
        store.write(lambda tx, given=given: tx.run(put_task, rows=given))
    assert store.read(cypher("MATCH (t:Task) RETURN t.embedding AS e, t.name AS name")) == [{"e": None, "name": "x"}]


def test_a_key_can_go_and_come_back_in_one_unit_of_work(store: Store) -> None:
    put(store, rows(2))

    def work(tx: Transaction) -> None:
        tx.run(cypher("MATCH (n:Site {key: 'site:00000'}) DETACH DELETE n"))
        tx.run(PUT, rows=[{"key": "site:00000", "properties": {"name": "anew"}}])

    store.write(work)
    assert store.read(ALL) == [{"key": "site:00000", "name": "anew"}, {"key": "site:00001", "name": "site 1"}]


def test_a_write_inside_a_write_is_refused(store: Store) -> None:
    with pytest.raises(UsageError):
        store.write(lambda tx: store.write(lambda inner: inner.run(COUNT)))
    put(store, rows(1))
    assert len(keys(store)) == 1
