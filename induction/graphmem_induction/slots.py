"""Stage 3, slots: what of a recording came from its instruction.

A value that was typed or chosen and stands in the instruction, as it is or through a transform, is a slot; so is the name
of an element that the instruction names, and the row that it names. AWM asks a model to put variables for such things
(Agent Workflow Memory, section 2.3); four in five values of Mind2Web stand literally in the task.

What tells a slot from a constant: a control whose name is clicked although the instruction does not say it, in any
recording of the site, is a constant of the site ("Search" stays "Search", whoever asks to search).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from graphmem.model.transforms import read_date, read_time, transformed, ways_from
from graphmem_induction.describe import Described, Seen

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = re.compile(
    rf"\d{{4}}-\d{{1,2}}-\d{{1,2}}|\d{{1,2}}[./]\d{{1,2}}[./]\d{{4}}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?\b"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}(?: \d{{4}})?\b",
    re.IGNORECASE,
)
_TIME = re.compile(r"\b\d{1,2}(?::\d{2})? ?[ap]\.?m\b\.?|\b\d{1,2}:\d{2}\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.,])\d[\d.,]*\d|(?<![\w.,])\d(?![\w])")
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|(?<!\w)'([^']+)'(?!\w)")
_NAMES = re.compile(r"(?<!^)(?<![.!?] )\b[A-Z][\w'&-]*(?: [A-Z][\w'&-]*)*")
_NUMBER_WORDS = re.compile(r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", re.IGNORECASE)
_BETWEEN_ITEMS = re.compile(r"[\"'”]?\s*(?:,|;|&|\band\b|\bor\b|,\s*and\b|,\s*or\b)\s*[\"'“]?", re.IGNORECASE)

#: Elements whose name is a choice among equals, so that one instruction that names it is evidence enough.
_CHOICES = frozenset(
    {"option", "radio", "checkbox", "listitem", "li", "menuitem", "menuitemradio", "menuitemcheckbox", "gridcell", "cell",
     "treeitem", "row", "switch"}
)  # fmt: skip
#: Operations whose value came from the page.
READS = frozenset({"extract", "answer"})
#: Operations whose value the person chose.
VALUED = frozenset({"type", "select", "upload"})


@dataclass(frozen=True, order=True)
class Span:
    """Where in the instruction a value stands, in characters."""

    start: int
    end: int


@dataclass(frozen=True)
class Source:
    """Where a slot's value came from: a span of the instruction through a transform, an item of a list of spans, or
    nowhere (``span`` None: the text itself). ``text`` is the value before the transform."""

    text: str
    span: Span | None = None
    transform: str = ""

    @property
    def value(self) -> str:
        return transformed(self.transform, self.text)


@dataclass(frozen=True)
class Lifted:
    """A step with its open slots (``value``, ``name``, ``row``) and their sources, sorted by slot. ``match``: how the
    open name is compared."""

    seen: Seen
    sources: tuple[tuple[str, Source], ...] = ()
    match: str = "exact"

    def source(self, slot: str) -> Source | None:
        return dict(self.sources).get(slot)


def constants(recordings: Iterable[tuple[str, Sequence[Seen]]]) -> frozenset[Described]:
    """Controls (operation, role, name) of a site that were clicked where the instruction did not name them."""
    found = set()
    for instruction, seen in recordings:
        typed: list[str] = []
        for item in seen:
            what = item.what
            if what.op in VALUED:
                typed.append(what.value)
            elif (
                what.op not in READS
                and what.name
                and not _occurrences(what.name, instruction)
                and not _follows(what.name, typed)
            ):
                found.add(control(what))
    return frozenset(found)


def control(what: Described) -> Described:
    return Described(op=what.op, role=what.role, name=what.name)


def lift(instruction: str, seen: Sequence[Seen], fixed: frozenset[Described]) -> tuple[Lifted, ...]:
    """The steps of one recording with what came from ``instruction`` as open slots."""
    lifted: list[Lifted] = []
    taken: set[Span] = set()
    for item in seen:
        sources, match = _sources(instruction, item, lifted, taken, fixed)
        taken |= {s.span for s in sources.values() if s.span}
        lifted.append(Lifted(item, tuple(sorted(sources.items())), match))
    return _without_overlaps(lifted)


def _sources(
    instruction: str, item: Seen, before: Sequence[Lifted], taken: set[Span], fixed: frozenset[Described]
) -> tuple[dict[str, Source], str]:
    what = item.what
    sources: dict[str, Source] = {}
    match = "exact"
    if what.op in VALUED and what.value:
        found = Source(what.value) if item.step.secret else _find(what.value, instruction, taken)
        sources["value"] = found or Source(what.value)
    elif what.op in READS:
        sources["value"] = Source(what.value)
    elif what.name and what.op != "navigate":
        flowed = _flowed(what.name, before)
        if flowed is not None and _takes_flow(what):
            sources["name"] = flowed
            match = "starts"
        elif control(what) not in fixed:
            named = _named(what, instruction, taken)
            if named is not None:
                sources["name"] = named
    if what.row and "name" not in sources:
        row = _row(what.row, instruction, taken)
        if row is not None:
            sources["row"] = row
    return sources, match


def _takes_flow(what: Described) -> bool:
    return what.op in ("click", "select", "dblclick") and what.role not in ("textbox", "searchbox", "button")


def _flowed(name: str, before: Sequence[Lifted]) -> Source | None:
    """The source of the text typed just before that this name repeats or begins with (a suggestion list)."""
    for earlier in reversed(before[-2:]):
        source = earlier.source("value")
        if source is not None and source.value and earlier.seen.what.op == "type" and _starts(name, source.value):
            return source
    return None


def _follows(name: str, typed: Sequence[str]) -> bool:
    return any(value and _starts(name, value) for value in typed[-2:])


def _starts(name: str, value: str) -> bool:
    return name.casefold().startswith(value.casefold())


def _named(what: Described, instruction: str, taken: set[Span]) -> Source | None:
    """The instruction's own words for a control's name, where they are a choice and not the verb of the task."""
    spans = _occurrences(what.name, instruction)
    if not spans:
        return None
    span = next((s for s in spans if s not in taken), spans[0])
    said = instruction[span.start : span.end]
    is_choice = what.role in _CHOICES or any(c.isdigit() for c in said) or _is_quoted(span, instruction)
    if not is_choice and not (span.start > 0 and said[:1].isupper()):
        return None
    return Source(said, span, "" if said == what.name else next(iter(ways_from(said, what.name)), ""))


def _is_quoted(span: Span, instruction: str) -> bool:
    around = instruction[max(span.start - 1, 0) : span.start] + instruction[span.end : span.end + 1]
    return len(around) == 2 and around[0] in "\"'“" and around[1] in "\"'”"


def _row(row: str, instruction: str, taken: set[Span]) -> Source | None:
    """The longest thing the instruction names that the row contains as whole words."""
    held = [c for c in candidates(instruction) if _occurrences(instruction[c.start : c.end], row)]
    if not held:
        return None
    best = min(held, key=lambda span: (span in taken, span.start - span.end, span.start))
    return Source(instruction[best.start : best.end], best)


def _find(value: str, instruction: str, taken: set[Span]) -> Source | None:
    """Where the instruction says ``value``: as it is, in another case, or in a form that a transform leads from."""
    spans = _occurrences(value, instruction)
    if spans:
        span = next((s for s in spans if s not in taken), spans[0])
        said = instruction[span.start : span.end]
        ways = ways_from(said, value)
        # The same letters in a case that no transform makes: the text itself, or expanding would not give it back.
        return Source(said, span, ways[0]) if ways else None
    for span in candidates(instruction):
        said = instruction[span.start : span.end]
        ways = ways_from(said, value)
        if ways:
            return Source(said, span, ways[0])
    return None


@lru_cache(maxsize=65536)
def candidates(instruction: str) -> tuple[Span, ...]:
    """What in an instruction can be a value: quoted text, dates, times, numbers, names; the most specific first."""
    found: list[Span] = []
    for match in _QUOTED.finditer(instruction):
        group = next(i for i in (1, 2, 3) if match.group(i) is not None)
        found.append(Span(match.start(group), match.end(group)))
    for pattern, reads in (
        (_DATE, read_date),
        (_TIME, read_time),
        (_NUMBER, None),
        (_NUMBER_WORDS, None),
        (_NAMES, None),
    ):
        for match in pattern.finditer(instruction):
            span = Span(*match.span())
            inside = any(s.start <= span.start and span.end <= s.end for s in found)
            if not inside and (reads is None or reads(match.group()) is not None):
                found.append(span)
    return tuple(found)


def _occurrences(text: str, within: str) -> list[Span]:
    return list(_found(text.casefold(), within))


@lru_cache(maxsize=65536)
def _found(folded: str, within: str) -> tuple[Span, ...]:
    """Whole-word occurrences of a case-folded text. Where folding changes lengths only exact case is looked for."""
    folded = folded.strip()
    if not folded:
        return ()
    hay = within.casefold()
    if len(hay) != len(within):
        hay = within
    spans, at = [], hay.find(folded)
    while at >= 0:
        end = at + len(folded)
        if _is_edge(hay, at, folded[0]) and _is_edge(hay, end, folded[-1], after=True):
            spans.append(Span(at, end))
        at = hay.find(folded, at + 1)
    return tuple(spans)


def _is_edge(text: str, at: int, inner: str, *, after: bool = False) -> bool:
    outer = text[at : at + 1] if after else text[max(at - 1, 0) : at]
    return not (inner.isalnum() and outer.isalnum())


def _without_overlaps(lifted: list[Lifted]) -> tuple[Lifted, ...]:
    """Where two values overlap in the instruction the longer is the slot, and the shorter a transform of it or literal."""
    spans = {source.span for item in lifted for _, source in item.sources if source.span is not None}
    longest = {
        span: max(
            (o for o in spans if o.start < span.end and span.start < o.end), key=lambda o: (o.end - o.start, -o.start)
        )
        for span in spans
    }
    whole = {s.span: s.text for item in lifted for _, s in item.sources if s.span is not None}

    def settled(source: Source) -> Source:
        if source.span is None or longest[source.span] == source.span:
            return source
        text = whole[longest[source.span]]
        ways = ways_from(text, source.value)
        return Source(text, longest[source.span], ways[0]) if ways else Source(source.value)

    return tuple(
        replace(item, sources=tuple((slot, settled(source)) for slot, source in item.sources)) for item in lifted
    )


def lists(instruction: str, spans: Iterable[Span]) -> tuple[tuple[Span, ...], ...]:
    """Runs of two or more spans with nothing but commas and "and" between: the lists of an instruction."""
    runs: list[list[Span]] = []
    for span in sorted(spans):
        if runs and _BETWEEN_ITEMS.fullmatch(instruction[runs[-1][-1].end : span.start]):
            runs[-1].append(span)
        else:
            runs.append([span])
    return tuple(tuple(run) for run in runs if len(run) > 1)


def masked(instruction: str, spans: Iterable[Span]) -> str:
    """The instruction with ``{}`` for each span, case-folded and without doubled spaces: equal for one task's wordings
    with other values."""
    parts, at = [], 0
    for span in sorted(spans):
        parts += [instruction[at : span.start], "{}"]
        at = span.end
    text = "".join([*parts, instruction[at:]])
    return " ".join(text.split()).casefold().rstrip(".!? ")


def occurs(text: str, within: str) -> bool:
    """Whether ``text`` stands in ``within`` as whole words, in any case."""
    return bool(_occurrences(text, within))


def occurrences(text: str, within: str) -> tuple[Span, ...]:
    """Every place where ``text`` stands in ``within`` as whole words, in any case."""
    return tuple(_occurrences(text, within))
