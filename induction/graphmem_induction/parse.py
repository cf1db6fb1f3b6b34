"""From lifted steps to calls: which parts of an action are open, which runs of steps are one ``each``.

Whether a typed value is a constant of the site is a question to all its recordings: a field into which the same text was
always typed, and never from an instruction, keeps it; every other field is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graphmem.model.transforms import ways_from
from graphmem.model.workflow import READ, Parameter, Value
from graphmem_induction.describe import Described
from graphmem_induction.program import Arg, Call, Lit, Parsed, Proto, Read, Ref, Routine, Unit, renamed_args
from graphmem_induction.slot_names import slug
from graphmem_induction.slots import READS, VALUED, Lifted, Source, Span, candidates, lists, masked

#: The longest body of an ``each`` that is looked for.
_LONGEST_BODY = 4


@dataclass(frozen=True)
class Recorded:
    """A recording of one site after lifting: its key, instruction, steps, verdict."""

    key: str
    instruction: str
    lifted: tuple[Lifted, ...]
    verdict: str
    known_template: str = ""


def open_fields(recordings: Iterable[Recorded]) -> frozenset[Described]:
    """Fields whose value is open: filled from an instruction somewhere, or with different texts."""
    values: dict[Described, set[str]] = {}
    opened: set[Described] = set()
    for recorded in recordings:
        for item in recorded.lifted:
            if item.seen.what.op not in VALUED:
                continue
            source = item.source("value")
            field = field_of(item)
            values.setdefault(field, set()).add(item.seen.what.value)
            if item.seen.step.secret or (source is not None and source.span is not None):
                opened.add(field)
    return frozenset(opened | {field for field, seen in values.items() if len(seen) > 1})


def field_of(item: Lifted) -> Described:
    return replace(item.seen.what, value="", row="" if item.source("row") else item.seen.what.row)


@dataclass(frozen=True, order=True)
class Mask:
    """What an instruction leaves open: a span, or the items of a list that is worked through, under the name of a slot."""

    slot: str
    spans: tuple[Span, ...]

    @property
    def hull(self) -> Span:
        return Span(self.spans[0].start, self.spans[-1].end)

    def value(self, instruction: str) -> Value:
        texts = tuple(instruction[span.start : span.end] for span in self.spans)
        return texts if len(texts) > 1 else texts[0]


@dataclass(frozen=True)
class Reading:
    """How a recording is read: the key of its task, and what its instruction leaves open."""

    template: str
    masks: tuple[Mask, ...]


def parse(recorded: Recorded, opened: frozenset[Described], reading: Reading | None = None) -> Parsed:
    """One recording as calls over the masks of its instruction; by itself where ``reading`` is not given."""
    reading = reading or own_reading(recorded)
    masks = tuple(sorted(reading.masks, key=lambda mask: mask.spans))
    said = recorded.instruction
    slot_of = _Slots(recorded, masks)
    singles = [Unit(Call(_proto(item, opened), _args(item, opened, slot_of)), (item.seen,)) for item in recorded.lifted]
    units = _fold(recorded, singles, masks)
    values = tuple((mask.slot, mask.value(said)) for mask in masks)
    return Parsed(
        recorded.key, reading.template, wording_of(said, masks), tuple(units),
        values + _secrets(recorded.lifted) + _reads(recorded.lifted), recorded.verdict,
    )  # fmt: skip


def own_reading(recorded: Recorded) -> Reading:
    """How a recording is read that nothing is known beside."""
    masks = own_masks(recorded)
    return Reading(recorded.known_template or masked(recorded.instruction, [mask.hull for mask in masks]), masks)


def own_masks(recorded: Recorded) -> tuple[Mask, ...]:
    """What an instruction leaves open by itself, left to right: what the steps took, and what looks like a value though
    no step took it."""
    taken = taken_masks(recorded)
    for span in candidates(recorded.instruction):
        text = recorded.instruction[span.start : span.end]
        is_value = any(c.isdigit() for c in text) or recorded.instruction[span.start - 1 : span.start] in ('"', "“")
        if is_value and all(span.end <= spans[0].start or spans[-1].end <= span.start for spans in taken):
            taken.append((span,))
    return tuple(Mask(f"@{n}", spans) for n, spans in enumerate(sorted(taken)))


def taken_masks(recorded: Recorded) -> list[tuple[Span, ...]]:
    """What the steps took from the instruction, left to right: each lifted span, a list whose items are done one after
    the other as one."""
    spans = sorted({s.span for item in recorded.lifted for _, s in item.sources if s.span is not None})
    runs = [run for run in lists(recorded.instruction, spans) if _each(recorded.lifted, run) is not None]
    in_runs = {span for run in runs for span in run}
    return sorted([*((span,) for span in spans if span not in in_runs), *runs])


def wording_of(instruction: str, masks: Iterable[Mask]) -> str:
    """The instruction with the slots of its masks in braces."""
    parts, at = [], 0
    for mask in sorted(masks, key=lambda mask: mask.spans):
        parts += [instruction[at : mask.hull.start], f"{{{mask.slot}}}"]
        at = mask.hull.end
    return " ".join("".join([*parts, instruction[at:]]).split())


class _Slots:
    """The slots that a recording's steps are bound to."""

    def __init__(self, recorded: Recorded, masks: Sequence[Mask]) -> None:
        self.said, self.masks = recorded.instruction, masks

    def arg(self, source: Source) -> Arg:
        """The slot that a value came from, through its transform, or the value itself where it is a word of the task."""
        for mask in self.masks:
            if source.span in mask.spans:
                return Ref(mask.slot, source.transform)
            if source.span is not None and len(mask.spans) == 1 and _holds(mask.hull, source.span):
                ways = ways_from(self.said[mask.hull.start : mask.hull.end], source.value)
                return Ref(mask.slot, ways[0]) if ways else Lit(source.value)
        return Lit(source.value)


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _secrets(lifted: Sequence[Lifted]) -> tuple[tuple[str, Value], ...]:
    """Secrets that were typed: a slot of their own name, whose value is that name in braces."""
    return tuple(sorted({(_secret_slot(i.seen.what.value), i.seen.what.value) for i in lifted if i.seen.step.secret}))


