"""What was found against what was planted, and how short the recordings became.

A routine counts as recovered where a found one is exactly its parts. A found one that is none of them is a fragment where
it is a piece of some way to do one planted routine, or a narrower form of it; everything else is false: above all two
routines joined that follow each other no more often than chance, and a routine with a step of noise in it.

``code_length`` is the one measure of compression for every system: what a system says about its recordings as events, each
a symbol in a context, priced by the Dirichlet-multinomial of its context (KT estimator, alpha 1/2). Counts alone decide, so
no order does; the alphabets are those of the recordings, the same for all systems.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from math import lgamma, log

from benchmarks.planted_corpus import AnyOrder, Exactly, Loop, Maybe, Open, Part, Parts, Planted, Step

_ALPHA = 0.5
SUPPORT = 2

Symbol = tuple[str, str, str | None]
#: (context, symbol). Contexts: ("next",) what comes next; ("name", op, role) a step's name; others are a system's own, and
#: end with the class of a name, ("fills", ..., op, role), or are two-valued, ("flag", ...).
Event = tuple[tuple[Hashable, ...], Hashable]
END: Event = (("next",), "end")


@dataclass(frozen=True)
class Finding:
    """A routine that a system found, its calls written out, and how many recordings have it."""

    parts: Parts
    support: int


@dataclass(frozen=True)
class Found:
    """The result of one system. ``covered``: steps of the recordings that routines of ``SUPPORT`` explain. ``events``:
    the routines' bodies and the recordings as they are written with them."""

    findings: tuple[Finding, ...]
    covered: int
    events: tuple[Event, ...] = field(repr=False)


@dataclass(frozen=True)
class Score:
    recovered: tuple[Parts, ...]
    missed: tuple[Parts, ...]
    fragments: tuple[Parts, ...]
    false: tuple[Parts, ...]


def score(found: Found, truth: Sequence[Planted], recoverable: Sequence[Planted], *, transforms: bool) -> Score:
    """``transforms`` False: a system that sees no values is not asked for what was done to them. One part alone is no routine,
    neither right nor wrong."""
    shaped = _same if transforms else without_transforms
    wanted = {shaped(routine.parts) for routine in recoverable}
    planted = {shaped(routine.parts) for routine in truth}
    machines = [Machine.of(routine.parts) for routine in truth]
    kept = {
        shaped(finding.parts) for finding in found.findings if finding.support >= SUPPORT and len(finding.parts) > 1
    }
    others = sorted(kept - planted, key=repr)
    fragments = [parts for parts in others if any(m.has_piece(spelled(parts)) for m in machines)]
    false = [parts for parts in others if parts not in fragments]
    return Score(tuple(wanted & kept), tuple(wanted - kept), tuple(fragments), tuple(false))


def _same(parts: Parts) -> Parts:
    return parts


def without_transforms(parts: Parts) -> Parts:
    return tuple(_plain(part) for part in parts)


def _plain(part: Part) -> Part:
    match part:
        case Exactly(op, role, name, _):
            return Exactly(op, role, name)
        case Maybe(inner):
            return Maybe(_plain(inner))
        case Loop(body):
            return Loop(without_transforms(body))
        case AnyOrder(members):
            return AnyOrder(frozenset(_plain(member) for member in members))
        case Open():
            return part


def spelled(parts: Iterable[Part]) -> list[Symbol]:
    """The parts done once each."""
    symbols: list[Symbol] = []
    for part in parts:
        match part:
            case Exactly(op, role, name, _):
                symbols.append((op, role, name))
            case Open(op, role):
                symbols.append((op, role, None))
            case Maybe(inner):
                symbols += spelled([inner])
            case Loop(body):
                symbols += spelled(body)
            case AnyOrder(members):
                symbols += spelled(sorted(members, key=lambda member: repr(spelled([member]))))
    return symbols


@dataclass
class Machine:
    """A finite automaton for all ways to do a routine; the edge of an open name takes every name."""

    edges: list[tuple[int, Symbol | None, int]] = field(default_factory=list)
    states: int = 1

    @classmethod
    def of(cls, parts: Parts) -> Machine:
        machine = cls()
        machine._chain(0, parts)
        return machine

    def has_piece(self, symbols: Sequence[Symbol]) -> bool:
        """Whether the symbols follow each other somewhere in a way to do the routine."""
        alive = set(range(self.states))
        for symbol in symbols:
            alive = {end for start, label, end in self.edges if start in alive and label and _takes(label, symbol)}
            alive = self._closed(alive)
        return bool(alive)

    def _closed(self, alive: set[int]) -> set[int]:
        while True:
            more = alive | {end for start, label, end in self.edges if label is None and start in alive}
            if more == alive:
                return alive
            alive = more

    def _edge(self, start: int, label: Symbol | None) -> int:
        self.states += 1
        self.edges.append((start, label, self.states - 1))
        return self.states - 1

    def _chain(self, start: int, parts: Iterable[Part]) -> int:
        for part in parts:
            start = self._part(start, part)
        return start

    def _part(self, start: int, part: Part) -> int:
        match part:
            case Exactly(op, role, name, _):
                return self._edge(start, (op, role, name))
            case Open(op, role):
                return self._edge(start, (op, role, None))
            case Maybe(inner):
                end = self._part(start, inner)
                self.edges.append((start, None, end))
                return end
            case Loop(body):
                end = self._chain(start, body)
                self.edges.append((end, None, start))
                return end
            case AnyOrder(members):
                ends = [self._chain(start, order) for order in permutations(members)]
                for end in ends[1:]:
                    self.edges.append((end, None, ends[0]))
                return ends[0]


def _takes(label: Symbol, symbol: Symbol) -> bool:
    return label[:2] == symbol[:2] and label[2] in (None, symbol[2])


# -- compression -------------------------------------------------------------------------------------------------------


def code_length(events: Iterable[Event], recordings: Sequence[Sequence[Step]]) -> float:
    """Bits to say the events, given the names that the recordings use."""
    counts: dict[tuple[Hashable, ...], Counter[Hashable]] = defaultdict(Counter)
    for context, symbol in events:
        counts[context][symbol] += 1
    names = _names(recordings)
    return sum(_bits(counted, _alphabet(context, counted, names)) for context, counted in counts.items())


def _names(recordings: Sequence[Sequence[Step]]) -> Mapping[tuple[Hashable, ...], int]:
    seen: dict[tuple[Hashable, ...], set[str]] = defaultdict(set)
    for step in (step for steps in recordings for step in steps):
        seen[step.op, step.role].add(step.name)
    return {of: len(names) for of, names in seen.items()}


def _alphabet(
    context: tuple[Hashable, ...], counted: Counter[Hashable], names: Mapping[tuple[Hashable, ...], int]
) -> int:
    if context[0] in ("name", "fills"):
        return max(names.get(context[-2:], 0) + 1, len(counted))
    return max(len(counted), 2)


def _bits(counted: Counter[Hashable], alphabet: int) -> float:
    total = sum(counted.values())
    whole = lgamma(total + alphabet * _ALPHA) - lgamma(alphabet * _ALPHA)
    return (whole - sum(lgamma(n + _ALPHA) - lgamma(_ALPHA) for n in counted.values())) / log(2)


def said(step: Step) -> Iterator[Event]:
    """A step that no routine explains."""
    yield ("next",), (step.op, step.role)
    yield ("name", step.op, step.role), step.name


def literal_length(recordings: Sequence[Sequence[Step]]) -> float:
    """Bits without any routine: what compression is measured against."""
    events = [event for steps in recordings for event in (*(e for step in steps for e in said(step)), END)]
    return code_length(events, recordings)
