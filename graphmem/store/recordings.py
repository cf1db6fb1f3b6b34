"""Recordings in the store: saved once, loaded as they were, judged, forgotten.

A recording is a Trajectory node, its Step nodes, the sites that it touches and what was judged of it. ``Step.data`` is
the whole step as JSON, so that loading gives back exactly what was saved; the other properties are for queries. Saving is
idempotent by key. Every change is counted on the bookkeeping node (``Meta``) of the sites that it touches and of the
general layer: a site is stale while the count differs from the one its derived graph was written from.

Two writers of one site take turns: each locks the site's bookkeeping before it reads anything (a lock taken after the
read lets both win on Neo4j), always in the order of keys.
"""

from __future__ import annotations

import json
import marshal
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, cast

from graphmem.errors import NotFound, UsageError
from graphmem.model.graph import Node, Relationship
from graphmem.model.identity import canonical, key_of
from graphmem.model.target import Target, target_from_json
from graphmem.model.trajectory import OUTCOMES, Step, Trajectory, step_from_json, step_key, step_to_json
from graphmem.store import rows
from graphmem.store.migrations import now
from graphmem.store.protocol import Row, Store, Transaction
from graphmem_queries import load as query

GENERAL = "general"

#: Who judged first: the recording itself.
RECORDED = "recording"

#: Recordings whose steps are loaded by one statement.
CHUNK = 200

HINT = "graphmem query recordings_of_site lists the keys of recordings."


@dataclass(frozen=True)
class Recording:
    """A trajectory and its effective verdict: success, failure or unknown."""

    trajectory: Trajectory
    judged: str


def site_key(site: str) -> str:
    return key_of("site", site)


def domain_key(domain: str) -> str:
    return key_of("domain", domain)


def judgement_key(trajectory_key: str, by: str, verdict: str, reward: float | None, at: str) -> str:
    return key_of("judgement", [trajectory_key, by, verdict, reward, at])


def meta_key(owner: str) -> str:
    """The key of the bookkeeping of a site; of the general layer for ``""``."""
    return f"site:{owner}" if owner else GENERAL


# -- saving ------------------------------------------------------------------------------------------------------------


def save(store: Store, trajectories: Sequence[Trajectory], *, learned: str | None = None) -> list[str]:
    """Save the trajectories that are not there yet, in one transaction; their keys, sorted. Callers batch some 200.
    ``learned``: when the learning that they came with began (ISO 8601 UTC), so that it can be undone as a whole."""
    unique = {trajectory.key: trajectory for trajectory in trajectories}

    def work(tx: Transaction) -> list[str]:
        # Looked up twice: without the lock, so that importing again writes nothing, then again with it.
        new = _unknown(tx, unique)
        if new:
            _lock(tx, _touched(unique[key] for key in new))
            new = _unknown(tx, new)
        if new:
            _write(tx, [unique[key] for key in new], learned)
            _bump(tx, _touched(unique[key] for key in new))
        return new

    return store.write(work)


def _unknown(tx: Transaction, wanted: Iterable[str]) -> list[str]:
    keys = sorted(wanted)
    known = {row["key"] for row in tx.run(query("read/known_trajectories"), keys=keys)}
    return [key for key in keys if key not in known]


def _write(tx: Transaction, trajectories: Sequence[Trajectory], learned: str | None) -> None:
    nodes: list[Node] = []
    relationships: list[Relationship] = []
    for trajectory in trajectories:
        _add(trajectory, nodes, relationships, learned)
    rows.put(tx, set(nodes))
    rows.link(tx, set(relationships))
    tx.run(query("write/set_site_domain"), keys=sorted(site_key(site) for site in _touched(trajectories)))


def _add(
    trajectory: Trajectory, nodes: list[Node], relationships: list[Relationship], learned: str | None = None
) -> None:
    key = trajectory.key
    together = {"learned": learned} if learned else {}
    nodes.append(Node("Trajectory", key, trajectory_properties(trajectory) | together))
    for site in trajectory.sites:
        nodes.append(Node("Site", site_key(site), {"name": site}))
        relationships.append(Relationship(("Trajectory", "ON", "Site"), key, site_key(site)))
    # A recording's domain is that of its own site: what it merely passes through (a mailbox) may be in another.
    if trajectory.domain and trajectory.site in trajectory.sites:
        nodes.append(Node("Domain", domain_key(trajectory.domain), {"name": trajectory.domain}))
        ends = site_key(trajectory.site), domain_key(trajectory.domain)
        relationships.append(Relationship(("Site", "IN", "Domain"), *ends))
    for index in range(len(trajectory.steps)):
        end = step_key(key, index)
        nodes.append(Node("Step", end, step_properties(trajectory, index)))
        relationships.append(Relationship(("Trajectory", "HAS_STEP", "Step"), key, end, {"index": index}))
    judgement = _judgement(trajectory.key, RECORDED, trajectory.verdict, trajectory.reward, trajectory.recorded_at)
    nodes.append(judgement)
    relationships.append(Relationship(("Judgement", "OF", "Trajectory"), judgement.key, key))


