"""Selenium IDE's commands as steps: one pass, which keeps the page, the window and the frames that they are in.

Noise goes: the pointer passing over things, a click on the option that a ``select`` has named already, mouse events that
a click tells as one, and an act recorded twice that twice is once (typing, choosing, opening). A click that was recorded twice
stays, since it may have been meant. Dialogs of the browser are answered by key: Enter accepts, Escape dismisses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from graphmem.importers.making import absolute, called, quoted
from graphmem.importers.records import Wrong
from graphmem.importers.scripts import acts_on_page, scrolls
from graphmem.importers.selectors import blank, learn, settle
from graphmem.importers.selenium_flow import Command

_STRATEGY = re.compile(
    r"(id|name|css|xpath|linkText|link|partialLinkText|class|className|tagName|identifier|dom)=", re.DOTALL
)
_KINDS = {
    "linkText": "link", "partialLinkText": "partial_link", "className": "class", "identifier": "id", "tagName": "css",
}  # fmt: skip
_KEY = re.compile(r"\$\{KEY_(\w+)\}")
_KEYS = {
    "PAGE_UP": "PageUp", "PAGE_DOWN": "PageDown", "UP": "ArrowUp", "DOWN": "ArrowDown", "LEFT": "ArrowLeft",
    "RIGHT": "ArrowRight", "BKSP": "Backspace", "BACKSPACE": "Backspace", "DEL": "Delete", "ESC": "Escape", "CTRL": "Control",
    "RETURN": "Enter",
}  # fmt: skip
_OPTION = re.compile(r"(label|value|index|id)=(.*)", re.DOTALL)
_OPS = {
    "click": "click", "clickAt": "click", "check": "click", "uncheck": "click", "doubleClick": "dblclick",
    "doubleClickAt": "dblclick", "type": "type", "editContent": "type", "select": "select", "addSelection": "select",
    "removeSelection": "select", "storeText": "extract", "storeValue": "extract", "storeAttribute": "extract",
    "mouseOver": "hover",
}  # fmt: skip
_PRESSES = {
    "acceptAlert": "Enter", "acceptConfirmation": "Enter", "webdriverChooseOkOnVisibleConfirmation": "Enter",
    "dismissConfirmation": "Escape", "dismissPrompt": "Escape", "webdriverChooseCancelOnVisibleConfirmation": "Escape",
    "webdriverChooseCancelOnVisiblePrompt": "Escape",
}  # fmt: skip
#: Said before the click that opens the dialog; newer files say it again after it, as the commands above.
_AHEAD = {
    "chooseOkOnNextConfirmation": "Enter", "chooseCancelOnNextConfirmation": "Escape", "chooseCancelOnNextPrompt": "Escape",
    "answerOnNextPrompt": "Enter",
}  # fmt: skip
_ANSWERS = frozenset({"answerPrompt", "webdriverAnswerOnVisiblePrompt"})
_KEPT_ASIDE = re.compile(
    r"(assert|verify)\w*|echo|setWindowSize|setSpeed|debugger|close|run|store(Title|Json|ElementCount|XpathCount|WindowHandle)?|"
    r"captureEntirePageScreenshot|windowMaximize|windowFocus|deselectPopUp|mouseOut|comment|label|gotoIf|goto|refreshCache"
)
_WAITS = re.compile(r"pause|waitFor\w+")
#: Acts that are no other when done twice in a row.
_ONCE = frozenset({"navigate", "type", "select", "hover", "wait"})


class Reading:
    """Takes commands one by one; ``done`` gives the steps in the neutral form and what is kept aside by command."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._steps: list[dict[str, Any]] = []
        self._aside: dict[str, Any] = {}
        self._pages: dict[str, str] = {}
        self._tab = ""
        self._handles: dict[str, str] = {"root": ""}
        self._frame: list[str] = []
        self._pressed: Command | None = None
        self._ahead: tuple[str, str] | None = None
        self._has_answered = False

    def done(self) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        self._drop_hover()
        return self._steps, self._aside

    def take(self, command: Command) -> None:
        """Wrong when the command is not known, or lacks what it needs."""
        name = command.name
        if name in _SPECIAL:
            _SPECIAL[name](self, command)
        elif name in _OPS:
            self._act(_OPS[name], command)
        elif name in _PRESSES:
            self._answer(_PRESSES[name])
        elif name in _ANSWERS:
            self._answer("Enter", command.target)
        elif name in _AHEAD:
            self._ahead = (_AHEAD[name], command.target if name.startswith("answer") else "")
        elif _WAITS.fullmatch(name):
            target = _target(command, self._frame) if name != "pause" and _has_locator(command) else None
            self._add({"op": "wait", "target": target, "value": ""})
        elif _KEPT_ASIDE.fullmatch(name):
            self._keep(command)
        else:
            raise Wrong(f"{quoted(name)} is no command of Selenium IDE; a plugin's is not known.")

    def _keep(self, command: Command) -> None:
        """What a command says, for ``extra``. A stored value stands under its variable's name, so that secrets are known."""
        said = {"command": command.name, "target": command.target, "value": command.value}
        if command.name == "store":
            said = {"command": "store", command.value or "variable": command.target}
        elif command.name == "storeWindowHandle":
            self._handles[called(command.target or command.value)] = self._tab
        self._aside[command.place] = {key: value for key, value in said.items() if value}

    # -- what is done to elements

    def _act(self, op: str, command: Command) -> None:
        target = settle(_target(command, self._frame), op)
        if op == "type" and target["attributes"].get("type") == "file":
            op = "upload"
        if op == "click" and self._is_choice(target):
            return
        value = {
            "type": command.value,
            "upload": re.split(r"[\\/]", command.value)[-1],
            "select": _option(command.value),
        }.get(op, "")
        if command.name in ("check", "uncheck"):
            target["role"] = target["role"] or "checkbox"
        self._add({"op": op, "target": target, "value": value})
        if command.window:
            self._handles[called(command.window)] = command.window
        if op in ("click", "dblclick") and self._ahead:
            key, text = self._ahead
            self._ahead = None
            self._answer(key, text)
            self._has_answered = True

    def _is_choice(self, target: Mapping[str, Any]) -> bool:
        """Whether a click is on the option that the ``select`` before it has chosen."""
        return target["tag"] == "option" and bool(self._steps) and self._steps[-1]["op"] == "select"

    def _send_keys(self, command: Command) -> None:
        """Text and keys in their order: ``dune${KEY_ENTER}`` is typing and a press."""
        target = settle(_target(command, self._frame), "type")
        at = 0
        for match in _KEY.finditer(command.value):
            self._type(target, command.value[at : match.start()])
            self._add({"op": "press", "target": target, "value": _KEYS.get(match[1], match[1].capitalize())})
            at = match.end()
        self._type(target, command.value[at:])

    def _type(self, target: dict[str, Any], text: str) -> None:
        if text:
            self._add({"op": "type", "target": target, "value": text})

    def _submit(self, command: Command) -> None:
        self._add({"op": "press", "target": settle(_target(command, self._frame)), "value": "Enter"})

    def _drag(self, command: Command) -> None:
        to = settle(_target(Command(command.place, command.name, command.value), self._frame))
        self._add({"op": "drag", "target": settle(_target(command, self._frame)), "to": to, "value": ""})

    def _down(self, command: Command) -> None:
        self._pressed = command

    def _up(self, command: Command) -> None:
        """A press and release: a click on one spot, a drag between two."""
        down, self._pressed = self._pressed, None
        if down is None:
            return
        start, end = settle(_target(down, self._frame)), settle(_target(command, self._frame))
        moved = _moved(down.value, command.value)
        if down.target == command.target and not moved:
            self._add({"op": "click", "target": start, "value": ""})
        else:
            self._add(
                {"op": "drag", "target": start, "to": end, "value": moved if down.target == command.target else ""}
            )

    def _pass(self, command: Command) -> None:
        """A movement on its own does nothing."""

    def _out(self, command: Command) -> None:
        """The pointer left what it passed over, and nothing was done there."""
        self._drop_hover()

    def _drop_hover(self) -> None:
        if self._steps and self._steps[-1]["op"] == "hover":
            self._steps.pop()

    # -- where it is done

    def _open(self, command: Command) -> None:
        url = command.target
        if "://" not in url and not url.startswith(("{", "about:", "data:")):
            if not self._base:
                raise Wrong("opens a relative address, and the project has no base URL.")
            url = absolute(self._base if self._base.count("/") > 2 else self._base + "/", url)
        self._frame = []
        self._add({"op": "navigate", "value": url})
        self._pages[self._tab] = url
        self._steps[-1]["after"] = {"url": url}

    def _select_window(self, command: Command) -> None:
        kind, _, name = command.target.partition("=")
        if kind not in ("handle", "name", "title", "win_ser_local") and not kind.startswith("win_ser"):
            name = command.target
        name = name.strip("{}$ ")
        self._tab = self._handles.get(called(name), "" if name in ("null", "local") else name)
        self._frame = []

    def _select_frame(self, command: Command) -> None:
        kind, _, value = command.target.partition("=")
        if command.target == "relative=parent":
            self._frame = self._frame[:-1]
        elif command.target == "relative=top":
            self._frame = []
        else:
            self._frame = [*self._frame, value if kind == "index" else command.target]

    def _script(self, command: Command) -> None:
        if acts_on_page(command.target):
            raise Wrong("acts on the page by a script of its own, which is no step that can be learned.")
        if scrolls(command.target):
            self._add({"op": "scroll", "value": ""})
        else:
            self._keep(command)

    def _answer(self, key: str, text: str = "") -> None:
        """Answer a dialog of the browser, once however often the file says so."""
        if self._has_answered:
            self._has_answered = False
            return
        if text:
            self._add({"op": "type", "target": None, "value": text})
        self._add({"op": "press", "target": None, "value": key})

    def _add(self, step: dict[str, Any]) -> None:
        self._has_answered = False
        step |= {"tab": self._tab}
        if url := self._pages.get(self._tab):
            step["page"] = {"url": url}
        before = self._steps[-1] if self._steps else None
        if before and _same(before, step) and step["op"] in _ONCE:
            return
        if before and before["op"] == "hover" and _same_place(before, step):
            self._steps.pop()
        self._steps.append(step)


