"""What became of what: an old key or name leads to the nodes that the same steps belong to now."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "induction"))

from worked_example import R1, R2, R3

from graphmem import Memory
from graphmem.errors import NotFound
from graphmem.memory.finding import find
from graphmem.model.trajectory import Trajectory
from graphmem.store import Store, derived, recordings
from graphmem.store.verify import verify
from graphmem_induction.learn import induce


def learn(store: Store, *trajectories: Trajectory) -> dict[str, str]:
    """Name -> key of the site's tasks and subtasks after learning."""
    recordings.save(store, trajectories)
    induce(store)
    nodes = derived.read_site(store, "air.test").nodes
    return {n.properties["name"]: n.key for n in nodes if n.label in ("Task", "Subtask")}


def test_a_key_that_went_leads_to_what_took_its_place(store: Store) -> None:
    before = learn(store, R1)
    after = learn(store, R2, R3)
    task = "Find a flight from {from} to {to} on {date}"
    assert find(store, before[task]).key == after[task]
    old = next(key for name, key in before.items() if name.startswith("Search flights"))
    new = next(key for name, key in after.items() if name.startswith("Search flights") and "then" not in name)
    assert old != new
    assert find(store, old).key == new
    assert find(store, old[:20]).key == new
    assert verify(store)["ok"]


def test_the_way_is_followed_over_several_revisions(store: Store) -> None:
    first = learn(store, R1)
    learn(store, R2)
    last = learn(store, R3)
    old = next(key for name, key in first.items() if name.startswith("Search flights"))
    new = next(key for name, key in last.items() if name.startswith("Search flights") and "then" not in name)
    assert find(store, old).key == new


def test_a_key_that_never_was_is_not_found(store: Store) -> None:
    learn(store, R1)
    learn(store, R2)
    with pytest.raises(NotFound):
        find(store, "subtask:0123456789abcdef0123456789abcdef")


def test_learning_nothing_new_makes_no_revision(store: Store) -> None:
    learn(store, R1)
    count = "MATCH (r:Revision) RETURN count(r) AS n"
    before = store.console(count, {}).rows
    learn(store, R1)
    induce(store, everything=True)
    assert store.console(count, {}).rows == before


def test_show_takes_an_old_key() -> None:
    with Memory.open("memory:") as memory:
        memory.learn(R1)
        old = memory.workflows()[0]["key"]
        memory.learn(R2)
        assert memory.show(old)["label"] == "Task"
