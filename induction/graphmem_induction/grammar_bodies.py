"""Rule bodies against each other: written with shorter rules, and merged with their own variants.

Two rules that differ in one thing only are one rule that says so: an item that one of them lacks is a ``Maybe``, names of one
class at one place are an ``Open``, the same items in another order are a ``Shuffle``, one round more or fewer is a ``Repeat``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations

from graphmem_induction.grammar import Body, Item, Maybe, Open, Repeat, Rules, Shuffle, Use, leaves, shuffle

_FEWEST_FILLERS = 3
#: The most items in a group of any order.
_LARGEST_GROUP = 4


def ends(pattern: Body, body: Body, at: int) -> Iterator[int]:
    """Where ``pattern`` can end in ``body`` from ``at``: written as it is there, or one way to do it."""
    if not pattern:
        yield at
        return
    head, rest = pattern[0], pattern[1:]
    for end in sorted(set(_item_ends(head, body, at)), reverse=True):
        yield from ends(rest, body, end)


def _item_ends(item: Item, body: Body, at: int) -> Iterator[int]:
    if at < len(body) and body[at] == item:
        yield at + 1
    match item:
        case Maybe(inner):
            yield at
            yield from _item_ends(inner, body, at)
        case Repeat(inside):
            waiting = {at}
            while waiting:
                waiting = {end for start in waiting for end in ends(inside, body, start) if end > start}
                yield from waiting
        case Shuffle(parts):
            for order in permutations(parts):
                yield from ends(order, body, at)
        case _:
            pass


def written(rules: Rules) -> Rules:
    """Flat bodies with shorter rules for what those say, the fewest items that do."""
    size = {rule: len(leaves(body)) for rule, body in rules.items()}
    order = sorted(rules, key=lambda r: (size[r], repr(rules[r])))
    first: dict[object, list[int]] = defaultdict(list)
    done: Rules = {}
    for rule in order:
        done[rule] = _shortest(rules[rule], rules, first)
        for item in _firsts(rules[rule]):
            first[item].append(rule)
    return done


def _firsts(body: Body) -> list[Item]:
    """What a body can begin with, as it may stand in another."""
    found: list[Item] = []
    for item in body:
        found.append(item)
        match item:
            case Maybe(inner):
                found += _firsts((inner,))
                continue
            case Repeat(inside):
                found += _firsts(inside)
            case Shuffle(parts):
                found += [first for part in parts for first in _firsts((part,))]
            case _:
                pass
        break
    return found


def _shortest(body: Body, rules: Rules, first: Mapping[object, Sequence[int]]) -> Body:
    best: list[tuple[int, int, Item | None]] = [(0, 0, None)]  # items so far, where the last begins, the last
    best += [(1 << 30, 0, None)] * len(body)
    for at, item in enumerate(body):
        so_far = best[at][0] + 1
        if so_far < best[at + 1][0]:
            best[at + 1] = (so_far, at, item)
        for rule in first.get(item, ()):
            for end in ends(rules[rule], body, at):
                if end > at + 1 and so_far < best[end][0] and not (at == 0 and end == len(body)):
                    best[end] = (so_far, at, Use(rule))
    items: list[Item] = []
    at = len(body)
    while at:
        _, begin, last = best[at]
        assert last is not None
        items.append(last)
        at = begin
    return tuple(reversed(items))


# -- variants ----------------------------------------------------------------------------------------------------------

Merge = tuple[Body, list[int]]


def variants(rules: Rules, *, groups: bool) -> list[Merge]:
    """Rules that could be one, and its flat body. Several merges may name one rule."""
    return [*_with_gaps(rules), *_opened(rules), *(_shuffled(rules) if groups else ()), *_repeated(rules)]


def shared(rules: Rules) -> Rules:
    """Rules that are one way to do a stretch of a larger rule, as that stretch: what is optional there is optional here."""
    by_start: dict[Item, list[int]] = defaultdict(list)
    for rule, body in sorted(rules.items()):
        by_start[body[0]].append(rule)
    changed = dict(rules)
    for body in sorted(rules.values(), key=lambda b: (len(b), repr(b))):
        controls = [n for n, item in enumerate(body) if isinstance(item, Maybe | Shuffle | Repeat)]
        for start, first in enumerate(body):
            for rule in by_start.get(first, ()) if not isinstance(first, Maybe) else ():
                mine = rules[rule]
                if changed[rule] != mine or len(mine) >= len(body):
                    continue
                for end in range(start + 2, min(start + 2 * len(mine), len(body)) + 1):
                    window = body[start:end]
                    if isinstance(window[-1], Maybe) or window == mine or not any(start < n < end for n in controls):
                        continue
                    if len(mine) in set(ends(window, mine, 0)):
                        changed[rule] = window
                        break
    return changed


def _with_gaps(rules: Rules) -> Iterator[Merge]:
    by_body = {body: rule for rule, body in rules.items()}
    for rule, body in sorted(rules.items()):
        for n, item in enumerate(body):
            if isinstance(item, Maybe) or len(body) < 3:
                continue
            shorter = by_body.get(body[:n] + body[n + 1 :])
            if shorter is not None:
                yield (*body[:n], Maybe(item), *body[n + 1 :]), [rule, shorter]
    for rule, body in sorted(rules.items()):
        for n, item in enumerate(body):
            if isinstance(item, Maybe):
                same = [by_body.get(body[:n] + body[n + 1 :]), by_body.get((*body[:n], item.item, *body[n + 1 :]))]
                others = [other for other in same if other is not None]
                if others:
                    yield body, [rule, *others]


def _opened(rules: Rules) -> Iterator[Merge]:
    by_frame: dict[tuple[Body, Body], list[int]] = defaultdict(list)
    for rule, body in sorted(rules.items()):
        for n, item in enumerate(body):
            if isinstance(item, int | Open):
                by_frame[body[:n], body[n + 1 :]].append(rule)
    for (before, after), group in by_frame.items():
        if len(group) > 1:
            yield (*before, Open(-1), *after), group


def opened(before: Body, after: Body, group: Sequence[int], rules: Rules, classes: Sequence[int]) -> Iterator[Merge]:
    """The rules of a frame, by class: those that several names fill, or that one leaves open already."""
    place = len(before)
    by_class: dict[int, list[int]] = defaultdict(list)
    for rule in group:
        item = rules[rule][place]
        by_class[item.cls if isinstance(item, Open) else classes[item]].append(rule)  # type: ignore[index]
    for cls, members in sorted(by_class.items()):
        has_open = any(isinstance(rules[rule][place], Open) for rule in members)
        if len(members) > 1 and (has_open or len(members) >= _FEWEST_FILLERS):
            yield (*before, Open(cls), *after), members


def _shuffled(rules: Rules) -> Iterator[Merge]:
    """Rules that are alike but for the order of one stretch of two to four items."""
    by_frame: dict[tuple[Body, tuple[str, ...], Body], list[int]] = defaultdict(list)
    for rule, body in sorted(rules.items()):
        for size in range(2, _LARGEST_GROUP + 1):
            for at in range(len(body) - size + 1):
                middle = body[at : at + size]
                if all(isinstance(item, int | Open) for item in middle):
                    by_frame[body[:at], tuple(sorted(map(repr, middle))), body[at + size :]].append(rule)
            for at, item in enumerate(body):
                if isinstance(item, Shuffle) and len(item.parts) == size:
                    by_frame[body[:at], tuple(sorted(map(repr, item.parts))), body[at + 1 :]].append(rule)
    for (before, items, after), group in by_frame.items():
        if len(group) > 1 and len(set(items)) == len(items):
            one = rules[group[0]]
            middle = one[len(before) : len(one) - len(after)]
            parts = [part for item in middle for part in (item.parts if isinstance(item, Shuffle) else (item,))]
            yield (*before, shuffle(parts), *after), group


def _repeated(rules: Rules) -> Iterator[Merge]:
    """A rule with a loop in it, and its variant that writes one round out."""
    by_body = {body: rule for rule, body in rules.items()}
    for rule, body in sorted(rules.items()):
        for n, item in enumerate(body):
            if isinstance(item, Repeat):
                for rounds in (1, 2):
                    once = by_body.get((*body[:n], *item.body * rounds, *body[n + 1 :]))
                    if once is not None:
                        yield body, [rule, once]
