"""The steps of workflow-use and WALT in the neutral form, one by one, with the page that they are on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from graphmem.importers.making import quoted, text_at
from graphmem.importers.python_literals import literal
from graphmem.importers.records import Wrong
from graphmem.importers.selectors import blank, fill, learn, settle

#: The mock shape's names of actions.
_MOCK = {
    "navigate": "navigation", "type": "input", "key": "key_press", "select": "select_change", "extract": "extract_page_content",
}  # fmt: skip
_USED = {
    "type", "description", "url", "cssSelector", "xpath", "elementTag", "elementText", "value", "key", "selectedText",
    "target_text", "targetText", "output", "action", "target", "label", "stepNumber", "id", "frameUrl", "url_operation",
}  # fmt: skip
#: What a mock keeps of a password is how long it was.
_BULLETS = "•●∙*"
MOST_TEXT = 200


class Reading:
    """Takes steps in order. ``outcome`` and ``answer`` are what a ``done`` step says."""

    def __init__(self) -> None:
        self.steps: list[dict[str, Any]] = []
        self.aside: dict[str, Any] = {}
        self.outcome = "unknown"
        self.answer = ""
        self._url = ""
        self._tabs: list[str] = []

    def take(self, number: int, raw: Any) -> None:
        """Wrong when the step is not understood."""
        if not isinstance(raw, dict):
            raise Wrong("is not an object with a type.")
        step = _from_mock(raw) if "type" not in raw and "action" in raw else raw
        kind = text_at(step, "type")
        if kind not in _READ:
            raise Wrong(f"has a step type that is not known: {quoted(kind)}." if kind else "has no type.")
        left = {key: value for key, value in step.items() if key not in _USED and value not in (None, "")}
        if left or kind in ("conditional", "wait"):
            self.aside[str(number)] = left | ({"type": kind} if kind == "conditional" else {})
        made = _READ[kind](self, step)
        if made is not None:
            self._add(made, step)

    def _add(self, made: dict[str, Any], step: Mapping[str, Any]) -> None:
        said = text_at(step, "description") or text_at(step, "label")
        made = {"target": None, "value": "", "reasoning": said, "tab": self._tab(step)} | made
        here = text_at(step, "url") if made["op"] != "navigate" else ""
        if here or self._url:
            made["page"] = {"url": here or self._url}
        if made["op"] == "navigate":
            self._url = made["value"]
            made["after"] = {"url": self._url}
        self.steps.append(made)

    def _tab(self, step: Mapping[str, Any]) -> str:
        """A tab's number is another at each run: the first is unnamed, the others are counted."""
        tab = step.get("tabId")
        if not isinstance(tab, int):
            return ""
        if str(tab) not in self._tabs:
            self._tabs.append(str(tab))
        number = self._tabs.index(str(tab))
        return f"page{number}" if number else ""

    def _navigation(self, step: Mapping[str, Any]) -> dict[str, Any] | None:
        url = text_at(step, "url") or self._operated(step.get("url_operation"))
        if not url:
            raise Wrong("a navigation without a URL.")
        return None if url.startswith(("about:", "chrome:", "edge:")) else {"op": "navigate", "value": url}

    def _operated(self, operation: Any) -> str:
        """The address of ``{base, replace: {parameter: value}}``, which may also be a Python literal in a string."""
        if isinstance(operation, str):
            operation = literal(operation)
        if operation is None:
            return ""
        if not isinstance(operation, dict) or not isinstance(operation.get("replace") or {}, dict):
            raise Wrong("has a url_operation that is not {base, replace}.")
        base = str(operation.get("base") or "{current_url}")
        base = base.replace("{current_url}", self._url or "{current_url}")
        path, _, query = base.partition("?")
        values = dict(parse_qsl(query, keep_blank_values=True))
        values |= {str(key): str(value) for key, value in (operation.get("replace") or {}).items() if value is not None}
        return f"{path}?{urlencode(values, safe='{}')}" if values else path

    def _click(self, step: Mapping[str, Any]) -> dict[str, Any]:
        target = _target(step, "click")
        _needs(target)
        return {"op": "click", "target": target}

    def _input(self, step: Mapping[str, Any]) -> dict[str, Any]:
        target = _target(step, "type")
        _needs(target)
        value = _value(step, "value")
        if value and not value.strip(_BULLETS + " "):
            target["attributes"].setdefault("type", "password")
        if target["attributes"].get("type") in ("checkbox", "radio"):
            return {"op": "click", "target": target}
        return {"op": "type", "target": target, "value": value}

    def _select(self, step: Mapping[str, Any]) -> dict[str, Any]:
        target = _target(step, "select")
        _needs(target)
        return {"op": "select", "target": target, "value": _value(step, "selectedText") or _value(step, "value")}

    def _press(self, step: Mapping[str, Any]) -> dict[str, Any]:
        key = text_at(step, "key") or text_at(step, "value")
        if not key:
            raise Wrong("a key press without a key.")
        target = _target(step, "press")
        return {"op": "press", "target": target if target["locators"] else None, "value": key}

    def _scroll(self, step: Mapping[str, Any]) -> dict[str, Any]:
        return {"op": "scroll"}

    def _wait(self, step: Mapping[str, Any]) -> dict[str, Any]:
        target = _target(step, "wait")
        return {"op": "wait", "target": target if target["locators"] else None}

    def _extract(self, step: Mapping[str, Any]) -> dict[str, Any]:
        target = _target(step, "extract")
        return {"op": "extract", "target": target if target["locators"] else None}

    def _done(self, step: Mapping[str, Any]) -> None:
        self.answer = text_at(step, "text")
        success = step.get("success")
        self.outcome = ("success" if success else "failure") if isinstance(success, bool) else "unknown"

    def _conditional(self, step: Mapping[str, Any]) -> None:
        """A guard that lets go on or stops is no step; one with steps of its own is two ways, of which one was gone."""
        if any(isinstance(value, list) and any(isinstance(item, dict) for item in value) for value in step.values()):
            raise Wrong("is a condition with steps of its own: a recording is what was done, in a line.")

    def _agent(self, step: Mapping[str, Any]) -> None:
        raise Wrong("is an agent step: it says in prose what another agent is to do, and not what was done.")

    def _back(self, step: Mapping[str, Any]) -> dict[str, Any]:
        return {"op": "press", "value": "Alt+ArrowLeft"}


