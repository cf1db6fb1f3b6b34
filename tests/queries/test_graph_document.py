"""docs/graph.md is true: every statement in it runs on both stores, and what it says of properties and JSON text is so."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from support import worked_example as example
from support.asked import NAMED, changed
from support.worked_example import ALL, CLINIC, LIBRARY, R2, RESERVE

from graphmem.model.graph import LABELS, SCHEMA, Graph
from graphmem.model.workflow import KINDS
from graphmem.store import Store, decisions, laws, open_store, recordings

TEXT = (Path(__file__).parents[2] / "docs" / "graph.md").read_text(encoding="utf-8")
STATEMENTS = re.findall(r"```cypher\n(.*?)```", TEXT, re.DOTALL)
SCHEMAS = {name: json.loads(text) for name, text in re.findall(r"```json (\w+)\n(.*?)```", TEXT, re.DOTALL)}
VALUES = {
    "task_key": next(n.key for n in example.library().nodes if n.properties["name"] == "Reserve the book {title}"),
    "subtask_key": RESERVE.key,
    "recording_key": R2.key,
    "site": LIBRARY,
    "words": "book",
}
GRAPHS = (example.library(), example.clinic(), example.general())


def section(title: str) -> str:
    return re.split(r"^#{2,3} ", re.split(rf"^#{{2,3}} {re.escape(title)}$", TEXT, flags=re.MULTILINE)[1], flags=re.M)[
        0
    ]


def documented(title: str) -> set[str]:
    """The properties that the first column of a section's table names."""
    cells = re.findall(r"^\| (`.*?) \|", section(title), re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def test_there_are_examples_of_every_part() -> None:
    assert len(STATEMENTS) >= 15
    assert set(SCHEMAS) == {"parameters", "bindings", "values", "spec", "conditions", "target"}


def test_every_statement_runs_on_the_store_and_finds_something(store: Store) -> None:
    example.save(store)
    for statement in STATEMENTS:
        values = {name: VALUES[name] for name in re.findall(r"\$(\w+)", statement)}
        table = store.console(statement, values)
        assert table.rows, statement
        assert "ORDER BY" in statement or len(table.rows) == 1


@pytest.mark.neo4j
def test_every_statement_gives_the_same_rows_on_both_stores(neo4j_service: Any) -> None:
    stores = (open_store("memory:"), open_store(neo4j_service.url, environ=neo4j_service.environ()))
    try:
        for store in stores:
            example.save(store)
        for statement in STATEMENTS:
            values = {name: VALUES[name] for name in re.findall(r"\$(\w+)", statement)}
            ours, theirs = (store.console(statement, values).rows for store in stores)
            if "score" in statement:
                ours, theirs = (tuple(sorted(rows, key=lambda row: str(row["key"]))) for rows in (ours, theirs))
            assert ours == theirs, statement
    finally:
        for store in stores:
            store.close()


def test_the_tables_name_the_properties_that_the_nodes_have() -> None:
    everywhere = documented("Every node")
    shared = documented("Task, Subtask and Action") | everywhere
    found: dict[str, set[str]] = defaultdict(set)
    for graph in GRAPHS:
        for node in graph.nodes:
            found[node.label] |= set(node.properties)
    for trajectory in ALL:
        found["Trajectory"] |= set(recordings.trajectory_properties(trajectory)) | {"learned"}
        found["Step"] |= set(recordings.step_properties(trajectory, 0))
    for label, properties in found.items():
        said = documented(label) | (shared if label in ("Task", "Subtask", "Action") else everywhere)
        assert said - {"key", "created", "updated", "embedding"} == properties - {"key"}, label
    assert {"by", "verdict", "reward", "at"} == documented("Judgement")
    assert {"name", "domain"} == documented("Site")
    assert set(decisions.decision_properties(NAMED)) - {"name"} == documented("Decision")
    assert set(changed().properties) - {"name"} == documented("Revision")


def test_the_table_of_relationships_names_the_properties_that_they_have() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", section("Relationships"), re.MULTILINE)
    said = defaultdict(set, {"HAS_STEP": set()})
    for type_, cell in rows:
        said[type_] |= set(re.findall(r"`(\w+)`", cell))
    found = defaultdict(set, {"HAS_STEP": {"index"}})
    for graph in GRAPHS:
        for relationship in graph.relationships:
            if relationship.properties:
                found[relationship.kind[1]] |= set(relationship.properties)
    assert said == found


def test_every_label_and_type_is_named() -> None:
    for label in LABELS:
        assert re.search(rf"\b{label}\b", TEXT), label
    for _, type_, _ in SCHEMA:
        assert re.search(rf"\b{type_}\b", TEXT), type_
    for word in (*KINDS, *laws.STATUSES):
        assert f"`{word}`" in TEXT, word


def json_texts(graph: Graph) -> list[tuple[str, str]]:
    """The name of its schema and each JSON text of a graph."""
    texts = []
    for node in graph.nodes:
        properties = node.properties
        if node.label in ("Task", "Subtask"):
            texts.append(("parameters", properties["parameters"]))
        if node.label == "Subtask":
            texts.append(("spec", properties["spec"]))
            texts += [("conditions", properties[name]) for name in ("preconditions", "postconditions")]
        if node.label == "Action":
            texts.append(("target", properties["target"]))
    for relationship in graph.relationships:
        if "bindings" in relationship.properties:
            name = "values" if relationship.kind[1] == "USES" else "bindings"
            texts.append((name, relationship.properties["bindings"]))
    return texts


def test_every_json_text_of_the_graph_follows_its_schema() -> None:
    texts = [pair for graph in GRAPHS for pair in json_texts(graph)]
    assert {name for name, _ in texts} == set(SCHEMAS)
    for name, text in texts:
        jsonschema.validate(json.loads(text), SCHEMAS[name])


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("parameters", [{"name": "x"}]),
        ("bindings", {"x": "y"}),
        ("bindings", {"x": {"slot": "a", "literal": "b"}}),
        ("values", {"x": 1}),
        ("spec", {"over": "x"}),
        ("conditions", [{"present": {}, "absent": {}}]),
        ("target", {"colour": "red"}),
    ],
)
def test_a_schema_refuses_what_is_something_else(name: str, wrong: Any) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, SCHEMAS[name])


def test_what_the_inducer_derives_follows_the_document_too() -> None:
    from graphmem_induction.learn import induce

    store = open_store("memory:")
    try:
        recordings.save(store, ALL)
        induce(store)
        from graphmem.store import derived

        graphs = [derived.read_site(store, site) for site in (LIBRARY, CLINIC)] + [derived.read_general(store)]
        texts = [pair for graph in graphs for pair in json_texts(graph)]
        assert texts
        for name, text in texts:
            jsonschema.validate(json.loads(text), SCHEMAS[name])
        for graph in graphs:
            for node in graph.nodes:
                everywhere = documented("Every node") | documented(node.label)
                shared = documented("Task, Subtask and Action") if node.label != "Page" else set()
                assert set(node.properties) <= everywhere | shared
    finally:
        store.close()
