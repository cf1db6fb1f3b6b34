"""The closed set of transforms, forwards and searched."""

from __future__ import annotations

import pytest

from graphmem.model.transforms import transformed, ways_from


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("date:d", "03/04/2014", "4"),
        ("date:mmmm", "2014-03-04", "March"),
        ("date:wwww", "2014-03-04", "Tuesday"),
        ("time:h:mm am", "14:05", "2:05 PM"),
        ("time:h", "2:05 PM", "2"),
        ("words", "3", "three"),
        ("ordinal", "twelve", "12th"),
        ("plain", '"@ann",', "ann"),
        ("local", "ann.lee@example.org", "ann.lee"),
        ("initials", "Ann Maria Lee", "AML"),
        ("letters:-2", "Oslo", "lo"),
        ("word:2|lower", "Ann LEE", "lee"),
        ("first", "May to December 2022", "2022-05-01"),
        ("last|date:m/d/yyyy", "from Jan to Feb 2024", "2/29/2024"),
    ],
)
def test_a_transform_gives_its_form(name: str, text: str, value: str) -> None:
    assert transformed(name, text) == value


def test_a_transform_that_does_not_apply_leaves_the_text() -> None:
    assert transformed("first|date:d", "next week") == "next week"
    assert transformed("date:yyyy", "May 4") == "May 4"
    with pytest.raises(KeyError):
        transformed("lower|rot13", "a")


@pytest.mark.parametrize(
    ("text", "value", "way"),
    [
        ("Oslo", "Oslo", ""),
        ("Oslo", "OSLO", "upper"),
        ("03/04/2014", "2014-03-04", "date:yyyy-mm-dd"),
        ("11/26/2016", "November 2016", "date:mmmm yyyy"),
        ("Ann Lee", "Lee", "word:2"),
        ("Ann Lee", "lee", "word:2|lower"),
        ("@ann", "ann", "plain"),
        ("May to December 2022", "12/31/2022", "last|date:mm/dd/yyyy"),
    ],
)
def test_the_search_finds_the_simplest_way(text: str, value: str, way: str) -> None:
    assert ways_from(text, value)[0] == way


def test_what_no_transform_makes_has_no_way() -> None:
    assert ways_from("Oslo", "Bergen") == ()
