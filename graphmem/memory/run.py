"""A recording made from one's own loop: ``with memory.record(task, site=...) as run: run.step(...)``.

Each step is checked when it is given, so the line that is wrong is the one that raises. The whole goes the way of an
imported recording (``graphmem.trajectory/1``): the same checks, and secrets masked before anything becomes a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any, TypeAlias

from graphmem.errors import UsageError
from graphmem.model.identity import canonical
from graphmem.model.target import Target, target_to_json
from graphmem.model.trajectory import OPERATIONS, OUTCOMES, SCHEMA, Page, page_to_json
from graphmem.store import recordings
from graphmem.store.protocol import Store

#: An element: a value, its JSON form, or just its name.
TargetLike: TypeAlias = Target | Mapping[str, Any] | str | None
#: A page: a value, its JSON form, or just its URL.
PageLike: TypeAlias = Page | Mapping[str, Any] | str | None


class Run:
    """One try at a task while it goes on. ``key`` is the recording's, once it is stored."""

    def __init__(self, record: dict[str, Any]) -> None:
        self._record = record
        self._steps: list[dict[str, Any]] = record["steps"]
        self.key = ""

    def step(
        self,
        op: str,
        *,
        target: TargetLike = None,
        to: TargetLike = None,
        value: str = "",
        page: PageLike = None,
        after: PageLike = None,
        reasoning: str = "",
        secret: bool = False,
        site: str = "",
        tab: str = "",
        error: str = "",
    ) -> None:
        """Add what was done; ``page`` is as it was before, ``after`` what came of it. UsageError for what cannot be."""
        if op not in OPERATIONS:
            near = get_close_matches(op, OPERATIONS, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else f"It is one of {', '.join(OPERATIONS)}."
            raise UsageError(f"{op!r} is no operation.", hint=hint)
        step: dict[str, Any] = {"op": op, "value": value, "reasoning": reasoning, "secret": secret}
        step |= {"site": site, "tab": tab, "error": error}
        step |= {"target": _target(target), "to": _target(to), "page": _page(page), "after": _page(after)}
        _check(self._record | {"steps": [step]}, f"Step {len(self._steps) + 1}")
        self._steps.append(step)

    def done(self, outcome: str = "success", *, reward: float | None = None, answer: str = "") -> None:
        """Say how it ended: success, failure or unknown, or a ``reward`` of 0 to 1; and what was answered."""
        if outcome not in OUTCOMES:
            raise UsageError(f"{outcome!r} is no outcome.", hint=f"It is one of {', '.join(OUTCOMES)}.")
        said = {"outcome": outcome, "answer": answer} | ({} if reward is None else {"reward": reward})
        _check(self._record | {"steps": [{"op": "wait"}]} | said, "The outcome")
        self._record |= said


@contextmanager
def recording(store: Store, task: str, record: Mapping[str, Any]) -> Iterator[Run]:
    """A run that is stored at the end of the block; as a failure where the block raises. Without steps nothing is stored."""
    now = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    whole = {"schema": SCHEMA, "task": task, "recorded_at": now, "source": {"tool": "graphmem.record"}, "steps": []}
    run = Run({**whole, **record})
    _check(run._record | {"steps": [{"op": "wait"}]}, "The recording")
    try:
        yield run
    except BaseException as error:
        # The kind alone: what an error says may hold what was typed.
        run._record |= {"outcome": "failure", "extra": {"raised": type(error).__name__}}
        run._record.pop("reward", None)
        raise
    finally:
        _store(store, run)


def _store(store: Store, run: Run) -> None:
    from graphmem.importers.neutral import trajectory_of
    from graphmem.memory.learning import stamp

    if run._steps:
        trajectory = trajectory_of(run._record)
        recordings.save(store, [trajectory], learned=stamp())
        run.key = trajectory.key


def _check(record: dict[str, Any], what: str) -> None:
    from graphmem.importers.schema import faults

    found = faults(record)
    if found:
        place, reason = found[0]
        raise UsageError(f"{what} cannot be stored: {place.removeprefix('step 1, ')} {reason}".replace("  ", " "))
    try:
        canonical(record).encode()
    except UnicodeEncodeError:
        raise UsageError(f"{what} holds half of a surrogate pair, which is not text.") from None


def _target(target: TargetLike) -> dict[str, Any] | None:
    match target:
        case None:
            return None
        case Target():
            return target_to_json(target)
        case str():
            return {"name": target}
        case _:
            return dict(target)


def _page(page: PageLike) -> dict[str, Any] | None:
    match page:
        case None:
            return None
        case Page():
            return page_to_json(page)
        case str():
            return {"url": page}
        case _:
            return dict(page)
