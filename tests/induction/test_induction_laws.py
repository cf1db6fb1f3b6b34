"""The laws of induction, on random corpora: no order, no history, nothing lost, failures only count."""

from __future__ import annotations

import json
import random
from dataclasses import replace

from corpora import SITE, corpora
from graphs import comparable, outermost, texts, uses_of, workflow
from hypothesis import given, settings
from hypothesis import strategies as st
from worked_example import AIR, RAIL

from graphmem.model.graph import Graph
from graphmem_induction.clean import clean
from graphmem_induction.describe import describe
from graphmem_induction.expand import expand, is_step
from graphmem_induction.graph_inducer import GraphInducer
from graphmem_induction.protocol import Evidence

INDUCER = GraphInducer()


@settings(max_examples=60, deadline=None)
@given(corpora, st.randoms(use_true_random=False))
def test_the_order_of_the_recordings_does_not_matter(corpus: list[Evidence], shuffler: random.Random) -> None:
    shuffled = list(corpus)
    shuffler.shuffle(shuffled)
    assert comparable(INDUCER.induce(SITE, shuffled)) == comparable(INDUCER.induce(SITE, corpus))


def assert_expands(graph: Graph, evidence: Evidence, site: str) -> None:
    key, values, residual = outermost(graph, evidence.trajectory.key)
    seen = [describe(item) for item in clean(evidence.trajectory, site)]
    for step, recorded in expand(workflow(graph, key), values, uses_of(graph, evidence.trajectory.key), seen, residual):
        if step is None:
            # Of two runs nobody can say which step is a run's own: only ways of three and more leave any.
            assert recorded.indexes[-1] in residual
            assert len({link.start for link in graph.relationships if link.kind[1] == "USES" and link.end == key}) >= 3
            continue
        assert is_step(step, recorded), (step, recorded.what)


@settings(max_examples=60, deadline=None)
@given(corpora)
def test_expanding_a_way_with_its_bindings_gives_the_cleaned_recording_back(corpus: list[Evidence]) -> None:
    graph = INDUCER.induce(SITE, corpus)
    for evidence in corpus:
        if evidence.verdict != "failure":
            assert_expands(graph, evidence, SITE)


def test_expanding_the_worked_example_gives_every_recording_back_popup_included() -> None:
    for site, recordings in (("air.test", AIR), ("rail.test", RAIL)):
        graph = INDUCER.induce(site, recordings)
        for evidence in recordings:
            assert_expands(graph, evidence, site)


@settings(max_examples=40, deadline=None)
@given(corpora)
def test_failures_add_no_workflow(corpus: list[Evidence]) -> None:
    without = [evidence for evidence in corpus if evidence.verdict != "failure"]
    everything, successes = INDUCER.induce(SITE, corpus), INDUCER.induce(SITE, without)
    for label in ("Task", "Subtask", "Action"):
        assert texts(everything, label) == texts(successes, label)


@settings(max_examples=40, deadline=None)
@given(corpora)
def test_every_cleaned_step_is_an_instance_of_one_action(corpus: list[Evidence]) -> None:
    graph = INDUCER.induce(SITE, corpus)
    instances = [r.start for r in graph.relationships if r.kind == ("Step", "INSTANCE_OF", "Action")]
    assert len(instances) == len(set(instances))
    expected = {
        evidence.trajectory.step_key(item.index)
        for evidence in corpus
        if evidence.verdict != "failure"
        for item in clean(evidence.trajectory)
    }
    assert set(instances) == expected


@settings(max_examples=40, deadline=None)
@given(corpora)
def test_a_subtask_that_is_no_control_step_and_no_way_is_called_from_two_places_or_a_draft_of_two_recordings(
    corpus: list[Evidence],
) -> None:
    graph = INDUCER.induce(SITE, corpus)
    ways = {r.end for r in graph.relationships if r.kind[1] == "HAS_WAY"}
    calls = [r.end for r in graph.relationships if r.kind[1] == "HAS_SUBTASK"]
    for node in graph.nodes:
        if node.label == "Subtask" and node.properties["kind"] == "sequence" and node.key not in ways:
            users = {r.start for r in graph.relationships if r.kind[1] == "USES" and r.end == node.key}
            is_draft = node.properties["status"] != "active" and len(users) > 1 and node.key not in calls
            assert is_draft or calls.count(node.key) > 1


@settings(max_examples=25, deadline=None)
@given(corpora, corpora)
def test_the_general_layer_does_not_depend_on_the_order_of_sites(one: list[Evidence], other: list[Evidence]) -> None:
    graphs = {
        "a.test": INDUCER.induce("a.test", _moved(one, "a.test")),
        "b.test": INDUCER.induce("b.test", _moved(other, "b.test")),
    }
    backwards = dict(reversed(graphs.items()))
    layer = INDUCER.carry_over(graphs, [])
    assert comparable(layer) == comparable(INDUCER.carry_over(backwards, []))
    children: dict[str, set[str]] = {}
    sites = {n.key: n.properties["site"] for g in graphs.values() for n in g.nodes if "site" in n.properties}
    for link in layer.relationships:
        if link.kind[1] == "SPECIALIZES":
            children.setdefault(link.end, set()).add(sites[link.start])
    assert all(children[node.key] == {"a.test", "b.test"} for node in layer.nodes)


@settings(max_examples=40, deadline=None)
@given(corpora)
def test_a_way_is_bound_to_slots_that_its_task_has(corpus: list[Evidence]) -> None:
    graph = INDUCER.induce(SITE, corpus)
    nodes = {n.key: n.properties for n in graph.nodes}
    for way in (r for r in graph.relationships if r.kind[1] == "HAS_WAY"):
        has = {p["name"] for p in json.loads(nodes[way.start]["parameters"])}
        wants = {p["name"] for p in json.loads(nodes[way.end]["parameters"])}
        bound = json.loads(way.properties["bindings"])
        assert set(bound) == wants
        assert {b["slot"] for b in bound.values()} <= has


def _moved(corpus: list[Evidence], site: str) -> list[Evidence]:
    return [Evidence(replace(e.trajectory, site=site), e.verdict) for e in corpus]
