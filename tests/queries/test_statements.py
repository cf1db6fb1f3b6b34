"""Every statement of ``queries/read`` and ``queries/write``: its head is right, it runs on both stores, and both give the
same rows on one graph."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.asked import fill, given
from support.worked_example import CLINIC, LIBRARY, R1

from graphmem.model.graph import LABELS, SCHEMA, Graph, Node, Relationship
from graphmem.store import Store, derived, open_store, recordings, rows
from graphmem.store.protocol import Row, Transaction
from graphmem_queries import Query, load, names

READ, WRITE = names("read"), names("write")
FOR_USERS = [name for name in READ if not load(name).purpose.startswith("Internal:")]

#: These look for what should not be there, or is not in this graph.
EMPTY = {
    "read/last_judged", "read/lone_derived", "read/lone_judgements", "read/lone_steps", "read/lone_trajectories",
    "read/recordings_not_explained", "read/stale_metas", "read/steps_not_explained",
}  # fmt: skip
#: These order by a score, which no two engines count alike.
SCORED = {name for name in READ if "score" in load(name).text("")}
#: The last column of an order, where it is not called a key and yet no two rows share it.
UNIQUE = ("label", "type", "target", "domain", "general", "subtask")


UNSHARED = ("created", "updated", "score")


def plain(value: Any) -> Any:
    """Rows without what no two stores share: the times of writing, and what an engine's index scores."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items() if name not in UNSHARED}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


# -- heads -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", READ + WRITE)
def test_a_file_says_what_it_is_for_and_names_its_parameters(name: str) -> None:
    query = load(name)
    text = query.text("")
    first, second = text.splitlines()[:2]
    assert re.fullmatch(r"// \S.{10,}", first)
    assert second.startswith("// Parameters: ")
    assert {name for name, _ in query.parameters} == set(re.findall(r"\$(\w+)", text))
    assert text.endswith("\n")
    assert max(map(len, text.splitlines())) <= 160


@pytest.mark.parametrize("name", READ)
def test_rows_are_named_and_their_order_ends_in_a_key(name: str) -> None:
    text = " ".join(load(name).text("").split())
    returned, ordered = re.fullmatch(r".*\bRETURN (.*) ORDER BY (.*?)(?: LIMIT \$limit)?", text).groups()  # type: ignore[union-attr]
    last = ordered.split(",")[-1].strip()
    assert last.endswith("key") or (last in UNIQUE and name not in FOR_USERS)
    assert re.search(rf"\b{last}\b", returned)


@pytest.mark.parametrize("name", READ)
def test_no_walk_of_any_length_is_made_distinct_by_with(name: str) -> None:
    """Neo4j 5.26 prunes such a walk for each start alone and then forgets the DISTINCT of a WITH: rows come twice."""
    text = load(name).text("")
    assert not (re.search(r"\*\d*\.\.", text) and "WITH DISTINCT" in text)


def test_there_are_more_than_forty_queries_for_users_and_each_column_of_them_has_a_name() -> None:
    assert len(FOR_USERS) > 40
    for name in FOR_USERS:
        returned = load(name).text("").rpartition("RETURN ")[2].partition("\nORDER BY")[0]
        columns = re.split(r",\s+(?![^(\[{]*[)\]}])", " ".join(returned.split()))
        assert all(re.search(r" AS \w+$", column) for column in columns), (name, columns)


def test_there_is_one_file_for_each_label_and_each_kind_of_relationship() -> None:
    for label in LABELS:
        assert {f"write/put_{label.lower()}", f"write/remove_{label.lower()}"} <= set(WRITE)
    for kind in SCHEMA:
        assert {f"write/link_{rows.stem(kind)}", f"write/unlink_{rows.stem(kind)}"} <= set(WRITE)


# -- reading -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def embedded() -> Iterator[Store]:
    store = open_store("memory:")
    fill(store)
    yield store
    store.close()


@pytest.mark.parametrize("name", READ)
def test_a_read_finds_something_in_the_example(embedded: Store, name: str) -> None:
    query = load(name)
    found = embedded.read(query, **given(query))
    assert bool(found) == (name not in EMPTY)
    assert all(list(row) == list(found[0]) for row in found)


@pytest.mark.neo4j
def test_every_read_gives_the_same_rows_on_both_stores(embedded: Store, neo4j_service: Any) -> None:
    other = open_store(neo4j_service.url, environ=neo4j_service.environ())
    try:
        fill(other)
        for name in READ:
            query = load(name)
            ours, theirs = (plain(store.read(query, **given(query))) for store in (embedded, other))
            if name in SCORED:
                ours, theirs = (sorted(found, key=lambda row: str(row["key"])) for found in (ours, theirs))
            assert ours == theirs, name
    finally:
        other.close()


def columns(found: list[Row], *wanted: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in wanted) for row in found]


