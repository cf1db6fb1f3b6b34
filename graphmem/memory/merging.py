"""Merging by hand: what may be the same, what merging it would change, and the decision that it is, or is not.

A preview is real: the site is induced with the decision, and compared with what stands; nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from graphmem.errors import GraphmemError, UsageError
from graphmem.memory.deciding import Decided, carried_out, laid_down, owner_of, subject_of
from graphmem.memory.finding import Found
from graphmem.memory.learning import stamp
from graphmem.model.decision import MOST, Decision, Subject, decided
from graphmem.model.graph import Graph, Node
from graphmem.model.trajectory import step_key
from graphmem.store import decisions, derived, recordings, revisions
from graphmem.store.protocol import Store
from graphmem_queries import load

if TYPE_CHECKING:
    from graphmem_induction.proposals import Proposal
    from graphmem_induction.protocol import Evidence, Inducer
    from graphmem_induction.standing import Standing


#: Proposals that are looked at for each one that is shown, and sites whose recordings are kept meanwhile.
LOOKED, HELD = 4, 8


@dataclass(frozen=True)
class Change:
    """What merging would do. ``merged``: whether the two would be one; ``gone`` and ``came``: nodes, by label and name."""

    merged: bool
    gone: tuple[Found, ...]
    came: tuple[Found, ...]
    becomes: Found | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "merged": self.merged,
            "becomes": _node(self.becomes) if self.becomes else None,
            "gone": [_node(f) for f in self.gone],
            "came": [_node(f) for f in self.came],
        }


@dataclass(frozen=True)
class Suggestion:
    """Two nodes that may be one, why, and what would change."""

    site: str
    nodes: tuple[Found, Found]
    score: float
    why: str
    change: Change

    def to_json(self) -> dict[str, Any]:
        return {
            "site": self.site,
            "label": self.nodes[0].label,
            "nodes": [_node(f) for f in self.nodes],
            "score": self.score,
            "why": self.why,
            "change": self.change.to_json(),
        }


def _node(found: Found) -> dict[str, str]:
    return {"key": found.key, "label": found.label, "name": found.name}


def suggestions(store: Store, site: str | None = None, *, across: bool = False, k: int = 10) -> list[Suggestion]:
    """The ``k`` likeliest pairs of one site, or of each site, that merging would make one; or, ``across`` sites, of what they
    may have in common."""
    owners = [""] if across else [site] if site else recordings.sites(store)
    ranked = [(owner, p) for owner in owners for p in _proposed(_known(store, owner))]
    ranked.sort(key=lambda r: (-r[1].score, r[0], r[1].label, r[1].keys))
    held = _Held(store)
    found: list[Suggestion] = []
    # A proposal that would change nothing is not one; a store full of these is not looked through to its end.
    for owner, proposal in ranked[: LOOKED * k]:
        known = held.of(owner)
        change = known.preview(known.decision(proposal.keys, proposal.alike))
        if change.merged:
            pair = (known.found(proposal.keys[0]), known.found(proposal.keys[1]))
            found.append(Suggestion(owner, pair, proposal.score, proposal.why, change))
        if len(found) == k:
            break
    return found


def _proposed(known: _Known) -> list[Proposal]:
    """Of what nobody decided about, and recorded steps tell apart."""
    return [p for p in known.proposals(known.refused()) if all(map(known.told, p.keys))]


class _Held:
    """The sites that were previewed last, as their recordings are slow to read and many to keep."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._known: dict[str, _Known] = {}

    def of(self, site: str) -> _Known:
        if site not in self._known:
            while len(self._known) >= HELD:
                del self._known[next(iter(self._known))]
            self._known[site] = _known(self.store, site)
        return self._known[site]


