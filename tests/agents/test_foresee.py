"""Which step comes next, from recordings of one site."""

from __future__ import annotations

from graphmem.model.target import Target
from graphmem.model.trajectory import Step, Trajectory
from graphmem_agents.foresee import Foresight, foresight, moved
from graphmem_induction.graph_inducer import GraphInducer
from graphmem_induction.protocol import Evidence

BOATS = Step("click", Target(role="link", name="Boats"))


def pick(place: str) -> Step:
    return Step("click", Target(role="option", name=place))


def memory() -> Foresight:
    recorded = [
        Trajectory(
            f"Rent a boat in {place} today", (BOATS, pick(place)), site="sea.test", run_id=place, outcome="success"
        )
        for place in ("Bergen", "Oslo")
    ]
    graph = GraphInducer().induce("sea.test", [Evidence(each, each.verdict) for each in recorded])
    return foresight({"sea.test": graph}, recorded)


def test_a_name_that_the_instruction_says_is_taken_from_where_it_stands():
    assert moved("rent a boat in oslo today", "oslo", "rent a boat in north cape today") == "north cape"
    assert moved("rent a boat in oslo today", "oslo", "sell it") == ""


def test_the_step_that_followed_is_expected_with_the_name_of_this_task():
    best = memory().next("sea.test", "", "Rent a boat in Molde today", [BOATS])[0]
    assert (best.op, best.role, best.name) == ("click", "option", "molde")


def test_before_the_first_step_what_came_first_is_expected():
    assert memory().next("sea.test", "", "Rent a boat in Molde today", [])[0].name == "boats"


def test_an_unknown_site_is_read_from_the_others():
    assert memory().next("new.test", "", "Rent a boat in Molde today", [])[0].name == "boats"
