"""``verify``: every key re-derived from what it is a hash of, and every law of the graph looked at.

Recordings are read site by site; the derived graph is read whole and judged by ``laws``. A graph that is not up to date
is no fault: where recordings changed since they were induced, the sites are told as ``stale``, and while the general
layer is stale (as when a learner was killed between the sites and it) its own laws wait for the next ``induce``. So do all
laws of the derived graph where another version of its inducer made it: what that one wrote need not look as ours does.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import groupby
from typing import Any

from graphmem.model.decision import KINDS, LABELS
from graphmem.model.graph import SCHEMA, Graph
from graphmem.model.identity import key_of
from graphmem.model.trajectory import Trajectory, step_from_json, step_key
from graphmem.store import decisions, derived, laws, recordings
from graphmem.store.laws import Fault
from graphmem.store.protocol import Row, Store
from graphmem.store.short import read_short
from graphmem_queries import load

_LONE = {
    "read/lone_steps": "it is a step of no recording",
    "read/lone_trajectories": "it is on no site",
    "read/lone_judgements": "it judges nothing",
    "read/lone_derived": "it is not on the site that it belongs to",
}


def verify(store: Store, *, outdated: bool = False) -> dict[str, Any]:
    """``{"ok", "checked", "faults": [{"key", "what"}], "stale": [site]}``; ``""`` in ``stale`` is the general layer.
    ``outdated``: another version of the inducer than the one that is installed made the derived graph."""
    stale = [row["site"] for row in store.read(load("read/stale_metas"))]
    places = store.read(load("read/places"))
    sites = [row["name"] for row in places if row["label"] == "Site"]
    recorded = _Recorded()
    made = store.read(load("read/decisions_made"))
    faults = [*_places(places), *_lone(store), *_kinds(store), *_decisions(made)]
    for site in sites:
        faults += recorded.check(store, site)
    faults += recorded.misplaced()
    if outdated:
        stale, checked = ["", *sites], 0
    else:
        checked, found = _derived(store, sites, recorded.lengths, general="" not in stale)
        faults += found
    document = sorted({(fault.key, fault.what) for fault in faults})
    return {
        "ok": not document,
        "checked": len(places) + len(made) + recorded.checked + checked,
        "faults": [asdict(Fault(*fault)) for fault in document],
        "stale": stale,
    }


# -- recordings --------------------------------------------------------------------------------------------------------


class _Recorded:
    """The recordings looked at so far; one that touches several sites is looked at once."""

    def __init__(self) -> None:
        self.lengths: dict[str, int] = {}
        self.checked = 0
        self._on: dict[str, set[str]] = defaultdict(set)
        self._said: dict[str, list[str]] = {}

    def check(self, store: Store, site: str) -> Iterator[Fault]:
        key = recordings.site_key(site)
        steps = _by_trajectory(store.read(load("read/site_step_nodes"), site=key))
        judgements = _by_trajectory(store.read(load("read/site_judgements"), site=key))
        for row in store.read(load("read/site_trajectories"), site=key):
            found, properties = row["key"], row["properties"]
            self._on[found].add(site)
            if found not in self.lengths:
                mine, said = steps.get(found, []), judgements.get(found, [])
                self.lengths[found] = len(mine)
                self.checked += 1 + len(mine) + len(said)
                self._said[found] = list(properties.get("sites", ()))
                yield from _recording(found, properties, mine)
                yield from _judgements(found, properties, said)

    def misplaced(self) -> Iterator[Fault]:
        for key, sites in self._on.items():
            if sorted(self._said[key]) != sorted(sites):
                yield Fault(key, f"it touches {self._said[key]}, but is on {sorted(sites)}")


def _recording(key: str, properties: Mapping[str, Any], steps: list[Row]) -> Iterator[Fault]:
    try:
        loaded = tuple(step_from_json(json.loads(row["properties"]["data"])) for row in steps)
        trajectory = recordings.trajectory_from_properties(properties, loaded)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        yield Fault(key, f"it cannot be read: {type(error).__name__} {error}")
        return
    if trajectory.key != key:
        yield Fault(key, f"its content has the key {trajectory.key}")
    derived_from = recordings.trajectory_properties(trajectory) | {"judged": properties["judged"]}
    yield from _told(key, properties, derived_from)
    yield from _steps(key, trajectory, steps)


def _steps(key: str, trajectory: Trajectory, steps: list[Row]) -> Iterator[Fault]:
    indexes = [row["index"] for row in steps]
    if indexes != list(range(len(steps))):
        yield Fault(key, f"its steps have the indexes {indexes}, not 0 and on without gaps")
        return
    for row in steps:
        wanted = recordings.step_properties(trajectory, row["index"]) | {"trajectory": key}
        # The key as stored is what the steps follow; where that is wrong it has been said already.
        if row["key"] != step_key(key, row["index"]):
            yield Fault(row["key"], f"step {row['index']} of {key} has another key")
        yield from _told(row["key"], row["properties"], wanted)


def _judgements(key: str, properties: Mapping[str, Any], judgements: list[Row]) -> Iterator[Fault]:
    if not any(row["by"] == recordings.RECORDED for row in judgements):
        yield Fault(key, "its recorded outcome is missing among its judgements")
    if judgements and recordings.effective(judgements) != properties.get("judged"):
        yield Fault(key, f"it is judged {recordings.effective(judgements)}, but says {properties.get('judged')}")
    for row in judgements:
        content = (row["by"], row["verdict"], row["reward"], row["at"])
        if row["key"] != recordings.judgement_key(key, *content):
            yield Fault(row["key"], f"as a judgement of {key} it has another key")


def _told(key: str, properties: Mapping[str, Any], wanted: Mapping[str, Any]) -> Iterator[Fault]:
    """Whether the properties for queries say what the recording itself says."""
    wrong = sorted(name for name, value in wanted.items() if properties.get(name) != value)
    if wrong:
        yield Fault(key, f"its {', '.join(wrong)} {'is' if len(wrong) == 1 else 'are'} not what was recorded")


def _by_trajectory(found: list[Row]) -> dict[str, list[Row]]:
    return {key: list(group) for key, group in groupby(found, key=lambda row: str(row["trajectory"]))}


# -- all else ----------------------------------------------------------------------------------------------------------


def _derived(store: Store, sites: list[str], lengths: Mapping[str, int], *, general: bool) -> tuple[int, list[Fault]]:
    """How much was looked at, and what is wrong; the general layer is looked at only where it is ``general``."""
    graphs = derived.read_sites(store, sites) | {"": derived.read_general(store)}
    whole = laws.Whole(graphs.values())
    owners = [owner for owner in graphs if owner or general]
    faults: list[Fault] = []
    for owner in owners:
        faults += laws.faults(whole, graphs[owner].nodes, lengths)
        faults += laws.misplaced(graphs[owner])
    faults += _short(store, graphs)
    return sum(_size(graphs[owner]) for owner in owners), faults


def _short(store: Store, graphs: Mapping[str, Graph]) -> Iterator[Fault]:
    """Whether what is kept in short of each graph is that graph."""
    keys = {recordings.meta_key(owner): graph for owner, graph in graphs.items()}
    for key, kept in read_short(store.read, list(keys)).items():
        if _content(kept) != _content(keys[key]):
            yield Fault(key, "what is kept in short of its graph is not its graph: run graphmem induce --all")


def _content(graph: Graph) -> tuple[dict[str, Any], dict[Any, Any]]:
    nodes = {node.key: (node.label, dict(node.properties)) for node in graph.nodes}
    return nodes, {link.identity: dict(link.properties) for link in graph.relationships}


def _size(graph: Graph) -> int:
    return len(graph.nodes) + len(graph.relationships)


def _places(places: list[Row]) -> Iterator[Fault]:
    for row in places:
        if row["key"] != key_of(row["label"].lower(), row["name"]):
            yield Fault(row["key"], f"the {row['label'].lower()} {row['name']!r} has another key")


def _decisions(made: list[Row]) -> Iterator[Fault]:
    """Whether each decision is one, has the key of what it says, and says the same to queries."""
    for row in made:
        key, properties = row["key"], row["properties"]
        try:
            decision = decisions.decision_from_properties(properties)
            told = decisions.decision_properties(decision)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            yield Fault(key, f"it cannot be read: {type(error).__name__} {error}")
            continue
        if decision.kind not in KINDS:
            yield Fault(key, f"its kind is {decision.kind!r}, none of {', '.join(KINDS)}")
        if not decision.subjects or any(s.label not in LABELS or not s.spans for s in decision.subjects):
            yield Fault(key, "it is about nothing that was recorded")
        if decision.key != key:
            yield Fault(key, f"its content has the key {decision.key}")
        if wrong := sorted(name for name, value in told.items() if properties.get(name) != value):
            yield Fault(key, f"its {', '.join(wrong)} {'is' if len(wrong) == 1 else 'are'} not what was decided")


def _lone(store: Store) -> Iterator[Fault]:
    for name, what in _LONE.items():
        for row in store.read(load(name)):
            yield Fault(row["key"], what)


def _kinds(store: Store) -> Iterator[Fault]:
    for row in store.read(load("read/relationship_kinds")):
        if (row["source"], row["type"], row["target"]) not in SCHEMA:
            yield Fault(
                row["type"], f"{row['n']} join a {row['source']} to a {row['target']}, which the schema does not know"
            )
