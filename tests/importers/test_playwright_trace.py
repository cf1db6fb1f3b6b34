"""Playwright traces: look-alikes of what each version writes, and one that the installed Playwright really wrote."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from traces import PAGE, call, context, lines, trace

import graphmem.importers.playwright_trace as importer
from graphmem.importers import Refusal, read
from graphmem.model.trajectory import Trajectory

URL = "https://shop.example/"
GOTO = call(1, "goto", {"url": URL, "waitUntil": "load"}, urls=("about:blank", URL))


def one(path: Path) -> Trajectory:
    (found,) = read([path])
    assert isinstance(found, Trajectory), found
    return found


def refusal(path: Path) -> Refusal:
    (found,) = read([path])
    assert isinstance(found, Refusal), found
    return found


def acts(found: Trajectory) -> list[tuple[str, str, str]]:
    return [(step.op, step.target.called() if step.target else "", step.value) for step in found.steps]


@pytest.mark.parametrize("version", [4, 6, 7, 8, 10])
def test_a_trace_of_each_version_is_read(tmp_path: Path, version: int) -> None:
    events = [
        context(version, title="shop.spec.ts:3 › shop › buys a book" if version > 5 else None),
        *GOTO,
        *call(2, "fill", {"selector": 'internal:label="Title"i', "value": "dune", "strict": True}),
        *call(3, "press", {"selector": 'internal:label="Title"i', "key": "Enter"}, urls=(URL, URL + "s")),
        *call(4, "click", {"selector": 'internal:role=link[name="GET STARTED"i]', "button": "right"}),
        *call(5, "expect", {"selector": "h1", "expression": "to.be.visible"}),
        *call(6, "selectOption", {"selector": "#size", "options": [{"valueOrLabel": "L"}]}),
        {"type": "console", "text": "x"},
        {"type": "screencast-frame", "pageId": PAGE},
    ]
    if version >= 10:
        for event in events:  # pages are told by snapshots alone, which name the call and the phase
            event.pop("pageId", None)
            if "snapshot" in event:
                phase, _, called = event["snapshot"].pop("snapshotName").partition("@")
                event["snapshot"] |= {"phase": phase, "callId": called}
    found = one(trace(tmp_path, *events))
    assert (found.task, found.site) == ("buys a book" if version > 5 else "log in", "shop.example")
    assert found.recorded_at == "2026-01-21T04:29:33Z"
    assert acts(found) == [
        ("navigate", "", URL), ("type", "Title", "dune"), ("press", "Title", "Enter"), ("click", "GET STARTED", "secondary"),
        ("select", "size", "L"),
    ]  # fmt: skip
    press = found.steps[2]
    assert (press.page and press.page.url, press.after and press.after.url) == (URL, URL + "s")


def test_a_trace_in_which_nothing_was_done_is_refused_for_that(tmp_path: Path) -> None:
    assert "nothing was done" in refusal(trace(tmp_path, context(8), trace__network="")).reason


def test_older_versions_and_none_are_refused(tmp_path: Path) -> None:
    assert "version 3" in refusal(trace(tmp_path, context(3), *GOTO)).reason
    assert "its version is not known" in refusal(trace(tmp_path, *GOTO)).reason


def test_before_and_after_belong_together_by_the_call_whatever_stands_between(tmp_path: Path) -> None:
    one_call = call(2, "click", {"selector": "text=A"}, error={"message": "Timeout 50ms exceeded.\nCall log: x"})
    other = call(3, "click", {"selector": "text=B"})
    found = one(trace(tmp_path, context(), one_call[0], other[0], other[1], one_call[1]))
    assert [(called, step.error) for step, (_, called, _) in zip(found.steps, acts(found), strict=True)] == [
        ("A", "Timeout 50ms exceeded."),
        ("B", ""),
    ]


def test_a_call_that_never_ended_is_still_what_was_done(tmp_path: Path) -> None:
    assert len(one(trace(tmp_path, context(), *GOTO, call(2, "click", {"selector": "a"})[0])).steps) == 2


def test_frames_tabs_and_relative_addresses(tmp_path: Path) -> None:
    inner = 'iframe[name="pay"] >> internal:control=enter-frame >> internal:role=button[name="Pay"s]'
    found = one(
        trace(
            tmp_path,
            context(options={"baseURL": URL}),
            *call(1, "goto", {"url": "/cart"}),
            *call(2, "click", {"selector": inner}),
            *call(3, "click", {"selector": "a"}, page="page@b2"),
        )
    )
    assert found.steps[0].value == URL + "cart"
    assert found.steps[1].target is not None
    assert found.steps[1].target.frame == ("pay",)
    assert [step.tab for step in found.steps] == ["", "", "page1"]


def test_the_log_tells_the_element_that_a_locator_was_resolved_to(tmp_path: Path) -> None:
    log = '  locator resolved to <input type="password" class="x" value="Zx9" autocomplete="current-password"/>'
    found = one(
        trace(tmp_path, context(), *call(1, "fill", {"selector": "#a1b2 >> nth=0", "value": "Zx9-quokka!"}, log=log))
    )
    step = found.steps[0]
    assert step.target is not None
    assert (step.target.tag, step.target.attribute("type"), step.target.attribute("class")) == ("input", "password", "")
    assert (step.value, step.secret) == ("{password}", True)


def test_the_keyboard_the_wheel_history_and_drags_are_steps(tmp_path: Path) -> None:
    found = one(
        trace(
            tmp_path,
            context(),
            *call(1, "keyboardPress", {"key": "Escape"}, "Page"),
            *call(2, "keyboardType", {"text": "abc"}, "Page"),
            *call(3, "mouseWheel", {"deltaX": 0, "deltaY": 9}, "Page"),
            *call(4, "goBack", {}, "Page"),
            *call(5, "dragAndDrop", {"source": "text=A", "target": "text=B"}),
            *call(6, "dispatchEvent", {"selector": "text=C", "type": "click"}),
            *call(7, "waitForTimeout", {"timeout": 5}),
            *call(8, "evaluateExpression", {"expression": "1+1"}),
            *call(9, "newPage", {}, "BrowserContext"),
        )
    )
    assert acts(found) == [("press", "", "Escape"), ("type", "", "abc"), ("scroll", "", ""), ("press", "", "Alt+ArrowLeft"),
                           ("drag", "A", ""), ("click", "C", ""), ("wait", "", "")]  # fmt: skip


@pytest.mark.parametrize(
    ("method", "params", "kind", "says"),
    [
        ("mouseClick", {"x": 1, "y": 2}, "Page", "coordinates"),
        ("teleport", {}, "Frame", "not known"),
        ("click", {}, "ElementHandle", "does not name"),
        ("fill", {"selector": ["a"], "value": "x"}, "Frame", "must be text"),
        ("evaluateExpression", {"expression": "a.click()"}, "Frame", "script"),
    ],
)
def test_a_call_that_is_not_understood_refuses_the_trace_with_its_line(
    tmp_path: Path, method: str, params: dict[str, Any], kind: str, says: str
) -> None:
    found = refusal(trace(tmp_path, context(), *GOTO, *call(2, method, params, kind)))
    assert (found.place, says in found.reason) == ("line 6", True), found


def test_uploaded_bytes_network_and_resources_are_never_kept(tmp_path: Path) -> None:
    payload = {"name": "C:\\me\\cv.pdf", "mimeType": "x", "buffer": "U0VDUkVUQllURVM="}
    network = lines(
        {"type": "resource-snapshot", "snapshot": {"request": {"cookies": [{"name": "PHPSESSID", "value": "sess77"}]}}}
    )
    path = trace(
        tmp_path,
        context(),
        *call(1, "setInputFiles", {"selector": "#f", "payloads": [payload]}),
        *call(2, "setInputFiles", {"selector": "#f", "localPaths": ["/home/me/a.txt", "b.txt"]}),
        trace__network=network,
        resources__html="sess77",
    )
    found = one(path)
    assert [step.value for step in found.steps] == ["cv.pdf", "a.txt, b.txt"]
    assert not any(secret in repr(found) for secret in ("U0VDUkVUQllURVM", "sess77", "/home/me"))


def test_each_context_of_an_archive_is_a_recording_and_the_test_runner_is_none(tmp_path: Path) -> None:
    zipped = tmp_path / "two.zip"
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("test.trace", lines(context(8), *call(1, "step", {}, "Test")))
        archive.writestr("0-trace.trace", lines(context(8, title="a › first"), *GOTO))
        archive.writestr("1-trace.trace", lines(context(8), *call(1, "teleport", {})))
    first, second = read([zipped])
    assert isinstance(first, Trajectory)
    assert first.task == "first"
    assert isinstance(second, Refusal)
    assert second.place == "1-trace.trace, line 2"


def test_another_archive_and_a_damaged_one_are_refused_for_what_they_are(tmp_path: Path) -> None:
    assert "no Playwright trace" in refusal(trace(tmp_path, a__txt="x")).reason
    whole = trace(tmp_path, context(), *GOTO).read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[: len(whole) // 2])
    assert "damaged" in refusal(tmp_path / "cut.zip").reason
    damaged = bytearray(whole)
    damaged[60:90] = b"\0" * 30
    (tmp_path / "bad.zip").write_bytes(bytes(damaged))
    assert "damaged" in refusal(tmp_path / "bad.zip").reason
    assert "no browser was used" in refusal(trace(tmp_path, test__trace="{}")).reason


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "not valid JSON"),
        ("[]", "not an object"),
        ("[" * 5000, "deep"),
        ('{"type":"before","params":[1]}', "without an id"),
        ('{"a":NaN}', ""),
    ],
)
def test_a_line_that_is_no_event_is_refused_with_its_number(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("trace.trace", lines(context()) + line + "\n")
    found = refusal(path)
    assert says in found.reason or "JSON" in found.reason


def test_an_archive_that_unpacks_to_more_than_it_may_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = trace(tmp_path, context(), {"type": "x", "fill": "0" * 300_000}, *GOTO)
    assert bomb.stat().st_size < 3000
    monkeypatch.setattr(importer, "MOST_LINE_BYTES", 100_000)
    assert refusal(bomb).place == "line 2"
    monkeypatch.setattr(importer, "MOST_LINE_BYTES", 1 << 20)
    monkeypatch.setattr(importer, "MOST_BYTES", 200_000)
    assert "MiB" in refusal(bomb).reason
    monkeypatch.setattr(importer, "MOST_FILE_BYTES", 1000)
    assert (
        "archive of more than"
        in refusal(trace(tmp_path, context(), *GOTO, big="".join(map(chr, range(32, 9000))))).reason
    )


def test_a_trace_comes_through_a_pipe_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = trace(tmp_path, context(title="piped"), *GOTO).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    (found,) = read(["-"])
    assert isinstance(found, Trajectory), found
    assert found.task == "piped"


SCRIPT = """
from playwright.sync_api import sync_playwright

