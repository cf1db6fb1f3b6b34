"""Recordings for the cost of learning: seeded sites with several tasks each, slots, noise, and whole pages.

A site has controls of its own and some that every site has. Its eight tasks are made of shared parts (search, filter, open,
sign in, put a form in), so there is something to find on a site and across sites. A recording fills its task's slots, and
carries what recorders add: scrolls, clicks that only focus, a notice now and then, doubled clicks. Every step has the page
that it was done on, some thirty elements. All of it follows from the seed, the number of the site and of the recording.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from graphmem.model.target import Near, Target
from graphmem.model.trajectory import Page, Step, Trajectory

TASKS = 8
ON_A_PAGE = 30
_NOUNS = (
    "boat", "garden", "ticket", "parcel", "lesson", "recipe", "room", "bicycle", "permit", "album", "lamp", "course", "tent",
    "filter", "invoice", "museum", "meeting", "engine", "seed", "paint", "violin", "carpet", "letter", "camera",
)  # fmt: skip
_PLACES = (
    "Oslo",
    "Rome",
    "Bergen",
    "Graz",
    "Linz",
    "Lyon",
    "Turin",
    "Porto",
    "Ghent",
    "Malmo",
    "Cork",
    "Basel",
    "Riga",
)
_NAMES = ("Ada", "Grace", "Mary", "Alan", "Edsger", "Barbara", "Donald", "Frances", "John", "Karen", "Leslie", "Tony")
_SHARED = (("button", "Search"), ("button", "Next"), ("button", "Apply"), ("link", "Sign in"), ("button", "Save"))


def trajectories(seed: int, sites: int, each: int, *, first: int = 0) -> Iterator[Trajectory]:
    """``each`` recordings on each of ``sites`` sites, the recordings counted from ``first``."""
    for number in range(sites):
        site = Site(seed, number)
        for recording in range(first, first + each):
            yield site.recording(recording)


class Site:
    """One invented site."""

    def __init__(self, seed: int, number: int) -> None:
        self.name = f"site{number:03d}.test"
        self.seed = f"{seed}/{number}"
        dice = random.Random(self.seed)
        self.nouns = dice.sample(_NOUNS, TASKS)
        self.fields = dice.sample(("Where", "City", "Place", "Town", "Region"), 2)
        self.menu = [f"{noun.title()}s" for noun in self.nouns]
        self.parts = [dice.sample(("search", "filter", "browse", "open", "form", "sign_in"), 3) for _ in self.nouns]

    def recording(self, number: int) -> Trajectory:
        dice = random.Random(f"{self.seed}/{number}")
        task = dice.randrange(TASKS)
        noun, place, name = self.nouns[task], dice.choice(_PLACES), dice.choice(_NAMES)
        count = str(dice.randint(2, 40))
        steps = [self._click("link", self.menu[task])]
        for part in self.parts[task]:
            steps += self._part(part, noun, place, name, count, dice)
        said = {"search": f"in {place}", "filter": f"for {count} people", "form": f"for {name}"}
        words = [said[part] for part in self.parts[task] if part in said]
        instruction = " ".join([dice.choice(("Find a", "Look for a")), noun, *words])
        return Trajectory(
            instruction, tuple(self._noisy(steps, task, dice)), site=self.name, domain="shops", outcome=_outcome(dice),
            run_id=f"run {number}", recorded_at=f"2027-01-{number % 28 + 1:02d}T10:00:00Z",
        )  # fmt: skip

    def _part(self, part: str, noun: str, place: str, name: str, count: str, dice: random.Random) -> list[Step]:
        match part:
            case "search":
                return [_fill(self.fields[0], place), self._click("option", place), self._click(*_SHARED[0])]
            case "filter":
                return [self._select("Guests", count), self._click(*_SHARED[2])]
            case "browse":
                return [self._click(*_SHARED[1]) for _ in range(dice.randint(1, 3))]
            case "open":
                return [self._click("link", f"Details of the {noun}", row=f"{noun} {dice.randint(1, 9)}")]
            case "form":
                return [_fill("Name", name), _fill("Note", f"{dice.choice(_NOUNS)} please"), self._click(*_SHARED[4])]
            case _:
                return [self._click(*_SHARED[3]), _fill("E-mail", f"{dice.choice(_NAMES).lower()}@mail.test")]

    def _click(self, role: str, name: str, row: str = "") -> Step:
        return Step("click", Target(role, name, tag="a" if role == "link" else role, near=Near(row=row)))

    def _select(self, name: str, value: str) -> Step:
        return Step("select", Target("combobox", name, tag="select"), value=value)

    def _noisy(self, steps: list[Step], task: int, dice: random.Random) -> Iterator[Step]:
        """The steps on their pages, with what recorders add."""
        if dice.random() < 0.2:
            steps = [self._click("button", "Accept cookies"), *steps]
        for at, step in enumerate(steps):
            page = self._page(f"/{self.nouns[task]}/{at}", step, dice)
            if dice.random() < 0.15:
                yield Step("scroll", page=page)
            if step.op == "type" and dice.random() < 0.3:
                yield Step("click", step.target, page=page)
            yield replace(step, page=page)

    def _page(self, path: str, step: Step, dice: random.Random) -> Page:
        shown = [Target("link", name, tag="a", near=Near(section="Menu")) for name in self.menu]
        shown += [Target(role, name, tag=role) for role, name in _SHARED]
        rows = [f"{dice.choice(_NOUNS)} in {dice.choice(_PLACES)}" for _ in range(ON_A_PAGE - len(shown) - 1)]
        shown += [Target("link", row, tag="a", near=Near(row=row, section="Results")) for row in rows]
        return Page(
            f"https://{self.name}{path}?at={dice.randrange(10**6)}", self.name,
            (*shown, *((step.target,) if step.target else ())),
        )  # fmt: skip


def _fill(name: str, value: str) -> Step:
    return Step("type", Target("textbox", name, tag="input"), value=value)


def _outcome(dice: random.Random) -> str:
    return dice.choices(("success", "unknown", "failure"), (8, 1, 1))[0]