_READ: Mapping[str, Callable[[Reading, Mapping[str, Any]], dict[str, Any] | None]] = {
    "navigation": Reading._navigation,
    "click": Reading._click,
    "button": Reading._click,
    "input": Reading._input,
    "select_change": Reading._select,
    "key_press": Reading._press,
    "keypress": Reading._press,
    "scroll": Reading._scroll,
    "wait": Reading._wait,
    "extract": Reading._extract,
    "extract_dom_content": Reading._extract,
    "extract_page_content": Reading._extract,
    "go_back": Reading._back,
    "done": Reading._done,
    "conditional": Reading._conditional,
    "agent": Reading._agent,
}


def _from_mock(raw: Mapping[str, Any]) -> dict[str, Any]:
    """``{action, target, value}`` as the tool's own form: a target is an address of a navigation, else a selector."""
    action, target = text_at(raw, "action"), text_at(raw, "target")
    kind = _MOCK.get(action, action)
    place = "url" if kind == "navigation" else "key" if kind == "key_press" and "value" not in raw else "cssSelector"
    return {**raw, "type": kind, place: target}


def _target(step: Mapping[str, Any], op: str) -> dict[str, Any]:
    target = blank()
    target["tag"] = text_at(step, "elementTag").lower()
    said = text_at(step, "target_text") or text_at(step, "targetText")
    fill(target, "name", said)
    _learn_css(target, text_at(step, "cssSelector"))
    learn(target, "xpath", text_at(step, "xpath"))
    if said:
        target["locators"].append({"kind": "text", "value": said})
    fill(target, "text", _first_line(text_at(step, "elementText")))
    return settle(target, op)


def _learn_css(target: dict[str, Any], selector: str) -> None:
    """A path through shadow roots is written with ``>>>`` or ``::shadow``, the outermost host first."""
    *hosts, own = (part.strip() for part in selector.replace("::shadow", ">>>").split(">>>"))
    if hosts:
        target["shadow"] = [host for host in hosts if host]
    learn(target, "css", own)


def _first_line(text: str) -> str:
    """What an element is called stands first; a card's text goes on with all that is in it."""
    return next((line for line in map(str.strip, text.splitlines()) if line), "")[:MOST_TEXT]


def _needs(target: Mapping[str, Any]) -> None:
    if not target["locators"] and not target["text"]:
        raise Wrong("a workflow-use step with neither a selector nor a text to tell the element by.")


def _value(step: Mapping[str, Any], key: str) -> str:
    """Numbers and truth values of hand-written workflows are taken as text."""
    value = step.get(key)
    return (
        str(value).lower()
        if isinstance(value, bool)
        else str(value)
        if isinstance(value, int | float)
        else text_at(step, key)
    )
