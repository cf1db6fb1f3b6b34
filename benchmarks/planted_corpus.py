"""Corpora with known routines: what an inducer should find, and the recordings that hide it.

20 base routines of 3 to 6 steps, 10 that call two of them, 5 that call one of those: with 60 step names whose Zipf weights
are those of the noise too, so that a frequent step says little. A recording does two to four routines, some far more often
than others. ``SWITCHES`` are the difficulties, alone and together: noise between routines and inside them, names that vary,
pure concatenations, optional steps, loops over items (``each``) and loops on one step (``until``), groups in any order.

A part of a routine is a value, and a routine is a tuple of parts: an inducer's result is compared with it as it is. The
same seed and switch plant the same routines at every size; the recordings of a smaller size are the first of a larger one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import TypeAlias

BASE, TWO_LEVELS, THREE_LEVELS = 20, 10, 5
STEP_NAMES, FILLERS = 60, 200
MISSING = 0.3
_LENGTHS = (3, 4, 5, 6)
_REPEATS = (1, 2, 2, 3, 4)
_CLASSES = (("click", "button"), ("click", "link"), ("click", "option"), ("type", "textbox"), ("select", "combobox"))
_TRANSFORMS = ("", "upper", "date:dd.mm.yyyy", "word:1")
#: The share of base routines that a switch changes.
_TOUCHED = 0.5


@dataclass(frozen=True)
class Step:
    """A recorded step as a compressor reads it. ``value``: the slot of the instruction that was typed, through
    ``transform``; empty where nothing was."""

    op: str
    role: str
    name: str
    value: str = ""
    transform: str = ""


@dataclass(frozen=True)
class Exactly:
    """Always this step; ``transform`` where it types a slot."""

    op: str
    role: str
    name: str
    transform: str = ""


@dataclass(frozen=True)
class Open:
    """A step of this kind under any name: a slot in a name."""

    op: str
    role: str


@dataclass(frozen=True)
class Maybe:
    part: Part


@dataclass(frozen=True)
class Loop:
    """Once or more. With an ``Open`` in it an ``each``, else an ``until``."""

    body: tuple[Part, ...]


@dataclass(frozen=True)
class AnyOrder:
    parts: frozenset[Part]


Part: TypeAlias = Exactly | Open | Maybe | Loop | AnyOrder
Parts: TypeAlias = tuple[Part, ...]


@dataclass(frozen=True)
class Switch:
    """One kind of difficulty. ``between``, ``inside``: noise steps as a share of the steps of a routine."""

    between: float = 0.25
    inside: float = 0.0
    slots: bool = False
    concatenations: bool = False
    optional: bool = False
    ends: bool = False
    each: bool = False
    until: bool = False
    any_order: bool = False
    independent: bool = False

    @property
    def has_control(self) -> bool:
        return self.optional or self.ends or self.each or self.until or self.any_order


SWITCHES = {
    "plain": Switch(),
    "inside": Switch(inside=0.1),
    "slots": Switch(slots=True),
    "concatenations": Switch(concatenations=True),
    "all": Switch(between=0.3, inside=0.1, slots=True, concatenations=True, optional=True),
    "optional": Switch(optional=True),
    "ends": Switch(ends=True),
    "each": Switch(each=True),
    "until": Switch(until=True),
    "any_order": Switch(any_order=True),
    "everything": Switch(0.3, 0.1, True, True, True, True, True, True, True),
    "independent": Switch(between=0.0, independent=True),
}


@dataclass(frozen=True)
class Planted:
    """A routine with the routines that it calls written out. ``level``: 1 base, 2 and 3 call others."""

    level: int
    parts: Parts


@dataclass(frozen=True)
class Corpus:
    """``uses``: for each recording the routines (by number, inner ones too) that it did."""

    routines: tuple[Planted, ...]
    recordings: tuple[tuple[Step, ...], ...]
    uses: tuple[frozenset[int], ...]

    @property
    def recoverable(self) -> list[Planted]:
        """The routines that two recordings or more did."""
        return [r for n, r in enumerate(self.routines) if sum(n in used for used in self.uses) > 1]


def corpus(switch: str, seed: int, size: int) -> Corpus:
    chosen = SWITCHES[switch]
    planter = _Planter(chosen, Random(f"planted/{switch}/{seed}"))
    routines, called = planter.routines()
    recorder = _Recorder(chosen, planter, routines, called, Random(f"recorded/{switch}/{seed}"))
    recorded = [recorder.recording() for _ in range(size)]
    return Corpus(tuple(routines), tuple(steps for steps, _ in recorded), tuple(used for _, used in recorded))


class _Planter:
    """Draws the alphabet and the routines."""

    def __init__(self, switch: Switch, random: Random) -> None:
        self.switch = switch
        self.random = random
        self.alphabet = [Exactly(*random.choice(_CLASSES), f"step {n:02}") for n in range(STEP_NAMES)]
        if switch.slots:
            typed = [Exactly(s.op, s.role, s.name, random.choice(_TRANSFORMS)) for s in self.alphabet]
            self.alphabet = [t if t.op == "type" else s for t, s in zip(typed, self.alphabet, strict=True)]
        self.weights = [1.0 / (n + 1) for n in range(STEP_NAMES)]
        random.shuffle(self.weights)

    def routines(self) -> tuple[list[Planted], list[frozenset[int]]]:
        """The routines, and for each the numbers of all that are inside it, itself included."""
        found: list[Planted] = []
        called: list[frozenset[int]] = []
        plain: list[Parts] = []
        while len(found) < BASE:
            body = self._body(self.random.choice(_LENGTHS))
            if not any(_within(body, other) or _within(other, body) for other in plain):
                plain.append(body)
                found.append(Planted(1, self._changed(body, len(found))))
                called.append(frozenset({len(found) - 1}))
        if self.switch.independent:
            return found, called
        for level, count, first in ((2, TWO_LEVELS, 0), (3, THREE_LEVELS, BASE)):
            for n in range(count):
                self._higher(
                    level, pure=self.switch.concatenations and n % 2 == 0, first=first, found=found, called=called
                )
        return found, called

    def _body(self, length: int) -> Parts:
        """Different steps, drawn by their weights."""
        steps: list[Exactly] = []
        while len(steps) < length:
            step = self.random.choices(self.alphabet, self.weights)[0]
            if step not in steps:
                steps.append(step)
        return tuple(steps)

    def _changed(self, body: Parts, number: int) -> Parts:
        """A base routine under the switches: each touches its own half of the routines."""
        switch, parts = self.switch, list(body)
        if switch.slots and self._touched():
            at = self.random.randrange(len(parts))
            step = parts[at]
            assert isinstance(step, Exactly)
            parts[at] = Open(step.op, step.role)
        if switch.any_order and self._touched():
            size = self.random.choice((2, 3)) if len(parts) > 3 else 2
            at = self.random.randrange(len(parts) - size + 1)
            parts[at : at + size] = [AnyOrder(frozenset(parts[at : at + size]))]
        if switch.each and self._touched():
            self._loop(parts, opened=True)
        if switch.until and self._touched():
            self._loop(parts, opened=False)
        if switch.optional and len(parts) > 3 and self._touched(1.0):
            self._maybe(parts, self.random.randrange(1, len(parts) - 1))
        if switch.ends and len(parts) > 3 and self._touched(1.0):
            self._maybe(parts, self.random.choice((0, len(parts) - 1)))
        return tuple(parts)

    def _touched(self, share: float = _TOUCHED) -> bool:
        return self.random.random() < share

    def _loop(self, parts: list[Part], *, opened: bool) -> None:
        """One step, or two in a row, become a loop; the first step of an ``each`` has the item for its name."""
        size = self.random.choice((1, 2))
        places = [n for n in range(len(parts) - size + 1) if all(isinstance(p, Exactly) for p in parts[n : n + size])]
        if not places:
            return
        at = self.random.choice(places)
        body = list(parts[at : at + size])
        first = body[0]
        assert isinstance(first, Exactly)
        if opened:
            body[0] = Open(first.op, first.role)
        parts[at : at + size] = [Loop(tuple(body))]

    def _maybe(self, parts: list[Part], at: int) -> None:
        if isinstance(parts[at], Exactly):
            parts[at] = Maybe(parts[at])

    def _higher(
        self, level: int, *, pure: bool, first: int, found: list[Planted], called: list[frozenset[int]]
    ) -> None:
        """A routine that calls one of the level below and a base routine, with one or two steps of its own unless pure."""
        below = range(first, BASE if level == 2 else BASE + TWO_LEVELS)
        while True:
            one, other = self.random.choice(below), self.random.randrange(BASE)
            blocks: list[Parts] = [found[one].parts, found[other].parts]
            self.random.shuffle(blocks)
            for _ in range(0 if pure else self.random.choice((1, 2))):
                blocks.insert(self.random.randrange(len(blocks) + 1), self._body(1))
            parts = tuple(part for block in blocks for part in block)
            known = {routine.parts for routine in found}
            if one != other and parts not in known and all(a != b for a, b in pairwise(parts)):
                found.append(Planted(level, parts))
                called.append(frozenset({len(found) - 1}) | called[one] | called[other])
                return


class _Recorder:
    """Draws recordings."""

    def __init__(
        self,
        switch: Switch,
        planter: _Planter,
        routines: Sequence[Planted],
        called: Sequence[frozenset[int]],
        random: Random,
    ) -> None:
        self.switch, self.planter, self.routines, self.called, self.random = switch, planter, routines, called, random
        ranks = list(range(len(routines)))
        random.shuffle(ranks)
        self.weights = [1.0 / (rank + 1) ** 0.7 for rank in ranks]

    def recording(self) -> tuple[tuple[Step, ...], frozenset[int]]:
        """Two to four routines with noise, and the numbers of the routines done."""
        chosen = self.random.choices(range(len(self.routines)), self.weights, k=self.random.choice((2, 3, 4)))
        steps: list[Step] = []
        for number in chosen:
            done = self._done(self.routines[number].parts)
            noise = sum(self.random.random() < self.switch.between / (1 - self.switch.between) for _ in done)
            before = self.random.randint(0, noise)
            steps += [self._noise() for _ in range(before)] + self._disturbed(done)
            steps += [self._noise() for _ in range(noise - before)]
        return tuple(steps), frozenset().union(*(self.called[number] for number in chosen))

    def _done(self, parts: Sequence[Part]) -> list[Step]:
        return [step for part in parts for step in self._part(part)]

    def _part(self, part: Part) -> list[Step]:
        match part:
            case Exactly():
                return [self._step(part)]
            case Open(op, role):
                return [Step(op, role, f"filler {self.random.randrange(FILLERS):03}")]
            case Maybe(inner):
                return [] if self.random.random() < MISSING else self._part(inner)
            case Loop(body):
                return [step for _ in range(self.random.choice(_REPEATS)) for step in self._done(body)]
            case AnyOrder(members):
                order = sorted(members, key=repr)
                self.random.shuffle(order)
                return self._done(order)

    def _step(self, step: Exactly) -> Step:
        value = f"slot {self.random.randrange(FILLERS)}" if self.switch.slots and step.op == "type" else ""
        return Step(step.op, step.role, step.name, value, step.transform)

    def _disturbed(self, done: Sequence[Step]) -> list[Step]:
        """With a step of noise in some of the gaps."""
        steps: list[Step] = []
        for step in done:
            if steps and self.random.random() < self.switch.inside:
                steps.append(self._noise())
            steps.append(step)
        return steps

    def _noise(self) -> Step:
        return self._step(self.random.choices(self.planter.alphabet, self.planter.weights)[0])


def _within(body: Parts, other: Parts) -> bool:
    return any(other[n : n + len(body)] == body for n in range(len(other) - len(body) + 1))
