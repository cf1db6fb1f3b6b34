"""Mind2Web (Deng et al. 2023, our splits of its train tasks): what a memory knows of the next step, what its workflows cover.

    python -m benchmarks.mind2web [--limit N] [--seeds 1] [--out FILE]

**Next step**: for each step with a page, one of 20 candidates, the operation and the value, the gold steps before it given
(``mind2web_steps`` says what is hidden). Rows: ``element_accuracy``, ``action_f1``, ``step_success`` for

- ``random``: what choosing blindly, always a click, comes to;
- ``lexical``: the ranker of ``mind2web_rank`` without a memory;
- ``rule``, ``graph``: the same ranker with what the product expects, learned by that inducer from the train side.

The same on the three candidates of the page alone stands under ``<split>, 3 candidates``.

**Workflows** (cross-task split): ``workflows_per_site``, ``coverage``, ``overlap``, ``utility``, ``used`` by the rules of
``workflow_measures``, for ``rule``, ``graph`` and ``ngrams`` (seven a site, found greedily).

Memories are learned into a store of the process, everything else (weights of words, rankers) is fitted on the train side of
the split, on questions that are put to memories of the other folds of the train side. Seed 1 asks the published candidates;
another seed draws their fillers anew. Intervals are bootstraps over tasks; ``overlap``, ``used`` and the number over sites.
"""

from __future__ import annotations

import os
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import mind2web_data, mind2web_steps, mind2web_workflows, workflow_measures
from benchmarks.frame import Options, Report, run
from benchmarks.mind2web_rank import Memories, Ranker, Tags
from benchmarks.mind2web_read import Matrix, Rarity, lexical
from benchmarks.mind2web_steps import Asked, Prediction, Scores, Seen, scores
from benchmarks.workflow_measures import Measured, Recording, Steps
from graphmem.model.trajectory import Trajectory
from graphmem.store import open_store, recordings
from graphmem.store.protocol import Store
from graphmem_agents.next_step import Habits, habits, read
from graphmem_induction.learn import induce, inducer_named
from graphmem_induction.protocol import Evidence

INDUCERS = ("rule", "graph")
FOLDS = 4
_BATCH = 200
_MEASURES = (("element_accuracy", "element"), ("action_f1", "action"), ("step_success", "step"))
#: Published figures on other data, other candidates and with large models: nothing here is to be held against them.
PUBLISHED = {
    "AWM, workflows of gpt-4 on Mind2Web, counted by its authors (Agent Workflow Memory, table 10)": {
        "workflows_per_site": 7.3, "coverage": 0.40, "overlap": 0.20, "utility": 0.91,
    },
    "AWM offline, gpt-4, official cross-task test split (Agent Workflow Memory)": {"step_success": 0.451},
    "MindAct, gpt-4, official cross-task test split (as AWM quotes it)": {"step_success": 0.362},
}  # fmt: skip


@dataclass(frozen=True)
class Split:
    """``held``: ids of the records to test on. ``fold``: what of a recording is held out together."""

    name: str
    held: frozenset[str]
    fold: str


@dataclass
class Found:
    """What one split comes to: scores of each system by form of the question, in groups by task; measures of workflows."""

    split: str
    scores: dict[tuple[str, str], list[list[Scores]]] = field(default_factory=dict)
    workflows: dict[str, Measured] = field(default_factory=dict)


def all_splits(data: Path) -> list[Split]:
    listed = mind2web_data.splits(data)
    found = [
        Split("cross_task", frozenset(listed["cross_task"]["ids"]), "run_id"),
        Split("cross_website", frozenset(listed["cross_website"]["ids"]), "site"),
    ]
    return found + [
        Split(f"cross_domain {domain}", frozenset(ids), "domain") for domain, ids in listed["cross_domain"].items()
    ]


def measure(options: Options, report: Report) -> None:
    if options.store not in (None, "memory:"):
        raise SystemExit("mind2web learns every split anew and takes no --store but memory:")
    splits = all_splits(options.data)
    workers = min(2, os.cpu_count() or 1)
    report.say(f"{len(splits)} splits, {workers} at a time")
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for found in pool.map(_measured, [options] * len(splits), splits):
            _add(found, report)
    report.settings |= {"published_on_other_data": PUBLISHED, "folds": FOLDS, "inducers": list(INDUCERS)}
    report.goal("step_success", "cross_task", 0.38, "a first prototype with MiniLM vectors, on a pool like this one")
    report.goal("step_success", "cross_website", 0.25, "the same prototype")


