"""Which instructions of a site are of one task.

Every pair of instructions that share words is aligned (``template_align``), words weighted by how few instructions of this
site have them. Two are alike by what matched, against that plus what the gaps cost: a gap costs something by itself, little
for its length, since a value may be long; and a little of the likeness is what the steps did. Instructions that differ in
values only are one from the start. Then average linkage joins what is alike enough.

A function of the set: instructions are put in the order of their content before anything is compared, and the weights are
those of the site at hand, never of a store.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import squareform

from graphmem_induction.slots import Span
from graphmem_induction.template_align import Array, align_many
from graphmem_induction.template_words import SMALL, skeleton

#: How alike two groups are on average that become one. WebArena's other sites choose the same value for every site that is
#: left out (benchmarks.webarena_slots).
THRESHOLD = 0.60
#: What a matched word weighs beside its rarity; how much of that where it is a small word ("the", "of"); and how much more
#: the first words of an instruction weigh: they say what is to be done.
_WEIGHT, _SMALL, _FIRST, _FADES = 0.6, 0.3, 1.0, 2.0
#: What a word weighs at least that so many of a site's instructions have.
_LEAST, _COMMON = 1.0, 8
#: What a gap costs, that at the beginning more, and for each bit of rarity of the words in it, up to so much.
_GAP, _BEGINS, _WORDS, _LONG = 2.0, 2.5, 0.1, 3.0
#: What it costs that one instruction goes on where the other has ended, by a further thing to do: those are two tasks.
_FURTHER = 1000.0
_GOES_ON = frozenset({"and", "then"})
#: The share of likeness that what the steps did decides.
_STEPS = 0.1
#: Pairs whose common words weigh less than this share of the heavier one are not aligned: they are not alike.
_SHARED = 0.1
#: On a site with more instructions than this, pairs must share so much to be aligned: comparing all would take minutes.
_MANY, _SHARED_OF_MANY = 2000, 0.4
#: Rows and pairs that are looked at together, and cells of their tables.
_BLOCK, _PAIRS, _CELLS = 512, 4096, 4_000_000


@dataclass(frozen=True)
class Told:
    """What a recording says of its task. ``typed`` and ``chosen``: where the instruction has what its steps typed, and the
    names that they chose by; ``did``: what the steps did, without values; ``known``: a template that the source gave."""

    instruction: str
    typed: tuple[Span, ...] = ()
    chosen: tuple[Span, ...] = ()
    did: frozenset[str] = frozenset()
    known: str = ""

    @cached_property
    def skeleton(self) -> tuple[str, ...]:
        return skeleton(self.instruction, sorted({*self.typed, *self.chosen}))

    @property
    def taken(self) -> tuple[Span, ...]:
        return tuple(sorted({*self.typed, *self.chosen}))


@dataclass(frozen=True)
class Likeness:
    """The ``skeletons`` of a site, in the order of their content, and how alike any two are: a sparse symmetric matrix in
    which pairs that were not compared are missing, so that memory grows with what is compared."""

    skeletons: tuple[tuple[str, ...], ...]
    alike: Any

    def groups(self, threshold: float) -> tuple[int, ...]:
        """The number of the group of each skeleton."""
        return tuple(_linked(self.alike, threshold, len(self.skeletons)))

    def among(self, rows: Sequence[int]) -> Array:
        """How alike these rows are, each with itself entirely; a row may be asked for more than once."""
        found: Array = self.alike[rows][:, rows].toarray()
        asked = np.asarray(rows)
        return np.where(asked[:, None] == asked[None, :], 1.0, found)

    def nearest(self, row: int) -> tuple[int, float]:
        """The row most like this one, of equals the first, and how alike they are; -1 where it was compared with none."""
        own = self.alike[row]
        if not own.nnz:
            return -1, 0.0
        best = own.data.max()
        return int(min(own.indices[own.data == best])), float(best)


def likeness(told: Sequence[Told]) -> Likeness:
    """How alike the instructions of a site are."""
    members: dict[tuple[str, ...], list[Told]] = defaultdict(list)
    for each in told:
        members[each.skeleton].append(each)
    skeletons = tuple(sorted(members))
    return Likeness(skeletons, _alike(skeletons, rarity(skeletons), [members[key] for key in skeletons]))


def rarity(skeletons: Sequence[tuple[str, ...]]) -> dict[str, float]:
    """What each word weighs: the logarithm of how few of the site's instructions have it. A word that many have keeps some
    weight, or nothing would hold together the task of a site where everybody does the same."""
    having = Counter(word for each in skeletons for word in set(each))
    rare = {word: math.log((len(skeletons) + 1) / count) for word, count in having.items()}
    kept = {word for word, count in having.items() if count >= _COMMON and word not in SMALL}
    return {word: max(weight, _LEAST) if word in kept else weight for word, weight in rare.items()}


@dataclass(frozen=True)
class _Weighed:
    """By word number: rarity, what it weighs where it matches, whether a further thing to do begins with it."""

    rare: Array
    heavy: Array
    going_on: Array


def _alike(skeletons: Sequence[tuple[str, ...]], weights: Mapping[str, float], told: Sequence[list[Told]]) -> Any:
    coded = _coded(skeletons, {word: n for n, word in enumerate(sorted(weights), start=1)})
    weighed = _weighed(weights)
    left, right = _pairs(coded, weighed.heavy)
    lengths = (coded > 0).sum(axis=1)
    order = np.argsort(np.maximum(lengths[left], lengths[right]), kind="stable")
    left, right = left[order], right[order]
    acts = _acts(told)
    values = np.zeros(len(left), np.float32)
    for at in _blocks(lengths[left], lengths[right]):
        said = _likeness(coded, lengths, weighed, left[at], right[at])
        did = np.asarray(acts[left[at]].multiply(acts[right[at]]).sum(axis=1)).ravel()
        values[at] = np.where(said > 0, (1 - _STEPS) * said + _STEPS * did, 0)
    size = (len(skeletons), len(skeletons))
    half = sparse.csr_matrix((values, (left, right)), shape=size)
    return (half + half.T).tocsr()


def _coded(skeletons: Sequence[tuple[str, ...]], numbers: Mapping[str, int]) -> Array:
    """The skeletons as rows of word numbers, padded with 0."""
    coded = np.zeros((len(skeletons), max(map(len, skeletons), default=0)), np.int64)
    for row, each in enumerate(skeletons):
        coded[row, : len(each)] = [numbers[word] for word in each]
    return coded


def _weighed(weights: Mapping[str, float]) -> _Weighed:
    words = sorted(weights)
    rare = np.array([0.0, *(weights[word] for word in words)], np.float32)
    small = np.array([1.0, *(_SMALL if word in SMALL else 1.0 for word in words)], np.float32)
    return _Weighed(rare, (rare + _WEIGHT) * small, np.array([False, *(word in _GOES_ON for word in words)]))


def _blocks(here: Array, there: Array) -> Iterator[slice]:
    """Stretches of pairs, sorted by length, whose tables fit into the memory set aside for them."""
    start = 0
    while start < len(here):
        size = _PAIRS
        while size > 1 and size * _cells(here, there, slice(start, start + size)) > _CELLS:
            size //= 2
        yield slice(start, start + size)
        start += size


def _cells(here: Array, there: Array, at: slice) -> int:
    return int(here[at].max() + 1) * int(there[at].max() + 1)


def _pairs(coded: Array, weights: Array) -> tuple[Array, Array]:
    """Pairs of rows whose common words weigh enough, the first before the second."""
    shape = (len(coded), len(weights))
    rows, places = np.nonzero(coded)
    held = sparse.csr_matrix((np.ones(len(rows), np.float32), (rows, coded[rows, places])), shape=shape)
    held.data[:] = 1.0
    weighed = held.multiply(weights[None, :]).tocsr()
    total = np.asarray(weighed.sum(axis=1)).ravel()
    least = _SHARED if len(coded) <= _MANY else _SHARED_OF_MANY
    left, right = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for start in range(0, len(coded), _BLOCK):
        common = (weighed[start : start + _BLOCK] @ held.T).toarray()
        enough = common >= least * np.maximum(total[start : start + _BLOCK, None], total[None, :])
        i, j = np.nonzero(enough)
        left.append(i[i + start < j] + start)
        right.append(j[i + start < j])
    return np.concatenate(left), np.concatenate(right)


def _likeness(coded: Array, lengths: Array, weighed: _Weighed, left: Array, right: Array) -> Array:
    """How alike the pairs of rows are by their words, in [0, 1]."""
    wide, high = int(lengths[left].max()), int(lengths[right].max())
    one, other = coded[left, :wide], coded[right, :high].copy()
    other[other == 0] = -1
    rare, going_on = weighed.rare, weighed.going_on
    found = align_many(one, other, rare + _WEIGHT)
    matched = found >= 0
    lead = 1 + _FIRST * np.exp(-np.arange(max(wide, high)) / _FADES)
    both = (lead[:wide][None, :] + lead[np.maximum(found, 0)]) / 2
    gained = (weighed.heavy[one] * both * matched).sum(axis=1)
    cost = _gap_costs(found, lengths[left], lengths[right], rare[one], rare[np.maximum(other, 0)])
    cost += _FURTHER * _further(found, lengths[left], lengths[right], going_on[one], going_on[np.maximum(other, 0)])
    return np.asarray(gained / (gained + cost + 1e-9), np.float32)


def _further(found: Array, here: Array, there: Array, going_on: Array, going_on_there: Array) -> Array:
    """Whether one side ends with "and ..." after all that the other says."""
    pairs, wide = found.shape
    every = np.arange(pairs)
    matched = found >= 0
    last = np.where(matched.any(axis=1), wide - 1 - matched[:, ::-1].argmax(axis=1), -1)
    last_there = np.where(last >= 0, found[every, np.maximum(last, 0)], -1)
    more, more_there = here - last - 1, there - last_there - 1
    says = going_on[every, np.minimum(last + 1, wide - 1)]
    says_there = going_on_there[every, np.minimum(last_there + 1, going_on_there.shape[1] - 1)]
    ends = ((more > 2) & (more_there == 0) & says) | ((more_there > 2) & (more == 0) & says_there)
    return np.asarray(ends | _other_clause(found, here, there, going_on))


def _other_clause(found: Array, here: Array, there: Array, going_on: Array) -> Array:
    """Whether after an "and" of both sides, with more to come, each goes on with two words that the other does not say:
    one goes on to check in, the other to change a seat."""
    pairs, wide = found.shape
    if wide < 3:
        return np.zeros(pairs, bool)
    joins = (found[:, :-2] >= 0) & going_on[:, :-2]
    alone = (found[:, 1:-1] < 0) & (found[:, 2:] < 0)
    place = found[:, :-2]
    taken = np.zeros((pairs, int(there.max()) + 3), bool)
    rows, places = np.nonzero(found >= 0)
    taken[rows, found[rows, places]] = True
    every = np.arange(pairs)[:, None]
    at = np.maximum(place, 0)
    alone_there = ~taken[every, at + 1] & ~taken[every, at + 2]
    left = np.arange(wide - 2)[None, :] + 2 < here[:, None]
    left_there = place + 2 < there[:, None]
    return np.asarray((joins & alone & alone_there & left & left_there).any(axis=1))


def _gap_costs(found: Array, here: Array, there: Array, rare: Array, rare_there: Array) -> Array:
    """The cost of all gaps of each pair: a walk over the places of the left side, one past its end included."""
    pairs, wide = found.shape
    sums = np.concatenate([np.zeros((pairs, 1)), rare.cumsum(axis=1)], axis=1)
    sums_there = np.concatenate([np.zeros((pairs, 1)), rare_there.cumsum(axis=1)], axis=1)
    every = np.arange(pairs)
    before, other = np.full(pairs, -1), np.full(pairs, -1)
    cost = np.zeros(pairs)
    for place in range(wide + 1):
        last = here == place
        at = np.where(last, there, found[:, place] if place < wide else -1)
        ends = last | ((at >= 0) & (place < here))
        inner, outer = place - before - 1, at - other - 1
        open_ = ends & ((inner > 0) | (outer > 0))
        words = sums[every, min(place, wide)] - sums[every, before + 1]
        words = (
            words
            + sums_there[every, np.maximum(at, 0)]
            - sums_there[every, np.clip(other + 1, 0, sums_there.shape[1] - 1)]
        )
        cost += open_ * (_GAP + np.where(before < 0, _BEGINS, 0.0) + np.minimum(_WORDS * words, _LONG))
        before, other = np.where(ends, place, before), np.where(ends, at, other)
    return cost


def _acts(told: Sequence[list[Told]]) -> Any:
    """What the steps did, a row of length one for each instruction; an act weighs by how few of the site's tasks do it."""
    acts = sorted({act for each in told for one in each for act in one.did})
    number = {act: n for n, act in enumerate(acts)}
    shares = [Counter(act for one in each for act in one.did) for each in told]
    rows = [row for row, share in enumerate(shares) for _ in share]
    columns = [number[act] for share in shares for act in sorted(share)]
    data = [share[act] / len(told[row]) for row, share in enumerate(shares) for act in sorted(share)]
    done = sparse.csr_matrix((data, (rows, columns)), shape=(len(told), len(acts)), dtype=np.float32)
    doing = np.maximum(np.asarray((done > 0).sum(axis=0)).ravel(), 1)
    done = done.multiply(np.log((len(told) + 1) / doing)[None, :]).tocsr()
    length = np.sqrt(np.asarray(done.multiply(done).sum(axis=1)).ravel())
    return sparse.diags(1 / np.where(length > 0, length, 1)).dot(done).tocsr()


def _linked(alike: Any, threshold: float, size: int) -> list[int]:
    """The number of the group of each row, by average linkage. A group holds a pair above the threshold, so that only what
    such pairs connect need be looked at together."""
    groups, n = [0] * size, 0
    for rows in _connected(alike >= threshold, size):
        for own in _clusters(alike[rows][:, rows].toarray(), threshold):
            n += 1
            for row in own:
                groups[rows[row]] = n
    return groups


def _connected(near: Any, size: int) -> list[list[int]]:
    if not size:
        return []
    _, labels = connected_components(near, directed=False)
    rows: dict[int, list[int]] = defaultdict(list)
    for row, label in enumerate(labels.tolist()):
        rows[label].append(row)
    return list(rows.values())


def _clusters(alike: Array, threshold: float) -> list[list[int]]:
    if len(alike) == 1:
        return [[0]]
    far = 1.0 - alike.astype(np.float64)
    np.fill_diagonal(far, 0.0)
    labels = fcluster(linkage(squareform(far, checks=False), "average"), 1.0 - threshold, "distance")
    rows: dict[int, list[int]] = defaultdict(list)
    for row, label in enumerate(labels.tolist()):
        rows[label].append(row)
    return list(rows.values())
