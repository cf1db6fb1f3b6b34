"""Writing what is known in another form: one file a format, found by the entry point group ``graphmem.exporters``."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import entry_points
from typing import Protocol

from graphmem.errors import NotFound
from graphmem.store.protocol import Store

__all__ = ["Exporter", "formats", "named"]

GROUP = "graphmem.exporters"


class Exporter(Protocol):
    """One format. ``name`` is what ``--format`` takes."""

    name: str

    def export(self, store: Store, /, *, site: str | None = None) -> Iterator[str]:
        """The text in parts, so that a large store is never whole in memory; of one site, or of all."""
        ...


def formats() -> list[str]:
    """The names of all formats that can be written, sorted."""
    return sorted(point.name for point in entry_points(group=GROUP))


def named(name: str) -> Exporter:
    """The exporter for a format. NotFound names those that there are."""
    for point in entry_points(group=GROUP):
        if point.name == name:
            exporter: Exporter = point.load()()
            return exporter
    raise NotFound(name, hint=f"Formats to write are {', '.join(formats())}.")
