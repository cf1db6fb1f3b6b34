"""The cost benchmark: its corpus follows from the seed alone, its clock counts every moment once, its parts give figures."""

from __future__ import annotations

import time
from pathlib import Path

from benchmarks import cost, cost_corpus, cost_stages


def test_the_same_seed_gives_the_same_recordings_and_another_gives_others() -> None:
    once = [t.key for t in cost_corpus.trajectories(1, 2, 4)]
    assert once == [t.key for t in cost_corpus.trajectories(1, 2, 4)]
    assert not set(once) & {t.key for t in cost_corpus.trajectories(2, 2, 4)}
    assert len(set(once)) == 8


def test_recordings_counted_further_are_new_ones_of_the_same_tasks() -> None:
    first = list(cost_corpus.trajectories(1, 1, 40))
    later = list(cost_corpus.trajectories(1, 1, 40, first=40))
    assert not {t.key for t in first} & {t.key for t in later}
    nouns = set(cost_corpus.Site(1, 0).nouns)
    assert {w for t in first for w in t.task.split()} & nouns == {w for t in later for w in t.task.split()} & nouns


def test_every_step_has_its_page_and_the_pages_have_many_elements() -> None:
    for step in next(cost_corpus.trajectories(1, 1, 1)).steps:
        assert step.page is not None
        assert len(step.page.sketch) + 1 >= cost_corpus.ON_A_PAGE
        assert step.target is None or step.target in step.page.sketch


def test_time_inside_an_inner_stage_is_not_that_of_the_outer_one() -> None:
    clock = cost_stages.Clock()
    inner = clock.timed("inner", lambda: time.sleep(0.05))
    clock.timed("outer", inner)()
    assert clock.seconds["inner"] >= 0.05
    assert clock.seconds["outer"] < 0.05


def test_stages_are_found_without_being_named() -> None:
    found = cost_stages.stages(1, 12)
    assert {"stage_read seconds", "stage_write seconds", "stage_clean seconds", "stage_trace seconds"} <= set(found)
    assert all(seconds >= 0 for seconds in found.values())


def test_everything_and_one_more_give_their_figures(tmp_path: Path) -> None:
    found = cost.everything(tmp_path, 1, 2, 4)
    assert {f"{part} {what}" for part in ("save", "induce", "all") for what in ("seconds", "cpu_seconds")} < set(found)
    more = cost.one_more(tmp_path, 1, 2, 4)
    assert more["one_more written"] > 0
    assert more["one_more worst"] >= more["one_more seconds"] > 0
