"""How good the workflows of a memory are: AWM's number, coverage, function overlap and utility (Agent Workflow Memory,
section 4.3), made exact so that no reading by a model is in them.

A **step** of a recording is (operation, role, name), names case folded. A step of a **workflow** has the same three, but for
what is a slot. It matches a step of a recording when the operations are equal and

- its name is constant, and role and name are equal; whatever is typed or chosen there may be a slot; or
- its name is a slot, the roles are equal, and the instruction of the recording contains the step's name as whole words.

A row, a column or a position is nothing that a slot may stand for: such a step matches nothing.

A **workflow** counts when it has two to eight steps (a called workflow unfolded, a control step once through), at least half
of them and at least two constant, and two training recordings behind it. What is left of duplicates, by their steps, counts
once. It **occurs** where a run of its steps, at least half of them and two of these constant, matches steps in a row.

- coverage: share of the steps of test recordings that lie in an occurrence of a workflow of their site;
- overlap: runs of two or more equal steps that two workflows of a site have in common, the mean over its pairs;
- utility: share of the test recordings in which some workflow of their site occurs;
- used: share of a site's workflows that occur in some test recording of the site.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

MOST_STEPS = 8
SUPPORT = 2
LEAST_CONSTANT = 2
#: How many n-grams a site the baseline may keep: AWM's memories hold 7.3 workflows a site.
GRAMS = 7

Open: TypeAlias = Literal["", "name", "place"]


@dataclass(frozen=True)
class Read:
    """A step of a recording as the fixed reader gives it, name case folded."""

    op: str
    role: str
    name: str


@dataclass(frozen=True)
class Recording:
    """A recording to hold workflows against. ``instruction`` is case folded."""

    key: str
    site: str
    instruction: str
    steps: tuple[Read, ...]


@dataclass(frozen=True)
class Pattern:
    """A step of a workflow. ``open``: what of the element is a slot ("" nothing, "name", "place" anything else)."""

    op: str
    role: str
    name: str
    open: Open = ""

    @property
    def constant(self) -> bool:
        return not self.open

    def matches(self, step: Read, instruction: str) -> bool:
        if self.op != step.op or self.role != step.role or self.open == "place":
            return False
        return says(instruction, step.name) if self.open else self.name == step.name


Steps: TypeAlias = tuple[Pattern, ...]


def says(instruction: str, name: str) -> bool:
    """Whether the instruction contains the name as whole words; both case folded. Nothing contains the empty name."""
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", instruction) is not None


def is_workflow(steps: Steps) -> bool:
    """Whether steps may be called a workflow, whatever their support."""
    constant = sum(step.constant for step in steps)
    return constant >= LEAST_CONSTANT and len(steps) <= MOST_STEPS and 2 * constant >= len(steps)


def occurrences(workflow: Steps, recording: Recording) -> set[int]:
    """The indexes of the recording's steps that lie in an occurrence."""
    covered: set[int] = set()
    for shift in range(1 - len(workflow), len(recording.steps)):
        for first, last in _runs(workflow, recording, shift):
            if _is_occurrence(workflow, first, last):
                covered.update(range(first + shift, last + shift))
    return covered


def _runs(workflow: Steps, recording: Recording, shift: int) -> Iterable[tuple[int, int]]:
    """The longest runs of matching steps when step n of the workflow lies on step n + ``shift``, as half-open ranges."""
    start = None
    for n in range(len(workflow) + 1):
        at = n + shift
        inside = n < len(workflow) and 0 <= at < len(recording.steps)
        if inside and workflow[n].matches(recording.steps[at], recording.instruction):
            start = n if start is None else start
        elif start is not None:
            yield start, n
            start = None


def _is_occurrence(workflow: Steps, first: int, last: int) -> bool:
    constant = sum(step.constant for step in workflow[first:last])
    return 2 * (last - first) >= len(workflow) and constant >= LEAST_CONSTANT


def contains(workflow: Steps, recording: Recording) -> bool:
    """Whether all steps of the workflow match steps of the recording in a row."""
    shifts = range(len(recording.steps) - len(workflow) + 1)
    return any((0, len(workflow)) in _runs(workflow, recording, shift) for shift in shifts)


