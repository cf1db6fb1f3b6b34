"""Random small corpora for laws: tasks of one invented site, filled with values and with what recorders add."""

from __future__ import annotations

from hypothesis import strategies as st

from graphmem.model.target import Near, Target
from graphmem.model.trajectory import Page, Step, Trajectory
from graphmem_induction.protocol import Evidence

SITE = "shop.test"
PLACES = ("Oslo", "Rome", "Bergen", "New York", "Graz", "Linz")
NUMBERS = ("1201", "1207", "1311", "42")


def _page(path: str, *names: str) -> Page:
    return Page(f"https://{SITE}{path}", "", tuple(Target("button", name) for name in names))


def _fill(field: str, value: str) -> Step:
    return Step("type", Target("textbox", field), value=value, page=_page("/"))


def _click(role: str, name: str, row: str = "") -> Step:
    return Step("click", Target(role, name, near=Near(row=row)), page=_page("/"))


def _search(a: str, b: str, n: list[str], loops: int) -> tuple[str, list[Step]]:
    steps = [
        _fill("From", a),
        _click("option", f"{a} (X)"),
        _fill("To", b),
        _click("option", b),
        _click("button", "Go"),
    ]
    return f"Travel from {a} to {b}", steps


def _book(a: str, b: str, n: list[str], loops: int) -> tuple[str, list[Step]]:
    task, steps = _search(a, b, n, loops)
    return f"{task} and book it", [*steps, _click("button", "Book"), _click("button", "Confirm")]


def _cancel(a: str, b: str, n: list[str], loops: int) -> tuple[str, list[Step]]:
    ticks = [_click("checkbox", "", row=number) for number in n]
    listed = ", ".join(n[:-1]) + f" and {n[-1]}" if len(n) > 1 else n[0]
    return f"Cancel bookings {listed}", [_click("link", "Bookings"), *ticks, _click("button", "Cancel")]


def _browse(a: str, b: str, n: list[str], loops: int) -> tuple[str, list[Step]]:
    # The page moves on at each click, as a recorder sees it.
    pages = [Step("click", Target("button", "Next"), page=_page(f"/list/{k}")) for k in range(loops)]
    return f"Show the last page of {a}", [_click("link", "Places"), *pages, _click("button", "Print")]


def _ask(a: str, b: str, n: list[str], loops: int) -> tuple[str, list[Step]]:
    said = Step("extract", Target("cell", f"{loops} EUR", near=Near(column="Price")), value=f"{loops} EUR")
    return f"What does {a} cost", [_fill("Place", a), said, Step("answer", value=f"{loops} EUR")]


def _note(a: str, b: str, n: list[str], loops: int) -> tuple[str, list[Step]]:
    # What is typed stands in no instruction.
    return "Leave a note", [_click("link", "Notes"), _fill("Note", f"{a}, {n[0]}"), _click("button", "Save")]


_TASKS = (_note, _search, _book, _cancel, _browse, _ask)


@st.composite
def recordings(draw: st.DrawFn) -> Evidence:
    """One recording with noise: a notice, a scroll, a focus click, a doubled event."""
    a, b = draw(st.lists(st.sampled_from(PLACES), min_size=2, max_size=2, unique=True))
    numbers = draw(st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=3, unique=True))
    task, steps = draw(st.sampled_from(_TASKS))(a, b, numbers, draw(st.integers(1, 3)))
    if draw(st.booleans()):
        steps.insert(0, _click("button", "Accept cookies"))
    if draw(st.booleans()):
        steps.insert(draw(st.integers(0, len(steps))), Step("scroll", page=_page("/")))
    at = draw(st.integers(0, len(steps) - 1))
    if steps[at].op == "type" and draw(st.booleans()):
        steps.insert(at, Step("click", steps[at].target, page=steps[at].page))
    verdict = draw(st.sampled_from(("success", "success", "success", "unknown", "failure")))
    run = draw(st.integers(0, 10**6))
    return Evidence(Trajectory(task, tuple(steps), site=SITE, outcome=verdict, run_id=f"run {run}"), verdict)


corpora = st.lists(recordings(), min_size=1, max_size=10, unique_by=lambda e: e.trajectory.key)
