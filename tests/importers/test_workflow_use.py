"""workflow-use workflows and WALT tools: look-alikes of what their files really hold, one a quirk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphmem.importers import Refusal, read
from graphmem.model.trajectory import Trajectory

URL = "https://shop.example/"
OPEN = {"type": "navigation", "url": URL, "description": "Open the shop", "output": None, "url_operation": None}


def reading(folder: Path, value: Any, name: str = "find-a-book.workflow.json") -> list[Trajectory | Refusal]:
    path = folder / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return list(read([path]))


def workflow(*steps: Any, **rest: Any) -> dict[str, Any]:
    return {"name": "find_book", "description": "Find a book. Then more.", "version": "1.0", "steps": list(steps)} | (
        {"input_schema": []} | rest
    )


def recorded(folder: Path, *steps: Any, **rest: Any) -> Trajectory:
    (found,) = reading(folder, workflow(OPEN, *steps, **rest))
    assert isinstance(found, Trajectory), found
    return found


def refused(folder: Path, *steps: Any, **rest: Any) -> Refusal:
    (found,) = reading(folder, workflow(OPEN, *steps, **rest))
    assert isinstance(found, Refusal), found
    return found


def click(**rest: Any) -> dict[str, Any]:
    return {
        "type": "click",
        "cssSelector": "#go",
        "elementTag": "BUTTON",
        "elementText": "Go",
        "elementHash": "e1690a31fa",
    } | rest


def typing(value: Any, css: str = "input#q", **rest: Any) -> dict[str, Any]:
    return {"type": "input", "cssSelector": css, "xpath": 'id("q")', "elementTag": "INPUT", "value": value} | rest


def test_a_workflow_becomes_a_task_with_its_site_and_reasons(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        typing("dune"),
        {"type": "key_press", "cssSelector": "input#q", "elementTag": "INPUT", "key": "Enter"},
        {"type": "select_change", "cssSelector": "#size", "elementTag": "select", "selectedText": "Large"},
        {"type": "scroll", "scrollX": 0, "scrollY": 900},
        click(description="Go on"),
        {"type": "extract_page_content", "goal": "the price"},
        {"type": "go_back"},
        {"type": "done", "text": "It is 9.", "success": True},
    )
    assert (found.task, found.site, found.verdict, found.answer) == (
        "Find a book",
        "shop.example",
        "success",
        "It is 9.",
    )
    assert [(step.op, step.target.called() if step.target else "", step.value) for step in found.steps[1:]] == [
        ("type", "q", "dune"), ("press", "q", "Enter"), ("select", "size", "Large"), ("scroll", "", ""), ("click", "Go", ""),
        ("extract", "", ""), ("press", "", "Alt+ArrowLeft"),
    ]  # fmt: skip
    assert (found.steps[0].reasoning, found.steps[5].reasoning) == ("Open the shop", "Go on")
    roles = [step.target.role for step in found.steps if step.target]
    assert roles == ["textbox", "textbox", "combobox", "button"]
    assert json.loads(found.extra)["workflow"]["steps"]["7"] == {"goal": "the price"}


def test_inputs_stay_placeholders_and_the_task_names_those_that_it_does_not_speak_of(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        typing("{book_title}"),
        typing("{sPattern} and {book_title}", "input#r"),
        description="Find {shelf} by {book_title}",
        input_schema=[{"name": "book_title", "type": "string", "required": True}],
    )
    assert found.task == "Find {shelf} by {book_title} (s pattern {sPattern})"
    assert [step.value for step in found.steps[1:]] == ["{book_title}", "{sPattern} and {book_title}"]
    kept = json.loads(found.extra)["workflow"]
    assert kept["undeclared_inputs"] == ["sPattern"]
    assert kept["input_schema"][0]["name"] == "book_title"


def test_an_input_schema_may_be_a_json_schema(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]}
    assert (
        "undeclared_inputs"
        not in json.loads(recorded(tmp_path, typing("{who}"), input_schema=schema).extra)["workflow"]
    )
    assert "input_schema" in refused(tmp_path, input_schema="who").reason


def test_a_semantic_step_has_only_the_text_of_its_target(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        {"type": "click", "target_text": "Add to cart"},
        {"type": "input", "target_text": "Name", "value": "A"},
    )
    assert [(s.target.role, s.target.name, s.target.locators[0].kind) for s in found.steps if s.target] == [
        ("", "Add to cart", "text"),
        ("textbox", "Name", "text"),
    ]


def test_the_mock_files_other_shape_is_read_and_its_bullets_are_a_secret(tmp_path: Path) -> None:
    steps = [
        {"id": "1", "label": "Open", "action": "navigate", "target": URL, "stepNumber": 1},
        {"id": "2", "label": "Name", "action": "type", "target": "#username", "value": "ada", "stepNumber": 2},
        {"id": "3", "label": "Word", "action": "type", "target": "#pw", "value": "••••••••", "stepNumber": 3},
        {"id": "4", "label": "Send", "action": "key", "target": "Enter", "stepNumber": 4},
        {"id": "5", "label": "Go", "action": "click", "target": 'button[type="submit"]', "stepNumber": 5},
        {"id": "6", "label": "Look", "action": "wait", "target": ".dashboard", "stepNumber": 6},
    ]
    (found,) = reading(tmp_path, {"id": "x", "name": "Log in", "workflow_analysis": "simple", "steps": steps})
    assert isinstance(found, Trajectory), found
    assert [(step.op, step.value, step.secret) for step in found.steps] == [
        ("navigate", URL, False), ("type", "ada", False), ("type", "{password}", True), ("press", "Enter", False),
        ("click", "", False), ("wait", "", False),
    ]  # fmt: skip
    assert (found.task, found.steps[1].reasoning) == ("Log in", "Name")


@pytest.mark.parametrize(
    ("operation", "url"),
    [
        ({"base": "{current_url}", "replace": {"sort": "{order}", "page": "1"}}, URL + "?a=b+c&sort={order}&page=1"),
        ("{'base': '{current_url}', 'replace': {'a': '{x}'}}", URL + "?a={x}"),
        ({"base": "https://other.example/?q=1", "replace": {"q": None}}, "https://other.example/?q=1"),
        ({"base": "{current_url}"}, URL + "?a=b+c"),
    ],
)
def test_an_address_that_is_put_together_starts_from_the_page_that_it_is_on(
    tmp_path: Path, operation: Any, url: str
) -> None:
    first = OPEN | {"url": URL + "?a=b+c"}
    (found,) = reading(tmp_path, workflow(first, {"type": "navigation", "url": None, "url_operation": operation}))
    assert isinstance(found, Trajectory), found
    assert found.steps[1].value == url


def test_without_a_page_the_address_stays_open(tmp_path: Path) -> None:
    (found,) = reading(
        tmp_path, workflow(OPEN | {"url": None, "url_operation": {"base": "{current_url}", "replace": {"a": "{a}"}}})
    )
    assert isinstance(found, Trajectory)
    assert (found.steps[0].value, found.site) == ("{current_url}?a={a}", "unknown")
    assert found.task == "Find a book (a {a})", "the page that it is on is no input"


def test_an_agent_step_refuses_the_workflow_since_it_does_not_say_what_was_done(tmp_path: Path) -> None:
    found = refused(tmp_path, click(), {"type": "agent", "task": "Pick the cheapest", "max_steps": 5})
    assert (found.place, "agent step" in found.reason) == ("step 3", True)


def test_a_condition_that_only_stops_is_kept_aside_and_one_with_steps_refuses(tmp_path: Path) -> None:
    guard = {"type": "conditional", "condition": "logged in", "stop_message": "not logged in"}
    found = recorded(tmp_path, guard, click())
    assert [step.op for step in found.steps] == ["navigate", "click"]
    assert json.loads(found.extra)["workflow"]["steps"]["2"]["stop_message"] == "not logged in"
    assert refused(tmp_path, guard | {"true_steps": [click()]}).place == "step 2"


def test_shadow_roots_are_a_path_and_frames_have_their_address(tmp_path: Path) -> None:
    found = recorded(tmp_path, click(cssSelector="#host >>> x-pay >>> button.pay", url="https://pay.example/"))
    target = found.steps[1].target
    assert target is not None
    assert (target.shadow, target.locators[0].value) == (("#host", "x-pay"), "button.pay")
    assert found.steps[1].site == "pay.example"


def test_tabs_are_counted_and_numbers_of_a_run_are_no_part_of_a_step(tmp_path: Path) -> None:
    def run(first: int, second: int) -> Trajectory:
        return recorded(
            tmp_path, click(tabId=first, timestamp=first), click(tabId=second, timestamp=second, frameIdStack=[second])
        )

    assert [step.tab for step in run(1409, 77).steps] == ["", "", "page1"]
    assert run(1409, 77).steps == run(5, 6).steps


def test_a_cards_text_is_cut_to_what_stands_first(tmp_path: Path) -> None:
    target = recorded(tmp_path, click(elementTag="DIV", elementText="Ada Lovelace\n   \n  9:11 AM\n")).steps[1].target
    assert target is not None
    assert (target.tag, target.called()) == ("div", "Ada Lovelace")


def test_a_box_that_was_typed_into_is_a_click_and_numbers_are_text(tmp_path: Path) -> None:
    found = recorded(tmp_path, typing(True, 'input[type="checkbox"]'), typing(3), typing(False, "input#r"))
    assert [(step.op, step.value) for step in found.steps[1:]] == [("click", ""), ("type", "3"), ("type", "false")]


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("click", "not an object"),
        ({"cssSelector": "#a"}, "no type"),
        ({"type": "teleport"}, "teleport"),
        ({"type": "click"}, "neither a selector nor a text"),
        ({"type": "navigation"}, "without a URL"),
        ({"type": "navigation", "url_operation": "__import__('os')"}, "without a URL"),
        ({"type": "navigation", "url_operation": [1]}, "url_operation"),
        ({"type": "key_press", "cssSelector": "#a"}, "without a key"),
        ({"type": "input", "cssSelector": "#a", "value": ["x"]}, "'value' must be text"),
    ],
)
def test_a_step_of_another_form_refuses_the_workflow_with_its_place(tmp_path: Path, step: Any, says: str) -> None:
    found = refused(tmp_path, step)
    assert (found.place, says in found.reason) == ("step 2", True), found


def test_other_json_is_refused_for_what_it_is(tmp_path: Path) -> None:
    assert "without steps" in str(reading(tmp_path, workflow())[0])
    path = tmp_path / "x.json"
    path.write_text('{"input_schema": []}', encoding="utf-8")
    assert "no list of steps" in str(*read([path], format="workflow-use"))
