"""A grammar of routines over plain symbols: what compression works on, whatever the symbols stand for.

A symbol is a number, and has a class (what kind of step it is) beside its name. A rule's body is a tuple of items: symbols,
a name left open (``Open``), parts that some occurrences leave out (``Maybe``), go round (``Repeat``) or do in any order
(``Shuffle``), and other rules (``Use``). Numbers are given by content, so that ties end alike in every order of recordings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, order=True)
class Open:
    """A symbol of this class, whatever its name."""

    cls: int


@dataclass(frozen=True)
class Maybe:
    item: Item


@dataclass(frozen=True)
class Repeat:
    """Once or more."""

    body: Body


@dataclass(frozen=True)
class Shuffle:
    """Each of these once, in any order; sorted."""

    parts: Body


@dataclass(frozen=True)
class Use:
    rule: int


Item: TypeAlias = int | Open | Maybe | Repeat | Shuffle | Use
Body: TypeAlias = tuple[Item, ...]
Rules: TypeAlias = dict[int, Body]


def flat(body: Iterable[Item], rules: Mapping[int, Body]) -> Body:
    """The body with all rules that it uses written out."""
    done: list[Item] = []
    for item in body:
        match item:
            case Use(rule):
                done += flat(rules[rule], rules)
            case Maybe(inner):
                written = flat((inner,), rules)
                done += [Maybe(inner) for inner in written]
            case Repeat(inside):
                done.append(Repeat(flat(inside, rules)))
            case Shuffle(parts):
                done.append(shuffle(flat(parts, rules)))
            case _:
                done.append(item)
    return tuple(done)


def shuffle(parts: Iterable[Item]) -> Shuffle:
    return Shuffle(tuple(sorted(parts, key=repr)))


def uses(body: Iterable[Item]) -> Iterator[int]:
    """The rules that a body uses, as often as it does."""
    for item in body:
        match item:
            case Use(rule):
                yield rule
            case Maybe(inner):
                yield from uses((inner,))
            case Repeat(inside) | Shuffle(inside):
                yield from uses(inside)
            case _:
                pass


@dataclass(frozen=True)
class Occurrence:
    """A rule in a sequence, from ``start`` to before ``end``. ``taken``: for each symbol in it the number of the leaf of the
    flat body that it is, -1 for a step in between that is none of the rule's."""

    rule: int
    start: int
    end: int
    taken: tuple[int, ...]


@dataclass(frozen=True)
class Grammar:
    """``rules`` by number, bodies may use each other; ``places``: for each sequence its occurrences, from left to right."""

    rules: Rules
    places: tuple[tuple[Occurrence, ...], ...]

    def flat(self, rule: int) -> Body:
        return flat(self.rules[rule], self.rules)


def leaves(body: Sequence[Item]) -> list[Item]:
    """The symbols and open names of a flat body, in the order of writing."""
    found: list[Item] = []
    for item in body:
        match item:
            case Maybe(inner):
                found += leaves((inner,))
            case Repeat(inside) | Shuffle(inside):
                found += leaves(inside)
            case _:
                found.append(item)
    return found


def distinct(rules: Rules) -> Rules:
    """The rules without those that say what an earlier one does."""
    by_body: dict[Body, int] = {}
    for rule, body in sorted(rules.items()):
        by_body.setdefault(body, rule)
    return {rule: body for body, rule in by_body.items()}
