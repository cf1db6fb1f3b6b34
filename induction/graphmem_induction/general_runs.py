"""Runs of alike steps in routines of different sites: what they have in common when they are not alike as a whole.

A routine is read as a row of steps, called routines unfolded; a control step that need not be done, or of which one of
several is done, ends a run. A run of two to eight steps on two sites or more is general when two of its steps at least say
something (a constant name, or a slot that the caller fills). One step may differ: of three steps or more one between others
that are alike, same operation and role, may be called otherwise on every site. Its name is then a slot of the run. That is
all that is known of words that mean the same: they stand in the same place of the flow.

A routine is a special case of the longest runs in it. One that has a general form as a whole, or calls one that has, is none
of a run.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from graphmem_induction.alike_routines import Flat, Signature, Sites

LEAST, MOST = 2, 8
#: Least share of the sites that take the first step of a run which have the run. Set on sites of Mind2Web, in folds.
SHARE = 0.2
#: Slot of the action -> what it is bound to in the run.
Bound: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
#: One step of a run: its action's signature, and its bindings with slots by number.
Step: TypeAlias = tuple[Signature, Bound]
Run: TypeAlias = tuple[Step, ...]
#: The steps of each routine by its key; None is a gap.
Flats: TypeAlias = Mapping[str, Sequence[Flat | None]]


@dataclass(frozen=True)
class Place:
    """Where a run lies: the steps from ``first`` of a routine."""

    site: str
    routine: str
    first: int


def general_runs(flats: Flats, sites: Sites) -> dict[Run, list[Place]]:
    """The general runs, and where routines have them that are special cases of each."""
    found = _windows(flats, sites)
    shared = {run: places for run, places in found.items() if len(_at(places)) > 1}
    return _special(_closed(_followed(shared, flats, sites)))


def _followed(runs: Mapping[Run, list[Place]], flats: Flats, sites: Sites) -> dict[Run, list[Place]]:
    """Without runs that few of the sites go on with which take their first step: those are neighbours by chance."""
    begins: dict[Signature, set[str]] = defaultdict(set)
    for key, flat in flats.items():
        for step in flat:
            if step is not None:
                begins[step.signature].add(sites.site(key))
    return {r: places for r, places in runs.items() if len(_at(places)) >= SHARE * len(begins[r[0][0]])}


def _windows(flats: Flats, sites: Sites) -> dict[Run, list[Place]]:
    where: dict[Signature, set[str]] = defaultdict(set)
    for key, flat in flats.items():
        for step in flat:
            if step is not None:
                where[step.signature].add(sites.site(key))
    common = {signature for signature, on in where.items() if len(on) > 1}
    found: dict[Run, list[Place]] = defaultdict(list)
    named: dict[Run, set[Signature]] = defaultdict(set)
    for key, flat in flats.items():
        for first, length in _stretches(flat, common):
            steps = [step for step in flat[first : first + length] if step is not None]
            place = Place(sites.site(key), key, first)
            if all(step.signature in common for step in steps):
                found[as_run(steps)].append(place)
            for n in _may_differ(steps, common):
                run = as_run(steps, n)
                found[run].append(place)
                named[run].add(steps[n].signature)
    # With one name only at the place that may differ the run is there without it.
    return {r: places for r, places in found.items() if says(r) and (r not in named or len(named[r]) > 1)}


def _stretches(flat: Sequence[Flat | None], common: set[Signature]) -> Iterator[tuple[int, int]]:
    """First step and length of every stretch without a gap in which one step at most is of one site alone."""
    for first in range(len(flat)):
        own = 0
        for length in range(1, min(MOST, len(flat) - first) + 1):
            step = flat[first + length - 1]
            own += step is not None and step.signature not in common
            if step is None or own > 1:
                break
            if length >= LEAST:
                yield first, length


def _may_differ(steps: Sequence[Flat], common: set[Signature]) -> list[int]:
    own = [n for n, step in enumerate(steps) if step.signature not in common]
    between = own or range(1, len(steps) - 1)
    return [n for n in between if 0 < n < len(steps) - 1 and steps[n].signature[3]]


def as_run(steps: Sequence[Flat], differs: int = -1) -> Run:
    """Steps as what they are compared by; slots by the order of their first use."""
    order: dict[str, int] = {}
    run: list[Step] = []
    for n, step in enumerate(steps):
        bound: list[tuple[str, tuple[str, ...]]] = []
        for slot, binding in sorted(step.bindings.items()):
            if "slot" in binding:
                number = order.setdefault(binding["slot"], len(order))
                bound.append((slot, ("slot", str(number))))
            elif slot == "value":
                # What one site always types is no more than an example of what may be typed.
                bound.append((slot, ("slot", str(order.setdefault(f"={n}", len(order))))))
            else:
                bound.append((slot, tuple(f"{k}={v}".casefold() for k, v in sorted(binding.items()))))
        signature = step.signature
        if n == differs:
            number = order.setdefault(f"?{n}", len(order))
            bound = sorted([*bound, ("name", ("slot", str(number)))])
            signature = (*signature[:3], (), *signature[4:7], tuple(sorted((*signature[7], "name"))), *signature[8:])
        run.append((signature, tuple(bound)))
    return tuple(run)


def says(run: Run) -> bool:
    """Whether two different steps of it say something, its first and its last among them, and one what it is called. A
    step says something by a constant name, by what is filled in, or by a choice of what another step has filled in."""
    used = Counter(binding[1] for _, bound in run for _, binding in bound if binding[0] == "slot")
    called = [bool(s[3]) or any(slot == "name" and b[0] != "slot" for slot, b in bound) for s, bound in run]
    filled = [any(b[0] == "slot" and (slot == "value" or used[b[1]] > 1) for slot, b in bound) for _, bound in run]
    telling = [c or f for c, f in zip(called, filled, strict=True)]
    return sum(telling) >= LEAST and telling[0] and telling[-1] and any(called) and len(set(run)) > 1


def _at(places: Sequence[Place]) -> frozenset[str]:
    return frozenset(place.site for place in places)


def _closed(shared: Mapping[Run, list[Place]]) -> dict[Run, list[Place]]:
    """Without runs that a longer one of the same sites contains."""
    by_place: dict[Place, list[Run]] = defaultdict(list)
    for run, places in shared.items():
        for place in places:
            by_place[place].append(run)
    inside = set()
    for run, places in shared.items():
        for start in (places[0], Place(places[0].site, places[0].routine, places[0].first - 1)):
            for longer in by_place.get(start, ()):
                if _contains(longer, run) and _at(shared[longer]) == _at(places):
                    inside.add(run)
    return {run: places for run, places in shared.items() if run not in inside}


def _special(runs: Mapping[Run, list[Place]]) -> dict[Run, list[Place]]:
    """Every routine is a special case of the longest runs in it; of one inside these only where that is on one site else."""
    by_routine: dict[str, set[Run]] = defaultdict(set)
    for run, places in runs.items():
        for place in places:
            by_routine[place.routine].add(run)
    kept = {}
    for run, places in runs.items():
        longest = [p for p in places if not any(_contains(other, run) for other in by_routine[p.routine])]
        kept[run] = longest if len(_at(longest)) > 1 else places
    return kept


def _contains(longer: Run, run: Run) -> bool:
    """By signatures: slots are numbered from the first step of each."""
    ours, theirs = [s for s, _ in run], [s for s, _ in longer]
    return len(theirs) > len(ours) and any(theirs[n : n + len(ours)] == ours for n in range(len(theirs)))


def named_slots(run: Run, places: Sequence[Place], flats: Flats) -> list[str]:
    """What most sites call each slot of a run, in order; by what it fills where no site has a slot there."""
    votes: dict[int, Counter[str]] = defaultdict(Counter)
    for n, (_, bound) in enumerate(run):
        for slot, binding in bound:
            if binding[0] == "slot":
                called = [at(flats, place, n).bindings.get(slot, {}).get("slot", "") for place in places]
                votes[int(binding[1])].update(called)
                votes[int(binding[1])]["control" if slot == "name" else slot] += 0
    return [min(found, key=lambda s: (not s, -found[s], s)) for _, found in sorted(votes.items())]


def at(flats: Flats, place: Place, n: int) -> Flat:
    """The n-th step of a run at one of its places."""
    step = flats[place.routine][place.first + n]
    assert step is not None
    return step
