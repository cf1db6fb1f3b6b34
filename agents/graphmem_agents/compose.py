"""Composition: from an instruction to a plan, by walking the graph.

The instruction is read into clauses; tasks and subtasks are scored for every run of clauses; the cheapest sequence of them
that explains the clauses in order is taken (``pieces``); each is unfolded along HAS_WAY, HAS_SUBTASK and HAS_ACTION with its
slots bound (``unfold``). Where the site has nothing of its own, general subtasks are used (``general``) and the plan says
how far it had to reach. Below a measured threshold nothing fits, and the nearest misses are named.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphmem.model.plan import Plan, Step
from graphmem.model.secret_text import mask_text
from graphmem.model.workflow import Value, value_of
from graphmem.store.protocol import Store
from graphmem.store.workflows import Programs, Way, programs
from graphmem_agents.general import lifted
from graphmem_agents.instruction import clauses
from graphmem_agents.pieces import Piece, Span, cheapest, spans
from graphmem_agents.recall import Sought, seek
from graphmem_agents.score import Scored
from graphmem_agents.unfold import Setting, Unfolded, unfold, with_note

#: What confidence is left of a plan made of general ways only, before the share of the way that they cover.
_GENERAL = 0.4
#: Near misses named when nothing fits.
_MISSES = 3


@dataclass(frozen=True)
class _Part:
    """One piece, unfolded: ``confidence`` 0-1 of it alone, ``notes`` for the reason."""

    piece: Piece
    steps: tuple[Step, ...] = ()
    missing: tuple[str, ...] = ()
    leftover: tuple[str, ...] = ()
    values: Mapping[str, Value] = field(default_factory=dict)
    confidence: float = 0.0
    notes: tuple[str, ...] = ()


def plan(
    store: Store,
    task: str,
    *,
    site: str | None = None,
    domain: str | None = None,
    values: Mapping[str, str] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Plan:
    """The plan for ``task``. ``values`` by slot win over what the instruction says; a list is separated by commas."""
    parts = clauses(task)
    if not parts:
        return Plan(task, site or "", reason="The instruction has no words.")
    pieces_of = spans(task, parts)
    sought = seek(store, task, [s.text for s in pieces_of], site=site or "", domain=domain or "", environ=environ)
    ranked = dict(zip(pieces_of, sought.ranked, strict=True))
    chosen = cheapest(parts, ranked, sought.threshold)
    fetched = _fetch(store, chosen)
    given = values or {}
    made = [_part(store, piece, fetched, sought, site or "", given) for piece in chosen]
    if not any(part.steps for part in made):
        return _hiding(Plan(task, site or "", reason=_misses(ranked, made), unexplained=(task.strip(),)), chosen)
    return _hiding(_joined(task, site or "", made, sought, given), chosen)


def _hiding(plan: Plan, chosen: Sequence[Piece]) -> Plan:
    """The plan without what the instruction says for a secret slot, and without what is a secret by its form."""
    said: dict[str, str] = {}
    for scored in (piece.scored for piece in chosen if piece.scored is not None):
        secret = {p.name for p in scored.known.parameters if p.type == "secret"}
        said |= {str(text): slot for slot, text in scored.alignment.values if slot in secret and text}

    def hidden(text: str) -> str:
        for secret, slot in sorted(said.items(), key=lambda pair: -len(pair[0])):
            text = text.replace(secret, f"{{{slot}}}")
        return mask_text(text)

    unexplained = tuple(map(hidden, plan.unexplained))
    return replace(plan, task=hidden(plan.task), unexplained=unexplained, reason=hidden(plan.reason))


def _fetch(store: Store, chosen: Sequence[Piece]) -> Programs:
    """The neighbourhood of all pieces at once."""
    known = [piece.scored.known for piece in chosen if piece.scored is not None]
    return programs(
        store,
        tasks=[k.key for k in known if k.label == "Task"],
        subtasks=[k.key for k in known if k.label == "Subtask"],
    )


# -- one piece ---------------------------------------------------------------------------------------------------------


def _part(store: Store, piece: Piece, fetched: Programs, sought: Sought, site: str, given: Mapping[str, str]) -> _Part:
    scored = piece.scored
    if scored is None:
        return _Part(piece, leftover=(piece.span.text,))
    values = _values(scored, given)
    way, bound = _way(scored, fetched, values)
    if way is None:
        return _Part(piece, leftover=(piece.span.text,), notes=(f'"{scored.known.name}" has no way that works',))
    reached = bool(site) and not sought.site_known and not scored.known.general
    if reached:
        return _general_part(store, piece, scored, way, bound, values, site)
    later = frozenset(p.name for p in scored.known.parameters if p.type == "secret")
    above = (scored.known.key,) if scored.known.label == "Task" else ()
    found = unfold(way.workflow, bound, above, Setting(fetched, site, later))
    note = (f'"{scored.known.name}" (score {scored.score:.2f})',)
    return _made(piece, scored, found, values, note, 1.0 if scored.known.sites else _GENERAL)


def _general_part(
    store: Store,
    piece: Piece,
    scored: Scored,
    way: Way,
    bound: Mapping[str, Value],
    values: Mapping[str, Value],
    site: str,
) -> _Part:
    lender = scored.known.site
    found = lifted(store, way, bound, site)
    if not found.unfolded.steps:
        note = f'{site} is not known, and of "{scored.known.name}" ({lender}) nothing is general'
        return _Part(piece, leftover=(piece.span.text,), notes=(note,))
    note = (
        f'general ways for {found.kept} of the {found.of} steps of "{scored.known.name}" (score {scored.score:.2f}), since '
        f"{site} is not known; names of fields are those of {lender}"
    )
    steps = with_note(found.unfolded.steps, f"as in {scored.known.name!r} on {lender}")
    unfolded = Unfolded(steps, found.unfolded.missing)
    return _made(piece, scored, unfolded, values, (note,), _GENERAL * found.kept / max(found.of, 1))


def _made(
    piece: Piece, scored: Scored, found: Unfolded, values: Mapping[str, Value], notes: tuple[str, ...], reach: float
) -> _Part:
    wanted = len(scored.known.parameters)
    filled = 1 - len(found.missing) / wanted if wanted and found.missing else 1.0
    explained = 0.5 + 0.5 * scored.alignment.covered
    confidence = scored.score * scored.known.rate**0.25 * (0.4 + 0.6 * max(filled, 0.0)) * explained * reach
    return _Part(piece, found.steps, found.missing, scored.alignment.leftover, values, confidence, notes)


def _values(scored: Scored, given: Mapping[str, str]) -> dict[str, Value]:
    """What the slots are bound to: by the caller, else by the instruction. A secret is never bound in a plan."""
    types = {p.name: p.type for p in scored.known.parameters}
    read = {slot: value for slot, value in scored.alignment.values if types.get(slot) != "secret"}
    said = {slot: _typed(types.get(slot, "text"), text) for slot, text in given.items() if types.get(slot) != "secret"}
    return {**read, **said}


def _typed(kind: str, text: str) -> Value:
    return tuple(item.strip() for item in text.split(",") if item.strip()) if kind == "list" else text


def _way(scored: Scored, fetched: Programs, values: Mapping[str, Value]) -> tuple[Way | None, Mapping[str, Value]]:
    """The way with the best record, among those that want no slot that another can do without; its slots' values."""
    if scored.known.label == "Subtask":
        workflow = fetched.workflows.get(scored.known.key)
        return (None if workflow is None else Way("", workflow)), values
    ways = [(way, _bound(way, values)) for way in fetched.ways.get(scored.known.key, ())]
    if not ways:
        return None, values
    return min(ways, key=lambda pair: sum(1 for p in pair[0].workflow.parameters if p.name not in pair[1]))


