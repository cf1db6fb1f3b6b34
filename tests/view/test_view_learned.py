"""The page of a store that has really learnt: what a person does on it, and whether it says what the store says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import Any

import networkx as nx
import pytest
from view_page import CARDS, OVERLAPS, SPILLS, Open, click_card, faults, item, open_everything

from graphmem import Memory
from graphmem.model.plan import Plan
from graphmem.view import render

pytestmark = pytest.mark.chromium

FLIGHT = "Find a flight from Trondheim to Lisbon on 2027-09-14"
LATER = "Find a flight from Trondheim to Lisbon"


@dataclass(frozen=True)
class Learnt:
    memory: Memory
    graph: nx.MultiDiGraph
    plan: Plan

    def count(self, statement: str, **parameters: Any) -> int:
        return int(next(iter(self.memory.cypher(statement, parameters).rows[0].values())))


@pytest.fixture(scope="module")
def learnt() -> Iterator[Learnt]:
    with Memory.open("memory:") as memory:
        with as_file(files("graphmem").joinpath("demo_data")) as folder:
            memory.learn(folder)
        yield Learnt(memory, memory.graph(evidence=True), memory.plan(FLIGHT))


def test_the_counts_of_the_page_are_those_of_the_store(open_page: Open, learnt: Learnt) -> None:
    page = open_page(learnt.graph)
    stats = learnt.memory.stats()
    counts = page.inner_text("#counts").replace(" · ", " ").split()
    assert dict(zip(counts[1::2], map(int, counts[::2]), strict=True)) == {
        **{f"{name}s": stats[f"{name}s"] for name in ("domain", "site", "task", "subtask", "action")},
        "recordings": stats["trajectories"],
    }  # fmt: skip
    on = "MATCH (n)-[:ON]->(:Site)-[:IN]->(d:Domain {name: $name}) WHERE n:%s RETURN count(DISTINCT n) AS n"
    names, holdings = (page.locator(f"#details .calls {part}").all_inner_texts() for part in ("button", ".bound"))
    assert len(names) == stats["domains"]
    for domain, holding in zip(names, holdings, strict=True):
        assert f"{learnt.count(on % 'Task', name=domain)} tasks" in holding
        assert f"{learnt.count(on % 'Trajectory', name=domain)} recordings" in holding


def test_opening_everything_draws_every_node_of_the_store_once(open_page: Open, learnt: Learnt) -> None:
    page = open_page(learnt.graph)
    open_everything(page)
    page.click("#tree [role=treeitem]:has-text('General ways') .twisty")
    page.click("#tree [role=treeitem]:has-text('General ways') .twisty")
    drawn = page.evaluate(CARDS)
    assert len(drawn) == learnt.count("MATCH (n:Domain|Site|Task|Subtask|Action) RETURN count(n) AS n")
    assert len(set(drawn)) == len(drawn)
    assert page.evaluate(OVERLAPS) == []
    assert page.evaluate(SPILLS) == []
    callers = page.evaluate(
        "() => Object.fromEntries(graphmemView.page.cy.nodes('.card.Subtask').map((card) => [card.data('node').key,"
        " card.incomers('edge.HAS_WAY, edge.HAS_SUBTASK').sources().length]))"
    )
    rows = learnt.memory.cypher(
        "MATCH (c)-[:HAS_WAY|HAS_SUBTASK]->(s:Subtask) RETURN s.key AS key, count(DISTINCT c) AS callers"
    ).rows
    assert {key: count for key, count in callers.items() if count} == {row["key"]: row["callers"] for row in rows}
    assert max(row["callers"] for row in rows) > 2


def test_a_click_opens_a_site_and_shows_what_the_store_knows_of_it(open_page: Open, learnt: Learnt) -> None:
    page = open_page(learnt.graph)
    page.click("#close-all")
    item(page, "travel").locator(".twisty").click()
    site = learnt.memory.find("northrail.example", labels=("Site",)).key
    before = len(page.evaluate(CARDS))
    click_card(page, site, "handle")
    tasks = learnt.count("MATCH (t:Task)-[:ON]->(:Site {key: $key}) RETURN count(t) AS n", key=site)
    # Drafts, which nothing calls yet, stand beside the tasks.
    drafts = learnt.count(
        "MATCH (s:Subtask)-[:ON]->(:Site {key: $key}) WHERE NOT EXISTS { (s)<-[:HAS_WAY|HAS_SUBTASK]-() }"
        " RETURN count(s) AS n",
        key=site,
    )
    assert len(page.evaluate(CARDS)) == before + tasks + drafts
    click_card(page, site)
    assert page.locator("#details h2").inner_text() == "northrail.example"
    recordings = learnt.count("MATCH (t:Trajectory)-[:ON]->(:Site {key: $key}) RETURN count(t) AS n", key=site)
    assert f"{recordings} recordings" in page.inner_text("#details")


def test_search_leads_to_a_shared_routine_with_its_parents_and_recordings(open_page: Open, learnt: Learnt) -> None:
    page = open_page(learnt.graph)
    page.fill("#search", "pick {value} {field}")
    found = learnt.count("MATCH (s:Subtask) WHERE s.name STARTS WITH 'Pick {value} in {field}' RETURN count(s) AS n")
    named = [
        text for text in page.locator("#hits .name").all_inner_texts() if text.startswith("Pick {value} in {field}")
    ]
    assert len(named) == found
    page.locator("#hits li", has_text="northrail.example").first.click()
    key = page.evaluate("graphmemView.page.state.selected.key")
    shown = learnt.memory.show(key)
    parents = page.locator("#details section", has_text="Parents").locator("button").all_inner_texts()
    assert sorted(parents) == sorted(parent["name"] for parent in shown["used_by"])
    heading = page.locator("#details h3", has_text="Recordings").inner_text()
    behind = learnt.count("MATCH (t:Trajectory)-[:USES]->(:Subtask {key: $key}) RETURN count(DISTINCT t) AS n", key=key)
    assert heading == f"Recordings ({behind})"
    assert page.locator("#details .recordings > details").count() == behind
    assert str(shown["uses"]) in page.inner_text("#details .numbers")


def test_filters_pass_as_many_nodes_as_the_store_says(open_page: Open, learnt: Learnt) -> None:
    page = open_page(learnt.graph)
    page.click("#filters summary")
    page.fill("#filter-uses", "5")
    often = learnt.count("MATCH (n:Task|Subtask|Action) WHERE n.uses >= 5 RETURN count(n) AS n")
    assert f"{often} pass the filter" in page.inner_text("#status")
    page.select_option("#filter-status", "draft")
    page.fill("#filter-uses", "0")
    drafts = learnt.count("MATCH (n:Task|Subtask|Action) WHERE n.status = 'draft' RETURN count(n) AS n")
    assert f"{drafts} pass the filter" in page.inner_text("#status")


def test_a_recording_behind_a_task_can_be_read_step_by_step(open_page: Open, learnt: Learnt) -> None:
    page = open_page(learnt.graph)
    task = next(row["path"][0] for row in learnt.plan.to_json()["steps"] if "path" in row)
    page.evaluate("(key) => { graphmemView.page.reveal(graphmemView.page.find(key)); }", task)
    first = page.locator("#details .recordings > details").first
    first.locator("summary").click()
    key = first.locator("dd").last.inner_text()
    assert first.locator(".steps li").count() == len(learnt.memory.show(key)["steps"])


# -- a plan ------------------------------------------------------------------------------------------------------------


def test_a_plan_is_laid_over_the_graph_with_its_steps_in_order(open_page: Open, learnt: Learnt) -> None:
    page = open_page(render(learnt.graph, plan=learnt.plan))
    acts = list(learnt.plan.acts())
    assert set(page.evaluate(CARDS)) == {key for step in acts for key in step.path}
    panel = page.inner_text("#plan")
    for said in (FLIGHT, f"{learnt.plan.confidence:.2f}", "Trondheim", "only when button “Accept cookies” is there"):
        assert said in panel
    badges = page.evaluate(
        """() => {
          const { cy } = graphmemView.page;
          const of = (step) => cy.$id(step.id().replace("step:", "")).data("node").key;
          const numbers = (step) => step.data("text").split(" ").map((number) => [number, of(step)]);
          return cy.nodes(".step").toArray().flatMap(numbers);
        }"""
    )
    numbers = page.locator(".plan-steps .step-number").all_inner_texts()
    ends = dict(badges)
    assert sorted(ends) == sorted(numbers)
    controls = page.locator(".plan-steps .control .step-number").all_inner_texts()
    assert controls
    assert [ends[number] for number in numbers if number not in controls] == [step.path[-1] for step in acts]
    planned, drawn = page.evaluate("() => ['.planned', '.down'].map((kind) => graphmemView.page.cy.edges(kind).length)")
    assert planned == drawn > len(acts)


def test_a_step_of_the_plan_lights_up_its_way_and_says_why(open_page: Open, learnt: Learnt) -> None:
    page = open_page(render(learnt.graph, plan=learnt.plan))
    step = [*learnt.plan.acts()][3]
    page.locator(".plan-steps button", has_text='click option "Trondheim"').click()
    lit = page.evaluate("() => graphmemView.page.cy.nodes('.on-path').map((card) => card.data('node').key)")
    assert set(lit) == set(step.path)
    assert page.evaluate("() => graphmemView.page.cy.edges('.on-path').length") == len(step.path) - 1
    assert step.because in page.inner_text("#plan .way")
    page.locator(".way button").nth(1).click()
    assert page.evaluate("graphmemView.page.state.selected.key") == step.path[1]
    assert page.locator("#plan .way").count() == 0


def test_the_whole_graph_shows_with_the_plan_in_it(open_page: Open, learnt: Learnt) -> None:
    page = open_page(render(learnt.graph, plan=learnt.plan))
    only = page.locator("#plan-only")
    assert only.get_attribute("aria-pressed") == "true"
    only.click()
    assert only.get_attribute("aria-pressed") == "false"
    shown, planned = page.evaluate(CARDS), page.evaluate("() => graphmemView.page.cy.nodes('.card.planned').length")
    assert planned == len({key for step in learnt.plan.acts() for key in step.path}) < len(shown)
    page.click("#outline-toggle")
    page.click("#close-all")
    assert page.evaluate("() => graphmemView.page.cy.nodes('.card.planned').length") == 0
    page.locator(".plan-steps button").last.click()
    assert [*learnt.plan.acts()][-1].path[-1] in page.evaluate(CARDS)


def test_a_slot_without_a_value_and_a_task_that_nothing_fits_are_said(open_page: Open, learnt: Learnt) -> None:
    lacking = learnt.memory.plan(LATER)
    assert "date" in lacking.missing
    page = open_page(render(learnt.graph, plan=lacking))
    assert "No value for: {date}" in page.inner_text("#plan")
    assert page.locator(".plan-steps li", has_text="needs {date}").count() == 1
    page = open_page(render(learnt.graph, plan=learnt.memory.plan("order a pizza with anchovies")))
    assert "Nothing known fits" in page.inner_text("#plan")
    assert page.locator("#plan-only").count() == 0


@pytest.mark.parametrize("width", [1280, 400])
def test_axe_finds_no_fault_with_a_plan_laid_over(open_page: Open, learnt: Learnt, width: int) -> None:
    page = open_page(render(learnt.graph, plan=learnt.plan), width=width, scheme="dark" if width == 400 else "light")
    page.locator(".plan-steps button").nth(3).click()
    for pane in ("plan", "details") if width == 400 else ("all",):
        if width == 400:
            page.click(f"nav.panes button[data-pane={pane}]")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert faults(page) == []
