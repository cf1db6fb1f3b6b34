"""Stage 4, generalise: the runs of one task become one program for each way of doing it.

Runs are grouped by the template of their instruction. Within a group a run whose steps are those of a longer one with a
few left out is the same way, and what it leaves out is ``optional`` there; a step done again and again, more often in some
runs than in others, is an ``until``. What then differs between the runs of a way is a slot: the words of the template where
they agree in that, else a parameter of its own.

Everything is a function of the set of runs: sequences are compared by content, never by arrival.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from graphmem.model.workflow import Parameter, Value
from graphmem_induction import align
from graphmem_induction.describe import Seen
from graphmem_induction.program import Arg, Args, Call, Parsed, Proto, Ref, Routine, Unit, renamed_args, resolve
from graphmem_induction.slot_names import name_slots, slot_name, unique
from graphmem_induction.trace import trace

#: A run may leave out this many steps of a longer one, or a third of it, and still be the same way.
_LEFT_OUT = 2
#: What only one run did is taken for its own where at least this many runs are beside each other; of two nobody can say.
_FEWEST = 3


@dataclass(frozen=True)
class Way:
    """One way of a task: ``body`` with the task's slots and its own ``params``, and the runs that went it."""

    template: str
    body: tuple[Call, ...]
    params: tuple[Parameter, ...]
    runs: tuple[Parsed, ...]

    @property
    def order(self) -> str:
        return self.template + "".join(call.node.order + repr(call.args) for call in self.body)


@dataclass(frozen=True)
class Group:
    """A task: the goal template with named slots, and its ways."""

    template: str
    text: str
    params: tuple[Parameter, ...]
    ways: tuple[Way, ...]


def generalise(recordings: Iterable[Parsed]) -> tuple[Group, ...]:
    """Every task of a site, sorted by template."""
    by_template: dict[str, list[Parsed]] = defaultdict(list)
    for parsed in recordings:
        by_template[parsed.template].append(parsed)
    return tuple(
        _group(template, sorted(runs, key=lambda run: run.recording)) for template, runs in sorted(by_template.items())
    )


def _group(template: str, runs: Sequence[Parsed]) -> Group:
    # Failed runs shape nothing, not even a name.
    shaping = [run for run in runs if run.verdict != "failure"] or runs
    fixed = _fixed_masks(shaping)
    names, params = name_slots(shaping, fixed)
    renamed = [_renamed(run, names) for run in runs]
    wording = _commonest(run.wording for run in shaping)
    for mask, name in sorted(names.items(), key=lambda pair: -len(pair[0])):
        wording = wording.replace(f"{{{mask}}}", f"{{{name}}}")
    for mask, text in sorted(fixed.items(), key=lambda pair: -len(pair[0])):
        wording = wording.replace(f"{{{mask}}}", text)
    ways = _ways(template, [run for run in renamed if run.verdict != "failure" and run.units], params)
    return Group(template, wording, params, ways)


def _fixed_masks(runs: Sequence[Parsed]) -> dict[str, str]:
    """Masks that no step took and that say the same in every run: they are words of the task, not slots."""
    taken = {arg.slot for run in runs for unit in run.units for _, arg in unit.call.args if isinstance(arg, Ref)}
    said: dict[str, set[str]] = defaultdict(set)
    for run in runs:
        for mask, value in run.values:
            said[mask].add(value if isinstance(value, str) else "")
    return {m: next(iter(texts)) for m, texts in said.items() if m not in taken and len(texts) == 1 and "" not in texts}


def _commonest(texts: Iterable[str]) -> str:
    counts: dict[str, int] = defaultdict(int)
    for text in texts:
        counts[text] += 1
    return min(counts, key=lambda text: (-counts[text], text))


def _renamed(run: Parsed, names: Mapping[str, str]) -> Parsed:
    units = tuple(
        replace(unit, call=replace(unit.call, args=renamed_args(unit.call.args, names))) for unit in run.units
    )
    values = tuple(
        sorted((names.get(slot, slot), value) for slot, value in run.values if slot in names or slot[0] != "@")
    )
    return replace(run, units=units, values=values)


# -- ways --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Beat:
    """The same call once or more in a row."""

    units: tuple[Unit, ...]

    @property
    def node(self) -> Proto | Routine:
        return self.units[0].call.node


