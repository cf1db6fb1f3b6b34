"""Selenium IDE: look-alikes of what its files really hold, one a quirk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphmem.importers import Refusal, read
from graphmem.importers.selenium_flow import MOST_ROUNDS
from graphmem.model.trajectory import Trajectory

Read = list[Trajectory | Refusal]


def do(command: str, target: str = "", value: str = "", *others: str, **rest: Any) -> dict[str, Any]:
    targets = [[other, other.partition("=")[0]] for other in others]
    return {"id": "1", "comment": "", "command": command, "target": target, "targets": targets, "value": value} | rest


def project(*tests: tuple[str, list[Any]], url: str = "https://shop.example", **rest: Any) -> dict[str, Any]:
    return {
        "id": "p",
        "version": "2.0",
        "name": "Shop",
        "url": url,
        "tests": [{"id": name, "name": name, "commands": commands} for name, commands in tests],
        "suites": [],
        "urls": [url],
        "plugins": [],
    } | rest


def reading(folder: Path, value: Any, name: str = "my-shop.side") -> Read:
    path = folder / name
    path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    return list(read([path]))


def recorded(folder: Path, *commands: dict[str, Any], **rest: Any) -> Trajectory:
    (found,) = reading(folder, project(("buys a book", [do("open", "/"), *commands]), **rest))
    assert isinstance(found, Trajectory), found
    return found


def acts(found: Trajectory) -> list[tuple[str, str, str]]:
    return [(step.op, step.target.called() if step.target else "", step.value) for step in found.steps[1:]]


def refused(folder: Path, *commands: dict[str, Any], **rest: Any) -> Refusal:
    (found,) = reading(folder, project(("buys", list(commands)), **rest))
    assert isinstance(found, Refusal), found
    return found


def test_a_test_becomes_a_recording_with_its_site_and_every_locator(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        do("click", "id=q", "", "id=q", "name=search", "css=#q", "xpath=//input[@id='q']"),
        do("type", "id=q", "dune", "id=q", "name=search"),
        do("click", "linkText=Dune", "", "linkText=Dune", "css=li > a"),
    )
    assert (found.task, found.site, found.verdict) == ("buys a book", "shop.example", "unknown")
    assert acts(found) == [("click", "search", ""), ("type", "search", "dune"), ("click", "Dune", "")]
    click, typed = (step.target for step in found.steps[1:3])
    assert click == typed, "a click right before typing is on the same field"
    assert click is not None
    assert [locator.kind for locator in click.locators] == ["id", "name", "css", "xpath"]
    assert found.steps[3].target is not None
    assert found.steps[3].target.role == "link"


def test_every_test_of_a_project_is_a_recording_and_a_bad_one_loses_no_other(tmp_path: Path) -> None:
    tests = [("a", [do("open", "/a")]), ("b", []), ("c", [do("teleport", "id=x")]), ("d", [do("open", "/d")])]
    found = reading(tmp_path, project(*tests))
    assert [item.task if isinstance(item, Trajectory) else item.place for item in found] == [
        "a",
        "test 2",
        "test 3, command 1",
        "d",
    ]
    assert "no commands" in str(found[1])
    assert "'teleport' is no command" in str(found[2])


@pytest.mark.parametrize(
    ("base", "target", "opened"),
    [
        ("https://shop.example", "/cart", "https://shop.example/cart"),
        ("https://shop.example/", "cart?x=1", "https://shop.example/cart?x=1"),
        ("https://shop.example/user/", "7-1", "https://shop.example/user/7-1"),
        ("https://shop.example", "https://other.example/", "https://other.example/"),
        ("", "https://other.example/", "https://other.example/"),
        ("https://shop.example", "${start}", "{start}"),
    ],
)
def test_open_is_relative_to_the_projects_address_or_absolute(
    tmp_path: Path, base: str, target: str, opened: str
) -> None:
    (found,) = reading(tmp_path, project(("t1", [do("open", target)]), url=base))
    assert isinstance(found, Trajectory)
    assert found.steps[0].value == opened


def test_a_relative_open_without_an_address_to_be_relative_to_is_refused(tmp_path: Path) -> None:
    found = refused(tmp_path, do("open", "/cart"), url="")
    assert (found.place, "no base URL" in found.reason) == ("test 1, command 1", True)
    assert "address that is none" in refused(tmp_path, do("open", "/cart"), url="http://[x").reason


def test_disabled_and_empty_commands_are_not_done(tmp_path: Path) -> None:
    found = recorded(tmp_path, do("//click", "id=a"), do("", "", ""), do("//// a remark"), do("click", "id=b"))
    assert acts(found) == [("click", "b", "")]


def test_a_default_name_gives_way_to_that_of_the_project_and_of_the_file(tmp_path: Path) -> None:
    for test, named, task in (
        ("Untitled", "Buy books", "Buy books"),
        ("New Test", "", "my shop"),
        ("1-logIn", "x", "1 log in"),
    ):
        (found,) = reading(tmp_path, project((test, [do("open", "/")]), name=named))
        assert isinstance(found, Trajectory)
        assert found.task == task


# -- control flow and variables


def test_a_loop_that_is_written_down_is_unrolled(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        do("executeScript", "return [{'name': 'Ada', age: 3}, {'name': 'Bo', age: 4}]", "people"),
        do("forEach", "people", "who"),
        do("type", "id=name", "${who.name} ${who.age}"),
        do("times", "2"),
        do("click", "id=add"),
        do("end"),
        do("end"),
    )
    one = [("type", "name", "Ada 3"), ("click", "add", ""), ("click", "add", "")]
    assert acts(found) == [*one, ("type", "name", "Bo 4"), *one[1:]]


@pytest.mark.parametrize("opening", ["if", "while", "times", "forEach", "do"])
def test_steps_that_hang_on_the_page_refuse_the_test_and_checks_do_not(tmp_path: Path, opening: str) -> None:
    closing = do("repeatIf", "${n} < 3") if opening == "do" else do("end")
    found = refused(tmp_path, do("open", "/"), do(opening, "${n}"), do("click", "id=a"), closing)
    assert (found.place, "hang on what the page says" in found.reason) == ("test 1, command 2", True)
    checks = [
        do(opening, "${n}"),
        do("echo", "x"),
        do("assertText", "id=a", "1"),
        do("storeText", "id=a", "t"),
        closing,
    ]
    assert acts(recorded(tmp_path, *checks, do("click", "id=b"))) == [("click", "b", "")]


def test_a_branch_that_is_known_is_taken(tmp_path: Path) -> None:
    branches = [
        *(do("if", "${is}"), do("click", "id=a"), do("elseIf", "true"), do("click", "id=b")),
        *(do("else"), do("click", "id=c"), do("end")),
    ]
    assert acts(recorded(tmp_path, do("store", "true", "is"), *branches)) == [("click", "a", "")]
    assert acts(recorded(tmp_path, do("store", "false", "is"), *branches)) == [("click", "b", "")]


@pytest.mark.parametrize(
    ("commands", "place", "says"),
    [
        ([do("if", "true"), do("click", "id=a")], "command 1", "'if' without its end"),
        ([do("click", "id=a"), do("end")], "command 2", "belongs to nothing"),
        ([do("do"), do("end")], "command 2", "belongs to nothing"),
        ([do("while", "x"), do("else"), do("end")], "command 2", "belongs to nothing"),
        ([do("times", str(MOST_ROUNDS + 1)), do("click", "id=a"), do("end")], "command 1", "loop of more than"),
        ([do("times", "200"), do("times", "200"), do("click", "id=a"), do("end"), do("end")], "command 3", "unrolled"),
    ],
)
def test_loops_that_do_not_close_or_have_no_measure_are_refused(
    tmp_path: Path, commands: Any, place: str, says: str
) -> None:
    found = refused(tmp_path, *commands)
    assert (found.place, says in found.reason) == (f"test 1, {place}", True), found


def test_stored_values_stand_where_they_are_known_and_slots_where_they_are_not(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        do("store", "Ada", "userName"),
        do("executeScript", "return 3", "n"),
        do("executeScript", "return Math.random()", "r"),
        do("storeText", "css=h1", "pageTitle"),
        do("type", "id=${userName}", "${userName}, ${n}, ${r}, ${pageTitle} and ${never.set}"),
    )
    assert acts(found)[1:] == [("type", "Ada", "Ada, 3, {r}, {page_title} and {never_set}")]
    assert acts(found)[0][0] == "extract"


def test_a_value_that_is_stored_in_a_skipped_branch_is_not_known_afterwards(tmp_path: Path) -> None:
    skipped = [do("if", "${x}"), do("store", "b", "v"), do("end")]
    assert acts(recorded(tmp_path, do("store", "a", "v"), *skipped, do("type", "id=q", "${v}")))[0][2] == "{v}"


def test_a_test_that_runs_another_has_its_steps(tmp_path: Path) -> None:
    login = ("log in", [do("open", "/login"), do("type", "id=user", "${user}")])
    buys = ("buys", [do("store", "ada", "user"), do("run", "log in"), do("click", "id=buy")])
    own, both = reading(tmp_path, project(login, buys))
    assert isinstance(own, Trajectory)
    assert isinstance(both, Trajectory)
    assert [step.value for step in own.steps] == ["https://shop.example/login", "{user}"]
    assert [step.value for step in both.steps] == ["https://shop.example/login", "ada", ""]


@pytest.mark.parametrize(("other", "says"), [([do("run", "buys")], "each other"), ([do("click")], "no target")])
def test_what_goes_wrong_in_a_test_that_is_run_is_told_by_both_places(tmp_path: Path, other: Any, says: str) -> None:
    first = reading(tmp_path, project(("buys", [do("open", "/"), do("run", "other")]), ("other", other)))[0]
    assert isinstance(first, Refusal)
    assert first.place.startswith("test 1, command 2, command 1")
    assert says in first.reason or "itself" in first.reason


def test_a_test_that_is_not_there_cannot_be_run(tmp_path: Path) -> None:
    assert "not in this project" in refused(tmp_path, do("run", "nowhere")).reason


# -- windows, frames, pointer, keys, dialogs


def test_windows_are_tabs_by_the_handle_that_was_given_to_them(tmp_path: Path) -> None:
    opens = {"opensWindow": True, "windowHandleName": "win9425", "windowTimeout": 2000}
    found = recorded(
        tmp_path,
        do("click", "linkText=More", **opens),
        do("storeWindowHandle", "root"),
        do("selectWindow", "handle=${win9425}"),
        do("click", "id=a"),
        do("close"),
        do("selectWindow", "handle=${root}"),
        do("click", "id=b"),
    )
    assert [step.tab for step in found.steps] == ["", "", "win9425", ""]


def test_frames_are_a_path_by_index_or_locator(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        do("selectFrame", "index=0"),
        do("selectFrame", "id=inner"),
        do("click", "id=a"),
        do("selectFrame", "relative=parent"),
        do("click", "id=b"),
        do("selectFrame", "relative=top"),
        do("click", "id=c"),
    )
    assert [step.target.frame for step in found.steps if step.target] == [("0", "id=inner"), ("0",), ()]


def test_the_pointer_passing_over_things_is_noise_and_a_menu_that_it_opens_is_not(tmp_path: Path) -> None:
    noise = [
        do("mouseOver", "id=a"),
        do("click", "id=a"),
        do("mouseOver", "id=b"),
        do("mouseOut", "id=b"),
        do("mouseOut", "id=a"),
    ]
    assert acts(recorded(tmp_path, *noise)) == [("click", "a", "")]
    menu = [do("mouseOver", "id=menu"), do("click", "id=item"), do("mouseOver", "id=z")]
    assert acts(recorded(tmp_path, *menu)) == [("hover", "menu", ""), ("click", "item", "")]


def test_a_drag_has_two_targets_and_a_press_with_its_release_is_a_click(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        do("dragAndDropToObject", "id=card", "id=bin"),
        do("mouseDownAt", "id=a", "1,1"), do("mouseMoveAt", "id=b", "2,2"), do("mouseUpAt", "id=b", "9,9"),
        do("mouseDownAt", "id=slider", "5,5"), do("mouseUpAt", "id=slider", "65,5"),
        do("mouseDownAt", "id=c", "5,5"), do("mouseMoveAt", "id=c", "5,5"), do("mouseUpAt", "id=c", "5,6"),
    )  # fmt: skip
    assert acts(found) == [("drag", "card", ""), ("drag", "a", ""), ("drag", "slider", "60,0"), ("click", "c", "")]
    assert [step.to.called() for step in found.steps if step.to] == ["bin", "b", "slider"]


def test_an_act_recorded_twice_is_one_where_twice_is_once(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        do("open", "/"),
        do("type", "id=q", "a"), do("type", "id=q", "a"),
        do("select", "id=s", "label=Blue"), do("select", "id=s", "label=Blue"), do("click", "css=option:nth-child(3)"),
        do("click", "id=plus"), do("click", "id=plus"),
    )  # fmt: skip
    assert acts(found) == [("type", "q", "a"), ("select", "s", "Blue"), ("click", "plus", ""), ("click", "plus", "")]


def test_keys_among_text_are_presses_and_submit_is_enter(tmp_path: Path) -> None:
    found = recorded(tmp_path, do("sendKeys", "id=q", "dune${KEY_PAGE_DOWN}x${KEY_ENTER}"), do("submit", "css=#login"))
    assert acts(found) == [("type", "q", "dune"), ("press", "q", "PageDown"), ("type", "q", "x"), ("press", "q", "Enter"),
                           ("press", "login", "Enter")]  # fmt: skip


def test_a_dialog_is_answered_once_however_often_the_file_says_so(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        do("answerOnNextPrompt", "Ada"), do("click", "id=a"), do("assertPrompt"), do("webdriverAnswerOnVisiblePrompt", "Ada"),
        do("chooseCancelOnNextConfirmation"), do("click", "id=b"), do("webdriverChooseCancelOnVisibleConfirmation"),
        do("click", "id=c"), do("acceptAlert"),
    )  # fmt: skip
    assert acts(found) == [
        ("click", "a", ""), ("type", "", "Ada"), ("press", "", "Enter"),
        ("click", "b", ""), ("press", "", "Escape"),
        ("click", "c", ""), ("press", "", "Enter"),
    ]  # fmt: skip


def test_checks_of_boxes_waits_uploads_and_scrolling_scripts_are_steps(tmp_path: Path) -> None:
    found = recorded(
        tmp_path,
        do("check", "name=agree"),
        do("waitForElementVisible", "css=.ready", "30000"),
        do("pause", "500"),
        do("type", "css=input[type=file]", "C:\\me\\cv.pdf"),
        do("runScript", "window.scrollTo(0,300)"),
    )
    assert [step.op for step in found.steps[1:]] == ["click", "wait", "wait", "upload", "scroll"]
    assert found.steps[1].target is not None
    assert (found.steps[1].target.role, found.steps[4].value) == ("checkbox", "cv.pdf")


def test_a_script_that_acts_on_the_page_is_refused_and_one_that_looks_is_kept_aside(tmp_path: Path) -> None:
    for script in ("document.querySelector('#a').click()", "window.location = '/x'", "f.value = 'x'"):
        found = refused(tmp_path, do("open", "/"), do("executeScript", script))
        assert (found.place, "script" in found.reason) == ("test 1, command 2", True)
    aside = json.loads(
        recorded(tmp_path, do("executeScript", "return document.title"), do("assertTitle", "Shop")).extra
    )
    assert aside["selenium"]["commands"]["command 3"] == {"command": "assertTitle", "target": "Shop"}
    assert "command 2" in aside["selenium"]["commands"]


# -- files as they come


def test_an_empty_target_is_refused_with_its_place_and_another_locator_stands_in(tmp_path: Path) -> None:
    assert refused(tmp_path, do("open", "/"), do("click")).place == "test 1, command 2"
    assert acts(recorded(tmp_path, do("click", "", "", "css=#a"))) == [("click", "a", "")]
    lost = do("click", "", fallbackTargets=[["linkText=Go", "linkText"]])
    assert acts(recorded(tmp_path, lost)) == [("click", "Go", "")]


def test_tailwinds_escaped_classes_are_no_tag(tmp_path: Path) -> None:
    target = recorded(tmp_path, do("click", r"css=.hover\3A border-background")).steps[1].target
    assert target is not None
    assert (target.tag, target.locators[0].value) == ("", r".hover\3A border-background")


def test_line_ends_of_windows_and_plugins_of_either_form_are_read(tmp_path: Path) -> None:
    for plugins in (["../dist/click.js"], [{"id": "x", "name": "Eyes", "version": "1.0.0"}], None):
        text = json.dumps(project(("t1", [do("open", "/")]), plugins=plugins), indent=2).replace("\n", "\r\n")
        (found,) = reading(tmp_path, text.encode())
        assert isinstance(found, Trajectory)


def test_a_file_that_is_no_json_is_refused_with_the_line(tmp_path: Path) -> None:
    text = json.dumps(project(("t1", [do("open", "/")])), indent=2).replace('"command": ', "", 1)
    (found,) = reading(tmp_path, text.encode())
    assert isinstance(found, Refusal)
    assert "not valid JSON" in found.reason
    assert "line 14" in found.reason


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        ({"tests": [], "suites": []}, ""),
        ({"tests": [{"name": "x"}], "commands": []}, ""),
        ({"tests": [{"name": "x", "commands": ["click"]}]}, "test 1, command 1"),
        ({"tests": [{"name": "x", "commands": [{"command": 5}]}]}, "test 1, command 1"),
        ({"tests": [{"name": "x", "commands": [{"command": "click", "targets": "a"}]}]}, "test 1, command 1"),
    ],
)
def test_another_form_is_refused_with_its_place(tmp_path: Path, raw: Any, place: str) -> None:
    (found,) = reading(tmp_path, raw)
    assert isinstance(found, Refusal)
    assert found.place == place


TABLE = """<?xml version="1.0" encoding="UTF-8"?><html><head profile="http://selenium-ide.openqa.org/profiles/test-case">
<link rel="selenium.base" href="https://shop.example/" /><title>Buy a book</title></head><body><table>
<thead><tr><td rowspan="1" colspan="3">Buy a book</td></tr></thead><tbody>
<tr><td>open</td><td>/</td><td></td></tr>
<!-- a remark --><tr>
  <td>type</td> <td>name=q
  <td>dune &amp; co
<tr><td>clickAndWait</td><td>link=Go on</td><td></td></tr>
</tbody></table></body></html>"""


def test_a_selenese_table_is_read_tidy_or_not(tmp_path: Path) -> None:
    (found,) = reading(tmp_path, TABLE.encode(), "old.html")
    assert isinstance(found, Trajectory), found
    assert (found.task, found.site) == ("Buy a book", "shop.example")
    assert acts(found) == [("type", "q", "dune & co"), ("click", "Go on", "")]


def test_a_selenese_suite_and_a_page_without_a_table_are_refused_for_what_they_are(tmp_path: Path) -> None:
    suite = '<html><table id="suiteTable"><tr><td><b>Suite</b></td></tr><tr><td><a href="a.html">A</a></td></tr></table></html>'
    (found,) = reading(tmp_path, suite.encode())
    assert "suite" in str(found)
    (found,) = reading(tmp_path, b'<html><link rel="selenium.base" href=""><table><tr><td>x</td></tr></table>')
    assert "no row has a command" in str(found)
    (found,) = reading(tmp_path, b"<html><table><tr><td>price</td></tr></table></html>")
    assert "looks like HTML" in str(found)
