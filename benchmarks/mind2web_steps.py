"""Next steps to predict, from the Mind2Web records that have pages, with everything hidden that gives an answer away.

A **question** is an instruction, the gold steps before (teacher forcing), and candidates to choose from. Of the step itself it
holds nothing: no role, label, target or node number. Candidates carry tag, attribute words, text and options, and are
shuffled; the **answer** lies apart. Two forms:

- 20 candidates: the three of the page and 17 elements from pages of other tasks of the same site. Seed 1 is the published
  file; another seed draws the 17 anew. Where a ranker is trained, pools are drawn from pages of the train side alone.
- 3 candidates: those of the page only. Too easy to show what a memory is for (BENCH: a ranker without any memory reaches
  over 50 %), so it is a second figure.

A step whose element was lost has no gold candidate: every system fails it.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import mind2web_data, obs
from graphmem.model.target import Target
from graphmem.model.trajectory import Step, Trajectory

FILE = "mind2web/candidates20.jsonl.gz"
POOL = 20
_MOST_OPTIONS = 25
_NODE = re.compile(r"^\s*id=(\d+)\s*")
#: An attribute may hold the start of a tag that was cut off: ``<a id=7 economy <span>``.
_CUT = re.compile(r"(<[a-z][\w:-]*\sid=\d+[^<>]*)<")
_STANDS_IN = "\ufdd0"


@dataclass(frozen=True)
class Candidate:
    """An element as a page shows it: ``attr`` are attribute words in lower case, ``text`` all text within it."""

    tag: str
    attr: str
    text: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """``history``: the gold steps before this one, without their pages."""

    task: str
    site: str
    domain: str
    instruction: str
    history: tuple[Step, ...]
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class Answer:
    """The gold candidate's index (None: lost), the operation (CLICK, TYPE or SELECT) and its value. ``target``: the
    element, for training only."""

    gold: int | None
    op: str
    value: str
    target: Target


@dataclass(frozen=True)
class Prediction:
    candidate: int
    op: str
    value: str = ""


@dataclass(frozen=True)
class Scores:
    """Element accuracy, token F1 of operation and value, step success: each 0-1."""

    element: float
    action: float
    step: float


def scores(prediction: Prediction, answer: Answer) -> Scores:
    """All zero where the gold element is lost."""
    if answer.gold is None:
        return Scores(0.0, 0.0, 0.0)
    element = float(prediction.candidate == answer.gold)
    action = token_f1(f"{prediction.op} {prediction.value}", f"{answer.op} {answer.value}")
    return Scores(element, action, float(element == 1.0 and action == 1.0))


def token_f1(predicted: str, gold: str) -> float:
    """F1 of the bags of tokens, case folded and without colons (the originals lost theirs: "5 00 PM")."""
    one, other = (Counter(text.casefold().replace(":", " ").split()) for text in (predicted, gold))
    common = sum((one & other).values())
    return 2 * common / (sum(one.values()) + sum(other.values())) if common else 0.0


# -- candidates --------------------------------------------------------------------------------------------------------


def page_candidates(page: str) -> list[tuple[str, Candidate]]:
    """The numbered elements of a pruned page with their numbers, in document order. The numbers are for marking which one
    is gold, never for a system."""
    building: list[_Building] = []
    open_: list[tuple[str, _Building | None]] = []
    for tag, inside, kind in obs.tokens(_CUT.sub(rf"\1{_STANDS_IN}", page)):
        inside = inside.replace(_STANDS_IN, "<")
        if kind == "text":
            _hear(open_, " ".join(inside.split()))
        elif kind == "close":
            _close(open_, tag)
        else:
            node = _NODE.match(inside)
            words = " ".join(_NODE.sub("", inside).split())
            element = _Building(node[1], tag, words) if node else None
            if tag == "option":
                _open_option(open_)
            else:
                _hear(open_, words)
            if element:
                building.append(element)
            if kind == "open":
                open_.append((tag, element))
    return [(element.node, element.candidate()) for element in building]


@dataclass
class _Building:
    node: str
    tag: str
    attr: str

    def __post_init__(self) -> None:
        self.texts: list[str] = []
        self.options: list[str] = []

    def candidate(self) -> Candidate:
        if self.tag == "select":
            return Candidate(self.tag, self.attr, "", tuple(self.options[:_MOST_OPTIONS]))
        return Candidate(self.tag, self.attr, " ".join(self.texts))


def _hear(open_: Sequence[tuple[str, _Building | None]], text: str) -> None:
    """Text and attribute words belong to every numbered element around them."""
    in_option = any(tag == "option" for tag, _ in open_)
    for _, element in open_:
        if element and text:
            element.texts.append(text)
            if in_option and element.options:
                element.options[-1] = f"{element.options[-1]} {text}".strip()


def _open_option(open_: Sequence[tuple[str, _Building | None]]) -> None:
    for _, element in open_:
        if element:
            element.options.append("")


def _close(open_: list[tuple[str, _Building | None]], tag: str) -> None:
    for depth in range(len(open_) - 1, -1, -1):
        if open_[depth][0] == tag:
            del open_[depth:]
            return


# -- questions ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """A step with a page: who asks, its index, the candidates of its page and which one is gold."""

    record: Mapping[str, Any]
    trajectory: Trajectory
    index: int
    candidates: tuple[Candidate, ...]
    gold: int | None

    @property
    def key(self) -> tuple[str, int]:
        return self.record["id"], self.index

    def question(self, candidates: Sequence[Candidate]) -> Question:
        steps = self.trajectory.steps[: self.index]
        history = tuple(Step(op=s.op, target=s.target, value=s.value) for s in steps)
        trajectory = self.trajectory
        return Question(
            self.record["id"], trajectory.site, trajectory.domain, trajectory.task, history, tuple(candidates)
        )

    def answer(self, gold: int | None) -> Answer:
        step = self.record["steps"][self.index]
        target = self.trajectory.steps[self.index].target
        return Answer(gold, step["op"], step.get("repr_value") or step.get("value") or "", target or Target())


def seen(records: Iterable[Mapping[str, Any]]) -> list[Seen]:
    """Every step that has a page, in file order."""
    return [step for record in records if any(s.get("obs") for s in record["steps"]) for step in _of(record)]


def _of(record: Mapping[str, Any]) -> Iterator[Seen]:
    trajectory = mind2web_data.trajectory(record, pages=False)
    for index, step in enumerate(record["steps"]):
        if step.get("obs"):
            numbered = page_candidates(step["obs"])
            node = (step.get("target") or {}).get("backend_node_id")
            gold = next((n for n, (number, _) in enumerate(numbered) if number == node), None)
            yield Seen(record, trajectory, index, tuple(candidate for _, candidate in numbered), gold)


Asked = tuple[Question, Answer]


def published(steps: Sequence[Seen], data: Path) -> list[Asked]:
    """The questions of the published file (seed 1) for these steps."""
    with gzip.open(data / FILE, "rt", encoding="utf-8") as lines:
        pools = {(row["id"], row["step"]): row for row in map(json.loads, lines)}
    asked = []
    for step in steps:
        row = pools[step.key]
        candidates = [Candidate(c["tag"], c["attr"], c["text"], tuple(c["options"])) for c in row["candidates"]]
        asked.append((step.question(candidates), step.answer(row["gold"])))
    return asked


def drawn(steps: Sequence[Seen], others: Sequence[Seen], seed: int, *, size: int = POOL) -> list[Asked]:
    """Questions whose pools are filled from pages of ``others``: of other tasks of the same site, else of its domain. None
    of them looks like an element of the page."""
    shown: dict[str, dict[Candidate, set[str]]] = defaultdict(lambda: defaultdict(set))
    for other in others:
        for place in (f"site {other.trajectory.site}", f"domain {other.trajectory.domain}"):
            for candidate in other.candidates:
                shown[place][candidate].add(other.record["id"])
    looks = {place: sorted(candidates.items(), key=lambda pair: repr(pair[0])) for place, candidates in shown.items()}
    asked = []
    for step in steps:
        rng = random.Random(f"{seed}:{step.key}")
        pool = list(step.candidates)
        for place in (f"site {step.trajectory.site}", f"domain {step.trajectory.domain}"):
            _fill(pool, looks.get(place, []), step.record["id"], size, rng)
        asked.append(_shuffled(step, pool, rng))
    return asked


def _fill(
    pool: list[Candidate], looks: Sequence[tuple[Candidate, set[str]]], task: str, size: int, rng: random.Random
) -> None:
    if len(pool) < size:
        fresh = [candidate for candidate, tasks in looks if tasks != {task} and candidate not in pool]
        pool += rng.sample(fresh, min(size - len(pool), len(fresh)))


def three(steps: Sequence[Seen], seed: int) -> list[Asked]:
    """The questions with the candidates of the page only, shuffled: their order gives the answer away too."""
    return [_shuffled(step, step.candidates, random.Random(f"{seed}:{step.key}")) for step in steps]


def _shuffled(step: Seen, pool: Sequence[Candidate], rng: random.Random) -> Asked:
    order = rng.sample(range(len(pool)), len(pool))
    gold = None if step.gold is None else order.index(step.gold)
    return step.question([pool[n] for n in order]), step.answer(gold)