def _add(found: Found, report: Report) -> None:
    if not found.scores:
        report.say(f"{found.split}: nothing to ask, or nothing to train on, within the limit")
    for (system, on), by_task in found.scores.items():
        for measure, name in _MEASURES:
            report.add(system, measure, on, [[float(getattr(s, name)) for s in task] for task in by_task])
    add_workflows(found.split, found.workflows, report)


def add_workflows(split: str, found: Mapping[str, Measured], report: Report) -> None:
    """The rows of the workflow measures of each system."""
    for system, measured in found.items():
        report.add(system, "workflows_per_site", split, measured.numbers)
        report.add(system, "coverage", split, measured.coverage)
        report.add(system, "utility", split, measured.utility)
        if measured.overlap:
            report.add(system, "overlap", split, measured.overlap)
        if measured.used:
            report.add(system, "used", split, measured.used)


# -- one split ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Learned:
    """What an inducer made of the train side: habits by site, and workflows by site."""

    habits: Mapping[str, Habits]
    workflows: Mapping[str, Sequence[Steps]]


def _measured(options: Options, split: Split) -> Found:
    records = list(islice(mind2web_data.records(options.data), options.limit))
    training = [record for record in records if record["id"] not in split.held]
    tests = [record for record in records if record["id"] in split.held]
    found = Found(split.name)
    if not tests or not training:
        return found
    trajectories = [mind2web_data.trajectory(record, pages=False) for record in training]
    with_workflows = split.fold == "run_id"
    learned = learn(trajectories, [mind2web_workflows.recording(r) for r in training] if with_workflows else [])
    if with_workflows:
        found.workflows = workflow_rows(training, tests, learned)
    asked, pages = mind2web_steps.seen(training), mind2web_steps.seen(tests)
    if asked and pages:
        habits_of = {name: each.habits for name, each in learned.items()}
        found.scores = next_steps(options, split, trajectories, asked, pages, habits_of)
    return found


def learn(trajectories: Sequence[Trajectory], training: Sequence[Recording]) -> dict[str, Learned]:
    """The recordings learned into a store by each inducer, and read out of it again. ``training`` empty: no workflows."""
    by_site = _by_site(training)
    store = open_store("memory:")
    try:
        for start in range(0, len(trajectories), _BATCH):
            recordings.save(store, trajectories[start : start + _BATCH])
        return {name: _learned(store, name, by_site) for name in INDUCERS}
    finally:
        store.close()


def _learned(store: Store, inducer: str, by_site: Mapping[str, Sequence[Recording]]) -> Learned:
    induce(store, inducer=inducer)
    return Learned(
        {site: read(store, site) for site in recordings.sites(store)},
        {site: mind2web_workflows.workflows(store, site, group) for site, group in by_site.items()},
    )


def _by_site(several: Iterable[Recording]) -> dict[str, list[Recording]]:
    found: dict[str, list[Recording]] = defaultdict(list)
    for each in several:
        found[each.site].append(each)
    return dict(found)


def workflow_rows(
    training: Sequence[Mapping[str, Any]], tests: Sequence[Mapping[str, Any]], learned: Mapping[str, Learned]
) -> dict[str, Measured]:
    train = [mind2web_workflows.recording(record) for record in training]
    test = [mind2web_workflows.recording(record) for record in tests]
    memories = {name: each.workflows for name, each in learned.items()}
    memories["ngrams"] = workflow_measures.greedy_grams(train)
    return {name: workflow_measures.measured(each, test, _by_site(train)) for name, each in memories.items()}


# -- next steps --------------------------------------------------------------------------------------------------------


