"""Instruction: clauses in the order in which they are to be done, and the spans that can be values.

A clause ends at a mark, or at a word of order, where what follows can begin another request: not in the middle of a list,
of a quotation or of a name. Cutting too often does no harm, since composition may cover several clauses with one workflow;
so cuts are generous and nothing is thrown away. "B after doing A" and "before B, do A" are put in order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.model.transforms import read_date, read_time
from graphmem_agents.words import SMALL, Token, is_month, is_name, tokens, words_of

#: At most this many clauses; what comes after is one clause with the last.
CLAUSES = 8
_CUT_MARKS = frozenset(",;.!?")
_ORDER = frozenset({"then", "afterwards", "afterward", "finally", "next", "lastly", "subsequently"})
_ORDER_PHRASES = re.compile(
    r"^(?:(?:and|then|next|finally|lastly|afterwards?|subsequently|first(?:ly)?|after that|after this|once done|please)"
    r"\b[\s,]*)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:[\s,;.!?]+(?:and|then|or|next|finally|afterwards?|lastly|subsequently))*[\s,;.!?]*$", re.IGNORECASE
)
_NUMBERS = words_of("one two three four five six seven eight nine ten eleven twelve")
_DATE_TOKENS = 4


@dataclass(frozen=True)
class Clause:
    """A part of the instruction: characters ``start``-``end`` of it, without words of order at its head."""

    text: str
    start: int
    end: int

    @property
    def tokens(self) -> tuple[Token, ...]:
        return tokens(self.text)


@dataclass(frozen=True)
class Candidate:
    """Tokens ``first`` to ``last`` (exclusive) that can be a value. ``kind``: quoted, address, date, time, number, name or
    list; ``items`` of a list, else the one value."""

    kind: str
    first: int
    last: int
    items: tuple[str, ...]

    @property
    def value(self) -> str:
        return self.items[0] if len(self.items) == 1 else ", ".join(self.items)


def clauses(instruction: str) -> tuple[Clause, ...]:
    """The clauses in the order of doing; never empty unless the instruction has no word."""
    seen = tokens(instruction)
    cuts = sorted({0, *(i for i in range(1, len(seen)) if _is_cut(seen, i))})
    if len(cuts) > CLAUSES:
        cuts = cuts[:CLAUSES]
    parts = [_clause(instruction, seen[a:b]) for a, b in zip(cuts, [*cuts[1:], len(seen)], strict=True)]
    return tuple(_in_order([part for part in parts if part is not None]))


def candidates(seen: Sequence[Token]) -> tuple[Candidate, ...]:
    """What can be a value among tokens, from left to right; no two overlap but a list and its items' own spans."""
    found: list[Candidate] = []
    at = 0
    while at < len(seen):
        candidate = _candidate(seen, at)
        if candidate is not None:
            found.append(candidate)
        at = candidate.last if candidate is not None else at + 1
    return tuple(sorted([*found, *_lists(seen, found)], key=lambda c: (c.first, -c.last)))


def span_value(seen: Sequence[Token], first: int, last: int) -> str:
    """The text of tokens ``first`` to ``last`` (exclusive) as a value: as written, quotation marks and edges off."""
    if last - first == 1:
        return seen[first].value
    at = seen[first].start
    text = "".join(" " * (t.start - at if i == first else t.start - seen[i - 1].end) + t.text
                   for i, t in enumerate(seen[first:last], first))  # fmt: skip
    return " ".join(text.split()).strip(" ,;.")


# -- clauses -----------------------------------------------------------------------------------------------------------


def _is_cut(seen: Sequence[Token], i: int) -> bool:
    """Whether a clause may begin at token ``i``."""
    before, here = seen[i - 1], seen[i]
    if here.kind == "mark" or here.norm in ("and", "or") or here.norm in _ORDER:
        return here.norm in _ORDER and before.norm not in ("and",) and before.kind != "mark" and i + 1 < len(seen)
    after_break = (before.kind == "mark" and before.text in _CUT_MARKS) or before.norm in ({"and"} | _ORDER)
    if not after_break:
        return before.norm not in SMALL and here.text.casefold() in ("before", "after") and _heads_doing(seen, i)
    if before.kind == "mark" and before.text in ".!?;":
        return True
    return here.kind == "word" and not is_name(here) and here.norm not in _NUMBERS


