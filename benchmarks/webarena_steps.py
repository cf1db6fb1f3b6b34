"""What the runs of a task have in common: the steps of a WebArena run, told from the other runs of its template.

    python -m benchmarks.webarena_steps                      # one run held out of each template
    python -m benchmarks.webarena_steps --seeds 1-5          # five times another one

Of each template (by its given id: grouping is not what is measured) with three or more passing runs one is held out, drawn by
the seed; every system sees the others and the held-out instruction, and says which steps it takes. ``recall`` and
``precision`` are those of the longest common subsequence with the steps of the held-out run, all of them that
``benchmarks.webarena_data`` gives: a step that a system drops as noise is missed. A step is its operation and the head
phrase of what it is done on, by one fixed reader for every system: ``on`` "prose" is the words of the agent's description up
to the first preposition, "control" the role and name that ``benchmarks.prose`` reads; "no scrolls" the same with scrolls left
out of every run, which the product's cleaning drops.

Slots are filled alike for every system: where its steps come from a run, the words in which that run's instruction differs
from the held-out one are put for each other. Systems:

- ``graph``: the induction's way with the most runs; an optional part is done where at least half of those runs did it, an
  ``until`` as often as the middle one of them, an ``each`` for every item. Each action as it was most often described in the
  runs that did it.
- ``graph, as recorded``: the same, with what doing a step takes and cleaning sets apart (the click that puts the cursor into
  a field, the scroll that brings a button into view), as far as at least half of the runs that did the step have it.
- ``medoid``: the other run that is most like the others; ``half``: the medoid's steps that at least half of the others have;
  ``best other run``: with the held-out run seen (an oracle); ``random template``: a run of another template;
  ``union as a bag``: recall of all other runs together, order apart.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TypeAlias

from benchmarks import webarena_steps_graph
from benchmarks.frame import Options, Report, run
from benchmarks.webarena_data import Run, load
from graphmem.model.trajectory import Step, Trajectory

_SOURCE = "issue 5: the floor is the medoid of the same run on both, this is the stretch"
FEWEST = 3
#: A step as it is compared: operation, head phrase.
Symbol: TypeAlias = "tuple[str, str]"
#: A step and the instruction that it was done for.
Told: TypeAlias = "tuple[Step, str]"
Reader: TypeAlias = "Callable[[Step], Symbol]"
#: (system, measure, on) -> template -> a score for each seed.
Scores: TypeAlias = "dict[tuple[str, str, str], dict[int, list[float]]]"

_HEAD_ENDS = re.compile(r"\b(?:in|at|next to|with|showing|on|under|below|for|from|of)\b", re.IGNORECASE)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Question:
    """One template with a run held out: ``others`` are the runs that a system may see."""

    template: int
    held_out: Trajectory
    others: tuple[Trajectory, ...]


def questions(runs: Sequence[Run], seed: int) -> list[Question]:
    """One question for each template with enough passing runs. The order of ``runs`` does not matter."""
    by_template: dict[int, list[Run]] = defaultdict(list)
    for each in runs:
        if each.trajectory.outcome == "success":
            by_template[each.answers.template_id].append(each)
    asked = []
    for template, members in sorted(by_template.items()):
        if len(members) < FEWEST:
            continue
        members = sorted(members, key=lambda each: each.answers.line)
        at = random.Random(f"{seed} {template}").randrange(len(members))
        others = tuple(each.trajectory for n, each in enumerate(members) if n != at)
        asked.append(Question(template, members[at].trajectory, others))
    return asked


# -- the reader --------------------------------------------------------------------------------------------------------


def prose(step: Step) -> Symbol:
    said = step.target.attribute("description") if step.target else ""
    return step.op, _words(_HEAD_ENDS.split(said, maxsplit=1)[0])


def control(step: Step) -> Symbol:
    return step.op, _words(f"{step.target.role} {step.target.name}") if step.target else ""


READERS: dict[str, Reader] = {"prose": prose, "control": control}


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def filled(step: Step, said: str, wanted: str) -> Step:
    """The step with what its instruction ``said`` put as the instruction ``wanted`` says it, in the words of its target."""
    if step.target is None:
        return step
    attributes = tuple((name, _replaced(value, said, wanted)) for name, value in step.target.attributes)
    return replace(
        step, target=replace(step.target, name=_replaced(step.target.name, said, wanted), attributes=attributes)
    )


def _replaced(text: str, said: str, wanted: str) -> str:
    for old, new in differences(said, wanted):
        text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new.replace("\\", r"\\"), text, flags=re.IGNORECASE)
    return text


@lru_cache(maxsize=4096)
def differences(said: str, wanted: str) -> tuple[tuple[str, str], ...]:
    """Where two instructions differ: what stands in the one, in the other; the longest first."""
    one, other = said.split(), wanted.split()
    opcodes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    pairs = [(_bare(one[a:b]), _bare(other[c:d])) for tag, a, b, c, d in opcodes if tag == "replace"]
    return tuple(sorted(((old, new) for old, new in pairs if old and new), key=lambda pair: (-len(pair[0]), pair)))


def _bare(words: Sequence[str]) -> str:
    return " ".join(words).strip("\"'“”.,?!:;()")


# -- the score ---------------------------------------------------------------------------------------------------------


def common(one: Sequence[Symbol], other: Sequence[Symbol]) -> int:
    """The length of the longest common subsequence."""
    lengths = [0] * (len(other) + 1)
    for symbol in one:
        diagonal = 0
        for at, wanted in enumerate(other, start=1):
            above = lengths[at]
            lengths[at] = diagonal + 1 if symbol == wanted else max(above, lengths[at - 1])
            diagonal = above
    return lengths[-1]


def alike(one: Sequence[Symbol], other: Sequence[Symbol]) -> float:
    """F1 of two runs."""
    return 2 * common(one, other) / max(len(one) + len(other), 1)


def scored(said: Sequence[Told], held_out: Trajectory, reader: Reader) -> tuple[float, float]:
    """Recall and precision of steps that are said for a held-out run; nothing said is precision 0."""
    wanted = [reader(step) for step in held_out.steps]
    found = [reader(filled(step, task, held_out.task)) for step, task in said]
    hits = common(found, wanted)
    return hits / len(wanted), hits / max(len(found), 1)


# -- the systems -------------------------------------------------------------------------------------------------------


def told(run: Trajectory) -> list[Told]:
    return [(step, run.task) for step in run.steps]


def medoid(others: Sequence[Trajectory], reader: Reader) -> Trajectory:
    """The run with the highest mean F1 to the rest, slots filled; of equals the first by key."""

    def central(run: Trajectory) -> float:
        return sum(
            alike([reader(filled(step, run.task, other.task)) for step in run.steps], [reader(s) for s in other.steps])
            for other in others
            if other is not run
        )

    return min(others, key=lambda run: (-round(central(run), 9), run.key))


def half(others: Sequence[Trajectory], reader: Reader) -> list[Told]:
    """The medoid's steps that at least half of the runs have."""
    middle = medoid(others, reader)
    counts: Counter[Symbol] = Counter()
    for other in others:
        counts.update({reader(filled(step, other.task, middle.task)) for step in other.steps})
    return [(step, middle.task) for step in middle.steps if 2 * counts[reader(step)] >= len(others)]


