"""Files that are written whole or not at all: beside the place first, then moved there in one step."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from graphmem.errors import GraphmemError, NotFound, UsageError


def write_whole(path: str | Path, parts: Iterable[str]) -> Path:
    """Write UTF-8 text to ``path``, replacing what is there only when all of it is on the disk. The absolute path."""
    place = Path(path).expanduser().absolute()
    if place.is_dir():
        raise UsageError(f"{place} is a folder.", hint="Name a file.")
    if not place.parent.is_dir():
        raise UsageError(f"The folder {place.parent} does not exist.", hint="Make it first, or name another place.")
    try:
        _write(place, parts)
    except OSError as error:
        raise GraphmemError(f"{place} cannot be written: {error.strerror or error}.") from error
    return place


def existing(path: str | Path) -> Path:
    """A file that can be read. UsageError says what is in its place."""
    place = Path(path).expanduser()
    if place.is_dir():
        raise UsageError(f"{place} is a folder.", hint="Name a file.")
    if not place.exists():
        raise NotFound(str(path), hint="There is no such file.")
    return place


def _write(place: Path, parts: Iterable[str]) -> None:
    number, aside = tempfile.mkstemp(prefix=f".{place.name[:40]}.", suffix=".part", dir=place.parent)
    try:
        with open(number, "w", encoding="utf-8", newline="\n") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes it for this user alone; the file that comes of it is as open as any other.
        os.chmod(aside, 0o666 & ~_umask())
        os.replace(aside, place)
    except BaseException:
        with suppress(OSError):
            os.unlink(aside)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
