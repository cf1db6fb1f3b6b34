"""A field that is emptied in one recording and filled in others: the empty value comes from nowhere, and is a constant."""

from __future__ import annotations

from graphmem.model.target import Target
from graphmem.model.trajectory import Step, Trajectory
from graphmem_induction.protocol import Evidence
from graphmem_induction.site import induce_site


def step(op: str, name: str, value: str = "") -> Step:
    return Step(op, Target(role="button" if op == "click" else "textbox", name=name), value=value)


def recording(number: int, *steps: Step) -> Evidence:
    made = Trajectory(
        f'Send "item {number}" to the shop', steps, site="a.example", outcome="success", run_id=str(number)
    )
    return Evidence(made, made.verdict)


def test_clearing_a_field_beside_filling_it_is_induced() -> None:
    filled = [
        recording(n, step("type", "Name", f"item {n}"), step("type", "Code", f"code {n}"), step("click", "Send"))
        for n in range(4)
    ]
    cleared = [
        recording(n, step("type", "Name", f"item {n}"), step("type", "Code", ""), step("click", "Send"))
        for n in range(4, 8)
    ]
    ways = [way for task in induce_site("a.example", [*filled, *cleared]) for way in task.ways]
    assert sum(len(way.runs) for way in ways) == 8
    assert all("name='Code'" in repr(way.routine) for way in ways)
