"""What a person decides about the graph: names, quarantine, edits; and taking back what was done last.

A decision is stored, and the site is induced again with it: the graph is a function of the recordings and of what was
decided, so taking a decision back gives the very graph from before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from graphmem.errors import NotFound, UsageError
from graphmem.memory.finding import Found
from graphmem.memory.learning import induce, stamp
from graphmem.model.decision import LABELS, Decision, Kind, Subject, decided
from graphmem.store import decisions, derived, recordings
from graphmem.store.protocol import Store
from graphmem_queries import load

if TYPE_CHECKING:
    from graphmem_induction.standing import Standing

#: What a kind of decision is called in a sentence.
SAYS: Mapping[str, str] = {
    "keep_together": "are one",
    "not_a_duplicate": "are not the same",
    "rename": "has another name",
    "edit": "was edited",
    "quarantine": "has another status",
    "rollback": "was rolled back",
    "promote": "was promoted",
}


@dataclass(frozen=True)
class Decided:
    """What came of a decision. ``about``: the nodes as they are now; ``replaces``: earlier decisions that it overrules."""

    decision: Decision
    about: tuple[Found, ...]
    replaces: tuple[Decision, ...] = ()
    already: bool = False

    def to_json(self) -> dict[str, Any]:
        """``graphmem.decision/1``."""
        return {
            "schema": "graphmem.decision/1",
            "decision": self.decision.key,
            "kind": self.decision.kind,
            "site": self.decision.site,
            "what": self.decision.says,
            "by": self.decision.by,
            "at": self.decision.at,
            "note": self.decision.note,
            "about": [{"key": f.key, "label": f.label, "name": f.name} for f in self.about],
            "replaces": [{"decision": d.key, "kind": d.kind, "what": d.says, "at": d.at} for d in self.replaces],
            "already": self.already,
        }


@dataclass(frozen=True)
class Act:
    """What was done last: a learning, a judgement or a decision. ``kind`` is "learn", "judge", or the decision's."""

    kind: str
    at: str
    text: str
    keys: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """``graphmem.undo/1``."""
        return {"schema": "graphmem.undo/1", "kind": self.kind, "at": self.at, "text": self.text, **self.details}


# -- deciding ----------------------------------------------------------------------------------------------------------


def decide(
    store: Store, kind: Kind, about: Sequence[Found], what: Mapping[str, Any], *, by: str, note: str = ""
) -> Decided:
    """Lay down a decision about nodes of one owner. The site still has to be induced. UsageError for what has no steps."""
    owner = owner_of(about)
    known = standing(store, owner)
    subjects = [subject_of(known, f) for f in about]
    return laid_down(store, known, decided(kind, owner, subjects, what, by=by, at=stamp(), note=note), about)


def laid_down(store: Store, known: Standing, decision: Decision, about: Sequence[Found]) -> Decided:
    """Keep a decision, unless the last one about the same says the same."""
    earlier = _overruled(store, known, decision)
    if earlier and (earlier[-1].kind, earlier[-1].what) == (decision.kind, decision.what):
        return Decided(earlier[-1], tuple(about), already=True)
    decisions.save(store, decision)
    return Decided(decision, tuple(about), tuple(earlier))


def rename(store: Store, found: Found, name: str, *, by: str, note: str = "") -> Decided:
    """Call a node ``name``. UsageError for a name of nothing."""
    said = " ".join(name.split())
    if not said:
        raise UsageError("A name needs at least one letter.")
    return carried_out(store, decide(store, "rename", [found], {"name": said}, by=by, note=note))


def quarantine(store: Store, found: Found, *, lift: bool, by: str, note: str = "") -> Decided:
    """Keep a node out of plans, or let it back in."""
    status = "active" if lift else "quarantined"
    return carried_out(store, decide(store, "quarantine", [found], {"status": status}, by=by, note=note))


def carried_out(store: Store, done: Decided) -> Decided:
    """Induce with a decision, and say what its nodes have become."""
    if done.already:
        return done
    induce(store)
    known = standing(store, done.decision.site)
    keys = dict.fromkeys(filter(None, (known.find(subject) for subject in done.decision.subjects)))
    nodes = [known.nodes[key] for key in keys]
    now = tuple(Found(n.label, n.key, n.properties["name"], n.properties.get("site") or "") for n in nodes)
    return replace(done, about=now)


def owner_of(about: Sequence[Found]) -> str:
    """The site whose nodes these are, or "" for the layer above the sites. UsageError for nodes of several."""
    for found in about:
        if found.label not in LABELS:
            raise UsageError(f"{found.name!r} is a {found.label}.", hint="Name a task, a subtask or an action.")
    owners = {found.site for found in about}
    if len(owners) > 1:
        raise UsageError(
            f"{' and '.join(f.key for f in about)} are of different sites ({', '.join(sorted(map(_place, owners)))}).",
            hint="What sites have in common is found by itself; name nodes of one site.",
        )
    return owners.pop()


