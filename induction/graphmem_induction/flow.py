"""Value flow: the same text in two steps in a row makes them one routine, whatever the field is called.

To type a place and then click the suggestion that starts with it is "pick {value} in {field}", in every field of a site
that works like that. That the second name repeats the first value is worth far more bits than naming the routine costs, so
two places are evidence enough; that there are two is what tells a routine from one field's own habit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from graphmem.model.workflow import Parameter
from graphmem_induction.program import Args, Call, Lit, Proto, Ref, Routine

_Shape = tuple[Proto, Proto]


def lift_flows(bodies: Sequence[tuple[Call, ...]]) -> list[tuple[Call, ...]]:
    """The bodies with every pair of steps that one value flows through, and that is seen in two fields, as one call."""
    names: dict[_Shape, set[str]] = {}
    for body in bodies:
        for first, second in _pairs(body):
            names.setdefault(_shape(first, second), set()).add(_proto(first).name)
    routines = {shape: _routine(*shape) for shape, fields in names.items() if len(fields) > 1}
    return [_rewritten(body, routines) for body in bodies]


def _pairs(body: Sequence[Call]) -> Iterable[tuple[Call, Call]]:
    return ((a, b) for a, b in pairwise(body) if _flows(a, b))


def _flows(first: Call, second: Call) -> bool:
    a, b = first.node, second.node
    if not (isinstance(a, Proto) and isinstance(b, Proto)):
        return False
    is_filled = a.op == "type" and a.slots == ("value",) and bool(a.name)
    return is_filled and b.slots == ("name",) and first.arg("value") == second.arg("name")


def _proto(call: Call) -> Proto:
    assert isinstance(call.node, Proto)
    return call.node


def _shape(first: Call, second: Call) -> _Shape:
    return replace(_proto(first), name="", slots=("name", "value")), _proto(second)


def _routine(first: Proto, second: Proto) -> Routine:
    children = (
        Call(first, (("name", Ref("field")), ("value", Ref("value")))),
        Call(second, (("name", Ref("value")),)),
    )
    return Routine("sequence", children, (Parameter("field"), Parameter("value")))


def _rewritten(body: tuple[Call, ...], routines: dict[_Shape, Routine]) -> tuple[Call, ...]:
    done: list[Call] = []
    n = 0
    while n < len(body):
        pair = body[n : n + 2]
        routine = routines.get(_shape(*pair)) if len(pair) == 2 and _flows(*pair) else None
        if routine is None:
            done.append(body[n])
            n += 1
            continue
        value = pair[0].arg("value")
        assert value is not None
        args: Args = (("field", Lit(_proto(pair[0]).name)), ("value", value))
        done.append(Call(routine, args))
        n += 2
    return tuple(done)
