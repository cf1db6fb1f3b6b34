"""The plain way to compress, as a baseline: runs of steps that two recordings share, named greedily by their exact gain.

It is what the inducer of version 0.1.0 did: contiguous runs of up to twelve steps, no noise inside, no slots but those that
are open already, no control steps.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import lgamma, log

from benchmarks.planted_corpus import Exactly, Part, Step
from benchmarks.planted_score import END, SUPPORT, Event, Finding, Found

LONGEST = 12
_ALPHA = 0.5
_END = -1

Gram = tuple[int, ...]
_Terminal = tuple[str, str, str]


def ngrams(recordings: Sequence[Sequence[Step]]) -> Found:
    terminals = sorted({(s.op, s.role, s.name) for steps in recordings for s in steps})
    number = {terminal: n for n, terminal in enumerate(terminals)}
    bodies = [[number[s.op, s.role, s.name] for s in steps] for steps in recordings]
    rules: dict[int, Gram] = {}
    while chosen := _chosen(bodies, rules, len(terminals)):
        for gram in chosen:
            rules[len(terminals) + len(rules)] = gram
        named = {gram: rule for rule, gram in rules.items()}
        by_first: dict[int, list[Gram]] = defaultdict(list)
        for gram in chosen:
            by_first[gram[0]].append(gram)
        bodies = [_rewritten(body, by_first, named) for body in bodies]
    return _found(bodies, rules, terminals)


def _chosen(bodies: Sequence[Sequence[int]], rules: Mapping[int, Gram], terminals: int) -> list[Gram]:
    """The runs to name in this round: those that pay most, no two of which share a symbol."""
    counts = Counter(symbol for body in (*bodies, *rules.values()) for symbol in body)
    counts[_END] = len(bodies) + len(rules)
    total = sum(counts.values())
    paying = [
        (-gain, -len(g), g) for g, n in _shared(bodies).items() if (gain := _gain(g, n, counts, len(counts), total)) > 0
    ]
    chosen: list[Gram] = []
    used: set[int] = set()
    for *_, gram in sorted(paying):
        if used.isdisjoint(gram):
            chosen.append(gram)
            used.update(gram)
    return chosen


def _shared(bodies: Sequence[Sequence[int]]) -> dict[Gram, int]:
    found: dict[Gram, int] = {}
    alive: set[Gram] = {(s,) for s, n in Counter(s for body in bodies for s in set(body)).items() if n > 1}
    for length in range(2, LONGEST + 1):
        where: dict[Gram, set[int]] = defaultdict(set)
        for n, body in enumerate(bodies):
            for at in range(len(body) - length + 1):
                gram = tuple(body[at : at + length])
                if gram[:-1] in alive and gram[1:] in alive:
                    where[gram].add(n)
        alive = {gram for gram, who in where.items() if len(who) > 1}
        found |= {gram: sum(_times(bodies[n], gram) for n in where[gram]) for gram in alive}
    return found


def _times(body: Sequence[int], gram: Gram) -> int:
    times, at = 0, 0
    while at <= len(body) - len(gram):
        hit = tuple(body[at : at + len(gram)]) == gram
        times += hit
        at += len(gram) if hit else 1
    return times


def _rewritten(body: Sequence[int], by_first: Mapping[int, Sequence[Gram]], named: Mapping[Gram, int]) -> list[int]:
    done: list[int] = []
    at = 0
    while at < len(body):
        hit = next((g for g in by_first.get(body[at], ()) if tuple(body[at : at + len(g)]) == g), None)
        done.append(named[hit] if hit else body[at])
        at += len(hit) if hit else 1
    return done


def _gain(gram: Gram, occurrences: int, counts: Mapping[int, int], alphabet: int, total: int) -> float:
    inside = Counter(gram)
    before = _length(total, alphabet) - _terms(counts[s] for s in inside) - _terms([counts[_END]])
    after = (
        _length(total - (occurrences - 1) * len(gram) + occurrences + 1, alphabet + 1)
        - _terms(counts[s] - (occurrences - 1) * times for s, times in inside.items())
        - _terms([occurrences, counts[_END] + 1])
    )
    return before - after


def _length(total: int, alphabet: int) -> float:
    return (lgamma(total + alphabet * _ALPHA) - lgamma(alphabet * _ALPHA)) / log(2)


def _terms(counts: Iterable[int]) -> float:
    return sum((lgamma(n + _ALPHA) - lgamma(_ALPHA)) / log(2) for n in counts)


# -- the result --------------------------------------------------------------------------------------------------------


def _found(bodies: Sequence[Sequence[int]], rules: Mapping[int, Gram], terminals: Sequence[_Terminal]) -> Found:
    def parts(symbol: int) -> Iterator[Part]:
        if symbol not in rules:
            yield Exactly(*terminals[symbol])
        for inner in rules.get(symbol, ()):
            yield from parts(inner)

    def inside(symbol: int) -> Iterator[int]:
        if symbol in rules:
            yield symbol
        for inner in rules.get(symbol, ()):
            yield from inside(inner)

    def events(body: Sequence[int]) -> Iterator[Event]:
        for symbol in body:
            if symbol in rules:
                yield ("next",), symbol
            else:
                op, role, name = terminals[symbol]
                yield ("next",), (op, role)
                yield ("name", op, role), name
        yield END

    support = Counter(rule for body in bodies for rule in {rule for symbol in body for rule in inside(symbol)})
    findings = tuple(Finding(tuple(parts(rule)), support[rule]) for rule in rules)
    covered = sum(len(list(parts(s))) for body in bodies for s in body if s in rules and support[s] >= SUPPORT)
    every = tuple(event for body in (*rules.values(), *bodies) for event in events(body))
    return Found(findings, covered, every)
