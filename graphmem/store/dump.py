"""A whole store as a dump, and a dump as a whole store again: backup, and moving between the two kinds of store.

Nodes go before relationships, and the bookkeeping last, so that a store that was not filled to the end never looks up to
date. Reading is checked whole before anything is written (``dump_text`` says what is taken). Loading is in batches, because
a graph of some size is more than one transaction should hold: what was begun is noted in the store by the file's digest,
and the same file may be loaded again to finish it. Vectors go along; times of writing do not (``updated`` is when the
store was written, ``created`` is kept).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from graphmem.errors import InputError, StoreConflict, StoreError, StoreMismatch, UsageError
from graphmem.model.graph import LABELS, SCHEMA, Node, Relationship
from graphmem.store import rows
from graphmem.store.derived import set_settings, settings
from graphmem.store.dump_text import (
    Bookkeeping,
    End,
    Header,
    Line,
    constraints,
    header,
    link_line,
    meta_line,
    node_line,
    parse,
)
from graphmem.store.migrations import LATEST, now
from graphmem.store.protocol import Row, Store, Transaction
from graphmem_queries import load

#: Nodes of a page that is read, and the longest line that is written of it (characters, but for a row that is longer).
PAGE = 1000
LONGEST = 1_000_000
_EMBEDDED = ("Task", "Subtask", "Action")
_LOADING = "loading"
_KEPT = ("site", "version", "recordings", "induced")

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Loaded:
    """How much a load wrote."""

    nodes: int
    relationships: int


# -- out ---------------------------------------------------------------------------------------------------------------


def dump(store: Store) -> Iterator[str]:
    """The lines of the dump, each with its end. StoreConflict when somebody else changed the store meanwhile."""
    before = store.read(load("read/dump_meta"))
    metas = {row["key"]: row for row in before}
    own: Mapping[str, Any] = metas.pop("store", {})
    head = Header(now(), own.get("schema") or LATEST, own.get("dimension"), own.get("settings") or "")
    yield head.line() + "\n"
    yield from (f"{line}\n" for line in constraints())
    pages = []
    nodes = links = 0
    for label in LABELS:
        for after, found in _pages(store, label):
            pages.append((label, after))
            nodes += len(found)
            yield from (node_line(label, part, head.written) + "\n" for part in _parts(found))
    for label, after in pages:
        for kind, linked in groupby(_linked(store, label, after), key=lambda pair: pair[0]):
            found = [row for _, row in linked]
            links += len(found)
            yield from (link_line(kind, part) + "\n" for part in _parts(found))
    if metas:
        kept = [{"key": key, "properties": {name: metas[key][name] for name in _KEPT}} for key in sorted(metas)]
        yield meta_line(kept) + "\n"
    if store.read(load("read/dump_meta")) != before:
        raise StoreConflict("The store was written to while it was dumped.", hint="Dump it again.")
    yield End(nodes, links).line() + "\n"


def _pages(store: Store, label: str) -> Iterator[tuple[str, list[Row]]]:
    """The nodes of a label in order of key, by the key that each page comes after."""
    after = ""
    while True:
        found = store.read(load("read/dump_nodes"), label=label, after=after, limit=PAGE)
        if found:
            yield after, [{"key": row["key"], "properties": _told(row["properties"])} for row in found]
        if len(found) < PAGE:
            return
        after = found[-1]["key"]


def _linked(store: Store, label: str, after: str) -> list[tuple[tuple[str, str, str], Row]]:
    """What starts at the nodes of a page, with its kind, sorted by kind."""
    found = []
    for row in store.read(load("read/dump_links"), label=label, after=after, limit=PAGE):
        kind = (label, row["type"], row["target"])
        if kind not in SCHEMA:
            raise StoreError(f"{'-'.join(kind)} is no relationship of ours.", hint="Run: graphmem verify")
        found.append((kind, {"start": row["start_key"], "end": row["end_key"], "properties": _told(row["properties"])}))
    return sorted(found, key=lambda pair: pair[0])


def _told(properties: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in properties.items() if value is not None}
    return {name: kept[name] for name in sorted(kept) if name not in ("key", "updated")}


def _parts(found: Iterable[Row]) -> Iterator[list[Row]]:
    """Rows in portions of about ``LONGEST`` characters, and of at most a batch."""
    part: list[Row] = []
    size = 0
    for row in found:
        length = len(str(row))
        if part and (size + length > LONGEST or len(part) == rows.BATCH):
            yield part
            part, size = [], 0
        part.append(row)
        size += length
    if part:
        yield part


# -- back --------------------------------------------------------------------------------------------------------------


def restore(store: Store, path: Path, *, progress: Progress = lambda stage, done, total: None) -> Loaded:
    """Load a dump into an empty store, or go on with one that this file was being loaded into. InputError names the line
    that is refused, before anything is written; UsageError for a store that is not empty; StoreMismatch for a dump of a
    newer schema."""
    digest = _digest(path)
    _check_room(store, path, digest)
    end, count = check(path, progress)
    head, lines = _opened(path)
    for label in _EMBEDDED if head.dimension else ():
        store.vectors(label, head.dimension or 0)
    if settings(store).get(_LOADING) != digest:
        set_settings(store, {_LOADING: digest})
    metas: list[Row] = []
    for done, (_, line) in enumerate(lines, start=1):
        if isinstance(line, Bookkeeping):
            metas += map(dict, line.rows)
        elif isinstance(line, tuple):
            _write(store, line)
        store.release()
        progress("Loading", done, count)
    store.write(lambda tx: tx.run(load("write/put_meta"), rows=metas))
    set_settings(store, json.loads(head.settings or "{}"))
    return Loaded(end.nodes, end.relationships)


def check(path: Path, progress: Progress = lambda stage, done, total: None) -> tuple[End, int]:
    """Read a whole dump and write nothing: its end, and how many lines there are. InputError."""
    nodes = links = 0
    last: Line | None = None
    number = 1
    for number, line in _opened(path)[1]:
        if isinstance(last, End):
            raise InputError(str(path), f"line {number}", "it comes after the end of the dump")
        if isinstance(line, tuple):
            nodes += sum(isinstance(item, Node) for item in line)
            links += sum(isinstance(item, Relationship) for item in line)
        last = line
        progress("Reading the dump", number, 0)
    if last != End(nodes, links):
        raise InputError(str(path), f"line {number}", _cut_off(last, End(nodes, links)))
    return last, number


def _cut_off(last: Line | None, found: End) -> str:
    there = f"{found.nodes} nodes and {found.relationships} relationships are there"
    if isinstance(last, End):
        return f"{there}, where the end says {last.nodes} and {last.relationships}"
    return f"the end of the dump is missing: {there}"


def _opened(path: Path) -> tuple[Header, Iterator[tuple[int, Line]]]:
    """The first line, and the others with their numbers."""
    lines = _lines(path)
    number, first = next(lines, (1, ""))
    try:
        head = header(first)
    except ValueError as error:
        raise InputError(str(path), f"line {number}", str(error)) from None
    if head.schema > LATEST:
        raise StoreMismatch(
            f"{path} was written by a newer graphmem (schema {head.schema}; this one knows {LATEST}).",
            hint="Upgrade: pip install -U graphmem",
        )
    return head, _parsed(path, lines, head)


def _parsed(path: Path, lines: Iterable[tuple[int, str]], head: Header) -> Iterator[tuple[int, Line]]:
    for number, text in lines:
        try:
            yield number, parse(text, head)
        except ValueError as error:
            raise InputError(str(path), f"line {number}", str(error)) from None


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    number = 0
    try:
        with open(path, encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                yield number, line.removesuffix("\n")
    except UnicodeDecodeError:
        raise InputError(str(path), f"line {number + 1}", "it is no UTF-8 text") from None


def _digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_room(store: Store, path: Path, digest: str) -> None:
    held = sum(row["n"] for row in store.read(load("read/count_nodes")) if row["label"] != "Meta")
    if held and settings(store).get(_LOADING) != digest:
        raise UsageError(
            f"{store.url} is not empty: it has {held} nodes, and {path.name} is loaded into an empty store only.",
            hint="Name another with --store.",
        )


def _write(store: Store, items: Iterable[Node | Relationship]) -> None:
    nodes = [item for item in items if isinstance(item, Node)]
    links = [item for item in items if isinstance(item, Relationship)]

    def work(tx: Transaction) -> None:
        rows.put(tx, nodes)
        rows.link(tx, links)

    store.write(work)
