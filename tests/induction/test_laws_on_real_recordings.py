"""The laws of induction on real recordings: sites of Mind2Web and of WebArena, tasks of MiniWoB. They need the measuring data.

Which sites: of those with a handful of recordings the first by a hash of their name, so that nobody picked them.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable

import pytest
from graphs import comparable
from test_induction_laws import assert_expands

from benchmarks import mind2web_data, miniwob_data, webarena_data
from graphmem.model.identity import digest
from graphmem.model.trajectory import Trajectory
from graphmem.store import derived, open_store, recordings
from graphmem.store.verify import verify
from graphmem_induction.graph_inducer import GraphInducer
from graphmem_induction.learn import induce
from graphmem_induction.protocol import Evidence

pytestmark = pytest.mark.shared
INDUCER = GraphInducer()
MINIWOB = ("book-flight", "click-checkboxes", "email-inbox", "login-user", "search-engine")


def _by_site(trajectories: Iterable[Trajectory], least: int, most: int, sites: int) -> dict[str, list[Trajectory]]:
    groups: dict[str, list[Trajectory]] = defaultdict(list)
    for trajectory in trajectories:
        if len(trajectory.sites) == 1:
            groups[trajectory.site].append(trajectory)
    fit = [site for site, found in groups.items() if len(found) >= least]
    return {site: groups[site][:most] for site in sorted(fit, key=digest)[:sites]}


def _corpora() -> dict[str, list[Trajectory]]:
    demonstrations = _by_site(miniwob_data.load(tasks=MINIWOB, limit=8), 1, 40, 1)
    runs = _by_site((run.trajectory for run in webarena_data.load()), 20, 40, 2)
    return _by_site(mind2web_data.load(), 10, 30, 4) | runs | demonstrations


@pytest.fixture(scope="module")
def corpora() -> dict[str, list[Evidence]]:
    try:
        found = _corpora()
    except FileNotFoundError as missing:
        pytest.skip(f"no measuring data: {missing}")
    return {site: [Evidence(t, t.verdict) for t in each] for site, each in found.items()}


def test_the_order_of_real_recordings_does_not_matter(corpora: dict[str, list[Evidence]]) -> None:
    for site, corpus in corpora.items():
        shuffled = random.Random(site).sample(corpus, len(corpus))
        assert comparable(INDUCER.induce(site, shuffled)) == comparable(INDUCER.induce(site, corpus)), site


def test_expanding_gives_every_real_recording_back(corpora: dict[str, list[Evidence]]) -> None:
    for site, corpus in corpora.items():
        graph = INDUCER.induce(site, corpus)
        used = {link.start for link in graph.relationships if link.kind[1] == "USES"}
        for evidence in corpus:
            if evidence.trajectory.key in used:
                assert_expands(graph, evidence, site)


def test_real_recordings_one_at_a_time_are_as_all_at_once(corpora: dict[str, list[Evidence]]) -> None:
    for site, corpus in list(corpora.items())[:1]:
        store = open_store("memory:", environ={})
        try:
            for evidence in corpus[:12]:
                recordings.save(store, [evidence.trajectory])
                induce(store, workers=1)
            assert comparable(derived.read_site(store, site)) == comparable(_stored(site, corpus[:12]))
            assert verify(store)["faults"] == []
        finally:
            store.close()


def _stored(site: str, corpus: list[Evidence]) -> derived.Graph:
    store = open_store("memory:", environ={})
    try:
        recordings.save(store, [evidence.trajectory for evidence in corpus])
        induce(store, workers=1)
        return derived.read_site(store, site)
    finally:
        store.close()
