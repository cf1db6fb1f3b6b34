"""graphmem: a knowledge store of web workflows for agents.

This is the one door: what users need is importable from here. A name is loaded when it is first asked for (PEP 562), so
that ``import graphmem`` costs nothing and the bottom layers never pull in the top.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphmem.errors import GraphmemError, InputError, NotFound, StoreError, UsageError
    from graphmem.importers.source import Refusal
    from graphmem.memory import AsyncMemory, LearnReport, Memory, Run
    from graphmem.model.plan import ControlStep, Plan, PlanStep
    from graphmem.model.target import Locator, Near, Target
    from graphmem.model.trajectory import Page, Step, Trajectory
    from graphmem.model.workflow import Action, Workflow
    from graphmem.store.protocol import Store, Table

__all__ = [
    "Action",
    "AsyncMemory",
    "ControlStep",
    "GraphmemError",
    "InputError",
    "LearnReport",
    "Locator",
    "Memory",
    "Near",
    "NotFound",
    "Page",
    "Plan",
    "PlanStep",
    "Refusal",
    "Run",
    "Step",
    "Store",
    "StoreError",
    "Table",
    "Target",
    "Trajectory",
    "UsageError",
    "Workflow",
]

_HOME = {
    "graphmem.errors": ("GraphmemError", "InputError", "NotFound", "StoreError", "UsageError"),
    "graphmem.importers.source": ("Refusal",),
    "graphmem.memory": ("AsyncMemory", "LearnReport", "Memory", "Run"),
    "graphmem.model.plan": ("ControlStep", "Plan", "PlanStep"),
    "graphmem.model.target": ("Locator", "Near", "Target"),
    "graphmem.model.trajectory": ("Page", "Step", "Trajectory"),
    "graphmem.model.workflow": ("Action", "Workflow"),
    "graphmem.store.protocol": ("Store", "Table"),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'graphmem' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULE_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