def previewed(store: Store, pair: Sequence[Found]) -> Suggestion:
    """What merging two nodes would change, whoever thinks that they are one."""
    known = _known(store, _site_of(pair))
    keys = {f.key for f in pair}
    proposal = next((p for p in known.proposals() if set(p.keys) == keys), None)
    change = known.preview(known.decision([f.key for f in pair], known.alike(pair)))
    score, why = (proposal.score, proposal.why) if proposal else (0.0, "you say so")
    return Suggestion(known.site, (pair[0], pair[1]), score, why, change)


def apply(store: Store, pair: Sequence[Found], *, by: str, note: str = "") -> Decided:
    """Make two nodes one, and induce. GraphmemError where they cannot be."""
    known = _known(store, _site_of(pair))
    decision = known.decision([f.key for f in pair], known.alike(pair))
    if not known.preview(decision).merged:
        raise GraphmemError(
            f"{pair[0].name!r} and {pair[1].name!r} cannot be made one: they do different things.",
            hint="Actions must do the same to one kind of element; subtasks must be of one kind, neither calling the other.",
        )
    return carried_out(store, laid_down(store, known.standing, replace(decision, by=by, note=note), pair))


def refuse(store: Store, pair: Sequence[Found], *, by: str, note: str = "") -> Decided:
    """Say that two nodes are not the same, so that nobody is asked again; or that two recordings are not of one task, so
    that they are of two. And induce."""
    if {f.label for f in pair} == {"Trajectory"}:
        return _two_tasks(store, pair, by, note)
    known = _known(store, _site_of(pair))
    subjects = [subject_of(known.standing, f) for f in pair]
    decision = decided("not_a_duplicate", known.site, subjects, {}, by=by, at=stamp(), note=note)
    return carried_out(store, laid_down(store, known.standing, decision, pair))


def _two_tasks(store: Store, pair: Sequence[Found], by: str, note: str) -> Decided:
    site = owner_of([replace(f, label="Task") for f in pair])
    subjects = [Subject.of("Task", [(step_key(f.key, 0), step_key(f.key, 0))]) for f in pair]
    decision = decided("not_a_duplicate", site, subjects, {}, by=by, at=stamp(), note=note)
    return carried_out(store, laid_down(store, _known(store, site).standing, decision, pair))


def _site_of(pair: Sequence[Found]) -> str:
    """The site of two nodes; "" where they are of two sites, and what these have in common is meant."""
    if len({f.key for f in pair}) != 2 or len({f.label for f in pair}) != 1:
        raise UsageError("Two nodes of one kind can be merged.", hint="Name two tasks, two subtasks or two actions.")
    if len({f.site for f in pair} - {""}) == 2 and pair[0].label != "Task":
        return ""
    if site := owner_of(pair):
        return site
    raise UsageError("What sites have in common follows from the sites.", hint="Merge the nodes of the sites.")


