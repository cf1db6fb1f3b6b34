"""Stage 8, conditions: what every occurrence of a routine had in common before and after, kept where it says something.

A condition rests on two occurrences at least; a precondition on the page says nothing where the routine itself goes there
first, a postcondition nothing where the routine does not change the page.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.model.identity import canonical
from graphmem.model.urls import page_pattern
from graphmem_induction.describe import Seen
from graphmem_induction.trace import Occurrence


def conditions(occurrences: Sequence[Occurrence]) -> tuple[str, str]:
    """Pre- and postconditions as canonical JSON lists of {"url": pattern}."""
    before = _agreed([_pattern_before(o.first) for o in occurrences])
    after = _agreed([_pattern_after(o) for o in occurrences])
    starts_there = bool(occurrences) and occurrences[0].first.what.op == "navigate"
    return (
        canonical([{"url": before}] if before and not starts_there else []),
        canonical([{"url": after}] if after and after != before else []),
    )


def _agreed(patterns: Sequence[str]) -> str:
    return patterns[0] if len(patterns) > 1 and len(set(patterns)) == 1 else ""


def _pattern_before(seen: Seen) -> str:
    return page_pattern(seen.step.page.url) if seen.step.page else ""


def _pattern_after(occurrence: Occurrence) -> str:
    """The page that came of the last step; where the recorder did not say, the page of the step that follows."""
    if occurrence.last.step.after is not None:
        return page_pattern(occurrence.last.step.after.url)
    return _pattern_before(occurrence.following) if occurrence.following else ""
