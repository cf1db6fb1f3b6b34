"""What learning costs: time as recordings grow, time for one recording more, memory, and what each stage takes.

    python -m benchmarks.cost [--limit N] [--seeds 1] [--store FOLDER]

On recordings of ``cost_corpus``, in embedded stores. N is the larger store (10,000 recordings over 100 sites by default);
the smaller has a tenth of it on a tenth of the sites, and the big site a tenth of N recordings alone. Each part runs in a
process of its own, so that its memory is its own. ``on`` is the number of recordings, over how many sites:

- ``save``, ``induce``, ``all``: ``seconds`` to put all recordings in, to derive their graph, and both, in one process;
  ``cpu_seconds`` is the time of the processors, engine included, which other work on the machine disturbs less.
  ``times`` and ``cpu_times``: the larger over the smaller.
- ``one_more``: ``seconds`` to save and learn one recording, in a process that has the store open; ``worst`` of them;
  ``first``: the first one after the store was opened. ``written``: derived nodes and relationships that came, went, changed.
- ``peak_mb``: the most memory that the process ever held, engine included; ``all`` for all from nothing, ``one_more``.
- ``workers_1``, ``workers_2``: inducing the smaller store in one and in two processes; ``speed_up`` is their ratio.
- ``stage_NAME``: ``seconds`` of each stage in inducing the big site once from nothing, without the stages that it calls.

``--store`` names a folder to keep the stores in (a temporary one).
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks import cost_corpus
from benchmarks.cost_stages import stages
from benchmarks.frame import Options, Report, run
from graphmem.store import open_store, recordings
from graphmem.store.protocol import Store
from graphmem_induction.learn import Induced, induce

LARGE, SITES = 10_000, 100
#: The smaller store and the big site are this part of the larger.
PART = 10
BATCH = 200
MORE = 5
#: Recordings whose pages and graph are made up before anything is timed, so that no part pays for imports.
WARM_UP = 20

Figures = dict[str, float]


def measure(options: Options, report: Report) -> None:
    seed, large = options.seeds[0], options.limit or LARGE
    small, sites = large // PART, max(SITES * large // LARGE, PART)
    report.settings |= {"recordings": [small, large], "sites": [sites // PART, sites], "batch": BATCH, "more": MORE}
    with _folder(options.store) as folder:
        found = {}
        for count, over in ((small, sites // PART), (large, sites)):
            on = f"{count} over {over}"
            found[count] = _apart(everything, folder / str(count), seed, over, count // over)
            _add(report, on, found[count])
            _add(report, on, _apart(one_more, folder / str(count), seed, over, count // over))
        _ratios(report, f"{large} over {sites}", found[small], found[large])
        _add(report, f"{small} over 1", _apart(everything, folder / "one", seed, 1, small))
        _add(report, f"{small} over 1", _apart(one_more, folder / "one", seed, 1, small))
        _add(report, f"{small} over 1", _apart(stages, seed, small))
        workers(report, folder / "workers", seed, sites // PART, small * PART // sites)
    _goals(report, f"{large} over {sites}", f"{small} over 1")


def _goals(report: Report, large: str, one: str) -> None:
    report.goal("times", large, 13.0, "10x the recordings over 10x the sites takes at most 13x the time")
    report.goal("seconds", large, 1.0, "one_more: one recording into the larger store in under a second")
    report.goal("seconds", one, 10.0, "one_more: one recording into the big site in under ten seconds")
    report.goal("peak_times", large, 3.0, "ten times the recordings in at most three times the memory")
    report.goal("speed_up", "workers_2", 1.5, "two processes on two cores")


# -- the parts, each in a process of its own -----------------------------------------------------------------------------


def everything(folder: Path, seed: int, sites: int, each: int) -> Figures:
    """Save and induce all recordings into a new store in ``folder``."""
    _warm_up(seed)
    with _open(folder) as store:
        saved = timed(lambda: _save(store, cost_corpus.trajectories(seed, sites, each)))
        induced = timed(lambda: induce(store, workers=1))
    both = {name: saved[name] + induced[name] for name in saved}
    figures = {f"{system} {name}": value for system, part in
               (("save", saved), ("induce", induced), ("all", both)) for name, value in part.items()}  # fmt: skip
    return figures | {"all peak_mb": peak_mb()}


def one_more(folder: Path, seed: int, sites: int, each: int) -> Figures:
    """Save and induce ``MORE`` new recordings one at a time, each on another site where there are several."""
    _warm_up(seed)
    taken: list[float] = []
    used: list[float] = []
    written: list[int] = []
    with _open(folder) as store:
        for turn in range(MORE):
            site = cost_corpus.Site(seed, turn % sites)
            new = site.recording(each + turn)
            begun, counted = time.perf_counter(), time.process_time()
            recordings.save(store, [new])
            written.append(_size(induce(store)))
            taken.append(time.perf_counter() - begun)
            used.append(time.process_time() - counted)
    after = taken[1:]
    figures = {"first": taken[0], "seconds": sum(after) / len(after), "worst": max(after), "peak_mb": peak_mb()}
    figures["cpu_seconds"] = sum(used[1:]) / len(after)
    return {f"one_more {name}": value for name, value in figures.items()} | {
        "one_more written": sum(written) / len(written)
    }


def _induce_with(folder: Path, workers: int) -> Figures:
    with _open(folder) as store:
        return timed(lambda: induce(store, workers=workers)) | {"peak_mb": peak_mb()}


def _save_all(folder: Path, seed: int, sites: int, each: int) -> Figures:
    with _open(folder) as store:
        return timed(lambda: _save(store, cost_corpus.trajectories(seed, sites, each)))


def workers(report: Report, folder: Path, seed: int, sites: int, each: int) -> None:
    """The same recordings induced in one process and in two."""
    _apart(_save_all, folder / "saved", seed, sites, each)
    taken = []
    for count in (1, 2):
        copy = folder / str(count)
        shutil.copytree(folder / "saved", copy)
        figures = _apart(_induce_with, copy, count)
        taken.append(figures["seconds"])
        _add(report, f"{sites * each} over {sites}", {f"workers_{count} {k}": v for k, v in figures.items()})
    report.add_value("graph", "speed_up", "workers_2", taken[0] / taken[1])


def _warm_up(seed: int) -> None:
    with _open(None) as store:
        _save(store, cost_corpus.trajectories(seed + 1, 1, WARM_UP))
        induce(store, workers=1)


# -- figures -------------------------------------------------------------------------------------------------------------


def timed(work: Callable[[], Any]) -> Figures:
    """Seconds by the clock and of the processors, of this process and all its threads."""
    begun, used = time.perf_counter(), time.process_time()
    work()
    return {"seconds": time.perf_counter() - begun, "cpu_seconds": time.process_time() - used}


def peak_mb() -> float:
    """The most memory that this process has held at any time; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def _size(induced: Induced) -> int:
    return sum(sum(counts.values()) for counts in (induced.added, induced.removed, induced.merged))


