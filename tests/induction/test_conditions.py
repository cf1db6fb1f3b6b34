"""Conditions from the pages before and after every occurrence of a routine."""

from __future__ import annotations

import json

from graphmem.model.target import Target
from graphmem.model.trajectory import Page, Step
from graphmem_induction.conditions import conditions
from graphmem_induction.describe import Described, Seen
from graphmem_induction.trace import Occurrence


def page(path: str, *elements: tuple[str, str]) -> Page:
    menu = Target(role="link", name="Home")
    return Page(url=f"https://shop.example{path}", sketch=(menu, *(Target(role=r, name=n) for r, n in elements)))


def occurrence(before: Page, after: Page) -> Occurrence:
    step = Step("click", Target(role="button", name="Order"), page=before, after=after)
    seen = Seen((0,), step, Described("click"))
    return Occurrence(None, (), seen, seen, None)  # type: ignore[arg-type]


def test_what_every_occurrence_saw_come_and_go_is_a_condition_and_what_stays_is_none() -> None:
    before = [page("/cart", ("heading", "Cart"), ("button", "Order"), ("heading", f"{n} items")) for n in (1, 2)]
    after = [page("/done", ("heading", "Thank you"), ("heading", f"No. {n}")) for n in (7, 8)]
    pre, post = conditions([occurrence(b, a) for b, a in zip(before, after, strict=True)])
    assert json.loads(pre)[1:] == [{"present": {"role": "heading", "name": "Cart"}}]
    assert json.loads(post)[1:] == [
        {"present": {"role": "heading", "name": "Thank you"}}, {"absent": {"role": "heading", "name": "Cart"}},
    ]  # fmt: skip


def test_one_occurrence_is_no_evidence() -> None:
    one = occurrence(page("/a", ("heading", "A")), page("/b", ("heading", "B")))
    assert conditions([one]) == ("[]", "[]")


def test_the_order_of_the_occurrences_changes_nothing() -> None:
    found = [occurrence(page("/a", ("heading", "A"), ("tab", n)), page("/b", ("dialog", "B"))) for n in ("x", "y")]
    assert conditions(found) == conditions(found[::-1])
