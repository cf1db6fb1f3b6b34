"""The whole store as Cypher: what ``graphmem dump`` writes and ``graphmem load`` reads back into a store of either kind.

The text and its strict reading are ``graphmem.store.dump_text``. It is of everything or of nothing: a part of a graph whose
recordings are elsewhere would not verify.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.errors import UsageError
from graphmem.store.dump import dump
from graphmem.store.protocol import Store


class CypherExporter:
    name = "cypher"

    def export(self, store: Store, /, *, site: str | None = None) -> Iterator[str]:
        """A line a part. UsageError for one site."""
        if site is not None:
            raise UsageError(
                "A dump is of the whole store.",
                hint="For the recordings of one site: graphmem export --format jsonl --site S",
            )
        return dump(store)
