"""From the recordings in a store to its derived graph: the sites whose recordings changed, then the general layer.

Each site is read, induced and written under a compare-and-set on its version, so that of two learners the last to commit
has read the union; what was induced meanwhile from less is thrown away and done again. Nothing else is shared between
sites, so an interrupted run leaves whole sites, and the next run does the rest. Small sites are written several at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib.metadata import entry_points

from graphmem.errors import NotFound, StoreConflict
from graphmem.store import derived, recordings
from graphmem.store.protocol import Store
from graphmem_induction.protocol import Evidence, Inducer
from graphmem_queries import load as query

DEFAULT = "graph"
#: How often a site is induced again because another learner was first, before giving up.
TRIES = 50
#: Sites written in one transaction, and nodes and relationships in it: a transaction costs a Neo4j as much as a small site.
TOGETHER = 32
WEIGHT = 30_000

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Induced:
    """What changed: derived nodes and relationships that came, went, or kept their key and changed, by label or type."""

    sites: int = 0
    added: Mapping[str, int] = field(default_factory=dict)
    removed: Mapping[str, int] = field(default_factory=dict)
    merged: Mapping[str, int] = field(default_factory=dict)


def inducer_named(name: str) -> Inducer:
    """The inducer of that name. NotFound names those that there are."""
    found = {point.name: point for point in entry_points(group="graphmem.inducers")}
    if name not in found:
        raise NotFound(name, hint=f"Inducers: {', '.join(sorted(found))}.")
    made: Inducer = found[name].load()()
    return made


def induce(
    store: Store, *, inducer: str | None = None, everything: bool = False, progress: Progress | None = None
) -> Induced:
    """Bring the derived graph up to date with the recordings.

    Only sites whose recordings changed are induced, unless ``everything``, or another ``inducer`` than the store's is asked
    for, or the store's was made by another version of it. ``progress`` is told (site, done, all).
    """
    before = derived.settings(store)
    chosen = inducer_named(inducer or before.get("inducer", DEFAULT))
    mark = {"inducer": chosen.name, "inducer_version": chosen.version}
    renewed = before.get("inducer") is not None and {k: before.get(k) for k in mark} != mark
    todo = recordings.sites(store) if everything or renewed else recordings.stale_sites(store)
    if {k: before.get(k) for k in mark} != mark:
        derived.set_settings(store, before | mark)
    total = len(todo) + 1
    changes: list[derived.Difference] = []
    pending: list[derived.Change] = []
    for done, site in enumerate(todo):
        if progress:
            progress(site, done, total)
        pending.append(_derive(store, chosen, site))
        if len(pending) == TOGETHER or done == len(todo) - 1 or sum(map(_size, pending)) > WEIGHT:
            changes += _write(store, chosen, pending)
            pending = []
        store.release()
    if progress:
        progress("across sites", len(todo), total)
    if todo or derived.state(store, "").stale:
        changes.append(_general(store, chosen))
    if progress:
        progress("", total, total)
    return Induced(len(todo), _sum(changes, "added"), _sum(changes, "removed"), _sum(changes, "changed"))


def _sum(changes: list[derived.Difference], what: str) -> dict[str, int]:
    return dict(sum((Counter(getattr(change, what)) for change in changes), Counter()))


def _derive(store: Store, inducer: Inducer, site: str) -> derived.Change:
    state = derived.state(store, site)
    found = recordings.load(store, site)
    graph = inducer.induce(site, [Evidence(r.trajectory, r.judged) for r in found])
    return derived.Change(site, graph, state.version)


def _size(change: derived.Change) -> int:
    return len(change.graph.nodes) + len(change.graph.relationships)


def _write(store: Store, inducer: Inducer, changes: list[derived.Change]) -> Iterator[derived.Difference]:
    """Write several sites at once; those where another learner was first are derived again, each by itself."""
    for change, difference in zip(changes, derived.replace_sites(store, changes), strict=True):
        yield _again(store, inducer, change.owner) if difference is None else difference


def _again(store: Store, inducer: Inducer, site: str) -> derived.Difference:
    def attempt() -> derived.Difference:
        change = _derive(store, inducer, site)
        return derived.replace(store, site, change.graph, expect=change.expect)

    return _until_first(attempt)


def _general(store: Store, inducer: Inducer) -> derived.Difference:
    def attempt() -> derived.Difference:
        state = derived.state(store, "")
        keys = [row["key"] for row in store.read(query("read/crossing_recordings"))]
        crossing = [recordings.get(store, key) for key in keys]
        sites = recordings.sites(store)
        graphs = derived.read_parts_of_all(store, sites, ["Subtask", "Action"], ["HAS_ACTION", "HAS_SUBTASK"])
        visited = {site for recording in crossing for site in recording.trajectory.sites} & set(sites)
        for site, uses in derived.read_parts_of_all(store, sorted(visited), [], ["USES"]).items():
            graphs[site] = replace(graphs[site], relationships=graphs[site].relationships + uses.relationships)
        layer = inducer.carry_over(graphs, [Evidence(r.trajectory, r.judged) for r in crossing])
        return derived.replace(store, "", layer, expect=state.version)

    return _until_first(attempt)


def _until_first(attempt: Callable[[], derived.Difference]) -> derived.Difference:
    """Do it again while another learner was first. A store that refuses for any other reason is not asked again."""
    for _ in range(TRIES - 1):
        try:
            return attempt()
        except StoreConflict:
            continue
    return attempt()
