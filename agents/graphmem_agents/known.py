"""What is known that could bear on a task: the Task and Subtask nodes that are worth scoring.

A small memory is read whole. In a large one the full-text index (and the vector index, where the store has vectors) brings
the nearest ones, so that the cost of recall does not follow the size of the memory.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphmem.model.workflow import Parameter
from graphmem.model.workflow_json import parameters_from_json
from graphmem.store.protocol import Row, Store
from graphmem_agents.words import masked, tokens
from graphmem_queries import load

#: Up to this many nodes of a label are all scored; beyond, the indexes choose.
WHOLE = 3000
#: How many of a label the indexes bring.
NEAREST = 150
_LABELS = ("Task", "Subtask")
#: Subtasks that only the page asks for are no answer to a task by themselves.
_ANSWERS = frozenset({"", "sequence", "any_order", "each"})


@dataclass(frozen=True)
class Known:
    """A Task or Subtask. ``text`` is the template that an instruction is laid against; ``sites`` is where it can be done,
    empty for a general one."""

    key: str
    label: str
    name: str
    text: str
    sites: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    uses: int = 0
    successes: int = 0
    failures: int = 0
    general: bool = False

    @property
    def site(self) -> str:
        """The site; all of them, joined, where there are several."""
        return ", ".join(self.sites)

    @property
    def rate(self) -> float:
        """Share of successes among judged runs, one of each added."""
        return (self.successes + 1) / (self.successes + self.failures + 2)

    @property
    def masked(self) -> str:
        return masked(self.text)


def known(store: Store, task: str, *, site: str = "", vector: Sequence[float] | None = None) -> list[Known]:
    """The candidates for ``task``, sorted by key: of one site and the general layer, or of all. Never a quarantined one."""
    counts = {row["label"]: row["n"] for row in store.read(load("read/recall_counts"))}
    found: dict[str, Known] = {}
    for label in _LABELS:
        if not counts.get(label):
            continue
        for row in _rows(store, label, counts[label], task, site, vector):
            if row["status"] != "quarantined" and (row.get("kind") or "") in _ANSWERS:
                found[row["key"]] = _known(label, row)
    return [found[key] for key in sorted(found)]


def _rows(store: Store, label: str, count: int, task: str, site: str, vector: Sequence[float] | None) -> list[Row]:
    stem = label.lower()
    if count <= WHOLE:
        return store.read(load(f"read/recall_{stem}s"), site=site)
    words = search_words(task)
    rows = store.read(load(f"read/recall_words_{stem}"), words=words, site=site, limit=NEAREST) if words else []
    if vector is not None:
        rows += store.read(load(f"read/recall_near_{stem}"), vector=list(vector), site=site, limit=NEAREST)
    return rows


def search_words(task: str) -> str:
    """The words of an instruction as a full-text question: plain words only, so that nothing in it is an operator."""
    words = [w.casefold() for t in tokens(task) if t.weight > 0.3 and t.kind != "mark" for w in _plain(t.value)]
    return " ".join(dict.fromkeys(w for w in words if w not in ("and", "or", "not", "to")))


def _plain(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text).split()


def _known(label: str, row: Row) -> Known:
    text = (row["text"] if label == "Task" else row["name"]) or row["name"] or ""
    sites = row.get("sites") or ([row["site"]] if row["site"] else [])
    return Known(
        key=row["key"],
        label=label,
        name=row["name"] or "",
        text=text,
        sites=tuple(sites),
        parameters=parameters_from_json(_loaded(row["parameters"])),
        uses=row["uses"] or 0,
        successes=row["successes"] or 0,
        failures=row["failures"] or 0,
        general=bool(row["general"]),
    )


def _loaded(text: str | None) -> Any:
    return json.loads(text) if text else []
