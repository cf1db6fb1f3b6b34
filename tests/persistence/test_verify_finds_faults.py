"""``verify``: nothing to say of a graph as it should be, and something of each way in which one can be wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from support import worked_example as example
from support.worked_example import ALL, CLINIC, LIBRARY, R1, RESERVE

from graphmem.model.graph import Graph, Node, Relationship
from graphmem.model.identity import canonical
from graphmem.store import Store, laws, open_store, recordings
from graphmem.store.verify import verify
from graphmem_queries import Query

LENGTHS = {t.key: len(t.steps) for t in ALL}


def said(library: Graph, general: Graph | None = None) -> list[str]:
    graphs = [library, example.clinic(), general or example.general()]
    whole = laws.Whole(graphs)
    found = [f for g in graphs for f in (*laws.faults(whole, g.nodes, LENGTHS), *laws.misplaced(g))]
    return [fault.what for fault in found]


def with_node(graph: Graph, label: str, named: str, changes: dict[str, Any]) -> Graph:
    nodes = [
        replace(n, properties={k: v for k, v in {**n.properties, **changes}.items() if v is not None})
        if (n.label, n.properties["name"]) == (label, named)
        else n
        for n in graph.nodes
    ]
    assert tuple(nodes) != graph.nodes
    return Graph(tuple(nodes), graph.relationships)


def with_links(
    graph: Graph, change: Callable[[Relationship], Relationship | None], type_: str, start: str = ""
) -> Graph:
    links = [change(r) if r.kind[1] == type_ and r.start.startswith(start) else r for r in graph.relationships]
    assert tuple(links) != graph.relationships
    return Graph(graph.nodes, tuple(r for r in links if r is not None))


def setting(**changes: Any) -> Callable[[Relationship], Relationship]:
    return lambda r: replace(r, properties={**r.properties, **changes})


def test_a_graph_as_it_should_be_has_no_fault() -> None:
    assert said(example.library()) == []


NODE_FAULTS = [
    ("Subtask", "Reserve a book", {"kind": "loop"}, "its kind is 'loop'"),
    (
        "Subtask",
        "Reserve a book",
        {"parameters": '[{"name":"book","type":"text"}]'},
        "'title', which is no slot of its own",
    ),
    ("Subtask", "Reserve a book", {"parameters": "{"}, "is no JSON"),
    ("Subtask", "Reserve a book", {"preconditions": "{}"}, "its preconditions is no JSON list"),
    ("Subtask", "Reserve a book", {"postconditions": "[]"}, "its content has the key subtask:"),
    ("Subtask", "Reserve a book", {"status": "fine"}, "its status is 'fine'"),
    ("Subtask", "Reserve a book", {"uses": 0}, "are more than 0 uses"),
    ("Subtask", "Reserve a book", {"failures": -1}, "not whole numbers"),
    ("Subtask", "Reserve a book", {"kind": None}, "a property is missing"),
    ("Subtask", "Reserve a book", {"general": True}, "it is general, but has special cases on no site only"),
    ("Subtask", "Reserve a book", {"name": "x" * 201}, "longer than 200 characters"),
    ("Subtask", "Tick the loans", {"spec": '{"over":"loans"}'}, "its spec names ['over'], not ['as', 'over']"),
    ("Subtask", "Accept cookies", {"spec": '{"until":{}}'}, "its spec names ['until'], not ['when']"),
    ("Subtask", "Reserve a book", {"spec": '{"when":{}}'}, "its spec names ['when'], not nothing"),
    ("Task", "Reserve the book {title}", {"text": "Reserve it"}, "its content has the key task:"),
    ("Task", "Reserve the book {title}", {"sites": [CLINIC]}, "it belongs to"),
    ("Task", "Reserve the book {title}", {"site": ""}, "but its site is ''"),
    ("Action", "Reserve", {"op": "poke"}, "its operation is 'poke'"),
    ("Action", "Reserve", {"slots": ["colour"]}, "it leaves open ['colour']"),
    ("Action", "Reserve", {"slots": ["name"]}, "yet says what they are"),
    ("Action", "Reserve", {"value": "x"}, "its content has the key action:"),
    ("Page", "library.test/", {"pattern": "library.test/x"}, "its content has the key page:"),
]


@pytest.mark.parametrize(("label", "name", "changes", "what"), NODE_FAULTS)
def test_a_node_that_is_not_what_its_key_or_the_law_says_is_a_fault(
    label: str, name: str, changes: dict[str, Any], what: str
) -> None:
    assert any(what in fault for fault in said(with_node(example.library(), label, name, changes)))


LINK_FAULTS: list[tuple[str, str, Callable[[Relationship], Relationship | None], str]] = [
    ("HAS_ACTION", RESERVE.key, setting(index=7), "not 0 and on without gaps"),
    ("HAS_ACTION", "", lambda r: None, "not 0 and on without gaps"),
    ("HAS_SUBTASK", RESERVE.key, setting(bindings="{"), "is no JSON"),
    ("HAS_SUBTASK", RESERVE.key, setting(bindings='{"colour":{"literal":"red"}}'), "which has no such slot"),
    ("HAS_SUBTASK", RESERVE.key, lambda r: replace(r, end="subtask:0"), "which is not there"),
    ("HAS_WAY", "", setting(bindings='{"title":{"slot":"x"}}'), "which is no slot of its own"),
    ("HAS_WAY", "", setting(bindings='{"title":{}}'), "neither a slot nor a literal"),
    ("HAS_WAY", "", lambda r: None, "it has no way of being done"),
    ("ON", "task", lambda r: None, "is ON 0 sites"),
    ("ON", "page", lambda r: replace(r, end=recordings.site_key(CLINIC)), "not just these"),
    ("USES", R1.key, setting(last=4), "in its steps 0 to 4, but has 4"),
    ("USES", R1.key, setting(residual=[9]), "it leaves [9] out"),
    ("USES", R1.key, setting(bindings='{"colour":"red"}'), "which has no such slot"),
    ("NEXT", "", setting(count=0), "it is followed 0 times"),
    ("INSTANCE_OF", "step", lambda r: replace(r, end="action:0"), "of another site"),
]


@pytest.mark.parametrize(("type_", "start", "change", "what"), LINK_FAULTS)
def test_a_relationship_that_breaks_a_law_is_a_fault(
    type_: str, start: str, change: Callable[[Relationship], Relationship | None], what: str
) -> None:
    assert any(what in fault for fault in said(with_links(example.library(), change, type_, start)))


def test_a_way_across_sites_is_on_one_at_least() -> None:
    nowhere = with_links(example.general(), lambda r: None, "ON", "subtask")
    assert "it is not general, and yet ON no site" in said(example.library(), nowhere)


def test_a_general_node_needs_special_cases_on_two_sites() -> None:
    at_library = {n.key for n in example.library().nodes}
    one = with_links(example.general(), lambda r: None if r.start in at_library else r, "SPECIALIZES")
    assert sum("where two are needed" in fault for fault in said(example.library(), one)) == 3


# -- in a store --------------------------------------------------------------------------------------------------------


def broken(text: str) -> Query:
    return Query("test/broken", "", (), (("", text),))


STORED_FAULTS = [
    ("MATCH (t:Trajectory {key: $key}) SET t.task = 'other'", "its content has the key"),
    ("MATCH (t:Trajectory {key: $key}) SET t.length = 3", "its length is not what was recorded"),
    ("MATCH (t:Trajectory {key: $key}) SET t.judged = 'failure'", "it is judged success, but says failure"),
    ("MATCH (t:Trajectory {key: $key}) SET t.source = null", "it cannot be read"),
    ("MATCH (:Trajectory {key: $key})-[r:ON]->() DELETE r", "it is on no site"),
    ("MATCH (:Trajectory {key: $key})-[r:HAS_STEP {index: 1}]->() DELETE r", "it is a step of no recording"),
    ("MATCH (:Trajectory {key: $key})-[r:HAS_STEP {index: 1}]->() SET r.index = 9", "not 0 and on without gaps"),
    (
        "MATCH (:Trajectory {key: $key})-[:HAS_STEP {index: 1}]->(s) SET s.value = 'x'",
        "its value is not what was recorded",
    ),
    ("MATCH (:Trajectory {key: $key})-[:HAS_STEP {index: 1}]->(s) SET s.key = 'step:0'", "has another key"),
    ("MATCH (j:Judgement)-[:OF]->(:Trajectory {key: $key}) SET j.at = 'never'", "as a judgement of"),
    ("MATCH (j:Judgement)-[:OF]->(:Trajectory {key: $key}) DETACH DELETE j", "its recorded outcome is missing"),
    ("MATCH (j:Judgement)-[r:OF]->(:Trajectory {key: $key}) DELETE r", "it judges nothing"),
    (
        "MATCH (:Trajectory {key: $key})-[:ON]->(s:Site) SET s.name = 'elsewhere'",
        "the site 'elsewhere' has another key",
    ),
    ("MATCH (:Trajectory {key: $key})-[:ON]->(:Site)-[:IN]->(d) SET d.name = 'x'", "the domain 'x' has another key"),
    ("MATCH (t:Trajectory {key: $key}) MATCH (p:Page) CREATE (t)-[:ON]->(p)", "which the schema does not know"),
    ("MATCH (p:Page) SET p.site = 'nowhere' WITH p.key AS k RETURN k, $key AS key", "it is not on the site"),
]


@pytest.mark.parametrize(("text", "what"), STORED_FAULTS)
def test_whatever_is_changed_behind_its_back_is_found(text: str, what: str) -> None:
    store = open_store("memory:")
    try:
        example.save(store)
        assert verify(store)["ok"]
        store.write(lambda tx: tx.run(broken(text), key=R1.key))
        found = verify(store)
        assert not found["ok"]
        assert any(what in fault["what"] for fault in found["faults"]), found["faults"]
    finally:
        store.close()


def test_a_fault_is_found_on_either_store_and_named_by_its_key(store: Store) -> None:
    example.save(store)
    store.write(
        lambda tx: tx.run(broken("MATCH (n:Subtask {key: $key}) SET n.spec = $spec"), key=RESERVE.key, spec="[")
    )
    site = recordings.meta_key(LIBRARY)
    assert verify(store)["faults"] == [
        {"key": site, "what": "what is kept in short of its graph is not its graph: run graphmem induce --all"},
        {"key": RESERVE.key, "what": "its spec is no JSON: ["},
    ]


def test_a_recording_that_is_not_induced_yet_is_stale_and_no_fault(store: Store) -> None:
    example.save(store)
    recordings.save(store, [replace(R1, run_id="new")])
    recordings.forget(store, R1.key)
    found = verify(store)
    assert found["ok"]
    assert found["stale"] == ["", LIBRARY]


def test_an_empty_store_has_no_faults(store: Store) -> None:
    assert verify(store) == {"ok": True, "checked": 0, "faults": [], "stale": []}


def test_a_broken_text_in_a_node_is_a_fault_and_no_crash() -> None:
    node = Node("Subtask", "subtask:0", {"site": "", "name": "x", "parameters": canonical([{"type": "text"}])})
    found = list(laws.faults(laws.Whole([Graph((node,))]), [node], {}))
    assert found
