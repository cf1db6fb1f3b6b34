"""Programs while they are being induced: before elements are anti-unified and before anything has a key.

A ``Proto`` is an action without the elements that it was seen on; a ``Routine`` is a workflow of calls. Both are compared
by content, so that equal routines found in different places are one. ``Ref`` and ``Lit`` are what a call binds a slot to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from graphmem.model.transforms import transformed
from graphmem.model.workflow import READ, Kind, Parameter, Value
from graphmem_induction.describe import Seen


@dataclass(frozen=True)
class Ref:
    """The caller's slot, through a transform."""

    slot: str
    transform: str = ""


@dataclass(frozen=True)
class Lit:
    """Always this text."""

    text: str


@dataclass(frozen=True)
class Read:
    """What an earlier step read: the text of an answer."""

    name: str


Arg: TypeAlias = Ref | Lit | Read
Args: TypeAlias = tuple[tuple[str, Arg], ...]


@dataclass(frozen=True)
class Proto:
    """An action: operation, role and name of the element, where it stands, the constant value; open parts are empty."""

    op: str
    role: str = ""
    name: str = ""
    value: str = ""
    row: str = ""
    column: str = ""
    frame: tuple[str, ...] = ()
    shadow: tuple[str, ...] = ()
    slots: tuple[str, ...] = ()
    match: str = "exact"

    @cached_property
    def order(self) -> str:
        """A text to sort by: content only, so that no order depends on how recordings came."""
        return repr(self)


@dataclass(frozen=True)
class Call:
    node: Proto | Routine
    args: Args = ()

    def arg(self, slot: str) -> Arg | None:
        return dict(self.args).get(slot)


@dataclass(frozen=True)
class Routine:
    """A workflow in the making. ``over`` and ``as_``: the list and the item of an ``each``. ``condition``: present or
    absent, role and name of the element that asks for an ``optional`` or ends an ``until``."""

    kind: Kind
    children: tuple[Call, ...]
    params: tuple[Parameter, ...] = ()
    over: str = ""
    as_: str = ""
    condition: tuple[str, str, str] | None = None

    @cached_property
    def order(self) -> str:
        calls = ";".join(f"{call.node.order}{call.args!r}" for call in self.children)
        return f"~{self.kind}{self.params!r}{self.over}{self.as_}{self.condition!r}[{calls}]"

    @cached_property
    def hashed(self) -> int:
        return hash((self.kind, self.children, self.params, self.over, self.as_, self.condition))

    def __hash__(self) -> int:
        return self.hashed

    @property
    def size(self) -> int:
        """Actions in it, control steps once through."""
        return sum(1 if isinstance(call.node, Proto) else call.node.size for call in self.children)


@dataclass(frozen=True)
class Unit:
    """One call as one recording made it, and the steps that it covers."""

    call: Call
    seen: tuple[Seen, ...]


@dataclass(frozen=True)
class Parsed:
    """A recording of one site as calls. ``template``: the masked instruction; ``values``: what stood at each mask
    (``@0``, ``@1`` ...); ``wording``: the instruction with its masks as ``{@0}``; ``loose``: units that the way which the
    run went has no place for."""

    recording: str
    template: str
    wording: str
    units: tuple[Unit, ...]
    values: tuple[tuple[str, Value], ...]
    verdict: str = "unknown"
    loose: tuple[Unit, ...] = ()


def resolve(args: Args, values: Mapping[str, Value]) -> dict[str, Value]:
    """What a call's slots are bound to, given the values of the caller's slots; a slot without a value is left out."""
    bound = {slot: value for slot, value in values.items() if slot.startswith(READ)}
    for slot, arg in args:
        match arg:
            case Lit(text):
                bound[slot] = text
            case Read(name):
                bound[slot] = values.get(READ + name, "")
            case Ref(name, transform):
                if name in values:
                    value = values[name]
                    bound[slot] = value if isinstance(value, tuple) else transformed(transform, value)
    return bound


def renamed_args(args: Args, names: Mapping[str, str]) -> Args:
    """The arguments with the caller's slots under other names; a slot that is not in ``names`` keeps its own."""
    return tuple((s, Ref(names.get(a.slot, a.slot), a.transform) if isinstance(a, Ref) else a) for s, a in args)


def unfolded(body: Sequence[Call], call: Call) -> list[Call]:
    """The body of a called routine with the caller's arguments in place of its parameters."""
    given = dict(call.args)

    def outer(arg: Arg) -> Arg:
        found = given.get(arg.slot, arg) if isinstance(arg, Ref) else arg
        if not isinstance(arg, Ref) or found is arg:
            return arg
        if isinstance(found, Ref):
            return Ref(found.slot, arg.transform or found.transform)
        return Lit(transformed(arg.transform, found.text)) if isinstance(found, Lit) else found

    return [replace(inner, args=tuple((slot, outer(arg)) for slot, arg in inner.args)) for inner in body]
