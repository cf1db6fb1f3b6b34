"""Identity: a tagged hash of content, into which nothing enters that a page makes up at each load."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.identity import key_of
from graphmem.model.target import Locator, Target, is_made_up, pairs
from graphmem.model.trajectory import Page, Step, Trajectory, step_key, with_run_id
from graphmem.model.urls import page_pattern, site_of, without_session

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3)
)


@given(st.text(min_size=1, max_size=5), st.text(min_size=1, max_size=5), plain)
def test_two_kinds_of_node_never_share_a_key(one: str, other: str, content: object) -> None:
    assert (key_of(one, content) == key_of(other, content)) == (one == other)


def test_the_order_of_keys_is_no_content() -> None:
    assert key_of("x", {"a": 1, "b": 2}) == key_of("x", {"b": 2, "a": 1})
    with pytest.raises(ValueError, match="not JSON compliant"):
        key_of("x", float("nan"))


@pytest.mark.parametrize("identifier", ["ui-id-2741", ":r3:", "ember1042", "react-select-5-input", "a3f9c27be01d"])
def test_an_id_that_a_page_makes_up_is_known(identifier: str) -> None:
    assert is_made_up(identifier)


@pytest.mark.parametrize("identifier", ["email", "search-box", "login_2", "q"])
def test_an_id_that_somebody_chose_is_known(identifier: str) -> None:
    assert not is_made_up(identifier)


def test_ids_boxes_node_numbers_classes_and_locators_are_no_part_of_a_target() -> None:
    volatile = {"id": "ui-id-2741", "class": "css-1x2y3z", "backend_node_id": "88", "bounding_box_rect": "1,2,3,4"}
    one = Target("button", "Go", attributes=pairs(volatile), locators=(Locator("css", "#ui-id-2741"),))
    other = Target("button", "Go", attributes=pairs({"id": "ui-id-1", "class": "css-9"}))
    assert one.durable() == other.durable()
    assert one.durable() != Target("button", "Stop").durable()


SESSION = "https://a.example/cart;jsessionid=7F3A?item=4&_afrLoop=99182&_adf.ctrl-state=x1&PHPSESSID=q&utm_source=mail#top?t=3"


def test_session_state_of_an_address_is_no_part_of_a_step_or_a_page() -> None:
    assert without_session(SESSION) == "https://a.example/cart?item=4#top"
    assert page_pattern(SESSION) == "a.example/cart?item"
    bare = "https://a.example/cart?item=4#top"
    keys = {
        Trajectory("x", (Step("click", page=Page(url)), Step("navigate", value=url)), run_id="r").key
        for url in (SESSION, bare)
    }
    assert len(keys) == 1


def test_a_page_is_its_address_without_what_differs_between_visits() -> None:
    assert page_pattern("https://a.example/item/12345?q=dune") == page_pattern("https://A.example/item/7?q=solaris")
    assert page_pattern("https://a.example/item/12345") != page_pattern("https://a.example/cart")


def test_a_site_is_the_registrable_host_or_host_and_port_of_an_address() -> None:
    assert site_of("https://www.shop.co.uk/x") == "shop.co.uk"
    assert site_of("http://127.0.0.1:8000/") == "127.0.0.1:8000"
    assert site_of("http://[::1]:8000/") == "::1:8000"
    assert [site_of(url) for url in ("about:blank", "chrome://new-tab-page/", "", "http://[bad")] == [""] * 4


def test_outcome_source_and_time_are_no_part_of_a_recording_and_task_site_steps_and_run_are() -> None:
    one = Trajectory("x", (Step("click"),), site="a", run_id="1")
    same = replace(one, outcome="failure", reward=0.5, recorded_at="2026-11-30", source='{"file":"b"}', answer="y")
    assert one.key == same.key
    others = [replace(one, task="y"), replace(one, steps=()), replace(one, site="b"), replace(one, run_id="2")]
    assert len({one.key, *(other.key for other in others)}) == 5
    assert one.step_key(0) == step_key(one.key, 0) != one.step_key(1)


def test_the_default_run_is_the_record_that_was_read_and_a_given_one_stays() -> None:
    bare = Trajectory("x", ())
    assert with_run_id(bare, {"a": 1, "b": 2}) == with_run_id(bare, {"b": 2, "a": 1})
    assert with_run_id(bare, {"a": 1}) != with_run_id(bare, {"a": 2})
    assert with_run_id(replace(bare, run_id="mine"), {"a": 1}).run_id == "mine"