ANSWERS: list[tuple[str, tuple[str, ...], list[tuple[Any, ...]]]] = [
    ("all_sites", ("site", "domain", "recordings", "tasks"), [(CLINIC, "health", 2, 2), (LIBRARY, "culture", 5, 3)]),
    (
        "workflows_of_site",
        ("task", "way", "uses", "successes", "failures"),
        [
            ("Reserve the book {title}", "Reserve a book", 3, 2, 1),
            ("Renew the loans {loans}", "Renew loans", 1, 0, 0),
            (
                "Reserve the book {title}, then book a visit with {doctor}",
                "Reserve a book, then book a visit",
                1,
                1,
                0,
            ),
        ],
    ),
    ("ways_of_task", ("way", "bindings"), [("Reserve a book", '{"title":{"slot":"title"}}')]),
    ("actions_shared", ("action", "subtasks"), [("navigate", 2)]),
    ("subtasks_shared", ("subtask", "callers"), [("Book a visit", 2), ("Reserve a book", 2)]),
    ("never_used", ("subtask", "general"), [("Pick {text} in {field}", True)]),
    ("never_succeeded", ("name",), [("Renew the loans {loans}",)]),
    ("tasks_of_domain", ("site", "task"), [
        (LIBRARY, "Renew the loans {loans}"),
        (LIBRARY, "Reserve the book {title}"),
        (LIBRARY, "Reserve the book {title}, then book a visit with {doctor}"),
    ]),
    ("tasks_across_sites", ("sites",), [([CLINIC, LIBRARY],)]),
    ("general_ways", ("general", "site"), [("Pick {text} in {field}", CLINIC), ("Pick {text} in {field}", LIBRARY)]),
    ("recordings_of_task", ("instruction",), [
        ("Reserve the book Emma",), ("Reserve the book Dune",), ("Reserve the book Solaris",),
    ]),
    ("steps_of_recording", ("index", "op", "name", "value"), [
        (0, "navigate", "navigate", "https://library.test/"),
        (1, "click", "Accept cookies", ""),
        (2, "type", "Title", "Emma"),
        (3, "click", "Emma (hardcover)", ""),
        (4, "click", "Reserve", ""),
    ]),
    ("subtasks_of_recording", ("first", "last", "subtask"), [(0, 4, "Reserve a book"), (2, 3, "Pick {text} in {field}")]),
    ("judgements_of_recording", ("by", "verdict", "reward"), [("recording", "success", 1.0)]),
    ("pages_of_site", ("pattern", "steps", "led_to"), [("library.test/found", 8, 3), ("library.test/", 6, 5)]),
    ("workflows_of_domain", ("site", "way", "uses"), [
        (LIBRARY, "Reserve a book", 3), (LIBRARY, "Renew loans", 1), (LIBRARY, "Reserve a book, then book a visit", 1),
    ]),
    ("subtasks_of_site", ("subtask", "kind"), [
        ("Accept cookies", "optional"), ("Pick {text} in {field}", "sequence"), ("Renew loans", "sequence"),
        ("Reserve a book", "sequence"), ("Reserve a book, then book a visit", "sequence"), ("Tick the loans", "each"),
    ]),
    ("subtasks_sharing_actions", ("subtask", "other", "shared"), [("Renew loans", "Reserve a book", 1)]),
    ("tasks_depending_on", ("task",), [
        ("Book a visit with {doctor}",), ("Reserve the book {title}, then book a visit with {doctor}",),
        ("Reserve the book {title}",), ("Reserve the book {title}, then book a visit with {doctor}",),
    ]),
    ("control_steps", ("kind", "subtask", "spec"), [
        ("each", "Tick the loans", '{"as":"loan","over":"loans"}'),
        ("optional", "Accept cookies", '{"when":{"present":{"name":"Accept cookies","role":"button"}}}'),
    ]),
    ("conditions_of_site", ("subtask", "before", "after"), [
        ("Reserve a book", "[]", '[{"present":{"name":"Reserved","role":"status"}}]'),
    ]),
    ("what_generalises", ("label", "site"), [
        ("Subtask", CLINIC), ("Subtask", LIBRARY), ("Action", CLINIC), ("Action", LIBRARY), ("Action", CLINIC),
        ("Action", LIBRARY),
    ]),
    ("same_on_other_sites", ("site", "other_site", "theirs"), [
        (CLINIC, LIBRARY, "Pick {text} in {field}"), (LIBRARY, CLINIC, "Pick {text} in {field}"),
    ]),
    ("failing", ("name", "failures", "rate"), [("Reserve the book {title}", 1, 1 / 3)]),
    ("failed_recordings", ("instruction", "task", "reward"), [("Reserve the book Solaris", "Reserve the book {title}", 0.25)]),
    ("never_confirmed", ("name", "uses"), [("Renew the loans {loans}", 1)]),
    ("provenance_of_step", ("index", "op", "name", "page", "action", "task", "subtask"), [
        (2, "type", "Title", "library.test/", "type", "Reserve the book {title}", "Pick {text} in {field}"),
        (2, "type", "Title", "library.test/", "type", "Reserve the book {title}", "Reserve a book"),
    ]),
    ("values_of_workflow", ("bindings",), [('{"title":"Dune"}',), ('{"title":"Emma"}',), ('{"title":"Dune"}',)]),
    ("values_of_action", ("element", "value", "times"), [("Doctor", "Lee", 2), ("Title", "Dune", 2), ("Title", "Emma", 1)]),
    ("coverage_of_recording", ("steps", "explained", "coverage", "unexplained"), [(5, 5, 1.0, [])]),
    ("coverage_of_site", ("instruction", "steps", "explained"), [
        ("Reserve the book Solaris", 2, 0), ("Renew the loans 11 and 12", 4, 3), ("Reserve the book Emma", 5, 5),
        ("Reserve the book Dune, then book a visit with Lee", 8, 8), ("Reserve the book Dune", 4, 4),
    ]),
    ("links_of_page", ("op", "name", "led_to", "times"), [
        ("type", "Title", None, 3), ("click", "Dune (paperback)", "library.test/found", 2),
        ("click", "Emma (hardcover)", "library.test/found", 1),
    ]),
    ("experiences_of_page", ("experience", "action", "led_to"), [("The book is reserved", "Reserve", "library.test/found")]),
    ("changes_since", ("version", "added", "removed"), [(1, 14, 0), (100, 1, 1)]),
    ("came_since", ("version", "label", "name"), [(100, "Subtask", "Reserve a book")]),
    ("successors_of", ("site", "version"), [(LIBRARY, 100)]),
    ("similar_to", ("task",), [("Reserve the book {title}",)] * 3),
]  # fmt: skip


