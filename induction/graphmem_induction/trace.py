"""Which steps of a recording were which call: the recording walked along its way.

The walk is the interpreter's, with the recording as the page: an optional part is taken where the next step is its first,
a loop goes on while the next step is its body's. It yields what USES and INSTANCE_OF say, and proves on the way that
expanding the way with the recording's values gives the recording back; a step that no call explains is residual.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphmem.model.workflow import READ, Value
from graphmem_induction.describe import Seen
from graphmem_induction.program import Call, Proto, Routine, resolve
from graphmem_induction.slots import occurs


@dataclass(frozen=True)
class Occurrence:
    """A routine as one recording did it: the recorded indexes of its first and last step, what its slots were bound to,
    which recorded steps in between no call explains; the first and last described step."""

    routine: Routine
    bindings: tuple[tuple[str, Value], ...]
    first: Seen
    last: Seen
    following: Seen | None
    residual: tuple[int, ...] = ()


@dataclass
class Trace:
    """What the walk found: occurrences, inner before outer, and the action of each step."""

    occurrences: list[Occurrence] = field(default_factory=list)
    actions: list[tuple[Seen, Proto]] = field(default_factory=list)


def trace(
    way: Routine, values: Mapping[str, Value], seen: Sequence[Seen], loose: Sequence[tuple[Seen, Proto]] = ()
) -> Trace:
    """The recording ``seen`` as ``way`` with ``values`` for its parameters. ``loose``: the steps that the way has no
    place for, with their actions; they are residual wherever they stand."""
    found = Trace()
    own = {id(step) for step, _ in loose}
    _routine(way, values, [step for step in seen if id(step) not in own], 0, found, outermost=True)
    return _with_loose(found, seen, loose) if loose else found


def _with_loose(found: Trace, seen: Sequence[Seen], loose: Sequence[tuple[Seen, Proto]]) -> Trace:
    occurrences = list(found.occurrences)
    if occurrences:
        occurrences[-1] = replace(occurrences[-1], first=seen[0], last=seen[-1])
    own = [step.indexes[-1] for step, _ in loose]
    occurrences = [
        replace(
            o, residual=tuple(sorted({*o.residual, *(n for n in own if o.first.indexes[0] <= n <= o.last.indexes[-1])}))
        )
        for o in occurrences
    ]
    return Trace(occurrences, sorted([*found.actions, *loose], key=lambda pair: pair[0].indexes[-1]))


def _routine(
    routine: Routine, values: Mapping[str, Value], seen: Sequence[Seen], at: int, found: Trace, outermost: bool = False
) -> int:
    start = at
    match routine.kind:
        case "sequence" | "any_order":
            at = _calls(routine.children, values, seen, at, found)
        case "optional":
            if _starts(routine.children, values, seen, at):
                at = _calls(routine.children, values, seen, at, found)
        case "until":
            while _starts(routine.children, values, seen, at):
                at = _calls(routine.children, values, seen, at, found)
        case "each":
            items = values.get(routine.over, ())
            for item in (items,) if isinstance(items, str) else items:
                at = _calls(routine.children, {**values, routine.as_: item}, seen, at, found)
    if outermost and seen:
        at = len(seen)
    if at > start:
        explained = {id(step) for step, _ in found.actions}
        residual = tuple(step.indexes[-1] for step in seen[start:at] if id(step) not in explained)
        following = seen[at] if at < len(seen) else None
        # What was read goes with every routine; it is part of the bindings of the outermost one only.
        bindings = tuple(sorted((k, v) for k, v in values.items() if outermost or not k.startswith(READ)))
        found.occurrences.append(Occurrence(routine, bindings, seen[start], seen[at - 1], following, residual))
    return at


def _calls(calls: Sequence[Call], values: Mapping[str, Value], seen: Sequence[Seen], at: int, found: Trace) -> int:
    for call in calls:
        bound = resolve(call.args, values)
        if isinstance(call.node, Routine):
            at = _routine(call.node, bound, seen, at, found)
        elif at < len(seen) and accepts(call.node, bound, seen[at]):
            found.actions.append((seen[at], call.node))
            at += 1
    return at


def _starts(calls: Sequence[Call], values: Mapping[str, Value], seen: Sequence[Seen], at: int) -> bool:
    """Whether the step at ``at`` is the first that the calls would do."""
    if at >= len(seen):
        return False
    for call in calls:
        bound = resolve(call.args, values)
        if isinstance(call.node, Proto):
            return accepts(call.node, bound, seen[at])
        if _starts(call.node.children, bound, seen, at):
            return True
        if call.node.kind not in ("optional", "until"):
            return False
    return False


def accepts(proto: Proto, bound: Mapping[str, Value], seen: Seen) -> bool:
    """Whether the step is this action with its open parts bound like this."""
    what = seen.what
    if (proto.op, proto.role, proto.column, proto.frame, proto.shadow) != (
        what.op, what.role, what.column, what.frame, what.shadow,
    ):  # fmt: skip
        return False
    return (
        _name_fits(proto, bound, what.name)
        and (bound.get("value") if "value" in proto.slots else proto.value) == what.value
        and (_held(bound.get("row"), what.row) if "row" in proto.slots else proto.row == what.row)
    )


def _name_fits(proto: Proto, bound: Mapping[str, Value], name: str) -> bool:
    if "name" not in proto.slots:
        return proto.name == name
    wanted = bound.get("name")
    if not isinstance(wanted, str):
        return False
    if proto.match == "starts":
        return name.casefold().startswith(wanted.casefold())
    return wanted.casefold() == name.casefold()


def _held(wanted: Value | None, row: str) -> bool:
    return isinstance(wanted, str) and occurs(wanted, row)
