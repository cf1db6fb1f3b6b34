"""Five small recordings on two sites that show everything the inducer is for: slots, a routine shared by tasks, one shared
by fields, an optional notice, a list worked through, and a routine that two sites have in common."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.model.target import Near, Target
from graphmem.model.trajectory import Page, Step, Trajectory
from graphmem_induction.protocol import Evidence


def page(url: str, *elements: Target) -> Page:
    return Page(url=url, sketch=elements)


def go(url: str) -> Step:
    return Step("navigate", value=url)


def fill(field: str, value: str, url: str = "") -> Step:
    return Step("type", Target(role="textbox", name=field), value=value, page=Page(url=url) if url else None)


def click(role: str, name: str, *, row: str = "", url: str = "") -> Step:
    target = Target(role=role, name=name, near=Near(row=row))
    return Step("click", target, page=Page(url=url) if url else None)


def flight(origin: str, option: str, destination: str, other: str, date: str) -> list[Step]:
    return [
        go("https://air.test/"),
        fill("From", origin),
        click("option", option),
        fill("To", destination),
        click("option", other),
        fill("Date", date),
        click("button", "Search flights"),
    ]


def trajectory(task: str, site: str, steps: Sequence[Step], run: str) -> Trajectory:
    return Trajectory(task, tuple(steps), site=site, domain="travel", outcome="success", run_id=run)


R1 = trajectory(
    "Find a flight from Oslo to Rome on 2027-03-09", "air.test",
    flight("Oslo", "Oslo (OSL)", "Rome", "Rome (FCO)", "09.03.2027"), "r1",
)  # fmt: skip
_R2 = flight("Bergen", "Bergen (BGO)", "Paris", "Paris (CDG)", "12.04.2027")
R2 = trajectory(
    "Find a flight from Bergen to Paris on 2027-04-12", "air.test",
    [_R2[0], click("button", "Accept cookies"), *_R2[1:]], "r2",
)  # fmt: skip
R3 = trajectory(
    "Find a flight from Oslo to Lyon on 2027-05-02 and pick the cheapest", "air.test",
    [*flight("Oslo", "Oslo (OSL)", "Lyon", "Lyon (LYS)", "02.05.2027"), click("button", "Select", row="89")], "r3",
)  # fmt: skip
R4 = trajectory(
    "Train from Ghent to Bruges", "rail.test",
    [
        go("https://rail.test/"), fill("Departure", "Ghent"), click("option", "Ghent-Sint-Pieters"),
        fill("Arrival", "Bruges"), click("option", "Bruges"), click("button", "Show trains"),
    ], "r4",
)  # fmt: skip
R5 = trajectory(
    "Cancel the bookings 1201, 1207 and 1311", "rail.test",
    [
        go("https://rail.test/bookings"), *(click("checkbox", "", row=n) for n in ("1201", "1207", "1311")),
        click("button", "Cancel selected"),
    ], "r5",
)  # fmt: skip

AIR = [Evidence(t, t.verdict) for t in (R1, R2, R3)]
RAIL = [Evidence(t, t.verdict) for t in (R4, R5)]
