"""Graphs to look at: three small sites with everything a graph can hold, and a large one of any size."""

from __future__ import annotations

import json
from typing import Any

import networkx as nx

HOSTILE = '<img src=x onerror="window.hurt=1"></script><script>window.hurt=1</script><!--'


class Builder:
    """A graph node by node; names stand for keys."""

    def __init__(self) -> None:
        self.graph = nx.MultiDiGraph()

    def node(self, label: str, key: str, name: str = "", **properties: Any) -> str:
        full = f"{label.lower()}:{key}"
        self.graph.add_node(full, label=label, key=full, name=name or key, **properties)
        return full

    def edge(self, kind: str, start: str, end: str, **properties: Any) -> None:
        index = properties.get("index")
        self.graph.add_edge(start, end, key=kind if index is None else f"{kind}:{index}", type=kind, **properties)

    def derived(self, label: str, key: str, name: str, site: str, uses: int, **properties: Any) -> str:
        counts = {"uses": uses, "successes": max(0, uses - 1), "failures": min(uses, 1)}
        general = not site
        made = self.node(
            label,
            key,
            name,
            **({"site": site, "status": "active", "general": general, "text": name} | counts | properties),
        )
        if site:
            self.edge("ON", made, f"site:{site}")
        return made

    def action(self, key: str, op: str, role: str, called: str, site: str, uses: int, **properties: Any) -> str:
        name = f'{op} {role} "{called}"' if called else f"{op} {role} {{name}}"
        target = {"role": role, "name": called, "near": {"form": "Search"} if op == "type" else {}}
        return self.derived(
            "Action", key, name, site, uses, op=op, role=role, target=json.dumps(target), **properties
        )  # fmt: skip

    def call(self, parent: str, index: int, child: str, **bindings: Any) -> None:
        kind = "HAS_ACTION" if child.startswith("action:") else "HAS_SUBTASK"
        self.edge(kind, parent, child, index=index, bindings=json.dumps(bindings))

    def recording(
        self, key: str, task: str, of: str, site: str, verdict: str, steps: list[tuple[str, str, str, str]]
    ) -> str:
        made = self.node(
            "Trajectory", key, task, task=task, site=site, outcome=verdict, judged=verdict, recorded_at="2027-01-05T09:30:00Z",
            run_id=key, source=json.dumps({"tool": "chrome-recorder", "file": f"{key}.json"}), length=len(steps),
        )  # fmt: skip
        self.edge("INSTANCE_OF", made, of)
        self.edge("ON", made, f"site:{site}")
        self.edge("OF", self.node("Judgement", key, by="recording", verdict=verdict, at=""), made)
        page = self.node("Page", site, f"https://{site}/", site=site, pattern=f"https://{site}/", title="Start")
        for index, (action, role, called, value) in enumerate(steps):
            op = self.graph.nodes[action]["op"]
            step = self.node(
                "Step", f"{key}-{index}", called, index=index, op=op, role=role, value=value, site=site, data="{}"
            )
            self.edge("HAS_STEP", made, step, index=index)
            self.edge("INSTANCE_OF", step, action)
            self.edge("AT", step, page)
        return made


def slots(**types: str) -> str:
    return json.dumps([{"name": name, "type": type_} for name, type_ in types.items()])


def slot(name: str, transform: str = "") -> dict[str, str]:
    return {"slot": name} | ({"transform": transform} if transform else {})


def literal(value: str) -> dict[str, str]:
    return {"literal": value}


def example() -> nx.MultiDiGraph:
    """An airline, a railway and a shop: shared subtasks, all kinds of control steps, general ways, recordings."""
    b = Builder()
    for domain, sites in {"travel": ("air.test", "rail.test"), "shopping": ("shop.test",)}.items():
        top = b.node("Domain", domain)
        for site in sites:
            b.edge("IN", b.node("Site", site, site, domain=domain), top)
    pick_air, actions = _air(b)
    pick_rail = _rail(b)
    pick_shop = _shop(b)
    general = b.derived(
        "Subtask",
        "pick-any",
        "Pick {place} in {field}",
        "",
        9,
        kind="sequence",
        parameters=slots(field="text", place="text"),
    )
    b.call(
        general,
        0,
        b.action("type-any", "type", "textbox", "", "", 9, slots=["name", "value"]),
        name=slot("field"),
        value=slot("place"),
    )
    b.call(general, 1, b.action("option-any", "click", "option", "", "", 9, slots=["name"]), name=slot("place"))
    for special in (pick_air, pick_rail):
        b.edge("SPECIALIZES", special, general)
    b.edge("SPECIALIZES", actions["type"], "action:type-any")
    b.edge("SPECIALIZES", pick_shop, general)
    return b.graph


