"""From the recordings in a store to its derived graph: the sites whose recordings changed, then the general layer.

Each site is read, induced and written under a compare-and-set on its version, so that of two learners the last to commit
has read the union; what was induced meanwhile from less is thrown away and done again. Nothing else is shared between
sites, so an interrupted run leaves whole sites, and the next run does the rest. Sites are worked out by several processes
(``spread``); small ones are written several at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import entry_points
from itertools import chain

from graphmem.errors import NotFound, StoreConflict
from graphmem.model.decision import Decision
from graphmem.store import decisions, derived, recordings
from graphmem.store.protocol import Store
from graphmem_induction.protocol import Evidence, Inducer
from graphmem_induction.spread import WORTH_IT, cores, spread, undisturbed, workers_wanted
from graphmem_queries import load as query

DEFAULT = "graph"
#: How often a site is induced again because another learner was first, before giving up.
TRIES = 50
#: Sites written in one transaction, and nodes and relationships in it unless one site has more: a transaction costs a Neo4j
#: as much as a small site, and an embedded store holds all of it in memory.
TOGETHER = 32
WEIGHT = 12_000
#: Recordings that are read before they are worked out.
READ = 500

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


def outdated(store: Store) -> bool:
    """Whether another version of the store's inducer than the one installed made its graph; True too where it is not."""
    made = derived.settings(store)
    if "inducer" not in made:
        return False
    try:
        return inducer_named(made["inducer"]).version != made.get("inducer_version")
    except NotFound:
        return True


def induce(
    store: Store,
    *,
    inducer: str | None = None,
    everything: bool = False,
    progress: Progress | None = None,
    workers: int | None = None,
) -> Induced:
    """Bring the derived graph up to date with the recordings.

    Only sites whose recordings changed are induced, unless ``everything``, or another ``inducer`` than the store's is asked
    for, or the store's was made by another version of it; ``everything`` also looks at the graph itself where otherwise what
    is kept in short of it would do. ``progress`` is told (site, done, all). ``workers``: processes to
    spread the sites over; None is GRAPHMEM_WORKERS, else one a core where there is enough to do. UsageError.
    """
    wanted = workers_wanted(workers)
    before = derived.settings(store)
    chosen = inducer_named(inducer or before.get("inducer", DEFAULT))
    mark = {"inducer": chosen.name, "inducer_version": chosen.version}
    renewed = before.get("inducer") is not None and {k: before.get(k) for k in mark} != mark
    todo = recordings.sites(store) if everything or renewed else recordings.stale_sites(store)
    if {k: before.get(k) for k in mark} != mark:
        derived.set_settings(store, before | mark)
    total = len(todo) + 1

    def told(site: str, done: int) -> None:
        if progress:
            progress(site, done, total)

    changes: list[derived.Difference] = []
    for pending in _together(_worked_out(store, chosen, todo, wanted, told)):
        changes += _write(store, chosen, pending, everything)
        store.release()
    told("across sites", len(todo))
    if todo or derived.state(store, "").stale:
        changes.append(_general(store, chosen, everything))
    told("", total)
    return Induced(len(todo), _sum(changes, "added"), _sum(changes, "removed"), _sum(changes, "changed"))


def _sum(changes: list[derived.Difference], what: str) -> dict[str, int]:
    return dict(sum((Counter(getattr(change, what)) for change in changes), Counter()))


@dataclass(frozen=True)
class _Work:
    """A site to work out: all that its graph is a function of, and the version that was read."""

    inducer: Inducer
    site: str
    recordings: tuple[Evidence, ...]
    decisions: tuple[Decision, ...]
    expect: int


@undisturbed
def _read(store: Store, inducer: Inducer, site: str) -> _Work:
    state = derived.state(store, site)
    found = tuple(Evidence(r.trajectory, r.judged) for r in recordings.load(store, site))
    return _Work(inducer, site, found, tuple(decisions.of(store, site)), state.version)


