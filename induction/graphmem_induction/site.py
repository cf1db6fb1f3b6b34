"""One site, from its recordings to its routines: the stages in their order, each a pure function of its own file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.model.decision import Decision
from graphmem.model.workflow import READ, Parameter, Value
from graphmem_induction.alike import canonical_controls
from graphmem_induction.clean import clean
from graphmem_induction.compress import compress
from graphmem_induction.describe import Described, Seen, describe
from graphmem_induction.flow import lift_flows
from graphmem_induction.generalise import Group, Way, done_by, generalise, spread_optional
from graphmem_induction.parse import Reading, Recorded, open_fields, parse
from graphmem_induction.program import Args, Call, Parsed, Proto, Ref, Routine, resolve
from graphmem_induction.protocol import Evidence
from graphmem_induction.slots import constants, lift
from graphmem_induction.template_masks import readings
from graphmem_induction.tidy import Cleaned
from graphmem_induction.together import apart, together
from graphmem_induction.trace import Trace, trace


@dataclass(frozen=True)
class Stretch:
    """The part of a recording that one site saw without interruption. ``part`` is 0 for a recording of one site only;
    else the stretches of the site count from 1, and their task belongs to the layer above the sites."""

    evidence: Evidence
    part: int
    seen: tuple[Seen, ...]

    @property
    def key(self) -> str:
        return self.evidence.trajectory.key


@dataclass(frozen=True)
class FoundWay:
    """A way as it goes into the graph: the routine, what the task binds its slots to, and the runs that went it."""

    routine: Routine
    bindings: Args
    runs: tuple[tuple[Stretch, Trace], ...]
    failures: int = 0


@dataclass(frozen=True)
class FoundTask:
    """A task with its ways; ``part`` as in Stretch. ``failed``: failed stretches of the task, whatever way they went."""

    group: Group
    part: int
    ways: tuple[FoundWay, ...]
    failed: tuple[Stretch, ...]

    @property
    def params(self) -> tuple[Parameter, ...]:
        """The slots of the instruction, then what a way needs that no instruction says."""
        known = {param.name: param for param in self.group.params}
        for way in self.ways:
            types = {param.name: param.type for param in way.routine.params}
            for slot, arg in way.bindings:
                if isinstance(arg, Ref):
                    known.setdefault(arg.slot, Parameter(arg.slot, types[slot]))
        return tuple(known.values())


def stretches(site: str, recordings: Sequence[Evidence]) -> list[Stretch]:
    """What the site saw of each recording, sorted by key; stretches in which nothing was done are left out."""
    found = []
    for evidence in sorted(recordings, key=lambda e: e.trajectory.key):
        trajectory = evidence.trajectory
        alone = len(trajectory.sites) == 1
        visits = _visits(site, evidence, clean(trajectory, site))
        for part, cleaned in enumerate(visits, start=0 if alone else 1):
            found.append(Stretch(evidence, part, tuple(describe(item) for item in cleaned)))
    return [stretch for stretch in found if stretch.seen]


def _visits(site: str, evidence: Evidence, cleaned: Sequence[Cleaned]) -> list[list[Cleaned]]:
    """The steps cut where the recording was on another site in between."""
    steps = evidence.trajectory.steps
    elsewhere = [n for n, step in enumerate(steps) if evidence.trajectory.site_of(step) != site]
    visits: list[list[Cleaned]] = []
    for item in cleaned:
        before = visits[-1][-1].index if visits else -1
        if not visits or any(before < n < item.index for n in elsewhere):
            visits.append([])
        visits[-1].append(item)
    return visits


def induce_site(site: str, recordings: Sequence[Evidence], decisions: Sequence[Decision] = ()) -> tuple[FoundTask, ...]:
    """The tasks of a site with their ways as calls of shared routines."""
    recorded = stretches(site, recordings)
    found = together(canonical_controls(recorded), decisions, recorded)
    runs = _parsed(found)
    if parted := apart(runs, decisions):
        runs = _parsed(parted)
    groups = generalise(run for run, _ in runs.values())
    ways = list(spread_optional([way for group in groups for way in group.ways]))
    bodies = lift_flows([way.body for way in ways])
    bodies = compress(bodies, [{param.name: param.type for param in way.params} for way in ways])
    by_template: dict[str, list[FoundWay]] = {}
    for way, body in zip(ways, bodies, strict=True):
        by_template.setdefault(way.template, []).append(_found_way(way, body, runs))
    return tuple(_found_task(group, by_template.get(group.template, []), runs) for group in groups if group.ways)


_Runs = dict[str, tuple[Parsed, Stretch]]


def _parsed(found: Sequence[Stretch]) -> _Runs:
    """Every stretch as calls, by a name of its own."""
    inducing = [s for s in found if s.evidence.verdict != "failure"]
    fixed = constants((s.evidence.trajectory.task, s.seen) for s in inducing)
    recorded = {f"{s.key}#{s.part}": (_recorded(s, fixed), s) for s in found}
    opened = open_fields(r for r, s in recorded.values() if s.evidence.verdict != "failure")
    read: dict[str, Reading] = {}
    for part in {s.part for s in found}:
        read |= readings({name: record for name, (record, s) in recorded.items() if s.part == part})
    runs = {}
    for name, (record, stretch) in recorded.items():
        parsed = parse(record, opened, read[name])
        template = f"{parsed.template}#{stretch.part}" if stretch.part else parsed.template
        runs[name] = (replace(parsed, recording=name, template=template), stretch)
    return runs


def _recorded(stretch: Stretch, fixed: frozenset[Described]) -> Recorded:
    trajectory = stretch.evidence.trajectory
    lifted = lift(trajectory.task, stretch.seen, fixed)
    return Recorded(stretch.key, trajectory.task, lifted, stretch.evidence.verdict, trajectory.template)


def _found_way(way: Way, body: tuple[Call, ...], runs: _Runs) -> FoundWay:
    """The way; where it is one call of a shared routine, that routine itself."""
    only = body[0] if len(body) == 1 else None
    if only is not None and isinstance(only.node, Routine) and _is_plain(only):
        routine, bindings = only.node, only.args
        values_of = {run.recording: _renamed(run, only) for run in way.runs}
    else:
        used = {arg.slot for call in body for _, arg in call.args if isinstance(arg, Ref)}
        params = tuple(param for param in way.params if param.name in used)
        routine, bindings = Routine("sequence", body, params), tuple((p.name, Ref(p.name)) for p in params)
        values_of = {
            run.recording: {k: v for k, v in run.values if k in used or k.startswith(READ)} for run in way.runs
        }
    traced = []
    for run in way.runs:
        stretch = runs[run.recording][1]
        traced.append((stretch, trace(routine, values_of[run.recording], stretch.seen, _loose(run))))
    return FoundWay(routine, bindings, tuple(traced), _failures(way, runs))


def _loose(run: Parsed) -> list[tuple[Seen, Proto]]:
    return [pair for unit in run.loose for pair in done_by(unit)]


def _failures(way: Way, runs: _Runs) -> int:
    """Failed stretches of the task that made the very calls that some run of the way made."""
    made = {_calls(runs[run.recording][0]) for run in way.runs}
    failed = (run for run, _ in runs.values() if run.template == way.template and run.verdict == "failure")
    return sum(1 for run in failed if _calls(run) in made)


def _calls(run: Parsed) -> tuple[object, ...]:
    return tuple(unit.call.node for unit in run.units)


def _is_plain(call: Call) -> bool:
    return (
        isinstance(call.node, Routine)
        and call.node.kind == "sequence"
        and all(isinstance(arg, Ref) and not arg.transform for _, arg in call.args)
    )


def _renamed(run: Parsed, call: Call) -> dict[str, Value]:
    return resolve(call.args, dict(run.values))


def _found_task(group: Group, ways: Sequence[FoundWay], runs: _Runs) -> FoundTask:
    failed = tuple(s for run, s in runs.values() if run.template == group.template and run.verdict == "failure")
    part = next(s.part for run, s in runs.values() if run.template == group.template)
    return FoundTask(group, part, tuple(ways), failed)


def actions_of(node: Routine) -> list[Proto]:
    """Every action that a routine can do, once each, in order."""
    found: dict[Proto, None] = {}
    for call in node.children:
        for proto in [call.node] if isinstance(call.node, Proto) else actions_of(call.node):
            found[proto] = None
    return list(found)
