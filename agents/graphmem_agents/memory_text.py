"""Memory text: what bears on a task as AWM writes it into an agent's prompt, under a token budget.

AWM puts the whole memory of a site into the prompt (Agent Workflow Memory, section 2.2); here the most useful comes first
and what does not fit is left out, block by block: a workflow is never cut. Tokens are counted as four characters each, the
usual rule of thumb for English, since no tokenizer is known here.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping

from graphmem.exporters.awm import block, way_values
from graphmem.model.workflow import Workflow
from graphmem.store.protocol import Store
from graphmem.store.workflows import Programs, programs
from graphmem_agents.recall import Hit, recall

CHARACTERS_A_TOKEN = 4
#: At most this many are considered for one prompt.
_CONSIDERED = 40


def memory_text(
    store: Store, task: str, *, site: str | None = None, budget: int = 2000, environ: Mapping[str, str] = os.environ
) -> str:
    """Workflows that bear on ``task``, most useful first, in at most ``budget`` tokens; "" where none fits in or bears."""
    hits = recall(store, task, site=site, k=_CONSIDERED, environ=environ)
    kept: list[str] = []
    left = budget
    for text in _blocks(store, hits):
        cost = tokens_of(text + "\n\n")
        if cost <= left:
            kept.append(text)
            left -= cost
    return "".join(text + "\n\n" for text in kept)


def tokens_of(text: str) -> int:
    """How many tokens a text is reckoned as."""
    return math.ceil(len(text) / CHARACTERS_A_TOKEN)


def _blocks(store: Store, hits: list[Hit]) -> Iterator[str]:
    """A block for each hit, without what an earlier block has shown (several sites may have one workflow)."""
    found = _fetched(store, hits)
    taken: set[str] = set()
    shown: set[str] = set()
    for hit in hits:
        ways = found.ways.get(hit.key, ()) if hit.label == "Task" else ()
        workflow = ways[0].workflow if ways else found.workflows.get(hit.key)
        if workflow is None or workflow.key in shown:
            continue
        values = way_values(ways[0]) if ways else _open(workflow)
        text = block(workflow, values, hit.name, taken)
        body = text.partition("\n")[2]
        if text and body not in shown:
            shown |= {workflow.key, body}
            yield text


def _fetched(store: Store, hits: list[Hit]) -> Programs:
    return programs(
        store,
        tasks=[hit.key for hit in hits if hit.label == "Task"],
        subtasks=[hit.key for hit in hits if hit.label == "Subtask"],
    )


def _open(workflow: Workflow) -> dict[str, str]:
    return {p.name: f"{{{p.name}}}" for p in workflow.parameters}
