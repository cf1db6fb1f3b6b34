"""Chrome DevTools Recorder: look-alikes of what its files really hold, one a quirk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphmem.importers import Refusal, read
from graphmem.model.target import Locator
from graphmem.model.trajectory import Trajectory

URL = "https://shop.example/"
VIEW = {"type": "setViewport", "width": 900, "height": 700}
OPEN = {"type": "navigate", "url": URL, "assertedEvents": [{"type": "navigation", "url": URL, "title": "Shop"}]}


def reading(folder: Path, recording: Any, name: str = "buy-a-book.json") -> list[Trajectory | Refusal]:
    path = folder / name
    path.write_text(json.dumps(recording), encoding="utf-8")
    return list(read([path]))


def recorded(folder: Path, *steps: dict[str, Any], title: str = "Buy a book", **rest: Any) -> Trajectory:
    (found,) = reading(folder, {"title": title, "steps": [VIEW, OPEN, *steps], **rest})
    assert isinstance(found, Trajectory), found
    assert found.steps[0].op == "navigate"
    return found


def click(*groups: Any, **rest: Any) -> dict[str, Any]:
    return {"type": "click", "target": "main", "selectors": list(groups), "offsetX": 3, "offsetY": 4.5} | rest


def change(value: str, *groups: Any) -> dict[str, Any]:
    return {"type": "change", "value": value, "selectors": list(groups or (["aria/Search"], ["#q"])), "target": "main"}


def key(kind: str, name: str) -> dict[str, Any]:
    return {"type": kind, "key": name, "target": "main"}


def refusal(folder: Path, recording: Any) -> Refusal:
    (found,) = reading(folder, recording)
    assert isinstance(found, Refusal), found
    return found


def test_a_recording_becomes_a_task_with_its_site_its_pages_and_what_was_done(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        change("dune", ['aria/Search[role="searchbox"]'], ["#q"]),
        click(
            ['aria/Go[role="button"]'],
            ["#go"],
            assertedEvents=[{"type": "navigation", "url": URL + "s", "title": "Found"}],
        ),
        click(["aria/Dune"]),
    )
    assert (found.task, found.site, found.verdict) == ("Buy a book", "shop.example", "unknown")
    assert [(step.op, step.value, step.target.called() if step.target else "") for step in found.steps] == [
        ("navigate", URL, ""),
        ("type", "dune", "Search"),
        ("click", "", "Go"),
        ("click", "", "Dune"),
    ]
    pages = [(step.page.url if step.page else "", step.after.url if step.after else "") for step in found.steps]
    assert pages == [("", URL), (URL, ""), (URL, URL + "s"), (URL + "s", "")]
    assert found.steps[1].page is not None
    assert found.steps[1].page.title == "Shop"


def test_a_group_of_several_selectors_is_a_shadow_path_with_the_outermost_host_first(tmp_path: Path) -> None:
    target = recorded(tmp_path, click(["aria/Pay"], ["#host", "pay-box", "#pay"])).steps[1].target
    assert target is not None
    assert target.shadow == ("#host", "pay-box")
    assert target.attribute("id") == "pay"
    assert target.locators == (Locator("aria", "Pay"), Locator("css", "#pay"))


def test_an_aria_path_takes_the_nearest_name_and_no_role_that_means_nothing(tmp_path: Path) -> None:
    target = (
        recorded(tmp_path, click(["aria/🧳 Visa & entry", 'aria/[role="generic"]'], ["#m > a > span"])).steps[1].target
    )
    assert target is not None
    assert (target.name, target.role, target.shadow) == ("🧳 Visa & entry", "", ())


def test_name_and_role_may_stand_in_one_aria_string(tmp_path: Path) -> None:
    target = recorded(tmp_path, click(['aria/Price [EUR][role="textbox"]'])).steps[1].target
    assert target is not None
    assert (target.name, target.role) == ("Price [EUR]", "textbox")


def test_selectors_may_be_a_flat_list_of_strings(tmp_path: Path) -> None:
    step = {"type": "waitForElement", "selectors": [".ready", "aria/Ready"], "operator": ">=", "count": 2}
    found = recorded(tmp_path, step).steps[1]
    assert (found.op, found.value) == ("wait", ">= 2")
    assert found.target is not None
    assert found.target.locators == (Locator("css", ".ready"), Locator("aria", "Ready"))


def test_every_kind_of_selector_is_kept_as_a_locator(tmp_path: Path) -> None:
    groups = (["aria/Go"], ["button.go"], ['xpath///*[@id="go"]/span'], ["pierce/button.go"], ["text/Go now"])
    target = recorded(tmp_path, click(*groups)).steps[1].target
    assert target is not None
    assert [locator.kind for locator in target.locators] == ["aria", "css", "xpath", "pierce", "text"]
    assert target.locators[2].value == '//*[@id="go"]/span'
    assert (target.tag, target.role, target.text) == ("button", "button", "Go now")


def test_a_selector_attribute_gives_an_id_or_a_test_id(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        click(["[id='cbCity']"]),
        click(["[data-testid=buy]"]),
        click(['form [name="a b"]']),
        selectorAttribute="id",
    )
    first, second, third = (step.target for step in found.steps[1:])
    assert first is not None
    assert second is not None
    assert third is not None
    assert (first.called(), second.test_id, third.attribute("name")) == ("cbCity", "buy", "a b")
    assert json.loads(found.extra)["recorder"]["selectorAttribute"] == "id"


def test_a_frame_is_an_index_path(tmp_path: Path) -> None:
    target = recorded(tmp_path, click(["aria/Pay"], frame=[0, 1])).steps[1].target
    assert target is not None
    assert target.frame == ("0", "1")


def test_typing_that_grows_is_one_step_with_the_last_value(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        key("keyUp", "H"),
        change("H"),
        key("keyDown", "e"),
        key("keyUp", "e"),
        change("Hello W"),
        key("keyUp", "o"),
        change("Hello World"),
        change("Hello World"),
    )
    assert [(step.op, step.value) for step in found.steps[1:]] == [("type", "Hello World")]


def test_a_value_that_replaces_another_is_a_step_of_its_own(tmp_path: Path) -> None:
    found = recorded(tmp_path, change("dune"), change("solaris"), change("solaris", ["#other"]))
    assert [step.value for step in found.steps[1:]] == ["dune", "solaris", "solaris"]


def test_keys_that_do_something_are_presses_and_held_keys_join_them(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        change("dune"),
        key("keyDown", "Enter"),
        key("keyUp", "Enter"),
        key("keyDown", "Meta"),
        key("keyDown", "c"),
        key("keyUp", "Meta"),
        key("keyUp", "c"),
        click(["#box"]),
        key("keyDown", "q"),
        key("keyUp", "q"),
        key("keyUp", "Tab"),
        key("keyDown", "Shift"),
        key("keyUp", "Shift"),
    )
    presses = [step.value for step in found.steps if step.op == "press"]
    assert presses == ["Enter", "Meta+c", "q", "Tab"]


def test_a_modifier_whose_release_is_missing_does_not_colour_later_keys(tmp_path: Path) -> None:
    found = recorded(tmp_path, key("keyDown", "Control"), click(["#a"]), key("keyDown", "Enter"))
    assert found.steps[-1].value == "Enter"


def test_the_right_button_is_kept_and_the_left_one_is_not_worth_a_word(tmp_path: Path) -> None:
    found = recorded(tmp_path, click(["#a"], button="secondary"), click(["#a"], button="primary"), click(["#a"]))
    assert [step.value for step in found.steps[1:]] == ["secondary", "", ""]


def test_double_clicks_hovers_scrolls_and_waits_are_known(tmp_path: Path) -> None:
    steps = [
        {"type": "doubleClick", "selectors": [["#a"]]},
        {"type": "hover", "selectors": [["#a"]]},
        {"type": "scroll", "x": 0, "y": 300, "selectors": [["#list"]]},
        {"type": "scroll", "y": 900},
        {"type": "waitForExpression", "expression": "1 === 1"},
        {"type": "customStep", "name": "TimeoutStep", "timeout": 5000},
    ]
    found = recorded(tmp_path, *steps)
    assert [step.op for step in found.steps[1:]] == ["dblclick", "hover", "scroll", "scroll", "wait", "wait"]
    assert {step.value for step in found.steps[3:5]} == {""}, "where it was scrolled to is no part of what was done"


def test_a_choice_in_a_select_is_a_select(tmp_path: Path) -> None:
    step = recorded(tmp_path, change("EUR", ["form > select.currency"])).steps[1]
    assert step.target is not None
    assert (step.op, step.value, step.target.role) == ("select", "EUR", "combobox")


def test_offsets_and_sizes_are_kept_aside_and_are_no_part_of_a_target(tmp_path: Path) -> None:
    one = recorded(tmp_path, click(["aria/Go"], offsetX=1))
    other = recorded(tmp_path, click(["aria/Go"], offsetX=99))
    assert one.steps == other.steps
    assert json.loads(one.extra)["recorder"]["steps"]["3"] == {"offsetX": 1, "offsetY": 4.5}
    assert json.loads(one.extra)["recorder"]["steps"]["1"]["width"] == 900


def test_a_start_page_of_the_browser_is_no_part_of_the_task(tmp_path: Path) -> None:
    start = {"type": "navigate", "url": "chrome://new-tab-page/"}
    (found,) = reading(tmp_path, {"title": "x", "steps": [start, OPEN]})
    assert isinstance(found, Trajectory)
    assert [step.value for step in found.steps] == [URL]
    assert found.site == "shop.example"


def test_an_empty_title_and_session_state_of_asserted_events_are_no_key(tmp_path: Path) -> None:
    def at(state: str) -> Trajectory:
        url = f"{URL}?_afrLoop={state}&_adf.ctrl-state={state}x"
        event = {"type": "navigation", "url": url, "title": ""}
        (found,) = reading(
            tmp_path, {"title": "x", "steps": [OPEN | {"url": url, "assertedEvents": [event]}, click(["#a"])]}
        )
        assert isinstance(found, Trajectory)
        return found

    one, other = at("11"), at("22")
    assert one.key != other.key, "two recordings"
    assert [vars(one)[k] for k in ("task", "site")] == [vars(other)[k] for k in ("task", "site")]
    same = [Trajectory(t.task, t.steps, t.site, run_id="same").key for t in (one, other)]
    assert same[0] == same[1], "session state enters no identity of its own"


def test_another_tab_is_told_by_its_address(tmp_path: Path) -> None:
    step = recorded(tmp_path, click(["#a"], target="https://pay.example/x")).steps[1]
    assert (step.tab, step.page.url if step.page else "") == ("https://pay.example/x",) * 2
    assert step.site == "pay.example"


def test_without_a_title_the_file_name_is_the_task(tmp_path: Path) -> None:
    (found,) = reading(tmp_path, {"steps": [OPEN]}, "order_a-coffee.v2.json")
    assert isinstance(found, Trajectory)
    assert found.task == "order a coffee"
    assert len(found.steps) == 1, "a single navigation is a recording too"


def test_an_unknown_step_type_refuses_the_recording_with_its_place(tmp_path: Path) -> None:
    found = refusal(tmp_path, {"title": "x", "steps": [VIEW, OPEN, {"type": "teleport", "selectors": [["#a"]]}]})
    assert found.place == "step 3"
    assert "teleport" in found.reason


@pytest.mark.parametrize(
    "step",
    [
        "click",
        {"selectors": [["#a"]]},
        {"type": "customStep", "name": "Recaptcha"},
        {"type": "navigate"},
        {"type": "click", "selectors": [[1]]},
        {"type": "click", "selectors": {"css": "#a"}},
        {"type": "click", "selectors": [["#a"]], "frame": ["x"]},
        {"type": "click", "selectors": [["#a"]], "assertedEvents": "none"},
        {"type": "change", "value": 5, "selectors": [["#a"]]},
        {"type": "keyDown"},
    ],
)
def test_a_step_of_another_form_refuses_the_recording_with_its_place(tmp_path: Path, step: Any) -> None:
    assert refusal(tmp_path, {"title": "x", "steps": [OPEN, step]}).place == "step 2"


def test_json_that_is_no_recording_is_refused_for_what_it_is(tmp_path: Path) -> None:
    assert "not a recording" in refusal(tmp_path, {"custom": "json"}).reason
    assert "no steps that do anything" in refusal(tmp_path, {"title": "x", "steps": [VIEW]}).reason


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("// v22.0.0 or later\nimport puppeteer from 'puppeteer';\nawait page.goto('x');", "browser script"),
        ("{'title': 'x', 'steps': [{'type': 'navigate', 'isMobile': False}]}", "Python literal"),
        ("flow = {'title': 'x'}", "Python literal"),
        ('{"title": "x", "steps": [{"type": "navigate", "isMobile": False}]}', "False is Python"),
        ('const flow = {"title": "x", "steps": [{"type": "navigate"}]}', "JavaScript"),
        ("export const flow = { title: 'x' };", "JavaScript"),
        ('Copy this:\n\n```json\n{"title": "x", "steps": []}\n```\n', "Markdown"),
        ("<html><body>Recorder</body></html>", "HTML"),
        ("dear diary", "text, but not JSON"),
    ],
)
def test_a_recording_pasted_into_another_kind_of_file_is_told_apart(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "flow.txt"
    path.write_text(text, encoding="utf-8")
    (found,) = read([path])
    assert isinstance(found, Refusal)
    assert says in found.reason


def test_a_password_in_clear_is_masked_with_what_grew_into_it(tmp_path: Path) -> None:
    password = (["aria/Password"], ["[data-test=password]"])
    found = recorded(
        tmp_path,
        change("pa55", *password),
        key("keyUp", "_"),
        change("pa55_sauce", *password),
        {"type": "waitForExpression", "expression": "document.querySelector('#p').value === 'pa55_sauce'"},
        title="Log in with pa55_sauce",
    )
    step = found.steps[1]
    assert (step.op, step.value, step.secret) == ("type", "{password}", True)
    assert found.task == "Log in with {password}"
    assert "pa55" not in repr(found)
