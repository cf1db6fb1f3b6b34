"""Reading recordings: every format, found by content, one trajectory at a time.

An importer is three things (``Importer``), found by the entry point group ``graphmem.importers``, so that an outside package
can add a format. ``read`` walks files and folders, asks every importer how well it knows the first bytes, and yields
trajectories and refusals as they come: it never raises on content, and a bad record never loses a good one.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Protocol

from graphmem.errors import NotFound
from graphmem.importers.shape import describe
from graphmem.importers.source import READ_ERRORS, Refusal, Source, Unreadable, open_source
from graphmem.model.trajectory import Trajectory

__all__ = ["Importer", "Refusal", "Source", "importers", "read"]

GROUP = "graphmem.importers"
#: What this distribution registers itself; used as it is where it runs from a tree that is not installed.
_BUILT_IN = {
    "jsonl": "graphmem.importers.neutral:NeutralImporter",
    "browser-use": "graphmem.importers.browser_use:BrowserUseImporter",
    "browsergym": "graphmem.importers.browsergym:BrowserGymImporter",
    "chrome-recorder": "graphmem.importers.chrome_recorder:ChromeRecorderImporter",
    "mind2web": "graphmem.importers.mind2web:Mind2WebImporter",
    "miniwob": "graphmem.importers.miniwob:MiniWobImporter",
    "playwright-codegen": "graphmem.importers.playwright_codegen:PlaywrightCodegenImporter",
    "playwright-trace": "graphmem.importers.playwright_trace:PlaywrightTraceImporter",
    "selenium-ide": "graphmem.importers.selenium_ide:SeleniumIdeImporter",
    "webvoyager": "graphmem.importers.webvoyager:WebVoyagerImporter",
    "workflow-use": "graphmem.importers.workflow_use:WorkflowUseImporter",
}

#: (files done, files in all, the file that comes now).
Progress = Callable[[int, int, str], None]


class Importer(Protocol):
    """One format. ``name`` is what ``--format`` takes."""

    name: str

    def sniff(self, head: bytes, name: str, /) -> float:
        """How sure it is (0 to 1) that a file of this name with these first bytes (64 KiB, gzip undone) is its own."""
        ...

    def read(self, source: Source, /) -> Iterator[Trajectory | Refusal]:
        """The recordings of a source, secrets masked. What cannot be read is yielded as a Refusal, never raised."""
        ...


@cache
def importers() -> Mapping[str, Importer]:
    """Every importer that is installed, by name."""
    found: dict[str, Importer] = {name: _load(path) for name, path in _BUILT_IN.items()}
    for point in entry_points(group=GROUP):
        if point.name not in found:
            try:
                found[point.name] = point.load()()
            except Exception as error:  # somebody else's package must not keep our own formats from being read
                warnings.warn(f"Importer {point.name} cannot be loaded: {type(error).__name__}.", stacklevel=2)
    return found


def _load(path: str) -> Importer:
    module, _, name = path.partition(":")
    importer: Importer = getattr(import_module(module), name)()
    return importer


def read(
    paths: Sequence[str | Path],
    *,
    format: str | None = None,
    site: str | None = None,
    on_progress: Progress | None = None,
) -> Iterator[Trajectory | Refusal]:
    """Read files, folders (recursively, hidden files skipped, in order of name) and ``-`` for standard input.

    ``format`` is the name of an importer (NotFound when there is none), else it is told from the content; ``site`` takes the
    place of the site that the recordings name.
    """
    chosen = _named(format) if format else None
    return _read([str(path) for path in paths], chosen, site, on_progress)


def _named(name: str) -> Importer:
    if name not in importers():
        raise NotFound(name, hint=f"Formats are {', '.join(sorted(importers()))}.")
    return importers()[name]


def _read(
    paths: Sequence[str], chosen: Importer | None, site: str | None, on_progress: Progress | None
) -> Iterator[Trajectory | Refusal]:
    files = [file for path in paths for file in _files(path)]
    for done, file in enumerate(files):
        if isinstance(file, Refusal):
            yield file
            continue
        if on_progress:
            on_progress(done, len(files), file)
        for item in _read_file(file, chosen):
            yield replace(item, site=site) if site and isinstance(item, Trajectory) else item


def _files(path: str) -> list[str | Refusal]:
    if path == "-" or not os.path.isdir(path):
        return [path]
    found: list[str | Refusal] = []
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [os.path.join(folder, name) for name in sorted(names) if not name.startswith(".")]
    return found or [Refusal(path, "", "is a folder without files.")]


def _read_file(file: str, chosen: Importer | None) -> Iterator[Trajectory | Refusal]:
    try:
        with open_source(file) as source:
            importer = chosen or detect(source)
            yield from [importer] if isinstance(importer, Refusal) else importer.read(source)
    except FileNotFoundError:
        yield Refusal(file, "", "does not exist.")
    except PermissionError:
        yield Refusal(file, "", "may not be read by this user.")
    except Unreadable as error:
        yield Refusal(file, "", error.message)
    except READ_ERRORS:
        yield Refusal(file, "", "cannot be read to its end: the disk or the gzip data is damaged or cut off.")


def detect(source: Source) -> Importer | Refusal:
    """The one importer that knows the content best; a Refusal when none does, or several equally well."""
    if source.looks_empty():
        return Refusal(source.name, "", "is empty.")
    scores = {name: float(importer.sniff(source.head, source.name)) for name, importer in importers().items()}
    best = max(scores.values())
    candidates = sorted(name for name, score in scores.items() if score == best)
    if best <= 0.0:
        source.encoding()  # says of bytes that are no text what they are; an archive may be somebody's format
        known = ", ".join(sorted(scores))
        return Refusal(source.name, "", f"{describe(source.head)}. No importer knows it (there are {known}).")
    if len(candidates) > 1:
        names = ", ".join(candidates)
        return Refusal(source.name, "", f"may be any of {names}: say which with --format.")
    return importers()[candidates[0]]
