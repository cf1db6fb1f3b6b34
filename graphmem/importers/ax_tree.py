"""Accessibility trees as agents' logs print them, one element a line, indented by tabs, as a page of the element model.

    RootWebArea 'One Stop Market', focused
    \\t[227] link 'My Account', clickable
    \\t\\tStaticText 'My Account'

BrowserGym writes ``[bid] role 'name', property, property=value``, WebArena and WebVoyager ``[id] role 'name' property: value``.
An id holds for one page load: it finds the element in this page and is never kept.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from graphmem.model.element import TEXT, Node, Tree
from graphmem.model.element.names import FROM_CONTENT
from graphmem.model.element.roles import ROLES
from graphmem.model.target import pairs

_LINE = re.compile(
    r"^(?P<indent>\s*)(?:\[(?P<id>[\w-]+)\]\s+)?(?P<role>[A-Za-z]\w*)\s*"
    r"(?P<name>'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\")?(?P<rest>.*)$"
)
_PROPERTY = re.compile(r"(\w+)(?:[=:]\s?('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[^,\s]+))?")
_STATES = ("checked", "selected", "disabled", "expanded", "focused")
#: Names of Chrome's tree that ARIA has others for.
_RENAMED = {
    "statictext": TEXT, "inlinetextbox": "", "labeltext": "label", "image": "img", "generic": "", "inputtime": "textbox",
    "date": "textbox", "colorwell": "button", "disclosuretriangle": "button", "menulistpopup": "listbox",
}  # fmt: skip
MOST_LINES = 20_000


@dataclass
class _Open:
    depth: int
    role: str
    ref: str
    attributes: dict[str, str]
    text: str = ""
    value: str | None = None
    state: frozenset[str] = frozenset()
    children: list[_Open] = field(default_factory=list)

    @property
    def says(self) -> bool:
        return bool(self.text or self.attributes.get("aria-label")) or any(child.says for child in self.children)

    def node(self) -> Node:
        name = self.attributes.get("aria-label", "")
        # Where the text that names an element is not printed below it, the name is that text.
        is_text = self.attributes.get("role") in FROM_CONTENT and not any(child.says for child in self.children)
        return Node(
            tag=self.role if self.role in (TEXT, "label") else "",
            attributes=pairs(self.attributes),
            text=name if is_text else self.text,
            children=tuple(child.node() for child in self.children),
            value=self.value,
            state=self.state,
            ref=self.ref,
        )


@dataclass(frozen=True)
class AxPage:
    """``title`` is the name of the root, ``tree`` the page."""

    title: str
    tree: Tree

    def named(self, ref: str) -> Node | None:
        return next((node for node in self.tree.nodes if node.ref == ref), None) if ref else None


def ax_page(text: str) -> AxPage | None:
    """The page that a text describes; None where it is no accessibility tree."""
    root = _Open(-1, "", "", {})
    path = [root]
    for opened in _lines(text):
        while path[-1].depth >= opened.depth:
            path.pop()
        # Python's stack bounds how deep a page may be; deeper elements hang where the bound is.
        path[-1 if len(path) < 200 else 199].children.append(opened)
        path.append(opened)
    if not any(child.ref or child.children for child in root.children):
        return None
    first = root.children[0]
    return AxPage(first.attributes.get("aria-label", "") if first.role == "document" else "", Tree(root.node()))


def _lines(text: str) -> Iterator[_Open]:
    for line in text.splitlines()[:MOST_LINES]:
        match = _LINE.match(line)
        if match is None or not (match["id"] or match["name"] or match["rest"].strip()):
            continue
        role = match["role"].casefold()
        name = " ".join(_unquoted(match["name"]).split())
        role = "document" if role in ("rootwebarea", "webarea") else _RENAMED.get(role, role)
        if role not in ROLES and role not in (TEXT, "", "label"):
            role = "" if match["id"] or match["name"] else "?"
        if role == "?":
            continue
        yield _opened(match, role, name)


def _opened(match: re.Match[str], role: str, name: str) -> _Open:
    given = dict(_PROPERTY.findall(match["rest"]))
    depth = len(match["indent"].expandtabs(2))
    if role == TEXT:
        return _Open(depth, TEXT, match["id"] or "", {}, text=f"{name} ")
    attributes = {"role": role} if role and role != "label" else {}
    attributes |= {"aria-label": name} if name and role else {}
    attributes |= {"aria-placeholder": _unquoted(given["placeholder"])} if given.get("placeholder") else {}
    if "clickable" in given:
        attributes["onclick"] = "clickable"
    state = frozenset(s for s in _STATES if s in given and given[s].strip("'\"").casefold() not in ("false", "0"))
    value = _unquoted(given["value"]) if given.get("value") else None
    text = f"{name} " if name and not role else ""
    return _Open(depth, role, match["id"] or "", attributes, text=text, value=value, state=state)


def _unquoted(text: str | None) -> str:
    """A Python string literal's text; as it stands where it is none."""
    if not text or text[0] not in "'\"":
        return text or ""
    try:
        return str(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return text[1:-1]
