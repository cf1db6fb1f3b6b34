"""AWM's memory text, in the dialect of its Mind2Web runs (Agent Workflow Memory, released code).
``awm_webarena`` has the dialects of its other runs.

    ## find_a_flight
    Find a flight from {origin} to {destination} on {date}
    [textbox]  From -> TYPE: {origin}
    [button]  Search flights -> CLICK

Blocks are separated by a blank line: a name, a description, then at least two steps; variables are in kebab case. The
dialect knows CLICK, TYPE and SELECT only: what it cannot say (addresses, scrolling, waiting) is left out, hovering and keys
pressed on an element are clicks, as in Mind2Web, and the body of a control step stands once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from graphmem.model.workflow import Always, BoundStep, FromSlot, Value, Workflow, interpret, value_of
from graphmem.store.protocol import Row, Store
from graphmem.store.workflows import Way, programs
from graphmem_queries import load

OPERATIONS = {"click": "CLICK", "dblclick": "CLICK", "hover": "CLICK", "press": "CLICK",
              "type": "TYPE", "upload": "TYPE", "select": "SELECT"}  # fmt: skip
#: A block with fewer steps is refused by AWM's own loader.
LEAST = 2
_VARIABLE = re.compile(r"\{([^{}\n]+)\}")
_TASKS = 500


class AwmExporter:
    """Every task's best way as one block, sites in order, quarantined tasks left out."""

    name = "awm"

    def export(self, store: Store, /, *, site: str | None = None) -> Iterator[str]:
        """One block a part, each with its closing blank line."""
        taken: set[str] = set()
        for row, ways in ways_of_tasks(store, site):
            if text := _task_block(row, ways, taken):
                yield text + "\n\n"


def ways_of_tasks(store: Store, site: str | None) -> Iterator[tuple[Row, Sequence[Way]]]:
    """Each task that may be exported with its ways, the best first: sites in order, most used first."""
    rows = [row for row in store.read(load("read/recall_tasks"), site=site or "") if row["status"] != "quarantined"]
    rows.sort(key=lambda row: (row["site"] or "", -(row["uses"] or 0), row["key"]))
    for start in range(0, len(rows), _TASKS):
        batch = rows[start : start + _TASKS]
        found = programs(store, tasks=[row["key"] for row in batch])
        yield from ((row, found.ways.get(row["key"], ())) for row in batch)


def block(workflow: Workflow, values: Mapping[str, Value], description: str, taken: set[str]) -> str:
    """One workflow in the dialect; "" where it has fewer than ``LEAST`` steps that the dialect can say. ``values``: the
    workflow's slots, a variable as ``{slot}``. ``taken``: names in use, to which this one is added."""
    lines = [line for step in interpret(workflow, values, Always()) if (line := _line(step))]
    if len(lines) < LEAST:
        return ""
    name = unique_name(description, taken)
    return "\n".join([f"## {name}", variables(one_line(description)), *lines])


def way_values(way: Way) -> dict[str, Value]:
    """The slots of a way's workflow with nothing filled in: the task's slots as variables."""
    names = {p.name: f"{{{p.name}}}" for p in way.workflow.parameters}
    asked = {b.slot: f"{{{b.slot}}}" for _, b in way.bindings if isinstance(b, FromSlot)}
    return {**names, **{slot: value_of(binding, asked) for slot, binding in way.bindings}}


def unique_name(text: str, taken: set[str], *, longest: int = 60) -> str:
    """``Find a flight from {origin}`` -> ``find_a_flight_from_origin``; with a number where it is taken."""
    words = re.findall(r"\w+", text.casefold())
    whole = "_".join(words) or "workflow"
    base = whole if len(whole) <= longest else whole[: longest + 1].rpartition("_")[0] or whole[:longest]
    name, n = base, 2
    while name in taken:
        name, n = f"{base}_{n}", n + 1
    taken.add(name)
    return name


def _task_block(row: Row, ways: Sequence[Way], taken: set[str]) -> str:
    return next((block(way.workflow, way_values(way), row["text"] or row["name"], taken) for way in ways), "")


def _line(step: BoundStep) -> str:
    """``[tag]  label -> OP: value``; "" for what the dialect cannot say."""
    op = OPERATIONS.get(step.action.op)
    if op is None or step.target is None:
        return ""
    tag = step.target.role or step.target.tag or "element"
    label = step.target.called()
    near = step.target.near
    label = label or next((part for part in (near.row, near.column, near.section) if part), "")
    value = f": {variables(one_line(step.value))}" if op != "CLICK" and step.value else ""
    return f"[{tag}]  {variables(one_line(label))} -> {op}{value}"


def one_line(text: str) -> str:
    """The text without line breaks and repeated spaces."""
    return " ".join(text.split())


def variables(text: str) -> str:
    """``{Search term}`` -> ``{search-term}``."""
    return _VARIABLE.sub(lambda match: "{" + re.sub(r"[\W_]+", "-", match.group(1).casefold()).strip("-") + "}", text)
