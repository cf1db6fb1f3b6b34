"""Actions that agents write as Python calls (``click('227')``), read from their syntax tree and never run.

BrowserGym's high-level action set, one call a line, several lines a step. Arguments must be literals. What is no Python at
all was no action to the environment either: the caller learns which (``Unreadable``) and goes on.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

MOST_CHARACTERS = 20_000

#: A message to the user may hold line breaks and quotes that Python would not take.
_MESSAGE = re.compile(r"^\s*(?P<name>send_msg_to_user|report_infeasible|stop)\s*\(\s*(?P<text>.*?)\s*\)\s*$", re.DOTALL)
_FENCE = re.compile(r"```(?:python|action)?\s*\n?(.*?)```", re.DOTALL)


class UnreadableCall(ValueError):
    """Text that is no sequence of calls with literal arguments; the message says why and quotes nothing."""


@dataclass(frozen=True)
class Call:
    name: str
    args: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict)

    def get(self, position: int, name: str, default: Any = "") -> Any:
        return self.args[position] if position < len(self.args) else self.named.get(name, default)


def calls_of(text: str) -> list[Call]:
    """The calls of an action, in order; none for an empty one (the last step of a run). Raises UnreadableCall."""
    fenced = _FENCE.findall(text)
    source = "\n".join(fenced) if fenced else text
    if not source.strip():
        return []
    if len(source) > MOST_CHARACTERS:
        raise UnreadableCall("is longer than any action.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd backslash in what an agent typed is not ours to remark on
            tree = ast.parse("\n".join(line.strip() for line in source.strip().splitlines()))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _message(source)
    return [_call(statement) for statement in tree.body]


def _message(source: str) -> list[Call]:
    match = _MESSAGE.match(source)
    if match is None:
        raise UnreadableCall("is not Python.")
    text = match["text"]
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return [Call(match["name"], (text[1:-1] if quoted else text,))]


def _call(statement: ast.stmt) -> Call:
    called = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(called, ast.Call) or not isinstance(called.func, ast.Name):
        raise UnreadableCall("is Python, but not a call of an action.")
    if any(keyword.arg is None for keyword in called.keywords):
        raise UnreadableCall("has arguments that are no literals.")
    args = tuple(_literal(argument) for argument in called.args)
    named = {str(keyword.arg): _literal(keyword.value) for keyword in called.keywords}
    return Call(called.func.id, args, named)


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, RecursionError, MemoryError):
        raise UnreadableCall("has arguments that are no literals.") from None


# -- what calls are in the neutral form -------------------------------------------------------------------------------

#: ``find`` gives the target of an element's id.
Find = Callable[[str], dict[str, Any]]
Maker = Callable[[Call, Find], list[dict[str, Any]]]


def is_known(call: Call) -> bool:
    return call.name in _MAKERS or call.name in ASIDE


def steps_of(call: Call, find: Find) -> list[dict[str, Any]]:
    """The steps (neutral form) that a known call is; none for one that does nothing on the page."""
    return [] if call.name in ASIDE else _MAKERS[call.name](call, find)


#: Calls that look, wait for the agent itself, or go between tabs.
ASIDE = frozenset({"tab_focus", "tab_close", "page_focus", "close_tab", "focus", "think", "mouse_move", "mouse_up"})


def _on(op: str, *, value: int | None = None, key: str = "value") -> Maker:
    """On the element of the first argument, with the value of argument ``value``."""

    def make(call: Call, find: Find) -> list[dict[str, Any]]:
        told = call.get(value, key) if value is not None else ""
        return [{"op": op, "target": find(str(call.get(0, "bid"))), "value": _written(told)}]

    return make


def _bare(op: str, position: int | None = 0, key: str = "text", default: str = "") -> Maker:
    def make(call: Call, find: Find) -> list[dict[str, Any]]:
        return [{"op": op, "value": _written(call.get(position, key, default)) if position is not None else default}]

    return make


def _written(value: Any) -> str:
    """Options may be a list of one or several."""
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else "" if value is None else str(value)


def _click(op: str) -> Maker:
    def make(call: Call, find: Find) -> list[dict[str, Any]]:
        button = str(call.get(1, "button", "left"))
        return [{"op": op, "target": find(str(call.get(0, "bid"))), "value": "" if button == "left" else button}]

    return make


def _type(call: Call, find: Find) -> list[dict[str, Any]]:
    """WebArena's ``type(id, text, press_enter_after)``, where Enter follows unless told otherwise."""
    target = find(str(call.get(0, "bid")))
    steps = [{"op": "type", "target": target, "value": _written(call.get(1, "text"))}]
    if str(call.get(2, "press_enter_after", 0)) not in ("0", "False", ""):
        steps.append({"op": "press", "target": target, "value": "Enter"})
    return steps


def _drag(call: Call, find: Find) -> list[dict[str, Any]]:
    return [{"op": "drag", "target": find(str(call.get(0, "from_bid"))), "to": find(str(call.get(1, "to_bid")))}]


def _scroll(call: Call, find: Find) -> list[dict[str, Any]]:
    first = call.get(0, "direction", call.named.get("delta_x", 0))
    if isinstance(first, str):
        return [{"op": "scroll", "value": first}]
    down = call.get(1, "delta_y", 0)
    return [{"op": "scroll", "value": "up" if isinstance(down, int | float) and down < 0 else "down"}]


def _point(op: str) -> Maker:
    """On a point of the page: what stood there is not known."""

    def make(call: Call, find: Find) -> list[dict[str, Any]]:
        place = f"{_written(call.get(0, 'x'))},{_written(call.get(1, 'y'))}"
        return [{"op": op, "target": {"locators": [{"kind": "point", "value": place}]}, "value": ""}]

    return make


_MAKERS: dict[str, Maker] = {
    "click": _click("click"),
    "dblclick": _click("dblclick"),
    "check": _click("click"),
    "uncheck": _click("click"),
    "hover": _on("hover"),
    "fill": _on("type", value=1),
    "clear": _on("type"),
    "type": _type,
    "select_option": _on("select", value=1, key="options"),
    "press": _on("press", value=1, key="key_comb"),
    "upload_file": _on("upload", value=1, key="file"),
    "drag_and_drop": _drag,
    "scroll": _scroll,
    "scroll_at": _scroll,
    "keyboard_press": _bare("press", key="key"),
    "keyboard_down": _bare("press", key="key"),
    "keyboard_type": _bare("type"),
    "keyboard_insert_text": _bare("type"),
    "goto": _bare("navigate", key="url"),
    "new_tab": _bare("wait", position=None),
    "go_back": _bare("press", position=None, default="Alt+ArrowLeft"),
    "go_forward": _bare("press", position=None, default="Alt+ArrowRight"),
    "noop": _bare("wait", key="wait_ms"),
    "wait": _bare("wait", key="wait_ms"),
    "send_msg_to_user": _bare("answer"),
    "report_infeasible": _bare("answer", key="reason"),
    "infeasible": _bare("answer", key="reason"),
    "stop": _bare("answer", key="answer"),
    "mouse_click": _point("click"),
    "mouse_dblclick": _point("dblclick"),
    "mouse_down": _point("click"),
    "mouse_drag_and_drop": _point("drag"),
}
