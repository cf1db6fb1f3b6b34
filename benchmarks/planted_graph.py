"""The inducer's own core on the planted corpora: the functions that compress the ways of a site, on recorded steps.

``compress`` (graphmem_induction) reads ways in which slots are found already and order is given; here the same learner reads
plain steps, so that open names, optional steps and noise inside are its own to find. What a value went through is read off
the occurrences, as a routine's bindings are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence

from benchmarks.planted_corpus import AnyOrder, Exactly, Loop, Maybe, Open, Part, Parts, Step
from benchmarks.planted_score import END, SUPPORT, Event, Finding, Found, said
from graphmem_induction import grammar
from graphmem_induction.grammar import Grammar, Item, Occurrence, uses
from graphmem_induction.grammar_learn import learn

_Name = tuple[str, str, str]


def graph(recordings: Sequence[Sequence[Step]]) -> Found:
    symbols = sorted({(s.op, s.role, s.name) for steps in recordings for s in steps})
    kinds = sorted({symbol[:2] for symbol in symbols})
    number = {symbol: n for n, symbol in enumerate(symbols)}
    of_kind = {kind: n for n, kind in enumerate(kinds)}
    sequences = [[number[s.op, s.role, s.name] for s in steps] for steps in recordings]
    found = learn(sequences, [of_kind[symbol[:2]] for symbol in symbols])
    return _Reading(found, recordings, symbols, kinds).found()


class _Reading:
    """A grammar as findings and events."""

    def __init__(
        self,
        found: Grammar,
        recordings: Sequence[Sequence[Step]],
        symbols: Sequence[_Name],
        kinds: Sequence[tuple[str, str]],
    ) -> None:
        self.grammar, self.recordings, self.symbols, self.kinds = found, recordings, symbols, kinds
        self.flat = {rule: found.flat(rule) for rule in found.rules}
        self.inner = {rule: self._called(rule) for rule in found.rules}

    def _called(self, rule: int) -> set[int]:
        return {rule}.union(*(self._called(used) for used in uses(self.grammar.rules[rule])))

    def found(self) -> Found:
        support: dict[int, set[int]] = defaultdict(set)
        covered: dict[int, int] = defaultdict(int)
        for n, places in enumerate(self.grammar.places):
            for one in places:
                covered[one.rule] += sum(leaf >= 0 for leaf in one.taken)
                for rule in self.inner[one.rule]:
                    support[rule].add(n)
        transforms = self._transforms()
        findings = tuple(
            Finding(self._parts(body, transforms), len(support[rule])) for rule, body in sorted(self.flat.items())
        )
        explained = sum(n for rule, n in covered.items() if len(support[rule]) >= SUPPORT)
        return Found(findings, explained, tuple(self._events()))

    def _transforms(self) -> dict[_Name, set[str]]:
        """What the values typed in each field went through, over the places of all routines."""
        seen: dict[_Name, set[str]] = defaultdict(set)
        for steps, places in zip(self.recordings, self.grammar.places, strict=True):
            for one in places:
                for step, leaf in zip(steps[one.start : one.end], one.taken, strict=True):
                    if leaf >= 0 and step.value:
                        seen[step.op, step.role, step.name].add(step.transform)
        return seen

    def _parts(self, body: Sequence[Item], transforms: dict[_Name, set[str]]) -> Parts:
        return tuple(self._part(item, transforms) for item in body)

    def _part(self, item: Item, transforms: dict[_Name, set[str]]) -> Part:
        match item:
            case grammar.Open(kind):
                return Open(*self.kinds[kind])
            case grammar.Maybe(inner):
                return Maybe(self._part(inner, transforms))
            case grammar.Repeat(inside):
                return Loop(self._parts(inside, transforms))
            case grammar.Shuffle(parts):
                return AnyOrder(frozenset(self._parts(parts, transforms)))
            case int():
                through = transforms.get(self.symbols[item], set())
                return Exactly(*self.symbols[item], next(iter(through)) if len(through) == 1 else "")
        raise TypeError(f"{item!r} is not flat")

    # -- events --------------------------------------------------------------------------------------------------------

    def _events(self) -> Iterator[Event]:
        for body in self.grammar.rules.values():
            for item in body:
                yield from self._written(item)
            yield END
        leaves = {rule: grammar.leaves(body) for rule, body in self.flat.items()}
        for steps, places in zip(self.recordings, self.grammar.places, strict=True):
            at = 0
            for one in places:
                for step in steps[at : one.start]:
                    yield from said(step)
                yield ("next",), ("rule", one.rule)
                yield from self._occurrence(one, steps[one.start : one.end], leaves[one.rule])
                at = one.end
            for step in steps[at:]:
                yield from said(step)
            yield END

    def _written(self, item: Item) -> Iterator[Event]:
        match item:
            case int():
                op, role, name = self.symbols[item]
                yield ("next",), (op, role)
                yield ("name", op, role), name
            case grammar.Open(kind):
                yield ("next",), self.kinds[kind]
                yield ("name", *self.kinds[kind]), "open"
            case grammar.Use(rule):
                yield ("next",), ("rule", rule)
            case grammar.Maybe(inner):
                yield ("next",), "maybe"
                yield from self._written(inner)
            case grammar.Repeat(inside) | grammar.Shuffle(inside):
                yield ("next",), (type(item).__name__, len(inside))
                for part in inside:
                    yield from self._written(part)

    def _occurrence(self, one: Occurrence, steps: Sequence[Step], leaves: Sequence[Item]) -> Iterator[Event]:
        """Which gaps hold a foreign step, what is left out, in which order and how often, and what fills the open names."""
        done: set[int] = set()
        gaps = zip(one.taken, one.taken[1:], strict=False)
        rule: Hashable = one.rule
        for before, after in gaps:
            if before >= 0:
                yield ("gap", rule), after < 0
        last = -1
        for step, leaf in zip(steps, one.taken, strict=True):
            if leaf < 0:
                yield from said(step)
                continue
            if self._is_free(one.rule):
                yield ("order", rule), leaf - last
            last = leaf
            done.add(leaf)
            open_ = leaves[leaf]
            if isinstance(open_, grammar.Open):
                yield ("fills", rule, leaf, step.op, step.role), step.name
        for leaf in self._optional(one.rule):
            yield ("flag", rule, leaf), leaf in done

    def _is_free(self, rule: int) -> bool:
        return any(isinstance(item, grammar.Shuffle | grammar.Repeat) for item in self.flat[rule])

    def _optional(self, rule: int) -> list[int]:
        found, leaf = [], 0
        for item in self.flat[rule]:
            width = len(grammar.leaves((item,)))
            if isinstance(item, grammar.Maybe):
                found.append(leaf)
            leaf += width
        return found
