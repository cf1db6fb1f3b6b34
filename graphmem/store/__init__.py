"""Where the graph is kept: one Protocol, and the stores that follow it."""

from graphmem.store.open import open_store, resolve_url
from graphmem.store.protocol import Row, Store, Table, Transaction

__all__ = ["Row", "Store", "Table", "Transaction", "open_store", "resolve_url"]
