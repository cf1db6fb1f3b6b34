"""The laws of what people decide: a graph is a function of the set of recordings and the set of decisions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from corpora import SITE, corpora
from graphs import comparable
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from worked_example import AIR, RAIL, click, fill

from graphmem.model.decision import Decision, Subject, decided, spans_digest, subjects_from_json, subjects_to_json
from graphmem.model.graph import Graph
from graphmem.model.target import Target
from graphmem.model.trajectory import Step, Trajectory
from graphmem.store import laws
from graphmem.store.revisions import contents
from graphmem_induction.graph_inducer import GraphInducer
from graphmem_induction.protocol import Evidence
from graphmem_induction.rule import RuleInducer
from graphmem_induction.standing import Standing

INDUCER = GraphInducer()
NAMES = ("Alpha", "Beta", "Gamma")


def at(n: int) -> str:
    return f"2027-01-01T00:00:{n:02}Z"


@st.composite
def decided_corpora(draw: st.DrawFn) -> tuple[list[Evidence], list[Decision]]:
    """A corpus, and decisions about nodes that it has."""
    corpus = draw(corpora)
    graph = INDUCER.induce(SITE, corpus)
    known = Standing(graph)
    keys = [key for key in sorted(known.nodes) if known.spans(key)]
    made: list[Decision] = []
    for n in range(draw(st.integers(1, 4)) if keys else 0):
        key = draw(st.sampled_from(keys))
        node = known.nodes[key]
        subject = known.subject(key)
        kind = draw(st.sampled_from(("rename", "quarantine", "edit", "keep_together", "not_a_duplicate")))
        if kind == "rename":
            made.append(decided("rename", SITE, [subject], {"name": draw(st.sampled_from(NAMES))}, at=at(n)))
        elif kind == "quarantine":
            status = draw(st.sampled_from(("quarantined", "active")))
            made.append(decided("quarantine", SITE, [subject], {"status": status}, at=at(n)))
        elif kind == "edit" and node.label == "Action":
            part = draw(st.sampled_from(("name", "role", "value", "row")))
            made.append(decided("edit", SITE, [subject], {"action": {part: draw(st.sampled_from(NAMES))}}, at=at(n)))
        elif kind == "edit":
            slots = [p["name"] for p in json.loads(node.properties["parameters"])]
            if slots:
                what = {"slot": draw(st.sampled_from(slots)), "name": draw(st.sampled_from(("one", "other")))}
                made.append(decided("edit", SITE, [subject], what, at=at(n)))
        else:
            others = [k for k in keys if known.nodes[k].label == node.label and k != key]
            if others:
                other = known.subject(draw(st.sampled_from(others)))
                made.append(decided(kind, SITE, [subject, other], {}, at=at(n)))  # type: ignore[arg-type]
    return corpus, made


def program(graph: Graph, root: str) -> dict[str, Any]:
    """A node with all that it calls, as a Revision keeps it."""
    found: dict[str, Any] = {}
    waiting = {root}
    while waiting:
        found |= contents(graph, waiting)
        waiting = {call[1] for key in found for call in found[key]["calls"]} - found.keys()
    return found


@st.composite
def rolled_back(draw: st.DrawFn) -> tuple[list[Evidence], list[Decision]]:
    """A corpus, and subtasks and actions of it that stand as they did when less was known."""
    corpus = draw(corpora)
    earlier = INDUCER.induce(SITE, corpus[: draw(st.integers(1, len(corpus)))])
    known = Standing(INDUCER.induce(SITE, corpus))
    before = Standing(earlier)
    made: list[Decision] = []
    for n, key in enumerate(sorted(before.nodes)):
        now = known.find(before.subject(key)) if before.nodes[key].label != "Task" and draw(st.booleans()) else None
        if now is not None:
            steps = spans_digest(known.spans(now))
            what = {"version": n, "root": key, "nodes": program(earlier, key), "steps": steps}
            made.append(decided("rollback", SITE, [known.subject(now)], what, at=at(n)))
    return corpus, made


def lengths(corpus: Sequence[Evidence]) -> dict[str, int]:
    return {e.trajectory.key: len(e.trajectory.steps) for e in corpus}


def faults(graph: Graph, corpus: Sequence[Evidence]) -> list[laws.Fault]:
    return [*laws.faults(laws.Whole([graph]), graph.nodes, lengths(corpus)), *laws.misplaced(graph)]


LAW = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@LAW
@given(decided_corpora(), st.randoms())
def test_the_order_of_recordings_and_of_decisions_says_nothing(found, random) -> None:  # type: ignore[no-untyped-def]
    corpus, made = found
    graph = INDUCER.induce(SITE, corpus, made)
    recordings, decisions = list(corpus), list(made)
    random.shuffle(recordings)
    random.shuffle(decisions)
    assert comparable(INDUCER.induce(SITE, recordings, decisions)) == comparable(graph)


@LAW
@given(rolled_back())
def test_a_graph_that_was_rolled_back_keeps_every_law_of_the_store(found) -> None:  # type: ignore[no-untyped-def]
    corpus, made = found
    graph = INDUCER.induce(SITE, corpus, made)
    assert faults(graph, corpus) == []
    assert comparable(INDUCER.induce(SITE, corpus[::-1], made[::-1])) == comparable(graph)


@LAW
@given(decided_corpora())
def test_a_graph_that_was_decided_about_keeps_every_law_of_the_store(found) -> None:  # type: ignore[no-untyped-def]
    corpus, made = found
    assert faults(INDUCER.induce(SITE, corpus, made), corpus) == []


@LAW
@given(decided_corpora())
def test_every_step_and_recording_stays_where_it_came_from(found) -> None:  # type: ignore[no-untyped-def]
    corpus, made = found
    before, after = INDUCER.induce(SITE, corpus), INDUCER.induce(SITE, corpus, made)
    kinds = (("Step", "INSTANCE_OF", "Action"), ("Trajectory", "INSTANCE_OF", "Task"))
    for kind in kinds:
        starts = [{r.start for r in graph.relationships if r.kind == kind} for graph in (before, after)]
        assert starts[0] == starts[1]


@LAW
@given(decided_corpora())
def test_decisions_that_are_taken_back_leave_nothing(found) -> None:  # type: ignore[no-untyped-def]
    corpus, made = found
    dormant = [d for d in made if d.kind == "not_a_duplicate"]
    assert comparable(INDUCER.induce(SITE, corpus, dormant)) == comparable(INDUCER.induce(SITE, corpus))


def test_every_node_with_steps_is_found_again_by_them() -> None:
    for site, evidence in (("air.test", AIR), ("rail.test", RAIL)):
        for inducer in (INDUCER, RuleInducer()):
            known = Standing(inducer.induce(site, evidence))
            for key in known.nodes:
                assert known.find(known.subject(key)) == key


def test_a_subject_whose_steps_went_elsewhere_is_not_found() -> None:
    known = Standing(INDUCER.induce("air.test", AIR))
    assert known.find(Subject.of("Action", [("step:1", "step:1")])) is None
    assert known.find(Subject.of("Subtask", [("step:1", "step:2")], "sequence")) is None


def test_the_rule_inducer_does_as_was_decided() -> None:
    rules = RuleInducer()
    known = Standing(rules.induce("air.test", AIR))
    task = min(key for key, node in known.nodes.items() if node.label == "Task")
    made = [decided("rename", "air.test", [known.subject(task)], {"name": "Mine"}, at=at(1))]
    names = {n.properties["name"] for n in rules.induce("air.test", AIR, made).nodes if n.label == "Task"}
    assert "Mine" in names


def test_a_decision_is_what_it_says_who_says_it_and_when() -> None:
    subject = Subject.of("Action", [("step:b", "step:b"), ("step:a", "step:a")])
    one = decided("rename", "air.test", [subject], {"name": "x"}, by="ada", at=at(1), note="n")
    assert one.key == decided("rename", "air.test", [subject], {"name": "x"}, by="ada", at=at(1), note="other").key
    assert one.key != decided("rename", "air.test", [subject], {"name": "x"}, by="ada", at=at(2)).key
    assert subjects_from_json(subjects_to_json(one.subjects)) == one.subjects
    assert one.subjects[0].spans[0] == ("step:a", "step:a")


# -- what is not the same ----------------------------------------------------------------------------------------------


def said(run: str, description: str) -> Evidence:
    """A recorder that only tells what it clicked on."""
    button = Target("button", description, attributes=(("description", description),))
    steps = (fill("Search", f"hats{run}"), Step("click", button))
    return Evidence(Trajectory(f"Find hats{run}", steps, site=SITE, outcome="success", run_id=run), "success")


def clicked(graph: Graph) -> set[str]:
    return {n.properties["name"] for n in graph.nodes if n.label == "Action" and n.properties["op"] == "click"}


def test_controls_that_are_not_the_same_are_not_taken_for_one_wording() -> None:
    corpus = [said("1", "Create button"), said("2", "Create button"), said("3", "Create button at the top")]
    assert len(clicked(INDUCER.induce(SITE, corpus))) == 1
    pair = [Subject.of("Action", [(corpus[n].trajectory.step_key(1),) * 2]) for n in (0, 2)]
    graph = INDUCER.induce(SITE, corpus, [decided("not_a_duplicate", SITE, pair, {}, at=at(1))])
    assert len(clicked(graph)) == 2
    assert faults(graph, corpus) == []


# -- tasks that are not the same ---------------------------------------------------------------------------------------


def told(task: str, run: str) -> Evidence:
    steps = (fill("Search", task.split()[-1]), click("button", "Go"))
    return Evidence(Trajectory(task, steps, site=SITE, outcome="success", run_id=run, template="one"), "success")


def tasks(graph: Graph) -> dict[str, int]:
    return {n.properties["text"]: n.properties["uses"] for n in graph.nodes if n.label == "Task"}


def test_recordings_of_one_task_that_are_not_the_same_are_two_tasks() -> None:
    corpus = [told("Find hats", "1"), told("Find gloves", "2"), told("Search for socks", "3"), told("Find caps", "4")]
    assert list(tasks(INDUCER.induce(SITE, corpus)).values()) == [4]
    pair = [Subject.of("Task", [(corpus[n].trajectory.step_key(0),) * 2]) for n in (0, 2)]
    made = [decided("not_a_duplicate", SITE, pair, {}, at=at(1))]
    graph = INDUCER.induce(SITE, corpus, made)
    assert sorted(tasks(graph).values()) == [1, 3]
    assert faults(graph, corpus) == []
    again = [*made, decided("keep_together", SITE, pair, {}, at=at(2))]
    assert list(tasks(INDUCER.induce(SITE, corpus, again)).values()) == [4]
