"""The derived graph on both stores: written whole, read back, replaced by its difference under a compare-and-set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from threading import Barrier, Thread
from typing import Any

import pytest
from support import worked_example as example
from support.worked_example import ALL, CLINIC, LIBRARY, R1

from graphmem.errors import StoreConflict, StoreError
from graphmem.model.graph import Graph, Node, Relationship
from graphmem.model.identity import key_of
from graphmem.store import Store, derived, recordings, rows
from graphmem.store.protocol import Row, Transaction
from graphmem.store.stats import stats
from graphmem.store.verify import verify
from graphmem_queries import Query, load

OWNERS = {LIBRARY: example.library, CLINIC: example.clinic, "": example.general}


def as_read(graph: Graph) -> tuple[dict[str, Any], dict[Any, Any]]:
    return (
        {n.key: (n.label, rows.lawful(n.properties)) for n in graph.nodes},
        {r.identity: rows.lawful(r.properties) for r in graph.relationships},
    )


def write(store: Store, owner: str, graph: Graph) -> derived.Difference:
    return derived.replace(store, owner, graph, expect=derived.state(store, owner).version)


def everything(store: Store) -> list[tuple[dict[str, Any], dict[Any, Any]]]:
    return [as_read(derived.read_site(store, site)) for site in (LIBRARY, CLINIC)] + [
        as_read(derived.read_general(store))
    ]


def test_what_was_written_is_read_back_by_its_owner(store: Store) -> None:
    example.save(store)
    for owner, graph in OWNERS.items():
        found = derived.read_site(store, owner) if owner else derived.read_general(store)
        assert as_read(found) == as_read(graph())
    assert verify(store) == {"ok": True, "checked": 218, "faults": [], "stale": []}


def test_replacing_by_the_same_writes_nothing(store: Store) -> None:
    example.save(store)
    stamps = [row["properties"]["updated"] for row in store.read(load("read/derived_subtask"), sites=[LIBRARY])]
    general = derived.state(store, "")
    for site in (LIBRARY, CLINIC):
        assert not write(store, site, OWNERS[site]())
    assert derived.state(store, "") == general
    assert [row["properties"]["updated"] for row in store.read(load("read/derived_subtask"), sites=[LIBRARY])] == stamps


class Watched:
    """A store that keeps what is written through it."""

    def __init__(self, store: Store) -> None:
        self.store, self.ran = store, list[tuple[str, Mapping[str, Any]]]()
        self.read = store.read

    def write(self, work: Callable[[Transaction], Any]) -> Any:
        def watched(tx: Transaction) -> Any:
            outer = self

            class Recording:
                def run(self, query: Query, /, **parameters: Any) -> list[Row]:
                    outer.ran.append((query.name, parameters))
                    return tx.run(query, **parameters)

            return work(Recording())

        return self.store.write(watched)


def test_only_the_difference_is_written_in_rows_sorted_by_key(store: Store) -> None:
    example.save(store)
    old = example.library()
    task = next(n for n in old.nodes if n.properties["name"] == "Renew the loans {loans}")
    action = next(n for n in old.nodes if n.label == "Action")
    nodes = [n for n in old.nodes if n is not task and n is not action]
    nodes.append(replace(action, properties={**action.properties, "uses": 99}))
    links = [r for r in old.relationships if task.key not in (r.start, r.end)]
    spare = Relationship(("Action", "NEXT", "Action"), action.key, action.key, {"count": 7})
    watched = Watched(store)
    difference = derived.replace(
        watched,
        LIBRARY,
        Graph(tuple(nodes), (*links, spare)),
        expect=derived.state(store, LIBRARY).version,  # type: ignore[arg-type]
    )
    assert difference.added == {"NEXT": 1}
    assert difference.removed == {"Task": 1, "HAS_WAY": 1, "ON": 1, "INSTANCE_OF": 1}
    assert difference.changed == {"Action": 1}
    written = [
        (name, p["rows"]) for name, p in watched.ran if name.startswith(("write/put", "write/link", "write/remove"))
    ]
    assert {(name, len(rows)) for name, rows in written} == {
        ("write/remove_task", 1), ("write/put_revision", 1), ("write/put_action", 1), ("write/link_action_next_action", 1),
    }  # fmt: skip
    assert len([name for name, _ in watched.ran if name.startswith("read/")]) <= 20


def test_rows_go_sorted_so_that_two_writers_cannot_deadlock(store: Store) -> None:
    sent: list[list[Row]] = []

    class Tx:
        def run(self, query: Query, /, **parameters: Any) -> list[Row]:
            sent.append(parameters["rows"])
            return [{"linked": len(parameters["rows"])}]

    graph = example.library()
    rows.put(Tx(), reversed(graph.nodes))
    rows.link(Tx(), reversed(graph.relationships))
    for batch in sent:
        order = [row.get("key") or (row["start"], row["end"]) for row in batch]
        assert order == sorted(order)


def test_a_changed_relationship_is_changed_in_place_and_a_lost_property_goes(store: Store) -> None:
    example.save(store)
    old = example.library()
    links = [
        replace(r, properties={"index": r.properties["index"], "bindings": '{"x":1}'})
        if r.kind[1] == "HAS_ACTION"
        else r
        for r in old.relationships
    ]
    nodes = [
        replace(n, properties={k: v for k, v in n.properties.items() if k != "title"}) if n.label == "Page" else n
        for n in old.nodes
    ]
    changed = write(store, LIBRARY, Graph(tuple(nodes), tuple(links))).changed
    assert changed == {"Page": 2, "HAS_ACTION": sum(r.kind[1] == "HAS_ACTION" for r in links)}
    assert as_read(derived.read_site(store, LIBRARY)) == as_read(Graph(tuple(nodes), tuple(links)))


def test_the_same_child_may_be_called_twice_at_two_indexes(store: Store) -> None:
    recordings.save(store, [R1])
    graph = example.library()
    call = next(r for r in graph.relationships if r.kind[1] == "HAS_ACTION")
    again = replace(call, properties={**call.properties, "index": 17})
    own = [r for r in graph.relationships if r.kind[0] not in ("Step", "Trajectory")]
    write(store, LIBRARY, Graph(graph.nodes, (*own, again)))
    found = [r for r in derived.read_site(store, LIBRARY).relationships if (r.start, r.end) == (call.start, call.end)]
    assert sorted(r.properties["index"] for r in found) == [call.properties["index"], 17]


def test_a_stale_version_is_refused_and_nothing_is_written(store: Store) -> None:
    recordings.save(store, ALL)
    version = derived.state(store, LIBRARY).version
    recordings.save(store, [replace(R1, run_id="new")])
    with pytest.raises(StoreConflict, match=r"Site library\.test is no longer at version 1"):
        derived.replace(store, LIBRARY, example.library(), expect=version)
    assert stats(store)["tasks"] == 0
    assert LIBRARY in recordings.stale_sites(store)


def test_several_sites_are_replaced_in_one_transaction_but_for_those_that_moved(store: Store) -> None:
    recordings.save(store, ALL)
    version = derived.state(store, CLINIC).version
    recordings.save(store, [replace(example.R4, run_id="new")])
    changes = [
        derived.Change(CLINIC, example.clinic(), version),
        derived.Change(LIBRARY, example.library(), derived.state(store, LIBRARY).version),
    ]
    watched = Watched(store)
    stale, written = derived.replace_sites(watched, changes)  # type: ignore[arg-type]
    assert stale is None
    assert written is not None
    assert written.added["Task"] == 2
    assert not any(name.startswith("read/derived") for name, _ in watched.ran), "there is nothing yet to be read"
    assert derived.read_sites(store, [CLINIC, LIBRARY]) == {
        CLINIC: Graph(), LIBRARY: derived.read_site(store, LIBRARY)
    }  # fmt: skip
    assert as_read(derived.read_site(store, LIBRARY)) == as_read(example.library())
    assert recordings.stale_sites(store) == [CLINIC]


def test_the_general_layer_is_replaced_alone_and_no_site_twice() -> None:
    change = derived.Change(CLINIC, Graph(), 0)
    for changes in ([change, derived.Change("", Graph(), 0)], [change, change]):
        with pytest.raises(ValueError, match="each owner is changed once"):
            derived.replace_sites(None, changes)  # type: ignore[arg-type]


def test_of_many_learners_that_read_the_same_version_one_wins(opener: Callable[[], Store]) -> None:
    recordings.save(opener(), ALL)
    for lap in range(4):
        version = derived.state(opener(), CLINIC).version
        start, won = Barrier(4), list[int]()

        def learner(
            store: Store, number: int, version: int = version, start: Barrier = start, won: list[int] = won
        ) -> None:
            start.wait(timeout=30)
            try:
                derived.replace(store, CLINIC, example.clinic() if number % 2 else Graph(), expect=version)
                won.append(number)
            except StoreConflict:
                pass

        threads = [Thread(target=learner, args=(opener(), number)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(won) == 1, lap


def test_a_relationship_without_an_end_is_an_error_and_leaves_nothing(store: Store) -> None:
    recordings.save(store, [R1])
    with pytest.raises(StoreError, match=r"relationships have no \w+ or no \w+ to join"):
        write(store, LIBRARY, example.library())  # it names recordings that were never saved
    assert stats(store)["tasks"] == stats(store)["pages"] == 0


@pytest.mark.parametrize(
    ("owner", "graph"),
    [
        (CLINIC, example.library()),
        (LIBRARY, example.general()),
        ("", example.library()),
        (LIBRARY, Graph((Node("Site", key_of("site", "x"), {"site": LIBRARY}),))),
        (LIBRARY, Graph((), (Relationship(("Action", "NEXT", "Action"), "a", "b", {"count": 1}),))),
        (LIBRARY, Graph((), (Relationship(("Site", "IN", "Domain"), "a", "b"),))),
    ],
)
def test_what_another_owner_has_is_refused(owner: str, graph: Graph) -> None:
    with pytest.raises(ValueError, match=r"is no derived node of|is not of"):
        derived.replace(None, owner, graph, expect=0)  # type: ignore[arg-type]


def test_a_change_of_a_site_makes_the_general_layer_stale_and_takes_what_hung_on_it(store: Store) -> None:
    example.save(store)
    assert not derived.state(store, "").stale
    before = derived.state(store, "").version
    write(store, CLINIC, Graph())
    assert derived.state(store, "").stale
    assert derived.state(store, "").version > before
    assert verify(store)["ok"], "general laws wait for the general layer"
    assert verify(store)["stale"] == [""]
    write(store, "", Graph())
    assert verify(store) | {"checked": 0} == {"ok": True, "checked": 0, "faults": [], "stale": []}


def test_the_order_in_which_sites_are_written_does_not_matter(store: Store) -> None:
    recordings.save(store, ALL)
    for owner in (CLINIC, LIBRARY, ""):
        write(store, owner, OWNERS[owner]())
    assert everything(store) == [as_read(graph()) for graph in OWNERS.values()]


def test_a_long_name_is_cut_and_is_no_difference(store: Store) -> None:
    recordings.save(store, ALL)
    graph = example.library()
    long = [replace(n, properties={**n.properties, "name": "word " * 100}) for n in graph.nodes]
    write(store, LIBRARY, Graph(tuple(long), graph.relationships))
    assert not write(store, LIBRARY, Graph(tuple(long), graph.relationships))
    assert max(len(n.properties["name"]) for n in derived.read_site(store, LIBRARY).nodes) == rows.NAME


def test_settings_are_kept_whole(store: Store) -> None:
    assert derived.settings(store) == {}
    derived.set_settings(store, {"inducer": "graph", "version": 1, "thresholds": {"merge": 0.5}})
    derived.set_settings(store, {"inducer": "rule", "version": 2})
    assert derived.settings(store) == {"inducer": "rule", "version": 2}
