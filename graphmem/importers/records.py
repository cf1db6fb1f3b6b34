"""Records: JSON values out of a stream of bytes, one at a time, with the place of each.

A file may hold one JSON object, a list of objects, or one object a line. All three are read by one cursor that keeps no
more text than the record it stands on, so a list of a gigabyte needs as little memory as JSON Lines do. A record that is not
right is refused with its place, and the cursor goes on at the next line on which a record can begin: the first
line that starts with a brace as far in as the first record did.

JSON's limits are held here, since Python's parser is wider than JSON: NaN and infinities, numbers past 64 bits, lone
surrogates, bytes that are not UTF-8, and nesting deeper than a hundred are refused.
"""

from __future__ import annotations

import codecs
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graphmem.importers.source import READ_ERRORS, Refusal, Source, Unreadable

CHUNK = 1 << 20
MAX_CHARACTERS = 1 << 28
MAX_DEPTH = 100

_SPACE = re.compile(r"[ \t\r\n]*")
_REST_OF_LINE = re.compile(r"[ \t\r]*(?=\n|\Z)")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_PYTHON = re.compile(r"(True|False|None)\b")
#: How near to the end of the text an error may be a token that the end of the buffer cut in two.
_TOKEN = 16


@dataclass(frozen=True)
class Record:
    """One JSON value and where it stands: ``line 3``, ``record 2`` of a list, or nothing where it is the only one."""

    place: str
    value: Any


class Wrong(ValueError):
    """A value that JSON cannot hold, or that we do not take. The message never quotes it."""


def inside(place: str, *parts: str) -> str:
    """``line 3`` and ``step 2`` as ``line 3, step 2``, without what is empty."""
    return ", ".join(part for part in (place, *parts) if part)


def _integer(digits: str) -> int:
    if len(digits) > 20 or not -(2**63) <= (number := int(digits)) < 2**63:
        raise Wrong("holds a whole number that does not fit in 64 bits.")
    return number


def _float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise Wrong("holds a number that is too large.")
    return number


def _constant(name: str) -> Any:
    raise Wrong(f"holds {name}, which JSON does not have.")


_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_float, parse_constant=_constant)


def check(text: str, value: Any) -> None:
    """``text`` is the record as written, ``value`` what it was read as."""
    if not text.isascii() and _SURROGATE.search(text):
        raise Wrong("holds bytes that are not UTF-8.")
    if _depth(value) > MAX_DEPTH:
        raise Wrong(f"is nested more than {MAX_DEPTH} levels deep.")
    if _ESCAPED_SURROGATE.search(text) and _SURROGATE.search(json.dumps(value, ensure_ascii=False)):
        raise Wrong("holds half of a surrogate pair, which is not text.")


def _depth(value: Any) -> int:
    """How many levels of objects and lists there are, up to one more than are allowed."""
    level = [value] if isinstance(value, dict | list) else []
    for depth in range(MAX_DEPTH + 1):
        if not level:
            return depth
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
    return MAX_DEPTH + 1


class _Cursor:
    """A place in a stream of text. ``text[at:]`` is what is still to be read of what is held."""

    def __init__(self, source: Source) -> None:
        # Bytes that are not UTF-8 become surrogates here, so that ``check`` refuses their record and no other.
        self._decoder = codecs.getincrementaldecoder(source.encoding())("surrogateescape")
        self._stream = source.stream
        self._ended = False
        self.text = ""
        self.at = 0
        self.line = 1

    def more(self) -> bool:
        """Hold at least as much again; False at the end."""
        if self._ended:
            return False
        rest = self.text[self.at :]
        data = self._stream.read(max(CHUNK, len(rest)))
        self._ended = not data
        self.text, self.at = rest + self._decoder.decode(data, self._ended), 0
        return not self._ended

    def go(self, to: int) -> None:
        self.line += self.text.count("\n", self.at, to)
        self.at = to

    def skip(self, pattern: re.Pattern[str]) -> str:
        """Pass what ``pattern`` matches, to its end; the character that follows, or nothing at the end of the text."""
        while True:
            match = pattern.match(self.text, self.at)
            self.go(match.end() if match else self.at)
            if self.at < len(self.text) or not self.more():
                return self.text[self.at : self.at + 1]

    def value(self) -> Any:
        """The JSON value here; leaves the cursor where it began when it is wrong."""
        while True:
            try:
                value, end = _DECODER.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                if not (self._is_cut(error) and self._grow()):
                    raise Wrong(self._explain(error)) from None
                continue
            except RecursionError:
                raise Wrong(f"is nested more than {MAX_DEPTH} levels deep.") from None
            check(self.text[self.at : end], value)
            self._end = end
            return value

    def pass_value(self) -> None:
        self.go(self._end)

    def _is_cut(self, error: json.JSONDecodeError) -> bool:
        return error.msg.startswith("Unterminated string") or error.pos >= len(self.text) - _TOKEN

    def _grow(self) -> bool:
        if len(self.text) - self.at > MAX_CHARACTERS:
            raise Wrong(f"is longer than {MAX_CHARACTERS >> 20} million characters.")
        return self.more()

    def _explain(self, error: json.JSONDecodeError) -> str:
        is_end = error.msg.startswith("Unterminated string") or error.pos >= len(self.text.rstrip())
        if self._ended and is_end:
            return "ends in the middle of the record: the text is cut off."
        line = self.line + self.text.count("\n", self.at, error.pos)
        python = _PYTHON.match(self.text, error.pos)
        what = f"{python[0]} is Python, not JSON" if python else error.msg.lower()
        return f"is not valid JSON: {what} at line {line}, column {error.colno}."

    def resync(self, start: re.Pattern[str]) -> bool:
        """Go to the next line on which a record can begin."""
        while True:
            match = start.search(self.text, self.at + 1)
            if match:
                self.go(match.end())
                return True
            # The line that begins in the last few characters may be one: keep them.
            self.go(max(self.at, len(self.text) - 256))
            if not self.more():
                return False


