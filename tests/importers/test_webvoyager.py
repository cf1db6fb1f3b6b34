"""WebVoyager's chats: look-alikes, one quirk a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from graphmem.importers import Refusal, read
from graphmem.model.trajectory import Trajectory

SYSTEM = (
    "Imagine you are a robot browsing the web. Click [Numerical_Label] or Type [Numerical_Label]; [Content]. "
    "After typing, the system automatically hits `ENTER` key."
)
PAGE = (
    '[0]: ".us", "Amazon";\t[2]: <input> "Search Amazon";\t[5]: "EN", "Choose a language";\t[8]: <button> "Go";\t[9]: ;'
)


def user(text: str, task: bool = False) -> dict[str, Any]:
    given = "Now given a task: Find a green lamp.  Please interact with https://lamps.example/ and get the answer. \n"
    parts = [{"type": "text", "text": (given if task else "") + f"Observation: see the screenshot.\n{text}"},
             {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo"}}]  # fmt: skip
    return {"role": "user", "content": parts}


def said(action: str, thought: str = "I look.") -> dict[str, Any]:
    return {"role": "assistant", "content": f"Thought: {thought}\n\nAction: {action}"}


def reading(folder: Path, *messages: Any, system: str = SYSTEM) -> Trajectory | Refusal:
    path = folder / "interact_messages.json"
    path.write_text(json.dumps([{"role": "system", "content": system}, *messages]), encoding="utf-8")
    (found,) = read([path])
    return found


def trajectory(folder: Path, *messages: Any, system: str = SYSTEM) -> Trajectory:
    found = reading(folder, *messages, system=system)
    assert isinstance(found, Trajectory), found
    return found


def did(found: Trajectory) -> list[tuple[str, str, str]]:
    return [(step.op, step.target.called() if step.target else "", step.value) for step in found.steps]


def test_a_chat_is_a_run_that_begins_at_its_site(tmp_path: Path) -> None:
    found = trajectory(
        tmp_path, user(PAGE, task=True), said("Type [2]; green lamp"), user(PAGE), said("Click [5]"), user(PAGE),
        said("ANSWER; The lamp costs\n12 crowns."),
    )  # fmt: skip
    assert did(found) == [
        ("navigate", "", "https://lamps.example/"),
        ("type", "Search Amazon", "green lamp"),
        ("press", "Search Amazon", "Enter"),
        ("click", "Choose a language", ""),
        ("answer", "", "The lamp costs\n12 crowns."),
    ]
    assert (found.task, found.site, found.answer) == (
        "Find a green lamp.",
        "lamps.example",
        "The lamp costs\n12 crowns.",
    )
    assert [step.target.role for step in found.steps if step.target] == ["textbox", "textbox", "link"]
    assert found.steps[3].reasoning == "I look."
    assert found.steps[3].page
    assert ("button", "Go") in [(t.role, t.name) for t in found.steps[3].page.sketch]


def test_enter_follows_typing_only_where_the_system_says_so(tmp_path: Path) -> None:
    quiet = "You may Click [Numerical_Label]."
    assert [op for op, *_ in did(trajectory(tmp_path, user(PAGE, task=True), said("Type [2]; x"), system=quiet))] == [
        "navigate",
        "type",
    ]


def test_a_page_may_be_an_accessibility_tree(tmp_path: Path) -> None:
    tree = "[1] RootWebArea 'Lamps' focused: True\n\t[2] heading 'Sale'\n\t[3] link 'Green lamp'"
    step = trajectory(tmp_path, user(tree, task=True), said("Click [3]")).steps[1]
    assert step.target
    assert (step.target.role, step.target.name, step.target.near.section) == ("link", "Green lamp", "Sale")
    assert step.page
    assert step.page.title == "Lamps"


def test_every_action_of_the_format_is_known(tmp_path: Path) -> None:
    actions = ("Scroll [WINDOW]; down", "Scroll [2]; [up]", "Wait", "GoBack", "Google", "Restart", "Type [2]; [a; b]")
    found = trajectory(tmp_path, user(PAGE, task=True), *(said(action) for action in actions))
    assert did(found)[1:8] == [
        ("scroll", "", "down"),
        ("scroll", "Search Amazon", "up"),
        ("wait", "", ""),
        ("press", "", "Alt+ArrowLeft"),
        ("navigate", "", "https://www.google.com/"),
        ("navigate", "", "https://www.google.com/"),
        ("type", "Search Amazon", "a; b"),
    ]


def test_an_action_that_the_agent_is_told_could_not_be_done_has_an_error(tmp_path: Path) -> None:
    failed = {
        "role": "user",
        "content": "Observation: The action you have chosen cannot be exected. Please double-check.",
    }
    found = trajectory(tmp_path, user(PAGE, task=True), said("Click [99]"), failed, said("Click [8]"))
    assert [bool(step.error) for step in found.steps] == [False, True, False]


def test_a_number_is_never_looked_up_in_a_page_before(tmp_path: Path) -> None:
    left_out = {"role": "user", "content": "Observation: A screenshot and some texts. (Omitted in context.)"}
    found = trajectory(
        tmp_path, user(PAGE, task=True), said("Click [8]"), left_out, said("Click [8]"), user(PAGE), said("Wait")
    )
    assert [step.target.called() for step in found.steps if step.target] == ["Go", ""]
    assert [bool(step.page) for step in found.steps[1:]] == [True, False, True]


def test_an_answer_in_no_format_does_nothing(tmp_path: Path) -> None:
    found = trajectory(tmp_path, user(PAGE, task=True), said("I would rather not"), said("Click [8]"))
    assert [step.op for step in found.steps] == ["navigate", "click"]


def test_no_screenshot_is_kept(tmp_path: Path) -> None:
    assert "iVBORw0KGgo" not in repr(trajectory(tmp_path, user(PAGE, task=True), said("Click [8]")))


def test_a_chat_without_a_task_or_actions_is_refused(tmp_path: Path) -> None:
    for messages, reason in (
        ([user(PAGE)], "gives a task"),
        ([user(PAGE, task=True)], "no actions"),
        ([7], "message 2"),
    ):
        found = reading(tmp_path, *messages)
        assert isinstance(found, Refusal)
        assert reason in found.reason
