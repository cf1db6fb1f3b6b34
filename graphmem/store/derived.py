"""The derived graph in the store: read whole for one owner, replaced by its difference.

An owner is a site, or ``""`` for the general layer. A site owns its Page, Task, Subtask and Action nodes (``site`` is its
name), the relationships that start at them, those of its Steps to pages and actions, and those of trajectories to its
Tasks and Subtasks. The general layer owns the nodes without a site (general ones, and tasks across sites with their
ways), the same relationships of those, and every SPECIALIZES. So each node and relationship has exactly one owner.

``replace`` (and ``replace_sites``, for several at once) writes only what differs: 10,000 nodes deleted and made again take
22 s on Neo4j. It does so in one transaction, under a compare-and-set on the owner's version. Every change of the owner's
recordings raises its version too, and every change of any site raises the general layer's: of two learners the last to
commit has therefore read the union.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as with_changes
from typing import Any, Generic, TypeAlias, TypeVar

from graphmem.errors import StoreConflict
from graphmem.model.graph import SCHEMA, Graph, Node, Relationship
from graphmem.model.identity import canonical
from graphmem.store import rows
from graphmem.store.migrations import now
from graphmem.store.protocol import Row, Store, Transaction
from graphmem.store.recordings import meta_key, meta_rows, tidy
from graphmem.store.revisions import revision
from graphmem.store.short import CALLING, CALLS, read_calls, read_short, short_rows
from graphmem_queries import load as query

DERIVED = ("Page", "Task", "Subtask", "Action")

_EVERY = tuple(kind for kind in SCHEMA if kind[1] == "SPECIALIZES")
_OF_OWNER = tuple(
    kind
    for kind in SCHEMA
    if kind not in _EVERY
    and (kind[0] in (*DERIVED, "Step") or kind[1:] in (("INSTANCE_OF", "Task"), ("USES", "Subtask")))
)

Kind: TypeAlias = tuple[str, str, str]
Read: TypeAlias = Callable[..., list[Row]]
T = TypeVar("T", Node, Relationship)


@dataclass(frozen=True)
class State:
    """The bookkeeping of an owner. ``recordings`` counts changes, not recordings; ``induced`` is that count as of the last
    ``replace``."""

    version: int = 0
    recordings: int = 0
    induced: int = 0

    @property
    def stale(self) -> bool:
        return self.recordings != self.induced

    @property
    def written(self) -> bool:
        """Whether a graph was ever written: the version counts that beside the changes of recordings."""
        return self.version != self.recordings


@dataclass(frozen=True)
class Difference:
    """What ``replace`` wrote: counts by label (``Task``) and by relationship type (``HAS_WAY``)."""

    added: Mapping[str, int] = field(default_factory=dict)
    removed: Mapping[str, int] = field(default_factory=dict)
    changed: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


# -- reading -----------------------------------------------------------------------------------------------------------


def read_site(store: Store, site: str) -> Graph:
    """What is derived of one site, sorted. Its Steps, Trajectories and its Site are named by relationships only."""
    return _read(store.read, [site])[site]


def read_sites(store: Store, sites: Sequence[str]) -> dict[str, Graph]:
    """What is derived of each of some sites, in as many statements as for one."""
    return _read(store.read, sites)


def read_general(store: Store) -> Graph:
    """The general layer: nodes without a site, and every SPECIALIZES."""
    return _read(store.read, [""])[""]


def read_calls_of_all(store: Store, sites: Sequence[str]) -> dict[str, Graph]:
    """The Subtask and Action nodes of sites and the calls between them, from what is kept in short where it is."""
    keys = {meta_key(site): site for site in sites}
    kept = {keys[key]: graph for key, graph in read_calls(store, list(keys)).items()}
    return kept | _read(store.read, [site for site in sites if site not in kept], CALLING, CALLS)


def read_parts(store: Store, owner: str, labels: Iterable[str], types: Iterable[str]) -> Graph:
    """Only the nodes of some labels and the relationships of some types that an owner has."""
    return read_parts_of_all(store, [owner], labels, types)[owner]


def read_parts_of_all(
    store: Store, owners: Sequence[str], labels: Iterable[str], types: Iterable[str]
) -> dict[str, Graph]:
    """``read_parts`` of several owners, in as many statements as for one."""
    wanted = set(types)
    return _read(store.read, owners, labels, [kind for kind in _OF_OWNER if kind[1] in wanted])


def state(store: Store, owner: str) -> State:
    """The bookkeeping of a site, or of the general layer (``""``). Zeros for one that is not known."""
    return _states(store.read, [owner])[owner]


def _read(
    read: Read, owners: Sequence[str], labels: Iterable[str] = DERIVED, kinds: Iterable[Kind] | None = None
) -> dict[str, Graph]:
    nodes: dict[str, list[Node]] = {owner: [] for owner in owners}
    relationships: dict[str, list[Relationship]] = {owner: [] for owner in owners}
    for label in labels if owners else ():
        for row in read(query(f"read/derived_{label.lower()}"), sites=list(owners)):
            nodes[row["owner"]].append(Node(label, row["key"], rows.lawful(row["properties"])))
    for kind in (_OF_OWNER if kinds is None else kinds) if owners else ():
        for row in read(query(f"read/derived_{rows.stem(kind)}"), sites=list(owners)):
            relationships[row["owner"]].append(_relationship(kind, row))
    for kind in _EVERY if kinds is None and "" in owners else ():
        relationships[""] += [_relationship(kind, row) for row in read(query(f"read/derived_{rows.stem(kind)}"))]
    return {owner: Graph(tuple(nodes[owner]), tuple(relationships[owner])) for owner in owners}


def _relationship(kind: Kind, row: Row) -> Relationship:
    return Relationship(kind, row["start_key"], row["end_key"], rows.lawful(row["properties"]))


def _states(read: Read, owners: Sequence[str]) -> dict[str, State]:
    keys = [meta_key(owner) for owner in owners]
    found = {row["key"]: row for row in read(query("read/meta"), keys=sorted(keys))}
    none = {"version": 0, "recordings": 0, "induced": 0}
    told = {owner: found.get(key, none) for owner, key in zip(owners, keys, strict=True)}
    return {o: State(row["version"], row["recordings"], row["induced"]) for o, row in told.items()}


# -- replacing ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Change:
    """``graph`` as the whole derived graph of ``owner``. ``expect`` is the version that ``state`` told before the
    recordings (for the general layer: the site graphs) were read."""

    owner: str
    graph: Graph
    expect: int


def replace(store: Store, owner: str, new: Graph, *, expect: int, afresh: bool = False) -> Difference:
    """Make one ``Change`` and count the owner's recordings as induced. StoreConflict when its version has moved since:
    read again, derive again, try again."""
    difference = replace_sites(store, [Change(owner, new, expect)], afresh=afresh)[0]
    if difference is None:
        whose = f"Site {owner}" if owner else "The general layer"
        raise StoreConflict(
            f"{whose} is no longer at version {expect}: another learner was first.",
            hint="Read the recordings again and induce again.",
        )
    return difference


def replace_sites(store: Store, changes: Sequence[Change], *, afresh: bool = False) -> list[Difference | None]:
    """Make several changes in one transaction, with as many statements as for one: what each wrote, or None for those
    whose version has moved, of which nothing is written. The general layer is changed alone. ``afresh``: compare with the
    graph itself, not with what is kept in short of it."""
    owners = [change.owner for change in changes]
    if len(set(owners)) < len(owners) or ("" in owners and len(owners) > 1):
        raise ValueError("each owner is changed once, and the general layer alone")
    for change in changes:
        _check_owner(change.owner, change.graph)
    return store.write(lambda tx: _replace(tx, changes, afresh)) if changes else []


def _replace(tx: Transaction, changes: Sequence[Change], afresh: bool) -> list[Difference | None]:
    """None rather than an error for what has moved: the store need not run the work again to see it again."""
    tx.run(query("write/lock_meta"), rows=meta_rows(change.owner for change in changes))
    states = _states(tx.run, [change.owner for change in changes])
    valid = [change for change in changes if states[change.owner].version == change.expect]
    if not valid:
        return [None for _ in changes]
    old = _old(tx, [change.owner for change in valid if states[change.owner].written], afresh)
    edits = {c.owner: _Edit.between(old.get(c.owner, Graph()), c.graph) for c in valid}
    _write(tx, list(edits.values()))
    laid: dict[str, list[str]] = defaultdict(list)
    for row in tx.run(query("read/decision_keys"), sites=sorted(edits)):
        laid[row["site"]].append(row["key"])
    rows.put(
        tx,
        [
            revision(c.owner, c.expect, now(), old.get(c.owner, Graph()), c.graph, laid[c.owner])
            for c in valid
            if edits[c.owner]
        ],
    )
    tx.run(query("write/set_induced"), keys=sorted(meta_key(owner) for owner in edits))
    tx.run(query("write/set_short"), rows=short_rows({meta_key(c.owner): c.graph for c in valid}))
    differences = {owner: edit.difference() for owner, edit in edits.items()}
    lost = [owner for owner, difference in differences.items() if difference.removed]
    if lost:
        tidy(tx, {r.end for owner in lost for r in old[owner].relationships if r.kind[1] == "ON"})
    if any(owner and difference for owner, difference in differences.items()):
        # The general layer has to look at these sites again, whoever is deriving it just now.
        tx.run(query("write/bump_meta"), rows=meta_rows([""]))
        gone = sorted(node.key for owner, edit in edits.items() if owner for node in edit.nodes.removed)
        if gone:
            tx.run(query("write/add_gone"), key=meta_key(""), gone=gone)
    return [differences.get(change.owner) for change in changes]


def _old(tx: Transaction, owners: Sequence[str], afresh: bool) -> dict[str, Graph]:
    """The graphs as they are: from what is kept in short, or ``afresh`` from the graph itself."""
    keys = {meta_key(owner): owner for owner in owners}
    kept = {} if afresh else {keys[key]: graph for key, graph in read_short(tx.run, list(keys)).items()}
    return kept | _read(tx.run, [owner for owner in owners if owner not in kept])


def _check_owner(owner: str, graph: Graph) -> None:
    """What is not the owner's would be written now and never found again. ValueError."""
    whose = owner or "the general layer"
    for node in graph.nodes:
        if node.label not in DERIVED or node.properties.get("site") != owner:
            raise ValueError(f"{node.key} is no derived node of {whose}")
    keys = {node.key for node in graph.nodes}
    for relationship in graph.relationships:
        if not _is_owned(relationship, owner, keys):
            kind = "-".join(relationship.kind)
            raise ValueError(f"{kind} from {relationship.start} to {relationship.end} is not of {whose}")


