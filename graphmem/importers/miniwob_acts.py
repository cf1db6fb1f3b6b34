"""What a person did, out of MiniWoB++'s recorded events.

Every event is there twice (``timing`` 1 while it goes down to the element, 3 on the way back; of scrolls 1 and 2): the first
counts, and with it the page as it was before anything reacted. A press of the mouse decides what is clicked, since the
page may change before the click arrives; a click that no press precedes was made by the browser (for a label's field, or
for a key on a button). Keystrokes become one typing per field, whose value is read from the field afterwards: a date
typed as digits reads 2014-03-04, and what was pasted was never typed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphmem.importers.miniwob_dom import State, read_state
from graphmem.importers.records import Wrong
from graphmem.model.element import FIELDS, TYPED, Node, control_of, role_of

_KEYS = {
    8: "Backspace", 9: "Tab", 13: "Enter", 20: "CapsLock", 27: "Escape", 32: "Space", 33: "PageUp", 34: "PageDown",
    35: "End", 36: "Home", 37: "ArrowLeft", 38: "ArrowUp", 39: "ArrowRight", 40: "ArrowDown", 46: "Delete",
}  # fmt: skip
_MODIFIERS = {16: "Shift", 17: "Control", 18: "Alt", 91: "Meta", 92: "Meta", 93: "Meta", 224: "Meta"}
_EDITS = frozenset({"Backspace", "Delete"})
_EVENTS = frozenset({"mousedown", "mouseup", "click", "dblclick", "keydown", "keypress", "keyup", "scroll"})
#: How far the mouse may move between press and release before it is a drag, in pixels.
_STILL = 8


@dataclass(frozen=True)
class Act:
    """``kind`` is an operation of the neutral form; ``node`` the element in the page ``state``, None where there is none."""

    kind: str
    state: State
    node: Node | None
    value: str = ""
    to: Node | None = None


@dataclass
class _Press:
    """A mouse button that is down: since which event, and where it came up."""

    event: int
    x: float
    y: float
    scrolled: bool = False
    up: tuple[float, float] | None = None


@dataclass
class _Typing:
    """Keystrokes into one field: the event they began at, the field, and the characters."""

    event: int
    node: Node | None
    characters: list[str] = field(default_factory=list)


def acts_of(states: Sequence[Any]) -> list[Act]:
    """What was done, in order. Wrong names the state that has another form."""
    return _Reading(states).read()


class _Reading:
    def __init__(self, states: Sequence[Any]) -> None:
        self._raw = states
        self._events = _once([_event(raw, number) for number, raw in enumerate(states)])
        self._states: dict[int, State] = {}
        self._acts: list[Act] = []
        self._press: _Press | None = None
        self._typing: _Typing | None = None
        self._held: set[str] = set()

    def read(self) -> list[Act]:
        for number, event in self._events:
            kind = event["type"]
            if kind in ("mousedown", "mouseup", "click", "dblclick"):
                self._mouse(kind, number, event)
            elif kind == "scroll":
                self._scroll(number)
            else:
                self._key(kind, number, event)
        end = len(self._raw) - 1
        self._let_go(end)
        self._end_typing(end)
        return self._acts

    def _state(self, number: int) -> State:
        if number not in self._states:
            try:
                self._states[number] = read_state(self._raw[number].get("dom"))
            except Wrong as error:
                raise Wrong(f"state {number + 1} {error}") from None
        return self._states[number]

    # -- the mouse ---------------------------------------------------------------------------------------------------

    def _mouse(self, kind: str, number: int, event: Mapping[str, Any]) -> None:
        x, y = _number(event.get("x")), _number(event.get("y"))
        if kind == "mousedown":
            self._let_go(number)
            self._end_typing(number)
            self._press = _Press(number, x, y)
        elif kind == "mouseup":
            if self._press:
                self._press.up = (x, y)
        elif kind == "click":
            self._click(number)
        else:
            self._double(number)

    def _click(self, number: int) -> None:
        if self._press:
            press, self._press = self._press, None
            state = self._state(press.event)
            self._acts.append(Act("click", state, state.target))
            return
        state = self._state(number)
        if not self._is_made_by_browser(state):
            self._end_typing(number)
            self._acts.append(Act("click", state, state.target))

    def _is_made_by_browser(self, state: State) -> bool:
        """A click without a press follows from a click on the field's label, or from a key on the element."""
        last = self._acts[-1] if self._acts else None
        if self._typing or last is None or last.node is None or state.target is None:
            return self._typing is not None
        if last.kind == "press":
            return True
        meant = control_of(last.state.tree, last.node)
        is_field = role_of(state.tree, state.target) in FIELDS
        return last.kind == "click" and is_field and meant.ref.split(" ")[0] == state.target.ref.split(" ")[0]

    def _double(self, number: int) -> None:
        state = self._state(number)
        taken = 0
        while taken < 2 and self._acts and self._acts[-1].kind == "click" and _same(self._acts[-1].node, state.target):
            state = self._acts.pop().state
            taken += 1
        self._acts.append(Act("dblclick", state, state.target))

    def _let_go(self, number: int) -> None:
        """A press that no click followed: the page was done with, or changed, at the press; or it was a drag."""
        press, self._press = self._press, None
        if press is None or press.scrolled:
            return
        state = self._state(press.event)
        moved = press.up and max(abs(press.up[0] - press.x), abs(press.up[1] - press.y)) > _STILL
        if moved and press.up:
            self._acts.append(Act("drag", state, state.target, to=state.at(*press.up)))
        else:
            self._acts.append(Act("click", state, state.target))

    def _scroll(self, number: int) -> None:
        if self._press:
            self._press.scrolled = True
        state = self._state(number)
        last = self._acts[-1] if self._acts else None
        if last and last.kind == "scroll" and _same(last.node, state.target):
            return
        self._end_typing(number)
        self._acts.append(Act("scroll", state, state.target))

    # -- the keyboard ------------------------------------------------------------------------------------------------

    def _key(self, kind: str, number: int, event: Mapping[str, Any]) -> None:
        code = int(_number(event.get("keyCode")))
        if kind == "keypress":
            character = int(_number(event.get("charCode")) or code)
            if 32 <= character < 0x110000 and not self._held & {"Control", "Meta"}:
                self._write(number, chr(character))
        elif code in _MODIFIERS:
            (self._held.discard if kind == "keyup" else self._held.add)(_MODIFIERS[code])
        elif kind == "keydown":
            self._down(number, code)

    def _down(self, number: int, code: int) -> None:
        combined = self._held - {"Shift"}
        if combined and 48 <= code <= 90:
            self._combination(number, sorted(combined), chr(code).lower())
        elif (key := _KEYS.get(code)) and not (key == "Space" and self._takes_text(number)):
            if key in _EDITS and self._takes_text(number):
                self._write(number, "")
                return
            self._end_typing(number)
            state = self._state(number)
            held = sorted(self._held - {"Shift"}) + (["Shift"] if key == "Tab" and "Shift" in self._held else [])
            self._acts.append(Act("press", state, self._focus(number), "+".join([*held, key])))

    def _combination(self, number: int, held: Sequence[str], letter: str) -> None:
        """Copying is a key; pasting is a typing, whose text stands in the field afterwards."""
        if letter == "v" and self._takes_text(number):
            self._write(number, "")
            return
        self._end_typing(number)
        self._acts.append(Act("press", self._state(number), self._focus(number), "+".join([*held, letter])))

    def _write(self, number: int, character: str) -> None:
        node = self._focus(number)
        if self._typing and not _same(self._typing.node, node):
            self._end_typing(number)
        if character == " " and not self._takes_text(number):
            return  # told by the key already
        self._typing = self._typing or _Typing(number, node)
        self._typing.characters.append(character)

    def _end_typing(self, number: int) -> None:
        typing, self._typing = self._typing, None
        if typing is None:
            return
        state = self._state(typing.event)
        before = typing.node.value if typing.node else None
        now = _now(self._state(number), typing.node)
        typed = "".join(typing.characters)
        value = now if now is not None and now != before else (before or "") + typed
        if value or now != before:
            self._acts.append(Act("type", state, typing.node, value))

    def _focus(self, number: int) -> Node | None:
        """What a key goes to; nothing where only the body has the focus."""
        state = self._state(number)
        target = state.target or state.focused
        return None if target is None or target.tag in ("body", "html") else target

    def _takes_text(self, number: int) -> bool:
        node = self._focus(number)
        return node is not None and role_of(self._state(number).tree, node) in TYPED and node.tag != "select"


