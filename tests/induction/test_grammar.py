"""The grammar core on plain symbols: what it finds, what it leaves alone, and that no order matters."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem_induction.grammar import Body, Maybe, Open, Repeat, Use, flat, leaves, shuffle
from graphmem_induction.grammar_bodies import ends, shared, written
from graphmem_induction.grammar_code import fillers, flags, length
from graphmem_induction.grammar_learn import learn

#: 40 symbols of 4 classes, then 60 fillers of the class 0.
CLASSES = [n % 4 for n in range(40)] + [0] * 60


def bodies(sequences: list[list[int]]) -> set[Body]:
    found = learn(sequences, CLASSES)
    return {found.flat(rule) for rule in found.rules}


def around(random_: random.Random, inner: list[int]) -> list[int]:
    """A routine with two steps of noise on either side."""
    noise = [random_.randrange(20, 40) for _ in range(4)]
    return [*noise[:2], *inner, *noise[2:]]


def test_a_run_that_many_sequences_share_is_a_rule() -> None:
    draw = random.Random(1)
    assert bodies([around(draw, [1, 2, 3, 4]) for _ in range(30)]) == {(1, 2, 3, 4)}


def test_a_rule_is_seen_through_a_foreign_step() -> None:
    draw = random.Random(2)
    sequences = [around(draw, [1, 2, 3, 4]) for _ in range(60)]
    for sequence in sequences[::5]:
        sequence.insert(draw.choice((3, 4, 5)), draw.randrange(20, 40))
    assert bodies(sequences) == {(1, 2, 3, 4)}
    found = learn(sequences, CLASSES)
    assert sum(len(places) for places in found.places) == 60


def test_a_name_that_varies_is_left_open() -> None:
    draw = random.Random(3)
    assert bodies([around(draw, [1, 2, 40 + draw.randrange(60), 4]) for _ in range(60)]) == {(1, 2, Open(0), 4)}


def test_a_step_that_some_leave_out_is_optional() -> None:
    draw = random.Random(4)
    sequences = [around(draw, [1, 2, 3, 4, 5] if n % 3 else [1, 2, 4, 5]) for n in range(90)]
    assert bodies(sequences) == {(1, 2, Maybe(3), 4, 5)}


def test_neighbours_by_chance_are_no_rule() -> None:
    draw = random.Random(5)
    assert bodies([[draw.randrange(40) for _ in range(6)] for _ in range(300)]) == set()


def test_routines_in_any_sequence_are_not_glued() -> None:
    draw = random.Random(6)
    routines = [[5 * n + k for k in range(5)] for n in range(6)]
    sequences = [[s for _ in range(3) for s in draw.choice(routines)] for _ in range(200)]
    assert bodies(sequences) == {tuple(routine) for routine in routines}


@settings(max_examples=15, deadline=None)
@given(st.lists(st.lists(st.integers(0, 7), max_size=9), max_size=14), st.randoms(use_true_random=False))
def test_the_order_of_the_sequences_does_not_matter(sequences: list[list[int]], shuffler: random.Random) -> None:
    shuffled = list(sequences)
    shuffler.shuffle(shuffled)
    assert bodies(shuffled) == bodies(sequences)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.lists(st.integers(0, 5), max_size=9), max_size=14))
def test_occurrences_are_in_order_and_take_what_they_say(sequences: list[list[int]]) -> None:
    found = learn(sequences, CLASSES)
    for sequence, places in zip(sequences, found.places, strict=True):
        at = 0
        for one in places:
            assert at <= one.start < one.end <= len(sequence)
            at = one.end
            parts = leaves(found.flat(one.rule))
            for symbol, leaf in zip(sequence[one.start : one.end], one.taken, strict=True):
                item = parts[leaf] if leaf >= 0 else symbol
                assert item == symbol or item == Open(CLASSES[symbol])


@pytest.mark.parametrize(
    ("pattern", "body", "expected"),
    [
        ((1, Maybe(2), 3), (1, 3), {2}),
        ((1, Maybe(2), 3), (1, 2, 3), {3}),
        ((1, Maybe(2), 3), (1, Maybe(2), 3), {3}),
        ((Repeat((1, 2)), 3), (1, 2, 1, 2, 3), {5}),
        ((shuffle((1, 2)), 3), (2, 1, 3), {3}),
        ((1, 2), (1, 3), set()),
    ],
)
def test_a_body_is_one_way_to_do_a_pattern(pattern: Body, body: Body, expected: set[int]) -> None:
    assert set(ends(pattern, body, 0)) == expected


def test_a_body_is_written_with_the_shorter_rules_that_say_it() -> None:
    rules = {0: (1, 2, 3), 1: (7, 1, 2, 3, 8)}
    assert written(rules)[1] == (7, Use(0), 8)
    assert flat(written(rules)[1], written(rules)) == rules[1]


def test_what_is_optional_in_a_caller_is_optional_in_what_it_calls() -> None:
    assert shared({0: (1, 2, 3), 1: (7, 1, Maybe(2), 3, 8)})[0] == (1, Maybe(2), 3)


def test_code_lengths_depend_on_counts_alone_and_a_sure_thing_costs_little() -> None:
    assert length([3, 1], 2) == pytest.approx(length([1, 3], 2))
    assert flags(0, 50) < 5 < flags(25, 25)
    assert fillers([20]) < fillers([1] * 20)