def _beats(run: Parsed) -> tuple[_Beat, ...]:
    return tuple(_Beat(tuple(units)) for _, units in groupby(run.units, key=lambda unit: unit.call))


_Shape = align.Shape
#: Runs that are laid beside each other have at least so many steps in common.
_SHARED = 2


def _ways(template: str, runs: Sequence[Parsed], params: Sequence[Parameter]) -> tuple[Way, ...]:
    beats = {run.recording: _beats(run) for run in runs}
    by_shape: dict[_Shape, list[Parsed]] = defaultdict(list)
    for run in runs:
        by_shape[tuple(beat.node for beat in beats[run.recording])].append(run)
    ways = []
    for group in _groups(by_shape):
        members = [run for shape in group for run in by_shape[shape]]
        aligned = _aligned(template, group, by_shape, beats, params) if len(members) >= _FEWEST else None
        if aligned is not None:
            ways.append(aligned)
            continue
        for root, shapes in _rooted(group).items():
            own = sorted((run for shape in shapes for run in by_shape[shape]), key=lambda run: run.recording)
            ways.append(_way(template, root, own, beats, params))
    return tuple(sorted(ways, key=lambda way: way.order))


def _groups(by_shape: Mapping[_Shape, Sequence[Parsed]]) -> list[list[_Shape]]:
    """The shapes that are to be one way: all where one holds the others, else those that are alike."""
    shapes = list(by_shape)
    if len(_rooted(shapes)) <= 1:
        return [shapes] if shapes else []
    return align.clusters({shape: len(runs) for shape, runs in by_shape.items()})


def _aligned(
    template: str,
    group: Sequence[_Shape],
    by_shape: Mapping[_Shape, Sequence[Parsed]],
    beats: Mapping[str, tuple[_Beat, ...]],
    params: Sequence[Parameter],
) -> Way | None:
    """One way of runs of which none holds the others: what they share, and as residual what is a run's own.

    None where one shape holds the rest, which loses nothing, or where they do not share enough to be a way."""
    if len(_rooted(group)) <= 1:
        return None
    counts = {shape: len(by_shape[shape]) for shape in group}
    kept = align.kept(align.columns(group), counts)
    while kept:
        way = _way_of(template, kept, by_shape, beats, params)
        if sum(len(column.at) == len(group) for column in kept) < _SHARED or any(not run.units for run in way.runs):
            return None
        if all(_walks(way, run) for run in way.runs):
            return way
        # A greedy walk takes an optional part at the first place where it can: the rarest one goes, till none misleads.
        rarest = min(
            (column for column in kept if len(column.at) < len(group)),
            key=lambda column: (sum(counts[shape] for shape in column.at), column.node.order),
            default=None,
        )
        if rarest is None:
            return None
        kept = [column for column in kept if column is not rarest]
    return None


def _way_of(
    template: str,
    kept: Sequence[align.Column],
    by_shape: Mapping[_Shape, Sequence[Parsed]],
    beats: Mapping[str, tuple[_Beat, ...]],
    params: Sequence[Parameter],
) -> Way:
    """The way of some columns; what a run did beside them is loose in it."""
    shape_of = {run.recording: shape for shape, runs in by_shape.items() for run in runs}
    inside = {shape for column in kept for shape in column.at}
    members = sorted((run for shape in inside for run in by_shape[shape]), key=lambda run: run.recording)
    places: list[dict[str, _Beat]] = [
        {
            run.recording: beats[run.recording][column.at[shape]]
            for run in members
            if (shape := shape_of[run.recording]) in column.at
        }
        for column in kept
    ]
    way = _built(template, places, members, params)
    return replace(way, runs=tuple(_parted(run, places, beats[run.recording]) for run in way.runs))


def _parted(run: Parsed, places: Sequence[Mapping[str, _Beat]], beats: Sequence[_Beat]) -> Parsed:
    """The run with the units that stand in no place apart."""
    placed = {id(place[run.recording]) for place in places if run.recording in place}
    units = tuple(unit for beat in beats if id(beat) in placed for unit in beat.units)
    loose = tuple(unit for beat in beats if id(beat) not in placed for unit in beat.units)
    return replace(run, units=units, loose=loose)


