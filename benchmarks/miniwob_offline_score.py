"""Whether a system explains a demonstration: every step that bears an effect was due when it was done, and nothing more is.

Strict. An act is the element that was acted on and the same value but for case; what a suggestion replaced may be any
beginning of it. Where a system accepts several acts at once, each of them must be done by the demonstration from there on:
a set is free in its order only where all of it is to be done. After the last step nothing may be pending on the page on
which it was done (no later one is recorded).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.miniwob_offline_reader import Demonstration, Meant, named
from benchmarks.miniwob_offline_systems import Expected, Run


@dataclass(frozen=True)
class Verdict:
    """``steps``: how many were produced before the first that was not. ``why`` says what came instead."""

    whole: bool
    steps: int
    why: str = ""


def explained(run: Run, shown: Demonstration) -> Verdict:
    for n, step in enumerate(shown.steps):
        offered = run.next(step.screen.page)
        match = next((act for act in offered if _is(act, step)), None)
        if match is None:
            return Verdict(False, n, f"{_said(step)}: {[_told(act, step) for act in offered[:3]]}")
        loose = [act for act in offered if act is not match and not _comes(act, step, shown.steps[n + 1 :])]
        if loose:
            return Verdict(False, n, f"{_said(step)}: also {[_told(act, step) for act in loose[:3]]}")
        run.done(match, step.screen.page)
    last = shown.steps[-1] if shown.steps else None
    more = run.next(last.screen.page) if last is not None else ()
    if last is not None and more:
        return Verdict(False, len(shown.steps), f"at the end: {[_told(act, last) for act in more[:3]]}")
    return Verdict(bool(shown.steps), len(shown.steps))


def _is(act: Expected, step: Meant) -> bool:
    if (act.op, act.element) != (step.op, step.index):
        return False
    one, other = act.value.casefold().strip(), step.value.casefold().strip()
    if step.open_ended and one and other:
        return one.startswith(other) or other.startswith(one)
    return one == other


def _comes(act: Expected, now: Meant, later: Sequence[Meant]) -> bool:
    """Whether another acceptable act is done later, by the element's ref and tag, since it may have moved."""
    ref = named(now.screen, act.element)
    return any(
        (act.op, ref, act.value.casefold().strip()) == (s.op, s.ref, s.value.casefold().strip()) for s in later
    )


def _said(step: Meant) -> str:
    return f"{step.op} {step.value!r} on {_called(step, step.index)}"


def _told(act: Expected, step: Meant) -> str:
    return f"{act.op} {act.value!r} on {_called(step, act.element)}"


def _called(step: Meant, index: int) -> str:
    sketch = step.screen.page.sketch
    return f"{sketch[index].role or sketch[index].tag} {sketch[index].called()[:30]!r}" if 0 <= index < len(sketch) else "-"
