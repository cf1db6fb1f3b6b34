"""Everything that a store holds and that the laws speak of, so that two stores can be compared.

Left out: times of writing, the bookkeeping (``Meta``), and the history (``Revision``).
"""

from __future__ import annotations

import json
from typing import Any

from graphmem.store import Store, open_store
from graphmem_queries import Query

_NODES = "MATCH (n) WHERE NOT n:Meta AND NOT n:Revision RETURN labels(n)[0] AS label, properties(n) AS p ORDER BY n.key"
_LINKS = "MATCH (a)-[r]->(b) RETURN a.key AS start, type(r) AS type, b.key AS end_key, properties(r) AS p"


def dump(of: str | Store) -> list[str]:
    """One line a node and relationship, sorted; ``of`` is a store or its URL."""
    store = open_store(of, environ={}) if isinstance(of, str) else of
    try:
        rows = [*_read(store, _NODES), *_read(store, _LINKS)]
    finally:
        if isinstance(of, str):
            store.close()
    return sorted(json.dumps(_lawful(row), sort_keys=True, ensure_ascii=False) for row in rows)


def _read(store: Store, text: str) -> list[dict[str, Any]]:
    return store.read(Query("test/dump", "", (), (("", text),)))


def _lawful(row: dict[str, Any]) -> dict[str, Any]:
    kept = {k: v for k, v in row["p"].items() if k not in ("created", "updated", "learned") and v is not None}
    return row | {"p": kept}