def _event(raw: Any, number: int) -> Mapping[str, Any] | None:
    """The event of a state; None for the first, which has none."""
    if not isinstance(raw, dict):
        raise Wrong(f"state {number + 1} is not an object.")
    event = raw.get("action")
    if event is None:
        return None
    if not isinstance(event, dict) or str(event.get("type")) not in _EVENTS:
        raise Wrong(f"state {number + 1} has an event of a kind that is not known.")
    return event


def _once(events: Sequence[Mapping[str, Any] | None]) -> list[tuple[int, Mapping[str, Any]]]:
    """Each event once: the second of a pair differs from the first in nothing but its timing."""
    kept: list[tuple[int, Mapping[str, Any]]] = []
    open_pair: dict[str, Any] | None = None
    for number, event in enumerate(events):
        if event is None:
            continue
        what = {key: value for key, value in event.items() if key != "timing"}
        if event.get("timing") != 1 and what == open_pair:
            open_pair = None
            continue
        kept.append((number, event))
        open_pair = what
    return kept


def _same(one: Node | None, other: Node | None) -> bool:
    return (one.ref if one else "") == (other.ref if other else "")


def _now(state: State, node: Node | None) -> str | None:
    """What stands in a field in a later state, wherever it has moved to; None when it is gone."""
    if node is None:
        return None
    found = state.named(node.ref)
    if found is None:
        known = node.ref.split(" ")[:2]
        found = next((other for other in state.tree.nodes if other.ref.split(" ")[:2] == known), None)
    return found.value if found else None


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0
