"""browser-use histories: look-alikes of each generation, one quirk a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphmem.importers import Refusal, read
from graphmem.model.target import Locator
from graphmem.model.trajectory import Trajectory

IMAGE = "iVBORw0KGgoAAAANSUhEUgAABQAAAAQACAIAAAAx8WMU"


def first(action: Any, goal: str = "", result: Any = None, **state: Any) -> dict[str, Any]:
    """A step of the first generation: one action, one result, elements as items and selector_map."""
    output = {
        "current_state": {"valuation_previous_goal": "Success", "memory": "", "next_goal": goal},
        "action": action,
    }
    shown = {
        "items": [],
        "selector_map": {},
        "url": "https://shop.example/",
        "title": "Shop",
        "screenshot": IMAGE,
    } | state
    return {"model_output": output, "result": result or {"is_done": False}, "state": shown}


def second(actions: list[Any], elements: list[Any], goal: str = "", results: list[Any] | None = None) -> dict[str, Any]:
    """A step of the second: lists of actions, results and elements side by side."""
    mind = {"evaluation_previous_goal": "Unknown", "memory": "0 of 3 done", "next_goal": goal}
    state = {"url": "https://shop.example/", "title": "Shop", "tabs": [{"page_id": 0, "parent_page_id": None}],
             "interacted_element": elements, "screenshot": IMAGE}  # fmt: skip
    return {"model_output": {"current_state": mind, "action": actions}, "result": results or [{}], "state": state}


def third(actions: list[Any], elements: list[Any], goal: str = "", results: list[Any] | None = None) -> dict[str, Any]:
    """A step of the third: a flat model_output, the image beside the file, times."""
    output = {
        "thinking": "I should look.",
        "evaluation_previous_goal": "ok",
        "memory": "",
        "next_goal": goal,
        "action": actions,
    }
    state = {"url": "https://shop.example/", "title": "Shop", "interacted_element": elements,
             "screenshot_path": "C:\\Users\\ada\\shots\\step_1.png"}  # fmt: skip
    return {"model_output": output, "result": results or [{}], "state": state,
            "metadata": {"step_start_time": 1764500000.5, "step_number": 1}}  # fmt: skip


def reading(folder: Path, *steps: Any, **more: Any) -> Trajectory | Refusal:
    path = folder / "agent_history.json"
    path.write_text(json.dumps({"history": list(steps), **more}), encoding="utf-8")
    (found,) = read([path])
    return found


def trajectory(folder: Path, *steps: Any, **more: Any) -> Trajectory:
    found = reading(folder, *steps, **more)
    assert isinstance(found, Trajectory), found
    return found


def did(found: Trajectory) -> list[tuple[str, str, str]]:
    return [(step.op, step.target.called() if step.target else "", step.value) for step in found.steps]


def test_the_first_generation_names_elements_by_items_and_finds_them_by_the_selector_map(tmp_path: Path) -> None:
    items = [
        {"index": 3, "text": "Welcome", "is_text_only": True, "depth": 1},
        {"index": 40, "text": '<button id="L2AGLb">Accept all\nAccept all</button>', "is_text_only": False},
        {"index": 41, "text": '<a href="/desks">Desks</a>', "is_text_only": False},
    ]
    found = trajectory(
        tmp_path,
        first({"search_google": {"query": "desk lamps"}}, "Search for 'desk lamps'.", url="about:blank", title=""),
        first({"click_element": {"index": 40, "num_clicks": 1}}, "Accept cookies", items=items,
              selector_map={"40": "//div[2]/button[2]"}),
        first({"done": {"text": "Opened it."}}, "Finish", {"is_done": True, "extracted_content": "Opened it."}),
    )  # fmt: skip
    assert did(found) == [
        ("navigate", "", "https://www.google.com/search?q=desk+lamps"),
        ("click", "Accept all", ""),
        ("answer", "", "Opened it."),
    ]
    click = found.steps[1]
    assert click.target
    assert click.target.locators == (Locator("xpath", "//div[2]/button[2]"),)
    assert click.page
    assert [(t.role, t.called()) for t in click.page.sketch] == [
        ("", "Welcome"),
        ("button", "Accept all"),
        ("link", "Desks"),
    ]
    assert found.task == "Search for 'desk lamps', then accept cookies"
    assert (found.answer, found.outcome) == ("Opened it.", "unknown")
    assert found.steps[0].page is None
    assert found.steps[0].after
    assert found.steps[0].after.url == "https://shop.example/"


def test_an_index_without_an_item_is_known_by_its_xpath_and_without_either_by_nothing(tmp_path: Path) -> None:
    paths = {"7": "//form[1]/textarea[1]"}
    found = trajectory(
        tmp_path,
        first({"input_text": {"index": 7, "text": "Oslo"}}, "Type", selector_map=paths),
        first({"click_element": {"index": 9}}, "Click", selector_map=paths),
    )
    assert [step.target.tag for step in found.steps if step.target] == ["textarea", ""]
    assert found.steps[1].target
    assert found.steps[1].target.called() == ""


def test_actions_and_elements_run_side_by_side_and_may_be_null(tmp_path: Path) -> None:
    field = {"tag_name": "input", "xpath": "html/body/input", "highlight_index": 5,
             "attributes": {"placeholder": "Where to?", "type": "text"}, "shadow_root": False}  # fmt: skip
    found = trajectory(
        tmp_path,
        second([{"wait": {"seconds": 3}}], [None], "Wait"),
        second([{"open_tab": {"url": "https://air.example/"}}, {"input_text": {"index": 5, "text": "Rome"}}, None],
               [None, field, None], "Search"),
    )  # fmt: skip
    assert did(found) == [
        ("wait", "", "3"),
        ("navigate", "", "https://air.example/"),
        ("type", "Where to?", "Rome"),
    ]
    assert found.steps[1].target is None


def test_the_third_generation_has_other_names_for_all_of_it(tmp_path: Path) -> None:
    button = {"node_name": "BUTTON", "node_id": 12, "x_path": "html/body/div/button", "ax_name": "Search flights",
              "attributes": {"class": "btn hover", "data-testid": "search-flights"}}  # fmt: skip
    found = trajectory(
        tmp_path,
        third([{"click": {"index": 12}}], [button], "Search", [{"metadata": {"input_x": 4, "input_y": 5}}]),
        third([{"done": {"text": "All found", "success": True}}], [None], "Finish"),
    )
    click = found.steps[0]
    assert click.target
    assert (click.target.role, click.target.name, click.target.test_id) == (
        "button",
        "Search flights",
        "search-flights",
    )
    assert click.target.locators == (Locator("xpath", "html/body/div/button"),)
    assert (found.outcome, found.recorded_at) == ("success", "2025-11-30T10:53:20Z")
    assert click.reasoning == "I should look."


@pytest.mark.parametrize(
    ("action", "step"),
    [
        ({"go_to_url": {"url": "https://a.example/"}}, ("navigate", "https://a.example/")),
        ({"navigate": {"url": "https://a.example/", "new_tab": False}}, ("navigate", "https://a.example/")),
        ({"search": {"query": "a b", "engine": "bing"}}, ("navigate", "https://www.bing.com/search?q=a+b")),
        ({"click_element_by_index": {"index": 1}}, ("click", "")),
        ({"click_element": {"index": 1, "num_clicks": 2}}, ("dblclick", "")),
        ({"input": {"index": 1, "text": "x", "clear": True}}, ("type", "x")),
        ({"select_dropdown_option": {"index": 1, "text": "Small"}}, ("select", "Small")),
        ({"send_keys": {"keys": "Control+a"}}, ("press", "Control+a")),
        ({"go_back": {}}, ("press", "Alt+ArrowLeft")),
        ({"scroll": {"down": False, "num_pages": 1}}, ("scroll", "up")),
        ({"scroll_down": {"amount": None}}, ("scroll", "down")),
        ({"upload_file": {"index": 1, "path": "a.pdf"}}, ("upload", "a.pdf")),
        ({"extract_content": {"goal": "the price"}}, ("extract", "12.50")),
    ],
)
def test_every_name_of_an_action_is_known(tmp_path: Path, action: Any, step: tuple[str, str]) -> None:
    found = trajectory(tmp_path, second([action], [None], "Go", [{"extracted_content": "12.50"}]))
    assert [(s.op, s.value) for s in found.steps] == [step]


def test_what_does_nothing_on_a_page_is_kept_aside_even_under_a_name_of_ones_own(tmp_path: Path) -> None:
    found = trajectory(
        tmp_path, second([{"switch_tab": {"page_id": 1}}, {"ask_human": {"q": "ok?"}}, {"go_back": {}}], [None], "Look")
    )
    assert [step.op for step in found.steps] == ["press"]
    kept = json.loads(found.extra)["browser_use"]["other_actions"]
    assert [each["action"] for each in kept] == [{"switch_tab": {"page_id": 1}}, {"ask_human": {"q": "ok?"}}]


def test_an_unknown_action_on_an_element_is_refused_with_its_place(tmp_path: Path) -> None:
    found = reading(tmp_path, second([{"go_back": {}}], [None]), second([{"twirl_element": {"index": 4}}], [None]))
    assert isinstance(found, Refusal)
    assert (found.place, found.reason) == ("step 2", "has an action on an element that is not known.")


def test_a_failed_action_keeps_its_error_and_a_failed_run_its_verdict(tmp_path: Path) -> None:
    found = trajectory(
        tmp_path,
        second([{"click_element": {"index": 1}}], [None], "Click", [{"error": "Element is not visible"}]),
        second([{"done": {"text": "gave up", "success": False}}], [None]),
    )
    assert found.steps[0].error == "Element is not visible"
    assert found.outcome == "failure"


def test_a_task_that_the_file_holds_is_the_task(tmp_path: Path) -> None:
    assert trajectory(tmp_path, second([{"go_back": {}}], [None], "Go"), task="Find a lamp").task == "Find a lamp"
    assert trajectory(tmp_path, second([{"go_back": {}}], [None])).task == "agent history"


def test_a_bare_list_of_actions_is_read(tmp_path: Path) -> None:
    path = tmp_path / "actions.json"
    actions = [
        {"search_google": {"query": "lamps"}},
        {"click_element": {"index": 4, "xpath": "//div[3]/a[1]"}},
        {"done": {"text": "Opened."}},
    ]
    path.write_text(json.dumps(actions), encoding="utf-8")
    (found,) = read([path])
    assert isinstance(found, Trajectory), found
    assert [step.op for step in found.steps] == ["navigate", "click", "answer"]
    assert found.steps[1].target
    assert found.steps[1].target.role == "link"


def test_no_image_and_no_path_of_one_is_kept(tmp_path: Path) -> None:
    found = trajectory(tmp_path, first({"go_back": {}}, "Go"), third([{"go_back": {}}], [None], "Go on"))
    assert IMAGE not in repr(found)
    assert "Users" not in repr(found)
    again = trajectory(
        tmp_path, first({"go_back": {}}, "Go", screenshot=None), third([{"go_back": {}}], [None], "Go on")
    )
    assert again.run_id != ""
    assert (
        found.key == trajectory(tmp_path, first({"go_back": {}}, "Go"), third([{"go_back": {}}], [None], "Go on")).key
    )


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ([], "no steps that do anything"),
        ([second([{"switch_tab": {"page_id": 1}}], [None])], "no steps that do anything"),
        (["x"], "is not an object"),
        ([{"model_output": [], "result": []}], "'model_output' must be an object"),
        ([second(["click"], [None])], "action that is not an object"),
    ],
)
def test_what_is_no_history_is_refused_with_its_reason(tmp_path: Path, steps: list[Any], reason: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"history": steps}), encoding="utf-8")
    (found,) = read([path], format="browser-use")
    assert isinstance(found, Refusal)
    assert reason in found.reason
