"""The text of a dump: one Cypher statement a line, which carries its rows, and which nobody has to run to read.

A statement is one of our own from ``queries/write`` with its rows written out, so a dump is plain Cypher that both engines
take. Reading one back runs none of it: a line is taken apart into the statement's name, found by its unchanging end, and
its rows, which must be written exactly as this module writes them. Whatever else stands there is refused.

    UNWIND [{`key`: "store", `properties`: {`dump`: "graphmem.dump/1", ...}}] AS row MERGE (m:Meta {key: row.key}) ...;
    CREATE CONSTRAINT task_key IF NOT EXISTS FOR (n:Task) REQUIRE n.key IS UNIQUE;
    UNWIND [{`key`: "task:6e...", `properties`: {`name`: "Find a flight", ...}}] AS row MERGE (n:Task {key: row.key}) ...;
    UNWIND [{`start`: "task:6e...", `end`: "subtask:41...", `properties`: {...}}] AS row MATCH (a:Task {key: row.start}) ...;
    RETURN 812 AS nodes, 2044 AS relationships;
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from graphmem.errors import StoreError
from graphmem.model.graph import LABELS, SCHEMA, Node, Relationship
from graphmem.store import parameters, rows
from graphmem_queries import load

FORMAT = "graphmem.dump/1"

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
#: A string, or a name in back-ticks. Possessive, so that a text of megabytes costs no stack.
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|`([A-Za-z_][A-Za-z0-9_]*)`')
_END = re.compile(r"RETURN (\d{1,18}) AS nodes, (\d{1,18}) AS relationships;")
_ROWS = "UNWIND "
_AS_ROW = " AS row "

Kind: TypeAlias = tuple[str, str, str]


@dataclass(frozen=True)
class Header:
    """What a dump says of itself and of the store that it was made from. ``written``: ISO 8601 UTC text."""

    written: str
    schema: int
    dimension: int | None = None
    settings: str = ""

    def line(self) -> str:
        properties = {
            "dump": FORMAT,
            "dump_written": self.written,
            "dump_schema": self.schema,
            "dump_dimension": self.dimension,
            "settings": self.settings,
        }
        return _ROWS + literal([{"key": "store", "properties": properties}]) + _tail("write/put_meta")


@dataclass(frozen=True)
class End:
    """The last line: how many nodes and relationships there were, so that a file that was cut off is known."""

    nodes: int
    relationships: int

    def line(self) -> str:
        return f"RETURN {self.nodes} AS nodes, {self.relationships} AS relationships;"


@dataclass(frozen=True)
class Bookkeeping:
    """Rows of ``write/put_meta``."""

    rows: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Constraint:
    """A statement of the schema, which a store of ours has already."""


Line: TypeAlias = "tuple[Node, ...] | tuple[Relationship, ...] | Bookkeeping | Constraint | End"


# -- writing -----------------------------------------------------------------------------------------------------------


def node_line(label: str, nodes: Sequence[Mapping[str, Any]], written: str) -> str:
    """Rows ``{key, properties}`` of one label as a statement."""
    return _ROWS + literal(list(nodes)) + _tail(f"write/put_{label.lower()}", written)


def link_line(kind: Kind, links: Sequence[Mapping[str, Any]]) -> str:
    """Rows ``{start, end, properties}`` of one kind as a statement."""
    return _ROWS + literal(list(links)) + _tail(f"write/link_{rows.stem(kind)}")


def meta_line(metas: Sequence[Mapping[str, Any]]) -> str:
    return _ROWS + literal(list(metas)) + _tail("write/put_meta")


@cache
def constraints() -> tuple[str, ...]:
    """What makes the statements quick where they are run as they stand."""
    return tuple(_body(f"schema/key_{label.lower()}") + ";" for label in (*LABELS, "Meta"))


def literal(value: Any) -> str:
    """A value as Cypher writes it: as JSON, but for names in back-ticks. StoreError for what it cannot."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"`{_name(name)}`: {literal(item)}" for name, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, str):
        return _quoted(value)
    if value is None or isinstance(value, (bool, int, float)):
        # Cypher knows no plus in an exponent.
        return json.dumps(value, allow_nan=False).replace("e+", "e")
    raise StoreError(f"A value of type {type(value).__name__} cannot be dumped.")


def _quoted(text: str) -> str:
    # Neo4j resolves backslash-u wherever it stands, also behind a backslash that is itself meant: then write the u so.
    return re.sub(r"\\\\u|\\.", lambda m: r"\\\u0075" if m[0] == r"\\u" else m[0], json.dumps(text, ensure_ascii=False))


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise StoreError(f"The property name {name!r} cannot be dumped.", hint="graphmem writes none like it.")
    return name


def _body(name: str) -> str:
    """A statement of ours in one line, without its comments."""
    return " ".join(line.strip() for line in load(name).text("").splitlines() if not line.startswith("//"))


