"""browser-use histories (``AgentHistoryList`` as JSON), in the three generations that are found, and bare lists of actions.

1. 2024: one action and one result a step, ``current_state.valuation_previous_goal``, elements as ``state.items`` (HTML) and
   ``state.selector_map`` (index to XPath).
2. 2025: lists of actions, results and ``state.interacted_element``, side by side, any of which may be null.
3. late 2025: ``model_output`` flat (thinking, memory, next_goal, action), elements by ``node_name`` and ``x_path``.

A history holds no task: what stands in is what the agent set out to do, its goals in a row. An index means something only
with the element that it was; screenshots, in the file or beside it, are never kept. ``success`` is the agent's own word.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from graphmem.importers.browser_use_actions import Unknown, step_of
from graphmem.importers.browser_use_elements import Elements
from graphmem.importers.places import with_sites
from graphmem.importers.records import Record, Wrong, inside, records
from graphmem.importers.schema import faults
from graphmem.importers.shape import keys_of, text_of
from graphmem.importers.source import Refusal, Source
from graphmem.model.secrets import mask
from graphmem.model.trajectory import Trajectory, trajectory_from_json, with_run_id

_TASK_KEYS = ("task", "agent_task", "goal")
_MOST_TASK = 300
_ACTIONS = (
    '"click_element', '"input_text"', '"go_to_url"', '"search_google"', '"open_tab"', '"scroll_down"', '"send_keys"',
    '"navigate"', '"click"', '"input"', '"search"',
)  # fmt: skip
_DROPPED = frozenset({"screenshot", "screenshot_path", "base64"})


class BrowserUseImporter:
    name = "browser-use"

    def sniff(self, head: bytes, name: str) -> float:
        keys = keys_of(head)
        if {"history", "model_output"} <= keys:
            return 0.95
        text = text_of(head).lstrip("\ufeff \t\r\n")
        # A bare list of actions: objects of one key, the name of an action.
        is_list = text.startswith("[") and not keys & {"role", "type", "steps", "op", "actions", "action_reprs"}
        return 0.8 if is_list and sum(text.count(action + ":") for action in _ACTIONS) >= 1 else 0.0

    def read(self, source: Source) -> Iterator[Trajectory | Refusal]:
        bare: list[Any] = []
        for record in records(source):
            if isinstance(record, Refusal):
                yield record
            elif isinstance(record.value, dict) and "history" not in record.value and len(record.value) == 1:
                bare.append(record.value)
            else:
                yield _one(source, record)
        if bare:
            yield _one(source, Record("", {"history": [{"model_output": {"action": bare}, "state": {}}]}))


def _one(source: Source, record: Record) -> Trajectory | Refusal:
    place = [record.place]
    try:
        return _trajectory(source, record.value, place)
    except Wrong as error:
        return Refusal(source.name, inside(*place), str(error))


def _trajectory(source: Source, raw: Any, place: list[str]) -> Trajectory:
    if not isinstance(raw, dict) or not isinstance(raw.get("history"), list):
        raise Wrong("is JSON, but not a browser-use history: it has no list of steps.")
    reading = _Reading()
    for number, item in enumerate(raw["history"], 1):
        place.append(f"step {number}")
        reading.add(item, number)
        place.pop()
    if not reading.steps:
        raise Wrong("is a browser-use history that has no steps that do anything on a page.")
    task = next((raw[key] for key in _TASK_KEYS if isinstance(raw.get(key), str) and raw[key].strip()), "")
    record = {
        "task": (task or reading.goal() or source.stem).strip(),
        "outcome": reading.outcome,
        "recorded_at": reading.recorded_at,
        "answer": reading.answer,
        "source": {"tool": "browser-use", "file": source.file},
        "steps": reading.steps,
        "extra": {"browser_use": reading.notes} if reading.notes else {},
    }
    if found := faults(record):
        raise Wrong(inside(*(f"{at} {reason}".strip() for at, reason in found)))
    vault = mask(record)
    return with_run_id(trajectory_from_json(with_sites(record)), vault.scrub(_without_images(raw)))


class _Reading:
    """One pass over the history; gathers what the neutral form wants."""

    def __init__(self) -> None:
        self.steps: list[dict[str, Any]] = []
        self.notes: dict[str, Any] = {}
        self.outcome = "unknown"
        self.recorded_at = ""
        self.answer = ""
        self._goals: list[str] = []

    def goal(self) -> str:
        """What the agent set out to do, its goals in a row, as far as a task's text goes."""
        whole = ""
        for goal in dict.fromkeys(self._goals):
            joined = f"{whole}, then {goal[:1].lower()}{goal[1:]}" if whole else goal
            if len(joined) > _MOST_TASK:
                break
            whole = joined
        return whole or "".join(self._goals[:1])[:_MOST_TASK]

    def add(self, item: Any, number: int) -> None:
        if not isinstance(item, dict):
            raise Wrong("is not an object.")
        output, state = _object(item, "model_output"), _object(item, "state")
        actions, results = _listed(output.get("action")), _listed(item.get("result"))
        elements = Elements(state)
        mind = _object(output, "current_state") | {k: v for k, v in output.items() if k != "current_state"}
        goal = _string(mind.get("next_goal"))
        page = _page(state, elements)
        self._arrive(page)
        made = []
        for position, action in enumerate(actions):
            result = results[position] if position < len(results) and isinstance(results[position], dict) else {}
            step = self._act(action, position, elements, result, number)
            if step:
                made.append(_reasoned(step, mind, page))
        self.steps += made
        # The goal of the last step is to say that all is done.
        if goal and any(step["op"] not in ("answer", "wait") for step in made):
            self._goals.append(goal.rstrip(". "))
        self._note(number, mind, item)

    def _act(
        self, action: Any, position: int, elements: Elements, result: Mapping[str, Any], number: int
    ) -> dict[str, Any] | None:
        if action is None or action == {}:
            return None
        if not isinstance(action, dict):
            raise Wrong("has an action that is not an object.")
        name, parameters = next(((k, v) for k, v in action.items() if v is not None), ("", None))
        if not isinstance(parameters, dict):
            parameters = {}
        try:
            step = step_of(name, parameters, elements, position, _string(result.get("extracted_content")))
        except Unknown:
            if any(isinstance(value, int) for key, value in parameters.items() if "index" in key):
                raise Wrong("has an action on an element that is not known.") from None
            step = None
        if step is None:
            self.notes.setdefault("other_actions", []).append({"step": number, "action": action})
            return None
        if error := _string(result.get("error")):
            step["error"] = error
        if step["op"] == "answer":
            self._finish(step, parameters, result)
        return step

    def _finish(self, step: Mapping[str, Any], parameters: Mapping[str, Any], result: Mapping[str, Any]) -> None:
        self.answer = step["value"]
        said = parameters.get("success", result.get("success"))
        if isinstance(said, bool):
            self.outcome = "success" if said else "failure"

    def _arrive(self, page: dict[str, Any] | None) -> None:
        """The page that a step is done on is what came of the step before."""
        if page and self.steps and page["url"] and not self.steps[-1].get("after"):
            self.steps[-1]["after"] = {"url": page["url"], "title": page["title"]}

    def _note(self, number: int, mind: Mapping[str, Any], item: Mapping[str, Any]) -> None:
        judged = _string(mind.get("evaluation_previous_goal") or mind.get("valuation_previous_goal"))
        told = {"evaluation": judged, "memory": _string(mind.get("memory"))}
        if kept := {key: value for key, value in told.items() if value and value != "Unknown"}:
            self.notes.setdefault("thoughts", {})[str(number)] = kept
        began = _object(item, "metadata").get("step_start_time")
        if not self.recorded_at and isinstance(began, int | float) and 0 < began < 4e9:
            self.recorded_at = datetime.fromtimestamp(began, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _reasoned(step: dict[str, Any], mind: Mapping[str, Any], page: dict[str, Any] | None) -> dict[str, Any]:
    reasoning = _string(mind.get("thinking")) or _string(mind.get("next_goal"))
    return step | {"reasoning": reasoning} | ({"page": page} if page else {})


def _page(state: Mapping[str, Any], elements: Elements) -> dict[str, Any] | None:
    url = _string(state.get("url"))
    if url in ("", "about:blank") and not elements.sketch:
        return None
    return {"url": url, "title": _string(state.get("title")), "sketch": elements.sketch}


def _object(mapping: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = mapping.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Wrong(f"{key!r} must be an object.")
    return value


def _listed(value: Any) -> list[Any]:
    """The first generation has one where the others have a list."""
    return value if isinstance(value, list) else [] if value is None else [value]


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _without_images(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_images(item) for key, item in value.items() if key not in _DROPPED}
    return [_without_images(item) for item in value] if isinstance(value, list) else value
