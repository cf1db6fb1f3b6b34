"""What the occurrences of rules say of them: what is noise, what is optional, which rules are one.

A step in a gap of a rule is noise unless it stands there far more often than noise does; a part that occurrences leave out
again and again is optional; rules that differ in one thing are one rule that says so, where that is as short to write.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import factorial, log2

from graphmem_induction.grammar import Body, Item, Maybe, Open, Rules, Shuffle, Use, distinct, flat, leaves
from graphmem_induction.grammar_bodies import opened, variants, written
from graphmem_induction.grammar_code import weight
from graphmem_induction.grammar_parse import Evidence

#: Bits against chance from which something in a gap is no noise.
_SURE = 16.0
#: What fewer occurrences than this share have is noise in them, however often.
RARE = 0.12
#: A name that fills more than this share of a place is the place's own name.
_OWN_NAME = 0.5


@dataclass(frozen=True)
class Noise:
    """How likely a gap of a rule holds a foreign symbol, and how likely each is that symbol."""

    rate: float
    share: Sequence[float]
    of_class: Mapping[int, float]

    def expects(self, item: Item) -> float:
        match item:
            case -1:  # the most frequent one, before or after the step that it repeats
                return 2 * self.rate * max(self.share, default=0.0)
            case int():
                return self.rate * self.share[item]
            case Open(cls):
                return self.rate * self.of_class.get(cls, 0.0)
            case _:
                return self.rate / 100

    def explains(self, item: Item, times: int, there: int) -> bool:
        """Whether ``item`` stands in a gap no more often than noise has it, for all that ``times`` looks can say."""
        expected = min(max(self.expects(item), 1e-6), 0.5)
        if there <= max(expected, RARE) * times:
            return True
        return _divergence(there, times, expected) < _SURE


def _divergence(there: int, times: int, expected: float) -> float:
    """Bits by which ``there`` of ``times`` tells against a share of ``expected``."""
    absent = times - there
    bits = there * log2(there / (times * expected)) if there else 0.0
    return bits + (absent * log2(absent / (times * (1 - expected))) if absent else 0.0)


def noise_in(sequences: Sequence[Sequence[int]], classes: Sequence[int], seen: Mapping[int, Evidence]) -> Noise:
    counts = Counter(symbol for sequence in sequences for symbol in sequence)
    total = sum(counts.values())
    foreign = sum(sum(record.foreign.values()) for record in seen.values())
    gaps = sum(record.gaps for record in seen.values())
    of_class: Counter[int] = Counter()
    for symbol, n in counts.items():
        of_class[classes[symbol]] += n
    share = [counts[s] / total for s in range(len(classes))]
    return Noise((foreign + 1) / (gaps + 50), share, {c: n / total for c, n in of_class.items()})


def _seams(rules: Rules) -> dict[int, set[int]]:
    """For each rule the items at which one rule that it uses ends and another begins."""
    bodies = written(rules)
    seams: dict[int, set[int]] = {}
    for rule, body in bodies.items():
        at, found = 0, set()
        for one, other in pairwise(body):
            at += len(flat((one,), bodies))
            if isinstance(one, Use) and isinstance(other, Use):
                found.add(at)
        seams[rule] = found
    return seams


def declared(rules: Rules, seen: Mapping[int, Evidence], noise: Noise, *, more: bool) -> Rules:
    """Bodies as the evidence has them: what is left out again and again, or comes in one gap again and again, is a ``Maybe``;
    what is no more than noise is none, and an open name that is nearly always one name is that name."""
    changed = {}
    seams = _seams(rules)
    for rule, body in rules.items():
        record = seen.get(rule)
        if record and record.times > 3:
            body = _declared_body(body, record, noise, seams[rule], more=more)
        changed[rule] = body
    return distinct({rule: body for rule, body in changed.items() if len(body) > 1})


def _declared_body(body: Body, record: Evidence, noise: Noise, seams: set[int], *, more: bool) -> Body:
    items: list[Item] = []
    leaf, last = 0, len(body) - 1
    for n, item in enumerate(body):
        left_out, there = record.missing[leaf], record.times - record.missing[leaf]
        width = len(leaves((item,)))
        if isinstance(item, Maybe):
            if noise.explains(item.item, record.times, there):
                leaf += width
                continue
            items.append(Maybe(_closed(item.item, record, leaf)) if left_out * 25 > record.times else item.item)
        elif more and isinstance(item, int | Open) and 0 < n < last and left_out > 2 and left_out * 12 > record.times:
            items.append(Maybe(_closed(item, record, leaf)))
        else:
            items.append(_closed(item, record, leaf))
        leaf += width
        if more and n < last and isinstance(item, int | Open) and n + 1 not in seams:
            extra = _regular(record, leaf - 1, noise)
            if extra is not None and extra not in (item, body[n + 1], _inner(body[n + 1])):
                items.append(Maybe(extra))
    return tuple(items)


def _inner(item: Item) -> Item:
    return item.item if isinstance(item, Maybe) else item


def _closed(item: Item, record: Evidence, leaf: int) -> Item:
    if not isinstance(item, Open) or not record.names.get(leaf):
        return item
    name, times = min(record.names[leaf].items(), key=lambda pair: (-pair[1], pair[0]))
    return name if times > _OWN_NAME * sum(record.names[leaf].values()) else item


def _regular(record: Evidence, leaf: int, noise: Noise) -> int | None:
    """The symbol that stands after a leaf far more often than noise would."""
    here = {symbol: n for (after, symbol), n in record.foreign.items() if after == leaf}
    if not here:
        return None
    symbol, times = min(here.items(), key=lambda pair: (-pair[1], pair[0]))
    return symbol if times * 8 > record.times and not noise.explains(symbol, record.times, times) else None


# -- merging -----------------------------------------------------------------------------------------------------------


def merged(rules: Rules, seen: Mapping[int, Evidence], classes: Sequence[int], noise: Noise, *, groups: bool) -> Rules:
    """Rules that differ in one thing as one, as long as there are such."""
    for _ in range(6):
        candidates = []
        for body, members in variants(rules, groups=groups):
            if Open(-1) in body:
                at = body.index(Open(-1))
                candidates += list(opened(body[:at], body[at + 1 :], members, rules, classes))
            else:
                candidates.append((body, members))
        ranked = sorted(candidates, key=lambda m: (-len(m[1]), -len(m[0]), repr(m[0])))
        touched: set[int] = set()
        seams = _seams(rules)
        for body, members in ranked:
            if touched.isdisjoint(members) and _may_merge(body, members, rules, seams, seen, noise):
                touched |= set(members)
                keep = min(members)
                for member in members:
                    rules = {r: b for r, b in rules.items() if r != member}
                rules[keep] = body
        if not touched:
            return rules
        rules = distinct(rules)
    return rules


def _may_merge(
    body: Body,
    members: Sequence[int],
    rules: Rules,
    seams: Mapping[int, set[int]],
    seen: Mapping[int, Evidence],
    noise: Noise,
) -> bool:
    times = {m: seen[m].times if m in seen else 0 for m in members}
    if min(times.values()) < 1:
        return False
    whole = sum(times.values())
    for n, item in enumerate(body):
        owned = [m for m in members if len(rules[m]) == len(body) and isinstance(rules[m][n], int)]
        if isinstance(item, Open) and any(times[m] > _OWN_NAME * whole for m in owned):
            return False
        if isinstance(item, Shuffle) and not any(item in rules[m] for m in members):
            # Saying the order each time must cost less than a body and a share of its own for each order.
            shares = weight(whole) - sum(weight(m) for m in times.values())
            bodies = 7.0 * len(body) * (len(members) - 1)
            if shares + bodies < whole * log2(factorial(len(item.parts))):
                return False
        if isinstance(item, Maybe) and item not in rules[members[0]]:
            if n in (0, len(body) - 1) or n in seams[members[1]]:
                return False
            if noise.explains(item.item, whole, times[members[0]]):
                return False
    return True
