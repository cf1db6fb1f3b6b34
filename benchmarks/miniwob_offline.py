"""How many demonstrations the learned workflow of a task explains that it was not learned from, without a browser.

    python -m benchmarks.miniwob_offline [--seeds 1-3] [--limit TASKS]

For each of the 49 tasks of MiniWoB++ that people demonstrated and that words suffice for: 20 demonstrations, chosen by the
seed, are learned from, and the others explained from their instruction and their recorded pages, act by act
(``miniwob_offline_score``). What is to be explained is read from the raw records by a reader of this folder
(``miniwob_offline_reader``), not by the product's cleaning. Baseline: the nearest demonstration replayed.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks import miniwob_data
from benchmarks.frame import Options, Report, run
from benchmarks.miniwob_offline_graph import Programs
from benchmarks.miniwob_offline_nearest import Nearest
from benchmarks.miniwob_offline_reader import Demonstration, read
from benchmarks.miniwob_offline_score import Verdict, explained
from benchmarks.miniwob_offline_systems import Learner
from graphmem.model.trajectory import Trajectory

LEARNED = 20
#: Colours, shapes, geometry and guesses, which words do not tell; and the flight tasks, whose pages are not here.
LEFT_OUT = frozenset(
    {"flight.Alaska", "flight.Alaska-auto", "flight.Alaska-auto-medium", "other-alaska-auto", "click-color", "click-pie",
     "click-pie-nodelay", "click-shades", "click-shape", "count-shape", "grid-coordinate", "guess-number",
     "identify-shape", "tic-tac-toe"}
)  # fmt: skip


def tasks(data: Path) -> list[str]:
    found = sorted(file.name.removesuffix(".jsonl.gz") for file in (data / miniwob_data.FOLDER).glob("*.jsonl.gz"))
    return [task for task in found if task not in LEFT_OUT]


def split(records: Sequence[Any], seed: int) -> tuple[list[Any], list[Any]]:
    """What is learned from and what is to be explained: by the seed alone, whatever the order of the records."""
    ordered = sorted(records, key=lambda record: str(record["blob"]))
    random.Random(seed).shuffle(ordered)
    return ordered[:LEARNED], ordered[LEARNED:]


def measure(options: Options, report: Report) -> None:
    scores: dict[str, list[list[float]]] = defaultdict(list)
    chosen = tasks(options.data)[: options.limit]
    for number, task in enumerate(chosen, start=1):
        records = list(miniwob_data.records(options.data, tasks=(task,)))
        found: dict[str, list[float]] = defaultdict(list)
        for seed in options.seeds:
            for system, verdicts in one(records, seed).items():
                found[system] += [float(verdict.whole) for verdict in verdicts]
                for verdict in verdicts:
                    if system == "graph" and not verdict.whole:
                        report.say(f"{task}: {verdict.why}")
        for system, whole in found.items():
            report.add(system, "explained", task, whole)
            scores[system].append(whole)
        report.say(f"{number} of {len(chosen)} {task}: " + str({s: sum(v) / len(v) for s, v in found.items()}))
    for system, groups in scores.items():
        report.add(system, "explained", "all", [[sum(whole) / len(whole)] for whole in groups])
        report.add(system, "explained", "demonstrations", [list(chain.from_iterable(groups))])
    report.settings |= {"tasks": len(chosen), "learned": LEARNED, "seeds": list(options.seeds)}
    report.goal("explained", "all", 0.85, "floor: a prototype reached 0.86, nearest demonstration replayed 0.31")
    report.goal("explained", "all", 0.93, "goal; above 0.95 look for a leak")


def one(records: Sequence[Any], seed: int) -> dict[str, list[Verdict]]:
    """Every system on one task and seed."""
    learned, held = split(records, seed)
    shown = [read(record) for record in held]
    trajectories = [miniwob_data.trajectory(record) for record in learned]
    known = {t.key: read(record) for t, record in zip(trajectories, learned, strict=True)}
    systems: list[Learner] = [Nearest(known), Programs()]
    return {system.name: _explained(system, trajectories, shown) for system in systems}


def _explained(system: Learner, trajectories: Sequence[Trajectory], shown: Sequence[Demonstration]) -> list[Verdict]:
    explainer = system.learn(trajectories)
    return [explained(explainer.start(each.instruction), each) for each in shown if each.steps]


if __name__ == "__main__":
    run("miniwob_offline", measure, about=__doc__)
