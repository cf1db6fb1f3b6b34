"""The laws of learning on generated corpora: two sites, recordings across both, and every way in which recordings can come.

The graph is a function of the set of recordings: order, batches, processes, history and the seed of Python's hashes leave
no trace in it.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from graphs import comparable

from benchmarks import cost_corpus
from graphmem.model.trajectory import Trajectory
from graphmem.store import Store, derived, open_store, recordings
from graphmem.store.recordings import meta_key
from graphmem.store.short import read_short
from graphmem.store.verify import verify
from graphmem_induction.graph_inducer import GraphInducer
from graphmem_induction.learn import induce, outdated

SEED, EACH, CROSSING = 11, 10, 3
ROOT = Path(__file__).resolve().parents[2]


def across(number: int) -> Trajectory:
    """A recording that goes from the first site to the second."""
    one, other = (cost_corpus.Site(SEED, n).recording(100 + number) for n in (0, 1))
    steps = (*one.steps, *(replace(step, site=other.site) for step in other.steps))
    return replace(one, task=f"{one.task}, then {other.task}", steps=steps, outcome="success")


def corpus() -> list[Trajectory]:
    alone = cost_corpus.trajectories(SEED, 2, EACH)
    return sorted([*alone, *map(across, range(CROSSING))], key=lambda trajectory: trajectory.key)


def learn(store: Store, batch: Sequence[Trajectory]) -> None:
    recordings.save(store, batch)
    induce(store, workers=1)


def graph(store: Store) -> Any:
    owners = derived.read_sites(store, recordings.sites(store)) | {"": derived.read_general(store)}
    return {owner: comparable(found) for owner, found in owners.items()}


@contextmanager
def passing() -> Iterator[Store]:
    store = open_store("memory:", environ={})
    try:
        yield store
    finally:
        store.close()


@pytest.fixture(scope="module")
def expected() -> Any:
    with passing() as store:
        learn(store, corpus())
        found = graph(store)
        assert verify(store)["faults"] == []
    assert len(found) == 3
    assert found[""][0], "the corpus has ways across sites"
    return found


@pytest.mark.parametrize("size", [1, 7])
def test_one_at_a_time_or_in_batches_in_any_order_is_all_at_once(expected: Any, size: int) -> None:
    shuffled = random.Random(size).sample(corpus(), len(corpus()))
    with passing() as store:
        for start in range(0, len(shuffled), size):
            learn(store, shuffled[start : start + size])
        assert graph(store) == expected
        assert verify(store)["faults"] == []


def test_importing_and_inducing_twice_adds_nothing(expected: Any) -> None:
    with passing() as store:
        learn(store, corpus())
        learn(store, corpus())
        again = induce(store, everything=True)
        assert [again.added, again.removed, again.merged] == [{}, {}, {}]
        assert graph(store) == expected


def test_forgetting_gives_the_graph_that_never_saw_it_even_when_it_comes_back(expected: Any) -> None:
    more = [*cost_corpus.trajectories(SEED, 2, 2, first=EACH), across(CROSSING)]
    with passing() as store:
        learn(store, [*more, *corpus()])
        for trajectory in more:
            recordings.forget(store, trajectory.key)
        # One is forgotten and learnt again before anything is induced.
        recordings.forget(store, corpus()[0].key)
        recordings.save(store, corpus()[:1])
        induce(store)
        assert graph(store) == expected
        assert verify(store)["faults"] == []


def test_what_is_kept_in_short_is_the_graph_after_all_that_can_happen_to_it() -> None:
    with passing() as store:
        for start in range(0, len(corpus()), 8):
            learn(store, corpus()[start : start + 8])
            assert_kept(store)
        recordings.forget(store, corpus()[0].key)
        assert_kept(store)
        recordings.judge(store, corpus()[1].key, "failure", by="ada", at="2027-05-03T10:00:00Z")
        induce(store)
        assert_kept(store)


def assert_kept(store: Store) -> None:
    owners = [*recordings.sites(store), ""]
    kept = read_short(store.read, [meta_key(owner) for owner in owners])
    graphs = derived.read_sites(store, owners[:-1]) | {"": derived.read_general(store)}
    for owner in owners:
        if meta_key(owner) in kept:
            assert comparable(kept[meta_key(owner)]) == comparable(graphs[owner])


def test_a_site_s_node_that_goes_and_comes_back_is_joined_to_its_general_one_again(expected: Any) -> None:
    with passing() as store:
        learn(store, corpus())
        site = recordings.sites(store)[0]
        whole = derived.read_site(store, site)
        for graph_now in (derived.Graph(), whole):  # a learner that stopped before the layer across sites, and another
            derived.replace(store, site, graph_now, expect=derived.state(store, site).version)
        induce(store)
        assert graph(store) == expected


def test_an_upgraded_inducer_is_told_apart_and_then_the_laws_hold(
    expected: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with passing() as store:
        with monkeypatch.context() as older:
            older.setattr(GraphInducer, "version", -1)
            learn(store, corpus()[:5])
            assert not outdated(store)
        assert outdated(store)
        said = verify(store, outdated=True)
        assert said["ok"]
        assert said["stale"] == ["", *recordings.sites(store)]
        learn(store, corpus())
        assert not outdated(store)
        assert graph(store) == expected


def _learn_some(folder: str, part: int) -> None:
    store = open_store(folder, environ={})
    mine = corpus()[part::2]
    for start in range(0, len(mine), 4):
        learn(store, mine[start : start + 4])
    store.close()


def test_two_processes_at_once_into_one_store_end_in_the_same_graph(expected: Any, tmp_path: Path) -> None:
    folder = str(tmp_path / "store")
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        for done in [pool.submit(_learn_some, folder, part) for part in (0, 1)]:
            done.result()
    store = open_store(folder, environ={})
    assert graph(store) == expected
    assert verify(store)["faults"] == []
    store.close()


HASHED = """
from test_laws_of_learning import digest
print(digest())
"""


def digest() -> str:
    """Of the whole graph of the corpus."""
    with passing() as store:
        learn(store, corpus())
        return hashlib.sha256(repr(sorted(graph(store).items())).encode()).hexdigest()


def test_the_seed_of_python_s_hashes_does_not_matter() -> None:
    path = os.pathsep.join([str(Path(__file__).parent), str(ROOT), *sys.path])
    found = {
        subprocess.run(
            [sys.executable, "-c", HASHED],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(found) == 1
