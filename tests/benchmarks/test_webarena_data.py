"""The loader of the WebArena runs: on calls made here, and on the real file where it lies beside the checkout."""

import json
from collections import Counter
from itertools import pairwise

import pytest

from benchmarks import webarena_data
from benchmarks.frame import data_folder
from benchmarks.prose import target_of_prose
from graphmem.model.trajectory import trajectory_to_json


def call(tool, said="", **args):
    return {"tool": tool, "args": args, "said": said, "result": "ok"}


def record(*calls, **more):
    made = {"task_id": 3, "sites": ["shopping_admin"], "intent": "Top 2 products in 2022", "intent_template": "Top {{n}}",
            "intent_template_id": 279, "instantiation": {"n": 2}, "start_url": "http://HOST:7780/admin", "require_login": True,
            "result": "PASS", "answer": "Quest", "n_logs": 1, "steps": list(calls)}  # fmt: skip
    return made | more


def did(calls):
    return [(s.op, s.target.name if s.target else "", s.value) for s in webarena_data.steps_of(calls)]


def test_waits_looks_and_the_calls_of_sub_agents_are_no_steps():
    calls = [
        call(tool) for tool in ("screenshot", "list_tabs", "Bash", "Task", "TodoWrite", "Read", "wait", "switch_tab")
    ]
    assert did([*calls, call("click", target="Save button")]) == [("click", "Save", "")]


def test_typing_goes_to_the_field_clicked_before_and_enter_follows_where_told():
    calls = [
        call("click", target="Search by keyword text input field"),
        call("type", content="Frankie", pressEnterAfterType=True),
        call("click", target="Go button"),
        call("type", content="lost"),
    ]
    assert did(calls) == [
        ("click", "Search by keyword", ""),
        ("type", "Search by keyword", "Frankie"),
        ("press", "Search by keyword", "Enter"),
        ("click", "Go", ""),
        ("type", "", "lost"),
    ]


def test_what_is_typed_into_the_address_bar_is_a_navigation():
    calls = [call("click", target="URL address bar at the top"), call("type", content="http://HOST/f/pics")]
    assert did(calls) == [("navigate", "", "http://HOST/f/pics")]


def test_the_other_calls():
    calls = [
        call("press_key", keys=["alt", "arrowLeft"]),
        call("scroll", direction="down", distance="long"),
        call("click", target="Day 4", double=True),
        call("hover", target="Reports menu item"),
        call("open_tab", url="http://HOST:3000/"),
        call("complete_task", finalAnswer="Quest"),
    ]
    assert did(calls) == [
        ("press", "", "Alt+ArrowLeft"), ("scroll", "", "down"), ("dblclick", "Day 4", ""), ("hover", "Reports", ""),
        ("navigate", "", "http://HOST:3000/"), ("answer", "", "Quest"),
    ]  # fmt: skip


def test_arguments_that_were_left_as_text_are_read_as_far_as_they_go():
    assert webarena_data.arguments("{'finalAnswer': 'You have 5', 'x': 1}") == {"finalAnswer": "You have 5", "x": 1}
    assert webarena_data.arguments("{'boxId': 'b', 'content': 'MIT License and mo") == {"content": "MIT License and mo"}
    assert webarena_data.arguments("__import__('os').getcwd()") == {}


@pytest.mark.parametrize(
    ("prose", "role", "name", "row"),
    [
        ("Go button next to the search box", "button", "Go", ""),
        ("Go button next to the search field", "button", "Go", ""),
        ("From text input field with green marker icon", "textbox", "From", ""),
        ('Search bar with placeholder text "Search entire store here..."', "textbox", "Search entire store here", ""),
        ("MARKETING menu item in the left sidebar", "menuitem", "MARKETING", ""),
        ("Foot (OSRM) option in the dropdown menu", "option", "Foot (OSRM)", ""),
        ('Period dropdown menu showing "Day"', "combobox", "Period", ""),
        ("X button to close the Search Results panel", "button", "X", ""),
        (
            "Checkbox for Sahara Leggings-28-Blue product in row 1841",
            "checkbox",
            "Sahara Leggings-28-Blue product",
            "1841",
        ),
        ("View link in the Action column for order 000000301", "link", "View", "000000301"),
        ("Open menu button", "button", "Open", ""),
        ("Where is this? link with blue text", "link", "Where is this?", ""),
        ("Postmill logo at the top", "", "Postmill logo", ""),
        ("", "", "", ""),
    ],
)
def test_prose_is_a_kind_of_control_and_a_name(prose, role, name, row):
    target = target_of_prose(prose)
    assert (target.role, target.name, target.near.row) == (role, name, row)
    assert target.attribute("description") == prose
    assert "description" not in target.durable()["attributes"]


def test_two_ways_to_say_one_control_are_one_target():
    ways = ("Go button next to the search box", "Go button next to the search field", "the Go button in the top bar")
    assert len({json.dumps(target_of_prose(way).durable()) for way in ways}) == 1


def test_no_answer_stands_in_a_trajectory():
    run = webarena_data.run(record(call("click", target="Reports link"), result="FAIL"), 17)
    written = json.dumps(trajectory_to_json(run.trajectory))
    assert run.trajectory.outcome == "failure"
    for answer in ("279", "{{n}}", "HOST:7780", "task_id", "instantiation", '"17"'):
        assert answer not in written
    assert (run.answers.task_id, run.answers.template_id, run.answers.line) == (3, 279, 17)
    assert run.answers.start_url == "http://HOST:7780/admin"
    other = webarena_data.run(record(call("click", target="Reports link"), task_id=4, result="FAIL"), 18)
    assert other.trajectory == run.trajectory


@pytest.fixture(scope="module")
def runs():
    if not (data_folder() / webarena_data.FILE).is_file():
        pytest.skip(f"the measuring data is not at {data_folder()}; set GRAPHMEM_DATA to its folder")
    return webarena_data.load(seed=1)


@pytest.mark.shared
def test_all_812_runs_are_read_and_shuffled(runs):
    assert Counter(run.trajectory.outcome for run in runs) == {"success": 552, "failure": 260}
    lines = [run.answers.line for run in runs]
    assert sorted(lines) == list(range(812))
    neighbours = sum(a.answers.template_id == b.answers.template_id for a, b in pairwise(runs))
    assert neighbours < 0.1 * len(runs)


@pytest.mark.shared
def test_the_order_follows_the_seed(runs, monkeypatch):
    monkeypatch.setattr(webarena_data, "run", lambda record, line: line)
    orders = [webarena_data.load(seed=seed) for seed in (1, 1, 2)]
    assert orders[0] == orders[1] == [run.answers.line for run in runs]
    assert orders[0] != orders[2]


@pytest.mark.shared
def test_prose_targets_of_the_real_runs_come_down_to_fewer_controls(runs):
    passing = [run.trajectory for run in runs if run.trajectory.outcome == "success"]
    clicks = [step.target for trajectory in passing for step in trajectory.steps if step.op == "click"]
    phrases = {target.attribute("description") for target in clicks}
    controls = {(target.role, target.name) for target in clicks}
    assert sum(bool(target.name) for target in clicks) > 0.97 * len(clicks)
    assert len(controls) < 0.5 * len(phrases)
