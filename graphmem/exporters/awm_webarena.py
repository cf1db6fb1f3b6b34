"""AWM's memory text in the dialects of its WebArena runs (Agent Workflow Memory, released code), and ASI's.

``awm-webarena`` is what its model writes: a title, then a thought and an action for each step. The file ends in the two lines
of help that AWM appends to every one of them.

    ## Find a flight from {origin} to {destination}

    <think>
    Type {origin} into the textbox "From".
    </think>
    <action>
    fill('from-textbox-id', '{origin}')
    </action>

``awm-rule`` is what its rule writes: whole recordings as examples, only where they succeeded, one for each template (the
task of the graph, where the source names none) and one for each sequence of calls. Thoughts are the agent's own where it
gave any. ``awm-asi`` (Agent Skill Induction's text memory) has routines of two to five calls, each with a comment; longer
tasks are left out, and the subtasks that they are made of stand for them.

Element ids of these dialects are numbers that a page gives at each load. A recording has them where its source did; a
workflow never has, and then the element is named (``from-textbox-id``), as AWM's prompt asks of its model. What a call
cannot say (dragging, reading) is left out. The dialects carry no sites, conditions or evidence, so none reads back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from graphmem.exporters.awm import LEAST, one_line, variables, way_values, ways_of_tasks
from graphmem.model.target import Target
from graphmem.model.trajectory import Step, Trajectory
from graphmem.model.workflow import Always, BoundStep, Value, Workflow, interpret
from graphmem.store.protocol import Store
from graphmem.store.recordings import load as recordings_of
from graphmem.store.recordings import sites
from graphmem.store.workflows import programs
from graphmem_queries import load

#: What AWM appends to each workflow file.
HELP = (
    "click('id') # click the element with this id\n"
    "select_option('id', 'value') # choose this value in the list with this id\n"
)
#: The most calls that ASI takes for one routine.
MOST = 5

#: Operations on an element -> the call, and whether it takes the value.
_ON_ELEMENT = {
    "click": ("click", False),
    "dblclick": ("dblclick", False),
    "hover": ("hover", False),
    "type": ("fill", True),
    "select": ("select_option", True),
    "press": ("press", True),
    "upload": ("upload_file", True),
}
_ALONE = {"navigate": "goto", "press": "keyboard_press", "answer": "send_msg_to_user"}
_SAID = {
    "click": "Click",
    "dblclick": "Double-click",
    "hover": "Hover over",
    "type": "Type {value} into",
    "select": "Choose {value} in",
    "press": "Press {value} on",
    "upload": "Upload {value} with",
    "navigate": "Go to {value}",
    "scroll": "Scroll {value}",
    "wait": "Wait",
    "answer": "Answer {value}",
}


class AwmWebArenaExporter:
    """Every task's best way with a thought for each step, sites in order."""

    name = "awm-webarena"

    def export(self, store: Store, /, *, site: str | None = None) -> Iterator[str]:
        """One workflow a part, and the two lines of help at the end."""
        for row, ways in ways_of_tasks(store, site):
            calls = _calls(ways[0].workflow, way_values(ways[0])) if ways else []
            if len(calls) >= LEAST:
                pairs = "\n\n".join(_pair(said, call) for said, call in calls)
                yield f"## {variables(one_line(row['text'] or row['name']))}\n\n{pairs}\n\n\n"
        yield HELP


class AwmRuleExporter:
    """Successful recordings as they are, one for each template and for each sequence of actions."""

    name = "awm-rule"

    def export(self, store: Store, /, *, site: str | None = None) -> Iterator[str]:
        """One example a part, three line breaks between two."""
        yield "## Concrete Examples\n\n"
        between = ""
        for trajectory in _examples(store, site):
            pairs = [_pair(one_line(step.reasoning) or said, call) for step, said, call in _recorded(trajectory)]
            if pairs:
                yield f"{between}Query: {one_line(trajectory.task)}\n" + "\n".join(pairs)
                between = "\n\n\n"
        yield "\n"


class AwmAsiExporter:
    """Tasks and subtasks of two to five calls, each shown once."""

    name = "awm-asi"

    def export(self, store: Store, /, *, site: str | None = None) -> Iterator[str]:
        """One routine a part."""
        shown: set[str] = set()
        for title, workflow, values in _routines(store, site):
            calls = _calls(workflow, values)
            body = "\n".join(f"```{call}``` # {said}" for said, call in calls)
            if LEAST <= len(calls) <= MOST and body not in shown:
                shown.add(body)
                yield f"Task: {variables(one_line(title))}\nAction Trajectory:\n{body}\n\n"


