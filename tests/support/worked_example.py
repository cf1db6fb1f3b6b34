"""One small graph that holds every kind of node and relationship: six recordings on two sites, and what is derived of them.

The derived part is written by hand, so that tests of the store do not depend on any inducer: a library and a clinic that
share a way of picking from a list, a popup that only one recording met, a list of loans, and a task across both sites.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from graphmem.model.graph import Graph, Node, Relationship
from graphmem.model.identity import canonical, key_of
from graphmem.model.target import Near, Target
from graphmem.model.trajectory import Page, Step, Trajectory
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
from graphmem.store import Store, derived, recordings

LIBRARY, CLINIC = "library.test", "clinic.test"


# -- recordings --------------------------------------------------------------------------------------------------------


def _page(site: str, path: str = "/") -> Page:
    return Page(f"https://{site}{path}", site.partition(".")[0].title(), (Target("textbox", "Search"),))


def _pick(site: str, field: str, text: str, option: str) -> tuple[Step, Step]:
    page = _page(site)
    return (
        Step("type", Target("textbox", field), value=text, page=page),
        Step("click", Target("option", option), page=page, after=_page(site, "/found")),
    )


def _open(site: str) -> Step:
    return Step("navigate", value=f"https://{site}/", after=_page(site))


def _click(site: str, name: str, row: str = "") -> Step:
    role = "checkbox" if row else "button"
    return Step("click", Target(role, name, near=Near(row=row)), page=_page(site, "/found"))


COOKIES = _click(LIBRARY, "Accept cookies")
R1 = Trajectory(
    "Reserve the book Dune",
    (_open(LIBRARY), *_pick(LIBRARY, "Title", "Dune", "Dune (paperback)"), _click(LIBRARY, "Reserve")),
    site=LIBRARY, domain="culture", outcome="success", run_id="1", recorded_at="2027-01-01T08:00:00Z",
)  # fmt: skip
R2 = Trajectory(
    "Reserve the book Emma",
    (_open(LIBRARY), COOKIES, *_pick(LIBRARY, "Title", "Emma", "Emma (hardcover)"), _click(LIBRARY, "Reserve")),
    site=LIBRARY, domain="culture", reward=1.0, run_id="2", recorded_at="2027-01-02T08:00:00Z",
    source='{"tool":"hand"}', extra='{"note":"ünïcode 中"}',
)  # fmt: skip
R3 = Trajectory(
    "Renew the loans 11 and 12",
    (_open(LIBRARY), _click(LIBRARY, "", "11"), _click(LIBRARY, "", "12"), _click(LIBRARY, "Renew")),
    site=LIBRARY, domain="culture", outcome="unknown", run_id="3",
)  # fmt: skip
R4 = Trajectory(
    "Book a visit with Lee",
    (_open(CLINIC), *_pick(CLINIC, "Doctor", "Lee", "Lee (eyes)"), _click(CLINIC, "Book")),
    site=CLINIC, domain="health", outcome="success", run_id="4", recorded_at="2027-01-03T08:00:00Z",
)  # fmt: skip
R5 = Trajectory(
    "Reserve the book Solaris",
    (_open(LIBRARY), _click(LIBRARY, "Reserve")),
    site=LIBRARY, domain="culture", reward=0.25, run_id="5", answer="not found",
)  # fmt: skip
#: On the library's site, and after it on the clinic's.
R6 = Trajectory(
    "Reserve the book Dune, then book a visit with Lee",
    (*R1.steps, *(Step(**{**vars(step), "site": CLINIC}) for step in R4.steps)),
    site=LIBRARY, domain="culture", outcome="success", run_id="6", recorded_at="2027-01-04T08:00:00Z",
)  # fmt: skip
ALL = (R1, R2, R3, R4, R5, R6)


# -- workflows ---------------------------------------------------------------------------------------------------------


def pick_of(site: str) -> Workflow:
    """Type into a field, then choose the option that begins with what was typed; general where ``site`` is empty."""
    field = Action("type", Target("textbox"), slots=("name", "value"), site=site)
    option = Action("click", Target("option"), slots=("name",), match="starts", site=site)
    return Workflow(
        "sequence",
        (
            Child(field, (("name", FromSlot("field")), ("value", FromSlot("text")))),
            Child(option, (("name", FromSlot("text")),)),
        ),
        (Parameter("field"), Parameter("text")),
        site=site,
        name="Pick {text} in {field}",
    )


def _button(site: str, name: str) -> Child:
    return Child(Action("click", Target("button", name), site=site))


def _start(site: str) -> Child:
    return Child(Action("navigate", value=f"https://{site}/", site=site))


_POPUP = Workflow(
    "optional",
    (_button(LIBRARY, "Accept cookies"),),
    spec=canonical({"when": {"present": {"role": "button", "name": "Accept cookies"}}}),
    site=LIBRARY,
    name="Accept cookies",
)
RESERVE = Workflow(
    "sequence",
    (
        _start(LIBRARY),
        Child(_POPUP),
        Child(pick_of(LIBRARY), (("field", Constant("Title")), ("text", FromSlot("title")))),
        _button(LIBRARY, "Reserve"),
    ),
    (Parameter("title"),),
    postconditions=canonical([{"present": {"role": "status", "name": "Reserved"}}]),
    site=LIBRARY,
    name="Reserve a book",
)
_TICK = Workflow(
    "each",
    (Child(Action("click", Target("checkbox"), slots=("row",), site=LIBRARY), (("row", FromSlot("loan")),)),),
    (Parameter("loans", "list"),),
    spec=canonical({"over": "loans", "as": "loan"}),
    site=LIBRARY,
    name="Tick the loans",
)
RENEW = Workflow(
    "sequence",
    (_start(LIBRARY), Child(_TICK, (("loans", FromSlot("loans")),)), _button(LIBRARY, "Renew")),
    (Parameter("loans", "list"),),
    site=LIBRARY,
    name="Renew loans",
)
BOOK = Workflow(
    "sequence",
    (
        _start(CLINIC),
        Child(pick_of(CLINIC), (("field", Constant("Doctor")), ("text", FromSlot("doctor", "title")))),
        _button(CLINIC, "Book"),
    ),
    (Parameter("doctor"),),
    site=CLINIC,
    name="Book a visit",
)
BOTH = Workflow(
    "sequence",
    (Child(RESERVE, (("title", FromSlot("title")),)), Child(BOOK, (("doctor", FromSlot("doctor")),))),
    (Parameter("title"), Parameter("doctor")),
    name="Reserve a book, then book a visit",
)


# -- the derived graph -------------------------------------------------------------------------------------------------


def library() -> Graph:
    reserve = _task((LIBRARY,), "Reserve the book {title}", RESERVE, (R1, R2, R5))
    renew = _task((LIBRARY,), "Renew the loans {loans}", RENEW, (R3,))
    uses = [
        *_used(R1, RESERVE, 0, 3, title="Dune"),
        *_used(R1, pick_of(LIBRARY), 1, 2, field="Title", text="Dune"),
        *_used(R2, RESERVE, 0, 4, title="Emma"),
        *_used(R2, pick_of(LIBRARY), 2, 3, field="Title", text="Emma"),
        *_used(R3, RENEW, 0, 3, residual=(1,), loans=["11", "12"]),
        *_used(R6, RESERVE, 0, 3, title="Dune"),
    ]
    return _graph(LIBRARY, [reserve, renew], [RESERVE, RENEW], uses, (R1, R2, R3, R5, R6))


def clinic() -> Graph:
    book = _task((CLINIC,), "Book a visit with {doctor}", BOOK, (R4,))
    uses = [*_used(R4, BOOK, 0, 3, doctor="Lee"), *_used(R6, BOOK, 4, 7, doctor="Lee")]
    return _graph(CLINIC, [book], [BOOK], uses, (R4, R6))


def general() -> Graph:
    """The way of picking that both sites share, and the task across them."""
    both = _task((CLINIC, LIBRARY), "Reserve the book {title}, then book a visit with {doctor}", BOTH, (R6,))
    graph = _graph("", [both], [pick_of("")], _used(R6, BOTH, 0, 7, title="Dune", doctor="Lee"), ())
    shared = [
        Relationship((label, "SPECIALIZES", label), special.key, common.key)
        for site in (LIBRARY, CLINIC)
        for label, special, common in _pairs(pick_of(site), pick_of(""))
    ]
    way = Node("Subtask", BOTH.key, _subtask(BOTH, general=False))
    calls = [_call(BOTH, index) for index in range(len(BOTH.children))]
    places = [
        Relationship(("Subtask", "ON", "Site"), BOTH.key, recordings.site_key(site)) for site in (CLINIC, LIBRARY)
    ]
    return Graph((*graph.nodes, way), (*graph.relationships, *shared, *calls, *places))


def save(store: Store, trajectories: Iterable[Trajectory] = ALL) -> None:
    """Save the recordings and write the whole derived graph."""
    recordings.save(store, list(trajectories))
    for owner, graph in ((LIBRARY, library()), (CLINIC, clinic()), ("", general())):
        derived.replace(store, owner, graph, expect=derived.state(store, owner).version)


def _pairs(special: Workflow, common: Workflow) -> Iterator[tuple[str, Any, Any]]:
    yield "Subtask", special, common
    for mine, shared in zip(special.children, common.children, strict=True):
        yield "Action", mine.node, shared.node


def _task(sites: tuple[str, ...], text: str, way: Workflow, instances: tuple[Trajectory, ...]) -> Graph:
    key = task_key(sites, text, way.parameters)
    good = sum(r.verdict == "success" for r in instances)
    bad = sum(r.verdict == "failure" for r in instances)
    record = {"uses": len(instances), "successes": good, "failures": bad}
    node = Node(
        "Task",
        key,
        {
            "name": text,
            "site": sites[0] if len(sites) == 1 else "",
            "sites": list(sites),
            "text": text,
            "parameters": canonical(parameters_to_json(way.parameters)),
            "status": "active",
            "general": False,
            **record,
        },
    )
    same = canonical({p.name: {"slot": p.name} for p in way.parameters})
    return Graph(
        (node,),
        (
            Relationship(("Task", "HAS_WAY", "Subtask"), key, way.key, {"bindings": same, **record}),
            *(Relationship(("Task", "ON", "Site"), key, recordings.site_key(site)) for site in sites),
            *(Relationship(("Trajectory", "INSTANCE_OF", "Task"), r.key, key) for r in instances),
        ),
    )


def _graph(
    site: str,
    tasks: list[Graph],
    ways: list[Workflow],
    uses: Iterable[Relationship],
    seen: tuple[Trajectory, ...],
) -> Graph:
    nodes = {node.key: node for task in tasks for node in task.nodes}
    links = [link for task in tasks for link in task.relationships] + list(uses)
    for way in ways:
        for workflow in _all(way):
            nodes[workflow.key] = Node("Subtask", workflow.key, _subtask(workflow, general=not site))
            links += [_call(workflow, index) for index in range(len(workflow.children))]
            for child in workflow.children:
                if isinstance(child.node, Action):
                    nodes[child.node.key] = Node("Action", child.node.key, _action(child.node))
    if site:
        pages, visits = _pages(site, seen)
        actions = [node for node in nodes.values() if node.label == "Action"]
        links += [*visits, *_instances(site, seen, actions)]
        nodes |= {page.key: page for page in pages}
        here = recordings.site_key(site)
        links += [Relationship((n.label, "ON", "Site"), n.key, here) for n in nodes.values() if n.label != "Task"]
    return Graph(tuple(nodes.values()), tuple({link.identity: link for link in links}.values()))


def _all(way: Workflow) -> Iterator[Workflow]:
    yield way
    for child in way.children:
        if isinstance(child.node, Workflow):
            yield from _all(child.node)


def _subtask(workflow: Workflow, *, general: bool) -> dict[str, Any]:
    return {
        "name": workflow.name,
        "site": workflow.site,
        "kind": workflow.kind,
        "spec": workflow.spec,
        "parameters": canonical(parameters_to_json(workflow.parameters)),
        "preconditions": workflow.preconditions,
        "postconditions": workflow.postconditions,
        "text": workflow.name,
        "status": "active",
        "uses": 2,
        "successes": 1,
        "failures": 0,
        "general": general,
    }


def _action(action: Action) -> dict[str, Any]:
    return {
        "name": action.name or action.op,
        "site": action.site,
        "op": action.op,
        "role": action.role,
        "target": canonical(action.description),
        "value": action.value,
        "slots": list(action.slots),
        "text": f"{action.op} {action.role} {action.name}".strip(),
        "status": "active",
        "uses": 2,
        "successes": 1,
        "failures": 0,
        "general": not action.site,
    }


def _call(workflow: Workflow, index: int) -> Relationship:
    child = workflow.children[index]
    label = "Action" if isinstance(child.node, Action) else "Subtask"
    properties = {"index": index, "bindings": canonical(bindings_to_json(child.bindings))}
    return Relationship(("Subtask", f"HAS_{label.upper()}", label), workflow.key, child.node.key, properties)


def _used(
    recording: Trajectory, way: Workflow, first: int, last: int, *, residual: tuple[int, ...] = (), **bound: Any
) -> list[Relationship]:
    properties = {"first": first, "last": last, "bindings": canonical(bound), "residual": list(residual)}
    return [Relationship(("Trajectory", "USES", "Subtask"), recording.key, way.key, properties)]


def _pages(site: str, seen: tuple[Trajectory, ...]) -> tuple[list[Node], list[Relationship]]:
    nodes: dict[str, Node] = {}
    links = []
    for recording in seen:
        for index, step in enumerate(recording.steps):
            for type_, page in (("AT", step.page), ("LED_TO", step.after)):
                if page and recording.site_of(step) == site:
                    node = _page_node(site, page)
                    nodes[node.key] = node
                    links.append(Relationship(("Step", type_, "Page"), recording.step_key(index), node.key))
    return list(nodes.values()), links


def _page_node(site: str, page: Page) -> Node:
    pattern = page.url.removeprefix("https://")
    structure = sorted({target.role for target in page.sketch})
    properties = {"name": pattern, "site": site, "pattern": pattern, "title": page.title, "structure": structure}
    return Node("Page", key_of("page", [site, pattern, structure]), properties)


def _instances(site: str, seen: tuple[Trajectory, ...], actions: list[Node]) -> list[Relationship]:
    """Each step with the action of the same operation and role, and of its name where one has it; and what follows what."""
    links = []
    follows: dict[tuple[str, str], int] = {}
    for recording in seen:
        before = ""
        for index, step in enumerate(recording.steps):
            if recording.site_of(step) != site:
                continue
            role = step.target.role if step.target else ""
            alike = [a for a in actions if (a.properties["op"], a.properties["role"]) == (step.op, role)]
            named = [a for a in alike if step.target and a.properties["name"] == step.target.name]
            key = (named or alike)[0].key
            links.append(Relationship(("Step", "INSTANCE_OF", "Action"), recording.step_key(index), key))
            if before:
                follows[before, key] = follows.get((before, key), 0) + 1
            before = key
    links += [Relationship(("Action", "NEXT", "Action"), a, b, {"count": n}) for (a, b), n in sorted(follows.items())]
    return links
