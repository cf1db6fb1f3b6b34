"""Statements of a test's own, in the form in which stores take them."""

from __future__ import annotations

from graphmem_queries import Query


def cypher(text: str) -> Query:
    """``text`` as a query that both stores run."""
    return Query("test", "a statement of a test", (), (("", text),))


PUT = cypher("UNWIND $rows AS row MERGE (n:Site {key: row.key}) SET n += row.properties")
ALL = cypher("MATCH (n:Site) RETURN n.key AS key, n.name AS name ORDER BY n.key")
COUNT = cypher("MATCH (n:Site) RETURN n.key AS key ORDER BY n.key")


def rows(count: int, prefix: str = "site") -> list[dict[str, object]]:
    """``count`` rows for ``PUT``, sorted by key."""
    return [{"key": f"{prefix}:{i:05}", "properties": {"name": f"{prefix} {i}"}} for i in range(count)]
