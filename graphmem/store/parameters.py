"""Parameters are checked here, before either store sees them, because the two do not refuse the same things.

ArcadeDB takes nested lists, a null in a list and a null key without a word; Neo4j refuses the first two and cannot match
the third. Both fail on lone surrogates and on integers from 2^63, each in its own words. What stands in a map called
``properties`` is written onto a node or relationship, so there only text, numbers, booleans and flat lists of one kind
of these may stand.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from graphmem.errors import StoreError

_LARGEST = 2**63


def check(parameters: Mapping[str, Any], *, writing: bool) -> int | None:
    """Refuse what one of the stores cannot keep (StoreError, naming key and property). The length of the vectors in it
    (properties called ``embedding``), or None when there are none."""
    walk = _Walk(writing)
    for name, value in parameters.items():
        walk.value(value, f"parameter ${name}", "")
    return walk.vector


class _Walk:
    def __init__(self, writing: bool) -> None:
        self._writing = writing
        self.vector: int | None = None

    def value(self, value: Any, where: str, owner: str) -> None:
        if isinstance(value, Mapping):
            self._mapping(value, where, owner)
        elif _is_list(value):
            for item in value:
                self.value(item, where, owner)
        else:
            _scalar(value, where, owner)

    def _mapping(self, value: Mapping[Any, Any], where: str, owner: str) -> None:
        if self._writing and "key" in value:
            owner = _key(value["key"], where)
        for name, item in value.items():
            _scalar(name, where, owner)
            if self._writing and name == "properties" and isinstance(item, Mapping):
                self._properties(item, owner)
            else:
                self.value(item, f"{where}, {name!r}", owner)

    def _properties(self, properties: Mapping[Any, Any], owner: str) -> None:
        for name, value in properties.items():
            where = f"property {name!r}"
            _scalar(name, where, owner)
            if isinstance(value, Mapping):
                raise _refused(where, owner, "is a map", "Write it as JSON text.")
            if _is_list(value):
                _flat_list(value, where, owner)
                if name == "embedding":
                    self._measure(len(value), owner)
            else:
                _scalar(value, where, owner)

    def _measure(self, length: int, owner: str) -> None:
        if self.vector not in (None, length):
            raise _refused("property 'embedding'", owner, f"has {length} numbers where others have {self.vector}", "")
        self.vector = length


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray))


def _key(key: Any, where: str) -> str:
    if not isinstance(key, str) or not key:
        raise _refused(where, "", f"has a row whose key is {key!r}", "Every node has a key, which is text.")
    return key


def _flat_list(values: Sequence[Any], where: str, owner: str) -> None:
    kinds = set()
    for item in values:
        if item is None:
            raise _refused(where, owner, "holds a null in a list", "Leave it out.")
        if isinstance(item, Mapping) or _is_list(item):
            raise _refused(where, owner, "holds a list or map in a list", "Write it as JSON text.")
        _scalar(item, where, owner)
        kinds.add(type(item))
    if len(kinds) > 1:
        named = " and ".join(sorted(kind.__name__ for kind in kinds))
        raise _refused(where, owner, f"mixes {named} in one list", "A list holds one kind of value.")


def _scalar(value: Any, where: str, owner: str) -> None:
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, str):
        if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
            raise _refused(where, owner, "holds half a surrogate pair", "It is no valid Unicode text.")
    elif isinstance(value, int):
        if not -_LARGEST <= value < _LARGEST:
            raise _refused(where, owner, f"is {value}, beyond 64 bits", "Keep it as text.")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise _refused(where, owner, f"is {value}", "Leave it out.")
    else:
        raise _refused(where, owner, f"is of type {type(value).__name__}", "Keep it as text.")


def _refused(where: str, owner: str, why: str, hint: str) -> StoreError:
    of = f" of {owner!r}" if owner else ""
    return StoreError(f"{where[0].upper()}{where[1:]}{of} {why}, which no store can keep.", hint=hint)