_SPECIAL: Mapping[str, Callable[[Reading, Command], None]] = {
    "open": Reading._open,
    "selectWindow": Reading._select_window,
    "selectPopUp": Reading._select_window,
    "selectFrame": Reading._select_frame,
    "sendKeys": Reading._send_keys,
    "submit": Reading._submit,
    "dragAndDropToObject": Reading._drag,
    "mouseDown": Reading._down,
    "mouseDownAt": Reading._down,
    "mouseMove": Reading._pass,
    "mouseMoveAt": Reading._pass,
    "mouseUp": Reading._up,
    "mouseUpAt": Reading._up,
    "mouseOut": Reading._out,
    "executeScript": Reading._script,
    "executeAsyncScript": Reading._script,
    "runScript": Reading._script,
}


def _has_locator(command: Command) -> bool:
    return bool(_locator(command.target)[1]) and command.name not in (
        "waitForPageToLoad",
        "waitForTitle",
        "waitForPopUp",
    )


def _locator(text: str) -> tuple[str, str]:
    """Kind and value of a locator as Selenium writes it. Without a strategy, slashes mean XPath, and a word an id."""
    match = _STRATEGY.match(text)
    if match:
        kind = _KINDS.get(match[1], match[1])
        return kind, text[match.end() :]
    return ("xpath" if text.startswith(("/", "(")) else "id"), text


