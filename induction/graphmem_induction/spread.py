"""Sites spread over processes, with joblib: induction is a pure function, so who works a site out does not matter.

The store is read and written by one process alone, whichever store it is. While the workers are on one batch, it writes
what came of the batch before and reads the next, so that no more than two batches are in memory. Results come in the order
of the sites. Whether the workers are processes here or on other machines is joblib's to say: ``joblib.parallel_config``.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar

from graphmem.errors import UsageError

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

#: Fewer recordings than this are worked out sooner than processes are started for them.
WORTH_IT = 400
VARIABLE = "GRAPHMEM_WORKERS"


def workers_wanted(given: int | None) -> int | None:
    """How many processes: ``given``, else as GRAPHMEM_WORKERS says; None where nobody says. UsageError."""
    said = str(given) if given is not None else os.environ.get(VARIABLE, "").strip()
    if not said:
        return None
    if not said.isdecimal() or int(said) < 1:
        raise UsageError(
            f"{said!r} is no number of workers.", hint="Say 1 for this process alone, or how many to start."
        )
    return int(said)


def cores() -> int:
    """The cores that this process may use."""
    from joblib import cpu_count

    count: int = cpu_count()
    return count


def spread(work: Callable[[T], R], batches: Iterable[Sequence[T]], workers: int) -> Iterator[list[R]]:
    """``work`` done on every item of every batch, batch by batch; by this process itself where ``workers`` is 1.

    The next batch is asked for, and the caller works on the results of the last, while the workers are busy. What goes
    wrong in a worker is raised here; whoever stops asking, or is interrupted, stops the workers.
    """
    if workers < 2:
        for batch in batches:
            yield [work(item) for item in batch]
        return
    from joblib import Parallel, delayed

    with Parallel(n_jobs=workers, return_as="generator") as pool:
        running: Iterator[R] = iter(())
        for batch in batches:
            done = list(running)
            running = pool([delayed(work)(item) for item in batch])
            if done:
                yield done
        yield list(running)


def undisturbed(work: Callable[P, R]) -> Callable[P, R]:
    """``work`` with Python's collector of cycles held back: what is read and derived has none, and to look for them again and
    again among so many small values takes a third of the time. Counted references go on being freed."""

    @wraps(work)
    def call(*arguments: P.args, **named: P.kwargs) -> R:
        was = gc.isenabled()
        gc.disable()
        try:
            return work(*arguments, **named)
        finally:
            if was:
                gc.enable()

    return call
