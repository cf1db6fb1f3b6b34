"""Between compress and the graph: routines that did not pay for a name of their own, kept as drafts.

Compression names what makes a site's recordings shorter, which takes some five uses; of a site with ten recordings it names
next to nothing. A **draft** needs two recordings. It is a short stretch of one recording of which two steps or more, in
their order and with few others between, are also in another: its **core**. What only one of them did between or beside the
core is optional in it. Agent Workflow Memory (section 2.2) keeps such a routine after one example; a draft after two.

Which stretches: those that together explain most of the recordings, greedily: a stretch gains the steps that lie where at
least half of it is done in a row and that nothing chosen before explains. A run of two steps that a chosen one has too
is worth little, as a memory is read by people and models. Gains only fall as drafts are chosen, so a heap of old gains
finds the best in turn (lazy greedy, Minoux 1978). Ties go by content, so nothing depends on an order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heapreplace
from typing import TypeAlias

from graphmem_induction.candidate_form import Core, Done, Draft, form
from graphmem_induction.program import Proto, Routine
from graphmem_induction.site import FoundTask, Stretch
from graphmem_induction.slots import READS

__all__ = ["Draft", "candidates"]

#: Steps of a draft. Half of one must be done in a row to say that it goes on, so longer ones would recur less.
SHORTEST, LONGEST = 2, 4
#: Two steps are near each other with at most so many others between them.
BETWEEN = 4
#: What a draft must explain that no other does, in steps of all recordings; more where it repeats a part of another.
LEAST_GAIN, LEAST_GAIN_OVERLAPPING = 3, 3

Stretched: TypeAlias = "list[tuple[Stretch, tuple[Done, ...]]]"
Window: TypeAlias = "tuple[Proto, ...]"
#: A step by recording (its place in ``Stretched``) and place in it.
Places: TypeAlias = "set[tuple[int, int]]"


def candidates(tasks: Sequence[FoundTask]) -> tuple[Draft, ...]:
    """The drafts of a site, from the walks along its ways."""
    walks = _walks(tasks)
    runs = _runs(walks)
    shared = _shared_pairs(walks)
    windows = {
        window: core
        for window in _windows(walks)
        if any((a, b) in shared for n, a in enumerate(window) for b in window[n + 1 :])
        and (core := _core(window, shared)) is not None
    }
    chosen = _chosen(windows, runs, _explained(tasks, walks))
    drafts = (form(window, windows[window], walks) for window in chosen)
    return tuple(draft for draft in drafts if draft is not None)


def _walks(tasks: Sequence[FoundTask]) -> Stretched:
    """Every stretch as the actions that it was walked as, without those that only read."""
    found = []
    for task in tasks:
        for way in task.ways:
            for stretch, trace in way.runs:
                steps = sorted(trace.actions, key=lambda pair: pair[0].indexes)
                found.append(
                    (stretch, tuple(Done(s, p) for s, p in steps if p.op not in READS and "row" not in p.slots))
                )
    return sorted(found, key=lambda walk: (walk[0].key, walk[0].part))


def _windows(walks: Stretched) -> list[Window]:
    """Every short stretch of which at least half, and at least two steps, are always on the same control."""
    found: set[Window] = set()
    for _, steps in walks:
        protos = tuple(done.proto for done in steps)
        for length in range(SHORTEST, LONGEST + 1):
            found.update(w for n in range(len(protos) - length + 1) if _is_plain(w := protos[n : n + length]))
    return sorted(found, key=_order)


def _is_plain(window: Window) -> bool:
    constant = sum(1 for proto in window if _is_constant(proto))
    return constant >= SHORTEST and 2 * constant >= len(window)


def _is_constant(proto: Proto) -> bool:
    return bool(proto.name) and "name" not in proto.slots


def _order(window: Window) -> tuple[int, list[str]]:
    return len(window), [proto.order for proto in window]


# -- what two recordings share -----------------------------------------------------------------------------------------


def _shared_pairs(walks: Stretched) -> dict[tuple[Proto, Proto], set[str]]:
    """Pairs of steps that at least two recordings do in this order and near each other, one of them on a control that is
    always the same; with these recordings."""
    found: dict[tuple[Proto, Proto], set[str]] = defaultdict(set)
    for stretch, steps in walks:
        for n, first in enumerate(steps):
            for second in steps[n + 1 : n + 2 + BETWEEN]:
                if _is_constant(first.proto) or _is_constant(second.proto):
                    found[first.proto, second.proto].add(stretch.key)
    return {pair: keys for pair, keys in found.items() if len(keys) > 1}


def _core(window: Window, shared: dict[tuple[Proto, Proto], set[str]]) -> Core | None:
    """The places of the window that at least two recordings have in common: as many as there are, then in as many
    recordings; None where no two of them share half of it."""
    found: dict[tuple[int, ...], frozenset[str]] = {}
    for n in range(len(window)):
        for chain, keys in [*found.items()]:
            both = keys & shared.get((window[chain[-1]], window[n]), set())
            if len(both) > 1:
                found[(*chain, n)] = both
        for m in range(n):
            if keys := frozenset(shared.get((window[m], window[n]), ())):
                found[m, n] = keys
    enough = {places: keys for places, keys in found.items() if 2 * len(places) >= len(window)}
    return min(enough, key=lambda places: (-len(places), -len(enough[places]), places), default=None)


# -- what explains most ------------------------------------------------------------------------------------------------


def _runs(walks: Stretched) -> dict[Window, list[tuple[int, int]]]:
    """Where each run of steps is done."""
    found: dict[Window, list[tuple[int, int]]] = defaultdict(list)
    for n, (_, steps) in enumerate(walks):
        protos = tuple(done.proto for done in steps)
        for length in range(SHORTEST, LONGEST + 1):
            for at in range(len(protos) - length + 1):
                found[protos[at : at + length]].append((n, at))
    return found


def _explains(window: Window, runs: dict[Window, list[tuple[int, int]]]) -> Places:
    """The steps that lie where at least half of the window is done in a row."""
    found: Places = set()
    for length in range(max(SHORTEST, (len(window) + 1) // 2), len(window) + 1):
        for at in range(len(window) - length + 1):
            part = window[at : at + length]
            if _is_plain(part):
                found.update((n, start + k) for n, start in runs.get(part, ()) for k in range(length))
    return found


def _explained(tasks: Sequence[FoundTask], walks: Stretched) -> Places:
    """The steps that lie in a routine which the site has already: one that two recordings did."""
    uses: dict[Routine, list[tuple[str, int, int, int]]] = defaultdict(list)
    for trace, stretch in ((t, s) for task in tasks for way in task.ways for s, t in way.runs):
        for o in trace.occurrences:
            if o.routine.kind == "sequence" and o.routine.size <= 2 * LONGEST:
                uses[o.routine].append((stretch.key, stretch.part, o.first.indexes[0], o.last.indexes[-1]))
    spans: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for ranges in uses.values():
        if len({key for key, *_ in ranges}) > 1:
            for key, part, first, last in ranges:
                spans[key, part].append((first, last))
    return {
        (n, at)
        for n, (stretch, steps) in enumerate(walks)
        for at, done in enumerate(steps)
        if any(first <= done.seen.indexes[-1] <= last for first, last in spans[stretch.key, stretch.part])
    }


def _chosen(windows: Iterable[Window], runs: dict[Window, list[tuple[int, int]]], done: Places) -> Iterator[Window]:
    """The windows worth keeping, the one that explains most first."""
    explains = {window: _explains(window, runs) for window in windows}
    listed = [*explains]
    heap = [(-len(explains[window]), *_order(window), n) for n, window in enumerate(listed)]
    heapify(heap)
    parts: Counter[Window] = Counter()
    while heap and -heap[0][0] >= LEAST_GAIN:
        gain, length, order, n = heap[0]
        window = listed[n]
        now = len(explains[window] - done)
        if now < -gain:
            heapreplace(heap, (-now, length, order, n))
            continue
        heappop(heap)
        pairs = {window[at : at + 2] for at in range(length - 1)}
        if now >= (LEAST_GAIN_OVERLAPPING if pairs & parts.keys() else LEAST_GAIN):
            parts.update(pairs)
            done = done | explains[window]
            yield window
