"""Templates: the recordings of one task, whatever their wording and values, and the slots that they share.

    tasks(told)       # for each recording of a site its group and the spans of its instruction that are slots, numbered

Three steps, each a file: the words of an instruction (``template_words``), the groups (``template_groups``), the values
(``template_slots``). Here a group is laid against its middle instruction, the one most like the others, so that the slots of
all its instructions have the same numbers; a slot that the middle does not have goes by the word before it.

An instruction that is alone in its group is compared with the nearest other one, if that is near enough to show what varies.
A recording whose source names its template is grouped by that name.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from graphmem_induction.slots import Lifted, Span
from graphmem_induction.template_align import Array, align
from graphmem_induction.template_groups import THRESHOLD, Likeness, Told, likeness, rarity
from graphmem_induction.template_slots import Said, value_spans
from graphmem_induction.template_words import in_span, words

#: How alike an instruction without a group must be to the nearest one to be compared with it.
_NEAR = 0.5
#: What a word weighs beside its rarity, and how fast that falls with the share of the task's instructions that have it.
_WEIGHT, _SHARED_BY = 0.6, 2


@dataclass(frozen=True, order=True)
class Slot:
    """A value in an instruction; equal numbers in a group are one slot."""

    span: Span
    number: int


@dataclass(frozen=True)
class Tasked:
    """What a recording is an instance of: the group, by the least of its instructions in the order of content, and the
    slots in the order of the instruction."""

    group: str
    slots: tuple[Slot, ...]

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        return tuple((slot.span.start, slot.span.end) for slot in self.slots)


def tasks(told: Sequence[Told], *, threshold: float = THRESHOLD, found: Likeness | None = None) -> list[Tasked]:
    """For each recording of one site its task. The result is a function of the set: order only orders it. ``found``: what
    ``compared`` says of them, where it is at hand."""
    said = _said(told)
    found = found or compared(told)
    row = {skeleton: n for n, skeleton in enumerate(found.skeletons)}
    numbers = found.groups(threshold)
    rows = {text: row.get(each.skeleton, -1) for text, each in said.items()}
    names = [each.known or numbers[rows[each.instruction]] for each in told]
    groups: dict[str | int, set[str]] = defaultdict(set)
    for name, each in zip(names, told, strict=True):
        groups[name].add(each.instruction)
    site = _Site(found, rows, said, Counter(each.instruction for each in told))
    made = {name: site.task(sorted(texts), known=isinstance(name, str)) for name, texts in groups.items()}
    return [made[name][each.instruction] for name, each in zip(names, told, strict=True)]


def compared(told: Sequence[Told]) -> Likeness:
    """How alike the instructions are of recordings without a known template. What one recording took from an instruction is
    taken from it in all that have the same."""
    said = _said(told)
    pooled = [replace(each, typed=said[each.instruction].typed, chosen=said[each.instruction].chosen) for each in told]
    return likeness([each for each in pooled if not each.known])


def _said(told: Sequence[Told]) -> dict[str, Said]:
    """Every distinct instruction with all that any recording took from it."""
    typed: dict[str, set[Span]] = defaultdict(set)
    chosen: dict[str, set[Span]] = defaultdict(set)
    for each in told:
        typed[each.instruction] |= set(each.typed)
        chosen[each.instruction] |= set(each.chosen)
    return {
        text: Said(text, tuple(sorted(typed[text])), tuple(sorted(chosen[text] - typed[text])))
        for text in sorted(typed)
    }


@dataclass(frozen=True)
class _Site:
    """The instructions of a site: how alike their ``rows`` are, what was taken from each, how many recordings have it."""

    found: Likeness
    rows: Mapping[str, int]
    said: Mapping[str, Said]
    times: Mapping[str, int]

    @cached_property
    def weights(self) -> Mapping[str, float]:
        rare = rarity([tuple(word.key for word in each.words) for each in self.said.values()])
        return {word: weight + _WEIGHT for word, weight in rare.items()}

    @cached_property
    def first(self) -> Mapping[int, str]:
        """The first instruction of each row."""
        return {self.rows[text]: text for text in sorted(self.rows, reverse=True)}

    def task(self, texts: Sequence[str], *, known: bool) -> dict[str, Tasked]:
        """The task of one group: by instruction. ``texts`` in their order; of a known template all count as alike."""
        alike = np.ones((len(texts), len(texts))) if known else self.found.among([self.rows[text] for text in texts])
        weights = self._own_weights(texts)
        spans = {text: self._spans(n, texts, alike[n], weights) for n, text in enumerate(texts)}
        middle = min(range(len(texts)), key=lambda n: (-round(float(alike[n].sum()), 4), n))
        return {text: Tasked(texts[0], slots) for text, slots in _numbered(spans, texts[middle], weights).items()}

    def _own_weights(self, texts: Sequence[str]) -> Mapping[str, float]:
        """What words weigh within one task: the less, the fewer of its instructions have them. So a word of the task is
        matched before a word of a value that two instructions happen to share."""
        having = Counter(key for text in texts for key in {word.key for word in words(text)})
        return {key: self.weights[key] * (count / len(texts)) ** _SHARED_BY for key, count in having.items()}

    def _spans(self, n: int, texts: Sequence[str], alike: Array, weights: Mapping[str, float]) -> tuple[Span, ...]:
        said = self.said[texts[n]]
        if len(texts) > 1 or self.times[texts[n]] > 1:
            # What several recordings say in the same words, and nobody otherwise, does not vary.
            others = [(self.said[text], float(alike[at])) for at, text in enumerate(texts) if at != n]
            return value_spans(said, others, weights)
        row, near = self.found.nearest(self.rows[texts[n]]) if self.rows[texts[n]] >= 0 else (-1, 0.0)
        others = [(self.said[self.first[row]], near)] if near >= _NEAR else []
        return value_spans(said, others, self.weights, near=True)


def _numbered(
    spans: Mapping[str, tuple[Span, ...]], middle: str, weights: Mapping[str, float]
) -> dict[str, tuple[Slot, ...]]:
    """The spans of every instruction with the number of the slot of the middle one that they stand at; others get numbers
    of their own, by the word before them."""
    numbered = {middle: tuple(Slot(span, n) for n, span in enumerate(spans[middle]))}
    extra: dict[tuple[str, int], int] = {}
    for text in sorted(spans):
        if text == middle:
            continue
        places = _places(text, spans[text], middle, spans[middle], weights)
        slots: list[Slot] = []
        seen: Counter[str] = Counter()
        for span, place in zip(spans[text], places, strict=True):
            if place is None:
                before = next((w.key for w in reversed(words(text)) if w.end <= span.start), "")
                place = extra.setdefault((before, seen[before]), len(spans[middle]) + len(extra))
                seen[before] += 1
            slots.append(Slot(span, place))
        numbered[text] = tuple(slots)
    return numbered


def _places(
    text: str, spans: Sequence[Span], middle: str, slots: Sequence[Span], weights: Mapping[str, float]
) -> list[int | None]:
    """For each span the number of the slot of ``middle`` that stands between the same words, each once and in order."""
    own, theirs = words(text), words(middle)
    found = align([word.key for word in own], [word.key for word in theirs], weights)
    places: list[int | None] = []
    free = 0
    for span in spans:
        inside = [n for n, word in enumerate(own) if in_span(word, [span])]
        after = [found[n] for n in range(inside[-1] + 1, len(own)) if found[n] >= 0] if inside else []
        before = [found[n] for n in range(inside[0]) if found[n] >= 0] if inside else []
        low, high = (before[-1] if before else -1), (after[0] if after else len(theirs))
        fits = [
            n
            for n in range(free, len(slots))
            if any(low < at < high for at, word in enumerate(theirs) if in_span(word, [slots[n]]))
        ]
        places.append(fits[0] if fits else None)
        free = fits[0] + 1 if fits else free
    return places


def told_of(instruction: str, lifted: Sequence[Lifted], known: str = "") -> Told:
    """What a recording says of its task: the spans that its steps took, and what they did."""
    typed, chosen, did = set(), set(), set()
    for item in lifted:
        what = item.seen.what
        slots = {slot: source.span for slot, source in item.sources if source.span is not None}
        typed |= {span for slot, span in slots.items() if slot == "value"}
        chosen |= {span for slot, span in slots.items() if slot != "value"}
        did.add("\t".join((what.op, what.role, "" if "name" in slots else what.name)))
    return Told(instruction, tuple(sorted(typed)), tuple(sorted(chosen - typed)), frozenset(did), known)
