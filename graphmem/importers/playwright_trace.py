"""Playwright traces: a zip with ``trace.trace`` (JSON lines of events), ``trace.network`` and resources. Versions 4 to 10.

Only the events are read: ``before`` and ``after`` of each call (joined by ``callId``), page addresses from the frame
snapshots, and the tag and attributes that the log says a locator was resolved to. Network, resources, pictures and the
bytes of uploaded files are never opened, so no cookie or body can get in. An archive holds one ``.trace`` for each browser
context, each of which is a recording; ``test.trace`` tells what the test runner did, and is none.

An archive is bounded: the file, each line, and all lines together. Sizes that its directory claims are not believed.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import IO, Any

from graphmem.importers.making import WrongStep, made
from graphmem.importers.records import Wrong, check, inside
from graphmem.importers.source import Refusal, Source
from graphmem.importers.trace_events import Calls
from graphmem.model.trajectory import Trajectory

MOST_FILE_BYTES = 1 << 30
MOST_LINE_BYTES = 64 << 20
MOST_BYTES = 1 << 30
OLDEST = 4
_IN_MEMORY = 32 << 20


class PlaywrightTraceImporter:
    name = "playwright-trace"

    def sniff(self, head: bytes, name: str) -> float:
        if not head.startswith(b"PK\x03\x04"):
            return 0.0
        is_trace = any(sign in head for sign in (b".trace", b"trace.network", b"resources/page@"))
        return 0.9 if is_trace else 0.1

    def read(self, source: Source) -> Iterator[Trajectory | Refusal]:
        with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as copy:
            try:
                shutil.copyfileobj(_Bounded(source.stream, MOST_FILE_BYTES), copy)
                with zipfile.ZipFile(copy) as archive:
                    yield from _archive(source, archive)
            except Wrong as error:
                yield Refusal(source.name, "", str(error))
            except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError):
                yield Refusal(source.name, "", "is a zip archive that is damaged, cut off or locked by a password.")


class _Bounded:
    """A stream that ends in Wrong when it gives more than it may."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self._stream = stream
        self._left = most

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise Wrong(f"is an archive of more than {MOST_FILE_BYTES >> 20} MiB.")
        return data


def _archive(source: Source, archive: zipfile.ZipFile) -> Iterator[Trajectory | Refusal]:
    names = sorted(name for name in archive.namelist() if name.endswith(".trace") and "/" not in name)
    if not names:
        yield Refusal(source.name, "", "is a zip archive, but no Playwright trace: it holds no events (*.trace).")
        return
    contexts = [name for name in names if name != "test.trace"]
    if not contexts:
        yield Refusal(source.name, "test.trace", "tells what the test runner did, and no browser was used.")
    left = [MOST_BYTES]
    for name in contexts:
        place = name if len(contexts) > 1 else ""
        try:
            yield _trajectory(source, archive, name, left)
        except WrongStep as error:
            yield Refusal(source.name, inside(place, error.place), error.reason)
        except Wrong as error:
            yield Refusal(source.name, place, str(error))


def _trajectory(source: Source, archive: zipfile.ZipFile, name: str, left: list[int]) -> Trajectory:
    calls = Calls()
    with archive.open(name) as stream:
        for number, line in _lines(stream, left):
            _take(calls, line, number)
    if not calls.version:
        raise Wrong("has no context-options: its version is not known.")
    if calls.version < OLDEST:
        raise Wrong(f"is a trace of version {calls.version}; versions from {OLDEST} on are read.")
    steps = calls.steps()
    if not steps:
        raise Wrong("has no calls that do anything: nothing was done while it was recorded.")
    task = calls.title or source.stem
    if not task:
        raise Wrong("has no title, and there is no file name to use as one.")
    record: dict[str, Any] = {
        "task": task,
        "steps": steps,
        "recorded_at": _time(calls.wall_time),
        "source": {"tool": "playwright-trace", "file": source.file},
        "extra": {"trace": {"version": calls.version}},
    }
    return made(record, [calls.wall_time, steps])


def _lines(stream: IO[bytes], left: list[int]) -> Iterator[tuple[int, bytes]]:
    """Each line with its number. Wrong when one, or all of the archive's together, are more than may be read."""
    number = 0
    while line := stream.readline(min(MOST_LINE_BYTES, left[0]) + 1):
        number += 1
        left[0] -= len(line)
        if len(line) > MOST_LINE_BYTES or left[0] < 0:
            raise WrongStep(
                f"line {number}", f"unpacks to more than {MOST_BYTES >> 20} MiB, or has a line that is too long."
            )
        if line.strip():
            yield number, line


def _take(calls: Calls, line: bytes, number: int) -> None:
    try:
        event = json.loads(line)
        check(line.decode("utf-8", "surrogateescape"), event)
        if not isinstance(event, dict):
            raise Wrong("is not an object.")
        calls.take(event, number)
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, Wrong) else "is not valid JSON."
        raise WrongStep(f"line {number}", reason) from None


def _time(milliseconds: float) -> str:
    if not 0 < milliseconds < 1e14:
        return ""
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
