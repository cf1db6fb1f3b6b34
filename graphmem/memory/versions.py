"""Versions of a node: what it was before, what each change came from, how two of them differ, and going back to one.

A node's key follows its content, so an earlier version is a node with another key that went. The Revisions say which node
took the place of which, and hold what went; what stands now is in the graph.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from graphmem.errors import NotFound, UsageError
from graphmem.memory.deciding import Decided, carried_out, decide, standing
from graphmem.memory.finding import Found, find
from graphmem.model.decision import LABELS, spans_digest
from graphmem.store import decisions, derived, revisions
from graphmem.store.protocol import Row, Store
from graphmem_queries import load

Content = dict[str, Any]


@dataclass(frozen=True)
class Version:
    """A node as it stood since ``number``, a version of its site's graph. ``cause``: what that change came from; ``merged``:
    other nodes that became this one then. ``now``: whether it stands still."""

    number: int
    key: str
    name: str
    at: str
    cause: str
    now: bool = False
    merged: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "version": self.number,
            "key": self.key,
            "name": self.name,
            "at": self.at,
            "cause": self.cause,
            "now": self.now,
            "merged": list(self.merged),
        }


# -- listing -----------------------------------------------------------------------------------------------------------


def versions(store: Store, found: Found) -> list[Version]:
    """The versions of a task, subtask or action, the newest first. NotFound where no revision is kept."""
    history = store.read(load("read/revisions_of"), site=found.site)
    causes = _causes(store, found.site, history)
    listed: list[Version] = []
    key, name, below = found.key, found.name, None
    while True:
        came = next((r for r in history if key in r["added"] and (below is None or r["version"] < below)), None)
        listed += _renamings(history, causes, key, name, came, below, not listed)
        if came is None:
            break
        before = _predecessors(came, key)
        kept = listed[-1].name if listed and listed[-1].key == key else name
        first = _name_before(history, key, came, below) or kept
        merged = tuple(old for old, _ in before[1:])
        listed.append(Version(came["version"], key, first, came["at"], causes[came["key"]], not listed, merged))
        if not before:
            break
        (key, went), below = before[0], came["version"]
        name = went["name"]
    if not listed:
        raise NotFound(found.key, hint="No revision of it is kept: it was derived before revisions were.")
    return listed


def _renamings(
    history: Sequence[Row],
    causes: Mapping[str, str],
    key: str,
    name: str,
    came: Row | None,
    below: int | None,
    now: bool,
) -> list[Version]:
    """Versions in which only the name or the status changed, the newest first."""
    found: list[Version] = []
    for r in history:
        changed = json.loads(r["changed"] or "{}").get(key) if _between(r, came, below) else None
        if changed:
            called = changed.get("name", [name, name])[1]
            status = f"; {changed['status'][0]} became {changed['status'][1]}" if "status" in changed else ""
            cause = causes[r["key"]] + status
            found.append(Version(r["version"], key, called, r["at"], cause, now and not found))
            name = changed.get("name", [name, name])[0]
    return found


def _between(r: Row, came: Row | None, below: int | None) -> bool:
    after = came is None or r["version"] > came["version"]
    return after and (below is None or r["version"] < below)


def _name_before(history: Sequence[Row], key: str, came: Row, below: int | None) -> str:
    """What a node was called when it came, where it was called otherwise later."""
    changes = [json.loads(r["changed"] or "{}").get(key, {}) for r in history if _between(r, came, below)]
    names = [change["name"][0] for change in changes if "name" in change]
    return names[-1] if names else ""


def _predecessors(came: Row, key: str) -> list[tuple[str, dict[str, Any]]]:
    """What went when a node came and became it; the likeliest first."""
    went: dict[str, dict[str, Any]] = json.loads(came["successors"])
    found = [(old, entry) for old, entry in went.items() if key in entry["to"]]
    return sorted(found, key=lambda pair: (pair[1]["to"].index(key), pair[0]))


def _causes(store: Store, site: str, history: Sequence[Row]) -> dict[str, str]:
    """What each revision came from, by its key."""
    from graphmem.memory.deciding import told

    known = {decision.key: told(decision) for decision in decisions.of(store, site)}
    causes = {}
    for r, earlier in zip(history, [*history[1:], None], strict=True):
        before = set((earlier or {}).get("decisions") or ())
        now = set(r["decisions"] or ())
        parts = [f"{r['recordings_added']} recordings more"] if r["recordings_added"] else []
        parts += [f"{r['recordings_removed']} recordings less"] if r["recordings_removed"] else []
        parts += [
            f"decided that {known.get(key, 'something was so (taken back since)')}" for key in sorted(now - before)
        ]
        parts += ["a decision was taken back"] if before - now else []
        causes[r["key"]] = " and ".join(parts) or ("the sites changed" if not site else "induced again")
    return {
        key: cause.replace("1 recordings", "1 recording") if cause[:2] == "1 " else cause
        for key, cause in causes.items()
    }


# -- content -----------------------------------------------------------------------------------------------------------


def contents(store: Store, site: str, keys: Iterable[str]) -> dict[str, Content]:
    """What nodes are, or were last, by key: from the graph of a site, else from the revisions."""
    wanted = set(keys)
    graph = derived.read_site(store, site) if site else derived.read_general(store)
    found = revisions.contents(graph, wanted)
    missing = wanted - found.keys()
    for row in store.read(load("read/revision_content"), keys=sorted(missing)) if missing else ():
        kept = json.loads(row["content"] or "{}")
        found |= {key: kept[key] for key in missing & kept.keys() if key not in found}
    return found


def program(store: Store, site: str, root: str) -> dict[str, Content]:
    """A node with everything that it calls, at any depth. NotFound where a part is not kept."""
    found: dict[str, Content] = {}
    waiting = {root}
    while waiting:
        new = contents(store, site, waiting)
        if lacking := waiting - new.keys():
            raise NotFound(min(lacking), hint="This version is not kept in full.")
        found |= new
        waiting = {call[1] for content in new.values() for call in content["calls"]} - found.keys()
    return found


# -- naming a version --------------------------------------------------------------------------------------------------


def named(store: Store, wanted: str) -> tuple[str, str, Content]:
    """Site, key and content of ``KEY``, ``NAME`` or ``KEY@VERSION``; an old key means the old version. NotFound."""
    text, at, number = wanted.rpartition("@")
    if at and number.isdigit():
        found = find(store, text, labels=LABELS)
        stood = [v for v in versions(store, found) if v.number <= int(number)]
        if not stood:
            raise NotFound(wanted, hint=f"graphmem versions {text} lists the versions.")
        return (
            found.site,
            stood[0].key,
            _renamed(contents(store, found.site, [stood[0].key])[stood[0].key], stood[0].name),
        )
    old = store.read(load("read/revision_content"), keys=[wanted])
    with suppress(NotFound):
        found = find(store, wanted, labels=LABELS)
        if found.key == wanted or not old:
            return found.site, found.key, contents(store, found.site, [found.key])[found.key]
    for row in old:
        kept = json.loads(row["content"] or "{}")
        if wanted in kept:
            return kept[wanted]["properties"].get("site") or "", wanted, kept[wanted]
    raise NotFound(wanted, hint="graphmem versions KEY lists the versions of a node.")


def _renamed(content: Content, name: str) -> Content:
    return content | {"properties": content["properties"] | {"name": name}}


# -- going back --------------------------------------------------------------------------------------------------------


def roll_back(store: Store, found: Found, to: str | None, *, by: str, note: str = "") -> Decided:
    """Let an earlier version of a subtask or action stand again: the one before, or ``to`` (a number or a key)."""
    if found.label == "Task":
        raise UsageError(
            f"{found.name!r} is a task: it is what its ways are.", hint="Roll back one of its ways: graphmem show KEY"
        )
    listed = versions(store, found)
    version = _meant(listed, found, to)
    nodes = program(store, found.site, version.key)
    steps = spans_digest(standing(store, found.site).spans(found.key))
    what = {"version": version.number, "root": version.key, "nodes": nodes, "steps": steps}
    done = carried_out(store, decide(store, "rollback", [found], what, by=by, note=note))
    return done


def _meant(listed: Sequence[Version], found: Found, to: str | None) -> Version:
    others = [v for v in listed if v.key != found.key]
    if to is not None:
        others = [
            v
            for v in others
            if to in (str(v.number), v.key) or (len(to) > 3 and v.key.partition(":")[2].startswith(to))
        ]
    if not others:
        which = f"version {to!r}" if to else "earlier version"
        raise UsageError(
            f"{found.name!r} has no {which} to go back to.", hint=f"graphmem versions {found.key} lists what there is."
        )
    return others[0]
