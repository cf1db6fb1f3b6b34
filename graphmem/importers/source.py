"""Source: the bytes of one file, whatever they came from, and what an importer may yield about them.

A source is read once, front to back, so that a pipe works like a file and memory stays flat. Gzip is undone by its first
bytes, not by the name. The first 64 KiB (``head``) are there for detection and are read again by the importer.
"""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from graphmem.errors import GraphmemError

HEAD = 64 * 1024

#: What reading bytes may raise: the disk, and gzip data that is damaged or cut off.
READ_ERRORS = (OSError, EOFError, zlib.error)

_BINARY = (
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a zip archive"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x1f\x8b", "gzip inside gzip"),
    (b"\x7fELF", "a program"),
)
#: Byte order marks of encodings that JSON does not have; longest first, since UTF-32's begins like UTF-16's.
_WIDE = ((b"\xff\xfe\0\0", "UTF-32"), (b"\0\0\xfe\xff", "UTF-32"), (b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))
_TEXT_BYTES = bytes(byte for byte in range(256) if byte >= 32 or byte in b"\t\n\r\f")


@dataclass(frozen=True)
class Refusal:
    """Something that was not read: ``file``, ``place`` in it (``line 3, step 2``; may be empty) and ``reason``.

    A reason never quotes values of the record: it may hold secrets.
    """

    file: str
    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.file}: {self.place + ': ' if self.place else ''}{self.reason}"

    def to_json(self) -> dict[str, str]:
        return {"file": self.file, "place": self.place, "reason": self.reason}


class Unreadable(GraphmemError):
    """The bytes themselves cannot be read as text; the message is the reason."""


class _Rejoined(io.RawIOBase):
    """``head`` and then the rest of ``stream``: what was looked at is read again."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head = memoryview(head)
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._head:
            taken = self._head[: len(buffer)]
            buffer[: len(taken)] = taken
            self._head = self._head[len(taken) :]
            return len(taken)
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


@dataclass
class Source:
    """``name`` is the file as the user gave it, ``stream`` its bytes without gzip, ``head`` the first of them."""

    name: str
    stream: BinaryIO
    head: bytes

    @property
    def stem(self) -> str:
        """The file name without folder and suffixes, in words: what stands in for a missing title."""
        if self.name == "-":
            return ""
        bare = Path(self.name).name.split(".")[0]
        return " ".join(bare.replace("_", " ").replace("-", " ").split())

    @property
    def file(self) -> str:
        """The file name without its folder, which is nobody else's business."""
        return "" if self.name == "-" else Path(self.name).name

    def encoding(self) -> str:
        return encoding_of(self.head)

    def looks_empty(self) -> bool:
        return not self.head.strip()


def encoding_of(head: bytes) -> str:
    """UTF-8, with or without its mark; Unreadable says what anything else is."""
    for magic, what in _BINARY:
        if head.startswith(magic):
            raise Unreadable(f"is {what}, not a recording in text form.")
    for mark, encoding in _WIDE:
        if head.startswith(mark) or _is_wide(head[:4], encoding):
            raise Unreadable(f"is {encoding} text, and JSON is UTF-8. Convert it first (iconv -f {encoding} -t UTF-8).")
    # A stray control character makes one record wrong, not the file: only many of them say that it is no text.
    if len(head.translate(None, _TEXT_BYTES)) * 20 > len(head):
        raise Unreadable("is a binary file, not a recording in text form.")
    return "utf-8-sig" if head.startswith(b"\xef\xbb\xbf") else "utf-8"


def _is_wide(start: bytes, encoding: str) -> bool:
    """Whether the first characters without a mark are a brace or bracket among the zero bytes of this encoding."""
    pattern = {"UTF-16": ({0, 2}, {1, 3}), "UTF-32": ({0}, {3})}[encoding]
    return len(start) == 4 and any({i for i in range(4) if start[i]} == filled for filled in pattern)


def _looked_at(stream: BinaryIO) -> tuple[bytes, BinaryIO]:
    head = stream.read(HEAD)
    return head, cast(BinaryIO, io.BufferedReader(_Rejoined(head, stream), HEAD))


@contextmanager
def open_source(name: str) -> Iterator[Source]:
    """The source of a path, or of standard input for ``-``. Raises one of READ_ERRORS."""
    raw: BinaryIO = sys.stdin.buffer if name == "-" else open(name, "rb")  # noqa: SIM115 - closed below
    try:
        head, stream = _looked_at(raw)
        if head.startswith(b"\x1f\x8b"):
            head, stream = _looked_at(cast(BinaryIO, gzip.GzipFile(fileobj=stream)))
        yield Source(name, stream, head)
    finally:
        if name != "-":
            raw.close()
