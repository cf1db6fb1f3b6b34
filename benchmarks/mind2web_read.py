"""Reading a question: what its instruction, its history and its candidates say, as features of each candidate, without any
memory. Words are stemmed; how much a word says is measured on candidates of the train side.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import fsum, log

import numpy as np
from numpy.typing import NDArray

from benchmarks.mind2web_steps import Candidate, Question
from graphmem.model.trajectory import Step
from graphmem_agents.words import SMALL, stem
from graphmem_induction.slots import occurs

Matrix = NDArray[np.float64]
Words = tuple[str, ...]

_WORD = re.compile(r"\d+(?:[.,:/]\d+)*|\w+")
#: Tags that are told apart; the rest is one group.
_TAGS = ("select", "button", "a", "label", "svg", "li", "span", "div", "img", "textarea")
_TOGGLES = ("checkbox", "radio")
_PRESSED = ("submit", "button", "image", "reset")


@lru_cache(maxsize=200_000)
def words(text: str) -> Words:
    """Stemmed words of a text that say something, in order."""
    found = (stem(word.casefold()) for word in _WORD.findall(text))
    return tuple(word for word in found if word not in SMALL)


@lru_cache(maxsize=100_000)
def kind(candidate: Candidate) -> str:
    """The tag; of an input what is done with it: ``field``, ``toggle`` or ``button``."""
    if candidate.tag != "input":
        return candidate.tag
    first = candidate.attr.split(" ", 1)[0]
    return "toggle" if first in _TOGGLES else "button" if first in _PRESSED else "field"


@dataclass(frozen=True)
class Rarity:
    """How much a word says: log of one over the share of candidates that have it."""

    counts: Counter[str]
    total: int

    @classmethod
    def of(cls, candidates: Iterable[Candidate]) -> Rarity:
        each = set(candidates)
        return cls(Counter(w for c in each for w in {*words(c.text), *words(c.attr)}), len(each))

    def __call__(self, word: str) -> float:
        return log((self.total + 1) / (self.counts[word] + 1))

    def sum(self, some: Iterable[str]) -> float:
        """Exact, as sets come in another order in each process."""
        return fsum(map(self, some))


@dataclass(frozen=True)
class Reading:
    """A question's instruction in words: all, and those that the steps so far have not used."""

    said: frozenset[str]
    left: frozenset[str]
    rest: str
    order: Words

    @classmethod
    def of(cls, question: Question) -> Reading:
        order = words(question.instruction)
        used = {word for step in question.history for text in (step.value, name_of(step)) for word in words(text)}
        rest = question.instruction
        for step in question.history:
            for text in (step.value, name_of(step)):
                if text:
                    rest = re.sub(rf"(?<!\w){re.escape(text)}(?!\w)", "|", rest, flags=re.IGNORECASE)
        return cls(frozenset(order), frozenset(order) - used, rest, order)


def name_of(step: Step) -> str:
    return step.target.called() if step.target else ""


def lexical(question: Question, rarity: Rarity) -> Matrix:
    """Features of each candidate: float [candidates, features]."""
    reading = Reading.of(question)
    rows = np.array([_row(question, candidate, reading, rarity) for candidate in question.candidates])
    return np.hstack([rows, within_pool(rows[:, :_COMPARED])])


#: The first features of a row are amounts of agreement, which are compared within the pool.
_COMPARED = 11


def within_pool(values: Matrix) -> Matrix:
    """Each value less the best of its pool."""
    return np.asarray(values - values.max(axis=0, keepdims=True), dtype=float)


def _row(question: Question, candidate: Candidate, reading: Reading, rarity: Rarity) -> list[float]:
    text, attr = words(candidate.text), words(candidate.attr)
    history = question.history
    last = history[-1] if history else None
    option = max((_said_option(o, reading) for o in candidate.options), default=0.0)
    matched = [n for n, word in enumerate(reading.order) if word in text]
    said = bool(candidate.text) and len(text) < 12 and occurs(candidate.text, question.instruction)
    left = said and occurs(candidate.text, reading.rest)
    agreement = [
        rarity.sum(reading.said.intersection(text)),
        rarity.sum(reading.left.intersection(text)),
        rarity.sum(reading.said.intersection(attr)),
        rarity.sum(reading.left.intersection(attr)),
        _share(text, reading.said, rarity),
        _share(text, reading.left, rarity),
        _share(attr, reading.left, rarity),
        float(said) * len(text),
        float(left) * len(text),
        option,
        _continues(candidate, last),
    ]
    return [
        *agreement,
        max((_same(candidate, step) for step in history), default=0.0),
        _same(candidate, last) if last else -1.0,
        matched[0] / len(reading.order) if matched else -1.0,
        float(len(text)),
        float(len(attr)),
        float(len(candidate.options)),
        *(float(kind(candidate) == tag) for tag in _TAGS),
        *(float(kind(candidate) == each) for each in ("field", "toggle")),
        float("submit" in candidate.attr.split(" ", 2)[:2]),
        float(len(history)),
        float(last is not None and last.op == "type"),
        float(last is not None and last.op == "select"),
        rarity.sum(reading.left) / (rarity.sum(reading.said) or 1.0),
    ]


def _share(some: Words, said: frozenset[str], rarity: Rarity) -> float:
    """The share of what the words say that the instruction says too."""
    every = frozenset(some)
    total = rarity.sum(every)
    return rarity.sum(every & said) / total if total else 0.0


def _said_option(option: str, reading: Reading) -> float:
    """How surely the rest of the instruction names an option of a list: its length in words, less what is not said."""
    those = words(option)
    if not those or len(those) > 8:
        return 0.0
    if occurs(option, reading.rest):
        return 1.0 + len(those)
    return sum(word in reading.left for word in those) / len(those)


def best_option(candidate: Candidate, question: Question) -> tuple[float, str]:
    """The option that the rest of the instruction names most surely, and how surely."""
    reading = Reading.of(question)
    scored = [(_said_option(option, reading), option) for option in candidate.options]
    return max(scored, key=lambda pair: pair[0], default=(0.0, ""))


def _same(candidate: Candidate, step: Step) -> float:
    """How alike a candidate and the element of a step are, by words, 0-1."""
    mine = frozenset(words(candidate.text) + words(candidate.attr))
    theirs = frozenset(words(name_of(step)))
    return len(mine & theirs) / len(theirs | frozenset(words(candidate.text))) if theirs else 0.0


def _continues(candidate: Candidate, last: Step | None) -> float:
    """Whether a candidate's text begins with, or holds, what was typed just before (a suggestion list)."""
    if last is None or last.op != "type" or not last.value or not candidate.text:
        return 0.0
    text, value = candidate.text.casefold(), last.value.casefold()
    return 2.0 if text.startswith(value) else float(value in text) or _common(value, text)


def _common(value: str, text: str) -> float:
    typed: Sequence[str] = words(value)
    return 0.8 * sum(word in words(text) for word in typed) / len(typed) if typed else 0.0
