"""Recordings in: read, stored in batches, induced.

Each batch is one transaction, and each site is induced in one: so at whatever point the process dies, the store holds whole
batches and whole sites, and learning the same again ends in the same graph. Nothing but the batch at hand is in memory.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from graphmem.errors import UsageError
from graphmem.importers.source import Refusal
from graphmem.model.secrets import masked
from graphmem.model.trajectory import Page, Trajectory, trajectory_to_json, with_run_id
from graphmem.store import recordings
from graphmem.store.protocol import Store

if TYPE_CHECKING:
    from graphmem_induction.learn import Induced

#: A batch ends at so many recordings, or at so much of what pages showed, whichever comes first.
BATCH = 200
WEIGHT = 20_000

#: The stage, how much of it is done, how much there is (0: not known).
Progress: TypeAlias = Callable[[str, int, int], None]
Recordings: TypeAlias = str | os.PathLike[str] | Trajectory | Iterable[str | os.PathLike[str] | Trajectory]

#: The name in a report -> the label that it counts.
COUNTED = {"tasks": "Task", "subtasks": "Subtask", "actions": "Action"}


@dataclass(frozen=True)
class LearnReport:
    """What came of ``learn`` or ``import_``. ``read`` = ``learned`` + ``already_known`` + refused."""

    read: int = 0
    learned: int = 0
    already_known: int = 0
    refused: tuple[Refusal, ...] = ()
    added: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))
    merged: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTED, 0))
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """``graphmem.learn/1``."""
        refused = [refusal.to_json() for refusal in self.refused]
        return {
            "schema": "graphmem.learn/1",
            "read": self.read,
            "learned": self.learned,
            "already_known": self.already_known,
            "refused": refused,
            "added": dict(self.added),
            "merged": dict(self.merged),
            "seconds": round(self.seconds, 3),
        }


def ignore(stage: str, done: int, total: int) -> None:
    """The progress of who does not look."""


def store_recordings(
    store: Store,
    given: Recordings,
    *,
    format: str | None = None,
    site: str | None = None,
    progress: Progress = ignore,
) -> LearnReport:
    """Read and store, without inducing. What cannot be read is in the report, not raised."""
    started = time.monotonic()
    refused: list[Refusal] = []
    seen = learned = 0
    at = stamp()
    for batch in _batches(_accepted(_items(given, format, site, progress), refused)):
        learned += len(recordings.save(store, batch, learned=at))
        seen += len(batch)
        progress("Storing recordings", seen, 0)
        store.release()
    return LearnReport(
        read=seen + len(refused),
        learned=learned,
        already_known=seen - learned,
        refused=tuple(refused),
        seconds=time.monotonic() - started,
    )


def stamp() -> str:
    """The time for what people do: ISO 8601, UTC, so fine that of two acts the later one is known."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def induce(
    store: Store,
    *,
    inducer: str | None = None,
    everything: bool = False,
    workers: int | None = None,
    progress: Progress = ignore,
) -> Induced:
    """Derive the graph of every site whose recordings changed since it was last derived, and then the general layer."""
    from graphmem_induction.learn import induce as derive

    def told(site: str, done: int, total: int) -> None:
        progress("Finding workflows", done, total)

    return derive(store, inducer=inducer, everything=everything, progress=told, workers=workers)


def learn(
    store: Store,
    given: Recordings,
    *,
    format: str | None = None,
    site: str | None = None,
    inducer: str | None = None,
    workers: int | None = None,
    progress: Progress = ignore,
) -> LearnReport:
    """Store, then induce. Sites that an earlier, interrupted learning left behind are induced too."""
    if inducer is not None:
        from graphmem_induction.learn import inducer_named

        inducer_named(inducer)  # a name that is wrong is better told before anything is read
    started = time.monotonic()
    report = store_recordings(store, given, format=format, site=site, progress=progress)
    induced = induce(store, inducer=inducer, workers=workers, progress=progress)
    return replace(
        report, added=counts(induced.added), merged=counts(induced.merged), seconds=time.monotonic() - started
    )


def counts(numbers: Mapping[str, int]) -> dict[str, int]:
    """Tasks, subtasks and actions out of counts by label or by these names."""
    return {name: numbers.get(label, numbers.get(name, 0)) for name, label in COUNTED.items()}


def _items(
    given: Recordings, format: str | None, site: str | None, progress: Progress
) -> Iterator[Trajectory | Refusal]:
    from graphmem.importers import read  # every importer comes with it

    def told(done: int, total: int, file: str) -> None:
        progress("Reading files", done, total)

    for kind, group in groupby(_each(given), key=_kind):
        if kind is Trajectory:
            values = cast("Iterator[Trajectory]", group)
            yield from (
                with_run_id(v, trajectory_to_json(v)) for v in (masked(replace(v, site=site or v.site)) for v in values)
            )
        else:
            paths = [os.fspath(cast("str | os.PathLike[str]", path)) for path in group]
            yield from read(paths, format=format, site=site, on_progress=told)


def _each(given: Recordings) -> Iterable[str | os.PathLike[str] | Trajectory]:
    return [given] if isinstance(given, str | os.PathLike | Trajectory) else given


def _kind(item: object) -> type:
    for kind in (Trajectory, str, os.PathLike):
        if isinstance(item, kind):
            return Trajectory if kind is Trajectory else str
    raise UsageError(f"{type(item).__name__} is no recording.", hint="Give paths or Trajectory values.")


def _accepted(items: Iterable[Trajectory | Refusal], refused: list[Refusal]) -> Iterator[Trajectory]:
    for item in items:
        if isinstance(item, Refusal):
            refused.append(item)
        else:
            yield item


def _batches(trajectories: Iterable[Trajectory]) -> Iterator[list[Trajectory]]:
    batch: list[Trajectory] = []
    weight = 0
    for trajectory in trajectories:
        batch.append(trajectory)
        weight += _weight(trajectory)
        if len(batch) >= BATCH or weight >= WEIGHT:
            yield batch
            batch, weight = [], 0
    if batch:
        yield batch


def _weight(trajectory: Trajectory) -> int:
    return sum(1 + _seen(step.page) + _seen(step.after) for step in trajectory.steps)


def _seen(page: Page | None) -> int:
    # A screenshot may be a file name or the picture itself.
    return len(page.sketch) + len(page.screenshot) // 1000 if page else 0
