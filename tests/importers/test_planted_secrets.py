"""Secrets planted in a recording of each format are nowhere afterwards: in no value, repr, JSON, refusal or warning."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from graphmem.importers import Refusal, read
from graphmem.importers.neutral import trajectory_of
from graphmem.model.trajectory import Trajectory, trajectory_to_json

PASSWORD = "Zx9-quokka!"
CARD = "4242 4242 4242 4242"
CODE = "730915"
TOKEN = "tok9f8e7d6c5b4a"
URL = f"https://ada:{PASSWORD.replace('!', '%21')}@shop.example/cb?access_token={TOKEN}&x=1"
PLANTED = (
    PASSWORD,
    "Zx9-quokka",
    CARD,
    CARD.replace(" ", ""),
    CODE,
    TOKEN,
    "sess-77aa88bb",
    "sk-planted0123456789abcd",
)

NEUTRAL: dict[str, Any] = {
    "task": f"Log in with {PASSWORD}, code {CODE} and pay with {CARD}",
    "template": f"as {PASSWORD}",
    "answer": f"paid with {CARD.replace(' ', '')}",
    "source": {"tool": "x", "apiKey": TOKEN},
    "extra": {
        "cookies": {"sid": "sess-77aa88bb"},
        "log": ["Bearer " + TOKEN, PASSWORD],
        "k": "sk-planted0123456789abcd",
    },
    "steps": [
        {"op": "navigate", "value": URL, "after": {"url": URL, "title": PASSWORD}},
        {
            "op": "type",
            "value": PASSWORD,
            "reasoning": f"typing {PASSWORD}",
            "target": {"name": "Password"},
            "page": {"url": URL, "sketch": [{"attributes": {"type": "password", "value": PASSWORD}}]},
        },
        {"op": "type", "value": CODE, "target": {"attributes": {"autocomplete": "one-time-code"}}},
        {"op": "type", "value": CARD, "target": {"label": "Card number"}, "error": f"{CARD} declined"},
        {"op": "click", "target": {"name": f"Pay with {CARD}", "locators": [{"kind": "text", "value": PASSWORD}]}},
    ],
}
CHROME: dict[str, Any] = {
    "title": f"Log in with {PASSWORD} and {CODE}",
    "note": f"sk-planted0123456789abcd {PASSWORD}",
    "steps": [
        {"type": "setViewport", "width": 1, "cookie": "sess-77aa88bb"},
        {"type": "navigate", "url": URL, "assertedEvents": [{"type": "navigation", "url": URL, "title": PASSWORD}]},
        {"type": "change", "value": PASSWORD[:6], "selectors": [["aria/Password"], ["#pwd"]]},
        {"type": "keyUp", "key": "o"},
        {"type": "change", "value": PASSWORD, "selectors": [["aria/Password"], ["#pwd"]], "timeout": 5},
        {"type": "change", "value": CODE, "selectors": [["aria/Verification code"]]},
        {"type": "change", "value": CARD, "selectors": [["#cc-number"]]},
        {"type": "waitForExpression", "expression": f"window.token === '{TOKEN}' && x === '{PASSWORD}'"},
        {"type": "click", "selectors": [[f"aria/Hello {PASSWORD}"], [f"text/{CARD}"]]},
    ],
}
MIND2WEB: dict[str, Any] = {
    "website": "shop",
    "domain": "Shopping",
    "note": f"sk-planted0123456789abcd {TOKEN}",
    "confirmed_task": f"Log in with {PASSWORD} and pay with {CARD}",
    "action_reprs": [
        f"[textbox]  Password -> TYPE: {PASSWORD}",
        f"[textbox]  Card -> TYPE: {CARD}",
        f"[b]  Hi {PASSWORD} -> CLICK",
    ],
    "actions": [
        {
            "operation": {"op": "TYPE", "value": PASSWORD},
            "cleaned_html": f"<a>{PASSWORD}</a>",
            "pos_candidates": [
                {"tag": "input", "attributes": json.dumps({"type": "password", "input_value": PASSWORD})}
            ],
        },
        {
            "operation": {"op": "TYPE", "value": CARD},
            "pos_candidates": [{"tag": "input", "attributes": json.dumps({"href": URL})}],
        },
        {"operation": {"op": "CLICK", "value": ""}, "pos_candidates": []},
    ],
}
FORMATS = {"jsonl": NEUTRAL, "chrome-recorder": CHROME, "mind2web": MIND2WEB}


def nowhere(text: str) -> bool:
    return not any(planted in text for planted in PLANTED)


@pytest.mark.parametrize("format", FORMATS)
def test_a_planted_secret_is_nowhere_in_what_was_read(tmp_path: Path, format: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(FORMATS[format]), encoding="utf-8")
    (found,) = read([path])
    assert isinstance(found, Trajectory), found
    assert nowhere(repr(found)), [planted for planted in PLANTED if planted in repr(found)]
    assert nowhere(json.dumps(trajectory_to_json(found), ensure_ascii=False))
    assert "{password}" in found.task
    assert [step.secret for step in found.steps].count(True) >= 2


@pytest.mark.parametrize("format", FORMATS)
def test_a_refusal_of_a_record_never_quotes_a_planted_secret(tmp_path: Path, format: str) -> None:
    """Every value in turn becomes one of a wrong kind, and every text is cut there: no reason may quote what is near."""
    text = json.dumps(FORMATS[format])
    refused = 0
    for number, place in enumerate(_places(FORMATS[format])):
        broken = copy.deepcopy(FORMATS[format])
        holder, key = broken, place[-1]
        for part in place[:-1]:
            holder = holder[part]
        holder[key] = [7]
        for data in (
            json.dumps(broken),
            text[: text.index(PASSWORD) + number],
            json.dumps(broken).replace('"x"', PASSWORD),
        ):
            path = tmp_path / "a.json"
            path.write_text(data, encoding="utf-8")
            for item in read([path], format=format):
                assert nowhere(repr(item) + str(item)), item
                refused += isinstance(item, Refusal)
    assert refused > 20


def _places(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = list(node.items() if isinstance(node, dict) else enumerate(node)) if isinstance(node, dict | list) else []
    return [found for key, value in items for found in [(*path, key), *_places(value, (*path, key))]]


def test_a_key_that_looks_like_a_secret_is_not_quoted_as_an_unknown_key(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"task": "x", "steps": [], "sk-planted0123456789abcd": 1}), encoding="utf-8")
    (found,) = read([path])
    assert nowhere(str(found))


def test_a_record_made_in_a_program_is_masked_by_the_same_rules() -> None:
    assert nowhere(repr(trajectory_of(copy.deepcopy(NEUTRAL))))
