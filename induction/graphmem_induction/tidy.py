"""Noise of the hand that only shows beside the steps around it and the pages before and after; part of stage 1, clean.

``tidied`` looks at steps one after the other: keys that the browser turned into a click recorded beside them, copying, text
marked by dragging, double clicks on what knows no double click, clicks and keys after which the page was seen unchanged.
``settled`` looks at what is left: a field filled again before anything else was done keeps its last value, a box that ends
as it began was never meant, one that was clicked more often was clicked once, the last time that it changed.

Every rule that drops a step needs the page before it and after it (of the next step where the recorder gave no other) with
their elements: where pages are not recorded nothing is dropped here but what no page could show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from graphmem.model.target import Target
from graphmem.model.trajectory import Page, Step

_TYPED = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "input", "textarea", "textfield"})
_BOXES = frozenset({"checkbox", "switch"})
#: Controls that do on a double click what they do on two clicks.
_SINGLE = _TYPED | _BOXES | {"button", "link", "radio", "tab", "menuitem", "option", "a"}
_CLICKED_BY_KEY = frozenset({"button", "link", "checkbox", "switch", "radio", "tab", "menuitem", "a"})
_COPIES = frozenset({"a", "c", "insert"})
_COMMAND = frozenset({"control", "meta", "ctrl", "command", "cmd"})


@dataclass(frozen=True)
class Cleaned:
    """A step that stays. ``indexes``: the recorded steps that it stands for, ascending; its own is the last. ``came``: the
    page after it, of the step that was recorded next where the recorder gave no other; only for judging the step."""

    indexes: tuple[int, ...]
    step: Step
    came: Page | None = field(default=None, compare=False, repr=False)

    @property
    def index(self) -> int:
        return self.indexes[-1]


def tidied(items: Sequence[Cleaned]) -> list[Cleaned]:
    """Without steps that did nothing beside those around them; a key that clicks is a click."""
    found = []
    for n, item in enumerate(items):
        following = items[n + 1].step if n + 1 < len(items) else None
        step = _told(item, following)
        if step is not None:
            found.append(item if step is item.step else replace(item, step=step))
    return found


def _told(item: Cleaned, following: Step | None) -> Step | None:
    """What the step was, None where it was nothing."""
    step = _as_set(item.step, item.came)
    unchanged = following is not None and _unchanged(step, item.came)
    match step.op:
        case "press":
            return _key(step, following, unchanged)
        case "drag" if unchanged or (step.to is None and _role(step) in _TYPED):
            return None
        case "dblclick" if _role(step) in _BOXES and unchanged:
            return None
        case "dblclick" if _role(step) in _SINGLE:
            return replace(step, op="click")
        case "click" | "dblclick" if unchanged and _is_plain(step.target):
            return None
    return step


def _as_set(step: Step, after: Page | None) -> Step:
    """A click into a field that then says something else was the setting of it: by its arrows, by pasting or dropping. What
    was typed into a native date or time reads as the page says."""
    target = step.target
    if target is None or after is None or step.page is None or _role(step) not in _TYPED or step.to is not None:
        return step
    before, now = _value_in(step.page, target), _value_in(after, target)
    native = step.op == "type" and target.attribute("type") in ("date", "time") and now != step.value
    if not now or now == before or not (native or step.op in ("click", "dblclick")):
        return step
    return replace(step, op="type", value=now, secret=step.secret or now.startswith("{"))


def _value_in(page: Page, target: Target) -> str | None:
    place = target.attribute("place")
    found = [e for e in page.sketch if place and e.attribute("place") == place and e.role == target.role]
    return found[0].attribute("value") if len(found) == 1 else None


def _key(step: Step, following: Step | None, unchanged: bool) -> Step | None:
    *held, key = step.value.casefold().split("+")
    if key in _COPIES and _COMMAND & set(held):
        return None
    if key in ("space", "enter", " ", "return") and not held and _role(step) in _CLICKED_BY_KEY:
        made = following is not None and following.op == "click" and _one(step.target, following.target)
        return None if made else replace(step, op="click", value="")
    return None if unchanged else step


def _is_plain(target: Target | None) -> bool:
    """Words or an area of the page, no control and no icon: an icon may show in its colour what a click did."""
    return target is not None and not target.role and not target.attribute("icon") and not target.test_id


def settled(items: Sequence[Cleaned]) -> list[Cleaned]:
    """Fields with their last value, boxes as they ended."""
    kept: list[Cleaned] = []
    for item in items:
        if item.step.op == "type" and (again := _filled_before(kept, item.step)) is not None:
            item = replace(item, indexes=tuple(sorted(kept[again].indexes + item.indexes)))
            del kept[again]
        kept.append(item)
    return _without_idle_boxes(kept)


def _filled_before(kept: Sequence[Cleaned], step: Step) -> int | None:
    """The earlier filling of the field, with nothing but fields and boxes in between."""
    for n in range(len(kept) - 1, -1, -1):
        earlier = kept[n].step
        if earlier.op == "type" and _one(earlier.target, step.target):
            return n
        if earlier.op != "type" and not (earlier.op == "click" and _role(earlier) in _BOXES):
            return None
    return None


def _without_idle_boxes(items: Sequence[Cleaned]) -> list[Cleaned]:
    return [item for n, item in enumerate(items) if not _is_idle(items, n)]


def _is_idle(items: Sequence[Cleaned], n: int) -> bool:
    """A click on a box that is not the one that brought it to where it ends. Where it ends is read from the last page."""
    step = items[n].step
    if step.op != "click" or _role(step) not in _BOXES or step.target is None:
        return False
    states = [_checked(item.step.page, step.target) for item in items[: n + 2]]
    end = _checked(items[-1].step.page, step.target)
    if n + 1 >= len(items) or end is None or states[n] is None or states[n + 1] is None:
        return False
    first = next(state for state in states if state is not None)
    clicks = [m for m, item in enumerate(items) if item.step.op == "click" and _one(item.step.target, step.target)]
    if len(clicks) == 1 or clicks[-1] == len(items) - 1:
        return False
    return first == end or n != clicks[-1]


# -- pages -----------------------------------------------------------------------------------------------------------


def _unchanged(step: Step, after: Page | None) -> bool:
    """Whether the page was seen to say the same before and after."""
    before = step.page
    if before is None or after is None or not before.sketch:
        return False
    return before.url == after.url and before.sketch == after.sketch


def _checked(page: Page | None, target: Target) -> bool | None:
    """Whether the box is ticked on the page; None where it is not found there, or more than one is called so."""
    if page is None:
        return None
    found = [e for e in page.sketch if e.role == target.role and e.called() == target.called()]
    if len(found) > 1:
        found = [e for e in found if e.attribute("place") == target.attribute("place")]
    return bool(found[0].attribute("checked")) if len(found) == 1 else None


def _role(step: Step) -> str:
    return (step.target.role or step.target.tag).casefold() if step.target is not None else ""


def _one(one: Target | None, other: Target | None) -> bool:
    if one is None or other is None:
        return False
    return (one.role, one.tag, one.called(), one.near, one.frame) == (
        other.role, other.tag, other.called(), other.near, other.frame,
    )  # fmt: skip
