"""A plan laid over the graph, without a browser: each step with the nodes and the very calls that it came by."""

from __future__ import annotations

import json
from typing import Any

import networkx as nx
from view_graphs import example

from graphmem.model.plan import ControlStep, Plan, PlanStep, Step
from graphmem.model.target import Target
from graphmem.view.payload import payload

SEARCH = ("task:air-find", "subtask:air-search")
PICK = (*SEARCH, "subtask:air-pick")


def act(path: tuple[str, ...], op: str = "click", name: str = "Go", value: str = "", **more: Any) -> PlanStep:
    return PlanStep(op, Target(role="button", name=name), value, "air.test", path[-2], path, **more)


def flight() -> Plan:
    """The plan of a search: the routine that picks a place is called twice."""
    popup = (*SEARCH, "subtask:air-popup", "action:air-cookies")
    steps: tuple[Step, ...] = (
        act((*SEARCH, "action:air-go"), "navigate"),
        ControlStep("optional", '{"when": {"present": {"role": "button", "name": "Accept cookies"}}}', (act(popup),)),
        act((*PICK, "action:air-type"), "type", "From", "Oslo"),
        act((*PICK, "action:air-option"), name="Oslo"),
        act((*PICK, "action:air-type"), "type", "To", "{destination}"),
        act((*PICK, "action:air-option"), name="{destination}"),
        act((*SEARCH, "action:air-search"), name="Cancel search", undoable=False, because="seen 3 times"),
    )
    values = (("origin", "Oslo"),)
    return Plan("Find a flight", "air.test", True, 0.8123, "One task.", ("destination",), ("soon",), steps, values)


def laid(plan: Plan, graph: nx.MultiDiGraph | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
    content = payload(graph or example(), "t", plan=plan)
    json.dumps(content)
    return content["plan"], content


def indexes(content: dict[str, Any], step: dict[str, Any]) -> list[int | None]:
    return [content["edges"][place]["properties"].get("index") for place in step["calls"]]


def test_steps_are_numbered_and_those_of_a_control_step_below_it() -> None:
    plan, _ = laid(flight())
    assert [step["number"] for step in plan["steps"]] == ["1", "2", "2.1", "3", "4", "5", "6", "7"]


def test_a_step_names_the_nodes_of_its_path() -> None:
    plan, content = laid(flight())
    keys = [content["nodes"][place]["key"] for place in plan["steps"][3]["path"]]
    assert keys == [*PICK, "action:air-type"]


def test_the_same_path_taken_twice_comes_by_two_calls() -> None:
    plan, content = laid(flight())
    assert [indexes(content, step) for step in plan["steps"] if not step.get("control")] == [
        [None, 0], [None, 1, 0], [None, 2, 0], [None, 2, 1], [None, 3, 0], [None, 3, 1], [None, 5],
    ]  # fmt: skip


def test_a_control_step_ends_at_its_own_subtask() -> None:
    plan, content = laid(flight())
    control = plan["steps"][1]
    assert control["control"] == "optional"
    assert control["spec"]["when"]["present"]["name"] == "Accept cookies"
    assert content["nodes"][control["path"][-1]]["key"] == "subtask:air-popup"


def test_a_list_that_was_unrolled_goes_through_the_same_call_again_and_again() -> None:
    path = ("task:rail-cancel", "subtask:rail-cancel", "subtask:rail-each", "action:rail-box")
    last = ("task:rail-cancel", "subtask:rail-cancel", "action:rail-cancel")
    plan, content = laid(Plan("Cancel", fits=True, steps=(act(path), act(path), act(path), act(last))))
    assert [indexes(content, step) for step in plan["steps"]] == [*[[None, 1, 0]] * 3, [None, 2]]


def test_what_is_missing_not_covered_or_final_is_said() -> None:
    plan, _ = laid(flight())
    assert plan["missing"] == ["destination"]
    assert plan["unexplained"] == ["soon"]
    assert plan["confidence"] == 0.812
    assert plan["values"] == [["origin", "Oslo"]]
    assert [step["number"] for step in plan["steps"] if step.get("missing")] == ["5", "6"]
    assert [(step["number"], step["because"]) for step in plan["steps"] if step.get("final")] == [("7", "seen 3 times")]


def test_a_path_through_what_the_graph_does_not_hold_keeps_the_rest() -> None:
    graph = example()
    graph.remove_node("subtask:air-pick")
    plan, content = laid(flight(), graph)
    assert [content["nodes"][place]["key"] for place in plan["steps"][3]["path"]] == [*SEARCH, "action:air-type"]
    assert indexes(content, plan["steps"][3]) == [None]


def test_a_plan_that_does_not_fit_has_its_reason_alone() -> None:
    plan, _ = laid(Plan("Order a pizza", reason="Nothing near."))
    assert (plan["fits"], plan["steps"], plan["reason"]) == (False, [], "Nothing near.")


def test_without_a_plan_there_is_none() -> None:
    assert payload(example(), "t")["plan"] is None