def best(question: Question, reader: Reader) -> Trajectory:
    wanted = [reader(step) for step in question.held_out.steps]

    def fit(run: Trajectory) -> float:
        return alike([reader(filled(step, run.task, question.held_out.task)) for step in run.steps], wanted)

    return min(question.others, key=lambda run: (-fit(run), run.key))


def elsewhere(asked: Sequence[Question], question: Question, seed: int) -> Trajectory:
    """A run of another template."""
    rest = [run for other in asked if other is not question for run in other.others]
    return random.Random(f"{seed} {question.template} other").choice(rest)


def bag_recall(question: Question, reader: Reader) -> float:
    wanted = [reader(step) for step in question.held_out.steps]
    bag: Counter[Symbol] = Counter()
    for other in question.others:
        bag |= Counter(reader(filled(step, other.task, question.held_out.task)) for step in other.steps)
    return sum((Counter(wanted) & bag).values()) / len(wanted)


def answers(asked: Sequence[Question], question: Question, seed: int, reader: Reader) -> dict[str, list[Told]]:
    others, wanted = question.others, question.held_out.task

    def read(step: Step, said: str) -> Symbol:
        return reader(filled(step, said, wanted))

    return {
        "graph": webarena_steps_graph.steps(question.template, others, wanted, read),
        "graph, as recorded": webarena_steps_graph.steps(question.template, others, wanted, read, as_recorded=True),
        "medoid": told(medoid(others, reader)),
        "half": half(others, reader),
        "best other run": told(best(question, reader)),
        "random template": told(elsewhere(asked, question, seed)),
    }


def no_scrolls(question: Question) -> Question:
    """The question with every scroll left out of every run, for all systems alike: what scrolls alone are worth."""

    def without(run: Trajectory) -> Trajectory:
        return replace(run, steps=tuple(step for step in run.steps if step.op != "scroll"))

    return Question(question.template, without(question.held_out), tuple(map(without, question.others)))


def _score(scores: Scores, asked: Sequence[Question], seed: int, on: str, reader: Reader) -> None:
    for question in asked:
        for system, said in answers(asked, question, seed, reader).items():
            for name, value in zip(("recall", "precision"), scored(said, question.held_out, reader), strict=True):
                scores[system, name, on][question.template].append(value)
                scores[system, name, f"{on}, {question.held_out.site}"][question.template].append(value)
        scores["union as a bag", "recall", on][question.template].append(bag_recall(question, reader))


def measure(options: Options, report: Report) -> None:
    runs = load(options.data, seed=options.seeds[0])
    scores: Scores = defaultdict(lambda: defaultdict(list))
    for seed in options.seeds:
        asked = [q for q in questions(runs, seed) if q.held_out.steps][: options.limit]
        report.say(f"seed {seed}: {len(asked)} templates")
        without = [no_scrolls(question) for question in asked]
        for on, reader in READERS.items():
            _score(scores, asked, seed, on, reader)
            _score(
                scores, [question for question in without if question.held_out.steps], seed, f"{on}, no scrolls", reader
            )
    for (system, name, on), by_template in sorted(scores.items(), key=lambda item: (item[0][2], item[0])):
        report.add(system, name, on, list(by_template.values()))
    report.goal("recall", "prose", 0.60, _SOURCE)
    report.goal("precision", "prose", 0.75, _SOURCE)


if __name__ == "__main__":
    run("webarena_steps", measure, about=__doc__)
