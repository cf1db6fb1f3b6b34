"""MiniWoB++ demonstrations: look-alikes of what its recordings really hold, one a quirk."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from miniwob_pages import Demo, find, login, node

from graphmem.importers import Refusal, importers, read
from graphmem.importers.miniwob_acts import acts_of
from graphmem.importers.miniwob_steps import instruction_of, task_of_file
from graphmem.model.trajectory import Step, Trajectory


def reading(folder: Path, *documents: Any, name: str = "demo.json") -> list[Trajectory | Refusal]:
    path = folder / name
    path.write_text("\n".join(json.dumps(document) for document in documents), encoding="utf-8")
    return list(read([path]))


def trajectory(folder: Path, demo: Demo, utterance: str = "Do it", **more: Any) -> Trajectory:
    (found,) = reading(folder, demo.record(utterance, **more))
    assert isinstance(found, Trajectory), found
    return found


def did(found: Trajectory) -> list[tuple[str, str, str]]:
    return [(step.op, step.target.called() if step.target else "", step.value) for step in found.steps]


def refusal(folder: Path, document: Any) -> str:
    (found,) = reading(folder, document)
    assert isinstance(found, Refusal), found
    return found.reason


def test_a_login_is_two_typings_and_a_click_though_every_event_is_there_twice(tmp_path: Path) -> None:
    demo = Demo(login())
    demo.click(4)
    demo.type(4, "keli")
    demo.key(4, 9)
    demo.type(7, "yBN9xx")
    demo.click(8)
    found = trajectory(tmp_path, demo, 'Enter the username "keli" and the password "yBN9xx" and press login.')
    assert did(found) == [
        ("click", "Username", ""),
        ("type", "Username", "keli"),
        ("press", "Username", "Tab"),
        ("type", "Password", "{password}"),
        ("click", "Login", ""),
    ]
    assert (found.site, found.domain, found.verdict) == ("try-it.miniwob", "miniwob", "success")
    assert "yBN9xx" not in repr(found)
    assert '"{password}"' in found.task
    assert [len(step.page.sketch) for step in found.steps if step.page] == [5] * 5


def test_a_page_is_as_it_was_before_the_event(tmp_path: Path) -> None:
    demo = Demo(login())
    demo.click(8, kinds="mousedown")
    demo.dom = node("BODY", 1, node("H1", 2, text="Welcome"))
    demo.event("mouseup", 2, x=10, y=85)
    demo.event("click", 2, x=10, y=85)
    (step,) = trajectory(tmp_path, demo).steps
    assert step.target
    assert step.target.called() == "Login"
    assert step.page
    assert "Welcome" not in repr(step.page)


def test_a_ref_is_not_unique_so_the_box_tells_elements_apart(tmp_path: Path) -> None:
    double = [node("INPUT_text", 4, id="a", top=40), node("INPUT_text", 4, id="b", top=80)]
    demo = Demo(node("BODY", 1, node("P", 2, double[0]), node("P", 3, double[1])))
    for kind in ("mousedown", "mouseup", "click"):
        for timing in (1, 3):
            demo.states.append(
                {"time": 1, "action": {"type": kind, "timing": timing, "x": 9, "y": 85}, "dom": _marked(demo)}
            )
    for letter in "hi":
        double[1]["value"] += letter
        for kind, code in (("keydown", 0), ("keypress", ord(letter)), ("keyup", 0)):
            event = {"type": kind, "timing": 1, "keyCode": ord(letter.upper()), "charCode": code}
            demo.states.append({"time": 2, "action": event, "dom": _marked(demo)})
    assert did(trajectory(tmp_path, demo)) == [("click", "b", ""), ("type", "b", "hi")]


def _marked(demo: Demo) -> Any:
    dom = json.loads(json.dumps(demo.dom))
    dom["children"][1]["children"][0]["recordingTarget"] = True
    return dom


def test_an_option_chosen_in_a_popup_outside_the_page_is_taken_from_the_instruction(tmp_path: Path) -> None:
    demo = Demo(node("BODY", 1, node("SELECT", 2, id="options"), node("BUTTON", 3, text="Submit")))
    demo.click(2)
    demo.click(2, x=-21, y=-303)
    demo.click(3)
    found = trajectory(tmp_path, demo, "Select Sierra Leone from the list and click Submit.")
    assert did(found) == [("select", "options", "Sierra Leone"), ("click", "Submit", "")]
    assert json.loads(found.extra)["miniwob"]["inferred"] == [1]


def test_options_that_were_recorded_are_chosen_by_their_text(tmp_path: Path) -> None:
    options = [node("OPTION", 10 + n, text=text) for n, text in enumerate(("Togo", "Niue", "Mali"))]
    demo = Demo(node("BODY", 1, node("SELECT", 2, *options, id="options")))
    demo.click(10)
    demo.click(12)
    found = trajectory(tmp_path, demo, "Select Mali, Togo from the scroll list.")
    assert did(found) == [("select", "options", "Togo"), ("select", "options", "Mali")]
    assert "inferred" not in json.loads(found.extra)["miniwob"]
    demo = Demo(node("BODY", 1, node("SELECT", 2, *options, id="options")))
    demo.click(2)
    assert did(trajectory(tmp_path, demo, "Pick Niue on it.")) == [("select", "options", "Niue")]


def test_a_click_on_a_label_is_one_on_its_field_and_the_browsers_own_click_is_none(tmp_path: Path) -> None:
    box = node("INPUT_checkbox", 3, value=False)
    demo = Demo(node("BODY", 1, node("LABEL", 2, box, node("t", -1, text="0ag")), node("BUTTON", 4, text="Submit")))
    demo.click(2)
    demo.event("click", 3, x=0, y=0)
    box["value"] = True
    demo.click(4)
    found = trajectory(tmp_path, demo)
    assert did(found) == [("click", "0ag", ""), ("click", "Submit", "")]
    assert found.steps[0].target
    assert found.steps[0].target.role == "checkbox"
    shown = [
        [t.attribute("checked") for t in step.page.sketch if t.role == "checkbox"] for step in found.steps if step.page
    ]
    assert shown == [[""], ["true"]]


def test_typing_where_nothing_has_the_focus_is_told_as_an_error_without_an_element(tmp_path: Path) -> None:
    demo = Demo(login())
    demo.type(1, "ke")
    demo.click(8)
    first, second = trajectory(tmp_path, demo).steps
    assert (first.op, first.value, first.target, first.error) == ("type", "ke", None, "nothing had the focus")
    assert second.error == ""


def test_copying_is_a_key_and_pasting_a_typing_of_what_then_stands_in_the_field(tmp_path: Path) -> None:
    demo = Demo(login())
    demo.event("keydown", 1, keyCode=17, charCode=0)
    demo.key(1, 67)
    demo.event("keyup", 1, keyCode=17, charCode=0)
    demo.click(4)
    demo.event("keydown", 4, keyCode=17, charCode=0)
    demo.event("keydown", 4, keyCode=86, charCode=0)
    find(demo.dom, 4)["value"] = "keli"
    demo.event("keyup", 4, keyCode=86, charCode=0)
    demo.event("keyup", 4, keyCode=17, charCode=0)
    demo.click(8)
    assert did(trajectory(tmp_path, demo)) == [
        ("press", "", "Control+c"),
        ("click", "Username", ""),
        ("type", "Username", "keli"),
        ("click", "Login", ""),
    ]


def test_a_date_typed_as_digits_has_the_value_that_the_field_gives_it(tmp_path: Path) -> None:
    field = node("INPUT_date", 2, id="tt")
    demo = Demo(node("BODY", 1, field, node("BUTTON", 3, text="Submit")))
    for digit in "03042014":
        demo.key(2, ord(digit), digit)
    field["value"] = "2014-03-04"
    demo.click(3)
    assert did(trajectory(tmp_path, demo))[0] == ("type", "tt", "2014-03-04")


def test_what_was_typed_and_deleted_again_is_not_in_the_value(tmp_path: Path) -> None:
    demo = Demo(login())
    demo.type(4, "kelx")
    find(demo.dom, 4)["value"] = "kel"
    demo.key(4, 8)
    demo.type(4, "i")
    demo.click(8)
    assert did(trajectory(tmp_path, demo))[0] == ("type", "Username", "keli")


def test_a_run_with_the_keyboard_alone_is_keys_and_typings(tmp_path: Path) -> None:
    demo = Demo(login())
    demo.key(1, 9)
    demo.type(4, "keli")
    demo.key(4, 9)
    demo.key(7, 9)
    demo.event("keydown", 8, keyCode=32, charCode=0)
    demo.event("keypress", 8, keyCode=32, charCode=32)
    demo.event("keyup", 8, keyCode=32, charCode=0)
    demo.event("click", 8, x=0, y=0)
    assert did(trajectory(tmp_path, demo)) == [
        ("press", "", "Tab"),
        ("type", "Username", "keli"),
        ("press", "Username", "Tab"),
        ("press", "Password", "Tab"),
        ("press", "Login", "Space"),
    ]


def test_shift_makes_letters_and_only_with_tab_a_key_of_its_own(tmp_path: Path) -> None:
    demo = Demo(login())
    demo.key(4, 20)
    demo.event("keydown", 4, keyCode=16, charCode=0)
    demo.type(4, "K")
    demo.key(4, 9)
    demo.event("keyup", 4, keyCode=16, charCode=0)
    assert did(trajectory(tmp_path, demo)) == [
        ("press", "Username", "CapsLock"),
        ("type", "Username", "K"),
        ("press", "Username", "Shift+Tab"),
    ]


def test_a_demonstration_that_ends_at_the_press_of_the_mouse_is_a_click(tmp_path: Path) -> None:
    demo = Demo(login())
    demo.click(4, kinds="mousedown")
    assert did(trajectory(tmp_path, demo)) == [("click", "Username", "")]


def test_a_press_that_scrolls_is_no_click_and_many_scrolls_are_one(tmp_path: Path) -> None:
    demo = Demo(login())
    demo.click(2, kinds="mousedown")
    for _ in range(3):
        demo.event("scroll", 2, (1, 2))
    demo.click(2, kinds="mouseup")
    demo.click(8)
    assert [op for op, *_ in did(trajectory(tmp_path, demo))] == ["scroll", "click"]


def test_a_press_let_go_elsewhere_is_a_drag_to_what_is_there(tmp_path: Path) -> None:
    demo = Demo(login())
    demo.click(4, kinds="mousedown")
    demo.click(8, kinds="mouseup")
    (step,) = trajectory(tmp_path, demo).steps
    assert step.op == "drag"
    assert step.to
    assert step.to.called() == "Login"


def test_a_double_click_takes_the_place_of_its_two_clicks(tmp_path: Path) -> None:
    demo = Demo(login())
    demo.click(8)
    demo.click(8)
    demo.click(8, kinds="dblclick")
    assert did(trajectory(tmp_path, demo)) == [("dblclick", "Login", "")]


def test_an_utterance_may_be_a_json_object_of_fields() -> None:
    text, fields = instruction_of('{"Departure City": "Dallas", "Departure Day": 4}')
    assert text == "Departure City: Dallas; Departure Day: 4"
    assert fields == {"Departure City": "Dallas", "Departure Day": 4}
    for plain in ("Click {it}", "{not json", '{"nested": {"a": 1}}'):
        assert instruction_of(plain) == (plain, {})


def test_made_up_ids_and_hover_classes_are_no_part_of_what_an_element_is(tmp_path: Path) -> None:
    def target(identifier: str, classes: str) -> Any:
        demo = Demo(
            node("BODY", 1, node("UL", 2, node("LI", 3, node("A", 4, id=identifier, classes=classes, text="15"))))
        )
        demo.click(4)
        found = trajectory(tmp_path, demo).steps[0].target
        assert found is not None
        assert found.locators == ()
        return found.durable()

    assert target("ui-id-2741", "ui-state-default ui-state-hover") == target("ui-id-88", "ui-state-default")


def test_the_roles_that_widgets_lost_in_recording_are_put_back_by_their_classes(tmp_path: Path) -> None:
    item = node("DIV", 4, text="Save", classes="ui-menu-item-wrapper ui-state-active", id="ui-id-61")
    demo = Demo(node("BODY", 1, node("UL", 2, node("LI", 3, item), classes="ui-menu")))
    demo.click(4)
    assert trajectory(tmp_path, demo).steps[0].target.role == "menuitem"  # type: ignore[union-attr]
    demo = Demo(node("BODY", 1, node("UL", 2, node("LI", 3, item), classes="ui-menu ui-autocomplete")))
    demo.click(4)
    assert trajectory(tmp_path, demo).steps[0].target.role == ""  # type: ignore[union-attr]


def test_the_form_of_the_recording_harness_and_unseen_announcements_are_left_out(tmp_path: Path) -> None:
    said = node("DIV", 5, node("DIV", 6, text="1 result"), classes="ui-helper-hidden-accessible")
    demo = Demo(node("BODY", 1, node("FORM", 2, node("BUTTON", 3, text="Go"), id="mturk_form"), said))
    demo.click(3)
    (step,) = trajectory(tmp_path, demo).steps
    assert step.target
    assert step.target.near.form == ""
    assert step.page
    assert [t.called() for t in step.page.sketch] == ["Go"]


@pytest.mark.parametrize(
    ("raw", "reward", "verdict", "kept"),
    [
        (1, 0.5, "success", 1.0),
        (1, -1, "failure", 0.0),
        (0.4, 0.2, "failure", 0.4),
        (-1, -1, "failure", 0.0),
        (None, None, "unknown", None),
    ],
)
def test_success_is_what_was_reached_not_how_fast(
    tmp_path: Path, raw: Any, reward: Any, verdict: str, kept: float | None
) -> None:
    demo = Demo(login())
    demo.click(8)
    found = trajectory(tmp_path, demo, rawReward=raw, reward=reward)
    assert (found.verdict, found.reward) == (verdict, kept)


def test_the_fields_of_a_task_are_kept_aside(tmp_path: Path) -> None:
    demo = Demo(login())
    demo.click(8)
    found = trajectory(tmp_path, demo, fields={"task": "star", "by": "Zia"})
    assert json.loads(found.extra)["miniwob"]["fields"] == {"task": "star", "by": "Zia"}


def test_a_task_that_is_not_named_is_read_from_the_files_name(tmp_path: Path) -> None:
    demo = Demo(login())
    demo.click(8)
    document = demo.record()
    del document["taskName"]
    (found,) = reading(tmp_path, document, name="click-tab-2_3HMIGG0U4M0NC9YV_d3.json")
    assert isinstance(found, Trajectory)
    assert found.site == "click-tab-2.miniwob"
    assert task_of_file("flight.Alaska_1021.json.gz") == "flight.Alaska"
    (refused,) = reading(tmp_path, document, name="demo.json")
    assert isinstance(refused, Refusal)
    assert "names no task" in refused.reason


def test_what_is_no_demonstration_is_refused_with_its_reason(tmp_path: Path) -> None:
    demo = Demo(login())
    demo.click(8)
    good = demo.record()
    assert "no states" in refusal(tmp_path, good | {"states": []})
    assert "no utterance" in refusal(tmp_path, good | {"utterance": " "})
    assert "nothing was done" in refusal(tmp_path, good | {"states": good["states"][:1]})
    strange = json.loads(json.dumps(good))
    strange["states"][1]["action"]["type"] = "wheel"
    assert refusal(tmp_path, strange) == "state 2 has an event of a kind that is not known."
    bare = json.loads(json.dumps(good))
    bare["states"][1]["dom"] = {"ref": 1}
    assert "state 2 has a page state whose nodes have no tags." in refusal(tmp_path, bare)


def test_a_bad_demonstration_does_not_lose_the_good_ones(tmp_path: Path) -> None:
    demo = Demo(login())
    demo.click(8)
    found = reading(tmp_path, demo.record("One"), demo.record("Two", states=[]), demo.record("Three"))
    assert [getattr(item, "task", "refused") for item in found] == ["One", "refused", "Three"]


def test_the_run_id_says_nothing_of_what_was_typed_but_tells_two_demonstrations_apart(tmp_path: Path) -> None:
    def run(text: str, extra: int = 0) -> str:
        demo = Demo(login())
        demo.type(4, text)
        demo.states[-1]["time"] += extra
        return trajectory(tmp_path, demo).run_id

    assert run("abc") == run("xyz")
    assert run("abc") != run("abc", extra=1)


def test_a_gzipped_file_of_any_name_is_known_by_its_content(tmp_path: Path) -> None:
    demo = Demo(login())
    demo.click(8)
    path = tmp_path / "whatever"
    path.write_bytes(gzip.compress(json.dumps(demo.record()).encode()))
    (found,) = read([path])
    assert isinstance(found, Trajectory)
    first = json.dumps({"states": demo.states}).encode()
    assert importers()["miniwob"].sniff(first, "x") > 0.8


_EVENTS = st.sampled_from(["mousedown", "mouseup", "click", "dblclick", "keydown", "keypress", "keyup", "scroll"])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(_EVENTS, st.sampled_from([1, 3, 4, 7, 8, 99]), st.sampled_from([8, 9, 17, 65, 86])), max_size=12)
)
def test_no_order_of_events_is_too_strange_to_be_read_and_an_event_counts_once(events: Any) -> None:
    once, twice = Demo(login()), Demo(login())
    for kind, ref, code in events:
        given_ = {"keyCode": code, "charCode": code if kind == "keypress" else 0, "x": 9, "y": 10 * ref}
        once.event(kind, ref, (1,), **given_)  # type: ignore[arg-type]
        twice.event(kind, ref, **given_)
    told = [[(a.kind, a.node.ref if a.node else "", a.value) for a in acts_of(demo.states)] for demo in (once, twice)]
    assert told[0] == told[1]


def test_steps_are_values_that_hold_no_node_of_the_page(tmp_path: Path) -> None:
    demo = Demo(login())
    demo.click(8)
    assert all(isinstance(step, Step) and hash(step) for step in trajectory(tmp_path, demo).steps)
