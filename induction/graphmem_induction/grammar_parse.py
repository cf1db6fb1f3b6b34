"""The cheapest way to write a sequence with rules: Viterbi over one automaton for all flat bodies.

A rule may be interrupted by one foreign symbol in each gap, and at a price leave an item out that it does not declare:
that is how a routine is seen through the noise in it, and how optional steps come to light.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from math import log2

from graphmem_induction.grammar import Body, Item, Maybe, Occurrence, Open, Repeat, Shuffle
from graphmem_induction.grammar_code import alphabet, filler, surprise

#: What a sequence may cost more than its cheapest way so far and still be followed, in bits.
_BEAM = 24.0
#: A declared item left out for the first time, in bits, and the gap bit before anything is known of a rule.
_LEFT_OUT = 7.0
#: A group in any order is written out in all its orders up to this size.
SHUFFLED = 4


@dataclass
class Evidence:
    """How a rule was seen: how often, with a foreign symbol in which gaps (after leaf n), which leaves left out, what filled
    the open leaves, how often a part went round (by its first leaf)."""

    times: int = 0
    places: set[int] = field(default_factory=set)
    gaps: int = 0
    foreign: Counter[tuple[int, int]] = field(default_factory=Counter)
    missing: Counter[int] = field(default_factory=Counter)
    names: dict[int, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    rounds: Counter[int] = field(default_factory=Counter)


@dataclass(frozen=True)
class Prices:
    """Bits: of a symbol by itself, of its name alone, of a rule, of an end; what is known of rules so far."""

    symbol: Sequence[float]
    name: Sequence[float]
    rule: Mapping[int, float]
    end: float
    seen: Mapping[int, Evidence]


def prices(
    classes: Sequence[int], next_: Mapping[object, int], names: Mapping[int, int], seen: Mapping[int, Evidence]
) -> Prices:
    """``next_``: counts of what comes next, keyed ("c", class), ("r", rule) or "end"; ``names``: of symbols by name."""
    total, choices = sum(next_.values()), max(len(next_), 2)
    kinds = Counter(classes)
    of_class: Counter[int] = Counter()
    for known, n in names.items():
        of_class[classes[known]] += n
    name = [surprise(names.get(s, 0), of_class[c], alphabet(kinds[c])) for s, c in enumerate(classes)]
    by_class = {c: surprise(next_.get(("c", c), 0), total, choices) for c in kinds}
    symbol = [by_class[c] + name[s] for s, c in enumerate(classes)]
    rule = {k[1]: surprise(n, total, choices) for k, n in next_.items() if isinstance(k, tuple) and k[0] == "r"}
    return Prices(symbol, name, rule, surprise(next_["end"], total, choices), seen)


_Edge = tuple[int, float, int]  # to, bits, leaf


class Automaton:
    """All rules as one: states with edges by symbol and by class."""

    def __init__(
        self, bodies: Mapping[int, Body], priced: Prices, *, leaving_out: bool, least_left_out: float = 0.0
    ) -> None:
        """``leaving_out``: also parts that are not optional. ``least_left_out``: how often any optional part is taken to be
        left out, whatever was seen so far."""
        self.priced = priced
        self.least_left_out = least_left_out
        self.leaving_out = leaving_out
        self.size = 0
        self.by_symbol: list[dict[int, list[_Edge]]] = []
        self.by_class: list[dict[int, list[_Edge]]] = []
        self.accepts: dict[int, float] = {}
        self.rule_of: list[int] = []
        self.inside: list[float] = []
        self.starts: dict[int, list[_Edge]] = defaultdict(list)
        self.starts_by_class: dict[int, list[_Edge]] = defaultdict(list)
        self.kinds: dict[int, Mapping[int, Counter[int]]] = {}
        for rule, body in sorted(bodies.items()):
            self._add(rule, body)

    def _add(self, rule: int, body: Body) -> None:
        seen = self.priced.seen.get(rule, Evidence())
        machine = _Machine(seen, self.leaving_out, self.least_left_out)
        final = machine.chain(0, body)
        foreign = sum(seen.foreign.values())
        odds = (foreign + 0.5) / (seen.gaps + 10.0)
        interrupted, smooth = -log2(odds), -log2(1 - odds)
        closed = [machine.closure(state) for state in range(machine.states)]
        first, cost = self.size, self.priced.rule.get(rule, 12.0)
        self.kinds[rule] = seen.names
        for state, reach in enumerate(closed):
            edges: dict[int, list[_Edge]] = defaultdict(list)
            wide: dict[int, list[_Edge]] = defaultdict(list)
            step = cost if state == 0 else smooth
            for middle, bits in reach.items():
                for label, to, leaf in machine.labelled[middle]:
                    edge = (first + to, bits + step, leaf)
                    (wide[label.cls] if isinstance(label, Open) else edges[label]).append(edge)
            if state == 0:
                for s, out in edges.items():
                    self.starts[s] += out
                for c, out in wide.items():
                    self.starts_by_class[c] += out
                edges, wide = defaultdict(list), defaultdict(list)
            self.by_symbol.append(edges)
            self.by_class.append(wide)
            self.rule_of.append(rule)
            # A gap inside the rule may hold a foreign symbol; after the end there is none.
            self.inside.append(interrupted - smooth if edges or wide else -1.0)
            if state and final in reach:
                self.accepts[first + state] = reach[final]
        self.size += machine.states

    def parse(
        self, sequence: Sequence[int], classes: Sequence[int], banned: int = -1, *, foreign: bool = True
    ) -> tuple[float, list[Occurrence]]:
        """The bits of the cheapest way (without the end), and its occurrences; without the rule ``banned``, without
        ``foreign`` steps in them."""
        literal, by_symbol, by_class = self.priced.symbol, self.by_symbol, self.by_class
        rule_of, inside, accepts = self.rule_of, self.inside, self.accepts
        best = [0.0]
        back: list[tuple[int, int, object] | None] = [None]
        alive: dict[int, tuple[float, int, object, bool]] = {}
        length = len(sequence)
        for at, symbol in enumerate(sequence):
            cls = classes[symbol]
            # What the next two symbols cannot go on with is not worth following.
            next_ = sequence[at + 1] if at + 1 < length else -1
            later = sequence[at + 2] if at + 2 < length else -1
            next_class = classes[next_] if next_ >= 0 else -1
            later_class = classes[later] if later >= 0 else -1
            reached: dict[int, tuple[float, int, object, bool]] = {}
            base = best[at]
            for wide, starts in ((False, self.starts.get(symbol)), (True, self.starts_by_class.get(cls))):
                for to, bits, leaf in starts or ():
                    edges, classed = by_symbol[to], by_class[to]
                    if (
                        not (
                            next_ in edges
                            or later in edges
                            or (classed and (next_class in classed or later_class in classed))
                        )
                        or rule_of[to] == banned
                    ):
                        continue
                    total = base + bits
                    if wide:
                        total += self._fills(to, leaf, symbol)
                    if to not in reached or total < reached[to][0]:
                        reached[to] = (total, at, (None, leaf), False)
            for state, (cost, start, path, interrupted) in alive.items():
                edges, classed = by_symbol[state], by_class[state]
                if symbol in edges:
                    for to, bits, leaf in edges[symbol]:
                        total = cost + bits
                        if to not in reached or total < reached[to][0]:
                            reached[to] = (total, start, (path, leaf), False)
                if classed and cls in classed:
                    for to, bits, leaf in classed[cls]:
                        total = cost + bits + self._fills(to, leaf, symbol)
                        if to not in reached or total < reached[to][0]:
                            reached[to] = (total, start, (path, leaf), False)
                if (
                    foreign
                    and not interrupted
                    and inside[state] >= 0
                    and (next_ in edges or (classed and next_class in classed))
                ):
                    key = -1 - state
                    if key not in reached:
                        reached[key] = (cost + inside[state] + literal[symbol], start, (path, -1), True)
            cheapest, came = base + literal[symbol], None
            for state, entry in reached.items():
                if state in accepts and entry[0] + accepts[state] < cheapest:
                    cheapest, came = entry[0] + accepts[state], (entry[1], rule_of[state], entry[2])
            best.append(cheapest)
            back.append(came)
            alive = {}
            limit = cheapest + _BEAM
            for state, entry in reached.items():
                if entry[0] < limit:
                    real = state if state >= 0 else -1 - state
                    if real not in alive or entry[0] < alive[real][0]:
                        alive[real] = entry
        return best[-1], _traced(back, length)

    def _fills(self, state: int, leaf: int, symbol: int) -> float:
        names = self.kinds[self.rule_of[state]].get(leaf) or Counter[int]()
        return filler(names, sum(names.values()), symbol, self.priced.name[symbol])


def _traced(back: Sequence[tuple[int, int, object] | None], end: int) -> list[Occurrence]:
    found = []
    while end:
        came = back[end]
        if came is None:
            end -= 1
            continue
        start, rule, path = came
        taken: list[int] = []
        while isinstance(path, tuple):
            path, leaf = path
            taken.append(leaf)
        found.append(Occurrence(rule, start, end, tuple(reversed(taken))))
        end = start
    return found[::-1]


class _Machine:
    """The automaton of one flat body. An edge without a label has a price: a part left out, or one more round."""

    def __init__(self, seen: Evidence, leaving_out: bool, least_left_out: float) -> None:
        self.seen, self.leaving_out, self.least_left_out = seen, leaving_out, least_left_out
        self.states = 1
        self.leaf = 0
        self.labelled: list[list[tuple[int | Open, int, int]]] = [[]]
        self.free: list[list[tuple[int, float]]] = [[]]

    def closure(self, state: int) -> dict[int, float]:
        reach, waiting = {state: 0.0}, [state]
        while waiting:
            here = waiting.pop()
            for to, bits in self.free[here]:
                total = reach[here] + bits
                if to not in reach or total < reach[to]:
                    reach[to] = total
                    waiting.append(to)
        return reach

    def _state(self) -> int:
        self.states += 1
        self.labelled.append([])
        self.free.append([])
        return self.states - 1

    def chain(self, start: int, body: Body) -> int:
        last = len(body) - 1
        for n, item in enumerate(body):
            end = self.item(start, item)
            if self.leaving_out and 0 < n < last and not isinstance(item, Maybe):
                self.free[start].append((end, _LEFT_OUT))
            start = end
        return start

    def item(self, start: int, item: Item) -> int:
        match item:
            case Maybe(inner):
                leaf = self.leaf
                share = (self.seen.missing[leaf] + 0.5) / (self.seen.times + 1.0)
                share = max(share, self.least_left_out)
                present = self._state()
                self.free[start].append((present, -log2(1 - share)))
                end = self.item(present, inner)
                self.free[start].append((end, -log2(share)))
                return end
            case Repeat(body):
                leaf = self.leaf
                rounds, times = self.seen.rounds[leaf], self.seen.times
                again = (rounds + 0.5) / (rounds + times + 1.0)
                enter = self._state()
                self.free[start].append((enter, 0.0))
                here = enter
                for part in body:
                    here = self.item(here, part)
                out = self._state()
                self.free[here].append((enter, -log2(again)))
                self.free[here].append((out, -log2(1 - again)))
                return out
            case Shuffle(parts):
                return self._orders(start, parts)
            case int() | Open():
                end = self._state()
                self.labelled[start].append((item, end, self.leaf))
                self.leaf += 1
                return end
        raise TypeError(f"{item!r} is not flat")

    def _orders(self, start: int, parts: Body) -> int:
        first = self.leaf
        size = len(parts)
        orders = list(permutations(range(size))) if size <= SHUFFLED else [tuple(range(size))]
        out = self._state()
        price = log2(len(orders))
        trie: dict[tuple[int, ...], int] = {(): start}
        for order in orders:
            for depth in range(size):
                prefix = order[: depth + 1]
                if prefix not in trie:
                    self.leaf = first + order[depth]
                    end = self.item(trie[prefix[:-1]], parts[order[depth]])
                    trie[prefix] = end
            self.free[trie[order]].append((out, price))
        self.leaf = first + size
        return out


def evidence(
    occurrences: Sequence[Sequence[Occurrence]], sequences: Sequence[Sequence[int]], widths: Mapping[int, int]
) -> dict[int, Evidence]:
    """What the occurrences say of each rule. ``widths``: the number of leaves of each."""
    seen: dict[int, Evidence] = {}
    for n, (found, sequence) in enumerate(zip(occurrences, sequences, strict=True)):
        for one in found:
            record = seen.setdefault(one.rule, Evidence())
            record.times += 1
            record.places.add(n)
            last, done = -1, set()
            for offset, leaf in enumerate(one.taken):
                if leaf < 0:
                    record.foreign[last, sequence[one.start + offset]] += 1
                    continue
                if leaf in done and leaf <= last:
                    record.rounds[leaf] += 1
                done.add(leaf)
                last = leaf
                record.names[leaf][sequence[one.start + offset]] += 1
            record.gaps += len(one.taken) - 1
            for leaf in range(widths[one.rule]):
                if leaf not in done:
                    record.missing[leaf] += 1
    return seen