def _ratios(report: Report, on: str, small: Figures, large: Figures) -> None:
    for system in ("save", "induce", "all"):
        report.add_value(system, "times", on, large[f"{system} seconds"] / small[f"{system} seconds"])
        report.add_value(system, "cpu_times", on, large[f"{system} cpu_seconds"] / small[f"{system} cpu_seconds"])
    if small["all peak_mb"]:
        report.add_value("all", "peak_times", on, large["all peak_mb"] / small["all peak_mb"])


def _add(report: Report, on: str, figures: Figures) -> None:
    for name, value in figures.items():
        system, _, what = name.partition(" ")
        report.add_value(system, what, on, value)


# -- stores and processes ------------------------------------------------------------------------------------------------


def _save(store: Store, trajectories: Iterable[Any]) -> None:
    """In batches, as ``learn`` does it: no more than a batch of pages is in memory."""
    given = iter(trajectories)
    while batch := list(itertools.islice(given, BATCH)):
        recordings.save(store, batch)


def _apart(work: Callable[..., Figures], *arguments: Any) -> Figures:
    """``work`` in a new process, begun from nothing."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


@contextmanager
def _open(folder: Path | None) -> Iterator[Store]:
    store = open_store(str(folder) if folder else "memory:", environ={})
    try:
        yield store
    finally:
        store.close()


@contextmanager
def _folder(named: str | None) -> Iterator[Path]:
    if named:
        os.makedirs(named, exist_ok=True)
        yield Path(named)
        return
    with tempfile.TemporaryDirectory(prefix="graphmem-cost-") as folder:
        yield Path(folder)


if __name__ == "__main__":
    run("cost", measure, about=__doc__)