def _is_owned(relationship: Relationship, owner: str, keys: set[str]) -> bool:
    kind = relationship.kind
    if kind in _EVERY:
        return not owner
    if kind[0] in DERIVED:
        return kind in _OF_OWNER and relationship.start in keys
    return kind in _OF_OWNER and (kind[0] == "Step" or relationship.end in keys)


@dataclass(frozen=True)
class _Changes(Generic[T]):
    added: list[T]
    removed: list[T]
    changed: list[T]


@dataclass(frozen=True)
class _Edit:
    """What is to be written of one owner."""

    nodes: _Changes[Node]
    links: _Changes[Relationship]

    @classmethod
    def between(cls, old: Graph, new: Graph) -> _Edit:
        return cls(
            _compare(((n.key, n) for n in old.nodes), ((n.key, n) for n in new.nodes)),
            _compare(((r.identity, r) for r in old.relationships), ((r.identity, r) for r in new.relationships)),
        )

    def __bool__(self) -> bool:
        return any(c.added or c.removed or c.changed for c in (self.nodes, self.links))

    def difference(self) -> Difference:
        nodes, links = self.nodes, self.links
        return Difference(
            _counts(nodes.added, links.added),
            _counts(nodes.removed, links.removed),
            _counts(nodes.changed, links.changed),
        )


