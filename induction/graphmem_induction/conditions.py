"""Stage 8, conditions: what every occurrence of a routine had in common before and after, kept where it says something.

A condition rests on two occurrences at least. A page pattern says nothing before a routine that goes there itself, and
nothing after one that stays. An element says something where the routine changed it: it stood there before every
occurrence and after none (a precondition, and that it is absent a postcondition), or before none and after every one
(a postcondition). What stands on a site's every page changes in no routine and never gets here; nor does the routine's
own first element, which its first step asks for anyway. Few are kept, headings and dialogs before controls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from graphmem.model.identity import canonical
from graphmem.model.target import Target
from graphmem.model.trajectory import Page
from graphmem.model.urls import page_pattern
from graphmem_induction.describe import Seen
from graphmem_induction.trace import Occurrence

#: Conditions on elements that a routine has at most, before and after.
_MOST = 2
_LONGEST = 60
#: What tells where one is, the most telling first.
_TELLING = ("dialog", "alertdialog", "alert", "status", "heading", "tab", "button", "link")
_Known: TypeAlias = tuple[str, str]


def conditions(occurrences: Sequence[Occurrence]) -> tuple[str, str]:
    """Pre- and postconditions as canonical JSON lists of {"url": pattern}, {"present": ELEMENT} and {"absent": ELEMENT}."""
    before = _agreed([_pattern_before(o.first) for o in occurrences])
    after = _agreed([_pattern_after(o) for o in occurrences])
    starts_there = bool(occurrences) and occurrences[0].first.what.op == "navigate"
    gone, come = _changed(occurrences)
    return (
        canonical(([{"url": before}] if before and not starts_there else []) + [{"present": e} for e in gone]),
        canonical(
            ([{"url": after}] if after and after != before else [])
            + [{"present": e} for e in come] + [{"absent": e} for e in gone]
        ),
    )  # fmt: skip


def _agreed(patterns: Sequence[str]) -> str:
    return patterns[0] if len(patterns) > 1 and len(set(patterns)) == 1 else ""


def _pattern_before(seen: Seen) -> str:
    return page_pattern(seen.step.page.url) if seen.step.page else ""


def _pattern_after(occurrence: Occurrence) -> str:
    """The page that came of the last step; where the recorder did not say, the page of the step that follows."""
    page = _page_after(occurrence)
    return page_pattern(page.url) if page is not None else ""


def _page_after(occurrence: Occurrence) -> Page | None:
    if occurrence.last.step.after is not None:
        return occurrence.last.step.after
    return occurrence.following.step.page if occurrence.following else None


# -- elements --------------------------------------------------------------------------------------------------------


def _changed(occurrences: Sequence[Occurrence]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The elements that every occurrence saw go, and those that every one saw come."""
    seen = [(o.first.step.page, _page_after(o)) for o in occurrences]
    pages = [(b, a) for b, a in seen if b is not None and a is not None and b.sketch and a.sketch]
    if len(pages) < 2 or len(pages) < len(occurrences):
        return [], []
    gone: frozenset[_Known] | None = None
    come: frozenset[_Known] | None = None
    for one, other in pages:
        before, after = _shown(one), _shown(other)
        gone = before - after if gone is None else gone & (before - after)
        come = after - before if come is None else come & (after - before)
        if not gone and not come:
            return [], []
    first = occurrences[0].first.step.target
    own = {_known(first)} if first is not None else set()
    return _few((gone or frozenset()) - own), _few(come or frozenset())


def _shown(page: Page) -> frozenset[_Known]:
    """What tells where one is, of a page."""
    found = (_known(element) for element in page.sketch if element.role in _TELLING)
    return frozenset(known for known in found if known[1] and len(known[1]) <= _LONGEST)


def _known(element: Target) -> _Known:
    return (element.role, element.called())


def _few(found: frozenset[_Known]) -> list[dict[str, Any]]:
    ordered = sorted(found, key=lambda known: (_TELLING.index(known[0]), known[1]))
    return [{"role": role, "name": name} for role, name in ordered[:_MOST]]