# -- what is written ---------------------------------------------------------------------------------------------------


def _routines(store: Store, site: str | None) -> Iterator[tuple[str, Workflow, Mapping[str, Value]]]:
    """Tasks by their best way, then the subtasks of the sites."""
    for row, ways in ways_of_tasks(store, site):
        if ways:
            yield row["text"] or row["name"], ways[0].workflow, way_values(ways[0])
    rows = store.read(load("read/recall_subtasks"), site=site or "")
    kept = [row for row in rows if row["site"] and row["status"] != "quarantined" and row["kind"] == "sequence"]
    kept.sort(key=lambda row: (row["site"], -(row["uses"] or 0), row["key"]))
    found = programs(store, subtasks=[row["key"] for row in kept])
    for row in kept:
        workflow = found.workflows[row["key"]]
        yield row["name"], workflow, {p.name: f"{{{p.name}}}" for p in workflow.parameters}


def _examples(store: Store, site: str | None) -> Iterator[Trajectory]:
    """AWM's rule: one recording a template, then one a sequence of calls; the newest stands for the others."""
    wanted = [site] if site else sites(store)
    rows = store.read(load("read/derived_trajectory_instance_of_task"), sites=[*wanted, ""])
    tasks: dict[str, str] = {row["start_key"]: row["end_key"] for row in rows}
    seen: set[str] = set()
    for each in wanted:
        found = [r.trajectory for r in recordings_of(store, each) if r.judged == "success"]
        own = [t for t in found if site or t.sites[0] == each]
        for trajectory in sorted(sorted(own, key=lambda t: t.key), key=lambda t: t.recorded_at, reverse=True):
            sequence = "_".join(call.partition(",")[0] for _, _, call in _recorded(trajectory))
            mine = {sequence, trajectory.template or tasks.get(trajectory.key, sequence)}
            if not mine & seen:
                seen |= mine
                yield trajectory


def _calls(workflow: Workflow, values: Mapping[str, Value]) -> list[tuple[str, str]]:
    """What is said and what is called, for each step that can be called."""
    steps: Iterator[BoundStep] = interpret(workflow, values, Always())
    told = [_told(step.action.op, step.target, step.value) for step in steps]
    return [(variables(said), variables(call)) for said, call in told if call]


def _recorded(trajectory: Trajectory) -> list[tuple[Step, str, str]]:
    told = [(step, *_told(step.op, step.target, step.value)) for step in trajectory.steps]
    return [(step, said, call) for step, said, call in told if call]


def _told(op: str, target: Target | None, value: str) -> tuple[str, str]:
    """A sentence and a call; the call is "" for what the dialect has none for."""
    return _sentence(op, target, value), _call(op, target, value)


def _call(op: str, target: Target | None, value: str) -> str:
    if target is not None and op in _ON_ELEMENT:
        name, takes = _ON_ELEMENT[op]
        return f"{name}({_element(target)!r}{f', {value!r}' if takes else ''})"
    if op in _ALONE:
        return f"{_ALONE[op]}({value!r})"
    if op == "scroll":
        return f"scroll(0, {-200 if value.startswith('up') else 200})"
    return "noop()" if op == "wait" else ""


def _element(target: Target) -> str:
    """The id that the page gave, where the recording has it; else a name in its place."""
    recorded = next((locator.value for locator in target.locators if locator.kind == "bid"), "")
    words = re.findall(r"\{[^{}]*\}|\w+", f"{_called(target)} {target.role or target.tag or 'element'}".casefold())
    return recorded or "-".join([*words, "id"])


def _called(target: Target) -> str:
    near = target.near
    return one_line(target.called() or next((part for part in (near.row, near.column, near.section) if part), ""))


def _sentence(op: str, target: Target | None, value: str) -> str:
    words = _SAID.get(op, op.capitalize()).replace("{value}", one_line(value)).strip()
    if target is None:
        return words.removesuffix(" on") + "."
    called = _called(target)
    return f"{words} the {target.role or target.tag or 'element'}" + (f' "{called}".' if called else ".")


def _pair(said: str, call: str) -> str:
    return f"<think>\n{said}\n</think>\n<action>\n{call}\n</action>"
