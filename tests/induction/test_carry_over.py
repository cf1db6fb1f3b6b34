"""What sites have in common: by role, words and place in the flow, on site graphs of a few steps."""

from __future__ import annotations

from itertools import permutations

from graphs import comparable

from graphmem.model.graph import Graph, Node, Relationship
from graphmem.model.target import Target
from graphmem.model.trajectory import Step, Trajectory
from graphmem_induction.alike_routines import role_class, words
from graphmem_induction.carry_over import carry_over
from graphmem_induction.graph_inducer import GraphInducer
from graphmem_induction.protocol import Evidence

INDUCER = GraphInducer()


def click(name: str, role: str = "button") -> Step:
    return Step("click", Target(role=role, name=name))


def site(name: str, *steps: Step) -> dict[str, Graph]:
    recording = Trajectory(task=f"Do it on {name}", site=name, run_id=name, steps=steps)
    return {name: INDUCER.induce(name, [Evidence(recording, "success")])}


def routines(layer: Graph) -> dict[str, Node]:
    return {node.properties["name"]: node for node in layer.nodes if node.label == "Subtask"}


def children(layer: Graph, key: str) -> list[Relationship]:
    return [link for link in layer.relationships if link.kind[1] == "SPECIALIZES" and link.end == key]


def test_names_are_compared_by_their_words() -> None:
    assert words("Your Flights*") == words("the flight")
    assert words("Find flights") != words("Search flights")
    assert role_class("link") == role_class("span") != role_class("checkbox")


def test_a_run_that_two_sites_share_is_general_and_their_routines_are_its_special_cases() -> None:
    one = site("a.test", click("News"), click("Add to basket"), click("Your baskets"), click("Voucher"))
    other = site("b.test", click("Offers"), click("Add to Basket"), click("Basket", "link"), click("Terms"))
    layer = carry_over(one | other, [])
    assert list(routines(layer)) == ["Click Add to Basket, click Basket"]
    general = next(iter(routines(layer).values()))
    assert general.properties["site"] == ""
    assert len(children(layer, general.key)) == 2


def test_one_name_between_others_may_differ_and_becomes_a_slot() -> None:
    one = site("a.test", click("Book"), click("Find trains"), click("Pay now"))
    other = site("b.test", click("Book"), click("Search connections"), click("Pay now"))
    assert list(routines(carry_over(one | other, []))) == ["Click Book, click {control}, click Pay now"]


def test_two_differing_names_have_nothing_in_common() -> None:
    one = site("a.test", click("Book"), click("Find"), click("Outward"), click("Pay now"))
    other = site("b.test", click("Book"), click("Search"), click("Way there"), click("Pay now"))
    assert not routines(carry_over(one | other, []))


def test_the_same_click_again_and_again_says_nothing() -> None:
    one = site("a.test", click("Next month"), click("Next month"))
    other = site("b.test", click("Next month"), click("Next month"), click("Done"))
    assert not routines(carry_over(one | other, []))


def test_one_site_has_nothing_general() -> None:
    assert carry_over(site("a.test", click("Book"), click("Pay now")), []) == Graph()


def test_the_layer_is_the_same_in_any_order_of_sites() -> None:
    sites = {}
    for name, between in (("a.test", "Find trains"), ("b.test", "Search"), ("c.test", "Look up")):
        sites |= site(name, click("Book"), click(between), click("Pay now"), click(between), click("Print"))
    layers = {str(comparable(carry_over(dict(order), []))) for order in permutations(sites.items())}
    assert len(layers) == 1


def test_every_general_node_has_special_cases_on_two_sites() -> None:
    sites = {}
    for name in ("a.test", "b.test", "c.test"):
        sites |= site(name, click("Book"), click(name), click("Pay now"))
    layer = carry_over(sites, [])
    of = {
        node.key: node.properties["site"]
        for graph in sites.values()
        for node in graph.nodes
        if "site" in node.properties
    }
    assert all(len({of[link.start] for link in children(layer, node.key)}) > 1 for node in layer.nodes)
