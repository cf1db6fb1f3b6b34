"""Each stage by itself: what cleaning keeps, what is a slot, what is worth a name."""

from __future__ import annotations

import itertools
import random

import pytest
from worked_example import click, fill, go

from graphmem.model.target import Target
from graphmem.model.trajectory import Page, Step, Trajectory
from graphmem_induction.clean import clean
from graphmem_induction.compress import compress
from graphmem_induction.describe import describe
from graphmem_induction.program import Call, Lit, Proto, Ref, Routine
from graphmem_induction.slots import Span, candidates, constants, lift, lists, masked


def kept(*steps: Step) -> list[tuple[str, str]]:
    return [(c.step.op, c.step.value) for c in clean(Trajectory("t", steps))]


# -- clean -------------------------------------------------------------------------------------------------------------


def test_a_click_that_only_focuses_the_field_is_part_of_typing() -> None:
    assert kept(click("textbox", "From"), fill("From", "Oslo"), click("textbox", "From")) == [("type", "Oslo")]


def test_growing_values_are_one_act_and_the_last_value_counts() -> None:
    assert kept(fill("From", "O"), fill("From", "Os"), fill("From", "Oslo")) == [("type", "Oslo")]


def test_keys_one_by_one_are_typing() -> None:
    field = Target("textbox", "Name")
    assert kept(*(Step("press", field, value=c) for c in "Ada"), Step("press", field, value="Enter")) == [
        ("type", "Ada"),
        ("press", "Enter"),
    ]


def test_scrolls_waits_tabs_blank_pages_and_failed_steps_are_noise() -> None:
    noise = [Step("scroll"), Step("wait"), Step("press", value="Tab"), go("about:blank"), Step("click", error="gone")]
    assert kept(*noise, click("button", "Go")) == [("click", "")]


def test_one_event_recorded_twice_is_once_but_two_pages_on_is_twice() -> None:
    def shown(*names: str) -> Page:
        return Page("https://a.test/", "", tuple(Target("button", name) for name in names))

    target = Target("button", "Next")
    twice = [Step("click", target, page=shown("Next")), Step("click", target, page=shown("Next"))]
    moved_on = [Step("click", target, page=shown("Next", "1")), Step("click", target, page=shown("Next", "2"))]
    assert len(kept(*twice)) == 1
    assert len(kept(*moved_on)) == 2


def test_a_box_ticked_twice_is_ticked_twice() -> None:
    page = Page("https://a.test/", "", (Target("checkbox", "All"),))
    box = Step("click", Target("checkbox", "All"), page=page)
    assert len(kept(box, box)) == 2


def test_a_step_that_is_kept_knows_what_it_stands_for() -> None:
    (only,) = clean(Trajectory("t", (click("textbox", "From"), fill("From", "O"), fill("From", "Oslo"))))
    assert only.indexes == (0, 1, 2)
    assert only.index == 2


# -- slots -------------------------------------------------------------------------------------------------------------


def sources(task: str, *steps: Step) -> list[dict[str, tuple[str, str]]]:
    seen = [describe(item) for item in clean(Trajectory(task, steps))]
    fixed = constants([(task, seen)])
    return [{k: (s.text, s.transform) for k, s in item.sources if s.span} for item in lift(task, seen, fixed)]


@pytest.mark.parametrize(
    ("task", "typed", "expected"),
    [
        ("Fly to Oslo", "Oslo", ("Oslo", "")),
        ("Fly to oslo", "OSLO", ("oslo", "upper")),
        ("Fly on 2027-03-09", "09.03.2027", ("2027-03-09", "date:dd.mm.yyyy")),
        ("Fly on March 9th, 2027", "03/09/2027", ("March 9th, 2027", "date:mm/dd/yyyy")),
        ("Meet at 5pm", "17:00", ("5pm", "time:hh:mm")),
        ("For two people", "2", ("two", "number")),
        ('Find "war and peace"', "war and peace", ("war and peace", "")),
    ],
)
def test_a_typed_value_is_a_slot_through_a_transform(task: str, typed: str, expected: tuple[str, str]) -> None:
    assert sources(task, fill("Field", typed)) == [{"value": expected}]


def test_a_value_that_the_instruction_does_not_say_is_no_slot() -> None:
    assert sources("Fly to Oslo", fill("Field", "Os")) == [{}]


def test_two_fields_with_one_value_each_take_their_own_mention() -> None:
    task = "Copy Rome to Rome"
    seen = [describe(item) for item in clean(Trajectory(task, (fill("From", "Rome"), fill("To", "Rome"))))]
    spans = [item.source("value").span for item in lift(task, seen, frozenset())]  # type: ignore[union-attr]
    assert spans == [Span(5, 9), Span(13, 17)]


