"""When two controls with different wording are one: "Go button next to the search box" and "Go button".

A recorder that sees the page gives a control its exact name, and two names are two controls. A recorder that only tells what
it looked at ("red Create forum button at the top") words one control anew each time: there the words of its head phrase
count, without decoration, with the class of its role and the place it stands in. Words with content are never dropped or
likened: "Approved option" and "Pending option" are two, however near a model of words would put them.

The control is then described as it was most often called, of equals in the fewest words, then the first by content; what
was recorded stays as it was.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from graphmem.model.target import Target
from graphmem_induction.describe import Described, Seen

if TYPE_CHECKING:
    from graphmem_induction.site import Stretch

#: Roles that people take for each other when they tell what they clicked.
_CLASSES = {
    "clicked": ("", "button", "link", "menuitem", "tab", "option", "row", "img", "heading"),
    "filled": ("textbox", "searchbox", "combobox", "spinbutton"),
    "ticked": ("checkbox", "radio", "switch"),
}
_CLASS_OF = {role: name for name, roles in _CLASSES.items() for role in roles}
#: Where a head phrase ends: what follows says where the control is.
_PLACE = re.compile(
    r"\s(?:in|on|at|next to|under|below|above|with|near|that|which|showing|containing|located|inside|within|beside)\s.*$",
    re.IGNORECASE,
)
#: Looks and kinds, which tell no control of a page from another.
_DECORATION = frozenset(
    {"a", "an", "the", "this", "that", "red", "blue", "green", "grey", "gray", "orange", "white", "black", "yellow", "purple",
     "dark", "light", "small", "large", "big", "highlighted", "colored", "coloured", "button", "buttons", "link", "links",
     "icon", "text", "label", "labeled", "labelled", "field", "input", "box", "menu", "item", "entry", "option", "tab",
     "dropdown", "drop", "down", "arrow", "element", "area", "section", "title", "heading", "and", "or", "for", "to", "of"}
)  # fmt: skip
_WORD = re.compile(r"\w+")

Control: TypeAlias = "tuple[str, tuple[str, ...], str, str, tuple[str, ...], tuple[str, ...]]"


def canonical_controls(stretches: Sequence[Stretch]) -> list[Stretch]:
    """The stretches of a site, with every control that is only told of described as it is most often called."""
    names = canonical_names(seen for stretch in stretches for seen in stretch.seen)
    if not names:
        return list(stretches)
    return [replace(s, seen=tuple(_renamed(seen, names) for seen in s.seen)) for s in stretches]


def canonical_names(steps: Iterable[Seen]) -> dict[Control, tuple[str, str]]:
    """Role and name that stand for each control with more than one wording."""
    called: dict[Control, Counter[tuple[str, str]]] = defaultdict(Counter)
    for seen in steps:
        if (control := control_of(seen)) is not None:
            called[control][seen.what.role, seen.what.name] += 1
    return {
        control: min(counts, key=lambda said: (-counts[said], len(said[1].split()), said))
        for control, counts in called.items()
        if len(counts) > 1
    }


def control_of(seen: Seen) -> Control | None:
    """What a told control is known by; None where its name is exact, or nothing is left of it without decoration."""
    target, what = seen.step.target, seen.what
    if target is None or not is_told(target):
        return None
    words = head_words(what.name)
    return (
        (_CLASS_OF.get(what.role, what.role), words, what.row, what.column, what.frame, what.shadow) if words else None
    )


def is_called(role: str, name: str, seen: Seen) -> bool:
    """Whether role and name are another wording of a control that a step only tells of."""
    target, what = seen.step.target, seen.what
    if target is None or not is_told(target):
        return False
    same_class = _CLASS_OF.get(role, role) == _CLASS_OF.get(what.role, what.role)
    return same_class and head_words(name) == head_words(what.name)


def is_told(target: Target) -> bool:
    """Whether all that is known of an element is what someone said of it."""
    return bool(target.attribute("description")) and not (target.tag or target.test_id or target.locators)


def head_words(name: str) -> tuple[str, ...]:
    """The words of a name that say which control it is; all of them where there is nothing but decoration."""
    head = _PLACE.sub("", f" {name}").strip() or name
    words = tuple(_WORD.findall(head.casefold()))
    return tuple(word for word in words if word not in _DECORATION) or words


def _renamed(seen: Seen, names: Mapping[Control, tuple[str, str]]) -> Seen:
    control = control_of(seen)
    if control is None or control not in names:
        return seen
    role, name = names[control]
    what: Described = replace(seen.what, role=role, name=name)
    return seen if what == seen.what else replace(seen, what=what)
