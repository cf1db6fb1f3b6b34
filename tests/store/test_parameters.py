"""What no store can keep is refused before either sees it, with the key and the property in the message."""

from __future__ import annotations

import pytest
from support.cypher import COUNT, PUT, cypher

from graphmem.errors import StoreError
from graphmem.store import Store

BAD = {
    "a map": {"a": 1},
    "a list in a list": [[1], [2]],
    "a map in a list": [{"a": 1}],
    "a null in a list": ["a", None],
    "a mixed list": [1, "a"],
    "numbers of two kinds": [1, 0.5],
    "half a surrogate pair": "\ud83d",
    "half a pair in a list": ["fine", "\udc00"],
    "2^63": 2**63,
    "-2^63 - 1": -(2**63) - 1,
    "not a number": float("nan"),
    "infinity": float("inf"),
    "infinity in a list": [1.0, float("-inf")],
    "bytes": b"abc",
    "a set": {1, 2},
}


def test_a_value_that_a_store_cannot_keep_is_refused_by_name(store: Store) -> None:
    for name, value in BAD.items():
        given = [{"key": "task:1", "properties": {"name": "fine", "odd": value}}]
        with pytest.raises(StoreError, match=r"'odd'.*'task:1'"):
            store.write(lambda tx, given=given: tx.run(PUT, rows=given))
        assert (name, store.read(COUNT)) == (name, [])


def test_a_row_without_a_key_is_refused(store: Store) -> None:
    for key in (None, "", 7):
        with pytest.raises(StoreError, match="key"):
            store.write(lambda tx, key=key: tx.run(PUT, rows=[{"key": key, "properties": {}}]))
    assert store.read(COUNT) == []


def test_readers_and_the_console_refuse_the_same_scalars(store: Store) -> None:
    for value in ("\ud800", 2**63, float("nan")):
        with pytest.raises(StoreError, match=r"\$odd"):
            store.read(cypher("RETURN $odd AS x"), odd=value)
        with pytest.raises(StoreError, match=r"\$odd"):
            store.console("RETURN $odd AS x", {"odd": value})


def test_lists_of_lists_and_maps_are_fine_where_they_are_no_property(store: Store) -> None:
    value = {"pairs": [["a", "b"], ["c", "d"]], "nested": {"a": [{"b": None}]}}
    assert store.read(cypher("RETURN $value AS x"), value=value) == [{"x": value}]


def test_a_surrogate_in_a_property_name_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="surrogate"):
        store.write(lambda tx: tx.run(PUT, rows=[{"key": "k", "properties": {"\ud800": 1}}]))
