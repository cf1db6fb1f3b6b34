"""Templates of tasks: what is one task, what of it varies, and what a recording of it is bound to."""

from __future__ import annotations

import random

import numpy as np
from graphs import texts
from hypothesis import given, settings
from hypothesis import strategies as st
from worked_example import click, fill

from graphmem.model.trajectory import Step, Trajectory
from graphmem_induction.graph_inducer import GraphInducer
from graphmem_induction.protocol import Evidence
from graphmem_induction.slots import Span
from graphmem_induction.template_align import align, align_many
from graphmem_induction.template_groups import Told
from graphmem_induction.template_words import words
from graphmem_induction.templates import tasks

SITE = "shop.test"


def told(*instructions: str) -> list[Told]:
    return [Told(text) for text in instructions]


def grouped(recordings: list[Told]) -> set[frozenset[str]]:
    groups: dict[str, set[str]] = {}
    for each, task in zip(recordings, tasks(recordings), strict=True):
        groups.setdefault(task.group, set()).add(each.instruction)
    return {frozenset(group) for group in groups.values()}


def slots(recordings: list[Told]) -> list[list[str]]:
    found = tasks(recordings)
    return [
        [each.instruction[start:end] for start, end in task.spans] for each, task in zip(recordings, found, strict=True)
    ]


INVITE = ("Invite Ada Byron as a guest to the weather project", "Invite Kim as a guest to the orchard project")
DELETE = ("Delete the oldest comment on page 4", "Delete the longest comment on page 12")
ASK = ("How many parcels left in May 2023?", "How many parcels left in 2022?", "How many parcels left in June 2021?")


# -- words -------------------------------------------------------------------------------------------------------------


def test_quotes_lists_dates_mail_and_numbers_are_one_word_each() -> None:
    said = 'Send "two lines" to [Ada, Kim] and a.b@mail.test on March 5, 2027 or 2027-03-05, top-3 of 13.5%'
    values = [word.text for word in words(said) if word.is_value]
    assert values == ['"two lines"', "[ada, kim]", "a.b@mail.test", "march 5, 2027", "2027-03-05", "3", "13.5%"]


def test_a_plural_and_a_possessive_are_compared_without_their_s() -> None:
    assert [word.key for word in words("Ada's orders")] == ["ada", "order"]


# -- alignment ---------------------------------------------------------------------------------------------------------

lines = st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=7), min_size=2, max_size=2)


@settings(max_examples=200, deadline=None)
@given(lines)
def test_aligning_many_at_once_weighs_the_same_as_aligning_one_pair(pair: list[list[int]]) -> None:
    weights = np.array([0.0, 0.9, 1.3, 2.1, 0.6, 3.0], np.float32)
    one, other = pair
    padded = [np.array([row + [0] * (7 - len(row))]) for row in (one, other)]
    padded[1][padded[1] == 0] = -1
    many = align_many(padded[0], padded[1], weights)[0][: len(one)].tolist()
    alone = align([str(n) for n in one], [str(n) for n in other], {str(n): float(w) for n, w in enumerate(weights)})
    for found in (many, alone):
        matched = [at for at in found if at >= 0]
        assert matched == sorted(set(matched))
        assert all(other[at] == one[n] for n, at in enumerate(found) if at >= 0)
    assert _gain(many, one, weights) == _gain(alone, one, weights)


def _gain(found: list[int], one: list[int], weights: np.ndarray) -> float:
    runs = sum(at >= 0 and (n == 0 or found[n - 1] < 0 or found[n - 1] != at - 1) for n, at in enumerate(found))
    return round(float(sum(weights[one[n]] for n, at in enumerate(found) if at >= 0)) - 0.5 * runs, 3)


# -- groups ------------------------------------------------------------------------------------------------------------


def test_instructions_of_one_task_are_a_group_and_other_tasks_of_the_site_are_not() -> None:
    assert grouped(told(*INVITE, *DELETE, *ASK)) == {frozenset(INVITE), frozenset(DELETE), frozenset(ASK)}


def test_a_further_thing_to_do_is_another_task() -> None:
    search = "Find a train from Ghent to Bruges"
    assert len(grouped(told(search, f"{search} and book the first one", *DELETE))) == 3


def test_a_known_template_groups_whatever_the_words() -> None:
    known = [Told("Invite Ada", known="t1"), Told("Remove page 4", known="t1"), Told("Invite Kim", known="t2")]
    assert [task.group for task in tasks(known)] == ["Invite Ada", "Invite Ada", "Invite Kim"]