@pytest.mark.parametrize(("name", "wanted", "answer"), ANSWERS)
def test_a_query_for_users_answers_what_it_says(
    embedded: Store, name: str, wanted: tuple[str, ...], answer: list[tuple[Any, ...]]
) -> None:
    query = load(f"read/{name}")
    assert columns(embedded.read(query, **given(query)), *wanted) == answer


def test_the_hierarchy_of_a_task_is_walked_from_the_top_and_each_call_told_once(embedded: Store) -> None:
    query = load("read/hierarchy_of_task")
    found = embedded.read(query, task="Reserve the book {title}, then book a visit with {doctor}")
    told = [(row["parent_key"], row["index"], row["child_key"]) for row in found]
    assert len(told) == len(set(told)) == 2 + 4 + 1 + 2 + 3 + 2
    assert [row["depth"] for row in found] == sorted(row["depth"] for row in found)
    assert columns(found, "parent", "child")[:2] == [
        ("Reserve a book, then book a visit", "Reserve a book"),
        ("Reserve a book, then book a visit", "Book a visit"),
    ]


# -- writing -----------------------------------------------------------------------------------------------------------


class Watched:
    """A store that notes the names of the statements that run in its transactions."""

    def __init__(self, store: Store, ran: set[str]) -> None:
        self.read, self.vectors, self._store, self._ran = store.read, store.vectors, store, ran

    def write(self, work: Callable[[Transaction], Any]) -> Any:
        ran = self._ran

        def watched(tx: Transaction) -> Any:
            class Noting:
                def run(self, query: Query, /, **parameters: Any) -> list[Row]:
                    ran.add(query.name)
                    return tx.run(query, **parameters)

            return work(Noting())

        return self._store.write(watched)


def test_every_write_does_the_same_twice_as_once_and_is_undone_by_its_opposite(store: Store) -> None:
    ran: set[str] = set()
    watched: Any = Watched(store, ran)
    nodes = [Node(label, f"{label.lower()}:{n}", {"name": f"{label} {n}"}) for label in LABELS for n in range(2)]
    links = [_relationship(kind, n) for kind in SCHEMA for n in range(2)]
    for _ in range(2):
        watched.write(lambda tx: (rows.put(tx, nodes), rows.link(tx, links)))
        assert _counted(store) == (dict.fromkeys(LABELS, 2), len(links))
    watched.write(lambda tx: rows.unlink(tx, links[::2]))
    assert _counted(store) == (dict.fromkeys(LABELS, 2), len(links) // 2)
    watched.write(lambda tx: rows.remove(tx, nodes))
    assert _counted(store) == ({}, 0)

    fill(watched)
    recordings.judge(watched, R1.key, "failure", by="ann", at="2027-02-01")
    recordings.forget(watched, R1.key)
    meta = {"key": f"site:{CLINIC}", "properties": {"name": CLINIC}}
    watched.write(lambda tx: tx.run(load("write/put_meta"), rows=[meta]))
    derived.replace(watched, CLINIC, Graph(), expect=derived.state(store, CLINIC).version)
    assert set(WRITE) - ran == set()


def _relationship(kind: tuple[str, str, str], n: int) -> Relationship:
    properties = dict.fromkeys(SCHEMA[kind], n) | {"note": f"number {n}"}
    return Relationship(kind, f"{kind[0].lower()}:0", f"{kind[2].lower()}:{n}", properties)


def _counted(store: Store) -> tuple[dict[str, int], int]:
    labels = {row["label"]: row["n"] for row in store.read(load("read/count_nodes")) if row["label"] != "Meta"}
    return labels, sum(row["n"] for row in store.read(load("read/count_relationships")))
