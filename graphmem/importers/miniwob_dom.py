"""MiniWoB++'s recorded page states as the neutral nodes of the element model.

A recorded node has ``tag`` (``INPUT_text``: the input's type in it; ``t``: text between elements), ``ref``, a box, id,
classes, text, value and whether it had the focus, but no attributes: roles, titles and ``for`` were not recorded. The roles
that jQuery UI's widgets set themselves are put back by their classes, so that a recording and the live page read alike.
Hover and focus classes are left in the value and read by nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphmem.importers.records import Wrong
from graphmem.model.element import TEXT, Box, Node, Tree
from graphmem.model.target import pairs

#: What jQuery UI 1.11-1.12 sets on the elements of its widgets, by class.
_WIDGET_ROLES = {
    "ui-dialog": "dialog",
    "ui-dialog-titlebar-close": "button",
    "ui-tabs-nav": "tablist",
    "ui-tabs-tab": "tab",
    "ui-tabs-panel": "tabpanel",
    "ui-accordion": "tablist",
    "ui-accordion-header": "tab",
    "ui-accordion-content": "tabpanel",
    "ui-menu": "menu",
    "ui-menu-item-wrapper": "menuitem",
    "ui-spinner-input": "spinbutton",
    "ui-spinner-button": "button",
}
_CHECKED = frozenset({"checkbox", "radio"})
#: Announcements for screen readers, which nobody sees.
_UNSEEN = "ui-helper-hidden-accessible"
#: The form that the recording's own harness put around every page.
_HARNESS = "mturk_form"
#: Suggestions of an autocomplete are a list without roles of its own.
_SUGGESTIONS = "ui-autocomplete"


@dataclass(frozen=True)
class Names:
    """Under which keys a form of the format keeps what: the recorder's own, or the light form's single letters."""

    tag: str = "tag"
    ref: str = "ref"
    id: str = "id"
    classes: str = "classes"
    text: str = "text"
    value: str = "value"
    focused: str = "focused"
    children: str = "children"
    box: str = ""


FULL = Names()
LIGHT = Names(tag="g", ref="r", id="i", classes="c", text="t", value="v", focused="f", children="ch", box="b")


@dataclass
class State:
    """One recorded page: its tree, and the element that the event was recorded on (None where the event has none)."""

    tree: Tree
    target: Node | None

    def named(self, key: str) -> Node | None:
        return next((node for node in self.tree.nodes if node.ref == key), None)

    @property
    def focused(self) -> Node | None:
        """The element with the focus; None where only the body has it, which is to say nothing."""
        return next((n for n in self.tree.nodes if "focused" in n.state and n.tag not in ("body", "html")), None)

    def at(self, x: float, y: float) -> Node | None:
        """The innermost element drawn at a point."""
        return next((n for n in reversed(self.tree.nodes) if not n.is_text and n.box and n.box.holds(x, y)), None)


def read_state(dom: Any, names: Names = FULL) -> State:
    """The page of a recorded state; Wrong where it is of another form."""
    reading = _Reading(names)
    root = reading.node(dom, frozenset())
    return State(Tree(root), reading.target)


class _Reading:
    def __init__(self, names: Names) -> None:
        self._names = names
        self.target: Node | None = None

    def node(self, raw: Any, around: frozenset[str]) -> Node:
        if not isinstance(raw, dict) or not isinstance(raw.get(self._names.tag), str):
            raise Wrong("has a page state whose nodes have no tags.")
        kind, _, form = raw[self._names.tag].partition("_")
        tag = TEXT if kind == "t" else kind.casefold()
        classes = _text(raw, self._names.classes)
        inside = around | set(classes.split())
        children = raw.get(self._names.children) or []
        if not isinstance(children, list):
            raise Wrong("has a page state whose children are no list.")
        identifier = _text(raw, self._names.id)
        given = {
            "id": "" if identifier == _HARNESS else identifier,
            "class": classes,
            "type": form if tag == "input" else "",
        }
        node = Node(
            tag=tag,
            attributes=pairs({k: v for k, v in given.items() if v} | _widget(classes, around)),
            # Texts were trimmed when they were recorded: a space keeps the words of two of them apart.
            text=_text(raw, self._names.text) + (" " if tag == TEXT else ""),
            children=tuple(self.node(child, inside) for child in children),
            box=_box(raw, self._names),
            value=_value(raw, tag, self._names),
            state=_state(raw, self._names),
            ref=ref_of(raw, self._names),
        )
        if raw.get("recordingTarget"):
            self.target = node
        return node


def ref_of(raw: Mapping[str, Any], names: Names = FULL) -> str:
    """What a node is known by in one recording: a ref alone is not unique in a page."""
    box = _box(raw, names)
    place = f"{box.left:g},{box.top:g},{box.width:g},{box.height:g}" if box else ""
    return f"{raw.get(names.ref, '')} {raw.get(names.tag, '')} {place}"


def _widget(classes: str, around: frozenset[str]) -> dict[str, str]:
    role = next((_WIDGET_ROLES[name] for name in classes.split() if name in _WIDGET_ROLES), "")
    if role in ("menu", "menuitem") and _SUGGESTIONS in around | set(classes.split()):
        return {}
    return {"role": role} if role else {}


def _text(raw: Mapping[str, Any], key: str) -> str:
    value = raw.get(key)
    # An SVG element's class is an object to the recorder.
    return value if isinstance(value, str) else ""


def _value(raw: Mapping[str, Any], tag: str, names: Names) -> str | None:
    value = raw.get(names.value)
    if tag not in ("input", "textarea", "select"):
        return None
    return value if isinstance(value, str) else "" if value is None or isinstance(value, bool) else str(value)


def _state(raw: Mapping[str, Any], names: Names) -> frozenset[str]:
    kind, _, form = raw[names.tag].partition("_")
    found = {"focused"} if raw.get(names.focused) else set()
    if _UNSEEN in _text(raw, names.classes).split():
        found.add("hidden")
    if kind == "INPUT" and form in _CHECKED and raw.get(names.value) is True:
        found.add("checked")
    return frozenset(found)


def _box(raw: Mapping[str, Any], names: Names) -> Box | None:
    sides = raw.get(names.box) if names.box else [raw.get(side) for side in ("left", "top", "width", "height")]
    if not isinstance(sides, list) or len(sides) != 4:
        return None
    if not all(isinstance(side, int | float) and not isinstance(side, bool) for side in sides):
        return None
    return Box(*(float(side) for side in sides))
