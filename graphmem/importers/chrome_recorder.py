"""Chrome DevTools Recorder: ``{title, steps: [{type, selectors, value, key, assertedEvents, frame ...}]}``.

What becomes of each step type: navigate, click, doubleClick, hover, scroll, change, keyDown and waitFor* become steps
of the neutral form; setViewport, emulateNetworkConditions and close are kept in ``extra`` with everything else that the
neutral form has no place for (offsets, timeouts ...), by the number of the recorded step. A type that is not known refuses
the recording: with a hole in it, it would teach a wrong routine.

Typing arrives as changes with growing values and key events in between: the last value stands for them all, so that no
part of a typed secret is left behind. The task is the title; where there is none, the file's name in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from graphmem.importers.chrome_selectors import target_of
from graphmem.importers.places import with_sites
from graphmem.importers.records import Record, Wrong, inside, records
from graphmem.importers.schema import faults
from graphmem.importers.shape import keys_of, text_of
from graphmem.importers.source import Refusal, Source
from graphmem.model.secrets import mask, mask_text
from graphmem.model.trajectory import Trajectory, trajectory_from_json, with_run_id

_TYPES = re.compile(
    r'"type"\s*:\s*"(setViewport|navigate|doubleClick|waitForElement|waitForExpression|keyDown|change)"'
)
_OPS = {
    "click": "click", "doubleClick": "dblclick", "hover": "hover", "scroll": "scroll", "change": "type",
    "waitForElement": "wait", "waitForExpression": "wait", "customStep": "wait",
}  # fmt: skip
_KEPT_ASIDE = frozenset({"setViewport", "emulateNetworkConditions", "close"})
_MODIFIERS = ("Control", "Alt", "AltGraph", "Shift", "Meta")
#: What a step says in the neutral form, so that it need not be kept in ``extra``.
_USED = {"type", "url", "value", "key", "button", "expression", "selectors", "frame", "target", "assertedEvents"}


class _WrongStep(Exception):
    """A step that is not understood: its number as recorded, and why."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number
        self.reason = reason


class ChromeRecorderImporter:
    name = "chrome-recorder"

    def sniff(self, head: bytes, name: str) -> float:
        keys = keys_of(head)
        if "steps" not in keys or keys & {"op", "input_schema"}:
            return 0.0
        if keys & {"selectors", "assertedEvents"} or _TYPES.search(text_of(head)):
            return 0.9
        return 0.5 if "title" in keys and "task" not in keys else 0.0

    def read(self, source: Source) -> Iterator[Trajectory | Refusal]:
        for record in records(source):
            yield record if isinstance(record, Refusal) else _one(source, record)


def _one(source: Source, record: Record) -> Trajectory | Refusal:
    try:
        return _trajectory(source, record.value)
    except Wrong as error:
        return Refusal(source.name, record.place, str(error))
    except _WrongStep as error:
        return Refusal(source.name, inside(record.place, f"step {error.number}"), error.reason)


def _trajectory(source: Source, raw: Any) -> Trajectory:
    if not isinstance(raw, dict) or not isinstance(raw.get("steps"), list):
        raise Wrong("is JSON, but not a recording: it has no list of steps.")
    title = raw.get("title", "")
    if not isinstance(title, str):
        raise Wrong("has a title that is not text.")
    task = title.strip() or source.stem
    if not task:
        raise Wrong("has no title, and there is no file name to use as one.")
    steps, aside = _Reading(raw["steps"]).read()
    if not steps:
        raise Wrong("has no steps that do anything.")
    record = {"task": task, "steps": steps, "source": {"tool": "chrome-recorder", "file": source.file}}
    rest = {key: value for key, value in raw.items() if key not in ("title", "steps")}
    record["extra"] = {"recorder": rest | ({"steps": aside} if aside else {})} if rest or aside else {}
    if found := faults(record):
        raise Wrong(inside(*(f"{place} {reason}".strip() for place, reason in found)))
    vault = mask(record)
    return with_run_id(trajectory_from_json(with_sites(record)), vault.scrub(raw))