def _write(tx: Transaction, edits: Sequence[_Edit]) -> None:
    gone = {node.key for edit in edits for node in edit.nodes.removed}
    cut = [r for edit in edits for r in edit.links.removed]
    # The relationships of a node go with it.
    rows.unlink(tx, [r for r in cut if r.start not in gone and r.end not in gone])
    rows.remove(tx, [node for edit in edits for node in edit.nodes.removed])
    rows.put(tx, [node for edit in edits for node in (*edit.nodes.added, *edit.nodes.changed)])
    rows.link(tx, [r for edit in edits for r in (*edit.links.added, *edit.links.changed)])


def _compare(old: Iterable[tuple[Hashable, T]], new: Iterable[tuple[Hashable, T]]) -> _Changes[T]:
    before = dict(old)
    after = {identity: with_changes(item, properties=rows.lawful(item.properties)) for identity, item in new}
    changed = [
        # A property that went is set to null, which removes it.
        with_changes(item, properties=dict.fromkeys(before[identity].properties) | dict(item.properties))
        for identity, item in after.items()
        if identity in before and before[identity].properties != item.properties
    ]
    return _Changes(
        added=[item for identity, item in after.items() if identity not in before],
        removed=[item for identity, item in before.items() if identity not in after],
        changed=changed,
    )


def _counts(nodes: Iterable[Node], relationships: Iterable[Relationship]) -> dict[str, int]:
    return dict(Counter([*(node.label for node in nodes), *(r.kind[1] for r in relationships)]))


# -- settings ----------------------------------------------------------------------------------------------------------


def settings(store: Store) -> dict[str, Any]:
    """What steers induction in this store (inducer, thresholds ...); empty before it was first set."""
    found = store.read(query("read/meta"), keys=["store"])
    loaded: dict[str, Any] = json.loads(found[0]["settings"]) if found and found[0]["settings"] else {}
    return loaded


def set_settings(store: Store, values: Mapping[str, Any]) -> None:
    """Set all settings at once; ``values`` must be JSON-able."""
    text = canonical(dict(values))
    store.write(lambda tx: tx.run(query("write/set_settings"), settings=text))
