"""Mind2Web's own JSON: look-alikes of what its files really hold, one a quirk."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from graphmem.importers import Refusal, read
from graphmem.model.target import Target
from graphmem.model.trajectory import Step, Trajectory


def candidate(tag: str = "input", node: str = "17", original: bool = True, **attributes: str) -> dict[str, Any]:
    given = {"backend_node_id": node, "bounding_box_rect": f"1,2,3,{node}", **attributes}
    return {"tag": tag, "attributes": json.dumps(given), "is_original_target": original, "backend_node_id": node}


def action(op: str, value: str = "", *candidates: dict[str, Any], original: str = "", html: str = "") -> dict[str, Any]:
    operation = {"original_op": original or op, "value": value, "op": op}
    return {"action_uid": "u", "operation": operation, "pos_candidates": list(candidates), "cleaned_html": html}


def task(*pairs: tuple[dict[str, Any], str], **rest: Any) -> dict[str, Any]:
    return {
        "website": "tablefinder",
        "domain": "Travel",
        "subdomain": "Restaurant",
        "annotation_id": "a-1",
        "confirmed_task": "Book a table in Boston at 5:00 PM",
        "actions": [each for each, _ in pairs],
        "action_reprs": [text for _, text in pairs],
    } | rest


def reading(folder: Path, document: Any) -> list[Trajectory | Refusal]:
    path = folder / "train.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return list(read([path]))


def recorded(folder: Path, *pairs: tuple[dict[str, Any], str], **rest: Any) -> Trajectory:
    (found,) = reading(folder, task(*pairs, **rest))
    assert isinstance(found, Trajectory), found
    return found


def first(folder: Path, each: dict[str, Any], text: str) -> tuple[Step, Target]:
    step = recorded(folder, (each, text)).steps[0]
    assert step.target is not None
    return step, step.target


TYPE = (action("TYPE", "Boston", candidate(placeholder="City")), "[searchbox]  Find a place -> TYPE: Boston")


def test_a_task_has_its_site_domain_run_and_was_a_success(tmp_path: Path) -> None:
    found = recorded(tmp_path, TYPE)
    assert (found.site, found.domain, found.run_id, found.verdict) == ("tablefinder", "Travel", "a-1", "success")
    assert json.loads(found.extra)["mind2web"]["subdomain"] == "Restaurant"


def test_role_and_label_come_from_the_repr_and_the_rest_from_the_candidate(tmp_path: Path) -> None:
    step, target = first(tmp_path, *TYPE)
    assert (step.op, step.value) == ("type", "Boston")
    assert (target.role, target.name, target.tag, target.placeholder) == ("searchbox", "Find a place", "input", "City")


@pytest.mark.parametrize("form", ["one", "list", "lines", "gzip"])
def test_one_task_a_list_and_lines_are_read_plain_or_gzip(tmp_path: Path, form: str) -> None:
    tasks = [task(TYPE)] if form == "one" else [task(TYPE), task(TYPE, annotation_id="a-2")]
    text = "\n".join(map(json.dumps, tasks)) if form == "lines" else json.dumps(tasks[0] if form == "one" else tasks)
    path = tmp_path / "m2w"
    path.write_bytes(gzip.compress(text.encode()) if form == "gzip" else text.encode())
    found = list(read([path]))
    assert [t.run_id for t in found if isinstance(t, Trajectory)] == [each["annotation_id"] for each in tasks]


def test_what_click_hides_is_taken_from_the_original_operation(tmp_path: Path) -> None:
    hover, _ = first(tmp_path, action("CLICK", "", candidate("a"), original="HOVER"), "[link]  NBA . -> HOVER")
    enter, _ = first(tmp_path, action("CLICK", "", candidate(), original="ENTER"), "[textbox]  Search -> ENTER")
    assert (hover.op, hover.value) == ("hover", "")
    assert (enter.op, enter.value) == ("press", "Enter")


def test_colons_that_the_value_lost_come_back_from_the_repr(tmp_path: Path) -> None:
    step, _ = first(tmp_path, action("SELECT", "5 00 PM", candidate("select")), "[combobox]  Time -> SELECT: 5:00 PM")
    assert (step.op, step.value) == ("select", "5:00 PM")
    other, _ = first(tmp_path, action("TYPE", "full value", candidate()), "[textbox]  Note -> TYPE: full...")
    assert other.value == "full value", "a repr that differs otherwise is the shortened one"


def test_a_step_without_a_positive_candidate_is_kept_with_role_and_label(tmp_path: Path) -> None:
    step, target = first(tmp_path, action("CLICK"), "[link]  Injuries . -> CLICK")
    assert (step.op, target.role, target.name, target.tag) == ("click", "link", "Injuries .", "")


def test_of_several_candidates_the_original_target_counts(tmp_path: Path) -> None:
    several = (candidate("div", "1", original=False), candidate("button", "2"), candidate("span", "3", original=False))
    _, target = first(tmp_path, action("CLICK", "", *several), "[button]  Go -> CLICK")
    assert target.tag == "button"


def test_an_empty_label_an_arrow_in_a_label_and_lost_white_space_are_read(tmp_path: Path) -> None:
    _, empty = first(tmp_path, action("CLICK", "", candidate("svg")), "[svg]   -> CLICK")
    _, arrow = first(tmp_path, action("CLICK", "", candidate("a")), "[link]  Oslo -> Rome -> CLICK")
    assert (empty.role, empty.name) == ("svg", "")
    assert arrow.name == "Oslo -> Rome"


def test_renamed_attributes_have_their_own_name_again(tmp_path: Path) -> None:
    _, target = first(tmp_path, action("CLICK", "", candidate("button", aria_label="Close")), "[button]   -> CLICK")
    assert target.attribute("aria-label") == "Close"
    assert target.called() == "Close"


def test_node_numbers_and_boxes_are_no_part_of_an_identity(tmp_path: Path) -> None:
    targets = [
        first(tmp_path, action("CLICK", "", candidate("a", node)), "[link]  Go -> CLICK")[1] for node in ("17", "99")
    ]
    assert targets[0] != targets[1], "nothing is lost"
    assert targets[0].durable() == targets[1].durable()
    assert "17" not in json.dumps(targets[0].durable())


def test_a_cleaned_page_becomes_a_bounded_sketch(tmp_path: Path) -> None:
    html = (
        '<html><a backend_node_id="1"><text>Skip  to main</text></a><button aria_label="Search"/>'
        '<input type="checkbox" aria_label="Spicy"><div><select backend_node_id="4"><option>2 guests</option></select></div>'
        + "<a><span><text>More</text></span></a>"
        * 500
    )
    step, _ = first(tmp_path, action("CLICK", "", candidate("a"), html=html), "[link]  Go -> CLICK")
    assert step.page is not None
    shown = [(element.role, element.name) for element in step.page.sketch]
    assert shown[:4] == [
        ("link", "Skip to main"),
        ("button", "Search"),
        ("checkbox", "Spicy"),
        ("combobox", "2 guests"),
    ]
    assert len(shown) <= 150


def test_a_typed_password_is_masked(tmp_path: Path) -> None:
    pair = (action("TYPE", "Tr0ub4dor", candidate(type="password")), "[textbox]  Secret word -> TYPE: Tr0ub4dor")
    found = recorded(tmp_path, pair, confirmed_task="Log in with Tr0ub4dor")
    assert found.steps[0].value == "{password}"
    assert "Tr0ub4dor" not in repr(found)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"actions": {}}, ""),
        ({"action_reprs": ["[a]  b -> CLICK"] * 3}, ""),
        ({"confirmed_task": 5}, ""),
        ({"confirmed_task": ""}, ""),
        ({"actions": [{"operation": None}], "action_reprs": [""]}, "step 1"),
        ({"actions": [action("FLY")], "action_reprs": [""]}, "step 1"),
        ({"actions": [action("CLICK")], "action_reprs": ["click there"]}, "step 1"),
        ({"actions": [action("CLICK", "", {"attributes": "{"})], "action_reprs": [""]}, "step 1"),
        ({"actions": [action("CLICK", "", {"attributes": "[]"})], "action_reprs": [""]}, "step 1"),
        ({"actions": [action("CLICK") | {"pos_candidates": "x"}], "action_reprs": [""]}, "step 1"),
    ],
)
def test_a_task_of_another_form_is_refused_with_its_place_and_the_others_are_read(
    tmp_path: Path, change: dict[str, Any], place: str
) -> None:
    found = reading(tmp_path, [task(TYPE), task(TYPE) | change, task(TYPE)])
    assert [type(item) for item in found] == [Trajectory, Refusal, Trajectory]
    assert isinstance(found[1], Refusal)
    assert found[1].place == "record 2" + (f", {place}" if place else "")
