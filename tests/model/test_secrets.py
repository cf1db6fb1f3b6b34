"""Secrets are masked when they are read: what is one, what is none, and where each is replaced."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.secret_fields import secret_of_field
from graphmem.model.secret_text import is_luhn
from graphmem.model.secrets import mask, mask_text, masked
from graphmem.model.target import Target, pairs
from graphmem.model.trajectory import Step, Trajectory


def field(**said: Any) -> dict[str, Any]:
    return {"role": "textbox", **said}


def typed(value: str, **said: Any) -> dict[str, Any]:
    return {"op": "type", "target": field(**said), "value": value}


def masking(*steps: dict[str, Any], task: str = "Do it", **rest: Any) -> dict[str, Any]:
    record = {"task": task, "steps": list(steps), **rest}
    mask(record)
    return record


@pytest.mark.parametrize(
    ("said", "value", "name"),
    [
        ({"attributes": {"type": "password"}}, "hunter2", "password"),
        ({"attributes": {"autocomplete": "current-password"}}, "hunter2", "password"),
        ({"attributes": {"autocomplete": "section-a one-time-code"}}, "482913", "one_time_code"),
        ({"attributes": {"autocomplete": "cc-csc"}}, "737", "card_code"),
        ({"attributes": {"autocomplete": "cc-number"}}, "1", "card_number"),
        ({"name": "Password"}, "hunter2", "password"),
        ({"label": "Your passcode"}, "hunter2", "password"),
        ({"name": "New password"}, "hunter2", "new_password"),
        ({"name": "Passwort"}, "hunter2", "password"),
        ({"name": "パスワード"}, "hunter2", "password"),
        ({"placeholder": "PIN"}, "4711", "pin"),
        ({"name": "CVV"}, "737", "card_code"),
        ({"name": "Security code"}, "737", "card_code"),
        ({"name": "Verification code"}, "482913", "one_time_code"),
        ({"name": "Card number"}, "4000 0000 0000 0000", "card_number"),
        ({"name": "API key"}, "abc", "api_key"),
        ({"attributes": {"id": "ctl00$txtPassword"}}, "hunter2", "password"),
        ({"locators": [{"kind": "css", "value": "#login [data-test=password]"}]}, "hunter2", "password"),
        ({"locators": [{"kind": "css", "value": "form > input[type='password']"}]}, "hunter2", "password"),
        ({"locators": [{"kind": "xpath", "value": '//form/input[@id="user_pwd"]'}]}, "hunter2", "password"),
        ({"name": "", "attributes": {"name": "pass"}}, "hunter2", "password"),
    ],
)
def test_a_field_that_takes_a_secret_is_known_by_type_autocomplete_or_name(
    said: dict[str, Any], value: str, name: str
) -> None:
    assert secret_of_field(field(**said), value) == name


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ({"name": "Search", "role": "searchbox"}, "password manager"),
        ({"name": "Search passwords"}, "bank"),
        ({"name": "Username"}, "ada"),
        ({"name": "Postal PIN code"}, "560001"),
        ({"name": "Drop a pin"}, "here"),
        ({"name": "Promo code"}, "SAVE20"),
        ({"name": "Booking code"}, "K7QZ2D"),
        ({"name": "Boarding pass"}, "ada@post.example"),
        ({"name": "Library card number"}, "1234"),
        ({"name": "Expiry date"}, "12/29"),
        ({"locators": [{"kind": "css", "value": "#password-form input.email"}]}, "ada@post.example"),
    ],
)
def test_a_field_that_merely_sounds_like_one_is_left_alone(said: dict[str, Any], value: str) -> None:
    assert secret_of_field(field(**said), value) == ""


SECRET_TEXTS = {
    "https://a.example/cb?access_token=q1w2e3r4&lang=en": "https://a.example/cb?access_token={token}&lang=en",
    "https://a.example/#id_token=q1w2": "https://a.example/#id_token={token}",
    "https://ada:s3cr%40et@a.example/": "https://ada:{password}@a.example/",
    "https://ada:p@ss@a.example/x": "https://ada:{password}@a.example/x",
    "postgres://app:pw0rd@db.example/x": "postgres://app:{password}@db.example/x",
    "https://a.example/oauth/callback?code=4/0AdQt8qh&state=x": "https://a.example/oauth/callback?code={token}&state=x",
    "https://s3.example/f?X-Amz-Signature=0f3a9b&n=1": "https://s3.example/f?X-Amz-Signature={token}&n=1",
    "https://a.example/?next=https%3A%2F%2Fb.example%3Fapi_key%3Dzz9%26a%3D1": (
        "https://a.example/?next=https%3A%2F%2Fb.example%3Fapi_key%3D{api_key}%26a%3D1"
    ),
    "/shop;jsessionid=0A1B2C3D?x=1": "/shop;jsessionid={token}?x=1",
    "Authorization: Basic YWRhOmh1bnRlcjI=": "Authorization: Basic {token}",
    "use Bearer abcdef0123456789 here": "use Bearer {token} here",
    "Cookie: sid=abc; theme=dark": "Cookie: {cookie}",
    "key sk-abcdefghijklmnop12, say": "key {api_key}, say",
    "ghp_0123456789abcdefABCDEF0123456789abcd": "{token}",
    "AKIAIOSFODNN7EXAMPLE": "{api_key}",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl": "{token}",
    "pay with 4111 1111 1111 1111 now": "pay with {card_number} now",
    "4111-1111-1111-1111": "{card_number}",
    "378282246310005": "{card_number}",
    "3782 822463 10005": "{card_number}",
    "log in with password hunter2": "log in with password {password}",
    'password: "swordfish"': 'password: "{password}"',
    "My PIN is 4711.": "My PIN is {pin}.",
    "the password is S3cret!, then": "the password is {password}, then",
}


@pytest.mark.parametrize("text", SECRET_TEXTS)
def test_a_secret_in_running_text_is_replaced_and_nothing_else_is(text: str) -> None:
    assert mask_text(text) == SECRET_TEXTS[text]


@pytest.mark.parametrize(
    "text",
    [
        "Forgot password?",
        "Show password",
        "Reset your password with one click",
        "Password must be 8-20 characters, with 2 digits",
        "password manager for 2 people",
        "order 4111111111111112",  # fails Luhn
        "order 1234 5678 9012 3456",
        "at 1767225600000 ms",
        "ISBN 9780306406157",
        "2027-03-09 2027-04-12",
        "https://a.example/search?q=token+ring&code=OSL&page=2",
        "https://a.example/item?code=SAVE20",
        "https://a.example/auth?session=new",
        "write to ada@post.example",
        "risk-free sketch-book task-force",
        "bearer of good news",
        "from the green pin (A1) to pin [B2]",
        "grep gitlab.*password|byte_blaze",
        "Fly from Oslo to Rome on 2027-03-09 for 2 adults",
        "{password}",
        "log in with password {password}",
    ],
)
def test_ordinary_text_comes_through_unchanged(text: str) -> None:
    assert mask_text(text) == text


def test_luhn_knows_the_numbers_that_card_makers_give_for_tests() -> None:
    assert all(map(is_luhn, ("4111111111111111", "5555555555554444", "30569309025904", "6011111111111117")))
    assert not any(map(is_luhn, ("4111111111111112", "0000000000000000")))


def test_a_typed_secret_becomes_its_name_in_the_step_and_in_the_instruction() -> None:
    record = masking(typed("swordfish", name="Password"), task="Log in as ada with swordfish")
    assert record["task"] == "Log in as ada with {password}"
    assert record["steps"][0] == {**typed("{password}", name="Password"), "secret": True}


def test_a_typed_secret_is_replaced_everywhere_else_in_its_record() -> None:
    secret = "S3cr&t/ x"
    record = masking(
        typed(secret, name="Password"),
        {
            "op": "click",
            "reasoning": f"I typed {secret}.",
            "error": f"{secret} was wrong",
            "page": {
                "url": "https://a.example/?q=S3cr%26t%2F+x",
                "title": secret,
                "sketch": [{"role": "status", "name": f"Hello {secret}", "attributes": {"title": secret}}],
            },
        },
        typed(secret, name="Search"),
        answer=secret,
        template=secret,
        source={"note": [secret]},
        extra={"deep": [{secret: {"x": secret}}]},
    )
    text = json.dumps(record)
    assert "S3cr" not in text
    assert record["steps"][2]["value"] == "{password}"
    assert record["steps"][2]["secret"] is True


def test_two_secrets_have_two_names_and_one_that_grew_has_one() -> None:
    record = masking(
        typed("hun", name="Password"),
        typed("hunter2", name="Password"),
        typed("correct-horse", name="Password"),
        typed("n3w-pass", name="New password"),
        typed("n3w-pass", name="Repeat password"),
        task="Log in with hunter2, then with correct-horse",
    )
    assert [step["value"] for step in record["steps"]] == [
        "{password}",
        "{password}",
        "{password_2}",
        "{new_password}",
        "{new_password}",
    ]
    assert record["task"] == "Log in with {password}, then with {password_2}"


def test_a_one_time_code_typed_digit_by_digit_is_masked_as_a_whole() -> None:
    boxes = [typed(digit, name=f"Digit {i} of 6") for i, digit in enumerate("482913", 1)]
    record = masking(*boxes, task="Log in with the code 482913")
    assert {step["value"] for step in record["steps"]} == {"{one_time_code}"}
    assert record["task"] == "Log in with the code {one_time_code}"


def test_keys_pressed_in_a_password_field_are_masked_and_named_keys_are_not() -> None:
    password = {"name": "Password"}
    presses = [{"op": "press", "value": key} for key in "abc9"]
    record = masking(
        {"op": "click", "target": password},
        {"op": "press", "target": password, "value": "x"},
        *presses,
        {"op": "press", "target": password, "value": "Enter"},
        task="Use xabc9",
    )
    assert [step.get("value") for step in record["steps"]] == [None, *["{password}"] * 5, "Enter"]
    assert record["task"] == "Use {password}"


def test_what_a_page_shows_in_a_password_field_is_masked_and_bullets_are_no_secret() -> None:
    shown = {"role": "textbox", "name": "Password", "attributes": {"type": "password", "value": "hunter2"}}
    record = masking(
        {"op": "click", "page": {"sketch": [shown]}},
        typed("••••••", name="Password"),
        task="Say hunter2 ••••••",
    )
    assert record["steps"][0]["page"]["sketch"][0]["attributes"]["value"] == "{password}"
    assert record["steps"][1]["value"] == "{password}"
    assert record["task"] == "Say {password} ••••••"


def test_a_step_that_calls_itself_secret_is_masked_whatever_its_field_is_called() -> None:
    record = masking({"op": "type", "target": {"name": "Mother's maiden name"}, "value": "Lovelace", "secret": True})
    assert record["steps"][0]["value"] == "{secret}"


def test_an_ordinary_word_as_password_is_not_torn_out_of_other_texts() -> None:
    record = masking(
        typed("admin", name="Username"),
        typed("admin", name="Password"),
        {"op": "click", "target": {"name": "Open admin panel"}},
        task="Log in as admin with password admin",
    )
    assert record["task"] == "Log in as admin with password {password}"
    assert record["steps"][2]["target"]["name"] == "Open admin panel"
    assert record["steps"][1]["value"] == "{password}"


def test_a_short_code_is_replaced_as_a_word_only() -> None:
    record = masking(typed("737", name="CVC"), task="Pay order 87370 with code 737")
    assert record["task"] == "Pay order 87370 with code {card_code}"


def test_expiry_and_holder_are_masked_in_their_own_step_alone() -> None:
    record = masking(typed("Ada Lovelace", attributes={"autocomplete": "cc-name"}), task="Book for Ada Lovelace")
    assert record["steps"][0]["value"] == "{card_holder}"
    assert record["task"] == "Book for Ada Lovelace"


def test_values_under_keys_that_name_a_secret_go() -> None:
    record = masking(
        {"op": "wait"},
        extra={"cookies": [{"name": "sid", "value": "v1"}], "apiKey": "K3y-9", "note": "K3y-9 works", "tokens": 12},
    )
    assert record["extra"] == {"cookies": "{cookie}", "apiKey": "{api_key}", "note": "{api_key} works", "tokens": 12}


def test_labels_buttons_and_searches_that_speak_of_passwords_stay() -> None:
    steps = [
        {"op": "click", "target": {"role": "link", "name": "Forgot password?"}},
        {"op": "type", "target": {"role": "searchbox", "name": "Search"}, "value": "password manager"},
        {"op": "type", "target": {"name": "Order number"}, "value": "1234567890123456"},
    ]
    before = json.loads(json.dumps(steps))
    after = masking(*steps, task="Find a password manager")
    assert after["steps"] == before
    assert after["task"] == "Find a password manager"


def test_a_trajectory_built_in_a_program_is_masked_too() -> None:
    step = Step("type", Target(name="Password", attributes=pairs({"type": "password"})), value="hunter2")
    result = masked(Trajectory("Log in with hunter2", (step,)))
    assert result.task == "Log in with {password}"
    assert result.steps[0].value == "{password}"
    assert result.steps[0].secret
    assert "hunter2" not in repr(result)


PIECES = st.sampled_from(
    [
        "password",
        "pin",
        "code",
        "token",
        "=",
        ": ",
        " ",
        "hunter2",
        "4111 1111 1111 1111",
        "&",
        "?",
        "https://",
        "a:b@c",
        "bearer ",
        "cookie: a=",
        "{password}",
        "{",
        "}",
        "x1",
        '"',
        "'",
        "sk-abcdefghijklmnop12",
        "/",
        "%3D",
        "1234",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_masking_text_twice_is_masking_it_once(text: str) -> None:
    assert mask_text(mask_text(text)) == mask_text(text)


@given(
    st.lists(
        st.tuples(st.sampled_from(["Password", "PIN", "Search", "CVC", "Digit 1"]), st.text(max_size=8)), max_size=5
    ),
    st.lists(PIECES, max_size=6).map("".join),
)
def test_masking_a_record_twice_is_masking_it_once(fields: list[tuple[str, str]], task: str) -> None:
    once = masking(*(typed(value, name=name) for name, value in fields), task=task)
    twice = json.loads(json.dumps(once))
    mask(twice)
    assert twice == once
