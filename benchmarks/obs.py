"""The pruned pages of the Mind2Web records, read into sketches.

A page is written as ``<button id=12 button close> Close </button>``: a tag, perhaps a node number, then the bare values
of its attributes in lower case (role, type, aria-label, placeholder, value ...), then its text. The node numbers give
away which element was used (the smallest is the gold one in three pages of four): they are dropped here, and no choice
below rests on them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from graphmem.model.target import Target

_TOKEN = re.compile(r"<(?P<close>/)?(?P<tag>[a-z][\w:-]*)(?P<inside>(?:\s[^<>]*?)?)(?P<empty>/)?>|(?P<text>[^<]+|<)")
_NODE = re.compile(r"^\s*id=\d+")

_ROLES = """
alert alertdialog article banner button cell checkbox columnheader combobox complementary contentinfo dialog feed figure
form grid gridcell group heading img link list listbox listitem main menu menubar menuitem menuitemcheckbox
menuitemradio navigation option presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search
searchbox separator slider spinbutton status switch tab table tablist tabpanel textbox toolbar tooltip tree treegrid
treeitem
"""
_CONTROLS = """
link button combobox option textbox searchbox checkbox radio spinbutton slider tab menuitem switch gridcell
"""
ROLES = frozenset(_ROLES.split())
CONTROLS = frozenset(_CONTROLS.split())
TAG_ROLES = {
    "a": "link",
    "button": "button",
    "select": "combobox",
    "option": "option",
    "textarea": "textbox",
    "li": "listitem",
    "img": "img",
    "svg": "img",
    "td": "cell",
    "th": "columnheader",
    "tr": "row",
    "table": "table",
    "nav": "navigation",
    "main": "main",
    "form": "form",
    "h1": "heading",
    "h2": "heading",
    "h3": "heading",
    "h4": "heading",
    "h5": "heading",
    "h6": "heading",
    "summary": "button",
}
INPUT_ROLES = {
    "checkbox": "checkbox",
    "radio": "radio",
    "search": "searchbox",
    "number": "spinbutton",
    "range": "slider",
    "submit": "button",
    "button": "button",
    "reset": "button",
    "image": "button",
}
#: Pages say a state as a bare word too.
_STATES = frozenset({"true", "false"})
_NAME_LENGTH = 120


@dataclass
class _Element:
    """``own`` is the text right in it, ``all`` also that of what it holds."""

    tag: str
    role: str
    words: list[str]
    in_control: bool
    own: list[str] = field(default_factory=list)
    all: list[str] = field(default_factory=list)


def sketch(page: str) -> tuple[Target, ...]:
    """The elements of a page that a person could use or read, in document order."""
    return tuple(target for element in _elements(page) if (target := _target(element)) is not None)


def title(page: str) -> str:
    """The text of the page's ``<title>``, "" without one."""
    return next((" ".join(e.all) for e in _elements(page) if e.tag == "title"), "")


def _elements(page: str) -> list[_Element]:
    found: list[_Element] = []
    open_elements: list[_Element] = []
    for tag, inside, kind in tokens(page):
        if kind == "text":
            _add_text(open_elements, inside.split())
        elif kind == "close":
            _close(open_elements, tag)
        else:
            role, words = _role(tag, _NODE.sub("", inside).split())
            element = _Element(tag, role, words, any(e.role in CONTROLS for e in open_elements))
            found.append(element)
            if kind == "open":
                open_elements.append(element)
    return found


def tokens(page: str) -> Iterator[tuple[str, str, str]]:
    for match in _TOKEN.finditer(page):
        if match["text"] is not None:
            yield "", match["text"], "text"
        else:
            kind = "close" if match["close"] else "empty" if match["empty"] else "open"
            yield match["tag"], match["inside"], kind


def _add_text(open_elements: list[_Element], words: list[str]) -> None:
    if open_elements:
        open_elements[-1].own.extend(words)
    for element in open_elements:
        element.all.extend(words)


def _close(open_elements: list[_Element], tag: str) -> None:
    """Close the innermost ``tag``; an end without a start closes nothing."""
    for depth in range(len(open_elements) - 1, -1, -1):
        if open_elements[depth].tag == tag:
            del open_elements[depth:]
            return


def _target(element: _Element) -> Target | None:
    control = element.role in CONTROLS
    said = " ".join(element.words)[:_NAME_LENGTH]
    text = " ".join(element.all if control else element.own)[:_NAME_LENGTH]
    if element.tag in ("html", "body", "title") or not (control or said or text):
        return None
    # The pieces of text in a button or link are the button's name already.
    if element.in_control and not element.role:
        return None
    if element.tag == "select":
        text = ""
    # What attributes say comes in lower case: where the text says the same, or is an option's, it is the better name.
    name = text if text and (element.role == "option" or text.casefold() == said) else said or text
    return Target(role=element.role, name=name, text=text if text != name else "", tag=element.tag)


def _role(tag: str, words: list[str]) -> tuple[str, list[str]]:
    """The role, and the words that are left when those that say role, type and state are taken off."""
    left = [word for word in words if word not in _STATES]
    if tag == "input":
        return INPUT_ROLES.get(left[0] if left else "text", "textbox"), left[1:]
    if left and left[0] in ROLES:
        return left[0], left[1:]
    role = TAG_ROLES.get(tag, "")
    return role, left[1:] if left and left[0] in (role, "submit") else left
