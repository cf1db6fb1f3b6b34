"""Secrets planted in other tools' recordings are nowhere afterwards: password, token, cookie, card number."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from traces import call, context, lines, trace

from graphmem.importers import Refusal, read
from graphmem.model.trajectory import Trajectory, trajectory_to_json

PASSWORD = "Zx9-quokka!"
CARD = "4242 4242 4242 4242"
TOKEN = "tok9f8e7d6c5b4a"
COOKIE = "sess-77aa88bb"
KEY = "sk-planted0123456789abcd"
URL = f"https://ada:{PASSWORD.replace('!', '%21')}@shop.example/cb?access_token={TOKEN}&x=1"
PLANTED = (PASSWORD, "Zx9-quokka", CARD, CARD.replace(" ", ""), TOKEN, COOKIE, KEY)

SIDE = {
    "name": f"Shop {KEY}",
    "url": "https://shop.example",
    "suites": [],
    "tests": [
        {
            "name": f"Log in with {PASSWORD} and pay with {CARD}",
            "commands": [
                {"command": "open", "target": URL, "value": ""},
                {"command": "store", "target": PASSWORD, "value": "word"},
                {"command": "store", "target": TOKEN, "value": "apiToken"},
                {"command": "executeScript", "target": f"return document.cookie = 'sid={COOKIE}'", "value": "c"},
                {"command": "type", "target": "id=password", "value": "${word}", "comment": PASSWORD},
                {"command": "sendKeys", "target": "id=cc-number", "value": CARD + "${KEY_ENTER}"},
                {"command": "assertText", "target": "css=.hi", "value": f"Hello {PASSWORD}"},
                {"command": "click", "target": f"linkText=Pay with {CARD}", "value": ""},
            ],
        }
    ],
}
WORKFLOW = {
    "name": "log_in",
    "description": f"Log in with {PASSWORD} and pay with {CARD}",
    "workflow_analysis": f"the key {KEY}, cookie: sid={COOKIE}",
    "input_schema": [{"name": "apiToken", "default": TOKEN}],
    "steps": [
        {"type": "navigation", "url": URL, "headers": {"cookie": f"sid={COOKIE}"}},
        {"type": "input", "cssSelector": "input#password", "value": PASSWORD, "description": f"type {PASSWORD}"},
        {"type": "input", "cssSelector": "input[name=cardNumber]", "value": CARD},
        {"type": "click", "cssSelector": "#pay", "elementText": f"Pay with {CARD}", "page_token": TOKEN},
        {"type": "done", "text": f"paid with {CARD}", "success": True},
    ],
}
CODE = f'''
from playwright.sync_api import Playwright

PASSWORD = "{PASSWORD}"

def run(playwright: Playwright) -> None:
    """Log in with {PASSWORD} and pay with {CARD}"""
    context = playwright.chromium.launch().new_context(http_credentials={{"username": "a", "password": "{PASSWORD}"}})
    context.add_cookies([{{"name": "sid", "value": "{COOKIE}"}}])
    page = context.new_page()
    page.set_extra_http_headers({{"Authorization": "Bearer {TOKEN}", "x": "{KEY}"}})
    page.goto("{URL}")
    page.get_by_label("Password").fill("{PASSWORD}")
    page.locator("#cc-number").fill("{CARD}")
    page.get_by_role("button", name="Pay with {CARD}").click()
'''


def side(folder: Path) -> Path:
    return _written(folder / "a.side", json.dumps(SIDE))


def workflow(folder: Path) -> Path:
    return _written(folder / "a.json", json.dumps(WORKFLOW))


def codegen(folder: Path) -> Path:
    return _written(folder / "a.py", CODE)


def zipped(folder: Path) -> Path:
    request = {
        "url": URL,
        "cookies": [{"name": "PHPSESSID", "value": COOKIE}],
        "headers": [{"name": "x", "value": KEY}],
    }
    return trace(
        folder,
        context(title=f"a › Log in with {PASSWORD} and pay with {CARD}", storageState={"cookies": [COOKIE]}),
        *call(1, "goto", {"url": URL, "referer": KEY}, urls=("about:blank", URL)),
        *call(2, "addCookies", {"cookies": [{"name": "sid", "value": COOKIE}]}, "BrowserContext"),
        *call(
            3,
            "fill",
            {"selector": "#a", "value": PASSWORD},
            log='locator resolved to <input type="password" value="x"/>',
        ),
        *call(4, "fill", {"selector": "#cc-number", "value": CARD}, error={"message": f"cannot fill {CARD}\n{KEY}"}),
        *call(5, "click", {"selector": f'internal:role=button[name="Pay with {CARD}"i]'}, urls=(URL, URL)),
        {"type": "console", "text": f"{TOKEN} {COOKIE} {KEY}"},
        trace__network=lines({"type": "resource-snapshot", "snapshot": {"request": request}}),
    )


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


FORMATS: dict[str, Callable[[Path], Path]] = {
    "selenium-ide": side,
    "workflow-use": workflow,
    "playwright-codegen": codegen,
    "playwright-trace": zipped,
}


def planted_in(text: str) -> list[str]:
    return [planted for planted in PLANTED if planted in text]


@pytest.mark.parametrize("format", FORMATS)
def test_a_planted_secret_is_nowhere_in_what_was_read(tmp_path: Path, format: str) -> None:
    (found,) = read([FORMATS[format](tmp_path)])
    assert isinstance(found, Trajectory), found
    assert json.loads(found.source)["tool"] == format
    assert planted_in(repr(found)) == []
    assert planted_in(json.dumps(trajectory_to_json(found), ensure_ascii=False)) == []
    assert "{password}" in found.task
    assert [(step.value, step.secret) for step in found.steps].count(("{password}", True)) == 1
    assert [step.value for step in found.steps].count("{card_number}") == 1


@pytest.mark.parametrize("format", ["selenium-ide", "workflow-use"])
def test_a_refusal_of_a_changed_record_never_quotes_a_planted_secret(tmp_path: Path, format: str) -> None:
    """Each value in turn is one of a wrong kind, and the text is cut there: no reason may quote what is near."""
    value: Any = SIDE if format == "selenium-ide" else WORKFLOW
    text = json.dumps(value)
    refused = 0
    for place in _places(value):
        broken = json.loads(text)
        holder: Any = broken
        for part in place[:-1]:
            holder = holder[part]
        holder[place[-1]] = [7]
        for data in (
            json.dumps(broken),
            json.dumps(broken)[: -len(place) * 40],
            text.replace('"type"', f'"{PASSWORD}"'),
        ):
            for item in read([_written(tmp_path / "a.json", data)], format=format):
                assert planted_in(repr(item) + str(item)) == [], item
                refused += isinstance(item, Refusal)
    assert refused > 20


def test_a_refusal_of_a_changed_program_never_quotes_a_planted_secret(tmp_path: Path) -> None:
    refused = 0
    rows = CODE.strip().splitlines()
    for number in range(len(rows)):
        for row in (
            rows[number] + "(",
            rows[number].replace("page.", "page.teleport(1)."),
            f"    page.mouse.click('{PASSWORD}')",
            '"\\d',
        ):
            changed = "\n".join([*rows[:number], row, *rows[number + 1 :]])
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                for item in read([_written(tmp_path / "a.py", changed)], format="playwright-codegen"):
                    assert planted_in(repr(item) + str(item)) == [], item
                    refused += isinstance(item, Refusal)
    assert refused > 20


def test_a_refusal_of_a_trace_never_quotes_a_planted_secret(tmp_path: Path) -> None:
    for method, params in (
        ("fill", {"selector": [PASSWORD]}),
        (PASSWORD, {}),
        ("goto", {"url": {TOKEN: 1}}),
        ("click", [TOKEN]),
    ):
        for item in read([trace(tmp_path, context(), *call(1, method, params))]):  # type: ignore[arg-type]
            assert isinstance(item, Refusal)
            assert planted_in(repr(item) + str(item)) == [], item


def _places(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = list(node.items() if isinstance(node, dict) else enumerate(node)) if isinstance(node, dict | list) else []
    return [found for key, value in items for found in [(*path, key), *_places(value, (*path, key))]]


@pytest.mark.parametrize("instead", [None, 5, "http://[", [], {"a": {}}, True])
@pytest.mark.parametrize("format", ["selenium-ide", "workflow-use", "playwright-trace"])
def test_no_value_in_no_place_makes_an_importer_raise(tmp_path: Path, format: str, instead: Any) -> None:
    events = [
        context(),
        *call(1, "goto", {"url": URL}, urls=("x", URL)),
        *call(2, "click", {"selector": "a"}, log="locator resolved to <a>"),
        *call(3, "selectOption", {"selector": "a", "options": [{"label": "x"}]}, error={"error": {"message": "x"}}),
        *call(4, "setInputFiles", {"selector": "a", "payloads": [{"name": "x"}]}),
        *call(5, "keyboardPress", {"key": "a"}, "Page"),
    ]
    value: Any = {"selenium-ide": SIDE, "workflow-use": WORKFLOW, "playwright-trace": events}[format]
    for place in _places(value):
        broken = json.loads(json.dumps(value))
        holder: Any = broken
        for part in place[:-1]:
            holder = holder[part]
        holder[place[-1]] = instead
        is_trace = format == "playwright-trace"
        path = trace(tmp_path, *broken) if is_trace else _written(tmp_path / "a.json", json.dumps(broken))
        found = list(read([path], format=format))
        assert found
        assert all(isinstance(item, Trajectory | Refusal) for item in found)
        assert not any("damaged" in str(item) for item in found)
