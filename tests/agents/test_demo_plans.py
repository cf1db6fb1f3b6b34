"""Plans on the recordings that ship with the package: what a newcomer sees first must be right."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files

import pytest

from graphmem import Memory
from graphmem.model.plan import Plan


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with Memory.open("memory:") as opened:
        opened.learn(str(files("graphmem").joinpath("demo_data")))
        yield opened


def acts(plan: Plan) -> list[str]:
    return [f"{step.op} {step.target.name if step.target else ''} {step.value}".strip() for step in plan.acts()]


def test_a_task_that_is_said_whole_comes_before_a_longer_one_with_the_better_record(memory: Memory) -> None:
    plan = memory.plan("Find a flight from Trondheim to Lisbon on 2027-09-14")
    assert plan.fits
    assert not plan.missing
    assert acts(plan)[-2:] == ["type Date 14.09.2027", "click Search flights"]


def test_what_is_asked_for_on_top_is_done_on_top(memory: Memory) -> None:
    plan = memory.plan("Find a flight from Trondheim to Lisbon on 2027-09-14 and pick the cheapest")
    assert acts(plan)[-1] == "click Select"


def test_a_list_is_worked_through_and_the_last_click_cannot_be_undone(memory: Memory) -> None:
    plan = memory.plan("Cancel the bookings 7001, 7002, 7003 and 7004")
    rows = [step.target.near.row for step in plan.acts() if step.target and step.target.near.row]
    assert rows == ["7001", "7002", "7003", "7004"]
    assert not [*plan.acts()][-1].undoable


def test_a_secret_stays_a_slot_and_is_said_nowhere_again(memory: Memory) -> None:
    plan = memory.plan("Log in as kim@post.example with password hunter2 and check in for booking ZZ9PLX")
    assert "hunter2" not in plan.text() + str(plan.to_json())
    assert "type Password {password}" in acts(plan)


def test_watering_plants_fits_nothing(memory: Memory) -> None:
    plan = memory.plan("Water the plants")
    assert not plan.fits
    assert not plan.steps


def test_tasks_that_begin_alike_and_go_on_to_other_things_are_two(memory: Memory) -> None:
    names = memory.cypher("MATCH (t:Task) WHERE t.text STARTS WITH 'Log in as' RETURN t.text AS text").rows
    assert sorted(what for row in names for what in ("check in", "change the seat") if what in row["text"]) == [
        "change the seat",
        "check in",
    ]
