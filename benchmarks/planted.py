"""Finding planted routines: how many exactly, how many false, how short, how fast, beside Stitch and plain n-grams.

    python -m benchmarks.planted [--seeds 1-5] [--limit 1000] [--out FILE]

Corpora by switch (planted_corpus.py) and size, 50 to 10,000 recordings; ``--limit`` is the largest size. ``on`` is
"switch/size". Each system runs in a process of its own; ``seconds`` are its CPU seconds, ``peak_mb`` the most memory that
process held above what it held before. Stitch has no control steps, and takes part up to 1,000 recordings (the first
seed alone there). ``recovered``: share of the routines done in two recordings or more; ``false``, ``fragments``: how many
a corpus; ``compression``: bits without any routine by bits with them.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from benchmarks.frame import Options, Report, run
from benchmarks.planted_corpus import SWITCHES, Corpus, Step, corpus
from benchmarks.planted_graph import graph
from benchmarks.planted_ngrams import ngrams
from benchmarks.planted_score import Found, Score, code_length, literal_length, score
from benchmarks.planted_stitch import stitch

SIZES = (50, 200, 1000, 10_000)
#: At the largest size the control steps by themselves say nothing that 1,000 recordings do not.
LARGEST = ("plain", "inside", "slots", "concatenations", "all", "independent")
STITCH_UP_TO, STITCH_ALL_SEEDS_UP_TO = 1000, 200
FLOORS = {"plain": 1.0, "inside": 1.0, "slots": 1.0, "concatenations": 1.0, "all": 0.94}

Find = Callable[[Sequence[Sequence[Step]]], Found]


@dataclass(frozen=True)
class System:
    """``transforms``: whether it sees what was done to a value, and is asked for it."""

    find: Find
    transforms: bool = False


SYSTEMS = {"graph": System(graph, transforms=True), "ngrams": System(ngrams), "stitch": System(stitch)}


@dataclass(frozen=True)
class Trial:
    """One system on one corpus."""

    found: Found
    seconds: float
    peak_mb: float


def measure(options: Options, report: Report) -> None:
    report.settings["sizes"] = sizes = [size for size in SIZES if size <= (options.limit or SIZES[-1])]
    for size in sizes:
        for switch in SWITCHES if size < SIZES[-1] else LARGEST:
            _measure(options, report, switch, size)
    for switch, floor in FLOORS.items():
        report.goal("recovered", f"{switch}/1000", floor, "issue C, floor")
        report.goal("false", f"{switch}/1000", 1.0 if floor == 1.0 else 2.0, "issue C, floor; at most")
    report.goal("recovered", "all/1000", 0.99, "issue C, goal")
    report.goal("seconds", "all/10000", 60.0, "issue C, floor; at most")


def _measure(options: Options, report: Report, switch: str, size: int) -> None:
    trials: dict[str, list[tuple[Corpus, Trial]]] = {}
    for seed in options.seeds:
        planted = corpus(switch, seed, size)
        for name in systems(switch, size, first=seed == options.seeds[0]):
            trials.setdefault(name, []).append((planted, trial(name, planted.recordings)))
    for name, tried in trials.items():
        _rows(report, name, f"{switch}/{size}", tried)


def systems(switch: str, size: int, *, first: bool) -> list[str]:
    """Who takes part."""
    stitches = not SWITCHES[switch].has_control and size <= (STITCH_UP_TO if first else STITCH_ALL_SEEDS_UP_TO)
    return [name for name in SYSTEMS if name != "stitch" or stitches]


def trial(name: str, recordings: Sequence[Sequence[Step]]) -> Trial:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
        return alone.submit(_tried, name, recordings).result()


def _tried(name: str, recordings: Sequence[Sequence[Step]]) -> Trial:
    held, begun = _peak(), time.process_time()
    found = SYSTEMS[name].find(recordings)
    return Trial(found, time.process_time() - begun, _peak() - held)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _rows(report: Report, name: str, on: str, tried: Sequence[tuple[Corpus, Trial]]) -> None:
    scores = [judged(name, planted, done.found) for planted, done in tried]
    wholes = [sum(map(len, planted.recordings)) for planted, _ in tried]
    bits = [code_length(done.found.events, planted.recordings) for planted, done in tried]
    literal = [literal_length(planted.recordings) for planted, _ in tried]
    report.add(name, "recovered", on, [[1.0] * len(s.recovered) + [0.0] * len(s.missed) for s in scores])
    report.add(name, "false", on, [float(len(s.false)) for s in scores])
    report.add(name, "fragments", on, [float(len(s.fragments)) for s in scores])
    report.add(name, "explained", on, [done.found.covered / n for (_, done), n in zip(tried, wholes, strict=True)])
    report.add(name, "bits", on, bits)
    report.add(name, "compression", on, [before / after for before, after in zip(literal, bits, strict=True)])
    report.add(name, "seconds", on, [done.seconds for _, done in tried])
    report.add(name, "peak_mb", on, [done.peak_mb for _, done in tried])


def judged(name: str, planted: Corpus, found: Found) -> Score:
    return score(found, planted.routines, planted.recoverable, transforms=SYSTEMS[name].transforms)


if __name__ == "__main__":
    run("planted", measure, about=__doc__, development="1-5")
