"""What general workflows know of sites that nothing was learned on: the share of steps that they explain, and how far what
they predict comes.

Steps and patterns are those of ``workflow_measures``, but for names: two are equal when their words are, case, signs,
articles, possessives and a plural s aside. For every system alike, the baseline too.

A workflow of two to eight steps **starts** at every step of a recording that its first step matches; a first step whose name
is open starts nothing. From there it **predicts** its other steps, one after the other. Equal predictions of the same step
count once.

- explained: share of steps that lie, from the start on without a gap, on two or more steps of one workflow, two of them with
  a name (constant, or said by the instruction); one score a step, in groups by recording;
- precision: share of predictions that come, one score a prediction, in groups by recording. A prediction behind the end of
  a recording does not come.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from benchmarks.workflow_measures import LEAST_CONSTANT, MOST_STEPS, Pattern, Read, Recording, Steps, says

_LITTLE = frozenset({"a", "an", "the", "your", "my"})


@dataclass(frozen=True)
class Explained:
    """``explained``: one score a step; ``precision``: one a prediction; both in groups by recording. ``number``: of
    workflows."""

    number: int
    explained: list[list[float]]
    precision: list[list[float]]


@lru_cache(maxsize=65536)
def words(name: str) -> tuple[str, ...]:
    """The words of a name that it is compared by; all of them when nothing else is in it."""
    found = re.findall(r"[^\W_]+", name.casefold())
    kept = [word for word in found if word not in _LITTLE] or found
    return tuple(word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word for word in kept)


def matches(pattern: Pattern, step: Read, instruction: str) -> bool:
    """Whether a step of a workflow is this step. A row, a column or a position is nothing that a slot may stand for."""
    if (pattern.op, pattern.role) != (step.op, step.role) or pattern.open == "place":
        return False
    if pattern.open:
        return says(instruction, step.name)
    return (words(pattern.name) or pattern.name) == (words(step.name) or step.name)


def measured(workflows: Iterable[Steps], tests: Sequence[Recording]) -> Explained:
    """The measures of general workflows on recordings of sites that they were not learned on."""
    several = sorted({w for w in workflows if LEAST_CONSTANT <= len(w) <= MOST_STEPS}, key=repr)
    by_first: dict[tuple[str, str], list[Steps]] = defaultdict(list)
    for workflow in several:
        if workflow[0].constant:
            by_first[workflow[0].op, workflow[0].role].append(workflow)
    scored = [_of(test, by_first) for test in tests]
    return Explained(len(several), [explained for explained, _ in scored], [came for _, came in scored if came])


def _of(test: Recording, by_first: Mapping[tuple[str, str], Sequence[Steps]]) -> tuple[list[float], list[float]]:
    explained: set[int] = set()
    predicted: dict[tuple[int, Pattern], bool] = {}
    for start, first in enumerate(test.steps):
        for workflow in by_first.get((first.op, first.role), ()):
            came = [_comes(pattern, test, start + n) for n, pattern in enumerate(workflow)]
            if not came[0]:
                continue
            predicted |= {(start + n, workflow[n]): came[n] for n in range(1, len(workflow))}
            until = came.index(False) if False in came else len(came)
            if (
                until >= LEAST_CONSTANT
                and sum(bool(test.steps[start + n].name) for n in range(until)) >= LEAST_CONSTANT
            ):
                explained.update(range(start, start + until))
    return [float(n in explained) for n in range(len(test.steps))], [float(came) for came in predicted.values()]


def _comes(pattern: Pattern, test: Recording, at: int) -> bool:
    return at < len(test.steps) and matches(pattern, test.steps[at], test.instruction)


def shared_grams(training: Sequence[Recording], *, sites: int = 2) -> list[Steps]:
    """The baseline: every run of two to eight steps with names that recordings of two or more sites contain, but for those
    inside a longer one of the same sites."""
    where: dict[Steps, set[str]] = defaultdict(set)
    for recording in training:
        steps = tuple(Pattern(s.op, s.role, " ".join(words(s.name)) or s.name) for s in recording.steps)
        for length in range(LEAST_CONSTANT, MOST_STEPS + 1):
            for at in range(len(steps) - length + 1):
                gram = steps[at : at + length]
                if all(step.name for step in gram):
                    where[gram].add(recording.site)
    shared = {gram: found for gram, found in where.items() if len(found) >= sites}
    inside = {part for gram, found in shared.items() for part in (gram[1:], gram[:-1]) if shared.get(part) == found}
    return sorted((gram for gram in shared if gram not in inside), key=repr)
