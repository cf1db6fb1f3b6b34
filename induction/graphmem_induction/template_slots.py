"""What varies in the instructions of one task: the words of each that are its values.

Every instruction of a group is aligned with the others of it. A word that most of them (the more alike, the more they count)
have at its place is a word of the task; the others are values. Then come the cases that a count alone gets wrong: what stands
where another instruction has something else is a value although many say it ("myself", "email address"); so is what stands
between two values of one gap; commas and "and" between values join them to a list. Text that a step typed is a value
whatever the count; a name that a step chose is one unless every instruction of the task says it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from graphmem_induction.slots import Span
from graphmem_induction.template_align import align, gaps
from graphmem_induction.template_words import EDGES, LISTED, MAIL, NUMBER, QUOTED, Word, in_span, skeleton, words

#: A word that a smaller share of the others has is a value.
_SHARE = 0.6
#: Instructions at least this alike are one wording: what differs between them are values.
_WORDING = 0.85
#: With so many others a chosen name that all of them say is a word of the task.
_OTHERS = 2
#: With so few others the beginning of an instruction is a value only where one of the same wording differs.
_FEW = 2
#: Instructions of a group that one is compared with, the most alike first.
_COMPARED = 24
#: Small words that a value does not end with, and with which it does not begin.
_NO_END = frozenset(
    ("a", "an", "the", "my", "your", "our", "their", "his", "her", "this", "that", "of", "in", "on", "at", "to", "by",
     "with", "from", "and", "or", "for", "as", "be", "is", "are")
)  # fmt: skip
_NO_BEGIN = frozenset({"and", "or", "of"})
#: Between two values these make one of them; the words after it only where not every instruction has them there.
_ALWAYS_JOINING = frozenset({",", "a", "the", "my", "your", "our", "their", "his", "her"})
_JOINING = frozenset({",", "and", "or", "&"})
_ALONE = frozenset({QUOTED, LISTED})
_ALL = 0.999


@dataclass(frozen=True)
class Said:
    """An instruction with what its recordings took from it."""

    instruction: str
    typed: tuple[Span, ...] = ()
    chosen: tuple[Span, ...] = ()

    @property
    def skeleton(self) -> tuple[str, ...]:
        return skeleton(self.instruction, sorted({*self.typed, *self.chosen}))

    @property
    def words(self) -> tuple[Word, ...]:
        return words(self.instruction)


@dataclass
class _Counted:
    """For each word of an instruction: the share of the others that say it there, and that have one of its kind there;
    ``replaced``: stretches that another instruction of the same wording fills with something else; ``found``: where each
    of the others has its words, and those of the other."""

    same: list[float]
    kind: list[float]
    others: int
    replaced: list[tuple[int, int]] = field(default_factory=list)
    found: list[tuple[list[int], Sequence[Word]]] = field(default_factory=list)


def value_spans(
    said: Said, others: Sequence[tuple[Said, float]], weights: Mapping[str, float], *, near: bool = False
) -> tuple[Span, ...]:
    """The values of ``said``, in order. ``others``: what it is compared with and how alike that is; ``near``: they are not
    of its group but the nearest to it."""
    kept = sorted(others, key=lambda other: (-other[1], other[0].instruction))[:_COMPARED]
    counted = _counted(said.words, kept, weights)
    flags = _varying(said.words, counted, near=near)
    dropped = _agreed(said, counted) if not near else frozenset()
    for n, word in enumerate(said.words):
        flags[n] = flags[n] or in_span(word, said.typed) or (n not in dropped and in_span(word, said.chosen))
    for n in range(1, len(flags) - 1):
        joins = said.words[n].key in _ALWAYS_JOINING or (said.words[n].key in _JOINING and counted.same[n] < _ALL)
        flags[n] = flags[n] or (flags[n - 1] and flags[n + 1] and joins)
    taken = [*said.typed, *(s for s in said.chosen if not any(in_span(said.words[n], [s]) for n in dropped))]
    return tuple(_spans(said, flags, counted.kind, taken))


def _counted(own: Sequence[Word], others: Sequence[tuple[Said, float]], weights: Mapping[str, float]) -> _Counted:
    counted = _Counted([0.0] * len(own), [0.0] * len(own), len(others))
    total = sum(max(alike, 0.01) ** 2 for _, alike in others) or 1.0
    for other, alike in others:
        vote = max(alike, 0.01) ** 2 / total
        theirs = other.words
        found = align([word.key for word in own], [word.key for word in theirs], weights)
        counted.found.append((found, theirs))
        for n, at in enumerate(found):
            if at >= 0:
                counted.kind[n] += vote
                same = not own[n].is_value or own[n].text == theirs[at].text
                counted.same[n] += vote if same else 0.0
                if not same and alike >= _WORDING:
                    counted.replaced.append((n, n + 1))
        if alike >= _WORDING:
            counted.replaced += [
                (start, end)
                for start, end, a, b in gaps(found, len(theirs))
                if _says(own[start:end]) and _says(theirs[a:b])
            ]
    return counted


def _says(part: Sequence[Word]) -> bool:
    return any(not word.is_small and not word.is_mark for word in part)


def _varying(own: Sequence[Word], counted: _Counted, *, near: bool) -> list[bool]:
    if not counted.others:
        return [word.key in _ALONE for word in own]
    rare = [same < (_ALL if near else _SHARE) for same in counted.same]
    rare = [
        each or (word.key in _ALONE | {MAIL} and same < _ALL)
        for each, word, same in zip(rare, own, counted.same, strict=True)
    ]
    flags = list(rare)
    for start, end in counted.replaced:
        among = [n for n in range(start, end) if rare[n]]
        for n in range(among[0], among[-1] + 1) if among else range(start, end):
            flags[n] = True
        # "from May to June" where another says "in 2022": the small word is the value's.
        n = among[0] - 1 if among else -1
        while n >= start and own[n].is_small and counted.same[n] < _ALL:
            flags[n] = True
            n -= 1
    if not near:
        _fill(own, counted, flags)
    if counted.others <= _FEW:
        _keep_beginning(own, counted, flags)
    return flags


def _fill(own: Sequence[Word], counted: _Counted, flags: list[bool]) -> None:
    """What most say between words that all say, while the others say something else there, is a value too."""
    for start, end in _between([same >= _ALL for same in counted.same]):
        filled = all(_says(_facing(found, theirs, start, end)) for found, theirs in counted.found)
        if filled and not any(flags[start:end]):
            inside = [n for n in range(start, end) if not (own[n].is_small or own[n].is_mark)]
            for n in range(inside[0], inside[-1] + 1) if inside else ():
                flags[n] = True


def _between(strong: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """The stretches that are not strong."""
    start = 0
    for n, each in enumerate([*strong, True]):
        if each:
            if n > start:
                yield start, n
            start = n + 1


def _facing(found: Sequence[int], theirs: Sequence[Word], start: int, end: int) -> Sequence[Word]:
    """What the other instruction has where this one has the words from ``start`` to ``end``, of which both neighbours
    are matched."""
    first = found[start - 1] + 1 if start else 0
    return theirs[first : found[end] if end < len(found) else len(theirs)]


def _keep_beginning(own: Sequence[Word], counted: _Counted, flags: list[bool]) -> None:
    """How an instruction begins says what to do: with little to compare it with, only the same wording shows a value."""
    replaced = {n for start, end in counted.replaced for n in range(start, end)}
    for n, word in enumerate(own):
        if not flags[n] or n in replaced or word.is_value:
            break
        flags[n] = False


def _agreed(said: Said, counted: _Counted) -> frozenset[int]:
    """Words of chosen names that all others say too, and the first word, which says what to do."""
    enough = counted.others >= _OTHERS
    return frozenset(
        n
        for n, word in enumerate(said.words)
        if (n == 0 or (enough and counted.same[n] >= _ALL))
        and not word.is_value
        and in_span(word, said.chosen)
        and not in_span(word, said.typed)
    )


# -- spans -------------------------------------------------------------------------------------------------------------


def _spans(said: Said, flags: Sequence[bool], kind: Sequence[float], taken: Sequence[Span]) -> Iterator[Span]:
    own = said.words
    for piece in _pieces(said, flags, kind):
        inside = _trimmed(piece, own, taken)
        took = any(in_span(own[n], taken) for n in inside)
        if not inside or not (took or _says([own[n] for n in inside])):
            continue
        start, end = own[inside[0]].start, own[inside[-1]].end
        if len(inside) == 1 and own[inside[0]].key == QUOTED:
            start, end = start + 1, end - 1
        yield Span(start, end)


def _pieces(said: Said, flags: Sequence[bool], kind: Sequence[float]) -> Iterator[list[int]]:
    """Runs of flagged words, cut around what is a value by itself."""
    piece: list[int] = []
    for n, flag in enumerate(flags):
        alone = piece and (said.words[n].key in _ALONE or said.words[piece[-1]].key in _ALONE)
        if piece and (not flag or alone or (len(piece) == 1 and _counts(said, piece[0], kind))):
            yield piece
            piece = []
        if flag:
            piece.append(n)
    if piece:
        yield piece


def _counts(said: Said, n: int, kind: Sequence[float]) -> bool:
    """Whether a number says how many of what follows ("the last 5 pending orders"): all others have one there too."""
    own = said.words
    following = said.instruction[own[n + 1].start] if n + 1 < len(own) else ""
    return own[n].key == NUMBER and kind[n] >= 0.99 and following.islower()


def _trimmed(piece: Sequence[int], own: Sequence[Word], taken: Sequence[Span]) -> list[int]:
    """The piece without marks and small words at its ends that no value has there; what a step took stays."""
    inside = list(piece)
    while inside and _trims(own[inside[0]], _NO_BEGIN, taken):
        inside = inside[1:]
    while inside and _trims(own[inside[-1]], _NO_END, taken):
        inside = inside[:-1]
    return inside


def _trims(word: Word, small: frozenset[str], taken: Sequence[Span]) -> bool:
    return word.text in EDGES or (word.key in small and not in_span(word, taken))