def run(playwright):
    page = playwright.chromium.launch().new_page()
    page.get_by_label("Email").fill("a@b.example")
    page.get_by_placeholder("Password").fill("Zx9-quokka!")
    page.get_by_label("Size").select_option("M")
    page.get_by_role("row", name="1201").get_by_label("Pick").check()
    page.frame_locator("iframe").get_by_role("button", name="In", exact=True).click()
    page.get_by_test_id("go").press("Enter")
"""
HTML = """<form><label>Email<input></label><input type=password placeholder=Password>
<select aria-label=Size><option>S<option>M</select><button type=button data-testid=go>Go</button></form>
<table><tr><td>1201<td><input type=checkbox aria-label=Pick></tr></table><iframe srcdoc="<button>In</button>"></iframe>"""


@pytest.mark.chromium
def test_a_real_trace_and_the_script_that_made_it_tell_the_same_acts(tmp_path: Path, browser: Any) -> None:
    zipped, script = tmp_path / "real.zip", tmp_path / "real.py"
    script.write_text(SCRIPT, encoding="utf-8")
    recording = browser.new_context()
    recording.tracing.start(snapshots=True, screenshots=True)
    page = recording.new_page()
    page.set_content(HTML)
    page.get_by_label("Email").fill("a@b.example")
    page.get_by_placeholder("Password").fill("Zx9-quokka!")
    page.get_by_label("Size").select_option("M")
    page.get_by_role("row", name="1201").get_by_label("Pick").check()
    page.frame_locator("iframe").get_by_role("button", name="In", exact=True).click()
    page.get_by_test_id("go").press("Enter")
    recording.tracing.stop(path=zipped)
    recording.close()
    real, written = one(zipped), one(script)
    assert acts(real) == acts(written)
    assert [s.target and s.target.locators for s in real.steps] == [
        s.target and s.target.locators for s in written.steps
    ]
    assert [s.target.frame for s in real.steps if s.target][4] == ("iframe",)
    assert len(real.steps) == 6
    assert "quokka" not in repr(real) + repr(written)