def _target(command: Command, frame: list[str]) -> dict[str, Any]:
    """The target of a command, from every locator that was recorded. Wrong when it has none."""
    target = blank(list(frame))
    for text in (command.target, *command.others):
        if command.name == "storeAttribute":
            text = text.rpartition("@")[0] or text
        learn(target, *_locator(text))
    if not target["locators"]:
        raise Wrong("has no target: there is nothing to tell the element by.")
    return target


def _option(value: str) -> str:
    """``label=Blue`` is Blue; an index stays told as one."""
    match = _OPTION.fullmatch(value)
    return match[2] if match and match[1] in ("label", "value") else value


def _moved(start: str, end: str) -> str:
    """How far the pointer went between two ``x,y``, in pixels; "" where it stayed."""
    try:
        (x, y), (to_x, to_y) = (map(float, place.split(",")) for place in (start or "0,0", end or "0,0"))
    except ValueError:
        return ""
    near = abs(to_x - x) < 4 and abs(to_y - y) < 4
    return "" if near else f"{to_x - x:g},{to_y - y:g}"


def _same_place(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return one.get("target") == other.get("target") and one["tab"] == other["tab"]


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    same = (one["op"], one.get("value"), one.get("to")) == (other["op"], other.get("value"), other.get("to"))
    return same and _same_place(one, other)
