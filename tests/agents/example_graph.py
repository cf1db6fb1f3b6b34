"""The worked example as a graph, put together by hand: two sites, three tasks, a shared subtask, and its general form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from graphmem.model.graph import Node, Relationship
from graphmem.model.identity import canonical, key_of
from graphmem.model.target import Near, Target
from graphmem.model.workflow import (
    Action,
    Child,
    Constant,
    FromSlot,
    Parameter,
    Workflow,
    bindings_to_json,
    parameters_to_json,
    task_key,
)
from graphmem.model.workflow_text import action_text, workflow_text
from graphmem.store import Store
from graphmem.store.rows import link, put


@dataclass(frozen=True)
class Task:
    text: str
    site: str
    parameters: tuple[Parameter, ...]
    way: Workflow
    bindings: tuple[tuple[str, FromSlot], ...]
    status: str = "active"
    successes: int = 3
    failures: int = 0

    @property
    def key(self) -> str:
        return task_key([self.site], self.text, self.parameters)


def button(name: str, site: str) -> Action:
    return Action("click", Target(role="button", name=name), site=site)


def picker(site: str) -> Workflow:
    """``Pick {place} in {field}``: type into a field, click the option that starts with what was typed."""
    kind = Action("type", Target(role="textbox"), slots=("name", "value"), site=site)
    choose = Action("click", Target(role="option"), slots=("name",), match="starts", site=site)
    return Workflow(
        "sequence",
        (
            Child(kind, (("name", FromSlot("field")), ("value", FromSlot("place")))),
            Child(choose, (("name", FromSlot("place")),)),
        ),
        (Parameter("field"), Parameter("place")),
        site=site,
        name="Pick {place} in {field}",
    )


def pick(site: str, field: str, slot: str) -> Child:
    return Child(picker(site), (("field", Constant(field)), ("place", FromSlot(slot))))


AIR, RAIL = "air.test", "rail.test"
COOKIES = Workflow(
    "optional",
    (Child(button("Accept cookies", AIR)),),
    spec=canonical({"when": {"present": {"role": "button", "name": "Accept cookies"}}}),
    site=AIR,
    name="Accept cookies",
)
DATE = Action("type", Target(role="textbox", name="Date"), slots=("value",), site=AIR)
TRIP = (Parameter("origin"), Parameter("destination"), Parameter("date", "date"))
SEARCH = Workflow(
    "sequence",
    (
        Child(Action("navigate", value="https://air.test/", site=AIR)),
        Child(COOKIES),
        pick(AIR, "From", "origin"),
        pick(AIR, "To", "destination"),
        Child(DATE, (("value", FromSlot("date", "date:dd.mm.yyyy")),)),
        Child(button("Search flights", AIR)),
    ),
    TRIP,
    site=AIR,
    name="Search a flight",
)
PASSED = tuple(sorted((p.name, FromSlot(p.name)) for p in TRIP))
CHEAPEST = Workflow(
    "sequence",
    (
        Child(SEARCH, PASSED),
        Child(Action("click", Target(role="button", name="Select", near=Near(row="price is smallest")), site=AIR)),
    ),
    TRIP,
    site=AIR,
    name="Search a flight and pick the cheapest",
)
TRAIN = Workflow(
    "sequence",
    (
        Child(Action("navigate", value="https://rail.test/", site=RAIL)),
        pick(RAIL, "Departure", "departure"),
        pick(RAIL, "Arrival", "arrival"),
        Child(button("Show trains", RAIL)),
    ),
    (Parameter("departure"), Parameter("arrival")),
    site=RAIL,
    name="Find a train",
)
EACH = Workflow(
    "each",
    (Child(Action("click", Target(role="checkbox"), slots=("row",), site=RAIL), (("row", FromSlot("booking")),)),),
    (Parameter("items", "list"),),
    spec=canonical({"over": "items", "as": "booking"}),
    site=RAIL,
    name="Check each",
)
CANCEL = Workflow(
    "sequence",
    (
        Child(Action("navigate", value="https://rail.test/bookings", site=RAIL)),
        Child(EACH, (("items", FromSlot("bookings")),)),
        Child(button("Cancel selected", RAIL)),
    ),
    (Parameter("bookings", "list"),),
    site=RAIL,
    name="Cancel bookings",
)
GENERAL = picker("")

FLIGHT_TASK = Task("Find a flight from {origin} to {destination} on {date}", AIR, TRIP, SEARCH, PASSED)
CHEAPEST_TASK = Task(
    "Find a flight from {origin} to {destination} on {date} and pick the cheapest", AIR, TRIP, CHEAPEST, PASSED
)
TRAIN_TASK = Task(
    "Train from {departure} to {arrival}", RAIL, TRAIN.parameters, TRAIN,
    (("arrival", FromSlot("arrival")), ("departure", FromSlot("departure"))),
)  # fmt: skip
CANCEL_TASK = Task(
    "Cancel the bookings {bookings}", RAIL, CANCEL.parameters, CANCEL, (("bookings", FromSlot("bookings")),)
)
TASKS = (FLIGHT_TASK, CHEAPEST_TASK, TRAIN_TASK, CANCEL_TASK)


def write_example(store: Store, tasks: Iterable[Task] = TASKS, *, general: bool = True) -> None:
    """The example in a store; without ``general`` only what the sites themselves have."""
    tasks = tuple(tasks)
    nodes: dict[str, Node] = {}
    links: dict[tuple[object, ...], Relationship] = {}
    workflows = {w.key: w for task in tasks for w in _under(task.way)}
    if general:
        workflows |= {w.key: w for w in _under(GENERAL)}
        for own in [w for w in workflows.values() if w.site and w.name == GENERAL.name]:
            _add(links, Relationship(("Subtask", "SPECIALIZES", "Subtask"), own.key, GENERAL.key))
    for workflow in workflows.values():
        _add_workflow(nodes, links, workflow)
    for task in tasks:
        nodes[task.key] = _task(task)
        _add(links, Relationship(("Task", "ON", "Site"), task.key, key_of("site", task.site)))
        way = {"bindings": canonical(bindings_to_json(task.bindings)), "uses": task.successes + task.failures,
               "successes": task.successes, "failures": task.failures}  # fmt: skip
        _add(links, Relationship(("Task", "HAS_WAY", "Subtask"), task.key, task.way.key, way))
    for site in sorted({task.site for task in tasks}):
        key, domain = key_of("site", site), key_of("domain", "travel")
        nodes[key] = Node("Site", key, {"name": site, "domain": "travel"})
        nodes[domain] = Node("Domain", domain, {"name": "travel"})
        _add(links, Relationship(("Site", "IN", "Domain"), key, domain))

    def work(tx: object) -> None:
        put(tx, nodes.values())  # type: ignore[arg-type]
        link(tx, links.values())  # type: ignore[arg-type]

    store.write(work)


def _under(workflow: Workflow) -> list[Workflow]:
    below = [w for c in workflow.children if isinstance(c.node, Workflow) for w in _under(c.node)]
    return [workflow, *below]


def _add(links: dict[tuple[object, ...], Relationship], link_: Relationship) -> None:
    links[link_.identity] = link_


def _task(task: Task) -> Node:
    return Node("Task", task.key, {
        "name": task.text, "text": task.text, "site": task.site, "sites": [task.site], "status": task.status,
        "parameters": canonical(parameters_to_json(task.parameters)), "uses": task.successes + task.failures,
        "successes": task.successes, "failures": task.failures, "general": False,
    })  # fmt: skip


def _add_workflow(nodes: dict[str, Node], links: dict[tuple[object, ...], Relationship], workflow: Workflow) -> None:
    counted = {"status": "active", "uses": 3, "successes": 3, "failures": 0}
    nodes[workflow.key] = Node("Subtask", workflow.key, {
        "name": workflow.name, "text": workflow_text(workflow), "site": workflow.site, "kind": workflow.kind,
        "spec": workflow.spec, "parameters": canonical(parameters_to_json(workflow.parameters)),
        "preconditions": "[]", "postconditions": "[]", "general": not workflow.site, **counted,
    })  # fmt: skip
    for index, child in enumerate(workflow.children):
        node = child.node
        data = {"index": index, "bindings": canonical(bindings_to_json(child.bindings))}
        if isinstance(node, Workflow):
            _add(links, Relationship(("Subtask", "HAS_SUBTASK", "Subtask"), workflow.key, node.key, data))
            continue
        nodes[node.key] = Node("Action", node.key, {
            "name": action_text(node, {}), "text": action_text(node, {}), "site": node.site, "op": node.op,
            "role": node.role, "target": canonical(node.description), "value": node.value, "slots": list(node.slots),
            "general": not node.site, **counted,
        })  # fmt: skip
        _add(links, Relationship(("Subtask", "HAS_ACTION", "Action"), workflow.key, node.key, data))
