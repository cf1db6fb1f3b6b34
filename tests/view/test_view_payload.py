"""What the page holds, and what the one file promises, without a browser."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
from importlib.resources import files
from typing import Any

import networkx as nx
import pytest
from view_graphs import HOSTILE, example, hostile, large

from graphmem.view import render
from graphmem.view.payload import JSON_PROPERTIES, LEVELS, payload


def data_in(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    content: dict[str, Any] = json.loads(found.group(1))
    return content


def shuffled(graph: nx.MultiDiGraph, seed: int) -> nx.MultiDiGraph:
    rng = random.Random(seed)
    nodes, edges = list(graph.nodes(data=True)), list(graph.edges(keys=True, data=True))
    rng.shuffle(nodes)
    rng.shuffle(edges)
    other = nx.MultiDiGraph()
    other.add_nodes_from((key, dict(sorted(attributes.items(), reverse=True))) for key, attributes in nodes)
    other.add_edges_from(edges)
    return other


def parsed(graph: nx.MultiDiGraph) -> nx.MultiDiGraph:
    """The same graph with its JSON text as maps and lists."""
    other = graph.copy()
    for attributes in [a for _, a in other.nodes(data=True)] + [a for _, _, a in other.edges(data=True)]:
        for name in JSON_PROPERTIES & attributes.keys():
            attributes[name] = json.loads(attributes[name])
    return other


def test_the_same_graph_gives_the_same_bytes_in_whatever_order_it_was_built() -> None:
    expected = render(example())
    for seed in range(5):
        assert render(shuffled(example(), seed)) == expected


def test_maps_may_come_parsed_or_as_text() -> None:
    assert render(parsed(example())) == render(example())


@pytest.mark.parametrize("form", ["attribute", "key", "key with index", "tuple"])
def test_an_edges_type_is_read_from_its_attribute_or_its_key(form: str) -> None:
    graph = nx.MultiDiGraph()
    for key, label in (("s", "Subtask"), ("a", "Action")):
        graph.add_node(key, label=label)
    key, attributes = {
        "attribute": ("x", {"type": "HAS_ACTION"}),
        "key": ("HAS_ACTION", {}),
        "key with index": ("HAS_ACTION:4", {}),
        "tuple": (("HAS_ACTION", 4), {}),
    }[form]
    graph.add_edge("s", "a", key=key, index=4, **attributes)
    assert payload(graph, "t")["edges"] == [
        {"type": "HAS_ACTION", "source": 0, "target": 1, "properties": {"index": 4}}
    ]


def test_nothing_of_the_hierarchy_is_left_out() -> None:
    graph = example()
    content = payload(graph, "t")
    drawn = [key for key, label in graph.nodes(data="label") if label in LEVELS]
    assert {node["key"] for node in content["nodes"]} == set(drawn)
    assert sum(content["counts"].values()) == graph.number_of_nodes()
    assert sum(content["relationships"].values()) == graph.number_of_edges()
    among = [1 for start, end in graph.edges() if start in drawn and end in drawn]
    assert len(content["edges"]) == len(among)


def test_recordings_keep_their_steps_in_order_and_say_what_they_are_evidence_of() -> None:
    content = payload(example(), "t")
    first = next(r for r in content["recordings"] if r["key"] == "trajectory:R1")
    assert [step["index"] for step in first["steps"]] == list(range(7))
    assert first["steps"][1]["value"] == "Oslo"
    assert content["nodes"][first["steps"][1]["action"]]["key"] == "action:air-type"
    place = content["recordings"].index(first)
    evidence = [
        (content["nodes"][node]["key"], use.get("first"))
        for recording, node, use in content["evidence"]
        if recording == place
    ]
    assert sorted(evidence, key=str) == [
        ("subtask:air-pick", 1), ("subtask:air-pick", 3), ("subtask:air-search", 0), ("task:air-find", None),
    ]  # fmt: skip


def test_of_a_node_with_many_recordings_only_some_are_in_the_page_and_all_are_counted() -> None:
    content = payload(example(), "t", recordings=1)
    assert [recording["key"] for recording in content["recordings"]] == ["trajectory:R1"]
    assert {place for place, _, _ in content["evidence"]} == {0}
    counted = {node["key"]: node["recordings"] for node in content["nodes"]}
    keys = ("task:air-find", "subtask:air-pick", "action:air-type", "site:air.test", "domain:travel", "task:rail-train")
    assert [counted[key] for key in keys] == [2, 2, 2, 2, 2, 0]


def test_what_json_cannot_hold_does_not_break_the_page() -> None:
    graph = nx.MultiDiGraph()
    graph.add_node(
        "t", label="Task", name="x\ud800", uses=float("nan"), sites={"b", "a"}, spec="{not json", created=object
    )
    properties = data_in(render(graph))["nodes"][0]["properties"]
    assert properties["uses"] == "nan"
    assert properties["sites"] == ["a", "b"]
    assert properties["spec"] == "{not json"
    render(graph).encode("utf-8")


def test_an_empty_graph_is_a_page_too() -> None:
    assert data_in(render(nx.MultiDiGraph()))["nodes"] == []


def test_recorded_text_never_becomes_markup() -> None:
    page = render(hostile(), title=HOSTILE)
    assert "<img" not in page
    assert "window.hurt=1</script>" not in page
    assert page.count("<script") == page.count("</script>") == render(example()).count("<script")
    names = {node["name"] for node in data_in(page)["nodes"]}
    assert HOSTILE in names
    assert data_in(page)["title"] == HOSTILE


def test_the_policy_names_every_script_and_style_by_its_hash() -> None:
    page = render(example())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    rules = dict(rule.strip().split(" ", 1) for rule in policy.group(1).replace("&#x27;", "'").split(";"))
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    styles = re.findall(r"<style[^>]*>(.*?)</style>", page, re.DOTALL)
    assert len(scripts) > 2
    for given, name in ((scripts, "script-src"), (styles, "style-src")):
        sums = [f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in given]
        assert rules[name].split() == sums
    assert rules["default-src"] == "'none'"
    assert "unsafe" not in policy.group(1)


def test_vendored_libraries_are_those_that_vendor_md_names_with_their_licences() -> None:
    vendor = files("graphmem.view").joinpath("vendor")
    rows = re.findall(r"^\| `([^`]+)` \|.*`([0-9a-f]{64})` \|$", vendor.joinpath("VENDOR.md").read_text(), re.MULTILINE)
    scripts = {entry.name for entry in vendor.iterdir() if entry.name.endswith(".js")}
    assert {name for name, _ in rows} == scripts
    for name, expected in rows:
        assert hashlib.sha256(vendor.joinpath(name).read_bytes()).hexdigest() == expected
        licence = vendor.joinpath(name.split(".")[0] + ".LICENSE.txt").read_text()
        assert "Permission is hereby granted" in licence
        assert licence in render(nx.MultiDiGraph())


def test_a_large_graph_renders_in_seconds() -> None:
    graph = large()
    assert graph.number_of_nodes() > 5000
    assert len(data_in(render(graph))["nodes"]) == graph.number_of_nodes()
