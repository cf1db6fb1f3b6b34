"""The neutral format (``graphmem.trajectory/1``): JSON Lines, a list, or one object; plain or gzip.

What a record means is in ``schema``. Here it is masked, given a site where it names none, and made a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from graphmem.importers.places import with_sites
from graphmem.importers.records import Record, inside, records
from graphmem.importers.schema import faults
from graphmem.importers.shape import keys_of
from graphmem.importers.source import Refusal, Source
from graphmem.model.secrets import mask
from graphmem.model.trajectory import Trajectory, trajectory_from_json, with_run_id

_SCHEMA = re.compile(rb'"schema"\s*:\s*"graphmem\.trajectory/')


class NeutralImporter:
    name = "jsonl"

    def sniff(self, head: bytes, name: str) -> float:
        if _SCHEMA.search(head):
            return 1.0
        keys = keys_of(head)
        if "steps" not in keys or not keys & {"task", "title"}:
            return 0.0
        # With a task it is ours even where every ``op`` is missing or misspelt, so that the refusal can say so.
        return 0.9 if "op" in keys else 0.6 if "task" in keys else 0.5 if "type" not in keys else 0.0

    def read(self, source: Source) -> Iterator[Trajectory | Refusal]:
        for record in records(source):
            yield record if isinstance(record, Refusal) else self._one(source.name, record)

    def _one(self, file: str, record: Record) -> Trajectory | Refusal:
        value = record.value
        if not isinstance(value, dict):
            return Refusal(file, record.place, "is JSON, but not an object.")
        found = faults(value)
        if found:
            reasons = (f"{place}: {reason}" if place and i else reason for i, (place, reason) in enumerate(found))
            return Refusal(file, inside(record.place, found[0][0]), " Also ".join(reasons))
        return trajectory_of(value)


def trajectory_of(record: dict[str, Any]) -> Trajectory:
    """The value of a valid record in the neutral form. The record is masked in place."""
    mask(record)
    trajectory = trajectory_from_json(with_sites(titled(record)))
    return with_run_id(trajectory, record)


def titled(record: dict[str, Any]) -> dict[str, Any]:
    """The record with a task: its title where it has none. A title beside a task is kept in ``extra``."""
    title = record.get("title")
    if not record.get("task"):
        return record | {"task": title}
    if not title or title == record["task"]:
        return record
    return record | {"extra": {"title": title} | record.get("extra", {})}
