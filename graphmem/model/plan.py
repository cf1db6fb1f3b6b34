"""Plan: an ordered list of bound steps, each with the graph path that justifies it, a confidence, and what is missing.

A step is an act on one element (``PlanStep``) or a control step with steps inside (``ControlStep``): what only the page can
decide (whether a popup is there, when to stop) stays open in the plan, as it is in the workflow. The JSON form is
``graphmem.plan/1``; the text form is for a person or a language model. A value that is not known stands as ``{slot}``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from graphmem.model.target import Target
from graphmem.model.workflow import Action, Value, slim
from graphmem.model.workflow_text import action_text, condition_text, element_text

SCHEMA = "graphmem.plan/1"

#: Words on a control that mean that its effect cannot be taken back. Closed, and read by whole words.
FINAL_WORDS = frozenset(
    {"submit", "pay", "delete", "cancel", "send", "confirm", "buy", "purchase", "remove", "erase", "publish", "post",
     "transfer", "withdraw", "unsubscribe", "deactivate"}
)  # fmt: skip
FINAL_PHRASES = ("place order", "place your order", "order now", "book now", "sign up")
#: Controls that only choose: what they say is done by another control later.
_CHOOSING = frozenset({"option", "radio", "checkbox", "switch", "tab", "menuitemradio", "menuitemcheckbox"})
_ACTING = frozenset({"click", "dblclick"})


def is_undoable(op: str, target: Target | None) -> bool:
    """Whether the effect of a step can be taken back, as far as the words on the control tell."""
    if op not in _ACTING or target is None or target.role in _CHOOSING:
        return True
    words = re.findall(r"\w+", target.called().casefold())
    said = f" {' '.join(words)} "
    return not (FINAL_WORDS & set(words) or any(f" {phrase} " in said for phrase in FINAL_PHRASES))


@dataclass(frozen=True)
class PlanStep:
    """One act. ``subtask``: key of the innermost subtask; ``path``: keys from the Task, or from the outermost Subtask where
    the plan was composed of subtasks, to the Action. ``match`` says how the target's name is compared."""

    op: str
    target: Target | None
    value: str
    site: str
    subtask: str
    path: tuple[str, ...]
    undoable: bool = True
    because: str = ""
    match: str = "exact"

    def to_json(self) -> dict[str, Any]:
        described = slim(self.target) if self.target else {}
        return {
            "op": self.op,
            "target": described | ({"match": self.match} if self.match != "exact" else {}),
            "value": self.value,
            "site": self.site,
            "subtask": self.subtask,
            "path": list(self.path),
            "undoable": self.undoable,
            "because": self.because,
        }


@dataclass(frozen=True)
class ControlStep:
    """What the page decides: ``op`` is each, until, optional or choose, ``spec`` canonical JSON text as on the Subtask."""

    op: str
    spec: str
    steps: tuple[Step, ...]

    def to_json(self) -> dict[str, Any]:
        return {"op": self.op, "spec": json.loads(self.spec), "steps": [step.to_json() for step in self.steps]}


Step: TypeAlias = PlanStep | ControlStep


@dataclass(frozen=True)
class Plan:
    """What to do for ``task``. ``fits`` is False, with no steps and the nearest misses in ``reason``, where nothing known
    covers it. ``missing``: slots with no value; ``unexplained``: parts of the instruction that nothing covers;
    ``values``: what the slots were bound to, sorted by slot; ``confidence``: 0-1."""

    task: str
    site: str = ""
    fits: bool = False
    confidence: float = 0.0
    reason: str = ""
    missing: tuple[str, ...] = ()
    unexplained: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    values: tuple[tuple[str, Value], ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        """``graphmem.plan/1``."""
        return {
            "schema": SCHEMA,
            "task": self.task,
            "site": self.site,
            "fits": self.fits,
            "confidence": round(self.confidence, 3),
            "reason": self.reason,
            "missing": list(self.missing),
            "unexplained": list(self.unexplained),
            "steps": [step.to_json() for step in self.steps],
        }

    def acts(self) -> Iterator[PlanStep]:
        """Every act, in order, those inside control steps once."""
        return _acts(self.steps)

    def text(self) -> str:
        """Numbered lines that a person or a model reads; bodies of control steps are indented."""
        where = f" on {self.site}" if self.site else ""
        if not self.fits:
            return f"Nothing known fits: {self.task}{where}\n{self.reason}".rstrip()
        lines = [f"Plan for: {self.task}{where} (confidence {self.confidence:.2f})"]
        sites = {step.site for step in self.acts()}
        lines += _lines(self.steps, "", name_sites=len(sites) > 1)
        lines += [f"Missing: {', '.join(self.missing)}"] if self.missing else []
        lines += [f"Not covered: {'; '.join(self.unexplained)}"] if self.unexplained else []
        return "\n".join([*lines, self.reason] if self.reason else lines)


def step_text(step: PlanStep) -> str:
    """One line: ``click button "Search flights"``."""
    action = Action(step.op, step.target, step.value, match=step.match)
    return action_text(action, {})


def _acts(steps: tuple[Step, ...]) -> Iterator[PlanStep]:
    for step in steps:
        if isinstance(step, PlanStep):
            yield step
        else:
            yield from _acts(step.steps)


def _lines(steps: tuple[Step, ...], outer: str, *, name_sites: bool) -> Iterator[str]:
    pad = "   " * outer.count(".")
    for number, step in enumerate(steps, 1):
        label = f"{outer}{number}."
        if isinstance(step, ControlStep):
            yield f"{pad}{label} {control_text(step)}:"
            yield from _lines(step.steps, label, name_sites=name_sites)
            continue
        notes = ["cannot be undone"] if not step.undoable else []
        notes += [step.site] if name_sites and step.site else []
        yield f"{pad}{label} {step_text(step)}" + (f"   ({', '.join(notes)})" if notes else "")


def control_text(step: ControlStep) -> str:
    """What a control step asks, without its colon: ``for each code of codes``."""
    spec = json.loads(step.spec)
    if step.op == "each":
        over = element_text(spec["rows"]) if "rows" in spec else spec.get("over", "the list")
        return f"for each {spec.get('as', 'item')} of {over}"
    if step.op == "choose":
        return "the first that applies"
    word, clause = ("if", "when") if step.op == "optional" else ("repeat until", "until")
    return f"{word} {condition_text(spec[clause])}" if spec.get(clause) else step.op
