"""How fast a graph goes into a store, against the engine's own bulk write of the very same nodes and relationships.

    python -m benchmarks.ingest [--limit N] [--seeds 1-3] [--store bolt://localhost:7687]

The Mind2Web train tasks are induced once, aside. Then, for each store and each seed (which shuffles the recordings, and who
goes first):

- ``graph``: ``recordings.save`` in batches of 200 and ``derived.replace_sites`` of all sites and of the general layer, as
  ``learn`` does it, with all their locks, look-ups and versions. Working the graph out is not in it.
- ``raw``: all nodes and relationships that this leaves, written into an empty store of the same schema by the engine alone:
  UNWIND and MERGE in batches of 5,000, one statement a label and a relationship type.
- ``raw_create``: the same with CREATE, which is quicker and cannot be done twice.

``rows_per_s`` counts nodes and relationships; ``times_raw`` is how many times longer ``graph`` took. Both stores are measured
unless ``--store`` names one; a Neo4j is started for the run where none is named.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import engines, mind2web_data
from benchmarks.frame import Options, Report, run
from graphmem.model.graph import LABELS, SCHEMA, Graph
from graphmem.model.trajectory import Trajectory
from graphmem.store import derived, open_store, recordings
from graphmem.store.protocol import Store
from graphmem_induction.learn import TOGETHER
from graphmem_queries import Query

BATCH = 200
GOAL = 2.0
WARM_UP = 400


@dataclass(frozen=True)
class Rows:
    """All that a store holds: properties of nodes by label, and of relationships by kind, as rows to UNWIND."""

    nodes: dict[str, list[dict[str, Any]]]
    relationships: dict[tuple[str, str, str], list[dict[str, Any]]]

    def __len__(self) -> int:
        return sum(map(len, self.nodes.values())) + sum(map(len, self.relationships.values()))


@dataclass(frozen=True)
class Work:
    """What there is to write: the recordings, the derived graph of every owner (the general layer is ``""``), all rows."""

    trajectories: tuple[Trajectory, ...]
    graphs: dict[str, Graph]
    rows: Rows


def measure(options: Options, report: Report) -> None:
    trajectories = mind2web_data.load(options.data, limit=options.limit)
    report.say(f"{len(trajectories)} recordings; working out their graph")
    work = derive(trajectories)
    with tempfile.TemporaryDirectory(prefix="graphmem-ingest-") as folder, ExitStack() as stack:
        for place in engines.places(options.store, Path(folder), stack, report.say):
            report.say(f"{place.name}: warming up")
            _warm_up(place, derive(trajectories[:WARM_UP]))
            compare(place, work, options, report)
    report.settings |= {"recordings": len(trajectories), "raw_batch": engines.BATCH, "save_batch": BATCH}
    for on in ("embedded", "neo4j"):
        report.goal("times_raw", on, GOAL, "ingest within 2x of the raw engine's own bulk write")


def derive(trajectories: Sequence[Trajectory]) -> Work:
    """Learn the trajectories aside, and take what there is to write from there."""
    from graphmem_induction.learn import induce

    with closing_store("memory:", {}) as store:
        for start in range(0, len(trajectories), BATCH):
            recordings.save(store, trajectories[start : start + BATCH])
        induce(store)
        graphs = {site: derived.read_site(store, site) for site in recordings.sites(store)}
        graphs[""] = derived.read_general(store)
        return Work(tuple(trajectories), graphs, everything(store))


def compare(place: engines.Place, work: Work, options: Options, report: Report) -> None:
    taken: dict[str, list[float]] = {"graph": [], "raw": [], "raw_create": []}
    for seed in options.seeds:
        # What runs first finds colder caches, so the order takes turns too.
        for system in random.Random(seed).sample(sorted(taken), len(taken)):
            taken[system].append(_seconds(system, place, work, seed))
        report.say(f"{place.name}, seed {seed}: " + ", ".join(f"{name} {all[-1]:.1f} s" for name, all in taken.items()))
    for system, seconds in taken.items():
        report.add(system, "seconds", place.name, seconds)
        report.add(system, "rows_per_s", place.name, [len(work.rows) / each for each in seconds])
    for system in ("raw", "raw_create"):
        ratios = [ours / theirs for ours, theirs in zip(taken["graph"], taken[system], strict=True)]
        report.add("graph", f"times_{system}", place.name, ratios)


def _seconds(system: str, place: engines.Place, work: Work, seed: int) -> float:
    if system == "graph":
        return product(place, work, seed)
    return raw(place, work.rows, merge=system == "raw")


def _warm_up(place: engines.Place, work: Work) -> None:
    product(place, work, 0)
    raw(place, work.rows, merge=True)
    raw(place, work.rows, merge=False)


def product(place: engines.Place, work: Work, seed: int) -> float:
    """Seconds that our own write path took. RuntimeError if it did not leave the rows that the raw engine is given."""
    shuffled = random.Random(seed).sample(work.trajectories, len(work.trajectories))
    with place.empty() as url, closing_store(url, place.environ()) as store:
        ready(store)
        begun = time.perf_counter()
        for start in range(0, len(shuffled), BATCH):
            recordings.save(store, shuffled[start : start + BATCH])
        sites = sorted(owner for owner in work.graphs if owner)
        for start in range(0, len(sites), TOGETHER):
            derived.replace_sites(store, [_change(store, work, site) for site in sites[start : start + TOGETHER]])
        # The general layer joins nodes of sites, so it comes last.
        derived.replace_sites(store, [_change(store, work, "")])
        seconds = time.perf_counter() - begun
        if len(left := everything(store)) != len(work.rows):
            raise RuntimeError(f"{place.name} holds {len(left)} rows where {len(work.rows)} were to be written")
        return seconds


def _change(store: Store, work: Work, owner: str) -> derived.Change:
    return derived.Change(owner, work.graphs[owner], derived.state(store, owner).version)


def raw(place: engines.Place, rows: Rows, *, merge: bool) -> float:
    """Seconds that the engine's own bulk write of ``rows`` took, into a store with our indexes."""
    with place.empty() as url:
        with closing_store(url, place.environ()) as store:
            ready(store)
        with place.engine() as write:
            begun = time.perf_counter()
            write_all(write, rows, merge=merge)
            return time.perf_counter() - begun