@settings(max_examples=30, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_order_of_the_recordings_changes_nothing(shuffler: random.Random) -> None:
    recordings = told(*INVITE, *DELETE, *ASK)
    expected = dict(zip(recordings, tasks(recordings), strict=True))
    shuffled = list(recordings)
    shuffler.shuffle(shuffled)
    assert dict(zip(shuffled, tasks(shuffled), strict=True)) == expected


# -- slots -------------------------------------------------------------------------------------------------------------


def test_what_differs_between_the_instructions_of_a_task_is_its_slots() -> None:
    assert slots(told(*INVITE, *DELETE)) == [
        ["Ada Byron", "weather"],
        ["Kim", "orchard"],
        ["oldest", "4"],
        ["longest", "12"],
    ]


def test_a_date_is_one_slot_and_its_small_words_stay_with_the_task() -> None:
    assert slots(told(*ASK, *DELETE))[:3] == [["May 2023"], ["2022"], ["June 2021"]]


def test_what_several_recordings_say_in_the_same_words_does_not_vary() -> None:
    assert slots(told("Add this lamp to my list", "Add this lamp to my list", *DELETE))[:2] == [[], []]


def test_typed_text_is_a_slot_though_every_instruction_says_it_and_a_chosen_name_is_not() -> None:
    said = [f"Create a private shelf called {name} for Ada" for name in ("Red", "Oak", "Tin")]
    typed = [Told(text, (Span(text.index("Ada"), len(text)),), (Span(9, 16),)) for text in said]
    assert slots([*typed, *told(*DELETE)])[:3] == [["Red", "Ada"], ["Oak", "Ada"], ["Tin", "Ada"]]


def test_slots_of_one_task_have_the_same_numbers_in_every_wording() -> None:
    recordings = told(*INVITE, "Invite Zoe, please, as a guest to bakery project", *DELETE)
    numbers = [[slot.number for slot in task.slots] for task in tasks(recordings)]
    assert numbers[:3] == [[0, 1], [0, 1], [0, 1]]


# -- in the graph ------------------------------------------------------------------------------------------------------


def evidence(task: str, *steps: Step, verdict: str = "success") -> Evidence:
    made = Trajectory(task, steps, site=SITE, outcome=verdict, run_id=task)
    return Evidence(made, made.verdict)


def invite(who: str, where: str, task: str = "Invite {} to the {} project", verdict: str = "success") -> Evidence:
    steps = (click("link", "Projects"), fill("Member", who), click("button", "Invite"))
    return evidence(task.format(who, where), *steps, verdict=verdict)


DELETIONS = [evidence(text, click("link", "Comments"), click("button", "Delete")) for text in DELETE]


def test_several_wordings_of_a_task_are_one_task_with_one_template() -> None:
    corpus = [
        invite("Ada Byron", "weather"),
        invite("Kim", "orchard"),
        invite("Zoe", "bakery", "Please invite {} to the {} project"),
        invite("Bo", "tax"),
        *DELETIONS,
    ]
    assert texts(GraphInducer().induce(SITE, corpus), "Task") == {
        "Invite {member} to the {project} project",
        "Delete the {comment} comment on page {page}",
    }


def test_a_failed_recording_counts_for_the_task_whose_words_it_says_and_shapes_nothing() -> None:
    corpus = [invite("Ada Byron", "weather"), invite("Kim", "orchard"), *DELETIONS]
    failed = [*corpus, invite("Bo", "tax", verdict="failure"), invite("Bo", "tax", "Get {} off {}", verdict="failure")]
    tasks_of = [
        {
            n.properties["text"]: n.properties["failures"]
            for n in GraphInducer().induce(SITE, given).nodes
            if n.label == "Task"
        }
        for given in (corpus, failed)
    ]
    assert tasks_of[0].keys() == tasks_of[1].keys()
    assert tasks_of[1]["Invite {member} to the {project} project"] == 1


def test_a_slot_that_says_more_than_was_typed_shrinks_to_what_was_typed() -> None:
    corpus = [
        evidence(
            f"Disable {name} from the shop, nobody buys it", fill("Keyword", name.split()[0]), click("button", "Off")
        )
        for name in ("Cora pants", "Teton pullover")
    ]
    assert texts(GraphInducer().induce(SITE, [*corpus, *DELETIONS]), "Task") >= {
        "Delete the {comment} comment on page {page}"
    }
