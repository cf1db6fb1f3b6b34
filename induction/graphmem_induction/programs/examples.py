"""A recording as the states that a program is learned from: what was said, each page, and what was done on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from graphmem.model.selection import Scene, identity_of, remembered


@dataclass(frozen=True)
class Act:
    """What was done: on the element with that index of the page's sketch (-1: on none), with what value. ``begun``: what
    was typed was only looked up and replaced by a suggestion, so that a longer text would have done as well."""

    op: str
    index: int
    value: str = ""
    begun: bool = False

    def is_value(self, value: str) -> bool:
        mine, other = self.value.casefold(), value.casefold()
        return mine == other or (self.begun and bool(mine) and other.startswith(mine))


def done_as(op: str, scene: Scene, index: int, value: str) -> tuple[str, tuple[object, ...]]:
    """What an act is remembered by: a choice from a list together with what was chosen, so that several can be."""
    return remembered(op, identity_of(scene, index) if index >= 0 else (), value)


@dataclass(frozen=True)
class Demonstration:
    """``scenes``: the page before each act; one more where the page after the last act is known."""

    text: str
    scenes: tuple[Scene, ...]
    acts: tuple[Act, ...]

    @cached_property
    def done(self) -> tuple[tuple[str, tuple[object, ...]], ...]:
        """What each act is remembered by."""
        return tuple(
            done_as(act.op, scene, act.index, act.value) for scene, act in zip(self.scenes, self.acts, strict=False)
        )


@dataclass(frozen=True)
class State:
    """The moment before act ``at`` of demonstration ``of``; after the last act ``act`` is None."""

    of: int
    at: int
    scene: Scene
    act: Act | None


def states_of(demonstrations: Sequence[Demonstration]) -> tuple[State, ...]:
    found = []
    for n, shown in enumerate(demonstrations):
        for at, (scene, act) in enumerate(zip(shown.scenes, (*shown.acts, None), strict=False)):
            found.append(State(n, at, scene, act))
    return tuple(found)