@cache
def _tail(name: str, written: str = "") -> str:
    """What follows the rows."""
    body = _body(name).removeprefix(f"{_ROWS}$rows").replace("$now", _quoted(written))
    return re.sub(r"\s+RETURN count\(r\) AS linked$", "", body) + ";"


# -- reading -----------------------------------------------------------------------------------------------------------


def header(line: str) -> Header:
    """The first line of a dump. ValueError says what is wrong with it."""
    tail = _tail("write/put_meta")
    found_rows = _rows_of(line, tail) if line.endswith(tail) else []
    properties = found_rows[0].get("properties") if len(found_rows) == 1 else None
    if not isinstance(properties, Mapping) or properties.get("dump") != FORMAT:
        raise ValueError(f"it is not a dump: the first line of one names {FORMAT}")
    found = Header(*(properties.get(name) for name in ("dump_written", "dump_schema", "dump_dimension", "settings")))  # type: ignore[arg-type]
    if not isinstance(found.written, str) or not isinstance(found.settings, str) or found.line() != line:
        raise ValueError("its first line is not as a dump writes it")
    if not _counts(found.schema) or (found.dimension is not None and not _counts(found.dimension)):
        raise ValueError("its first line has a number that is none")
    if found.settings and not isinstance(json.loads(found.settings), dict):
        raise ValueError("its settings are no JSON object")
    return found


def parse(line: str, head: Header) -> Line:
    """One line after the first, ``head``. ValueError says why it is refused."""
    if line in constraints():
        return Constraint()
    end = _END.fullmatch(line)
    if end:
        return End(int(end[1]), int(end[2]))
    at = line.rfind(_AS_ROW)
    what = _tails(head.written).get(line[at:]) if at >= 0 and line.startswith(_ROWS) else None
    if what is None:
        raise ValueError("it is none of the statements that a dump has; nothing else is run")
    found = _rows_of(line, line[at:])
    _check_values(found, head.dimension)
    if what == "Meta":
        return Bookkeeping(tuple(_checked(row, {"key"}) for row in found))
    if isinstance(what, str):
        return tuple(Node(what, row["key"], row["properties"]) for row in found if _checked(row, {"key"}))
    return tuple(_relationship(what, row) for row in found)


@cache
def _tails(written: str) -> dict[str, str | Kind]:
    """What a line makes, by how it ends: nodes of a label, relationships of a kind, or Meta."""
    nodes: dict[str, str | Kind] = {_tail(f"write/put_{label.lower()}", written): label for label in LABELS}
    return nodes | {_tail(f"write/link_{rows.stem(kind)}"): kind for kind in SCHEMA} | {_tail("write/put_meta"): "Meta"}


def _relationship(kind: Kind, row: Mapping[str, Any]) -> Relationship:
    properties = _checked(row, {"start", "end"})["properties"]
    lacking = [name for name in SCHEMA[kind] if name not in properties]
    if lacking:
        raise ValueError(f"a {kind[1]} has no {' and no '.join(lacking)}")
    return Relationship(kind, row["start"], row["end"], properties)


def _rows_of(line: str, tail: str) -> list[dict[str, Any]]:
    if not line.startswith(_ROWS) or not line.endswith(tail):
        raise ValueError("it is none of the statements that a dump has; nothing else is run")
    text = line[len(_ROWS) : len(line) - len(tail)]
    try:
        found = json.loads(_TOKEN.sub(lambda m: m[0] if m[1] is None else f'"{m[1]}"', text))
        exact = isinstance(found, list) and literal(found) == text
    except (ValueError, RecursionError, StoreError):
        exact = False
    # Only what is written exactly so is taken: there is one way to write each value, so nothing can be read two ways.
    if not exact or not all(isinstance(row, dict) for row in found):
        raise ValueError("its rows are not as a dump writes them")
    return list(found)


def _check_values(found: list[dict[str, Any]], dimension: int | None) -> None:
    """Whether a store can keep them. ValueError."""
    try:
        length = parameters.check({"rows": found}, writing=True)
    except StoreError as error:
        raise ValueError(error.message) from None
    if length not in (None, dimension):
        raise ValueError(f"it has vectors of {length} numbers, where the first line says {dimension or 'none'}")


def _checked(row: Mapping[str, Any], keys: set[str]) -> Mapping[str, Any]:
    properties = row.get("properties")
    if set(row) != keys | {"properties"} or not isinstance(properties, Mapping):
        raise ValueError(f"a row has not exactly {', '.join(sorted(keys | {'properties'}))}")
    if not all(isinstance(row[key], str) and row[key] for key in keys):
        raise ValueError("a key is no text")
    if "key" in properties:
        raise ValueError("a key stands among the properties")
    return row


def _counts(number: Any) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0
