"""MiniWoB++ demonstrations as people's clicks were recorded: ``{taskName, utterance, reward, rawReward, states}``.

A state is ``{time, action, dom}``: the whole page and the event on it. How events become acts is in ``miniwob_acts``, how
pages are read in ``miniwob_dom``, how acts become steps in ``miniwob_steps``. A demonstration is one of Liu et al. 2018
(Reinforcement Learning on Web Interfaces using Workflow-Guided Exploration).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphmem.importers.miniwob_acts import acts_of
from graphmem.importers.miniwob_steps import record_of, task_of_file
from graphmem.importers.records import Record, Wrong, inside, records
from graphmem.importers.schema import faults
from graphmem.importers.shape import keys_of
from graphmem.importers.source import Refusal, Source
from graphmem.model.secrets import mask
from graphmem.model.trajectory import Trajectory, trajectory_from_json, with_run_id

#: Of an event, what says when and what kind, and nothing of what was typed.
_HASHED = ("type", "timing", "x", "y")


class MiniWobImporter:
    name = "miniwob"

    def sniff(self, head: bytes, name: str) -> float:
        keys = keys_of(head)
        if {"utterance", "states"} <= keys or {"recordingTarget", "dom"} <= keys:
            return 0.95
        # ``states`` may come first and fill all of the head.
        return 0.9 if {"states", "dom", "ref", "children"} <= keys else 0.0

    def read(self, source: Source) -> Iterator[Trajectory | Refusal]:
        for record in records(source):
            yield record if isinstance(record, Refusal) else _one(source, record)


def _one(source: Source, record: Record) -> Trajectory | Refusal:
    try:
        return _trajectory(source, record.value)
    except Wrong as error:
        return Refusal(source.name, record.place, str(error))
    except RecursionError:
        return Refusal(source.name, record.place, "has a page state that is nested too deep.")


def _trajectory(source: Source, raw: Any) -> Trajectory:
    if not isinstance(raw, dict) or "utterance" not in raw:
        raise Wrong("is JSON, but not a MiniWoB++ demonstration: it has no utterance.")
    states = raw.get("states")
    if not isinstance(states, list) or not states:
        raise Wrong("has a reward but no states: what was done is not in it.")
    named = raw.get("taskName")
    task = named if isinstance(named, str) and named else task_of_file(source.file)
    if not task:
        raise Wrong("names no task, and neither does the file's name.")
    record = record_of(
        task=task,
        utterance=raw["utterance"],
        fields=raw.get("fields"),
        raw_reward=raw.get("rawReward"),
        reward=raw.get("reward"),
        acts=acts_of(states),
        source={"file": source.file},
    )
    if found := faults(record):
        raise Wrong(inside(*(f"{place} {reason}".strip() for place, reason in found)))
    vault = mask(record)
    return with_run_id(trajectory_from_json(record), vault.scrub(_told(raw, states)))


def _told(raw: dict[str, Any], states: list[Any]) -> dict[str, Any]:
    """What makes a demonstration one of its own, without pages and keys: a password typed must not be in any hash."""
    events = [[s.get("time"), *((s.get("action") or {}).get(key) for key in _HASHED)] for s in states]
    return {key: value for key, value in raw.items() if key != "states"} | {"events": events}
