"""Write ``docs/queries.md`` from the statements themselves: ``python docs/make_queries.py``.

Each query for users with its purpose, its parameters, its statement, and what it gives on the worked example of the tests
(a library and a clinic). A test holds that the page is what this writes.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.asked import fill, given

from graphmem.memory.asking import columns, library, short_name
from graphmem.store import Store, open_store
from graphmem_queries import Query

PAGE = Path(__file__).with_name("queries.md")
#: Rows of an example; the page says how many more there are.
SHOWN = 3
#: Characters of a cell. Keys are cut shorter: 32 hexadecimal digits say nothing to a reader.
LONGEST, DIGITS = 70, 6

TOPICS: Mapping[str, tuple[str, ...]] = {
    "What there is": (
        "all_sites", "workflows_of_site", "workflows_of_domain", "tasks_of_domain", "tasks_across_sites", "subtasks_of_site",
        "actions_of_site", "pages_of_site", "with_status",
    ),
    "What things are made of": (
        "hierarchy_of_task", "ways_of_task", "callers_of", "tasks_depending_on", "subtasks_shared", "actions_shared",
        "subtasks_sharing_actions", "control_steps", "conditions_of_site", "next_actions",
    ),
    "Slots and their values": ("slots_of_site", "values_of_workflow", "values_of_action"),
    "What sites have in common": ("general_ways", "what_generalises", "same_on_other_sites"),
    "How it has fared": (
        "most_used", "failing", "failed_recordings", "never_succeeded", "never_confirmed", "never_used",
    ),
    "Recordings, and where things come from": (
        "recordings_of_site", "recordings_of_task", "steps_of_recording", "subtasks_of_recording", "judgements_of_recording",
        "provenance_of_step", "steps_of_action", "coverage_of_recording", "coverage_of_site", "recordings_not_explained",
        "steps_not_explained",
    ),
    "Pages": ("links_of_page", "path_between_pages", "experiences_of_page"),
    "What changed, and what people decided": ("changes_since", "came_since", "successors_of", "decisions"),
    "Search by words": ("words", "tasks_by_text", "subtasks_by_text", "actions_by_text"),
    "Search by meaning": ("similar_to", "similar_tasks", "similar_subtasks"),
}  # fmt: skip

HEAD = """# The library of queries

Written by `python docs/make_queries.py` from the statements in `queries/graphmem_queries/read/`; do not edit it by hand.

`graphmem query` lists these, `graphmem query NAME --param K=V` runs one, `Memory.query("NAME", k=v)` gives the same rows in
Python. Both stores run each statement word for word and give the same rows in the same order (but for scores), so a
statement is also a start for one's own: paste it into `graphmem cypher`. What the labels and properties mean is in
[graph.md](graph.md).

A parameter with a default may be left out; an empty `site` is every site unless the query says otherwise. Where a query
takes a key or a name, the name is the whole name, and a name that several have gives the rows of all of them. Values are
read as JSON where they are JSON (`--param limit=5`, `--param 'vector=[0.1, 0.2]'`), else as text.

The examples are rows on a small graph: a library, a clinic, six recordings. Keys and long texts are shortened here.
"""

NOTES = {
    "Search by words": """
`words` looks through every name and text for one piece of text. The others ask the full-text index, any of whose words may
match. What the index would read as an operator (`+ - " ( ) * ?` ..., `AND`, `NOT`) is taken out by the statement, so any
instruction can be passed as it is. Scores are each engine's own.
""",
    "Search by meaning": """
These want vectors in the store, which are made by an embedder whose vectors can be kept (the extra `semantic`). `vector` is
a list of as many numbers as that embedder makes, from the same embedder; any other length is refused.

```python
from graphmem import Memory
from graphmem_agents.embed import choose_embedder
from graphmem_agents.vectors import embed_store
from graphmem_agents.words import masked

embedder = choose_embedder("fastembed")
with Memory.open() as memory:
    embed_store(memory.store, embedder)                     # again after learning: only what is new is embedded
    vector = embedder.embed([masked("Reserve a book for me")])[0].tolist()   # entities masked, as in the store
    memory.query("similar_tasks", vector=vector, limit=5)
```

`similar_to` needs no vector: it takes that of a task. `recall` weighs meaning, words, slots and site together.
""",
}


def page() -> str:
    """The whole document. ValueError when a query has no topic, or two."""
    queries = {short_name(query): query for query in library()}
    placed = [name for names in TOPICS.values() for name in names]
    if sorted(placed) != sorted(queries):
        raise ValueError(f"give these one topic each: {sorted(set(placed) ^ set(queries)) or 'some have two'}")
    store = open_store("memory:")
    try:
        fill(store)
        return "\n".join([HEAD, *_contents(), *(part for topic in TOPICS for part in _topic(topic, queries, store))])
    finally:
        store.close()


def _contents() -> Iterator[str]:
    for topic, names in TOPICS.items():
        yield f"- [{topic}](#{topic.lower().replace(',', '').replace(' ', '-')}): {', '.join(f'`{name}`' for name in names)}"
    yield ""


def _topic(topic: str, queries: Mapping[str, Query], store: Store) -> Iterator[str]:
    yield f"## {topic}\n"
    if topic in NOTES:
        yield NOTES[topic].lstrip("\n")
    for name in TOPICS[topic]:
        yield from _query(queries[name], store)


def _query(query: Query, store: Store) -> Iterator[str]:
    yield f"### {short_name(query)}\n\n{query.purpose}\n"
    if query.parameters:
        yield "Parameters: " + ", ".join(_parameter(*parameter) for parameter in query.parameters) + ".\n"
    statement = [line for line in query.text("").splitlines() if not line.startswith("//")]
    yield "\n".join(["```cypher", *statement, "```", ""])
    values = given(query)
    rows = store.read(query, **values)
    yield f"{_example(query, values)}\n"
    yield "\n".join(_table(columns(query), rows)) + "\n"


def _parameter(name: str, default: str | None) -> str:
    return f"`{name}`" if default is None else f"`{name}` (unless given: {default or 'empty'})"


def _example(query: Query, values: Mapping[str, Any]) -> str:
    """The example's own parameters; one at its default is not said."""
    defaults = {name: json.loads(default or '""') for name, default in query.parameters if default is not None}
    told = [f"{name} = {json.dumps(value)}" for name, value in values.items() if defaults.get(name) != value]
    return f"For example, with `{', '.join(_cut(part) for part in told)}`:" if told else "For example:"


def _table(names: tuple[str, ...], rows: list[dict[str, Any]]) -> Iterator[str]:
    if not rows:
        yield "no rows: nothing in the example is like that. Columns: " + ", ".join(f"`{name}`" for name in names) + "."
        return
    yield f"| {' | '.join(names)} |"
    yield "|" + "---|" * len(names)
    for row in rows[:SHOWN]:
        yield f"| {' | '.join(_cell(name, row[name]) for name in names)} |"
    if len(rows) > SHOWN:
        yield f"\nand {len(rows) - SHOWN} more."


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if name == "score":
        return "..."  # each engine's own
    text = f"{value:.2f}" if isinstance(value, float) else value if isinstance(value, str) else json.dumps(value)
    return _cut(text).replace("|", "\\|").replace("<", "&lt;")


def _cut(text: str) -> str:
    short = re.sub(rf"\b([a-z]+:[0-9a-f]{{{DIGITS}}})[0-9a-f]{{{32 - DIGITS}}}\b", r"\1…", text)
    return short if len(short) <= LONGEST else short[: LONGEST - 1] + "…"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
