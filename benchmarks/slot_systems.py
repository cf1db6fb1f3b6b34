"""The systems that ``benchmarks.webarena_slots`` compares: the product, and what stands beside it.

A system is given the trajectories of one site and one setting (its threshold) and says for each trajectory its group and its
slots. ``settings`` are the values that the benchmark may choose from, on sites other than the one scored.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from benchmarks.slot_measures import Span
from graphmem.model.trajectory import Trajectory
from graphmem_induction.clean import clean
from graphmem_induction.describe import describe
from graphmem_induction.slots import candidates, constants, lift, masked
from graphmem_induction.template_groups import Likeness, Told
from graphmem_induction.templates import compared, tasks, told_of


@dataclass(frozen=True)
class Found:
    """What a system says of one recording."""

    group: Hashable
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True)
class System:
    name: str
    find: Callable[[Sequence[Trajectory], float], list[Found]]
    settings: tuple[float, ...] = (0.0,)
    groups: bool = True
    slots: bool = True


def exact_masked(runs: Sequence[Trajectory], _: float) -> list[Found]:
    """One task where the instructions are equal once what the steps took, and numbers and quotes, are masked."""
    seen = [[describe(item) for item in clean(run, run.site)] for run in runs]
    fixed = constants((run.task, steps) for run, steps in zip(runs, seen, strict=True))
    found = []
    for run, steps in zip(runs, seen, strict=True):
        taken = {s.span for item in lift(run.task, steps, fixed) for _, s in item.sources if s.span is not None}
        for span in candidates(run.task):
            text = run.task[span.start : span.end]
            free = all(span.end <= other.start or other.end <= span.start for other in taken)
            if free and (any(c.isdigit() for c in text) or run.task[span.start - 1 : span.start] in ('"', "“")):
                taken.add(span)
        found.append(Found(masked(run.task, taken), tuple(sorted((s.start, s.end) for s in taken))))
    return found


def tfidf(runs: Sequence[Trajectory], threshold: float) -> list[Found]:
    """Instructions clustered by cosine of TF-IDF words, average linkage. It finds no slots."""
    from sklearn.cluster import AgglomerativeClustering
    from sklearn.feature_extraction.text import TfidfVectorizer

    if len(runs) < 2:
        return [Found(0) for _ in runs]
    vectors: Any = TfidfVectorizer().fit_transform([run.task for run in runs]).toarray()
    model = AgglomerativeClustering(
        n_clusters=None, metric="cosine", linkage="average", distance_threshold=1.0 - threshold
    )
    return [Found(int(label)) for label in model.fit_predict(vectors)]


def quotes_and_capitals(runs: Sequence[Trajectory], _: float) -> list[Found]:
    """Whatever is quoted, capitalised, a number, a date: what one instruction alone shows. It groups nothing."""
    return [Found(n, tuple(sorted((s.start, s.end) for s in candidates(run.task)))) for n, run in enumerate(runs)]


def product(runs: Sequence[Trajectory], threshold: float) -> list[Found]:
    """The templates of the induction, as it makes them for a site."""
    told, found = _told(tuple(runs))
    return [Found(task.group, task.spans) for task in tasks(told, threshold=threshold, found=found)]


@lru_cache(maxsize=64)
def _told(runs: tuple[Trajectory, ...]) -> tuple[list[Told], Likeness]:
    """What no threshold changes."""
    seen = [tuple(describe(item) for item in clean(run, run.site)) for run in runs]
    fixed = constants((run.task, steps) for run, steps in zip(runs, seen, strict=True))
    told = [told_of(run.task, lift(run.task, steps, fixed)) for run, steps in zip(runs, seen, strict=True)]
    return told, compared(told)


def grid(low: float, high: float, step: float) -> tuple[float, ...]:
    return tuple(round(low + n * step, 4) for n in range(round((high - low) / step) + 1))


SYSTEMS: tuple[System, ...] = (
    System("graph", product, grid(0.30, 0.70, 0.02)),
    System("exact masked template", exact_masked),
    System("tf-idf clusters", tfidf, grid(0.10, 0.90, 0.02), slots=False),
    System("quotes and capitals", quotes_and_capitals, groups=False),
)
