"""Stage 1, clean: what a person meant to do, without the noise of how the recorder saw it.

AWM drops invalid actions before it induces (Agent Workflow Memory, appendix B). Recordings of people carry more: a click
that only focuses the field typed into next, the same event twice, growing values, scrolls, keystrokes one by one, a field
filled twice, a box ticked and unticked (``tidy``). A step that may have had an effect is never dropped: only a page that was
seen before and after tells that there was none, and the last step stays. What a kept step stands for is remembered by index.
"""

from __future__ import annotations

from dataclasses import replace

from graphmem.model.target import Target
from graphmem.model.trajectory import Page, Step, Trajectory
from graphmem_induction.tidy import Cleaned, settled, tidied

#: Roles and tags of elements that take text, so that a click on them before typing is only focus.
FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "input", "textarea", "textfield"})
#: Elements that do something when clicked; a click on one stays even when nothing was seen to come of it.
_CONTROLS = FIELDS | {
    "button", "link", "a", "checkbox", "radio", "option", "tab", "menuitem", "switch", "slider", "select", "label",
    "menuitemcheckbox", "menuitemradio", "treeitem", "gridcell", "listitem", "li", "svg", "img", "span", "div",
}  # fmt: skip
_NEEDS_TARGET = frozenset({"click", "dblclick", "type", "select", "hover", "upload"})
_BLANK_PAGES = ("about:", "chrome:", "chrome-error:", "edge:", "data:")


def clean(trajectory: Trajectory, site: str | None = None) -> tuple[Cleaned, ...]:
    """The meant steps of a recording, in order; of one ``site`` only where it is given."""
    numbered = [
        Cleaned((index,), step)
        for index, step in enumerate(trajectory.steps)
        if site is None or trajectory.site_of(step) == site
    ]
    kept: list[Cleaned] = []
    for item in _with_effect(tidied([item for item in _told_after(numbered) if _meant(item.step)])):
        _append(kept, item)
    return tuple(settled(kept))


def _told_after(items: list[Cleaned]) -> list[Cleaned]:
    """Each step with the page that came of it: where the recorder does not say, that of the next step. For judging only."""
    told = []
    for item, following in zip(items, [*items[1:], None], strict=True):
        after = item.step.after or (following.step.page if following is not None else None)
        told.append(replace(item, came=after))
    return told


def _with_effect(items: list[Cleaned]) -> list[Cleaned]:
    """Without clicks that did nothing: on the background, or on a field that only took the cursor. The last step of all
    stays: what came of it is often not recorded."""
    return [item for n, item in enumerate(items) if n == len(items) - 1 or not _idle(item)]


def _idle(item: Cleaned) -> bool:
    step, before, after = item.step, item.step.page, item.came
    if step.op != "click" or step.target is None:
        return False
    if before is None or after is None or not before.sketch or not after.sketch or before.url != after.url:
        return False
    only_focuses = step.target.role in ("textbox", "searchbox") or step.target.tag == "textarea"
    return _is_background(step.target, before) or (only_focuses and _built(before) == _built(after))


def _is_background(target: Target, page: Page) -> bool:
    """Something that is no element of the page's sketch, and holds several that are."""
    place = target.attribute("place")
    places = [element.attribute("place") for element in page.sketch]
    if not place or place in places or any(p and place.startswith(p + ".") for p in places):
        return False
    return sum(p.startswith(place + ".") for p in places) > 1


def _built(page: Page) -> list[tuple[str, str, str, str]]:
    """What a page tells, without what stands in its fields and boxes."""
    return [(e.role, e.tag, e.name, e.text) for e in page.sketch]


def _meant(step: Step) -> bool:
    """Whether the step can have done something that the task needed."""
    if step.op in ("wait", "scroll") or step.error:
        return False
    if step.op in _NEEDS_TARGET and not _identified(step.target):
        return step.op in ("type", "select") and bool(step.value)
    if step.op == "navigate":
        return bool(step.value or (step.page and step.page.url)) and not step.value.startswith(_BLANK_PAGES)
    if step.op == "press":
        return step.value.casefold() not in ("tab", "shift", "shift+tab", "control", "alt", "meta", "capslock", "")
    return not (step.op in ("click", "hover") and _without_effect(step))


def _identified(target: Target | None) -> bool:
    return target is not None and bool(target.called() or target.role or target.tag or target.locators)


def _without_effect(step: Step) -> bool:
    """A click or hover on something that is no control, after which the page was seen unchanged."""
    before, after, target = step.page, step.after, step.target
    if before is None or after is None or target is None or not before.sketch:
        return False
    is_control = (target.role or target.tag).casefold() in _CONTROLS
    return not is_control and _same_page(before, after)


def _same_page(before: Page, after: Page) -> bool:
    return before.url == after.url and before.sketch == after.sketch


def _append(kept: list[Cleaned], item: Cleaned) -> None:
    """Add a step to those kept so far, joining it with the one before where both are one act."""
    before = kept[-1] if kept else None
    together = _joined(before.step, item.step) if before and _same_element(before.step, item.step) else None
    if before is None or together is None:
        kept.append(item)
    else:
        kept[-1] = Cleaned(before.indexes + item.indexes, together)


def _joined(first: Step, second: Step) -> Step | None:
    """The one act that two steps on one element are, or None when they are two."""
    match first.op, second.op:
        case "type", "type":
            return second
        case "click", "type" if _is_focus(first):
            return second
        case "type", "click" if _is_focus(second):
            return replace(first, after=second.after)
        case "press", "press" if len(first.value) == len(second.value) == 1:
            return replace(second, op="type", value=first.value + second.value)
        case "type", "press" if len(second.value) == 1:
            return replace(first, value=first.value + second.value, after=second.after)
        case "hover", "click" | "dblclick" | "type" | "select":
            return second
    return second if _is_doubled(first, second) else None


def _same_element(first: Step, second: Step) -> bool:
    """By what a person would call it: two events on one element may be recorded with different detail."""
    if first.site != second.site or first.tab != second.tab:
        return False
    if first.target is None or second.target is None:
        return first.target is second.target
    return _known_as(first.target) == _known_as(second.target)


def _known_as(target: Target) -> tuple[object, ...]:
    called = " ".join(target.called().split())
    # Without any name only everything else can tell two elements apart.
    return (target.role or target.tag, called or target.durable(), target.near.row, target.frame, target.shadow)


def _is_focus(step: Step) -> bool:
    """A click on a field. On a combobox it opens the list, which the typing after it does too."""
    target = step.target
    return step.op == "click" and target is not None and (target.role or target.tag).casefold() in FIELDS


def _is_doubled(first: Step, second: Step) -> bool:
    """One act recorded twice: the same again on a page that had not changed, or of a kind that twice is once."""
    if (first.op, first.value) == (second.op, second.value):
        if first.op in ("type", "select", "navigate", "upload", "hover"):
            return True
        return first.op in ("click", "dblclick") and _seen_unchanged(first, second)
    return first.op == "click" and second.op == "dblclick"


def _seen_unchanged(first: Step, second: Step) -> bool:
    """Whether both events saw the same page. Had the first done something, the second would have seen what came of it;
    only what a box or a spinner shows may be missing from the sketch."""
    if first.page is None or second.page is None or not first.page.sketch:
        return False
    return _same_page(first.page, second.page) and not _toggles(first)


def _toggles(step: Step) -> bool:
    return step.target is not None and step.target.role in ("checkbox", "switch", "spinbutton", "radio")
