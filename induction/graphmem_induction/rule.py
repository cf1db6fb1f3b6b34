"""AWM's rule-based inducer, as a baseline and an option (Agent Workflow Memory, appendix B, and the released code).

Whole trajectories, deduplicated, without variables. The paper and its code differ in the order and in the key:

    paper   group by the sequence of action types, keep one of each; then group by task template, keep one of each; then
            drop steps whose element id is not a string holding an integer
    code    drop such steps first; then group by task template, keep one; then group by the sequence of action and
            element id, keep one (messages to the user by their name only)

``order`` says which. The filter applies where an id exists (``bid`` among the target's attributes); keeping "one at random"
is keeping the smallest key, so that the result is a function of the set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from graphmem.model.decision import Decision
from graphmem.model.graph import Graph
from graphmem.model.trajectory import Step, Trajectory
from graphmem_induction.across import across
from graphmem_induction.carry_over import carry_over
from graphmem_induction.decided import decided
from graphmem_induction.describe import Seen, describe, role_of, tidy
from graphmem_induction.generalise import Group
from graphmem_induction.program import Call, Lit, Proto, Routine
from graphmem_induction.protocol import Evidence
from graphmem_induction.site import FoundTask, FoundWay, Stretch
from graphmem_induction.site_graph import SiteGraph
from graphmem_induction.tidy import Cleaned
from graphmem_induction.together import together
from graphmem_induction.trace import trace

Key = Callable[["Kept"], object]


@dataclass(frozen=True)
class Kept:
    """A recording and the steps of it that passed the filter."""

    evidence: Evidence
    steps: tuple[tuple[int, Step], ...]

    @property
    def trajectory(self) -> Trajectory:
        return self.evidence.trajectory


@dataclass(frozen=True)
class RuleInducer:
    """``order``: "code" (default: what was released and run) or "paper"."""

    order: Literal["code", "paper"] = "code"
    name: str = "rule"
    version: int = 1

    def induce(self, site: str, recordings: Sequence[Evidence], decisions: Sequence[Decision] = ()) -> Graph:
        kept = [_on_site(evidence, site) for evidence in sorted(recordings, key=lambda e: e.trajectory.key)]
        chosen = select([k for k in kept if k.evidence.verdict != "failure"], self.order)
        found = together([_stretch(k) for k in chosen if k.steps], decisions)
        return decided(SiteGraph(site, [_task(stretch) for stretch in found], recordings).build(), decisions)

    def carry_over(
        self, sites: Mapping[str, Graph], crossing: Sequence[Evidence], decisions: Sequence[Decision] = ()
    ) -> Graph:
        """AWM keeps one memory a site: nothing is carried over but what is equal."""
        return decided(carry_over(across(sites, decisions), crossing), decisions, sites.values())


def select(recordings: Sequence[Kept], order: str) -> list[Kept]:
    """The recordings that stay as workflows, with their valid steps."""
    if order == "paper":
        return [_valid(k) for k in _one_each(_one_each(recordings, _types), _template)]
    return _one_each(_one_each([_valid(k) for k in recordings], _template), _abstract)


def _on_site(evidence: Evidence, site: str) -> Kept:
    steps = evidence.trajectory.steps
    return Kept(evidence, tuple((n, s) for n, s in enumerate(steps) if evidence.trajectory.site_of(s) == site))


def _one_each(recordings: Sequence[Kept], key: Key) -> list[Kept]:
    first: dict[object, Kept] = {}
    for kept in sorted(recordings, key=lambda k: k.trajectory.key):
        first.setdefault(key(kept), kept)
    return list(first.values())


def _types(kept: Kept) -> object:
    return tuple(step.op for _, step in kept.steps)


def _template(kept: Kept) -> object:
    """The task template where the source has one; without one every task is its own."""
    return kept.trajectory.template or kept.trajectory.task


def _abstract(kept: Kept) -> object:
    return tuple(step.op if step.op == "answer" else (step.op, _element(step)) for _, step in kept.steps)


def _element(step: Step) -> object:
    """The element's id where there is one, else what a person would call it."""
    if step.target is None:
        return step.value
    return step.target.attribute("bid") or (role_of(step.target), tidy(step.target.called()))


def _valid(kept: Kept) -> Kept:
    return Kept(kept.evidence, tuple((n, step) for n, step in kept.steps if is_valid(step)))


def is_valid(step: Step) -> bool:
    """AWM's invalid-action filter: the id of what is clicked or typed into, where there is one, is an integer."""
    bid = step.target.attribute("bid") if step.target else ""
    return step.op not in ("click", "dblclick", "type") or not bid or bid.lstrip("-").isdigit()


def _stretch(kept: Kept) -> Stretch:
    seen = tuple(describe(Cleaned((n,), step)) for n, step in kept.steps)
    return Stretch(kept.evidence, 0 if len(kept.trajectory.sites) == 1 else 1, seen)


def _task(stretch: Stretch) -> FoundTask:
    """The whole recording as one workflow, everything in it constant."""
    routine = Routine("sequence", tuple(_call(item) for item in stretch.seen))
    way = FoundWay(routine, (), ((stretch, trace(routine, {}, stretch.seen)),))
    group = Group(stretch.key, " ".join(stretch.evidence.trajectory.task.split()), (), ())
    return FoundTask(group, stretch.part, (way,), ())


def _call(seen: Seen) -> Call:
    what = seen.what
    values: dict[str, Any] = {"value": what.value} if what.op in ("type", "select", "answer") else {}
    proto = Proto(
        what.op, what.role, what.name, "" if values else what.value, what.row, what.column, what.frame, what.shadow,
        tuple(values),
    )  # fmt: skip
    return Call(proto, tuple((slot, Lit(text)) for slot, text in values.items()))
