"""Stage 5, compress: shared sub-routines by description length.

A subtask is worth a node when naming it makes the site's ways shorter to write down. The code length is that of all calls
of all ways and routine bodies, with the end of each, as Dirichlet-multinomials (KT estimator, alpha 1/2): it depends on
counts only, so on no order. Two calls that merely follow each other as often as chance has it save nothing.

The search works on plain symbols (grammar_learn.py): pairs and runs that pay, a parse that sees a routine through the noise
in it, variants merged, what does not pay dropped. Here its rules become routines that call routines (AWM's snowball, Agent
Workflow Memory, section 4.3, as edges) and its places become calls with bindings. An occurrence with another step in it stays
written out, so that expanding a way gives its recordings back.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphmem.model.workflow import Parameter
from graphmem_induction.generalise import optional
from graphmem_induction.grammar import Body, Grammar, Item, Maybe, Occurrence, Rules, Use, uses
from graphmem_induction.grammar_learn import learn
from graphmem_induction.program import Arg, Call, Proto, Ref, Routine
from graphmem_induction.slot_names import slot_name, unique


def compress(bodies: Sequence[tuple[Call, ...]], types: Sequence[Mapping[str, str]]) -> list[tuple[Call, ...]]:
    """The bodies rewritten as calls of shared routines. ``types``: the types of each body's parameters."""
    nodes = sorted({call.node for body in bodies for call in body}, key=lambda node: node.order)
    number = {node: n for n, node in enumerate(nodes)}
    sequences = [[number[call.node] for call in body] for body in bodies]
    # Every call is a class of its own: what a name leaves open has been decided where the slots were found.
    found = learn(sequences, range(len(nodes)), foreign=False, groups=False)
    return _Folding(bodies, types, _settled(found, bodies, sequences)).ways()


# -- from rules to routines --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Place:
    """A rule somewhere in a way: ``inner`` are the rules in it, ``items`` what it is made of: the index of a call in the way, a
    place inside, or None for a part that is left out."""

    rule: int
    start: int
    end: int
    items: tuple[int | _Place | None, ...]


_Tops = list[list[int | _Place]]


def _settled(
    found: Grammar, bodies: Sequence[Sequence[Call]], sequences: Sequence[Sequence[int]]
) -> tuple[Rules, _Tops]:
    """The rules that are worth a routine, and the ways in terms of them: called from two places, in two ways or more."""
    rules = dict(found.rules)
    tops: _Tops = []
    has_args = {
        n for body, s in zip(bodies, sequences, strict=True) for call, n in zip(body, s, strict=True) if call.args
    }
    for sequence, places in zip(sequences, found.places, strict=True):
        tops.append(_top(sequence, places, rules, has_args))
    while lonely := _lonely(tops, rules):
        for rule in lonely:
            body = rules.pop(rule)
            rules = {r: tuple(_instead(b, rule, body)) for r, b in rules.items()}
        tops = [_dissolved(top, lonely) for top in tops]
    return rules, tops


def _top(sequence: Sequence[int], places: Sequence[Occurrence], rules: Rules, has_args: set[int]) -> list[int | _Place]:
    top: list[int | _Place] = []
    at = 0
    for one in places:
        top += range(at, one.start)
        place = _placed(Use(one.rule), sequence, one.start, one.end, rules)
        whole = isinstance(place, _Place) and place.end == one.end and not _lacks(place, rules, has_args)
        top += [place] if whole and place is not None else range(one.start, one.end)
        at = one.end
    return [*top, *range(at, len(sequence))]


def _placed(use: Use, sequence: Sequence[int], start: int, end: int, rules: Rules) -> _Place | None:
    """How the steps from ``start`` are the rule, with as much of the rest as fits; None where they are not."""
    for place in _ways_to(use.rule, sequence, start, end, rules):
        if place.end == end:
            return place
    return None


def _ways_to(rule: int, sequence: Sequence[int], start: int, end: int, rules: Rules) -> Iterable[_Place]:
    def items(body: Body, at: int) -> Iterable[tuple[int, tuple[int | _Place | None, ...]]]:
        if not body:
            yield at, ()
            return
        for after, one in parts(body[0], at):
            for last, rest in items(body[1:], after):
                yield last, (one, *rest)

    def parts(item: Item, at: int) -> Iterable[tuple[int, int | _Place | None]]:
        match item:
            case Use(inner):
                for place in _ways_to(inner, sequence, at, end, rules):
                    yield place.end, place
            case Maybe(inside):
                yield from parts(inside, at)
                yield at, None
            case int() if at < end and sequence[at] == item:
                yield at + 1, at

    for last, found in items(rules[rule], start):
        yield _Place(rule, start, last, found)


def _lacks(place: _Place, rules: Rules, has_args: set[int]) -> bool:
    """Whether a part is left out that has slots: a caller could not say what they are bound to."""
    for item, body_item in zip(place.items, rules[place.rule], strict=True):
        if item is None and isinstance(body_item, Maybe) and body_item.item in has_args:
            return True
        if isinstance(item, _Place) and _lacks(item, rules, has_args):
            return True
    return False


def _lonely(tops: _Tops, rules: Rules) -> set[int]:
    """Rules that are called from one place only, or all in one way."""
    calls: Counter[int] = Counter(used for body in rules.values() for used in uses(body))
    ways: dict[int, set[int]] = defaultdict(set)
    for n, top in enumerate(tops):
        calls.update(item.rule for item in top if isinstance(item, _Place))
        for place in _inside(top):
            ways[place.rule].add(n)
    return {rule for rule in rules if calls[rule] < 2 or len(ways[rule]) < 2}


def _inside(items: Iterable[int | _Place | None]) -> Iterable[_Place]:
    """All places among the items, inner ones first."""
    for item in items:
        if isinstance(item, _Place):
            yield from _inside(item.items)
            yield item


