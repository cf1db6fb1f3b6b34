"""An element as a Target and a page as a sketch: the one description that importers and the browser share."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice

from graphmem.model.element.controls import holds_controls, is_control
from graphmem.model.element.labels import hook_of, icon_of, label_of, lasting_classes
from graphmem.model.element.names import name_of, text_of
from graphmem.model.element.node import Node, Tree
from graphmem.model.element.roles import FIELDS, TYPED, role_of
from graphmem.model.element.surroundings import near_of
from graphmem.model.target import Locator, Target, is_made_up, pairs

#: How much of a page a sketch holds.
MOST_ELEMENTS = 200
_LENGTH = 120
#: A text longer than this, of something that is no control, is what a page says rather than what it is called.
_SAYING = 80
_KEPT = (
    "id", "name", "type", "href", "title", "alt", "aria-label", "autocomplete", "inputmode", "for", "aria-haspopup",
)  # fmt: skip
#: Of these inputs ``value`` says which one it is; of all others it is what stands in the field.
_VALUE_IS_CHOICE = frozenset({"checkbox", "radio", "submit", "button", "reset"})
_STATES = ("checked", "selected", "disabled", "expanded")


def target_of(tree: Tree, node: Node, *, locators: tuple[Locator, ...] = ()) -> Target:
    """The durable description of a node. ``locators``: what the source gave to find it."""
    return Target(
        role=role_of(tree, node),
        name=name_of(tree, node)[:_LENGTH],
        label=label_of(tree, node)[:_LENGTH],
        placeholder=node.get("placeholder")[:_LENGTH],
        text=_text(tree, node),
        test_id=hook_of(node),
        tag=node.tag,
        attributes=pairs(_attributes(tree, node)),
        near=near_of(tree, node),
        locators=locators or _locators(tree, node),
    )


def _text(tree: Tree, node: Node) -> str:
    """The element's text where it is not its name already, and short enough to be what a person would call it by."""
    role = role_of(tree, node)
    if role in FIELDS or (not is_control(tree, node) and holds_controls(tree, node)):
        return ""
    text = text_of(tree, node)
    if text == name_of(tree, node) or (len(text) > _SAYING and not is_control(tree, node)):
        return ""
    return text[:_LENGTH]


def _attributes(tree: Tree, node: Node) -> dict[str, str]:
    kept = {name: node.get(name) for name in _KEPT if node.get(name)}
    if node.get("type") in _VALUE_IS_CHOICE and node.get("value"):
        kept["value"] = node.get("value")
    if classes := " ".join(lasting_classes(node)):
        kept["class"] = classes
    if not (name_of(tree, node) or text_of(tree, node) or node.get("title")) and (icon := icon_of(tree, node)):
        kept["icon"] = icon
    return kept | {"place": place_of(tree, node)}


def _locators(tree: Tree, node: Node) -> tuple[Locator, ...]:
    identifier = node.get("id")
    if not identifier or is_made_up(identifier) or tree.by_id.get(identifier) is not node:
        return ()
    return (Locator("css", f'[id="{identifier}"]'),) if '"' not in identifier and "\\" not in identifier else ()


def sketch_of(tree: Tree) -> tuple[Target, ...]:
    """What of a page a person could use or read, in document order, with what stands in its fields now.

    Surroundings and locators are left out: they are worked out for the element that is acted on. Where an element stands
    is told by the attribute ``place`` (``place_of``), from which rows, cards and containers can be put together again.
    """
    return tuple(_sketched(tree, node) for node in told_nodes(tree))


def told_nodes(tree: Tree) -> tuple[Node, ...]:
    """The nodes that a sketch tells of, one for each of its elements, in the same order."""
    return tuple(islice(_worth_telling(tree), MOST_ELEMENTS))


def place_of(tree: Tree, node: Node) -> str:
    """The way from the root to a node, as a number at each level: ``0.3.1``. Only what holds something that is told is
    counted, and only levels where there is more than one way: what a recorder leaves out, a page hides or a style sheet
    needs wrapped moves nothing. An element that holds but one other and is not told has the place of what it holds."""
    way: list[int] = []
    inner, outer = node, tree.parent(node)
    while outer is not None:
        numbers, total = _numbers_in(tree, outer)
        if total > 1 or not _tells(tree, inner) or _is_among_told(tree, outer):
            way.append(numbers[inner])
        inner, outer = outer, tree.parent(outer)
    return ".".join(map(str, reversed(way)))


