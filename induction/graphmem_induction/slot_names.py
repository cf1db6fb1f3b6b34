"""Names and types of slots, as a person would give them: from the field that a value fills, else from the words around it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from graphmem.model.transforms import read_date, read_time
from graphmem.model.workflow import READ, Parameter, Value
from graphmem_induction.program import Parsed, Proto, Ref, Routine

_SMALL_WORDS = frozenset(
    {"a", "an", "the", "your", "my", "enter", "please", "select", "choose", "type", "of", "for", "in", "on", "at", "to",
     "by", "or", "and", "e", "g", "eg", "required", "optional", "search", "find"}
)  # fmt: skip
#: At most this many words of a label make a name.
_WORDS = 3


def slug(text: str) -> str:
    """``Departure city *`` -> ``departure_city``; "" where nothing is left of it."""
    if " " not in text.strip():
        # An identifier, for want of a label: what it ends in, and its humps.
        text = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", re.split(r"[.\[\]$:]", text.rstrip(".[]$: "))[-1])
    words = [w for w in re.split(r"[^\w]+", text.casefold().replace("_", " ")) if w]
    kept = [w for w in words if w not in _SMALL_WORDS] or words
    name = "_".join(kept[:_WORDS])
    return f"n_{name}" if name[:1].isdigit() else name


def unique(name: str, taken: Collection[str]) -> str:
    """The name, or the name with the first number that makes it new."""
    if name not in taken:
        return name
    n = 2
    while f"{name}_{n}" in taken:
        n += 1
    return f"{name}_{n}"


def slot_name(node: Proto | Routine, slot: str) -> str:
    """What to call a parameter that fills ``slot`` of ``node``."""
    if isinstance(node, Routine):
        return slot
    if slot in ("value", "row"):
        return slug(node.name) or ("text" if slot == "value" else "row")
    if slot == "name" and node.op in ("type", "select"):
        return "field"
    return slug(node.role) or slot


def type_of(values: Iterable[Value]) -> str:
    """The type that all values have: list, secret, date, time, number, else text."""
    seen = list(values)
    if seen and all(isinstance(value, tuple) for value in seen):
        return "list"
    texts = [value for value in seen if isinstance(value, str)]
    if not texts or len(texts) < len(seen):
        return "text"
    if all(text.startswith("{") and text.endswith("}") for text in texts):
        return "secret"
    if all(re.fullmatch(r"[\d.,]+", text) for text in texts):
        return "date" if all(read_date(text) and len(text) > 7 for text in texts) else "number"
    if all(read_date(text) for text in texts):
        return "date"
    return "time" if all(read_time(text) for text in texts) else "text"


def name_slots(runs: Sequence[Parsed], fixed: Mapping[str, str]) -> tuple[dict[str, str], tuple[Parameter, ...]]:
    """A name for each mask of a task's template, and the parameters in the order of the template. A secret keeps its own."""
    masks = {slot for run in runs for slot, _ in run.values if not slot.startswith(READ)}
    fields: dict[str, Counter[str]] = defaultdict(Counter)
    others: dict[str, Counter[str]] = defaultdict(Counter)
    for run in runs:
        for unit in run.units:
            for slot, arg in unit.call.args:
                if isinstance(arg, Ref) and arg.slot.startswith("@"):
                    node, inner = _inner(unit.call.node, slot)
                    ballot = fields if inner == "value" else others
                    ballot[arg.slot][slot_name(node, inner)] += 1
    names: dict[str, str] = {}
    secrets = {slot for slot in masks if not slot.startswith("@")}
    params = []
    for mask in sorted(masks, key=lambda m: (m[0] != "@", int(m[1:]) if m[1:].isdigit() else 0, m)):
        if mask in fixed:
            continue
        values = [dict(run.values)[mask] for run in runs if mask in dict(run.values)]
        # A placeholder in braces is a secret only where the recording says so; those have their own name for a mask.
        found = type_of(values)
        kind = "text" if mask.startswith("@") and found == "secret" else found
        if mask.startswith("@"):
            # A field that is filled names a value best; an element called by it says only what kind of thing it is.
            name = _voted(fields[mask]) or _said_before(runs, mask) or _voted(others[mask]) or kind
            names[mask] = unique(name, {*names.values(), *secrets})
        params.append(Parameter(names.get(mask, mask), kind))
    return names, tuple(params)


def _inner(node: Proto | Routine, slot: str) -> tuple[Proto | Routine, str]:
    """For a loop over a list, the field or row that its items go to."""
    if isinstance(node, Routine) and node.kind == "each":
        wanted = node.as_ if slot == node.over else slot
        for call in node.children:
            for inner, arg in call.args:
                if isinstance(arg, Ref) and arg.slot == wanted:
                    return call.node, inner
    return node, slot


def _voted(votes: Counter[str]) -> str:
    named = {name: count for name, count in votes.items() if name and name not in ("item", "items")}
    return min(named, key=lambda name: (-named[name], name)) if named else ""


def _said_before(runs: Sequence[Parsed], mask: str) -> str:
    """The last word before the mask that means something ("bookings {}" -> bookings)."""
    wording = min(run.wording for run in runs)
    before = re.findall(r"[^\W\d_]+", wording.partition(f"{{{mask}}}")[0])
    return slug(before[-1]) if before and before[-1].casefold() not in _SMALL_WORDS else ""