def _instead(body: Body, rule: int, other: Body) -> Iterable[Item]:
    for item in body:
        match item:
            case Use(used) if used == rule:
                yield from other
            case _:
                yield item


def _dissolved(items: Iterable[int | _Place | None], gone: set[int]) -> list[int | _Place]:
    done: list[int | _Place] = []
    for item in items:
        if isinstance(item, _Place):
            inner = _dissolved_parts(item.items, gone)
            done += (
                [i for i in inner if i is not None]
                if item.rule in gone
                else [_Place(item.rule, item.start, item.end, inner)]
            )
        elif item is not None:
            done.append(item)
    return done


def _dissolved_parts(items: Iterable[int | _Place | None], gone: set[int]) -> tuple[int | _Place | None, ...]:
    done: list[int | _Place | None] = []
    for item in items:
        done += _dissolved([item], gone) if isinstance(item, _Place) else [item]
    return tuple(done)


class _Folding:
    """Makes the routines, inner ones first, each from all its places at once, and with them the ways."""

    def __init__(
        self, bodies: Sequence[tuple[Call, ...]], types: Sequence[Mapping[str, str]], settled: tuple[Rules, _Tops]
    ) -> None:
        self.bodies, self.types = bodies, types
        self.rules, self.tops = settled
        self.calls: dict[tuple[int, _Place], Call] = {}

    def ways(self) -> list[tuple[Call, ...]]:
        places: dict[int, list[tuple[int, _Place]]] = defaultdict(list)
        for n, top in enumerate(self.tops):
            for place in _inside(top):
                places[place.rule].append((n, place))
        for rule in sorted(places, key=lambda rule: (_depth(rule, self.rules), rule)):
            self._routine(rule, places[rule])
        return [tuple(self._call(n, item) for item in top) for n, top in enumerate(self.tops)]

    def _call(self, way: int, item: int | _Place) -> Call:
        return self.bodies[way][item] if isinstance(item, int) else self.calls[way, item]

    def _routine(self, rule: int, places: Sequence[tuple[int, _Place]]) -> None:
        body = self.rules[rule]
        known = [
            next((self._call(n, item) for n, p in places if (item := p.items[k]) is not None), None)
            for k in range(len(body))
        ]
        kept = [k for k, call in enumerate(known) if call is not None]
        blocks = []
        for n, place in places:
            items = [(place.items[k], known[k]) for k in kept]
            blocks.append([self._call(n, item) if item is not None else call for item, call in items])
        routine, calls = unify(blocks, [self.types[n] for n, _ in places])  # type: ignore[arg-type]
        children = [
            optional([child], {}) if isinstance(body[k], Maybe) else child
            for k, child in zip(kept, routine.children, strict=True)
        ]
        routine = Routine("sequence", tuple(children), routine.params)
        for (n, place), call in zip(places, calls, strict=True):
            self.calls[n, place] = Call(routine, call.args)


def _depth(rule: int, rules: Rules) -> int:
    return 1 + max((_depth(used, rules) for used in uses(rules[rule])), default=0)


def unify(blocks: Sequence[Sequence[Call]], types: Sequence[Mapping[str, str]]) -> tuple[Routine, list[Call]]:
    """One routine that all blocks (equal but for their arguments) are calls of, and these calls.

    Slots that are bound alike in every block are one parameter; a slot that every block binds to the same text keeps it.
    """
    params: list[Parameter] = []
    names: dict[tuple[object, ...], str] = {}
    bound: list[dict[str, Arg]] = [{} for _ in blocks]
    children = []
    for n, call in enumerate(blocks[0]):
        args = []
        for slot, _ in call.args:
            column = [dict(block[n].args)[slot] for block in blocks]
            args.append((slot, _unified(column, call.node, slot, params, names, bound, types)))
        children.append(Call(call.node, tuple(args)))
    calls_args = [tuple(sorted(args.items())) for args in bound]
    routine = Routine("sequence", tuple(children), tuple(params))
    return routine, [Call(routine, args) for args in calls_args]


def _unified(
    column: Sequence[Arg],
    node: Proto | Routine,
    slot: str,
    params: list[Parameter],
    names: dict[tuple[object, ...], str],
    bound: list[dict[str, Arg]],
    types: Sequence[Mapping[str, str]],
) -> Arg:
    first = column[0]
    if not isinstance(first, Ref) and all(arg == first for arg in column):
        return first
    transforms = {arg.transform for arg in column if isinstance(arg, Ref)}
    inner = transforms.pop() if len(transforms) == 1 and all(isinstance(arg, Ref) for arg in column) else ""
    outer: list[Arg] = [Ref(arg.slot) if inner and isinstance(arg, Ref) else arg for arg in column]
    same = tuple(outer)
    if same not in names:
        name = unique(_param_name(outer, node, slot), {param.name for param in params})
        names[same] = name
        params.append(Parameter(name, _param_type(outer, types)))
        for args, arg in zip(bound, outer, strict=True):
            args[name] = arg
    return Ref(names[same], inner)


def _param_name(column: Sequence[Arg], node: Proto | Routine, slot: str) -> str:
    """What all callers call it, else what the field is called."""
    callers = {arg.slot for arg in column if isinstance(arg, Ref)}
    if len(callers) == 1 and all(isinstance(arg, Ref) for arg in column):
        return callers.pop()
    return slot_name(node, slot)


def _param_type(column: Sequence[Arg], types: Sequence[Mapping[str, str]]) -> str:
    seen = {t.get(a.slot, "text") if isinstance(a, Ref) else "text" for a, t in zip(column, types, strict=True)}
    return seen.pop() if len(seen) == 1 else "text"