def _reads(lifted: Sequence[Lifted]) -> tuple[tuple[str, Value], ...]:
    """What was read from pages, by the name of the read."""
    found = {READ + read_name(i.seen.what): i.seen.what.value for i in lifted if i.seen.what.op in READS}
    return tuple(sorted(found.items()))


def read_name(what: Described) -> str:
    """What to call a read: an answer, else by its column or name."""
    return "answer" if what.op == "answer" else slug(what.column or what.name) or "text"


def _secret_slot(value: str) -> str:
    return value.strip("{}")


def _proto(item: Lifted, opened: frozenset[Described]) -> Proto:
    what = item.seen.what
    slots = [slot for slot, _ in item.sources if slot != "value"]
    # A field that is cleared takes nothing from anywhere: its empty value is a constant.
    if what.op in READS or (what.op in VALUED and what.value and field_of(item) in opened):
        slots.append("value")
    return Proto(
        op=what.op,
        role=what.role,
        name="" if "name" in slots else what.name,
        value="" if "value" in slots else what.value,
        row="" if "row" in slots else what.row,
        column=what.column,
        frame=what.frame,
        shadow=what.shadow,
        slots=tuple(sorted(slots)),
        match=item.match if "name" in slots else "exact",
    )


def _args(item: Lifted, opened: frozenset[Described], slot_of: _Slots) -> tuple[tuple[str, Arg], ...]:
    slots = _proto(item, opened).slots
    return tuple((slot, _arg(item, source, slot_of)) for slot, source in item.sources if slot in slots)


def _arg(item: Lifted, source: Source, slot_of: _Slots) -> Arg:
    if item.seen.what.op in READS:
        return Read(read_name(item.seen.what))
    if item.seen.step.secret:
        return Ref(_secret_slot(item.seen.what.value))
    return slot_of.arg(source)


# -- each --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Each:
    """Where a list is worked through: ``length`` steps for each of the items, from step ``start``."""

    start: int
    length: int


def _each(lifted: Sequence[Lifted], run: Sequence[Span]) -> _Each | None:
    """The steps that do one thing for every item of ``run``, in its order, or None."""
    touched = [n for n, item in enumerate(lifted) if any(s.span in run for _, s in item.sources)]
    if not touched:
        return None
    for length in range(1, _LONGEST_BODY + 1):
        for start in range(max(touched[0] - length + 1, 0), touched[0] + 1):
            if _repeats(lifted, run, start, length) and touched[-1] < start + length * len(run):
                return _Each(start, length)
    return None


def _repeats(lifted: Sequence[Lifted], run: Sequence[Span], start: int, length: int) -> bool:
    if start + length * len(run) > len(lifted):
        return False
    shapes = set()
    for n, span in enumerate(run):
        block = lifted[start + n * length : start + (n + 1) * length]
        spans = {s.span for item in block for _, s in item.sources if s.span in run}
        if spans != {span}:
            return False
        shapes.add(tuple(_shape(item, span) for item in block))
    return len(shapes) == 1


def _shape(item: Lifted, span: Span) -> tuple[object, ...]:
    """What must be alike in all blocks: everything but the item itself."""
    what = item.seen.what
    fed = {slot: ("item", s.transform) if s.span == span else ("said", s) for slot, s in item.sources}
    return (
        what.op, what.role, "" if "name" in fed else what.name, "" if "row" in fed else what.row,
        "" if "value" in fed else what.value, tuple(sorted((k, repr(v)) for k, v in fed.items())),
    )  # fmt: skip


def _fold(recorded: Recorded, singles: Sequence[Unit], masks: Sequence[Mask]) -> list[Unit]:
    """The units with every worked-through list as one ``each``."""
    units = list(singles)
    lists_of = [mask for mask in masks if len(mask.spans) > 1]
    loops = [(each, mask) for mask in lists_of if (each := _each(recorded.lifted, mask.spans))]
    for each, mask in sorted(loops, key=lambda loop: -loop[0].start):
        end = each.start + each.length * len(mask.spans)
        body = units[each.start : each.start + each.length]
        covered = tuple(seen for unit in units[each.start : end] for seen in unit.seen)
        units[each.start : end] = [Unit(_loop([unit.call for unit in body], mask.slot), covered)]
    return units


def _loop(body: Sequence[Call], slot: str) -> Call:
    """``each`` over a list: the list's slot becomes the item, every other slot a parameter named by its place."""
    used = dict.fromkeys(a.slot for call in body for _, a in call.args if isinstance(a, Ref) and a.slot != slot)
    inner = {slot: "item"} | {other: f"with_{n}" for n, other in enumerate(used, start=1)}
    renamed = tuple(replace(call, args=renamed_args(call.args, inner)) for call in body)
    params = (Parameter("items", "list"), *(Parameter(inner[other]) for other in used))
    args: list[tuple[str, Arg]] = [("items", Ref(slot)), *((inner[other], Ref(other)) for other in used)]
    return Call(Routine("each", renamed, params, over="items", as_="item"), tuple(sorted(args)))
