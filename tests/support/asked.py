"""The worked example as statements are asked of it: filled with one of everything, and a value for every parameter.

Tests run each statement with these, and ``docs/make_queries.py`` prints what they give.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from support import worked_example as example
from support.worked_example import CLINIC, LIBRARY, R2, RESERVE

from graphmem.model.graph import Node, Relationship
from graphmem.model.identity import canonical, key_of
from graphmem.model.trajectory import step_key
from graphmem.store import Store, derived, recordings, rows
from graphmem_queries import Query, load, names

#: A value for every parameter that a statement of ``read`` may take, unless it has a default. Whoever adds a statement
#: with a parameter of a new name adds a value here.
VALUES: Mapping[str, Any] = {
    "action": "navigate",
    "all": True,
    "called": "Pick {text} in {field}",
    "domain": "culture",
    "end": "library.test/found",
    "key": R2.key,
    "keys": [t.key for t in example.ALL] + [n.key for g in (example.library(), example.general()) for n in g.nodes],
    "limit": 20,
    "name": "reserve a book",
    "page": "library.test/",
    "prefix": "",
    "recording": R2.key,
    "site": LIBRARY,
    "sites": [LIBRARY, CLINIC],
    "start": "library.test/",
    "status": "active",
    "step": step_key(R2.key, 2),
    "task": "Reserve the book {title}",
    "text": "book (visit)",
    "vector": [1.0, 0.0],
    "word": "BOOK",
    "words": "book",
    "workflow": "Reserve the book {title}",
}
_READ = names("read")
#: Where a parameter of one statement stands for something else, or its default finds nothing in the example.
SPECIAL: Mapping[tuple[str, str], Any] = {
    ("read/changes_since", "site"): LIBRARY,
    ("read/meta", "keys"): [f"site:{LIBRARY}", "general", "store"],
    ("read/recordings_behind", "key"): RESERVE.key,
    ("read/successors_of", "key"): RESERVE.key,
    ("read/values_of_action", "action"): "type",
    **{
        (name, "site"): recordings.site_key(LIBRARY)
        for name in ("read/site_judgements", "read/site_step_nodes", "read/site_steps", "read/site_trajectories")
    },
    **{(name, "prefix"): name.removeprefix("read/find_") + ":" for name in _READ if name.startswith("read/find_")},
}


def given(query: Query) -> dict[str, Any]:
    """Values for its parameters; a default is read as JSON, as the console does."""
    values = {name: _value(query, name, default) for name, default in query.parameters}
    assert None not in values.values(), f"VALUES has nothing for the parameters of {query.name}"
    return values


def _value(query: Query, name: str, default: str | None) -> Any:
    if (query.name, name) in SPECIAL:
        return SPECIAL[query.name, name]
    return VALUES.get(name) if default is None else json.loads(default or '""')


def fill(store: Store) -> None:
    """The whole example, with vectors of two numbers, something explored, and a change of the library's graph."""
    example.save(store)
    for label in ("Task", "Subtask", "Action"):
        store.vectors(label, 2)
        found = store.read(load(f"read/recall_texts_{label.lower()}"), all=True)
        embedded = [{"key": row["key"], "embedding": [1.0, float(len(row["name"]))]} for row in found]
        store.write(lambda tx, label=label, rows=embedded: tx.run(load(f"write/embed_{label.lower()}"), rows=rows))
    nodes, links = history()
    store.write(lambda tx: (rows.put(tx, nodes), rows.link(tx, links)))
    derived.set_settings(store, {"inducer": "graph"})


def history() -> tuple[list[Node], list[Relationship]]:
    """An Experience of the library's first page, and the Revision that brought its way of reserving."""
    graph = example.library()
    before, after = sorted((n for n in graph.nodes if n.label == "Page"), key=lambda n: str(n.properties["pattern"]))
    action = next(n for n in graph.nodes if n.label == "Action" and n.properties["name"] == "Reserve")
    tried = Node("Experience", key_of("experience", [before.key, action.key, after.key]), {"name": "The book is reserved"})
    gone = key_of("subtask", "the way before the popup was known")
    change = Node(
        "Revision",
        key_of("revision", [LIBRARY, 2]),
        {
            "name": "Reserve a book asks for cookies",
            "site": LIBRARY,
            "at": "2027-01-02T08:00:00Z",
            "version": 2,
            "added": 3,
            "removed": 1,
            "successors": canonical({gone: [RESERVE.key]}),
        },
    )
    links = [
        Relationship(("Experience", "BEFORE", "Page"), tried.key, before.key),
        Relationship(("Experience", "OF", "Action"), tried.key, action.key),
        Relationship(("Experience", "AFTER", "Page"), tried.key, after.key),
    ]
    return [tried, change], links
