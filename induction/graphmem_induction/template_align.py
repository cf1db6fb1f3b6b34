"""Two word sequences laid beside each other: the common words in their order that weigh most, runs rather than crumbs.

Needleman and Wunsch's recurrence with one more state for "the words before matched too", so that opening a run costs
``OPEN``. Many pairs are aligned at once, column by column of the table, in numpy; one pair at a time, for the few pairs whose
slots are looked for, gives the same result (a test holds the two together).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

#: What beginning a run of matched words costs.
OPEN = 0.5
_NEVER = -1e9
_EPS = 1e-4

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"


def align_many(left: Array, right: Array, weights: Array) -> Array:
    """For each row the place in ``right`` of each word of ``left``, or -1. ``left`` (pairs, words) and ``right`` hold word
    numbers, padded with 0 and -1, which match nothing; ``weights`` by word number."""
    best, run = _tables(left, right, weights)
    return _traced(best, run)


def _tables(left: Array, right: Array, weights: Array) -> tuple[Array, Array]:
    pairs, longest = left.shape
    width = right.shape[1]
    best = np.zeros((longest + 1, width + 1, pairs), np.float32)
    run = np.full((longest + 1, width + 1, pairs), _NEVER, np.float32)
    for i in range(1, longest + 1):
        word, weight = left[:, i - 1], weights[left[:, i - 1]]
        for j in range(1, width + 1):
            matched = weight + np.maximum(best[i - 1, j - 1] - OPEN, run[i - 1, j - 1])
            run[i, j] = np.where(word == right[:, j - 1], matched, _NEVER)
            best[i, j] = np.maximum(run[i, j], np.maximum(best[i - 1, j], best[i, j - 1]))
    return best, run


def _traced(best: Array, run: Array) -> Array:
    longest, width, pairs = best.shape
    i, j = np.full(pairs, longest - 1), np.full(pairs, width - 1)
    found = np.full((pairs, longest - 1), -1)
    every, inside = np.arange(pairs), np.zeros(pairs, bool)
    for _ in range(longest + width):
        live = (i > 0) & (j > 0)
        if not live.any():
            break
        value, matched = best[i, j, every], run[i, j, every]
        up, back = np.maximum(i - 1, 0), np.maximum(j - 1, 0)
        match = live & (inside | ((matched >= value - _EPS) & (matched > _NEVER / 2)))
        left = live & ~match & (best[up, j, every] >= value - _EPS)
        found[every[match], i[match] - 1] = j[match] - 1
        stays = (run[up, back, every] >= best[up, back, every] - OPEN) & (run[up, back, every] > _NEVER / 2)
        inside = match & stays
        i = np.where(match | left, i - 1, i)
        j = np.where(match | (live & ~match & ~left), j - 1, j)
    return found


def align(left: Sequence[str], right: Sequence[str], weights: Mapping[str, float]) -> list[int]:
    """The place in ``right`` of each word of ``left``, or -1."""
    wide = len(right)
    best, run = [[0.0] * (wide + 1)], [[_NEVER] * (wide + 1)]
    for word in left:
        weight, above, runs = weights.get(word, 1.0), best[-1], run[-1]
        row, own = [0.0] * (wide + 1), [_NEVER] * (wide + 1)
        for j in range(1, wide + 1):
            value = above[j] if above[j] > row[j - 1] else row[j - 1]
            if word == right[j - 1]:
                opened = above[j - 1] - OPEN
                own[j] = weight + (opened if opened > runs[j - 1] else runs[j - 1])
                value = own[j] if own[j] > value else value
            row[j] = value
        best.append(row)
        run.append(own)
    return _walked(best, run)


def _walked(best: list[list[float]], run: list[list[float]]) -> list[int]:
    i, j, inside = len(best) - 1, len(best[0]) - 1, False
    found = [-1] * i
    while i and j:
        if inside or (run[i][j] >= best[i][j] - _EPS and run[i][j] > _NEVER / 2):
            found[i - 1] = j - 1
            inside = run[i - 1][j - 1] >= best[i - 1][j - 1] - OPEN and run[i - 1][j - 1] > _NEVER / 2
            i, j = i - 1, j - 1
        elif best[i - 1][j] >= best[i][j] - _EPS:
            i -= 1
        else:
            j -= 1
    return found


def gaps(found: Sequence[int], wide: int) -> Iterator[tuple[int, int, int, int]]:
    """What lies between matched words, on either side: (start, end, start in the other, end in the other)."""
    before, other = -1, -1
    for place in range(len(found) + 1):
        if place < len(found) and found[place] < 0:
            continue
        at = found[place] if place < len(found) else wide
        if place - before > 1 or at - other > 1:
            yield before + 1, place, other + 1, at
        before, other = place, at
