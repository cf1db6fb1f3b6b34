"""Actions that a person decided are one, made one before anything is derived from them.

Two actions are told apart by how their steps are described. A decision to keep them together names the steps of each; the
words that the two differ in (role, name, place) are then written as the commoner of the two says them, in these steps and
in every other step that is described like them. So whatever follows sees one action, and what it sees on the pages
(``Seen.step``) is still what was recorded. A place that the two do not share is no part of the action any more.

A decision that two are not the same takes an earlier one that they are out of force. Two tasks that are not the same are
kept apart by the words of their instructions (``apart``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graphmem.model.decision import Decision, Span, Subject, in_order
from graphmem.model.trajectory import step_key
from graphmem_induction.describe import Described, Seen

if TYPE_CHECKING:
    from graphmem_induction.program import Parsed
    from graphmem_induction.site import Stretch

#: What the commoner action says, and what only both together can say.
_SAID = ("role", "name", "value")
_PLACES = ("row", "column", "frame", "shadow")
#: The value of these is the person's own, and never a part of the action that is compared.
_FREE_VALUE = frozenset({"type", "select", "upload", "extract", "answer"})

Steps = frozenset[str]


def together(
    found: Sequence[Stretch], decisions: Sequence[Decision], recorded: Sequence[Stretch] = ()
) -> list[Stretch]:
    """The stretches, with actions that are kept together described alike, and those that are not the same as they were
    ``recorded``, where they have come to be described alike since."""
    stretches = list(found)
    for decision in refused(decisions) if recorded else ():
        if decision.label == "Action" and len(decision.subjects) == 2:
            stretches = _told_apart(stretches, recorded, *(_steps(subject.spans) for subject in decision.subjects))
    wanted = groups(decisions)
    places = _places(stretches) if wanted else {}
    for group in wanted:
        at = [[stretches[n].seen[m].what for n, m in _at(places, steps)] for steps in group]
        if len([steps for steps in at if steps]) > 1 and len({what.op for steps in at for what in steps}) == 1:
            stretches = _rewritten(stretches, _Merge(at))
    return stretches


def apart(runs: Mapping[str, tuple[Parsed, Stretch]], decisions: Sequence[Decision]) -> list[Stretch] | None:
    """Where two tasks that are not the same were read as one: the stretches, those that say what only recordings of the
    second say under a template of their own. None where there is nothing to part."""
    found = {name: (parsed.template, _words(stretch), stretch) for name, (parsed, stretch) in runs.items()}
    parted: dict[str, Stretch] = {}
    for decision in refused(decisions):
        if decision.label == "Task" and len(decision.subjects) == 2:
            one, other = (_said(found.values(), subject) for subject in decision.subjects)
            shared = {template for template, _ in one} & {template for template, _ in other}
            leaving = {said for said in other - one if said[0] in shared}
            for name, (template, words, stretch) in found.items():
                if (template, words) in leaving:
                    first = min(w for t, w in leaving if t == template)
                    parted[name] = _under(stretch, f"{template}|{first}")
    return [parted.get(name, stretch) for name, (_, _, stretch) in found.items()] if parted else None


def _said(runs: Iterable[tuple[str, str, Stretch]], subject: Subject) -> set[tuple[str, str]]:
    """Template and words of the recordings that a task stood for."""
    steps = _steps(subject.spans)
    return {(template, words) for template, words, stretch in runs if step_key(stretch.key, 0) in steps}


def _words(stretch: Stretch) -> str:
    """The words of an instruction, with what was typed or chosen left out."""
    said = stretch.evidence.trajectory.task.casefold()
    values = {seen.what.value.casefold() for seen in stretch.seen if seen.what.op in _FREE_VALUE}
    for value in sorted(filter(None, values), key=lambda value: (-len(value), value)):
        said = said.replace(value, "{}")
    return " ".join(said.split())


def _under(stretch: Stretch, template: str) -> Stretch:
    """As if the source had known the task; a template is no part of what a recording is."""
    trajectory = replace(stretch.evidence.trajectory, template=template)
    return replace(stretch, evidence=replace(stretch.evidence, trajectory=trajectory))


def refused(decisions: Iterable[Decision]) -> list[Decision]:
    """The decisions that things are not the same which no later one contradicts."""
    made = in_order(d for d in decisions if d.kind in ("keep_together", "not_a_duplicate"))
    kept = [d for d in made if d.kind == "not_a_duplicate"]
    return [d for d in kept if not any(o.kind != d.kind and o.order > d.order and same(o, d) for o in made)]


def groups(decisions: Iterable[Decision]) -> list[tuple[Steps, ...]]:
    """The step sets of actions that are one, in the order in which that was decided."""
    found: list[tuple[Steps, ...]] = []
    for decision in standing(decisions):
        if decision.label == "Action":
            found.append(tuple(_steps(subject.spans) for subject in decision.subjects))
        for alike in decision.says.get("alike", ()):
            found.append(tuple(frozenset(steps) for steps in alike))
    return found


def standing(decisions: Iterable[Decision]) -> list[Decision]:
    """The decisions to keep something together that no later one contradicts."""
    made = in_order(d for d in decisions if d.kind in ("keep_together", "not_a_duplicate"))
    kept = [d for d in made if d.kind == "keep_together"]
    return [d for d in kept if not any(o.kind != d.kind and o.order > d.order and same(o, d) for o in made)]


def same(one: Decision, other: Decision) -> bool:
    """Whether two decisions are about the same nodes: each subject shares most of its steps with one of the other's."""
    pairs = ((one.subjects, other.subjects), (other.subjects, one.subjects))
    return all(any(_alike(mine, theirs) for theirs in others) for ours, others in pairs for mine in ours)