def _walks(way: Way, run: Parsed) -> bool:
    """Whether walking the way takes each step of the run to the call that it was laid beside."""
    seen = [step for unit in run.units for step in unit.seen]
    found = trace(Routine("sequence", way.body, way.params), dict(run.values), seen)
    return [(id(step), proto) for step, proto in found.actions] == [
        (id(step), proto) for unit in run.units for step, proto in done_by(unit)
    ] and not any(occurrence.residual for occurrence in found.occurrences)


def done_by(unit: Unit) -> list[tuple[Seen, Proto]]:
    """Each step that a unit covers, with its action."""
    protos = _protos(unit.call)
    return [(step, protos[n % len(protos)]) for n, step in enumerate(unit.seen)]


def _protos(call: Call) -> list[Proto]:
    return [call.node] if isinstance(call.node, Proto) else [p for inner in call.node.children for p in _protos(inner)]


def _rooted(shapes: Sequence[_Shape]) -> dict[_Shape, list[_Shape]]:
    """Each shape under the shortest longest one that it is a part of."""
    roots: dict[_Shape, list[_Shape]] = {}
    for shape in sorted(shapes, key=lambda s: (-len(s), [node.order for node in s])):
        fits = [root for root in roots if _embeds(shape, root)]
        root = min(fits, key=lambda r: (len(r), [node.order for node in r])) if fits else shape
        roots.setdefault(root, []).append(shape)
    return roots


