"""Which store a URL means, and how one is opened. Kinds of stores are entry points of the group ``graphmem.stores``, so
that another package can add one: a factory ``(url, *, wait, environ) -> Store`` under the name of its URL scheme."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.metadata import entry_points

from graphmem.errors import UsageError
from graphmem.store.protocol import Store

DEFAULT = ".graphmem"
_NEO4J = ("neo4j", "bolt")


def resolve_url(url: str | None = None, environ: Mapping[str, str] = os.environ) -> str:
    """``url``, else GRAPHMEM_STORE, else NEO4J_URI, else the folder ``.graphmem`` here."""
    return url or environ.get("GRAPHMEM_STORE") or environ.get("NEO4J_URI") or DEFAULT


def open_store(url: str | None = None, *, wait: float = 30.0, environ: Mapping[str, str] = os.environ) -> Store:
    """Open the store that ``resolve_url`` names. ``wait`` is how many seconds to wait for another process that holds
    it. Nothing is reached before first use. UsageError for a URL that no installed package knows."""
    found = resolve_url(url, environ)
    kinds = {entry.name: entry for entry in entry_points(group="graphmem.stores")}
    kind = _kind(found)
    if kind not in kinds:
        known = ", ".join(sorted(kinds))
        raise UsageError(
            f"No store is known for URLs that begin with {kind}://.",
            hint=f"Installed are: {known}. A folder, memory:, neo4j:// and bolt:// always work.",
        )
    store: Store = kinds[kind].load()(found, wait=wait, environ=environ)
    return store


def _kind(url: str) -> str:
    scheme, separator, _ = url.partition("://")
    if not separator:
        return "embedded"
    base = scheme.lower().partition("+")[0]
    return "neo4j" if base in _NEO4J else base
