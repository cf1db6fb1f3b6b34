"""The law, through both stores: however recordings came, the graph is a function of their set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from graphs import comparable
from worked_example import R1, R2, R3, R4, R5, click, fill

from graphmem.errors import NotFound
from graphmem.model.graph import Graph
from graphmem.model.trajectory import Step, Trajectory
from graphmem.store import Store, derived, open_store, recordings
from graphmem.store.verify import verify
from graphmem_induction.learn import induce
from graphmem_induction.rule import RuleInducer

EVERYTHING = (R1, R2, R3, R4, R5)


def learn(store: Store, trajectories: Sequence[Trajectory]) -> None:
    recordings.save(store, trajectories)
    induce(store)


def graph(store: Store) -> Any:
    sites = {site: derived.read_site(store, site) for site in recordings.sites(store)}
    return {site: comparable(g) for site, g in sites.items()}, comparable(derived.read_general(store))


def expected() -> Any:
    with_everything = open_store("memory:")
    try:
        learn(with_everything, EVERYTHING)
        return graph(with_everything)
    finally:
        with_everything.close()


def test_one_by_one_in_any_order_is_all_at_once(store: Store) -> None:
    for trajectory in (R4, R2, R5, R3, R1):
        learn(store, [trajectory])
    assert graph(store) == expected()
    assert verify(store)["ok"]


def test_learning_twice_adds_nothing(store: Store) -> None:
    learn(store, EVERYTHING)
    before = graph(store)
    assert recordings.save(store, EVERYTHING) == []
    again = induce(store, everything=True)
    assert not again.added
    assert not again.removed
    assert not again.merged
    assert graph(store) == before


def test_forgetting_gives_the_graph_that_never_saw_it(store: Store) -> None:
    other = replace(R3, task="Find a bus from Oslo to Lyon", run_id="other")
    learn(store, [*EVERYTHING, other])
    recordings.forget(store, other.key)
    induce(store)
    assert graph(store) == expected()
    assert verify(store)["ok"]


def test_a_judgement_of_failure_takes_a_recording_out_and_another_puts_it_back(store: Store) -> None:
    learn(store, EVERYTHING)
    recordings.judge(store, R3.key, "failure", by="ada", at="2027-05-03T10:00:00Z")
    induce(store)
    tasks = {n.properties["text"] for n in derived.read_site(store, "air.test").nodes if n.label == "Task"}
    assert tasks == {"Find a flight from {from} to {to} on {date}"}
    recordings.judge(store, R3.key, "success", by="ada", at="2027-05-04T10:00:00Z")
    induce(store)
    assert graph(store) == expected()


def test_another_inducer_makes_the_whole_graph_anew(store: Store) -> None:
    learn(store, EVERYTHING)
    induce(store, inducer="rule")
    air = derived.read_site(store, "air.test")
    assert not any("{" in n.properties["text"] for n in air.nodes if n.label == "Task")
    assert derived.settings(store)["inducer"] == RuleInducer.name
    assert verify(store)["ok"]
    induce(store, inducer="graph")
    assert graph(store) == expected()


def test_an_older_version_of_the_inducer_is_induced_again(store: Store) -> None:
    learn(store, EVERYTHING)
    derived.set_settings(store, derived.settings(store) | {"inducer_version": 0})
    recordings.save(store, [replace(R1, run_id="again")])
    assert induce(store).sites == 2


def test_an_inducer_that_is_not_there_is_named_with_those_that_are() -> None:
    store = open_store("memory:")
    with pytest.raises(NotFound, match="graph, rule"):
        induce(store, inducer="magic")
    store.close()


# -- across sites ------------------------------------------------------------------------------------------------------


def crossing(name: str, run: str) -> Trajectory:
    steps = (
        fill("Look up", name),
        click("button", "Find"),
        replace(fill("Recipient", name), site="post.test"),
        Step("click", click("button", "Send").target, site="post.test"),
    )
    return Trajectory(f"Look up {name} and write to {name}", steps, site="book.test", outcome="success", run_id=run)


def test_a_task_across_sites_calls_one_subtask_of_each_and_is_on_both(store: Store) -> None:
    learn(store, [crossing("Ada", "1"), crossing("Grace", "2"), crossing("Mary", "3")])
    layer = derived.read_general(store)
    (task,) = [n for n in layer.nodes if n.label == "Task"]
    assert task.properties["text"].startswith("Look up {")
    assert list(task.properties["sites"]) == ["book.test", "post.test"]
    assert task.properties["uses"] == 3
    (way,) = [r.end for r in layer.relationships if r.kind[1] == "HAS_WAY"]
    called = [r for r in layer.relationships if r.kind[1] == "HAS_SUBTASK" and r.start == way]
    owners = {n.key: site for site in ("book.test", "post.test") for n in derived.read_site(store, site).nodes}
    assert [owners[r.end] for r in sorted(called, key=lambda r: r.properties["index"])] == ["book.test", "post.test"]
    assert verify(store)["ok"]


def test_the_sites_of_a_crossing_task_learnt_one_by_one_are_as_at_once(store: Store) -> None:
    runs = [crossing("Ada", "1"), crossing("Grace", "2")]
    for run in reversed(runs):
        learn(store, [run])
    one_by_one = graph(store)
    for run in runs:
        recordings.forget(store, run.key)
    learn(store, runs)
    assert graph(store) == one_by_one


def test_no_recording_leaves_no_graph(store: Store) -> None:
    learn(store, EVERYTHING)
    for trajectory in EVERYTHING:
        recordings.forget(store, trajectory.key)
    induce(store)
    assert recordings.sites(store) == []
    assert derived.read_general(store) == Graph()
