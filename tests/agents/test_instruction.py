"""Reading an instruction: clauses in order, values, and a template laid against it."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.workflow import Parameter
from graphmem_agents.align import align
from graphmem_agents.instruction import candidates, clauses
from graphmem_agents.words import masked, tokens

FLIGHT = "Find a flight from {origin} to {destination} on {date}"
TRIP = (Parameter("origin"), Parameter("destination"), Parameter("date", "date"))


def texts(instruction: str) -> list[str]:
    return [clause.text for clause in clauses(instruction)]


def test_clauses_come_in_order_without_their_words_of_order() -> None:
    told = "Find a flight from Oslo to Rome on 2027-06-01, pick the cheapest, then cancel my booking 1207"
    assert texts(told) == [
        "Find a flight from Oslo to Rome on 2027-06-01",
        "pick the cheapest",
        "cancel my booking 1207",
    ]


@pytest.mark.parametrize(
    ("told", "order"),
    [
        ("Before cancelling the order, print the receipt", ["print the receipt", "cancelling the order"]),
        ("Write a note after adding milk to the cart", ["adding milk to the cart", "Write a note"]),
        ("Log in. Then open the inbox", ["Log in", "open the inbox"]),
    ],
)
def test_before_and_after_are_put_in_the_order_of_doing(told: str, order: list[str]) -> None:
    assert texts(told) == order


def test_a_list_a_quotation_and_a_time_are_not_cut() -> None:
    assert texts("Cancel the bookings 1201, 1207 and 1311") == ["Cancel the bookings 1201, 1207 and 1311"]
    assert texts('Add "black shoes, then socks" to the cart') == ['Add "black shoes, then socks" to the cart']
    assert texts("Meet Ann after 5pm") == ["Meet Ann after 5pm"]


def test_values_are_found_with_their_kinds() -> None:
    told = tokens('Email "Hi there" to bob@x.org and Ann Lee on March 9, 2027 at 18:30 for 1201, 1207 and 1311')
    found = {(c.kind, c.items) for c in candidates(told)}
    assert {
        ("quoted", ("Hi there",)),
        ("address", ("bob@x.org",)),
        ("name", ("Ann Lee",)),
        ("date", ("March 9, 2027",)),
        ("time", ("18:30",)),
        ("list", ("1201", "1207", "1311")),
    } <= found


@given(st.text(max_size=80))
def test_no_text_breaks_the_reader_and_clauses_hold_no_more_than_was_said(text: str) -> None:
    for clause in clauses(text):
        assert clause.text in text
    align(FLIGHT, TRIP, text)
    masked(text)


@given(
    st.sampled_from(["Oslo", "New York", "Bergen", "San Jose"]),
    st.sampled_from(["Rome", "Paris", "Los Angeles"]),
    st.dates(min_value=date(2000, 1, 1), max_value=date(2199, 12, 31)),
)
def test_a_template_reads_back_what_was_put_into_it(origin: str, destination: str, day: date) -> None:
    values = {"origin": origin, "destination": destination, "date": str(day)}
    found = align(FLIGHT, TRIP, FLIGHT.format(**values))
    assert dict(found.values) == values
    assert (found.said, found.covered, found.bound, found.leftover) == (1.0, 1.0, 1.0, ())


@pytest.mark.parametrize(
    "told",
    [
        "I want to fly to Rome from Oslo on March 9, 2027",
        "On March 9, 2027 get me a flight to Rome from Oslo, please",
        "flight Oslo on March 9, 2027: from Oslo to Rome",
    ],
)
def test_slots_are_bound_in_another_order_of_words(told: str) -> None:
    assert dict(align(FLIGHT, TRIP, told).values) == {"origin": "Oslo", "destination": "Rome", "date": "March 9, 2027"}


def test_a_list_slot_takes_every_item_and_only_items() -> None:
    bookings = (Parameter("bookings", "list"),)
    for told, items in [
        ("Cancel the bookings 1201, 1207 and 1311", ("1201", "1207", "1311")),
        ("cancel my booking 1207", ("1207",)),
        ("Cancel the bookings blue and green", ("blue", "green")),
    ]:
        assert dict(align("Cancel the bookings {bookings}", bookings, told).values) == {"bookings": items}


def test_what_the_template_does_not_cover_is_left_over() -> None:
    train = (Parameter("departure"), Parameter("arrival"))
    found = align("Train from {departure} to {arrival}", train, "Go from Graz to Linz by train tomorrow")
    assert dict(found.values) == {"departure": "Graz", "arrival": "Linz"}
    assert found.leftover == ("tomorrow",)


def test_a_foreign_instruction_fills_no_slot() -> None:
    found = align(FLIGHT, TRIP, "Water the plants")
    assert (found.values, found.said) == ((), 0.0)


def test_a_date_slot_takes_no_word_that_is_no_date() -> None:
    found = align(FLIGHT, TRIP, "Find a flight from Oslo to Rome on foot")
    assert "date" not in dict(found.values)


def test_entities_are_masked_and_words_are_not() -> None:
    told = "Find a flight from Oslo to New York on 2027-03-09"
    assert masked(told) == masked(FLIGHT) == "Find a flight from X to X on X"
