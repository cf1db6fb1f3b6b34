"""From tasks to masks: what each recording of a task leaves open in its instruction, under names that all of them share.

What a step took from the instruction keeps its own bounds, or its binding would not give the step back: a slot that holds
more is taken through a transform where one leads from it to what was typed, else it shrinks. Failed recordings shape no
task: they are of the one whose words their instruction says, or of one of their own.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from graphmem.model.transforms import ways_from
from graphmem_induction.parse import Mask, Reading, Recorded, own_masks, taken_masks, wording_of
from graphmem_induction.slots import Span, masked
from graphmem_induction.templates import Slot, tasks, told_of

#: The n-th further mask inside one slot has this much times n added to its number.
_FURTHER = 1000


def readings(recorded: Mapping[str, Recorded]) -> dict[str, Reading]:
    """How each of a site's recordings is read, by its name: its task, and its masks."""
    inducing = {name: each for name, each in sorted(recorded.items()) if each.verdict != "failure"}
    told = [told_of(each.instruction, each.lifted, each.known_template) for each in inducing.values()]
    groups: dict[str, list[str]] = defaultdict(list)
    found: dict[str, Reading] = {}
    for (name, each), task in zip(inducing.items(), tasks(told), strict=True):
        found[name] = Reading("", tuple(_settled(each, task.slots)))
        groups[task.group].append(name)
    for names in groups.values():
        key = _key([recorded[name] for name in names], [found[name] for name in names])
        for name in names:
            found[name] = replace(found[name], template=recorded[name].known_template or key)
    wordings = _Wordings((recorded[name], reading) for name, reading in found.items())
    return found | {name: wordings.reading(each) for name, each in sorted(recorded.items()) if name not in found}


def _key(members: Sequence[Recorded], read: Sequence[Reading]) -> str:
    """The commonest wording of a task with its masks empty; of equals the first by content."""
    counts = Counter(masked(m.instruction, [mask.hull for mask in r.masks]) for m, r in zip(members, read, strict=True))
    return min(counts, key=lambda text: (-counts[text], text))


def _settled(recorded: Recorded, slots: Iterable[Slot]) -> list[Mask]:
    """The masks of one recording: its slots, as wide as its steps allow."""
    free = taken_masks(recorded)
    masks: list[Mask] = []
    for slot in slots:
        inside = [spans for spans in free if _overlap(_hull(spans), slot.span)]
        free = [spans for spans in free if spans not in inside]
        if any(_overlap(mask.hull, slot.span) for mask in masks):
            continue
        if not inside or (len(inside) == 1 and _leads(recorded, slot.span, inside[0])):
            masks.append(Mask(f"@{slot.number}", (slot.span,)))
        else:
            masks += [Mask(f"@{slot.number + _FURTHER * n}", spans) for n, spans in enumerate(inside)]
    return masks


def _leads(recorded: Recorded, whole: Span, spans: tuple[Span, ...]) -> bool:
    """Whether a transform leads from all that the slot says to every value that a step took from a part of it."""
    if spans == (whole,) or len(spans) > 1:
        return False
    text = recorded.instruction[whole.start : whole.end]
    taken = [s for item in recorded.lifted for _, s in item.sources if s.span == spans[0]]
    return whole.start <= spans[0].start and spans[0].end <= whole.end and all(ways_from(text, s.value) for s in taken)


def _hull(spans: Sequence[Span]) -> Span:
    return Span(spans[0].start, spans[-1].end)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


@dataclass(frozen=True)
class _Wording:
    """One wording of a task: the words of the task, in lower case, around its ``slots``."""

    template: str
    parts: tuple[str, ...]
    slots: tuple[str, ...]

    @property
    def fixed(self) -> int:
        return sum(map(len, self.parts))

    def spans(self, said: str) -> list[Span] | None:
        """What stands between the words in ``said``, each part at the first place that it can have; None where they do not
        all stand there in order."""
        if not said.startswith(self.parts[0]) or not said.endswith(self.parts[-1]):
            return None
        ends = [len(self.parts[0])]
        starts = []
        for part in self.parts[1:-1]:
            starts.append(said.find(part, ends[-1] + 1))
            ends.append(starts[-1] + len(part))
            if starts[-1] < 0:
                return None
        if self.slots:
            starts.append(len(said) - len(self.parts[-1]))
        fits = all(start > end for start, end in zip(starts, ends, strict=False))
        return (
            [Span(*span) for span in zip(ends, starts, strict=False)]
            if fits and (self.slots or said == self.parts[0])
            else None
        )


class _Wordings:
    """All wordings of a site's tasks, the most specific first."""

    def __init__(self, read: Iterable[tuple[Recorded, Reading]]) -> None:
        found = {_wording(recorded, reading) for recorded, reading in read}
        self.wordings = sorted(found, key=lambda each: (-each.fixed, each.template, each.parts, each.slots))

    def reading(self, recorded: Recorded) -> Reading:
        """Of the task whose words the instruction says, else of a task of its own."""
        said = recorded.instruction.lower().rstrip(".!? ")
        plain = len(recorded.instruction.lower()) == len(recorded.instruction) and not recorded.known_template
        for wording in self.wordings if plain else ():
            spans = wording.spans(said)
            if spans is not None:
                slots = [Slot(span, int(name[1:])) for span, name in zip(spans, wording.slots, strict=True)]
                return Reading(wording.template, tuple(_settled(recorded, slots)))
        masks = own_masks(recorded)
        key = masked(recorded.instruction, [mask.hull for mask in masks])
        return Reading(recorded.known_template or key, masks)


def _wording(recorded: Recorded, reading: Reading) -> _Wording:
    text = wording_of(recorded.instruction, reading.masks).lower().rstrip(".!? ")
    slots = tuple(mask.slot for mask in sorted(reading.masks, key=lambda mask: mask.spans))
    return _Wording(reading.template, tuple(re.split(r"\{@\d+\}", text)), slots)
