"""Runs whose actions are Python calls: BrowserGym's log, JSON runs, AWM's cleaned steps; look-alikes, one quirk a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.importers import Refusal, read
from graphmem.importers.ax_tree import ax_page
from graphmem.importers.python_calls import UnreadableCall, calls_of
from graphmem.model.trajectory import Trajectory

TREE = """RootWebArea 'One Stop Market', focused
\t[12] navigation 'Site'
\t\t[227] link 'My Account', clickable, visible
\t\t\tStaticText 'My Account'
\t[143] combobox 'Search' value='', clickable, required=False
\t[150] table 'Orders'
\t\t[151] row ''
\t\t\t[152] cell '000000170'
\t\t\t[153] cell ''
\t\t\t\t[154] link 'View Order'
\t\t[161] row ''
\t\t\t[162] cell '000000188'
\t\t\t[163] cell ''
\t\t\t\t[164] link 'View Order'
"""


def line(thought: str, second: int = 0) -> str:
    return f"2024-07-01 12:00:{second:02d},123 - 4711 - browsergym.experiments.loop - INFO - {thought}"


def log(*steps: tuple[str, str]) -> str:
    return "\n".join(f"{line(thought, n)}\n\naction:\n{action}\n" for n, (thought, action) in enumerate(steps))


def put(folder: Path, content: str | Any, name: str = "experiment.log") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def one(path: Path) -> Trajectory:
    (found,) = read([path])
    assert isinstance(found, Trajectory), found
    return found


def run(*actions: str | dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    steps = [{"action": action} if isinstance(action, str) else action for action in actions]
    return {"goal": "Show my orders", "steps": steps, **more}


def did(found: Trajectory) -> list[tuple[str, str, str]]:
    return [(step.op, step.target.called() if step.target else "", step.value) for step in found.steps]


# -- the log ---------------------------------------------------------------------------------------------------------


def test_a_log_is_read_by_its_prefix_so_that_blank_lines_in_a_thought_do_no_harm(tmp_path: Path) -> None:
    thought = "I see two things.\n\n1. click('9')\n2. nothing\n\nSo I open the account."
    text = "2024-07-01 12:00:00,1 - 1 - root - INFO - Running\n" + log((thought, "\nclick('227')"))
    found = one(put(tmp_path / "webarena.310", text))
    assert [(step.op, step.reasoning) for step in found.steps] == [("click", thought)]
    assert found.steps[0].target
    assert [locator.value for locator in found.steps[0].target.locators] == ["227"]


def test_several_calls_in_one_action_are_steps_of_their_own(tmp_path: Path) -> None:
    found = one(put(tmp_path, log(("Search.", "fill('143', 'lamp')\npress('143', 'Enter')\nscroll(0, -200)"))))
    assert [(step.op, step.value) for step in found.steps] == [("type", "lamp"), ("press", "Enter"), ("scroll", "up")]
    assert len({step.reasoning for step in found.steps}) == 1


def test_a_log_that_ends_without_a_blank_line_or_in_a_thought_keeps_what_was_done(tmp_path: Path) -> None:
    text = log(("One", "click('1')"), ("Two", "click('2')")).rstrip("\n")
    assert len(one(put(tmp_path, text)).steps) == 2
    assert len(one(put(tmp_path, f"{text}\n{line('Three and the log is cut')}")).steps) == 2


def test_the_reward_and_the_goal_come_from_the_runs_own_summary_and_log(tmp_path: Path) -> None:
    folder = tmp_path / "webarena.21"
    path = put(folder, log(("Think", "click('1')")))
    assert (one(path).task, one(path).verdict) == ("webarena.21", "unknown")
    put(folder, {"n_steps": 1, "cum_reward": 1.0, "err_msg": None}, "summary_info.json")
    assert one(path).verdict == "success"
    put(folder, "goal: Find the lamp\n" + log(("Think", "click('1')")))
    assert one(path).task == "Find the lamp"
    (refused,) = [item for item in read([folder]) if isinstance(item, Refusal)]
    assert "read with its experiment.log" in refused.reason


# -- JSON runs -------------------------------------------------------------------------------------------------------


def test_an_elements_id_becomes_what_the_page_calls_it_and_is_not_kept(tmp_path: Path) -> None:
    step = {"action": "click('164')", "axtree_txt": TREE, "url": "http://127.0.0.1:7770/sales/order/history/"}
    found = one(put(tmp_path, run(step), "a.json"))
    target = found.steps[0].target
    assert target
    assert (target.role, target.name, target.near.row, target.locators) == ("link", "View Order", "000000188", ())
    assert found.steps[0].page
    assert found.steps[0].page.title == "One Stop Market"
    assert ("combobox", "Search") in [(t.role, t.name) for t in found.steps[0].page.sketch]
    assert found.site == "127.0.0.1:7770"


def test_the_last_error_is_about_the_step_before(tmp_path: Path) -> None:
    found = one(
        put(tmp_path, run("click('1')", {"action": "click('2')", "last_error": "Timeout"}, {"action": ""}), "a.json")
    )
    assert [step.error for step in found.steps] == ["Timeout", ""]


def test_an_empty_action_and_a_step_whose_file_was_cut_short_are_passed_over(tmp_path: Path) -> None:
    found = one(put(tmp_path, run("click('1')", None, {"action": None}, "", "click('2')"), "a.json"))
    assert len(found.steps) == 2


def test_runs_stand_one_a_line_and_a_bad_one_does_not_lose_the_others(tmp_path: Path) -> None:
    lines = [json.dumps(run(action)) for action in ("click('1')", "explode('1')", "click('2')")]
    found = list(read([put(tmp_path, "\n".join(lines), "a.jsonl")]))
    assert [isinstance(item, Trajectory) for item in found] == [True, False, True]
    assert isinstance(found[1], Refusal)
    assert (found[1].place, found[1].reason) == ("line 2, step 1", "calls an action that is not known.")


def test_steps_may_be_nested_as_the_environment_kept_them(tmp_path: Path) -> None:
    step = {
        "action": "click('227')",
        "agent_info": {"think": "Open it"},
        "obs": {"axtree_txt": TREE, "last_action_error": ""},
    }
    found = one(put(tmp_path, run(step, cum_reward=0.5), "a.json"))
    assert did(found) == [("click", "My Account", "")]
    assert (found.steps[0].reasoning, found.verdict) == ("Open it", "failure")


def test_cleaned_steps_are_a_list_of_thought_and_fenced_action(tmp_path: Path) -> None:
    texts = ["I open it.\n```click('1')```", "Then I say so.\n```send_msg_to_user('done')```"]
    found = one(put(tmp_path, texts, "cleaned_steps.json"))
    assert [(step.op, step.reasoning) for step in found.steps] == [
        ("click", "I open it."),
        ("answer", "Then I say so."),
    ]
    assert (found.task, found.answer) == ("cleaned steps", "done")


def test_an_action_that_is_no_python_was_none_to_the_environment_either(tmp_path: Path) -> None:
    found = one(put(tmp_path, run("click('1')", "I would click on the button", "click('2')"), "a.json"))
    assert len(found.steps) == 2
    kept = json.loads(found.extra)["browsergym"]["not_actions"]
    assert kept == [{"step": 2, "action": "I would click on the button", "reason": "is not Python."}]
    (refused,) = read([put(tmp_path, run("click(' nothing here"), "b.json")])
    assert isinstance(refused, Refusal)
    assert refused.reason == "has no actions that can be read."


def test_a_pickled_step_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "step_0.pkl.gz"
    path.write_bytes(b"\x80\x05\x95\x10\x00\x00\x00\x00\x00\x00\x00\x8c\x02os\x94\x8c\x06system\x94\x93\x94.")
    (found,) = read([path])
    assert isinstance(found, Refusal)


# -- the calls -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "steps"),
    [
        ("select_option('166', 'walk')", [("select", "walk")]),
        ("select_option('166', ['a', 'b'])", [("select", "a, b")]),
        ("click('3', button='right')", [("click", "right")]),
        ("type('3', 'oslo', 1)", [("type", "oslo"), ("press", "Enter")]),
        ("type('3', 'oslo', press_enter_after=0)", [("type", "oslo")]),
        ("clear('3')", [("type", "")]),
        ("goto('https://a.example/')", [("navigate", "https://a.example/")]),
        ("go_back()", [("press", "Alt+ArrowLeft")]),
        ("noop(1000)", [("wait", "1000")]),
        ("scroll('down')", [("scroll", "down")]),
        ("keyboard_press('Escape')", [("press", "Escape")]),
        ("report_infeasible('no such item')", [("answer", "no such item")]),
        ("drag_and_drop('1', '2')", [("drag", "")]),
        ("  click('1')\n    click('2')  # the second", [("click", ""), ("click", "")]),
        ("send_msg_to_user('It's 3 km.\n1. click('4')\n2. walk')", [("answer", "It's 3 km.\n1. click('4')\n2. walk")]),
    ],
)
def test_calls_are_read_as_their_authors_meant_them(tmp_path: Path, action: str, steps: list[tuple[str, str]]) -> None:
    found = one(put(tmp_path, run("click('0')", action), "a.json"))
    assert [(step.op, step.value) for step in found.steps[1:]] == steps


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "click(open('/etc/passwd').read())",
        "click(*['1'])",
        "click(**{'bid': '1'})",
        "x = click('1')",
        "import os",
        "lambda: 1",
        "click('1') or click('2')",
        "click(f'{1}')",
        "(" * 5000,
        "click('" + "9" * 30_000 + "')",
    ],
)
def test_nothing_but_calls_with_literal_arguments_is_taken_and_nothing_is_run(text: str) -> None:
    with pytest.raises(UnreadableCall):
        calls_of(text)


@settings(max_examples=200)
@given(st.text(max_size=80))
def test_any_text_is_calls_or_unreadable(text: str) -> None:
    try:
        calls = calls_of(text)
    except UnreadableCall:
        return
    assert all(call.name.isidentifier() for call in calls)


# -- the tree --------------------------------------------------------------------------------------------------------


def test_a_tree_in_webarenas_form_is_the_same_page() -> None:
    page = ax_page(
        "[1] RootWebArea 'Shop' focused: True\n\t[6] textbox 'Type here' required: False\n\t\t[7] StaticText \"It's\""
    )
    assert page is not None
    assert page.title == "Shop"
    node = page.named("6")
    assert node is not None
    assert (node.get("role"), node.get("aria-label")) == ("textbox", "Type here")


def test_text_that_is_no_tree_is_none() -> None:
    assert ax_page("Nothing to see here.\nReally nothing.") is None
    assert ax_page("") is None


@given(st.lists(st.tuples(st.integers(0, 300), st.sampled_from(["link", "generic", "row", "StaticText"])), max_size=40))
def test_any_indentation_makes_a_tree_that_holds_every_element(lines: list[tuple[int, str]]) -> None:
    text = "\n".join("\t" * depth + f"[{n}] {role} 'name {n}'" for n, (depth, role) in enumerate(lines))
    page = ax_page(text)
    if lines:
        assert page is not None
        assert {node.ref for node in page.tree.nodes} >= {str(n) for n in range(len(lines))}
