"""A workflow held against demonstrations: how many of their acts it offers, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.model.frontier import Run
from graphmem.model.workflow import Value, Workflow
from graphmem_induction.programs.examples import Demonstration, done_as


@dataclass(frozen=True)
class Explained:
    """``acts``: how many from the start were offered before one was not; ``whole``: all, and nothing was left to do.
    ``path``: for each act the keys from the workflow to the action."""

    acts: int
    whole: bool
    path: tuple[tuple[str, ...], ...]


def explains(workflow: Workflow, values: dict[str, Value], shown: Demonstration) -> Explained:
    run = Run(workflow, values)
    path: list[tuple[str, ...]] = []
    for scene, act in zip(shown.scenes, shown.acts, strict=False):
        offers = run.offers(scene)
        same = (o for o in offers if (o.step.action.op, o.index) == (act.op, act.index))
        found = next((o for o in same if act.is_value(o.step.value)), None)
        if found is None or not _all_done(
            shown, len(path), [(o.step.action.op, o.index, o.step.value) for o in offers]
        ):
            return Explained(len(path), False, tuple(path))
        run.did(found, scene)
        path.append(found.step.path)
    ended = len(shown.scenes) <= len(shown.acts) or not run.offers(shown.scenes[len(shown.acts)])
    return Explained(len(path), ended, tuple(path))


def _all_done(shown: Demonstration, at: int, offers: Sequence[tuple[str, int, str]]) -> bool:
    """Of several acts that are offered each must be done from here on: a set is free in its order only."""
    if len(offers) < 2:
        return True
    later = set(shown.done[at:])
    scene = shown.scenes[at]
    return all(done_as(op, scene, n, value) in later for op, n, value in offers)
