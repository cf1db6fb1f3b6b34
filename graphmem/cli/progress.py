"""How far a long job is, on stderr: a moving line in a terminal, one line a stage where nobody watches."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol


class Progress(Protocol):
    """Called with the stage, how much of it is done, and how much there is in all (0: not known)."""

    def __call__(self, stage: str, done: int, total: int) -> None: ...


@contextmanager
def progress(quiet: bool) -> Iterator[Progress]:
    """Progress for the block, cleared away at its end."""
    if quiet:
        yield lambda stage, done, total: None
    elif sys.stderr.isatty():
        yield from _bar()
    else:
        yield _Lines()


def _bar() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    shown = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Bar(*shown, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as bar:
        stages: dict[str, Any] = {}

        def tell(stage: str, done: int, total: int) -> None:
            if stage not in stages:
                stages[stage] = bar.add_task(stage)
            bar.update(stages[stage], completed=done, total=total or None)

        yield tell


class _Lines:
    def __init__(self) -> None:
        self._stages: set[str] = set()

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage not in self._stages:
            self._stages.add(stage)
            print(f"{stage} ...", file=sys.stderr, flush=True)
