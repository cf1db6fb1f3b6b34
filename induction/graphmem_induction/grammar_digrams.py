"""What follows what more often than chance has it: new rules by exact gain, pair by pair.

Two neighbours that are worth a rule are replaced by it everywhere, and the search goes on in what results, so that rules grow
from pairs. A pair may leave a name open: ``x [any link] y``, or a rule followed or preceded by any symbol of one class. The
gain is the exact difference of the code length; all of a round's best that touch no common symbol are taken at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from graphmem_induction.grammar import Body, Item, Open, Repeat, Use
from graphmem_induction.grammar_code import alphabet, fillers, normaliser, weight

_GAP, _GONE = -1, -2
#: A name that stands for more than this share of what fills a place is the place's own name.
_OWN_NAME = 0.5
_OWNED = 0.2
_FEWEST_FILLERS = 3
#: The longest run that is looked for where no pair pays.
LONGEST = 12

Ints: TypeAlias = npt.NDArray[np.int64]


@dataclass
class _Counts:
    """``kind``: for each number its category in what comes next (its class, or itself); ``names``: by symbol."""

    next_: Ints
    ends: int
    names: Ints
    of_class: Ints
    kinds: Ints

    @property
    def total(self) -> int:
        return int(self.next_.sum()) + self.ends

    @property
    def alphabet(self) -> int:
        return int((self.next_ > 0).sum()) + 1


@dataclass(frozen=True)
class _Candidate:
    """``middle``: a class between the two that is left open, -1 for none; ``run``: instead of all that, a longer run.
    ``names``: what may stand at the open end of a pair."""

    gain: float
    left: int
    middle: int
    right: int
    run: tuple[int, ...] = ()
    names: tuple[int, ...] = ()

    @property
    def rank(self) -> tuple[float, tuple[int, ...]]:
        return -round(self.gain, 6), self.run or (self.left, self.middle, self.right)

    @property
    def ends(self) -> set[int]:
        return set(self.run) or {x for x in (self.left, self.right) if x >= 0}


class Digrams:
    """The search over one set of sequences. Symbols are 0 to ``len(classes)`` - 1, rules follow them, classes left open at
    one end of a pair are negative: -3 - class."""

    def __init__(
        self, sequences: Sequence[Sequence[int]], classes: Sequence[int], known: Sequence[tuple[int, Body]], first: int
    ) -> None:
        """``sequences``: with the rule ``r`` as ``len(classes) + r``; ``known``: rules so far; ``first``: the next number."""
        self.classes = np.array(classes, dtype=np.int64)
        self.symbols, self.kinds = len(classes), (max(classes) + 1 if classes else 0)
        flat: list[int] = [_GAP]
        for sequence in sequences:
            flat += sequence
            flat.append(_GAP)
        self.row = np.array(flat, dtype=np.int64)
        self.ends = len(sequences) + len(known)
        self.known = list(known)
        self.next_rule = first
        self.found: dict[int, Body] = {}
        self.times: dict[int, int] = {}

    def run(self, most_rounds: int = 60) -> dict[int, Body]:
        for _ in range(most_rounds):
            counts = self._counts()
            candidates = sorted(self._candidates(counts) or self._runs(counts), key=lambda c: c.rank)
            used: set[int] = set()
            taken = 0
            for one in candidates:
                if used.isdisjoint(one.ends) and self._replace(one):
                    used |= one.ends
                    taken += 1
            if not taken:
                break
            self.row = self.row[self.row != _GONE]
        return self.found

    # -- counting ------------------------------------------------------------------------------------------------------

    def _counts(self) -> _Counts:
        size = self.symbols + self.next_rule + 1
        numbers = np.bincount(self.row[self.row >= 0], minlength=size)
        next_ = np.zeros(self.kinds + size, dtype=np.int64)
        names = numbers[: self.symbols].copy()
        opened = Counter[int]()
        for _, body in (*self.known, *self.found.items()):
            for item in _spelled(body):
                if isinstance(item, int):
                    names[item] += 1
                elif isinstance(item, Open):
                    opened[item.cls] += 1
                elif isinstance(item, Use):
                    next_[self.kinds + self.symbols + item.rule] += 1
        of_class = np.zeros(self.kinds, dtype=np.int64)
        np.add.at(of_class, self.classes, names)
        for cls, n in opened.items():
            of_class[cls] += n
        next_[: self.kinds] = of_class
        next_[self.kinds + self.symbols :] += numbers[self.symbols :]
        kind_size = np.bincount(self.classes, minlength=self.kinds)
        return _Counts(next_, self.ends + len(self.found), names, of_class, kind_size)

    def _category(self, number: Ints) -> Ints:
        symbols = number < self.symbols
        found = self.kinds + number
        found[symbols] = self.classes[number[symbols]]
        return found

    # -- candidates ----------------------------------------------------------------------------------------------------

    def _candidates(self, counts: _Counts) -> list[_Candidate]:
        return [*self._pairs(counts), *self._opened(counts), *self._half_opened(counts)]

    def _pairs(self, counts: _Counts) -> list[_Candidate]:
        size = self.symbols + self.next_rule + 1
        left, right = self.row[:-1], self.row[1:]
        both = (left >= 0) & (right >= 0) & (left != right)
        codes, times = np.unique(left[both] * size + right[both], return_counts=True)
        often = times > 1
        codes, times = codes[often], times[often]
        a, b = codes // size, codes % size
        gains = self._pair_gains(a, b, times, counts)
        return [_Candidate(float(g), int(x), -1, int(y)) for g, x, y in zip(gains, a, b, strict=True) if g > 0]

    def _pair_gains(self, a: Ints, b: Ints, n: Ints, counts: _Counts) -> npt.NDArray[np.float64]:
        """Bits saved by a rule for each pair that occurs ``n`` times."""
        lost = n - 1
        category_a, category_b = self._category(a), self._category(b)
        same = category_a == category_b
        weights = _Weights(int(counts.next_.max(initial=1)) + counts.ends + 2)
        total, choices = counts.total, counts.alphabet
        gain = np.array([normaliser(total, choices) - normaliser(total - int(m) + 3, choices + 1) for m in n])
        ka, kb = counts.next_[category_a], counts.next_[category_b]
        gain += weights[ka - np.where(same, 2 * lost, lost)] - weights[ka]
        gain += np.where(same, 0.0, weights[kb - lost] - weights[kb])
        gain += weight(counts.ends + 1) - weight(counts.ends) + weights[n]
        for number, alone in ((a, True), (b, False)):
            at = np.flatnonzero(number < self.symbols)
            names = counts.names[number[at]]
            gain[at] += weights[names - lost[at]] - weights[names]
            cls = self.classes[number[at]]
            shared = same[at] & (a[at] < self.symbols)
            for place, c, many, m in zip(at, cls, shared, lost[at], strict=True):
                if many and not alone:
                    continue
                whole, kinds = int(counts.of_class[c]), alphabet(int(counts.kinds[c]))
                gain[place] += normaliser(whole, kinds) - normaliser(whole - int(2 * m if many else m), kinds)
        return gain

    def _opened(self, counts: _Counts) -> list[_Candidate]:
        left, middle, right = self.row[:-2], self.row[1:-1], self.row[2:]
        size = self.symbols + self.next_rule + 1
        fits = (left >= 0) & (right >= 0) & (left != right) & (middle >= 0) & (middle < self.symbols)
        x, m, y = left[fits], middle[fits], right[fits]
        keys = (x * self.kinds + self.classes[m]) * size + y
        weights = self._surprises(counts)
        of_class = np.log2(max(counts.total, 1) / np.maximum(counts.of_class, 1))
        found = []
        for key, filled in self._dispersed(keys, m):
            one, cls, other = key // size // self.kinds, key // size % self.kinds, key % size
            n = sum(times for _, times in filled)
            apart = weights[one] + of_class[cls] + weights[other]
            # What knowing the names of the slot may save besides is little; exactly only where it may pay.
            if (n - 1) * (apart + 2.0) - n * np.log2(counts.total / n) > 0:
                gain = self._open_gain(one, cls, other, filled, counts)
                if gain > 0:
                    found.append(_Candidate(gain, one, cls, other))
        return found

    def _half_opened(self, counts: _Counts) -> list[_Candidate]:
        """A rule and what always follows or precedes it in one class."""
        found = []
        for forward in (True, False):
            one, other = (self.row[:-1], self.row[1:]) if forward else (self.row[1:], self.row[:-1])
            fits = (one >= self.symbols) & (other >= 0) & (other < self.symbols)
            x, m = one[fits], other[fits]
            for key, filled in self._dispersed(x * self.kinds + self.classes[m], m, without_owners=True):
                rule, cls = int(key // self.kinds), int(key % self.kinds)
                gain = self._open_gain(rule, cls, -1, filled, counts)
                if gain > 0:
                    hole = -3 - cls
                    names = tuple(name for name, _ in filled)
                    found.append(_Candidate(gain, rule if forward else hole, -1, hole if forward else rule, (), names))
        return found

    def _surprises(self, counts: _Counts) -> npt.NDArray[np.float64]:
        """Bits of each symbol and rule by itself."""
        numbers = np.arange(self.symbols + self.next_rule + 1)
        bits: npt.NDArray[np.float64] = np.log2(
            max(counts.total, 1) / np.maximum(counts.next_[self._category(numbers)], 1)
        )
        bits[: self.symbols] += np.log2(np.maximum(counts.of_class[self.classes], 1) / np.maximum(counts.names, 1))
        return bits

    def _runs(self, counts: _Counts) -> list[_Candidate]:
        """Longer runs that pay although no pair in them does."""
        row, total = self.row, counts.total
        weights = self._surprises(counts)
        at = np.flatnonzero(row[:-1] >= 0)
        gram, bits = row[at], weights[row[at]]
        found: list[_Candidate] = []
        for length in range(2, LONGEST + 1):
            inside = at + length - 1 < len(row)
            at, gram, bits = at[inside], gram[inside], bits[inside]
            following = row[at + length - 1]
            on = following >= 0
            at, gram, bits, following = at[on], gram[on], bits[on], following[on]
            if not len(at):
                break
            _, which, times = np.unique(gram * (len(weights) + 1) + following, return_inverse=True, return_counts=True)
            often = times[which] > 1
            at, gram, bits = at[often], which[often], bits[often] + weights[following[often]]
            here, first = np.unique(gram, return_index=True)
            n = times[here]
            rough = (n - 1) * bits[first] - n * np.log2(total / n) - np.log2(total) if len(n) else n
            for place, many in zip(at[first[rough > 0]], n[rough > 0], strict=True):
                run = tuple(int(x) for x in row[place : place + length])
                gain = self._run_gain(run, int(many), counts) if length > 2 and _moves(run) else 0.0
                if gain > 0:
                    found.append(_Candidate(gain, -1, -1, -1, run))
        return found

    def _run_gain(self, run: tuple[int, ...], n: int, counts: _Counts) -> float:
        lost, lost_names, lost_of_class = Counter[int](), Counter[int](), Counter[int]()
        for item in run:
            category = int(self.classes[item]) if item < self.symbols else self.kinds + item
            lost[category] += n - 1
            if item < self.symbols:
                lost_names[item] += n - 1
                lost_of_class[category] += n - 1
        return self._saved(n, len(run), lost, lost_names, lost_of_class, counts)

    def _dispersed(
        self, keys: Ints, names: Ints, *, without_owners: bool = False
    ) -> list[tuple[int, list[tuple[int, int]]]]:
        """Contexts that several names fill and none owns: (key, [(name, times)]). ``without_owners``: what others fill beside
        the names that own a context is looked at by itself."""
        if not len(keys):
            return []
        both, times = np.unique(keys * self.symbols + names, return_counts=True)
        key, name = both // self.symbols, both % self.symbols
        begins = np.flatnonzero(np.r_[True, key[1:] != key[:-1]])
        whole = np.add.reduceat(times, begins)
        most = np.maximum.reduceat(times, begins)
        kinds = np.diff(np.r_[begins, len(key)])
        fits = (whole >= 4) & (kinds >= _FEWEST_FILLERS)
        if not without_owners:
            fits &= most <= _OWN_NAME * whole
        found = []
        for n in np.flatnonzero(fits):
            span = slice(begins[n], begins[n] + kinds[n])
            filled = list(zip(name[span].tolist(), times[span].tolist(), strict=True))
            if without_owners:
                filled = [(f, t) for f, t in filled if t <= max(_OWNED * whole[n], 1)]
            if len(filled) >= _FEWEST_FILLERS and sum(t for _, t in filled) >= 4:
                found.append((int(key[begins[n]]), filled))
        return found

    def _open_gain(self, left: int, cls: int, right: int, filled: Sequence[tuple[int, int]], counts: _Counts) -> float:
        """Bits saved by a rule of ``left``, any name of a class, ``right`` (-1 for none)."""
        n = sum(times for _, times in filled)
        ends = [left] if right < 0 else [left, right]
        size = len(ends) + 1
        lost: Counter[int] = Counter({cls: n - 1})
        lost_names = Counter[int]()
        lost_of_class = Counter({cls: n - len(filled) - 1})
        for end in ends:
            if end < self.symbols:
                category = int(self.classes[end])
                lost_names[end] += n - 1
                lost_of_class[category] += n - 1
            else:
                category = self.kinds + end
            lost[category] += n - 1
        for name, times in filled:
            lost_names[name] += times - 1
        return self._saved(n, size, lost, lost_names, lost_of_class, counts) - fillers(times for _, times in filled)

    def _saved(
        self,
        n: int,
        size: int,
        lost: Mapping[int, int],
        lost_names: Mapping[int, int],
        lost_of_class: Mapping[int, int],
        counts: _Counts,
    ) -> float:
        """Bits saved by a rule of ``size`` items at ``n`` places, given what is said less often then."""
        total = counts.total
        gain = normaliser(total, counts.alphabet) - normaliser(total - size * n + n + size + 1, counts.alphabet + 1)
        gain += weight(n) + weight(counts.ends + 1) - weight(counts.ends)
        for category, m in lost.items():
            had = int(counts.next_[category])
            gain += weight(max(had - m, 0)) - weight(had)
        for name, m in lost_names.items():
            had = int(counts.names[name])
            gain += weight(max(had - m, 0)) - weight(had)
        for category, m in lost_of_class.items():
            had, kinds = int(counts.of_class[category]), alphabet(int(counts.kinds[category]))
            gain += normaliser(had, kinds) - normaliser(max(had - m, 0), kinds)
        return gain

    # -- replacing -----------------------------------------------------------------------------------------------------

    def _replace(self, one: _Candidate) -> bool:
        row = self.row
        number = self.symbols + self.next_rule
        if one.run:
            at = np.flatnonzero(row[: len(row) - len(one.run) + 1] == one.run[0])
            for offset, item in enumerate(one.run):
                at = at[row[at + offset] == item]
            if len(at):
                at = at[np.r_[True, np.diff(at) >= len(one.run)]]
            gone: tuple[int, ...] = tuple(range(1, len(one.run)))
            body: Body = tuple(self._item(item) for item in one.run)
        elif one.middle >= 0:
            at = np.flatnonzero((row[:-2] == one.left) & (row[2:] == one.right))
            inner = row[at + 1]
            at = at[(inner >= 0) & (inner < self.symbols)]
            at = at[self.classes[row[at + 1]] == one.middle]
            gone = (1, 2)
            body = (self._item(one.left), Open(one.middle), self._item(one.right))
        else:
            fits = self._is(row[:-1], one.left) & self._is(row[1:], one.right)
            if one.names:
                fits &= np.isin(row[1:] if one.right <= -3 else row[:-1], one.names)
            at = np.flatnonzero(fits)
            gone = (1,)
            body = (self._item(one.left), self._item(one.right))
        if len(at) < 2:
            return False
        for offset in gone:
            row[at + offset] = _GONE
        row[at] = number
        self.found[self.next_rule] = body
        self.times[self.next_rule] = len(at)
        self.next_rule += 1
        return True

    def _is(self, row: Ints, number: int) -> npt.NDArray[np.bool_]:
        if number > -3:
            return np.equal(row, number)
        symbols = (row >= 0) & (row < self.symbols)
        fits = np.zeros(len(row), dtype=np.bool_)
        fits[symbols] = self.classes[row[symbols]] == -3 - number
        return fits

    def _item(self, number: int) -> Item:
        if number <= -3:
            return Open(-3 - number)
        return number if number < self.symbols else Use(number - self.symbols)


def _moves(run: tuple[int, ...]) -> bool:
    """Whether a run is more than one thing again and again."""
    return len(set(run)) > 1


class _Weights:
    """``weight`` of whole arrays."""

    def __init__(self, most: int) -> None:
        self.table = np.array([weight(n) for n in range(most + 1)])

    def __getitem__(self, counts: Ints) -> npt.NDArray[np.float64]:
        return self.table[np.maximum(counts, 0)]


def _spelled(body: Body) -> list[Item]:
    """The items as they are counted in a rule's body."""
    found: list[Item] = []
    for item in body:
        match item:
            case int() | Open() | Use():
                found.append(item)
            case Repeat(inside):
                found += _spelled(inside)
            case _:
                found += _spelled(item.parts if hasattr(item, "parts") else (item.item,))
    return found


def numbered(rules: Mapping[int, Body]) -> list[tuple[int, Body]]:
    return sorted(rules.items())
