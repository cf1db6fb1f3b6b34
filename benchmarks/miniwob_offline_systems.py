"""What a system must offer to be measured by ``benchmarks.miniwob_offline``: three small protocols, and who is measured.

An element of a page is its index in ``Page.sketch`` (document order). The sketch has one entry for each element that can
be acted on or read; what a control holds (a word in a button) is told by the control. Each element has the attribute
``place``, its dotted path in the tree of what the sketch tells ("0.2.1"; ``Target.place`` is the same as a tuple of ints):
elements of one row, card or section share a beginning. A step's target has the ``place`` that its element has in the sketch
of the step's own page, so that the two are found in each other. Where what was clicked is not in the sketch itself, it is
the told element around it, else the only one in it; a click on a label is a click on its field.

A run is asked before every act of a demonstration, on the page as it was recorded then, and told of the act that was done.
``next`` gives the acts that are acceptable now; of several each must be done by the demonstration from here on. After the
last act it is asked once more, on the page on which the last act was done (no later one is recorded): it must give none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from graphmem.model.trajectory import Page, Trajectory


@dataclass(frozen=True)
class Expected:
    """An act: ``op`` is click, type, select or press; ``element`` an index in the sketch, -1 where the act has none (a key
    that goes to the page); ``value`` what stands in the field afterwards, the option chosen, or the key (Enter, ArrowDown)."""

    op: str
    element: int
    value: str = ""


class Run(Protocol):
    def next(self, page: Page) -> Sequence[Expected]: ...

    def done(self, act: Expected, page: Page) -> None:
        """The act that was done on ``page``; it was among those acceptable."""
        ...


class Explainer(Protocol):
    """What was learned of one task."""

    def start(self, instruction: str) -> Run: ...


class Learner(Protocol):
    name: str

    def learn(self, demonstrations: Sequence[Trajectory]) -> Explainer: ...