def _air(b: Builder) -> tuple[str, dict[str, str]]:
    site = "air.test"
    places = slots(origin="place", destination="place", date="date")
    act = {
        "go": b.derived(
            "Action", "air-go", "navigate https://air.test/", site, 3, op="navigate", role="", value="https://air.test/"
        ),
        "type": b.action("air-type", "type", "textbox", "", site, 6, slots=["name", "value"]),
        "option": b.action("air-option", "click", "option", "", site, 6, slots=["name"]),
        "date": b.action("air-date", "type", "textbox", "Date", site, 3, slots=["value"]),
        "search": b.action("air-search", "click", "button", "Search flights", site, 3),
        "cookies": b.action("air-cookies", "click", "button", "Accept cookies", site, 1),
        "select": b.action("air-select", "click", "button", "Select", site, 1, slots=["row"]),
        "later": b.action("air-later", "click", "button", "Load later flights", site, 2),
    }
    pick = b.derived(
        "Subtask",
        "air-pick",
        "Pick {place} in {field}",
        site,
        6,
        kind="sequence",
        parameters=slots(field="text", place="place"),
    )
    b.call(pick, 0, act["type"], name=slot("field"), value=slot("place"))
    b.call(pick, 1, act["option"], name=slot("place"))
    popup = b.derived(
        "Subtask", "air-popup", "optional", site, 1, kind="optional",
        spec=json.dumps({"when": {"present": {"role": "button", "name": "Accept cookies"}}}),
    )  # fmt: skip
    b.call(popup, 0, act["cookies"])
    search = b.derived(
        "Subtask", "air-search", "Search a flight", site, 3, kind="sequence", parameters=places,
        preconditions=json.dumps([{"url": "https://air.test/"}]),
        postconditions=json.dumps([{"present": {"role": "heading", "name": "Flights found"}}]),
    )  # fmt: skip
    b.call(search, 0, act["go"])
    b.call(search, 1, popup)
    b.call(search, 2, pick, field=literal("From"), place=slot("origin"))
    b.call(search, 3, pick, field=literal("To"), place=slot("destination"))
    b.call(search, 4, act["date"], value=slot("date", "date:dd.mm.yyyy"))
    b.call(search, 5, act["search"])
    scroll = b.derived("Subtask", "air-until", "until", site, 1, kind="until", status="draft",
                       spec=json.dumps({"until": {"absent": {"role": "button", "name": "Load later flights"}}}))  # fmt: skip
    b.call(scroll, 0, act["later"])
    cheapest = b.derived(
        "Subtask", "air-cheapest", "Search a flight, pick the cheapest", site, 1, kind="sequence", parameters=places
    )
    b.call(cheapest, 0, search, origin=slot("origin"), destination=slot("destination"), date=slot("date"))
    b.call(cheapest, 1, scroll)
    b.call(cheapest, 2, act["select"], row=literal("the smallest price"))
    find = b.derived(
        "Task", "air-find", "Find a flight from {origin} to {destination} on {date}", site, 2, parameters=places
    )
    b.edge(
        "HAS_WAY",
        find,
        search,
        uses=2,
        successes=2,
        failures=0,
        bindings=json.dumps({name: slot(name) for name in ("origin", "destination", "date")}),
    )
    find_cheap = b.derived(
        "Task",
        "air-cheap",
        "Find a flight from {origin} to {destination} on {date} and pick the cheapest",
        site,
        1,
        parameters=places,
    )
    b.edge("HAS_WAY", find_cheap, cheapest, uses=1, successes=1, failures=0, bindings="{}")
    for start, end, count in (
        ("go", "type", 2),
        ("type", "option", 6),
        ("option", "type", 3),
        ("option", "date", 3),
        ("date", "search", 3),
    ):
        b.edge("NEXT", act[start], act[end], count=count)
    for key, origin, destination, day in (
        ("R1", "Oslo", "Rome", "2027-03-09"),
        ("R2", "Bergen", "Paris", "2027-04-12"),
    ):
        steps = [
            (act["go"], "", "", "https://air.test/"),
            (act["type"], "textbox", "From", origin),
            (act["option"], "option", origin, ""),
            (act["type"], "textbox", "To", destination),
            (act["option"], "option", destination, ""),
            (act["date"], "textbox", "Date", day),
            (act["search"], "button", "Search flights", ""),
        ]
        run = b.recording(key, f"Find a flight from {origin} to {destination} on {day}", find, site, "success", steps)
        b.edge(
            "USES",
            run,
            search,
            first=0,
            last=6,
            residual=[],
            bindings=json.dumps({"origin": origin, "destination": destination, "date": day}),
        )
        b.edge("USES", run, pick, first=1, last=2, residual=[], bindings=json.dumps({"field": "From", "place": origin}))
        b.graph.add_edge(
            run,
            pick,
            key="USES:3",
            type="USES",
            first=3,
            last=4,
            residual=[],
            bindings=json.dumps({"field": "To", "place": destination}),
        )
    return pick, act


