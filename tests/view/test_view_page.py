"""The page in a real Chromium: nothing leaves the file, what is drawn is what the graph holds, and everyone can use it."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from view_graphs import HOSTILE, example, hostile, large
from view_page import CARDS, LINES, OVERLAPS, SPILLS, Open, click_card, faults, item, open_everything, reveal

from graphmem.view import render
from graphmem.view.payload import LEVELS

pytestmark = pytest.mark.chromium


def test_it_opens_from_the_file_alone(open_page: Open) -> None:
    page = open_page(example())
    assert page.title() == "graphmem"
    assert "2 domains · 3 sites · 5 tasks" in page.inner_text("#counts")


def test_what_is_drawn_is_what_the_graph_holds(open_page: Open) -> None:
    graph = example()
    page = open_page(graph)
    open_everything(page)
    drawn = page.evaluate(CARDS)
    assert sorted(drawn) == sorted(key for key, label in graph.nodes(data="label") if label in LEVELS)
    expected = Counter(a["type"] for start, end, a in graph.edges(data=True) if start in drawn and end in drawn)
    expected["ON"] = sum(1 for start, _, a in graph.edges(data=True) if a["type"] == "ON" and start.startswith("task:"))
    del expected["NEXT"]
    assert Counter(page.evaluate(LINES)) == expected
    page.click("#filters summary")
    page.check("#lines-next")
    assert Counter(page.evaluate(LINES))["NEXT"] == 5


def test_a_shared_subtask_is_one_node_with_all_its_parents(whole: Any) -> None:
    page = whole
    assert page.evaluate(CARDS).count("subtask:air-search") == 1
    parents = page.evaluate(
        "() => { const { cy, find } = graphmemView.page;"
        " return cy.$id(find('subtask:air-search').id).incomers('edge.down').sources().map((s) => s.data('node').key).sort(); }"
    )
    assert parents == ["subtask:air-cheapest", "task:air-find"]
    assert page.locator("[role=treeitem]").filter(has=page.get_by_text("Search a flight", exact=True)).count() == 1
    assert page.locator("[role=treeitem]").filter(has_text="shared by 2").count() == 2


def test_calling_a_subtask_twice_draws_two_lines_with_their_own_bindings(whole: Any) -> None:
    page = whole
    lines = page.evaluate(
        "() => graphmemView.page.cy.edges('.HAS_SUBTASK').filter((e) => e.target().data('node').key === 'subtask:air-pick')"
        ".map((e) => [e.data('order'), e.data('said')])"
    )
    assert lines == [["3", "field = “From”\nplace = {origin}"], ["4", "field = “To”\nplace = {destination}"]]


def test_a_click_on_a_card_shows_its_details(open_page: Open) -> None:
    page = open_page(example())
    click_card(page, "task:air-find")
    details = page.locator("#details")
    name = "Find a flight from {origin} to {destination} on {date}"
    assert details.locator("h2").inner_text() == name
    text = details.inner_text()
    for expected in (
        "{origin}",
        "2 uses",
        "air.test",
        "Search a flight",
        "Recordings (2)",
        "from Oslo to Rome on 2027",
    ):
        assert expected in text
    details.locator("summary", has_text="Oslo to Rome").click()
    assert "type textbox “From” = Oslo" in details.inner_text()
    assert page.locator("[role=treeitem][aria-selected=true] .name").inner_text() == name


def test_details_of_a_subtask_say_conditions_parents_and_steps_in_order(open_page: Open) -> None:
    page = open_page(example())
    reveal(page, "subtask:air-search")
    text = page.locator("#details").inner_text()
    assert "the page is https://air.test/" in text
    assert "heading “Flights found” is there" in text
    assert "value = {date} as date:dd.mm.yyyy" in text
    steps = (
        page.locator("#details section", has_text="Steps, in order")
        .locator("li button span:last-child")
        .all_inner_texts()
    )
    assert [step.split(".")[0].strip() for step in steps] == ["1", "2", "3", "4", "5", "6"]
    assert "Pick {place} in {field}" in steps[2]


def test_a_click_on_a_line_shows_its_bindings(whole: Any) -> None:
    page = whole
    page.evaluate(
        "() => { graphmemView.page.cy.edges('.HAS_SUBTASK')"
        ".filter((e) => e.data('said').includes('“To”')).emit('tap'); }"
    )
    text = page.locator("#details").inner_text()
    assert "HAS_SUBTASK" in text
    assert "“To”" in text
    assert "3 (step 4)" in text


def test_control_steps_say_what_they_do(whole: Any) -> None:
    said = {
        "each": "for each booking in items",
        "until": "again until button “Load later flights” is not there",
        "optional": "only when button “Accept cookies” is there",
        "any_order": "in any order",
    }
    for kind, words in said.items():
        assert whole.locator("[role=treeitem]").filter(has_text=words).count() >= 1
        assert whole.evaluate(f"() => graphmemView.page.cy.nodes('.card.{kind}').length") == 1
    borders = whole.evaluate(
        "(kinds) => kinds.map((kind) => graphmemView.page.cy.nodes('.card.' + kind)[0].style('border-style'))",
        list(said),
    )
    assert borders == ["double", "double", "dashed", "dotted"]


def test_nothing_covers_anything_else_and_all_text_is_within_its_card(whole: Any) -> None:
    assert whole.evaluate(OVERLAPS) == []
    assert whole.evaluate(SPILLS) == []


def test_what_is_general_stands_in_a_lane_of_its_own_below_the_rest(whole: Any) -> None:
    above, lane, inside = whole.evaluate(
        """() => {
          const cards = graphmemView.page.cy.nodes('.card').toArray();
          const general = (card) => card.hasClass('general') || card.hasClass('Group');
          const box = (card) => card.boundingBox({ includeLabels: false });
          const of = (wanted) => cards.filter((card) => general(card) === wanted).map(box);
          const lane = box(graphmemView.page.cy.$id('lane'));
          return [Math.max(...of(false).map((box) => box.y2)), [lane.y1, lane.y2],
            [Math.min(...of(true).map((box) => box.y1)), Math.max(...of(true).map((box) => box.y2))]];
        }"""
    )
    assert above < lane[0] < inside[0] < inside[1] < lane[1]


def test_search_finds_by_words_and_the_keyboard_goes_there(open_page: Open) -> None:
    page = open_page(example())
    page.keyboard.press("/")
    page.keyboard.type("cancel selected")
    assert page.inner_text("#hit-count") == "1 found"
    page.keyboard.press("ArrowDown")
    assert page.get_attribute("#search", "aria-activedescendant") == "hit-0"
    page.keyboard.press("Enter")
    assert page.locator("#details h2").inner_text() == 'click button "Cancel selected"'
    assert "action:rail-cancel" in page.evaluate(CARDS)
    page.fill("#search", "no such thing anywhere")
    assert page.inner_text("#hit-count") == "Nothing found"


def test_the_outline_is_a_tree_for_the_keyboard(open_page: Open) -> None:
    page = open_page(example())
    page.click("#close-all")
    page.locator("[role=treeitem]").first.focus()
    assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "false"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    here = page.evaluate("[document.activeElement.getAttribute('aria-level'), document.activeElement.innerText]")
    assert here[0] == "2"
    assert "shop.test" in here[1]
    page.keyboard.press("Enter")
    assert page.locator("#details h2").inner_text() == "shop.test"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(CARDS) == ["domain:shopping", "domain:travel"]
    page.keyboard.press("End")
    assert "General ways" in page.evaluate("document.activeElement.innerText")


def test_the_picture_can_be_walked_with_arrow_keys(open_page: Open) -> None:
    page = open_page(example())
    click_card(page, "site:air.test")
    page.focus("#canvas")
    page.keyboard.press("ArrowRight")
    assert page.locator("#details .kind").inner_text().startswith("Task")
    page.keyboard.press("ArrowLeft")
    assert page.locator("#details h2").inner_text() == "air.test"
    before = len(page.evaluate(CARDS))
    page.keyboard.press("Enter")
    assert len(page.evaluate(CARDS)) < before


def test_a_card_opens_and_closes_by_its_handle(open_page: Open) -> None:
    page = open_page(example())
    before = page.evaluate(CARDS)
    page.evaluate(
        "() => { const { cy, find } = graphmemView.page; cy.$id('handle:' + find('site:rail.test').id).emit('tap'); }"
    )
    after = page.evaluate(CARDS)
    assert {"task:rail-train", "task:rail-cancel"} <= set(before) - set(after)
    assert item(page, "rail.test").get_attribute("aria-expanded") == "false"


def test_filters_leave_what_passes_and_what_leads_to_it(open_page: Open) -> None:
    page = open_page(example())
    page.click("#filters summary")
    page.select_option("#filter-site", label="rail.test")
    keys = set(page.evaluate(CARDS))
    assert {"domain:travel", "site:rail.test", "task:rail-train"} <= keys
    assert not any("air" in key or "shop" in key for key in keys)
    page.get_by_role("button", name="Clear").click()
    page.select_option("#filter-status", "draft")
    assert page.evaluate(CARDS)[-1] == "subtask:air-until"
    assert "1 pass the filter" in page.inner_text("#status")
    page.get_by_role("button", name="Clear").click()
    page.select_option("#filter-domain", label="shopping")
    assert not any(key.startswith("site:") and "shop" not in key for key in page.evaluate(CARDS))
    page.get_by_role("button", name="Clear").click()
    page.fill("#filter-uses", "1000")
    assert page.is_visible("#empty")


def test_only_one_node_and_what_it_touches(open_page: Open) -> None:
    page = open_page(example())
    reveal(page, "subtask:air-pick")
    page.get_by_role("button", name="Only this").click()
    keys = set(page.evaluate(CARDS))
    assert {"domain:travel", "site:air.test", "task:air-find", "subtask:air-search"} <= keys
    assert {"subtask:air-pick", "action:air-type", "subtask:pick-any"} <= keys
    assert not any("rail" in key or "shop" in key or key == "action:air-date" for key in keys)
    page.click("#ego-off")
    assert "site:shop.test" in page.evaluate(CARDS)


def test_hostile_names_stay_text_everywhere(open_page: Open) -> None:
    page = open_page(hostile())
    open_everything(page)
    for place in range(page.evaluate("graphmemView.page.model.nodes.length")):
        page.evaluate(f"() => graphmemView.page.reveal(graphmemView.page.model.nodes[{place}])")
        page.evaluate("() => document.querySelectorAll('#details details').forEach((each) => { each.open = true; })")
        assert HOSTILE.split()[0] in page.locator("#details").inner_text()
    page.fill("#search", "<img")
    assert page.locator("#hits li").count() == 5
    assert page.locator("img").count() == 0
    assert page.evaluate("window.hurt") is None


def test_five_thousand_nodes_start_aggregated_and_open_when_asked(open_page: Open) -> None:
    page = open_page(large())
    assert len(page.evaluate(CARDS)) == 25
    assert page.evaluate(OVERLAPS) == []
    page.click("#open-level")
    assert "open single ones" in page.inner_text("#status")
    assert len(page.evaluate(CARDS)) == 25
    item(page, "site00.test").locator(".twisty").click()
    assert len(page.evaluate(CARDS)) == 25 + 30
    page.locator("[role=treeitem].more").click()
    assert len(page.evaluate(CARDS)) == 25 + 60
    took = page.evaluate(
        "() => { const start = performance.now(); const { model, state, refresh } = graphmemView.page;"
        " graphmemView.openBelow(model.nodes.find((n) => n.label === 'Domain'), state); refresh();"
        " return performance.now() - start; }"
    )
    assert len(page.evaluate(CARDS)) <= 700
    assert took < 10_000


def test_many_sites_stand_in_rows_and_make_room_for_the_one_that_is_opened(open_page: Open) -> None:
    page = open_page(large(sites=75, tasks=3))
    assert len(page.evaluate(CARDS)) == 5 + 75
    assert page.evaluate(OVERLAPS) == []
    assert page.evaluate("() => graphmemView.page.cy.zoom()") >= 0.8
    assert (
        len(set(page.evaluate("() => graphmemView.page.cy.nodes('.card.Site').map((card) => card.position('x'))"))) >= 3
    )
    held = page.evaluate("() => graphmemView.page.find('site:site07.test').children.length")
    click_card(page, "site:site07.test", "handle")
    assert len(page.evaluate(CARDS)) == 5 + 1 + held
    folded = "() => graphmemView.page.cy.nodes('.more').map((more) => more.data('text')).sort()"
    assert page.evaluate(folded) == ["14 others", *["15 sites"] * 4]
    assert page.locator("[role=treeitem]").filter(has=page.locator(".dot.Site")).count() == 75
    click_card(page, "domain:domain 2", "more")
    assert len(page.evaluate(CARDS)) == 5 + 15 + held
    assert page.evaluate(OVERLAPS) == []


def test_an_empty_graph_says_so(open_page: Open) -> None:
    page = open_page(nx.MultiDiGraph())
    assert page.is_visible("#empty")


@pytest.mark.parametrize("width", [1280, 400])
def test_axe_finds_no_fault(open_page: Open, width: int) -> None:
    page = open_page(example(), width=width)
    reveal(page, "subtask:air-search")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for pane in ("outline", "graph", "details") if width == 400 else ("all",):
            if width == 400:
                page.click(f"nav.panes button[data-pane={pane}]")
            assert faults(page) == []


def test_at_400_pixels_nothing_is_wider_than_the_screen(open_page: Open) -> None:
    page = open_page(example(), width=400)
    for pane in ("outline", "graph", "details"):
        page.click(f"nav.panes button[data-pane={pane}]")
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
        assert page.is_visible(f"#{pane}")
    page.click("nav.panes button[data-pane=outline]")
    item(page, "air.test").click()
    page.click("nav.panes button[data-pane=details]")
    page.get_by_role("button", name="Show in graph").click()
    assert page.is_visible("#graph")


def test_colours_follow_the_scheme_while_the_page_is_open(open_page: Open) -> None:
    page = open_page(example())
    colour = "() => graphmemView.page.cy.nodes('.card')[0].style('color')"
    light = page.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"(light) => ({colour})() !== light", arg=light)


def test_the_readmes_picture_is_a_photograph_of_the_page(chromium_path: str, tmp_path: Path) -> None:
    page, png = tmp_path / "graph.html", tmp_path / "view.png"
    page.write_text(render(example()), encoding="utf-8")
    script = Path(__file__).parents[2] / "docs" / "make_picture.py"
    subprocess.run(
        [sys.executable, str(script), str(page), str(png), "--browser", chromium_path], check=True, timeout=120
    )
    width, height = struct.unpack(">II", png.read_bytes()[16:24])
    assert (width, height) == (2160, 1350)
