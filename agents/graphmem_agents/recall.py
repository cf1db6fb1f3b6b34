"""Recall: what the memory holds that bears on a task, with scores and why.

A known site narrows the search to it and to the general layer; a site never seen, or none, searches everything. The record
of success moves a score a little, so that of two workflows that fit alike the one that worked comes first.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphmem.store.protocol import Store
from graphmem_agents.embed import choose_embedder
from graphmem_agents.known import Known, known
from graphmem_agents.score import Scored, score, threshold
from graphmem_agents.vectors import stored_vectors
from graphmem_agents.words import masked
from graphmem_queries import load

#: Hits below this share say nothing about the task.
_FLOOR = 0.05
#: What a record of failures only, and another domain, take from the log-odds of a score. In log-odds, because a sure match
#: must stay ahead of a half match whatever their records.
_RECORD = 1.0
_OTHER_DOMAIN = 0.5
#: A subtask is part of some task, and of the two the task says more about what is wanted.
_PART = 1.0


@dataclass(frozen=True)
class Hit:
    """One thing known: ``score`` 0-1, ``why`` in words."""

    key: str
    label: str
    name: str
    site: str
    score: float
    why: str

    def to_json(self) -> dict[str, Any]:
        return vars(self) | {"score": round(self.score, 4)}


@dataclass(frozen=True)
class Sought:
    """What was found: ``site_known`` says whether the site that was asked for has anything of its own; from ``threshold``
    on a score means that it fits."""

    ranked: Sequence[Sequence[Scored]]
    site_known: bool
    threshold: float


def recall(
    store: Store, task: str, *, site: str | None = None, k: int = 5, environ: Mapping[str, str] = os.environ
) -> list[Hit]:
    """The ``k`` tasks and subtasks that bear most on ``task``, best first; fewer where fewer do."""
    found = seek(store, task, [task], site=site or "", environ=environ).ranked[0]
    return [_hit(scored) for scored in found if scored.score >= _FLOOR][:k]


def seek(
    store: Store,
    task: str,
    texts: Sequence[str],
    *,
    site: str = "",
    domain: str = "",
    environ: Mapping[str, str] = os.environ,
) -> Sought:
    """Candidates for ``task``, scored for each of ``texts`` (the task, or parts of it)."""
    domains = _domains(store)
    embedder = choose_embedder(None, environ)
    vector = embedder.embed([masked(task)])[0].tolist() if embedder.dimension is not None else None
    candidates = known(store, task, site=site, vector=vector)
    own = bool(site) and any(site in candidate.sites for candidate in candidates)
    if site and not own:
        candidates = known(store, task, vector=vector)
    ranked = score(texts, candidates, embedder, stored_vectors(store, embedder, candidates))
    return Sought([_adjusted(scored, domain, domains) for scored in ranked], own, threshold(embedder))


def _adjusted(ranked: Sequence[Scored], domain: str, domains: Mapping[str, str]) -> list[Scored]:
    def standing(scored: Scored) -> float:
        candidate = scored.known
        lost = _RECORD * (1 - candidate.rate) if candidate.failures else 0.0
        elsewhere = domain and candidate.sites and all(domains.get(site) != domain for site in candidate.sites)
        part = _PART if candidate.label == "Subtask" else 0.0
        return _less(scored.score, lost + part + (_OTHER_DOMAIN if elsewhere else 0.0))

    moved = [replace(scored, score=standing(scored)) for scored in ranked]
    return sorted(moved, key=lambda s: (-round(s.score, 6), -s.known.uses, s.known.key))


def _less(score: float, odds: float) -> float:
    """A probability with so much taken from its log-odds."""
    return score / (score + (1 - score) * math.exp(odds))


def _domains(store: Store) -> dict[str, str]:
    return {row["site"]: row["domain"] or "" for row in store.read(load("read/recall_sites"))}


def _hit(scored: Scored) -> Hit:
    item: Known = scored.known
    return Hit(item.key, item.label, item.name, item.site, scored.score, scored.why)
