"""The library of named queries as users see it: what there is, and running one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from graphmem.errors import NotFound, UsageError
from graphmem.store.protocol import Store, Table
from graphmem_queries import Query, load, names

#: How a statement begins its purpose when it is for the product alone.
INTERNAL = "Internal:"


def library() -> list[Query]:
    """Every query that is for users, by name."""
    return [query for query in map(load, names("read")) if not query.purpose.startswith(INTERNAL)]


def short_name(query: Query) -> str:
    """``workflows_of_site``."""
    return query.name.partition("/")[2]


def ask(store: Store, name: str, parameters: Mapping[str, Any]) -> Table:
    """The rows of the query ``name``. NotFound; UsageError for a parameter that is missing or unknown, or for a vector that
    the store has no index for."""
    query = _named(name)
    values = _filled(query, parameters)
    if "db.index.vector" in query.text(""):
        _check_vectors(store, query, values.get("vector"))
    rows = store.read(query, **values)
    return Table(tuple(rows[0]) if rows else columns(query), tuple(rows))


def columns(query: Query) -> tuple[str, ...]:
    """What a statement returns, from its text: every column of ours has its name behind AS."""
    returned = re.split(r"\bRETURN\b", query.text(""))[-1]
    return tuple(re.findall(r"\bAS\s+(\w+)", re.split(r"\bORDER BY\b", returned)[0]))


def _named(name: str) -> Query:
    known = {short_name(query): query for query in library()}
    wanted = name.removeprefix("read/")
    if wanted not in known:
        near = get_close_matches(wanted, known, n=3)
        hint = f"Did you mean {' or '.join(near)}?" if near else "graphmem query lists what there is."
        raise NotFound(name, hint=hint)
    return known[wanted]


def _filled(query: Query, given: Mapping[str, Any]) -> dict[str, Any]:
    takes = dict(query.parameters)
    unknown = sorted(set(given) - set(takes))
    missing = sorted(name for name, default in takes.items() if default is None and name not in given)
    if unknown or missing:
        wrong = [f"has no parameter {name!r}" for name in unknown] + [f"needs {name!r}" for name in missing]
        hint = f"It takes {', '.join(takes)}." if takes else "It takes none."
        raise UsageError(f"The query {short_name(query)} {' and '.join(wrong)}.", hint=hint)
    return {name: given.get(name, _default(default)) for name, default in takes.items()}


def _check_vectors(store: Store, query: Query, vector: Any) -> None:
    """Each engine says in its own words that an index is not there, and one takes a vector of any length."""
    found = store.read(load("schema/version"))
    held = found[0]["dimension"] if found else None
    if held is None:
        raise UsageError(
            f"The query {short_name(query)} needs vectors, and this store has none.",
            hint="docs/queries.md says how to make them; tasks_by_text needs none.",
        )
    if vector is not None and (not isinstance(vector, list) or len(vector) != held):
        raise UsageError(
            f"The vectors of this store are lists of {held} numbers.", hint="Use the embedder that made them."
        )


def _default(text: str | None) -> Any:
    try:
        return json.loads(text or '""')
    except ValueError:
        return (text or "").strip("'")
