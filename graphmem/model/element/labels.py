"""What an element is called where the standard has no name for it: text beside it, hooks, and the class of an icon.

Labels are often not tied to their inputs (no ``for``, no wrapping): a reader sees them before the field, behind a box, or
in the cell to the left. An element without any text may have no name but the class that draws its icon (``.trash``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from graphmem.model.element.controls import ACTION_HOOKS, TEST_HOOKS, is_control
from graphmem.model.element.names import name_of, text_of, tidy
from graphmem.model.element.node import Node, Tree
from graphmem.model.element.roles import FIELDS, role_of
from graphmem.model.target import is_made_up

#: A longer text beside a field is a paragraph, not its label.
_LABEL_LENGTH = 60
#: How many elements up a label may stand.
_LEVELS = 3
_BOXES = frozenset({"checkbox", "radio", "switch"})
_END = re.compile(r"[\s:：*]+$")
_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
#: Classes of the layout and of the moment: of hovering and focus above all, which only say where the mouse was.
_STATE = re.compile(
    r"hover|focus|active|pressed|(^|[-_])(selected|clicked|visited|open|opened|closed|disabled|enabled|checked|current|"
    r"visible|hidden|default|collapsed|expanded)$|^ui-(corner|state|widget|helper|front)|^has[A-Z]",
    re.IGNORECASE,
)
_ICON = re.compile(r"icon|^(fa|fas|far|fab|bi|mdi|glyphicon|material|lucide|octicon)-", re.IGNORECASE)
_FILLER = frozenset(
    {"ui", "icon", "icons", "ico", "fa", "fas", "far", "fab", "bi", "mdi", "glyphicon", "material", "lucide", "octicon",
     "svg", "img", "image", "btn", "button", "only", "circle", "item", "wrapper", "container", "link", "css", "js", "sm",
     "md", "lg", "xs", "xl", "corner", "tr", "br", "tl", "bl"}
)  # fmt: skip
#: Letters and digits by turns: a class that a build made up.
_HASHED = re.compile(r"\d[a-z]+\d|[a-z]\d+[a-z]", re.IGNORECASE)
_MOST_WORDS = 3
_DRAWN = frozenset({"span", "i", "svg", "img"})


def label_of(tree: Tree, node: Node) -> str:
    """The text that labels a field without being tied to it; "" for what is no field or has a name by the standard."""
    if role_of(tree, node) not in FIELDS or name_of(tree, node):
        return ""
    return _END.sub("", _beside(tree, node) or _in_table(tree, node))


def _beside(tree: Tree, node: Node) -> str:
    """The nearest text before the field (behind boxes, and fields alone with it), here or around what holds it alone."""
    here = node
    for level in range(_LEVELS):
        parent = tree.parent(here)
        sides = [tree.before(here)]
        if role_of(tree, node) in _BOXES:
            sides.insert(0, tree.after(here))
        elif level == 0 and parent and not _holds_other_field(tree, parent, node):
            sides.append(tree.after(here))
        if text := next(filter(None, (_adjacent(tree, side) for side in sides)), ""):
            return text
        if parent is None or role_of(tree, parent) in ("cell", "gridcell", "row"):
            return ""
        if parent.text and not any(role_of(tree, n) in FIELDS for n in tree.before(here)):
            return parent.text if len(parent.text) <= _LABEL_LENGTH else ""
        if _holds_other_field(tree, parent, node):
            return ""
        here = parent
    return ""


def _holds_other_field(tree: Tree, place: Node, node: Node) -> bool:
    return any(inner is not node and role_of(tree, inner) in FIELDS for inner in tree.inside(place))


def _adjacent(tree: Tree, siblings: Iterator[Node]) -> str:
    """The first text on this side, up to the next control; line breaks and empty elements are passed over."""
    for sibling in siblings:
        if sibling in tree.hidden:
            continue
        # A heading is about all that follows it, not about the first field.
        if any(is_control(tree, each) or role_of(tree, each) == "heading" for each in (sibling, *tree.inside(sibling))):
            return ""
        if text := text_of(tree, sibling) if not sibling.is_text else tidy(sibling.text):
            return text if len(text) <= _LABEL_LENGTH else ""
    return ""


def _in_table(tree: Tree, node: Node) -> str:
    """The cell before the one that holds the field, where it is nothing but text and no header says what columns are."""
    cell = next((o for o in tree.ancestors(node) if role_of(tree, o) in ("cell", "gridcell")), None)
    table = next((o for o in tree.ancestors(node) if role_of(tree, o) in ("table", "grid", "treegrid")), None)
    if cell is None or (table and any(role_of(tree, inner) == "columnheader" for inner in tree.inside(table))):
        return ""
    return _adjacent(tree, tree.before(cell))


def hook_of(node: Node) -> str:
    """The test id, else what an action hook says, as far as it lasts longer than a page load and is no script."""
    for hook in (*TEST_HOOKS, *ACTION_HOOKS):
        value = node.get(hook)
        if value and len(value) <= _LABEL_LENGTH and not is_made_up(value) and re.fullmatch(r"[\w .:/-]+", value):
            return value
    return ""


def lasting_classes(node: Node) -> tuple[str, ...]:
    """The classes that say what an element is rather than how it was just then."""
    return tuple(name for name in node.classes if not _STATE.search(name) and not is_made_up(name))


def icon_of(tree: Tree, node: Node) -> str:
    """What the class of an element without text says (``trash``, ``triangle``); the last resort for a name."""
    if role_of(tree, node) in FIELDS or text_of(tree, node):
        return ""
    drawn = [inner for inner in tree.inside(node) if not inner.is_text]
    if any(is_control(tree, inner) for inner in drawn):
        return ""
    return next(filter(None, (_words(each) for each in (node, *drawn))), "") or _id_words(node)


def _id_words(node: Node) -> str:
    """What the id of an empty inline element says, where no class does: it is drawn by a style sheet."""
    identifier = node.get("id")
    if node.tag not in _DRAWN or node.children or not identifier or is_made_up(identifier):
        return ""
    return _joined([identifier])


def _words(node: Node) -> str:
    """Words of an icon class where there is one, else of all lasting classes."""
    names = lasting_classes(node)
    icons = [name for name in names if _ICON.search(name)]
    return _joined(icons) or _joined(names)


def _joined(names: Iterable[str]) -> str:
    parts = [part for name in names for part in re.split(r"[-_]", name) if not _HASHED.search(part)]
    words = [word.casefold() for part in parts for word in _TOKEN.findall(part)]
    kept = [word for word in dict.fromkeys(words) if word not in _FILLER]
    return " ".join(kept[:_MOST_WORDS])
