"""Code lengths: Dirichlet-multinomials (KT estimator, alpha 1/2) and Pitman-Yor, in bits, on counts alone.

What comes next (a class of symbol, a rule, the end) is one multinomial over sequences and rule bodies together, a name given
its class another: so no order matters, and everything that a rule costs and saves is a difference of a few counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import lgamma, log, log2

ALPHA = 0.5
_LN2 = log(2)
_BASE = lgamma(ALPHA)


@lru_cache(maxsize=1 << 18)
def weight(count: int) -> float:
    """What a symbol seen ``count`` times takes off the normaliser."""
    return (lgamma(count + ALPHA) - _BASE) / _LN2


@lru_cache(maxsize=1 << 18)
def normaliser(total: int, alphabet: int) -> float:
    return (lgamma(total + alphabet * ALPHA) - lgamma(alphabet * ALPHA)) / _LN2


def length(counts: Iterable[int], alphabet: int) -> float:
    """Bits for a sequence with these counts over so many symbols."""
    known = list(counts)
    return normaliser(sum(known), alphabet) - sum(weight(n) for n in known)


@lru_cache(maxsize=1 << 16)
def flags(yes: int, no: int) -> float:
    """Bits for a two-valued sequence."""
    return normaliser(yes + no, 2) - weight(yes) - weight(no)


def fillers(counts: Iterable[int]) -> float:
    """Bits for which of the names so far fills a slot each time, new ones announced (their names cost extra): Pitman-Yor
    with discount and concentration 1/2."""
    total, kinds, bits = 0, 0, 0.0
    for n in counts:
        total += n
        kinds += 1
        bits -= lgamma(n - 0.5) - lgamma(0.5)
    bits += lgamma(total + 0.5) - lgamma(0.5)
    bits -= kinds * log(0.5) + lgamma(kinds + 1.0) - lgamma(1.0)
    return bits / _LN2


def surprise(count: float, total: float, alphabet: int) -> float:
    """Bits for one more of a symbol seen ``count`` times."""
    return log2((total + alphabet * ALPHA) / (count + ALPHA))


def filler(names: Mapping[int, int], total: int, name: int, new: float) -> float:
    """Bits for one more ``name`` in a slot; ``new``: what saying the name costs."""
    seen = names.get(name, 0)
    if seen:
        return log2((total + 0.5) / (seen - 0.5))
    return log2((total + 0.5) / (0.5 + 0.5 * len(names))) + new


def alphabet(names: int) -> int:
    """Names to choose from in a class, the open one counted; where there is one name only, there is nothing to say."""
    return names + 1 if names > 1 else 1
