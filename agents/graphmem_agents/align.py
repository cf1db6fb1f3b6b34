"""Alignment: a task's template laid against an instruction, so that its slots take the spans between the constant words.

``Find a flight from {from} to {to} on {date}`` against "I want a flight from Oslo to Rome" is a monotone alignment by
dynamic programming over template and instruction tokens: a constant word is matched (a like word will do) or passed over,
a slot takes a span that can be of its type or stays empty, an instruction word is passed over at a cost. What the order of
words hides ("to Rome from Oslo") is then bound by the word that leads in the slot, and last by type. Pure functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from graphmem.model.workflow import Parameter, Value
from graphmem_agents.instruction import Candidate, candidates, fits_type, span_value
from graphmem_agents.words import SMALL, Token, alike, is_name, tokens

#: Longest span, in tokens, that a slot of text may take, and one of a list.
_SPAN = 10
_LIST_SPAN = 24
_PASS_TEMPLATE = 0.35
_PASS_INSTRUCTION = 0.2
_EMPTY_SLOT = 0.3
_GUESS = 0.45
_LIKE_A_VALUE = 0.8
_UNTYPED = frozenset({"text", "secret"})
_CHECKED = frozenset({"date", "time", "number", "url"})
_ITEM = 4
_JOINS = frozenset({",", ";", "&", "and", "or"})
_BREAKS = frozenset({".", ";", "!", "?"})
_ORDER = frozenset({"then", "afterwards", "finally"})


@dataclass(frozen=True)
class Alignment:
    """``values`` by slot; ``said``: share of the template's constant words that the instruction has; ``covered``: share of
    the instruction's words that the template explains; ``bound``: share of its slots with a value; ``leftover``: parts of
    the instruction that nothing explains."""

    values: tuple[tuple[str, Value], ...] = ()
    said: float = 0.0
    covered: float = 0.0
    bound: float = 0.0
    leftover: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Match:
    """Which instruction tokens answer a constant, and which span each slot took (by slot name)."""

    matched: frozenset[int]
    said: float
    spans: Mapping[str, tuple[int, int]]


def align(
    template: str, parameters: Sequence[Parameter], text: str, examples: Mapping[str, Sequence[str]] | None = None
) -> Alignment:
    """Lay ``template`` against ``text``. ``examples``: values that slots had in recordings, by slot."""
    pattern, seen = tokens(template), tokens(text)
    types = {p.name: p.type for p in parameters}
    spoken = [t for t in pattern if t.kind != "mark"]
    found = _best(spoken, seen, types)
    spans = _widened(spoken, seen, found, types)
    slots = list(dict.fromkeys([t.slot for t in spoken if t.slot] + list(types)))
    free = [c for c in candidates(seen) if not _touches(c, spans.values())]
    _bind_rest(spoken, seen, slots, types, free, spans, examples or {})
    values = {s: _value(seen, span, types.get(s, "text")) for s, span in spans.items()}
    return _scored(spoken, seen, found, spans, values, slots)


# -- the dynamic programme ---------------------------------------------------------------------------------------------


def _best(pattern: Sequence[Token], seen: Sequence[Token], types: Mapping[str, str]) -> _Match:
    """The best monotone alignment: backwards over both, best[i][j] for pattern[i:] against seen[j:]."""
    rows, columns = len(pattern), len(seen)
    gains = _slot_gains(pattern, seen, types)
    skips = [_PASS_INSTRUCTION * token.weight for token in seen]
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    move = [[(0, 0)] * (columns + 1) for _ in range(rows + 1)]
    for j in range(columns - 1, -1, -1):
        best[rows][j], move[rows][j] = best[rows][j + 1] - skips[j], (0, 1)
    for i in range(rows - 1, -1, -1):
        token = pattern[i]
        lack = _EMPTY_SLOT if token.slot else _PASS_TEMPLATE * token.weight
        below, here, moves = best[i + 1], best[i], move[i]
        for j in range(columns, -1, -1):
            top, step = below[j] - lack, (1, 0)
            if j < columns:
                if here[j + 1] - skips[j] > top:
                    top, step = here[j + 1] - skips[j], (0, 1)
                if not token.slot:
                    like = alike(token.norm, seen[j].norm)
                    if like and like * max(token.weight, 0.1) + below[j + 1] > top:
                        top, step = like * max(token.weight, 0.1) + below[j + 1], (1, 1)
                for length, gain in gains.get((i, j), ()):
                    if gain + below[j + length] > top:
                        top, step = gain + below[j + length], (2, length)
            here[j], moves[j] = top, step
    return _traced(pattern, seen, move)


def _traced(pattern: Sequence[Token], seen: Sequence[Token], move: Sequence[Sequence[tuple[int, int]]]) -> _Match:
    i = j = 0
    matched: set[int] = set()
    said = 0.0
    spans: dict[str, tuple[int, int]] = {}
    while i < len(pattern) or j < len(seen):
        kind, length = move[i][j]
        if kind == 2:
            spans.setdefault(pattern[i].slot, (j, j + length))
        elif (kind, length) == (1, 1):
            matched.add(j)
            said += pattern[i].weight * alike(pattern[i].norm, seen[j].norm)
        i, j = i + (kind > 0), j + length
    return _Match(frozenset(matched), said, spans)


def _widened(
    pattern: Sequence[Token], seen: Sequence[Token], found: _Match, types: Mapping[str, str]
) -> dict[str, tuple[int, int]]:
    """Spans of text grown over what stands between them and the matched words of the template on either side; the first
    and last of a template, where they are no names, to the ends."""
    spans = dict(found.spans)
    leads = set(_leads(pattern).values())
    for i, token in enumerate(pattern):
        if token.slot not in spans or types.get(token.slot, "text") != "text":
            continue
        first, last = spans[token.slot]
        taken = {k for slot, span in spans.items() if slot != token.slot for k in range(*span)} | found.matched
        taken |= {k for k, t in enumerate(seen) if t.norm in leads}
        before = _free_run(seen, taken, first - 1, -1)
        after = _free_run(seen, taken, last, 1)
        if not i or _answers(pattern[i - 1], seen, first - before - 1, found):
            first -= before
        ends = last + after == len(seen)
        whole = ends and i + 1 == len(pattern) and _goes_on(seen[last - 1 :])
        if whole or (i + 1 < len(pattern) and _answers(pattern[i + 1], seen, last + after, found)):
            last += after
        spans[token.slot] = (first, last)
    return spans


def _answers(constant: Token, seen: Sequence[Token], at: int, found: _Match) -> bool:
    """Whether the instruction's token at ``at`` is the one matched by the template's word next to a slot."""
    return at in found.matched and alike(constant.norm, seen[at].norm) > 0


def _goes_on(rest: Sequence[Token]) -> bool:
    """Whether a value goes on to the end: a phrase (``my refund`` is late), or a name with its parts (an address)."""
    if not is_name(rest[0]) and rest[0].kind == "word":
        return True
    return all(is_name(token) or token.kind == "number" or token.text == "," for token in rest)


def _free_run(seen: Sequence[Token], taken: Iterable[int], at: int, step: int) -> int:
    """How many tokens from ``at`` on are neither matched, nor in a slot, nor the end of a sentence."""
    held = set(taken)
    count = 0
    while 0 <= at < len(seen) and at not in held and seen[at].text not in _BREAKS:
        count, at = count + 1, at + step
    return count


def _slot_gains(
    pattern: Sequence[Token], seen: Sequence[Token], types: Mapping[str, str]
) -> dict[tuple[int, int], list[tuple[int, float]]]:
    """(slot's place in the pattern, first token) -> (length, gain) of the spans that it may take."""
    constants = {t.norm for t in pattern if not t.slot}
    leads = _leads(pattern)
    by_type: dict[str, list[list[tuple[int, float]]]] = {}
    gains: dict[tuple[int, int], list[tuple[int, float]]] = {}
    for i, token in enumerate(pattern):
        if not token.slot:
            continue
        kind = types.get(token.slot, "text")
        if kind not in by_type:
            by_type[kind] = [list(_spans(seen, j, kind, constants)) for j in range(len(seen))]
        for j, spans in enumerate(by_type[kind]):
            # A span of text that the template's own word does not lead in is a guess.
            before = seen[j - 1].norm if j else ""
            led = alike(before, leads.get(token.slot, "")) > 0
            if spans and (kind in _CHECKED or token.slot not in leads or led):
                gains[i, j] = spans
            elif spans and before not in leads.values():
                gains[i, j] = [(length, gain - _GUESS) for length, gain in spans if gain > _LIKE_A_VALUE - 0.1]
    return gains


def _spans(seen: Sequence[Token], first: int, kind: str, constants: set[str]) -> list[tuple[int, float]]:
    if seen[first].kind == "mark":
        return []
    starts = {c.first: c for c in reversed(_candidates(tuple(seen)))}
    spans = []
    cost = 0.0
    for last in range(first + 1, min(first + (_LIST_SPAN if kind == "list" else _SPAN), len(seen)) + 1):
        token = seen[last - 1]
        if token.text in _BREAKS or token.norm in _ORDER:
            break
        # A word of the template inside a value, or a small word, is seldom part of it.
        if kind not in _CHECKED:
            joins = kind == "list" and token.text.casefold() in _JOINS
            cost += 0.06 + (0.3 if last > first + 1 and token.kind == "mark" and not joins else 0.0)
            cost += 0.35 if token.norm in constants else 0.12 if token.weight < 0.3 and not joins else 0.0
        if token.kind == "mark" or (kind in _CHECKED and not _is_typed(seen, first, last, kind)):
            continue
        if kind == "list" and not _items(seen[first:last]):
            continue
        spans.append((last - first, _gain(seen, first, last, kind, starts) - cost))
    return spans


def _gain(seen: Sequence[Token], first: int, last: int, kind: str, starts: Mapping[int, Candidate]) -> float:
    """A span that is written as a value of its kind gains most."""
    candidate = starts.get(first)
    whole = candidate is not None and candidate.last == last
    if kind in _CHECKED:
        return 1.2 + 0.01 * (last - first)
    if kind == "list":
        return 1.5 if whole and candidate is not None and candidate.kind == "list" else 0.9 if whole else 0.4
    if whole and candidate is not None:
        # A text slot may hold a date or number, but one typed so should have it.
        return 1.1 if candidate.kind in ("name", "quoted", "address") else 0.9
    return _LIKE_A_VALUE if first and any(is_name(token) for token in seen[first:last]) else 0.6


@lru_cache(maxsize=256)
def _candidates(seen: tuple[Token, ...]) -> tuple[Candidate, ...]:
    return candidates(seen)


def _is_typed(seen: Sequence[Token], first: int, last: int, kind: str) -> bool:
    return last - first <= 6 and fits_type(kind, span_value(seen, first, last))


# -- what the order of words hides -------------------------------------------------------------------------------------


def _bind_rest(
    pattern: Sequence[Token],
    seen: Sequence[Token],
    slots: Sequence[str],
    types: Mapping[str, str],
    free: list[Candidate],
    spans: dict[str, tuple[int, int]],
    examples: Mapping[str, Sequence[str]],
) -> None:
    """Bind slots that are still empty: by the word that leads them in, by a known example, then by type alone."""
    leads = _leads(pattern)
    for rule in ("lead", "example", "type"):
        for slot in slots:
            if slot in spans:
                continue
            kind = types.get(slot, "text")
            fitting = [c for c in free if _can_be(c, kind)]
            if rule == "lead":
                fitting = [c for c in fitting if c.first and _leads_in(seen[c.first - 1], leads.get(slot, ""), slot)]
            elif rule == "example":
                known = {value.casefold() for value in examples.get(slot, ())}
                fitting = [c for c in fitting if c.value.casefold() in known]
            elif kind in ("text", "secret", "url"):
                continue
            span = (fitting[0].first, fitting[0].last) if len(fitting) == 1 or (fitting and rule != "type") else None
            if span is None and rule == "lead" and kind == "text":
                span = _after(seen, leads.get(slot, ""), spans)
            if span is not None:
                spans[slot] = span
                free[:] = [c for c in free if not _touches(c, [span])]


def _leads(pattern: Sequence[Token]) -> dict[str, str]:
    return {t.slot: pattern[i - 1].norm for i, t in enumerate(pattern) if t.slot and i and not pattern[i - 1].slot}


def _leads_in(before: Token, lead: str, slot: str) -> bool:
    """Whether the word before a value is the template's word before the slot, or the slot's own name."""
    return before.kind == "word" and (before.norm == lead or alike(before.norm, slot.casefold()) > 0)


def _after(seen: Sequence[Token], lead: str, taken: Mapping[str, tuple[int, int]]) -> tuple[int, int] | None:
    """The words after ``lead`` up to the next small word, mark or value, where ``lead`` stands once."""
    places = [i for i, t in enumerate(seen) if lead and t.norm == lead]
    inside = {i for first, last in taken.values() for i in range(first, last)}
    if len(places) != 1 or places[0] in inside:
        return None
    first = last = places[0] + 1
    while last < min(len(seen), first + 4) and seen[last].weight > 0.3 and last not in inside:
        last += 1
    return (first, last) if last > first else None


def _can_be(candidate: Candidate, kind: str) -> bool:
    if kind == "list":
        return candidate.kind in ("list", "number", "name", "quoted")
    if kind in _CHECKED:
        return candidate.kind != "list" and fits_type(kind, candidate.value)
    return kind != "secret" and candidate.kind != "list"


def _touches(candidate: Candidate, spans: Iterable[tuple[int, int]]) -> bool:
    return any(candidate.first < last and first < candidate.last for first, last in spans)


# -- what came of it ---------------------------------------------------------------------------------------------------


def _value(seen: Sequence[Token], span: tuple[int, int], kind: str) -> Value:
    return span_value(seen, *span) if kind != "list" else _items(seen[span[0] : span[1]])


def _items(part: Sequence[Token]) -> tuple[str, ...]:
    """What a list lists: items of up to ``_ITEM`` tokens with commas, "and" or "or" between; () where it is no list."""
    items: list[list[Token]] = [[]]
    for token in part:
        if token.text.casefold() in _JOINS:
            items.append([])
        elif token.norm in SMALL:
            return ()
        else:
            items[-1].append(token)
    kept = [item for item in items if item]
    if any(len(item) > _ITEM for item in kept):
        return ()
    return tuple(span_value(item, 0, len(item)) for item in kept)


def _scored(
    pattern: Sequence[Token],
    seen: Sequence[Token],
    found: _Match,
    spans: Mapping[str, tuple[int, int]],
    values: Mapping[str, Value],
    slots: Sequence[str],
) -> Alignment:
    inside = {i for first, last in spans.values() for i in range(first, last)}
    constants = [t for t in pattern if not t.slot]
    words = {t.norm for t in constants}
    # A word that stands elsewhere than in the template is explained all the same, though it counts less.
    moved = {
        i for i, t in enumerate(seen)
        if i not in found.matched and i not in inside and t.weight > 0.3 and any(alike(t.norm, w) for w in words)
    }  # fmt: skip
    explained = found.matched | inside | moved
    total = sum(t.weight for t in constants)
    said = found.said + 0.7 * sum(seen[i].weight for i in moved)
    weights = sum(t.weight for t in seen) or 1.0
    return Alignment(
        values=tuple(sorted(values.items())),
        said=min(said / total, 1.0) if total else 0.0,
        covered=sum(seen[i].weight for i in explained) / weights,
        bound=len(values) / len(slots) if slots else 1.0,
        leftover=_leftover(seen, explained),
    )


def _leftover(seen: Sequence[Token], explained: set[int] | frozenset[int]) -> tuple[str, ...]:
    """Runs of tokens that nothing explains, where one of them says something. Small words between them do not end a run."""
    parts: list[str] = []
    run: list[int] = []
    for i in range(len(seen) + 1):
        if i < len(seen) and seen[i].kind != "mark" and (i not in explained or (run and seen[i].norm in SMALL)):
            run.append(i)
            continue
        while run and run[-1] in explained:
            run.pop()
        if any(seen[k].weight >= 1.0 for k in run):
            parts.append(span_value(seen, run[0], run[-1] + 1))
        run = []
    return tuple(parts)
