"""Selectors as targets: what a person would say of an element is told apart from how a tool found it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.importers.playwright_selectors import ENTER_FRAME, target_of
from graphmem.importers.selectors import blank, learn, settle


def learned(kind: str, value: str) -> dict[str, Any]:
    target = blank()
    learn(target, kind, value)
    return settle(target)


@pytest.mark.parametrize(
    ("kind", "value", "known"),
    [
        ("css", "form .row > input#mail.wide[name='user mail']", {"tag": "input", "id": "mail", "name": "user mail"}),
        ("css", 'input[name="created_at[from]"][type="text"]', {"role": "textbox", "name": "created_at[from]"}),
        ("css", r".hover\3A border-background", {"tag": "", "id": ""}),
        ("css", r"#a\:b", {"id": "a:b"}),
        ("css", "li:nth-child(18) > a", {"tag": "a", "role": "link"}),
        ("css", 'button:has-text("Save all")', {"tag": "button", "text": "Save all"}),
        ("css", 'div[role="textbox"][aria-label*="Write a message"]', {"role": "textbox", "called": "Write a message"}),
        ("css", '[data-testid="go"]', {"test_id": "go"}),
        ("xpath", "//a[contains(text(),'Click Here')]", {"tag": "a", "role": "link", "text": "Click Here"}),
        ("xpath", "(//button[normalize-space()='Go on'])[2]", {"role": "button", "text": "Go on"}),
        ("xpath", "//div[@id='x/y']/input[@type='checkbox']", {"role": "checkbox", "id": ""}),
        ("xpath", '//*[@id="q"]', {"id": "q", "tag": ""}),
        ("xpath", 'id("search")', {"id": "search"}),
        ("xpath", "//select[contains(.,'One Two Three')]", {"role": "combobox", "text": ""}),
        ("link", "Sign out", {"role": "link", "called": "Sign out"}),
        ("partial_link", "Sign", {"role": "link", "text": "Sign", "called": ""}),
        ("id", "q", {"id": "q"}),
        ("name", "q", {"name": "q"}),
    ],
)
def test_a_selector_says_what_it_says_of_the_element_and_stays_a_locator(
    kind: str, value: str, known: dict[str, str]
) -> None:
    target = learned(kind, value)
    attributes = target["attributes"]
    told = target | {"id": attributes.get("id", ""), "called": target["name"], "name": attributes.get("name", "")}
    assert {key: told[key] for key in known} == known
    assert target["locators"] == [{"kind": kind, "value": value}]


@pytest.mark.parametrize(
    ("selector", "known"),
    [
        ('internal:role=link[name="GET \\"STARTED\\""i]', {"role": "link", "name": 'GET "STARTED"'}),
        ('internal:role=button[checked=true][name="X"s]', {"role": "button", "name": "X"}),
        ("internal:role=heading[level=2][name=/^Total$/i]", {"role": "heading", "name": "Total"}),
        ("internal:role=heading[name=/a.b|c/i]", {"role": "heading", "name": ""}),
        ('internal:label="Email"i', {"label": "Email"}),
        ('internal:attr=[placeholder="Search"i]', {"placeholder": "Search"}),
        ('internal:attr=[alt="Logo"i]', {"role": "img"}),
        ('internal:testid=[data-testid="go"s]', {"test_id": "go"}),
        ('internal:text="Go on"i', {"text": "Go on"}),
        ("text=Log in", {"text": "Log in"}),
        ('"Log in"', {"text": "Log in"}),
        ("//a[text()='Go']", {"role": "link", "text": "Go"}),
        ("xpath=//a[text()='Go']", {"role": "link", "text": "Go"}),
        ("#login >> nth=1", {"near": {"position": "2"}}),
        ("a >> nth=-1", {"near": {"position": "last"}, "tag": "a"}),
        ('li >> internal:has="internal:text=\\"Milk\\"i"', {"tag": "li", "text": "Milk"}),
        ('div >> internal:has-text="a >> b"i', {"tag": "div", "text": "a >> b"}),
        ('a >> internal:and="internal:text=\\"x\\"i"', {"tag": "a", "text": "x"}),
        ('tr >> internal:has-text="1201"i >> internal:role=checkbox', {"role": "checkbox", "near": {"row": "1201"}}),
        ('internal:role=dialog[name="Pay"i] >> internal:role=button', {"role": "button", "near": {"section": "Pay"}}),
        ('internal:role=form[name="Log in"i] >> input', {"tag": "input", "near": {"form": "Log in"}}),
        ('internal:role=link[name="\uf007 Login"i]', {"name": "Login"}),
        ('internal:label="\ue91a"i', {"label": "\ue91a"}),
    ],
)
def test_a_chain_of_playwright_tells_the_element_and_what_it_stands_in(selector: str, known: dict[str, Any]) -> None:
    target = target_of(selector)
    assert {key: target[key] for key in known} == known
    assert target["locators"] == [{"kind": "playwright", "value": selector}]


def test_frames_of_a_chain_go_outermost_first_by_the_name_that_they_have() -> None:
    outer, inner = 'iframe[name="pay"]', "#card-frame"
    target = target_of(f'{outer} >> {ENTER_FRAME} >> {inner} >> {ENTER_FRAME} >> internal:label="Card"i', "type")
    assert target["frame"] == ["pay", "card-frame"]
    assert (target["label"], target["role"]) == ("Card", "textbox")


@given(st.text(max_size=60), st.sampled_from(["css", "xpath", "link", "partial_link", "id", "name", "class"]))
def test_no_selector_whatever_raises_or_is_lost(value: str, kind: str) -> None:
    target = learned(kind, value)
    assert target["locators"] == ([{"kind": kind, "value": value}] if value else [])
    assert target_of(value)["locators"] == [{"kind": "playwright", "value": value}]