def _rail(b: Builder) -> str:
    site = "rail.test"
    pick = b.derived(
        "Subtask",
        "rail-pick",
        "Pick {place} in {field}",
        site,
        4,
        kind="sequence",
        parameters=slots(field="text", place="place"),
    )
    b.call(
        pick,
        0,
        b.action("rail-type", "type", "textbox", "", site, 4, slots=["name", "value"]),
        name=slot("field"),
        value=slot("place"),
    )
    b.call(pick, 1, b.action("rail-option", "click", "option", "", site, 4, slots=["name"]), name=slot("place"))
    way = b.derived(
        "Subtask",
        "rail-way",
        "Show trains",
        site,
        2,
        kind="sequence",
        parameters=slots(origin="place", destination="place"),
    )
    b.call(way, 0, b.derived("Action", "rail-go", "navigate https://rail.test/", site, 2, op="navigate", role=""))
    b.call(way, 1, pick, field=literal("Departure"), place=slot("origin"))
    b.call(way, 2, pick, field=literal("Arrival"), place=slot("destination"))
    b.call(way, 3, b.action("rail-show", "click", "button", "Show trains", site, 2))
    train = b.derived(
        "Task",
        "rail-train",
        "Train from {origin} to {destination}",
        site,
        2,
        parameters=slots(origin="place", destination="place"),
    )
    b.edge("HAS_WAY", train, way, uses=2, successes=1, failures=1, bindings="{}")
    each = b.derived(
        "Subtask",
        "rail-each",
        "each",
        site,
        1,
        kind="each",
        spec=json.dumps({"over": "items", "as": "booking"}),
        parameters=slots(items="list"),
    )
    b.call(each, 0, b.action("rail-box", "click", "checkbox", "", site, 3, slots=["row"]), row=slot("booking"))
    cancel = b.derived(
        "Subtask", "rail-cancel", "Cancel the bookings", site, 1, kind="sequence", parameters=slots(bookings="list")
    )
    b.call(
        cancel,
        0,
        b.derived("Action", "rail-bookings", "navigate https://rail.test/bookings", site, 1, op="navigate", role=""),
    )
    b.call(cancel, 1, each, items=slot("bookings"))
    b.call(cancel, 2, b.action("rail-cancel", "click", "button", "Cancel selected", site, 1))
    task = b.derived(
        "Task", "rail-cancel", "Cancel the bookings {bookings}", site, 1, parameters=slots(bookings="list")
    )
    b.edge("HAS_WAY", task, cancel, uses=1, successes=1, failures=0, bindings="{}")
    return pick


