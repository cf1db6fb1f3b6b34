"""Plans of the worked example, on both stores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import networkx as nx
import pytest
from example_graph import AIR, CANCEL_TASK, CHEAPEST_TASK, FLIGHT_TASK, GENERAL, RAIL, TASKS, TRAIN_TASK, write_example

from graphmem.memory.hierarchy import hierarchy
from graphmem.model.plan import ControlStep, Plan, PlanStep
from graphmem.store import Store
from graphmem_agents.compose import plan

BOTH = "Find a flight from Oslo to Rome on 2027-06-01, pick the cheapest, then cancel my booking 1207"
TRAIN = "Go from Graz to Linz by train tomorrow"
TFIDF = {"GRAPHMEM_EMBEDDER": "tfidf"}


@pytest.fixture
def example(store: Store) -> Store:
    write_example(store)
    return store


def made(store: Store, task: str, site: str | None = None, **values: str) -> Plan:
    return plan(store, task, site=site, values=values, environ=TFIDF)


def acts(found: Plan) -> list[tuple[str, str, str]]:
    return [(step.op, step.target.called() if step.target else "", step.value) for step in found.acts()]


def leaves(graph: nx.MultiDiGraph, steps: tuple[PlanStep | ControlStep, ...]) -> Iterator[PlanStep]:
    for step in steps:
        if isinstance(step, PlanStep):
            yield step
        else:
            yield from leaves(graph, step.steps)


@pytest.mark.parametrize(("task", "site"), [(BOTH, None), (TRAIN, RAIL), (TRAIN, "bus.test")])
def test_every_path_of_a_plan_exists_in_the_store(example: Store, task: str, site: str | None) -> None:
    graph = hierarchy(example)
    found = list(leaves(graph, made(example, task, site).steps))
    assert found
    for step in found:
        for above, below in zip(step.path, step.path[1:], strict=False):
            types = {data["type"] for data in graph.get_edge_data(above, below).values()}
            assert types <= {"HAS_WAY", "HAS_SUBTASK", "HAS_ACTION"}
        assert step.subtask == step.path[-2]
        assert graph.nodes[step.path[-1]]["label"] == "Action"
        assert graph.nodes[step.path[-1]]["op"] == step.op


def test_slots_are_bound_through_every_level_and_transform(example: Store) -> None:
    found = made(example, "Find a flight from Oslo to Rome on 2027-06-01")
    assert (found.fits, found.missing, found.unexplained, found.site) == (True, (), (), AIR)
    assert acts(found) == [
        ("navigate", "", "https://air.test/"),
        ("click", "Accept cookies", ""),
        ("type", "From", "Oslo"),
        ("click", "Oslo", ""),
        ("type", "To", "Rome"),
        ("click", "Rome", ""),
        ("type", "Date", "01.06.2027"),
        ("click", "Search flights", ""),
    ]
    optional = found.steps[1]
    assert isinstance(optional, ControlStep)
    assert optional.op == "optional"
    assert found.steps[0].path[0] == FLIGHT_TASK.key  # type: ignore[union-attr]
    assert found.confidence > 0.8


def test_a_slot_without_a_value_is_named_and_the_plan_still_fits(example: Store) -> None:
    found = made(example, "Find a flight from Oslo to Rome")
    assert (found.fits, found.missing) == (True, ("date",))
    assert ("type", "Date", "{date}") in acts(found)
    assert found.confidence < made(example, "Find a flight from Oslo to Rome on 2027-06-01").confidence


def test_a_value_that_is_given_wins_over_what_was_read(example: Store) -> None:
    found = made(example, "Find a flight from Oslo to Rome", date="2027-01-02", origin="Bergen")
    assert found.missing == ()
    assert {("type", "Date", "02.01.2027"), ("type", "From", "Bergen")} <= set(acts(found))
    assert "colour" in made(example, "Find a flight from Oslo to Rome", colour="red").reason


def test_two_tasks_on_two_sites_are_composed_in_order(example: Store) -> None:
    found = made(example, BOTH)
    assert [step.path[0] for step in found.acts()][::9] == [CHEAPEST_TASK.key, CANCEL_TASK.key]
    assert list(dict.fromkeys(step.site for step in found.acts())) == [AIR, RAIL]
    assert (found.missing, found.unexplained) == ((), ())
    final = [step.target.called() for step in found.acts() if not step.undoable and step.target]
    assert final == ["Cancel selected"]
    assert "cannot be undone" in found.text().splitlines()[-2]


def test_a_known_list_is_unfolded_and_an_unknown_one_stays_a_loop(example: Store) -> None:
    rows = [
        step.target.near.row for step in made(example, "Cancel the bookings 1201, 1207 and 1311").acts() if step.target
    ]
    assert rows[:3] == ["1201", "1207", "1311"]
    loop = made(example, "Cancel the bookings").steps[1]
    assert isinstance(loop, ControlStep)
    assert (loop.op, made(example, "Cancel the bookings").missing) == ("each", ("bookings",))
    assert loop.to_json() == {
        "op": "each",
        "spec": {"over": "items", "as": "booking"},
        "steps": [loop.steps[0].to_json()],
    }


def test_what_nothing_covers_is_unexplained(example: Store) -> None:
    found = made(example, TRAIN, RAIL)
    assert (found.fits, found.unexplained) == (True, ("tomorrow",))
    assert ("type", "Departure", "Graz") in acts(found)
    assert ("type", "Arrival", "Linz") in acts(found)
    half = made(example, "Find a flight from Oslo to Rome on 2027-06-01 and feed the cat")
    assert (half.fits, half.unexplained) == (True, ("feed the cat",))


@pytest.mark.parametrize("site", [None, RAIL, "bus.test"])
def test_watering_the_plants_fits_nothing(example: Store, site: str | None) -> None:
    found = made(example, "Water the plants", site)
    assert (found.fits, found.steps, found.confidence) == (False, (), 0.0)
    assert "Nearest" in found.reason


def test_an_empty_memory_fits_nothing(store: Store) -> None:
    found = made(store, TRAIN)
    assert (found.fits, found.reason) == (False, "Nothing is known yet.")


def test_a_site_never_seen_gets_the_general_way_with_low_confidence(example: Store) -> None:
    found = made(example, TRAIN, "bus.test")
    assert acts(found) == [
        ("type", "Departure", "Graz"), ("click", "Graz", ""), ("type", "Arrival", "Linz"), ("click", "Linz", "")
    ]  # fmt: skip
    assert {step.path[0] for step in found.acts()} == {GENERAL.key}
    assert {step.site for step in found.acts()} == {"bus.test"}
    assert found.confidence < 0.4
    assert "bus.test is not known" in found.reason
    assert found.unexplained == ("tomorrow",)


def test_a_site_never_seen_gets_nothing_where_nothing_is_general(store: Store) -> None:
    write_example(store, general=False)
    found = made(store, TRAIN, "bus.test")
    assert (found.fits, found.steps) == (False, ())
    assert "nothing is general" in found.reason


def test_a_quarantined_task_is_never_planned(store: Store) -> None:
    write_example(store, [replace(task, status="quarantined") if task is TRAIN_TASK else task for task in TASKS])
    assert TRAIN_TASK.key not in {step.path[0] for step in made(store, TRAIN, RAIL).acts()}


def test_of_two_ways_alike_the_one_that_works_is_taken(store: Store) -> None:
    other = replace(TRAIN_TASK, text="Train from {departure} to {arrival}", site=AIR, successes=1, failures=8)
    write_example(store, [other, TRAIN_TASK])
    assert {step.path[0] for step in made(store, "Train from Graz to Linz").acts()} == {TRAIN_TASK.key}


def test_the_json_of_a_plan_is_what_was_promised(example: Store) -> None:
    document = made(example, BOTH).to_json()
    assert set(document) == {
        "schema", "task", "site", "fits", "confidence", "reason", "missing", "unexplained", "steps"
    }  # fmt: skip
    assert document["schema"] == "graphmem.plan/1"
    assert set(document["steps"][0]) == {"op", "target", "value", "site", "subtask", "path", "undoable", "because"}
    option = document["steps"][3]["target"]
    assert option == {"role": "option", "name": "Oslo", "match": "starts"}
    assert all(step["because"] for step in document["steps"] if "because" in step)
