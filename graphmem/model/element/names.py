"""Accessible names: what a person who hears the page would call an element.

Accessible Name and Description Computation 1.2, section 4.3.2, with HTML-AAM section 4.1 for what tags add: references
(aria-labelledby), aria-label, the native label, the content of roles that are named by it, title, placeholder. What is
hidden counts only where something refers to it; no element is visited twice.
"""

from __future__ import annotations

from graphmem.model.element.node import Node, Tree
from graphmem.model.element.roles import TYPED, role_of

#: Roles that are named by what they hold.
FROM_CONTENT = frozenset(
    {
        "button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem", "menuitemcheckbox",
        "menuitemradio", "option", "radio", "row", "rowheader", "switch", "tab", "tooltip", "treeitem",
    }
)  # fmt: skip
_LABELABLE = frozenset({"input", "select", "textarea", "meter", "progress", "output", "button"})
_BUTTONS = {"submit": "Submit", "reset": "Reset", "button": "", "image": "Submit"}
#: Elements that stand in a line of text; between all others there is a space.
_INLINE = frozenset(
    {"a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "font", "i", "kbd", "label", "mark", "q", "s", "small", "span",
     "strong", "sub", "sup", "time", "u", "var", "tspan", "#text"}
)  # fmt: skip
_CAPTIONS = {"fieldset": "legend", "table": "caption", "figure": "figcaption", "svg": "title"}


def tidy(text: str) -> str:
    return " ".join(text.split())


def name_of(tree: Tree, node: Node) -> str:
    """The accessible name, "" where the standard gives none."""
    key = ("name", node)
    if key not in tree.memo:
        tree.memo[key] = tidy(_Naming(tree).of(node))
    found: str = tree.memo[key]
    return found


def text_of(tree: Tree, node: Node) -> str:
    """The visible text that a node holds, images by their alternative."""
    key = ("text", node)
    if key not in tree.memo:
        parts = []
        for inner in (node, *tree.inside(node)):
            if inner in tree.hidden:
                continue
            parts.append("" if inner.tag in _INLINE else " ")
            parts.append(inner.get("alt") if inner.tag == "img" else inner.text)
        tree.memo[key] = tidy("".join(parts))
    found: str = tree.memo[key]
    return found


class _Naming:
    """One computation. ``_seen`` are the nodes that were visited: none counts twice."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._seen: set[Node] = set()

    def of(self, node: Node, *, within: bool = False, referred: bool = False) -> str:
        """``within``: as part of another's content; ``referred``: because aria-labelledby or a label names it."""
        if node in self._seen:
            return ""
        self._seen.add(node)
        if node.is_text:
            return node.text
        if node in self._tree.hidden and not referred:
            return ""
        if not referred and (text := self._by_reference(node)):
            return text
        if node.get("aria-label").strip():
            return node.get("aria-label")
        return self._own(node, within or referred)

    def _own(self, node: Node, within: bool) -> str:
        role = role_of(self._tree, node)
        if within and (value := _value(self._tree, node, role)):
            return value
        if text := self._native(node):
            return text
        named_by_content = role in FROM_CONTENT or (within and role not in TYPED)
        if named_by_content and (text := self._content(node)).strip():
            return text
        return node.get("title") or (node.get("placeholder") or node.get("aria-placeholder") if role in TYPED else "")

    def _by_reference(self, node: Node) -> str:
        named = (self._tree.by_id.get(each) for each in node.get("aria-labelledby").split())
        return " ".join(self._referred(other, node) for other in named if other)

    def _referred(self, other: Node, node: Node) -> str:
        """A node may name itself among others; then its own label counts, not its references."""
        self._seen.discard(other if other is node else node)
        text = self.of(other, referred=True)
        self._seen.add(node)
        return text

    def _native(self, node: Node) -> str:
        tag = node.tag
        if tag == "input" and node.get("type") in _BUTTONS:
            return (
                node.get("alt") or node.get("value") or node.value or self._labels(node) or _BUTTONS[node.get("type")]
            )
        if tag in _LABELABLE:
            return self._labels(node)
        if tag in ("img", "area"):
            return node.get("alt")
        if tag in _CAPTIONS:
            caption = next((child for child in node.children if child.tag == _CAPTIONS[tag]), None)
            return self._content(caption) if caption else ""
        return ""

    def _labels(self, node: Node) -> str:
        """What the labels of a field say: those that hold it and those that point to its id."""
        found = [outer for outer in self._tree.ancestors(node) if outer.tag == "label" and not outer.get("for")][:1]
        found += self._tree.label_for.get(node.get("id"), []) if node.get("id") else []
        return " ".join(self.of(label, referred=True) for label in found)

    def _content(self, node: Node) -> str:
        parts = [node.text]
        for child in node.children:
            space = "" if child.tag in _INLINE else " "
            parts += [space, self.of(child, within=True), space]
        return "".join(parts)


def _value(tree: Tree, node: Node, role: str) -> str:
    """What a control inside another's name adds: its value, not its own name (step 2C)."""
    if role in ("textbox", "searchbox", "spinbutton", "slider"):
        return node.value or node.get("aria-valuetext") or node.get("aria-valuenow") or ""
    if role in ("combobox", "listbox"):
        chosen = [inner for inner in tree.inside(node) if "selected" in inner.state]
        return node.value or " ".join(text_of(tree, option) for option in chosen)
    return ""