def _embeds(shape: _Shape, root: _Shape) -> bool:
    left_out = len(root) - len(shape)
    return 0 < left_out <= max(_LEFT_OUT, len(root) // 3) and len(shape) > 1 and _placed(shape, root) is not None


def _placed(shape: _Shape, root: _Shape) -> tuple[int, ...] | None:
    """Where each node of ``shape`` stands in ``root``, the leftmost way, or None."""
    places, at = [], 0
    for node in shape:
        while at < len(root) and root[at] != node:
            at += 1
        if at == len(root):
            return None
        places.append(at)
        at += 1
    return tuple(places)


def _way(
    template: str,
    root: _Shape,
    members: Sequence[Parsed],
    beats: Mapping[str, tuple[_Beat, ...]],
    params: Sequence[Parameter],
) -> Way:
    columns: list[dict[str, _Beat]] = [{} for _ in root]
    for run in members:
        shape = tuple(beat.node for beat in beats[run.recording])
        places = _placed(shape, root) or tuple(range(len(root)))
        for place, beat in zip(places, beats[run.recording], strict=True):
            columns[place][run.recording] = beat
    return _built(template, columns, members, params)


def _built(
    template: str, columns: Sequence[Mapping[str, _Beat]], members: Sequence[Parsed], params: Sequence[Parameter]
) -> Way:
    merged = _Merge(list(params), {run.recording: dict(run.values) for run in members})
    calls = [(call, frozenset(column)) for column in columns for call in merged.calls(column)]
    body = _with_optional(calls, len(members), merged.types())
    runs = tuple(replace(run, values=tuple(sorted(merged.values[run.recording].items()))) for run in members)
    return Way(template, end_loops(tuple(body)), tuple(merged.params), runs)


class _Merge:
    """Unifies what the runs of one way bound a slot to. It grows the way's parameters and each run's values."""

    def __init__(self, params: list[Parameter], values: dict[str, dict[str, Value]]) -> None:
        self.params = params
        self.values = values

    def calls(self, column: Mapping[str, _Beat]) -> list[Call]:
        """What the runs do at one place: a call, the same call a fixed number of times, or an ``until``."""
        beats = sorted(column.items())
        node = beats[0][1].node
        slots = [slot for slot, _ in beats[0][1].units[0].call.args]
        args = tuple((slot, self._arg(node, slot, {run: beat.units[0].call for run, beat in beats})) for slot in slots)
        counts = {len(beat.units) for _, beat in beats}
        call = Call(node, args)
        return [call] * counts.pop() if len(counts) == 1 else [_repeated(call, self.types())]

    def types(self) -> dict[str, str]:
        return {param.name: param.type for param in self.params}

    def _arg(self, node: Proto | Routine, slot: str, calls: Mapping[str, Call]) -> Arg:
        """The argument that all runs share, else a new parameter that each run has its own value for."""
        args = {run: dict(call.args)[slot] for run, call in calls.items()}
        if len(set(args.values())) == 1:
            return next(iter(args.values()))
        name = unique(slot_name(node, slot), {param.name for param in self.params})
        self.params.append(Parameter(name))
        for run, arg in args.items():
            self.values[run] |= resolve(((name, arg),), self.values[run])
        return Ref(name)


def _passed(calls: Sequence[Call], types: Mapping[str, str]) -> tuple[tuple[Parameter, ...], Args]:
    """The slots that calls use, as parameters of a routine around them, and the arguments that pass them on."""
    used = sorted({arg.slot for call in calls for _, arg in call.args if isinstance(arg, Ref)})
    return tuple(Parameter(name, types.get(name, "text")) for name in used), tuple((name, Ref(name)) for name in used)


def _repeated(call: Call, types: Mapping[str, str]) -> Call:
    """``until``: what ends it is not known from the count, so its condition stays open until the next step is known."""
    params, args = _passed([call], types)
    return Call(Routine("until", (call,), params), args)


def _with_optional(calls: Sequence[tuple[Call, frozenset[str]]], runs: int, types: Mapping[str, str]) -> Iterator[Call]:
    """The calls with neighbours that only some runs have, and the same ones, as one ``optional``."""
    for who, block in groupby(calls, key=lambda pair: pair[1]):
        together = [call for call, _ in block]
        yield from together if len(who) == runs else [optional(together, types)]


def optional(block: Sequence[Call], types: Mapping[str, str]) -> Call:
    params, args = _passed(block, types)
    condition = ("present", *(_first_element(block) or ("", "")))
    return Call(Routine("optional", tuple(block), params, condition=condition), args)


def _first_element(calls: Sequence[Call]) -> tuple[str, str] | None:
    """Role and name of the first element that the calls act on."""
    for call in calls:
        node = call.node
        found = (node.role, node.name) if isinstance(node, Proto) else _first_element(node.children)
        if found is not None and found[0]:
            return found
    return None


def end_loops(body: Sequence[Call]) -> tuple[Call, ...]:
    """Every ``until`` ends where the element that the next step acts on is there; where that has no name, or the loop is
    the last, where the loop's own element is there no more (no further page)."""
    done = []
    for n, call in enumerate(body):
        node = call.node
        if isinstance(node, Routine) and node.kind == "until" and node.condition is None:
            following, own = _first_element(body[n + 1 :]), _first_element(node.children)
            ends = ("present", *following) if following and following[1] else ("absent", *(own or ("", "")))
            call = replace(call, node=replace(node, condition=ends))
        done.append(call)
    return tuple(done)


def spread_optional(ways: Sequence[Way]) -> tuple[Way, ...]:
    """What may come between two steps of a site on one way may come between them on every way (a cookie notice).

    Only for optional parts without parameters. Where such a part stands unconditionally it becomes optional too."""
    gaps: dict[tuple[object, object], Call] = {}
    # What aligned runs left out may be the very step that a spread part would be.
    whole = [way for way in ways if not any(run.loose for run in way.runs)]
    aligned = [way for way in ways if any(run.loose for run in way.runs)]
    for way in whole:
        padded: list[Call | None] = [None, *way.body, None]
        for before, call, after in zip(padded, padded[1:], padded[2:], strict=False):
            if call is not None and _is_free_optional(call):
                gap = (before and before.node, after and after.node)
                gaps[gap] = min(call, gaps.get(gap, call), key=lambda c: c.node.order)
    spread = [replace(way, body=_spread(way.body, gaps)) for way in whole]
    return tuple(sorted([*spread, *aligned], key=lambda way: way.order))


def _is_free_optional(call: Call) -> bool:
    return isinstance(call.node, Routine) and call.node.kind == "optional" and not call.args


def _spread(body: Sequence[Call], gaps: Mapping[tuple[object, object], Call]) -> tuple[Call, ...]:
    done: list[Call] = []
    n = 0
    while n <= len(body):
        before = done[-1].node if done else None
        after = body[n].node if n < len(body) else None
        for (gap_before, gap_after), call in sorted(gaps.items(), key=lambda gap: gap[1].node.order):
            block = call.node.children if isinstance(call.node, Routine) else ()
            size = len(block)
            stands = tuple(body[n : n + size]) == block
            next_after = body[n + size].node if n + size < len(body) else None
            if stands and (before, next_after) == (gap_before, gap_after):
                done.append(call)
                n, after = n + size, next_after
                break
            if (before, after) == (gap_before, gap_after):
                done.append(call)
                break
        if n < len(body):
            done.append(body[n])
        n += 1
    return tuple(done)
