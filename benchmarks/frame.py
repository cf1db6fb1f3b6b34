"""What all benchmarks share: arguments, progress, intervals, and the one JSON document in long form.

    def measure(options: Options, report: Report) -> None:
        report.add("graph", "recall", "cross_task", [[1.0, 0.0], [1.0]])     # scores, grouped by task

    if __name__ == "__main__":
        run("recall", measure, about=__doc__)

Rows are long form (system, measure, on, value, n, low, high), so that anything can be compared with anything; baselines
are rows of the same run. Intervals are 95 % percentile bootstraps over groups (tasks, runs, repeats), with a seed of
their own: the same scores always give the same interval.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

SCHEMA = "graphmem.benchmark/1"
DRAWS = 2000
_BOOTSTRAP_SEED = 20_261_130
_PACKAGES = ("graphmem", "arcadedb", "neo4j", "networkx", "numpy", "scikit-learn", "fastembed", "playwright")


def data_folder() -> Path:
    """Where the measuring data lies: ``GRAPHMEM_DATA``, else ``shared/data`` beside the checkout."""
    named = os.environ.get("GRAPHMEM_DATA")
    return Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"


@dataclass(frozen=True)
class Options:
    """What the command line says: ``limit`` None is everything, ``store`` None the default."""

    data: Path
    seeds: tuple[int, ...] = (1,)
    limit: int | None = None
    store: str | None = None
    out: Path | None = None


@dataclass(frozen=True)
class Row:
    """One figure: ``value`` over ``n`` scores, with its 95 % interval."""

    system: str
    measure: str
    on: str
    value: float
    n: int
    low: float
    high: float


@dataclass(frozen=True)
class Goal:
    """What a figure is held against, and who says so."""

    measure: str
    on: str
    goal: float
    source: str


def interval(groups: Sequence[Sequence[float]], *, draws: int = DRAWS) -> tuple[float, float]:
    """95 % interval of the mean of all scores, groups drawn with replacement. ValueError when there is no score."""
    sums = np.array([sum(group) for group in groups if group], dtype=float)
    counts = np.array([len(group) for group in groups if group], dtype=float)
    if not len(counts):
        raise ValueError("no scores to take an interval of")
    drawn = np.random.default_rng(_BOOTSTRAP_SEED).integers(0, len(counts), size=(draws, len(counts)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


@dataclass
class Report:
    """Rows and goals as they come. ``say`` is progress, on stderr."""

    benchmark: str
    options: Options
    settings: dict[str, Any] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)

    def add(self, system: str, measure: str, on: str, scores: Sequence[float] | Sequence[Sequence[float]]) -> Row:
        """A row for the mean of ``scores``: plain ones, or lists of them, one a group that is drawn as a whole."""
        groups = [[score] if isinstance(score, int | float) else list(score) for score in scores]
        every = [score for group in groups for score in group]
        low, high = interval(groups)
        return self._keep(Row(system, measure, on, float(np.mean(every)), len(every), low, high))

    def add_value(self, system: str, measure: str, on: str, value: float, *, n: int = 1) -> Row:
        """A row for a figure that was taken once: its interval is the figure itself."""
        return self._keep(Row(system, measure, on, value, n, value, value))

    def goal(self, measure: str, on: str, goal: float, source: str) -> None:
        self.goals.append(Goal(measure, on, goal, source))

    def say(self, text: str) -> None:
        print(f"[{time.perf_counter() - self.started:7.1f} s] {text}", file=sys.stderr, flush=True)

    def document(self) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "benchmark": self.benchmark,
            "settings": settings(self.options) | self.settings,
            "seconds": round(time.perf_counter() - self.started, 3),
            "rows": [asdict(row) for row in self.rows],
            "goals": [asdict(goal) for goal in self.goals],
        }

    def _keep(self, row: Row) -> Row:
        self.rows.append(row)
        self.say(f"{row.system} {row.measure} on {row.on}: {row.value:.4g} (n {row.n}, {row.low:.4g}-{row.high:.4g})")
        return row


def settings(options: Options) -> dict[str, Any]:
    """Everything that a second run would need to know, without a password."""
    versions = {package: found for package in _PACKAGES if (found := _version(package))}
    return {
        "data": options.data.name,
        "seeds": list(options.seeds),
        "limit": options.limit,
        "store": re.sub(r"//[^/@]*@", "//", options.store) if options.store else None,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "versions": versions,
        "bootstrap": {"draws": DRAWS, "seed": _BOOTSTRAP_SEED},
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def seeds(text: str) -> tuple[int, ...]:
    """``4`` or ``1-5``, both ends counted."""
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text.strip())
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if last < first:
        raise argparse.ArgumentTypeError(f"{text!r} is not a range of seeds; write 4 or 1-5")
    return tuple(range(first, last + 1))


def parse(arguments: Sequence[str] | None, *, name: str, about: str, development: str = "1") -> Options:
    """The options that every benchmark takes; ``development`` are the seeds it was made with."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}", description=about.strip().split("\n")[0])
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder of the data (%(default)s)")
    parser.add_argument("--seeds", type=seeds, default=seeds(development), metavar="A-B", help=f"({development})")
    parser.add_argument("--limit", type=int, help="measure on the first N only")
    parser.add_argument("--store", help="store URL, as for graphmem --store")
    parser.add_argument("--out", type=Path, help="file for the document (stdout)")
    return Options(**vars(parser.parse_args(arguments)))


def run(
    name: str,
    measure: Callable[[Options, Report], None],
    *,
    about: str | None,
    development: str = "1",
    arguments: Sequence[str] | None = None,
) -> None:
    """Parse, measure, print the document. Nothing but the document goes to stdout."""
    options = parse(arguments, name=name, about=about or name, development=development)
    report = Report(name, options)
    measure(options, report)
    with options.out.open("w", encoding="utf-8") if options.out else nullcontext(sys.stdout) as out:
        json.dump(report.document(), out, indent=1, allow_nan=False)
        out.write("\n")
