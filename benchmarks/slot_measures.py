"""Measures of task templates and slots: are two recordings rightly of one task, and is what varies rightly found.

Gold spans come from a template string aligned with its instruction. A span is in characters, [start, end), of the
instruction. Grouping is scored over pairs of recordings; slots over words, over spans, and over whole instructions:

- ``slot_f1``: words (edges without punctuation) that are in a slot, in any;
- ``slot_exact_f1``: spans with the very same characters, white space at the ends aside;
- ``slot_exact_words_f1``: spans with the very same words, so that a quotation mark more or less is no difference;
- ``slots_all_right``: instructions in which the spans found are the gold spans, no more and no fewer, by words; one
  without slots is right where none is found.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Span: TypeAlias = tuple[int, int]

_HOLE = re.compile(r"\{\{\s*(.*?)\s*\}\}")
_WORD = re.compile(r"\w(?:\S*\w)?")


@dataclass(frozen=True)
class Counts:
    """What was found rightly, found in all, and there to be found."""

    right: int = 0
    found: int = 0
    wanted: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.right + other.right, self.found + other.found, self.wanted + other.wanted)

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.wanted if self.wanted else 0.0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.found + self.wanted) if self.found + self.wanted else 1.0


# -- gold --------------------------------------------------------------------------------------------------------------


def gold_spans(template: str, instruction: str, values: Mapping[str, Any]) -> tuple[Span, ...] | None:
    """Where the template's holes stand in the instruction; None where it does not fit. ``values`` settle the cases that
    the template leaves open ("the last {{N}} {{status}} orders"); a hole that is filled with nothing is no span."""
    match = _aligned(template, instruction, values) or _aligned(template, instruction, {})
    if match is None:
        return None
    return tuple(sorted({s for n in range(1, match.re.groups + 1) if (s := trimmed(match.span(n), instruction))}))


def _aligned(template: str, instruction: str, values: Mapping[str, Any]) -> re.Match[str] | None:
    parts, at = [], 0
    for hole in _HOLE.finditer(template):
        value = values.get(hole[1])
        parts += [_literal(template[at : hole.start()]), f"({_literal(str(value).strip())})" if value else "(.*?)"]
        at = hole.end()
    parts.append(_literal(template[at:].rstrip().rstrip(".?!")))
    return re.fullmatch(r"\s*" + "".join(parts) + r"[\s.?!]*", instruction, re.IGNORECASE | re.DOTALL)


def _literal(text: str) -> str:
    """The text with any white space for white space, none included at its ends: values carry some of it."""
    words = [re.escape(word) for word in text.split()]
    before, after = (r"\s*" if text[:1].isspace() else ""), (r"\s*" if text[-1:].isspace() and words else "")
    return before + r"\s+".join(words) + after


def trimmed(span: Span, text: str) -> Span | None:
    """The span without white space at its ends; None where nothing is left."""
    inside = text[span[0] : span[1]]
    start = span[0] + len(inside) - len(inside.lstrip())
    end = span[1] - len(inside) + len(inside.rstrip())
    return (start, end) if start < end else None


# -- scores ------------------------------------------------------------------------------------------------------------


def pairs(found: Sequence[Hashable], wanted: Sequence[Hashable]) -> Counts:
    """Over all pairs of recordings, given the group that each was put into and the group that it is of."""
    both = Counter(zip(found, wanted, strict=True))
    return Counts(_pairs(both.values()), _pairs(Counter(found).values()), _pairs(Counter(wanted).values()))


def _pairs(sizes: Iterable[int]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes)


def words_in(spans: Iterable[Span], instruction: str) -> frozenset[int]:
    """The words of the instruction, by number, that lie in a span or reach into one."""
    return frozenset(
        n
        for n, word in enumerate(_WORD.finditer(instruction))
        if any(word.start() < end and start < word.end() for start, end in spans)
    )


def as_words(spans: Iterable[Span], instruction: str) -> frozenset[tuple[int, ...]]:
    """Every span as the words that it holds; a span that holds none is left out."""
    return frozenset(held for span in spans if (held := tuple(sorted(words_in([span], instruction)))))


def word_counts(found: Iterable[Span], gold: Iterable[Span], instruction: str) -> Counts:
    return _counts(words_in(found, instruction), words_in(gold, instruction))


def exact_counts(found: Iterable[Span], gold: Iterable[Span], instruction: str) -> Counts:
    kept = [span for each in found if (span := trimmed(each, instruction))]
    return _counts(frozenset(kept), frozenset(gold))


def exact_word_counts(found: Iterable[Span], gold: Iterable[Span], instruction: str) -> Counts:
    return _counts(as_words(found, instruction), as_words(gold, instruction))


def all_right(found: Iterable[Span], gold: Iterable[Span], instruction: str) -> bool:
    return as_words(found, instruction) == as_words(gold, instruction)


def _counts(found: frozenset[Any], gold: frozenset[Any]) -> Counts:
    return Counts(len(found & gold), len(found), len(gold))
