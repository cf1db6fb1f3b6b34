"""The measures of workflows, on recordings so small that every covered step can be counted by hand."""

import pytest

from benchmarks import mind2web_workflows
from benchmarks.workflow_measures import (
    Pattern,
    Read,
    Recording,
    contains,
    greedy_grams,
    is_workflow,
    measured,
    occurrences,
    overlap,
    says,
    shared_runs,
    supported_grams,
)
from graphmem.model.target import Target
from graphmem.model.trajectory import Step, Trajectory
from graphmem.model.workflow import Action, Child, FromSlot, Parameter, Workflow
from graphmem.store import open_store, recordings
from graphmem_induction.learn import induce


def read(name: str, op: str = "click", role: str = "button") -> Read:
    return Read(op, role, name)


def const(name: str, op: str = "click", role: str = "button") -> Pattern:
    return Pattern(op, role, name)


def named_by_slot(role: str = "link") -> Pattern:
    return Pattern("click", role, "", "name")


def recording(*names: str, key: str = "r", site: str = "s", says: str = "") -> Recording:
    return Recording(key, site, says, tuple(read(name) for name in names))


ABCD = tuple(const(name) for name in "abcd")


# -- what a step of a workflow stands for ------------------------------------------------------------------------------


def test_a_constant_step_matches_only_the_same_operation_role_and_name():
    assert const("search").matches(read("search"), "")
    assert not const("search").matches(read("search", op="hover"), "")
    assert not const("search").matches(read("search", role="link"), "")
    assert not const("search").matches(read("search flights"), "")


def test_a_slot_for_a_name_matches_only_names_that_the_instruction_contains():
    assert named_by_slot().matches(read("oslo", role="link"), "a flight to oslo")
    assert not named_by_slot().matches(read("rome", role="link"), "a flight to oslo")
    assert not named_by_slot().matches(read("oslo", role="button"), "a flight to oslo")


def test_a_slot_for_anything_but_a_name_matches_nothing():
    assert not Pattern("click", "button", "select", "place").matches(read("select"), "select")


def test_an_instruction_says_whole_words_and_never_the_empty_name():
    assert says("book two (2) seats", "(2)")
    assert not says("pay in cash", "as")
    assert not says("anything", "")


# -- what a workflow is ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "counts"),
    [
        (ABCD[:2], True),
        (ABCD[:1], False),
        ((const("a"), named_by_slot(), const("b"), named_by_slot()), True),
        ((const("a"), named_by_slot(), const("b"), named_by_slot(), named_by_slot()), False),
        ((const("a"), named_by_slot()), False),
        (tuple(const(str(n)) for n in range(8)), True),
        (tuple(const(str(n)) for n in range(9)), False),
    ],
)
def test_a_workflow_has_two_to_eight_steps_half_of_them_and_two_constant(steps, counts):
    assert is_workflow(steps) is counts


# -- what it covers ----------------------------------------------------------------------------------------------------


def test_a_workflow_covers_exactly_the_steps_that_it_matches_in_a_row():
    assert occurrences(ABCD, recording("x", "a", "b", "c", "d", "y")) == {1, 2, 3, 4}


def test_half_of_a_workflow_is_an_occurrence_wherever_in_it_the_half_lies():
    assert occurrences(ABCD, recording("c", "d", "x")) == {0, 1}
    assert occurrences(ABCD, recording("b", "c", "x")) == {0, 1}


def test_less_than_half_of_a_workflow_covers_nothing():
    five = (*ABCD, const("e"))
    assert occurrences(five, recording("a", "b", "x")) == set()
    assert occurrences(five, recording("a", "b", "c")) == {0, 1, 2}


def test_a_step_in_between_breaks_a_row():
    assert occurrences(ABCD[:3], recording("a", "x", "b", "y", "c")) == set()
    assert occurrences(ABCD, recording("a", "b", "x", "c", "d")) == {0, 1, 3, 4}


def test_an_occurrence_needs_two_constant_steps():
    workflow = (const("a"), named_by_slot("button"), const("b"), const("c"))
    assert occurrences(workflow, recording("a", "oslo", "x", says="to oslo")) == set()
    assert occurrences(workflow, recording("a", "oslo", "b", says="to oslo")) == {0, 1, 2}
    assert occurrences(workflow, recording("a", "oslo", "b", says="to rome")) == set()


def test_every_occurrence_in_a_recording_counts():
    assert occurrences(ABCD[:2], recording("a", "b", "x", "a", "b")) == {0, 1, 3, 4}


def test_a_recording_contains_a_workflow_only_whole():
    assert contains(ABCD, recording("x", "a", "b", "c", "d"))
    assert not contains(ABCD, recording("a", "b", "c", "x"))
    assert not contains(ABCD, recording("a", "b"))


# -- overlap -----------------------------------------------------------------------------------------------------------


def test_overlap_counts_runs_of_two_or_more_that_a_pair_has_in_common():
    xy = (const("x"), const("y"))
    assert shared_runs(ABCD, (const("b"), const("c"), const("x"))) == 1
    assert shared_runs(ABCD, (const("a"), const("x"), const("b"))) == 0
    assert shared_runs((*ABCD, *xy), (*xy, *ABCD[:2])) == 2
    assert overlap([ABCD, ABCD[1:3], xy]) == pytest.approx(1 / 3)