def test_the_button_of_the_task_is_a_constant_and_the_option_a_slot() -> None:
    found = sources("Search for Hats in Red", fill("Query", "Hats"), click("option", "Red"), click("button", "Search"))
    assert found == [{"value": ("Hats", "")}, {"name": ("Red", "")}, {}]


def test_a_control_that_other_tasks_use_without_naming_it_is_a_constant() -> None:
    named = [describe(item) for item in clean(Trajectory("Open the Hotels page", (click("link", "Hotels"),)))]
    other = [describe(item) for item in clean(Trajectory("Book a room", (click("link", "Hotels"),)))]
    assert lift("Open the Hotels page", named, frozenset())[0].sources
    fixed = constants([("Open the Hotels page", named), ("Book a room", other)])
    assert not lift("Open the Hotels page", named, fixed)[0].sources


def test_of_two_overlapping_values_the_longer_is_the_slot_and_the_other_a_part_of_it() -> None:
    found = sources("Write to Ada Lovelace", fill("Whole name", "Ada Lovelace"), fill("First name", "Ada"))
    assert found == [{"value": ("Ada Lovelace", "")}, {"value": ("Ada Lovelace", "word:1")}]


def test_a_list_is_found_between_commas_and_and() -> None:
    task = "Cancel 1201, 1207 and 1311"
    runs = lists(task, candidates(task))
    assert [[task[s.start : s.end] for s in run] for run in runs] == [["1201", "1207", "1311"]]


def test_wordings_of_one_task_mask_alike() -> None:
    one, other = "Fly from  Oslo to Rome.", "fly from Graz to Linz"
    assert masked(one, [Span(10, 14), Span(18, 22)]) == masked(other, [Span(9, 13), Span(17, 21)])


# -- compress ----------------------------------------------------------------------------------------------------------


def step(name: str) -> Call:
    return Call(Proto("click", "button", name))


def rules(bodies: list[tuple[Call, ...]]) -> list[Routine]:
    rewritten = compress(bodies, [{}] * len(bodies))
    return list({call.node: None for body in rewritten for call in body if isinstance(call.node, Routine)})


def test_a_routine_that_several_ways_share_is_named_once() -> None:
    shared = tuple(step(name) for name in ("Menu", "Account", "Orders", "Filter", "Apply"))
    bodies = [(step(f"a{n}"), *shared, step(f"b{n}")) for n in range(4)]
    assert [r.children for r in rules(bodies)] == [shared]


def test_neighbours_by_chance_are_not_glued() -> None:
    random_ = random.Random(7)
    names = [f"n{n}" for n in range(30)]
    bodies = [tuple(step(random_.choice(names)) for _ in range(6)) for _ in range(150)]
    assert rules(bodies) == []


def test_a_routine_of_routines_calls_them() -> None:
    login = tuple(step(name) for name in ("Log in", "E-mail", "Password", "Send"))
    pay = tuple(step(name) for name in ("Cart", "Checkout", "Card", "Pay"))
    both = login + pay
    bodies = [(step(f"x{n}"), *both, step(f"y{n}")) for n in range(6)]
    bodies += [(step(f"z{n}"), *login, step(f"w{n}")) for n in range(6)]
    found = {r.size: r for r in rules(bodies)}
    assert set(found) == {8, 4}
    assert found[4] in [call.node for call in found[8].children]


def test_slots_bound_alike_everywhere_become_one_parameter() -> None:
    field = Proto("type", "textbox", "Query", slots=("value",))
    result = Proto("click", "link", slots=("name",))
    tail = [step("Open"), step("Save"), step("Close")]

    def way(slot: str, n: int) -> tuple[Call, ...]:
        return (step(f"s{n}"), Call(field, (("value", Ref(slot)),)), Call(result, (("name", Ref(slot)),)), *tail)

    bodies = [way("book", 1), way("film", 2), (*way("song", 3), step("e"))]
    (rule,) = rules(bodies)
    assert [param.name for param in rule.params] == ["query"]


def test_the_same_text_in_every_call_stays_in_the_routine() -> None:
    field = Proto("type", "textbox", "Query", slots=("value",))
    shared = [Call(field, (("value", Lit("all")),)), step("Go"), step("First"), step("Keep")]
    (rule,) = rules([(step(f"s{n}"), *shared) for n in range(3)])
    assert rule.params == ()
    assert rule.children[0].arg("value") == Lit("all")


def test_the_order_of_the_bodies_does_not_matter() -> None:
    one, two = [step(n) for n in "abcd"], [step(n) for n in "bcde"]
    bodies = [tuple(one), (*two, step("f")), (*one, step("g")), tuple(two)]
    expected = set(rules(bodies))
    for shuffled in itertools.permutations(bodies):
        assert set(rules(list(shuffled))) == expected
