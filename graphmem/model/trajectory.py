"""Trajectory and Step: one recorded try at a task.

A trajectory is AWM's experience e = (q, P) and a step its p = (o, a) (Agent Workflow Memory, section 2.1), with what PEEU
adds: the page that came of the action. Values are masked before they get here (see ``secrets``), so a trajectory may be
stored, hashed and printed as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from graphmem.model.identity import canonical, key_of
from graphmem.model.target import Target, target_from_json, target_to_json
from graphmem.model.urls import without_session

SCHEMA = "graphmem.trajectory/1"

#: The closed set of operations of a step.
OPERATIONS = (
    "navigate", "click", "dblclick", "type", "select", "press", "hover", "scroll", "drag", "upload", "wait", "extract",
    "answer",
)  # fmt: skip

OUTCOMES = ("success", "failure", "unknown")


@dataclass(frozen=True)
class Page:
    """A page as seen. ``sketch`` lists elements that a person could use or read, in document order."""

    url: str = ""
    title: str = ""
    sketch: tuple[Target, ...] = ()
    screenshot: str = ""


@dataclass(frozen=True)
class Step:
    """What was seen (``page``), why (``reasoning``), what was done (``op``, ``target``, ``value``), what came (``after``).

    ``site`` and ``tab`` are empty where they are the trajectory's own. ``secret`` says that ``value`` is the name of a
    secret in braces, never the secret.
    """

    op: str
    target: Target | None = None
    to: Target | None = None
    value: str = ""
    secret: bool = False
    reasoning: str = ""
    site: str = ""
    tab: str = ""
    page: Page | None = None
    after: Page | None = None
    error: str = ""


@dataclass(frozen=True)
class Trajectory:
    """One try at ``task`` on ``site``. ``reward`` is None or 0.0-1.0; ``source`` and ``extra`` are canonical JSON text, so
    that the value is hashable and nothing in them is lost."""

    task: str
    steps: tuple[Step, ...]
    site: str = "unknown"
    domain: str = ""
    outcome: str = "unknown"
    reward: float | None = None
    run_id: str = ""
    recorded_at: str = ""
    template: str = ""
    source: str = "{}"
    answer: str = ""
    extra: str = "{}"

    @cached_property
    def key(self) -> str:
        """Task, site, steps and run id; outcome, source and file name are no part of it."""
        return key_of(
            "trajectory",
            {"task": self.task, "site": self.site, "run": self.run_id, "steps": [_identity(s) for s in self.steps]},
        )

    def step_key(self, index: int) -> str:
        return step_key(self.key, index)

    def site_of(self, step: Step) -> str:
        return step.site or self.site

    @property
    def sites(self) -> tuple[str, ...]:
        """Every site that it touches, sorted."""
        return tuple(sorted({self.site_of(step) for step in self.steps} or {self.site}))

    @property
    def verdict(self) -> str:
        """The recorded outcome: a reward of 1 is a success, a smaller one a failure (AWM's binary evaluator)."""
        if self.reward is not None:
            return "success" if self.reward >= 1.0 else "failure"
        return self.outcome


def step_key(trajectory_key: str, index: int) -> str:
    """A step is its trajectory's key and its index as recorded."""
    return key_of("step", [trajectory_key, index])


def _identity(step: Step) -> dict[str, Any]:
    target, to = step.target, step.to
    return {
        "op": step.op,
        "value": without_session(step.value) if step.op == "navigate" else step.value,
        "target": target.durable() if target else None,
        "to": to.durable() if to else None,
        "site": step.site,
        "url": without_session(step.page.url) if step.page else "",
    }


def with_run_id(trajectory: Trajectory, record: Any) -> Trajectory:
    """The trajectory with the default run id: the hash of the record that it was read from, parsed and masked."""
    if trajectory.run_id:
        return trajectory
    return replace(trajectory, run_id=key_of("run", record))


# -- the neutral form ------------------------------------------------------------------------------------------------


def page_to_json(page: Page | None) -> dict[str, Any] | None:
    if page is None:
        return None
    return {
        "url": page.url,
        "title": page.title,
        "sketch": [_slim(target_to_json(target)) for target in page.sketch],
        "screenshot": page.screenshot,
    }


def _slim(data: dict[str, Any]) -> dict[str, Any]:
    """A sketch holds hundreds of elements: their empty fields are left out."""
    near = {k: v for k, v in data["near"].items() if v}
    return {k: v for k, v in (data | {"near": near}).items() if v}


def page_from_json(
    data: Mapping[str, Any] | None, element: Callable[[Mapping[str, Any]], Target] = target_from_json
) -> Page | None:
    """The inverse of ``page_to_json``. ``element`` reads one of the sketch: who reads many pages may read each once."""
    if data is None:
        return None
    return Page(
        url=data.get("url", ""),
        title=data.get("title", ""),
        sketch=tuple(map(element, data.get("sketch") or ())),
        screenshot=data.get("screenshot", ""),
    )


def step_to_json(step: Step) -> dict[str, Any]:
    return {
        "op": step.op,
        "target": target_to_json(step.target) if step.target else None,
        "to": target_to_json(step.to) if step.to else None,
        "value": step.value,
        "secret": step.secret,
        "reasoning": step.reasoning,
        "site": step.site,
        "tab": step.tab,
        "page": page_to_json(step.page),
        "after": page_to_json(step.after),
        "error": step.error,
    }


def step_from_json(data: Mapping[str, Any], element: Callable[[Mapping[str, Any]], Target] = target_from_json) -> Step:
    return Step(
        op=data["op"],
        target=target_from_json(data["target"]) if data.get("target") else None,
        to=target_from_json(data["to"]) if data.get("to") else None,
        value=data.get("value") or "",
        secret=bool(data.get("secret")),
        reasoning=data.get("reasoning") or "",
        site=data.get("site") or "",
        tab=data.get("tab") or "",
        page=page_from_json(data.get("page"), element),
        after=page_from_json(data.get("after"), element),
        error=data.get("error") or "",
    )


def trajectory_to_json(trajectory: Trajectory) -> dict[str, Any]:
    """The neutral form. ``reward`` is left out where there is none."""
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "task": trajectory.task,
        "site": trajectory.site,
        "domain": trajectory.domain,
        "outcome": trajectory.outcome,
        "run_id": trajectory.run_id,
        "recorded_at": trajectory.recorded_at,
        "template": trajectory.template,
        "source": json.loads(trajectory.source),
        "answer": trajectory.answer,
        "steps": [step_to_json(step) for step in trajectory.steps],
        "extra": json.loads(trajectory.extra),
    }
    return document if trajectory.reward is None else document | {"reward": trajectory.reward}


def trajectory_from_json(data: Mapping[str, Any]) -> Trajectory:
    """The inverse of ``trajectory_to_json``, for data that has been validated and masked."""
    reward = data.get("reward")
    return Trajectory(
        task=data["task"],
        steps=tuple(step_from_json(step) for step in data["steps"]),
        site=data.get("site") or "unknown",
        domain=data.get("domain") or "",
        outcome=data.get("outcome") or "unknown",
        reward=None if reward is None else float(reward),
        run_id=data.get("run_id") or "",
        recorded_at=data.get("recorded_at") or "",
        template=data.get("template") or "",
        source=canonical(data.get("source") or {}),
        answer=data.get("answer") or "",
        extra=canonical(data.get("extra") or {}),
    )
