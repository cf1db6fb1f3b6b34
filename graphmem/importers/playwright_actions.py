"""What Playwright's calls do, as steps: one table for recorded programs and for traces, by the names that traces use.

An act is a method and its parameters (``click`` with ``selector``, ``goto`` with ``url``). Calls that only look, wait for
nothing in particular or set the browser up are no steps. A call that is not known is refused: with a hole in it a recording
would teach a wrong routine. So are clicks on coordinates, which say nothing about the element. Of uploaded files the names are
kept, never the bytes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from graphmem.importers.making import quoted
from graphmem.importers.playwright_selectors import target_of
from graphmem.importers.records import Wrong
from graphmem.importers.scripts import acts_on_page, scrolls

_OPS = {
    "click": "click", "tap": "click", "check": "click", "uncheck": "click", "setChecked": "click", "dblclick": "dblclick",
    "fill": "type", "type": "type", "pressSequentially": "type", "clear": "type", "press": "press", "hover": "hover",
    "selectOption": "select", "setInputFiles": "upload", "setInputFilePaths": "upload", "dragAndDrop": "drag",
    "waitForSelector": "wait", "waitFor": "wait", "scrollIntoViewIfNeeded": "scroll",
}  # fmt: skip
_CHECKS = frozenset({"check", "uncheck", "setChecked"})
#: Keys that a person would press to the same end.
_BROWSER_KEYS = {"goBack": "Alt+ArrowLeft", "goForward": "Alt+ArrowRight", "reload": "F5"}
_WAITS = frozenset(
    {
        "waitForTimeout", "waitForLoadState", "waitForURL", "waitForFunction", "waitForNavigation", "waitForEvent", "sleep",
        "waitForResponse", "waitForRequest",
    }
)  # fmt: skip
_SCRIPTS = frozenset({"evaluate", "evaluateHandle", "evalOnSelector", "evalOnSelectorAll", "evaluateExpression",
                      "evaluateExpressionHandle", "evaluateAll", "$eval", "$$eval"})  # fmt: skip
_BY_COORDINATES = frozenset({"mouseClick", "mouseDblclick", "mouseDown", "mouseUp", "touchscreenTap"})
_LOOKS = re.compile(
    r"(expect|is[A-Z]|get[A-Z]|all[A-Z]|query|text|inner|input|aria|screenshot|pdf|title|content|count|url|bounding|set[A-Z]|add|"
    r"expose|route|unroute|on$|once|remove|bringToFront|close|pause|emulate|grant|clear[A-Z]|new[A-Z]|start|stop|tracing|focus|"
    r"blur|selectText|highlight|mouseMove|keyboardUp|frame|opener|video|viewport|wait|resolve|update|register|request|save|"
    r"element|page|context|storage|cookies|bind|describe|owner|__wait|generate|mark|dispose|abort|continue|fulfill|hide|all$)"
)


def step_of(method: str, params: Mapping[str, Any]) -> dict[str, Any] | None:
    """The step (neutral form) of a call; None for one that does nothing to the page. Wrong when it is not understood."""
    if method == "dispatchEvent":
        method = str(params.get("type"))
        return step_of(method, params) if method in ("click", "dblclick") else None
    if method in _OPS:
        return _on_element(method, params)
    if method == "goto":
        return _navigation(_text(params, "url"))
    if method in _BROWSER_KEYS:
        return {"op": "press", "target": None, "value": _BROWSER_KEYS[method]}
    if method in ("keyboardPress", "keyboardDown"):
        return {"op": "press", "target": None, "value": _text(params, "key")}
    if method in ("keyboardType", "keyboardInsertText"):
        return {"op": "type", "target": None, "value": _text(params, "text")}
    if method == "mouseWheel":
        return {"op": "scroll", "target": None, "value": ""}
    if method in _WAITS:
        return {"op": "wait", "target": None, "value": ""}
    return _nothing(method, params)


def _nothing(method: str, params: Mapping[str, Any]) -> dict[str, Any] | None:
    if method in _SCRIPTS:
        script = str(params.get("expression") or "")
        if acts_on_page(script):
            raise Wrong("acts on the page by a script of its own, which is no step that can be learned.")
        return {"op": "scroll", "target": None, "value": ""} if scrolls(script) else None
    if method in _BY_COORDINATES:
        raise Wrong("acts on coordinates, which do not say on what element.")
    if not _LOOKS.match(method):
        raise Wrong(f"{quoted(method)} is a call that is not known.")
    return None


def _navigation(url: str) -> dict[str, Any] | None:
    if not url:
        raise Wrong("a navigation without a URL.")
    return None if url.startswith(("about:", "chrome:", "edge:")) else {"op": "navigate", "target": None, "value": url}


def _on_element(method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    op = _OPS[method]
    selector = _text(params, "source" if op == "drag" and "source" in params else "selector")
    if not selector:
        raise Wrong("acts on an element that the recording does not name.")
    if op == "click" and isinstance(clicks := params.get("clickCount"), int) and clicks > 1:
        op = "dblclick"
    target = target_of(selector, op)
    if method in _CHECKS:
        target["role"] = target["role"] or "checkbox"
    if op == "upload":
        target["attributes"].setdefault("type", "file")
    step: dict[str, Any] = {"op": op, "target": target, "value": _value(op, params)}
    if op == "drag":
        step["to"] = target_of(_text(params, "target"))
    return step


def _value(op: str, params: Mapping[str, Any]) -> str:
    if op == "type":
        return _text(params, "value") or _text(params, "text")
    if op == "press":
        return _text(params, "key")
    if op in ("click", "dblclick"):
        button = _text(params, "button")
        return {"left": "", "right": "secondary", "middle": "auxiliary"}.get(button, button)
    if op == "select":
        return ", ".join(_choice(option) for option in _listed(params.get("options")))
    if op == "upload":
        files = [*_listed(params.get("payloads")), *_listed(params.get("files")), *_listed(params.get("localPaths"))]
        return ", ".join(filter(None, (_file_name(file) for file in files)))
    return ""


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _choice(option: Any) -> str:
    if not isinstance(option, dict):
        return str(option)
    if option.get("index") is not None:
        return f"index={option['index']}"
    return str(next((option[key] for key in ("label", "valueOrLabel", "value") if option.get(key) is not None), ""))


def _file_name(file: Any) -> str:
    """The name alone: neither the folder, which is nobody else's business, nor what is in the file."""
    name = file.get("name") if isinstance(file, dict) else file
    return re.split(r"[\\/]", name)[-1] if isinstance(name, str) else ""


def _text(params: Mapping[str, Any], key: str) -> str:
    value = params.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Wrong(f"{key!r} must be text.")
    return value
