"""The recordings that the project ships: three sites, two domains, two formats, and what they are there to show."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from graphmem.importers import Refusal, read
from graphmem.model.trajectory import Trajectory

DEMO = Path(str(files("graphmem") / "demo_data"))


@pytest.fixture(scope="module")
def demo() -> list[Trajectory]:
    found = list(read([DEMO]))
    assert not [item for item in found if isinstance(item, Refusal)]
    return [item for item in found if isinstance(item, Trajectory)]


def test_about_thirty_recordings_of_three_sites_in_two_domains_and_formats(demo: list[Trajectory]) -> None:
    assert 28 <= len(demo) <= 36
    assert {t.site for t in demo} == {"skylark-air.example", "northrail.example", "bookbarn.example"}
    assert {t.domain for t in demo if t.domain} == {"travel", "shopping"}
    tools = Counter(t.source.partition('"tool":"')[2].partition('"')[0] for t in demo)
    assert tools.keys() == {"demo", "chrome-recorder"}
    assert tools["chrome-recorder"] >= 5


def test_they_are_small_and_each_is_one_of_its_own(demo: list[Trajectory]) -> None:
    assert sum(path.stat().st_size for path in DEMO.rglob("*") if path.is_file()) < 400_000
    assert len({t.key for t in demo}) == len(demo)
    assert len({t.task for t in demo}) == len(demo)


def test_they_hold_successes_failures_and_recordings_that_do_not_say(demo: list[Trajectory]) -> None:
    verdicts = Counter(t.verdict for t in demo)
    assert verdicts["failure"] == 2
    assert verdicts["success"] > 20
    assert verdicts["unknown"] >= 5


def test_on_two_sites_what_was_typed_is_followed_by_an_option_that_starts_with_it(demo: list[Trajectory]) -> None:
    sites = {
        t.site
        for t in demo
        for before, after in zip(t.steps, t.steps[1:], strict=False)
        if before.op == "type" and after.target and after.target.role == "option"
        if after.target.name.startswith(before.value)
    }
    assert len(sites) == 3


def test_a_cookie_dialog_stands_in_some_first_pages_and_only_there_it_is_clicked(demo: list[Trajectory]) -> None:
    shown = clicked = 0
    for t in (t for t in demo if t.site == "skylark-air.example"):
        first = t.steps[0].after
        assert first is not None
        has = any(element.name == "Accept cookies" for element in first.sketch)
        does = any(step.target and step.target.name == "Accept cookies" for step in t.steps)
        assert has == does
        shown, clicked = shown + has, clicked + does
    assert 3 <= clicked < 9


def test_no_secret_is_in_them_and_those_that_were_typed_are_named(demo: list[Trajectory]) -> None:
    secrets = {step.value for t in demo for step in t.steps if step.secret}
    assert secrets == {"{password}", "{card_number}", "{card_code}"}
    assert "correct-horse" not in repr(demo)
