"""Calibration: the weights and the threshold of recall, fitted and measured on development data.

    python -m graphmem_agents.calibrate CASES.jsonl [--embedder NAME]

A line of the data is a known task (``{"template", "parameters": {slot: type}, "said": [...], "reworded": [...]}``: its
instructions in its own words and in others) or a foreign instruction (``{"foreign": ...}``). Weights are fitted by logistic
regression on pairs of an instruction and a candidate. The threshold is measured the way it is used: every instruction is
asked of a memory that has its task (it should fit), and of one without it (nothing should fit), by folds, so that no
instruction is scored with weights that have seen its task. It is the one with the best mean of both shares.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphmem.model.workflow import Parameter
from graphmem_agents.embed import Embedder, choose_embedder
from graphmem_agents.known import Known
from graphmem_agents.score import Scored, score
from graphmem_agents.words import tokens

FOLDS = 5


@dataclass(frozen=True)
class Case:
    """An instruction, and the index of the task that it is an instruction of (None: foreign)."""

    text: str
    task: int | None
    reworded: bool = False


@dataclass(frozen=True)
class Measured:
    """``weights``: in the order of ``SIGNS``, then the constant. Shares over all folds at ``threshold``: ``fits`` of what is
    known, ``right`` of that with the right task first, ``refused`` of what is not known."""

    weights: tuple[float, ...]
    threshold: float
    fits: float
    right: float
    refused: float
    cases: int


def read_cases(path: Path) -> tuple[list[Known], list[Case]]:
    """The known tasks and the instructions of a file of JSON lines."""
    tasks: list[Known] = []
    cases: list[Case] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if "foreign" in row:
            cases.append(Case(row["foreign"], None))
            continue
        tasks.append(_task(len(tasks), row))
        cases += [Case(text, len(tasks) - 1) for text in row["said"]]
        cases += [Case(text, len(tasks) - 1, True) for text in row["reworded"]]
    return tasks, cases


def measure(tasks: Sequence[Known], cases: Sequence[Case], embedder: Embedder) -> Measured:
    """Fit, and measure by folds of tasks."""
    ranked = score([case.text for case in cases], tasks, embedder)
    fold = [_fold(case, i) for i, case in enumerate(cases)]
    with_task: list[tuple[float, bool]] = []
    without: list[float] = []
    for held in range(FOLDS):
        weights = fit([(c, r) for c, r, f in zip(cases, ranked, fold, strict=True) if f != held], tasks)
        for case, scored, f in zip(cases, ranked, fold, strict=True):
            if f != held:
                continue
            best = sorted(((_logistic(weights, s.signs), s.known.key) for s in scored), reverse=True)
            own = None if case.task is None else tasks[case.task].key
            without.append(next((p for p, key in best if key != own), 0.0))
            if own is not None:
                with_task.append((best[0][0], best[0][1] == own))
    threshold = _threshold(with_task, without)
    known = [right for p, right in with_task if p >= threshold]
    return Measured(
        weights=fit(list(zip(cases, ranked, strict=True)), tasks),
        threshold=round(threshold, 2),
        fits=len(known) / len(with_task),
        right=sum(known) / len(with_task),
        refused=sum(p < threshold for p in without) / len(without),
        cases=len(cases),
    )


def fit(ranked: Iterable[tuple[Case, Sequence[Scored]]], tasks: Sequence[Known]) -> tuple[float, ...]:
    """Weights of the signs and the constant, by logistic regression; one that would be negative is held at 0."""
    from scipy.optimize import minimize

    signs, labels = [], []
    for case, scored in ranked:
        for candidate in scored:
            signs.append([*candidate.signs, 1.0])
            labels.append(case.task is not None and candidate.known.key == tasks[case.task].key)
    x, y = np.array(signs), np.array(labels)
    balance = np.where(y, len(y) / max(2 * y.sum(), 1), len(y) / max(2 * (~y).sum(), 1))

    def loss(w: Any) -> tuple[float, Any]:
        z = x @ w
        wrong = 1 / (1 + np.exp(-z)) - y
        value = (balance * np.logaddexp(0, np.where(y, -z, z))).mean() + 0.001 * (w[:-1] ** 2).sum()
        return float(value), (x * (balance * wrong)[:, None]).mean(axis=0) + 0.002 * np.append(w[:-1], 0.0)

    bounds = [(0.0, None)] * (x.shape[1] - 1) + [(None, None)]
    found = minimize(loss, np.zeros(x.shape[1]), jac=True, bounds=bounds, method="L-BFGS-B")
    return tuple(round(float(w), 2) for w in found.x)


def _task(index: int, row: dict[str, Any]) -> Known:
    slots = [token.slot for token in tokens(row["template"]) if token.slot]
    parameters = tuple(Parameter(slot, row["parameters"].get(slot, "text")) for slot in slots)
    return Known(f"task:{index:04d}", "Task", row["template"], row["template"], (), parameters)


def _fold(case: Case, index: int) -> int:
    return (index if case.task is None else case.task) % FOLDS


def _logistic(weights: Sequence[float], signs: Sequence[float]) -> float:
    return float(1 / (1 + np.exp(-np.dot(weights, [*signs, 1.0]))))


def _threshold(with_task: Sequence[tuple[float, bool]], without: Sequence[float]) -> float:
    """The best mean of both shares, each taken over a window, so that no single case decides."""
    steps = np.arange(0.05, 0.96, 0.01)
    found = np.array([_balance(with_task, without, float(t)) for t in steps])
    smooth = np.convolve(np.pad(found, 5, mode="edge"), np.ones(11) / 11, mode="valid")
    return float(steps[int(smooth.argmax())])


def _balance(with_task: Sequence[tuple[float, bool]], without: Sequence[float], threshold: float) -> float:
    fits = sum(p >= threshold and right for p, right in with_task) / len(with_task)
    return fits + sum(p < threshold for p in without) / len(without)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("cases", type=Path, help="JSON lines")
    parser.add_argument("--embedder", default="tfidf", help="as in GRAPHMEM_EMBEDDER")
    options = parser.parse_args(arguments)
    tasks, cases = read_cases(options.cases)
    found = measure(tasks, cases, choose_embedder(options.embedder))
    json.dump({"tasks": len(tasks), **vars(found)}, sys.stdout, indent=1)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
