"""What a memory expects next: on graphs induced from a few recordings."""

import pytest

from graphmem.model.target import Target
from graphmem.model.trajectory import Step, Trajectory
from graphmem.store import open_store, recordings
from graphmem_agents.next_step import Habits, expected, habits, joined, known_as, read
from graphmem_induction.graph_inducer import GraphInducer
from graphmem_induction.learn import induce
from graphmem_induction.protocol import Evidence

BOATS = Step("click", Target(role="link", name="Boats"))
TRAINS = Step("click", Target(role="link", name="Trains"))
FIND = Step("click", Target(role="button", name="Find"))
SORT = Step("click", Target(role="button", name="Sort by price"))
MAP = Step("click", Target(role="button", name="Map"))


def harbour(place: str) -> Step:
    return Step("type", Target(role="textbox", name="Harbour"), value=place)


def trajectory(task: str, *steps: Step, key: str, site: str = "sea.test") -> Trajectory:
    return Trajectory(task, steps, site=site, run_id=key, outcome="success")


RECORDED = [
    trajectory("Rent a boat in Bergen", BOATS, harbour("Bergen"), FIND, key="1"),
    trajectory("Rent a boat in Oslo", BOATS, harbour("Oslo"), FIND, key="2"),
    trajectory("Show the cheapest boat of Bodo", BOATS, harbour("Bodo"), FIND, SORT, key="3"),
    trajectory("Where do trains go", TRAINS, MAP, key="4"),
]


def site_habits(*recorded: Trajectory) -> Habits:
    evidence = [Evidence(each, each.verdict) for each in recorded]
    return habits(GraphInducer().induce("sea.test", evidence))


@pytest.fixture(scope="module")
def memory() -> Habits:
    return site_habits(*RECORDED)


def names(memory: Habits, shares: dict[int, float]) -> dict[str, float]:
    return {memory.actions[n].name: share for n, share in shares.items()}


def best(memory: Habits, shares: dict[int, float]) -> str:
    found = names(memory, shares)
    return max(found, key=lambda name: found[name])


def test_before_the_first_step_the_first_actions_of_the_ways_are_expected(memory):
    told = expected(memory, "Rent a boat in Molde", [])
    assert set(names(memory, told.following)) == {"Boats", "Trains"}
    assert best(memory, told.shares) == "Boats"


def test_the_wording_of_the_task_decides_where_the_memory_knows_two_beginnings(memory):
    assert best(memory, expected(memory, "Where do trains go at night", []).ways) == "Trains"


def test_what_followed_the_last_step_is_expected_with_its_counts(memory):
    told = expected(memory, "Rent a boat in Molde", [BOATS, harbour("Molde"), FIND])
    assert names(memory, told.following) == {"Sort by price": 1.0}


def test_the_way_goes_on_where_the_last_steps_agree_with_it(memory):
    told = expected(memory, "Rent a boat in Molde", [BOATS])
    assert names(memory, told.ways) == {"Harbour": pytest.approx(1.0)}
    assert best(memory, told.shares) == "Harbour"


def test_actions_of_alike_tasks_are_expected_until_they_are_done(memory):
    told = expected(memory, "Show the cheapest boat of Molde", [BOATS])
    assert "Sort by price" in names(memory, told.task)
    assert "Boats" not in names(memory, told.task)


def test_every_distribution_sums_to_one_or_is_empty(memory):
    for history in ([], [BOATS], [FIND], [Step("click", Target(role="link", name="Unheard of"))]):
        told = expected(memory, "Rent a boat in Molde", history)
        for shares in (told.ways, told.following, told.task, told.uses, told.shares):
            assert not shares or sum(shares.values()) == pytest.approx(1.0)


def test_after_a_step_that_is_not_known_only_habit_and_wording_are_left(memory):
    told = expected(memory, "Rent a boat in Molde", [Step("click", Target(role="link", name="Unheard of"))])
    assert (told.ways, told.following) == ({}, {})
    assert told.shares


def test_an_empty_memory_expects_nothing():
    empty = Habits((), (), {}, ())
    assert expected(empty, "Rent a boat", []).shares == {}
    assert expected(empty, "Rent a boat", [BOATS]).shares == {}


def test_a_step_is_known_by_an_open_name_that_the_instruction_says():
    def option(place: str) -> Step:
        return Step("click", Target(role="option", name=place))

    found = site_habits(
        *(trajectory(f"Boats in {p}", BOATS, option(p), FIND, key=p) for p in ("Bergen", "Oslo", "Bodo"))
    )
    (place,) = known_as(found, "Boats in Molde", option("Molde"))
    assert "name" in found.actions[place].slots
    assert known_as(found, "Boats in Molde", option("Narvik")) == frozenset()


def test_the_store_gives_the_habits_of_the_graph_it_holds(memory):
    store = open_store("memory:")
    try:
        recordings.save(store, RECORDED)
        induce(store, inducer="graph")
        assert read(store, "sea.test") == memory
    finally:
        store.close()


def test_joined_sites_count_an_action_of_the_same_role_and_name_once_a_site(memory):
    both = joined([memory, memory])
    assert len(both.actions) == len(memory.actions)
    assert set(both.uses) == {2}
    assert len(both.ways) == 2 * len(memory.ways)


def test_the_order_of_the_recordings_changes_nothing(memory):
    assert site_habits(*reversed(RECORDED)) == memory