def _numbers_in(tree: Tree, outer: Node) -> tuple[dict[Node, int], int]:
    """For each child how many before it hold something that is told, and how many do in all."""
    key = ("numbers", outer)
    if key not in tree.memo:
        numbers: dict[Node, int] = {}
        counted = 0
        for child in outer.children:
            numbers[child] = counted
            counted += _tells(tree, child)
        tree.memo[key] = (numbers, counted)
    found: tuple[dict[Node, int], int] = tree.memo[key]
    return found


def _is_among_told(tree: Tree, node: Node) -> bool:
    told, first = _told_indexes(tree), tree.index(node)
    at = bisect_left(told, first)
    return at < len(told) and told[at] == first


def _tells(tree: Tree, node: Node) -> bool:
    """Whether the node or something in it is told."""
    told, first = _told_indexes(tree), tree.index(node)
    at = bisect_left(told, first)
    return at < len(told) and told[at] <= first + len(tree.inside(node))


def _told_indexes(tree: Tree) -> list[int]:
    key = ("told", tree.root)
    if key not in tree.memo:
        tree.memo[key] = [tree.index(told) for told in _worth_telling(tree)]
    found: list[int] = tree.memo[key]
    return found


def _worth_telling(tree: Tree) -> Iterator[Node]:
    """Controls, headings, texts and icons; what a control holds is told by the control."""
    end = -1
    for node in tree.nodes:
        if node in tree.hidden or tree.index(node) < end:
            continue
        # A clickable row holds controls of its own, which count beside it; a list's options are its own business.
        is_whole = role_of(tree, node) == "heading" or (is_control(tree, node) and not holds_controls(tree, node))
        if is_whole or node.tag in ("title", "select", "option"):
            end = tree.index(node) + len(tree.inside(node)) + 1
        if _is_told(tree, node):
            yield node


def _is_told(tree: Tree, node: Node) -> bool:
    if node.tag in ("title", "option"):
        return False
    if node.tag == "label":
        return _untied(tree, node)
    told = is_control(tree, node) or role_of(tree, node) == "heading"
    return told or _is_leaf_text(tree, node) or _is_icon(tree, node)


def _untied(tree: Tree, label: Node) -> bool:
    return not label.get("for") and bool(text_of(tree, label)) and not holds_controls(tree, label)


def _is_leaf_text(tree: Tree, node: Node) -> bool:
    """An element with text of its own and no elements in it, or text that stands between elements."""
    if node.is_text:
        parent = tree.parent(node)
        told = parent is not None and (parent.tag == "label" or all(child.is_text for child in parent.children))
        return bool(node.text.strip()) and not told
    return bool(text_of(tree, node)) and all(child.is_text for child in node.children)


def _is_icon(tree: Tree, node: Node) -> bool:
    return not node.is_text and not node.children and bool(icon_of(tree, node))


def _sketched(tree: Tree, node: Node) -> Target:
    place = {"place": place_of(tree, node)}
    if node.is_text:
        return Target(text=" ".join(node.text.split())[:_LENGTH], attributes=pairs(place))
    role, name = role_of(tree, node), name_of(tree, node)[:_LENGTH]
    text = "" if role in FIELDS else text_of(tree, node)[:_LENGTH]
    return Target(
        role=role,
        name=name,
        label=label_of(tree, node)[:_LENGTH],
        placeholder=node.get("placeholder")[:_LENGTH],
        text=text if text != name else "",
        test_id=hook_of(node),
        tag=node.tag,
        attributes=pairs(_standing(tree, node, role) | place),
    )


def _standing(tree: Tree, node: Node, role: str) -> dict[str, str]:
    """What stands in a field and how it is set, and the icon of what has no other name."""
    shown = {state: "true" for state in _STATES if state in node.state}
    if role in TYPED:
        # What tells a field that takes a secret goes along with what stands in it.
        shown |= {name: node.get(name) for name in ("type", "id", "name", "autocomplete") if node.get(name)}
        shown |= {"value": node.value[:_LENGTH]} if node.value else {}
    elif icon := icon_of(tree, node):
        shown["icon"] = icon
    return shown