def _heads_doing(seen: Sequence[Token], i: int) -> bool:
    """Whether before/after leads to something done (``after adding``, ``before you leave``), not to a time."""
    following = seen[i + 1].text.casefold() if i + 1 < len(seen) else ""
    return following.endswith("ing") or following in ("you", "i", "that")


def _clause(instruction: str, part: Sequence[Token]) -> Clause | None:
    if not any(token.kind != "mark" for token in part):
        return None
    start, end = part[0].start, part[-1].end
    text = instruction[start:end]
    head = _ORDER_PHRASES.match(text)
    if head is not None and head.end() < len(text):
        start, text = start + head.end(), text[head.end() :]
    text = _TAIL.sub("", text)
    return Clause(text, start, start + len(text)) if re.search(r"\w", text) else None


def _in_order(parts: list[Clause]) -> list[Clause]:
    """``B after doing A`` -> A, B; ``Before doing B, A`` -> A, B."""
    ordered: list[Clause] = []
    held: Clause | None = None
    for part in parts:
        word = part.tokens[0].text.casefold()
        doing = _heads_doing(part.tokens, 0)
        if word == "after" and doing and ordered:
            ordered.insert(len(ordered) - 1, _without_head(part))
        elif word == "before" and doing and not ordered and held is None and len(parts) > 1:
            held = _without_head(part)
        else:
            ordered.append(part)
            if held is not None:
                ordered.append(held)
                held = None
    return ordered if held is None else [*ordered, held]


def _without_head(part: Clause) -> Clause:
    """The clause without its before or after."""
    cut = part.tokens[1].start
    return Clause(part.text[cut:], part.start + cut, part.end)


# -- candidates --------------------------------------------------------------------------------------------------------


def _candidate(seen: Sequence[Token], at: int) -> Candidate | None:
    token = seen[at]
    for length in range(min(_DATE_TOKENS, len(seen) - at), 0, -1):
        if _is_date(seen, at, at + length):
            return Candidate("date", at, at + length, (span_value(seen, at, at + length),))
    if token.kind in ("quoted", "address", "time", "number"):
        return Candidate(token.kind, at, at + 1, (token.value,))
    if token.norm in _NUMBERS:
        return Candidate("number", at, at + 1, (token.text,))
    if is_name(token) and at > 0:
        last = at + 1
        while last < len(seen) and _goes_on_name(seen, last):
            last += 1
        return Candidate("name", at, last, (span_value(seen, at, last),))
    return None


def _is_date(seen: Sequence[Token], first: int, last: int) -> bool:
    part = seen[first:last]
    if last - first == 1:
        return part[0].kind == "date" and read_date(part[0].text) is not None
    if part[-1].kind == "mark" or not any(is_month(token) for token in part):
        return False
    return any(token.text[:1].isdigit() for token in part) and read_date(span_value(seen, first, last)) is not None


def _goes_on_name(seen: Sequence[Token], at: int) -> bool:
    if is_name(seen[at]) and not is_month(seen[at]):
        return True
    if is_month(seen[at - 1]) and seen[at].kind == "number":
        return True
    joins = seen[at].text in ("&", "of", "de", "-") and at + 1 < len(seen)
    return joins and is_name(seen[at + 1])


def _lists(seen: Sequence[Token], found: Sequence[Candidate]) -> list[Candidate]:
    """Runs of two or more candidates of one kind with nothing but commas, "and" or "or" between."""
    runs: list[list[Candidate]] = []
    for candidate in found:
        last = runs[-1][-1] if runs else None
        if last is not None and last.kind == candidate.kind and _joins(seen, last.last, candidate.first):
            runs[-1].append(candidate)
        else:
            runs.append([candidate])
    return [Candidate("list", r[0].first, r[-1].last, tuple(c.items[0] for c in r)) for r in runs if len(r) > 1]


def _joins(seen: Sequence[Token], first: int, last: int) -> bool:
    between = [token.text.casefold() for token in seen[first:last]]
    return 0 < len(between) <= 2 and all(text in (",", ";", "&", "and", "or") for text in between)


def fits_type(kind: str, text: str) -> bool:
    """Whether ``text`` can be the value of a parameter of type ``kind``."""
    match kind:
        case "date":
            return read_date(text) is not None
        case "time":
            return read_time(text) is not None
        case "number":
            return bool(re.fullmatch(r"[$€£#]?\d+(?:[.,]\d+)*%?", text)) or text.casefold() in _NUMBERS
        case "url":
            return bool(re.match(r"https?://|[\w-]+(\.[\w-]+)+", text))
        case _:
            return bool(text.strip())