def records(source: Source) -> Iterator[Record | Refusal]:
    """Every record of ``source``; a Refusal for each that is no JSON. Never raises on content."""
    place = ""
    try:
        cursor = _Cursor(source)
        first = cursor.skip(_SPACE)
        if not first:
            yield Refusal(source.name, "", "is empty.")
        elif first == "[":
            yield from _listed(source.name, cursor)
        else:
            yield from _in_lines(source.name, cursor)
    except Unreadable as error:
        yield Refusal(source.name, place, error.message)
    except READ_ERRORS:
        yield Refusal(source.name, place, "cannot be read to its end: the disk or the gzip data is damaged or cut off.")


def _start_of_record(cursor: _Cursor) -> re.Pattern[str]:
    """How lines begin on which a record begins, from where the first one stands."""
    before = cursor.text[: cursor.at].rpartition("\n")[2]
    return re.compile(r"(?<=\n)" + (re.escape(before) if not before.strip() else r"") + r"(?=\{)")


def _in_lines(name: str, cursor: _Cursor) -> Iterator[Record | Refusal]:
    start = _start_of_record(cursor)
    first = True
    while cursor.skip(_SPACE):
        line = cursor.line
        try:
            value = cursor.value()
            cursor.pass_value()
            if cursor.skip(_REST_OF_LINE) not in ("", "\n"):
                raise Wrong("is followed by more text on its line.")
            alone = first and not cursor.skip(_SPACE)
            yield Record("" if alone else f"line {line}", value)
        except Wrong as error:
            yield Refusal(name, f"line {line}", str(error))
            if not cursor.resync(start):
                return
        first = False


def _listed(name: str, cursor: _Cursor) -> Iterator[Record | Refusal]:
    cursor.go(cursor.at + 1)
    sign = cursor.skip(_SPACE)
    start = _start_of_record(cursor)
    number = 0
    while sign not in ("]", ""):
        number += 1
        place = f"record {number}"
        try:
            value = cursor.value()
            cursor.pass_value()
            sign = cursor.skip(_SPACE)
            if sign not in (",", "]", ""):
                raise Wrong("is not followed by a comma.")
            yield Record(place, value)
        except Wrong as error:
            yield Refusal(name, f"{place} (line {cursor.line})", str(error))
            if not cursor.resync(start):
                return
            sign = cursor.skip(_SPACE)
            continue
        if sign == ",":
            cursor.go(cursor.at + 1)
            if (sign := cursor.skip(_SPACE)) == "]":
                yield Refusal(name, f"line {cursor.line}", "is not valid JSON: a comma before the end of the list.")
    yield from _ending(name, cursor, sign, number)


def _ending(name: str, cursor: _Cursor, sign: str, number: int) -> Iterator[Refusal]:
    if not sign:
        yield Refusal(name, f"line {cursor.line}", "ends before the list does: the text is cut off.")
        return
    cursor.go(cursor.at + 1)
    if cursor.skip(_SPACE):
        yield Refusal(name, f"line {cursor.line}", "has more text after the list.")
    elif not number:
        yield Refusal(name, "", "is an empty list.")
