"""Names and types of slots, as a person would give them: from the field that a value fills, else from the words around it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.model.transforms import read_date, read_time
from graphmem.model.workflow import READ, Parameter, Value
from graphmem_induction.program import Parsed, Proto, Ref, Routine

_SMALL_WORDS = frozenset(
    {"a", "an", "the", "your", "my", "enter", "please", "select", "choose", "type", "of", "for", "in", "on", "at", "to",
     "by", "or", "and", "e", "g", "eg", "required", "optional", "search", "find"}
)  # fmt: skip
#: Words of an instruction that name nothing: beside the small ones of labels, those that stand before and after values.
_NO_NAMES = _SMALL_WORDS | frozenset(
    {"with", "from", "into", "that", "this", "is", "are", "be", "was", "have", "has", "had", "as", "their", "his", "her",
     "its", "our", "it", "them", "all", "any", "new", "most", "least", "top", "last", "latest", "first", "next", "more",
     "between", "until", "within", "under", "over", "than", "then", "who", "which", "what", "how", "many", "much", "do",
     "did", "does", "will", "can", "when", "where", "wants", "if", "so", "about", "like", "make", "get", "got", "per", "via",
     "could", "would", "should", "must", "may", "might", "recent", "best", "upcoming", "current", "same", "other", "only",
     "not", "empty", "help"}
)  # fmt: skip
#: A verb comes after these, and a value after the verb is not called by it ("and include {}").
_BEFORE_VERBS = frozenset(
    {"to", "and", "then", "could", "would", "should", "can", "will", "must", "please", "help", "i"}
)
#: Words that say that a name follows, and what it is then.
_CALLED = {"named": "name", "called": "name", "titled": "title", "saying": "text", "tagged": "tag"}
#: Words of a field that takes anything: what the instruction calls the value says more.
_ANYTHING = frozenset(
    {"search", "find", "filter", "keyword", "keywords", "query", "text", "input", "box", "field", "value"}
)
_WORD = re.compile(r"[^\W\d_]+")
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
    ballots = _ballots(runs)
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
            name = _name(runs, mask, ballots[mask], values, kind)
            names[mask] = unique(name, {*names.values(), *secrets})
        params.append(Parameter(names.get(mask, mask), kind))
    return names, tuple(params)


@dataclass
class _Ballot:
    """How often a value went where, by what to call it: into a field that says what it is, into one that takes anything,
    into the name or row of an element."""

    fields: Counter[str] = field(default_factory=Counter)
    searches: Counter[str] = field(default_factory=Counter)
    others: Counter[str] = field(default_factory=Counter)


def _ballots(runs: Sequence[Parsed]) -> dict[str, _Ballot]:
    ballots: dict[str, _Ballot] = defaultdict(_Ballot)
    for run in runs:
        for unit in run.units:
            for slot, arg in unit.call.args:
                if isinstance(arg, Ref) and arg.slot.startswith("@"):
                    node, inner = _inner(unit.call.node, slot)
                    ballot = ballots[arg.slot]
                    votes = ballot.others if inner != "value" else ballot.fields
                    votes = ballot.searches if inner == "value" and _takes_anything(node) else votes
                    votes[slot_name(node, inner)] += 1
    return ballots


def _name(runs: Sequence[Parsed], mask: str, ballot: _Ballot, values: Sequence[Value], kind: str) -> str:
    """A field that is filled names a value best, unless it takes anything; then the words around it; an element called by
    it says only what kind of thing it is."""
    said = {slug(value) for value in values if isinstance(value, str)} | {"empty"}
    return (
        _voted(ballot.fields, said)
        or ("count" if kind == "number" and _is_count(runs, mask) else "")
        or _said_around(runs, mask)
        or ("query" if ballot.searches else "")
        or _voted(ballot.others, said)
        or kind
    )


def _takes_anything(node: Proto | Routine) -> bool:
    """Whether a field is for searching, by its name: such a field says nothing of what is put into it."""
    return isinstance(node, Proto) and bool(_ANYTHING & {word.casefold() for word in _WORD.findall(node.name)})


def _inner(node: Proto | Routine, slot: str) -> tuple[Proto | Routine, str]:
    """For a loop over a list, the field or row that its items go to."""
    if isinstance(node, Routine) and node.kind == "each":
        wanted = node.as_ if slot == node.over else slot
        for call in node.children:
            for inner, arg in call.args:
                if isinstance(arg, Ref) and arg.slot == wanted:
                    return call.node, inner
    return node, slot


def _voted(votes: Counter[str], said: Collection[str] = ()) -> str:
    """The name with the most votes that is no value itself (a field that is called by what is in it)."""
    named = {
        name: count for name, count in votes.items() if name and name not in ("item", "items") and name not in said
    }
    return min(named, key=lambda name: (-named[name], name)) if named else ""


def _said_around(runs: Sequence[Parsed], mask: str) -> str:
    """What the wordings call the value at a mask, most often: the noun before it ("order #{}", "bookings {}"), or the one
    after it that it tells apart ("in {} repo")."""
    return _voted(Counter(_noun(*run.wording.split(f"{{{mask}}}", 1)) for run in runs if f"{{{mask}}}" in run.wording))


def _is_count(runs: Sequence[Parsed], mask: str) -> bool:
    """Whether a number says how many of what follows it ("the last {} orders")."""
    said = [run.wording.split(f"{{{mask}}}", 1)[1] for run in runs if f"{{{mask}}}" in run.wording]
    return bool(said) and all(re.match(r" [a-z{]", after) for after in said)


def _noun(before: str, after: str) -> str:
    words = _WORD.findall(before)
    last = words[-1].casefold() if words else ""
    if last in _CALLED:
        return _CALLED[last]
    # The first word of an instruction says what to do; so do forms in -ing and -ed, and what follows "to" and "and".
    is_verb = len(words) < 2 or last.endswith(("ing", "ed", "est")) or words[-2].casefold() in _BEFORE_VERBS
    if last and last not in _NO_NAMES and not is_verb:
        return slug(last)
    following = re.match(r"[\"'”]?\s+([^\W\d_]{3,})\b", after)
    named = following[1].casefold() if following else ""
    return slug(named) if words and named and named not in _NO_NAMES and not named.endswith("ing") else ""
