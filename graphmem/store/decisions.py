"""Decisions in the store: saved once, listed in the order in which they were made, retracted.

A Decision is a node of its own without relationships: what it is about is named by recorded steps inside it, because the
derived nodes come and go. Like a recording it is counted on the bookkeeping of the site that it is about (of the general
layer alone, where it is about that), so the site is stale until it has been induced with it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from graphmem.errors import NotFound
from graphmem.model.decision import Decision, subjects_from_json, subjects_to_json
from graphmem.model.graph import Node
from graphmem.model.identity import canonical
from graphmem.store import rows
from graphmem.store.protocol import Store, Transaction
from graphmem.store.recordings import meta_rows
from graphmem_queries import load as query


def save(store: Store, decision: Decision) -> bool:
    """Keep a decision; False where it was there already."""

    def work(tx: Transaction) -> bool:
        tx.run(query("write/lock_meta"), rows=meta_rows({decision.site, ""}))
        if tx.run(query("read/decision"), key=decision.key):
            return False
        rows.put(tx, [Node("Decision", decision.key, decision_properties(decision))])
        _bump(tx, decision.site)
        return True

    return store.write(work)


def retract(store: Store, key: str) -> Decision:
    """Take a decision back, as if it had never been made. NotFound."""

    def work(tx: Transaction) -> Decision:
        site = _found(tx, key).site
        tx.run(query("write/lock_meta"), rows=meta_rows({site, ""}))
        decision = _found(tx, key)
        rows.remove(tx, [Node("Decision", key)])
        _bump(tx, site)
        return decision

    return store.write(work)


def of(store: Store, site: str) -> list[Decision]:
    """What was decided about a site ("" the general layer), earliest first."""
    return of_all(store, [site])[site]


def of_all(store: Store, sites: Sequence[str]) -> dict[str, list[Decision]]:
    """``of`` several sites in one statement."""
    found: dict[str, list[Decision]] = {site: [] for site in sites}
    for row in store.read(query("read/decisions_of"), sites=sorted(sites)) if sites else ():
        found[row["properties"]["site"]].append(decision_from_properties(row["properties"]))
    return found


def every(store: Store) -> list[Decision]:
    """All decisions, earliest first."""
    found = store.read(query("read/decisions_made"))
    return [decision_from_properties(row["properties"]) for row in found]


def decision_properties(decision: Decision) -> dict[str, Any]:
    return {
        "name": rows.short(f"{decision.kind} {decision.says.get('name', '')}"),
        "kind": decision.kind,
        "site": decision.site,
        "label": decision.label,
        "subjects": canonical(subjects_to_json(decision.subjects)),
        "what": decision.what,
        "by": decision.by,
        "at": decision.at,
        "note": decision.note,
    }


def decision_from_properties(properties: Mapping[str, Any]) -> Decision:
    """The inverse of ``decision_properties``. KeyError, TypeError or ValueError for what is no decision."""
    return Decision(
        properties["kind"],
        properties["site"],
        subjects_from_json(json.loads(properties["subjects"])),
        properties["what"],
        properties["by"],
        properties["at"],
        properties["note"],
    )


def _found(tx: Transaction, key: str) -> Decision:
    found = tx.run(query("read/decision"), key=key)
    if not found:
        raise NotFound(key, hint="graphmem query decisions lists what was decided.")
    return decision_from_properties(found[0]["properties"])


def _bump(tx: Transaction, site: str) -> None:
    for owner in [site, ""] if site else [""]:
        # The general layer's last, as every writer wants it.
        tx.run(query("write/bump_meta"), rows=meta_rows([owner]))