def trajectory_properties(trajectory: Trajectory) -> dict[str, Any]:
    """``outcome`` is the recorded verdict; ``stated`` what the record says beside a reward."""
    return {
        "name": rows.short(trajectory.task),
        "task": trajectory.task,
        "site": trajectory.site,
        "sites": list(trajectory.sites),
        "domain": trajectory.domain,
        "outcome": trajectory.verdict,
        "stated": trajectory.outcome,
        "reward": trajectory.reward,
        "judged": trajectory.verdict,
        "run_id": trajectory.run_id,
        "recorded_at": trajectory.recorded_at,
        "template": trajectory.template,
        "source": trajectory.source,
        "answer": trajectory.answer,
        "extra": trajectory.extra,
        "length": len(trajectory.steps),
    }


def step_properties(trajectory: Trajectory, index: int) -> dict[str, Any]:
    """``data`` is the whole step; the rest is for queries."""
    step = trajectory.steps[index]
    return {
        "name": rows.short(step_name(step)),
        "trajectory": trajectory.key,
        "index": index,
        "site": trajectory.site_of(step),
        "op": step.op,
        "role": step.target.role if step.target else "",
        "value": step.value,
        "url": step.page.url if step.page else "",
        "data": canonical(step_to_json(step)),
    }


def step_name(step: Step) -> str:
    """What the element is called; the operation where there is none."""
    return (step.target.called() if step.target else "") or step.op


def _judgement(trajectory_key: str, by: str, verdict: str, reward: float | None, at: str) -> Node:
    key = judgement_key(trajectory_key, by, verdict, reward, at)
    name = f"{verdict} by {by}"
    return Node("Judgement", key, {"name": name, "by": by, "verdict": verdict, "reward": reward, "at": at})


# -- loading -----------------------------------------------------------------------------------------------------------


def load(store: Store, site: str) -> list[Recording]:
    """All recordings that touch ``site``, sorted by key."""
    return _loaded(store, store.read(query("read/site_trajectories"), site=site_key(site)))


def load_all(store: Store, keys: Sequence[str]) -> list[Recording]:
    """The recordings with these keys that are there, sorted by key."""
    return _loaded(store, store.read(query("read/trajectories"), keys=sorted(keys)) if keys else [])


def _loaded(store: Store, found: Sequence[Row]) -> list[Recording]:
    """From rows {key, properties} of trajectories, with their steps."""
    element = once_each()
    loaded: list[Recording] = []
    # In chunks: steps carry whole pages, and the engine holds all rows of a statement at once.
    for start in range(0, len(found), CHUNK):
        chunk = found[start : start + CHUNK]
        steps = _steps(store.read(query("read/trajectory_steps"), keys=[row["key"] for row in chunk]), element)
        loaded += [_recording(row, steps.get(row["key"], ())) for row in chunk]
    return loaded


def once_each() -> Callable[[Mapping[str, Any]], Target]:
    """A reader of elements that gives the same value for the same content: the pages of a site show the same elements
    again and again, and to build each of them anew takes most of the time and memory of loading."""
    known: dict[bytes, Target] = {}

    def element(data: Mapping[str, Any]) -> Target:
        # Quicker than JSON, and this version of it tells nothing but the content.
        content = marshal.dumps(cast(dict[str, Any], data), 2)
        if content not in known:
            known[content] = target_from_json(data)
        return known[content]

    return element


def get(store: Store, key: str) -> Recording:
    """The recording with this key. NotFound."""
    found = store.read(query("read/trajectory"), key=key)
    if not found:
        raise NotFound(key, hint=HINT)
    steps = _steps(store.read(query("read/trajectory_steps"), keys=[key]), target_from_json)
    return _recording({"key": key} | found[0], steps.get(key, ()))


def sites(store: Store) -> list[str]:
    """The names of all sites, sorted."""
    return [row["name"] for row in store.read(query("read/site_names"))]


def stale_sites(store: Store) -> list[str]:
    """The sites whose recordings changed since their graph was derived, sorted; a site that is gone may be among them."""
    return [row["site"] for row in store.read(query("read/stale_metas")) if row["site"]]


def _steps(found: Iterable[Row], element: Callable[[Mapping[str, Any]], Target]) -> dict[str, tuple[Step, ...]]:
    """Steps by their trajectory's key, from rows sorted by trajectory and index."""
    grouped = groupby(found, key=lambda row: str(row["trajectory"]))
    return {key: tuple(step_from_json(json.loads(row["data"]), element) for row in group) for key, group in grouped}


def _recording(row: Row, steps: tuple[Step, ...]) -> Recording:
    """The recording of a row {key, properties}."""
    trajectory = trajectory_from_properties(row["properties"], steps)
    vars(trajectory)["key"] = row["key"]  # it was saved under its key: to hash all its steps again takes long
    return Recording(trajectory, row["properties"]["judged"])


