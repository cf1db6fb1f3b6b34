"""AsyncMemory: the same calls from a coroutine, each in a thread.

There is no second implementation. ``_in_thread`` turns a method of ``Memory`` into a coroutine method with the same
parameters and result, as the type checker sees too; the body of the class is the table. One call runs at a time, in the
order in which they were made: a store does one unit of work at a time anyway.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import update_wrapper
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from graphmem.memory.memory import Memory
from graphmem.memory.run import Run

P = ParamSpec("P")
R = TypeVar("R")


def _in_thread(
    call: Callable[Concatenate[Memory, P], R],
) -> Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, R]]:
    async def in_thread(self: AsyncMemory, /, *args: P.args, **kwargs: P.kwargs) -> R:
        async with self._turn:
            return await asyncio.to_thread(call, self.memory, *args, **kwargs)

    update_wrapper(in_thread, call)
    return in_thread


class AsyncMemory:
    """``Memory`` for asyncio: ``async with await AsyncMemory.open() as memory: plan = await memory.plan(...)``."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._turn = asyncio.Lock()

    @classmethod
    async def open(cls, url: str | None = None, *, wait: float = 30.0) -> Self:
        return cls(await asyncio.to_thread(Memory.open, url, wait=wait))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @asynccontextmanager
    async def record(
        self, task: str, *, site: str = "", domain: str = "", run_id: str = "", template: str = ""
    ) -> AsyncIterator[Run]:
        """A recording from one's own loop, stored at the end of the block."""
        block = self.memory.record(task, site=site, domain=domain, run_id=run_id, template=template)
        # Only the end touches the store, so only the end needs a thread.
        run = block.__enter__()
        try:
            yield run
        except BaseException as error:
            await self._ended(block.__exit__, type(error), error, error.__traceback__)
            raise
        else:
            await self._ended(block.__exit__, None, None, None)

    async def _ended(self, end: Callable[..., Any], *how: Any) -> None:
        async with self._turn:
            await asyncio.shield(asyncio.to_thread(end, *how))

    close = _in_thread(Memory.close)
    learn = _in_thread(Memory.learn)
    import_ = _in_thread(Memory.import_)
    induce = _in_thread(Memory.induce)
    judge = _in_thread(Memory.judge)
    forget = _in_thread(Memory.forget)
    rename = _in_thread(Memory.rename)
    quarantine = _in_thread(Memory.quarantine)
    edit = _in_thread(Memory.edit)
    merges = _in_thread(Memory.merges)
    merge_preview = _in_thread(Memory.merge_preview)
    merge = _in_thread(Memory.merge)
    not_a_duplicate = _in_thread(Memory.not_a_duplicate)
    versions = _in_thread(Memory.versions)
    diff = _in_thread(Memory.diff)
    rollback = _in_thread(Memory.rollback)
    last_act = _in_thread(Memory.last_act)
    undo = _in_thread(Memory.undo)
    plan = _in_thread(Memory.plan)
    recall = _in_thread(Memory.recall)
    text = _in_thread(Memory.text)
    tools = _in_thread(Memory.tools)
    query = _in_thread(Memory.query)
    cypher = _in_thread(Memory.cypher)
    find = _in_thread(Memory.find)
    workflows = _in_thread(Memory.workflows)
    show = _in_thread(Memory.show)
    graph = _in_thread(Memory.graph)
    stats = _in_thread(Memory.stats)
    verify = _in_thread(Memory.verify)
    export = _in_thread(Memory.export)
    dump = _in_thread(Memory.dump)
    load = _in_thread(Memory.load)
    view = _in_thread(Memory.view)
