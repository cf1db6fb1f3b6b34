"""The calls that users make: ``Memory``, and ``AsyncMemory`` with the same ones.

``memory`` is the table of calls; each longer one has a file: ``learning`` (recordings in), ``run`` (a recording from one's
own loop), ``finding`` (a node by key, prefix or name), ``hierarchy`` (the graph for networkx), ``asking`` (named queries),
``files`` (whole files or none). Heavy layers are imported by the call that needs them, so that ``stats`` loads no model.
"""

from __future__ import annotations

from graphmem.memory.aio import AsyncMemory
from graphmem.memory.finding import Found
from graphmem.memory.learning import LearnReport
from graphmem.memory.memory import Memory
from graphmem.memory.run import Run

__all__ = ["AsyncMemory", "Found", "LearnReport", "Memory", "Run"]
