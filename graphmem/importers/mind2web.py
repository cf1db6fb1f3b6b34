"""Mind2Web's own JSON: ``{website, domain, subdomain, annotation_id, confirmed_task, action_reprs, actions}``, alone or listed.

An action's element is its positive candidate where there is one (the original target before the others); role and label come
from ``action_reprs`` (``[searchbox]  Find a location -> TYPE: Boston``), which also is all that is left of an element lost in
cleaning. ``operation.original_op`` keeps what CLICK hides (HOVER, ENTER), and the repr keeps the colons that
``operation.value`` lost ("5 00 PM"). Node numbers and boxes stay in the attributes, which is no part of an identity.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from graphmem.importers.html_sketch import sketch_of
from graphmem.importers.records import Record, Wrong, inside, records
from graphmem.importers.schema import faults
from graphmem.importers.shape import keys_of
from graphmem.importers.source import Refusal, Source
from graphmem.model.secrets import mask
from graphmem.model.trajectory import Trajectory, trajectory_from_json, with_run_id

_OPS = {"CLICK": "click", "TYPE": "type", "SELECT": "select", "HOVER": "hover", "ENTER": "press"}
_REPR = re.compile(r"\[(?P<role>[^\]]*)\]\s{0,2}(?P<label>.*) -> (?P<op>[A-Z]+)(?::\s?(?P<value>.*))?\s*", re.DOTALL)
#: Attribute names that the data set's cleaning renamed.
_RENAMED = {"aria_label": "aria-label", "aria_description": "aria-description", "input_value": "value"}
_TAKEN_BY_TARGET = frozenset({"placeholder"})
_IGNORED = frozenset({"actions", "action_reprs", "confirmed_task", "website", "domain", "annotation_id"})


class Mind2WebImporter:
    name = "mind2web"

    def sniff(self, head: bytes, name: str) -> float:
        keys = keys_of(head)
        if "op" in keys and "steps" in keys:
            return 0.0
        known = keys & {"confirmed_task", "action_reprs", "annotation_id", "pos_candidates", "action_uid"}
        return 0.95 if len(known) >= 2 else 0.4 if known else 0.0

    def read(self, source: Source) -> Iterator[Trajectory | Refusal]:
        for record in records(source):
            yield record if isinstance(record, Refusal) else _one(source, record)


def _one(source: Source, record: Record) -> Trajectory | Refusal:
    place = [record.place]
    try:
        return _trajectory(source, record.value, place)
    except Wrong as error:
        return Refusal(source.name, inside(*place), str(error))


def _trajectory(source: Source, raw: Any, place: list[str]) -> Trajectory:
    if not isinstance(raw, dict) or not isinstance(raw.get("actions"), list):
        raise Wrong("is JSON, but not a Mind2Web task: it has no list of actions.")
    reprs = raw.get("action_reprs") or []
    if not isinstance(reprs, list) or (reprs and len(reprs) != len(raw["actions"])):
        raise Wrong("has not as many action_reprs as actions.")
    steps = []
    for index, action in enumerate(raw["actions"]):
        place.append(f"step {index + 1}")
        steps.append(_step(action, reprs[index] if reprs else ""))
        place.pop()
    record = {
        "task": _text(raw, "confirmed_task"),
        "site": _text(raw, "website"),
        "domain": _text(raw, "domain"),
        "outcome": "success",  # every task of the data set was done and checked by people
        "run_id": _text(raw, "annotation_id"),
        "source": {"tool": "mind2web", "file": source.file},
        "steps": steps,
        "extra": {"mind2web": {key: value for key, value in raw.items() if key not in _IGNORED}},
    }
    if found := faults(record):
        raise Wrong(inside(*(f"{at} {reason}".strip() for at, reason in found)))
    vault = mask(record)
    return with_run_id(trajectory_from_json(record), vault.scrub(raw) if not record["run_id"] else None)


def _step(action: Any, shown: Any) -> dict[str, Any]:
    if not isinstance(action, dict) or not isinstance(action.get("operation"), dict) or not isinstance(shown, str):
        raise Wrong("is not an action with an operation.")
    operation = action["operation"]
    told = _REPR.fullmatch(shown.strip())
    if shown and not told:
        raise Wrong("has an action_repr of another form than '[role]  label -> OP: value'.")
    name = _text(operation, "original_op") or _text(operation, "op")
    if name not in _OPS:
        raise Wrong("has an operation that is not known." if name else "has no operation.")
    element = _element(action)
    target = _target(element, told)
    step = {"op": _OPS[name], "target": target, "value": _value(operation, told) if name != "ENTER" else "Enter"}
    sketch = sketch_of(_text(action, "cleaned_html"))
    return step | ({"page": {"sketch": sketch}} if sketch else {})


def _value(operation: Mapping[str, Any], told: re.Match[str] | None) -> str:
    """The typed or chosen value, with the colons that it lost."""
    value = _text(operation, "value")
    shown = (told and told["value"]) or ""
    return shown if ":" in shown and shown.replace(":", " ").split() == value.replace(":", " ").split() else value


def _element(action: Mapping[str, Any]) -> dict[str, str]:
    """Tag and attributes of the positive candidate; nothing where the data set has lost it."""
    candidates = action.get("pos_candidates") or []
    if not isinstance(candidates, list) or not all(isinstance(c, dict) for c in candidates):
        raise Wrong("has pos_candidates that are not a list of objects.")
    if not candidates:
        return {}
    best = max(candidates, key=lambda c: (bool(c.get("is_original_target")), bool(c.get("is_top_level_target"))))
    attributes = best.get("attributes") or {}
    if isinstance(attributes, str):
        try:
            attributes = json.loads(attributes)
        except (ValueError, RecursionError):
            raise Wrong("has candidate attributes that are not valid JSON.") from None
    if not isinstance(attributes, dict):
        raise Wrong("has candidate attributes that are not an object.")
    return {"tag": _text(best, "tag")} | {_renamed(str(k)): str(v) for k, v in attributes.items() if v is not None}


def _renamed(key: str) -> str:
    return _RENAMED.get(key, key)


def _target(element: Mapping[str, str], told: re.Match[str] | None) -> dict[str, Any]:
    label = " ".join(told["label"].split()) if told else ""
    return {
        "role": told["role"].strip() if told else element.get("role", ""),
        "name": label,
        "tag": element.get("tag", ""),
        "placeholder": element.get("placeholder", ""),
        "attributes": {k: v for k, v in element.items() if k not in ("tag", "role", *_TAKEN_BY_TARGET)},
    }


def _text(mapping: Mapping[str, Any], key: str) -> str:
    value = mapping.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Wrong(f"{key!r} must be text.")
    return value