# -- the measures ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """Scores to average. ``coverage`` and ``used`` in groups: by test recording, by site. ``overlap``: one a site that has
    a pair of workflows; ``utility``: one a recording; ``numbers``: workflows of each site."""

    numbers: list[float]
    coverage: list[list[float]]
    overlap: list[float]
    utility: list[float]
    used: list[list[float]]


def measured(workflows: Mapping[str, Sequence[Steps]], tests: Sequence[Recording], sites: Iterable[str]) -> Measured:
    """The measures of the workflows of each site. ``sites``: those that were trained on, with or without a workflow."""
    known = sorted(set(sites))
    found = [{w: occurrences(w, test) for w in workflows.get(test.site, ())} for test in tests]
    used: dict[str, set[Steps]] = defaultdict(set)
    coverage, utility = [], []
    for test, where in zip(tests, found, strict=True):
        used[test.site].update(workflow for workflow, steps in where.items() if steps)
        covered: set[int] = set().union(*where.values())
        coverage.append([float(n in covered) for n in range(len(test.steps))])
        utility.append(float(bool(covered)))
    tested = sorted({test.site for test in tests})
    return Measured(
        numbers=[float(len(workflows.get(site, ()))) for site in known],
        coverage=coverage,
        overlap=[overlap(ws) for site in known if len(ws := workflows.get(site, ())) > 1],
        utility=utility,
        used=[[float(w in used[site]) for w in workflows[site]] for site in tested if workflows.get(site)],
    )


def overlap(workflows: Sequence[Steps]) -> float:
    """The mean over pairs of the number of runs of two or more equal steps that both have. ValueError without a pair."""
    counts = [shared_runs(a, b) for a, b in combinations(workflows, 2)]
    if not counts:
        raise ValueError("overlap needs two workflows")
    return sum(counts) / len(counts)


def shared_runs(a: Steps, b: Steps) -> int:
    """How many runs of two or more equal steps two workflows share, none inside another."""
    runs = set()
    for shift in range(1 - len(a), len(b)):
        start = None
        for n in range(len(a) + 1):
            if n < len(a) and 0 <= n + shift < len(b) and a[n] == b[n + shift]:
                start = n if start is None else start
            elif start is not None:
                if n - start > 1:
                    runs.add(a[start:n])
                start = None
    return sum(not any(run != other and _inside(run, other) for other in runs) for run in runs)


def _inside(run: Steps, other: Steps) -> bool:
    return any(other[n : n + len(run)] == run for n in range(len(other) - len(run) + 1))


# -- the n-gram baseline -----------------------------------------------------------------------------------------------


def greedy_grams(training: Sequence[Recording], *, most: int = GRAMS) -> dict[str, list[Steps]]:
    """For each site the n-grams of exact steps with the support that together cover most training steps, greedily."""
    by_site: dict[str, list[Recording]] = defaultdict(list)
    for recording in training:
        by_site[recording.site].append(recording)
    return {site: _greedy(recordings, most) for site, recordings in sorted(by_site.items())}


def _greedy(recordings: Sequence[Recording], most: int) -> list[Steps]:
    covers = {gram: _covered(gram, recordings) for gram in supported_grams(recordings)}
    chosen: list[Steps] = []
    done: set[tuple[int, int]] = set()
    while covers and len(chosen) < most:
        best = min(covers, key=lambda gram: (-len(covers[gram] - done), len(gram), repr(gram)))
        if not covers[best] - done:
            break
        chosen.append(best)
        done |= covers.pop(best)
    return chosen


def _covered(gram: Steps, recordings: Sequence[Recording]) -> set[tuple[int, int]]:
    return {(n, at) for n, recording in enumerate(recordings) for at in occurrences(gram, recording)}


def supported_grams(recordings: Sequence[Recording], support: int = SUPPORT) -> list[Steps]:
    """Every run of two to eight exact steps that ``support`` of the recordings of a site contain."""
    seen: Counter[Steps] = Counter()
    for recording in recordings:
        steps = tuple(Pattern(s.op, s.role, s.name) for s in recording.steps)
        seen.update(
            {
                steps[at : at + length]
                for length in range(LEAST_CONSTANT, MOST_STEPS + 1)
                for at in range(len(steps) - length + 1)
            }
        )
    return [gram for gram, count in seen.items() if count >= support]
