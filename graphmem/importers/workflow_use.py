"""workflow-use workflows and WALT tools: ``{name, description, steps: [{type, cssSelector, xpath, value ...}], input_schema}``.

A workflow is a recording that somebody has made a template of: ``{placeholders}`` stand where its inputs go. They stay as they
are, and the task names those that the steps use, so that each is a slot of the task. Addresses made by ``url_operation`` are
put together from the page that the step is on.

What cannot be told in a line is refused: an ``agent`` step says in prose what another agent is to do, not what was done, and a
condition with steps of its own does not say which were. A condition that only stops the workflow is kept aside: what follows
was done because it did not. Mock workflows of the tool's own pages have another shape (``{action, target, stepNumber}``), which
is read too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from graphmem.importers.making import WrongStep, in_words, made, text_at
from graphmem.importers.records import Record, Wrong, inside, records
from graphmem.importers.shape import keys_of, text_of
from graphmem.importers.source import Refusal, Source
from graphmem.importers.workflow_steps import Reading
from graphmem.model.trajectory import Trajectory

_KEYS = frozenset(
    {
        "cssSelector",
        "elementTag",
        "elementHash",
        "target_text",
        "url_operation",
        "selectedText",
        "workflow_analysis",
        "stepNumber",
    }
)
_PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)\}")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_LIST_OF_STEPS = re.compile(r'"steps"\s*:')
#: Placeholders that the tool fills itself.
_OWN = frozenset({"current_url"})


class WorkflowUseImporter:
    name = "workflow-use"

    def sniff(self, head: bytes, name: str) -> float:
        keys = keys_of(head)
        if not _LIST_OF_STEPS.search(text_of(head)) or keys & {"op", "selectors", "assertedEvents"}:
            return 0.0
        if "input_schema" in keys or len(keys & _KEYS) > 1:
            return 0.95
        return 0.8 if keys & _KEYS else 0.0

    def read(self, source: Source) -> Iterator[Trajectory | Refusal]:
        for record in records(source):
            yield record if isinstance(record, Refusal) else _one(source, record)


def _one(source: Source, record: Record) -> Trajectory | Refusal:
    try:
        return _trajectory(source, record.value)
    except WrongStep as error:
        return Refusal(source.name, inside(record.place, error.place), error.reason)
    except Wrong as error:
        return Refusal(source.name, record.place, str(error))


def _trajectory(source: Source, raw: Any) -> Trajectory:
    if not isinstance(raw, dict) or not isinstance(raw.get("steps"), list):
        raise Wrong("is JSON, but not a workflow-use workflow: it has no list of steps.")
    if not raw["steps"]:
        raise Wrong("is a workflow-use workflow without steps.")
    declared = _declared(raw.get("input_schema"))
    reading = Reading()
    for number, step in enumerate(raw["steps"], 1):
        try:
            reading.take(number, step)
        except Wrong as error:
            raise WrongStep(f"step {number}", str(error)) from None
    used = _used(reading.steps)
    undeclared = [name for name in used if name not in declared]
    kept = {key: raw[key] for key in ("version", "input_schema", "workflow_analysis") if raw.get(key)}
    kept |= {"undeclared_inputs": undeclared} if undeclared else {}
    record: dict[str, Any] = {
        "task": _task(source, raw, used),
        "outcome": reading.outcome,
        "answer": reading.answer,
        "steps": reading.steps,
        "source": {"tool": "workflow-use", "file": source.file},
        "extra": {"workflow": kept | ({"steps": reading.aside} if reading.aside else {})},
    }
    return made(record, raw)


def _declared(schema: Any) -> set[str]:
    """Names of the inputs: a list of ``{name, type}``, or a JSON Schema object."""
    if isinstance(schema, dict):
        properties = schema.get("properties")
        return set(properties) if isinstance(properties, dict) else set()
    if schema is None:
        return set()
    if not isinstance(schema, list) or not all(isinstance(item, dict) for item in schema):
        raise Wrong("has an input_schema that is neither a list of inputs nor a JSON Schema.")
    return {text_at(item, "name") for item in schema}


def _used(steps: list[dict[str, Any]]) -> list[str]:
    """Inputs that the steps take, in the order in which they come."""
    found: dict[str, None] = {}
    for step in steps:
        texts = [step["value"], *((step["target"] or {}).get(key, "") for key in ("name", "text"))]
        for text in texts:
            found |= dict.fromkeys(name for name in _PLACEHOLDER.findall(text) if name not in _OWN)
    return list(found)


def _task(source: Source, raw: Mapping[str, Any], used: list[str]) -> str:
    """The first sentence of the description, else the name; with the inputs that it does not speak of."""
    said = _SENTENCE.split(" ".join(text_at(raw, "description").split()))[0].rstrip(". ")
    task = said or in_words(text_at(raw, "name")) or source.stem
    if not task:
        raise Wrong("has no name, and there is no file name to use as one.")
    missing = [name for name in used if f"{{{name}}}" not in task]
    told = ", ".join(f"{in_words(name)} {{{name}}}" for name in missing)
    return f"{task} ({told})" if told else task
