"""An instruction as words, and which of them stand for a value of their own whatever the words around them.

Quoted text, a list in brackets, a date, an e-mail address, a web address and a number are one word each, of a kind: two
words of one kind are laid beside each other although they say different things. Other words are compared by their letters,
without case, a plural s and a possessive.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from graphmem_induction.slots import Span

#: Kinds of words that are values by themselves.
QUOTED, LISTED, DATE, MAIL, ADDRESS, NUMBER, TAKEN = (
    "<quoted>",
    "<list>",
    "<date>",
    "<mail>",
    "<url>",
    "<number>",
    "<said>",
)

_MONTH = (
    r"(?:(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?)"
)
_WORD = re.compile(
    "|".join(
        (
            r"(?P<quoted>\"[^\"]+\"|“[^”]+”|(?<!\w)'[^']+'(?!\w))",
            r"(?P<list>\[[^\]]*\])",
            # The place of a secret is a word of the task.
            r"(?P<secret>\{\w+\})",
            r"(?P<mail>[\w.+-]+@[\w-]+\.[\w.-]*\w)",
            r"(?P<url>https?://\S*\w)",
            rf"(?P<date>\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}}\b)?|\b{_MONTH},? \d{{4}}\b"
            rf"|\b\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}(?: \d{{4}}\b)?"
            r"|\b(?:quarter ?|q)[1-4](?:,? \d{4})?\b|\b\d{1,4}[/-]\d{1,2}(?:[/-]\d{1,4})?\b)",
            r"(?P<number>\(-?\d[\d.]*, ?-?\d[\d.]*\)|(?<![\w.)])-\d[\d,.]*(?!\w)|\d[\d,.:]*\d%?(?!\w)|\d%?(?!\w)"
            r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)",
            # A hyphen joins letters ("best-selling") and what begins with a digit, but not a number to a word ("top-3").
            r"[^\W\d_](?:\w|['’./@](?=\w)|-(?=[^\W\d]))*|\w(?:\w|['’./@-](?=\w))*|[^\w\s]",
        )
    ),
    re.IGNORECASE,
)
_KINDS = {"quoted": QUOTED, "list": LISTED, "date": DATE, "mail": MAIL, "url": ADDRESS, "number": NUMBER}

#: Words that say how, not what: no slot is made of them alone.
SMALL = frozenset(
    ("a", "an", "the", "of", "for", "in", "on", "at", "to", "by", "with", "from", "and", "or", "is", "are", "be", "was",
     "were", "my", "your", "our", "their", "his", "her", "that", "this", "these", "those", "it", "its", "as", "i", "me",
     "us", "who", "has", "have", "had", "do", "does", "did", "any", "all", "please")
)  # fmt: skip
#: Marks that end a sentence or part its clauses; they are no part of a value at its edges.
EDGES = frozenset(".,?!;:")
#: Words of an instruction that are read: what comes later is one text.
_LONGEST = 200
#: What makes no difference between two instructions.
_UNHEARD = EDGES | {"please"}


@dataclass(frozen=True, slots=True)
class Word:
    """``key``: what it is compared by, a kind in angle brackets or its letters; ``text``: as it stands, without case."""

    start: int
    end: int
    key: str
    text: str

    @property
    def is_value(self) -> bool:
        return self.key[0] == "<"

    @property
    def is_small(self) -> bool:
        return self.key in SMALL

    @property
    def is_mark(self) -> bool:
        return not self.is_value and not self.text[0].isalnum()


@lru_cache(maxsize=32768)
def words(instruction: str) -> tuple[Word, ...]:
    """The words of an instruction, in order."""
    found = []
    for match in islice(_WORD.finditer(instruction), _LONGEST):
        kind = _KINDS.get(match.lastgroup or "", "")
        found.append(Word(match.start(), match.end(), kind or _key(match.group()), match.group().casefold()))
    return tuple(found)


def _key(text: str) -> str:
    key = re.sub(r"['’]s$", "", text.casefold())
    if len(key) > 3 and key.endswith("s") and not key.endswith("ss"):
        key = key[:-1]
    return "a" if key == "an" else key


def in_span(word: Word, spans: Iterable[Span]) -> bool:
    return any(span.start < word.end and word.start < span.end for span in spans)


def skeleton(instruction: str, taken: Sequence[Span]) -> tuple[str, ...]:
    """The keys of the words, each span that a step took as one word, marks at the ends of clauses left out: equal for
    instructions that differ in nothing but values."""
    keys: list[str] = []
    last: Span | None = None
    for word in words(instruction):
        span = next((s for s in taken if s.start < word.end and word.start < s.end), None)
        if span is None:
            keys += [word.key] if word.text not in _UNHEARD else []
        elif span != last:
            keys.append(word.key if word.is_value else TAKEN)
        last = span
    return tuple(keys)
