"""What must come of the five recordings of the worked example."""

from __future__ import annotations

import json

from graphs import named, texts
from worked_example import AIR, RAIL

from graphmem_induction.graph_inducer import GraphInducer

INDUCER = GraphInducer()
AIR_GRAPH = INDUCER.induce("air.test", AIR)
RAIL_GRAPH = INDUCER.induce("rail.test", RAIL)


def test_the_instructions_become_templates_with_the_slots_of_the_fields() -> None:
    assert texts(AIR_GRAPH, "Task") == {
        "Find a flight from {from} to {to} on {date}",
        "Find a flight from {from} to {to} on {date} and pick the cheapest",
    }
    parameters = json.loads(named(AIR_GRAPH, "Task", "Find a flight from {from} to {to} on {date} and")["parameters"])
    assert [p["type"] for p in parameters] == ["text", "text", "date"]


def test_two_tasks_share_one_subtask_and_the_first_is_that_subtask() -> None:
    search = named(AIR_GRAPH, "Subtask", "Search flights with")
    assert search["uses"] == 3
    ways = [r.end for r in AIR_GRAPH.relationships if r.kind[1] == "HAS_WAY"]
    callers = [r.start for r in AIR_GRAPH.relationships if r.kind[1] == "HAS_SUBTASK" and r.end == search["key"]]
    assert search["key"] in ways
    assert callers == [named(AIR_GRAPH, "Subtask", "Search flights, then Click Select")["key"]]


def test_picking_a_place_is_one_routine_whatever_the_field() -> None:
    pick = named(AIR_GRAPH, "Subtask", "Pick {value} in {field}")
    calls = [
        json.loads(r.properties["bindings"])
        for r in AIR_GRAPH.relationships
        if r.kind[1] == "HAS_SUBTASK" and r.end == pick["key"]
    ]
    assert calls == [
        {"field": {"literal": "From"}, "value": {"slot": "from"}},
        {"field": {"literal": "To"}, "value": {"slot": "to"}},
    ] or calls == [
        {"field": {"literal": "To"}, "value": {"slot": "to"}},
        {"field": {"literal": "From"}, "value": {"slot": "from"}},
    ]


def test_a_notice_that_one_run_met_is_optional_for_all() -> None:
    notice = named(AIR_GRAPH, "Subtask", "If there: Click Accept cookies")
    assert notice["kind"] == "optional"
    assert json.loads(notice["spec"]) == {"when": {"present": {"name": "Accept cookies", "role": "button"}}}


def test_a_date_is_bound_through_a_transform() -> None:
    bindings = [r.properties["bindings"] for r in AIR_GRAPH.relationships if r.kind[1] == "HAS_ACTION"]
    assert '{"value":{"slot":"date","transform":"date:dd.mm.yyyy"}}' in bindings


def test_a_list_of_the_instruction_is_worked_through_by_each() -> None:
    each = next(n for n in RAIL_GRAPH.nodes if n.label == "Subtask" and n.properties["kind"] == "each")
    assert json.loads(each.properties["spec"]) == {"over": "items", "as": "item"}
    task = named(RAIL_GRAPH, "Task", "Cancel the bookings {bookings}")
    assert json.loads(task["parameters"]) == [{"name": "bookings", "type": "list"}]


def test_what_both_sites_do_becomes_general_and_not_before() -> None:
    layer = INDUCER.carry_over({"air.test": AIR_GRAPH, "rail.test": RAIL_GRAPH}, [])
    general = named(layer, "Subtask", "Pick {value} in {field}")
    assert general["general"] is True
    assert general["site"] == ""
    special = {r.start for r in layer.relationships if r.kind == ("Subtask", "SPECIALIZES", "Subtask")}
    assert special == {named(g, "Subtask", "Pick")["key"] for g in (AIR_GRAPH, RAIL_GRAPH)}
    assert INDUCER.carry_over({"air.test": AIR_GRAPH}, []).nodes == ()


def test_forgetting_the_third_recording_removes_its_task_and_leaves_the_rest() -> None:
    graph = INDUCER.induce("air.test", AIR[:2])
    assert texts(graph, "Task") == {"Find a flight from {from} to {to} on {date}"}