class _Known:
    """A site as it stands, and as it would be."""

    def __init__(self, store: Store, site: str) -> None:
        from graphmem_induction.standing import Standing

        self.store, self.site = store, site
        self.graph = derived.read_site(store, site)
        self.standing: Standing = Standing(self.graph)
        self.made = decisions.of(store, site)
        self._evidence: list[Evidence] | None = None
        self._before: Graph | None = None

    def found(self, key: str) -> Found:
        return _found(self.standing.nodes[key])

    def told(self, key: str) -> bool:
        """Whether its steps tell a node from all others."""
        return self.standing.find(self.standing.subject(key)) == key

    def refused(self) -> set[frozenset[str]]:
        """Pairs that somebody decided about already."""
        about = [d for d in self.made if d.kind in ("not_a_duplicate", "keep_together")]
        pairs = [frozenset(key for s in d.subjects if (key := self.standing.find(s))) for d in about]
        return {pair for pair in pairs if len(pair) == 2}

    def alike(self, pair: Sequence[Found]) -> tuple[tuple[str, str], ...]:
        from graphmem_induction.proposals import alike

        return alike(self.graph, pair[0].key, pair[1].key) if pair[0].label == "Subtask" else ()

    def what(self, alike: Iterable[tuple[str, str]]) -> dict[str, Any]:
        """The steps of the actions that are one where two subtasks are."""
        steps = [[sorted(first for first, _ in self.standing.spans(key))[:MOST] for key in pair] for pair in alike]
        return {"alike": steps} if steps else {}

    def decision(self, keys: Sequence[str], alike: Iterable[tuple[str, str]]) -> Decision:
        subjects = [subject_of(self.standing, self.found(key)) for key in keys]
        return decided("keep_together", self.site, subjects, self.what(alike), at=stamp())

    def preview(self, decision: Decision) -> Change:
        if self._before is None:
            self._before = self.as_it_would_be(self.made)[0]
        before = self._before
        after, known = self.as_it_would_be([*self.made, decision])
        now = {known.find(subject) for subject in decision.subjects}
        old, new = _followed(before), _followed(after)
        one = next(iter(now)) if len(now) == 1 else None
        return Change(
            one is not None,
            tuple(_found(old[key]) for key in sorted(old.keys() - new.keys())),
            tuple(_found(new[key]) for key in sorted(new.keys() - old.keys())),
            _found(new[one]) if one is not None else None,
        )

    def proposals(self, refused: Iterable[frozenset[str]] = ()) -> list[Proposal]:
        from graphmem_induction.proposals import proposals

        return proposals(self.graph, refused)

    def as_it_would_be(self, made: Sequence[Decision]) -> tuple[Graph, Standing]:
        """The graph with some decisions, and what its nodes would stand for."""
        from graphmem_induction.protocol import Evidence
        from graphmem_induction.standing import Standing

        if self._evidence is None:
            self._evidence = [Evidence(r.trajectory, r.judged) for r in recordings.load(self.store, self.site)]
        graph = _inducer(self.store).induce(self.site, self._evidence, made)
        return graph, Standing(graph)


class _Across(_Known):
    """All sites together, and the layer above them."""

    def __init__(self, store: Store) -> None:
        from graphmem_induction.standing import Standing

        self.store, self.site = store, ""
        self.sites = derived.read_sites(store, recordings.sites(store))
        self.layer = derived.read_general(store)
        self.graph = Graph(
            tuple(node for graph in self.sites.values() for node in graph.nodes),
            tuple(link for graph in self.sites.values() for link in graph.relationships),
        )
        self.standing = Standing(self.graph)
        self.made = decisions.of(store, "")
        self._evidence = None
        self._before = None

    def proposals(self, refused: Iterable[frozenset[str]] = ()) -> list[Proposal]:
        from graphmem_induction.proposals import proposals

        general = {r.start: r.end for r in self.layer.relationships if r.kind[1] == "SPECIALIZES"}
        return proposals(self.graph, refused, general)

    def as_it_would_be(self, made: Sequence[Decision]) -> tuple[Graph, Standing]:
        from graphmem_induction.protocol import Evidence
        from graphmem_induction.standing import Standing

        if self._evidence is None:
            keys = [row["key"] for row in self.store.read(load("read/crossing_recordings"))]
            found = [recordings.get(self.store, key) for key in keys]
            self._evidence = [Evidence(r.trajectory, r.judged) for r in found]
        graph = _inducer(self.store).carry_over(self.sites, self._evidence, made)
        return graph, Standing(graph, self.sites.values())


def _known(store: Store, site: str) -> _Known:
    return _Known(store, site) if site else _Across(store)


def _inducer(store: Store) -> Inducer:
    from graphmem_induction.learn import DEFAULT, inducer_named

    return inducer_named(derived.settings(store).get("inducer", DEFAULT))


def _followed(graph: Graph) -> Mapping[str, Node]:
    return {node.key: node for node in graph.nodes if node.label in revisions.FOLLOWED}


def _found(node: Node) -> Found:
    return Found(node.label, node.key, node.properties["name"], node.properties.get("site") or "")
