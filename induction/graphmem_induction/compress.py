"""Stage 5, compress: shared sub-routines by description length.

A subtask is worth a node when naming it makes the site's ways shorter to write down. The code length is that of all calls
of all ways and routine bodies, with the end of each, as one Dirichlet-multinomial (KT estimator, alpha 1/2): it depends on
counts only, so on no order; replacing a run of calls by a name changes the counts of these calls, of the name and of END,
so its gain is exact and cheap. Two calls that merely follow each other as often as chance has it save nothing.

Rounds: the runs of calls that two different sequences share are scored, the best ones that do not touch each other are
named, and the search goes on in the rewritten sequences and in the new bodies, so that routines call routines: AWM's
snowball (Agent Workflow Memory, section 4.3) as edges.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import lgamma, log

from graphmem.model.workflow import Parameter
from graphmem_induction.program import Arg, Call, Proto, Ref, Routine, unfolded
from graphmem_induction.slot_names import slot_name, unique

#: The longest run of calls that is looked for in one round; longer routines grow over rounds.
LONGEST = 12
_ALPHA = 0.5
_END = -1

Gram = tuple[int, ...]


@dataclass
class Sequences:
    """All sequences being compressed: the ways first, then the body of each routine found."""

    bodies: list[list[Call]]
    types: list[dict[str, str]]
    names: dict[Proto | Routine, int]

    def symbols(self, body: Sequence[Call]) -> list[int]:
        return [self.names.setdefault(call.node, len(self.names)) for call in body]


def compress(bodies: Sequence[tuple[Call, ...]], types: Sequence[Mapping[str, str]]) -> list[tuple[Call, ...]]:
    """The bodies rewritten as calls of shared routines. ``types``: the types of each body's parameters."""
    work = Sequences([list(body) for body in bodies], [dict(t) for t in types], {})
    made: dict[Routine, int] = {}
    while True:
        symbols = [work.symbols(body) for body in work.bodies]
        chosen = _chosen(symbols, {n: node.order for node, n in work.names.items()})
        if not chosen:
            break
        for gram in chosen:
            _name(work, gram, made)
    return _finished(work, len(bodies), made)


# -- what pays ---------------------------------------------------------------------------------------------------------


def _chosen(symbols: Sequence[Sequence[int]], order: Mapping[int, str]) -> list[Gram]:
    """The runs of calls to name in this round: those that pay most, no two of which share a call."""
    counts = Counter(symbol for body in symbols for symbol in body)
    counts[_END] = len(symbols)
    alphabet, total = len(counts), sum(counts.values())
    paying = []
    for gram, occurrences in _shared(symbols).items():
        gain = _gain(gram, occurrences, counts, alphabet, total)
        if gain > 0:
            paying.append((-gain, -len(gram), [order[s] for s in gram], gram))
    chosen: list[Gram] = []
    used: set[int] = set()
    for *_, gram in sorted(paying):
        if used.isdisjoint(gram):
            chosen.append(gram)
            used.update(gram)
    return chosen


def _shared(symbols: Sequence[Sequence[int]]) -> dict[Gram, int]:
    """Runs of two to ``LONGEST`` calls in two or more sequences, with how often they occur without overlap."""
    where: dict[Gram, set[int]] = defaultdict(set)
    alive: set[Gram] = {(s,) for s, n in Counter(s for body in symbols for s in set(body)).items() if n > 1}
    for length in range(2, LONGEST + 1):
        found: dict[Gram, set[int]] = defaultdict(set)
        for n, body in enumerate(symbols):
            for at in range(len(body) - length + 1):
                gram = tuple(body[at : at + length])
                # A run is shared only where both shorter runs in it are.
                if gram[:-1] in alive and gram[1:] in alive:
                    found[gram].add(n)
        alive = {gram for gram, bodies in found.items() if len(bodies) > 1}
        where.update({gram: found[gram] for gram in alive})
        if not alive:
            break
    return {gram: sum(len(_places(symbols[n], gram)) for n in bodies) for gram, bodies in where.items()}


def _places(body: Sequence[int], gram: Gram) -> list[int]:
    places, at = [], 0
    while at <= len(body) - len(gram):
        if tuple(body[at : at + len(gram)]) == gram:
            places.append(at)
            at += len(gram)
        else:
            at += 1
    return places


def _gain(gram: Gram, occurrences: int, counts: Mapping[int, int], alphabet: int, total: int) -> float:
    """Bits saved by naming ``gram``: it stays once, as a body with its own END, and ``occurrences`` calls come of it."""
    inside = Counter(gram)
    before = _length(total, alphabet) - _terms(counts[s] for s in inside) - _terms([counts[_END]])
    after_total = total - (occurrences - 1) * len(gram) + occurrences + 1
    after = (
        _length(after_total, alphabet + 1)
        - _terms(counts[s] - (occurrences - 1) * times for s, times in inside.items())
        - _terms([occurrences, counts[_END] + 1])
    )
    return before - after


def _length(total: int, alphabet: int) -> float:
    """log2 of the normaliser of a Dirichlet-multinomial over ``alphabet`` symbols."""
    return (lgamma(total + alphabet * _ALPHA) - lgamma(alphabet * _ALPHA)) / log(2)


def _terms(counts: Iterable[int]) -> float:
    return sum((lgamma(n + _ALPHA) - lgamma(_ALPHA)) / log(2) for n in counts)


# -- naming a run ------------------------------------------------------------------------------------------------------


def _name(work: Sequences, gram: Gram, made: dict[Routine, int]) -> None:
    """Replace every occurrence of ``gram`` by a call of one routine, and add the routine's body to the sequences."""
    found = [(n, at) for n, body in enumerate(work.bodies) for at in _places(work.symbols(body), gram)]
    if len({n for n, _ in found}) < 2:
        return
    blocks = [work.bodies[n][at : at + len(gram)] for n, at in found]
    routine, calls = unify(blocks, [work.types[n] for n, _ in found])
    for (n, at), call in sorted(zip(found, calls, strict=True), key=lambda pair: (pair[0][0], -pair[0][1])):
        work.bodies[n][at : at + len(gram)] = [call]
    if routine in made:
        return
    made[routine] = len(work.bodies)
    work.bodies.append(list(routine.children))
    work.types.append({param.name: param.type for param in routine.params})


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


# -- the end -----------------------------------------------------------------------------------------------------------


def _finished(work: Sequences, ways: int, made: Mapping[Routine, int]) -> list[tuple[Call, ...]]:
    """The ways with routines whose own bodies are rewritten too; a routine that is called once only is unfolded."""
    calls = Counter(call.node for body in work.bodies for call in body if isinstance(call.node, Routine))
    final: dict[Routine, Routine] = {}

    def settled(body: Sequence[Call]) -> tuple[Call, ...]:
        done: list[Call] = []
        for call in body:
            node = call.node
            if not isinstance(node, Routine) or node not in made:
                done.append(call)
            elif calls[node] < 2:
                done += unfolded(settled(work.bodies[made[node]]), call)
            else:
                if node not in final:
                    final[node] = replace(node, children=settled(work.bodies[made[node]]))
                done.append(replace(call, node=final[node]))
        return tuple(done)

    return [settled(work.bodies[n]) for n in range(ways)]