def _shop(b: Builder) -> str:
    site = "shop.test"
    pick = b.derived(
        "Subtask",
        "shop-address",
        "Fill in the address",
        site,
        3,
        kind="any_order",
        parameters=slots(street="text", city="text"),
    )
    b.call(
        pick, 0, b.action("shop-street", "type", "textbox", "Street", site, 3, slots=["value"]), value=slot("street")
    )
    b.call(pick, 1, b.action("shop-city", "type", "textbox", "City", site, 3, slots=["value"]), value=slot("city"))
    way = b.derived(
        "Subtask", "shop-order", "Order {article}", site, 3, kind="sequence", parameters=slots(article="text")
    )
    b.call(
        way,
        0,
        b.action("shop-find", "type", "searchbox", "Search the shop", site, 3, slots=["value"]),
        value=slot("article"),
    )
    b.call(way, 1, b.action("shop-add", "click", "button", "Add to basket", site, 3))
    b.call(way, 2, pick)
    b.call(way, 3, b.action("shop-pay", "click", "button", "Pay now", site, 3, status="quarantined"))
    task = b.derived(
        "Task",
        "shop-order",
        "Order {article} to {street}, {city}",
        site,
        3,
        parameters=slots(article="text", street="text", city="text"),
    )
    b.edge("HAS_WAY", task, way, uses=3, successes=2, failures=1, bindings="{}")
    return pick


def hostile() -> nx.MultiDiGraph:
    """Names, texts, slots and conditions that try to be markup."""
    b = Builder()
    b.edge("IN", b.node("Site", "bad.test", HOSTILE, domain=HOSTILE), b.node("Domain", "bad", HOSTILE))
    task = b.derived("Task", "bad", HOSTILE, "bad.test", 1, text=HOSTILE + " ", parameters=slots(**{HOSTILE: HOSTILE}))
    way = b.derived(
        "Subtask",
        "bad",
        HOSTILE,
        "bad.test",
        1,
        kind="until",
        spec=json.dumps({"until": {"present": {"name": HOSTILE}}}),
        preconditions=json.dumps([{HOSTILE: HOSTILE}]),
    )
    b.edge("HAS_WAY", task, way, bindings=json.dumps({HOSTILE: literal(HOSTILE)}))
    act = b.action("bad", "click", HOSTILE, HOSTILE, "bad.test", 1, value=HOSTILE, slots=[HOSTILE])
    b.call(way, 0, act)
    b.recording("bad", HOSTILE, task, "bad.test", HOSTILE, [(act, HOSTILE, HOSTILE, HOSTILE)])
    return b.graph


def large(sites: int = 20, tasks: int = 40) -> nx.MultiDiGraph:
    """``sites`` x ``tasks`` tasks; with the defaults 5,000 nodes and a few, each site sharing subtasks and actions."""
    b = Builder()
    for s in range(sites):
        site = f"site{s:02d}.test"
        domain = f"domain:domain {s % 5}"
        if domain not in b.graph:
            b.node("Domain", f"domain {s % 5}")
        b.edge("IN", b.node("Site", site, site), domain)
        acts = [b.action(f"{s}-{i}", "click", "button", f"Button {i} of {site}", site, i + 1) for i in range(2 * tasks)]
        shared = [
            b.derived("Subtask", f"{s}-shared-{i}", f"Shared routine {i}", site, tasks, kind="sequence")
            for i in range(tasks * 9 // 4)
        ]
        for i, each in enumerate(shared):
            for index in range(3):
                b.call(each, index, acts[(3 * i + index * 7) % len(acts)])
        for t in range(tasks):
            task = b.derived(
                "Task",
                f"{s}-{t}",
                f"Do thing {t} with {{what}} on {site}",
                site,
                tasks - t,
                parameters=slots(what="text"),
            )
            way = b.derived("Subtask", f"{s}-way-{t}", f"Way to do thing {t}", site, tasks - t, kind="sequence")
            b.edge("HAS_WAY", task, way, uses=1, bindings="{}")
            for index in range(4):
                b.call(
                    way,
                    index,
                    shared[(t * 5 + index * 11) % len(shared)] if index % 2 else acts[(t + index) % len(acts)],
                )
    return b.graph