@undisturbed
def _change(work: _Work) -> derived.Change:
    """What a worker does: it knows no store."""
    return derived.Change(work.site, work.inducer.induce(work.site, work.recordings, work.decisions), work.expect)


def _worked_out(
    store: Store, inducer: Inducer, sites: Sequence[str], wanted: int | None, told: Callable[[str, int], None]
) -> Iterator[list[derived.Change]]:
    """The graphs of sites, some at a time; ``wanted`` workers, or as many as are worth starting."""
    batches = _batches(store, inducer, sites, told)
    first = next(batches, [])
    enough = len(first) < len(sites) or _recorded(first) >= WORTH_IT
    workers = min(len(sites), wanted or (cores() if len(sites) > 1 and enough else 1))
    return spread(_change, chain([first], batches), workers)


def _batches(
    store: Store, inducer: Inducer, sites: Sequence[str], told: Callable[[str, int], None]
) -> Iterator[list[_Work]]:
    """Sites as read, so many at a time that some ``READ`` recordings are in memory, or one site that has more."""
    batch: list[_Work] = []
    for done, site in enumerate(sites):
        told(site, done)
        batch.append(_read(store, inducer, site))
        if _recorded(batch) >= READ or len(batch) == TOGETHER:
            yield batch
            batch = []
    if batch:
        yield batch


def _recorded(batch: Sequence[_Work]) -> int:
    return sum(len(work.recordings) for work in batch)


def _together(found: Iterable[list[derived.Change]]) -> Iterator[list[derived.Change]]:
    """Changes to be written in one transaction each."""
    pending: list[derived.Change] = []
    for change in chain.from_iterable(found):
        if pending and (len(pending) == TOGETHER or sum(map(_size, (*pending, change))) > WEIGHT):
            yield pending
            pending = []
        pending.append(change)
    if pending:
        yield pending


def _size(change: derived.Change) -> int:
    return len(change.graph.nodes) + len(change.graph.relationships)


def _write(store: Store, inducer: Inducer, changes: list[derived.Change], afresh: bool) -> Iterator[derived.Difference]:
    """Write several sites at once; those where another learner was first are derived again, each by itself."""
    for change, difference in zip(changes, derived.replace_sites(store, changes, afresh=afresh), strict=True):
        yield _again(store, inducer, change.owner, afresh) if difference is None else difference


def _again(store: Store, inducer: Inducer, site: str, afresh: bool) -> derived.Difference:
    def attempt() -> derived.Difference:
        change = _change(_read(store, inducer, site))
        return derived.replace(store, site, change.graph, expect=change.expect, afresh=afresh)

    return _until_first(attempt)


def _general(store: Store, inducer: Inducer, afresh: bool) -> derived.Difference:
    @undisturbed
    def attempt() -> derived.Difference:
        state = derived.state(store, "")
        keys = [row["key"] for row in store.read(query("read/crossing_recordings"))]
        crossing = recordings.load_all(store, keys)
        sites = recordings.sites(store)
        graphs = derived.read_calls_of_all(store, sites)
        visited = {site for recording in crossing for site in recording.trajectory.sites} & set(sites)
        laid = decisions.of(store, "")
        # What was decided about the layer is led to its nodes by the steps of all sites.
        wanted = (sites, ["USES", "INSTANCE_OF"]) if laid else (sorted(visited), ["USES"])
        for site, uses in derived.read_parts_of_all(store, wanted[0], [], wanted[1]).items():
            graphs[site] = replace(graphs[site], relationships=graphs[site].relationships + uses.relationships)
        layer = inducer.carry_over(graphs, [Evidence(r.trajectory, r.judged) for r in crossing], laid)
        return derived.replace(store, "", layer, expect=state.version, afresh=afresh)

    return _until_first(attempt)


def _until_first(attempt: Callable[[], derived.Difference]) -> derived.Difference:
    """Do it again while another learner was first. A store that refuses for any other reason is not asked again."""
    for _ in range(TRIES - 1):
        try:
            return attempt()
        except StoreConflict:
            continue
    return attempt()
