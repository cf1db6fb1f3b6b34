"""Sites spread over processes: the same graph, errors told, nothing started where there is little to do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from graphs import comparable

from benchmarks import cost_corpus
from graphmem.errors import UsageError
from graphmem.store import derived, open_store, recordings
from graphmem_induction import learn, spread
from graphmem_induction.learn import induce

SITES, EACH = 3, 6


def _graphs(workers: int | None) -> dict[str, object]:
    store = open_store("memory:")
    try:
        recordings.save(store, list(cost_corpus.trajectories(7, SITES, EACH)))
        induce(store, workers=workers)
        found = derived.read_sites(store, recordings.sites(store)) | {"": derived.read_general(store)}
        return {owner: comparable(graph) for owner, graph in found.items()}
    finally:
        store.close()


def test_two_processes_give_the_graph_that_one_gives() -> None:
    assert _graphs(2) == _graphs(1)


def _fails(item: int) -> int:
    raise ValueError(f"no {item}")


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_in_a_worker_is_raised_where_the_work_was_asked_for(workers: int) -> None:
    with pytest.raises(ValueError, match="no 3"):
        list(spread.spread(_fails, [[3]], workers))


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_batch_by_batch_in_the_order_of_the_items(workers: int) -> None:
    assert list(spread.spread(abs, [[-1, -2], [-3]], workers)) == [[1, 2], [3]]


def test_no_more_than_two_batches_are_in_memory() -> None:
    asked: list[int] = []

    def batches() -> Iterator[list[int]]:
        for n in range(6):
            asked.append(n)
            yield [n]

    found = spread.spread(abs, batches(), 2)
    for handled in range(1, 4):
        next(found)
        assert len(asked) <= handled + 1
    found.close()  # type: ignore[attr-defined]


def test_little_is_worked_out_without_starting_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[int] = []

    def watched(work, batches, workers):  # type: ignore[no-untyped-def]
        used.append(workers)
        return spread.spread(work, batches, 1)

    monkeypatch.delenv(spread.VARIABLE, raising=False)
    monkeypatch.setattr(learn, "spread", watched)
    monkeypatch.setattr(learn, "cores", lambda: 8)
    _graphs(None)
    monkeypatch.setattr(learn, "WORTH_IT", SITES * EACH)
    _graphs(None)
    monkeypatch.setenv(spread.VARIABLE, "2")
    _graphs(None)
    assert used == [1, SITES, 2]


@pytest.mark.parametrize("said", ["0", "-1", "many"])
def test_a_number_of_workers_that_is_none_is_refused(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(spread.VARIABLE, said)
    with pytest.raises(UsageError, match="no number of workers"):
        spread.workers_wanted(None)
    assert spread.workers_wanted(3) == 3
