"""Stage 2, describe: a cleaned step as (operation, role, name, value, place), in words that last longer than a page load.

The description is what two recordings are compared by: HMT and its ablations show what raw ids in its place cost
(arXiv 2603.07024: grounding 12.4 against 76.8).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphmem.model.target import Near, Target
from graphmem.model.trajectory import Step
from graphmem.model.urls import without_session
from graphmem_induction.tidy import Cleaned

#: The role that a tag has where nothing else is said (HTML Accessibility API Mappings).
_ROLE_OF_TAG = {
    "a": "link", "button": "button", "select": "combobox", "textarea": "textbox", "input": "textbox", "option": "option",
    "img": "img", "li": "listitem", "tr": "row", "td": "cell", "th": "columnheader", "summary": "button",
}  # fmt: skip
_ROLE_OF_TYPE = {
    "submit": "button", "button": "button", "reset": "button", "image": "button", "checkbox": "checkbox",
    "radio": "radio", "range": "slider", "number": "spinbutton", "search": "searchbox",
}  # fmt: skip
# Icon fonts put their glyphs into names; they lie in the private use areas.
_GLYPHS = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff\ufe0f\u200b-\u200f\u2060\ufeff]")
#: A name longer than this is a paragraph, not a name.
NAME_LIMIT = 120


@dataclass(frozen=True)
class Described:
    """What a step is compared by. ``element`` holds everything of the element that may be kept with its action."""

    op: str
    role: str = ""
    name: str = ""
    value: str = ""
    row: str = ""
    column: str = ""
    frame: tuple[str, ...] = ()
    shadow: tuple[str, ...] = ()


@dataclass(frozen=True)
class Seen:
    """A described step of a recording: ``indexes`` as recorded, the step itself, and its description."""

    indexes: tuple[int, ...]
    step: Step
    what: Described


def describe(cleaned: Cleaned) -> Seen:
    step = cleaned.step
    target = step.target
    if target is None:
        return Seen(cleaned.indexes, step, Described(op=step.op, value=value_of(step)))
    # What is read is no name of the place where it stands.
    read = step.value if step.op == "extract" else None
    name, row = tidy(target.called()), tidy(target.near.row)
    return Seen(
        cleaned.indexes,
        step,
        Described(
            op=step.op,
            role=role_of(target),
            name="" if name == read else name,
            value=value_of(step),
            row="" if read and read in row else row,
            column=tidy(target.near.column),
            frame=target.frame,
            shadow=target.shadow,
        ),
    )


def value_of(step: Step) -> str:
    """The value that counts: for a navigation the address without session state."""
    if step.op == "navigate":
        return without_session(step.value or (step.page.url if step.page else ""))
    return step.value


def role_of(target: Target) -> str:
    """The element's role, else the one that its tag implies, else the tag."""
    if target.role:
        return target.role.casefold()
    tag = target.tag.casefold()
    if tag == "input":
        return _ROLE_OF_TYPE.get(target.attribute("type").casefold(), "textbox")
    return _ROLE_OF_TAG.get(tag, tag)


def tidy(name: str) -> str:
    """A name without icon glyphs and doubled spaces, cut at ``NAME_LIMIT``."""
    return " ".join(_GLYPHS.sub("", name).split())[:NAME_LIMIT].rstrip()


def common(targets: list[Target]) -> Target:
    """Anti-unification: the most specific target that is true of all (what they agree in; the rest is empty).

    Locators, coordinates and generated ids are left out: they are true of one page load."""
    first = targets[0]
    rest = targets[1:]

    def agreed(name: str) -> str:
        value: str = getattr(first, name)
        return value if all(getattr(other, name) == value for other in rest) else ""

    attributes = set(_durable(first)).intersection(*(_durable(other) for other in rest))
    near = Near(
        **{
            place: getattr(first.near, place)
            if all(getattr(other.near, place) == getattr(first.near, place) for other in rest)
            else ""
            for place in ("form", "section", "row", "column", "position")
        }
    )
    same_frame = all(other.frame == first.frame for other in rest)
    same_shadow = all(other.shadow == first.shadow for other in rest)
    return Target(
        role=agreed("role"),
        name=agreed("name"),
        label=agreed("label"),
        placeholder=agreed("placeholder"),
        text=agreed("text"),
        test_id=agreed("test_id"),
        tag=agreed("tag"),
        attributes=tuple(sorted(attributes)),
        near=near,
        frame=first.frame if same_frame else (),
        shadow=first.shadow if same_shadow else (),
    )


def _durable(target: Target) -> list[tuple[str, str]]:
    kept: dict[str, str] = target.durable()["attributes"]
    return [(k, v) for k, v in kept.items() if k != "value"]
