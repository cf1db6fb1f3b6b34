"""Secrets planted in the recordings of agents and of MiniWoB++ are nowhere afterwards: in no value, JSON or refusal."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from miniwob_pages import Demo, login, node

from graphmem.importers import Refusal, read
from graphmem.model.trajectory import Trajectory, trajectory_to_json

PASSWORD = "Zx9-quokka!"
CARD = "4242 4242 4242 4242"
TOKEN = "tok9f8e7d6c5b4a"
COOKIE = "sess-77aa88bb"
KEY = "sk-planted0123456789abcd"
URL = f"https://shop.example/cb?access_token={TOKEN}&x=1"
PLANTED = (PASSWORD, "quokka", CARD, CARD.replace(" ", ""), TOKEN, COOKIE, KEY)


def _miniwob() -> dict[str, Any]:
    dom = login()
    dom["children"].append(node("P", 20, node("LABEL", 21, text="Card number"), node("INPUT_text", 22, id="card")))
    demo = Demo(dom)
    demo.type(4, "ada")
    demo.type(7, PASSWORD)
    demo.type(22, CARD)
    demo.click(8)
    return demo.record(
        f'Log in as "ada" with "{PASSWORD}" and pay with {CARD}', note=KEY, fields={"password": PASSWORD}
    )


def _element(**attributes: str) -> dict[str, Any]:
    return {"tag_name": "input", "xpath": "//input", "attributes": attributes}


BROWSER_USE: dict[str, Any] = {
    "apiKey": KEY,
    "history": [
        {
            "model_output": {
                "current_state": {"memory": f"password is {PASSWORD}", "next_goal": f"Log in with {PASSWORD}"},
                "action": [
                    {"go_to_url": {"url": URL}},
                    {"input_text": {"index": 1, "text": PASSWORD}},
                    {"input_text": {"index": 2, "text": CARD}},
                    {"ask_human": {"question": f"is {PASSWORD} right?", "cookies": {"sid": COOKIE}}},
                ],
            },
            "result": [{"error": f"{CARD} declined"}, {}],
            "state": {
                "url": URL,
                "title": f"Hello {PASSWORD}",
                "items": [{"index": 1, "text": f'<input type="password" value="{PASSWORD}">'}],
                "interacted_element": [None, _element(type="password"), _element(autocomplete="cc-number", value=CARD)],
                "cookies": [{"name": "sid", "value": COOKIE}],
            },
        },
    ],
}
TREE = f"RootWebArea 'Shop {PASSWORD}'\n\t[7] textbox 'Password' value='{PASSWORD}'\n\t[8] textbox 'Card number' value='{CARD}'"
BROWSERGYM: dict[str, Any] = {
    "goal": f"Log in with {PASSWORD} and pay with {CARD}",
    "steps": [
        {"action": f"goto('{URL}')", "think": f"Bearer {TOKEN}"},
        {"action": f"fill('7', '{PASSWORD}')\nfill('8', '{CARD}')", "axtree_txt": TREE, "url": URL},
        {"action": f"I type {PASSWORD} and {KEY}", "last_error": f"{PASSWORD} is wrong"},
    ],
}
WEBVOYAGER: list[dict[str, Any]] = [
    {"role": "system", "content": "Click [Numerical_Label]"},
    {
        "role": "user",
        "content": f"Now given a task: Log in with {PASSWORD} and pay with {CARD}. Please interact with {URL} and get the "
        f'answer.\n[1]: <input> "Password";\t[2]: <input> "Card number";\t[3]: "{KEY}";',
    },
    {"role": "assistant", "content": f"Thought: type {PASSWORD}\n\nAction: Type [1]; {PASSWORD}"},
    {"role": "assistant", "content": f"Thought: type {CARD}\n\nAction: Type [2]; {CARD}"},
    {"role": "assistant", "content": f"Thought: ok\n\nAction: ANSWER; paid with {CARD}, Bearer {TOKEN}"},
]
FORMATS: dict[str, Any] = {
    "miniwob": _miniwob(),
    "browser-use": BROWSER_USE,
    "browsergym": BROWSERGYM,
    "webvoyager": WEBVOYAGER,
}


def shown(text: str) -> list[str]:
    return [planted for planted in PLANTED if planted in text]


@pytest.mark.parametrize("format", FORMATS)
def test_a_planted_secret_is_nowhere_in_what_was_read(tmp_path: Path, format: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(FORMATS[format]), encoding="utf-8")
    (found,) = read([path])
    assert isinstance(found, Trajectory), found
    assert shown(repr(found)) == []
    assert shown(json.dumps(trajectory_to_json(found), ensure_ascii=False)) == []
    typed = [step for step in found.steps if step.op == "type"]
    assert [step.secret for step in typed if step.value != "ada"] == [True, True]
    assert "{password}" in found.task


def test_a_planted_secret_is_nowhere_in_what_a_log_becomes(tmp_path: Path) -> None:
    prefix = "2024-07-01 12:00:00,1 - 7 - browsergym.experiments.loop - INFO - "
    text = f"goal: pay with {CARD}\n{prefix}I use Bearer {TOKEN} at {URL}\n\naction:\ngoto('{URL}')\nkeyboard_type('{KEY}')\n"
    path = tmp_path / "experiment.log"
    path.write_text(text, encoding="utf-8")
    (found,) = read([path])
    assert isinstance(found, Trajectory), found
    assert shown(repr(found)) == []


@pytest.mark.parametrize("format", FORMATS)
def test_a_refusal_of_a_record_never_quotes_a_planted_secret(tmp_path: Path, format: str) -> None:
    """Every value in turn becomes one of a wrong kind, and the text is cut there: no reason may quote what is near."""
    text = json.dumps(FORMATS[format])
    refused = 0
    places = _places(FORMATS[format])
    # A demonstration has thousands of values, most of them sides of boxes.
    for number, place in enumerate(places[:: max(len(places) // 60, 1)]):
        broken = copy.deepcopy(FORMATS[format])
        holder = broken
        for part in place[:-1]:
            holder = holder[part]
        holder[place[-1]] = [7]
        for data in (json.dumps(broken), text[: text.index(PASSWORD) + number]):
            path = tmp_path / "a.json"
            path.write_text(data, encoding="utf-8")
            for item in read([path], format=format):
                # What still reads as a recording may have lost what says that a word is a password.
                if isinstance(item, Refusal):
                    assert shown(repr(item) + str(item)) == [], item
                    refused += 1
    assert refused > 10


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = (
        list(value.items() if isinstance(value, dict) else enumerate(value)) if isinstance(value, dict | list) else []
    )
    return [found for key, item in items for found in [(*path, key), *_places(item, (*path, key))]]
