"""Which site a recording and its steps belong to, where it does not say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphmem.model.urls import site_of


def with_sites(record: dict[str, Any]) -> dict[str, Any]:
    """A record in the neutral form that names no site takes that of its first page; a step on another site names it.

    A site is the registrable host, host and port for addresses. Pages without a host (``about:blank``,
    ``chrome://new-tab-page/``) have none. A record that names its site is left as it is.
    """
    if record.get("site"):
        return record
    hosts = [_host(step) for step in record["steps"]]
    first = next(filter(None, hosts), "")
    if not first:
        return record | {"site": "unknown"}
    steps, here = [], first
    for step, host in zip(record["steps"], hosts, strict=True):
        here = host or here
        steps.append(step if step.get("site") or here == first else step | {"site": here})
    return record | {"site": first, "steps": steps}


def _host(step: Mapping[str, Any]) -> str:
    """Where a step happens: a navigation on the site that it opens, anything else on the page that it was done on."""
    if step["op"] == "navigate" and (there := site_of(step.get("value") or "")):
        return there
    return site_of((step.get("page") or {}).get("url") or "")
