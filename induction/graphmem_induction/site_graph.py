"""The routines of a site as nodes and relationships: the last stage, where everything gets its key.

A routine's key contains its conditions and its calls, an action's the description that is true of all the elements it was
seen on; so both are built only when every recording has been walked. Counts are of recordings that are not failures, but
for ``failures``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from graphmem.model.graph import Graph, Node, Relationship
from graphmem.model.identity import canonical, key_of
from graphmem.model.target import Near, Target
from graphmem.model.trajectory import Page
from graphmem.model.urls import page_pattern
from graphmem.model.workflow import (
    Action,
    Binding,
    Bindings,
    Child,
    Constant,
    FromRead,
    FromSlot,
    Workflow,
    bindings_to_json,
    parameters_to_json,
    task_key,
)
from graphmem.model.workflow_text import action_text, workflow_text
from graphmem_induction.candidates import Draft
from graphmem_induction.conditions import conditions
from graphmem_induction.describe import Seen, common, tidy
from graphmem_induction.naming import routine_name, unique_names
from graphmem_induction.program import Arg, Args, Lit, Proto, Read, Ref, Routine
from graphmem_induction.protocol import Evidence
from graphmem_induction.site import FoundTask, Stretch, actions_of
from graphmem_induction.status import Tally, status
from graphmem_induction.trace import Occurrence

NAME_LIMIT = 200


@dataclass(frozen=True)
class _Use:
    """An occurrence of a routine in a recording."""

    stretch: Stretch
    occurrence: Occurrence


class SiteGraph:
    """Builds the graph of one site from its found tasks. Used once."""

    def __init__(
        self, site: str, tasks: Sequence[FoundTask], recordings: Sequence[Evidence], drafts: Sequence[Draft] = ()
    ) -> None:
        self.site = site
        self.tasks = tasks
        self.drafts = tuple(drafts)
        self.evidence = {e.trajectory.key: e for e in recordings}
        self.newest = max((e.trajectory.recorded_at for e in recordings), default="")
        self.nodes: dict[str, Node] = {}
        self.links: dict[tuple[Any, ...], Relationship] = {}
        self.uses: dict[Routine, list[_Use]] = defaultdict(list)
        self.seen: dict[Proto, list[tuple[Stretch, Seen]]] = defaultdict(list)
        self.actions: dict[Proto, Action] = {}
        self.workflows: dict[Routine, Workflow] = {}

    def build(self) -> Graph:
        self._gather()
        self._make_workflows()
        self._put_actions()
        self._put_subtasks()
        self._put_tasks()
        self._put_pages()
        return Graph(
            tuple(self.nodes[key] for key in sorted(self.nodes)),
            tuple(self.links[identity] for identity in sorted(self.links)),
        )

    # -- what was seen of each routine and action ---------------------------------------------------------------------

    def _gather(self) -> None:
        for way in (way for task in self.tasks for way in task.ways):
            for stretch, found in way.runs:
                for occurrence in found.occurrences:
                    self.uses[occurrence.routine].append(_Use(stretch, occurrence))
                for seen, proto in found.actions:
                    self.seen[proto].append((stretch, seen))
        # A draft that is a routine of the site already has its uses.
        known = set(self.uses)
        self.drafts = tuple(draft for draft in self.drafts if draft.routine not in known)
        for draft in self.drafts:
            for stretch, occurrence in draft.uses:
                if occurrence.routine not in known:
                    self.uses[occurrence.routine].append(_Use(stretch, occurrence))

    def _make_workflows(self) -> None:
        for way in (way for task in self.tasks for way in task.ways):
            self._workflow(way.routine)
        settled = set(self.workflows)
        for draft in self.drafts:
            self._workflow(draft.routine)
        self.draft_keys = {flow.key for flow in self.workflows.values()} - {self.workflows[r].key for r in settled}
        names = unique_names({flow.key: routine_name(routine) for routine, flow in self.workflows.items()})
        self.workflows = {routine: self._named(flow, names) for routine, flow in self.workflows.items()}

    def _workflow(self, routine: Routine) -> Workflow:
        if routine not in self.workflows:
            children = tuple(
                Child(
                    self._action(call.node) if isinstance(call.node, Proto) else self._workflow(call.node),
                    bindings_of(call.args),
                )
                for call in routine.children
            )
            before, after = conditions([use.occurrence for use in self.uses[routine]])
            self.workflows[routine] = Workflow(
                routine.kind, children, routine.params, spec_of(routine), before, after, self.site
            )
        return self.workflows[routine]

    def _named(self, flow: Workflow, names: Mapping[str, str]) -> Workflow:
        children = tuple(
            replace(child, node=self._named(child.node, names)) if isinstance(child.node, Workflow) else child
            for child in flow.children
        )
        return replace(flow, name=names[flow.key][:NAME_LIMIT], children=children)

    def _action(self, proto: Proto) -> Action:
        if proto not in self.actions:
            targets = [seen.step.target for _, seen in self.seen[proto] if seen.step.target is not None]
            self.actions[proto] = Action(
                proto.op, described(proto, targets), proto.value, proto.slots, proto.match, self.site
            )
        return self.actions[proto]

    # -- nodes --------------------------------------------------------------------------------------------------------

    def _put_actions(self) -> None:
        following: Counter[tuple[str, str]] = Counter()
        for key, steps in self._steps_of_stretches().items():
            for (index, done), (_, after) in pairwise([*steps, (-1, "")]):
                step_key = self.evidence[key[0]].trajectory.step_key(index)
                self._link(("Step", "INSTANCE_OF", "Action"), step_key, done)
                if after:
                    following[done, after] += 1
        for (before, after), count in following.items():
            self._link(("Action", "NEXT", "Action"), before, after, count=count)
        # A step that no way has a place for is an action too.
        for proto in {*self.seen, *(p for routine in self.workflows for p in actions_of(routine))}:
            tally = self._tally([stretch for stretch, _ in self.seen[proto]], len(self.seen[proto]))
            self._put(Node("Action", self._action(proto).key, action_properties(self._action(proto)) | tally))

    def _steps_of_stretches(self) -> dict[tuple[str, int, int], list[tuple[int, str]]]:
        """For each walk, its steps (index as recorded, action key) in order."""
        walked: dict[tuple[str, int, int], list[tuple[int, str]]] = {}
        for task in self.tasks:
            for way in task.ways:
                for stretch, found in way.runs:
                    steps = [(seen.indexes[-1], self._action(proto).key) for seen, proto in found.actions]
                    walked[stretch.key, task.part, stretch.seen[0].indexes[0]] = sorted(steps)
        return walked

    def _put_subtasks(self) -> None:
        for routine, flow in self.workflows.items():
            uses = self.uses[routine]
            tally = self._tally([use.stretch for use in uses], len(uses))
            if flow.key in self.draft_keys and tally["status"] == "active":
                tally["status"] = "draft"
            self._put(Node("Subtask", flow.key, subtask_properties(flow) | tally))
            for link in calls_of(flow):
                self.links[link.identity] = link
            for use in uses:
                self._put_use(flow, use)

    def _put_use(self, flow: Workflow, use: _Use) -> None:
        occurrence = use.occurrence
        self._link(
            ("Trajectory", "USES", "Subtask"),
            use.stretch.key,
            flow.key,
            first=occurrence.first.indexes[0],
            last=occurrence.last.indexes[-1],
            bindings=canonical({k: list(v) if isinstance(v, tuple) else v for k, v in occurrence.bindings}),
            residual=list(occurrence.residual),
        )

    def _put_tasks(self) -> None:
        for task in self.tasks:
            if task.part:
                continue
            params = task.params
            key = task_key([self.site], task.group.text, params)
            runs = [stretch for way in task.ways for stretch, _ in way.runs]
            self._put(
                Node(
                    "Task",
                    key,
                    {
                        "name": task.group.text[:NAME_LIMIT],
                        "site": self.site,
                        "sites": [self.site],
                        "text": task.group.text,
                        "parameters": canonical(parameters_to_json(params)),
                    }
                    | self._tally([*runs, *task.failed], len(runs) + len(task.failed)),
                )
            )
            for stretch in [*runs, *task.failed]:
                self._link(("Trajectory", "INSTANCE_OF", "Task"), stretch.key, key)
            for way in task.ways:
                verdicts = Counter(stretch.evidence.verdict for stretch, _ in way.runs)
                self._link(
                    ("Task", "HAS_WAY", "Subtask"),
                    key,
                    self.workflows[way.routine].key,
                    bindings=canonical(bindings_to_json(bindings_of(way.bindings))),
                    uses=len(way.runs) + way.failures,
                    successes=verdicts["success"],
                    failures=way.failures,
                )

    def _put_pages(self) -> None:
        for evidence in self.evidence.values():
            trajectory = evidence.trajectory
            for index, step in enumerate(trajectory.steps):
                if trajectory.site_of(step) == self.site:
                    for type_, page in (("AT", step.page), ("LED_TO", step.after)):
                        if page is not None and page.url:
                            self._link(("Step", type_, "Page"), trajectory.step_key(index), self._page(page))

    def _page(self, page: Page) -> str:
        pattern = page_pattern(page.url)
        structure = sorted({target.role or target.tag for target in page.sketch})
        key = key_of("page", [self.site, pattern, structure])
        known = self.nodes.get(key)
        # Of several titles the first by order, so that it does not depend on which page came first.
        title = min(filter(None, (page.title, known.properties["title"] if known else "")), default="")
        properties = {"name": pattern[:NAME_LIMIT], "site": self.site, "pattern": pattern, "title": title,
                      "structure": structure}  # fmt: skip
        self._put(Node("Page", key, properties))
        return key

    # -- small things -------------------------------------------------------------------------------------------------

    def _tally(self, stretches: Iterable[Stretch], uses: int) -> dict[str, Any]:
        found = {s.key: s.evidence for s in stretches}
        verdicts = Counter(e.verdict for e in found.values())
        times = [e.trajectory.recorded_at for e in found.values()]
        tally = Tally(uses, verdicts["success"], verdicts["failure"], max(times, default=""), self.newest)
        return {
            "status": status(tally),
            "uses": uses,
            "successes": tally.successes,
            "failures": tally.failures,
            "general": False,
        }

    def _put(self, node: Node) -> None:
        self.nodes[node.key] = node
        self._link((node.label, "ON", "Site"), node.key, key_of("site", self.site))

    def _link(self, kind: tuple[str, str, str], start: str, end: str, **properties: Any) -> None:
        link = Relationship(kind, start, end, properties)
        self.links[link.identity] = link


def action_properties(action: Action) -> dict[str, Any]:
    """What an Action node says of itself, without its record."""
    text = action_text(action, {})
    return {
        "name": text[:NAME_LIMIT],
        "site": action.site,
        "op": action.op,
        "role": action.role,
        "target": canonical(action.description),
        "value": action.value,
        "slots": sorted(action.slots),
        "text": text,
    }


def subtask_properties(flow: Workflow) -> dict[str, Any]:
    """What a Subtask node says of itself, without its record; what it calls is in ``calls_of``."""
    return {
        "name": flow.name,
        "site": flow.site,
        "kind": flow.kind,
        "spec": flow.spec,
        "parameters": canonical(parameters_to_json(flow.parameters)),
        "preconditions": flow.preconditions,
        "postconditions": flow.postconditions,
        "text": workflow_text(flow),
    }


def calls_of(flow: Workflow) -> Iterator[Relationship]:
    """HAS_ACTION and HAS_SUBTASK, in the order of the calls."""
    for index, child in enumerate(flow.children):
        called = "Action" if isinstance(child.node, Action) else "Subtask"
        kind = ("Subtask", f"HAS_{called.upper()}", called)
        bindings = canonical(bindings_to_json(child.bindings))
        yield Relationship(kind, flow.key, child.node.key, {"index": index, "bindings": bindings})


def described(proto: Proto, targets: Sequence[Target]) -> Target | None:
    """What is true of every element that the action was seen on, with its open parts empty."""
    if not (proto.role or proto.name or targets):
        return None
    shared = common(list(targets)) if targets else Target()
    near = replace(shared.near, row=proto.row, column=proto.column)
    if "name" not in proto.slots:
        return replace(shared, role=proto.role, name=proto.name, near=near, frame=proto.frame, shadow=proto.shadow)
    # An element that is chosen by its name is described by the rest of it.
    kept = tuple((k, v) for k, v in shared.attributes if k in ("type", "name", "autocomplete"))
    return Target(
        role=proto.role,
        tag=shared.tag,
        attributes=kept,
        near=Near(form=near.form, section=near.section, row=near.row, column=near.column),
        frame=proto.frame,
        shadow=proto.shadow,
    )


def spec_of(routine: Routine) -> str:
    """The spec of a control step, as canonical JSON."""
    if routine.kind == "each":
        return canonical({"over": routine.over, "as": routine.as_})
    if routine.kind not in ("optional", "until") or routine.condition is None:
        return "{}"
    holds, role, name = routine.condition
    element = {"role": role, "name": tidy(name)} if name else {"role": role}
    return canonical({"when" if routine.kind == "optional" else "until": {holds: element}})


def bindings_of(args: Args) -> Bindings:
    return tuple(sorted((slot, binding_of(arg)) for slot, arg in args))


def binding_of(arg: Arg) -> Binding:
    match arg:
        case Lit(text):
            return Constant(text)
        case Read(name):
            return FromRead(name)
        case Ref(slot, transform):
            return FromSlot(slot, transform)
