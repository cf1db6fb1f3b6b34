"""The events of a Playwright trace, gathered to calls: what was called, on which page, what came of it.

A call is a ``before`` event (class, method, params) and an ``after`` (error); its page is named there, or in the snapshots
taken around it, which also give the address before and after. A log line ``locator resolved to <input type="password">``
tells the tag and attributes of the element itself, which a selector need not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any

from graphmem.importers.making import MOST_STEPS, WrongStep, absolute
from graphmem.importers.playwright_actions import step_of
from graphmem.importers.records import Wrong
from graphmem.importers.selectors import learn_attribute, settle

_ON_PAGE = frozenset({"Frame", "Page", "ElementHandle", "Locator"})
_RESOLVED = re.compile(r"locator resolved to (?:visible |hidden )?(<.*)", re.DOTALL)
_KEPT_ATTRIBUTES = frozenset(
    {"alt", "aria-label", "autocomplete", "for", "href", "id", "name", "placeholder", "role", "title", "type"}
)
_FRAMEWORK = re.compile(r" › ")


@dataclass
class _Call:
    number: int
    kind: str
    method: str
    params: dict[str, Any]
    page: str = ""
    before: str = ""
    after: str = ""
    error: str = ""
    element: str = ""


class Calls:
    """Takes events one by one; ``steps`` gives what was done in the neutral form."""

    def __init__(self) -> None:
        self.version = 0
        self.title = ""
        self.wall_time = 0.0
        self._base = ""
        self._calls: dict[str, _Call] = {}
        self._pages: list[str] = []

    def take(self, event: Mapping[str, Any], number: int) -> None:
        """Wrong when the event is of another form than its type has."""
        kind = event.get("type")
        if kind == "context-options":
            self._context(event)
        elif kind == "before":
            self._begin(event, number)
        elif kind == "frame-snapshot":
            self._snapshot(event.get("snapshot"))
        elif isinstance(call := self._calls.get(str(event.get("callId"))), _Call):
            self._more(call, kind, event)

    def _context(self, event: Mapping[str, Any]) -> None:
        version, wall = event.get("version"), event.get("wallTime")
        if isinstance(version, int) and not self.version:
            self.version = version
        self.wall_time = self.wall_time or (float(wall) if isinstance(wall, int | float) else 0.0)
        self.title = self.title or _task(event.get("title"))
        options = event.get("options")
        if isinstance(options, dict) and isinstance(options.get("baseURL"), str):
            self._base = options["baseURL"]

    def _begin(self, event: Mapping[str, Any], number: int) -> None:
        params = event.get("params")
        if not isinstance(event.get("callId"), str) or not isinstance(params or {}, dict):
            raise Wrong("is a call without an id, or with params that are no object.")
        if str(event.get("class")) not in _ON_PAGE or len(self._calls) > MOST_STEPS:
            return
        # Only what a step says is kept: an upload's bytes would stay in memory for nothing.
        kept = {key: _without_bytes(value) for key, value in (params or {}).items()}
        call = _Call(number, str(event.get("class")), str(event.get("method")), kept, self._page(event.get("pageId")))
        self._calls[event["callId"]] = call

    def _more(self, call: _Call, kind: Any, event: Mapping[str, Any]) -> None:
        if kind == "after":
            call.error = _error(event.get("error"))
        elif kind == "log" and (match := _RESOLVED.search(str(event.get("message")))):
            call.element = call.element or match[1]

    def _snapshot(self, snapshot: Any) -> None:
        if not isinstance(snapshot, dict) or not snapshot.get("isMainFrame"):
            return
        phase, call = snapshot.get("phase"), snapshot.get("callId")
        if not phase and isinstance(name := snapshot.get("snapshotName"), str):
            phase, _, call = name.partition("@")
        found = self._calls.get(str(call))
        url = snapshot.get("frameUrl")
        if found is None or not isinstance(url, str):
            return
        found.page = found.page or self._page(snapshot.get("pageId"))
        if phase == "before":
            found.before = found.before or url
        elif phase == "after":
            found.after = url

    def _page(self, page: Any) -> str:
        if isinstance(page, str) and page and page not in self._pages:
            self._pages.append(page)
        return page if isinstance(page, str) else ""

    def steps(self) -> list[dict[str, Any]]:
        """What was done, in order. WrongStep with its line for a call that is not understood."""
        if len(self._calls) > MOST_STEPS:
            raise Wrong(f"has more than {MOST_STEPS:,} calls.")
        made = []
        for call in self._calls.values():
            try:
                step = self._step(call)
            except Wrong as error:
                raise WrongStep(f"line {call.number}", str(error)) from None
            if step:
                made.append(step)
        return made

    def _step(self, call: _Call) -> dict[str, Any] | None:
        if call.kind == "ElementHandle" and "selector" not in call.params:
            call.params["selector"] = _selector_of(call.element)
        step = step_of(call.method, call.params)
        if step is None:
            return None
        if step["op"] == "navigate" and self._base:
            step["value"] = absolute(self._base, step["value"])
        number = self._pages.index(call.page) if call.page in self._pages else 0
        step |= {"error": call.error, "tab": f"page{number}" if number else ""}
        if call.before and not call.before.startswith("about:"):
            step["page"] = {"url": call.before}
        if call.after and not call.after.startswith("about:"):
            step["after"] = {"url": call.after}
        if step["target"] and call.element:
            _learn_element(step["target"], call.element, step["op"])
        return step


def _error(error: Any) -> str:
    """The first line of what went wrong, which older versions wrap once more; "" where nothing did."""
    inner = error.get("error") if isinstance(error, dict) else None
    messages = (part.get("message") for part in (error, inner) if isinstance(part, dict))
    said = next((message for message in messages if isinstance(message, str) and message), "failed" if error else "")
    return said.partition("\n")[0][:300]


def _task(title: Any) -> str:
    """``login.spec.ts:3 › shop › buys a book``: what stands last is what the person wrote."""
    return " ".join(_FRAMEWORK.split(title)[-1].split()) if isinstance(title, str) else ""


def _without_bytes(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: v for k, v in value.items() if k not in ("buffer", "base64", "stream")}
    if isinstance(value, list):
        return [_without_bytes(item) for item in value]
    return value


class _Element(HTMLParser):
    """The first tag of what a locator was resolved to."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tag = ""
        self.attributes: dict[str, str] = {}

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if not self.tag:
            self.tag = tag
            self.attributes = {key: value or "" for key, value in attributes if key in _KEPT_ATTRIBUTES}


def _element(markup: str) -> _Element:
    element = _Element()
    element.feed(markup[:4000])
    return element


def _learn_element(target: dict[str, Any], markup: str, op: str) -> None:
    element = _element(markup)
    target["tag"] = target["tag"] or element.tag
    for key, value in element.attributes.items():
        learn_attribute(target, key, value)
    settle(target, op)


def _selector_of(markup: str) -> str:
    """A selector for an element handle, from what the log says it is; "" where it says nothing."""
    element = _element(markup)
    if not element.tag:
        return ""
    return element.tag + "".join(f'[{key}="{value}"]' for key, value in element.attributes.items() if '"' not in value)