def next_steps(
    options: Options,
    split: Split,
    trajectories: Sequence[Trajectory],
    asked: Sequence[Seen],
    pages: Sequence[Seen],
    learned: Mapping[str, Mapping[str, Habits]],
) -> dict[tuple[str, str], list[list[Scores]]]:
    """Scores by task for each system and form of the question."""
    training = mind2web_steps.drawn(asked, asked, 1)
    rarity = Rarity.of(candidate for question, _ in training for candidate in question.candidates)
    tags = Tags(training)
    domains = {t.site: t.domain for t in trajectories}
    forms = _forms(options, split.name, [*asked, *pages], pages)
    plain = [lexical(question, rarity) for question, _ in training]
    read_forms = {on: [lexical(question, rarity) for question, _ in each] for on, each in forms.items()}
    found = {("random", on): _grouped(each, [blindly(a) for a in each]) for on, each in forms.items()}
    ranker = Ranker(training, plain, plain[0].shape[1])
    for on, each in forms.items():
        found["lexical", on] = _scored(ranker, each, read_forms[on], None)
    for name, sites in learned.items():
        of_question = folded(name, trajectories, split.fold, domains, tags)
        remembered = [of_question(question).features(question, rarity) for question, _ in training]
        ranker = Ranker(training, _beside(plain, remembered), plain[0].shape[1])
        memories = Memories(sites, domains, tags)
        for on, each in forms.items():
            told = [memories.features(question, rarity) for question, _ in each]
            found[name, on] = _scored(ranker, each, _beside(read_forms[on], told), memories)
    return found


def _forms(options: Options, split: str, every: Sequence[Seen], pages: Sequence[Seen]) -> dict[str, list[Asked]]:
    """The questions by what their rows are said to be on: 20 candidates of all seeds, then the 3 of the page."""
    twenty: list[Asked] = []
    for seed in options.seeds:
        drawn = mind2web_steps.drawn(pages, every, seed) if seed != 1 else mind2web_steps.published(pages, options.data)
        twenty += drawn
    return {split: twenty, f"{split}, 3 candidates": mind2web_steps.three(pages, options.seeds[0])}


def folded(
    inducer: str, trajectories: Sequence[Trajectory], fold: str, domains: Mapping[str, str], tags: Tags
) -> Callable[[mind2web_steps.Question], Memories]:
    """For a question of the train side, the memory of the train side without its fold."""
    units = sorted({str(getattr(t, fold)) for t in trajectories})
    shuffled = random.Random(1).sample(units, len(units))
    place = {unit: n % FOLDS for n, unit in enumerate(shuffled)}
    made = [_memories(inducer, [t for t in trajectories if place[getattr(t, fold)] != n], domains, tags)
            for n in range(min(FOLDS, len(units)))]  # fmt: skip
    named = {"run_id": "task", "site": "site", "domain": "domain"}[fold]
    return lambda question: made[place[getattr(question, named)]]


def _memories(inducer: str, trajectories: Sequence[Trajectory], domains: Mapping[str, str], tags: Tags) -> Memories:
    """The same graphs as a store would hold: a site's graph is a function of its recordings."""
    evidence: dict[str, list[Evidence]] = defaultdict(list)
    for trajectory in trajectories:
        evidence[trajectory.site].append(Evidence(trajectory, trajectory.verdict))
    chosen = inducer_named(inducer)
    return Memories({site: habits(chosen.induce(site, each)) for site, each in evidence.items()}, domains, tags)


def _beside(one: Sequence[Matrix], other: Sequence[Matrix]) -> list[Matrix]:
    return [np.hstack(pair) for pair in zip(one, other, strict=True)]


def _scored(
    ranker: Ranker, asked: Sequence[Asked], features: Sequence[Matrix], memories: Memories | None
) -> list[list[Scores]]:
    predicted = ranker.predict([question for question, _ in asked], features, memories)
    return _grouped(asked, [scores(p, answer) for p, (_, answer) in zip(predicted, asked, strict=True)])


def blindly(asked: Asked) -> Scores:
    """What a choice by lot, and always a click, scores on average."""
    question, answer = asked
    clicked = scores(Prediction(-1 if answer.gold is None else answer.gold, "CLICK"), answer)
    share = 1 / len(question.candidates)
    return Scores(share * clicked.element, clicked.action, share * clicked.step)


def _grouped(asked: Sequence[Asked], each: Sequence[Scores]) -> list[list[Scores]]:
    """The scores by task."""
    tasks = sorted(zip((q.task for q, _ in asked), each, strict=True), key=lambda pair: pair[0])
    return [[score for _, score in group] for _, group in groupby(tasks, key=lambda pair: pair[0])]


if __name__ == "__main__":
    run("mind2web", measure, about=__doc__, development="1")