class _Reading:
    """One pass over the recorded steps. Keeps the page that they are on and the keys that are held."""

    def __init__(self, steps: list[Any]) -> None:
        for number, step in enumerate(steps, 1):
            if not isinstance(step, dict) or not isinstance(step.get("type"), str):
                raise _WrongStep(number, "is not an object with a type.")
        self._steps: list[dict[str, Any]] = steps
        self._page: dict[str, str] = {}
        self._held: list[str] = []
        self._spent: set[str] = set()
        self._made: list[dict[str, Any]] = []
        self._aside: dict[str, Any] = {}

    def read(self) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """The steps in the neutral form, and what they have no place for by the number of the recorded step."""
        for index, step in enumerate(self._steps):
            if step["type"] not in ("keyDown", "keyUp"):
                self._held = []  # a release that was not recorded must not colour every later key
            try:
                made = self._step(index, step)
                if made:
                    self._add(made, step)
            except Wrong as error:
                raise _WrongStep(index + 1, str(error)) from None
            left = step if made is None else {k: v for k, v in step.items() if k not in _USED}
            if left and step["type"] not in ("keyDown", "keyUp"):
                self._aside[str(index + 1)] = left
        return self._made, self._aside

    def _step(self, index: int, step: dict[str, Any]) -> dict[str, Any] | None:
        kind = step["type"]
        if kind == "navigate":
            return self._navigate(step)
        if kind in ("keyDown", "keyUp"):
            return self._key(index, step)
        if kind in _KEPT_ASIDE:
            return None
        if kind not in _OPS:
            raise Wrong(f"unknown step type {mask_text(kind)[:40]!r}.")
        if kind == "customStep" and step.get("name") != "TimeoutStep":
            raise Wrong("a customStep of an extension that is not known.")
        target = target_of(step)
        made = {"op": _OPS[kind], "target": target, "value": _value(kind, step)}
        if kind == "change" and target:
            made["op"] = "select" if target["tag"] == "select" else "type"
            target["role"] = target["role"] or ("combobox" if made["op"] == "select" else "textbox")
        return made

    def _navigate(self, step: dict[str, Any]) -> dict[str, Any] | None:
        url = _text(step, "url")
        if not url:
            raise Wrong("a navigation without a URL.")
        if url.startswith(("chrome:", "about:", "edge:")):
            return None  # the browser's start page is no part of the task
        return {"op": "navigate", "value": url}

    def _key(self, index: int, step: dict[str, Any]) -> dict[str, Any] | None:
        """A key that does something is a press; the letters of typing, held modifiers and releases are not."""
        key = _text(step, "key")
        if not key:
            raise Wrong("a key event without a key.")
        if step["type"] == "keyUp":
            return self._release(key)
        if key in _MODIFIERS:
            self._held = [*(k for k in self._held if k != key), key]
            return None
        self._spent.add(key)
        held = [k for k in self._held if not (k == "Shift" and len(key) == 1)]
        if not held and len(key) == 1 and self._is_typing(index):
            return None
        return {"op": "press", "value": "+".join([*held, key])}

    def _release(self, key: str) -> dict[str, Any] | None:
        if key in self._held:
            self._held.remove(key)
            return None
        if key in self._spent or key in _MODIFIERS or len(key) == 1:
            self._spent.discard(key)
            return None
        return {"op": "press", "value": key}  # the recording began while the key was down

    def _is_typing(self, index: int) -> bool:
        """Whether the key events around this one lead to a change or come from one, which has the text already."""
        others = (step["type"] for step in self._steps[index + 1 :] if step["type"] not in ("keyDown", "keyUp"))
        return next(others, "") == "change" or bool(self._made and self._made[-1]["op"] == "type")

    def _add(self, made: dict[str, Any], step: dict[str, Any]) -> None:
        made |= {"tab": "" if step.get("target") in (None, "main") else _text(step, "target")}
        here = {"url": made["tab"]} if made["tab"] else dict(self._page)
        if here:
            made["page"] = here
        landed = _landed(step, made)
        if landed:
            made["after"] = self._page = landed
        if self._made and _grew(self._made[-1], made):
            self._made.pop()
        self._made.append(made)


def _grew(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether two changes of one field are one typing: the second value goes on from the first."""
    if (
        not before["op"] == after["op"] == "type"
        or before["target"] != after["target"]
        or before["tab"] != after["tab"]
    ):
        return False
    return str(after["value"]).startswith(before["value"])


def _value(kind: str, step: dict[str, Any]) -> str:
    if kind == "change":
        return _text(step, "value")
    if kind in ("click", "doubleClick"):
        button = _text(step, "button")
        return "" if button == "primary" else button
    if kind == "waitForExpression":
        return _text(step, "expression")
    if kind == "waitForElement" and "count" in step:
        return f"{step.get('operator', '>=')} {step['count']}"
    return ""


def _landed(step: dict[str, Any], made: Mapping[str, Any]) -> dict[str, str]:
    """The page that a step led to: what it was asserted to be, else what it navigated to."""
    events = step.get("assertedEvents") or []
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        raise Wrong("has assertedEvents that are not a list of objects.")
    pages = [event for event in events if event.get("type") == "navigation" and event.get("url")]
    if pages:
        return {"url": _text(pages[-1], "url"), "title": _text(pages[-1], "title")}
    return {"url": made["value"]} if made["op"] == "navigate" else {}


def _text(step: Mapping[str, Any], key: str) -> str:
    value = step.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Wrong(f"{key!r} must be text.")
    return value
