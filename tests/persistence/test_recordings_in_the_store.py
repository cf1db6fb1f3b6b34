"""Recordings on both stores: saved once, loaded as they were, judged, forgotten."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from threading import Barrier, Thread
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import worked_example as example
from support.worked_example import ALL, CLINIC, LIBRARY, R1, R2, R4, R5, R6

from graphmem.errors import NotFound, UsageError
from graphmem.model.target import Locator, Near, Target
from graphmem.model.trajectory import OPERATIONS, Page, Step, Trajectory
from graphmem.store import Store, derived, open_store, recordings
from graphmem.store.stats import stats
from graphmem.store.verify import verify

COUNTS = ("trajectories", "steps", "judgements", "sites", "domains")


def counts(store: Store) -> dict[str, int]:
    found = stats(store)
    return {name: found[name] for name in COUNTS}


def places(store: Store) -> list[tuple[str, str, str]]:
    from graphmem_queries import load

    return [(row["label"], row["name"], row["domain"] or "") for row in store.read(load("read/places"))]


def test_what_was_saved_is_loaded_as_it_was(store: Store) -> None:
    assert recordings.save(store, ALL) == sorted(t.key for t in ALL)
    loaded = recordings.load(store, LIBRARY)
    assert [r.trajectory for r in loaded] == sorted((t for t in ALL if t is not R4), key=lambda t: t.key)
    assert {r.trajectory.key: r.judged for r in loaded}[R5.key] == "failure"
    assert recordings.get(store, R2.key) == recordings.Recording(R2, "success")
    assert recordings.sites(store) == [CLINIC, LIBRARY]


def test_saving_again_adds_nothing_and_leaves_the_sites_as_fresh_as_they_were(store: Store) -> None:
    example.save(store)
    before, versions = stats(store), [derived.state(store, owner) for owner in ("", LIBRARY, CLINIC)]
    assert recordings.save(store, ALL) == []
    assert stats(store) == before
    assert [derived.state(store, owner) for owner in ("", LIBRARY, CLINIC)] == versions


def test_one_recording_twice_in_a_batch_is_saved_once(store: Store) -> None:
    assert recordings.save(store, [R1, R1]) == [R1.key]
    assert counts(store) == {"trajectories": 1, "steps": 4, "judgements": 1, "sites": 1, "domains": 1}


def test_outcome_and_source_make_no_second_recording(store: Store) -> None:
    recordings.save(store, [R1])
    assert recordings.save(store, [replace(R1, outcome="failure", source='{"file":"other.json"}')]) == []


def test_a_recording_across_sites_counts_on_each_and_its_domain_on_its_own(store: Store) -> None:
    recordings.save(store, [R6])
    assert [r.trajectory for r in recordings.load(store, CLINIC)] == [R6]
    assert [r.trajectory for r in recordings.load(store, LIBRARY)] == [R6]
    assert places(store) == [("Domain", "culture", ""), ("Site", LIBRARY, "culture"), ("Site", CLINIC, "")]


def test_the_domain_of_a_site_does_not_depend_on_the_order_of_its_recordings(store: Store) -> None:
    other = replace(R1, domain="arts", run_id="other")
    for batch in ([R1], [other]):
        recordings.save(store, batch)
    assert ("Site", LIBRARY, "arts") in places(store)
    recordings.forget(store, other.key)
    assert places(store) == [("Domain", "culture", ""), ("Site", LIBRARY, "culture")]


def test_a_site_is_stale_from_a_new_recording_until_its_graph_is_replaced(store: Store) -> None:
    recordings.save(store, [R1, R4])
    assert recordings.stale_sites(store) == [CLINIC, LIBRARY]
    state = derived.state(store, CLINIC)
    derived.replace(store, CLINIC, derived.Graph(), expect=state.version)
    assert recordings.stale_sites(store) == [LIBRARY]
    recordings.save(store, [R6])
    assert recordings.stale_sites(store) == [CLINIC, LIBRARY]


def test_a_later_judgement_holds_and_the_recorded_one_is_the_first(store: Store) -> None:
    recordings.save(store, [R1])
    assert recordings.judge(store, R1.key, "failure", by="ann", at="2026-01-01T00:00:00Z") == "failure"
    assert recordings.judge(store, R1.key, "unknown", by="ben", at="2025-01-01T00:00:00Z") == "failure"
    assert recordings.judge(store, R1.key, "success", by="ben", at="2026-01-02T00:00:00Z", reward=1.0) == "success"
    assert recordings.get(store, R1.key) == recordings.Recording(R1, "success")
    assert counts(store)["judgements"] == 4


def test_judgements_in_any_order_end_in_the_same_verdict(store: Store) -> None:
    said = [("failure", "2026-01-03"), ("success", "2026-01-02"), ("unknown", "2026-01-04")]
    recordings.save(store, [R1, R2])
    for key, order in ((R1.key, said), (R2.key, said[::-1])):
        for verdict, at in order:
            recordings.judge(store, key, verdict, by="ann", at=at)
        assert recordings.get(store, key).judged == "unknown"


def test_only_a_judgement_that_changes_the_verdict_makes_a_site_stale(store: Store) -> None:
    example.save(store)
    recordings.judge(store, R1.key, "success", by="ann", at="2026-01-01")
    assert recordings.stale_sites(store) == []
    recordings.judge(store, R1.key, "failure", by="ann", at="2026-01-02")
    assert recordings.stale_sites(store) == [LIBRARY]
    assert verify(store)["ok"]


@pytest.mark.parametrize(("verdict", "by"), [("good", "ann"), ("success", "recording")])
def test_a_judgement_that_is_none_is_refused(store: Store, verdict: str, by: str) -> None:
    recordings.save(store, [R1])
    with pytest.raises(UsageError):
        recordings.judge(store, R1.key, verdict, by=by, at="2026-01-01")
    assert counts(store)["judgements"] == 1


def test_what_is_not_there_is_not_found(store: Store) -> None:
    recordings.save(store, [R1])
    for call in (
        lambda: recordings.get(store, "trajectory:0"),
        lambda: recordings.forget(store, "trajectory:0"),
        lambda: recordings.judge(store, "trajectory:0", "success", by="ann", at=""),
    ):
        with pytest.raises(NotFound):
            call()


def test_forgetting_leaves_the_store_as_if_it_had_never_seen_the_recording(store: Store) -> None:
    recordings.save(store, [R1, R2])
    without, there = counts(store), places(store)
    recordings.save(store, [R4, R6])
    recordings.judge(store, R4.key, "failure", by="ann", at="2026-01-01")
    for key in (R4.key, R6.key):
        recordings.forget(store, key)
    assert (counts(store), places(store)) == (without, there)
    assert CLINIC in recordings.stale_sites(store)
    assert verify(store)["ok"]


def test_forgetting_everything_leaves_nothing_but_history(store: Store) -> None:
    example.save(store)
    for trajectory in ALL:
        recordings.forget(store, trajectory.key)
    for owner in (LIBRARY, CLINIC, ""):
        derived.replace(store, owner, derived.Graph(), expect=derived.state(store, owner).version)
    found = stats(store)
    assert not any(found["relationships"].values())
    # Revisions are history: they tell what went.
    assert not any(found[name] for name in found if name not in ("schema", "relationships", "revisions"))


def test_three_writers_of_the_same_recordings_end_with_one_of_each(opener: Callable[[], Store]) -> None:
    many = [replace(R1, run_id=str(number)) for number in range(30)]
    start = Barrier(3)
    new: list[str] = []

    def learner(mine: Store, order: list[Trajectory]) -> None:
        start.wait(timeout=30)
        for begin in range(0, len(order), 5):
            new.extend(recordings.save(mine, order[begin : begin + 5]))

    orders = (many, many[::-1], many[15:] + many[:15])
    threads = [Thread(target=learner, args=(opener(), order)) for order in orders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store = opener()
    assert sorted(new) == sorted(t.key for t in many)
    assert counts(store) == {"trajectories": 30, "steps": 120, "judgements": 30, "sites": 1, "domains": 1}
    assert verify(store)["ok"]


# -- any recording at all ----------------------------------------------------------------------------------------------

_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_pairs = st.dictionaries(_text, _text, max_size=2).map(lambda d: tuple(sorted(d.items())))
_target = st.builds(
    Target, _text, _text, _text, _text, _text, _text, _text, _pairs, st.builds(Near, *[_text] * 5),
    st.tuples(_text), st.tuples(_text), st.tuples(st.builds(Locator, _text, _text)),
)  # fmt: skip
_page = st.builds(Page, _text, _text, st.lists(_target, max_size=1).map(tuple), _text)
_step = st.builds(
    Step, st.sampled_from(OPERATIONS), st.none() | _target, st.none() | _target, _text, st.booleans(), _text,
    st.sampled_from(["", "a.test", "b.test"]), _text, st.none() | _page, st.none() | _page, _text,
)  # fmt: skip
_trajectory = st.builds(
    Trajectory, _text, st.lists(_step, max_size=3).map(tuple), st.sampled_from(["unknown", "a.test"]), _text,
    st.sampled_from(["success", "failure", "unknown"]), st.none() | st.floats(0, 1), _text, _text, _text,
    answer=_text, extra=_text.map(lambda text: '{"said":' + __import__("json").dumps(text, ensure_ascii=False) + "}"),
)  # fmt: skip


@pytest.fixture(scope="module")
def kept() -> Any:
    store = open_store("memory:")
    yield store
    store.close()


@settings(max_examples=40, deadline=None)
@given(trajectory=_trajectory)
def test_any_recording_comes_back_the_same(kept: Store, trajectory: Trajectory) -> None:
    recordings.save(kept, [trajectory])
    assert recordings.get(kept, trajectory.key).trajectory.steps == trajectory.steps
    assert recordings.get(kept, trajectory.key).trajectory == trajectory
    recordings.forget(kept, trajectory.key)
    assert stats(kept)["steps"] == stats(kept)["sites"] == 0
