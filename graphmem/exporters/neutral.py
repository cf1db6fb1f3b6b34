"""Recordings as JSON Lines in the neutral format, one a line, in the order of site and key: what it writes reads back.

The outcome that is written is the effective one: a recording that was judged otherwise since is written with that verdict
and without its reward, so that another store learns the same from it. Its key stays, as no outcome is part of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from graphmem.model.trajectory import Trajectory, trajectory_to_json
from graphmem.store.protocol import Store
from graphmem.store.recordings import Recording, load, sites


class NeutralExporter:
    name = "jsonl"

    def export(self, store: Store, /, *, site: str | None = None) -> Iterator[str]:
        """One line at a time, of one site or of all; a recording that touches several sites is written once."""
        for each in [site] if site else sites(store):
            for recording in load(store, each):
                if site or recording.trajectory.sites[0] == each:
                    document = trajectory_to_json(judged(recording))
                    yield json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def judged(recording: Recording) -> Trajectory:
    """The trajectory with its effective verdict as outcome."""
    if recording.judged == recording.trajectory.verdict:
        return recording.trajectory
    return replace(recording.trajectory, outcome=recording.judged, reward=None)
