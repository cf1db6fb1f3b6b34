"""Unfolding and the plan as a value: what can be undone, what is read on the way, secrets, text."""

from __future__ import annotations

import json

import pytest

from graphmem.model.identity import canonical
from graphmem.model.plan import ControlStep, Plan, PlanStep, is_undoable
from graphmem.model.target import Target
from graphmem.model.workflow import Action, Child, Constant, FromRead, FromSlot, Parameter, Workflow
from graphmem.store.workflows import Programs
from graphmem_agents.unfold import Setting, unfold

NOTHING = Setting(Programs({}, {}, {}))
TYPE = Action("type", Target(role="textbox", name="Code"), slots=("value",), site="a.test")


@pytest.mark.parametrize(
    ("op", "role", "name", "undoable"),
    [
        ("click", "button", "Cancel selected", False),
        ("click", "link", "DELETE", False),
        ("click", "button", "Place your order", False),
        ("click", "button", "Pay 12 EUR", False),
        ("click", "button", "Search flights", True),
        ("click", "button", "Sender", True),
        ("click", "checkbox", "Send me mail", True),
        ("type", "textbox", "Send to", True),
    ],
)
def test_what_cannot_be_undone_is_learned_from_the_words_of_the_control(
    op: str, role: str, name: str, undoable: bool
) -> None:
    assert is_undoable(op, Target(role=role, name=name)) is undoable


def test_a_step_without_a_target_can_be_undone() -> None:
    assert is_undoable("click", None)


def test_what_an_earlier_step_reads_is_not_missing() -> None:
    read = Workflow("sequence", (Child(TYPE, (("value", FromRead("price")),)),), site="a.test")
    found = unfold(read, {}, (), NOTHING)
    assert found.missing == ()
    assert found.steps[0].value == "{price}"  # type: ignore[union-attr]


def test_a_secret_stays_a_slot_and_is_not_missing() -> None:
    login = Workflow("sequence", (Child(TYPE, (("value", FromSlot("pin")),)),), (Parameter("pin", "secret"),))
    assert unfold(login, {"pin": "{pin}"}, (), NOTHING).missing == ("pin",)
    later = unfold(login, {"pin": "{pin}"}, (), Setting(NOTHING.programs, resolved_later=frozenset({"pin"})))
    assert later.missing == ()
    assert later.steps[0].value == "{pin}"  # type: ignore[union-attr]


def test_control_steps_keep_their_condition_and_the_path_of_their_steps() -> None:
    spec = canonical({"until": {"absent": {"role": "button", "name": "More"}}})
    more = Action("click", Target(role="button", name="More"), site="a.test")
    loop = Workflow("until", (Child(more),), spec=spec, site="a.test")
    outer = Workflow("sequence", (Child(loop), Child(TYPE, (("value", Constant("x")),))), site="a.test")
    found = unfold(outer, {}, ("task:1",), NOTHING)
    control, last = found.steps
    assert isinstance(control, ControlStep)
    assert isinstance(last, PlanStep)
    assert control.to_json()["spec"] == json.loads(spec)
    assert control.steps[0].path == ("task:1", outer.key, loop.key, more.key)  # type: ignore[union-attr]
    assert last.path == ("task:1", outer.key, TYPE.key)
    assert (last.value, last.subtask) == ("x", outer.key)


def test_an_any_order_and_an_each_over_one_item_are_plain_steps() -> None:
    body = Child(TYPE, (("value", FromSlot("item")),))
    each = Workflow("each", (body,), (Parameter("items", "list"),), canonical({"over": "items", "as": "item"}))
    both = Workflow("any_order", (Child(each, (("items", FromSlot("codes")),)), body), (Parameter("codes", "list"),))
    found = unfold(both, {"codes": ("1", "2"), "item": "3"}, (), NOTHING)
    assert [step.value for step in found.steps] == ["1", "2", "3"]  # type: ignore[union-attr]


def test_the_text_of_a_plan_says_what_is_missing_and_what_cannot_be_undone() -> None:
    step = PlanStep("click", Target(role="button", name="Pay"), "", "a.test", "s", ("t", "s", "a"), undoable=False)
    inner = ControlStep("optional", canonical({"when": {"present": {"role": "button", "name": "OK"}}}), (step,))
    found = Plan("pay", "a.test", True, 0.5, "Because.", ("card",), ("fast",), (step, inner))
    assert found.text().splitlines() == [
        "Plan for: pay on a.test (confidence 0.50)",
        '1. click button "Pay"   (cannot be undone)',
        '2. if button "OK" is present:',
        '   2.1. click button "Pay"   (cannot be undone)',
        "Missing: card",
        "Not covered: fast",
        "Because.",
    ]
    assert [act.op for act in found.acts()] == ["click", "click"]
    assert Plan("x", reason="Nearest: y.").text() == "Nothing known fits: x\nNearest: y."
