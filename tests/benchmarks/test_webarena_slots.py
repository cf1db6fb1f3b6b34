"""The scorer of templates and slots: on instructions made here, and the order-free and held-out parts on invented runs."""

from __future__ import annotations

import json

import pytest

from benchmarks import slot_measures as measures
from benchmarks import webarena_slots
from benchmarks.frame import data_folder
from benchmarks.slot_systems import Found, System
from benchmarks.webarena_data import FILE, Answers, Run, load
from graphmem.model.trajectory import Trajectory

ORDERS = "Get the total of the last {{N}} {{status}} orders"


def texts(spans, instruction):
    return [instruction[start:end] for start, end in spans]


def gold(template, instruction, **values):
    found = measures.gold_spans(template, instruction, values)
    return None if found is None else texts(found, instruction)


def test_gold_spans_are_what_fills_the_holes_of_the_template():
    assert gold("Show me {{what}} of {{who}}.", "show me the mail of Ann Lee", what="the mail", who="Ann Lee") == [
        "the mail",
        "Ann Lee",
    ]


def test_values_settle_which_word_fills_which_of_two_neighbouring_holes():
    assert gold(ORDERS, "Get the total of the last 5 pending orders", N="5", status="pending") == ["5", "pending"]


def test_a_hole_whose_value_is_said_otherwise_is_what_stands_between_the_words_of_the_template():
    assert gold("top-{{n}} in {{period}}", "Top-1 in 2022", n=1, year=2022) == ["1", "2022"]


def test_a_hole_that_is_filled_with_nothing_is_no_span():
    assert gold("the way to {{place}} {{time}}", "the way to Oslo ", place="Oslo", time="") == ["Oslo"]


def test_what_is_not_of_the_template_has_no_gold():
    assert gold("Cancel order {{id}}", "Delete order 3") is None


def test_pairs_of_one_group_are_right_where_they_are_of_one_task():
    counts = measures.pairs(["a", "a", "a", "b"], [1, 1, 2, 2])
    assert (counts.right, counts.found, counts.wanted) == (1, 3, 2)
    assert counts.f1 == pytest.approx(0.4)


def test_a_word_counts_where_a_span_reaches_into_it_and_edges_of_punctuation_do_not():
    said = 'Find "blue shoes" for $5.'
    assert measures.words_in([(5, 17)], said) == {1, 2}
    assert measures.words_in([(22, 25)], said) == {4}


def test_exact_spans_tell_a_quotation_mark_and_exact_words_do_not():
    said = 'Find "blue shoes" now'
    assert measures.exact_counts([(5, 17)], [(6, 16)], said).right == 0
    assert measures.exact_word_counts([(5, 17)], [(6, 16)], said).f1 == 1.0


def test_an_instruction_is_right_only_when_every_slot_is_and_nothing_else_is_a_slot():
    said = "from Oslo to Rome"
    assert measures.all_right([(5, 9), (13, 17)], [(5, 9), (13, 17)], said)
    assert not measures.all_right([(5, 9)], [(5, 9), (13, 17)], said)
    assert not measures.all_right([(5, 9)], [], said)
    assert measures.all_right([], [], said)


def made(site, task, template_id, line, outcome="success"):
    trajectory = Trajectory(task, (), site=site, outcome=outcome, run_id=str(line))
    return Run(trajectory, Answers(line, "t {{x}}", template_id, json.dumps({"x": task[2:]}), "", line))


def by_length(runs, threshold):
    """A system that puts together whose instructions are about as long."""
    return [Found(len(run.task) // int(threshold)) for run in runs]


def test_what_a_system_fits_is_fitted_on_the_other_sites():
    runs = [made("a", "t " + "x" * n, n // 2, n) for n in range(2, 10)] + [
        made("b", "t " + "x" * n, n // 5, 20 + n) for n in range(3, 13)
    ]
    fitted = webarena_slots.fitted(System("length", by_length, (2.0, 5.0)), runs)
    assert fitted.thresholds() == {"a": 5.0, "b": 2.0}


def test_groups_of_two_sites_are_never_one():
    said = [(made("a", "t x", 1, 0), Found("g")), (made("b", "t x", 1, 1), Found("g"))]
    assert webarena_slots.grouping(said, lambda run: run.answers.template_id).found == 0


def test_a_system_that_goes_by_the_order_is_caught():
    runs = [made("a", f"t {n}", n, n) for n in range(12)]
    halves = System("halves", lambda own, _: [Found(n // 6) for n in range(len(own))])
    alike = System("alike", lambda own, _: [Found(run.task[-1]) for run in own])
    assert not webarena_slots.same_in_any_order(halves, runs, {"a": 0.0}, 1)
    assert webarena_slots.same_in_any_order(alike, runs, {"a": 0.0}, 1)


@pytest.mark.shared
def test_every_instruction_of_the_real_runs_has_gold_spans_that_are_its_values():
    if not (data_folder() / FILE).is_file():
        pytest.skip(f"the measuring data is not at {data_folder()}; set GRAPHMEM_DATA to its folder")
    runs = load()
    spans = [webarena_slots.gold(each) for each in runs]
    assert None not in spans
    as_said = 0
    for each, found in zip(runs, spans, strict=True):
        values = {str(v).strip().casefold() for v in json.loads(each.answers.instantiation).values() if str(v).strip()}
        as_said += {text.casefold() for text in texts(found, each.trajectory.task)} == values
    assert as_said >= 0.97 * len(runs)