def trajectory_from_properties(properties: Mapping[str, Any], steps: tuple[Step, ...]) -> Trajectory:
    """The inverse of ``trajectory_properties``, with the steps as loaded."""
    reward = properties.get("reward")
    return Trajectory(
        task=properties["task"],
        steps=steps,
        site=properties["site"],
        domain=properties["domain"],
        outcome=properties["stated"],
        reward=None if reward is None else float(reward),
        run_id=properties["run_id"],
        recorded_at=properties["recorded_at"],
        template=properties["template"],
        source=properties["source"],
        answer=properties["answer"],
        extra=properties["extra"],
    )


# -- judging and forgetting --------------------------------------------------------------------------------------------


def judge(store: Store, key: str, verdict: str, *, by: str, at: str, reward: float | None = None) -> str:
    """Add a judgement of a recording and return the verdict that now holds. ``at`` is ISO 8601 UTC text. NotFound."""
    if verdict not in OUTCOMES:
        raise UsageError(f"{verdict!r} is no verdict.", hint=f"Say one of {', '.join(OUTCOMES)}.")
    if by == RECORDED:
        raise UsageError(f"{by!r} stands for the recorded outcome.", hint="Name who judges in another way.")

    def work(tx: Transaction) -> str:
        properties = _locked(tx, key)
        judgement = _judgement(key, by, verdict, reward, at)
        rows.put(tx, [judgement])
        rows.link(tx, [Relationship(("Judgement", "OF", "Trajectory"), judgement.key, key)])
        judged = effective(tx.run(query("read/trajectory_judgements"), key=key))
        if judged != properties["judged"]:
            tx.run(query("write/set_judged"), key=key, judged=judged, now=now())
            _bump(tx, properties["sites"])
        return judged

    return store.write(work)


def effective(judgements: Iterable[Mapping[str, Any]]) -> str:
    """The newest verdict by ``at``. The recorded outcome is the first, whenever it was recorded; ties fall by key."""
    order = sorted((row["by"] != RECORDED, row["at"], row["key"], row["verdict"]) for row in judgements)
    return str(order[-1][-1]) if order else "unknown"


def unjudge(store: Store, key: str, judgement: str) -> str:
    """Take back a judgement of a recording (both by key) and return the verdict that now holds. NotFound."""

    def work(tx: Transaction) -> str:
        properties = _locked(tx, key)
        rows.remove(tx, [Node("Judgement", judgement)])
        judged = effective(tx.run(query("read/trajectory_judgements"), key=key))
        if judged != properties["judged"]:
            tx.run(query("write/set_judged"), key=key, judged=judged, now=now())
            _bump(tx, properties["sites"])
        return judged

    return store.write(work)


def forget(store: Store, key: str) -> None:
    """Remove a recording, its steps and what was judged of it; sites and domains that nothing is left of go too.
    What was derived from it goes when the sites that it touched are next induced. NotFound."""

    def work(tx: Transaction) -> None:
        touched = _locked(tx, key)["sites"]
        tx.run(query("write/forget_steps"), key=key)
        tx.run(query("write/forget_judgements"), key=key)
        rows.remove(tx, [Node("Trajectory", key)])
        tidy(tx, map(site_key, touched))
        _bump(tx, touched)
        tx.run(query("write/drop_short"), keys=sorted(map(meta_key, [*touched, ""])))

    store.write(work)


def tidy(tx: Transaction, keys: Iterable[str]) -> None:
    """Of the sites with these keys: drop domains that no recording names, then the sites that nothing is on, then
    domains that are empty. What is to go is locked first, so that who is adding to it is waited for and then seen."""
    wanted = sorted(keys)
    tx.run(query("write/drop_unsaid_domains"), keys=wanted)
    tx.run(query("write/set_site_domain"), keys=wanted)
    tx.run(query("write/lock_empty_sites"), keys=wanted)
    tx.run(query("write/drop_empty_sites"), keys=wanted)
    tx.run(query("write/lock_empty_domains"))
    tx.run(query("write/drop_empty_domains"))


# -- bookkeeping -------------------------------------------------------------------------------------------------------


def _locked(tx: Transaction, key: str) -> Row:
    """The properties of a trajectory, read under the lock of its sites."""
    _lock(tx, _found(tx, key)["sites"])
    return _found(tx, key)


def _found(tx: Transaction, key: str) -> Row:
    found = tx.run(query("read/trajectory"), key=key)
    if not found:
        raise NotFound(key, hint=HINT)
    properties: Row = found[0]["properties"]
    return properties


def _touched(trajectories: Iterable[Trajectory]) -> list[str]:
    return sorted({site for trajectory in trajectories for site in trajectory.sites})


def _lock(tx: Transaction, owners: Iterable[str]) -> None:
    tx.run(query("write/lock_meta"), rows=meta_rows(owners))


def _bump(tx: Transaction, touched: Iterable[str]) -> None:
    tx.run(query("write/bump_meta"), rows=meta_rows(touched))
    # Last, and on its own: every writer wants the general layer's, so it is held as briefly as can be.
    tx.run(query("write/bump_meta"), rows=meta_rows([""]))


def meta_rows(owners: Iterable[str]) -> list[Row]:
    return sorted(({"key": meta_key(owner), "site": owner} for owner in owners), key=lambda row: str(row["key"]))