def _bound(way: Way, values: Mapping[str, Value]) -> dict[str, Value]:
    """The way's slots: through the bindings of HAS_WAY, else by the slot's own name where the caller gave it."""
    own = {p.name for p in way.workflow.parameters}
    by_name = {slot: value for slot, value in values.items() if slot in own}
    return by_name | {slot: value_of(binding, values) for slot, binding in way.bindings}


# -- the whole ---------------------------------------------------------------------------------------------------------


def _joined(task: str, site: str, parts: Sequence[_Part], sought: Sought, given: Mapping[str, str]) -> Plan:
    steps = tuple(step for part in parts for step in part.steps)
    found = Plan(
        task,
        site=site,
        fits=True,
        confidence=_confidence(parts),
        missing=_unique(slot for part in parts for slot in part.missing),
        unexplained=_unique(text for part in parts for text in part.leftover),
        steps=steps,
        values=tuple(sorted({slot: v for part in parts for slot, v in part.values.items()}.items())),
    )
    sites = {step.site for step in found.acts()}
    return replace(found, site=site or (sites.pop() if len(sites) == 1 else ""), reason=_reason(found, parts, given))


def _confidence(parts: Sequence[_Part]) -> float:
    """The mean over the clauses, each by what it says: an unexplained one counts nothing."""
    weights = [float(len(part.piece.span.text.split())) for part in parts]
    return sum(w * part.confidence for w, part in zip(weights, parts, strict=True)) / sum(weights)


def _reason(found: Plan, parts: Sequence[_Part], given: Mapping[str, str]) -> str:
    notes = [note for part in parts for note in part.notes]
    said = ["Composed of " + ", then ".join(notes) + "."]
    if found.missing:
        said.append(f"No value for {', '.join(found.missing)}.")
    slots = {p.name for part in parts if part.piece.scored for p in part.piece.scored.known.parameters}
    unknown = sorted(set(given) - slots)
    if unknown:
        known = f"its slots are {', '.join(sorted(slots))}" if slots else "it has none"
        said.append(f"No slot is called {', '.join(unknown)}: {known}.")
    return " ".join(said)


def _misses(ranked: Mapping[Span, Sequence[Scored]], made: Sequence[_Part]) -> str:
    notes = [note for part in made for note in part.notes]
    whole = max(ranked, key=lambda span: span.last - span.first)
    near = [s for s in ranked[whole] if s.score > 0.05][:_MISSES]
    if not ranked[whole]:
        return "Nothing is known yet."
    told = "; ".join(f'"{s.known.name}" on {s.known.site or "any site"} ({s.score:.2f}: {_lack(s)})' for s in near)
    return " ".join(
        [f"{'. '.join(notes)}." if notes else "", f"Nearest: {told}." if told else "Nothing comes near."]
    ).strip()


def _lack(scored: Scored) -> str:
    leftover = scored.alignment.leftover
    return f"does not cover {', '.join(repr(part) for part in leftover[:2])}" if leftover else "other words"


def _unique(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))