def _place(owner: str) -> str:
    return owner or "no site"


def standing(store: Store, owner: str) -> Standing:
    """What the nodes of an owner stand for."""
    from graphmem_induction.standing import Standing

    if owner:
        return Standing(derived.read_site(store, owner))
    sites = derived.read_parts_of_all(store, recordings.sites(store), [], ["USES", "INSTANCE_OF"])
    return Standing(derived.read_general(store), sites.values())


def subject_of(known: Standing, found: Found) -> Subject:
    """The node as a decision names it. UsageError where no recorded step belongs to it."""
    subject = known.subject(found.key)
    if known.find(subject) != found.key:
        raise UsageError(
            f"No recorded step tells {found.name!r} from other nodes, so nothing can be decided about it.",
            hint="Decide about what calls it, or what it calls.",
        )
    return subject


#: Kinds of decision that speak of the same thing.
_RIVALS = ({"keep_together", "not_a_duplicate"}, {"rollback", "promote"})


def _overruled(store: Store, known: Standing, decision: Decision) -> list[Decision]:
    """Earlier decisions about the same nodes and the same thing, earliest first."""
    about = {known.find(subject) for subject in decision.subjects}
    kinds = next((rivals for rivals in _RIVALS if decision.kind in rivals), {decision.kind})
    earlier = [d for d in decisions.of(store, decision.site) if d.kind in kinds]
    alike = [d for d in earlier if {known.find(s) for s in d.subjects} == about]
    return [d for d in alike if d.kind != "edit" or _edits(d) == _edits(decision)]


def _edits(decision: Decision) -> object:
    """What an edit is an edit of: parts of an action, or a slot."""
    says = decision.says
    return sorted(says.get("action", ())) or says.get("slot")


# -- taking back -------------------------------------------------------------------------------------------------------


def last(store: Store) -> Act:
    """What was done last. NotFound where nothing was."""
    acts = [*_last_learn(store), *_last_judgement(store), *_last_decision(store)]
    if not acts:
        raise NotFound("the last learn, merge or decision", hint="There is nothing to take back.")
    return max(acts, key=lambda act: (act.at, act.kind))


def undo(store: Store) -> Act:
    """Take back what was done last, and induce."""
    act = last(store)
    take_back(store, act)
    induce(store)
    return act


def take_back(store: Store, act: Act) -> None:
    """Undo an act; the sites still have to be induced."""
    match act.kind:
        case "learn":
            for key in act.keys:
                recordings.forget(store, key)
        case "judge":
            recordings.unjudge(store, *act.keys)
        case _:
            decisions.retract(store, act.keys[0])


def _last_learn(store: Store) -> list[Act]:
    at = store.read(load("read/last_learnt"))
    if not at or at[0]["key"] is None:
        return []
    found = store.read(load("read/learnt_at"), at=at[0]["key"])
    keys = tuple(row["key"] for row in found)
    several = "recording" if len(keys) == 1 else "recordings"
    named = f": {found[0]['task']}" if len(keys) == 1 else ""
    text = f"the learning of {len(keys)} {several}{named}"
    return [Act("learn", at[0]["key"], text, keys, {"recordings": list(keys)})]


def _last_judgement(store: Store) -> list[Act]:
    return [
        Act("judge", row["at"], f"the judgement that {row['task']!r} was a {row['verdict']}, by {row['by']}",
            (row["recording"], row["key"]), {"recording": row["recording"], "verdict": row["verdict"]})
        for row in store.read(load("read/last_judged"), limit=1)
    ]  # fmt: skip


def _last_decision(store: Store) -> list[Act]:
    made = decisions.every(store)
    if not made:
        return []
    decision = made[-1]
    details = {"decision": decision.key, "site": decision.site, "what": decision.says}
    return [Act(decision.kind, decision.at, f"the decision that {told(decision)}", (decision.key,), details)]


def told(decision: Decision) -> str:
    """A decision in a few words."""
    label = decision.label.lower()
    what = decision.says
    match decision.kind:
        case "rename":
            return f"a {label} is called {what['name']!r}"
        case "quarantine":
            return f"a {label} is {what['status']}"
        case "rollback" | "promote":
            return f"a {label} stands as in version {what.get('version')}"
        case "edit":
            return f"a {label} has " + ", ".join(f"{k} {v!r}" for k, v in (what.get("action") or what).items())
        case _:
            return f"{len(decision.subjects)} {label}s {SAYS[decision.kind]}"
