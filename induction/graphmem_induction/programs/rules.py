"""Rules: if this holds, do that. The rules that demonstrations could have followed, read off from what was done in them.

A ``Step`` is an operation on what a ``Pattern`` means, with a value; a ``Test`` is one condition on instruction and page.
Texts in both are constants or come from slots (``Of``). What a rule does in a state is the set of elements that it would
take there, those left out that were done before (but for ``again``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graphmem.model.selection import Wanted
from graphmem.model.transforms import transformed
from graphmem.model.workflow import Value

#: Bits of a condition, and more for one that rests on nothing that was asked for: what a page happens to show tells some
#: states from others by accident.
_TEST = 3.0
_ACCIDENT = 6.0
#: Bits of meaning an element by its kind alone.
_KIND_ALONE = 5.0


@dataclass(frozen=True, order=True)
class Of:
    """A slot's value through a transform; of a list each item, or one of them by ``item:N`` as the transform."""

    slot: str
    transform: str = ""

    def texts(self, values: Mapping[str, Value]) -> tuple[str, ...]:
        found = values.get(self.slot)
        if found is None:
            return ()
        if isinstance(found, tuple):
            if self.transform.startswith("item:"):
                at = int(self.transform[5:])
                at = at - 1 if at > 0 else at
                return (found[at],) if -len(found) <= at < len(found) else ()
            return tuple(transformed(self.transform, text) for text in found)
        return (transformed(self.transform, found),)


@dataclass(frozen=True)
class Pattern:
    """An ELEMENT: ``wanted`` with the parts named in ``open_`` filled from slots."""

    wanted: Wanted
    open_: tuple[tuple[str, Of], ...] = ()

    def bound(self, values: Mapping[str, Value]) -> tuple[Wanted, ...]:
        """One for each item of a list; none where a slot has no value."""
        found = [self.wanted]
        for part, of in self.open_:
            texts = of.texts(values)
            if part in ("nth", "count"):
                numbers = [int(t) for t in texts if t.isdigit() and 0 < int(t) < 1000]
                found = [w._replace(**{part: number}) for w in found for number in numbers]  # type: ignore[arg-type]
            elif texts or part != "ends":
                found = [w._replace(**{part: t}) for w in found for t in texts if t]  # type: ignore[arg-type]
        return tuple(found)

    @property
    def bits(self) -> float:
        w = self.wanted
        cost = (
            2.0 + (1.0 if w.name else 0) + (5.0 if w.row else 0) + (6.0 if w.nth in (1, -1) else 10.0 if w.nth else 0)
        )
        cost += 0.0 if w.name or w.row or self.open_ else _KIND_ALONE
        cost += (5.0 if w.extreme else 0) + (1.5 if w.match != "exact" else 0) + (3.0 if w.state else 0)
        for part, of in self.open_:
            cost += 3.0 if of.transform.startswith(("item:", "word:")) else 0.0
            cost += {"name": 3.0, "ends": 0.5, "row": 4.0, "nth": 4.0, "count": 4.0, "value": 4.0}[part] + (
                1.5 if of.transform else 0
            )
        return cost


@dataclass(frozen=True)
class Step:
    """``spread``: one (the first that fits), all (in whatever order). ``value``: a constant or a slot's."""

    op: str
    pattern: Pattern
    value: str | Of = ""
    again: bool = False
    spread: str = "one"

    @property
    def bits(self) -> float:
        cost = self.pattern.bits + (6.0 if self.again else 0) + (1.0 if self.spread == "all" else 0)
        if isinstance(self.value, Of):
            return cost + 3.0 + (1.5 if self.value.transform else 0)
        return cost + (8.0 if self.value else 0)


@dataclass(frozen=True)
class Test:
    """``kind``: said (a word of the instruction), has or hasnt (a slot has a value), present or absent (an element), less
    or more (what an element shows, read as ``reading``, than ``than``)."""

    kind: str
    word: str = ""
    pattern: Pattern | None = None
    reading: str = ""
    than: Of | None = None

    @property
    def bits(self) -> float:
        cost = _TEST + (self.pattern.bits if self.pattern else 2.0)
        return cost + (_ACCIDENT if self.pattern and not self.pattern.open_ else 0.0)


@dataclass(frozen=True)
class Rule:
    step: Step
    tests: tuple[Test, ...] = ()
    #: Whether it may come before or after the rule before it.
    joined: bool = False

    @property
    def bits(self) -> float:
        return self.step.bits + sum(test.bits for test in self.tests)
