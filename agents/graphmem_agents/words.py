"""Words: an instruction or a template as tokens, how alike two words are, and how much each one says.

One tokeniser reads both sides, so that ``Find a flight from {from} to {to}`` and an instruction can be laid against each
other token by token. Quoted text, dates, times, numbers and addresses are one token each. The small word lists are of
English; words of other languages weigh as content words, which costs little.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["quoted", "address", "date", "time", "number", "slot", "word", "mark"]

_TOKEN = re.compile(
    r"""(?P<slot>\{[^{}\s]+\})
    |(?P<quoted>"[^"\n{}]+"|“[^”\n{}]+”|«[^»\n{}]+»|(?<!\w)'[^'\n{}]+'(?!\w))
    |(?P<address>https?://\S*[^\s.,;!?]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
    |(?P<date>\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}/\d{1,2}/\d{4})
    |(?P<time>\d{1,2}:\d{2}(?:\s?[ap]\.?m\b\.?)?|\d{1,2}\s?[ap]\.?m\b)
    |(?P<number>[$€£#]?\d+(?:[.,]\d+)*%?(?!\w))
    |(?P<word>\w+(?:['’&/.-]\w+)*)
    |(?P<mark>[^\s\w])""",
    re.VERBOSE | re.IGNORECASE,
)


def words_of(text: str) -> frozenset[str]:
    """The words of a list in one text."""
    return frozenset(text.split())


#: Words that say how, not what: they count little when a template is laid against an instruction.
SMALL = words_of(
    "a an the this that these those my your our their his her its me i we you it them is are was be been am do does did "
    "of for in on at to by with from as into onto and or then so if than please just only also there here all any some "
    "can could would will should want need like have has had using via per about up out"
)
#: Heads of a clause that any task may have: asking rather than naming.
LIGHT = words_of("go find show get give tell look see let help make open browse visit navigate start try")
_MONTHS = words_of(
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
_WEIGHTS = {"small": 0.15, "light": 0.4, "word": 1.0, "mark": 0.0}
_ENDINGS = ("ings", "ing", "ies", "ied", "ers", "ed", "es", "er", "s")


@dataclass(frozen=True)
class Token:
    """``text`` as it stands at ``start``-``end`` (characters), ``norm`` for comparing, ``weight`` 0-1."""

    kind: Kind
    text: str
    norm: str
    start: int
    end: int

    @property
    def weight(self) -> float:
        return weight(self.kind, self.norm)

    @property
    def slot(self) -> str:
        """The name of a template's slot, without braces."""
        return self.text[1:-1] if self.kind == "slot" else ""

    @property
    def value(self) -> str:
        """The text without quotation marks."""
        return self.text[1:-1].strip() if self.kind == "quoted" else self.text


@lru_cache(maxsize=20_000)
def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of an instruction or a template, in order."""
    found = []
    for match in _TOKEN.finditer(text):
        kind: Kind = match.lastgroup  # type: ignore[assignment]
        shown = match.group()
        found.append(Token(kind, shown, stem(shown.casefold().strip("\"'“”«»")), match.start(), match.end()))
    return tuple(found)


def weight(kind: str, norm: str) -> float:
    if kind == "mark":
        return _WEIGHTS["mark"]
    if norm in SMALL:
        return _WEIGHTS["small"]
    return _WEIGHTS["light" if norm in LIGHT else "word"]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The word without a common English ending: enough to tell ``bookings`` and ``booking`` alike."""
    if len(word) < 4 or not word.isalpha() or word in SMALL:
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            base = word[: -len(ending)]
            return base + "y" if ending in ("ies", "ied") else base.rstrip("e")
    return word.rstrip("e") if len(word) > 4 else word


@lru_cache(maxsize=200_000)
def alike(a: str, b: str) -> float:
    """How alike two normal forms are, 0-1: 1 for equal, something for a long common beginning."""
    if a == b:
        return 1.0
    shared = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        shared += 1
    longest = max(len(a), len(b))
    return 0.7 if shared >= 4 and longest - shared <= 2 else 0.0


def is_name(token: Token) -> bool:
    """Whether it is written as a name: a capital, and no month or small word."""
    return token.kind == "word" and token.text[:1].isupper() and token.norm not in SMALL


def is_month(token: Token) -> bool:
    return token.text.casefold().rstrip(".") in _MONTHS


def masked(text: str) -> str:
    """The text with its entities and slots as ``X``: what is compared by meaning, so that names do not decide."""
    parts, at = [], 0
    seen = tokens(text)
    for i, token in enumerate(seen):
        head = i == 0 or seen[i - 1].text in (".", "!", "?")
        if token.kind in ("slot", "quoted", "address", "date", "time", "number") or (is_name(token) and not head):
            parts += [text[at : token.start], "X"]
            at = token.end
    return re.sub(r"\bX(?:[ ,]+(?:and )?X)+\b", "X", "".join([*parts, text[at:]]))
