"""Drafts: what two recordings share though it did not pay for a name of its own."""

from __future__ import annotations

import random

from graphs import comparable

from graphmem.model.graph import Graph, Node
from graphmem.model.target import Target
from graphmem.model.trajectory import Step, Trajectory
from graphmem_induction.graph_inducer import GraphInducer
from graphmem_induction.protocol import Evidence


def recording(names: str) -> Evidence:
    steps = tuple(Step("click", Target(role="button", name=name)) for name in names)
    return Evidence(Trajectory(f"Do {names} now", steps, site="s.test", run_id=names, outcome="success"), "success")


def induced(*recordings: str) -> Graph:
    return GraphInducer().induce("s.test", [recording(names) for names in recordings])


def drafts(graph: Graph) -> list[Node]:
    return [n for n in graph.nodes if n.label == "Subtask" and n.properties["kind"] == "sequence"
            and n.key not in {r.end for r in graph.relationships if r.kind[1] in ("HAS_WAY", "HAS_SUBTASK")}]  # fmt: skip


def test_what_two_recordings_share_is_a_draft_that_both_use():
    graph = induced("pabcq", "xabcy")
    (draft,) = drafts(graph)
    users = {r.start for r in graph.relationships if r.kind[1] == "USES" and r.end == draft.key}
    assert draft.properties["status"] == "draft"
    assert len(users) == 2


def test_a_step_that_only_one_of_them_did_is_optional():
    graph = induced("pabcq", "xacy")
    assert {draft.properties["status"] for draft in drafts(graph)} == {"draft"}
    assert "optional" in {n.properties["kind"] for n in graph.nodes if n.label == "Subtask"}


def test_one_recording_makes_no_draft():
    assert drafts(induced("pabcq", "xyz")) == []


def test_drafts_do_not_depend_on_the_order_of_the_recordings():
    names = ["pabcq", "xabcy", "kacde", "rcdes"]
    shuffled = random.Random(1).sample(names, len(names))
    assert comparable(induced(*names)) == comparable(induced(*shuffled))
