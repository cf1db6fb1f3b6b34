"""Slots of the instructions of one task: texts that stand between the same words, or are of the same type, in all of them.

A ``Slot`` reads one value from an instruction, or a list of values. Slots are proposed by what the demonstrations did (a
name clicked, a value typed, a row acted in that the instruction says) and kept where they read such a text in several
demonstrations (Gulwani's FlashFill, POPL 2011, in its positions between contexts; here of tokens).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from graphmem.model.transforms import ways_from
from graphmem.model.workflow import Value, is_open

_TOKEN = re.compile(
    r"\"(?P<quoted>[^\"]+)\"|(?P<date>\d{1,2}/\d{1,2}/\d{4}|\d{4}-\d{2}-\d{2})|(?P<time>\d{1,2}:\d{2}(?: ?[AP]M)?)"
    r"|(?P<number>-?\d[\d,]*(?:\.\d+)?(?:st|nd|rd|th)?(?![\w]))|(?P<word>[@#{]?\w[\w'}/&]*(?:-\w+)*)|(?P<mark>[^\w\s])",
    re.IGNORECASE,
)
_BETWEEN_ITEMS = re.compile(r"\s*(?:,\s*and\b|,|\band\b|>)\s*", re.IGNORECASE)
_SEPARATORS = frozenset({",", ">", "and"})
_LONGEST = 9
_CONTEXT = 3


@dataclass(frozen=True)
class Token:
    """``said``: the text without quotes, ``norm``: as it is compared."""

    said: str
    norm: str
    start: int
    end: int
    kind: str


@lru_cache(maxsize=100_000)
def tokens(text: str) -> tuple[Token, ...]:
    found = []
    for m in _TOKEN.finditer(text):
        kind = m.lastgroup or "mark"
        found.append(Token(m[kind], m[kind].casefold(), m.start(), m.end(), kind))
    return tuple(found)


@dataclass(frozen=True, order=True)
class Slot:
    """``left`` and ``right``: the words just before and after ("^" and "$" for the ends), or ``type`` and ``nth``: the n-th
    token of that kind; type "said": the one word in ``left``, where it is said;
    type "names": all words with a capital but those in ``left``. ``items``: a list, cut at commas, "and" and ">"."""

    type: str = ""
    nth: int = 0
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    items: bool = False

    @property
    def bits(self) -> float:
        if self.type:
            return (9.0 if self.type == "names" else 3.0) + self.nth
        return 4.0 + 1.5 * (len(self.left) + len(self.right)) + self.items

    def read(self, text: str) -> Value | None:
        if self.type == "said":
            return next((t.said for t in tokens(text) if (t.norm,) == self.left), None)
        if self.type == "names":
            return tuple(name for name in _names(text) if name.casefold() not in self.left) or None
        said = _typed(text, self.type, self.nth) if self.type else _between(text, self.left, self.right)
        if said is None:
            return None
        return items_of(said) if self.items else said


def items_of(text: str) -> tuple[str, ...]:
    return tuple(item.strip().strip('"') for item in _BETWEEN_ITEMS.split(text) if item.strip())


@lru_cache(maxsize=100_000)
def _names(text: str) -> tuple[str, ...]:
    """Words with a capital; the first word of a sentence too, since it may be one."""
    return tuple(re.sub(r"'s$", "", t.said) for t in tokens(text) if t.kind == "word" and t.said[:1].isupper())


@lru_cache(maxsize=500_000)
def _typed(text: str, kind: str, nth: int) -> str | None:
    found = [t.said for t in tokens(text) if t.kind == kind]
    return found[nth - 1] if len(found) >= nth else None


@lru_cache(maxsize=500_000)
def _between(text: str, left: tuple[str, ...], right: tuple[str, ...]) -> str | None:
    seen = tokens(text)
    norms = ("^", *(t.norm for t in seen), "$")
    for at in range(len(norms)):
        if norms[at : at + len(left)] != left:
            continue
        first = at + len(left)
        for end in range(first + 1, len(norms)):
            if norms[end : end + len(right)] == right:
                return _slice(text, seen, first - 1, end - 1)
        return None
    return None


def _slice(text: str, seen: Sequence[Token], first: int, last: int) -> str | None:
    """The text of tokens ``first`` to ``last`` (excluded), without the quotes around one quoted token."""
    if first < 0 or last > len(seen) or last - first > 60:
        return None
    if last - first == 1:
        return seen[first].said
    return text[seen[first].start : seen[last - 1].end]


# -- proposing slots ----------------------------------------------------------------------------------------------------


def propose(texts: Sequence[str], interests: Sequence[frozenset[str]], most: int = 10) -> tuple[Slot, ...]:
    """Slots for the instructions ``texts``; ``interests``: for each, the case-folded texts that its demonstration acted on,
    typed, or stood beside. Each slot is told from the others by what it reads."""
    votes: Counter[Slot] = Counter()
    shared, idle = shared_words(texts), _idle_names(texts, interests)
    for n, text in enumerate(texts):
        votes.update(set(_candidates(text, interests[n], idle)))
    by_reading: dict[tuple[Value | None, ...], tuple[float, Slot]] = {}
    for slot, count in votes.items():
        if count < min(2, len(texts)):
            continue
        read = tuple(slot.read(text) for text in texts)
        said = {v for v in read if v is not None}
        if len(said) < 2 and len(texts) > 1 and not any(is_open(v) for v in said if isinstance(v, str)):
            continue
        if slot.items and not any(isinstance(v, tuple) and len(v) > 1 for v in read):
            continue
        if slot.type == "names":
            worth = [_names_worth(v, wanted) for v, wanted in zip(read, interests, strict=True)]
        else:
            given = frozenset() if slot.type else shared
            worth = [_worth(v, wanted, given) for v, wanted in zip(read, interests, strict=True)]
        if slot.type == "number":
            # How many or which one: a number need not be seen on the page to matter.
            worth = [max(w, 0.3) if v is not None else w for w, v in zip(worth, read, strict=True)]
        if sum(w > 0 for w in worth) < min(2, len(texts)) or sum(worth) <= 0:
            continue
        rank = (-4.0 * sum(worth) + slot.bits, slot)
        if read not in by_reading or rank < by_reading[read]:
            by_reading[read] = rank
    ranked = sorted(rank for rank in by_reading.values() if rank[0] < 0)
    return tuple(slot for _, slot in ranked[:most])


def shared_words(texts: Sequence[str]) -> frozenset[str]:
    """Words that most of the instructions say: they are the task's, not a slot's."""
    counts = Counter(norm for text in texts for norm in {t.norm for t in tokens(text) if t.kind in ("word", "mark")})
    return frozenset(norm for norm, n in counts.items() if n > 2 and n * 2 > len(texts))


def _worth(value: Value | None, wanted: frozenset[str], shared: frozenset[str]) -> float:
    """Above 0 where what is read was acted on; below where it was not, or begins or ends with words of the task."""
    if value is None:
        return 0.0
    parts = value if isinstance(value, tuple) else (value,)
    if not parts:
        return -1.0
    for part in parts:
        seen = tokens(part)
        if len(seen) > 1 and (seen[0].norm in shared or seen[-1].norm in shared):
            return -1.0
    return sum(max((_likeness(part.casefold(), w) for w in wanted), default=0.0) - 0.4 for part in parts) / len(parts)


def _names_worth(value: Value | None, wanted: frozenset[str]) -> float:
    """Of all the names one is enough."""
    return 0.5 if isinstance(value, tuple) and any(part.casefold() in wanted for part in value) else -0.4


_SAID = re.compile(
    r"(?=.*\d)[\d\s/:.,-]*(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|[ap]\.?m\.?|st|nd|rd|th)?[\d\s/:.,]*"
    r"(?:st|nd|rd|th|[ap]\.?m\.?)?[\d\s,]*",
    re.IGNORECASE,
)


@lru_cache(maxsize=500_000)
def forms(said: str, wanted: str) -> tuple[str, ...]:
    """The transforms from what is said to what is wanted; dates and times are only tried where it looks like one."""
    if any(c.isdigit() for c in said) and not _SAID.fullmatch(said):
        words = said.split()
        return tuple(f"word:{n}" for n, word in enumerate(words, 1) if word == wanted) if 1 < len(words) <= 8 else ()
    return ways_from(said, wanted)


@lru_cache(maxsize=500_000)
def _likeness(said: str, wanted: str) -> float:
    """How well the text of the page is what the instruction says: in whole, in another form, or as a part."""
    if said == wanted:
        return 1.0
    if not _alike(said, wanted):
        return 0.0
    return 0.9 if any(way.partition(":")[0] in ("date", "time", "number") for way in forms(said, wanted)) else 0.5


@lru_cache(maxsize=500_000)
def _alike(said: str, wanted: str) -> bool:
    """Whether the text of the page is what the instruction says, in whole or as a part, or in another form."""
    if said == wanted or (
        len(said) > 1 and (wanted.startswith(said) or wanted.endswith(said) or f"({said})" in wanted)
    ):
        return True
    return len(said) <= 40 and len(wanted) <= 40 and bool(forms(said, wanted))


def _idle_names(texts: Sequence[str], interests: Sequence[frozenset[str]]) -> tuple[str, ...]:
    """Words with a capital that no demonstration acted on: they begin sentences."""
    names = [{name.casefold() for name in _names(text)} for text in texts]
    acted = {name for said, wanted in zip(names, interests, strict=True) for name in said & wanted}
    return tuple(sorted({name for said in names for name in said} - acted))


def _candidates(text: str, interests: frozenset[str], idle: tuple[str, ...]) -> Iterator[Slot]:
    seen = tokens(text)
    norms = ("^", *(t.norm for t in seen), "$")
    counts: Counter[str] = Counter()
    spans = []
    for n, token in enumerate(seen):
        if token.kind in ("quoted", "date", "time", "number"):
            counts[token.kind] += 1
            yield Slot(token.kind, counts[token.kind])
            spans.append((n, n + 1))
    for first in range(len(seen)):
        for last in range(first + 1, min(first + _LONGEST, len(seen)) + 1):
            said = _slice(text, seen, first, last)
            if said and seen[first].kind != "mark" and any(_alike(said.casefold(), w) for w in interests):
                spans.append((first, last))
    if any(name.casefold() in interests for name in _names(text)):
        yield Slot("names", items=True, left=idle)
    for a, b in set(spans):
        for left, right in _contexts(norms, a, b):
            yield Slot(left=left, right=right)
    # A list begins with one of the first texts that were acted on and ends with one of the last.
    starts, ends = sorted({a for a, _ in spans}), sorted({b for _, b in spans})
    wide = {(a, b) for a in starts[:3] for b in ends[-3:]} | {_widened(seen, a, b) for a, b in set(spans)}
    for a, b in wide:
        if b - a >= 3:
            for left, right in _contexts(norms, a, b):
                yield Slot(left=left, right=right, items=True)


def _widened(seen: Sequence[Token], a: int, b: int) -> tuple[int, int]:
    """The list that tokens ``a`` to ``b`` are an item of, its other items of one token each."""
    while a >= 2 and seen[a - 1].norm in _SEPARATORS and seen[a - 2].kind != "mark":
        a -= 2
    while b + 1 < len(seen) and seen[b].norm in _SEPARATORS and seen[b + 1].kind != "mark":
        b += 2
    return a, b


def _contexts(norms: Sequence[str], a: int, b: int) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The words before token ``a`` and from token ``b`` on, up to three and up to two; ``norms`` begins with "^"."""
    for left in {tuple(norms[max(0, a + 1 - k) : a + 1]) for k in range(1, _CONTEXT + 1)}:
        for right in {tuple(norms[b + 1 : b + 1 + k]) for k in (1, 2)}:
            yield left, right


def values_of(slots: Mapping[str, Slot], text: str) -> dict[str, Value]:
    """What each slot reads; a slot that reads nothing is left out."""
    read = {name: slot.read(text) for name, slot in slots.items()}
    return {name: value for name, value in read.items() if value is not None}
