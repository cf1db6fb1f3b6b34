"""Tools: what bears on a task as functions that a model may call (AWM_AS, Agent Workflow Memory, section 4.2).

Each task or subtask is one function with a JSON Schema of its parameters, in the form of OpenAI's function calling. Secrets
are no parameters: a model neither knows nor says them, they are resolved when the plan is run. The end of the description
names the node, so that a call finds its way back to the graph.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from graphmem.exporters.awm import unique_name
from graphmem.model.workflow import Parameter
from graphmem.store.protocol import Store
from graphmem_agents.recall import seek
from graphmem_agents.score import Scored

#: Models choose badly among many functions.
MOST = 12
_FLOOR = 0.2

SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "text": {"type": "string"},
    "number": {"type": "number"},
    "date": {"type": "string", "description": "a date, as in 2027-03-09"},
    "time": {"type": "string", "description": "a time of day, as in 18:30"},
    "url": {"type": "string", "description": "an address"},
    "list": {"type": "array", "items": {"type": "string"}},
}


def tools(
    store: Store, task: str, *, site: str | None = None, environ: Mapping[str, str] = os.environ
) -> list[dict[str, Any]]:
    """The tools for ``task``, the most useful first."""
    found = seek(store, task, [task], site=site or "", environ=environ).ranked[0]
    taken: set[str] = set()
    return [_tool(scored, taken) for scored in found if scored.score >= _FLOOR][:MOST]


def _tool(scored: Scored, taken: set[str]) -> dict[str, Any]:
    known = scored.known
    parameters = [p for p in known.parameters if p.type != "secret"]
    where = f" On {known.site}." if known.sites else " On any site."
    return {
        "type": "function",
        "function": {
            "name": unique_name(known.name, taken),
            "description": f"{known.text}.{where} ({known.key})",
            "parameters": {
                "type": "object",
                "properties": {p.name: _schema(p) for p in parameters},
                "required": [p.name for p in parameters],
                "additionalProperties": False,
            },
        },
    }


def _schema(parameter: Parameter) -> dict[str, Any]:
    return dict(SCHEMAS.get(parameter.type, SCHEMAS["text"]))
