"""Seconds of each stage of induction: every function that ``site`` and ``site_graph`` take from another file of the
inducer is a stage of that file's name, timed without the stages that it calls. What is added to the pipeline is timed
without being named here."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from inspect import isfunction
from typing import Any
from unittest.mock import patch

from benchmarks import cost_corpus
from graphmem.store import derived, open_store, recordings
from graphmem_induction import learn, site, site_graph
from graphmem_induction.graph_inducer import GraphInducer

BATCH = 200
_PACKAGE = "graphmem_induction."


class Clock:
    """Time by stage; while one stage calls another, only the inner one's runs."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._running: list[str] = []
        self._since = time.perf_counter()

    def timed(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(work)
        def call(*arguments: Any, **named: Any) -> Any:
            self._turn(lambda: self._running.append(name))
            try:
                return work(*arguments, **named)
            finally:
                self._turn(self._running.pop)

        return call

    def _turn(self, change: Callable[[], Any]) -> None:
        now = time.perf_counter()
        if self._running:
            self.seconds[self._running[-1]] += now - self._since
        self._since = now
        change()


@contextmanager
def watched(clock: Clock) -> Iterator[None]:
    """All stages timed by ``clock`` while the block lasts."""
    with ExitStack() as stack:
        for module in (site, site_graph):
            for name, work in vars(module).copy().items():
                if isfunction(work) and work.__module__.startswith(_PACKAGE) and work.__module__ != module.__name__:
                    stage = work.__module__.removeprefix(_PACKAGE)
                    stack.enter_context(patch.object(module, name, clock.timed(stage, work)))
        for owner, name, stage in (
            (recordings, "load", "read"),
            (derived, "replace_sites", "write"),
            (learn, "_general", "general"),
            (GraphInducer, "induce", "other"),
            (site_graph.SiteGraph, "build", "site_graph"),
        ):
            stack.enter_context(patch.object(owner, name, clock.timed(stage, getattr(owner, name))))
        yield


def stages(seed: int, count: int) -> dict[str, float]:
    """One site of ``count`` recordings, saved and induced from nothing."""
    clock, store = Clock(), open_store("memory:", environ={})
    try:
        site = cost_corpus.Site(seed, 0)
        for start in range(0, count, BATCH):
            recordings.save(store, [site.recording(n) for n in range(start, min(start + BATCH, count))])
        with watched(clock):
            learn.induce(store, workers=1)
    finally:
        store.close()
    return {f"stage_{name} seconds": seconds for name, seconds in sorted(clock.seconds.items())}