def _alike(one: Subject, other: Subject) -> bool:
    mine, theirs = set(one.spans), set(other.spans)
    return one.label == other.label and len(mine & theirs) * 2 > min(len(mine), len(theirs))


def _steps(spans: Iterable[Span]) -> Steps:
    return frozenset(first for first, _ in spans)


def _told_apart(found: Sequence[Stretch], recorded: Sequence[Stretch], one: Steps, other: Steps) -> list[Stretch]:
    """With what only the steps of the other are recorded as described so again, all as they most often are."""
    places = _places(found)
    now = [{found[n].seen[m].what for n, m in _at(places, steps)} for steps in (one, other)]
    then = [Counter(recorded[n].seen[m].what for n, m in _at(places, steps)) for steps in (one, other)]
    own = {what: count for what, count in then[1].items() if what not in then[0]}
    if not now[0] & now[1] or not own:
        return list(found)
    common = min(own, key=lambda what: (-own[what], repr(what)))
    return [
        replace(
            stretch,
            seen=tuple(
                replace(seen, what=replace(common, value=seen.what.value)) if before.what in own else seen
                for seen, before in zip(stretch.seen, told.seen, strict=True)
            ),
        )
        for stretch, told in zip(found, recorded, strict=True)
    ]


def _places(stretches: Sequence[Stretch]) -> dict[str, tuple[int, int]]:
    """Step key -> which step of which stretch."""
    return {
        step_key(stretch.key, seen.indexes[-1]): (n, m)
        for n, stretch in enumerate(stretches)
        for m, seen in enumerate(stretch.seen)
    }


def _at(places: Mapping[str, tuple[int, int]], steps: Steps) -> list[tuple[int, int]]:
    """The places of the steps that are still there."""
    return [places[step] for step in sorted(steps) if step in places]


class _Merge:
    """What each of some actions is described by, and the words that stand in its place."""

    def __init__(self, at: Sequence[Sequence[Described]]) -> None:
        self.sets = [frozenset(steps) for steps in at if steps]
        self.fixed = [_constants(steps) for steps in at if steps]
        sizes = [len(steps) for steps in at if steps]
        self.written: dict[str, Any] = {}
        for part in (*_SAID, *_PLACES):
            values = [fixed.get(part) for fixed in self.fixed]
            if len(set(values)) == 1 or any(part not in fixed for fixed in self.fixed):
                continue
            counts: Counter[Any] = Counter()
            for value, size in zip(values, sizes, strict=True):
                counts[value] += size
            common = min(counts, key=lambda value: (-counts[value], repr(value)))
            self.written[part] = common if part in _SAID else type(common)()

    def of(self, what: Described) -> Described:
        for steps, fixed in zip(self.sets, self.fixed, strict=True):
            # Where the name is open, any control of the kind would fit: then only what was named is meant.
            fits = "name" in fixed and all(getattr(what, part) == value for part, value in fixed.items())
            if fits or what in steps:
                return replace(what, **self.written)
        return what


def _constants(steps: Sequence[Described]) -> Mapping[str, Any]:
    """The parts that are the same in all of some steps."""
    first = steps[0]
    parts = ["op", *_SAID, *_PLACES]
    if first.op in _FREE_VALUE:
        parts.remove("value")
    fixed = {part: getattr(first, part) for part in parts}
    return {part: value for part, value in fixed.items() if all(getattr(step, part) == value for step in steps)}


def _rewritten(stretches: Iterable[Stretch], merge: _Merge) -> list[Stretch]:
    def rewritten(seen: Seen) -> Seen:
        what = merge.of(seen.what)
        return seen if what == seen.what else replace(seen, what=what)

    return [replace(stretch, seen=tuple(map(rewritten, stretch.seen))) for stretch in stretches]
