"""The worked example as statements are asked of it: filled with one of everything, and a value for every parameter.

Tests run each statement with these, and ``docs/make_queries.py`` prints what they give.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from support import worked_example as example
from support.worked_example import CLINIC, LIBRARY, R2, RESERVE

from graphmem.model.decision import Subject, decided
from graphmem.model.graph import Graph, Node, Relationship
from graphmem.model.identity import key_of
from graphmem.model.trajectory import step_key
from graphmem.store import Store, decisions, derived, recordings, rows
from graphmem.store.revisions import revision
from graphmem_queries import Query, load, names

#: A value for every parameter that a statement of ``read`` may take, unless it has a default. Whoever adds a statement
#: with a parameter of a new name adds a value here.
VALUES: Mapping[str, Any] = {
    "action": "navigate",
    "after": "",
    "at": "2027-01-05T08:00:00Z",
    "all": True,
    "called": "Pick {text} in {field}",
    "domain": "culture",
    "end": "library.test/found",
    "key": R2.key,
    "keys": [t.key for t in example.ALL] + [n.key for g in (example.library(), example.general()) for n in g.nodes],
    "label": "Trajectory",
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
#: The key of a subtask that went.
BEFORE = key_of("subtask", "the way of reserving before the popup was known")
#: When revisions were made: what the clock says would be another time on each store.
_AT = "2027-01-05T08:00:00Z"
#: A name that somebody gave to the library's way of reserving.
NAMED = decided(
    "rename", LIBRARY, [Subject.of("Subtask", [(step_key(R2.key, 0), step_key(R2.key, 4))], "sequence")],
    {"name": "Reserve a book"}, by="ada", at=_AT, note="as the staff call it",
)  # fmt: skip
_REVISIONS = Query(
    "test", "the revisions that saving made", (), (("", "MATCH (r:Revision) RETURN r.key AS key ORDER BY key"),)
)
_READ = names("read")
#: Where a parameter of one statement stands for something else, or its default finds nothing in the example.
SPECIAL: Mapping[tuple[str, str], Any] = {
    ("read/changes_since", "site"): LIBRARY,
    ("read/came_since", "site"): LIBRARY,
    ("read/came_since", "version"): 50,
    ("read/decision", "key"): NAMED.key,
    ("read/revision_content", "keys"): [BEFORE],
    ("read/meta", "keys"): [f"site:{LIBRARY}", "general", "store"],
    ("read/short", "keys"): [f"site:{LIBRARY}", "general"],
    ("read/short_calls", "keys"): [f"site:{LIBRARY}"],
    ("read/recordings_behind", "key"): RESERVE.key,
    ("read/revisions_naming", "text"): BEFORE,
    ("read/successors_of", "key"): BEFORE,
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
    nodes, links = explored()
    nodes += [*(Node("Revision", row["key"], {"at": _AT}) for row in store.read(_REVISIONS)), changed()]
    nodes.append(Node("Trajectory", R2.key, {"learned": _AT}))
    nodes.append(Node("Decision", NAMED.key, decisions.decision_properties(NAMED)))
    store.write(lambda tx: (rows.put(tx, nodes), rows.link(tx, links)))
    derived.set_settings(store, {"inducer": "graph"})


def explored() -> tuple[list[Node], list[Relationship]]:
    """An Experience of the library's first page."""
    graph = example.library()
    before, after = sorted((n for n in graph.nodes if n.label == "Page"), key=lambda n: str(n.properties["pattern"]))
    action = next(n for n in graph.nodes if n.label == "Action" and n.properties["name"] == "Reserve")
    key = key_of("experience", [before.key, action.key, after.key])
    links = [
        Relationship(("Experience", "BEFORE", "Page"), key, before.key),
        Relationship(("Experience", "OF", "Action"), key, action.key),
        Relationship(("Experience", "AFTER", "Page"), key, after.key),
    ]
    return [Node("Experience", key, {"name": "The book is reserved"})], links


def changed() -> Node:
    """The Revision in which the library's way of reserving took the place of one that knew of no popup."""
    new = example.library()
    old = Graph(
        tuple(replace(node, key=_gone(node.key)) for node in new.nodes),
        tuple(replace(r, start=_gone(r.start), end=_gone(r.end)) for r in new.relationships),
    )
    return revision(LIBRARY, 100, _AT, old, new)


def _gone(key: str) -> str:
    return BEFORE if key == RESERVE.key else key
