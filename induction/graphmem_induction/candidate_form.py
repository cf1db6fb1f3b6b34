"""A draft as a routine, with the recordings that did it: the core in order, what is beside it as optional steps.

Parameters are the open parts of the steps, one for all parts that every recording filled alike; what they were filled with
is read from the steps themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from graphmem.model.workflow import Parameter, Value
from graphmem_induction.describe import Seen
from graphmem_induction.program import Call, Proto, Ref, Routine
from graphmem_induction.site import Stretch
from graphmem_induction.slot_names import slot_name, type_of, unique
from graphmem_induction.trace import Occurrence

#: The places of a window that at least two recordings have in common.
Core: TypeAlias = "tuple[int, ...]"
#: How many steps that are not of the draft may lie between two that are.
_BETWEEN = 4


@dataclass(frozen=True)
class Done:
    """A step of a recording and the action that it was."""

    seen: Seen
    proto: Proto


@dataclass(frozen=True)
class Draft:
    """A routine of low evidence, and where it was done; ``uses`` has its optional steps too, as routines of their own."""

    routine: Routine
    uses: tuple[tuple[Stretch, Occurrence], ...]


@dataclass(frozen=True)
class _Found:
    """The draft in one recording: the step at each place of the window that was done."""

    stretch: Stretch
    steps: Sequence[Done]
    at: Mapping[int, int]


def form(window: Sequence[Proto], core: Core, walks: Sequence[tuple[Stretch, Sequence[Done]]]) -> Draft | None:
    """The draft of a window; None where no two recordings did its core."""
    found = [each for stretch, steps in walks for each in _places(window, core, stretch, steps)]
    if len({each.stretch.key for each in found}) < 2:
        return None
    slots = [(place, slot) for place, proto in enumerate(window) for slot in proto.slots]
    names, params = _named(window, slots, found)
    children = [_child(proto, place, core, names, params) for place, proto in enumerate(window)]
    routine = Routine("sequence", tuple(children), tuple(params))
    return Draft(routine, tuple(use for each in found for use in _uses(routine, names, window, each)))


def _places(window: Sequence[Proto], core: Core, stretch: Stretch, steps: Sequence[Done]) -> Iterator[_Found]:
    """Every time that a recording did the core, none within another, with the optional steps that it did too."""
    free = 0
    for start in range(len(steps)):
        at = _from(window, core, steps, start) if start >= free else None
        if at is not None:
            at = _widened(window, core, steps, at, free)
            free = max(at.values()) + 1
            yield _Found(stretch, steps, at)


def _from(window: Sequence[Proto], core: Core, steps: Sequence[Done], start: int) -> dict[int, int] | None:
    """Where the core is done, first step at ``start``, each next one as soon as it comes; optional steps in between."""
    at: dict[int, int] = {}
    here = start
    for n, place in enumerate(core):
        reach = range(here, min(here + 1 + _BETWEEN, len(steps))) if n else range(start, start + 1)
        there = next((k for k in reach if steps[k].proto == window[place]), None)
        if there is None:
            return None
        at[place] = there
        here = there + 1
    return at


def _widened(
    window: Sequence[Proto], core: Core, steps: Sequence[Done], at: Mapping[int, int], free: int
) -> dict[int, int]:
    """The optional steps: those between two of the core in their order, those before and after it where they adjoin."""
    found = dict(at)
    for place in range(core[0] - 1, -1, -1):
        before = found[place + 1] - 1
        if before < free or steps[before].proto != window[place]:
            break
        found[place] = before
    for place in range(core[0], core[-1] + 1):
        if place not in found:
            last = max(k for p, k in found.items() if p < place)
            first = min(k for p, k in found.items() if p > place)
            between = next((k for k in range(last + 1, first) if steps[k].proto == window[place]), None)
            if between is not None:
                found[place] = between
    for place in range(core[-1] + 1, len(window)):
        after = found[place - 1] + 1
        if after >= len(steps) or steps[after].proto != window[place]:
            break
        found[place] = after
    return found


# -- parameters --------------------------------------------------------------------------------------------------------

_Slot: TypeAlias = "tuple[int, str]"


def _named(
    window: Sequence[Proto], slots: Sequence[_Slot], found: Sequence[_Found]
) -> tuple[dict[_Slot, str], list[Parameter]]:
    """A parameter for each open part; parts that were always filled alike share one."""
    filled = {slot: tuple(_filled(each, slot) for each in found) for slot in slots}
    names: dict[_Slot, str] = {}
    params: list[Parameter] = []
    for place, slot in slots:
        texts = filled[place, slot]
        same = next((names[s] for s in names if filled[s] == texts and all(texts) and len(set(texts)) > 1), None)
        known = [text for text in texts if text]
        if same is None:
            secret = known[0].strip("{}") if known and type_of(known) == "secret" else ""
            same = unique(secret or slot_name(window[place], slot), {param.name for param in params})
            params.append(Parameter(same, type_of(known)))
        names[place, slot] = same
    return names, params


def _filled(each: _Found, slot: _Slot) -> str:
    place, part = slot
    if place not in each.at:
        return ""
    what = each.steps[each.at[place]].seen.what
    return what.value if part == "value" else what.name


def _child(proto: Proto, place: int, core: Core, names: Mapping[_Slot, str], params: Sequence[Parameter]) -> Call:
    args = tuple((slot, Ref(names[place, slot])) for slot in proto.slots)
    if place in core:
        return Call(proto, args)
    used = {arg.slot for _, arg in args}
    own = tuple(param for param in params if param.name in used)
    return Call(Routine("optional", (Call(proto, args),), own), tuple((p.name, Ref(p.name)) for p in own))


# -- evidence ----------------------------------------------------------------------------------------------------------


def _uses(
    routine: Routine, names: Mapping[_Slot, str], window: Sequence[Proto], each: _Found
) -> Iterator[tuple[Stretch, Occurrence]]:
    values: dict[str, Value] = {}
    for slot, name in names.items():
        if text := _filled(each, slot):
            values.setdefault(name, text)
    first, last = min(each.at.values()), max(each.at.values())
    done = set(each.at.values())
    residual = tuple(each.steps[k].seen.indexes[-1] for k in range(first, last + 1) if k not in done)
    yield each.stretch, _occurrence(routine, values, each, first, last, residual)
    for place, call in enumerate(routine.children):
        if isinstance(call.node, Routine) and place in each.at:
            yield each.stretch, _occurrence(call.node, values, each, each.at[place], each.at[place], ())


def _occurrence(
    routine: Routine, values: Mapping[str, Value], each: _Found, first: int, last: int, residual: tuple[int, ...]
) -> Occurrence:
    bound = tuple(sorted((p.name, values[p.name]) for p in routine.params if p.name in values))
    steps = each.steps
    following = steps[last + 1].seen if last + 1 < len(steps) else None
    return Occurrence(routine, bound, steps[first].seen, steps[last].seen, following, residual)