def write_all(write: engines.Write, rows: Rows, *, merge: bool) -> None:
    for label, batch in _batches(rows.nodes):
        write(_node_statement(label, merge), batch)
    for kind, batch in _batches(rows.relationships):
        write(_relationship_statement(kind, merge), batch)


def everything(store: Store) -> Rows:
    """All nodes and relationships of the schema, as rows."""
    nodes = {label: store.read(_query(f"MATCH (n:{label}) RETURN properties(n) AS properties")) for label in LABELS}
    relationships = {
        kind: store.read(
            _query(
                f"MATCH (a:{kind[0]})-[r:{kind[1]}]->(b:{kind[2]}) "
                "RETURN a.key AS start, b.key AS end, properties(r) AS properties"
            )
        )
        for kind in SCHEMA
    }
    return Rows(nodes, relationships)


def ready(store: Store) -> None:
    """A first write, which brings the schema up to date: it is part of neither figure."""
    derived.set_settings(store, {})


@contextmanager
def closing_store(url: str, environ: Mapping[str, str]) -> Iterator[Store]:
    store = open_store(url, environ=environ)
    try:
        yield store
    finally:
        store.close()


def _batches(groups: dict[Any, list[dict[str, Any]]]) -> Iterator[tuple[Any, list[dict[str, Any]]]]:
    for group, rows in groups.items():
        for start in range(0, len(rows), engines.BATCH):
            yield group, rows[start : start + engines.BATCH]


def _node_statement(label: str, merge: bool) -> str:
    make = f"MERGE (n:{label} {{key: row.properties.key}})" if merge else f"CREATE (n:{label})"
    return f"UNWIND $rows AS row {make} SET n += row.properties"


def _relationship_statement(kind: tuple[str, str, str], merge: bool) -> str:
    start, name, end = kind
    told_apart = ", ".join(f"{d}: row.properties.{d}" for d in SCHEMA[kind])
    make = f"MERGE (a)-[r:{name} {{{told_apart}}}]->(b)" if merge else f"CREATE (a)-[r:{name}]->(b)"
    return (
        f"UNWIND $rows AS row MATCH (a:{start} {{key: row.start}}) MATCH (b:{end} {{key: row.end}}) "
        f"{make} SET r += row.properties"
    )


def _query(text: str) -> Query:
    return Query("benchmark", "", (), (("", text),))


if __name__ == "__main__":
    run("ingest", measure, about=__doc__, development="1-3")
