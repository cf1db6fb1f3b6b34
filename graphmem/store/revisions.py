"""History: what every change of the derived graph put in the place of what went.

A derived node's key follows its content, so it changes when more is known. A Revision notes, for one owner and version, which
keys came instead of each that went: the nodes that the same recorded steps now belong to. So a key that somebody wrote down,
or a name, still leads to what became of it. It keeps what went as it was, so that every version can be shown, compared and
gone back to, and says what the change came from. Revisions are outside the law: no graph depends on them.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from graphmem.model.graph import Graph, Node, Relationship
from graphmem.model.identity import canonical, key_of
from graphmem.store import rows
from graphmem.store.protocol import Store
from graphmem_queries import load as query

#: Labels whose keys follow what was derived.
FOLLOWED = ("Task", "Subtask", "Action")
#: The nodes that one node became, the likeliest first; more would say nothing.
_MOST = 5


def revision_key(owner: str, version: int) -> str:
    return key_of("revision", [owner, version])


def revision(owner: str, version: int, at: str, old: Graph, new: Graph, decisions: Sequence[str] = ()) -> Node:
    """The change of one owner from ``old`` to ``new``. ``at``: ISO 8601 UTC text; ``decisions``: the keys of those that
    were in force."""
    before, after = _followed(old), _followed(new)
    gone = sorted(before.keys() - after.keys())
    became = successors(old, new, gone)
    went = {
        key: {"label": before[key].label, "name": before[key].properties["name"], "to": became[key]} for key in gone
    }
    return Node(
        "Revision",
        revision_key(owner, version),
        {
            "name": f"{owner or 'across sites'}, version {version}",
            "site": owner,
            "version": version,
            "at": at,
            "added": sorted(after.keys() - before.keys()),
            "removed": gone,
            "successors": canonical(went),
            "changed": canonical(_changed(before, after)),
            "content": canonical(contents(old, gone)),
            "recordings_added": len(_recordings(new) - _recordings(old)),
            "recordings_removed": len(_recordings(old) - _recordings(new)),
            "decisions": sorted(decisions),
        },
    )


def contents(graph: Graph, keys: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Some tasks, subtasks and actions of a graph as values: label, properties, ``calls`` as [type, end, index, bindings]
    in order, and ``ways`` as [end, bindings]."""
    wanted = set(keys)
    found: dict[str, dict[str, Any]] = {
        key: {"label": node.label, "properties": rows.lawful(node.properties), "calls": [], "ways": []}
        for key, node in _followed(graph).items()
        if key in wanted
    }
    for link in graph.relationships:
        if link.start in found and link.kind[1] in ("HAS_ACTION", "HAS_SUBTASK"):
            call = [link.kind[1], link.end, link.properties["index"], json.loads(link.properties["bindings"])]
            found[link.start]["calls"].append(call)
        elif link.start in found and link.kind[1] == "HAS_WAY":
            found[link.start]["ways"].append([link.end, json.loads(link.properties["bindings"])])
    for content in found.values():
        content["calls"].sort(key=lambda call: call[2])
        content["ways"].sort(key=lambda way: way[0])
    return found


def _changed(before: Mapping[str, Node], after: Mapping[str, Node]) -> dict[str, dict[str, list[str]]]:
    """What nodes that kept their keys are called now, and what their status is: [before, after]."""
    found: dict[str, dict[str, list[str]]] = {}
    for key in before.keys() & after.keys():
        old, new = (rows.lawful(node.properties) for node in (before[key], after[key]))
        for name in ("name", "status"):
            if old.get(name) != new.get(name):
                found.setdefault(key, {})[name] = [old.get(name, ""), new.get(name, "")]
    return found


def _recordings(graph: Graph) -> set[str]:
    """The recordings that something was derived from."""
    return {link.start for link in graph.relationships if link.kind[0] == "Trajectory" and link.kind[1] != "ON"}


def _followed(graph: Graph) -> dict[str, Node]:
    return {node.key: node for node in graph.nodes if node.label in FOLLOWED}


# -- what became of what -----------------------------------------------------------------------------------------------


def successors(old: Graph, new: Graph, gone: Iterable[str]) -> dict[str, list[str]]:
    """For each key that went, the keys of the same label that its recorded steps belong to now, the likeliest first."""
    votes: dict[str, Counter[str]] = {key: Counter() for key in gone}
    for before, after, weight in (*_by_instance(old, new), *_by_use(old, new)):
        if before in votes:
            votes[before][after] += weight
    return {
        key: [after for after, _ in sorted(count.items(), key=lambda pair: (-pair[1], pair[0]))][:_MOST]
        for key, count in votes.items()
    }


def _by_instance(old: Graph, new: Graph) -> Iterator[tuple[str, str, int]]:
    """Steps are instances of an action, recordings of a task."""
    now: dict[str, str] = {r.start: r.end for r in new.relationships if r.kind[1] == "INSTANCE_OF"}
    for link in old.relationships:
        if link.kind[1] == "INSTANCE_OF" and link.start in now:
            yield link.end, now[link.start], 1


def _by_use(old: Graph, new: Graph) -> Iterator[tuple[str, str, int]]:
    """A recording used a subtask in some of its steps; what it uses in most of these now took its place."""
    now: dict[str, list[Relationship]] = defaultdict(list)
    for link in new.relationships:
        if link.kind[1] == "USES":
            now[link.start].append(link)
    kinds = {n.key: n.properties["kind"] for g in (old, new) for n in g.nodes if n.label == "Subtask"}
    for link in old.relationships:
        if link.kind[1] == "USES":
            alike = [other for other in now[link.start] if kinds.get(other.end) == kinds.get(link.end)]
            overlaps = [(_shared(link.properties, other.properties), other.end) for other in alike]
            share, best = max(overlaps, default=(0.0, ""), key=lambda pair: (pair[0], pair[1]))
            if share > 0:
                yield link.end, best, round(100 * share)


def _shared(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    """Steps in both ranges over steps in either."""
    both = min(one["last"], other["last"]) - max(one["first"], other["first"]) + 1
    either = max(one["last"], other["last"]) - min(one["first"], other["first"]) + 1
    return float(max(both, 0) / either)


# -- following ---------------------------------------------------------------------------------------------------------


def became(store: Store, wanted: str) -> list[str]:
    """The keys that took the place of an old key, of the beginning of one, or of an old name; none where nothing is known.

    They may have gone themselves: ask again for these.
    """
    found: list[str] = []
    for row in store.read(query("read/revisions_naming"), text=canonical(wanted)[1:-1]):
        for key, went in json.loads(row["successors"]).items():
            if key.startswith(wanted) or key.partition(":")[2].startswith(wanted) or went["name"] == wanted:
                found += [to for to in went["to"] if to not in found]
    return found
