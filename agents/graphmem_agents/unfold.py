"""Unfolding: a workflow with values becomes the steps of a plan, control steps kept where only the page can decide.

The reading is that of ``graphmem.model.workflow.interpret``, but for control steps: an ``each`` is done once for every item
of a list that is known, and stays an ``each`` where the list is not or the items are rows of a page; ``optional``,
``until`` and ``choose`` stay. Each step carries the path of keys that leads to it. A slot without a value stands in
braces, under the name that the task gives it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from graphmem.model.plan import ControlStep, PlanStep, Step, is_undoable
from graphmem.model.workflow import Action, Child, FromRead, Value, Workflow, bind, is_open, value_of
from graphmem.store.workflows import Programs, Record


@dataclass(frozen=True)
class Unfolded:
    """The steps, and the slots that they want and nobody gave (in the order in which they are wanted)."""

    steps: tuple[Step, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setting:
    """What holds for a whole unfolding: the programs it comes from, the site that general steps are for, and slots that are
    open on purpose (secrets, resolved when the plan is run)."""

    programs: Programs
    site: str = ""
    resolved_later: frozenset[str] = frozenset()


def unfold(workflow: Workflow, values: Mapping[str, Value], above: tuple[str, ...], setting: Setting) -> Unfolded:
    """The steps of ``workflow`` with ``values`` for its parameters; ``above`` is the path down to it."""
    missing: list[str] = []
    steps = tuple(_walk(workflow, values, above, setting, missing, frozenset()))
    wanted = [slot for slot in dict.fromkeys(missing) if slot not in setting.resolved_later]
    return Unfolded(steps, tuple(wanted))


def _walk(
    workflow: Workflow,
    values: Mapping[str, Value],
    above: tuple[str, ...],
    setting: Setting,
    missing: list[str],
    items: frozenset[str],
) -> Iterator[Step]:
    path = (*above, workflow.key)

    def body(values: Mapping[str, Value], items: frozenset[str]) -> Iterator[Step]:
        for child in workflow.children:
            yield from _call(workflow, child, values, path, setting, missing, items)

    match workflow.kind:
        case "sequence" | "any_order":
            yield from body(values, items)
        case "each":
            spec = json.loads(workflow.spec)
            if "rows" in spec:
                # Which rows there are only the page can tell.
                yield ControlStep("each", workflow.spec, tuple(body(values, items | {spec["as"]})))
                return
            listed = values.get(spec["over"], f"{{{spec['over']}}}")
            if isinstance(listed, str) and is_open(listed):
                missing.append(listed[1:-1])
                inner = tuple(body({**values, spec["as"]: f"{{{spec['as']}}}"}, items | {spec["as"]}))
                yield ControlStep("each", workflow.spec, inner)
                return
            for item in (listed,) if isinstance(listed, str) else listed:
                yield from body({**values, spec["as"]: item}, items)
        case "until" | "optional" | "choose":
            inner = tuple(body(values, items))
            if inner:
                yield ControlStep(workflow.kind, workflow.spec, inner)


def _call(
    caller: Workflow,
    child: Child,
    values: Mapping[str, Value],
    path: tuple[str, ...],
    setting: Setting,
    missing: list[str],
    items: frozenset[str],
) -> Iterator[Step]:
    bound = {slot: value_of(binding, values) for slot, binding in child.bindings}
    # What an earlier step reads is known only then, and is nothing that the caller has to give.
    items = items | {binding.name for _, binding in child.bindings if isinstance(binding, FromRead)}
    if isinstance(child.node, Action):
        yield _act(child.node, bound, caller, path, setting, missing, items)
        return
    # A parameter that the call leaves unbound is the caller's to give under its own name.
    open_ = {p.name: values[p.name] for p in child.node.parameters if p.name not in bound and p.name in values}
    yield from _walk(child.node, {**open_, **bound}, path, setting, missing, items)


def _act(
    action: Action,
    bound: Mapping[str, Value],
    caller: Workflow,
    path: tuple[str, ...],
    setting: Setting,
    missing: list[str],
    items: frozenset[str],
) -> PlanStep:
    step = bind(action, bound, path)
    lacking = [slot for slot in step.missing if slot not in items]
    missing += lacking
    return PlanStep(
        op=action.op,
        target=step.target,
        value=step.value,
        site=action.site or setting.site,
        subtask=caller.key,
        path=step.path,
        undoable=is_undoable(action.op, step.target),
        because=_because(caller, setting.programs.records.get(caller.key, Record()), lacking),
        match=action.match,
    )


def _because(caller: Workflow, record: Record, lacking: list[str]) -> str:
    name = caller.name or caller.kind
    kind = "the general way" if not caller.site else "part"
    told = f'{kind} "{name}"'
    if record.uses:
        told += f", recorded {record.uses} time{'s' if record.uses != 1 else ''}"
    if record.successes + record.failures:
        told += f", {record.successes} of {record.successes + record.failures} succeeded"
    return told + (f"; no value for {', '.join(lacking)}" if lacking else "")


def with_note(steps: tuple[Step, ...], note: str) -> tuple[Step, ...]:
    """The steps with ``note`` at the end of each reason."""
    return tuple(
        replace(s, because=f"{s.because}; {note}")
        if isinstance(s, PlanStep)
        else replace(s, steps=with_note(s.steps, note))
        for s in steps
    )