def test_a_run_inside_a_longer_shared_run_is_not_counted_again():
    a, b = const("a"), const("b")
    assert shared_runs((a, b, a, b), (a, b, a, b)) == 1


# -- the measures of a memory ------------------------------------------------------------------------------------------


def test_measures_of_a_memory_with_one_workflow_used_by_one_of_two_recordings():
    tests = [
        recording("a", "b", "x", "y", key="1"),
        recording("x", "y", key="2"),
        recording("a", "b", key="3", site="t"),
    ]
    found = measured({"s": [ABCD[:2], ABCD[2:]]}, tests, ["s", "t"])
    assert found.numbers == [2.0, 0.0]
    assert found.coverage == [[1.0, 1.0, 0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    assert found.utility == [1.0, 0.0, 0.0]
    assert found.used == [[1.0, 0.0]]
    assert found.overlap == [0.0]


# -- n-grams -----------------------------------------------------------------------------------------------------------


def test_ngrams_need_two_recordings_that_contain_them_whole():
    both = [
        recording("a", "b", "c", key="1"),
        recording("x", "a", "b", key="2"),
        recording("b", "c", "b", "c", key="3"),
    ]
    assert {"".join(p.name for p in gram) for gram in supported_grams(both)} == {"ab", "bc"}


def test_greedy_ngrams_take_the_most_covering_first_and_stop_when_nothing_is_added():
    training = [recording("a", "b", "c", "d", key=str(n)) for n in range(2)] + [
        recording("x", "y", key=str(n)) for n in "34"
    ]
    (chosen,) = greedy_grams(training).values()
    assert ["".join(p.name for p in gram) for gram in chosen] == ["abcd", "xy"]
    assert len(greedy_grams(training, most=1)["s"]) == 1


# -- from a graph ------------------------------------------------------------------------------------------------------


def test_called_workflows_are_unfolded_and_slots_for_values_stay_constant():
    field = Action("type", Target(role="textbox", name="From"), slots=("value",), site="s")
    choice = Action("click", Target(role="option"), slots=("name",), site="s")
    place = (Parameter("place"),)
    pick = Workflow(
        "sequence",
        (Child(field, (("value", FromSlot("place")),)), Child(choice, (("name", FromSlot("place")),))),
        place,
        site="s",
    )
    search = Action("click", Target(role="button", name="Search"), site="s")
    whole = Workflow("sequence", (Child(pick, (("place", FromSlot("place")),)), Child(search)), place, site="s")
    assert mind2web_workflows.patterns(whole) == (
        Pattern("type", "textbox", "from"),
        Pattern("click", "option", "", "name"),
        Pattern("click", "button", "search"),
    )


def raw(op="CLICK", label="Go", role="button", **more):
    return {"op": op, "label": label, "role": role, **more}


def test_the_fixed_reader_keeps_every_step_and_folds_case_and_glyphs():
    steps = [
        raw(label="Where to", role="textbox"),
        raw("TYPE", "Where to", "textbox", value="Oslo"),
        raw(label="Go \uf078"),
    ]
    found = mind2web_workflows.recording({"id": "1", "website": "s", "task": "To  Oslo", "steps": steps})
    assert found.instruction == "to oslo"
    assert found.steps == (
        Read("click", "textbox", "where to"),
        Read("type", "textbox", "where to"),
        Read("click", "button", "go"),
    )


def test_the_fixed_reader_names_an_unlabelled_element_by_its_attributes_but_never_by_a_made_up_id():
    named = raw(label="", target={"aria_label": "Swap", "id": "ui-id-2741"})
    made_up, durable = raw(label="", target={"id": "ui-id-2741"}), raw(label="", target={"id": "swap"})
    record = {"id": "1", "website": "s", "task": "t", "steps": [named, made_up, durable]}
    assert [step.name for step in mind2web_workflows.recording(record).steps] == ["swap", "", "swap"]


def _trip(place: str, key: str) -> Trajectory:
    steps = (
        Step("click", Target(role="link", name="Boats")),
        Step("type", Target(role="textbox", name="Harbour"), value=place),
        Step("click", Target(role="button", name="Find boats")),
    )
    return Trajectory(f"Find a boat in {place}", steps, site="s", run_id=key)


def test_workflows_are_read_from_the_store_with_the_support_of_two_recordings():
    places = ["Bergen", "Oslo", "Bodo"]
    store = open_store("memory:")
    try:
        recordings.save(store, [_trip(place, str(n)) for n, place in enumerate(places)])
        induce(store, inducer="graph")
        whole = (const("boats", role="link"), Pattern("type", "textbox", "harbour"), const("find boats"))
        assert mind2web_workflows.workflows(store, "s", []) == [whole]
        # The rule inducer keeps one of recordings with equal steps: the other ones are found among the recordings.
        induce(store, inducer="rule")
        assert mind2web_workflows.workflows(store, "s", []) == []
        steps = (read("boats", role="link"), read("harbour", "type", "textbox"), read("find boats"))
        twice = [Recording(str(n), "s", "", steps) for n in range(2)]
        assert mind2web_workflows.workflows(store, "s", twice) == [whole]
    finally:
        store.close()
