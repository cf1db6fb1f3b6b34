"""The baseline of ``miniwob_offline``: the demonstration whose instruction is nearest, replayed as it is.

Nearest by the share of words in common; of equals the first by instruction. An element is found again by role, tag and what
it is called, the first of several.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.miniwob_offline_reader import Demonstration, Meant
from benchmarks.miniwob_offline_systems import Expected
from graphmem.model.trajectory import Page, Trajectory


class Nearest:
    """``read``: what the fixed reader made of each trajectory, by its key."""

    name = "nearest"

    def __init__(self, read: Mapping[str, Demonstration]) -> None:
        self.read = read

    def learn(self, demonstrations: Sequence[Trajectory]) -> _Known:
        return _Known([self.read[trajectory.key] for trajectory in demonstrations])


@dataclass
class _Known:
    shown: Sequence[Demonstration]

    def start(self, instruction: str) -> _Replay:
        words = _words(instruction)

        def far(shown: Demonstration) -> tuple[float, str]:
            other = _words(shown.instruction)
            return -len(words & other) / max(len(words | other), 1), shown.instruction

        return _Replay(list(min(self.shown, key=far).steps))


@dataclass
class _Replay:
    left: list[Meant]

    def next(self, page: Page) -> Sequence[Expected]:
        if not self.left:
            return ()
        step = self.left[0]
        known = step.screen.page.sketch[step.index] if step.index >= 0 else None
        if known is None:
            return (Expected(step.op, -1, step.value),)
        same = (n for n, e in enumerate(page.sketch) if (e.role, e.tag, e.called()) == (known.role, known.tag, known.called()))
        return (Expected(step.op, next(same, -1), step.value),)

    def done(self, act: Expected, page: Page) -> None:
        del self.left[0]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))
